// Routes that answer dated things, asked as of a moment of a service over the whole lake, and of one over the lake of that moment whose clock stands at it:
// there as of the moment and, as its readers would have then, without. Both must give the same rows, field by field.
import type { Luck } from './look-ahead-draws.ts';
import { grantFile, grantRights } from '../../src/rights/grant-file.ts';
import { type ListBody, type RunningService, startService } from '../service.ts';

type Row = Readonly<Record<string, unknown>>;

export const KINDS = [
  'observations',
  'provenance',
  'prices',
  'filings',
  'calendar',
  'events',
  'companies',
  'entities',
  'screener',
  'coverage',
] as const;
export type Kind = (typeof KINDS)[number];

interface Question {
  readonly kind: Kind;
  /** Without the moment. */
  readonly path: string;
}

/** When this installation got to know of a thing. */
const OF_THE_LAKE = ['createdAt', 'updatedAt'];

/** What may differ, and why. */
const EXEMPT: readonly { readonly field: string; readonly reason: string; readonly of: (row: Row) => boolean }[] = [
  {
    field: 'sourceUrl',
    reason: 'a derived row has no file of its own: it names the newest of its publisher',
    of: isDerived,
  },
  {
    field: 'changeSequence',
    reason: 'what rests on facts or texts stands behind all that had come in before it, of which the lake of then holds a part',
    of: isDerived,
  },
  ...OF_THE_LAKE.map((field) => ({ field, reason: 'it is of the lake, not of the world', of: () => true })),
];

function isDerived(row: Row): boolean {
  return row['observationId'] !== undefined && row['derivedFrom'] !== null;
}

/** Serves what is published there, at a clock that stands, with the prices of vendors granted: what is withheld cannot be compared. */
export async function startOpenService(dataDir: string, now: number): Promise<RunningService> {
  for (const sourceId of ['quotes', 'dividends']) {
    await grantRights(grantFile(dataDir), { sourceId, note: 'A test compares it.', until: null, redistribute: true }, 'test', 0);
  }
  return startService(dataDir, { now });
}

export interface ThenDifference {
  readonly kind: Kind;
  readonly path: string;
  readonly cutoff: string;
  /** Whether the lake of then was asked as of the moment, or as its readers would have then. */
  readonly asked: 'as of' | 'then';
  readonly key: string;
  /** Members from the row down; null for a row that one of them does not have. */
  readonly field: string | null;
  readonly said: unknown;
  readonly expected: unknown;
}

export interface ThenReport {
  /** Rows compared. */
  readonly rows: ReadonlyMap<Kind, number>;
  readonly differences: readonly ThenDifference[];
}

export interface ThenOptions {
  /** CIKs. */
  readonly companies: readonly string[];
  readonly luck: Luck;
}

/** So many series are named at once. */
const SERIES = 12;
const CHAINS = 8;
/** The newest rows of a list: all of the sample's. */
const BULK = 'format=ndjson&order=desc&limit=20000';

const asOfMoment = (path: string, cutoff: string) => `${path}${path.includes('?') ? '&' : '?'}as_of=${cutoff}`;

/** Lists of every kind; of the longest ones a part, drawn. */
async function questionsFor(
  full: RunningService,
  cutoff: string,
  { companies, luck: { pick } }: ThenOptions,
): Promise<readonly Question[]> {
  const series = await rowsOf(full, '/indicators?limit=500');
  const plain = series.filter((one) => one['sourceId'] !== 'asof');
  const some = () => `indicator_id=${Array.from({ length: SERIES }, () => String(pick(plain)['indicatorId'])).join(',')}`;
  const one = () => `indicator_id=${String(pick(series)['indicatorId'])}`;
  const newest = await rowsOf(full, `/observations/latest?limit=500&sort=observed_at&order=desc&as_of=${cutoff}`);
  const of = (kind: Kind, ...paths: readonly string[]) => paths.map((path): Question => ({ kind, path }));
  return [
    ...of(
      'observations',
      `/observations/latest?${BULK}`,
      `/public/observations/latest?${BULK}&freshness=fresh`,
      `/observations?${BULK}&source_id=${String(pick(plain)['sourceId'])}&start_date=2024-01-01`,
      `/observations?${BULK}&${some()}`,
      `/observations?${BULK}&${some()}&vintage=first`,
      `/observations?${BULK}&${some()}&release_number=2`,
      `/observations?${BULK}&${some()}&vintage=all`,
      `/observations?limit=500&order=desc&${one()}`,
      `/observations?limit=500&sort=actual&${one()}&vintage=all`,
      `/observations/changes?format=ndjson&limit=20000&${some()}`,
      `/platform/macro-data?limit=500&order=desc&${some()}`,
    ),
    ...of(
      'provenance',
      ...(newest.length === 0
        ? []
        : Array.from({ length: CHAINS }, () => `/provenance/observations/${String(pick(newest)['observationId'])}`)),
    ),
    ...of('prices', `/observations?${BULK}&source_id=quotes`, `/observations?${BULK}&source_id=dividends`),
    ...of('prices', `/observations?${BULK}&indicator_id=price_close_split_adjusted`),
    ...companies.flatMap((company) =>
      of(
        'filings',
        `/companies/${company}/financials?${BULK}`,
        `/companies/${company}/financials?${BULK}&basis=as_reported`,
        `/companies/${company}/financials?limit=500&period=ttm&order=desc`,
      ),
    ),
    ...of('calendar', '/economic-calendar?limit=500'),
    ...of('events', '/events?limit=500'),
    ...of('companies', '/public/companies?limit=500'),
    ...of(
      'entities',
      ...['country', 'currency_area', 'region', 'central_bank', 'futures_contract', 'instrument', 'index', 'commodity', 'currency'].map(
        (type) => `/entities?limit=500&entity_type=${type}`,
      ),
      ...newest.slice(0, CHAINS).map((row) => `/indicators/entities?limit=500&indicator_id=${String(row['indicatorId'])}`),
    ),
    ...of('screener', ...(await screensOf(full, pick)).map((screen) => `/public/screener?limit=500&${screen}`)),
    ...of('coverage', '/coverage', '/public/coverage', '/countries/available-indicators?limit=500', '/countries?limit=500'),
    ...of('coverage', '/canonical-indicators?limit=500', '/derived-indicators?limit=500', '/public/screener/filters?limit=500'),
  ];
}

/** Asked there as of the moment alone: the runs that brought its rows stay in the lake of then, and a later one confirms a schedule. */
const AS_OF_ALONE: ReadonlySet<Kind> = new Set(['calendar', 'events', 'coverage']);

const UNIVERSES = ['countries', 'companies', 'entities'] as const;
const COLUMNS = 6;

/** In each universe its fields, some with a modifier; all that has a value, what passes the gate, what is fresh, and what a filter leaves. */
async function screensOf(full: RunningService, pick: Luck['pick']): Promise<readonly string[]> {
  const fields = await rowsOf(full, '/public/screener/filters?limit=500');
  return UNIVERSES.flatMap((universe) => {
    const own = fields.filter((one) => one['type'] === 'number' && (one['universes'] as readonly string[]).includes(universe));
    const columns = () =>
      Array.from({ length: COLUMNS }, () => {
        const { field, modifiers } = pick(own);
        const modifier = pick(['', ...(modifiers as readonly string[])]);
        return modifier === '' ? String(field) : `${String(field)}@${modifier}`;
      });
    const ranked = `rank_by=${String(pick(own)['field'])}`;
    const filter = `filter=${columns()
      .slice(0, 3)
      .map((one) => `${one}:gt:0`)
      .join('|')}`;
    return [
      `columns=name,country,sector,${columns().join(',')}&${ranked}&eligible_only=false`,
      `columns=${columns().join(',')}&${ranked}`,
      `columns=${columns().join(',')}&min_freshness=fresh`,
      `${filter}&${ranked}&eligible_only=false`,
    ].map((screen) => `universe=${universe}&${screen}`);
  });
}

/**
 * Compares several services over the whole lake, sound ones and others, by the same questions, drawn from the first.
 * @param then over the lake of the cutoff, its clock at the cutoff
 */
export async function compareRoutes(
  fulls: readonly RunningService[],
  then: RunningService,
  cutoff: string,
  options: ThenOptions,
): Promise<readonly ThenReport[]> {
  const [first] = fulls;
  if (first === undefined) throw new Error('there is no service to ask');
  const reports = fulls.map(() => ({ rows: new Map<Kind, number>(), differences: [] as ThenDifference[] }));
  for (const { kind, path } of await questionsFor(first, cutoff, options)) {
    const asOf = asOfMoment(path, cutoff);
    const answers = [
      ['as of', await rowsOf(then, asOf)] as const,
      ...(AS_OF_ALONE.has(kind) ? [] : [['then', await rowsOf(then, path)] as const]),
    ];
    for (const [index, full] of fulls.entries()) {
      const said = await rowsOf(full, asOf);
      const report = reports[index];
      report?.rows.set(kind, (report.rows.get(kind) ?? 0) + said.length);
      for (const [asked, expected] of answers) {
        for (const difference of differencesOf(said, expected)) report?.differences.push({ kind, path, cutoff, asked, ...difference });
      }
    }
  }
  return reports;
}

type Difference = Pick<ThenDifference, 'key' | 'field' | 'said' | 'expected'>;

function differencesOf(said: readonly Row[], expected: readonly Row[]): readonly Difference[] {
  const [left, right] = [keyed(said), keyed(expected)];
  const missing = [...right].filter(([key]) => !left.has(key)).map(([key, row]) => ({ key, field: null, said: null, expected: row }));
  const found = [...left].flatMap(([key, row]): readonly Difference[] => {
    const other = right.get(key);
    return other === undefined
      ? [{ key, field: null, said: row, expected: null }]
      : fieldsApart(row, other).map((one) => ({ key, ...one }));
  });
  return [...found, ...missing];
}

const KEYS = ['observationId', 'statementId', 'eventId', 'companyId', 'countryId', 'entityId'] as const;

function keyed(rows: readonly Row[]): ReadonlyMap<string, Row> {
  const found = new Map(
    rows.map((row, index) => [KEYS.map((key) => row[key]).find((one) => typeof one === 'string') ?? String(index), row]),
  );
  if (found.size !== rows.length) throw new Error('rows of one answer share a key');
  return found;
}

function fieldsApart(said: Row, expected: Row, at = ''): readonly Omit<Difference, 'key'>[] {
  return [...new Set([...Object.keys(said), ...Object.keys(expected)])].flatMap((name) => {
    const field = at === '' ? name : `${at}.${name}`;
    const [one, other] = [said[name], expected[name]];
    if (toText(one) === toText(other) || EXEMPT.some((exempt) => exempt.field === field && exempt.of(said))) return [];
    return isRow(one) && isRow(other) ? fieldsApart(one, other, field) : [{ field, said: one, expected: other }];
  });
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** To ten digits: a product of two splits, a mean and a deviation depend on the order of their parts. */
function toText(value: unknown): string | undefined {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'number' ? Number(one.toPrecision(10)) : one));
}

/** All rows of a list, page by page, or the one of an item, if there is one; what a screen counted comes as a row too. */
async function rowsOf(service: RunningService, path: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = null; ; ) {
    const response = await get(
      service,
      cursor === null ? path : `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`,
    );
    const text = await response.text();
    if (response.status === 404) return [];
    if (response.status !== 200) throw new Error(`${path}: ${text.slice(0, 500)}`);
    if (path.includes('format=ndjson')) return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]));
    const { data, meta } = JSON.parse(text) as Omit<ListBody, 'data'> & { data: readonly Row[] | Row };
    if (isRow(data)) return [data];
    rows.push(...data);
    if (cursor === null && 'screener' in meta) rows.push({ entityId: 'counts', counts: meta['screener'] });
    cursor = meta.pagination.next_cursor;
    if (cursor === null) return rows;
  }
}

/** A service closes a connection on which nothing was asked for some seconds, now and then just as the next request is sent on it. */
async function get(service: RunningService, path: string): Promise<Response> {
  try {
    return await service.get(path);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return service.get(path);
  }
}
