// The screen over a few entities written by hand: who is looked at, which value counts, what a modifier makes of it, who is left out and why.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fields, type FieldRef, isMatch, MODIFIERS, parseColumns, parseFilter, parseRanking } from '../../src/model/screener-dsl.ts';
import { type Measured, midranks, modified, places, quantile, unitOf } from '../../src/model/screener.ts';
import { type Screen, screen, type ScreenPage } from '../../src/queries/screener/screener.ts';
import { isScreened } from '../../src/queries/screener/readings.ts';
import { findMembers, type Universed } from '../../src/queries/screener/universe.ts';
import { describeFields, screenerFields } from '../../src/queries/screener/fields.ts';
import { COMPANY_COLUMNS, createScreened, ENTITY_COLUMNS, SERIES_COLUMNS, snapshotOf } from '../screener/screens-by-hand.ts';
import { around, type Given, openRelations, type Relations } from './by-hand/tables.ts';
import { seriesWith } from './by-hand/series.ts';

const MEASURED: Measured = {
  value: 5,
  previous: 4,
  valueYearAgo: 2,
  count3y: 36,
  mean3y: 3,
  deviation3y: 4,
  frequency: 'monthly',
  ageDays: 7,
};
const make = (modifier: (typeof MODIFIERS)[number], change: Partial<Measured> = {}) => modified({ ...MEASURED, ...change }, modifier);

describe('a modifier', () => {
  it('computes the value that its name describes, in its own unit', () => {
    const made = MODIFIERS.map((modifier) => [modifier, make(modifier), unitOf('percent', modifier), unitOf('index', modifier)]);
    expect([[null, modified(MEASURED, null), unitOf('percent', null), unitOf(null, null)], ...made]).toEqual([
      [null, 5, 'percent', null],
      ['prev', 4, 'percent', 'index'],
      ['chg1', 1, 'percentage_points', 'index'],
      ['chg12', 3, 'percentage_points', 'index'],
      ['yoy', 150, 'percent', 'percent'],
      ['rank', null, 'rank', 'rank'],
      ['pct', null, 'percentile', 'percentile'],
      ['z3y', 0.5, 'standard_deviations', 'standard_deviations'],
      ['age_days', 7, 'days', 'days'],
    ]);
  });

  it('has no value without anything to compare', () => {
    expect([make('prev', { previous: null }), make('chg1', { previous: null })]).toEqual([null, null]);
    expect([make('chg12', { valueYearAgo: null }), make('yoy', { valueYearAgo: null })]).toEqual([null, null]);
    expect([make('chg1', { previous: 0 }), make('chg12', { valueYearAgo: 0 }), make('prev', { previous: 0 })]).toEqual([5, 5, 0]);
  });

  it('has no percentage of a base that is not positive, and a change of any base', () => {
    const bases = [-4, -1e-9, 0, 1e-3, 10];
    expect(bases.map((valueYearAgo) => make('yoy', { valueYearAgo }))).toEqual([null, null, null, 499_900, -50]);
    expect(bases.map((valueYearAgo) => make('chg12', { valueYearAgo }))).toEqual([9, 5.000000001, 5, 4.999, -5]);
  });

  it('computes a change without the noise of binary fractions', () => {
    expect(make('chg1', { value: 4.6, previous: 4.4 })).toBe(0.2);
    expect(make('yoy', { value: 110, valueYearAgo: 100 })).toBe(10);
  });

  it('has no value beyond the range of a double', () => {
    const largest = Number.MAX_VALUE;
    expect([make('chg1', { value: largest, previous: -largest }), make('chg12', { value: largest, valueYearAgo: -largest })]).toEqual([
      null,
      null,
    ]);
    expect(make('yoy', { valueYearAgo: Number.MIN_VALUE })).toBeNull();
    for (const beyond of [
      { mean3y: Number.POSITIVE_INFINITY, deviation3y: Number.NaN },
      { mean3y: Number.NaN },
      { value: largest, mean3y: -largest },
    ])
      expect(make('z3y', beyond)).toBeNull();
    expect(make('chg1', { value: largest, previous: 0 })).toBeGreaterThan(1e308);
  });

  it.each([
    ['daily', 500],
    ['weekly', 104],
    ['monthly', 24],
    ['quarterly', 8],
  ])('has the spread of three years from two thirds of its values on: %s, %i', (frequency, least) => {
    expect(make('z3y', { frequency, count3y: least - 1 })).toBeNull();
    expect(make('z3y', { frequency, count3y: least })).toBe(0.5);
    for (const missing of [{ mean3y: null }, { deviation3y: null }, { deviation3y: 0 }])
      expect(make('z3y', { frequency, ...missing })).toBeNull();
    expect(make('z3y', { frequency: 'annual', count3y: 10_000 })).toBeNull();
  });
});

describe('ranks among values', () => {
  it('are midranks in percent; equal values share a place counted from the greatest', () => {
    expect([...midranks([3, 1, 3, 2, 3])]).toEqual([
      [1, 10],
      [2, 30],
      [3, 70],
    ]);
    expect([...midranks([7])]).toEqual([[7, 50]]);
    expect([...midranks([1, 2, 3]).values()]).toEqual([16.67, 50, 83.33]);
    expect([...places([3, 1, 3, 2, 3])].toSorted((a, b) => a[1] - b[1])).toEqual([
      [3, 1],
      [2, 4],
      [1, 5],
    ]);
    expect([midranks([]).size, places([]).size]).toEqual([0, 0]);
    // A value that equals nothing keeps nobody waiting.
    expect(midranks([1, Number.NaN, 1]).get(1)).toBeDefined();
  });

  it('have quantiles on the line between two values', () => {
    const sorted = [1, 2, 4, 8, 16];
    expect([0, 0.125, 0.5, 0.875, 1].map((part) => quantile(sorted, part))).toEqual([1, 1.5, 4, 12, 16]);
    expect([quantile([], 0.5), quantile([3], 0.05)]).toEqual([null, 3]);
  });
});

describe('a term', () => {
  const fields: Fields = new Map([
    ['x', 'number'],
    ['name', 'string'],
  ]);
  const holds = (text: string, cell: number | string | null) => isMatch(parseFilter(text, fields), (_: FieldRef) => cell);
  it.each<[string, readonly boolean[]]>([
    ['x:eq:2', [false, true, false]],
    ['x:neq:2', [true, false, true]],
    ['x:gt:2', [false, false, true]],
    ['x:gte:2', [false, true, true]],
    ['x:lt:2', [true, false, false]],
    ['x:lte:2', [true, true, false]],
    ['x:between:2..2', [false, true, false]],
    ['x:between:1..2', [true, true, false]],
    ['x:between:2..3', [false, true, true]],
    ['x:in:2,7', [false, true, false]],
    ['x:nin:2,7', [true, false, true]],
    ['x:is:notnull', [true, true, true]],
    ['x:is:null', [false, false, false]],
  ])('%s matches just below, at and just above', (text, expected) => {
    expect([1.999, 2, 2.001].map((value) => holds(text, value))).toEqual(expected);
    expect(holds(text, null)).toBe(text === 'x:is:null');
  });

  it('of a text compares the whole text in any case', () => {
    expect(
      ['name:eq:FRANCE', 'name:in:x,france', 'name:neq:France', 'name:nin:france,x', 'name:eq:Fran'].map((text) => holds(text, 'France')),
    ).toEqual([true, true, false, false, false]);
  });

  it('can be part of alternatives, and every clause must match', () => {
    expect(['x:gt:1|x:gt:9;x:lt:3', 'x:gt:9|x:gt:1;x:lt:3', 'x:gt:1;x:lt:2|x:gt:9', 'x:gt:1;x:gt:9'].map((text) => holds(text, 2))).toEqual(
      [true, true, false, false],
    );
  });

  it('has at most two thousand characters, twenty terms and fifty columns', () => {
    const terms = (count: number) => Array.from({ length: count }, () => 'x:gt:1').join('|');
    expect(parseFilter(terms(20), fields)[0]).toHaveLength(20);
    expect(() => parseFilter(terms(21), fields)).toThrow('has 21 terms');
    expect(() => parseFilter(`name:eq:${'a'.repeat(1993)}`, fields)).toThrow('longer than 2000');
    expect(parseFilter(`name:eq:${'a'.repeat(1992)}`, fields)).toHaveLength(1);
    const columns = (count: number) => Array.from({ length: count }, () => 'x').join(',');
    expect([parseColumns(columns(50), fields).length, parseRanking(columns(50), fields).length]).toEqual([50, 50]);
    expect(() => parseColumns(columns(51), fields)).toThrow('at most 50');
    expect(() => parseRanking(columns(51), fields)).toThrow('at most 50');
  });
});

const NOW = '2024-05-10T12:00:00.000Z';
const WHOLE: ScreenPage = { sort: 'rank', order: 'asc', begin: 0, limit: 1000 };
const KNOWN = '2024-03-10T12:00:00.000Z';

describe('the universe', () => {
  let relations: Relations;
  beforeAll(async () => {
    relations = await openRelations();
  });
  afterAll(() => relations.close());
  const asked = async (
    entities: readonly Given[],
    companies: readonly Given[],
    change: Partial<Universed> = {},
    series: readonly Given[] = [],
  ) => {
    await relations.table(
      'published.entities',
      ENTITY_COLUMNS,
      entities.map((one) => ({ names: [], ...one })),
    );
    await relations.table('published.companies', COMPANY_COLUMNS, companies);
    await relations.table('published.series', SERIES_COLUMNS, series);
    await relations.table('published.vintages', 'series_no integer, period_end date, observed_at timestamptz', []);
    const snapshot = snapshotOf(relations, { series: [], knowledgeCutoff: NOW });
    return findMembers(snapshot, { entityTypes: null, country: null, sector: null, onDate: '2024-03-10', asOf: null, ...change });
  };
  const ids = async (...given: Parameters<typeof asked>) => (await asked(...given)).map((row) => row.entityId);

  it('has an entity from its first day to its last', async () => {
    const [before, day, after] = ['2024-03-09', '2024-03-10', '2024-03-11'];
    const entities = [
      { entityId: 'always' },
      { entityId: 'from_before', validFrom: before },
      { entityId: 'from_then', validFrom: day },
      { entityId: 'from_after', validFrom: after },
      { entityId: 'to_before', validTo: before },
      { entityId: 'to_then', validTo: day },
      { entityId: 'to_after', validTo: after },
    ].map((one) => ({ entityType: 'country', name: 'x', ...one }));
    expect(await ids(entities, [])).toEqual(['always', 'from_before', 'from_then', 'to_after', 'to_then']);
  });

  it('has a company from the instant it became known, and all companies without a cutoff', async () => {
    const entities = [
      { entityId: 'company_1', entityType: 'company', name: 'One' },
      { entityId: 'us', entityType: 'country', name: 'Us', country: 'US' },
    ];
    const companies = [{ entityId: 'company_1', country: 'US', knownFrom: KNOWN, classes: [] }];
    const [before, at, after] = around(KNOWN);
    expect(await ids(entities, companies, { asOf: before })).toEqual(['us']);
    expect(await ids(entities, companies, { asOf: at })).toEqual(['company_1', 'us']);
    expect(await ids(entities, companies, { asOf: after })).toEqual(['company_1', 'us']);
    expect(await ids(entities, companies)).toEqual(['company_1', 'us']);
  });

  it('has a contract or an index from the instant of its first value, and none without values', async () => {
    const entities = [
      { entityId: 'fut_1', entityType: 'futures_contract', name: 'Wheat' },
      { entityId: 'index_1', entityType: 'index', name: 'Index' },
    ];
    const series = [
      { seriesNo: 1, entityId: 'fut_1', firstObservedAt: '2024-04-01T00:00:00.000Z' },
      { seriesNo: 2, entityId: 'fut_1', firstObservedAt: KNOWN },
      { seriesNo: 3, entityId: 'index_1', firstObservedAt: null },
    ];
    const [before, at] = around(KNOWN);
    expect(await ids(entities, [], { asOf: before }, series)).toEqual([]);
    expect(await ids(entities, [], { asOf: at }, series)).toEqual(['fut_1']);
    expect(await ids(entities, [], {}, series)).toEqual(['fut_1']);
  });

  it('has a company from its first price on if EDGAR described it later', async () => {
    const entities = [{ entityId: 'company_1', entityType: 'company', name: 'One' }];
    const companies = [{ entityId: 'company_1', country: 'US', knownFrom: NOW, classes: [] }];
    const series = [{ seriesNo: 1, entityId: 'company_1', firstObservedAt: KNOWN }];
    const [before, at] = around(KNOWN);
    expect([await ids(entities, companies, { asOf: before }, series), await ids(entities, companies, { asOf: at }, series)]).toEqual([
      [],
      ['company_1'],
    ]);
  });

  it('knows a company by its class at the cutoff, in any case', async () => {
    const entities = [{ entityId: 'company_1', entityType: 'company', name: 'One' }];
    const [before, at] = around(KNOWN);
    const classes = [
      { sector: 'Mining', knownFrom: '2024-01-01T00:00:00.000Z' },
      { sector: 'Services', knownFrom: KNOWN },
    ];
    const companies = [{ entityId: 'company_1', country: 'US', knownFrom: '2023-01-01T00:00:00.000Z', classes }];
    const sectorAt = async (asOf: string | null) => (await asked(entities, companies, { asOf }))[0]?.sector;
    expect([
      await sectorAt('2023-12-31T00:00:00.000Z'),
      await sectorAt('2024-01-01T00:00:00.000Z'),
      await sectorAt(before),
      await sectorAt(at),
      await sectorAt(null),
    ]).toEqual([null, 'Mining', 'Mining', 'Services', 'Services']);
    expect(await ids(entities, companies, { asOf: before, sector: 'mINING' })).toEqual(['company_1']);
    expect(await ids(entities, companies, { asOf: at, sector: 'Mining' })).toEqual([]);
  });

  it('can be limited by kind and country, for a company the country of its seat', async () => {
    const entities = [
      { entityId: 'company_1', entityType: 'company', name: 'One' },
      { entityId: 'fr', entityType: 'country', name: 'France', country: 'FR' },
      { entityId: 'us', entityType: 'country', name: 'Us', country: 'US' },
    ];
    const companies = [{ entityId: 'company_1', country: 'US', knownFrom: KNOWN, classes: [] }];
    expect(await ids(entities, companies, { country: 'US' })).toEqual(['company_1', 'us']);
    expect(await ids(entities, companies, { entityTypes: ['country'] })).toEqual(['fr', 'us']);
    expect(await ids(entities, companies, { entityTypes: [] })).toEqual([]);
    expect(await ids(entities, companies, { entityTypes: ['country', 'company'], country: 'FR' })).toEqual(['fr']);
  });
});

const FIELDS: Fields = new Map([
  ['cpi', 'number'],
  ['gdp', 'number'],
  ['name', 'string'],
  ['country', 'string'],
  ['entity_type', 'string'],
  ['sector', 'string'],
]);

describe('a screen', () => {
  let relations: Relations;
  beforeAll(async () => {
    relations = await openRelations();
    await relations.table(
      'published.canonical_indicators',
      'canonical_id varchar, name varchar, unit varchar, entity_types varchar[], is_screenable boolean',
      [
        { canonicalId: 'cpi', name: 'Prices', unit: 'percent', entityTypes: ['country'], isScreenable: true },
        { canonicalId: 'gdp', name: 'Output', unit: 'percent', entityTypes: ['country'], isScreenable: true },
        { canonicalId: 'empty', name: 'Nothing', unit: 'percent', entityTypes: ['country'], isScreenable: true },
        { canonicalId: 'hidden', name: 'Hidden', unit: 'percent', entityTypes: ['country'], isScreenable: false },
      ],
    );
  });
  afterAll(() => relations.close());

  const entities = [
    { entityId: 'us', entityType: 'country', name: 'United States', country: 'US' },
    { entityId: 'fr', entityType: 'country', name: 'France', country: 'FR' },
    { entityId: 'jp', entityType: 'country', name: 'Japan', country: 'JP' },
    { entityId: 'de', entityType: 'country', name: 'Germany', country: 'DE' },
    { entityId: 'ea', entityType: 'currency_area', name: 'Euro area', country: 'EA' },
    { entityId: 'us_south', entityType: 'region', name: 'South', country: 'US' },
    { entityId: 'fut_1', entityType: 'futures_contract', name: 'Wheat' },
    { entityId: 'company_1', entityType: 'company', name: 'One' },
  ];
  const companies = [{ entityId: 'company_1', country: 'US', knownFrom: KNOWN, classes: [{ sector: 'Mining', knownFrom: KNOWN }] }];
  const series = [
    seriesWith({ seriesNo: 1, entityId: 'us', indicatorId: 'us_cpi', country: 'US' }),
    seriesWith({ seriesNo: 2, entityId: 'fr', indicatorId: 'fr_cpi', country: 'FR' }),
    // Of Japan two series: the listed source's is preferred, the other one reaches further.
    seriesWith({ seriesNo: 3, entityId: 'jp', indicatorId: 'jp_cpi', country: 'JP', sourceRank: 1, sourceId: 'listed' }),
    seriesWith({ seriesNo: 4, entityId: 'jp', indicatorId: 'jp_cpi', country: 'JP', sourceId: 'unlisted' }),
    // Stale from 2024-05-10T00:00:00 on, so ineligible.
    seriesWith({ seriesNo: 5, entityId: 'de', indicatorId: 'de_cpi', country: 'DE', defaultBudgetDays: 9 }),
    // Between countries annual figures are not compared, nor is what may not be passed on.
    seriesWith({
      seriesNo: 6,
      entityId: 'us',
      indicatorId: 'us_gdp',
      canonicalId: 'gdp',
      country: 'US',
      frequency: 'annual',
      defaultBudgetDays: 666,
    }),
    seriesWith({
      seriesNo: 7,
      entityId: 'fr',
      indicatorId: 'fr_gdp',
      canonicalId: 'gdp',
      country: 'FR',
      rights: { redistributable: false, license: 'x', note: null },
    }),
    seriesWith({
      seriesNo: 8,
      entityId: 'company_1',
      entityType: 'company',
      indicatorId: 'company_1_gdp',
      canonicalId: 'gdp',
      country: null,
      frequency: 'annual',
      defaultBudgetDays: 666,
    }),
    seriesWith({
      seriesNo: 9,
      entityId: 'fut_1',
      entityType: 'futures_contract',
      indicatorId: 'fut_1_cpi',
      country: null,
    }),
  ];
  const print = (seriesNo: number, periodEnd: string, value: number | null, observedAt = '2024-04-15T12:00:00.000Z') => ({
    seriesNo,
    period: periodEnd.slice(0, 7),
    periodEnd,
    value,
    observedAt,
  });
  const prints = [
    print(1, '2024-03-31', 2, '2024-04-10T12:00:00.000Z'),
    print(1, '2024-03-31', 3),
    print(1, '2024-04-30', 5, '2024-05-10T12:00:00.000Z'),
    print(2, '2024-04-30', 5),
    print(3, '2024-03-31', 1),
    print(4, '2024-04-30', 9),
    print(5, '2024-04-30', 7),
    print(6, '2023-12-31', 1),
    print(7, '2023-12-31', 1),
    print(8, '2023-12-31', 1),
    print(9, '2024-03-05', 4, '2024-03-08T20:30:00.000Z'),
    print(9, '2024-03-31', 4),
  ];
  const lake = { series, prints, entities, companies, knowledgeCutoff: NOW };
  beforeAll(() => createScreened(relations, lake));
  const asked = async (
    change: Omit<Partial<Screen>, 'filter' | 'ranking' | 'columns'> & { filter?: string; ranking?: string; columns?: string } = {},
  ) => {
    const { filter, ranking, columns, ...rest } = change;
    return screen(
      snapshotOf(relations, lake),
      {
        universe: 'countries',
        entityType: null,
        country: null,
        sector: null,
        isFreshOnly: false,
        isEligibleOnly: true,
        asOf: null,
        historyFrom: null,
        at: Date.parse(change.asOf ?? NOW),
        ...rest,
        filter: filter === undefined ? [] : parseFilter(filter, FIELDS),
        ranking: ranking === undefined ? [] : parseRanking(ranking, FIELDS),
        columns: columns === undefined ? null : parseColumns(columns, FIELDS),
      },
      WHOLE,
    );
  };
  const matches = async (change: Parameters<typeof asked>[0]) => {
    const { rows, counts } = await asked(change);
    return { ids: rows.map((row) => row.entityId), counts };
  };

  it('counts matching rows, rows without a value and rows with an ineligible value', async () => {
    expect(await matches({ filter: 'cpi:gte:5' })).toEqual({
      ids: ['fr', 'us'],
      counts: { evaluated: 5, matched: 2, excludedMissing: 1, excludedIneligible: 1 },
    });
    expect(await matches({ filter: 'cpi:gte:5', isEligibleOnly: false })).toEqual({
      ids: ['fr', 'de', 'us'],
      counts: { evaluated: 5, matched: 3, excludedMissing: 1, excludedIneligible: 0 },
    });
    // What is asked to be missing is not excluded for it.
    expect(await matches({ filter: 'cpi:is:null' })).toEqual({
      ids: ['ea', 'de'],
      counts: { evaluated: 5, matched: 2, excludedMissing: 0, excludedIneligible: 0 },
    });
    expect((await matches({ filter: 'cpi:gte:5;gdp:gt:0' })).counts).toEqual({
      evaluated: 5,
      matched: 0,
      excludedMissing: 4,
      excludedIneligible: 1,
    });
  });

  it('treats a stale value as missing if only fresh ones are requested', async () => {
    const fresh = await matches({ filter: 'cpi:gte:5', isFreshOnly: true, isEligibleOnly: false });
    expect(fresh).toEqual({ ids: ['fr', 'us'], counts: { evaluated: 5, matched: 2, excludedMissing: 2, excludedIneligible: 0 } });
    // The budget of nine days ends with the ninth of May.
    const before = await matches({ filter: 'cpi:gte:7', isFreshOnly: true, asOf: '2024-05-10T00:00:00.000Z' });
    expect(before.ids).toEqual(['de']);
    expect((await matches({ filter: 'cpi:gte:7', isFreshOnly: true, asOf: '2024-05-10T00:00:00.001Z' })).ids).toEqual([]);
  });

  it('uses the preferred series of an entity, and shows the observation behind the value', async () => {
    const { rows } = await asked({ filter: 'cpi:gt:0', country: 'JP' });
    expect(rows).toMatchObject([
      {
        rank: 1,
        entityId: 'jp',
        entityType: 'country',
        name: 'Japan',
        country: 'JP',
        values: {
          cpi: {
            value: 1,
            unit: 'percent',
            period: '2024-03',
            periodEnd: '2024-03-31',
            observedAt: '2024-04-15T12:00:00.000Z',
            sourceTier: 'official_national',
            freshnessStatus: 'fresh',
            scoringEligible: true,
          },
        },
      },
    ]);
    // One that is ineligible does not stand before one that is not.
    const later = await asked({ filter: 'cpi:gt:0', country: 'JP', at: Date.parse('2024-06-26T00:00:00.001Z') });
    expect(later.rows[0]?.values['cpi']?.value).toBe(9);
  });

  it('ranks by each key in turn, then by entity, nulls last either way', async () => {
    const ranked = async (ranking: string) => (await matches({ ranking, isEligibleOnly: false })).ids;
    expect(await ranked('cpi:desc')).toEqual(['de', 'fr', 'us', 'jp', 'ea']);
    expect(await ranked('cpi:asc')).toEqual(['jp', 'fr', 'us', 'de', 'ea']);
    expect(await ranked('cpi:desc,name:desc')).toEqual(['de', 'us', 'fr', 'jp', 'ea']);
    expect(await ranked('country:desc')).toEqual(['us', 'jp', 'fr', 'ea', 'de']);
    expect((await matches({})).ids).toEqual(['ea', 'fr', 'de', 'jp', 'us']);
    expect((await asked({ ranking: 'cpi:desc' })).rows.map((row) => row.rank)).toEqual([1, 2, 3, 4, 5]);
  });

  it('ranks among all entities with a value, whatever the filter', async () => {
    const { rows } = await asked({
      filter: 'cpi:lte:5',
      columns: 'cpi,cpi@rank,cpi@pct,cpi@chg1,cpi@prev,cpi@age_days',
      isEligibleOnly: false,
    });
    const shown = rows.map((row) => [row.entityId, ...Object.values(row.values).map((one) => one.value), row.values['cpi']?.percentile]);
    expect(shown).toEqual([
      ['fr', 5, 2, 50, null, null, 9, 50],
      ['jp', 1, 4, 12.5, null, null, 39, 12.5],
      ['us', 5, 2, 50, 2, 3, 9, 50],
    ]);
  });

  it('uses the values known at the cutoff, to the instant', async () => {
    const value = async (asOf: string) =>
      (await asked({ columns: 'cpi', country: 'US', asOf })).rows.map((row) => row.values['cpi']?.value)[0];
    const [beforeFirst, first] = around('2024-04-10T12:00:00.000Z');
    const [beforeSecond, second] = around('2024-04-15T12:00:00.000Z');
    expect([
      await value(beforeFirst),
      await value(first),
      await value(beforeSecond),
      await value(second),
      await value(around(NOW)[0]),
      await value(NOW),
    ]).toEqual([null, 2, 2, 3, 3, 5]);
  });

  it('has the last known values for all later time', async () => {
    const later = await matches({ filter: 'cpi:gte:5', isEligibleOnly: false, asOf: '2025-02-01T00:00:00.000Z' });
    expect(later.ids).toEqual(['fr', 'de', 'us']);
  });

  it('compares no annual figures between countries and no withheld values; a company has its own figures', async () => {
    expect(series.filter((one) => !isScreened(one)).map((one) => one.indicatorId)).toEqual(['us_gdp', 'fr_gdp']);
    expect((await matches({ filter: 'gdp:gt:0', isEligibleOnly: false })).ids).toEqual([]);
    expect((await matches({ filter: 'gdp:gt:0', universe: 'entities', isEligibleOnly: false })).ids).toEqual(['company_1']);
    for (const frequency of ['daily', 'weekly', 'monthly', 'quarterly'] as const) expect(isScreened(seriesWith({ frequency }))).toBe(true);
    for (const entityType of ['country', 'currency_area', 'region'] as const)
      expect(isScreened(seriesWith({ entityType, frequency: 'annual' }))).toBe(false);
  });

  it('covers the entities of its universe, of the requested kind if that is part of it', async () => {
    expect((await matches({})).ids).toHaveLength(5);
    expect((await matches({ universe: 'companies' })).ids).toEqual(['company_1']);
    // The region of which there is no value is not among them.
    expect((await matches({ universe: 'entities' })).ids).toHaveLength(7);
    expect((await matches({ universe: 'countries', entityType: 'currency_area' })).ids).toEqual(['ea']);
    expect((await matches({ universe: 'countries', entityType: 'company' })).ids).toEqual([]);
    expect((await matches({ universe: 'entities', entityType: 'region' })).ids).toEqual([]);
  });

  it('knows a contract once it has a number, a company once it is known, and countries always', async () => {
    const known = async (asOf: string) =>
      (await matches({ universe: 'entities', asOf })).ids.filter((id) => id === 'fut_1' || id === 'company_1' || id === 'us');
    expect(await known('2024-03-08T20:29:59.999Z')).toEqual(['us']);
    expect(await known('2024-03-08T20:30:00.000Z')).toEqual(['us', 'fut_1']);
    expect(await known(KNOWN)).toEqual(['company_1', 'us', 'fut_1']);
  });

  it('sees no period before the first day of the window', async () => {
    const values = async (historyFrom: string) =>
      (await asked({ columns: 'cpi,cpi@prev', country: 'US', historyFrom })).rows.map((row) =>
        Object.values(row.values).map((one) => one.value),
      );
    expect(await values('2024-03-31')).toEqual([[5, 3]]);
    expect(await values('2024-04-01')).toEqual([[5, null]]);
    expect(await values('2024-05-01')).toEqual([[null, null]]);
  });

  it('lists the fields that it accepts, and describes the fields with values', async () => {
    await relations.create('published/latest');
    const snapshot = snapshotOf(relations, { series, knowledgeCutoff: NOW });
    expect([...(await screenerFields(snapshot))]).toEqual([
      ['cpi', 'number'],
      ['empty', 'number'],
      ['gdp', 'number'],
      ['name', 'string'],
      ['country', 'string'],
      ['entity_type', 'string'],
      ['sector', 'string'],
    ]);
    const found = await describeFields(snapshot, { asOf: null, at: Date.parse(NOW), historyFrom: null });
    expect(found.map((one) => [one.field, one.type, one.coverageCount, one.universes, one.min, one.median, one.max])).toEqual([
      ['country', 'string', 6, ['countries', 'companies', 'entities'], null, null, null],
      // Of Japan the eligible row of the listed source; of contracts nothing where countries have the field.
      ['cpi', 'number', 4, ['countries', 'entities'], 1, 5, 7],
      ['entity_type', 'string', 7, ['countries', 'companies', 'entities'], null, null, null],
      ['gdp', 'number', 1, ['companies', 'entities'], 1, 1, 1],
      ['name', 'string', 7, ['countries', 'companies', 'entities'], null, null, null],
      ['sector', 'string', 1, ['companies', 'entities'], null, null, null],
    ]);
    expect(found.find((one) => one.field === 'cpi')).toMatchObject({
      p05: 1.6,
      p95: expect.closeTo(6.7, 9) as number,
      label: 'Prices',
      unit: 'percent',
      example: 'cpi:gte:5',
    });
    expect(found.find((one) => one.field === 'country')?.enumValues).toEqual(['DE', 'EA', 'FR', 'JP', 'US']);
    // As of a moment, of what was known then.
    const [beforeFirst, first] = around('2024-04-10T12:00:00.000Z');
    const coveredAt = async (asOf: string) =>
      (await describeFields(snapshot, { asOf, at: Date.parse(asOf), historyFrom: null }))
        .filter((one) => one.field === 'cpi')
        .map((one) => [one.coverageCount, one.min, one.max]);
    const known = async (asOf: string) => {
      const of = async (universe: 'countries' | 'entities') => {
        const { rows } = await asked({ columns: 'cpi', asOf, isEligibleOnly: false, universe });
        return rows.flatMap((row) => row.values['cpi']?.value ?? []).toSorted((a, b) => Number(a) - Number(b));
      };
      const ofCountries = await of('countries');
      return ofCountries.length === 0 ? of('entities') : ofCountries;
    };
    for (const asOf of [beforeFirst, first, NOW]) {
      const values = await known(asOf);
      const expected = values.length === 0 ? [] : [[values.length, values[0], values.at(-1)]];
      expect(await coveredAt(asOf)).toEqual(expected);
    }
    expect(await known(beforeFirst)).not.toEqual(await known(first));
    const windowed = await describeFields(snapshot, { asOf: null, at: Date.parse(NOW), historyFrom: '2024-04-01' });
    expect(windowed.find((one) => one.field === 'cpi')).toMatchObject({ coverageCount: 4, min: 5, max: 9 });
  });
});
