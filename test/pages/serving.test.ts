// What a person looks at is served by a fixed list, beside an interface that is the same without it.
import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openPages } from '../../src/pages/pages.ts';
import { createKey } from '../../src/keys/key.ts';
import { errorOf, startToy, type Toy } from '../http/toy.ts';

const CSP = "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
const HTML = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const pages = openPages();
const paths = [...pages.keys()];
let shown: Toy;
let bare: Toy;
beforeAll(async () => {
  shown = await startToy({ pages });
  bare = await startToy({ pages: null });
});
afterAll(async () => {
  await shown.stop();
  await bare.stop();
});

const get = (toy: Toy, path: string, headers: Record<string, string> = {}, method = 'GET') => fetch(toy.url + path, { headers, method });

/** As it is written, which fetch would mend. */
const asWritten = (toy: Toy, path: string) =>
  new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(toy.url);
    httpRequest({ hostname, port, path, headers: { accept: 'text/html' } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

describe('a page', () => {
  it('names its modules and styles by the release, so that a browser asks for each once', async () => {
    for (const path of ['/', '/explore', '/docs', '/docs/api']) {
      const body = await (await get(shown, path, HTML)).text();
      const addresses = [...body.matchAll(/(?:href|src)="(\/pages\/[^"]+)"/g)].map(([, address = '']) => address);
      expect(addresses.length).toBeGreaterThan(2);
      expect(addresses.filter((address) => !/^\/pages\/[0-9a-f]{12}\/[\w/-]+\.(?:js|css)$/.test(address))).toEqual([]);
      expect(addresses.filter((address) => !paths.includes(address))).toEqual([]);
    }
  });

  it.each(paths)('%s is sent in full with its policy to callers without a key', async (path) => {
    const response = await get(shown, path, HTML);
    const body = Buffer.from(await response.arrayBuffer());
    expect(response.status).toBe(200);
    expect(body.length).toBeGreaterThan(100);
    expect(response.headers.get('content-security-policy')).toBe(CSP);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    const isOfRelease = /^\/pages\/[0-9a-f]{12}\//.test(path);
    expect(response.headers.get('cache-control')).toBe(isOfRelease ? 'public, max-age=31536000, immutable' : 'no-cache');
    expect(response.headers.get('x-ratelimit-policy')).toMatch(/^discovery;/);
    expect(response.headers.get('content-type')).toMatch(
      /^(?:application\/json(?:; charset=utf-8)?|text\/(?:html|javascript|css); charset=utf-8|image\/svg\+xml)$/,
    );
    expect(response.headers.get('etag')).toMatch(/^"[\w-]{27}-gzip"$/);
    const head = await get(shown, path, HTML, 'HEAD');
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, response.headers.get('etag'), '']);
  });

  it('has a strong tag of its bytes, and is not sent again if the tag matches', async () => {
    const plain = await get(shown, '/explore', { 'accept-encoding': 'identity' });
    const text = await plain.text();
    const tag = plain.headers.get('etag') ?? '';
    expect(tag).toBe(`"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`);
    const again = await get(shown, '/explore', { 'accept-encoding': 'identity', 'if-none-match': tag });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, tag, '']);
    expect(again.headers.get('content-security-policy')).toBe(CSP);
    expect((await get(shown, '/explore', { 'if-none-match': '"another"' })).status).toBe(200);
    expect((await get(shown, '/explore', { 'if-none-match': '*' })).status).toBe(304);
    expect((await get(shown, '/no-such-page', { 'if-none-match': '*' })).status).toBe(404);
    expect(gunzipSync(pages.get('/explore')?.gzip ?? '').toString()).toBe(text);
  });

  it('accepts no parameters, no other method and no key in its address', async () => {
    const unknown = await get(shown, '/explore?view=series');
    expect(unknown.status).toBe(400);
    expect((await errorOf(unknown)).error.details).toEqual({ parameter: 'view' });
    const posted = await get(shown, '/explore', {}, 'POST');
    expect([posted.status, posted.headers.get('allow')]).toEqual([404, 'GET, HEAD']);
    const key = createKey();
    expect((await errorOf(await get(shown, `/explore?key=${key}`))).error.details).toEqual({ reason: 'key_in_address' });
  });

  it('does not belong to the interface: neither to its prefix nor to its description', async () => {
    for (const path of ['/v1/docs', '/v1/explore', '/v1/pages/names.json']) expect((await get(shown, path, HTML)).status).toBe(404);
    expect(await (await get(shown, '/openapi.json')).text()).toBe(await (await get(bare, '/openapi.json')).text());
  });

  it('is found only at its own address: no path leads to the disk', async () => {
    const tried = [
      '/pages/',
      '/pages',
      '/pages/app',
      '/pages/explore.html',
      '/pages/views',
      '/pages/../../package.json',
      '/pages/..%2f..%2fconfig.ts',
    ];
    const more = [
      '/pages/%2e%2e/config.ts',
      '/pages/lib/../../pages.ts',
      '/docs/../package.json',
      '/docs/contributing',
      '//pages/names.json',
      '/pages/names.json%00',
    ];
    for (const path of [...tried, ...more]) expect([path, await asWritten(shown, path)]).toEqual([path, path.includes('%00') ? 400 : 404]);
  });
});

describe('the start page', () => {
  it.each([
    [HTML.accept, 200, '<h1>Macro and market data as it was known</h1>'],
    ['text/html', 200, '<h1>Macro and market data as it was known</h1>'],
    ['application/json', 404, 'The guides are at /docs.'],
    ['*/*', 404, 'The guides are at /docs.'],
    ['application/json, text/html;q=0.5', 404, 'The guides are at /docs.'],
  ])('for Accept: %s is %i', async (accept, status, text) => {
    const response = await get(shown, '/', { accept });
    expect(response.status).toBe(status);
    expect(response.headers.get('vary')).toMatch(/\bAccept\b/);
    expect(await response.text()).toContain(text);
  });
});

describe('PAGES', () => {
  it('is on unless it is exactly off', () => {
    expect(readConfig({}).hasPages).toBe(true);
    expect(readConfig({ PAGES: 'on' }).hasPages).toBe(true);
    expect(readConfig({ PAGES: 'off' }).hasPages).toBe(false);
    expect(() => readConfig({ PAGES: 'no' })).toThrow('Configuration: PAGES must be on or off.');
  });

  it('off removes every page: each address answers as an unknown one', async () => {
    const never = (await errorOf(await get(bare, '/never', HTML))).error;
    for (const path of paths) {
      const response = await get(bare, path, HTML);
      const { error } = await errorOf(response);
      expect([path, response.status, error.code, error.message]).toEqual([path, 404, 'not_found', never.message]);
      expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(response.headers.get('vary')).toBe(null);
    }
    expect(never.message).not.toMatch(/\/docs/);
  });
});
