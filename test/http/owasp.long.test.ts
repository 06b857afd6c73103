// OWASP's API Security Top 10 (2023), threat by threat, on a service as it runs. Where a threat has no place here, its test holds what makes that so.
// Rights, windows, order of refusals and limits have suites of their own (test/contract, test/http); here each threat is tried once, as an attacker would.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReader } from '../../src/db/connect.ts';
import { createKey } from '../../src/keys/key.ts';
import { keyFile, readKeys, revokeKey } from '../../src/keys/key-store.ts';
import { OPEN_ROUTES, PROMISED } from '../contract/table.ts';
import { readDescription } from './description.ts';
import { fredMdFile, openPipeline, type Pipeline } from '../pipeline.ts';
import { type ErrorBody, type GetOptions, type ListBody, type RunningService, startService } from '../service.ts';

let pipeline: Pipeline;
let service: RunningService;
beforeAll(async () => {
  pipeline = await openPipeline();
  await pipeline.run(fredMdFile('2020-05', { PAYEMS: { '2020-03': 100, '2020-04': 131 } }), '2026-10-30T08:00:00.000Z');
  await pipeline.run(fredMdFile('2026-10', { PAYEMS: { '2026-08': 160, '2026-09': 161 } }), '2026-11-20T08:00:00.000Z');
  service = await startService(pipeline.dataDir);
});
afterAll(async () => {
  await service.stop();
  await pipeline.remove();
});

/** Status and code of an answer. */
async function told(path: string, options: GetOptions = {}): Promise<readonly [number, string | null]> {
  const response = await service.get(path, options);
  const text = await response.text();
  return [response.status, response.ok ? null : (JSON.parse(text) as ErrorBody).error.code];
}
const rowsOf = async (path: string, options: GetOptions = {}) => ((await (await service.get(path, options)).json()) as ListBody).data;
/** A path in which every placeholder is a word that names nothing. */
const bare = (path: string) => path.replaceAll(/\{\w+\}/g, 'x');

describe('API1:2023 Broken Object Level Authorization', () => {
  it('an observation outside the window of a key is not found by its identifier, although another key sees it', async () => {
    const [old] = await rowsOf('/observations?period=2020-04');
    const [recent] = await rowsOf('/observations?period=2026-09');
    const path = (row: typeof old) => `/provenance/observations/${String(row?.['observationId'])}`;
    expect(await told(path(old))).toEqual([200, null]);
    expect(await told(path(old), { key: 'free' })).toEqual([404, 'not_found']);
    expect(await told(path(recent), { key: 'free' })).toEqual([200, null]);
  });

  it('a cursor of one key does not carry its window to another', async () => {
    const body = (await (await service.get('/observations?limit=1')).json()) as ListBody;
    const cursor = encodeURIComponent(body.meta.pagination.next_cursor ?? '');
    expect(cursor.length).toBeGreaterThan(20);
    expect(await told(`/observations?limit=1&cursor=${cursor}`)).toEqual([200, null]);
    expect(await told(`/observations?limit=1&cursor=${cursor}`, { key: 'free' })).toEqual([400, 'bad_request']);
  });
});

describe('API2:2023 Broken Authentication', () => {
  it.each(PROMISED.map(({ path }) => path))('%s has no answer without a key', async (path) => {
    expect(await told(bare(path), { key: null })).toEqual([401, 'unauthorized']);
  });

  it('a guessed, mistyped, revoked or leaked key opens nothing, and gets the same answer', async () => {
    const { keys } = service;
    const own = readKeys(keyFile(service.dataDir)).find(({ label }) => label === 'ops');
    await revokeKey(keyFile(service.dataDir), own?.keyId ?? '', service.clock.now);
    service.clock.now += 2000;
    await service.follow();
    const messages = new Set<string>();
    for (const key of [createKey(), `${keys.full.slice(0, -1)}~`, keys.full.toUpperCase(), keys.ops, 'null', "' or 1=1 --"]) {
      const response = await service.get('/observations', { key: null, headers: { 'x-api-key': key } });
      expect(response.status).toBe(401);
      messages.add(((await response.json()) as ErrorBody).error.message);
    }
    expect(messages.size).toBe(1);
    const inAddress = await service.get(`/observations?x-api-key=${keys.full}`, { key: null });
    expect([inAddress.status, (await inAddress.text()).includes(keys.full)]).toEqual([400, false]);
  });

  it('guessing is counted by address and ends in 429', async () => {
    const strict = await startService(pipeline.dataDir, { rateLimitScale: 1 });
    const statuses: number[] = [];
    for (let guess = 0; guess < 101; guess += 1)
      statuses.push((await fetch(`${strict.url}/observations`, { headers: { 'x-api-key': createKey() } })).status);
    expect([statuses.filter((status) => status === 401).length, statuses.at(-1)]).toEqual([100, 429]);
    await strict.stop();
  });
});

describe('API3:2023 Broken Object Property Level Authorization', () => {
  // test/contract/rights.long.test.ts covers which keys see the place of a raw payload, row by row.
  it('internal columns cannot be requested', async () => {
    for (const column of ['locator', 'rawPayload', 'payload_id', 'id_hash', 'series_no'])
      expect([column, ...(await told(`/observations?format=csv&columns=${column}`))]).toEqual([column, 400, 'bad_request']);
  });

  it('nothing is written: a body or an unknown field changes nothing', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) expect(await told('/observations', { method })).toEqual([404, 'not_found']);
    for (const pair of ['tier=full', 'scopes=admin', 'is_admin=true', '__proto__=x', 'constructor=x'])
      expect([pair, ...(await told(`/observations?${pair}`, { key: 'free' }))]).toEqual([pair, 400, 'bad_request']);
  });
});

describe('API4:2023 Unrestricted Resource Consumption', () => {
  it.each([
    ['rows of a page', '/observations?limit=501', /500/],
    ['rows of a bulk answer', '/observations?format=csv&limit=1000001', /1000000|1,000,000/],
    ['values of a filter', `/observations?indicator_id=${[...Array(51).keys()].map((at) => `i${at}`).join(',')}`, /50/],
    ['terms of a screen', `/public/screener?filter=${Array(21).fill('ip_materials:gt:1').join(';')}`, /20/],
    ['characters of a screen', `/public/screener?filter=${'x'.repeat(2001)}`, /2000|2,000/],
    ['pairs of an address', `/observations?${[...Array(101).keys()].map((at) => `a${at}=1`).join('&')}`, /100/],
  ])('more %s than allowed are refused, with the limit', async (_, path, bound) => {
    const response = await service.get(path);
    expect([response.status, ((await response.json()) as ErrorBody).error.message]).toEqual([400, expect.stringMatching(bound)]);
  });

  it('requests beyond the limit of a key are refused, with the time to retry', async () => {
    const strict = await startService(pipeline.dataDir, { rateLimitScale: 1 });
    const ask = () => strict.get('/snapshot', { key: 'admin' });
    for (let number = 0; number < 250; number += 1) expect((await ask()).status).toBe(200);
    const refused = await ask();
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    await strict.stop();
  });
});

describe('API5:2023 Broken Function Level Authorization', () => {
  const OPERATORS = PROMISED.filter(({ scope }) => scope === 'ops:read').map(({ path }) => path);

  it('operators have their own routes', () => {
    expect(OPERATORS.toSorted()).toEqual(['/manifest', '/ops/liveness', '/quarantine', '/snapshot', '/source-health']);
  });

  it.each(OPERATORS)('%s is closed to a data key, under every spelling of its address', async (path) => {
    for (const spelled of [path, `${path}/`, `/v1${path}`, `/v1${path}/`])
      expect(await told(spelled, { key: 'data' })).toEqual([403, 'forbidden']);
    for (const spelled of [path.toUpperCase(), `/${path}`, `/x/..${path}`, path.replace('/', '/%2e/')])
      expect([400, 401, 403, 404]).toContain((await told(spelled, { key: 'data' }))[0]);
    expect(await told(path, { key: 'data', headers: { 'x-http-method-override': 'GET', 'x-original-url': '/health' } })).toEqual([
      403,
      'forbidden',
    ]);
  });
});

describe('API6:2023 Unrestricted Access to Sensitive Business Flows', () => {
  // Does not apply: nothing is bought, booked, posted or sent, so no flow can be automated to the harm of others. What is left is reading all there is,
  // which the limits of API4 bound for each key, and the rights of a source for everybody.
  it('has no flow: every route is a read, and leaves nothing behind for the next one', async () => {
    const { paths } = (await (await service.get('/openapi.json')).json()) as { paths: Record<string, object> };
    expect(
      Object.values(paths)
        .flatMap((one) => Object.keys(one))
        .filter((method) => !['get', 'parameters'].includes(method)),
    ).toEqual([]);
    const before = (await pipeline.current()).contentHash;
    for (const { path } of PROMISED) await service.get(bare(path));
    expect((await pipeline.current()).contentHash).toBe(before);
  });
});

describe('API7:2023 Server Side Request Forgery', () => {
  it('no parameter of any route makes the service call an address or read a file', async () => {
    let calls = 0;
    const canary = createServer((_request, response) => {
      calls += 1;
      response.end('{}');
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/x.csv`;
    const { operations } = readDescription(await (await service.get('/openapi.json')).text());
    let asked = 0;
    for (const { path, parameters } of operations) {
      for (const { name } of parameters.filter((one) => one.in === 'query')) {
        for (const value of [address, `'${address}'`, 'file:///etc/passwd', "x' union all from read_text('/etc/passwd') --"]) {
          const response = await service.get(`${bare(path)}?${name}=${encodeURIComponent(value)}`);
          expect([path, name, response.status < 500]).toEqual([path, name, true]);
          expect(await response.text()).not.toContain('root:');
          asked += 1;
        }
      }
    }
    canary.close();
    expect([asked > 400, calls]).toEqual([true, 0]);
  });

  it('the engine could not do so either, even with another statement', async () => {
    const limits = pipeline.workspace.limits('serve');
    const engine = await openReader(limits, [pipeline.paths.files]);
    const connection = await engine.connect();
    for (const statement of [
      "from read_csv('http://127.0.0.1:1/x.csv')",
      "from read_text('/etc/passwd')",
      `from read_text('${pipeline.dataDir}/keys.json')`,
      'install httpfs',
      'load httpfs',
      'set enable_external_access = true',
      "attach 's3://bucket/x.duckdb'",
    ])
      await expect(connection.run(statement)).rejects.toThrow(/Error/);
    connection.closeSync();
    engine.closeSync();
  });
});

describe('API8:2023 Security Misconfiguration', () => {
  it('every answer has the headers that restrict browsers, and none names its software', async () => {
    for (const path of ['/health', '/observations', '/nowhere', '/observations?limit=x']) {
      const { headers } = await service.get(path);
      expect([headers.get('x-content-type-options'), headers.get('x-powered-by'), headers.get('server')]).toEqual(['nosniff', null, null]);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
    expect(
      (await service.get('/observations', { headers: { origin: 'https://example.org' } })).headers.get('access-control-allow-origin'),
    ).toBeNull();
  });

  it('an error shows neither code paths nor SQL', async () => {
    for (const path of [
      '/nowhere',
      '/observations?limit=%27',
      '/entities/%00',
      '/public/screener?filter=x:y:z',
      '/observations?cursor=x',
    ]) {
      const text = await (await service.get(path)).text();
      expect(text).not.toMatch(/\/src\/|node_modules|\.ts:|at \w+ \(|select |duckdb|parquet/i);
    }
  });

  it.each(['TRACE', 'OPTIONS', 'PROPFIND'])('%s is refused', async (method) => {
    const status = await new Promise((resolve, reject) => {
      const headers = { 'x-api-key': service.keys.full };
      const asking = request({ host: '127.0.0.1', port: service.port, path: '/observations', method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asking.on('error', reject).end();
    });
    expect(status).toBe(404);
  });
});

describe('API9:2023 Improper Inventory Management', () => {
  it('the description covers every route, under one version', async () => {
    const { paths, info } = (await (await service.get('/openapi.json')).json()) as {
      paths: Record<string, unknown>;
      info: { version: string };
    };
    expect(Object.keys(paths).toSorted()).toEqual([...PROMISED.map(({ path }) => path), ...OPEN_ROUTES].toSorted());
    expect(info.version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  const OTHERS = ['/v0', '/v2', '/beta', '/internal', '/v1/v1'].map((prefix) => `${prefix}/observations`);
  const FILES = [
    '/admin',
    '/debug',
    '/metrics',
    '/status',
    '/docs/secret',
    '/swagger.json',
    '/graphql',
    '/.env',
    '/.git/config',
    '/keys.json',
    '/current.json',
  ];
  it.each(OTHERS.concat(FILES))('%s is not a route, with or without a key', async (path) => {
    expect(await told(path, { key: 'admin' })).toEqual([404, 'not_found']);
    expect(await told(path, { key: null })).toEqual([404, 'not_found']);
  });
});

describe('API10:2023 Unsafe Consumption of APIs', () => {
  // Calls to publishers do not apply: no code of the service or of its jobs fetches anything; payloads come out of a folder. What is in them is not trusted.
  it.each([
    ['a page that asks to log in', '<!doctype html><title>Sign in</title>'],
    ['a file that is cut off', 'sasdate,PAYEMS\r\nTransform:,5\r\n1/1/2026,1'],
    ['a file of another kind', '{"__proto__":{"isAdmin":true}}'],
    ['formulas and statements for numbers', "sasdate,PAYEMS\r\nTransform:,5\r\n8/1/2026,=1+1\r\n9/1/2026,'; drop table x\r\n"],
    ['nothing', ''],
  ])('%s instead of a payload brings no value, and a report of the problem', async (_, body) => {
    const own = await openPipeline();
    try {
      const { sources } = await own.ingest({ 'fred-md/2026-10.csv': body }, '2026-11-21T08:00:00.000Z');
      expect(sources.map(({ status, error }) => [status, error !== null && error.length > 20])).toEqual([['failed', true]]);
      expect(await own.lake('select count(*)::int as n from observations')).toEqual([{ n: 0 }]);
      expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false);
    } finally {
      await own.remove();
    }
  });
});
