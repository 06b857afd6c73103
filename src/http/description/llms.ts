// The two texts for agents: an index as llmstxt.org describes it, and the full reference.
import { type DescribedParameter, describeParameters } from './described-parameters.ts';
import { STATUS } from '../errors.ts';
import { componentName, type Definitions, type JsonSchema } from './json-schema.ts';
import { bulkSentence, filledExample, openapiPath, schemasOf } from './openapi.ts';
import { FORMATS, LARGEST_BULK_PAGE, type AnyRoute } from '../route.ts';

type Route = AnyRoute<never>;

export interface TextOptions {
  readonly title: string;
  readonly description: string;
  /** A sentence for each tag. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** Rules that apply to every route. */
export const RULES = [
  'Every route is GET and also exists under /v1. Routes need a key, as `x-api-key: <key>` or `Authorization: Bearer <key>`, unless marked open.',
  'Lists return {data: [...], meta: {pagination: {limit, cursor, next_cursor, has_more}, ...}, requestId}. While has_more is true, repeat the request with cursor=next_cursor and all else unchanged.',
  'Unknown, repeated and empty parameters return 400. The message names the parameter and the nearest known one.',
  `Failures return {error: {code, message, request_id, requestId, details?}, requestId}; codes: ${Object.entries(STATUS)
    .map(([code, status]) => `${code} ${status}`)
    .join(', ')}.`,
  'meta.hints [{parameter, message, nearest?}] explains missing rows of a list. Reasons are an unknown or ambiguous name, values withheld for rights, the window of a free key, a cutoff before anything was known, and periods without a first print. Other reasons are data that the route does not read, and a search without exact results. meta.hints is absent otherwise, also if quarantine kept rows out.',
  `Lists that offer csv, ndjson, arrow and parquet return these formats without the envelope: 100 rows, or up to ${LARGEST_BULK_PAGE.toLocaleString('en')} with limit; a panel returns all its rows. columns=a,b narrows the rows of every format. If an item or a value is unknown, error.details.nearest has the nearest known one.`,
  '/observations returns values that may not be redistributed, with their rights; /public/* withholds them. Values computed from such values are withheld everywhere. The operator can grant more: rights.note then has the grant.',
  'Limits are per 60 seconds: see x-ratelimit-limit, -remaining, -reset. After a 429, wait Retry-After seconds.',
  'Fields of records are camelCase; parameters, and the keys of meta and of error details, are snake_case. Days are YYYY-MM-DD, instants ISO 8601 with Z; send a + as %2B.',
];

/** The index: one line per route, by section. */
export function llmsText(routes: readonly Route[], options: TextOptions): string {
  const sections = bySection(routes).map(([tag, members]) => [
    ...heading(tag, options),
    '',
    ...members.map(
      (route) => `- [GET ${openapiPath(route)}](${filledExample(route)}): ${route.summary}${route.kind === 'open' ? ' (open)' : ''}`,
    ),
  ]);
  return [...preface(options), ...sections.flatMap((lines) => ['', ...lines]), ''].join('\n');
}

/** The reference: parameters with types, defaults and bounds, and the fields of every record. */
export function llmsFullText(routes: readonly Route[], options: TextOptions): string {
  const { schemas, nameOf } = schemasOf(routes);
  const sections = bySection(routes).map(([tag, members]) => [
    ...heading(tag, options),
    ...members.flatMap((route) => ['', ...routeText(route, nameOf)]),
  ]);
  const records = Object.entries(schemas)
    .filter(([, schema]) => schema['properties'] !== undefined)
    .flatMap(([name, schema]) => ['', `### ${name}`, '', ...fieldLines(schema, schemas)]);
  return [...preface(options), ...sections.flatMap((lines) => ['', ...lines]), '', '## Records', ...records, ''].join('\n');
}

function preface(options: TextOptions): readonly string[] {
  return [`# ${options.title}`, '', `> ${options.description}`, '', ...RULES.map((rule) => `- ${rule}`)];
}

function heading(tag: string, options: TextOptions): readonly string[] {
  const sentence = options.tags?.[tag];
  return sentence === undefined ? [`## ${tag}`] : [`## ${tag}`, '', sentence];
}

export function bySection(routes: readonly Route[]): readonly (readonly [string, readonly Route[]])[] {
  return [...new Set(routes.map((route) => route.tag))].map((tag) => [tag, routes.filter((route) => route.tag === tag)]);
}

function routeText(route: Route, nameOf: ReturnType<typeof schemasOf>['nameOf']): readonly string[] {
  const parameters = describeParameters(route).filter((parameter) => parameter.aliasOf === null);
  return [
    `### GET ${openapiPath(route)}`,
    '',
    [route.summary, route.description, bulkSentence(route)].filter((part) => part !== undefined).join(' '),
    '',
    `- Scope: ${route.kind === 'open' ? 'none; no key needed' : route.scope}`,
    `- Returns: ${answerText(route, nameOf)}`,
    ...(route.kind === 'list' && route.isBulk ? [`- Formats: ${FORMATS.join(', ')}`] : []),
    `- Example: GET ${filledExample(route)}`,
    ...(parameters.length === 0 ? [] : ['- Parameters:', ...parameters.map((parameter) => `  - ${parameterText(parameter)}`)]),
  ];
}

function answerText(route: Route, nameOf: ReturnType<typeof schemasOf>['nameOf']): string {
  if (route.kind === 'list') {
    const members = Object.keys(route.meta);
    return `a list of ${nameOf(route.row)}${members.length === 0 ? '' : `; meta adds ${members.join(', ')}`}`;
  }
  if (route.kind === 'item') return nameOf(route.data);
  return route.data === null ? route.contentType : nameOf(route.data);
}

function parameterText(parameter: DescribedParameter): string {
  const notes = [
    typeText(parameter.schema, {}),
    ...(parameter.in === 'path' ? ['in the path'] : parameter.isRequired ? ['required'] : []),
    ...boundTexts(parameter.schema),
    ...(parameter.aliases.length === 0 ? [] : [`also ${parameter.aliases.join(', ')}`]),
    ...(parameter.example === null ? [] : [`e.g. ${parameter.example}`]),
  ];
  return `${parameter.name} (${notes.join('; ')}): ${parameter.description}`;
}

export function boundTexts(schema: JsonSchema): readonly string[] {
  const bounds = {
    default: 'default',
    minimum: 'at least',
    maximum: 'at most',
    maxLength: 'at most this many characters:',
    pattern: 'matches',
  };
  return Object.entries(bounds).flatMap(([key, words]) => (schema[key] === undefined ? [] : [`${words} ${plain(schema[key])}`]));
}

function fieldLines(schema: JsonSchema, schemas: Definitions): readonly string[] {
  return Object.entries<JsonSchema>(Object(schema['properties'] ?? {})).map(
    ([name, field]) =>
      `- ${name} (${typeText(field, schemas)})${typeof field['description'] === 'string' ? `: ${field['description']}` : ''}`,
  );
}

/** `string | null`, `one of a, b`, `array of Maker`, `{name: string}`. A type without fields is written out instead of named. */
export function typeText(schema: JsonSchema, schemas: Definitions): string {
  const { $ref: reference, type, enum: values, anyOf, const: only, format } = schema;
  if (typeof reference === 'string') {
    const name = componentName(reference);
    const named = schemas[name];
    return named === undefined || named['properties'] !== undefined ? name : typeText(named, schemas);
  }
  // A literal among other options is not always that literal.
  if (Array.isArray(anyOf)) return anyOf.map((option) => optionText(Object(option), schemas)).join(' | ');
  if (Array.isArray(values)) return `one of ${values.map(plain).join(', ')}`;
  if (only !== undefined) return `always ${plain(only)}`;
  if (type === 'array') return `array of ${typeText(Object(schema['items'] ?? {}), schemas)}`;
  if (type === 'object' && schema['properties'] !== undefined) {
    const members = Object.entries<JsonSchema>(Object(schema['properties']));
    return `{${members.map(([name, member]) => `${name}: ${typeText(member, schemas)}`).join(', ')}}`;
  }
  const name = Array.isArray(type) ? type.join(' | ') : plain(type ?? 'any');
  return typeof format === 'string' ? `${name}, ${format}` : name;
}

function optionText(option: JsonSchema, schemas: Definitions): string {
  return option['const'] === undefined ? typeText(option, schemas) : plain(option['const']);
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
