// Generates the OpenAPI 3.1 description from the routes.
import { z } from 'zod';
import { inTurns } from '../../db/turns.ts';
import { describeParameters, type DescribedParameter } from './described-parameters.ts';
import { answerSchemas, narrowedName } from './envelopes.ts';
import { type Column, columnsOf, columnsPattern, typeName } from '../forms/columns.ts';
import { BULK_TYPES } from '../forms/formats.ts';
import { type Definitions, type JsonSchema, outputSchema, inlined } from './json-schema.ts';
import { component, HEADERS, headersOf, PARTIAL_CONTENT, RESPONSES, SCHEMAS, SECURITY_SCHEMES } from './openapi-components.ts';
import { type AnyListRoute, type AnyRoute, FREE_TIER_MONTHS, narrowsColumns } from '../route.ts';

type Route = AnyRoute<never>;

export interface OpenapiOptions {
  readonly version: string;
  readonly title: string;
  readonly description: string;
  /** A sentence for each tag. */
  readonly tags?: Readonly<Record<string, string>>;
}

export function openapiDocument(routes: readonly Route[], options: OpenapiOptions): JsonSchema {
  const { schemas, nameOf, answered } = schemasOf(routes);
  const { answers, answerOf } = answerSchemas(routes, nameOf);
  const { parameters, referenceOf } = sharedParameters(routes);
  const described = (route: Route) => parametersOf(route).map(referenceOf);
  return {
    openapi: '3.1.0',
    info: { title: options.title, version: options.version, description: options.description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [
      { url: '/', description: 'Paths without a version.' },
      { url: '/v1', description: 'The same paths under a prefix.' },
    ],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({
      name,
      description: options.tags?.[name] ?? `Routes of ${name}.`,
    })),
    paths: Object.fromEntries(
      routes.map((route) => [openapiPath(route), { get: operation(route, described(route), component(answerOf(route))) }]),
    ),
    components: {
      schemas: { ...withClosedSets({ ...SCHEMAS, ...schemas }, answered), ...answers },
      parameters,
      headers: HEADERS,
      responses: RESPONSES,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/**
 * Converts the schemas of all routes, so that the descriptions find them converted. Other requests run between the routes: all of it
 * together takes a tenth of a second.
 */
export async function convertInTurns(routes: readonly Route[]): Promise<void> {
  for await (const part of inTurns(routes, 1)) part.forEach(convertSchemas);
}

function convertSchemas(route: Route): void {
  describeParameters(route);
  const row = route.kind === 'list' ? route.row : route.data;
  if (row !== null) outputSchema(row);
  if (route.kind === 'list' && route.bulkRow !== null) outputSchema(route.bulkRow);
}

/** For example `/entities/{idOrSlug}`. */
export function openapiPath(route: Route): string {
  return route.path.replaceAll(/:(\w+)/g, '{$1}');
}

/** The route's example with filled path parameters. You can call it as it is. */
export function filledExample(route: Route): string {
  const inPath = describeParameters(route).filter((one) => one.in === 'path' && one.example !== null);
  return inPath.reduce((path, { name, example }) => path.replace(`{${name}}`, encodeURIComponent(String(example))), route.example);
}

function operation(route: Route, parameters: readonly JsonSchema[], answered: JsonSchema): JsonSchema {
  const example = filledExample(route);
  return {
    operationId: route.operation,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, bulkSentence(route), scopeSentence(route), `Example: \`GET ${example}\``]
      .filter((part) => part !== undefined)
      .join('\n\n'),
    'x-example': example,
    ...(route.kind === 'open' ? { security: [] } : { 'x-required-scope': route.scope }),
    ...(route.kind !== 'open' && route.isHistory ? { 'x-free-tier-months': FREE_TIER_MONTHS } : {}),
    parameters,
    ...(route.kind === 'list' && route.isBulk ? { 'x-partial-content': PARTIAL_CONTENT } : {}),
    responses: responses(route, answered),
  };
}

function scopeSentence(route: Route): string {
  return route.kind === 'open' ? 'No key is needed.' : `Requires the scope \`${route.scope}\`.`;
}

/** Text about the bulk forms of a list, in addition to its parameters. */
export function bulkSentence(route: Route): string | undefined {
  if (route.kind !== 'list' || !route.isBulk) return undefined;
  const inEnvelope = new Set(columnsOf(route.row).map(({ name }) => name));
  const more = Object.keys(bulkTypes(route)).filter((name) => !inEnvelope.has(name));
  const added = more.length === 0 ? '' : ` Rows in csv, ndjson, arrow and parquet also have ${more.join(', ')}.`;
  return `Arrow and Parquet are typed: days, instants in UTC, and Arrow dictionaries for texts that rows share.${added} csv and ndjson are gzipped if Accept-Encoding allows it. parquet supports HEAD, Range and If-Range.`;
}

/** DuckDB's type of each column of Arrow and Parquet. */
function bulkTypes(route: AnyListRoute<never>): JsonSchema {
  return Object.fromEntries(bulkColumns(route).map((column) => [column.name, typeName(column)]));
}

function bulkColumns(route: AnyListRoute<never>): readonly Column[] {
  return columnsOf(route.bulkRow ?? route.row, route.ownTexts);
}

/** The route's parameters. `columns` gets the valid names as a pattern; the texts omit them, because they list the row's fields anyway. */
function parametersOf(route: Route): readonly DescribedParameter[] {
  const parameters = describeParameters(route);
  if (route.kind !== 'list' || !narrowsColumns(route)) return parameters;
  const pattern = columnsPattern(bulkColumns(route));
  const row = nameOfSchema(route.row);
  const id = `${row.charAt(0).toLowerCase()}${row.slice(1)}Columns`;
  return parameters.map((one) => (one.name === 'columns' ? { ...one, id, schema: { ...one.schema, pattern } } : one));
}

function openapiParameter(parameter: DescribedParameter): JsonSchema {
  const { default: absent } = parameter.schema;
  const referred = parameter.component === null ? null : component(parameter.component.name);
  return {
    name: parameter.name,
    in: parameter.in,
    required: parameter.isRequired,
    description: parameter.description,
    schema: referred === null ? asSent(parameter.schema) : { ...referred, ...(absent === undefined ? {} : { default: absent }) },
    ...(parameter.example === null ? {} : { example: parameter.example }),
    ...(parameter.aliasOf === null ? {} : { 'x-alias-of': parameter.aliasOf }),
  };
}

/** The service refuses empty texts and control characters in every parameter. Years have four digits and do not begin with zero. */
function asSent(schema: JsonSchema): JsonSchema {
  if (schema['format'] === 'date') return { ...schema, pattern: '^[1-9]' };
  const isFreeText =
    schema['type'] === 'string' && ['enum', 'format', 'pattern', 'const', 'anyOf'].every((word) => schema[word] === undefined);
  return isFreeText ? { minLength: 1, ...schema, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' } : schema;
}

/** A parameter that several routes share becomes one component. */
function sharedParameters(routes: readonly Route[]): {
  readonly parameters: Definitions;
  readonly referenceOf: (parameter: DescribedParameter) => JsonSchema;
} {
  const uses = new Map<string, DescribedParameter[]>();
  for (const one of routes.flatMap(parametersOf)) {
    const text = JSON.stringify(openapiParameter(one));
    uses.set(text, [...(uses.get(text) ?? []), one]);
  }
  const parameters: Record<string, JsonSchema> = {};
  for (const [one, ...others] of uses.values()) {
    if (one === undefined || others.length === 0) continue;
    if (parameters[one.id] !== undefined)
      throw new TypeError(`Two shared parameters are called ${one.id}: name one with .meta({ parameter })`);
    parameters[one.id] = openapiParameter(one);
  }
  return {
    parameters,
    referenceOf: (one) => {
      const inPlace = openapiParameter(one);
      const isShared = JSON.stringify(parameters[one.id]) === JSON.stringify(inPlace);
      return isShared ? { $ref: `#/components/parameters/${one.id}` } : inPlace;
    },
  };
}

function responses(route: Route, answered: JsonSchema): JsonSchema {
  const failures = Object.fromEntries(
    Object.entries(FAILURES)
      .filter(([status]) => route.kind !== 'open' || OPEN_FAILURES.has(status))
      .map(([status, name]) => [status, reference(name)]),
  );
  const parts = route.kind === 'list' && route.isBulk ? { 416: reference('RangeNotSatisfiable') } : {};
  return { 200: answer(route, answered), ...parts, ...failures };
}

const reference = (name: string): JsonSchema => ({ $ref: `#/components/responses/${name}` });

const FAILURES = {
  304: 'NotModified',
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  429: 'RateLimited',
  500: 'InternalError',
} as const;

const OPEN_FAILURES: ReadonlySet<string> = new Set(['400', '429', '500']);

function answer(route: Route, answered: JsonSchema): JsonSchema {
  if (route.kind === 'open') {
    const schema = route.contentType === 'text/plain' ? { type: 'string' } : answered;
    return { description: route.summary, headers: headersOf(), content: { [route.contentType]: { schema } } };
  }
  const isBulk = route.kind === 'list' && route.isBulk;
  return {
    description: route.summary,
    headers: isBulk
      ? headersOf('etag', 'cache-control', 'x-key-scopes', 'x-as-of', 'x-next-cursor', 'content-disposition', 'accept-ranges')
      : headersOf('etag', 'cache-control', 'x-key-scopes'),
    content: { 'application/json': { schema: answered } },
    ...(isBulk ? { 'x-bulk': BULK_CONTENT, 'x-bulk-columns': bulkTypes(route) } : {}),
  };
}

/** The bulk forms. They are not next to the JSON, because typed clients would then get an object or a text as their answer type. */
const BULK_CONTENT: JsonSchema = {
  [BULK_TYPES.csv]: { schema: { type: 'string' } },
  [BULK_TYPES.ndjson]: { schema: { type: 'string' } },
  [BULK_TYPES.arrow]: { schema: { type: 'string', contentMediaType: 'application/octet-stream' } },
  [BULK_TYPES.parquet]: { schema: { type: 'string', contentMediaType: 'application/octet-stream' } },
};

/**
 * Writes a closed set of an answer as a text with its values below it. A client whose types vanish at run time sees the union of the
 * values. A client that
 * checks types sees a text, so it can still read values that come later. A set that is only sent lists its values as constants.
 */
function withClosedSets(schemas: Definitions, answered: ReadonlySet<string>): Definitions {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { enum: values, ...rest } = schema;
      if (!Array.isArray(values)) return [name, schema];
      if (answered.has(name)) return [name, { ...rest, allOf: [{ enum: values }] }];
      return [name, { ...rest, oneOf: values.map((value) => ({ const: value })) }];
    }),
  );
}

/** Every row, record and closed set as a component, under its id. */
export function schemasOf(routes: readonly Route[]): {
  readonly schemas: Definitions;
  readonly nameOf: (schema: z.ZodType) => string;
  /** Components that an answer contains, not only a request. */
  readonly answered: ReadonlySet<string>;
} {
  const schemas: Record<string, JsonSchema> = {};
  for (const route of routes) {
    const zodSchema = route.kind === 'list' ? route.row : route.data;
    if (route.kind === 'list') Object.assign(schemas, outputSchema(z.object(route.meta)).definitions);
    if (zodSchema !== null)
      Object.assign(schemas, { [nameOfSchema(zodSchema)]: outputSchema(zodSchema).schema }, outputSchema(zodSchema).definitions);
    if (route.kind === 'list' && narrowsColumns(route)) schemas[narrowedName(nameOfSchema(route.row))] = narrowedRow(route);
  }
  const answered = new Set([...Object.keys(schemas), ...Object.keys(SCHEMAS)]);
  for (const { component: referred } of routes.flatMap((route) => describeParameters(route)))
    for (const [name, schema] of Object.entries(referred?.definitions ?? {})) schemas[name] ??= schema;
  return { schemas, nameOf: nameOfSchema, answered };
}

function narrowedRow({ row }: AnyListRoute<never>): JsonSchema {
  const { schema, definitions } = outputSchema(row);
  const { required: _, ...optional } = inlined(schema, definitions);
  return { ...optional, description: 'The columns of a row that you asked for.' };
}

function nameOfSchema(schema: z.ZodType): string {
  const id = schema.meta()?.id;
  if (id === undefined) throw new TypeError('A row or record has no name: give it one with .meta({ id })');
  return id;
}
