// Bulk answers: the rows of a list route without the envelope, page after page, never more than a few pages in memory.
import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Response } from 'express';
import type { Errand } from '../../db/lanes.ts';
import { inTurns } from '../../db/turns.ts';
import { ClientLeftError } from '../admission/gate.ts';
import { arrowParts } from './arrow.ts';
import type { Coding } from '../answer/conditional.ts';
import type { Column } from './columns.ts';
import { csvHeader, csvPage } from './csv.ts';
import { type KeptFile, type KeptFiles, sendFile } from './kept-files.ts';
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
  /** Whether rows have more than the columns. */
  readonly isNarrowed?: boolean;
  /** Of csv and ndjson; the others are compressed, or typed buffers that are read as they lie. */
  readonly coding?: Coding;
  readonly pages: Pages;
  readonly headers: Readonly<Record<string, string>>;
  /** Where a Parquet file grows before it is sent; created when missing. */
  readonly scratchDir: string;
  readonly parquet: ParquetWriter;
  readonly errand: Errand;
  /** Where a Parquet file is kept of which a client may ask for more. */
  readonly kept?: { readonly files: KeptFiles; readonly key: string };
  /** After how long a client is given up that takes nothing of what waits for it. */
  readonly mostStallMs?: number;
}

const MOST_STALL_MS = 60_000;

/**
 * Sends the rows and resolves with their number. What fails before the first byte rejects with the response still untouched, to be answered
 * as any error; what fails later destroys the connection first, so that no client takes a part for the whole, and then rejects:
 * `response.headersSent` tells the two apart.
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
    if (isParquet) await sendParquet(response, answer, counted, () => rows);
    else await sendStream(response, answer, await firstPageReady(counted));
  } finally {
    await counted.return(undefined);
  }
  return rows;
}

/** Sends a kept Parquet file, or a part of it, and resolves with the number of its rows; null where none is kept. */
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

/** A slow client is waited for, one that stands still is not: it would keep a snapshot open for ever. */
function breakOffWhenStalled(response: Response, ms: number): void {
  response.setTimeout(ms, () => {
    if (response.writableNeedDrain) response.destroy(new ClientLeftError());
    else response.socket?.setTimeout(ms); // it waits for us
  });
}

async function sendStream(response: Response, answer: BulkAnswer, pages: Pages): Promise<void> {
  const chunks = Readable.from(chunksOf(answer, pages));
  begin(response, answer);
  if (codingOf(answer) === 'gzip') await pipeline(chunks, createGzip({ level: GZIP_LEVEL }), response);
  else await pipeline(chunks, response);
}

/** Columns repeat themselves: higher levels save little and take several times as long. */
const GZIP_LEVEL = 3;

async function sendParquet(response: Response, answer: BulkAnswer, pages: Pages, rows: () => number): Promise<void> {
  const folder = await parquetFolder(answer.scratchDir);
  let isKept = false;
  try {
    const path = await answer.parquet.write(folder, answer.columns, pages, answer.errand);
    const handle = await open(path);
    const file: KeptFile = { path, folder, bytes: (await handle.stat()).size, rows: rows(), headers: headersOf(answer) };
    // Whoever asks how long it is, or for a part, asks for the next.
    const isWantedAgain = response.req.method === 'HEAD' || response.req.headers.range !== undefined;
    isKept = isWantedAgain && answer.kept?.files.keep(answer.kept.key, file) === true;
    await sendFile(response, file, handle);
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true });
  }
}

function begin(response: Response, answer: BulkAnswer): void {
  response.setHeaders(new Map(Object.entries(headersOf(answer))));
}

function headersOf(answer: BulkAnswer): Readonly<Record<string, string>> {
  const charset = answer.format === 'csv' ? '; charset=utf-8; header=present' : '';
  return {
    ...answer.headers,
    'content-type': BULK_TYPES[answer.format] + charset,
    ...(codingOf(answer) === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
  };
}

/** What a client that takes gzip gets a form in. */
export function bulkCoding(format: BulkFormat, accepted: Coding): Coding {
  return format === 'csv' || format === 'ndjson' ? accepted : 'identity';
}

const codingOf = ({ format, coding }: BulkAnswer) => bulkCoding(format, coding ?? 'identity');

async function* chunksOf({ format, columns, isNarrowed }: BulkAnswer, pages: Pages): AsyncGenerator<string | Uint8Array> {
  if (format === 'csv') {
    yield csvHeader(columns);
    yield* mapParts(pages, (rows) => csvPage(rows, columns));
  } else if (format === 'arrow') {
    const { head, page, end } = arrowParts(columns);
    yield head;
    yield* mapParts(pages, page, ARROW_ROWS);
    yield end;
  } else {
    const toText = isNarrowed === true ? narrowed(columns) : JSON.stringify;
    yield* mapParts(pages, (rows) => rows.map((row) => `${toText(row)}\n`).join(''));
  }
}

function narrowed(columns: readonly Column[]): (row: unknown) => string {
  return (row) => JSON.stringify(Object.fromEntries(columns.map(({ name }) => [name, Reflect.get(Object(row), name) ?? null])));
}

async function* mapPages<Result>(pages: Pages, use: (rows: readonly unknown[]) => Result): AsyncGenerator<Result> {
  for await (const rows of pages) if (rows.length > 0) yield use(rows);
}

/** Pages cut further: a part is made in a few milliseconds, and other requests have their turn before the next. */
async function* mapParts<Result>(pages: Pages, use: (rows: readonly unknown[]) => Result, most?: number): AsyncGenerator<Result> {
  for await (const rows of pages) for await (const part of inTurns(rows, most)) yield use(part);
}

/** Of a record batch: each brings its own dictionaries. */
const ARROW_ROWS = 1000;

/** Waits for the first page, so that a question that cannot be answered at all is an ordinary error. */
async function firstPageReady(pages: AsyncGenerator<readonly unknown[]>): Promise<Pages> {
  const first = await pages.next();
  async function* all(): AsyncGenerator<readonly unknown[]> {
    if (first.done === true) return;
    yield first.value;
    yield* pages;
  }
  return all();
}
