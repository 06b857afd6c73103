import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { itemRoute } from '../http/route.ts';
import { DerivedIndicatorEntry } from '../model/derived.ts';
import { findDerivedIndicator } from '../queries/derived.ts';
import type { Snapshot } from '../queries/snapshot.ts';

const query = {};

export const derivedIndicator = itemRoute<Snapshot, typeof query, DerivedIndicatorEntry>({
  path: '/derived-indicators/:idOrSlug',
  scope: 'data:read',
  tag: 'derived',
  summary: 'One derived indicator, with the entities it has values for.',
  example: '/derived-indicators/cpi_inflation_yoy',
  pathParameters: {
    idOrSlug: z.string().meta({ description: 'Prefixed identifier or bare slug.', examples: ['indicator_cpi_inflation_yoy'] }),
  },
  query,
  data: DerivedIndicatorEntry,
  find: async (_query, { snapshot }, path) => {
    const name = path['idOrSlug'] ?? '';
    const found = await findDerivedIndicator(snapshot, name);
    if (found === null) throw new ApiError('not_found', `There is no derived indicator ${name}.`, { idOrSlug: name });
    return found;
  },
});
