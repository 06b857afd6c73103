import type { Series } from './simple-exponential-smoothing.ts';

export type Decomposition = 'multiplicative' | 'additive';

const FEWEST_SEASONS = 3;
const CRITICAL = 1.645;

/**
 * M4's test at 90 %: the autocorrelation at one season is beyond 1.645 · √((1 + 2 Σ r²) / n), with the sum over the earlier lags. False for less
 * than three seasons and for a constant. Makridakis, Spiliotis & Assimakopoulos (2020), IJF 36(1), 54-74, with their code.
 */
export function isSeasonal(history: Series, period: number): boolean {
  const n = history.length;
  if (period < 2 || n < FEWEST_SEASONS * period) return false;
  const correlations = autocorrelations(history, period);
  const before = correlations.subarray(0, period - 1).reduce((sum, r) => sum + r * r, 0);
  return Math.abs(correlations[period - 1] ?? 0) > CRITICAL * Math.sqrt((1 + 2 * before) / n);
}

/** At lags 1 to `lags`, about the mean of the whole and divided by n; zeros for a constant. */
export function autocorrelations(history: Series, lags: number): Float64Array {
  // By distances from one of them: the sum of equal values is not exact in binary.
  const [origin = 0] = history;
  const mean = origin + history.reduce((sum, value) => sum + (value - origin), 0) / history.length;
  const deviations = history.map((value) => value - mean);
  const variance = deviations.reduce((sum, deviation) => sum + deviation * deviation, 0);
  return new Float64Array(lags).map((_, index) => {
    if (variance === 0) return 0;
    const lagged = deviations.subarray(index + 1);
    return lagged.reduce((sum, deviation, i) => sum + deviation * (deviations[i] ?? 0), 0) / variance;
  });
}

/**
 * Classical decomposition: the seasonal index of each position in the season, with position 0 for the first point. The trend is the centred
 * moving average over one season; an index is the mean of the rest at its position, and indices have the mean 1 (multiplicative) or 0
 * (additive). Assumes a constant season. Forecasting: Principles and Practice, section 3.4.
 */
export function seasonalIndices(history: Series, period: number, kind: Decomposition): Float64Array {
  const sums = new Float64Array(period);
  const counts = new Float64Array(period);
  const half = Math.floor(period / 2);
  for (let index = half; index < history.length - half; index += 1) {
    const trend = centredMean(history, index, period);
    const value = history[index] ?? Number.NaN;
    const position = index % period;
    sums[position] = (sums[position] ?? 0) + (kind === 'multiplicative' ? value / trend : value - trend);
    counts[position] = (counts[position] ?? 0) + 1;
  }
  const means = sums.map((sum, position) => sum / (counts[position] ?? 0));
  const mean = means.reduce((sum, value) => sum + value, 0) / period;
  return means.map((value) => (kind === 'multiplicative' ? value / mean : value - mean));
}

/** Over one season around a point, with half weight for the two ends of an even season. */
function centredMean(history: Series, index: number, period: number): number {
  const half = Math.floor(period / 2);
  const sum = history.subarray(index - half, index + half + 1).reduce((total, value) => total + value, 0);
  const ends = period % 2 === 0 ? ((history[index - half] ?? 0) + (history[index + half] ?? 0)) / 2 : 0;
  return (sum - ends) / period;
}

/** The history without its season. */
export function adjust(history: Series, indices: Float64Array, kind: Decomposition): Float64Array {
  return history.map((value, position) => {
    const seasonal = indices[position % indices.length] ?? Number.NaN;
    return kind === 'multiplicative' ? value / seasonal : value - seasonal;
  });
}

/** A value of the adjusted scale with the season of its position. */
export function reseason(value: number, position: number, indices: Float64Array, kind: Decomposition): number {
  const seasonal = indices[position % indices.length] ?? Number.NaN;
  return kind === 'multiplicative' ? value * seasonal : value + seasonal;
}
