// Every filter of every route of observations: the answer with it is the answer without it, left to the rows that the test itself would keep.
import { assert, asyncProperty, constantFrom, nat, pre, tuple, uniqueArray } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../suite.ts';
import { PARAMETERS } from './contract-table.ts';
import { FIRST_ARRIVAL, type FilterService, type Row, SECOND_ARRIVAL, startFilterService, STARTING_MS } from './lake.ts';
import { catalogueOf, isAssumed, type Known, known, newest, order, seen, type View } from './views.ts';

type Kind = 'list' | 'latest' | 'changes' | 'derived';

interface Question {
  readonly name: string;
  readonly value: string;
  /** Which series it leaves; all unless given. */
  readonly keeps?: (row: Row) => boolean;
  readonly view?: View;
  /** Where alone it is asked. */
  readonly kind?: Kind;
}

let service: FilterService;
let entryOf: (row: Row) => Row;
let vintages: readonly Known[];
let derived: readonly Known[];
let changes: readonly Row[];

beforeAll(async () => {
  service = await startFilterService();
  entryOf = await catalogueOf(service);
  vintages = known(await everyVintage(), {
    id: 'observationId',
    entity: 'instrumentId',
    value: 'actual',
  });
  derived = known(await service.rows('/derived-observations?vintage=all&limit=500'), {
    id: 'id',
    entity: 'entityId',
    value: 'valueNumeric',
  });
  changes = await service.rows('/observations/changes?limit=500');
}, STARTING_MS);
afterAll(() => service.stop());

/** With the assumed ones; each page is one series, as a list has at most 500 rows. */
async function everyVintage(): Promise<readonly Row[]> {
  const ids = [...new Set((await service.rows('/indicators?limit=500')).map((row) => String(row['indicatorId'])))];
  const pages = await Promise.all(
    ids.map((id) => service.rows(`/observations?vintage=all&include_assumed=true&limit=500&indicator_id=${encodeURIComponent(id)}`)),
  );
  return pages.flat();
}

const entity =
  (...ids: readonly string[]) =>
  (row: Row) =>
    ids.includes(String(row['entityId'] ?? entryOf(row)['entityId']));
const canonicalOf = (row: Row) => String(entryOf(row)['canonicalIndicatorId']);
const field =
  (name: string, ...values: readonly unknown[]) =>
  (row: Row) =>
    values.includes(row[name]);
const each = (name: string, key: string, values: readonly string[]): readonly Question[] =>
  values.map((value) => ({ name, value, keeps: field(key, value) }));
const NOTHING = () => false;
// By the identifiers of their entities: companies, futures contracts, indices, commodities, other instruments.
const isMacro = (row: Row) => !/^(?:company|cftc|index|commodity|future|instrument)_/.test(String(entryOf(row)['entityId']));

const SERIES: readonly Question[] = [
  { name: 'country', value: 'SE', keeps: field('country', 'SE') },
  { name: 'country', value: 'se', keeps: field('country', 'SE') },
  { name: 'country', value: 'FRA', keeps: field('country', 'FR') },
  { name: 'country', value: 'germany', keeps: field('country', 'DE') },
  { name: 'country', value: 'FR, SWE,italy', keeps: field('country', 'FR', 'SE', 'IT') },
  { name: 'country', value: 'XX', keeps: NOTHING },
  { name: 'country', value: 'XX,FR', keeps: field('country', 'FR') },
  { name: 'entity', value: 'us', keeps: entity('us') },
  { name: 'entity', value: 'US', keeps: entity('us') },
  { name: 'entity', value: 'united-states', keeps: entity('us') },
  { name: 'entity', value: 'fr,cur_usd,cftc_099903', keeps: entity('fr', 'cur_usd', 'cftc_099903') },
  { name: 'entity', value: 'nowhere', keeps: NOTHING },
  { name: 'indicator_id', value: 'us_nonfarm_payrolls', keeps: field('indicatorId', 'us_nonfarm_payrolls') },
  { name: 'indicator_id', value: 'US_Nonfarm_Payrolls', keeps: field('indicatorId', 'us_nonfarm_payrolls') },
  { name: 'indicator_id', value: 'consumer_confidence', keeps: (row) => canonicalOf(row) === 'consumer_confidence' },
  {
    name: 'indicator_id',
    value: 'fr_consumer_confidence,unemployment_rate,us_cpi_inflation_mom',
    keeps: (row) =>
      row['indicatorId'] === 'fr_consumer_confidence' || ['unemployment_rate', 'cpi_inflation_mom'].includes(canonicalOf(row)),
  },
  { name: 'indicator_id', value: 'no_such_thing', keeps: NOTHING },
  ...['indicator_cpi_inflation_mom', 'cpi_inflation_mom', 'CPI-inflation-mom', 'us_cpi_inflation_mom'].map(
    (value): Question => ({ name: 'indicator_id', value, keeps: (row) => canonicalOf(row) === 'cpi_inflation_mom', kind: 'derived' }),
  ),
  { name: 'indicator', value: 'us_nonfarm_payrolls', keeps: field('indicatorId', 'us_nonfarm_payrolls') },
  { name: 'indicator', value: 'us-nonfarm-payrolls', keeps: field('indicatorId', 'us_nonfarm_payrolls') },
  { name: 'indicator', value: 'nonfarm-payrolls', keeps: (row) => canonicalOf(row) === 'nonfarm_payrolls' },
  { name: 'indicator', value: 'Consumer_Confidence', keeps: (row) => canonicalOf(row) === 'consumer_confidence' },
  { name: 'indicator', value: 'no_such_thing', keeps: NOTHING },
  ...each('source_id', 'sourceId', ['fred', 'fred_md', 'dg_ecfin', 'cftc_legacy', 'quotes']),
  { name: 'source_id', value: 'nobody', keeps: NOTHING },
  { name: 'provider_id', value: 'asof', keeps: field('provider', 'asof') },
  { name: 'provider_id', value: 'US Bureau of Labor Statistics', keeps: field('provider', 'US Bureau of Labor Statistics') },
  { name: 'provider_id', value: 'us_bureau_of_labor_statistics', keeps: field('provider', 'US Bureau of Labor Statistics') },
  { name: 'provider_id', value: 'EUROPEAN_COMMISSION_DG_ECFIN', keeps: field('provider', 'European Commission, DG ECFIN') },
  { name: 'provider_id', value: 'nobody', keeps: NOTHING },
  ...each('frequency', 'frequency', ['monthly', 'daily', 'weekly', 'quarterly', 'annual', 'event', 'static']),
  { name: 'currency', value: 'USD', keeps: field('currency', 'USD') },
  { name: 'currency', value: 'jpy', keeps: field('currency', 'JPY') },
  { name: 'currency', value: 'CHF', keeps: NOTHING },
  // A company, an index, a futures contract are no macroeconomy.
  { name: 'type', value: 'macro', keeps: (row) => isMacro(row) },
  ...each('importance', 'importance', ['high', 'medium', 'low']),
  { name: 'freshness', value: 'fresh', keeps: (row) => entryOf(row)['freshnessStatus'] === 'fresh' },
  { name: 'freshness', value: 'stale', keeps: (row) => entryOf(row)['freshnessStatus'] === 'stale' },
  { name: 'freshness', value: 'unknown', keeps: (row) => entryOf(row)['freshnessStatus'] === 'unknown' },
];

const at = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString();
/** A print of payrolls: its day means the end of the day. */
const PRINTED = '2030-02-08T23:59:59.999Z';

const VIEWS: readonly Question[] = [
  { name: 'as_of', value: PRINTED, view: { asOf: PRINTED } },
  { name: 'as_of', value: at(PRINTED, -1), view: { asOf: at(PRINTED, -1) } },
  { name: 'as_of', value: at(PRINTED, 1), view: { asOf: at(PRINTED, 1) } },
  { name: 'as_of', value: '2030-02-08', view: { asOf: PRINTED } },
  { name: 'as_of', value: '2030-02-07', view: { asOf: '2030-02-07T23:59:59.999Z' } },
  { name: 'as_of', value: '2030-02-09T00:59:59.998%2B01:00', view: { asOf: at(PRINTED, -1) } },
  { name: 'as_of', value: '1970-01-01', view: { asOf: '1970-01-01T23:59:59.999Z' } },
  { name: 'observed_from', value: PRINTED, view: { observedFrom: PRINTED } },
  { name: 'observed_from', value: at(PRINTED, 1), view: { observedFrom: at(PRINTED, 1) } },
  { name: 'observed_from', value: at(PRINTED, -1), view: { observedFrom: at(PRINTED, -1) } },
  { name: 'observed_from', value: '2030-02-08', view: { observedFrom: '2030-02-08T00:00:00.000Z' } },
  { name: 'observed_from', value: '2030-02-09', view: { observedFrom: '2030-02-09T00:00:00.000Z' } },
  { name: 'observed_to', value: PRINTED, view: { observedTo: PRINTED } },
  { name: 'observed_to', value: at(PRINTED, -1), view: { observedTo: at(PRINTED, -1) } },
  { name: 'observed_to', value: '2030-02-08', view: { observedTo: PRINTED } },
  { name: 'observed_to', value: '2030-02-07', view: { observedTo: '2030-02-07T23:59:59.999Z' } },
  { name: 'period', value: '2029', view: { periodFrom: '2029-01-01', periodTo: '2029-12-31' } },
  { name: 'period', value: '2030-02', view: { periodFrom: '2030-02-01', periodTo: '2030-02-28' } },
  { name: 'period', value: '2029-12', view: { periodFrom: '2029-12-01', periodTo: '2029-12-31' } },
  { name: 'period', value: '2029-Q4', view: { periodFrom: '2029-10-01', periodTo: '2029-12-31' } },
  { name: 'period', value: '2030-q1', view: { periodFrom: '2030-01-01', periodTo: '2030-03-31' } },
  { name: 'period', value: '2025-Q2', view: { periodFrom: '2025-04-01', periodTo: '2025-06-30' } },
  { name: 'period', value: '1901', view: { periodFrom: '1901-01-01', periodTo: '1901-12-31' } },
  { name: 'start_date', value: '2029-12-31', view: { periodFrom: '2029-12-31' } },
  { name: 'start_date', value: '2030-01-01', view: { periodFrom: '2030-01-01' } },
  { name: 'start_date', value: '2025-06-02', view: { periodFrom: '2025-06-02' } },
  { name: 'end_date', value: '2029-12-31', view: { periodTo: '2029-12-31' } },
  { name: 'end_date', value: '2029-12-30', view: { periodTo: '2029-12-30' } },
  { name: 'end_date', value: '2025-06-02', view: { periodTo: '2025-06-02' } },
  { name: 'vintage', value: 'first', view: { vintage: 'first' } },
  { name: 'vintage', value: 'all', view: { vintage: 'all' } },
  { name: 'vintage', value: 'latest', view: { vintage: 'latest' } },
  { name: 'include_backfill', value: 'true', view: { areBackfillsIn: true } },
  { name: 'include_backfill', value: 'false', view: { areBackfillsIn: false } },
  { name: 'include_assumed', value: 'true', view: { areAssumedIn: true } },
  { name: 'include_assumed', value: 'false', view: { areAssumedIn: false } },
  { name: 'numeric_only', value: 'true', view: { isNumericOnly: true } },
  { name: 'numeric_only', value: 'false', view: { isNumericOnly: false } },
  ...[1, 2, 3, 4].map((print) => ({ name: 'release_number', value: String(print), view: { print } })),
];

const ALL = [...SERIES, ...VIEWS];

/** Filters of which each says something of the other. */
const TOGETHER: readonly (readonly Question[])[] = [
  [of('vintage', 'first'), of('observed_from', PRINTED)],
  [of('vintage', 'first'), of('observed_to', PRINTED)],
  [of('vintage', 'first'), of('include_backfill', 'true')],
  [of('vintage', 'all'), of('include_backfill', 'true')],
  [of('release_number', '2'), of('include_backfill', 'true')],
  [of('include_assumed', 'true'), of('as_of', PRINTED)],
  [of('vintage', 'all'), of('include_assumed', 'true')],
  [of('vintage', 'first'), of('include_assumed', 'true')],
  [of('vintage', 'first'), of('include_assumed', 'true'), of('include_backfill', 'true')],
  [of('release_number', '2'), of('include_assumed', 'true')],
  [of('vintage', 'all'), of('observed_from', PRINTED)],
  [of('vintage', 'all'), of('observed_to', PRINTED)],
  [of('vintage', 'all'), of('as_of', PRINTED)],
  [of('vintage', 'all'), of('numeric_only', 'true')],
  [of('vintage', 'first'), of('numeric_only', 'true')],
  [of('vintage', 'first'), of('as_of', '1970-01-01')],
  [of('as_of', '2030-02-07'), of('observed_to', '2030-02-08')],
  [of('as_of', '2030-02-08'), of('observed_to', '2030-02-07')],
  [of('observed_from', '2030-02-08'), of('observed_to', '2030-02-08')],
  [of('observed_from', PRINTED), of('as_of', PRINTED)],
  [of('release_number', '2'), of('as_of', PRINTED)],
  [of('release_number', '2'), of('observed_from', PRINTED)],
  [of('release_number', '1'), of('numeric_only', 'true')],
  [of('period', '2029'), of('start_date', '2029-12-31')],
  [of('period', '2029'), of('end_date', '2029-12-30')],
  [of('period', '2030-q1'), of('start_date', '2025-06-02')],
  [of('indicator_id', 'consumer_confidence'), of('country', 'FR, SWE,italy')],
  [of('indicator_id', 'consumer_confidence'), of('entity', 'fr,cur_usd,cftc_099903')],
  [of('indicator', 'Consumer_Confidence'), of('indicator_id', 'fr_consumer_confidence,unemployment_rate,us_cpi_inflation_mom')],
  [of('entity', 'us'), of('country', 'SE')],
];

function of(name: string, value: string): Question {
  const found = ALL.find((one) => one.name === name && one.value === value);
  if (found === undefined) throw new Error(`there is no question ${name}=${value}`);
  return found;
}

interface Surface {
  readonly path: string;
  readonly url?: string;
  readonly keeps: (row: Row) => boolean;
  readonly idOf: string;
  readonly kind: Kind;
  /** What is read here as nowhere else: the choice of vintages too, or all of it. */
  readonly reads?: 'views' | 'all';
}

const isPublic = (row: Row) => (row['rights'] as { readonly redistributable: boolean }).redistributable;
const EVERY = () => true;

const SURFACES: readonly Surface[] = [
  { path: '/observations', keeps: EVERY, idOf: 'observationId', kind: 'list', reads: 'all' },
  { path: '/observations/latest', keeps: EVERY, idOf: 'observationId', kind: 'latest', reads: 'views' },
  { path: '/observations/changes', keeps: EVERY, idOf: 'observationId', kind: 'changes', reads: 'views' },
  { path: '/public/observations', keeps: isPublic, idOf: 'observationId', kind: 'list' },
  { path: '/public/observations/latest', keeps: isPublic, idOf: 'observationId', kind: 'latest' },
  {
    path: '/entities/{entityId}/observations',
    url: '/entities/us/observations',
    keeps: (row) => entity('us')(row),
    idOf: 'observationId',
    kind: 'list',
  },
  { path: '/platform/macro-data', keeps: (row) => isMacro(row), idOf: 'observationId', kind: 'list' },
  { path: '/derived-observations', keeps: EVERY, idOf: 'id', kind: 'derived', reads: 'all' },
];

function expected({ keeps, kind }: Surface, questions: readonly Question[]): readonly Known[] {
  const all = (kind === 'derived' ? derived : vintages).filter(
    ({ row }) => keeps(row) && questions.every((one) => one.keeps?.(kind === 'derived' ? asObservation(row) : row) ?? true),
  );
  const view = Object.assign({}, ...questions.map((one) => one.view ?? {}), ...periodsOf(questions)) as View;
  const chosen = seen(all, kind === 'changes' ? { vintage: 'all', ...view } : view);
  return kind === 'latest' ? newest(chosen) : chosen;
}

/** The narrowest of several bounds on one thing. */
function periodsOf(questions: readonly Question[]): readonly View[] {
  const from = questions.flatMap(({ view }) => view?.periodFrom ?? []).sort();
  const to = questions.flatMap(({ view }) => view?.periodTo ?? []).sort();
  return [...from.slice(-1).map((periodFrom) => ({ periodFrom })), ...to.slice(0, 1).map((periodTo) => ({ periodTo }))];
}

let storage: ReadonlyMap<string, Row> | undefined;
/** The row of /observations of a derived one: by series, period and knowledge time. */
function asObservation(row: Row): Row {
  storage ??= new Map(
    vintages.filter(({ row: one }) => one['provider'] === 'asof').map(({ row: one }) => [String(one['observationId']), one]),
  );
  const found = storage.get(String(row['id']));
  if (found === undefined) throw new Error(`no observation ${String(row['id'])}`);
  return found;
}

const queryOf = (questions: readonly Question[]) =>
  questions.map(({ name, value }) => `${name}=${value.includes('%') ? value : encodeURIComponent(value)}`).join('&');

async function ask(surface: Surface, query: string): Promise<readonly Row[]> {
  return service.rows(`${surface.url ?? surface.path}?limit=500${query === '' ? '' : `&${query}`}`);
}

const aliasesOf = ({ path }: Surface, { name }: Question) => PARAMETERS[path]?.[name] ?? [];
const takes = ({ path, kind }: Surface, { name, kind: only = kind }: Question) => only === kind && name in (PARAMETERS[path] ?? {});

interface Compared {
  /** What was asked, the rows answered, and of each row what is not as it stands in the list of all vintages. */
  readonly answered: readonly unknown[];
  readonly wanted: readonly unknown[];
  readonly count: number;
}

async function compare(surface: Surface, questions: readonly Question[]): Promise<Compared> {
  const query = queryOf(questions);
  const answered = await ask(surface, query);
  const wanted = expected(surface, questions);
  const idsOf = (ids: readonly unknown[]) => ids.map(String).toSorted(order);
  // Verdicts of a read as of a moment are those of then, and preference depends on what else is answered.
  const isOfNow = questions.every(({ view }) => view?.asOf === undefined);
  const left = new Set(['preferredForFactor', 'rights', 'forecast', ...(isOfNow ? [] : VERDICTS)]);
  const byId = new Map(answered.map((row) => [row[surface.idOf], row]));
  const differing = wanted.flatMap(({ id, row }) => {
    const found = byId.get(id) ?? {};
    // A company has no country before a file has described it.
    const isUndescribed =
      !isOfNow && found['country'] === null && /^(?:company|listing)_/.test(JSON.stringify(row['instrumentId']).slice(1));
    const names = Object.keys(row).filter(
      (name) => !left.has(name) && !(isUndescribed && name === 'country') && JSON.stringify(row[name]) !== JSON.stringify(found[name]),
    );
    return names.map((name) => ({ id, name, found: found[name], stated: row[name] }));
  });
  return {
    answered: [surface.path, query, idsOf(answered.map((row) => row[surface.idOf])), differing],
    wanted: [surface.path, query, idsOf(wanted.map(({ id }) => id)), []],
    count: wanted.length,
  };
}

const VERDICTS = ['freshnessStatus', 'scoringEligible', 'collectionStatus'];

/** Where a filter cannot leave some rows and take others: the newest values have values, one entity has one country. */
function isIdle({ path, kind }: Surface, name: string): boolean {
  // They mean something beside another filter, which TOGETHER asks.
  if (name === 'include_backfill' || name === 'include_assumed') return true;
  if (path.startsWith('/entities')) return ['country', 'entity', 'type'].includes(name);
  return (kind === 'latest' && name === 'numeric_only') || (path === '/platform/macro-data' && name === 'type');
}

it('every route of observations is tested', () => {
  const ofOne = '/provenance/observations/{observationId}';
  const routes = Object.keys(PARAMETERS).filter((path) => /observations|macro-data/.test(path) && path !== ofOne);
  expect(SURFACES.map(({ path }) => path).toSorted()).toEqual(routes.toSorted());
});

it('assumed vintages are among the rows of questions that include them', () => {
  const [observations] = SURFACES;
  const those = [
    [of('include_assumed', 'true'), of('as_of', PRINTED)],
    [of('vintage', 'all'), of('include_assumed', 'true')],
  ];
  const counts = those.map(
    (asked) => (observations === undefined ? [] : expected(observations, asked)).filter(({ row }) => isAssumed(row)).length,
  );
  expect(counts.map((count) => count > 0)).toEqual([true, true]);
});

describe.each(SURFACES.map((surface) => [surface.path, surface] as const))('%s', (_, surface) => {
  // Where the rows are those of another route, a question or two of each filter show that it is passed on.
  const questions = ALL.filter((one) => takes(surface, one)).filter((one, _index, those) => {
    const place = those.filter(({ name }) => name === one.name).indexOf(one);
    if (isLong || surface.reads === 'all') return true;
    return place < (surface.reads === 'views' && VIEWS.includes(one) ? 3 : 1 + aliasesOf(surface, one).length);
  });

  it('is tested with each of its filters', () => {
    const paged = new Set(['limit', 'cursor', 'sort', 'order', 'format', 'columns', 'since']);
    const asked = new Set(questions.map(({ name }) => name));
    expect(Object.keys(PARAMETERS[surface.path] ?? {}).filter((name) => !paged.has(name) && !asked.has(name))).toEqual([]);
  });

  it.each([...new Set(questions.map(({ name }) => name))])('returns the rows of %s, and no others', async (name) => {
    const those = questions.filter((one) => one.name === name);
    const told: boolean[] = [];
    for (const [place, question] of those.entries()) {
      // By each of its names in turn.
      const names = [name, ...aliasesOf(surface, question)];
      const { answered, wanted, count } = await compare(surface, [{ ...question, name: names[place % names.length] ?? name }]);
      expect(answered).toEqual(wanted);
      told.push(count > 0 && differs(surface, question));
    }
    expect([name, told.includes(true)]).toEqual([name, !isIdle(surface, name)]);
  });

  it('combines filters', async () => {
    const together = isLong || surface.reads !== undefined ? TOGETHER : TOGETHER.slice(0, 2);
    for (const several of together.filter((those) => those.every((one) => takes(surface, one)))) {
      const { answered, wanted } = await compare(surface, several);
      expect(answered).toEqual(wanted);
    }
  });
});

function differs(surface: Surface, question: Question): boolean {
  const ids = (found: readonly Known[]) => JSON.stringify(found.map(({ id }) => id).toSorted(order));
  return ids(expected(surface, [question])) !== ids(expected(surface, []));
}

describe('any filters together', () => {
  it('return the rows that match each of them', async () => {
    const index = nat(ALL.length - 1);
    const drawn = tuple(constantFrom(...SURFACES), uniqueArray(index, { minLength: 2, maxLength: 4, selector: (one) => ALL[one]?.name }));
    await assert(
      asyncProperty(drawn, async ([surface, indexes]) => {
        const questions = indexes.flatMap((one) => ALL[one] ?? []).filter((one) => takes(surface, one));
        pre(questions.length > 1 && areConsistent(questions));
        const { answered, wanted } = await compare(surface, questions);
        expect(answered).toEqual(wanted);
      }),
      { numRuns: isLong ? 500 : 25, seed: 9 },
    );
  });
});

/** What a 400 or a later meaning forbids: a vintage with a print, bounds in reverse, a verdict of then. */
function areConsistent(questions: readonly Question[]): boolean {
  const names = new Set(questions.map(({ name }) => name));
  const view = Object.assign({}, ...questions.map((one) => one.view ?? {})) as View;
  const bounds = Object.assign({}, ...questions.filter(({ name }) => name !== 'period').map((one) => one.view ?? {})) as View;
  return (
    !(names.has('vintage') && names.has('release_number')) &&
    !(names.has('freshness') && names.has('as_of')) &&
    [view.asOf, view.observedTo].every((to) => to === undefined || order(view.observedFrom ?? '', to) <= 0) &&
    order(bounds.periodFrom ?? '', bounds.periodTo ?? '9999') <= 0
  );
}

describe('/observations/changes', () => {
  const ids = (rows: readonly Row[]) => rows.map((row) => row['observationId']);

  it.each([
    [FIRST_ARRIVAL, FIRST_ARRIVAL],
    [at(FIRST_ARRIVAL, 1), at(FIRST_ARRIVAL, 1)],
    [SECOND_ARRIVAL, SECOND_ARRIVAL],
    [at(SECOND_ARRIVAL, -1), at(SECOND_ARRIVAL, -1)],
    [at(SECOND_ARRIVAL, 1), at(SECOND_ARRIVAL, 1)],
    [SECOND_ARRIVAL.slice(0, 10), `${SECOND_ARRIVAL.slice(0, 10)}T00:00:00.000Z`],
    ['2030-05-21', '2030-05-21T00:00:00.000Z'],
  ])('returns changes at or after since=%s', async (since, from) => {
    const wanted = changes.filter((row) => String(row['changedAt']) >= from);
    expect(ids(await service.rows(`/observations/changes?limit=500&since=${since}`))).toEqual(ids(wanted));
  });

  it('has changes of both arrivals', () => {
    const moments = new Set(changes.map((row) => row['changedAt']));
    expect(moments).toEqual(new Set([FIRST_ARRIVAL, SECOND_ARRIVAL]));
  });
});
