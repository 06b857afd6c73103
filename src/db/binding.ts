// Values in the types that a prepared statement takes them in: DuckDB plans a statement anew for each value of another type, which costs more than most reads.
import {
  DuckDBDateValue,
  type DuckDBPreparedStatement,
  DuckDBTimestampTZValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from '@duckdb/node-api';

const WHOLE = new Set([DuckDBTypeId.SMALLINT, DuckDBTypeId.INTEGER]);
const SCALAR = new Set([...WHOLE, DuckDBTypeId.BIGINT, DuckDBTypeId.DOUBLE, DuckDBTypeId.DATE, DuckDBTypeId.TIMESTAMP_TZ]);
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MS_PER_DAY = 86_400_000;

const known = new WeakMap<DuckDBPreparedStatement, ReadonlyMap<string, DuckDBType>>();

/** The types of a statement's parameters, by name, of those that this file can bind. */
export function parameterTypes(statement: DuckDBPreparedStatement): ReadonlyMap<string, DuckDBType> {
  const found = known.get(statement) ?? new Map(typed(statement));
  known.set(statement, found);
  return found;
}

function* typed(statement: DuckDBPreparedStatement): Generator<[string, DuckDBType]> {
  for (let at = 1; at <= statement.parameterCount; at += 1) {
    if (SCALAR.has(statement.parameterTypeId(at))) yield [statement.parameterName(at), statement.parameterType(at)];
  }
}

/** The value as one of that type; undefined where it is not written as one, and left to the cast in the SQL. */
export function valueOf(value: string | number | bigint, type: DuckDBType): DuckDBValue | undefined {
  if (type.typeId === DuckDBTypeId.TIMESTAMP_TZ) return typeof value === 'string' ? instantOf(value) : undefined;
  if (type.typeId === DuckDBTypeId.DATE) return typeof value === 'string' && DAY.test(value) ? dayOf(value) : undefined;
  if (type.typeId === DuckDBTypeId.BIGINT) return typeof value === 'bigint' || Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (WHOLE.has(type.typeId)) return Number.isInteger(value) ? value : undefined;
  return typeof value === 'number' ? value : undefined;
}

function instantOf(text: string): DuckDBValue | undefined {
  if (text === 'infinity') return DuckDBTimestampTZValue.PosInf;
  const ms = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : new DuckDBTimestampTZValue(BigInt(ms) * 1000n);
}

function dayOf(text: string): DuckDBValue | undefined {
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) ? undefined : new DuckDBDateValue(ms / MS_PER_DAY);
}
