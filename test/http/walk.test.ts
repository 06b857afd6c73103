// A list read page after page for an answer that is longer than a page of JSON: every row once, in order, however the route gives its rows.
import { describe, expect, it } from 'vitest';
import { heldRows } from '../../src/db/query.ts';
import type { Page, PageRequest } from '../../src/http/route.ts';
import { walkPages } from '../../src/http/answer/walk.ts';

const REQUEST: PageRequest = {
  limit: 110_000,
  after: null,
  sort: 'id',
  order: 'asc',
  answer: { limit: 450_000, after: null },
  isBulk: true,
};

const found = <Row>(rows: readonly Row[]) => ({ ...heldRows(rows), json: async () => Buffer.from(JSON.stringify(rows)) });

/**
 * Rows 0 to `count`, of which a page gives those after its key.
 * @param areObjects true if the route makes all objects of a page at once
 */
function rowsTo(count: number, asked: number[], areObjects = false) {
  return ({ limit, after }: PageRequest): Promise<Page<unknown>> => {
    const begin = Number(after?.[0] ?? 0);
    const end = Math.min(begin + limit, count);
    asked.push(limit);
    const rows = Array.from({ length: end - begin }, (_, place) => begin + place);
    return Promise.resolve({ rows: areObjects ? rows : found(rows), nextKey: end < count ? [end] : null });
  };
}

describe('a walk', () => {
  it('asks for many rows at once if rows are made part by part, and returns each once', async () => {
    const asked: number[] = [];
    const walk = await walkPages(rowsTo(120_000, asked), REQUEST, 50_000);
    const parts = [];
    for await (const part of walk.pages) parts.push(part);
    const rows = parts.flat();
    expect([rows.length, rows.findIndex((row, place) => row !== place)]).toEqual([110_000, -1]);
    expect(Math.max(...parts.map((part) => part.length))).toBe(2000);
    expect(asked).toEqual([50_000, 50_000, 10_000]);
    expect(walk.end()).toEqual([110_000]);
  });

  it('asks for fewer rows at once if all become objects at once', async () => {
    const asked: number[] = [];
    const walk = await walkPages(rowsTo(4_000, asked, true), REQUEST, 1500);
    const pages = [];
    for await (const page of walk.pages) pages.push(page);
    expect(pages.flat()).toEqual(Array.from({ length: 4_000 }, (_, place) => place));
    expect(asked).toEqual([1500, 1500, 1500]);
    expect(walk.end()).toBeNull();
  });

  it('asks for the next rows once half of the last ones are read, not sooner', async () => {
    const asked: number[] = [];
    const walk = await walkPages(rowsTo(120_000, asked), REQUEST, 50_000);
    const seen = new Map<number, number>();
    let rows = 0;
    for await (const part of walk.pages) {
      rows += part.length;
      seen.set(asked.length, Math.max(seen.get(asked.length) ?? 0, rows));
    }
    // Parts of 2,000: the one that comes to half of a page is given once the next page is asked for.
    expect([...seen]).toEqual([
      [1, 24_000],
      [2, 74_000],
      [3, 110_000],
    ]);
  });

  it('continues after an empty page if more rows follow', async () => {
    const pages = [
      { rows: found([0, 1]), nextKey: [2] },
      { rows: found([]), nextKey: [2] },
      { rows: found([2]), nextKey: null },
    ];
    const walk = await walkPages(() => Promise.resolve(pages.shift() as Page<unknown>), REQUEST, 50_000);
    const parts = [];
    for await (const part of walk.pages) parts.push(part);
    expect(parts.flat()).toEqual([0, 1, 2]);
  });

  it('fails after the rows of the page before if the query in advance fails', async () => {
    const ask = rowsTo(120_000, []);
    const walk = await walkPages(
      (request) => (request.after === null ? ask(request) : Promise.reject(new Error('too slow'))),
      REQUEST,
      50_000,
    );
    let rows = 0;
    const read = async () => {
      for await (const part of walk.pages) rows += part.length;
    };
    await expect(read()).rejects.toThrow('too slow');
    expect(rows).toBe(50_000);
  });

  it.each([true, false])('waits for the query in advance if the reader leaves (it fails: %s)', async (fails) => {
    const ask = rowsTo(120_000, []);
    let end: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (end = resolve));
    let isOver = false;
    const walk = await walkPages(
      async (request) => {
        if (request.after !== null) await answered;
        if (request.after !== null && fails) throw new Error('interrupted');
        return ask(request);
      },
      REQUEST,
      50_000,
    );
    let rows = 0;
    const reading = (async () => {
      for await (const part of walk.pages) {
        rows += part.length;
        if (rows >= 40_000) break;
      }
      isOver = true;
    })();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([rows, isOver]).toEqual([40_000, false]);
    end();
    await reading;
    expect(isOver).toBe(true);
  });
});
