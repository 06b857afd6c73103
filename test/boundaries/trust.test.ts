// Trust at its edges: budgets, ends, the scoring gate and the order of preference, by values worked out by hand from the method's text.
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Catalogue, Series } from '../../src/model/catalogue.ts';
import { EntityType } from '../../src/model/entity.ts';
import { livenessOf } from '../../src/model/series.ts';
import {
  budgetAt,
  type Cadence,
  comparePreference,
  dueAt,
  freshnessOf,
  isCadenceComparable,
  isCeasedAt,
  NOTHING_LEARNED,
  notStaleFrom,
  type PreferenceCandidate,
  preferredRows,
  reasonsAt,
  rowReasons,
  SourceTier,
} from '../../src/model/trust.ts';
import { toObservations } from '../../src/queries/observation-rows.ts';
import { preferredVintages } from '../../src/queries/preferred.ts';
import { NO_GRANTS } from '../../src/model/grant.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import { UNFILTERED } from '../pipeline.ts';
import { compare, moved, openRelations, type Relations, toVintages, VINTAGE_COLUMNS } from './by-hand/tables.ts';
import { catalogueOf, seriesWith } from './by-hand/series.ts';

const DAY = 86_400_000;
const BUDGETS = { daily: 6, weekly: 17, monthly: 86, quarterly: 199, annual: 666 } as const;
const cadence = (defaultBudgetDays: number | null, more: Partial<Cadence> = {}): Cadence => ({
  defaultBudgetDays,
  learnedBudgets: NOTHING_LEARNED,
  ceasedAt: null,
  ...more,
});
// The day after the period began: its age is zero.
const END = Date.parse('2024-04-01T00:00:00Z');

describe('the budgets of the cadences', () => {
  it('are those of the method, each the sum of its parts; events and series that stand still have none', () => {
    const rows: readonly Readonly<Record<string, string>>[] = parse(readFileSync('data/reference/cadence_budgets.csv'), { columns: true });
    const budgets = rows.map((row) => [
      row['cadence'],
      ...['budget_days', 'period_days', 'lag_days', 'grace_days'].map((name) => (row[name] === '' ? null : Number(row[name]))),
    ]);
    const sorted = budgets.filter((row) => row[1] !== null).sort((a, b) => Number(a[1]) - Number(b[1]));
    expect(sorted).toEqual([
      ['daily', 6, 1, 2, 3],
      ['weekly', 17, 7, 7, 3],
      ['monthly', 86, 31, 45, 10],
      ['quarterly', 199, 92, 92, 15],
      ['annual', 666, 366, 270, 30],
    ]);
    expect(
      rows
        .filter((row) => row['budget_days'] === '')
        .map((row) => row['cadence'])
        .sort((a, b) => compare(a ?? '', b ?? '')),
    ).toEqual(['event', 'static']);
  });

  it.each(Object.entries(BUDGETS))('last to the last millisecond of the last day: %s, %i days', (_, days) => {
    const at = (offset: number) => freshnessOf(cadence(days), '2024-03-31', END + offset);
    expect([at(-1), at(0), at((days - 1) * DAY), at(days * DAY - 1), at(days * DAY)]).toEqual([
      'fresh',
      'fresh',
      'fresh',
      'fresh',
      'fresh',
    ]);
    expect([at(days * DAY + 1), at((days + 1) * DAY)]).toEqual(['stale', 'stale']);
    expect(dueAt('2024-03-31', days)).toBe(END + days * DAY);
    expect(notStaleFrom(cadence(days), END + days * DAY)).toBe('2024-03-31');
    expect(notStaleFrom(cadence(days), END + days * DAY + 1)).toBe('2024-04-01');
  });

  it('of a fraction of a day end within the day', () => {
    expect(dueAt('2024-03-31', 72.43)).toBe(END + 72.43 * DAY);
    expect(freshnessOf(cadence(72.43), '2024-03-31', END + 72.43 * DAY)).toBe('fresh');
    expect(freshnessOf(cadence(72.43), '2024-03-31', END + 72.43 * DAY + 1)).toBe('stale');
  });

  it('as learned count from the instant at which they were known, for series and rows', () => {
    const learned = cadence(86, { learnedBudgets: { knownFrom: [10, 20, 30, 40], days: [1, 2, 3, 4] } });
    expect([9, 10, 11, 19, 20, 29, 30, 39, 40, 41].map((at) => budgetAt(learned, at))).toEqual([86, 1, 1, 1, 2, 2, 3, 3, 4, 4]);
    expect(budgetAt(cadence(null, { learnedBudgets: { knownFrom: [10], days: [5] } }), 9)).toBeNull();
    expect(budgetAt(cadence(86), Number.MAX_SAFE_INTEGER)).toBe(86);
  });
});

describe('the end of a collection', () => {
  it('is known from its instant on, and then nothing of it is stale or fresh', () => {
    const ceased = cadence(86, { ceasedAt: END });
    expect([END - 1, END, END + 1].map((at) => isCeasedAt(ceased, at))).toEqual([false, true, true]);
    expect([END - 1, END].map((at) => freshnessOf(ceased, '2024-03-31', at))).toEqual(['fresh', 'unknown']);
    expect([END - 1, END].map((at) => freshnessOf(ceased, '2020-03-31', at))).toEqual(['stale', 'unknown']);
    expect([notStaleFrom(ceased, END - 1), notStaleFrom(ceased, END)]).toEqual(['2024-01-05', null]);
    expect(isCeasedAt({ ceasedAt: null }, END)).toBe(false);
  });
});

describe('the kinds', () => {
  it('are comparable between countries if they are published more than once a year', () => {
    const frequencies = ['daily', 'weekly', 'monthly', 'quarterly', 'annual', 'event', 'static'] as const;
    expect(frequencies.map(isCadenceComparable)).toEqual([true, true, true, true, false, false, false]);
  });
});

interface Gate {
  readonly canonicalId: string;
  readonly tier: SourceTier;
  readonly frequency: string;
  readonly unit: string | null;
  readonly factorUnit: string | null;
  readonly comparisonBasis: string | null;
  readonly factorComparisonBasis: string | null;
  /** Of what the service derives. */
  readonly areInputsEligible: boolean;
}

const SOUND: Gate = {
  canonicalId: 'cpi_inflation_yoy',
  tier: 'official_national',
  frequency: 'monthly',
  unit: 'percent',
  factorUnit: 'percent',
  comparisonBasis: 'yoy',
  factorComparisonBasis: 'yoy',
  areInputsEligible: true,
};

describe('the kinds of entity', () => {
  it('are national or not, and macroeconomic or traded', async () => {
    const relations = await openRelations();
    await relations.macros('entities/is_macro');
    await relations.table(
      'kinds',
      'kind varchar',
      EntityType.options.map((kind) => ({ kind })),
    );
    const found = await relations.rows('select kind from kinds where is_national(kind) order by kind');
    expect(found.map(({ kind }) => kind)).toEqual(['country', 'currency_area']);
    const macro = await relations.rows('select kind from kinds where is_macro(kind) order by kind');
    expect(macro.map(({ kind }) => kind)).toEqual(['central_bank', 'country', 'currency', 'currency_area', 'region']);
    relations.close();
  });
});

describe('the scoring gate', () => {
  let relations: Relations;
  beforeAll(async () => {
    relations = await openRelations();
    await relations.macros('is_scoring_tier', 'scoring_reasons');
  });
  afterAll(() => relations.close());

  const reasonsOf = async (change: Partial<Gate>): Promise<unknown> => {
    const gate = { ...SOUND, ...change };
    await relations.table(
      'gate',
      `canonical_id varchar, tier varchar, frequency varchar, unit varchar, factor_unit varchar, comparison_basis varchar, factor_comparison_basis varchar,
      are_inputs_eligible boolean`,
      [gate],
    );
    const [row] = await relations.rows(
      'select scoring_reasons(canonical_id, tier, frequency, unit, factor_unit, comparison_basis, factor_comparison_basis, are_inputs_eligible) as reasons from gate',
    );
    return row?.['reasons'];
  };

  it('admits four tiers, and derived values from eligible inputs', async () => {
    const reasons: Record<string, unknown> = {};
    for (const tier of SourceTier.options) reasons[tier] = await reasonsOf({ tier });
    expect(reasons).toEqual({
      central_bank: [],
      official_national: [],
      official_supranational: [],
      market_data: [],
      service_derived: [],
      multilateral_fallback: ['tier'],
      news: ['tier'],
      other: ['tier'],
    });
    // Of others it asks nothing of inputs.
    expect(await reasonsOf({ areInputsEligible: false })).toEqual([]);
  });

  it('treats as last resort only annual figures of multilateral aggregators', async () => {
    const found: unknown[] = [];
    for (const tier of SourceTier.options)
      for (const frequency of ['annual', 'quarterly', 'monthly'] as const)
        if (JSON.stringify(await reasonsOf({ tier, frequency })).includes('fallback_only')) found.push([tier, frequency]);
    expect(found).toEqual([['multilateral_fallback', 'annual']]);
  });

  it.each<[Partial<Gate>, readonly string[]]>([
    [{ tier: 'service_derived', areInputsEligible: false }, ['input_ineligible']],
    [{ tier: 'multilateral_fallback', frequency: 'annual' }, ['tier', 'fallback_only']],
    [{ frequency: 'annual' }, []],
    [{ unit: null }, ['unit']],
    [{ factorUnit: null }, ['unit']],
    [{ unit: null, factorUnit: null }, ['unit']],
    [{ unit: 'index' }, ['unit']],
    [{ comparisonBasis: null }, ['comparison_basis']],
    [{ factorComparisonBasis: null }, ['comparison_basis']],
    [{ comparisonBasis: null, factorComparisonBasis: null }, ['comparison_basis']],
    [{ comparisonBasis: 'mom' }, ['comparison_basis']],
    [{ unit: 'index', comparisonBasis: 'mom', tier: 'news' }, ['tier', 'unit', 'comparison_basis']],
  ])('excludes a series for %j: %j', async (change, reasons) => {
    expect(await reasonsOf(change)).toEqual(reasons);
  });

  it('excludes a single row for each of its own reasons, at its edge', () => {
    const series = { ...cadence(86), reasons: [], inputsCeasedAt: null, eventCadence: null };
    const row = { periodEnd: '2024-03-31', value: 0, vintage: '2024-04-10' };
    const at = END + 86 * DAY;
    expect(rowReasons(series, row, at)).toEqual([]);
    expect(rowReasons(series, { ...row, vintage: 'pseudo:2024-04-10.2' }, at)).toEqual(['pseudo_vintage']);
    expect(rowReasons(series, row, at + 1)).toEqual(['stale']);
    for (const value of [null, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      expect(rowReasons(series, { ...row, value }, at)).toEqual(['no_value']);
    expect(rowReasons(series, { ...row, periodEnd: null }, at)).toEqual([]);
    expect(rowReasons({ ...series, defaultBudgetDays: null }, { ...row, periodEnd: '1950-12-31' }, at)).toEqual([]);
    for (const [field, reason] of [
      ['ceasedAt', 'ceased'],
      ['inputsCeasedAt', 'input_ineligible'],
    ] as const) {
      expect(rowReasons({ ...series, [field]: at + 1 }, row, at)).toEqual([]);
      expect(rowReasons({ ...series, [field]: at }, row, at)).toEqual([reason]);
      expect(rowReasons({ ...series, [field]: at - 1 }, row, at)).toEqual([reason]);
    }
    expect(rowReasons({ ...series, ceasedAt: at, inputsCeasedAt: at, reasons: ['unit'] }, row, at)).toEqual([
      'unit',
      'input_ineligible',
      'ceased',
    ]);
    expect(rowReasons({ ...series, inputsCeasedAt: at, reasons: ['input_ineligible'] }, { ...row, value: null }, at + 1)).toEqual([
      'input_ineligible',
      'stale',
      'no_value',
    ]);
  });
});

describe('a series of events', () => {
  const row = { periodEnd: '2016-03-31', value: 1, vintage: '2016-04-10' };
  const alive = { ...cadence(null), reasons: [], inputsCeasedAt: null };
  // Nothing learned until 100; then its newest row may be as old as at 200, from 150 on that of another as at 300, from 400 on none is left.
  const events = { ...alive, eventCadence: { knownFrom: [50, 100, 150, 400], until: [null, 200, 300, null] } };

  it('is eligible while its newest row is younger than its learned silence, and never fresh or stale', () => {
    const at = (moment: number) => rowReasons(events, row, moment);
    expect([49, 50, 99].map(at)).toEqual([['no_budget'], ['no_budget'], ['no_budget']]);
    expect([100, 149, 150, 200, 300].map(at)).toEqual([[], [], [], [], []]);
    expect([301, 399].map(at)).toEqual([['overdue'], ['overdue']]);
    expect(at(400)).toEqual(['no_budget']);
    expect(at(301).length).toBe(reasonsAt(events, 301).length);
    expect([49, 100, 301].map((moment) => freshnessOf(events, row.periodEnd, moment))).toEqual(['unknown', 'unknown', 'unknown']);
  });

  it('does not include a series that stands still, which has no newest row to wait for', () => {
    expect(rowReasons({ ...alive, eventCadence: null }, row, 301)).toEqual([]);
  });
});

const CANDIDATE: PreferenceCandidate = {
  country: 'US',
  factorKey: 'cpi',
  period: '2024-03',
  scoringEligible: true,
  sourceId: 'm',
  sourceTier: 'official_supranational',
  sourceRank: null,
  isMonetary: false,
  isSeasonalAdjustmentMatch: true,
  observedAt: '2024-04-10T12:00:00.000Z',
  retrievedAt: '2024-05-01T00:00:00.000Z',
  observationId: 'obs_m',
};

// Each pair differs in one step: the first of the two is to be preferred.
const STEPS: readonly (readonly [string, Partial<PreferenceCandidate>, Partial<PreferenceCandidate>])[] = [
  ['eligible', {}, { scoringEligible: false }],
  ['listed by the registry', { sourceRank: 9 }, { sourceRank: null }],
  ['listed first', { sourceRank: 1 }, { sourceRank: 2 }],
  ['of the higher tier', { sourceTier: 'official_national' }, { sourceTier: 'central_bank' }],
  ['adjusted as the factor is', {}, { isSeasonalAdjustmentMatch: false }],
  ['known later', { observedAt: '2024-04-10T12:00:00.001Z' }, {}],
  ['retrieved later', { retrievedAt: '2024-05-01T00:00:00.001Z' }, {}],
  ['of the source that comes first by name', { sourceId: 'a' }, {}],
  ['of the identifier that comes first', { observationId: 'obs_a' }, {}],
];

describe('the order of preference', () => {
  it.each(STEPS)('prefers %s', (_, better, worse) => {
    const [a, b] = [
      { ...CANDIDATE, ...better },
      { ...CANDIDATE, ...worse },
    ];
    expect(comparePreference(a, b)).toBeLessThan(0);
    expect(comparePreference(b, a)).toBeGreaterThan(0);
    expect(comparePreference(a, a)).toBe(0);
  });

  it('decides each step before all later ones together', () => {
    for (const [index, [, better, worse]] of STEPS.entries()) {
      const later = STEPS.slice(index + 1);
      const own = Object.keys({ ...better, ...worse });
      // All that the later steps prefer, on the side of the worse.
      const without = (change: Partial<PreferenceCandidate>) =>
        Object.fromEntries(Object.entries(change).filter(([name]) => !own.includes(name)));
      const a = { ...CANDIDATE, ...Object.assign({}, ...later.map(([, , bad]) => without(bad))), ...better } as PreferenceCandidate;
      const b = { ...CANDIDATE, ...Object.assign({}, ...later.map(([, good]) => without(good))), ...worse } as PreferenceCandidate;
      expect([index, Math.sign(comparePreference(a, b)), Math.sign(comparePreference(b, a))]).toEqual([index, -1, 1]);
    }
  });

  it('puts the central bank first for rates, foreign exchange and money, the national office first for the rest', () => {
    const ranked = (isMonetary: boolean) =>
      SourceTier.options
        .map((sourceTier) => ({ ...CANDIDATE, sourceTier, isMonetary }))
        .toReversed()
        .toSorted(comparePreference)
        .map((row) => row.sourceTier);
    const rest = ['official_supranational', 'market_data', 'service_derived', 'multilateral_fallback', 'news', 'other'];
    expect(ranked(true)).toEqual(['central_bank', 'official_national', ...rest]);
    expect(ranked(false)).toEqual(['official_national', 'central_bank', ...rest]);
  });

  it('chooses within a slot: one country, one factor, one period, none of them missing', () => {
    const row = (observationId: string, change: Partial<PreferenceCandidate>) => ({ ...CANDIDATE, observationId, ...change });
    const rows = [
      row('b', {}),
      row('a', {}),
      row('c', { country: 'FR' }),
      row('d', { factorKey: 'ppi' }),
      row('e', { period: '2024-04' }),
      row('f', { country: null }),
      row('g', { factorKey: null }),
      row('h', { period: null }),
      row('i', { country: 'JP', scoringEligible: false }),
    ];
    expect([...preferredRows(rows)].sort()).toEqual(['a', 'c', 'd', 'e']);
  });
});

describe('the order of preference in SQL', () => {
  it('equals a check of the rows in code, step by step and at the edge of the budget', async () => {
    const relations = await openRelations();
    const at = '2024-05-10T12:00:00.000Z';
    const monetary = { isMonetary: true };
    const both = { canonicalId: 'cpi', factorKey: 'cpi', country: 'US' };
    // [what the series differ in, what their rows differ in] of pairs in slots of their own; the first of each pair is to be preferred.
    const pairs: readonly (readonly [better: Partial<Series>, worse: Partial<Series>, betterRow?: object, worseRow?: object])[] = [
      [{ sourceRank: 9 }, { sourceRank: null }],
      [{ sourceRank: 1 }, { sourceRank: 2 }],
      [{ sourceTier: 'official_national' }, { sourceTier: 'central_bank' }],
      [
        { sourceTier: 'central_bank', ...monetary },
        { sourceTier: 'official_national', ...monetary },
      ],
      [{ isSeasonalAdjustmentMatch: true }, { isSeasonalAdjustmentMatch: false }],
      [{}, {}, { observedAt: '2024-04-10T12:00:00.001Z' }, {}],
      [{}, {}, { retrievedAt: '2024-05-01T00:00:00.001Z' }, { retrievedAt: '2024-05-01T00:00:00.000Z' }],
      [{ sourceId: 'a' }, { sourceId: 'b' }],
      [{}, { reasons: ['unit'], sourceRank: 1 }],
      [{}, { ceasedAt: Date.parse(at), sourceRank: 1 }],
      [{ sourceRank: 5, ceasedAt: Date.parse(at) + 1 }, {}],
      [{}, { inputsCeasedAt: Date.parse(at), sourceRank: 1 }],
      [{}, { sourceRank: 1 }, {}, { value: null }],
      [{}, { sourceRank: 1, defaultBudgetDays: 39 }],
      [{ sourceRank: 5, defaultBudgetDays: 40 }, {}],
      [{}, { sourceRank: 1, defaultBudgetDays: null, eventCadence: { knownFrom: [0], until: [Date.parse(at) - 1] } }],
      [{ sourceRank: 5, defaultBudgetDays: null, eventCadence: { knownFrom: [0], until: [Date.parse(at)] } }, {}],
      // What lies in a country is no rival of the country.
      [{}, { factorKey: null, entityType: 'region', sourceRank: 1 }],
    ];
    const series = pairs.flatMap(([better, worse], index) =>
      [better, worse].map((change, side) =>
        seriesWith({
          ...both,
          country: `C${index}`,
          // The worse has the lower number, so that the order of the series does not decide.
          seriesNo: 1 + 2 * index + (1 - side),
          indicatorId: `c${index}_cpi_${1 - side}`,
          sourceId: 's',
          entityId: `c${index}`,
          ...change,
        }),
      ),
    );
    const prints = pairs.flatMap(([, , better = {}, worse = {}], index) =>
      [better, worse].map((change, side) => ({
        seriesNo: 1 + 2 * index + (1 - side),
        period: '2024-03',
        periodEnd: '2024-03-31',
        value: 1,
        observedAt: '2024-04-10T12:00:00.000Z',
        retrievedAt: '2024-05-01T00:00:00.000Z',
        ...change,
      })),
    );
    const vintages = toVintages(prints);
    await relations.table('published.vintages', VINTAGE_COLUMNS, vintages);
    await relations.table(
      'published.series',
      'series_no integer, indicator_id varchar',
      series.map(({ seriesNo, indicatorId }) => ({ seriesNo, indicatorId })),
    );
    const catalogue: Catalogue = catalogueOf(series);
    const snapshot = {
      ...relations.reader,
      snapshotId: 's',
      knowledgeCutoff: at,
      catalogue,
      manifest: {} as Manifest,
      grants: NO_GRANTS,
      packs: null,
      newest: null,
    };
    const filters = { ...UNFILTERED, asOf: at };
    const page = { sort: 'period_end', order: 'asc', after: null, limit: 1000 } as const;
    const preferred = await preferredVintages(snapshot, catalogue.series, filters, page, Date.parse(at));
    const chosen = new Set(vintages.filter((row) => preferred.has(String(row.idHash))).map((row) => row.seriesNo));
    const expected = pairs.map((_, index) => 2 + 2 * index);
    expect([...chosen].sort((a, b) => a - b)).toEqual(expected);
    const looked = await toObservations(
      vintages.map((row) => ({ ...row, releasedAt: null, sourceRunId: null })),
      { catalogue, at: Date.parse(at) },
    );
    expect(
      vintages
        .filter((_, index) => looked[index]?.preferredForFactor === true)
        .map((row) => row.seriesNo)
        .sort((a, b) => a - b),
    ).toEqual(expected);
    relations.close();
  });
});

describe('the verdict on a feed', () => {
  const monthly = { ...cadence(86), frequency: 'monthly', ceasedFinalPeriod: null, latestPeriodEnd: '2024-03-31' } as const;
  const advanced = '2024-04-10T12:00:00.000Z';
  const judge = (more: object, feed: { lastAdvanceAt?: string | null; lastCheckedAt?: string | null }, at: number) =>
    livenessOf({ ...monthly, ...more }, { lastAdvanceAt: advanced, lastCheckedAt: advanced, ...feed }, at);

  it.each([
    ['daily', 4],
    ['weekly', 14],
    ['monthly', 62],
    ['quarterly', 184],
    ['annual', 732],
  ] as const)('is frozen once runs succeeded over two cadences without a new period: %s, %i days', (frequency, days) => {
    const after = (ms: number) => judge({ frequency }, { lastCheckedAt: moved(advanced, ms) }, END).verdict;
    // Days have two decimals.
    expect([after(days * DAY - 0.006 * DAY), after(days * DAY), after(days * DAY + DAY)]).toEqual(['live', 'frozen', 'frozen']);
  });

  it('is late past the last instant of the budget, in days to two decimals', () => {
    expect(judge({}, {}, END + 86 * DAY)).toMatchObject({
      verdict: 'live',
      ageDays: 86,
      overdueDays: 0,
      budgetDays: 86,
      expectedNextAt: '2024-06-26T00:00:00.000Z',
    });
    expect(judge({}, {}, END + 86.02 * DAY)).toMatchObject({ verdict: 'late', ageDays: 86.02, overdueDays: 0.02 });
  });

  it('follows the first that applies: ceased, never a value, no cadence, never checked, frozen, late, live', () => {
    const long = { lastCheckedAt: moved(advanced, 100 * DAY) };
    const at = END + 100 * DAY;
    const ceased = { ceasedAt: at, ceasedFinalPeriod: '2024-03' };
    expect(judge(ceased, { lastAdvanceAt: null, ...long }, at)).toMatchObject({
      verdict: 'ceased',
      expectedNextAt: null,
      overdueDays: 0,
      reasons: ['The publisher retired the collection after 2024-03.'],
    });
    expect(judge({ ceasedAt: at + 1 }, long, at).verdict).toBe('frozen');
    expect(judge({}, { lastAdvanceAt: null, ...long }, at).verdict).toBe('unknown');
    expect(judge({ defaultBudgetDays: null }, long, at)).toMatchObject({
      verdict: 'unknown',
      budgetDays: null,
      expectedNextAt: null,
      overdueDays: 0,
    });
    expect(judge({ frequency: 'event' }, long, at).verdict).toBe('unknown');
    expect(judge({}, { lastCheckedAt: null }, at).verdict).toBe('unknown');
    const frozen = judge({}, long, at);
    expect([frozen.verdict, frozen.reasons.length]).toEqual(['frozen', 2]);
    expect(judge({}, long, END + DAY).reasons).toHaveLength(1);
    expect(judge({}, {}, at).verdict).toBe('late');
    expect(judge({ latestPeriodEnd: null }, {}, at)).toMatchObject({
      verdict: 'live',
      ageDays: null,
      overdueDays: 0,
      expectedNextAt: null,
    });
  });
});
