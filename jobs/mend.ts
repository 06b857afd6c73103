// Damaged files of the lake → the same rows, made again from the raw archive: the source is read anew beside the lake, and what the lake lost of it is
// put back in one commit. A row that is put back has its number of change and its time of ingestion, as far as what is whole still tells them.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { quote } from '../src/db/connect.ts';
import { sqlText } from '../src/db/query.ts';
import type { Effects } from '../src/effects.ts';
import { type CommitOptions, type Lake, openLake, type StagedFile } from '../src/lake/lake.ts';
import { LakeDamageError } from '../src/lake/ledger.ts';
import { isRecordTable, LAKE_TABLE_NAMES, type LakeTable, RECORD_TABLES } from '../src/lake/layout.ts';
import { type Damage, strangerText, verifyLake } from '../src/lake/verified.ts';
import { sources as allSources } from '../src/sources/index.ts';
import type { Source } from '../src/sources/source.ts';
import { normalise } from './normalise.ts';
import type { Workspace } from './workspace.ts';

export interface MendedFile {
  readonly path: string;
  readonly problem: Damage['problem'];
  /** Rows that the file held. */
  readonly rows: number;
}

/** What an operator decided, or what happened once: no payload says it. */
const NOT_ARCHIVED: readonly LakeTable[] = ['resolutions', 'attempts', 'fetches'];

interface DamagedFile extends Damage {
  readonly table: LakeTable;
  readonly sourceId: string;
  readonly rows: number;
}

/**
 * Verifies the lake and mends what is damaged.
 * @param chosen sources that take part in the run; damage is mended of the others too
 * Throws a LakeDamageError that names what cannot be mended, and what to do.
 */
export async function mendLake(
  lake: Lake,
  workspace: Workspace,
  chosen: readonly Source[],
  effects: Pick<Effects, 'now' | 'log'>,
): Promise<readonly MendedFile[]> {
  const at = () => new Date(effects.now()).toISOString();
  const sources = [...chosen, ...allSources.filter(({ id }) => !chosen.some((one) => one.id === id))];
  const gap = lake.recordGap();
  if (gap !== null) {
    await lake.commit('asof', at(), [], { isList: true });
    effects.log.warn({ problem: gap.message }, 'the records of the lake were damaged; what it holds is recorded anew');
  }
  const { damages } = await verifyLake(lake.paths.root, { now: effects.now() });
  const damaged = damages.map(described);
  const names = sources.map(({ id }) => id);
  // Tickers are looked up among the companies, which one source brings to all.
  const order = (sourceId: string) => (damaged.some((one) => one.sourceId === sourceId && one.table === 'companies') ? 0 : 1);
  const ids = [...new Set(damaged.map(({ sourceId }) => sourceId))].toSorted(
    (a, b) => order(a) - order(b) || names.indexOf(a) - names.indexOf(b),
  );
  for (const sourceId of ids) {
    const own = damaged.filter((one) => one.sourceId === sourceId);
    const source = sources.find(({ id }) => id === sourceId);
    if (source === undefined) throw unmendable(own, `there is no source ${sourceId} that could read it from the raw archive`);
    await mendSource(lake, workspace, source, own, damaged, effects);
    for (const { path, problem } of own)
      effects.log.warn({ file: `lake/${path}`, problem }, 'damaged file made again from the raw archive');
  }
  return damaged.map(({ path, problem, rows }) => ({ path: `lake/${path}`, problem, rows }));
}

function described(damage: Damage): DamagedFile {
  const table = LAKE_TABLE_NAMES.find((name) => damage.path.startsWith(`${name}/`));
  const sourceId = /\/source_id=(?<id>[^/]+)\//.exec(damage.path)?.groups?.['id'];
  if (damage.file === null || table === undefined || sourceId === undefined) throw new LakeDamageError(strangerText(damage.path));
  const one = { ...damage, table, sourceId, rows: damage.file.rows };
  if (NOT_ARCHIVED.includes(table)) throw unmendable([one], 'the raw archive does not hold what it said');
  return one;
}

function unmendable(damaged: readonly DamagedFile[], why: string): LakeDamageError {
  const files = damaged.map(({ path, problem }) => `lake/${path} (${problem})`).join(', ');
  const paths = damaged.map(({ path }) => path).join(' ');
  return new LakeDamageError(
    `${files} cannot be made again: ${why}. Nothing is published. Bring the file back from a backup; where the loss of its rows is to be borne, run: ` +
      `npm run doctor -- --accept-loss ${paths}`,
  );
}

async function mendSource(
  lake: Lake,
  workspace: Workspace,
  source: Source,
  own: readonly DamagedFile[],
  damaged: readonly DamagedFile[],
  effects: Pick<Effects, 'now' | 'log'>,
): Promise<void> {
  const at = new Date(effects.now()).toISOString();
  const lost = new Set(damaged.map(({ path }) => path));
  const root = join(lake.paths.staging, `mend-${source.id}`);
  const beside = await openLake(root, workspace.limits('mend'));
  try {
    await lendTo(beside, lake, source, lost, at);
    const [report] = await normalise([source], workspace.archive, beside, effects, {
      referenceDir: workspace.referenceDir,
      codeRevision: workspace.version,
    });
    const failed = report?.payloads.filter(({ error }) => error !== null) ?? [];
    const wasRead = await readBefore(lake, source, lost);
    const broken = failed.find(({ payloadId }) => wasRead === null || wasRead.has(payloadId));
    if (broken !== undefined) throw unmendable(own, `${broken.key} of the raw archive cannot be read as it was: ${broken.error}`);
    await putBack(lake, beside, source, own, { lost, at });
  } finally {
    await beside.close();
    await rm(root, { recursive: true, force: true });
  }
}

/** What reading the source needs of the lake: the decisions on its findings, and the companies that others brought. */
async function lendTo(beside: Lake, lake: Lake, source: Source, lost: ReadonlySet<string>, at: string): Promise<void> {
  const lend = async (table: LakeTable, sourceId: string) => {
    const files = await wholeFiles(lake, table, sourceId, lost);
    if (files.length > 0) await beside.commit(sourceId, at, [{ table, select: `from ${readOf(files)}` }]);
  };
  await lend('resolutions', source.id);
  const found = await lake.connection.runAndReadAll(
    `select distinct regexp_extract(file, 'source_id=([^/]+)/', 1) as id from glob(${quote(lake.paths.glob('companies'))}) order by id`,
  );
  for (const id of found.getRows().map(([name]) => String(name))) if (id !== source.id && id !== 'none') await lend('companies', id);
}

/** Payloads that stand as read in what is whole; null where a record of them is lost. */
async function readBefore(lake: Lake, source: Source, lost: ReadonlySet<string>): Promise<ReadonlySet<string> | null> {
  if ([...lost].some((path) => path.startsWith(`ingestions/source_id=${source.id}/`))) return null;
  const files = await wholeFiles(lake, 'ingestions', source.id, lost);
  if (files.length === 0) return new Set();
  const read = await lake.connection.runAndReadAll(`select distinct payload_id from ${readOf(files)} where status = 'ok'`);
  return new Set(read.getRows().map(([id]) => String(id)));
}

async function putBack(
  lake: Lake,
  beside: Lake,
  source: Source,
  own: readonly DamagedFile[],
  { lost, at }: { readonly lost: ReadonlySet<string>; readonly at: string },
): Promise<void> {
  const { connection } = lake;
  const view = async (name: string, table: LakeTable, from: readonly string[]) => {
    const empty = join(lake.paths.root, lake.paths.emptyFile(table));
    await connection.run(`create or replace temp view ${name} as from ${readOf([empty, ...from])}`);
  };
  await connection.run(`set variable mended_at = ${quote(at)}`);
  await connection.run(`set variable last_change_sequence = ${quote(String(lake.lastChangeSequence()))}`);
  for (const table of ['observations', 'ingestions'] as const)
    await view(`whole_${table}`, table, await wholeFiles(lake, table, source.id, lost));
  const numbersIn = async (tables: readonly LakeTable[], sourceId: string) => {
    const selects: string[] = [];
    for (const table of tables) {
      const empty = join(lake.paths.root, lake.paths.emptyFile(table));
      const found = await wholeFiles(lake, table, sourceId, lost);
      selects.push(`select payload_id, change_sequence from ${readOf([empty, ...found])}`);
    }
    return selects.join(' union all ');
  };
  await connection.run(`create or replace temp view whole_records as ${await numbersIn(RECORD_TABLES, source.id)}`);
  await connection.run(`create or replace temp view taken_numbers as ${await numbersIn(['observations', ...RECORD_TABLES], '*')}`);
  await connection.run(`create or replace temp view free_numbers as ${sqlText('mending/free_numbers.sql')}`);
  const files: StagedFile[] = [];
  let sequence = lake.lastChangeSequence();
  for (const table of new Set(own.map((one) => one.table))) {
    await view('held', table, await wholeFiles(lake, table, source.id, lost));
    await view('rebuilt', table, [beside.paths.glob(table, source.id)].slice(0, (await hasFiles(beside, table, source.id)) ? 1 : 0));
    const statement = isRecordTable(table) ? 'records' : table;
    await connection.run(`create or replace temp table mended_${table} as ${sqlText(`mending/${statement}.sql`)}`);
    const counted = await connection.runAndReadAll(`select count(*) from mended_${table}`);
    const [rows, before] = [Number(counted.getRows()[0]?.[0]), sum(own.filter((one) => one.table === table).map((one) => one.rows))];
    if (rows < before) throw unmendable(own, `the raw archive gives ${rows} of the ${before} rows that it held`);
    if (table === 'observations') {
      const highest = await connection.runAndReadAll('select coalesce(max(change_sequence), 0) from mended_observations');
      sequence = Math.max(sequence, Number(highest.getRows()[0]?.[0]));
    }
    files.push({ table, select: `from mended_${table}` });
  }
  const options: CommitOptions = { removes: own.map(({ path }) => path), lastChangeSequence: sequence };
  await lake.commit(source.id, at, files, options);
  for (const { table } of files) await connection.run(`drop table mended_${table}`);
  for (const name of ['held', 'rebuilt', 'whole_observations', 'whole_ingestions', 'whole_records', 'free_numbers', 'taken_numbers'])
    await connection.run(`drop view ${name}`);
}

async function wholeFiles(lake: Lake, table: LakeTable, sourceId: string, lost: ReadonlySet<string>): Promise<string[]> {
  const found = await lake.connection.runAndReadAll(`select file from glob(${quote(lake.paths.glob(table, sourceId))}) order by file`);
  const empty = join(lake.paths.root, lake.paths.emptyFile(table));
  return found
    .getRows()
    .map(([file]) => String(file))
    .filter((file) => file !== empty && !lost.has(file.slice(lake.paths.root.length + 1)));
}

async function hasFiles(lake: Lake, table: LakeTable, sourceId: string): Promise<boolean> {
  return (await wholeFiles(lake, table, sourceId, new Set())).length > 0;
}

function readOf(files: readonly string[]): string {
  return `read_parquet([${files.map(quote).join(', ')}], union_by_name = true, hive_partitioning = false)`;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
