import type { Series } from './simple-exponential-smoothing.ts';

/** Random walk: every forecast is the last value. The benchmark; assumes nothing. Forecasting: Principles and Practice, section 5.2. */
export function naive(history: Series, horizon: number): number[] {
  return Array.from({ length: horizon }, () => history.at(-1) ?? Number.NaN);
}
