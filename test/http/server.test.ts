import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyItemRoute } from '../../src/http/route.ts';
import { itemRoute } from '../../src/http/route.ts';
import { z } from 'zod';
import { isLong } from '../suite.ts';
import { type ErrorBody, startToy, type Toy, type ToySnapshot } from './toy.ts';

let toy: Toy;
beforeAll(async () => {
  toy = await startToy();
});
afterAll(() => toy.stop());

/** What a server answers to bytes. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (text += chunk));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}

describe('a request that is refused before routing', () => {
  const long = 'x'.repeat(40_000);
  const cases: readonly (readonly [string, string, number])[] = [
    ['bytes that are no HTTP', 'hello\r\n\r\n', 400],
    ['an unknown method', 'FETCH /toys HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['too long headers', `GET /toys HTTP/1.1\r\nHost: x\r\nx-long: ${long}\r\n\r\n`, 400],
    ['a too long address', `GET /toys?name=${long} HTTP/1.1\r\nHost: x\r\n\r\n`, 400],
    ['two lengths', 'GET /toys HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['a request without Host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two hosts', 'GET /health HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n', 400],
    ['an address of another scheme', 'GET ftp://x/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['an address without a scheme', 'GET x/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['a tunnel', 'CONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n', 404],
  ];
  it.each(cases)('answers %s in the envelope, with the headers', async (_, bytes, status) => {
    const text = await exchange(toy.port, bytes);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    for (const name of ['policy', 'limit', 'remaining', 'reset']) expect(head).toContain(`x-ratelimit-${name}: `);
    const error = JSON.parse(body) as ErrorBody;
    expect(error.error.code).toBe(status === 400 ? 'bad_request' : 'not_found');
    expect(head).toContain(`x-request-id: ${error.requestId}`);
    expect([error.error.request_id, error.error.requestId]).toEqual([error.requestId, error.requestId]);
  });

  it.each([
    ['an earlier version without Host', 'GET /toys HTTP/1.0\r\n\r\n', 401],
    ['an absolute address without a path', 'GET http://y HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    ['an expectation it does not know', 'GET /toys HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n', 401],
    ['an absolute address', 'GET http://y/v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 200],
    ['a body that nobody reads', 'GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}', 200],
    ['another protocol offered', 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: upgrade, close\r\nUpgrade: h2c\r\n\r\n', 200],
    ['the asterisk', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
  ])('answers %s as any request', async (_, bytes, status) => {
    const text = await exchange(toy.port, bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(text).toContain('x-request-id: ');
  });
});

describe('headers that do not arrive', () => {
  it.runIf(isLong)('time out after ten seconds', async () => {
    const began = performance.now();
    const text = await exchange(toy.port, 'GET /health HTTP/1.1\r\nHost: x\r\n');
    expect(text).toMatch(/^HTTP\/1.1 400 [^]*did not arrive in time/);
    expect(performance.now() - began).toBeGreaterThan(9000);
    expect(performance.now() - began).toBeLessThan(15_000);
  });
});

function slowRoute(until: Promise<void>): AnyItemRoute<ToySnapshot> {
  return itemRoute<ToySnapshot, Record<string, never>, { isDone: boolean }>({
    path: '/slow',
    operation: 'getSlowly',
    scope: 'data:read',
    summary: 'Takes its time.',
    tag: 'Toys',
    example: '/slow',
    query: {},
    data: z.object({ isDone: z.boolean() }),
    find: async () => {
      await until;
      return { isDone: true };
    },
  });
}

describe('stopping', () => {
  it('finishes open requests and takes no new ones', async () => {
    const gate = new EventEmitter();
    const slow = await startToy({ routes: [slowRoute(once(gate, 'finish').then(() => undefined))] });
    const open = slow.get('/slow');
    await expect.poll(() => slow.store.pins()).toBe(1);
    const stopped = slow.stop(10_000);
    await expect(slow.get('/health', {})).rejects.toThrow('fetch failed');
    gate.emit('finish');
    expect(await (await open).json()).toMatchObject({ data: { isDone: true } });
    await stopped;
  });

  it('closes unfinished requests at the deadline', async () => {
    const slow = await startToy({ routes: [slowRoute(new Promise(() => undefined))] });
    const open = slow.get('/slow').then(
      () => 'answered',
      () => 'broken',
    );
    await expect.poll(() => slow.store.pins()).toBe(1);
    await slow.stop(50);
    expect(await open).toBe('broken');
  });
});
