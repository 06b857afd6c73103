// Writes a whole Parquet file before it is sent, because the index is at its end. The engine reads the rows from a JSON file on its own
// threads. Its appender would block the event loop for as long as a row group takes.
import { type FileHandle, mkdir, mkdtemp, open } from 'node:fs/promises';
import { join } from 'node:path';
import { openWriter, patternOf, quote } from '../../db/connect.ts';
import { ANSWER_FILE, parquetFiles, ROW_GROUP_ROWS } from '../../db/files.ts';
import { inTurns } from '../../db/turns.ts';
import type { Errand } from '../../db/lanes.ts';
import { type Cell, type Column, cellReader, typeName } from './columns.ts';

/** A few milliseconds of work. */
const CHUNK_ROWS = 50;
/** The most rows in the JSON file at once. JSON takes many times the space of Parquet. */
const PART_ROWS = 4 * ROW_GROUP_ROWS;
/** Shared by all Parquet answers. The engine holds the row groups and the JSON of one file at a time, so files take turns. */
const LIMITS = { threads: 2, memory: '160MB', tempSize: '8GB' };

/** The engine that writes the Parquet files of a server. */
export interface ParquetWriter {
  /** Writes all pages into one file in `folder`. Resolves with its path. */
  readonly write: (folder: string, columns: readonly Column[], pages: AsyncIterable<readonly unknown[]>, errand: Errand) => Promise<string>;
  readonly close: () => void;
}

/** Creates a new folder below `scratchDir`. The caller deletes it. */
export async function parquetFolder(scratchDir: string): Promise<string> {
  await mkdir(scratchDir, { recursive: true });
  return mkdtemp(join(scratchDir, 'parquet-'));
}

/** One engine for all answers. Each engine has its own files and threads, and a process may have only so many. */
export async function openParquetWriter(tempDirectory: string): Promise<ParquetWriter> {
  const engine = await openWriter({ ...LIMITS, tempDirectory });
  let last: Promise<unknown> = Promise.resolve();
  // The wait is outside the errand, so an answer that waits holds no lane.
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
  return {
    close: engine.close,
    async write(folder, columns, pages, errand) {
      const connection = await engine.connect();
      const copy = (from: string, to: string) =>
        inTurn(() =>
          errand.run((interruptBy) => {
            interruptBy(() => connection.interrupt());
            return connection.run(`copy (${from}) to ${quote(to)} (${ANSWER_FILE})`);
          }),
        );
      try {
        return await writeParts(folder, columns, pages, copy);
      } finally {
        connection.closeSync();
      }
    },
  };
}

async function writeParts(
  folder: string,
  columns: readonly Column[],
  pages: AsyncIterable<readonly unknown[]>,
  copy: (from: string, to: string) => Promise<unknown>,
): Promise<string> {
  const [json, file] = [join(folder, 'rows.json'), join(folder, 'rows.parquet')];
  const fromJson = selectOf(columns, json);
  const toLine = lineOf(columns);
  const parts: string[] = [];
  let handle: FileHandle = await open(json, 'w');
  let rowsInPart = 0;
  try {
    for await (const rows of pages) {
      for await (const some of inTurns(rows, CHUNK_ROWS)) {
        if (rowsInPart >= PART_ROWS) {
          await handle.close();
          parts.push(join(folder, `part-${parts.length}.parquet`));
          await copy(fromJson, parts.at(-1) ?? '');
          handle = await open(json, 'w');
          rowsInPart = 0;
        }
        await handle.appendFile(some.map(toLine).join(''));
        rowsInPart += some.length;
      }
    }
  } finally {
    await handle.close();
  }
  if (parts.length === 0) {
    await copy(fromJson, file);
    return file;
  }
  parts.push(join(folder, `part-${parts.length}.parquet`));
  await copy(fromJson, parts.at(-1) ?? '');
  await copy(`from ${parquetFiles(parts)}`, file);
  return file;
}

/** The JSON file repeats column names in each row, so they are short there. */
function selectOf(columns: readonly Column[], json: string): string {
  const types = columns.map((column, index) => `c${index}: ${quote(typeName(column))}`);
  const named = columns.map((column, index) => `c${index} as "${column.name.replaceAll('"', '""')}"`);
  return `select ${named.join(', ')} from read_json(${quote(patternOf(json))}, format = 'newline_delimited', hive_partitioning = false, columns = {${types.join(', ')}})`;
}

/** Omits null cells. */
function lineOf(columns: readonly Column[]): (row: unknown) => string {
  const writers = columns.map((column, index) => ({ cell: cellReader(column), write: writerOf(column), name: `"c${index}":` }));
  return (row) => {
    const cells: string[] = [];
    for (const { cell, write, name } of writers) {
      const found = cell(row);
      if (found !== null) cells.push(name + write(found));
    }
    return `{${cells.join(',')}}\n`;
  };
}

function writerOf({ kind, fields }: Column): (cell: Exclude<Cell, null>) => string {
  if (kind !== 'record') return (cell) => wellFormed(JSON.stringify(cell));
  const writers = fields.map((field) => ({ cell: cellReader(field), write: writerOf(field), name: `${JSON.stringify(field.name)}:` }));
  return (record) => {
    const cells = writers.flatMap(({ cell, write, name }) => {
      const found = cell(record);
      return found === null ? [] : [name + write(found)];
    });
    return `{${cells.join(',')}}`;
  };
}

/** Half of a surrogate pair is not a character, and the engine refuses it. */
function wellFormed(json: string): string {
  return json.includes('\\ud') ? json.replaceAll(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\\ufffd') : json;
}
