// The pages in a browser, over the sample: what they show is what the interface answers, and what they do when it does not.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { guideAddress, GUIDES } from '../../src/pages/guides.ts';
import { type ListBody, sampleDataDir, startService } from '../service.ts';
import { inChromium, NO_CHROMIUM, type Visit, type VisitOptions } from './chromium.ts';
import { contractName, forPeople } from './for-people.ts';

const SERIES = '#/series?indicator_id=us_nonfarm_payrolls&source_id=fred_md&entity=us&frequency=monthly';
const APRIL = `${SERIES}&period_end=2020-04-30`;

/** In each row the change is that of the shown numbers, as on the page of the screen. */
async function expectToAddUp(table: Locator): Promise<void> {
  for (const row of await table.locator('tbody tr:not(.group)').all()) {
    const [, then = NaN, now = NaN, change] = (await row.locator('td').allTextContents()).map(Number);
    expect(change).toBeCloseTo(now - then, 8);
  }
}

describe.skipIf(NO_CHROMIUM !== null)(`the pages in Chromium${NO_CHROMIUM === null ? '' : ` (skipped: ${NO_CHROMIUM})`}`, () => {
  const run = inChromium();
  const go = run.open;
  const signedIn = (path: string, options: VisitOptions = {}) => go(path, { key: run.service.keys.full, ...options });
  const rows = async (path: string) => ((await (await run.service.get(path)).json()) as ListBody).data;
  const cells = (page: Page, label: string) => page.locator(`.table:has(caption:text("${label}")) tbody tr`);
  const isQuiet = ({ complaints, leaks }: Visit) => expect({ complaints, leaks }).toEqual({ complaints: [], leaks: [] });

  it.each<readonly [string, string]>([
    ['/', 'Macro and market data as it was known'],
    ['/explore', 'Search'],
    ['/explore#/search?q=payroll', 'Search'],
    [`/explore${SERIES}`, 'All Employees, Total Nonfarm'],
    ['/explore#/indicator?id=consumer_confidence', 'Consumer Confidence'],
    [`/explore${SERIES}&mode=revision`, 'All Employees, Total Nonfarm'],
    ['/explore#/provenance', 'Provenance'],
    ...GUIDES.map((guide) => [guideAddress(guide), ''] as const),
  ])('%s renders without errors, in light and dark, wide and narrow', async (path, heading) => {
    for (const options of [
      { scheme: 'light', width: 1280 },
      { scheme: 'dark', width: 400 },
    ] as const) {
      const one = await signedIn(path, options);
      await one.page
        .locator('h1', heading === '' ? {} : { hasText: heading })
        .first()
        .waitFor();
      await one.page.waitForLoadState('networkidle');
      expect(await one.page.locator('.fault').count()).toBe(0);
      // What is wide scrolls by itself: the page does not.
      expect([path, await one.page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')]).toEqual([path, true]);
      isQuiet(one);
    }
  });

  it.each<readonly [string, number]>([
    ['/', 150],
    ['/explore', 150],
    [`/explore${SERIES}`, 150],
    ['/explore#/indicator?id=consumer_confidence', 150],
    ['/explore#/screener', 150],
    ['/explore#/company', 150],
    ['/explore#/cot', 200],
  ])('%s loads at most %d kB at first, answers of the interface included', async (path, most) => {
    const one = await run.tab({ key: run.service.keys.full });
    const sizes: Promise<number>[] = [];
    one.page.on('requestfinished', (request) => sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize)));
    await one.page.goto(run.service.url + path);
    await one.page.locator('h1').first().waitFor();
    await one.page.waitForLoadState('networkidle');
    const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(sizes.length).toBeGreaterThan(2);
    expect(total).toBeGreaterThan(1000);
    expect(total).toBeLessThanOrEqual(most * 1000);
  });

  it('/ links to US payrolls on the sample, and on collected data to a series with revisions, without a key to the search', async () => {
    const sample = await go('/');
    const first = sample.page.locator('#first', { hasText: 'US payrolls' });
    await first.waitFor();
    // One banner says that the numbers are invented; the line below need not.
    await sample.page.getByRole('note').filter({ hasText: 'every number here is invented' }).waitFor();
    expect(await sample.page.getByText('invented').count()).toBe(1);
    expect(await first.getAttribute('href')).toBe(
      '/explore#/series?indicator_id=us_nonfarm_payrolls&source_id=fred_md&transform=change&range=3',
    );
    const ready = { data: { serves: 'real', knowledgeCutoff: '2026-11-20T00:00:00.000Z' } };
    const collected = async (options: VisitOptions) => {
      const { page } = await run.tab(options);
      await page.route('**/ready', (route) => route.fulfill({ json: ready }));
      await page.goto(`${run.service.url}/`);
      await page.locator('#state', { hasText: 'collected data' }).waitFor();
      return page.locator('#first');
    };
    expect(await (await collected({})).getAttribute('href')).toBe('/explore#/search');
    const revised = await collected({ key: run.service.keys.full });
    await revised.filter({ hasText: 'US payrolls, every vintage' }).waitFor();
    expect(await revised.getAttribute('href')).toBe(`/explore${SERIES}&range=3&transform=change`);
  });

  it('/ shows what revisions did, and what was released and revised in the last days', async () => {
    const one = await run.tab({ key: run.service.keys.full });
    const { page } = one;
    const screens: URLSearchParams[] = [];
    page.on(
      'request',
      (request) => /\/public\/screener\?.*filter=/.test(request.url()) && screens.push(new URL(request.url()).searchParams),
    );
    await page.goto(`${run.service.url}/`);
    // One quarter as first published and as known now.
    await page.getByRole('heading', { name: 'US growth in 2020-Q2' }).waitFor();
    const prints = (await rows('/observations?indicator_id=us_gdp_growth_qoq&period=2020-Q2&vintage=all&limit=100')).toSorted((a, b) =>
      String(a['observedAt']) < String(b['observedAt']) ? -1 : 1,
    );
    const [first, last] = [forPeople(prints[0]?.['actual']), forPeople(prints.at(-1)?.['actual'])];
    expect(first).not.toBe(last);
    await page.getByText(`First published as ${first} % on ${String(prints[0]?.['observedAt']).slice(0, 10)}, now ${last} %.`).waitFor();
    await page.getByRole('heading', { name: 'US payrolls: revised' }).waitFor();
    expect(await page.locator('.chart canvas').count()).toBe(2);
    // Each chart is offered as a file, which names what it shows.
    for (const [at, name] of ['us_gdp_growth_qoq-2020-Q2', 'us_nonfarm_payrolls-revised'].entries()) {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'SVG' }).nth(at).click()]);
      expect(file.suggestedFilename()).toBe(`${name}.svg`);
      const text = await readFile(await file.path(), 'utf8');
      expect(text).toContain('Sample data, invented');
      expect(text).toMatch(/as known on 20\d\d-\d\d-\d\d; source: (?!null|undefined)/);
    }
    // A screen of then beside today: who entered, who left, and by how much.
    const table = page.locator('.table:has(caption:text("then and today"))');
    await table.waitFor();
    const [, day = ''] = await table.locator('thead th').allTextContents();
    expect(screens.length).toBeGreaterThan(0);
    // Each screen that was tried is about the field of its filter, not about one that stands beside it.
    for (const asked of screens) expect(asked.get('filter')?.split(/[@:]/)[0]).toBe(asked.get('columns'));
    const [field, filter] = [screens[0]?.get('columns') ?? '', screens[0]?.get('filter') ?? ''];
    const asOfDay = `&as_of=${day.trim().slice(0, 10)}`;
    const matchesOf = async (as_of: string) =>
      (await rows(`/public/screener?universe=countries&filter=${encodeURIComponent(filter)}&columns=${field}&limit=500${as_of}`)).map(
        (row) => row['name'],
      );
    const [then, now] = [await matchesOf(asOfDay), await matchesOf('')];
    const groups = (await table.locator('tr.group').allTextContents()).map((text) => text.trim());
    const sizes: readonly (readonly [string, number])[] = [
      ['New', now.filter((name) => !then.includes(name)).length],
      ['No longer', then.filter((name) => !now.includes(name)).length],
      ['Then and today', then.filter((name) => now.includes(name)).length],
    ];
    expect(groups).toEqual(sizes.filter(([, size]) => size > 0).map(([text, size]) => `${text} (${size})`));
    const [name, before, today, change] = await table.locator('tbody tr:not(.group)').first().locator('td').allTextContents();
    const valueOf = async (as_of: string) => {
      const all = await rows(`/public/screener?universe=countries&columns=${field}&eligible_only=false&limit=500${as_of}`);
      return (all.find((row) => row['name'] === name)?.['values'] as Record<string, { value: number }> | undefined)?.[field]?.value ?? NaN;
    };
    const [valueThen, valueNow] = [await valueOf(asOfDay), await valueOf('')];
    for (const [text, value] of [
      [before, valueThen],
      [today, valueNow],
    ] as const)
      expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(0.00501);
    expect(Math.abs(Number(change) - (valueNow - valueThen))).toBeLessThanOrEqual(0.0101);
    await expectToAddUp(table);
    expect(await table.locator('svg.bar').count()).toBeGreaterThan(2);
    await page.getByRole('heading', { name: 'Released this week' }).waitFor();
    // The age of the data, beside the way to its details.
    const fresh = page.getByRole('region', { name: 'Freshness' });
    await fresh.getByText(/The newest data came in \d+ (?:minute|hour|day)s? ago, from /).waitFor();
    expect(await fresh.getByRole('link', { name: 'Data health' }).getAttribute('href')).toBe('/explore#/health');
    // The field leads to the search.
    await page.getByRole('combobox', { name: 'Find' }).fill('payrolls');
    await page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').first().waitFor();
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/explore#/search?q=payrolls');
    isQuiet(one);
  });

  it('/ has the series that you watch, until you stop', async () => {
    const one = await signedIn(`/explore${SERIES}`);
    const { page } = one;
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    await page.getByRole('button', { name: 'Watched', exact: true }).waitFor();
    await page.goto(`${run.service.url}/`);
    const [newest] = await rows('/observations/latest?indicator_id=us_nonfarm_payrolls&source_id=fred_md');
    const list = page.locator('.table:has(caption:text("watched series"))');
    await list.waitFor();
    const shown = (await list.locator('tbody tr td').allTextContents()).slice(1, 4);
    expect(shown).toEqual(['United States', newest?.['period'], forPeople(newest?.['actual'])]);
    await list.getByRole('button', { name: 'Stop watching' }).click();
    await list.waitFor({ state: 'detached' });
    isQuiet(one);
  });

  it('/ calls a watched company by its name', async () => {
    const [row] = await rows('/entities/company_9999999786/observations?limit=1');
    const { data } = (await (await run.service.get('/entities/company_9999999786')).json()) as { data: { name: string } };
    const one = await signedIn('/');
    const kept = JSON.stringify([{ indicator_id: row?.['indicatorId'], source_id: row?.['sourceId'], frequency: row?.['frequency'] }]);
    await one.page.evaluate(`localStorage.setItem('asof.watched', ${JSON.stringify(kept)})`);
    await one.page.reload();
    const list = one.page.locator('.table:has(caption:text("watched series"))');
    await list.getByRole('cell', { name: data.name }).waitFor();
    expect(await list.innerText()).not.toContain('company_9999999786');
    isQuiet(one);
  });

  it('/ asks for a key, and for nothing else without one', async () => {
    const one = await run.tab();
    const asked: string[] = [];
    one.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await one.page.goto(`${run.service.url}/`);
    await one.page.getByRole('heading', { name: 'Sign in to look around' }).waitFor();
    await one.page.waitForLoadState('networkidle');
    expect(asked.filter((path) => path !== '/' && path !== '/ready' && path !== '/favicon.ico' && !path.startsWith('/pages/'))).toEqual([]);
    await one.page.getByLabel('API key').fill(run.service.keys.full);
    await one.page.getByRole('button', { name: 'Sign in' }).click();
    await one.page.getByRole('heading', { name: 'US growth in 2020-Q2' }).waitFor();
    isQuiet(one);
  });

  it('#/company distinguishes data without companies from a search that finds none', async () => {
    const searched = await signedIn('/explore#/company?q=zzzzzz');
    await searched.page.getByText('No matching company').waitFor();
    const one = await run.tab({ key: run.service.keys.full });
    const none = { data: [], meta: { pagination: { limit: 50, cursor: null, next_cursor: null, has_more: false }, as_of: null } };
    await one.page.route('**/public/companies*', (route) => route.fulfill({ json: none }));
    await one.page.goto(`${run.service.url}/explore#/company`);
    await one.page.getByText('This data has no companies').waitFor();
    expect(await one.page.getByText('No matching company').count()).toBe(0);
  });

  it('removes the key from the address, keeps it for the tab, and opens a series with one click on the link', async () => {
    const one = await go(`/explore#key=${run.service.keys.full}&to=/series?indicator_id=us_nonfarm_payrolls`);
    await one.page.locator('.chart canvas').waitFor();
    expect(one.page.url()).toBe(`${run.service.url}/explore#/series?indicator_id=us_nonfarm_payrolls`);
    expect(await one.page.evaluate('sessionStorage.getItem("asof.key")')).toBe(run.service.keys.full);
    expect(await one.page.evaluate('localStorage.length + document.cookie.length')).toBe(0);
    await one.page.reload();
    await one.page.locator('.chart canvas').waitFor();
    // The same link where the page is open already.
    await one.page.evaluate(`window.location.hash = '#key=${run.service.keys.data}&to=/search?q=payroll'`);
    await one.page.locator('tbody tr').first().waitFor();
    expect(one.page.url()).toBe(`${run.service.url}/explore#/search?q=payroll`);
    expect(await one.page.evaluate('sessionStorage.getItem("asof.key")')).toBe(run.service.keys.data);
    isQuiet(one);
  });

  describe('search', () => {
    it.each([
      ['Indicators', '/indicators?q=payroll&limit=500', 'payroll'],
      ['Entities', '/entities?q=united&limit=100', 'united'],
      ['Companies', '/public/companies?q=sample&limit=100', 'sample'],
      ['Contracts', '/entities?entity_type=futures_contract&limit=100', ''],
    ])('finds %s as the interface does, and keeps the query in the address', async (kind, path, text) => {
      const one = await signedIn('/explore');
      await one.page.getByRole('button', { name: kind, exact: true }).click();
      await one.page.getByRole('combobox', { name: 'Text' }).fill(text);
      await one.page.getByRole('combobox', { name: 'Text' }).press('Enter');
      // One row an indicator, in the order of its best series.
      const firsts = new Map(
        (await rows(path)).toReversed().map((row) => [row['canonicalIndicatorId'] ?? row['entityId'], String(row['name'])]),
      );
      const names = [...firsts.values()].toReversed();
      const expected = kind === 'Contracts' ? names.map(contractName) : names;
      expect(expected.length).toBeGreaterThan(0);
      await one.page.locator('table').waitFor();
      await expect.poll(() => cells(one.page, kind).locator('td:first-child').allTextContents(), { timeout: 30_000 }).toEqual(expected);
      await one.page.reload();
      await expect.poll(() => cells(one.page, kind).locator('td:first-child').allTextContents(), { timeout: 30_000 }).toEqual(expected);
      isQuiet(one);
    });

    it('narrows the results by the values of a column, and counts them', async () => {
      const one = await signedIn('/explore#/search?q=inflation');
      const counts = (some: readonly Readonly<Record<string, unknown>>[]) => new Set(some.map((row) => row['canonicalIndicatorId'])).size;
      const all = await rows('/indicators?q=inflation&limit=500');
      const monthly = all.filter((row) => row['frequency'] === 'monthly');
      expect([counts(monthly) > 0, counts(monthly) < counts(all)]).toEqual([true, true]);
      const choice = one.page.getByLabel('Frequency');
      await choice.selectOption({ label: `monthly (${counts(monthly)})` });
      const found = await rows('/indicators?q=inflation&frequency=monthly&limit=500');
      await one.page.locator('caption', { hasText: new RegExp(`^${counts(found)} indicators`) }).waitFor();
      expect(one.page.url()).toContain('frequency=monthly');
      await choice.selectOption({ label: 'any' });
      await one.page.locator('caption', { hasText: new RegExp(`^${counts(all)} indicators`) }).waitFor();
      // A facet of one kind is none of another.
      await choice.selectOption('monthly');
      await one.page.getByRole('button', { name: 'Entities' }).click();
      await expect.poll(() => one.page.url()).not.toContain('frequency');
      isQuiet(one);
    });

    it('without a text begins with a few indicators of high importance, on a phone too', async () => {
      for (const [width, most] of [
        [1360, 25],
        [390, 10],
      ] as const) {
        const one = await signedIn('/explore#/search', { width });
        await one.page.locator('tbody tr').first().waitFor();
        expect(await one.page.getByLabel('Importance').inputValue()).toBe('high');
        expect(await one.page.locator('tbody tr').count()).toBe(most);
        expect(await one.page.evaluate<number>('document.documentElement.scrollHeight')).toBeLessThan(width === 390 ? 5000 : 2500);
        isQuiet(one);
      }
    });

    it('suggests the best matches while you type, and opens one by keyboard', async () => {
      const one = await signedIn('/explore');
      await one.page.locator('h1').waitFor();
      await one.page.locator('body').press('/');
      await one.page.keyboard.type('us payrol');
      const [best] = await rows('/indicators?q=us%20payrol&limit=1');
      const options = one.page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
      // Until the words are complete, the list may be of the first of them.
      await options
        .filter({ hasText: String(best?.['name']) })
        .first()
        .waitFor();
      await expect.poll(() => options.first().innerText()).toContain(String(best?.['name']));
      await one.page.keyboard.press('ArrowDown');
      expect(await options.first().getAttribute('aria-selected')).toBe('true');
      await one.page.keyboard.press('Enter');
      await expect.poll(() => one.page.url(), { timeout: 30_000 }).toContain(`indicator_id=${String(best?.['indicatorId'])}`);
      isQuiet(one);
    });

    it('suggests an indicator once with its best country and once with all of them, then others', async () => {
      const { page, ...one } = await signedIn('/explore');
      await page.getByRole('combobox', { name: 'Text' }).fill('inflation');
      const all = page
        .getByRole('listbox', { name: 'Suggestions' })
        .getByRole('option', { name: /all \d+ countries/ })
        .first();
      await all.waitFor();
      const series = await rows('/indicators?q=inflation&limit=200');
      const [best] = series;
      const countries = new Set(
        series.filter((row) => row['canonicalIndicatorId'] === best?.['canonicalIndicatorId']).map((row) => row['entityId']),
      );
      expect(await all.innerText()).toBe(`${String(best?.['name'])} all ${countries.size} countries`);
      const names = (await page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').allInnerTexts()).map(
        (text) => text.split('\n')[0],
      );
      expect(new Set(names).size).toBe(names.length);
      expect(
        new Set(
          (await page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').allInnerTexts()).map((text) =>
            text.replace(/ (?:all|United States).*$/, ''),
          ),
        ).size,
      ).toBeGreaterThan(2);
      await all.click();
      await expect.poll(() => page.url()).toContain(`#/indicator?id=${String(best?.['canonicalIndicatorId'])}`);
      isQuiet({ page, ...one });
    });

    it.each([
      ['/', 'Find'],
      ['/explore#/series?indicator_id=us_nonfarm_payrolls', 'Text'],
      ['/explore#/today', 'Text'],
      ['/docs', 'Search the documentation'],
    ])('on %s, the slash key leads to the field %s', async (path, name) => {
      const one = await signedIn(path);
      await one.page.locator('h1').first().waitFor();
      await one.page.locator('body').press('/');
      await one.page.locator('input[type="search"]:focus').waitFor();
      const named = one.page.getByRole(path === '/docs' ? 'searchbox' : 'combobox', { name, exact: true });
      expect(await named.evaluate((input) => input.matches(':focus'))).toBe(true);
      isQuiet(one);
    });

    it('names the entity of each suggestion and of each row, companies too', async () => {
      const ofAll = await rows('/indicators?q=price%20to%20earnings&limit=200');
      // The best series of each indicator.
      const isFirst = (row: (typeof ofAll)[number], at: number) =>
        ofAll.findIndex((one) => one['canonicalIndicatorId'] === row['canonicalIndicatorId']) === at;
      const found = ofAll.filter(isFirst).slice(0, 3);
      expect(ofAll.length).toBeGreaterThan(found.length);
      const nameOf = async (id: unknown) =>
        ((await (await run.service.get(`/entities/${String(id)}`)).json()) as { data: { name: string } }).data.name;
      const entities = await Promise.all(found.map(({ entityId }) => nameOf(entityId)));
      for (const [path, label] of [
        ['/', 'Find'],
        ['/explore', 'Text'],
        ['/explore#/series', 'Find a series'],
      ] as const) {
        const one = await signedIn(path);
        await one.page.getByRole('combobox', { name: label, exact: true }).fill('price to earnings');
        await expect
          .poll(async () => {
            const texts = await one.page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').allTextContents();
            const names = texts.filter((text) => !/all \d+/.test(text)).slice(0, entities.length);
            return names.map((text, at) => text.includes(entities[at] ?? '?'));
          })
          .toEqual(entities.map(() => true));
        isQuiet(one);
      }
      const listed = await signedIn('/explore#/search?q=price%20to%20earnings');
      await expect.poll(() => cells(listed.page, 'indicator').first().innerText()).toContain(entities[0]);
      expect(await cells(listed.page, 'indicator').first().innerText()).not.toMatch(/company_\d/);
      const series = await signedIn(
        `/explore#/series?indicator_id=${String(found[0]?.['indicatorId'])}&entity=${String(found[0]?.['entityId'])}`,
      );
      await series.page.getByRole('heading', { level: 1, name: `${String(found[0]?.['name'])}, ${entities[0] ?? ''}` }).waitFor();
      [listed, series].forEach(isQuiet);
    });

    it('leads to the page of a company, among indicators and among entities', async () => {
      const href = '#/company?id=company_9999999003';
      const found = await signedIn('/explore#/search?q=Sample%20Holdings');
      const line = found.page.getByText('Companies:');
      await expect.poll(() => line.getByRole('link').first().getAttribute('href')).toBe(href);
      const entities = await signedIn('/explore#/search?kind=entities&q=Sample%20Holdings');
      await expect.poll(() => entities.page.locator('tbody a').first().getAttribute('href')).toBe(href);
      const none = await signedIn('/explore#/search?q=payrolls');
      await none.page.locator('tbody a').first().waitFor();
      await none.page.waitForLoadState('networkidle');
      expect(await none.page.getByText('Companies:').count()).toBe(0);
      [found, entities, none].forEach(isQuiet);
    });

    it('shows more rows on request, until all are there, and says as of when', async () => {
      const { page } = await signedIn('/explore#/search?as_of=2026-11-01&importance=any');
      const caption = page.locator('caption');
      await expect.poll(() => caption.innerText()).toMatch(/^The first \d+ indicators, as of 2026-11-01$/);
      await page.getByRole('button', { name: /^Show all \d+ rows$/ }).click();
      await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(25);
      const firsts = await page.locator('tbody tr').count();
      const more = page.getByRole('button', { name: 'Find more' });
      for (let shown = firsts; (await more.count()) > 0; shown = await page.locator('tbody tr').count()) {
        await more.click();
        await expect.poll(async () => (await page.locator('tbody tr').count()) > shown || (await more.count()) === 0).toBe(true);
      }
      const known = new Set<unknown>();
      for (let cursor = ''; ; ) {
        const answer = await run.service.get(`/indicators?as_of=2026-11-01&limit=500${cursor}`);
        const { data, meta } = (await answer.json()) as ListBody;
        for (const row of data) known.add(row['canonicalIndicatorId']);
        if (meta.pagination.next_cursor === null) break;
        cursor = `&cursor=${encodeURIComponent(meta.pagination.next_cursor)}`;
      }
      await expect.poll(() => caption.innerText()).toBe(`${known.size} indicators, as of 2026-11-01`);
      expect(firsts).toBeLessThan(known.size);
    });

    it('explains an empty result, with the nearest name', async () => {
      const one = await signedIn('/explore#/search?q=x&country=USAA');
      await one.page.locator('.hint, .fault').first().waitFor();
      expect(await one.page.locator('main').innerText()).toMatch(/USAA/);
    });
  });

  describe('a series', () => {
    const picture = (page: Page) => page.evaluate<string>('document.querySelector(".chart canvas").toDataURL()');
    const asOf = (page: Page) => new URLSearchParams(page.url().split('?')[1]).get('as_of');

    it('is redrawn while the slider moves over real vintage days, and the address follows when it is released', async () => {
      const one = await signedIn(`/explore${SERIES}&range=all`);
      const slider = one.page.getByRole('slider', { name: 'Known on' });
      await slider.waitFor();
      const days = [
        ...new Set(
          (await rows('/observations?indicator_id=us_nonfarm_payrolls&source_id=fred_md&vintage=all&limit=500')).map((row) =>
            String(row['observedAt']).slice(0, 10),
          ),
        ),
      ].toSorted();
      // Those of the whole series, whatever years are shown.
      await expect.poll(() => slider.getAttribute('max')).toBe(String(days.length - 1));
      const drag = (at: number) =>
        one.page.evaluate(
          `(() => { const slider = document.querySelector('#as-of-slider'); slider.value = ${at}; slider.dispatchEvent(new Event('input', { bubbles: true })); })()`,
        );
      const seen = [await picture(one.page)];
      for (const at of [3, 0]) {
        await drag(at);
        await one.page.getByText(`as known on ${days[at]}`).waitFor();
        expect(await one.page.locator('.slider output').innerText()).toBe(days[at]);
        expect(asOf(one.page)).toBe(null);
        await expect.poll(async () => seen.includes(await picture(one.page))).toBe(false);
        seen.push(await picture(one.page));
      }
      await one.page.evaluate(`document.querySelector('#as-of-slider').dispatchEvent(new Event('change', { bubbles: true }))`);
      await expect.poll(() => asOf(one.page)).toBe(days[0]);
      await slider.press('ArrowRight');
      await expect.poll(() => asOf(one.page)).toBe(days[1]);
      isQuiet(one);
    });

    it('goes to the years before the shown ones if the slider rests there', async () => {
      const one = await signedIn(`/explore${SERIES}`);
      const slider = one.page.getByRole('slider', { name: 'Known on' });
      await expect.poll(() => slider.getAttribute('max')).not.toBe('13');
      await one.page.evaluate(
        `(() => { const slider = document.querySelector('#as-of-slider'); slider.value = 2; slider.dispatchEvent(new Event('input', { bubbles: true })); })()`,
      );
      await expect.poll(() => asOf(one.page)).toBe('2020-04-30');
      await one.page.getByRole('heading', { name: 'Release history, 2020-03' }).waitFor();
      isQuiet(one);
    });

    it('shows the prints of a period as the interface does, under as-of only those known then', async () => {
      for (const day of ['', '2020-06-30', '2020-05-30']) {
        const one = await signedIn(`/explore${APRIL}${day === '' ? '' : `&as_of=${day}`}`);
        const asked = `/observations?indicator_id=us_nonfarm_payrolls&source_id=fred_md&vintage=all&period=2020-04${day === '' ? '' : `&as_of=${day}`}`;
        const expected = (await rows(asked)).map((row) => Number(row['actual']).toLocaleString('en'));
        await one.page.getByRole('heading', { name: 'Release history, 2020-04' }).waitFor();
        await one.page.waitForLoadState('networkidle');
        expect([day, await cells(one.page, 'In thousands').locator('td:nth-child(3)').allTextContents()]).toEqual([day, expected]);
        expect(expected.length).toBe(day === '' ? 3 : day === '2020-06-30' ? 2 : 0);
        isQuiet(one);
      }
    });

    it('names its country in its heading and in the legend of each of its charts', async () => {
      for (const mode of ['level', 'compare', 'revision']) {
        const one = await signedIn(`/explore${SERIES}&mode=${mode}`);
        await one.page.getByRole('heading', { level: 1, name: 'All Employees, Total Nonfarm, United States', exact: true }).waitFor();
        await expect
          .poll(() => one.page.locator('.legend strong').allTextContents())
          .toEqual(['All Employees, Total Nonfarm, United States']);
        isQuiet(one);
      }
    });

    it('that is not chosen yet is found by a field, or in a list of those that are often looked up', async () => {
      const one = await signedIn('/explore#/series');
      const list = cells(one.page, 'Often looked up');
      await list.first().waitFor();
      expect(await list.count()).toBeGreaterThan(5);
      expect(await list.allInnerTexts()).toEqual(expect.arrayContaining([expect.stringContaining('United States')]));
      await list.getByRole('link').first().click();
      await one.page.locator('.chart canvas').first().waitFor();
      isQuiet(one);
    });

    it('shows names in place of ids, and names the tab after its subject', async () => {
      const one = await signedIn(`/explore${SERIES}`);
      await one.page.getByText('us_nonfarm_payrolls · thousands · monthly · FRED-MD monthly database').waitFor();
      await expect.poll(() => one.page.title()).toBe('All Employees, Total Nonfarm, United States · asof');
      isQuiet(one);
    });

    it('shows the facts of its newest row, with reasons, and forecasts with interval and record', async () => {
      const day = '2020-06-30';
      const one = await signedIn(`/explore${SERIES}&as_of=${day}`);
      const [latest] = await rows(`/observations/latest?indicator_id=us_nonfarm_payrolls&source_id=fred_md&as_of=${day}`);
      const facts = one.page.getByRole('region', { name: 'Newest row' });
      await facts.getByText('provenance of this number').waitFor();
      expect(await facts.locator('.badge').allTextContents()).toEqual([
        latest?.['freshnessStatus'],
        latest?.['scoringEligible'] === true ? 'eligible for scoring' : 'not eligible',
        'official, national',
      ]);
      expect(await facts.innerText()).toContain(Number(latest?.['actual']).toLocaleString('en'));
      const share = async (more: string) => {
        const [row] = await rows(`/indicators/series?indicator_id=us_nonfarm_payrolls&source_id=fred_md${more}`);
        return `${(Number(row?.['revisedShare']) * 100).toFixed(1).replace(/\.0$/, '')} %`;
      };
      await facts.getByText('First prints revised').waitFor();
      expect(await facts.innerText()).toContain(await share(`&as_of=${day}`));
      expect(await share(`&as_of=${day}`)).not.toBe(await share(''));
      const now = await signedIn(`/explore${SERIES}`);
      const [next] = await rows(
        '/platform/macro-data?indicator_id=us_nonfarm_payrolls&source_id=fred_md&limit=1&sort=period_end&order=desc',
      );
      const forecast = now.page.getByRole('region', { name: 'Forecast' });
      await forecast.getByText('Scored').waitFor();
      const text = await forecast.innerText();
      for (const field of ['forecast', 'forecastLower', 'forecastUpper']) expect(text).toContain(forPeople(next?.[field]));
      expect(text).toContain(String(next?.['forecastPeriod']));
      expect(text).toMatch(/MASE \d+\.\d\d/);
    });

    it('has its revisions as a fan, for periods seen new, in the unit of the series', async () => {
      const one = await signedIn(`/explore${SERIES}&as_of=2026-10-31`);
      await one.page.getByRole('button', { name: 'Revisions' }).click();
      const chart = one.page.getByRole('img', { name: /^Each print of All Employees, Total Nonfarm, United States minus the first/ });
      await chart.waitFor();
      // Each of 19 days brought its newest period. That of September 2025 brought three more, seen at most 129 days after their end.
      await expect.poll(() => chart.getAttribute('aria-label')).toContain('22 periods');
      expect(await chart.getAttribute('aria-label')).toContain('in thousands');
      const seen = await picture(one.page);
      await one.page.getByRole('button', { name: 'All', exact: true }).last().click();
      await expect.poll(() => picture(one.page)).not.toBe(seen);
      isQuiet(one);
    });

    it('pins a vintage, moves by period, and offers CSV, code and address', async () => {
      const one = await signedIn(`/explore${APRIL}&as_of=2020-06-30`);
      await one.page.getByRole('button', { name: 'Pin this vintage' }).click();
      await one.page.getByRole('button', { name: 'Unpin 2020-06-30' }).waitFor();
      await one.page.getByRole('button', { name: 'After →' }).click();
      await one.page.getByRole('heading', { name: 'Release history, 2020-05' }).waitFor();
      expect(one.page.url()).toContain('pins=2020-06-30');
      const [file] = await Promise.all([
        one.page.waitForEvent('download'),
        one.page.getByRole('button', { name: 'All prints as CSV' }).click(),
      ]);
      expect(file.suggestedFilename()).toBe('us_nonfarm_payrolls.csv');
      await one.page.getByText('Share, or copy as code').click();
      const code = await one.page.locator('.requests pre').allTextContents();
      expect(code[1]).toBe(
        `curl -H "x-api-key: $ASOF_KEY" '${run.service.url}/observations?indicator_id=us_nonfarm_payrolls&source_id=fred_md&entity=us&frequency=monthly&as_of=2020-06-30'`.replace(
          '&as_of',
          '&start_date=1995-06-30&as_of',
        ),
      );
      await one.page.getByRole('button', { name: 'Python' }).click();
      expect((await one.page.locator('.requests pre').allTextContents())[1]).toContain('"as_of": "2020-06-30"');
      isQuiet(one);
    });
  });

  it('walks from a computed number to its inputs and to the file of each', async () => {
    const [row] = await rows('/observations/latest?indicator_id=us_payrolls_mom_change&limit=1');
    const one = await signedIn(`/explore#/provenance?id=${String(row?.['observationId'])}`);
    await one.page.getByRole('heading', { name: 'Computed from' }).waitFor();
    const inputs = one.page.locator('.tree > li > details');
    expect(await inputs.count()).toBe(2);
    await one.page.getByText('Computed by asof from 2 numbers.').waitFor();
    expect(await one.page.getByRole('heading', { name: 'Publisher file' }).count()).toBe(0);
    const chain = (await (await run.service.get(`/provenance/observations/${String(row?.['observationId'])}`)).json()) as {
      data: { inputs: { observationId: string; payloads: { sha256: string }[] }[] };
    };
    const links = inputs.getByRole('link', { name: /^Provenance of/ });
    await expect.poll(() => links.count()).toBe(2);
    for (const [at, { observationId }] of chain.data.inputs.entries())
      expect(await links.nth(at).getAttribute('href')).toContain(observationId);
    await inputs.first().getByText('published by Federal Reserve Bank of St. Louis').waitFor();
    const [input] = chain.data.inputs;
    await inputs.first().getByText('Retrieved').waitFor();
    expect(await inputs.first().innerText()).toContain(input?.payloads[0]?.sha256);
    await inputs.first().getByRole('link').first().click();
    await one.page.getByRole('heading', { name: 'Publisher file' }).waitFor();
    expect(one.page.url()).toContain(String(input?.observationId));
    for (const heading of ['Publisher', 'Publisher file', 'Run', 'Steps', 'Row'])
      await one.page.getByRole('heading', { name: heading, exact: true }).waitFor();
    isQuiet(one);
  });

  it('says why the newest row is not the preferred one', async () => {
    const stale = 'us_dollar_index_major';
    expect((await rows(`/observations/latest?indicator_id=${stale}`))[0]).toMatchObject({
      scoringEligible: false,
      preferredForFactor: false,
    });
    for (const [indicator, text] of [
      [stale, 'no: it is not eligible'],
      ['us_south_housing_starts_rse', 'no: it has no factor'],
      ['us_nonfarm_payrolls&source_id=fred_md', 'for its country, factor and period'],
    ] as const) {
      const one = await signedIn(`/explore#/series?indicator_id=${indicator}`);
      await one.page.locator('dt', { hasText: 'Preferred' }).locator('+ dd').getByText(text, { exact: true }).waitFor();
      isQuiet(one);
    }
  });

  it('fits on a phone with everything opened, hashes and addresses too', async () => {
    for (const indicator of ['us_payrolls_mom_change', 'us_nonfarm_payrolls']) {
      const [row] = await rows(`/observations/latest?indicator_id=${indicator}&limit=1`);
      const one = await signedIn(`/explore#/provenance?id=${String(row?.['observationId'])}`, { width: 390 });
      await one.page.getByText('SHA-256', { exact: true }).first().waitFor();
      await one.page.waitForLoadState('networkidle');
      await one.page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
      await one.page.waitForLoadState('networkidle');
      expect([indicator, await one.page.evaluate('document.documentElement.scrollWidth')]).toEqual([indicator, 390]);
      isQuiet(one);
    }
  });

  it('names who published a number, and gives the file with its hash and the commands that compare them', async () => {
    const [row] = await rows('/observations?indicator_id=us_nonfarm_payrolls&source_id=fred_md&period=2020-04&limit=1');
    const id = String(row?.['observationId']);
    const { data } = (await (await run.service.get(`/provenance/observations/${id}`)).json()) as {
      data: { source: { publisher: string }; rawPayload: { sha256: string; locator: string } };
    };
    const { sha256, locator } = data.rawPayload;
    for (const name of ['full', 'data'] as const) {
      const one = await run.tab({ key: run.service.keys[name] });
      const { page } = one;
      // The files of the sample come from a folder, and have no address.
      const sourceUrl = 'https://files.example.org/2025-09.csv';
      await page.route('**/provenance/observations/*', async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { data: object };
        await route.fulfill({ response, json: { ...body, data: { ...body.data, sourceUrl } } });
      });
      await page.goto(`${run.service.url}/explore#/provenance?id=${id}`);
      await page.getByRole('link', { name: String(row?.['indicatorName']), exact: true }).waitFor();
      await page.getByText(`Published by ${data.source.publisher}.`).waitFor();
      const file = page.locator('.chain > li', { has: page.getByRole('heading', { name: 'Publisher file' }) });
      expect(await file.getByRole('link').getAttribute('href')).toBe(sourceUrl);
      expect(await file.locator('dl').innerText()).toContain(sha256);
      await file.getByText('Check the file').click();
      const commands = await file.locator('pre').allTextContents();
      expect(commands.slice(0, 2)).toEqual([
        `echo '${sha256}  FILE' | sha256sum --check`,
        `curl --silent --location '${sourceUrl}' | sha256sum`,
      ]);
      // Only a key of the operator sees where the file is.
      expect(commands.slice(2)).toEqual(name === 'full' ? [`gunzip --stdout "$DATA_DIR/${locator}" | sha256sum`] : []);
      await page.getByText('The interface does not hand out archived files').waitFor();
      isQuiet(one);
    }
  });

  describe('refusals of the interface are shown in the view', () => {
    const heading = (page: Page) => page.locator('.fault :is(h1, h2)');

    it('no key, a wrong one, then the right one: the view continues where it was; signing out forgets the key', async () => {
      const one = await go(`/explore${SERIES}`);
      await heading(one.page).filter({ hasText: 'Sign in' }).waitFor();
      const field = one.page.getByLabel('API key');
      await field.fill('asof_wrong');
      await field.press('Enter');
      await heading(one.page).filter({ hasText: 'This key does not work' }).waitFor();
      await one.page.getByText('The API key is unknown or revoked. Check it, or ask the operator for another.').waitFor();
      await field.fill(run.service.keys.data);
      await one.page.getByRole('button', { name: 'Sign in' }).click();
      await one.page.locator('.chart canvas').waitFor();
      // One form at any time, not one for each part of the view that cannot be read any more.
      await one.page.evaluate(`
        most = 0;
        new MutationObserver(() => { most = Math.max(most, document.querySelectorAll('form.sign-in').length); }).observe(document.body, { childList: true, subtree: true });
      `);
      await one.page.getByRole('button', { name: 'Sign out' }).click();
      await heading(one.page).filter({ hasText: 'Sign in' }).waitFor();
      await one.page.waitForLoadState('networkidle');
      expect(await one.page.evaluate('most')).toBe(1);
      expect(await one.page.evaluate('sessionStorage.getItem("asof.key")')).toBe(null);
      isQuiet(one);
    });

    it.each(['/', '/explore#/today', '/explore#/series?indicator_id=us_nonfarm_payrolls'])(
      'a wrong key on %s: says so once, with one form',
      async (path) => {
        const { page, ...one } = await go(path, { key: 'asof_wrong' });
        await heading(page).filter({ hasText: 'This key does not work' }).waitFor();
        await page.waitForLoadState('networkidle');
        expect([await page.locator('.fault').count(), await page.locator('form.sign-in').count()]).toEqual([1, 1]);
        expect(await page.getByText('The API key is unknown or revoked.').count()).toBe(1);
        await page.getByLabel('API key').fill(run.service.keys.full);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.locator('.chart canvas, .table, #released').first().waitFor();
        expect(await page.locator('.fault').count()).toBe(0);
        isQuiet({ page, ...one, leaks: [] });
      },
    );

    it('a key is remembered only on request: then it serves the next tab until one of them signs out', async () => {
      const one = await go(`/explore${SERIES}`);
      expect(await one.page.title()).toBe('Sign in · asof');
      await one.page.getByLabel('API key').fill(run.service.keys.data);
      await one.page.getByRole('checkbox', { name: 'remember it on this computer' }).check();
      await one.page.getByRole('button', { name: 'Sign in' }).click();
      await one.page.locator('.chart canvas').waitFor();
      const next = await one.page.context().newPage();
      await next.goto(`${run.service.url}/explore#/search?q=payroll`);
      await next.locator('tbody tr').first().waitFor();
      await next.getByRole('button', { name: 'Sign out' }).click();
      await heading(one.page).filter({ hasText: 'Sign in' }).waitFor();
      expect(await one.page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
      isQuiet(one);
    });

    it('a key without the scope: 403 names the scope', async () => {
      const one = await go('/explore#/search?q=payroll', { key: run.service.keys.ops });
      await heading(one.page).filter({ hasText: 'This key lacks the scope' }).waitFor();
      expect(await one.page.locator('.fault').innerText()).toContain('data:read');
      isQuiet(one);
    });

    it('not found: 404 and 400 with the nearest name', async () => {
      const one = await signedIn('/explore#/provenance?id=obs_nothing');
      await heading(one.page).filter({ hasText: 'Not found' }).waitFor();
      const two = await signedIn('/explore#/search?q=x&as_of=never');
      await heading(two.page).filter({ hasText: 'This query is not valid' }).waitFor();
      expect(await two.page.locator('.fault').innerText()).toContain('as_of');
      const three = await signedIn(`/explore${SERIES}&as_of=never`);
      await heading(three.page).filter({ hasText: 'This query is not valid' }).waitFor();
      await three.page.getByRole('button', { name: 'Now', exact: true }).click();
      await three.page.locator('.chart canvas').waitFor();
      const four = await go('/explore#/search?q=payroll', { key: 'asof_ключ' });
      await heading(four.page).filter({ hasText: 'This key does not work' }).waitFor();
      [one, two, three, four].forEach(isQuiet);
    });

    it.each(['#/nosuchpage', '#/Series?as_of=2020-06-30'])(
      'no page has the address %s: it says so, and leads to the search',
      async (hash) => {
        const { page } = await signedIn(`/explore${hash}`);
        await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
        expect(await page.title()).toBe('Not found · asof');
        expect(await page.locator('nav [aria-current]').count()).toBe(0);
        await page.getByRole('main').getByRole('link', { name: 'search' }).click();
        await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
      },
    );

    it('too many requests: the view counts down after 429, then asks again', async () => {
      const limited = await startService(await sampleDataDir(), { isOwnFolder: true, rateLimitScale: 1 });
      try {
        for (let asked = 0; asked < 1000; asked += 50)
          await Promise.all(Array.from({ length: 50 }, () => limited.get('/coverage', { key: 'data', method: 'HEAD' })));
        const one = await go('/explore#/search?q=payroll', { key: limited.keys.data }, limited);
        await heading(one.page).filter({ hasText: 'Too many requests' }).waitFor();
        const left = async () => Number(/(\d+) s/.exec(await one.page.locator('.countdown').innerText())?.[1]);
        const first = await left();
        expect(first).toBeGreaterThan(0);
        expect(first).toBeLessThanOrEqual(60);
        await expect.poll(left, { timeout: 20_000 }).toBeLessThan(first);
        await cells(one.page, 'Indicators').first().waitFor({ timeout: 120_000 });
        isQuiet(one);
      } finally {
        await limited.stop();
      }
    });

    it('an unreachable service: the view reports it, and retries until it is back', async () => {
      const leaving = await startService(await sampleDataDir(), { isOwnFolder: true });
      const one = await go('/explore#/search', { key: leaving.keys.data }, leaving);
      await cells(one.page, 'Indicators').first().waitFor();
      await one.page.context().setOffline(true);
      await one.page.getByRole('button', { name: 'Entities' }).click();
      await heading(one.page).filter({ hasText: 'Cannot reach the server; retrying' }).waitFor();
      await one.page.context().setOffline(false);
      await cells(one.page, 'Entities').first().waitFor({ timeout: 30_000 });
      await leaving.stop();
      await one.page.getByRole('button', { name: 'Contracts' }).click();
      await heading(one.page).filter({ hasText: 'Cannot reach the server; retrying' }).waitFor();
      expect(await one.page.locator('.countdown').innerText()).toMatch(/Retrying in \d+ s\./);
      isQuiet(one);
    });

    it('a view whose module cannot be loaded: it is named as failed, and the other views work', async () => {
      const one = await signedIn('/explore#/search');
      await one.page.route('**/views/cot.js', (route) => route.abort());
      await one.page.getByRole('link', { name: 'COT' }).click();
      await heading(one.page).filter({ hasText: 'This page failed' }).waitFor();
      await one.page.getByRole('link', { name: 'Data health' }).click();
      await one.page.getByRole('heading', { level: 1, name: 'Data health' }).waitFor();
      expect(await heading(one.page).count()).toBe(0);
    });
  });

  it('a view that fails after a change of its address is named as failed, and the other views work', async () => {
    const one = await run.tab({ key: run.service.keys.full });
    await one.page.route('**/views/cot-overview.js', async (route) => {
      const response = await route.fetch();
      const begin = 'export function Overview({ params, set, linkTo }) {';
      const text = await response.text();
      expect(text).toContain(begin);
      await route.fulfill({ response, body: text.replace(begin, `${begin} if (params.report === 'tff') throw new Error('broken here');`) });
    });
    await one.page.goto(`${run.service.url}/explore#/cot`);
    await one.page.getByRole('button', { name: 'Financial futures' }).click();
    const failed = one.page.getByRole('heading', { name: 'This page failed' });
    await failed.waitFor();
    await one.page.getByRole('link', { name: 'Data health' }).click();
    await one.page.getByRole('heading', { level: 1, name: 'Data health' }).waitFor();
    expect(await failed.count()).toBe(0);
    isQuiet(one);
  });

  it('the documentation is searched: a setting is found by its name and opened', async () => {
    const one = await signedIn('/docs');
    await one.page.getByRole('searchbox', { name: 'Search the documentation' }).fill('snapshots_kept');
    await one.page.getByRole('link', { name: 'Configure: SNAPSHOTS_KEPT' }).click();
    await one.page.waitForURL('**/docs/run/configure#snapshots_kept');
    expect(await one.page.locator('#snapshots_kept').count()).toBe(1);
    isQuiet(one);
  });

  it('the reference renders in full, and Execute gives 200 with the key of the session in the header', async () => {
    const one = await signedIn('/docs/api');
    const block = one.page.locator('.opblock').filter({ has: one.page.locator('[data-path="/observations"]') });
    await block.locator('.opblock-summary-control').click();
    expect(await one.page.locator('.opblock').count()).toBe(44);
    await block.getByRole('button', { name: 'Try it out' }).click();
    const filled = await block
      .locator('tr[data-param-name] input')
      .evaluateAll((inputs) => (inputs as { value: string }[]).filter(({ value }) => value !== '').map(({ value }) => value));
    expect(filled).toEqual(['us_nonfarm_payrolls', '2020-06-30']);
    const [answer] = await Promise.all([
      one.page.waitForResponse((response) => response.url().includes('/observations?')),
      block.getByRole('button', { name: 'Execute' }).click(),
    ]);
    expect([answer.status(), new URL(answer.url()).search]).toEqual([200, '?indicator_id=us_nonfarm_payrolls&as_of=2020-06-30']);
    expect(await answer.request().headerValue('x-api-key')).toBe(run.service.keys.full);
    await block.locator('.responses-inner .microlight, .responses-inner .highlight-code').first().waitFor();
    isQuiet(one);
  });

  it('works with the keyboard only: skip link, navigation, every control with a name', async () => {
    const one = await signedIn(`/explore${SERIES}`);
    await one.page.locator('.chart canvas').waitFor();
    await one.page.waitForLoadState('networkidle');
    await one.page.keyboard.press('Tab');
    expect(await one.page.evaluate('document.activeElement.className')).toBe('skip');
    await one.page.keyboard.press('Enter');
    expect(await one.page.evaluate('document.activeElement.id')).toBe('main');
    const nameless = await one.page.evaluate(
      `[...document.querySelectorAll('button, input, select, a')].filter((one) => !(one.textContent.trim() || one.getAttribute('aria-label') || one.labels?.length)).map((one) => one.outerHTML)`,
    );
    expect(nameless).toEqual([]);
  });
});
