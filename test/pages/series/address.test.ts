// The parameters in the address of a series page: any text gives a valid range, and the interface accepts each moment that the page accepts.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moment } from '../../../src/routes/parameters.ts';

const load = async <Module>(name: string) =>
  (await import(pathToFileURL(join(import.meta.dirname, '../../../src/pages/static', name)).href)) as Module;
interface Of {
  readonly frequency: string;
  readonly latestPeriodEnd: string | null;
}
const { RANGES, rangeWith, spanOf } = await load<{
  readonly RANGES: readonly { readonly id: string }[];
  readonly rangeWith: (series: Of, range: string | undefined, params: { readonly period_end?: string }) => string;
  readonly spanOf: (series: Of, range?: string, options?: { readonly yearsBefore?: number }) => { readonly from: string };
}>('series/range.js');
interface Buttons {
  readonly options: readonly { readonly id: string; readonly isDisabled?: boolean; readonly title?: string }[];
  readonly value: string;
  readonly note: string | null;
}
type Reach = Of & { readonly firstPeriodEnd: string | null };
const { rangeButtons, reachOf } = await load<{
  readonly rangeButtons: (series: Reach, range: string, asOf?: string) => Buttons;
  readonly reachOf: (series: Reach, over: Reach | null) => Reach;
}>('series/range.js');
const { isMoment } = await load<{ readonly isMoment: (asOf?: string) => boolean }>('charts/vintages.js');

const rangeOf = (series: Of, range?: string) => rangeWith(series, range, {});
const monthly = { frequency: 'monthly', latestPeriodEnd: '2026-09-30' };
const odd = fc
  .oneof(fc.string(), fc.constantFrom('0', '-5', '1e9', 'Infinity', 'constructor', '__proto__', '', ' 3', '03', '3.0'))
  .filter((range) => !RANGES.some(({ id }) => id === range));

describe('the range in an address', () => {
  it('is one of those offered, otherwise the usual one of the frequency', () => {
    expect(RANGES.map(({ id }) => rangeOf(monthly, id))).toEqual(['3', '10', '25', 'all']);
    expect([rangeOf(monthly), rangeOf({ ...monthly, frequency: 'daily' }), rangeOf({ ...monthly, frequency: 'weekly' }, 'soon')]).toEqual([
      '25',
      '10',
      '10',
    ]);
    fc.assert(
      fc.property(odd, (range) => {
        expect(RANGES.map(({ id }) => id)).toContain(rangeOf(monthly, range));
        expect(spanOf(monthly, range, { yearsBefore: 1 }).from).toBe('2000-09-30');
      }),
    );
  });

  it('is wide enough for the period that is asked for, and no wider than the one chosen if that has it', () => {
    const ranges = ['2026-01-31', '2020-04-30', '2010-01-31', '1950-01-31'].map((period_end) => rangeWith(monthly, '3', { period_end }));
    expect(ranges).toEqual(['3', '10', '25', 'all']);
    expect(rangeWith(monthly, 'all', { period_end: '2026-01-31' })).toBe('all');
  });

  it('begins on a day that exists, or has no beginning', () => {
    const leap = { frequency: 'daily', latestPeriodEnd: '2024-02-29' };
    const spans = [spanOf(leap, '3'), spanOf(leap, 'all'), spanOf({ ...leap, latestPeriodEnd: null })];
    expect(spans.map(({ from }) => from)).toEqual(['2021-02-28', '', '']);
  });
});

describe('the buttons of the range', () => {
  const since = (firstPeriodEnd: string | null, more = {}): Reach => ({ ...monthly, firstPeriodEnd, ...more });
  const disabled = ({ options }: Buttons) => options.filter(({ isDisabled }) => isDisabled).map(({ id }) => id);

  it('are disabled if the data begin later; the chart then shows all of the data', () => {
    const short = rangeButtons(since('2017-08-31'), '10');
    expect([disabled(short), short.value, short.note]).toEqual([['10', '25'], 'all', 'Data begin 2017-08.']);
    expect(short.options[1]?.title).toBe('Data begin 2017-08');
    expect(rangeButtons(since('2017-08-31'), '3').value).toBe('3');
    const old = rangeButtons(since('1950-01-31'), '25');
    expect([disabled(old), old.value, old.note]).toEqual([[], '25', null]);
    expect(disabled(rangeButtons(since(null), '25'))).toEqual([]);
  });

  it('stay if only a part of the first period is missing', () => {
    expect(disabled(rangeButtons(since('2023-10-31'), 'all'))).toEqual(['10', '25']);
    expect(disabled(rangeButtons(since('2023-11-30'), 'all'))).toEqual(['3', '10', '25']);
  });

  it('stay if they leave out newer periods, after an early as-of', () => {
    expect(disabled(rangeButtons(since('2017-08-31'), '3', '2018-06-30'))).toEqual(['10', '25']);
  });

  it('name the first period as the frequency does', () => {
    const note = (frequency: string) => rangeButtons(since('2019-06-30', { frequency }), '25').note;
    expect(['annual', 'quarterly', 'weekly'].map(note)).toEqual(['Data begin 2019.', 'Data begin 2019-Q2.', 'Data begin 2019-06-30.']);
  });

  it('reach as far back as the longer one of two series', () => {
    expect(reachOf(since('2017-08-31'), since('1990-01-31')).firstPeriodEnd).toBe('1990-01-31');
    expect(reachOf(since('2017-08-31'), since('2020-01-31')).firstPeriodEnd).toBe('2017-08-31');
    expect(reachOf(since('2017-08-31'), null).firstPeriodEnd).toBe('2017-08-31');
  });
});

describe('the as-of in an address', () => {
  it('counts if the interface takes it, and not otherwise', () => {
    const two = fc.integer({ min: 0, max: 62 }).map((number) => String(number).padStart(2, '0'));
    const day = fc.tuple(fc.constantFrom('1999', '2020', '2023', '20'), two, two).map((parts) => parts.join('-'));
    const time = fc
      .tuple(two, two, fc.constantFrom('', ':00', ':59.5', ':61'))
      .map(([hour, minute, second]) => `T${hour}:${minute}${second}`);
    const zone = fc.constantFrom('Z', '+02:00', '+2', ' 02:00', '');
    const text = fc.oneof(
      day,
      fc.tuple(day, time, zone).map((parts) => parts.join('')),
      fc.constantFrom('2020', 'now', '20200630', '1-1-2020', '2020-02-30', '2020-06-30T12:00', '2020-06-30T12:00:00Z', '2020-06-30T12:00Z'),
      fc.string({ minLength: 1 }),
    );
    const rule = moment('end', 'An as-of.');
    fc.assert(
      fc.property(text, (asOf) => {
        expect([asOf, isMoment(asOf)]).toEqual([asOf, rule.safeParse(asOf).success]);
      }),
      { numRuns: 2000 },
    );
    expect([isMoment(), isMoment('')]).toEqual([true, true]);
  });
});
