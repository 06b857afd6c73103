// What a key can ask: every route of the served description with its parameters, one by one and by twos, drawn from a seed.
import type { Operation } from '../http/description.ts';

/** Values to ask with, by the name of a parameter; else its example, and each value of a closed set. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  country: ['US', 'DE', 'EA', 'GB,JP', 'Nowhere'],
  entity: ['us', 'de', 'ea', 'usd', 'zzsmb', 'nobody'],
  indicator_id: [
    'us_nonfarm_payrolls',
    'consumer_confidence',
    'cpi_inflation_yoy,unemployment_rate',
    'policy_rate',
    'price_close',
    'payrols',
    'gdp_growth',
  ],
  indicator: ['unemployment_rate', 'us-cpi', 'nothing'],
  source_id: ['fred_md', 'fred', 'world_bank', 'eurostat', 'quotes', 'fred_mdd'],
  provider_id: ['federal_reserve', 'eurostat'],
  frequency: ['monthly', 'quarterly', 'annual', 'daily'],
  currency: ['USD', 'EUR'],
  as_of: ['2019-06-30', '2024-06-30', '2024-11-21', '2024-12-31', '2025-06-30', '2025-07-15', '2026-05-31', '2026-11-20'],
  observed_from: ['2020-01-01', '2025-01-01'],
  observed_to: ['2024-06-30', '2025-12-31'],
  period: ['2023', '2024', '2024-Q4', '2024-11', '2025', '2025-Q1', '2026-06'],
  start_date: ['2015-01-01', '2024-06-01', '2024-11-21', '2025-06-01'],
  end_date: ['2019-12-31', '2024-11-30', '2025-06-30'],
  since: ['2019-01-01', '2025-01-01', '2026-01-01'],
  vintage: ['latest', 'first', 'all'],
  release_number: ['1', '2', '3'],
  freshness: ['fresh', 'stale', 'unknown'],
  category: ['labour', 'prices'],
  q: ['pay', 'united', 'inflation', 'zz'],
  sector: ['Manufacturing', 'Services', 'Nothing'],
  ticker: ['ZZSMB', 'ZZNONE'],
  fiscal_year: ['2022', '2024', '2025'],
  alias: ['USA', 'ZZSMB', 'Germany', 'euro', 'nobody'],
  family: ['macro_transform', 'cot_positioning', 'valuation', 'nothing'],
  filter: [
    'cpi_inflation_yoy:gt:-100',
    'unemployment_rate@chg12:lt:100',
    'consumer_confidence@z3y:is:notnull',
    'policy_rate@prev:gte:0',
    'unemployment_rate@yoy:is:notnull|policy_rate@pct:gt:10',
    'name:in:United States,Germany',
    'revenue:gt:0',
    'cpi_inflation_yoy:is:null',
  ],
  rank_by: ['cpi_inflation_yoy:desc', 'unemployment_rate@chg1:asc', 'consumer_confidence@rank', 'score_quality:desc'],
  columns: ['cpi_inflation_yoy,unemployment_rate@prev', 'policy_rate@chg12,consumer_confidence@z3y', 'revenue,score_composite,name'],
  limit: ['3', '500'],
};

/** Of a screen: each field with each modifier that it takes, in each universe. */
export interface Screened {
  readonly field: string;
  readonly modifiers: readonly string[];
  readonly universes: readonly string[];
}

const OBSERVATION_COLUMNS = 'columns';

export function questionsOf(
  operation: Operation,
  path: string,
  screened: readonly Screened[],
  draw: () => number,
  most: number,
): readonly string[] {
  const own = operation.parameters.filter((one) => one.in === 'query' && one['x-alias-of'] === undefined && one.name !== 'cursor');
  const isScreen = operation.path === '/public/screener';
  const valuesOf = (name: string, schema: Readonly<Record<string, unknown>>, example: unknown): readonly string[] => {
    if (name === OBSERVATION_COLUMNS && !isScreen) return [];
    const known = VALUES[name];
    const closed = Array.isArray(schema['enum']) ? schema['enum'].map(String) : [];
    if (closed.length > 0) return closed;
    return [...new Set([...(known ?? []), ...(example === undefined ? [] : [textOf(example)])])];
  };
  const pairs = own.flatMap(({ name, schema, example }) =>
    valuesOf(name, schema, example).map((value) => `${name}=${encodeURIComponent(value)}`),
  );
  const required = own.filter((one) => one.required);
  const base = required.map(({ name, schema, example }) => `${name}=${encodeURIComponent(valuesOf(name, schema, example)[0] ?? '')}`);
  const nameOf = (pair: string) => pair.slice(0, pair.indexOf('='));
  const withPairs = (...some: readonly string[]) => {
    const names = new Set(some.map(nameOf));
    if (names.size < some.length) return null;
    return `${path}?${[...base.filter((pair) => !names.has(nameOf(pair))), ...some].join('&')}`;
  };
  const modified = isScreen
    ? screened.flatMap(({ field, modifiers, universes }) => {
        const columns = [field, ...modifiers.map((modifier) => `${field}@${modifier}`)].join(',');
        return universes.map(
          (universe) => `${path}?universe=${universe}&columns=${columns}&rank_by=${field}&eligible_only=false&limit=500`,
        );
      })
    : [];
  const singles = ['', ...pairs].map((pair) => (pair === '' ? withPairs() : withPairs(pair)));
  const drawn = Array.from({ length: 3 * most }, () => {
    const some = Array.from({ length: 2 + Math.floor(draw() * 3) }, () => pairs[Math.floor(draw() * pairs.length)] ?? '');
    return some.includes('') ? null : withPairs(...some);
  });
  const all = [...new Set([...modified, ...singles, ...drawn].filter((one) => one !== null))];
  return all.slice(0, Math.max(most, modified.length + singles.length));
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function drawing(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** An example of the description as its pair says it. */
const textOf = (example: unknown): string => (typeof example === 'string' ? example : JSON.stringify(example));
