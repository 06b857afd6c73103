// The reference tables as text, and the questions that their tests ask of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';

export type Row = Readonly<Record<string, string>>;
const Rows = z.array(z.record(z.string(), z.string()));

export function fileText(name: string): string {
  return readFileSync(join('data/reference', `${name}.csv`), 'utf8');
}

export function table(name: string): Row[] {
  return Rows.parse(parse(fileText(name), { columns: true }));
}

export function cell(row: Row, column: string): string {
  const value = row[column];
  if (value === undefined) throw new RangeError(`no column ${column}`);
  return value;
}

export const list = (row: Row, column: string): string[] => (cell(row, column) === '' ? [] : cell(row, column).split(';'));
export const column = (rows: readonly Row[], name: string): string[] => rows.map((row) => cell(row, name));
export const outside = (values: readonly string[], allowed: ReadonlySet<string>): string[] =>
  [...new Set(values)].filter((value) => !allowed.has(value));
export const filled = (values: readonly string[]): string[] => values.filter((value) => value !== '');

export function repeated(keys: readonly string[]): string[] {
  const seen = new Set<string>();
  return keys.filter((key) => seen.has(key) || !seen.add(key));
}

export const sources = table('sources');
export const budgets = table('cadence_budgets');
export const indicators = table('canonical_indicators');
export const series = table('series');
export const cessations = table('cessations');
export const countries = table('countries');
export const entities = table('entities');
export const aliases = table('aliases');

export const sourceIds = new Set(column(sources, 'source_id'));
export const canonicalIds = new Set(column(indicators, 'canonical_id'));
export const countryIds = column(countries, 'iso2').map((iso2) => iso2.toLowerCase());
export const entityIds = new Set([...countryIds, ...column(entities, 'entity_id')]);
