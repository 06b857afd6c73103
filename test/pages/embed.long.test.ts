// A chart on another origin's page: it is drawn without a key, in the page's place, and only where the operator allows it.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListBody, type RunningService, sampleDataDir, startService } from '../service.ts';
import { launch, NO_CHROMIUM } from './chromium.ts';
import { forPeople } from './for-people.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];
const PAYROLLS = 'indicator_id=us_nonfarm_payrolls&source_id=fred_md&entity=us&frequency=monthly';
const UNEMPLOYMENT = 'us_unemployment_rate~fred_md~us~monthly';

/** A page of somebody else, whose frame has the address after `?`. */
async function startBlog(): Promise<{ readonly origin: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    const address = decodeURIComponent((request.url ?? '').split('?at=')[1] ?? '');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      `<!doctype html><html lang="en"><title>A blog</title><body><h1>A blog</h1><iframe src="${address.replaceAll('&', '&amp;')}" title="Chart" width="100%" height="${address.includes('compare') ? 960 : address.includes('revision') ? 720 : 580}" style="border:0"></iframe></body></html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

describe.skipIf(NO_CHROMIUM !== null)(
  `an embedded chart${NO_CHROMIUM === null ? '' : ` (skipped: ${NO_CHROMIUM})`}`,
  { timeout: 120_000 },
  () => {
    let service: RunningService;
    let browser: Browser;
    let blog: { readonly origin: string; readonly server: Server };
    let stranger: { readonly origin: string; readonly server: Server };
    beforeAll(async () => {
      blog = await startBlog();
      stranger = await startBlog();
      service = await startService(await sampleDataDir(), {
        isOwnFolder: true,
        environment: { PAGES: 'on', FEEDS: 'on', EMBED_ORIGINS: blog.origin },
      });
      browser = await launch();
    });
    afterAll(async () => {
      await browser?.close();
      await service?.stop();
      blog?.server.close();
      stranger?.server.close();
    });

    interface Embedded {
      readonly page: Page;
      readonly frame: Frame;
      readonly complaints: readonly string[];
      readonly asked: readonly { readonly path: string; readonly key: string | undefined }[];
      readonly close: () => Promise<void>;
    }

    /** The chart in a frame of a page of this origin, read by somebody who is signed in to the service in the same browser. */
    async function embedded(
      path: string,
      { scheme = 'light', width = 1360, at = blog.origin }: { scheme?: 'light' | 'dark'; width?: number; at?: string } = {},
    ): Promise<Embedded> {
      const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height: 800 }, reducedMotion: 'reduce' });
      const complaints: string[] = [];
      const asked: { path: string; key: string | undefined }[] = [];
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => {
        if (request.url().startsWith(service.url))
          asked.push({ path: request.url().slice(service.url.length), key: request.headers()['x-api-key'] });
      });
      await page.goto(service.url);
      await page.evaluate(`localStorage.setItem('asof.key', ${JSON.stringify(service.keys.full)})`);
      asked.length = 0;
      complaints.length = 0;
      await page.goto(`${at}/?at=${encodeURIComponent(service.url + path)}`);
      const frame = await (await page.locator('iframe').elementHandle())?.contentFrame();
      if (frame === null || frame === undefined) throw new Error('the page has no frame');
      return { page, frame, complaints, asked, close: () => context.close() };
    }

    it.each([
      ['levels', '', 'All Employees, Total Nonfarm, United States'],
      ['levels as of a day with a pinned vintage', '&as_of=2026-03-31&transform=change&pins=2026-02-06', 'All Employees'],
      ['two vintages', '&mode=compare', 'All Employees'],
      ['revisions', '&mode=revision', 'All Employees'],
      ['a second series', `&over=${UNEMPLOYMENT}`, 'All Employees'],
      ['what its address does not say', '&mode=constructor&range=soon&transform=soon&over=soon', 'All Employees'],
    ])('of %s is drawn in light and dark, wide and narrow, without a key, and axe has no finding', async (_, more, heading) => {
      for (const look of [
        { scheme: 'light', width: 1360 },
        { scheme: 'dark', width: 390 },
      ] as const) {
        const one = await embedded(`/embed?${PAYROLLS}${more}`, look);
        await one.frame.locator('h1', { hasText: heading }).waitFor();
        await one.frame.locator('.chart canvas').first().waitFor();
        await one.page.waitForLoadState('networkidle');
        expect(await one.frame.locator('.fault').count()).toBe(0);
        expect(await one.frame.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
        expect(one.asked.filter(({ key, path }) => key !== undefined || /asof_/.test(path))).toEqual([]);
        const data = one.asked.map(({ path }) => path.split('?')[0]).filter((path) => !path?.startsWith('/pages/'));
        const allowed = ['/embed', '/embed/observations', '/embed/observations/latest', '/favicon.ico', '/ready'];
        expect(data.filter((path) => !allowed.includes(path ?? ''))).toEqual([]);
        expect(data).toContain('/embed/observations');
        await one.frame.getByText('Sample: every number here is invented.').waitFor();
        expect(one.complaints).toEqual([]);
        await one.frame.evaluate(axe.source);
        const { violations, passes } = await one.frame.evaluate<AxeResults>(`axe.run(document, { runOnly: ${JSON.stringify(RULES)} })`);
        expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([]);
        expect(passes.map(({ id }) => id)).toContain('color-contrast');
        await one.close();
      }
    });

    it('has its source, its as-of and a link to all vintages', async () => {
      const [newest] = ((await (await service.get(`/observations/latest?${PAYROLLS}`)).json()) as ListBody).data;
      const { frame, close } = await embedded(`/embed?${PAYROLLS}&as_of=2026-03-31`);
      await frame.getByText('as known on 2026-03-31').first().waitFor();
      await frame.getByText(`Source: ${String(newest?.['attribution'])}.`).waitFor();
      const back = frame.getByRole('link', { name: 'Every vintage on asof' });
      expect(await back.getAttribute('href')).toBe(`/explore#/series?${PAYROLLS}&as_of=2026-03-31`);
      expect(await back.getAttribute('target')).toBe('_blank');
      await close();
    });

    it('is not drawn on a page of another origin', async () => {
      const one = await embedded(`/embed?${PAYROLLS}`, { at: stranger.origin });
      await expect.poll(() => one.complaints.join('\n')).toContain('frame-ancestors');
      expect(await one.frame.locator('h1', { hasText: 'All Employees' }).count()).toBe(0);
      expect(one.asked.filter(({ path }) => path.startsWith('/embed/'))).toEqual([]);
      const other = await embedded('/explore', {});
      await expect.poll(() => other.complaints.join('\n')).toContain('frame-ancestors');
      await one.close();
      await other.close();
    });

    it('says plainly that a series is not public', async () => {
      const { frame, close } = await embedded('/embed?indicator_id=nothing_at_all');
      await frame.getByText('No public values of this series.').waitFor();
      expect(await frame.locator('canvas').count()).toBe(0);
      await close();
    });

    it('is offered by the page of the series as HTML whose address draws the same chart', async () => {
      const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      await page.goto(`${service.url}/explore#key=${service.keys.full}&to=/series?${PAYROLLS}&transform=year&as_of=2026-03-31`);
      await page.getByText('Embed this chart').click();
      const snippet = await page.locator('pre', { hasText: '<iframe' }).innerText();
      const [, address = '', title] =
        /^<iframe src="([^"]*)" title="([^"]*)" width="100%" height="580" frameborder="0" loading="lazy"><\/iframe>$/.exec(snippet) ?? [];
      expect(title).toBe('All Employees, Total Nonfarm, United States');
      const path = address.replaceAll('&amp;', '&').slice(service.url.length);
      expect(Object.fromEntries(new URL(path, service.url).searchParams)).toEqual({
        ...Object.fromEntries(new URLSearchParams(PAYROLLS)),
        transform: 'year',
        as_of: '2026-03-31',
      });
      const one = await embedded(path);
      await one.frame.locator('.chart canvas').waitFor();
      await one.close();
      await context.close();
    });

    it('is drawn with the values of the interface', async () => {
      const { data } = (await (await service.get(`/public/observations/latest?${PAYROLLS}`)).json()) as ListBody;
      const one = await embedded(`/embed?${PAYROLLS}`);
      await one.frame.locator('.chart canvas').waitFor();
      const box = await one.frame.locator('.chart .u-over').boundingBox();
      if (box === null) throw new Error('the chart has no place');
      await one.page.mouse.move(box.x + box.width - 2, box.y + box.height / 2);
      const shown = one.frame.getByText(forPeople(data[0]?.['actual'])).first();
      await shown.waitFor();
      expect(await shown.isVisible()).toBe(true);
      await one.close();
    });
  },
);
