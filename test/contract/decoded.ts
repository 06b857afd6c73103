// Answers of every form as plain values, and the numbers that stand in them.
import { tableFromIPC } from 'apache-arrow';
import { parse as parseCsv } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

export type Form = 'json' | 'csv' | 'ndjson' | 'arrow' | 'parquet';
export const BULK_FORMS = ['csv', 'ndjson', 'arrow', 'parquet'] as const satisfies readonly Form[];

export type Row = Readonly<Record<string, unknown>>;

/** The rows of a list, or the one item, in whatever form they came. */
export async function decoded(form: Form, bytes: Buffer): Promise<readonly Row[]> {
  switch (form) {
    case 'json': {
      const { data } = JSON.parse(bytes.toString('utf8')) as { data: Row | readonly Row[] };
      return [data].flat();
    }
    case 'csv':
      return parseCsv(bytes, { columns: true });
    case 'ndjson':
      return bytes
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Row);
    case 'arrow':
      return tableFromIPC(bytes)
        .toArray()
        .map((row: { toJSON: () => Row }) => row.toJSON());
    case 'parquet':
      return parquetReadObjects({ file: new Uint8Array(bytes).buffer, compressors });
  }
}

export interface Place {
  /** Members from the row down, without the positions in lists: `vintages.actual`. */
  readonly at: string;
  readonly number: number;
}

/** Every number of three decimals or more, those inside texts too. */
export function numbersIn(value: unknown, at = ''): readonly Place[] {
  if (typeof value === 'number') return /\.\d{3}/.test(String(value)) ? [{ at, number: value }] : [];
  if (typeof value === 'string') return [...value.matchAll(/-?\d+\.\d{3,}(?:e-?\d+)?/g)].map(([text]) => ({ at, number: Number(text) }));
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => numbersIn(one, at));
  if (Symbol.iterator in value) return [...(value as Iterable<unknown>)].flatMap((one) => numbersIn(one, at));
  return Object.entries(value).flatMap(([name, one]) => numbersIn(one, at === '' ? name : `${at}.${name}`));
}
