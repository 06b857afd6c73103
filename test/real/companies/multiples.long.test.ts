// Price to earnings, sales and book of all companies of the real payloads against those that a vendor published (sp500/published_multiples) on five
// days. `npm run test:multiples` prints the table. The vendor's price names the close. If the figures of the six companies with filings differ by more
// than half a percent, EXPLAINED says why, and the reason is checked. The table of 2018 is from before the first quote, so it takes the vendor's price;
// that of 2026 is from half a year after the last filing, so nothing is valued then.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readCsv } from '../../../src/sources/readers/csv.ts';
import { openPipeline, type Pipeline, REAL_DATA } from '../../pipeline.ts';

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
const BEFORE_QUOTES = '2018-02-08';
const AFTER_FILINGS = '2026-08-22';

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

/**
 * Of the table of 2018, at the vendor's price: the figure that the vendor divided by. Earnings are a share's; the others are of the whole company, by the
 * vendor's own count of shares.
 */
const BEFORE: Readonly<Record<string, readonly [figure: number, because: string]>> = {
  'AMD price_to_earnings': [0.06, 'ahead: earnings of the quarter to December, filed on 2018-02-27; those of twelve months were -0.06'],
  'AMD price_to_sales': [5329e6, 'ahead: revenue of the year to December, filed on 2018-02-27'],
  'AMD price_to_book': [520e6, 'shares: 997 million; the cover of the newest report has 963 million'],
  'GOOGL price_to_earnings': [32.01, 'eps: 32.01 is in no filing; ours is null: the filings then gave earnings of a year by class alone'],
  'GOOGL price_to_sales': [110_855e6, 'shares: 728 million; the covers of the newest report have 695 million'],
  'GOOGL price_to_book': [157_100e6, 'behind: equity of September; the report of December had been accepted on 2018-02-06'],
  'AAPL price_to_earnings': [9.21, 'behind: fiscal 2017; the report of December had been accepted on 2018-02-02'],
  'AAPL price_to_sales': [239_176e6, 'shares: 5,217 million; the cover of the newest report has 5,074 million'],
  'KMB price_to_earnings': [6.23, 'eps: 6.23 is in no filing; fiscal 2017 has 6.40'],
  'KMB price_to_sales': [18_259e6, 'shares: 353 million; the cover of the newest report has 350 million'],
  'KMB price_to_book': [259e6, 'behind: equity of September; the report of December was accepted on that day'],
  'NVDA price_to_earnings': [2.65, 'eps: 2.65 is in no filing; fiscal 2017 has 2.57, the twelve months to October 4.03'],
  'NVDA price_to_sales': [6910e6, 'behind: revenue of fiscal 2017; the report of October had been accepted on 2017-11-21'],
  'PG price_to_earnings': [3.92, 'eps: 3.92 is in no filing; fiscal 2017 has 5.59, the twelve months to December 3.78'],
  'PG price_to_sales': [65_732e6, 'shares: 2,572 million; the cover of the newest report has 2,521 million'],
  'PG price_to_book': [54_113e6, 'shares: 2,572 million; the cover of the newest report has 2,521 million'],
};

interface Published {
  readonly day: string;
  readonly ticker: string;
  readonly price: number;
  readonly shares: number;
  readonly values: Readonly<Record<Slug, number>>;
}

function readPublished(day: string, tickers: ReadonlySet<string> = new Set(Object.keys(COMPANIES))): Published[] {
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
    const ticker = symbol(row);
    if (ticker === null || !tickers.has(ticker)) return [];
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
  readonly valueText: string | null;
  readonly metadata: z.infer<typeof Metadata>;
}

// Building six companies from 25 MB of filings takes a minute: not part of the default run.
const isAsked = process.env['REAL_MULTIPLES'] === '1' && existsSync(join(REAL_DATA, 'sp500'));

describe.skipIf(!isAsked)('the multiples of six companies, compared with those of a vendor', () => {
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
        select entity_id, canonical_id, period, value, value_text, metadata
        from published.vintages inner join published.series using (series_no)
        where canonical_id in ('price_to_earnings', 'price_to_sales', 'price_to_book') and known_to is null
        order by all`);
      for (const [entityId, slug, day, value, valueText, metadata] of result.getRows()) {
        const key = `${String(entityId)} ${String(slug)}`;
        const row = {
          day: String(day),
          value: typeof value === 'number' ? value : null,
          valueText: typeof valueText === 'string' ? valueText : null,
          metadata: Metadata.parse(JSON.parse(String(metadata))),
        };
        valued.set(key, [...(valued.get(key) ?? []), row]);
      }
    });
  });
  afterAll(() => pipeline.remove());

  const rowsOf = (ticker: string, slug: Slug) => valued.get(`company_${COMPANIES[ticker as Ticker]} ${slug}`) ?? [];
  const atPrice = ({ day, ticker, price }: Published, slug: Slug): Valued => {
    const row = rowsOf(ticker, slug).findLast((one) => one.day <= day && Math.abs(one.metadata.price - price) < 0.011);
    if (row === undefined) throw new Error(`There is no close of ${ticker} at ${price} up to ${day}.`);
    return row;
  };
  const cases = isAsked
    ? DAYS.flatMap((day) => readPublished(day)).flatMap((published) =>
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
    '$slug of $ticker on $day differs for the stated reason: $explained',
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
  it('of Kimberly-Clark have no sales while the fiscal year and the year to date differ in scope, and keep earnings and book', () => {
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

  // --- All companies of the payloads, on all five days.

  interface Cell {
    readonly day: string;
    readonly ticker: string;
    readonly slug: Slug;
    readonly theirs: number;
    readonly ours: number | null;
    readonly because: string;
  }
  const filed = new Set(Object.keys(COMPANIES));
  const quoted = isAsked ? readdirSync(join(REAL_DATA, 'prices/daily_json')).map((file) => file.replace('.json', '')) : [];
  const tickers = new Set([...quoted, ...filed]);

  /** Of the company as known at the end of a day: earnings a share, revenue, equity and shares. */
  async function figuresOn(ticker: string, day: string): Promise<Readonly<Record<string, number>>> {
    const reader = await pipeline.open();
    return reader.withConnection(async (connection) => {
      const result = await connection.runAndReadAll(
        `select field, value from published.company_figures
        where entity_id = $1 and field in ('revenue', 'equity', 'shares_outstanding') and known_from <= $2::timestamptz
          and coalesce(known_to > $2::timestamptz, true)
        union all
        (select 'eps', line.value
        from published.financial_statements, unnest(merged_lines) as lines (line)
        where company_id = $1 and statement_type = 'income' and period_type in ('ttm', 'annual') and line.key = 'epsDiluted'
          and observed_at <= $2::timestamptz and coalesce(known_to > $2::timestamptz, true)
          and period_end >= $2::timestamptz::date - interval 1 year
        order by period_end desc
        limit 1)`,
        [`company_${COMPANIES[ticker as Ticker]}`, `${day}T23:59:59.999Z`],
      );
      return Object.fromEntries(result.getRows().map(([field, value]) => [String(field), Number(value)]));
    });
  }

  async function cellsOf(published: Published): Promise<Cell[]> {
    const { day, ticker, price, values } = published;
    const cell = (slug: Slug, ours: number | null, because: string): Cell => ({ day, ticker, slug, theirs: values[slug], ours, because });
    const slugs = Object.keys(COLUMNS).filter(isSlug);
    // Its facts end in 2022.
    if (!filed.has(ticker)) return slugs.map((slug) => cell(slug, null, 'no filings in the payloads'));
    if (day === AFTER_FILINGS) {
      return slugs.map((slug) => {
        const row = rowsOf(ticker, slug).findLast((one) => one.day <= day);
        const isOfThen = row !== undefined && Date.parse(day) - Date.parse(row.day) <= 7 * 86_400_000;
        return isOfThen ? cell(slug, row.value, row.valueText ?? '') : cell(slug, null, `no close after ${row?.day ?? ''}`);
      });
    }
    if (day !== BEFORE_QUOTES)
      return slugs.map((slug) => {
        const note = EXPLAINED.find(([d, t, s]) => d === day && t === ticker && s === slug);
        return cell(slug, atPrice(published, slug).value, note === undefined ? '' : `${note[3]}: ${note[4]}`);
      });
    const {
      eps = Number.NaN,
      revenue = Number.NaN,
      equity = Number.NaN,
      shares_outstanding: shares = Number.NaN,
    } = await figuresOn(ticker, day);
    const ours = { price_to_earnings: price / eps, price_to_sales: (price * shares) / revenue, price_to_book: (price * shares) / equity };
    return slugs.map((slug) => {
      const [figure, because] = BEFORE[`${ticker} ${slug}`] ?? [];
      const theirs =
        figure === undefined ? values[slug] : (slug === 'price_to_earnings' ? price : published.price * published.shares) / figure;
      expect([ticker, slug, Math.abs(theirs / values[slug] - 1) < 0.03]).toEqual([ticker, slug, true]);
      return cell(slug, Number.isNaN(ours[slug]) ? null : ours[slug], because ?? '');
    });
  }

  it('are all within two per cent of the vendor, or have a reason, for each company and day', async () => {
    const cells: Cell[] = [];
    for (const day of [BEFORE_QUOTES, ...DAYS, AFTER_FILINGS])
      for (const published of readPublished(day, tickers)) cells.push(...(await cellsOf(published)));
    const off = ({ ours, theirs }: Cell) => (ours === null ? null : 100 * (ours / theirs - 1));
    const table = cells.map((cell) => {
      const percent = off(cell)?.toFixed(1) ?? '–';
      const ours = cell.ours?.toFixed(2) ?? 'null';
      return `${cell.day}  ${cell.ticker.padEnd(5)}  ${cell.slug.padEnd(17)}  ${cell.theirs.toFixed(2).padStart(8)}  ${ours.padStart(8)}  ${percent.padStart(6)}  ${cell.because}`;
    });
    process.stdout.write(`day         ticker multiple             vendor      ours  diff %  reason\n${table.join('\n')}\n`);
    const unexplained = cells.filter((cell) => Math.abs(off(cell) ?? Infinity) > 2 && cell.because === '' && !Number.isNaN(cell.theirs));
    expect(unexplained).toEqual([]);
    // Nothing is valued half a year after the newest quarter, after the last close, or without filings and earnings.
    const kindOf = ({ ours, because }: Cell) => (ours === null ? because : 'valued');
    expect([...new Set(cells.map(kindOf))].toSorted()).toEqual([
      BEFORE['GOOGL price_to_earnings']?.[1],
      'no close after 2026-07-02',
      'no filings in the payloads',
      'stale_fundamentals',
      'valued',
    ]);
    expect(cells.filter(({ day }) => day === AFTER_FILINGS).every(({ ours }) => ours === null)).toBe(true);
  });
});
