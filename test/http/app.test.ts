import { gunzipSync } from 'node:zlib';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../src/keys/key.ts';
import { type ErrorBody, errorOf, listOf, startToy, type Toy, toyRows } from './toy.ts';

const RATE_HEADERS = ['x-ratelimit-policy', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

let toy: Toy;
beforeAll(async () => {
  toy = await startToy({ corsOrigins: ['https://charts.example'] });
});
afterAll(() => toy.stop());

async function refused(
  path: string,
  headers?: Record<string, string>,
): Promise<{ status: number; error: ErrorBody['error']; headers: Headers }> {
  const response = await toy.get(path, headers);
  const body = await errorOf(response);
  expect(body.error.request_id).toBe(body.requestId);
  expect(body.error.requestId).toBe(body.requestId);
  expect(response.headers.get('x-request-id')).toBe(body.requestId);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  for (const name of RATE_HEADERS) expect(response.headers.has(name)).toBe(true);
  return { status: response.status, error: body.error, headers: response.headers };
}

const rows = async (path: string) => (await listOf(await toy.get(path))).data;
const headersOf = (more: Record<string, string>) => ({ 'x-api-key': toy.keys.full, ...more });

const raw = async (encoding: string) =>
  new Promise<{ coding: string | undefined; vary: string | undefined; body: Buffer }>((resolve, reject) => {
    httpRequest(`${toy.url}/toys?limit=300`, { headers: headersOf({ 'accept-encoding': encoding }) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ coding: response.headers['content-encoding'], vary: response.headers.vary, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });

describe('envelopes', () => {
  it('wraps a list with its page and one request id in three places', async () => {
    const response = await toy.get('/toys?limit=3');
    const body = await listOf(response);
    expect(response.status).toBe(200);
    expect(body.data).toHaveLength(3);
    expect(body.meta).toMatchObject({ api_version: 'v1', pagination: { limit: 3, cursor: null, has_more: true } });
    expect(new Set([body.requestId, body.meta.request_id, body.meta.requestId, response.headers.get('x-request-id')]).size).toBe(1);
    for (const name of RATE_HEADERS) expect(response.headers.has(name)).toBe(true);
  });

  it('answers the same under /v1 and with a trailing slash', async () => {
    for (const path of ['/v1/toys?limit=3', '/toys/?limit=3', '/v1/toys/?limit=3']) {
      expect((await listOf(await toy.get(path))).data).toHaveLength(3);
    }
    expect((await refused('/v1/v1/toys')).status).toBe(404);
    expect((await refused('/Toys')).status).toBe(404);
  });

  it('takes over a well-formed request id and replaces any other', async () => {
    const headers = { 'x-api-key': toy.keys.full };
    const taken = await toy.get('/toys?limit=1', { ...headers, 'x-request-id': 'a.b_c-1' });
    expect((await listOf(taken)).requestId).toBe('a.b_c-1');
    const replaced = await toy.get('/toys?limit=1', { ...headers, 'x-request-id': 'a"b' });
    expect((await listOf(replaced)).requestId).toMatch(/^req_/);
    const repeated = await toy.get('/toys?limit=1', { ...headers, 'x-request-id': 'x'.repeat(129) });
    expect((await listOf(repeated)).requestId).toMatch(/^req_/);
  });

  it('neither returns nor logs a request id that may contain a key', async () => {
    const before = toy.lines.length;
    const [key, bare] = [createKey(), createKey(true)];
    const ids = [key, bare, `run-${key}`, `${bare}.1`, `x${bare}y`];
    for (const id of ids) {
      for (const path of ['/toys?limit=1', '/toys?limit=0', '/nothing']) {
        const answer = await toy.get(path, { 'x-api-key': toy.keys.full, 'x-request-id': id });
        const said = `${JSON.stringify([...answer.headers])}${await answer.text()}`;
        expect([id, said.includes(id)]).toEqual([id, false]);
      }
    }
    await expect.poll(() => toy.lines.length).toBe(before + 3 * ids.length);
    const logged = JSON.stringify(toy.lines.slice(before));
    expect([logged.includes(key), logged.includes(bare)]).toEqual([false, false]);
  });

  it('answers HEAD as GET without a body', async () => {
    const got = await toy.get('/toys?limit=3');
    const head = await toy.get('/toys?limit=3', undefined, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.headers.get('etag')).toBe(got.headers.get('etag'));
    expect(await head.text()).toBe('');
  });

  it('answers any other method of a known path with 404 and Allow', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await toy.get('/toys', undefined, { method });
      expect(response.status).toBe(404);
      expect(response.headers.get('allow')).toBe('GET, HEAD');
      expect((await errorOf(response)).error.code).toBe('not_found');
    }
    expect((await toy.get('/nothing', undefined, { method: 'POST' })).headers.get('allow')).toBeNull();
  });

  it('carries the security headers and does not name its framework', async () => {
    const { headers } = await toy.get('/health', {});
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('strict-transport-security')).toContain('max-age');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  it('hides an internal error from the caller and logs it', async () => {
    toy.faults.failAfter = 0;
    const { status, error } = await refused('/toys?limit=7');
    toy.faults.failAfter = null;
    expect([status, error.code]).toEqual([500, 'internal_error']);
    expect(error.message).not.toContain('planted');
    expect(toy.lines.find((line) => line['message'] === 'request failed')).toMatchObject({ requestId: error.requestId });
    expect(toy.store.pins()).toBe(0);
  });
});

describe('parameters', () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['an unknown name, with the nearest known one', '/toys?lmit=3', /`lmit`.*`limit`/],
    ['an unknown name without any near', '/toys?zzzzzz=3', /^Unknown parameter `zzzzzz`\.$/],
    ['a repeated name', '/toys?limit=3&limit=3', /`limit`.*more than once/],
    ['an empty value', '/toys?name=', /`name` is empty/],
    ['a name without value', '/toys?name', /`name` is empty/],
    ['two aliases that differ', '/toys?name=a&nameOf=b', /`name` and `nameOf`/],
    ['text for a number', '/toys?least=many', /`least` must be a whole number/],
    ['a number in another notation', '/toys?least=1e1', /`least` must be a whole number/],
    ['a number with blanks', '/toys?least=+5', /`least` must be a whole number/],
    ['a number out of bounds', '/toys?least=101', /`least` must be at most 100/],
    ['a limit of none', '/toys?limit=0', /`limit` must be at least 1/],
    ['a limit too large for json', '/toys?limit=501', /`limit` must be at most 500 for json/],
    ['a limit too large where there is only json', '/plain-toys?limit=501', /`limit` must be at most 500/],
    ['a limit too large for bulk', '/toys?limit=1000001&format=csv', /`limit` must be at most 1000000/],
    ['a format where there is only json', '/plain-toys?format=csv', /`format`/],
    ['a boolean in other words', '/toys?flag=yes', /`flag` must be one of true, false/],
    ['a value out of the list, with the nearest', '/toys?kind=dayly', /`kind` must be one of daily, weekly.*`daily`/],
    ['a field that is not sortable', '/toys?sort=day', /`sort` must be one of id, value, name/],
    ['a direction of its own', '/toys?order=up', /`order` must be one of asc, desc/],
    ['a broken escape', '/toys?name=%zz', /`name`.*not valid percent-encoded UTF-8/],
    ['a half escape', '/toys?name=%e4', /`name`.*not valid percent-encoded UTF-8/],
    ['a control character', '/toys?name=a%00b', /`name`.*control/],
    ['too many pairs', `/toys?${Array.from({ length: 101 }, (_, at) => `p${at}=1`).join('&')}`, /more than 100/],
    ['a name in brackets', '/toys?name[a]=b', /`name\[a\]`/],
    ['parameters of an open route', '/health?x=1', /`x`/],
  ];
  it.each(cases)('refuses %s', async (_, path, message) => {
    const { status, error } = await refused(path);
    expect([status, error.code]).toEqual([400, 'bad_request']);
    expect(error.message).toMatch(message);
  });

  it.each(['%zz', '%', '%E0%A4%A', '%e4', 'a%00b'])('names the parameter in the details if its value is %s', async (value) => {
    expect((await refused(`/toys?name=${value}`)).error.details).toEqual({ parameter: 'name' });
  });

  it('takes one parameter under any of its names, also twice with one value', async () => {
    const expected = await rows('/toys?name=%3Dformula+3');
    expect(expected).toHaveLength(1);
    expect(await rows('/toys?nameOf=%3Dformula%203')).toEqual(expected);
    expect(await rows('/toys?name_of=%3Dformula+3&name=%3Dformula+3')).toEqual(expected);
  });

  it('answers malformed and unknown paths with 400 and 404', async () => {
    for (const path of ['/%zz', '/toys/%ff', '/toys/a%00', '/toys/%c3%28']) expect((await refused(path)).status).toBe(400);
    for (const path of ['/', '/v1', '/nothing', '/toys/a/b', `/toys/${'x'.repeat(5000)}`, '/toys/row_x', '/toys/a%2Fb', '//toys']) {
      expect((await refused(path)).status).toBe(404);
    }
  });
});

describe('keys', () => {
  it('takes a key in either header, or the same key in both', async () => {
    const { full } = toy.keys;
    for (const headers of [
      { 'x-api-key': full },
      { authorization: `Bearer ${full}` },
      { authorization: `bearer ${full}`, 'x-api-key': full },
    ]) {
      expect((await toy.get('/toys?limit=1', headers as unknown as Record<string, string>)).status).toBe(200);
    }
  });

  it('answers 401 to no key, a wrong key, another scheme and two different keys', async () => {
    const { full, admin } = toy.keys;
    const wrong: readonly Record<string, string>[] = [
      {},
      { 'x-api-key': '' },
      { 'x-api-key': createKey() },
      { 'x-api-key': `${full}, ${full}` },
      { authorization: `Basic ${full}` },
      { authorization: full },
      { 'x-api-key': full, authorization: `Bearer ${admin}` },
    ];
    for (const headers of wrong) {
      const { status, error, headers: answered } = await refused('/toys', headers);
      expect([status, error.code]).toEqual([401, 'unauthorized']);
      expect(answered.get('x-ratelimit-policy')).toMatch(/^unauthenticated;/);
      expect(answered.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  it('answers 401 to a header that was sent twice', async () => {
    for (const name of ['x-api-key', 'authorization']) {
      const value = name === 'x-api-key' ? toy.keys.full : `Bearer ${toy.keys.full}`;
      const status = await new Promise((resolve, reject) => {
        httpRequest(`${toy.url}/toys`, { headers: ['host', 'x', name, value, name, value] }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end();
      });
      expect(status).toBe(401);
    }
  });

  it('answers 403 without the scope, and lets admin pass everywhere', async () => {
    const { status, error } = await refused('/ops/toy');
    expect([status, error.code, error.details?.['required_scope']]).toEqual([403, 'forbidden', 'ops:read']);
    expect((await refused('/toys', { 'x-api-key': toy.keys.ops })).status).toBe(403);
    for (const path of ['/toys', '/ops/toy']) {
      const response = await toy.get(path, { 'x-api-key': toy.keys.admin });
      expect(response.status).toBe(200);
      expect(response.headers.get('x-ratelimit-policy')).toMatch(/^admin;/);
    }
  });

  it('lists the scopes of a key in each answer to it, and none without a key', async () => {
    const scopesOf = async (path: string, headers: Readonly<Record<string, string>>) =>
      (await toy.get(path, headers)).headers.get('x-key-scopes');
    expect(await scopesOf('/toys', { 'x-api-key': toy.keys.admin })).toBe('admin');
    expect(await scopesOf('/toys', { 'x-api-key': toy.keys.ops })).toBe('ops:read');
    expect(await scopesOf('/toys', {})).toBe(null);
    expect(await scopesOf('/toys', { 'x-api-key': 'wrong' })).toBe(null);
  });

  it('checks the route before the key, and the key before the parameters', async () => {
    expect((await refused('/nothing', {})).status).toBe(404);
    expect((await refused('/toys?what=1', {})).status).toBe(401);
    expect((await refused('/ops/toy?what=1')).status).toBe(403);
  });

  it('refuses a key in the address and neither repeats nor logs it', async () => {
    const { full } = toy.keys;
    for (const path of [
      `/toys?api_key=${full}`,
      `/toys?name=${full}`,
      `/toys?${full}`,
      `/toys/${full}`,
      '/toys?access_token=abcdefgh',
      `/toys?X-API-Key=zzz`,
    ]) {
      const { status, error } = await refused(path);
      expect([status, error.details?.['reason']]).toEqual([400, 'key_in_address']);
      expect(JSON.stringify(error)).not.toContain(full);
    }
    expect(JSON.stringify(toy.lines)).not.toContain(full);
  });

  it('logs one line per request with the key id and the path of the description', async () => {
    const before = toy.lines.length;
    await (await toy.get('/toys/row_000002')).text();
    await expect.poll(() => toy.lines.length).toBe(before + 1);
    expect(toy.lines.at(-1)).toMatchObject({ message: 'request', keyId: 'key_full', route: '/toys/:id', status: 200, method: 'GET' });
  });

  it('never logs the query string, for answers and refusals', async () => {
    const before = toy.lines.length;
    for (const path of ['/toys?limit=2&least=271828', '/toys?wordofmine=271828', '/nowhere?wordofmine=271828'])
      await (await toy.get(path, headersOf({ referer: 'http://wordofmine.example/' }))).text();
    await expect.poll(() => toy.lines.length).toBe(before + 3);
    expect(JSON.stringify(toy.lines.slice(before))).not.toMatch(/wordofmine|271828/);
  });
});

describe('conditional requests', () => {
  it('answers 304 to the tag of the same question, however it is written', async () => {
    const tag = (await toy.get('/toys?limit=3&least=2')).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[^"]+"$/);
    for (const path of ['/toys?limit=3&least=2', '/v1/toys/?least=2&limit=3']) {
      const response = await toy.get(path, headersOf({ 'if-none-match': `"x", W/${tag}` }));
      expect(response.status).toBe(304);
      expect(await response.text()).toBe('');
      for (const name of RATE_HEADERS) expect(response.headers.has(name)).toBe(true);
    }
    expect((await toy.get('/toys?limit=4&least=2', headersOf({ 'if-none-match': tag }))).status).toBe(200);
    expect((await toy.get('/toys?limit=3&least=2', headersOf({ 'if-none-match': '*' }))).status).toBe(304);
  });

  it('has another tag for another tier, form, coding, snapshot and day', async () => {
    const tagOf = async (path: string, headers?: Record<string, string>) => (await toy.get(path, headers)).headers.get('etag');
    const path = '/toys?limit=200';
    const tags = [
      await tagOf(path, headersOf({ 'accept-encoding': 'identity' })),
      await tagOf(path, headersOf({ 'accept-encoding': 'gzip' })),
      await tagOf(path, { 'x-api-key': toy.keys.free, 'accept-encoding': 'identity' }),
      await tagOf(`${path}&format=csv`),
      await tagOf(`${path}&format=ndjson`),
    ];
    toy.clock.now += 24 * 3600 * 1000;
    tags.push(await tagOf(path, headersOf({ 'accept-encoding': 'identity' })));
    toy.clock.now -= 24 * 3600 * 1000;
    toy.store.publish('snap_b', toyRows(1000));
    tags.push(await tagOf(path, headersOf({ 'accept-encoding': 'identity' })));
    toy.store.publish('snap_a', toyRows(1000));
    expect(new Set(tags).size).toBe(tags.length);
  });

  it('sends gzip that any reader can read, with each request under its own id, and never br', async () => {
    const first = await raw('gzip, br');
    const second = await raw('br;q=1, gzip;q=0.5');
    expect([first.coding, second.coding]).toEqual(['gzip', 'gzip']);
    expect(first.vary).toContain('Accept-Encoding');
    const bodies = [first, second].map(({ body }) => JSON.parse(gunzipSync(body).toString('utf8')) as Awaited<ReturnType<typeof listOf>>);
    const plain = JSON.parse((await raw('gzip;q=0')).body.toString('utf8')) as Awaited<ReturnType<typeof listOf>>;
    expect(bodies[0]?.data).toEqual(plain.data);
    expect(bodies[0]?.requestId).not.toBe(bodies[1]?.requestId);
    expect((await raw('br')).coding).toBeUndefined();
  });
});

describe('the free tier', () => {
  it('has data of the last 24 months, and reports the limit', async () => {
    const free = { 'x-api-key': toy.keys.free };
    const body = await listOf(await toy.get('/toys?limit=500', free));
    expect(body.meta.history_limited).toBe(true);
    expect(body.data.length).toBeGreaterThan(0);
    expect(body.data.every((row) => row.madeOn >= '2024-11-21')).toBe(true);
    expect((await listOf(await toy.get('/toys?limit=500'))).meta.history_limited).toBeUndefined();
    const csv = await (await toy.get('/toys?limit=5000&format=csv', free)).text();
    expect(csv).not.toContain('2012-01-15');
  });
});

describe('other origins', () => {
  it('may read answers only if they are configured', async () => {
    const from = (origin: string) => ({ 'x-api-key': toy.keys.full, origin });
    expect((await toy.get('/toys', from('https://charts.example'))).headers.get('access-control-allow-origin')).toBe(
      'https://charts.example',
    );
    expect((await toy.get('/toys', from('https://other.example'))).headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await toy.get(
      '/toys',
      { origin: 'https://charts.example', 'access-control-request-method': 'GET' },
      { method: 'OPTIONS' },
    );
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-api-key');
  });
});

describe('discovery', () => {
  it('answers without a key, and counts per address', async () => {
    const health = await toy.get('/health', {});
    expect(await health.json()).toMatchObject({ data: { status: 'ok' }, meta: { api_version: 'v1' } });
    expect(health.headers.get('x-ratelimit-policy')).toMatch(/^discovery;/);
    expect(await (await toy.get('/v1/ready', {})).json()).toMatchObject({
      data: { status: 'ready', snapshotId: 'snap_a', rateLimiter: { store: 'memory', isUp: true } },
    });
    expect(await (await toy.get('/openapi.json', {})).json()).toEqual({ openapi: '3.1.0' });
    expect((await toy.get('/llms.txt', {})).headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('is not ready without a snapshot', async () => {
    const empty = await startToy();
    empty.store.drop('snap_a');
    const response = await empty.get('/ready', {});
    expect([response.status, (await errorOf(response)).error.details?.['reason']]).toEqual([500, 'not_ready']);
    expect((await empty.get('/toys')).status).toBe(500);
    expect((await empty.get('/health', {})).status).toBe(200);
    await empty.stop();
  });
});
