// HAProxy, as ops/haproxy.cfg sets it up, in front of servers of this machine.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../free-port.ts';
import type { Balancer } from './balancer.ts';

const CONFIG = resolve(import.meta.dirname, '../../ops/haproxy.cfg');

export const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0;

/** @param ports of as many servers as the configuration has */
export async function openHaproxy(ports: () => readonly number[]): Promise<Balancer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'asof-haproxy-'));
  const file = join(folder, 'haproxy.cfg');
  const here = readFileSync(CONFIG, 'utf8')
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replaceAll(/asof-(\d):8080/g, (_, number: string) => `127.0.0.1:${ports()[Number(number) - 1]}`);
  writeFileSync(file, here);
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  const ended = new Promise((done) => child.once('exit', done));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if ((await fetch(`http://127.0.0.1:${port}/ready`).catch(() => null))?.status === 200) return { port, stop };
    await pause(50);
  }
  await stop();
  throw new Error('HAProxy does not answer');
}
