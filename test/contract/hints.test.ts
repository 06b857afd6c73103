// Misspelt names over all routes, each with the known one that was meant, by hand: in meta.hints of an empty list, in the details of a refusal.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeParameters } from '../../src/http/description/described-parameters.ts';
import { filledExample } from '../../src/http/description/openapi.ts';
import { routes } from '../../src/routes/index.ts';
import { type KeyName, type RunningService, startSampleService } from '../service.ts';
import { isLong } from '../suite.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startSampleService();
});
afterAll(() => service.stop());

interface Body {
  readonly data?: readonly unknown[] | { readonly series: readonly unknown[] };
  readonly meta?: { readonly hints?: readonly { readonly parameter: string; readonly message: string; readonly nearest?: string }[] };
  readonly error?: { readonly message: string; readonly details?: Readonly<Record<string, unknown>> };
}

const ask = async (path: string, key: KeyName = 'full') => {
  const response = await service.get(path, { key });
  return { status: response.status, body: (await response.json()) as Body };
};

/** Route, parameter, as it was sent, what was meant. */
type Misspelt = readonly [route: string, parameter: string, sent: string, meant: string];

const OBSERVATION_ROUTES = [
  '/observations',
  '/observations/latest',
  '/observations/changes',
  '/public/observations',
  '/public/observations/latest',
  '/platform/macro-data',
  '/entities/us/observations',
];

const EMPTY: readonly Misspelt[] = [
  ...OBSERVATION_ROUTES.flatMap((route): readonly Misspelt[] => [
    [route, 'indicator_id', 'us_nonfarm_payrols', 'us_nonfarm_payrolls'],
    [route, 'source_id', 'fredmd', 'fred_md'],
  ]),
  ['/observations', 'indicatorId', 'consumer_confidance', 'consumer_confidence'],
  ['/observations', 'indicator_id', 'us_treasury_yeild_10y', 'us_treasury_yield_10y'],
  ['/observations', 'indicator', 'unemploymet_rate', 'unemployment_rate'],
  // Words that no identifier has.
  ['/observations', 'indicator_id', 'unrate', 'unemployment_rate'],
  ['/public/observations/latest', 'indicator', 'US inflation', 'cpi_inflation_yoy'],
  ['/observations', 'entity', 'afganistan', 'afghanistan'],
  ['/observations', 'entity', 'company_999999900', 'company_9999999001'],
  ['/observations', 'entity', 'ZZSMC', 'ZZSMA'],
  ['/observations', 'entity', '04360', 'cftc_043602'],
  ['/observations', 'country', 'germny', 'germany'],
  ['/observations', 'country', 'argentna', 'argentina'],
  ['/observations', 'provider_id', 'us_bureau_of_labour_statistics', 'us_bureau_of_labor_statistics'],
  ['/observations', 'currency', 'UXD', 'USD'],
  ['/public/observations', 'entity', 'sample softwar inc', 'Sample Software Inc'],
  ['/public/observations/latest', 'country', 'frnace', 'france'],
  ['/platform/macro-data', 'entity', 'bank-of-canda', 'bank-of-canada'],
  ['/indicators', 'indicator_id', 'retail_sale', 'retail_sales'],
  ['/indicators', 'category', 'sentimnet', 'sentiment'],
  ['/indicators', 'country', 'itlay', 'italy'],
  ['/indicators/series', 'source_id', 'worldbank', 'world_bank'],
  ['/indicators/series', 'provider_id', 'world bnk', 'World Bank'],
  ['/entities', 'country', 'portugall', 'portugal'],
  ['/countries/available-indicators', 'country', 'swedn', 'sweden'],
  ['/derived-indicators', 'family', 'macro_transfrom', 'macro_transform'],
  ['/derived-observations', 'indicator_id', 'indicator_cpi_inflaton_yoy', 'cpi_inflation_yoy'],
  ['/derived-observations', 'indicator_id', 'price-to-earning', 'price_to_earnings'],
  ['/derived-observations', 'entity', 'untied-states', 'united-states'],
  ['/derived-observations', 'source_id', 'cftc_legcy', 'cftc_legacy'],
  ['/public/screener', 'country', 'spian', 'spain'],
  ['/public/screener', 'sector', 'Manufactoring', 'Manufacturing'],
  ['/public/companies', 'sector', 'Servces', 'Services'],
  ['/public/companies', 'industry', 'Services-Prepackaged Sofware', 'Services-Prepackaged Software'],
  ['/public/companies', 'ticker', 'ZZSNB', 'ZZSMB'],
  ['/public/companies', 'country', 'untied kingdom', 'united kingdom'],
  ['/events', 'entity', 'cb_fedd', 'cb_fed'],
  ['/events', 'country', 'cannada', 'canada'],
  ['/economic-calendar', 'indicator_id', 'us_gdp_nominl', 'us_gdp_nominal'],
  ['/economic-calendar', 'country', 'united-sttes', 'united-states'],
  ['/economic-calendar', 'category', 'ouput', 'output'],
  ['/source-health', 'source_id', 'ecb_fxx', 'ecb_fx'],
  ['/source-health', 'source_id', 'bls_calender', 'bls_calendar'],
  ['/quarantine', 'source_id', 'cb_meeting', 'cb_meetings'],
  ['/quarantine', 'indicator_id', 'us_initial_jobles_claims', 'us_initial_jobless_claims'],
  ['/quarantine', 'entity_id', 'company_999999902', 'company_9999999002'],
  ['/ops/liveness', 'source_id', 'us_cesus', 'us_census'],
];

const REFUSED: readonly Misspelt[] = [
  ['/observations', 'indicator_di', 'x', 'indicator_id'],
  ['/observations', 'frequency', 'montly', 'monthly'],
  ['/observations', 'importance', 'hihg', 'high'],
  ['/observations', 'freshness', 'stael', 'stale'],
  ['/observations', 'vintage', 'frist', 'first'],
  ['/observations', 'format', 'parqet', 'parquet'],
  ['/observations?format=csv', 'columns', 'perod_end', 'period_end'],
  ['/observations?format=parquet', 'columns', 'observationID', 'observationId'],
  ['/entities', 'entity_type', 'contry', 'country'],
  ['/entities/resolve?alias=x', 'alias_type', 'tickr', 'ticker'],
  ['/derived-indicators', 'availability', 'publc', 'public'],
  ['/public/screener', 'universe', 'companes', 'companies'],
  ['/public/screener', 'filter', 'unemployment_rat:gt:3', 'unemployment_rate'],
  ['/public/screener', 'filter', 'Jobless Rate:gt:3', 'unemployment_rate'],
  ['/public/screener', 'filter', 'Consumer Price Inflation:gt:3', 'cpi_inflation_yoy'],
  // No company has it, and its empty list says so.
  ['/public/screener?universe=companies', 'filter', 'Jobless Rate:gt:3', 'unemployment_rate'],
  ['/public/screener', 'columns', 'cpi_inflation_yy', 'cpi_inflation_yoy'],
  ['/public/screener', 'rank_by', 'consumer_confidnce', 'consumer_confidence'],
  ['/quarantine', 'rule', 'scale_jmp', 'scale_jump'],
  ['/quarantine', 'severity', 'blok', 'block'],
  ['/events', 'event_type', 'policy_statment', 'policy_statement'],
  ['/economic-calendar', 'status', 'schedueld', 'scheduled'],
  ['/ops/liveness', 'verdict', 'frozn', 'frozen'],
  ['/companies/ZZSMB/financials', 'statement', 'balance_shet', 'balance_sheet'],
];

/** Path, the misspelt name within it, what was meant. */
const NOT_FOUND = [
  ['/entities/frnace', 'idOrSlug', 'france'],
  ['/entities/cb_fedd/aliases', 'idOrSlug', 'cb_fed'],
  ['/entities/germny/observations', 'entityId', 'germany'],
  ['/entities/resolve?alias=Germny', 'alias', 'Germany'],
  ['/entities/resolve?alias=ZZSMC', 'alias', 'ZZSMA'],
  ['/countries/protugal', 'idOrIso', 'portugal'],
  ['/derived-indicators/indicator_gdp_grwth', 'idOrSlug', 'gdp_growth'],
  ['/indicators/entities?indicator_id=consumer_confidnce', 'indicator_id', 'consumer_confidence'],
  ['/indicators/entities?indicator_id=unrate', 'indicator_id', 'unemployment_rate'],
  ['/companies/ZZSMBB/financials', 'idOrLookup', 'ZZSMB'],
  ['/companies/company_999999901/financials', 'idOrLookup', 'company_9999999001'],
] as const;

const withPair = (path: string, name: string, value: string) =>
  `${path}${path.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`;

describe('a misspelt name', () => {
  it('is tested on all routes that take one', () => {
    expect(EMPTY.length + REFUSED.length + NOT_FOUND.length).toBeGreaterThan(85);
  });

  it.each(EMPTY)('of %s in %s, %s, gives an empty list and a hint with %s', async (route, parameter, sent, meant) => {
    const { status, body } = await ask(withPair(route, parameter, sent));
    const rows = Array.isArray(body.data) ? body.data : (body.data as { readonly series: readonly unknown[] }).series;
    expect([status, rows]).toEqual([200, []]);
    const hint = body.meta?.hints?.find((one) => one.nearest !== undefined);
    expect([hint?.nearest, hint?.message]).toEqual([meant, expect.stringMatching(new RegExp(`^There is no .* Did you mean ${meant}\\?$`))]);
    expect(hint?.parameter).toBe(parameter === 'indicatorId' ? 'indicator_id' : parameter);
  });

  it.each(REFUSED)('of %s in %s, %s, is refused, with %s as the nearest', async (route, parameter, sent, meant) => {
    const { status, body } = await ask(withPair(route, parameter, sent));
    expect([status, body.error?.details?.['nearest']]).toEqual([400, meant]);
    expect(body.error?.message).toContain(`Did you mean \`${meant}\`?`);
  });

  it.each(NOT_FOUND)('in the path %s is not found, with %s as the nearest: %s', async (path, parameter, meant) => {
    const { status, body } = await ask(path);
    expect([status, body.error?.details?.['nearest']]).toEqual([404, meant]);
    expect(body.error?.message).toMatch(new RegExp(` Did you mean ${meant}\\?$`));
    expect(Object.keys(body.error?.details ?? {})).toEqual([parameter, 'nearest']);
  });

  it('that is unlike any known name is reported without a suggestion', async () => {
    for (const path of ['/observations?entity=qqqqqqqqqqqq', '/public/companies?ticker=QQQQQQQQ', '/source-health?source_id=qqqqqqqqqqq']) {
      const [hint, ...more] = (await ask(path)).body.meta?.hints ?? [];
      expect([path, hint?.nearest, hint?.message.startsWith('There is no '), more]).toEqual([path, undefined, true, []]);
    }
  });
});

it.each([
  '/derived-observations?indicator_id=forecast_baseline',
  '/derived-observations?indicator_id=indicator_forecast_baseline',
  '/observations?indicator_id=forecast_baseline',
  '/observations/latest?indicator=forecast_baseline',
])('%s leads to the route of the forecasts', async (path) => {
  const { body } = await ask(path);
  expect([body.data, body.meta?.hints?.map(({ message }) => message)]).toEqual([
    [],
    ['Forecasts are on /platform/macro-data; /derived-indicators/forecast_baseline describes them.'],
  ]);
});

describe('a cutoff before anything was known', () => {
  it.each([
    ['/observations?indicator_id=us_nonfarm_payrolls', 'vintage'],
    ['/observations/latest?country=US', 'vintage'],
    ['/derived-observations?indicator_id=cpi_inflation_yoy', 'vintage'],
    ['/indicators?country=US', 'vintage'],
    ['/indicators/entities?indicator_id=consumer_confidence', 'vintage'],
    ['/countries/available-indicators?country=US', 'vintage'],
    ['/public/screener?filter=unemployment_rate:gt:0', 'vintage'],
    ['/public/companies?ticker=ZZSMB', 'company'],
    ['/companies/ZZSMB/financials?statement=income', 'statement'],
    ['/events?country=US', 'event'],
    ['/economic-calendar?country=US', 'entry'],
  ])('of %s gives the time at which the first %s became known, and has rows from then on', async (path, what) => {
    const { body } = await ask(`${path}&as_of=1900-01-01`);
    expect(body.data).toEqual([]);
    const [hint, ...more] = body.meta?.hints ?? [];
    expect([hint?.parameter, hint?.message.includes(`the first ${what} became known at`), more]).toEqual(['as_of', true, []]);
    const then = await ask(`${path}&as_of=${hint?.nearest}`);
    expect([(then.body.data as readonly unknown[]).length > 0, then.body.meta?.hints]).toEqual([true, undefined]);
  });
});

describe('a period whose first print is yet to come', () => {
  it.each([
    '/observations?indicator_id=us_nonfarm_payrolls&source_id=fred_md&period=2020-04',
    '/observations?indicator_id=us_nonfarm_payrolls&source_id=fred_md&start_date=2020-04-01&end_date=2020-04-30',
    '/derived-observations?indicator_id=cpi_inflation_yoy&country=US&period=2020-04',
  ])('of %s says when it became known, and has rows from then on', async (path) => {
    const { body } = await ask(`${path}&as_of=2020-04-20`);
    expect(body.data).toEqual([]);
    const [hint, ...more] = body.meta?.hints ?? [];
    expect([hint?.parameter, hint?.nearest?.slice(0, 7), more]).toEqual(['as_of', '2020-05', []]);
    const then = await ask(`${path}&as_of=${hint?.nearest}`);
    expect([(then.body.data as readonly unknown[]).length > 0, then.body.meta?.hints]).toEqual([true, undefined]);
  });
});

describe('a misspelt field of a screen', () => {
  it('of which nothing is known gets the nearest field with data', async () => {
    const { body: listed } = await ask('/canonical-indicators?limit=500');
    const all = listed.data as readonly { canonicalIndicatorId: string; screenable: boolean; observationCount: number }[];
    const empty = all.filter((one) => one.screenable && one.observationCount === 0).slice(0, 12);
    expect(empty.length).toBeGreaterThan(3);
    for (const { canonicalIndicatorId } of empty) {
      const { status, body } = await ask(`/public/screener?filter=${canonicalIndicatorId}x:gt:0`);
      const nearest = body.error?.details?.['nearest'] as string | undefined;
      const found = await ask(`/public/screener?limit=1&eligible_only=false&filter=${nearest}:is:notnull`);
      expect([canonicalIndicatorId, nearest, status, found.body.data]).toEqual([
        canonicalIndicatorId,
        expect.any(String),
        400,
        [expect.anything()],
      ]);
    }
  });
});

describe('a misspelt field without a match', () => {
  it('gets the nearest field with data, whose empty list says why', async () => {
    // Before anything was known, no field has a value.
    const { body } = await ask('/public/screener?as_of=1950-01-01&filter=unemployment_rat:gt:0');
    expect(body.error?.details?.['nearest']).toBe('unemployment_rate');
    const { body: then } = await ask('/public/screener?as_of=1950-01-01&filter=unemployment_rate:gt:0');
    expect([then.data, (then.meta?.hints ?? []).length > 0]).toEqual([[], true]);
  });
});

describe('the universe of a screen', () => {
  it.each([
    ['entity_type=company', 'companies'],
    ['entity_type=region', 'entities'],
    ['universe=companies&entity_type=country', 'countries'],
  ])('without data for %s names %s', async (pairs, nearest) => {
    const { body } = await ask(`/public/screener?${pairs}`);
    expect([body.data, body.meta?.hints?.map((hint) => [hint.parameter, hint.nearest])]).toEqual([[], [['universe', nearest]]]);
  });
});

describe('rows outside the window of a free key', () => {
  it.each(['/events?end_date=2001-01-01', '/economic-calendar?end_date=2001-01-01', '/companies/ZZSMB/financials?fiscal_year=2001'])(
    'of %s are explained by the tier of the key',
    async (path) => {
      const [free, full] = [await ask(path, 'free'), await ask(path)];
      expect([free.body.data, full.body.meta?.hints]).toEqual([[], undefined]);
      expect(free.body.meta?.hints?.map((hint) => hint.message)).toEqual([
        expect.stringMatching(/^A key of the free tier sees .* 2024-11-21/),
      ]);
    },
  );
});

describe('a key', () => {
  it('of operations sees only names that its own routes show', async () => {
    // Antarctica stands among the entities, and has no series.
    const { body } = await ask('/quarantine?entity_id=antarctca', 'ops');
    expect(body.meta?.hints).toEqual([{ parameter: 'entity_id', message: 'There is no entity with series antarctca.' }]);
    expect((await ask('/observations?entity=antarctca')).body.meta?.hints?.[0]?.nearest).toBe('antarctica');
  });
});

it('a count of first prints names the period that it leaves out, in the singular for one row', async () => {
  const question = '/observations?indicator_id=us_nonfarm_payrolls&source_id=fred_md&vintage=first';
  const [one] = (await ask(`${question}&period=2019-12`)).body.meta?.hints ?? [];
  expect(readFileSync('docs/reference/contract.md', 'utf8')).toContain(`"message": "${one?.message}"`);
  expect(one?.message).toMatch(/^1 row is left out because its period has no first print: the period was loaded late, /);
  const [several] = (await ask(`${question}&period=2019`)).body.meta?.hints ?? [];
  expect(several?.message).toMatch(/^\d+ rows are left out because their periods have no first print: the periods were loaded late, /);
});

it('answers with rows have no hint, except the count of backfills that first prints leave out', async () => {
  const asked = routes
    .filter((route) => route.kind === 'list')
    .flatMap((route) => {
      const path = filledExample(route);
      const known = new Set([...new URLSearchParams(path.split('?')[1])].map(([name]) => name));
      // A panel takes one of country, entity and group.
      const more = describeParameters(route).filter(
        (one) =>
          one.in === 'query' &&
          one.example !== null &&
          !known.has(one.name) &&
          !(known.has('factor') && ['entity', 'group'].includes(one.name)),
      );
      return [path, ...more.filter((one) => one.name !== 'format').map((one) => withPair(path, one.name, String(one.example)))];
    });
  const told: unknown[] = [];
  const drawn = asked.filter((_, place) => isLong || place % 3 === 0);
  let withRows = 0;
  for (const path of drawn) {
    const { status, body } = await ask(path, 'admin');
    const rows = Array.isArray(body.data) ? body.data.length : -1;
    if (rows > 0) withRows += 1;
    const hints = body.meta?.hints?.filter(({ message }) => !message.includes('include_backfill=true')) ?? [];
    if (status !== 200 || (rows > 0 && hints.length > 0)) told.push([path, status, hints]);
  }
  expect([told, withRows > 0.7 * drawn.length]).toEqual([[], true]);
});
