import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { listRoute } from '../http/route.ts';
import { findEntity } from '../queries/entities.ts';
import { OBSERVATION_SORTS } from '../queries/observations.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { FullObservationRow, observationPage } from './observation-lists.ts';
import { observationMeta, observationParameters } from './observation-parameters.ts';

export const entityObservations = listRoute<Snapshot, typeof observationParameters, unknown>({
  path: '/entities/:entityId/observations',
  scope: 'data:read',
  tag: 'entities',
  summary: 'Observations of one entity.',
  example: '/entities/us/observations?indicator=nonfarm_payrolls&period=2020-Q2',
  pathParameters: { entityId: z.string().meta({ description: 'Entity by identifier or slug.', examples: ['us'] }) },
  query: observationParameters,
  row: FullObservationRow,
  meta: observationMeta,
  sortable: OBSERVATION_SORTS,
  isBulk: true,
  isHistory: true,
  list: async (query, page, context, path) => {
    const name = path['entityId'] ?? '';
    const entity = await findEntity(context.snapshot, name);
    if (entity === null) throw new ApiError('not_found', `There is no entity ${name}.`, { entityId: name });
    return observationPage(query, page, context, { isPublic: false, entityId: entity.entityId });
  },
});
