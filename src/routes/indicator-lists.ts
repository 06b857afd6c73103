// What /indicators and /indicators/series share: which series a request means.
import { type Context, parameter, type ValuesOf } from '../http/route.ts';
import type { Series } from '../model/catalogue.ts';
import { type SeriesFilters, selectSeries } from '../queries/observations.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { observationParameters, text } from './observation-parameters.ts';

const { country, entity, indicator_id, indicator, source_id, provider_id, frequency, importance, freshness } = observationParameters;

export const indicatorParameters = {
  country,
  entity,
  indicator_id,
  indicator,
  source_id,
  provider_id,
  frequency,
  importance,
  freshness,
  category: parameter(text('Category of the indicator.', 'labour')),
  q: parameter(text('A text in its identifier or name.', 'payroll')),
};

export function seriesMeant(query: ValuesOf<typeof indicatorParameters>, { snapshot, now }: Context<Snapshot>): readonly Series[] {
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
  return selectSeries(snapshot.catalogue, filters, now).filter(
    (series) =>
      (category === undefined || series.category === category) &&
      (q === undefined || series.indicatorId.includes(q) || series.indicatorName.toLowerCase().includes(q)),
  );
}
