// A store of objects, as a folder and as a bucket of a real S3 server: one contract for both.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { partBytesOf } from '../../src/objects/s3.ts';
import { openObjects } from '../../src/objects/open.ts';
import { type ObjectStore } from '../../src/objects/store.ts';
import { bucketStore, folderStore, hasBucket, NO_BUCKET, type TestedStore, withEnvironment } from './stores.ts';
import { KnownError } from '../../src/known-error.ts';

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe.each([
  ['a folder', folderStore, true],
  ['a bucket', bucketStore, hasBucket],
] as const)('%s as a store', (_, start, isThere) => {
  let tested: TestedStore | null = null;
  let restore: () => void = () => undefined;
  let files: string;
  let store: ObjectStore;
  beforeAll(async () => {
    if (!isThere) return;
    tested = await start();
    restore = withEnvironment(tested.environment);
    files = mkdtempSync(join(tmpdir(), 'asof-objects-files-'));
  });
  afterAll(async () => {
    restore();
    await tested?.stop();
    if (files !== undefined) rmSync(files, { recursive: true, force: true });
  });
  beforeEach(async (context) => {
    if (tested === null) return context.skip(NO_BUCKET);
    store = await openObjects(tested.fresh());
  });
  const fileOf = (name: string, bytes: string | Uint8Array) => {
    writeFileSync(join(files, name), bytes);
    return [join(files, name), sha256(bytes)] as const;
  };
  const versionOf = async (name: string) => (await store.read(name))?.version ?? null;

  it('has nothing at first', async () => {
    expect(await store.list('files/')).toEqual([]);
    expect(await store.read('current.json')).toBeNull();
    expect(await store.download('files/none', join(files, 'none'))).toBeNull();
    await store.remove(['files/none']);
    await store.sweep(Date.now());
  });

  it('returns the stored bytes, and never reuses a name', async () => {
    expect(await store.upload('files/a', ...fileOf('a', 'first'))).toBe(true);
    expect(await store.upload('files/a', ...fileOf('b', 'second'))).toBe(false);
    expect(await store.download('files/a', join(files, 'back'))).toBe(sha256('first'));
    expect(readFileSync(join(files, 'back'), 'utf8')).toBe('first');
    expect(await store.read('files/a')).toMatchObject({ text: 'first' });
  });

  it('stores large files in parts, once and complete', async () => {
    const bytes = Buffer.alloc(40 * 1024 * 1024, 'asof ');
    bytes.writeUInt32LE(7, 33_333_333);
    const file = fileOf('large', bytes);
    expect(await store.upload('files/large', ...file)).toBe(true);
    expect(await store.upload('files/large', ...file)).toBe(false);
    expect(await store.list('files/')).toMatchObject([{ name: 'files/large', bytes: bytes.length }]);
    expect(await store.download('files/large', join(files, 'large back'))).toBe(file[1]);
  });

  it('lists the files of one folder with name and size', async () => {
    await store.upload('files/one', ...fileOf('one', '1'));
    await store.upload('files/two', ...fileOf('two', '22'));
    await store.commit('current.json', '{}', null);
    const listed = await store.list('files/');
    expect(Object.fromEntries(listed.map(({ name, bytes }) => [name, bytes]))).toEqual({ 'files/one': 1, 'files/two': 2 });
    for (const { writtenAt } of listed) expect(Math.abs(writtenAt - Date.now())).toBeLessThan(60_000);
    expect((await store.list('manifests/')).length).toBe(0);
    await store.remove(['files/one', 'current.json']);
    expect((await store.list('files/')).map((one) => one.name)).toEqual(['files/two']);
    expect(await store.read('current.json')).toBeNull();
  });

  it('replaces a text only if it is unchanged since the read', async () => {
    expect(await store.commit('current.json', 'a', 'never was')).toBe(false);
    expect(await store.commit('current.json', 'a', null)).toBe(true);
    expect(await store.commit('current.json', 'b', null)).toBe(false);
    const first = await versionOf('current.json');
    expect(await store.commit('current.json', 'b', first)).toBe(true);
    expect(await store.commit('current.json', 'c', first)).toBe(false);
    expect(await store.read('current.json')).toMatchObject({ text: 'b' });
    expect(await store.read('current.json', await versionOf('current.json'))).toBe('unchanged');
    expect(await store.read('current.json', first)).toMatchObject({ text: 'b' });
  });

  it('gives complete texts while they are replaced', async () => {
    await store.commit('current.json', 'text 0', null);
    const seen: (string | undefined)[] = [];
    const writing = new AbortController();
    const reading = (async () => {
      while (!writing.signal.aborted) seen.push((await store.read('current.json'))?.text);
    })();
    for (let no = 1; no <= 60; no += 1)
      expect(await store.commit('current.json', `text ${no}`, (await store.read('current.json'))?.version ?? null)).toBe(true);
    writing.abort();
    await reading;
    expect(seen.length).toBeGreaterThan(10);
    expect(seen.filter((text) => !/^text \d+$/.test(text ?? ''))).toEqual([]);
  });

  it('lets only one of many writers win at the same version', async () => {
    for (const version of [null, 'read'] as const) {
      const known = version === null ? null : await versionOf('current.json');
      const outcomes = await Promise.all(Array.from({ length: 20 }, (__, n) => store.commit('current.json', `${version} ${n}`, known)));
      const winner = outcomes.indexOf(true);
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(await store.read('current.json')).toMatchObject({ text: `${version} ${winner}` });
    }
    const file = fileOf('raced', 'the same');
    const uploads = await Promise.all(Array.from({ length: 20 }, () => store.upload('files/raced', ...file)));
    expect(uploads.filter(Boolean)).toHaveLength(1);
  });
});

describe('an unreachable store', () => {
  const REFUSING = {
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9',
  };

  it('is reported with its address and a remedy, and no secret', async () => {
    const restore = withEnvironment(REFUSING);
    const store = await openObjects('s3://published/nights');
    const error: unknown = await store.read('current.json').catch((thrown: unknown) => thrown);
    restore();
    expect(error).toBeInstanceOf(KnownError);
    expect(String(error)).toMatch(/s3:\/\/published\/nights cannot be used: .*ECONNREFUSED.*AWS_ENDPOINT_URL_S3/);
  });

  it('is reported for a folder, too', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'asof-objects-')), 'a file');
    writeFileSync(file, '');
    const store = await openObjects(`file://${file}`);
    await expect(store.commit('current.json', '', null)).rejects.toThrow(KnownError);
    await expect(store.commit('current.json', '', null)).rejects.toThrow(/A part of its path is a file|cannot be used/);
  });

  it.runIf(hasBucket)('is a missing bucket, or one that refuses the credentials', async () => {
    const tested = await bucketStore();
    const ask = async (url: string, more: Readonly<Record<string, string>> = {}) => {
      const restore = withEnvironment({ ...tested.environment, ...more });
      const store = await openObjects(url);
      const error: unknown = await store.list('files/').catch((thrown: unknown) => thrown);
      restore();
      return String(error);
    };
    expect(await ask('s3://unmade/nights')).toMatch(/the bucket does not exist. Create it, or correct SNAPSHOT_URL/);
    expect(await ask('s3://published/nights', { AWS_SECRET_ACCESS_KEY: 'wrong' })).toMatch(/refuses the credentials/);
    expect(await ask('s3://published/nights', { AWS_ACCESS_KEY_ID: 'nobody' })).toMatch(/access key/i);
    expect(await ask('s3://published/nights', { AWS_REGION: 'eu-central-1' })).toMatch(/expecting "us-east-1".* Correct AWS_REGION/);
    await tested.stop();
  });
});

it('sends a file of any supported size in at most ten thousand parts, each of at least 16 MiB', () => {
  const MiB = 1024 * 1024;
  const client = readFileSync(new URL('../../node_modules/@aws-sdk/lib-storage/dist-es/Upload.js', import.meta.url), 'utf8');
  expect(client).toContain('MAX_PARTS = 10_000;');
  expect([1, 16 * MiB, 160_000 * MiB].map(partBytesOf)).toEqual([16 * MiB, 16 * MiB, 16 * MiB]);
  for (const size of [160_000 * MiB + 1, 5e12]) {
    expect(partBytesOf(size)).toBeGreaterThan(16 * MiB);
    expect(Math.ceil(size / partBytesOf(size))).toBeLessThanOrEqual(10_000);
  }
});
