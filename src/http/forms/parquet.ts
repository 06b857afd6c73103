// Parquet has its index at the end, so a file is made whole beside the answer and then sent. Rows go to the engine as a file of JSON, which its own threads
// read: the appender of the engine would hold the event loop for as long as it takes a row group.
import { type FileHandle, mkdir, mkdtemp, open } from 'node:fs/promises';
import { join } from 'node:path';
import { openWriter, patternOf, quote } from '../../db/connect.ts';
import { parquetFiles } from '../../db/files.ts';
import { inTurns } from '../../db/turns.ts';
import type { Errand } from '../../db/lanes.ts';
import { type Cell, type Column, cellReader, typeName } from './columns.ts';

/** A few milliseconds of work. */
const CHUNK_ROWS = 500;
/** Fewer than the engine would take: a row group is made in memory. */
const ROW_GROUP_ROWS = 20_480;
/** Rows that lie as JSON at once: it takes many times the room of Parquet. */
const PART_ROWS = 4 * ROW_GROUP_ROWS;
/** Of all Parquet answers. */
const LIMITS = { threads: 2, memory: '160MB', tempSize: '8GB' };

/** The engine that writes the Parquet files of a server. */
export interface ParquetWriter {
  /** Writes all pages into one file in `folder`; resolves with its path. */
  readonly write: (folder: string, columns: readonly Column[], pages: AsyncIterable<readonly unknown[]>, errand: Errand) => Promise<string>;
  readonly close: () => void;
}

/** A new folder below `scratchDir`; the caller removes it. */
export async function parquetFolder(scratchDir: string): Promise<string> {
  await mkdir(scratchDir, { recursive: true });
  return mkdtemp(join(scratchDir, 'parquet-'));
}

/** One engine for all answers: each has files and threads of its own, of which a process has only so many. */
export async function openParquetWriter(tempDirectory: string): Promise<ParquetWriter> {
  const engine = await openWriter({ ...LIMITS, tempDirectory });
  return {
    close: engine.close,
    async write(folder, columns, pages, errand) {
      const connection = await engine.connect();
      const copy = (from: string, to: string) =>
        errand.run((interruptBy) => {
          interruptBy(() => connection.interrupt());
          return connection.run(`copy (${from}) to ${quote(to)} (format parquet, compression zstd, row_group_size ${ROW_GROUP_ROWS})`);
        });
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

/** Columns go by short names in the file of JSON, which repeats them in each row. */
function selectOf(columns: readonly Column[], json: string): string {
  const types = columns.map((column, index) => `c${index}: ${quote(typeName(column))}`);
  const named = columns.map((column, index) => `c${index} as "${column.name.replaceAll('"', '""')}"`);
  return `select ${named.join(', ')} from read_json(${quote(patternOf(json))}, format = 'newline_delimited', hive_partitioning = false, columns = {${types.join(', ')}})`;
}

/** A cell that is null is left out. */
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

/** Half of a surrogate pair is no character, and the engine refuses it. */
function wellFormed(json: string): string {
  return json.includes('\\ud') ? json.replaceAll(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\\ufffd') : json;
}
