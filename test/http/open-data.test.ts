// Data without a key: feeds and embedded charts, both closed unless the operator opens them, and only with what /public gives to a free key.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { MOST_EMBEDDED_ROWS } from '../../src/http/embedded.ts';
import { openPages } from '../../src/pages/pages.ts';
import { type ErrorBody, type ListBody, type RunningService, sampleDataDir, startSampleService, startService } from '../service.ts';

const BLOG = 'https://blog.example.org';
const RELEASES = '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"></feed>\n';
const PAYROLLS = 'indicator_id=us_nonfarm_payrolls&source_id=fred_md&entity=us&frequency=monthly';
const BROWSER = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };

let open: RunningService;
let closed: RunningService;
beforeAll(async () => {
  const dataDir = await sampleDataDir();
  await mkdir(join(dataDir, 'sample', 'feeds'));
  await writeFile(join(dataDir, 'sample', 'feeds', 'releases.xml'), RELEASES);
  open = await startService(dataDir, {
    isOwnFolder: true,
    environment: { PAGES: 'on', FEEDS: 'on', EMBED_ORIGINS: `${BLOG}, http://localhost:4000` },
  });
  closed = await startSampleService({ environment: { PAGES: 'on' } });
});
afterAll(async () => {
  await open.stop();
  await closed.stop();
});

const asked = (path: string, headers: Record<string, string> = {}, at = open) => at.get(path, { key: null, headers });
const errorAt = async (path: string, at = open) => ((await (await asked(path, {}, at)).json()) as ErrorBody).error;
const framesOf = ({ headers }: Response) => [
  /frame-ancestors [^;]*/.exec(headers.get('content-security-policy') ?? '')?.[0],
  headers.get('x-frame-options'),
];

describe('a feed', () => {
  it('is sent without a key as Atom, and again only if it has changed', async () => {
    const first = await asked('/feeds/releases.xml', { 'accept-encoding': 'identity' });
    expect([first.status, first.headers.get('content-type'), await first.text()]).toEqual([
      200,
      'application/atom+xml; charset=utf-8',
      RELEASES,
    ]);
    const tag = first.headers.get('etag') ?? '';
    expect((await asked('/feeds/releases.xml', { 'accept-encoding': 'identity', 'if-none-match': tag })).status).toBe(304);
    const feed = join(open.dataDir, 'sample', 'feeds', 'releases.xml');
    await writeFile(feed, `${RELEASES}<!-- another night -->`);
    const next = await asked('/feeds/releases.xml', { 'accept-encoding': 'identity', 'if-none-match': tag });
    expect([next.status, await next.text()]).toEqual([200, `${RELEASES}<!-- another night -->`]);
    await writeFile(feed, RELEASES);
  });

  it('is refused with its reason if it is not there, unknown, or closed', async () => {
    expect(await errorAt('/feeds/revisions.xml')).toMatchObject({
      code: 'not_found',
      message: 'This feed is not written yet. The next night writes it.',
    });
    expect((await errorAt('/feeds/..%2Fkeys.json')).code).not.toBe('internal_error');
    expect((await errorAt('/feeds/other.xml')).message).toContain('There is no such feed.');
    expect((await errorAt('/feeds/releases.xml?x=1')).details).toEqual({ parameter: 'x' });
    expect((await errorAt('/feeds/releases.xml', closed)).message).toContain('FEEDS=on');
  });

  it('is named by the pages if it is open, and by none if it is not', async () => {
    for (const path of ['/', '/explore']) {
      expect(await (await asked(path, BROWSER)).text()).toContain(
        '<link rel="alternate" type="application/atom+xml" title="Releases" href="/feeds/releases.xml">',
      );
      expect(await (await asked(path, BROWSER, closed)).text()).not.toContain('atom');
    }
  });
});

describe('frames', () => {
  it('are allowed for /embed, by the listed origins alone', async () => {
    const page = await asked(`/embed?${PAYROLLS}&as_of=2026-01-31&pins=2026-02-06`, BROWSER);
    expect(page.status).toBe(200);
    expect(framesOf(page)).toEqual([`frame-ancestors ${BLOG} http://localhost:4000`, null]);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'self'; img-src 'self' data:; /);
  });

  it('are allowed by no other page and no answer, and by none without the setting', async () => {
    const paths = [...openPages({ hasFeeds: true, embedOrigins: [BLOG] }).keys()].filter((path) => path !== '/embed');
    expect(paths.length).toBeGreaterThan(50);
    for (const path of [...paths, '/ready', '/feeds/releases.xml', `/embed/observations?${PAYROLLS}`, '/nothing'])
      expect([path, ...framesOf(await asked(path, BROWSER))]).toEqual([path, "frame-ancestors 'none'", 'DENY']);
    const off = await asked(`/embed?${PAYROLLS}`, BROWSER, closed);
    expect([off.status, ...framesOf(off)]).toEqual([404, "frame-ancestors 'none'", 'DENY']);
  });
});

describe('the data of an embedded chart', () => {
  const rowsAt = async (path: string, key: 'free' | null) => ((await (await open.get(path, { key })).json()) as ListBody).data;

  it('are the rows that /public gives to a free key', async () => {
    for (const route of ['observations', 'observations/latest']) {
      const query = `${route}?${PAYROLLS}&limit=500${route === 'observations' ? '&vintage=all' : ''}`;
      const embedded = await rowsAt(`/embed/${query}`, null);
      expect(embedded.length).toBeGreaterThan(route === 'observations' ? 20 : 0);
      expect(embedded).toEqual(await rowsAt(`/public/${query}`, 'free'));
    }
  });

  it('have no value of a series that is not public, with the reason', async () => {
    const { data } = (await (await open.get('/indicators/series?limit=500')).json()) as ListBody;
    const hidden = data.filter(({ rights }) => !(rights as { readonly redistributable: boolean }).redistributable);
    expect(hidden.length).toBeGreaterThan(0);
    for (const { indicatorId, sourceId } of hidden.slice(0, 5)) {
      const query = `indicator_id=${String(indicatorId)}&source_id=${String(sourceId)}`;
      const shown = (await (await open.get(`/observations/latest?${query}`)).json()) as ListBody;
      const embedded = (await (await asked(`/embed/observations/latest?${query}`)).json()) as ListBody;
      expect([indicatorId, shown.data.length > 0, embedded.data]).toEqual([indicatorId, true, []]);
      expect(embedded.meta.hints?.map(({ message }) => message).join(' ')).toMatch(/redistribut/);
    }
  });

  it('are of one series, and of no file', async () => {
    expect((await errorAt('/embed/observations')).details).toEqual({ parameter: 'indicator_id' });
    expect((await errorAt('/embed/observations?indicator_id=us_gdp,us_cpi')).details).toEqual({ parameter: 'indicator_id' });
    expect((await errorAt(`/embed/observations?${PAYROLLS}&format=parquet`)).details).toEqual({ parameter: 'format' });
    expect((await errorAt(`/embed/observations?${PAYROLLS}&country=US`)).details).toEqual({ parameter: 'country' });
    expect((await errorAt(`/embed/observations?${PAYROLLS}&format=csv&limit=${MOST_EMBEDDED_ROWS + 1}`)).details).toEqual({
      parameter: 'limit',
    });
  });

  it('count as requests without a key, and need the setting', async () => {
    const answer = await asked(`/embed/observations?${PAYROLLS}`);
    expect(answer.headers.get('x-ratelimit-policy')).toMatch(/^discovery;/);
    const off = await errorAt(`/embed/observations?${PAYROLLS}`, closed);
    expect([off.code, off.message]).toEqual([
      'not_found',
      'This server has no embedded charts. The operator allows them with EMBED_ORIGINS.',
    ]);
    expect((await asked(`/public/observations?${PAYROLLS}`)).status).toBe(401);
  });
});

describe('the settings', () => {
  it('are off by default', () => {
    expect(readConfig({})).toMatchObject({ hasFeeds: false, embedOrigins: [], publicUrl: null });
  });

  it.each([
    ['EMBED_ORIGINS', 'blog.example.org', 'is not an origin'],
    ['EMBED_ORIGINS', 'https://blog.example.org/path', 'is not an origin'],
    ['EMBED_ORIGINS', "https://a.example.org 'self'", 'is not an origin'],
    ['EMBED_ORIGINS', '*, https://a.example.org', 'Write * alone'],
    ['PUBLIC_URL', 'https://data.example.org/asof', 'must be an origin without a path'],
    ['FEEDS', 'yes', 'must be on or off'],
  ])('%s=%s is refused with the remedy', (name, value, message) => {
    expect(() => readConfig({ [name]: value })).toThrow(message);
  });

  it('take origins with a port, with any subdomain, or all', () => {
    expect(readConfig({ EMBED_ORIGINS: 'https://*.Example.org, http://localhost:4000' }).embedOrigins).toEqual([
      'https://*.example.org',
      'http://localhost:4000',
    ]);
    expect(readConfig({ EMBED_ORIGINS: '*' }).embedOrigins).toEqual(['*']);
    expect(readConfig({ PUBLIC_URL: 'https://data.example.org/' }).publicUrl).toBe('https://data.example.org');
    expect(() => readConfig({ EMBED_ORIGINS: '*', PAGES: 'off' })).toThrow('needs the pages');
  });
});
