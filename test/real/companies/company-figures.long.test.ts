// Screens of two companies by the figures of their real filings, beside what a small reader of its own finds in the files of EDGAR.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ScreenField, ScreenRow } from '../../../src/model/screener.ts';
import { openPipeline, type Pipeline, REAL_DATA } from '../../pipeline.ts';
import { type ListBody, type RunningService, startService } from '../../service.ts';

const NOW = '2026-11-01T00:00:00.000Z';
const FILERS = { AAPL: { cik: '0000320193' }, NVDA: { cik: '0001045810' } } as const;
/** What NVIDIA tags now the one way and now the other; of Apple since 2018 the one alone. */
const REVENUE = ['Revenues', 'RevenueFromContractWithCustomerExcludingAssessedTax'];
type Ticker = keyof typeof FILERS;

const Said = z.object({ start: z.string().optional(), end: z.string(), val: z.number(), filed: z.string(), form: z.string() });
type Said = z.infer<typeof Said>;
const Facts = z.object({ facts: z.object({ 'us-gaap': z.record(z.string(), z.object({ units: z.record(z.string(), z.array(Said)) })) }) });
const days = ({ start, end }: Said) => (Date.parse(end) - Date.parse(start ?? end)) / 86_400_000;
const isNear = (one: string, other: string, back = 0) => Math.abs((Date.parse(one) - Date.parse(other)) / 86_400_000 - 365.25 * back) < 11;

const kept = new Map<Ticker, z.infer<typeof Facts>>();
function factsOf(ticker: Ticker): z.infer<typeof Facts> {
  const read = () => JSON.parse(readFileSync(join(REAL_DATA, `sec/companyfacts/CIK${FILERS[ticker].cik}.json`), 'utf8')) as unknown;
  const found = kept.get(ticker) ?? Facts.parse(read());
  kept.set(ticker, found);
  return found;
}

/** Of each period what the last report filed up to a day says. */
function saidBy(ticker: Ticker, day: string, ...concepts: readonly string[]): readonly Said[] {
  const all = concepts.flatMap((concept) => factsOf(ticker).facts['us-gaap'][concept]?.units['USD'] ?? []);
  const known = all.filter((one) => one.filed <= day && one.form.startsWith('10-')).sort((a, b) => (a.filed < b.filed ? -1 : 1));
  return [...new Map(known.map((one) => [`${one.start} ${one.end}`, one])).values()];
}

const newestEnd = (said: readonly Said[]) =>
  said
    .map((one) => one.end)
    .sort()
    .at(-1) ?? '';

/** The twelve months that end with the newest period, or a year before it: of a fiscal year, or a year and a part less that part a year before. */
function twelveMonths(said: readonly Said[], yearsBack: number): number {
  const newest = newestEnd(said);
  const parts = said.filter((one) => isNear(newest, one.end, yearsBack));
  const whole = parts.find((one) => days(one) > 350);
  if (whole !== undefined) return whole.val;
  const toDate = parts.filter((one) => days(one) < 300).sort((a, b) => days(b) - days(a))[0];
  const year = said.filter((one) => days(one) > 350 && isNear(toDate?.start ?? '', one.end)).at(-1);
  const before = said.find(
    (one) => isNear(newest, one.end, yearsBack + 1) && Math.abs(days(one) - days(toDate ?? one)) < 11 && days(one) < 300,
  );
  return (year?.val ?? Number.NaN) + (toDate?.val ?? Number.NaN) - (before?.val ?? Number.NaN);
}

const isAsked = existsSync(join(REAL_DATA, 'sec'));

describe.skipIf(!isAsked)('a screen of real companies', () => {
  let pipeline: Pipeline;
  let service: RunningService;
  beforeAll(async () => {
    pipeline = await openPipeline();
    const own = Object.values(FILERS).flatMap(({ cik }) => [`sec/companyfacts/CIK${cik}.json`, `sec/submissions/CIK${cik}.json`]);
    // The third reports in dollars, under IFRS.
    const paths = [...own, 'sec/companyfacts/CIK0001997711.json'];
    await pipeline.run(Object.fromEntries(paths.map((path) => [path, readFileSync(join(REAL_DATA, path))])), NOW);
    service = await startService(pipeline.dataDir, { now: Date.parse(NOW) });
  });
  afterAll(async () => {
    await service.stop();
    await pipeline.remove();
  });

  const body = async (path: string): Promise<ListBody> => {
    const response = await service.get(path);
    expect([path, response.status]).toEqual([path, 200]);
    return (await response.json()) as ListBody;
  };
  const valuesOf = async (ticker: Ticker, day: string) => {
    const path = `/public/screener?universe=companies&columns=revenue,revenue_growth,net_income,total_assets,total_liabilities&as_of=${day}`;
    const rows = z.array(ScreenRow).parse((await body(path)).data);
    const row = rows.find(({ entityId }) => entityId === `company_${FILERS[ticker].cik}`);
    if (row === undefined) throw new Error(`There is no ${ticker} as of ${day}.`);
    return row.values;
  };

  // Days around reports, and others: of NVIDIA those of 2024-08-28 and 2025-02-26, of Apple those of 2024-08-02 and 2024-11-01.
  const DAYS = [
    '2021-03-01',
    '2022-06-15',
    '2023-08-10',
    '2024-08-01',
    '2024-08-27',
    '2024-08-29',
    '2024-10-30',
    '2024-11-02',
    '2025-02-25',
    '2025-02-28',
  ];
  const cases = (['AAPL', 'NVDA'] as const).flatMap((ticker) => DAYS.map((day) => [ticker, day] as const));

  it.each(cases)('has for %s as of %s the figures of its reports by then', async (ticker, day) => {
    const found = await valuesOf(ticker, day);
    const [revenue, income] = [saidBy(ticker, day, ...REVENUE), saidBy(ticker, day, 'NetIncomeLoss')];
    const [assets, liabilities] = [saidBy(ticker, day, 'Assets'), saidBy(ticker, day, 'Liabilities')];
    const balance = (said: readonly Said[]) => said.find((one) => one.end === newestEnd(said))?.val;
    expect(found['revenue']).toMatchObject({ value: twelveMonths(revenue, 0), periodEnd: newestEnd(revenue), unit: 'usd' });
    expect(found['revenue_growth']?.value).toBeCloseTo(100 * (twelveMonths(revenue, 0) / twelveMonths(revenue, 1) - 1), 6);
    expect(found['net_income']?.value).toBe(twelveMonths(income, 0));
    expect(found['total_assets']).toMatchObject({ value: balance(assets), periodEnd: newestEnd(assets) });
    expect(found['total_liabilities']?.value).toBe(balance(liabilities));
  });

  // Read off the reports: NVIDIA's of July 2024, Apple's of fiscal 2024; millions of dollars.
  it('has the printed figures', async () => {
    const [nvda, aapl] = [await valuesOf('NVDA', '2024-08-29'), await valuesOf('AAPL', '2024-11-02')];
    expect([nvda['revenue']?.value, nvda['total_assets']?.value]).toEqual([(60_922 + 56_084 - 20_699) * 1e6, 85_227e6]);
    expect([aapl['revenue']?.value, aapl['total_assets']?.value]).toEqual([391_035e6, 364_980e6]);
    expect(aapl['revenue_growth']?.value).toBeCloseTo(100 * (391_035 / 383_285 - 1), 9);
  });

  it('lists every figure that they state, and withholds the scores', async () => {
    const fields = z.array(ScreenField).parse((await body('/public/screener/filters?limit=500')).data);
    const figures = fields.filter((one) => one.type === 'number');
    expect(figures.map(({ field, coverageCount }) => [field, coverageCount])).toEqual(
      [
        'cash',
        'current_assets',
        'current_liabilities',
        'debt',
        'eps_growth',
        'equity',
        'free_cash_flow',
        'gross_profit',
        'net_income',
        'net_income_growth',
        'operating_cash_flow',
        'operating_income',
        'operating_income_growth',
        'revenue',
        'revenue_growth',
        'shares_outstanding',
        'total_assets',
        'total_liabilities',
        // The filer under IFRS states no gross profit.
      ].map((field) => [field, field === 'gross_profit' ? 2 : 3]),
    );
    const { meta, data } = await body('/public/screener?universe=companies&eligible_only=false&filter=score_composite:gte:0');
    expect(data).toEqual([]);
    expect(meta.hints?.map(({ parameter, message }) => [parameter, message.slice(0, 26)])).toEqual([
      ['filter', 'Withheld: score_composite.'],
    ]);
  });
});
