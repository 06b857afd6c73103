// The box beside the pointer of a chart.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

interface Line {
  readonly label: string;
  readonly kind: string;
  readonly isOther?: boolean;
  readonly isRight?: boolean;
  readonly isDots?: boolean;
}

describe('the box beside the pointer', async () => {
  const { tipRows } = (await import(pathToFileURL(join(import.meta.dirname, '../../../src/pages/static/charts/tip.js')).href)) as {
    readonly tipRows: (of: {
      readonly lines: readonly Line[];
      readonly values: readonly (number | null | undefined)[];
      readonly units: readonly string[];
      readonly head?: string;
    }) => readonly (readonly [string, string])[];
  };
  const lines = [
    { label: '2026-10-31', kind: 'thin' },
    { label: 'Unemployment Rate, France', kind: 'beside', isOther: true },
    { label: 'latest', kind: 'strong' },
  ];
  const head = 'Unemployment Rate, Germany, one print';
  const units = ['percent', 'thousands'];

  it('names both series if two are shown, the own one first', () => {
    expect(tipRows({ lines, values: [3, 7.9, 3.1], units, head })).toEqual([
      ['head', head],
      ['strong', 'latest: 3.1 percent'],
      ['beside', 'Unemployment Rate, France: 7.9 percent'],
    ]);
  });

  it('names only a series that has a value', () => {
    expect(tipRows({ lines, values: [3, 7.9, null], units, head })).toEqual([['beside', 'Unemployment Rate, France: 7.9 percent']]);
    expect(tipRows({ lines, values: [3, undefined, 3.1], units, head })).toEqual([
      ['head', head],
      ['strong', 'latest: 3.1 percent'],
    ]);
    expect(tipRows({ lines, values: [3, null, null], units, head })).toEqual([['none', 'no value']]);
  });

  it('has first prints before the values that revised them, although the chart draws their marks last', () => {
    const marked = [
      { label: 'latest', kind: 'strong' },
      { label: 'first print', kind: 'first', isDots: true },
    ];
    expect(tipRows({ lines: marked, values: [3.1, 3], units, head })).toEqual([
      ['first', 'first print: 3 percent'],
      ['strong', 'latest: 3.1 percent'],
    ]);
  });

  it('names no series if one is shown, and has the unit of the axis', () => {
    const alone = [
      { label: 'latest', kind: 'strong' },
      { label: 'price', kind: 'known', isRight: true },
    ];
    expect(tipRows({ lines: alone, values: [3.1, 20], units, head })).toEqual([
      ['strong', 'latest: 3.1 percent'],
      ['known', 'price: 20 thousands'],
    ]);
  });
});
