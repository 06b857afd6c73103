// A screen then beside today on the start page: which entities are new, which are no longer in it, and their values at both times.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

interface Row {
  readonly entityId: string;
  readonly values: number;
  readonly today?: number;
  readonly fate?: string;
}
const address = pathToFileURL(join(import.meta.dirname, '../../../src/pages/static/screener/then.js')).href;
const { membersSince } = (await import(address)) as {
  membersSince: (screens: Readonly<Record<string, readonly Row[]>>, most: number) => { rows: readonly Row[]; counts: object };
};
const rowsOf = (values: Readonly<Record<string, number>>) =>
  Object.entries(values).map(([entityId, value]) => ({ entityId, values: value }));

it('has the new entities first, then those no longer in it, then the others, each with both values', () => {
  const [allBefore, allNow] = [rowsOf({ mx: 5, es: 4, de: 2 }), rowsOf({ mx: 6, es: 2, de: 4 })];
  const found = membersSince({ before: rowsOf({ mx: 5, es: 4 }), now: rowsOf({ mx: 6, de: 4 }), allBefore, allNow }, 8);
  expect(found.rows.map(({ entityId, fate, values, today }) => [entityId, fate, values, today])).toEqual([
    ['de', 'new', 2, 4],
    ['es', 'left', 4, 2],
    ['mx', 'stayed', 5, 6],
  ]);
  expect(found.counts).toEqual({ new: 1, left: 1, stayed: 1 });
});

it('leaves room for each group, and counts all of it', () => {
  const before = rowsOf({ a: 1, b: 2, c: 3, d: 4, e: 5 });
  const now = rowsOf({ e: 5, f: 6, g: 7, h: 8 });
  const found = membersSince({ before, now, allBefore: before, allNow: now }, 6);
  expect(found.rows.map(({ entityId }) => entityId)).toEqual(['f', 'g', 'a', 'b', 'e']);
  expect(found.counts).toEqual({ new: 3, left: 4, stayed: 1 });
});
