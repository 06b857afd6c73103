// Bulk answers: the rows of a list route without the envelope, page after page, never more than a few pages in memory.
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { z } from 'zod';
import type { Errand } from '../../db/lanes.ts';
import { inTurns } from '../../db/turns.ts';
import { ClientLeftError } from '../admission/gate.ts';
import { arrowParts } from './arrow.ts';
import { type Column, columnsOf } from './columns.ts';
import { csvHeader, csvPage } from './csv.ts';
import { parquetFolder, writeParquet } from './parquet.ts';

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
  /** Schema of a row: its fields are the columns. */
  readonly row: z.ZodType;
  readonly pages: Pages;
  readonly headers: Readonly<Record<string, string>>;
  /** Where a Parquet file grows before it is sent; created when missing. */
  readonly scratchDir: string;
  readonly errand: Errand;
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
  if (response.req.method === 'HEAD') {
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
    if (answer.format === 'parquet') await sendParquet(response, answer, counted);
    else await sendStream(response, answer, await firstPageReady(counted));
  } finally {
    await counted.return(undefined);
  }
  return rows;
}

/** A slow client is waited for, one that stands still is not: it would keep a snapshot open for ever. */
function breakOffWhenStalled(response: Response, ms: number): void {
  response.setTimeout(ms, () => {
    if (response.writableNeedDrain) response.destroy(new ClientLeftError());
    else response.socket?.setTimeout(ms); // it waits for us
  });
}

async function sendStream(response: Response, answer: BulkAnswer, pages: Pages): Promise<void> {
  const chunks = chunksOf(answer.format, columnsOf(answer.row), pages);
  begin(response, answer);
  await pipeline(Readable.from(chunks), response);
}

async function sendParquet(response: Response, answer: BulkAnswer, pages: Pages): Promise<void> {
  const folder = await parquetFolder(answer.scratchDir);
  try {
    const file = await writeParquet(folder, columnsOf(answer.row), pages, answer.errand);
    begin(response, answer).setHeader('content-length', (await stat(file)).size);
    await pipeline(createReadStream(file), response);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function begin(response: Response, answer: BulkAnswer): Response {
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  const charset = answer.format === 'csv' ? '; charset=utf-8; header=present' : '';
  response.setHeader('content-type', BULK_TYPES[answer.format] + charset);
  return response;
}

async function* chunksOf(format: BulkFormat, columns: readonly Column[], pages: Pages): AsyncGenerator<string | Uint8Array> {
  if (format === 'csv') {
    yield csvHeader(columns);
    yield* mapParts(pages, (rows) => csvPage(rows, columns));
  } else if (format === 'arrow') {
    const { head, page, end } = arrowParts(columns);
    yield head;
    yield* mapPages(pages, page);
    yield end;
  } else {
    yield* mapParts(pages, (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
}

async function* mapPages<Result>(pages: Pages, use: (rows: readonly unknown[]) => Result): AsyncGenerator<Result> {
  for await (const rows of pages) if (rows.length > 0) yield use(rows);
}

/** Pages cut further: a part is made in a few milliseconds, and other requests have their turn before the next. */
async function* mapParts<Result>(pages: Pages, use: (rows: readonly unknown[]) => Result): AsyncGenerator<Result> {
  for await (const rows of pages) for await (const part of inTurns(rows)) yield use(part);
}

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
