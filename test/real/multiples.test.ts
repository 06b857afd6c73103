// Price to earnings, sales and book of six companies against those that a vendor published (sp500/published_multiples), from the real filings and quotes.
// The vendor's price names the close; where the figures differ by more than half a percent, EXPLAINED says why, and the reason is checked.
// Its table of 2018 is from before the first quote, that of 2026 from half a year after the last filing of these payloads: nothing is valued then.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readCsv } from '../../src/sources/readers/csv.ts';
import { openPipeline, type Pipeline, REAL_DATA } from '../pipeline.ts';

const COMPANIES = {
  AAPL: '0000320193',
  AMD: '0000002488',
  NVDA: '0001045810',
  KMB: '0000055785',
  PG: '0000080424',
  GOOGL: '0001652044',
} as const;
type Ticker = keyof typeof COMPANIES;
const COLUMNS = { price_to_earnings: 'Price/Earnings', price_to_sales: 'Price/Sales', price_to_book: 'Price/Book' } as const;
type Slug = keyof typeof COLUMNS;
const isSlug = (slug: string): slug is Slug => slug in COLUMNS;
const DAYS = ['2024-10-10', '2024-12-01', '2025-02-01'];

/**
 * behind: the vendor still used an earlier filing than the newest accepted; ahead: figures of a filing accepted only later, known from the earnings
 * release; shares: the same figures, another number of shares; eps: earnings a share that no twelve months of filings give.
 */
type Reason = 'behind' | 'ahead' | 'shares' | 'eps';
const EXPLAINED: readonly (readonly [day: string, ticker: Ticker, slug: Slug, reason: Reason, note: string])[] = [
  ['2024-12-01', 'AMD', 'price_to_earnings', 'eps', '1.12 is the sum of four rounded quarters; fiscal year and nine months give 1.13'],
  ['2024-12-01', 'NVDA', 'price_to_sales', 'behind', 'revenue to July; the report of October had been accepted on 2024-11-20'],
  ['2024-12-01', 'NVDA', 'price_to_book', 'behind', 'equity of January'],
  ['2025-02-01', 'NVDA', 'price_to_sales', 'behind', 'revenue to July'],
  ['2025-02-01', 'NVDA', 'price_to_book', 'behind', 'equity of January'],
  ['2025-02-01', 'NVDA', 'price_to_earnings', 'eps', '2.44: neither the 2.53 of the filings nor that of any other twelve months'],
  ['2025-02-01', 'AAPL', 'price_to_sales', 'behind', 'fiscal 2024; the report of December was accepted on the morning of the close'],
  ['2025-02-01', 'AAPL', 'price_to_book', 'behind', 'equity of September'],
  ['2025-02-01', 'AAPL', 'price_to_earnings', 'eps', '6.25: fiscal 2024 has 6.08, the twelve months to December 6.30'],
  ['2025-02-01', 'AMD', 'price_to_earnings', 'eps', '1.10: between the 1.13 to September and the 1.00 of the year'],
  ['2025-02-01', 'AMD', 'price_to_sales', 'shares', '1,664 million shares; the cover of the newest report has 1,623 million'],
  [
    '2025-02-01',
    'KMB',
    'price_to_earnings',
    'ahead',
    '7.55 of fiscal 2024, in the release of 2025-01-28; the report was accepted on 2025-02-13',
  ],
  ['2025-02-01', 'KMB', 'price_to_sales', 'shares', '332 million shares, of the report to come; the cover of the newest has 333 million'],
  ['2025-02-01', 'PG', 'price_to_sales', 'behind', 'revenue to September; the report of December had been accepted on 2025-01-22'],
  ['2025-02-01', 'PG', 'price_to_book', 'behind', 'equity of June'],
];

interface Published {
  readonly day: string;
  readonly ticker: Ticker;
  readonly price: number;
  readonly shares: number;
  readonly values: Readonly<Record<Slug, number>>;
}

function readPublished(day: string): Published[] {
  const body = readFileSync(join(REAL_DATA, `sp500/published_multiples/constituents-financials_${day}.csv`));
  const table = readCsv(body, { sourceId: 'published', required: ['Symbol', 'Price', 'Market Cap', ...Object.values(COLUMNS)] });
  const [symbol, number] = [table.text('Symbol'), (name: string) => table.number(name)];
  const columns = {
    price: number('Price'),
    cap: number('Market Cap'),
    pe: number('Price/Earnings'),
    ps: number('Price/Sales'),
    pb: number('Price/Book'),
  };
  return table.rows.flatMap((row) => {
    const ticker = (Object.keys(COMPANIES) as Ticker[]).find((one) => one === symbol(row));
    if (ticker === undefined) return [];
    const [price, cap] = [columns.price(row) ?? Number.NaN, columns.cap(row) ?? Number.NaN];
    const values = {
      price_to_earnings: columns.pe(row) ?? Number.NaN,
      price_to_sales: columns.ps(row) ?? Number.NaN,
      price_to_book: columns.pb(row) ?? Number.NaN,
    };
    return [{ day, ticker, price, shares: cap / price, values }];
  });
}

const Metadata = z.looseObject({ price: z.number(), shares: z.number(), denominator: z.number().nullable(), windowEnd: z.string() });
interface Valued {
  readonly day: string;
  readonly value: number | null;
  readonly metadata: z.infer<typeof Metadata>;
}

// Building six companies from 25 MB of filings takes a minute: not part of the default run.
const isAsked = process.env['REAL_MULTIPLES'] === '1' && existsSync(join(REAL_DATA, 'sp500'));

describe.skipIf(!isAsked)('the multiples of six companies, beside those that a vendor published', () => {
  let pipeline: Pipeline;
  const valued = new Map<string, Valued[]>();
  beforeAll(async () => {
    pipeline = await openPipeline();
    const paths = Object.entries(COMPANIES).flatMap(([ticker, cik]) => [
      `sec/companyfacts/CIK${cik}.json`,
      `sec/submissions/CIK${cik}.json`,
      `prices/daily_json/${ticker}.json`,
    ]);
    const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(REAL_DATA, path))]));
    await pipeline.run(files, '2026-11-01T00:00:00.000Z');
    const reader = await pipeline.open();
    await reader.withConnection(async (connection) => {
      const result = await connection.runAndReadAll(`
        select entity_id, canonical_id, period, value, metadata
        from published.vintages inner join published.series using (series_no)
        where canonical_id in ('price_to_earnings', 'price_to_sales', 'price_to_book') and known_to is null
        order by all`);
      for (const [entityId, slug, day, value, metadata] of result.getRows()) {
        const key = `${String(entityId)} ${String(slug)}`;
        const row = {
          day: String(day),
          value: typeof value === 'number' ? value : null,
          metadata: Metadata.parse(JSON.parse(String(metadata))),
        };
        valued.set(key, [...(valued.get(key) ?? []), row]);
      }
    });
  });
  afterAll(() => pipeline.remove());

  const rowsOf = (ticker: Ticker, slug: Slug) => valued.get(`company_${COMPANIES[ticker]} ${slug}`) ?? [];
  const atPrice = ({ day, ticker, price }: Published, slug: Slug): Valued => {
    const row = rowsOf(ticker, slug).findLast((one) => one.day <= day && Math.abs(one.metadata.price - price) < 0.011);
    if (row === undefined) throw new Error(`There is no close of ${ticker} at ${price} up to ${day}.`);
    return row;
  };
  const cases = isAsked
    ? DAYS.flatMap(readPublished).flatMap((published) =>
        Object.keys(COLUMNS)
          .filter(isSlug)
          .map((slug) => ({
            published,
            slug,
            ...published,
            explained: EXPLAINED.find(([d, t, s]) => d === published.day && t === published.ticker && s === slug),
          })),
      )
    : [];

  it('are compared on three days', () => {
    expect(cases).toHaveLength(54);
    expect(cases.filter(({ explained }) => explained !== undefined)).toHaveLength(EXPLAINED.length);
  });

  it.each(cases.filter(({ explained }) => explained === undefined))(
    '$slug of $ticker on $day agrees within half a percent',
    ({ published, slug }) => {
      expect(Math.abs((atPrice(published, slug).value ?? Number.NaN) / published.values[slug] - 1)).toBeLessThan(0.005);
    },
  );

  it.each(cases.filter(({ explained }) => explained !== undefined))(
    '$slug of $ticker on $day differs for the reason given: $explained',
    ({ published, slug, explained }) => {
      const row = atPrice(published, slug);
      const ours = row.metadata;
      expect(Math.abs((row.value ?? Number.NaN) / published.values[slug] - 1)).toBeGreaterThan(0.005);
      // What the vendor divided by, on our number of shares for equity, which it takes a share.
      const shares = slug === 'price_to_book' ? ours.shares : published.shares;
      const theirs = (slug === 'price_to_earnings' ? published.price : published.price * shares) / published.values[slug];
      const isTheirs = (one: Valued) =>
        Math.abs((one.metadata.denominator ?? Number.NaN) / theirs - 1) < (slug === 'price_to_book' ? 0.01 : 0.005);
      const others = rowsOf(published.ticker, slug).filter((one) => Math.abs(Date.parse(one.day) - Date.parse(row.day)) < 400 * 86_400_000);
      const reason = explained?.[3];
      const found: Readonly<Record<Reason, () => boolean>> = {
        behind: () => others.some((one) => one.metadata.windowEnd < ours.windowEnd && isTheirs(one)),
        ahead: () => others.some((one) => one.metadata.windowEnd > ours.windowEnd && isTheirs(one)),
        shares: () => isTheirs(row),
        eps: () => !others.some(isTheirs),
      };
      expect(reason !== undefined && found[reason]()).toBe(true);
    },
  );

  it('change at the second a report is accepted, not before', async () => {
    // Apple's report for fiscal 2024: 2024-11-01 06:01:36 in New York.
    const reader = await pipeline.open();
    const windowEndAt = async (instant: string) =>
      reader.withConnection(async (connection) => {
        const result = await connection.runAndReadAll(
          `select metadata ->> '$.windowEnd' from published.vintages inner join published.series using (series_no)
          where canonical_id = 'price_to_sales' and entity_id = 'company_0000320193' and observed_at <= $1::timestamptz
          order by observed_at desc limit 1`,
          [instant],
        );
        return result.getRows()[0]?.[0];
      });
    expect(await windowEndAt('2024-11-01T10:01:35.000Z')).toBe('2024-06-29');
    expect(await windowEndAt('2024-11-01T10:01:36.000Z')).toBe('2024-09-28');
  });

  // A report accepted before the next close revalues the close before it: those of 2025-08-01 and 2026-02-12 the day before.
  it('of Kimberly-Clark have no sales while fiscal year and year to date are of different scope, and keep earnings and book', () => {
    const from = (slug: Slug) => rowsOf('KMB', slug).filter(({ day }) => day >= '2025-07-31' && day < '2026-02-11');
    expect(from('price_to_sales').length).toBeGreaterThan(130);
    expect(from('price_to_sales').filter(({ value }) => value !== null)).toEqual([]);
    for (const slug of ['price_to_earnings', 'price_to_book'] as const)
      expect(from(slug).filter(({ value }) => value === null)).toEqual([]);
    const on = (day: string) => rowsOf('KMB', 'price_to_sales').find((one) => one.day === day)?.metadata.denominator;
    expect([on('2025-07-30'), on('2026-02-11')]).toEqual([19_749e6, 16_447e6]);
  });

  it.each([
    ['AAPL', '2020-08-28', '2020-08-31'],
    ['NVDA', '2021-07-19', '2021-07-20'],
    ['NVDA', '2024-06-07', '2024-06-10'],
    ['GOOGL', '2022-07-15', '2022-07-18'],
  ] as const)('do not jump at the split of %s on %s', (ticker, before, after) => {
    for (const slug of ['price_to_earnings', 'price_to_sales', 'price_to_book'] as const) {
      const [last, first] = [rowsOf(ticker, slug).find(({ day }) => day === before), rowsOf(ticker, slug).find(({ day }) => day === after)];
      expect((first?.value ?? Number.NaN) / (last?.value ?? Number.NaN)).toBeCloseTo(1, 0);
      expect(Math.abs((first?.value ?? Number.NaN) / (last?.value ?? Number.NaN) - 1)).toBeLessThan(0.06);
    }
  });
});
