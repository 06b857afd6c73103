import { nelderMead, type Point } from './minimise.ts';
import type { Series } from './simple-exponential-smoothing.ts';

/** α of the level, β* of the trend, φ by which the trend is damped each step. */
export interface DampedHoltParameters {
  readonly alpha: number;
  readonly beta: number;
  readonly phi: number;
}

export interface DampedHoltStart {
  readonly level: number;
  readonly trend: number;
}

// φ below 0.8 damps within a few steps, above 0.98 is nearly 1 (Forecasting: Principles and Practice, section 8.2).
const BOX = { lower: [1e-4, 1e-4, 0.8], upper: [1, 1, 0.98] };
const COARSE_ALPHAS = [0.1, 0.4, 0.7, 0.95];
const COARSE_BETAS = [0.01, 0.1, 0.4];
const COARSE_PHIS = [0.85, 0.96];
const STEPS = 40;

/** Level and trend before the first point: intercept and slope of the line through the first ten. Hyndman et al. (2008), section 2.6.1. */
export function startOf(history: Series): DampedHoltStart {
  const first = history.subarray(0, 10);
  const middle = (first.length + 1) / 2;
  const mean = first.reduce((sum, value) => sum + value, 0) / first.length;
  let [cross, square] = [0, 0];
  first.forEach((value, index) => {
    cross += (index + 1 - middle) * (value - mean);
    square += (index + 1 - middle) ** 2;
  });
  const trend = square === 0 ? 0 : cross / square;
  return { level: mean - trend * middle, trend };
}

/**
 * The one-step forecast made after each point, lₜ + φ bₜ, where lₜ = α yₜ + (1 − α)(lₜ₋₁ + φ bₜ₋₁) and
 * bₜ = β* (lₜ − lₜ₋₁) + (1 − β*) φ bₜ₋₁. The first forecast, of y₁, is l₀ + φ b₀.
 */
export function dampedHoltOneStep(history: Series, parameters: DampedHoltParameters, start = startOf(history)): Float64Array {
  const state = { ...start };
  return history.map((value) => {
    advance(state, value, parameters);
    return state.level + parameters.phi * state.trend;
  });
}

/**
 * Damped Holt: a trend that fades, yₙ₊ₕ = lₙ + (φ + φ² + … + φʰ) bₙ. Assumes additive errors of constant variance, regular spacing, no gaps
 * and no season. Gardner & McKenzie (1985), Management Science 31(10), 1237-1246.
 */
export function dampedHolt(history: Series, horizon: number, parameters = fitDampedHolt(history), start = startOf(history)): number[] {
  const state = { ...start };
  for (const value of history) advance(state, value, parameters);
  let damping = 0;
  return Array.from({ length: horizon }, (_, index) => {
    damping += parameters.phi ** (index + 1);
    return state.level + damping * state.trend;
  });
}

function advance(state: { level: number; trend: number }, value: number, { alpha, beta, phi }: DampedHoltParameters): void {
  const damped = phi * state.trend;
  const level = alpha * value + (1 - alpha) * (state.level + damped);
  state.trend = beta * (level - state.level) + (1 - beta) * damped;
  state.level = level;
}

/** The parameters with the smallest sum of squared one-step errors for a fixed start: a coarse grid, then Nelder-Mead from its best point. */
export function fitDampedHolt(history: Series): DampedHoltParameters {
  const start = startOf(history);
  const objective = (point: Point) => squaredErrors(history, start, point[0] ?? 0, point[1] ?? 0, point[2] ?? 0);
  let best: readonly number[] = [0.4, 0.1, 0.85];
  let least = Infinity;
  for (const alpha of COARSE_ALPHAS)
    for (const beta of COARSE_BETAS)
      for (const phi of COARSE_PHIS) {
        const value = squaredErrors(history, start, alpha, beta, phi);
        if (value < least) [best, least] = [[alpha, beta, phi], value];
      }
  const [alpha = 0, beta = 0, phi = 0] = nelderMead(objective, BOX, best, [0.1, 0.1, 0.05], STEPS);
  return { alpha, beta, phi };
}

function squaredErrors(history: Series, start: DampedHoltStart, alpha: number, beta: number, phi: number): number {
  let { level, trend } = start;
  let sum = 0;
  for (const value of history) {
    const damped = phi * trend;
    const error = value - level - damped;
    sum += error * error;
    const next = level + damped + alpha * error;
    trend = beta * (next - level) + (1 - beta) * damped;
    level = next;
  }
  return sum;
}
