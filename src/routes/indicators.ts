import { listRoute } from '../http/route.ts';
import { Indicator } from '../model/series.ts';
import { sortOf } from '../queries/paging.ts';
import { listIndicators, SERIES_SORT_NAMES, seriesList } from '../queries/series.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { indicatorParameters, seriesMeant } from './indicator-lists.ts';

export const indicators = listRoute<Snapshot, typeof indicatorParameters, Indicator>({
  path: '/indicators',
  scope: 'data:read',
  tag: 'indicators',
  summary: 'The storage series of the canonical indicators: one row per indicator, entity, source and frequency.',
  example: '/indicators?country=US&limit=5',
  query: indicatorParameters,
  row: Indicator,
  sortable: SERIES_SORT_NAMES,
  list: (query, page, context) =>
    listIndicators(context.snapshot, seriesMeant(query, context), context.now, { ...page, sort: sortOf(seriesList, page.sort) }),
});
