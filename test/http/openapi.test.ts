import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { outputSchema } from '../../src/http/description/json-schema.ts';
import { convertInTurns, openapiDocument } from '../../src/http/description/openapi.ts';
import { toyRoutes } from './toy-routes.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const Parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query']),
  required: z.boolean(),
  description: z.string().min(1),
  schema: z.record(z.string(), z.unknown()),
  example: z.union([z.string(), z.number(), z.boolean()]).optional(),
  'x-alias-of': z.string().optional(),
});
const Reference = z.object({ $ref: z.string() });
const Operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  description: z.string(),
  security: z.array(z.unknown()).optional(),
  parameters: z.array(z.union([Reference, Parameter])),
  responses: z.record(z.string(), z.record(z.string(), z.unknown())),
});
const Document = z.object({
  servers: z.array(z.object({ url: z.string() })),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.object({ get: Operation })),
  components: z.object({
    schemas: z.record(z.string(), z.record(z.string(), z.unknown())),
    parameters: z.record(z.string(), Parameter),
  }),
});

const made = openapiDocument(toyRoutes, { version: '0.1.0', title: 'Toys', description: 'A toy shop.', tags: { toys: 'What is sold.' } });
const document = Document.parse(made);
const operation = (path: string) => Operation.parse(document.paths[path]?.get);
const parametersOf = (path: string) =>
  operation(path).parameters.map((one) =>
    '$ref' in one ? Parameter.parse(document.components.parameters[one.$ref.replace('#/components/parameters/', '')]) : one,
  );
const parameter = (path: string, name: string) => Parameter.parse(parametersOf(path).find((one) => one.name === name));

it('lets other requests run between the routes while their schemas are converted, and converts each schema once', async () => {
  let turns = 0;
  let isOver = false;
  const other = () => {
    turns += 1;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  await convertInTurns(toyRoutes);
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(toyRoutes.length - 1);
  const schemas = toyRoutes.flatMap((route) => (route.kind === 'list' ? route.row : (route.data ?? [])));
  expect(schemas.length).toBeGreaterThan(3);
  for (const schema of schemas) expect(outputSchema(schema)).toBe(outputSchema(schema));
});

it('passes the linter with its recommended rules', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'asof-openapi-'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(made));
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const linted = await promisify(execFile)('npx', ['redocly', 'lint', '--format', 'json', '--config', join(ROOT, 'redocly.yaml'), file], {
    cwd: ROOT,
    env,
  });
  rmSync(folder, { recursive: true });
  expect(JSON.parse(linted.stdout).totals).toMatchObject({ errors: 0, warnings: 0 });
});

it('has an operation for each route and no other, each with its own id', () => {
  expect(Object.keys(document.paths)).toEqual(['/health', '/llms.txt', '/toys', '/toys/{toyId}', '/makers/{makerId}/parts']);
  const names = Object.keys(document.paths).map((path) => operation(path).operationId);
  expect(names).toEqual(['getHealth', 'getLlms', 'listToys', 'getToy', 'listParts']);
});

it('offers every path with and without the prefix', () => {
  expect(document.servers.map((server) => server.url)).toEqual(['/', '/v1']);
});

it('describes each tag', () => {
  expect(document.tags).toEqual([
    { name: 'discovery', description: 'Routes of discovery.' },
    { name: 'toys', description: 'What is sold.' },
    { name: 'makers', description: 'Routes of makers.' },
  ]);
});

describe('parameters', () => {
  it('all have a type and a sentence', () => {
    const all = Object.keys(document.paths).flatMap(parametersOf);
    expect(all.length).toBeGreaterThan(15);
    expect(all.filter((one) => one.schema['type'] === undefined && one.schema['$ref'] === undefined)).toEqual([]);
    expect(all.filter((one) => !/^[A-Z].*\.$/.test(one.description))).toEqual([]);
  });

  it('carry type, values, default and bounds', () => {
    expect(parameter('/toys', 'limit').schema).toEqual({ type: 'integer', minimum: 1, maximum: 1_000_000, default: 100 });
    expect(parameter('/makers/{makerId}/parts', 'limit').schema).toEqual({ type: 'integer', minimum: 1, maximum: 500, default: 100 });
    expect(parameter('/toys', 'sort').schema).toEqual({ $ref: '#/components/schemas/ToySort', default: 'price' });
    expect(document.components.schemas['ToySort']).toEqual({ type: 'string', oneOf: [{ const: 'price' }, { const: 'toy_id' }] });
    expect(parameter('/makers/{makerId}/parts', 'sort').schema).toEqual({ type: 'string', const: 'part', default: 'part' });
    expect(parameter('/toys', 'is_sold').schema).toEqual({ type: 'boolean', default: false });
    expect(parameter('/toys', 'made_on').schema).toEqual({ type: 'string', format: 'date', pattern: '^[1-9]' });
    expect(parameter('/toys', 'year').schema).toEqual({ type: 'integer', minimum: 1900, maximum: 2100 });
    expect(parameter('/toys', 'format').schema).toEqual({ $ref: '#/components/schemas/Format' });
    const forms = ['json', 'csv', 'ndjson', 'arrow', 'parquet'].map((form) => ({ const: form }));
    expect(document.components.schemas['Format']).toEqual({ type: 'string', oneOf: forms });
  });

  it('have examples of their own type, bounds and aliases none', () => {
    expect(parameter('/toys', 'year').example).toBe(2020);
    expect(parameter('/toys', 'is_sold').example).toBe(true);
    expect(parameter('/toys', 'kind').example).toBe('car');
    expect(parameter('/toys', 'made_on').example).toBeUndefined();
    expect(parameter('/toys', 'makerId').example).toBeUndefined();
    expect(parameter('/makers/{makerId}/parts', 'makerId').example).toBe('m9');
  });

  it('list each alias as an alias', () => {
    const aliases = parametersOf('/toys').filter((one) => one['x-alias-of'] !== undefined);
    expect(aliases.map((one) => [one.name, one['x-alias-of']])).toEqual([
      ['makerId', 'maker_id'],
      ['maker', 'maker_id'],
    ]);
    expect(aliases[0]?.description).toBe('Alias of maker_id. Makers, up to 50 separated by commas.');
    expect(aliases[0]?.schema).toEqual(parameter('/toys', 'maker_id').schema);
  });

  it('name the columns that narrow the bulk forms of a list', () => {
    const { schema } = parameter('/toys', 'columns');
    const isNamed = (text: string) => new RegExp(String(schema['pattern']), 'v').test(text);
    const names = ['toyId', 'toy_id', 'kind', 'price', 'madeAt', 'made_at', 'isSold', 'is_sold', 'colours', 'maker'];
    expect(names.filter((name) => !isNamed(name))).toEqual([]);
    expect(isNamed('price, toy_id ,price')).toBe(true);
    expect(['', 'colour', 'toyid', 'price,', ',price', 'price toy_id', '7Ö¿ÂÑ', 'x,price', 'price,x'].filter(isNamed)).toEqual([]);
    expect(schema).toMatchObject({ type: 'string', minLength: 1, maxLength: 2000 });
    expect(parametersOf('/makers/{makerId}/parts').map((one) => one.name)).not.toContain('columns');
  });

  it('say which are required', () => {
    const required = Object.keys(document.paths).flatMap((path) => parametersOf(path).filter((one) => one.required));
    expect(required.map((one) => one.name)).toEqual(['toyId', 'makerId', 'name']);
  });
});

describe('responses', () => {
  it('cover every status of a route with a key', () => {
    expect(Object.keys(operation('/toys/{toyId}').responses)).toEqual(['200', '304', '400', '401', '403', '404', '429', '500']);
    expect(Object.keys(operation('/toys').responses)).toEqual(['200', '304', '400', '401', '403', '404', '416', '429', '500']);
    expect(operation('/toys').security).toBeUndefined();
  });

  it('of open routes need no key and have no key errors', () => {
    expect(Object.keys(operation('/health').responses)).toEqual(['200', '400', '429', '500']);
    expect(operation('/health').security).toEqual([]);
  });

  it('are JSON only, with the bulk forms in an extension', () => {
    for (const path of ['/toys', '/toys/{toyId}'])
      expect(Object.keys(Object(operation(path).responses['200']?.['content']))).toEqual(['application/json']);
    expect(Object.keys(Object(operation('/toys').responses['200']?.['x-bulk']))).toEqual([
      'text/csv',
      'application/x-ndjson',
      'application/vnd.apache.arrow.stream',
      'application/vnd.apache.parquet',
    ]);
    expect(operation('/toys/{toyId}').responses['200']?.['x-bulk']).toBeUndefined();
  });

  it('name records, closed sets and envelopes', () => {
    expect(Object.keys(document.components.schemas).sort()).toEqual([
      'AsOfPageMeta',
      'ErrorAnswer',
      'ErrorBody',
      'ErrorCode',
      'ErrorDetails',
      'ErrorReason',
      'Format',
      'Health',
      'HealthAnswer',
      'Hint',
      'Maker',
      'Meta',
      'Order',
      'PageMeta',
      'Pagination',
      'Part',
      'PartList',
      'Toy',
      'ToyAnswer',
      'ToyColumns',
      'ToyKind',
      'ToyList',
      'ToySort',
    ]);
  });
});

const pointer = (path: string) => path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');

describe('bodies', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(made, 'openapi.json');
  const accepts = (path: string, body: unknown) =>
    ajv.getSchema(`openapi.json#/paths/${pointer(path)}/get/responses/200/content/application~1json/schema`)?.(body);
  const meta = { request_id: 'r', requestId: 'r', api_version: 'v1' };
  const row = {
    toyId: 't',
    kind: 'car',
    price: null,
    madeAt: '2026-01-01T00:00:00.000Z',
    isSold: null,
    colours: [],
    maker: { makerId: 'm', name: null },
  };
  const pagination = { limit: 100, cursor: null, next_cursor: null, has_more: false };

  it('of lists are accepted whole, and refused without a member', () => {
    const body = { data: [row], meta: { ...meta, pagination, as_of: null }, requestId: 'r' };
    expect(accepts('/toys', body)).toBe(true);
    expect(accepts('/toys', { ...body, requestId: undefined })).toBe(false);
    expect(accepts('/toys', { ...body, meta: { ...meta, pagination } })).toBe(false);
    expect(accepts('/toys', { ...body, meta: { ...meta, as_of: null } })).toBe(false);
    expect(accepts('/toys', { ...body, data: [{ ...row, kind: 'plane' }] })).toBe(false);
    expect(accepts('/toys', { ...body, data: [{ ...row, maker: { makerId: 1 } }] })).toBe(false);
  });

  it('may gain fields', () => {
    expect(accepts('/toys/{toyId}', { data: { ...row, weight: 1 }, meta, requestId: 'r' })).toBe(true);
  });

  it('of failures have one shape', () => {
    const isError = ajv.getSchema('openapi.json#/components/schemas/ErrorAnswer');
    const error = { code: 'not_found', message: 'none', request_id: 'r', requestId: 'r' };
    expect(isError?.({ error, requestId: 'r' })).toBe(true);
    expect(isError?.({ error: { ...error, details: { a: 1 } }, requestId: 'r' })).toBe(true);
    expect(isError?.({ error: { ...error, code: 'gone' }, requestId: 'r' })).toBe(false);
    expect(isError?.({ error })).toBe(false);
  });
});
