// The page of an indicator in a browser, over the sample: all countries as the interface answers them.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ListBody } from '../service.ts';
import { inChromium, NO_CHROMIUM, type Visit, type VisitOptions } from './chromium.ts';
import { forPeople as shown, inColumn } from './for-people.ts';

const ID = 'consumer_confidence';

describe.skipIf(NO_CHROMIUM !== null)(
  `an indicator in Chromium${NO_CHROMIUM === null ? '' : ` (skipped: ${NO_CHROMIUM})`}`,
  { timeout: 120_000 },
  () => {
    const run = inChromium();
    const go = (view: string, options: VisitOptions = {}) => run.open(`/explore#/${view}`, { key: run.service.keys.full, ...options });
    const rows = async (path: string) => ((await (await run.service.get(path)).json()) as ListBody).data;
    const parameter = (page: Page, name: string) => new URLSearchParams(page.url().split('?')[1]).get(name);
    const cellsOf = (page: Page) =>
      page
        .locator('.table tbody tr')
        .evaluateAll((lines) => lines.map((line) => [...line.querySelectorAll('td')].map((cell) => cell.textContent?.trim() ?? '')));
    const isQuiet = ({ complaints, leaks }: Visit) => expect({ complaints, leaks }).toEqual({ complaints: [], leaks: [] });
    /** Names and newest values in balance, by name. */
    const expected = async (more = '') => {
      const names = new Map(
        (await rows(`/indicators/entities?indicator_id=${ID}&limit=500`)).map((row) => [
          (row['indicatorIds'] as readonly string[])[0],
          String(row['name']),
        ]),
      );
      const found = await rows(`/observations/latest?indicator_id=${ID}&limit=500${more}`);
      return found
        .filter((row) => row['unit'] === 'balance')
        .map((row): Readonly<Record<string, unknown>> & { name: string } => ({ ...row, name: names.get(String(row['indicatorId'])) ?? '' }))
        .toSorted((a, b) => a.name.localeCompare(b.name));
    };

    it('has the newest value of each country with its period and its change, in few requests', async () => {
      const one = await go(`indicator?id=${ID}`);
      await one.page.locator('.sparkline').first().waitFor();
      let requests = 0;
      one.page.on(
        'request',
        (request) =>
          (requests += /indicator|observations/.test(new URL(request.url()).pathname) && !request.url().includes('/pages/') ? 1 : 0),
      );
      await one.page.reload();
      await one.page.locator('.sparkline').first().waitFor();
      const all = await expected();
      expect(all.length).toBeGreaterThan(10);
      expect((await cellsOf(one.page)).map(([name, , value, period]) => [name, value, period])).toEqual(
        all.map((row, at) => [row.name, inColumn(all.map(({ actual }) => actual))[at], row['period']]),
      );
      const change = (row: Readonly<Record<string, unknown>>) => Number(row['actual']) - Number(row['revisedPrevious'] ?? row['previous']);
      const changes = (await cellsOf(one.page)).map((cells) => Number(cells[5]));
      all.forEach((row, at) => expect(changes[at]).toBeCloseTo(change(row), 9));
      expect(await one.page.locator('.sparkline').count()).toBe(all.length);
      expect(requests).toBeLessThanOrEqual(5);
      expect(await one.page.title()).toBe('Consumer Confidence · asof');
      isQuiet(one);
    });

    it('as of a day has the values known then', async () => {
      const all = await expected('&as_of=2020-06-30');
      const one = await go(`indicator?id=${ID}&as_of=2020-06-30`);
      await one.page.getByText('as known on 2020-06-30').waitFor();
      expect((await cellsOf(one.page)).map(([, , value, period]) => [value, period])).toEqual(
        all.map((row, at) => [inColumn(all.map(({ actual }) => actual))[at], row['period']]),
      );
      expect(all[0]?.['actual']).not.toBe((await expected())[0]?.['actual']);
      isQuiet(one);
    });

    it('is sorted by its heads, and the address keeps the order', async () => {
      const one = await go(`indicator?id=${ID}`);
      await one.page.getByRole('button', { name: 'Latest' }).click();
      await expect.poll(() => parameter(one.page, 'sort')).toBe('-actual');
      const values = async () => (await cellsOf(one.page)).map(([, , value]) => Number(value));
      const largest = (await expected()).map((row) => Number(row['actual'])).toSorted((a, b) => b - a);
      expect(await values()).toEqual(largest);
      expect(await one.page.locator('th[aria-sort="descending"]').innerText()).toContain('Latest');
      await one.page.reload();
      await one.page.locator('.table tbody tr').first().waitFor();
      expect(await values()).toEqual(largest);
      isQuiet(one);
    });

    it('has a dot for each country: the arrow keys move from one to the next and name it, Enter opens its series', async () => {
      const one = await go(`indicator?id=${ID}&entity=de`);
      const all = (await expected()).toSorted((a, b) => Number(a['actual']) - Number(b['actual']));
      const dots = one.page.locator('.strip a');
      await dots.first().waitFor();
      expect(await dots.count()).toBe(all.length);
      expect(await one.page.locator('.strip a.chosen').getAttribute('aria-label')).toContain('Germany');
      expect(await one.page.locator('.strip a[tabindex="0"]').count()).toBe(1);
      const middle = all[(all.length - 1) / 2];
      expect(await one.page.locator('.strip text.median').textContent()).toBe(`median ${shown(middle?.['actual'])}`);
      await one.page.locator('.strip a[tabindex="0"]').focus();
      await one.page.keyboard.press('Home');
      await one.page.keyboard.press('ArrowRight');
      const named = one.page.locator('.strip .name text');
      expect(await named.textContent()).toBe(`${all[1]?.name}: ${String(all[1]?.['actual'])} balance, ${String(all[1]?.['period'])}`);
      await one.page.keyboard.press('Enter');
      await expect.poll(() => parameter(one.page, 'indicator_id')).toBe(all[1]?.['indicatorId']);
      isQuiet(one);
    });

    it('is reached from a series of a company, which has no countries', async () => {
      const one = await go('series?indicator_id=company_9999999001_price_close');
      await one.page.getByRole('link', { name: 'All with this indicator' }).waitFor();
      expect(await one.page.getByRole('link', { name: 'All countries' }).count()).toBe(0);
      isQuiet(one);
    });

    it('is reached from a series and shows another unit on request', async () => {
      const one = await go(`series?indicator_id=de_${ID}&source_id=dg_ecfin`);
      await one.page.getByRole('link', { name: 'All countries' }).click();
      await one.page.locator('tr[aria-current]', { hasText: 'Germany' }).waitFor();
      await one.page.getByRole('button', { name: /^index/ }).click();
      await one.page.locator('caption', { hasText: 'in index' }).waitFor();
      expect(parameter(one.page, 'unit')).toBe('index');
      isQuiet(one);
    });

    it('has cards on a phone, which can be ordered', async () => {
      const one = await go(`indicator?id=${ID}`, { width: 390, scheme: 'dark' });
      await one.page.locator('.sparkline').first().waitFor();
      expect(await one.page.locator('thead').isVisible()).toBe(false);
      expect(await one.page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
      const card = one.page.locator('tbody tr').first();
      expect((await card.boundingBox())?.height).toBeGreaterThan(100);
      await one.page.getByLabel('Order').selectOption({ label: 'Latest, smallest first' });
      const [least] = (await expected()).toSorted((a, b) => Number(a['actual']) - Number(b['actual']));
      await expect.poll(async () => (await cellsOf(one.page))[0]?.[0]).toBe(least?.name);
      isQuiet(one);
    });

    it('that does not exist is reported with the nearest name', async () => {
      const one = await go('indicator?id=consumer_confidense');
      await one.page.locator('.fault[data-code="not_found"]').waitFor();
      expect(await one.page.locator('.fault').innerText()).toContain(ID);
      isQuiet(one);
    });
  },
);
