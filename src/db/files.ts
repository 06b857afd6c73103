// How DuckDB reads Parquet: each file by its own name, and nothing out of the names of the folders above it. By itself, it makes a folder `key=value` a column,
// which replaces the column of that name in the file.
import { patternOf, quote } from './connect.ts';

/** Files as SQL. */
export function parquetFiles(paths: readonly string[], { isByName = false }: { readonly isByName?: boolean } = {}): string {
  return readParquet(paths.map(patternOf), isByName ? ['union_by_name = true'] : []);
}

/** The files that a pattern matches as SQL, with the column `filename`. */
export function parquetMatching(pattern: string): string {
  return readParquet([pattern], ['union_by_name = true', 'filename = true']);
}

function readParquet(patterns: readonly string[], options: readonly string[]): string {
  return `read_parquet(${[`[\n    ${patterns.map(quote).join(',\n    ')}\n]`, ...options, 'hive_partitioning = false'].join(', ')})`;
}
