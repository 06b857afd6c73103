// Creates relations out of the files of sql/, in the order given. A folder is a schema, a file is a relation.
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlText } from './query.ts';

export interface Relation {
  /** `series/series`: the file sql/series/series.sql, created as series.series. */
  readonly path: string;
  /** A table is computed once; a view each time it is read. */
  readonly as: 'table' | 'view';
  /** Whether the table of an earlier build may stand for it when nothing that it reads has changed. */
  readonly isRemembered?: boolean;
}

export function relationName(path: string): string {
  return path.replace('/', '.');
}

export async function createRelation(connection: DuckDBConnection, relation: Relation): Promise<void> {
  const [schema] = relation.path.split('/');
  await connection.run(`create schema if not exists ${schema}`);
  await connection.run(`create or replace ${relation.as} ${relationName(relation.path)} as ${sqlText(`${relation.path}.sql`)}`);
}

/** @param names files of sql/macros, each a `create macro` statement */
export async function createMacros(connection: DuckDBConnection, names: readonly string[]): Promise<void> {
  for (const name of names) await connection.run(sqlText(`macros/${name}.sql`));
}
