import type { Series } from './simple-exponential-smoothing.ts';

/** Random walk: every forecast is the last value. The benchmark; assumes nothing. Forecasting: Principles and Practice, section 5.2. */
export function naive(history: Series, horizon: number): number[] {
  return Array.from({ length: horizon }, () => history.at(-1) ?? Number.NaN);
}

/** The value of the same period of the last season; for a season of one period the random walk. Forecasting: Principles and Practice, section 5.2. */
export function seasonalNaive(history: Series, horizon: number, period: number): number[] {
  return Array.from({ length: horizon }, (_, index) => history[history.length - period + (index % period)] ?? Number.NaN);
}
