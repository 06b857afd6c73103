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
 * back by date.
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
    const result = value === null ? null : formulas[units](value, last ?? null, byDate.get(monthsBefore(date, 12)) ?? null);
    return { date, value: result !== null && Number.isFinite(result) ? result : null };
  });
}

export const AGGREGATIONS = ['avg', 'sum', 'eop'] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

/** FRED's letters, and the months of each. */
export const COARSER = { m: 1, q: 3, sa: 6, a: 12 } as const;
export type Coarser = keyof typeof COARSER;

/**
 * A coarser period has a value if all of its months or quarters have one. For days and weeks, the available values count once a later
 * period has begun.
 */
export function aggregated(values: readonly Value[], frequency: Frequency, to: Coarser, method: Aggregation): readonly Value[] {
  const months = COARSER[to];
  const finer = MONTHS[frequency];
  const parts = finer === null ? null : months / finer;
  const periods = new Map<string, Value[]>();
  for (const value of values) {
    const start = periodStart(value.date, months);
    const those = periods.get(start) ?? [];
    periods.set(start, those);
    those.push(value);
  }
  const last = values.length === 0 ? '' : periodStart(values.at(-1)?.date ?? '', months);
  return [...periods].map(([date, those]) => {
    const known = those.flatMap(({ value }) => (value === null ? [] : [value]));
    const isWhole = parts === null ? date !== last && known.length > 0 : known.length === parts;
    if (!isWhole) return { date, value: null };
    const sum = known.reduce((total, value) => total + value, 0);
    return { date, value: { avg: sum / known.length, sum, eop: known.at(-1) ?? null }[method] };
  });
}

function periodStart(date: string, months: number): string {
  const month = Number(date.slice(5, 7)) - 1;
  return `${date.slice(0, 4)}-${String(month - (month % months) + 1).padStart(2, '0')}-01`;
}

/** For the first day of a month. */
function monthsBefore(date: string, months: number): string {
  const month = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 - months;
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`;
}
