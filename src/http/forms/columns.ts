// The columns of a bulk answer, from the row schema of its route.
import { z } from 'zod';
import { snakeCase } from '../../db/rows.ts';
import { nameIndex } from '../../model/nearest.ts';
import { badParameter } from '../params.ts';

/**
 * `code` is a text that many rows share, `texts` a list of texts, `record` an object of known fields. `json` is any other value, written
 * as JSON text.
 */
export type ColumnKind = 'text' | 'code' | 'number' | 'integer' | 'boolean' | 'day' | 'instant' | 'texts' | 'record' | 'json';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Fields of a record. Empty for other kinds. */
  readonly fields: readonly Column[];
}

type Schema = z.core.JSONSchema.BaseSchema;

/** A schema takes milliseconds to look through. */
const known = new WeakMap<z.ZodType, Map<string, readonly Column[]>>();

/** @param ownTexts fields whose text differs in every row */
export function columnsOf(row: z.ZodType, ownTexts: readonly string[] = []): readonly Column[] {
  const ofRow = known.get(row) ?? new Map<string, readonly Column[]>();
  known.set(row, ofRow);
  const columns = ofRow.get(ownTexts.join()) ?? columnsOfSchema(row, ownTexts);
  ofRow.set(ownTexts.join(), columns);
  return columns;
}

function columnsOfSchema(row: z.ZodType, ownTexts: readonly string[]): readonly Column[] {
  const root = z.toJSONSchema(row, { io: 'output', unrepresentable: 'any' });
  const columns = fieldsOf(resolve(root, root), root);
  if (columns.length === 0) throw new TypeError('A bulk route needs an object as its row');
  return columns.map((column) => (column.kind === 'code' && ownTexts.includes(column.name) ? { ...column, kind: 'text' } : column));
}

function fieldsOf({ properties = {} }: Schema, root: Schema): readonly Column[] {
  return Object.entries(properties).map(([name, schema]) => ({ name, ...shapeOf(schema, root) }));
}

type Shape = Omit<Column, 'name'>;
const JSON_TEXT: Shape = { kind: 'json', fields: [] };

function shapeOf(property: Schema | boolean, root: Schema): Shape {
  if (typeof property === 'boolean') return JSON_TEXT;
  const schema = resolve(property, root);
  const options = schema.anyOf ?? schema.oneOf;
  const shapes =
    options === undefined
      ? [schema.type].flat().flatMap((type) => (type === 'null' ? [] : [plainShape(type, schema, root)]))
      : options.flatMap((option) => (isSchema(option) && option.type === 'null' ? [] : [shapeOf(option, root)]));
  const [shape = JSON_TEXT, ...others] = shapes;
  return others.every((other) => other.kind === shape.kind && shape.kind !== 'record') ? shape : JSON_TEXT;
}

function plainShape(type: unknown, schema: Schema, root: Schema): Shape {
  const fields = type === 'object' ? fieldsOf(schema, root) : [];
  return { kind: plainKind(type, schema, fields, root), fields };
}

function plainKind(type: unknown, { format, items }: Schema, fields: readonly Column[], root: Schema): ColumnKind {
  switch (type) {
    case 'string':
      return format === 'date' ? 'day' : format === 'date-time' ? 'instant' : 'code';
    case 'number':
    case 'integer':
    case 'boolean':
      return type;
    case 'array':
      return isSchema(items) && shapeOf(items, root).kind === 'code' ? 'texts' : 'json';
    case 'object':
      return fields.length === 0 ? 'json' : 'record';
    default:
      return 'json';
  }
}

function resolve(schema: Schema, root: Schema): Schema {
  const { $ref: reference } = schema;
  if (reference === undefined) return schema;
  const found = reference === '#' ? root : root.$defs?.[reference.replace('#/$defs/', '')];
  if (found === undefined || found === schema) throw new TypeError(`The row schema refers to ${reference}, which it does not hold`);
  return resolve(found, root);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The requested columns, in the request's order. Names are as in the row or in snake_case. Throws a bad_request for an unknown one. */
export function columnsNamed(columns: readonly Column[], names: readonly string[]): readonly Column[] {
  const byName = columnsByName.get(columns) ?? new Map(columns.flatMap((column) => spellingsOf(column).map((name) => [name, column])));
  columnsByName.set(columns, byName);
  const named = names.map((name) => {
    const column = byName.get(name);
    if (column !== undefined) return column;
    const nearest = nameIndex(byName.keys()).nearest(name);
    throw badParameter('columns', `Unknown column ${name}.${nearest === null ? '' : ` Did you mean \`${nearest}\`?`}`, {
      found: name,
      ...(nearest === null ? {} : { nearest }),
    });
  });
  return [...new Set(named)];
}

const columnsByName = new WeakMap<readonly Column[], ReadonlyMap<string, Column>>();
const spellingsOf = ({ name }: Column) => [name, snakeCase(name)];

/** Writes some members of a row as JSON. */
export function narrowed(columns: readonly string[]): (row: unknown) => string {
  return (row) => JSON.stringify(Object.fromEntries(columns.map((name) => [name, Reflect.get(Object(row), name) ?? null])));
}

/** A pattern for `columns`: names as in `columnsNamed`, separated by commas with optional spaces. */
export function columnsPattern(columns: readonly Column[]): string {
  const names = [...new Set(columns.flatMap(spellingsOf))];
  const one = ` *(${names.join('|')}) *`;
  return `^${one}(,${one})*$`;
}

const TYPE_NAMES = {
  text: 'VARCHAR',
  code: 'VARCHAR',
  number: 'DOUBLE',
  integer: 'BIGINT',
  boolean: 'BOOLEAN',
  day: 'DATE',
  instant: 'TIMESTAMP WITH TIME ZONE',
  texts: 'VARCHAR[]',
  json: 'VARCHAR',
} as const;

/** DuckDB's type of a column, for Arrow and Parquet. */
export function typeName({ kind, fields }: Column): string {
  if (kind !== 'record') return TYPE_NAMES[kind];
  return `STRUCT(${fields.map((field) => `"${field.name}" ${typeName(field)}`).join(', ')})`;
}

/** Days and instants are texts. A record is an object of the row. */
export type Cell = string | number | boolean | readonly string[] | object | null;

/** The cells of one column of a page. */
export function cellsOf(rows: readonly unknown[], column: Column): readonly Cell[] {
  return rows.map(cellReader(column));
}

/** Reads a column's cell from a row. Missing values and non-finite numbers are null, as in JSON. */
export function cellReader({ name, kind }: Column): (row: unknown) => Cell {
  const toCell = CELL[kind];
  return (row) => {
    const value = typeof row === 'object' && row !== null ? (row as Readonly<Record<string, unknown>>)[name] : null;
    return value === null || value === undefined ? null : toCell(value);
  };
}

const toText = (value: unknown) => (typeof value === 'string' ? value : String(value));
const toNumber = (value: unknown) => {
  const number = typeof value === 'number' ? value : Number(value);
  return Number.isFinite(number) ? number : null;
};

const CELL: Readonly<Record<ColumnKind, (value: unknown) => Cell>> = {
  text: toText,
  code: toText,
  number: toNumber,
  integer: toNumber,
  boolean: Boolean,
  day: toText,
  instant: toText,
  texts: (value) => (Array.isArray(value) ? value.map(String) : null),
  record: (value) => (typeof value === 'object' ? value : null),
  json: (value) => JSON.stringify(value),
};

const MS_PER_DAY = 86_400_000;

/** Days since 1970 of a day's text, or 0 for null. */
export function dayOf(cell: Cell): number {
  return typeof cell === 'string' ? Math.round(Date.parse(`${cell.slice(0, 10)}T00:00:00Z`) / MS_PER_DAY) : 0;
}

/** Microseconds since 1970 of an instant's text with milliseconds, or 0 for null. */
export function microsOf(cell: Cell): bigint {
  return typeof cell === 'string' ? BigInt(Date.parse(cell) * 1000) : 0n;
}
