// Bulk answers: the rows of a list route without the envelope, page by page, with only a few pages in memory.
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Response } from 'express';
import type { Errand } from '../../db/lanes.ts';
import { inTurns, joined, nextTurn } from '../../db/turns.ts';
import { ClientLeftError } from '../admission/gate.ts';
import { arrowParts } from './arrow.ts';
import type { Coding } from '../answer/conditional.ts';
import { type Column, narrowed, typeName } from './columns.ts';
import { csvHeader, csvPage } from './csv.ts';
import { type KeptFile, type KeptFiles, sendFile } from './kept-files.ts';
import type { WriteRows } from '../route.ts';
import { parquetFolder, type ParquetWriter } from './parquet.ts';

export const BULK_TYPES = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  arrow: 'application/vnd.apache.arrow.stream',
  parquet: 'application/vnd.apache.parquet',
} as const;

export type BulkFormat = keyof typeof BULK_TYPES;
type Pages = AsyncIterable<readonly unknown[]>;

export interface BulkAnswer {
  readonly format: BulkFormat;
  readonly columns: readonly Column[];
  /** True if rows have more fields than the columns. */
  readonly isNarrowed?: boolean;
  /** For csv and ndjson. The other forms are compressed already, or are typed buffers that readers map directly. */
  readonly coding?: Coding;
  readonly pages: Pages;
  readonly headers: Readonly<Record<string, string>>;
  /** Folder for a Parquet file before it is sent. Created if missing. */
  readonly scratchDir: string;
  readonly parquet: ParquetWriter;
  readonly errand: Errand;
  /** Cache of Parquet files, because a client may ask for more of one. */
  readonly kept?: { readonly files: KeptFiles; readonly key: string };
  /** A client that reads nothing for this long is disconnected. */
  readonly mostStallMs?: number;
}

const MOST_STALL_MS = 60_000;

/**
 * Sends the rows and resolves with their number. A failure before the first byte rejects and leaves the response untouched, for an ordinary
 * error. A later failure first destroys the connection, so that no client takes a part for the whole, and then rejects.
 * `response.headersSent` distinguishes the two.
 */
export async function sendBulk(response: Response, answer: BulkAnswer): Promise<number> {
  const isParquet = answer.format === 'parquet';
  if (response.req.method === 'HEAD' && !isParquet) {
    begin(response, answer);
    response.end();
    return 0;
  }
  breakOffWhenStalled(response, answer.mostStallMs ?? MOST_STALL_MS);
  let rows = 0;
  const counted = mapPages(answer.pages, (page) => {
    if (response.destroyed) throw new ClientLeftError();
    rows += page.length;
    return page;
  });
  try {
    if (isParquet) {
      await sendParquet(response, answer, async (folder) => {
        const path = await answer.parquet.write(folder, answer.columns, counted, answer.errand);
        return { path, rows };
      });
    } else await sendStream(response, answer, await firstPageReady(counted));
  } finally {
    await counted.return(undefined);
  }
  return rows;
}

/** Sends a cached Parquet file, or a part of it, and resolves with its number of rows. Null if none is cached. */
export async function sendKept(
  response: Response,
  { kept, mostStallMs }: Pick<BulkAnswer, 'kept' | 'mostStallMs'>,
): Promise<number | null> {
  const found = (await kept?.files.open(kept.key)) ?? null;
  if (found === null) return null;
  breakOffWhenStalled(response, mostStallMs ?? MOST_STALL_MS);
  await sendFile(response, found.file, found.handle);
  return found.file.rows;
}

/** Sends a Parquet file that `write` makes, and resolves with its number of rows. Null if it makes none; then nothing has been sent. */
export async function sendWritten(response: Response, answer: Omit<BulkAnswer, 'pages'>, write: WriteRows): Promise<number | null> {
  breakOffWhenStalled(response, answer.mostStallMs ?? MOST_STALL_MS);
  return sendParquet(response, answer, async (folder) => {
    const path = join(folder, 'rows.parquet');
    const rows = await write(
      answer.columns.map((column) => ({ name: column.name, type: typeName(column) })),
      path,
    );
    if (response.destroyed) throw new ClientLeftError();
    return rows === null ? null : { path, rows };
  });
}

/** Waits for a slow client, but not for one that reads nothing: that would keep a snapshot open forever. */
function breakOffWhenStalled(response: Response, ms: number): void {
  response.setTimeout(ms, () => {
    if (response.writableNeedDrain) response.destroy(new ClientLeftError());
    else response.socket?.setTimeout(ms); // the client waits for us
  });
}

async function sendStream(response: Response, answer: BulkAnswer, pages: Pages): Promise<void> {
  const chunks = Readable.from(chunksOf(answer, pages));
  begin(response, answer);
  if (codingOf(answer) === 'gzip') await pipeline(chunks, createGzip({ level: GZIP_LEVEL }), response);
  else await pipeline(chunks, response);
}

/** Columns are repetitive: higher levels save little and take several times as long. */
const GZIP_LEVEL = 3;

/** @param make writes the file into a folder; null if it does not */
async function sendParquet(
  response: Response,
  answer: Omit<BulkAnswer, 'pages'>,
  make: (folder: string) => Promise<{ readonly path: string; readonly rows: number } | null>,
): Promise<number | null> {
  const folder = await parquetFolder(answer.scratchDir);
  let isKept = false;
  try {
    const made = await make(folder);
    if (made === null) return null;
    const handle = await open(made.path);
    const file: KeptFile = { ...made, folder, bytes: (await handle.stat()).size, headers: headersOf(answer) };
    // A client that asks for the length or for a part will ask for the next part.
    const isWantedAgain = response.req.method === 'HEAD' || response.req.headers.range !== undefined;
    isKept = isWantedAgain && answer.kept?.files.keep(answer.kept.key, file) === true;
    await sendFile(response, file, handle);
    return made.rows;
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true });
  }
}

function begin(response: Response, answer: Omit<BulkAnswer, 'pages'>): void {
  response.setHeaders(new Map(Object.entries(headersOf(answer))));
}

function headersOf(answer: Omit<BulkAnswer, 'pages'>): Readonly<Record<string, string>> {
  const charset = answer.format === 'csv' ? '; charset=utf-8; header=present' : '';
  return {
    ...answer.headers,
    'content-type': BULK_TYPES[answer.format] + charset,
    ...(codingOf(answer) === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
  };
}

/** The coding of a form for a client that accepts `accepted`. */
export function bulkCoding(format: BulkFormat, accepted: Coding): Coding {
  return format === 'csv' || format === 'ndjson' ? accepted : 'identity';
}

const codingOf = ({ format, coding }: Pick<BulkAnswer, 'format' | 'coding'>) => bulkCoding(format, coding ?? 'identity');

async function* chunksOf({ format, columns, isNarrowed }: BulkAnswer, pages: Pages): AsyncGenerator<string | Uint8Array> {
  if (format === 'csv') {
    yield csvHeader(columns);
    yield* mapParts(pages, (rows) => csvPage(rows, columns));
  } else if (format === 'arrow') {
    const { head, page, end } = arrowParts(columns);
    yield head;
    for await (const rows of joined(pages, ARROW_ROWS)) {
      await nextTurn();
      yield await page(rows);
    }
    yield end;
  } else {
    const toText = isNarrowed === true ? narrowed(columns.map(({ name }) => name)) : JSON.stringify;
    yield* mapParts(pages, (rows) => rows.map((row) => `${toText(row)}\n`).join(''));
  }
}

async function* mapPages<Result>(pages: Pages, use: (rows: readonly unknown[]) => Result): AsyncGenerator<Result> {
  for await (const rows of pages) if (rows.length > 0) yield use(rows);
}

/** Cuts pages into parts of a few milliseconds of work. Other requests run before each part. */
async function* mapParts<Result>(
  pages: Pages,
  use: (rows: readonly unknown[]) => Result | Promise<Result>,
  most?: number,
): AsyncGenerator<Result> {
  for await (const rows of pages) for await (const part of inTurns(rows, most)) yield await use(part);
}

/** Rows of a record batch. Each batch has its own dictionaries. */
const ARROW_ROWS = 500;

/** Waits for the first page, so that a failing query is an ordinary error. */
async function firstPageReady(pages: AsyncGenerator<readonly unknown[]>): Promise<Pages> {
  const first = await pages.next();
  async function* all(): AsyncGenerator<readonly unknown[]> {
    if (first.done === true) return;
    yield first.value;
    yield* pages;
  }
  return all();
}
