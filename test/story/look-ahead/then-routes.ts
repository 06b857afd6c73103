// Every route of the served description, asked as of a moment of a service over the whole lake, and of one over the lake of that moment whose clock stands
// at it: there as of the moment and, if the route allows it, as its readers would have asked then. All must give the same rows, field by field.
import { EntityType } from '../../../src/model/entity.ts';
import type { Luck } from './draws.ts';
import { grantFile, grantRights } from '../../../src/rights/grant-file.ts';
import { type Operation, readDescription } from '../../http/description.ts';
import { type ListBody, type RunningService, startService } from '../../service.ts';
import { type Shown, shownTooEarly } from '../shown-tickers.ts';

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
  /** `/entities/{idOrSlug}` */
  readonly route: string;
  /** Without the moment. */
  readonly path: string;
}

/** Routes that nobody asks, each with the reason; so are all that need `ops:read`: they report on the installation. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  '/health': 'It serves no data.',
  '/ready': 'It serves no data.',
  '/openapi.json': 'It describes the interface.',
  '/llms.txt': 'It describes the interface.',
  '/llms-full.txt': 'It describes the interface.',
};

/** Fields that may differ, and why. */
const EXEMPT: Readonly<Record<string, string>> = {
  createdAt: 'It says when this installation came to know of a thing.',
  updatedAt: 'It says when this installation last changed it.',
  refreshedAt: 'It says when this installation last computed it.',
};

/** Serves what is published there, at a clock that stands, with the prices of vendors granted: what is withheld cannot be compared. */
export async function startOpenService(dataDir: string, now: number): Promise<RunningService> {
  for (const sourceId of ['quotes', 'dividends']) {
    await grantRights(grantFile(dataDir), { sourceId, note: 'A test compares it.', until: null, redistribute: true }, 'test', 0);
  }
  return startService(dataDir, { now });
}

export interface ThenDifference {
  readonly kind: Kind;
  readonly route: string;
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
  /** Rows and values compared, by route. */
  readonly routes: ReadonlyMap<string, Compared>;
  readonly differences: readonly ThenDifference[];
}

/** How much of a route was compared. */
export interface Compared {
  readonly rows: number;
  readonly values: number;
}

export interface ThenOptions {
  /** CIKs. */
  readonly companies: readonly string[];
  readonly luck: Luck;
  /** What lists had said of tickers by the moment. */
  readonly shown: Shown;
}

/** So many series are named at once. */
const SERIES = 12;
const CHAINS = 8;
const FACTORS = 8;
const ITEMS = 4;
/** Pages of a list that are compared. Each page as of a past day asks the engine for the whole list again. */
const PAGES = 8;
/** The newest rows of a list: all of the sample's. */
const BULK = 'format=ndjson&order=desc&limit=20000';

/** Panels have moments of their own. */
const asOfMoment = (path: string, cutoff: string) =>
  path.includes('/panels?') ? path : `${path}${path.includes('?') ? '&' : '?'}as_of=${cutoff}`;

/** What questions are drawn from. */
interface Drawn {
  readonly luck: Luck;
  readonly companies: readonly string[];
  /** Identifiers and names of things that are known today or were then: an item of later may be asked for, and must not be found. */
  readonly idsOf: (path: string, field: string) => Promise<readonly string[]>;
  readonly one: () => string;
  readonly some: () => string;
  readonly source: () => string;
  /** Canonical indicators of countries. */
  readonly factors: () => string;
  readonly newest: readonly Row[];
  /** The last day that had ended at the moment. */
  readonly lastDay: string;
  readonly screens: readonly string[];
}

/** Some of them, each once. */
function draws(ones: readonly string[], count: number, { pick }: Luck): readonly string[] {
  return ones.length === 0 ? [] : [...new Set(Array.from({ length: count }, () => pick(ones)))];
}

type Asked = readonly [kind: Kind, ...queries: readonly string[]];

/** The questions of each route, as queries, or whole paths if it has a placeholder. */
const QUESTIONS: Readonly<Record<string, (drawn: Drawn) => readonly Asked[] | Promise<readonly Asked[]>>> = {
  '/entities': () => [
    [
      'entities',
      ...EntityType.options.map((type) => `limit=500&entity_type=${type}`),
      'limit=500&q=an&sort=name',
      'limit=500&q=united',
      'limit=500&q=inc',
      'limit=500&q=germny',
      'limit=500&status=active',
    ],
  ],
  '/entities/resolve': async (drawn) => [
    ['entities', ...(await someEntities(drawn)).map((id) => `alias=${id}`)],
    ['entities', ...draws(await drawn.idsOf('/countries?limit=500', 'iso3'), ITEMS, drawn.luck).map((id) => `alias=${id}&alias_type=iso3`)],
  ],
  '/entities/{idOrSlug}': async (drawn) => [['entities', ...(await someEntities(drawn)).map((id) => `/entities/${id}`)]],
  '/entities/{idOrSlug}/aliases': async (drawn) => [
    ['entities', ...(await someEntities(drawn)).map((id) => `/entities/${id}/aliases?limit=500`)],
    ['entities', ...DATED_PLACES.map((id) => `/entities/${id}/aliases?limit=500`)],
  ],
  '/entities/{entityId}/observations': async (drawn) => [
    ['observations', ...(await someEntities(drawn)).map((id) => `/entities/${id}/observations?${BULK}`)],
    ['observations', `/entities/us/observations?limit=500&order=desc&${drawn.some()}&vintage=all`],
  ],
  '/canonical-indicators': () => [
    ['coverage', 'limit=500', 'limit=500&sort=category&order=desc', 'limit=500&q=inflation', 'limit=500&q=price qqzzy us'],
  ],
  '/countries': () => [['coverage', 'limit=500']],
  '/countries/available-indicators': () => [['coverage', 'limit=500', 'limit=500&country=us', 'limit=500&country=hr']],
  '/countries/{idOrIso}': async (drawn) => [
    ['coverage', ...draws(await drawn.idsOf('/countries?limit=500', 'countryId'), ITEMS, drawn.luck).map((id) => `/countries/${id}`)],
    ['coverage', ...DATED_PLACES.map((id) => `/countries/${id}`)],
  ],
  '/indicators': ({ source }) => [
    ['coverage', 'limit=500', `limit=500&source_id=${source()}`, 'limit=500&freshness=fresh'],
    ['coverage', 'limit=500&q=us rate', 'limit=500&q=unemploymnt', 'limit=500&q=gold us price', 'limit=500&q=price'],
  ],
  '/indicators/series': ({ source }) => [['coverage', 'limit=500', `limit=500&source_id=${source()}`, 'limit=500&q=payrolls']],
  '/indicators/entities': ({ newest }) => [
    ['entities', ...newest.slice(0, CHAINS).map((row) => `limit=500&indicator_id=${String(row['indicatorId'])}`)],
  ],
  '/observations': ({ one, some, source }) => [
    [
      'observations',
      `${BULK}&source_id=${source()}&start_date=2024-01-01`,
      `${BULK}&${some()}`,
      `${BULK}&${some()}&vintage=first`,
      `${BULK}&${some()}&vintage=first&include_backfill=true`,
      `${BULK}&${some()}&release_number=2`,
      `${BULK}&${some()}&vintage=all`,
      `limit=500&order=desc&${one()}`,
      `limit=500&sort=actual&${one()}&vintage=all`,
    ],
    ['prices', `${BULK}&source_id=quotes`, `${BULK}&source_id=dividends`, `${BULK}&indicator_id=price_close_split_adjusted`],
  ],
  '/observations/latest': ({ source }) => [['observations', BULK, `limit=500&source_id=${source()}`]],
  '/observations/changes': ({ some, source }) => [
    [
      'observations',
      `format=ndjson&limit=20000&${some()}`,
      `limit=500&${some()}`,
      `limit=500&source_id=${source()}&since=2025-01-01T00:00:00.000Z`,
    ],
  ],
  '/public/observations': ({ one, some }) => [['observations', `${BULK}&${some()}`, `limit=500&order=desc&${one()}&vintage=all`]],
  '/public/observations/latest': () => [['observations', `${BULK}&freshness=fresh`, `limit=500`]],
  '/platform/macro-data': ({ some }) => [
    ['observations', `limit=500&order=desc&${some()}`, `limit=500&order=desc&${some()}&vintage=first`],
  ],
  '/panels': ({ factors, lastDay }) => [
    [
      'observations',
      ...['month_end', 'week&vintage=first', 'change', 'quarter_end&eligible_only=true&at=16:00 America/New_York'].map(
        (every) => `format=ndjson&limit=20000&factor=${factors()}&from=2000-01-01&to=${lastDay}&every=${every}`,
      ),
      `limit=500&factor=${factors()}&from=${lastDay}&to=${lastDay}&every=day`,
    ],
  ],
  '/public/panels': ({ factors, lastDay }) => [
    ['observations', `format=ndjson&limit=20000&factor=${factors()}&from=2000-01-01&to=${lastDay}`],
  ],
  '/public/coverage': () => [['coverage', '']],
  '/coverage': () => [['coverage', '']],
  '/derived-indicators': () => [['coverage', 'limit=500', 'limit=500&availability=public']],
  '/derived-indicators/{idOrSlug}': async (drawn) => [
    [
      'coverage',
      ...draws(await drawn.idsOf('/derived-indicators?limit=500', 'slug'), 2 * ITEMS, drawn.luck).map((id) => `/derived-indicators/${id}`),
    ],
  ],
  '/derived-observations': async (drawn) => {
    const slugs = draws(await drawn.idsOf('/derived-indicators?limit=500', 'slug'), CHAINS, drawn.luck);
    return [
      [
        'observations',
        `${BULK}&indicator_id=${slugs.join(',')}`,
        `limit=500&order=desc&vintage=all&indicator_id=${slugs.slice(0, 2).join(',')}`,
      ],
    ];
  },
  '/public/screener': ({ screens }) => [['screener', ...screens.map((screen) => `limit=500&${screen}`)]],
  '/public/screener/filters': () => [['coverage', 'limit=500']],
  '/public/companies': () => [
    ['companies', 'limit=500', 'limit=500&status=active&sort=market_cap', 'limit=500&country=US&sort=score', 'limit=500&q=inc corp'],
  ],
  '/companies/{idOrLookup}/financials': ({ companies }) => [
    [
      'filings',
      ...companies.flatMap((company) => [
        `/companies/${company}/financials?${BULK}`,
        `/companies/${company}/financials?${BULK}&basis=as_reported`,
        `/companies/${company}/financials?limit=500&period=ttm&order=desc`,
      ]),
    ],
  ],
  '/events': () => [['events', 'limit=500', 'limit=500&event_type=filing', 'limit=500&status=scheduled']],
  '/events/{eventId}': async (drawn) => [
    ['events', ...draws(await drawn.idsOf('/events?limit=500&order=desc', 'eventId'), CHAINS, drawn.luck).map((id) => `/events/${id}`)],
  ],
  '/economic-calendar': () => [['calendar', 'limit=500', 'limit=500&country=US&status=released']],
  '/economic-calendar/{eventId}': async (drawn) => [
    [
      'calendar',
      ...draws(await drawn.idsOf('/economic-calendar?limit=500&order=desc', 'eventId'), CHAINS, drawn.luck).map(
        (id) => `/economic-calendar/${id}`,
      ),
    ],
  ],
  '/provenance/observations/{observationId}': ({ newest, luck }) => [
    [
      'provenance',
      ...draws(
        newest.map((row) => String(row['observationId'])),
        CHAINS,
        luck,
      ).map((id) => `/provenance/observations/${id}`),
    ],
  ],
};

/** Their names, currencies or memberships changed. */
const DATED_PLACES = ['cz', 'tr', 'mk', 'hr', 'bg', 'gb', 'lt', 'ea', 'eu'];

/** Some of each type. */
async function someEntities({ idsOf, luck }: Drawn): Promise<readonly string[]> {
  const byType = await Promise.all(EntityType.options.map((type) => idsOf(`/entities?limit=500&entity_type=${type}`, 'entityId')));
  return byType.flatMap((ids) => draws(ids, 2, luck));
}

/** Routes that are neither asked nor left out for a reason, and such names as no route has. */
export async function routesMissed(service: RunningService): Promise<readonly string[]> {
  const operations = await operationsOf(service);
  const known = new Set([...Object.keys(QUESTIONS), ...Object.keys(LEFT_OUT)]);
  const served = new Set(operations.map(({ path }) => path));
  const missed = operations.filter(({ path, scope }) => scope !== 'ops:read' && !known.has(path)).map(({ path }) => path);
  return [...missed, ...[...known].filter((path) => !served.has(path))];
}

/** The routes that are asked. */
export const ASKED_ROUTES: readonly string[] = Object.keys(QUESTIONS);

async function operationsOf(service: RunningService): Promise<readonly Operation[]> {
  return readDescription(await (await service.get('/openapi.json')).text()).operations;
}

/** Lists of every kind; of the longest ones a part, drawn. */
async function questionsFor(full: RunningService, cutoff: string, { companies, luck }: ThenOptions): Promise<readonly Question[]> {
  const { pick } = luck;
  const series = await rowsOf(full, '/indicators?limit=500');
  const plain = series.filter((one) => one['sourceId'] !== 'asof');
  const national = series
    .filter((one) => one['factorKey'] !== null && one['frequency'] !== 'annual')
    .map((one) => String(one['canonicalIndicatorId']));
  const lists = new Map<string, Promise<readonly Row[]>>();
  const listOf = (path: string) => {
    const found = lists.get(path) ?? rowsOf(full, path);
    lists.set(path, found);
    return found;
  };
  const drawn: Drawn = {
    luck,
    companies,
    async idsOf(path, field) {
      const rows = [...(await listOf(path)), ...(await listOf(asOfMoment(path, cutoff)))];
      return [...new Set(rows.map((row) => encodeURIComponent(String(row[field]))))];
    },
    one: () => `indicator_id=${String(pick(series)['indicatorId'])}`,
    some: () => `indicator_id=${Array.from({ length: SERIES }, () => String(pick(plain)['indicatorId'])).join(',')}`,
    source: () => String(pick(plain)['sourceId']),
    factors: () => draws(national, FACTORS, luck).join(','),
    lastDay: new Date(Date.parse(cutoff) - 86_400_000).toISOString().slice(0, 10),
    newest: await rowsOf(full, `/observations/latest?limit=500&sort=observed_at&order=desc&as_of=${cutoff}`),
    screens: await screensOf(full, pick),
  };
  const questions: Question[] = [];
  for (const [route, ask] of Object.entries(QUESTIONS)) {
    for (const [kind, ...paths] of await ask(drawn)) {
      for (const path of paths)
        questions.push({ kind, route, path: path.startsWith('/') ? path : path === '' ? route : `${route}?${path}` });
    }
  }
  return questions;
}

/**
 * Asked there as of the moment alone: the runs that brought its rows stay in the lake of then, a later one confirms a schedule, and a later list of
 * tickers serves look-ups.
 */
const AS_OF_ALONE: ReadonlySet<Kind> = new Set(['calendar', 'events', 'coverage', 'companies', 'entities']);

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
  const reports = fulls.map(() => ({
    rows: new Map<Kind, number>(),
    routes: new Map<string, Compared>(),
    differences: [] as ThenDifference[],
  }));
  for (const { kind, route, path } of await questionsFor(first, cutoff, options)) {
    const asOf = asOfMoment(path, cutoff);
    const [ofThen, atThen] = await Promise.all([rowsOf(then, asOf, PAGES), AS_OF_ALONE.has(kind) ? null : rowsOf(then, path, PAGES)]);
    const answers = [['as of', ofThen] as const, ...(atThen === null ? [] : [['then', atThen] as const])];
    for (const [index, full] of fulls.entries()) {
      const said = await rowsOf(full, asOf, PAGES);
      const report = reports[index];
      if (report === undefined) continue;
      report.rows.set(kind, (report.rows.get(kind) ?? 0) + said.length);
      const before = report.routes.get(route) ?? { rows: 0, values: 0 };
      report.routes.set(route, { rows: before.rows + said.length, values: before.values + valuesIn(said) });
      for (const [asked, expected] of answers) {
        for (const difference of differencesOf(said, expected))
          report.differences.push({ kind, route, path, cutoff, asked, ...difference });
      }
      for (const difference of shownTooEarly(said, options.shown))
        report.differences.push({ kind, route, path, cutoff, asked: 'as of', ...difference });
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

function valuesIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((total: number, one) => total + valuesIn(one), 0);
  return isRow(value) ? Object.values(value).reduce((total: number, one) => total + valuesIn(one), 0) : 1;
}

const KEYS = ['aliasId', 'observationId', 'id', 'statementId', 'eventId', 'companyId', 'countryId', 'field', 'slug', 'entityId'] as const;

function keyed(rows: readonly Row[]): ReadonlyMap<string, Row> {
  const found = new Map(
    rows.map((row, index) => [
      seriesKey(row) ?? panelKey(row) ?? KEYS.map((key) => row[key]).find((one) => typeof one === 'string') ?? String(index),
      row,
    ]),
  );
  if (found.size !== rows.length) throw new Error('rows of one answer share a key');
  return found;
}

/** Of a row of a panel, whose observation may come on many dates. */
function panelKey(row: Row): string | null {
  return row['eopLag'] === undefined ? null : ['asOf', 'factor', 'entityId'].map((key) => String(row[key])).join('|');
}

/** Of a row of the catalogue of series, whose identifier several sources share. */
function seriesKey(row: Row): string | null {
  if (row['vintageCount'] === undefined) return null;
  return ['indicatorId', 'entityId', 'sourceId', 'frequency'].map((key) => String(row[key])).join('|');
}

function fieldsApart(said: Row, expected: Row, at = ''): readonly Omit<Difference, 'key'>[] {
  return [...new Set([...Object.keys(said), ...Object.keys(expected)])].flatMap((name) => {
    const field = at === '' ? name : `${at}.${name}`;
    const [one, other] = [said[name], expected[name]];
    if (toText(one) === toText(other) || EXEMPT[name] !== undefined) return [];
    return isRow(one) && isRow(other) ? fieldsApart(one, other, field) : [{ field, said: one, expected: other }];
  });
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** To ten digits: a product of two splits, a mean and a deviation depend on the order of their parts. */
function toText(value: unknown): string | undefined {
  return JSON.stringify(value, (key, one: unknown) => {
    if (EXEMPT[key] !== undefined) return undefined;
    return typeof one === 'number' ? Number(one.toPrecision(10)) : one;
  });
}

/**
 * The rows of a list, page by page, up to a number of pages, or the one of an item, if there is one. The counts of a screen are a row too.
 */
async function rowsOf(service: RunningService, path: string, pages = Number.POSITIVE_INFINITY): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let [cursor, page]: [string | null, number] = [null, 1]; ; page += 1) {
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
    if (cursor === null || page === pages) return rows;
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
