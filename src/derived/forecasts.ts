// The baseline forecasts of every macro series and their backtest: forecasts.forecast_inputs → forecasts.forecasts, forecasts.forecast_backtests.
// Level 0.80, one period ahead, as of each moment at which a series' newest period became known.
import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api';
import { CADENCES, LEVEL } from './baseline-forecast.ts';
import { type Cadence, datasetNos, knownParts, seriesGroups } from './forecast-inputs.ts';
import { MODELS } from './forecast-models.ts';
import type { ForecastRun } from './forecast-runs.ts';
import { forecastShards } from './forecast-shards.ts';
import type { ResultCache } from './result-cache.ts';
import { BACKTEST_COUNTS, type BacktestFigures, rememberedForecasts } from './series-forecasts.ts';

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
    const groups = await seriesGroups(connection, datasetNo);
    for await (const { shelf: name, earlierShelves, series: known } of knownParts(connection, datasetNo, groups)) {
      const shelf = await cache.open(name, earlierShelves);
      for (const series of known) {
        const { runs, backtest } = rememberedForecasts(shelf, series, until, MODELS);
        for (const run of runs) appendForecast(forecasts, series.seriesNo, series.cadence, run);
        if (backtest !== null) appendBacktest(backtests, series.seriesNo, backtest);
      }
      await shelf.close();
    }
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

function appendBacktest(appender: DuckDBAppender, seriesNo: number, figures: BacktestFigures): void {
  appender.appendInteger(seriesNo);
  for (const [index, figure] of figures.entries()) {
    if (figure === null) appender.appendNull();
    else if (BACKTEST_COUNTS.includes(index)) appender.appendInteger(figure);
    else appender.appendDouble(figure);
  }
  appender.endRow();
}

function periodLabel(cadence: Cadence, period: number): string {
  const { periodsPerYear } = CADENCES[cadence];
  if (cadence === 'annual') return String(period);
  const within = (period % periodsPerYear) + 1;
  return `${Math.floor(period / periodsPerYear)}-${cadence === 'monthly' ? String(within).padStart(2, '0') : `Q${within}`}`;
}
