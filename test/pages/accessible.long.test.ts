// Every page and view held against WCAG 2.1, A and AA (names, roles, contrast …), by axe in a browser, light and dark, wide and narrow.
import axe, { type AxeResults } from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningService, sampleDataDir, startService } from '../service.ts';
import { launch, NO_CHROMIUM, visit } from './chromium.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];

describe.skipIf(NO_CHROMIUM !== null)(
  `accessibility of the pages${NO_CHROMIUM === null ? '' : ` (skipped: ${NO_CHROMIUM})`}`,
  { timeout: 120_000 },
  () => {
    let service: RunningService;
    let browser: Browser;
    let observationId: string;
    beforeAll(async () => {
      service = await startService(await sampleDataDir(), { isOwnFolder: true });
      browser = await launch();
      const { data } = (await (await service.get('/observations?indicator_id=us_nonfarm_payrolls&limit=1')).json()) as {
        readonly data: readonly { readonly observationId: string }[];
      };
      observationId = data[0]?.observationId ?? '';
    });
    afterAll(async () => {
      await browser?.close();
      await service?.stop();
    });

    it.each(['light', 'dark'] as const)('the reference has enough contrast in %s, an open route too', async (scheme) => {
      const { page, close } = await visit(browser, service.url, { scheme, width: 1280 });
      page.setDefaultTimeout(60_000);
      await page.goto(`${service.url}/docs/api`);
      const routes = page.locator('.opblock-summary-control');
      for (const at of [1, 8]) await routes.nth(at).click();
      await page.locator('.microlight').nth(1).waitFor();
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate<AxeResults>(`axe.run(document, { runOnly: ['color-contrast'] })`);
      expect(violations.flatMap(({ nodes }) => nodes.map(({ html }) => html))).toEqual([]);
      await close();
    });

    it.each([
      '/',
      '/docs',
      '/docs/api',
      '/docs/use/guides/screener',
      '/pages/not-found.html',
      // An empty key signs out.
      '/explore#key=&to=/search',
      '/explore#/search?q=payrolls',
      '/explore#/indicator?id=consumer_confidence&entity=de&sort=-actual',
      '/explore#/series?indicator_id=us_nonfarm_payrolls',
      '/explore#/series?indicator_id=us_nonfarm_payrolls&mode=revision',
      '/explore#/series?indicator_id=us_nonfarm_payrolls&mode=compare&transform=year',
      '/explore#/series?indicator_id=us_housing_starts&over=us_unemployment_rate~fred_md~us~monthly&as_of=2020-08-31',
      '/explore#/provenance?id=OBSERVATION',
      '/explore#/screener?filter=unemployment_rate:gt:0',
      '/explore#/company?id=company_9999999001',
      '/explore#/cot',
      '/explore#/calendar?week=2026-08-31',
      '/explore#/revisions?as_of=2026-10-31&days=365',
      '/explore#/health',
      '/explore#/series?indicator_id=nothing_at_all',
    ])('%s has no finding of axe', async (path) => {
      for (const look of [
        { scheme: 'light', width: 1280 },
        { scheme: 'dark', width: 400 },
      ] as const) {
        const { page, close } = await visit(browser, service.url, { key: service.keys.full, ...look });
        page.setDefaultTimeout(60_000);
        await page.goto(service.url + path.replace('OBSERVATION', observationId));
        await page.locator('h1').first().waitFor();
        await page.waitForLoadState('networkidle');
        await page.evaluate(axe.source);
        // Swagger UI draws the reference by itself.
        const { violations, passes } = await page.evaluate<AxeResults>(
          `axe.run({ exclude: [['.swagger-ui']] }, { runOnly: ${JSON.stringify(RULES)} })`,
        );
        const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
        expect([look.scheme, found]).toEqual([look.scheme, []]);
        expect(passes.map(({ id }) => id)).toContain('color-contrast');
        await close();
      }
    });
  },
);
