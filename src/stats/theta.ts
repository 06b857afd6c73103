import { fitSmoothing, type Series, simpleExponentialSmoothing, smoothedLevels } from './simple-exponential-smoothing.ts';

/**
 * Theta, θ = 2: simple exponential smoothing with a drift of half the slope b of the line fitted to the history,
 * yₙ₊ₕ = lₙ + b/2 · (h − 1 + (1 − (1 − α)ⁿ) / α). Expects a seasonally adjusted, regularly spaced history without gaps.
 * Assimakopoulos & Nikolopoulos (2000), IJF 16(4), 521-530; for the equivalence Hyndman & Billah (2003), IJF 19(2), 287-290.
 */
export function theta(history: Series, horizon: number, alpha = fitSmoothing(history)): number[] {
  const drift = slopes(history).at(-1) ?? Number.NaN;
  const steps = driftSteps(history.length, alpha);
  return simpleExponentialSmoothing(history, horizon, alpha).map((level, index) => level + (drift / 2) * (index + steps));
}

/** The one-step forecast after each point from the points up to it, for a given α. */
export function thetaOneStep(history: Series, alpha: number): Float64Array {
  const drifts = slopes(history);
  return smoothedLevels(history, alpha).map((level, index) => level + ((drifts[index] ?? 0) / 2) * driftSteps(index + 1, alpha));
}

function driftSteps(length: number, alpha: number): number {
  return (1 - (1 - alpha) ** length) / alpha;
}

/** Least-squares slopes of the first 1, 2, … points against their number; 0 for one point. */
function slopes(history: Series): Float64Array {
  const first = history[0] ?? 0;
  let [sum, weighted] = [0, 0];
  return history.map((value, index) => {
    // Relative to the first value, because sums of large levels would lose the slope's digits.
    sum += value - first;
    weighted += index * (value - first);
    const n = index + 1;
    return n === 1 ? 0 : (weighted - (sum * index) / 2) / ((n * (n * n - 1)) / 12);
  });
}
