// How many shares count, and what a quoted unit is of the counted share.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StatedFact, StatedFiling } from '../filings/edgar.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { closesOf, filesOfCompanies, multipleAsOf } from '../valuations/valued.ts';

const NOW = '2024-12-31T00:00:00.000Z';
const annual = (counts: { cover?: number; balance?: number; eps?: number; weighted?: number }): StatedFiling => {
  const { cover, balance, eps, weighted } = counts;
  const year = (concept: string, unit: string, value: number): StatedFact => [concept, unit, '2023-01-01', '2023-12-31', value];
  const stated = (value: number | undefined, fact: (value: number) => StatedFact): StatedFact[] =>
    value === undefined ? [] : [fact(value)];
  return {
    form: '10-K',
    filed: '2024-02-01',
    facts: [
      year('Revenues', 'USD', 1000),
      year('NetIncomeLoss', 'USD', 100),
      ...stated(eps, (value) => year('EarningsPerShareDiluted', 'USD/shares', value)),
      ...stated(weighted, (value) => ['WeightedAverageNumberOfSharesOutstandingBasic', 'shares', '2023-10-01', '2023-12-31', value]),
      ['StockholdersEquity', 'USD', null, '2023-12-31', 500],
      ...stated(balance, (value) => ['CommonStockSharesOutstanding', 'shares', null, '2023-12-31', value]),
      ...stated(cover, (value) => ['EntityCommonStockSharesOutstanding', 'shares', null, '2024-01-25', value]),
    ],
  };
};

describe('the shares of a company', () => {
  let pipeline: Pipeline;
  // Net income 100: earnings of 1 a share say 100 shares.
  const CASES = {
    1100001: { said: annual({ cover: 100, balance: 1, eps: 1 }), shares: 100, reason: null, refused: ['balanceSheet'] },
    1100002: { said: annual({ balance: 1, eps: 1, weighted: 100 }), shares: null, reason: 'share_count_uncertain', refused: [] },
    1100003: { said: annual({ cover: 100_000, balance: 110, eps: 1 }), shares: 110, reason: null, refused: ['cover'] },
    1100004: { said: annual({ cover: 149, eps: 1 }), shares: 149, reason: null, refused: [] },
    1100005: { said: annual({ cover: 151, eps: 1 }), shares: null, reason: 'share_count_uncertain', refused: [] },
    1100006: { said: annual({ cover: 70 }), shares: 70, reason: null, refused: [] },
    // Earnings below 5 cents a share say too little: the weighted average speaks.
    1100007: { said: annual({ cover: 3000, eps: 0.04, weighted: 2900 }), shares: 3000, reason: null, refused: [] },
  } as const;
  beforeAll(async () => {
    pipeline = await openPipeline();
    const companies = Object.entries(CASES).map(([cik, { said }]) => ({
      cik: Number(cik),
      filings: { 1: said },
      closes: { '2024-03-01': 1 },
    }));
    await pipeline.run(filesOfCompanies(companies), NOW);
  });
  afterAll(() => pipeline.remove());

  it.each(Object.entries(CASES))('of %s are the first of two agreeing figures, or null', async (cik, { shares, reason, refused }) => {
    const said = await multipleAsOf(pipeline, Number(cik), 'price_to_sales', '2024-03-01', NOW);
    expect([said?.value, said?.metadata['shares'], said?.metadata['reason']]).toEqual([
      shares === null ? null : shares / 1000,
      shares,
      reason,
    ]);
    const witnesses = said?.metadata['shareWitnesses'] as readonly { witness: string; refused: boolean }[];
    expect(witnesses.filter((one) => one.refused).map((one) => one.witness)).toEqual(refused);
    const reader = await pipeline.open();
    const found = await reader.withConnection((connection) =>
      connection.runAndReadAll(`
        select share_counts[-1].shares, (select max(value) from published.company_figures where field = 'shares_outstanding' and entity_id = company_id),
          (select list(field_path) from published.quarantine where quarantine.entity_id = company_id and field_path like 'shares.%')::varchar
        from published.companies where cik::integer = ${cik}`),
    );
    const [[published, figure, findings] = []] = found.getRows();
    expect([published, figure]).toEqual([shares, shares]);
    expect(findings).toBe(refused.length === 0 ? null : `[${refused.map((witness) => `shares.${witness}`).join(', ')}]`);
  });
});

describe('a quoted unit that is not the counted share', () => {
  let pipeline: Pipeline;
  let referenceDir: string;
  beforeAll(async () => {
    referenceDir = await mkdtemp(join(tmpdir(), 'asof-reference-'));
    await cp(resolve(import.meta.dirname, '../../data/reference'), referenceDir, { recursive: true });
    const file = join(referenceDir, 'share_classes.csv');
    const lines =
      '0001200001,T1200001,2024-03-02,depositary_receipt,1,13,true,Form 10-K,x\n0001200002,B1200002,2020-01-01,class,1500,1,true,Form 10-K,x\n';
    await writeFile(file, (await readFile(file, 'utf8')) + lines);
    pipeline = await openPipeline({ referenceDir });
    const said = annual({ cover: 130, eps: 100 / 130 });
    const companies = [
      { cik: 1200001, filings: { 1: said }, closes: { '2024-03-01': 260, '2024-03-04': 260 } },
      { cik: 1200002, filings: { 1: said }, closes: { '2024-03-01': 3000 } },
    ];
    const files = filesOfCompanies(companies);
    const tickers = { 0: ['T1200001', 1200001], 1: ['T1200002', 1200002], 2: ['B1200002', 1200002] } as const;
    const list = Object.fromEntries(
      Object.entries(tickers).map(([key, [ticker, cik]]) => [key, { cik_str: cik, ticker, title: `Filer ${cik}` }]),
    );
    const classB = JSON.parse(String(Object.values(closesOf(1200002, { '2024-03-01': 2 }))[0])) as { symbol: string };
    await pipeline.run(
      {
        ...files,
        'sec/company_tickers.json': JSON.stringify(list),
        'prices/daily_json/B1200002.json': JSON.stringify({ ...classB, symbol: 'B1200002' }),
      },
      NOW,
    );
  });
  afterAll(async () => {
    await pipeline.remove();
    await rm(referenceDir, { recursive: true });
  });

  it('is a receipt for that many shares from the day of its line on', async () => {
    const of = async (day: string, slug: string) => multipleAsOf(pipeline, 1200001, slug, day, NOW);
    // The day before, 130 shares of 260 would be 338 times earnings.
    expect((await of('2024-03-01', 'price_to_sales'))?.valueText).toBe('unit_of_quote_unknown');
    const said = await of('2024-03-04', 'price_to_sales');
    // 130 shares are ten receipts of 260.
    expect([said?.metadata['marketCap'], said?.metadata['sharesPerQuotedUnit'], said?.metadata['quotedTicker']]).toEqual([
      2600,
      13,
      'T1200001',
    ]);
    expect((await of('2024-03-04', 'price_to_earnings'))?.value).toBeCloseTo(26, 9);
  });

  it('is the named class, and the other class is a series of its own', async () => {
    const said = await multipleAsOf(pipeline, 1200002, 'price_to_sales', '2024-03-01', NOW);
    expect([said?.metadata['quotedTicker'], said?.metadata['price'], said?.metadata['marketCap']]).toEqual(['B1200002', 2, 2 * 1500 * 130]);
    const reader = await pipeline.open();
    const found = await reader.withConnection((connection) =>
      connection.runAndReadAll(`
        select series.indicator_id, value, release_no from published.vintages inner join published.series using (series_no)
        where canonical_id = 'price_close' and contains(indicator_id, '1200002') order by 1`),
    );
    expect(found.getRows().map((row) => row.map(String))).toEqual([
      ['company_0001200002_price_close', '2', '1'],
      ['listing_0001200002_t1200002_price_close', '3000', '1'],
    ]);
  });
});

describe('a price without a line that names its share class', () => {
  let pipeline: Pipeline;
  // Net income 100, revenue 1000, equity 500, 100 shares: a price of 10 is a market value of 1000.
  const withFloat = (float: number | null): StatedFiling => {
    const said = annual({ cover: 100, eps: 1 });
    return float === null ? said : { ...said, facts: [...said.facts, ['EntityPublicFloat', 'USD', null, '2023-06-30', float]] };
  };
  const UNKNOWN = 'unit_of_quote_unknown';
  const CASES = [
    { says: 'a float that is near', float: 900, closes: { '2024-03-01': 10 }, reason: null },
    { says: 'a float of less than a third', float: 300, closes: { '2024-03-01': 10 }, reason: UNKNOWN },
    { says: 'a float of just over a third', float: 340, closes: { '2024-03-01': 10 }, reason: null },
    { says: 'a float of more than three times', float: 3100, closes: { '2024-03-01': 10 }, reason: UNKNOWN },
    {
      says: 'a float that fits the close of its day, before a rise',
      float: 190,
      closes: { '2023-06-28': 2, '2024-03-01': 10 },
      reason: null,
    },
    {
      says: 'a float that does not fit the close of its day',
      float: 900,
      closes: { '2023-06-28': 100, '2024-03-01': 10 },
      reason: UNKNOWN,
    },
    { says: 'no float, and only earnings are far off', float: null, closes: { '2024-03-01': 101 }, reason: null },
    { says: 'no float, and earnings, sales and equity are far off', float: null, closes: { '2024-03-01': 201 }, reason: UNKNOWN },
    { says: 'no float, and a fraction of a share', float: null, closes: { '2024-03-01': 0.2 }, reason: UNKNOWN },
    { says: 'a float, and statements that seem far off', float: 20_000, closes: { '2024-03-01': 201 }, reason: null },
  ] as const;
  const cikOf = (index: number) => 1300001 + index;
  beforeAll(async () => {
    pipeline = await openPipeline();
    const companies = CASES.map(({ float, closes }, index) => ({ cik: cikOf(index), filings: { 1: withFloat(float) }, closes }));
    await pipeline.run(filesOfCompanies(companies), NOW);
  });
  afterAll(() => pipeline.remove());

  it.each(CASES.map((one, index) => ({ ...one, index })))('of $says: $reason', async ({ closes, reason, index }) => {
    const price = Object.values(closes).at(-1) ?? 0;
    for (const [slug, value] of [
      ['price_to_earnings', price],
      ['price_to_book', price / 5],
      ['price_to_sales', price / 10],
    ] as const) {
      const said = await multipleAsOf(pipeline, cikOf(index), slug, '2024-03-01', NOW);
      expect([said?.metadata['reason'], said?.metadata['marketCap']]).toEqual(reason === null ? [null, price * 100] : [reason, null]);
      expect([said?.value === null ? null : Number(said?.value.toFixed(9)), said?.valueText]).toEqual(
        reason === null ? [Number(value.toFixed(9)), null] : [null, reason],
      );
    }
    const reader = await pipeline.open();
    const found = await reader.withConnection((connection) =>
      connection.runAndReadAll(`
        select valuations[-1].market_cap, valuations[-1].book_yield is null from published.companies where cik::integer = ${cikOf(index)}`),
    );
    expect(found.getRows()).toEqual([reason === null ? [price * 100, false] : [null, true]]);
  });
});
