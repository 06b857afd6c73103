import { listRoute } from '../http/route.ts';
import { OBSERVATION_SORTS } from '../queries/observations.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { latestPage, PublicLatestRow } from './observation-lists.ts';
import { observationMeta, observationParameters } from './observation-parameters.ts';

export const publicObservationsLatest = listRoute<Snapshot, typeof observationParameters, unknown>({
  path: '/public/observations/latest',
  scope: 'data:read',
  tag: 'observations',
  summary: 'The newest period of each series whose rights allow redistribution.',
  example: '/public/observations/latest?indicator_id=cpi_inflation_yoy',
  query: observationParameters,
  row: PublicLatestRow,
  meta: observationMeta,
  sortable: OBSERVATION_SORTS,
  isBulk: true,
  isHistory: true,
  list: (query, page, context) => latestPage(query, page, context, { isPublic: true }),
});
