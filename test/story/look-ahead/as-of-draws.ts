// Every route that answers dated things, asked through HTTP as of random moments: no row may tell of anything that became known later.
import * as fc from 'fast-check';
import type { ListBody, RunningService } from '../../service.ts';

type Row = Readonly<Record<string, unknown>>;

/** Members that say when something became known, or to which day something known reaches, whatever the route calls them. */
const KNOWN_AT: ReadonlySet<string> = new Set([
  'observedAt',
  'publishedAt',
  'acceptedAt',
  'releasedAt',
  'releaseDate',
  'filedAt',
  'latestFiledAt',
  'forecastOrigin',
  'scoreAsOf',
  'priceAsOf',
  'sharesAsOf',
  'refreshedAt',
  'asOf',
]);

export interface KnowledgeTime {
  /** Members from the row down. */
  readonly at: string;
  /** An instant, or a day. */
  readonly time: string;
}

export function knowledgeTimesOf(value: unknown, at = ''): readonly KnowledgeTime[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const path = at === '' ? name : `${at}.${name}`;
    return KNOWN_AT.has(name) && typeof one === 'string' ? [{ at: path, time: one }] : knowledgeTimesOf(one, path);
  });
}

/** A day is known at its end at the latest, which may still be to come. */
export function isLater(time: string, asOf: string): boolean {
  return time.length === 10 ? time > asOf.slice(0, 10) : time > asOf;
}

/** Lists, each with what is asked for beside the moment; `format=ndjson` where a route has bulk forms, for more rows at once. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  '/observations': [
    'format=ndjson&limit=400',
    'vintage=all&sort=observed_at&order=desc&limit=200',
    'indicator_id=price_close&order=desc&limit=200',
  ],
  '/observations/latest': ['limit=200', 'freshness=fresh&limit=100'],
  '/observations/changes': ['format=ndjson&limit=400'],
  '/public/observations': ['sort=observed_at&order=desc&limit=200'],
  '/public/observations/latest': ['limit=200'],
  '/platform/macro-data': ['order=desc&limit=200'],
  '/entities/us/observations': ['sort=observed_at&order=desc&limit=200'],
  '/derived-observations': ['sort=observed_at&order=desc&limit=200', 'order=desc&limit=200'],
  '/public/screener': ['rank_by=cpi_inflation_yoy:desc&limit=50', 'universe=companies&rank_by=price_to_earnings&limit=50'],
  '/public/companies': ['limit=100'],
  '/events': ['order=desc&limit=200', 'event_type=filing&order=desc&limit=100'],
  '/economic-calendar': ['sort=observed_at&order=desc&limit=200', 'order=desc&limit=200'],
};
/** Items, asked as of a moment by what a list of that moment named. */
const ITEMS: Readonly<Record<string, readonly [list: string, id: string]>> = {
  '/provenance/observations/': ['/observations', 'observationId'],
  '/events/': ['/events', 'eventId'],
  '/economic-calendar/': ['/economic-calendar', 'eventId'],
};
const COUNTED = ['/coverage', '/public/coverage', '/derived-indicators/cpi_inflation_yoy', '/derived-indicators/forecast_baseline'];
const ITEMS_ASKED = 3;

export interface AsOfReport {
  /** Rows that say when they became known, by route. */
  readonly rows: Readonly<Record<string, number>>;
  readonly late: readonly { readonly path: string; readonly asOf: string; readonly at: string; readonly time: string }[];
}

export interface AsOfOptions {
  /** Rows at least, over all routes. */
  readonly rows: number;
  readonly from: string;
  readonly to: string;
  readonly seed: number;
  /** Companies whose statements are asked for. */
  readonly companies: readonly string[];
  /** Judged against an earlier moment than was asked for: as a service that leaked would answer. */
  readonly judgedAt?: string;
}

/** How many times the rows are drawn at most until each route has one. */
const MOST_FOR_ALL = 10;

/** Asks all routes as of one moment after the other until there are so many rows, and one of each route. */
export async function drawAsOf(service: RunningService, options: AsOfOptions): Promise<AsOfReport> {
  const [from, to] = [Date.parse(options.from), Date.parse(options.to)];
  const numbers = fc.sample(fc.noBias(fc.nat({ max: 2 ** 30 - 1 })), { numRuns: 10_000, seed: options.seed });
  const rows: Record<string, number> = {};
  const late: { path: string; asOf: string; at: string; time: string }[] = [];
  const total = () => Object.values(rows).reduce((sum, one) => sum + one, 0);
  const judge = (route: string, path: string, asOf: string, found: readonly Row[]) => {
    for (const row of found) {
      const times = knowledgeTimesOf(row);
      if (times.length === 0) continue;
      rows[route] = (rows[route] ?? 0) + 1;
      const wrong = times.find(({ time }) => isLater(time, options.judgedAt ?? asOf));
      if (wrong !== undefined) late.push({ path, asOf, ...wrong });
    }
  };
  for (const number of numbers) {
    // A few moments may miss a route whose rows are few.
    const isWhole = ROUTES.every((route) => rows[route] !== undefined);
    if (total() >= (isWhole ? 1 : MOST_FOR_ALL) * options.rows) break;
    // Half of the moments in the last sixth of the time, where most is known.
    const share = number / 2 ** 30;
    const asOf = new Date(Math.floor(from + (to - from) * (number % 2 === 0 ? share : 1 - share / 6))).toISOString();
    const statements = options.companies.map((company) => [`/companies/${company}/financials`, ['order=desc&limit=100']] as const);
    const named = new Map<string, readonly Row[]>();
    for (const [route, queries] of [...Object.entries(LISTS), ...statements]) {
      const query = queries[number % queries.length] ?? '';
      const path = `${route}?${query}&as_of=${asOf}`;
      const found = await list(service, path);
      named.set(route, found);
      judge(route.replace(/companies\/[^/]+/, 'companies/…'), path, asOf, found);
    }
    for (const [route, [source, id]] of Object.entries(ITEMS)) {
      for (const row of (named.get(source) ?? []).slice(0, ITEMS_ASKED)) {
        const path = `${route}${String(row[id])}?as_of=${asOf}`;
        judge(`${route}…`, path, asOf, await item(service, path));
      }
    }
    for (const route of COUNTED) judge(route, `${route}?as_of=${asOf}`, asOf, await item(service, `${route}?as_of=${asOf}`));
  }
  return { rows, late };
}

async function list(service: RunningService, path: string): Promise<readonly Row[]> {
  const response = await service.get(path);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${text.slice(0, 500)}`);
  if (!path.includes('format=ndjson')) return (JSON.parse(text) as ListBody).data;
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

async function item(service: RunningService, path: string): Promise<readonly Row[]> {
  const response = await service.get(path);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${text.slice(0, 500)}`);
  return [(JSON.parse(text) as { data: Row }).data];
}

export const ROUTES: readonly string[] = [
  ...Object.keys(LISTS),
  '/companies/…/financials',
  ...Object.keys(ITEMS).map((one) => `${one}…`),
  ...COUNTED,
];
