import { LOG, type Scale, scaleOf, type SeriesNature } from './comb-theta-damped.ts';
import { dynamicTheta, dynamicThetaOneStep, fitDynamicTheta } from './dynamic-optimised-theta.ts';
import { exponentialSmoothing, exponentialSmoothingOneStep, fitExponentialSmoothing } from './exponential-smoothing.ts';
import { adjust, type Decomposition, isSeasonal, reseason, seasonalIndices } from './seasonality.ts';
import { rememberedFit } from './remembered-fit.ts';
import { type Series, smoothingVariance } from './simple-exponential-smoothing.ts';

const thetaOf = rememberedFit(fitDynamicTheta);
const etsOf = rememberedFit(fitExponentialSmoothing);

interface Season {
  readonly indices: Float64Array;
  readonly kind: Decomposition;
}

/** True if it has a season that its publisher has not adjusted for. */
export function hasSeason(history: Series, { seasonalPeriod }: SeriesNature): boolean {
  return seasonalPeriod !== null && isSeasonal(history, seasonalPeriod);
}

/** For a strictly positive level the season is multiplicative, on any scale: near zero, ratios to a trend mean nothing. */
function seasonOf(history: Series, nature: SeriesNature): Season | null {
  const { seasonalPeriod } = nature;
  if (seasonalPeriod === null || !hasSeason(history, nature)) return null;
  const kind = scaleOf(history, nature) === LOG ? 'multiplicative' : 'additive';
  return { indices: seasonalIndices(history, seasonalPeriod, kind), kind };
}

const withoutSeason = (history: Series, season: Season | null) =>
  season === null ? history : adjust(history, season.indices, season.kind);

const withSeason = (value: number, position: number, season: Season | null) =>
  season === null ? value : reseason(value, position, season.indices, season.kind);

/**
 * comb_dotm_ets_v2: the mean, on the given scale, of the dynamic optimised Theta model and of ETS chosen by AICc among ANN, AAN and AAdN, after removal of
 * a season in the history. Expects regular spacing and no gaps.
 */
export function combDotmEts(history: Series, horizon: number, nature: SeriesNature, scale: Scale): number[] {
  const season = seasonOf(history, nature);
  const adjusted = withoutSeason(history, season).map(scale.to);
  const [one, other] = [dynamicTheta(adjusted, horizon, thetaOf(adjusted)), exponentialSmoothing(adjusted, horizon, etsOf(adjusted))];
  return one.map((value, index) => withSeason(scale.from((value + (other[index] ?? Number.NaN)) / 2), history.length + index, season));
}

/**
 * One-step forecasts of the last `count` points. Season and parameters come from the earlier points (the training part of split conformal);
 * levels, trends and lines are updated with each point.
 */
export function combDotmEtsOneStep(history: Series, count: number, nature: SeriesNature, scale: Scale): Float64Array {
  const trained = history.length - count;
  const season = seasonOf(history.subarray(0, trained), nature);
  const adjusted = withoutSeason(history, season).map(scale.to);
  const training = adjusted.subarray(0, trained);
  const one = dynamicThetaOneStep(adjusted, thetaOf(training));
  const other = exponentialSmoothingOneStep(adjusted, etsOf(training));
  return new Float64Array(count).map((_, index) => {
    const made = trained + index - 1;
    return withSeason(scale.from(((one[made] ?? Number.NaN) + (other[made] ?? Number.NaN)) / 2), trained + index, season);
  });
}

/** Variance of the one-step errors of simple exponential smoothing on the given scale, after removal of the season. */
export function seasonlessVariance(history: Series, nature: SeriesNature, scale: Scale): number {
  return smoothingVariance(withoutSeason(history, seasonOf(history, nature)).map(scale.to));
}
