import { dampedHolt, dampedHoltOneStep, fitDampedHolt } from './damped-holt.ts';
import { adjust, type Decomposition, isSeasonal, reseason, seasonalIndices } from './seasonality.ts';
import { fitSmoothing, type Series, simpleExponentialSmoothing, smoothedLevels } from './simple-exponential-smoothing.ts';
import { rememberedFit } from './remembered-fit.ts';
import { theta, thetaOneStep } from './theta.ts';

const smoothingOf = rememberedFit(fitSmoothing);
const dampedHoltOf = rememberedFit(fitDampedHolt);

export interface SeriesNature {
  /** A level or an index: forecast on the log scale if it is strictly positive. Rates, balances and growth rates are not. */
  readonly isLevel: boolean;
  /** Periods of a season, if the publisher has not adjusted for it. */
  readonly seasonalPeriod: number | null;
}

/** The scale on which a history is forecast and on which errors and intervals are symmetric. */
export interface Scale {
  readonly to: (value: number) => number;
  readonly from: (value: number) => number;
}

export const LOG: Scale = { to: Math.log, from: Math.exp };
export const RAW: Scale = { to: (value) => value, from: (value) => value };

export function scaleOf(history: Series, nature: SeriesNature): Scale {
  return nature.isLevel && history.every((value) => value > 0) ? LOG : RAW;
}

interface Season {
  readonly indices: Float64Array;
  readonly kind: Decomposition;
}

/**
 * comb_theta_damped_v1: the mean, on the scale of the history, of Theta (θ = 2), damped Holt and simple exponential smoothing, after removal of a season in
 * the history. The mean of simple methods was the best simple choice in M4: Makridakis, Spiliotis & Assimakopoulos (2020),
 * IJF 36(1), 54-74. Expects regular spacing and no gaps.
 */
export function combThetaDamped(history: Series, horizon: number, nature: SeriesNature): number[] {
  const scale = scaleOf(history, nature);
  const season = seasonOf(history, nature, scale);
  const adjusted = onScale(history, season, scale);
  const alpha = smoothingOf(adjusted);
  const members = [
    theta(adjusted, horizon, alpha),
    dampedHolt(adjusted, horizon, dampedHoltOf(adjusted)),
    simpleExponentialSmoothing(adjusted, horizon, alpha),
  ];
  return Array.from({ length: horizon }, (_, index) => {
    const value = scale.from(members.reduce((sum, member) => sum + (member[index] ?? Number.NaN), 0) / members.length);
    return season === null ? value : reseason(value, history.length + index, season.indices, season.kind);
  });
}

/**
 * Errors, on the scale of the history, of the one-step forecasts of its last `count` points. Season and parameters come from the earlier points
 * (the training part of split conformal); levels, trends and drifts are updated with each point.
 */
export function combThetaDampedErrors(history: Series, count: number, nature: SeriesNature): Float64Array {
  const scale = scaleOf(history, nature);
  const trained = history.length - count;
  const training = history.subarray(0, trained);
  const adjusted = onScale(history, seasonOf(training, nature, scale), scale);
  const trainingAdjusted = adjusted.subarray(0, trained);
  const alpha = smoothingOf(trainingAdjusted);
  const members = [
    thetaOneStep(adjusted, alpha),
    dampedHoltOneStep(adjusted, dampedHoltOf(trainingAdjusted)),
    smoothedLevels(adjusted, alpha),
  ];
  return adjusted.subarray(trained).map((value, index) => {
    const made = trained + index - 1;
    return value - members.reduce((sum, member) => sum + (member[made] ?? Number.NaN), 0) / members.length;
  });
}

/** Errors of the random walk, on the same scale and for the same points. */
export function naiveErrors(history: Series, count: number, nature: SeriesNature): Float64Array {
  const scale = scaleOf(history, nature);
  const first = history.length - count;
  return history.subarray(first).map((value, index) => scale.to(value) - scale.to(history[first + index - 1] ?? Number.NaN));
}

// A multiplicative index only on the log scale: near zero, ratios to a trend mean nothing.
function seasonOf(history: Series, { seasonalPeriod }: SeriesNature, scale: Scale): Season | null {
  if (seasonalPeriod === null || !isSeasonal(history, seasonalPeriod)) return null;
  const kind = scale === LOG ? 'multiplicative' : 'additive';
  return { indices: seasonalIndices(history, seasonalPeriod, kind), kind };
}

function onScale(history: Series, season: Season | null, scale: Scale): Float64Array {
  const adjusted = season === null ? history : adjust(history, season.indices, season.kind);
  return adjusted.map(scale.to);
}
