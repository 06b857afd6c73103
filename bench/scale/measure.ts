// npm run scale -- measure: the costs of lakes of several sizes, step by step, each step in a process of its own.
import { fork } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Series, toCatalogue } from '../../src/model/catalogue.ts';
import { readCurrent, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { generatedLake, ownFolder, unbuiltLake } from '../generate.ts';
import { asof } from '../groups/http.ts';
import { FILES, type Read, readInOwnProcess } from '../groups/ingest.ts';
import { startService } from '../process.ts';
import { openServed } from '../subject.ts';
import { runConditions } from '../results.ts';
import type { Cost, Point, Source, Unit } from './costs.ts';
import type { StepDone, StepName } from './step.ts';

type OnProgress = (text: string) => void;
interface Figure {
  readonly name: string;
  readonly unit: Unit;
  readonly over: Cost['over'];
  readonly point: Point;
}

/** Ingest is measured over rows of a file: for DuckDB's reader as many as the lake has, for the other a tenth, which takes about as long. */
const ROWS_OF: Readonly<Record<Read, (vintages: number) => number>> = {
  fred_md: (vintages) => vintages,
  fred: (vintages) => vintages / 10,
};
const READ_AS: Readonly<Record<Read, string>> = { fred_md: 'ingest through DuckDB', fred: 'ingest through JavaScript' };

export const MEASURED = ['ingest', 'lake', 'answers', 'catalogue'] as const;
export type Measured = (typeof MEASURED)[number];

/** @param keep called with the costs after each size, so that an interrupted run leaves its results */
export async function measure(
  { sizes, only }: { readonly sizes: readonly number[]; readonly only: readonly Measured[] },
  keep: (costs: Readonly<Record<string, Cost>>) => Promise<void>,
  onProgress: OnProgress,
): Promise<void> {
  const { measuredAt, commit, machine } = await runConditions(new Date());
  const figures: Figure[] = [];
  let busiest = 0;
  for (const size of sizes) {
    for (const source of only.includes('ingest') ? (['fred_md', 'fred'] as const) : [])
      figures.push(...(await ofIngest(source, ROWS_OF[source](size), onProgress)));
    if (only.includes('lake')) figures.push(...(await ofLake(size, onProgress)));
    if (only.includes('catalogue')) figures.push(...(await ofCatalogue(size, onProgress)));
    if (only.includes('answers')) figures.push(...(await ofAnswers(size, onProgress)));
    busiest = Math.max(busiest, loadavg()[1] ?? 0);
    const command = `npm run scale -- measure --sizes ${sizes.join(',')} --only ${only.join(',')}`;
    const remark = busiest > machine.cores ? `the machine did other work (load ${busiest.toFixed(1)}), so processor time counts` : '';
    await keep(costsOf(figures, { command, measuredAt, commit, machine, remark }));
  }
}

function costsOf(figures: readonly Figure[], source: Source): Readonly<Record<string, Cost>> {
  const costs: Record<string, Cost> = {};
  for (const { name, unit, over, point } of figures) costs[name] = { unit, over, points: [...(costs[name]?.points ?? []), point], source };
  return costs;
}

async function ofIngest(source: Read, rows: number, onProgress: OnProgress): Promise<readonly Figure[]> {
  const folder = await ownFolder();
  try {
    const [mirror, dataDir, name] = [join(folder, 'mirror'), join(folder, 'data'), READ_AS[source]];
    onProgress(`${name}: ${rows} rows`);
    await FILES[source](mirror, rows);
    const read = await readInOwnProcess({ by: 'asof', source, mirror, dataDir });
    const at = Number(read.checksum[0]);
    const figure = (what: string, unit: Unit, value: number): Figure => ({
      name: `${name}: ${what}`,
      unit,
      over: 'rows',
      point: { at, value },
    });
    return [
      figure('core-seconds', 'core-seconds', read.coreSeconds),
      figure('peak memory', 'MB', read.peakMb),
      figure('raw archive', 'bytes', bytesIn(join(dataDir, 'raw'))),
      figure('lake', 'bytes', bytesIn(join(dataDir, 'lake'))),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A whole night over a lake with nothing built, then one after one new vintage, then one after none. */
async function ofLake(size: number, onProgress: OnProgress): Promise<readonly Figure[]> {
  const lake = await unbuiltLake(size, onProgress);
  const folder = await ownFolder();
  const figures: Figure[] = [];
  const figure = (name: string, unit: Unit, value: number) =>
    figures.push({ name, unit, over: 'vintages', point: { at: lake.vintages, value } });
  const order = { dataDir: join(folder, 'data'), store: String(pathToFileURL(join(folder, 'store'))), replicaDir: join(folder, 'replica') };
  const paths = snapshotPaths(order.dataDir);
  const night = async (name: string): Promise<void> => {
    for (const step of ['derive', 'publish', 'push', 'follow'] as const) {
      onProgress(`${lake.vintages} vintages, ${name}: ${step}`);
      const { coreSeconds, peakMb, parts, sentBytes } = await inOwnProcess({ step, ...order });
      figure(`${name}: ${step}: core-seconds`, 'core-seconds', coreSeconds);
      figure(`${name}: ${step}: peak memory`, 'MB', peakMb);
      for (const [part, spent] of Object.entries(parts)) figure(`${name}: derive: of it ${part}`, 'core-seconds', spent.coreSeconds);
      if (step === 'push') figure(`${name}: sent`, 'bytes', sentBytes);
    }
  };
  try {
    await cp(lake.paths.lake, paths.lake, { recursive: true, filter: (path) => !path.endsWith('writer.lock') });
    figure('bytes: lake', 'bytes', bytesIn(paths.lake));
    await night('whole');
    const manifest = await readCurrent(paths);
    if (manifest === null) throw new Error(`nothing was published in ${order.dataDir}`);
    const perTable = new Map<string, number>();
    for (const { table, bytes } of manifest.resources) perTable.set(table, (perTable.get(table) ?? 0) + bytes);
    for (const [table, bytes] of perTable) figure(`bytes: published.${table}`, 'bytes', bytes);
    figure(
      'bytes: published',
      'bytes',
      manifest.resources.reduce((sum, { bytes }) => sum + bytes, 0),
    );
    for (const [name, extension] of [
      ['served copy', '.duckdb'],
      ['packs', '.packs'],
    ] as const)
      figure(`bytes: ${name}`, 'bytes', bytesIn(paths.served, extension));
    figure('bytes: results of earlier derivations', 'bytes', bytesIn(join(order.dataDir, 'derived-cache')));
    figure('files of a snapshot', 'count', manifest.resources.length);
    figure('series', 'count', manifest.counts.indicators);
    await ofStart(order.dataDir, figure);
    await inOwnProcess({ step: 'append', ...order });
    await night('one new vintage');
    await night('nothing new');
    return figures;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const BULK_ROWS = 10_000;

/** Bytes of a page of 100 rows, newest and as of a day, of a screen, and of a bulk answer of a million rows, estimated from BULK_ROWS of them. */
async function ofAnswers(size: number, onProgress: OnProgress): Promise<readonly Figure[]> {
  const lake = await generatedLake(size, onProgress);
  onProgress(`${lake.vintages} vintages: answers`);
  const reader = await openServed(lake, 1);
  const [series] = reader.catalogue.series;
  reader.close();
  if (series === undefined) throw new Error(`${lake.dataDir} has no series`);
  const { indicatorId, canonicalId } = series;
  const server = await asof(lake);
  try {
    const length = async (path: string) => Buffer.byteLength(await server.fetch(path));
    const bulk = async (rows: number) =>
      server.download(`/observations?vintage=all&sort=period_end&format=arrow&limit=${rows}`, async (body) => {
        let bytes = 0;
        for await (const part of body) bytes += (part as Buffer).length;
        return bytes;
      });
    const page = `/observations?indicator_id=${indicatorId}&sort=period_end&order=desc&limit=100`;
    const found = {
      point: await length(page),
      'as-of': await length(`${page}&as_of=2015-06-30`),
      screen: await length(
        `/public/screener?universe=entities&eligible_only=false&limit=100&rank_by=${canonicalId}:desc&filter=${canonicalId}:gt:0`,
      ),
      bulk: (await bulk(BULK_ROWS)) * (1_000_000 / BULK_ROWS),
    };
    return Object.entries(found).map(([name, value]) => ({
      name: `answer: ${name}`,
      unit: 'bytes',
      over: 'vintages',
      point: { at: lake.vintages, value },
    }));
  } finally {
    await server.stop();
  }
}

const COPIES = [10_000, 50_000] as const;

/** The catalogue of series in memory, with copies of the series of a smaller lake, because a lake of that size takes days to make. */
async function ofCatalogue(size: number, onProgress: OnProgress): Promise<readonly Figure[]> {
  const lake = await generatedLake(size, onProgress);
  const reader = await openServed(lake, 1);
  const { series, byNumber: _numbers, byIndicatorId: _ids, byCanonicalId: _canonical, ...others } = reader.catalogue;
  reader.close();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  return COPIES.map((count): Figure => {
    onProgress(`catalogue of ${count} series`);
    collect();
    const before = process.memoryUsage().heapUsed;
    const copies = Array.from({ length: count }, (_, place) => ({
      ...structuredClone(series[place % series.length] ?? series[0]),
      seriesNo: place,
      indicatorId: `copy_${place}`,
    }));
    const catalogue = toCatalogue(copies as Series[], others);
    collect();
    const value = process.memoryUsage().heapUsed - before;
    if (catalogue.byNumber.size !== count) throw new Error('copies of series fall together');
    return { name: 'memory: catalogue', unit: 'bytes', over: 'series', point: { at: count, value } };
  });
}

async function ofStart(dataDir: string, figure: (name: string, unit: Unit, value: number) => void): Promise<void> {
  const service = await startService(dataDir);
  figure('start: core-seconds', 'core-seconds', service.cpuMs() / 1000);
  figure('start: memory when ready', 'MB', service.memoryMb());
  await service.stop();
}

function bytesIn(folder: string, ending = ''): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

function inOwnProcess(order: {
  readonly step: StepName;
  readonly dataDir: string;
  readonly store: string;
  readonly replicaDir: string;
}): Promise<StepDone> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('step.ts', import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    let found: StepDone | null = null;
    child.on('message', (message) => {
      found = message as StepDone;
    });
    child.on('error', reject);
    child.on('exit', (code) => (found === null ? reject(new Error(`the step ${order.step} ended with ${code}`)) : resolve(found)));
    child.send(order);
  });
}
