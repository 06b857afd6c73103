import { describe, expect, it } from 'vitest';
import type { Limiter } from '../../src/http/admission/rate-limit.ts';
import { LIMITS, memoryLimiter } from '../../src/http/admission/rate-limit.ts';
import { errorOf, startToy, type Toy } from './toy.ts';

const FEW = { 'data:read': 3, 'ops:read': 2, admin: 2, discovery: 2, unauthenticated: 2 };

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
      expect(headers.get('x-ratelimit-reset')).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.000Z$/);
    }
    const refused = await toy.get('/toys?limit=1');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await errorOf(refused)).error).toMatchObject({
      code: 'rate_limited',
      details: { required_scope: 'data:read', limit: 3, window_seconds: 60 },
    });
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
    expect(await statuses(toy, '/nothing', {}, 3)).toEqual([404, 404, 404]);
    await toy.stop();
  });

  it('refuse before they look at parameters, and count neither 403 nor 404 of an unknown route', async () => {
    const toy = await startToy({ limiter: memoryLimiter(FEW) });
    expect(await statuses(toy, '/ops/toy', { 'x-api-key': toy.keys.full }, 4)).toEqual([403, 403, 403, 403]);
    expect(await statuses(toy, '/toys?what=1', { 'x-api-key': toy.keys.full }, 4)).toEqual([400, 400, 400, 429]);
    await toy.stop();
  });

  it('count the address that a proxy saw only when there is one, and never what a client claims', async () => {
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

  it('let requests pass when the limiter fails, and the log says so', async () => {
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
