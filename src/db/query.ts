// A statement of sql/ with the shape of what it takes and returns. The SQL-contract test asks DuckDB whether the shape is true, so
// rows are not validated again at each request.
import { readFileSync } from 'node:fs';
import {
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  VARCHAR,
} from '@duckdb/node-api';
import type { z } from 'zod';
import { camelCase, snakeCase, toValue } from './rows.ts';

const SQL_ROOT = new URL('../../sql/', import.meta.url);

/** The text of a file below sql/, e.g. `queries/entities_list.sql`. */
export function sqlText(path: string): string {
  return readFileSync(new URL(path, SQL_ROOT), 'utf8');
}

export interface Query<Params extends z.ZodRawShape, Row> {
  readonly file: string;
  readonly sql: string;
  readonly params: z.ZodObject<Params>;
  readonly row: z.ZodType<Row>;
}

/** @param file name below sql/queries/ */
export function defineQuery<Params extends z.ZodRawShape, Row>(
  file: string,
  shape: { readonly params: z.ZodObject<Params>; readonly row: z.ZodType<Row> },
): Query<Params, Row> {
  return { file, sql: sqlText(`queries/${file}`), ...shape };
}

export type Bound = string | number | bigint | boolean | null | readonly string[] | readonly number[];

/** Something that lends connections on which the relations of one snapshot stand. */
export interface Reader {
  readonly withConnection: <Result>(use: (connection: DuckDBConnection, statements: StatementCache) => Promise<Result>) => Promise<Result>;
}

export type StatementCache = Map<string, DuckDBPreparedStatement>;

/** Runs a query with every parameter bound by name; an absent one must be given as null. `suffix` is an `order by` out of a closed map. */
export async function run<Params extends z.ZodRawShape, Row>(
  reader: Reader,
  query: Query<Params, Row>,
  values: { readonly [Name in keyof Params]: Bound },
  suffix = '',
): Promise<Row[]> {
  return reader.withConnection(async (connection, statements) => {
    const sql = query.sql + suffix;
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = await connection.prepare(sql);
      statements.set(sql, statement);
    }
    bindAll(statement, values);
    const result = await statement.runAndReadAll();
    const names = result.columnNames().map(camelCase);
    return result.getRows().map((row) => Object.fromEntries(names.map((name, i) => [name, toValue(row[i] ?? null)])) as Row);
  });
}

function bindAll(statement: DuckDBPreparedStatement, values: Readonly<Record<string, Bound>>): void {
  const bound: Record<string, DuckDBValue> = {};
  // An empty list says nothing of its type; the cast in the SQL gives it the one it is to have.
  const types: Record<string, DuckDBType> = {};
  for (const [camel, value] of Object.entries(values)) {
    const name = snakeCase(camel);
    bound[name] = Array.isArray(value) ? listValue([...(value as DuckDBValue[])]) : (value as DuckDBValue);
    if (Array.isArray(value) && value.length === 0) types[name] = LIST(VARCHAR);
  }
  statement.bind(bound, types);
}
