// comb_dotm_ets_v2 and v3 at the edges of its rules (docs/reference/methods.md#forecast-baseline): each threshold just below, at and just above, with measures reckoned by hand.
import { describe, expect, it } from 'vitest';
import { baselineForecast, CADENCES, type ForecastModel } from '../../src/derived/baseline-forecast.ts';
import {
  dotmEtsBaseline,
  dotmEtsTestedBaseline,
  isRivalNotCloserAtReleases,
  newestThird,
  rollingOrigin,
} from '../../src/derived/dotm-ets-baseline.ts';
import { MODELS } from '../../src/derived/forecast-models.ts';
import { forecastRuns, type Knowledge } from '../../src/derived/forecast-runs.ts';
import { combDotmEts } from '../../src/stats/comb-dotm-ets.ts';
import { LOG, RAW } from '../../src/stats/comb-theta-damped.ts';
import type { Outcome } from '../../src/stats/forecast-accuracy.ts';

const { monthly, quarterly, annual } = CADENCES;
const RATE = { isLevel: false, seasonalPeriod: null };
const LEVEL = { isLevel: true, seasonalPeriod: null };
const seriesOf = (length: number, value: (index: number) => number) => Float64Array.from({ length }, (_, index) => value(index));
const noise = (index: number) => Math.sin((index + 1) ** 2 * 12.9898);
const NORMAL_QUANTILE = 1.2815515655446004;

describe('the minimum lengths', () => {
  it.each([
    ['monthly', monthly, 12, 36],
    ['quarterly', quarterly, 8, 20],
    ['annual', annual, 8, 12],
  ] as const)('of %s points', (_, rules, walk, combined) => {
    const of = (length: number) =>
      dotmEtsBaseline(
        seriesOf(length, (index) => index + noise(index)),
        RATE,
        rules,
        [],
      );
    expect(of(walk - 1)).toBeNull();
    expect([of(walk)?.combination, of(walk)?.naive.forecast]).toEqual([null, walk - 1 + noise(walk - 1)]);
    expect(of(combined - 1)?.combination).toBeNull();
    expect(of(combined)?.combination?.method).toBe('comb_dotm_ets_v2');
  });

  it('of the earlier model cover no annual forecasts', () => {
    expect(baselineForecast(seriesOf(40, noise), RATE, annual, [])).toBeNull();
  });
});

describe('a history with a season', () => {
  const SEASONAL = { isLevel: false, seasonalPeriod: 4 };
  const seasonal = (length: number) => seriesOf(length, (index) => [0, 10, 3, -8][index % 4]! + noise(index) / 4);

  it.each([
    // Eleven points cannot show a season of four.
    [11, 10],
    [16, 12],
    [19, 15],
  ])('of %i quarters has the value of point %i as its naive forecast', (length, point) => {
    const history = seasonal(length);
    expect(dotmEtsBaseline(history, SEASONAL, quarterly, [])?.naive.forecast).toBe(history[point]);
    expect(dotmEtsBaseline(history, RATE, quarterly, [])?.naive.forecast).toBe(history.at(-1));
  });

  it.each([
    [quarterly, 4, 13, 0],
    [quarterly, 4, 14, 1],
    [quarterly, 4, 30, 17],
    [quarterly, 4, 60, 40],
    [monthly, 12, 37, 0],
    [monthly, 12, 38, 1],
    [monthly, 12, 96, 59],
    [monthly, 12, 98, 60],
  ])('trains on three seasons plus one point: %#', (rules, seasonalPeriod, length, count) => {
    const history = seriesOf(length, (index) => (index % seasonalPeriod === 1 ? 20 : 0) + noise(index));
    expect(rollingOrigin(history, { isLevel: false, seasonalPeriod }, rules).count).toBe(count);
  });

  it.each([
    [quarterly, 30, 26],
    [monthly, 40, 28],
    [annual, 14, 8],
  ])('without a season trains on fewer points: %#', (rules, length, count) => {
    expect(rollingOrigin(seriesOf(length, noise), RATE, rules).count).toBe(count);
  });

  it('measures its rival by seasonal steps', () => {
    const history = seasonal(30);
    const { rivalErrors } = rollingOrigin(history, SEASONAL, quarterly);
    expect([...rivalErrors()]).toEqual(Array.from({ length: 26 }, (_, index) => history[index + 4]! - history[index]!));
  });
});

describe('the scale', () => {
  const doubling = seriesOf(72, (index) => Math.exp(0.08 * index + 0.01 * noise(index)));
  const straight = seriesOf(72, (index) => 1000 + 10 * index + 5 * noise(index));

  it('of a level is the logarithm if that was closer by a tenth, else the values themselves', () => {
    expect(rollingOrigin(doubling, LEVEL, monthly).preferredScale()).toBe(LOG);
    expect(rollingOrigin(straight, LEVEL, monthly).preferredScale()).toBe(RAW);
    for (const history of [doubling, straight]) {
      const { errorsOn, preferredScale } = rollingOrigin(history, LEVEL, monthly);
      const size = (errors: Float64Array) => errors.reduce((sum, error) => sum + Math.abs(error), 0);
      expect(preferredScale() === LOG).toBe(size(errorsOn(RAW)) > 1.1 * size(errorsOn(LOG)));
      expect(dotmEtsBaseline(history, LEVEL, monthly, [])?.combination?.forecast).toBe(combDotmEts(history, 1, LEVEL, preferredScale())[0]);
    }
  });

  it('of a rate, and of a level that was not always positive, is the values themselves', () => {
    expect(rollingOrigin(doubling, RATE, monthly).preferredScale()).toBe(RAW);
    const touching = doubling.map((value, index) => (index === 3 ? 0 : value));
    expect(rollingOrigin(touching, LEVEL, monthly).preferredScale()).toBe(RAW);
  });

  it('of errors of a positive level is one of ratios, so that no interval reaches below zero', () => {
    const { errorsOn } = rollingOrigin(straight, LEVEL, monthly);
    for (const error of errorsOn(RAW)) expect(Math.abs(error)).toBeLessThan(0.02);
    const wild = seriesOf(60, (index) => Math.exp(3 * noise(index)));
    const made = dotmEtsBaseline(wild, LEVEL, monthly, []);
    expect(made?.combination?.lower ?? made?.naive.lower).toBeGreaterThan(0);
  });
});

describe('the interval', () => {
  it('has the ⌈(m + 1) · 0.8⌉-th smallest error as half width once there are enough', () => {
    const growing = seriesOf(62, (index) => (index * (index + 1)) / 2);
    const walk = dotmEtsBaseline(growing, RATE, monthly, [])?.naive;
    // Of the sixty newest steps, 2 to 61, the 49th smallest is 50.
    expect([walk?.lower, walk?.upper]).toEqual([1891 - 50, 1891 + 50]);
  });

  it('is normal with the mean square of the steps while those are few', () => {
    const steps = seriesOf(8, (index) => (index % 2 === 0 ? 0 : 3));
    const walk = dotmEtsBaseline(steps, RATE, annual, [])?.naive;
    expect(walk?.upper).toBeCloseTo(3 + NORMAL_QUANTILE * 3, 9);
  });

  it('of the combination is normal with the variance of exponential smoothing while its errors are few', () => {
    // Twelve points of a line, six of them before the rolling origin. Exponential smoothing with α = 1 errs by 2 at each of the eleven steps, n − 2 = 10.
    const made = dotmEtsBaseline(
      seriesOf(12, (index) => 2 * index),
      RATE,
      annual,
      [],
    )?.combination;
    expect((made?.upper ?? 0) - (made?.forecast ?? 0)).toBeCloseTo(NORMAL_QUANTILE * Math.sqrt((11 * 4) / 10), 3);
  });

  it('uses only earlier forecasts as soon as they are enough', () => {
    const earlier = Array.from({ length: 24 }, (_, index) => ({ actual: index + 1, naive: 0, combination: 0 }));
    const made = dotmEtsBaseline(seriesOf(60, noise), RATE, monthly, earlier);
    for (const one of [made?.naive, made?.combination]) expect((one?.upper ?? 0) - (one?.forecast ?? 0)).toBeCloseTo(20, 9);
  });
});

describe('the verdict within a history', () => {
  const line = (index: number) => 5 * index + noise(index);
  const stepping = (index: number) => Math.floor(index / 9) ** 2 % 7;

  it('is for the combination on a trend, and against it if values stay and jump', () => {
    expect(dotmEtsBaseline(seriesOf(60, line), RATE, monthly, [])?.isBetterWithin()).toBe(true);
    expect(dotmEtsBaseline(seriesOf(60, stepping), RATE, monthly, [])?.isBetterWithin()).toBe(false);
  });

  it('is for it if errors are too few for a verdict', () => {
    // Thirty-six months with twelve before the origin leave twenty-four errors; of thirteen years seven are one short.
    expect(dotmEtsBaseline(seriesOf(36, stepping), RATE, monthly, [])?.isBetterWithin()).toBe(false);
    expect(dotmEtsBaseline(seriesOf(13, stepping), RATE, annual, [])?.isBetterWithin()).toBe(true);
    expect(dotmEtsBaseline(seriesOf(14, stepping), RATE, annual, [])?.isBetterWithin()).toBe(false);
  });
});

describe('comb_dotm_ets_v3', () => {
  const walk = (index: number) => Math.floor(index / 9) ** 2 % 7;

  it('forecasts as comb_dotm_ets_v2 does on the same scale', () => {
    const history = seriesOf(80, (index) => 5 * index + noise(index));
    const [before, now] = [dotmEtsBaseline(history, RATE, monthly, []), dotmEtsTestedBaseline(history, RATE, monthly, [])];
    expect([now?.combination?.method, now?.combination?.forecast]).toEqual(['comb_dotm_ets_v3', before?.combination?.forecast]);
    expect(now?.naive.forecast).toBe(before?.naive.forecast);
  });

  it.each([
    // The newest third, at least 24, 16 or 8 points and at most 60, 40 or 20, after three years and one point (six years of an annual history).
    ['monthly', monthly, 60, 23],
    ['monthly', monthly, 61, 24],
    ['monthly', monthly, 74, 24],
    ['monthly', monthly, 90, 30],
    ['monthly', monthly, 400, 60],
    ['quarterly', quarterly, 29, 16],
    ['quarterly', quarterly, 60, 20],
    ['quarterly', quarterly, 200, 40],
    ['annual', annual, 14, 8],
    ['annual', annual, 13, 7],
    ['annual', annual, 90, 20],
  ] as const)('of a %s history looks back on this many points: %#', (_, rules, length, count) => {
    expect(rollingOrigin(seriesOf(length, noise), RATE, rules, newestThird).count).toBe(count);
  });

  it('drops the combination only if the rival was closer beyond chance', () => {
    // Values that hold for nine months and jump: nothing is closer than the value before.
    expect(dotmEtsTestedBaseline(seriesOf(120, walk), RATE, monthly, [])?.isBetterWithin()).toBe(false);
    // Noise about a random walk: v2 dropped the combination for a difference that means nothing.
    let kept = 0;
    let keptBefore = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      let level = 0;
      const history = seriesOf(90, (index) => (level += noise(index * seed + seed)));
      kept += dotmEtsTestedBaseline(history, RATE, monthly, [])?.isBetterWithin() === true ? 1 : 0;
      keptBefore += dotmEtsBaseline(history, RATE, monthly, [])?.isBetterWithin() === true ? 1 : 0;
    }
    expect(kept).toBeGreaterThan(keptBefore);
    expect(kept).toBeGreaterThan(28);
  });

  it('judges earlier releases by the same test, each error by the scale of its own history', () => {
    const outcome = (naive: number, forecast: number, scale = 1): Outcome => ({ actual: 0, naive, forecast, lower: 0, upper: 0, scale });
    const outcomes = (beyond: number) => Array.from({ length: 16 }, (_, index) => outcome(1, index < 8 + beyond ? 2 : 0));
    expect([2, 3].map((beyond) => isRivalNotCloserAtReleases(outcomes(beyond)))).toEqual([true, false]);
    // A release whose history never moved has no scale and does not count: seven are left, too few.
    expect(isRivalNotCloserAtReleases(outcomes(8).map((one, index) => (index < 7 ? one : { ...one, scale: 0 })))).toBe(true);
    // Scaled by a thousand, the releases that speak for the rival weigh little.
    expect(isRivalNotCloserAtReleases(outcomes(3).map((one) => (one.forecast === 2 ? { ...one, scale: 1000 } : one)))).toBe(true);
  });
});

describe('a model with a later release', () => {
  const MONTH = (month: number) => Date.UTC(2000, month, 15);
  const RELEASE = Date.UTC(2003, 0, 1);
  const constant = (version: string, value: number, releasedAt: number | null): ForecastModel => ({
    version,
    releasedAt,
    isKeptAtReleases: () => false,
    method: () => {
      const one = { method: 'naive_v1', forecast: value, lower: value, upper: value } as const;
      return { naive: one, combination: null, isBetterWithin: () => false };
    },
  });
  const models = [constant('old', 1, null), constant('new', 2, RELEASE)];
  const knowledge = (months: number): Knowledge[] =>
    Array.from({ length: months }, (_, period) => ({ period, observedAt: MONTH(period), value: period }));

  it('publishes from its release on, and backtests all releases, its own in place of the ones it would have made', () => {
    const { runs, backtest } = forecastRuns(knowledge(40), RATE, monthly, MONTH(39), models);
    expect(runs.map(({ modelVersion }) => modelVersion)).toEqual([
      ...Array.from({ length: 36 }, () => 'old'),
      ...Array.from({ length: 5 }, () => 'new'),
    ]);
    expect(backtest.runs.map(({ basePeriod }) => basePeriod)).toEqual([...Array(40).keys()]);
    expect(backtest.runs.every(({ modelVersion }) => modelVersion === 'new')).toBe(true);
    expect(backtest.runs[35]?.origin).toBe(RELEASE);
    expect(backtest.scored.every(({ run }) => run.forecast === 2)).toBe(true);
  });

  it('leaves the backtest to the earlier model until then', () => {
    const { runs, backtest } = forecastRuns(knowledge(36), RATE, monthly, RELEASE - 1, models);
    expect(new Set([...runs, ...backtest.runs].map(({ modelVersion }) => modelVersion))).toEqual(new Set(['old']));
  });

  it('forecasts annual periods, scored two years later', () => {
    const years = Array.from(
      { length: 14 },
      (_, period): Knowledge => ({ period, observedAt: Date.UTC(2000 + period, 5, 1), value: period }),
    );
    // That of 2012 is of 2013, the last that is known.
    const lastScored = (until: number) =>
      forecastRuns(years, RATE, annual, until, [constant('x', 1, null)]).backtest.scored.at(-1)?.run.basePeriod;
    expect(lastScored(Date.UTC(2014, 5, 1))).toBe(12);
    expect(lastScored(Date.UTC(2014, 5, 1) - 1)).toBe(11);
  });
});

it('the models are in the order of their release', () => {
  expect(MODELS.map(({ version, releasedAt }) => [version, releasedAt === null ? null : new Date(releasedAt).toISOString()])).toEqual([
    ['1.0.0', null],
    ['2.0.0', '2026-11-22T09:00:00.000Z'],
    ['3.0.0', '2026-11-26T21:00:00.000Z'],
  ]);
});
