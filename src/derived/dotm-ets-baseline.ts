// The baseline forecast of one history by comb_dotm_ets_v2 and comb_dotm_ets_v3 (docs/reference/forecasts.md): the same combination with another
// choice and another interval.
import { combDotmEts, combDotmEtsOneStep, hasSeason, seasonlessVariance } from '../stats/comb-dotm-ets.ts';
import { LOG, RAW, type Scale, scaleOf, type SeriesNature } from '../stats/comb-theta-damped.ts';
import { isSignificantlyCloser } from '../stats/diebold-mariano.ts';
import type { Outcome } from '../stats/forecast-accuracy.ts';
import { seasonalNaive } from '../stats/naive.ts';
import type { Series } from '../stats/simple-exponential-smoothing.ts';
import {
  type BaselineMethod,
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

interface RollingOrigin {
  /** The number of last points that are forecast one step ahead from the points before them. */
  readonly count: number;
  /** For the rival: all available points, up to the number that an interval uses. */
  readonly rivalErrors: () => Series;
  readonly errorsOn: (scale: Scale) => Series;
  readonly rivalForecast: number;
  /** The scale on which the combination was closer. */
  readonly preferredScale: () => Scale;
}

/** The number of last points to forecast, given the season in periods, or null without one. */
type CountOf = (length: number, seasonalPeriod: number | null, rules: CadenceRules) => number;

/** Leaves three seasons and one point for training, or the fewest points of the cadence without a season. */
const afterThreeSeasons: CountOf = (length, seasonalPeriod, rules) =>
  length - (seasonalPeriod === null ? rules.fewestTraining : FEWEST_SEASONS * seasonalPeriod + 1);

/**
 * The newest third, or the fewest errors of a verdict if that is more, after three years and one point: parameters fitted to four quarters say
 * little about those fitted to the whole history.
 */
export const newestThird: CountOf = (length, _, rules) => {
  const fewestTraining = rules.periodsPerYear === 1 ? rules.fewestTraining : FEWEST_SEASONS * rules.periodsPerYear + 1;
  return Math.min(Math.max(rules.fewestErrors, Math.floor(length / 3)), length - fewestTraining);
};

/**
 * The combination and its rival within a history: the random walk, or for a seasonal history the value of a season before. Errors of a positive level are
 * relative, on any scale.
 */
export function rollingOrigin(
  history: Series,
  nature: SeriesNature,
  rules: CadenceRules,
  countOf: CountOf = afterThreeSeasons,
): RollingOrigin {
  const errorScale = scaleOf(history, nature);
  const seasonalPeriod = hasSeason(history, nature) ? nature.seasonalPeriod : null;
  const lag = seasonalPeriod ?? 1;
  const count = Math.max(0, Math.min(rules.mostErrors, countOf(history.length, seasonalPeriod, rules)));
  const errors = (scale: Scale) => {
    const made = combDotmEtsOneStep(history, count, nature, scale);
    return history.subarray(history.length - count).map((value, index) => errorScale.to(value) - errorScale.to(made[index] ?? Number.NaN));
  };
  const [rawErrors, logErrors] = [once(() => errors(RAW)), once(() => errors(LOG))];
  // For a level that falls fast the raw scale may forecast an impossible level: then its errors are not finite, and the log scale is preferred.
  const isLog = once(() => errorScale === LOG && count > 0 && !(meanSize(rawErrors()) <= PREFERENCE * meanSize(logErrors())));
  return {
    count,
    rivalErrors: once(() => lagErrors(history, lag, Math.min(rules.mostErrors, history.length - lag), errorScale)),
    errorsOn: (scale) => (scale === LOG ? logErrors() : rawErrors()),
    rivalForecast: seasonalNaive(history, 1, lag)[0] ?? Number.NaN,
    preferredScale: () => (isLog() ? LOG : RAW),
  };
}

interface Version {
  readonly method: Method;
  readonly countOf: CountOf;
  /** Whether the combination is published, by its errors and the rival's at the same points. */
  readonly isKept: (errors: Series, rivalErrors: Series) => boolean;
}

/**
 * Null if the history is too short. The interval uses the errors of the newest earlier forecasts, which saw first prints and are compared with later
 * revisions. If there are too few, the errors of a rolling origin within the history join them.
 */
const baselineOf =
  (version: Version): BaselineMethod =>
  (history, nature, rules, earlier) => {
    if (history.length < rules.fewest) return null;
    const errorScale = scaleOf(history, nature);
    const { count, rivalErrors, errorsOn, rivalForecast, preferredScale } = rollingOrigin(history, nature, rules, version.countOf);
    const candidate = (
      method: Method,
      forecast: number,
      made: (one: EarlierForecast) => number | null,
      within: () => Series,
      variance: () => number,
    ): Candidate => {
      const released = earlier.flatMap((one) => errorOf(errorScale.to(one.actual), made(one), errorScale)).slice(-rules.mostErrors);
      const errors = released.length >= rules.fewestErrors ? released : [...within().subarray(released.length), ...released];
      const width = conformalWidth(errors, rules) ?? normalWidth(variance());
      const centre = errorScale.to(forecast);
      // On a constant series the logarithm changes the last digit of the forecast.
      const [lower, upper] = [Math.min(forecast, errorScale.from(centre - width)), Math.max(forecast, errorScale.from(centre + width))];
      return { method, forecast, lower, upper };
    };
    const rival = candidate(
      'naive_v1',
      rivalForecast,
      (one) => one.naive,
      rivalErrors,
      () => meanSquare(rivalErrors()),
    );
    const scale = history.length < rules.fewestForCombination ? null : preferredScale();
    const forecast = scale === null ? Number.NaN : (combDotmEts(history, 1, nature, scale)[0] ?? Number.NaN);
    if (scale === null || !Number.isFinite(errorScale.to(forecast)))
      return { naive: rival, combination: null, isBetterWithin: () => false };
    return {
      naive: rival,
      combination: candidate(
        version.method,
        forecast,
        (one) => one.combination,
        () => errorsOn(scale),
        () => seasonlessVariance(history, nature, errorScale),
      ),
      // Too few errors give no verdict; in the forecasting competitions the combination is the better guess.
      isBetterWithin: () => count < rules.fewestErrors || version.isKept(errorsOn(scale), rivalErrors().subarray(-count)),
    };
  };

/** comb_dotm_ets_v2: the combination if it beat its rival in mean absolute and in mean squared error. */
export const dotmEtsBaseline = baselineOf({ method: 'comb_dotm_ets_v2', countOf: afterThreeSeasons, isKept: isBetter });

/** comb_dotm_ets_v3: the combination unless its rival was closer by a Diebold–Mariano test over the newest third of the history. */
export const dotmEtsTestedBaseline = baselineOf({
  method: 'comb_dotm_ets_v3',
  countOf: newestThird,
  isKept: (errors, rivalErrors) => !isSignificantlyCloser(rivalErrors, errors),
});

/** The rule of comb_dotm_ets_v3 for earlier releases: each error is scaled by its own history; a history that never moved has no scale. */
export function isRivalNotCloserAtReleases(outcomes: readonly Outcome[]): boolean {
  const scaled = outcomes.filter(({ scale }) => scale > 0);
  const errors = (of: (outcome: Outcome) => number) => scaled.map((outcome) => (outcome.actual - of(outcome)) / outcome.scale);
  return !isSignificantlyCloser(
    errors(({ naive }) => naive),
    errors(({ forecast }) => forecast),
  );
}

/** Errors, on the scale, of the last `count` points if each is forecast by the value `lag` periods before. */
function lagErrors(history: Series, lag: number, count: number, scale: Scale): Series {
  const first = history.length - count;
  return history.subarray(first).map((value, index) => scale.to(value) - scale.to(history[first + index - lag] ?? Number.NaN));
}

const meanSize = (errors: Series) => errors.reduce((sum, error) => sum + Math.abs(error), 0) / errors.length;

const meanSquare = (errors: Series) => errors.reduce((sum, error) => sum + error * error, 0) / errors.length;
