// Damaged files of the lake → the same rows, rebuilt from the raw archive. Each source is read again into a second lake; the lost rows of all sources are
// numbered together and restored in one commit per source. A restored row keeps its change number and its time of ingestion, if intact
// files still have them.
import { join } from 'node:path';
import { quote } from '../src/db/connect.ts';
import { sqlText } from '../src/db/query.ts';
import type { Effects } from '../src/effects.ts';
import { sortKey } from '../src/lake/compact.ts';
import type { Lake, StagedFile } from '../src/lake/lake.ts';
import { LakeDamageError } from '../src/lake/ledger.ts';
import { isRecordTable, LAKE_TABLE_NAMES, type LakeTable, RECORD_TABLES } from '../src/lake/layout.ts';
import { type Damage, strangerText, verifyLake } from '../src/lake/verified.ts';
import { sources as allSources } from '../src/sources/index.ts';
import type { Source } from '../src/sources/source.ts';
import { readOf, replay, type Replay, ReplayError, type WholeLake } from './replay.ts';
import type { Workspace } from './workspace.ts';

export interface MendedFile {
  readonly path: string;
  readonly problem: Damage['problem'];
  /** Rows that the file held. */
  readonly rows: number;
}

/** An operator's decision, or a one-time event, which no payload contains. */
const NOT_ARCHIVED: readonly LakeTable[] = ['resolutions', 'attempts', 'fetches'];

interface DamagedFile extends Damage {
  readonly table: LakeTable;
  readonly sourceId: string;
  readonly rows: number;
}

/** A source with damaged files. */
interface Mending {
  /** Its place in the order in which a run reads the sources. */
  readonly sourceNo: number;
  readonly sourceId: string;
  readonly own: readonly DamagedFile[];
  readonly tables: readonly LakeTable[];
}

/**
 * Verifies the lake and repairs the damage.
 * @param chosen sources of the run; other sources are repaired too
 * Throws a LakeDamageError that names the files without a repair, and the remedy.
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
    effects.log.warn({ problem: gap.message }, 'the records of the lake were damaged and were rebuilt');
  }
  const { damages } = await verifyLake(lake.paths.root, { now: effects.now() });
  const damaged = damages.map(described);
  const names = sources.map(({ id }) => id);
  // Tickers are looked up among the companies, which one source supplies to all.
  const order = (sourceId: string) => (damaged.some((one) => one.sourceId === sourceId && one.table === 'companies') ? 0 : 1);
  const ids = [...new Set(damaged.map(({ sourceId }) => sourceId))].toSorted(
    (a, b) => order(a) - order(b) || names.indexOf(a) - names.indexOf(b),
  );
  const whole = wholeLake(lake, new Set(damaged.map(({ path }) => path)));
  const mendings: Mending[] = [];
  const companies = new Map<string, string>();
  if (ids.length > 0) await forgetLosses(lake);
  for (const sourceId of ids) {
    const own = damaged.filter((one) => one.sourceId === sourceId);
    const source = sources.find(({ id }) => id === sourceId);
    if (source === undefined) throw unmendable(own, `no source ${sourceId} exists to read it from the raw archive`);
    const mending: Mending = { sourceNo: names.indexOf(sourceId), sourceId, own, tables: [...new Set(own.map(({ table }) => table))] };
    await replay(source, whole, workspace, effects, companies, (read) => findLosses(whole, mending, read)).catch((error: unknown) => {
      throw error instanceof ReplayError ? unmendable(own, error.message) : error;
    });
    if (mending.tables.includes('companies')) companies.set(sourceId, await lendable(lake, mending));
    mendings.push(mending);
  }
  if (mendings.length > 0) await numberLosses(whole);
  for (const mending of mendings) {
    await putBack(lake, mending, at());
    for (const { path, problem } of mending.own)
      effects.log.warn({ file: `lake/${path}`, problem }, 'damaged file rebuilt from the raw archive');
  }
  return damaged.map(({ path, problem, rows }) => ({ path: `lake/${path}`, problem, rows }));
}

function described(damage: Damage): DamagedFile {
  const table = LAKE_TABLE_NAMES.find((name) => damage.path.startsWith(`${name}/`));
  const sourceId = /\/source_id=(?<id>[^/]+)\//.exec(damage.path)?.groups?.['id'];
  if (damage.file === null || table === undefined || sourceId === undefined) throw new LakeDamageError(strangerText(damage.path));
  const one = { ...damage, table, sourceId, rows: damage.file.rows };
  if (NOT_ARCHIVED.includes(table)) throw unmendable([one], 'the raw archive lacks its rows');
  return one;
}

function unmendable(damaged: readonly DamagedFile[], why: string): LakeDamageError {
  const files = damaged.map(({ path, problem }) => `lake/${path} (${problem})`).join(', ');
  const paths = damaged.map(({ path }) => path).join(' ');
  return new LakeDamageError(
    `${files} cannot be rebuilt: ${why}. Nothing is published. Restore the file from a backup. To give up its rows, run: ` +
      `npm run doctor -- --accept-loss ${paths}`,
  );
}

function wholeLake(lake: Lake, lost: ReadonlySet<string>): WholeLake {
  const emptyOf = (table: LakeTable) => join(lake.paths.root, lake.paths.emptyFile(table));
  const filesOf = async (table: LakeTable, sourceId: string) => {
    const found = await lake.connection.runAndReadAll(`select file from glob(${quote(lake.paths.pattern(table, sourceId))}) order by file`);
    return found
      .getRows()
      .map(([file]) => String(file))
      .filter((file) => file !== emptyOf(table) && !lost.has(file.slice(lake.paths.root.length + 1)));
  };
  const view = async (name: string, table: LakeTable, sourceId: string) => {
    const files = [emptyOf(table), ...(await filesOf(table, sourceId))];
    await lake.connection.run(`create or replace temp view ${name} as from ${readOf(files)}`);
  };
  return { lake, lost, filesOf, view };
}

const missingOf = ({ sourceNo }: Mending, table: LakeTable): string => `missing_${sourceNo}_${table}`;

/** The lost rows of all sources, and the change numbers from intact files. */
async function forgetLosses({ connection }: Lake): Promise<void> {
  await connection.run(
    'create or replace temp table lost_numbers (source_no integer, read_as bigint, read_at timestamptz, are_records boolean)',
  );
  await connection.run('create or replace temp table numbers (source_no integer, read_as bigint, change_sequence bigint)');
}

/** Rows from a new reading of the source that its intact files lack. Throws if there are fewer than were lost. */
async function findLosses(whole: WholeLake, mending: Mending, { beside, runs }: Replay): Promise<void> {
  const { lake } = whole;
  const { connection } = lake;
  const { sourceNo, sourceId, own, tables } = mending;
  const rebuilt = async (name: string, table: LakeTable) => {
    const empty = join(lake.paths.root, lake.paths.emptyFile(table));
    const found = await connection.runAndReadAll(`select file from glob(${quote(beside.paths.pattern(table, sourceId))}) order by file`);
    const files = [empty, ...found.getRows().map(([file]) => String(file))];
    await connection.run(`create or replace temp view ${name} as from ${readOf(files)}`);
  };
  for (const table of tables) {
    await whole.view('held', table, sourceId);
    await rebuilt('rebuilt', table);
    const missing = missingOf(mending, table);
    const statement = isRecordTable(table) ? 'records' : table;
    await connection.run(`create or replace temp table ${missing} as ${sqlText(`mending/${statement}.sql`)}`);
    const counted = await connection.runAndReadAll(`select count(*) from ${missing}`);
    const [rows, before] = [Number(counted.getRows()[0]?.[0]), sum(own.filter((one) => one.table === table).map((one) => one.rows))];
    if (rows < before)
      throw unmendable(
        own.filter((one) => one.table === table),
        `the raw archive has ${rows} of its ${before} rows`,
      );
  }
  const numbered = tables.filter((table) => table === 'observations' || isRecordTable(table));
  if (numbered.length === 0) return;
  const union = async (name: string, selects: readonly string[]) =>
    connection.run(`create or replace temp view ${name} as ${selects.join(' union all ')}`);
  for (const table of RECORD_TABLES) {
    await whole.view(`held_${table}`, table, sourceId);
    await rebuilt(`rebuilt_${table}`, table);
  }
  for (const side of ['held', 'rebuilt'])
    await union(
      `${side}_records`,
      RECORD_TABLES.map(
        (table) => `select '${table}' as table_name, record_hash, payload_id, retrieved_at, change_sequence from ${side}_${table}`,
      ),
    );
  const lostOf = (table: LakeTable) => (tables.includes(table) ? [`select * from ${missingOf(mending, table)}`] : []);
  await whole.view('no_observations', 'observations', 'none');
  await union('missing_observations', lostOf('observations').length > 0 ? lostOf('observations') : ['from no_observations']);
  await union('missing_records', [
    'select null::bigint as change_sequence where false',
    ...RECORD_TABLES.flatMap(lostOf).map((select) => select.replace('*', 'change_sequence')),
  ]);
  const spans = runs.map(({ readAt, firstNumber, lastNumber }) => `(${quote(readAt)}::timestamptz, ${firstNumber}, ${lastNumber})`);
  await union('replayed_runs', [`from (values ${spans.join(', ')}) as runs (read_at, first_number, last_number)`]);
  await connection.run(`create or replace temp table record_numbers as ${sqlText('mending/record_numbers.sql')}`);
  await connection.run(`insert into lost_numbers by name select ${sourceNo} as source_no, * from (${sqlText('mending/lost_numbers.sql')})`);
  await connection.run(`insert into numbers by name select ${sourceNo} as source_no, * from record_numbers`);
}

/** Sources read later look up their tickers among the companies. */
async function lendable(lake: Lake, mending: Mending): Promise<string> {
  const path = join(lake.paths.staging, `mended-companies-${mending.sourceId}.parquet`);
  await lake.connection.run(`copy ${missingOf(mending, 'companies')} to ${quote(path)} (format parquet)`);
  return path;
}

async function numberLosses({ lake, filesOf, view }: WholeLake): Promise<void> {
  const { connection } = lake;
  await connection.run(`set variable last_change_sequence = ${quote(String(lake.lastChangeSequence()))}`);
  await view('whole_ingestions', 'ingestions', '*');
  await view('whole_observations', 'observations', '*');
  const selects: string[] = [];
  for (const table of RECORD_TABLES) {
    await view(`whole_${table}`, table, '*');
    if ((await filesOf(table, '*')).length > 0) selects.push(`select payload_id, change_sequence from whole_${table}`);
  }
  await connection.run(
    `create or replace temp view whole_records as ${selects.length > 0 ? selects.join(' union all ') : 'select payload_id, change_sequence from whole_facts'}`,
  );
  await connection.run(`create or replace temp table taken_numbers as ${sqlText('mending/taken_numbers.sql')}`);
  await connection.run(`create or replace temp table free_numbers as ${sqlText('mending/free_numbers.sql')}`);
  await connection.run(`insert into numbers by name ${sqlText('mending/numbers.sql')}`);
}

async function putBack(lake: Lake, mending: Mending, at: string): Promise<void> {
  const { connection } = lake;
  const { sourceNo, sourceId, own, tables } = mending;
  await connection.run(`set variable source_no = ${sourceNo}`);
  const files: StagedFile[] = [];
  for (const table of tables) {
    const missing = missingOf(mending, table);
    const isNumbered = table === 'observations' || isRecordTable(table);
    const mended = isNumbered ? `numbered_${missing}` : missing;
    if (isNumbered) {
      await connection.run(`create or replace temp view missing as from ${missing}`);
      await connection.run(`create or replace temp table ${mended} as ${sqlText('mending/numbered.sql')}`);
      await connection.run(`drop table ${missing}`);
    }
    files.push({ table, select: `from ${mended} order by ${sortKey(table)}` });
  }
  const highest = await connection.runAndReadAll(`select coalesce(max(change_sequence), 0) from numbers where source_no = ${sourceNo}`);
  const lastChangeSequence = Math.max(lake.lastChangeSequence(), Number(highest.getRows()[0]?.[0]));
  await lake.commit(sourceId, at, files, { removes: own.map(({ path }) => path), lastChangeSequence });
  for (const { select } of files) await connection.run(`drop table ${/from (\w+)/.exec(select)?.[1]}`);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
