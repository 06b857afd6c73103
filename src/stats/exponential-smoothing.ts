import { goldenSection, nelderMead, type Point } from './minimise.ts';
import type { Series } from './simple-exponential-smoothing.ts';

/** Additive errors; no trend, an additive one, a damped one; no season. */
export type TrendKind = 'ANN' | 'AAN' | 'AAdN';

/** α of the level, β of the trend (at most α), φ by which the trend is damped each step, and the states before the first point. */
export interface SmoothingModel {
  readonly kind: TrendKind;
  readonly alpha: number;
  readonly beta: number;
  readonly phi: number;
  readonly level: number;
  readonly trend: number;
  /** Sum of squared one-step errors. */
  readonly squares: number;
}

const LEAST = 1e-4;
const MOST = 0.9999;
// φ below 0.8 damps within a few steps, above 0.98 is nearly 1 (Forecasting: Principles and Practice, section 8.2).
const PHIS = { least: 0.8, most: 0.98 };
/** Limits α: a trend that turns with each error follows the noise of a short history. */
const MOST_OF_ALPHA = 0.3;
const COARSE_ALPHAS = [0.1, 0.5, 0.9];
/** As shares of α. */
const COARSE_BETAS = [0.01, 0.15];
const COARSE_PHI = 0.92;
const STEPS = 30;
/** A start counts as forgotten once less than this of it is left. */
const FORGOTTEN = 1e-9;
/** Parameters, starting states and the variance. */
const COUNTED: Readonly<Record<TrendKind, number>> = { ANN: 3, AAN: 5, AAdN: 6 };

/**
 * ETS chosen by AICc among ANN, AAN and AAdN, each with the greatest likelihood; the simpler one in a tie, or if n is too small for AICc.
 * Hyndman, Koehler, Ord & Snyder (2008), Forecasting with Exponential Smoothing, sections 2.5 and 7.2.
 */
export function fitExponentialSmoothing(history: Series): SmoothingModel {
  const first = history[0] ?? 0;
  // Relative to the first value, because sums of squares of large levels would lose the errors' digits.
  const relative = history.map((value) => value - first);
  const size = relative.reduce((sum, value) => sum + value * value, 0);
  let chosen = fitOfKind(relative, 'ANN');
  let least = aicc(chosen, relative.length);
  for (const kind of ['AAN', 'AAdN'] as const) {
    // A fit without errors cannot be improved.
    if (relative.length <= COUNTED[kind] + 1 || chosen.squares <= 1e-20 * size) continue;
    const model = fitOfKind(relative, kind);
    const criterion = aicc(model, relative.length);
    if (criterion < least) [chosen, least] = [model, criterion];
  }
  return { ...chosen, level: chosen.level + first };
}

/** n ln(SSE / n) + 2k + 2k(k + 1) / (n − k − 1), without the terms that all models share. */
export function aicc({ kind, squares }: Pick<SmoothingModel, 'kind' | 'squares'>, n: number): number {
  const k = COUNTED[kind];
  return n * Math.log(squares / n) + 2 * k + (2 * k * (k + 1)) / (n - k - 1);
}

function fitOfKind(history: Series, kind: TrendKind): SmoothingModel {
  if (kind === 'ANN')
    return levelAt(
      history,
      goldenSection((one) => levelAt(history, one).squares, LEAST, MOST),
    );
  const isDamped = kind === 'AAdN';
  const scratch = scratchFor(history);
  const squaresAt = (point: Point) => {
    const alpha = point[0] ?? 0;
    return trendAt(history, scratch, alpha, alpha * (point[1] ?? 0), point[2] ?? 1);
  };
  let best: readonly number[] = isDamped ? [0.5, 0.15, COARSE_PHI] : [0.5, 0.15];
  let least = Infinity;
  for (const alpha of COARSE_ALPHAS)
    for (const part of COARSE_BETAS) {
      const point = isDamped ? [alpha, part, COARSE_PHI] : [alpha, part];
      const squares = squaresAt(point);
      if (squares < least) [best, least] = [point, squares];
    }
  const box = isDamped
    ? { lower: [LEAST, LEAST, PHIS.least], upper: [MOST, MOST_OF_ALPHA, PHIS.most] }
    : { lower: [LEAST, LEAST], upper: [MOST, MOST_OF_ALPHA] };
  const point = nelderMead(squaresAt, box, best, [0.1, 0.1, 0.05], STEPS);
  const squares = squaresAt(point);
  const [alpha = 0, share = 0, phi = 1] = point;
  const [level = 0, trend = 0] = scratch.found;
  return { kind, alpha, beta: alpha * share, phi, level, trend, squares };
}

/** ANN for a given α with the best start: eₜ = zₜ − l₀ (1 − α)ᵗ⁻¹. */
function levelAt(history: Series, alpha: number): SmoothingModel {
  let [level, left] = [0, 1];
  let [zz, zp, pp] = [0, 0, 0];
  for (let index = 0; index < history.length; index += 1) {
    const z = (history[index] ?? 0) - level;
    zz += z * z;
    zp += z * left;
    pp += left * left;
    level += alpha * z;
    left *= 1 - alpha;
  }
  const start = zp / pp;
  return { kind: 'ANN', alpha, beta: 0, phi: 1, level: start, trend: 0, squares: Math.max(0, zz - start * zp) };
}

/** Memory that all calls of one fit share: an object for each of the many calls would be garbage. */
interface Scratch {
  /** z, p and r of `trendAt`. */
  readonly errors: Float64Array;
  readonly ofLevel: Float64Array;
  readonly ofTrend: Float64Array;
  /** The best starting states, level first. */
  readonly found: Float64Array;
}

function scratchFor({ length }: Series): Scratch {
  const [errors, ofLevel, ofTrend] = [new Float64Array(length), new Float64Array(length), new Float64Array(length)];
  return { errors, ofLevel, ofTrend, found: new Float64Array(2) };
}

/**
 * The errors are linear in the starting states: eₜ = zₜ − l₀ pₜ − b₀ rₜ, where z are the errors from states of 0, and p and r the parts of a start of 1 that
 * remain in the t-th forecast. Their best values solve the normal equations, and stand in `found` afterwards. Returns the sum of squared errors.
 * The sums have a loop of their own, because one loop for all takes twice the time: its numbers do not fit into the registers.
 */
function trendAt(history: Series, { errors, ofLevel, ofTrend, found }: Scratch, alpha: number, beta: number, phi: number): number {
  const { length } = history;
  const kept = 1 - alpha;
  let [level, trend] = [0, 0];
  let [levelOfLevel, trendOfLevel] = [1, 0];
  let [levelOfTrend, trendOfTrend] = [0, 1];
  let count = 0;
  for (
    ;
    count < length && Math.abs(levelOfLevel) + Math.abs(trendOfLevel) + Math.abs(levelOfTrend) + Math.abs(trendOfTrend) > FORGOTTEN;
    count += 1
  ) {
    const damped = phi * trend;
    const dampedOfLevel = phi * trendOfLevel;
    const dampedOfTrend = phi * trendOfTrend;
    const z = (history[count] ?? 0) - level - damped;
    const p = levelOfLevel + dampedOfLevel;
    const r = levelOfTrend + dampedOfTrend;
    errors[count] = z;
    ofLevel[count] = p;
    ofTrend[count] = r;
    level += damped + alpha * z;
    trend = damped + beta * z;
    levelOfLevel = p * kept;
    trendOfLevel = dampedOfLevel - beta * p;
    levelOfTrend = r * kept;
    trendOfTrend = dampedOfTrend - beta * r;
  }
  let [zz, zp, zr, pp, pr, rr] = [0, 0, 0, 0, 0, 0];
  for (let index = 0; index < count; index += 1) {
    const z = errors[index] ?? 0;
    const p = ofLevel[index] ?? 0;
    const r = ofTrend[index] ?? 0;
    zz += z * z;
    zp += z * p;
    zr += z * r;
    pp += p * p;
    pr += p * r;
    rr += r * r;
  }
  for (let index = count; index < length; index += 1) {
    const damped = phi * trend;
    const z = (history[index] ?? 0) - level - damped;
    zz += z * z;
    level += damped + alpha * z;
    trend = damped + beta * z;
  }
  const determinant = pp * rr - pr * pr;
  const b = determinant <= 1e-12 * pp * rr ? 0 : (pp * zr - pr * zp) / determinant;
  const l = (zp - b * pr) / pp;
  found[0] = l;
  found[1] = b;
  return Math.max(0, zz - 2 * l * zp - 2 * b * zr + l * l * pp + 2 * l * b * pr + b * b * rr);
}

function advance(state: { level: number; trend: number }, value: number, { alpha, beta, phi }: SmoothingModel): void {
  const damped = phi * state.trend;
  const error = value - state.level - damped;
  state.level += damped + alpha * error;
  state.trend = damped + beta * error;
}

/** The one-step forecast after each point from the points up to it, for a given model. */
export function exponentialSmoothingOneStep(history: Series, model: SmoothingModel): Float64Array {
  const state = { level: model.level, trend: model.trend };
  return history.map((value) => {
    advance(state, value, model);
    return state.level + model.phi * state.trend;
  });
}

/** yₙ₊ₕ = lₙ + (φ + φ² + … + φʰ) bₙ. Assumes additive errors of constant variance, regular spacing, no gaps and no season. */
export function exponentialSmoothing(history: Series, horizon: number, model = fitExponentialSmoothing(history)): number[] {
  const state = { level: model.level, trend: model.trend };
  for (const value of history) advance(state, value, model);
  let damping = 0;
  return Array.from({ length: horizon }, (_, index) => {
    damping += model.phi ** (index + 1);
    return state.level + damping * state.trend;
  });
}
