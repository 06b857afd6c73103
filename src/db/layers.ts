// Creates relations out of the files of sql/, in the order given. A folder is a schema, a file is a relation.
import type { DuckDBConnection } from '@duckdb/node-api';
import { quote } from './connect.ts';
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
  /** Made part by part, so that what one statement holds does not grow with the table: its statement asks `is_in_part(key)` of what it reads. */
  readonly parts?: Parts;
}

/** Parts of whole keys, in the order of the keys, none of more rows of `of` than `rows` unless it is of one key. */
export interface Parts {
  /** What was made before, as it stands behind `from`. */
  readonly of: string;
  readonly key: string;
  readonly rows: number;
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
  const name = relationName(relation.path);
  if (relation.parts !== undefined) return createInParts(connection, name, text, relation.parts);
  const created = await connection.runAndReadAll(`create or replace ${relation.as} ${name} as ${text}`);
  return relation.as === 'view' ? null : Number(created.getRows()[0]?.[0]);
}

/** Returns the rows of the table. Its statement asks `is_in_part` of what it reads. */
export async function createInParts(connection: DuckDBConnection, name: string, text: string, parts: Parts): Promise<number> {
  let rows = 0;
  try {
    for (const [index, { first, last }] of (await partsOf(connection, parts)).entries()) {
      await connection.run(`set variable first_of_part = ${first}; set variable last_of_part = ${last}`);
      const begin = index === 0 ? `create or replace table ${name} as` : `insert into ${name}`;
      rows += Number((await connection.runAndReadAll(`${begin} ${text}`)).getRows()[0]?.[0]);
    }
  } finally {
    await connection.run('reset variable first_of_part; reset variable last_of_part');
  }
  return rows;
}

/** First and last key of each part as SQL; one of nothing where there are no keys. */
async function partsOf(connection: DuckDBConnection, { of, key, rows: most }: Parts) {
  const counted = await connection.runAndReadAll(`select ${key}::varchar, count(*) from ${of} group by ${key} order by ${key}`);
  const parts: { first: string; last: string; rows: number }[] = [];
  for (const [value, count] of counted.getRows()) {
    const [own, rows] = [quote(String(value)), Number(count)];
    const part = parts.at(-1);
    if (part === undefined || part.rows + rows > most) parts.push({ first: own, last: own, rows });
    else {
      part.last = own;
      part.rows += rows;
    }
  }
  return parts.length === 0 ? [{ first: 'null', last: 'null' }] : parts;
}
