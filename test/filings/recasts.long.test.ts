// Multiples of a company whose figures are recast: a business sold or counted otherwise leaves the comparatives, and for a while the fiscal year and the
// year to date are of different scope. Fiscal years are calendar years; a hundred shares close at 50 throughout.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DerivedObservation } from '../../src/model/derived.ts';
import { QuarantineRecord } from '../../src/model/operations.ts';
import type { StatedFact } from './edgar.ts';
import { type ListBody, type RunningService, startService } from '../service.ts';
import { filesOfCompanies, type ValuedCompany } from '../valuations/valued.ts';
import { compareWithLakeOfThen } from '../story/look-ahead/lake-of-then.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { isLong } from '../suite.ts';

const REVENUE = 'Revenues';
const PERIODS: Readonly<Record<string, readonly [start: string, end: string]>> = Object.fromEntries(
  [2021, 2022, 2023, 2024, 2025].flatMap((year) => [
    [`${year}`, [`${year}-01-01`, `${year}-12-31`]],
    [`${year}Q1`, [`${year}-01-01`, `${year}-03-31`]],
    [`${year}Q2`, [`${year}-04-01`, `${year}-06-30`]],
    [`${year}Q3`, [`${year}-07-01`, `${year}-09-30`]],
    [`${year}Q4`, [`${year}-10-01`, `${year}-12-31`]],
  ]),
);
type Said = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** A filing by its form and day, and what it says: concept → period → amount. */
type Filing = readonly [form: string, filed: string, said: Said];

// With every revenue goes a net income of 100 a year, 25 a quarter; if earnings a share are said, that of a hundred shares.
const CASES: Readonly<Record<number, readonly Filing[]>> = {
  // A fifth of the business is sold in the first quarter of 2024.
  2000001: [
    ['10-K', '2023-02-01', { [REVENUE]: { 2021: 1000, 2022: 1000 }, EarningsPerShareDiluted: { 2022: 2 } }],
    ['10-Q', '2023-05-01', { [REVENUE]: { '2022Q1': 250, '2023Q1': 250 }, EarningsPerShareDiluted: { '2022Q1': 0.5, '2023Q1': 0.5 } }],
    ['10-K', '2024-02-01', { [REVENUE]: { 2022: 1000, 2023: 1000 }, EarningsPerShareDiluted: { 2022: 2, 2023: 2 } }],
    ['10-Q', '2024-05-01', { [REVENUE]: { '2023Q1': 200, '2024Q1': 210 }, EarningsPerShareDiluted: { '2023Q1': 0.5, '2024Q1': 0.6 } }],
    ['10-K', '2025-02-03', { [REVENUE]: { 2023: 800, 2024: 850 }, EarningsPerShareDiluted: { 2023: 2, 2024: 2.5 } }],
    ['10-Q', '2025-05-01', { [REVENUE]: { '2024Q1': 210, '2025Q1': 220 }, EarningsPerShareDiluted: { '2024Q1': 0.6, '2025Q1': 0.7 } }],
  ],
  // Sold in the last quarter of 2023: the annual report is without it, and says so of the year before.
  2000002: [
    ['10-K', '2023-02-01', { [REVENUE]: { 2021: 900, 2022: 1000 } }],
    ['10-Q', '2023-05-01', { [REVENUE]: { '2022Q1': 240, '2023Q1': 250 } }],
    ['10-Q', '2023-11-01', { [REVENUE]: { '2023Q2': 250, '2023Q3': 250 } }],
    ['10-K', '2024-02-01', { [REVENUE]: { 2022: 800, 2023: 820, '2023Q4': 215 } }],
    ['10-Q', '2024-05-01', { [REVENUE]: { '2023Q1': 200, '2024Q1': 210 } }],
  ],
  // Sold in the last quarter, and another part in the next: the shares by which the year before and the quarter were recast differ.
  2000003: [
    ['10-K', '2023-02-01', { [REVENUE]: { 2021: 900, 2022: 1000 } }],
    ['10-Q', '2023-05-01', { [REVENUE]: { '2022Q1': 240, '2023Q1': 250 } }],
    ['10-K', '2024-02-01', { [REVENUE]: { 2022: 800, 2023: 820 } }],
    ['10-Q', '2024-05-01', { [REVENUE]: { '2023Q1': 150, '2024Q1': 160 } }],
  ],
  // No comparative changes, yet the quarters are not the year's.
  2000004: [
    ['10-Q', '2023-05-01', { [REVENUE]: { '2023Q1': 150 } }],
    ['10-Q', '2023-11-01', { [REVENUE]: { '2023Q2': 250, '2023Q3': 250 } }],
    ['10-K', '2024-02-01', { [REVENUE]: { 2023: 1000, '2023Q4': 250 } }],
    ['10-Q', '2024-05-01', { [REVENUE]: { '2023Q1': 150, '2024Q1': 300 } }],
  ],
  // Recast by less than half a percent of the year.
  2000005: [
    ['10-Q', '2023-05-01', { [REVENUE]: { '2023Q1': 250 } }],
    ['10-K', '2024-02-01', { [REVENUE]: { 2023: 1000 } }],
    ['10-Q', '2024-05-01', { [REVENUE]: { '2023Q1': 246, '2024Q1': 260 } }],
  ],
  // Earnings a share alone are recast; net income is stated, and is not what they were made of.
  2000006: [
    ['10-Q', '2023-05-01', { EarningsPerShareDiluted: { '2023Q1': 0.5 }, NetIncomeLoss: { '2023Q1': 50 } }],
    ['10-K', '2024-02-01', { EarningsPerShareDiluted: { 2023: 2 }, NetIncomeLoss: { 2023: 200 } }],
    ['10-Q', '2024-05-01', { EarningsPerShareDiluted: { '2023Q1': 0.3, '2024Q1': 0.5 }, NetIncomeLoss: { '2023Q1': 50, '2024Q1': 60 } }],
  ],
  // The year is stated again under another concept, and is smaller.
  2000007: [
    ['10-K', '2024-02-01', { SalesRevenueNet: { 2023: 1000 } }],
    ['10-K/A', '2024-03-01', { RevenueFromContractWithCustomerExcludingAssessedTax: { 2023: 950 } }],
  ],
  // Operating income is recast, income before tax is not.
  2000008: [
    ['10-Q', '2023-05-01', { OperatingIncomeLoss: { '2023Q1': 50 }, ...taxed({ '2023Q1': 40 }) }],
    ['10-K', '2024-02-01', { OperatingIncomeLoss: { 2023: 200 }, ...taxed({ 2023: 160 }) }],
    ['10-Q', '2024-05-01', { OperatingIncomeLoss: { '2023Q1': 60, '2024Q1': 70 }, ...taxed({ '2023Q1': 40, '2024Q1': 50 }) }],
  ],
};

function taxed(amounts: Readonly<Record<string, number>>): Said {
  return {
    IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest: amounts,
    InterestExpense: Object.fromEntries(Object.keys(amounts).map((period) => [period, 5])),
  };
}

const unitOf = (concept: string) => (concept.startsWith('EarningsPerShare') ? 'USD/shares' : 'USD');
const withIncome = (said: Said): Said =>
  said[REVENUE] === undefined
    ? said
    : {
        NetIncomeLoss: Object.fromEntries(
          Object.keys(said[REVENUE]).map((period) => {
            const earned = said['EarningsPerShareDiluted']?.[period];
            return [period, earned === undefined ? (period.length === 4 ? 100 : 25) : 100 * earned];
          }),
        ),
        ...said,
      };
const factsOf = (said: Said): StatedFact[] =>
  Object.entries(withIncome(said)).flatMap(([concept, amounts]) =>
    Object.entries(amounts).map(([period, value]): StatedFact => {
      const [start = '', end = ''] = PERIODS[period] ?? [];
      return [concept, unitOf(concept), start, end, value];
    }),
  );

const DAYS = ['2024-04-30', '2024-05-01', '2024-05-02', '2025-02-04', '2025-05-02'];

const companyOf = (cik: number, filings: readonly Filing[]): ValuedCompany => ({
  cik,
  filings: Object.fromEntries(
    filings.map(([form, filed, said], index) => {
      const [newest = filed] = factsOf(said)
        .map(([, , , end]) => end)
        .toSorted()
        .reverse();
      const shares: StatedFact = ['EntityCommonStockSharesOutstanding', 'shares', null, filed, 100];
      const balance = { StockholdersEquity: 500, LongTermDebtNoncurrent: 100, CashAndCashEquivalentsAtCarryingValue: 100 };
      const balances = Object.entries(balance).map(([concept, value]): StatedFact => [concept, 'USD', null, newest, value]);
      return [index, { form, filed, facts: [...factsOf(said), ...balances, shares] }];
    }),
  ),
  closes: Object.fromEntries(DAYS.map((day) => [day, 50])),
});

describe('the multiples of a company whose figures are recast', () => {
  let pipeline: Pipeline;
  let service: RunningService;
  let referenceDir: string;
  beforeAll(async () => {
    // Prices of a vendor may not be passed on, nor what is computed from them. Here they may, so that the wire can be read.
    referenceDir = await mkdtemp(join(tmpdir(), 'asof-reference-'));
    await cp(resolve(import.meta.dirname, '../../data/reference'), referenceDir, { recursive: true });
    const sources = await readFile(join(referenceDir, 'sources.csv'), 'utf8');
    await writeFile(join(referenceDir, 'sources.csv'), sources.replace(/^(\d+,quotes,.*?),false,/mu, '$1,true,'));
    pipeline = await openPipeline({ referenceDir });
    const companies = Object.entries(CASES).map(([cik, filings]) => companyOf(Number(cik), filings));
    await pipeline.run(filesOfCompanies(companies), '2025-06-01T00:00:00.000Z');
    service = await startService(pipeline.dataDir, { now: Date.parse('2025-06-02T00:00:00.000Z') });
  });
  afterAll(async () => {
    await service?.stop();
    await pipeline?.remove();
    await rm(referenceDir, { recursive: true, force: true });
  });

  const rows = async (path: string): Promise<readonly unknown[]> => {
    const response = await service.get(path, { key: 'full' });
    expect(response.status).toBe(200);
    return ((await response.json()) as ListBody).data;
  };
  async function said(cik: number, slug: string, day: string, asOf = `${day}T23:59:59Z`): Promise<DerivedObservation> {
    const query = `indicator_id=indicator_${slug}&entity_id=company_000${cik}&as_of=${asOf}&start_date=${day}&end_date=${day}`;
    const [row, ...more] = z.array(DerivedObservation).parse(await rows(`/derived-observations?${query}`));
    expect(more).toEqual([]);
    if (row === undefined) throw new Error(`No ${slug} of ${cik} on ${day}.`);
    return row;
  }

  it('have no value rolled across the sale of a business, from the second of the comparatives until the next annual report', async () => {
    expect((await said(2000001, 'price_to_sales', '2024-05-01', '2024-05-01T20:59:59Z')).valueNumeric).toBe(5);
    for (const [day, asOf] of [['2024-05-01', '2024-05-01T21:00:00Z'], ['2024-05-02']] as const) {
      expect(await said(2000001, 'price_to_sales', day, asOf)).toMatchObject({
        valueNumeric: null,
        valueText: 'insufficient_data',
        metadata: { denominator: null, reason: 'insufficient_data', contradictions: { revenue: 'scope_changed' } },
      });
    }
    // Of 2024 as it was filed, then 850 + 220 - 210.
    expect((await said(2000001, 'price_to_sales', '2025-02-04')).valueNumeric).toBeCloseTo(5000 / 850, 12);
    expect((await said(2000001, 'price_to_sales', '2025-05-02')).valueNumeric).toBeCloseTo(5000 / 860, 12);
  });

  it('keep the values that the sale does not affect', async () => {
    const row = await said(2000001, 'price_to_earnings', '2024-05-02');
    expect(row.valueNumeric).toBeCloseTo(50 / (2 + 0.6 - 0.5), 12);
    expect(row.metadata['contradictions']).toBeNull();
  });

  it('roll on from an annual report that already has the new scope: 820 + 210 - 200', async () => {
    expect((await said(2000002, 'price_to_sales', '2024-05-02')).valueNumeric).toBeCloseTo(5000 / 830, 12);
  });

  it('do not if the quarter was recast by another share than the earlier year', async () => {
    expect(await said(2000003, 'price_to_sales', '2024-05-02')).toMatchObject({
      valueNumeric: null,
      metadata: { contradictions: { revenue: 'scope_changed' } },
    });
  });

  it('have none if the four quarters have another sum: 1150 instead of 1050', async () => {
    expect(await said(2000004, 'price_to_sales', '2024-05-02')).toMatchObject({
      valueNumeric: null,
      metadata: { contradictions: { revenue: 'quarters_disagree' } },
    });
  });

  it('ignore less than half a percent: 1000 + 260 - 246', async () => {
    expect((await said(2000005, 'price_to_sales', '2024-05-02')).valueNumeric).toBeCloseTo(5000 / 1014, 12);
  });

  it('do not replace a contradictory figure by another one', async () => {
    expect(await said(2000006, 'price_to_earnings', '2024-05-02')).toMatchObject({
      valueNumeric: null,
      valueText: 'insufficient_data',
      metadata: { contradictions: { eps_diluted: 'scope_changed' } },
    });
    expect(await said(2000008, 'ev_to_ebit', '2024-05-02')).toMatchObject({
      valueNumeric: null,
      metadata: { contradictions: { operating_income: 'scope_changed' } },
    });
  });

  it('follow a year that is restated under another concept, even if the first was larger', async () => {
    expect((await said(2000007, 'price_to_sales', '2024-04-30')).valueNumeric).toBeCloseTo(5000 / 950, 12);
  });

  it.each([
    ['2000001', 'income.revenue', '2024-03-31', '1010.0'],
    ['2000003', 'income.revenue', '2024-03-31', '830.0'],
    ['2000004', 'income.revenue', '2024-03-31', '1150.0'],
    ['2000006', 'income.epsDiluted', '2024-03-31', '2.2'],
    ['2000008', 'income.operatingIncome', '2024-03-31', '210.0'],
  ])('leave contradictions in quarantine: %s %s', async (cik, fieldPath, period, observedValue) => {
    const found = z.array(QuarantineRecord).parse(await rows(`/quarantine?rule=reconciliation_failed&entity_id=company_000${cik}`));
    expect(found.filter((one) => one.period === period)).toMatchObject([{ fieldPath, observedValue, severity: 'block', status: 'open' }]);
  });

  it('exclude the same twelve months from the statements', async () => {
    const query = 'statement=income&period=ttm&as_of=2024-05-03T00:00:00Z';
    const Statement = z.looseObject({ periodEnd: z.string(), items: z.record(z.string(), z.number().nullable()) });
    for (const [cik, revenue] of [
      [2000001, null],
      [2000002, 830],
      [2000003, null],
      [2000005, 1014],
    ] as const) {
      const statements = z.array(Statement).parse(await rows(`/companies/${cik}/financials?${query}`));
      expect(statements.find((one) => one.periodEnd.startsWith('2024-03-31'))?.items['revenue']).toBe(revenue);
    }
  });

  it('name their price and facts', async () => {
    const row = await said(2000001, 'price_to_sales', '2025-05-02');
    const accession = (index: number) => `0002000001-24-00000${index}`;
    expect(row.derivedFrom).toEqual([
      'company_0002000001_price_close',
      `sec:${accession(4)}/us-gaap:Revenues/2024-01-01/2024-12-31`,
      `sec:${accession(5)}/dei:EntityCommonStockSharesOutstanding/2025-05-01`,
      `sec:${accession(5)}/us-gaap:Revenues/2024-01-01/2024-03-31`,
      `sec:${accession(5)}/us-gaap:Revenues/2025-01-01/2025-03-31`,
    ]);
    expect(row.inputObservationIds).toHaveLength(1);
  });

  it.runIf(isLong)('as of a moment equal those in a lake of that moment', async () => {
    const cutoffs = ['2024-04-30', '2024-05-01', '2025-02-04'].map((day) => `${day}T23:59:59.999Z`);
    const report = await compareWithLakeOfThen(pipeline, ['price_to_sales', 'price_to_earnings', 'ev_to_ebit'], cutoffs);
    expect(report.differences).toEqual([]);
    expect(report.rowsCompared).toBeGreaterThan(100);
  });
});
