// Ordinary use of the pages asks for nothing that the service has not: each error would stand in the console of the browser.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inChromium, NO_CHROMIUM } from './chromium.ts';

describe.skipIf(NO_CHROMIUM !== null)(`the console${NO_CHROMIUM === null ? '' : ` (skipped: ${NO_CHROMIUM})`}`, () => {
  const run = inChromium();

  async function open(path: string, key: 'full' | 'data' = 'full') {
    const { page } = await run.tab({ key: run.service.keys[key] });
    const failed: string[] = [];
    page.on('response', (response) => response.status() >= 400 && failed.push(`${response.status()} ${response.url()}`));
    await page.goto(run.service.url + path);
    await page.waitForLoadState('networkidle');
    return { page, failed };
  }
  const asOf = async (page: Page, day: string) => {
    await page.getByLabel('As of', { exact: true }).fill(day);
    await page.waitForTimeout(500);
    await page.waitForLoadState('networkidle');
  };

  it('is silent while the slider of a series moves between vintages', async () => {
    const { page, failed } = await open('/explore#/series?indicator_id=us_nonfarm_payrolls&source_id=fred_md');
    const slider = page.getByRole('slider', { name: 'Known on' });
    for (const vintage of ['0', '3', '12', '2', '18']) {
      await slider.fill(vintage);
      await page.waitForTimeout(300);
      await page.waitForLoadState('networkidle');
    }
    expect(failed).toEqual([]);
  });

  it.each([
    '/explore#/search',
    '/explore#/search?kind=companies',
    '/explore#/search?kind=contracts',
    '/explore#/series',
    '/explore#/provenance',
    '/explore#/series?indicator_id=company_9999999001_earnings_yield&source_id=quotes',
  ])('is silent if you set an as-of on %s, before the first value too', async (path) => {
    const { page, failed } = await open(path);
    for (const day of ['2020-05-15', '2016-01-01', '1990-01-01']) await asOf(page, day);
    expect(failed).toEqual([]);
  });

  it('is silent on the start page for a key that may not see the state of the sources', async () => {
    const { page, failed } = await open('/', 'data');
    await page.getByRole('heading', { name: 'Revised this week' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(failed).toEqual([]);
    expect(await page.getByRole('region', { name: 'Freshness' }).count()).toBe(0);
    // A key that may does.
    const other = await open('/');
    await other.page.getByRole('region', { name: 'Freshness' }).waitFor();
    expect(other.failed).toEqual([]);
  });

  it('is silent because a company that was not known then has its name of now', async () => {
    const { page } = await open('/explore#/series?indicator_id=company_9999999001_earnings_yield&source_id=quotes&as_of=2016-01-01');
    await expect.poll(() => page.locator('h1').innerText()).toMatch(/, Sample /);
  });
});
