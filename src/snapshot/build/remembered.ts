// Reuses tables of an earlier build if neither their inputs nor their SQL have changed. DuckDB itself lists the inputs of a statement, so
// none can be forgotten. A damaged file is computed again.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quote } from '../../db/connect.ts';
import { parquetFiles } from '../../db/files.ts';
import { createRelation, type Relation, relationName } from '../../db/layers.ts';
import { sqlText } from '../../db/query.ts';
import { readsOf } from '../../db/reads.ts';
import type { Shelf } from '../../derived/shelf.ts';
import { sha256OfFile } from '../../disk/durable.ts';
import { RELATIONS } from './relations.ts';
import { rowGroupSize } from './row-groups.ts';
import type { ResultFiles } from './result-files.ts';

/** With fewer rows of input, computing a table is faster than looking it up. */
const WORTHWHILE_ROWS = 1000;

/** Rows reused, and rows computed now. */
export interface TakenOver {
  readonly reused: number;
  readonly computed: number;
}

/**
 * Creates the table of a relation. Returns null if its inputs are too small to be worth caching.
 * @param shelf SHA-256 of each file, by the hash of the table's inputs
 * @param worthwhile the fewest rows of input to cache it
 */
export async function createRemembered(
  connection: DuckDBConnection,
  relation: Relation,
  files: Pick<ResultFiles, 'fileOf'>,
  shelf: Shelf,
  worthwhile = WORTHWHILE_ROWS,
): Promise<TakenOver | null> {
  const inputs = await sourcesOf(connection, relation);
  if ((await countAll(connection, inputs.tables)) < worthwhile) {
    await createRelation(connection, relation);
    return null;
  }
  const key = await keyOf(connection, inputs);
  const name = relationName(relation.path);
  const file = files.fileOf(`${name}.parquet`);
  const stored = shelf.get(key);
  if (stored !== undefined && existsSync(file) && (await sha256OfFile(file)) === stored) {
    await connection.run(`create schema if not exists ${name.split('.')[0]}`);
    await connection.run(`create or replace table ${name} as from ${parquetFiles([file])}`);
    return { reused: await count(connection, name), computed: 0 };
  }
  await createRelation(connection, relation);
  await mkdir(dirname(file), { recursive: true });
  const partial = files.fileOf(`${name}.parquet.partial`);
  const rowGroup = await rowGroupSize(connection, name);
  await withoutBatches(connection, () =>
    connection.run(`copy ${name} to ${quote(partial)} (format parquet, compression zstd, row_group_size ${rowGroup})`),
  );
  const [columns, kept] = [await describe(connection, name), await describe(connection, parquetFiles([partial]))];
  if (columns !== kept)
    throw new Error(`${relation.path} cannot be remembered: Parquet keeps its columns as ${kept} instead of ${columns}.`);
  await rename(partial, file);
  shelf.put(key, await sha256OfFile(file));
  return { reused: 0, computed: await count(connection, name) };
}

/**
 * To keep the order of rows with several threads, the engine collects batches of 122,880 rows in memory; of multiples, these are some 250 MB.
 * One thread keeps the order by itself.
 */
async function withoutBatches(connection: DuckDBConnection, write: () => Promise<unknown>): Promise<void> {
  const threads = String((await connection.runAndReadAll("select current_setting('threads')")).getRows()[0]?.[0]);
  await connection.run('set threads = 1; set preserve_insertion_order = false');
  try {
    await write();
  } finally {
    await connection.run(`set threads = ${threads}; set preserve_insertion_order = true`);
  }
}

type Inputs = Awaited<ReturnType<typeof sourcesOf>>;

/** A hash of everything that the table depends on: SQL texts, engine version, and the columns and rows of each input in any order. */
async function keyOf(connection: DuckDBConnection, { texts, tables }: Inputs): Promise<string> {
  const version = String((await connection.runAndReadAll('select version()')).getRows()[0]?.[0]);
  const hash = createHash('sha256').update(version);
  for (const text of texts) hash.update(text);
  for (const table of tables) {
    const result = await connection.runAndReadAll(
      `select count(*), bit_xor(hash(input))::varchar, sum(hash(input)::hugeint)::varchar from ${table} as input`,
    );
    const [number, ...sums] = result.getRows()[0] ?? [];
    hash.update(JSON.stringify([table, await describe(connection, table), String(number), ...sums.map(String)]));
  }
  return hash.digest('hex');
}

const BY_NAME = new Map(
  RELATIONS.flatMap((step) => (step.as === 'view' || step.as === 'macro' ? [[relationName(step.path), step] as const] : [])).filter(
    ([name]) => !name.startsWith('lake.'),
  ),
);

/**
 * The SQL of the relation and of the views and macros that it uses, and the names of the tables that they read. Views of the lake count as
 * tables.
 */
export async function sourcesOf(
  connection: DuckDBConnection,
  relation: Relation,
): Promise<{ readonly texts: readonly string[]; readonly tables: readonly string[] }> {
  const texts: string[] = [];
  const tables = new Set<string>();
  const visited = new Set<string>();
  const visit = async ({ path, as }: Relation): Promise<void> => {
    if (visited.has(path)) return;
    visited.add(path);
    const text = sqlText(`${path}.sql`);
    texts.push(text);
    const reads = await readsOf(connection, as === 'macro' ? selectOf(text) : text);
    for (const name of reads.functions) {
      const macro = BY_NAME.get(`macros.${name}`);
      if (macro !== undefined) await visit(macro);
    }
    for (const name of reads.tables) {
      const view = BY_NAME.get(name);
      if (view === undefined) tables.add(name);
      else await visit(view);
    }
  };
  await visit(relation);
  return { texts, tables: [...tables].toSorted() };
}

/** The body of a macro as a SELECT. */
function selectOf(text: string): string {
  const [head = '', kind] = /create or replace macro \w+\([^)]*\) as(?: (table))?/.exec(text) ?? [];
  const body = text.slice(text.indexOf(head) + head.length);
  return kind === 'table' ? body : `select (${body.replace(/;\s*$/, '')})`;
}

async function describe(connection: DuckDBConnection, source: string): Promise<string> {
  const result = await connection.runAndReadAll(`describe from ${source}`);
  return result
    .getRows()
    .map(([name, type]) => `${String(name)} ${String(type)}`)
    .join(', ');
}

async function count(connection: DuckDBConnection, name: string): Promise<number> {
  return Number((await connection.runAndReadAll(`select count(*) from ${name}`)).getRows()[0]?.[0]);
}

async function countAll(connection: DuckDBConnection, names: readonly string[]): Promise<number> {
  const counts = names.map((name) => `(select count(*) from ${name})`);
  return Number((await connection.runAndReadAll(`select ${['0', ...counts].join(' + ')}`)).getRows()[0]?.[0]);
}
