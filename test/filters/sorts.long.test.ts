// Every sort field of every list really sorts, both ways, with nulls last; and a walk in short pages gives the rows of one long page.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDescription } from '../http/description.ts';
import { isLong } from '../suite.ts';
import { FILLED, PARAMETERS, REQUIRED } from './contract-table.ts';
import { type FilterService, type Row, startFilterService, STARTING_MS } from './lake.ts';

let service: FilterService;
beforeAll(async () => {
  service = await startFilterService();
}, STARTING_MS);
afterAll(() => service.stop());

type Key = (row: Row) => unknown;
interface Sorted {
  readonly path: string;
  /** Filters under which it is sorted and walked. */
  readonly filters?: string;
  readonly id: string;
  /** Sort field → what it sorts by; the first is the default. */
  readonly keys: Readonly<Record<string, Key>>;
  /** Fields that are the same on all rows of this lake, or missing on all. */
  readonly constant?: readonly string[];
}

const of =
  (name: string): Key =>
  (row) =>
    row[name];
const observed: Readonly<Record<string, Key>> = {
  period_end: of('periodEnd'),
  observed_at: of('observedAt'),
  release_date: of('releaseDate'),
  indicator_id: of('indicatorId'),
  actual: of('actual'),
};
const series: Readonly<Record<string, Key>> = {
  indicator_id: of('indicatorId'),
  name: of('name'),
  entity_id: of('entityId'),
  source_id: of('sourceId'),
  latest_period_end: of('latestPeriodEnd'),
};
// Vintages with and without a value, of two sources.
const MIXED = 'indicator_id=nonfarm_payrolls,payrolls_mom_change,cot_positioning_percentile,consumer_confidence,cb_statement_sentiment';
const observation = (path: string, filters: string): Sorted => ({ path, filters, id: 'observationId', keys: observed });

const SORTED: readonly Sorted[] = [
  observation('/observations', `vintage=all&${MIXED}`),
  observation('/observations/latest', 'country=US,FR,DE,SE'),
  observation('/public/observations', `vintage=all&${MIXED}`),
  observation('/public/observations/latest', 'country=US,FR,DE,SE'),
  observation('/entities/{entityId}/observations', 'start_date=2029-12-31'),
  observation('/platform/macro-data', 'vintage=all&country=US&start_date=2029-11-01'),
  {
    path: '/observations/changes',
    filters: MIXED,
    id: 'observationId',
    keys: { change_sequence: of('changeSequence') },
  },
  {
    path: '/derived-observations',
    filters: 'vintage=all',
    id: 'id',
    keys: { period_end: of('periodEnd'), observed_at: of('observedAt'), value: of('valueNumeric') },
  },
  {
    path: '/entities',
    filters: 'country=US',
    id: 'entityId',
    keys: { name: of('name'), slug: of('slug'), entity_type: of('entityType'), updated_at: of('updatedAt') },
    constant: ['updated_at'],
  },
  {
    path: '/entities/{idOrSlug}/aliases',
    id: 'aliasId',
    keys: { alias: of('alias'), alias_type: of('aliasType'), valid_from: of('validFrom') },
    constant: ['valid_from'],
  },
  {
    path: '/canonical-indicators',
    id: 'canonicalIndicatorId',
    keys: { canonical_indicator_id: of('canonicalIndicatorId'), name: of('name'), category: of('category'), updated_at: of('updatedAt') },
    constant: ['updated_at'],
  },
  { path: '/countries', id: 'countryId', keys: { name: of('name'), iso2: of('iso2'), region: of('region') } },
  { path: '/countries/available-indicators', id: 'countryId', keys: { name: of('name'), country_id: of('countryId') } },
  { path: '/indicators', filters: 'frequency=monthly', id: 'indicatorId', keys: series },
  { path: '/indicators/series', filters: 'frequency=monthly', id: 'indicatorId', keys: series },
  {
    path: '/indicators/entities',
    id: 'entityId',
    keys: { name: of('name'), entity_id: of('entityId'), latest_period_end: of('latestPeriodEnd') },
  },
  {
    path: '/derived-indicators',
    id: 'slug',
    keys: { slug: of('slug'), name: of('name'), family: of('family'), latest_period_end: of('latestPeriodEnd') },
  },
  { path: '/public/screener', filters: 'columns=name', id: 'entityId', keys: { rank: of('rank'), name: of('name') } },
  { path: '/public/screener/filters', id: 'field', keys: { field: of('field'), coverage_count: of('coverageCount') } },
  {
    path: '/public/companies',
    id: 'companyId',
    keys: { name: of('name'), market_cap: of('marketCap'), score: (row) => (row['scores'] as Row)['composite'] },
    constant: ['market_cap', 'score'],
  },
  {
    path: '/companies/{idOrLookup}/financials',
    id: 'statementId',
    keys: { period_end: of('periodEnd'), filed_at: of('filedAt'), fiscal_year: of('fiscalYear') },
  },
  { path: '/events', id: 'eventId', keys: { occurred_at: of('occurredAt'), observed_at: of('observedAt'), title: of('title') } },
  {
    path: '/economic-calendar',
    id: 'eventId',
    keys: { scheduled_at: of('scheduledAt'), observed_at: of('observedAt'), country: of('country') },
  },
  {
    path: '/source-health',
    id: 'sourceId',
    keys: {
      source_id: of('sourceId'),
      name: of('name'),
      status: of('status'),
      last_attempt_at: of('lastAttemptAt'),
      last_new_data_at: of('lastNewDataAt'),
    },
  },
  {
    path: '/quarantine',
    id: 'quarantineId',
    keys: { detected_at: of('detectedAt'), source_id: of('sourceId'), rule: of('rule'), period: of('period') },
  },
];

const urlOf = ({ path, filters }: Sorted, ...pairs: readonly string[]) =>
  `${FILLED[path] ?? path}?${[REQUIRED[path], filters, ...pairs].filter((one) => one !== undefined).join('&')}`;

// By code points, as UTF-8 sorts.
function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

const SORTS = SORTED.flatMap((one) => Object.entries(one.keys).map(([sort, key]) => ({ ...one, sort, key })));
const isOneWay = (path: string) => path === '/observations/changes' || path.endsWith('/panels');
const ordersOf = (path: string) => (isOneWay(path) ? ['asc'] : ['asc', 'desc']);

/** Where time is short: the first field of each list, and those that are missing on some rows. */
const MISSING_ON_SOME = ['actual', 'value', 'region', 'latest_period_end', 'period', 'last_attempt_at', 'last_new_data_at', 'market_cap'];
const WALKED = SORTS.filter(({ keys, sort }) => isLong || sort === Object.keys(keys)[0] || MISSING_ON_SOME.includes(sort));

describe('a list', () => {
  it('is listed here with every route that sorts, and every field', async () => {
    expect(SORTED.map(({ path }) => path).toSorted()).toEqual(
      Object.entries(PARAMETERS)
        // One row of a panel may come on many dates: test/panels walks them.
        .filter(([path, names]) => 'sort' in names && !path.endsWith('/panels'))
        .map(([path]) => path)
        .toSorted(),
    );
    for (const one of SORTED) {
      const { details } = await service.refusal(urlOf(one, 'sort=no_such_field'));
      expect([one.path, details['allowed']]).toEqual([one.path, Object.keys(one.keys)]);
    }
  });

  it.each(SORTED.map((one) => [one.path, one] as const))('of %s is sorted by its first field, ascending, by default', async (_, one) => {
    const [first = ''] = Object.keys(one.keys);
    const plain = await service.rows(urlOf(one, 'limit=500'));
    for (const pairs of [...(isLong ? [[`sort=${first}`], ['order=asc']] : []), [`sort=${first}`, 'order=asc']]) {
      expect(await service.rows(urlOf(one, 'limit=500', ...pairs))).toEqual(plain);
    }
  });

  it.each(SORTS.map((one) => [one.path, one.sort, one] as const))(
    'of %s is sorted by %s in both directions, nulls last',
    async (path, sort, one) => {
      const keys = new Map<string, readonly unknown[]>();
      for (const order of ordersOf(path)) {
        const rows = await service.rows(urlOf(one, 'limit=500', `sort=${sort}`, `order=${order}`));
        const found = rows.map(one.key);
        const sign = order === 'asc' ? 1 : -1;
        const values = found.filter((value) => value !== null);
        expect([order, found]).toEqual([
          order,
          [...values.toSorted((a, b) => sign * compare(a, b)), ...found.filter((value) => value === null)],
        ]);
        keys.set(order, found);
        expect(new Set(rows.map((row) => JSON.stringify(row[one.id]))).size).toBeGreaterThan(1);
      }
      const distinct = new Set([...keys.values()].flat().map((value) => JSON.stringify(value))).size;
      expect([path, sort, distinct > 1 || one.constant?.includes(sort)]).toEqual([path, sort, true]);
    },
  );

  it('of observations includes rows without a value if it is sorted by value', async () => {
    for (const path of ['/observations', '/public/observations']) {
      const one = SORTED.find((other) => other.path === path);
      const rows = one === undefined ? [] : await service.rows(urlOf(one, 'limit=500'));
      const values = rows.map((row) => row['actual']);
      expect([path, values.filter((value) => value === null).length > 3, values.filter((value) => value !== null).length > 10]).toEqual([
        path,
        true,
        true,
      ]);
    }
  });

  it('of changes has one direction', async () => {
    expect(await service.refusal('/observations/changes?order=desc')).toMatchObject({ status: 400, details: { parameter: 'order' } });
    const { operations } = readDescription(await (await service.get('/openapi.json')).text());
    const described = operations.flatMap(({ path, parameters }) =>
      parameters.filter(({ name }) => name === 'order').map(({ schema }) => [path, schema['enum']]),
    );
    const paths = [...SORTED.map(({ path }) => path), '/panels', '/public/panels'];
    expect(Object.fromEntries(described)).toEqual(Object.fromEntries(paths.map((path) => [path, ordersOf(path)])));
  });
});

describe('a walk', () => {
  // Which row is preferred is decided among the rows of one answer.
  const bare = (rows: readonly Row[]) => rows.map((row) => ({ ...row, preferredForFactor: null }));

  const MOST_ROWS = 2000;

  async function walk(one: Sorted, size: number, ...pairs: readonly string[]): Promise<readonly Row[]> {
    const rows: Row[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await service.list(urlOf(one, `limit=${size}`, ...pairs, ...(cursor === '' ? [] : [`cursor=${cursor}`])));
      if (page.data.length !== size && page.meta.pagination.has_more) throw new Error(`a page of ${page.data.length} of ${size}`);
      rows.push(...page.data);
      if (rows.length > MOST_ROWS) throw new Error(`${one.path} has no end`);
      cursor = page.meta.pagination.next_cursor;
    }
    return rows;
  }

  // A page ends within the rows of one value, at the last value, and among the rows without one.
  it.each(WALKED.map((one) => [one.path, one.sort, one] as const))(
    'of %s by %s returns the rows of the largest pages',
    async (path, sort, one) => {
      for (const order of isLong ? ordersOf(path) : ordersOf(path).slice(-1)) {
        const pairs = [`sort=${sort}`, `order=${order}`];
        // In pages as large as they may be: a list may have more rows than one.
        const whole = await walk(one, 500, ...pairs);
        const size = Math.max(1, Math.floor(whole.length / (isLong ? 11 : 3)));
        expect(bare(await walk(one, size, ...pairs))).toEqual(bare(whole));
      }
    },
  );

  it('in pages of one row returns them too', async () => {
    for (const [path, filters, sort] of [
      ['/observations', 'indicator=cot_positioning_percentile&vintage=all', 'actual'],
      ['/observations', 'indicator=nonfarm_payrolls&period=2029-11&vintage=all', 'actual'],
      ['/observations/latest', 'country=FR,DE', 'observed_at'],
      ['/quarantine', 'source_id=oecd', 'period'],
      ['/events', 'event_type=data_release', 'occurred_at'],
    ] as const) {
      for (const order of ['asc', 'desc']) {
        const one = { path, filters, id: '', keys: {} };
        const whole = await service.rows(urlOf(one, 'limit=500', `sort=${sort}`, `order=${order}`));
        expect(whole.length).toBeGreaterThan(1);
        expect(bare(await walk(one, 1, `sort=${sort}`, `order=${order}`))).toEqual(bare(whole));
      }
    }
  });
});
