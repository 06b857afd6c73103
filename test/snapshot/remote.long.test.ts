// Snapshots in a store, and servers' folders that follow them: what is there is whole, one writer wins, and a failure anywhere leaves what was.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openObjects } from '../../src/objects/open.ts';
import type { ObjectStore } from '../../src/objects/store.ts';
import { readCurrent, readManifest, type SnapshotPaths, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { publish } from '../../src/snapshot/build/publish.ts';
import { type Replica, openReplica } from '../../src/snapshot/remote/replica.ts';
import { push, pushFile } from '../../src/snapshot/remote/push.ts';
import { sealCopies, sealedCopies, verifyCopies } from '../../src/snapshot/server-copy.ts';
import { readStamps } from '../../src/snapshot/stamps.ts';
import { cutProxy } from '../objects/cut.ts';
import { bucketStore, folderStore, hasBucket, NO_BUCKET, type TestedStore, withEnvironment } from '../objects/stores.ts';
import { isLong } from '../suite.ts';
import { sha256, writeCandidate } from './written.ts';

const DAY = 24 * 3600 * 1000;
const now = Date.now();
const HOUR = 3_600_000;
let base: string;
let folders = 0;
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'asof-remote-'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));
const place = () => {
  folders += 1;
  return snapshotPaths(join(base, String(folders)));
};

/** A night of a machine: its snapshot published there, with copies for servers. */
async function night(paths: SnapshotPaths, bodies: Readonly<Record<string, string>>): Promise<string> {
  const { snapshotId } = writeCandidate(paths, bodies);
  const [database, packs] = [`database of ${snapshotId}`, `packs of ${snapshotId}`];
  writeFileSync(join(paths.served, `${snapshotId}.duckdb`), database);
  writeFileSync(join(paths.served, `${snapshotId}.packs`), packs);
  const sealed = (text: string) => ({ bytes: Buffer.byteLength(text), sha256: sha256(text) });
  await sealCopies(paths, snapshotId, { database: sealed(database), packs: sealed(packs) });
  await publish(paths, 3, { isLossAccepted: true });
  return snapshotId;
}
const send = (paths: SnapshotPaths, store: ObjectStore, more: Partial<Parameters<typeof push>[2]> = {}) =>
  push(paths, store, { keep: 3, now, ...more });
const replicaOf = (store: ObjectStore, paths: SnapshotPaths, more: Partial<Parameters<typeof openReplica>[1]> = {}): Replica =>
  openReplica(store, { paths, own: null, beside: {}, now: () => now, ...more });

/** The snapshot that a folder names, every file of which is there and as it was written; null where it names none. */
async function wholeIn(paths: SnapshotPaths): Promise<string | null> {
  const manifest = await readCurrent(paths);
  if (manifest === null) return null;
  for (const { path, hash } of manifest.resources) expect(`sha256:${sha256(readFileSync(join(paths.root, path)))}`).toBe(hash);
  expect(await verifyCopies(paths, manifest.snapshotId)).toMatchObject({ isDatabaseWhole: true, arePacksWhole: true });
  return manifest.snapshotId;
}

/** The store, with what is asked of it. */
function counted(store: ObjectStore): { readonly store: ObjectStore; readonly asked: string[] } {
  const asked: string[] = [];
  const wrapped = Object.fromEntries(
    Object.entries(store).map(([name, value]: [string, unknown]) => {
      if (typeof value !== 'function') return [name, value];
      return [name, (...given: unknown[]) => (asked.push(`${name} ${String(given[0])}`), Reflect.apply(value, store, given) as unknown)];
    }),
  );
  return { store: wrapped as unknown as ObjectStore, asked };
}

describe.each([
  ['a folder', folderStore, true],
  ['a bucket', bucketStore, hasBucket && isLong],
] as const)('snapshots in %s', (_, start, isThere) => {
  let tested: TestedStore | null = null;
  let restore: () => void = () => undefined;
  let store: ObjectStore;
  let maker: SnapshotPaths;
  let follower: SnapshotPaths;
  beforeAll(async () => {
    if (!isThere) return;
    tested = await start();
    restore = withEnvironment(tested.environment);
  });
  afterAll(async () => {
    restore();
    await tested?.stop();
  });
  beforeEach(async (context) => {
    if (tested === null) return context.skip(hasBucket ? 'takes long: npm run test:long' : NO_BUCKET);
    store = await openObjects(tested.fresh());
    [maker, follower] = [place(), place()];
  });

  it('are followed: files, copies for servers and manifest arrive unchanged', async () => {
    const id = await night(maker, { series: 'one', vintages: 'two' });
    expect(await send(maker, store)).toMatchObject({ snapshotId: id, isNew: true, sentFiles: 4, keptSnapshots: [id] });
    await replicaOf(store, follower).follow();
    expect(await wholeIn(follower)).toBe(id);
    expect(readFileSync(follower.manifest(id), 'utf8')).toBe(readFileSync(maker.manifest(id), 'utf8'));
    expect(await readManifest(follower.manifest(id))).toEqual(await readManifest(maker.manifest(id)));
  });

  it('are sent once: a second push sends nothing, and a new night sends only new files', async () => {
    await night(maker, { series: 'one', vintages: 'two' });
    await send(maker, store);
    expect(await send(maker, store)).toMatchObject({ isNew: false, sentFiles: 0, sentBytes: 0 });
    await night(maker, { series: 'one', vintages: 'three' });
    expect(await send(maker, store)).toMatchObject({ isNew: true, sentFiles: 3 });
  });

  it('need not be read in full when they are opened: a fetched file counts as verified, a touched one does not', async () => {
    const server = follower;
    await night(maker, { a: '1', b: '2' });
    await send(maker, store);
    await replicaOf(store, server).follow();
    const filesAndStamps = async () => {
      const manifest = await readCurrent(server);
      if (manifest === null) throw new Error('nothing came');
      const isStamped = await readStamps(server, manifest.snapshotId);
      const resources = manifest.resources.map(({ path, hash }) => ({
        path: join(server.root, path),
        sha256: hash.replace('sha256:', ''),
      }));
      const files = [...resources, ...(await sealedCopies(server, manifest.snapshotId))];
      return files.map(({ path, sha256: own }) => ({ path, isStamped: isStamped(path, own) }));
    };
    const came = await filesAndStamps();
    expect(came.map(({ isStamped }) => isStamped)).toEqual(came.map(() => true));
    expect(came.length).toBeGreaterThan(3);
    const touched = came[0]?.path ?? '';
    writeFileSync(touched, readFileSync(touched));
    expect((await filesAndStamps()).filter(({ isStamped }) => !isStamped).map(({ path }) => path)).toEqual([touched]);
    // Another server begins: it reads what is there, and knows it.
    await replicaOf(store, server).follow();
    expect((await filesAndStamps()).filter(({ isStamped }) => !isStamped)).toEqual([]);
  });

  it('cost one request if nothing is new, and only the missing files otherwise', async () => {
    await night(maker, { series: 'one', vintages: 'two' });
    await send(maker, store);
    const { store: watched, asked } = counted(store);
    const replica = replicaOf(watched, follower);
    await replica.follow();
    expect(asked.filter((one) => one.startsWith('download'))).toHaveLength(4);
    asked.length = 0;
    await replica.follow();
    expect(asked).toEqual(['read current.json']);
    const id = await night(maker, { series: 'one', vintages: 'three' });
    await send(maker, store);
    asked.length = 0;
    await replica.follow();
    expect(await wholeIn(follower)).toBe(id);
    expect(asked.filter((one) => one.startsWith('download'))).toHaveLength(3);
  });

  it('stay for open cursors, as many as are kept; unreferenced objects go after a day', async () => {
    const ids: string[] = [];
    for (const body of ['1', '2', '3', '4', '5']) {
      ids.push(await night(maker, { series: body }));
      await send(maker, store);
    }
    expect(await send(maker, store)).toMatchObject({ keptSnapshots: ids.slice(2).toReversed(), removedObjects: 0 });
    const clock = { now };
    const replica = replicaOf(store, follower, { now: () => clock.now });
    await replica.follow();
    expect(
      readdirSync(follower.manifests)
        .filter((name) => name.endsWith('.json'))
        .sort(),
    ).toEqual(
      ids
        .slice(2)
        .map((id) => `${id}.json`)
        .sort(),
    );
    expect(readdirSync(follower.files)).toHaveLength(3);
    expect(readdirSync(follower.served)).toHaveLength(8);
    // Two manifests, two tables and three times two copies.
    expect(await send(maker, store, { now: now + 2 * DAY })).toMatchObject({ removedObjects: 10 });
    const another = place();
    await replicaOf(store, another).follow();
    expect(await wholeIn(another)).toBe(ids.at(-1));
    await send(maker, store, { keep: 2, isVerifying: true });
    replica.distrust();
    await replica.follow();
    // Another server of the folder may just be fetching it.
    expect(readdirSync(follower.files)).toHaveLength(3);
    clock.now += 2 * HOUR;
    replica.distrust();
    await replica.follow();
    expect(readdirSync(follower.files)).toHaveLength(2);
  });

  it('belong to one machine, and another machine replaces them only on request', async () => {
    const other = place();
    const [theirs, ours] = [await night(other, { series: 'theirs' }), await night(maker, { series: 'ours' })];
    await send(other, store);
    await expect(send(maker, store)).rejects.toThrow(new RegExp(`has ${theirs}, which another machine published.*push -- --replace`));
    await replicaOf(store, follower).follow();
    expect(await wholeIn(follower)).toBe(theirs);
    expect(await send(maker, store, { isReplacing: true })).toMatchObject({ snapshotId: ours, keptSnapshots: [ours, theirs] });
    await replicaOf(store, follower).follow();
    expect(await wholeIn(follower)).toBe(ours);
  });

  it('of a machine that did not reach the store for many nights still belong to it', async () => {
    await night(maker, { series: '0' });
    await send(maker, store);
    for (const body of ['1', '2', '3', '4', '5']) await night(maker, { series: body });
    expect(await send(maker, store)).toMatchObject({ isNew: true });
  });

  it('sent by two machines at once: one wins, the other gets an error', async () => {
    const makers = [maker, place(), place(), place()];
    const ids = await Promise.all(makers.map((paths, n) => night(paths, { series: `night ${n}` })));
    const outcomes = await Promise.allSettled(makers.map((paths) => send(paths, store)));
    const won = outcomes.flatMap(({ status }, n) => (status === 'fulfilled' ? [ids[n]] : []));
    expect(won).toHaveLength(1);
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect(refused.filter((reason) => !/Another machine published|which another machine published/.test(reason))).toEqual([]);
    await replicaOf(store, follower).follow();
    expect(await wholeIn(follower)).toBe(won[0]);
  });

  it('that are damaged in the store are not used: the one before stays, and a verifying push repairs them', async () => {
    const first = await night(maker, { series: 'one' });
    await send(maker, store);
    const replica = replicaOf(store, follower);
    await replica.follow();
    const second = await night(maker, { series: 'two' });
    const [resource] = (await readCurrent(maker))?.resources ?? [];
    const name = resource?.path ?? '';
    const wrong = join(base, 'wrong');
    writeFileSync(wrong, 'tow');
    await store.upload(name, wrong, sha256('tow'));
    await send(maker, store);
    await expect(replica.follow()).rejects.toThrow(
      `${store.address}/${name} is missing or does not have its hash. Run npm run push -- --verify`,
    );
    expect(await wholeIn(follower)).toBe(first);
    expect(await send(maker, store, { isVerifying: true })).toMatchObject({ sentFiles: 1 });
    await replica.follow();
    expect(await wholeIn(follower)).toBe(second);
    expect(readdirSync(follower.staging)).toEqual([]);
  });

  it('whose manifest is damaged in the store are not used either', async () => {
    const id = await night(maker, { series: 'one' });
    await send(maker, store);
    const [manifest = { name: '' }] = await store.list('manifests/');
    const there = await store.read(manifest.name);
    const wrong = join(base, 'wrong manifest');
    writeFileSync(wrong, there?.text.replace('2024', '2025') ?? '');
    await store.remove([manifest.name]);
    await store.upload(manifest.name, wrong, sha256(readFileSync(wrong)));
    await expect(replicaOf(store, follower).follow()).rejects.toThrow(/manifests\/.* is missing or damaged/);
    expect(await wholeIn(follower)).toBeNull();
    await send(maker, store, { isVerifying: true });
    await replicaOf(store, follower).follow();
    expect(await wholeIn(follower)).toBe(id);
  });

  it('are fetched again if the following folder was damaged', async () => {
    const id = await night(maker, { series: 'one', vintages: 'two' });
    await send(maker, store);
    const replica = replicaOf(store, follower);
    await replica.follow();
    const [first = '', second = ''] = readdirSync(follower.files);
    writeFileSync(join(follower.files, first), 'eno');
    rmSync(join(follower.files, second));
    writeFileSync(join(follower.served, `${id}.packs`), 'x');
    replica.distrust();
    await replica.follow();
    expect(await wholeIn(follower)).toBe(id);
    writeFileSync(join(follower.files, first), 'eno');
    // A server that starts has not looked at anything yet.
    await replicaOf(store, follower).follow();
    expect(await wholeIn(follower)).toBe(id);
  });

  it('of this machine are linked, not fetched', async () => {
    const id = await night(maker, { series: 'one' });
    await send(maker, store);
    const { store: watched, asked } = counted(store);
    await replicaOf(watched, follower, { own: maker }).follow();
    expect(asked.filter((one) => one.startsWith('download'))).toEqual([]);
    expect(await wholeIn(follower)).toBe(id);
  });

  it('of another release are not fetched', async () => {
    const first = await night(maker, { series: 'one' });
    await send(maker, store);
    const replica = replicaOf(store, follower);
    await replica.follow();
    const found = await store.read('current.json');
    const manifest = await store.read((JSON.parse(found?.text ?? '') as { manifest: string }).manifest);
    const text = (manifest?.text ?? '')
      .replace(/"schemaVersion": "\d+"/, '"schemaVersion": "99"')
      .replaceAll(first, 'snap_of_then')
      .replace('"resources"', '"more": 1, "resources"');
    const pointer = { snapshotId: 'snap_of_then', manifest: 'manifests/of-then.json', sha256: sha256(text), copies: null, kept: [] };
    await store.commit(pointer.manifest, text, null);
    await store.commit('current.json', JSON.stringify(pointer), found?.version ?? null);
    await expect(replica.follow()).rejects.toThrow(/Another release built/);
    expect(await wholeIn(follower)).toBe(first);
  });

  it('come with keys and grants, which are followed as they change and go', async () => {
    await night(maker, { series: 'one' });
    await send(maker, store);
    const dataDir = join(maker.root, '..');
    const keys = join(dataDir, 'keys.json');
    const copy = join(follower.root, '..', 'keys.json');
    const replica = replicaOf(store, follower, { beside: { 'keys.json': copy } });
    await replica.follow();
    expect(existsSync(copy)).toBe(false);
    writeFileSync(keys, 'first');
    expect(await pushFile(store, keys)).toBe(true);
    expect(await pushFile(store, keys)).toBe(false);
    await replica.follow();
    expect(readFileSync(copy, 'utf8')).toBe('first');
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    writeFileSync(keys, 'second');
    await pushFile(store, keys);
    await replica.follow();
    expect(readFileSync(copy, 'utf8')).toBe('second');
    // A store that has lost everything, as a folder that is not mounted, takes no keys away.
    const lost = { ...store, read: (async () => null) as ObjectStore['read'] };
    await expect(replicaOf(lost, follower, { beside: { 'keys.json': copy } }).follow()).rejects.toThrow(/nothing was published there/);
    expect(readFileSync(copy, 'utf8')).toBe('second');
    rmSync(keys);
    expect(await pushFile(store, keys)).toBe(true);
    await replica.follow();
    expect(existsSync(copy)).toBe(false);
  });

  it('are reported missing if there are none, here and in the store', async () => {
    await expect(send(maker, store)).rejects.toThrow('There is no snapshot to send. Run: npm run nightly.');
    await expect(replicaOf(store, follower).follow()).rejects.toThrow(/has no current.json: nothing was published there/);
  });
});

describe('a store that fails at any call', () => {
  /** Fails from the `from`-th call on, before the call or after it has done its work. */
  const failing = (store: ObjectStore, from: number, at: 'before' | 'after') => {
    let calls = 0;
    const wrapped = Object.fromEntries(
      Object.entries(store).map(([name, value]: [string, unknown]) => {
        if (typeof value !== 'function' || name === 'close') return [name, value];
        const call = async (...given: unknown[]) => {
          const isCut = calls >= from;
          calls += 1;
          if (isCut && at === 'before') throw new Error('cut');
          const result: unknown = await Reflect.apply(value, store, given);
          if (isCut) throw new Error('cut');
          return result;
        };
        return [name, call];
      }),
    );
    return { store: wrapped as unknown as ObjectStore, calls: () => calls };
  };

  it.each(isLong ? (['before', 'after'] as const) : (['after'] as const))(
    'leaves the old state or the new one, and a second push completes it (cut %s each call)',
    async (at) => {
      const tested = await folderStore();
      const maker = place();
      const first = await night(maker, { series: 'one', vintages: 'two' });
      const places: string[] = [];
      let second = '';
      for (let from = 0; ; from += isLong ? 1 : 7) {
        const url = tested.fresh();
        const store = await openObjects(url);
        mkdirSync(fileURLToPath(url), { recursive: true });
        if (second === '') await send(maker, store);
        else {
          // The first night once more, from a machine like it.
          const before = place();
          await night(before, { series: 'one', vintages: 'two' });
          await send(before, store);
        }
        if (second === '') second = await night(maker, { series: 'one', vintages: 'three' });
        const cut = failing(store, from, at);
        const outcome = await send(maker, cut.store).then(
          () => 'sent',
          () => 'cut',
        );
        const follower = place();
        await replicaOf(store, follower).follow();
        const seen = await wholeIn(follower);
        places.push(`${outcome} ${seen === first ? 'first' : seen === second ? 'second' : 'third'}`);
        expect(await send(maker, store)).toMatchObject({ snapshotId: second });
        await replicaOf(store, follower).follow();
        expect(await wholeIn(follower)).toBe(second);
        if (cut.calls() <= from) break;
      }
      expect(new Set(places)).toEqual(new Set(['cut first', 'cut second', 'sent second']));
      expect(places.at(-1)).toBe('sent second');
      await tested.stop();
    },
  );

  it('leaves the following folder unchanged, and the next look completes it', async () => {
    const tested = await folderStore();
    const store = await openObjects(tested.fresh());
    const maker = place();
    const first = await night(maker, { series: 'one', vintages: 'two' });
    await send(maker, store);
    const seen: (string | null)[] = [];
    const followers: SnapshotPaths[] = [];
    for (let n = 0; n < (isLong ? 20 : 9); n += 1) {
      const follower = place();
      await replicaOf(store, follower).follow();
      followers.push(follower);
    }
    const second = await night(maker, { series: 'three', vintages: 'four' });
    await send(maker, store);
    for (const [at, follower] of followers.entries()) {
      const cut = failing(store, isLong ? at : 2 * at, 'before');
      const replica = replicaOf(cut.store, follower);
      await replica.follow().catch(() => undefined);
      seen.push(await wholeIn(follower));
      await replicaOf(store, follower).follow();
      expect(await wholeIn(follower)).toBe(second);
      expect(readdirSync(follower.staging)).toEqual([]);
    }
    expect(new Set(seen)).toEqual(new Set([first, second]));
    await tested.stop();
  });
});

describe('a connection to a bucket that is cut', () => {
  let tested: TestedStore | null = null;
  afterEach(async () => {
    await tested?.stop();
    tested = null;
  });

  it.runIf(hasBucket && isLong).each(['before', 'after'] as const)(
    'at any request, %s it is carried out, leaves the old state or the new one',
    { timeout: 300_000 },
    async (at) => {
      tested = await bucketStore();
      const proxy = await cutProxy(tested.port ?? 0);
      const restore = withEnvironment({
        ...tested.environment,
        AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${proxy.port}`,
        AWS_MAX_ATTEMPTS: '1',
      });
      const first = place();
      const ids = [await night(first, { series: 'one' }), ''];
      const maker = place();
      await night(maker, { series: 'one' });
      ids[1] = await night(maker, { series: 'two' });
      const seen = new Set<string>();
      for (let from = 0; ; from += 1) {
        const url = tested.fresh();
        const store = await openObjects(url);
        proxy.cut(0, at, 0);
        await send(first, store);
        proxy.cut(from, at);
        await send(maker, store).catch(() => undefined);
        const isOver = proxy.count() <= from;
        proxy.cut(0, at, 0);
        const follower = place();
        await replicaOf(store, follower).follow();
        const id = await wholeIn(follower);
        expect(ids).toContain(id);
        seen.add(id ?? '');
        expect(await send(maker, store)).toMatchObject({ snapshotId: ids[1] });
        await replicaOf(store, follower).follow();
        expect(await wholeIn(follower)).toBe(ids[1]);
        store.close();
        if (isOver) break;
      }
      expect(seen).toEqual(new Set(ids));
      restore();
      await proxy.stop();
    },
  );
});
