// Positioning statistics at the edges of their windows, minima and labels (docs/reference/methods.md#cot-positioning), each expected by hand.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Found,
  type GivenRow,
  openRelations,
  plusDays,
  type Relations,
  SERIES_COLUMNS,
  VINTAGE_COLUMNS,
} from './by-hand/relations.ts';

/** Days before the report that is judged → its net position; the last, of day 0, is the one judged. */
interface Contract {
  readonly name: string;
  readonly nets: readonly (readonly [daysBefore: number, net: number])[];
  readonly openInterest?: readonly (readonly [daysBefore: number, value: number])[];
}

const TODAY = '2024-06-04';
const weekly = (count: number, net: (weeksBefore: number) => number): [number, number][] =>
  Array.from({ length: count }, (_, weeks) => [7 * weeks, net(weeks)]);
/** The one judged ranks `rank` of `count`, a week apart. */
const ranked = (count: number, rank: number) => weekly(count, (weeks) => (weeks === 0 ? 0 : weeks < rank ? -1 : 1));
const with1y = (more: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] => [...weekly(40, () => 0), ...more];

/** Thirteen reports of open interest before the judged one, then it. */
const openInterest = (before: number, now: number, count = 13): [number, number][] => [
  [0, now],
  ...Array.from({ length: count }, (_, week): [number, number] => [7 * (week + 1), before]),
];
const SIXTEEN = weekly(16, () => 5);

const CONTRACTS: readonly Contract[] = [
  { name: 'with 103', nets: ranked(103, 3) },
  { name: 'with 104', nets: ranked(104, 3) },
  { name: 'with 39', nets: weekly(39, () => 0) },
  { name: 'with 40', nets: weekly(40, () => 0) },
  { name: '360 days back', nets: with1y([[360, -1]]) },
  { name: '361 days back', nets: with1y([[361, -1]]) },
  { name: '1088 days back', nets: [...weekly(104, () => 0), [1088, -1]] },
  { name: '1089 days back', nets: [...weekly(104, () => 0), [1089, -1]] },
  {
    name: 'ten days before',
    nets: [
      [0, 7],
      [10, 3],
    ],
  },
  {
    name: 'eleven days before',
    nets: [
      [0, 7],
      [11, 3],
    ],
  },
  { name: 'alone', nets: [[0, 7]] },
  // 117 below and half of one among 130 are 90.38; of 120, 107.5 below are 89.58; 12.5 of 125 is 10 exactly, 112.5 is 90.
  { name: 'ninety', nets: ranked(125, 113) },
  { name: 'just below ninety', nets: ranked(154, 139) },
  { name: 'ten', nets: ranked(125, 13) },
  { name: 'just above ten', nets: ranked(154, 16) },
  { name: 'with ties', nets: weekly(104, (weeks) => (weeks < 5 ? 0 : weeks < 15 ? -1 : 1)) },
  { name: 'known mean', nets: weekly(104, (weeks) => (weeks === 0 ? 10 : weeks % 2 === 0 ? 1 : -1)) },
  { name: 'constant', nets: weekly(104, () => 4) },
  // Jumps of open interest that the table of breaks does not name.
  { name: 'three times', nets: SIXTEEN, openInterest: openInterest(10_000, 30_000) },
  { name: 'less than three times', nets: SIXTEEN, openInterest: openInterest(10_000, 29_999) },
  { name: 'a third', nets: SIXTEEN, openInterest: openInterest(30_000, 10_000) },
  { name: 'more than a third', nets: SIXTEEN, openInterest: openInterest(30_000, 10_001) },
  { name: 'three times of little', nets: SIXTEEN, openInterest: openInterest(9_999, 30_000) },
  { name: 'three times but one', nets: SIXTEEN, openInterest: [...openInterest(10_000, 30_000, 12), [91, 10_001]] },
  { name: 'a third but one', nets: SIXTEEN, openInterest: [...openInterest(30_000, 10_000, 12), [91, 29_999]] },
  { name: 'three times a week ago', nets: SIXTEEN, openInterest: [[0, 30_000], [7, 30_000], ...openInterest(10_000, 0, 14).slice(2)] },
  { name: 'three times, one earlier', nets: SIXTEEN, openInterest: [...openInterest(10_000, 30_000), [98, 50_000]] },
  { name: 'a third, one earlier', nets: SIXTEEN, openInterest: [...openInterest(30_000, 10_000), [98, 9_000]] },
];

/** The Friday after, in New York; of the day itself a moment, so that windows are told by days. */
const publishedAt = (day: string) => `${plusDays(day, 3)} 19:30:00+00`;

const series: GivenRow[] = [];
const vintages: GivenRow[] = [];
const LEGS = {
  legacy: ['cot_noncommercial_long', 'cot_noncommercial_short', 'cot_open_interest'],
  tff: ['cot_tff_leveraged_funds_long', 'cot_tff_leveraged_funds_short', 'cot_tff_open_interest'],
  disaggregated: ['cot_disaggregated_managed_money_long', 'cot_disaggregated_managed_money_short', 'cot_disaggregated_open_interest'],
  legacy_combined: ['cot_noncommercial_long_combined', 'cot_noncommercial_short_combined', 'cot_open_interest_combined'],
  tff_combined: ['cot_tff_leveraged_funds_long_combined', 'cot_tff_leveraged_funds_short_combined', 'cot_tff_open_interest_combined'],
  disaggregated_combined: [
    'cot_disaggregated_managed_money_long_combined',
    'cot_disaggregated_managed_money_short_combined',
    'cot_disaggregated_open_interest_combined',
  ],
} as const;
type Report = keyof typeof LEGS;
const REPORTS = Object.keys(LEGS) as readonly Report[];

function giveSeries(entityId: string, canonicalId: string): number {
  series.push({
    series_no: series.length + 1,
    source_id: `cftc_${REPORTS.find((report) => (LEGS[report] as readonly string[]).includes(canonicalId)) ?? 'legacy'}`,
    indicator_id: `${entityId}_${canonicalId}`,
    entity_id: entityId,
    canonical_id: canonicalId,
  });
  return series.length;
}

function giveVintage(seriesNo: number, day: string, value: number | null, more: GivenRow = {}): void {
  const observed = publishedAt(day);
  vintages.push({
    series_no: seriesNo,
    period: day,
    period_start: day,
    period_end: day,
    value,
    vintage: 'first',
    observed_at: observed,
    release_no: 1,
    released_at: observed,
    retrieved_at: observed,
    ingested_at: observed,
    change_sequence: 1,
    ...more,
  });
}

/** All reports go one way: a few contracts show it. */
const IN_ALL = ['with 103', 'with 104', 'ten days before', 'with ties', 'three times'];

for (const { name, nets, openInterest: interests = [] } of CONTRACTS) {
  for (const report of IN_ALL.includes(name) ? REPORTS : (['legacy'] as const)) {
    const [long, short, interest] = LEGS[report].map((id) => giveSeries(name, id)) as [number, number, number];
    for (const [days, net] of nets) {
      const day = plusDays(TODAY, -days);
      giveVintage(long, day, 100 + net);
      giveVintage(short, day, 100);
    }
    for (const [days, value] of interests) giveVintage(interest, plusDays(TODAY, -days), value);
  }
}

// Versions: the short leg corrected on the 20th, the long one withdrawn on the 25th; and another contract's other columns, which count for nothing.
const corrected = [giveSeries('corrected', 'cot_noncommercial_long'), giveSeries('corrected', 'cot_noncommercial_short')] as const;
const spread = giveSeries('corrected', 'cot_noncommercial_spreading');
giveVintage(spread, TODAY, 77);
const FIRST = publishedAt(TODAY);
giveVintage(corrected[0], TODAY, 150, {
  known_to: '2024-06-25 00:00:00+00',
  retrieved_at: '2024-06-08 00:00:00+00',
  ingested_at: '2024-06-08 01:00:00+00',
  change_sequence: 5,
});
giveVintage(corrected[0], TODAY, null, { observed_at: '2024-06-25 00:00:00+00', vintage: 'gone', release_no: 2 });
giveVintage(corrected[1], TODAY, 100, { known_to: '2024-06-20 00:00:00+00' });
giveVintage(corrected[1], TODAY, 30, {
  observed_at: '2024-06-20 00:00:00+00',
  released_at: '2024-06-19 00:00:00+00',
  vintage: 'second',
  release_no: 2,
  retrieved_at: '2024-06-20 02:00:00+00',
  ingested_at: '2024-06-20 03:00:00+00',
  change_sequence: 9,
});

// A report of three weeks ago appears on the day after the judged one, and the one of two weeks ago is corrected a day later.
const late = [giveSeries('late', 'cot_noncommercial_long'), giveSeries('late', 'cot_noncommercial_short')] as const;
for (const [days, net] of [
  [0, 4],
  [7, 2],
] as const) {
  giveVintage(late[0], plusDays(TODAY, -days), 100 + net);
  giveVintage(late[1], plusDays(TODAY, -days), 100);
}
giveVintage(late[1], plusDays(TODAY, -21), 100);
giveVintage(late[0], plusDays(TODAY, -21), 110, { observed_at: '2024-06-08 00:00:00+00' });
giveVintage(late[1], plusDays(TODAY, -14), 100);
giveVintage(late[0], plusDays(TODAY, -14), 101, { known_to: '2024-06-09 00:00:00+00' });
giveVintage(late[0], plusDays(TODAY, -14), 120, {
  observed_at: '2024-06-09 00:00:00+00',
  release_no: 2,
  vintage: 'second',
  change_sequence: 12,
  retrieved_at: '2024-06-09 05:00:00+00',
  ingested_at: '2024-06-09 06:00:00+00',
});

// Open interest of which a first print breaks the scale and a correction does not, and a day of none.
const repaired = [
  giveSeries('repaired', 'cot_noncommercial_long'),
  giveSeries('repaired', 'cot_noncommercial_short'),
  giveSeries('repaired', 'cot_open_interest'),
] as const;
for (const [days, net] of SIXTEEN) {
  giveVintage(repaired[0], plusDays(TODAY, -days), 100 + net);
  giveVintage(repaired[1], plusDays(TODAY, -days), 100);
}
for (const [days, value] of openInterest(20_000, 20_000)) giveVintage(repaired[2], plusDays(TODAY, -days), value);
giveVintage(repaired[2], TODAY, 90_000, { observed_at: '2024-06-20 00:00:00+00', release_no: 2, vintage: 'second' });
giveVintage(repaired[2], plusDays(TODAY, -3), 0);

// A break that the table names, a week before the judged report, on the day of a jump; and one that lies ahead of all reports.
const NAMED = 'cftc_13874plus';
const named = [
  giveSeries(NAMED, 'cot_noncommercial_long'),
  giveSeries(NAMED, 'cot_noncommercial_short'),
  giveSeries(NAMED, 'cot_open_interest'),
] as const;
for (const [days, net] of SIXTEEN) {
  giveVintage(named[0], plusDays(TODAY, -days), 100 + net);
  giveVintage(named[1], plusDays(TODAY, -days), 100);
  giveVintage(named[2], plusDays(TODAY, -days), days <= 7 ? 90_000 : 20_000);
}

let relations: Relations;
beforeAll(async () => {
  relations = await openRelations();
  await relations.give('series.series', { ...SERIES_COLUMNS, series_code: 'varchar' }, series);
  await relations.give('series.vintages', VINTAGE_COLUMNS, vintages);
  await relations.give('lake.ingestions', { run_id: 'varchar', payload_id: 'varchar', status: 'varchar', started_at: 'timestamptz' });
  await relations.build(
    'reference/cot_breaks',
    'series/runs',
    'positions/cot_nets',
    'positions/cot_windows',
    'positions/cot_percentiles',
    'positions/cot_findings',
    'reference/derived_indicators',
    'derived/positioning',
  );
});
afterAll(() => relations.close());

async function judged(name: string, slug = 'cot_positioning_percentile', day = TODAY): Promise<readonly Found[]> {
  const found = await relations.ask(
    `select value, value_text, metadata, observed_at, retrieved_at, ingested_at, change_sequence, released_at, inputs from derived.positioning
    where canonical_id = '${slug}' and entity_id = '${name}' and period_end = date '${day}' order by observed_at`,
  );
  return found.map(({ metadata, ...row }) => ({ ...row, ...JSON.parse(String(metadata)) }));
}
const one = async (name: string, table?: string) => {
  const [only, ...others] = await judged(name, table);
  expect(others).toEqual([]);
  return only;
};

const PERCENTILES = [
  'cot_positioning_percentile',
  'cot_tff_percentile',
  'cot_disaggregated_percentile',
  'cot_positioning_percentile_combined',
  'cot_tff_percentile_combined',
  'cot_disaggregated_percentile_combined',
];
const tablesOf = (name: string) => (IN_ALL.includes(name) ? PERCENTILES : PERCENTILES.slice(0, 1));

describe('a report', () => {
  it.each([
    // Below and at the least number of reports: of 104, two below and itself by half.
    ['with 103', { value: null, value_text: null, percentile3y: null, zScore3y: null, windowCount: 103, reason: 'insufficient_history' }],
    ['with 104', { value: 2.4, value_text: 'crowded_short', percentile3y: 2.4, windowCount: 104, reason: null }],
    ['with 39', { percentile1y: null, windowCount: 39 }],
    ['with 40', { percentile1y: 50, windowCount: 40 }],
    // Of 41, one below and 40 alike; a report that is a day older is not among them.
    ['360 days back', { percentile1y: 51.22, windowCount: 41 }],
    ['361 days back', { percentile1y: 50, windowCount: 41 }],
    ['1088 days back', { percentile3y: 50.48, windowCount: 105 }],
    ['1089 days back', { percentile3y: 50, windowCount: 104 }],
    ['ten days before', { net: 7, weeklyChange: 4 }],
    ['eleven days before', { net: 7, weeklyChange: null }],
    ['alone', { net: 7, weeklyChange: null, windowCount: 1, zScore3y: null }],
    ['ninety', { value: 90, value_text: 'crowded_long' }],
    // 138.5 of 154 are 89.935, 15.5 of 154 are 10.065.
    ['just below ninety', { value: 89.94, value_text: null }],
    ['ten', { value: 10, value_text: 'crowded_short' }],
    ['just above ten', { value: 10.06, value_text: null }],
    // Ten below, five alike with itself, of 104.
    ['with ties', { value: 12.02, value_text: null }],
    ['constant', { value: 50, zScore3y: null }],
  ])('%s is judged by its window only', async (name, expected) => {
    for (const table of tablesOf(name)) expect(await one(name, table)).toMatchObject(expected);
  });

  it('has the distance from the mean in sample standard deviations', async () => {
    // 10, then 52 times −1 and 51 times 1: mean 9/104, squares 100 + 103.
    const [n, mean, squares] = [104, 9 / 104, 203];
    const deviation = Math.sqrt((squares - n * mean * mean) / (n - 1));
    expect((await one('known mean'))?.['zScore3y']).toBeCloseTo((10 - mean) / deviation, 6);
  });

  // The sixteen reports of each stand in its window, whatever its open interest does.
  it.each([
    ['three times', true],
    ['less than three times', false],
    ['a third', true],
    ['more than a third', false],
    ['three times of little', false],
    ['three times but one', false],
    ['a third but one', false],
    ['three times, one earlier', true],
    ['a third, one earlier', true],
  ])('keeps its window over open interest %s of thirteen reports, and is a quarantine finding: %s', async (name, isFound) => {
    for (const table of tablesOf(name)) expect(await one(name, table)).toMatchObject({ windowCount: 16 });
    const found = await relations.ask(
      `select rule, severity, period, field_path from positions.cot_findings where entity_id = '${name}' and period = '${TODAY}'`,
    );
    const finding = { rule: 'scale_jump', severity: 'warn', period: TODAY, field_path: 'open_interest' };
    expect(found).toEqual(isFound ? tablesOf(name).map(() => finding) : []);
  });

  it('starts a new window if the table of breaks names its contract and day, without a finding', async () => {
    const day = plusDays(TODAY, -7);
    await relations.run(`insert into reference.cot_breaks by name
      select '13874+' as contract_code, '${NAMED}' as entity_id, unnest([date '${day}', date '2030-01-01']) as report_date, 'x' as reason`);
    await relations.build('positions/cot_windows', 'positions/cot_percentiles', 'positions/cot_findings', 'derived/positioning');
    expect(await one(NAMED)).toMatchObject({ windowCount: 2, weeklyChange: 0 });
    const before = await judged(NAMED, 'cot_positioning_percentile', plusDays(TODAY, -14));
    expect(before.map((row) => row['windowCount'])).toEqual([14]);
    expect(await relations.ask(`select period from positions.cot_findings where entity_id = '${NAMED}'`)).toEqual([]);
  });
});

describe('the labels', () => {
  it('judge the percentile before it is rounded', async () => {
    // 139.5 below and half of itself, 140, of 155 are 90.32; of a window of 2000 weekly ones there is none: round() by the macro alone.
    const own = await openRelations();
    await own.build('reference/derived_indicators');
    await own.run(`create schema positions;
      create or replace table positions.cot_nets as select 'edge' as report, 1 as contract_no, step as report_no, 's' as source_id, 'e' || step as entity_id, 'p' as period,
        date '2024-01-02' as period_start, date '2024-01-02' as report_date, 5 as net, timestamptz '2024-01-05' as observed_at, timestamptz 'infinity' as known_to,
        timestamptz '2024-01-05' as released_at, 1 as input_series_no, [] as inputs, []::varchar[] as input_run_ids, null::varchar as source_run_id from range(1, 5) as steps (step)`);
    await own.run(`
      create or replace table positions.cot_percentiles as
      select 1 as contract_no, step as report_no, timestamptz '2024-01-05' as known_at, 5 as net, 104 as count_3y, percentile as percentile_3y, 89.996::double as percentile_1y,
        1 as weekly_change, 1.23456789::double as z_score_3y, timestamptz '2024-01-05' as retrieved_at, timestamptz '2024-01-05' as ingested_at, 1 as change_sequence
      from (values (1, 89.999::double), (2, 90.0::double), (3, 10.0::double), (4, 10.001::double)) as given (step, percentile)`);
    await own.run("insert into reference.derived_indicators by name select 'x' as slug, 'positioning' as family, 'edge' as input");
    await own.build('derived/positioning');
    const rows = await own.ask(
      "select entity_id, value, value_text, metadata from derived.positioning where canonical_id = 'x' order by entity_id",
    );
    own.close();
    expect(rows.map(({ value, value_text: label }) => [value, label])).toEqual([
      [90, null],
      [90, 'crowded_long'],
      [10, 'crowded_short'],
      [10, null],
    ]);
    expect(JSON.parse(String(rows[0]?.['metadata']))).toMatchObject({ percentile1y: 90, percentile3y: 90, zScore3y: 1.234568 });
  });
});

describe('a position', () => {
  it('follows each leg from when it became known, and ends if one is withdrawn', async () => {
    const found = await judged('corrected');
    expect(found.map((row) => [row['net'], row['observed_at'], row['change_sequence'], row['released_at']])).toEqual([
      [50, '2024-06-07 19:30:00+00', 5, '2024-06-07 19:30:00+00'],
      [120, '2024-06-20 00:00:00+00', 9, '2024-06-19 00:00:00+00'],
    ]);
    expect(found.map((row) => [row['retrieved_at'], row['ingested_at']])).toEqual([
      ['2024-06-08 00:00:00+00', '2024-06-08 01:00:00+00'],
      ['2024-06-20 02:00:00+00', '2024-06-20 03:00:00+00'],
    ]);
    expect(found[1]?.['inputs']).toEqual([
      { series_no: corrected[0], period: TODAY, vintage: 'first', role: 'long' },
      { series_no: corrected[1], period: TODAY, vintage: 'second', role: 'short' },
    ]);
    expect(FIRST).toBe('2024-06-07 19:30:00+00');
  });

  it('is judged again if a report of its window arrives late or is corrected, never by an unknown one', async () => {
    const found = await judged('late');
    expect(found.map((row) => [row['observed_at'], row['windowCount'], row['weeklyChange'], row['change_sequence']])).toEqual([
      ['2024-06-07 19:30:00+00', 3, 2, 1],
      ['2024-06-08 00:00:00+00', 4, 2, 1],
      ['2024-06-09 00:00:00+00', 4, 2, 12],
    ]);
    expect([found[2]?.['retrieved_at'], found[2]?.['ingested_at']]).toEqual(['2024-06-09 05:00:00+00', '2024-06-09 06:00:00+00']);
    // A late one of three weeks ago is nothing to the week before it.
    expect(
      (await judged('late', 'cot_positioning_percentile', plusDays(TODAY, -14))).map((row) => [
        row['observed_at'],
        row['weeklyChange'],
        row['net'],
      ]),
    ).toEqual([
      ['2024-05-24 19:30:00+00', null, 1],
      ['2024-06-08 00:00:00+00', -9, 1],
      ['2024-06-09 00:00:00+00', 10, 20],
    ]);
  });

  it('is no finding if the open interest was corrected or is missing', async () => {
    expect(await relations.ask("select period from positions.cot_findings where entity_id = 'repaired'")).toEqual([]);
  });
});
