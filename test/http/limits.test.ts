import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Limiter } from '../../src/http/admission/rate-limit.ts';
import { LIMITS, memoryLimiter } from '../../src/http/admission/rate-limit.ts';
import { errorOf, startToy, type Toy } from './toy.ts';

const FEW = { 'data:read': 3, 'ops:read': 2, admin: 2, discovery: 2, unauthenticated: 2 };

afterEach(() => vi.useRealTimers());

const forwarded = (address: string) => ({ 'x-forwarded-for': address });

async function statuses(toy: Toy, path: string, headers: Record<string, string>, times: number): Promise<readonly number[]> {
  const seen: number[] = [];
  for (let at = 0; at < times; at += 1) seen.push((await toy.get(path, headers)).status);
  return seen;
}

describe('rate limits', () => {
  it('are those of the interface', () => {
    expect(LIMITS).toEqual({ 'data:read': 1000, 'ops:read': 500, admin: 250, discovery: 600, unauthenticated: 100 });
  });

  it('count down in the headers and end in 429 with its details', async () => {
    const toy = await startToy({ limiter: memoryLimiter(FEW) });
    for (const remaining of ['2', '1', '0']) {
      const { status, headers } = await toy.get('/toys?limit=1');
      expect([status, headers.get('x-ratelimit-remaining'), headers.get('x-ratelimit-limit')]).toEqual([200, remaining, '3']);
      expect(headers.get('x-ratelimit-policy')).toBe('data:read;limit=3;window=60');
    }
    const refused = await toy.get('/toys?limit=1');
    expect(refused.status).toBe(429);
    expect((await errorOf(refused)).error).toMatchObject({
      code: 'rate_limited',
      details: { required_scope: 'data:read', limit: 3, window_seconds: 60 },
    });
    await toy.stop();
  });

  it('start again exactly at the end of the window, which every answer names', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const toy = await startToy({ limiter: memoryLimiter(FEW) });
    const start = Date.parse('2026-11-21T12:00:00.000Z');
    const at = async (ms: number) => {
      toy.clock.now = start + ms;
      vi.setSystemTime(start + ms);
      const { status, headers } = await toy.get('/toys?limit=1');
      return [status, headers.get('x-ratelimit-remaining'), headers.get('x-ratelimit-reset'), headers.get('retry-after')];
    };
    const [end, next] = ['2026-11-21T12:01:00.000Z', '2026-11-21T12:02:00.000Z'];
    expect(await at(0)).toEqual([200, '2', end, null]);
    expect(await at(20_000)).toEqual([200, '1', end, null]);
    expect(await at(29_999)).toEqual([200, '0', end, null]);
    expect(await at(30_000)).toEqual([429, '0', end, '30']);
    expect(await at(30_500)).toEqual([429, '0', end, '30']);
    expect(await at(59_001)).toEqual([429, '0', end, '1']);
    expect(await at(59_999)).toEqual([429, '0', end, '1']);
    expect(await at(60_000)).toEqual([200, '2', next, null]);
    await toy.stop();
  });

  it('keep a bucket per key and per scope, and one of its own for admin keys', async () => {
    const toy = await startToy({ limiter: memoryLimiter(FEW) });
    const { full, free, admin } = toy.keys;
    expect(await statuses(toy, '/toys', { 'x-api-key': full }, 4)).toEqual([200, 200, 200, 429]);
    expect(await statuses(toy, '/toys', { 'x-api-key': free }, 1)).toEqual([200]);
    expect(await statuses(toy, '/toys', { 'x-api-key': admin }, 1)).toEqual([200]);
    expect(await statuses(toy, '/ops/toy', { 'x-api-key': admin }, 2)).toEqual([200, 429]);
    await toy.stop();
  });

  it('count failed authentication and open routes per address, without hindering a valid key', async () => {
    const toy = await startToy({ limiter: memoryLimiter(FEW) });
    expect(await statuses(toy, '/toys', {}, 3)).toEqual([401, 401, 429]);
    expect(await statuses(toy, '/health', {}, 3)).toEqual([200, 200, 429]);
    expect(await statuses(toy, '/toys', { 'x-api-key': toy.keys.full }, 1)).toEqual([200]);
    await toy.stop();
  });

  it('count unknown routes and methods with the open routes', async () => {
    const toy = await startToy({ limiter: memoryLimiter(FEW), trustProxy: true });
    expect(await statuses(toy, '/nothing', forwarded('10.0.0.1'), 3)).toEqual([404, 404, 429]);
    expect(await statuses(toy, '/health', forwarded('10.0.0.1'), 1)).toEqual([429]);
    for (const [at, status] of [404, 404, 429].entries()) {
      const posted = await toy.get(at === 0 ? '/health' : '/toys', forwarded('10.0.0.2'), { method: 'POST' });
      expect([posted.status, posted.headers.get('retry-after') === null]).toEqual([status, status === 404]);
    }
    expect(await statuses(toy, '/toys', { 'x-api-key': toy.keys.full, ...forwarded('10.0.0.2') }, 1)).toEqual([200]);
    await toy.stop();
  });

  it('never ask for a wait longer than a window, whatever happens to the clock', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const toy = await startToy({ limiter: memoryLimiter(FEW) });
    const start = Date.parse('2026-11-21T12:00:00.000Z');
    const at = async (now: number) => {
      toy.clock.now = now;
      vi.setSystemTime(now);
      const { status, headers } = await toy.get('/toys?limit=1');
      return [status, headers.get('retry-after'), headers.get('x-ratelimit-reset')];
    };
    for (let time = 0; time < 3; time += 1) await at(start);
    expect(await at(start)).toEqual([429, '60', '2026-11-21T12:01:00.000Z']);
    expect(await at(start - 365 * 86_400_000)).toEqual([429, '60', '2025-11-21T12:01:00.000Z']);
    await toy.stop();
  });

  it('are checked before parameters; a refused scope only reads its count', async () => {
    const toy = await startToy({ limiter: memoryLimiter(FEW) });
    const seen = async (path: string, key: string) => {
      const { status, headers } = await toy.get(path, { 'x-api-key': key });
      return [status, headers.get('x-ratelimit-policy'), headers.get('x-ratelimit-remaining')];
    };
    for (let time = 0; time < 4; time += 1) expect(await seen('/ops/toy', toy.keys.full)).toEqual([403, 'ops:read;limit=2;window=60', '2']);
    for (let time = 0; time < 4; time += 1) expect(await seen('/toys', toy.keys.ops)).toEqual([403, 'data:read;limit=3;window=60', '3']);
    expect(await seen('/ops/toy', toy.keys.ops)).toEqual([200, 'ops:read;limit=2;window=60', '1']);
    expect(await statuses(toy, '/toys?what=1', { 'x-api-key': toy.keys.full }, 4)).toEqual([400, 400, 400, 429]);
    expect((await toy.get('/health', {})).headers.get('x-ratelimit-remaining')).toBe('1');
    await toy.stop();
  });

  it('give the end of the window for failed authentication and open routes too', async () => {
    const toy = await startToy({ limiter: memoryLimiter({ ...FEW, unauthenticated: 0, discovery: 0 }) });
    for (const [path, policy, scope] of [
      ['/toys', 'unauthenticated;limit=0;window=60', 'data:read'],
      ['/ops/toy', 'unauthenticated;limit=0;window=60', 'ops:read'],
      ['/health', 'discovery;limit=0;window=60', 'none'],
    ] as const) {
      const response = await toy.get(path, {});
      expect([response.status, response.headers.get('x-ratelimit-policy')]).toEqual([429, policy]);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(1);
      expect((await errorOf(response)).error.details).toEqual({ required_scope: scope, limit: 0, window_seconds: 60 });
    }
    await toy.stop();
  });

  it('use the address that a proxy saw only if there is a proxy, and never a claim of the client', async () => {
    const direct = await startToy({ limiter: memoryLimiter(FEW) });
    for (const [at, status] of [200, 200, 429].entries()) {
      expect(await statuses(direct, '/health', forwarded(`10.0.0.${at}`), 1)).toEqual([status]);
    }
    await direct.stop();
    const behind = await startToy({ limiter: memoryLimiter(FEW), trustProxy: true });
    for (const [at, status] of [200, 200, 429].entries()) {
      expect(await statuses(behind, '/health', forwarded(`10.0.0.${at}, 10.9.9.9`), 1)).toEqual([status]);
    }
    expect(await statuses(behind, '/health', forwarded('10.0.0.1, 10.9.9.8'), 1)).toEqual([200]);
    await behind.stop();
  });

  it('count requests of a balancer itself per server, so that its clients cannot take a server out', async () => {
    const limiter = memoryLimiter(FEW); // one count for both servers, as in Redis
    const [one, other] = [await startToy({ limiter, trustProxy: true }), await startToy({ limiter, trustProxy: true })];
    expect(await statuses(one, '/nothing', forwarded('127.0.0.1'), 3)).toEqual([404, 404, 429]);
    expect(await statuses(one, '/health', {}, 3)).toEqual([200, 200, 429]);
    expect(await statuses(other, '/health', {}, 3)).toEqual([200, 200, 429]);
    expect(await statuses(other, '/health', forwarded('127.0.0.1'), 1)).toEqual([429]);
    await one.stop();
    await other.stop();
  });

  it('let requests pass if the limiter fails, and log it', async () => {
    const broken: Limiter = {
      take: () => Promise.reject(new Error('down')),
      peek: () => Promise.reject(new Error('down')),
      state: () => ({ store: 'redis', isUp: false }),
      close: () => undefined,
    };
    const toy = await startToy({ limiter: broken });
    const response = await toy.get('/toys?limit=1');
    expect([response.status, response.headers.get('x-ratelimit-remaining')]).toEqual([200, '1000']);
    expect(toy.lines.some((line) => String(line['message']).includes('limiter failed'))).toBe(true);
    expect(await (await toy.get('/ready', {})).json()).toMatchObject({ data: { rateLimiter: { isUp: false } } });
    await toy.stop();
  });
});
