// Rows of a large answer, copied into columns, one engine chunk at a time. A chunk's data lives outside the heap, and V8 frees it only when
// it collects the chunk's small object, which is often late. So we copy the values at once and drop the chunk.
import { type DuckDBDataChunk, DuckDBTimestampTZValue, DuckDBTimestampValue, DuckDBTypeId, type DuckDBValue } from '@duckdb/node-api';
import { toInstant, toValue, type Value } from './rows.ts';

export interface HeldPart {
  readonly length: number;
  readonly row: (index: number) => Value[];
}

type Column = (index: number) => Value;

/**
 * @param rows the rows of the chunk to copy
 * @param texts the texts of the answer so far; equal texts share one string
 */
export function heldRowsOf(chunk: DuckDBDataChunk, rows: readonly number[], texts: Map<string, string>): HeldPart {
  const columns = Array.from({ length: chunk.columnCount }, (_, index) => {
    const vector = chunk.getColumnVector(index);
    const values = rows.map((row) => vector.getItem(row));
    return columnOf(vector.type.typeId, values, texts);
  });
  return { length: rows.length, row: (index) => columns.map((column) => column(index)) };
}

function columnOf(type: DuckDBTypeId, values: readonly (DuckDBValue | null)[], texts: Map<string, string>): Column {
  if (type === DuckDBTypeId.DOUBLE) return numbersOf(values);
  if (type === DuckDBTypeId.TIMESTAMP_TZ || type === DuckDBTypeId.TIMESTAMP) return instantsOf(values);
  if (type === DuckDBTypeId.UBIGINT) return identifiersOf(values);
  const held = values.map((value) => {
    const own = toValue(value);
    return typeof own === 'string' ? shared(texts, own) : own;
  });
  return (index) => held[index] ?? null;
}

function numbersOf(values: readonly (DuckDBValue | null)[]): Column {
  const isNull = Uint8Array.from(values, (value) => (value === null ? 1 : 0));
  const numbers = Float64Array.from(values, Number);
  return (index) => (isNull[index] === 1 ? null : (numbers[index] ?? null));
}

function instantsOf(values: readonly (DuckDBValue | null)[]): Column {
  const micros = BigInt64Array.from(values, (value) =>
    value instanceof DuckDBTimestampTZValue || value instanceof DuckDBTimestampValue ? value.micros : NO_INSTANT,
  );
  return (index) => {
    const own = micros[index] ?? NO_INSTANT;
    return own === NO_INSTANT ? null : toInstant(own);
  };
}

/** Lower than any instant of the engine, infinities included. */
const NO_INSTANT = -(2n ** 63n);

function identifiersOf(values: readonly (DuckDBValue | null)[]): Column {
  const isNull = Uint8Array.from(values, (value) => (value === null ? 1 : 0));
  const numbers = BigUint64Array.from(values, (value) => (typeof value === 'bigint' ? value : 0n));
  return (index) => (isNull[index] === 1 ? null : toValue(numbers[index] ?? null));
}

/** The known copy of a text, or the text itself if it is new. */
export function shared(texts: Map<string, string>, text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  texts.set(text, text);
  return text;
}
