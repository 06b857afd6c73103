import { listRoute } from '../http/route.ts';
import { IndicatorSeries } from '../model/series.ts';
import { sortOf } from '../queries/paging.ts';
import { listIndicatorSeries, SERIES_SORT_NAMES, seriesList } from '../queries/series.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { indicatorParameters, seriesMeant } from './indicator-lists.ts';

export const indicatorsSeries = listRoute<Snapshot, typeof indicatorParameters, IndicatorSeries>({
  path: '/indicators/series',
  scope: 'data:read',
  tag: 'indicators',
  summary: 'The same series with how far their first prints are usually revised, and how soon these come.',
  example: '/indicators/series?indicator_id=us_nonfarm_payrolls',
  query: indicatorParameters,
  row: IndicatorSeries,
  sortable: SERIES_SORT_NAMES,
  list: (query, page, context) =>
    listIndicatorSeries(context.snapshot, seriesMeant(query, context), context.now, { ...page, sort: sortOf(seriesList, page.sort) }),
});
