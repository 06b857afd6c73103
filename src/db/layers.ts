// Creates relations out of the files of sql/, in the order given. A folder is a schema, a file is a relation.
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlText } from './query.ts';

export interface Relation {
  /** `intermediate/series`: the file sql/intermediate/series.sql, created as intermediate.series. */
  readonly path: string;
  /** A table is computed once; a view each time it is read. */
  readonly as: 'table' | 'view';
  /** Whether the table of an earlier build may stand for it when nothing that it reads has changed. */
  readonly isRemembered?: boolean;
}

export function relationName(path: string): string {
  return path.replace('/', '.');
}

/** Returns the rows of a table, null of a view. */
export async function createRelation(connection: DuckDBConnection, relation: Relation): Promise<number | null> {
  const [schema] = relation.path.split('/');
  await connection.run(`create schema if not exists ${schema}`);
  const created = await connection.runAndReadAll(
    `create or replace ${relation.as} ${relationName(relation.path)} as ${sqlText(`${relation.path}.sql`)}`,
  );
  return relation.as === 'view' ? null : Number(created.getRows()[0]?.[0]);
}

/** @param names files of sql/macros, each a `create macro` statement */
export async function createMacros(connection: DuckDBConnection, names: readonly string[]): Promise<void> {
  for (const name of names) await connection.run(sqlText(`macros/${name}.sql`));
}
