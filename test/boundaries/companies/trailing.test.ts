// Trailing twelve months at the edges of their rules (docs/reference/company-methods.md#company-facts): which periods are a year or a part of one, which filing counts, what is
// rolled and when the result is doubted. One company for each way, its revenue and earnings a share expected by hand.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessionOf, type Fact, type Filer, type Filing, first, openFilers } from '../by-hand/filers.ts';
import { plusDays, type Relations } from '../by-hand/relations.ts';

const R = 'Revenues';
const Y2022: readonly [string, string] = ['2022-01-01', '2022-12-31'];
const Y2023: readonly [string, string] = ['2023-01-01', '2023-12-31'];
const Q1 = (year: number) => [`${year}-01-01`, `${year}-03-31`] as const;
const fact = (concept: string, [start, end]: readonly [string, string], value: number): Fact => [concept, start, end, value];
const shifted = ([start, end]: readonly [string, string], days: number): [string, string] => [plusDays(start, days), plusDays(end, days)];
/** Of so many days, as the filing's end less its start. */
const lasting = (days: number, end = '2023-12-31'): [string, string] => [plusDays(end, -days), end];
/** With an old year of another line, so that a filing says something even where nothing of its revenue can be rolled. */
const filed = (day: string, ...facts: Fact[]): Filing => ({
  filed: day,
  retrievedAt: '2030-01-01 00:00:00+00',
  facts: [...facts, fact('NetIncomeLoss', ['2021-01-01', '2021-12-31'], 1)],
});

interface Case {
  readonly filings: readonly Filing[];
  /** Of the last filing. */
  readonly revenue: number | null;
  readonly yearAgo?: number | null;
  readonly windowEnd?: string;
  readonly contradiction?: string;
}

/** A year of 1000, a quarter of 200 of it, and the next year's first quarter. */
const roll = (now: readonly [string, string], before: readonly [string, string], day = '2024-05-01'): Filing[] => [
  filed('2024-02-01', fact(R, Y2023, 1000)),
  filed(day, fact(R, before, 200), fact(R, now, 300)),
];
const annual = (days: number): Case => ({
  filings: [filed('2024-02-01', fact(R, lasting(days), 1000))],
  revenue: days >= 330 && days <= 420 ? 1000 : null,
});
const part = (days: number, isPart: boolean): Case => ({
  filings: roll(['2024-01-01', plusDays('2024-01-01', days)], ['2023-01-01', plusDays('2023-01-01', days)], '2024-12-20'),
  revenue: isPart ? 1100 : null,
});

const CASES: Readonly<Record<string, Case>> = {
  'the exact revenue of a filing, and the same one rounded in its text': {
    filings: [filed('2024-02-01', fact('SalesRevenueNet', Y2023, 18_591e6), fact('SalesRevenueGoodsNet', Y2023, 18_600e6))],
    revenue: 18_591e6,
  },
  'a year of 329 days is none': annual(329),
  'a year of 330 days': annual(330),
  'a year of 420 days': annual(420),
  'a year of 421 days is none': annual(421),
  'a quarter of 69 days is none': {
    filings: roll(['2024-01-01', plusDays('2024-01-01', 69)], ['2023-01-01', plusDays('2023-01-01', 69)]),
    revenue: 1000,
    windowEnd: '2023-12-31',
  },
  'a quarter of 70 days': part(70, true),
  'a part of 329 days': part(329, true),
  'a part of 330 days, which is a year': { ...part(330, true), revenue: 300 },
  'the year, and the part of the next less that of the last': { filings: roll(Q1(2024), Q1(2023)), revenue: 1100, windowEnd: '2024-03-31' },
  'no part of the year before': {
    filings: [filed('2024-02-01', fact(R, Y2023, 1000)), filed('2024-05-01', fact(R, Q1(2024), 300))],
    revenue: null,
  },
  'no year': { filings: [filed('2024-05-01', fact(R, Q1(2023), 200), fact(R, Q1(2024), 300))], revenue: null },
  'a part that begins ten days after the year': { filings: roll(['2024-01-11', '2024-03-31'], Q1(2023)), revenue: 1100 },
  'a part that begins eleven days after the year': { filings: roll(['2024-01-12', '2024-03-31'], Q1(2023)), revenue: null },
  'a part that begins ten days before the end': { filings: roll(['2023-12-22', '2024-03-31'], Q1(2023)), revenue: 1100 },
  'a part that begins eleven days before the end': { filings: roll(['2023-12-21', '2024-03-31'], Q1(2023)), revenue: null },
  'a part of the year before that begins ten days after it': { filings: roll(Q1(2024), ['2023-01-11', '2023-03-31']), revenue: 1100 },
  'a part of the year before that begins eleven days after it': { filings: roll(Q1(2024), ['2023-01-12', '2023-03-31']), revenue: null },
  'a part of the year before that ends ten days later': { filings: roll(Q1(2024), ['2023-01-01', '2023-04-10']), revenue: 1100 },
  'a part of the year before that ends eleven days later': { filings: roll(Q1(2024), ['2023-01-01', '2023-04-11']), revenue: null },
  'a part of the year before that ends ten days earlier': { filings: roll(Q1(2024), ['2023-01-01', '2023-03-21']), revenue: 1100 },
  'a part of the year before that ends eleven days earlier': { filings: roll(Q1(2024), ['2023-01-01', '2023-03-20']), revenue: null },
  'two parts of the year before: the one that ends later': {
    filings: [
      filed('2024-02-01', fact(R, Y2023, 1000)),
      filed('2024-05-01', fact(R, Q1(2023), 200), fact(R, ['2023-01-01', '2023-04-03'], 210), fact(R, Q1(2024), 300)),
    ],
    revenue: 1090,
  },
  'two years: the one that ends later': {
    filings: [filed('2024-02-01', fact(R, Y2023, 1000), fact(R, ['2022-12-27', '2023-12-27'], 900))],
    revenue: 1000,
  },
  'two years of one end: the one that begins later': {
    filings: [filed('2024-02-01', fact(R, Y2023, 1000), fact(R, ['2023-01-03', '2023-12-31'], 900))],
    revenue: 900,
  },
  'a half beside a quarter that end together': {
    // Of the half of 2024 that began with the year, not of its second quarter.
    filings: [
      filed('2024-02-01', fact(R, Y2023, 1000)),
      filed(
        '2024-08-01',
        fact(R, ['2024-04-01', '2024-06-30'], 290),
        fact(R, ['2024-01-01', '2024-06-30'], 590),
        fact(R, ['2023-01-01', '2023-06-30'], 390),
      ),
    ],
    revenue: 1200,
    windowEnd: '2024-06-30',
  },
  'the year, once it is filed': {
    filings: [...roll(Q1(2024), Q1(2023)), filed('2025-02-01', fact(R, ['2024-01-01', '2024-12-31'], 1400))],
    revenue: 1400,
    yearAgo: 1000,
    windowEnd: '2024-12-31',
  },
  'a year too old to roll from': {
    filings: [filed('2023-02-01', fact(R, Y2022, 900)), filed('2024-05-01', fact(R, Q1(2023), 200), fact(R, Q1(2024), 300))],
    revenue: null,
  },

  // Which filing counts.
  'the latest filing of a year': {
    filings: [filed('2024-02-01', fact(R, Y2023, 1000)), filed('2024-03-01', fact(R, Y2023, 1002))],
    revenue: 1002,
  },
  'a newest period that does not move back': {
    filings: [filed('2024-02-01', fact(R, Y2023, 1000)), filed('2024-03-01', fact(R, Y2022, 900))],
    revenue: 1000,
    yearAgo: 900,
    windowEnd: '2023-12-31',
  },
  'a period that ends on the day of acceptance': { filings: [filed('2023-12-31', fact(R, Y2023, 1000))], revenue: 1000 },
  'a period that ends after acceptance': {
    filings: [filed('2023-12-30', fact(R, Y2022, 900), fact(R, Y2023, 1000))],
    revenue: 900,
    windowEnd: '2022-12-31',
  },
  'a year of four years ago': { filings: [filed('2028-01-09', fact(R, Y2023, 1000))], revenue: 1000 },
  'a year of longer ago': { filings: [filed('2028-01-10', fact(R, Y2023, 1000))], revenue: null },

  // The year before.
  'the year before, ten days off': {
    filings: [filed('2024-02-01', fact(R, Y2023, 1000), fact(R, shifted(Y2022, 10), 900))],
    revenue: 1000,
    yearAgo: 900,
  },
  'the year before, eleven days off': {
    filings: [filed('2024-02-01', fact(R, Y2023, 1000), fact(R, shifted(Y2022, 11), 900))],
    revenue: 1000,
    yearAgo: null,
  },
  'the year before, ten days early': {
    filings: [filed('2024-02-01', fact(R, Y2023, 1000), fact(R, shifted(Y2022, -10), 900))],
    revenue: 1000,
    yearAgo: 900,
  },
  'the year before, eleven days early': {
    filings: [filed('2024-02-01', fact(R, Y2023, 1000), fact(R, shifted(Y2022, -11), 900))],
    revenue: 1000,
    yearAgo: null,
  },

  // Another line of the company is newer: this one is of an older window and stands for nothing.
  'revenue ten days older than the newest window': {
    filings: [filed('2024-02-01', fact(R, shifted(Y2023, -10), 1000), fact('NetIncomeLoss', Y2023, 5))],
    revenue: 1000,
    windowEnd: '2023-12-31',
  },
  'revenue eleven days older than the newest window': {
    filings: [filed('2024-02-01', fact(R, shifted(Y2023, -11), 1000), fact('NetIncomeLoss', Y2023, 5))],
    revenue: null,
    windowEnd: '2023-12-31',
  },

  // Synonyms: the one whose window ends latest; revenue is the largest of a period.
  'revenue under another tag from this year on': {
    filings: [filed('2023-02-01', fact('SalesRevenueNet', Y2022, 900)), filed('2024-02-01', fact(R, Y2023, 1000))],
    revenue: 1000,
    yearAgo: 900,
  },

  // Scope: half a percent of twelve months.
  'the part recast by half a percent of the whole': { filings: recast(205), revenue: 1000 },
  'the part recast by more than that': { filings: recast(204.9), revenue: null, contradiction: 'scope_changed' },
  'quarters that sum to what was rolled but for half a percent': { filings: quarters(305.5), revenue: 1100 },
  'quarters that sum to more than half a percent less': { filings: quarters(294.4), revenue: null, contradiction: 'quarters_disagree' },
  'quarters that sum to half a percent less': { filings: quarters(294.5), revenue: 1100 },
  'quarters that sum to more than half a percent more': { filings: quarters(305.6), revenue: null, contradiction: 'quarters_disagree' },
  'three quarters alone': { filings: quarters(null), revenue: 1100 },
};

/** The first quarter of the year before was 200 and is 205 beside this year's. */
function recast(now: number): Filing[] {
  return [
    filed('2023-05-01', fact(R, Q1(2023), 200)),
    filed('2024-02-01', fact(R, Y2023, 1000)),
    filed('2024-05-01', fact(R, Q1(2023), 205), fact(R, Q1(2024), now)),
  ];
}

/** Twelve months of 1100 to March 2024, of which the quarters say 200 + 300 + 300 + the given. */
function quarters(last: number | null): Filing[] {
  const q4: Fact[] = last === null ? [] : [fact(R, ['2023-10-01', '2023-12-31'], last)];
  return [
    filed('2023-05-01', fact(R, Q1(2023), 200)),
    filed('2023-08-01', fact(R, ['2023-04-01', '2023-06-30'], 200)),
    filed('2023-11-01', ...(last === null ? [] : [fact(R, ['2023-07-01', '2023-09-30'], 300)])),
    filed('2024-02-01', fact(R, Y2023, 1000), ...q4),
    filed('2024-05-01', fact(R, Q1(2023), 200), fact(R, Q1(2024), 300)),
  ];
}

/** Companies beside the table: amounts a share and what goes with a value. */
const EPS = 'EarningsPerShareDiluted';
const OTHERS: readonly Filer[] = [
  {
    filings: [
      filed('2023-05-01', fact(EPS, Q1(2023), 0.4)),
      filed('2024-02-01', fact(EPS, Y2023, 2)),
      filed('2024-05-01', fact(EPS, Q1(2024), 0.7)),
    ],
  },
  // Known by a second statement of the same filing, and by a filing that no submissions file lists.
  {
    filings: [
      { ...filed('2024-02-01', fact(R, Y2023, 1000)), acceptedAt: '2024-02-01 12:00:00+00' },
      { ...filed('2024-03-01', fact(R, Y2023, 1002)), acceptedAt: null },
      { ...filed('2024-04-01', fact(R, Y2023, 1003)), acceptedAt: '2024-04-01 12:00:00+00', retrievedAt: '2024-03-30 00:00:00+00' },
      // Accepted on a Friday evening, disseminated on Monday morning.
      {
        ...filed('2024-05-06', fact(R, Y2023, 1004)),
        acceptedAt: '2024-05-03 21:40:00+00',
        disseminatedAt: '2024-05-06 10:00:00+00',
      },
      // Accepted on a Friday evening, in hand on Saturday, and listed with other words by a file of Tuesday.
      {
        ...filed('2024-06-10', fact(R, Y2023, 1005)),
        acceptedAt: '2024-06-07 21:40:00+00',
        disseminatedAt: ['2024-06-08 09:00:00+00', '2024-06-10 10:00:00+00'],
      },
    ],
  },
];

const closeTo = (want: number): unknown => expect.closeTo(want, 9);

let relations: Relations;
const titles = Object.keys(CASES);
beforeAll(async () => {
  relations = await openFilers([...Object.values(CASES), ...OTHERS]);
  await relations.build('filings/filers', 'filings/statement_findings', 'valuations/trailing_findings');
});
afterAll(() => relations.close());

describe('trailing twelve months', () => {
  it.each(Object.entries(CASES))('of %s', async (title, { revenue, yearAgo, windowEnd, contradiction }) => {
    const found = await first(
      relations,
      "select revenue, revenue_year_ago, window_end, contradictions['revenue'] as contradiction from valuations.company_fundamentals where cik = $cik order by known_at desc limit 1",
      titles.indexOf(title) + 1,
    );
    const got = {
      revenue: found?.['revenue'] ?? null,
      yearAgo: found?.['revenue_year_ago'] ?? null,
      windowEnd: found?.['window_end'] ?? null,
      contradiction: found?.['contradiction'] ?? null,
    };
    expect(got).toEqual({
      ...got,
      revenue: revenue === null ? null : closeTo(revenue),
      contradiction: contradiction ?? null,
      ...(yearAgo === undefined ? {} : { yearAgo }),
      ...(windowEnd === undefined ? {} : { windowEnd }),
    });
  });

  it('of per-share amounts are the sum of reported ones, from the oldest filing among them', async () => {
    const rows = await relations.ask(
      `select value, since, window_start, window_end, derivation, fact_refs, retrieved_at from valuations.trailing_values where cik = '${String(titles.length + 1).padStart(10, '0')}' and lag = 0 and metric = 'eps_diluted' and known_at > '2023-05-02' order by known_at`,
    );
    const ref = (filing: number, period: string) => `sec:${accessionOf(titles.length + 1, filing)}/us-gaap:${EPS}/${period}`;
    expect(rows).toEqual([
      {
        value: 2,
        since: '2024-02-01',
        window_start: '2023-01-01',
        window_end: '2023-12-31',
        derivation: 'fiscal_year',
        fact_refs: [ref(1, '2023-01-01/2023-12-31')],
        retrieved_at: '2030-01-01 00:00:00+00',
      },
      {
        value: expect.closeTo(2.3, 12),
        since: '2023-05-01',
        window_start: '2023-04-01',
        window_end: '2024-03-31',
        derivation: 'ttm_roll',
        fact_refs: [ref(0, '2023-01-01/2023-03-31'), ref(1, '2023-01-01/2023-12-31'), ref(2, '2024-01-01/2024-03-31')],
        retrieved_at: '2030-01-01 00:00:00+00',
      },
    ]);
  });

  it('count from the dissemination of a filing, else from the end of its day, never later than its retrieval', async () => {
    const rows = await relations.ask(
      `select revenue, known_at, known_to from valuations.company_fundamentals where cik = '${String(titles.length + 2).padStart(10, '0')}' order by known_at`,
    );
    expect(rows).toEqual([
      { revenue: 1000, known_at: '2024-02-01 12:00:00+00', known_to: '2024-03-01 23:59:59.999+00' },
      { revenue: 1002, known_at: '2024-03-01 23:59:59.999+00', known_to: '2024-03-30 00:00:00+00' },
      { revenue: 1003, known_at: '2024-03-30 00:00:00+00', known_to: '2024-05-06 10:00:00+00' },
      { revenue: 1004, known_at: '2024-05-06 10:00:00+00', known_to: '2024-06-08 09:00:00+00' },
      { revenue: 1005, known_at: '2024-06-08 09:00:00+00', known_to: null },
    ]);
  });
});

describe('contradictory twelve months', () => {
  const findingsOf = (title: string) =>
    relations.ask(
      `select severity, field_path, series_code, period, observed_value, expected, rule from valuations.trailing_findings where entity_id = 'company_${String(titles.indexOf(title) + 1).padStart(10, '0')}'`,
    );

  it('are found once: by their line of the statement, or else by their multiple', async () => {
    const line = (title: string) =>
      relations.ask(
        `select severity, field_path, expected from filings.statement_findings where entity_id = 'company_${String(titles.indexOf(title) + 1).padStart(10, '0')}' and period = '2024-03-31'`,
      );
    for (const title of ['quarters that sum to more than half a percent less', 'the part recast by more than that']) {
      expect((await line(title)).map((row) => [row['severity'], row['field_path']])).toEqual([['block', 'income.revenue']]);
      expect(await findingsOf(title)).toEqual([]);
    }
    // 200 became 205 beside a year of 1000: 1000 + 204.9 - 205.
    expect((await line('the part recast by more than that')).map((row) => JSON.parse(String(row['expected'])))).toEqual([
      { recastBy: { year: 0, yearToDate: 0, yearAgo: 5 }, tolerance: 0.005 },
    ]);
    await relations.run("update filings.trailing_reconciliations set is_reconciled = true where key = 'revenue'");
    await relations.build('valuations/trailing_findings');
    expect(await findingsOf('quarters that sum to more than half a percent less')).toEqual([
      {
        severity: 'block',
        field_path: 'multiples.revenue',
        series_code: null,
        period: '2024-03-31',
        observed_value: '1100.0',
        rule: 'reconciliation_failed',
        expected: JSON.stringify({ sumOfQuarters: 1094.4, tolerance: 0.005 }),
      },
    ]);
    expect(await findingsOf('quarters that sum to half a percent less')).toEqual([]);
    expect((await findingsOf('the part recast by more than that')).map((row) => JSON.parse(String(row['expected'])))).toEqual([
      { recastBy: { year: 0, yearToDate: 0, yearAgo: 5 }, tolerance: 0.005 },
    ]);
  });
});

describe('the scope of rolled quarters', () => {
  // [value, recast by] of the year, the year to date and that of a year ago: 1000 + 300 - 200 but for the last.
  it.each([
    ['none recast', [1000, 0], [300, 0], [200, 0], true],
    ['not known', [1000, null], [300, null], [200, null], true],
    ['the year to date recast by half a percent of twelve months', [1000, 0], [300, 5.5], [200, 0], true],
    ['the year to date recast by more', [1000, 0], [300, 5.6], [200, 0], false],
    ['the year to date recast by less than nothing', [1000, 0], [300, -5.6], [200, 0], false],
    ['both recast', [1000, 100], [300, 0], [200, 20], true],
    ['the year alone', [1000, 100], [300, 0], [200, 0], false],
    ['the year alone, downwards', [1000, -100], [300, 0], [200, 0], false],
    ['the part alone', [1000, 0], [300, 0], [200, 20], false],
    ['the part alone, downwards', [1000, 0], [300, 0], [200, -20], false],
    // Half a percent of the year itself is 5, of its part 1.
    // What is added to the one is taken by the other: 5 - 6 of 1100.
    ['the part by little more, the year by half a percent of it', [1000, 5], [300, 0], [200, 6], true],
    ['the part and the year to date by as much', [1000, 0], [300, 20], [200, 20], true],
    ['the year to date by more than its part, within half a percent', [1000, 0], [300, 25.5], [200, 20], true],
    ['the year to date by more than its part', [1000, 0], [300, 25.6], [200, 20], false],
    ['the year to date and, as is not known, its part', [1000, 0], [300, 20], [200, null], false],
    ['both by more than half a percent of them', [1000, 5.01], [300, 0], [200, 6], true],
    ['the year by more, the part by half a percent of it', [1000, 6.6], [300, 0], [200, 1], false],
    ['the year and its part by more', [1000, 6], [300, 0], [200, 1.01], true],
    ['the part by half a percent of twelve months', [1000, 0], [300, 0], [200, 5.5], true],
    ['the part by more', [1000, 0], [300, 0], [200, 5.6], false],
    ['the year by half a percent of twelve months', [1000, 5.5], [300, 0], [200, 0], true],
    ['the part alone of a loss', [-1000, 0], [-300, 0], [-200, 20], false],
  ] as const)('%s', async (_, year, toDate, yearAgo, isOne) => {
    const input = ([value, by]: readonly [number, number | null]) => `{value: ${value}::double, recast_by: ${by ?? 'null'}::double}`;
    const asked = (isLater: boolean) =>
      relations.ask(`select is_of_one_scope(${input(year)}, ${input(toDate)}, ${input(yearAgo)}, ${isLater}) as one`);
    expect(await asked(false)).toEqual([{ one: isOne }]);
    // A year that was of the later scope already is not compared with its part; the year to date must be as it was.
    const together = Math.abs((year[1] ?? Number.NaN) + (toDate[1] ?? Number.NaN) - (yearAgo[1] ?? Number.NaN));
    expect(await asked(true)).toEqual([{ one: Math.abs(toDate[1] ?? 0) <= 5.5 || together <= 5.5 }]);
  });
});
