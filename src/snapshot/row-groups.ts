// How many rows stand together in a Parquet file: the writer holds them all in memory, on each of its threads.
import type { DuckDBConnection } from '@duckdb/node-api';

const ROWS = 65_536;
/** A statement with its lines takes kilobytes: of a quarter of a million the engine's 600 MB hold no 65,536. */
const ROWS_WITH_RECORDS = 8192;

/** @param source a relation, or a select in parentheses */
export async function rowGroupSize(connection: DuckDBConnection, source: string): Promise<number> {
  const described = await connection.runAndReadAll(`describe from ${source}`);
  return described.getRows().some(([, type]) => /^STRUCT.*\)\[\]$/s.test(String(type))) ? ROWS_WITH_RECORDS : ROWS;
}
