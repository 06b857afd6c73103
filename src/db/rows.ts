// The one place that converts DuckDB's names and types. snake_case becomes camelCase, and dates become `YYYY-MM-DD`. Instants become ISO
// 8601 with `Z` and milliseconds. 64-bit integers become numbers, or bigint past 2^53. Lists and structs become plain arrays and objects.
import {
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import { instantText } from './instant.ts';

export type Value = string | number | bigint | boolean | null | readonly Value[] | { readonly [key: string]: Value };

export function toValue(value: DuckDBValue): Value {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (value instanceof DuckDBDateValue) return value.toString();
  if (value instanceof DuckDBTimestampTZValue || value instanceof DuckDBTimestampValue) return toInstant(value.micros);
  if (value instanceof DuckDBDecimalValue) return value.toDouble();
  if (value instanceof DuckDBListValue) return value.items.map(toValue);
  if (value instanceof DuckDBStructValue) {
    return Object.fromEntries(Object.entries(value.entries).map(([name, entry]) => [camelCase(name), toValue(entry)]));
  }
  if (value instanceof DuckDBMapValue) return Object.fromEntries(value.entries.map((entry) => [String(entry.key), toValue(entry.value)]));
  return String(value);
}

/** Returns a text as it is, and any other value as JSON. */
export function toText(value: Value | undefined): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value ?? null, (_, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner));
}

/** ISO 8601, from microseconds since 1970. */
export function toInstant(micros: bigint): string {
  return instantText(Number(micros / 1000n));
}

const camelCased = new Map<string, string>();

export function camelCase(name: string): string {
  let result = camelCased.get(name);
  if (result === undefined) {
    result = name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    camelCased.set(name, result);
  }
  return result;
}

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
