// The raw archive of a source → a second lake, read run by run as originally: a payload's news depends on the payloads before it, so reading
// everything by time would omit rows that a later run learned first.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RawArchive, StoredPayload } from '../src/archive/raw-archive.ts';
import { quote } from '../src/db/connect.ts';
import { parquetFiles } from '../src/db/files.ts';
import { sqlText } from '../src/db/query.ts';
import { refuseDisk } from '../src/disk/disk-error.ts';
import type { Effects } from '../src/effects.ts';
import { compact } from '../src/lake/compact.ts';
import { type Lake, openLake } from '../src/lake/lake.ts';
import type { LakeTable } from '../src/lake/layout.ts';
import { loadReference } from '../src/lake/reference.ts';
import type { Source } from '../src/sources/source.ts';
import { normaliseSource, type SourceReport } from './normalise.ts';
import type { Workspace } from './workspace.ts';

/** The intact part of a lake. */
export interface WholeLake {
  readonly lake: Lake;
  readonly lost: ReadonlySet<string>;
  /** Intact files of a table, of one source or of all. */
  readonly filesOf: (table: LakeTable, sourceId: string) => Promise<readonly string[]>;
  /** A temporary view of them in the lake's engine, with the columns of the table if there are none. */
  readonly view: (name: string, table: LakeTable, sourceId: string) => Promise<void>;
}

interface ReplayedRun {
  readonly readAt: string;
  /** The change numbers that the run used in the second lake; none if the last is before the first. */
  readonly firstNumber: number;
  readonly lastNumber: number;
}

export interface Replay {
  readonly beside: Lake;
  readonly runs: readonly ReplayedRun[];
}

/** A payload cannot be read as it was then. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
}

interface Run {
  readonly readAt: string;
  readonly version: number;
}

/** After this many runs the small files of the second lake are merged. */
const RUNS_A_FILE = 40;

/**
 * @param companies rebuilt files of companies, by source, which are not in the lake yet
 * @param use the work on the second lake, which is removed afterwards
 */
export async function replay<Result>(
  source: Source,
  whole: WholeLake,
  workspace: Workspace,
  effects: Pick<Effects, 'log'>,
  companies: ReadonlyMap<string, string>,
  use: (replay: Replay) => Promise<Result>,
): Promise<Result> {
  const root = join(whole.lake.paths.staging, `mend-${source.id}`);
  const payloads = await workspace.archive.list(source.id);
  const { runs, readAt } = await runsOf(source, whole, payloads);
  const beside = await openLake(root, workspace.limits('mend'));
  try {
    await loadReference(beside.connection, workspace.referenceDir);
    const lend = await lender(beside, source, whole, companies);
    const wasRead = await readBefore(source, whole);
    const options = { referenceDir: workspace.referenceDir, codeRevision: workspace.version, reader: workspace.reader };
    const log = effects.log.child({}, { level: 'silent' }); // The original run reported its own failures.
    const replayed: ReplayedRun[] = [];
    for (const [index, run] of runs.entries()) {
      await lend(run.readAt);
      const there = payloads.filter(({ payloadId }) => (readAt.get(payloadId) ?? '~') <= run.readAt);
      const then = { now: () => Date.parse(run.readAt), log };
      const firstNumber = beside.lastChangeSequence() + 1;
      const report = await normaliseSource(
        { ...source, version: run.version },
        archiveOf(workspace.archive, there),
        beside,
        then,
        options,
      ).catch((error: unknown) => {
        refuseDisk(error);
        throw new ReplayError(error instanceof Error ? error.message : String(error), { cause: error });
      });
      refuseFailure(report, wasRead);
      replayed.push({ readAt: run.readAt, firstNumber, lastNumber: beside.lastChangeSequence() });
      if (index % RUNS_A_FILE === RUNS_A_FILE - 1) await compact(beside, run.readAt, { moreThan: RUNS_A_FILE / 2, smallBytes: Infinity });
    }
    return await use({ beside, runs: replayed });
  } finally {
    await beside.close();
    await rm(root, { recursive: true, force: true });
  }
}

/** The runs that read the source, and for each payload the first of them. */
async function runsOf(source: Source, whole: WholeLake, payloads: readonly StoredPayload[]) {
  const { connection } = whole.lake;
  for (const table of ['ingestions', 'observations', 'quarantine', 'attempts'] as const)
    await whole.view(`whole_${table}`, table, source.id);
  const rows = JSON.stringify(payloads.map(({ payloadId, retrievedAt }) => ({ payload_id: payloadId, retrieved_at: retrievedAt })));
  await connection.run(`create or replace temp table archived as
    select payload.payload_id, payload.retrieved_at::timestamptz as retrieved_at
    from (select unnest(from_json(${quote(rows)}, '[{"payload_id": "VARCHAR", "retrieved_at": "VARCHAR"}]')) as payload)`);
  await connection.run(`set variable are_runs_lost = ${areRunsLost(source, whole)}`);
  await connection.run(`create or replace temp table readings as ${sqlText('mending/readings.sql')}`);
  const runs = await connection.runAndReadAll(sqlText('mending/runs.sql'));
  const readings = await connection.runAndReadAll(
    `select payload_id, strftime(read_at at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ') from readings`,
  );
  return {
    runs: runs.getRows().map(([readAt, version]): Run => ({ readAt: String(readAt), version: Number(version ?? source.version) })),
    readAt: new Map(readings.getRows().map(([payloadId, readAt]) => [String(payloadId), String(readAt)])),
  };
}

/** The archive as it was for a run. */
function archiveOf(archive: RawArchive, payloads: readonly StoredPayload[]): RawArchive {
  return { ...archive, list: async () => [...payloads], lastCollection: async () => null };
}

/** The parts of the lake that reading the source needs, as of a moment: the decisions on its findings, and the companies from other sources. */
async function lender(beside: Lake, source: Source, whole: WholeLake, companies: ReadonlyMap<string, string>) {
  const loans: {
    readonly table: LakeTable;
    readonly sourceId: string;
    readonly from: string;
    readonly at: string;
    readonly moments: string[];
  }[] = [];
  const add = async (table: LakeTable, sourceId: string, at: string, files: readonly string[]) => {
    if (files.length === 0) return;
    const from = readOf(files);
    const found = await beside.connection.runAndReadAll(
      `select distinct strftime(${at} at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ') as moment from ${from} order by moment`,
    );
    loans.push({ table, sourceId, from, at, moments: found.getRows().map(([moment]) => String(moment)) });
  };
  await add('resolutions', source.id, 'resolved_at', await whole.filesOf('resolutions', source.id));
  const bringers = (await whole.filesOf('companies', '*')).map((file) => /source_id=(?<id>[^/]+)/.exec(file)?.groups?.['id'] ?? '');
  for (const id of [...new Set([...bringers, ...companies.keys()])].toSorted()) {
    const again = companies.get(id);
    if (id === source.id) continue;
    await add('companies', id, 'retrieved_at', [...(await whole.filesOf('companies', id)), ...(again === undefined ? [] : [again])]);
    // They name the file behind a ticker: the list counts before the file of a filer.
    await add('ingestions', id, 'retrieved_at', await whole.filesOf('ingestions', id));
  }
  return async (readAt: string) => {
    for (const { table, sourceId, from, at, moments } of loans) {
      const due = moments.filter((moment) => moment <= readAt);
      moments.splice(0, due.length);
      const [first, last] = [due[0], due.at(-1)];
      if (first === undefined || last === undefined) continue;
      const select = `from ${from} where date_trunc('milliseconds', ${at}) between ${quote(first)}::timestamptz and ${quote(last)}::timestamptz`;
      await beside.commit(sourceId, readAt, [{ table, select }]);
    }
  };
}

const areRunsLost = (source: Source, { lost }: WholeLake): boolean =>
  [...lost].some((path) => path.startsWith(`ingestions/source_id=${source.id}/`));

/** True if intact files show that a payload was read; if that record is lost, true unless one of them shows a failure. */
async function readBefore(source: Source, whole: WholeLake): Promise<(payloadId: string) => boolean> {
  const idsIn = async (select: string) => new Set((await whole.lake.connection.runAndReadAll(select)).getRows().map(([id]) => String(id)));
  const read = await idsIn(`select distinct payload_id from whole_ingestions where status = 'ok'`);
  if (!areRunsLost(source, whole)) return (id) => read.has(id);
  const failed = await idsIn(
    `select distinct payload_id from whole_quarantine where rule = 'schema_drift' and series_code is null and field_path is null`,
  );
  return (id) => read.has(id) || !failed.has(id);
}

function refuseFailure({ payloads }: Pick<SourceReport, 'payloads'>, wasRead: (payloadId: string) => boolean): void {
  const broken = payloads.find(({ payloadId, error }) => error !== null && wasRead(payloadId));
  if (broken !== undefined) throw new ReplayError(`${broken.key} of the raw archive cannot be read as it was: ${broken.error}`);
}

export function readOf(files: readonly string[]): string {
  return parquetFiles(files, { isByName: true });
}
