// A first night that brought nothing leaves the folder as it was: the next start still has the sample.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { holdsData, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { writeFiles } from '../pipeline.ts';

let root: string;
let dataDir: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'asof-empty-'));
  dataDir = join(root, 'data');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function nightly(...options: readonly string[]) {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir, LOG_LEVEL: 'silent' };
  return spawnSync(process.execPath, ['--import', 'tsx', 'jobs/commands/nightly.ts', ...options], {
    cwd: resolve(import.meta.dirname, '../..'),
    env,
    encoding: 'utf8',
  });
}

it.each([
  ['a folder that is not there', null, /nowhere cannot be read/],
  ['a folder of no source', { 'letters/to-nobody.txt': 'x' }, /belongs to a source/],
  ['a folder of which no file can be read', { 'fred-md/2020-02.csv': 'no table' }, /No payload could be read.*2020-02/s],
])('from %s publishes nothing, and the folder still holds no data', async (_, files, message) => {
  const mirror = join(root, 'nowhere');
  if (files !== null) await writeFiles(mirror, files);
  const { status, stderr } = nightly('--mirror', mirror);
  expect([status, stderr]).toEqual([1, expect.stringMatching(message)]);
  expect(await holdsData(snapshotPaths(dataDir))).toBe(false);
  expect(existsSync(join(dataDir, 'current.json'))).toBe(false);
});

it('that failed before it read a file leaves no lake', async () => {
  expect(nightly('--mirror', join(root, 'nowhere')).status).toBe(1);
  expect(['lake', 'raw', 'snapshots', 'tmp'].filter((name) => existsSync(join(dataDir, name)))).toEqual([]);
});
