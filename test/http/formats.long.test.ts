import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { tableFromIPC } from 'apache-arrow';
import { parse } from 'csv-parse/sync';
import express, { type Request, type Response } from 'express';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openLanes } from '../../src/db/lanes.ts';
import { elapsed } from '../../src/effects.ts';
import { columnsOf } from '../../src/http/forms/columns.ts';
import { openParquetWriter, type ParquetWriter } from '../../src/http/forms/parquet.ts';
import { BULK_TYPES, type BulkFormat, sendBulk } from '../../src/http/forms/formats.ts';
import { FORMULAS } from '../formulas.ts';

const Row = z.strictObject({
  rowId: z.string(),
  name: z.string().nullable(),
  kind: z.enum(['a', 'b']).nullable(),
  periodEnd: z.iso.date().nullable(),
  observedAt: z.iso.datetime().nullable(),
  actual: z.number().nullable(),
  count: z.int(),
  isOpen: z.boolean().nullable(),
  tags: z.array(z.string()).nullable(),
  rights: z.strictObject({ redistributable: z.boolean(), note: z.string().nullable() }).nullable(),
  steps: z.array(z.strictObject({ step: z.int() })),
});
type Row = z.infer<typeof Row>;

const plain: Row = {
  rowId: 'r0',
  name: 'Housing starts',
  kind: 'a',
  periodEnd: '2026-09-30',
  observedAt: '2026-10-17T12:30:00.000Z',
  actual: -1.25,
  count: 3,
  isOpen: false,
  tags: ['x', 'y, "z"'],
  rights: { redistributable: true, note: 'a "b"' },
  steps: [{ step: 1 }],
};
const nulls: Row = {
  rowId: 'r1',
  name: null,
  kind: null,
  periodEnd: null,
  observedAt: null,
  actual: null,
  count: 0,
  isOpen: null,
  tags: null,
  rights: null,
  steps: [],
};
const awkward: Row = { ...plain, rowId: 'r2', name: 'Żółć 日本 🏠\r\n"quoted", second line', tags: [], actual: 1e-7 };
const empty: Row = { ...nulls, rowId: 'r3', name: '', actual: 0 };
const rows = [plain, nulls, awkward, empty];

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

const formats: readonly BulkFormat[] = ['csv', 'ndjson', 'arrow', 'parquet'];
const scratchDir = mkdtempSync(join(tmpdir(), 'asof-formats-'));
let pages: () => AsyncIterable<readonly unknown[]>;
let outcome: Promise<number>;
let stallMs = 60_000;
let parquet: ParquetWriter;
let server: Server;
let base: string;

async function* inPages(all: readonly unknown[], size: number): AsyncGenerator<readonly unknown[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}

function answer(request: Request, response: Response): void {
  const format = z.enum(['csv', 'ndjson', 'arrow', 'parquet']).parse(request.params['format']);
  const errand = openLanes({ lookup: 1, screen: 1, bulk: 1 }, elapsed).open('bulk', 'key_test', 60_000);
  outcome = sendBulk(response, {
    format,
    columns: columnsOf(Row, ['rowId']),
    pages: pages(),
    headers: { 'x-as-of': 'now' },
    scratchDir,
    parquet,
    errand,
    mostStallMs: stallMs,
  });
  outcome.catch(() => {
    if (!response.headersSent && !response.destroyed) response.status(500).json({ error: 'internal_error' });
  });
}

beforeAll(async () => {
  parquet = await openParquetWriter(join(tmpdir(), 'asof-formats-engine'));
  const app = express();
  app.get('/:format', answer);
  server = createServer(app).listen(0, '127.0.0.1');
  server.keepAliveTimeout = 120_000; // a busy machine is no idle client
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  pages = () => inPages(rows, 3);
});

afterAll(() => {
  parquet.close();
  server.closeAllConnections();
  server.close();
  rmSync(scratchDir, { recursive: true });
});

async function bytes(format: BulkFormat): Promise<ArrayBuffer> {
  const body = await (await fetch(`${base}/${format}`)).arrayBuffer();
  await outcome;
  return body;
}

async function text(format: BulkFormat): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await bytes(format));
}

const readBack: Readonly<Record<BulkFormat, (body: ArrayBuffer) => Promise<{ names: readonly string[]; rows: number }>>> = {
  csv: async (body) => {
    const [names = [], ...more]: string[][] = parse(Buffer.from(body), { record_delimiter: '\r\n' });
    return { names, rows: more.length };
  },
  ndjson: async (body) => ({ names: [], rows: body.byteLength }),
  arrow: async (body) => {
    const table = tableFromIPC(body);
    return { names: table.schema.names.map(String), rows: table.numRows };
  },
  parquet: async (file) => {
    const { schema } = parquetMetadata(file);
    const names = new Set(schema.map((element) => element.name).filter((name) => name in Row.shape));
    return { names: [...names], rows: (await parquetReadObjects({ file, compressors })).length };
  },
};

const asCells = (row: Row) => ({ ...row, rights: row.rights && JSON.stringify(row.rights), steps: JSON.stringify(row.steps) });
/** As readers of typed forms see it. */
const asTyped = (row: Row) => ({ ...row, count: BigInt(row.count), steps: JSON.stringify(row.steps) });

/** A row as a reader gives it, with days and instants as texts again. */
function readRow(row: Readonly<Record<string, unknown>>) {
  const instant = (value: unknown) => (value === null || value === undefined ? null : new Date(value as number | Date).toISOString());
  const rights = row['rights'] as { readonly toJSON?: () => unknown } | null;
  return {
    ...row,
    periodEnd: instant(row['periodEnd'])?.slice(0, 10) ?? null,
    observedAt: instant(row['observedAt']),
    tags: row['tags'] === null || row['tags'] === undefined ? null : [...(row['tags'] as Iterable<string>)],
    rights: rights?.toJSON?.() ?? rights ?? null,
  };
}

describe('csv', () => {
  it('has a header line and every cell unchanged, nulls as empty cells', async () => {
    const [header, ...body] = parse(await text('csv'), { record_delimiter: '\r\n' });
    expect(header).toEqual(Object.keys(Row.shape));
    expect(body).toEqual(
      rows.map((row) =>
        Object.values({ ...asCells(row), tags: row.tags && JSON.stringify(row.tags) }).map((cell) => (cell === null ? '' : String(cell))),
      ),
    );
  });

  it('distinguishes an empty text from null', async () => {
    const lines = (await text('csv')).split('\r\n');
    expect(lines.find((line) => line.startsWith('r1'))).toMatch(/^r1,,/);
    expect(lines.find((line) => line.startsWith('r3'))).toMatch(/^r3,"",/);
  });

  it('disarms formulas in text cells and leaves numbers unchanged', async () => {
    const hostile = FORMULAS;
    pages = () =>
      inPages(
        hostile.map((name) => ({ ...plain, name, actual: -5 })),
        100,
      );
    const body: Record<string, string>[] = parse(await text('csv'), { record_delimiter: '\r\n', columns: true });
    expect(body.map((row) => row['name'])).toEqual(hostile.map((cell) => `'${cell}`));
    expect(body.every((row) => row['actual'] === '-5')).toBe(true);
  });
});

it('ndjson rows are written unchanged', async () => {
  const lines = (await text('ndjson')).split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
});

describe('arrow', () => {
  it('returns every value unchanged, small pages in one record batch', async () => {
    const table = tableFromIPC(await bytes('arrow'));
    expect(table.batches.map(({ numRows }) => numRows)).toEqual([rows.length]);
    expect(table.toArray().map((row) => readRow(row.toJSON()))).toEqual(rows.map(asTyped));
  });

  it('keeps nulls, flags and texts in their rows over thousands of rows', async () => {
    const many = Array.from({ length: 3_001 }, (_, i): Row => {
      const row = rows[(i * 7) % 4] ?? plain;
      return {
        ...row,
        rowId: `r${i}`,
        isOpen: i % 3 === 0 ? null : i % 5 === 0,
        actual: i % 7 === 0 ? null : i / 8,
        tags: i % 4 === 0 ? null : ['é'.repeat(i % 3), `${i}`],
      };
    });
    pages = () => inPages(many, 1_000);
    const table = tableFromIPC(await bytes('arrow'));
    expect(table.toArray().map((row) => readRow(row.toJSON()))).toEqual(many.map(asTyped));
    expect(table.getChild('isOpen')?.nullCount).toBe(1_001);
  });

  it('declares nullable types', async () => {
    const { fields } = tableFromIPC(await bytes('arrow')).schema;
    expect(fields.every((field) => field.nullable)).toBe(true);
    expect(Object.fromEntries(fields.map((field) => [field.name, String(field.type)]))).toMatchObject({
      rowId: 'Utf8',
      name: 'Dictionary<Int32, Utf8>',
      kind: 'Dictionary<Int32, Utf8>',
      periodEnd: 'Date32<DAY>',
      observedAt: 'Timestamp<MICROSECOND, UTC>',
      actual: 'Float64',
      count: 'Int64',
      isOpen: 'Bool',
      tags: 'List<Utf8>',
      rights: 'Struct<{redistributable:Bool, note:Dictionary<Int32, Utf8>}>',
    });
  });
});

describe('parquet', () => {
  it('returns every value unchanged, compressed with zstd', async () => {
    const file = await bytes('parquet');
    const found = await parquetReadObjects({ file, compressors });
    expect(found.map(readRow)).toEqual(rows.map(asTyped));
    const codecs = parquetMetadata(file).row_groups.flatMap((group) => group.columns.map((column) => column.meta_data?.codec));
    expect(new Set(codecs)).toEqual(new Set(['ZSTD']));
    expect(readdirSync(scratchDir)).toEqual([]);
  });
});

describe.each(formats)('%s', (format) => {
  it('names its media type, carries the given headers and counts the rows', async () => {
    const response = await fetch(`${base}/${format}`);
    expect(response.headers.get('content-type')).toContain(BULK_TYPES[format]);
    expect(response.headers.get('x-as-of')).toBe('now');
    await response.arrayBuffer();
    await expect(outcome).resolves.toBe(rows.length);
  });

  it('has the same bytes for the same rows', async () => {
    const [first, again] = [Buffer.from(await bytes(format)), Buffer.from(await bytes(format))];
    expect([first.length > 0, again.equals(first)]).toEqual([true, true]);
  });

  it('is complete for no rows', async () => {
    pages = () => inPages([], 1);
    const body = await bytes(format);
    await expect(outcome).resolves.toBe(0);
    await expect(readBack[format](body)).resolves.toEqual({ names: format === 'ndjson' ? [] : Object.keys(Row.shape), rows: 0 });
  });

  it.runIf(format !== 'parquet')('answers HEAD with its headers and reads nothing', async () => {
    pages = () => ({ [Symbol.asyncIterator]: () => expect.fail('read') });
    const response = await fetch(`${base}/${format}`, { method: 'HEAD' });
    expect(response.headers.get('content-type')).toContain(BULK_TYPES[format]);
    await expect(outcome).resolves.toBe(0);
  });

  it('leaves the response to the error envelope when the first page fails', async () => {
    pages = () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('planted')) }) });
    const response = await fetch(`${base}/${format}`);
    expect(response.status).toBe(500);
    await expect(response.json()).resolves.toEqual({ error: 'internal_error' });
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(readdirSync(scratchDir)).toEqual([]);
  });

  it('never looks complete if the third page fails', async () => {
    let isClosed = false;
    pages = async function* () {
      try {
        yield rows;
        yield rows;
        await wait(20);
        throw new Error('planted');
      } finally {
        isClosed = true;
      }
    };
    const body = fetch(`${base}/${format}`).then(async (response) => {
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error('an error envelope');
    });
    await expect(body).rejects.toThrow(format === 'parquet' ? 'an error envelope' : /terminated|fetch failed/);
    await expect(outcome).rejects.toThrow('planted');
    expect(isClosed).toBe(true);
    expect(readdirSync(scratchDir)).toEqual([]);
  });

  it('stops reading when the client leaves', async () => {
    let read = 0;
    let isClosed = false;
    pages = async function* () {
      try {
        for (read = 0; read < 10_000; read++) {
          yield Array.from({ length: 500 }, () => plain);
          await wait(1);
        }
      } finally {
        isClosed = true;
      }
    };
    const request = get(`${base}/${format}`);
    request.on('error', () => undefined);
    if (format === 'parquet') await wait(150);
    else {
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.on('error', () => undefined);
      await once(response, 'readable');
    }
    request.destroy();
    await expect(outcome).rejects.toThrow(/disconnected|[Pp]remature|aborted/);
    expect(isClosed).toBe(true);
    expect(read).toBeLessThan(5_000);
    expect(readdirSync(scratchDir)).toEqual([]);
  });

  it('waits for a slow client and keeps few pages of 100,000 rows in memory', async () => {
    let read = 0;
    let most = 0;
    // What is still held, not what waits to be collected: all rows together are 47 MB.
    const held = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = held();
    pages = async function* () {
      for (read = 0; read < 100; read++) {
        yield Array.from({ length: 1_000 }, (_, i) => ({ ...plain, rowId: `r${read}-${i}`, name: `${read} ${i} `.repeat(50) }));
        if (read % 20 === 19) most = Math.max(most, held() - before);
      }
    };
    const request = get(`${base}/${format}`);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await wait(300);
    expect(read).toBeLessThan(format === 'parquet' ? 101 : 90);
    let received = 0;
    for await (const chunk of response) received += (chunk as Buffer).byteLength;
    expect(received).toBeGreaterThan(100_000);
    await expect(outcome).resolves.toBe(100_000);
    expect(most).toBeLessThan(25e6);
  });
});

describe('a client that stops reading', () => {
  it('is disconnected after a while; one that reads slowly is not', async () => {
    const many = Array.from({ length: 20_000 }, () => awkward);
    pages = () => inPages(many, 5000);
    stallMs = 500;
    const read = (pauseMs: number | null) =>
      new Promise<'whole' | 'broken'>((resolve, reject) => {
        get(`${base}/ndjson`, { agent: false }, (response) => {
          response.on('close', () => resolve(response.complete ? 'whole' : 'broken'));
          response.on('error', () => undefined);
          if (pauseMs === null) response.socket.pause();
          else
            response.on('data', () => {
              response.pause();
              setTimeout(() => response.resume(), pauseMs);
            });
        }).on('error', reject);
      });
    const earlier = outcome;
    void read(null);
    await expect.poll(() => outcome !== earlier).toBe(true);
    await expect(outcome).rejects.toThrow('Premature close');
    expect(await read(1)).toBe('whole');
  });
});
