// All published forecasts of one series, and the same through a shelf of the result cache: without new knowledge of the series and without a due
// forecast, no single forecast is looked up. Doubles are stored bit for bit.
import { z } from 'zod';
import { accuracyOf, isCovered } from '../stats/forecast-accuracy.ts';
import { CADENCES, type ForecastModel, LEVEL, METHODS } from './baseline-forecast.ts';
import { type Cadence, knowledgeNumbers, type SeriesKnowledge } from './forecast-inputs.ts';
import { type Backtest, forecastRuns, type ForecastRun, modelsInForce, type Period } from './forecast-runs.ts';
import { rememberedBaseline } from './remembered-baseline.ts';
import type { Shelf } from './shelf.ts';

/** In the order of the columns of forecasts.forecast_backtests. */
export type BacktestFigures = readonly (number | null)[];

/** The indexes of counts. */
export const BACKTEST_COUNTS: readonly number[] = [0, 1, 2, 10, 11];

export interface SeriesForecasts {
  readonly runs: readonly ForecastRun[];
  /** Null without any run. */
  readonly backtest: BacktestFigures | null;
}

type Known = Pick<SeriesKnowledge, 'cadence' | 'nature' | 'knowledge'>;

type Remembered = Pick<Shelf, 'get' | 'put' | 'whole'>;

/** @param until as of `forecastRuns` */
export const rememberedForecasts = (shelf: Remembered, series: Known, until: number, models: readonly ForecastModel[]): SeriesForecasts =>
  forecastsOf(forecastsText(shelf, series, until, models));

/** The same as a text, for `forecastsOf`. */
export function forecastsText(shelf: Remembered, series: Known, until: number, models: readonly ForecastModel[]): string {
  const { cadence, nature, knowledge } = series;
  const inForce = modelsInForce(models, until);
  const make = () => {
    const remembered = inForce.map((model) => ({ ...model, method: rememberedBaseline(shelf, model.version, model.method) }));
    const { runs, backtest } = forecastRuns(knowledge, nature, CADENCES[cadence], until, remembered);
    return toText({ runs, backtest: runs.length === 0 ? null : figuresOf(cadence, backtest) }, backtest.holds);
  };
  const isStill = (text: string) => {
    const { holds } = headOf(text);
    return (holds.from === null || holds.from <= until) && (holds.before === null || until < holds.before);
  };
  return shelf.whole(keyOf(series, inForce), isStill, make);
}

function keyOf(series: Known, models: readonly ForecastModel[]): Uint8Array {
  const { cadence, nature } = series;
  const head = { set: 'forecasts of a series', models: models.map(({ version, releasedAt }) => [version, releasedAt]), cadence, nature };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), Buffer.from(knowledgeNumbers([series]).buffer)]);
}

function figuresOf(cadence: Cadence, { runs, scored }: Backtest): BacktestFigures {
  const calm = scored.filter(({ run }) => !isPandemic(cadence, run.basePeriod + 1));
  const combination = accuracyOf(
    scored.flatMap((one) => one.combination ?? []),
    LEVEL,
  );
  const { mase, naiveMase, rmseRatio, coverage, msis } = accuracyOf(
    scored.map((one) => one.published),
    LEVEL,
  );
  return [
    runs.length,
    scored.length,
    runs.filter((run) => run.method !== 'naive_v1').length,
    combination.mase,
    naiveMase,
    combination.rmseRatio,
    mase,
    rmseRatio,
    coverage,
    msis,
    calm.length,
    calm.filter((one) => isCovered(one.published)).length,
  ];
}

/** March to August 2020, or a quarter or year with one of these months. */
function isPandemic(cadence: Cadence, period: number): boolean {
  if (cadence === 'annual') return period === 2020;
  return cadence === 'monthly' ? period >= 2020 * 12 + 2 && period <= 2020 * 12 + 7 : period >= 2020 * 4 && period <= 2020 * 4 + 2;
}

const Head = z.strictObject({
  /** Null for everything before, or after. */
  holds: z.strictObject({ from: z.number().nullable(), before: z.number().nullable() }),
  /** Method and version of each model with a forecast. */
  models: z.array(z.tuple([z.enum(METHODS), z.string()])),
  runs: z.int(),
  /** For each figure of the backtest, if it is a number. */
  figures: z.array(z.boolean()).nullable(),
});
type Head = z.infer<typeof Head>;

const NUMBERS_PER_RUN = 6;

/** A JSON header, then the numbers: those of the runs, and the numeric figures. */
function toText({ runs, backtest }: SeriesForecasts, { from, before }: Period): string {
  const names = [...new Set(runs.map(({ method, modelVersion }) => `${method} ${modelVersion}`))];
  const head: Head = {
    holds: { from: Number.isFinite(from) ? from : null, before: Number.isFinite(before) ? before : null },
    models: names.map((name) => Head.shape.models.element.parse(name.split(' '))),
    runs: runs.length,
    figures: backtest === null ? null : backtest.map((figure) => figure !== null),
  };
  const numbers = Float64Array.from([
    ...runs.flatMap(({ method, modelVersion, basePeriod, origin, forecast, lower, upper }) => {
      const model = names.indexOf(`${method} ${modelVersion}`);
      return [model, basePeriod, origin, forecast, lower, upper];
    }),
    ...(backtest ?? []).filter((figure) => figure !== null),
  ]);
  return `${JSON.stringify(head)} ${Buffer.from(numbers.buffer).toString('base64')}`;
}

const headOf = (text: string): Head => Head.parse(JSON.parse(text.slice(0, text.lastIndexOf(' '))));

export function forecastsOf(text: string): SeriesForecasts {
  const { models, runs, figures } = headOf(text);
  const numbers = new Float64Array(Uint8Array.from(Buffer.from(text.slice(text.lastIndexOf(' ') + 1), 'base64')).buffer);
  const rest = [...numbers.subarray(runs * NUMBERS_PER_RUN)];
  return {
    runs: Array.from({ length: runs }, (_, index) => {
      const at = index * NUMBERS_PER_RUN;
      const [model = 0, basePeriod = Number.NaN, origin = Number.NaN, forecast = Number.NaN, lower = Number.NaN, upper = Number.NaN] =
        numbers.subarray(at, at + NUMBERS_PER_RUN);
      const [method, modelVersion] = models[model] ?? [METHODS[0], ''];
      return { method, modelVersion, basePeriod, origin, forecast, lower, upper };
    }),
    backtest: figures?.map((isNumber) => (isNumber ? (rest.shift() ?? Number.NaN) : null)) ?? null,
  };
}
