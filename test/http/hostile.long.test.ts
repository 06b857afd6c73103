import { request as httpRequest } from 'node:http';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openPages } from '../../src/pages/pages.ts';
import { startToy, type Toy } from './toy.ts';

let toy: Toy;

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

function get(path: string, headers: Record<string, string>): Promise<Answered> {
  return new Promise((resolve, reject) => {
    httpRequest({ host: '127.0.0.1', port: toy.port, path, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    })
      .on('error', reject)
      .end();
  });
}

const piece = fc.oneof(
  fc.constantFrom(
    'limit',
    'cursor',
    'sort',
    'order',
    'name',
    'nameOf',
    'least',
    'flag',
    'kind',
    'format',
    'api_key',
    '__proto__',
    'constructor',
  ),
  fc.constantFrom(
    '1',
    '-1',
    '500',
    '501',
    '1e9',
    'NaN',
    'null',
    'true',
    'asc',
    'desc',
    'id',
    'value',
    'csv',
    'ndjson',
    '',
    'a'.repeat(300),
  ),
  fc.constantFrom(
    '%00',
    '%zz',
    '%',
    '%ff',
    '+',
    '%2B',
    '%F0%9F%98%80',
    "';drop table x--",
    '../../etc/passwd',
    '[]',
    '&',
    '=',
    '?',
    '%0d%0aX: y',
  ),
  fc.string({ maxLength: 12 }).map(encodeURIComponent),
);
const pair = fc.tuple(piece, piece).map(([name, value]) => `${name}=${value}`);
const path = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('/toys', '/plain-toys', '/toys/row_000001', '/ops/toy', '/health', '/v1/toys', '/toys/changes/'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '/',
      '/explore',
      '/docs',
      '/docs/use/guides/start',
      '/docs/',
      '/pages/app.js',
      '/pages/../app.js',
      '/v1/explore',
      '/pages/x',
    ),
  },
  { weight: 1, arbitrary: fc.array(piece, { maxLength: 3 }).map((pieces) => `/${pieces.join('/')}`) },
);
const target = fc
  .tuple(path, fc.array(pair, { maxLength: 4 }))
  .map(([at, pairs]) => (pairs.length === 0 ? at : `${at}?${pairs.join('&')}`))
  .map((text) => text.replaceAll(/[^\x21-\x7e]/g, '_'));
const headers = fc.record(
  {
    'x-request-id': fc.constantFrom('mine', 'a b', '"', 'x'.repeat(200)),
    accept: fc.constantFrom('*/*', 'text/csv', 'application/x-ndjson;q=0.1', 'q=;;,', 'text/html'),
    'if-none-match': fc.constantFrom('*', '"x"', 'W/', ',,'),
    'accept-encoding': fc.constantFrom('gzip;q=0', 'identity', 'br', ';;'),
  },
  { requiredKeys: [] },
);

const hasIds = (status: number, answered: Answered['headers']): boolean =>
  status !== 304 && String(answered['content-type']).startsWith('application/json');

/** Every place in a body that names the request; throws when the body has not the shape that its status promises. */
function idsIn(status: number, type: string, body: string): readonly unknown[] {
  // An unknown address is a page for a browser.
  if (status === 404 && type.startsWith('text/html')) return [];
  if (status >= 400) {
    const { error, requestId } = z
      .strictObject({
        error: z.strictObject({
          code: z.string(),
          message: z.string().max(400),
          request_id: z.string(),
          requestId: z.string(),
          details: z.record(z.string(), z.unknown()).optional(),
        }),
        requestId: z.string(),
      })
      .parse(JSON.parse(body));
    return [error.request_id, error.requestId, requestId];
  }
  if (status === 304 || !type.startsWith('application/json')) return [];
  const { meta, requestId } = z
    .object({
      data: z.unknown(),
      meta: z.object({ request_id: z.string(), requestId: z.string(), api_version: z.literal('v1') }),
      requestId: z.string(),
    })
    .parse(JSON.parse(body));
  return [meta.request_id, meta.requestId, requestId];
}

describe.each([
  ['without pages', null],
  ['with pages', openPages()],
])('any request, %s,', (_which, pages) => {
  beforeAll(async () => {
    toy = await startToy({ pages }, 200);
  });
  afterAll(() => toy.stop());

  it('never gets a 5xx; errors have one shape, one id in all places and the four headers', async () => {
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(target, headers, fc.constantFrom('full', 'free', 'none'), async (at, more, who) => {
        const key = who === 'none' ? {} : { 'x-api-key': who === 'full' ? toy.keys.full : toy.keys.free };
        const { status, headers: answered, body } = await get(at, { ...more, ...key });
        seen.add(status);
        expect([200, 304, 400, 401, 403, 404]).toContain(status);
        for (const name of ['policy', 'limit', 'remaining', 'reset']) expect(answered[`x-ratelimit-${name}`]).toBeDefined();
        const isPage = status >= 400 && String(answered['content-type']).startsWith('text/html');
        expect(!isPage || (status === 404 && more.accept === 'text/html' && pages !== null)).toBe(true);
        const id = answered['x-request-id'];
        expect(id).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
        expect(new Set(idsIn(status, String(answered['content-type']), body))).toEqual(new Set(hasIds(status, answered) ? [id] : []));
      }),
      { numRuns: 2000 },
    );
    expect(seen).toEqual(new Set([200, 304, 400, 401, 403, 404]));
  });
});
