import { listRoute } from '../http/route.ts';
import { MacroRow } from '../model/forecast.ts';
import { forecastsAfter } from '../queries/forecasts.ts';
import { listVintages, OBSERVATION_SORTS, observationsList, selectSeries, seriesOf, toObservations } from '../queries/observations.ts';
import { sortOf } from '../queries/paging.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { observationMeta, observationParameters, readOf } from './observation-parameters.ts';

export const platformMacroData = listRoute<Snapshot, typeof observationParameters, MacroRow>({
  path: '/platform/macro-data',
  scope: 'data:read',
  tag: 'observations',
  summary: "Macroeconomic observations with the service's statistical baseline for the period that follows.",
  description: 'The forecast fields are null where no baseline is published; they never hold a consensus.',
  example: '/platform/macro-data?country=US&period=2020-Q2&limit=5',
  query: observationParameters,
  row: MacroRow,
  meta: observationMeta,
  sortable: OBSERVATION_SORTS,
  isHistory: true,
  list: async (query, page, context) => {
    const { snapshot } = context;
    const read = readOf(query, context, false);
    const series = selectSeries(snapshot.catalogue, { ...read.series, isMacroOnly: true }, context.now);
    const found = await listVintages(snapshot, series, read.vintages, { ...page, sort: sortOf(observationsList, page.sort) });
    const forecasts = await forecastsAfter(snapshot, found.rows, read.asOf);
    const observations = toObservations(found.rows, { catalogue: snapshot.catalogue, at: read.at });
    const rows = found.rows.map((row, index): MacroRow => {
      const [observation, forecast] = [observations[index], forecasts[index]];
      if (observation === undefined || forecast === undefined) throw new Error('a row without its observation');
      return { ...observation, ...forecast, rights: seriesOf(snapshot.catalogue, row).rights };
    });
    return { rows, nextKey: found.nextKey, meta: { as_of: read.asOf } };
  },
});
