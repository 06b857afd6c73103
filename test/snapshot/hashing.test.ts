// A thread hashes the large files of a snapshot that is being opened.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hashing, openHashing } from '../../src/snapshot/serving/integrity/hashing.ts';

const folder = mkdtempSync(join(tmpdir(), 'asof-hashing-'));
const contents = [Buffer.alloc(0), Buffer.from('abc'), Buffer.alloc(9 << 20, 7)];
const paths = contents.map((_, index) => join(folder, String(index)));
const hashes = contents.map((content) => createHash('sha256').update(content).digest('hex'));

beforeAll(() => {
  for (const [index, path] of paths.entries()) writeFileSync(path, contents[index] ?? '');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each([
  ['in a thread', 1],
  ['without a thread', 1 << 30],
])('files hashed %s', (_, largeBytes) => {
  const hashing: Hashing = openHashing(largeBytes);
  afterAll(() => hashing.close());

  it('have their SHA-256, in order', async () => {
    expect(await hashing.all(paths)).toEqual(hashes);
    expect(await hashing.all(paths.toReversed())).toEqual(hashes.toReversed());
    expect(await hashing.all([])).toEqual([]);
  });

  it('give the error of the disk if one is missing, and the next files are hashed', async () => {
    await expect(hashing.all([...paths, join(folder, 'gone')])).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await hashing.all(paths)).toEqual(hashes);
  });
});
