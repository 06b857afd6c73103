// Entities, their names, and the observations of one of them.
import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { itemRoute, listRoute, parameter } from '../http/route.ts';
import { Alias, AliasType, Entity, EntityStatus, EntityType, ResolvedEntity } from '../model/entity.ts';
import {
  aliasesList,
  entitiesList,
  entityAsOf,
  entityIdsOf,
  findEntity,
  listAliases,
  listEntities,
  matchAliases,
  type Moment,
} from '../queries/entities.ts';
import { BEST_FIRST, sortOf } from '../queries/paging.ts';
import { countsAsOf, entityCountsAsOf } from '../queries/reach.ts';
import { nearestOf } from '../queries/hints/names.ts';
import { searchEntities, searchHint } from '../queries/search/search.ts';
import { hintsOf } from '../queries/hints/hints.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { emptyHints, nearestEntity, notFound, notKnownThen } from './hints.ts';
import { EVERY_PERIOD, observationListRoute } from './observations.ts';
import { atCutoff, countryOf, momentOf, observationMeta, observationParameters, oneCountry } from './parameters.ts';

const entitiesQuery = {
  entity_type: parameter(EntityType.optional().meta({ description: 'Kind of entity.', examples: ['country'] })),
  country: oneCountry,
  status: parameter(
    EntityStatus.optional().meta({
      description:
        'active: it exists. inactive: it no longer exists, or the company has lost its ticker. merged: another entity acquired or replaced it.',
      examples: ['active'],
    }),
  ),
  q: parameter(
    z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({
        description: 'Words of its names, a code, or a part of one of these. The best match comes first, unless you set sort.',
        examples: ['united'],
      }),
  ),
  as_of: observationParameters.as_of,
};

export const entities = listRoute<Snapshot, typeof entitiesQuery, Entity>({
  path: '/entities',
  operation: 'listEntities',
  scope: 'data:read',
  tag: 'entities',
  summary: 'Countries, currency areas, companies, contracts and every other entity with observations.',
  description:
    'If you set as_of, names, currencies and counts are as known at that time. The list leaves out companies, contracts, instruments and regions without data by then. It leaves out countries, currency areas, currencies and central banks before their first day.',
  example: '/entities?entity_type=country&q=united',
  query: entitiesQuery,
  row: Entity,
  meta: observationMeta,
  sortable: entitiesList.sorts,
  bestFirst: BEST_FIRST,
  list: async ({ entity_type, country, status, q, as_of }, page, { snapshot, now }) => {
    const moment = momentOf(as_of, { now, snapshot });
    const { asOf } = moment;
    const searched = q === undefined ? null : await searchEntities(snapshot, q, { ...moment, entityType: entity_type ?? null });
    const filters = {
      entityType: entity_type ?? null,
      country: countryOf(snapshot, country),
      status: status ?? null,
      q: q ?? null,
      foundIds: searched?.ids ?? null,
    };
    const then = await countsAsOf(snapshot, snapshot.catalogue.series, 'entityId', asOf);
    const found = await listEntities(snapshot, filters, moment, then, { ...page, sort: sortOf(entitiesList, page.sort) });
    const hints = await emptyHints(found.rows, page, { snapshot, named: { country }, series: [], asOf, at: now });
    return { ...found, meta: { as_of: asOf, ...hintsOf(...hints, searchHint(searched?.hint, found.rows, page)) } };
  },
});

const entitiesResolveQuery = {
  alias: parameter(
    z
      .string()
      .min(1)
      .max(300)
      .meta({ description: 'A name or code.', examples: ['USA'] }),
  ),
  alias_type: parameter(AliasType.optional().meta({ description: 'Kind of alias, if a text is ambiguous.', examples: ['iso3'] })),
  as_of: observationParameters.as_of,
};

export const entitiesResolve = itemRoute<Snapshot, typeof entitiesResolveQuery, ResolvedEntity>({
  path: '/entities/resolve',
  operation: 'resolveEntity',
  scope: 'data:read',
  tag: 'entities',
  summary: 'The entity that a name or code stands for.',
  description:
    'An exact match beats a normalised match. A primary name beats a secondary name. A name in use at as_of beats a name that was not in use then. If several entities remain, the answer is 400 with details.candidates.',
  example: '/entities/resolve?alias=USA&alias_type=iso3',
  query: entitiesResolveQuery,
  data: ResolvedEntity,
  find: async ({ alias, alias_type, as_of }, { snapshot, now }) => {
    const moment = momentOf(as_of, { now, snapshot });
    const { asOf } = moment;
    const [matches = []] = await matchAliases(snapshot, [alias], alias_type ?? null, new Date(moment.at).toISOString());
    const [match] = matches;
    if (match === undefined) throw notFound('entity with the name or code', 'alias', alias, await nearestOf(snapshot, alias, 'alias'));
    if (matches.length > 1) {
      const candidates = matches
        .slice(0, 10)
        .map((one) => ({ entityId: one.alias.entityId, alias: one.alias.alias, aliasType: one.alias.aliasType }));
      throw new ApiError('bad_request', `${alias} stands for ${matches.length} entities. Choose one with alias_type.`, {
        reason: 'ambiguous_alias',
        candidates,
      });
    }
    const entity = await findEntity(snapshot, match.alias.entityId, moment);
    if (entity === null) throw notKnownThen(alias, 'alias', moment);
    const then = await entityCountsAsOf(snapshot, entity.entityId, asOf);
    return { entity: entityAsOf(entity, then), matchedAlias: match.alias, matchType: match.matchType };
  },
});

/**
 * Finds an entity by identifier or slug, else by any name that only it has. Refuses an unknown name, and an entity without data at the moment.
 * @param namedAt when the entity had the name, ms
 */
async function entityNamed(snapshot: Snapshot, name: string, parameterName: string, moment: Moment, namedAt = moment.at): Promise<Entity> {
  const found = await findEntity(snapshot, name, moment);
  if (found !== null) return found;
  const [entityId = ''] = await entityIdsOf(snapshot, [name], new Date(namedAt).toISOString());
  if (entityId === '') throw notFound('entity', parameterName, name, await nearestEntity(snapshot, name));
  const meant = await findEntity(snapshot, entityId, moment);
  if (meant === null) throw notKnownThen(name, parameterName, moment);
  return meant;
}

const NAMED = z.string().meta({ description: 'Entity by identifier, slug, ticker, code or name.', examples: ['us'] });

export const entityRoute = itemRoute<Snapshot, typeof atCutoff, Entity>({
  path: '/entities/:idOrSlug',
  operation: 'getEntity',
  scope: 'data:read',
  tag: 'entities',
  summary: 'One entity.',
  description: 'If you set as_of, its name, currency and counts are as known at that time.',
  example: '/entities/us',
  pathParameters: { idOrSlug: NAMED },
  query: atCutoff,
  data: Entity,
  find: async ({ as_of }, { snapshot, now }, path) => {
    const moment = momentOf(as_of, { now, snapshot });
    const found = await entityNamed(snapshot, path['idOrSlug'] ?? '', 'idOrSlug', moment);
    return entityAsOf(found, await entityCountsAsOf(snapshot, found.entityId, moment.asOf));
  },
});

export const entityAliases = listRoute<Snapshot, typeof atCutoff, Alias>({
  path: '/entities/:idOrSlug/aliases',
  operation: 'listEntityAliases',
  scope: 'data:read',
  tag: 'entities',
  summary: 'Names and codes of one entity.',
  description: 'With as_of, only names and codes known at that moment.',
  example: '/entities/us/aliases',
  pathParameters: { idOrSlug: NAMED },
  query: atCutoff,
  row: Alias,
  meta: observationMeta,
  sortable: aliasesList.sorts,
  list: async ({ as_of }, page, { snapshot, now }, path) => {
    const moment = momentOf(as_of, { now, snapshot });
    const { entityId } = await entityNamed(snapshot, path['idOrSlug'] ?? '', 'idOrSlug', moment);
    const found = await listAliases(snapshot, entityId, moment, { ...page, sort: sortOf(aliasesList, page.sort) });
    return { ...found, meta: { as_of: moment.asOf } };
  },
});

export const entityObservations = observationListRoute({
  path: '/entities/:entityId/observations',
  operation: 'listEntityObservations',
  tag: 'entities',
  summary: 'Observations of one entity.',
  example: '/entities/us/observations?indicator=nonfarm_payrolls&period=2020-Q2',
  pathParameters: { entityId: NAMED },
  listed: EVERY_PERIOD,
  isPublic: false,
  entityOf: async (path, query, context) => {
    // An entity that was not known then has no rows, and the list gives the reason.
    const moment = { asOf: null, at: context.now };
    const entity = await entityNamed(context.snapshot, path['entityId'] ?? '', 'entityId', moment, momentOf(query.as_of, context).at);
    return entity.entityId;
  },
});
