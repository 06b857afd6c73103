// Whether what DuckDB gives or takes under a type is what a schema says: the counterpart of src/db/rows.ts, for a test.
import { type DuckDBListType, type DuckDBMapType, type DuckDBStructType, type DuckDBType, DuckDBTypeId } from '@duckdb/node-api';
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

/** Null where they agree, else what differs. A type that DuckDB leaves open (a bare null, an unused parameter) agrees with everything. */
export function mismatch(type: DuckDBType, schema: z.ZodType): string | null {
  const said = `${type.toString()} for ${schema.def.type}`;
  if (type.typeId === DuckDBTypeId.SQLNULL || type.typeId === DuckDBTypeId.ANY) return null;
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodReadonly)
    return mismatch(type, schema.def.innerType as z.ZodType);
  if (schema instanceof z.ZodUnknown || schema instanceof z.ZodAny) return null;
  if (schema instanceof z.ZodUnion) {
    const all = schema.def.options.map((option) => mismatch(type, option as z.ZodType));
    return all.includes(null) ? null : said;
  }
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral)
    return TEXTS.has(type.typeId) ? null : said;
  if (schema instanceof z.ZodBoolean) return type.typeId === DuckDBTypeId.BOOLEAN ? null : said;
  if (schema instanceof z.ZodBigInt) return type.typeId === DuckDBTypeId.UBIGINT || type.typeId === DuckDBTypeId.BIGINT ? null : said;
  if (schema instanceof z.ZodNumber)
    return INTEGERS.has(type.typeId) || (NUMBERS.has(type.typeId) && schema.def.checks?.length !== 1 && schema.format !== 'safeint')
      ? null
      : said;
  if (schema instanceof z.ZodArray)
    return type.typeId === DuckDBTypeId.LIST ? mismatch((type as DuckDBListType).valueType, schema.element as z.ZodType) : said;
  if (schema instanceof z.ZodRecord)
    return type.typeId === DuckDBTypeId.MAP ? mismatch((type as DuckDBMapType).valueType, schema.def.valueType as z.ZodType) : said;
  if (schema instanceof z.ZodObject) {
    if (type.typeId !== DuckDBTypeId.STRUCT) return said;
    const { entryNames, entryTypes } = type as DuckDBStructType;
    const names = entryNames.map(camelCase);
    if (names.toSorted().join() !== Object.keys(schema.shape).toSorted().join()) return said;
    return names.map((name, at) => mismatch(entryTypes[at] ?? type, schema.shape[name] as z.ZodType)).find((one) => one !== null) ?? null;
  }
  return said;
}
