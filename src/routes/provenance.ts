import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { itemRoute } from '../http/route.ts';
import { Provenance } from '../model/provenance.ts';
import { findVintage, provenanceOf } from '../queries/provenance.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { atCutoff, momentOf } from './parameters.ts';

export const provenanceObservation = itemRoute<Snapshot, typeof atCutoff, Provenance>({
  path: '/provenance/observations/:observationId',
  operation: 'getProvenance',
  scope: 'data:read',
  tag: 'provenance',
  summary: 'The auditable chain from a row to the file of its publisher.',
  example: '/provenance/observations/{observationId}',
  pathParameters: {
    observationId: z.string().meta({ description: 'observationId of a row.', examples: ['obs_2erhevab1fo19hrmcq19985cgd'] }),
  },
  query: atCutoff,
  data: Provenance,
  isHistory: true,
  find: async ({ as_of }, { snapshot, now, hasScope, historyFrom }, path) => {
    const id = path['observationId'] ?? '';
    const row = await findVintage(snapshot, id);
    const { asOf, at } = momentOf(as_of, { now, snapshot });
    const isKnown = row !== null && (asOf === null || row.observedAt <= asOf);
    if (!isKnown || (historyFrom !== null && row.periodEnd < historyFrom)) {
      throw new ApiError('not_found', `There is no observation ${id}.`, { observationId: id });
    }
    return provenanceOf(snapshot, row, { asOf, at, showsLocator: hasScope('ops:read') });
  },
});
