// Bars over time: a zero has none, and the first and the last one are whole.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

type Data = readonly (readonly (number | null | undefined)[])[];
interface Bars {
  readonly withoutZeroBars: (data: Data, lines: readonly { readonly isBars?: boolean }[]) => Data;
  readonly endsOf: (
    xs: readonly number[],
    min: number | null,
    max: number | null,
    step: number,
    hasRoom: boolean,
  ) => readonly (number | null)[];
  readonly widened: (xs: readonly number[], min: number | null, max: number | null) => readonly (number | null)[];
}
const address = pathToFileURL(join(import.meta.dirname, '../../../src/pages/static/charts/bars.js')).href;
const { endsOf, withoutZeroBars, widened } = (await import(address)) as Bars;

describe('bars over time', () => {
  it('leave out a zero, and lines keep theirs', () => {
    const data = [
      [1, 2, 3, 4],
      [0, 0, 0, 0],
      [0, -2, null, 3],
    ];
    expect(withoutZeroBars(data, [{}, { isBars: true }])).toEqual([data[0], data[1], [null, -2, null, 3]]);
    expect(withoutZeroBars(data, [{}, {}])).toBe(data);
  });

  it('have half a step of room at the first and the last one, and none where the chart is zoomed', () => {
    const xs = [100, 110, 130];
    expect(widened(xs, 100, 130)).toEqual([95, 135]);
    expect(widened(xs, 105, 130)).toEqual([105, 135]);
    expect(widened(xs, 95, 120)).toEqual([95, 120]);
    expect(widened([100], 100, 100)).toEqual([100, 100]);
    expect(widened([], null, null)).toEqual([null, null]);
  });

  it('leave an axis without them as it is, but one with a single x has a step on each side', () => {
    expect(endsOf([100, 110], 100, 110, 10, false)).toEqual([100, 110]);
    expect(endsOf([100, 110], 100, 110, 10, true)).toEqual([95, 115]);
    expect(endsOf([100], 100, 100, 10, false)).toEqual([90, 110]);
    expect(endsOf([], null, null, 10, false)).toEqual([null, null]);
  });
});
