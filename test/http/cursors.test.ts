import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCursorCodec } from '../../src/http/answer/cursor.ts';
import { errorOf, listOf, startToy, type Toy, type ToyRow, toyRows } from './toy.ts';

let toy: Toy;
beforeAll(async () => {
  toy = await startToy({}, 300);
});
afterAll(() => toy.stop());

async function walk(path: string, limitOf: (page: number) => number): Promise<{ rows: ToyRow[]; pages: number }> {
  const rows: ToyRow[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const at: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { data, meta } = await listOf(await toy.get(`${path}&limit=${limitOf(pages)}${at}`));
    expect(meta.pagination.cursor).toBe(cursor);
    expect(meta.pagination.has_more).toBe(meta.pagination.next_cursor !== null);
    rows.push(...data);
    cursor = meta.pagination.next_cursor;
    pages += 1;
  } while (cursor !== null);
  return { rows, pages };
}

async function reasonOf(path: string, headers?: Record<string, string>): Promise<unknown> {
  const response = await toy.get(path, headers);
  const { error } = await errorOf(response);
  expect([response.status, error.details?.['parameter']]).toEqual([400, 'cursor']);
  return error.details?.['reason'];
}

const cursorOf = async (path: string, headers?: Record<string, string>): Promise<string> =>
  (await listOf(await toy.get(path, headers))).meta.pagination.next_cursor ?? 'none';

describe('a walk', () => {
  it('returns the rows of the unpaged answer, for any page size and order', async () => {
    const order = fc.constantFrom('asc', 'desc');
    const sort = fc.constantFrom('id', 'value', 'name');
    const sizes = fc.array(fc.integer({ min: 7, max: 120 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(sort, order, sizes, fc.option(fc.integer({ min: 0, max: 90 })), async (by, way, limits, least) => {
        const path = `/toys?sort=${by}&order=${way}${least === null ? '' : `&least=${least}`}`;
        const unpaged = (await listOf(await toy.get(`${path}&limit=500`))).data;
        const { rows } = await walk(path, (page) => limits[page % limits.length] ?? 10);
        expect(rows).toEqual(unpaged);
      }),
      { numRuns: 60 },
    );
  });

  it('reads one snapshot to its end while others are published', async () => {
    const expected = (await listOf(await toy.get('/toys?limit=500'))).data;
    let published = 0;
    const { rows } = await walk('/toys?sort=id', () => {
      published += 1;
      toy.store.publish(`snap_b${published}`, toyRows(10));
      if (published === 1) toy.store.publish('snap_a', expected);
      return 60;
    });
    toy.store.publish('snap_a', expected);
    expect(rows).toEqual(expected);
    expect(toy.store.pins()).toBe(0);
  });
});

describe('a cursor', () => {
  it('is refused with its reason', async () => {
    const cursor = await cursorOf('/toys?limit=5&least=3');
    const [payload, signature] = cursor.split('.');
    expect(await reasonOf('/toys?limit=5&least=3&cursor=abc')).toBe('malformed');
    expect(await reasonOf(`/toys?limit=5&least=3&cursor=${payload}x.${signature}`)).toBe('tampered');
    expect(await reasonOf(`/plain-toys?limit=5&least=3&cursor=${cursor}`)).toBe('route_changed');
    for (const changed of ['least=4', 'least=3&order=desc', 'least=3&sort=name', 'least=3&name=x', 'limit=5']) {
      expect(await reasonOf(`/toys?${changed}&cursor=${cursor}`)).toBe('query_changed');
    }
    expect(await reasonOf(`/toys?least=3&cursor=${cursor}`, { 'x-api-key': toy.keys.free })).toBe('query_changed');
  });

  it('survives another page size, the same filter under another name, and a default spelt out', async () => {
    const cursor = await cursorOf('/toys?limit=5&name=%3Dformula+0&least=0');
    expect(cursor).toBe('none');
    const next = await cursorOf('/toys?limit=5&kind=daily');
    expect((await toy.get(`/v1/toys/?kind=daily&sort=id&order=asc&limit=9&cursor=${next}`)).status).toBe(200);
  });

  it('expires after 24 hours', async () => {
    const cursor = await cursorOf('/toys?limit=5&kind=weekly');
    toy.clock.now += 23 * 3600 * 1000;
    expect((await toy.get(`/toys?kind=weekly&cursor=${cursor}`)).status).toBe(200);
    toy.clock.now += 2 * 3600 * 1000;
    expect(await reasonOf(`/toys?kind=weekly&cursor=${cursor}`)).toBe('expired');
    toy.clock.now -= 25 * 3600 * 1000;
  });

  it('is refused if its snapshot is gone', async () => {
    const cursor = await cursorOf('/toys?limit=6');
    toy.store.publish('snap_c', toyRows(300));
    toy.store.drop('snap_a');
    expect(await reasonOf(`/toys?limit=6&cursor=${cursor}`)).toBe('snapshot_gone');
    toy.store.publish('snap_a', toyRows(300));
  });

  it('of a resumable route outlives snapshots and days, and continues with appended rows', async () => {
    const { meta } = await listOf(await toy.get('/toys/changes?limit=500'));
    expect(meta.pagination.next_cursor).toBeNull();
    const resume = meta.resume_cursor ?? '';
    toy.clock.now += 90 * 24 * 3600 * 1000;
    toy.store.publish('snap_d', toyRows(304));
    toy.store.drop('snap_a');
    const later = await listOf(await toy.get(`/toys/changes?limit=500&cursor=${resume}`));
    expect(later.data.map((row) => row.id)).toEqual(['row_000300', 'row_000301', 'row_000302', 'row_000303']);
    const none = await listOf(await toy.get(`/toys/changes?limit=500&cursor=${later.meta.resume_cursor}`));
    expect([none.data, none.meta.resume_cursor]).toEqual([[], later.meta.resume_cursor]);
    toy.clock.now -= 90 * 24 * 3600 * 1000;
    toy.store.publish('snap_a', toyRows(300));
  });

  it('of another secret, or altered in any character, is refused', () => {
    const question = { path: '/toys', text: 'x' };
    const cursor = { key: ['a', null, 3], walk: { snapshotId: 's', knowledgeCutoff: 'c', now: 5 } };
    const text = createCursorCodec('one').encode(question, cursor, 1000);
    expect(createCursorCodec('one').decode(text, question, 1000)).toEqual(cursor);
    expect(() => createCursorCodec('two').decode(text, question, 1000)).toThrow(/altered/);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: text.length - 1 }), fc.constantFrom('A', 'b', '9', '.', '-', ' '), (at, character) => {
        fc.pre(text[at] !== character);
        expect(() => createCursorCodec('one').decode(text.slice(0, at) + character + text.slice(at + 1), question, 1000)).toThrow(
          /`cursor`/,
        );
      }),
    );
  });
});
