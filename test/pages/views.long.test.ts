// Screener, Company, COT, Calendar and Data health in a browser, over the sample: what they show is what the interface answers.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ListBody } from '../service.ts';
import { inChromium, NO_CHROMIUM, type Visit, type VisitOptions } from './chromium.ts';
import { forPeople as shown, inColumn } from './for-people.ts';

const FILTER = 'unemployment_rate:gt:0|policy_rate:is:null';
const COMPANY = 'company_9999999001';
/** Its multiples begin in 2025. */
const YOUNG = 'company_9999999002';

describe.skipIf(NO_CHROMIUM !== null)(
  `the views in Chromium${NO_CHROMIUM === null ? '' : ` (skipped: ${NO_CHROMIUM})`}`,
  { timeout: 120_000 },
  () => {
    const run = inChromium();
    const go = (view: string, options: VisitOptions = {}) => run.open(`/explore#/${view}`, { key: run.service.keys.full, ...options });
    const body = async (path: string) =>
      (await (await run.service.get(path)).json()) as ListBody & { meta: { screener: Record<string, number> } };
    const rows = async (path: string) => (await body(path)).data;
    const parameter = (page: Page, name: string) => new URLSearchParams(page.url().split('?')[1]).get(name);
    const table = (page: Page, caption: string) => page.locator(`.table:has(caption:text("${caption}"))`);
    const cellsOf = (page: Page, caption: string) =>
      table(page, caption)
        .locator('tbody tr:not(.group)')
        .evaluateAll((lines) => lines.map((line) => [...line.querySelectorAll('td')].map((cell) => cell.textContent?.trim() ?? '')));
    /** Opens the rest of each long table. */
    const showAll = async (page: Page) => {
      const buttons = page.getByRole('button', { name: /^Show all \d/ });
      while ((await buttons.count()) > 0) await buttons.first().click();
    };
    const isQuiet = ({ complaints, leaks }: Visit) => expect({ complaints, leaks }).toEqual({ complaints: [], leaks: [] });

    it.each([
      ['screener', 'Screener'],
      [`screener?filter=${encodeURIComponent(FILTER)}&eligible_only=false`, 'Screener'],
      ['company', 'Company'],
      [`company?id=${COMPANY}`, 'Sample Manufacturing Co'],
      ['today', 'Released and revised: the week from'],
      ['today?days=1', 'Released and revised: today, 20'],
      ['today?as_of=2020-06-30&days=1', 'Released and revised: 2020-06-30'],
      ['today?as_of=2020-06-30&days=30', 'Released and revised: the 30 days from 2020-06-01 to 2020-06-30'],
      ['revisions?as_of=2026-10-31&days=365', 'Most revised'],
      ['cot', 'Commitments of Traders'],
      ['cot?entity=cftc_088691', 'Commitments of Traders'],
      ['calendar?week=2026-08-31', 'Calendar'],
      ['health', 'Data health'],
    ])('%s renders without errors, in light and dark, wide and narrow', async (view, heading) => {
      for (const options of [
        { scheme: 'light', width: 1280 },
        { scheme: 'dark', width: 400 },
      ] as const) {
        const one = await go(view, options);
        await one.page.locator('h1', { hasText: heading }).waitFor();
        await one.page.waitForLoadState('networkidle');
        expect(await one.page.locator('.fault').count()).toBe(0);
        expect([view, await one.page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')]).toEqual([view, true]);
        // Every field has a name, for who cannot see where it stands.
        const nameless = await one.page.evaluate(
          `[...document.querySelectorAll('main input, main select, main textarea')].filter((field) => !field.labels.length && !field.getAttribute('aria-label')).length`,
        );
        expect([view, nameless]).toEqual([view, 0]);
        isQuiet(one);
      }
    });

    it.each([
      'today?as_of=2026-06-30&days=30&importance=any',
      'revisions?as_of=2026-10-31&days=365&importance=any',
      // Twelve years.
      `company?id=${COMPANY}`,
      'calendar?week=2026-08-03',
    ])('every column of %s is in sight at 1360 pixels', async (view) => {
      const one = await go(view, { width: 1360 });
      await one.page.locator('main table').first().waitFor();
      await one.page.waitForLoadState('networkidle');
      const beyond = await one.page
        .locator('.scroll')
        .evaluateAll((all) =>
          all.map((part) => (part as { scrollWidth: number }).scrollWidth - (part as { clientWidth: number }).clientWidth),
        );
      expect(beyond.filter((more) => more > 0)).toEqual([]);
      isQuiet(one);
    });

    it.each(['screener?filter=cpi:gt:0', `company?id=${COMPANY}`, 'cot', 'calendar', 'health'])(
      '%s asks for a key if there is none',
      async (view) => {
        const one = await run.tab();
        await one.page.goto(`${run.service.url}/explore#/${view}`);
        await one.page.locator('.fault[data-code="unauthorized"]').first().waitFor();
        expect(await one.page.locator('main table').count()).toBe(0);
        isQuiet(one);
      },
    );

    describe('the screener', () => {
      const text = (page: Page) => page.getByLabel('Filter as text');

      it('shows the answer of the interface: rows, values, excluded rows', async () => {
        const path = `/public/screener?filter=${encodeURIComponent(FILTER)}&eligible_only=false&rank_by=unemployment_rate:desc&limit=50`;
        const { data, meta } = await body(path);
        const one = await go(`screener?filter=${encodeURIComponent(FILTER)}&eligible_only=false&rank_by=unemployment_rate:desc`);
        await table(one.page, 'Matches 1 to 50').waitFor();
        const cells = await cellsOf(one.page, 'Matches');
        expect(cells.map(([name]) => name)).toEqual(data.map((row) => row['name']));
        const valuesOf = (row: Readonly<Record<string, unknown>> | undefined) =>
          Object.values(row?.['values'] as Record<string, { value: number | null; period: string | null }>);
        const columns = valuesOf(data[0]).map((_value, at) => inColumn(data.map((row) => valuesOf(row)[at]?.value ?? null)));
        const told = data.map((row, line) =>
          valuesOf(row).flatMap(({ value, period }, at) => (value === null ? ['– (no value)', '–'] : [columns[at]?.[line], period])),
        );
        expect(cells.map((row) => row.slice(2))).toEqual(told);
        expect(told.flat()).toContain('– (no value)');
        const { matched, evaluated, excludedMissing, excludedIneligible } = meta.screener;
        expect(await one.page.getByRole('status').filter({ hasText: 'match' }).innerText()).toContain(
          `${shown(matched)} of ${shown(evaluated)} match. Left out: ${shown(excludedMissing)} have no value; ${shown(excludedIneligible)} are stale or unofficial`,
        );
        isQuiet(one);
      });

      it('can be built by hand; the text follows, and the request is the built one', async () => {
        const one = await go('screener');
        const { page } = one;
        // It opens with a ready screen.
        await page.getByRole('button', { name: 'Remove 1.1' }).click();
        await page.getByRole('button', { name: 'Add a condition' }).click();
        // A field has its name, and takes its id too.
        await page.getByLabel('Field 1.1', { exact: true }).fill('unemployment_rate');
        await page.getByLabel('Field 1.1', { exact: true }).blur();
        expect(await page.getByLabel('Field 1.1', { exact: true }).inputValue()).toBe('Unemployment Rate');
        await page.getByText('incomplete: ignored').waitFor();
        expect(await text(page).inputValue()).toBe('');
        await page.getByLabel('Value 1.1', { exact: true }).fill('4');
        expect(await text(page).inputValue()).toBe('unemployment_rate:gt:4');
        await page.getByLabel('Operator 1.1', { exact: true }).selectOption('between');
        await page.getByLabel('To 1.1', { exact: true }).fill('9');
        expect(await text(page).inputValue()).toBe('unemployment_rate:between:4..9');
        await page.getByRole('button', { name: 'or …' }).click();
        await page.getByLabel('Field 1.2', { exact: true }).fill('Policy Rate');
        await page.getByLabel('Of field 1.2', { exact: true }).selectOption('chg12');
        await page.getByLabel('Operator 1.2', { exact: true }).selectOption({ value: 'is' });
        await page.getByRole('button', { name: 'and …' }).click();
        await page.getByLabel('Field 2.1', { exact: true }).fill('name');
        await page.getByLabel('Operator 2.1', { exact: true }).selectOption({ value: 'eq' });
        await page.getByLabel('Value 2.1', { exact: true }).fill('U:S');
        const built = 'unemployment_rate:between:4..9|policy_rate@chg12:is:notnull;name:eq:U\\:S';
        expect(await text(page).inputValue()).toBe(built);
        await page.getByLabel('Value 2.1', { exact: true }).fill('United States');
        await page.getByRole('button', { name: 'Remove 1.2' }).click();
        await page.getByLabel('exclude stale and unofficial values').uncheck();
        await page.getByRole('button', { name: 'Screen', exact: true }).click();
        const asked = 'unemployment_rate:between:4..9;name:eq:United States';
        await expect.poll(() => parameter(page, 'filter')).toBe(asked);
        const expected = await rows(`/public/screener?filter=${encodeURIComponent(asked)}&eligible_only=false`);
        expect(expected.length).toBe(1);
        await table(page, 'Matches').waitFor();
        expect((await cellsOf(page, 'Matches')).map(([name]) => name)).toEqual(expected.map((row) => row['name']));
        isQuiet(one);
      });

      it("splits a text into terms, keeps one that it cannot show, and shows the service's message about it", async () => {
        const one = await go('screener');
        const { page } = one;
        await text(page).fill('cpi_inflation_yoy@pct:in:1,2;sector:eq:a\\;b|policy_rate:is:null');
        expect(await page.getByLabel('Of field 1.1', { exact: true }).inputValue()).toBe('pct');
        expect(await page.getByLabel('Value 1.1', { exact: true }).inputValue()).toBe('1,2');
        expect(await page.getByLabel('Value 2.1', { exact: true }).inputValue()).toBe('a;b');
        expect(await page.getByLabel('Value 2.2', { exact: true }).inputValue()).toBe('null');
        await text(page).fill('cpi:above:3');
        await page.getByText('The builder cannot show this filter').waitFor();
        await page.getByRole('button', { name: 'Screen', exact: true }).click();
        const fault = page.locator('.fault[data-code="bad_request"]');
        await fault.waitFor();
        expect(await fault.innerText()).toContain('operator `above`');
        expect(await text(page).inputValue()).toBe('cpi:above:3');
        isQuiet(one);
      });

      it('keeps the builder for a field that it does not know, offers near ones, and says that the result is older', async () => {
        const one = await go('screener');
        const { page } = one;
        await table(page, 'Matches').waitFor();
        const field = page.getByLabel('Field 1.1', { exact: true });
        await field.fill('Inflation, consumer prices (annual %)');
        await field.blur();
        await page.getByText('The screener has no field “Inflation, consumer prices (annual %)”').waitFor();
        await page.getByText('The result below is of the screen before your changes').waitFor();
        await page.getByRole('button', { name: 'Consumer Price Inflation, Year on Year', exact: true }).click();
        expect(await text(page).inputValue()).toBe('cpi_inflation_yoy:gt:3');
        expect(await page.getByText('The result below is of').count()).toBe(0);
        isQuiet(one);
      });

      it('goes through all pages and back, and screens as of a day', async () => {
        const path = `/public/screener?filter=${encodeURIComponent(FILTER)}&eligible_only=false&limit=500`;
        const all = (await rows(path)).map((row) => row['name']);
        const one = await go(`screener?filter=${encodeURIComponent(FILTER)}&eligible_only=false`);
        const { page } = one;
        // While the next page is asked the one before stands under its own number.
        await table(page, 'Matches 1 to 50').waitFor();
        let goOn = () => {};
        const held = new Promise<void>((resolve) => (goOn = resolve));
        await page.route(/cursor=/, async (route) => {
          await held;
          await route.continue();
        });
        await page.getByRole('button', { name: 'Next page' }).click();
        await page.locator('.answer[aria-busy="true"]').first().waitFor();
        expect(await table(page, 'Matches 1 to 50').count()).toBe(1);
        goOn();
        await table(page, 'Matches 51 to 100').waitFor();
        await page.getByRole('button', { name: 'Previous page' }).click();
        const seen: unknown[] = [];
        for (let at = 1; at < all.length; at += 50) {
          await table(page, `Matches ${at} to`).waitFor();
          seen.push(...(await cellsOf(page, 'Matches')).map(([name]) => name));
          if (at + 50 < all.length) await page.getByRole('button', { name: 'Next page' }).click();
        }
        expect(seen).toEqual(all);
        expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
        await page.getByRole('button', { name: 'Previous page' }).click();
        await table(page, `Matches ${all.length - (all.length % 50 || 50) - 49} to`).waitFor();
        await page.getByLabel('As of', { exact: true }).fill('2020-06-30');
        await page.getByText('match as of 2020-06-30').waitFor();
        const then = await rows(`${path}&as_of=2020-06-30`);
        const values = then.find((row) => row['entityId'] === 'us')?.['values'] as Record<string, { value: number; period: string }>;
        expect(values['unemployment_rate']?.period).toBe('2020-05');
        await page.getByLabel('Rank by').fill('unemployment_rate:desc');
        await page.getByRole('button', { name: 'Screen', exact: true }).click();
        // Then, today, and the change between them.
        const now = (await rows(path)).find((row) => row['entityId'] === 'us')?.['values'] as typeof values;
        const [field = ''] = Object.keys(values);
        const [before, today] = [values[field]?.value ?? NaN, now[field]?.value ?? NaN];
        await expect
          .poll(async () => (await cellsOf(page, 'Matches'))[0]?.slice(3, 8))
          .toEqual([
            shown(before),
            values[field]?.period,
            shown(today),
            now[field]?.period,
            shown(Number((today - before).toPrecision(12))),
          ]);
        isQuiet(one);
      });

      it('of several pages asks the service for another order of all of them if you press a head', async () => {
        const path = `/public/screener?filter=${encodeURIComponent(FILTER)}&eligible_only=false&limit=50`;
        const { page, ...one } = await go(`screener?filter=${encodeURIComponent(FILTER)}&eligible_only=false`);
        await table(page, 'Matches 1 to 50').waitFor();
        await page.getByRole('button', { name: 'Next page' }).click();
        await table(page, 'Matches 51 to').waitFor();
        const head = (name: string) => table(page, 'Matches').locator('th button.sort', { hasText: name });
        expect(await head('Name').count()).toBe(0);
        for (const [direction, mark] of [
          ['desc', 'descending'],
          ['asc', 'ascending'],
        ] as const) {
          await head('Unemployment').first().click();
          await table(page, 'Matches 1 to 50').locator(`th[aria-sort="${mark}"]`).waitFor();
          expect(parameter(page, 'rank_by')).toBe(`unemployment_rate:${direction}`);
          const ranked = await rows(`${path}&rank_by=unemployment_rate:${direction}`);
          expect((await cellsOf(page, 'Matches')).map(([name]) => name)).toEqual(ranked.map((row) => row['name']));
        }
        isQuiet({ page, ...one });
      });

      it('of then says which matches stayed and which dropped out, and lists those that are new since, with the periods of both days', async () => {
        const filter = 'unemployment_rate@chg12:gt:0';
        const asked = `/public/screener?filter=${filter}&columns=unemployment_rate&limit=500`;
        const [before, now] = [await rows(`${asked}&as_of=2026-06-30`), await rows(asked)];
        const idsOf = (some: typeof before) => some.map((row) => String(row['entityId']));
        const fates = before.map((row) => (idsOf(now).includes(String(row['entityId'])) ? 'stayed' : 'dropped out'));
        const added = now.filter((row) => !idsOf(before).includes(String(row['entityId'])));
        expect([new Set(fates).size, added.length > 0]).toEqual([2, true]);
        const one = await go(`screener?filter=${filter}&columns=unemployment_rate&as_of=2026-06-30`);
        const { page } = one;
        await table(page, 'that did not match as of 2026-06-30').waitFor();
        expect((await cellsOf(page, 'Matches 1')).map(([name, , fate]) => [name, fate])).toEqual(
          before.map((row, at) => [row['name'], fates[at]]),
        );
        const stayed = fates.filter((fate) => fate === 'stayed').length;
        await page.getByText(`Since 2026-06-30: ${stayed} stayed, ${fates.length - stayed} dropped out, ${added.length} new.`).waitFor();
        const cells = await cellsOf(page, 'that did not match');
        expect(cells.map(([name]) => name)).toEqual(added.map((row) => row['name']));
        const heads = await table(page, 'that did not match').locator('thead th').allTextContents();
        const at = heads.lastIndexOf('today');
        expect(heads[at + 1]).toBe('of');
        const rates = added.map((row) => (row['values'] as Record<string, { value: number; period: string }>)['unemployment_rate']);
        const values = inColumn(rates.map((rate) => rate?.value));
        expect(cells.map((row) => row.slice(at, at + 2))).toEqual(rates.map((rate, line) => [values[line], rate?.period]));
        isQuiet(one);
      });

      it('has cards on a phone that begin with the name, each value beside its period', async () => {
        const one = await go('screener?filter=unemployment_rate:gt:4&as_of=2026-06-30', { width: 390, height: 844 });
        const { page } = one;
        await page.getByText('stayed, ').waitFor();
        // The names of fields have an answer of their own.
        await table(page, 'Matches 1').locator('td[data-label^="Unemployment Rate"]').first().waitFor();
        const cells = table(page, 'Matches 1').locator('tbody tr').first().locator('td');
        const boxes = await cells.evaluateAll((all) =>
          all.map((cell) => {
            const { left, top } = cell.getBoundingClientRect();
            return { label: cell.getAttribute('data-label') ?? '', left, top };
          }),
        );
        expect(boxes.toSorted((a, b) => a.top - b.top)[0]?.label).toBe('Name');
        const pairs = boxes.flatMap((box, at) => (box.label === 'of' ? [[boxes[at - 1], box] as const] : []));
        expect(pairs.map(([value]) => value?.label)).toEqual(['Unemployment Rate, percent: then', 'today']);
        for (const [value, period] of pairs) expect([value?.top, (value?.left ?? NaN) < period.left]).toEqual([period.top, true]);
        isQuiet(one);
      });

      it('shows the field that it filters by, whatever columns it has', async () => {
        const one = await go('screener?as_of=2026-06-30');
        await one.page.getByRole('button', { name: 'Unemployment up in a year' }).click();
        await table(one.page, 'Matches 1').waitFor();
        const heads = await table(one.page, 'Matches 1 to').locator('thead th').allTextContents();
        expect(heads.filter((head) => head.startsWith('Unemployment Rate')).map((head) => head.replace(/(: then)?[ ▲▼]*$/, ''))).toEqual([
          'Unemployment Rate, change over twelve months, percentage points',
          'Unemployment Rate, percent',
        ]);
        isQuiet(one);
      });

      it('says that the as-of is why, if a screen has matches today and had none then', async () => {
        const matched = (await rows('/public/screener?filter=economic_sentiment:lt:100&limit=500')).length;
        expect(matched).toBeGreaterThan(1);
        const one = await go('screener?filter=economic_sentiment:lt:100&as_of=2010-01-01');
        await one.page.getByText(`No matches as of 2010-01-01. Today ${matched} match.`).waitFor();
        expect(await one.page.getByText('Loosen the filter').count()).toBe(0);
        await table(one.page, 'that did not match as of 2010-01-01').waitFor();
        isQuiet(one);
      });

      it('of columns alone begins with the rows that have a value', async () => {
        const one = await go('screener?columns=unemployment_rate');
        await one.page.waitForLoadState('networkidle');
        await table(one.page, 'Matches 1').waitFor();
        const cells = await cellsOf(one.page, 'Matches 1');
        const has = cells.map(([, , value]) => value?.startsWith('–') === false);
        expect(has.filter(Boolean).length).toBeGreaterThan(3);
        expect(has).toEqual(has.toSorted((a, b) => Number(b) - Number(a)));
        isQuiet(one);
      });

      it('draws a bar for each number, which starts at zero and goes to the left if the number is negative', async () => {
        const field = 'unemployment_rate@chg12';
        const asked = `filter=unemployment_rate:gt:0&columns=${field},country&rank_by=${field}:desc&eligible_only=false`;
        const values = (await rows(`/public/screener?${asked}&limit=50`)).map(
          (row) => (row['values'] as Record<string, { value: number | null }>)[field]?.value ?? null,
        );
        const numbers = values.filter((value) => value !== null);
        const [low, high] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
        expect([low < 0, high > 0]).toEqual([true, true]);
        const one = await go(`screener?${asked}`);
        // The names of the fields may come after the rows.
        await one.page.locator('thead th', { hasText: 'Unemployment Rate, change over twelve months' }).waitFor();
        const head = await table(one.page, 'Matches').locator('thead th').allTextContents();
        const barsAt = async (column: number) =>
          table(one.page, 'Matches')
            .locator(`tbody td:nth-child(${column + 1})`)
            .evaluateAll((cells) =>
              cells.map((cell) => {
                const [axis, bar] = [cell.querySelector('.bar'), cell.querySelector('.bar > rect')];
                if (axis === null || bar === null) return null;
                const [of, is] = [axis.getBoundingClientRect(), bar.getBoundingClientRect()];
                return {
                  from: (is.left - of.left) / of.width,
                  to: (is.right - of.left) / of.width,
                  isNegative: bar.getAttribute('class') === 'negative',
                };
              }),
            );
        const at = (start: string) => head.findIndex((label) => label.startsWith(start));
        const bars = await barsAt(at('Unemployment Rate, change over twelve months'));
        expect(bars.length).toBe(values.length);
        for (const [row, value] of values.entries()) {
          const bar = bars[row];
          expect([row, value === null]).toEqual([row, bar === null || bar === undefined]);
          if (value === null || !bar) continue;
          expect([row, bar.isNegative]).toEqual([row, value < 0]);
          expect(Math.abs(bar.from - (Math.min(value, 0) - low) / (high - low))).toBeLessThan(0.03);
          expect(Math.abs(bar.to - (Math.max(value, 0) - low) / (high - low))).toBeLessThan(0.03);
        }
        for (const column of [at('Name'), at('Country')]) expect((await barsAt(column)).every((bar) => bar === null)).toBe(true);
        isQuiet(one);
      });

      it('opens with the rows of a ready screen; the address changes only if you do something, and back leads there again', async () => {
        const one = await go('screener');
        const { page } = one;
        const first = '/public/screener?filter=cpi_inflation_yoy:gt:3&rank_by=cpi_inflation_yoy:desc&columns=cpi_inflation_yoy,policy_rate';
        const expected = (await rows(first)).map((row) => row['name']);
        expect(expected.length).toBeGreaterThan(2);
        const namesShown = async () => (await cellsOf(page, 'Matches')).map(([name]) => name);
        await expect.poll(namesShown).toEqual(expected);
        expect(await page.getByRole('button', { pressed: true }).allTextContents()).toContain('Inflation above 3 %');
        expect(await text(page).inputValue()).toBe('cpi_inflation_yoy:gt:3');
        expect(new URL(page.url()).hash).toBe('#/screener');
        await page.getByLabel('exclude stale and unofficial values').uncheck();
        await expect.poll(() => parameter(page, 'eligible_only')).toBe('false');
        expect([parameter(page, 'filter'), parameter(page, 'universe')]).toEqual(['cpi_inflation_yoy:gt:3', 'countries']);
        await page.goBack();
        await expect.poll(() => new URL(page.url()).hash).toBe('#/screener');
        await expect.poll(namesShown).toEqual(expected);
        await page.goForward();
        await expect.poll(() => parameter(page, 'eligible_only')).toBe('false');
        // Another universe has a ready screen of its own.
        await page.goBack();
        await page.getByLabel('Among').selectOption('companies');
        await expect.poll(() => new URL(page.url()).hash).toBe('#/screener?universe=companies');
        await expect.poll(() => text(page).inputValue()).toBe('price_to_earnings:gt:0');
        await table(page, 'Matches').waitFor();
        isQuiet(one);
      });

      it('keeps the screen that you see if you set an as-of with hardly any rows, and offers another', async () => {
        const one = await go('screener');
        const { page } = one;
        await table(page, 'Matches').waitFor();
        await page.getByLabel('As of', { exact: true }).fill('1950-01-01');
        await page.getByText('“Inflation above 3 %” has no rows as of 1950-01-01.').waitFor();
        expect(await text(page).inputValue()).toBe('cpi_inflation_yoy:gt:3');
        expect(parameter(page, 'filter')).toBe('cpi_inflation_yoy:gt:3');
        await page.goBack();
        await expect.poll(() => new URL(page.url()).hash).toBe('#/screener');
        isQuiet(one);
      });

      it('says so if no ready screen has rows', async () => {
        const one = await go('screener?as_of=1950-01-01');
        await one.page.getByText('No ready screen has rows.').waitFor();
        expect(await one.page.locator('main table').count()).toBe(0);
        await one.page.getByRole('link', { name: 'Remove the as-of' }).click();
        await table(one.page, 'Matches').waitFor();
        isQuiet(one);
      });

      it('keeps a draft if you set an as-of, which is explained directly above the table', async () => {
        const one = await go('screener');
        const { page } = one;
        await table(page, 'Matches').waitFor();
        const above = page.locator('p:has(+ .table)');
        await above.getByText('If you set an as-of, each field has the columns then, today and change.').waitFor();
        await text(page).fill('unemployment_rate:gt:7');
        await page.getByLabel('As of', { exact: true }).fill('2026-06-30');
        await above.getByText('As of 2026-06-30: each field has the columns then, today and change.').waitFor();
        await page.getByRole('columnheader', { name: 'today' }).first().waitFor();
        expect(await text(page).inputValue()).toBe('unemployment_rate:gt:7');
        await page.getByRole('button', { name: 'Screen', exact: true }).click();
        await expect.poll(() => parameter(page, 'filter')).toBe('unemployment_rate:gt:7');
        expect(parameter(page, 'as_of')).toBe('2026-06-30');
        isQuiet(one);
      });

      it('begins with a ready screen, and shows the stale ones if you ask for them', async () => {
        const one = await go('screener?as_of=2024-06-30');
        const { page } = one;
        await page.getByRole('button', { name: 'Economic sentiment below its mean' }).click();
        await expect.poll(() => parameter(page, 'filter')).toBe('economic_sentiment:lt:100');
        const asked =
          '/public/screener?filter=economic_sentiment:lt:100&rank_by=economic_sentiment:asc&columns=unemployment_rate&as_of=2024-06-30';
        expect((await rows(asked)).length).toBe(0);
        await page.getByRole('button', { name: 'Show them' }).click();
        const stale = await rows(`${asked}&eligible_only=false`);
        expect(stale.length).toBeGreaterThan(0);
        // Those that are new since then have a table of their own, which comes later.
        await table(page, 'Matches 1 to').waitFor();
        expect((await cellsOf(page, 'Matches 1 to')).map(([name]) => name)).toEqual(stale.map((row) => row['name']));
        isQuiet(one);
      });
    });

    describe('a company', () => {
      it('is found by its name, and has the facts, multiples and scores of the interface', async () => {
        const [row] = await rows('/public/companies?ticker=ZZSMA');
        const one = await go('company');
        await one.page.getByRole('searchbox').fill('manufact');
        await one.page.getByRole('searchbox').press('Enter');
        await one.page.getByRole('link', { name: 'Sample Manufacturing Co' }).click();
        const grid = one.page.getByRole('list', { name: 'Multiples' });
        await grid.waitFor();
        expect(parameter(one.page, 'id')).toBe(COMPANY);
        // People read a yield, which is a share, in percent. Each of the two kinds has one number of decimals.
        const all = Object.entries(row?.['multiples'] as Record<string, number>);
        const [yields, others] = [true, false].map((isYield) => all.filter(([name]) => name.endsWith('Yield') === isYield));
        const texts = new Map([
          ...inColumn((yields ?? []).map(([, value]) => 100 * value)).map((text, at) => [yields?.[at]?.[0], `${text} %`] as const),
          ...inColumn((others ?? []).map(([, value]) => value)).map((text, at) => [others?.[at]?.[0], text] as const),
        ]);
        const multiples = all.map(([name]) => texts.get(name));
        expect(await grid.locator('.value').allTextContents()).toEqual(multiples);
        const exact = await grid.locator('.value [title]').first().getAttribute('title');
        expect(Number(exact)).toBeCloseTo(Object.values(row?.['multiples'] as Record<string, number>)[0] ?? NaN, 9);
        expect((await cellsOf(one.page, 'Scores of')).map(([, value]) => value)).toEqual(
          inColumn(Object.values(row?.['scores'] as Record<string, number>)),
        );
        expect(await one.page.locator('.headline').innerText()).toContain(`${shown(row?.['marketCap'])} USD`);
        expect(await one.page.locator('.headline').innerText()).toContain(`${shown(row?.['price'])} USD`);
        // Its place among its own month ends, counted from the panel of the interface.
        const day = new Date().toISOString().slice(0, 10);
        const course = await rows(
          `/panels?factor=price_to_earnings&entity=${COMPANY}&from=${Number(day.slice(0, 4)) - 10}${day.slice(4, 7)}-01&to=${day}&every=month_end&limit=500`,
        );
        const ends = course.map(({ value }) => Number(value));
        const [now = NaN] = Object.values(row?.['multiples'] as Record<string, number>);
        const lower = Math.round((100 * ends.filter((value) => value < now).length) / ends.length);
        await grid.locator('li').first().getByText(`own ${lower}`).waitFor();
        await one.page.getByRole('button', { name: 'PEG' }).click();
        await one.page.getByRole('heading', { name: 'PEG through time' }).waitFor();
        await one.page.locator('.chart canvas').first().waitFor();
        isQuiet(one);
      });

      it('is the only heading of the first level once you choose it, with its ticker', async () => {
        const one = await go('company');
        const headings = one.page.getByRole('heading', { level: 1 });
        await expect.poll(() => headings.allTextContents()).toEqual(['Company']);
        await one.page.getByRole('link', { name: 'Sample Manufacturing Co' }).click();
        await expect.poll(() => headings.allInnerTexts()).toEqual(['Sample Manufacturing Co ZZSMA']);
        await one.page.goBack();
        await expect.poll(() => headings.allTextContents()).toEqual(['Company']);
        const none = await go('company?id=NOTHING');
        await none.page.getByText('There is no company NOTHING.').waitFor();
        expect(await none.page.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['Company']);
        isQuiet(one);
      });

      it('links its name to its series only if it has one', async () => {
        const nameIn = async (id: string, name: string) => {
          const one = await go(`company?id=${id}`);
          await one.page.getByRole('heading', { level: 1, name }).waitFor();
          await one.page.waitForLoadState('networkidle');
          isQuiet(one);
          return one.page.locator('h1 a').allTextContents();
        };
        expect(await rows('/indicators/series?entity=company_9999999003')).toEqual([]);
        expect(await nameIn('company_9999999003', 'Sample Holdings Plc')).toEqual([]);
        expect(await nameIn(COMPANY, 'Sample Manufacturing Co')).toEqual(['Sample Manufacturing Co']);
      });

      it('is found by a ticker in the address, and an unknown one shows nothing of another', async () => {
        const one = await go('company?id=zzsma');
        await one.page.getByRole('heading', { name: 'Sample Manufacturing Co' }).waitFor();
        await one.page.locator('.chart canvas').first().waitFor();
        // Its ticker was not known then, which is no reason to hide the company.
        expect((await rows('/public/companies?as_of=2023-06-30&limit=500')).flatMap(({ tickers }) => tickers)).not.toContain('ZZSMA');
        const then = await go('company?id=ZZSMA&as_of=2023-06-30');
        await then.page.getByRole('heading', { name: 'Sample Manufacturing Co' }).waitFor();
        await then.page.getByText('as known on 2023-06-30').first().waitFor();
        const none = await go('company?id=NOTHING');
        await none.page.getByText('There is no company NOTHING.').waitFor();
        expect(await none.page.locator('.chart, .multiples, main table').count()).toBe(0);
        isQuiet(one);
      });

      it('saves the history of a multiple as PNG, SVG and CSV, each day with its value as the interface has it', async () => {
        const one = await go(`company?id=${COMPANY}&as_of=2026-10-30`);
        const { page } = one;
        await page.getByRole('img', { name: /^Price to earnings, / }).waitFor();
        const save = async (name: string, file: string) => {
          const button = page.getByRole('button', { name, exact: true });
          const [saved] = await Promise.all([page.waitForEvent('download'), button.click()]);
          expect(saved.suggestedFilename()).toBe(file);
          return readFile(await saved.path());
        };
        const name = `${COMPANY}-price_to_earnings`;
        const png = await save('PNG', `${name}.png`);
        expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]));
        const svg = (await save('SVG', `${name}.svg`)).toString('utf8');
        for (const text of [
          'Sample Manufacturing Co: price to earnings',
          'Sample data, invented',
          'ratio, daily; as known on 2026-10-30; source: ',
        ])
          expect(svg).toContain(text);
        expect(svg).not.toMatch(/NaN|undefined|Infinity/);
        const lines = (await save('All days as CSV', `${name}.csv`)).toString('utf8').trimEnd().split('\r\n');
        expect(lines[0]).toBe('periodEnd,value,unit,sourceId,id');
        const asked = `entity=${COMPANY}&indicator_id=indicator_price_to_earnings&as_of=2026-10-30&sort=period_end&order=desc&limit=500`;
        const newest = (await rows(`/derived-observations?${asked}`)).toReversed();
        expect(lines.slice(-newest.length)).toEqual(
          newest.map((row) =>
            [String(row['periodEnd']).slice(0, 10), row['valueNumeric'] ?? '', row['unit'], row['sourceId'], row['id']].join(','),
          ),
        );
        isQuiet(one);
      });

      it('has its statements as filed and as last restated, and as they were known', async () => {
        for (const more of ['', '&basis=as_reported', '&as_of=2023-06-30', '&statement=balance_sheet&period=quarterly']) {
          const asked = new Map(new URLSearchParams(`statement=income&period=annual&basis=most_recent&limit=500${more}`));
          const expected = await rows(`/companies/9999999001/financials?${new URLSearchParams([...asked]).toString()}`);
          expect(expected.length).toBeGreaterThan(2);
          const one = await go(`company?id=${COMPANY}${more}`);
          await table(one.page, 'newest first').waitFor();
          const keyOf = (row: Readonly<Record<string, unknown>>) => `${String(row['periodEnd'])} ${String(row['observedAt'])}`;
          const newest = expected.toSorted((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
          await expect
            .poll(async () => (await table(one.page, 'newest first').locator('thead th .small').allTextContents()).toSorted())
            .toEqual(newest.map((row) => String(row['periodEnd'])).toSorted());
          const lines = new Map((await cellsOf(one.page, 'newest first')).map(([label = '', ...values]) => [label, values]));
          const filed = await cellsOf(one.page, 'Filings');
          expect([more, filed.map((line) => line[3])]).toEqual([more, newest.map((row) => row['accessionNumber'])]);
          const first = newest[0]?.['lines'] as readonly { label: string; unit: string; value: number }[];
          const isLarge = (unit: string) => first.some((line) => line.unit === unit && Math.abs(line.value) >= 1e6);
          for (const { label, unit } of first) {
            const cells = [...lines].find(([name]) => name.startsWith(label))?.[1] ?? [];
            const values = newest.map((row) => (row['lines'] as typeof first).find((line) => line.label === label)?.value ?? null);
            const scaled = values.map((value) => (value !== null && isLarge(unit) ? value / 1e6 : value));
            // A line has one number of decimals.
            const told = inColumn(scaled).map((text, at) => (scaled[at] === null ? '–' : text));
            expect([more, label, cells.map((cell) => cell.replace(/[+\-±]\d+\.\d %$/, ''))]).toEqual([more, label, told]);
          }
          isQuiet(one);
        }
      });

      it('has no growth of figures per share over a split, but says by what the shares were multiplied', async () => {
        const one = await go('company?id=company_9999999002&basis=as_reported');
        const { page } = one;
        await page.getByText('their figures per share do not compare').waitFor();
        const lines = await cellsOf(page, 'newest first');
        const heads = await table(page, 'newest first').locator('thead th').allTextContents();
        const at = heads.findIndex((head) => head.startsWith('FY 2021'));
        const cellOf = (start: string, column: number) => lines.find(([label = '']) => label.startsWith(start))?.[column] ?? '';
        for (const start of ['Earnings per share, basic', 'Earnings per share, diluted', 'Weighted average shares'])
          expect([start, cellOf(start, at)]).toEqual([start, expect.stringMatching(/\dshares × 2$/)]);
        expect(cellOf('Earnings per share, diluted', at - 1)).toMatch(/%$/);
        expect(cellOf('Net income', at)).toMatch(/%$/);
        // By the day before the split all figures have one basis.
        const then = await go('company?id=company_9999999002&basis=as_reported&as_of=2021-06-14');
        await table(then.page, 'newest first').waitFor();
        expect(await then.page.getByText('their figures per share do not compare').count()).toBe(0);
        isQuiet(one);
      });

      it('has one plain notice before its history begins, and no message of the interface', async () => {
        const one = await go(`company?id=${YOUNG}&as_of=2021-06-30`);
        const [first] = await rows(
          `/derived-observations?entity=${YOUNG}&indicator_id=indicator_price_to_earnings&sort=period_end&order=asc&limit=1`,
        );
        const day = String(first?.['observedAt']).slice(0, 10);
        await one.page.getByText(`Nothing was known of it as of 2021-06-30: its history is known from ${day} on.`).waitFor();
        await one.page.getByText('No closing prices were known as of 2021-06-30.').waitFor();
        await one.page.waitForLoadState('networkidle');
        expect(await one.page.getByText('Nothing was known').count()).toBe(1);
        expect(await one.page.getByText(/Ask for a later as_of|right to show/).count()).toBe(0);
        isQuiet(one);
      });

      it('shows the number of month ends instead of a percentile if they are few', async () => {
        const one = await go(`company?id=${YOUNG}&as_of=2025-12-15`);
        const multiple = one.page.getByRole('button', { name: /^Price to earnings/ });
        await multiple.getByText('3 month ends').waitFor();
        expect(await multiple.getByText('own').count()).toBe(0);
        // No sector was known then, so the scores rank all companies, and no tile has a place in it.
        expect(await multiple.getByText('sector').count()).toBe(0);
        await one.page.getByText('0 to 100 among all companies, because no sector was known by 2025-12-15').waitFor();
        const now = await go(`company?id=${YOUNG}`);
        await now.page.getByText('0 to 100 within the sector, or among all companies').waitFor();
        const tile = now.page.getByRole('button', { name: /^Price to earnings/ }).locator('.small');
        await expect.poll(() => tile.innerText()).toMatch(/^(own \d+ %|\d+ month ends?) · sector \d+ %$/);
        isQuiet(one);
      });

      it('has scores as they were known at the ends of quarters', async () => {
        const one = await go(`company?id=${COMPANY}&as_of=2026-11-20`);
        await one.page.getByRole('button', { name: 'Load the last 8 quarters' }).click();
        await table(one.page, 'Scores as they were known').waitFor();
        const cells = await cellsOf(one.page, 'Scores as they were known');
        expect(cells).toHaveLength(9);
        for (const [day, composite] of [cells[7], cells[8]] as string[][]) {
          const [row] = await rows(`/public/companies?ticker=ZZSMA&as_of=${day}`);
          expect([day, composite]).toEqual([day, shown((row?.['scores'] as Record<string, number> | undefined)?.['composite'])]);
        }
        isQuiet(one);
      });

      it('has no score later than its as-of, to the instant', async () => {
        const one = await go(`company?id=${COMPANY}&as_of=2022-02-21T12:00:00Z`);
        await one.page.getByRole('button', { name: 'Load the last 8 quarters' }).click();
        await table(one.page, 'Scores as they were known').waitFor();
        const asked = (await cellsOf(one.page, 'Scores as they were known')).map(([day]) => day);
        expect(asked.at(-1)).toBe('2022-02-21T12:00:00Z');
        expect(asked.slice(0, -1).every((day) => String(day) < '2022-02-21')).toBe(true);
        isQuiet(one);
      });

      it('that was not known yet is reported', async () => {
        const one = await go(`company?id=${COMPANY}&as_of=1999-12-31`);
        const isKnown = async (day: string) => (await rows(`/public/companies?q=9999999001&as_of=${day}`)).length > 0;
        const note = one.page.getByText('Sample Manufacturing Co was not known yet as of 1999-12-31. It is known from');
        await note.waitFor();
        const [, first = ''] = /from (\S+) on/.exec(await note.innerText()) ?? [];
        const before = new Date(Date.parse(first) - 86_400_000).toISOString().slice(0, 10);
        expect([await isKnown(before), await isKnown(first)]).toEqual([false, true]);
        expect(await one.page.getByRole('heading', { level: 1 }).allTextContents()).toEqual(['Sample Manufacturing Co']);
        expect(await one.page.locator('.chart, .multiples').count()).toBe(0);
        isQuiet(one);
      });
    });

    describe('today', () => {
      it('has the releases and the revisions of the interface within the days', async () => {
        const one = await go('today?as_of=2026-06-30&days=30');
        const { page } = one;
        const window = 'observed_from=2026-06-01&observed_to=2026-06-30&as_of=2026-06-30&importance=high&type=macro&limit=500';
        const newest = await rows(`/observations/latest?${window}&freshness=fresh`);
        const released = newest.filter((row) => row['revised'] !== true);
        expect(released.length).toBeLessThan(newest.length);
        await table(page, 'Releases from 2026-06-01 to 2026-06-30').waitFor();
        await table(page, 'Revisions from').waitFor();
        await showAll(page);
        const shownReleases = await cellsOf(page, 'Releases');
        expect(new Set(shownReleases.map(([name]) => name))).toEqual(new Set(released.map((row) => row['indicatorName'])));
        const jobs = released.find((row) => row['indicatorId'] === 'us_nonfarm_payrolls' && row['preferredForFactor'] === true);
        const cells = shownReleases.find(([name, , period]) => name === jobs?.['indicatorName'] && period === jobs?.['period']);
        expect(cells?.slice(3, 5)).toEqual([shown(jobs?.['actual']), shown(jobs?.['previous'])]);
        const changes = (await rows(`/observations/changes?${window}`)).filter((row) => row['changeType'] === 'revise');
        const revised = await cellsOf(page, 'Revisions');
        const series = new Set(changes.map((row) => `${String(row['indicatorId'])} ${String(row['sourceId'])}`));
        expect(revised.length).toBe(series.size);
        expect(revised.reduce((sum, [, , periods]) => sum + Number(periods), 0)).toBe(
          new Set(changes.map((row) => `${String(row['indicatorId'])} ${String(row['sourceId'])} ${String(row['period'])}`)).size,
        );
        isQuiet(one);
      });

      it('leads from its top to the releases and to the revisions, and the address stays', async () => {
        const one = await go('today?as_of=2026-06-30&days=30', { width: 390, height: 844 });
        const { page } = one;
        await table(page, 'Revisions from').waitFor();
        const address = page.url();
        for (const part of ['Revised', 'Released']) {
          await page.evaluate('window.scrollTo(0, 0)');
          await page.getByRole('navigation', { name: 'Parts of this page' }).getByRole('link', { name: part }).click();
          const heading = page.getByRole('heading', { level: 2, name: part });
          await expect.poll(async () => Math.round((await heading.boundingBox())?.y ?? Infinity)).toBeLessThan(200);
          expect(await heading.evaluate('document.activeElement.textContent')).toBe(part);
          expect(page.url()).toBe(address);
        }
        isQuiet(one);
      });

      it('shows every importance on request, the high ones first', async () => {
        const one = await go('today?as_of=2026-06-30&days=30&importance=any&country=US');
        const { page } = one;
        await table(page, 'Releases from').waitFor();
        await table(page, 'Revisions from').waitFor();
        // A long table begins with its first rows.
        const short = (await cellsOf(page, 'Revisions')).length;
        await showAll(page);
        expect([short, (await cellsOf(page, 'Revisions')).length > short]).toEqual([40, true]);
        const window = 'observed_from=2026-06-01&observed_to=2026-06-30&as_of=2026-06-30&country=US&type=macro&limit=500';
        const of = async (path: string) => new Map((await rows(path)).map((row) => [row['indicatorName'], row['importance']]));
        const rank = ['high', 'medium', 'low', null];
        for (const [caption, path] of [
          ['Releases', `/observations/latest?${window}&freshness=fresh`],
          ['Revisions', `/observations/changes?${window}`],
        ] as const) {
          const importance = await of(path);
          const ranks = (await cellsOf(page, caption)).map(([name]) => rank.indexOf(importance.get(name ?? '') as string | null));
          expect(new Set(ranks).size).toBeGreaterThan(1);
          expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
        }
        isQuiet(one);
      });

      it('says so if nothing became known', async () => {
        const one = await go('today?as_of=1950-01-01');
        await one.page.getByText('Nothing was released from 1949-12-26 to 1950-01-01').waitFor();
        await one.page.getByText('Nothing was revised from 1949-12-26 to 1950-01-01').waitFor();
        expect(await one.page.locator('main table').count()).toBe(0);
        isQuiet(one);
      });
    });

    describe('commitments of traders', () => {
      /** The contracts with the percentile of one report, as the interface has them. */
      const percentilesOf = async (field: string, more = '') =>
        (
          await rows(`/public/screener?universe=entities&entity_type=futures_contract&filter=${field}:is:notnull&columns=${field}${more}`)
        ).map((row) => ({
          id: String(row['entityId']),
          name: String(row['name']),
          value: (row['values'] as Record<string, { value: number }>)[field]?.value ?? NaN,
        }));
      /** Each live contract with the percentile of its speculators, the furthest from the middle first. */
      const allContracts = async () => {
        const groups = [
          ['cot_disaggregated_percentile', 'Managed money'],
          ['cot_tff_percentile', 'Leveraged funds'],
          ['cot_positioning_percentile', 'Non-commercial'],
        ] as const;
        const found = new Map<string, { name: string; value: number; group: string }>();
        for (const [field, group] of groups)
          for (const { id, name, value } of await percentilesOf(field)) if (!found.has(id)) found.set(id, { name, value, group });
        return [...found.values()].sort((a, b) => Math.abs(b.value - 50) - Math.abs(a.value - 50) || (a.name < b.name ? -1 : 1));
      };

      it('begin with one list of the contracts of all reports, the furthest from the middle first, each with its group of traders', async () => {
        const one = await go('cot');
        const { page } = one;
        await table(page, 'All contracts: net positions').waitFor();
        const expected = await allContracts();
        expect(new Set(expected.map(({ group }) => group)).size).toBe(3);
        expect(expected.length).toBe((await rows('/entities?entity_type=futures_contract')).length);
        const linked = table(page, 'furthest').locator('tbody td:first-child a');
        expect(await linked.evaluateAll((links) => links.map((link) => link.getAttribute('title')))).toEqual(
          expected.map(({ name }) => name),
        );
        const sideOf = (value: number) => (value >= 90 ? 'long' : value <= 10 ? 'short' : 'no');
        const cells = await cellsOf(page, 'furthest');
        const values = inColumn(expected.map(({ value }) => value));
        expect(cells.map(([, group, value, , side = '']) => [group, value, side.replace(/, but net .*/, '')])).toEqual(
          expected.map(({ group, value }, line) => [group, values[line], sideOf(value)]),
        );
        // Crowded is said against three years: a position on the other side of zero says so.
        for (const [, , , , side = '', , net = ''] of cells)
          expect([side, side.includes('but net')]).toEqual([side, side.startsWith(net.startsWith('-') ? 'long' : 'short')]);
        const crowded = expected.filter(({ value }) => sideOf(value) !== 'no').length;
        expect(crowded).toBeGreaterThan(2);
        await page.getByText(`${crowded} of ${expected.length} contracts are crowded.`).waitFor();
        // In plain words; the publisher's own name is under the pointer.
        const names = new Map(expected.map(({ name }, at) => [name, at]));
        const plain = await linked.allTextContents();
        expect(plain[names.get('CORN - CHICAGO BOARD OF TRADE') ?? NaN]).toBe('Corn, Chicago Board of Trade');
        expect(plain.filter((name) => / - |[A-Z]{5}/.test(name))).toEqual([]);
        await linked.first().click();
        await table(page, 'Week to').waitFor();
        const reportOf: Readonly<Record<string, string>> = {
          'Managed money': 'disaggregated',
          'Leveraged funds': 'tff',
          'Non-commercial': 'legacy',
        };
        expect(parameter(page, 'report')).toBe(reportOf[expected[0]?.group ?? '']);
        isQuiet(one);
      });

      it('that are crowded are the ready screen of that name, in the same order', async () => {
        const one = await go('screener?universe=entities');
        const { page } = one;
        await page.getByRole('button', { name: 'Crowded futures' }).click();
        await table(page, 'Crowded futures').waitFor();
        const expected = (await allContracts()).filter(({ value }) => value >= 90 || value <= 10);
        expect((await cellsOf(page, 'Crowded futures')).map(([, group, value]) => [group, value])).toEqual(
          expected.map(({ group }, line) => [group, inColumn(expected.map(({ value }) => value))[line]]),
        );
        expect(await page.getByRole('button', { pressed: true }).allTextContents()).toContain('Crowded futures');
        // Another filter has the table of any screen.
        await page.getByLabel('Filter as text').fill('cot_tff_percentile:gte:0');
        await page.getByRole('button', { name: 'Screen', exact: true }).click();
        await table(page, 'Matches 1 to').waitFor();
        isQuiet(one);
      });

      it('are shown, marked as stale, if none has a new report', async () => {
        const one = await run.tab({ key: run.service.keys.full });
        const { page } = one;
        // The question for live contracts is answered as it is in a year without a report.
        await page.route(/\/public\/screener\?/, async (route) => {
          const address = new URL(route.request().url());
          const isStale = address.searchParams.get('eligible_only') === 'false';
          address.searchParams.set('eligible_only', 'false');
          const response = await route.fetch({ url: address.href });
          const answer = (await response.json()) as ListBody & { meta: { screener: { excludedIneligible: number } } };
          const values = answer.data.flatMap((row) => Object.values(row['values'] as Record<string, { freshnessStatus: string | null }>));
          for (const value of values) if (value.freshnessStatus !== null) value.freshnessStatus = 'stale';
          if (!isStale) answer.meta.screener.excludedIneligible = answer.data.length;
          await route.fulfill({ response, json: { ...answer, data: isStale ? answer.data : [] } });
        });
        await page.goto(`${run.service.url}/explore#/cot`);
        await table(page, 'All contracts: net positions').waitFor();
        await page.getByText('No contract has a new report, so you see the stale ones. The newest is of the week to 20').waitFor();
        const cells = await cellsOf(page, 'All contracts');
        expect(cells.length).toBe((await allContracts()).length);
        expect(cells.every((row) => row.includes('stale'))).toBe(true);
        isQuiet(one);
      });

      it('of the other report replace those of the first, and lead back', async () => {
        const one = await go('cot?report=legacy');
        const { page } = one;
        await table(page, 'Non-commercial: net positions').waitFor();
        await page.getByRole('button', { name: 'Financial futures' }).click();
        await table(page, 'Leveraged funds: net positions').waitFor();
        const found = await rows(
          '/public/screener?universe=entities&entity_type=futures_contract&filter=cot_tff_percentile:is:notnull&columns=cot_tff_percentile',
        );
        expect(found.length).toBeGreaterThan(1);
        const named = await table(page, 'Leveraged funds')
          .locator('tbody td:first-child a')
          .evaluateAll((links) => links.map((link) => link.getAttribute('title')));
        expect(new Set(named)).toEqual(new Set(found.map((row) => row['name'])));
        await page.getByRole('button', { name: 'Legacy' }).click();
        await table(page, 'Non-commercial: net positions').waitFor();
        isQuiet(one);
      });

      it('of one report come with a list of the contracts that only other reports have', async () => {
        const one = await go('cot?report=disaggregated');
        await one.page.getByText('These contracts have no percentile in the report “Commodities”').waitFor();
        const others = await one.page.locator('.elsewhere li').allTextContents();
        expect(others.map((text) => text.split(':')[0])).toEqual(['Financial futures', 'Legacy']);
        expect(others[1]).toContain('Corn');
        expect(others.join()).not.toContain('Wheat');
        isQuiet(one);
      });

      it('show a contract with one of its reports, with percentile and positions of the interface', async () => {
        const one = await go('cot?entity=cftc_088691');
        const { page } = one;
        await table(page, 'Week to').waitFor();
        expect(await page.locator('h1').textContent()).toBe('Gold, Commodity Exchange Inc.: Commitments of Traders');
        expect(await page.getByRole('group', { name: 'Report' }).getByRole('button').allTextContents()).toEqual(['Legacy']);
        const newest = async (measure: string) =>
          Number((await rows(`/observations/latest?entity=cftc_088691&indicator_id=cftc_088691_cot_${measure}`))[0]?.['actual']);
        const cells = await cellsOf(page, 'Week to');
        const [long, short] = [await newest('noncommercial_long'), await newest('noncommercial_short')];
        expect(cells[0]?.slice(0, 4)).toEqual(['Non-commercial', shown(long), shown(short), shown(long - short)]);
        const [percentile] = await rows(
          '/derived-observations?indicator_id=cftc_088691_cot_positioning_percentile&sort=period_end&order=desc&limit=1',
        );
        const { net, weeklyChange, percentile3y } = (percentile?.['metadata'] ?? {}) as Record<string, number>;
        expect((await cellsOf(page, 'Known from')).map(([, value]) => value).slice(0, 3)).toEqual(
          [net, weeklyChange, percentile3y].map(shown),
        );
        // What the page makes of two reports is what the interface makes of them.
        expect([cells[0]?.[3], cells[0]?.[4]]).toEqual([shown(net), shown(weeklyChange)]);
        isQuiet(one);
      });

      it('are saved as pictures of one size, whatever the window has', async () => {
        const widths: number[][] = [];
        for (const width of [1280, 400]) {
          const { page } = await go('cot?entity=cftc_002602', { width });
          await table(page, 'Week to').waitFor();
          const save = async (name: string, at: number) => {
            const button = page.getByRole('button', { name, exact: true }).nth(at);
            const [saved] = await Promise.all([page.waitForEvent('download', { timeout: 5000 }), button.click({ timeout: 5000 })]);
            return readFile(await saved.path());
          };
          const [percentile, nets] = [await save('PNG', 0), await save('PNG', 1)];
          const svg = (await save('SVG', 0)).toString('utf8');
          expect(svg).toContain('crowded long from 90 on');
          expect(svg).toContain('Corn, Chicago Board of Trade: three-year percentile of the net position of non-commercial');
          expect(svg).toContain('Sample data, invented');
          expect(svg).not.toMatch(/NaN|undefined|Infinity/);
          widths.push([percentile.readUInt32BE(16), nets.readUInt32BE(16), Number(/ width="(\d+)"/.exec(svg)?.[1])]);
        }
        expect(widths[1]).toEqual(widths[0]);
      });

      it('name every class of traders and the right axis in a saved picture', async () => {
        const { page } = await go('cot?entity=cftc_043602');
        await page.locator('.about-price').waitFor();
        const button = page.getByRole('button', { name: 'SVG', exact: true }).nth(1);
        const [saved] = await Promise.all([page.waitForEvent('download', { timeout: 5000 }), button.click({ timeout: 5000 })]);
        const svg = await readFile(await saved.path(), 'utf8');
        for (const label of await page.locator('.legend').nth(1).locator('span').allTextContents()) expect(svg).toContain(`>${label}<`);
        expect(svg).not.toContain('vintages');
      });

      it('draw the percentile from its first week on, from 0 to 100, and say how many weeks have none', async () => {
        const one = await go('cot?entity=cftc_002602');
        const { page } = one;
        const all = await rows(
          '/derived-observations?indicator_id=cftc_002602_cot_positioning_percentile&sort=period_end&order=asc&limit=500',
        );
        const none = all.findIndex((row) => row['valueNumeric'] !== null);
        expect(none).toBeGreaterThan(50);
        await page
          .getByRole('img', { name: `in Corn, Chicago Board of Trade, ${all.length - none} weeks, with bands at 10 and 90` })
          .waitFor();
        await page
          .getByText(`From ${String(all[none]?.['periodEnd']).slice(0, 10)}: the ${none} weeks before have no percentile`)
          .waitFor();
        isQuiet(one);
      });

      it('as of a day show the reports published by then', async () => {
        const one = await go('cot?entity=cftc_088691&as_of=2026-03-31');
        const [row] = await rows('/observations/latest?indicator_id=cftc_088691_cot_commercial_long&as_of=2026-03-31');
        await table(one.page, `Week to ${String(row?.['periodEnd'])}`).waitFor();
        expect((await cellsOf(one.page, 'Week to'))[1]?.[1]).toBe(shown(row?.['actual']));
        isQuiet(one);
      });

      it('have the price of the contract over them, on its own axis, as it was known', async () => {
        const oil = [
          'cftc_067651',
          'WTI crude oil, average spot price of the month',
          'us_oil_price_wti_monthly',
          'fred_md',
          'USD per barrel',
        ];
        const yields = ['cftc_043602', '10-year US Treasury yield; it falls if the price rises', 'us_treasury_yield_10y'];
        for (const [as_of, frequency, [entity = '', label = '', indicator = '', source = '', unit = '']] of [
          ['', 'monthly', oil],
          ['2026-03-31', 'monthly', oil],
          ['', 'daily', [...yields, 'fred', 'percent']],
          // The daily yields were downloaded later, so the page takes a source that was known then.
          ['2026-03-31', 'monthly', [...yields.with(1, `${yields[1]} (average of the month)`), 'fred_md', 'percent']],
        ] as const) {
          const then = as_of === '' ? '' : `&as_of=${as_of}`;
          const one = await go(`cot?entity=${entity}${then}`);
          const [newest] = await rows(
            `/observations?indicator_id=${indicator}&source_id=${source}&frequency=${frequency}&sort=period_end&order=desc&limit=1${then}`,
          );
          const day = String(newest?.['periodEnd']);
          expect(as_of === '' || day <= as_of).toBe(true);
          const { sources } = (await (await run.service.get('/pages/names.json')).json()) as { sources: Record<string, string> };
          const about = one.page.locator('.about-price');
          // Until the names are there, the source has its id.
          const told = `${label}: ${shown(newest?.['actual'])} ${unit}, ${frequency}, to ${day}; source: ${String(sources[source])}.`;
          await expect.poll(() => about.innerText()).toBe(told);
          expect(await one.page.getByRole('img', { name: /^Net positions in / }).getAttribute('aria-label')).toContain(`, and ${label}, `);
          expect(await one.page.locator('.legend .beside').allTextContents()).toEqual([`${label} (right)`]);
          isQuiet(one);
        }
        // No series has the price of coffee.
        const none = await go('cot?entity=cftc_083731');
        await none.page.getByRole('heading', { name: 'Net positions', exact: true }).waitFor();
        await none.page.waitForLoadState('networkidle');
        expect(await none.page.locator('.about-price, .legend .beside').count()).toBe(0);
        isQuiet(none);
      });

      it('of another contract are chosen by its name, and an unknown one is reported', async () => {
        const one = await go('cot?entity=cftc_nothing');
        await one.page.getByText('There is no contract cftc_nothing. Choose one.').waitFor();
        const options = await one.page.getByLabel('Contract').locator('option').allTextContents();
        expect(options).toContain('E-Mini S&P 500');
        await one.page.getByLabel('Contract').selectOption('cftc_13874a');
        await table(one.page, 'Week to').waitFor();
        expect(parameter(one.page, 'entity')).toBe('cftc_13874a');
        expect((await cellsOf(one.page, 'Week to')).map(([name]) => name)).toContain('Leveraged funds');
        isQuiet(one);
      });
    });

    describe('the most revised series', () => {
      interface Change {
        readonly indicatorId: string;
        readonly indicatorName: string;
        readonly sourceId: string;
        readonly frequency: string;
        readonly period: string;
        readonly changeType: string;
        readonly actual: number | null;
        readonly priorActual: number | null;
      }

      const linesOf = async <Row>(path: string) =>
        (await (await run.service.get(path)).text())
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Row);

      /** The largest change of each revised series, from the value before these days to the last one in them. */
      async function largestChanges(asked: string): Promise<readonly (Change & { by: number })[]> {
        const changes = (await linesOf<Change>(asked)).filter(
          ({ changeType, actual, priorActual }) => changeType === 'revise' && actual !== priorActual,
        );
        const periods = new Map<string, Change & { before: number | null }>();
        for (const change of changes) {
          const key = `${change.indicatorId} ${change.sourceId} ${change.period}`;
          periods.set(key, { ...change, before: periods.get(key)?.before ?? change.priorActual });
        }
        const largest = new Map<string, Change & { by: number }>();
        for (const one of periods.values()) {
          if (one.before === null || one.actual === null || one.before === one.actual) continue;
          const [series, by] = [`${one.indicatorId} ${one.sourceId}`, Number(Math.abs(one.actual - one.before).toPrecision(12))];
          if (by > (largest.get(series)?.by ?? 0)) largest.set(series, { ...one, by });
        }
        return [...largest.values()];
      }

      const YEARS: Readonly<Record<string, number>> = { monthly: 4, quarterly: 11, annual: 41 };
      /** By hand: the median of the last 40 changes in the years before, as known before these days. Null for less than 8. */
      async function usualChange({ indicatorId, sourceId, frequency }: Change, from: string): Promise<number | null> {
        const before = new Date(Date.parse(from) - 86_400_000).toISOString().slice(0, 10);
        const start = `${Number(from.slice(0, 4)) - (YEARS[frequency] ?? 1)}-01-01`;
        const path = `/observations?indicator_id=${indicatorId}&source_id=${sourceId}&frequency=${frequency}&start_date=${start}&as_of=${before}&sort=period_end&format=ndjson&limit=100000`;
        const values = (await linesOf<Change>(path)).map(({ actual }) => actual).slice(-41);
        const moves = values
          .slice(1)
          .flatMap((value, at) => (value === null || typeof values[at] !== 'number' ? [] : [Math.abs(value - values[at])]))
          .toSorted((a, b) => a - b);
        const half = moves.length / 2;
        return moves.length < 8 ? null : Number((((moves[Math.ceil(half) - 1] ?? 0) + (moves[Math.floor(half)] ?? 0)) / 2).toPrecision(12));
      }

      it.each([
        ['365', '2025-11-01', 'any', ''],
        ['30', '2026-10-02', 'high', '&importance=high'],
      ])(
        'lists the revisions of %s days as the interface has them, the largest by the usual change first',
        async (days, from, importance, filter) => {
          const asked = `/observations/changes?type=macro&observed_from=${from}&observed_to=2026-10-31&as_of=2026-10-31${filter}&format=ndjson&limit=100000`;
          const sizes: { name: string; size: number }[] = [];
          for (const one of await largestChanges(asked)) {
            const usual = await usualChange(one, from);
            if (usual !== null && usual > 0) sizes.push({ name: one.indicatorName, size: one.by / usual });
          }
          const ranked = sizes.toSorted((a, b) => b.size - a.size);
          const texts = inColumn(ranked.map(({ size }) => size));
          const expected = ranked.slice(0, 100).map(({ name }, at) => ({ name, text: texts[at] }));
          expect(expected.length).toBeGreaterThan(3);
          const one = await go(`today?as_of=2026-10-31&days=${days === '365' ? '7' : days}&importance=${importance}`);
          await one.page.getByRole('link', { name: 'Most revised' }).click();
          await one.page.getByRole('heading', { level: 1, name: 'Most revised' }).waitFor();
          await one.page.getByRole('button', { name: days === '365' ? 'A year' : '30 days' }).click();
          await table(one.page, `Most revised from ${from} to 2026-10-31`).waitFor();
          await showAll(one.page);
          const cells = (await cellsOf(one.page, 'Most revised')).slice(0, expected.length);
          const named = (listed: readonly (readonly (string | undefined)[])[]) =>
            listed.map(([name, size]) => `${size ?? ''} ${name ?? ''}`).toSorted();
          expect(named(cells.map((row) => [row[0], row[2]]))).toEqual(named(expected.map(({ name, text }) => [name, text])));
          expect(cells.map((row) => row[2])).toEqual(expected.map(({ text }) => text));
          await one.page.getByText('Ranked by size: the revision divided by how much the series usually changes').waitFor();
          expect(await one.page.title()).toBe(`Most revised, ${from} to 2026-10-31 · asof`);
          expect(await one.page.locator('nav a[aria-current="page"]').innerText()).toBe('Today');
          isQuiet(one);
        },
      );
    });

    describe('the calendar', () => {
      const path = (from: string, to: string, more = '') => `/economic-calendar?start_date=${from}&end_date=${to}&limit=500${more}`;

      it('has the week of the interface, with actual, previous, revised previous and forecast', async () => {
        const week = await rows(path('2026-08-31', '2026-09-06'));
        const expected = week.filter((row) => row['canonicalIndicatorId'] !== 'policy_rate');
        const one = await go('calendar?week=2026-09-02');
        await table(one.page, '2026-08-31 to 2026-09-06').waitFor();
        // A decision of a central bank has a test of its own.
        const all = await cellsOf(one.page, '2026-08-31');
        const cells = all.filter((_, line) => week[line]?.['canonicalIndicatorId'] !== 'policy_rate');
        // Numbers of one unit have common decimals: 5.0 beside 4.9.
        const reads = (text = '', value: unknown) =>
          value === null
            ? text === '–'
            : Math.abs(Number(text.replaceAll(',', '')) - Number(value)) <= Math.max(0.0501, Math.abs(Number(value)) / 200);
        const columns = [5, 8, 9, 11].map((at) => cells.map((line) => line[at]));
        for (const [at, name] of ['actual', 'previous', 'revisedPrevious', 'forecast'].entries())
          expect(expected.filter((row, line) => !reads(columns[at]?.[line], row[name]))).toEqual([]);
        const decimals = columns.flat().flatMap((text) => (text?.includes('.') ? [text.split('.')[1]?.length] : []));
        expect(decimals.length).toBeGreaterThan(2);
        expect(new Set(decimals).size).toBe(1);
        expect(cells.map((line) => line[3])).toEqual(expected.map((row) => row['status']));
        // Moved: against the previous value as it stands after the release.
        const moved = expected.map(({ actual, previous, revisedPrevious }) => {
          const before = revisedPrevious ?? previous;
          return actual === null || before === null ? null : Number((Number(actual) - Number(before)).toPrecision(12));
        });
        expect(moved.filter((value, line) => !reads(cells[line]?.[10], value))).toEqual([]);
        const days = [...new Set(week.map(({ scheduledAt }) => String(scheduledAt).slice(0, 10)))];
        const longDay = (day: string) =>
          new Date(day).toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
        expect(await table(one.page, '2026-08-31').locator('tr.group').allTextContents()).toEqual(
          days.map((day) => longDay(day).replace(',', '')),
        );
        expect(expected.some((row) => row['revisedPrevious'] !== null)).toBe(true);
        isQuiet(one);
      });

      it('has the policy rate before and after a decision of a central bank', async () => {
        const week = await rows(path('2026-08-03', '2026-08-09'));
        const [rate] = await rows('/observations?indicator_id=gb_central_bank_policy_rate&period=2026-08');
        const one = await go('calendar?week=2026-08-03');
        const caption = '2026-08-03 to 2026-08-09';
        const link = table(one.page, caption).locator(`a[href*="${String(rate?.['observationId'])}"]`);
        expect(Number(await link.textContent())).toBe(rate?.['actual']);
        const cells = await cellsOf(one.page, caption);
        const decided = week.flatMap((row, line) => (row['canonicalIndicatorId'] === 'policy_rate' ? [cells[line]] : []));
        expect(decided.length).toBeGreaterThan(3);
        expect(decided.filter((line) => line?.[5] === '–' || line?.[8] === '–')).toEqual([]);
        isQuiet(one);
      });

      it('says which values are of a period that already had another one', async () => {
        const one = await go('calendar?week=2026-08-24');
        const caption = '2026-08-24 to 2026-08-30';
        await table(one.page, caption).getByText('a later print').first().waitFor();
        const expected = await rows(path('2026-08-24', '2026-08-30'));
        const prints = new Map<string, unknown>();
        for (const { indicatorId, observationId } of expected.filter((row) => row['observationId'] !== null)) {
          const found = await rows(`/observations?indicator_id=${String(indicatorId)}&vintage=all&limit=500&observed_from=2026-08-24`);
          prints.set(String(observationId), found.find((row) => row['observationId'] === observationId)?.['revised']);
        }
        const cells = await cellsOf(one.page, caption);
        expect(cells.map((line) => line[4]?.includes('a later print'))).toEqual(
          expected.map((row) => prints.get(String(row['observationId'])) === true),
        );
        isQuiet(one);
      });

      it('moves a week forward and back, by country and importance, and the address follows', async () => {
        const one = await go('calendar?week=2026-08-31');
        const { page } = one;
        await table(page, '2026-08-31').waitFor();
        await page.getByRole('button', { name: 'Next week' }).click();
        await table(page, '2026-09-07 to 2026-09-13').waitFor();
        expect(parameter(page, 'week')).toBe('2026-09-07');
        await page.getByRole('button', { name: 'Previous week' }).click();
        await page.getByRole('button', { name: 'Previous week' }).click();
        await expect.poll(() => parameter(page, 'week')).toBe('2026-08-24');
        await page.getByRole('button', { name: 'Next week' }).click();
        await page.getByLabel('Country').fill('US');
        await page.getByLabel('Country').press('Tab');
        await page.getByLabel('Importance').selectOption('high');
        const expected = await rows(path('2026-08-31', '2026-09-06', '&country=US&importance=high'));
        await expect.poll(async () => (await cellsOf(page, '2026-08-31')).length).toBe(expected.length);
        isQuiet(one);
      });

      it('as of a day has the entries known by then, and no later ones', async () => {
        const [then, now] = [
          await rows(path('2026-08-31', '2026-09-06', '&as_of=2026-09-03')),
          await rows(path('2026-08-31', '2026-09-06')),
        ];
        expect([then.length > 0, then.length < now.length]).toEqual([true, true]);
        const one = await go('calendar?week=2026-08-31&as_of=2026-09-03');
        await table(one.page, 'as known on 2026-09-03').waitFor();
        const cells = await cellsOf(one.page, '2026-08-31');
        expect(cells.map((line) => [line[3], line[5]])).toEqual(
          then.map((row) => [row['status'], row['actual'] === null ? '–' : shown(row['actual'])]),
        );
        await one.page.getByLabel('As of', { exact: true }).fill('2026-08-01');
        await one.page.getByText('No releases in the week of 2026-08-31.').waitFor();
        isQuiet(one);
      });

      it.each([
        ['the next week', '2019-01-02', 'start_date=2019-01-07', 'asc'],
        ['the last week', '2099-06-03', 'end_date=2099-05-31', 'desc'],
      ])('opens at %s with entries if this one has none and the address names none', async (which, today, bound, order) => {
        const one = await run.tab({ key: run.service.keys.full });
        await one.page.clock.setFixedTime(`${today}T12:00:00Z`);
        const [found] = await rows(`/economic-calendar?${bound}&sort=scheduled_at&order=${order}&limit=1`);
        const day = Date.parse(String(found?.['scheduledAt']).slice(0, 10));
        const monday = new Date(day - ((new Date(day).getUTCDay() + 6) % 7) * 86_400_000).toISOString().slice(0, 10);
        await one.page.goto(`${run.service.url}/explore#/calendar`);
        await table(one.page, `${monday} to`).waitFor();
        const empty = which === 'the next week' ? '2018-12-31' : '2099-06-01';
        await one.page.getByText(`No releases in the week of ${empty}. This is ${which} with entries.`).waitFor();
        expect(await one.page.getByLabel('Week of').inputValue()).toBe(monday);
        expect(parameter(one.page, 'week')).toBe(null);
        // A press on a button is a choice of its own.
        await one.page.getByRole('button', { name: 'Previous week' }).click();
        const before = new Date(Date.parse(monday) - 7 * 86_400_000).toISOString().slice(0, 10);
        await expect.poll(() => parameter(one.page, 'week')).toBe(before);
        expect(await one.page.getByText(`No releases in the week of ${empty}.`).count()).toBe(0);
        isQuiet(one);
      });

      it('names the indicator of a release, and links to its series', async () => {
        const one = await go('calendar?week=2026-08-31');
        const [release] = (await rows(path('2026-08-31', '2026-09-06'))).filter(({ indicatorId }) => indicatorId !== null);
        const [newest] = await rows(`/observations/latest?indicator_id=${String(release?.['indicatorId'])}&limit=1`);
        const link = table(one.page, '2026-08-31')
          .locator(`a[href*="indicator_id=${String(release?.['indicatorId'])}&"]`)
          .first();
        await expect.poll(() => link.textContent()).toBe(newest?.['indicatorName']);
        expect(newest?.['indicatorName']).not.toBe(release?.['indicatorId']);
        isQuiet(one);
      });

      it('leads from an empty week to the nearest ones with entries', async () => {
        const one = await go('calendar?week=1990-01-01');
        await one.page.getByText('No releases in the week of 1990-01-01.').waitFor();
        const [first] = await rows('/economic-calendar?start_date=1990-01-08&sort=scheduled_at&order=asc&limit=1');
        await one.page.getByRole('button', { name: 'Next entries' }).click();
        await one.page.locator('main tbody tr').first().waitFor();
        const week = String(parameter(one.page, 'week'));
        const day = String(first?.['scheduledAt']).slice(0, 10);
        expect([week <= day, Date.parse(day) - Date.parse(week) < 7 * 86_400_000]).toEqual([true, true]);
        expect(await one.page.getByRole('button', { name: 'Last entries before' }).count()).toBe(0);
        isQuiet(one);
      });
    });

    describe('data health', () => {
      it('has sources, verdicts, findings by rule and the snapshot of the interface', async () => {
        const one = await go('health?status=all');
        const { page } = one;
        await table(page, 'Findings by rule').waitFor();
        const sources = await rows('/source-health?limit=500');
        const order = ['failing', 'degraded', 'paused', 'healthy', 'unknown'];
        const worstFirst = sources
          .toSorted((a, b) => (String(a['sourceId']) < String(b['sourceId']) ? -1 : 1))
          .toSorted((a, b) => Number(b['seriesStale']) - Number(a['seriesStale']))
          .toSorted((a, b) => order.indexOf(String(a['status'])) - order.indexOf(String(b['status'])));
        const expected = worstFirst.map((row) => [row['sourceId'], row['status']]);
        const idsOf = (buttons: ReturnType<typeof page.locator>) =>
          buttons.evaluateAll((all) => all.map((button) => button.getAttribute('title')));
        const sourceTable = table(page, `${sources.length} sources`);
        const ids = await idsOf(sourceTable.locator('tbody td:first-child button'));
        expect((await cellsOf(page, `${sources.length} sources`)).map(([, status], at) => [ids[at], status])).toEqual(expected);
        expect((await cellsOf(page, `${sources.length} sources`)).map(([name]) => name)).toEqual(worstFirst.map(({ name }) => name));
        const named = (list: string) => page.getByRole('list', { name: list }).getByRole('button').locator('strong').allTextContents();
        const namesOf = (...statuses: readonly string[]) =>
          worstFirst.filter(({ status }) => statuses.includes(String(status))).map(({ name }) => name);
        expect(await named('Sources, worst first')).toEqual(namesOf('failing', 'degraded', 'paused'));
        // The healthy ones are one line, which opens.
        const healthy = namesOf('healthy');
        const line = page.locator('summary', { hasText: `${healthy.length} healthy sources` });
        await line.waitFor();
        expect([healthy.length > 5, await page.getByRole('list', { name: 'Healthy sources' }).isVisible()]).toEqual([true, false]);
        await line.press('Enter');
        expect(await named('Healthy sources')).toEqual(healthy);
        const { seriesStale, seriesFresh } = worstFirst.find(({ sourceId }) => sourceId === 'fred') ?? {};
        await page
          .getByText(`${String(seriesStale)} series are stale, ${String(seriesFresh)} fresh.`)
          .first()
          .waitFor();
        const findings = await rows('/quarantine?limit=500');
        const counted = new Map<string, number>();
        for (const { rule } of findings as readonly { rule: string }[]) counted.set(rule, (counted.get(rule) ?? 0) + 1);
        const rules = await idsOf(table(page, 'Findings by rule').locator('tbody td:first-child button'));
        expect(new Map((await cellsOf(page, 'Findings by rule')).map(([, count], at) => [rules[at], Number(count)]))).toEqual(counted);
        expect((await cellsOf(page, 'Findings by rule')).flat().filter((text) => /\w_\w/.test(text))).toEqual([]);
        const { data } = (await (await run.service.get('/ops/liveness?limit=25')).json()) as {
          data: { summary: { late: number }; series: readonly { indicatorId: string; verdict: string }[] };
        };
        expect(await page.getByRole('button', { name: `late ${data.summary.late}` }).count()).toBe(1);
        // The table has those that need attention, by name.
        const inTrouble = data.series.filter(({ verdict }) => verdict === 'frozen' || verdict === 'late');
        expect(inTrouble.length).toBeGreaterThan(0);
        const shownIds = () =>
          table(page, 'frozen or late')
            .locator('tbody a')
            .evaluateAll((links) => links.map((link) => link.getAttribute('title')));
        expect(await shownIds()).toEqual(inTrouble.map(({ indicatorId }) => indicatorId));
        const [first] = await rows(`/observations/latest?indicator_id=${String(inTrouble[0]?.indicatorId)}`);
        await table(page, 'frozen or late').getByText(String(first?.['indicatorName'])).first().waitFor();
        expect((await cellsOf(page, 'frozen or late')).map(([, , , of]) => of)).toContain('United States');
        const snapshot = (await (await run.service.get('/snapshot')).json()) as { data: { snapshotId: string } };
        expect(await page.locator('dl.facts').last().innerText()).toContain(snapshot.data.snapshotId);
        isQuiet(one);
      });

      it('lists more series on request', async () => {
        const one = await go('health?verdict=live');
        const links = table(one.page, 'live').locator('tbody a');
        await expect.poll(() => links.count()).toBe(25);
        await one.page.getByRole('button', { name: 'Find more' }).click();
        await expect.poll(() => links.count()).toBe(50);
        const { data } = (await (await run.service.get('/ops/liveness?verdict=live&limit=50')).json()) as {
          data: { series: readonly { indicatorId: string }[] };
        };
        expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('title')))).toEqual(
          data.series.map(({ indicatorId }) => indicatorId),
        );
        isQuiet(one);
      });

      it('can be limited to one source and one rule', async () => {
        const one = await go('health?status=all');
        const { page } = one;
        // The findings of all sources stay under their rule, marked as the answer of before, until those of the one are there.
        let goOn = () => {};
        const held = new Promise<void>((resolve) => (goOn = resolve));
        await page.route(/quarantine.*source_id=sec/, async (route) => {
          await held;
          await route.continue();
        });
        const busy = page.locator('.answer[aria-busy="true"]');
        await page.getByText(/^\d+ healthy sources$/).click();
        await page.getByRole('list', { name: 'Healthy sources' }).getByRole('button').and(page.locator('[title="sec"]')).click();
        await page.getByRole('button', { name: 'All sources' }).waitFor();
        await busy.filter({ hasText: 'Findings by rule' }).waitFor();
        goOn();
        await busy.first().waitFor({ state: 'detached' });
        // The chosen one stays in sight, also in a new tab.
        const again = await go(page.url().split('#/')[1] ?? '');
        await again.page.getByRole('list', { name: 'Healthy sources' }).locator('button[aria-pressed="true"]').waitFor();
        expect(await again.page.getByRole('list', { name: 'Healthy sources' }).isVisible()).toBe(true);
        await page.getByRole('button', { name: 'Jump by a factor' }).click();
        await table(page, 'Findings: Jump by a factor').waitFor();
        const expected = await rows('/quarantine?source_id=sec&rule=scale_jump&limit=500');
        const findings = table(page, 'Findings: Jump by a factor');
        const severities = await findings.locator('tbody td:nth-child(5)').allTextContents();
        expect(severities).toEqual(expected.map((row) => row['severity']));
        expect(await findings.locator('tbody .source[title$="(sec)"]').count()).toBe(expected.length);
        await expect.poll(async () => (await findings.innerText()).match(/\bcompany_\d+|\bsec\b/g)).toBe(null);
        isQuiet(one);
      });

      it('shows a key without the scope what it lacks, and all the rest', async () => {
        const one = await go('health', { key: run.service.keys.data });
        await one.page.locator('.fault[data-code="forbidden"]').first().waitFor();
        await one.page.waitForLoadState('networkidle');
        const status = async (path: string) => (await run.service.get(path, { key: 'data' })).status;
        const paths = ['/snapshot', '/source-health', '/ops/liveness', '/quarantine'];
        const refused = (await Promise.all(paths.map(status))).filter((found) => found === 403).length;
        expect(await one.page.locator('.fault[data-code="forbidden"]').count()).toBe(refused);
        expect(refused).toBeGreaterThan(0);
        isQuiet(one);
      });
    });
  },
);
