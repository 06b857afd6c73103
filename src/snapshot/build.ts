// Lake → derived → the files of a snapshot. Files are content-addressed and written once; what did not change is the same file as before.
// The result is a candidate: nothing is current before publish.ts has checked it.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type EngineLimits, openWriter, quote } from '../db/connect.ts';
import { createMacros, createRelation, type Relation, relationName } from '../db/layers.ts';
import { sqlText } from '../db/query.ts';
import { toText, toValue } from '../db/rows.ts';
import type { DerivedIndicator } from '../derived/derived.ts';
import { computeForecasts } from '../derived/forecasts.ts';
import { writeDurably } from '../disk/durable.ts';
import { loadReference } from '../lake/reference.ts';
import { normaliseAlias } from '../model/alias.ts';
import type { Manifest, Resource } from '../model/manifest.ts';
import { verifyFiles, type WrittenFile, writeFile, writeTable } from './files.ts';
import { contentHash, SCHEMA_VERSION, type SnapshotPaths, snapshotIdOf } from './manifest.ts';
import { createRemembered, type TakenOver } from './remembered.ts';
import { codeOfStatistics, openResultFiles, type ResultFiles } from './result-files.ts';
import { writeServed } from './served.ts';
import { AFTER_DERIVED, BEFORE_DERIVED, CHECKS, DERIVED_MACROS, MACROS, PUBLISHED, VINTAGE_ORDER } from './relations.ts';

export interface BuildOptions {
  readonly lakeRoot: string;
  readonly referenceDir: string;
  readonly derived: readonly DerivedIndicator[];
  readonly paths: SnapshotPaths;
  readonly limits: EngineLimits;
  readonly version: string;
  /** Folder of the results of earlier builds: what has not changed is not computed again. It may be deleted at any time. */
  readonly cacheDir: string;
  readonly now: () => number;
  readonly onProgress?: (step: string, done: number, total: number) => void;
}

export interface BuiltTable {
  readonly name: string;
  readonly rows: number;
  readonly files: number;
  readonly newFiles: number;
  /** To compute and to write. */
  readonly milliseconds: number;
}

/** A table between the lake and what is published. */
export interface DerivedTable {
  readonly name: string;
  readonly rows: number;
  readonly milliseconds: number;
  /** Results taken over from an earlier build, and those computed now; null where the set is computed as a whole. */
  readonly results: { readonly reused: number; readonly computed: number } | null;
}

export interface BuiltSnapshot {
  readonly manifest: Manifest;
  readonly derived: readonly DerivedTable[];
  readonly tables: readonly BuiltTable[];
}

/** A rule of sql/checks that the candidate breaks. */
export class SnapshotCheckError extends Error {
  override readonly name = 'SnapshotCheckError';
}

/** Builds a candidate. The same lake gives the same bytes. Throws a SnapshotCheckError when a check finds rows. */
export async function buildSnapshot(options: BuildOptions): Promise<BuiltSnapshot> {
  const { paths, now } = options;
  await mkdir(paths.files, { recursive: true });
  await rm(paths.staging, { recursive: true, force: true });
  await mkdir(paths.staging, { recursive: true });
  const engine = await openWriter(options.limits);
  try {
    const results = openResultFiles(options.cacheDir, codeOfStatistics());
    const { derived, published, vintages } = await createAll(engine.connection, options, results);
    await results.sweep();
    await check(engine.connection);
    const resources: Resource[] = [];
    const tables: BuiltTable[] = [];
    for (const { path } of PUBLISHED) {
      const start = now();
      const name = path.replace('published/', '');
      const written = path === VINTAGES ? vintages : [await writeTable(engine.connection, paths, name)];
      resources.push(...written.map((file) => file.resource));
      tables.push({
        name,
        rows: written.reduce((sum, file) => sum + file.resource.rowCount, 0),
        files: written.length,
        newFiles: written.filter((file) => file.isNew).length,
        milliseconds: now() - start + (published.get(path) ?? 0),
      });
    }
    const manifest = await describeSnapshot(engine.connection, resources, options.version);
    await writeServed(engine.connection, paths, manifest.snapshotId);
    await writeDurably(paths.candidate, `${JSON.stringify(manifest, null, 1)}\n`);
    return { manifest, derived, tables };
  } finally {
    engine.close();
    await rm(paths.staging, { recursive: true, force: true });
  }
}

interface Built {
  readonly derived: readonly DerivedTable[];
  /** Milliseconds by path. */
  readonly published: ReadonlyMap<string, number>;
  /** Written already: what is published after them reads their files. */
  readonly vintages: readonly WrittenFile[];
}

const VINTAGES = 'published/vintages';

async function createAll(connection: DuckDBConnection, options: BuildOptions, results: ResultFiles): Promise<Built> {
  const total = BEFORE_DERIVED.length + options.derived.length + AFTER_DERIVED.length + 1 + PUBLISHED.length;
  const derived: DerivedTable[] = [];
  const published = new Map<string, number>();
  let done = 0;
  const step = async (path: string, create: () => Promise<void | TakenOver | null>, tables: readonly string[]) => {
    const start = options.now();
    let takenOver: TakenOver | null = null;
    try {
      takenOver = (await create()) ?? null;
    } catch (error) {
      throw new Error(`${path} could not be built: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
    const milliseconds = options.now() - start;
    const counted = results.countLookups();
    const lookups = takenOver ?? counted;
    for (const table of tables) {
      if (table.startsWith('published/')) published.set(table, milliseconds);
      else derived.push({ name: table, rows: await countRows(connection, table), milliseconds, results: lookups });
    }
    done += 1;
    options.onProgress?.(path, done, total);
  };
  const remembered = await results.open('tables');
  const relation = (one: Relation) => {
    const create = () =>
      one.isRemembered === true ? createRemembered(connection, one, results, remembered) : createRelation(connection, one);
    return step(one.path, create, one.as === 'table' ? [one.path] : []);
  };

  await connection.run(`set variable lake_root = ${quote(options.lakeRoot)}`);
  await loadReference(connection, options.referenceDir);
  await loadDerivedCatalogue(connection, options.derived);
  for (const one of BEFORE_DERIVED) {
    await relation(one);
    if (one.path === 'lake/attempts') await createMacros(connection, MACROS);
  }
  await createMacros(connection, DERIVED_MACROS);
  for (const { slug, compute } of options.derived) {
    const path = `derived/${slug}`;
    const create = async () => {
      await compute?.(connection, results);
      await createRelation(connection, { path, as: 'table' });
    };
    await step(path, create, [path]);
  }
  // Only what is computed from a document names the run that read it.
  const noRun = 'select null::varchar as run_id where false';
  const union = [noRun, ...options.derived.map(({ slug }) => `select * from derived.${slug}`)].join(' union all by name ');
  await connection.run(`create or replace view derived.derived_rows as ${union}`);
  for (const one of AFTER_DERIVED) await relation(one);
  await normaliseAliases(connection);
  await step('forecasts/forecasts', () => computeForecasts(connection, results), ['forecasts/forecasts']);
  let vintages: readonly WrittenFile[] = [];
  for (const one of PUBLISHED) {
    if (one.path !== VINTAGES) await relation(one);
    else
      await step(VINTAGES, async () => {
        vintages = await createVintages(connection, one, options.paths);
      }, [VINTAGES]);
  }
  await remembered.close();
  return { derived, published, vintages };
}

async function countRows(connection: DuckDBConnection, path: string): Promise<number> {
  return Number((await connection.runAndReadAll(`select count(*) from ${relationName(path)}`)).getRows()[0]?.[0]);
}

export async function loadDerivedCatalogue(connection: DuckDBConnection, derived: readonly DerivedIndicator[]): Promise<void> {
  await connection.run(
    'create or replace table reference.derived_catalogue (slug varchar, dataset_no integer, family varchar, method varchar)',
  );
  for (const { slug, datasetNo, family, method } of derived) {
    await connection.run('insert into reference.derived_catalogue values ($1, $2, $3, $4)', [slug, datasetNo, family, method]);
  }
}

// NFKC is not among DuckDB's functions.
export async function normaliseAliases(connection: DuckDBConnection): Promise<void> {
  const aliases = await connection.runAndReadAll('select distinct alias from series.alias_texts order by alias');
  await connection.run('create or replace table series.alias_normals (alias varchar, alias_normalized varchar)');
  const appender = await connection.createAppender('alias_normals', 'series');
  for (const [alias] of aliases.getRows()) {
    appender.appendVarchar(String(alias));
    appender.appendVarchar(normaliseAlias(String(alias)));
    appender.endRow();
  }
  appender.closeSync();
}

async function check(connection: DuckDBConnection): Promise<void> {
  for (const name of CHECKS) {
    const result = await connection.runAndReadAll(`select * from (${sqlText(`checks/${name}.sql`)}) limit 3`);
    const rows = result.getRowObjects();
    if (rows.length === 0) continue;
    const shown = rows.map((row) =>
      JSON.stringify(Object.fromEntries(Object.entries(row).map(([key, value]) => [key, toText(toValue(value))]))),
    );
    throw new SnapshotCheckError(
      `The check ${name} found rows, so this snapshot is not published; the current one stays. First rows: ${shown.join(' ')}`,
    );
  }
}

/** All of them never stand in memory: each dataset is sorted and written by itself, then they are read from their files. */
async function createVintages(connection: DuckDBConnection, relation: Relation, paths: SnapshotPaths): Promise<readonly WrittenFile[]> {
  await createRelation(connection, relation);
  const written = await writeVintages(connection, paths);
  const earlier = written.filter(({ isNew }) => !isNew).map(({ resource }) => resource);
  await verifyFiles(paths, earlier, 'The new snapshot shares a file with earlier ones');
  const files = written.map(({ resource }) => quote(join(paths.root, resource.path))).join(', ');
  await connection.run(`create or replace view ${relationName(relation.path)} as from read_parquet([${files}])`);
  return written;
}

/** One file per dataset: a night that brings nothing new for a source leaves that source's file as it is. */
async function writeVintages(connection: DuckDBConnection, paths: SnapshotPaths): Promise<WrittenFile[]> {
  const datasets = await connection.runAndReadAll(`
    select series.series_no >> 20 as dataset_no, if(is_derived, series.canonical_id, series.source_id) as dataset, bool_and(is_redistributable) as is_redistributable
    from published.series group by all order by all`);
  const written: WrittenFile[] = [];
  if (datasets.getRows().length === 0) return [await writeTable(connection, paths, 'vintages')];
  for (const [datasetNo, dataset, isRedistributable] of datasets.getRows()) {
    written.push(
      await writeFile(connection, paths, {
        name: 'vintages',
        select: `select * from published.vintages where ${ofDataset(Number(datasetNo))} order by ${VINTAGE_ORDER}`,
        partition: { dataset: String(dataset), dataset_no: Number(datasetNo) },
        rights: { redistributable: isRedistributable === true, note: 'Rights are per series: published.series.is_redistributable.' },
      }),
    );
  }
  return written;
}

/** As a range, by which a scan leaves out what it need not read. */
function ofDataset(datasetNo: number): string {
  return `series_no between ${datasetNo * 2 ** 20} and ${(datasetNo + 1) * 2 ** 20 - 1}`;
}

/** The manifest of the relations that stand in the engine and the files written from them. */
export async function describeSnapshot(connection: DuckDBConnection, resources: readonly Resource[], version: string): Promise<Manifest> {
  const one = async (sql: string) => toValue((await connection.runAndReadAll(sql)).getRows()[0]?.[0] ?? null);
  const count = async (sql: string) => Number((await one(sql)) ?? 0);
  const cutoff = await one('select knowledge_cutoff()');
  if (typeof cutoff !== 'string') throw new Error('The lake has no run yet: collect and normalise something first.');
  const sources = await connection.runAndReadAll(
    'select source_id, name, homepage_url, license, license_url from reference.sources order by source_no',
  );
  const rows = sources.getRows().map((row) => row.map((cell) => (cell === null ? '' : String(cell))));
  const hash = contentHash(resources);
  const snapshotId = snapshotIdOf(hash);
  return {
    profile: 'data-package',
    name: 'asof',
    id: snapshotId,
    version,
    created: cutoff,
    snapshotId,
    previousSnapshotId: null,
    knowledgeCutoff: cutoff,
    schemaVersion: SCHEMA_VERSION,
    contentHash: hash,
    lastChangeSequence: await count('select max(change_sequence) from published.vintages'),
    counts: {
      entities: await count('select count(*) from published.entities'),
      countries: await count('select count(*) from published.countries'),
      indicators: await count('select count(*) from published.series'),
      observations: await count('select count(*) from published.vintages where known_to is null'),
      vintages: await count('select count(*) from published.vintages'),
      companies: await count("select count(*) from published.entities where entity_type = 'company'"),
      events: await count('select count(*) from published.events where known_to is null'),
    },
    licenses: rows.map(([name = '', , , title = '', path = '']) => ({ name, title, path })),
    sources: rows.map(([sourceId = '', title = '', path = '']) => ({ sourceId, title, path })),
    resources: [...resources],
  };
}

/** Names of files that no manifest in `kept` lists. */
export async function unlistedFiles(paths: SnapshotPaths, kept: readonly Manifest[]): Promise<string[]> {
  const listed = new Set(kept.flatMap((manifest) => manifest.resources.map((resource) => resource.path.replace('files/', ''))));
  return (await readdir(paths.files)).filter((name) => !listed.has(name));
}
