// The commands themselves: a key of 32 letters and digits, the facade beside a service with it, and nothing of a question in what either program writes.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningService, startSampleService } from '../service.ts';

const command = (name: string) => ['--import', 'tsx', join(import.meta.dirname, `../../jobs/commands/${name}.ts`)];

let service: RunningService;
let child: ChildProcess | null = null;
beforeAll(async () => {
  service = await startSampleService();
});
afterAll(async () => {
  child?.kill('SIGTERM');
  await service.stop();
});

async function legacyKey(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [...command('keys'), 'create', '--legacy', '--label', 'laptop'], {
    env: { ...process.env, DATA_DIR: service.dataDir },
  });
  return /^\S+/.exec(stdout)?.[0] ?? '';
}

it('serves with a key of 32 letters and digits, and logs no question', async () => {
  const key = await legacyKey();
  expect(key).toMatch(/^[a-zA-Z0-9]{32}$/);
  let written = '';
  const facade = spawn(process.execPath, [...command('facade'), '--port', '0'], {
    env: { ...process.env, ASOF_URL: service.url, ASOF_KEY: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = facade;
  for (const stream of [facade.stdout, facade.stderr]) stream.on('data', (chunk: Buffer) => (written += chunk.toString()));
  await expect.poll(() => written, { timeout: 30_000 }).toMatch(/^Listening at http:\/\/127\.0\.0\.1:\d+\/fred /);
  const banner = written;
  const [address = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(banner) ?? [];
  const status = async (path: string) => {
    const answer = await fetch(`${address}${path}${path.includes('?') ? '&' : '?'}api_key=${key}`);
    await answer.text();
    return answer.status;
  };
  expect(await status('/fred/series?series_id=PAYEMS')).toBe(200);
  expect(await status('/at/2020-06-15/fred/series/observations?series_id=PAYEMS')).toBe(200);
  expect(await status('/fred/series/search?search_text=wordofmine')).toBe(200);
  expect(await status('/fred/series?series_id=PAYEMS&wordofmine=1')).toBe(400);
  expect(await status('/sdmx/2.1/data/SERIES/M.us.nonfarm_payrolls.fred_md')).toBe(200);
  expect(await status('/openbb/series?indicator_id=wordofmine')).toBe(404);
  expect(written).toBe(banner);
  // Nor is anything kept back until its end.
  facade.kill('SIGTERM');
  await new Promise((resolve) => facade.once('exit', resolve));
  expect(written).not.toMatch(new RegExp(`${key}|wordofmine|PAYEMS`));
});
