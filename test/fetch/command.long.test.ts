// The command on a machine whose network leads nowhere.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
let dataDir: string;
let proxy: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'asof-nobody-'));
  // A port on which nobody listens.
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise((done) => server.close(done));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

function nightly(...options: readonly string[]): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir, HTTPS_PROXY: proxy, LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, ['--import', 'tsx', 'jobs/commands/nightly.ts', ...options], { cwd: ROOT, env });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  return new Promise((done) => child.on('close', (code) => done({ code, out, err })));
}

it('ends with a line for every source, reports that nobody answered, and changes nothing', async () => {
  const { code, out, err } = await nightly();
  expect(code).toBe(1);
  const lines = out.split('\n');
  const of = (id: string) => lines.find((line) => line.startsWith(`${id} `))?.replace(/\s+/g, ' ') ?? '';
  expect(of('ecb_fx')).toMatch(/^ecb_fx failed 1 0 0 0 1 0 [\d.]+ ecb-eurofxref\/eurofxref-hist\.zip: /);
  expect(of('fred')).toContain('paused 0 0 0 0 0 0 0.0 it needs a key: set FRED_API_KEY');
  expect(of('bls_calendar')).toContain('set ASOF_CONTACT');
  expect(of('destatis')).toContain('no feed');
  expect(err).toContain('No publisher answered, so nothing was read and the snapshot is unchanged.');
  expect(existsSync(join(dataDir, 'current.json'))).toBe(false);
});

it('sends no request if you disable requests', async () => {
  const { code, err } = await nightly('--offline');
  expect([code, err]).toEqual([1, expect.stringMatching(/There is nothing to read/)]);
});

it('refuses two options that contradict each other', async () => {
  expect(await nightly('--live', '--offline')).toMatchObject({ code: 1, err: expect.stringContaining('--live contacts publishers') });
});
