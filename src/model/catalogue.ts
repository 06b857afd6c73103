// The series catalogue of a snapshot in memory: everything that the rows of a series share.
import { normaliseAlias } from './alias.ts';
import type { EntityType } from './entity.ts';
import { observationId, type Rights } from './observation.ts';
import type { Frequency } from './period.ts';
import type { ComparisonBasis, Gated, Importance, SourceTier } from './trust.ts';

export interface Series extends Gated {
  readonly seriesNo: number;
  readonly sourceId: string;
  readonly indicatorId: string;
  readonly canonicalId: string;
  readonly entityId: string;
  readonly entityType: EntityType;
  readonly isMacro: boolean;
  /** Of a country or currency area. */
  readonly isNational: boolean;
  readonly entityName: string;
  readonly country: string | null;
  readonly seriesCode: string | null;
  readonly frequency: Frequency;
  readonly unit: string | null;
  readonly currency: string | null;
  readonly provider: string;
  readonly sourceTier: SourceTier;
  readonly isDerived: boolean;
  readonly rights: Rights;
  /** The sources whose licences limit it: its own, or those of its inputs; none if it may be redistributed. */
  readonly licensedSourceIds: readonly string[];
  /** Computed from licensed inputs: listed, but its values are withheld everywhere. */
  readonly isWithheld: boolean;
  readonly ceasedFinalPeriod: string | null;
  readonly successorIndicatorId: string | null;
  readonly indicatorName: string;
  readonly category: string;
  readonly subCategory: string | null;
  readonly factorHint: string | null;
  /** The factor that a country or currency area competes for; null for all other entities. */
  readonly factorKey: string | null;
  readonly factorUnit: string | null;
  readonly comparisonBasis: ComparisonBasis | null;
  readonly importance: Importance | null;
  readonly isMonetary: boolean;
  readonly isSeasonalAdjustmentMatch: boolean;
  readonly sourceRank: number | null;
  readonly attribution: string;
  readonly sourceUrl: string | null;
  readonly firstPeriodEnd: string | null;
  readonly latestPeriodEnd: string | null;
  readonly observationCount: number;
  readonly vintageCount: number;
  readonly latestObservedAt: string | null;
}

/** The totals of some series. */
export interface SeriesCounts {
  readonly indicatorCount: number;
  readonly countryCount: number;
  readonly observationCount: number;
  readonly latestPeriodEnd: string | null;
  readonly latestObservedAt: string | null;
}

/** The data of each entity, or of each canonical indicator, known at a cutoff; those without data are absent. */
export interface CountsOfThen {
  /** Null: now, limited to data visible to a free key. */
  readonly asOf: string | null;
  readonly counts: ReadonlyMap<string, SeriesCounts>;
}

export const NOTHING_KNOWN: SeriesCounts = {
  indicatorCount: 0,
  countryCount: 0,
  observationCount: 0,
  latestPeriodEnd: null,
  latestObservedAt: null,
};

/** A name and the time from which it is known, ISO 8601; null for the first one. */
export interface DatedName {
  readonly name: string;
  readonly knownFrom: string | null;
}

/** The country in which a description places a company, and the time from which that is known, milliseconds. */
export interface DatedCountry {
  readonly country: string | null;
  readonly knownFrom: number;
}

/** An event with an observation, and the range in which that is known: [from, to), milliseconds. */
export interface ReleaseEvent {
  readonly eventId: string;
  readonly title: string;
  readonly from: number;
  readonly to: number;
}

/** The forecasters' expectation of a print, from the newest survey round before it. */
export interface Consensus {
  readonly value: number;
  readonly sourceId: string;
  /** Of the survey. */
  readonly observationId: string;
  readonly publishedAt: string;
  /** The time from which this value of the round is known; later than `publishedAt` if it corrects another. */
  readonly observedAt: string;
}

export interface Catalogue {
  /** In the order of series_no. */
  readonly series: readonly Series[];
  readonly byNumber: ReadonlyMap<number, Series>;
  readonly byIndicatorId: ReadonlyMap<string, readonly Series[]>;
  readonly byCanonicalId: ReadonlyMap<string, readonly Series[]>;
  readonly byEntityId: ReadonlyMap<string, readonly Series[]>;
  /** Includes those of its regions. */
  readonly byCountry: ReadonlyMap<string, readonly Series[]>;
  /** The names over time of entities with several, oldest first. */
  readonly names: ReadonlyMap<string, readonly DatedName[]>;
  /** Names over time, of companies with a description and of the listed classes of their shares. */
  readonly companyCountries: ReadonlyMap<string, readonly DatedCountry[]>;
  /** Entity ids by id, slug, and for countries ISO 2 and ISO 3, in lower case. */
  readonly entityIds: ReadonlyMap<string, string>;
  /** ISO 2 codes of countries and currency areas, by each name that `/entities/resolve` knows, in the form of `normaliseAlias`. */
  readonly countries: ReadonlyMap<string, string>;
  /** Public address of the payload of an ingestion run, by run. */
  readonly addresses: ReadonlyMap<string, string | null>;
  /** By observation. */
  readonly releases: ReadonlyMap<string, readonly ReleaseEvent[]>;
  /** By series, then by the last day of the period. */
  readonly consensus: ReadonlyMap<number, ReadonlyMap<string, Consensus>>;
  /** Canonical ids by id, slug and alias, in lower case. */
  readonly canonicalIds: ReadonlyMap<string, string>;
}

export function toCatalogue(
  series: readonly Series[],
  lookups: Pick<
    Catalogue,
    'entityIds' | 'names' | 'companyCountries' | 'countries' | 'canonicalIds' | 'addresses' | 'releases' | 'consensus'
  >,
): Catalogue {
  return {
    series,
    byNumber: new Map(series.map((one) => [one.seriesNo, one])),
    byIndicatorId: groupBy(series, (one) => one.indicatorId),
    byCanonicalId: groupBy(series, (one) => one.canonicalId),
    byEntityId: groupBy(series, (one) => one.entityId),
    byCountry: groupBy(
      series.filter((one) => one.country !== null),
      (one) => one.country ?? '',
    ),
    ...lookups,
  };
}

/** The catalogue with other versions of some series, by series_no. Their entities, indicators and countries must be the same. */
export function withSeries(catalogue: Catalogue, others: ReadonlyMap<number, Series>): Catalogue {
  if (others.size === 0) return catalogue;
  const replaced = (series: readonly Series[]) => series.map((one) => others.get(one.seriesNo) ?? one);
  const regrouped = (groups: ReadonlyMap<string, readonly Series[]>, keyOf: (one: Series) => string | null) => {
    const all = new Map(groups);
    for (const key of new Set([...others.values()].map(keyOf))) if (key !== null) all.set(key, replaced(groups.get(key) ?? []));
    return all;
  };
  return {
    ...catalogue,
    series: replaced(catalogue.series),
    byNumber: new Map([...catalogue.byNumber, ...others]),
    byIndicatorId: regrouped(catalogue.byIndicatorId, (one) => one.indicatorId),
    byCanonicalId: regrouped(catalogue.byCanonicalId, (one) => one.canonicalId),
    byEntityId: regrouped(catalogue.byEntityId, (one) => one.entityId),
    byCountry: regrouped(catalogue.byCountry, (one) => one.country),
  };
}

/** The ISO 2 code of the country or currency area with this name or code. */
export function countryNamed({ countries }: Pick<Catalogue, 'countries'>, name: string): string | undefined {
  return countries.get(normaliseAlias(name));
}

/** The newest of the names known at a cutoff, the oldest if none was; without a cutoff, or without names over time, the present one. */
export function nameAt(names: readonly DatedName[] | undefined, now: string, asOf: string | null): string {
  if (asOf === null || names === undefined) return now;
  return (names.findLast(({ knownFrom }) => knownFrom === null || knownFrom <= asOf) ?? names[0])?.name ?? now;
}

/** The country of a series as known at a moment: a company's is unknown before a file has described it. */
export function countryAt(
  { companyCountries }: Pick<Catalogue, 'companyCountries'>,
  { entityId, country }: Series,
  at: number,
): string | null {
  const dated = companyCountries.get(entityId);
  return dated === undefined ? country : (dated.findLast(({ knownFrom }) => knownFrom <= at)?.country ?? null);
}

/** The first moment after `at` at which it may change; Infinity if it stays. */
export function countryTurnsAt({ companyCountries }: Pick<Catalogue, 'companyCountries'>, { entityId }: Series, at: number): number {
  return companyCountries.get(entityId)?.find(({ knownFrom }) => knownFrom > at)?.knownFrom ?? Infinity;
}

/** The event that was known at that moment to contain the observation. */
export function releaseOf({ releases }: Catalogue, id: string, at: number): ReleaseEvent | null {
  return releases.get(id)?.find((event) => event.from <= at && at < event.to) ?? null;
}

/** The first moment after `at` at which that may change; Infinity if it stays. */
export function releaseTurnsAt({ releases }: Catalogue, id: string, at: number): number {
  const turns = releases.get(id)?.flatMap(({ from, to }) => [from, to]) ?? [];
  return turns.reduce((first, turn) => (turn > at && turn < first ? turn : first), Infinity);
}

/** The forecasters' expectation of that row. Every vintage of the period has it, except those whose knowledge time is only assumed. */
export function consensusOf(
  { consensus }: Pick<Catalogue, 'consensus'>,
  seriesNo: number,
  row: { readonly periodEnd: string; readonly observedAt: string },
): Consensus | null {
  const one = consensus.get(seriesNo)?.get(row.periodEnd);
  return one !== undefined && one.observedAt < row.observedAt ? one : null;
}

export function groupBy<One>(items: readonly One[], keyOf: (one: One) => string): Map<string, readonly One[]> {
  const groups = new Map<string, One[]>();
  for (const one of items) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
}

export function seriesOf(catalogue: Catalogue, row: { readonly seriesNo: number }): Series {
  const series = catalogue.byNumber.get(row.seriesNo);
  if (series === undefined) throw new Error(`series ${row.seriesNo} is not in the catalogue`);
  return series;
}

/** The address of the file that a run read, else the page of the data set. */
export function addressOf(catalogue: Catalogue, series: Pick<Series, 'sourceUrl'>, runId: string | null): string | null {
  return (runId === null ? null : catalogue.addresses.get(runId)) ?? series.sourceUrl;
}

export function idOf(series: Series, row: { readonly period: string; readonly vintage: string }): string {
  const { sourceId, indicatorId, entityId, frequency } = series; // copying the whole series would cost more than the hash
  return observationId({ sourceId, indicatorId, entityId, frequency, period: row.period, vintage: row.vintage });
}
