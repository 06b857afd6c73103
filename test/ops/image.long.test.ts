// The steps of the image and an installation of the package, without a container engine: what is installed runs as another user, writes nowhere but where it may,
// and says so to a health check.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../free-port.ts';
import { issueKeys, sampleDataDir, SAMPLE_TIME } from '../service.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const UID = 10_001;
const isRoot = process.getuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0;
const folder = await mkdtemp(join(tmpdir(), 'asof-image-'));
await chmod(folder, 0o755);
const app = join(folder, 'app');
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (command: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) =>
  spawnSync(command, args, { encoding: 'utf8', ...options, env: { ...process.env, ...options.env } });

describe('the steps of the image', () => {
  it('install a server that runs without test dependencies', async () => {
    const { status, stderr } = run(join(ROOT, 'ops/image-steps'), ['install', ROOT, app]);
    expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
    expect(await readdir(app)).toEqual(
      ['LICENSE', 'data', 'docs', 'jobs', 'node_modules', 'ops', 'package-lock.json', 'package.json', 'sql', 'src', 'tools'].toSorted(),
    );
    expect(await readdir(join(app, 'node_modules'))).not.toContain('vitest');
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(run(join(app, 'ops/../tools/asof'), ['--version']).stdout.trim()).toBe(version);
  });

  it('leave a server that runs as another user over read-only data, and passes a health check', async () => {
    const dataDir = await sampleDataDir();
    await issueKeys(dataDir, Date.parse(SAMPLE_TIME));
    const scratch = join(folder, 'scratch');
    await mkdir(scratch);
    await chmod(dataDir, 0o755);
    if (isRoot) for (const path of [scratch, join(dataDir, 'keys.json')]) await chown(path, UID, UID);
    const before = (await readdir(dataDir, { recursive: true })).toSorted();
    const port = String(await freePort());
    const env = {
      ...process.env,
      DATA_DIR: dataDir,
      SCRATCH_DIR: scratch,
      TMPDIR: scratch,
      HOME: '/nonexistent',
      PORT: port,
      CURSOR_SECRET: 'a secret of a test, long enough for it',
      LOG_LEVEL: 'error',
    };
    const serve = [join(app, 'tools/asof'), 'serve', '--no-prepare'];
    const asUser = ['setpriv', `--reuid=${UID}`, `--regid=${UID}`, '--clear-groups', '--no-new-privs', ...serve];
    const [command, ...args] = isRoot ? asUser : serve;
    const server = spawn(command ?? '', args, { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let errors = '';
    server.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const health = () => run(process.execPath, [join(app, 'ops/healthcheck.mjs')], { env: { PORT: port } }).status;
    try {
      expect(health()).toBe(1);
      for (let tries = 0; health() !== 0; tries += 1) {
        expect([server.exitCode, tries < 240, errors]).toEqual([null, true, '']);
        await pause(500);
      }
      const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
      expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).toBe(String(isRoot ? UID : process.getuid?.()));
      expect((await readdir(dataDir, { recursive: true })).toSorted()).toEqual(before);
    } finally {
      server.kill('SIGTERM');
      if (server.exitCode === null) await once(server, 'exit');
    }
    expect(server.exitCode).toBe(0);
    expect(health()).toBe(1);
    await rm(dataDir, { recursive: true, force: true });
  });
});

describe('the package', () => {
  it('installs from its own archive, and its command works in any folder with that folder’s data', async () => {
    const packed = run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT });
    const archive = packed.stdout.trim().split('\n').at(-1) ?? '';
    const installed = join(folder, 'installed');
    await mkdir(installed);
    const outcome = run('npm', ['install', '--prefix', installed, '--ignore-scripts', '--no-audit', '--no-fund', join(folder, archive)]);
    expect([outcome.status, outcome.status === 0 ? '' : outcome.stderr]).toEqual([0, '']);
    const asof = join(installed, 'node_modules/.bin/asof');
    const help = run(asof, ['backup', '--help']);
    expect([help.status, help.stdout.includes('asof backup /mnt/backups')]).toEqual([0, true]);
    const elsewhere = join(folder, 'elsewhere');
    await mkdir(elsewhere);
    const created = run(asof, ['keys', 'create', '--label', 'me'], { cwd: elsewhere, env: { DATA_DIR: 'mine' } });
    expect([created.status, await readdir(join(elsewhere, 'mine'))]).toEqual([0, ['keys-issued', 'keys.json']]);
    const none = run(asof, ['files'], { cwd: elsewhere, env: { DATA_DIR: 'mine' } });
    expect([none.status, none.stderr.includes('asof nightly'), none.stderr.includes('npm run')]).toEqual([1, true, false]);
    expect(await readdir(join(installed, 'node_modules/asof'))).not.toContain('test');
  });
});
