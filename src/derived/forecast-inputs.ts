// What became known of the series that are forecast: forecasts.forecast_inputs, one data set at a time, so that memory does not grow with their number.
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import { z } from 'zod';
import type { SeriesNature } from '../stats/comb-theta-damped.ts';
import { CADENCES } from './baseline-forecast.ts';
import type { Knowledge } from './forecast-runs.ts';

export const Cadences = z.enum(['monthly', 'quarterly', 'annual']);
export type Cadence = z.infer<typeof Cadences>;

export interface SeriesKnowledge {
  readonly seriesNo: number;
  readonly cadence: Cadence;
  readonly nature: SeriesNature;
  readonly knowledge: readonly Knowledge[];
}

export async function datasetNos(connection: DuckDBConnection): Promise<readonly number[]> {
  const result = await connection.runAndReadAll('select distinct series_no >> 20 from forecasts.forecast_inputs order by all');
  return result.getRows().map(([datasetNo]) => Number(datasetNo));
}

export async function readKnowledge(connection: DuckDBConnection, datasetNo: number): Promise<SeriesKnowledge[]> {
  const result = await connection.runAndReadAll(`
    select series_no, frequency, is_level, is_unadjusted, period_no, epoch_ms(observed_at)::double, value
    from forecasts.forecast_inputs
    where series_no >> 20 = ${datasetNo}
    order by series_no, observed_at, period_no, release_no`);
  const [seriesNos = [], cadences = [], levels = [], unadjusted = [], periods = [], instants = [], values = []] = result.getColumns();
  const found: (SeriesKnowledge & { readonly knowledge: Knowledge[] })[] = [];
  for (const [index, cell] of seriesNos.entries()) {
    const seriesNo = Number(cell);
    let series = found.at(-1);
    if (series === undefined || series.seriesNo !== seriesNo) {
      const cadence = Cadences.parse(cadences[index]);
      const { periodsPerYear } = CADENCES[cadence];
      const seasonalPeriod = unadjusted[index] === true && periodsPerYear > 1 ? periodsPerYear : null;
      series = { seriesNo, cadence, nature: { isLevel: levels[index] === true, seasonalPeriod }, knowledge: [] };
      found.push(series);
    }
    series.knowledge.push({ period: Number(periods[index]), observedAt: Number(instants[index]), value: toNumber(values[index] ?? null) });
  }
  return found;
}

const toNumber = (value: DuckDBValue) => (value === null ? null : Number(value));

/** Of the results of a data set. */
export const shelfName = (datasetNo: number): string => `forecasts-${datasetNo}`;
