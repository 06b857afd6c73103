// The baseline forecast of one history: the choice of the method, and the interval. comb_theta_damped_v1, and its parts in later models.
import { combThetaDamped, combThetaDampedErrors, naiveErrors, type Scale, scaleOf, type SeriesNature } from '../stats/comb-theta-damped.ts';
import { accuracyOf, type Outcome } from '../stats/forecast-accuracy.ts';
import { naive } from '../stats/naive.ts';
import type { Series } from '../stats/simple-exponential-smoothing.ts';
import { splitConformalWidth } from '../stats/split-conformal.ts';

export const LEVEL = 0.8;
/** The 90 % quantile of the standard normal distribution. */
const NORMAL_QUANTILE = 1.2815515655446004;

export const METHODS = ['naive_v1', 'comb_theta_damped_v1', 'comb_dotm_ets_v2', 'comb_dotm_ets_v3'] as const;
export type Method = (typeof METHODS)[number];

/** The history that a cadence requires, in periods. */
export interface CadenceRules {
  readonly periodsPerYear: number;
  readonly fewestForCombination: number;
  readonly fewest: number;
  /** The fewest errors for a split-conformal interval and for a verdict on the methods. */
  readonly fewestErrors: number;
  /** The number of errors used if the history is long enough. */
  readonly mostErrors: number;
  /** The fewest points before a rolling origin, for a history without a season. */
  readonly fewestTraining: number;
}

export const CADENCES = {
  monthly: { periodsPerYear: 12, fewestForCombination: 36, fewest: 12, fewestErrors: 24, mostErrors: 60, fewestTraining: 12 },
  quarterly: { periodsPerYear: 4, fewestForCombination: 20, fewest: 8, fewestErrors: 16, mostErrors: 40, fewestTraining: 4 },
  annual: { periodsPerYear: 1, fewestForCombination: 12, fewest: 8, fewestErrors: 8, mostErrors: 20, fewestTraining: 6 },
} as const satisfies Readonly<Record<string, CadenceRules>>;

export interface Candidate {
  readonly method: Method;
  readonly forecast: number;
  readonly lower: number;
  readonly upper: number;
}

/** The outcome of an earlier forecast of the series, as known when the next one is made. */
export interface EarlierForecast {
  readonly actual: number;
  readonly naive: number;
  readonly combination: number | null;
}

export interface BaselineForecast {
  readonly naive: Candidate;
  readonly combination: Candidate | null;
  /** True if the combination beat the naive forecast over the last periods of this history, in absolute and in squared error. */
  readonly isBetterWithin: () => boolean;
}

/** Forecasts the period after a history. */
export type BaselineMethod = (
  history: Series,
  nature: SeriesNature,
  rules: CadenceRules,
  earlier: readonly EarlierForecast[],
) => BaselineForecast | null;

export interface ForecastModel {
  readonly version: string;
  /** The time from which it forecasts, ms; earlier forecasts of other models stay. null: from the beginning. */
  readonly releasedAt: number | null;
  readonly method: BaselineMethod;
  /** True if the combination is published, judged by both outcomes at earlier releases. */
  readonly isKeptAtReleases: (outcomes: readonly Outcome[]) => boolean;
}

/**
 * Null if the history is too short, and for annual ones, which this model never forecasts. The interval uses the errors of the newest earlier forecasts,
 * which saw first prints and are compared with later revisions. If there are too few, the errors of a rolling origin within the history join them.
 */
export function baselineForecast(
  history: Series,
  nature: SeriesNature,
  rules: CadenceRules,
  earlier: readonly EarlierForecast[],
): BaselineForecast | null {
  if (history.length < rules.fewest || rules.periodsPerYear === 1) return null;
  const scale = scaleOf(history, nature);
  const isShort = history.length < rules.fewestForCombination;
  const count = isShort ? history.length - 1 : Math.min(rules.mostErrors, history.length - rules.fewestTraining);
  const walkWithin = once(() => naiveErrors(history, count, nature));
  const combinationWithin = once(() => combThetaDampedErrors(history, count, nature));

  const candidate = (method: Method, forecast: number, made: (one: EarlierForecast) => number | null, within: () => Float64Array) => {
    const released = earlier.flatMap((one) => errorOf(scale.to(one.actual), made(one), scale)).slice(-rules.mostErrors);
    const errors = released.length >= rules.fewestErrors ? released : [...within().subarray(released.length), ...released];
    const [centre, width] = [scale.to(forecast), widthOf(errors, rules)];
    // On a constant series the logarithm changes the last digit of the forecast.
    const [lower, upper] = [Math.min(forecast, scale.from(centre - width)), Math.max(forecast, scale.from(centre + width))];
    return { method, forecast, lower, upper };
  };
  const walk = candidate('naive_v1', naive(history, 1)[0] ?? Number.NaN, (one) => one.naive, walkWithin);
  const forecast = isShort ? Number.NaN : (combThetaDamped(history, 1, nature)[0] ?? Number.NaN);
  if (!Number.isFinite(forecast)) return { naive: walk, combination: null, isBetterWithin: () => false };
  return {
    naive: walk,
    combination: candidate('comb_theta_damped_v1', forecast, (one) => one.combination, combinationWithin),
    isBetterWithin: () => isBetter(combinationWithin(), walkWithin()),
  };
}

export function once<Result>(make: () => Result): () => Result {
  let made: Result | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

export function errorOf(actual: number, forecast: number | null, scale: Scale): number[] {
  const error = forecast === null ? Number.NaN : actual - scale.to(forecast);
  return Number.isFinite(error) ? [error] : [];
}

/** Closer in mean absolute and in mean squared error. */
export function isBetter(errors: ArrayLike<number>, thanErrors: ArrayLike<number>): boolean {
  return sum(errors, Math.abs) < sum(thanErrors, Math.abs) && sum(errors, square) < sum(thanErrors, square);
}

/** Closer than the naive forecast at earlier releases, in mean absolute scaled error and in root mean squared scaled error. */
export function isCloserAtReleases(outcomes: readonly Outcome[]): boolean {
  const { mase, naiveMase, rmseRatio } = accuracyOf(outcomes, LEVEL);
  return mase !== null && naiveMase !== null && rmseRatio !== null && mase < naiveMase && rmseRatio < 1;
}

/** Split conformal, else normal with the variance of the errors. */
function widthOf(errors: readonly number[], rules: CadenceRules): number {
  return conformalWidth(errors, rules) ?? normalWidth(sum(errors, square) / errors.length);
}

/** null while there are too few errors. */
export function conformalWidth(errors: readonly number[], rules: CadenceRules): number | null {
  return errors.length >= rules.fewestErrors ? splitConformalWidth(errors, LEVEL) : null;
}

export const normalWidth = (variance: number) => NORMAL_QUANTILE * Math.sqrt(variance);

const square = (value: number) => value * value;

function sum(values: ArrayLike<number>, of: (value: number) => number): number {
  let total = 0;
  for (let index = 0; index < values.length; index += 1) total += of(values[index] ?? 0);
  return total;
}
