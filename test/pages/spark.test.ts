// The line the size of a word, and the strip of dots: whatever the values and days are, each number that goes into the drawing is a number.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

interface Point {
  readonly periodEnd: string;
  readonly value: number | null;
}
interface Spark {
  readonly path: string;
  readonly last: readonly [number, number];
}

const load = async <Module>(name: string) =>
  (await import(pathToFileURL(join(import.meta.dirname, '../../src/pages/static', name)).href)) as Module;
const { sparkOf, WIDTH, HEIGHT } = await load<{
  readonly sparkOf: (points: readonly Point[], from: string, to: string) => Spark | null;
  readonly WIDTH: number;
  readonly HEIGHT: number;
}>('charts/spark.js');
const { axisOf } = await load<{
  readonly axisOf: (
    sorted: readonly number[],
    most: number,
  ) => { readonly at: (value: number) => number; readonly marks: readonly number[] };
}>('indicator/places.js');

const days = ['2020-01-31', '2020-02-29', '2020-03-31', '2020-04-30'];
const value = fc.oneof(
  fc.integer({ min: -2, max: 2 }),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }),
  fc.constantFrom(1e300, -1e300, Number.MIN_VALUE, 0, -0),
);
const points = fc
  .array(fc.record({ at: fc.nat(days.length - 1), value: fc.option(value) }), { maxLength: 6 })
  .map((list) => list.toSorted((a, b) => a.at - b.at).map((one) => ({ periodEnd: days[one.at] ?? '', value: one.value })));

const numbersOf = (path: string) =>
  path
    .split(/[ML ]/)
    .filter((part) => part !== '')
    .map(Number); // prettier-ignore

describe('the line of a row', () => {
  it('has only numbers within its box, whatever the values and the ends of its axis are', () => {
    fc.assert(
      fc.property(points, fc.nat(days.length - 1), fc.nat(days.length - 1), (list, a, b) => {
        const [from = '', to = ''] = [days[Math.min(a, b)], days[Math.max(a, b)]];
        const within = list.filter(({ periodEnd }) => periodEnd >= from && periodEnd <= to);
        const spark = sparkOf(within, from, to);
        expect(spark !== null).toBe(within.filter((one) => one.value !== null).length > 1);
        const all = [...numbersOf(spark?.path ?? ''), ...(spark?.last ?? [])];
        for (const [at, number] of all.entries())
          expect([number, number >= 0 && number <= (at % 2 === 0 ? WIDTH : HEIGHT)]).toEqual([number, true]);
        expect(spark?.path ?? '').not.toMatch(/NaN|Infinity/);
      }),
    );
  });

  it('of one day stands in the middle', () => {
    const spark = sparkOf(
      [
        { periodEnd: '2020-01-31', value: 1 },
        { periodEnd: '2020-01-31', value: 2 },
      ],
      '2020-01-31',
      '2020-01-31',
    );
    expect(spark?.last[0]).toBe(WIDTH / 2);
  });

  it('leaves a gap where a value is missing', () => {
    const spark = sparkOf(
      days.map((periodEnd, at) => ({ periodEnd, value: at === 1 ? null : at })),
      '2020-01-31',
      '2020-04-30',
    );
    expect(spark?.path.match(/[ML]/g)).toEqual(['M', 'M', 'L']);
  });
});

/** As numbers are published: some digits, times a power of ten. */
const published = fc
  .record({ digits: fc.integer({ min: -1_000_000, max: 1_000_000 }), power: fc.integer({ min: -12, max: 12 }) })
  .map(({ digits, power }) => digits * 10 ** power);

it('the axis of dots has a place for each of its values, however large or near', () => {
  fc.assert(
    fc.property(fc.array(published, { minLength: 1, maxLength: 8 }), (values) => {
      const sorted = values.toSorted((a, b) => a - b);
      const { at, marks } = axisOf(sorted, 5);
      for (const one of [...sorted.map(at), ...marks, ...marks.map(at)]) expect([one, Number.isFinite(one)]).toEqual([one, true]);
    }),
  );
});
