import { goldenSection } from './minimise.ts';

export type Series = Float64Array;

/** Keeps (1 − (1 − α)ⁿ) / α of the Theta method finite. */
const LEAST_ALPHA = 1e-4;

/**
 * The level after each point: lₜ = α yₜ + (1 − α) lₜ₋₁, l₀ = y₁. The level after a point is the forecast of the next one, and of every later one.
 * Brown (1959), Statistical Forecasting for Inventory Control; Hyndman & Athanasopoulos, Forecasting: Principles and Practice, section 8.1.
 */
export function smoothedLevels(history: Series, alpha: number): Float64Array {
  const levels = new Float64Array(history.length);
  let level = history[0] ?? Number.NaN;
  let index = 0;
  for (const value of history) {
    level += alpha * (value - level);
    levels[index] = level;
    index += 1;
  }
  return levels;
}

function squaredErrors(history: Series, alpha: number): number {
  let level = history[0] ?? Number.NaN;
  let sum = 0;
  for (const value of history) {
    const error = value - level;
    sum += error * error;
    level += alpha * error;
  }
  return sum;
}

/** The α with the smallest sum of squared one-step errors. */
export function fitSmoothing(history: Series): number {
  return goldenSection((alpha) => squaredErrors(history, alpha), LEAST_ALPHA, 1);
}

/**
 * Simple exponential smoothing: a flat forecast at the last level. Assumes a level that wanders without trend or season, at regular
 * spacing without gaps.
 */
export function simpleExponentialSmoothing(history: Series, horizon: number, alpha = fitSmoothing(history)): number[] {
  const level = smoothedLevels(history, alpha).at(-1) ?? Number.NaN;
  return Array.from({ length: horizon }, () => level);
}

/** Variance of the one-step errors, with one degree of freedom for α. */
export function smoothingVariance(history: Series, alpha = fitSmoothing(history)): number {
  return squaredErrors(history, alpha) / Math.max(1, history.length - 2);
}
