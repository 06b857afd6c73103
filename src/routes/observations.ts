import { listRoute } from '../http/route.ts';
import { OBSERVATION_SORTS } from '../queries/observations.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { observationPage, FullObservationRow } from './observation-lists.ts';
import { observationMeta, observationParameters } from './observation-parameters.ts';

export const observations = listRoute<Snapshot, typeof observationParameters, unknown>({
  path: '/observations',
  scope: 'data:read',
  tag: 'observations',
  summary: 'Observations of any series: one vintage of each period, or all of them.',
  example: '/observations?indicator_id=us_nonfarm_payrolls&as_of=2020-06-30',
  query: observationParameters,
  row: FullObservationRow,
  meta: observationMeta,
  sortable: OBSERVATION_SORTS,
  isBulk: true,
  isHistory: true,
  list: (query, page, context) => observationPage(query, page, context, { isPublic: false }),
});
