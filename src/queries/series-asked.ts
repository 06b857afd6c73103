// Selects the series of a request by country, entity, indicator, source and kind.
import { toSlug } from '../model/alias.ts';
import { type Catalogue, countryNamed, type Series } from '../model/catalogue.ts';
import { freshnessOf, seriesPrintDay } from '../model/trust.ts';
import { entityIdsOf } from './entities.ts';
import { countsAll, seriesAsOf } from './reach.ts';
import type { Snapshot } from './snapshot.ts';

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

/** Replaces each entity name by its identifier. A name of no entity or of several becomes an empty text. */
async function meantFilters(snapshot: Snapshot, asked: SeriesFilters, at: number): Promise<SeriesFilters> {
  if (asked.entities === null) return asked;
  return { ...asked, entities: await entityIdsOf(snapshot, asked.entities, new Date(at).toISOString()) };
}

export interface Chosen {
  /** In the order of series_no. */
  readonly series: readonly Series[];
  /** The requested filters, with identifiers instead of entity names. */
  readonly filters: SeriesFilters;
}

/** The requested series. Their freshness is that of the data known at the cutoff, else now. */
export async function chooseSeries(
  snapshot: Snapshot,
  asked: SeriesFilters,
  { asOf, at }: { readonly asOf: string | null; readonly at: number },
): Promise<Chosen> {
  const filters = await meantFilters(snapshot, asked, at);
  const { freshness } = filters;
  if (freshness === null || countsAll(snapshot, asOf)) return { series: selectSeries(snapshot.catalogue, filters, at), filters };
  const candidates = selectSeries(snapshot.catalogue, { ...filters, freshness: null }, at);
  const then = await seriesAsOf(snapshot, candidates, asOf);
  const numbers = new Set(then.filter((one) => freshnessOf(one, seriesPrintDay(one), at) === freshness).map((one) => one.seriesNo));
  return { series: candidates.filter((one) => numbers.has(one.seriesNo)), filters };
}

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
