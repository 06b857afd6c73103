// FRED's units and frequencies, by its own formulas (fred.stlouisfed.org/docs/api: series/observations), for values known at one moment.
import type { Frequency } from '../catalogue.ts';

export interface Value {
  readonly date: string;
  readonly value: number | null;
}

export const UNITS = ['lin', 'chg', 'ch1', 'pch', 'pc1', 'pca', 'cch', 'cca', 'log'] as const;
export type Units = (typeof UNITS)[number];

/** For frequencies that count in months. */
export const MONTHS: Readonly<Record<Frequency, number | null>> = { daily: null, weekly: null, monthly: 1, quarterly: 3, annual: 12 };
const PER_YEAR: Readonly<Record<Frequency, number>> = { daily: 260, weekly: 52, monthly: 12, quarterly: 4, annual: 1 };

/**
 * Computes each value from those before it. Null if one is missing, or if a logarithm or quotient is undefined. `ch1` and `pc1` look a year
 * back by date. For days and weeks that is 364 days: FRED counts 260 days without weekends, or 52 weeks.
 */
export function inUnits(values: readonly Value[], units: Units, frequency: Frequency): readonly Value[] {
  if (units === 'lin') return values;
  const byDate = new Map(values.map(({ date, value }) => [date, value]));
  const n = PER_YEAR[frequency];
  const formulas: Readonly<Record<Exclude<Units, 'lin'>, (x: number, last: number | null, year: number | null) => number | null>> = {
    chg: (x, last) => (last === null ? null : x - last),
    ch1: (x, _, year) => (year === null ? null : x - year),
    pch: (x, last) => (last === null ? null : (x / last - 1) * 100),
    pc1: (x, _, year) => (year === null ? null : (x / year - 1) * 100),
    pca: (x, last) => (last === null ? null : ((x / last) ** n - 1) * 100),
    cch: (x, last) => (last === null ? null : (Math.log(x) - Math.log(last)) * 100),
    cca: (x, last) => (last === null ? null : (Math.log(x) - Math.log(last)) * 100 * n),
    log: (x) => Math.log(x),
  };
  return values.map(({ date, value }, i) => {
    const months = MONTHS[frequency];
    // For days and weeks, the previous value is the previous row. For months, it is that of the previous month, or null if that month is
    // missing.
    const last = months === null ? values[i - 1]?.value : byDate.get(monthsBefore(date, months));
    const result = value === null ? null : formulas[units](value, last ?? null, byDate.get(yearBefore(date, frequency)) ?? null);
    return { date, value: result !== null && Number.isFinite(result) ? result : null };
  });
}

export const AGGREGATIONS = ['avg', 'sum', 'eop'] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

/** FRED's letters, and the months of each. */
const COARSER = { m: 1, q: 3, sa: 6, a: 12 } as const;
/** FRED's letters for weeks, and the day on which each ends: 0 is Sunday. Plain weeks end on Friday. */
const WEEKS = { w: 5, wem: 1, wetu: 2, wew: 3, weth: 4, wef: 5, wesa: 6, wesu: 0 } as const;
type Week = keyof typeof WEEKS;
export type Coarser = keyof typeof COARSER | Week;

/** FRED's letters of frequencies, without biweekly ones. */
export const ASKED_FREQUENCIES = ['d', 'w', 'wem', 'wetu', 'wew', 'weth', 'wef', 'wesa', 'wesu', 'm', 'q', 'sa', 'a'] as const;
export type AskedFrequency = (typeof ASKED_FREQUENCIES)[number];

const isWeek = (frequency: AskedFrequency): frequency is Week => frequency in WEEKS;

/**
 * What to aggregate to. Null if the series already has that frequency: no value changes. Undefined if the series has only coarser values, or
 * weeks that end on another day.
 */
export function coarserOf(values: readonly Value[], frequency: Frequency, asked: AskedFrequency): Coarser | null | undefined {
  if (frequency === 'daily') return asked === 'd' ? null : asked;
  if (asked === 'd') return undefined;
  if (!isWeek(asked)) {
    const own = MONTHS[frequency] ?? 0;
    return COARSER[asked] === own ? null : COARSER[asked] > own ? asked : undefined;
  }
  const isOwn = asked === 'w' || values.every(({ date }) => new Date(date).getUTCDay() === WEEKS[asked]);
  return frequency === 'weekly' && isOwn ? null : undefined;
}

/** For the formulas of units. They do not exist for half-years. */
export const frequencyOf = (asked: Coarser): Frequency =>
  isWeek(asked) ? 'weekly' : ({ m: 'monthly', q: 'quarterly', sa: 'annual', a: 'annual' } as const)[asked];

/**
 * The values that FRED needs in the first and the last period: days and weeks may lack some because of holidays
 * (fredhelp.stlouisfed.org: missing values of first and last observations).
 */
const LEAST = {
  daily: { w: 4, m: 17, q: 52, sa: 104, a: 208 },
  weekly: { w: 1, m: 3, q: 10, sa: 20, a: 39 },
} as const;

/**
 * Months and quarters make a coarser value if none of them is missing. For days and weeks, the available values count; the first and the
 * last period need as many as FRED asks for. A week belongs to the period in which it ends.
 */
export function aggregated(values: readonly Value[], frequency: Frequency, to: Coarser, method: Aggregation): readonly Value[] {
  const dateOf = (date: string) => (isWeek(to) ? weekEnd(date, WEEKS[to]) : periodStart(date, COARSER[to]));
  const periods = new Map<string, Value[]>();
  for (const value of values) {
    const those = periods.get(dateOf(value.date));
    if (those === undefined) periods.set(dateOf(value.date), [value]);
    else those.push(value);
  }
  const edges = new Set([values[0], values.at(-1)].flatMap((edge) => (edge === undefined ? [] : [dateOf(edge.date)])));
  return [...periods].map(([date, those]) => {
    const known = those.flatMap(({ value }) => (value === null ? [] : [value]));
    if (known.length < leastOf(frequency, to, edges.has(date))) return { date, value: null };
    const sum = known.reduce((total, value) => total + value, 0);
    return { date, value: { avg: sum / known.length, sum, eop: known.at(-1) ?? null }[method] };
  });
}

function leastOf(frequency: Frequency, to: Coarser, isEdge: boolean): number {
  if (frequency === 'daily' || frequency === 'weekly') return isEdge ? LEAST[frequency][isWeek(to) ? 'w' : to] : 1;
  return isWeek(to) ? 1 : COARSER[to] / (MONTHS[frequency] ?? 1);
}

function periodStart(date: string, months: number): string {
  const month = Number(date.slice(5, 7)) - 1;
  return `${date.slice(0, 4)}-${String(month - (month % months) + 1).padStart(2, '0')}-01`;
}

const DAY_MS = 86_400_000;
const daysAfter = (date: string, days: number) => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);
const weekEnd = (date: string, weekday: number) => daysAfter(date, (weekday - new Date(date).getUTCDay() + 7) % 7);

const yearBefore = (date: string, frequency: Frequency) => (MONTHS[frequency] === null ? daysAfter(date, -364) : monthsBefore(date, 12));

/** For the first day of a month. */
function monthsBefore(date: string, months: number): string {
  const month = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 - months;
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;
}
