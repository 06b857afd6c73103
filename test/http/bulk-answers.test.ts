// What a bulk answer is beside its rows: some of the columns, compressed, called by a name, in parts.
import { existsSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { tableFromIPC } from 'apache-arrow';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileNameOf } from '../../src/http/forms/file-name.ts';
import { keptFiles } from '../../src/http/forms/kept-files.ts';
import { errorOf, startToy, type Toy } from './toy.ts';

const FORMATS = ['csv', 'ndjson', 'arrow', 'parquet'] as const;
const scratchDir = mkdtempSync(join(tmpdir(), 'toy-bulk-'));

let toy: Toy;
beforeAll(async () => {
  toy = await startToy({ scratchDir }, 6000);
});
afterAll(() => toy.stop());

interface Raw {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly trailers: IncomingMessage['trailers'];
  readonly body: Buffer;
}

/** As it comes over the wire: nothing is decompressed. */
function raw(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    httpRequest(toy.url + path, { method, headers: { 'x-api-key': toy.keys.full, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, trailers: response.trailers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

async function namesIn(format: (typeof FORMATS)[number], body: Buffer): Promise<readonly string[]> {
  switch (format) {
    case 'csv':
      return parse(body)[0] ?? [];
    case 'ndjson':
      return Object.keys(JSON.parse(body.toString('utf8').split('\n')[0] ?? '') as object);
    case 'arrow':
      return tableFromIPC(body).schema.names.map(String);
    case 'parquet':
      return Object.keys((await parquetReadObjects({ file: new Uint8Array(body).buffer, compressors }))[0] ?? {});
  }
}

describe('columns', () => {
  it.each(FORMATS)('narrow %s to the named ones, in that order, each once', async (format) => {
    const { body } = await raw(`/toys?limit=3&format=${format}&columns=value,%20id,value`);
    expect(await namesIn(format, body)).toEqual(['value', 'id']);
    const whole = await raw(`/toys?limit=3&format=${format}`);
    expect(await namesIn(format, whole.body)).toEqual(['id', 'name', 'value', 'madeOn']);
  });

  it('may be named in snake_case', async () => {
    const { body } = await raw('/toys?limit=3&format=csv&columns=made_on,madeOn,name');
    expect(await namesIn('csv', body)).toEqual(['madeOn', 'name']);
  });

  it.each(FORMATS)('that %s does not have are refused with the nearest one', async (format) => {
    const response = await toy.get(`/toys?format=${format}&columns=id,valeu`);
    expect(response.status).toBe(400);
    const { error } = await errorOf(response);
    expect(error.message).toBe('Unknown column valeu. Did you mean `value`?');
    expect(error.details).toEqual({ parameter: 'columns', found: 'valeu', nearest: 'value' });
  });

  it('narrow the rows of JSON too, if they are sent', async () => {
    const rowsOf = async (query: string) => ((await (await toy.get(`/toys?limit=2${query}`)).json()) as { data: object[] }).data;
    const [whole, some] = [await rowsOf(''), await rowsOf('&columns=made_on,id')];
    expect(some.map((row) => Object.keys(row))).toEqual([
      ['madeOn', 'id'],
      ['madeOn', 'id'],
    ]);
    expect(whole).toMatchObject(some);
    const { error } = await errorOf(await toy.get('/toys?columns=id,valeu'));
    expect(error.details).toEqual({ parameter: 'columns', found: 'valeu', nearest: 'value' });
  });

  it('change the tag of an answer, but not its walk', async () => {
    const [all, some] = [await raw('/toys?limit=5&format=csv'), await raw('/toys?limit=5&format=csv&columns=id')];
    expect(all.headers.etag).not.toBe(some.headers.etag);
    const next = String(all.headers['x-next-cursor']);
    const { status, body } = await raw(`/toys?limit=2&format=csv&columns=id&cursor=${next}`);
    expect([status, body.toString('utf8')]).toEqual([200, 'id\r\nrow_000005\r\nrow_000006\r\n']);
  });
});

describe('gzip', () => {
  it.each(['csv', 'ndjson'] as const)('compresses %s if the client accepts it, under its own tag', async (format) => {
    const path = `/toys?limit=6000&format=${format}`;
    const [plain, gzipped] = [await raw(path), await raw(path, { 'accept-encoding': 'br, gzip' })];
    expect([plain.headers['content-encoding'], gzipped.headers['content-encoding']]).toEqual([undefined, 'gzip']);
    expect(gunzipSync(gzipped.body).equals(plain.body)).toBe(true);
    expect(gzipped.body.length).toBeLessThan(plain.body.length / 3);
    expect(gzipped.headers.etag).toBe(String(plain.headers.etag).replace(/"$/, '-gzip"'));
    const refused = await raw(path, { 'accept-encoding': 'gzip;q=0' });
    expect(refused.headers['content-encoding']).toBeUndefined();
    const held = await raw(path, { 'accept-encoding': 'gzip', 'if-none-match': String(gzipped.headers.etag) });
    expect([held.status, held.body.length]).toEqual([304, 0]);
    const head = await raw(path, { 'accept-encoding': 'gzip' }, 'HEAD');
    expect([head.headers['content-encoding'], head.headers.etag]).toEqual(['gzip', gzipped.headers.etag]);
  });

  it('keeps the cursor of a long answer in the trailer', async () => {
    const { body, trailers } = await raw('/toys?limit=5500&format=csv&columns=id', { 'accept-encoding': 'gzip' });
    expect(gunzipSync(body).toString('utf8').trim().split('\r\n')).toHaveLength(5501);
    expect(trailers['x-next-cursor']).toMatch(/^\S{20,}$/);
  });

  it.each(['arrow', 'parquet'])('leaves %s uncompressed', async (format) => {
    const { headers } = await raw(`/toys?limit=5&format=${format}`, { 'accept-encoding': 'gzip' });
    expect([headers['content-encoding'], headers.etag?.includes('gzip')]).toEqual([undefined, false]);
  });
});

describe('a file', () => {
  it.each([
    ['csv', 'csv'],
    ['ndjson', 'ndjson'],
    ['arrow', 'arrows'],
    ['parquet', 'parquet'],
  ])('of %s is named after its question', async (format, extension) => {
    const { headers } = await raw(`/toys?limit=1&kind=daily&least=5&sort=value&format=${format}`);
    expect(headers['content-disposition']).toBe(`attachment; filename="toys.least=5.kind=daily.as_of=2026-11-20.${extension}"`);
  });

  it('has a name that any disk and header accepts', () => {
    const texts = new Map([
      ['q', 'a "b"\r\n/../ö'],
      ['as_of', '2020'],
    ]);
    const name = fileNameOf('/entities/us/observations', texts, '2020-06-30T23:59:59.999Z', 'csv');
    expect(name).toBe('entities-us-observations.q=a-b-..-.as_of=2020-06-30.csv');
    const long = fileNameOf('/observations', new Map([['indicator_id', 'x'.repeat(2000)]]), '2020-06-30T23:59:59.999Z', 'parquet');
    expect([long.length < 220, long.endsWith('x.as_of=2020-06-30.parquet')]).toEqual([true, true]);
  });
});

describe('a part of Parquet', () => {
  const path = '/toys?limit=2000&format=parquet';
  const part = (range: string, more: Record<string, string> = {}, method = 'GET') => raw(path, { range, ...more }, method);

  it('has exactly those bytes of the file', async () => {
    const whole = await raw(path);
    const size = whole.body.length;
    expect([whole.status, whole.headers['accept-ranges'], whole.headers['content-length']]).toEqual([200, 'bytes', String(size)]);
    for (const [range, start, end] of [
      ['bytes=0-3', 0, 3],
      ['bytes=100-', 100, size - 1],
      ['bytes=-8', size - 8, size - 1],
      [`bytes=10-${size + 500}`, 10, size - 1],
    ] as const) {
      const { status, headers, body } = await part(range);
      expect([range, status, headers['content-range']]).toEqual([range, 206, `bytes ${start}-${end}/${size}`]);
      expect([headers['content-length'], headers.etag]).toEqual([String(end - start + 1), whole.headers.etag]);
      expect(body.equals(whole.body.subarray(start, end + 1))).toBe(true);
    }
    expect((await part('bytes=-4')).body.toString('latin1')).toBe('PAR1');
  });

  it('outside of the file is refused with its length', async () => {
    const size = (await raw(path)).body.length;
    const { status, headers, body } = await part(`bytes=${size}-`);
    expect([status, headers['content-range'], body.length]).toEqual([416, `bytes */${size}`, 0]);
    expect(headers['content-type']).toBeUndefined();
  });

  it('is the whole file if it is of another file, not in bytes, several or malformed', async () => {
    const { headers, body } = await raw(path);
    expect((await part('bytes=0-3', { 'if-range': String(headers.etag) })).status).toBe(206);
    for (const [range, more] of [
      ['bytes=0-3', { 'if-range': '"another"' }],
      ['bytes=0-3', { 'if-range': `W/${String(headers.etag)}` }],
      ['rows=0-3', {}],
      ['bytes=0-3,20-25', {}],
      ['bytes=a-b', {}],
    ] as const) {
      const whole = await part(range, more);
      expect([range, whole.status, whole.body.equals(body)]).toEqual([range, 200, true]);
    }
  });

  it('is announced by HEAD, with the length of the file', async () => {
    const asked = '/toys?limit=41&format=parquet';
    const head = await raw(asked, { range: 'bytes=0-3' }, 'HEAD');
    const { body } = await raw(asked);
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, String(body.length), 0]);
    expect(head.headers['accept-ranges']).toBe('bytes');
  });

  it('comes from one file, which is written once', async () => {
    const asked = '/toys?limit=300&format=parquet&sort=name';
    const first = await raw(asked, { range: 'bytes=-8' });
    expect(first.status).toBe(206);
    toy.faults.failAfter = 1;
    const more = await raw(asked, { range: 'bytes=0-3' });
    const [whole, other] = [await raw(asked), await raw('/toys?limit=301&format=parquet&sort=name')];
    toy.faults.failAfter = null;
    expect([more.status, more.body.toString('latin1'), whole.status, other.status]).toEqual([206, 'PAR1', 200, 500]);
    expect(whole.headers['x-next-cursor']).toBe(first.headers['x-next-cursor']);
    expect(whole.headers['content-disposition']).toBe('attachment; filename="toys.as_of=2026-11-20.parquet"');
  });

  it('is not cached for a client that takes the whole file', async () => {
    const before = readdirSync(scratchDir).length;
    await raw('/toys?limit=77&format=parquet');
    await expect.poll(() => readdirSync(scratchDir).length).toBe(before);
  });

  it('needs a key, as the whole does', async () => {
    await part('bytes=0-3');
    expect((await toy.get(path, { range: 'bytes=0-3' })).status).toBe(401);
    expect((await toy.get(path, { range: 'bytes=0-3', 'x-api-key': toy.keys.ops })).status).toBe(403);
  });

  it('is the whole answer for csv, ndjson and arrow', async () => {
    for (const format of ['csv', 'ndjson', 'arrow']) {
      const { status, headers } = await raw(`/toys?limit=5&format=${format}`, { range: 'bytes=0-3' });
      expect([status, headers['accept-ranges']]).toEqual([200, undefined]);
    }
  });
});

describe('kept files', () => {
  const noError = (error: unknown) => {
    throw error;
  };
  const file = (name: string, bytes: number) => {
    const folder = mkdtempSync(join(scratchDir, 'kept-'));
    return { path: join(folder, name), folder, bytes, rows: 1, headers: {} };
  };

  it('are deleted with their folders if there is no room or another file replaces them', async () => {
    const files = keptFiles(noError, 100);
    const [one, other, larger] = [file('a', 60), file('b', 60), file('c', 101)];
    expect([files.keep('one', one), files.keep('other', other), files.keep('larger', larger)]).toEqual([true, true, false]);
    await expect.poll(() => [one, other, larger].map(({ folder }) => existsSync(folder))).toEqual([false, true, true]);
    const [first, second] = [file('a', 1), file('b', 1)];
    files.keep('same', first);
    files.keep('same', second);
    await expect.poll(() => [first, second].map(({ folder }) => existsSync(folder))).toEqual([false, true]);
  });

  it('are deleted with their folders after a while', async () => {
    const one = file('a', 1);
    keptFiles(noError, 100, 60).keep('one', one);
    await expect.poll(() => existsSync(one.folder)).toBe(false);
  });

  it('that cannot be deleted are reported without an error', async () => {
    const errors: unknown[] = [];
    const files = keptFiles((error) => errors.push(error));
    const folder = mkdtempSync(join(scratchDir, 'kept-'));
    symlinkSync(join(folder, 'loop'), join(folder, 'loop'));
    files.keep('one', { path: join(folder, 'x'), folder: join(folder, 'loop', 'x'), bytes: 1, rows: 1, headers: {} });
    files.keep('one', file('b', 1));
    await expect.poll(() => errors.map(String)).toEqual([expect.stringMatching(/ELOOP/)]);
  });

  it('that are gone from the disk are written again', async () => {
    const files = keptFiles(noError);
    files.keep('one', file('gone', 1));
    expect(await files.open('one')).toBeNull();
  });
});
