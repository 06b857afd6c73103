// Two sources that say the same: what agrees, what the days explain on which both spoke, and what disagrees, each at its edges. Pairs and values are by hand.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readReconciliations } from '../../src/snapshot/build/reconciliations.ts';
import {
  type Found,
  giveLake,
  type GivenRow,
  openRelations,
  type Relations,
  SERIES_COLUMNS,
  VINTAGE_COLUMNS,
} from './by-hand/relations.ts';

const PAIR_COLUMNS = {
  pair: 'varchar',
  left_source_id: 'varchar',
  left_indicator: 'varchar',
  right_source_id: 'varchar',
  right_indicator: 'varchar',
  frequency: 'varchar',
  entity_id: 'varchar',
  comparison: 'varchar',
  transform: 'varchar',
  decimals: 'integer',
  tolerance: 'double',
  comparable_since: 'date',
  revised_months: 'integer',
  reason: 'varchar',
} as const;
const COLUMNS = { ...VINTAGE_COLUMNS, prior_value: 'double' } as const;
const LEFT = 1;
const RIGHT = 2;
/** When bare downloads came in. */
const DOWNLOADED = '2024-06-15 12:00:00+00';

const pair = (more: GivenRow = {}): GivenRow => ({
  pair: 'p',
  left_source_id: 'l',
  left_indicator: 'cpi',
  right_source_id: 'r',
  right_indicator: 'cpi',
  frequency: 'monthly',
  comparison: 'newest',
  tolerance: 0,
  comparable_since: '0001-01-01',
  revised_months: 12,
  reason: 'by hand',
  ...more,
});
const series = (series_no: number, source_id: string, more: GivenRow = {}): GivenRow => ({
  series_no,
  source_id,
  indicator_id: `us_${source_id}_cpi`,
  entity_id: 'us',
  canonical_id: 'cpi',
  frequency: 'monthly',
  ...more,
});

type Print = readonly [period: string, value: number | null, day: string];
/** Prints of one series, in their order; `day` is the day from whose end they are known, as the publisher states it, or an instant of a download. */
function prints(series_no: number, given: readonly Print[]): readonly GivenRow[] {
  const instantOf = (day: string) => (day.length === 10 ? `${day} 23:59:59.999+00` : day);
  return given.map(([period, value, day], index) => {
    const end = period.length === 10 ? period : new Date(Date.UTC(+period.slice(0, 4), +period.slice(5), 0)).toISOString().slice(0, 10);
    const next = given.slice(index + 1).find(([later]) => later === period);
    const before = given.slice(0, index).findLast(([earlier]) => earlier === period);
    return {
      series_no,
      period,
      period_end: end,
      value,
      observed_at: instantOf(day),
      known_to: next === undefined ? null : instantOf(next[2]),
      prior_value: before?.[1] ?? null,
      retrieved_at: day.length === 10 ? DOWNLOADED : day,
      ingested_at: DOWNLOADED,
      run_id: `run_${series_no}`,
    };
  });
}

let relations: Relations;
beforeAll(async () => {
  relations = await openRelations();
});
afterAll(() => relations.close());

const PATHS = ['paired_series', 'transformed_values', 'vintage_comparisons', 'newest_comparisons', 'comparisons'].map(
  (name) => `reconciliations/${name}`,
);
const SUMMED = ['reconciliations/reconciliation_findings', 'reconciliations/summaries'];

async function give(pairs: readonly GivenRow[], of: readonly GivenRow[], vintages: readonly GivenRow[]): Promise<void> {
  await relations.give('reference.reconciliations', PAIR_COLUMNS, pairs);
  await relations.give('series.series', SERIES_COLUMNS, of);
  await relations.give('series.vintages', COLUMNS, vintages);
  await relations.give('series.runs', { run_id: 'varchar', payload_id: 'varchar' }, [{ run_id: 'run_1', payload_id: 'pay_1' }]);
  await relations.build(...PATHS.slice(0, -1));
  await giveFilings();
  await relations.build(...PATHS.slice(-1), ...SUMMED);
}

/** Of companies there is nothing: see test/filings/filed-comparisons.test.ts. */
async function giveFilings(): Promise<void> {
  await relations.give('reconciliations.filed_comparisons', { pair: 'varchar', subject: 'varchar' });
  await relations.give('filings.company_facts', { cik: 'varchar' });
  await relations.give('lake.statement_numbers', { source_id: 'varchar' });
}

/** Outcomes of the comparisons by period, and by file of the left where it is compared by file. */
async function outcomes(left: readonly Print[], right: readonly Print[], more: GivenRow = {}, leftFrequency = 'monthly'): Promise<Found> {
  await give(
    [pair(more)],
    [series(LEFT, 'l', { frequency: leftFrequency }), series(RIGHT, 'r')],
    [...prints(LEFT, left), ...prints(RIGHT, right)],
  );
  const found = await relations.ask(`
    select period || coalesce(' ' || strftime(known_at, '%m-%d'), '') as at, outcome, left_value
    from reconciliations.comparisons order by period_end, known_at`);
  return Object.fromEntries(found.map(({ at, outcome }) => [String(at), outcome]));
}

describe('newest values', () => {
  it('agree if they are equal to the last binary digit', async () => {
    const day = '2024-02-10';
    expect(await outcomes([['2024-01', 0.3, day]], [['2024-01', 0.1 + 0.2, day]])).toEqual({ '2024-01': 'agrees' });
    expect(await outcomes([['2024-01', 0.3, day]], [['2024-01', 0.300001, day]])).toEqual({ '2024-01': 'disagrees' });
    expect(await outcomes([['2024-01', 0.3, day]], [['2024-01', 0.4, day]], { tolerance: 0.1 })).toEqual({ '2024-01': 'agrees' });
    expect(await outcomes([['2024-01', 0.3, day]], [['2024-01', 0.41, day]], { tolerance: 0.1 })).toEqual({ '2024-01': 'disagrees' });
  });

  it('disagree if both were known at the last statement of the other', async () => {
    const left: Print[] = [
      ['2024-01', 1, '2024-02-10'],
      ['2024-02', 2, '2024-03-10'],
    ];
    const right: Print[] = [
      ['2024-01', 1.5, '2024-02-11'],
      ['2024-02', 2, '2024-03-11'],
    ];
    expect(await outcomes(left, right)).toEqual({ '2024-01': 'disagrees', '2024-02': 'agrees' });
  });

  it('count as other days if one came after the last statement of the other, or if one reaches further', async () => {
    const spoken: Print = ['2024-01', 1, '2024-02-10'];
    expect(await outcomes([spoken], [['2024-01', 1.5, '2024-02-11']])).toEqual({ '2024-01': 'dated' });
    expect(await outcomes([['2024-01', 1.5, '2024-02-11']], [spoken])).toEqual({ '2024-01': 'dated' });
    const [own, download]: Print[][] = [
      [['2024-01', 1, DOWNLOADED]],
      [
        ['2024-01', 1.5, DOWNLOADED],
        ['2024-02', 2, DOWNLOADED],
      ],
    ];
    expect(await outcomes(own ?? [], download ?? [])).toEqual({ '2024-01': 'dated' });
    expect(await outcomes(own ?? [], (download ?? []).slice(0, 1))).toEqual({ '2024-01': 'disagrees' });
  });

  it('must agree regardless of days once a period is no longer revised', async () => {
    const left: Print[] = [
      ['2022-12', 1, '2024-01-10'],
      ['2023-01', 1, '2024-01-10'],
      ['2024-01', 1, '2024-01-31'],
    ];
    const right: Print[] = [
      ['2022-12', 2, '2024-03-10'],
      ['2023-01', 2, '2024-03-10'],
      ['2024-01', 1, '2024-03-10'],
    ];
    // Twelve months before January 31, 2024, the last word and the reach of the left: January 31, 2023, is settled.
    expect(await outcomes(left, right)).toEqual({ '2022-12': 'disagrees', '2023-01': 'disagrees', '2024-01': 'agrees' });
    expect(await outcomes(left, right, { revised_months: 13 })).toEqual({
      '2022-12': 'disagrees',
      '2023-01': 'dated',
      '2024-01': 'agrees',
    });
    // A download of old content reaches no further than its content.
    const old = (value: number): Print[] => [['2020-01', value, DOWNLOADED]];
    const fresh: Print[] = [
      ['2020-01', 1, DOWNLOADED],
      ['2024-01', 1, DOWNLOADED],
    ];
    expect(await outcomes(old(2), fresh)).toEqual({ '2020-01': 'dated' });
  });

  it("are compared with the later side's value on the day of the last statement, if it has vintages", async () => {
    const left: Print[] = [['2024-01', 1, '2024-02-10']];
    const revised = (first: number, day: string): Print[] => [
      ['2024-01', first, day],
      ['2024-01', 1.5, '2024-03-10'],
    ];
    expect(await outcomes(left, revised(1, '2024-02-10'))).toEqual({ '2024-01': 'dated' });
    expect(await outcomes(left, revised(1.2, '2024-02-10'))).toEqual({ '2024-01': 'disagrees' });
    expect(await outcomes(left, revised(1.2, '2024-02-11'))).toEqual({ '2024-01': 'dated' });
    expect(await outcomes(revised(1.2, '2024-02-10'), left)).toEqual({ '2024-01': 'disagrees' });
    // Downloads state no vintages: what they say is no proof of what was said between them.
    const downloads: Print[] = [
      ['2024-01', 1.2, '2024-02-10 09:00:00+00'],
      ['2024-01', 1.5, '2024-03-10 09:00:00+00'],
    ];
    expect(await outcomes(left, downloads)).toEqual({ '2024-01': 'dated' });
  });

  it('are compared from the first comparable day on, for periods with both values', async () => {
    const day = '2024-03-10';
    const left: Print[] = [
      ['2023-12', 1, day],
      ['2024-01', 1, day],
      ['2024-02', null, day],
    ];
    const right: Print[] = [
      ['2023-12', 2, day],
      ['2024-01', 1, day],
      ['2024-02', 1, day],
    ];
    expect(await outcomes(left, right, { comparable_since: '2024-01-31' })).toEqual({ '2024-01': 'agrees' });
  });
});

describe('transforms of the left side', () => {
  const days = (month: string, values: Readonly<Record<number, number>>): Print[] =>
    Object.entries(values).map(([day, value]) => [`${month}-${day.padStart(2, '0')}`, value, '2024-05-01']);
  const LATER: Print = ['2024-04-02', 9, '2024-05-01'];
  /** Business days of March 2024, first and last as they are. */
  const MARCH = { 1: 1, 6: 2, 11: 3, 15: 4, 20: 5, 25: 6, 29: 9 };
  const valueOf = async (left: readonly Print[], more: GivenRow) => {
    await outcomes(left, [['2024-03', 0, '2024-05-01']], more, 'daily');
    const [found] = await relations.ask('select value from reconciliations.transformed_values');
    return found?.['value'] ?? null;
  };

  it('are the mean of a month, rounded half up as on the right side', async () => {
    // (1 + 2 + 3 + 4 + 5 + 6 + 9) / 7 = 4.2857
    expect(await valueOf([...days('2024-03', MARCH), LATER], { transform: 'monthly_mean', decimals: 2 })).toBe(4.29);
    // 1.005 is less in binary; of -1.005 the other way.
    const half = Object.fromEntries(Object.keys(MARCH).map((day) => [day, 1.005]));
    expect(await valueOf([...days('2024-03', half), LATER], { transform: 'monthly_mean', decimals: 2 })).toBe(1.01);
    const minus = Object.fromEntries(Object.entries(half).map(([day, value]) => [day, -value]));
    expect(await valueOf([...days('2024-03', minus), LATER], { transform: 'monthly_mean', decimals: 2 })).toBe(-1.01);
  });

  it('are the value at the end of a month', async () => {
    expect(await valueOf([...days('2024-03', MARCH), LATER], { transform: 'month_end' })).toBe(9);
  });

  it('cover only whole months', async () => {
    const monthly = { transform: 'month_end' };
    const { 29: _, ...cut } = MARCH;
    const { 1: __, ...late } = MARCH;
    const { 11: ___, ...gap } = MARCH;
    expect(await valueOf(days('2024-03', MARCH), monthly)).toBeNull();
    expect(await valueOf([...days('2024-03', cut), LATER], monthly)).toBeNull();
    expect(await valueOf([...days('2024-03', late), LATER], monthly)).toBeNull();
    expect(await valueOf([...days('2024-03', gap), LATER], monthly)).toBeNull();
    expect(await valueOf([...days('2024-03', { ...cut, 26: 7 }), LATER], monthly)).toBe(7);
    expect(await valueOf([...days('2024-03', { ...late, 5: 1 }), LATER], monthly)).toBe(9);
  });

  it('are the growth over a year before', async () => {
    const left: Print[] = [
      ['2023-03', 200, '2024-05-01'],
      ['2024-03', 205, '2024-05-01'],
    ];
    await outcomes(left, [['2024-03', 2.5, '2024-05-01']], { transform: 'yoy', decimals: 1 });
    expect(await relations.ask('select period, value from reconciliations.transformed_values')).toEqual([
      { period: '2024-03', value: 2.5 },
    ]);
    expect(await relations.ask('select outcome from reconciliations.comparisons')).toEqual([{ outcome: 'agrees' }]);
  });
});

describe('files of the left side, each compared with the right side as known then', () => {
  const PER_VINTAGE = { comparison: 'per_vintage', revised_months: null };
  /** Two months as they were said, and January revised in March. */
  const RIGHT_PRINTS: Print[] = [
    ['2024-01', 1, '2024-02-10'],
    ['2024-02', 2, '2024-03-12'],
    ['2024-01', 1.1, '2024-03-12'],
    ['2024-03', 3, '2024-04-10'],
  ];

  it('agree with the values of that time, not with later ones', async () => {
    const left: Print[] = [
      ['2024-01', 1, '2024-02-29'],
      ['2024-01', 1.1, '2024-03-31'],
      ['2024-02', 2, '2024-03-31'],
    ];
    expect(await outcomes(left, RIGHT_PRINTS, PER_VINTAGE)).toEqual({
      '2024-01 02-29': 'agrees',
      '2024-01 03-31': 'agrees',
      '2024-02 03-31': 'agrees',
    });
    const ahead: Print[] = [['2024-01', 1.1, '2024-02-29']];
    expect(await outcomes(ahead, RIGHT_PRINTS, PER_VINTAGE)).toEqual({ '2024-01 02-29': 'disagrees' });
  });

  it('disagree if they have a value that the right side dates later', async () => {
    const ahead: Print[] = [['2024-02', 2, '2024-02-29']];
    expect(await outcomes(ahead, RIGHT_PRINTS, PER_VINTAGE)).toEqual({ '2024-02 02-29': 'disagrees' });
    const [summary] = await readReconciliations(relations.connection, ['reconciliations/summaries']);
    expect(summary?.disagreements).toEqual([{ entityId: 'us', period: '2024-02', knownOn: '2024-02-29', leftValue: 2, rightValue: null }]);
    // A download of later says nothing of when it was first said.
    const downloaded: Print[] = [
      ['2024-01', 1, '2024-02-10'],
      ['2024-03', 3, '2024-04-10'],
      ['2024-02', 2, DOWNLOADED],
    ];
    expect(await outcomes(ahead, downloaded, PER_VINTAGE)).toEqual({});
  });

  it('count as a day of their month: a value replaced within it is dated, unless the file is later than that', async () => {
    const cut: Print[] = [['2024-01', 1, '2024-03-31']];
    expect(await outcomes(cut, RIGHT_PRINTS, PER_VINTAGE)).toEqual({ '2024-01 03-31': 'dated' });
    // February came out with the revision of January: a file that has it is of that day or later.
    const both: Print[] = [...cut, ['2024-02', 2, '2024-03-31']];
    expect(await outcomes(both, RIGHT_PRINTS, PER_VINTAGE)).toEqual({ '2024-01 03-31': 'disagrees', '2024-02 03-31': 'agrees' });
    const [first, second, third, fourth] = RIGHT_PRINTS as [Print, Print, Print, Print];
    const dayBefore: Print[] = [first, ['2024-02', 2, '2024-03-11'], third, fourth];
    expect(await outcomes(both, dayBefore, PER_VINTAGE)).toEqual({ '2024-01 03-31': 'dated', '2024-02 03-31': 'agrees' });
    expect(second[0]).toBe('2024-02');
    // Replaced before its month began.
    expect(await outcomes([['2024-01', 1, '2024-04-05']], RIGHT_PRINTS, PER_VINTAGE)).toEqual({ '2024-01 04-05': 'disagrees' });
  });

  it('are compared up to the last vintage of the right side', async () => {
    const left: Print[] = [
      ['2024-01', 1.1, '2024-04-09'],
      ['2024-01', 7, '2024-04-11'],
    ];
    expect(await outcomes(left, RIGHT_PRINTS, PER_VINTAGE)).toEqual({ '2024-01 04-09': 'agrees' });
    const downloads: Print[] = [['2024-01', 1, DOWNLOADED]];
    expect(await outcomes(left, downloads, PER_VINTAGE)).toEqual({});
    expect(await relations.ask('select why_not from reconciliations.summaries')).toEqual([{ why_not: 'no vintages of r' }]);
  });
});

describe('a pair', () => {
  const day = '2024-02-10';
  it.each([
    ['neither is here', []],
    ['nothing of l', [series(RIGHT, 'r')]],
    ['nothing of r', [series(LEFT, 'l')]],
    ['no period of both', [series(LEFT, 'l'), series(RIGHT, 'r')]],
  ])('with too little data is not compared: %s', async (whyNot, of) => {
    await give([pair()], of, [...prints(LEFT, [['2024-01', 1, day]]), ...prints(RIGHT, [['2023-01', 1, day]])]);
    const found = await readReconciliations(relations.connection, ['reconciliations/summaries']);
    expect(found).toEqual([{ ...EMPTY, whyNot }]);
  });

  const EMPTY = {
    pair: 'p',
    leftSourceId: 'l',
    leftIndicator: 'cpi',
    rightSourceId: 'r',
    rightIndicator: 'cpi',
    comparison: 'newest',
    series: 0,
    compared: 0,
    agreeing: 0,
    dated: 0,
    disagreeing: 0,
    disagreements: [],
  };

  it('compares series of one entity and frequency, and only one entity if it is limited to it', async () => {
    const of = ['us', 'fr', 'de'].flatMap((entity_id, index) => [
      series(10 + index, 'l', { entity_id }),
      series(20 + index, 'r', { entity_id, frequency: entity_id === 'de' ? 'quarterly' : 'monthly' }),
    ]);
    const vintages = of.flatMap(({ series_no }) => prints(Number(series_no), [['2024-01', 1, day]]));
    const entities = async (more: GivenRow) => {
      await give([pair(more)], of, vintages);
      return (await relations.ask('select entity_id from reconciliations.comparisons order by all')).map(({ entity_id }) => entity_id);
    };
    expect([await entities({}), await entities({ entity_id: 'fr' })]).toEqual([['fr', 'us'], ['fr']]);
  });

  it('that disagrees is one warning of quarantine per entity, with the first period and both values', async () => {
    const said: Print[] = [
      ['2024-01', 1, '2024-03-10'],
      ['2024-02', 2, '2024-03-10'],
      ['2024-03', 3, '2024-03-10'],
    ];
    const other = said.map(([period, value, at]): Print => [period, period === '2024-01' ? value : Number(value) + 0.5, at]);
    expect(await outcomes(said, other)).toEqual({ '2024-01': 'agrees', '2024-02': 'disagrees', '2024-03': 'disagrees' });
    const [finding, ...more] = await relations.ask('from reconciliations.reconciliation_findings');
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      source_id: 'l',
      rule: 'reconciliation_failed',
      severity: 'warn',
      reason: 'Differs from r in 2 of 3 comparisons, first of 2024-02: 2.0 against 2.5.',
      indicator_id: 'us_l_cpi',
      entity_id: 'us',
      period: '2024-02',
      field_path: 'r.cpi',
      observed_value: '2.0',
      payload_id: 'pay_1',
      run_id: 'run_1',
    });
    expect(JSON.parse(String(finding?.['expected']))).toEqual({ value: 2.5, tolerance: 0 });
    expect(await readReconciliations(relations.connection, [])).toEqual([]);
    const [summary] = await readReconciliations(relations.connection, ['reconciliations/summaries']);
    expect(summary).toMatchObject({ whyNot: null, series: 1, compared: 3, agreeing: 1, dated: 0, disagreeing: 2 });
    expect(summary?.disagreements.map(({ period, leftValue, rightValue }) => [period, leftValue, rightValue])).toEqual([
      ['2024-02', 2, 2.5],
      ['2024-03', 3, 3.5],
    ]);
  });
});

describe('two feeds of one source', () => {
  const [API, FILE] = ['cftc/socrata/6dca-aqww_from_2026-04-01.json', 'cftc/legacy_futonly/deacot2026.zip'];
  /** When each payload came in, and the days of the reports of which it said something new. */
  type Reading = readonly [key: string, at: string, ...reports: string[]];
  const behind = async (readings: readonly Reading[], asked: string | null, kind = 'same') => {
    const source_id = 'cftc_legacy';
    await giveLake(relations, {
      ingestions: readings.map(([key, retrieved_at], index) => ({ source_id, key, run_id: String(index), retrieved_at, status: 'ok' })),
      observations: readings.flatMap(([, , ...reports], index) =>
        reports.map((period_end) => ({ source_id, run_id: String(index), period_end })),
      ),
      fetches: asked === null ? [] : [{ source_id, key: API, kind, finished_at: asked }],
    });
    await relations.build('reconciliations/ways_behind');
    return relations.ask('select message from reconciliations.ways_behind');
  };
  const FIRST: Reading = [API, '2026-04-10 22:00:00+00', '2026-04-07'];
  const AHEAD: Reading = [FILE, '2026-04-17 22:00:00+00', '2026-04-14'];

  it('differ if the API was asked a week after the file brought rows that it lacks', async () => {
    const message =
      'The API is behind the yearly file by 1 report, 2026-04-14 to 2026-04-14: it has brought nothing new since 2026-04-10 and was asked last on 2026-04-24. The yearly file counts.';
    expect(await behind([FIRST, AHEAD], '2026-04-24 22:00:00+00')).toEqual([{ message }]);
    expect(await behind([FIRST, AHEAD], '2026-04-24 21:59:59.999+00')).toEqual([]);
    expect(await behind([FIRST, AHEAD], null)).toEqual([]);
    expect(await behind([FIRST, AHEAD], '2026-04-24 22:00:00+00', 'failed')).toEqual([]);
  });

  it('are level if the API has brought rows since, or if the file only corrected known rows', async () => {
    const late = '2026-05-24 22:00:00+00';
    expect(await behind([FIRST, AHEAD, [API, '2026-04-18 22:00:00+00']], late)).toEqual([]);
    expect(await behind([FIRST, [FILE, '2026-04-17 22:00:00+00', '2026-04-07']], late)).toEqual([]);
    expect(await behind([FIRST, ['cftc/contract_codes_2026.csv', '2026-04-17 22:00:00+00', '2026-04-14']], late)).toEqual([]);
    expect(await behind([AHEAD], late)).toEqual([]);
  });
});
