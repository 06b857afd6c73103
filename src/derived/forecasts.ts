// The baseline forecasts of every macro series and their backtest: forecasts.forecast_inputs → forecasts.forecasts, forecasts.forecast_backtests.
// Level 0.80, one period ahead, as of each moment at which a series' newest period became known.
import { setImmediate as turn } from 'node:timers/promises';
import type { DuckDBAppender, DuckDBConnection } from '@duckdb/node-api';
import { sqlText } from '../db/query.ts';
import { CADENCES, LEVEL } from './baseline-forecast.ts';
import { type Cadence, datasetNos, type KnownPart, knownParts, seriesGroups } from './forecast-inputs.ts';
import type { ForecastRun } from './forecast-runs.ts';
import { forecastShards } from './forecast-shards.ts';
import { forecastTask, forecastTexts, SeriesError } from './forecast-task.ts';
import type { ForecastsElsewhere, ResultCache } from './result-cache.ts';
import { BACKTEST_COUNTS, type BacktestFigures, forecastsOf } from './series-forecasts.ts';

/** A part whose forecasts are being made. */
interface Making {
  readonly series: readonly { readonly seriesNo: number; readonly cadence: Cadence }[];
  readonly texts: Promise<readonly string[]>;
}

/**
 * Creates both tables, which are empty for an empty lake. If the cache has threads, parts are made in parallel and added to the tables in their order.
 * @param onProgress measured in known values of finished series, out of all
 */
export async function computeForecasts(
  connection: DuckDBConnection,
  cache: ResultCache,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<void> {
  await connection.run(sqlText('forecasts/forecasts.sql'));
  const until = await knowledgeCutoff(connection);
  await cache.share?.(forecastShards(connection, until));
  const elsewhere = cache.elsewhere ?? { most: 0, make: makeHere(cache) };
  const total = await countKnown(connection);
  let done = 0;
  const begin = ({ series, ...shelves }: KnownPart): Making => {
    const task = forecastTask(series, until);
    const counts = series.map(({ knowledge }) => knowledge.length);
    const texts = elsewhere.make(shelves, task, (made) => {
      done += counts[made - 1] ?? 0;
      onProgress(done, total);
    });
    texts.catch(() => undefined); // First wait for the earlier ones.
    return { series: series.map(({ seriesNo, cadence }) => ({ seriesNo, cadence })), texts };
  };
  const forecasts = await connection.createAppender('forecasts', 'forecasts');
  const backtests = await connection.createAppender('forecast_backtests', 'forecasts');
  const append = async ({ series, texts }: Making) => {
    const made = await texts.catch(async (error: unknown) => {
      throw await namedError(connection, series, error);
    });
    for (const [index, { seriesNo, cadence }] of series.entries()) {
      const { runs, backtest } = forecastsOf(made[index] ?? '');
      for (const run of runs) appendForecast(forecasts, seriesNo, cadence, run);
      if (backtest !== null) appendBacktest(backtests, seriesNo, backtest);
      await turn();
    }
  };
  const waiting: Making[] = [];
  for (const datasetNo of await datasetNos(connection)) {
    const groups = await seriesGroups(connection, datasetNo);
    for await (const part of knownParts(connection, datasetNo, groups)) {
      waiting.push(begin(part));
      const [first] = waiting;
      if (first === undefined || waiting.length <= elsewhere.most) continue;
      await append(first);
      waiting.shift();
    }
  }
  for (const making of waiting) await append(making);
  forecasts.closeSync();
  backtests.closeSync();
}

/** In this thread, which answers no requests meanwhile. */
function makeHere(cache: ResultCache): ForecastsElsewhere['make'] {
  return async ({ shelf: name, earlierShelves }, task, onSeries) => {
    const shelf = await cache.open(name, earlierShelves);
    const texts: string[] = [];
    for (const text of forecastTexts(shelf, task)) onSeries(texts.push(text));
    await shelf.close();
    return texts;
  };
}

/** The error with the name of the series. */
async function namedError(connection: DuckDBConnection, series: Making['series'], error: unknown): Promise<unknown> {
  if (!(error instanceof SeriesError)) return error;
  const { seriesNo } = series[error.index] ?? {};
  if (seriesNo === undefined) return error;
  const result = await connection.runAndReadAll(
    `select concat_ws(', ', indicator_id, frequency, source_id) from derived.all_series where series_no = ${seriesNo}`,
  );
  const name = String(result.getRows()[0]?.[0] ?? seriesNo);
  return new Error(
    `the forecasts of ${name}: ${error.message}. Remove derived-cache in DATA_DIR, which is made again, and run the same command. If it fails again, report the series and this message.`,
    { cause: error },
  );
}

async function countKnown(connection: DuckDBConnection): Promise<number> {
  return Number((await connection.runAndReadAll('select count(*) from forecasts.forecast_inputs')).getRows()[0]?.[0]);
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
