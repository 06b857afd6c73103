// One reading of a folder of payloads, in a process of its own that reports its memory; started by groups/ingest.ts.
import { mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { pino } from 'pino';
import { collect } from '../jobs/collect.ts';
import { normalise } from '../jobs/normalise.ts';
import { openWorkspace } from '../jobs/workspace.ts';
import { quote } from '../src/db/connect.ts';
import { parquetMatching } from '../src/db/files.ts';
import { sources } from '../src/sources/index.ts';

export interface IngestOrder {
  readonly by: 'asof' | 'duckdb';
  readonly source: 'fred_md' | 'fred';
  readonly mirror: string;
  readonly dataDir: string;
}

export interface Ingested {
  readonly seconds: number;
  readonly coreSeconds: number;
  /** Rows, their values, and their values times their months, in thousandths. */
  readonly checksum: readonly string[];
  readonly peakMb: number;
}

const REFERENCE = resolve(import.meta.dirname, '../data/reference');
const MEMORY = '600MB';

async function ingested({ by, source, mirror, dataDir }: IngestOrder): Promise<Ingested> {
  const began = performance.now();
  const written = by === 'asof' ? await throughJobs(source, mirror, dataDir) : await throughDuckDb(source, mirror, dataDir);
  const seconds = (performance.now() - began) / 1000;
  const peakMb = process.resourceUsage().maxRSS / 1024;
  const { user, system } = process.cpuUsage();
  return { seconds, coreSeconds: (user + system) / 1e6, checksum: await checksumOf(written), peakMb };
}

/** Returns the observations of the lake. */
async function throughJobs(sourceId: string, mirror: string, dataDir: string): Promise<string> {
  const workspace = openWorkspace({ dataDir, referenceDir: REFERENCE, engineThreads: 2, engineMemory: MEMORY, snapshotsKept: 2 });
  const effects = { now: () => Date.now(), log: pino({ level: 'silent' }) };
  const own = sources.filter(({ id }) => id === sourceId);
  const lake = await workspace.openLake();
  try {
    await collect(own, workspace.archive, mirror, effects);
    const [report] = await normalise(own, workspace.archive, lake, effects, { referenceDir: REFERENCE, codeRevision: 'bench' });
    if (report?.status !== 'ok') throw new Error(`${sourceId} could not be read: ${report?.error}`);
    return `select value, period_start from ${parquetMatching(lake.paths.pattern('observations', sourceId))}`;
  } finally {
    await lake.close();
  }
}

const STATEMENTS = {
  fred_md: (files: string) => `
    select parse_filename(filename, true) as vintage, series_code, strptime(sasdate, '%-m/%-d/%Y')::date as period_start, cell::double as value
    from (
      unpivot (from read_csv(${files}, all_varchar = true, header = true, filename = true, union_by_name = true) where sasdate != 'Transform:')
      on columns (* exclude (sasdate, filename)) into name series_code value cell
    )`,
  fred: (files: string) => `
    select parse_filename(filename, true) as series_code, date as period_start, realtime_start, realtime_end, value
    from read_csv(
      ${files}, header = true, filename = true,
      columns = {'date': 'date', 'realtime_start': 'date', 'realtime_end': 'date', 'value': 'double'}
    )`,
};

async function throughDuckDb(source: IngestOrder['source'], mirror: string, dataDir: string): Promise<string> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: MEMORY });
  const connection = await instance.connect();
  const [folder = ''] = await readdir(mirror);
  await mkdir(dataDir, { recursive: true });
  const file = quote(join(dataDir, 'duckdb.parquet'));
  await connection.run(`set preserve_insertion_order = false`);
  await connection.run(`copy (${STATEMENTS[source](quote(join(mirror, folder, '*.csv')))}) to ${file} (format parquet, compression zstd)`);
  connection.closeSync();
  instance.closeSync();
  return `select value, period_start from read_parquet(${file})`;
}

async function checksumOf(written: string): Promise<readonly string[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const found = await connection.runAndReadAll(`
    select count(*), sum(round(value * 1000)::hugeint), sum(round(value * 1000)::hugeint * (12 * year(period_start) + month(period_start))) from (${written})`);
  connection.closeSync();
  instance.closeSync();
  return (found.getRows()[0] ?? []).map(String);
}

process.on('message', (order: IngestOrder) => {
  void ingested(order).then((found) => {
    process.send?.(found);
    process.disconnect();
  });
});
