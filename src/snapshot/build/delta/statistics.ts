// Minimum and maximum of the columns of Parquet files, from their footers. No row is read.
import type { DuckDBConnection } from '@duckdb/node-api';
import { patternOf, quote } from '../../../db/connect.ts';
import { toText, toValue, type Value } from '../../../db/rows.ts';
import type { Resource } from '../../../model/manifest.ts';
import type { FileStatistics } from './log.ts';

/** One row group of a column. A field is null if the footer lacks it. */
interface PartStatistics {
  readonly least: string | null;
  readonly greatest: string | null;
  readonly nulls: number | null;
  readonly values: number;
}

type Kind = 'integer' | 'day' | 'instant';

/** Without texts, because a footer may truncate them, and without floats, because their extremes ignore NaN. */
const KINDS: Readonly<Record<string, Kind>> = {
  tinyint: 'integer',
  smallint: 'integer',
  integer: 'integer',
  bigint: 'integer',
  date: 'day',
  'timestamp with time zone': 'instant',
};

export const NO_STATISTICS: FileStatistics = { minValues: {}, maxValues: {}, nullCount: {} };

export interface MeasuredFile {
  readonly path: string;
  readonly fields: Resource['schema']['fields'];
}

/**
 * The statistics of each file, in the order of the files; none for a file with an unreadable footer. The session's time zone must be UTC.
 */
export async function statisticsOf(connection: DuckDBConnection, files: readonly MeasuredFile[]): Promise<readonly FileStatistics[]> {
  const parts = await partsOf(connection, files);
  if (parts !== null) return files.map(({ path, fields }) => foldFile(fields, parts.get(path) ?? new Map()));
  if (files.length === 1) return [NO_STATISTICS];
  // One file is not Parquet, so ask for each file by itself.
  const found: FileStatistics[] = [];
  for (const file of files) found.push(...(await statisticsOf(connection, [file])));
  return found;
}

type Parts = Map<string, PartStatistics[]>;

/** By file and column. Null if one file is not Parquet. Readers then scan that file and report the error themselves. */
async function partsOf(connection: DuckDBConnection, files: readonly MeasuredFile[]): Promise<ReadonlyMap<string, Parts> | null> {
  const result = await connection
    .runAndReadAll(
      `select file_name, path_in_schema, stats_min_value, stats_max_value, stats_null_count, num_values
      from parquet_metadata([${files.map(({ path }) => quote(patternOf(path))).join(', ')}])
      order by file_name, row_group_id, column_id`,
    )
    .catch((error: unknown) => {
      if (error instanceof Error && error.message.startsWith('Invalid Input Error')) return null;
      throw error;
    });
  if (result === null) return null;
  const found = new Map<string, Parts>();
  for (const row of result.getRows()) {
    const [file, column, least, greatest, nulls, values] = row.map(toValue);
    const parts = found.get(toText(file)) ?? new Map<string, PartStatistics[]>();
    found.set(toText(file), parts);
    const part = {
      least: textOrNull(least),
      greatest: textOrNull(greatest),
      nulls: nulls === null ? null : Number(nulls),
      values: Number(values),
    };
    parts.set(toText(column), [...(parts.get(toText(column)) ?? []), part]);
  }
  return found;
}

const textOrNull = (value: Value | undefined): string | null => (value === undefined || value === null ? null : toText(value));

function foldFile(fields: Resource['schema']['fields'], all: ReadonlyMap<string, readonly PartStatistics[]>): FileStatistics {
  const minValues: Record<string, string | number> = {};
  const maxValues: Record<string, string | number> = {};
  const nullCount: Record<string, number> = {};
  for (const { name, physicalType } of fields) {
    const parts = all.get(name) ?? [];
    // A column of lists or records has parts under other names.
    if (parts.length === 0 || parts.some(({ nulls }) => nulls === null)) continue;
    const kind = KINDS[physicalType];
    const extremes = kind === undefined ? null : extremesOf(parts, kind);
    if (extremes === null) continue;
    [minValues[name], maxValues[name]] = extremes;
    nullCount[name] = parts.reduce((sum, { nulls }) => sum + (nulls ?? 0), 0);
  }
  return { minValues, maxValues, nullCount };
}

/** Null if there is no value, if a part has no bounds, or if JSON cannot hold the value exactly. */
function extremesOf(parts: readonly PartStatistics[], kind: Kind): readonly [string | number, string | number] | null {
  const filled = parts.filter(({ nulls, values }) => nulls !== values);
  const least = filled.map((part) => bound(part.least, kind, 'down'));
  const greatest = filled.map((part) => bound(part.greatest, kind, 'up'));
  if (filled.length === 0 || [...least, ...greatest].includes(null)) return null;
  const sorted = [least, greatest].map((side) =>
    (side as (string | number)[]).toSorted((a, b) => {
      if (a === b) return 0;
      return a < b ? -1 : 1;
    }),
  );
  const [first, last] = [sorted[0]?.[0], sorted[1]?.at(-1)];
  return first === undefined || last === undefined ? null : [first, last];
}

function bound(text: string | null, kind: Kind, rounded: 'down' | 'up'): string | number | null {
  if (text === null) return null;
  if (kind === 'integer') return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;
  if (kind === 'day') return /^\d{4}-\d\d-\d\d$/.test(text) ? text : null;
  const [, day, time, fraction = ''] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/.exec(text) ?? [];
  if (day === undefined) return null;
  const micros = Number(fraction.padEnd(6, '0'));
  const ms = rounded === 'down' ? Math.floor(micros / 1000) : Math.ceil(micros / 1000);
  return new Date(Date.parse(`${day}T${time}Z`) + ms).toISOString();
}
