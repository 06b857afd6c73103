// How far series reached at a moment: the series as they would have stood in the catalogue of that day.
import { z } from 'zod';
import { defineQuery, run } from '../db/query.ts';
import { type CountsOfThen, groupBy, type Series, type SeriesCounts } from '../model/catalogue.ts';
import { dayOf } from '../model/period.ts';
import { freshnessOf } from '../model/trust.ts';
import { entityIdsOf } from './entities.ts';
import { selectSeries, type SeriesFilters } from './observations.ts';
import type { Snapshot } from './snapshot.ts';

export const seriesReachQuery = defineQuery('series/reach.sql', {
  params: z.strictObject({ seriesFrom: z.int(), seriesTo: z.int(), seriesNos: z.array(z.int()).nullable(), asOf: z.string() }),
  row: z.strictObject({
    seriesNo: z.int(),
    firstPeriodEnd: z.string().nullable(),
    latestPeriodEnd: z.string().nullable(),
    observationCount: z.int(),
    vintageCount: z.int(),
    latestObservedAt: z.string(),
  }),
});

/** Those of the given series, in the order of series_no, of which something was known at the cutoff, with what was; all of them as they are without one. */
export async function seriesAsOf(snapshot: Snapshot, series: readonly Series[], asOf: string | null): Promise<readonly Series[]> {
  if (asOf === null || series.length === 0) return series;
  const rows = new Map((await run(snapshot, seriesReachQuery, { ...rangeOf(snapshot, series), asOf })).map((row) => [row.seriesNo, row]));
  return series.flatMap((one) => {
    const reach = rows.get(one.seriesNo);
    return reach === undefined ? [] : [{ ...one, ...reach }];
  });
}

export const seriesBeginQuery = defineQuery('series/begin.sql', {
  params: z.strictObject({ seriesFrom: z.int(), seriesTo: z.int(), seriesNos: z.array(z.int()).nullable() }),
  row: z.strictObject({ firstObservedAt: z.string().nullable() }),
});

/** When the first vintage of the series became known; null where there is none. */
export async function firstKnownAt(snapshot: Snapshot, series: readonly Series[]): Promise<string | null> {
  if (series.length === 0) return null;
  const [row] = await run(snapshot, seriesBeginQuery, rangeOf(snapshot, series));
  return row?.firstObservedAt ?? null;
}

function rangeOf(snapshot: Snapshot, series: readonly Series[]) {
  const seriesNos = series.length === snapshot.catalogue.series.length ? null : series.map((one) => one.seriesNo);
  return { seriesFrom: series[0]?.seriesNo ?? 0, seriesTo: series.at(-1)?.seriesNo ?? 0, seriesNos };
}

/** The same with every name of an entity as its identifier; what names none, or several, is empty. */
async function meantFilters(snapshot: Snapshot, asked: SeriesFilters, at: number): Promise<SeriesFilters> {
  if (asked.entities === null) return asked;
  return { ...asked, entities: await entityIdsOf(snapshot, asked.entities, dayOf(at)) };
}

export interface Chosen {
  /** In the order of series_no. */
  readonly series: readonly Series[];
  /** What was asked, with every name of an entity as its identifier. */
  readonly filters: SeriesFilters;
}

/** The series that a request means; their freshness is that of what was known at the cutoff, else now. */
export async function chooseSeries(
  snapshot: Snapshot,
  asked: SeriesFilters,
  { asOf, at }: { readonly asOf: string | null; readonly at: number },
): Promise<Chosen> {
  const filters = await meantFilters(snapshot, asked, at);
  const { freshness } = filters;
  if (asOf === null || freshness === null) return { series: selectSeries(snapshot.catalogue, filters, at), filters };
  const candidates = selectSeries(snapshot.catalogue, { ...filters, freshness: null }, at);
  const then = await seriesAsOf(snapshot, candidates, asOf);
  const numbers = new Set(then.filter((one) => freshnessOf(one, one.latestPeriodEnd, at) === freshness).map((one) => one.seriesNo));
  return { series: candidates.filter((one) => numbers.has(one.seriesNo)), filters };
}

/** What was known at the cutoff of the given series, counted by entity or by canonical indicator; null without a cutoff. */
export async function countsAsOf(
  snapshot: Snapshot,
  series: readonly Series[],
  by: 'entityId' | 'canonicalId',
  asOf: string | null,
): Promise<CountsOfThen | null> {
  if (asOf === null) return null;
  const groups = groupBy(await seriesAsOf(snapshot, series, asOf), (one) => one[by]);
  return { asOf, counts: new Map([...groups].map(([key, group]) => [key, countsOf(group)])) };
}

function countsOf(series: readonly Series[]): SeriesCounts {
  const newest = (days: readonly (string | null)[]) => days.filter((one) => one !== null).reduce((a, b) => (a > b ? a : b), '') || null;
  return {
    indicatorCount: new Set(series.map((one) => one.canonicalId)).size,
    countryCount: new Set(series.flatMap((one) => one.country ?? [])).size,
    observationCount: series.reduce((total, one) => total + one.observationCount, 0),
    latestPeriodEnd: newest(series.map((one) => one.latestPeriodEnd)),
    latestObservedAt: newest(series.map((one) => one.latestObservedAt)),
  };
}

/** The counts of an entity. */
export function entityCountsAsOf(snapshot: Snapshot, entityId: string, asOf: string | null): Promise<CountsOfThen | null> {
  return countsAsOf(snapshot, snapshot.catalogue.byEntityId.get(entityId) ?? [], 'entityId', asOf);
}
