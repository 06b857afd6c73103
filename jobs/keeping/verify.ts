// Checks that an answer follows from the raw archive. The sources' own readers read the payloads into a temporary lake, and each row is compared with
// the result. It uses no snapshot, no service, and nothing of the lake except the operator's decisions on quarantine.
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import { openArchive, type RawArchive, type StoredPayload } from '../../src/archive/raw-archive.ts';
import { openWriter, patternOf, quote } from '../../src/db/connect.ts';
import { parquetFiles } from '../../src/db/files.ts';
import { createRelation } from '../../src/db/layers.ts';
import { sqlText } from '../../src/db/query.ts';
import { camelCase, toValue, type Value } from '../../src/db/rows.ts';
import { namesIn } from '../../src/disk/if-there.ts';
import type { Effects } from '../../src/effects.ts';
import type { Lake } from '../../src/lake/lake.ts';
import { lakePaths } from '../../src/lake/layout.ts';
import { loadReference } from '../../src/lake/reference.ts';
import { observationId } from '../../src/model/observation.ts';
import { rederive } from '../../src/snapshot/build/rederived.ts';
import type { Source } from '../../src/sources/source.ts';
import type { Claim } from './answer-file.ts';
import { disagreements, Rederived } from './claims.ts';
import { normaliseSource } from '../normalise.ts';
import type { PayloadReader } from '../reading/payload-reader.ts';
import type { Workspace } from '../workspace.ts';

export interface VerifiedPayload {
  readonly key: string;
  readonly sha256: string;
  readonly retrievedAt: string | null;
  readonly address: string | null;
}

export interface VerifiedInput {
  readonly observationId: string;
  readonly indicatorId: string;
  readonly period: string;
  readonly vintage: string;
  readonly value: number | null;
  readonly payload: { readonly key: string; readonly sha256: string } | null;
}

export interface VerifiedRow {
  readonly observationId: string;
  /** Computed by the service from observations or documents, or stated by a publisher. Null if it was not found. */
  readonly kind: 'stated' | 'computed' | null;
  readonly found: Rederived | null;
  readonly agrees: boolean;
  /** The difference, or the reason why nothing could be derived. */
  readonly disagreements: readonly string[];
  readonly payloads: readonly VerifiedPayload[];
  /** The inputs of a computed observation, each derived from its payload too. */
  readonly inputs: readonly VerifiedInput[];
  readonly steps: readonly string[];
}

export interface Verification {
  readonly agrees: boolean;
  readonly rows: readonly VerifiedRow[];
  /** Damaged archive files of the involved sources. */
  readonly damaged: readonly string[];
  readonly payloadsRead: number;
}

export interface VerifyOptions {
  readonly dataDir: string;
  /** The folder for everything that is written; removed at the end. */
  readonly work: Workspace;
  readonly sources: readonly Source[];
  readonly effects: Pick<Effects, 'now' | 'log'>;
  readonly onProgress?: (sourceId: string, done: number, total: number) => void;
}

/** Tickers identify the companies that this source describes. */
const COMPANIES = 'sec';

export async function verify(claims: readonly Claim[], options: VerifyOptions): Promise<Verification> {
  const run = await openRun(options);
  try {
    const named = new Set(claims.map(({ row }) => row['sourceId']));
    const asked = options.sources.filter(({ id }) => named.has(undefined) || named.has(id));
    await readSources(run, asked);
    const stated = await lookUp(run, claims, 'stated');
    // Rows with inputs, or without a type, may be computed; those can depend on any source.
    const isOpen = ({ observationId: id, row }: Claim) => !stated.has(id) && row['derivedFrom'] !== null;
    const computed = claims.some(isOpen) ? await lookUpComputed(run, claims.filter(isOpen)) : new Map<string, Found>();
    const damaged = [...run.damaged].toSorted();
    const rows = claims.map((claim) => rowOf(claim, stated.get(claim.observationId) ?? computed.get(claim.observationId) ?? null, damaged));
    return { agrees: damaged.length === 0 && rows.every(({ agrees }) => agrees), rows, damaged, payloadsRead: run.read.size };
  } finally {
    await run.lake.close();
  }
}

interface Run {
  readonly options: VerifyOptions;
  readonly archive: RawArchive;
  readonly lake: Lake;
  /** Sources read in full, and those of which only the companies were read. */
  readonly done: Set<string>;
  readonly lent: Set<string>;
  readonly read: Set<string>;
  readonly damaged: Set<string>;
}

async function openRun(options: VerifyOptions): Promise<Run> {
  const lake = await options.work.openLake();
  const [read, damaged] = [new Set<string>(), new Set<string>()];
  const kept = openArchive(join(options.dataDir, 'raw'));
  const readPayload = async (payload: Pick<StoredPayload, 'sha256' | 'bytes'>) => {
    try {
      const body = await kept.read(payload);
      read.add(payload.sha256);
      return body;
    } catch (error) {
      damaged.add(`raw/objects/${payload.sha256.slice(0, 2)}/${payload.sha256}.gz`);
      throw error;
    }
  };
  // Attempts to collect do not matter, only archived payloads.
  const archive: RawArchive = { ...kept, read: readPayload, lastCollection: async () => null };
  try {
    await loadReference(lake.connection, options.work.referenceDir);
  } catch (error) {
    await lake.close();
    throw error;
  }
  return { options, archive, lake, done: new Set(), lent: new Set(), read, damaged };
}

/** Reads the archived payloads of sources in the order in which they became known. */
async function readSources(run: Run, sources: readonly Source[]): Promise<void> {
  for (const [index, source] of sources.entries()) {
    run.options.onProgress?.(source.id, index, sources.length);
    if (run.done.has(source.id)) continue;
    // It may have been read only for its companies.
    if (source.id === COMPANIES) await forget(run, source.id);
    await readSource(run, source);
    run.done.add(source.id);
    if (run.done.has(COMPANIES) || run.lent.has(COMPANIES) || !(await hasUnresolved(run.lake, source.id))) continue;
    const companies = run.options.sources.find(({ id }) => id === COMPANIES);
    if (companies === undefined || (await run.archive.list(COMPANIES)).length === 0) continue;
    await readSource(run, companies, companiesBy(run.options.work.reader));
    run.lent.add(COMPANIES);
    await forget(run, source.id);
    await readSource(run, source);
  }
  run.options.onProgress?.('', sources.length, sources.length);
}

async function readSource({ options, archive, lake }: Run, source: Source, reader = options.work.reader): Promise<void> {
  await lendDecisions(options.dataDir, lake, source.id);
  const log = options.effects.log.child({}, { level: 'silent' }); // The original run reported its own failures.
  const effects = { now: options.effects.now, log };
  await normaliseSource(source, archive, lake, effects, {
    referenceDir: options.work.referenceDir,
    codeRevision: options.work.version,
    reader,
  });
}

/** The operator's releases of suspended payloads. */
async function lendDecisions(dataDir: string, lake: Lake, sourceId: string): Promise<void> {
  const folder = lakePaths(join(dataDir, 'lake')).partition('resolutions', sourceId);
  const files = (await namesIn(folder)).filter((name) => name.endsWith('.parquet')).map((name) => join(folder, name));
  if (files.length === 0) return;
  const select = `select * from ${parquetFiles(files, { isByName: true })}`;
  await lake.commit(sourceId, new Date(0).toISOString(), [{ table: 'resolutions', select }]);
}

async function hasUnresolved(lake: Lake, sourceId: string): Promise<boolean> {
  const found = await lake.connection.runAndReadAll(`
    select count(*) from ${lake.paths.rows('quarantine')}
    where source_id = ${quote(sourceId)} and rule = 'identity_unresolved'`);
  return Number(found.getRows()[0]?.[0]) > 0;
}

/** Keeps the companies and the first filing of each, because a ticker's first holding reaches back to it. */
function companiesBy(reader: PayloadReader): PayloadReader {
  return {
    ...reader,
    async *batches(source, payload) {
      for await (const batch of reader.batches(source, payload)) {
        if (batch.kind === 'companies') yield batch;
        if (batch.kind === 'filings') yield { ...batch, rows: firstFiled(batch.rows) };
        if (batch.kind === 'facts') yield { ...batch, rows: firstFiled(batch.rows) };
      }
    },
  };
}

/** The row of each company with the earliest filing. */
function firstFiled<Row extends { readonly cik: string; readonly filed: string }>(rows: readonly Row[]): Row[] {
  const first = new Map<string, Row>();
  for (const row of rows) {
    const before = first.get(row.cik);
    if (before === undefined || row.filed < before.filed) first.set(row.cik, row);
  }
  return [...first.values()];
}

/** Removes the rows of a source from the lake, so that it can be read again. */
async function forget({ lake }: Run, sourceId: string): Promise<void> {
  const found = await lake.connection.runAndReadAll(
    `select file from glob(${quote(`${patternOf(lake.paths.root)}/*/source_id=${sourceId}/*.parquet`)})`,
  );
  const removes = found.getRows().map(([file]) => String(file).slice(lake.paths.root.length + 1));
  await lake.commit(sourceId, new Date(0).toISOString(), [], { removes });
}

type Found = Rederived & { readonly kind: 'stated' | 'computed'; readonly inputs: readonly VerifiedInput[] };

/** Computed values depend on all sources, read in full. */
async function lookUpComputed(run: Run, claims: readonly Claim[]): Promise<ReadonlyMap<string, Found>> {
  const archived: Source[] = [];
  for (const source of run.options.sources) if ((await run.archive.list(source.id)).length > 0) archived.push(source);
  await readSources(run, archived);
  return lookUp(run, claims, 'computed');
}

async function lookUp({ options, lake }: Run, claims: readonly Claim[], kind: 'stated' | 'computed'): Promise<ReadonlyMap<string, Found>> {
  const engine = await openWriter(options.work.limits('verify'));
  const { connection } = engine;
  try {
    const cacheDir = join(options.work.dataDir, 'results');
    await rederive(connection, kind, { lakeRoot: lake.paths.root, referenceDir: options.work.referenceDir, cacheDir });
    await createRelation(connection, { path: 'macros/observation_id', as: 'macro' });
    await connection.run('create schema if not exists verifying');
    await connection.run(`create or replace view verifying.vintages as ${kind === 'stated' ? STATED : 'from derived.all_vintages'}`);
    await connection.run(`create or replace view verifying.series as from ${kind === 'stated' ? 'series.series' : 'derived.all_series'}`);
    const ids = claims.map(({ observationId: id }) => quote(id));
    await connection.run(`set variable asked_ids = [${ids.join(', ')}]`);
    await createRelation(connection, { path: 'verifying/claimed', as: 'table' });
    const behind = await inputsOf(connection, kind);
    const rows = await rowsOf(connection, 'from verifying.claimed');
    return new Map(
      rows.map((row) => {
        const found = Rederived.parse(row);
        const id = observationId(found);
        return [id, { ...found, kind: found.sha256 === null || kind === 'computed' ? 'computed' : 'stated', inputs: behind.get(id) ?? [] }];
      }),
    );
  } finally {
    engine.close();
  }
}

const STATED = `
  select *, null::varchar as value_text, null::varchar as metadata,
    null::struct(series_no bigint, period varchar, vintage varchar, role varchar)[] as inputs
  from series.vintages`;

const Behind = z.object({
  observationId: z.string(),
  inputId: z.string(),
  indicatorId: z.string(),
  period: z.string(),
  vintage: z.string(),
  value: z.number().nullable(),
  key: z.string().nullable(),
  sha256: z.string().nullable(),
});

async function inputsOf(connection: DuckDBConnection, kind: 'stated' | 'computed'): Promise<ReadonlyMap<string, readonly VerifiedInput[]>> {
  const inputs = new Map<string, VerifiedInput[]>();
  if (kind === 'stated') return inputs;
  for (const row of await rowsOf(connection, sqlText('verifying/behind.sql'))) {
    const { observationId: of, inputId, key, sha256, ...told } = Behind.parse(row);
    const payload = key === null || sha256 === null ? null : { key, sha256 };
    inputs.set(of, [...(inputs.get(of) ?? []), { observationId: inputId, ...told, payload }]);
  }
  return inputs;
}

async function rowsOf(connection: DuckDBConnection, sql: string): Promise<readonly Readonly<Record<string, Value>>[]> {
  const result = await connection.runAndReadAll(sql);
  const names = result.columnNames().map(camelCase);
  return result.getRows().map((row) => Object.fromEntries(names.map((name, index) => [name, toValue(row[index] ?? null)])));
}

function rowOf({ observationId: id, row }: Claim, found: Found | null, damaged: readonly string[]): VerifiedRow {
  if (found === null) {
    const why =
      damaged.length > 0
        ? `cannot be derived: ${damaged.join(', ')} of the archive no longer ${damaged.length === 1 ? 'has its hash' : 'have their hashes'}`
        : 'no archived payload gives an observation of this identifier';
    return { observationId: id, kind: null, found: null, agrees: false, disagreements: [why], payloads: [], inputs: [], steps: [] };
  }
  const differing = disagreements(row, found);
  return {
    observationId: id,
    kind: found.kind,
    found,
    agrees: differing.length === 0,
    disagreements: differing,
    payloads: payloadsOf(found),
    inputs: found.inputs,
    steps: stepsOf(found),
  };
}

function payloadsOf({ key, sha256, retrievedAt, address, inputs }: Found): readonly VerifiedPayload[] {
  const own = key === null || sha256 === null ? [] : [{ key, sha256, retrievedAt, address }];
  const behind = inputs.flatMap(({ payload }) => (payload === null ? [] : [{ ...payload, retrievedAt: null, address: null }]));
  return [...new Map([...own, ...behind].map((payload) => [payload.sha256, payload])).values()];
}

function stepsOf(found: Found): readonly string[] {
  const { key, sourceId, connectorVersion, seriesCode, kind, canonicalId, inputs, entityId, vintage } = found;
  const read =
    key === null
      ? []
      : ['the bytes have their hash', `read by the reader ${sourceId}@${connectorVersion} as ${key}, series ${seriesCode ?? '(none)'}`];
  if (kind === 'computed')
    return [
      ...read,
      `computed as ${canonicalId} from ${inputs.length > 0 ? `${inputs.length} inputs, each derived from its payload` : 'the archived documents and filings'}`,
    ];
  return [
    ...read,
    'compared with every statement before it: it said something new',
    ...(entityId.startsWith('company_') && /^(?:price_|volume$)/.test(canonicalId)
      ? ['splits of shares undone where the vendor had adjusted for them']
      : []),
    ...(vintage.startsWith('pseudo:') ? ['its knowledge time is assumed: the source has no archive'] : []),
  ];
}
