// Indicators: canonical ones, the series of each, and their coverage.
import { z } from 'zod';
import { type Context, itemRoute, listRoute, type PageRequest, parameter, type ValuesOf } from '../http/route.ts';
import { Coverage } from '../model/availability.ts';
import type { Series } from '../model/catalogue.ts';
import { CanonicalIndicator } from '../model/indicator.ts';
import { Indicator, IndicatorEntity, IndicatorSeries } from '../model/series.ts';
import { coverageOf } from '../queries/availability.ts';
import { canonicalIndicatorsList, listCanonicalIndicators } from '../queries/catalogues.ts';
import { chooseSeries, seriesOfIndicator } from '../queries/series-asked.ts';
import { BEST_FIRST, sortOf } from '../queries/paging.ts';
import { countsAsOf, seriesAsOf } from '../queries/reach.ts';
import {
  indicatorEntities,
  listIndicatorEntities,
  listIndicators,
  listIndicatorSeries,
  type Moment,
  seriesList,
} from '../queries/series.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { type Hint, hintsOf } from '../queries/hints/hints.ts';
import { nearestIndicator } from '../queries/hints/names.ts';
import { searchHint, searchIndicators, searchSeries } from '../queries/search/search.ts';
import { emptyHints, notFound } from './hints.ts';
import { atCutoff, momentOf, observationMeta, observationParameters, readOf, text } from './parameters.ts';

const q = parameter(
  text(
    'Words of its names, country, source or codes, or a part of its identifier or name. The best match comes first, unless you set sort.',
    'payroll',
  ),
);
const canonicalQuery = { q, ...atCutoff };

export const canonicalIndicators = listRoute<Snapshot, typeof canonicalQuery, CanonicalIndicator>({
  path: '/canonical-indicators',
  operation: 'listCanonicalIndicators',
  scope: 'data:read',
  tag: 'indicators',
  summary: 'Indicators with one meaning across countries.',
  description: 'If you set as_of, counts and updatedAt are as known at that time.',
  example: '/canonical-indicators?limit=5',
  query: canonicalQuery,
  row: CanonicalIndicator,
  meta: observationMeta,
  sortable: canonicalIndicatorsList.sorts,
  bestFirst: BEST_FIRST,
  list: async ({ as_of, ...query }, page, { snapshot, now }) => {
    const moment = momentOf(as_of, { now, snapshot });
    const { asOf } = moment;
    const searched = query.q === undefined ? null : await searchIndicators(snapshot, query.q, moment);
    const then = await countsAsOf(snapshot, snapshot.catalogue.series, 'canonicalId', asOf);
    const found = await listCanonicalIndicators(snapshot, searched?.ids ?? null, then, {
      ...page,
      sort: sortOf(canonicalIndicatorsList, page.sort),
    });
    return { ...found, meta: { as_of: asOf, ...hintsOf(searchHint(searched?.hint, found.rows, page)) } };
  },
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
  q,
  as_of: observationParameters.as_of,
};

interface Meant extends Moment {
  /** Known or not at the cutoff. */
  readonly named: readonly Series[];
  /** Only the known ones, as they were then; best first, if a text was searched. */
  readonly series: readonly Series[];
  readonly hint: Hint | null;
}

async function seriesMeant(query: ValuesOf<typeof indicatorParameters>, context: Context<Snapshot>): Promise<Meant> {
  const { snapshot } = context;
  const { asOf, at, series: filters } = readOf(query, context, false);
  const category = query.category?.toLowerCase();
  const chosen = await chooseSeries(snapshot, filters, { asOf, at });
  const series = chosen.series.filter((one) => category === undefined || one.category === category);
  if (query.q !== undefined) return { asOf, at, ...(await searchSeries(snapshot, series, query.q, { asOf, at })) };
  return { asOf, at, named: series, series: await seriesAsOf(snapshot, series, asOf), hint: null };
}

async function metaOf(
  rows: readonly unknown[],
  page: PageRequest,
  query: ValuesOf<typeof indicatorParameters>,
  { asOf, at, named, hint }: Meant,
  snapshot: Snapshot,
) {
  const hints = await emptyHints(rows, page, { snapshot, named: query, series: named, asOf, at });
  return { as_of: asOf, ...hintsOf(...hints, searchHint(hint, rows, page)) };
}

export const indicators = listRoute<Snapshot, typeof indicatorParameters, Indicator>({
  path: '/indicators',
  operation: 'listIndicators',
  scope: 'data:read',
  tag: 'indicators',
  summary:
    'The series of the canonical indicators: one row per indicator, entity, source and frequency. A series has a storage id, such as `us_nonfarm_payrolls`; its canonical indicator is `nonfarm_payrolls`.',
  example: '/indicators?country=US&limit=5',
  query: indicatorParameters,
  row: Indicator,
  meta: observationMeta,
  sortable: seriesList.sorts,
  bestFirst: BEST_FIRST,
  list: async (query, page, context) => {
    const meant = await seriesMeant(query, context);
    const found = await listIndicators(context.snapshot, meant.series, meant, { ...page, sort: sortOf(seriesList, page.sort) });
    return { ...found, meta: await metaOf(found.rows, page, query, meant, context.snapshot) };
  },
});

export const indicatorsSeries = listRoute<Snapshot, typeof indicatorParameters, IndicatorSeries>({
  path: '/indicators/series',
  operation: 'listIndicatorSeries',
  scope: 'data:read',
  tag: 'indicators',
  summary: 'The series of /indicators, with the usual revision and release lag of their first prints.',
  example: '/indicators/series?indicator_id=us_nonfarm_payrolls',
  query: indicatorParameters,
  row: IndicatorSeries,
  sortedAs: 'Indicator',
  meta: observationMeta,
  sortable: seriesList.sorts,
  bestFirst: BEST_FIRST,
  list: async (query, page, context) => {
    const meant = await seriesMeant(query, context);
    const found = await listIndicatorSeries(context.snapshot, meant.series, meant, { ...page, sort: sortOf(seriesList, page.sort) });
    return { ...found, meta: await metaOf(found.rows, page, query, meant, context.snapshot) };
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
  as_of: observationParameters.as_of,
};

export const indicatorsEntities = listRoute<Snapshot, typeof indicatorsEntitiesQuery, IndicatorEntity>({
  path: '/indicators/entities',
  operation: 'listIndicatorEntities',
  scope: 'data:read',
  tag: 'indicators',
  summary: 'The entities that have an indicator.',
  example: '/indicators/entities?indicator_id=consumer_confidence',
  query: indicatorsEntitiesQuery,
  row: IndicatorEntity,
  meta: observationMeta,
  sortable: indicatorEntities.sorts,
  list: async ({ indicator_id, as_of }, page, { snapshot, now }) => {
    const { asOf, at } = momentOf(as_of, { snapshot, now });
    const id = indicator_id.toLowerCase();
    const series = seriesOfIndicator(snapshot.catalogue, id);
    // An indicator without data yet has no entities; an unknown name is not found.
    if (series.length === 0 && !snapshot.catalogue.canonicalIds.has(id))
      throw notFound('indicator', 'indicator_id', indicator_id, await nearestIndicator(snapshot, indicator_id));
    const known = await seriesAsOf(snapshot, series, asOf);
    const found = await listIndicatorEntities(snapshot, known, asOf, { ...page, sort: sortOf(indicatorEntities, page.sort) });
    const hints = await emptyHints(found.rows, page, { snapshot, named: {}, series, asOf, at });
    return { ...found, meta: { as_of: asOf, ...hintsOf(...hints) } };
  },
});

const coverageAt = (path: string, operation: string) =>
  itemRoute<Snapshot, typeof atCutoff, Coverage>({
    path,
    operation,
    scope: 'data:read',
    tag: 'indicators',
    summary: 'Counts of redistributable data: totals, categories of indicators, countries.',
    example: path,
    description: 'If you set as_of, the counts are as known at that time.',
    query: atCutoff,
    data: Coverage,
    find: ({ as_of }, { snapshot, now }) => coverageOf(snapshot, momentOf(as_of, { snapshot, now }).asOf),
  });

export const publicCoverage = coverageAt('/public/coverage', 'getPublicCoverage');
export const coverage = coverageAt('/coverage', 'getCoverage');
