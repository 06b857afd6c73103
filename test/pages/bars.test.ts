// Bars in the cells of a table: their places, and in a browser that numbers have one and texts have none.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

interface Bar {
  readonly from: number;
  readonly width: number;
  readonly isNegative: boolean;
}
interface Bars {
  readonly scaleOf: (values: readonly unknown[]) => { readonly low: number; readonly high: number };
  readonly barOf: (value: unknown, scale: { readonly low: number; readonly high: number }) => Bar | null;
}

describe('a bar in a cell', async () => {
  const { scaleOf, barOf } = (await import(pathToFileURL(join(import.meta.dirname, '../../src/pages/static/tables/bars.js')).href)) as Bars;
  const barsOf = (values: readonly unknown[]) => values.map((value) => barOf(value, scaleOf(values)));

  it('starts at zero, and its length is proportional to its number', () => {
    expect(barsOf([8, 2, 0])).toEqual([
      { from: 0, width: 100, isNegative: false },
      { from: 0, width: 25, isNegative: false },
      { from: 0, width: 0, isNegative: false },
    ]);
    expect(barsOf([5, 6])[0]?.width).toBeCloseTo(83.33, 2);
  });

  it('goes to the other side of zero for a negative number', () => {
    expect(barsOf([3, -1])).toEqual([
      { from: 25, width: 75, isNegative: false },
      { from: 0, width: 25, isNegative: true },
    ]);
    expect(barsOf([-2, -4])).toEqual([
      { from: 50, width: 50, isNegative: true },
      { from: 0, width: 100, isNegative: true },
    ]);
  });

  it('is absent for a text, for no value, and if all numbers are zero', () => {
    expect(barsOf(['Energy', null, undefined, 4, NaN])).toEqual([null, null, null, { from: 0, width: 100, isNegative: false }, null]);
    expect(barsOf([0, 0])).toEqual([null, null]);
    expect(barsOf([])).toEqual([]);
  });
});
