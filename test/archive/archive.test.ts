import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openArchive, type RawArchive, type ReceivedPayload } from '../../src/archive/raw-archive.ts';

const received = (key: string, text: string, retrievedAt: string): ReceivedPayload => ({
  sourceId: 'fred',
  key,
  body: new TextEncoder().encode(text),
  mediaType: 'text/csv',
  address: null,
  retrievedAt,
  httpStatus: null,
  etag: null,
  lastModified: null,
});
const MONDAY = '2021-03-01T08:00:00.000Z';
const TUESDAY = '2021-03-02T08:00:00.000Z';

describe('the raw archive', () => {
  let root: string;
  let archive: RawArchive;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'asof-archive-'));
    archive = openArchive(root);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const objects = async () => {
    const entries = await readdir(join(root, 'objects'), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  };

  it('returns the exact bytes with their description', async () => {
    const { payload, isNew } = await archive.store(received('a.csv', 'date,value\r\n\u0000', MONDAY));
    expect(isNew).toBe(true);
    expect(payload).toMatchObject({ key: 'a.csv', bytes: 13, retrievedAt: MONDAY });
    expect(new TextDecoder().decode(await archive.read(payload))).toBe('date,value\r\n\u0000');
    expect(await archive.list('fred')).toEqual([payload]);
    expect(await archive.list('another')).toEqual([]);
  });

  it('stores bytes seen before once, and keeps their first retrieval', async () => {
    const first = await archive.store(received('a.csv', 'same', MONDAY));
    const again = await archive.store(received('a.csv', 'same', TUESDAY));
    const elsewhere = await archive.store(received('b.csv', 'same', TUESDAY));
    expect([again.isNew, elsewhere.isNew]).toEqual([false, true]);
    expect(again.payload).toEqual(first.payload);
    expect(elsewhere.payload.sha256).toBe(first.payload.sha256);
    expect(await objects()).toHaveLength(1);
    expect((await archive.list('fred')).map(({ key, retrievedAt }) => [key, retrievedAt])).toEqual([
      ['a.csv', MONDAY],
      ['b.csv', TUESDAY],
    ]);
  });

  it('records a return to earlier bytes, and stores them once', async () => {
    const WEDNESDAY = '2021-03-03T08:00:00.000Z';
    const THURSDAY = '2021-03-04T08:00:00.000Z';
    const first = await archive.store(received('a.csv', 'A', MONDAY));
    await archive.store(received('a.csv', 'B', TUESDAY));
    const back = await archive.store(received('a.csv', 'A', WEDNESDAY));
    expect(back.isNew).toBe(true);
    expect(back.payload.payloadId).not.toBe(first.payload.payloadId);
    expect((await openArchive(root).store(received('a.csv', 'A', THURSDAY))).isNew).toBe(false);
    expect((await archive.store(received('a.csv', 'B', THURSDAY))).isNew).toBe(true);
    expect((await archive.list('fred')).map(({ sha256, retrievedAt }) => [sha256.slice(0, 2), retrievedAt])).toEqual([
      ['55', MONDAY],
      ['df', TUESDAY],
      ['55', WEDNESDAY],
      ['df', THURSDAY],
    ]);
    expect(await objects()).toHaveLength(2);
  });

  it('keeps both contents of one file', async () => {
    const first = await archive.store(received('a.csv', 'old', MONDAY));
    await archive.store(received('a.csv', 'new', TUESDAY));
    expect(await archive.list('fred')).toHaveLength(2);
    expect(new TextDecoder().decode(await archive.read(first.payload))).toBe('old');
  });

  it('refuses bytes in which a single bit has changed', async () => {
    const { payload } = await archive.store(received('a.csv', '131045,130403', MONDAY));
    const [path = ''] = await objects();
    const body = gunzipSync(await readFile(path));
    body[5] = (body[5] ?? 0) ^ 1;
    await writeFile(path, gzipSync(body));
    await expect(archive.read(payload)).rejects.toThrow(/no longer has its hash/);
  });

  it.each([0, 4, 12, 20])('refuses an object whose file was damaged at byte %i, or returns the same bytes', async (offset) => {
    const { payload } = await archive.store(received('a.csv', 'value '.repeat(20), MONDAY));
    const [path = ''] = await objects();
    const file = await readFile(path);
    file[offset] = (file[offset] ?? 0) ^ 1;
    await writeFile(path, file);
    const outcome = await archive.read(payload).then(
      (body) => new TextDecoder().decode(body),
      () => 'refused',
    );
    expect(['refused', 'value '.repeat(20)]).toContain(outcome);
  });

  it('refuses a description in place of another, of the same source or of another', async () => {
    const [a, b] = [
      (await archive.store(received('a.csv', 'a', MONDAY))).payload,
      (await archive.store(received('b.csv', 'b', MONDAY))).payload,
    ];
    const folder = join(root, 'payloads/fred');
    await cp(join(folder, `${b.payloadId}.json`), join(folder, `${a.payloadId}.json`));
    await expect(archive.list('fred')).rejects.toThrow(/payloads\/fred\/pay_.*is damaged\. Run npm run doctor/);
    await mkdir(join(root, 'payloads/bls'));
    await cp(join(folder, `${b.payloadId}.json`), join(root, 'payloads/bls', `${b.payloadId}.json`));
    await expect(archive.list('bls')).rejects.toThrow(/is damaged/);
  });

  it('refuses the note of another source, and accepts one of a version that named no source', async () => {
    const note = { retrievedAt: MONDAY, problem: null };
    for (const [sourceId, retrievedAt] of [
      ['fred', MONDAY],
      ['bls', TUESDAY],
    ] as const)
      await archive.recordCollection(sourceId, { ...note, retrievedAt });
    expect(await archive.lastCollection('fred')).toEqual(note);
    await cp(join(root, 'collections/bls.json'), join(root, 'collections/fred.json'));
    await expect(archive.lastCollection('fred')).rejects.toThrow(/collections\/fred\.json of the raw archive is damaged/);
    await writeFile(join(root, 'collections/fred.json'), JSON.stringify(note));
    expect(await archive.lastCollection('fred')).toEqual(note);
  });
});
