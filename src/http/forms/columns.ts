// The columns of a bulk answer, read off the row schema of its route.
import { z } from 'zod';

/** `text`, `number` and `boolean` stay what they are; `texts` is a list of texts; `json` is anything else, written as JSON text. */
export type ColumnKind = 'text' | 'number' | 'boolean' | 'texts' | 'json';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

type Schema = z.core.JSONSchema.BaseSchema;

export function columnsOf(row: z.ZodType): readonly Column[] {
  const root = z.toJSONSchema(row, { io: 'output', unrepresentable: 'any' });
  const { properties } = resolve(root, root);
  if (properties === undefined) throw new TypeError('A bulk route needs an object as its row');
  return Object.entries(properties).map(([name, schema]) => ({ name, kind: kindOf(schema, root) }));
}

function kindOf(property: Schema | boolean, root: Schema): ColumnKind {
  if (typeof property === 'boolean') return 'json';
  const schema = resolve(property, root);
  const options = schema.anyOf ?? schema.oneOf;
  const kinds = new Set(
    options === undefined
      ? [schema.type].flat().flatMap((type) => (type === 'null' ? [] : plainKind(type, schema.items, root)))
      : options.flatMap((option) => (isSchema(option) && option.type === 'null' ? [] : kindOf(option, root))),
  );
  const [kind] = kinds;
  return kinds.size === 1 && kind !== undefined ? kind : 'json';
}

function plainKind(type: unknown, items: unknown, root: Schema): ColumnKind {
  switch (type) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return isSchema(items) && kindOf(items, root) === 'text' ? 'texts' : 'json';
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

export type Cell = string | number | boolean | readonly string[] | null;

/** The cells of one column of a page; what is absent or not a finite number is null, as in JSON. */
export function cellsOf(rows: readonly unknown[], column: Column): readonly Cell[] {
  const toCell = CELL[column.kind];
  return rows.map((row) => {
    const value = typeof row === 'object' && row !== null ? Reflect.get(row, column.name) : null;
    return value === null || value === undefined ? null : toCell(value);
  });
}

const CELL: Readonly<Record<ColumnKind, (value: unknown) => Cell>> = {
  text: String,
  number: (value) => (Number.isFinite(Number(value)) ? Number(value) : null),
  boolean: Boolean,
  texts: (value) => (Array.isArray(value) ? value.map(String) : null),
  json: (value) => JSON.stringify(value),
};
