// What the suites that ask the interface rest on where they ask several servers: that they do.
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { issueKey, keyFile, revokeKey } from '../../src/keys/key-store.ts';
import { issueKeys, type Keys, type ListBody, sampleDataDir, SAMPLE_TIME } from '../service.ts';
import { exchange } from '../story/hostile-requests.ts';
import { openBalancer } from './balancer.ts';
import type { Opened } from './deployment.ts';
import { folder } from './folder.ts';
import { hasHaproxy, openHaproxy } from './haproxy.ts';
import { replicas } from './replicas.ts';

const LIMIT = { 'data:read': 1000, unauthenticated: 100 };

describe.each([
  ['a balancer', openBalancer, true],
  ['HAProxy as ops/haproxy.cfg has it', openHaproxy, hasHaproxy],
] as const)('three servers behind %s', (_, balance, isRun) => {
  const store = mkdtempSync(join(tmpdir(), 'asof-store-'));
  const clock = { now: Date.parse(SAMPLE_TIME) };
  let dataDir: string;
  let keys: Keys;
  let opened: Opened;
  let one: Opened;
  const opening = () => ({ now: () => clock.now, log: pino({ level: 'silent' }), environment: { LOOKUP_SECONDS: '60' } });
  beforeAll(async () => {
    if (!isRun) return;
    dataDir = await sampleDataDir();
    keys = await issueKeys(dataDir, clock.now);
    opened = await replicas({ snapshotUrl: pathToFileURL(store).href, redisUrl: null, balance }).open(dataDir, opening());
    one = await folder.open(dataDir, opening());
  });
  afterAll(async () => {
    if (isRun) {
      await opened.stop();
      await one.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
    rmSync(store, { recursive: true, force: true });
  });
  beforeEach((context) => {
    if (!isRun) context.skip('haproxy is not installed: apt-get install haproxy');
  });
  const asked = (path: string, key: string, { from = '127.0.0.1', port = opened.port } = {}) =>
    new Promise<{ readonly status: number; readonly left: number; readonly text: string }>((resolve, reject) => {
      const headers = { 'x-api-key': key };
      const request = http.request({ host: '127.0.0.1', port, path, headers, localAddress: from }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('error', reject).on('end', () => {
          resolve({ status: response.statusCode ?? 0, left: Number(response.headers['x-ratelimit-remaining']), text });
        });
      });
      request.on('error', reject).end();
    });

  it('answer in turn: each counts a third of the requests', async () => {
    const left: number[] = [];
    for (let n = 0; n < 6; n += 1) left.push((await asked('/countries?limit=1', keys.data)).left);
    expect(left.map((remaining) => LIMIT['data:read'] - remaining)).toEqual([1, 1, 1, 2, 2, 2]);
  });

  it.each([
    '/observations/latest?country=us&limit=50',
    '/public/companies?limit=20',
    '/public/screener?universe=companies&filter=price_to_earnings:gt:0',
  ])('answer %s like one server on the folder, grants included', async (path) => {
    const bare = (text: string) => text.replaceAll(/("request_?[iI]d":|"next_cursor":)"[^"]*"/g, '$1""');
    const expected = await asked(path, keys.full, { port: one.port });
    expect([expected.status, expected.text.length > 1000]).toEqual([200, true]);
    for (let n = 0; n < 3; n += 1) expect(bare((await asked(path, keys.full)).text)).toBe(bare(expected.text));
  });

  it('continue a walk that another one began', async () => {
    const codes: unknown[] = [];
    let cursor: string | null = null;
    do {
      const more: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { status, text } = await asked(`/countries?limit=2${more}`, keys.full);
      expect([status, text]).toEqual([200, expect.any(String)]);
      const body = JSON.parse(text) as ListBody;
      codes.push(...body.data.map((row) => row['code']));
      cursor = body.meta.pagination.next_cursor;
    } while (cursor !== null);
    const whole = JSON.parse((await asked('/countries?limit=500', keys.full)).text) as ListBody;
    expect(codes.length).toBeGreaterThan(6);
    expect(codes).toEqual(whole.data.map((row) => row['code']));
  });

  // Elsewhere than on Linux loopback has one address.
  it.runIf(process.platform === 'linux')('see the address of a client, not that of the balancer', async () => {
    for (let n = 0; n < 3; n += 1) await asked('/countries', 'asof_wrong', { from: '127.0.0.2' });
    const other = await asked('/countries', 'asof_wrong', { from: '127.0.0.3' });
    expect([other.status, LIMIT.unauthenticated - other.left]).toEqual([401, 1]);
  });

  it('continue when all of them refuse a client at the address of the balancer', async () => {
    const open = async () => (await asked('/health', '')).status;
    const statuses: number[] = [];
    while (statuses.filter((status) => status === 429).length < 20 && statuses.length < 3000)
      statuses.push(...(await Promise.all(Array.from({ length: 10 }, open))));
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    await pause(5000); // twice the time in which HAProxy takes a server out that does not say that it is ready
    for (let n = 0; n < 6; n += 1) expect((await asked('/countries?limit=1', keys.full)).status).toBe(200);
  });

  it('accept a key once it is sent, and refuse it once its revocation is sent', async () => {
    const { key, issued } = await issueKey(keyFile(dataDir), { label: 'late', tier: 'full', scopes: ['data:read'] }, clock.now);
    const statuses = async () => {
      clock.now += 1000;
      const all: number[] = [];
      for (let n = 0; n < 3; n += 1) all.push((await asked('/countries?limit=1', key)).status);
      return all;
    };
    expect(await statuses()).toEqual([401, 401, 401]);
    await opened.follow();
    expect(await statuses()).toEqual([200, 200, 200]);
    await revokeKey(keyFile(dataDir), issued.keyId, clock.now);
    await opened.follow();
    expect(await statuses()).toEqual([401, 401, 401]);
  });
});

describe('a balancer', () => {
  const servers: Server[] = [];
  const heard: string[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });
  const saying = async (answer: string): Promise<number> => {
    const server = createServer(
      (socket) =>
        void socket
          .on('error', () => undefined)
          .once('data', (bytes: Buffer) => {
            heard.push(bytes.toString('latin1'));
            socket.end(answer);
          }),
    );
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const ONE = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const given = async (answers: readonly string[], asked = ONE) => {
    const ports = await Promise.all(answers.map(saying));
    const balancer = await openBalancer(() => ports);
    const text = await exchange(balancer.port, Buffer.from(asked));
    await balancer.stop();
    return text;
  };
  const WHOLE = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok';

  it.each([
    ['is cut', 'HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhalf'],
    ['ends before its last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
    ['says 503', 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n'],
    ['never begins', ''],
  ])('asks the next server if an answer %s', async (_, broken) => {
    expect(await given([broken, broken, WHOLE])).toBe(WHOLE);
  });

  it('forwards bytes that are no request unchanged', async () => {
    const some = 'GET / HTTP/9.9\r\nx\r\n\r\n';
    expect(await given([WHOLE], some)).toBe(WHOLE);
    expect(heard.at(-1)).toBe(some);
  });

  it('sends requests of one connection to two servers, and adds the address of the client', async () => {
    const two = 'GET /a HTTP/1.1\r\nHost: x\r\n\r\nHEAD /b HTTP/1.1\r\nX-Forwarded-For: 9.9.9.9\r\nConnection: close\r\n\r\n';
    expect(await given([WHOLE, WHOLE], two)).toBe(WHOLE.replace('close', 'keep-alive') + WHOLE);
    expect(heard.slice(-2)).toEqual([
      'GET /a HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 127.0.0.1\r\nConnection: close\r\n\r\n',
      'HEAD /b HTTP/1.1\r\nX-Forwarded-For: 9.9.9.9\r\nX-Forwarded-For: 127.0.0.1\r\nConnection: close\r\n\r\n',
    ]);
  });

  it('reports if no server answers, and forwards a 503 that all of them send', async () => {
    expect(await given(['', ''])).toMatch(/^HTTP\/1\.1 502 /);
    const refusal = 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno';
    expect(await given([refusal, '', refusal])).toBe(refusal);
  });
});
