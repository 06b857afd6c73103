// A statement of sql/ with the types of its parameters and rows. test/rules/sql-contract.test.ts compares the types with DuckDB. Schemas
// check the rows for rules that a type cannot express, such as the members of a closed set.
import { readFileSync } from 'node:fs';
import {
  DOUBLE,
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  VARCHAR,
} from '@duckdb/node-api';
import type { z } from 'zod';
import { quote } from './connect.ts';
import type { Dialect } from './dialect.ts';
import { ANSWER_FILE } from './files.ts';
import { type HeldPart, heldRowsOf, shared } from './held.ts';
import type { Errand } from './lanes.ts';
import { camelCase, snakeCase, toValue, type Value } from './rows.ts';
import { inTurns, joined, nextTurn } from './turns.ts';

const SQL_ROOT = new URL('../../sql/', import.meta.url);

const textsRead = new Map<string, string>();

/** The text of a file below sql/, for example `queries/entities/list.sql`. */
export function sqlText(path: string): string {
  const text = textsRead.get(path) ?? readFileSync(new URL(path, SQL_ROOT), 'utf8');
  textsRead.set(path, text);
  return text;
}

/** SQL for names of a text, if its tables or columns vary. Names in backticks stay: they are in comments. */
export function filled(text: string, parts: Readonly<Record<string, string>>): string {
  return text.replaceAll(new RegExp(`\\b(?:${Object.keys(parts).join('|')})\\b(?!\`)`, 'g'), (name) => parts[name] ?? name);
}

/** A statement for an engine. */
export interface Question {
  readonly file: string;
  readonly sql: string;
  /** Returns the statement in the SQL of another engine, if that may answer it. */
  readonly textIn?: (dialect: Dialect) => string;
}

export interface Query<Params extends z.ZodRawShape, Row> extends Question {
  readonly params: z.ZodObject<Params>;
  readonly row: z.ZodType<Row>;
  /** True if it returns so many rows that we check only the first, unless the reader checks every row. */
  readonly isBulk?: boolean;
}

/** @param file name below sql/queries/; if it is heavy, another engine may answer it */
export function defineQuery<Params extends z.ZodRawShape, Row>(
  file: string,
  {
    isHeavy = false,
    ...shape
  }: { readonly params: z.ZodObject<Params>; readonly row: z.ZodType<Row>; readonly isBulk?: boolean; readonly isHeavy?: boolean },
): Query<Params, Row> {
  return { file, sql: sqlText(`queries/${file}`), ...(isHeavy ? { textIn: (dialect) => dialect.statement(file) } : {}), ...shape };
}

export type Bound = string | number | bigint | boolean | null | readonly string[] | readonly number[];

export type Values = Readonly<Record<string, Bound>>;

/** Some rows of an answer, with the column names of the SQL. */
export interface Part {
  readonly names: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

/** An engine that answers questions about one snapshot. */
export interface Engine {
  /** Passes the rows to `use` in parts as they arrive, at least one part. The parts are invalid after `use` ends. */
  readonly read: <Result>(
    question: Question,
    values: Values,
    use: (parts: AsyncIterable<Part>) => Promise<Result>,
    errand?: Errand,
  ) => Promise<Result>;
}

/** Lends connections to the relations of one snapshot. */
export interface Reader {
  /** The engine that answers heavy questions instead of these connections, if there is one. */
  readonly engine?: Engine | null;
  /** The rows to validate against the bindings. By default: every row, but only the first of a bulk answer. */
  readonly checks?: 'every' | 'none';
  readonly withConnection: <Result>(use: (connection: DuckDBConnection, statements: StatementCache) => Promise<Result>) => Promise<Result>;
}

export type StatementCache = Pick<Map<string, DuckDBPreparedStatement>, 'get' | 'set'>;

/** Runs a query with every parameter bound by name. Give null for an unset parameter. Throws if a row does not match the binding. */
export async function run<Params extends z.ZodRawShape, Row>(
  reader: Reader,
  query: Query<Params, Row>,
  values: { readonly [Name in keyof Params]: Bound },
): Promise<Row[]> {
  return (await runKeyed(reader, query, values, 0)).rows;
}

export interface KeyedRows<Row> {
  readonly rows: Row[];
  /** The key columns of a row. They come last in the SQL and are not part of the row. */
  readonly keysOf: (index: number) => readonly Value[];
}

/** @param keyCount the number of key columns at the end, which are not part of the rows */
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

/** Rows of a large answer. They stay in columns, and become objects only when you read them. */
export interface HeldRows<Row> {
  readonly length: number;
  /** All rows in order, in parts of at most `most`. You can read them once. */
  readonly parts: (most: number) => AsyncIterable<readonly Row[]>;
  /** The same rows together. */
  readonly all: () => Promise<readonly Row[]>;
}

export interface HeldAnswer<Row> {
  readonly held: HeldRows<Row>;
  /** True if the query found more rows than the limit. */
  readonly isMore: boolean;
  /** The key columns of the last held row; empty if there is no row. */
  readonly lastKeys: readonly Value[];
}

/**
 * Like `runKeyed`, for very many rows: it stores columns, and makes row objects when you read them.
 * @param limit the most rows to keep
 * @param isLate true if the values stay in the engine's chunks until you read them: for few rows with long lists or texts
 */
export async function runHeld<Params extends z.ZodRawShape, Row>(
  reader: Reader,
  query: Query<Params, Row>,
  values: { readonly [Name in keyof Params]: Bound },
  { keyCount, limit, isLate = false }: { readonly keyCount: number; readonly limit: number; readonly isLate?: boolean },
): Promise<HeldAnswer<Row>> {
  if (elsewhere(reader, query) !== null) {
    const { rows, keysOf } = await runKeyed(reader, query, values, keyCount);
    const held = heldRows(rows.slice(0, limit));
    return { held, isMore: rows.length > limit, lastKeys: keysOf(held.length - 1) };
  }
  return reader.withConnection(async (connection, statements) => {
    // We copy each chunk, so the engine need not keep the whole result as well.
    const result = await (await boundStatement(connection, statements, query, values)).stream();
    const names = result.columnNames().map(camelCase);
    const own = names.slice(0, names.length - keyCount);
    const { parts, found } = await heldParts(result, limit, isLate);
    const last = parts.at(-1);
    const make = (cells: readonly (readonly Value[])[]) =>
      checked(
        query,
        cells.map((one) => toRow(own, one)),
        reader.checks,
      );
    return {
      held: heldOf(Math.min(found, limit), (most) => joined(rowsOfParts(parts, make), most)),
      isMore: found > limit,
      lastKeys: last?.row(last.length - 1).slice(own.length) ?? [],
    };
  });
}

/** The first rows of a result in parts, and the number of rows found. Other work may run between parts. */
async function heldParts(
  result: DuckDBResult,
  limit: number,
  isLate: boolean,
): Promise<{ readonly parts: HeldPart[]; readonly found: number }> {
  const texts = new Map<string, string>();
  const parts: HeldPart[] = [];
  let found = 0;
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const length = Math.max(0, Math.min(chunk.rowCount, limit - found));
    for await (const rows of inTurns(numbersTo(length)))
      if (rows.length > 0) parts.push(isLate ? laterRowsOf(chunk, rows) : heldRowsOf(chunk, rows, texts));
    found += chunk.rowCount;
  }
  return { parts, found };
}

function laterRowsOf(chunk: DuckDBDataChunk, rows: readonly number[]): HeldPart {
  const cellsAt = cellsOf(chunk);
  return { length: rows.length, row: (index) => cellsAt(rows[index] ?? 0) };
}

const numbersTo = (length: number): number[] => Array.from({ length }, (_, number) => number);

/** The rows of parts. It drops each part as soon as it is read. */
async function* rowsOfParts<Row>(
  parts: HeldPart[],
  make: (cells: readonly (readonly Value[])[]) => readonly Row[],
): AsyncGenerator<readonly Row[]> {
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    await nextTurn();
    yield make(numbersTo(part.length).map(part.row));
  }
}

/** @param parts makes all rows, in parts of at most `most` */
export function heldOf<Row>(length: number, parts: HeldRows<Row>['parts']): HeldRows<Row> {
  return {
    length,
    parts,
    async all() {
      const together: Row[] = [];
      for await (const part of parts(Math.max(1, length))) for (const row of part) together.push(row);
      return together;
    },
  };
}

/** Wraps rows that are already objects. */
export function heldRows<Row>(rows: readonly Row[]): HeldRows<Row> {
  return {
    length: rows.length,
    all: async () => rows,
    async *parts(most) {
      for (let from = 0; from < rows.length; from += most) yield rows.slice(from, from + most);
    },
  };
}

/** Returns the other engine if there is one and the question is heavy, else null: DuckDB answers. */
const elsewhere = (reader: Reader, { textIn }: Question): Engine | null => (textIn === undefined ? null : (reader.engine ?? null));

const engineFor = (reader: Reader, question: Question): Engine => elsewhere(reader, question) ?? duckdbOf(reader);

const duckdbOf = (reader: Reader): Engine => ({
  read: (question, values, use) =>
    reader.withConnection(async (connection, statements) => use(partsOf(await asked(connection, statements, question, values)))),
});

async function* partsOf(result: DuckDBResult): AsyncGenerator<Part> {
  const names = result.columnNames();
  yield { names, rows: [] };
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    const cellsAt = cellsOf(chunk);
    for await (const part of inTurns(numbersTo(chunk.rowCount))) yield { names, rows: part.map(cellsAt) };
  }
}

const cellsOf = (chunk: DuckDBDataChunk) => (row: number) => chunk.getRowValues(row).map(toValue);

/** Returns one array per column. It validates the first row of each chunk. Columns are texts or numbers. */
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

/** Runs a statement and resolves with the number of rows that it made. Give null for an unset parameter. */
export type Execute = (sql: string, values: Values) => Promise<number>;

/**
 * Writes rows to a Parquet file in a folder that the reader may write to. Resolves with their number.
 * @param make makes the temporary tables that the statement reads
 * @param tables their names
 * @param columns the columns to write, in their order, each with its type
 */
export async function writeParquet(
  reader: Reader,
  {
    make,
    tables,
    rows,
    values,
  }: {
    readonly make: (execute: Execute) => Promise<void>;
    readonly tables: readonly string[];
    readonly rows: string;
    readonly values: Values;
  },
  columns: readonly { readonly name: string; readonly type: string }[],
  file: string,
): Promise<number> {
  const selected = columns.map(({ name, type }) => `${snakeCase(name)}::${type} as "${name}"`).join(', ');
  return reader.withConnection(async (connection) => {
    const execute: Execute = async (sql, given) => {
      const statement = await connection.prepare(sql);
      const names = Array.from({ length: statement.parameterCount }, (_, index) => camelCase(statement.parameterName(index + 1)));
      bindAll(statement, Object.fromEntries(names.map((name) => [name, given[name] ?? null])));
      const [counted] = await (await statement.run()).getRows();
      return Number(counted?.[0] ?? 0);
    };
    try {
      await make(execute);
      return await execute(`copy (select ${selected} from (${rows})) to ${quote(file)} (${ANSWER_FILE})`, values);
    } finally {
      // After an interrupt this may fail. The next panel on this connection replaces them.
      for (const name of tables) await connection.run(`drop table if exists ${name}`).catch(() => undefined);
    }
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

/** @param texts if given, equal texts of the answer share one string, which halves the memory of the rows */
function toRow(names: readonly string[], cells: readonly Value[], texts: Map<string, string> | null = null): unknown {
  const row: Record<string, Value> = {};
  for (const [index, name] of names.entries()) {
    const value = cells[index] ?? null;
    row[name] = texts === null || typeof value !== 'string' ? value : shared(texts, value);
  }
  return row;
}

// We validate only. The parsed copy is discarded, because schemas change nothing.
function checked<Row>({ file, row: schema, isBulk = false }: Rows<Row>, rows: readonly unknown[], checks: Reader['checks']): Row[] {
  const looked = checks === 'none' ? [] : isBulk && checks !== 'every' ? rows.slice(0, 1) : rows;
  for (const [index, row] of looked.entries()) {
    const [issue] = schema.safeParse(row).error?.issues ?? [];
    if (issue === undefined) continue;
    throw new Error(
      `Row ${index + 1} of the query ${file.replace('.sql', '')} has another form than declared: ${issue.path.join('.') || 'the row'}: ${issue.message}. ` +
        'Publish with the version that serves: npm run derive, then npm run publish.',
    );
  }
  return rows as Row[];
}

type Rows<Row> = Pick<Query<z.ZodRawShape, Row>, 'file' | 'row' | 'isBulk'>;

function bindAll(statement: DuckDBPreparedStatement, values: Values): void {
  const bound: Record<string, DuckDBValue> = {};
  // The engine infers the type of a list from its first item. The cast in the SQL sets the real one.
  const types: Record<string, DuckDBType> = {};
  for (const [camel, value] of Object.entries(values)) {
    const name = snakeCase(camel);
    bound[name] = Array.isArray(value) ? listValue([...(value as DuckDBValue[])]) : (value as DuckDBValue);
    if (Array.isArray(value)) types[name] = LIST(itemType(value));
  }
  statement.bind(bound, types);
}

/** Doubles hold all integers that a number can. */
const itemType = ([first]: readonly unknown[]): DuckDBType => (typeof first === 'number' ? DOUBLE : VARCHAR);
