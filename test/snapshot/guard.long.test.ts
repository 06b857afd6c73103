// A walk on an older snapshot reads its Parquet files: a bit that flips under the server is an error or nothing, never a wrong answer.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../src/model/manifest.ts';
import { listCompanies } from '../../src/queries/companies.ts';
import { openScrubber } from '../../src/snapshot/serving/integrity/scrub.ts';
import { packsFile, sealFile, servedFile } from '../../src/snapshot/server-copy.ts';
import type { SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import { type FollowedStore, openStore } from '../../src/snapshot/serving/store.ts';
import { ask, fredMdFile, openPipeline, type Pipeline } from '../pipeline.ts';

const FLIPS = Number(process.env['FLIPS'] ?? 12);
const EVERY = { sector: null, industry: null, country: null, ticker: null, status: null, q: null, foundIds: null, historyFrom: null };
const PAGE = { sort: 'name', order: 'asc', after: null, limit: 100 } as const;
const monthOf = (at: number) => `${2015 + Math.floor((at + 4) / 12)}-${String(((at + 4) % 12) + 1).padStart(2, '0')}`;
/** Of so many months from May 2015 on. */
const values = (months: number, from: number) =>
  Object.fromEntries(Array.from({ length: months }, (_, at) => [monthOf(at), from + at * 7]));

let pipeline: Pipeline;
let older: Manifest;
let current: Manifest;
let good: Buffer;
let path: string;
let store: FollowedStore;
let errors: string[] = [];
beforeAll(async () => {
  pipeline = await openPipeline();
  await pipeline.run(fredMdFile('2020-05', { PAYEMS: values(60, 130_000) }), '2021-01-01T00:00:00.000Z');
  older = await pipeline.current();
  await pipeline.run(fredMdFile('2020-06', { PAYEMS: values(61, 130_001) }), '2021-01-02T00:00:00.000Z');
  current = await pipeline.current();
  for (const file of [servedFile, packsFile, sealFile]) rmSync(file(pipeline.paths, older.snapshotId), { force: true });
  path = join(pipeline.paths.root, older.resources.find(({ name }) => name === 'vintages.fred_md')?.path ?? '');
  good = readFileSync(path);
});
afterAll(() => pipeline.remove());
beforeEach(async () => {
  errors = [];
  store = openStore([pipeline.paths], { limits: pipeline.workspace.limits('serve'), connections: 1 }, (error) =>
    errors.push(String(error)),
  );
  await store.follow();
});
afterEach(async () => {
  await store.close();
  writeFileSync(path, good);
});

const flipped = (at: number) => {
  const bytes = Buffer.from(good);
  const bit = (at * 2_654_435_761) % (bytes.length * 8);
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return bytes;
};
const pinned = async () => {
  const found = await store.acquire(older.snapshotId);
  found?.release();
  return found?.snapshot ?? null;
};
const answer = (snapshot: SnapshotReader) => ask(snapshot, {}, { vintage: 'all' });

describe('an older snapshot that is read from Parquet', () => {
  it(`gives no wrong answer after any of ${FLIPS} flipped bits, and is then closed`, async () => {
    const ended = { right: 0, wrong: 0, refused: 0 };
    const first = await pinned();
    if (first === null) throw new Error('the older snapshot cannot be opened');
    expect(first.readsCopy).toBe(false);
    const stated = await answer(first);
    expect(stated.length).toBe(60 + 59); // and the changes on the month before
    for (let at = 0; at < FLIPS; at += 1) {
      const snapshot = await pinned();
      if (snapshot === null) throw new Error('the older snapshot cannot be opened');
      writeFileSync(path, flipped(at));
      const outcome = await answer(snapshot).then(
        (rows) => (JSON.stringify(rows) === JSON.stringify(stated) ? 'right' : 'wrong'),
        (error: unknown) => {
          expect(String(error)).toMatch(/no longer has its hash, so nothing is answered from it\. Run: npm run nightly\.$/);
          return 'refused' as const;
        },
      );
      ended[outcome] += 1;
      await store.follow();
      expect(await pinned()).toBeNull();
      expect((await store.acquire())?.snapshot.snapshotId).toBe(current.snapshotId);
      writeFileSync(path, good);
    }
    if (process.env['FLIPS'] !== undefined) process.stdout.write(`${JSON.stringify(ended)}\n`);
    expect(ended).toEqual({ right: 0, wrong: 0, refused: FLIPS });
    expect(errors.filter((one) => one.includes('nothing is answered from it'))).toHaveLength(FLIPS);
  });

  it('lists no companies from a damaged file, which a macro reads', async () => {
    const file = join(pipeline.paths.root, older.resources.find(({ name }) => name === 'companies')?.path ?? '');
    const whole = readFileSync(file);
    const snapshot = await pinned();
    if (snapshot === null) throw new Error('the older snapshot cannot be opened');
    const list = () => listCompanies(snapshot, { ...EVERY, asOf: null }, PAGE, Date.parse('2021-01-03T00:00:00.000Z'));
    expect((await list()).rows).toEqual([]);
    writeFileSync(file, Buffer.concat([whole, Buffer.from('x')]));
    await expect(list()).rejects.toThrow(/no longer has its hash, so nothing is answered from it/);
    writeFileSync(file, whole);
  });

  it('is read by the scrubber, which reads a file of two snapshots once', async () => {
    const found: string[] = [];
    const scrubber = openScrubber(store, {
      seconds: 1,
      pause: () => Promise.resolve(),
      onDamage: (snapshotId, file) => found.push(`${snapshotId} ${file}`),
    });
    await pinned();
    const paths = new Map([...older.resources, ...current.resources].map((one) => [one.path, one.bytes]));
    const copies = [servedFile, packsFile].map((of) => readFileSync(of(pipeline.paths, current.snapshotId)).length);
    expect(await scrubber.round()).toBe([...paths.values(), ...copies].reduce((sum, bytes) => sum + bytes, 0));
    writeFileSync(path, flipped(1));
    await scrubber.round();
    expect(found).toEqual([`${older.snapshotId} ${older.resources.find(({ name }) => name === 'vintages.fred_md')?.path}`]);
    expect(await pinned()).toBeNull();
    expect(store.readiness()).toMatchObject({ isReady: true, warnings: [] });
  });
});

describe('a snapshot that its copy answers', () => {
  it('stays open if a temporary file of the engine is damaged, because only one query read that file', async () => {
    const limits = { ...pipeline.workspace.limits('spill'), threads: 1, memory: '60MB' };
    const small = openStore([pipeline.paths], { limits, connections: 1 }, (error) => errors.push(String(error)));
    await small.follow();
    try {
      const found = await small.acquire();
      expect(found?.snapshot.readsCopy).toBe(true);
      const spill = (sql: string) => found?.snapshot.withConnection(async (connection) => connection.run(sql));
      await spill('create temp table spilled as select range as value, hash(range) as other from range(6000000)');
      const files = readdirSync(limits.tempDirectory, { recursive: true, encoding: 'utf8' })
        .map((name) => join(limits.tempDirectory, name))
        .filter((file) => statSync(file).isFile());
      expect(files.length).toBeGreaterThan(0);
      for (const file of files) writeFileSync(file, Buffer.alloc(statSync(file).size));
      await expect(spill('select sum(value), count(distinct other) from spilled')).rejects.toThrow(/temporary file/);
      found?.release();
      await small.follow();
      expect(errors).toEqual([]);
      expect((await small.acquire())?.snapshot.opening).toBe(found?.snapshot.opening);
    } finally {
      await small.close();
    }
  });
});

describe('the current snapshot, read from Parquet because its copy is gone', () => {
  it('is replaced by the newest whole one after a read meets damage', async () => {
    for (const file of [servedFile, packsFile, sealFile]) rmSync(file(pipeline.paths, current.snapshotId), { force: true });
    await store.distrust(current.snapshotId, true);
    const snapshot = (await store.acquire())?.snapshot;
    expect([snapshot?.snapshotId, snapshot?.readsCopy]).toEqual([current.snapshotId, false]);
    const own = join(pipeline.paths.root, current.resources.find(({ name }) => name === 'vintages.fred_md')?.path ?? '');
    const bytes = readFileSync(own);
    writeFileSync(
      own,
      bytes.map((byte, at) => (at === 200 ? byte ^ 1 : byte)),
    );
    try {
      await expect(answer(snapshot as SnapshotReader)).rejects.toThrow(/no longer has its hash/);
      await store.follow();
      expect((await store.acquire())?.snapshot.snapshotId).toBe(older.snapshotId);
    } finally {
      writeFileSync(own, bytes);
    }
  });
});
