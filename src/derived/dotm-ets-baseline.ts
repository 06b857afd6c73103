// The baseline forecast of one history by comb_dotm_ets_v2: which method, on which scale, and the interval (docs/forecasts.md).
import { combDotmEts, combDotmEtsOneStep, hasSeason, seasonlessVariance } from '../stats/comb-dotm-ets.ts';
import { LOG, RAW, type Scale, scaleOf, type SeriesNature } from '../stats/comb-theta-damped.ts';
import { seasonalNaive } from '../stats/naive.ts';
import type { Series } from '../stats/simple-exponential-smoothing.ts';
import {
  type BaselineForecast,
  type CadenceRules,
  type Candidate,
  conformalWidth,
  type EarlierForecast,
  errorOf,
  isBetter,
  type Method,
  normalWidth,
  once,
} from './baseline-forecast.ts';

const FEWEST_SEASONS = 3;
/** The mean absolute error on the raw scale must be greater than on the log scale by this factor for the log scale to be preferred. */
const PREFERENCE = 1.1;

/**
 * Null for a history too short to say anything. The rival is the random walk, of a history that shows a season the value of a season before. Errors of a
 * positive level are relative, on whichever scale it is forecast. Those behind an interval are of the newest earlier forecasts, which saw first prints and are
 * measured against what was revised since; where there are too few of them, those of a rolling origin within the history join them.
 */
export function dotmEtsBaseline(
  history: Series,
  nature: SeriesNature,
  rules: CadenceRules,
  earlier: readonly EarlierForecast[],
): BaselineForecast | null {
  if (history.length < rules.fewest) return null;
  const errorScale = scaleOf(history, nature);
  const seasonalPeriod = hasSeason(history, nature) ? nature.seasonalPeriod : null;
  const lag = seasonalPeriod ?? 1;
  const fewestTraining = seasonalPeriod === null ? rules.fewestTraining : FEWEST_SEASONS * seasonalPeriod + 1;
  const count = Math.max(0, Math.min(rules.mostErrors, history.length - fewestTraining));

  const rivalErrors = once(() => lagErrors(history, lag, Math.min(rules.mostErrors, history.length - lag), errorScale));
  const candidate = (method: Method, forecast: number, released: readonly number[], within: () => Series, variance: () => number) => {
    const errors = released.length >= rules.fewestErrors ? released : [...within().subarray(released.length), ...released];
    const width = conformalWidth(errors, rules) ?? normalWidth(variance());
    const centre = errorScale.to(forecast);
    // On a constant series the way through the logarithm ends beside the forecast in the last digit.
    const [lower, upper] = [Math.min(forecast, errorScale.from(centre - width)), Math.max(forecast, errorScale.from(centre + width))];
    return { method, forecast, lower, upper } satisfies Candidate;
  };
  const releasedErrors = (made: (one: EarlierForecast) => number | null) =>
    earlier.flatMap((one) => errorOf(errorScale.to(one.actual), made(one), errorScale)).slice(-rules.mostErrors);

  const [rivalForecast = Number.NaN] = seasonalNaive(history, 1, lag);
  const rival = candidate('naive_v1', rivalForecast, releasedErrors((one) => one.naive), rivalErrors, () => meanSquare(rivalErrors()));
  if (history.length < rules.fewestForCombination) return { naive: rival, combination: null, isBetterWithin: () => false };

  const errorsOn = (scale: Scale) => {
    const made = combDotmEtsOneStep(history, count, nature, scale);
    return history.subarray(history.length - count).map((value, index) => errorScale.to(value) - errorScale.to(made[index] ?? Number.NaN));
  };
  const rawErrors = once(() => errorsOn(RAW));
  const logErrors = once(() => errorsOn(LOG));
  const mayBeLog = errorScale === LOG;
  // Of a level that falls fast the raw scale may say what no level can be.
  const isLog = mayBeLog && count > 0 && !(meanSize(rawErrors()) <= PREFERENCE * meanSize(logErrors()));
  const forecastOn = (scale: Scale) => combDotmEts(history, 1, nature, scale)[0] ?? Number.NaN;
  const forecast = isLog ? forecastOn(LOG) : forecastOn(RAW);
  if (!Number.isFinite(errorScale.to(forecast))) return { naive: rival, combination: null, isBetterWithin: () => false };
  const within = isLog ? logErrors : rawErrors;
  const variance = () => seasonlessVariance(history, nature, errorScale);
  return {
    naive: rival,
    combination: candidate('comb_dotm_ets_v2', forecast, releasedErrors((one) => one.combination), within, variance),
    // Too few errors are no verdict: over the competitions the combination is the better guess.
    isBetterWithin: () => count < rules.fewestErrors || isBetter(within(), rivalErrors().subarray(-count)),
  };
}

/** Errors, on the scale, of the value `lag` periods before as the forecast of the last `count` points. */
function lagErrors(history: Series, lag: number, count: number, scale: Scale): Series {
  const first = history.length - count;
  return history.subarray(first).map((value, index) => scale.to(value) - scale.to(history[first + index - lag] ?? Number.NaN));
}

const meanSize = (errors: Series) => errors.reduce((sum, error) => sum + Math.abs(error), 0) / errors.length;

const meanSquare = (errors: Series) => errors.reduce((sum, error) => sum + error * error, 0) / errors.length;
