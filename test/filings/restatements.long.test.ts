// The newest filing of each figure: restatements in filings that hold a part of a statement, and splits of shares between filings.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FinancialStatement } from '../../src/model/company.ts';
import { type FixtureService, startFixtureService } from '../routes/fixture-service.ts';
import { companyFacts, type StatedFact, type StatedFiling } from './edgar.ts';

const [PARTIAL, SUBSET, OTHER_CURRENCY, SOLD, AMENDED, NO_OPERATING_FLOW, OPERATIONS] = [
  99820, 99821, 99822, 99823, 99824, 99825, 99826,
] as const;
/** Its splits are listed: four for one on 2021-07-20, ten for one on 2024-06-10. */
const SPLIT = 1045810;
const YEAR = ['2019-01-01', '2019-12-31'] as const;
const money = (concept: string, value: number, currency = 'USD'): StatedFact => [concept, currency, ...YEAR, value];
const flow = (concept: string, start: string, end: string, value: number): StatedFact => [concept, 'USD', start, end, value];
const revenueOf = (year: number, value: number) => flow('Revenues', `${year}-01-01`, `${year}-12-31`, value);
const nineMonthsOf = (year: number, value: number) => flow('Revenues', `${year}-01-01`, `${year}-09-30`, value);
const resultsOf = (before: number, now: number) => [
  flow('NetIncomeLoss', '2019-01-01', '2019-12-31', before),
  flow('NetIncomeLoss', '2020-01-01', '2020-12-31', now),
];
const balance = (concept: string, value: number): StatedFact => [concept, 'USD', null, YEAR[1], value];
const filing = (form: string, filed: string, ...facts: StatedFact[]): StatedFiling => ({ form, filed, facts });
const accession = (cik: number, nth: number) => `${String(cik).padStart(10, '0')}-24-${String(nth).padStart(6, '0')}`;
const of = (cik: number, ...filings: StatedFiling[]) =>
  companyFacts(cik, Object.fromEntries(filings.map((one, index) => [accession(cik, index + 1), one])));

const files = {
  ...of(
    PARTIAL,
    filing(
      '10-K',
      '2020-02-01',
      money('NetIncomeLoss', 50),
      money('Revenues', 500),
      balance('Assets', 900),
      balance('StockholdersEquity', 400),
    ),
    // An opening balance of equity alone, restated; later said again.
    filing('10-Q', '2020-05-01', balance('StockholdersEquity', 350)),
    filing('10-Q', '2020-08-01', balance('StockholdersEquity', 350)),
  ),
  ...of(
    SUBSET,
    filing('10-K', '2020-02-01', money('NetIncomeLoss', 50), money('Revenues', 500)),
    // One kind of revenue, out of a note.
    filing('10-K', '2021-02-01', money('RevenueFromContractWithCustomerExcludingAssessedTax', 90), money('IncomeTaxExpenseBenefit', 8)),
  ),
  ...of(
    OTHER_CURRENCY,
    filing('20-F', '2020-02-01', money('NetIncomeLoss', 50, 'CNY'), money('Revenues', 500, 'CNY')),
    filing('20-F', '2021-02-01', money('Revenues', 70)),
  ),
  // A fifth of the business is sold in the last quarter of 2020. The result contains it anyway.
  ...of(
    SOLD,
    filing('10-K', '2020-02-01', revenueOf(2019, 1000)),
    filing('10-Q', '2020-11-01', nineMonthsOf(2019, 750), nineMonthsOf(2020, 750), flow('NetIncomeLoss', '2020-01-01', '2020-09-30', 75)),
    filing('10-K', '2021-02-01', revenueOf(2019, 800), revenueOf(2020, 800), flow('NetIncomeLoss', '2020-01-01', '2020-12-31', 100)),
    filing('10-Q', '2021-11-01', nineMonthsOf(2020, 600), nineMonthsOf(2021, 630)),
  ),
  // An amendment counts revenue in another way, for this year and the one before.
  ...of(
    AMENDED,
    filing(
      '10-Q',
      '2020-11-01',
      nineMonthsOf(2019, 700),
      nineMonthsOf(2020, 750),
      flow('NetIncomeLoss', '2019-01-01', '2019-09-30', 70),
      flow('NetIncomeLoss', '2020-01-01', '2020-09-30', 75),
    ),
    filing('10-K', '2021-02-01', revenueOf(2019, 950), revenueOf(2020, 1000), ...resultsOf(95, 100)),
    filing('10-K/A', '2021-04-01', revenueOf(2019, 1100), revenueOf(2020, 1200), ...resultsOf(95, 100)),
  ),
  // The operating cash flow has a concept of the filer's own, so it is no fact of us-gaap.
  ...of(
    NO_OPERATING_FLOW,
    filing(
      '10-K',
      '2020-02-01',
      money('NetIncomeLoss', 50),
      money('NetCashProvidedByUsedInInvestingActivities', -30),
      money('PaymentsToAcquirePropertyPlantAndEquipment', 40),
    ),
  ),
  ...companyFacts(
    OPERATIONS,
    {
      [accession(OPERATIONS, 1)]: filing(
        '20-F',
        '2020-02-01',
        money('CashFlowsFromUsedInOperations', 17),
        money('CashFlowsFromUsedInInvestingActivities', -23),
      ),
      [accession(OPERATIONS, 2)]: filing(
        '20-F',
        '2021-02-01',
        flow('CashFlowsFromUsedInOperations', '2020-01-01', '2020-12-31', 19),
        flow('CashFlowsFromUsedInOperatingActivities', '2020-01-01', '2020-12-31', 15),
      ),
    },
    'ifrs-full',
  ),
  ...of(
    SPLIT,
    filing(
      '10-K',
      '2020-02-01',
      money('NetIncomeLoss', 50_000_000),
      ['EarningsPerShareDiluted', 'USD/shares', ...YEAR, 8.09],
      ['WeightedAverageNumberOfDilutedSharesOutstanding', 'shares', ...YEAR, 6_000_000],
    ),
    // In new shares: 8.09 / 4 is 2.0225.
    filing(
      '10-K',
      '2022-02-01',
      money('NetIncomeLoss', 50_000_000),
      ['EarningsPerShareDiluted', 'USD/shares', ...YEAR, 2.02],
      ['WeightedAverageNumberOfDilutedSharesOutstanding', 'shares', ...YEAR, 24_002_000],
    ),
  ),
};

let service: FixtureService;
beforeAll(async () => {
  service = await startFixtureService([{ files, at: '2026-09-01T08:00:00.000Z' }], '2026-09-02T08:00:00.000Z');
});
afterAll(() => service.stop());

async function statement(cik: number, query: string) {
  const { data } = await service.list(`/companies/${cik}/financials?period=annual&${query}`);
  const found = z.array(FinancialStatement).parse(data);
  expect(found).toHaveLength(1);
  return found[0] as FinancialStatement;
}

describe('a figure', () => {
  it('comes from the newest filing that states it, even if that states nothing else', async () => {
    expect(await statement(PARTIAL, 'statement=balance_sheet')).toMatchObject({
      items: { stockholdersEquity: 350, totalAssets: 900 },
      restated: true,
      revisionStatus: 'revised',
      splitFactor: 1,
      accessionNumber: accession(PARTIAL, 3),
      filedAt: '2020-08-01',
      sourceUrl: `https://www.sec.gov/Archives/edgar/data/${PARTIAL}/${accession(PARTIAL, 3).replaceAll('-', '')}/${accession(PARTIAL, 3)}-index.htm`,
      lines: [
        { key: 'totalAssets', factRefs: [`${accession(PARTIAL, 1)}/Assets/USD/2019-12-31`] },
        { key: 'stockholdersEquity', factRefs: [`${accession(PARTIAL, 3)}/StockholdersEquity/USD/2019-12-31`] },
      ],
    });
  });

  it('is the one known then, and as reported the first', async () => {
    const first = {
      items: { stockholdersEquity: 400 },
      restated: false,
      revisionStatus: 'initial',
      accessionNumber: accession(PARTIAL, 1),
    };
    expect(await statement(PARTIAL, 'statement=balance_sheet&as_of=2020-04-30')).toMatchObject(first);
    expect(await statement(PARTIAL, 'statement=balance_sheet&as_of=2020-05-02')).toMatchObject({
      items: { stockholdersEquity: 350 },
      accessionNumber: accession(PARTIAL, 2),
    });
    expect(await statement(PARTIAL, 'statement=balance_sheet&basis=as_reported')).toMatchObject(first);
  });

  it('is not replaced by a part of it under another concept', async () => {
    expect(await statement(SUBSET, 'statement=income')).toMatchObject({
      items: { revenue: 500, incomeTax: 8 },
      restated: false,
      accessionNumber: accession(SUBSET, 2),
    });
  });

  it('is not replaced by one in another currency', async () => {
    expect(await statement(OTHER_CURRENCY, 'statement=income')).toMatchObject({
      currency: 'CNY',
      items: { revenue: 500 },
      restated: false,
    });
  });
});

describe('shares from before a split', () => {
  it.each([
    ['2021-07-19', 1, 8.09, 6_000_000, 1],
    ['2021-07-20', 4, 8.09 / 4, 24_000_000, 1],
    ['2023-01-01', 1, 2.02, 24_002_000, 2],
    ['2024-06-10', 10, 0.202, 240_020_000, 2],
  ] as const)('are restated as of %s by %d, which is no restatement', async (asOf, factor, eps, shares, nth) => {
    expect(await statement(SPLIT, `statement=income&as_of=${asOf}`)).toMatchObject({
      splitFactor: factor,
      items: { epsDiluted: eps, weightedSharesDiluted: shares },
      restated: false,
      accessionNumber: accession(SPLIT, nth),
    });
  });

  it('stay as filed in an answer as reported', async () => {
    expect(await statement(SPLIT, 'statement=income&basis=as_reported')).toMatchObject({
      splitFactor: 1,
      items: { epsDiluted: 8.09, weightedSharesDiluted: 6_000_000 },
    });
  });
});

describe('a cash flow statement', () => {
  it('may lack the operating cash flow', async () => {
    expect(await statement(NO_OPERATING_FLOW, 'statement=cash_flow')).toMatchObject({
      items: { operatingCashFlow: null, investingCashFlow: -30, capitalExpenditure: 40 },
    });
  });

  it('by IFRS may state the cash flow of operations alone, which comes before taxes if both are stated', async () => {
    const { data } = await service.list(`/companies/${OPERATIONS}/financials?period=annual&statement=cash_flow&sort=period_end&order=asc`);
    const found = z.array(FinancialStatement).parse(data);
    expect(found.map((one) => [one.periodEnd, one.items['operatingCashFlow']])).toEqual([
      ['2019-12-31', 17],
      ['2020-12-31', 15],
    ]);
  });
});

describe('a year that is stated in a new scope', () => {
  const itemsOf = async (cik: number, query: string, periodEnd: string) => {
    const { data } = await service.list(`/companies/${cik}/financials?statement=income&${query}`);
    const found = z.array(FinancialStatement).parse(data);
    return found.find((one) => one.periodEnd === periodEnd)?.items;
  };

  it('has no fourth quarter until nine months have the new scope too', async () => {
    const fourthQuarter = (asOf: string) => itemsOf(SOLD, `period=quarterly&as_of=${asOf}`, '2020-12-31');
    expect(await fourthQuarter('2021-03-01')).toMatchObject({ revenue: null, netIncome: 25 });
    expect(await fourthQuarter('2021-12-01')).toMatchObject({ revenue: 200, netIncome: 25 });
  });

  it('by an amendment changes no quarter and no twelve months that contain older figures', async () => {
    expect(await itemsOf(AMENDED, 'period=quarterly&as_of=2021-03-01', '2020-12-31')).toMatchObject({ revenue: 250 });
    expect(await itemsOf(AMENDED, 'period=quarterly', '2020-12-31')).toMatchObject({ revenue: 250 });
    expect(await itemsOf(AMENDED, 'period=ttm', '2020-09-30')).toMatchObject({ revenue: 1000 });
    expect(await itemsOf(AMENDED, 'period=annual', '2020-12-31')).toMatchObject({ revenue: 1200 });
  });
});
