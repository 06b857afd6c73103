// The history of one period under a transform: a new row whenever its own value or that of the period it is compared with changes.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

const load = async <Module>(name: string) =>
  (await import(pathToFileURL(join(import.meta.dirname, '../../../src/pages/static', name)).href)) as Module;
interface Moment {
  readonly from: string;
  readonly value: number | null;
  readonly result: number | null;
  readonly revised: string | null;
}
const { historyOf } = await load<{
  readonly historyOf: (
    all: readonly object[],
    index: number,
    base: readonly number[] | null,
    transform: string,
    moment: string | null,
  ) => readonly Moment[];
}>('series/history.js');
const { baseOf, transformed } = await load<{
  readonly baseOf: (all: readonly object[], transform: string, frequency: string) => readonly number[];
  readonly transformed: (values: readonly (number | null)[], base: readonly number[], transform: string) => readonly (number | null)[];
}>('series/transforms.js');
const { asKnown } = await load<{ readonly asKnown: (all: readonly object[], moment: string | null) => readonly (number | null)[] }>(
  'charts/vintages.js',
);

const [may, june, july, august] = ['2020-05-31', '2020-06-30', '2020-07-31', '2020-08-31'].map((day) => `${day}T23:59:59.999Z`) as [
  string,
  string,
  string,
  string,
]; // prettier-ignore
const print = (value: number | null, from: string, to: string | null = null) => ({ value, from, to, vintage: from.slice(0, 10) });
const all = [
  { period: '2020-03', periodEnd: '2020-03-31', isBackfill: false, prints: [print(100, may, july), print(200, july)] },
  {
    period: '2020-04',
    periodEnd: '2020-04-30',
    isBackfill: false,
    prints: [print(110, may, june), print(120, june, august), print(130, august)],
  },
];
const told = (transform: string, moment: string | null = null) =>
  historyOf(all, 1, transform === 'level' ? null : baseOf(all, transform, 'monthly'), transform, moment).map(
    ({ from, value, result, revised }) => [from.slice(0, 10), value, result, revised],
  );

describe('the history of a period', () => {
  it('has its prints, and nothing beside them as it is', () => {
    expect(told('level')).toEqual([
      ['2020-05-31', 110, null, null],
      ['2020-06-30', 120, null, null],
      ['2020-08-31', 130, null, null],
    ]);
  });

  it('has a row more if the period before was revised, which changes what the chart shows', () => {
    expect(told('change')).toEqual([
      ['2020-05-31', 110, 10, null],
      ['2020-06-30', 120, 20, null],
      ['2020-07-31', 120, -80, '2020-03'],
      ['2020-08-31', 130, -70, null],
    ]);
  });

  it('ends with what the chart shows at the moment, whatever the moment', () => {
    for (const transform of ['change', 'percent', 'index'])
      for (const moment of [may, june, july, august, null]) {
        const base = baseOf(all, transform, 'monthly');
        const rows = historyOf(all, 1, base, transform, moment);
        expect([transform, moment, rows.at(-1)?.result]).toEqual([
          transform,
          moment,
          transformed(asKnown(all, moment), base, transform)[1],
        ]);
      }
  });

  it('is empty before the first print, and has no result without a period to compare with', () => {
    expect(told('change', '2020-05-01T00:00:00.000Z')).toEqual([]);
    expect(told('year').map(([, , result]) => result)).toEqual([null, null, null]);
  });
});
