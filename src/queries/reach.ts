// The series as they stood in the catalogue at a moment, with their counts and newest periods at that time.
import { z } from 'zod';
import { defineQuery, run } from '../db/query.ts';
import { type CountsOfThen, countryAt, groupBy, type Series, type SeriesCounts } from '../model/catalogue.ts';
import { isProjection } from '../model/trust.ts';
import { askedOnceAView } from './kept.ts';
import type { Snapshot } from './snapshot.ts';

export const seriesReachQuery = defineQuery('series/reach.sql', {
  params: z.strictObject({
    seriesFrom: z.int(),
    seriesTo: z.int(),
    seriesNos: z.array(z.int()).nullable(),
    asOf: z.string().nullable(),
    periodFrom: z.string().nullable(),
  }),
  row: z.strictObject({
    seriesNo: z.int(),
    firstPeriodEnd: z.string().nullable(),
    latestPeriodEnd: z.string().nullable(),
    observationCount: z.int(),
    vintageCount: z.int(),
    latestObservedAt: z.string(),
  }),
});

type Reached = z.infer<typeof seriesReachQuery.row>;

/** True if an answer counts everything known now: there is no cutoff, and the caller may see every period. */
export function countsAll({ historyFrom }: Snapshot, asOf: string | null): boolean {
  return asOf === null && (historyFrom ?? null) === null;
}

/**
 * The given series with data known at the cutoff in visible periods, in the order of series_no, with their counts of that time.
 * Without a cutoff or a limit on periods, all series unchanged.
 */
export async function seriesAsOf(snapshot: Snapshot, series: readonly Series[], asOf: string | null): Promise<readonly Series[]> {
  if (countsAll(snapshot, asOf) || series.length === 0) return series;
  const at = asOf === null ? null : Date.parse(asOf);
  const rows = asOf === null ? await reachedNow(snapshot) : await reachedThen(snapshot, series, asOf);
  return series.flatMap((one) => {
    const reach = rows.get(one.seriesNo);
    return reach === undefined ? [] : [{ ...one, ...reach, country: at === null ? one.country : countryAt(snapshot.catalogue, one, at) }];
  });
}

async function reachedThen(snapshot: Snapshot, series: readonly Series[], asOf: string | null): Promise<ReadonlyMap<number, Reached>> {
  const asked = { ...rangeOf(snapshot, series), asOf, periodFrom: snapshot.historyFrom ?? null };
  return new Map((await run(snapshot, seriesReachQuery, asked)).map((row) => [row.seriesNo, row]));
}

/** The part of all series that keys of the free tier may see. */
const reachedNow = askedOnceAView((snapshot) => reachedThen(snapshot, snapshot.catalogue.series, null));

export const seriesBeginQuery = defineQuery('series/begin.sql', {
  params: z.strictObject({
    seriesFrom: z.int(),
    seriesTo: z.int(),
    seriesNos: z.array(z.int()).nullable(),
    periodFrom: z.string().nullable(),
    periodTo: z.string().nullable(),
  }),
  row: z.strictObject({ firstObservedAt: z.string().nullable() }),
});

/** Days within which periods end; null means no bound. */
export type PeriodBounds = Pick<z.infer<typeof seriesBeginQuery.params>, 'periodFrom' | 'periodTo'>;

/** When the first vintage of the series in these periods became known. Null if there is none. */
export async function firstKnownAt(snapshot: Snapshot, series: readonly Series[], periods: PeriodBounds): Promise<string | null> {
  if (series.length === 0) return null;
  const { periodFrom, periodTo } = periods;
  const [row] = await run(snapshot, seriesBeginQuery, { ...rangeOf(snapshot, series), periodFrom, periodTo });
  return row?.firstObservedAt ?? null;
}

function rangeOf(snapshot: Snapshot, series: readonly Series[]) {
  const seriesNos = series.length === snapshot.catalogue.series.length ? null : series.map((one) => one.seriesNo);
  return { seriesFrom: series[0]?.seriesNo ?? 0, seriesTo: series.at(-1)?.seriesNo ?? 0, seriesNos };
}

/** Counts of data known at the cutoff by entity or canonical indicator. Null if the current counts apply. */
export async function countsAsOf(
  snapshot: Snapshot,
  series: readonly Series[],
  by: 'entityId' | 'canonicalId',
  asOf: string | null,
): Promise<CountsOfThen | null> {
  if (countsAll(snapshot, asOf)) return null;
  const groups = groupBy(await seriesAsOf(snapshot, series, asOf), (one) => one[by]);
  return { asOf, counts: new Map([...groups].map(([key, group]) => [key, countsOf(group)])) };
}

const newest = (days: readonly (string | null)[]) => days.filter((one) => one !== null).reduce((a, b) => (a > b ? a : b), '') || null;

/** The newest period of several series. A projected period counts only if there is no other. */
export function newestPeriodEnd(series: readonly Series[]): string | null {
  const ends = (some: readonly Series[]) => newest(some.map((one) => one.latestPeriodEnd));
  return ends(series.filter(({ canonicalId }) => !isProjection(canonicalId))) ?? ends(series);
}

function countsOf(series: readonly Series[]): SeriesCounts {
  return {
    indicatorCount: new Set(series.map((one) => one.canonicalId)).size,
    countryCount: new Set(series.flatMap((one) => one.country ?? [])).size,
    observationCount: series.reduce((total, one) => total + one.observationCount, 0),
    latestPeriodEnd: newestPeriodEnd(series),
    latestObservedAt: newest(series.map((one) => one.latestObservedAt)),
  };
}

/** The counts of an entity. */
export function entityCountsAsOf(snapshot: Snapshot, entityId: string, asOf: string | null): Promise<CountsOfThen | null> {
  return countsAsOf(snapshot, snapshot.catalogue.byEntityId.get(entityId) ?? [], 'entityId', asOf);
}
