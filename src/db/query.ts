// A statement of sql/ with the shape of what it takes and returns. The SQL-contract test asks DuckDB for the types; what a type does not
// say, such as the members of a closed set, is asked of the rows.
import { readFileSync } from 'node:fs';
import {
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  VARCHAR,
} from '@duckdb/node-api';
import type { z } from 'zod';
import { type HeldPart, heldRowsOf, shared } from './held.ts';
import type { Errand } from './lanes.ts';
import { camelCase, snakeCase, toValue, type Value } from './rows.ts';
import { inTurns, nextTurn } from './turns.ts';

const SQL_ROOT = new URL('../../sql/', import.meta.url);

/** The text of a file below sql/, e.g. `queries/entities/list.sql`. */
export function sqlText(path: string): string {
  return readFileSync(new URL(path, SQL_ROOT), 'utf8');
}

/** A question as it is put to an engine. */
export interface Question {
  readonly file: string;
  readonly sql: string;
  /** The same in the words of ClickHouse, of what a cluster may be asked. */
  readonly twin?: string;
}

export interface Query<Params extends z.ZodRawShape, Row> extends Question {
  readonly params: z.ZodObject<Params>;
  readonly row: z.ZodType<Row>;
  /** Whether it answers so many rows that only the first of them is checked, unless the reader has all of them checked. */
  readonly isBulk?: boolean;
}

/** @param file name below sql/queries/, and where it is heavy, below sql/clickhouse/ */
export function defineQuery<Params extends z.ZodRawShape, Row>(
  file: string,
  {
    isHeavy = false,
    ...shape
  }: { readonly params: z.ZodObject<Params>; readonly row: z.ZodType<Row>; readonly isBulk?: boolean; readonly isHeavy?: boolean },
): Query<Params, Row> {
  return { file, sql: sqlText(`queries/${file}`), ...(isHeavy ? { twin: twinText(file) } : {}), ...shape };
}

/** With what several share in front, if it names it: ClickHouse keeps no macros that are tables. */
function twinText(file: string): string {
  const text = sqlText(`clickhouse/${file}`);
  const inFront = [
    ...(text.includes('calendar_place') ? [sqlText('clickhouse/macros/calendar_place.sql').trimEnd()] : []),
    ...(text.includes('asked_vintages') ? [`asked_vintages as (${sqlText('clickhouse/macros/asked_vintages.sql')})`] : []),
  ].join(',\n');
  if (inFront === '') return text;
  const [comment = '', ...rest] = text.split(/^(?=with$|select$)/m);
  const own = rest.join('');
  return own.startsWith('with') ? `${comment}with\n${inFront},${own.slice('with'.length)}` : `${comment}with\n${inFront}\n${own}`;
}

export type Bound = string | number | bigint | boolean | null | readonly string[] | readonly number[];

export type Values = Readonly<Record<string, Bound>>;

/** Some rows of an answer, and the names of their columns as SQL has them. */
export interface Part {
  readonly names: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

/** What answers questions about one snapshot. */
export interface Engine {
  /** The rows part by part as they come, of which there is one part at least; they are no longer to be had once `use` has ended. */
  readonly read: <Result>(
    question: Question,
    values: Values,
    use: (parts: AsyncIterable<Part>) => Promise<Result>,
    errand?: Errand,
  ) => Promise<Result>;
}

/** Something that lends connections on which the relations of one snapshot stand. */
export interface Reader {
  /** What is asked the heavy questions in place of these connections, where there is such an engine. */
  readonly engine?: Engine | null;
  /** Which rows are held against the bindings: unless said otherwise all but those of bulk answers, of which the first is. */
  readonly checks?: 'every' | 'none';
  readonly withConnection: <Result>(use: (connection: DuckDBConnection, statements: StatementCache) => Promise<Result>) => Promise<Result>;
}

export type StatementCache = Pick<Map<string, DuckDBPreparedStatement>, 'get' | 'set'>;

/** Runs a query with every parameter bound by name; an absent one must be given as null. Throws when a row is not what the binding says. */
export async function run<Params extends z.ZodRawShape, Row>(
  reader: Reader,
  query: Query<Params, Row>,
  values: { readonly [Name in keyof Params]: Bound },
): Promise<Row[]> {
  return (await runKeyed(reader, query, values, 0)).rows;
}

export interface KeyedRows<Row> {
  readonly rows: Row[];
  /** The last columns of a row, which are none of it. */
  readonly keysOf: (index: number) => readonly Value[];
}

/** @param keyCount how many of the last columns are keys and no part of the rows */
export async function runKeyed<Params extends z.ZodRawShape, Row>(
  reader: Reader,
  query: Query<Params, Row>,
  values: { readonly [Name in keyof Params]: Bound },
  keyCount: number,
): Promise<KeyedRows<Row>> {
  return engineFor(reader, query).read(query, values, async (parts) => {
    const texts = query.isBulk === true ? new Map<string, string>() : null;
    const rows: Row[] = [];
    const keys: (readonly Value[])[] = [];
    for await (const { names, rows: cells } of parts) {
      const own = names.slice(0, names.length - keyCount).map(camelCase);
      const made = cells.map((one) => toRow(own, one, texts));
      rows.push(...checked(query, made, reader.checks));
      if (keyCount > 0) keys.push(...cells.map((one) => one.slice(own.length)));
    }
    return { rows, keysOf: (index) => keys[index] ?? [] };
  });
}

/** Rows of a large answer as they were found: each is made when its turn has come. */
export interface HeldRows<Row> {
  readonly length: number;
  /** All of them in their order, once, so many together at most. */
  readonly parts: (most: number) => AsyncIterable<readonly Row[]>;
}

export interface HeldAnswer<Row> {
  readonly held: HeldRows<Row>;
  /** Whether more was found. */
  readonly isMore: boolean;
  /** Of the last row that is held; none without one. */
  readonly lastKeys: readonly Value[];
}

/**
 * The same for very many rows: they are held in columns, and made when they are read.
 * @param limit how many of the rows that are found are held
 */
export async function runHeld<Params extends z.ZodRawShape, Row>(
  reader: Reader,
  query: Query<Params, Row>,
  values: { readonly [Name in keyof Params]: Bound },
  { keyCount, limit }: { readonly keyCount: number; readonly limit: number },
): Promise<HeldAnswer<Row>> {
  if (elsewhere(reader, query) !== null) {
    const { rows, keysOf } = await runKeyed(reader, query, values, keyCount);
    const held = heldRows(rows.slice(0, limit));
    return { held, isMore: rows.length > limit, lastKeys: keysOf(held.length - 1) };
  }
  return reader.withConnection(async (connection, statements) => {
    // Chunk by chunk: what is copied here need not stand in the engine once more.
    const result = await (await boundStatement(connection, statements, query, values)).stream();
    const names = result.columnNames().map(camelCase);
    const own = names.slice(0, names.length - keyCount);
    const { parts, found } = await heldParts(result, limit);
    const last = parts.at(-1);
    const make = (cells: readonly (readonly Value[])[]) =>
      checked(
        query,
        cells.map((one) => toRow(own, one)),
        reader.checks,
      );
    return {
      held: { length: Math.min(found, limit), parts: (most) => joined(rowsOfParts(parts, make), most) },
      isMore: found > limit,
      lastKeys: last?.row(last.length - 1).slice(own.length) ?? [],
    };
  });
}

/** The first rows of a result, in parts that are made and read in a turn each, and how many it has. */
async function heldParts(result: DuckDBResult, limit: number): Promise<{ readonly parts: HeldPart[]; readonly found: number }> {
  const texts = new Map<string, string>();
  const parts: HeldPart[] = [];
  let found = 0;
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const length = Math.max(0, Math.min(chunk.rowCount, limit - found));
    for await (const rows of inTurns(numbersTo(length))) if (rows.length > 0) parts.push(heldRowsOf(chunk, rows, texts));
    found += chunk.rowCount;
  }
  return { parts, found };
}

const numbersTo = (length: number): number[] => Array.from({ length }, (_, number) => number);

/** The rows of parts, of which none is kept that was read. */
async function* rowsOfParts<Row>(
  parts: HeldPart[],
  make: (cells: readonly (readonly Value[])[]) => readonly Row[],
): AsyncGenerator<readonly Row[]> {
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    await nextTurn();
    yield make(numbersTo(part.length).map(part.row));
  }
}

async function* joined<Row>(parts: AsyncIterable<readonly Row[]>, most: number): AsyncGenerator<readonly Row[]> {
  const rows: Row[] = [];
  for await (const part of parts) {
    rows.push(...part);
    while (rows.length >= most) yield rows.splice(0, most);
  }
  if (rows.length > 0) yield rows;
}

/** Rows that are made already. */
export function heldRows<Row>(rows: readonly Row[]): HeldRows<Row> {
  return {
    length: rows.length,
    async *parts(most) {
      for (let from = 0; from < rows.length; from += most) yield rows.slice(from, from + most);
    },
  };
}

/** The engine that is asked in place of this process; null where there is none, or it is not asked this. */
const elsewhere = (reader: Reader, { twin }: Question): Engine | null => (twin === undefined ? null : (reader.engine ?? null));

const engineFor = (reader: Reader, question: Question): Engine => elsewhere(reader, question) ?? duckdbOf(reader);

const duckdbOf = (reader: Reader): Engine => ({
  read: (question, values, use) =>
    reader.withConnection(async (connection, statements) => use(partsOf(await asked(connection, statements, question, values)))),
});

async function* partsOf(result: DuckDBResult): AsyncGenerator<Part> {
  const names = result.columnNames();
  yield { names, rows: [] };
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    for await (const part of inTurns(chunk.getRows())) yield { names, rows: part.map((cells) => cells.map(toValue)) };
  }
}

/** One array a column, for what is kept in columns; of each chunk the first row is held against the binding. Texts and numbers only. */
export async function runColumns<Params extends z.ZodRawShape, Row extends Readonly<Record<string, string | number>>>(
  reader: Reader,
  query: Query<Params, Row>,
  values: { readonly [Name in keyof Params]: Bound },
): Promise<{ readonly rows: number; readonly column: <Name extends keyof Row & string>(name: Name) => readonly Row[Name][] }> {
  return reader.withConnection(async (connection, statements) => {
    const result = await asked(connection, statements, query, values);
    const names = result.columnNames().map(camelCase);
    const columns = names.map((): DuckDBValue[] => []);
    let rows = 0;
    for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
      const first = names.map((_, index) => toValue(chunk?.getColumnVector(index).getItem(0) ?? null));
      checked({ ...query, isBulk: false }, [toRow(names, first)], reader.checks);
      for (const [index, column] of columns.entries()) for (const value of chunk.getColumnValues(index)) column.push(value);
      rows += chunk.rowCount;
    }
    return { rows, column: (name) => (columns[names.indexOf(name)] ?? []) as never };
  });
}

async function asked(connection: DuckDBConnection, statements: StatementCache, question: Question, values: Values): Promise<DuckDBResult> {
  return (await boundStatement(connection, statements, question, values)).run();
}

async function boundStatement(
  connection: DuckDBConnection,
  statements: StatementCache,
  { sql }: Question,
  values: Values,
): Promise<DuckDBPreparedStatement> {
  let statement = statements.get(sql);
  if (statement === undefined) {
    statement = await connection.prepare(sql);
    statements.set(sql, statement);
  }
  bindAll(statement, values);
  return statement;
}

/** @param texts where given: the rows of an answer share those that they have in common, which makes them half as large */
function toRow(names: readonly string[], cells: readonly Value[], texts: Map<string, string> | null = null): unknown {
  const row: Record<string, Value> = {};
  for (const [index, name] of names.entries()) {
    const value = cells[index] ?? null;
    row[name] = texts === null || typeof value !== 'string' ? value : shared(texts, value);
  }
  return row;
}

// What the schemas make of a row is thrown away: they change nothing, and a row is made once.
function checked<Row>({ file, row: schema, isBulk = false }: Rows<Row>, rows: readonly unknown[], checks: Reader['checks']): Row[] {
  const looked = checks === 'none' ? [] : isBulk && checks !== 'every' ? rows.slice(0, 1) : rows;
  for (const [index, row] of looked.entries()) {
    const [issue] = schema.safeParse(row).error?.issues ?? [];
    if (issue === undefined) continue;
    throw new Error(
      `sql/queries/${file}: row ${index + 1} is not what its binding says: ${issue.path.join('.') || 'the row'}: ${issue.message}. ` +
        'Derive and publish with the version that serves, or mend the binding.',
    );
  }
  return rows as Row[];
}

type Rows<Row> = Pick<Query<z.ZodRawShape, Row>, 'file' | 'row' | 'isBulk'>;

function bindAll(statement: DuckDBPreparedStatement, values: Values): void {
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
