// The served /openapi.json as the measure of what the service answers.
import addFormats from 'ajv-formats';
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { wholeRows } from '../../tools/whole-rows.ts';

const Schema = z.record(z.string(), z.unknown());

const Parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query']),
  required: z.boolean(),
  schema: Schema,
  example: z.union([z.string(), z.number(), z.boolean()]).optional(),
  'x-alias-of': z.string().optional(),
});
export type Parameter = z.infer<typeof Parameter>;

const Content = z.record(z.string(), z.object({ schema: Schema }));
// The forms beside JSON stand apart, so that the answer of a typed client is of one type.
const Answer = z
  .object({ headers: Schema.optional(), content: Content.optional(), 'x-bulk': Content.optional() })
  .transform(({ content, 'x-bulk': bulk, ...rest }) => ({
    ...rest,
    ...(content === undefined && bulk === undefined ? {} : { content: { ...content, ...bulk } }),
  }));

const Operation = z.object({
  operationId: z.string(),
  'x-example': z.string(),
  'x-required-scope': z.enum(['data:read', 'ops:read', 'admin']).optional(),
  'x-free-tier-months': z.literal(24).optional(),
  parameters: z.array(z.union([z.object({ $ref: z.string() }), Parameter])),
  /** The answer 206: one more among `responses` would make that of every typed client an object or nothing. */
  'x-partial-content': Answer.optional(),
  responses: z.record(z.string(), z.union([z.object({ $ref: z.string() }), Answer])),
});

const Document = z.object({
  info: z.object({ version: z.string() }),
  paths: z.record(z.string(), z.strictObject({ get: Operation })),
  components: z.object({
    responses: z.record(z.string(), Answer),
    parameters: z.record(z.string(), Parameter),
    schemas: z.record(z.string(), Schema),
  }),
});

export interface Operation {
  /** `/entities/{idOrSlug}` */
  readonly path: string;
  readonly name: string;
  /** As it stands in the description: it answers on the sample. */
  readonly example: string;
  /** The same with a placeholder for an identifier that rows have, `{eventId}`: to be filled from a row. */
  readonly template: string;
  readonly scope: 'data:read' | 'ops:read' | 'admin' | null;
  readonly parameters: readonly Parameter[];
  readonly statuses: readonly number[];
  readonly isList: boolean;
  readonly isBulk: boolean;
  /** Whether a free key sees only part of it. */
  readonly isHistory: boolean;
}

export interface Description {
  readonly version: string;
  readonly operations: readonly Operation[];
  /** The operation that a path without its query belongs to; null for none. */
  readonly operationOf: (pathname: string) => Operation | null;
  /** Each way in which an answer differs from what is documented of it; a field that is not documented is one. */
  readonly faultsOf: (operation: Operation, answer: AnswerSeen) => readonly string[];
  /** Each way in which a body is not the one shape of an error. */
  readonly errorFaults: (body: unknown) => readonly string[];
}

export interface AnswerSeen {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed when it is JSON; otherwise not looked at. */
  readonly body: unknown;
  /** Whether the request named `columns`: rows may then lack fields. */
  readonly isNarrowed?: boolean;
}

export function readDescription(text: string): Description {
  const raw = Schema.parse(JSON.parse(text));
  const document = Document.parse(raw);
  const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: false });
  addFormats.default(ajv);
  ajv.addSchema(closed(wholeRows(raw)) as AnySchemaObject, 'openapi.json');
  ajv.addSchema(closed(raw) as AnySchemaObject, 'narrowed.json');
  const operations = Object.entries(document.paths).map(([path, { get }]) => toOperation(path, get, document));
  const answerOf = (operation: Operation, status: number) => {
    const get = document.paths[operation.path]?.get;
    const found = status === 206 ? get?.['x-partial-content'] : get?.responses[status];
    if (found === undefined || !('$ref' in found))
      return { answer: found, at: `/paths/${pointer(operation.path)}/get/responses/${status}` };
    const name = found.$ref.replace('#/components/responses/', '');
    return { answer: document.components.responses[name], at: `/components/responses/${name}` };
  };
  const faultsOf = (operation: Operation, { status, headers, body, isNarrowed = false }: AnswerSeen): readonly string[] => {
    const { answer, at } = answerOf(operation, status);
    if (answer === undefined) return [`the status ${status} is not documented`];
    const faults = Object.keys(answer.headers ?? {})
      .filter((name) => !OPTIONAL_HEADERS.has(name) && !headers.has(name))
      .map((name) => `the header ${name} is missing`);
    if (status === 304) return faults;
    const type = headers.get('content-type')?.split(';')[0] ?? 'none';
    if (answer.content?.[type] === undefined) return [...faults, `the type ${type} is not documented for ${status}`];
    const described = isNarrowed ? 'narrowed.json' : 'openapi.json';
    return type === 'application/json'
      ? [...faults, ...bodyFaults(compiled(ajv, `${at}/content/application~1json/schema`, described), body)]
      : faults;
  };
  return {
    version: document.info.version,
    operations,
    operationOf: (pathname) => operationFor(operations, pathname),
    faultsOf,
    errorFaults: (body) => bodyFaults(compiled(ajv, '/components/schemas/ErrorAnswer'), body),
  };
}

// What a header says only at times: Retry-After comes with a refusal, scopes with a key, a cursor where rows follow, the others with rows.
const OPTIONAL_HEADERS: ReadonlySet<string> = new Set(['x-key-scopes', 'x-next-cursor', 'x-as-of', 'content-disposition', 'accept-ranges']);

type Document = z.infer<typeof Document>;

function toOperation(path: string, get: z.infer<typeof Operation>, { components }: Document): Operation {
  const answer = get.responses['200'];
  const content = answer !== undefined && 'content' in answer ? (answer.content ?? {}) : {};
  const envelope = referred(components.schemas, content['application/json']?.schema ?? {});
  const { data = {} } = Object(envelope['properties'] ?? {});
  const parameters = get.parameters.map((one) => {
    const parameter = '$ref' in one ? components.parameters[nameOf(one.$ref)] : one;
    if (parameter === undefined) throw new RangeError(`${path} refers to a parameter that there is not`);
    return { ...parameter, schema: withValues(referred(components.schemas, parameter.schema)) };
  });
  const fromRows = parameters.filter((one) => one.in === 'path' && /^(?:event|observation)Id$/.test(one.name));
  return {
    path,
    name: get.operationId,
    example: get['x-example'],
    template: fromRows.reduce((filled, { name, example }) => filled.replace(String(example), `{${name}}`), get['x-example']),
    scope: get['x-required-scope'] ?? null,
    parameters,
    statuses: Object.keys(get.responses).map(Number),
    isList: data.type === 'array',
    isBulk: content['text/csv'] !== undefined,
    isHistory: get['x-free-tier-months'] !== undefined,
  };
}

const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1);

/** A schema with what it refers to in its place. */
function referred(
  schemas: Readonly<Record<string, z.infer<typeof Schema>>>,
  { $ref, ...rest }: z.infer<typeof Schema>,
): z.infer<typeof Schema> {
  return typeof $ref === 'string' ? { ...referred(schemas, schemas[nameOf($ref)] ?? {}), ...rest } : rest;
}

/** A closed set, which is named and has its values beneath, as a plain enumeration. */
function withValues(schema: z.infer<typeof Schema>): z.infer<typeof Schema> {
  const { allOf, oneOf, const: only, ...rest } = schema;
  if (Array.isArray(allOf)) return { ...rest, enum: Object(allOf[0]).enum };
  if (Array.isArray(oneOf)) return { ...rest, enum: oneOf.map((one) => Object(one).const) };
  return only === undefined ? schema : { ...rest, enum: [only] };
}

function operationFor(operations: readonly Operation[], pathname: string): Operation | null {
  const unprefixed = pathname.replace(/^\/v1(?=\/)/, '');
  const given = (unprefixed.length > 1 ? unprefixed.replace(/\/$/, '') : unprefixed).split('/');
  const matching = operations.filter(({ path }) => {
    const parts = path.split('/');
    return parts.length === given.length && parts.every((part, at) => part === given[at] || (part.startsWith('{') && given[at] !== ''));
  });
  const placeholders = (operation: Operation) => operation.path.split('{').length;
  return matching.toSorted((a, b) => placeholders(a) - placeholders(b))[0] ?? null;
}

/** The document with every object closed: what it does not name is refused. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closed(member)]));
  const isOpen = members['properties'] !== undefined && members['additionalProperties'] === undefined;
  return isOpen ? { ...members, additionalProperties: false } : members;
}

function pointer(path: string): string {
  return path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
}

function compiled(ajv: Ajv2020, at: string, document = 'openapi.json'): ValidateFunction {
  const validate = ajv.getSchema(`${document}#${at}`);
  if (validate === undefined) throw new RangeError(`the description has no schema at ${at}`);
  return validate;
}

function bodyFaults(validate: ValidateFunction, body: unknown): readonly string[] {
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
}
