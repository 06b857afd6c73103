// The trailing multiples of one company, against figures reckoned by hand, and what they say where something is missing.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StatedFact, StatedFiling } from '../filings/edgar.ts';
import { compareWithLakeOfThen } from '../story/look-ahead/lake-of-then.ts';
import { ask, openPipeline, type Pipeline } from '../pipeline.ts';
import { filesOfCompanies, MULTIPLES, multipleAsOf, type ValuedCompany } from './valued.ts';
import { isLong } from '../suite.ts';

const AT = '2024-12-31T00:00:00.000Z';

type Amounts = Readonly<Record<string, number>>;

const flows = (start: string, end: string, amounts: Amounts): StatedFact[] =>
  Object.entries(amounts).map(([concept, value]) => [
    concept,
    concept.startsWith('EarningsPerShare') ? 'USD/shares' : 'USD',
    start,
    end,
    value,
  ]);
const balances = (end: string, amounts: Amounts): StatedFact[] =>
  Object.entries(amounts).map(([concept, value]) => [concept, 'USD', null, end, value]);
const cover = (day: string, count: number): StatedFact => ['EntityCommonStockSharesOutstanding', 'shares', null, day, count];

/** Flows of a whole year; a part of a year is that part of them. */
const YEAR: Amounts = {
  Revenues: 1000,
  NetIncomeLoss: 200,
  EarningsPerShareDiluted: 2,
  OperatingIncomeLoss: 250,
  DepreciationDepletionAndAmortization: 50,
  NetCashProvidedByUsedInOperatingActivities: 260,
  PaymentsToAcquirePropertyPlantAndEquipment: 60,
  PaymentsOfDividends: 40,
};
const times = (amounts: Amounts, factor: number): Amounts =>
  Object.fromEntries(Object.entries(amounts).map(([concept, value]) => [concept, value * factor]));
const BALANCE: Amounts = {
  StockholdersEquity: 800,
  LongTermDebtNoncurrent: 300,
  DebtCurrent: 100,
  CashAndCashEquivalentsAtCarryingValue: 150,
  ShortTermInvestments: 50,
};

/** Fiscal years are calendar years; 2023 is half as large again as 2022, the first quarter of 2024 twice that of 2023. */
const ANNUAL: StatedFiling = {
  form: '10-K',
  filed: '2024-02-01',
  facts: [
    ...flows('2022-01-01', '2022-12-31', YEAR),
    ...flows('2023-01-01', '2023-12-31', times(YEAR, 1.5)),
    ...balances('2023-12-31', BALANCE),
    cover('2024-01-25', 100),
  ],
};
const ACCEPTED = '2024-05-02T20:30:00.000Z';
const QUARTER: StatedFiling & { readonly acceptedAt: string } = {
  form: '10-Q',
  filed: '2024-05-02',
  acceptedAt: ACCEPTED,
  facts: [
    ...flows('2023-01-01', '2023-03-31', times(YEAR, 0.3)),
    ...flows('2024-01-01', '2024-03-31', times(YEAR, 0.6)),
    ...balances('2024-03-31', { ...BALANCE, StockholdersEquity: 900 }),
    cover('2024-04-25', 110),
  ],
};

const withBalance = (filing: StatedFiling, amounts: Amounts): StatedFiling => ({
  ...filing,
  facts: [...filing.facts, ...balances('2023-12-31', amounts)],
});

describe('the multiples of a company', () => {
  let pipeline: Pipeline;
  const SOUND = 1000001;
  const SPLIT = 1045810;
  beforeAll(async () => {
    pipeline = await openPipeline();
    const closes = { '2024-01-31': 29, '2024-04-30': 30, '2024-05-02': 33, '2024-05-03': 36 };
    const facts = (filing: StatedFiling, change: (fact: StatedFact) => StatedFact | null): StatedFiling => ({
      ...filing,
      facts: filing.facts.map(change).filter((fact) => fact !== null),
    });
    const without = (pattern: RegExp) => (fact: StatedFact) => (pattern.test(fact[0]) ? null : fact);
    const filings = { 1: ANNUAL, 2: QUARTER };
    const given: readonly ValuedCompany[] = [
      { cik: SOUND, filings, closes: { ...closes, '2024-10-03': 40 } },
      // Ten for one on 2024-06-10: the filings are from before, the vendor's prices are adjusted. Reference data name the ticker of this company.
      { cik: SPLIT, ticker: 'NVDA', filings, closes: { '2024-06-07': 3, '2024-06-10': 3.3 } },
      { cik: 1000002, filings: { 1: facts(ANNUAL, ([c, u, s, e, v]) => [c, u, s, e, c === 'StockholdersEquity' ? -800 : v]) }, closes },
      {
        cik: 1000003,
        filings: {
          1: facts(ANNUAL, ([c, u, s, e, v]) => [
            c,
            u,
            s,
            e,
            c === 'EntityCommonStockSharesOutstanding' ? 0 : c === 'EarningsPerShareDiluted' ? 0.01 : v,
          ]),
        },
        closes,
      },
      { cik: 1000004, filings: { 1: facts(ANNUAL, without(/Depreciation|PaymentsToAcquire|LongTermDebt/)) }, closes },
      // A balance sheet that is not divided into current and other: of a bank, and of one that is none.
      { cik: 1000005, filings: { 1: withBalance(ANNUAL, { Assets: 5000 }) }, closes, sic: '6021' },
      { cik: 1000009, filings: { 1: withBalance(ANNUAL, { Assets: 5000 }) }, closes },
      { cik: 1000010, filings: { 1: withBalance(ANNUAL, { Assets: 5000, AssetsCurrent: 900 }) }, closes, sic: '6324' },
      { cik: 1000006, filings: { 2: QUARTER }, closes },
      { cik: 1000007, filings: { 1: facts(ANNUAL, without(/EarningsPerShare/)) }, closes },
      // The quarter calls its dividends by another name: of the same amount a year ago, and of a part of it.
      ...[1, 0.5].map((part, index) => ({
        cik: 1000011 + index,
        filings: {
          1: ANNUAL,
          // The year before, as last year's report stated it.
          0: { form: '10-Q', filed: '2023-05-02', facts: flows('2023-01-01', '2023-03-31', times(YEAR, 0.3)) },
          2: facts(QUARTER, ([c, u, s, e, v]) =>
            c === 'PaymentsOfDividends' ? ['PaymentsOfDividendsCommonStock', u, s, e, v * part] : [c, u, s, e, v],
          ),
        },
        closes,
      })),
      // Millions of the units on the cover, as AMD wrote in 2012.
      {
        cik: 1000008,
        filings: {
          1: {
            ...ANNUAL,
            facts: [
              ...ANNUAL.facts.filter(([concept]) => concept !== 'EntityCommonStockSharesOutstanding'),
              cover('2024-01-25', 100_000_000),
              ['CommonStockSharesOutstanding', 'shares', null, '2023-12-31', 99],
            ],
          },
        },
        closes,
      },
    ];
    await pipeline.ingest(filesOfCompanies(given), AT);
    await pipeline.publish();
  });
  afterAll(() => pipeline.remove());

  const valued = async (cik: number, slug: string, day: string, asOf = AT) => multipleAsOf(pipeline, cik, slug, day, asOf);

  it.each([
    // Of fiscal 2023: 100 shares at 30; debt 400, cash 200.
    ['price_to_earnings', 30 / 3],
    ['price_to_book', 3000 / 800],
    ['price_to_sales', 3000 / 1500],
    ['price_to_free_cash_flow', 3000 / 300],
    ['price_to_operating_cash_flow', 3000 / 390],
    ['ev_to_ebitda', 3200 / 450],
    ['ev_to_ebit', 3200 / 375],
    ['ev_to_sales', 3200 / 1500],
    ['ev_to_free_cash_flow', 3200 / 300],
    ['earnings_yield', 3 / 30],
    ['free_cash_flow_yield', 300 / 3000],
    ['dividend_yield', 60 / 3000],
    ['peg', 10 / 50],
  ])('use %s of the fiscal year if that is the newest', async (slug, expected) => {
    expect((await valued(SOUND, slug, '2024-04-30'))?.value).toBeCloseTo(expected, 12);
  });

  it('roll twelve months: the fiscal year and the quarter, less the quarter a year ago', async () => {
    const said = await valued(SOUND, 'price_to_sales', '2024-05-03');
    expect(said?.value).toBeCloseTo((36 * 110) / (1500 + 600 - 300), 12);
    expect(said?.metadata).toMatchObject({ shares: 110, sharesAsOf: '2024-04-25', windowEnd: '2024-03-31' });
    expect(said?.metadata['facts']).toHaveLength(4);
    expect((await valued(SOUND, 'price_to_earnings', '2024-05-03'))?.value).toBeCloseTo(36 / (3 + 1.2 - 0.6), 12);
  });

  it('roll dividends under a new name only if that is the same amount', async () => {
    expect((await valued(1000011, 'dividend_yield', '2024-05-03'))?.value).toBeCloseTo((60 + 24 - 12) / (36 * 110), 12);
    expect(await valued(1000012, 'dividend_yield', '2024-05-03')).toMatchObject({ value: null, valueText: 'insufficient_data' });
  });

  it('have the old value one second before a filing is accepted, and the new one from then on', async () => {
    const before = await valued(SOUND, 'price_to_book', '2024-05-02', '2024-05-02T20:29:59.000Z');
    const after = await valued(SOUND, 'price_to_book', '2024-05-02', ACCEPTED);
    expect(before?.value).toBeCloseTo(3300 / 800, 12);
    expect(after?.value).toBeCloseTo((33 * 110) / 900, 12);
    expect(after?.observedAt).toContain('2024-05-02 20:30:00');
  });

  it('have no value before the close of their day, nor before the first filing', async () => {
    expect(await valued(SOUND, 'price_to_book', '2024-05-02', '2024-05-02T19:59:59.000Z')).toBeNull();
    expect(await valued(SOUND, 'price_to_book', '2024-01-31', '2024-02-01T20:59:59.000Z')).toBeNull();
  });

  it('pair split-adjusted prices with shares and earnings on the same basis, before and after the split', async () => {
    const [before, after] = [
      await valued(SPLIT, 'price_to_earnings', '2024-06-07'),
      await valued(SPLIT, 'price_to_earnings', '2024-06-10'),
    ];
    expect(before?.value).toBeCloseTo(30 / 3.6, 12);
    expect(before?.metadata).toMatchObject({ price: 30, shares: 110 });
    expect(after?.value).toBeCloseTo(3.3 / 0.36, 12);
    expect(after?.metadata).toMatchObject({ price: 3.3, shares: 1100, marketCap: 3630 });
  });

  it.each([
    [1000002, 'price_to_book', 'not_meaningful'],
    [1000003, 'price_to_sales', 'insufficient_data'],
    [1000003, 'ev_to_sales', 'insufficient_data'],
    [1000004, 'ev_to_ebitda', 'insufficient_data'],
    [1000004, 'price_to_free_cash_flow', 'insufficient_data'],
    [1000004, 'ev_to_sales', 'insufficient_data'],
    [1000005, 'ev_to_ebit', 'not_applicable'],
    [1000005, 'price_to_sales', 'not_applicable'],
  ])('are null with a reason if a number would be wrong: %s %s %s', async (cik, slug, reason) => {
    const said = await valued(cik, slug, '2024-04-30');
    expect(said).toMatchObject({ value: null, valueText: reason, metadata: { reason } });
  });

  it('still value a bank by earnings, book and dividends', async () => {
    for (const slug of ['price_to_earnings', 'price_to_book', 'dividend_yield']) {
      expect((await valued(1000005, slug, '2024-04-30'))?.value).toBeGreaterThan(0);
    }
  });

  it('identify a bank by its balance sheet until its industry is known, and by that from then on', async () => {
    const before = '2024-12-30T00:00:00.000Z';
    for (const cik of [1000005, 1000009]) {
      expect(await valued(cik, 'price_to_sales', '2024-04-30', before)).toMatchObject({ value: null, valueText: 'not_applicable' });
    }
    expect((await valued(1000010, 'price_to_sales', '2024-04-30', before))?.value).toBeCloseTo(3000 / 1500, 12);
    expect((await valued(1000009, 'price_to_sales', '2024-04-30'))?.value).toBeCloseTo(3000 / 1500, 12);
    expect(await valued(1000010, 'price_to_sales', '2024-04-30')).toMatchObject({ value: null, valueText: 'not_applicable' });
  });

  it('value nothing by one quarter alone', async () => {
    for (const slug of MULTIPLES) expect((await valued(1000006, slug, '2024-05-03'))?.value ?? null).toBeNull();
  });

  it('use earnings over market capitalisation if no diluted earnings per share are stated', async () => {
    expect((await valued(1000007, 'price_to_earnings', '2024-04-30'))?.value).toBeCloseTo(3000 / 300, 12);
  });

  it('do not use a share count in another scale than all others', async () => {
    expect((await valued(1000008, 'price_to_sales', '2024-04-30'))?.metadata['shares']).toBe(99);
  });

  it('are stale if the newest figures are older than 185 days', async () => {
    expect(await valued(SOUND, 'price_to_earnings', '2024-10-03')).toMatchObject({ value: null, valueText: 'stale_fundamentals' });
  });

  it('are always a finite number or null', async () => {
    const reader = await pipeline.open();
    const [row] = await reader.withConnection(async (connection) =>
      (
        await connection.runAndReadAll(
          'select count(*) filter (not isfinite(value)), count(*) from published.vintages inner join published.series using (series_no) where is_derived',
        )
      ).getRows(),
    );
    expect(Number(row?.[0])).toBe(0);
    expect(Number(row?.[1])).toBeGreaterThan(300);
  });

  it('are listed and internal, because prices are not redistributable', async () => {
    const reader = await pipeline.open();
    const rows = await reader.withConnection(async (connection) =>
      (
        await connection.runAndReadAll("select slug, is_redistributable from published.derived_indicators where family = 'valuation'")
      ).getRows(),
    );
    expect(rows.map(([slug]) => String(slug)).toSorted()).toEqual(MULTIPLES.toSorted());
    expect(rows.every(([, isRedistributable]) => isRedistributable === false)).toBe(true);
  });

  it('are withheld from every answer of observations, which shows the prices with their rights', async () => {
    const reader = await pipeline.open();
    const entity = `company_000${SOUND}`;
    expect(await ask(reader, { indicatorIds: [`${entity}_price_to_book`] })).toEqual([]);
    expect(await ask(reader, { indicatorIds: [`${entity}_price_close`] })).toHaveLength(5);
  });

  it.runIf(isLong)(
    'as of a day have the values in a lake of that day',
    async () => {
      const cutoffs = ['2024-02-01', '2024-04-30', '2024-05-01', '2024-05-02', '2024-05-03', '2024-06-10', '2024-12-31'].map(
        (day) => `${day}T23:59:59.999Z`,
      );
      const report = await compareWithLakeOfThen(pipeline, MULTIPLES, cutoffs);
      expect(report.differences.flatMap(({ tooMuch, missing }) => [...tooMuch, ...missing])).toEqual([]);
      expect(report.rowsCompared).toBeGreaterThan(500);
    },
    300_000,
  );
});
