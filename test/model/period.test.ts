import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, addMonths, calendarSpan, dayNumber, Frequency, isDay, isoWeek, periodOf, toDay } from '../../src/model/period.ts';

const day = fc.integer({ min: -700_000, max: 100_000 }).map(toDay);

describe('days', () => {
  it('have a number in both directions, in any year', () => {
    fc.assert(fc.property(day, (one) => isDay(one) && toDay(dayNumber(one)) === one));
  });

  it('that do not exist are refused', () => {
    for (const text of ['2023-02-29', '2023-13-01', '2023-04-31', '2023-1-1', '20230101', '', '2023-01-01T00:00:00Z'])
      expect(isDay(text)).toBe(false);
    expect(isDay('0001-01-01')).toBe(true);
  });

  it("have the number of JavaScript's calendar, and invalid ones have none", () => {
    const part = (most: number) => fc.integer({ min: 0, max: most });
    fc.assert(
      fc.property(part(9999), part(13), part(32), (year, month, dayOfMonth) => {
        const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`;
        const date = new Date(`${text}T00:00:00.000Z`);
        const isThere = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
        expect(isDay(text) ? dayNumber(text) : null).toBe(isThere ? date.getTime() / 86_400_000 : null);
      }),
      { numRuns: 2000 },
    );
  });

  it('stay at the end of a shorter month when months are added', () => {
    expect([addMonths('2024-01-31', 1), addMonths('2023-01-31', 1), addMonths('2024-03-31', -1), addMonths('2024-01-15', -24)]).toEqual([
      '2024-02-29',
      '2023-02-28',
      '2024-02-29',
      '2022-01-15',
    ]);
  });
});

describe('periods', () => {
  it('contain their own day, and end no earlier than they begin', () => {
    fc.assert(
      fc.property(day, fc.constantFrom(...Frequency.options), (one, frequency) => {
        const { periodStart, periodEnd } = periodOf(frequency, one);
        return periodStart <= one && one <= periodEnd;
      }),
    );
  });

  it('have the labels of the interface', () => {
    expect(
      ['annual', 'quarterly', 'monthly', 'weekly', 'daily'].map((frequency) => periodOf(Frequency.parse(frequency), '2026-09-12').period),
    ).toEqual(['2026', '2026-Q3', '2026-09', '2026-W37', '2026-09-12']);
  });

  it('of a week follow ISO 8601 around the new year', () => {
    expect(['2020-12-31', '2021-01-03', '2021-01-04', '2018-12-31'].map(isoWeek)).toEqual(['2020-W53', '2020-W53', '2021-W01', '2019-W01']);
  });

  it('requested by year, month or quarter are bounds on their end, q in either case', () => {
    expect(calendarSpan('2020')).toEqual({ from: '2020-01-01', to: '2020-12-31' });
    expect(calendarSpan('2020-02')).toEqual({ from: '2020-02-01', to: '2020-02-29' });
    expect(calendarSpan('2020-q4')).toEqual({ from: '2020-10-01', to: '2020-12-31' });
    expect(['2020-13', '2020-Q5', '20', '2020-2'].map(calendarSpan)).toEqual([null, null, null, null]);
  });

  it('of a week end on the given day and span seven days', () => {
    fc.assert(
      fc.property(day, (one) => periodOf('weekly', one).periodEnd === one && periodOf('weekly', one).periodStart === addDays(one, -6)),
    );
  });
});
