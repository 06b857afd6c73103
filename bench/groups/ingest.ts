// Publishers' bytes → lake: collected, archived and read as in a night, for a source that DuckDB reads (one CSV per vintage, a column per series) and for one that
// JavaScript reads (one CSV of real-time periods). For comparison DuckDB reads the same files and writes Parquet. Each in its own process, small and four
// times as large.
import { fork } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { quote } from '../../src/db/connect.ts';
import { drawn } from '../measure.ts';
import { ownFolder } from '../generate.ts';
import type { Ingested, IngestOrder } from '../ingest.ts';
import type { Group, Measure } from '../figures.ts';
import { SIZES } from '../sizes.ts';

const LARGER = 4;
const SERIES = join(import.meta.dirname, '../../data/reference/series.csv');
/** Rows of the small one: for FRED-MD a share of the lake's size, for the other file as many as take about the same time. */
const rowsOf = (size: number) => ({ fred_md: Math.min(size / 2, SIZES.medium / 2), fred: Math.min(size / 10, SIZES.medium / 40) });

const READ = { fred_md: 'through DuckDB', fred: 'through JavaScript' } as const;
export type Read = keyof typeof READ;

export async function ingest(size: number): Promise<Group> {
  const folder = await ownFolder();
  try {
    const measures: Measure[] = [];
    for (const source of ['fred_md', 'fred'] as const)
      measures.push(...(await ingestOf(source, rowsOf(size)[source], join(folder, source))));
    return { name: 'ingest', of: "publishers' files → lake, in rows of the lake", figures: [], measures };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function ingestOf(source: Read, rows: number, folder: string): Promise<Measure[]> {
  const name = READ[source];
  const found = [];
  for (const count of [rows, rows * LARGER]) {
    const mirror = join(folder, String(count), 'mirror');
    await FILES[source](mirror, count);
    const order = { source, mirror, dataDir: join(folder, String(count), 'data') };
    const [ours, theirs] = [await readInOwnProcess({ by: 'asof', ...order }), await readInOwnProcess({ by: 'duckdb', ...order })];
    if (!isDeepStrictEqual(ours.checksum, theirs.checksum))
      throw new Error(
        `asof and DuckDB read something else from the files of ${source}: ${ours.checksum.join(', ')} / ${theirs.checksum.join(', ')}`,
      );
    found.push({ count: Number(ours.checksum[0]), ours, theirs });
    await rm(join(folder, String(count)), { recursive: true, force: true });
  }
  const [small, large] = found;
  if (small === undefined || large === undefined) throw new Error('nothing was read');
  const rate = (one: Ingested) => large.count / one.seconds;
  return [
    { name: `${name}: rows`, value: large.count, unit: 'rows' },
    { name: `${name}: rows/s`, value: rate(large.ours), unit: 'rows/s' },
    { name: `${name}: rows/s of DuckDB alone`, value: rate(large.theirs), unit: 'rows/s' },
    { name: `${name}: rows/s ÷ those of DuckDB alone`, value: rate(large.ours) / rate(large.theirs), unit: '×' },
    { name: `${name}: peak memory`, value: large.ours.peakMb, unit: 'MB' },
    { name: `${name}: peak memory of DuckDB alone`, value: large.theirs.peakMb, unit: 'MB' },
    { name: `${name}: peak memory, larger ÷ small`, value: large.ours.peakMb / small.ours.peakMb, unit: '×' },
  ];
}

function readInOwnProcess(order: IngestOrder): Promise<Ingested> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('../ingest.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    let found: Ingested | null = null;
    child.on('message', (message) => {
      found = message as Ingested;
    });
    child.on('error', reject);
    child.on('exit', (code) =>
      found === null ? reject(new Error(`reading ${order.source} by ${order.by} ended with ${code}`)) : resolve(found),
    );
    child.send(order);
  });
}

/** Monthly series of a source, one code of each. */
async function codesOf(source: string): Promise<readonly string[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const found = await connection.runAndReadAll(`
    select min(series_code) from read_csv(${quote(SERIES)}, all_varchar = true)
    where source_id = ${quote(source)} and frequency = 'monthly' group by canonical_id, entity_id order by all`);
  connection.closeSync();
  instance.closeSync();
  return found.getRows().map(([code]) => String(code));
}

const FILES: Readonly<Record<Read, (mirror: string, rows: number) => Promise<void>>> = {
  fred_md: writeVintages,
  fred: writeRealTime,
};

const FIRST_YEAR = 1960;
const FIRST_VINTAGE = 2005;

/** One file per vintage, like FRED-MD: every value differs from the previous month. */
async function writeVintages(mirror: string, rows: number): Promise<void> {
  const codes = await codesOf('fred_md');
  const noise = drawn(41, 1000);
  for (let [written, vintage] = [0, 0]; written < rows; vintage += 1) {
    const months = (FIRST_VINTAGE - FIRST_YEAR) * 12 + vintage;
    const lines = [`sasdate,${codes.join(',')}`, `Transform:,${codes.map(() => 1).join(',')}`];
    for (let month = 0; month < months; month += 1) {
      const cells = codes.map((_, place) => (100 + place + month * 0.2 + (vintage + noise.next().value / 1000) * 0.01).toFixed(5));
      lines.push(`${(month % 12) + 1}/1/${FIRST_YEAR + Math.floor(month / 12)},${cells.join(',')}`);
    }
    const name = `${FIRST_VINTAGE + Math.floor(vintage / 12)}-${String((vintage % 12) + 1).padStart(2, '0')}`;
    await writeTo(join(mirror, 'fred-md', `${name}.csv`), `${lines.join('\n')}\n`);
    written += months * codes.length;
  }
}

const MONTHS = 600;
const DAY_MS = 86_400_000;

/** One file per series, like ALFRED with all real-time periods: for each month the first print and its revisions, a day apart. */
async function writeRealTime(mirror: string, rows: number): Promise<void> {
  const [code = ''] = await codesOf('fred');
  const revisions = Math.ceil(rows / MONTHS);
  const lines = [`date,realtime_start,realtime_end,${code}`];
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  for (let month = 0; month < MONTHS; month += 1) {
    const first = Date.UTC(FIRST_YEAR, month + 1, 20);
    for (let revision = 0; revision < revisions; revision += 1) {
      const begin = first + revision * DAY_MS;
      const end = revision + 1 < revisions ? dayOf(begin) : '9999-12-31';
      lines.push(
        `${dayOf(Date.UTC(FIRST_YEAR, month, 1))},${dayOf(begin)},${end},${(100 + month * 0.2 + (revision % 10) / 1000).toFixed(3)}`,
      );
    }
  }
  await writeTo(join(mirror, 'alfred-realtime', `${code}.csv`), `${lines.join('\n')}\n`);
}

async function writeTo(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
