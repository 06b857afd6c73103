// Creates relations out of the files of sql/, in the order given. A folder is a schema, a file is a relation.
import type { DuckDBConnection } from '@duckdb/node-api';
import { sqlText } from './query.ts';

export interface Relation {
  /** `series/vintages`: the file sql/series/vintages.sql, created as series.vintages. */
  readonly path: string;
  /** A table is computed once; a view each time it is read; the file of a macro is the statement that creates it. */
  readonly as: 'table' | 'view' | 'macro';
  /** Whether the table of an earlier build may stand for it when nothing that it reads has changed. */
  readonly isRemembered?: boolean;
  /** Whether a server holds the published table in memory; the others are read where they lie. */
  readonly isInMemory?: boolean;
  /** Whether it is written for readers of the files alone: no server opens it. */
  readonly isForReaders?: boolean;
}

export function relationName(path: string): string {
  return path.replace('/', '.');
}

/** Returns the rows of a table, null of a view and of a macro. */
export async function createRelation(connection: DuckDBConnection, relation: Relation): Promise<number | null> {
  const text = sqlText(`${relation.path}.sql`);
  if (relation.as === 'macro') {
    await connection.run(text);
    return null;
  }
  const [schema] = relation.path.split('/');
  await connection.run(`create schema if not exists ${schema}`);
  const created = await connection.runAndReadAll(`create or replace ${relation.as} ${relationName(relation.path)} as ${text}`);
  return relation.as === 'view' ? null : Number(created.getRows()[0]?.[0]);
}
