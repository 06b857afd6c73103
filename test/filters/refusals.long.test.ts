// What each parameter of each route refuses, and by which names it goes: the table of the contract is asked, not the description.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDescription } from '../http/description.ts';
import { isLong } from '../suite.ts';
import { FILLED, PARAMETERS, REQUIRED } from './contract-table.ts';
import { type FilterService, startFilterService, STARTING_MS } from './lake.ts';

let service: FilterService;
beforeAll(async () => {
  service = await startFilterService();
}, STARTING_MS);
afterAll(() => service.stop());

const ROUTES = Object.entries(PARAMETERS).filter(([path]) => FILLED[path] !== undefined || !path.includes('{'));
const PARAMETERS_OF_ROUTES = ROUTES.flatMap(([path, names]) => Object.entries(names).map(([name, aliases]) => ({ path, name, aliases })));

/** Two values that a parameter takes, by its name or by route and name. */
const TWO: Readonly<Record<string, readonly [string, string]>> = {
  as_of: ['2030-01-31', '2030-02-01'],
  observed_from: ['2029-01-31', '2029-02-01'],
  observed_to: ['2030-01-31', '2030-02-01'],
  detected_from: ['2030-01-31', '2030-02-01'],
  detected_to: ['2030-05-31', '2030-05-30'],
  since: ['2030-01-31', '2030-02-01'],
  start_date: ['2030-01-31', '2030-02-01'],
  end_date: ['2030-01-31', '2030-02-01'],
  numeric_only: ['true', 'false'],
  include_backfill: ['true', 'false'],
  include_assumed: ['true', 'false'],
  source_tier: ['central_bank', 'official_national'],
};
const valuesOf = (name: string) => TWO[name] ?? ['fred', 'quotes'];

function url(path: string, ...pairs: readonly string[]): string {
  const required = REQUIRED[path];
  return `${FILLED[path] ?? path}?${[...(required === undefined || pairs.some((pair) => pair.startsWith(`${required.split('=')[0]}=`)) ? [] : [required]), ...pairs].join('&')}`;
}

const refused = (path: string) => ({ path, status: 400, code: 'bad_request' });

describe('the description', () => {
  it('names the parameters of the contract, with their aliases, and no others', async () => {
    const { operations } = readDescription(await (await service.get('/openapi.json')).text());
    const served = Object.fromEntries(
      operations
        .filter(({ scope }) => scope !== null)
        .map(({ path, parameters }) => {
          const inQuery = parameters.filter((one) => one.in === 'query');
          const own = inQuery.filter((one) => one['x-alias-of'] === undefined);
          const aliasesOf = (name: string) => inQuery.filter((one) => one['x-alias-of'] === name).map((one) => one.name);
          return [path, Object.fromEntries(own.map(({ name }) => [name, aliasesOf(name).sort()]))];
        }),
    );
    const sorted = Object.fromEntries(
      Object.entries(PARAMETERS).map(([path, names]) => [
        path,
        Object.fromEntries(Object.entries(names).map(([name, aliases]) => [name, aliases.toSorted()])),
      ]),
    );
    expect(served).toEqual(sorted);
  });
});

describe('a parameter', () => {
  it.each(PARAMETERS_OF_ROUTES.filter(({ aliases }) => aliases.length > 0))(
    '$name of $path is refused under two names with different values, and both are named',
    async ({ path, name, aliases }) => {
      const names = [name, ...aliases];
      const [first, second] = valuesOf(name);
      for (const [place, other] of names.slice(1).entries()) {
        const earlier = names[place] ?? name;
        const asked = url(path, `${earlier}=${first}`, `${other}=${second}`);
        const found = await service.refusal(asked);
        expect(found).toMatchObject(refused(asked));
        expect([found.message.includes(`\`${earlier}\``), found.message.includes(`\`${other}\``)]).toEqual([true, true]);
        expect((await service.get(url(path, `${earlier}=${first}`, `${other}=${first}`, ...limited(path)))).status).toBe(200);
      }
    },
  );

  it('is refused if it is sent twice, even with the same value, and if it is empty', async () => {
    for (const { path, name, aliases } of PARAMETERS_OF_ROUTES) {
      for (const own of [name, ...aliases]) {
        const value = valuesOf(name)[0];
        for (const query of [`${own}=${value}&${own}=${value}`, `${own}=`]) {
          const asked = url(path, query);
          const found = await service.refusal(asked);
          expect(found).toMatchObject(refused(asked));
          expect([asked, found.details['parameter']]).toEqual([asked, own]);
        }
      }
    }
  });

  it('is refused by name if the route does not have it', async () => {
    for (const [path] of ROUTES) {
      for (const name of ['since_when', 'entityType', 'releaseNumber', 'Limit']) {
        const found = await service.refusal(url(path, `${name}=1`));
        expect(found).toMatchObject({ ...refused(url(path, `${name}=1`)), details: { parameter: name } });
        expect(found.message).toContain(name);
      }
    }
  });
});

const limited = (path: string) => (PARAMETERS[path]?.['limit'] === undefined ? [] : ['limit=1']);
const having = (...names: readonly string[]) => ROUTES.filter(([, own]) => names.every((name) => name in own)).map(([path]) => path);

describe('a list of values', () => {
  const LISTS = ['country', 'entity', 'indicator_id'];
  /** Where contract and interface speak of one value. */
  const SINGLE: ReadonlySet<string> = new Set(
    ['/entities', '/countries/available-indicators', '/public/screener', '/public/companies', '/events', '/economic-calendar']
      .map((path) => `${path} country`)
      // Panels take up to 250: test/panels has them.
      .concat('/panels country', '/panels entity', '/public/panels country', '/public/panels entity')
      .concat('/events entity', '/indicators/entities indicator_id', '/quarantine indicator_id'),
  );
  const cases = LISTS.flatMap((name) => having(name).map((path) => ({ path, name }))).filter(
    ({ path, name }) => !SINGLE.has(`${path} ${name}`),
  );

  it.each(cases)('of $name on $path has at most 50 values, and none is empty', async ({ path, name }) => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`).join(',');
    const ask = (value: string) => service.refusal(url(path, `${name}=${value}`, ...limited(path)));
    const statuses: number[] = [];
    for (const value of [many(50), many(51), 'us,,fr', ',us', 'us,']) statuses.push((await ask(value)).status);
    expect(statuses).toEqual([200, 400, 400, 400, 400]);
    expect((await ask(many(51))).message).toContain(`\`${name}\``);
  });

  it('of 50 applies each of them', async () => {
    const nobody = Array.from({ length: 49 }, (_, index) => `x${index}`).join(',');
    const one = await service.rows('/observations?limit=500&country=FR');
    expect(one.length).toBeGreaterThan(0);
    expect(await service.rows(`/observations?limit=500&country=${nobody},FR`)).toEqual(one);
    expect(await service.rows(`/observations?limit=500&country=FR,${nobody}`)).toEqual(one);
  });
});

describe('bounds', () => {
  const pairs = [
    ['start_date', 'end_date', '2030-01-02', '2030-01-01'],
    ['observed_from', 'observed_to', '2030-01-01T00:00:00.001Z', '2030-01-01T00:00:00.000Z'],
    ['observed_from', 'as_of', '2030-01-01T00:00:00.001Z', '2030-01-01T00:00:00.000Z'],
    ['detected_from', 'detected_to', '2030-01-01T00:00:00.001Z', '2030-01-01T00:00:00.000Z'],
  ] as const;
  it.each(pairs.flatMap(([from, to, late, early]) => having(from, to).map((path) => ({ path, from, to, late, early }))))(
    '$from and $to of $path may be equal, and are refused if reversed',
    async ({ path, from, to, late, early }) => {
      const asked = url(path, `${from}=${late}`, `${to}=${early}`);
      const found = await service.refusal(asked);
      expect(found).toMatchObject({ ...refused(asked), details: { parameters: [from, to] } });
      expect((await service.get(url(path, `${from}=${early}`, `${to}=${early}`, 'limit=1'))).status).toBe(200);
      expect((await service.get(url(path, `${from}=${early}`, `${to}=${late}`, 'limit=1'))).status).toBe(200);
    },
  );

  it.each(having('vintage', 'release_number'))('of the print: %s takes a vintage or a number, not both', async (path) => {
    for (const vintage of ['latest', 'first', 'all']) {
      const asked = url(path, `vintage=${vintage}`, 'release_number=1');
      expect(await service.refusal(asked)).toMatchObject({ ...refused(asked), details: { parameters: ['vintage', 'release_number'] } });
    }
    for (const number of ['0', '-1', '1.5', 'one', '1e0']) {
      expect(await service.refusal(url(path, `release_number=${number}`))).toMatchObject(refused(url(path, `release_number=${number}`)));
    }
  });
});

/** Values that are of no use to a parameter. */
const UNUSABLE: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['as_of', 'observed_from', 'observed_to', 'since', 'detected_from', 'detected_to'].map((name) => [
      name,
      ['yesterday', '2030-02-30', '2030-13-01', '2030-1-1', '2030-01-01T25:00:00Z', '2030-01-01T00:00:00', '1893456000'],
    ]),
  ),
  ...Object.fromEntries(
    ['start_date', 'end_date'].map((name) => [name, ['2030-02-30', '2030', '2030-01', '2030-01-01T00:00:00Z', 'today']]),
  ),
  limit: ['0', '-1', '501', '1.5', 'all', '1e2'],
  sort: ['no_such_field', 'PERIOD_END'],
  order: ['up', 'ASC'],
  frequency: ['hourly', 'Monthly'],
  importance: ['highest', 'HIGH'],
  freshness: ['live', 'Fresh'],
  currency: ['US', 'DOLLAR', '12'],
  type: ['micro', 'Macro'],
  numeric_only: ['yes', '1', 'TRUE1'],
  include_backfill: ['yes', '1', 'TRUE1'],
  include_assumed: ['yes', '1', 'TRUE1'],
  vintage: ['newest', 'ALL'],
  alias_type: ['nickname'],
  entity_type: ['planet'],
  availability: ['hidden'],
  universe: ['stars'],
  min_freshness: ['stale'],
  eligible_only: ['maybe'],
  event_type: ['party'],
  statement: ['notes'],
  basis: ['restated'],
  fiscal_year: ['1899', '2201', '20.5', 'last'],
  rule: ['whatever'],
  severity: ['fatal'],
  source_tier: ['fringe'],
  verdict: ['dead'],
  format: ['xml'],
  columns: ['no_column', 'period_end,,actual'],
  status: ['great'],
  from: ['2030-02-30', '2030', 'today'],
  to: ['2030-02-30', '2030', 'today'],
  every: ['month', 'Day'],
  at: ['16:00', '25:00 UTC', '16:00 Mars/Olympus'],
  grade: ['0', '4', '1.5'],
  group: ['g8', 'G7'],
};
const PERIODS = {
  span: ['29', '2029-13', '2029-00', '2029-Q5', '2029-Q0', '2029-1', '2029-12-31', '2029-W01', '2029q1'],
  length: ['weekly', '2029'],
};

describe('a value', () => {
  it.each(ROUTES.filter(([, names]) => Object.keys(names).length > 0).map(([path]) => path))(
    'that %s cannot read is refused',
    async (path) => {
      for (const name of Object.keys(PARAMETERS[path] ?? {})) {
        const unusable = name === 'period' ? PERIODS[path.includes('financials') ? 'length' : 'span'] : (UNUSABLE[name] ?? []);
        for (const value of isLong ? unusable : unusable.slice(0, 4)) {
          const asked = url(path, `${name}=${encodeURIComponent(value)}`);
          expect(await service.refusal(asked)).toMatchObject({ ...refused(asked), details: { parameter: name } });
        }
      }
    },
  );

  it('is accepted up to 200 characters of a text, 2,000 of a filter, 20 terms of it', async () => {
    const status = async (path: string) => (await service.refusal(path)).status;
    expect(await status(`/events?q=${'x'.repeat(200)}`)).toBe(200);
    expect(await status(`/events?q=${'x'.repeat(201)}`)).toBe(400);
    const terms = (count: number) => Array.from({ length: count }, () => 'name:is:notnull').join(';');
    expect(await status(`/public/screener?limit=1&filter=${terms(20)}`)).toBe(200);
    expect(await status(`/public/screener?limit=1&filter=${terms(21)}`)).toBe(400);
    const long = (length: number) => `name:in:${'x'.repeat(length - 'name:in:'.length)}`;
    expect(await status(`/public/screener?limit=1&filter=${long(2000)}`)).toBe(200);
    expect(await status(`/public/screener?limit=1&filter=${long(2001)}`)).toBe(400);
  });
});

describe('a page', () => {
  const isItem = (path: string) => path === '/ops/liveness';

  it('of /ops/liveness, the list within an item, has 500 rows by default, and 1 to 500 on request', async () => {
    const page = async (...pairs: string[]) => {
      const { data } = (await (await service.get(url('/ops/liveness', ...pairs))).json()) as {
        data: { series: unknown[]; nextCursor: unknown };
      };
      return [data.series.length, data.nextCursor === null];
    };
    const [whole] = await page('limit=500');
    expect(await page()).toEqual([whole, true]);
    expect(await page(`limit=${String(whole)}`)).toEqual([whole, true]);
    expect(await page('limit=1')).toEqual([1, false]);
  });

  it.each(having('limit').filter((path) => !isItem(path)))('of %s has 100 rows by default, and 1 to 500 on request', async (path) => {
    const all = await service.list(url(path, 'limit=500'));
    expect([all.meta.pagination.limit, all.data.length <= 500]).toEqual([500, true]);
    const plain = await service.list(url(path));
    expect([plain.meta.pagination.limit, plain.data.length]).toEqual([100, Math.min(100, all.data.length)]);
    expect(plain.meta.pagination.has_more).toBe(all.data.length > 100);
    const one = await service.list(url(path, 'limit=1'));
    expect([one.meta.pagination.limit, one.data.length, one.meta.pagination.has_more]).toEqual([
      1,
      Math.min(1, all.data.length),
      all.data.length > 1,
    ]);
  });

  it.each(having('format'))('of %s may be longer in a bulk form only', async (path) => {
    const status = async (...pairs: string[]) => (await service.get(url(path, ...pairs))).status;
    expect(await status('format=csv', 'limit=501')).toBe(200);
    const most = path.endsWith('/panels') ? 5_000_000 : 1_000_000;
    expect(await status('format=csv', `limit=${most}`)).toBe(200);
    expect(await status('format=csv', `limit=${most + 1}`)).toBe(400);
    expect(await status('format=csv', 'limit=0')).toBe(400);
    expect(await status('format=json', 'limit=501')).toBe(400);
  });
});
