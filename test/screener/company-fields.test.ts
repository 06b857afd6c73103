// Figures and scores of companies in a screen, over a few rows written by hand: what is shown of them, as of when, to whom, and who is left out for them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRelation } from '../../src/db/layers.ts';
import { DslError, type Fields, MODIFIERS, parseColumns, parseFilter, parseRanking } from '../../src/model/screener-dsl.ts';
import { type Grants, NO_GRANTS } from '../../src/model/grant.ts';
import { type Screen, screen } from '../../src/queries/screener/screener.ts';
import { describeFields, screenerFields } from '../../src/queries/screener/fields.ts';
import { seriesWith } from '../boundaries/by-hand/series.ts';
import { moved, openRelations, type Relations } from '../boundaries/by-hand/tables.ts';
import { createScreened, ENTITY_COLUMNS, snapshotOf } from './screens-by-hand.ts';

const NOW = '2024-05-10T12:00:00.000Z';
const FILED = '2024-05-01T21:00:00.000Z';
const BEFORE = '2024-02-01T21:00:00.000Z';
const IDS = ['a', 'b', 'c', 'd', 'e'] as const;
const idOf = (name: string) => `company_${name}`;

const FIELD = (field: string, kind: string, unit: string, sourceTier = 'service_derived') => ({
  field,
  label: `The ${field}`,
  kind,
  unit,
  sourceTier,
});
const FIGURE_FIELDS = [
  FIELD('assets', 'balance', 'usd', 'official_national'),
  FIELD('growth', 'flow', 'percent'),
  ...['composite', 'financial_health', 'growth', 'quality', 'value'].map((name) => FIELD(`score_${name}`, 'score', 'score')),
];
const figure = (field: string, name: string, value: number, more: { from?: string; to?: string | null; end?: string } = {}) => ({
  field,
  entityId: idOf(name),
  periodEnd: more.end ?? '2024-03-31',
  value,
  knownFrom: more.from ?? FILED,
  knownTo: more.to ?? null,
});
const FIGURES = [
  figure('assets', 'a', 100, { from: BEFORE, to: FILED, end: '2023-12-31' }),
  figure('assets', 'a', 110),
  figure('assets', 'b', 300),
  figure('assets', 'c', 200),
  figure('assets', 'd', 900, { end: '2023-11-06' }),
  figure('growth', 'a', 5),
  figure('growth', 'b', -2.5),
  figure('growth', 'd', 40, { end: '2023-11-06' }),
];
const SERIES = [
  ['a', 8],
  ['b', 20],
  ['c', 12],
] as const;

/** Input i of each company ranks it a to e; yields rank them e to a. Of e fewer than half the inputs are known. */
async function createCompanies(relations: Relations) {
  const inputs = ['return_on_equity', 'gross_profitability', 'accruals_inverted', 'revenue_growth', 'eps_growth', 'current_ratio'];
  const others = ['net_debt_to_ebitda_inverted', 'interest_cover'];
  const row = (
    name: string,
    index: number,
  ) => `select '${idOf(name)}' as company_id, '${idOf(name)}' as entity_id, '${index === 4 ? 'CA' : 'US'}' as country,
    '${name}' as name, null::varchar as ticker, []::varchar[] as tickers, null::varchar as lei, null::varchar as exchange, 'active' as status,
    []::struct(name varchar, known_from timestamptz)[] as names, []::struct(ticker varchar, place integer, known_from timestamptz, known_to timestamptz)[] as listings,
      []::struct(country varchar, lei varchar, exchange varchar, known_from timestamptz)[] as descriptions, []::struct(status varchar, had_ticker boolean, known_from timestamptz)[] as states,
      
    timestamptz '2020-01-01' as known_from, false as are_prices_open,
    [{sector: '${index < 2 ? 'Mining' : 'Services'}', is_financial: false, known_from: timestamptz '2020-01-01'}] as classes,
    [{currency: 'USD', known_from: timestamptz '2020-01-01'}] as currencies,
    [{fiscal_year_end: '12-31', known_from: timestamptz '2020-01-01'}] as fiscal_year_ends,
    [{known_at: timestamptz '${FILED}', window_end: date '${name === 'd' ? '2023-11-06' : '2024-03-31'}', is_undivided: false,
      ${inputs.map((input) => `${input}: ${name === 'e' && input !== 'revenue_growth' ? 'null' : index + 1}::double`).join(', ')},
      ${others.map((input) => `${input}: null::double`).join(', ')}}] as score_inputs,
    [{known_at: timestamptz '2024-05-02', price_source: 'quotes', is_redistributable: false, price_as_of: date '2024-05-02', book_yield: ${5 - index}::double,
      multiples: {earnings_yield: ${5 - index}::double, free_cash_flow_yield: ${5 - index}::double}}] as valuations,
    [{period_end: date '2024-03-31', filed_at: timestamptz '2024-05-01', observed_at: timestamptz '2024-05-01'}] as reports,
    [{shares: 5.0, shares_as_of: date '2024-03-31', observed_at: timestamptz '2024-05-01'}] as share_counts`;
  await relations.connection.run(`create or replace table published.companies as ${IDS.map(row).join(' union all ')}`);
  await createRelation(relations.connection, { path: 'macros/companies/scored_companies', as: 'macro' });
}

const granted = (redistribute: boolean): Grants =>
  new Map([
    ['quotes', { sourceId: 'quotes', note: 'n', until: null, redistribute, grantedBy: 'x', grantedAt: '2020-01-01T00:00:00.000Z' }],
  ]);

describe('a screen of companies', () => {
  let relations: Relations;
  let fields: Fields;
  const series = SERIES.map(([name], index) =>
    seriesWith({
      seriesNo: index + 1,
      entityId: idOf(name),
      entityType: 'company',
      indicatorId: `${idOf(name)}_price_to_earnings`,
      canonicalId: 'price_to_earnings',
      country: null,
      frequency: 'daily',
      defaultBudgetDays: 16,
    }),
  );
  const lake = {
    series,
    prints: SERIES.map(([, value], index) => ({
      seriesNo: index + 1,
      period: '2024-05-02',
      periodEnd: '2024-05-02',
      value,
      observedAt: '2024-05-02T20:00:00.000Z',
    })),
    entities: [...IDS, 'f'].map((name) => ({ entityId: idOf(name), entityType: 'company', name: `Company ${name}` })),
    companies: [],
    figureFields: FIGURE_FIELDS,
    figures: FIGURES,
    knowledgeCutoff: NOW,
  };
  beforeAll(async () => {
    relations = await openRelations();
    await createScreened(relations, lake);
    await relations.table(
      'published.canonical_indicators',
      'canonical_id varchar, name varchar, unit varchar, entity_types varchar[], is_screenable boolean',
      [{ canonicalId: 'price_to_earnings', name: 'Price to earnings', unit: 'ratio', entityTypes: ['company'], isScreenable: true }],
    );
    await relations.create('published/latest');
    await relations.table('published.entities', ENTITY_COLUMNS, lake.entities);
    await createCompanies(relations);
    // Of f some series is known, but nothing that is screened.
    await relations.connection.run(`insert into published.series values (99, '${idOf('f')}', 'monthly', '2024-05-10 00:00:01+00')`);
    fields = await screenerFields(snapshotOf(relations, lake));
  });
  afterAll(() => relations.close());

  type Asked = Omit<Partial<Screen>, 'filter' | 'ranking' | 'columns'> & {
    readonly filter?: string;
    readonly ranking?: string;
    readonly columns?: string;
    readonly grants?: Grants;
    readonly sort?: 'rank' | 'name';
  };
  const asked = ({ filter, ranking, columns, grants = NO_GRANTS, sort = 'rank', ...rest }: Asked) =>
    screen(
      snapshotOf(relations, lake, grants),
      {
        universe: 'companies',
        entityType: null,
        country: null,
        sector: null,
        isFreshOnly: false,
        isEligibleOnly: true,
        asOf: null,
        historyFrom: null,
        at: Date.parse(rest.asOf ?? NOW),
        ...rest,
        filter: filter === undefined ? [] : parseFilter(filter, fields),
        ranking: ranking === undefined ? [] : parseRanking(ranking, fields),
        columns: columns === undefined ? null : parseColumns(columns, fields),
      },
      { sort, order: 'asc', begin: 0, limit: 100 },
    );
  const valuesOf = async (given: Asked) => {
    const { rows } = await asked(given);
    return Object.fromEntries(rows.map((row) => [row.entityId.slice(-1), Object.values(row.values).map((one) => one.value)]));
  };
  const matches = async (given: Asked) => {
    const { rows, counts } = await asked(given);
    const { matched, excludedMissing, excludedIneligible } = counts;
    return [rows.map((row) => row.entityId.slice(-1)).join(''), matched, excludedMissing, excludedIneligible];
  };

  it('shows a figure with its period and knowledge time, and no observation', async () => {
    const { rows } = await asked({ filter: 'assets:lt:150', columns: 'assets,growth' });
    const shared = {
      period: '2024-03-31',
      periodEnd: '2024-03-31',
      observedAt: FILED,
      observationId: null,
      freshnessStatus: 'fresh',
      scoringEligible: true,
    };
    expect(rows.map((row) => [row.entityId, row.values])).toEqual([
      [
        'company_a',
        {
          assets: { value: 110, unit: 'usd', sourceTier: 'official_national', percentile: 16.67, ...shared },
          growth: { value: 5, unit: 'percent', sourceTier: 'service_derived', percentile: 75, ...shared },
        },
      ],
    ]);
  });

  it('uses a figure from its dissemination on, to the second', async () => {
    const at = async (asOf: string) => (await valuesOf({ columns: 'assets', asOf, isEligibleOnly: false }))['a'];
    expect([await at(moved(BEFORE, -1000)), await at(BEFORE), await at(moved(FILED, -1000)), await at(FILED)]).toEqual([
      [null],
      [100],
      [100],
      [110],
    ]);
  });

  it('computes rank, percentile and age of a figure, and refuses modifiers that need a history', async () => {
    const made = await valuesOf({ filter: 'assets:is:notnull', columns: 'assets@rank,assets@pct,assets@age_days' });
    expect(made).toEqual({ a: [3, 16.67, 39], b: [1, 83.33, 39], c: [2, 50, 39] });
    for (const modifier of ['prev', 'chg1', 'chg12', 'yoy', 'z3y']) {
      expect(() => parseFilter(`assets@${modifier}:gt:1`, fields)).toThrow(`\`${modifier}\` on assets, which takes rank, pct, age_days`);
    }
    expect(() => parseColumns('sector@rank', fields)).toThrow('which is a text');
    // Of a modifier that there is not the nearest is one that the field takes.
    const unknown = (ref: string) => {
      try {
        return parseColumns(ref, fields);
      } catch (error) {
        return error instanceof DslError ? error.known : error;
      }
    };
    expect(unknown('assets@yyo')).toEqual(['rank', 'pct', 'age_days']);
    expect(unknown('price_to_earnings@yyo')).toEqual(MODIFIERS);
  });

  it('counts companies without a figure and with a stale one', async () => {
    expect(await matches({ filter: 'assets:gte:200' })).toEqual(['bc', 2, 2, 1]);
    expect(await matches({ filter: 'assets:gte:200', isEligibleOnly: false })).toEqual(['bcd', 3, 2, 0]);
    expect(await matches({ filter: 'assets:gte:200', isFreshOnly: true, isEligibleOnly: false })).toEqual(['bc', 2, 3, 0]);
    expect(await matches({ filter: 'assets:is:null' })).toEqual(['def', 3, 0, 0]);
    // The last moment of 185 days after the sixth of November; of f nothing was known then.
    expect(await matches({ filter: 'growth:gt:30', asOf: '2024-05-10T00:00:00.000Z' })).toEqual(['d', 1, 2, 0]);
    expect(await matches({ filter: 'growth:gt:30', asOf: '2024-05-10T00:00:00.001Z' })).toEqual(['', 0, 2, 1]);
  });

  it('combines figures with multiples, attributes, sector and country, and ranks by them', async () => {
    expect(await matches({ filter: 'assets:gt:0;price_to_earnings:lt:15', ranking: 'assets:desc' })).toEqual(['ca', 2, 2, 1]);
    expect(await matches({ filter: 'growth:lt:0|price_to_earnings:lt:10;name:neq:Company c', ranking: 'price_to_earnings:asc' })).toEqual([
      'ab',
      2,
      3,
      1,
    ]);
    expect(await matches({ filter: 'assets:gt:0', sector: 'mining', ranking: 'assets:desc' })).toEqual(['ba', 2, 0, 0]);
    expect((await asked({ filter: 'assets:gt:0', country: 'CA' })).counts).toMatchObject({ evaluated: 1, matched: 0, excludedMissing: 1 });
    expect(await valuesOf({ ranking: 'assets:desc', columns: 'price_to_earnings,growth', sort: 'name', filter: 'assets:gt:0' })).toEqual({
      a: [8, 5],
      b: [20, -2.5],
      c: [12, null],
    });
    expect((await matches({ ranking: 'assets:desc', universe: 'entities' }))[0]).toBe('bcadef');
    expect((await asked({ filter: 'assets:gt:0', universe: 'countries' })).counts.evaluated).toBe(0);
  });

  const SCORES = 'score_composite,score_quality,score_growth,score_financial_health,score_value';

  it('withholds every score without a grant to redistribute prices', async () => {
    for (const grants of [NO_GRANTS, granted(false)]) {
      const { rows, withheld, counts } = await asked({ filter: 'score_quality:gt:0|score_value:gt:0', columns: SCORES, grants });
      expect([rows, withheld]).toEqual([[], SCORES.split(',').toSorted()]);
      expect(counts).toEqual({ evaluated: 6, matched: 0, excludedMissing: 6, excludedIneligible: 0 });
    }
    // What is no score needs none.
    expect((await asked({ filter: 'assets:gt:0', columns: 'growth' })).withheld).toEqual([]);
  });

  it('shows scores under a grant, from the statements and prices known then', async () => {
    const grants = granted(true);
    // Of five: 10, 30, 50, 70, 90 each; of the four that have it: 12.5, 37.5, 62.5, 87.5. Yields run the other way.
    const found = await asked({ columns: SCORES, grants, isEligibleOnly: false });
    expect(found.withheld).toEqual([]);
    expect(
      Object.fromEntries(found.rows.map((row) => [row.entityId.slice(-1), Object.values(row.values).map((one) => one.value)])),
    ).toEqual({
      a: [31.56, 12.5, 11.25, 12.5, 90],
      b: [44.69, 37.5, 33.75, 37.5, 70],
      c: [57.81, 62.5, 56.25, 62.5, 50],
      d: [70.94, 87.5, 78.75, 87.5, 30],
      // Four of eleven inputs are too few for a composite.
      e: [null, null, 90, null, 10],
      f: [null, null, null, null, null],
    });
    expect(found.rows.find((row) => row.entityId === 'company_a')?.values['score_composite']).toEqual({
      value: 31.56,
      unit: 'score',
      period: '2024-03-31',
      periodEnd: '2024-03-31',
      observedAt: '2024-05-02T00:00:00.000Z',
      observationId: null,
      sourceTier: 'service_derived',
      freshnessStatus: 'fresh',
      scoringEligible: true,
      percentile: 12.5,
    });
    // Of d the statements are stale, of e the score is of too little.
    expect(await matches({ filter: 'score_growth:gt:20', grants })).toEqual(['bc', 2, 1, 2]);
    const before = await valuesOf({ columns: 'score_growth,score_value', grants, isEligibleOnly: false, asOf: moved(FILED, -1000) });
    expect(
      Object.values(before)
        .flat()
        .filter((value) => value !== null),
    ).toEqual([]);
    const at = await valuesOf({ columns: 'score_growth,score_value', grants: NO_GRANTS, isEligibleOnly: false, asOf: FILED });
    expect(at['a']).toEqual([null, null]);
  });

  it('lists each field with its operators and the distribution of its values', async () => {
    expect([...fields].filter(([, type]) => type === 'figure').map(([name]) => name)).toEqual(FIGURE_FIELDS.map(({ field }) => field));
    const described = await describeFields(snapshotOf(relations, lake, granted(true)), {
      asOf: null,
      at: Date.parse(NOW),
      historyFrom: null,
    });
    expect(described.filter((one) => one.type === 'number').map((one) => one.field)).toEqual([
      'assets',
      'growth',
      'price_to_earnings',
      ...FIGURE_FIELDS.slice(2).map(({ field }) => field),
    ]);
    expect(described.find((one) => one.field === 'assets')).toEqual({
      field: 'assets',
      label: 'The assets',
      type: 'number',
      unit: 'usd',
      operators: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'between', 'in', 'nin', 'is'],
      modifiers: ['rank', 'pct', 'age_days'],
      universes: ['companies', 'entities'],
      min: 110,
      p05: expect.closeTo(123.5, 9) as number,
      median: 250,
      p95: expect.closeTo(810, 9) as number,
      max: 900,
      coverageCount: 4,
      enumValues: null,
      example: 'assets:gte:250',
    });
    const without = await describeFields(snapshotOf(relations, lake), { asOf: null, at: Date.parse(NOW), historyFrom: null });
    expect(without.filter((one) => one.type === 'number').map((one) => one.field)).toEqual(['assets', 'growth', 'price_to_earnings']);
  });
});
