// The contract's own table against what is described and what is answered: neither the expected scope nor any field is read from the routes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Parameter, readDescription } from '../http/description.ts';
import { type KeyName, type ErrorBody, type ListBody, RATE_HEADERS, type RunningService, startSampleService } from '../service.ts';
import { BULK_FORMS, decoded, type Row } from './decoded.ts';
import { faultsOf, membersOf, membersOfSchema, readShape } from './notation.ts';
import { FORMATS, OPEN_ROUTES, POLICIES, PROMISED, type Promised } from './table.ts';

let service: RunningService;
let description: Described;
let parametersOf: (path: string) => readonly Parameter[];
let ids: Readonly<Record<string, string>>;

type Contents = Readonly<Record<string, { readonly schema: unknown }>>;

interface Operation {
  readonly 'x-required-scope'?: string;
  readonly 'x-free-tier-months'?: number;
  readonly responses: Readonly<Record<string, { readonly content: Contents; readonly 'x-bulk'?: Contents }>>;
}
interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

beforeAll(async () => {
  service = await startSampleService({ rateLimitScale: 1 });
  const text = await (await service.get('/openapi.json', { key: null })).text();
  description = JSON.parse(text) as Described;
  const { operations } = readDescription(text);
  parametersOf = (path) => operations.find((one) => one.path === path)?.parameters ?? [];
  const first = async (path: string, name: string) => String(((await (await service.get(path)).json()) as ListBody).data[0]?.[name]);
  ids = {
    '/events/{eventId}': await first('/events?limit=1&order=desc', 'eventId'),
    '/economic-calendar/{eventId}': await first('/economic-calendar?limit=1&order=desc', 'eventId'),
    '/provenance/observations/{observationId}': await first('/observations?limit=1&order=desc&indicator=nonfarm_payrolls', 'observationId'),
    '/companies/{idOrLookup}/financials': 'ZZSMB',
    '/derived-indicators/{idOrSlug}': 'cpi_inflation_yoy',
  };
});
afterAll(() => service.stop());

const PANEL = 'factor=nonfarm_payrolls,cpi_inflation_yoy&from=2015-01-01&to=2026-10-31';
const REQUIRED: Readonly<Record<string, string>> = {
  '/entities/resolve': 'alias=USA&alias_type=iso3',
  '/indicators/entities': 'indicator_id=cpi',
  '/panels': PANEL,
  '/public/panels': PANEL,
};
const SCREEN = 'filter=cpi_inflation_yoy:gt:-100&rank_by=cpi_inflation_yoy:desc&eligible_only=false';

/** The address of a route, as bare as it can be. */
function addressOf(path: string, ...pairs: readonly string[]): string {
  const filled = path.replace(/\{\w+\}/, ids[path] ?? 'us');
  const query = [...(REQUIRED[path] === undefined ? [] : [REQUIRED[path]]), ...pairs].join('&');
  return query === '' ? filled : `${filled}?${query}`;
}

const named = (routes: readonly Promised[]) => routes.map((route) => [route.path, route] as const);
const lists = PROMISED.filter((route) => route.kind === 'list');
const allowed = (route: Promised, key: KeyName) =>
  key === 'full' || key === 'admin' || key === 'free' || (key === 'ops') === (route.scope === 'ops:read');

/** All members of meta but history_limited and hints. */
function metaOf({ kind, meta }: Promised): string {
  const page = kind === 'list' ? ', pagination {limit i, cursor s?, next_cursor s?, has_more b}' : '';
  return `request_id s, requestId s, api_version e{v1}${page}${meta === '' ? '' : `, ${meta}`}`;
}

const optionsOf = (schema: unknown): readonly unknown[] => Object(schema).anyOf ?? [schema];

describe('the description', () => {
  const resolve = (reference: string): unknown =>
    reference
      .split('/')
      .slice(1)
      .reduce<unknown>((found, name) => Reflect.get(Object(found), name.replaceAll('~1', '/')), description);
  const operationOf = (path: string) => description.paths[path]?.['get'] as Operation;
  const contentOf = (path: string) => operationOf(path).responses['200']?.content ?? {};
  const envelopeOf = (path: string) => {
    const { $ref } = Object(contentOf(path)['application/json']?.schema);
    const schema = resolve(String($ref)) as { properties: { data: { items?: unknown }; meta: unknown } };
    return schema.properties;
  };

  it('has exactly these routes, each with GET only', () => {
    const described = Object.entries(description.paths).map(([path, methods]) => `${path} ${Object.keys(methods).join()}`);
    expect(described.toSorted()).toEqual([...PROMISED.map((one) => one.path), ...OPEN_ROUTES].map((path) => `${path} get`).toSorted());
  });

  it.each(named(PROMISED))('has for %s the scope and the fields of its rows and of meta', (path, route) => {
    expect(operationOf(path)['x-required-scope']).toBe(route.scope);
    const { data, meta } = envelopeOf(path);
    const [whole, ...narrowed] = optionsOf(data.items ?? data);
    expect(membersOfSchema(whole, resolve)).toEqual(membersOf(readShape(route.fields)));
    // Rows that columns narrows have the same fields, none of them required.
    const optional = (text: string) => (text.endsWith(', or absent') ? text : `${text}, or absent`);
    const fields = Object.entries(membersOf(readShape(route.fields))).map(([name, text]) => [name, optional(text)]);
    const narrows = parametersOf(path).some(({ name }) => name === 'columns') && path !== '/public/screener';
    expect(narrowed.map((one) => membersOfSchema(one, resolve))).toEqual(narrows ? [Object.fromEntries(fields)] : []);
    expect(operationOf(path)['x-free-tier-months']).toBe(route.isHistory ? 24 : undefined);
    const history = { history_limited: 'boolean, or absent' };
    // A member that one route alone writes need not be required.
    const described = Object.entries(membersOfSchema(meta, resolve)).map(([name, text]) =>
      name === 'resume_cursor' ? [name, text.replace(', or absent', '')] : [name, text],
    );
    const { hints, ...others } = Object.fromEntries(described);
    expect(others).toEqual({ ...membersOf(readShape(metaOf(route))), ...history });
    expect(hints?.endsWith('or absent')).toBe(route.kind === 'list' || path === '/ops/liveness' ? true : undefined);
  });

  it.each(named(lists))('has for the list %s its page, sorts and forms', (path, route) => {
    const of = (name: string) => parametersOf(path).find((one) => one.name === name)?.schema;
    expect([of('sort')?.['enum'], of('sort')?.['default'], of('order')?.['default']]).toEqual([route.sorts, route.sorts[0], 'asc']);
    expect([of('limit')?.['default'], of('limit')?.['maximum']]).toEqual([
      100,
      route.isBulk ? (path.endsWith('/panels') ? 5_000_000 : 1_000_000) : 500,
    ]);
    expect(of('format')?.['enum']).toEqual(route.isBulk ? Object.keys(FORMATS) : undefined);
  });

  it.each(named(PROMISED))('has for %s the media types of its forms, and for an item its page only if it holds a list', (path, route) => {
    const types = Object.values(route.isBulk ? FORMATS : { json: FORMATS.json }).map((type) => type.split(';')[0]);
    expect(Object.keys(contentOf(path))).toEqual(['application/json']);
    const forms = operationOf(path).responses['200']?.['x-bulk'] ?? {};
    expect(['application/json', ...Object.keys(forms)]).toEqual(types);
    const page = parametersOf(path).filter((one) => ['limit', 'cursor', 'sort', 'order'].includes(one.name));
    expect(page.map((one) => one.name).sort()).toEqual(
      route.kind === 'list' ? ['cursor', 'limit', 'order', 'sort'] : path === '/ops/liveness' ? ['cursor', 'limit'] : [],
    );
  });
});

describe('keys', () => {
  const take = async (path: string, key: KeyName | null) => {
    const response = await service.get(path, { key });
    const { error } = (await response.json()) as ErrorBody;
    const [policy, limit, remaining] = ['policy', 'limit', 'remaining'].map((name) => response.headers.get(`x-ratelimit-${name}`) ?? '');
    return { status: response.status, code: error.code, details: error.details, policy, limit, remaining: Number(remaining) };
  };

  // An unknown parameter is looked at last: 400 says that key, scope and limit let the request pass.
  it.each(named(PROMISED))('of each kind pass or are refused at %s, and count in the right bucket', async (path, route) => {
    for (const key of ['full', 'data', 'ops', 'admin', 'free'] as const) {
      const policy = key === 'admin' ? POLICIES.admin : POLICIES[route.scope];
      const [first, second] = [await take(addressOf(path, 'no_such=1'), key), await take(`/v1${addressOf(path, 'no_such=1')}`, key)];
      const limit = Number(/limit=(\d+)/.exec(policy)?.[1]);
      const refused = { status: 403, code: 'forbidden', details: { required_scope: route.scope } };
      const passed = { status: 400, code: 'bad_request', details: { parameter: 'no_such' } };
      const isAllowed = allowed(route, key);
      expect([key, first]).toMatchObject([key, { ...(isAllowed ? passed : refused), policy, limit: String(limit) }]);
      expect([key, first.remaining - second.remaining]).toEqual([key, isAllowed ? 1 : 0]);
      expect(isAllowed || first.remaining === limit).toBe(true);
    }
    const [none, again] = [await take(addressOf(path, 'no_such=1'), null), await take(addressOf(path, 'no_such=1'), null)];
    expect(none).toMatchObject({ status: 401, code: 'unauthorized', policy: POLICIES.unauthenticated, limit: '100' });
    expect(again.remaining).toBe(none.remaining - 1);
  });

  it.each(OPEN_ROUTES)('are not required at %s, which takes no parameter and counts the address', async (path) => {
    const answers = [await service.get(path, { key: null }), await service.get(`/v1${path}/`, { key: 'ops' })];
    expect(answers.map((one) => one.status)).toEqual([200, 200]);
    expect(answers.map((one) => one.headers.get('x-ratelimit-policy'))).toEqual([POLICIES.discovery, POLICIES.discovery]);
    const [first, second] = answers.map((one) => Number(one.headers.get('x-ratelimit-remaining')));
    expect(second).toBe((first ?? 0) - 1);
    expect(await take(`${path}?no_such=1`, null)).toMatchObject({
      status: 400,
      details: { parameter: 'no_such' },
      policy: POLICIES.discovery,
    });
  });
});

describe('answers', () => {
  const AS_IS: Readonly<Record<string, string>> = { actual: 'actual', value: 'valueNumeric', score: 'composite' };
  const fieldOf = (sort: string) => AS_IS[sort] ?? sort.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const sortedBy = (row: Row, sort: string): unknown => {
    if (sort === 'score') return (row['scores'] as Row)['composite'];
    return row[fieldOf(sort)];
  };
  const compare = (a: unknown, b: unknown): number => {
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
  };
  /** Rows that do not follow the one before them; nulls come last both ways. */
  const outOfOrder = (values: readonly unknown[], sign: 1 | -1) =>
    values.flatMap((value, at) => {
      const before = values[at - 1];
      if (at === 0 || value === null) return [];
      return before === null || compare(before, value) * sign > 0 ? [[before, value]] : [];
    });
  const get = async (path: string, key: KeyName = 'full') => {
    const response = await service.get(path, { key });
    expect([path, response.status]).toEqual([path, 200]);
    return { headers: response.headers, body: (await response.json()) as ListBody & { readonly data: unknown } };
  };

  it.each(named(PROMISED))('of %s have the promised fields and types, in rows and meta, and report a cut history', async (path, route) => {
    const address = path === '/public/screener' ? addressOf(path, SCREEN) : addressOf(path);
    const { body, headers } = await get(address);
    const shape = readShape(route.fields);
    const rows = route.kind === 'list' ? body.data : [body.data];
    expect(rows.flatMap((row) => faultsOf(shape, row)).slice(0, 5)).toEqual([]);
    expect(faultsOf(readShape(metaOf(route)), body.meta)).toEqual([]);
    expect(Object.keys(body).toSorted()).toEqual(['data', 'meta', 'requestId']);
    expect(headers.get('content-type')).toBe(FORMATS.json);
    expect(headers.get('cache-control')).toBe('private, max-age=60');
    expect(route.kind === 'item' || body.meta.pagination.limit === 100).toBe(true);
    const free = await get(address, 'free');
    expect(free.body.meta.history_limited).toBe(route.isHistory ? true : undefined);
    const { hints = [], ...meta } = free.body.meta;
    expect(faultsOf(readShape(`${metaOf(route)}${route.isHistory ? ', history_limited b' : ''}`), meta)).toEqual([]);
    expect(hints.flatMap((hint) => faultsOf(readShape('parameter s, message s'), hint))).toEqual([]);
  });

  it.each(named(lists))('of %s come in the requested order, by default in that of the first sort', async (path, route) => {
    const base = path === '/public/screener' ? SCREEN : 'limit=60';
    const idsOf = async (...pairs: readonly string[]) => (await get(addressOf(path, base, ...pairs))).body.data as readonly Row[];
    const [plain, ...others] = [await idsOf(), await idsOf(`sort=${route.sorts[0]}`, 'order=asc')];
    expect(others).toEqual([plain]);
    for (const sort of route.sorts) {
      for (const [order, sign] of [
        ['asc', 1],
        ['desc', -1],
      ] as const) {
        if ((sort === 'change_sequence' || path.endsWith('/panels')) && order === 'desc') continue;
        const values = (await idsOf(`sort=${sort}`, `order=${order}`)).map((row) => sortedBy(row, sort));
        expect([sort, order, values.includes(undefined), outOfOrder(values, sign).slice(0, 3)]).toEqual([sort, order, false, []]);
      }
    }
  });

  it.each(named(PROMISED.filter((route) => route.isBulk)))(
    'of %s come in every form, by parameter or by Accept, with the promised columns',
    async (path, route) => {
      const own = path === '/public/screener' ? ['columns=cpi_inflation_yoy', 'limit=3'] : ['limit=3'];
      const stated = path.includes('derived') ? [] : ['obsStatus'];
      const more = path.includes('observations') ? ['supersededAt', 'isBackfill', ...stated] : [];
      const most = path.endsWith('/panels') ? 5_000_000 : 1_000_000;
      const until = path.endsWith('/panels') ? ['knownTo'] : [];
      const columns = [...Object.keys(membersOf(readShape(route.fields))), ...more, ...until];
      for (const form of BULK_FORMS) {
        const asked = await service.get(addressOf(path, ...own, `format=${form}`));
        const accept = FORMATS[form].split(';')[0] ?? '';
        const accepted = await service.get(addressOf(path, ...own), { method: 'HEAD', headers: { accept } });
        expect([asked.status, asked.headers.get('content-type')]).toEqual([200, FORMATS[form]]);
        expect([accepted.status, accepted.headers.get('content-type')]).toEqual([200, FORMATS[form]]);
        expect(accepted.headers.get('etag')).toBe(asked.headers.get('etag'));
        expect(asked.headers.get('cache-control')).toBe('private, max-age=60');
        expect(asked.headers.get('x-as-of')).toMatch(/^\d{4}-\d{2}-\d{2}T/);
        const rows = await decoded(form, Buffer.from(await asked.arrayBuffer()));
        expect([form, rows.length, rows.map((row) => Object.keys(row).toSorted())]).toEqual([form, 3, rows.map(() => columns.toSorted())]);
      }
      for (const [limit, status] of [
        [most + 1, 400],
        [0, 400],
      ] as const)
        expect([limit, (await service.get(addressOf(path, `limit=${limit}`, 'format=ndjson'))).status]).toEqual([limit, status]);
      expect((await service.get(addressOf(path, 'limit=501'))).status).toBe(400);
      expect((await service.get(addressOf(path, `limit=${most}`, 'format=csv'), { method: 'HEAD' })).status).toBe(200);
    },
  );

  it.each(named(PROMISED.filter((route) => !route.isBulk)))('of %s come as JSON only', async (path, route) => {
    const refused = await service.get(addressOf(path, 'format=csv'));
    expect([refused.status, ((await refused.json()) as ErrorBody).error.details]).toMatchObject([400, { parameter: 'format' }]);
    const accepted = await service.get(addressOf(path), { headers: { accept: 'text/csv' } });
    expect([accepted.status, accepted.headers.get('content-type')]).toEqual([200, FORMATS.json]);
    if (route.kind === 'item') return;
    expect((await service.get(addressOf(path, 'limit=501'))).status).toBe(400);
    expect((await service.get(addressOf(path, 'limit=500'), { method: 'HEAD' })).status).toBe(200);
  });
});

describe('addresses and methods', () => {
  it.each(named(PROMISED))('give %s the same answer under /v1, with a trailing slash and to HEAD', async (path) => {
    const [bare = '', query] = addressOf(path).split('?');
    const more = query === undefined ? '' : `?${query}`;
    const seen = async (address: string, method: string) => {
      const response = await service.get(address, { method });
      const text = await response.text();
      const headers = ['etag', 'content-type', 'content-length', 'cache-control', 'vary'].map((name) => response.headers.get(name));
      return {
        status: response.status,
        headers,
        text: text.replaceAll(/req_[-\w]+/g, '').replaceAll(/"(next|resume)_cursor":"[^"]*"/g, ''),
      };
    };
    const plain = await seen(bare + more, 'GET');
    expect(plain.status).toBe(200);
    for (const address of [`/v1${bare}${more}`, `/v1${bare}/${more}`]) expect(await seen(address, 'GET')).toEqual(plain);
    expect(await seen(bare + more, 'HEAD')).toEqual({ ...plain, text: '' });
  });

  it.each([...PROMISED.map((route) => route.path), ...OPEN_ROUTES])(
    'answer any other method of %s with 404 and the two valid ones',
    async (path) => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const response = await service.get(addressOf(path), { method, key: method === 'PUT' ? 'full' : null });
        expect([method, response.status, response.headers.get('allow')]).toEqual([method, 404, 'GET, HEAD']);
        expect(((await response.json()) as ErrorBody).error.code).toBe('not_found');
        for (const name of RATE_HEADERS) expect(response.headers.has(name)).toBe(true);
      }
    },
  );
});
