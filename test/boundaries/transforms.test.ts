// Growth rates and changes (docs/reference/methods.md): what each is of, over how many months, and what it says where a level is missing, withdrawn or not
// positive; then how derived rows become vintages, and what limits them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { derivedIndicators } from '../derived/catalogue.ts';
import {
  type Found,
  giveLake,
  type GivenRow,
  openRelations,
  plusDays,
  type Relations,
  SERIES_COLUMNS,
  VINTAGE_COLUMNS,
} from './by-hand/relations.ts';

/** Level, its frequency, months back, and the power of the ratio or the unit of the difference. */
const TRANSFORMS: Readonly<
  Record<string, readonly [level: string, frequency: 'monthly' | 'quarterly', months: number, powerOrUnit: number | string]>
> = {
  cpi_inflation_yoy: ['cpi', 'monthly', 12, 1],
  cpi_inflation_mom: ['cpi', 'monthly', 1, 1],
  core_pce_inflation_yoy: ['core_pce_price_index', 'monthly', 12, 1],
  core_pce_inflation_mom: ['core_pce_price_index', 'monthly', 1, 1],
  pce_inflation_yoy: ['pce_price_index', 'monthly', 12, 1],
  pce_inflation_mom: ['pce_price_index', 'monthly', 1, 1],
  ppi_inflation_yoy: ['ppi_finished_goods', 'monthly', 12, 1],
  industrial_production_yoy: ['industrial_production', 'monthly', 12, 1],
  industrial_production_mom: ['industrial_production', 'monthly', 1, 1],
  retail_sales_yoy: ['retail_food_services_sales', 'monthly', 12, 1],
  retail_sales_mom: ['retail_food_services_sales', 'monthly', 1, 1],
  durable_goods_orders_mom: ['durable_goods_orders', 'monthly', 1, 1],
  m2_growth_yoy: ['money_supply_m2', 'monthly', 12, 1],
  payrolls_mom_change: ['nonfarm_payrolls', 'monthly', 1, 'thousands'],
  gdp_growth: ['gdp_real', 'quarterly', 3, 4],
  gdp_growth_qoq: ['gdp_real', 'quarterly', 3, 1],
  gdp_growth_yoy: ['gdp_real', 'quarterly', 12, 1],
};

/** What surveys of forecasters ask for: level, exponent. */
const MEANS = {
  unemployment_rate_quarterly: ['unemployment_rate', null],
  cpi_inflation_quarterly: ['cpi', 4],
  core_cpi_inflation_quarterly: ['core_cpi', 4],
  pce_inflation_quarterly: ['pce_price_index', 4],
  core_pce_inflation_quarterly: ['core_pce_price_index', 4],
  gdp_growth_of_year: ['gdp_real_eur', 1],
  hicp_inflation_of_year: ['hicp', 1],
  unemployment_rate_of_year: ['unemployment_rate', null],
} as const;

/** What they are: test/boundaries/cot.test.ts and sentiment.test.ts; of the multiples, multiples.test.ts. */
const POSITIONS = ['cot_positioning_percentile', 'cot_tff_percentile', 'cot_disaggregated_percentile'].flatMap((slug) => [
  slug,
  `${slug}_combined`,
]);
const TEXTS = ['cb_statement_sentiment', 'cb_minutes_sentiment'];

const series: GivenRow[] = [];
const vintages: GivenRow[] = [];
function give(
  canonicalId: string,
  frequency: string,
  entityId = 'us',
): (period: string, periodEnd: string, value: number | null, more?: GivenRow) => void {
  series.push({
    series_no: series.length + 1,
    source_id: 'fred',
    indicator_id: `${entityId}_${canonicalId}_${frequency}`,
    entity_id: entityId,
    canonical_id: canonicalId,
    frequency,
  });
  const seriesNo = series.length;
  return (period, periodEnd, value, more = {}) => {
    const at = '2024-05-10 12:30:00+00';
    vintages.push({
      series_no: seriesNo,
      period,
      period_start: periodEnd,
      period_end: periodEnd,
      value,
      vintage: 'v1',
      observed_at: at,
      release_no: 1,
      released_at: at,
      retrieved_at: at,
      ingested_at: at,
      change_sequence: 1,
      ...more,
    });
  };
}
for (const [level, frequency] of new Map(Object.values(TRANSFORMS).map(([id, its]) => [id, its]))) {
  const isQuarterly = frequency === 'quarterly';
  const print = give(level, frequency);
  const other = give(level, isQuarterly ? 'monthly' : 'quarterly');
  // 110 in March 2024, and each period before it another level: one taken from a wrong period shows.
  for (let months = 0; months <= 36; months += isQuarterly ? 3 : 1) {
    const end = new Date(Date.UTC(2024, 3 - months, 0)).toISOString().slice(0, 10);
    print(end, end, 110 - months);
    other(`other ${end}`, end, 55);
  }
}
const FUNDS = give('federal_funds_rate', 'monthly');
FUNDS('2024-03', '2024-03-31', 5.33);
give('federal_funds_rate', 'daily')('2024-03-29', '2024-03-29', 5.31);
// What another publisher says of all countries, the United States among them.
for (const entityId of ['us', 'se']) {
  give('central_bank_policy_rate', 'monthly', entityId)('2024-03', '2024-03-31', 4);
  const prices = give('cpi_nsa', 'monthly', entityId);
  prices('2023-03', '2023-03-31', 100);
  prices('2024-03', '2024-03-31', 150);
}
give('hicp', 'monthly', 'ea')('2024-03', '2024-03-31', 120);

// Another country's price level, print by print.
const cpi = give('cpi', 'monthly', 'xx');
const payrolls = give('nonfarm_payrolls', 'monthly', 'xx');
for (const print of [cpi, payrolls]) {
  print('2022-02', '2022-02-28', 0);
  print('2022-03', '2022-03-31', -100);
  print('2022-04', '2022-04-30', 100);
  print('2022-05', '2022-05-31', null);
  print('2022-06', '2022-06-30', 1e-300);
  print('2023-02', '2023-02-28', 50);
  print('2023-03', '2023-03-31', 50);
  print('2023-04', '2023-04-30', -50);
  print('2023-05', '2023-05-31', 50);
  print('2023-06', '2023-06-30', 1e300);
  // A leap year's February, and a month whose year before was never stated.
  print('2024-02', '2024-02-29', 60);
  print('2023-08', '2023-08-31', 60);
}
// The year before is revised on the 20th, the level itself on the 25th, in a later release; on the 28th it is withdrawn.
const AT = (day: number) => `2024-06-${day} 00:00:00+00`;
const revised = give('cpi', 'monthly', 'yy');
revised('2023-05', '2023-05-31', 100, {
  vintage: 'a1',
  observed_at: AT(10),
  known_to: AT(20),
  change_sequence: 1,
  released_at: AT(10),
  retrieved_at: AT(21),
});
revised('2023-05', '2023-05-31', 80, {
  vintage: 'a2',
  observed_at: AT(20),
  release_no: 2,
  change_sequence: 8,
  released_at: AT(19),
  ingested_at: AT(22),
});
revised('2024-05', '2024-05-31', 110, {
  vintage: 'b1',
  observed_at: AT(15),
  known_to: AT(25),
  change_sequence: 3,
  released_at: AT(14),
  ingested_at: AT(16),
});
revised('2024-05', '2024-05-31', 120, {
  vintage: 'b2',
  observed_at: AT(25),
  known_to: AT(28),
  release_no: 2,
  change_sequence: 9,
  released_at: AT(24),
  retrieved_at: AT(26),
});
revised('2024-05', '2024-05-31', null, { vintage: 'b3', observed_at: AT(28), release_no: 3, change_sequence: 10 });

// The rate of February is revised on the 20th, that of March withdrawn on the 25th. No survey asks for that of xx.
for (const entityId of ['us', 'xx']) {
  const rate = give('unemployment_rate', 'monthly', entityId);
  rate('2024-01', '2024-01-31', 3, { observed_at: AT(10), change_sequence: 1 });
  rate('2024-02', '2024-02-29', 4, { observed_at: AT(11), known_to: AT(20), vintage: 'f1', change_sequence: 2 });
  rate('2024-02', '2024-02-29', 4.3, { observed_at: AT(20), vintage: 'f2', change_sequence: 5 });
  rate('2024-03', '2024-03-31', 5, { observed_at: AT(15), known_to: AT(25), vintage: 'm1', change_sequence: 3 });
  rate('2024-03', '2024-03-31', null, { observed_at: AT(25), vintage: 'm2', change_sequence: 6 });
  rate('2024-04', '2024-04-30', 9);
}
// 44 of the year over 40 of the year before; of 2024 a quarter is missing.
const output = give('gdp_real_millions', 'quarterly', 'ea');
for (const [at, value] of [10, 10, 10, 10, 10, 11, 11, 12, 13, 13, 13].entries()) {
  const quarter = `${2022 + Math.floor(at / 4)}-${String((at % 4) * 3 + 3).padStart(2, '0')}-01`;
  const end = new Date(Date.UTC(Number(quarter.slice(0, 4)), Number(quarter.slice(5, 7)), 0)).toISOString().slice(0, 10);
  output(quarter, end, value);
}

let relations: Relations;
beforeAll(async () => {
  relations = await openRelations();
  await relations.give('series.series', SERIES_COLUMNS, series);
  await relations.give('series.vintages', VINTAGE_COLUMNS, vintages);
  await relations.build(
    'reference/derived_indicators',
    'reference/series',
    'derived/transform_inputs',
    'derived/transforms',
    'derived/policy_rate',
    'reference/consensus',
    'derived/period_means',
  );
});
afterAll(() => relations.close());

const ofEntity = (slug: string, entity: string): Promise<readonly Found[]> =>
  relations.ask(`select * from (from derived.transforms union all by name from derived.policy_rate union all by name from derived.period_means)
    where canonical_id = '${slug}' and entity_id = '${entity}' order by period_end, observed_at`);

describe('a transform', () => {
  it('is one of this table; test/boundaries covers the other derived indicators by name', () => {
    const others = ['policy_rate', 'price_close_split_adjusted', ...POSITIONS, ...TEXTS];
    const listed = derivedIndicators.filter(({ family }) => family !== 'valuation').map(({ slug }) => slug);
    expect(listed.toSorted()).toEqual([...Object.keys(TRANSFORMS), ...Object.keys(MEANS), ...others].toSorted());
  });

  it('uses the listed national indicator, or the other if none is listed: one series per entity', async () => {
    const of = async (slug: string, entity: string) => (await ofEntity(slug, entity)).map(({ period, value }) => [period, value]);
    expect([await of('policy_rate', 'us'), await of('policy_rate', 'se')]).toEqual([[['2024-03', 5.33]], [['2024-03', 4]]]);
    expect(await of('cpi_inflation_yoy', 'se')).toEqual([['2024-03', 50]]);
    expect((await of('cpi_inflation_yoy', 'us')).filter(([, value]) => value === 50)).toEqual([]);
    // An unadjusted index has no growth on the month before, and the harmonised index is none of a nation.
    expect([await of('cpi_inflation_mom', 'se'), await of('cpi_inflation_yoy', 'ea')]).toEqual([[], []]);
  });

  it('has numbers of pandas too, which test/derived/transforms.long.test.ts compares', () => {
    const Cases = z.record(z.string(), z.object({ expected: z.record(z.string(), z.unknown()) }));
    const written = Cases.parse(JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/derived/macro_transforms.json'), 'utf8')));
    const computed = Object.values(written).flatMap(({ expected }) => Object.keys(expected));
    expect(computed.toSorted()).toEqual(Object.keys(TRANSFORMS).toSorted());
  });

  it.each(Object.entries(TRANSFORMS))(
    '%s has its level, its frequency and its months',
    async (slug, [level, frequency, months, powerOrUnit]) => {
      const rows = (await ofEntity(slug, 'us')).filter((row) => row['period_end'] === '2024-03-31');
      const [growth, unit] =
        typeof powerOrUnit === 'number' ? [100 * ((110 / (110 - months)) ** powerOrUnit - 1), 'percent'] : [months, powerOrUnit];
      const closeTo: unknown = expect.closeTo(growth, 9);
      expect(rows.map((row) => [row['canonical_id'], row['value'], row['unit'], row['frequency']])).toEqual([
        [slug, closeTo, unit, frequency],
      ]);
      expect(level).toBe(derivedIndicators.find((one) => one.slug === slug)?.input.split(';')[0]);
    },
  );

  it('of a level over one that is not positive, withdrawn or not finite is null', async () => {
    expect((await ofEntity('cpi_inflation_yoy', 'xx')).map((row) => [row['period'], row['value']])).toEqual([
      ['2023-02', null],
      ['2023-03', null],
      ['2023-04', null],
      ['2023-05', null],
      ['2023-06', null],
      ['2024-02', expect.closeTo(20, 9)],
    ]);
    // A change is not asked for positive levels.
    expect((await ofEntity('payrolls_mom_change', 'xx')).map((row) => [row['period'], row['value']])).toEqual([
      ['2022-03', -100],
      ['2022-04', 200],
      ['2022-05', null],
      ['2022-06', null],
      ['2023-03', 0],
      ['2023-04', -100],
      ['2023-05', 100],
      ['2023-06', 1e300],
    ]);
  });

  it.each(Object.entries(MEANS))('%s has the mean of its level', (slug, [level, exponent]) => {
    const listed = derivedIndicators.find((one) => one.slug === slug);
    expect([listed?.input.split(';')[0], listed?.family]).toEqual([level, 'period_mean']);
    expect(listed?.method).toBe(exponent === null ? 'mean_of_period_v1' : 'growth_of_period_mean_v1');
  });

  it('of a mean exists from its last part on, changes with any part, and is null while one is withdrawn', async () => {
    const rows = await ofEntity('unemployment_rate_quarterly', 'us');
    expect(rows.map((row) => [row['period'], row['observed_at'], row['value'], row['change_sequence']])).toEqual([
      ['2024-Q1', AT(15), 4, 3],
      ['2024-Q1', AT(20), expect.closeTo(4.1, 12), 5],
      ['2024-Q1', AT(25), null, 6],
    ]);
    expect(
      ((rows[1]?.['inputs'] ?? []) as { period: string; vintage: string }[]).map(({ period, vintage }) => `${period} ${vintage}`),
    ).toEqual(['2024-01 v1', '2024-02 f2', '2024-03 m1']);
    expect(await ofEntity('unemployment_rate_quarterly', 'xx')).toEqual([]);
  });

  it('of growth compares the means of two periods with all parts known', async () => {
    const quarters = await ofEntity('cpi_inflation_quarterly', 'us');
    // 110, 109 and 108 beside 107, 106 and 105.
    expect(quarters.at(-1)).toMatchObject({ period: '2024-Q1', period_start: '2024-01-01', period_end: '2024-03-31' });
    expect(quarters.at(-1)?.['value']).toBeCloseTo(100 * ((109 / 106) ** 4 - 1), 9);
    const years = await ofEntity('gdp_growth_of_year', 'ea');
    expect(years.map((row) => [row['period'], row['frequency'], row['value']])).toEqual([['2023', 'annual', expect.closeTo(10, 9)]]);
  });

  it('uses levels in force at one moment, from the time both were known until one no longer is', async () => {
    const rows = await ofEntity('cpi_inflation_yoy', 'yy');
    expect(rows.map((row) => [row['observed_at'], row['value'], row['released_at'], row['change_sequence']])).toEqual([
      [AT(15), expect.closeTo(10, 9), AT(14), 3],
      [AT(20), expect.closeTo(37.5, 9), AT(19), 8],
      [AT(25), expect.closeTo(50, 9), AT(24), 9],
      [AT(28), null, '2024-05-10 12:30:00+00', 10],
    ]);
    expect(
      rows.map((row) => (row['inputs'] as { vintage: string; role: string }[]).map(({ vintage, role }) => `${role} ${vintage}`)),
    ).toEqual([
      ['level b1', 'level_before a1'],
      ['level b1', 'level_before a2'],
      ['level b2', 'level_before a2'],
      ['level b3', 'level_before a2'],
    ]);
    expect(rows.map((row) => [row['retrieved_at'], row['ingested_at']])).toEqual([
      [AT(21), AT(16)],
      ['2024-05-10 12:30:00+00', AT(22)],
      [AT(26), AT(22)],
      ['2024-05-10 12:30:00+00', AT(22)],
    ]);
  });

  it('of the policy rate is the unchanged monthly rate', async () => {
    expect(
      (await ofEntity('policy_rate', 'us')).map((row) => [row['canonical_id'], row['period'], row['value'], row['unit'], row['frequency']]),
    ).toEqual([['policy_rate', '2024-03', 5.33, 'percent', 'monthly']]);
  });
});

describe('derived rows', () => {
  const ROWS = {
    canonical_id: 'varchar',
    unit: 'varchar',
    input_series_no: 'integer',
    source_id: 'varchar',
    entity_id: 'varchar',
    frequency: 'varchar',
    period: 'varchar',
    period_start: 'date',
    period_end: 'date',
    value: 'double',
    value_text: 'varchar',
    metadata: 'varchar',
    has_figures: 'boolean',
    observed_at: 'timestamptz',
    released_at: 'timestamptz',
    retrieved_at: 'timestamptz',
    ingested_at: 'timestamptz',
    change_sequence: 'bigint',
    run_id: 'varchar',
    source_run_id: 'varchar',
    input_run_ids: 'varchar[]',
    inputs: 'struct(series_no integer, period varchar, vintage varchar, role varchar)[]',
  };
  const rows: (GivenRow & { inputs?: never })[] = [];
  const inputs: number[][] = [];
  function row(canonicalId: string, entityId: string, at: string, value: number | null, of: number[], more: GivenRow = {}): void {
    rows.push({
      canonical_id: canonicalId,
      unit: 'percent',
      source_id: 'fred',
      entity_id: entityId,
      frequency: 'monthly',
      period: '2024-03',
      period_start: '2024-03-01',
      period_end: '2024-03-31',
      value,
      observed_at: at,
      released_at: at,
      retrieved_at: at,
      ingested_at: at,
      change_sequence: rows.length,
      ...more,
    });
    inputs.push(of);
  }
  const day = (offset: number, hour = 0) => `${plusDays('2024-05-01', offset)} ${String(hour).padStart(2, '0')}:00:00+00`;
  const said: readonly (readonly [string, number | null, GivenRow?])[] = [
    [day(0), null],
    [day(1), 1],
    [day(2), 1],
    [day(2, 5), 2],
    [day(2, 6), 3],
    [day(3), 3, { value_text: 'a' }],
    [day(3, 5), 3, { value_text: 'a', metadata: '{}' }],
    [day(4), 3, { value_text: 'a', metadata: '{"net":1}', has_figures: true }],
    [day(5), 3, { value_text: 'a', metadata: '{"net":1}', has_figures: true }],
    [day(6), null, { value_text: 'a' }],
    [day(7), 1],
  ];
  beforeAll(async () => {
    for (const [at, value, more] of said) row('cpi_inflation_yoy', 'us', at, value, [1], more);
    // Beside it: another period, which begins anew; of two series of which one ceased, may not be passed on, has another unit.
    row('cpi_inflation_yoy', 'us', day(1), 9, [1], { period: '2024-04', period_end: '2024-04-30' });
    row('cpi_inflation_yoy', 'aa', day(1), 1, [1, 2]);
    row('cpi_inflation_yoy', 'bb', day(1), 1, [2, 3]);
    row('cpi_inflation_yoy', 'cc', day(1), 1, [4]);
    row('cpi_inflation_yoy', 'dd', day(1), 1, [5]);
    // In the unit of what is measured, which is not that of its factor: only a country competes for one.
    row('cpi_inflation_yoy', 'ee', day(1), 1, [6]);
    row('cpi_inflation_yoy', 'ff', day(1), 1, [7]);
    const told = (documentId: string) => ({ source_id: 'fed', frequency: 'event', metadata: JSON.stringify({ documentId }) });
    row('cb_statement_sentiment', 'us', day(1), 1, [], { ...told('doc_1'), run_id: 'r1' });
    row('cb_statement_sentiment', 'us', day(9), 1, [], { ...told('doc_2'), run_id: 'r0', period_end: '2024-05-31' });
    row('cpi_inflation_yoy', 'aa', day(3), 2, [2, 1, 2], { metadata: JSON.stringify({ facts: ['sec:a/b', 'sec:a/c'] }) });
    row('cpi_inflation_yoy', 'aa', day(4), 3, [2], { metadata: JSON.stringify({ facts: [], reason: 'documentId' }) });
    await relations.give('derived.derived_rows', ROWS, rows);
    for (const [index, of] of inputs.entries()) {
      await relations.run(
        `update derived.derived_rows set inputs = [${of.map((no) => `{series_no: ${no}, period: '2024-03', vintage: 'v', role: 'level'}`).join(', ')}] where change_sequence = ${index}`,
      );
    }
    const one = (no: number, more: GivenRow): GivenRow => ({
      series_no: no,
      source_id: 'fred',
      indicator_id: `i${no}`,
      entity_id: 'us',
      canonical_id: 'cpi',
      unit: 'index',
      source_tier: 'official_national',
      is_redistributable: true,
      license: `license ${no % 2}`,
      newest_run_id: `run ${no}`,
      ...more,
    });
    await relations.give('series.series', SERIES_COLUMNS, [
      one(1, {}),
      one(2, { is_redistributable: false, rights_note: 'not on', ceased_at: '2024-02-01 00:00:00+00', ceased_final_period: '2024-01' }),
      one(3, { ceased_at: '2024-03-01 00:00:00+00', ceased_final_period: '2024-02' }),
      one(4, { unit: 'percent' }),
      one(5, { source_tier: 'other' }),
      one(6, { canonical_id: 'rent', unit: 'usd' }),
      one(7, { canonical_id: 'rent', unit: 'usd', entity_id: 'us_south' }),
    ]);
    await relations.give('series.entities', { entity_id: 'varchar', entity_type: 'varchar' }, [
      { entity_id: 'us', entity_type: 'country' },
      { entity_id: 'us_south', entity_type: 'region' },
    ]);
    await relations.give(
      'reference.canonical_indicators',
      { canonical_id: 'varchar', factor_key: 'varchar', unit: 'varchar', comparison_basis: 'varchar' },
      [
        { canonical_id: 'cpi', factor_key: 'cpi', unit: 'index', comparison_basis: 'level' },
        { canonical_id: 'rent', factor_key: 'cpi', unit: 'usd', comparison_basis: 'level' },
      ],
    );
    await relations.give(
      'reference.sources',
      { source_id: 'varchar', source_tier: 'varchar', is_redistributable: 'boolean', license: 'varchar', rights_note: 'varchar' },
      [{ source_id: 'fed', source_tier: 'central_bank', is_redistributable: true, license: 'public' }],
    );
    await relations.give('reference.derived_indicators', { slug: 'varchar', dataset_no: 'integer' }, [
      { slug: 'cpi_inflation_yoy', dataset_no: 1024 },
      { slug: 'cb_statement_sentiment', dataset_no: 1063 },
    ]);
    await relations.build(
      'macros/factor_of',
      'macros/is_scoring_tier',
      'macros/scoring_reasons',
      'derived/derived_series',
      'derived/derived_vintages',
    );
  });

  it('become vintages if value, text or figures changed, from the first one with content', async () => {
    const found = await relations.ask(
      "select value, value_text, metadata, vintage, known_to, prior_value, prior_vintage, release_no, is_revised, observed_at from derived.derived_vintages inner join derived.derived_series using (series_no) where canonical_id = 'cpi_inflation_yoy' and entity_id = 'us' and period = '2024-03' order by observed_at",
    );
    expect(
      found.map((one) => [
        one['vintage'],
        one['value'],
        one['value_text'],
        one['release_no'],
        one['is_revised'],
        one['prior_value'],
        one['prior_vintage'],
        one['known_to'],
      ]),
    ).toEqual([
      ['2024-05-02', 1, null, 1, false, null, null, day(2, 5)],
      ['2024-05-03', 2, null, 2, true, 1, '2024-05-02', day(2, 6)],
      ['2024-05-03.2', 3, null, 3, true, 2, '2024-05-03', day(3)],
      ['2024-05-04', 3, 'a', 4, true, 3, '2024-05-03.2', day(4)],
      ['2024-05-05', 3, 'a', 5, true, 3, '2024-05-04', day(6)],
      ['2024-05-07', null, 'a', 6, true, 3, '2024-05-05', day(7)],
      ['2024-05-08', 1, null, 7, false, null, '2024-05-07', null],
    ]);
  });

  it('name the inputs of each vintage separately', async () => {
    const found = await relations.ask(
      "select period_end, derived_from from derived.derived_vintages inner join derived.derived_series using (series_no) where entity_id in ('aa', 'bb') or canonical_id <> 'cpi_inflation_yoy' order by canonical_id desc, entity_id, observed_at",
    );
    expect(found.map((one) => one['derived_from'])).toEqual([
      ['i1', 'i2'],
      ['i1', 'i2', 'sec:a/b', 'sec:a/c'],
      ['i2'],
      ['i2', 'i3'],
      ['doc_1'],
      ['doc_2'],
    ]);
  });

  it('have the limits of each input', async () => {
    const found = await relations.ask('select * from derived.derived_series order by canonical_id desc, entity_id');
    expect(
      found.map((one) => [
        one['indicator_id'],
        one['series_no'],
        one['is_redistributable'],
        one['licensed_source_ids'],
        one['ceased_at'],
        one['ceased_final_period'],
        one['inputs_ceased_at'],
        one['are_inputs_eligible'],
        one['license'],
        one['rights_note'],
        one['newest_run_id'],
      ]),
    ).toEqual([
      [
        'aa_cpi_inflation_yoy',
        1024 * 1048576 + 1,
        false,
        ['fred'],
        null,
        null,
        '2024-02-01 00:00:00+00',
        true,
        'license 0; license 1',
        'not on',
        'run 2',
      ],
      [
        'bb_cpi_inflation_yoy',
        1024 * 1048576 + 2,
        false,
        ['fred'],
        '2024-03-01 00:00:00+00',
        '2024-02',
        '2024-02-01 00:00:00+00',
        true,
        'license 0; license 1',
        'not on',
        'run 3',
      ],
      ['cc_cpi_inflation_yoy', 1024 * 1048576 + 3, true, [], null, null, null, false, 'license 0', null, 'run 4'],
      ['dd_cpi_inflation_yoy', 1024 * 1048576 + 4, true, [], null, null, null, false, 'license 1', null, 'run 5'],
      ['ee_cpi_inflation_yoy', 1024 * 1048576 + 5, true, [], null, null, null, false, 'license 0', null, 'run 6'],
      ['ff_cpi_inflation_yoy', 1024 * 1048576 + 6, true, [], null, null, null, true, 'license 1', null, 'run 7'],
      ['us_cpi_inflation_yoy', 1024 * 1048576 + 7, true, [], null, null, null, true, 'license 1', null, 'run 1'],
      ['us_cb_statement_sentiment', 1063 * 1048576 + 1, true, [], null, null, null, true, 'public', null, 'r0'],
    ]);
  });
});

describe('the list of derived indicators', () => {
  it('counts the values of each indicator, and has the newest forecast of each period', async () => {
    const listed = await openRelations();
    try {
      await giveLake(listed, { attempts: [{ finished_at: '2024-06-01 00:00:00+00' }] });
      await listed.give('reference.derived_indicators', { slug: 'varchar', dataset_no: 'integer', family: 'varchar', method: 'varchar' }, [
        { slug: 'cpi_inflation_yoy', family: 'macro', method: 'growth_v1' },
        { slug: 'peg', family: 'valuation', method: 'trailing_multiples_v1' },
        { slug: 'earnings_yield', family: 'valuation', method: 'trailing_multiples_v1' },
      ]);
      await listed.give(
        'reference.canonical_indicators',
        { canonical_id: 'varchar', name: 'varchar', unit: 'varchar', frequency: 'varchar', derived_from: 'varchar[]' },
        ['cpi_inflation_yoy', 'peg', 'earnings_yield'].map((slug) => ({
          canonical_id: slug,
          name: `Name of ${slug}`,
          unit: 'percent',
          frequency: 'monthly',
          derived_from: ['cpi'],
        })),
      );
      const one = (no: number, canonicalId: string, sourceId: string, entityId: string, more: GivenRow): GivenRow => ({
        series_no: no,
        canonical_id: canonicalId,
        source_id: sourceId,
        entity_id: entityId,
        is_derived: true,
        frequency: 'monthly',
        observation_count: 10,
        latest_period_end: '2024-04-30',
        is_redistributable: true,
        ...more,
      });
      await listed.give(
        'published.series',
        {
          series_no: 'integer',
          canonical_id: 'varchar',
          source_id: 'varchar',
          entity_id: 'varchar',
          is_derived: 'boolean',
          frequency: 'varchar',
          observation_count: 'integer',
          latest_period_end: 'date',
          is_redistributable: 'boolean',
          source_rank: 'integer',
        },
        [
          one(1, 'cpi_inflation_yoy', 'oecd', 'us', { source_rank: 2, is_redistributable: false }),
          one(2, 'cpi_inflation_yoy', 'fred', 'us', { source_rank: 1, latest_period_end: '2024-05-31' }),
          one(3, 'cpi_inflation_yoy', 'aaa', 'gb', {}),
          one(4, 'earnings_yield', 'quotes', 'company_1', { is_redistributable: false }),
          one(5, 'cpi', 'fred', 'us', { is_derived: false }),
          one(6, 'gdp_real', 'fred', 'us', { is_derived: false, frequency: 'quarterly' }),
          one(7, 'population', 'fred', 'us', { is_derived: false, frequency: 'annual' }),
        ],
      );
      await listed.give(
        'published.forecasts',
        {
          series_no: 'integer',
          base_period: 'varchar',
          forecast_period: 'varchar',
          forecast_method: 'varchar',
          observed_at: 'timestamptz',
        },
        [
          [5, '2024-01', '2024-02', 'comb_theta_damped_v1', '2024-02-15'],
          [5, '2024-01', '2024-02', 'comb_dotm_ets_v2', '2024-02-20'],
          [6, '2024-Q1', '2024-Q2', 'comb_theta_damped_v1', '2024-02-18'],
          [7, '2023', '2024', 'naive_v1', '2024-02-21'],
        ].map(([series_no, base_period, forecast_period, forecast_method, day]) => ({
          series_no: series_no ?? null,
          base_period: base_period ?? null,
          forecast_period: forecast_period ?? null,
          forecast_method: forecast_method ?? null,
          observed_at: `${day} 00:00:00+00`,
        })),
      );
      await listed.build('macros/knowledge_cutoff', 'published/derived_indicators');
      const rows = await listed.ask('select * from published.derived_indicators order by slug');
      expect(
        rows.map((row) => [
          row['slug'],
          row['source_ids'],
          row['entity_ids'],
          row['entity_count'],
          row['observation_count'],
          row['latest_period_end'],
          row['is_redistributable'],
          row['preferred_source_id'],
        ]),
      ).toEqual([
        ['cpi_inflation_yoy', ['aaa', 'fred', 'oecd'], ['gb', 'us'], 2, 30, '2024-05-31', true, 'fred'],
        ['earnings_yield', ['quotes'], ['company_1'], 1, 10, '2024-04-30', false, 'quotes'],
        ['forecast_baseline', ['fred'], ['us'], 1, 3, '2024-12-31', true, null],
        ['peg', [], [], 0, 0, null, true, null],
      ]);
      expect(rows[0]).toMatchObject({
        name: 'Name of cpi_inflation_yoy',
        family: 'macro',
        unit: 'percent',
        cadence: 'monthly',
        derived_from: ['cpi'],
        method: 'growth_v1',
        refreshed_at: '2024-06-01 00:00:00+00',
      });
      expect(rows[2]).toMatchObject({ derived_from: ['cpi', 'gdp_real', 'population'], method: 'comb_dotm_ets_v2', family: 'forecast' });
    } finally {
      listed.close();
    }
  });
});
