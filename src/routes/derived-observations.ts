import { listRoute, parameter } from '../http/route.ts';
import { DerivedObservation } from '../model/derived.ts';
import { DERIVED_OBSERVATION_SORTS, derivedObservationsList, derivedSeries, listDerivedObservations } from '../queries/derived.ts';
import { selectSeries } from '../queries/observations.ts';
import { sortOf } from '../queries/paging.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { list, observationMeta, observationParameters, readOf, text } from './observation-parameters.ts';

const { country, entity, frequency, freshness, as_of, observed_from, observed_to, period, start_date, end_date, vintage } =
  observationParameters;

const query = {
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
};

export const derivedObservations = listRoute<Snapshot, typeof query, DerivedObservation>({
  path: '/derived-observations',
  scope: 'data:read',
  tag: 'derived',
  summary: 'Values that this service computed, each with the observations it was computed from.',
  description:
    'Where several data sets supply the same entity and period, source_id chooses one; preferredSourceId of the indicator says which to prefer. Values computed from inputs that may not be redistributed are not shown.',
  example: '/derived-observations?indicator_id=indicator_cpi_inflation_yoy&entity=us&start_date=2020-01-01&end_date=2020-12-31',
  query,
  row: DerivedObservation,
  meta: observationMeta,
  sortable: DERIVED_OBSERVATION_SORTS,
  isBulk: true,
  isHistory: true,
  list: async ({ indicator_id, ...rest }, page, context) => {
    const { snapshot, now } = context;
    const read = readOf(rest, context, true);
    const allowed = new Set(derivedSeries(snapshot.catalogue, indicator_id ?? null));
    const series = selectSeries(snapshot.catalogue, read.series, now).filter((one) => allowed.has(one));
    const sort = sortOf(derivedObservationsList, page.sort);
    const found = await listDerivedObservations(snapshot, series, read.vintages, read.at, { ...page, sort });
    return { ...found, meta: { as_of: read.asOf } };
  },
});
