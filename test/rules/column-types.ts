// Whether what DuckDB gives or takes under a type is what a schema says: the counterpart of src/db/rows.ts, for a test.
import { DuckDBListType, DuckDBMapType, DuckDBStructType, type DuckDBType, DuckDBTypeId } from '@duckdb/node-api';
import { z } from 'zod';
import { camelCase } from '../../src/db/rows.ts';

const TEXTS = new Set([
  DuckDBTypeId.VARCHAR,
  DuckDBTypeId.ENUM,
  DuckDBTypeId.DATE,
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_TZ,
  DuckDBTypeId.UUID,
]);
const INTEGERS = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
]);
const NUMBERS = new Set([DuckDBTypeId.DOUBLE, DuckDBTypeId.FLOAT, DuckDBTypeId.DECIMAL]);

type Agrees = (type: DuckDBType, schema: z.ZodType) => boolean;

const agrees: Agrees = (type, schema) => mismatch(type, schema) === null;
const isOneOf =
  (ids: ReadonlySet<DuckDBTypeId>): Agrees =>
  ({ typeId }) =>
    ids.has(typeId);
const isInteger = (schema: z.ZodType) => schema instanceof z.ZodNumber && schema.format === 'safeint';

/** By what a schema is, when a type agrees with it. */
const RULES: Readonly<Partial<Record<z.ZodType['def']['type'], Agrees>>> = {
  string: isOneOf(TEXTS),
  enum: isOneOf(TEXTS),
  literal: isOneOf(TEXTS),
  boolean: isOneOf(new Set([DuckDBTypeId.BOOLEAN])),
  bigint: isOneOf(new Set([DuckDBTypeId.BIGINT, DuckDBTypeId.UBIGINT])),
  number: ({ typeId }, schema) => INTEGERS.has(typeId) || (NUMBERS.has(typeId) && !isInteger(schema)),
  unknown: () => true,
  any: () => true,
  nullable: (type, schema) => schema instanceof z.ZodNullable && agrees(type, schema.unwrap() as z.ZodType),
  optional: (type, schema) => schema instanceof z.ZodOptional && agrees(type, schema.unwrap() as z.ZodType),
  readonly: (type, schema) => schema instanceof z.ZodReadonly && agrees(type, schema.unwrap() as z.ZodType),
  union: (type, schema) => schema instanceof z.ZodUnion && schema.options.some((option) => agrees(type, option as z.ZodType)),
  array: (type, schema) =>
    schema instanceof z.ZodArray && type instanceof DuckDBListType && agrees(type.valueType, schema.element as z.ZodType),
  record: (type, schema) =>
    schema instanceof z.ZodRecord && type instanceof DuckDBMapType && agrees(type.valueType, schema.valueType as z.ZodType),
  object: (type, schema) => {
    if (!(schema instanceof z.ZodObject) || !(type instanceof DuckDBStructType)) return false;
    const fields = new Map(type.entryNames.map((name, at) => [camelCase(name), type.entryTypes[at]]));
    const shape = Object.entries<z.ZodType>(schema.shape);
    return (
      shape.length === fields.size &&
      shape.every(([name, field]) => {
        const own = fields.get(name);
        return own !== undefined && agrees(own, field);
      })
    );
  },
};

/** Null where they agree, else what differs. A type that DuckDB leaves open (a bare null, an unused parameter) agrees with everything. */
export function mismatch(type: DuckDBType, schema: z.ZodType): string | null {
  const isOpen = type.typeId === DuckDBTypeId.SQLNULL || type.typeId === DuckDBTypeId.ANY;
  if (isOpen || RULES[schema.def.type]?.(type, schema) === true) return null;
  return `${type.toString()} for ${schema.def.type}`;
}
