// Forecasting methods against statsmodels on generated series (test/reference/forecasts.py). At given parameters only the recursion is compared, to
// rounding. At the best parameters two optimisers stop at different points of a flat valley: forecasts to a thousandth of the series' range.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dampedHolt, dampedHoltOneStep, fitDampedHolt, startOf } from '../../src/stats/damped-holt.ts';
import { autocorrelations, isSeasonal, seasonalIndices } from '../../src/stats/seasonality.ts';
import { simpleExponentialSmoothing } from '../../src/stats/simple-exponential-smoothing.ts';
import { theta, thetaOneStep } from '../../src/stats/theta.ts';

interface Expected {
  readonly values: readonly number[];
  readonly period: number;
  readonly given: {
    readonly theta: Readonly<Record<string, readonly number[]>>;
    readonly smoothing: Readonly<Record<string, readonly number[]>>;
    readonly damped: readonly {
      readonly alpha: number;
      readonly beta: number;
      readonly phi: number;
      readonly fitted: readonly number[];
      readonly forecast: readonly number[];
    }[];
  };
  readonly best: {
    readonly theta: readonly number[];
    readonly smoothing: readonly number[];
    readonly damped: readonly number[] | null;
    readonly dampedSse: number;
  };
  readonly autocorrelations: readonly number[];
  readonly additive: readonly number[];
  readonly multiplicative: readonly number[] | null;
}

const EXPECTED = JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/stats/forecasts.json'), 'utf8')) as Record<
  string,
  Expected
>;

/** The largest difference between what was got and what is wanted; of different lengths, infinite. */
function distance(got: ArrayLike<number>, want: readonly number[]): number {
  if (got.length !== want.length) return Infinity;
  return Math.max(...want.map((value, index) => Math.abs(value - (got[index] ?? Number.NaN))));
}

const noise = (index: number) => Math.sin(index * index * 12.9898);

describe.each(Object.entries(EXPECTED))('of the series %s', (_, { values, period, given, best, ...expected }) => {
  const history = Float64Array.from(values);
  const range = Math.max(...values) - Math.min(...values);
  const rounding = 1e-9 * Math.max(...values.map(Math.abs));

  it.each(Object.entries(given.theta))('Theta with alpha %s is that of statsmodels', (alpha, forecast) => {
    expect(distance(theta(history, forecast.length, Number(alpha)), forecast)).toBeLessThan(rounding);
  });

  it.each(Object.entries(given.smoothing))('exponential smoothing with alpha %s is that of statsmodels', (alpha, forecast) => {
    expect(distance(simpleExponentialSmoothing(history, forecast.length, Number(alpha)), forecast)).toBeLessThan(rounding);
  });

  it.each(given.damped)(
    'damped Holt with alpha $alpha is that of statsmodels, fitted and forecast',
    ({ fitted, forecast, ...parameters }) => {
      expect(distance(dampedHolt(history, forecast.length, parameters), forecast)).toBeLessThan(rounding);
      expect(distance(dampedHoltOneStep(history, parameters).subarray(0, -1), fitted.slice(1))).toBeLessThan(rounding);
    },
  );

  it('the best parameters forecast as those of statsmodels', () => {
    expect(distance(theta(history, 6), best.theta)).toBeLessThan(1e-3 * range);
    expect(distance(simpleExponentialSmoothing(history, 6), best.smoothing)).toBeLessThan(1e-3 * range);
    const damped = dampedHolt(history, 6);
    expect(distance(damped, best.damped ?? damped)).toBeLessThan(1e-3 * range);
  });

  it('the fit of damped Holt is as close as that of statsmodels', () => {
    const oneStep = dampedHoltOneStep(history, fitDampedHolt(history));
    const start = startOf(history);
    const first = start.level + fitDampedHolt(history).phi * start.trend;
    const squares = values.map((value, index) => (value - (index === 0 ? first : (oneStep[index - 1] ?? Number.NaN))) ** 2);
    expect(squares.reduce((sum, square) => sum + square, 0)).toBeLessThanOrEqual(best.dampedSse * (1 + 1e-4));
  });

  it('Theta made after each point is Theta of the points up to it', () => {
    const made = thetaOneStep(history, 0.4);
    for (const length of [2, 5, 20, values.length]) {
      expect(made[length - 1]).toBeCloseTo(theta(history.subarray(0, length), 1, 0.4)[0] ?? Number.NaN, 9);
    }
  });

  it('autocorrelations and seasonal indices are those of statsmodels', () => {
    expect(distance(autocorrelations(history, period), expected.autocorrelations)).toBeLessThan(1e-12);
    expect(distance(seasonalIndices(history, period, 'additive'), expected.additive)).toBeLessThan(rounding);
    const ratios = seasonalIndices(history, period, 'multiplicative');
    expect(distance(ratios, expected.multiplicative ?? [...ratios])).toBeLessThan(1e-12);
  });
});

describe('the test for a season', () => {
  const spikes = Float64Array.from({ length: 60 }, (_, index) => (index % 12 === 11 ? 5 : 0) + noise(index));

  it('finds a season, and none in noise', () => {
    expect(isSeasonal(spikes, 12)).toBe(true);
    expect(isSeasonal(Float64Array.from(EXPECTED['seasonal_quarterly']?.values ?? []), 4)).toBe(true);
    expect(
      isSeasonal(
        Float64Array.from({ length: 60 }, (_, index) => noise(index)),
        12,
      ),
    ).toBe(false);
  });

  it('needs three seasons, and finds none in a constant', () => {
    expect(isSeasonal(spikes.subarray(0, 35), 12)).toBe(false);
    expect(isSeasonal(spikes.subarray(0, 36), 12)).toBe(true);
    expect(isSeasonal(new Float64Array(48).fill(7), 12)).toBe(false);
    // Of which no sum of a hundred is a hundred times one of them.
    for (const value of [0.1, 1.9558, 3.3, 7.4605]) expect(isSeasonal(new Float64Array(100).fill(value), 12)).toBe(false);
  });
});
