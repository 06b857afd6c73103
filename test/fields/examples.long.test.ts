// Every documented example has rows on the sample, and every parameter's example leaves out or changes some of them.
import { afterAll, describe, expect, it } from 'vitest';
import { type Operation, readDescription } from '../http/description.ts';
import { fillingFrom } from '../http/placeholders.ts';
import { type ListBody, startSampleService } from '../service.ts';
import { isLong } from '../suite.ts';

const service = await startSampleService();
afterAll(() => service.stop());
const description = readDescription(await (await service.get('/openapi.json')).text());
const fill = fillingFrom(service, description.operations);
const keyed = description.operations.filter((operation) => operation.scope !== null);

/** The second has annual values whose publisher keeps no archive, the third many countries, the fourth periods that were revised while they were the newest. */
const PANELS = ['', 'factor=gdp_nominal_usd&entity=us&from=2023-01-31&to=2025-12-31', 'factor=consumer_confidence', 'factor=gdp_nominal'];

/** Requests beside which an example is tried until it tells: most tell beside the bare one. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  observations: [
    '',
    'order=desc',
    'source_id=world_bank',
    'indicator=nonfarm_payrolls',
    'indicator=initial_jobless_claims&start_date=2026-01-01',
    'indicator=ip_consumer_goods',
    'indicator=ip_consumer_goods&end_date=2026-03-31&order=desc',
    'indicator=gdp_nominal&end_date=2026-06-30',
    'indicator=gdp_nominal&as_of=2026-10-01',
    'indicator=nonfarm_payrolls&vintage=first',
    'source_id=world_bank&as_of=2024-06-30',
    'source_id=world_bank&as_of=2025-12-31',
  ],
  '/observations/changes': [
    '',
    'source_id=world_bank&limit=500',
    'indicator=nonfarm_payrolls&limit=500',
    'country=DE',
    'indicator=initial_jobless_claims&start_date=2026-01-01',
    'source_id=cftc_legacy',
    'indicator=ip_consumer_goods&limit=500',
    'indicator=nonfarm_payrolls&start_date=2026-01-01',
    'indicator=nonfarm_payrolls&vintage=first',
  ],
  '/derived-observations': [
    '',
    'order=desc',
    'indicator_id=indicator_payrolls_mom_change&vintage=all',
    'indicator_id=indicator_payrolls_mom_change',
    'indicator_id=indicator_payrolls_mom_change&vintage=first',
    'indicator_id=indicator_policy_rate',
  ],
  '/public/screener': [
    '',
    'universe=companies',
    'filter=consumer_confidence:gt:-40&rank_by=consumer_confidence:desc',
    'filter=exchange_rate_cny_per_usd:gt:0&eligible_only=false',
  ],
  '/quarantine': ['', 'sort=rule'],
  '/panels': PANELS,
  '/public/panels': PANELS,
};

const OBSERVATIONS = /\/observations(\/latest)?$|\/platform\/macro-data$/;

const besideOf = ({ path }: Operation): readonly string[] =>
  BESIDE[path] ?? (OBSERVATIONS.test(path) ? BESIDE['observations'] : undefined) ?? ['', 'order=desc'];

// The filters of observations are the same on all these: whether their examples tell is asked of /observations, of the others by the long suite.
const ALIKE = /^\/(?:public\/observations|entities\/\{entityId\}\/observations|observations\/|platform|derived-observations)/;
const isAskedOf = ({ path }: Operation): boolean => isLong || !ALIKE.test(path);

/**
 * Bounds have no example in the description, where beside those of other parameters they would leave nothing; the form of the answer that stands
 * there is the one that comes without asking.
 */
const BOUNDS: Readonly<Record<string, string>> = {
  format: 'csv',
  as_of: '2020-06-30',
  observed_from: '2020-05-01',
  observed_to: '2020-12-31',
  since: '2020-01-01',
  start_date: '2020-01-01',
  end_date: '2020-12-31',
  detected_from: '2024-01-01',
  detected_to: '2030-12-31',
  release_number: '1',
};

/** Examples that cannot tell, with the reason; where rows are left is checked of them all the same. */
const CANNOT_TELL: Readonly<Record<string, string>> = {
  '/entities/resolve alias_type': 'the one text has one meaning',
  '/derived-indicators availability': 'the grant of the sample makes all of them public',
  '/entities/{idOrSlug}/aliases as_of': 'the names of the example have not changed since',
  '/events/{eventId} as_of': 'nothing was learned of it since',
  '/economic-calendar/{eventId} as_of': 'nothing was learned of it since',
  '/entities/{entityId}/observations country': 'the entity of the path is of that country',
  '/entities/{entityId}/observations entity': 'it is the entity of the path',
  '/entities/{entityId}/observations type': 'a country has macro series alone',
  '/observations/latest numeric_only': 'the newest period is the newest with a value',
  '/public/observations/latest numeric_only': 'the newest period is the newest with a value',
  '/observations/latest include_backfill': 'the newest period has a first print',
  '/public/observations/latest include_backfill': 'the newest period has a first print',
  '/observations/changes since': 'the whole sample came in at one moment',
  '/observations/changes sort': 'there is one order',
  '/observations/changes order': 'there is one direction',
  '/panels sort': 'there is one order',
  '/panels order': 'there is one direction',
  '/public/panels sort': 'there is one order',
  '/public/panels order': 'there is one direction',
  '/platform/macro-data type': 'its rows are macro already',
  '/quarantine detected_from': 'the whole sample came in at one moment',
  '/quarantine detected_to': 'the whole sample came in at one moment',
};

interface Told {
  readonly status: number;
  readonly rows: readonly unknown[];
  readonly text: string;
  /** Ways in which it is not what the description says. */
  readonly faults: readonly string[];
}

const asked = new Map<string, Promise<Told>>();

function ask(operation: Operation, path: string): Promise<Told> {
  const told = asked.get(path) ?? askAnew(operation, path);
  asked.set(path, told);
  return told;
}

async function askAnew(operation: Operation, path: string): Promise<Told> {
  const response = await service.get(path);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const body = isJson ? (JSON.parse(text) as { readonly data?: unknown }) : { data: [text] };
  const { status, headers } = response;
  const faults = description.faultsOf(operation, { status, headers, body });
  const { data } = body;
  const isLiveness = typeof data === 'object' && data !== null && 'series' in data && Array.isArray(data.series);
  const rows = Array.isArray(data) ? data : isLiveness ? (data as { series: unknown[] }).series : data === undefined ? [] : [data];
  return { status, rows, text: JSON.stringify(data), faults };
}

type Pairs = Readonly<Record<string, string>>;
const pairsOf = (query: string): Pairs => Object.fromEntries(new URLSearchParams(query));

function address(path: string, pairs: Pairs): string {
  const query = new URLSearchParams(pairs).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** What the bare request has to name, but for one parameter. */
const requiredOf = (operation: Operation, but: string): Pairs =>
  Object.fromEntries(
    operation.parameters
      .filter((one) => one.in === 'query' && one.required && one.name !== but)
      .map((one) => [one.name, String(one.example)]),
  );

const tried = (operation: Operation): readonly (readonly [string, string])[] =>
  operation.parameters
    .filter((one) => one.in === 'query' && one['x-alias-of'] === undefined)
    .flatMap(({ name, example }) => {
      const text = BOUNDS[name] ?? example;
      return text === undefined ? [] : [[name, String(text)] as const];
    });

/** The address that parameters are added to: of an observation, one that was known before the bounds. */
async function bareOf({ template }: Operation): Promise<string> {
  if (!template.includes('{observationId}')) return ((await fill(template)) ?? '/none').split('?')[0] ?? '';
  const known = await service.get('/observations?indicator_id=us_nonfarm_payrolls&period=2020-04&as_of=2020-06-30&limit=1');
  const { data } = (await known.json()) as ListBody;
  return template.replace('{observationId}', encodeURIComponent(String(data[0]?.['observationId'])));
}

describe.each(keyed.map((operation) => [operation.path, operation] as const))('%s', (path, operation) => {
  it('answers its example with rows', async () => {
    const answer = await ask(operation, operation.example);
    expect([answer.status, answer.rows.length > 0]).toEqual([200, true]);
  });

  const parameters = tried(operation);
  it.runIf(parameters.length > 0)('returns rows for the example of each parameter, and other ones than without it', async () => {
    const bare = await bareOf(operation);
    const silent: string[] = [];
    for (const [name, text] of parameters) {
      const value = { [name]: text };
      const required = requiredOf(operation, name);
      // Sectors are those of companies.
      const own = name === 'sector' && path === '/public/screener' ? { universe: 'companies' } : {};
      const alone = await ask(operation, address(bare, { ...required, ...own, ...value }));
      expect([name, alone.status, alone.rows.length > 0, alone.faults]).toEqual([name, 200, true, []]);
      let tells = !isAskedOf(operation);
      for (const query of besideOf(operation)) {
        const beside = { ...required, ...own, ...pairsOf(query) };
        if (tells || name in pairsOf(query) || ('order' in beside && name === 'order')) continue;
        const [withIt, without] = [
          await ask(operation, address(bare, { ...beside, ...value })),
          await ask(operation, address(bare, beside)),
        ];
        tells = withIt.status === 200 && withIt.text !== without.text;
      }
      if (!tells) silent.push(`${path} ${name}`);
    }
    const cannot = isAskedOf(operation) ? Object.keys(CANNOT_TELL).filter((one) => one.startsWith(`${path} `)) : [];
    expect(silent.toSorted()).toEqual(cannot.toSorted());
  });

  it.runIf(isAskedOf(operation))('treats an alias as its parameter', async () => {
    const bare = await bareOf(operation);
    for (const alias of operation.parameters.filter((one) => one['x-alias-of'] !== undefined)) {
      const name = alias['x-alias-of'] ?? '';
      const pairs = requiredOf(operation, name);
      const value = String(BOUNDS[name] ?? operation.parameters.find((one) => one.name === name)?.example);
      expect([alias.name, alias.example]).toEqual([alias.name, undefined]);
      const [one, other] = [
        await ask(operation, address(bare, { ...pairs, [alias.name]: value })),
        await ask(operation, address(bare, { ...pairs, [name]: value })),
      ];
      expect([alias.name, one.status, one.text === other.text]).toEqual([alias.name, 200, true]);
    }
  });
});

it('was built at one moment, so bounds on arrival times select all or nothing', async () => {
  const { data } = (await (await service.get('/observations/changes?limit=500')).json()) as ListBody;
  expect(new Set(data.map((row) => row['changedAt'])).size).toBe(1);
});

it('begins the description with an example whose cutoff removes rows', async () => {
  const path = '/observations?indicator_id=us_nonfarm_payrolls&as_of=2020-06-30';
  expect(description.operations.map(({ example }) => example)).toContain(path);
  const then = (await (await service.get(path)).json()) as ListBody;
  const now = (await (await service.get('/observations?indicator_id=us_nonfarm_payrolls&limit=500')).json()) as ListBody;
  expect(then.data.length).toBeGreaterThan(12);
  expect(then.data.every((row) => String(row['observedAt']) <= '2020-06-30T23:59:59.999Z')).toBe(true);
  expect(now.data.length).toBeGreaterThan(then.data.length);
});
