import { goldenSection } from './minimise.ts';
import type { Series } from './simple-exponential-smoothing.ts';

/** α of the level, its start l₀, and the weight 1 − 1/θ of the trend: 0 is simple exponential smoothing, 1/2 the classic θ = 2. */
export interface DynamicThetaParameters {
  readonly alpha: number;
  readonly level: number;
  readonly weight: number;
}

// The same values as in the authors' own program (R package forecTheta).
const LEAST_ALPHA = 0.1;
const MOST_ALPHA = 0.99;
/** Errors that do not count, because a line through two points is no trend yet. */
const SKIPPED = 3;

/**
 * Intercept A and slope B of the least-squares line through the first 1, 2, … points, as they move on with each point:
 * ȳₜ = ((t − 1) ȳₜ₋₁ + yₜ) / t, Bₜ = ((t − 2) Bₜ₋₁ + 6 (yₜ − ȳₜ₋₁) / t) / (t + 1), Aₜ = ȳₜ − (t + 1)/2 · Bₜ.
 */
interface Line {
  count: number;
  mean: number;
  slope: number;
  intercept: number;
}

const noLine = (): Line => ({ count: 0, mean: 0, slope: 0, intercept: 0 });

function extend(line: Line, value: number): void {
  const t = line.count + 1;
  if (t > 1) line.slope = ((t - 2) * line.slope + (6 * (value - line.mean)) / t) / (t + 1);
  line.mean += (value - line.mean) / t;
  line.intercept = line.mean - ((t + 1) / 2) * line.slope;
  line.count = t;
}

interface Lines {
  readonly intercepts: Float64Array;
  readonly slopes: Float64Array;
}

/** Those known before each point; before the first, none. */
function linesBefore(history: Series): Lines {
  const intercepts = new Float64Array(history.length);
  const slopes = new Float64Array(history.length);
  const line = noLine();
  for (let index = 0; index < history.length; index += 1) {
    intercepts[index] = line.intercept;
    slopes[index] = line.slope;
    extend(line, history[index] ?? Number.NaN);
  }
  return { intercepts, slopes };
}

/**
 * For a given α the errors are linear in l₀ and in the weight: eₜ = zₜ − l₀ qₜ − w dₜ, where z are the errors of smoothing from 0, q = (1 − α)ᵗ⁻¹ and
 * d the trend's part. Their best values solve two normal equations, and stand in `found` afterwards: l₀, then the weight, which is set to the edge
 * if it is outside its range. Returns the sum of squared errors: a number, because an object for each of the many calls would be garbage.
 */
function fitAt(history: Series, { intercepts, slopes }: Lines, alpha: number, found: Float64Array): number {
  const kept = 1 - alpha;
  let [level, decay] = [0, 1];
  let [zz, zq, zd, qq, qd, dd] = [0, 0, 0, 0, 0, 0];
  let index = 0;
  // A loop of their own: a condition in the other one would triple its time.
  for (; index < SKIPPED && index < history.length; index += 1) {
    level += alpha * ((history[index] ?? 0) - level);
    decay *= kept;
  }
  for (; index < history.length; index += 1) {
    const z = (history[index] ?? 0) - level;
    const next = decay * kept;
    const d = decay * (intercepts[index] ?? 0) + ((1 - next) / alpha) * (slopes[index] ?? 0);
    zz += z * z;
    zq += z * decay;
    zd += z * d;
    qq += decay * decay;
    qd += decay * d;
    dd += d * d;
    level += alpha * z;
    decay = next;
  }
  const determinant = qq * dd - qd * qd;
  const free = determinant > 1e-12 * qq * dd ? (qq * zd - qd * zq) / determinant : 0;
  const weight = Math.min(1, Math.max(0, free));
  const start = (zq - weight * qd) / qq;
  found[0] = start;
  found[1] = weight;
  return zz - 2 * start * zq - 2 * weight * zd + start * start * qq + 2 * start * weight * qd + weight * weight * dd;
}

/** The parameters with the smallest sum of squared one-step errors. */
export function fitDynamicTheta(history: Series): DynamicThetaParameters {
  const first = history[0] ?? 0;
  // Relative to the first value, because sums of squares of large levels would lose the errors' digits.
  const relative = history.map((value) => value - first);
  const lines = linesBefore(relative);
  const found = new Float64Array(2);
  const alpha = goldenSection((one) => fitAt(relative, lines, one, found), LEAST_ALPHA, MOST_ALPHA);
  fitAt(relative, lines, alpha, found);
  const [level, weight] = [found[0] ?? 0, found[1] ?? 0];
  // A shift of all values by c adds c (1 − w) to the start: the line has the rest.
  return { alpha, weight, level: level + first * (1 - weight) };
}

interface State {
  level: number;
  decay: number;
  readonly line: Line;
}

/** μₜ = lₜ₋₁ + w ((1 − α)ᵗ⁻¹ Aₜ₋₁ + (1 − (1 − α)ᵗ) / α · Bₜ₋₁). */
function expected({ level, decay, line }: State, { alpha, weight }: DynamicThetaParameters): number {
  return level + weight * (decay * line.intercept + ((1 - decay * (1 - alpha)) / alpha) * line.slope);
}

function advance(state: State, value: number, { alpha }: DynamicThetaParameters): void {
  state.level += alpha * (value - state.level);
  state.decay *= 1 - alpha;
  extend(state.line, value);
}

/** The one-step forecast after each point from the points up to it, for given parameters. */
export function dynamicThetaOneStep(history: Series, parameters: DynamicThetaParameters): Float64Array {
  const state: State = { level: parameters.level, decay: 1, line: noLine() };
  return history.map((value) => {
    advance(state, value, parameters);
    return expected(state, parameters);
  });
}

/**
 * Dynamic optimised Theta (DOTM): simple exponential smoothing with a trend that is the line through all points so far, its weight 1 − 1/θ fitted with α and l₀.
 * A farther forecast uses the nearer ones as values. Expects a seasonally adjusted, regularly spaced history without gaps.
 * Fiorucci, Pellegrini, Louzada, Petropoulos & Koehler (2016), IJF 32(4), 1151-1161.
 */
export function dynamicTheta(history: Series, horizon: number, parameters = fitDynamicTheta(history)): number[] {
  const state: State = { level: parameters.level, decay: 1, line: noLine() };
  for (const value of history) advance(state, value, parameters);
  return Array.from({ length: horizon }, () => {
    const value = expected(state, parameters);
    advance(state, value, parameters);
    return value;
  });
}
