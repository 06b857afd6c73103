// A large rebuild as processes: one worker, two and eight publish the same bytes, of a lake and of the sample; one that is killed costs the shard that it was
// at and no other; through a folder that machines share, and through a bucket.
import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../src/model/manifest.ts';
import { snapshotPaths } from '../../src/snapshot/manifest.ts';
import { bucketStore, folderStore, hasBucket, NO_BUCKET, type TestedStore } from '../objects/stores.ts';
import { fredMdFile, openPipeline, type Files, type Pipeline } from '../pipeline.ts';
import { sampleLake } from '../service.ts';

const ROOT = join(import.meta.dirname, '../..');
const CODES = readFileSync(join(ROOT, 'data/reference/series.csv'), 'utf8')
  .split('\n')
  .flatMap((line) => (line.startsWith('fred_md,') ? [line.split(',')[1] ?? ''] : []))
  .slice(0, 40);
const MONTHS = [...Array(52).keys()].map((index) => `${2015 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`);
const VINTAGES = MONTHS.slice(-8);
const NIGHT = '2021-06-01T00:00:00.000Z';
/** Each is the place of a kill: which shard of the worker's own, and milliseconds after it began that. */
const KILLS = [
  [1, 0],
  [1, 350],
  [2, 120],
] as const;

function payloads(): Files {
  return Object.assign(
    {},
    ...VINTAGES.map((name, vintage) => {
      const column = (no: number) =>
        Object.fromEntries(
          MONTHS.filter((month) => month < name).map((month, index) => [
            month,
            Number((100 + no + index * 0.4 + 6 * Math.sin(index * index * (no + 1)) + (index > 38 ? vintage * 0.05 : 0)).toFixed(3)),
          ]),
        );
      return fredMdFile(name, Object.fromEntries(CODES.map((code, no) => [code, column(no)])));
    }),
  );
}

interface Event {
  readonly worker: string;
  readonly shard: string;
  readonly msg: string;
}

interface Ran {
  readonly child: ChildProcess;
  readonly events: Event[];
  readonly output: () => string;
  readonly ended: Promise<number | null>;
}

function run(dataDir: string, options: readonly string[], environment: Readonly<Record<string, string>> = {}): Ran {
  const child = spawn(process.execPath, ['--import', 'tsx', 'jobs/commands/derive.ts', ...options], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', LOG_LEVEL: 'debug', ...environment, DATA_DIR: dataDir },
  });
  const events: Event[] = [];
  let [said, rest] = ['', ''];
  child.stdout?.on('data', (piece: Buffer) => (said += piece.toString('utf8')));
  child.stderr?.on('data', (piece: Buffer) => {
    const lines = `${rest}${piece.toString('utf8')}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('{') && line.includes('"worker"')) events.push(JSON.parse(line) as Event);
      else said += `${line}\n`;
    }
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  return { child, events, output: () => said, ended };
}

const shardsOf = (events: readonly Event[], what: string) => events.flatMap(({ msg, shard }) => (msg === `shard ${what}` ? [shard] : []));

async function until(isSo: () => boolean, what: string): Promise<void> {
  for (let attempt = 0; attempt < 15_000; attempt += 1) {
    if (isSo()) return;
    await pause(20);
  }
  throw new Error(`${what} did not come`);
}

const isWaiting = ({ events }: Ran) => events.some(({ msg }) => msg === 'waits for shards');

/** A build of few series may have made all of its shards before the others look again: it is held at its first until one of them has begun another. */
async function lettingIn(built: Ran, others: readonly Ran[]): Promise<void> {
  const hasBegun = ({ events }: Ran) => shardsOf(events, 'begun').length > 0;
  await until(() => hasBegun(built), 'a shard of the build');
  built.child.kill('SIGSTOP');
  await until(() => others.some(hasBegun), 'a shard of a worker');
  built.child.kill('SIGCONT');
}

const WHOLE = 'brought to its end';

async function endOf({ ended, output }: Ran): Promise<string> {
  const code = await ended;
  return code === 0 ? WHOLE : `ended with ${code}: ${output()}`;
}

const filesOf = (path: string) =>
  (JSON.parse(readFileSync(path, 'utf8')) as Manifest).resources.map(({ path: name, hash }) => `${name} ${hash}`).toSorted();
const candidateOf = (dataDir: string) => filesOf(snapshotPaths(dataDir).candidate);

interface Derived {
  readonly shards: { readonly total: number; readonly reused: number; readonly madeHere: number } | null;
  readonly warnings: readonly string[];
  readonly derived: readonly { readonly name: string; readonly results: { readonly computed: number } | null }[];
}
const reportOf = ({ output }: Ran) => JSON.parse(output().slice(output().indexOf('{\n'))) as Derived;
const forecastsOf = ({ derived }: Derived) => derived.find(({ name }) => name === 'forecasts/forecasts')?.results;

describe('a large rebuild', { timeout: 900_000 }, () => {
  let root: string;
  let lake: Pipeline;
  let alone: Derived;
  let expected: readonly string[];
  let count = 0;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'asof-rebuild-'));
    lake = await openPipeline({ dataDir: join(root, 'lake') });
    await lake.ingest(payloads(), NIGHT);
    const plain = run(await copied(), ['--json']);
    if ((await endOf(plain)) !== WHOLE) throw new Error(plain.output());
    alone = reportOf(plain);
    expected = candidateOf(join(root, 'copy 1'));
  }, 900_000);
  afterAll(() => rm(root, { recursive: true, force: true }));

  /** As it is before anything was derived from it. */
  const copied = async (): Promise<string> => {
    count += 1;
    const folder = join(root, `copy ${count}`);
    await cp(lake.dataDir, folder, { recursive: true });
    return folder;
  };

  it('uses no other process unless asked to', () => {
    expect(alone.shards).toBeNull();
    expect(forecastsOf(alone)?.computed).toBeGreaterThan(100);
    expect(existsSync(join(root, 'copy 1/shared'))).toBe(false);
  });

  it.each([1, 2, 8])('publishes the same bytes with %i processes for its shards as without workers', async (workers) => {
    const folder = await copied();
    const others = Array.from({ length: workers - 1 }, () => run(folder, ['--work', '--wait', '10m', '--json']));
    await until(() => others.every(isWaiting), 'a worker');
    const built = run(folder, ['--workers', '1', '--json']);
    if (others.length > 0) await lettingIn(built, others);
    const end = await endOf(built);
    for (const { child } of others) child.kill('SIGTERM');
    await Promise.all(others.map(({ ended }) => ended));
    expect(end).toBe(WHOLE);
    expect(candidateOf(folder)).toEqual(expected);
    const report = reportOf(built);
    expect(report.warnings).toEqual([]);
    expect(report.shards?.total).toBeGreaterThan(6);
    expect(forecastsOf(report)?.computed).toBe(0);
    const begun = [built, ...others].flatMap(({ events }) => shardsOf(events, 'begun'));
    expect(begun).toHaveLength(report.shards?.total ?? 0);
    expect(new Set(begun).size).toBe(begun.length);
    expect(shardsOf(built.events, 'begun')).toHaveLength(report.shards?.madeHere ?? 0);
    expect(report.shards?.madeHere === begun.length).toBe(workers === 1);
  });

  it('starts its own workers, which may come late, and reuses existing results', async () => {
    const folder = await copied();
    const built = run(folder, ['--workers', '3', '--json']);
    expect(await endOf(built)).toBe(WHOLE);
    expect(candidateOf(folder)).toEqual(expected);
    const { warnings, shards } = reportOf(built);
    expect(warnings).toEqual([]);
    const unchanged = run(folder, ['--workers', '1', '--json']);
    expect(await endOf(unchanged)).toBe(WHOLE);
    expect(reportOf(unchanged).shards).toBeNull();
    await rm(join(folder, 'derived-cache'), { recursive: true });
    const again = run(folder, ['--workers', '1', '--json']);
    expect(await endOf(again)).toBe(WHOLE);
    expect(reportOf(again).shards).toMatchObject({ reused: shards?.total, madeHere: 0 });
    expect(candidateOf(folder)).toEqual(expected);
  });

  it('publishes the sample as a start does', async () => {
    const sample = await sampleLake();
    const folder = join(root, 'sample');
    await cp(sample, folder, { recursive: true });
    await rm(join(folder, 'derived-cache'), { recursive: true, force: true });
    const pointer = JSON.parse(readFileSync(snapshotPaths(folder).pointer, 'utf8')) as { readonly snapshotId: string };
    const built = run(folder, ['--workers', '2', '--json']);
    expect(await endOf(built)).toBe(WHOLE);
    expect(reportOf(built).shards?.total).toBeGreaterThan(0);
    expect(candidateOf(folder)).toEqual(filesOf(snapshotPaths(folder).manifest(pointer.snapshotId)));
  });

  describe.each([
    ['a folder', folderStore, true],
    ['a bucket', bucketStore, hasBucket],
  ] as const)('through %s', (_, start, isThere) => {
    let tested: TestedStore | null = null;
    let environment: Readonly<Record<string, string>>;
    let workers: Ran[] = [];
    beforeAll(async () => {
      if (isThere) tested = await start();
    });
    afterAll(() => tested?.stop());
    beforeEach((context) => {
      if (tested === null) return context.skip(NO_BUCKET);
      environment = { ...tested.environment, SNAPSHOT_URL: tested.fresh() };
      workers = [];
      return async () => {
        for (const { child } of workers) child.kill('SIGKILL');
        await Promise.all(workers.map(({ ended }) => ended));
      };
    });
    const worker = async () => {
      const one = run(await mkdtemp(join(root, 'worker-')), ['--work', '--wait', '10m', '--patience', '3s', '--json'], environment);
      workers.push(one);
      await until(() => isWaiting(one), 'a worker');
      return one;
    };
    const build = async () => {
      const folder = await copied();
      return { folder, ...run(folder, ['--workers', '1', '--patience', '3s', '--json'], environment) };
    };

    it.each(KILLS)('loses only the shard of a worker that is killed at its shard no. %i, after %i ms', async (no, milliseconds) => {
      const [victim, other] = [await worker(), await worker()];
      const built = await build();
      await until(() => shardsOf(victim.events, 'begun').length >= no || built.child.exitCode !== null, 'a shard of the victim');
      await pause(milliseconds);
      victim.child.kill('SIGKILL');
      await victim.ended;
      expect(await endOf(built)).toBe(WHOLE);
      expect(candidateOf(built.folder)).toEqual(expected);
      const lost = shardsOf(victim.events, 'begun').filter((name) => !shardsOf(victim.events, 'made').includes(name));
      const byOthers = [...shardsOf(built.events, 'made'), ...shardsOf(other.events, 'made')];
      const again = byOthers.filter((name) => shardsOf(victim.events, 'begun').includes(name));
      expect(lost.length).toBeLessThanOrEqual(1);
      // It may have been put a moment before it was told of.
      expect(lost).toEqual(expect.arrayContaining(again));
      expect(again.length).toBeLessThanOrEqual(1);
      const all = [...shardsOf(victim.events, 'made'), ...byOthers];
      expect(new Set(all).size).toBe(all.length);
      expect(new Set([...all, ...lost]).size).toBe(reportOf(built).shards?.total);
      expect(forecastsOf(reportOf(built))?.computed).toBe(0);
    });

    it('continues if the build itself is killed: the workers finish, and the next build reuses their results', async () => {
      const one = await worker();
      const killed = await build();
      await until(() => shardsOf(killed.events, 'begun').length >= 1, 'a shard of the build');
      killed.child.kill('SIGKILL');
      await killed.ended;
      await until(() => one.events.filter(({ msg }) => msg === 'waits for shards').length > 1, 'the end of the job');
      const again = await build();
      expect(await endOf(again)).toBe(WHOLE);
      expect(candidateOf(again.folder)).toEqual(expected);
      const { shards } = reportOf(again);
      expect(shards).toMatchObject({ reused: shards?.total, madeHere: 0 });
      expect(shardsOf(one.events, 'made').length).toBeGreaterThan(0);
    });
  });

  it('refuses a worker of another release, and a worker without work', async () => {
    const folder = await copied();
    const idle = run(folder, ['--work']);
    expect(await idle.ended).toBe(1);
    expect(idle.output()).toMatch(/file:.* has no build\. .*--workers 1 on the machine that has the lake/);
    const both = run(folder, ['--work', '--workers', '2']);
    expect(await both.ended).toBe(1);
    expect(both.output()).toMatch(/--workers starts a build, --work joins one/);
  });
});
