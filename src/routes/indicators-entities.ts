import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { listRoute, parameter } from '../http/route.ts';
import { IndicatorEntity } from '../model/series.ts';
import { seriesOfIndicator } from '../queries/observations.ts';
import { sortOf } from '../queries/paging.ts';
import { INDICATOR_ENTITY_SORTS, indicatorEntities, listIndicatorEntities } from '../queries/series.ts';
import type { Snapshot } from '../queries/snapshot.ts';

const query = {
  indicator_id: parameter(
    z
      .string()
      .min(1)
      .max(200)
      .meta({ description: 'Canonical or storage indicator id, or slug.', examples: ['consumer_confidence'] }),
  ),
};

export const indicatorsEntities = listRoute<Snapshot, typeof query, IndicatorEntity>({
  path: '/indicators/entities',
  scope: 'data:read',
  tag: 'indicators',
  summary: 'The entities for which there is an indicator.',
  example: '/indicators/entities?indicator_id=consumer_confidence',
  query,
  row: IndicatorEntity,
  sortable: INDICATOR_ENTITY_SORTS,
  list: ({ indicator_id }, page, { snapshot }) => {
    const id = indicator_id.toLowerCase();
    const series = seriesOfIndicator(snapshot.catalogue, id);
    // A canonical indicator that nothing is known of yet has no entities; a name that means nothing is not found.
    if (series.length === 0 && !snapshot.catalogue.canonicalIds.has(id))
      throw new ApiError('not_found', `There is no indicator ${indicator_id}.`, { indicator_id });
    return listIndicatorEntities(snapshot, series, { ...page, sort: sortOf(indicatorEntities, page.sort) });
  },
});
