// Forecasts by shards: whoever makes them, and however many do, the rows are those of one process; a shard that is there is never made again, one that is
// damaged is.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { computeForecasts } from '../../src/derived/forecasts.ts';
import { forecastShards } from '../../src/derived/forecast-shards.ts';
import { NO_CACHE, type Shard } from '../../src/derived/result-cache.ts';
import { openObjects } from '../../src/objects/open.ts';
import { type ObjectStore } from '../../src/objects/store.ts';
import { openForecastThreads } from '../../src/snapshot/build/forecasting/threads.ts';
import { codeOfStatistics, openResultFiles } from '../../src/snapshot/build/result-files.ts';
import { inputHash, inputObject, type Job, readJob, resultObject, writeJob } from '../../src/snapshot/build/shards/job.ts';
import { openLeases } from '../../src/snapshot/build/shards/lease.ts';
import { shareShards, type ShardsReport } from '../../src/snapshot/build/shards/share.ts';
import { work, type WorkOptions } from '../../src/snapshot/build/shards/work.ts';
import { isLong } from '../suite.ts';
import { KnownError } from '../../src/known-error.ts';

const DATASETS = [1, 2] as const;
const SERIES = 20;
/** Of 20 series, of each data set: the next power of two above 20 / 16. */
const SHARDS = 2 * DATASETS.length;
const UNTIL = Date.UTC(2026, 11, 1);
const DAY = 86_400_000;
const CODE = codeOfStatistics();

/** 38 months known at once, then three more, one of which revises the month before. */
const LAKE = `
  create schema derived; create schema forecasts;
  create macro knowledge_cutoff() as timestamptz '2026-12-01 00:00:00Z';
  create table derived.all_series as
  select (dataset << 20) + no as series_no, 'source_' || dataset as source_id, 'indicator_' || no as indicator_id, 'monthly' as frequency
  from unnest([${DATASETS.join(', ')}]) as datasets (dataset), range(1, ${SERIES} + 1) as numbers (no);
  create table forecasts.forecast_inputs as
  select
      series_no::integer as series_no, frequency, true as is_level, series_no % 2 = 0 as is_unadjusted,
      (24276 + month)::bigint as period_no,
      timestamptz '2026-06-15 12:00:00Z' + to_days(greatest(month - 37, 0)::integer * 30) as observed_at,
      1::bigint as release_no,
      round(100 + month * 0.7 + (series_no * 7919 + month * month * 31) % 97 / 10.0, 3) as value
  from derived.all_series, range(0, 41) as months (month);
  insert into forecasts.forecast_inputs
  select * replace (2 as release_no, value + 0.5 as value, observed_at + interval 30 day as observed_at)
  from forecasts.forecast_inputs where period_no = 24276 + 39`;

const CHANGED = (1 << 20) + 7;

async function connected(change = ''): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run("set timezone = 'UTC'");
  for (const statement of `${LAKE};${change}`.split(';').filter((one) => one.trim() !== '')) await connection.run(statement);
  return connection;
}

async function rowsOf(connection: DuckDBConnection): Promise<string> {
  const parts = [];
  for (const table of ['forecasts', 'forecast_backtests'])
    parts.push((await connection.runAndReadAll(`from forecasts.${table}`)).getRows().map(String).join('\n'));
  return parts.join('\n\n');
}

const known = new Map<string, Promise<string>>();
function alone(change = ''): Promise<string> {
  const found = known.get(change) ?? computedAlone(change);
  known.set(change, found);
  return found;
}

async function computedAlone(change: string): Promise<string> {
  const connection = await connected(change);
  await computeForecasts(connection, NO_CACHE);
  const rows = await rowsOf(connection);
  connection.closeSync();
  return rows;
}

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('the shards of a build', () => {
  let folder: string;
  let root: string;
  let store: ObjectStore;
  let begun: string[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'asof-shards-'));
    root = join(folder, 'store');
    store = await openObjects(pathToFileURL(root).href);
    begun = [];
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const worker = async (id: string, more: Partial<WorkOptions> = {}): Promise<WorkOptions> => {
    const scratch = join(folder, `scratch-${id}`);
    await mkdir(scratch, { recursive: true });
    const log: WorkOptions['log'] = (what, { name }) => what === 'begun' && begun.push(name);
    return { id, patience: 60_000, elapsed: () => performance.now(), scratch, wait: () => pause(5), log, ...more };
  };

  interface Built {
    readonly rows: string;
    readonly report: ShardsReport | null;
    readonly warnings: readonly string[];
    readonly lookups: { readonly reused: number; readonly computed: number } | null;
  }

  async function build(others = 0, change = '', more: Partial<WorkOptions> = {}): Promise<Built> {
    const connection = await connected(change);
    const startWorkers = () => ({
      ended: (async () => {
        if (others === 0) return [];
        const job = await readJob(store);
        await Promise.all(Array.from({ length: others }, async (_, at) => work(store, job as Job, await worker(`other ${at}`))));
        return [];
      })(),
    });
    const shared = shareShards(store, { ...(await worker('own', more)), now: Date.now(), startWorkers });
    const results = openResultFiles(await mkdtemp(join(folder, 'cache-')), CODE, shared.sharing);
    await computeForecasts(connection, results);
    const built = { rows: await rowsOf(connection), report: shared.report(), warnings: shared.warnings, lookups: results.countLookups() };
    connection.closeSync();
    return built;
  }
  const resultsThere = () => readdir(join(root, 'shards/results'));

  it('give the rows of a build without them, with one worker, two and eight, and leave nothing to compute', async () => {
    const rows = await alone();
    expect(rows.split('\n').length).toBeGreaterThan(SERIES * DATASETS.length * 4);
    const files = new Set<string>();
    for (const others of [0, 1, 7]) {
      await rm(root, { recursive: true, force: true });
      begun = [];
      const built = await build(others);
      expect(built).toMatchObject({ rows, warnings: [], report: { total: SHARDS, reused: 0 } });
      expect(built.lookups?.computed).toBe(0);
      expect(built.lookups?.reused).toBeGreaterThan(0);
      expect(begun.length).toBe(SHARDS);
      const names = (await resultsThere()).toSorted();
      const bytes = await Promise.all(names.map((name) => readFile(join(root, 'shards/results', name), 'utf8')));
      files.add(JSON.stringify([names, bytes.map(sha256)]));
    }
    expect(files.size).toBe(1);
  });

  it('are reused if they are there, and a changed series recomputes only its own', async () => {
    const { rows } = await build();
    begun = [];
    expect(await build()).toMatchObject({ rows, report: { total: SHARDS, reused: SHARDS, madeHere: 0 } });
    expect(begun).toEqual([]);
    const change = `update forecasts.forecast_inputs set value = value + 1 where series_no = ${CHANGED} and period_no = 24280`;
    const changed = await build(1, change);
    expect(changed).toMatchObject({ rows: await alone(change), report: { total: SHARDS, reused: SHARDS - 1 } });
    expect(changed.rows).not.toBe(rows);
    expect(begun).toHaveLength(1);
  });

  it('stay the same if numbers of series shift because others came between', async () => {
    await build();
    // Not all of them, and by an odd number: two shards by number would but change places if all moved.
    const move = 'set series_no = series_no + 3 where series_no % 1048576 > 9';
    const moved = await build(0, `update derived.all_series ${move}; update forecasts.forecast_inputs ${move}`);
    expect(moved.report).toMatchObject({ reused: SHARDS, madeHere: 0 });
  });

  it('differ if the number of models in force differs', async () => {
    const connection = await connected();
    const hashes = async (until: number) => {
      const found: string[] = [];
      for await (const { input } of forecastShards(connection, until)) found.push(inputHash(CODE, input));
      return found;
    };
    const now = await hashes(UNTIL);
    expect(await hashes(UNTIL + 400 * DAY)).toEqual(now);
    const before = await hashes(Date.UTC(2026, 10, 1));
    expect(before.filter((one) => now.includes(one))).toEqual([]);
    connection.closeSync();
  });

  it.each([
    ['a changed digit', (bytes: Buffer) => bytes.fill((bytes.at(-9) ?? 0) ^ 1, bytes.length - 9, bytes.length - 8)],
    ['a lost end', (bytes: Buffer) => bytes.subarray(0, -40)],
    ['nothing', () => Buffer.alloc(0)],
  ])('with %s in a result are computed again, and named', async (_, damage) => {
    const { rows } = await build();
    const [name = ''] = await resultsThere();
    const path = join(root, 'shards/results', name);
    const whole = await readFile(path);
    await writeFile(path, damage(Buffer.from(whole)));
    begun = [];
    const again = await build();
    expect(again).toMatchObject({ rows, report: { reused: SHARDS, madeHere: 1 } });
    expect(begun).toHaveLength(1);
    expect(again.warnings).toEqual([`Results in ${store.address} were damaged and were recomputed: ${begun[0]}.`]);
    expect(await readFile(path)).toEqual(whole);
    expect(again.lookups?.computed).toBe(0);
  });

  it('are computed by the build itself if their inputs are damaged on the way', async () => {
    const rows = await alone();
    store = damaging('shards/inputs/');
    expect(await build(2)).toMatchObject({ rows, report: { total: SHARDS, madeHere: SHARDS } });
  });

  /** What is put into a folder of it arrives as something else. */
  function damaging(part: string): ObjectStore {
    const whole = store;
    return {
      ...whole,
      async upload(name, path, hash) {
        if (!name.startsWith(part)) return whole.upload(name, path, hash);
        const other = join(folder, `damaged-${name.slice(-8)}`);
        await writeFile(other, 'damaged');
        return whole.upload(name, other, hash);
      },
    };
  }

  it.each(isLong ? [1, 4, 8, 10, 13, 16] : [1, 8, 16])(
    'are reused from a build that ended when answer no. %i of the store failed, carried out or not',
    async (no) => {
      const rows = await alone();
      const whole = store;
      for (const isCarriedOut of [false, true]) {
        await rm(root, { recursive: true, force: true });
        store = failing(whole, no, isCarriedOut);
        await expect(build(0, '', { patience: 50 })).rejects.toThrow(KnownError);
        store = whole;
        const there = existsSync(join(root, 'shards/results')) ? (await resultsThere()).length : 0;
        begun = [];
        expect(await build(0, '', { patience: 50 })).toMatchObject({ rows, warnings: [], report: { total: SHARDS, reused: there } });
        expect(begun).toHaveLength(SHARDS - there);
      }
    },
  );

  /** From its call of that number on, it does not answer. */
  function failing(whole: ObjectStore, no: number, isCarriedOut: boolean): ObjectStore {
    let calls = 0;
    const cut =
      <Given extends readonly unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
      async (...given: Given): Promise<Result> => {
        calls += 1;
        const result = calls < no || (calls === no && isCarriedOut) ? await call(...given) : null;
        if (calls >= no) throw new KnownError('the store does not answer');
        return result as Result;
      };
    return {
      ...whole,
      list: cut(whole.list),
      read: cut(whole.read) as ObjectStore['read'],
      download: cut(whole.download),
      upload: cut(whole.upload),
      commit: cut(whole.commit),
      remove: cut(whole.remove),
    };
  }

  it('leave no input and no lease, and keep only older results that another build may be about to use', async () => {
    await build();
    const first = await resultsThere();
    const change = `update forecasts.forecast_inputs set value = value * 2`;
    const [old = '', ...young] = first;
    const yesterday = (Date.now() - 2 * DAY) / 1000;
    await utimes(join(root, 'shards/results', old), yesterday, yesterday);
    await build(1, change);
    const left = await resultsThere();
    expect(left).toHaveLength(SHARDS + young.length);
    expect(left).toEqual(expect.arrayContaining([...young]));
    expect(left).not.toContain(old);
    expect(await readdir(join(root, 'shards/inputs'))).toEqual([]);
    const leases = join(root, '.versions/shards/leases');
    expect(existsSync(leases) ? await readdir(leases) : []).toEqual([]);
  });

  describe('a shard that several workers compute', () => {
    let shards: Shard[];
    let job: Job;
    beforeEach(async () => {
      const connection = await connected();
      shards = [];
      for await (const shard of forecastShards(connection, UNTIL)) shards.push(shard);
      connection.closeSync();
      job = { code: CODE, shards: shards.map(({ name, input }) => ({ name, input: inputHash(CODE, input) })) };
      for (const { input } of shards) {
        const path = join(folder, 'input');
        await writeFile(path, input);
        await store.upload(inputObject(inputHash(CODE, input)), path, sha256(input));
      }
      await writeJob(store, job);
    });

    it('is stored once, and every other worker has the same bytes', async () => {
      const puts: { readonly name: string; readonly bytes: string; readonly isFirst: boolean }[] = [];
      const blind: ObjectStore = {
        ...store,
        // Nobody sees what others have begun.
        commit: () => Promise.resolve(true),
        async upload(name, path, hash) {
          const bytes = await readFile(path, 'utf8');
          const isFirst = await store.upload(name, path, hash);
          puts.push({ name, bytes, isFirst });
          return isFirst;
        },
      };
      const made = await Promise.all(['a', 'b'].map(async (id) => work(blind, job, await worker(id, { elapsed: () => 0 }))));
      expect(puts).toHaveLength(2 * SHARDS);
      for (const { input } of job.shards) {
        const both = puts.filter(({ name }) => name === resultObject(input));
        expect([both.length, both.filter(({ isFirst }) => isFirst).length]).toEqual([2, 1]);
        expect(new Set(both.map(({ bytes }) => bytes)).size).toBe(1);
      }
      expect(made.flat()).toHaveLength(SHARDS);
    });

    it('is left to the worker that has its lease, and taken over if that shows no sign of life', async () => {
      let time = 0;
      const leases = (id: string) => openLeases(store, { id, patience: 1000, elapsed: () => time });
      const input = job.shards[0]?.input ?? '';
      const [gone, slow, next] = [leases('gone'), leases('slow'), leases('next')];
      expect(await gone.take(input)).toBe(true);
      for (const at of [0, 500, 999]) {
        time = at;
        expect([await slow.take(input), await next.take(input)]).toEqual([false, false]);
      }
      time = 1000;
      expect([await next.take(input), await slow.take(input)]).toEqual([true, false]);
      // What shows that it is at work keeps it.
      for (const at of [1400, 1800, 2200, 2600]) {
        time = at;
        await next.renew(input);
        expect(await slow.take(input)).toBe(false);
      }
      // The one that came back late does not take it from the one that has it.
      await gone.renew(input);
      time = 3599;
      expect(await slow.take(input)).toBe(false);
      time = 3600;
      expect(await slow.take(input)).toBe(true);
    });

    it('is refused by a machine that cannot read its format', async () => {
      const there = await store.read('shards/job.json');
      await store.commit('shards/job.json', '{"code": 1}', there?.version ?? null);
      await expect(readJob(store)).rejects.toThrow(KnownError);
      await expect(readJob(store)).rejects.toThrow(/shards\/job.json was written by another version. Run the same release/);
    });
  });

  it('that the store damages each time end the build with their names', async () => {
    store = damaging('shards/results/');
    await expect(build()).rejects.toThrow(/returned other results than were stored \(forecasts-1, part 1 of 2; /);
  });
});

describe('threads that make forecasts', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'asof-threads-'));
    return () => rm(folder, { recursive: true, force: true });
  });

  interface Night {
    readonly rows: string;
    readonly lookups: { readonly reused: number; readonly computed: number } | null;
    /** What became known of the series that were done, after each. */
    readonly steps: readonly number[];
    /** Texts of series that came from another thread. */
    readonly elsewhere: number;
  }

  /** @param hear called with each message of a thread */
  async function night(count: number, cacheDir: string, hear: (thread: Worker) => void = () => undefined): Promise<Night> {
    const connection = await connected();
    let elsewhere = 0;
    const watch = (thread: Worker) =>
      thread.on('message', ({ kind }: { readonly kind: string }) => {
        if (kind === 'series') elsewhere += 1;
        hear(thread);
      });
    process.on('worker', watch);
    const threads = count === 0 ? null : openForecastThreads(count);
    try {
      const results = openResultFiles(cacheDir, CODE, null, threads);
      const steps: number[] = [];
      await computeForecasts(connection, results, (done, total) => steps.push(done / total));
      return { rows: await rowsOf(connection), lookups: results.countLookups(), steps, elsewhere };
    } finally {
      await threads?.close();
      process.off('worker', watch);
      connection.closeSync();
    }
  }
  const filesOf = async (cacheDir: string) =>
    Promise.all((await readdir(cacheDir)).toSorted().map(async (name) => [name, sha256(await readFile(join(cacheDir, name)))]));

  it.each([1, 3])('give the rows and the kept results of this thread: %i', async (count) => {
    const [own, other] = [join(folder, 'own'), join(folder, 'other')];
    const here = await night(0, own);
    const there = await night(count, other);
    expect(there).toMatchObject({ rows: here.rows, lookups: here.lookups });
    expect(await filesOf(other)).toEqual(await filesOf(own));
    const again = await night(count, other);
    expect(again).toMatchObject({ rows: here.rows, lookups: { reused: here.lookups?.computed, computed: 0 } });
    expect(await filesOf(other)).toEqual(await filesOf(own));
  });

  it('make every forecast: the waiting thread makes none, and is notified of each series', async () => {
    const [here, there] = [await night(0, join(folder, 'own')), await night(2, join(folder, 'other'))];
    expect([here.elsewhere, there.elsewhere]).toEqual([0, DATASETS.length * SERIES]);
    expect(there.steps).toHaveLength(DATASETS.length * SERIES);
    expect([there.steps.every((share, index) => share > (there.steps[index - 1] ?? 0)), there.steps.at(-1)]).toEqual([true, 1]);
  });

  it.each([0, 2])('name the failed series and the remedy: %i', async (count) => {
    await night(0, folder);
    for (const name of await readdir(folder)) {
      const body = (await readFile(join(folder, name), 'utf8')).split('\n').slice(1).join('\n');
      const spoilt = body.replaceAll(/^(=\S+ \d+) .*$/gm, '$1 {}');
      await writeFile(join(folder, name), `${sha256(spoilt)}\n${spoilt}`);
    }
    await expect(night(count, folder)).rejects.toThrow(
      /^the forecasts of indicator_\d+, monthly, source_1: .*\. Remove derived-cache in DATA_DIR, which is made again, and run the same command\./,
    );
  });

  it('that end early name their current series', async () => {
    await expect(night(1, folder, (thread) => void thread.terminate())).rejects.toThrow(
      /^the forecasts of indicator_\d+, monthly, source_1: the thread ended\. Remove derived-cache/,
    );
  });
});
