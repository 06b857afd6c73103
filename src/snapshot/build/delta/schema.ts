// The columns of a published table as a Delta schema, from the Parquet types in the manifest.
import type { Resource } from '../../../model/manifest.ts';

type Field = Resource['schema']['fields'][number];

export type DeltaType =
  | string
  | { readonly type: 'array'; readonly elementType: DeltaType; readonly containsNull: boolean }
  | { readonly type: 'struct'; readonly fields: readonly DeltaField[] };

interface DeltaField {
  readonly name: string;
  readonly type: DeltaType;
  readonly nullable: boolean;
  readonly metadata: Readonly<Record<string, string>>;
}

const TYPES: Readonly<Record<string, string>> = {
  varchar: 'string',
  boolean: 'boolean',
  tinyint: 'byte',
  smallint: 'short',
  integer: 'integer',
  bigint: 'long',
  float: 'float',
  double: 'double',
  date: 'date',
  'timestamp with time zone': 'timestamp',
};

/** Delta has no unsigned integers, and readers interpret substitutes differently. Only readers of Parquet get these columns. */
const LEFT_OUT = ['utinyint', 'usmallint', 'uinteger', 'ubigint'];

/** The `schemaString` of a Delta log. Throws for any other type that Delta does not have. */
export function deltaSchema(fields: readonly Field[]): string {
  const shown = fields.filter(({ physicalType }) => !LEFT_OUT.includes(physicalType));
  const columns = shown.map(({ name, physicalType, description, unit }): DeltaField => {
    const comment = unit === null ? description : `${description} Unit: ${unit}.`;
    return { name, type: deltaType(physicalType), nullable: true, metadata: { comment } };
  });
  return JSON.stringify({ type: 'struct', fields: columns });
}

/** @param physicalType DuckDB's type name in lower case */
export function deltaType(physicalType: string): DeltaType {
  const type = physicalType.trim();
  if (type.endsWith('[]')) return { type: 'array', elementType: deltaType(type.slice(0, -2)), containsNull: true };
  if (type.startsWith('struct(') && type.endsWith(')')) {
    return {
      type: 'struct',
      fields: membersOf(type.slice('struct('.length, -1)).map(([name, member]) => ({
        name,
        type: deltaType(member),
        nullable: true,
        metadata: {},
      })),
    };
  }
  const plain = /^decimal\(\d+,\d+\)$/.test(type) ? type : TYPES[type];
  if (plain === undefined)
    throw new Error(`Delta tables have no type for a column that is ${type}: publish it as another type, or say in deltaType what it is.`);
  return plain;
}

/** Splits `a integer, "b" struct(c varchar)` into names and types. It ignores commas within brackets and quotes. */
function membersOf(text: string): readonly (readonly [name: string, type: string])[] {
  const members: string[] = [];
  let [depth, isQuoted, from] = [0, false, 0];
  for (let at = 0; at < text.length; at += 1) {
    const one = text[at];
    if (one === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (one === '(') depth += 1;
    else if (one === ')') depth -= 1;
    else if (one === ',' && depth === 0) {
      members.push(text.slice(from, at));
      from = at + 1;
    }
  }
  members.push(text.slice(from));
  return members.map((member) => {
    const [, quoted, plain, type = ''] = /^\s*(?:"((?:[^"]|"")*)"|(\S+))\s+(.*)$/s.exec(member) ?? [];
    return [quoted?.replaceAll('""', '"') ?? plain ?? '', type];
  });
}
