import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { itemRoute, NO_PARAMETERS } from '../http/route.ts';
import { Provenance } from '../model/provenance.ts';
import { findVintage, provenanceOf } from '../queries/provenance.ts';
import type { Snapshot } from '../queries/snapshot.ts';

export const provenanceObservation = itemRoute<Snapshot, typeof NO_PARAMETERS, Provenance>({
  path: '/provenance/observations/:observationId',
  scope: 'data:read',
  tag: 'provenance',
  summary: 'The auditable chain from a row to the very file that it came from.',
  example: '/provenance/observations/{observationId}',
  pathParameters: {
    observationId: z.string().meta({ description: 'observationId of a row.', examples: [] }),
  },
  query: NO_PARAMETERS,
  data: Provenance,
  isHistory: true,
  find: async (_query, { snapshot, now, hasScope, historyFrom }, path) => {
    const id = path['observationId'] ?? '';
    const row = await findVintage(snapshot, id);
    if (row === null || (historyFrom !== null && row.periodEnd < historyFrom)) {
      throw new ApiError('not_found', `There is no observation ${id}.`, { observationId: id });
    }
    return provenanceOf(snapshot, row, { now, showsLocator: hasScope('ops:read') });
  },
});
