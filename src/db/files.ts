// How DuckDB reads Parquet here: each file by name, without hive partitioning. By default DuckDB makes a column of a folder `key=value`,
// and that column replaces the file's column of the same name.
import { patternOf, quote } from './connect.ts';

/** Smaller than the engine's default, because a row group is built in memory. */
export const ROW_GROUP_ROWS = 20_480;
/** Options of COPY for the Parquet file of an answer. */
export const ANSWER_FILE = `format parquet, compression zstd, row_group_size ${ROW_GROUP_ROWS}, preserve_order true`;

/** SQL that reads these files. */
export function parquetFiles(paths: readonly string[], { isByName = false }: { readonly isByName?: boolean } = {}): string {
  return readParquet(paths.map(patternOf), isByName ? ['union_by_name = true'] : []);
}

/** SQL that reads all files that match a pattern, with the column `filename`. */
export function parquetMatching(pattern: string): string {
  return readParquet([pattern], ['union_by_name = true', 'filename = true']);
}

function readParquet(patterns: readonly string[], options: readonly string[]): string {
  return `read_parquet(${[`[\n    ${patterns.map(quote).join(',\n    ')}\n]`, ...options, 'hive_partitioning = false'].join(', ')})`;
}
