// The size of row groups in a Parquet file. The writer holds a whole group in memory on each thread.
import type { DuckDBConnection } from '@duckdb/node-api';

const ROWS = 65_536;
/** A financial statement takes kilobytes with its lines. 65,536 of them do not fit in the engine's 600 MB. */
const ROWS_WITH_RECORDS = 8192;

/** @param source a relation, or a select in parentheses */
export async function rowGroupSize(connection: DuckDBConnection, source: string): Promise<number> {
  const described = await connection.runAndReadAll(`describe from ${source}`);
  return described.getRows().some(([, type]) => /^STRUCT.*\)\[\]$/s.test(String(type))) ? ROWS_WITH_RECORDS : ROWS;
}
