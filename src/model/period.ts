// Reference periods: labels, bounds and arithmetic. All days are plain UTC calendar days, `YYYY-MM-DD`.
import { z } from 'zod';

export const Frequency = z.enum(['daily', 'weekly', 'monthly', 'quarterly', 'annual', 'event', 'static']).meta({ id: 'Frequency' });
export type Frequency = z.infer<typeof Frequency>;

/** A calendar day and an instant as rows hold them: `2026-09-12`, `2026-09-12T14:30:00.000Z`. */
export const Day = z.iso.date();
export const Instant = z.iso.datetime();

export interface Period {
  /** `2026`, `2026-Q3`, `2026-09`, `2026-W37` or `2026-09-12`. */
  readonly period: string;
  readonly periodStart: string;
  /** The last day covered. */
  readonly periodEnd: string;
}

const MS_PER_DAY = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The day's number since 1970-01-01. Throws a RangeError for a day that does not exist (2023-02-29). */
export function dayNumber(day: string): number {
  const [year, month, dayOfMonth] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8))];
  if (!DAY.test(day) || month < 1 || month > 12 || dayOfMonth < 1 || dayOfMonth > daysIn(year, month))
    throw new RangeError(`${day} is not a calendar day`);
  // Years begin in March, so that a leap day is the last of its year: days of 400 years, of the remaining years, of the months.
  const [marchYear, monthSinceMarch] = month > 2 ? [year, month - 3] : [year - 1, month + 9];
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  return 365 * marchYear + leapDays + Math.floor((153 * monthSinceMarch + 2) / 5) + dayOfMonth - 1 - MARCH_OF_YEAR_0;
}

/** Days from the first of March of the year 0 to 1970-01-01. */
const MARCH_OF_YEAR_0 = 719_468;

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

export function isDay(text: string): boolean {
  try {
    dayNumber(text);
    return true;
  } catch {
    return false;
  }
}

export function toDay(number: number): string {
  return new Date(number * MS_PER_DAY).toISOString().slice(0, 10);
}

export function addDays(day: string, days: number): string {
  return toDay(dayNumber(day) + days);
}

/** The same day of another month, or the last day of a shorter month. */
export function addMonths(day: string, months: number): string {
  dayNumber(day);
  const index = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months;
  const month = `${String(Math.floor(index / 12)).padStart(4, '0')}-${pad((((index % 12) + 12) % 12) + 1)}`;
  const last = lastDayOfMonth(month);
  return Number(day.slice(8)) > Number(last.slice(8)) ? last : `${month}-${day.slice(8)}`;
}

/** @param month `YYYY-MM` */
export function lastDayOfMonth(month: string): string {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).toISOString().slice(0, 10);
}

/** The last instant of that UTC day: the knowledge time of a date without a time of day. */
export function endOfDay(day: string): string {
  dayNumber(day);
  return `${day}T23:59:59.999Z`;
}

/** ISO 8601 week label of a day: `2026-W37`. */
export function isoWeek(day: string): string {
  const number = dayNumber(day);
  const weekday = (((number + 3) % 7) + 7) % 7; // Monday is 0
  const thursday = toDay(number - weekday + 3);
  const year = thursday.slice(0, 4);
  const week = Math.floor((dayNumber(thursday) - dayNumber(`${year}-01-01`)) / 7) + 1;
  return `${year}-W${pad(week)}`;
}

/**
 * The reference period of that frequency with the given day. A weekly period ends on the given day, because publishers
 * date weekly figures by the week's last day (jobless claims: Saturday, positions: Tuesday).
 */
export function periodOf(frequency: Frequency, day: string): Period {
  dayNumber(day);
  const year = day.slice(0, 4);
  const month = day.slice(0, 7);
  switch (frequency) {
    case 'annual':
      return { period: year, periodStart: `${year}-01-01`, periodEnd: `${year}-12-31` };
    case 'quarterly': {
      const quarter = Math.floor((Number(day.slice(5, 7)) - 1) / 3);
      return {
        period: `${year}-Q${quarter + 1}`,
        periodStart: `${year}-${pad(quarter * 3 + 1)}-01`,
        periodEnd: lastDayOfMonth(`${year}-${pad(quarter * 3 + 3)}`),
      };
    }
    case 'monthly':
      return { period: month, periodStart: `${month}-01`, periodEnd: lastDayOfMonth(month) };
    case 'weekly':
      return { period: isoWeek(day), periodStart: addDays(day, -6), periodEnd: day };
    case 'daily':
    case 'event':
    case 'static':
      return { period: day, periodStart: day, periodEnd: day };
  }
}

/** The quarter of a year by its number, 1 to 4, in the notation of files: `2026-Q1`, `2026.1`, `2026q1`. */
export function quarterOf(year: string, number: string): Period {
  return periodOf('quarterly', `${year}-${pad(3 * Number(number))}-01`);
}

/** Days from 0001-01-01, a Monday, to 1970-01-01. */
const MONDAY_OF_YEAR_1 = 719_162;

/**
 * The number of a period within its frequency: consecutive periods have consecutive numbers. Null for frequencies
 * without a calendar. The macro calendar_place of sql/macros computes the same.
 * @param end the period's last day, as days since 1970-01-01
 */
export function calendarPlace(frequency: Frequency, end: number): number | null {
  if (frequency === 'weekly') return Math.floor((end + MONDAY_OF_YEAR_1) / 7);
  if (frequency !== 'annual' && frequency !== 'quarterly' && frequency !== 'monthly') return null;
  const day = new Date(end * MS_PER_DAY);
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  if (frequency === 'annual') return year;
  return frequency === 'quarterly' ? 4 * year + Math.floor(month / 3) : 12 * year + month;
}

/** `2024`, `2024-03` or `2024-Q1` (q in either case) as inclusive bounds on period_end; null for anything else. */
export function calendarSpan(text: string): { readonly from: string; readonly to: string } | null {
  const match = /^(\d{4})(?:-(0[1-9]|1[0-2]|[Qq][1-4]))?$/.exec(text);
  if (!match) return null;
  const [, year, part] = match;
  if (part === undefined) return { from: `${year}-01-01`, to: `${year}-12-31` };
  if (/^\d/.test(part)) return { from: `${year}-${part}-01`, to: lastDayOfMonth(`${year}-${part}`) };
  const { periodStart, periodEnd } = quarterOf(year ?? '', part.slice(1));
  return { from: periodStart, to: periodEnd };
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

/** The UTC day of a moment, ms. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
