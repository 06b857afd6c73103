// The clients' files made from the description: the source of their types, and the fields of rows that are days, instants or numbers.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openapiDocument } from '../src/http/description/openapi.ts';
import { openRoutes } from '../src/http/open-routes.ts';
import type { AnyRoute } from '../src/http/route.ts';
import { about } from '../src/routes/about.ts';
import { routes } from '../src/routes/index.ts';
import { pythonMethods } from './python-methods.ts';
import { wholeRows } from './whole-rows.ts';

type Json = Readonly<Record<string, unknown>>;

const ROOT = join(import.meta.dirname, '../clients');
export const TYPES = join(ROOT, 'typescript/src/description.ts');
export const PYTHON = join(ROOT, 'python/src/asof_client/_fields.py');
export const PYTHON_METHODS = join(ROOT, 'python/src/asof_client/_questions.py');
export const R = join(ROOT, 'r/asof.R');

/** The description without the parts that types do not need: examples, and texts of aliases, which repeat the parameter's. */
export function describedTypes(): string {
  return JSON.stringify(lean(wholeRows(description())), null, 1);
}

/** The first line of the types: their origin. */
export function headOf(described: string): string {
  return `// Made by tools/generate-clients out of the description with the SHA-256 ${createHash('sha256').update(described).digest('hex')}.\n`;
}

/** The kind of each field of the rows of each list: string, number, integer, boolean, date, date-time, strings (an array of them), or json. */
export function fieldsOfLists(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const { paths, components } = wholeRows(description()) as {
    paths: Record<string, { get: Json }>;
    components: { schemas: Record<string, Json> };
  };
  const { schemas } = components;
  const lists = Object.entries(paths).flatMap(([path, { get }]) => {
    const envelope = referred(schemas, at(get, 'responses', '200', 'content', 'application/json', 'schema'));
    const rows = at(envelope, 'properties', 'data');
    if (rows['type'] !== 'array') return [];
    const { properties = {} } = referred(schemas, at(rows, 'items')) as { properties?: Record<string, Json> };
    return [[path, Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, kindOf(schemas, schema)]))] as const];
  });
  return Object.fromEntries(lists);
}

/** The module of the Python client with the typed questions. */
export const pythonQuestions = (): string => pythonMethods(description());

/** The module of the Python client with the fields. */
export function pythonFields(): string {
  const shapes = new Map<string, { readonly name: string; readonly paths: string[] }>();
  for (const [path, fields] of Object.entries(fieldsOfLists())) {
    const body = Object.entries(fields)
      .map(([name, kind]) => `    "${name}": "${kind}",\n`)
      .join('');
    const known = shapes.get(body);
    if (known === undefined) shapes.set(body, { name: `_F${shapes.size + 1}`, paths: [path] });
    else known.paths.push(path);
  }
  const tables = [...shapes].map(([body, { name }]) => `${name}: Fields = {\n${body}}\n`).join('\n');
  const map = [...shapes.values()].flatMap(({ name, paths }) => paths.map((path) => `    "${path}": ${name},\n`)).join('');
  return `# Made by tools/generate-clients out of the description: the kind of each field of the rows of each list.
from typing import Dict, Mapping

Fields = Mapping[str, str]

${tables}
FIELDS: Dict[str, Fields] = {
${map}}
`;
}

const R_BLOCK = /(?<=# made by tools\/generate-clients: fields\n)[^]*?(?=# end of fields\n)/;

/** The R client with the fields by kind; a path's own kind if another list has the same name with another one. */
export function rWithFields(text: string): string {
  if (!R_BLOCK.test(text)) throw new RangeError('The R client has no place for the fields.');
  const lists = Object.entries(fieldsOfLists()).map(([path, fields]) => {
    const kinds = Object.entries(fields).map(([name, kind]) => `${name} = "${kind}"`);
    return `  "${path}" = c(${kinds.join(', ')})`;
  });
  return text.replace(R_BLOCK, () => `asof_fields <- list(\n${lists.join(',\n')}\n)\n`);
}

function description(): Json {
  const document = openapiDocument([...openRoutes, ...routes] as readonly AnyRoute<never>[], about);
  return JSON.parse(JSON.stringify(document)) as Json;
}

function lean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lean);
  if (typeof value !== 'object' || value === null) return value;
  const isAlias = 'x-alias-of' in value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, one]) => !(isExtra(name, one) || (isAlias && name === 'description')))
      .map(([name, one]) => [name, lean(one)]),
  );
}

const isExtra = (name: string, value: unknown) =>
  name.startsWith('x-') || (name === 'example' && typeof value !== 'object') || name === 'examples';

function kindOf(schemas: Record<string, Json>, schema: Json): string {
  if (Array.isArray(schema['anyOf'])) {
    const kinds = new Set((schema['anyOf'] as Json[]).filter(({ type }) => type !== 'null').map((one) => kindOf(schemas, one)));
    return kinds.size === 1 ? [...kinds].join('') : 'json';
  }
  const {
    type: types,
    format,
    items,
    allOf,
  } = referred(schemas, schema) as {
    type?: string | readonly string[];
    format?: string;
    items?: Json;
    allOf?: Json[];
  };
  const type = [types].flat().find((one) => one !== 'null');
  if (type === undefined && allOf?.[0] !== undefined) return kindOf(schemas, allOf[0]);
  if (type === 'string') return DATED.has(format) ? String(format) : 'string';
  if (type === 'array') return items !== undefined && kindOf(schemas, items) === 'string' ? 'strings' : 'json';
  return PLAIN.has(type) ? String(type) : 'json';
}

const DATED: ReadonlySet<unknown> = new Set(['date', 'date-time']);
const PLAIN: ReadonlySet<unknown> = new Set(['number', 'integer', 'boolean']);

function referred(schemas: Record<string, Json>, schema: Json): Json {
  const { $ref } = schema;
  return typeof $ref === 'string' ? referred(schemas, schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? {}) : schema;
}

function at(value: Json, ...names: readonly string[]): Json {
  return names.reduce((inner, name) => (inner[name] ?? {}) as Json, value);
}

// tools/generate-clients: `describe FILE` writes the source of the types, `finish` the files made here.
const [step, file = ''] = process.argv.slice(2);
if (step === 'describe') writeFileSync(file, describedTypes());
if (step === 'finish') {
  writeFileSync(TYPES, headOf(describedTypes()) + readFileSync(file, 'utf8'));
  writeFileSync(PYTHON, pythonFields());
  writeFileSync(PYTHON_METHODS, pythonQuestions());
  writeFileSync(R, rWithFields(readFileSync(R, 'utf8')));
}
