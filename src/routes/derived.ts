// Derived data: the catalogue of derived indicators and their observations.
import { z } from 'zod';
import { itemRoute, listRoute, parameter } from '../http/route.ts';
import { Availability, DerivedIndicatorEntry, DerivedObservation } from '../model/derived.ts';
import { Superseded, supersededAt } from '../model/observation.ts';
import {
  derivedIndicatorsList,
  derivedNames,
  isForecastBaseline,
  derivedObservationsList,
  derivedSeries,
  findDerivedIndicator,
  listDerivedIndicators,
  listDerivedObservations,
} from '../queries/derived.ts';
import { hintsOf, windowHint, withheldHint } from '../queries/hints/hints.ts';
import { sortOf } from '../queries/paging.ts';
import { chooseSeries } from '../queries/series-asked.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { nearestOf } from '../queries/hints/names.ts';
import { backfillHintOf, emptyHints, forecastHint, notFound } from './hints.ts';
import { atCutoff, cutoffOf, list, observationMeta, observationParameters, readOf, text } from './parameters.ts';

/** Names of derived indicators in their look-up form: without prefix, with underscores. */
const bareSlug = (name: string) => derivedNames(name)[0] ?? name;

const derivedIndicatorsQuery = {
  family: parameter(text('Family of methods.', 'macro_transform')),
  availability: parameter(Availability.optional().meta({ description: 'Whether the values are shown.', examples: ['public'] })),
  as_of: observationParameters.as_of,
};

export const derivedIndicators = listRoute<Snapshot, typeof derivedIndicatorsQuery, DerivedIndicatorEntry>({
  path: '/derived-indicators',
  operation: 'listDerivedIndicators',
  scope: 'data:read',
  tag: 'derived',
  summary: 'The indicators that this service computes, their inputs, and whether the values may be shown.',
  description: 'If you set as_of, the counts are as known at that time.',
  example: '/derived-indicators?limit=5',
  query: derivedIndicatorsQuery,
  row: DerivedIndicatorEntry,
  meta: observationMeta,
  sortable: derivedIndicatorsList.sorts,
  list: async ({ family, availability, as_of: cutoff }, page, { snapshot, now }) => {
    const asOf = cutoffOf(cutoff, { now, snapshot });
    const filters = { family: family ?? null, isShown: availability === undefined ? null : availability === 'public' };
    const found = await listDerivedIndicators(snapshot, filters, asOf, { ...page, sort: sortOf(derivedIndicatorsList, page.sort) });
    const hints = hintsOf(...(await emptyHints(found.rows, page, { snapshot, named: { family }, series: [], asOf, at: now })));
    return { ...found, meta: { as_of: asOf, ...hints } };
  },
});

export const derivedIndicator = itemRoute<Snapshot, typeof atCutoff, DerivedIndicatorEntry>({
  path: '/derived-indicators/:idOrSlug',
  operation: 'getDerivedIndicator',
  scope: 'data:read',
  tag: 'derived',
  summary: 'One derived indicator, with the entities that have values.',
  description:
    'If you set as_of, the counts are as known at that time. With as_of, metadata.backtest is null, because a backtest compares forecasts with later values.',
  example: '/derived-indicators/cpi_inflation_yoy',
  pathParameters: {
    idOrSlug: z.string().meta({ description: 'Prefixed identifier or bare slug.', examples: ['indicator_cpi_inflation_yoy'] }),
  },
  query: atCutoff,
  data: DerivedIndicatorEntry,
  find: async ({ as_of }, { snapshot, now }, path) => {
    const name = path['idOrSlug'] ?? '';
    const found = await findDerivedIndicator(snapshot, name, cutoffOf(as_of, { snapshot, now }));
    if (found === null) throw notFound('derived indicator', 'idOrSlug', name, await nearestOf(snapshot, bareSlug(name), 'derivedSlug'));
    return found;
  },
});

const {
  country,
  entity,
  frequency,
  freshness,
  as_of,
  observed_from,
  observed_to,
  period,
  start_date,
  end_date,
  vintage,
  include_backfill,
} = observationParameters;

const derivedObservationsQuery = {
  indicator_id: parameter(
    list(
      'Derived indicators by prefixed identifier, bare slug or storage identifier, up to 50 separated by commas.',
      'indicator_cpi_inflation_yoy',
    ),
    'indicatorId',
  ),
  country,
  entity,
  source_id: parameter(text('Data set of the inputs; without it, rows of every data set.', 'fred_md'), 'sourceId'),
  frequency,
  freshness,
  as_of,
  observed_from,
  observed_to,
  period,
  start_date,
  end_date,
  vintage,
  include_backfill,
};

export const derivedObservations = listRoute<Snapshot, typeof derivedObservationsQuery, DerivedObservation>({
  path: '/derived-observations',
  operation: 'listDerivedObservations',
  scope: 'data:read',
  tag: 'derived',
  summary: 'Values that this service computed, each with the observations it was computed from.',
  description:
    'If several data sets supply the same entity and period, choose one with source_id; preferredSourceId of the indicator names the preferred one. Values computed from inputs that may not be redistributed are withheld without a grant by the operator; meta.hints reports it.',
  example: '/derived-observations?indicator_id=indicator_cpi_inflation_yoy&entity=us&start_date=2020-01-01&end_date=2020-12-31',
  query: derivedObservationsQuery,
  row: DerivedObservation,
  meta: observationMeta,
  sortable: derivedObservationsList.sorts,
  isBulk: true,
  bulkRow: DerivedObservation.extend(Superseded),
  ownTexts: ['id'],
  isHistory: true,
  list: async ({ indicator_id, ...rest }, page, context) => {
    const { snapshot } = context;
    const read = readOf(rest, context, false);
    const allowed = new Set(derivedSeries(snapshot.catalogue, indicator_id ?? null));
    const chosen = await chooseSeries(snapshot, read.series, read);
    const series = chosen.series.filter((one) => allowed.has(one));
    const sort = sortOf(derivedObservationsList, page.sort);
    const found = await listDerivedObservations(snapshot, series, read.vintages, read.at, { ...page, sort }, (row) =>
      page.isBulk ? { supersededAt: supersededAt(row.knownTo, read.asOf), isBackfill: row.isBackfill } : {},
    );
    // By the identifier without its prefix.
    const own = (indicator_id ?? []).map(
      (name) => ({ parameter: 'indicator_id', what: 'derived indicator', kind: 'derivedIndicator', sent: bareSlug(name) }) as const,
    );
    const indicatorIds = indicator_id === undefined ? null : indicator_id.flatMap((name) => derivedNames(name));
    const empty = { snapshot, named: rest, own, series, periods: read.vintages, asOf: read.asOf, at: read.at };
    const hints = hintsOf(
      ...(await emptyHints(found.rows, page, empty)),
      found.rows.length === 0 && indicator_id?.some(isForecastBaseline) === true ? forecastHint('indicator_id') : null,
      withheldHint(snapshot.catalogue, { ...chosen.filters, indicatorIds }, 'full', read.at, (one) => one.isDerived),
      windowHint(rest, context.historyFrom, found.rows),
      await backfillHintOf(snapshot, series, read.vintages, page),
    );
    return { ...found, meta: { as_of: read.asOf, ...hints } };
  },
});
