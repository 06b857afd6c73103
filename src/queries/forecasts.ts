// Baseline forecasts for the observations that they follow.
import { z } from 'zod';
import { defineQuery, run } from '../db/query.ts';
import { type BacktestTable, ForecastBacktest } from '../model/derived.ts';
import { type Forecast, NO_FORECAST } from '../model/forecast.ts';
import type { VintageRow } from './reads/rows.ts';
import type { Snapshot } from './snapshot.ts';

export const forecastsOfPeriodsQuery = defineQuery('forecasts/of_periods.sql', {
  params: z.strictObject({ seriesNos: z.array(z.int()), periods: z.array(z.string()), asOf: z.string().nullable() }),
  row: z.strictObject({
    seriesNo: z.int(),
    basePeriod: z.string(),
    forecast: z.number(),
    forecastMethod: z.string(),
    forecastLower: z.number().nullable(),
    forecastUpper: z.number().nullable(),
    forecastLevel: z.number().nullable(),
    forecastPeriod: z.string(),
    forecastOrigin: z.string(),
    forecastModelVersion: z.string(),
  }),
});

/** The forecast that follows each row, in the order of the rows. */
export async function forecastsAfter(snapshot: Snapshot, rows: readonly VintageRow[], asOf: string | null): Promise<readonly Forecast[]> {
  if (rows.length === 0) return [];
  const found = await run(snapshot, forecastsOfPeriodsQuery, {
    seriesNos: [...new Set(rows.map((row) => row.seriesNo))],
    periods: [...new Set(rows.map((row) => row.period))],
    asOf,
  });
  const byPeriod = new Map(
    found.map(({ seriesNo, basePeriod, ...forecast }): [string, Forecast] => [
      `${seriesNo} ${basePeriod}`,
      { ...forecast, forecastTarget: 'revised' },
    ]),
  );
  return rows.map((row) => byPeriod.get(`${row.seriesNo} ${row.period}`) ?? NO_FORECAST);
}

export const forecastBacktestsQuery = defineQuery('forecasts/backtests_list.sql', {
  params: z.strictObject({}),
  row: ForecastBacktest.extend({ calmCount: z.int(), calmCoveredCount: z.int() }),
});

/** Compares baseline forecasts with the outcome a year later, series by series. */
export async function forecastBacktest(snapshot: Snapshot): Promise<BacktestTable> {
  const rows = await run(snapshot, forecastBacktestsQuery, {});
  const [calm, covered] = [rows.reduce((sum, row) => sum + row.calmCount, 0), rows.reduce((sum, row) => sum + row.calmCoveredCount, 0)];
  return {
    calmCoverage: calm === 0 ? null : covered / calm,
    series: rows.map(({ calmCount: _, calmCoveredCount: __, ...row }) => row),
  };
}
