// What goes wrong before a command has begun: one line with the remedy, no stack, exit code 1, and nothing touched.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFileSystem, whyNoFileSystem } from '../faults/tmpfs.ts';
import { fredMdFile, writeFiles } from '../pipeline.ts';

const ROOT = resolve(import.meta.dirname, '../..');

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'asof-misuse-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Exit code and what was said, but for the steps of the bar. */
function said(file: string, options: readonly string[], more: Readonly<Record<string, string>>): Promise<readonly [number | null, string]> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', `jobs/commands/${file}.ts`, ...options], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH, HOME, TMPDIR: root, LOG_LEVEL: 'silent', PORT: '0', ...more },
  });
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  return new Promise((done) => child.on('close', (code) => done([code, text.replaceAll(/^[❯✔✖] .*\n/gm, '')])));
}

const line = (text: string) => expect.stringMatching(new RegExp(`^[^\\n]*${text}[^\\n]*\\n$`));

describe('an invalid schedule', () => {
  it.each(['99 * * * *', 'every night', '* *'])('%s', async (cron) => {
    const dataDir = join(root, 'schedule');
    expect(await said('nightly', ['--offline', '--schedule', cron], { DATA_DIR: dataDir })).toEqual([
      1,
      line('is not a cron expression .* Write minute, hour, day, month and weekday, e\\.g\\. "30 3 \\* \\* \\*"\\.'),
    ]);
    expect(existsSync(dataDir)).toBe(false);
  });
});

describe('a folder without write permission', () => {
  it.each([
    ['nightly', ['--offline', '--json']],
    ['normalise', ['--json']],
    ['derive', ['--json']],
    ['publish', []],
    ['prepare', []],
    ['keys', ['create', '--label', 'me']],
    ['quarantine', ['list']],
  ] as const)('%s is named in the error, with the setting to change', async (name, options) => {
    const file = join(root, 'file');
    await writeFile(file, 'a file in its place');
    expect(await said(name, options, { DATA_DIR: file })).toEqual([
      1,
      line('\\(ENOTDIR\\)\\. A part of its path is a file: set DATA_DIR to a folder\\.'),
    ]);
  });
});

describe('a full disk', () => {
  const reason = whyNoFileSystem();
  it.skipIf(reason !== null)(`is reported with file and remedy${reason === null ? '' : ` (skipped: ${reason})`}`, async () => {
    const mirror = join(root, 'mirror');
    await mkdir(mirror);
    const months = Object.fromEntries([...Array(12).keys()].map((month) => [`2019-${String(month + 1).padStart(2, '0')}`, 100 + month]));
    await writeFiles(mirror, fredMdFile('2020-01', { PAYEMS: months }));
    const disk = openFileSystem('48k');
    try {
      const full = line('cannot be written \\(ENOSPC\\)\\. The disk is full: free some space and run the command again\\.');
      expect(await said('nightly', ['--mirror', mirror, '--json'], { DATA_DIR: disk.path })).toEqual([1, full]);
    } finally {
      disk.remove();
    }
  });
});

describe('a port that is taken', () => {
  it('is reported before the sample is built', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const dataDir = join(root, 'port');
    expect(await said('prepare', [], { DATA_DIR: dataDir, PORT: String(port) })).toEqual([
      1,
      line(
        `cannot listen on 127\\.0\\.0\\.1:${port}, set by HOST and PORT \\(EADDRINUSE\\)\\. Another program listens there: stop it, or set another PORT\\.`,
      ),
    ]);
    expect(existsSync(dataDir)).toBe(false);
    await new Promise((done) => server.close(done));
  });
});

describe('a candidate that does not exist', () => {
  it('is reported with the command that makes one', async () => {
    expect(await said('publish', [], { DATA_DIR: join(root, 'empty') })).toEqual([
      1,
      'There is no candidate to publish. Run: npm run derive.\n',
    ]);
  });
});
