import { z } from 'zod';
import { listRoute, parameter } from '../http/route.ts';
import { Entity, EntityStatus, EntityType } from '../model/entity.ts';
import { ENTITY_SORT_NAMES, entitiesList, listEntities } from '../queries/entities.ts';
import { sortOf } from '../queries/paging.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { oneCountry } from './country-parameter.ts';

const query = {
  entity_type: parameter(EntityType.optional().meta({ description: 'Kind of entity.', examples: ['country'] })),
  country: oneCountry,
  status: parameter(EntityStatus.optional().meta({ description: 'Whether it exists still.', examples: ['active'] })),
  q: parameter(
    z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'A text in its names or codes.', examples: ['united'] }),
  ),
};

export const entities = listRoute<Snapshot, typeof query, Entity>({
  path: '/entities',
  scope: 'data:read',
  tag: 'entities',
  summary: 'Countries, currency areas, companies, contracts and whatever else observations are of.',
  example: '/entities?entity_type=country&q=united',
  query,
  row: Entity,
  sortable: ENTITY_SORT_NAMES,
  list: ({ entity_type, country, status, q }, page, { snapshot }) =>
    listEntities(
      snapshot,
      {
        entityType: entity_type ?? null,
        country: country === undefined ? null : (snapshot.catalogue.countries.get(country.toLowerCase()) ?? ''),
        status: status ?? null,
        q: q ?? null,
      },
      { ...page, sort: sortOf(entitiesList, page.sort) },
    ),
});
