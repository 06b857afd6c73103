// Days of the sample, counted back from `now`.
import { addDays, dayNumber, toDay } from '../../src/model/period.ts';

export interface SampleFile {
  /** Below the mirror folder. */
  readonly path: string;
  readonly body: string | Uint8Array;
}

/** Every path of the sample begins with it, and so does every key in the lake: it marks a row as invented. */
export const SAMPLE_FOLDER = 'sample/';

export function yesterdayOf(now: number): string {
  return addDays(new Date(now).toISOString().slice(0, 10), -1);
}

/** 0 is Sunday. */
export function weekdayOf(day: string): number {
  return (dayNumber(day) + 4) % 7;
}

/** The last `count` days from Monday to Friday up to a day, ascending. */
export function businessDays(until: string, count: number): string[] {
  const days: string[] = [];
  for (let number = dayNumber(until); days.length < count; number -= 1) {
    const day = toDay(number);
    if (weekdayOf(day) !== 0 && weekdayOf(day) !== 6) days.unshift(day);
  }
  return days;
}

/** Months since January 2020 of the first of a month, days as fractions. */
export function monthsSince2020(day: string): number {
  return (Number(day.slice(0, 4)) - 2020) * 12 + Number(day.slice(5, 7)) - 1 + (Number(day.slice(8)) - 1) / 31;
}

/** The last `count` months up to and including one, ascending. @param until `YYYY-MM` */
export function months(until: string, count: number): string[] {
  const last = Number(until.slice(0, 4)) * 12 + Number(until.slice(5, 7)) - 1;
  return Array.from({ length: count }, (_, index) => monthLabel(last - count + 1 + index));
}

/** @param month `YYYY-MM` */
export function monthAfter(month: string, count: number): string {
  return monthLabel(Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + count);
}

function monthLabel(index: number): string {
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
}
