// Filers under IFRS and in other currencies than the dollar: their statements, and multiples of prices in dollars.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Company, FinancialStatement } from '../../src/model/company.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { type RunningService, startService } from '../service.ts';
import { closesOf, multipleAsOf } from '../valuations/valued.ts';
import { companyFacts, type StatedFact } from './edgar.ts';

const [EUROS, YUAN, TAIWAN, UNREAD, NO_FACTS] = [99840, 99841, 99842, 99843, 99844] as const;
const YEAR = ['2024-01-01', '2024-12-31'] as const;
const flow = (concept: string, unit: string, value: number, [start, end]: readonly [string, string] = YEAR): StatedFact => [
  concept,
  unit,
  start,
  end,
  value,
];
const SHARES: StatedFact = ['EntityCommonStockSharesOutstanding', 'shares', null, '2025-03-01', 100];
const accession = (cik: number) => `00000${cik}-25-000001`;
const annual = (cik: number, facts: readonly StatedFact[], taxonomy?: string) =>
  companyFacts(cik, { [accession(cik)]: { form: '20-F', filed: '2025-03-20', facts: [...facts, SHARES] } }, taxonomy);
const revenue = (currency: string) => [
  flow('Revenues', currency, 7000),
  flow('Revenues', currency, 6500, ['2023-01-01', '2023-12-31']),
  flow('NetIncomeLoss', currency, 700),
];

const files = {
  ...annual(
    EUROS,
    [
      flow('Revenue', 'EUR', 4000),
      flow('ProfitLoss', 'EUR', 410),
      flow('ProfitLossAttributableToOwnersOfParent', 'EUR', 400),
      flow('DilutedEarningsLossPerShare', 'EUR/shares', 4),
      flow('CashFlowsFromUsedInOperatingActivities', 'EUR', 500),
      ['Assets', 'EUR', null, '2024-12-31', 9000],
      ['CurrentAssets', 'EUR', null, '2024-12-31', 3000],
      ['EquityAttributableToOwnersOfParent', 'EUR', null, '2024-12-31', 2000],
    ],
    'ifrs-full',
  ),
  // The newest year is translated into dollars at another rate.
  ...annual(YUAN, [...revenue('CNY'), flow('Revenues', 'USD', 1000), flow('NetIncomeLoss', 'USD', 100)]),
  ...annual(TAIWAN, revenue('TWD')),
  ...annual(UNREAD, [flow('Turnover', 'INR', 5)], 'ind-as'),
  ...Object.assign(
    {},
    ...[EUROS, YUAN, TAIWAN, NO_FACTS].map((cik) =>
      closesOf(cik, { '2025-04-30': 50, '2025-05-01': 50, '2025-05-02': 50, '2025-05-09': 50 }),
    ),
  ),
  'sec/company_tickers.json': JSON.stringify(
    Object.fromEntries(
      [EUROS, YUAN, TAIWAN, NO_FACTS].map((cik, index) => [index, { cik_str: cik, ticker: `T${cik}`, title: `Filer ${cik}` }]),
    ),
  ),
  // The first of May is a holiday of the ECB, not of New York.
  'ecb-eurofxref/eurofxref-hist.csv': 'Date,USD,CNY,\n2025-05-02,1.13,8.2,\n2025-04-30,1.1,8.1,\n',
};

let pipeline: Pipeline;
let service: RunningService;
beforeAll(async () => {
  pipeline = await openPipeline();
  await pipeline.ingest(files, '2025-06-01T08:00:00.000Z');
  await pipeline.publish();
  service = await startService(pipeline.dataDir, { now: Date.parse('2025-06-02T08:00:00.000Z') });
});
afterAll(async () => {
  await service.stop();
  await pipeline.remove();
});

const Body = z.looseObject({
  data: z.array(z.unknown()),
  meta: z.looseObject({ hints: z.array(z.object({ message: z.string() })).optional() }),
});
const list = async (path: string) => Body.parse(await (await service.get(path, { key: 'full' })).json());
const multiple = (cik: number, slug: string, day: string) => multipleAsOf(pipeline, cik, slug, day, '2025-06-01T12:00:00.000Z');

describe('a filer under IFRS', () => {
  it('has statements in its currency, by the concepts of ifrs-full', async () => {
    const { data } = await list(`/companies/${EUROS}/financials?period=annual`);
    const statements = z.array(FinancialStatement).parse(data);
    expect(statements.map(({ statementType, currency, fiscalYear }) => `${statementType} ${currency} ${fiscalYear}`).toSorted()).toEqual([
      'balance_sheet EUR 2024',
      'cash_flow EUR 2024',
      'income EUR 2024',
    ]);
    expect(statements.find(({ statementType }) => statementType === 'income')).toMatchObject({
      items: { revenue: 4000, profitLoss: 410, netIncome: 400, epsDiluted: 4 },
      form: '20-F',
      lines: [
        { key: 'revenue', concept: 'Revenue', unit: 'EUR', factRefs: [`${accession(EUROS)}/Revenue/EUR/2024-01-01/2024-12-31`] },
        {},
        {},
        {},
      ],
    });
  });

  it('has multiples at the reference rate of the day of the price', async () => {
    // Revenue of 4000 euros is 4520 dollars; earnings of 4 euros a share 4.52; equity of 2000 euros 2260.
    expect(await multiple(EUROS, 'price_to_sales', '2025-05-02')).toMatchObject({
      value: expect.closeTo(5000 / 4520, 9) as number,
      metadata: {
        statementCurrency: 'EUR',
        exchangeRate: 1.13,
        exchangeRateDate: '2025-05-02',
        marketCap: 5000,
        denominator: expect.closeTo(4520, 6) as number,
      },
    });
    expect((await multiple(EUROS, 'price_to_earnings', '2025-05-02'))?.value).toBeCloseTo(50 / 4.52, 9);
    expect((await multiple(EUROS, 'price_to_book', '2025-05-02'))?.value).toBeCloseTo(5000 / 2260, 9);
  });

  it('is valued at the previous fixing on a holiday of the ECB, and not at one of a week ago', async () => {
    expect(await multiple(EUROS, 'price_to_sales', '2025-05-01')).toMatchObject({
      value: expect.closeTo(5000 / 4400, 9) as number,
      metadata: { exchangeRateDate: '2025-04-30' },
    });
    expect(await multiple(EUROS, 'price_to_sales', '2025-05-09')).toMatchObject({ value: null, valueText: 'no_exchange_rate' });
  });
});

describe('a filer that translates its newest year for convenience', () => {
  it('is valued by the statements in its own currency', async () => {
    // 7000 yuan at 1.13 dollars and 8.2 yuan a euro.
    expect(await multiple(YUAN, 'price_to_sales', '2025-05-02')).toMatchObject({
      value: expect.closeTo(5000 / ((7000 * 1.13) / 8.2), 9) as number,
      metadata: { statementCurrency: 'CNY' },
    });
    const { data } = await list(`/companies/${YUAN}/financials?statement=income&period=annual`);
    expect(
      z
        .array(FinancialStatement)
        .parse(data)
        .map((one) => [one.currency, one.items['revenue']]),
    ).toContainEqual(['CNY', 7000]);
  });

  it('has no revenue in a screen in dollars', async () => {
    const { data } = await list('/public/screener?universe=companies&filter=revenue:gt:0');
    expect(data).toEqual([]);
    expect(z.array(Company).parse((await list(`/public/companies?q=${YUAN}`)).data)[0]?.reportingCurrency).toBe('CNY');
  });
});

describe('a filer in a currency without a reference rate', () => {
  it('has statements, and no multiples', async () => {
    expect((await list(`/companies/${TAIWAN}/financials?statement=income&period=annual`)).data.length).toBeGreaterThan(0);
    expect(await multiple(TAIWAN, 'price_to_sales', '2025-05-02')).toMatchObject({ value: null, valueText: 'no_exchange_rate' });
  });
});

describe('a filer with an unsupported taxonomy', () => {
  it('has no statements, and a hint with the reason', async () => {
    const { data, meta } = await list(`/companies/${UNREAD}/financials`);
    expect(data).toEqual([]);
    expect(meta.hints?.map(({ message }) => message)).toContainEqual(expect.stringContaining('ind-as'));
  });
});

describe('a company without facts of filings', () => {
  it('has no statements, and a hint that says so, for each question', async () => {
    for (const query of ['', '?statement=income', '?as_of=2025-05-20']) {
      const { data, meta } = await list(`/companies/${NO_FACTS}/financials${query}`);
      expect([data, meta.hints?.map(({ message }) => message)]).toEqual([[], ['asof has no figures from filings of this company.']]);
    }
    const outside = await list(`/companies/${EUROS}/financials?fiscal_year=1999`);
    expect([outside.data, outside.meta.hints ?? []]).toEqual([[], []]);
  });
});
