// A damaged file of a snapshot: intact ones are served meanwhile, and the next run rewrites the file.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readCurrent } from '../../src/snapshot/manifest.ts';
import { packsFile, sealFile, servedFile } from '../../src/snapshot/server-copy.ts';
import { openScrubber } from '../../src/snapshot/serving/integrity/scrub.ts';
import { type FollowedStore, openStore } from '../../src/snapshot/serving/store.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import { ask, fredMdFile, openPipeline, type Pipeline } from '../pipeline.ts';

const MAY = fredMdFile('2020-05', { PAYEMS: { '2020-03': 100, '2020-04': 131 } });
const JUNE = fredMdFile('2020-06', { PAYEMS: { '2020-03': 100, '2020-04': 129 } });

let pipeline: Pipeline;
let first: Manifest;
let second: Manifest;
let answered: unknown;
let store: FollowedStore;
let errors: string[] = [];
beforeAll(async () => {
  pipeline = await openPipeline();
  await pipeline.run(MAY, '2021-01-01T00:00:00.000Z');
  first = await pipeline.current();
  await pipeline.run(JUNE, '2021-01-02T00:00:00.000Z');
  second = await pipeline.current();
  answered = await ask(await pipeline.open(), {}, { vintage: 'all' });
});
afterAll(async () => {
  await store.close();
  await pipeline.remove();
});
beforeEach(async () => {
  await store?.close();
  errors = [];
  store = openStore([pipeline.paths], { limits: pipeline.workspace.limits('serve'), connections: 1 }, (error) =>
    errors.push(String(error)),
  );
});

const flip = (path: string) => {
  const bytes = readFileSync(path);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);
};
const fileOf = (name: string) => join(pipeline.paths.root, second.resources.find((one) => one.table === name)?.path ?? '');
const served = async () => {
  const one = await store.acquire();
  one?.release();
  return one?.snapshot ?? null;
};
const isWhole = (path: string, before: Buffer) => existsSync(path) && readFileSync(path).equals(before);

describe('a damaged file of the current snapshot', () => {
  const names = ['vintages', 'states', 'entities', 'events'] as const;
  it.each(names)(
    'of %s affects no answer, because the copy has the same rows; the next run rewrites it and keeps the snapshot id',
    async (name) => {
      const before = readFileSync(fileOf(name));
      flip(fileOf(name));
      await store.follow();
      const snapshot = await served();
      if (snapshot === null) throw new Error('nothing is served');
      expect([snapshot.snapshotId, await ask(snapshot, {}, { vintage: 'all' })]).toEqual([second.snapshotId, answered]);
      expect(store.readiness().warnings).toEqual([
        expect.stringMatching(/no longer has its hash\. Run: npm run nightly\. Until then its copy for servers answers\.$/),
      ]);
      const { publish } = await pipeline.publish();
      expect([publish.snapshotId, isWhole(fileOf(name), before)]).toEqual([second.snapshotId, true]);
      await store.follow();
      expect([(await served())?.snapshotId, store.readiness().warnings]).toEqual([second.snapshotId, []]);
    },
  );

  it('makes the server fall back to the snapshot before it if the copy is gone too, until the next run', async () => {
    const own = second.resources.find(({ path }) => !first.resources.some((one) => one.path === path));
    flip(join(pipeline.paths.root, own?.path ?? ''));
    rmSync(servedFile(pipeline.paths, second.snapshotId));
    await store.follow();
    expect((await served())?.snapshotId).toBe(first.snapshotId);
    expect(store.readiness().warnings).toEqual([
      expect.stringMatching(/no longer has its hash.* Run: npm run nightly.*snap_.* is served\.$/),
    ]);
    expect((await pipeline.publish()).publish.snapshotId).toBe(second.snapshotId);
    await store.follow();
    expect([(await served())?.snapshotId, store.readiness().warnings]).toEqual([second.snapshotId, []]);
  });

  it.each([
    ['cut off', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 20))],
    ['emptied', (path: string) => writeFileSync(path, '')],
    ['gone', (path: string) => rmSync(path)],
    ['of zeroes', (path: string) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
  ])('if it is the manifest or the pointer, %s, is rewritten too', async (_, damage) => {
    for (const path of [pipeline.paths.manifest(second.snapshotId), pipeline.paths.pointer]) {
      damage(path);
      await store.follow();
      expect(store.readiness()).toMatchObject({ isReady: true, warnings: [expect.stringMatching(/is served\.$/)] });
      const { publish } = await pipeline.publish();
      expect(publish).toMatchObject({ snapshotId: second.snapshotId, previousSnapshotId: first.snapshotId });
      expect((await readCurrent(pipeline.paths))?.snapshotId).toBe(second.snapshotId);
      await store.follow();
      expect([(await served())?.snapshotId, store.readiness().warnings]).toEqual([second.snapshotId, []]);
    }
  });

  it('if it is a manifest with another day, is not served when the pointer is gone', async () => {
    const [path, pointer] = [pipeline.paths.manifest(second.snapshotId), readFileSync(pipeline.paths.pointer)];
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(second.knowledgeCutoff, '2031-01-02T00:00:00.000Z'));
    rmSync(pipeline.paths.pointer);
    await store.follow();
    expect((await served())?.snapshotId).toBe(first.snapshotId);
    writeFileSync(path, text);
    writeFileSync(pipeline.paths.pointer, pointer);
  });

  it('if it is the manifest of the snapshot before, prevents no publication, but its pages are gone', async () => {
    const path = pipeline.paths.manifest(first.snapshotId);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.slice(0, 40));
    await store.follow();
    expect(await store.acquire(first.snapshotId)).toBeNull();
    expect((await pipeline.publish()).publish.keptSnapshots).toEqual([second.snapshotId]);
    expect(existsSync(path)).toBe(false);
  });

  it('if it is the candidate, is refused with its name and the remedy', async () => {
    writeFileSync(pipeline.paths.candidate, '{"half');
    const { publish } = await import('../../src/snapshot/build/publish.ts');
    await expect(publish(pipeline.paths, 5)).rejects.toThrow('snapshots/candidate.json is damaged. Run: npm run derive');
    rmSync(pipeline.paths.candidate);
  });
});

describe('the copy for servers', () => {
  const copies = () => [servedFile(pipeline.paths, second.snapshotId), packsFile(pipeline.paths, second.snapshotId)];

  it.each([0, 1])(
    'number %i with a flipped bit is not read: the Parquet files give the same answer, and the next run rewrites it',
    async (index) => {
      const path = copies()[index] ?? '';
      const good = readFileSync(path);
      flip(path);
      await store.follow();
      expect(store.readiness().warnings).toEqual([
        expect.stringMatching(/^The copy of snapshot snap_.* for servers is damaged .*Run: npm run nightly/),
      ]);
      const snapshot = await served();
      if (snapshot === null) throw new Error('nothing is served');
      expect(await ask(snapshot, {}, { vintage: 'all' })).toEqual(answered);
      const attached = await snapshot.withConnection(
        async (connection) =>
          (await connection.runAndReadAll("select count(*) from duckdb_databases() where database_name = 'served'")).getRows()[0]?.[0],
      );
      expect([Number(attached), snapshot.packs === null]).toEqual(index === 0 ? [0, false] : [1, true]);
      await pipeline.publish();
      expect(readFileSync(path).equals(good) || index === 0).toBe(true);
      await store.follow();
      expect(store.readiness().warnings).toEqual([]);
      expect((await served())?.packs).not.toBeNull();
    },
  );

  it('without its seal is not read, and is rewritten', async () => {
    rmSync(sealFile(pipeline.paths, second.snapshotId));
    await store.follow();
    expect([(await served())?.packs, store.readiness().warnings.length]).toEqual([null, 1]);
    await pipeline.publish();
    expect(existsSync(sealFile(pipeline.paths, second.snapshotId))).toBe(true);
  });

  it('holds every table that is not in memory, so no answer reads a file without checksums', async () => {
    await store.follow();
    const snapshot = await served();
    const views = await snapshot?.withConnection(async (connection) =>
      (
        await connection.runAndReadAll(
          "select view_name from duckdb_views() where schema_name = 'published' and contains(sql, 'read_parquet')",
        )
      ).getRows(),
    );
    expect(views).toEqual([]);
  });
});

describe('a file that is damaged under a running server', () => {
  const found: string[] = [];
  let paused = 0;
  const scrub = () =>
    openScrubber(store, {
      seconds: 100,
      pause: async (milliseconds) => (paused += milliseconds),
      onDamage: (_, file) => found.push(file),
    });
  beforeEach(async () => {
    found.length = 0;
    paused = 0;
    await pipeline.publish();
    await store.follow();
  });
  const answers = async () => {
    const snapshot = await served();
    if (snapshot === null) throw new Error('nothing is served');
    return ask(snapshot, {}, { vintage: 'all' });
  };

  /** How often nothing was served while a snapshot was reopened. */
  const unansweredDuring = async (work: Promise<unknown>) => {
    const state = { isDone: false };
    let unanswered = 0;
    const ended = work.finally(() => (state.isDone = true));
    while (!state.isDone) {
      if ((await served()) === null) unanswered += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await ended;
    return unanswered;
  };

  it('is looked for at a limited rate: one round reads a whole snapshot once and changes nothing', async () => {
    const reader = await served();
    const bytes = await scrub().round();
    const sizes = [
      ...second.resources.map((one) => one.bytes),
      ...[servedFile, packsFile].map((of) => statSync(of(pipeline.paths, second.snapshotId)).size),
    ];
    expect(bytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
    expect(paused / 1000).toBeCloseTo(bytes / Math.max(bytes / 100, 1 << 20), 3);
    expect([await served(), found]).toEqual([reader, []]);
  });

  it('is not assumed if this process cannot open more files', async () => {
    const reader = await served();
    const { open } = promises;
    Object.assign(promises, { open: () => Promise.reject(Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })) });
    syncBuiltinESMExports();
    try {
      await expect(scrub().round()).rejects.toThrow(/^EMFILE/);
    } finally {
      Object.assign(promises, { open });
      syncBuiltinESMExports();
    }
    expect([await served(), found]).toEqual([reader, []]);
  });

  it('of the snapshot is reported once; the intact copy answers, with a warning, until the next run', async () => {
    const scrubber = scrub();
    flip(fileOf('events'));
    expect(await unansweredDuring(scrubber.round())).toBe(0);
    await scrubber.round();
    expect(found).toEqual([second.resources.find(({ table }) => table === 'events')?.path]);
    expect(await answers()).toEqual(answered);
    expect(store.readiness()).toMatchObject({
      isReady: true,
      warnings: [expect.stringMatching(/Until then its copy for servers answers/)],
    });
    await pipeline.publish();
    expect(await unansweredDuring(store.follow())).toBe(0);
    expect([store.readiness().warnings, await answers()]).toEqual([[], answered]);
  });

  it('of the copy is never an answer: its blocks have checksums, and the Parquet files answer instead', async () => {
    const path = servedFile(pipeline.paths, second.snapshotId);
    const bytes = readFileSync(path);
    for (let at = 12_288; at < bytes.length; at += 997) bytes[at] = (bytes[at] ?? 0) ^ 4;
    writeFileSync(path, bytes);
    const before = await answers().catch(() => 'an error');
    expect([answered, 'an error']).toContainEqual(before);
    await scrub().round();
    expect(found).toEqual([`served/${second.snapshotId}.duckdb`]);
    expect(await answers()).toEqual(answered);
    expect(store.readiness().warnings).toEqual([expect.stringMatching(/^The copy of snapshot/)]);
  });

  it('whose copy is deleted keeps answering while the snapshot is reopened', async () => {
    rmSync(servedFile(pipeline.paths, second.snapshotId));
    expect(await unansweredDuring(scrub().round())).toBe(0);
    expect(found).toEqual([`served/${second.snapshotId}.duckdb`]);
    expect(await answers()).toEqual(answered);
  });

  it('is not reported if a newer snapshot has replaced it and its copy was deleted', async () => {
    const reader = await served();
    const pointer = readFileSync(pipeline.paths.pointer);
    const copy = servedFile(pipeline.paths, second.snapshotId);
    const aside = `${copy}.aside`;
    const newer = `snap_${'f'.repeat(20)}`;
    const text = JSON.stringify({ ...second, snapshotId: newer });
    writeFileSync(pipeline.paths.manifest(newer), text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    renameSync(copy, aside);
    writeFileSync(pipeline.paths.pointer, JSON.stringify({ snapshotId: newer, manifest: `manifests/${newer}.json`, sha256 }));
    try {
      await scrub().round();
      expect([await served(), found]).toEqual([reader, []]);
    } finally {
      rmSync(pipeline.paths.manifest(newer));
      renameSync(aside, copy);
      writeFileSync(pipeline.paths.pointer, pointer);
    }
  });

  it('of a snapshot without a copy closes the snapshot: an older whole one answers, or none, never the damaged one', async () => {
    for (const file of [servedFile, packsFile, sealFile]) rmSync(file(pipeline.paths, second.snapshotId));
    await store.distrust(second.snapshotId, true);
    const opening = (await served())?.opening ?? 0;
    flip(fileOf('entities'));
    await scrub().round();
    expect((await served())?.snapshotId).not.toBe(second.snapshotId);
    await pipeline.publish();
    await store.follow();
    expect((await served())?.snapshotId).toBe(second.snapshotId);
    expect((await served())?.opening).toBeGreaterThan(opening);
    expect(await answers()).toEqual(answered);
  });
});
