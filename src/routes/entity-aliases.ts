import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { listRoute } from '../http/route.ts';
import { Alias } from '../model/entity.ts';
import { ALIAS_SORT_NAMES, aliasesList, findEntity, listAliases } from '../queries/entities.ts';
import { sortOf } from '../queries/paging.ts';
import type { Snapshot } from '../queries/snapshot.ts';

const query = {};

export const entityAliases = listRoute<Snapshot, typeof query, Alias>({
  path: '/entities/:idOrSlug/aliases',
  scope: 'data:read',
  tag: 'entities',
  summary: 'Names and codes of one entity.',
  example: '/entities/us/aliases',
  pathParameters: { idOrSlug: z.string().meta({ description: 'Entity by identifier or slug.', examples: ['us'] }) },
  query,
  row: Alias,
  sortable: ALIAS_SORT_NAMES,
  list: async (_query, page, { snapshot }, path) => {
    const name = path['idOrSlug'] ?? '';
    const found = await findEntity(snapshot, name);
    if (found === null) throw new ApiError('not_found', `There is no entity ${name}.`, { idOrSlug: name });
    return listAliases(snapshot, found.entityId, { ...page, sort: sortOf(aliasesList, page.sort) });
  },
});
