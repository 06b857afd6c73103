// What is measured: canonical indicators, the series of each, and how much there is of them.
import { z } from 'zod';
import { ApiError } from '../http/errors.ts';
import { type Context, itemRoute, listRoute, NO_PARAMETERS, parameter, type ValuesOf } from '../http/route.ts';
import { Coverage } from '../model/availability.ts';
import type { Series } from '../model/catalogue.ts';
import { CanonicalIndicator } from '../model/indicator.ts';
import { Indicator, IndicatorEntity, IndicatorSeries } from '../model/series.ts';
import { coverageOf } from '../queries/availability.ts';
import { CANONICAL_SORT_NAMES, canonicalIndicatorsList, listCanonicalIndicators } from '../queries/catalogues.ts';
import { type SeriesFilters, seriesOfIndicator } from '../queries/observations.ts';
import { sortOf } from '../queries/paging.ts';
import { chooseSeries } from '../queries/reach.ts';
import {
  INDICATOR_ENTITY_SORTS,
  indicatorEntities,
  listIndicatorEntities,
  listIndicators,
  listIndicatorSeries,
  SERIES_SORT_NAMES,
  seriesList,
} from '../queries/series.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { hintsOf } from '../queries/hints.ts';
import { emptyHints } from './hints.ts';
import { observationParameters, text } from './parameters.ts';

export const canonicalIndicators = listRoute<Snapshot, typeof NO_PARAMETERS, CanonicalIndicator>({
  path: '/canonical-indicators',
  scope: 'data:read',
  tag: 'indicators',
  summary: 'What is measured: indicators with one meaning across countries.',
  example: '/canonical-indicators?limit=5',
  query: NO_PARAMETERS,
  row: CanonicalIndicator,
  sortable: CANONICAL_SORT_NAMES,
  list: (_query, page, { snapshot }) => listCanonicalIndicators(snapshot, { ...page, sort: sortOf(canonicalIndicatorsList, page.sort) }),
});

export const indicatorParameters = {
  country: observationParameters.country,
  entity: observationParameters.entity,
  indicator_id: observationParameters.indicator_id,
  indicator: observationParameters.indicator,
  source_id: observationParameters.source_id,
  provider_id: observationParameters.provider_id,
  frequency: observationParameters.frequency,
  importance: observationParameters.importance,
  freshness: observationParameters.freshness,
  category: parameter(text('Category of the indicator.', 'labour')),
  q: parameter(text('A text in its identifier or name.', 'payroll')),
};

async function seriesMeant(query: ValuesOf<typeof indicatorParameters>, { snapshot, now }: Context<Snapshot>): Promise<readonly Series[]> {
  const filters: SeriesFilters = {
    countries: query.country ?? null,
    entities: query.entity ?? null,
    indicatorIds: query.indicator_id ?? null,
    indicator: query.indicator ?? null,
    sourceId: query.source_id ?? null,
    provider: query.provider_id ?? null,
    frequency: query.frequency ?? null,
    currency: null,
    isMacroOnly: false,
    importance: query.importance ?? null,
    freshness: query.freshness ?? null,
    isRedistributableOnly: false,
  };
  const [category, q] = [query.category?.toLowerCase(), query.q?.toLowerCase()];
  const { series } = await chooseSeries(snapshot, filters, { asOf: null, at: now });
  return series.filter(
    (one) =>
      (category === undefined || one.category === category) &&
      (q === undefined || one.indicatorId.includes(q) || one.indicatorName.toLowerCase().includes(q)),
  );
}

export const indicators = listRoute<Snapshot, typeof indicatorParameters, Indicator>({
  path: '/indicators',
  scope: 'data:read',
  tag: 'indicators',
  summary: 'The storage series of the canonical indicators: one row per indicator, entity, source and frequency.',
  example: '/indicators?country=US&limit=5',
  query: indicatorParameters,
  row: Indicator,
  sortable: SERIES_SORT_NAMES,
  list: async (query, page, context) => {
    const series = await seriesMeant(query, context);
    const found = await listIndicators(context.snapshot, series, context.now, { ...page, sort: sortOf(seriesList, page.sort) });
    const meta = hintsOf(
      ...(await emptyHints(found.rows, page, { snapshot: context.snapshot, named: query, series, asOf: null, at: context.now })),
    );
    return { ...found, meta };
  },
});

export const indicatorsSeries = listRoute<Snapshot, typeof indicatorParameters, IndicatorSeries>({
  path: '/indicators/series',
  scope: 'data:read',
  tag: 'indicators',
  summary: 'The same series with how far their first prints are usually revised, and how soon these come.',
  example: '/indicators/series?indicator_id=us_nonfarm_payrolls',
  query: indicatorParameters,
  row: IndicatorSeries,
  sortable: SERIES_SORT_NAMES,
  list: async (query, page, context) => {
    const series = await seriesMeant(query, context);
    const found = await listIndicatorSeries(context.snapshot, series, context.now, { ...page, sort: sortOf(seriesList, page.sort) });
    const meta = hintsOf(
      ...(await emptyHints(found.rows, page, { snapshot: context.snapshot, named: query, series, asOf: null, at: context.now })),
    );
    return { ...found, meta };
  },
});

const indicatorsEntitiesQuery = {
  indicator_id: parameter(
    z
      .string()
      .min(1)
      .max(200)
      .meta({ description: 'Canonical or storage indicator id, or slug.', examples: ['consumer_confidence'] }),
  ),
};

export const indicatorsEntities = listRoute<Snapshot, typeof indicatorsEntitiesQuery, IndicatorEntity>({
  path: '/indicators/entities',
  scope: 'data:read',
  tag: 'indicators',
  summary: 'The entities for which there is an indicator.',
  example: '/indicators/entities?indicator_id=consumer_confidence',
  query: indicatorsEntitiesQuery,
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

const query = {};

const at = (path: string) =>
  itemRoute<Snapshot, typeof query, Coverage>({
    path,
    scope: 'data:read',
    tag: 'indicators',
    summary: 'Breadth of what may be redistributed: totals, categories of indicators, countries.',
    example: path,
    query,
    data: Coverage,
    find: (_query, { snapshot }) => Promise.resolve(coverageOf(snapshot)),
  });

export const publicCoverage = at('/public/coverage');
export const coverage = at('/coverage');
