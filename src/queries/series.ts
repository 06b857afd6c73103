// Storage series as catalogue entries, their entities, and the liveness of their feeds.
import { z } from 'zod';
import { defineQuery, run } from '../db/query.ts';
import { type Series, seriesOf } from '../model/catalogue.ts';
import {
  endOf,
  type Indicator,
  IndicatorEntity,
  type IndicatorSeries,
  type Liveness,
  livenessOf,
  type LivenessVerdict,
  type SeriesLiveness,
  WORST_VERDICTS_FIRST,
} from '../model/series.ts';
import { freshnessOf, seriesPrintDay } from '../model/trust.ts';
import { countsAll } from './reach.ts';
import { BEST_FIRST, definePaged, type FoundPage, type PageOf, runPaged, type SortKey } from './paging.ts';
import type { Snapshot } from './snapshot.ts';

const seriesNos = z.array(z.int()).nullable();

const SeriesRow = z.strictObject({
  seriesNo: z.int(),
  indicatorId: z.string(),
  name: z.string(),
  entityId: z.string(),
  sourceId: z.string(),
  latestPeriodEnd: z.string().nullable(),
  place: z.int().nullable(),
});

const days = z.array(z.string()).nullable();
export const seriesListQuery = defineQuery('indicators/list.sql', {
  params: z.strictObject({ seriesNos, latestPeriodEnds: days, places: seriesNos }),
  row: SeriesRow,
});

const Revisions = z.strictObject({
  seriesNo: z.int(),
  meanAbsRevision: z.number().nullable(),
  revisedShare: z.number().nullable(),
  medianReleaseLagDays: z.number().nullable(),
});
export const seriesRevisionsQuery = defineQuery('indicators/revisions.sql', {
  params: z.strictObject({ seriesNos: z.array(z.int()) }),
  row: Revisions,
});
export const seriesRevisionsOfQuery = defineQuery('indicators/revisions_of.sql', {
  params: z.strictObject({ seriesNos: z.array(z.int()), asOf: z.string().nullable(), periodFrom: z.string().nullable() }),
  row: Revisions,
});

const SERIES_SORTS = {
  indicator_id: { expression: 'indicator_id', type: 'varchar' },
  name: { expression: 'name', type: 'varchar' },
  entity_id: { expression: 'entity_id', type: 'varchar' },
  source_id: { expression: 'source_id', type: 'varchar' },
  latest_period_end: { expression: 'latest_period_end', type: 'date' },
  [BEST_FIRST]: { expression: 'place', type: 'bigint' },
} as const satisfies Record<string, SortKey>;
type SeriesSort = keyof typeof SERIES_SORTS;
export const seriesList = definePaged(seriesListQuery, SERIES_SORTS, { column: 'series_no', type: 'ubigint' });

/** The moment of an answer: the cutoff or null, and the evaluation time, ms. */
export interface Moment {
  readonly asOf: string | null;
  readonly at: number;
}

/** @param chosen best first, if sorted so; with a cutoff, the series known then, with their facts of that time */
export async function listIndicators(
  snapshot: Snapshot,
  chosen: readonly Series[],
  { asOf, at }: Moment,
  page: PageOf<SeriesSort>,
): Promise<FoundPage<Indicator>> {
  const { series, nextKey } = await findSeries(snapshot, chosen, asOf, page);
  return { rows: series.map((one) => toIndicator(one, at)), nextKey };
}

/** @param chosen best first, if sorted so; with a cutoff, the series known then, with their facts of that time */
export async function listIndicatorSeries(
  snapshot: Snapshot,
  chosen: readonly Series[],
  { asOf, at }: Moment,
  page: PageOf<SeriesSort>,
): Promise<FoundPage<IndicatorSeries>> {
  const { series, nextKey } = await findSeries(snapshot, chosen, asOf, page);
  const numbers = numbersOf(series);
  const found =
    countsAll(snapshot, asOf) || numbers.length === 0
      ? await run(snapshot, seriesRevisionsQuery, { seriesNos: numbers })
      : await run(snapshot, seriesRevisionsOfQuery, { seriesNos: numbers, asOf, periodFrom: snapshot.historyFrom ?? null });
  const revisions = new Map(found.map(({ seriesNo, ...rest }) => [seriesNo, rest]));
  const rows = series.map((one) => ({ ...toIndicator(one, at), ...(revisions.get(one.seriesNo) ?? NEVER_SEEN_NEW) }));
  return { rows, nextKey };
}

const NEVER_SEEN_NEW = { meanAbsRevision: null, revisedShare: null, medianReleaseLagDays: null } as const;

async function findSeries(
  snapshot: Snapshot,
  chosen: readonly Series[],
  asOf: string | null,
  page: PageOf<SeriesSort>,
): Promise<{ readonly series: readonly Series[]; readonly nextKey: FoundPage<unknown>['nextKey'] }> {
  if (chosen.length === 0) return { series: [], nextKey: null };
  const areAsTheyAre = countsAll(snapshot, asOf);
  const areAll = areAsTheyAre && page.sort !== BEST_FIRST && chosen.length === snapshot.catalogue.series.length;
  const latestPeriodEnds = areAsTheyAre ? null : chosen.map((one) => one.latestPeriodEnd ?? '');
  const places = chosen.map((_, index) => index + 1);
  const bound = areAll ? { seriesNos: null, places: null } : { seriesNos: numbersOf(chosen), places };
  const { rows, nextKey } = await runPaged(snapshot, seriesList, { ...bound, latestPeriodEnds }, page);
  const byNumber = new Map(chosen.map((one) => [one.seriesNo, one]));
  return { series: rows.map((row) => byNumber.get(row.seriesNo) ?? seriesOf(snapshot.catalogue, row)), nextKey };
}

function numbersOf(series: readonly Series[]): number[] {
  return series.map((one) => one.seriesNo);
}

function toIndicator(series: Series, now: number): Indicator {
  return {
    indicatorId: series.indicatorId,
    canonicalIndicatorId: series.canonicalId,
    factorKey: series.factorKey,
    name: series.indicatorName,
    category: series.category,
    entityId: series.entityId,
    country: series.country,
    frequency: series.frequency,
    unit: series.unit,
    sourceId: series.sourceId,
    sourceTier: series.sourceTier,
    firstPeriodEnd: series.firstPeriodEnd,
    latestPeriodEnd: series.latestPeriodEnd,
    observationCount: series.observationCount,
    vintageCount: series.vintageCount,
    freshnessStatus: freshnessOf(series, seriesPrintDay(series), now),
    ...endOf(series, now),
    rights: series.rights,
  };
}

export const indicatorEntitiesQuery = defineQuery('indicators/entities.sql', {
  params: z.strictObject({
    seriesNos: z.array(z.int()),
    firstPeriodEnds: days,
    latestPeriodEnds: days,
    observationCounts: z.array(z.int()).nullable(),
    asOf: z.string().nullable(),
  }),
  row: z.strictObject(IndicatorEntity.shape),
});

const ENTITY_SORTS = {
  name: { expression: 'name', type: 'varchar' },
  entity_id: { expression: 'entity_id', type: 'varchar' },
  latest_period_end: { expression: 'latest_period_end', type: 'date' },
} as const satisfies Record<string, SortKey>;
export const indicatorEntities = definePaged(indicatorEntitiesQuery, ENTITY_SORTS, { column: 'entity_id', type: 'varchar' });

/** @param series with a cutoff, the series known then, with their facts of that time */
export async function listIndicatorEntities(
  snapshot: Snapshot,
  series: readonly Series[],
  asOf: string | null,
  page: PageOf<keyof typeof ENTITY_SORTS>,
): Promise<FoundPage<IndicatorEntity>> {
  if (series.length === 0) return { rows: [], nextKey: null };
  const ofThen = <Value>(valueOf: (one: Series) => Value) => (countsAll(snapshot, asOf) ? null : series.map(valueOf));
  const reached = {
    seriesNos: numbersOf(series),
    firstPeriodEnds: ofThen((one) => one.firstPeriodEnd ?? ''),
    latestPeriodEnds: ofThen((one) => one.latestPeriodEnd ?? ''),
    observationCounts: ofThen((one) => one.observationCount),
    asOf,
  };
  return runPaged(snapshot, indicatorEntities, reached, page);
}

export const seriesLivenessQuery = defineQuery('operations/liveness.sql', {
  params: z.strictObject({ sourceId: z.string().nullable() }),
  row: z.strictObject({
    seriesNo: z.int(),
    lastAdvanceAt: z.string().nullable(),
    lastCheckedAt: z.string().nullable(),
    upstreamAdvanced: z.boolean().nullable(),
    identicalPrints: z.int(),
    nextReleaseAt: z.string().nullable(),
  }),
});

interface LivenessPage {
  readonly limit: number;
  /** The verdict and series of the last row before the page, as positions in their orders. */
  readonly after: readonly (string | number | null)[] | null;
  readonly cursorAt: (key: readonly [number, number] | null) => string | null;
}

/** @param now evaluation time of the feeds, ms */
export async function livenessReport(
  snapshot: Snapshot,
  filters: { readonly sourceId: string | null; readonly verdict: LivenessVerdict | null },
  now: number,
  page: LivenessPage,
): Promise<Liveness> {
  const feeds = await run(snapshot, seriesLivenessQuery, { sourceId: filters.sourceId });
  const judged = feeds.map(({ seriesNo, upstreamAdvanced, identicalPrints, lastAdvanceAt, lastCheckedAt, nextReleaseAt }) => {
    const series = seriesOf(snapshot.catalogue, { seriesNo });
    const { ageDays, budgetDays, overdueDays, expectedNextAt, verdict, reasons } = livenessOf(
      { ...series, latestPeriodEnd: seriesPrintDay(series) },
      { lastAdvanceAt, lastCheckedAt, nextReleaseAt },
      now,
    );
    const { indicatorId, entityId, sourceId, frequency, latestPeriodEnd, latestObservedAt } = series;
    const row: SeriesLiveness = {
      indicatorId,
      entityId,
      sourceId,
      frequency,
      latestPeriodEnd,
      latestObservedAt,
      lastCheckedAt,
      lastAdvanceAt,
      expectedNextAt,
      ageDays,
      budgetDays,
      overdueDays,
      identicalPrints,
      upstreamAdvanced,
      verdict,
      reasons,
    };
    return { place: [WORST_VERDICTS_FIRST.indexOf(verdict), seriesNo] as const, row };
  });
  const summary = { live: 0, late: 0, frozen: 0, ceased: 0, unknown: 0 };
  for (const { row } of judged) summary[row.verdict] += 1;
  const [afterVerdict = -1, afterSeries = -1] = (page.after ?? []).map(Number);
  const ahead = judged
    .filter(({ row }) => filters.verdict === null || row.verdict === filters.verdict)
    .filter(({ place: [verdict, seriesNo] }) => verdict > afterVerdict || (verdict === afterVerdict && seriesNo > afterSeries))
    .toSorted((one, other) => one.place[0] - other.place[0] || one.place[1] - other.place[1]);
  const series = ahead.slice(0, page.limit);
  return {
    generatedAt: new Date(now).toISOString(),
    summary,
    nextCursor: page.cursorAt(ahead.length > series.length ? (series.at(-1)?.place ?? null) : null),
    series: series.map(({ row }) => row),
  };
}
