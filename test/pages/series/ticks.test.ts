// The marks of a time axis and the places of periods on it: a period stands at the mark that bears its name.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const load = async <Module>(name: string) =>
  (await import(pathToFileURL(join(import.meta.dirname, '../../../src/pages/static', name)).href)) as Module;

type Step = 'day' | 'month' | 'quarter' | 'year';
const { incrementsOf, marksBetween, markNames } = await load<{
  readonly incrementsOf: (step: Step) => readonly number[];
  readonly marksBetween: (min: number, max: number, increment: number) => readonly number[];
  readonly markNames: (marks: readonly number[], increment: number, step: Step) => readonly string[];
}>('charts/ticks.js');
const { placeOf, stepOf } = await load<{
  readonly placeOf: (period: { period: string; periodEnd: string }) => number;
  readonly stepOf: (...lists: readonly (readonly { period: string }[])[]) => Step;
}>('charts/vintages.js');

const seconds = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000;
const days = (marks: readonly number[]) => marks.map((mark) => new Date(mark * 1000).toISOString().slice(0, 10));
const [DAY, MONTH, YEAR] = [86_400, 30 * 86_400, 365 * 86_400];
const between = (from: string, to: string, increment: number) => marksBetween(seconds(from), seconds(to), increment);
const named = (from: string, to: string, increment: number, step: Step) => markNames(between(from, to, increment), increment, step);

describe('the marks of a time axis', () => {
  it('stand at the first moment of a year, of a quarter, of a month and of a day of UTC', () => {
    expect(days(between('2018-06-01', '2021-02-01', YEAR))).toEqual(['2019-01-01', '2020-01-01', '2021-01-01']);
    expect(days(between('2011-06-01', '2026-02-01', 5 * YEAR))).toEqual(['2015-01-01', '2020-01-01', '2025-01-01']);
    expect(days(between('2019-11-01', '2020-07-31', 3 * MONTH))).toEqual(['2020-01-01', '2020-04-01', '2020-07-01']);
    expect(days(between('2019-12-01', '2020-03-31', MONTH))).toEqual(['2019-12-01', '2020-01-01', '2020-02-01', '2020-03-01']);
    expect(days(between('2020-02-28', '2020-03-01', DAY))).toEqual(['2020-02-28', '2020-02-29', '2020-03-01']);
    // Mondays.
    expect(days(between('2020-02-27', '2020-03-10', 7 * DAY))).toEqual(['2020-03-02', '2020-03-09']);
  });

  it('bear the names of what the series has, with the year where it begins', () => {
    expect(named('2019-11-01', '2020-02-28', MONTH, 'month')).toEqual(['Nov\n2019', 'Dec', 'Jan\n2020', 'Feb']);
    expect(named('2019-10-01', '2020-06-30', 3 * MONTH, 'quarter')).toEqual(['Q4\n2019', 'Q1\n2020', 'Q2']);
    expect(named('2019-10-01', '2020-06-30', 3 * MONTH, 'month')).toEqual(['Oct\n2019', 'Jan\n2020', 'Apr']);
    expect(named('2019-10-01', '2021-06-30', YEAR, 'year')).toEqual(['2020', '2021']);
    expect(named('2019-12-30', '2020-01-02', DAY, 'day')).toEqual(['12-30\n2019', '12-31', '01-01\n2020', '01-02']);
  });

  it('are never finer than the periods of the series', () => {
    expect([incrementsOf('year')[0], incrementsOf('quarter')[0], incrementsOf('month')[0], incrementsOf('day')[0]]).toEqual([
      YEAR,
      3 * MONTH,
      MONTH,
      DAY,
    ]);
  });

  it('lie within the axis, in order, and each has a name of its own, whatever is shown', () => {
    const day = fc.integer({ min: seconds('1800-01-01'), max: seconds('2200-01-01') });
    const asked = fc.constantFrom<Step>('day', 'month', 'quarter', 'year').chain((step) =>
      fc.record({
        step: fc.constant(step),
        increment: fc.constantFrom(...incrementsOf(step)),
        min: day,
        length: fc.integer({ min: 0, max: 40 }),
      }),
    );
    fc.assert(
      fc.property(asked, ({ step, increment, min, length }) => {
        const max = min + length * increment;
        const marks = marksBetween(min, max, increment);
        expect(marks.every((mark, at) => mark >= min && mark <= max && (at === 0 || mark > (marks[at - 1] ?? 0)))).toBe(true);
        expect(Math.abs(marks.length - length)).toBeLessThanOrEqual(1 + length / 25);
        let year = '';
        const names = markNames(marks, increment, step).map((name) => {
          year = name.split('\n')[1] ?? year;
          return `${year} ${name}`;
        });
        expect(new Set(names).size).toBe(names.length);
      }),
    );
  });
});

describe('the place of a period', () => {
  const place = (period: string, periodEnd: string) => days([placeOf({ period, periodEnd })])[0];

  it('is its first day; weeks and days have theirs at the end, by which they are dated', () => {
    expect([
      place('2020-04', '2020-04-30'),
      place('2020-Q2', '2020-06-30'),
      place('2020', '2020-12-31'),
      place('2020-W18', '2020-05-02'),
      place('2020-04-30', '2020-04-30'),
    ]).toEqual(['2020-04-01', '2020-04-01', '2020-01-01', '2020-05-02', '2020-04-30']);
  });

  it('decides how fine the marks are: as the finer of two series', () => {
    const [year, quarter, month, week] = [[{ period: '2020' }], [{ period: '2020-Q2' }], [{ period: '2020-04' }], [{ period: '2020-W18' }]];
    expect([stepOf(year), stepOf(year, quarter), stepOf(month, quarter), stepOf(week, month), stepOf(month, []), stepOf([])]).toEqual([
      'year',
      'quarter',
      'month',
      'day',
      'month',
      'day',
    ]);
  });
});
