// Conversions between this process and ClickHouse, by column type: an Int32 is a day since 1970, an Int64 an instant in
// microseconds, because ClickHouse's own dates begin in 1900. Every other integer is unsigned.
import { dayOf, dayText, instantOf, microsOf } from '../db/instant.ts';
import type { Bound, Values } from '../db/query.ts';
import { snakeCase, type Value } from '../db/rows.ts';

/** An answer that does not come from ClickHouse. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

export interface Statement {
  readonly text: string;
  readonly parameters: Readonly<Record<string, string | number | boolean | null | readonly (string | number)[]>>;
}

/** Longer lists do not fit into a URL, which carries the parameters. */
const MOST_SENT = 500;

const AFTER_ALL = '9223372036854775807';

/**
 * A statement with its parameters as sent. A null list is sent empty, with a `no_` parameter of its name.
 * @param tables names of tables by their names in the statement
 */
export function statementOf(twin: string, values: Values, tables: Readonly<Record<string, string>>): Statement {
  const given = new Map(Object.entries(values).map(([name, value]) => [snakeCase(name), value]));
  const parameters: Record<string, Statement['parameters'][string]> = {};
  const text = twin.replaceAll(/\{(\w+):((?:\w|\(|\))+)\}/g, (whole, name: string, type: string) => {
    const isAbsence = !given.has(name) && name.startsWith('no_');
    const value = isAbsence ? given.get(name.slice('no_'.length)) === null : type === 'Identifier' ? tables[name] : given.get(name);
    if (value === undefined) throw new RangeError(`The statement uses ${whole}, which is not bound`);
    const sent = isAbsence ? value : toParameter(value, type);
    if (Array.isArray(sent) && sent.length > MOST_SENT && sent.every((one) => Number.isInteger(one))) return `[${sent.join(',')}]::${type}`;
    parameters[name] = sent as Statement['parameters'][string];
    return whole;
  });
  return { text, parameters };
}

function toParameter(value: Bound, type: string): Statement['parameters'][string] {
  const [, list] = /^Array\((.*)\)$/.exec(type) ?? [];
  if (list !== undefined) return ((value ?? []) as readonly (string | number)[]).map((one) => toParameter(one, list) as string | number);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'string') return value;
  const plain = type.replace(/^Nullable\((.*)\)$/, '$1');
  if (plain === 'Int32') return dayOf(value);
  if (plain === 'Int64') return value === 'infinity' ? AFTER_ALL : String(BigInt(microsOf(value)));
  return value;
}

type ToValue = (cell: unknown) => Value;

/** Converts cells by type into the values that DuckDB returns. */
export function cellsOf(type: string): ToValue {
  const [, outer, inner = ''] = /^(Nullable|Array|LowCardinality)\((.*)\)$/.exec(type) ?? [];
  if (outer === 'LowCardinality') return cellsOf(inner);
  if (outer === 'Nullable') {
    const toValue = cellsOf(inner);
    return (cell) => (cell === null ? null : toValue(cell));
  }
  // ClickHouse has no null list, and rows without inputs have no list.
  if (outer === 'Array') {
    const toValue = cellsOf(inner);
    return (cell) => (Array.isArray(cell) ? (cell.length === 0 ? null : cell.map(toValue)) : unreadable(cell, type));
  }
  if (type.startsWith('DateTime64(6'))
    return (cell) => (typeof cell === 'string' ? `${cell.replace(/\.?0+$/, '')}+00` : unreadable(cell, type));
  const known = CELLS[type];
  if (known === undefined) throw new WireError(`ClickHouse returned a column of type ${type}, which this version cannot read.`);
  return known;
}

const numberOf: (type: string) => ToValue = (type) => (cell) => {
  if (typeof cell !== 'number' && (typeof cell !== 'string' || !/^-?\d+$/.test(cell))) return unreadable(cell, type);
  const number = Number(cell);
  return Number.isSafeInteger(number) ? number : BigInt(cell);
};

const DENORMALS: Readonly<Record<string, number>> = { inf: Number.POSITIVE_INFINITY, '-inf': Number.NEGATIVE_INFINITY, nan: Number.NaN };

const CELLS: Readonly<Record<string, ToValue>> = {
  String: (cell) => (typeof cell === 'string' ? cell : unreadable(cell, 'String')),
  Bool: (cell) => (typeof cell === 'boolean' ? cell : unreadable(cell, 'Bool')),
  UInt8: (cell) => (cell === 0 || cell === 1 ? cell === 1 : unreadable(cell, 'UInt8')),
  UInt16: numberOf('UInt16'),
  UInt32: numberOf('UInt32'),
  UInt64: numberOf('UInt64'),
  Int32: (cell) => (typeof cell === 'number' ? dayText(cell) : unreadable(cell, 'Int32')),
  Int64: (cell) => (typeof cell === 'string' && /^-?\d+$/.test(cell) ? instantOf(Number(cell)) : unreadable(cell, 'Int64')),
  Float64: (cell) => (typeof cell === 'number' ? cell : (DENORMALS[String(cell)] ?? unreadable(cell, 'Float64'))),
};

function unreadable(cell: unknown, type: string): never {
  throw new WireError(`ClickHouse returned ${JSON.stringify(cell).slice(0, 60)} for a column of type ${type}.`);
}
