// The contract's notation of fields: read, compared with a JSON schema, and held against a value.
import { z } from 'zod';

export type Shape =
  | { readonly kind: 'plain'; readonly of: string }
  | { readonly kind: 'enum'; readonly values: readonly string[] }
  | { readonly kind: 'nullable'; readonly of: Shape }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'map'; readonly of: Shape }
  | { readonly kind: 'any' }
  | { readonly kind: 'object'; readonly members: Readonly<Record<string, Shape>> };

/** Reads `name s, other {inner n?}[]`. */
export function readShape(fields: string): Shape {
  const words = fields.match(/\{\s*\*|[{}[\],?]|[^\s{}[\],?]+/g) ?? [];
  let at = 0;
  const next = () => words[at++] ?? '';
  const members = (): Shape => {
    const found: Record<string, Shape> = {};
    while (at < words.length && words[at] !== '}') {
      const name = next();
      if (name in found) throw new SyntaxError(`${name} stands twice`);
      found[name] = suffixed(type());
      if (words[at] === ',') at += 1;
    }
    return { kind: 'object', members: found };
  };
  const closing = (shape: Shape): Shape => {
    if (next() !== '}') throw new SyntaxError(`a brace is missing before ${words.slice(at, at + 3).join(' ')}`);
    return shape;
  };
  const type = (): Shape => {
    const word = next();
    if (/^\{\s*\*$/.test(word)) return closing({ kind: 'map', of: suffixed(type()) });
    if (word === '{') {
      const inside = members();
      return closing(inside.kind === 'object' && Object.keys(inside.members).length === 0 ? { kind: 'any' } : inside);
    }
    if (word === 'e') {
      next();
      return closing({ kind: 'enum', values: next().split('|') });
    }
    if (!/^[snibdtv]$/.test(word)) throw new SyntaxError(`${word} is no type`);
    return { kind: 'plain', of: word };
  };
  const suffixed = (shape: Shape): Shape => {
    if (words[at] === '?') {
      at += 1;
      return suffixed({ kind: 'nullable', of: shape });
    }
    if (words[at] !== '[') return shape;
    at += 2;
    return suffixed({ kind: 'list', of: shape });
  };
  return members();
}

const JSON_TYPES: Readonly<Record<string, string>> = {
  s: 'string',
  d: 'string date',
  t: 'string date-time',
  n: 'number',
  i: 'integer',
  b: 'boolean',
};

/** A shape as one text, days and instants by their format. */
function textOf(shape: Shape): string {
  switch (shape.kind) {
    case 'plain':
      return shape.of === 'v' ? 'number|string' : (JSON_TYPES[shape.of] ?? '');
    case 'enum':
      return `one of ${shape.values.toSorted().join(' ')}`;
    case 'nullable':
      return `${textOf(shape.of)} or null`;
    case 'list':
      return `list of (${textOf(shape.of)})`;
    case 'map':
      return `any keys of (${textOf(shape.of)})`;
    case 'any':
      return 'any object';
    case 'object':
      return `{${Object.keys(shape.members)
        .toSorted()
        .map((name) => `${name}: ${textOf(shape.members[name] ?? { kind: 'any' })}`)
        .join(', ')}}`;
  }
}

/** The members of an object shape as texts, by name. */
export function membersOf(shape: Shape): Readonly<Record<string, string>> {
  if (shape.kind !== 'object') return {};
  return Object.fromEntries(Object.entries(shape.members).map(([name, member]) => [name, textOf(member)]));
}

const Schema = z.record(z.string(), z.unknown());
type Schema = z.infer<typeof Schema>;

/** A JSON schema in the words of `textOf`; one that allows a member to be absent says so. */
function textOfSchema(given: unknown, resolve: (reference: string) => unknown): string {
  const schema = Schema.parse(given);
  if (typeof schema['$ref'] === 'string') return textOfSchema(resolve(schema['$ref']), resolve);
  const options = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(options)) {
    const texts = options.map((option) => textOfSchema(option, resolve));
    const plain = texts.filter((text) => text !== 'null').map((text) => text.replace(/ or null$/, ''));
    const isNullable = texts.some((text) => text === 'null' || text.endsWith(' or null'));
    return plain.toSorted().join('|') + (isNullable ? ' or null' : '');
  }
  // A closed set has its values beneath.
  if (Array.isArray(schema['allOf'])) return textOfSchema(schema['allOf'][0], resolve);
  const types = [schema['type']].flat().map(String);
  const isNullable = types.includes('null');
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  const nullable = (text: string) => (isNullable ? `${text} or null` : text);
  if (Array.isArray(values))
    return nullable(
      `one of ${values
        .filter((value) => value !== null)
        .map(String)
        .toSorted()
        .join(' ')}`,
    );
  const type = types.filter((one) => one !== 'null').join('|');
  if (type === '') return 'null';
  if (type === 'array') return nullable(`list of (${textOfSchema(schema['items'], resolve)})`);
  if (type === 'object') return nullable(textOfObject(schema, resolve));
  const format = ['date', 'date-time'].includes(String(schema['format'])) ? ` ${String(schema['format'])}` : '';
  return nullable(type.split('|').toSorted().join('|') + format);
}

function textOfObject(schema: Schema, resolve: (reference: string) => unknown): string {
  const more = schema['additionalProperties'];
  if (schema['properties'] === undefined) {
    const inside = more === undefined || more === true || Object.keys(Object(more)).length === 0 ? null : textOfSchema(more, resolve);
    return inside === null || inside === 'null' ? 'any object' : `any keys of (${inside})`;
  }
  const members = membersOfSchema(schema, resolve);
  return `{${Object.keys(members)
    .toSorted()
    .map((name) => `${name}: ${members[name]}`)
    .join(', ')}}`;
}

export function membersOfSchema(given: unknown, resolve: (reference: string) => unknown): Readonly<Record<string, string>> {
  const schema = Schema.parse(given);
  if (typeof schema['$ref'] === 'string') return membersOfSchema(resolve(schema['$ref']), resolve);
  const required = new Set([schema['required'] ?? []].flat());
  return Object.fromEntries(
    Object.entries(Schema.parse(schema['properties'] ?? {})).map(([name, member]) => [
      name,
      textOfSchema(member, resolve) + (required.has(name) ? '' : ', or absent'),
    ]),
  );
}

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const INSTANT = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

const IS: Readonly<Record<string, (value: unknown) => boolean>> = {
  s: (value) => typeof value === 'string',
  n: (value) => typeof value === 'number' && Number.isFinite(value),
  i: (value) => Number.isSafeInteger(value),
  b: (value) => typeof value === 'boolean',
  d: (value) => typeof value === 'string' && DAY.test(value),
  t: (value) => typeof value === 'string' && INSTANT.test(value),
  v: (value) => typeof value === 'number' || typeof value === 'string',
};

/** Each way in which a value is not of a shape, with its place. */
export function faultsOf(shape: Shape, value: unknown, at = ''): readonly string[] {
  if (shape.kind === 'nullable') return value === null ? [] : faultsOf(shape.of, value, at);
  if (shape.kind === 'list' && Array.isArray(value)) return value.flatMap((one, index) => faultsOf(shape.of, one, `${at}[${index}]`));
  if (shape.kind === 'map' && isObject(value))
    return Object.entries(value).flatMap(([name, one]) => faultsOf(shape.of, one, `${at}.${name}`));
  if (shape.kind === 'object' && isObject(value)) return faultsOfMembers(shape.members, value, at);
  return isOf(shape, value) ? [] : [`${at} is ${JSON.stringify(value)?.slice(0, 80)}, not ${textOf(shape).slice(0, 80)}`];
}

function isOf(shape: Shape, value: unknown): boolean {
  if (shape.kind === 'plain') return IS[shape.of]?.(value) === true;
  if (shape.kind === 'enum') return typeof value === 'string' && shape.values.includes(value);
  return shape.kind === 'any' && isObject(value);
}

function faultsOfMembers(members: Readonly<Record<string, Shape>>, value: object, at: string): readonly string[] {
  const absent = Object.keys(members).filter((name) => !(name in value));
  const wrong = Object.entries(value).flatMap(([name, one]) => {
    const member = members[name];
    return member === undefined ? [`${at}.${name} is not promised`] : faultsOf(member, one, `${at}.${name}`);
  });
  return [...absent.map((name) => `${at}.${name} is absent`), ...wrong];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
