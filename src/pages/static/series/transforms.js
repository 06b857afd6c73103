// Transforms of the values of one vintage: each result comes from values that were known together.
import { printAt } from '../charts/vintages.js';
import { differenceUnit } from '../numbers.js';

export const TRANSFORMS = [
  { id: 'level', label: 'As is' },
  { id: 'change', label: 'Change' },
  { id: 'percent', label: '% change' },
  { id: 'year', label: '% from a year before' },
  { id: 'index', label: 'Index, first = 100' },
];

/** The unit of the results. */
export function unitOf(transform, unit) {
  if (transform === 'percent' || transform === 'year') return '%';
  if (transform === 'change') return differenceUnit(unit);
  return transform === 'index' ? 'index' : unit;
}

/** What the results for a period are, in words; `from` is the period that it is compared with, undefined without one. */
export function toldOf(transform, from, unit) {
  if (from === undefined) return 'There is no period to compare it with.';
  if (transform === 'index') return `The index is 100 in ${from}. Both values are those known at each moment.`;
  return `${transform === 'change' ? `Change from ${from}, in ${differenceUnit(unit)}` : `Change from ${from}, in %`}: both values are those known at each moment.`;
}

const DAY_MS = 86_400_000;
const MONTHS = { monthly: 1, quarterly: 3, annual: 12 };

/**
 * For each period, the index of the period from which `transform` starts, -1 if there is none: the calendar period before, or that of a year before, never
 * the nearest one. A year is 52 weeks for days and weeks; the day before is a weekday if the series has no weekends. The base of an index is the
 * first period.
 */
export function baseOf(periods, transform, frequency) {
  if (transform === 'index') return periods.map(() => 0);
  const byEnd = new Map(periods.map(({ periodEnd }, at) => [periodEnd, at]));
  const before = stepOf(periods, transform === 'year', frequency);
  return periods.map(({ periodEnd }) => byEnd.get(before(periodEnd)) ?? -1);
}

/** periodEnd → the end of the period to compare it with. */
function stepOf(periods, isYear, frequency) {
  const months = isYear ? 12 : MONTHS[frequency];
  if (MONTHS[frequency] !== undefined) return (day) => monthsBefore(day, months);
  if (isYear) return (day) => daysBefore(day, 364);
  if (frequency === 'weekly') return (day) => daysBefore(day, 7);
  const hasWeekends = periods.some(({ periodEnd }) => weekdayOf(periodEnd) === 0 || weekdayOf(periodEnd) === 6);
  return (day) => daysBefore(day, !hasWeekends && weekdayOf(day) === 1 ? 3 : 1);
}

const weekdayOf = (day) => new Date(`${day}T00:00:00Z`).getUTCDay();
const daysBefore = (day, count) => new Date(Date.parse(`${day}T00:00:00Z`) - count * DAY_MS).toISOString().slice(0, 10);

/** The last day of a month stays the last; periods of months end on it. */
function monthsBefore(day, count) {
  const [year, month, date] = day.split('-').map(Number);
  const last = (months) => new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  const isLast = date === last(0);
  return new Date(Date.UTC(year, month - 1 - count, isLast ? last(count) : Math.min(date, last(count)))).toISOString().slice(0, 10);
}

/** Null if a value is missing; for percentages and indices also if the one to compare with is not positive. */
export function resultOf(value, from, transform) {
  if (value === null || from === null) return null;
  if (transform === 'change') return Number((value - from).toPrecision(12));
  if (from <= 0) return null;
  return transform === 'index' ? (100 * value) / from : 100 * (value / from - 1);
}

/** Values of one vintage → results; `base` is that of `baseOf`. A vintage without the first period has no index. */
export function transformed(values, base, transform) {
  if (transform === 'level') return values;
  return values.map((value, at) => resultOf(value, base[at] === -1 ? null : values[base[at]], transform));
}

/** Each period as it was first published, by what was known at that moment: [{ value, from }], null for a period without a first print. */
export function firstPrints(periods, base, transform) {
  return periods.map(({ isBackfill, prints: [{ value, from }] }, at) => {
    if (isBackfill || value === null) return null;
    if (transform === 'level') return { value, from };
    const before = base[at] === -1 ? null : (printAt(periods[base[at]], from)?.value ?? null);
    const result = resultOf(value, before, transform);
    return result === null ? null : { value: result, from };
  });
}
