// Who is shown what: licensed numbers, the free window and keys that ask one after the other, on every route and in every form.
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { issueKey, keyFile } from '../../src/keys/key-store.ts';
import { type GrantRequest, grantFile, grantRights, revokeRights } from '../../src/rights/grant-file.ts';
import { type KeyName, type ListBody, type RunningService, startService } from '../service.ts';
import { isLong } from '../suite.ts';
import { MULTIPLES } from '../valuations/valued.ts';
import { BULK_FORMS, decoded, type Form, numbersIn, type Row } from './decoded.ts';
import { COMPUTED, HELD_BACK, LICENSED, type LicensedLake, NOW, openLicensedLake, type Told, WINDOW_START } from './licensed-lake.ts';
import { PROMISED } from './table.ts';

/** The multiples and the split-adjusted close; a hint names five of what is withheld. */
const COMPUTED_OF_PRICES = MULTIPLES.length + 1;
const HINT_NAMES = 5;

/** The last sees the trailing 24 months and no operations. */
type Holder = KeyName | 'freeData';

let lake: LicensedLake;
let service: RunningService;
let freeData: string;
let ids: Readonly<Record<string, readonly string[]>>;

const keyOf = (holder: Holder) => (holder === 'freeData' ? freeData : service.keys[holder]);

async function asked(path: string, holder: Holder = 'full', headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return service.get(path, { key: null, headers: { 'x-api-key': keyOf(holder), ...headers } });
}

async function listed(path: string, holder: Holder = 'full'): Promise<ListBody> {
  const response = await asked(path, holder);
  expect([path, response.status]).toEqual([path, 200]);
  return (await response.json()) as ListBody;
}

const valueOf = (canonicalId: string, of: (one: Told) => boolean = () => true) =>
  lake.told.filter((one) => one.canonicalId === canonicalId && of(one));

beforeAll(async () => {
  lake = await openLicensedLake();
  const request = { label: 'free', tier: 'free', scopes: ['data:read'] } as const;
  freeData = (await issueKey(keyFile(lake.pipeline.dataDir), request, Date.parse(NOW))).key;
  service = await startService(lake.pipeline.dataDir, { now: Date.parse(NOW) });
  const of = async (path: string, name: string) => (await listed(path)).data.map((row) => String(row[name]));
  const [oldEvents, newEvents] = [await of('/events?limit=4', 'eventId'), await of('/events?limit=4&order=desc', 'eventId')];
  const [oldEntries, newEntries] = [
    await of('/economic-calendar?limit=6', 'eventId'),
    await of('/economic-calendar?start_date=2024-07-01&end_date=2024-07-31', 'eventId'),
  ];
  const newest = (canonicalId: string) =>
    valueOf(canonicalId).toSorted((a, b) => (a.periodEnd < b.periodEnd ? 1 : -1))[0]?.observationId ?? '';
  ids = {
    '/events/{eventId}': [...newEvents, ...oldEvents],
    '/economic-calendar/{eventId}': [...newEntries, ...oldEntries],
    '/provenance/observations/{observationId}': ['nonfarm_payrolls', 'cpi', 'price_close', ...COMPUTED].map(newest),
  };
});
afterAll(async () => {
  await service.stop();
  await lake.remove();
});

const FIELDS = ['nonfarm_payrolls', 'cpi', 'cpi_inflation_yoy', 'consumer_sentiment_umich', ...MULTIPLES];
const SCORES = ['score_composite', 'score_financial_health', 'score_growth', 'score_quality', 'score_value'] as const;
const SCREENS = ['countries', 'companies', 'entities'].map(
  (universe) => `universe=${universe}&eligible_only=false&columns=${FIELDS.slice(0, 12).join(',')},nonfarm_payrolls@prev`,
);

/** What is asked of each route, so that all that it could show would be shown; one for most of them. */
const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  '/entities': ['limit=500', 'q=T1000001', 'limit=500&q=price'],
  '/entities/resolve': ['alias=T1000001', 'alias=USA&alias_type=iso3'],
  '/entities/{idOrSlug}': ['us', 'company_0001000001'],
  '/entities/{idOrSlug}/aliases': ['company_0001000001'],
  '/entities/{entityId}/observations': [
    'us ? vintage=all',
    'company_0001000001 ? vintage=all',
    'us ? as_of=2024-07-13&start_date=2023-01-01',
  ],
  '/canonical-indicators': ['limit=500', 'q=price to earnings'],
  '/countries': ['limit=500'],
  '/countries/available-indicators': ['country=US'],
  '/countries/{idOrIso}': ['us'],
  '/indicators': ['limit=500', 'limit=500&q=price', 'limit=500&q=price earnigns', 'limit=500&q=T1000001'],
  '/indicators/series': ['limit=500', 'limit=500&q=price to earnings'],
  '/indicators/entities': ['indicator_id=price_close', 'indicator_id=price_to_earnings'],
  '/observations': [
    'vintage=all',
    'vintage=first&sort=actual',
    'indicator_id=price_to_earnings,cpi_inflation_yoy,us_cpi',
    'as_of=2024-07-13',
  ],
  '/observations/latest': ['limit=500', 'as_of=2024-07-13', 'indicator=cpi_inflation_mom'],
  '/observations/changes': ['limit=500', 'since=2020-01-01&vintage=all'],
  '/public/observations': ['vintage=all', 'indicator_id=us_cpi,price_close', 'entity=company_0001000001', 'as_of=2024-07-13'],
  '/public/observations/latest': ['limit=500', 'as_of=2024-07-13', 'country=US', 'indicator=price_to_book'],
  '/platform/macro-data': ['vintage=all', 'indicator_id=us_cpi,us_nonfarm_payrolls&order=desc', 'as_of=2024-07-13'],
  '/panels': [
    'factor=price_close,price_to_earnings&entity=company_0001000001&from=2020-01-01&to=2026-10-31&every=quarter_end',
    'factor=cpi,nonfarm_payrolls,cpi_inflation_yoy&from=2020-01-01&to=2026-10-31',
  ],
  '/public/panels': [
    'factor=price_close,price_to_earnings&entity=company_0001000001&from=2020-01-01&to=2026-10-31&every=quarter_end',
    'factor=cpi,nonfarm_payrolls,cpi_inflation_yoy&from=2020-01-01&to=2026-10-31',
  ],
  '/public/coverage': [''],
  '/coverage': [''],
  '/derived-indicators': ['limit=500', 'availability=internal_only'],
  '/derived-indicators/{idOrSlug}': [...COMPUTED, 'forecast_baseline', 'payrolls_mom_change'],
  '/derived-observations': [
    'vintage=all',
    `indicator_id=${COMPUTED.join(',')}&vintage=all`,
    'entity=company_0001000001',
    'as_of=2024-07-13',
  ],
  '/public/screener': [
    ...SCREENS,
    'universe=companies&eligible_only=false&filter=price_to_earnings:gt:0&rank_by=price_to_book',
    'eligible_only=false&filter=cpi:gt:0|nonfarm_payrolls@prev:gt:0&rank_by=cpi_inflation_yoy',
    'eligible_only=false&columns=nonfarm_payrolls,nonfarm_payrolls@prev,cpi&as_of=2024-07-13',
  ],
  '/public/screener/filters': ['limit=500'],
  '/public/companies': ['', 'q=T1000001', 'sort=market_cap', 'as_of=2024-07-13'],
  '/companies/{idOrLookup}/financials': ['T1000001', 'T1000001 ? basis=as_reported', 'T1000001 ? as_of=2025-03-01'],
  '/events': ['limit=500', 'as_of=2024-07-13'],
  '/economic-calendar': ['limit=500', 'limit=500&order=desc', 'as_of=2024-07-13'],
  '/manifest': [''],
  '/source-health': ['limit=500'],
  '/quarantine': ['limit=500'],
  '/ops/liveness': [''],
  '/snapshot': [''],
};

/** The addresses of a route: a question fills its placeholder, or follows its path. */
function addressesOf(path: string): readonly string[] {
  const questions = QUESTIONS[path] ?? ids[path] ?? [];
  if (questions.length === 0) throw new RangeError(`nothing is asked of ${path}`);
  return questions.map((question) => {
    if (!path.includes('{')) return question === '' ? path : `${path}?${question}`;
    const [name = '', query] = question.split(' ? ');
    return path.replace(/\{\w+\}/, name) + (query === undefined ? '' : `?${query}`);
  });
}

const withPair = (path: string, pair: string) => `${path}${path.includes('?') ? '&' : '?'}${pair}`;
const inForm = (path: string, form: Form) => (form === 'json' ? path : withPair(path, `format=${form}`));
const withLimit = (path: string, form: Form, isList: boolean) =>
  !isList || path.includes('limit=') ? path : withPair(path, `limit=${form === 'json' ? 500 : 100_000}`);

interface Scanned {
  readonly rows: readonly Row[];
  /** `member number`, without the position in lists. */
  readonly found: readonly { readonly at: string; readonly number: number }[];
}

/** What a key is shown of a route in a form, whatever is asked of it. */
async function scanned(route: (typeof PROMISED)[number], form: Form, holder: Holder): Promise<Scanned> {
  const all = await Promise.all(
    addressesOf(route.path)
      .slice(0, form === 'json' ? undefined : 2)
      .map(async (path) => {
        const response = await asked(inForm(withLimit(path, form, route.kind === 'list'), form), holder);
        const bytes = Buffer.from(await response.arrayBuffer());
        // What is withheld, or older than the window, is not found.
        if (response.status === 404) return [];
        if (response.status !== 200) throw new Error(`${path}: ${response.status} ${bytes.toString('utf8')}`);
        return decoded(form, bytes);
      }),
  );
  const rows = all.flat();
  return { rows, found: rows.flatMap((row) => numbersIn(row)) };
}

/** Each route in JSON and, where there are more forms, in one of them; the long suite tries them all. */
const CASES = PROMISED.flatMap((route, at) => {
  const bulk = BULK_FORMS.filter((_, place) => route.isBulk && (isLong || place === at % BULK_FORMS.length));
  return (['json', ...bulk] as const).map((form) => [route.path, form, route] as const);
});

/** Routes of the full surface: licensed numbers stand there as they came, with their rights. */
const FULL_SURFACE: ReadonlySet<string> = new Set([
  '/entities/{entityId}/observations',
  '/observations',
  '/observations/latest',
  '/observations/changes',
  '/panels',
  '/platform/macro-data',
  '/provenance/observations/{observationId}',
]);

/** A number of which one can say where it comes from. */
const isTelling = (value: number) => /\.\d{3}/.test(String(value));
const asIds = (names: readonly string[]): ReadonlySet<string> => new Set(names);

describe('licensed numbers', () => {
  let raw: ReadonlySet<number>;
  let computed: ReadonlySet<number>;
  let free: ReadonlySet<number>;
  beforeAll(() => {
    const [licensed, derived] = [asIds(LICENSED), asIds(COMPUTED)];
    const of = (those: (one: Told) => boolean) =>
      new Set(lake.told.filter((one) => isTelling(one.value) && those(one)).map((one) => one.value));
    raw = of((one) => licensed.has(one.canonicalId));
    free = of((one) => !licensed.has(one.canonicalId) && !derived.has(one.canonicalId));
    const caps = valueOf('price_close').flatMap((one) => [100, 103, 107].map((shares) => one.value * shares));
    // A close of which no split has been since is adjusted by none.
    computed = new Set([...of((one) => derived.has(one.canonicalId)), ...caps].filter((value) => !raw.has(value)));
  });

  it('are there, raw and computed, apart from free ones', () => {
    for (const canonicalId of ['cpi', 'consumer_sentiment_umich', 'price_close', ...COMPUTED])
      expect([canonicalId, valueOf(canonicalId).length > 5]).toEqual([canonicalId, true]);
    expect([...free].filter((value) => raw.has(value) || computed.has(value))).toEqual([]);
    expect([raw.size > 50, computed.size > 50, free.size > 50]).toEqual([true, true, true]);
  });

  const surface = CASES.filter(([path]) => FULL_SURFACE.has(path));
  const others = CASES.filter(([path]) => !FULL_SURFACE.has(path));

  it.each(others)('are hidden from %s in %s, raw and computed', async (_path, form, route) => {
    const { found } = await scanned(route, form, 'admin');
    expect(found.filter(({ number }) => computed.has(number) || raw.has(number))).toEqual([]);
  });

  it.each(surface)('are shown to %s in %s raw, with their rights, but not computed', async (path, form, route) => {
    const { rows, found } = await scanned(route, form, 'admin');
    expect(found.filter(({ number }) => computed.has(number))).toEqual([]);
    expect(found.some(({ number }) => raw.has(number))).toBe(true);
    const rightsOf = (row: Row): unknown => (typeof row['rights'] === 'string' ? JSON.parse(row['rights']) : row['rights']);
    const shown = rows.filter((row) => raw.has(Number(row['actual'] ?? row['value'])));
    // The chain of a number names the licence of its source instead.
    const said = shown.map((row) =>
      path.startsWith('/provenance') ? { ...Object(row['source']), redistributable: false } : rightsOf(row),
    );
    const expected = { redistributable: false, license: expect.stringMatching(/^(Invented licence|Vendor terms|Copyright .*)$/) };
    expect(shown.length).toBeGreaterThan(0);
    for (const one of said) expect(one).toMatchObject(expected);
  });

  it.each(CASES.filter(([path]) => path.startsWith('/public/observations')))(
    'of %s in %s do not hide the free ones',
    async (_path, form, route) => {
      const { rows, found } = await scanned(route, form, 'data');
      expect(found.filter(({ number }) => free.has(number)).length).toBeGreaterThan(0);
      expect(rows.filter((row) => 'rights' in row)).toEqual([]);
      expect(new Set(rows.map((row) => row['indicatorId']))).toEqual(
        new Set([
          'us_nonfarm_payrolls',
          'us_payrolls_mom_change',
          'us_unemployment_rate',
          'us_unemployment_rate_quarterly',
          'us_cb_statement_sentiment',
        ]),
      );
    },
  );

  it('have no forecast, no number in the calendar and no link from an event; those of free series have', async () => {
    const macro = (await listed('/platform/macro-data?limit=500&order=desc')).data;
    const forecast = (row: Row) => Object.entries(row).filter(([name, value]) => name.startsWith('forecast') && value !== null);
    const of = (indicatorId: string) => macro.filter((row) => row['indicatorId'] === indicatorId);
    for (const licensed of ['us_cpi', 'us_consumer_sentiment_umich'])
      expect([licensed, of(licensed).length > 0, of(licensed).flatMap(forecast)]).toEqual([licensed, true, []]);
    expect(of('us_nonfarm_payrolls').flatMap(forecast).length).toBeGreaterThan(0);

    const detail = (await (await asked('/derived-indicators/forecast_baseline')).json()) as {
      data: { sourceIds: unknown; metadata: { backtest: { series: readonly Row[] } } };
    };
    expect(new Set(detail.data.metadata.backtest.series.map((row) => row['canonicalIndicatorId']))).toEqual(
      new Set(['nonfarm_payrolls', 'payrolls_mom_change', 'unemployment_rate', 'unemployment_rate_quarterly']),
    );

    const entries = (await listed('/economic-calendar?limit=500')).data;
    const numbers = (row: Row) =>
      ['actual', 'previous', 'revisedPrevious', 'forecast', 'forecastLower', 'observationId'].filter((name) => row[name] !== null);
    expect(entries.filter((row) => String(row['indicatorId']).startsWith('us_cpi')).flatMap(numbers)).toEqual([]);
    expect(new Set(entries.filter((row) => row['indicatorId'] === 'us_nonfarm_payrolls').flatMap(numbers))).toEqual(
      new Set(['actual', 'previous', 'revisedPrevious', 'forecast', 'forecastLower', 'observationId']),
    );

    const licensedIds = new Set(
      lake.told.filter((one) => asIds([...LICENSED, ...COMPUTED]).has(one.canonicalId)).map((one) => one.observationId),
    );
    const linked = (await listed('/events?limit=500')).data.flatMap((row) => row['observationIds'] as readonly string[]);
    expect([linked.length > 20, linked.filter((id) => licensedIds.has(id))]).toEqual([true, []]);
  });

  it('give the screener no field, and match nothing in it', async () => {
    const fields = (await listed('/public/screener/filters?limit=500')).data.map((row) => String(row['field']));
    expect(fields.filter((field) => asIds([...LICENSED, ...COMPUTED]).has(field))).toEqual([]);
    expect(fields).toEqual(expect.arrayContaining(['nonfarm_payrolls', 'revenue', 'revenue_growth', 'shares_outstanding']));
    expect(fields.filter((field) => field.startsWith('score_'))).toEqual([]);
    for (const filter of ['price_to_earnings:gt:-1', 'peg:is:notnull', 'score_value:gt:-1', 'score_quality:is:notnull'])
      expect([filter, (await listed(`/public/screener?universe=companies&eligible_only=false&filter=${filter}`)).data]).toEqual([
        filter,
        [],
      ]);
    for (const filter of ['cpi:gt:0', 'cpi_inflation_yoy:is:notnull', 'consumer_sentiment_umich@age_days:gte:0'])
      expect([filter, (await listed(`/public/screener?eligible_only=false&filter=${filter}`)).data]).toEqual([filter, []]);
    const payrolls = await listed('/public/screener?eligible_only=false&filter=nonfarm_payrolls:gt:0');
    expect(payrolls.data.map((row) => row['entityId'])).toEqual(['us']);
  });

  it('are not counted in the coverage', async () => {
    const { data } = (await (await asked('/public/coverage')).json()) as {
      data: { totals: Row; categories: readonly Row[]; countries: readonly Row[] };
    };
    const shown = lake.told.filter((one) => !asIds([...LICENSED, ...COMPUTED]).has(one.canonicalId));
    const distinct = (of: (one: Told) => string) => new Set(shown.map(of)).size;
    expect(data.totals).toMatchObject({
      entities: distinct((one) => one.entityId),
      indicators: distinct((one) => one.canonicalId),
      series: distinct((one) => `${one.sourceId} ${one.indicatorId}`),
      vintages: shown.length,
      observations: distinct((one) => `${one.sourceId} ${one.indicatorId} ${one.periodEnd}`),
      sources: distinct((one) => one.sourceId),
      countries: 1,
    });
    expect(data.categories.map((row) => row['category']).includes('prices')).toBe(false);
    expect(data.countries).toMatchObject([{ iso2: 'US', indicatorCount: distinct((one) => one.canonicalId) }]);
  });

  it('leave the derived indicators listed, with their values withheld for a reason and their observations not found', async () => {
    const withheld = (await listed('/derived-indicators?availability=internal_only&limit=500')).data;
    expect(withheld.map((row) => String(row['slug'])).toSorted()).toEqual([...COMPUTED].toSorted());
    for (const row of withheld)
      expect(row).toMatchObject({ availability: 'internal_only', availabilityReason: expect.stringContaining('licensed') });
    for (const { observationId, canonicalId } of COMPUTED.map((one) => valueOf(one)[0] as Told)) {
      const statuses = await Promise.all(
        (['full', 'admin'] as const).map(async (key) => (await asked(`/provenance/observations/${observationId}`, key)).status),
      );
      expect([canonicalId, statuses]).toEqual([canonicalId, [404, 404]]);
    }
  });

  it('hide figures of companies from before the window from a free key', async () => {
    const periodOf = async (asOf: string, holder: Holder) => {
      const { data } = await listed(`/public/screener?universe=companies&eligible_only=false&columns=revenue&as_of=${asOf}`, holder);
      return data.map((row) => Object(Object(row['values'])['revenue'])['periodEnd'] as unknown);
    };
    expect([await periodOf('2025-01-15', 'full'), await periodOf('2025-01-15', 'freeData')]).toEqual([['2023-12-31'], [null]]);
    expect([await periodOf('2025-03-01', 'full'), await periodOf('2025-03-01', 'freeData')]).toEqual([['2024-12-31'], ['2024-12-31']]);
  });

  it('are reported as withheld if only they are requested, and nowhere else', async () => {
    const hints = async (path: string) => (await listed(path)).meta.hints;
    const withheld = (parameter: string, ...words: readonly string[]) => [
      { parameter, message: expect.stringMatching(new RegExp(['^Withheld: ', ...words].join('.*'))) as string },
    ];
    const multiple = ['price_to_earnings', 'quotes \\(Vendor terms\\)', 'npm run rights -- grant quotes --note TEXT'];
    const [own, passedOn] = [multiple, [...multiple, '--redistribute']];
    const company = 'company_0001000001';
    for (const [path, expected] of [
      ['/derived-observations?indicator_id=indicator_price_to_earnings', withheld('indicator_id', ...own)],
      ['/derived-observations?indicator_id=price-to-earnings,payrolls_mom_change', withheld('indicator_id', ...own)],
      [`/derived-observations?entity=${company}`, withheld('entity', 'dividend_yield', `and ${COMPUTED_OF_PRICES - HINT_NAMES} more`)],
      ['/derived-observations?indicator_id=payrolls_mom_change', undefined],
      ['/derived-observations', undefined],
      ['/observations?indicator_id=price_to_earnings', withheld('indicator_id', ...own)],
      ['/observations/latest?indicator=price_to_earnings', withheld('indicator', ...own)],
      ['/observations?indicator_id=price_close', undefined],
      [`/observations?entity=${company}`, undefined],
      [
        '/public/observations?indicator_id=price_close',
        withheld('indicator_id', 'price_close', '--redistribute', 'See them on /observations'),
      ],
      [`/public/observations?entity=${company}`, withheld('entity', 'quotes', '--redistribute')],
      [`/entities/${company}/observations?indicator_id=price_to_earnings`, withheld('indicator_id', ...own)],
      ['/public/screener?universe=companies&filter=price_to_earnings:gt:0', withheld('filter', ...passedOn)],
      ['/public/screener?filter=nonfarm_payrolls:gt:0&rank_by=cpi', withheld('rank_by', 'cpi', 'fred')],
      ['/public/screener?filter=nonfarm_payrolls:gt:0&columns=name,peg', withheld('columns', 'peg')],
      ['/public/screener?filter=nonfarm_payrolls:gt:0', undefined],
      [
        '/public/screener?universe=companies&filter=revenue:gt:0&columns=score_value,score_growth',
        withheld('columns', 'score_growth, score_value\\.', 'grant quotes --note TEXT --redistribute'),
      ],
      ['/public/screener?universe=companies&rank_by=score_composite', withheld('rank_by', 'score_composite\\.')],
      ['/public/screener?universe=companies&filter=revenue_growth:gt:0', undefined],
    ] as const)
      expect([path, await hints(path)]).toEqual([path, expected]);
  });

  it('leave a company without price, value and multiples, with the reason', async () => {
    const [company] = (await listed('/public/companies?ticker=T1000001', 'admin')).data;
    expect(company).toMatchObject({
      price: null,
      priceAsOf: null,
      marketCap: null,
      rightsNote: expect.stringMatching(/redistributed.*npm run rights -- grant quotes --note TEXT --redistribute\.$/) as string,
    });
    const reasons: Row = Object(company?.['nullReasons']);
    expect(reasons).toMatchObject({ price: 'no_grant', marketCap: 'no_grant', priceToEarnings: 'no_grant' });
    expect(Object.keys(reasons)).toHaveLength(2 + MULTIPLES.length);
    expect(Object.values(Object(company?.['multiples']))).toEqual(MULTIPLES.map(() => null));
    expect(Object(company?.['scores'])).toMatchObject({ value: null });
  });
});

describe('the free window', () => {
  let old: ReadonlySet<number>;
  beforeAll(() => {
    const inside = new Set(lake.told.filter((one) => one.periodEnd >= WINDOW_START).map((one) => one.value));
    // Beside the observations the figures of the fiscal year 2023.
    const figures = [
      1000.0193,
      200.0297,
      250.0371,
      50.0433,
      260.0517,
      60.0619,
      40.0723,
      2.0831,
      HELD_BACK,
      800.0917,
      300.1129,
      100.1231,
      150.1319,
      50.1447,
    ];
    old = new Set(
      [...lake.told.filter((one) => one.periodEnd < WINDOW_START).map((one) => one.value), ...figures].filter(
        (value) => !inside.has(value),
      ),
    );
  });

  it('lets a full key see older numbers on every history route that has them', async () => {
    const without = [
      '/public/screener',
      '/public/screener/filters',
      '/public/companies',
      '/events',
      '/events/{eventId}',
      '/provenance/observations/{observationId}',
    ];
    for (const route of PROMISED.filter((one) => one.isHistory && !without.includes(one.path))) {
      const { found } = await scanned(route, 'json', 'full');
      expect([route.path, found.some(({ number }) => old.has(number))]).toEqual([route.path, true]);
    }
  });

  it('hides older numbers from a free key on every route in every form', async () => {
    const leaks = new Set<string>();
    for (const [path, form, route] of CASES) {
      const { rows, found } = await scanned(route, form, 'free');
      for (const { at, number } of found) if (old.has(number)) leaks.add(`${path} ${at}`);
      for (const row of rows) if (typeof row['periodEnd'] === 'string' && row['periodEnd'] < WINDOW_START) leaks.add(`${path} periodEnd`);
    }
    expect([...leaks].toSorted()).toEqual([]);
  });

  it('is named if a question asks for earlier days, and only to the keys that it limits', async () => {
    const hints = async (path: string, holder: Holder) => (await listed(path, holder)).meta.hints;
    const about = (parameter: string) => [{ parameter, message: expect.stringContaining(WINDOW_START) as string }];
    for (const [path, expected] of [
      // Rows inside the window are an answer: whether there are older ones is not said.
      ['/observations?indicator_id=us_nonfarm_payrolls', undefined],
      ['/observations?indicator_id=us_nonfarm_payrolls&start_date=2023-01-01', about('start_date')],
      ['/observations?indicator_id=us_nonfarm_payrolls&period=2023', about('period')],
      ['/observations?indicator_id=us_nonfarm_payrolls&period=2025', undefined],
      [`/observations?indicator_id=us_nonfarm_payrolls&start_date=${WINDOW_START}`, undefined],
      ['/public/observations/latest?indicator_id=us_nonfarm_payrolls&start_date=2023-01-01', about('start_date')],
      ['/derived-observations?indicator_id=payrolls_mom_change&start_date=2023-01-01', about('start_date')],
      ['/companies/T1000001/financials?start_date=2023-01-01', about('start_date')],
      ['/economic-calendar?start_date=2023-01-01', about('start_date')],
      ['/events?start_date=2025-01-01', undefined],
    ] as const) {
      expect([path, await hints(path, 'free')]).toEqual([path, expected]);
      expect([path, await hints(path, 'full')]).toEqual([path, undefined]);
    }
  });

  it('hides older items: an observation, event or entry is not found', async () => {
    const firsts = [
      ...(ids['/events/{eventId}'] ?? []).slice(-4).map((id) => `/events/${id}`),
      ...(ids['/economic-calendar/{eventId}'] ?? []).slice(-6).map((id) => `/economic-calendar/${id}`),
      ...['nonfarm_payrolls', 'cpi', 'price_close', 'payrolls_mom_change'].map(
        (one) => `/provenance/observations/${valueOf(one).toSorted((a, b) => (a.periodEnd < b.periodEnd ? -1 : 1))[0]?.observationId}`,
      ),
    ];
    for (const path of firsts) {
      const statuses = await Promise.all((['full', 'free', 'freeData'] as const).map(async (key) => (await asked(path, key)).status));
      expect([path, statuses]).toEqual([path, [200, 404, 404]]);
    }
  });
});

/** An answer but for its identifiers. */
interface Given {
  readonly status: number;
  readonly text: string;
  readonly tag: string | null;
}

async function given(path: string, holder: Holder): Promise<Given> {
  const response = await asked(path, holder);
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const text = isJson
    ? bytes.toString('utf8').replaceAll(/"(request_id|requestId)":"[^"]*"/g, '""')
    : createHash('sha256').update(bytes).digest('hex');
  return { status: response.status, text, tag: response.headers.get('etag') };
}

describe('keys that ask one after another', () => {
  const HOLDERS: readonly Holder[] = ['full', 'data', 'ops', 'freeData'];
  const answers = new Map<string, Given>();
  const of = (holder: Holder, path: string) => answers.get(`${holder} ${path}`) as Given;
  const pathsOf = (route: (typeof PROMISED)[number]) => {
    const path = (addressesOf(route.path)[0] ?? '').replace('limit=500', 'limit=10');
    const short = route.kind === 'list' && !path.includes('limit=') ? withPair(path, 'limit=10') : path;
    return route.path === '/observations' ? [short, inForm(short, 'csv')] : [short];
  };

  // Empty pairs change nothing, but the address under which an answer is kept: so the second pass begins anew.
  it.each(PROMISED.map((route) => [route.path, route] as const))(
    'get from %s the same answer in either order as alone',
    async (_path, route) => {
      for (const path of pathsOf(route)) {
        for (const holder of HOLDERS) answers.set(`${holder} ${path}`, await given(path, holder));
        const again = path.includes('?') ? `${path}&` : `${path}?`;
        for (const holder of HOLDERS.toReversed()) expect([holder, await given(again, holder)]).toEqual([holder, of(holder, path)]);
        for (const holder of HOLDERS) expect([holder, await given(path, holder)]).toEqual([holder, of(holder, path)]);
        const conditions: unknown[] = [];
        for (const holder of HOLDERS.filter((one) => of(one, path).status === 200)) {
          const own = of(holder, path);
          const foreign = HOLDERS.map((one) => of(one, path)).filter((one) => one.status === 200 && one.text !== own.text);
          const held = async (tags: readonly (string | null)[]) => (await asked(path, holder, { 'if-none-match': tags.join(', ') })).status;
          const isShared = foreign.some((one) => one.tag === own.tag);
          conditions.push([holder, isShared, await held(foreign.map((one) => one.tag)), await held([own.tag])]);
        }
        const expected = HOLDERS.filter((one) => of(one, path).status === 200).map((holder) => [holder, false, 200, 304]);
        expect(conditions).toEqual(expected);
      }
    },
  );

  it('see the place of a raw payload only with ops:read', async () => {
    const path = `/provenance/observations/${ids['/provenance/observations/{observationId}']?.[0]}`;
    const locators = async (holders: readonly Holder[], address: string) => {
      const seen: [Holder, number, string | null][] = [];
      for (const holder of holders) {
        const response = await asked(address, holder);
        const { data } = (await response.json()) as { data?: { rawPayload: { locator: string | null } } };
        seen.push([holder, response.status, data?.rawPayload.locator?.replace(/[0-9a-f]{64}/, 'sha256') ?? null]);
      }
      return seen;
    };
    const place = expect.stringMatching(/^raw\/objects\/[0-9a-f]{2}\/sha256\.gz$/);
    const expected = [
      ['full', 200, place],
      ['data', 200, null],
      ['ops', 403, null],
      ['admin', 200, place],
      ['free', 200, place],
      ['freeData', 200, null],
    ];
    const all: readonly Holder[] = ['full', 'data', 'ops', 'admin', 'free', 'freeData'];
    expect(await locators(all, path)).toEqual(expected);
    expect(await locators(all.toReversed(), `${path}?`)).toEqual(expected.toReversed());
  });
});

describe('cached answers', () => {
  it('change at midnight, when the free window moves by a day', async () => {
    const path = '/observations?indicator_id=price_close&entity=company_0001000001&limit=3';
    const first = async () => {
      const response = await asked(path, 'free');
      return { tag: response.headers.get('etag') ?? '', first: ((await response.json()) as ListBody).data[0]?.['periodEnd'] };
    };
    const now = service.clock.now;
    service.clock.now = Date.parse('2026-06-20T23:59:59.000Z');
    const [before, kept] = [await first(), await first()];
    service.clock.now = Date.parse('2026-06-21T00:00:00.000Z');
    const stale = await asked(path, 'free', { 'if-none-match': before.tag });
    const after = await first();
    service.clock.now = now;
    expect([before.first, kept.first, after.first, stale.status]).toEqual(['2024-06-20', '2024-06-20', '2024-06-21', 200]);
    expect(kept.tag).toBe(before.tag);
    expect(after.tag).not.toBe(before.tag);
  });
});

describe('a grant of the prices', () => {
  const NOTE = 'Contract 17 with the vendor';
  const priced = asIds([...MULTIPLES]);
  const prices = () => new Set(valueOf('price_close', (one) => isTelling(one.value)).map((one) => one.value));
  const multiples = () => new Set(lake.told.filter((one) => priced.has(one.canonicalId) && isTelling(one.value)).map((one) => one.value));
  const grant = async (change: Partial<GrantRequest> = {}) => {
    const request = { sourceId: 'quotes', note: NOTE, until: null, redistribute: false, ...change };
    await grantRights(grantFile(lake.pipeline.dataDir), request, 'operator', service.clock.now);
    await service.follow();
  };
  const revoke = async () => {
    await revokeRights(grantFile(lake.pipeline.dataDir), 'quotes', 'operator', service.clock.now);
    await service.follow();
  };
  /** The multiples, or the prices, that a route shows in a form. */
  const shownBy = async (path: string, form: Form, holder: Holder = 'full') => {
    const route = PROMISED.find((one) => one.path === path);
    if (route === undefined) throw new RangeError(path);
    const { found } = await scanned(route, form, holder);
    const [ofPrices, ofMultiples] = [prices(), multiples()];
    return {
      prices: found.some(({ number }) => ofPrices.has(number)),
      multiples: found.some(({ number }) => ofMultiples.has(number)),
    };
  };
  const NONE = { prices: false, multiples: false };
  const BOTH = { prices: true, multiples: true };
  const DERIVED: readonly Form[] = isLong ? ['json', ...BULK_FORMS] : ['json', 'parquet'];
  const ASKED = CASES.filter(([, form]) => DERIVED.includes(form));
  const PUBLIC = ASKED.filter(([path]) => path.startsWith('/public/'));
  afterEach(revoke);

  it('for own use shows multiples on the full surface in every form, with the note of the operator, and nothing on /public/*', async () => {
    const path = '/observations?indicator_id=price_close,price_to_earnings&limit=500';
    const before = await given(path, 'full');
    await grant();
    const after = await given(path, 'full');
    expect([after.status, after.tag === before.tag]).toEqual([200, false]);
    for (const form of DERIVED) {
      expect([form, (await shownBy('/derived-observations', form)).multiples]).toEqual([form, true]);
      expect([form, await shownBy('/observations', form)]).toEqual([form, BOTH]);
    }
    for (const [route, form] of PUBLIC) expect([route, form, await shownBy(route, form)]).toEqual([route, form, NONE]);
    const rows = (await listed(path)).data;
    const rights = { redistributable: false, license: 'Vendor terms', note: NOTE };
    expect(new Set(rows.map((row) => JSON.stringify(row['rights'])))).toEqual(new Set([JSON.stringify(rights)]));
    expect(new Set(rows.map((row) => row['indicatorId']))).toEqual(
      new Set(['company_0001000001_price_close', 'company_0001000001_price_to_earnings']),
    );
    const withheld = (await listed('/derived-indicators?availability=internal_only&limit=500')).data.map((row) => String(row['slug']));
    expect(withheld.toSorted()).toEqual(['cpi_inflation_mom', 'cpi_inflation_quarterly', 'cpi_inflation_yoy']);
    const [company] = (await listed('/public/companies?ticker=T1000001')).data;
    expect(company).toMatchObject({
      price: null,
      marketCap: null,
      rightsNote: expect.stringMatching(/own use.*npm run rights -- grant quotes --note TEXT --redistribute\.$/) as string,
    });
    expect(company?.['nullReasons']).toMatchObject({ price: 'no_redistribution', priceToSales: 'no_redistribution' });
    await revoke();
    const gone = await given(path, 'full');
    expect([gone.text, gone.tag]).toEqual([before.text, before.tag]);
    for (const form of DERIVED) expect([form, await shownBy('/derived-observations', form)]).toEqual([form, NONE]);
  });

  it('with redistribution shows them on /public/* too: companies, screener, its fields, observations', async () => {
    await grant({ redistribute: true });
    for (const form of DERIVED) expect([form, await shownBy('/public/observations', form)]).toEqual([form, BOTH]);
    for (const form of DERIVED) expect([form, (await shownBy('/public/screener', form)).multiples]).toEqual([form, true]);
    expect(await shownBy('/public/companies', 'json')).toEqual(BOTH);
    const fields = (await listed('/public/screener/filters?limit=500')).data.map((row) => String(row['field']));
    expect(fields).toEqual(expect.arrayContaining([...MULTIPLES, ...SCORES]));
    const columns = `universe=companies&eligible_only=false&filter=name:is:notnull&columns=${SCORES.join(',')}`;
    const { data, meta } = await listed(`/public/screener?${columns}`);
    expect(meta.hints).toBeUndefined();
    const companies = new Map(
      (await listed('/public/companies?limit=500')).data.map((one) => [one['entityId'], Object(one['scores']) as Row]),
    );
    const scores = data.map((one) => [
      one['entityId'],
      Object.values(Object(one['values'])).map((cell) => Object(cell)['value'] as unknown),
    ]);
    expect(scores).toEqual(
      [...companies].map(([id, { composite, financialHealth, growth, quality, value }]) => [
        id,
        [composite, financialHealth, growth, quality, value],
      ]),
    );
    expect(scores.flat(2).filter((one) => typeof one === 'number').length).toBeGreaterThan(3);
    const [company] = (await listed('/public/companies?ticker=T1000001')).data;
    expect(company).toMatchObject({ priceAsOf: '2026-06-16', rightsNote: null });
    expect(Object.keys(Object(company?.['nullReasons']))).not.toContain('price');
    const [row] = (await listed('/observations/latest?indicator_id=price_to_earnings')).data;
    expect(row?.['rights']).toEqual({ redistributable: true, license: 'Vendor terms', note: NOTE });
    const found = await listed('/public/screener?universe=companies&eligible_only=false&filter=price_to_earnings:gt:-1');
    expect(found.data.map((one) => one['entityId'])).toEqual(['company_0001000001']);
    await revoke();
    for (const [route, form] of PUBLIC) expect([route, form, await shownBy(route, form)]).toEqual([route, form, NONE]);
  });

  it('opens no other source: consumer prices and values computed from them stay withheld', async () => {
    await grant({ redistribute: true });
    const others = new Set(
      lake.told.filter((one) => one.canonicalId.startsWith('cpi_inflation') && isTelling(one.value)).map((one) => one.value),
    );
    expect(others.size).toBeGreaterThan(10);
    for (const [, form, route] of ASKED) {
      const { found } = await scanned(route, form, 'admin');
      expect([route.path, form, found.filter(({ number }) => others.has(number))]).toEqual([route.path, form, []]);
    }
  });

  it('ends after its last day, even if the file does not change', async () => {
    const now = service.clock.now;
    await grant({ until: '2026-06-20' });
    expect((await shownBy('/derived-observations', 'json')).multiples).toBe(true);
    service.clock.now = Date.parse('2026-06-20T23:59:59.999Z');
    expect((await shownBy('/derived-observations', 'json')).multiples).toBe(true);
    service.clock.now = Date.parse('2026-06-21T00:00:00.000Z');
    expect(await shownBy('/derived-observations', 'json')).toEqual(NONE);
    service.clock.now = now;
  });
});
