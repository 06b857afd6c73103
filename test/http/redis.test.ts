// Counts shared by replicas, against a real server. Debian: apt-get install redis-server.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { type Limiter, redisLimiter } from '../../src/http/admission/rate-limit.ts';
import { freePort } from '../free-port.ts';

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) process.stderr.write('redis-server is not installed: the tests of shared counts are skipped.\n');

const LONG_MS = 20_000;
const FEW = { 'data:read': 3, 'ops:read': 2, admin: 2, discovery: 2, unauthenticated: 2 };

async function startRedis(port: number): Promise<ChildProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'redis-'));
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder], { stdio: 'ignore' });
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  await client.ping();
  client.disconnect();
  return child;
}

async function stopped(child: ChildProcess): Promise<void> {
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGCONT');
  child.kill('SIGKILL');
  await exit;
}

describe.skipIf(!hasRedis)('a limiter in Redis', () => {
  const open: { limiters: Limiter[]; servers: ChildProcess[] } = { limiters: [], servers: [] };
  const troubles: unknown[] = [];
  const clock = { now: 0 };
  /** A busy machine answers late, so only a server that hangs is waited for as briefly as usual. */
  const limiter = (port: number, timeoutMs?: number): Limiter => {
    const made = redisLimiter({
      url: `redis://127.0.0.1:${port}`,
      now: () => clock.now,
      onTrouble: (error) => troubles.push(error),
      limits: FEW,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    open.limiters.push(made);
    return made;
  };
  const ready = (one: Limiter) =>
    expect
      .poll(
        async () => {
          clock.now += 2000;
          await one.peek('admin', 'nobody');
          return one.state().isUp;
        },
        { timeout: 10_000 },
      )
      .toBe(true);
  afterEach(async () => {
    for (const one of open.limiters.splice(0)) one.close();
    for (const one of open.servers.splice(0)) if (one.exitCode === null && one.signalCode === null) await stopped(one);
    troubles.length = 0;
  });

  it('shares one count between replicas', async () => {
    const port = await freePort();
    open.servers.push(await startRedis(port));
    const [first, second] = [limiter(port, LONG_MS), limiter(port, LONG_MS)];
    await ready(first);
    await ready(second);
    expect((await first.take('data:read', 'key_a')).remaining).toBe(2);
    expect((await second.take('data:read', 'key_a')).remaining).toBe(1);
    expect((await second.peek('data:read', 'key_a')).remaining).toBe(1);
    expect((await first.take('data:read', 'key_a')).remaining).toBe(0);
    expect((await second.take('data:read', 'key_a')).isExceeded).toBe(true);
    expect((await second.take('data:read', 'key_b')).isExceeded).toBe(false);
  });

  it('is used from the first request on, and is not reported down while it connects', async () => {
    const port = await freePort();
    open.servers.push(await startRedis(port));
    const first = limiter(port, LONG_MS);
    expect(
      (await Promise.all([1, 2, 3].map(() => first.take('data:read', 'key_a'))))
        .map(({ remaining }) => remaining)
        .toSorted((a, b) => a - b),
    ).toEqual([0, 1, 2]);
    expect((await limiter(port, LONG_MS).take('data:read', 'key_a')).isExceeded).toBe(true);
    expect([first.state().isUp, troubles]).toEqual([true, []]);
  });

  it('that is missing lets the first requests pass, and reports it', async () => {
    const one = limiter(await freePort());
    expect((await one.take('data:read', 'key_a')).isExceeded).toBe(false);
    expect([one.state().isUp, troubles.length]).toEqual([false, 1]);
  });

  it('lets requests pass while the server is gone, reports it, and is used again afterwards', async () => {
    const port = await freePort();
    const server = await startRedis(port);
    const one = limiter(port);
    await ready(one);
    troubles.length = 0;
    await stopped(server);
    clock.now += 2000;
    expect((await one.take('data:read', 'key_a')).isExceeded).toBe(false);
    expect(one.state()).toEqual({ store: 'redis', isUp: false });
    expect(troubles).toHaveLength(1);
    open.servers.push(await startRedis(port));
    await ready(one);
    expect(troubles.at(-1)).toBeNull();
  });

  it('lets only one request wait for a server that hangs', async () => {
    const port = await freePort();
    const server = await startRedis(port);
    open.servers.push(server);
    const one = limiter(port);
    await ready(one);
    server.kill('SIGSTOP');
    const begun = process.hrtime.bigint();
    for (let at = 0; at < 20; at += 1) await one.take('discovery', `address_${at}`);
    // Each waiting for 200 ms they would take four seconds.
    expect(Number(process.hrtime.bigint() - begun) / 1e6).toBeLessThan(2500);
    expect(one.state().isUp).toBe(false);
  });
});
