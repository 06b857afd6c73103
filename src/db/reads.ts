// Lists the tables and functions that a statement reads, from DuckDB's own parser.
import type { DuckDBConnection } from '@duckdb/node-api';

export interface Reads {
  /** As `schema.table`, sorted. Common table expressions have no schema and are left out. */
  readonly tables: readonly string[];
  /** Names of functions and macros, sorted. */
  readonly functions: readonly string[];
}

/** @param select one SELECT statement. Throws DuckDB's message if DuckDB cannot parse it. */
export async function readsOf(connection: DuckDBConnection, select: string): Promise<Reads> {
  const result = await connection.runAndReadAll('select json_serialize_sql($1::varchar)::varchar', [select]);
  const parsed: unknown = JSON.parse(String(result.getRows()[0]?.[0]));
  if (isObject(parsed) && parsed['error'] === true) throw new Error(`${String(parsed['error_message'])}: ${select.slice(0, 200)}`);
  const tables = new Set<string>();
  const functions = new Set<string>();
  visit(parsed, (node) => {
    if (node['type'] === 'BASE_TABLE' && node['schema_name'] !== '')
      tables.add(`${String(node['schema_name'])}.${String(node['table_name'])}`);
    if (node['type'] === 'FUNCTION') functions.add(String(node['function_name']));
  });
  return { tables: [...tables].toSorted(), functions: [...functions].toSorted() };
}

function visit(value: unknown, use: (node: Readonly<Record<string, unknown>>) => void): void {
  if (Array.isArray(value)) for (const one of value) visit(one, use);
  else if (isObject(value)) {
    use(value);
    for (const one of Object.values(value)) visit(one, use);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
