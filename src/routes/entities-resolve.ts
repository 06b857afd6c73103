import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { itemRoute, parameter } from '../http/route.ts';
import { AliasType, ResolvedEntity } from '../model/entity.ts';
import { findEntity, matchAliases } from '../queries/entities.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { cutoffOf, observationParameters } from './observation-parameters.ts';

const query = {
  alias: parameter(
    z
      .string()
      .min(1)
      .max(300)
      .meta({ description: 'A name or code.', examples: ['USA'] }),
  ),
  alias_type: parameter(AliasType.optional().meta({ description: 'Kind of alias, when a text means several things.', examples: ['iso3'] })),
  as_of: observationParameters.as_of,
};

export const entitiesResolve = itemRoute<Snapshot, typeof query, ResolvedEntity>({
  path: '/entities/resolve',
  scope: 'data:read',
  tag: 'entities',
  summary: 'The entity that a name or code stands for.',
  description:
    'Exact beats normalised, primary beats secondary, then what is valid at as_of; if several entities are left, 400 with details.candidates.',
  example: '/entities/resolve?alias=USA&alias_type=iso3',
  query,
  data: ResolvedEntity,
  find: async ({ alias, alias_type, as_of }, { snapshot, now }) => {
    const day = (cutoffOf(as_of, now) ?? new Date(now).toISOString()).slice(0, 10);
    const matches = await matchAliases(snapshot, alias, alias_type ?? null, day);
    const [match] = matches;
    if (match === undefined) throw new ApiError('not_found', `No entity goes by ${alias}.`, { alias });
    if (matches.length > 1) {
      const candidates = matches
        .slice(0, 10)
        .map((one) => ({ entityId: one.alias.entityId, alias: one.alias.alias, aliasType: one.alias.aliasType }));
      throw new ApiError('bad_request', `${alias} stands for ${matches.length} entities; say which with alias_type.`, {
        reason: 'ambiguous_alias',
        candidates,
      });
    }
    const entity = await findEntity(snapshot, match.alias.entityId);
    if (entity === null) throw new ApiError('not_found', `No entity goes by ${alias}.`, { alias });
    return { entity, matchedAlias: match.alias, matchType: match.matchType };
  },
});
