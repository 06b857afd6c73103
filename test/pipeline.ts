// A lake and its snapshots in a temporary folder, built by the real steps from payloads given as path → body, with a clock in hand.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pino } from 'pino';
import { collect, type CollectReport } from '../jobs/collect.ts';
import { derive, type DeriveReport } from '../jobs/derive.ts';
import { normalise, type SourceReport } from '../jobs/normalise.ts';
import { openWorkspace, type Workspace } from '../jobs/workspace.ts';
import { openWriter } from '../src/db/connect.ts';
import { toValue, type Value } from '../src/db/rows.ts';
import { LAKE_TABLE_NAMES } from '../src/lake/layout.ts';
import type { Manifest } from '../src/model/manifest.ts';
import { readCurrent, type SnapshotPaths, snapshotPaths } from '../src/snapshot/manifest.ts';
import { publish, type PublishReport } from '../src/snapshot/build/publish.ts';
import type { Step } from '../src/snapshot/build/relations.ts';
import { openSnapshot, type SnapshotReader } from '../src/snapshot/serving/reader.ts';
import { sources } from '../src/sources/index.ts';
import type { Source } from '../src/sources/source.ts';
import { isLong } from './suite.ts';
import type { VintageFilters } from '../src/queries/reads/rows.ts';
import { selectSeries, type SeriesFilters } from '../src/queries/series-asked.ts';
import { listVintages } from './reads.ts';

export const REAL_DATA = process.env['REAL_DATA_DIR'] ?? '../shared/real-data';
/** A clock that stands still. */
export const STOPPED = { now: () => 0 };
export const SILENT = pino({ level: 'silent' });

export type Files = Readonly<Record<string, string | Uint8Array>>;
export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

export interface Pipeline {
  readonly options: PipelineOptions;
  readonly dataDir: string;
  readonly workspace: Workspace;
  readonly paths: SnapshotPaths;
  /** Collects and normalises; the clock stands at `at`. Only the sources that own a file take part, or those given. */
  readonly ingest: (
    files: Files,
    at: string,
    only?: readonly Source[],
  ) => Promise<{ collect: CollectReport; sources: readonly SourceReport[] }>;
  /** Derives all of it, also where nothing has changed. */
  readonly publish: () => Promise<{ derive: DeriveReport; publish: PublishReport }>;
  /** All four steps. */
  readonly run: (
    files: Files,
    at: string,
  ) => Promise<{ collect: CollectReport; sources: readonly SourceReport[]; derive: DeriveReport; publish: PublishReport }>;
  readonly current: () => Promise<Manifest>;
  /** The current snapshot, opened; closed by `remove` at the latest. */
  readonly open: () => Promise<SnapshotReader>;
  /** Rows of a statement on the lake's tables, each a view of its name. */
  readonly lake: (sql: string) => Promise<Row[]>;
  readonly remove: () => Promise<void>;
}

export interface PipelineOptions {
  readonly snapshotsKept?: number;
  readonly dataDir?: string;
  readonly referenceDir?: string;
  /** As DuckDB takes it; less than a server has unless given. */
  readonly engineMemory?: string;
  readonly steps?: readonly Step[];
}

export async function openPipeline(options: PipelineOptions = {}): Promise<Pipeline> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'asof-test-')));
  const workspace = openWorkspace({
    dataDir,
    referenceDir: options.referenceDir ?? resolve(import.meta.dirname, '../data/reference'),
    engineThreads: isLong ? 2 : 1,
    engineMemory: options.engineMemory ?? '600MB',
    snapshotsKept: options.snapshotsKept ?? 5,
  });
  const paths = snapshotPaths(dataDir);
  const opened = new Set<SnapshotReader>();

  const ingest: Pipeline['ingest'] = async (files, at, only) => {
    const mirror = await mkdtemp(join(tmpdir(), 'asof-mirror-'));
    await writeFiles(mirror, files);
    const taking = only ?? sources.filter((source) => Object.keys(files).some((path) => source.owns(path)));
    const lake = await workspace.openLake();
    try {
      const effects = { now: () => Date.parse(at), log: SILENT };
      const collected = await collect(taking, workspace.archive, mirror, effects);
      const reports = await normalise(taking, workspace.archive, lake, effects, {
        referenceDir: workspace.referenceDir,
        codeRevision: 'test',
      });
      return { collect: collected, sources: reports };
    } finally {
      await lake.close();
      await rm(mirror, { recursive: true, force: true });
    }
  };
  const publishAll = async () => {
    await rm(join(dataDir, 'derived-cache', 'last-build.json'), { force: true });
    return {
      derive: await derive(workspace, STOPPED, undefined, options.steps),
      publish: await publish(paths, workspace.snapshotsKept),
    };
  };
  const current = async () => {
    const manifest = await readCurrent(paths);
    if (manifest === null) throw new Error('nothing is published');
    return manifest;
  };

  return {
    options,
    dataDir,
    workspace,
    paths,
    ingest,
    publish: publishAll,
    run: async (files, at) => ({ ...(await ingest(files, at)), ...(await publishAll()) }),
    current,
    async open() {
      const reader = await openSnapshot(paths, await current(), {
        limits: workspace.limits('serve'),
        connections: 1,
        isEveryRowChecked: true,
      });
      opened.add(reader);
      return reader;
    },
    lake: (sql) => queryLake(workspace, sql),
    async remove() {
      for (const reader of opened) reader.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export async function writeFiles(root: string, files: Files): Promise<void> {
  for (const [path, body] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), body);
  }
}

async function queryLake(workspace: Workspace, sql: string): Promise<Row[]> {
  const engine = await openWriter(workspace.limits('test'));
  try {
    for (const table of LAKE_TABLE_NAMES) {
      const files = join(workspace.dataDir, 'lake', table, '*/*.parquet');
      await engine.connection.run(
        `create view ${table} as from read_parquet('${files}', union_by_name = true, hive_partitioning = true, hive_types_autocast = false)`,
      );
    }
    const result = await engine.connection.runAndReadAll(sql);
    const names = result.columnNames();
    return result.getRows().map((row) => Object.fromEntries(names.map((name, index) => [name, toCell(toValue(row[index] ?? null))])));
  } finally {
    engine.close();
  }
}

function toCell(value: Value): Cell {
  if (typeof value === 'bigint') return value.toString();
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

const EVERY_SERIES: SeriesFilters = {
  countries: null,
  entities: null,
  indicatorIds: null,
  indicator: null,
  sourceId: null,
  provider: null,
  frequency: null,
  currency: null,
  isMacroOnly: false,
  importance: null,
  freshness: null,
  isRedistributableOnly: false,
};

export const UNFILTERED: VintageFilters = {
  asOf: null,
  observedFrom: null,
  observedTo: null,
  periodFrom: null,
  periodTo: null,
  vintage: 'latest',
  releaseNumber: null,
  backfill: null,
  numericOnly: false,
};

export interface Answer {
  readonly period: string;
  readonly value: number | null;
  readonly vintage: string;
  readonly observedAt: string;
  readonly releaseNo: number;
  readonly isRevised: boolean;
}

/** What the list query answers for the series that the filters mean, by period, then knowledge time. */
export async function ask(
  snapshot: SnapshotReader,
  series: Partial<SeriesFilters>,
  vintages: Partial<VintageFilters> = {},
): Promise<readonly Answer[]> {
  const chosen = selectSeries(snapshot.catalogue, { ...EVERY_SERIES, ...series }, Date.parse(snapshot.knowledgeCutoff));
  const page = { sort: 'observed_at', order: 'asc', after: null, limit: 1_000_000 } as const;
  const { rows } = await listVintages(snapshot, chosen, { ...UNFILTERED, ...vintages }, page);
  return rows
    .map(({ period, value, vintage, observedAt, releaseNo, isRevised }) => ({ period, value, vintage, observedAt, releaseNo, isRevised }))
    .toSorted((a, b) => compare(a.period, b.period) || compare(a.observedAt, b.observedAt));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A FRED-MD vintage in the publisher's layout; a value of null is an empty cell. */
export function fredMdFile(vintage: string, columns: Readonly<Record<string, Readonly<Record<string, number | null>>>>): Files {
  const codes = Object.keys(columns);
  const months = [...new Set(codes.flatMap((code) => Object.keys(columns[code] ?? {})))].sort();
  const lines = months.map((month) => {
    const date = `${Number(month.slice(5))}/1/${month.slice(0, 4)}`;
    return [date, ...codes.map((code) => columns[code]?.[month] ?? '')].join(',');
  });
  const header = ['sasdate', ...codes].join(',');
  return { [`fred-md/${vintage}.csv`]: [header, ['Transform:', ...codes.map(() => 5)].join(','), ...lines, ''].join('\r\n') };
}

/** Real-time periods as ALFRED writes them: [date, from, to, value]. */
export function realTimeFile(name: string, code: string, rows: readonly (readonly [string, string, string, number | null])[]): Files {
  const lines = rows.map(([date, from, to, value]) => `${date},${to},${from},${value ?? ''}`);
  return { [`alfred-realtime/${name}.csv`]: ['date,realtime_end,realtime_start,' + code, ...lines, ''].join('\n') };
}
