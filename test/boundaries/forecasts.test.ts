// Baseline forecasts at the edges of their rules (docs/reference/methods.md#forecast-baseline): each threshold just below, at and just above, with measures reckoned by hand.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { baselineForecast, CADENCES, type Candidate, type ForecastModel, isCloserAtReleases } from '../../src/derived/baseline-forecast.ts';
import { computeForecasts } from '../../src/derived/forecasts.ts';
import { forecastRuns, historyUpTo, type Knowledge } from '../../src/derived/forecast-runs.ts';
import { NO_CACHE } from '../../src/derived/result-cache.ts';
import { combThetaDamped, combThetaDampedErrors, naiveErrors } from '../../src/stats/comb-theta-damped.ts';
import { fitDampedHolt, startOf } from '../../src/stats/damped-holt.ts';
import { accuracyOf, isCovered, type Outcome } from '../../src/stats/forecast-accuracy.ts';
import { goldenSection, nelderMead } from '../../src/stats/minimise.ts';
import { naive } from '../../src/stats/naive.ts';
import { adjust, isSeasonal, reseason, seasonalIndices } from '../../src/stats/seasonality.ts';
import { fitSmoothing, smoothedLevels, smoothingVariance } from '../../src/stats/simple-exponential-smoothing.ts';
import { nonDecreasing, splitConformalWidth } from '../../src/stats/split-conformal.ts';
import { type GivenRow, giveLake, openRelations, type Relations, VINTAGE_COLUMNS } from './by-hand/relations.ts';

const seriesOf = (length: number, value: (index: number) => number) => Float64Array.from({ length }, (_, index) => value(index));
const noise = (index: number) => Math.sin((index + 1) ** 2 * 12.9898);
const { monthly, quarterly } = CADENCES;
const closeTo = (want: number): unknown => expect.closeTo(want, 9);
const RATE = { isLevel: false, seasonalPeriod: null };
const LEVEL = { isLevel: true, seasonalPeriod: null };

describe('the test for a season', () => {
  /** By its definition: about the mean of the whole, divided by n. */
  const isBeyond = (values: readonly number[], period: number) => {
    const n = values.length;
    const mean = values.reduce((sum, value) => sum + value, 0) / n;
    const at = (lag: number) => {
      let [over, under] = [0, 0];
      values.forEach((value, index) => {
        under += (value - mean) ** 2;
        const before = values[index - lag];
        if (before !== undefined) over += (value - mean) * (before - mean);
      });
      return over / under;
    };
    let squares = 0;
    for (let lag = 1; lag < period; lag += 1) squares += at(lag) ** 2;
    return Math.abs(at(period)) - 1.645 * Math.sqrt((1 + 2 * squares) / n);
  };

  it.each([
    [12, 60, 1],
    [4, 30, 1],
    // A season that turns round each year shows at its lag as well.
    [4, 40, -1],
  ])('of %i periods in %i points is met at 1.645 standard errors', (period, length, sign) => {
    const given = (size: number) =>
      Array.from({ length }, (_, index) => noise(index) + (index % period === 1 ? size * sign ** Math.floor(index / period) : 0));
    let [low, high] = [0, 50];
    for (let step = 0; step < 60; step += 1) {
      const middle = (low + high) / 2;
      if (isBeyond(given(middle), period) > 0) high = middle;
      else low = middle;
    }
    expect(high).toBeLessThan(49);
    expect(isSeasonal(Float64Array.from(given(low * 0.999)), period)).toBe(false);
    expect(isSeasonal(Float64Array.from(given(high * 1.001)), period)).toBe(true);
  });

  it.each([
    [4, 11, false],
    [4, 12, true],
    [1, 60, false],
  ])('of %i periods needs %i points: %s', (period, length, expected) => {
    expect(
      isSeasonal(
        seriesOf(length, (index) => (period === 1 ? index : index % period === 0 ? 9 : 0)),
        period,
      ),
    ).toBe(expected);
  });

  it('removes the season and restores it to the same place', () => {
    for (const kind of ['multiplicative', 'additive'] as const) {
      const pattern = kind === 'multiplicative' ? [0.8, 1, 1.1, 1.1] : [-3, 0, 1, 2];
      const history = seriesOf(20, (index) =>
        kind === 'multiplicative' ? 50 * (pattern[index % 4] ?? 0) : 50 + (pattern[index % 4] ?? 0),
      );
      const indices = seasonalIndices(history, 4, kind);
      pattern.forEach((want, index) => expect(indices[index]).toBeCloseTo(want, 9));
      expect([...adjust(history, indices, kind)].every((value) => Math.abs(value - 50) < 1e-9)).toBe(true);
      expect(reseason(50, 22, indices, kind)).toBeCloseTo(kind === 'multiplicative' ? 55 : 51, 9);
    }
  });

  it('runs only on unadjusted series, and removes a season by ratios only on the log scale', () => {
    const ratios = seriesOf(48, (index) => 100 * 1.01 ** index * (index % 12 === 0 ? 2 : 1));
    expect(combThetaDamped(ratios, 1, { isLevel: true, seasonalPeriod: 12 })[0]).toBeCloseTo(100 * 1.01 ** 48 * 2, -1);
    expect(combThetaDamped(ratios, 1, LEVEL)[0]).toBeLessThan(100 * 1.01 ** 48 * 1.5);
    const sums = seriesOf(48, (index) => index / 10 - 2 + (index % 12 === 0 ? 5 : 0));
    const made = combThetaDamped(sums, 2, { isLevel: false, seasonalPeriod: 12 });
    expect((made[0] ?? 0) - (made[1] ?? 0)).toBeCloseTo(5, 0);
    // The errors know no season but that of the points before them.
    const late = seriesOf(60, (index) => 10 + (index >= 36 && index % 12 === 0 ? 5 : 0));
    expect(isSeasonal(late, 12)).toBe(true);
    expect(combThetaDampedErrors(late, 24, { isLevel: false, seasonalPeriod: 12 })[0]).toBeCloseTo(5, 9);
  });
});

describe('the measures', () => {
  const outcome = (actual: number, forecast: number, lower: number, upper: number, naiveOne: number, scale: number): Outcome => ({
    actual,
    forecast,
    lower,
    upper,
    naive: naiveOne,
    scale,
  });
  const outcomes = [
    outcome(10, 9, 8, 10, 7, 2),
    outcome(10, 14, 11, 15, 12, 4),
    outcome(10, 8, 7, 9.5, 10, 1),
    outcome(10, 11, 9, 12, 10, 0),
  ];

  it('are means over the errors with a scale, and roots over all errors', () => {
    const got = accuracyOf(outcomes, 0.8);
    // 1/2, 4/4, 2/1; 3/2, 2/4, 0.
    expect(got.mase).toBeCloseTo(3.5 / 3, 12);
    expect(got.naiveMase).toBeCloseTo(2 / 3, 12);
    expect(got.rmseRatio).toBeCloseTo(Math.sqrt((1 + 16 + 4 + 1) / (9 + 4)), 12);
    expect(got.coverage).toBe(0.5);
    // Widths 2, 4, 2.5; one lies 1 below, one 0.5 above; a fifth is left out: ten times.
    expect(got.msis).toBeCloseTo((2 / 2 + (4 + 10) / 4 + (2.5 + 5) / 1) / 3, 9);
    expect(accuracyOf(outcomes, 0.9).msis).toBeCloseTo((2 / 2 + (4 + 20) / 4 + (2.5 + 10) / 1) / 3, 9);
  });

  it('are null without any errors', () => {
    expect(accuracyOf([], 0.8)).toEqual({ mase: null, naiveMase: null, rmseRatio: null, coverage: null, msis: null });
    expect(accuracyOf([outcome(1, 2, 0, 3, 1, 0)], 0.8)).toEqual({ mase: null, naiveMase: null, rmseRatio: null, coverage: 1, msis: null });
  });

  it('count both ends of an interval as inside', () => {
    expect([7.9, 8, 9, 9.1].map((actual) => isCovered(outcome(actual, 8.5, 8, 9, 0, 1)))).toEqual([false, true, true, false]);
  });

  it.each([
    [4, 4],
    [9, 8],
    [14, 12],
    [16, 14],
    [19, 16],
    [23, 20],
    [24, 20],
    [25, 21],
    [29, 24],
  ])('of %i errors use the %ith for an interval of 80 percent', (count, rank) => {
    expect(splitConformalWidth(Array.from({ length: count }, (_, index) => index + 1).toReversed(), 0.8)).toBe(rank);
  });

  it('widen with the horizon', () => {
    expect(nonDecreasing([2, 1, 3, 2.5])).toEqual([2, 2, 3, 3]);
  });

  it('smooth from the first value on, with one degree of freedom for the level and one for its weight', () => {
    const history = Float64Array.from([4, 8, 6]);
    expect([...smoothedLevels(history, 0.25)]).toEqual([4, 5, 5.25]);
    // Errors 0, 4 and 1.
    expect(smoothingVariance(history, 0.25)).toBe(17);
    expect(smoothingVariance(Float64Array.from([4, 8, 6, 5.25]), 0.25)).toBe(17 / 2);
    expect(naive(history, 2)).toEqual([6, 6]);
  });

  it('fit within their bounds', () => {
    expect(startOf(seriesOf(12, (index) => (index < 10 ? 3 + 2 * index : 900)))).toEqual({ level: 1, trend: 2 });
    expect(startOf(seriesOf(12, (index) => (index < 9 ? 0 : 900))).trend).toBeGreaterThan(40);
    expect(fitDampedHolt(seriesOf(40, (index) => 5 * index)).phi).toBeCloseTo(0.98, 6);
    const fading = seriesOf(40, (index) => 100 * (1 - 0.5 ** index));
    expect(fitDampedHolt(fading).phi).toBeGreaterThanOrEqual(0.8);
    const rough = fitDampedHolt(seriesOf(60, noise));
    for (const value of [rough.alpha, rough.beta]) expect(value).toBeGreaterThanOrEqual(1e-4);
    expect(fitSmoothing(seriesOf(40, (index) => index))).toBeCloseTo(1, 3);
    expect(fitSmoothing(seriesOf(60, (index) => (index % 2 === 0 ? 1 : -1)))).toBeLessThan(0.1);
  });

  it('search a fixed number of points', () => {
    let calls = 0;
    const found = goldenSection(
      (x) => {
        calls += 1;
        return (x - 0.7321) ** 2;
      },
      0,
      1,
    );
    expect(Math.abs(found - 0.7321)).toBeLessThan(5e-5);
    expect(calls).toBe(31);
    expect(goldenSection((x) => Math.abs(x - 0.05), 0, 1)).toBeCloseTo(0.05, 4);
    const seen: (readonly number[])[] = [];
    const rosenbrock = (x = 0, y = 0) => (1 - x) ** 2 + 100 * (y - x * x) ** 2;
    const bottom = nelderMead(
      (point) => {
        seen.push(Array.from(point));
        return rosenbrock(point[0], point[1]);
      },
      { lower: [-2, -2], upper: [2, 2] },
      [-1.2, 1],
      [0.5, 0.5],
      90,
    );
    bottom.forEach((value) => expect(value).toBeCloseTo(1, 4));
    expect(seen.slice(0, 3)).toEqual([
      [-0.7, 1],
      [-1.2, 1.5],
      [-1.2, 1],
    ]);
    // An edge that would leave the box is laid the other way.
    const edges: (readonly number[])[] = [];
    nelderMead((point) => edges.push(Array.from(point)), { lower: [0], upper: [1] }, [0.9], [0.2], 0);
    expect(edges).toEqual([[closeTo(0.7)], [0.9]]);
  });
});

describe('the least points of a baseline', () => {
  it.each([
    ['monthly', monthly, [11, 12, 35, 36]],
    ['quarterly', quarterly, [7, 8, 19, 20]],
  ] as const)('of a %s series', (_, rules, lengths) => {
    const made = lengths.map((length) => baselineForecast(seriesOf(length, noise), RATE, rules, []));
    expect(made.map((one) => (one === null ? null : one.combination === null ? 'walk' : 'both'))).toEqual([null, 'walk', 'walk', 'both']);
  });
});

describe('the interval of a baseline', () => {
  const earlier = (count: number, size: (index: number) => number) =>
    Array.from({ length: count }, (_, index) => ({ actual: size(index), naive: 0, combination: 0 }));
  // A history that moves by one each period, up and down: errors of the random walk within it are all one.
  const history = seriesOf(80, (index) => index % 2);

  it.each([
    ['monthly', monthly, 23, 60],
    ['monthly', monthly, 24, 24],
    ['quarterly', quarterly, 15, 40],
    ['quarterly', quarterly, 16, 16],
  ] as const)('of a %s series uses only %$ earlier forecasts as soon as they are enough', (_, rules, count, errors) => {
    // Earlier ones were off by 100; where they do not suffice, those within the history join them: the newest of 60 or 40 in all.
    const made = baselineForecast(
      history,
      RATE,
      rules,
      earlier(count, () => 100),
    )?.naive;
    const rank = Math.ceil((errors + 1) * 0.8 - 1e-9);
    const width = errors === count ? 100 : rank > errors - count ? 100 : 1;
    expect((made?.upper ?? 0) - (made?.forecast ?? 0)).toBeCloseTo(width, 9);
  });

  it('uses the newest sixty errors for months, and the newest forty for quarters', () => {
    for (const [rules, most] of [
      [monthly, 60],
      [quarterly, 40],
    ] as const) {
      const rank = Math.ceil((most + 1) * 0.8 - 1e-9);
      const made = baselineForecast(
        history,
        RATE,
        rules,
        earlier(most + 20, (index) => (index < 20 ? 1e6 : index - 19)),
      )?.naive;
      expect((made?.upper ?? 0) - (made?.forecast ?? 0)).toBeCloseTo(rank, 9);
      // Within a history as long as it need be: of steps that grow, the newest so many.
      const growing = seriesOf(most + 30, (index) => (index * (index + 1)) / 2);
      const walk = baselineForecast(growing, RATE, rules, [])?.naive;
      expect((walk?.upper ?? 0) - (walk?.forecast ?? 0)).toBe(29 + rank);
    }
  });

  it.each([
    [monthly, 12],
    [quarterly, 4],
  ] as const)('trains on at least a year: %#', (rules, training) => {
    const length = rules.fewestForCombination;
    const growing = seriesOf(length, (index) => (index * (index + 1)) / 2);
    const count = length - training;
    const rank = Math.ceil((count + 1) * 0.8 - 1e-9);
    const walk = baselineForecast(growing, RATE, rules, [])?.naive;
    expect((walk?.upper ?? 0) - (walk?.forecast ?? 0)).toBe(training - 1 + rank);
  });

  it('of fewer points is normal by the errors of all of them', () => {
    // 12 points: 11 steps of 3, no conformal interval of 11 errors.
    const steps = seriesOf(12, (index) => 3 * (index % 2));
    const made = baselineForecast(steps, RATE, monthly, [])?.naive;
    expect((made?.upper ?? 0) - 3).toBeCloseTo(1.2815515655446004 * 3, 9);
    expect(3 - (made?.lower ?? 0)).toBeCloseTo(1.2815515655446004 * 3, 9);
  });

  it('of a positive level is one of ratios, of any other one of differences', () => {
    const doubling = seriesOf(12, (index) => 2 ** (index % 2));
    const level = baselineForecast(doubling, LEVEL, monthly, [])?.naive;
    const factor = Math.exp(1.2815515655446004 * Math.log(2));
    expect([level?.lower, level?.upper]).toEqual([closeTo(2 / factor), closeTo(2 * factor)]);
    const touching = doubling.map((value) => value - 1);
    const raw = baselineForecast(touching, LEVEL, monthly, [])?.naive;
    expect([raw?.lower, raw?.upper]).toEqual([closeTo(1 - 1.2815515655446004), closeTo(1 + 1.2815515655446004)]);
  });

  it('ignores earlier forecasts without an error on the scale', () => {
    const made = [...earlier(24, () => 2), { actual: -5, naive: 1, combination: null }, { actual: 3, naive: 1, combination: null }].map(
      (one) => ({ ...one, naive: 1 }),
    );
    const positive = seriesOf(40, (index) => 5 + (index % 2));
    const walk = baselineForecast(positive, LEVEL, monthly, made)?.naive;
    // 24 of ln 2 and one of ln 3; minus five has no logarithm.
    expect((walk?.upper ?? 0) / (walk?.forecast ?? 1)).toBeCloseTo(2, 9);
  });
});

describe('the verdict within a history', () => {
  it('requires smaller absolute and smaller squared errors', () => {
    const sum = (values: Float64Array, power: number) => values.reduce((total, value) => total + Math.abs(value) ** power, 0);
    const seen = new Set<string>();
    for (let seed = 1; seed < 60; seed += 1) {
      const history = seriesOf(
        60,
        (index) =>
          noise(index * seed) + (index % 17 === seed % 17 ? seed % 7 : 0) + (index * (seed % 5)) / 9 + (index > 40 ? (seed % 3) * 4 : 0),
      );
      const [combination, walk] = [combThetaDampedErrors(history, 48, RATE), naiveErrors(history, 48, RATE)];
      const isLess = [1, 2].map((power) => sum(combination, power) < sum(walk, power));
      seen.add(isLess.join());
      expect(baselineForecast(history, RATE, monthly, [])?.isBetterWithin()).toBe(isLess.every(Boolean));
      if (seen.size === 4) break;
    }
    expect(seen.has('true,true') && seen.has('false,false') && (seen.has('true,false') || seen.has('false,true'))).toBe(true);
  });
});

// Runs with a method in hand, so that each forecast is known beforehand.
const MONTH = (count: number) => Date.UTC(2000, count, 15);
const NEVER = Number.MAX_SAFE_INTEGER;
/** Actual values are the period's own number. */
const knowledge = (count: number, first = 12): Knowledge[] =>
  Array.from({ length: first + count }, (_, period) => ({
    period,
    observedAt: MONTH(Math.max(0, period - first + 1)),
    value: 100 + period,
  }));
type Made = { readonly naive: number; readonly combination: number | null; readonly isBetter?: boolean; readonly halfWidth?: number };
function modelOf(make: (base: number, earlier: number) => Made, version = 'x', releasedAt: number | null = null): ForecastModel {
  return {
    version,
    releasedAt,
    isKeptAtReleases: isCloserAtReleases,
    method: (history, _, __, earlier) => {
      const { naive: walk, combination, isBetter = false, halfWidth = 1 } = make((history.at(-1) ?? 0) - 100, earlier.length);
      const candidate = (method: Candidate['method'], forecast: number): Candidate => ({
        method,
        forecast,
        lower: forecast - halfWidth,
        upper: forecast + halfWidth,
      });
      return {
        naive: candidate('naive_v1', walk),
        combination: combination === null ? null : candidate('comb_theta_damped_v1', combination),
        isBetterWithin: () => isBetter,
      };
    },
  };
}
/** Off by these from what comes. */
const off = (walk: (base: number) => number, combination: (base: number) => number, isBetter = false) =>
  modelOf((base) => ({ naive: 101 + base + walk(base), combination: 101 + base + combination(base), isBetter }));
const methods = (count: number, model: ForecastModel, rules: (typeof CADENCES)[keyof typeof CADENCES] = monthly) =>
  forecastRuns(knowledge(count), RATE, rules, NEVER, [model]).runs.map(({ method }) => method === 'comb_theta_damped_v1');

describe('the published forecast', () => {
  it.each([
    ['monthly', monthly, 24],
    ['quarterly', quarterly, 16],
  ] as const)('of a %s series follows its own releases from the %$ scored one on', (_, rules, fewest) => {
    // Before, the history says no. The forecast of base 11, at month 0, is due at month 12, known to be so at the release after.
    const published = methods(
      fewest + 14,
      off(
        () => 2,
        () => 1,
      ),
      rules,
    );
    expect(published.indexOf(true)).toBe(fewest + 12);
  });

  it.each([
    ['less absolute and less squared error', () => 2, () => 1, true],
    ['less absolute but more squared error', () => 2, (base: number) => (base % 6 === 0 ? 7 : 0.5), false],
    ['more absolute but less squared error', (base: number) => (base % 6 === 0 ? 7 : 0.5), () => 2, false],
    ['the same errors', () => 1, () => -1, false],
  ] as const)('is the combination with %s: %s', (_, walk, combination, expected) => {
    expect(methods(50, off(walk, combination)).at(-1)).toBe(expected);
    // Whatever the history itself says.
    expect(methods(50, off(walk, combination, true)).at(-1)).toBe(expected);
  });

  it('follows the history while there are too few releases, and is the random walk without a combination', () => {
    expect(
      methods(
        5,
        off(
          () => 1,
          () => 2,
          true,
        ),
      ),
    ).toEqual([true, true, true, true, true, true]);
    expect(
      methods(
        5,
        modelOf((base) => ({ naive: base, combination: null, isBetter: true })),
      ).includes(true),
    ).toBe(false);
  });

  it('is missing if an interval has no end', () => {
    expect(
      methods(
        3,
        modelOf((base) => ({ naive: base, combination: null, halfWidth: Infinity })),
      ),
    ).toEqual([]);
  });
});

describe('a forecast is scored', () => {
  const model = modelOf((base) => ({ naive: 101 + base, combination: null }));
  const scoredWith = (more: Knowledge[], until = NEVER) =>
    forecastRuns(
      [...knowledge(1), ...more].toSorted((a, b) => a.observedAt - b.observedAt),
      RATE,
      monthly,
      until,
      [model],
    ).backtest.scored;

  it('against the value known a year after it', () => {
    const revised = (at: number): Knowledge => ({ period: 12, observedAt: at, value: 500 });
    expect(scoredWith([revised(MONTH(12))])[0]?.published.actual).toBe(500);
    expect(scoredWith([revised(MONTH(12) + 1)])[0]?.published.actual).toBe(112);
  });

  it('exactly one year after it', () => {
    expect(scoredWith([], MONTH(12) - 1)).toHaveLength(0);
    expect(scoredWith([], MONTH(12))).toHaveLength(1);
  });

  it('not if its period is unknown or was withdrawn', () => {
    expect(scoredWith([{ period: 12, observedAt: MONTH(5), value: null }])).toHaveLength(0);
  });

  it('on the scale of the steps of its history, seasonal ones if it has a season', () => {
    const jagged = Array.from(
      { length: 14 },
      (_, period): Knowledge => ({ period, observedAt: MONTH(period < 13 ? 0 : 1), value: period === 12 ? 50 : period % 2 }),
    );
    const scaleWith = (seasonalPeriod: number | null) =>
      forecastRuns(jagged, { isLevel: false, seasonalPeriod }, monthly, NEVER, [model]).backtest.scored[0]?.published.scale;
    // Eleven steps of one and one of 49; over a season from 0 to 50; a season as long as the history has none.
    expect(scaleWith(null)).toBeCloseTo(60 / 12, 12);
    expect(scaleWith(12)).toBe(50);
    expect(scaleWith(13)).toBeCloseTo(60 / 12, 12);
  });

  it.each([
    ['five of nine old values by more than a hundredth', 1.02, [0, 5], true],
    ['four of nine', 1.02, [0, 4], false],
    ['all by less than a hundredth', 1.0099, [0, 9], false],
    ['all by little more', 1.0101, [0, 9], true],
    ['all downwards', 0.98, [0, 9], true],
    ['none of the old ones, all of the last three years', 1.02, [9, 45], false],
  ] as const)('on its own base if %s changed', (_, factor, [start, end], isRebased) => {
    const given = Array.from(
      { length: 46 },
      (_unused, period): Knowledge => ({ period, observedAt: MONTH(period < 45 ? 0 : 1), value: 100 }),
    );
    const rebased = Array.from(
      { length: end - start },
      (_unused, index): Knowledge => ({ period: start + index, observedAt: MONTH(2), value: 100 * factor }),
    );
    const [scored] = forecastRuns([...given, ...rebased], LEVEL, monthly, NEVER, [model]).backtest.scored;
    expect(scored?.published.actual).toBeCloseTo(isRebased ? 100 / factor : 100, 9);
  });
});

describe('a run', () => {
  it('uses the newest sixty earlier forecasts of its own model that came true', () => {
    const seen: number[] = [];
    const counting = modelOf((base, earlier) => {
      seen.push(earlier);
      return { naive: base, combination: null };
    });
    forecastRuns(knowledge(70), RATE, monthly, NEVER, [counting]);
    // That of the last base comes true with the next one, sixty at most.
    expect(seen).toEqual(Array.from({ length: 71 }, (_, index) => Math.min(index, 60)));
    const later: number[] = [];
    const second = modelOf(
      (base, earlier) => {
        later.push(earlier);
        return { naive: base, combination: null };
      },
      'y',
      MONTH(3),
    );
    const { runs } = forecastRuns(knowledge(6), RATE, monthly, NEVER, [counting, second]);
    expect(runs.map(({ modelVersion }) => modelVersion)).toEqual(['x', 'x', 'x', 'y', 'y', 'y', 'y']);
    // As if it had been there from the first release on.
    expect(later).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('bridges one missing period at most', () => {
    expect([
      ...historyUpTo(
        3,
        new Map([
          [3, 7],
          [1, 3],
          [0, 1],
        ]),
      ),
    ]).toEqual([1, 3, 5, 7]);
    expect([
      ...historyUpTo(
        4,
        new Map([
          [4, 7],
          [1, 3],
          [0, 1],
        ]),
      ),
    ]).toEqual([7]);
    expect([...historyUpTo(5, new Map([[4, 7]]))]).toEqual([]);
  });
});

describe('the tables', () => {
  let relations: Relations;
  const SERIES = {
    series_no: 'integer',
    source_id: 'varchar',
    indicator_id: 'varchar',
    canonical_id: 'varchar',
    entity_id: 'varchar',
    entity_type: 'varchar',
    frequency: 'varchar',
    comparison_basis: 'varchar',
    unit: 'varchar',
    seasonal_adjustment: 'varchar',
    is_redistributable: 'boolean',
  };
  const monthEnd = (period: number) => new Date(Date.UTC(Math.floor(period / 12), (period % 12) + 1, 0)).toISOString().slice(0, 10);
  /** Prints of months or quarters from a first one on, the first fourteen at once, then one every thirty days. */
  const prints = (seriesNo: number, from: number, count: number, months: 1 | 3): GivenRow[] =>
    Array.from({ length: count }, (_, index) => ({
      series_no: seriesNo,
      period_end: monthEnd(months === 1 ? from + index : 3 * (from + index) + 2),
      value: 100 + noise(index),
      observed_at: `${new Date(Date.UTC(2020, 0, 1) + Math.max(0, index - 13) * 30 * 86_400_000).toISOString().slice(0, 10)} 00:00:00+00`,
      release_no: 1,
    }));
  const series = (seriesNo: number, more: GivenRow): GivenRow => ({
    series_no: seriesNo,
    source_id: 'fred',
    indicator_id: `i${seriesNo}`,
    canonical_id: `c${seriesNo}`,
    entity_id: 'us',
    entity_type: 'country',
    frequency: 'monthly',
    comparison_basis: 'level',
    unit: 'index',
    seasonal_adjustment: 'sa',
    is_redistributable: true,
    ...more,
  });
  const years = (seriesNo: number): GivenRow[] =>
    Array.from({ length: 14 }, (_, index) => ({
      series_no: seriesNo,
      period_end: `${2008 + index}-12-31`,
      value: 100 + noise(index),
      observed_at: `${2009 + index}-06-30 00:00:00+00`,
      release_no: 1,
    }));
  const MARCH_2019 = 2019 * 12 + 2;
  const KINDS: readonly (readonly [GivenRow, boolean | null, boolean])[] = [
    [{}, true, false],
    [{ unit: 'percent' }, false, false],
    [{ unit: 'percentage_points' }, false, false],
    [{ unit: 'balance' }, false, false],
    [{ comparison_basis: 'yoy' }, false, false],
    [{ seasonal_adjustment: 'nsa' }, true, true],
    [{ entity_type: 'currency_area' }, true, false],
    ...['instrument', 'index', 'commodity', 'currency'].map((type) => [{ entity_type: type }, true, false] as const),
    ...['company', 'futures_contract'].map((type) => [{ entity_type: type }, null, false] as const),
    // Gold and monthly exchange rates come with vendors' quotes, and are free all the same.
    [{ source_id: 'quotes', entity_type: 'commodity' }, true, false],
    [{ source_id: 'quotes', entity_type: 'currency' }, true, false],
    [{ frequency: 'daily' }, null, false],
    [{ frequency: 'annual' }, true, false],
    [{ frequency: 'weekly' }, null, false],
  ];
  beforeAll(async () => {
    relations = await openRelations();
    await giveLake(relations, { attempts: [{ finished_at: '2022-06-01 00:00:00+00' }, { finished_at: '2022-05-01 00:00:00+00' }] });
    await relations.give('derived.all_series', SERIES, [
      series(1, {}),
      series(2, { frequency: 'quarterly' }),
      series(3, { is_redistributable: false }),
      series(4, { frequency: 'annual' }),
      ...KINDS.map(([more], index) => series(100 + index, more)),
    ]);
    await relations.give('derived.all_vintages', VINTAGE_COLUMNS, [
      // Forecasts of February to October 2020, and of the fourth quarter of 2019 to the fourth of 2020.
      ...prints(1, MARCH_2019 - 3, 22, 1),
      ...prints(2, 2016 * 4 + 1, 18, 3),
      ...prints(3, MARCH_2019, 14, 1),
      ...years(4),
      ...KINDS.map((_, index) => ({
        series_no: 100 + index,
        period_end: '2020-12-31',
        value: 1,
        observed_at: '2021-01-01 00:00:00+00',
        release_no: 1,
      })),
    ]);
    await relations.run('create schema published; create table published.series as from derived.all_series');
    await relations.build('macros/knowledge_cutoff', 'forecasts/forecast_inputs');
    await computeForecasts(relations.connection, NO_CACHE);
    await relations.build('published/forecasts', 'published/forecast_backtests');
  });
  afterAll(() => relations.close());

  it.each(KINDS.map((kind, index) => [index, ...kind] as const))(
    'select a series by its kind: %#',
    async (index, _, isLevel, isUnadjusted) => {
      const found = await relations.ask(
        `select is_level, is_unadjusted, period_no from forecasts.forecast_inputs where series_no = ${100 + index}`,
      );
      const periodNo = KINDS[index]?.[0]['frequency'] === 'annual' ? 2020 : 2020 * 12 + 11;
      expect(found).toEqual(isLevel === null ? [] : [{ is_level: isLevel, is_unadjusted: isUnadjusted, period_no: periodNo }]);
    },
  );

  it('number quarters, too', async () => {
    expect(
      (await relations.ask('select min(period_no) as first, max(period_no) as last from forecasts.forecast_inputs where series_no = 2'))[0],
    ).toEqual({ first: 2016 * 4 + 1, last: 2016 * 4 + 18 });
  });

  it('name the known period and the next one, across the year', async () => {
    const periods = async (seriesNo: number) =>
      (
        await relations.ask(
          `select base_period, forecast_period, forecast_level, forecast_method, forecast_origin = observed_at as one from published.forecasts where series_no = ${seriesNo} order by observed_at`,
        )
      ).map((row) => [row['base_period'], row['forecast_period']]);
    expect(await periods(1)).toEqual([
      ['2020-01', '2020-02'],
      ['2020-02', '2020-03'],
      ['2020-03', '2020-04'],
      ['2020-04', '2020-05'],
      ['2020-05', '2020-06'],
      ['2020-06', '2020-07'],
      ['2020-07', '2020-08'],
      ['2020-08', '2020-09'],
      ['2020-09', '2020-10'],
    ]);
    expect(await periods(2)).toEqual([
      ['2019-Q3', '2019-Q4'],
      ['2019-Q4', '2020-Q1'],
      ['2020-Q1', '2020-Q2'],
      ['2020-Q2', '2020-Q3'],
      ['2020-Q3', '2020-Q4'],
    ]);
    expect(await periods(3)).toEqual([]);
    expect(await relations.ask('select distinct forecast_level, forecast_method, forecast_model_version from published.forecasts')).toEqual(
      [{ forecast_level: 0.8, forecast_method: 'naive_v1', forecast_model_version: '1.0.0' }],
    );
  });

  it('count months outside March to August 2020 as calm', async () => {
    const rows = await relations.ask(
      'select series_no, origin_count, scored_count, combination_count, calm_count, forecast_level, combination_mase, mase > 0 as is_measured, rmse_ratio from published.forecast_backtests where series_no < 3 order by series_no',
    );
    expect(rows).toEqual([
      // Of eight scored, March to August are six; of four quarters, three.
      {
        series_no: 1,
        origin_count: 9,
        scored_count: 8,
        combination_count: 0,
        calm_count: 2,
        forecast_level: 0.8,
        combination_mase: null,
        is_measured: true,
        rmse_ratio: 1,
      },
      {
        series_no: 2,
        origin_count: 5,
        scored_count: 4,
        combination_count: 0,
        calm_count: 1,
        forecast_level: 0.8,
        combination_mase: null,
        is_measured: true,
        rmse_ratio: 1,
      },
    ]);
  });
});

describe('the tables after the release of the later model', () => {
  let relations: Relations;
  const RELEASE = '2026-11-22 09:00:00+00';
  const day = (index: number) => new Date(Date.UTC(2009 + index, 5, 30)).toISOString().slice(0, 10);
  beforeAll(async () => {
    relations = await openRelations();
    await giveLake(relations, { attempts: [{ finished_at: '2026-12-01 00:00:00+00' }] });
    await relations.give(
      'derived.all_series',
      {
        series_no: 'integer',
        source_id: 'varchar',
        canonical_id: 'varchar',
        indicator_id: 'varchar',
        entity_type: 'varchar',
        frequency: 'varchar',
        comparison_basis: 'varchar',
        unit: 'varchar',
        seasonal_adjustment: 'varchar',
        is_redistributable: 'boolean',
      },
      [
        {
          series_no: 1,
          source_id: 'world_bank',
          indicator_id: 'i1',
          entity_type: 'country',
          frequency: 'annual',
          comparison_basis: 'level',
          unit: 'index',
          seasonal_adjustment: 'nsa',
          is_redistributable: true,
        },
      ],
    );
    await relations.give(
      'derived.all_vintages',
      VINTAGE_COLUMNS,
      Array.from({ length: 17 }, (_, index) => ({
        series_no: 1,
        period_end: `${2008 + index}-12-31`,
        value: 100 + 3 * index + noise(index),
        observed_at: `${day(index)} 00:00:00+00`,
        release_no: 1,
      })),
    );
    await relations.run('create schema published; create table published.series as from derived.all_series');
    await relations.build('macros/knowledge_cutoff', 'forecasts/forecast_inputs');
    await computeForecasts(relations.connection, NO_CACHE);
    await relations.build('published/forecasts', 'published/forecast_backtests');
  });
  afterAll(() => relations.close());

  it('have a forecast of the year by each later model, made at its release', async () => {
    expect(
      await relations.ask(
        `select base_period, forecast_period, forecast_method, forecast_model_version, forecast_origin = timestamptz '${RELEASE}' as at_release from published.forecasts order by forecast_origin`,
      ),
    ).toEqual([
      {
        base_period: '2024',
        forecast_period: '2025',
        forecast_method: 'comb_dotm_ets_v2',
        forecast_model_version: '2.0.0',
        at_release: true,
      },
      {
        base_period: '2024',
        forecast_period: '2025',
        forecast_method: 'comb_dotm_ets_v3',
        forecast_model_version: '3.0.0',
        at_release: false,
      },
    ]);
  });

  it('have its backtest at every release from the eighth year on, with 2020 not calm', async () => {
    // Bases 2015 to 2024; known two years on are the years 2016 to 2024.
    expect(
      await relations.ask('select origin_count, scored_count, calm_count, forecast_model_version from published.forecast_backtests'),
    ).toEqual([{ origin_count: 10, scored_count: 9, calm_count: 8, forecast_model_version: '3.0.0' }]);
  });
});
