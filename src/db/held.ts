// Rows of a large answer as columns of their own, a chunk of the engine at a time. What the engine gives lies outside of the heap and goes when its small object
// on the heap is collected, of which V8 sees no reason to hurry: what is held for a while is copied at once, and a chunk goes as young as it came.
import { type DuckDBDataChunk, DuckDBTimestampTZValue, DuckDBTimestampValue, DuckDBTypeId, type DuckDBValue } from '@duckdb/node-api';
import { toInstant, toValue, type Value } from './rows.ts';

export interface HeldPart {
  readonly length: number;
  readonly row: (index: number) => Value[];
}

type Column = (index: number) => Value;

/** @param rows which of the chunk; @param texts those of the answer so far, each of which is held once */
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

/** Below all that the engine has, infinities included. */
const NO_INSTANT = -(2n ** 63n);

function identifiersOf(values: readonly (DuckDBValue | null)[]): Column {
  const isNull = Uint8Array.from(values, (value) => (value === null ? 1 : 0));
  const numbers = BigUint64Array.from(values, (value) => (typeof value === 'bigint' ? value : 0n));
  return (index) => (isNull[index] === 1 ? null : toValue(numbers[index] ?? null));
}

/** The text as it is known already, where it is. */
export function shared(texts: Map<string, string>, text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  texts.set(text, text);
  return text;
}
