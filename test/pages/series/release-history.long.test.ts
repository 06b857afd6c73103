// The release history of a period in a browser: all of it is in sight, and under a transform it says what the chart says.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ListBody } from '../../service.ts';
import { inChromium, NO_CHROMIUM, type VisitOptions } from '../chromium.ts';

const OWN = 'indicator_id=us_nonfarm_payrolls&source_id=fred_md';
const APRIL = `#/series?${OWN}&entity=us&frequency=monthly&period_end=2020-04-30`;

describe.skipIf(NO_CHROMIUM !== null)(`the release history${NO_CHROMIUM === null ? '' : ` (skipped: ${NO_CHROMIUM})`}`, () => {
  const run = inChromium();
  const go = async (path: string, options: VisitOptions = {}) => {
    const { page } = await run.open(`/explore${path}`, { key: run.service.keys.full, ...options });
    await page.getByRole('heading', { name: /^Release history/ }).waitFor();
    await table(page).waitFor();
    await page.waitForLoadState('networkidle');
    return page;
  };
  const table = (page: Page) => page.getByRole('region', { name: 'Prints of a period' }).locator('table');
  const rowsOf = async (page: Page) =>
    Promise.all((await table(page).locator('tbody tr').all()).map((row) => row.locator('td').allTextContents()));
  const valueIn = async (period: string, asOf: string) =>
    Number(((await (await run.service.get(`/observations?${OWN}&period=${period}&as_of=${asOf}`)).json()) as ListBody).data[0]?.['actual']);

  it.each([
    [1360, ''],
    [1360, '&transform=percent'],
    [1360, '&transform=index&range=all'],
    [1120, '&transform=year'],
    [760, '&transform=change'],
  ])('has its last column in sight at %d px (%s)', async (width, more) => {
    const page = await go(`${APRIL}${more}`, { width });
    const link = table(page).getByRole('link', { name: 'provenance' }).first();
    const box = (await link.boundingBox()) ?? { x: Infinity, width: 0 };
    const scroll = await page.evaluate<readonly [number, number, number]>(
      `(() => { const region = document.querySelector('section[aria-label="Prints of a period"] .scroll'); return [region.scrollWidth, region.clientWidth, region.getBoundingClientRect().right]; })()`,
    );
    expect([width, more, scroll[0] <= scroll[1]]).toEqual([width, more, true]);
    expect(box.x + box.width).toBeLessThanOrEqual(scroll[2]);
    expect(scroll[2]).toBeLessThanOrEqual(width);
  });

  it('is of the day that you type, in as many years as have it', async () => {
    const page = await go(`#/series?${OWN}&entity=us&frequency=monthly&transform=change&range=3`);
    await page.getByLabel('Period ends').fill('2020-04-30');
    await page.getByRole('heading', { name: 'Release history, 2020-04' }).waitFor();
    await page.getByRole('button', { name: 'All', exact: true, pressed: true }).waitFor();
    // Within the month the same period is meant.
    await page.getByLabel('Period ends').fill('2020-05-10');
    await page.getByRole('heading', { name: 'Release history, 2020-05' }).waitFor();
    await page.getByRole('button', { name: '3 years' }).click();
    await page.getByRole('button', { name: '3 years', pressed: true }).waitFor();
    expect(page.url()).not.toContain('period_end');
  });

  it('is one card for each print on a phone, all of it in sight', async () => {
    const page = await go(`${APRIL}&transform=percent`, { width: 390 });
    const card = table(page).locator('tbody tr').first();
    const inPage = (what: string) =>
      page.evaluate<unknown>(
        `(() => { const row = document.querySelector('section[aria-label="Prints of a period"] tbody tr'); return ${what}; })()`,
      );
    expect(await inPage('getComputedStyle(row).display')).toBe('grid');
    const cells = card.locator('td');
    expect(await cells.count()).toBe(6);
    for (const cell of await cells.all()) {
      const { x, width } = (await cell.boundingBox()) ?? { x: Infinity, width: 0 };
      expect(x >= 0 && x + width <= 390).toBe(true);
    }
    expect(await inPage('[...row.cells].map((cell) => cell.dataset.label)')).toEqual([
      'Known from',
      'Vintage',
      '% change',
      'Revised by',
      'Level',
      'From',
    ]);
  });

  it('has first what the chart shows, from values known at the same moment, and the level beside it', async () => {
    const page = await go(`${APRIL}&transform=change&as_of=2020-06-30`);
    const [first, second] = await rowsOf(page);
    const changeOn = async (day: string) => (await valueIn('2020-04', day)) - (await valueIn('2020-03', day));
    const [may, june] = [await changeOn('2020-05-31'), await changeOn('2020-06-30')];
    expect([first?.[2], first?.[4]]).toEqual([may.toLocaleString('en'), (await valueIn('2020-04', '2020-05-31')).toLocaleString('en')]);
    expect([second?.[2], second?.[4]]).toEqual([june.toLocaleString('en'), (await valueIn('2020-04', '2020-06-30')).toLocaleString('en')]);
    // The revision is that of the change, as the chart has it.
    expect([first?.[3], second?.[3]]).toEqual(['–', (june - may).toLocaleString('en')]);
    expect(await table(page).locator('caption').innerText()).toContain('Change from 2020-03');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('region', { name: 'Prints of a period' }).getByRole('button', { name: 'CSV' }).click(),
    ]);
    const [head, line] = (await readFile(await file.path(), 'utf8')).split('\r\n');
    expect(head).toBe('observedAt,vintage,transformed,revisedBy,actual,observationId');
    expect(line?.split(',').slice(1, 5)).toEqual(['2020-05-31', String(may), '', String(await valueIn('2020-04', '2020-05-31'))]);
  });

  it('ends with the value of the chart, also where only the period before was revised since', async () => {
    const page = await go(`${APRIL}&transform=percent&range=all`);
    const shown = await rowsOf(page);
    const newest = shown.at(-1)?.[2] ?? '';
    const plot = page.locator('.chart .u-over').first();
    const box = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    let told = '';
    for (let x = 1; x < box.width && !told.startsWith('2020-04'); x += 2) {
      await page.mouse.move(box.x + x, box.y + box.height / 2);
      told = await page.locator('.chart .tip').first().innerText();
    }
    const inChart = Number(/latest: (\S+) %/.exec(told)?.[1]);
    expect(Math.abs(Number(newest) - inChart)).toBeLessThan(0.005 * Math.abs(inChart));
    // Where April was not printed, the row says which period was.
    for (const row of shown) expect(row.at(-1)).toMatch(/^(?:provenance|– \(2020-03 revised\))$/);
  });

  it('has the levels alone where the chart has the revisions of levels', async () => {
    const page = await go(`${APRIL}&transform=percent&mode=revision`);
    expect(await table(page).locator('thead th').allTextContents()).toEqual(['Known from', 'Vintage', 'Value', 'Revised by', 'From']);
  });
});
