// Every operation of the served description, called as documented and against it.
import { StructRow, tableFromIPC } from 'apache-arrow';
import { parse as parseCsv } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, describe, expect, it } from 'vitest';
import { columnsOf } from '../../src/http/forms/columns.ts';
import { createKey } from '../../src/keys/key.ts';
import { routes } from '../../src/routes/index.ts';
import { PROMISED } from '../contract/table.ts';
import { type AnswerSeen, type Description, type Operation, readDescription } from './description.ts';
import { type Fill, fillingFrom } from './placeholders.ts';
import { type ErrorBody, type KeyName, type ListBody, RATE_HEADERS, type RunningService, startSampleService } from '../service.ts';

const service: RunningService = await startSampleService();
afterAll(() => service.stop());
const text = await (await service.get('/openapi.json')).text();
const description: Description = readDescription(text);
const fill: Fill = fillingFrom(service, description.operations);

const { operations } = description;
const keyed = operations.filter((operation) => operation.scope !== null);
const named = (some: readonly Operation[]) => some.map((operation) => [operation.path, operation] as const);

async function seen(response: Response): Promise<AnswerSeen> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const body = await response.text();
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(body) : body };
}

/** The example with the identifier of a row where it has a placeholder. */
async function exampleOf(operation: Operation): Promise<string> {
  const path = await fill(operation.template);
  if (path === null) throw new Error(`the sample has no row to fill ${operation.template} from`);
  return path;
}
const withPair = (path: string, pair: string) => `${path}${path.includes('?') ? '&' : '?'}${pair}`;

/** The path of an operation with only what it requires. */
async function barePath(operation: Operation): Promise<string> {
  const example = await exampleOf(operation);
  const required = operation.parameters.filter((one) => one.in === 'query' && one.required);
  const pairs = required.map((one) => `${one.name}=${encodeURIComponent(String(one.example))}`);
  return [example.split('?')[0], ...(pairs.length > 0 ? [pairs.join('&')] : [])].join('?');
}

async function refused(path: string, options: { readonly key?: KeyName | null; readonly headers?: Record<string, string> } = {}) {
  const response = await service.get(path, options);
  const body = (await response.json()) as ErrorBody;
  const operation = description.operationOf(new URL(response.url).pathname);
  const faults =
    operation === null
      ? description.errorFaults(body)
      : description.faultsOf(operation, { status: response.status, headers: response.headers, body });
  expect(faults).toEqual([]);
  const ids = [body.error.request_id, body.error.requestId, body.requestId, response.headers.get('x-request-id')];
  expect(new Set(ids).size).toBe(1);
  for (const name of RATE_HEADERS) expect(response.headers.has(name)).toBe(true);
  return { status: response.status, code: body.error.code, message: body.error.message, details: body.error.details ?? {} };
}

it('is version 0.1.0 and names every route once', () => {
  expect(description.version).toBe('0.1.0');
  expect(new Set(operations.map((operation) => operation.path)).size).toBe(operations.length);
});

it('refers only to components that it has', () => {
  const document: unknown = JSON.parse(text);
  const references = new Set([...text.matchAll(/"\$ref":"#([^"]+)"/g)].map(([, pointer = '']) => pointer));
  const isHeld = (pointer: string) =>
    pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((found, name) => (typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined), document) !==
    undefined;
  expect([...references].filter((pointer) => !isHeld(pointer))).toEqual([]);
});

describe.each(named(operations))('%s', (_path, operation) => {
  it('answers its example as documented, with no other field', async () => {
    const answer = await seen(await service.get(operation.example, { key: operation.scope === null ? null : 'full' }));
    expect([answer.status, description.faultsOf(operation, answer)]).toEqual([200, []]);
    const rows = operation.isList ? (answer.body as ListBody).data.length : 1;
    expect(rows).toBeGreaterThan(0);
  });

  it('answers the same under /v1, and HEAD without a body', async () => {
    const path = await exampleOf(operation);
    const [bare, prefixed, head] = [await service.get(path), await service.get(`/v1${path}`), await service.get(path, { method: 'HEAD' })];
    expect([bare.status, prefixed.status, head.status]).toEqual([200, 200, 200]);
    expect(await head.text()).toBe('');
    expect(withoutIds(await prefixed.text())).toEqual(withoutIds(await bare.text()));
    for (const name of ['content-type', 'etag', 'cache-control']) {
      expect([name, prefixed.headers.get(name), head.headers.get(name)]).toEqual([name, bare.headers.get(name), bare.headers.get(name)]);
    }
  });

  it('refuses an unknown parameter and names it', async () => {
    const path = await exampleOf(operation);
    const answer = await refused(withPair(path, 'no_such_parameter=1'));
    expect(answer).toMatchObject({ status: 400, code: 'bad_request', details: { parameter: 'no_such_parameter' } });
    expect(answer.message).toContain('no_such_parameter');
  });
});

function withoutIds(body: string): string {
  return body.replaceAll(/"(request_id|requestId)":"[^"]*"/g, '');
}

const WEAK = { 'data:read': 'ops', 'ops:read': 'data', admin: 'full' } as const;

describe.each(named(keyed))('%s', (_path, operation) => {
  it('asks for a key that carries its scope', async () => {
    const path = await exampleOf(operation);
    const scope = PROMISED.find((route) => route.path === operation.path)?.scope ?? 'admin';
    expect(await refused(path, { key: null })).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(await refused(path, { key: null, headers: { 'x-api-key': createKey() } })).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(await refused(path, { key: WEAK[scope] })).toMatchObject({ status: 403, code: 'forbidden', details: { required_scope: scope } });
    expect((await service.get(path, { key: 'admin' })).status).toBe((await service.get(path)).status);
  });
});

describe.each(named(keyed.filter((operation) => operation.path.includes('{'))))('%s', (_path, operation) => {
  it('answers an unknown identifier with not_found', async () => {
    const [bare = '', query] = (await barePath(operation)).split('?');
    const filled = operation.path.split('/');
    const path = bare
      .split('/')
      .map((part, at) => (filled[at]?.startsWith('{') === true ? 'no-such-thing' : part))
      .join('/');
    expect(await refused(query === undefined ? path : `${path}?${query}`)).toMatchObject({ status: 404, code: 'not_found' });
  });
});

const lists = keyed.filter((operation) => operation.isList);

describe.each(named(lists))('%s', (_path, operation) => {
  it('answers its longest page as documented, with the page in meta', async () => {
    const bare = await barePath(operation);
    const answer = await seen(await service.get(withPair(bare, 'limit=500')));
    expect([answer.status, description.faultsOf(operation, answer)]).toEqual([200, []]);
    const { data, meta } = answer.body as ListBody;
    expect(meta.pagination).toMatchObject({ limit: 500, cursor: null, has_more: meta.pagination.next_cursor !== null });
    expect(data.length).toBeLessThanOrEqual(500);
  });

  it('refuses foreign cursors, and limits out of bounds', async () => {
    const bare = await barePath(operation);
    expect(await refused(withPair(bare, 'cursor=abc'))).toMatchObject({
      status: 400,
      details: { parameter: 'cursor', reason: 'malformed' },
    });
    for (const limit of ['0', '501', '-1', '1.5', 'many', '1e2', '']) {
      expect(await refused(withPair(bare, `limit=${limit}`))).toMatchObject({
        status: 400,
        code: 'bad_request',
        details: { parameter: 'limit' },
      });
    }
  });

  it('fails the check if a row has a field more or less than the description', async () => {
    const answer = await seen(await service.get(withPair(await barePath(operation), 'limit=3')));
    const body = answer.body as ListBody;
    const [row] = body.data;
    if (row === undefined) throw new Error('the list has no row');
    const more = { ...body, data: [{ ...row, undocumented: 1 }] };
    expect(description.faultsOf(operation, { ...answer, body: more })).toEqual([expect.stringContaining('undocumented')]);
    const [first = ''] = Object.keys(row);
    const { [first]: _, ...less } = row;
    expect(description.faultsOf(operation, { ...answer, body: { ...body, data: [less] } })).not.toEqual([]);
    const meta = { ...body.meta, undocumented: 1 };
    expect(description.faultsOf(operation, { ...answer, body: { ...body, meta } })).toEqual([expect.stringContaining('undocumented')]);
  });
});

type Row = Readonly<Record<string, unknown>>;

describe.each(named(lists.filter((operation) => operation.isBulk)))('%s', (_path, operation) => {
  it('returns the rows of its JSON page in every bulk form', async () => {
    const path = withPair(await barePath(operation), 'limit=120');
    const { data } = (await (await service.get(path)).json()) as ListBody;
    for (const format of ['ndjson', 'csv', 'arrow', 'parquet'] as const) {
      const response = await service.get(withPair(path, `format=${format}`));
      const bytes = Buffer.from(await response.arrayBuffer());
      expect([format, response.status, description.faultsOf(operation, { status: 200, headers: response.headers, body: null })]).toEqual([
        format,
        200,
        [],
      ]);
      expect(response.headers.get('x-as-of')).not.toBeNull();
      const known = new Set(Object.keys(data[0] ?? {}));
      // Bulk rows alone have these.
      const isMore = (name: string) => ['supersededAt', 'isBackfill', 'obsStatus', 'knownTo'].includes(name) && !known.has(name);
      const rows = (await READ[format](bytes)).map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !isMore(name))));
      expect([format, rows]).toEqual([format, AS[format](data, kindsOf(operation.path))]);
    }
  });
});

/** The rows in a form, as far as that form can say them. */
const READ = {
  ndjson: async (bytes: Buffer) => linesOf(bytes),
  csv: async (bytes: Buffer) => parseCsv(bytes, { columns: true, relax_quotes: false }) as readonly Row[],
  arrow: async (bytes: Buffer) =>
    tableFromIPC(bytes)
      .toArray()
      .map((row: { toJSON: () => Row }) => plain(row.toJSON())),
  parquet: async (bytes: Buffer) => (await parquetReadObjects({ file: new Uint8Array(bytes).buffer, compressors })).map(plain),
} satisfies Record<string, (bytes: Buffer) => Promise<readonly unknown[]>>;

function linesOf(bytes: Buffer): readonly Row[] {
  const lines = bytes.toString('utf8').trim();
  return lines === '' ? [] : lines.split('\n').map((line) => JSON.parse(line) as Row);
}

const AS = {
  ndjson: (data: readonly Row[]) => data,
  csv: (data: readonly Row[]) => data.map((row) => mapped(row, csvText)),
  arrow: (data: readonly Row[], kinds: Kinds) => data.map((row) => mapped(row, (value, name) => cellOf(value, kinds.get(name)))),
  parquet: (data: readonly Row[], kinds: Kinds) => data.map((row) => mapped(row, (value, name) => cellOf(value, kinds.get(name)))),
};

type Kinds = ReadonlyMap<string, string>;

function kindsOf(path: string): Kinds {
  const route = routes.find((one) => one.path.replaceAll(/:(\w+)/g, '{$1}') === path);
  if (route?.kind !== 'list') throw new Error(`${path} is no list`);
  return new Map(columnsOf(route.bulkRow ?? route.row).map(({ name, kind }) => [name, kind]));
}

const mapped = (row: Row, use: (value: unknown, name: string) => unknown): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, use(value, name)]));

function csvText(value: unknown): string {
  if (value === null) return '';
  if (typeof value === 'string') return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return JSON.stringify(value);
}

// Lists of texts stay lists and records objects; days and instants are milliseconds, other objects and lists of them JSON text.
const cellOf = (value: unknown, kind: string | undefined): unknown => {
  if (typeof value === 'string' && (kind === 'day' || kind === 'instant')) return Date.parse(value);
  if (kind === 'record') return value;
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return typeof value === 'object' && value !== null && !isTexts ? JSON.stringify(value) : value;
};

function plain(row: Row): Row {
  return mapped(row, (value) => {
    if (value === undefined) return null; // so hyparquet says that a list is null
    if (typeof value === 'bigint') return Number(value);
    if (value instanceof Date) return value.getTime();
    if (value instanceof StructRow) return JSON.parse(JSON.stringify(value)) as unknown;
    if (typeof value === 'object' && value !== null && 'toArray' in value && typeof value.toArray === 'function')
      return [...value.toArray()];
    return value;
  });
}
