// Parquet has its index at the end, so a file is made whole beside the answer and then sent.
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import {
  BIGINT,
  BOOLEAN,
  DATE,
  DOUBLE,
  DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBTimestampTZValue,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  STRUCT,
  structValue,
  TIMESTAMPTZ,
  VARCHAR,
} from '@duckdb/node-api';
import { openWriter, quote } from '../../db/connect.ts';
import { inTurns } from '../../db/turns.ts';
import type { Errand } from '../../db/lanes.ts';
import { type Cell, type Column, cellsOf, dayOf, microsOf, typeName } from './columns.ts';

/** A few milliseconds of work. */
const CHUNK_ROWS = 500;
/** Fewer than the engine would take: a row group is made in memory. */
const ROW_GROUP_ROWS = 20_480;
/** Rows beyond that spill; the same again is needed while the file is written. */
const LIMITS = { threads: 1, memory: '80MB', tempSize: '8GB' };

/** A new folder below `scratchDir`; the caller removes it. */
export async function parquetFolder(scratchDir: string): Promise<string> {
  await mkdir(scratchDir, { recursive: true });
  return mkdtemp(join(scratchDir, 'parquet-'));
}

/** Writes all pages into one file in `folder`; resolves with its path. */
export async function writeParquet(
  folder: string,
  columns: readonly Column[],
  pages: AsyncIterable<readonly unknown[]>,
  errand: Errand,
): Promise<string> {
  const file = join(folder, 'rows.parquet');
  // In memory, which spills: a file would be logged, checkpointed and compressed before it is written once more as Parquet.
  const engine = await openWriter({ ...LIMITS, tempDirectory: join(folder, 'spill') });
  try {
    const definitions = columns.map((column) => `"${column.name.replaceAll('"', '""')}" ${typeName(column)}`);
    await engine.connection.run(`create table page_rows (${definitions.join(', ')})`);
    const appender = await engine.connection.createAppender('page_rows');
    const chunk = DuckDBDataChunk.create(columns.map(typeOf));
    for await (const rows of pages) {
      for await (const part of inTurns(rows, CHUNK_ROWS)) {
        fill(chunk, part, columns);
        appender.appendDataChunk(chunk);
        // Of a whole page at once it would take as long as all its parts.
        appender.flushSync();
      }
    }
    appender.closeSync();
    await errand.run((interruptBy) => {
      interruptBy(() => engine.connection.interrupt());
      return engine.connection.run(`copy page_rows to ${quote(file)} (format parquet, compression zstd, row_group_size ${ROW_GROUP_ROWS})`);
    });
  } finally {
    engine.close();
  }
  return file;
}

function typeOf({ kind, fields }: Column): DuckDBType {
  switch (kind) {
    case 'number':
      return DOUBLE;
    case 'integer':
      return BIGINT;
    case 'boolean':
      return BOOLEAN;
    case 'day':
      return DATE;
    case 'instant':
      return TIMESTAMPTZ;
    case 'texts':
      return LIST(VARCHAR);
    case 'record':
      return STRUCT(Object.fromEntries(fields.map((field) => [field.name, typeOf(field)])));
    case 'text':
    case 'code':
    case 'json':
      return VARCHAR;
  }
}

/** The same chunk again: each new one has memory of its own, which goes only when the collector comes by. */
function fill(chunk: DuckDBDataChunk, rows: readonly unknown[], columns: readonly Column[]): void {
  chunk.reset();
  chunk.rowCount = rows.length;
  columns.forEach((column, i) => chunk.setColumnValues(i, valuesOf(rows, column)));
}

function valuesOf(rows: readonly unknown[], column: Column): DuckDBValue[] {
  return cellsOf(rows, column).map((cell) => (cell === null ? null : toDuckDB(cell, column)));
}

function toDuckDB(cell: Exclude<Cell, null>, { kind, fields }: Column): DuckDBValue {
  if (kind === 'day') return new DuckDBDateValue(dayOf(cell));
  if (kind === 'instant') return new DuckDBTimestampTZValue(microsOf(cell));
  if (kind === 'integer') return BigInt(Number(cell));
  if (kind === 'record') return structValue(Object.fromEntries(fields.map((field) => [field.name, valuesOf([cell], field)[0] ?? null])));
  if (Array.isArray(cell)) return listValue(cell.map(String));
  return typeof cell === 'object' ? null : cell;
}
