import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { itemRoute } from '../http/route.ts';
import { Entity } from '../model/entity.ts';
import { findEntity } from '../queries/entities.ts';
import type { Snapshot } from '../queries/snapshot.ts';

const query = {};

export const entity = itemRoute<Snapshot, typeof query, Entity>({
  path: '/entities/:idOrSlug',
  scope: 'data:read',
  tag: 'entities',
  summary: 'One entity.',
  example: '/entities/us',
  pathParameters: { idOrSlug: z.string().meta({ description: 'Entity by identifier or slug.', examples: ['us'] }) },
  query,
  data: Entity,
  find: async (_query, { snapshot }, path) => {
    const name = path['idOrSlug'] ?? '';
    const found = await findEntity(snapshot, name);
    if (found === null) throw new ApiError('not_found', `There is no entity ${name}.`, { idOrSlug: name });
    return found;
  },
});
