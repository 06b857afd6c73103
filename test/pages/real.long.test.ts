// The pages over a lake of publishers' own payloads, where they are: the vintages of real series, whole.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPipeline, type Pipeline, REAL_DATA } from '../pipeline.ts';
import { type ListBody, type RunningService, startService } from '../service.ts';
import { launch, NO_CHROMIUM, type Visit, visit } from './chromium.ts';

const READ =
  /^(?:sec\/.*CIK0000320193\.json|sec\/.*tickers.*\.json|alfred-realtime\/.*|fred-api\/.*|fred-md\/20(?:16-\d\d|20-04)\.csv|cftc\/tff_futonly\/.*2023.*)$/;
const ABSENT = existsSync(REAL_DATA) ? null : `there are no real payloads at ${REAL_DATA}`;
const SKIPPED = NO_CHROMIUM ?? ABSENT;

describe.skipIf(SKIPPED !== null)(`the pages over real payloads${SKIPPED === null ? '' : ` (skipped: ${SKIPPED})`}`, () => {
  let pipeline: Pipeline;
  let service: RunningService;
  let browser: Browser;
  beforeAll(async () => {
    pipeline = await openPipeline();
    const paths = readdirSync(REAL_DATA, { recursive: true, encoding: 'utf8' }).filter((path) => READ.test(path));
    await pipeline.run(
      Object.fromEntries(paths.map((path) => [path, new Uint8Array(readFileSync(join(REAL_DATA, path)))])),
      '2026-11-20T10:00:00.000Z',
    );
    service = await startService(pipeline.dataDir, { now: Date.parse('2026-11-21T00:00:00Z') });
    browser = await launch();
  }, 1_200_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await pipeline?.remove();
  });

  const rows = async (path: string) => ((await (await service.get(path)).json()) as ListBody).data;
  const SERIES = ['us_nonfarm_payrolls', 'us_gdp', 'us_industrial_production', 'us_cpi'];

  it('render without errors, with the values of the interface', async () => {
    const known = (await rows(`/indicators/series?indicator_id=${SERIES.join(',')}&limit=100`)).filter(
      (row) => Number(row['vintageCount']) > 100,
    );
    process.stdout.write(
      `${JSON.stringify(known.map(({ indicatorId, sourceId, vintageCount }) => [indicatorId, sourceId, vintageCount]))}\n`,
    );
    expect(known.length).toBeGreaterThan(1);
    const [newest] = await rows(
      `/observations/latest?indicator_id=${String(known[0]?.['indicatorId'])}&source_id=${String(known[0]?.['sourceId'])}`,
    );
    const series = known.map(
      (row) =>
        `#/series?indicator_id=${String(row['indicatorId'])}&source_id=${String(row['sourceId'])}&entity=${String(row['entityId'])}&frequency=${String(row['frequency'])}`,
    );
    const views = [
      ...series,
      ...series.map((one) => `${one}&mode=revision&until=all`),
      ...series.map((one) => `${one}&as_of=2016-06-30&range=all`),
    ];
    const others = [
      '#/search?q=us',
      '#/search?kind=companies&q=apple',
      '#/search?kind=contracts',
      '#/search?kind=entities',
      `#/provenance?id=${String(newest?.['observationId'])}`,
      '#/screener?universe=companies&filter=revenue:gt:1000000000&columns=revenue,net_income&eligible_only=false',
      '#/company?id=company_0000320193',
      '#/company?id=company_0000320193&as_of=2016-06-30&statement=balance_sheet&basis=as_reported',
      '#/cot',
      '#/cot?entity=cftc_13874a',
      '#/calendar?week=2016-06-27',
      '#/health?status=all',
    ];
    for (const path of [...views, ...others]) {
      const one = await visit(browser, service.url, { key: service.keys.full });
      await one.page.goto(`${service.url}/explore${path}`);
      await one.page
        .locator(
          /series|cot\?/.test(path)
            ? '.chart canvas'
            : path.includes('provenance')
              ? 'ol.chain'
              : path.includes('health')
                ? '.tiles li'
                : /calendar|cot/.test(path)
                  ? '.table, .note'
                  : 'tbody tr',
        )
        .first()
        .waitFor();
      await one.page.waitForLoadState('networkidle');
      const said = path.includes('provenance') ? Number(newest?.['actual']).toLocaleString('en', { maximumSignificantDigits: 12 }) : '';
      expect(await one.page.locator('main').innerText()).toContain(said);
      expect([path, await one.page.locator('.fault').allTextContents(), one.complaints, one.leaks]).toEqual([path, [], [], []]);
      await one.close();
    }
  });

  it('of a company whose prices may not be shown have one notice, with the command that opens them', async () => {
    const one = await visit(browser, service.url, { key: service.keys.full });
    await one.page.goto(`${service.url}/explore#/company?id=company_0000320193`);
    await one.page.getByText('No splits: they come with prices, which are left out here.').waitFor();
    await one.page.getByText('No history: it needs prices, which are left out here.').waitFor();
    await one.page.waitForLoadState('networkidle');
    expect((await one.page.locator('main').innerText()).match(/npm run rights -- grant quotes/g)?.length).toBe(1);
    // No payload of prices was read here, so no link leads to them.
    expect(await one.page.getByText('The prices themselves are among').count()).toBe(0);
    await one.close();
  });

  describe('show in numbers', () => {
    const PAYROLLS = 'indicator_id=us_nonfarm_payrolls&source_id=fred_md&entity=us&frequency=monthly';
    const open = async (path: string) => {
      const one = await visit(browser, service.url, { key: service.keys.full });
      one.page.setDefaultTimeout(60_000);
      await one.page.goto(`${service.url}${path}`);
      return one;
    };
    const isQuiet = async (one: Visit) => {
      await one.page.waitForLoadState('networkidle');
      expect([await one.page.locator('.fault').allTextContents(), one.complaints, one.leaks]).toEqual([[], [], []]);
      await one.close();
    };
    /** February 2016 as known on a day. */
    const rowOf = async (asOf: string) => {
      const found = await rows(`/observations?${PAYROLLS}&as_of=${asOf}&start_date=2016-02-01&end_date=2016-02-29`);
      return found.find(({ period }) => period === '2016-02')?.['actual'];
    };

    it('a home page with charts, and links that lead to rows', async () => {
      const one = await open('/');
      await one.page.locator('.chart canvas').first().waitFor();
      expect(await one.page.getByText('every number here is invented').count()).toBe(0);
      await isQuiet(one);
    });

    it('two vintages of payrolls: February 2016 as it was known in March and in June of that year', async () => {
      const one = await open(`/explore#/series?${PAYROLLS}&mode=compare&a=2016-03-31&b=2016-06-30&range=all`);
      const [then, later] = [await rowOf('2016-03-31'), await rowOf('2016-06-30')];
      // By hand, from the files of March and June: PAYEMS of 2/1/2016.
      expect([then, later]).toEqual([143560, 143547]);
      const line = one.page.locator('main tbody tr', { hasText: '2016-02' }).first();
      await line.waitFor();
      for (const value of [then, later]) expect(await line.innerText()).toContain(Number(value).toLocaleString('en'));
      await isQuiet(one);
    });

    it('one series over another, which the page names', async () => {
      const one = await open(`/explore#/series?${PAYROLLS}&over=us_industrial_production~fred_md~us~monthly`);
      await one.page.locator('.chart canvas').first().waitFor();
      await expect.poll(() => one.page.locator('main').innerText()).toMatch(/Over it: .*Industrial Production/i);
      await isQuiet(one);
    });

    it('what was released and revised in a month, and what was revised most in a year', async () => {
      const today = await open('/explore#/today?as_of=2016-06-30&days=30&importance=any');
      await today.page.locator('main tbody tr').first().waitFor();
      expect(await today.page.locator('main tbody tr').count()).toBeGreaterThan(5);
      await isQuiet(today);
      const most = await open('/explore#/revisions?as_of=2016-12-31&days=365&importance=any');
      await most.page.locator('main tbody tr').first().waitFor();
      expect(await most.page.locator('main tbody tr').count()).toBeGreaterThan(5);
      await isQuiet(most);
    });

    it('an indicator by country, with the newest value of each', async () => {
      const all = await rows('/observations/latest?indicator_id=us_nonfarm_payrolls');
      // The first of its preferred sources that has it.
      const row = all.find(({ sourceId }) => sourceId === 'fred');
      const one = await open('/explore#/indicator?id=nonfarm_payrolls');
      await one.page.locator('main tbody tr').first().waitFor();
      expect(await one.page.locator('main tbody tr').first().innerText()).toContain(Number(row?.['actual']).toLocaleString('en'));
      await isQuiet(one);
    });
  });
});
