// The calendar out of what was said of releases and what was printed, each release an example of one edge: all of them stand in one lake.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { run } from '../../src/db/query.ts';
import { observationId } from '../../src/model/observation.ts';
import { calendarListQuery, eventsListQuery } from '../../src/queries/events.ts';
import { around, compare, type Given, moved, openRelations, type Relations } from './by-hand/tables.ts';

const DAY = 86_400_000;
const DUE = '2024-02-13T13:30:00.000Z';
const NEXT = '2024-03-12T12:30:00.000Z';
const KNOWN = '2024-02-01T08:00:00.000Z';
const LATER = '2024-09-01T00:00:00.000Z';
const days = (instant: string, count: number, ms = 0) => moved(instant, count * DAY + ms);
const endOf = (period: string) => {
  const [year = '', rest = ''] = period.split('-');
  const month = rest.startsWith('Q') ? Number(rest.slice(1)) * 3 : Number(rest);
  return period.length === 10 ? period : new Date(Date.UTC(Number(year), month, 0)).toISOString().slice(0, 10);
};

interface Scheduled {
  readonly at?: string;
  readonly id?: string;
  readonly known?: string;
  readonly status?: string;
  readonly precision?: 'exact' | 'date_only' | 'tentative';
  readonly period?: string | null;
  readonly source?: string;
}

/** [period, value, known at] */
type Printed = readonly [period: string, value: number | null, at: string];

interface Example {
  readonly says: readonly Scheduled[];
  readonly prints?: readonly Printed[];
  /** Of the series beside the first: what is different of them, and what they print. */
  readonly others?: readonly { readonly series: Given; readonly prints: readonly Printed[] }[];
  readonly canonicalIds?: readonly string[];
  readonly series?: Given;
  readonly forecasts?: readonly (readonly [at: string, value: number])[];
  /** What rounds of a survey expect of January. */
  readonly rounds?: readonly (readonly [at: string, value: number])[];
  /** The release is named by the series of the real-time archive: those of this source. */
  readonly isArchived?: boolean;
  /** The prints came in at the time from which they are known, not long after. */
  readonly isDownload?: boolean;
}

const DECEMBER: Printed = ['2023-12', 10, '2024-01-11T13:30:00.000Z'];
const QUARTER: Printed = ['2023-Q3', 10, '2023-10-26T12:30:00.000Z'];
const january = (at: string): Example => ({ says: [{}], prints: [DECEMBER, ['2024-01', 20, at]] });
const due = (at: string, period: string, known = KNOWN): Example => ({ says: [{ at, known }], prints: [[period, 20, at]] });
const quarterly = { canonicalIds: ['gdp'], series: { canonicalId: 'gdp', frequency: 'quarterly' } };
const weekly = { canonicalIds: ['claims'], series: { canonicalId: 'claims', frequency: 'weekly' } };
const dueIn = (at: string): Example => ({ says: [{ at }], prints: [['2023-12', 10, '2024-01-20T13:30:00.000Z']] });
const twice = { at: NEXT, id: 'second' };

const TENTATIVE: Scheduled = { precision: 'tentative', at: '2024-02-13T00:00:00.000Z' };
const HELD: Scheduled = { precision: 'date_only', status: 'released', source: 'bank' };

/** Two days in a list that comes after one of them: it is known already that something came out on the second. */
const laterList = (missed: string, held: string): Example => ({
  says: [
    { ...TENTATIVE, id: missed, known: '2024-05-01T08:00:00.000Z' },
    { ...TENTATIVE, id: held, at: '2024-02-20T00:00:00.000Z', known: '2024-05-01T08:00:00.000Z' },
    { ...HELD, at: '2024-02-20T00:00:00.000Z', known: '2024-02-20T23:59:59.999Z' },
  ],
  canonicalIds: ['policy_rate'],
});

const ENDING = '2024-02-13T23:59:59.999Z';
const NOVEMBER: Printed = ['2023-11', 9, '2023-12-12T23:59:59.999Z'];
const archive = (...prints: readonly Printed[]): Example => ({ says: [], prints, series: { sourceId: 'archive' }, isArchived: true });
const archived = archive(NOVEMBER, ['2023-12', 10, '2024-01-11T23:59:59.999Z'], ['2023-12', 11, ENDING], ['2024-01', 20, ENDING]);

const EXAMPLES: Readonly<Record<string, Example>> = {
  archived,
  archived_unnamed: { ...archived, isArchived: false },
  archived_download: { ...archived, isDownload: true },
  archived_put_off: archive(NOVEMBER, ['2023-12', 10, ENDING], ['2024-01', 20, ENDING]),
  // The end of October and a hundred days: 8 February.
  archived_gap: archive(['2023-09', 8, '2023-10-12T23:59:59.999Z'], ['2023-10', 9, ENDING], ['2024-01', 20, ENDING]),
  archived_late: archive(NOVEMBER, ['2023-12', 10, '2024-04-08T23:59:59.999Z'], ['2024-01', 20, '2024-05-10T23:59:59.999Z']),
  archived_beside_a_day: {
    ...archived,
    says: [
      { source: 'day', precision: 'date_only', status: 'released', at: '2024-02-07T00:00:00.000Z', known: '2024-02-07T23:59:59.999Z' },
    ],
  },
  archived_after_a_day: {
    ...archived,
    says: [
      { source: 'day', precision: 'date_only', status: 'released', at: '2024-02-06T00:00:00.000Z', known: '2024-02-06T23:59:59.999Z' },
    ],
  },
  archived_after_its_period: {
    ...archived,
    says: [
      {
        source: 'day',
        precision: 'date_only',
        status: 'released',
        period: '2024-01',
        at: '2024-02-01T00:00:00.000Z',
        known: '2024-02-01T23:59:59.999Z',
      },
    ],
  },
  archived_beside_a_cancelled_day: {
    ...archived,
    says: [{ source: 'day', precision: 'date_only', status: 'cancelled', at: '2024-02-13T00:00:00.000Z', known: KNOWN }],
  },
  archived_before_it_was_listed: {
    ...archived,
    says: [
      { source: 'day', precision: 'date_only', status: 'released', at: '2024-02-13T00:00:00.000Z', known: '2024-06-01T00:00:00.000Z' },
    ],
  },
  archived_twice: {
    ...archived,
    others: [
      {
        series: { sourceId: 'archive', canonicalId: 'gauge' },
        prints: [
          ['2023-12', 1, '2024-01-11T23:59:59.999Z'],
          ['2024-01', 2, '2024-02-15T23:59:59.999Z'],
        ],
      },
    ],
    canonicalIds: ['cpi', 'gauge'],
  },
  carried: {
    ...archived,
    others: [
      {
        series: {},
        prints: [
          ['2023-12', 10, '2024-01-31T23:59:59.999Z'],
          ['2024-01', 20, '2024-02-29T23:59:59.999Z'],
        ],
      },
    ],
  },
  at_due: january(DUE),
  before_due: january(moved(DUE, -1)),
  before_next: { says: [{}, twice], prints: [DECEMBER, ['2024-01', 20, moved(NEXT, -1)]] },
  at_next: { says: [{}, twice], prints: [DECEMBER, ['2024-01', 20, NEXT]] },
  next_cancelled: { says: [{}, { ...twice, status: 'cancelled' }], prints: [DECEMBER, ['2024-01', 20, NEXT]] },
  within_45_days: january(days(DUE, 45, -1)),
  after_45_days: january(days(DUE, 45)),
  ended_that_day: due('2024-02-29T13:30:00.000Z', '2024-02'),
  ended_before: due('2024-03-01T13:30:00.000Z', '2024-02'),
  month_not_late: due('2024-06-07T12:30:00.000Z', '2024-02'),
  month_late: due('2024-06-08T12:30:00.000Z', '2024-02'),
  quarter_not_late: { ...due('2024-07-07T12:30:00.000Z', '2023-Q4'), ...quarterly },
  quarter_late: { ...due('2024-07-08T12:30:00.000Z', '2023-Q4'), ...quarterly },
  week_not_late: { ...due('2024-03-29T12:30:00.000Z', '2024-03-02'), ...weekly },
  week_late: { ...due('2024-03-30T12:30:00.000Z', '2024-03-02'), ...weekly },
  named_other: { says: [{ period: '2024-01' }], prints: [['2023-12', 20, DUE]] },
  named_same: { says: [{ period: '2024-01' }], prints: [DECEMBER, ['2024-01', 20, DUE]] },
  month_revised: {
    says: [{}],
    prints: [
      ['2024-01', 20, '2024-02-05T13:30:00.000Z'],
      ['2024-01', 21, DUE],
    ],
  },
  quarter_revised: {
    says: [{}],
    prints: [
      ['2023-Q4', 20, '2024-01-25T13:30:00.000Z'],
      ['2023-Q4', 21, '2024-02-13T23:59:59.999Z'],
    ],
    ...quarterly,
  },
  quarter_next_day: {
    says: [{}],
    prints: [
      ['2023-Q4', 20, '2024-01-25T13:30:00.000Z'],
      ['2023-Q4', 21, '2024-02-14T00:00:00.000Z'],
    ],
    ...quarterly,
  },
  prior_revised: { says: [{}], prints: [DECEMBER, ['2023-12', 11, DUE], ['2023-12', 12, days(DUE, 3)], ['2024-01', 20, DUE]] },
  prior_before: { says: [{}], prints: [DECEMBER, ['2023-12', 11, moved(DUE, -1)], ['2024-01', 20, DUE]] },
  prior_after: { says: [{}], prints: [DECEMBER, ['2023-12', 11, moved(DUE, 1)], ['2024-01', 20, DUE]] },
  prior_withdrawn: {
    says: [{}],
    prints: [['2023-11', 9, '2023-12-12T13:30:00.000Z'], DECEMBER, ['2023-12', null, moved(DUE, -1)], ['2024-01', 20, DUE]],
  },
  prior_week: {
    says: [{}],
    prints: [
      ['2024-01-27', 9, '2024-02-01T12:30:00.000Z'],
      ['2024-02-03', 20, DUE],
    ],
    ...weekly,
  },
  prior_week_missing: {
    says: [{}],
    prints: [
      ['2024-01-20', 9, '2024-01-25T12:30:00.000Z'],
      ['2024-02-03', 20, DUE],
    ],
    ...weekly,
  },
  expected_0: dueIn('2024-01-31T13:30:00.000Z'),
  expected_1: dueIn('2024-02-01T13:30:00.000Z'),
  expected_62: dueIn('2024-04-02T12:30:00.000Z'),
  expected_63: dueIn('2024-04-03T12:30:00.000Z'),
  expected_quarter: { says: [{}], prints: [QUARTER], ...quarterly },
  expected_named_quarter: { says: [{ period: '2023-Q4' }], prints: [QUARTER], ...quarterly },
  newest_150_days: { says: [{ period: '2024-01' }], prints: [['2023-12', 10, days(DUE, -150)]] },
  newest_within: { says: [{ period: '2024-01' }], prints: [['2023-12', 10, days(DUE, -150, 1)]] },
  other_between: { says: [{}, { at: '2024-02-07T13:30:00.000Z', id: 'between' }], prints: [DECEMBER] },
  cancelled_between: { says: [{}, { at: '2024-02-07T13:30:00.000Z', id: 'between', status: 'cancelled' }], prints: [DECEMBER] },
  moved_later: { says: [{}, { at: '2024-02-20T13:30:00.000Z', known: '2024-02-05T08:00:00.000Z' }], prints: [DECEMBER] },
  moved_earlier: { says: [{}, { at: '2024-02-09T13:30:00.000Z', known: '2024-02-05T08:00:00.000Z' }], prints: [DECEMBER] },
  moved_in_day: { says: [{}, { at: '2024-02-13T15:00:00.000Z', known: '2024-02-05T08:00:00.000Z' }], prints: [DECEMBER] },
  moved_and_back: {
    says: [{}, { at: '2024-02-20T13:30:00.000Z', known: '2024-02-05T08:00:00.000Z' }, { known: '2024-02-06T08:00:00.000Z' }],
    prints: [DECEMBER],
  },
  cancelled: { says: [{}, { status: 'cancelled', known: '2024-02-05T08:00:00.000Z' }], prints: [DECEMBER, ['2024-01', 20, DUE]] },
  confirmed: { says: [{ source: 'at_due' }] },
  confirmed_early: { says: [{ source: 'before_due' }] },
  confirmed_failed: { says: [{ source: 'failing' }] },
  confirmed_day: { says: [{ source: 'at_due', precision: 'date_only', at: '2024-02-13T00:00:00.000Z' }] },
  confirmed_replaced: { says: [{ source: 'at_due' }, { source: 'at_due', at: '2024-02-20T13:30:00.000Z', known: DUE }] },
  // The file of that hour no longer names it.
  confirmed_vague: {
    says: [{ source: 'at_due' }, { source: 'at_due', at: '2024-02-13T00:00:00.000Z', precision: 'date_only', known: DUE }],
  },
  stated: { says: [{}, { status: 'released', known: days(DUE, 1) }] },
  two_sources: {
    says: [{ source: 'day', at: '2024-02-13T00:00:00.000Z', precision: 'date_only', known: '2024-01-01T08:00:00.000Z' }, {}],
    prints: [DECEMBER],
  },
  two_days: {
    says: [{ source: 'day', at: '2024-02-12T00:00:00.000Z', precision: 'date_only', known: '2024-01-01T08:00:00.000Z' }, {}],
    prints: [DECEMBER],
  },
  two_twins: { says: [{}, { id: 'twin' }], prints: [DECEMBER] },
  dated: {
    says: [{ precision: 'date_only', at: '2024-02-13T00:00:00.000Z' }],
    prints: [DECEMBER, ['2024-01', 20, '2024-02-13T05:00:00.000Z']],
  },
  dated_before: {
    says: [{ precision: 'date_only', at: '2024-02-13T00:00:00.000Z' }],
    prints: [DECEMBER, ['2024-01', 20, '2024-02-13T04:59:59.999Z']],
  },
  forecast: {
    says: [{}],
    prints: [DECEMBER, ['2024-01', 20, days(DUE, 1)]],
    forecasts: [
      ['2024-01-12T00:00:00.000Z', 1],
      [moved(DUE, -1), 2],
      [DUE, 3],
    ],
  },
  forecast_late: { says: [{}], prints: [DECEMBER, ['2024-01', 20, DUE]], forecasts: [[DUE, 3]] },
  consensus: {
    says: [{ known: '2023-10-01T08:00:00.000Z' }],
    prints: [DECEMBER, ['2024-01', 20, days(DUE, 1)]],
    rounds: [
      [days(DUE, -120, -1), 5],
      ['2024-02-05T00:00:00.000Z', 6],
      [DUE, 7],
    ],
  },
  consensus_oldest: { says: [{}], prints: [DECEMBER], rounds: [[days(DUE, -120), 5]] },
  withheld: { ...january(DUE), series: { isRedistributable: false } },
  other_frequency: { ...january(DUE), series: { frequency: 'daily' } },
  supposed: { says: [{}], prints: [DECEMBER, ['2024-01', 20, DUE]], series: { isPseudo: true } },
  preferred: {
    says: [{}],
    others: [
      { series: { sourceRank: null }, prints: [['2024-01', 30, DUE]] },
      { series: { sourceRank: 1 }, prints: [['2024-01', 31, DUE]] },
    ],
    prints: [DECEMBER, ['2024-01', 20, DUE]],
  },
  decision: { ...january(DUE), canonicalIds: ['policy_rate'], series: { canonicalId: 'policy_rate' } },
  lapsed: { says: [TENTATIVE], canonicalIds: ['policy_rate'] },
  lapsed_listed_later: { says: [{ ...TENTATIVE, known: '2024-05-01T08:00:00.000Z' }], canonicalIds: ['policy_rate'] },
  lapsed_printed: { says: [TENTATIVE], prints: [DECEMBER, ['2024-01', 20, days(DUE, 3)]] },
  held_elsewhere: {
    says: [TENTATIVE, { ...HELD, at: '2024-02-20T00:00:00.000Z', known: '2024-02-20T23:59:59.999Z' }],
    canonicalIds: ['policy_rate'],
  },
  held_listed_later: {
    says: [
      { ...TENTATIVE, known: '2024-05-01T08:00:00.000Z' },
      { ...HELD, at: '2024-02-20T00:00:00.000Z', known: '2024-02-20T23:59:59.999Z' },
    ],
    canonicalIds: ['policy_rate'],
  },
  held_14_days: {
    says: [TENTATIVE, { ...HELD, at: '2024-02-27T00:00:00.000Z', known: '2024-02-27T23:59:59.999Z' }],
    canonicalIds: ['policy_rate'],
  },
  held_15_days: {
    says: [TENTATIVE, { ...HELD, at: '2024-02-28T00:00:00.000Z', known: '2024-02-28T23:59:59.999Z' }],
    canonicalIds: ['policy_rate'],
  },
  held_nearer_later: {
    says: [
      TENTATIVE,
      { ...HELD, id: 'earlier', at: '2024-02-08T00:00:00.000Z', known: '2024-02-08T23:59:59.999Z' },
      { ...HELD, at: '2024-02-14T00:00:00.000Z', known: '2024-02-14T23:59:59.999Z' },
    ],
    canonicalIds: ['policy_rate'],
  },
  held_nearest_of_two: {
    says: [
      { ...TENTATIVE, known: '2024-05-01T08:00:00.000Z' },
      { ...HELD, id: 'earlier', at: '2024-02-08T00:00:00.000Z', known: '2024-02-08T23:59:59.999Z' },
      { ...HELD, at: '2024-02-14T00:00:00.000Z', known: '2024-02-14T23:59:59.999Z' },
    ],
    canonicalIds: ['policy_rate'],
  },
  held_as_another: {
    says: [
      TENTATIVE,
      { ...TENTATIVE, id: 'second', at: '2024-02-20T00:00:00.000Z' },
      { ...HELD, at: '2024-02-20T00:00:00.000Z', known: '2024-02-20T23:59:59.999Z' },
    ],
    canonicalIds: ['policy_rate'],
  },
  held_as_another_of_a_later_list: laterList('one', 'two'),
  held_as_another_of_a_later_list_by_id: laterList('two', 'one'),
  unkept: { says: [{}], canonicalIds: ['policy_rate'] },
  listed: { says: [{}], canonicalIds: ['policy_rate'] },
  input_listed: { says: [{}], canonicalIds: ['policy_rate'] },
  numberless: { says: [{}], canonicalIds: [] },
};

const ROUNDS =
  'entity_id varchar, canonical_id varchar, frequency varchar, period_end date, round_end date, value double, published_at timestamptz, observed_at timestamptz';
const SERIES = `series_no integer, source_id varchar, indicator_id varchar, canonical_id varchar, entity_id varchar, frequency varchar, unit varchar,
  is_redistributable boolean, source_rank integer`;
const VINTAGES = `series_no integer, period varchar, period_end date, value double, vintage varchar, observed_at timestamptz, known_to timestamptz,
  retrieved_at timestamptz, run_id varchar`;
const CHAIN = [
  'release_prints',
  'release_days',
  'schedules',
  'calendar_entries',
  'calendar_schedules',
  'carried_indicators',
  'calendar_moments',
  'carried_prints',
  'carried_observations',
  'calendar_prints',
].map((name) => `calendar/${name}`);

/** The series of the archive of which an example speaks, and the codes by which its release is named there. */
const archiveSeries = (name: string) =>
  EXAMPLES[name]?.series?.['sourceId'] === 'archive'
    ? ['cpi', 'gauge'].map((canonicalId) => ({
        sourceId: 'archive',
        seriesCode: `${name} ${canonicalId}`,
        entityId: name,
        canonicalId,
        frequency: 'monthly',
      }))
    : [];
const archiveCodes = (name: string) =>
  EXAMPLES[name]?.isArchived === true ? archiveSeries(name).map(({ sourceId, seriesCode: code }) => ({ sourceId, code })) : [];
const retrievedOf = (name: string, observedAt: string) => (EXAMPLES[name]?.isDownload === true ? observedAt : '2024-12-01T00:00:00.000Z');

const roundsOf = (name: string): readonly Given[] =>
  (EXAMPLES[name]?.rounds ?? []).map(([observedAt, value]) => ({
    entityId: name,
    canonicalId: 'cpi',
    frequency: 'monthly',
    periodEnd: endOf('2024-01'),
    roundEnd: observedAt.slice(0, 10),
    value,
    publishedAt: observedAt,
    observedAt,
  }));
const consensusOf = (name: string, seriesNo: number): readonly Given[] =>
  name === 'consensus' ? [{ seriesNo, periodEnd: endOf('2024-01'), consensus: 6.5, observedAt: '2024-02-05T00:00:00.000Z' }] : [];

let relations: Relations;
beforeAll(async () => {
  relations = await openRelations();
  const names = Object.keys(EXAMPLES);
  const sources = [
    ...new Set(['cal', 'archive', ...Object.values(EXAMPLES).flatMap((one) => one.says.map(({ source = 'cal' }) => source))]),
  ];
  await relations.table(
    'reference.sources',
    'source_no integer, source_id varchar, attribution varchar, source_tier varchar, is_redistributable boolean, license varchar, rights_note varchar',
    sources.map((sourceId, index) => ({
      sourceNo: index + 1,
      sourceId,
      attribution: `by ${sourceId}`,
      sourceTier: 'official_national',
      isRedistributable: true,
      license: 'open',
    })),
  );
  await relations.table(
    'reference.releases',
    'release_id varchar, name varchar, entity_id varchar, category varchar, importance varchar, timezone varchar, canonical_ids varchar[], codes struct(source_id varchar, code varchar)[]',
    names.map((name) => ({
      releaseId: name,
      name: `Release ${name}`,
      entityId: name,
      category: 'rest',
      importance: 'low',
      timezone: 'America/New_York',
      canonicalIds: EXAMPLES[name]?.canonicalIds ?? ['cpi'],
      codes: [...sources.map((sourceId) => ({ sourceId, code: name })), ...archiveCodes(name)],
    })),
  );
  await relations.table(
    'reference.canonical_indicators',
    'canonical_id varchar, frequency varchar, category varchar, importance varchar, factor_key varchar, unit varchar',
    [
      ['cpi', 'monthly'],
      ['gauge', 'monthly'],
      ['gdp', 'quarterly'],
      ['claims', 'weekly'],
      ['policy_rate', 'monthly'],
    ].map(([canonicalId, frequency]) => ({
      canonicalId,
      frequency,
      category: 'prices',
      importance: 'high',
      factorKey: canonicalId,
      unit: 'index',
    })),
  );
  await relations.table(
    'reference.series',
    'source_id varchar, series_code varchar, entity_id varchar, canonical_id varchar, frequency varchar',
    [
      ...names.flatMap(archiveSeries),
      { entityId: 'listed', canonicalId: 'policy_rate' },
      { entityId: 'input_listed', canonicalId: 'funds_rate' },
      { entityId: 'unkept', canonicalId: 'cpi' },
    ],
  );
  await relations.table('reference.derived_indicators', 'slug varchar, input varchar', [{ slug: 'policy_rate', input: 'funds_rate' }]);
  await relations.table(
    'series.entities',
    'entity_id varchar, country varchar, currency varchar, name varchar',
    names.map((name) => ({ entityId: name, country: 'US', currency: 'USD', name })),
  );
  await relations.lake({
    schedules: names.flatMap((name) =>
      (EXAMPLES[name]?.says ?? []).map(
        ({ at = DUE, id = 'first', known = KNOWN, status = 'scheduled', precision = 'exact', period = null, source = 'cal' }) => ({
          sourceId: source,
          scheduleId: `${name} ${id}`,
          releaseCode: name,
          title: 't',
          scheduledAt: at,
          timePrecision: precision,
          status,
          period,
          observedAt: known,
          retrievedAt: known,
          runId: `run of ${source}`,
          recordHash: known,
        }),
      ),
    ),
    documents: [],
    filings: [],
    attempts: [{ finishedAt: '2025-01-01T00:00:00.000Z' }],
    ingestions: [
      { runId: 'r1', sourceId: 'at_due', status: 'ok', retrievedAt: DUE, key: 'k', address: 'https://example.org' },
      { runId: 'r0', sourceId: 'at_due', status: 'ok', retrievedAt: moved(DUE, -3_600_000), key: 'k' },
      { runId: 'r2', sourceId: 'before_due', status: 'ok', retrievedAt: moved(DUE, -1), key: 'k' },
      { runId: 'r3', sourceId: 'failing', status: 'failed', retrievedAt: moved(DUE, 1), key: 'k' },
      { runId: 'run of at_due', sourceId: 'x', status: 'ok', retrievedAt: KNOWN, key: 'sample/x', address: 'https://example.org' },
      { runId: 'run of archive', sourceId: 'x', status: 'ok', retrievedAt: LATER, key: 'x', address: 'https://archive.example' },
      { runId: 'run of cal', sourceId: 'x', status: 'ok', retrievedAt: KNOWN, key: 'x', address: 'https://example.org' },
    ],
  });
  const series: Given[] = [];
  const vintages: Given[] = [];
  const forecasts: Given[] = [];
  const rounds: Given[] = [];
  const consensus: Given[] = [];
  for (const name of names) {
    const { prints = [], others = [], series: own = {}, forecasts: made = [] } = EXAMPLES[name] ?? { says: [] };
    for (const { series: more, prints: said } of [{ series: own, prints }, ...others]) {
      const { isPseudo = false, ...rest } = more;
      const seriesNo = series.length + 1;
      series.push({
        seriesNo,
        sourceId: `s${seriesNo}`,
        indicatorId: `${name}_cpi`,
        canonicalId: 'cpi',
        entityId: name,
        frequency: 'monthly',
        unit: 'percent',
        isRedistributable: true,
        ...rest,
      });
      const sorted = said.toSorted((a, b) => compare(a[2], b[2]));
      for (const [period, value, observedAt] of sorted) {
        const next = sorted.find((other) => other[0] === period && other[2] > observedAt);
        vintages.push({
          seriesNo,
          period,
          periodEnd: endOf(period),
          value,
          vintage: isPseudo === true ? 'pseudo:x' : observedAt,
          observedAt,
          knownTo: next?.[2] ?? null,
          retrievedAt: retrievedOf(name, observedAt),
          runId: 'run of archive',
        });
      }
    }
    rounds.push(...roundsOf(name));
    consensus.push(...consensusOf(name, series.length));
    for (const [observedAt, value] of made)
      forecasts.push({
        seriesNo: series.length,
        forecastPeriod: '2024-01',
        observedAt,
        forecast: value,
        forecastMethod: 'm',
        forecastLower: value - 1,
        forecastUpper: value + 1,
      });
  }
  await relations.table('forecasts.survey_rounds', ROUNDS, rounds);
  await relations.table('published.consensus', 'series_no integer, period_end date, consensus double, observed_at timestamptz', consensus);
  await relations.table('derived.all_series', SERIES, series);
  await relations.table('derived.all_vintages', VINTAGES, vintages);
  await relations.table(
    'published.forecasts',
    'series_no integer, forecast_period varchar, observed_at timestamptz, forecast double, forecast_method varchar, forecast_lower double, forecast_upper double',
    forecasts,
  );
  await relations.macros('observation_id', 'knowledge_cutoff');
  await relations.table(
    'published.entities',
    'entity_id varchar, currencies struct(currency varchar, valid_from date, valid_to date)[]',
    [],
  );
  await relations.table(
    'published.companies',
    'entity_id varchar, descriptions struct(country varchar, lei varchar, exchange varchar, known_from timestamptz)[]',
    [],
  );
  await relations.create('series/runs', ...CHAIN);
  await relations.create('published/calendar/calendar');
});
afterAll(() => relations.close());

const NONE = {
  eventId: null,
  country: null,
  indicatorIds: null,
  importance: null,
  category: null,
  status: null,
  dateFrom: null,
  dateTo: null,
  periodFrom: null,
  asOf: null,
  onDate: '2024-06-30',
};
async function entries(name: string, asOf: string | null = LATER) {
  const found = await run(relations.reader, calendarListQuery, { ...NONE, asOf });
  return found.filter((one) => one.entityId === name).toSorted((a, b) => compare(a.scheduledAt, b.scheduledAt));
}
async function first(name: string, asOf?: string | null) {
  const [one] = await entries(name, asOf);
  if (one === undefined) throw new Error(`${name} is not in the calendar`);
  return one;
}
const actualOf = async (name: string, asOf?: string) => (await first(name, asOf)).actual;

describe('the number of a release', () => {
  it.each([
    ['at_due', 20],
    ['before_due', null],
    ['before_next', 20],
    ['at_next', null],
    ['next_cancelled', 20],
    ['within_45_days', 20],
    ['after_45_days', null],
    ['ended_that_day', null],
    ['ended_before', 20],
    ['month_not_late', 20],
    ['month_late', null],
    ['quarter_not_late', 20],
    ['quarter_late', null],
    ['week_not_late', 20],
    ['week_late', null],
    ['named_other', null],
    ['named_same', 20],
    ['month_revised', null],
    ['quarter_revised', 21],
    ['quarter_next_day', null],
    ['dated', 20],
    ['dated_before', null],
    ['cancelled', null],
    ['withheld', null],
    ['other_frequency', null],
    ['supposed', null],
    ['preferred', 31],
    ['decision', null],
  ])('%s: %s', async (name, actual) => {
    expect(await actualOf(name)).toBe(actual);
  });

  it("belongs to the next release if it came together with that one's number", async () => {
    expect((await entries('at_next')).map((one) => [one.scheduledAt, one.period, one.actual])).toEqual([
      [DUE, null, null],
      [NEXT, '2024-01', 20],
    ]);
    expect((await entries('before_next')).map((one) => one.actual)).toEqual([20, null]);
  });

  it('is known from the instant of its print, under the identifier of that vintage', async () => {
    const [before, at] = around(DUE);
    expect([await actualOf('at_due', before), await actualOf('at_due', at)]).toEqual([null, 20]);
    const [lateBefore, late] = around(days(DUE, 45, -1));
    expect([await actualOf('within_45_days', lateBefore), await actualOf('within_45_days', late)]).toEqual([null, 20]);
    const found = await first('at_due');
    expect(found).toMatchObject({
      status: 'released',
      period: '2024-01',
      periodEnd: '2024-01-31',
      releasedAt: DUE,
      observedAt: DUE,
      scheduleVersion: 2,
      unit: 'percent',
      frequency: 'monthly',
      factorKey: 'cpi',
      title: 'Release at_due',
      indicatorId: 'at_due_cpi',
      category: 'prices',
      importance: 'high',
      sourceId: 'cal',
      sourceUrl: 'https://example.org',
      attribution: 'by cal',
    });
    expect(found.observationId).toMatch(/^obs_/);
    expect((await first('at_due', before)).observationId).toBeNull();
  });
});

describe('a release known only from the prints of a real-time archive', () => {
  const told = async (name: string, asOf?: string) =>
    (await entries(name, asOf)).map((one) => [
      one.scheduledAt.slice(0, 10),
      one.sourceId,
      one.canonicalIndicatorId,
      one.period,
      one.actual,
    ]);

  it('is released on the day of its first print, with the number from then on', async () => {
    expect(await told('archived')).toEqual([
      ['2024-01-11', 'archive', 'cpi', '2023-12', 10],
      ['2024-02-13', 'archive', 'cpi', '2024-01', 20],
    ]);
    const [before, at] = around(ENDING);
    expect([(await told('archived', before)).length, (await told('archived', at)).length]).toEqual([1, 2]);
    expect((await entries('archived'))[1]).toMatchObject({
      status: 'released',
      timePrecision: 'date_only',
      releasedAt: ENDING,
      previous: 10,
      revisedPrevious: 11,
      attribution: 'by archive',
      sourceUrl: 'https://archive.example',
    });
  });

  it.each([
    ['archived_unnamed', []],
    ['archived_download', []],
    ['archived_put_off', [['2024-02-13', 'archive', 'cpi', '2024-01', 20]]],
    ['archived_gap', []],
    ['archived_late', [['2024-04-08', 'archive', 'cpi', '2023-12', 10]]],
  ] as const)('%s: %j', async (name, expected) => {
    expect(await told(name)).toEqual(expected);
  });

  it('belongs to a listed day up to six days before, or of the same period; later it is an entry of its own', async () => {
    expect((await told('archived_beside_a_day')).map(([day, source]) => [day, source])).toEqual([
      ['2024-01-11', 'archive'],
      ['2024-02-07', 'day'],
    ]);
    expect((await told('archived_after_a_day')).map(([day, source, , , actual]) => [day, source, actual])).toEqual([
      ['2024-01-11', 'archive', 10],
      ['2024-02-06', 'day', null],
      ['2024-02-13', 'archive', 20],
    ]);
    expect((await told('archived_after_its_period')).map(([day, source, , , actual]) => [day, source, actual])).toEqual([
      ['2024-01-11', 'archive', 10],
      ['2024-02-01', 'day', 20],
    ]);
    expect((await told('archived_beside_a_cancelled_day')).map(([day, source]) => [day, source])).toContainEqual(['2024-02-13', 'archive']);
  });

  it('is one entry with the day that a schedule lists later', async () => {
    const dated = async (asOf?: string) => (await told('archived_before_it_was_listed', asOf)).map(([day, source]) => [day, source]);
    expect(await dated('2024-03-01T00:00:00.000Z')).toEqual([
      ['2024-01-11', 'archive'],
      ['2024-02-13', 'archive'],
    ]);
    expect(await dated()).toEqual([
      ['2024-01-11', 'archive'],
      ['2024-02-13', 'day'],
    ]);
  });

  it('is one entry, on the day of the first of its series', async () => {
    const found = (await told('archived_twice')).map(([day, , indicator, , actual]) => `${day} ${indicator} ${actual}`);
    expect(found.toSorted(compare)).toEqual(['2024-01-11 cpi 10', '2024-01-11 gauge 1', '2024-02-13 cpi 20', '2024-02-13 gauge 2']);
  });
});

describe('the prior period', () => {
  it.each([
    ['at_due', [10, null]],
    ['prior_revised', [10, 11]],
    ['prior_before', [11, null]],
    ['prior_after', [10, null]],
    ['prior_withdrawn', [null, null]],
    ['prior_week', [9, null]],
    ['prior_week_missing', [null, null]],
  ])('%s: %j before and after', async (name, expected) => {
    const { previous, revisedPrevious } = await first(name);
    expect([previous, revisedPrevious]).toEqual(expected);
  });
});

describe('the expected period', () => {
  const BEFORE = '2024-01-30T08:00:00.000Z';
  it.each([
    ['expected_0', null, null],
    ['expected_1', '2024-01', 10],
    ['expected_62', '2024-01', 10],
    ['expected_63', null, null],
    ['expected_quarter', null, null],
    ['expected_named_quarter', '2023-Q4', 10],
    ['newest_150_days', '2024-01', null],
    ['newest_within', '2024-01', 10],
  ])('%s: %s after %s', async (name, period, previous) => {
    expect(await entries(name, BEFORE)).toEqual([]);
    const found = await first(name, days(KNOWN, 0));
    expect([found.period, found.previous, found.actual, found.observationId]).toEqual([period, previous, null, null]);
  });

  it('is missing if another release comes first, unless that one is cancelled', async () => {
    const of = async (name: string) => (await entries(name, KNOWN)).map((one) => [one.scheduledAt.slice(0, 10), one.period]);
    expect(await of('other_between')).toEqual([
      ['2024-02-07', '2024-01'],
      ['2024-02-13', null],
    ]);
    expect(await of('cancelled_between')).toEqual([
      ['2024-02-07', null],
      ['2024-02-13', '2024-01'],
    ]);
  });
});

describe('the schedule of a release', () => {
  it('is postponed if it moves to a later day, not if it moves to an earlier one or within the day', async () => {
    const states = async (name: string, asOf: string) =>
      (await entries(name, asOf)).map((one) => [one.scheduledAt.slice(0, 10), one.status, one.scheduleVersion]);
    const [before, at] = around('2024-02-05T08:00:00.000Z');
    expect(await states('moved_later', before)).toEqual([['2024-02-13', 'scheduled', 1]]);
    expect(await states('moved_later', at)).toEqual([['2024-02-20', 'postponed', 2]]);
    expect(await states('moved_earlier', at)).toEqual([['2024-02-09', 'scheduled', 2]]);
    expect(await states('moved_in_day', at)).toEqual([['2024-02-13', 'scheduled', 2]]);
    expect(await states('moved_and_back', at)).toEqual([['2024-02-20', 'postponed', 2]]);
    expect(await states('moved_and_back', '2024-02-06T08:00:00.000Z')).toEqual([['2024-02-13', 'scheduled', 3]]);
    expect(await states('cancelled', LATER)).toEqual([['2024-02-13', 'cancelled', 2]]);
  });

  it('is in force from the instant at which it was known', async () => {
    const [before, at] = around(KNOWN);
    expect([(await entries('at_due', before)).length, (await entries('at_due', at)).length]).toEqual([0, 1]);
    expect((await first('at_due', at)).observedAt).toBe(KNOWN);
  });

  it('has been known since then, also if a number of its entry arrives later', async () => {
    const observedAt = async (asOf: string) => {
      const found = await first('consensus', asOf);
      return [found.scheduleVersion, found.consensus, found.observedAt];
    };
    const [round, longBefore] = ['2024-02-05T00:00:00.000Z', '2023-10-01T08:00:00.000Z'];
    expect(await observedAt(around(round)[0])).toEqual([1, null, longBefore]);
    expect(await observedAt(round)).toEqual([1, 6, longBefore]);
    expect((await first('moved_later', LATER)).observedAt).not.toBe(KNOWN);
  });

  it('is released if a file of its hour or later still lists it, or if a source states it', async () => {
    const state = async (name: string, asOf = LATER) => (await first(name, asOf)).status;
    const [before, at] = around(DUE);
    expect([await state('confirmed', before), await state('confirmed', at), await state('confirmed')]).toEqual([
      'scheduled',
      'released',
      'released',
    ]);
    expect([await state('confirmed_early'), await state('confirmed_failed'), await state('confirmed_day')]).toEqual([
      'scheduled',
      'scheduled',
      'scheduled',
    ]);
    expect(await state('confirmed_vague')).toBe('scheduled');
    expect(await state('confirmed_replaced')).toBe('postponed');
    expect([await state('stated', around(days(DUE, 1))[0]), await state('stated', days(DUE, 1))]).toEqual(['scheduled', 'released']);
    expect(await first('confirmed')).toMatchObject({
      releasedAt: DUE,
      actual: null,
      sourceUrl: null,
      attribution: 'SAMPLE DATA, generated, not real: by at_due',
    });
  });

  it("without an hour begins with the day on the publisher's clock, and counts as released at its end", async () => {
    expect(await first('dated')).toMatchObject({
      status: 'released',
      timePrecision: 'date_only',
      releasedAt: '2024-02-13T23:59:59.999Z',
      scheduledAt: '2024-02-13T00:00:00.000Z',
    });
    expect((await first('dated_before')).status).toBe('scheduled');
  });

  it('from two sources is one entry if they first named the same day, with the known hour', async () => {
    expect((await entries('two_sources')).map((one) => [one.scheduledAt, one.timePrecision, one.sourceId])).toEqual([
      [DUE, 'exact', 'cal'],
    ]);
    const [before, at] = [await first('two_sources', around(KNOWN)[0]), await first('two_sources', KNOWN)];
    expect([before.timePrecision, before.sourceId, before.eventId === at.eventId]).toEqual(['date_only', 'day', true]);
    expect(await entries('two_days')).toHaveLength(2);
    // One source means two releases by two entries.
    expect(await entries('two_twins')).toHaveLength(2);
  });

  describe('with a tentative date', () => {
    const states = async (name: string, asOf?: string) =>
      (await entries(name, asOf)).map((one) => [one.scheduledAt.slice(0, 10), one.status, one.scheduleVersion]);

    it('is unconfirmed once its day has passed everywhere without a sign of it', async () => {
      const [before, at] = around('2024-02-15T00:00:00.000Z');
      expect(await states('lapsed', before)).toEqual([['2024-02-13', 'scheduled', 1]]);
      expect(await states('lapsed', at)).toEqual([['2024-02-13', 'unconfirmed', 2]]);
      expect(await states('lapsed_listed_later')).toEqual([['2024-02-13', 'unconfirmed', 1]]);
    });

    it('is released by its number, however late', async () => {
      expect(await states('lapsed_printed', days(DUE, 2))).toEqual([['2024-02-13', 'unconfirmed', 2]]);
      expect(await states('lapsed_printed')).toEqual([['2024-02-13', 'released', 3]]);
    });

    it('is the same entry if it took place at most two weeks from its date', async () => {
      const [planned, held] = [await first('held_elsewhere', KNOWN), await first('held_elsewhere')];
      expect(planned.eventId).toBe(held.eventId);
      expect(await states('held_elsewhere', KNOWN)).toEqual([['2024-02-13', 'scheduled', 1]]);
      expect(await states('held_elsewhere')).toEqual([['2024-02-20', 'released', 3]]);
      expect(await states('held_listed_later')).toEqual([['2024-02-20', 'released', 1]]);
      expect(await states('held_14_days')).toEqual([['2024-02-27', 'released', 3]]);
      expect(await states('held_15_days')).toEqual([
        ['2024-02-13', 'unconfirmed', 2],
        ['2024-02-28', 'released', 1],
      ]);
    });

    it('stays matched to its first release if a nearer one comes later', async () => {
      expect(await states('held_nearer_later', '2024-02-09T00:00:00.000Z')).toEqual([['2024-02-08', 'released', 2]]);
      expect(await states('held_nearer_later')).toEqual([
        ['2024-02-08', 'released', 2],
        ['2024-02-14', 'released', 1],
      ]);
      const [then, now] = [await first('held_nearer_later', '2024-02-09T00:00:00.000Z'), await first('held_nearer_later')];
      expect(then.eventId).toBe(now.eventId);
    });

    it('is matched to the nearest release known when it was listed', async () => {
      expect(await states('held_nearest_of_two', '2024-03-01T00:00:00.000Z')).toEqual([
        ['2024-02-08', 'released', 1],
        ['2024-02-14', 'released', 1],
      ]);
      const [earlier, nearest] = await entries('held_nearest_of_two');
      expect([await states('held_nearest_of_two'), earlier?.eventId === nearest?.eventId]).toEqual([
        [
          ['2024-02-08', 'released', 1],
          ['2024-02-14', 'released', 1],
        ],
        false,
      ]);
    });

    it('does not match a release that the list itself names', async () => {
      expect(await states('held_as_another')).toEqual([
        ['2024-02-13', 'unconfirmed', 2],
        ['2024-02-20', 'released', 2],
      ]);
      for (const name of ['held_as_another_of_a_later_list', 'held_as_another_of_a_later_list_by_id'])
        expect([name, await states(name)]).toEqual([
          name,
          [
            ['2024-02-13', 'unconfirmed', 1],
            ['2024-02-20', 'released', 1],
          ],
        ]);
    });
  });

  it('names an indicator only if that indicator exists', async () => {
    expect(await first('unkept')).toMatchObject({ indicatorId: null, canonicalIndicatorId: 'policy_rate' });
    expect(await first('listed')).toMatchObject({ indicatorId: 'listed_policy_rate', canonicalIndicatorId: 'policy_rate' });
    expect(await first('input_listed')).toMatchObject({ indicatorId: 'input_listed_policy_rate', canonicalIndicatorId: 'policy_rate' });
    expect(await first('at_due')).toMatchObject({ indicatorId: 'at_due_cpi', canonicalIndicatorId: 'cpi' });
    // Its first number is one of May.
    expect([(await first('month_late', KNOWN)).indicatorId, (await first('month_late')).indicatorId]).toEqual([null, 'month_late_cpi']);
  });

  it('has no indicator if none of its numbers is stored', async () => {
    expect(await first('numberless')).toMatchObject({
      indicatorId: null,
      canonicalIndicatorId: null,
      category: 'rest',
      importance: 'low',
      actual: null,
      status: 'scheduled',
    });
  });
});

describe('the forecast of an entry', () => {
  it('is the newest one made before the release and before the number was known', async () => {
    const at = async (name: string, asOf: string) => (await first(name, asOf)).forecast;
    expect(await at('forecast', KNOWN)).toBe(1);
    expect(await at('forecast', around(DUE)[0])).toBe(1);
    expect(await at('forecast', LATER)).toBe(2);
    expect(await at('forecast_late', LATER)).toBeNull();
    expect(await first('forecast')).toMatchObject({ forecastMethod: 'm', forecastLower: 1, forecastUpper: 3, consensus: null });
  });
});

describe('the consensus of an entry', () => {
  it('is of the newest round in the 120 days before the release; once released, it is that of the print', async () => {
    const at = async (name: string, asOf: string) => (await first(name, asOf)).consensus;
    const round = '2024-02-05T00:00:00.000Z';
    expect(await at('consensus', around(round)[0])).toBeNull();
    expect(await at('consensus', round)).toBe(6);
    expect(await at('consensus', around(days(DUE, 1))[0])).toBe(6);
    expect(await at('consensus', LATER)).toBe(6.5);
    expect(await at('consensus_oldest', KNOWN)).toBe(5);
    expect(await at('forecast', LATER)).toBeNull();
  });
});

describe('the calendar', () => {
  it('has one version of each entry in force at any time, each from the end of the previous one', async () => {
    const rows = await relations.rows(
      'select event_id, observed_at, known_to, schedule_version from published.calendar order by event_id, observed_at',
    );
    for (const [index, row] of rows.entries()) {
      const next = rows[index + 1]?.['eventId'] === row['eventId'] ? rows[index + 1] : undefined;
      expect(row['knownTo']).toBe(next?.['observedAt'] ?? null);
      const step = next === undefined ? 0 : Number(next['scheduleVersion']) - Number(row['scheduleVersion']);
      expect([0, 1]).toContain(step);
    }
  });

  it('is listed by each filter, days included', async () => {
    const columns = (
      await relations.rows(
        "select string_agg(column_name || ' ' || data_type, ', ' order by column_index) as text from duckdb_columns() where schema_name = 'published' and table_name = 'calendar'",
      )
    )[0]?.['text'];
    await relations.connection.run('create or replace table published.kept as from published.calendar');
    const base = {
      eventId: 'own',
      title: 't',
      country: 'US',
      entityId: 'us',
      category: 'prices',
      indicatorId: 'us_cpi',
      canonicalIndicatorId: 'cpi',
      importance: 'high',
      status: 'scheduled',
      scheduledDate: '2024-02-13',
      scheduledAt: DUE,
      periodEnd: '2024-01-31',
      observedAt: KNOWN,
      knownTo: DUE,
      scheduleVersion: 1,
    };
    await relations.table('published.calendar', typeof columns === 'string' ? columns : '', [
      base,
      {
        ...base,
        eventId: 'kin',
        indicatorId: 'fr_gdp',
        canonicalIndicatorId: 'gdp',
        country: 'FR',
        importance: 'low',
        category: 'growth',
        status: 'released',
        knownTo: null,
      },
      { ...base, eventId: 'open', periodEnd: null, indicatorId: null, canonicalIndicatorId: null, knownTo: null },
    ]);
    const ids = async (filters: Partial<Record<keyof typeof NONE, string | readonly string[]>>) =>
      (await run(relations.reader, calendarListQuery, { ...NONE, asOf: KNOWN, ...filters })).map((one) => one.eventId);
    expect(await ids({})).toEqual(['own', 'kin', 'open']);
    expect([
      await ids({ eventId: 'kin' }),
      await ids({ country: 'FR' }),
      await ids({ importance: 'low' }),
      await ids({ category: 'growth' }),
      await ids({ status: 'released' }),
    ]).toEqual([['kin'], ['kin'], ['kin'], ['kin'], ['kin']]);
    expect([
      await ids({ indicatorIds: ['us_cpi'] }),
      await ids({ indicatorIds: ['gdp'] }),
      await ids({ indicatorIds: ['cpi', 'fr_gdp'] }),
      await ids({ indicatorIds: [] }),
    ]).toEqual([['own'], ['kin'], ['own', 'kin'], []]);
    expect([
      (await ids({ dateFrom: '2024-02-13' })).length,
      (await ids({ dateFrom: '2024-02-14' })).length,
      (await ids({ dateTo: '2024-02-13' })).length,
      (await ids({ dateTo: '2024-02-12' })).length,
    ]).toEqual([3, 0, 3, 0]);
    expect([await ids({ periodFrom: '2024-01-31' }), await ids({ periodFrom: '2024-02-01' })]).toEqual([['own', 'kin', 'open'], ['open']]);
    const at = async (asOf: string | null) => (await run(relations.reader, calendarListQuery, { ...NONE, asOf })).map((one) => one.eventId);
    expect([await at(around(KNOWN)[0]), await at(around(DUE)[0]), await at(DUE), await at(null)]).toEqual([
      [],
      ['own', 'kin', 'open'],
      ['kin', 'open'],
      ['kin', 'open'],
    ]);
    await relations.connection.run('create or replace table published.calendar as from published.kept');
  });
});

describe('events', () => {
  const EVENTS = `event_id varchar, event_type varchar, title varchar, summary varchar, entity_id varchar, importance varchar, status varchar, occurred_at timestamptz,
    time_precision varchar, published_at timestamptz, observed_at timestamptz, source_id varchar, source_url varchar, document_hash varchar, language varchar,
    indicator_ids varchar[], observation_ids varchar[], entry_id varchar, payload_key varchar`;
  const document = (more: Given): Given => ({
    eventId: 'evt_1',
    eventType: 'policy_statement',
    title: 'Statement',
    entityId: 'at_due',
    occurredAt: DUE,
    timePrecision: 'minute',
    observedAt: DUE,
    sourceId: 'cal',
    ...more,
  });
  const publish = async (documents: readonly Given[]) => {
    await relations.table('calendar.official_events', EVENTS, documents);
    await relations.create('published/calendar/events');
  };
  const ANY = {
    eventId: null,
    eventType: null,
    country: null,
    entityId: null,
    importance: null,
    status: null,
    dateFrom: null,
    dateTo: null,
    asOf: null,
    onDate: '2024-06-30',
    q: null,
  };
  const list = async (filters: Partial<Record<keyof typeof ANY, string>> = {}) =>
    run(relations.reader, eventsListQuery, { ...ANY, ...filters });

  it('name the observations of every series in a release, each from its print on', async () => {
    await publish([]);
    const of = async (asOf: string) =>
      (await list({ asOf, entityId: 'carried' })).find((one) => one.occurredAt.startsWith('2024-02-13'))?.observationIds ?? null;
    const id = (series: string, at: string) =>
      observationId({
        sourceId: series,
        indicatorId: 'carried_cpi',
        entityId: 'carried',
        frequency: 'monthly',
        period: '2024-01',
        vintage: at,
      });
    const second = '2024-02-29T23:59:59.999Z';
    const [other] = await relations.rows("select source_id from derived.all_series where entity_id = 'carried' and source_id <> 'archive'");
    const both = [id('archive', ENDING), id(z.string().parse(other?.['sourceId']), second)];
    expect([await of(around(ENDING)[0]), await of(ENDING), await of(around(second)[0]), await of(second), await of(LATER)]).toEqual([
      null,
      both.slice(0, 1),
      both.slice(0, 1),
      both,
      both,
    ]);
  });

  it('end when their next version becomes known', async () => {
    await publish([document({}), document({ title: 'Corrected', observedAt: days(DUE, 1) }), document({ eventId: 'evt_2' })]);
    const titles = async (asOf?: string) =>
      (await list({ ...(asOf === undefined ? {} : { asOf }), entityId: 'at_due', eventType: 'policy_statement' })).map((one) => one.title);
    const [before, at] = around(days(DUE, 1));
    expect([await titles(around(DUE)[0]), await titles(DUE), await titles(before), await titles(at), await titles()]).toEqual([
      [],
      ['Statement', 'Statement'],
      ['Statement', 'Statement'],
      ['Corrected', 'Statement'],
      ['Corrected', 'Statement'],
    ]);
  });

  it('have the importance of their kind, unless a source names another', async () => {
    const kinds = ['policy_decision', 'policy_statement', 'minutes', 'speech', 'filing', 'other'];
    await publish([
      ...kinds.map((eventType) => document({ eventId: eventType, eventType })),
      document({ eventId: 'said', importance: 'low' }),
    ]);
    const found = (await list()).filter((one) => one.sourceId === 'cal' && !one.eventId.startsWith('evt_'));
    expect(Object.fromEntries(found.map((one) => [one.eventId, one.importance]))).toEqual({
      policy_decision: 'high',
      policy_statement: 'high',
      minutes: 'medium',
      speech: 'medium',
      filing: 'low',
      other: 'low',
      said: 'low',
    });
    expect(found[0]).toMatchObject({
      status: 'occurred',
      country: 'US',
      currency: 'USD',
      indicatorIds: [],
      observationIds: [],
      attribution: 'by cal',
      isRedistributable: true,
    });
  });

  it('are a release of the calendar from its schedule on, released once one of its numbers is known', async () => {
    await publish([]);
    const release = async (asOf: string) =>
      (await list({ entityId: 'at_due', asOf })).map((one) => [
        one.eventType,
        one.status,
        one.publishedAt,
        one.summary,
        one.observationIds.length,
      ]);
    const [before, at] = around(DUE);
    expect([await release(around(KNOWN)[0]), await release(before), await release(at)]).toEqual([
      [],
      [['data_release', 'scheduled', null, 'Period 2024-01', 0]],
      [['data_release', 'occurred', DUE, 'Period 2024-01', 1]],
    ]);
    expect((await list({ entityId: 'cancelled' })).map((one) => one.status)).toEqual(['cancelled']);
    expect((await list({ entityId: 'dated' })).map((one) => [one.timePrecision, one.publishedAt])).toEqual([['day', null]]);
    expect((await list({ entityId: 'at_due' }))[0]?.calendarEventId).toBe((await first('at_due')).eventId);
  });

  it('match each filter, days included, and a text of title or summary in any case', async () => {
    await publish([
      document({ eventId: 'a', title: 'First Statement', summary: 'Rates UP', occurredAt: '2001-01-02T00:00:00.000Z' }),
      document({
        eventId: 'b',
        title: 'Minutes',
        eventType: 'minutes',
        entityId: 'nowhere',
        status: 'cancelled',
        occurredAt: '2001-01-02T23:59:59.999Z',
      }),
    ]);
    const ids = async (filters: Partial<Record<keyof typeof ANY, string>>) =>
      (await list({ dateTo: '2001-12-31', ...filters })).map((one) => one.eventId).sort();
    expect([
      await ids({}),
      await ids({ eventId: 'a' }),
      await ids({ eventType: 'minutes' }),
      await ids({ country: 'US' }),
      await ids({ entityId: 'nowhere' }),
      await ids({ importance: 'high' }),
      await ids({ status: 'cancelled' }),
    ]).toEqual([['a', 'b'], ['a'], ['b'], ['a'], ['b'], ['a'], ['b']]);
    expect([
      await ids({ dateFrom: '2001-01-02' }),
      await ids({ dateFrom: '2001-01-03' }),
      await ids({ dateTo: '2001-01-02' }),
      await ids({ dateTo: '2001-01-01' }),
    ]).toEqual([['a', 'b'], [], ['a', 'b'], []]);
    expect([
      await ids({ q: 'rates up' }),
      await ids({ q: 'STATE' }),
      await ids({ q: 'minutes' }),
      await ids({ q: 'statement rates' }),
      await ids({ q: 'x' }),
    ]).toEqual([['a'], ['a'], ['b'], ['a'], []]);
  });
});

describe('documents of central banks and companies', () => {
  it('are events of their day or minute, known from their own moment, with the scores of their text', async () => {
    const own = await openRelations();
    await own.macros('observation_id');
    const series = {
      seriesNo: 7,
      sourceId: 'fed',
      indicatorId: 'us_cb_statement_sentiment',
      entityId: 'us',
      frequency: 'event',
      canonicalId: 'cb_statement_sentiment',
    };
    await own.table('reference.derived_indicators', 'slug varchar, family varchar', [
      { slug: 'cb_statement_sentiment', family: 'policy_text' },
      { slug: 'other', family: 'positioning' },
    ]);
    await own.table(
      'derived.all_series',
      'series_no integer, source_id varchar, indicator_id varchar, entity_id varchar, frequency varchar, canonical_id varchar',
      [series, { ...series, seriesNo: 8, indicatorId: 'other', canonicalId: 'other' }],
    );
    const hash = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
    const computed = (seriesNo: number, observedAt: string, vintage: string, text = 'words') => ({
      seriesNo,
      period: '2024-02-13',
      vintage,
      observedAt,
      metadata: JSON.stringify({ documentId: 'minute', documentHash: hash(text) }),
    });
    await own.table(
      'derived.derived_vintages',
      'series_no integer, period varchar, vintage varchar, observed_at timestamptz, metadata varchar',
      [
        computed(7, DUE, 'first'),
        computed(7, days(DUE, 9), 'later'),
        computed(8, days(DUE, -1), 'other'),
        computed(7, LATER, 'corrected', 'other words'),
      ],
    );
    await own.table('calendar.calendar_entries', 'source_id varchar, schedule_id varchar, entry_id varchar', [
      { sourceId: 'fed', scheduleId: 'minute', entryId: 'cal_x' },
      { sourceId: 'ecb', scheduleId: 'hourless', entryId: 'cal_y' },
    ]);
    await own.table('series.filer_names', 'cik varchar, name varchar, known_from timestamptz', [
      { cik: '0000000001', name: 'Acme before', knownFrom: null },
      { cik: '0000000001', name: 'Acme', knownFrom: days(DUE, -30) },
      { cik: '0000000001', name: 'Acme after', knownFrom: days(LATER, 30) },
    ]);
    await own.table('series.runs', 'run_id varchar, key varchar, address varchar', [
      { runId: 'run', key: 'k', address: 'https://run.example' },
    ]);
    const document = (documentId: string, releasedAt: string, more: Given = {}) => ({
      sourceId: 'fed',
      documentId,
      entityId: 'us',
      documentType: 'policy_statement',
      title: documentId,
      text: 'words',
      language: 'en',
      releasedAt,
      observedAt: releasedAt,
      retrievedAt: LATER,
      runId: 'run',
      recordHash: 'a',
      ...more,
    });
    const filing = (accessionNumber: string, more: Given = {}) => ({
      sourceId: 'sec',
      accessionNumber,
      cik: '0000000001',
      form: '8-K',
      filed: '2024-02-13',
      acceptedAt: DUE,
      items: '2.02,9.01',
      reportDate: '2024-02-12',
      primaryDocument: 'd.htm',
      observedAt: DUE,
      retrievedAt: LATER,
      runId: 'run',
      recordHash: 'a',
      ...more,
    });
    await own.lake({
      documents: [
        document('minute', DUE, { text: 'other words', url: null }),
        document('minute', DUE, { retrievedAt: days(DUE, 3), url: 'https://own.example' }),
        document('dated_later', DUE, { text: 'other words' }),
        document('dated_later', DUE, { text: 'other words', observedAt: days(LATER, 2), recordHash: 'b' }),
        document('dated_later', DUE, { retrievedAt: days(DUE, 3) }),
        document('hourless', '2024-02-13T23:59:59.999Z'),
        document('last_minute', '2024-02-13T23:59:59.998Z'),
        document('undated', '2024-09-02T09:00:00.000Z', { retrievedAt: '2024-09-02T09:00:00.000Z' }),
      ],
      filings: [
        filing('1-24-1', { items: '8.01' }),
        filing('1-24-1', { retrievedAt: days(DUE, 3) }),
        filing('1-24-2', { form: '8-K/A', acceptedAt: null, items: '', reportDate: null, primaryDocument: null, cik: '0000000002' }),
        filing('1-24-3', { form: '10-K' }),
        // Accepted in the evening, disseminated the next morning.
        filing('1-24-4', { form: '8-K/A', observedAt: days(DUE, 1) }),
      ],
    });
    await own.table(
      'filings.earnings_news',
      'cik varchar, accession_number varchar, quarter_end date, fiscal_year integer, fiscal_period varchar',
      [{ cik: '0000000001', accessionNumber: '1-24-1', quarterEnd: '2023-12-31', fiscalYear: 2023, fiscalPeriod: 'Q4' }],
    );
    await own.create('filings/listed_filings', 'filings/stated_filings', 'calendar/official_events');
    const rows = await own.rows('from calendar.official_events order by source_id, title, observed_at');
    const shown = rows.map((row) => [
      row['title'],
      row['occurredAt'],
      row['timePrecision'],
      row['publishedAt'],
      row['observedAt'],
      row['sourceUrl'],
      row['entryId'],
    ]);
    const midnight = '2024-02-13T00:00:00.000Z';
    const lastMinute = '2024-02-13T23:59:59.998Z';
    expect(shown).toEqual([
      ['dated_later', DUE, 'minute', DUE, DUE, 'https://run.example', null],
      ['dated_later', DUE, 'minute', DUE, LATER, 'https://run.example', null],
      ['dated_later', DUE, 'minute', DUE, days(LATER, 2), 'https://run.example', null],
      ['hourless', midnight, 'day', null, '2024-02-13T23:59:59.999Z', 'https://run.example', null],
      ['last_minute', lastMinute, 'minute', lastMinute, lastMinute, 'https://run.example', null],
      ['minute', DUE, 'minute', DUE, DUE, 'https://own.example', 'cal_x'],
      ['minute', DUE, 'minute', DUE, LATER, 'https://run.example', 'cal_x'],
      ['undated', '2024-09-02T00:00:00.000Z', 'day', null, '2024-09-02T09:00:00.000Z', 'https://run.example', null],
      ['Form 8-K of Acme', DUE, 'minute', DUE, DUE, 'https://www.sec.gov/Archives/edgar/data/1/1241/d.htm', null],
      ['Form 8-K of Acme', DUE, 'minute', DUE, LATER, 'https://www.sec.gov/Archives/edgar/data/1/1241/d.htm', null],
      ['Form 8-K/A of Acme', DUE, 'minute', days(DUE, 1), days(DUE, 1), 'https://www.sec.gov/Archives/edgar/data/1/1244/d.htm', null],
      ['Form 8-K/A of CIK 0000000002', midnight, 'day', null, DUE, 'https://www.sec.gov/Archives/edgar/data/2/1242/1-24-2-index.htm', null],
    ]);
    expect(rows.map((row) => row['summary'])).toEqual([
      ...Array(8).fill(null),
      'Earnings of Q4 of fiscal 2023 (quarter to about 2023-12-31); Items 2.02, 9.01; event of 2024-02-12',
      // What it is said to be later has no earnings.
      'Items 8.01; event of 2024-02-12',
      'Items 2.02, 9.01; event of 2024-02-12',
      null,
    ]);
    const idOf = (vintage: string) => observationId({ ...series, period: '2024-02-13', vintage });
    expect(rows.slice(5, 7).map((row) => [row['documentHash'], row['indicatorIds'], row['observationIds']])).toEqual([
      [hash('words'), ['us_cb_statement_sentiment'], [idOf('first')]],
      [hash('other words'), ['us_cb_statement_sentiment'], [idOf('corrected')]],
    ]);
    expect(rows.slice(0, 3).map((row) => row['documentHash'])).toEqual([hash('words'), hash('other words'), hash('other words')]);
    expect(rows[0]?.['indicatorIds']).toBeNull();
    expect(rows[5]?.['eventId']).toBe(rows[6]?.['eventId']);
    expect(new Set(rows.map((row) => row['eventId'])).size).toBe(8);
    own.close();
  });
});
