// Splits of shares that data/reference/stock_splits.csv does not list: what shows them, what does not, and what is withheld from when on.
import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { derive } from '../../jobs/derive.ts';
import { publish } from '../../src/snapshot/build/publish.ts';
import type { StatedFact } from '../filings/edgar.ts';
import { compareWithLakeOfThen } from '../story/look-ahead/lake-of-then.ts';
import { openPipeline, type Pipeline, STOPPED } from '../pipeline.ts';
import { closesOf, filesOfCompanies, multipleAsOf, type ValuedCompany } from '../valuations/valued.ts';
import { isLong } from '../suite.ts';

const AT = '2025-03-01T00:00:00.000Z';
/** Between the third filing and the fourth. */
const SUMMER = '2024-07-01T00:00:00.000Z';
const ACCEPTED = '2024-05-02T20:30:00.000Z';
const Q1 = (year: number) => [`${year}-01-01`, `${year}-03-31`] as const;
const FY = (year: number) => [`${year}-01-01`, `${year}-12-31`] as const;

/** Of a filing: earnings a share as they would be without a split, and how many shares stand for one. */
function flows([start, end]: readonly [string, string], revenue: number, eps: number, ratio: number): StatedFact[] {
  return [
    ['Revenues', 'USD', start, end, revenue],
    ['NetIncomeLoss', 'USD', start, end, revenue / 5],
    ['EarningsPerShareBasic', 'USD/shares', start, end, eps / ratio],
    ['EarningsPerShareDiluted', 'USD/shares', start, end, eps / ratio],
    ['WeightedAverageNumberOfSharesOutstandingBasic', 'shares', start, end, 100 * ratio],
  ];
}
const equity = (day: string, value: number): StatedFact => ['StockholdersEquity', 'USD', null, day, value];
const cover = (day: string, count: number): StatedFact => ['EntityCommonStockSharesOutstanding', 'shares', null, day, count];

/** Two filings before a split of `ratio` for 1 in April 2024, and two after it. */
function filingsOf(ratio: number): ValuedCompany['filings'] {
  return {
    1: {
      form: '10-Q',
      filed: '2023-05-02',
      facts: [...flows(Q1(2022), 200, 0.4, 1), ...flows(Q1(2023), 250, 0.5, 1), equity('2023-03-31', 700), cover('2023-04-25', 100)],
    },
    2: {
      form: '10-K',
      filed: '2024-02-01',
      facts: [...flows(FY(2022), 800, 1.6, 1), ...flows(FY(2023), 1000, 2, 1), equity('2023-12-31', 800), cover('2024-01-25', 100)],
    },
    3: {
      form: '10-Q',
      filed: '2024-05-02',
      acceptedAt: ACCEPTED,
      facts: [
        ...flows(Q1(2023), 250, 0.5, ratio),
        ...flows(Q1(2024), 300, 0.6, ratio),
        equity('2024-03-31', 900),
        cover('2024-04-25', 100 * ratio),
      ],
    },
    4: {
      form: '10-K',
      filed: '2025-02-03',
      facts: [
        ...flows(FY(2023), 1000, 2, ratio),
        ...flows(FY(2024), 1100, 2.2, ratio),
        equity('2024-12-31', 950),
        cover('2025-01-25', 100 * ratio),
      ],
    },
  };
}

function changed(
  filings: ValuedCompany['filings'],
  change: (fact: StatedFact, filing: string) => StatedFact | null,
): ValuedCompany['filings'] {
  return Object.fromEntries(
    Object.entries(filings).map(([name, filing]) => [
      name,
      { ...filing, facts: filing.facts.map((fact) => change(fact, name)).filter((fact) => fact !== null) },
    ]),
  );
}

function merged(filings: ValuedCompany['filings']): ValuedCompany['filings'] {
  const { 3: quarter, ...others } = changed(filings, (fact, name) => (name === '3' && fact[0].startsWith('Entity') ? null : fact));
  if (quarter === undefined) throw new Error('there is no third filing');
  const counts: StatedFact[] = [cover('2024-04-25', 200), ['CommonStockSharesOutstanding', 'shares', null, '2024-03-31', 200]];
  return { ...others, 3: { ...quarter, facts: [...quarter.facts, ...counts] } };
}

const [SPLIT, REVERSE, COVER, MERGER, SCALE, CRASH, UNADJUSTED, NIGHTLY, SMALL] = [11, 12, 13, 14, 15, 16, 17, 18, 19];
const adjusted = { '2024-04-30': 7.5, '2024-05-02': 8, '2024-05-03': 8.25, '2025-02-04': 10 };
const { 2: annual, 3: quarter } = filingsOf(3);
const COMPANIES: readonly ValuedCompany[] = [
  { cik: SPLIT, filings: filingsOf(4), closes: adjusted },
  {
    cik: REVERSE,
    filings: changed(filingsOf(0.1), (fact) => (fact[0].startsWith('Weighted') ? null : fact)),
    closes: { '2024-04-30': 300, '2024-05-02': 305, '2024-05-03': 310 },
  },
  // Without earlier filings the quarter repeats nothing.
  { cik: COVER, filings: { 2: annual!, 3: quarter! }, closes: { '2024-04-30': 10, '2024-05-02': 10.5, '2024-05-03': 11 } },
  // Shares given for another company: the cover and the balance sheet agree on them, and the earnings of the quarter still stand on the old count.
  { cik: MERGER, filings: merged(filingsOf(1)), closes: { '2024-04-30': 30, '2024-05-03': 33 } },
  {
    cik: SCALE,
    filings: changed(filingsOf(1), ([concept, unit, start, end, value], name) => [
      concept,
      unit,
      start,
      end,
      name === '3' && concept.startsWith('Weighted') ? 1000 * value : value,
    ]),
    closes: { '2024-04-30': 30, '2024-05-03': 33 },
  },
  { cik: CRASH, filings: filingsOf(1), closes: { '2024-04-11': 30, '2024-04-12': 15, '2024-05-02': 15.5, '2024-05-03': 16 } },
  { cik: UNADJUSTED, filings: filingsOf(10), closes: { '2024-04-11': 30, '2024-04-12': 3.1, '2024-05-02': 3.2, '2024-05-03': 3.3 } },
  { cik: NIGHTLY, filings: filingsOf(4), closes: { '2024-04-10': 7.5, '2024-04-11': 8, '2024-04-12': 8.25, '2024-05-03': 9 } },
  // Two cents become one, and no count is stated.
  {
    cik: SMALL,
    filings: changed(filingsOf(1), ([concept, unit, start, end, value], name) => {
      if (concept.startsWith('Weighted')) return null;
      return [concept, unit, start, end, unit === 'USD/shares' ? (name === '1' ? 0.02 : 0.01) : value];
    }),
    closes: { '2024-04-30': 30, '2024-05-03': 33 },
  },
];

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = await openPipeline();
  const night = { cik: NIGHTLY, filings: {}, closes: { '2024-04-10': 30, '2024-04-11': 32 } };
  const { 'sec/company_tickers.json': tickers = '' } = filesOfCompanies([night]);
  await pipeline.ingest({ 'sec/company_tickers.json': tickers, ...closesOf(NIGHTLY, night.closes) }, '2024-04-11T22:00:00.000Z');
  await pipeline.ingest(filesOfCompanies(COMPANIES), AT);
  await pipeline.publish();
});
afterAll(() => pipeline.remove());

const said = (cik: number, slug: string, day: string, asOf = SUMMER) => multipleAsOf(pipeline, cik, slug, day, asOf);
const rows = async (sql: string) => {
  const reader = await pipeline.open();
  return reader.withConnection(async (connection) => (await connection.runAndReadAll(sql)).getRowObjectsJson());
};
const FindingRow = z.array(
  z.object({ entity_id: z.string(), field_path: z.string(), observed_value: z.string(), status: z.string(), reason: z.string() }),
);
const findings = async () =>
  FindingRow.parse(
    await rows(
      `select entity_id, field_path, observed_value, status, reason from published.quarantine where rule = 'scale_jump' and source_id in ('sec', 'quotes') order by entity_id`,
    ),
  );
const WITHHELD = { value: null, valueText: 'unlisted_split' };

describe('an unlisted split', () => {
  it('is found if a filing restates earlier figures, a count on a cover jumps, or a close does', async () => {
    const found = (await findings()).map(({ entity_id, field_path, observed_value, status }) => [
      entity_id.slice(-2),
      field_path,
      observed_value,
      status,
    ]);
    expect(found).toEqual([
      ['11', 'restatement', '4', 'open'],
      ['12', 'restatement', '0.1', 'open'],
      ['13', 'cover', '3', 'open'],
      ['16', 'price', '2', 'released'],
      ['17', 'price', '10', 'open'],
      ['18', 'price', '4', 'open'],
    ]);
  });

  it('is reported with company, ratio, days and remedy', async () => {
    const [{ reason } = {}] = await findings();
    for (const part of [
      'Filer 11 (CIK 0000000011)',
      '4 for 1',
      'between 2024-01-25 and 2024-04-25',
      'stock_splits.csv',
      '0000000011,<first day',
    ])
      expect(reason).toContain(part);
  });

  it('withholds wrong values from the filing that shows it, and not one second before', async () => {
    expect((await said(SPLIT, 'price_to_book', '2024-04-30', '2024-05-02T20:29:59.000Z'))?.value).toBeCloseTo((7.5 * 100) / 800, 12);
    const after = await said(SPLIT, 'price_to_book', '2024-04-30', ACCEPTED);
    expect(after).toMatchObject({
      ...WITHHELD,
      metadata: {
        reason: 'unlisted_split',
        marketCap: null,
        unlistedSplit: { kind: 'restatement', ratio: 4, after: '2024-01-25', by: '2024-04-25', evidence: '0000000011-24-000003' },
      },
    });
    expect(after?.observedAt).toContain('2024-05-02 20:30:00');
  });

  it('keeps values that are entirely after it', async () => {
    expect((await said(SPLIT, 'price_to_book', '2024-05-03'))?.value).toBeCloseTo((8.25 * 400) / 900, 12);
    expect((await said(SPLIT, 'price_to_sales', '2024-05-03'))?.value).toBeCloseTo((8.25 * 400) / 1050, 12);
  });

  it('withholds earnings per share until every filing behind them is from after it', async () => {
    for (const slug of ['price_to_earnings', 'earnings_yield', 'peg'])
      expect(await said(SPLIT, slug, '2024-05-03')).toMatchObject(WITHHELD);
    expect((await said(SPLIT, 'price_to_earnings', '2025-02-04', AT))?.value).toBeCloseTo(10 / 0.55, 12);
    expect((await said(SPLIT, 'peg', '2025-02-04', AT))?.value).toBeCloseTo(10 / 0.55 / 10, 9);
  });

  it('leaves growth of earnings per share out of the scores for the same time', async () => {
    const growth = await rows(
      `select inputs.known_at::varchar as known_at, inputs.eps_growth, inputs.revenue_growth
      from (select unnest(score_inputs) as inputs from published.companies where cik = '0000000011') order by 1 desc limit 2`,
    );
    expect(growth).toMatchObject([
      { eps_growth: expect.closeTo(0.1, 9) },
      { eps_growth: null, revenue_growth: expect.closeTo(1050 / 850 - 1, 9) },
    ]);
  });

  it.each([REVERSE, COVER])('withholds them whatever revealed it: %s', async (cik) => {
    const before = await said(cik, 'price_to_sales', '2024-04-30', '2024-05-02T20:29:59.000Z');
    // Ten times the price with the shares of before a split of 1 for 10 is 150 times earnings and 30 times sales.
    expect([typeof before?.value, before?.valueText]).toEqual(cik === REVERSE ? ['object', 'unit_of_quote_unknown'] : ['number', null]);
    expect(await said(cik, 'price_to_sales', '2024-04-30')).toMatchObject(WITHHELD);
    expect((await said(cik, 'price_to_sales', '2024-05-03'))?.value).toBeGreaterThan(0);
  });

  it('withholds from the day of the jump on, and not before it, if closes are not adjusted', async () => {
    expect((await said(UNADJUSTED, 'price_to_book', '2024-04-11'))?.value).toBeCloseTo((30 * 100) / 800, 12);
    expect(await said(UNADJUSTED, 'price_to_book', '2024-04-12', '2024-04-13T00:00:00.000Z')).toMatchObject(WITHHELD);
    expect(await said(UNADJUSTED, 'price_to_book', '2024-04-12')).toMatchObject(WITHHELD);
    expect((await said(UNADJUSTED, 'price_to_book', '2024-05-03'))?.value).toBeCloseTo((3.3 * 1000) / 900, 12);
  });

  it('does not affect a close that was retrieved before it', async () => {
    expect((await said(NIGHTLY, 'price_to_book', '2024-04-11'))?.value).toBeCloseTo((32 * 100) / 800, 12);
    expect(await said(NIGHTLY, 'price_to_book', '2024-04-12', '2024-05-02T20:29:59.000Z')).toMatchObject(WITHHELD);
    expect((await said(NIGHTLY, 'price_to_book', '2024-04-12'))?.value).toBeCloseTo((8.25 * 400) / 900, 12);
    expect((await said(NIGHTLY, 'price_to_book', '2024-05-03'))?.value).toBeCloseTo((9 * 400) / 900, 12);
  });

  it('is dropped once a filing repeats figures from before a fall of the price', async () => {
    expect(await said(CRASH, 'price_to_book', '2024-04-12', '2024-05-02T20:29:59.000Z')).toMatchObject(WITHHELD);
    expect((await said(CRASH, 'price_to_book', '2024-04-12', ACCEPTED))?.value).toBeCloseTo((15 * 100) / 800, 12);
    expect((await said(CRASH, 'price_to_earnings', '2024-05-03'))?.value).toBeCloseTo(16 / 2.1, 12);
  });

  it.each([MERGER, SCALE, SMALL])('is not suspected in a merger, an error of scale or a cent: %s', async (cik) => {
    for (const slug of ['price_to_book', 'price_to_earnings', 'peg'])
      for (const day of ['2024-04-30', '2024-05-03'])
        expect([null, 'insufficient_data', 'not_meaningful']).toContain((await said(cik, slug, day))?.valueText);
    expect((await said(MERGER, 'price_to_book', '2024-05-03'))?.value).toBeCloseTo((33 * 200) / 900, 12);
  });

  it.runIf(isLong)(
    'as of a day has the values in a lake of that day',
    async () => {
      const cutoffs = ['2024-04-11', '2024-04-12', '2024-05-01', '2024-05-02', '2024-06-01'].map((day) => `${day}T23:59:59.999Z`);
      const report = await compareWithLakeOfThen(pipeline, ['price_to_book', 'price_to_earnings', 'peg'], cutoffs);
      expect(report.differences.map(({ cutoff, tooMuch, missing }) => [cutoff, tooMuch, missing])).toEqual([]);
      expect(report.rowsCompared).toBeGreaterThan(80);
    },
    300_000,
  );
});

describe('a split that is listed later', () => {
  let referenceDir: string;
  beforeAll(async () => {
    referenceDir = await mkdtemp(join(tmpdir(), 'asof-reference-'));
    await cp(pipeline.workspace.referenceDir, referenceDir, { recursive: true });
    await appendFile(
      join(referenceDir, 'stock_splits.csv'),
      '0000000011,2024-04-15,4,"four for one"\n0000000016,2024-04-12,1,"a bad quarter"\n0000000017,2024-04-12,10,"ten for one"\n',
    );
    await derive({ ...pipeline.workspace, referenceDir }, STOPPED);
    await publish(pipeline.paths, pipeline.workspace.snapshotsKept);
  });
  afterAll(() => rm(referenceDir, { recursive: true, force: true }));

  it('is no longer a finding, and every multiple stays', async () => {
    expect((await findings()).map(({ entity_id }) => entity_id.slice(-2))).toEqual(['12', '13', '17', '18']);
    expect((await said(SPLIT, 'price_to_book', '2024-04-30', '2024-05-01T00:00:00.000Z'))?.value).toBeCloseTo((7.5 * 400) / 800, 12);
    expect((await said(SPLIT, 'price_to_earnings', '2024-05-03'))?.value).toBeCloseTo(8.25 / 0.525, 12);
    expect((await said(CRASH, 'price_to_book', '2024-04-12', '2024-05-01T00:00:00.000Z'))?.value).toBeCloseTo((15 * 100) / 800, 12);
  });

  it('still withholds if closes are not adjusted for it', async () => {
    expect((await findings()).find(({ entity_id }) => entity_id === 'company_0000000017')?.reason).toContain('not adjusted for it');
    expect(await said(UNADJUSTED, 'price_to_book', '2024-04-11')).toMatchObject(WITHHELD);
    expect((await said(UNADJUSTED, 'price_to_book', '2024-05-03'))?.value).toBeCloseTo((3.3 * 1000) / 900, 12);
  });
});
