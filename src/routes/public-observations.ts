import { listRoute } from '../http/route.ts';
import { OBSERVATION_SORTS } from '../queries/observations.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { observationPage, PublicObservationRow } from './observation-lists.ts';
import { observationMeta, observationParameters } from './observation-parameters.ts';

export const publicObservations = listRoute<Snapshot, typeof observationParameters, unknown>({
  path: '/public/observations',
  scope: 'data:read',
  tag: 'observations',
  summary: 'Observations of the series whose rights allow redistribution.',
  example: '/public/observations?indicator_id=cpi_inflation_yoy&entity=us&start_date=2020-01-01&end_date=2020-12-31',
  query: observationParameters,
  row: PublicObservationRow,
  meta: observationMeta,
  sortable: OBSERVATION_SORTS,
  isBulk: true,
  isHistory: true,
  list: (query, page, context) => observationPage(query, page, context, { isPublic: true }),
});
