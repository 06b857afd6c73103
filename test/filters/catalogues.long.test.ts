// Every filter of every other list: the answer with it is the answer without it, left to the rows that the test itself would keep, in the same order.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLong } from '../suite.ts';
import { FILLED, PARAMETERS, REQUIRED } from './contract-table.ts';
import { FIRST_ARRIVAL, type FilterService, type Row, SECOND_ARRIVAL, startFilterService, STARTING_MS } from './lake.ts';
import { grouped } from './views.ts';

interface Question {
  readonly name: string;
  readonly value: string;
  readonly keeps: (row: Row) => boolean;
}

interface Listing {
  readonly path: string;
  readonly questions: readonly Question[];
}

let service: FilterService;
let importanceOf: ReadonlyMap<unknown, unknown>;
let providerOf: ReadonlyMap<unknown, unknown>;

beforeAll(async () => {
  service = await startFilterService();
  importanceOf = new Map((await everything('/canonical-indicators')).map((row) => [row['canonicalIndicatorId'], row['importance']]));
  providerOf = new Map((await everything('/observations')).map((row) => [row['indicatorId'], row['provider']]));
}, STARTING_MS);
afterAll(() => service.stop());

/** All rows of a list, page by page; the series of a report. */
async function everything(path: string): Promise<readonly Row[]> {
  if (path.startsWith('/ops/liveness')) return service.rows(path);
  const asked = `${path}${path.includes('?') ? '&' : '?'}limit=500`;
  const rows: Row[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await service.list(cursor === '' ? asked : `${asked}&cursor=${cursor}`);
    rows.push(...page.data);
    cursor = page.meta.pagination.next_cursor;
  }
  return rows;
}

const is = (name: string, field: string, ...values: readonly string[]): readonly Question[] =>
  values.map((value) => ({ name, value, keeps: (row) => row[field] === value }));
const asked = (name: string, value: string, keeps: (row: Row) => boolean): Question => ({ name, value, keeps });
const NOTHING = () => false;
const has = (text: unknown, part: string) => (typeof text === 'string' ? text : '').toLowerCase().includes(part.toLowerCase());

const country: readonly Question[] = [
  asked('country', 'US', (row) => row['country'] === 'US'),
  asked('country', 'usa', (row) => row['country'] === 'US'),
  asked('country', 'united-states', (row) => row['country'] === 'US'),
  asked('country', 'SWE', (row) => row['country'] === 'SE'),
  asked('country', 'nowhere', NOTHING),
];

const daysOf = (field: string, days: readonly string[]): readonly Question[] =>
  days.flatMap((day) => [
    asked('start_date', day, (row) => String(row[field]).slice(0, 10) >= day),
    asked('end_date', day, (row) => String(row[field]).slice(0, 10) <= day),
  ]);

const importance = is('importance', 'importance', 'low', 'medium', 'high');

const series: readonly Question[] = [
  ...country,
  asked('country', 'FR,se', (row) => row['country'] === 'FR' || row['country'] === 'SE'),
  asked('entity', 'us', (row) => row['entityId'] === 'us'),
  asked('entity', 'France,cur_usd', (row) => row['entityId'] === 'fr' || row['entityId'] === 'cur_usd'),
  asked('entity', 'us', (row) => row['entityId'] === 'us'),
  asked('entity', 'nowhere', NOTHING),
  asked('indicator_id', 'consumer_confidence', (row) => row['canonicalIndicatorId'] === 'consumer_confidence'),
  asked('indicator_id', 'us_cpi,fr_consumer_confidence', (row) =>
    ['us_cpi', 'fr_consumer_confidence'].includes(String(row['indicatorId'])),
  ),
  asked('indicator', 'nonfarm-payrolls', (row) => row['canonicalIndicatorId'] === 'nonfarm_payrolls'),
  asked('indicator', 'us_cpi', (row) => row['indicatorId'] === 'us_cpi'),
  asked('indicator', 'no_such_thing', NOTHING),
  ...is('source_id', 'sourceId', 'fred', 'dg_ecfin', 'ecb_fx'),
  asked('provider_id', 'asof', (row) => providerOf.get(row['indicatorId']) === 'asof'),
  asked('provider_id', 'us_bureau_of_labor_statistics', (row) => providerOf.get(row['indicatorId']) === 'US Bureau of Labor Statistics'),
  asked('provider_id', 'World Bank', (row) => providerOf.get(row['indicatorId']) === 'World Bank'),
  ...is('frequency', 'frequency', 'daily', 'weekly', 'monthly', 'quarterly', 'annual', 'event', 'static'),
  ...['low', 'medium', 'high'].map((value) => asked('importance', value, (row) => importanceOf.get(row['canonicalIndicatorId']) === value)),
  ...is('freshness', 'freshnessStatus', 'fresh', 'stale', 'unknown'),
  ...is('category', 'category', 'labour', 'sentiment', 'foreign_exchange'),
  asked('category', 'LABOUR', (row) => row['category'] === 'labour'),
];

const ticker = (wanted: string) => (row: Row) => (row['tickers'] as readonly string[]).includes(wanted);
const isInstant = (row: Row) => row['periodType'] === 'instant';

const at = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString();

const LISTINGS: readonly Listing[] = [
  {
    path: '/entities',
    questions: [
      ...is(
        'entity_type',
        'entityType',
        'country',
        'currency_area',
        'region',
        'central_bank',
        'company',
        'futures_contract',
        'instrument',
        'index',
        'commodity',
        'currency',
      ),
      ...country,
      ...is('status', 'status', 'active', 'inactive', 'merged'),
    ],
  },
  {
    path: '/countries/available-indicators',
    questions: [
      asked('country', 'US', (row) => row['countryId'] === 'US'),
      asked('country', 'swe', (row) => row['countryId'] === 'SE'),
      asked('country', 'France', (row) => row['countryId'] === 'FR'),
      asked('country', 'nowhere', NOTHING),
    ],
  },
  { path: '/indicators', questions: series },
  // The same series as /indicators has.
  { path: '/indicators/series', questions: isLong ? series : grouped(series, ({ name }) => name).flatMap((those) => those.slice(0, 2)) },
  {
    path: '/derived-indicators',
    questions: [
      ...is('family', 'family', 'macro_transform', 'positioning', 'none'),
      ...is('availability', 'availability', 'public', 'internal_only'),
    ],
  },
  {
    path: '/events',
    questions: [
      ...is(
        'event_type',
        'eventType',
        'policy_decision',
        'policy_statement',
        'minutes',
        'speech',
        'data_release',
        'filing',
        'auction',
        'other',
      ),
      ...country,
      asked('entity', 'cb_riksbank', (row) => row['entityId'] === 'cb_riksbank'),
      asked('entity', 'United-States', (row) => row['entityId'] === 'us'),
      asked('entity', 'nobody', NOTHING),
      ...importance,
      ...is('status', 'status', 'scheduled', 'occurred', 'postponed', 'cancelled'),
      ...daysOf('occurredAt', ['2030-03-20', '2030-03-21', '2025-02-10', '2030-06-14', '2030-06-13', '1901-01-01', '2099-01-01']),
      ...['policy', 'BANK RATE', 'period 2030-05', 'items 2.02', 'nothing of this'].map((q) =>
        asked('q', q, (row) => has(row['title'], q) || has(row['summary'], q)),
      ),
    ],
  },
  {
    path: '/economic-calendar',
    questions: [
      ...country,
      asked('indicator_id', 'cpi', (row) => row['canonicalIndicatorId'] === 'cpi'),
      asked('indicator_id', 'US_CPI', (row) => row['indicatorId'] === 'us_cpi'),
      asked('indicator_id', 'job_openings,policy_rate', (row) =>
        ['job_openings', 'policy_rate'].includes(String(row['canonicalIndicatorId'])),
      ),
      asked('indicator_id', 'no_such_thing', NOTHING),
      ...importance,
      ...is('category', 'category', 'rates', 'labour', 'prices', 'housing'),
      ...is('status', 'status', 'scheduled', 'released', 'postponed', 'cancelled'),
      ...daysOf('scheduledAt', ['2030-06-04', '2030-06-14', '2030-05-03', '2030-03-21', '1901-01-01', '2099-01-01']),
    ],
  },
  {
    path: '/public/companies',
    questions: [
      ...is('sector', 'sector', 'Manufacturing', 'Services'),
      asked('sector', 'manufacturing', (row) => row['sector'] === 'Manufacturing'),
      asked('sector', 'Manufact', NOTHING),
      ...is('industry', 'industry', 'Services-Prepackaged Software', 'Semiconductors & Related Devices'),
      asked('industry', 'services-prepackaged software', (row) => row['industry'] === 'Services-Prepackaged Software'),
      ...country,
      asked('ticker', 'SOFT', ticker('SOFT')),
      asked('ticker', 'soft.b', ticker('SOFT-B')),
      asked('ticker', 'EXMPB', ticker('EXMPB')),
      asked('ticker', 'EXM', NOTHING),
      ...is('status', 'status', 'active', 'delisted', 'acquired', 'unknown'),
    ],
  },
  {
    path: '/companies/{idOrLookup}/financials',
    questions: [
      ...is('statement', 'statementType', 'income', 'balance_sheet', 'cash_flow'),
      asked('period', 'annual', (row) => row['periodType'] === 'annual' || (isInstant(row) && row['fiscalPeriod'] === 'FY')),
      asked('period', 'quarterly', (row) => row['periodType'] === 'quarterly' || isInstant(row)),
      asked('period', 'ttm', (row) => row['periodType'] === 'ttm'),
      ...[2027, 2028, 2029, 2030].map((year) => asked('fiscal_year', String(year), (row) => row['fiscalYear'] === year)),
      ...daysOf('periodEnd', ['2028-12-31', '2028-12-30', '2029-01-01', '2029-06-30']),
    ],
  },
  {
    path: '/source-health',
    questions: [
      ...is('source_id', 'sourceId', 'fred', 'ecb_fx', 'nobody'),
      ...is('status', 'status', 'healthy', 'degraded', 'failing', 'paused', 'unknown'),
      ...is('source_tier', 'sourceTier', 'central_bank', 'official_national', 'market_data', 'news'),
      ...is('freshness', 'freshnessStatus', 'fresh', 'stale', 'unknown'),
    ],
  },
  {
    path: '/quarantine',
    questions: [
      ...is('source_id', 'sourceId', 'fred', 'oecd', 'fred_md', 'nobody'),
      ...is('indicator_id', 'indicatorId', 'de_business_confidence', 'us_industrial_production', 'no_such_thing'),
      asked('indicator_id', 'DE_BUSINESS_CONFIDENCE', (row) => row['indicatorId'] === 'de_business_confidence'),
      ...is('entity_id', 'entityId', 'company_0000099990', 'de', 'nobody'),
      asked('entity_id', 'Germany', (row) => row['entityId'] === 'de'),
      ...is(
        'rule',
        'rule',
        'schema_drift',
        'unit_mismatch',
        'scale_jump',
        'out_of_range',
        'sign_flip',
        'future_period',
        'time_travel',
        'duplicate_conflict',
        'period_regression',
        'identity_unresolved',
        'reconciliation_failed',
      ),
      ...is('severity', 'severity', 'warn', 'block'),
      ...is('status', 'status', 'open', 'released', 'rejected', 'superseded'),
      ...[0, -1, 1].flatMap((ms) => [
        asked('detected_from', at(SECOND_ARRIVAL, ms), (row) => String(row['detectedAt']) >= at(SECOND_ARRIVAL, ms)),
        asked('detected_to', at(FIRST_ARRIVAL, ms), (row) => String(row['detectedAt']) <= at(FIRST_ARRIVAL, ms)),
      ]),
      asked('detected_from', '2030-05-20', (row) => row['detectedAt'] === SECOND_ARRIVAL),
      asked('detected_from', '2030-05-21', NOTHING),
      asked('detected_to', '2030-05-10', (row) => row['detectedAt'] === FIRST_ARRIVAL),
      asked('detected_to', '2030-05-09', NOTHING),
    ],
  },
  {
    path: '/ops/liveness',
    questions: [
      ...is('verdict', 'verdict', 'live', 'late', 'frozen', 'ceased', 'unknown'),
      ...is('source_id', 'sourceId', 'fred', 'dg_ecfin', 'nobody'),
    ],
  },
];

const urlOf = (path: string, ...pairs: readonly string[]) => `${FILLED[path] ?? path}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
const pair = ({ name, value }: Question) => `${name}=${encodeURIComponent(value)}`;

describe.each(LISTINGS.map((one) => [one.path, one] as const))('%s', (_, { path, questions }) => {
  let all: readonly Row[];
  beforeAll(async () => {
    all = await everything(urlOf(path));
  });

  it.each(grouped(questions, ({ name }) => name).map((those) => [those[0]?.name ?? '', those] as const))(
    'returns the rows of %s, and no others',
    async (name, those) => {
      const tells: Question[] = [];
      for (const question of those) {
        const wanted = all.filter(question.keeps);
        expect([question.value, await everything(urlOf(path, pair(question)))]).toEqual([question.value, wanted]);
        if (wanted.length > 0 && wanted.length < all.length) tells.push(question);
      }
      expect([name, tells.length > 0]).toEqual([name, true]);
      const names = PARAMETERS[path]?.[name] ?? [];
      for (const told of tells.slice(0, 1).flatMap((one) => names.map((alias) => ({ ...one, name: alias })))) {
        expect(await everything(urlOf(path, pair(told)))).toEqual(all.filter(told.keeps));
      }
    },
  );

  it('returns the rows that match both filters', async () => {
    const first = grouped(questions, ({ name }) => name).flatMap((those) => those.slice(0, 2));
    const pairs = first.flatMap((one, index) => first.slice(index + 1).map((other) => [one, other] as const));
    const told = pairs.filter(([one, other]) => one.name !== other.name && !(one.name === 'start_date' && other.value < one.value));
    for (const [one, other] of told.filter((_one, index) => index % Math.ceil(told.length / 8) === 0)) {
      const wanted = all.filter((row) => one.keeps(row) && other.keeps(row));
      const query = [pair(one), pair(other)];
      expect([query, await everything(urlOf(path, ...query))]).toEqual([query, wanted]);
    }
  });
});

describe('q', () => {
  const named = (row: Row) => [
    row['name'],
    row['indicatorId'],
    row['canonicalIndicatorId'],
    row['slug'],
    row['cik'],
    ...((row['tickers'] ?? []) as string[]),
  ];
  const SEARCHED = [
    ['/indicators', 'indicator_id', ['payroll', 'CONFIDENCE', 'us_', 'french consumer confidence']],
    ['/indicators/series', 'indicator_id', ['payroll']],
    ['/canonical-indicators', 'canonical_indicator_id', ['payroll', 'confidence france', 'rate']],
    ['/entities', 'name', ['island', 'United', 'euro', 'USA']],
    ['/public/companies', 'name', ['filer', 'SOFT', '99991', 'exmpb', 'works']],
  ] as const;

  it.each(SEARCHED)('of %s finds every row with the text in its names, and the same rows in every order', async (path, sort, questions) => {
    const all = await everything(path);
    const texts = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row));
    for (const q of questions) {
      const searched = `${path}?q=${encodeURIComponent(q)}`;
      const found = new Set(texts(await everything(searched)));
      expect([q, found.size > 0, found.size < all.length]).toEqual([q, true, true]);
      const having = texts(all.filter((row) => named(row).some((text) => has(text, q))));
      expect([q, having.filter((text) => !found.has(text))]).toEqual([q, []]);
      // An entity with exactly that name comes first, whatever its name.
      const inOrder = (some: readonly string[]) => (path === '/entities' ? some.toSorted() : some);
      const sorted = texts(await everything(`${searched}&sort=${sort}`));
      expect(inOrder(sorted)).toEqual(inOrder(texts(all).filter((text) => found.has(text))));
      expect(new Set(texts(await everything(`${searched}&order=desc`)))).toEqual(found);
    }
    expect(await everything(`${path}?q=nothing%20of%20this`)).toEqual([]);
  });

  it('restricts the rows of other filters, in the same order', async () => {
    for (const filter of ['country=FR', 'frequency=monthly', 'category=sentiment']) {
      const both = await everything(`/indicators?q=confidence&${filter}`);
      const rows = new Set((await everything(`/indicators?${filter}`)).map((row) => JSON.stringify(row)));
      expect([filter, both.length > 0]).toEqual([filter, true]);
      expect(both).toEqual((await everything('/indicators?q=confidence')).filter((row) => rows.has(JSON.stringify(row))));
    }
  });

  it('finds an entity by a code, and companies by a ticker that they had', async () => {
    expect((await everything('/entities?q=USA'))[0]).toMatchObject({ entityId: 'us' });
    expect((await everything('/public/companies?q=soft.b'))[0]?.['tickers']).toContain('SOFT-B');
  });

  it('says why it finds nothing, and how it changed the question', async () => {
    const hints = async (path: string) => ((await service.list(path)).meta as unknown as { hints?: unknown }).hints;
    expect(await hints('/indicators?q=qqzzy')).toEqual([
      { parameter: 'q', message: 'No result has all of these words. Try fewer or other words.' },
    ]);
    expect(await hints('/indicators?q=confidnce')).toEqual([
      { parameter: 'q', message: 'No exact match. These results have similar words.' },
    ]);
    expect(await hints('/entities?q=germny')).toEqual([{ parameter: 'q', message: 'No exact match. These results have similar words.' }]);
    expect(await hints('/indicators?q=confidence')).toBeUndefined();
  });
});

describe('/entities/{idOrSlug}/aliases', () => {
  it('are those of this entity only', async () => {
    for (const id of ['us', 'fr']) {
      const aliases = await everything(`/entities/${id}/aliases`);
      expect([aliases.length > 3, new Set(aliases.map((row) => row['entityId']))]).toEqual([true, new Set([id])]);
    }
  });
});

describe('/indicators/entities', () => {
  it.each([
    ['consumer_confidence', (row: Row) => row['canonicalIndicatorId'] === 'consumer_confidence'],
    ['us_nonfarm_payrolls', (row: Row) => row['indicatorId'] === 'us_nonfarm_payrolls'],
    ['Nonfarm-Payrolls', (row: Row) => row['canonicalIndicatorId'] === 'nonfarm_payrolls'],
  ])('lists the entities of indicator_id=%s', async (id, keeps) => {
    const wanted = (await everything('/indicators')).filter(keeps).map((row) => row['entityId']);
    const found = await everything(`/indicators/entities?indicator_id=${id}`);
    expect([found.length, new Set(found.map((row) => row['entityId']))]).toEqual([new Set(wanted).size, new Set(wanted)]);
  });
});

describe('/ops/liveness', () => {
  it('counts the verdicts of its source, whichever verdict is shown', async () => {
    const all = await everything('/ops/liveness?source_id=fred');
    const count = (verdict: string) => all.filter((row) => row['verdict'] === verdict).length;
    const body = (await (await service.get('/ops/liveness?source_id=fred&verdict=late')).json()) as { data: { summary: unknown } };
    const names = ['live', 'late', 'frozen', 'ceased', 'unknown'];
    expect(body.data.summary).toEqual(Object.fromEntries(names.map((name) => [name, count(name)])));
  });
});

const STATEMENT = ['statementType', 'periodType', 'fiscalPeriod', 'periodStart', 'periodEnd'];

describe('as_of', () => {
  const LISTS = [
    { path: '/events', idOf: (row: Row) => row['eventId'] },
    { path: '/economic-calendar', idOf: (row: Row) => row['eventId'] },
    // A statement has an identifier for each of its versions.
    { path: '/companies/{idOrLookup}/financials', idOf: (row: Row) => STATEMENT.map((name) => row[name]).join(' ') },
  ];
  const scheduleOf = ({ eventId, scheduledAt, timePrecision, timezone, status, scheduleVersion, observedAt }: Row) => ({
    eventId,
    scheduledAt,
    timePrecision,
    timezone,
    status,
    scheduleVersion,
    observedAt,
  });
  // A company's country is known from its first description, which may come after its first event.
  const countriesThen = async (moment: string, name: string) => {
    const companies = [...new Set((await everything('/events')).map((row) => row['entityId']))].filter((id) =>
      String(id).startsWith('company_'),
    );
    const described = (await everything(`/entities?entity_type=company&${name}=${moment}`)).map(
      (row) => [row['entityId'], row['country']] as const,
    );
    return new Map<unknown, unknown>([...companies.map((id) => [id, null] as const), ...described]);
  };
  it.each(LISTS.flatMap((one) => ['as_of', 'asOf'].map((name) => ({ ...one, name }))))(
    '$name shows on $path all data known then, and nothing else',
    async ({ path, idOf, name }) => {
      const all = await everything(urlOf(path));
      const moments = [...new Set(all.map((row) => String(row['observedAt'])))].sort();
      const some = (isLong ? moments : [moments[Math.floor(moments.length / 2)], moments.at(-1)]).flatMap((one) => one ?? []);
      for (const moment of some.flatMap((one) => [at(one, -1), one, at(one, 1)])) {
        const then = await everything(urlOf(path, `${name}=${moment}`));
        expect(then.filter((row) => String(row['observedAt']) > moment)).toEqual([]);
        const known = all.filter((row) => String(row['observedAt']) <= moment);
        const byId = new Map(then.map((row) => [idOf(row), row]));
        const countryThen = await countriesThen(moment, name);
        const asThen = known.map((row) => (countryThen.has(row['entityId']) ? { ...row, country: countryThen.get(row['entityId']) } : row));
        // observedAt of a calendar entry is that of its schedule. Its numbers may come later.
        const shown = (row: Row | undefined) => (path === '/economic-calendar' && row !== undefined ? scheduleOf(row) : row);
        expect([moment, known.map((row) => shown(byId.get(idOf(row))))]).toEqual([
          moment,
          (path === '/events' ? asThen : known).map(shown),
        ]);
        // What is not known as it stands now is an earlier version of something that is.
        const everKnown = new Set(all.map(idOf));
        expect(then.filter((row) => !everKnown.has(idOf(row)))).toEqual([]);
      }
      expect((await everything(urlOf(path, `${name}=${at(moments[0] ?? '', -1)}`))).length).toBeLessThan(all.length);
    },
  );

  it('shows a release as it was scheduled before it was moved', async () => {
    const days = async (asOf: string) =>
      (await everything(`/economic-calendar?indicator_id=us_cpi&start_date=2030-06-01&as_of=${asOf}`)).map((row) => [
        String(row['scheduledAt']).slice(0, 10),
        row['status'],
      ]);
    expect(await days(at(SECOND_ARRIVAL, -1))).toEqual([['2030-06-12', 'scheduled']]);
    expect(await days(SECOND_ARRIVAL)).toEqual([['2030-06-14', 'postponed']]);
    expect(await days(at(FIRST_ARRIVAL, -1))).toEqual([]);
  });

  it.each(['as_of', 'asOf'])('under %s, lists have the counts of their items', async (name) => {
    for (const [path, idOf] of [
      ['/countries', 'countryId'],
      ['/entities', 'entityId'],
      ['/derived-indicators', 'slug'],
    ] as const) {
      const [now, then] = [await everything(path), await everything(`${path}?${name}=2030-04-28`)];
      const counts = (rows: readonly Row[]) => rows.reduce((sum, row) => sum + Number(row['observationCount']), 0);
      // Of companies, contracts, instruments and regions those of which something was known.
      const standing =
        path === '/entities' ? now.filter((row) => /^(country|currency|currency_area|central_bank)$/.test(String(row['entityType']))) : now;
      const ids = new Set(then.map((row) => row[idOf]));
      expect(standing.filter((row) => !ids.has(row[idOf]))).toEqual([]);
      expect(then.length < now.length).toBe(path === '/entities');
      expect(counts(then)).toBeLessThan(counts(now));
      const counted = then.filter((row) => Number(row['observationCount']) > 0);
      for (const row of [...counted.slice(0, 3), ...counted.slice(-3), ...then.slice(0, 1)]) {
        const item = (await (await service.get(`${path}/${String(row[idOf])}?${name}=2030-04-28`)).json()) as { data: Row };
        expect({ ...item.data, ...(path === '/derived-indicators' ? { entityIds: null, metadata: null } : {}) }).toEqual(row);
      }
    }
  });

  it('shows the companies with data known then', async () => {
    const names = async (asOf: string) => (await everything(`/public/companies?as_of=${asOf}`)).map((row) => row['companyId']);
    // Its first filing was accepted on the evening of 2010-03-03 in New York.
    expect(await names('2010-03-03')).not.toContain('company_0000099992');
    expect(await names('2010-03-05')).toContain('company_0000099992');
    const newestOf = async (asOf: string) =>
      (await everything(`/public/companies?ticker=SOFT&as_of=${asOf}`)).map((row) => [row['latestPeriodEnd'], row['sector']]);
    expect(await newestOf('2029-05-04T20:04:59.999Z')).toEqual([['2028-12-31', null]]);
    expect(await newestOf('2029-05-04T20:05:00.000Z')).toEqual([['2029-03-31', null]]);
    expect(await newestOf('2030-05-10')).toEqual([['2029-12-31', 'Services']]);
  });
});

describe('/companies/{idOrLookup}/financials', () => {
  const revenue = async (query: string) => {
    const rows = await everything(`/companies/SOFT/financials?statement=income&period=annual&fiscal_year=2027${query}`);
    return rows.map((row) => (row['items'] as Row)['revenue']);
  };
  it('gives the figures of the first filing, or the newest known ones', async () => {
    expect(await revenue('')).toEqual([880]);
    expect(await revenue('&basis=most_recent')).toEqual([880]);
    expect(await revenue('&basis=as_reported')).toEqual([900]);
    expect(await revenue('&as_of=2029-02-09T21:04:59.999Z')).toEqual([900]);
    expect(await revenue('&as_of=2029-02-09T21:05:00.000Z')).toEqual([880]);
    expect(await revenue('&basis=as_reported&as_of=2028-02-09T21:04:59.999Z')).toEqual([]);
  });
});

describe('/entities/resolve', () => {
  const resolved = async (query: string) => {
    const body = (await (await service.get(`/entities/resolve?${query}`)).json()) as { data?: { entity: Row; matchedAlias: Row } };
    return body.data === undefined ? null : [body.data.entity['entityId'], body.data.matchedAlias['aliasType']];
  };
  it('filters by the kind of alias', async () => {
    expect(await resolved('alias=USA&alias_type=iso3')).toEqual(['us', 'iso3']);
    expect(await resolved('alias=840&alias_type=iso_numeric')).toEqual(['us', 'iso_numeric']);
    expect(await resolved('alias=840&alias_type=ticker')).toBeNull();
    expect(await resolved('alias=SOFT&alias_type=ticker')).toEqual(['company_0000099992', 'ticker']);
  });
});

describe('/public/screener', () => {
  const COLUMNS = 'columns=consumer_confidence,unemployment_rate';
  const screened = (...pairs: readonly string[]) => everything(urlOf('/public/screener', COLUMNS, 'eligible_only=false', ...pairs));
  const valueOf = (row: Row, field = 'consumer_confidence') => (row['values'] as Readonly<Record<string, Row>>)[field] ?? {};
  const numberOf = (row: Row) => valueOf(row)['value'] as number | null;
  const ids = (rows: readonly Row[]) => rows.map((row) => String(row['entityId']));
  let entities: readonly Row[];
  let all: readonly Row[];
  let everyone: readonly Row[];
  beforeAll(async () => {
    entities = await everything('/entities');
    all = await screened();
    everyone = await screened('universe=entities');
  });

  it('covers the entities of its universe, kind, country and sector', async () => {
    const kinds = (rows: readonly Row[]) => new Set(rows.map((row) => row['entityType']));
    expect(kinds(all)).toEqual(new Set(['country', 'currency_area']));
    expect(ids(await screened('universe=countries'))).toEqual(ids(all));
    expect(kinds(await screened('universe=companies'))).toEqual(new Set(['company']));
    expect(ids(everyone).length).toBeGreaterThan(all.length);
    expect(ids(everyone).length).toBeLessThanOrEqual(entities.length);
    for (const type of ['region', 'company', 'currency_area']) {
      expect(ids(await screened('universe=entities', `entity_type=${type}`))).toEqual(
        ids(everyone.filter((row) => row['entityType'] === type)),
      );
    }
    expect(await screened('entity_type=company')).toEqual([]);
    for (const [given, code] of [
      ['US', 'US'],
      ['swe', 'SE'],
      ['France', 'FR'],
    ] as const) {
      expect(ids(await screened('universe=entities', `country=${given}`))).toEqual(ids(everyone.filter((row) => row['country'] === code)));
    }
    expect(await screened('country=nowhere')).toEqual([]);
    const companies = await everything('/public/companies?sector=services');
    expect(ids(companies).length).toBeGreaterThan(0);
    expect(new Set(ids(await screened('universe=companies', 'sector=services')))).toEqual(new Set(ids(companies)));
  });

  const FILTERS: readonly (readonly [string, (value: number | null, row: Row) => boolean])[] = [
    ['consumer_confidence:gt:-11', (value) => value !== null && value > -11],
    ['consumer_confidence:gte:-11', (value) => value !== null && value >= -11],
    ['consumer_confidence:lt:-11', (value) => value !== null && value < -11],
    ['consumer_confidence:lte:-11', (value) => value !== null && value <= -11],
    ['consumer_confidence:eq:-11', (value) => value === -11],
    ['consumer_confidence:neq:-11', (value) => value !== null && value !== -11],
    ['consumer_confidence:between:-11..-8', (value) => value !== null && value >= -11 && value <= -8],
    ['consumer_confidence:in:-11,4.25', (value) => value === -11 || value === 4.25],
    ['consumer_confidence:nin:-11,4.25', (value) => value !== null && value !== -11 && value !== 4.25],
    ['consumer_confidence:is:null', (value) => value === null],
    ['consumer_confidence:is:notnull', (value) => value !== null],
    ['consumer_confidence:gt:-11;consumer_confidence:lt:0', (value) => value !== null && value > -11 && value < 0],
    ['consumer_confidence:lt:-11|consumer_confidence:gt:0', (value) => value !== null && (value < -11 || value > 0)],
    ['country:eq:fr', (_, row) => row['country'] === 'FR'],
    ['name:in:France,Germany', (_, row) => row['name'] === 'France' || row['name'] === 'Germany'],
    ['entity_type:neq:country', (_, row) => row['entityType'] !== 'country'],
  ];
  it.each(FILTERS)('returns the matches of filter=%s', async (filter, keeps) => {
    const wanted = all.filter((row) => keeps(numberOf(row), row));
    expect([wanted.length > 0, wanted.length < all.length]).toEqual([true, true]);
    expect(ids(await screened(`filter=${encodeURIComponent(filter)}`))).toEqual(ids(wanted));
  });

  it('ranks by the named field, then by the next on a tie, with nulls last', async () => {
    const numbers = (rows: readonly Row[]) => rows.map(numberOf).filter((one) => one !== null);
    const down = await screened('rank_by=consumer_confidence');
    expect(numbers(down)).toEqual(numbers(all).toSorted((a, b) => b - a));
    expect(down.slice(0, numbers(down).length).every((row) => numberOf(row) !== null)).toBe(true);
    const up = await screened('rank_by=consumer_confidence:asc,name:desc');
    expect(numbers(up)).toEqual(numbers(all).toSorted((a, b) => a - b));
    expect(up.slice(0, numbers(up).length).every((row) => numberOf(row) !== null)).toBe(true);
    const rest = up.slice(numbers(up).length).map((row) => String(row['name']));
    expect(rest).toEqual(rest.toSorted((a, b) => (a < b ? 1 : -1)));
    expect(up.map((row) => row['rank'])).toEqual(up.map((_, index) => index + 1));
  });

  it('shows the named columns', async () => {
    const keys = async (columns: string) =>
      new Set((await everything(`/public/screener?country=FR&${columns}`)).flatMap((row) => Object.keys(row['values'] as Row)));
    expect(await keys('columns=consumer_confidence')).toEqual(new Set(['consumer_confidence']));
    expect(await keys('columns=consumer_confidence,name')).toEqual(new Set(['consumer_confidence', 'name']));
    expect(await keys('filter=consumer_confidence:lt:0&rank_by=business_confidence')).toEqual(
      new Set(['consumer_confidence', 'business_confidence']),
    );
  });

  it('counts stale and ineligible values as missing', async () => {
    const having = (rows: readonly Row[]) => ids(rows.filter((row) => numberOf(row) !== null));
    const fresh = all.filter((row) => valueOf(row)['freshnessStatus'] === 'fresh');
    const eligible = all.filter((row) => valueOf(row)['scoringEligible'] === true);
    expect([fresh.length > 0, fresh.length < having(all).length, eligible.length > 0, eligible.length < having(all).length]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(having(await screened('min_freshness=fresh'))).toEqual(ids(fresh));
    expect(having(await screened('min_freshness=any'))).toEqual(having(all));
    for (const plain of ['', '&eligible_only=true'])
      expect(having(await everything(`/public/screener?${COLUMNS}${plain}`))).toEqual(ids(eligible));
  });

  it('uses data known at the moment', async () => {
    const france = async (...pairs: string[]) =>
      (await screened('country=FR', ...pairs)).map((row) => [valueOf(row)['period'], numberOf(row)]);
    expect(await france()).toEqual([['2030-04', -8]]);
    const before = (name: string) => france(`${name}=2030-04-28`);
    expect(await before('as_of')).toEqual([[null, null]]);
    expect(await before('asOf')).toEqual([[null, null]]);
  });
});

it('every list route except observations is tested with each of its filters', () => {
  const paged = new Set(['limit', 'cursor', 'sort', 'order', 'format', 'columns']);
  const asks = new Map(LISTINGS.map(({ path, questions }) => [path, new Set(questions.map(({ name }) => name))]));
  // Asked in a test of their own above.
  const apart: Readonly<Record<string, readonly string[]>> = {
    '/entities': ['q', 'as_of'],
    '/events': ['as_of'],
    '/economic-calendar': ['as_of'],
    // What they say at a cutoff: test/boundaries/verdicts.test.ts and screener.test.ts.
    '/countries': ['as_of'],
    '/canonical-indicators': ['q', 'as_of'],
    '/derived-indicators': ['as_of'],
    '/public/screener/filters': ['as_of'],
    '/events/{eventId}': ['as_of'],
    '/economic-calendar/{eventId}': ['as_of'],
    '/entities/{idOrSlug}': ['as_of'],
    // test/routes/names-then.long.test.ts has its rows.
    '/entities/{idOrSlug}/aliases': ['as_of'],
    '/countries/{idOrIso}': ['as_of'],
    '/countries/available-indicators': ['as_of'],
    '/public/companies': ['q', 'as_of'],
    '/companies/{idOrLookup}/financials': ['as_of', 'basis'],
    '/entities/resolve': ['alias', 'alias_type', 'as_of'],
    '/indicators': ['q', 'as_of'],
    '/indicators/series': ['q', 'as_of'],
    '/indicators/entities': ['indicator_id', 'as_of'],
    '/coverage': ['as_of'],
    '/public/coverage': ['as_of'],
    '/derived-indicators/{idOrSlug}': ['as_of'],
    '/public/screener': Object.keys(PARAMETERS['/public/screener'] ?? {}),
  };
  const left = Object.entries(PARAMETERS)
    // test/panels has those of panels.
    .filter(([path]) => !/observations|macro-data|panels/.test(path))
    .flatMap(([path, names]) => Object.keys(names).map((name) => [path, name] as const))
    .filter(([path, name]) => !paged.has(name) && asks.get(path)?.has(name) !== true && apart[path]?.includes(name) !== true);
  expect([left, REQUIRED['/indicators/entities']]).toEqual([[], 'indicator_id=consumer_confidence']);
});
