// Statements of real filers, compared by hand with their filings and press releases. Amounts in millions of dollars.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FinancialStatement } from '../../../src/model/company.ts';
import { Event } from '../../../src/model/event.ts';
import { QuarantineRecord } from '../../../src/model/operations.ts';
import { REAL_DATA } from '../../pipeline.ts';
import { type FixtureService, startFixtureService } from '../../routes/fixture-service.ts';

const FILERS = {
  AMD: '0000002488',
  KMB: '0000055785',
  PG: '0000080424',
  AAPL: '0000320193',
  NVDA: '0001045810',
  GOOGL: '0001652044',
  LPA: '0001997711',
} as const;
type Filer = keyof typeof FILERS;

describe.skipIf(!existsSync(REAL_DATA))('statements of real filers', () => {
  let service: FixtureService;
  beforeAll(async () => {
    const paths = Object.values(FILERS).flatMap((cik) => [`sec/companyfacts/CIK${cik}.json`, `sec/submissions/CIK${cik}.json`]);
    const files = paths
      .filter((path) => existsSync(join(REAL_DATA, path)))
      .map((path) => [path, readFileSync(join(REAL_DATA, path))] as const);
    service = await startFixtureService([{ files: Object.fromEntries(files), at: '2026-11-20T10:00:00.000Z' }], '2026-11-21T10:00:00.000Z');
  });
  afterAll(() => service?.stop());

  const statements = async (filer: Filer, query: string) =>
    z.array(FinancialStatement).parse((await service.list(`/companies/${FILERS[filer]}/financials?limit=500&${query}`)).data);
  async function figure(filer: Filer, query: string, periodEnd: string, key: string): Promise<number | null> {
    const found = (await statements(filer, query)).find((one) => one.periodEnd === periodEnd);
    const value = found?.items[key];
    return value === undefined || value === null ? null : value / 1e6;
  }

  it.each([
    ['AAPL', 'annual', '2024-09-28', 391_035, 93_736],
    ['AAPL', 'quarterly', '2024-09-28', 94_930, 14_736],
    ['AAPL', 'ttm', '2024-12-28', 395_760, 96_150],
    ['NVDA', 'annual', '2025-01-26', 130_497, 72_880],
    ['NVDA', 'quarterly', '2025-01-26', 39_331, 22_091],
    ['AMD', 'quarterly', '2024-12-28', 7658, 482],
    ['PG', 'quarterly', '2025-06-30', 20_889, 3615],
    ['PG', 'ttm', '2025-03-31', 83_927, 15_496],
  ] as const)('have revenue and net income of %s, %s to %s', async (filer, period, end, revenue, netIncome) => {
    const query = `statement=income&period=${period}`;
    expect([await figure(filer, query, end, 'revenue'), await figure(filer, query, end, 'netIncome')]).toEqual([revenue, netIncome]);
  });

  it.each(['AAPL', 'NVDA', 'AMD', 'PG', 'GOOGL'] as const)(
    'list each 8-K of %s with item 2.02 as an event at its acceptance',
    async (filer) => {
      const { recent } = z
        .object({
          filings: z.object({
            recent: z.object({ form: z.array(z.string()), items: z.array(z.string()), acceptanceDateTime: z.array(z.string()) }),
          }),
        })
        .parse(JSON.parse(readFileSync(join(REAL_DATA, `sec/submissions/CIK${FILERS[filer]}.json`), 'utf8'))).filings;
      const filed = recent.form.flatMap((form, row) =>
        form === '8-K' && recent.items[row]?.includes('2.02') === true ? [recent.acceptanceDateTime[row] ?? ''] : [],
      );
      expect(filed.length).toBeGreaterThan(10);
      const { data } = await service.list(`/events?entity=company_${FILERS[filer]}&event_type=filing&limit=500`);
      const hours = new Set(
        z
          .array(Event)
          .parse(data)
          .map(({ occurredAt }) => occurredAt),
      );
      // The file of NVIDIA writes the clock of New York, which is four or five hours behind.
      const behind = filer === 'NVDA' ? [4, 5] : [0];
      const utc = (written: string) => behind.map((by) => new Date(Date.parse(written) + by * 3_600_000).toISOString());
      expect(filed.filter((written) => !utc(written).some((hour) => hours.has(hour)))).toEqual([]);
    },
  );

  it.each([
    ['AAPL', '2026-01-29T21:30:33.000Z', 'Earnings of Q1 of fiscal 2026'],
    ['NVDA', '2026-02-25T21:31:25.000Z', 'Earnings of Q4 of fiscal 2026'],
    ['AMD', '2026-02-03T21:16:18.000Z', 'Earnings of Q4 of fiscal 2025'],
    ['PG', '2026-04-24T11:01:47.000Z', 'Earnings of Q3 of fiscal 2026'],
  ] as const)('name the quarter of the news of %s at %s', async (filer, at, summary) => {
    const { data } = await service.list(`/events?entity=company_${FILERS[filer]}&event_type=filing&limit=500`);
    expect(
      z
        .array(Event)
        .parse(data)
        .find(({ occurredAt }) => occurredAt === at)
        ?.summary?.split(' (')[0],
    ).toBe(summary);
  });

  it('have quarters of cash flow, which are filed only for the year to date', async () => {
    const query = 'statement=cash_flow&period=quarterly&fiscal_year=2024&sort=period_end&order=asc';
    const quarters = await statements('AAPL', query);
    expect(quarters.map((one) => [one.fiscalPeriod, one.derivation, (one.items['operatingCashFlow'] ?? 0) / 1e6])).toEqual([
      ['Q1', 'none', 39_895],
      ['Q2', 'ytd_difference', 22_690],
      ['Q3', 'ytd_difference', 28_858],
      ['Q4', 'fy_minus_9m', 26_811],
    ]);
  });

  it.each([
    // The nine months of 2009 in the report on them, 7,049, and in that of a year later, beside which the half was stated in April 2010: 4,779.
    ['AAPL', '2009-06-27', '2010-07-21', 7049 - 4779],
    // The half of 2010, -75, and the first quarter, 23, which the report on 2011's states alone.
    ['AMD', '2010-06-26', '2011-08-10', -75 - 23],
    ['KMB', '2009-06-30', '2010-08-09', 1689 - 692],
    ['NVDA', '2009-10-25', '2010-12-07', 418.562 - 277.245],
  ] as const)('have the quarter of %s to %s of a first year, once its inputs were stated together', async (filer, end, from, cash) => {
    const query = 'statement=cash_flow&period=quarterly&as_of=';
    expect(await figure(filer, `${query}${from}`, end, 'operatingCashFlow')).toBeCloseTo(cash, 3);
    const dayBefore = new Date(Date.parse(from) - 86_400_000).toISOString().slice(0, 10);
    expect(await figure(filer, `${query}${dayBefore}`, end, 'operatingCashFlow')).toBeNull();
  });

  it.each([
    ['AAPL', '2023-09-30', 2023],
    ['AAPL', '2017-09-30', 2017],
    ['NVDA', '2025-01-26', 2025],
    ['NVDA', '2016-01-31', 2016],
    ['AMD', '2016-12-31', 2016],
    ['AMD', '2020-12-26', 2020],
    ['PG', '2025-06-30', 2025],
  ] as const)('place the year of %s that ended on %s in %d, of 52 or 53 weeks', async (filer, end, year) => {
    const annual = await statements(filer, 'statement=income&period=annual');
    expect(annual.filter((one) => one.periodEnd === end).map((one) => [one.fiscalYear, one.fiscalPeriod])).toEqual([[year, 'FY']]);
  });

  it('number quarters within the fiscal year, whichever month it ends in', async () => {
    const ends = async (filer: Filer, year: number) =>
      (await statements(filer, `statement=income&period=quarterly&fiscal_year=${year}&sort=period_end&order=asc`)).map(
        (one) => `${one.fiscalPeriod} ${one.periodEnd}`,
      );
    expect(await ends('NVDA', 2025)).toEqual(['Q1 2024-04-28', 'Q2 2024-07-28', 'Q3 2024-10-27', 'Q4 2025-01-26']);
    expect(await ends('AAPL', 2024)).toEqual(['Q1 2023-12-30', 'Q2 2024-03-30', 'Q3 2024-06-29', 'Q4 2024-09-28']);
  });

  it('know the annual report from its acceptance, to the second', async () => {
    const asOf = (time: string) => figure('AAPL', `statement=income&period=ttm&as_of=${time}`, '2024-09-28', 'netIncome');
    expect(await asOf('2024-11-01T10:01:35Z')).toBeNull();
    expect(await asOf('2024-11-01T10:01:36Z')).toBe(93_736);
  });

  it('show the restated year after the sale of a business, and the year as first reported', async () => {
    // Kimberly-Clark sold its tissue business outside North America: 20,058 became 16,805 in the report on 2025.
    expect(await figure('KMB', 'statement=income&period=annual', '2024-12-31', 'revenue')).toBe(16_805);
    expect(await figure('KMB', 'statement=income&period=annual&basis=as_reported', '2024-12-31', 'revenue')).toBe(20_058);
    expect(await figure('KMB', 'statement=income&period=annual&as_of=2025-12-31', '2024-12-31', 'revenue')).toBe(20_058);
  });

  it.each([
    // Read by eye in the payloads: each filing that states the figure, the newest last.
    ['GOOGL', 'cash_flow', '2016-06-30', 'capitalExpenditure', 2136, 2123],
    ['AMD', 'balance_sheet', '2015-12-26', 'stockholdersEquity', -350, -412],
    ['KMB', 'balance_sheet', '2017-12-31', 'stockholdersEquity', 882, 629],
  ] as const)('use for %s, %s of %s, the newest filing that states the %s', async (filer, statement, end, key, newest, first) => {
    const query = `statement=${statement}&period=quarterly`;
    expect(await figure(filer, query, end, key)).toBe(newest);
    expect(await figure(filer, `${query}&basis=as_reported`, end, key)).toBe(first);
    const [row] = (await statements(filer, query)).filter((one) => one.periodEnd === end);
    expect([row?.restated, row?.revisionStatus, row?.splitFactor]).toEqual([true, 'revised', 1]);
    // Of the lines the newest filing is the one of the row.
    const accessions = row?.lines.flatMap((line) => line.factRefs.map((ref) => ref.slice(0, 20))) ?? [];
    expect(accessions).toContain(row?.accessionNumber);
  });

  it.each([
    // 9.21 before the split of four for one; ten and four for one of NVIDIA.
    ['AAPL', '2017-09-30', '', 4, 9.21 / 4, 4 * 5_251_692_000],
    ['AAPL', '2018-09-29', '', 1, 2.98, 20_000_435_000],
    ['AAPL', '2017-09-30', '&as_of=2020-08-30', 1, 9.21, 5_251_692_000],
    ['AAPL', '2017-09-30', '&as_of=2020-08-31', 4, 9.21 / 4, 4 * 5_251_692_000],
    ['NVDA', '2022-01-30', '', 10, 0.385, 25_350_000_000],
    ['NVDA', '2023-01-29', '', 1, 0.17, 25_070_000_000],
  ] as const)('state %s of %s%s in the shares of the moment, by a factor of %d', async (filer, end, asOf, factor, eps, shares) => {
    const [row] = (await statements(filer, `statement=income&period=annual${asOf}`)).filter((one) => one.periodEnd === end);
    expect([row?.splitFactor, row?.items['epsDiluted'], row?.items['weightedSharesDiluted'], row?.restated]).toEqual([
      factor,
      eps,
      shares,
      false,
    ]);
  });

  it('exclude twelve months that mix a business with and without a part of it', async () => {
    expect(await figure('KMB', 'statement=income&period=ttm&as_of=2025-12-31', '2025-06-30', 'revenue')).toBeNull();
    const found = z
      .array(QuarantineRecord)
      .parse((await service.list(`/quarantine?rule=reconciliation_failed&entity_id=company_${FILERS.KMB}&limit=500`)).data);
    expect(found.filter((one) => one.period === '2025-06-30' && one.fieldPath === 'income.revenue')).toMatchObject([
      { severity: 'block', observedValue: '19718000000.0', expected: { sumOfQuarters: 18_883_000_000 } },
    ]);
    // What held before the sale stays.
    expect(await figure('KMB', 'statement=income&period=ttm', '2024-06-30', 'revenue')).toBe(
      await figure('KMB', 'statement=income&period=ttm&as_of=2024-12-31', '2024-06-30', 'revenue'),
    );
  });

  it('never subtract a restated year from earlier quarters', async () => {
    // Each quarter of Procter & Gamble since 2010 brought in between 15 and 25 billion.
    const quarters = (await statements('PG', 'statement=income&period=quarterly')).flatMap((one) => one.items['revenue'] ?? []);
    expect(quarters.length).toBeGreaterThan(60);
    expect(quarters.filter((revenue) => revenue < 14e9 || revenue > 25e9)).toEqual([]);
  });

  it('have the figures of a filer under IFRS', async () => {
    const query = (statement: string) => `statement=${statement}&period=annual`;
    expect(await figure('LPA', query('income'), '2024-12-31', 'revenue')).toBe(43.862372);
    expect(await figure('LPA', query('income'), '2024-12-31', 'netIncome')).toBe(-29.285428);
    expect(await figure('LPA', query('balance_sheet'), '2024-12-31', 'totalAssets')).toBe(607.019578);
    expect(await figure('LPA', query('balance_sheet'), '2023-12-31', 'stockholdersEquity')).toBe(222.326402);
  });
});
