// The OpenAPI 3.1 description, made from the routes themselves.
import { z } from 'zod';
import { describeParameters, type DescribedParameter } from './described-parameters.ts';
import { BULK_TYPES } from '../forms/formats.ts';
import { type JsonSchema, outputSchema } from './json-schema.ts';
import { component, HEADERS, headersOf, metaMembers, RESPONSES, SCHEMAS, SECURITY_SCHEMES } from './openapi-components.ts';
import type { AnyListRoute, AnyRoute } from '../route.ts';

type Route = AnyRoute<never>;

export interface OpenapiOptions {
  readonly version: string;
  readonly title: string;
  readonly description: string;
  /** A sentence for each tag. */
  readonly tags?: Readonly<Record<string, string>>;
}

export function openapiDocument(routes: readonly Route[], options: OpenapiOptions): JsonSchema {
  const { schemas, nameOf } = schemasOf(routes);
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
    paths: Object.fromEntries(routes.map((route) => [openapiPath(route), { get: operation(route, nameOf) }])),
    components: { schemas: { ...SCHEMAS, ...schemas }, headers: HEADERS, responses: RESPONSES, securitySchemes: SECURITY_SCHEMES },
  };
}

/** `/entities/{idOrSlug}`. */
export function openapiPath(route: Route): string {
  return route.path.replaceAll(/:(\w+)/g, '{$1}');
}

/** `listEntitiesByIdOrSlugAliases`. */
export function operationId(route: Route): string {
  return (route.kind === 'list' ? 'list' : 'get') + pathName(route);
}

function pathName(route: Route): string {
  const words = route.path.replaceAll(/:(\w)/g, (_, first: string) => `by-${first}`).split(/[^A-Za-z0-9]+/);
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function operation(route: Route, nameOf: (schema: z.ZodType) => string): JsonSchema {
  const example = `Example: \`GET ${route.example}\``;
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, scopeSentence(route), example].filter((part) => part !== undefined).join('\n\n'),
    'x-example': route.example,
    ...(route.kind === 'open' ? { security: [] } : { 'x-required-scope': route.scope }),
    parameters: describeParameters(route).map(openapiParameter),
    responses: responses(route, nameOf),
  };
}

function scopeSentence(route: Route): string {
  return route.kind === 'open' ? 'No key is needed.' : `Requires the scope \`${route.scope}\`.`;
}

function openapiParameter(parameter: DescribedParameter): JsonSchema {
  return {
    name: parameter.name,
    in: parameter.in,
    required: parameter.isRequired,
    description: parameter.description,
    schema: asSent(parameter.schema),
    ...(parameter.example === null ? {} : { example: parameter.example }),
    ...(parameter.aliasOf === null ? {} : { 'x-alias-of': parameter.aliasOf }),
  };
}

/** Empty texts and control characters are refused whatever the parameter; years have four digits, the first of them no zero. */
function asSent(schema: JsonSchema): JsonSchema {
  if (schema['format'] === 'date' || schema['anyOf'] !== undefined) return { ...schema, pattern: '^[1-9]' };
  const isFreeText =
    schema['type'] === 'string' && ['enum', 'format', 'pattern', 'const', 'anyOf'].every((word) => schema[word] === undefined);
  return isFreeText ? { minLength: 1, ...schema, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' } : schema;
}

function responses(route: Route, nameOf: (schema: z.ZodType) => string): JsonSchema {
  const failures = Object.fromEntries(
    Object.entries(FAILURES)
      .filter(([status]) => route.kind !== 'open' || OPEN_FAILURES.has(status))
      .map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
  );
  return { 200: answer(route, nameOf), ...failures };
}

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

function answer(route: Route, nameOf: (schema: z.ZodType) => string): JsonSchema {
  if (route.kind === 'open') {
    const schema =
      route.data === null
        ? { type: route.contentType === 'text/plain' ? 'string' : 'object' }
        : envelope(component(nameOf(route.data)), {});
    return { description: route.summary, headers: headersOf(), content: { [route.contentType]: { schema } } };
  }
  const schema =
    route.kind === 'list'
      ? listEnvelope(route, component(nameOf(route.row)))
      : envelope(component(nameOf(route.data)), historyMember(route.isHistory));
  const isBulk = route.kind === 'list' && route.isBulk;
  return {
    description: route.summary,
    headers: isBulk ? headersOf('etag', 'cache-control', 'x-as-of', 'x-next-cursor') : headersOf('etag', 'cache-control'),
    content: { 'application/json': { schema }, ...(isBulk ? bulkContent() : {}) },
  };
}

function bulkContent(): JsonSchema {
  const binary = { type: 'string', contentMediaType: 'application/octet-stream' };
  const schemas = { csv: { type: 'string' }, ndjson: { type: 'string' }, arrow: binary, parquet: binary };
  return Object.fromEntries(Object.entries(BULK_TYPES).map(([format, type]) => [type, { schema: Reflect.get(schemas, format) }]));
}

function listEnvelope(route: AnyListRoute<never>, row: JsonSchema): JsonSchema {
  const { schema } = outputSchema(z.object(route.meta));
  const required = Array.isArray(schema['required']) ? schema['required'].map(String) : [];
  const { properties = {} } = schema;
  const members = { pagination: component('Pagination'), ...Object.fromEntries(Object.entries(Object(properties))) };
  const resume = route.isResumable ? { resume_cursor: RESUME } : {};
  return envelope({ type: 'array', items: row }, { ...historyMember(route.isHistory), ...members, ...resume, hints: HINTS }, [
    'pagination',
    ...required,
  ]);
}

const HINTS: JsonSchema = {
  type: 'array',
  description:
    'Why the answer holds less than was asked for: values withheld for rights, rows outside the window of a free key. Absent when there is nothing to say.',
  items: component('Hint'),
};

const RESUME = { type: ['string', 'null'], description: 'Cursor that goes on after the last row whenever more come; it never expires.' };

function historyMember(isHistory: boolean): JsonSchema {
  return isHistory
    ? {
        history_limited: {
          type: 'boolean',
          description:
            'True when the key sees only the last 24 months, and nothing that tells of an older period; absent for full-tier keys.',
        },
      }
    : {};
}

function envelope(data: JsonSchema, meta: JsonSchema, requiredMeta: readonly string[] = []): JsonSchema {
  return {
    type: 'object',
    properties: {
      data,
      meta: { type: 'object', properties: { ...metaMembers, ...meta }, required: [...Object.keys(metaMembers), ...requiredMeta] },
      requestId: metaMembers['requestId'],
    },
    required: ['data', 'meta', 'requestId'],
  };
}

/** Every row and record as a component: under its id, or under a name made of the first route that answers it. */
export function schemasOf(routes: readonly Route[]): { readonly schemas: JsonSchema; readonly nameOf: (schema: z.ZodType) => string } {
  const schemas: Record<string, JsonSchema> = {};
  const names = new Map<z.ZodType, string>();
  for (const route of routes) {
    if (route.kind === 'list') Object.assign(schemas, outputSchema(z.object(route.meta)).definitions);
    const zodSchema = route.kind === 'list' ? route.row : route.data;
    if (zodSchema === null || names.has(zodSchema)) continue;
    const { schema, definitions } = outputSchema(zodSchema);
    const name = zodSchema.meta()?.id ?? pathName(route) + (route.kind === 'list' ? 'Row' : 'Record');
    names.set(zodSchema, name);
    Object.assign(schemas, definitions);
    schemas[name] ??= schema;
  }
  const nameOf = (schema: z.ZodType) => {
    const name = names.get(schema);
    if (name === undefined) throw new RangeError('A schema that no route answers');
    return name;
  };
  return { schemas, nameOf };
}
