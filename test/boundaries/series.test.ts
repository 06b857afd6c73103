// What a series is, when it ends, how it is judged at the cutoff of a snapshot, and which series a request means.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../src/db/query.ts';
import type { Series } from '../../src/model/catalogue.ts';
import { isInForce } from '../../src/queries/reads/read.ts';
import { selectSeries, type SeriesFilters } from '../../src/queries/series-asked.ts';
import { indicatorEntitiesQuery } from '../../src/queries/series.ts';
import { UNFILTERED } from '../pipeline.ts';
import { around, type Given, openRelations, type Relations, VINTAGE_COLUMNS } from './by-hand/tables.ts';
import { catalogueOf, seriesWith } from './by-hand/series.ts';

let relations: Relations;
beforeAll(async () => {
  relations = await openRelations();
});
afterAll(() => relations.close());

const SOURCES = `source_no integer, source_id varchar, provider varchar, source_tier varchar, is_redistributable boolean, license varchar, rights_note varchar,
  attribution varchar, address varchar`;
const LISTED = `source_id varchar, series_code varchar, canonical_id varchar, entity_id varchar, frequency varchar, provider varchar, source_tier varchar,
  currency varchar, is_redistributable boolean, license varchar, rights_note varchar, ceased_final_period varchar, successor_canonical_id varchar`;
const INDICATORS = `canonical_id varchar, status varchar, successor_canonical_id varchar, name varchar, category varchar, sub_category varchar, factor_hint varchar,
  factor_key varchar, unit varchar, comparison_basis varchar, importance varchar, is_monetary boolean, seasonal_adjustment varchar, preferred_source_ids varchar[]`;
const source = {
  sourceNo: 1,
  sourceId: 'a',
  provider: 'A',
  sourceTier: 'central_bank',
  isRedistributable: true,
  license: 'open',
  rightsNote: 'of the source',
  attribution: 'by A',
  address: 'https://a.example',
};
const indicator = {
  canonicalId: 'cpi',
  status: 'active',
  name: 'Prices',
  category: 'prices',
  factorKey: 'cpi',
  unit: 'index',
  comparisonBasis: 'level',
  importance: 'high',
  isMonetary: false,
  seasonalAdjustment: 'sa',
  preferredSourceIds: ['b', 'a'],
};

/** What may lie in a country without being it. */
const LOCAL_TYPES = ['region', 'central_bank', 'company', 'futures_contract', 'instrument', 'index', 'commodity'];

describe('a series', () => {
  const held = (indicatorId: string, more: Given = {}): Given => ({
    sourceId: 'a',
    indicatorId,
    entityId: 'us',
    canonicalId: 'cpi',
    frequency: 'monthly',
    seriesCode: 'CPI',
    unit: 'index',
    runId: 'run 1',
    changeSequence: 1,
    ...more,
  });
  const build = async (given: {
    observations: readonly Given[];
    listed?: readonly Given[];
    cessations?: readonly Given[];
    sources?: readonly Given[];
    indicators?: readonly Given[];
  }) => {
    const { observations, listed = [], cessations = [], sources = [source], indicators = [indicator] } = given;
    await relations.table('reference.sources', SOURCES, sources);
    await relations.table('reference.series', LISTED, listed);
    await relations.table('reference.cessations', 'source_id varchar, series_code varchar, known_on date, evidence varchar', cessations);
    await relations.table('reference.canonical_indicators', INDICATORS, indicators);
    await relations.lake({ observations });
    await relations.connection.run('create schema if not exists series');
    await relations.connection.run('create or replace view series.attributed_observations as from lake.observations');
    await relations.create('series/retired_indicators', 'series/series');
    return relations.rows('from series.series order by series_no');
  };

  it('is one per source, indicator and frequency, numbered within its source by its newest statement', async () => {
    const rows = await build({
      sources: [source, { ...source, sourceNo: 3, sourceId: 'b' }],
      observations: [
        held('us_cpi', { changeSequence: 1, seriesCode: 'OLD', unit: 'percent', runId: 'run 1' }),
        held('us_cpi', { changeSequence: 3, seriesCode: 'NEW', unit: 'index', runId: 'run 3' }),
        held('us_cpi', { changeSequence: 2, seriesCode: 'MID', unit: 'ratio', runId: 'run 2' }),
        held('us_cpi', { frequency: 'annual' }),
        held('fr_cpi', { entityId: 'fr' }),
        held('us_cpi', { sourceId: 'b' }),
      ],
    });
    expect(
      rows.map((row) => [
        row['seriesNo'],
        row['sourceId'],
        row['indicatorId'],
        row['frequency'],
        row['seriesCode'],
        row['unit'],
        row['newestRunId'],
      ]),
    ).toEqual([
      [1_048_577, 'a', 'fr_cpi', 'monthly', 'CPI', 'index', 'run 1'],
      [1_048_578, 'a', 'us_cpi', 'annual', 'CPI', 'index', 'run 1'],
      [1_048_579, 'a', 'us_cpi', 'monthly', 'NEW', 'index', 'run 3'],
      [3_145_729, 'b', 'us_cpi', 'monthly', 'CPI', 'index', 'run 1'],
    ]);
  });

  it('is described by its own listing, else by its source', async () => {
    const listed = {
      sourceId: 'a',
      seriesCode: 'CPI',
      canonicalId: 'cpi',
      entityId: 'us',
      frequency: 'monthly',
      provider: 'Bureau',
      sourceTier: 'official_national',
      currency: 'USD',
      isRedistributable: false,
      license: 'closed',
      rightsNote: null,
    };
    const shown = async (change: Given) => {
      const [row] = await build({ observations: [held('us_cpi')], listed: [{ ...listed, ...change }] });
      return ['provider', 'sourceTier', 'currency', 'isRedistributable', 'license', 'rightsNote'].map((name) => row?.[name]);
    };
    expect(await shown({})).toEqual(['Bureau', 'official_national', 'USD', false, 'closed', null]);
    expect(await shown({ provider: null, sourceTier: null, isRedistributable: null, license: null, rightsNote: 'own' })).toEqual([
      'A',
      'central_bank',
      'USD',
      true,
      'open',
      'own',
    ]);
    for (const other of [{ sourceId: 'b' }, { canonicalId: 'ppi' }, { entityId: 'fr' }, { frequency: 'annual' }])
      expect(await shown(other)).toEqual(['A', 'central_bank', null, true, 'open', 'of the source']);
  });

  it('has ceased from the end of the day on which that became known', async () => {
    const listed = {
      sourceId: 'a',
      seriesCode: 'CPI',
      canonicalId: 'cpi',
      entityId: 'us',
      frequency: 'monthly',
      ceasedFinalPeriod: '2021-08',
      successorCanonicalId: 'cpi2',
    };
    const ended = async (cessations: readonly Given[], more: readonly Given[] = []) => {
      const [row] = await build({ observations: [held('us_cpi')], listed: [listed, ...more], cessations });
      return [row?.['ceasedAt'], row?.['ceasedFinalPeriod'], row?.['successorCanonicalId']];
    };
    const cessation = { sourceId: 'a', seriesCode: 'CPI', knownOn: '2021-12-31' };
    expect(await ended([])).toEqual([null, '2021-08', 'cpi2']);
    expect(await ended([cessation])).toEqual(['2021-12-31T23:59:59.999Z', '2021-08', 'cpi2']);
    expect(await ended([{ ...cessation, sourceId: 'b' }])).toEqual([null, '2021-08', 'cpi2']);
    // Of several codes the first by name describes the series.
    expect(
      await ended([{ ...cessation, seriesCode: 'Z', knownOn: '2020-01-31' }], [{ ...listed, seriesCode: 'Z', ceasedFinalPeriod: 'no' }]),
    ).toEqual([null, '2021-08', 'cpi2']);
  });

  it('of a discontinued indicator ends with the last of its listed series, and points at its successor', async () => {
    const listed = ['A1', 'A2'].map((seriesCode, index) => ({
      sourceId: 'a',
      seriesCode,
      canonicalId: 'cpi',
      entityId: ['us', 'fr'][index],
      frequency: 'monthly',
    }));
    const cessations = [
      { sourceId: 'a', seriesCode: 'A1', knownOn: '2016-06-30' },
      { sourceId: 'a', seriesCode: 'A2', knownOn: '2018-06-30' },
    ];
    const ends = async (status: string) =>
      (
        await build({
          observations: [held('us_cpi'), held('fr_cpi', { entityId: 'fr' }), held('de_cpi', { entityId: 'de' })],
          listed,
          cessations,
          indicators: [{ ...indicator, status, successorCanonicalId: 'hicp' }],
        })
      ).map((row) => [row['entityId'], row['ceasedAt'], row['successorCanonicalId']]);
    const [own, other] = ['2016-06-30T23:59:59.999Z', '2018-06-30T23:59:59.999Z'];
    expect(await ends('active')).toEqual([
      ['de', null, 'hicp'],
      ['fr', other, 'hicp'],
      ['us', own, 'hicp'],
    ]);
    expect(await ends('ceased')).toEqual([
      ['de', other, 'hicp'],
      ['fr', other, 'hicp'],
      ['us', own, 'hicp'],
    ]);
  });
});

describe('the attributes of every series', () => {
  const OBSERVED = `series_no integer, source_id varchar, indicator_id varchar, entity_id varchar, canonical_id varchar, series_code varchar, frequency varchar,
    unit varchar, provider varchar, source_tier varchar, currency varchar, is_redistributable boolean, license varchar, rights_note varchar,
    ceased_at timestamptz, ceased_final_period varchar, successor_canonical_id varchar, newest_run_id varchar`;
  const DERIVED =
    `${OBSERVED}, dataset_no integer, are_inputs_eligible boolean, inputs_ceased_at timestamptz, licensed_source_ids varchar[]`.replace(
      ', provider varchar, source_tier varchar',
      '',
    );
  const own = {
    seriesNo: 1,
    sourceId: 'a',
    indicatorId: 'us_cpi',
    entityId: 'us',
    canonicalId: 'cpi',
    frequency: 'monthly',
    unit: 'index',
    provider: 'Bureau',
    sourceTier: 'official_national',
    isRedistributable: true,
    license: 'open',
    newestRunId: 'run 1',
  };
  const build = async (
    observed: readonly Given[],
    more: { derived?: readonly Given[]; indicators?: readonly Given[]; run?: Given; source?: Given } = {},
  ) => {
    await relations.table('series.series', OBSERVED, observed);
    await relations.table('derived.derived_series', DERIVED, more.derived ?? []);
    await relations.table('reference.canonical_indicators', INDICATORS, more.indicators ?? [indicator]);
    await relations.table('reference.sources', SOURCES, [{ ...source, ...more.source }]);
    await relations.table('reference.cadence_budgets', 'cadence varchar, budget_days integer', [
      { cadence: 'monthly', budgetDays: 86 },
      { cadence: 'event', budgetDays: null },
    ]);
    await relations.table('series.entities', 'entity_id varchar, entity_type varchar, name varchar, country varchar, currency varchar', [
      { entityId: 'us', entityType: 'country', name: 'United States', country: 'US', currency: 'USD' },
      { entityId: 'cur_jpy', entityType: 'currency', name: 'Yen', currency: 'JPY' },
      { entityId: 'ea', entityType: 'currency_area', name: 'Euro area', country: 'EA', currency: 'EUR' },
      ...LOCAL_TYPES.map((entityType) => ({ entityId: entityType, entityType, name: entityType, country: 'US' })),
    ]);
    await relations.macros('factor_of');
    await relations.table('series.runs', 'run_id varchar, key varchar, address varchar', [
      { runId: 'run 1', key: 'k', address: 'https://file.example', ...more.run },
    ]);
    await relations.create('derived/all_series');
    return relations.rows('from derived.all_series order by series_no');
  };
  const shown = async (change: Given, names: readonly string[], more: Parameters<typeof build>[1] = {}) => {
    const [row] = await build([{ ...own, ...change }], more);
    return names.map((name) => row?.[name]);
  };

  it('are its entity, its currency, its budget and its factor', async () => {
    expect(
      await shown({}, [
        'entityType',
        'entityName',
        'country',
        'currency',
        'defaultBudgetDays',
        'isDerived',
        'sourceRank',
        'factorUnit',
        'factorComparisonBasis',
        'successorIndicatorId',
      ]),
    ).toEqual(['country', 'United States', 'US', null, 86, false, 2, 'index', 'level', null]);
    expect(await shown({ entityId: 'cftc_1' }, ['entityType', 'entityName', 'country'])).toEqual(['instrument', 'cftc_1', null]);
    expect(await shown({ frequency: 'event', successorCanonicalId: 'hicp' }, ['defaultBudgetDays', 'successorIndicatorId'])).toEqual([
      null,
      'us_hicp',
    ]);
    expect([
      await shown({ unit: 'usd' }, ['currency']),
      await shown({ unit: 'usd_billions' }, ['currency']),
      await shown({ entityId: 'cur_jpy', unit: 'usd' }, ['currency']),
      await shown({ entityId: 'cur_jpy', currency: 'EUR' }, ['currency']),
    ]).toEqual([['USD'], ['USD'], ['JPY'], ['EUR']]);
    expect(await shown({ sourceId: 'a' }, ['sourceRank'], { indicators: [{ ...indicator, preferredSourceIds: ['b'] }] })).toEqual([null]);
  });

  it('give a factor only to countries and currency areas; others are compared by their own measure', async () => {
    const factor = {
      ...indicator,
      canonicalId: 'factor',
      factorKey: 'factor',
      unit: 'percent',
      comparisonBasis: 'yoy',
      seasonalAdjustment: 'nsa',
    };
    const of = (entityId: string) =>
      shown({ entityId }, ['factorKey', 'factorUnit', 'factorComparisonBasis', 'isSeasonalAdjustmentMatch'], {
        indicators: [{ ...indicator, factorKey: 'factor' }, factor],
      });
    for (const entityId of ['us', 'ea']) expect(await of(entityId)).toEqual(['factor', 'percent', 'yoy', false]);
    for (const entityId of [...LOCAL_TYPES, 'cur_jpy', 'described by none'])
      expect([entityId, ...(await of(entityId))]).toEqual([entityId, null, 'index', 'level', true]);
  });

  it('give the seasonal adjustment of its factor, and a balance only in the unit of one', async () => {
    const factor = {
      ...indicator,
      canonicalId: 'factor',
      factorKey: 'factor',
      seasonalAdjustment: 'nsa',
      unit: 'percent',
      comparisonBasis: 'yoy',
    };
    const of = (change: Given, series: Given = {}) =>
      shown(series, ['isSeasonalAdjustmentMatch', 'factorUnit', 'factorComparisonBasis', 'comparisonBasis'], {
        indicators: [{ ...indicator, factorKey: 'factor', ...change }, factor],
      });
    expect(await of({})).toEqual([false, 'percent', 'yoy', 'level']);
    expect(await of({ seasonalAdjustment: 'nsa' })).toEqual([true, 'percent', 'yoy', 'level']);
    const balance = { comparisonBasis: 'balance', unit: 'balance' };
    expect([(await of(balance, { unit: 'index' }))[3], (await of(balance, { unit: 'balance' }))[3]]).toEqual(['level', 'balance']);
  });

  it('name the service for a derived series, with the limits of its inputs', async () => {
    const { provider: _, sourceTier: __, ...rest } = own;
    const derived = {
      ...rest,
      seriesNo: 2,
      datasetNo: 9,
      areInputsEligible: true,
      inputsCeasedAt: '2021-01-01T00:00:00.000Z',
      licensedSourceIds: ['b'],
    };
    const rows = await build([own], { derived: [derived] });
    const names = ['isDerived', 'sourceTier', 'provider', 'areInputsEligible', 'inputsCeasedAt', 'licensedSourceIds'];
    expect(rows.map((row) => names.map((name) => row[name]))).toEqual([
      [false, 'official_national', 'Bureau', false, null, []],
      [true, 'service_derived', 'asof', true, '2021-01-01T00:00:00.000Z', ['b']],
    ]);
    expect(await shown({ isRedistributable: false }, ['licensedSourceIds'])).toEqual([['a']]);
  });

  it('credit the publisher of the data if a vendor only passed it on', async () => {
    const vendor = { source: { provider: 'Vendors', sourceTier: 'market_data', attribution: 'a vendor' } };
    expect(await shown({ provider: 'Bureau' }, ['attribution'], vendor)).toEqual(['Bureau']);
    expect(await shown({ provider: 'Vendors' }, ['attribution'], vendor)).toEqual(['a vendor']);
    // A publisher's data set is to be named as it asks to be.
    expect(await shown({ provider: 'Bureau' }, ['attribution'])).toEqual(['by A']);
  });

  it('name the page of its data set, not a file, and mark it if its newest row was generated', async () => {
    const names = ['attribution', 'sourceUrl'];
    expect(await shown({}, names)).toEqual(['by A', 'https://a.example']);
    expect(await shown({}, names, { run: { key: 'sample/x' } })).toEqual(['SAMPLE DATA, generated, not real: by A', null]);
    expect(await shown({ newestRunId: 'none' }, names)).toEqual(['by A', 'https://a.example']);
  });
});

describe('the catalogue of a snapshot', () => {
  const CUTOFF = '2024-05-10T12:00:00.000Z';
  const [before, , after] = around(CUTOFF);
  beforeEach(async () => {
    await relations.lake({
      attempts: [
        { sourceId: 'a', finishedAt: '2024-05-01T00:00:00.000Z' },
        { sourceId: 'b', finishedAt: CUTOFF },
      ],
    });
    await relations.macros('freshness_status', 'knowledge_cutoff');
  });
  const judged = async (series: Given, budgets: readonly Given[] = [], latestPeriodEnd: string | null = '2024-03-31') => {
    await relations.table(
      'derived.all_series',
      'series_no integer, canonical_id varchar, default_budget_days integer, ceased_at timestamptz',
      [{ seriesNo: 1, defaultBudgetDays: 86, ...series }, { seriesNo: 2 }],
    );
    await relations.table(
      'derived.series_statistics',
      'series_no integer, latest_period_end date, latest_observed_at timestamptz, first_vintage_at timestamptz, first_vintage_end date',
      [{ seriesNo: 2 }, { seriesNo: 1, latestPeriodEnd }],
    );
    await relations.table(
      'published.cadence_budgets',
      'series_no integer, known_from timestamptz, known_to timestamptz, budget_days double',
      budgets,
    );
    await relations.create('published/series');
    const [row, ...more] = await relations.rows('from published.series');
    expect(more.map((one) => one['seriesNo'])).toEqual([2]);
    return [row?.['budgetDays'], row?.['isCeased'], row?.['freshnessStatus']];
  };

  it('judges each series at the newest run of any source, by the budget in force then', async () => {
    expect(await judged({})).toEqual([86, false, 'fresh']);
    expect(await judged({}, [{ seriesNo: 1, knownFrom: before, knownTo: null, budgetDays: 39.5 }])).toEqual([39.5, false, 'fresh']);
    expect(await judged({}, [{ seriesNo: 1, knownFrom: before, knownTo: null, budgetDays: 39.49 }])).toEqual([39.49, false, 'stale']);
    expect(await judged({}, [{ seriesNo: 1, knownFrom: '2024-01-01', knownTo: '2024-02-01', budgetDays: 1 }])).toEqual([
      86,
      false,
      'fresh',
    ]);
    expect(await judged({}, [{ seriesNo: 2, knownFrom: before, knownTo: null, budgetDays: 1 }])).toEqual([86, false, 'fresh']);
    expect(await judged({ defaultBudgetDays: null })).toEqual([null, false, 'unknown']);
    expect(await judged({}, [], null)).toEqual([86, false, 'unknown']);
  });

  it('has for each series an end at the cutoff or before it', async () => {
    expect([await judged({ ceasedAt: after }), await judged({ ceasedAt: CUTOFF }), await judged({ ceasedAt: before })]).toEqual([
      [86, false, 'fresh'],
      [86, true, 'unknown'],
      [86, true, 'unknown'],
    ]);
  });
});

describe('the series that a request selects', () => {
  const NOTHING: SeriesFilters = {
    countries: null,
    entities: null,
    indicatorIds: null,
    indicator: null,
    sourceId: null,
    provider: null,
    frequency: null,
    currency: null,
    isMacroOnly: false,
    importance: null,
    freshness: null,
    isRedistributableOnly: false,
  };
  const series: readonly Series[] = [
    seriesWith({ seriesNo: 1 }),
    seriesWith({
      seriesNo: 2,
      sourceId: 't',
      provider: 'Bureau of X',
      importance: 'low',
      currency: 'EUR',
      entityId: 'fr',
      indicatorId: 'fr_cpi',
      country: 'FR',
      frequency: 'quarterly',
      rights: { redistributable: false, license: 'x', note: null },
    }),
    seriesWith({ seriesNo: 3, entityId: 'fut_1', entityType: 'futures_contract', indicatorId: 'fut_1_cpi', country: null }),
    seriesWith({ seriesNo: 4, canonicalId: 'gdp', indicatorId: 'us_gdp', latestPeriodEnd: '2023-12-31' }),
    seriesWith({
      seriesNo: 5,
      indicatorId: 'us_pe',
      canonicalId: 'pe',
      isDerived: true,
      isWithheld: true,
      licensedSourceIds: ['quotes'],
      rights: { redistributable: false, license: 'x', note: null },
    }),
    seriesWith({ seriesNo: 6, indicatorId: 'us_yoy', canonicalId: 'yoy', isDerived: true, defaultBudgetDays: null }),
    seriesWith({ seriesNo: 7, entityId: 'us_south', entityType: 'region', indicatorId: 'us_south_rent', canonicalId: 'rent' }),
  ];
  const catalogue = catalogueOf(series);
  const AT = Date.parse('2024-05-10T12:00:00.000Z');
  const chosen = (filters: Partial<SeriesFilters>) => selectSeries(catalogue, { ...NOTHING, ...filters }, AT).map((one) => one.seriesNo);

  it.each<[Partial<SeriesFilters>, readonly number[]]>([
    // What is computed from licensed inputs is in no answer.
    [{}, [1, 2, 3, 4, 6, 7]],
    [{ isRedistributableOnly: true }, [1, 3, 4, 6, 7]],
    [{ sourceId: 't' }, [2]],
    [{ provider: 'bureau of x' }, [2]],
    [{ provider: 'Bureau_of_X' }, [2]],
    [{ provider: 'bureau' }, []],
    [{ frequency: 'quarterly' }, [2]],
    [{ currency: 'eur' }, [2]],
    [{ importance: 'low' }, [2]],
    [{ isMacroOnly: true }, [1, 2, 4, 6, 7]],
    [{ freshness: 'stale' }, [4]],
    [{ freshness: 'unknown' }, [6]],
    [{ countries: ['us'] }, [1, 4, 6]],
    // A region is no country: it is asked for by itself.
    [{ countries: ['us'], entities: ['us_south'] }, []],
    [{ entities: ['us_south'] }, [7]],
    [{ indicatorIds: ['us_south_rent'] }, [7]],
    [{ countries: ['FR', 'xx'] }, [2]],
    [{ countries: [] }, []],
    [{ countries: ['xx'] }, []],
    [{ entities: ['FUT_1', 'fr'] }, [2, 3]],
    [{ entities: ['nobody'] }, []],
    [{ indicatorIds: ['us_gdp', 'fr_cpi', 'us_gdp'] }, [2, 4]],
    [{ indicatorIds: ['cpi'] }, [1, 2, 3]],
    [{ indicator: 'US-CPI' }, [1]],
    [{ indicator: 'none' }, []],
    [{ indicator: 'cpi', countries: ['us', 'fr'], entities: ['us', 'fut_1'] }, [1]],
    [{ indicator: 'cpi', indicatorIds: ['us_gdp'] }, []],
  ])('of %j are %j', (filters, expected) => {
    expect(chosen(filters)).toEqual(expected);
  });

  it('come from the published table only without a cutoff', () => {
    expect([
      isInForce(UNFILTERED),
      isInForce({ ...UNFILTERED, periodFrom: '2020-01-01' }),
      isInForce({ ...UNFILTERED, numericOnly: true }),
    ]).toEqual([true, true, true]);
    for (const bound of [
      { asOf: 'x' },
      { observedFrom: 'x' },
      { observedTo: 'x' },
      { periodTo: 'x' },
      { releaseNumber: 1 },
      { vintage: 'first' as const },
      { vintage: 'all' as const },
    ])
      expect(isInForce({ ...UNFILTERED, ...bound })).toBe(false);
  });

  it('have entities, each with its counts in these series', async () => {
    const columns =
      'series_no integer, entity_id varchar, entity_name varchar, entity_type varchar, country varchar, indicator_id varchar, source_id varchar, first_period_end date, latest_period_end date, observation_count bigint';
    const row = (seriesNo: number, entityId: string, indicatorId: string, sourceId: string, first: string, latest: string) => ({
      seriesNo,
      entityId,
      entityName: entityId,
      entityType: 'country',
      country: 'X',
      indicatorId,
      sourceId,
      firstPeriodEnd: first,
      latestPeriodEnd: latest,
      observationCount: 5,
    });
    await relations.table('published.series', columns, [
      row(1, 'us', 'us_b', 'y', '2001-01-31', '2020-01-31'),
      row(2, 'us', 'us_a', 'x', '2000-01-31', '2021-01-31'),
      row(3, 'us', 'us_c', 'z', '1990-01-31', '2024-01-31'),
      row(4, 'fr', 'fr_a', 'x', '2000-01-31', '2021-01-31'),
    ]);
    await relations.connection.run(
      'create or replace macro entities_as_of(as_of, on_day) as table select null::varchar as entity_id, null::varchar as name, null::varchar as country where false',
    );
    const found = await run(relations.reader, indicatorEntitiesQuery, {
      seriesNos: [1, 2, 4],
      firstPeriodEnds: null,
      latestPeriodEnds: null,
      observationCounts: null,
      asOf: null,
    });
    expect(found.toSorted((a, b) => (a.entityId < b.entityId ? -1 : 1))).toEqual([
      {
        entityId: 'fr',
        name: 'fr',
        entityType: 'country',
        country: 'X',
        indicatorIds: ['fr_a'],
        sourceIds: ['x'],
        firstPeriodEnd: '2000-01-31',
        latestPeriodEnd: '2021-01-31',
        observationCount: 5,
      },
      {
        entityId: 'us',
        name: 'us',
        entityType: 'country',
        country: 'X',
        indicatorIds: ['us_a', 'us_b'],
        sourceIds: ['x', 'y'],
        firstPeriodEnd: '2000-01-31',
        latestPeriodEnd: '2021-01-31',
        observationCount: 10,
      },
    ]);
  });
});

describe('a series of events', () => {
  const AT_END = 'T23:59:59.999Z';
  const days = (from: string, count: number) => new Date(Date.parse(`${from}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);
  const build = async (vintages: readonly Given[]) => {
    await relations.table('derived.all_series', 'series_no integer, canonical_id varchar, frequency varchar', [
      { seriesNo: 1, frequency: 'event' },
      { seriesNo: 2, frequency: 'monthly' },
    ]);
    await relations.table('derived.all_vintages', VINTAGE_COLUMNS, vintages);
    await relations.table('derived.ruled_series', 'series_no integer', []);
    await relations.table('reference.cadence_budgets', 'cadence varchar, budget_days integer, grace_days integer', [
      { cadence: 'monthly', budgetDays: 86, graceDays: 10 },
      { cadence: 'event', budgetDays: null, graceDays: 15 },
    ]);
    await relations.create('derived/releases', 'published/calendar/event_cadences');
    return relations.rows('from published.event_cadences order by series_no, known_from');
  };
  /** Each known at the end of its day. */
  const paid = (ends: readonly string[], seriesNo = 1): readonly Given[] =>
    ends.map((periodEnd) => ({ seriesNo, periodEnd, value: 1, vintage: periodEnd, observedAt: `${periodEnd}${AT_END}` }));

  it('learns from its twelfth release on how long it may be silent', async () => {
    // Ten gaps of 90 days and one of 100: the 95th percentile of eleven lies halfway between the two greatest. With a lag of a day's last
    // millisecond and 15 days of grace: 110.
    const ends = [...Array.from({ length: 11 }, (_, index) => days('2017-01-01', 90 * index)), days('2017-01-01', 1000)];
    const rows = await build([...paid(ends), ...paid(ends, 2)]);
    expect(rows.map((row) => row['seriesNo'])).toEqual(ends.map(() => 1));
    expect(rows.map((row) => row['latestPeriodEnd'])).toEqual(ends);
    expect(rows.map((row) => row['budgetDays'])).toEqual([...Array.from({ length: 11 }, () => null), 110]);
    expect(rows.map((row) => row['knownTo'])).toEqual([...ends.slice(1).map((end) => `${end}${AT_END}`), null]);
  });

  it('reaches as far as its values in force: withdrawn values do not count', async () => {
    const rows = await build([
      { seriesNo: 1, periodEnd: '2024-01-10', value: 1, vintage: 'a', observedAt: '2024-01-11T00:00:00.000Z' },
      {
        seriesNo: 1,
        periodEnd: '2024-04-10',
        value: 1,
        vintage: 'b',
        observedAt: '2024-04-11T00:00:00.000Z',
        knownTo: '2024-04-12T00:00:00.000Z',
      },
      { seriesNo: 1, periodEnd: '2024-04-10', value: null, vintage: 'c', observedAt: '2024-04-12T00:00:00.000Z' },
      { seriesNo: 1, periodEnd: '2023-10-10', value: 1, vintage: 'd', observedAt: '2024-04-13T00:00:00.000Z' },
    ]);
    expect(rows.map((row) => [row['latestPeriodEnd'], row['budgetDays']])).toEqual([
      ['2024-01-10', null],
      ['2024-04-10', null],
      ['2024-01-10', null],
      ['2024-01-10', null],
    ]);
  });
});
