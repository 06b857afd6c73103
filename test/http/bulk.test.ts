import { type IncomingMessage, request as httpRequest } from 'node:http';
import { tableFromIPC } from 'apache-arrow';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listOf, startToy, type Toy, type ToyRow } from './toy.ts';

const FORMATS = ['csv', 'ndjson', 'arrow', 'parquet'] as const;
const TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson',
  arrow: 'application/vnd.apache.arrow.stream',
  parquet: 'application/vnd.apache.parquet',
} as const;

let toy: Toy;
beforeAll(async () => {
  toy = await startToy({}, 12_000);
});
afterAll(() => toy.stop());

interface Raw {
  readonly response: IncomingMessage;
  readonly body: Buffer;
  readonly isWhole: boolean;
}

/** As a client of HTTP sees it, trailers and a broken connection included. */
function raw(path: string, headers: Record<string, string> = {}): Promise<Raw> {
  return new Promise((resolve, reject) => {
    httpRequest(toy.url + path, { headers: { 'x-api-key': toy.keys.full, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => undefined);
      response.on('close', () => resolve({ response, body: Buffer.concat(chunks), isWhole: response.complete }));
    })
      .on('error', reject)
      .end();
  });
}

async function rowsIn(format: (typeof FORMATS)[number], body: Buffer): Promise<readonly unknown[]> {
  switch (format) {
    case 'csv':
      return body.toString('utf8').trim().split('\r\n').slice(1);
    case 'ndjson':
      return body.toString('utf8').trim().split('\n');
    case 'arrow':
      return tableFromIPC(body).toArray();
    case 'parquet':
      return parquetReadObjects({ file: new Uint8Array(body).buffer, compressors });
  }
}

describe.each(FORMATS)('%s', (format) => {
  it('streams the whole filtered result, page by page, without the envelope', async () => {
    const { response, body, isWhole } = await raw(`/toys?limit=1000000&format=${format}`);
    expect([response.statusCode, response.headers['content-type'], isWhole]).toEqual([200, TYPES[format], true]);
    expect(response.headers['x-request-id']).toMatch(/^req_/);
    expect(response.headers['x-as-of']).toBe('2026-11-20T00:00:00.000Z');
    expect(response.headers['x-ratelimit-limit']).toBeDefined();
    expect(await rowsIn(format, body)).toHaveLength(12_000);
    expect(response.headers['x-next-cursor'] ?? response.trailers['x-next-cursor']).toBeUndefined();
    await expect.poll(() => toy.store.pins()).toBe(0);
  });

  it('has the next cursor in the header for a short answer, and in the trailer (Parquet: header) for a long one', async () => {
    for (const limit of [700, 7000]) {
      const { response, body } = await raw(`/toys?limit=${limit}&sort=value&order=desc&format=${format}`);
      expect(await rowsIn(format, body)).toHaveLength(limit);
      const isInHeader = limit === 700 || format === 'parquet';
      const cursor = (isInHeader ? response.headers : response.trailers)['x-next-cursor'];
      expect(response.headers.trailer).toBe(isInHeader ? undefined : 'x-next-cursor');
      const next = await listOf(await toy.get(`/toys?sort=value&order=desc&limit=2&cursor=${String(cursor)}`));
      const all = (await rowsIn('ndjson', (await raw(`/toys?limit=20000&sort=value&order=desc&format=ndjson`)).body)).map(
        (line) => JSON.parse(String(line)) as ToyRow,
      );
      expect(next.data).toEqual(all.slice(limit, limit + 2));
    }
  });

  it('is chosen by Accept too, and the parameter has priority', async () => {
    const type = TYPES[format].split(';')[0] ?? '';
    expect((await raw('/toys?limit=1', { accept: `application/json;q=0.5, ${type}` })).response.headers['content-type']).toBe(
      TYPES[format],
    );
    expect((await raw('/toys?limit=1&format=json', { accept: type })).response.headers['content-type']).toContain('application/json');
    expect((await raw('/plain-toys?limit=1', { accept: type })).response.headers['content-type']).toContain('application/json');
    expect((await raw('/toys?limit=1', { accept: `${type};q=0.1, */*` })).response.headers['content-type']).toContain('application/json');
  });

  it('breaks the connection, or is an ordinary error, if reading fails midway', async () => {
    toy.faults.failAfter = 6000;
    const { response, isWhole } = await raw(`/toys?limit=1000000&format=${format}`);
    toy.faults.failAfter = null;
    const isOrdinaryError =
      response.statusCode === 500 && response.headers['content-type'] === 'application/json; charset=utf-8' && isWhole;
    expect([isOrdinaryError, isWhole]).toEqual(format === 'parquet' ? [true, true] : [false, false]);
    await expect.poll(() => toy.lines.some((line) => line['message'] === 'request failed')).toBe(true);
    expect(toy.store.pins()).toBe(0);
    toy.lines.length = 0;
  });

  it('is an ordinary error if reading fails at once', async () => {
    toy.faults.failAfter = 10;
    const { response } = await raw(`/toys?limit=1000000&format=${format}`);
    toy.faults.failAfter = null;
    expect([response.statusCode, response.headers['content-type']]).toEqual([500, 'application/json; charset=utf-8']);
    expect(response.headers.trailer).toBeUndefined();
  });

  it('answers 304, and HEAD without reading on', async () => {
    const { response } = await raw(`/toys?limit=9&format=${format}`);
    const any = await raw(`/toys?limit=9&format=${format}`, { 'if-none-match': '*' });
    expect([any.response.statusCode, any.response.headers.etag, any.body.length]).toEqual([304, response.headers.etag, 0]);
    const again = await raw(`/toys?limit=9&format=${format}`, { 'if-none-match': String(response.headers.etag) });
    expect([again.response.statusCode, again.body.length]).toEqual([304, 0]);
    const head = await toy.get(`/toys?limit=9000&format=${format}`, undefined, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, TYPES[format]]);
  });
});

describe('a client that disconnects midway', () => {
  it('leaves no snapshot pinned', async () => {
    await new Promise<void>((resolve) => {
      const request = httpRequest(
        `${toy.url}/toys?limit=1000000&format=ndjson`,
        { headers: { 'x-api-key': toy.keys.full } },
        (response) => {
          response.once('data', () => {
            request.destroy();
            resolve();
          });
        },
      );
      request.on('error', () => undefined);
      request.end();
    });
    await expect.poll(() => toy.store.pins()).toBe(0);
  });
});
