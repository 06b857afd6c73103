// The interface with the pages and without is one: what is no page is answered the same.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPages } from '../../src/pages/pages.ts';
import { startToy, type Toy } from '../http/toy.ts';
import type { ErrorBody } from '../service.ts';

const HTML = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';
let shown: Toy;
let bare: Toy;
beforeAll(async () => {
  shown = await startToy({ pages: openPages() }, 20);
  bare = await startToy({ pages: null }, 20);
});
afterAll(async () => {
  await shown.stop();
  await bare.stop();
});

interface Asked {
  readonly method?: string;
  readonly accept?: string;
  readonly hasKey?: boolean;
}

/** What of an answer is the interface's: all but its id, its moment, and where a 404 sends its reader. */
async function answerOf(toy: Toy, path: string, { method = 'GET', accept = '*/*', hasKey = false }: Asked) {
  const response = await fetch(toy.url + path, {
    method,
    headers: { accept, 'x-request-id': 'one', ...(hasKey ? { 'x-api-key': toy.keys.full } : {}) },
  });
  const {
    date: _date,
    'x-ratelimit-reset': _reset,
    'content-length': _length,
    vary: _vary,
    ...headers
  } = Object.fromEntries(response.headers);
  const body = (await response.text()).replace(' The guides are at /docs.', '');
  return { status: response.status, headers, body };
}

const ROUTES = [
  '/health',
  '/ready',
  '/openapi.json',
  '/llms.txt',
  '/llms-full.txt',
  '/v1/health',
  '/toys?limit=3',
  '/toys/row_000001',
  '/ops/toy',
];
const NO_PAGES = [
  '/explore/x',
  '/docs/contributing',
  '/docs/use/guides/start/x',
  '/pages',
  '/pages/',
  '/pages/x',
  '/pages/lib',
  '/v1/explore',
  '/v1/',
  '/Explore',
  '/explore;x',
];

describe('the service with pages and without', () => {
  it.each([...ROUTES, ...NO_PAGES])('gives at %s the same answer to every caller, in every form', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      for (const accept of NO_PAGES.includes(path) && (method === 'GET' || method === 'HEAD') ? ['*/*'] : [HTML, '*/*'])
        for (const hasKey of [true, false]) {
          const asked = { method, accept, hasKey };
          expect([asked, await answerOf(shown, path, asked)]).toEqual([asked, await answerOf(bare, path, asked)]);
        }
  });

  it.each(NO_PAGES)('has at %s a page for a browser and the same error for everyone else', async (path) => {
    const browser = await fetch(shown.url + path, { headers: { accept: HTML } });
    expect([browser.status, browser.headers.get('content-type'), browser.headers.get('vary')]).toEqual([
      404,
      'text/html; charset=utf-8',
      'Accept',
    ]);
    const text = await browser.text();
    expect(text).toContain('<h1>Not found</h1>');
    // It is no page of the documentation.
    expect(text).not.toContain('aria-current="true"');
    const head = await fetch(shown.url + path, { method: 'HEAD', headers: { accept: HTML } });
    expect([head.status, head.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    const program = await fetch(shown.url + path, { headers: { accept: 'application/json' } });
    expect([program.status, ((await program.json()) as ErrorBody).error.code]).toEqual([404, 'not_found']);
  });

  it.each(['/explore', '/docs', '/docs/use/guides/start', '/pages/names.json', '/'])(
    'refuses at %s every other method with 404 in the envelope',
    async (path) => {
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        const { status, body } = await answerOf(shown, path, { method, accept: HTML });
        const before = await answerOf(bare, path, { method, accept: HTML });
        const codeOf = (text: string) => (JSON.parse(text) as ErrorBody).error.code;
        expect([method, status, codeOf(body)]).toEqual([method, 404, 'not_found']);
        expect([method, before.status, codeOf(before.body)]).toEqual([method, 404, 'not_found']);
      }
    },
  );

  it('neither requires nor reads a key for a page, and requires one for the interface', async () => {
    const wrong = await fetch(`${shown.url}/explore`, { headers: { 'x-api-key': 'asof_wrong' } });
    expect(wrong.status).toBe(200);
    expect((await answerOf(shown, '/toys', { accept: HTML })).status).toBe(401);
  });
});
