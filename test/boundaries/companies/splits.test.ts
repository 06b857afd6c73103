// Splits of shares about the days that decide (docs/reference/company-methods.md#company-facts): listed ones on the day before, of and after; and what shows one that is not
// listed, at the edge of what shows it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessionOf, cikOf, type Fact, type Filer, type Filing, openFilers } from '../by-hand/filers.ts';
import { type Found, plusDays, type Relations } from '../by-hand/relations.ts';

const fact = (concept: string, start: string | null, end: string, value: number): Fact => [concept, start, end, value];
const cover = (day: string, count: number): Fact => fact('EntityCommonStockSharesOutstanding', null, day, count);
const YEAR = ['2023-01-01', '2023-12-31'] as const;
/** Revenue of 1000, two earned a share. */
const annual = (day: string, ...facts: Fact[]): Filing => ({
  filed: day,
  facts: [fact('Revenues', ...YEAR, 1000), fact('EarningsPerShareDiluted', ...YEAR, 2), ...facts],
});

const FILERS: Filer[] = [];
const SPLITS: [number: number, day: string, ratio: number][] = [];
function filer(given: Filer, ...splits: readonly (readonly [day: string, ratio: number])[]): number {
  FILERS.push(given);
  for (const [day, ratio] of splits) SPLITS.push([FILERS.length, day, ratio]);
  return FILERS.length;
}

// Filed on February 1 with a cover of January 25; closes about March 1; the vendor adjusts what it sends on April 1 and not before.
const closes = { '2024-02-29': 40, '2024-03-01': 4, '2024-03-04': 5 };
const listed = (
  [
    // [split, close as sent and when, expected: shares and price of the three days]
    ['on the day after the last price', '2024-03-05', '2024-03-04', [40, 4, 5], [100, 100, 100], [40, 4, 5]],
    ['on the last day', '2024-03-04', '2024-03-04', [4, 4, 4], [100, 100, 1000], [40, 40, 4]],
    ['on the second day', '2024-03-01', '2024-03-04', [4, 4, 4], [100, 1000, 1000], [40, 4, 4]],
    ['on the day of the cover', '2024-01-25', '2024-03-04', [4, 4, 4], [100, 100, 100], [4, 4, 4]],
    ['on the day after the cover', '2024-01-26', '2024-03-04', [4, 4, 4], [1000, 1000, 1000], [4, 4, 4]],
  ] as const
).map(([title, day, retrieved, sent, shares, price]) => {
  const given = Object.fromEntries(Object.keys(closes).map((one, index) => [one, [sent[index] ?? 0, `${retrieved} 22:00:00+00`] as const]));
  return [
    title,
    filer({ filings: [annual('2024-02-01', cover('2024-01-25', 100))], closes: given }, [day, 10]),
    day,
    shares,
    price,
  ] as const;
});
/** Sent on the day before the split: not adjusted. */
const sentBefore = filer(
  { filings: [annual('2024-02-01', cover('2024-01-25', 100))], closes: { '2024-02-29': [40, '2024-02-29 23:00:00+00'] } },
  ['2024-03-01', 10],
);
/** Three for two, then two for one. */
const twice = filer(
  {
    filings: [annual('2024-02-01', cover('2024-01-25', 100))],
    closes: {
      '2024-02-29': [10, '2024-05-01 22:00:00+00'],
      '2024-03-05': [12, '2024-05-01 22:00:00+00'],
      '2024-04-03': [14, '2024-05-01 22:00:00+00'],
    },
  },
  ['2024-03-01', 1.5],
  ['2024-04-01', 2],
);

// Share counts and earnings a share of 2023 Q1, as two filings give them.
const Q = ['2023-01-01', '2023-03-31'] as const;
const WEIGHTED = 'WeightedAverageNumberOfSharesOutstandingBasic';
const restating = (before: readonly Fact[], after: readonly Fact[], form = '10-Q'): Filer => ({
  filings: [
    { form, filed: '2023-05-01', facts: before },
    { form, filed: '2024-05-01', facts: after },
  ],
});
const count = (value: number, concept = WEIGHTED): Fact =>
  concept === 'CommonStockSharesOutstanding' ? fact(concept, null, '2023-03-31', value) : fact(concept, ...Q, value);
const eps = (value: number, concept = 'EarningsPerShareDiluted'): Fact => fact(concept, ...Q, value);
const BOTH = ['EarningsPerShareDiluted', 'EarningsPerShareBasic'] as const;
const epsOfBoth = (value: number) => BOTH.map((concept) => eps(value, concept));
const ifrsEps = (value: number, currency = 'JPY'): Fact[] =>
  ['BasicEarningsLossPerShare', 'DilutedEarningsLossPerShare'].map((concept) => [concept, ...Q, value, `${currency}/shares`]);
/** The ratio shown, null where none is. */
const RESTATED: readonly (readonly [title: string, given: Filer, ratio: number | null, splits?: readonly (readonly [string, number])[]])[] =
  [
    ['weighted shares that are doubled', restating([count(100)], [count(200)]), 2],
    [
      'diluted shares that are doubled',
      restating(
        [count(100, 'WeightedAverageNumberOfDilutedSharesOutstanding')],
        [count(200, 'WeightedAverageNumberOfDilutedSharesOutstanding')],
      ),
      2,
    ],
    [
      'shares of the balance sheet that are doubled',
      restating([count(100, 'CommonStockSharesOutstanding')], [count(200, 'CommonStockSharesOutstanding')]),
      2,
    ],
    ['shares that are drawn together', restating([count(100)], [count(10)]), 0.1],
    ['shares that are the same', restating([count(100)], [count(100)]), 1],
    ['shares off by a little less than 0.6 percent', restating([count(1000)], [count(2000 * Math.exp(0.0059))]), 2],
    ['shares off by a little more', restating([count(1000)], [count(2000 * Math.exp(0.0061))]), null],
    ['shares at a ratio at which none are split', restating([count(100)], [count(1100)]), null],
    ['earnings of one kind alone', restating([eps(2)], [eps(1)]), null],
    ['earnings of two kinds, halved', restating(epsOfBoth(2), epsOfBoth(1)), 2],
    ['earnings of two kinds, times two thirds', restating(epsOfBoth(3), epsOfBoth(2)), null],
    ['earnings and shares, times two thirds', restating([eps(3), count(100)], [eps(2), count(150)]), 1.5],
    ['earnings of which one is unchanged', restating([eps(2)], [eps(2)]), 1],
    // 0.005 / 0.5 + 0.005 / 0.25 is 0.03; of 0.49 and 0.245 more.
    ['small earnings within the rounding of a cent', restating(epsOfBoth(0.5), epsOfBoth(0.25)), 2],
    ['earnings so small that a cent is too much', restating(epsOfBoth(0.48), epsOfBoth(0.24)), null],
    ['earnings of another sign', restating(epsOfBoth(2), epsOfBoth(-1)), null],
    ['losses, halved', restating(epsOfBoth(-2), epsOfBoth(-1)), 2],
    [
      'weighted shares by IFRS',
      restating([['WeightedAverageShares', ...Q, 100, 'shares']], [['WeightedAverageShares', ...Q, 500, 'shares']]),
      5,
    ],
    ['earnings in another currency, of two kinds', restating(ifrsEps(20), ifrsEps(4)), 5],
    ['earnings of two currencies, which say nothing of shares', restating(ifrsEps(20, 'CNY'), ifrsEps(4, 'USD')), null],
    ['figures of no report', restating([count(100)], [count(200)], '8-K'), null],
    ['a listed split between the filings', restating([count(100)], [count(200)]), 1, [['2024-05-01', 2]]],
    ['a listed split on the day of the first filing', restating([count(100)], [count(200)]), 2, [['2023-05-01', 2]]],
    ['a listed split after the second filing', restating([count(100)], [count(200)]), 2, [['2024-05-02', 2]]],
    [
      'more figures for one ratio than another',
      restating(
        [count(100), count(100, 'CommonStockSharesOutstanding'), count(100, 'WeightedAverageNumberOfDilutedSharesOutstanding')],
        [count(300), count(200, 'CommonStockSharesOutstanding'), count(200, 'WeightedAverageNumberOfDilutedSharesOutstanding')],
      ),
      2,
    ],
  ];
const restated = RESTATED.map(([title, given, ratio, splits = []]) => [title, filer(given, ...splits), ratio] as const);

// A close overnight: 30, then that over a ratio.
const jump = (ratio: number, days = 1): Filer => ({
  filings: [annual('2024-02-01', cover('2024-01-25', 100))],
  closes: { '2024-03-04': 30, [plusDays('2024-03-04', days)]: 30 / ratio },
});
const JUMPS: readonly (readonly [title: string, given: Filer, ratio: number | null])[] = [
  ['to a half', jump(2), 2],
  ['to the double', jump(0.5), 0.5],
  ['to a twentieth', jump(20), 20],
  ['to two thirds', jump(1.5), null],
  ['to a half and not quite eight percent', jump(2 * Math.exp(0.079)), 2],
  ['to a half and more than eight percent', jump(2 * Math.exp(0.081)), null],
  ['to the double less than eight percent', jump(2 * Math.exp(-0.079)), 2],
  ['over ten days', jump(2, 10), 2],
  ['over eleven days', jump(2, 11), null],
  ['between ten and nine, the nearer', jump(9.55), 10],
];
const jumps = JUMPS.map(([title, given, ratio]) => [title, filer(given), ratio] as const);

// A cover page.
const covers = (ratio: number, day = '2024-04-25', more: Fact[] = []): Filer => ({
  filings: [
    annual('2024-02-01', cover('2024-01-25', 100)),
    { form: '10-Q', filed: '2024-05-01', facts: [cover(day, 100 * ratio), ...more] },
  ],
});
const COVERS: readonly (readonly [title: string, given: Filer, ratio: number | null, splits?: readonly (readonly [string, number])[]])[] = [
  ['of the double', covers(2), 2],
  ['of the double and not quite five percent', covers(2 * Math.exp(0.049)), 2],
  ['of the double and more than five percent', covers(2 * Math.exp(0.051)), null],
  ['of half as many again', covers(1.5), null],
  ['of a tenth', covers(0.1), 0.1],
  ['of the same day', covers(2, '2024-01-25'), null],
  ['of a listed split on its day', covers(2), null, [['2024-04-25', 2]]],
  ['of a split listed for the day after', covers(2), 2, [['2024-04-26', 2]]],
  ['of a jump that was looked into', covers(2), null, [['2024-04-25', 1]]],
  ['of a jump that was looked into on another day', covers(2), 2, [['2024-01-25', 1]]],
];
const counted = COVERS.map(([title, given, ratio, splits = []]) => [title, filer(given, ...splits), ratio] as const);

// What is said of them, and what refutes them.
const restatedWithCover = filer({
  filings: [
    { form: '10-Q', filed: '2023-05-01', facts: [count(100), cover('2023-04-25', 100)] },
    { form: '10-Q', filed: '2023-08-01', facts: [cover('2023-07-25', 101)] },
    { form: '10-Q', filed: '2024-05-01', facts: [count(200), cover('2024-04-25', 202)] },
    // Restates by the same split: nothing new.
    { form: '10-Q', filed: '2024-08-01', facts: [fact(WEIGHTED, '2023-04-01', '2023-06-30', 300), cover('2024-07-25', 202)] },
  ],
});
const refuted = filer({
  filings: [
    { form: '10-Q', filed: '2023-11-01', facts: [count(100)] },
    { form: '10-Q', filed: '2024-02-01', facts: [cover('2024-01-25', 100)] },
    { form: '10-Q', filed: '2024-05-01', facts: [cover('2024-04-25', 200)] },
    { form: '10-Q', filed: '2024-08-01', facts: [count(100), cover('2024-07-25', 200)] },
  ],
});
const unadjusted = filer(
  {
    filings: [annual('2024-02-01', cover('2024-01-25', 100))],
    closes: { '2024-03-04': [40, '2024-03-06 22:00:00+00'], '2024-03-05': [4, '2024-03-06 22:00:00+00'] },
  },
  ['2024-03-05', 10],
);

// What is withheld: a split of two for one that a filing of May 1 2024 shows, after the cover of January 25 and by that of April 25.
const doubted = (sent: Filer['closes']): number =>
  filer({
    filings: [
      {
        filed: '2024-02-01',
        facts: [
          fact('Revenues', ...YEAR, 1000),
          fact('EarningsPerShareDiluted', ...YEAR, 2),
          fact('EarningsPerShareDiluted', '2022-01-01', '2022-12-31', 1.6),
          fact(WEIGHTED, ...Q, 100),
          cover('2024-01-25', 100),
          fact('StockholdersEquity', null, '2023-12-31', 800),
        ],
      },
      {
        form: '10-Q',
        filed: '2024-05-01',
        facts: [
          fact(WEIGHTED, ...Q, 200),
          fact(WEIGHTED, '2024-01-01', '2024-03-31', 200),
          cover('2024-04-25', 200),
          fact('StockholdersEquity', null, '2024-03-31', 820),
          fact('Revenues', '2024-01-01', '2024-03-31', 250),
          fact('Revenues', '2023-01-01', '2023-03-31', 250),
          fact('EarningsPerShareDiluted', '2024-01-01', '2024-03-31', 0.3),
          fact('EarningsPerShareDiluted', '2023-01-01', '2023-03-31', 0.2),
        ],
      },
    ],
    ...(sent === undefined ? {} : { closes: sent }),
  });
const jumping = doubted({ '2024-04-24': 41, '2024-04-25': 20.5, '2024-05-02': 21 });
const withheld = doubted({ '2024-01-25': 40, '2024-04-10': 41, '2024-05-02': 21 });
const maybeAdjusted = doubted({ '2024-01-25': [40, '2024-02-02 00:00:01+00'], '2024-04-10': 41 });

const closeTo = (want: number): unknown => expect.closeTo(want, 9);

let relations: Relations;
beforeAll(async () => {
  relations = await openFilers(FILERS, SPLITS);
  await relations.build('filings/filers', 'splits/split_findings');
});
afterAll(() => relations.close());

const of = (relation: string, number: number, columns = '*', order = 'known_at'): Promise<readonly Found[]> =>
  relations.ask(`select ${columns} from ${relation} where cik = '${cikOf(number)}' order by ${order}`);

describe('a listed split', () => {
  it.each(listed)('%s lies between the shares of its days and the earlier ones', async (_, number, __, shares, price) => {
    const rows = await of('valuations.valuations', number, 'shares, close, market_cap, eps', 'period_end');
    expect(rows.map((row) => row['shares'])).toEqual(shares.map((value) => expect.closeTo(value, 9)));
    expect(rows.map((row) => row['close'])).toEqual(price.map((value) => expect.closeTo(value, 9)));
    expect(rows.map((row) => row['market_cap'])).toEqual(shares.map((value, index) => expect.closeTo(value * (price[index] ?? 0), 9)));
  });

  it('after the filing divides per-share amounts from its first day on', async () => {
    const [second, cover25, cover26] = [2, 3, 4].map((index) => listed[index]?.[1] ?? 0);
    expect((await of('valuations.valuations', second ?? 0, 'eps', 'period_end')).map((row) => row['eps'])).toEqual([2, 0.2, 0.2]);
    // Before it, what was filed was of the new shares already.
    for (const number of [cover25, cover26])
      expect((await of('valuations.valuations', number ?? 0, 'eps', 'period_end')).map((row) => row['eps'])).toEqual([2, 2, 2]);
  });

  it('is not reversed in a price that was sent before it', async () => {
    expect(await of('valuations.valuations', sentBefore, 'close, shares')).toEqual([{ close: 40, shares: 100 }]);
  });

  it('multiplies with earlier ones', async () => {
    const rows = await of('valuations.valuations', twice, 'close, shares, eps', 'period_end');
    expect(rows.map((row) => [row['close'], row['shares']])).toEqual(
      [
        [30, 100],
        [24, 150],
        [14, 300],
      ].map((row) => row.map((value) => expect.closeTo(value, 9))),
    );
    expect(rows.map((row) => row['eps'])).toEqual([2, 2 / 1.5, 2 / 3].map((value) => expect.closeTo(value, 9)));
    expect(
      (await of('splits.split_bases', twice, 'valid_from, basis', 'valid_from')).map((row) => [row['valid_from'], row['basis']]),
    ).toEqual([
      ['0001-01-01', 1],
      ['2024-03-01', 1.5],
      ['2024-04-01', 3],
    ]);
  });
});

describe('an unlisted split', () => {
  it('has one of the usual split ratios', async () => {
    const rows = await relations.ask('select share_ratio, is_whole from splits.split_ratios where share_ratio > 1 order by share_ratio');
    expect(rows.map((row) => row['share_ratio'])).toEqual([
      1.25,
      4 / 3,
      1.5,
      5 / 3,
      2,
      2.5,
      3,
      3.5,
      4,
      5,
      6,
      7,
      8,
      9,
      10,
      12,
      15,
      20,
      25,
      30,
      40,
      50,
      60,
      75,
      80,
      100,
      150,
      200,
    ]);
    expect(rows.filter((row) => row['is_whole'] !== true).map((row) => row['share_ratio'])).toEqual([1.25, 4 / 3, 1.5, 5 / 3, 2.5, 3.5]);
    expect(
      (
        await relations.ask(
          'select count(*) as n, count(*) filter (where is_whole) as whole from splits.split_ratios where share_ratio < 1',
        )
      )[0],
    ).toEqual({ n: 28, whole: 22 });
  });

  it.each(restated)('is detected or not by %s', async (_, number, ratio) => {
    expect((await of('splits.restatements', number, 'share_ratio')).map((row) => row['share_ratio'])).toEqual(
      ratio === null ? [] : [closeTo(ratio)],
    );
    const splits = (await of('splits.unlisted_splits', number, 'kind, share_ratio')).map((row) => [row['kind'], row['share_ratio']]);
    expect(splits).toEqual(ratio === null || ratio === 1 ? [] : [['restatement', closeTo(ratio)]]);
  });

  it.each(jumps)('is detected or not by a close that jumps %s', async (_, number, ratio) => {
    const found = await of('splits.unlisted_splits', number, 'kind, share_ratio, not_before, by_date');
    expect(found.map((row) => [row['kind'], row['share_ratio'], row['not_before']])).toEqual(
      ratio === null ? [] : [['price', ratio, '2024-03-04']],
    );
  });

  it.each(counted)('is detected or not by a cover page %s', async (_, number, ratio) => {
    const found = await of('splits.unlisted_splits', number, 'kind, share_ratio, not_before, by_date, evidence');
    expect(found.map((row) => [row['kind'], row['share_ratio'], row['not_before'], row['by_date'], row['evidence']])).toEqual(
      ratio === null ? [] : [['cover', ratio, '2024-01-25', '2024-04-25', accessionOf(number, 1)]],
    );
  });

  it('is dated between the last filing before it and the first cover after it, once', async () => {
    const found = await of(
      'splits.unlisted_splits',
      restatedWithCover,
      'kind, share_ratio, not_before, by_date, evidence, known_at, is_listed, refutation, adjusted_from',
    );
    expect(found).toEqual([
      {
        kind: 'restatement',
        share_ratio: 2,
        not_before: '2023-07-25',
        by_date: '2024-04-25',
        evidence: accessionOf(restatedWithCover, 2),
        known_at: '2024-05-01 21:00:00+00',
        is_listed: false,
        refutation: null,
        adjusted_from: '2023-07-26 00:00:00+00',
      },
    ]);
  });

  it('is refuted by a later filing that repeats earlier figures unchanged', async () => {
    const [found] = await of('splits.unlisted_splits', refuted, 'kind, refutation');
    expect(found).toMatchObject({ kind: 'cover', refutation: { evidence: accessionOf(refuted, 3), known_at: '2024-08-01 21:00:00+00' } });
    const findings = await relations.ask(
      `select severity, field_path, observed_value, period from splits.split_findings where entity_id = 'company_${cikOf(refuted)}'`,
    );
    expect(findings).toEqual([{ severity: 'warn', field_path: 'cover', observed_value: '2', period: '2024-04-25' }]);
  });

  it('includes a listed one whose earlier closes are not adjusted', async () => {
    expect(await of('splits.unlisted_splits', unadjusted, 'kind, share_ratio, is_listed, by_date')).toEqual([
      { kind: 'price', share_ratio: 10, is_listed: true, by_date: '2024-03-05' },
    ]);
    const [finding] = await relations.ask(
      `select severity, rule, reason from splits.split_findings where entity_id = 'company_${cikOf(unadjusted)}'`,
    );
    expect(finding).toMatchObject({ severity: 'block', rule: 'scale_jump' });
    expect(String(finding?.['reason'])).toContain('the split is listed, and the closes before it are not adjusted for it');
  });

  const told = async (number: number, slug: string) => {
    const rows = await relations.ask(
      `select period_end, observed_at, value, reason from valuations.valuation_multiples where entity_id = 'company_${cikOf(number)}' and slug = '${slug}' order by period_end, observed_at`,
    );
    return rows.map((row) => [row['period_end'], String(row['observed_at']).slice(0, 10), row['value'], row['reason']]);
  };

  it('withholds values that may lie on either side of it, from the time it is known', async () => {
    expect(await told(withheld, 'price_to_book')).toEqual([
      // Price and shares from before it, and not adjusted for it: sound for ever.
      ['2024-01-25', '2024-02-01', 5, null],
      ['2024-04-10', '2024-04-10', 41 / 8, null],
      ['2024-04-10', '2024-05-01', null, 'unlisted_split'],
      ['2024-05-02', '2024-05-02', closeTo((21 * 200) / 820), null],
    ]);
    // Earnings a share of filings from before it, beside a price of after it.
    expect((await told(withheld, 'price_to_earnings')).at(-1)).toEqual(['2024-05-02', '2024-05-02', null, 'unlisted_split']);
    expect((await told(withheld, 'peg')).at(-1)).toEqual(['2024-05-02', '2024-05-02', null, 'unlisted_split']);
    expect((await told(maybeAdjusted, 'price_to_book')).slice(0, 2)).toEqual([
      ['2024-01-25', '2024-02-01', 5, null],
      ['2024-01-25', '2024-05-01', null, 'unlisted_split'],
    ]);
  });

  it('withholds values from the close that shows it, until a filing has shares after it', async () => {
    expect(await told(jumping, 'price_to_book')).toEqual([
      ['2024-04-24', '2024-04-24', 41 / 8, null],
      ['2024-04-25', '2024-04-25', null, 'unlisted_split'],
      ['2024-04-25', '2024-05-01', 5, null],
      ['2024-05-02', '2024-05-02', closeTo((21 * 200) / 820), null],
    ]);
  });
});
