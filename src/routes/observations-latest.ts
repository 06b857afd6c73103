import { listRoute } from '../http/route.ts';
import { OBSERVATION_SORTS } from '../queries/observations.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { latestPage, FullLatestRow } from './observation-lists.ts';
import { observationMeta, observationParameters } from './observation-parameters.ts';

export const observationsLatest = listRoute<Snapshot, typeof observationParameters, unknown>({
  path: '/observations/latest',
  scope: 'data:read',
  tag: 'observations',
  summary: 'The newest period of each series, with the period before it as known just before and at its release.',
  example: '/observations/latest?country=US&limit=5',
  query: observationParameters,
  row: FullLatestRow,
  meta: observationMeta,
  sortable: OBSERVATION_SORTS,
  isBulk: true,
  isHistory: true,
  list: (query, page, context) => latestPage(query, page, context, { isPublic: false }),
});
