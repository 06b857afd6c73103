// Baseline forecasts: made from what was known, by the rules of docs/reference/methods.md#forecast-baseline, and scored a year on.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { baselineForecast, CADENCES, type ForecastModel } from '../../src/derived/baseline-forecast.ts';
import { MODELS } from '../../src/derived/forecast-models.ts';
import { forecastRuns, historyUpTo, type Knowledge } from '../../src/derived/forecast-runs.ts';
import { openWriter } from '../../src/db/connect.ts';
import { sqlText } from '../../src/db/query.ts';
import { endOfDay, lastDayOfMonth } from '../../src/model/period.ts';
import { combThetaDamped } from '../../src/stats/comb-theta-damped.ts';
import { compareWithLakeOfThen, forecastsAsOf } from '../story/look-ahead/lake-of-then.ts';
import { fredMdFile, openPipeline, type Pipeline } from '../pipeline.ts';
import { isLong } from '../suite.ts';

const RATE = { isLevel: false, seasonalPeriod: null };
const LEVEL = { isLevel: true, seasonalPeriod: null };
const { monthly, quarterly } = CADENCES;
const MONTH = 30.4375 * 86_400_000;
const FIRST_RELEASE = Date.UTC(2000, 0, 31);
/** After all that becomes known here, before any later model. */
const END = Date.UTC(2020, 0, 1);

const wobble = (index: number) => Math.sin(index * index * 12.9898);
const ramp = (index: number) => 100 + 2 * index + wobble(index);
const seriesOf = (length: number, value: (index: number) => number) => Float64Array.from({ length }, (_, index) => value(index));

/** A first release of `known` periods, then one period a month. */
function released(known: number, more: number, value: (period: number) => number): Knowledge[] {
  return Array.from({ length: known + more }, (_, period) => ({
    period,
    observedAt: FIRST_RELEASE + Math.max(0, period - known + 1) * MONTH,
    value: value(period),
  }));
}

describe('the baseline of a history', () => {
  it('of a constant is within its interval, whatever the digits of the constant', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 1e6, noNaN: true }), fc.constantFrom(14, 40), (constant, length) => {
        const made = baselineForecast(
          seriesOf(length, () => constant),
          LEVEL,
          monthly,
          [],
        );
        const candidates = [made?.naive, made?.combination].filter((one) => one !== undefined && one !== null);
        return candidates.length > 0 && candidates.every(({ lower, forecast, upper }) => lower <= forecast && forecast <= upper);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['monthly', monthly, 11, 12, 35, 36],
    ['quarterly', quarterly, 7, 8, 19, 20],
  ] as const)('of %s points: none, then a random walk, then the combination', (_, rules, none, walk, stillWalk, combined) => {
    expect(baselineForecast(seriesOf(none, ramp), RATE, rules, [])).toBeNull();
    for (const length of [walk, stillWalk]) {
      const short = baselineForecast(seriesOf(length, ramp), RATE, rules, []);
      expect(short?.combination).toBeNull();
      expect(short?.naive.forecast).toBe(ramp(length - 1));
    }
    expect(baselineForecast(seriesOf(combined, ramp), RATE, rules, [])?.combination?.forecast).toBe(
      combThetaDamped(seriesOf(combined, ramp), 1, RATE)[0],
    );
  });

  it('has a normal interval while errors are few, with the variance of the errors', () => {
    const steps = seriesOf(12, (index) => (index % 2 === 0 ? 0 : 3));
    const walk = baselineForecast(steps, RATE, monthly, [])?.naive;
    expect(walk?.upper).toBeCloseTo(3 + 1.2815515655446004 * 3, 9);
    expect(walk?.lower).toBeCloseTo(3 - 1.2815515655446004 * 3, 9);
  });

  it('has the ⌈(m + 1) · 0.8⌉-th smallest error as half width once there are enough', () => {
    const growing = seriesOf(61, (index) => (index * (index + 1)) / 2);
    const walk = baselineForecast(growing, RATE, monthly, [])?.naive;
    // Of the 49 newest steps, 12 to 60, the 40th smallest is 51.
    expect([walk?.lower, walk?.upper]).toEqual([1830 - 51, 1830 + 51]);
  });

  it('learns the width from earlier forecasts as soon as there are enough', () => {
    const earlier = Array.from({ length: 24 }, (_, index) => ({ actual: index + 1, naive: 0, combination: 0 }));
    const walk = baselineForecast(seriesOf(60, ramp), RATE, monthly, earlier)?.naive;
    expect((walk?.upper ?? 0) - (walk?.forecast ?? 0)).toBeCloseTo(20, 9);
  });

  it('keeps the interval of a positive level above zero', () => {
    const wild = seriesOf(60, (index) => Math.exp(3 * wobble(index)));
    expect(baselineForecast(wild, LEVEL, monthly, [])?.combination?.lower).toBeGreaterThan(0);
  });
});

describe('the runs of a series', () => {
  it('come with each new newest period, and not with revisions of older ones', () => {
    const knowledge = [...released(40, 2, ramp), { period: 30, observedAt: FIRST_RELEASE + 3 * MONTH, value: 7 }];
    const { runs } = forecastRuns(knowledge, RATE, monthly, END);
    expect(runs.map(({ basePeriod }) => basePeriod)).toEqual([39, 40, 41]);
    expect(runs.map(({ origin }) => origin)).toEqual([0, 1, 2].map((month) => FIRST_RELEASE + month * MONTH));
  });

  it('publish the combination if it beats the random walk, else the random walk', () => {
    const trending = forecastRuns(released(60, 40, ramp), LEVEL, monthly, END);
    expect(new Set(trending.runs.map(({ method }) => method))).toEqual(new Set(['comb_theta_damped_v1']));
    const held = (period: number) => 5 + Math.floor(period / 7) ** 2;
    const stepping = forecastRuns(
      released(60, 40, (period) => (held(period) % 11) / 10),
      RATE,
      monthly,
      END,
    );
    const { run, combination } = stepping.backtest.scored.at(-1) ?? {};
    expect([run?.method, combination === null]).toEqual(['naive_v1', false]);
  });

  it('score against the value in force a year after the forecast, not a later one', () => {
    const revised = (after: number, value: number): Knowledge => ({ period: 40, observedAt: FIRST_RELEASE + after * MONTH, value });
    const knowledge = [...released(40, 1, ramp), revised(11, 500), revised(13, 900)];
    const [first] = forecastRuns(knowledge, RATE, monthly, END).backtest.scored;
    expect([first?.run.basePeriod, first?.published.actual]).toEqual([39, 500]);
    const early = knowledge.filter(({ observedAt }) => observedAt <= FIRST_RELEASE + 11 * MONTH);
    expect(forecastRuns(early, RATE, monthly, FIRST_RELEASE + 11 * MONTH).backtest.scored).toEqual([]);
  });

  it('compare with a later base on the scale of the forecast', () => {
    const rebased = released(61, 0, ramp).map(({ period, value }) => ({
      period,
      observedAt: FIRST_RELEASE + 2 * MONTH,
      value: (value ?? 0) / 2,
    }));
    const [first] = forecastRuns([...released(60, 1, ramp), ...rebased], LEVEL, monthly, END).backtest.scored;
    expect(first?.published.actual).toBeCloseTo(ramp(60), 9);
  });

  it('use nothing that became known later, whatever is revised, withdrawn or missing', () => {
    const change = fc.record({ period: fc.integer({ min: 0, max: 70 }), value: fc.option(fc.double({ min: -50, max: 50, noNaN: true })) });
    const later = fc.array(fc.array(change, { maxLength: 6 }), { minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(later, fc.integer({ min: 1, max: 29 }), (revisions, cut) => {
        const knowledge = revisions.flatMap((changes, month) => [
          ...changes.map(({ period, value }) => ({
            period: Math.min(period, 40 + month),
            observedAt: FIRST_RELEASE + month * MONTH,
            value,
          })),
          { period: 40 + month, observedAt: FIRST_RELEASE + month * MONTH, value: ramp(month) },
        ]);
        const first = released(40, 0, ramp).map((one) => ({ ...one, observedAt: FIRST_RELEASE - MONTH }));
        const all = [...first, ...knowledge];
        const end = FIRST_RELEASE + cut * MONTH;
        const then = forecastRuns(
          all.filter(({ observedAt }) => observedAt <= end),
          LEVEL,
          monthly,
          end,
        ).runs;
        const now = forecastRuns(all, LEVEL, monthly, END).runs.filter(({ origin }) => origin <= end);
        expect(now).toEqual(then);
        expect(then.length).toBeGreaterThan(0);
      }),
      { numRuns: 20, seed: 7 },
    );
  });
});

describe('a later model', () => {
  const flat: ForecastModel['method'] = () => {
    const seven = { method: 'naive_v1', forecast: 7, lower: 7, upper: 7 } as const;
    return { naive: seven, combination: null, isBetterWithin: () => false };
  };
  const RELEASE = FIRST_RELEASE + 20.5 * MONTH;
  const later: ForecastModel = { version: 'later', releasedAt: RELEASE, method: flat, isKeptAtReleases: () => false };
  const knowledge = released(40, 30, ramp);

  it('forecasts from its release on, the newest period at once, and keeps earlier forecasts unchanged', () => {
    const before = forecastRuns(knowledge, LEVEL, monthly, END).runs;
    const after = forecastRuns(knowledge, LEVEL, monthly, END, [...MODELS, later]).runs;
    expect(after.slice(0, 21)).toEqual(before.slice(0, 21));
    expect(after.slice(21).map(({ modelVersion, forecast }) => [modelVersion, forecast])).toEqual(
      Array.from({ length: 11 }, () => ['later', 7]),
    );
    expect(after.slice(20, 23).map(({ basePeriod, origin }) => [basePeriod, origin])).toEqual([
      [59, FIRST_RELEASE + 20 * MONTH],
      [59, RELEASE],
      [60, FIRST_RELEASE + 21 * MONTH],
    ]);
  });

  it('is silent before its release', () => {
    const early = knowledge.filter(({ observedAt }) => observedAt < RELEASE);
    expect(forecastRuns(early, LEVEL, monthly, RELEASE - 1, [...MODELS, later])).toEqual(forecastRuns(early, LEVEL, monthly, RELEASE - 1));
    expect(forecastRuns(early, LEVEL, monthly, RELEASE, [...MODELS, later]).runs.at(-1)?.origin).toBe(RELEASE);
  });
});

describe('a history with holes', () => {
  const known = new Map([...Array(20).keys()].map((period) => [period, period * 10]));

  it('bridges a single missing period by the mean of its neighbours', () => {
    const holed = new Map([...known].filter(([period]) => period !== 15));
    expect([...historyUpTo(19, holed)]).toEqual([...known.values()]);
  });

  it('begins after a longer hole', () => {
    const holed = new Map([...known].filter(([period]) => period !== 15 && period !== 14));
    expect([...historyUpTo(19, holed)]).toEqual([160, 170, 180, 190]);
  });
});

describe('published forecasts', () => {
  const VINTAGES = ['2020-02', '2020-03', '2020-04', '2020-05'];
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await openPipeline();
    const months = [...Array(76).keys()].map((index) => `${2014 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`);
    const files = VINTAGES.map((vintage, v) => {
      const until = months.filter((month) => month < vintage);
      const column = (value: (index: number) => number) => Object.fromEntries(until.map((month, index) => [month, value(index)]));
      return fredMdFile(vintage, {
        CPIAUCSL: column((index) => 240 + index + v / 8),
        UNRATE: column((index) => 5 + wobble(index) + v / 100),
      });
    });
    await pipeline.run(Object.assign({}, ...files), '2021-06-01T00:00:00.000Z');
  });
  afterAll(() => pipeline.remove());

  it.runIf(isLong)('equal those of the lake of their time at every cutoff', async () => {
    const cutoffs = VINTAGES.map((vintage) => endOfDay(lastDayOfMonth(vintage)));
    const before = cutoffs.map((cutoff) => new Date(Date.parse(cutoff) - 1).toISOString()).slice(1);
    const report = await compareWithLakeOfThen(
      pipeline,
      ['cpi', 'cpi_inflation_yoy', 'unemployment_rate'],
      [...cutoffs, ...before],
      forecastsAsOf,
    );
    expect(report.differences).toEqual([]);
    expect(report.rowsCompared).toBeGreaterThan(20);
  });

  it('are for the next period, made when the newest one became known, with their backtest', async () => {
    const snapshot = await pipeline.open();
    const [forecasts, backtests] = await snapshot.withConnection(async (connection) => [
      (
        await connection.runAndReadAll(`
          select base_period, forecast_period, forecast_origin = timestamptz '2020-05-31 23:59:59.999+00', forecast_method, forecast
          from published.forecasts inner join published.series using (series_no)
          where canonical_id = 'cpi' order by forecast_origin desc limit 1`)
      ).getRows(),
      (
        await connection.runAndReadAll(
          `select canonical_id, origin_count, scored_count from published.forecast_backtests inner join published.series using (series_no, indicator_id) order by 1`,
        )
      ).getRows(),
    ]);
    expect(forecasts).toEqual([['2020-04', '2020-05', true, 'comb_theta_damped_v1', expect.closeTo(240 + 76 + 3 / 8, 0)]]);
    expect(backtests).toEqual([
      ['cpi', 4, 3],
      ['cpi_inflation_mom', 4, 3],
      // Quarters that became whole within those four months.
      ['cpi_inflation_quarterly', 2, 1],
      ['cpi_inflation_yoy', 4, 3],
      ['unemployment_rate', 4, 3],
      ['unemployment_rate_quarterly', 2, 1],
    ]);
  });

  it.each([
    ['sound', 0, "('2020-05-31', 1.0, 0.5, 1.5)"],
    ['outside its interval', 1, "('2020-05-31', 1.6, 0.5, 1.5)"],
    ['without an end', 1, "('2020-05-31', 1.0, 0.5, 'infinity')"],
    ['made too early', 1, "('2020-05-30', 1.0, 0.5, 1.5)"],
  ])('are checked: one %s is found %i times', async (_, times, row) => {
    const engine = await openWriter(pipeline.workspace.limits('test'));
    try {
      await engine.connection.run(`
        create schema published;
        create table published.vintages as select 1 as series_no, '2020-04' as period, 1.0 as value, timestamptz '2020-05-31' as observed_at;
        create table published.forecasts (observed_at timestamptz, forecast double, forecast_lower double, forecast_upper double,
          series_no integer default 1, base_period varchar default '2020-04');
        insert into published.forecasts (observed_at, forecast, forecast_lower, forecast_upper) values ${row}`);
      const found = await engine.connection.runAndReadAll(sqlText('checks/forecasts_are_sound.sql'));
      expect(found.getRows()).toHaveLength(times);
    } finally {
      engine.close();
    }
  });
});
