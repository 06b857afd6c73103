// Dynamic optimised Theta and ETS against statsmodels and SciPy on generated series (test/reference/dotm_ets.py). At given parameters only the recursion is
// compared, to rounding; at the best ones two optimisers stop at different points of a flat valley.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { combDotmEts, combDotmEtsOneStep } from '../../src/stats/comb-dotm-ets.ts';
import { LOG, RAW } from '../../src/stats/comb-theta-damped.ts';
import { dynamicTheta, dynamicThetaOneStep, fitDynamicTheta } from '../../src/stats/dynamic-optimised-theta.ts';
import {
  aicc,
  exponentialSmoothing,
  exponentialSmoothingOneStep,
  fitExponentialSmoothing,
  type SmoothingModel,
  type TrendKind,
} from '../../src/stats/exponential-smoothing.ts';
import { seasonalNaive } from '../../src/stats/naive.ts';

interface Expected {
  readonly values: readonly number[];
  readonly theta: { readonly alpha: number; readonly level: number; readonly weight: number; readonly made: readonly number[] };
  readonly bestTheta: { readonly squares: number; readonly forecast: readonly number[] };
  readonly ets: Readonly<
    Record<
      TrendKind,
      Omit<SmoothingModel, 'kind'> & { readonly aicc: number; readonly fitted: readonly number[]; readonly forecast: readonly number[] }
    >
  >;
  readonly bestEts: { readonly kind: TrendKind; readonly lead: number; readonly squares: number; readonly forecast: readonly number[] };
}

const EXPECTED = JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/stats/dotm_ets.json'), 'utf8')) as Record<string, Expected>;

function distance(got: ArrayLike<number>, want: readonly number[]): number {
  if (got.length !== want.length) return Infinity;
  return Math.max(...want.map((value, index) => Math.abs(value - (got[index] ?? Number.NaN))));
}

const RATE = { isLevel: false, seasonalPeriod: null };
const wobble = (index: number) => Math.sin(index * index * 12.9898);

describe.each(Object.entries(EXPECTED))('of the series %s', (_, { values, ...expected }) => {
  const history = Float64Array.from(values);
  const range = Math.max(...values) - Math.min(...values);
  const rounding = 1e-9 * Math.max(...values.map(Math.abs));

  it('dynamic Theta at given parameters is that of lines through all points so far, with the nearer forecast as value of a farther one', () => {
    const { made, ...given } = expected.theta;
    expect(distance(dynamicThetaOneStep(history, given).subarray(0, -1), made.slice(1, values.length))).toBeLessThan(rounding);
    expect(distance(dynamicTheta(history, made.length - values.length, given), made.slice(values.length))).toBeLessThan(rounding);
  });

  it('dynamic Theta at its best parameters is as close as the optimum of SciPy', () => {
    const best = fitDynamicTheta(history);
    const made = [Number.NaN, ...dynamicThetaOneStep(history, best)];
    // The first three errors are not counted.
    const squares = values.reduce((sum, value, index) => (index < 3 ? sum : sum + (value - (made[index] ?? Number.NaN)) ** 2), 0);
    expect(squares).toBeLessThanOrEqual(expected.bestTheta.squares * (1 + 1e-4));
    expect(distance(dynamicTheta(history, 6), expected.bestTheta.forecast)).toBeLessThan(5e-3 * range);
  });

  it.each(['ANN', 'AAN', 'AAdN'] as const)('%s at given parameters is that of statsmodels, fitted, forecast and by AICc', (kind) => {
    const { fitted, forecast, aicc: criterion, ...given } = expected.ets[kind];
    const model = { kind, ...given };
    expect(distance(exponentialSmoothingOneStep(history, model).subarray(0, -1), fitted.slice(1))).toBeLessThan(rounding);
    expect(distance(exponentialSmoothing(history, forecast.length, model), forecast)).toBeLessThan(rounding);
    // Without n (1 + ln 2π), which all models share.
    expect(aicc(model, values.length) + values.length * (1 + Math.log(2 * Math.PI))).toBeCloseTo(criterion, 6);
  });

  it('ETS is chosen and fitted as SciPy does from many starts', () => {
    const model = fitExponentialSmoothing(history);
    const { kind, lead, squares, forecast } = expected.bestEts;
    // Where two lie closer than what an optimiser leaves open, either may be chosen.
    expect(lead > 0.05 ? model.kind : kind).toBe(kind);
    expect(model.squares).toBeLessThanOrEqual(squares * (1 + 1e-3));
    expect(distance(exponentialSmoothing(history, 6, model), forecast)).toBeLessThan(1e-2 * range);
  });
});

describe('the fit of ETS', () => {
  it('has the sum of squares of the best start', () => {
    const history = Float64Array.from({ length: 60 }, (_, index) => 1000 + 3 * index + 5 * wobble(index));
    const model = fitExponentialSmoothing(history);
    const made = [model.level + model.phi * model.trend, ...exponentialSmoothingOneStep(history, model)];
    const squares = history.reduce((sum, value, index) => sum + (value - (made[index] ?? Number.NaN)) ** 2, 0);
    expect(model.squares / squares).toBeCloseTo(1, 6);
  });

  it('of a constant and of few points is the level', () => {
    expect(fitExponentialSmoothing(new Float64Array(30).fill(7)).kind).toBe('ANN');
    expect(exponentialSmoothing(new Float64Array(30).fill(7), 2)).toEqual([7, 7]);
    // AICc of AAN needs seven points.
    expect(fitExponentialSmoothing(Float64Array.from([1, 2, 3, 4, 5, 6])).kind).toBe('ANN');
    expect(fitExponentialSmoothing(Float64Array.from([1, 2.1, 2.9, 4, 5.1, 6, 7.1, 7.9])).kind).toBe('AAN');
  });
});

describe('the combination', () => {
  const levels = Float64Array.from({ length: 96 }, (_, index) => 100 * Math.exp(0.004 * index + 0.01 * wobble(index)));

  it('is the mean of both on the scale', () => {
    const rate = levels.map((value) => value - 110);
    const members = [dynamicTheta(rate, 3), exponentialSmoothing(rate, 3)];
    combDotmEts(rate, 3, RATE, RAW).forEach((value, h) => {
      expect(value).toBeCloseTo(((members[0]?.[h] ?? 0) + (members[1]?.[h] ?? 0)) / 2, 12);
    });
    const logarithms = levels.map(Math.log);
    combDotmEts(levels, 3, RATE, LOG).forEach((value, h) => {
      expect(Math.log(value)).toBeCloseTo(combDotmEts(logarithms, 3, RATE, RAW)[h] ?? Number.NaN, 9);
    });
  });

  it('restores the season of a level by ratios, of a rate by differences, to the right period', () => {
    const doubled = levels.map((value, index) => value * (index % 12 === 11 ? 2 : 1));
    for (const scale of [LOG, RAW]) {
      const got = combDotmEts(doubled, 12, { isLevel: true, seasonalPeriod: 12 }, scale);
      expect((got[11] ?? 0) / (got[10] ?? 1)).toBeCloseTo(2, 1);
    }
    const added = levels.map((value, index) => value - 110 + (index % 12 === 11 ? 50 : 0));
    const got = combDotmEts(added, 12, { isLevel: false, seasonalPeriod: 12 }, RAW);
    expect(Math.abs((got[11] ?? 0) - (got[10] ?? 0) - 50)).toBeLessThan(2);
  });

  it('forms each one-step forecast without the point that it is for', () => {
    const made = combDotmEtsOneStep(levels, 24, RATE, RAW);
    const changed = combDotmEtsOneStep(
      levels.map((value, index) => (index === 95 ? value * 2 : value)),
      24,
      RATE,
      RAW,
    );
    expect(changed).toEqual(made);
  });

  it('uses for the season of those forecasts only earlier points', () => {
    const nature = { isLevel: false, seasonalPeriod: 12 };
    const seasonal = levels.map((value, index) => value + (index % 12 === 3 ? 40 : 0));
    const raised = seasonal.map((value, index) => (index >= 84 && index % 12 === 6 ? value + 30 : value));
    const [one, other] = [seasonal, raised].map((history) => combDotmEtsOneStep(history, 24, nature, RAW).subarray(0, 18));
    expect(other).toEqual(one);
  });
});

it('the seasonal naive forecast repeats the value of a season before', () => {
  expect(seasonalNaive(Float64Array.from([9, 1, 2, 3]), 5, 3)).toEqual([1, 2, 3, 1, 2]);
  expect(seasonalNaive(Float64Array.from([9, 1, 2, 3]), 2, 1)).toEqual([3, 3]);
});
