import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Company, FinancialStatement, STATEMENT_KEYS } from '../../src/model/company.ts';
import { camelCase } from '../../src/db/rows.ts';
import type { ErrorBody } from '../service.ts';
import { MULTIPLES } from '../valuations/valued.ts';
import { fixtureFiles, type FixtureService, startFixtureService } from './fixture-service.ts';

type Facts = readonly (readonly [concept: string, unit: string, start: string | null, end: string, value: number])[];

const CIK = 99990;

/** companyfacts in the publisher's layout. */
function companyFacts(filings: Readonly<Record<string, { readonly form: string; readonly filed: string; readonly facts: Facts }>>): string {
  const concepts: Record<string, { label: string; description: string; units: Record<string, object[]> }> = {};
  for (const [accn, { form, filed, facts }] of Object.entries(filings)) {
    for (const [concept, unit, start, end, val] of facts) {
      const { units } = (concepts[concept] ??= { label: concept, description: '', units: {} });
      // The label of the filing is wrong on purpose: it must not decide anything.
      (units[unit] ??= []).push({ ...(start === null ? {} : { start }), end, val, accn, fy: 1999, fp: 'Q2', form, filed });
    }
  }
  return JSON.stringify({ cik: CIK, entityName: 'Example Works, Inc.', facts: { 'us-gaap': concepts } });
}

const YEAR = ['2024-01-01', '2024-12-31'] as const;
const YEAR_BEFORE = ['2023-01-01', '2023-12-31'] as const;
const FACTS = companyFacts({
  '0000099990-24-000001': {
    form: '10-K',
    filed: '2024-02-09',
    facts: [
      ['Revenues', 'USD', ...YEAR_BEFORE, 900],
      ['NetIncomeLoss', 'USD', ...YEAR_BEFORE, 90],
    ],
  },
  '0000099990-25-000001': {
    form: '10-K',
    filed: '2025-02-10',
    facts: [
      ['Revenues', 'USD', ...YEAR, 1000],
      ['SalesRevenueGoodsNet', 'USD', ...YEAR, 700],
      ['NetIncomeLoss', 'USD', ...YEAR, 100],
      ['EarningsPerShareDiluted', 'USD/shares', ...YEAR, 0.5],
      ['NetIncomeLoss', 'USD', ...YEAR_BEFORE, 80],
      ['Assets', 'USD', null, '2024-12-31', 5000],
      ['StockholdersEquity', 'USD', null, '2022-12-31', 3000],
      ['NetCashProvidedByUsedInOperatingActivities', 'USD', ...YEAR, 120],
      ['NetIncomeLoss', 'USD', '2024-01-01', '2024-02-15', 7],
    ],
  },
  '0000099990-25-000009': {
    form: '10-Q',
    filed: '2025-05-05',
    facts: [
      ['NetIncomeLoss', 'USD', '2025-01-01', '2025-03-31', 30],
      ['NetCashProvidedByUsedInOperatingActivities', 'USD', '2025-01-01', '2025-03-31', 35],
    ],
  },
  '0000099990-25-000010': { form: '8-K', filed: '2025-06-02', facts: [['NetIncomeLoss', 'USD', '2025-04-01', '2025-06-30', 1]] },
});

let service: FixtureService;
beforeAll(async () => {
  const files = { ...fixtureFiles('sec', 'submissions', 'tickers'), 'sec/companyfacts/CIK0000099990.json': FACTS };
  service = await startFixtureService([{ files, at: '2025-07-01T08:00:00.000Z' }], '2025-07-02T08:00:00.000Z');
});
afterAll(() => service.stop());

const companies = async (path: string, key: 'full' | 'free' = 'full') => z.array(Company).parse((await service.list(path, key)).data);
const statements = async (query: string, company = 'EXMP', key: 'full' | 'free' = 'full') =>
  z.array(FinancialStatement).parse((await service.list(`/companies/${company}/financials${query}`, key)).data);

describe('/public/companies', () => {
  it('describes a company by known facts only', async () => {
    const [company] = await companies('/public/companies?ticker=exmp');
    expect(company).toMatchObject({
      companyId: 'company_0000099990',
      cik: '0000099990',
      exchange: 'XNAS',
      industry: 'Semiconductors & Related Devices',
      sic: '3674',
      country: 'US',
      reportingCurrency: 'USD',
      fiscalYearEnd: '12-31',
      status: 'active',
      latestPeriodEnd: '2025-03-31',
      freshnessStatus: 'fresh',
      scoringEligible: false,
    });
    expect(company?.sector).toBe('Manufacturing');
    expect([company?.price, company?.marketCap]).toEqual([null, null]);
    expect(company?.multiples).toEqual(Object.fromEntries(MULTIPLES.map((slug) => [camelCase(slug), null])));
    // One input of eleven: revenue of 2024 over 2023. Its first quarter of 2025 has none of the year before, and the balance of 2024 no equity.
    expect(company?.scoreCoverage).toBe(0.0909);
    expect(company?.scores).toEqual({ composite: null, value: null, quality: null, growth: 50, financialHealth: null });
    expect(company?.rightsNote).toMatch(/redistributed.*npm run rights -- grant quotes --note TEXT --redistribute\.$/);
  });

  it('applies the filters', async () => {
    const all = await companies('/public/companies');
    expect(all.length).toBeGreaterThan(1);
    for (const query of [
      'sector=manufacturing',
      'industry=semiconductors%20%26%20related%20devices',
      'country=usa',
      'q=0000099990',
      'q=example%20works',
    ])
      expect((await companies(`/public/companies?${query}`)).map((one) => one.ticker)).toEqual(['EXMP']);
    for (const query of ['sector=Technology', 'status=delisted', 'ticker=NONE'])
      expect(await companies(`/public/companies?${query}`)).toEqual([]);
  });

  it('shows as of a cutoff the companies and reports known then', async () => {
    expect(await companies('/public/companies?as_of=2024-02-08')).toEqual([]);
    expect(await companies('/public/companies?as_of=2024-02-09')).toMatchObject([
      // The list of tickers and the submissions came later.
      { ticker: null, latestPeriodEnd: '2023-12-31', freshnessStatus: 'fresh', sector: null, industry: null, sic: null },
    ]);
    expect(await companies('/public/companies?as_of=2025-02-10T12:00:00Z')).toMatchObject([
      { latestPeriodEnd: '2023-12-31', freshnessStatus: 'stale' },
    ]);
  });
});

describe('/companies/{idOrLookup}/financials', () => {
  it('finds the company by any of its names', async () => {
    for (const name of ['company_0000099990', 'company-0000099990', '0000099990', '99990', 'EXMP', 'exmp'])
      expect(await statements('', name)).toHaveLength(9);
    for (const name of ['12345', 'company_1', 'nobody', '%25']) {
      const response = await service.get(`/companies/${name}/financials`);
      expect(response.status).toBe(404);
      expect(((await response.json()) as ErrorBody).error.details?.['idOrLookup']).toBe(decodeURIComponent(name));
    }
  });

  it('places statements by the end of their period, not by the label of the filing', async () => {
    const placed = (await statements('')).map((one) => [
      one.statementType,
      one.periodType,
      one.fiscalYear,
      one.fiscalPeriod,
      one.periodEnd,
    ]);
    expect(placed.map(String).sort()).toEqual(
      [
        ['balance_sheet', 'instant', 2024, 'FY', '2024-12-31'],
        ['cash_flow', 'annual', 2024, 'FY', '2024-12-31'],
        ['cash_flow', 'quarterly', 2025, 'Q1', '2025-03-31'],
        ['income', 'annual', 2023, 'FY', '2023-12-31'],
        ['income', 'annual', 2024, 'FY', '2024-12-31'],
        ['income', 'quarterly', 2025, 'Q1', '2025-03-31'],
        ['cash_flow', 'ttm', 2024, 'TTM', '2024-12-31'],
        ['income', 'ttm', 2023, 'TTM', '2023-12-31'],
        ['income', 'ttm', 2024, 'TTM', '2024-12-31'],
      ]
        .map(String)
        .sort(),
    );
  });

  it('has every key, the consolidated revenue, and each figure with its concept and facts', async () => {
    const [income] = await statements('?statement=income&fiscal_year=2024&period=annual');
    expect(Object.keys(income?.items ?? {})).toEqual([...STATEMENT_KEYS.income]);
    expect(income?.items).toMatchObject({ revenue: 1000, netIncome: 100, epsDiluted: 0.5, grossProfit: null });
    expect(income?.lines.find((line) => line.key === 'revenue')).toMatchObject({
      concept: 'Revenues',
      unit: 'USD',
      quality: 'reported',
      factRefs: ['0000099990-25-000001/Revenues/USD/2024-01-01/2024-12-31'],
    });
    expect(income?.acceptedAt).toBe('2025-02-10T21:05:11.000Z');
    expect(income?.observedAt).toBe(income?.acceptedAt);
  });

  it('separates first reports from restatements, and keeps figures that a later filing does not repeat', async () => {
    const first = await statements('?fiscal_year=2023&period=annual&basis=as_reported');
    expect(first).toMatchObject([
      { items: { revenue: 900, netIncome: 90 }, restated: false, revisionStatus: 'initial', filedAt: '2024-02-09' },
    ]);
    const newest = await statements('?fiscal_year=2023&period=annual');
    expect(newest).toMatchObject([
      { items: { revenue: 900, netIncome: 80 }, restated: true, revisionStatus: 'revised', filedAt: '2025-02-10' },
    ]);
    expect(newest[0]?.lines.map((line) => line.factRefs[0]?.slice(0, 20))).toEqual(['0000099990-24-000001', '0000099990-25-000001']);
  });

  it('shows nothing of a filing one second before its acceptance', async () => {
    expect(await statements('?period=annual&as_of=2025-02-10T21:05:10Z')).toMatchObject([
      { fiscalYear: 2023, items: { netIncome: 90 }, restated: false },
    ]);
    expect(await statements('?period=annual&as_of=2025-02-10T21:05:11Z')).toHaveLength(4);
  });

  it('selects by length of period', async () => {
    expect((await statements('?period=annual')).map((one) => one.periodType).sort()).toEqual(['annual', 'annual', 'annual', 'instant']);
    expect((await statements('?period=quarterly')).map((one) => one.periodType).sort()).toEqual(['instant', 'quarterly', 'quarterly']);
    expect((await statements('?period=ttm')).map((one) => `${one.periodType} ${one.derivation}`)).toEqual(Array(3).fill('ttm none'));
  });

  it('shows a free key only the trailing 24 months', async () => {
    expect((await statements('', 'EXMP', 'free')).map((one) => one.periodEnd).filter((end) => end < '2023-07-02')).toEqual([]);
  });

  it('is available as CSV', async () => {
    const response = await service.get('/companies/EXMP/financials?format=csv&statement=balance_sheet');
    const text = await response.text();
    expect(text.split('\r\n')[0]).toBe(Object.keys(FinancialStatement.shape).join(','));
    expect(text).toContain('""totalAssets"":5000');
    const any = { headers: { 'if-none-match': '*' } };
    expect((await service.get('/companies/EXMP/financials?format=csv', any)).status).toBe(304);
    expect((await service.get('/companies/nobody/financials?format=csv', any)).status).toBe(404);
  });
});
