// What follows from the statements that were filed: fourth quarters, quarters out of years to date, trailing twelve months.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FinancialStatement } from '../../src/model/company.ts';
import { QuarantineRecord } from '../../src/model/operations.ts';
import { companyFacts, type StatedFact } from './edgar.ts';
import { type FixtureService, startFixtureService } from '../routes/fixture-service.ts';

const RESULT = 'NetIncomeLoss';
const CASH = 'NetCashProvidedByUsedInOperatingActivities';
const flow = (concept: string, start: string, end: string, value: number): StatedFact => [concept, 'USD', start, end, value];

// Years end in September. 2023 and 2024 with reports on every quarter; cash flow is stated for the year to date alone.
const quarterly = companyFacts(99980, {
  '0000099980-23-000001': {
    form: '10-Q',
    filed: '2023-02-01',
    facts: [
      flow('Revenues', '2022-10-01', '2022-12-31', 100),
      flow(RESULT, '2022-10-01', '2022-12-31', 10),
      flow(CASH, '2022-10-01', '2022-12-31', 11),
    ],
  },
  '0000099980-23-000002': {
    form: '10-Q',
    filed: '2023-05-01',
    facts: [
      flow(RESULT, '2023-01-01', '2023-03-31', 12),
      flow(RESULT, '2022-10-01', '2023-03-31', 22),
      flow(CASH, '2022-10-01', '2023-03-31', 30),
    ],
  },
  '0000099980-23-000003': {
    form: '10-Q',
    filed: '2023-08-01',
    facts: [
      flow(RESULT, '2023-04-01', '2023-06-30', 14),
      flow(RESULT, '2022-10-01', '2023-06-30', 36),
      flow(CASH, '2022-10-01', '2023-06-30', 52),
    ],
  },
  '0000099980-23-000004': {
    form: '10-K',
    filed: '2023-11-01',
    facts: [
      flow(RESULT, '2022-10-01', '2023-09-30', 50),
      flow(CASH, '2022-10-01', '2023-09-30', 70),
      ['EarningsPerShareDiluted', 'USD/shares', '2022-10-01', '2023-09-30', 5],
      ['WeightedAverageNumberOfDilutedSharesOutstanding', 'shares', '2022-10-01', '2023-09-30', 10],
    ],
  },
  '0000099980-24-000001': {
    form: '10-Q',
    filed: '2024-02-01',
    facts: [
      flow(RESULT, '2023-10-01', '2023-12-31', 20),
      flow(RESULT, '2022-10-01', '2022-12-31', 10),
      flow(CASH, '2023-10-01', '2023-12-31', 25),
    ],
  },
  '0000099980-24-000009': { form: '10-K/A', filed: '2024-03-01', facts: [flow(RESULT, '2022-10-01', '2023-09-30', 53)] },
});

// Nine months are never stated: the year less three quarters. The second year leaves out a quarter.
const withoutNineMonths = companyFacts(99981, {
  '0000099981-24-000001': {
    form: '10-K',
    filed: '2024-02-10',
    facts: [
      flow(RESULT, '2023-01-01', '2023-03-31', 1),
      flow(RESULT, '2023-04-01', '2023-06-30', 2),
      flow(RESULT, '2023-07-01', '2023-09-30', 3),
      flow(RESULT, '2023-01-01', '2023-12-31', 10),
    ],
  },
  '0000099981-25-000001': {
    form: '10-K',
    filed: '2025-02-10',
    facts: [
      flow(RESULT, '2024-01-01', '2024-03-31', 1),
      flow(RESULT, '2024-07-01', '2024-09-30', 3),
      flow(RESULT, '2024-01-01', '2024-12-31', 10),
    ],
  },
});

// The half year is recast when a business is sold: half of 2023 now excludes it, all of 2023 does not yet.
const recast = companyFacts(99982, {
  '0000099982-23-000001': {
    form: '10-Q',
    filed: '2023-05-01',
    facts: [
      flow('Revenues', '2023-01-01', '2023-03-31', 1000),
      flow(RESULT, '2023-01-01', '2023-03-31', 100),
      flow(CASH, '2023-01-01', '2023-03-31', 100),
    ],
  },
  '0000099982-23-000002': {
    form: '10-Q',
    filed: '2023-08-01',
    facts: [
      flow('Revenues', '2023-04-01', '2023-06-30', 1000),
      flow('Revenues', '2023-01-01', '2023-06-30', 2000),
      flow(RESULT, '2023-01-01', '2023-06-30', 200),
      flow(CASH, '2023-01-01', '2023-06-30', 200),
    ],
  },
  '0000099982-23-000003': {
    form: '10-Q',
    filed: '2023-11-01',
    facts: [
      flow('Revenues', '2023-07-01', '2023-09-30', 1000),
      flow('Revenues', '2023-01-01', '2023-09-30', 3000),
      flow(RESULT, '2023-01-01', '2023-09-30', 300),
      flow(CASH, '2023-01-01', '2023-09-30', 300),
    ],
  },
  '0000099982-24-000001': {
    form: '10-K',
    filed: '2024-02-10',
    facts: [
      flow('Revenues', '2023-01-01', '2023-12-31', 4000),
      flow(RESULT, '2023-01-01', '2023-12-31', 400),
      flow(CASH, '2023-01-01', '2023-12-31', 400),
    ],
  },
  '0000099982-24-000002': {
    form: '10-Q',
    filed: '2024-05-01',
    facts: [
      flow('Revenues', '2024-01-01', '2024-03-31', 1000),
      flow(RESULT, '2024-01-01', '2024-03-31', 100),
      flow(CASH, '2024-01-01', '2024-03-31', 100),
    ],
  },
  '0000099982-24-000003': {
    form: '10-Q',
    filed: '2024-08-01',
    facts: [
      flow('Revenues', '2024-04-01', '2024-06-30', 800),
      flow('Revenues', '2024-01-01', '2024-06-30', 1600),
      flow('Revenues', '2023-01-01', '2023-06-30', 1600),
      flow(RESULT, '2024-01-01', '2024-06-30', 200),
      flow(CASH, '2024-01-01', '2024-06-30', 200),
      flow(CASH, '2023-01-01', '2023-06-30', 150),
    ],
  },
});

let service: FixtureService;
beforeAll(async () => {
  service = await startFixtureService(
    [{ files: { ...quarterly, ...withoutNineMonths, ...recast }, at: '2025-06-01T08:00:00.000Z' }],
    '2025-06-02T08:00:00.000Z',
  );
});
afterAll(() => service.stop());

const statements = async (cik: number, query: string) =>
  z.array(FinancialStatement).parse((await service.list(`/companies/${cik}/financials?${query}`)).data);
async function statement(cik: number, query: string, periodEnd: string) {
  const found = (await statements(cik, query)).filter((one) => one.periodEnd === periodEnd);
  expect(found.length).toBeLessThanOrEqual(1);
  return found[0];
}

describe('a fourth quarter', () => {
  it('is the year less nine months, known with the annual report', async () => {
    const quarter = await statement(99980, 'statement=income&period=quarterly&as_of=2023-12-01', '2023-09-30');
    expect(quarter).toMatchObject({
      periodStart: '2023-07-01',
      fiscalYear: 2023,
      fiscalPeriod: 'Q4',
      derived: true,
      derivation: 'fy_minus_9m',
      restated: false,
      accessionNumber: '0000099980-23-000004',
      observedAt: '2023-11-01T23:59:59.999Z',
      items: { netIncome: 14 },
    });
    expect(quarter?.lines).toMatchObject([
      {
        key: 'netIncome',
        quality: 'derived',
        factRefs: [
          '0000099980-23-000004/NetIncomeLoss/USD/2022-10-01/2023-09-30',
          '0000099980-23-000003/NetIncomeLoss/USD/2022-10-01/2023-06-30',
        ],
      },
    ]);
    expect(await statement(99980, 'statement=income&period=quarterly&as_of=2023-11-01T23:59:59Z', '2023-09-30')).toBeUndefined();
  });

  it('has no amounts per share and no shares, which are not differences', async () => {
    const quarter = await statement(99980, 'statement=income&period=quarterly', '2023-09-30');
    expect([quarter?.items['epsDiluted'], quarter?.items['weightedSharesDiluted']]).toEqual([null, null]);
  });

  it('follows an amended annual report, and stays as first known in answers as reported', async () => {
    expect(await statement(99980, 'statement=income&period=quarterly', '2023-09-30')).toMatchObject({
      items: { netIncome: 17 },
      restated: true,
      form: '10-K/A',
      derived: true,
    });
    expect(await statement(99980, 'statement=income&period=quarterly&basis=as_reported', '2023-09-30')).toMatchObject({
      items: { netIncome: 14 },
      restated: false,
    });
  });

  it('is the year less three quarters if nine months are not stated, and missing if one of the three is', async () => {
    const found = await statements(99981, 'statement=income&period=quarterly');
    expect(found.filter((one) => one.derived)).toMatchObject([
      { periodEnd: '2023-12-31', periodStart: '2023-10-01', derivation: 'fy_minus_3q', items: { netIncome: 4 } },
    ]);
    expect(found.find((one) => one.derived)?.lines[0]?.factRefs).toHaveLength(4);
  });
});

describe('a quarter of cash flow', () => {
  it('is the difference of two years to date', async () => {
    const quarters = await statements(99980, 'statement=cash_flow&period=quarterly&fiscal_year=2023&sort=period_end&order=asc');
    expect(quarters.map((one) => [one.fiscalPeriod, one.derivation, one.items['operatingCashFlow']])).toEqual([
      ['Q1', 'none', 11],
      ['Q2', 'ytd_difference', 19],
      ['Q3', 'ytd_difference', 22],
      ['Q4', 'fy_minus_9m', 18],
    ]);
  });

  it('that is stated stays as stated', async () => {
    expect(await statement(99980, 'statement=income&period=quarterly', '2023-03-31')).toMatchObject({
      derived: false,
      items: { netIncome: 12 },
    });
  });
});

describe('trailing twelve months', () => {
  it('are the year at its end, and then roll', async () => {
    expect(await statement(99980, 'statement=cash_flow&period=ttm', '2023-09-30')).toMatchObject({
      derived: false,
      derivation: 'none',
      fiscalPeriod: 'TTM',
      items: { operatingCashFlow: 70 },
    });
    expect(await statement(99980, 'statement=cash_flow&period=ttm', '2023-12-31')).toMatchObject({
      derived: true,
      derivation: 'ttm_roll',
      periodStart: '2023-01-01',
      fiscalYear: 2024,
      items: { operatingCashFlow: 70 + 25 - 11 },
      observedAt: '2024-02-01T23:59:59.999Z',
    });
  });

  it('follow a restated year from the moment of its restatement', async () => {
    const asOf = (day: string) => statement(99980, `statement=income&period=ttm&as_of=${day}`, '2023-12-31');
    expect(await asOf('2024-02-15')).toMatchObject({ items: { netIncome: 60 } });
    expect(await asOf('2024-03-02')).toMatchObject({ items: { netIncome: 63 }, restated: true });
  });

  it('have no balance sheet', async () => {
    expect((await statements(99980, 'period=ttm')).filter((one) => one.statementType === 'balance_sheet')).toEqual([]);
  });

  it('that contradict their four quarters are left out and quarantined', async () => {
    const rolled = await statement(99982, 'statement=income&period=ttm', '2024-06-30');
    expect(rolled?.items).toMatchObject({ revenue: null, netIncome: 400 });
    const records = z
      .array(QuarantineRecord)
      .parse((await service.list('/quarantine?rule=reconciliation_failed&entity_id=company_0000099982')).data);
    expect(records.map((one) => String(one.fieldPath)).sort()).toEqual(['cash_flow.operatingCashFlow', 'income.revenue']);
    expect(records.filter((one) => one.fieldPath === 'income.revenue')).toMatchObject([
      {
        severity: 'block',
        status: 'open',
        sourceId: 'sec',
        period: '2024-06-30',
        fieldPath: 'income.revenue',
        observedValue: '4000.0',
        expected: { sumOfQuarters: 3800, tolerance: 0.005 },
      },
    ]);
  });
});

describe('a recast comparative', () => {
  it('is not subtracted from a figure of another scope', async () => {
    // Nine months of 300 less a recast half of 150 is no quarter, nor is that half less a quarter of 100.
    const quarters = await statements(99982, 'statement=cash_flow&period=quarterly&fiscal_year=2023&sort=period_end&order=asc');
    expect(quarters.map((one) => [one.fiscalPeriod, one.restated, one.items['operatingCashFlow']])).toEqual([
      ['Q1', false, 100],
      ['Q2', false, 100],
      ['Q3', false, 100],
      ['Q4', false, 100],
    ]);
  });
});
