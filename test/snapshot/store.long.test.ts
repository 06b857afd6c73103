// What a server follows: a new snapshot when it stands, the old one until then and for the walks that still read it.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Manifest } from '../../src/model/manifest.ts';
import { readManifest, type SnapshotPaths, snapshotPaths } from '../../src/snapshot/manifest.ts';
import type { SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import { type FollowedStore, openStore } from '../../src/snapshot/serving/store.ts';
import { fredMdFile, openPipeline, type Pipeline } from '../pipeline.ts';
import { traced } from '../disk/disk-calls.ts';
import { sha256 } from './written.ts';

/** Rounds for which nobody reads an older snapshot before it is closed, and how many may stay open: as the module says of itself. */
const ROUNDS = 60;
const MOST = 2;

let pipeline: Pipeline;
let whole: Manifest;
let store: FollowedStore;
let errors: string[];
beforeAll(async () => {
  pipeline = await openPipeline();
  await pipeline.run(fredMdFile('2020-05', { PAYEMS: { '2020-03': 100, '2020-04': 131 } }), '2021-01-01T00:00:00.000Z');
  const manifest = await pipeline.current();
  // As few as open: each snapshot is opened many times here.
  const needed = [
    'series',
    'latest',
    'vintages',
    'entities',
    'ticker_holders',
    'aliases',
    'countries',
    'canonical_indicators',
    'runs',
    'companies',
    'events',
    'sources',
    'cadence_budgets',
    'event_cadences',
    'consensus',
  ];
  whole = { ...manifest, resources: manifest.resources.filter(({ table }) => needed.includes(table)) };
  rmSync(pipeline.paths.served, { recursive: true });
});
afterAll(() => pipeline.remove());
beforeEach(() => {
  errors = [];
  store = openOver([pipeline.paths]);
});
afterEach(() => store.close());

const openOver = (candidates: readonly SnapshotPaths[]) =>
  openStore(candidates, { limits: pipeline.workspace.limits('serve'), connections: 1 }, (error) => errors.push(String(error)));
const idOf = (letter: string) => `snap_${letter.repeat(20)}`;

/** The one snapshot under another id: its files are the same, and one that is opened is opened for itself. */
function point(letter: string, change: Partial<Manifest> = {}, paths = pipeline.paths): void {
  mkdirSync(paths.manifests, { recursive: true });
  const text = JSON.stringify({ ...whole, snapshotId: idOf(letter), ...change });
  writeFileSync(paths.manifest(idOf(letter)), text);
  const pointer = { snapshotId: idOf(letter), manifest: `manifests/${idOf(letter)}.json`, sha256: sha256(text) };
  writeFileSync(`${paths.pointer}.new`, JSON.stringify(pointer));
  renameSync(`${paths.pointer}.new`, paths.pointer);
}
async function show(letter: string, change: Partial<Manifest> = {}): Promise<void> {
  point(letter, change);
  await store.follow();
}
const follow = async (rounds: number) => {
  for (let round = 0; round < rounds; round += 1) await store.follow();
};
const pinned = async (letter?: string) => {
  const one = await store.acquire(letter === undefined ? undefined : idOf(letter));
  if (one === null) throw new Error(`there is no snapshot ${letter}`);
  return one;
};
/** The reader as it is held now; opened for this question if it was closed. */
const readerOf = async (letter?: string) => {
  const { snapshot, release } = await pinned(letter);
  release();
  return snapshot;
};
const currentId = async () => (await readerOf()).snapshotId;
const countIn = (snapshot: SnapshotReader) =>
  snapshot.withConnection(async (connection) =>
    Number((await connection.runAndReadAll('select count(*) from published.vintages where inputs is null')).getRows()[0]?.[0]),
  );
const answers = (snapshot: SnapshotReader) => countIn(snapshot).then(Number, () => 'closed');

describe('a snapshot that cannot be opened', () => {
  const missing = () => ({ resources: whole.resources.map((one, index) => (index === 3 ? { ...one, path: `${one.path}.gone` } : one)) });

  const damaged: (readonly [what: string, change: Partial<Manifest>, message: RegExp])[] = [];
  beforeAll(() => {
    const other = whole.resources.map((one, index) => (index === 5 ? { ...one, hash: 'sha256:0' } : one));
    damaged.push(
      ['lacks a file', missing(), /is missing/],
      ['has a file of another hash', { resources: other }, /no longer has its hash/],
      [
        'has an earlier schema',
        { schemaVersion: '1' },
        /has schema 1, and this version reads \d+\. Run npm run derive and npm run publish/,
      ],
      // Later as a number and as text.
      ['has a later schema', { schemaVersion: '999' }, /has schema 999, and this version reads \d+/],
    );
  });

  it('keeps the old one serving, and a good one after it is opened', async () => {
    await show('a');
    const old = await readerOf();
    // It is open, whatever became of its files since.
    rmSync(pipeline.paths.manifest(idOf('a')));
    for (const [what, change, message] of damaged) {
      errors.length = 0;
      await show('b', change);
      expect([what, errors]).toEqual([what, [expect.stringMatching(message)]]);
      expect(await readerOf()).toBe(old);
      expect(await answers(old)).toBe(2);
      expect(store.readiness()).toMatchObject({ isReady: true, reason: null });
    }
    await show('c');
    expect(await currentId()).toBe(idOf('c'));
    expect(errors).toHaveLength(1);
  });

  it('is retried, and opened once its file is whole, without a new publication', async () => {
    const resource = whole.resources[4];
    const path = join(pipeline.paths.root, resource?.path ?? '');
    const bytes = readFileSync(path);
    await show('a');
    try {
      writeFileSync(path, bytes.subarray(1));
      await show('b');
      await follow(2);
      expect(errors).toEqual([expect.stringMatching(/no longer has its hash/)]); // once, however often it is tried
      expect(await currentId()).toBe(idOf('a'));
    } finally {
      writeFileSync(path, bytes);
    }
    await store.follow();
    expect(await currentId()).toBe(idOf('b'));
  });

  it('is not read again while its files stay the same, however many callers ask', async () => {
    const path = join(pipeline.paths.root, whole.resources[4]?.path ?? '');
    const bytes = readFileSync(path);
    // A wrong size is found without a read.
    const changed = Buffer.from(bytes).fill(0, 8, 9);
    expect(changed.equals(bytes)).toBe(false);
    const filesRead = async (work: () => Promise<unknown>) =>
      (await traced(pipeline.dataDir, work)).calls.filter((one) => one.call === 'read' && one.path.startsWith(pipeline.paths.files)).length;
    await show('a');
    try {
      writeFileSync(path, changed);
      point('b');
      expect(await filesRead(() => store.follow())).toBeGreaterThan(0);
      expect(await filesRead(() => follow(5))).toBe(0);
      expect(await filesRead(() => store.acquire(idOf('b')))).toBe(0);
      // The same content, but another file.
      writeFileSync(path, changed);
      expect(await filesRead(() => store.follow())).toBeGreaterThan(0);
      expect(await filesRead(() => follow(5))).toBe(0);
      await store.close();
      store = openOver([pipeline.paths]);
      expect(await filesRead(() => store.follow())).toBeGreaterThan(0);
      expect([await filesRead(() => follow(5)), store.readiness().isReady]).toEqual([0, false]);
    } finally {
      writeFileSync(path, bytes);
    }
  });

  it('as the only one leaves the service without data and with a reason, until a good one comes', async () => {
    rmSync(pipeline.paths.manifests, { recursive: true });
    await show('a', missing());
    expect(store.readiness()).toMatchObject({ isReady: false, reason: expect.stringMatching(/is missing. Run: npm run nightly/) });
    expect(await store.acquire()).toBeNull();
    await show('b');
    expect(store.readiness()).toMatchObject({ isReady: true, reason: null });
  });

  it('as an older one is refused, reported, and opened as soon as possible', async () => {
    await show('a');
    await show('b');
    point('c', missing());
    point('b');
    await store.follow();
    expect(await store.acquire(idOf('c'))).toBeNull();
    expect(errors).toEqual([expect.stringMatching(/is missing/)]);
    writeFileSync(pipeline.paths.manifest(idOf('c')), JSON.stringify({ ...whole, snapshotId: idOf('c') }));
    expect(await answers(await readerOf('c'))).toBe(2);
  });

  it('if only the copy for servers is damaged, is served from its own files', async () => {
    mkdirSync(pipeline.paths.served, { recursive: true });
    writeFileSync(join(pipeline.paths.served, `${idOf('a')}.duckdb`), 'half a co');
    await show('a');
    expect(errors).toEqual([]);
    expect(await answers(await readerOf())).toBe(2);
    rmSync(pipeline.paths.served, { recursive: true });
  });
});

describe('a snapshot that is read while others come and go', () => {
  it('is not closed while it is pinned, however long and however many others come', async () => {
    await show('a');
    const { snapshot, release } = await pinned();
    for (const letter of ['b', 'c', 'd']) await show(letter);
    await follow(3 * ROUNDS);
    expect(await answers(snapshot)).toBe(2);
    expect(await readerOf('a')).toBe(snapshot);
    release();
    await follow(ROUNDS + 1);
    expect(await answers(snapshot)).toBe('closed');
    expect(await answers(await readerOf('a'))).toBe(2);
  });

  it('stays open for a next page for a fixed number of rounds after its release', async () => {
    await show('a');
    const first = await readerOf();
    await follow(ROUNDS + 10);
    await show('b');
    // From the round in which another took its place, where nobody reads it.
    const second = await readerOf();
    await follow(ROUNDS);
    expect(await answers(first)).toBe(2);
    await follow(1);
    expect(await answers(first)).toBe('closed');
    await show('c');
    await follow(7);
    (await pinned('b')).release();
    await follow(ROUNDS);
    expect(await answers(second)).toBe(2);
    await follow(1);
    expect(await answers(second)).toBe('closed');
  });

  it('is one of at most two that stay open: the one released longest ago is closed first', async () => {
    const readers: SnapshotReader[] = [];
    for (const letter of ['a', 'b', 'c', 'd']) {
      await show(letter);
      readers.push(await readerOf());
    }
    (await pinned('a')).release(); // read last, though published first
    await follow(1);
    const open = await Promise.all(readers.map(answers));
    expect(open).toEqual([2, 'closed', 2, 2]);
    expect(open.slice(0, 3).filter((one) => one !== 'closed')).toHaveLength(MOST);
  });

  it('is released once, however often release is called', async () => {
    await show('a');
    const [one, other] = [await pinned(), await pinned()];
    one.release();
    one.release();
    await show('b');
    await follow(2 * ROUNDS);
    expect(await answers(other.snapshot)).toBe(2);
    other.release();
  });

  it('is opened once for two requests at the same time', async () => {
    await show('a');
    await show('b');
    await follow(ROUNDS + 1);
    const [one, other] = await Promise.all([pinned('a'), pinned('a')]);
    expect(one.snapshot).toBe(other.snapshot);
    one.release();
    other.release();
  });
});

describe('a pointer that is lost or damaged', () => {
  const sample = () => snapshotPaths(join(pipeline.dataDir, 'sample'));
  beforeEach(() => {
    rmSync(pipeline.paths.manifests, { recursive: true, force: true });
    mkdirSync(sample().root, { recursive: true });
    rmSync(sample().files, { force: true });
    symlinkSync(pipeline.paths.files, sample().files);
    point('e', {}, sample());
    store = openOver([pipeline.paths, sample()]);
  });

  it('keeps the open snapshot serving, never the sample, with a warning', async () => {
    await show('a');
    expect(store.readiness().warnings).toEqual([]);
    const broken: (readonly [what: string, spoil: () => void, warning: RegExp])[] = [
      ['gone', () => rmSync(pipeline.paths.pointer), /^current\.json is missing.* Run: npm run nightly\. Snapshot snap_a+ is served\.$/],
      [
        'half written',
        () => writeFileSync(pipeline.paths.pointer, '{"snap'),
        /^current\.json is damaged\. .* Snapshot snap_a+ is served\.$/,
      ],
      ['empty', () => writeFileSync(pipeline.paths.pointer, ''), /^current\.json is damaged\./],
    ];
    for (const [what, spoil, warning] of broken) {
      spoil();
      await follow(2);
      expect([what, await currentId(), store.readiness()]).toEqual([
        what,
        idOf('a'),
        { isReady: true, reason: null, paths: pipeline.paths, warnings: [expect.stringMatching(warning)] },
      ]);
    }
    await show('b');
    expect([await currentId(), store.readiness().warnings]).toEqual([idOf('b'), []]);
  });

  it('is replaced at a start by the newest whole kept snapshot', async () => {
    point('a', { created: '2021-01-01T00:00:00.000Z' });
    point('b', { created: '2021-01-02T00:00:00.000Z' });
    point('c', { created: '2021-01-03T00:00:00.000Z', resources: whole.resources.map((one) => ({ ...one, hash: 'sha256:0' })) });
    writeFileSync(pipeline.paths.manifest(idOf('d')), '{"half');
    rmSync(pipeline.paths.pointer, { force: true });
    await store.follow();
    expect(await currentId()).toBe(idOf('b'));
    expect(store.readiness().warnings).toEqual([expect.stringMatching(/^current\.json is missing.*Snapshot snap_b+ is served\.$/)]);
  });

  it('does not bring the sample if there is a lake; the sample is served if there is neither lake nor snapshot', async () => {
    rmSync(pipeline.paths.pointer, { force: true });
    const table = join(pipeline.paths.lake, 'observations', 'source_id=fred_md');
    expect(existsSync(table)).toBe(true);
    await store.follow();
    expect(store.readiness()).toMatchObject({ isReady: false, reason: expect.stringMatching(/^current\.json is missing/), paths: null });
    const nothing = snapshotPaths(join(pipeline.dataDir, 'nothing'));
    mkdirSync(join(nothing.lake, 'observations'), { recursive: true });
    store = openOver([nothing, sample()]);
    await store.follow();
    expect(store.readiness()).toMatchObject({ isReady: true, paths: { root: sample().root }, warnings: [] });
  });

  it('if it names a snapshot with a damaged file, the newest whole one before it is served until the file is whole', async () => {
    const other = whole.resources.map((one, index) => (index === 5 ? { ...one, hash: 'sha256:0' } : one));
    point('a', { created: '2021-01-01T00:00:00.000Z' });
    point('b', { created: '2021-01-02T00:00:00.000Z', resources: other });
    await store.follow();
    expect(await currentId()).toBe(idOf('a'));
    expect(store.readiness().warnings).toEqual([
      expect.stringMatching(/^Snapshot snap_b+: .* no longer has its hash.*Snapshot snap_a+ is served\.$/),
    ]);
    await show('b');
    expect([await currentId(), store.readiness().warnings]).toEqual([idOf('b'), []]);
  });
});

describe('the store that a server follows', () => {
  it('is not ready before anything is published, and gives the reason', async () => {
    const empty = snapshotPaths(join(pipeline.dataDir, 'empty'));
    store = openOver([empty]);
    await store.follow();
    expect(store.readiness()).toMatchObject({
      isReady: false,
      reason: expect.stringMatching(/^No snapshot has been published\. Load data with: npm run nightly/),
    });
    expect(await store.acquire()).toBeNull();
    expect(errors).toEqual([]);
  });

  it('reports that a snapshot is being opened, not that it is missing', async () => {
    point('a');
    expect(store.readiness().reason).toMatch(/^The snapshot is being opened/);
    const first = store.follow();
    expect(store.readiness()).toMatchObject({ isReady: false, reason: expect.stringMatching(/^The snapshot is being opened/) });
    await first;
    expect(store.readiness()).toMatchObject({ isReady: true, reason: null });
  });

  it('acquires kept snapshots by id, and nothing else', async () => {
    await show('a');
    for (const id of [idOf('f'), 'snap_', `${idOf('a')}0`, '../current', `snap_${'A'.repeat(20)}`])
      expect(await store.acquire(id)).toBeNull();
    expect(errors).toEqual([]);
    expect((await pinned('a')).snapshot).toBe(await readerOf());
  });

  it('opens a snapshot once, however often it looks', async () => {
    await show('a');
    const first = await readerOf();
    await follow(5);
    expect(await readerOf()).toBe(first);
    expect(first.manifest.snapshotId).toBe(idOf('a'));
  });

  it('uses the first folder that has a snapshot, and switches if one before it gets one', async () => {
    const real = snapshotPaths(join(pipeline.dataDir, 'real'));
    await store.close();
    point('a');
    store = openOver([real, pipeline.paths]);
    await store.follow();
    expect(await currentId()).toBe(idOf('a'));
    mkdirSync(real.root, { recursive: true });
    symlinkSync(pipeline.paths.files, real.files);
    point('b', {}, real);
    await store.follow();
    expect(await currentId()).toBe(idOf('b'));
    point('c');
    await store.follow();
    expect(await currentId()).toBe(idOf('b'));
  });

  it('closes with the service, and then has no snapshot and gives the reason', async () => {
    await show('a');
    const current = await readerOf();
    await show('b');
    await store.close();
    expect(store.readiness()).toMatchObject({ isReady: false, reason: 'The service is stopping.' });
    expect(await store.acquire()).toBeNull();
    expect(await answers(current)).toBe('closed');
    expect(existsSync(pipeline.paths.pointer)).toBe(true);
    expect((await readManifest(pipeline.paths.manifest(idOf('a'))))?.snapshotId).toBe(idOf('a'));
  });
});
