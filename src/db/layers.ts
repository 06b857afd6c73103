// Creates relations out of the files of sql/, in the order given. A folder is a schema, a file is a relation.
import type { DuckDBConnection } from '@duckdb/node-api';
import { quote } from './connect.ts';
import { sqlText } from './query.ts';

export interface Relation {
  /** For example `series/vintages`: the file sql/series/vintages.sql, created as series.vintages. */
  readonly path: string;
  /** The build computes a table once. DuckDB computes a view on each read. A macro's file is the statement that creates it. */
  readonly as: 'table' | 'view' | 'macro';
  /** Its SQL, if several relations share a file. */
  readonly text?: string;
  /** True if the build may reuse the table of an earlier build when no input has changed. */
  readonly isRemembered?: boolean;
  /** True if a server loads the published table into memory. It reads other tables from their files. */
  readonly isInMemory?: boolean;
  /** True if it is only for readers of the Parquet files. No server opens it. */
  readonly isForReaders?: boolean;
  /** Built part by part, to limit the memory of each statement. Its SQL filters its inputs with `is_in_part(key)`. */
  readonly parts?: Parts;
}

/** Parts contain whole keys, in the order of keys. A part has at most `rows` rows of `of`, unless it has only one key. */
export interface Parts {
  /** A relation that is built earlier, as SQL after `from`. */
  readonly of: string;
  readonly key: string;
  readonly rows: number;
}

/** The name of a relation: the first folder of its path is the schema. Folders below that only group files. */
export function relationName(path: string): string {
  return `${path.slice(0, path.indexOf('/'))}.${nameOf(path)}`;
}

/** The name alone, without the schema: `published/companies/multiples` is `multiples`. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export const textOf = ({ path, text }: Pick<Relation, 'path' | 'text'>): string => text ?? sqlText(`${path}.sql`);

/** Returns the row count of a table, or null for a view or macro. */
export async function createRelation(connection: DuckDBConnection, relation: Relation): Promise<number | null> {
  const text = textOf(relation);
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

/** Returns the row count of the table. Its SQL filters its inputs with `is_in_part`. */
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

/** The first and last key of each part, as SQL. Without keys, one empty part. */
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
