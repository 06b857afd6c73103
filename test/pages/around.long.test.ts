// The way around the pages: the menu, an as-of that stays set, and pages that one opens without knowing what to type.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ListBody } from '../service.ts';
import { inChromium, NO_CHROMIUM, type Visit, type VisitOptions } from './chromium.ts';

const COMPANY = 'company_9999999001';
const BEFORE = '1950-01-01';

describe.skipIf(NO_CHROMIUM !== null)(
  `the way around the pages${NO_CHROMIUM === null ? '' : ` (skipped: ${NO_CHROMIUM})`}`,
  { timeout: 120_000 },
  () => {
    const run = inChromium();
    const signedIn = (path: string, options: VisitOptions = {}) => run.open(path, { key: run.service.keys.full, ...options });
    const go = (view: string, options: VisitOptions = {}) => signedIn(`/explore#/${view}`, options);
    const rows = async (path: string) => ((await (await run.service.get(path)).json()) as ListBody).data;
    const parameters = (page: Page) => Object.fromEntries(new URLSearchParams(page.url().split('?')[1]));
    const isQuiet = ({ complaints, leaks }: Visit) => expect({ complaints, leaks }).toEqual({ complaints: [], leaks: [] });

    it('the start page has the menu of the other pages, and signs out', async () => {
      const linksOf = (page: Page) =>
        page.locator('header nav a').evaluateAll((links) => links.map((link) => [link.textContent, (link as { href: string }).href]));
      const explore = await go('health');
      await explore.page.getByRole('heading', { level: 1, name: 'Data health' }).waitFor();
      const expected = (await linksOf(explore.page)).map(([label, href]) => [label, href]);
      const one = await signedIn('/');
      await one.page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Today' }).waitFor();
      expect(await linksOf(one.page)).toEqual(expected);
      await one.page.getByRole('button', { name: 'Sign out' }).click();
      await one.page.getByRole('heading', { name: 'Sign in to look around' }).waitFor();
      expect(await one.page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
      [explore, one].forEach(isQuiet);
    });

    it.each([
      ['today?as_of=2026-09-30&days=30&country=US', 'Today, 2026-09-01 to 2026-09-30, US'],
      ['today?as_of=2026-09-30&days=1&importance=any', 'Today, 2026-09-30'],
      ['calendar?week=2026-09-02&country=US&importance=high', 'Calendar, 2026-08-31 to 2026-09-06, US, high importance'],
      ['screener', 'Screener'],
      ['screener?filter=unemployment_rate:gt:0&as_of=2024-06-30', 'Screener, unemployment_rate:gt:0, as of 2024-06-30'],
      [
        'screener?filter=economic_sentiment:lt:100&rank_by=economic_sentiment:asc&columns=unemployment_rate',
        'Screener, Economic sentiment below its mean',
      ],
      ['health?verdict=late&source_id=sec', 'Data health, EDGAR company facts and submissions, late series'],
    ])('the tab of %s is named %s', async (view, title) => {
      const one = await go(view);
      await one.page.locator('h1').first().waitFor();
      await expect.poll(() => one.page.title()).toBe(`${title} · asof`);
      isQuiet(one);
    });

    it('the tab of data health without a filter counts the sources that are not well', async () => {
      const bad = (await rows('/source-health?limit=500')).filter(({ status }) => status === 'failing' || status === 'degraded');
      const one = await go('health');
      await expect
        .poll(() => one.page.title())
        .toBe(`Data health, ${bad.length} ${bad.length === 1 ? 'source' : 'sources'} in trouble · asof`);
    });

    it('the documentation begins a line for each group of its menu on a phone', async () => {
      const one = await signedIn('/docs', { width: 390 });
      const lefts = await one.page
        .locator('.guides p')
        .evaluateAll((labels) => labels.map((label) => (label as { offsetLeft: number }).offsetLeft));
      expect([lefts.length > 2, new Set(lefts).size]).toEqual([true, 1]);
      isQuiet(one);
    });

    it('the search is ready to type in when it opens, unless it has an answer to read', async () => {
      const one = await signedIn('/explore');
      await one.page.locator('input[role="combobox"]:focus').waitFor();
      const answered = await go('search?q=payroll');
      await answered.page.locator('tbody tr').first().waitFor();
      expect(await answered.page.evaluate('document.activeElement.tagName')).toBe('BODY');
    });

    describe('the line over invented numbers', () => {
      const VIEWS = [
        'search?q=payroll',
        'today',
        'series?indicator_id=us_nonfarm_payrolls',
        'screener',
        'company',
        'cot',
        'calendar',
        'health',
      ];
      const line = (page: Page) => page.getByRole('note').filter({ hasText: 'Sample: every number here is invented' });

      it.each(VIEWS)('stands above %s, in one line on a phone', async (view) => {
        for (const width of [1360, 390]) {
          const one = await go(view, { width, height: 844 });
          await one.page.locator('h1').first().waitFor();
          await line(one.page).waitFor();
          const lines = await one.page.evaluate(
            `(() => { const all = document.createRange(); all.selectNodeContents(document.querySelector('[role="note"]')); return all.getClientRects().length; })()`,
          );
          expect([width, lines]).toEqual([width, 1]);
          isQuiet(one);
        }
      });

      it('leaves the first chart where a phone and a desk show it without scrolling', async () => {
        for (const [width, height, bottom] of [
          [1360, 900, 900],
          [390, 844, 844],
        ] as const) {
          const one = await go('series?indicator_id=us_nonfarm_payrolls&source_id=fred_md', { width, height });
          await line(one.page).waitFor();
          await one.page.locator('.chart canvas').waitFor();
          const box = await one.page.locator('.chart .u-over').boundingBox();
          expect([width, (box?.y ?? Infinity) + (box?.height ?? 0) < bottom]).toEqual([width, true]);
        }
      });

      it.each(['/explore#/search', '/'])('is on %s before you sign in', async (path) => {
        const one = await run.open(path);
        await line(one.page).waitFor();
        expect(await one.page.getByLabel('API key').first().isVisible()).toBe(true);
        isQuiet(one);
      });

      it('is absent over collected data, and goes when they replace the sample', async () => {
        const one = await run.tab({ key: run.service.keys.full });
        let serves = 'sample';
        await one.page.route('**/ready', async (route) => {
          const response = await route.fetch();
          const body = (await response.json()) as { data: object };
          await route.fulfill({ response, json: { ...body, data: { ...body.data, serves } } });
        });
        await one.page.goto(`${run.service.url}/explore#/health`);
        await line(one.page).waitFor();
        serves = 'real';
        await one.page.getByRole('link', { name: 'Today' }).click();
        await line(one.page).waitFor({ state: 'detached' });
        expect(await one.page.locator('h1').innerText()).toMatch(/^Released and revised: the week from /);
        isQuiet(one);
      });
    });

    describe('under an as-of that is too early', () => {
      it.each([
        'search?q=payroll',
        'search?kind=companies&q=sample',
        'search?kind=contracts',
        'today',
        'indicator?id=consumer_confidence',
        'screener?filter=unemployment_rate:gt:0',
        'company',
        'company?q=sample',
        `company?id=${COMPANY}`,
        'cot',
        'cot?entity=cftc_088691',
        'calendar?week=1949-12-26',
        'provenance?id=OBSERVATION',
      ])('%s says that nothing is shown because of the day, and a link takes the day away', async (view) => {
        const [row] = await rows('/observations?indicator_id=us_nonfarm_payrolls&limit=1');
        const path = view.replace('OBSERVATION', String(row?.['observationId']));
        const one = await go(`${path}${path.includes('?') ? '&' : '?'}as_of=${BEFORE}`);
        const { page } = one;
        await page.getByText(`This is as of ${BEFORE}.`).first().waitFor();
        await page.getByRole('link', { name: 'Remove the as-of' }).first().click();
        await expect.poll(() => parameters(page)).toEqual(Object.fromEntries(new URLSearchParams(path.split('?')[1])));
        await page.getByText(`This is as of ${BEFORE}.`).first().waitFor({ state: 'detached' });
        expect(await page.getByLabel('As of', { exact: true }).inputValue()).toBe('');
        isQuiet(one);
      });

      it('data health says nothing of it, because it always shows the current state', async () => {
        const one = await go(`health?as_of=${BEFORE}&verdict=ceased`);
        await one.page.getByText('as-of has no effect').waitFor();
        await one.page.waitForLoadState('networkidle');
        expect(await one.page.getByText('This is as of').count()).toBe(0);
        isQuiet(one);
      });
    });

    it('no count of one has a plural', async () => {
      const one = await go('search?q=nonfarm payrolls&kind=indicators&country=US');
      await one.page.locator('caption').first().waitFor();
      const [caption] = await one.page.locator('caption').allTextContents();
      const count = await one.page.locator('tbody tr').count();
      expect(caption?.trim()).toBe(count === 1 ? '1 indicator' : `${count} indicators`);
      const contract = (await rows('/entities?entity_type=futures_contract&limit=1'))[0];
      const exact = await go(`search?kind=contracts&q=${encodeURIComponent(String(contract?.['entityId']))}`);
      await exact.page.locator('caption', { hasText: /^\s*1 contract\s*$/ }).waitFor();
      [one, exact].forEach(isQuiet);
    });

    it('a company says which facts were not known by the as-of, and is found by a ticker of later', async () => {
      const path = `/public/companies?q=${COMPANY.slice(-10)}`;
      const [now] = await rows(path);
      const filed = String(now?.['latestFiledAt']).slice(0, 10);
      const [then] = await rows(`${path}&as_of=${filed}`);
      expect([then?.['sector'], now?.['sector']]).toEqual([null, expect.any(String)]);
      const one = await go(`company?id=${String(now?.['ticker'])}&as_of=${filed}`);
      const sector = one.page.locator('dl.facts div', { hasText: 'Sector' });
      await sector.getByText(`not known by ${filed}; today ${String(now?.['sector'])}`).waitFor();
      const since = one.page.getByText(/^Known since /);
      await since.waitFor();
      const [, day = '', named = ''] = /since (\S+): (.*)\.$/.exec(await since.innerText()) ?? [];
      expect(named.split(', ')).toContain('sector');
      const sectorOf = async (as_of: string) => (await rows(`${path}&as_of=${as_of}`))[0]?.['sector'];
      const dayBefore = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
      expect([await sectorOf(dayBefore), await sectorOf(day)]).toEqual([null, now?.['sector']]);
      expect(await one.page.locator('.headline h1').textContent()).toContain(String(now?.['name']));
      isQuiet(one);
    });

    it('the screener says what an as-of does, and compares with a year ago', async () => {
      const one = await go('screener?filter=unemployment_rate:gt:0');
      await one.page.getByText('If you set an as-of, each field has the columns then, today and change.').waitFor();
      await one.page.getByRole('button', { name: 'Compare with a year ago' }).click();
      const year = new Date().getUTCFullYear() - 1;
      await expect.poll(() => String(parameters(one.page)['as_of'])).toMatch(new RegExp(`^${year}-`));
      await one.page.getByText(`As of ${year}-`).first().waitFor();
      isQuiet(one);
    });

    it('provenance explains itself, offers the newest records, and takes a pasted link', async () => {
      const one = await go('provenance');
      const [newest] = await rows('/observations/latest?type=macro&importance=high&sort=observed_at&order=desc&limit=1');
      const id = String(newest?.['observationId']);
      await one.page.getByText('Where a number comes from').waitFor();
      await one.page.locator('tbody a').first().click();
      await expect.poll(() => parameters(one.page)['id']).toBe(id);
      const other = await go('provenance');
      await other.page.getByLabel('Observation id or link').fill(`${run.service.url}/explore#/provenance?id=${id}&as_of=2026-01-01`);
      await other.page.getByRole('button', { name: 'Show' }).click();
      await expect.poll(() => parameters(other.page)['id']).toBe(id);
      await other.page.getByRole('heading', { name: 'Publisher', exact: true }).waitFor();
      [one, other].forEach(isQuiet);
    });
  },
);
