// The indicators of each country, and the coverage of the whole snapshot.
import { z } from 'zod';
import { defineQuery } from '../db/query.ts';
import { nextTurn } from '../db/turns.ts';
import type { AvailableIndicator, Coverage, CountryAvailability } from '../model/availability.ts';
import { groupBy, nameAt, type Series } from '../model/catalogue.ts';
import { freshnessOf, isCeasedAt, seriesPrintDay } from '../model/trust.ts';
import { boundMoment, type Moment } from './entities.ts';
import { definePaged, type FoundPage, type PageOf, runPaged, type SortKey } from './paging.ts';
import { countsAll, newestPeriodEnd, seriesAsOf } from './reach.ts';
import type { Snapshot } from './snapshot.ts';

export const countriesAvailableQuery = defineQuery('countries/available.sql', {
  params: z.strictObject({
    iso2: z.string().nullable(),
    entityIds: z.array(z.string()).nullable(),
    asOf: z.string().nullable(),
    onDate: z.string(),
  }),
  row: z.strictObject({ countryId: z.string(), entityId: z.string(), name: z.string() }),
});

const AVAILABLE_SORTS = {
  name: { expression: 'name', type: 'varchar' },
  country_id: { expression: 'country_id', type: 'varchar' },
} as const satisfies Record<string, SortKey>;
export const countriesAvailable = definePaged(countriesAvailableQuery, AVAILABLE_SORTS, { column: 'country_id', type: 'varchar' });

/**
 * With a cutoff, only data known then.
 * @param iso2 one country, or null for all
 */
export async function listCountryAvailability(
  snapshot: Snapshot,
  iso2: string | null,
  moment: Moment,
  page: PageOf<keyof typeof AVAILABLE_SORTS>,
): Promise<FoundPage<CountryAvailability>> {
  const { asOf, at } = moment;
  const { catalogue } = snapshot;
  const national = catalogue.series.filter((one) => one.isNational && (iso2 === null || one.country === iso2));
  const byEntity = groupBy(await seriesAsOf(snapshot, national, asOf), (one) => one.entityId);
  const entityIds = countsAll(snapshot, asOf) ? null : [...byEntity.keys()];
  const found = await runPaged(snapshot, countriesAvailable, { iso2, entityIds, ...boundMoment(moment) }, page);
  const rows = found.rows.map(({ countryId, entityId, name }) => {
    const series = byEntity.get(entityId) ?? [];
    const indicators = series.map((one) => toAvailable(one, at)).sort((a, b) => compare(a.indicatorId, b.indicatorId));
    return { countryId, name, indicatorCount: distinct(series, (one) => one.indicatorId), indicators };
  });
  return { ...found, rows };
}

function toAvailable(series: Series, now: number): z.infer<typeof AvailableIndicator> {
  return {
    indicatorId: series.indicatorId,
    canonicalIndicatorId: series.canonicalId,
    factorKey: series.factorKey,
    frequency: series.frequency,
    unit: series.unit,
    sourceId: series.sourceId,
    sourceTier: series.sourceTier,
    firstPeriodEnd: series.firstPeriodEnd,
    latestPeriodEnd: series.latestPeriodEnd,
    freshnessStatus: freshnessOf(series, seriesPrintDay(series), now),
    collectionStatus: isCeasedAt(series, now) ? 'ceased' : null,
  };
}

/** Counts of redistributable data. With a cutoff, only data known then. */
export async function coverageOf(snapshot: Snapshot, asOf: string | null): Promise<Coverage> {
  const { catalogue, knowledgeCutoff } = snapshot;
  const redistributable = catalogue.series.filter((one) => one.rights.redistributable);
  const series = await seriesAsOf(snapshot, redistributable, asOf);
  // Each of these parts looks at all series.
  await nextTurn();
  const ofCountries = series.filter((one) => one.isNational && one.country !== null);
  const countries = [...groupBy(ofCountries, (one) => one.country ?? '')].map(([iso2, group]) => ({
    iso2,
    name: nameAt(catalogue.names.get(group[0]?.entityId ?? ''), group[0]?.entityName ?? iso2, asOf),
    indicatorCount: distinct(group, (one) => one.canonicalId),
    observationCount: sum(group, (one) => one.observationCount),
    latestPeriodEnd: newestPeriodEnd(group),
  }));
  await nextTurn();
  const categories = [...groupBy(series, (one) => one.category)].map(([category, group]) => ({
    category,
    indicatorCount: distinct(group, (one) => one.canonicalId),
    observationCount: sum(group, (one) => one.observationCount),
  }));
  await nextTurn();
  const [observations, vintages] = [sum(series, (one) => one.observationCount), sum(series, (one) => one.vintageCount)];
  await nextTurn();
  const [entities, indicators] = [distinct(series, (one) => one.entityId), distinct(series, (one) => one.canonicalId)];
  await nextTurn();
  const sources = distinct(series, (one) => one.sourceId);
  return {
    asOf: knownUntil(knowledgeCutoff, asOf),
    totals: { entities, countries: countries.length, indicators, series: series.length, observations, vintages, sources },
    categories: categories.sort((a, b) => compare(a.category, b.category)),
    countries: countries.sort((a, b) => compare(a.iso2, b.iso2)),
  };
}

/** The latest knowledge in an answer: the cutoff, but never later than the snapshot's own. */
export function knownUntil(knowledgeCutoff: string, asOf: string | null): string {
  return asOf !== null && asOf < knowledgeCutoff ? asOf : knowledgeCutoff;
}

function distinct(series: readonly Series[], keyOf: (one: Series) => string): number {
  return new Set(series.map(keyOf)).size;
}

function sum(series: readonly Series[], numberOf: (one: Series) => number): number {
  return series.reduce((total, one) => total + numberOf(one), 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
