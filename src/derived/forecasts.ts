// The baseline forecasts of every macro series and their backtest: forecasts.forecast_inputs → forecasts.forecasts, forecasts.forecast_backtests.
// Level 0.80, one period ahead, as of each moment at which a series' newest period became known.
import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api';
import { accuracyOf, isCovered } from '../stats/forecast-accuracy.ts';
import { CADENCES, LEVEL } from './baseline-forecast.ts';
import { type Cadence, datasetNos, readKnowledge, shelfName } from './forecast-inputs.ts';
import { MODELS } from './forecast-models.ts';
import { forecastRuns, type ForecastRun, type ScoredRun } from './forecast-runs.ts';
import { forecastShards } from './forecast-shards.ts';
import { rememberedBaseline } from './remembered-baseline.ts';
import type { ResultCache } from './result-cache.ts';

/** Creates both tables, empty over an empty lake. */
export async function computeForecasts(connection: DuckDBConnection, cache: ResultCache): Promise<void> {
  await connection.run(`
    create or replace table forecasts.forecasts (
      series_no integer, base_period varchar, forecast_period varchar, forecast double, lower double, upper double, level double, method varchar,
      model_version varchar, origin_ms bigint)`);
  await connection.run(`
    create or replace table forecasts.forecast_backtests (
      series_no integer, origin_count integer, scored_count integer, combination_count integer, combination_mase double, naive_mase double,
      combination_rmse_ratio double, mase double, rmse_ratio double, coverage double, msis double, calm_count integer, calm_covered_count integer)`);
  const until = await knowledgeCutoff(connection);
  await cache.share?.(forecastShards(connection, until));
  const forecasts = await connection.createAppender('forecasts', 'forecasts');
  const backtests = await connection.createAppender('forecast_backtests', 'forecasts');
  for (const datasetNo of await datasetNos(connection)) {
    const shelf = await cache.open(shelfName(datasetNo));
    const models = MODELS.map((model) => ({ ...model, method: rememberedBaseline(shelf, model.version, model.method) }));
    for (const { seriesNo, cadence, nature, knowledge } of await readKnowledge(connection, datasetNo)) {
      const { runs, backtest } = forecastRuns(knowledge, nature, CADENCES[cadence], until, models);
      for (const run of runs) appendForecast(forecasts, seriesNo, cadence, run);
      if (runs.length > 0) appendBacktest(backtests, seriesNo, cadence, backtest.runs, backtest.scored);
    }
    await shelf.close();
  }
  forecasts.closeSync();
  backtests.closeSync();
}

async function knowledgeCutoff(connection: DuckDBConnection): Promise<number> {
  const result = await connection.runAndReadAll('select epoch_ms(knowledge_cutoff())::double');
  return Number(result.getRows()[0]?.[0] ?? 0);
}

function appendForecast(appender: DuckDBAppender, seriesNo: number, cadence: Cadence, run: ForecastRun): void {
  appender.appendInteger(seriesNo);
  appender.appendVarchar(periodLabel(cadence, run.basePeriod));
  appender.appendVarchar(periodLabel(cadence, run.basePeriod + 1));
  for (const value of [run.forecast, run.lower, run.upper, LEVEL]) appender.appendDouble(value);
  appender.appendVarchar(run.method);
  appender.appendVarchar(run.modelVersion);
  appender.appendBigInt(BigInt(run.origin));
  appender.endRow();
}

function appendBacktest(
  appender: DuckDBAppender,
  seriesNo: number,
  cadence: Cadence,
  runs: readonly ForecastRun[],
  scored: readonly ScoredRun[],
): void {
  const calm = scored.filter(({ run }) => !isPandemic(cadence, run.basePeriod + 1));
  const combination = accuracyOf(
    scored.flatMap((one) => one.combination ?? []),
    LEVEL,
  );
  const { mase, naiveMase, rmseRatio, coverage, msis } = accuracyOf(
    scored.map((one) => one.published),
    LEVEL,
  );
  appender.appendInteger(seriesNo);
  for (const count of [runs.length, scored.length, runs.filter((run) => run.method !== 'naive_v1').length]) appender.appendInteger(count);
  for (const measure of [combination.mase, naiveMase, combination.rmseRatio, mase, rmseRatio, coverage, msis]) {
    if (measure === null) appender.appendNull();
    else appender.appendDouble(measure);
  }
  appender.appendInteger(calm.length);
  appender.appendInteger(calm.filter((one) => isCovered(one.published)).length);
  appender.endRow();
}

/** March to August 2020, or a quarter or year with one of these months. */
function isPandemic(cadence: Cadence, period: number): boolean {
  if (cadence === 'annual') return period === 2020;
  return cadence === 'monthly' ? period >= 2020 * 12 + 2 && period <= 2020 * 12 + 7 : period >= 2020 * 4 && period <= 2020 * 4 + 2;
}

function periodLabel(cadence: Cadence, period: number): string {
  const { periodsPerYear } = CADENCES[cadence];
  if (cadence === 'annual') return String(period);
  const within = (period % periodsPerYear) + 1;
  return `${Math.floor(period / periodsPerYear)}-${cadence === 'monthly' ? String(within).padStart(2, '0') : `Q${within}`}`;
}
