// Selects the series of a request by country, entity, indicator, source and kind.
import { toSlug } from '../model/alias.ts';
import { type Catalogue, countryNamed, type Series } from '../model/catalogue.ts';
import { freshnessOf, seriesPrintDay } from '../model/trust.ts';

export interface SeriesFilters {
  readonly countries: readonly string[] | null;
  readonly entities: readonly string[] | null;
  readonly indicatorIds: readonly string[] | null;
  /** A canonical field name, storage id or slug. An unknown one selects nothing. */
  readonly indicator: string | null;
  readonly sourceId: string | null;
  readonly provider: string | null;
  readonly frequency: string | null;
  readonly currency: string | null;
  readonly isMacroOnly: boolean;
  readonly importance: string | null;
  readonly freshness: string | null;
  readonly isRedistributableOnly: boolean;
}

/** All series. */
export const NO_SERIES_FILTERS: SeriesFilters = {
  countries: null,
  entities: null,
  indicatorIds: null,
  indicator: null,
  sourceId: null,
  provider: null,
  frequency: null,
  currency: null,
  isMacroOnly: false,
  importance: null,
  freshness: null,
  isRedistributableOnly: false,
};

/** The requested series that may be shown, in the order of series_no. Freshness is that of the latest print at `at`. */
export function selectSeries(catalogue: Catalogue, filters: SeriesFilters, at: number): readonly Series[] {
  return seriesAsked(catalogue, filters, at).filter((series) => isShown(series, filters));
}

/** The requested series, whatever their rights. */
export function seriesAsked(catalogue: Catalogue, filters: SeriesFilters, at: number): readonly Series[] {
  return testsOf(filters, at).reduce((left, test) => left.filter(test), startingSet(catalogue, filters));
}

/** One test for each filter that the request has. Without filters, no series is looked at. */
function testsOf({ sourceId, provider, frequency, currency, importance, isMacroOnly, freshness }: SeriesFilters, at: number) {
  const tests: ((series: Series) => boolean)[] = [];
  if (isMacroOnly) tests.push((series) => series.isMacro);
  if (sourceId !== null) tests.push((series) => series.sourceId === sourceId);
  if (provider !== null) tests.push((series) => isProvider(series, provider));
  if (frequency !== null) tests.push((series) => series.frequency === frequency);
  const code = currency?.toUpperCase() ?? null;
  if (code !== null) tests.push((series) => series.currency === code);
  if (importance !== null) tests.push((series) => series.importance === importance);
  if (freshness !== null) tests.push((series) => freshnessOf(series, seriesPrintDay(series), at) === freshness);
  return tests;
}

function isShown(series: Series, filters: SeriesFilters): boolean {
  if (series.isWithheld) return false;
  return !filters.isRedistributableOnly || series.rights.redistributable;
}

function isProvider(series: Series, provider: string): boolean {
  return series.provider.toLowerCase() === provider.toLowerCase() || toSlug(series.provider) === provider.toLowerCase();
}

// Start from the smallest matching index, so that the other filters look at few series.
function startingSet(catalogue: Catalogue, filters: SeriesFilters): readonly Series[] {
  const sets: (readonly Series[])[] = [];
  if (filters.indicatorIds !== null) sets.push(unique(filters.indicatorIds.flatMap((id) => seriesOfIndicator(catalogue, id))));
  if (filters.indicator !== null) sets.push(seriesOfIndicator(catalogue, filters.indicator));
  if (filters.entities !== null)
    sets.push(unique(filters.entities.flatMap((entity) => catalogue.byEntityId.get(entityIdOf(catalogue, entity)) ?? [])));
  if (filters.countries !== null) {
    const codes = new Set(filters.countries.map((country) => countryNamed(catalogue, country) ?? ''));
    const isOfOne = ({ country, entityType }: Series) => country !== null && codes.has(country) && entityType !== 'region';
    sets.push((sets[0] ?? unique([...codes].flatMap((code) => catalogue.byCountry.get(code) ?? []))).filter(isOfOne));
  }
  const [first, ...rest] = sets;
  if (first === undefined) return catalogue.series;
  return rest.reduce((left, right) => {
    const numbers = new Set(right.map((series) => series.seriesNo));
    return left.filter((series) => numbers.has(series.seriesNo));
  }, first);
}

/** By storage id, canonical id, slug or alias. A slug of a storage id (`us-cpi`) works too. */
export function seriesOfIndicator(catalogue: Catalogue, indicator: string): readonly Series[] {
  const id = indicator.toLowerCase();
  const canonical = catalogue.canonicalIds.get(id);
  return (
    catalogue.byIndicatorId.get(id) ??
    catalogue.byIndicatorId.get(id.replaceAll('-', '_')) ??
    (canonical === undefined ? [] : (catalogue.byCanonicalId.get(canonical) ?? []))
  );
}

/** The storage or canonical id of an indicator, from its id, slug or alias. An unknown name is returned in lower case. */
export function indicatorNamed(catalogue: Catalogue, indicator: string): string {
  const id = indicator.toLowerCase();
  const storage = id.replaceAll('-', '_');
  if (catalogue.byIndicatorId.has(id)) return id;
  return catalogue.byIndicatorId.has(storage) ? storage : (catalogue.canonicalIds.get(id) ?? id);
}

function entityIdOf(catalogue: Catalogue, entity: string): string {
  return catalogue.entityIds.get(entity.toLowerCase()) ?? '';
}

function unique(series: readonly Series[]): readonly Series[] {
  return [...new Set(series)].sort((a, b) => a.seriesNo - b.seriesNo);
}
