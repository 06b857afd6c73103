// Reads of observations: which vintages of the requested series to return.
import { z } from 'zod';
import { defineQuery, heldRows, run } from '../db/query.ts';
import { mapInTurns, nextTurn } from '../db/turns.ts';
import type { Catalogue, Series } from '../model/catalogue.ts';
import { observationId } from '../model/observation.ts';
import { cutLatest, cutNewest, newestRows, cutVintages } from './cut.ts';
import { filterParams } from './observations/filters.ts';
import { type ObservationSort, SORT_KEYS, TIE } from './observations/order.ts';
import { windowOf } from './observations/period-windows.ts';
import { definePaged, type FoundPage, type HeldPage, type PageOf, runPaged, runPagedHeld } from './paging.ts';
import type { Snapshot } from './snapshot.ts';

/** Bounds on knowledge and reference period; null is no bound. Days are inclusive `YYYY-MM-DD`, instants ISO 8601. */
export interface VintageFilters {
  readonly asOf: string | null;
  readonly observedFrom: string | null;
  readonly observedTo: string | null;
  readonly periodFrom: string | null;
  readonly periodTo: string | null;
  readonly vintage: 'latest' | 'first' | 'all';
  readonly releaseNumber: number | null;
  readonly numericOnly: boolean;
  /** False: no period without a first print; true: only those; null: any. */
  readonly backfill: boolean | null;
}

const VintageRow = z.strictObject({
  seriesNo: z.int(),
  period: z.string(),
  periodEnd: z.string(),
  value: z.number().nullable(),
  vintage: z.string(),
  observedAt: z.string(),
  knownTo: z.string().nullable(),
  releasedAt: z.string().nullable(),
  retrievedAt: z.string(),
  isRevised: z.boolean(),
  isBackfill: z.boolean(),
  obsStatus: z.string().nullable(),
  releaseNo: z.int(),
  idHash: z.union([z.bigint(), z.number()]),
  /** The run that read the newest file behind the value. */
  sourceRunId: z.string().nullable(),
  derivedFrom: z.array(z.string()).nullable(),
});
export type VintageRow = z.infer<typeof VintageRow>;

export const observationsListQuery = defineQuery('observations/list.sql', {
  params: z.strictObject({ ...filterParams, vintage: z.string(), numericOnly: z.boolean() }),
  row: VintageRow,
  isBulk: true,
  isHeavy: true,
});

export const observationsLatestQuery = defineQuery('observations/latest.sql', {
  params: z.strictObject({ ...filterParams, vintage: z.string(), historyFrom: z.string().nullable() }),
  row: VintageRow.extend({ previous: z.number().nullable(), revisedPrevious: z.number().nullable() }),
  isBulk: true,
  isHeavy: true,
});

export const observationsNewestQuery = defineQuery('observations/newest.sql', {
  params: z.strictObject({
    seriesFrom: filterParams.seriesFrom,
    seriesTo: filterParams.seriesTo,
    seriesNos: filterParams.seriesNos,
    periodFrom: filterParams.periodFrom,
    historyFrom: z.string().nullable(),
  }),
  row: observationsLatestQuery.row,
  isBulk: true,
});

export const observationsChangesQuery = defineQuery('observations/changes.sql', {
  params: z.strictObject({
    ...filterParams,
    vintage: z.string(),
    numericOnly: z.boolean(),
    since: z.string().nullable(),
    afterSequence: z.int().nullable(),
    afterId: z.union([z.bigint(), z.string()]).nullable(),
    limit: z.int(),
  }),
  row: VintageRow.extend({
    changeSequence: z.int(),
    changedAt: z.string(),
    priorVintage: z.string().nullable(),
    priorValue: z.number().nullable(),
    hasPrior: z.boolean(),
  }),
  isBulk: true,
  isHeavy: true,
});

export const observationsList = definePaged(observationsListQuery, SORT_KEYS, TIE, { isWide: true });
export const observationsLatest = definePaged(observationsLatestQuery, SORT_KEYS, TIE);
export const observationsNewest = definePaged(observationsNewestQuery, SORT_KEYS, TIE);

/** To look at more vintages than this would delay other requests. The order by period needs no such look, because packs have that order. */
const MOST_LOOKED_AT = 200_000;

/** The packs for a read of these series. Null if the engine must answer. */
async function cutOf({ packs: all, catalogue }: Snapshot, series: readonly Series[], isInOrder: boolean) {
  if (all === null) return null;
  const isOne = series.length === 1 && isInOrder;
  if (!isOne && hasMore(series, isInOrder ? all.mostRows : Math.min(all.mostRows, MOST_LOOKED_AT))) return null;
  const packs = await all.read(series.map((one) => one.seriesNo));
  return packs === null ? null : { packs, texts: all.texts, seriesAt: seriesIn(catalogue) };
}

/** True if the series have more vintages than `most`. The loop stops early. */
export function hasMore(series: readonly Series[], most: number): boolean {
  let sum = 0;
  return series.some(({ vintageCount }) => (sum += vintageCount) > most);
}

const seriesIn = (catalogue: Catalogue) => (seriesNo: number) => seriesOf(catalogue, { seriesNo });

/** One page of the vintages of the given series. */
export async function listVintages(...asked: VintagesAsked): Promise<FoundPage<VintageRow>> {
  return (await vintagesAtHand(...asked)) ?? runPaged(asked[0], observationsList, await vintagesBound(...asked), asked[3]);
}

/** The same for very many rows. */
export async function holdVintages(...asked: VintagesAsked): Promise<HeldPage<VintageRow>> {
  const found = await vintagesAtHand(...asked);
  if (found !== null) return { ...found, rows: heldRows(found.rows) };
  return runPagedHeld(asked[0], observationsList, await vintagesBound(...asked), asked[3]);
}

type VintagesAsked = [snapshot: Snapshot, series: readonly Series[], filters: VintageFilters, page: PageOf<ObservationSort>];

/** Null if the engine must answer. */
async function vintagesAtHand(...[snapshot, series, filters, page]: VintagesAsked): Promise<FoundPage<VintageRow> | null> {
  if (series.length === 0) return { rows: [], nextKey: null };
  const cut = await cutOf(snapshot, series, page.sort === 'period_end');
  return cut === null ? null : inCuts(page, (part) => cutVintages(cut.packs, cut.texts, filters, part, cut.seriesAt));
}

async function vintagesBound(...[snapshot, series, filters, page]: VintagesAsked) {
  const { numericOnly, vintage } = filters;
  const bound = { ...bindSeries(snapshot, series, filters), numericOnly, vintage };
  return { ...bound, ...(await windowOf(snapshot, bound, page)) };
}

/** A few milliseconds of work. */
const CUT_ROWS = 500;

/** Cuts a large page by period in parts. Each part starts after the one before, and other requests run between them. */
async function inCuts<Row>(page: PageOf<ObservationSort>, cut: (part: PageOf<ObservationSort>) => FoundPage<Row>): Promise<FoundPage<Row>> {
  // In another order, each part would scan all rows again.
  if (page.sort !== 'period_end' || page.limit <= CUT_ROWS) return cut(page);
  const rows: Row[] = [];
  let { after } = page;
  for (;;) {
    const part = cut({ ...page, after, limit: Math.min(CUT_ROWS, page.limit - rows.length) });
    for (const row of part.rows) rows.push(row);
    after = part.nextKey;
    if (after === null || rows.length >= page.limit) return { rows, nextKey: after };
    await nextTurn();
  }
}

export type LatestVintageRow = VintageRow & { readonly previous: number | null; readonly revisedPrevious: number | null };

/**
 * The newest period with a value of each series, after the filters.
 * @param historyFrom first day of a previous period that may be shown
 */
export async function listLatest(
  snapshot: Snapshot,
  series: readonly Series[],
  filters: VintageFilters,
  page: PageOf<ObservationSort>,
  historyFrom: string | null = null,
): Promise<FoundPage<LatestVintageRow>> {
  if (series.length === 0) return { rows: [], nextKey: null };
  const cut = await latestInMemory(snapshot, series, filters, page, historyFrom);
  if (cut !== null) return cut;
  const bound = bindSeries(snapshot, series, filters);
  if (!isInForce(filters)) return runPaged(snapshot, observationsLatest, { ...bound, vintage: filters.vintage, historyFrom }, page);
  const { seriesFrom, seriesTo, seriesNos, periodFrom } = bound;
  return runPaged(snapshot, observationsNewest, { seriesFrom, seriesTo, seriesNos, periodFrom, historyFrom }, page);
}

/** A few milliseconds of work, if none of their rows is cached yet. */
const SERIES_A_TURN = 1000;

/** The cached newest rows of the given series, unordered. Null if the filters ask for other rows. */
export async function newestReady(
  { newest, catalogue }: Snapshot,
  series: readonly Series[],
  filters: VintageFilters,
): Promise<readonly LatestVintageRow[] | null> {
  if (newest === null || !isInForce(withoutIdleCutoff(catalogue, series, filters))) return null;
  return mapInTurns(series, (part) => newestRows(newest, part, filters.periodFrom), SERIES_A_TURN);
}

/** The newest rows from memory. Null if the engine must answer. */
async function latestInMemory(
  snapshot: Snapshot,
  series: readonly Series[],
  filters: VintageFilters,
  page: PageOf<ObservationSort>,
  historyFrom: string | null,
): Promise<FoundPage<LatestVintageRow> | null> {
  const { catalogue, newest } = snapshot;
  if (newest !== null && isInForce(withoutIdleCutoff(catalogue, series, filters))) {
    const seriesNos = series.map((one) => one.seriesNo);
    return cutNewest(newest, seriesNos, filters.periodFrom, page, historyFrom, seriesIn(catalogue));
  }
  const cut = await cutOf(snapshot, series, true);
  return cut === null ? null : cutLatest(cut.packs, cut.texts, filters, page, historyFrom, cut.seriesAt);
}

/**
 * If the cutoff is later than everything known of these series, ignore it. Instants of series have only milliseconds, so compare strictly.
 */
function withoutIdleCutoff(catalogue: Catalogue, series: readonly Series[], filters: VintageFilters): VintageFilters {
  const { asOf } = filters;
  if (asOf === null) return filters;
  const at = Date.parse(asOf);
  const isBefore = ({ latestObservedAt }: Series) => latestObservedAt === null || Date.parse(latestObservedAt) < at;
  const isIdle = lastKnownOf(catalogue) < at || series.every(isBefore);
  return isIdle ? { ...filters, asOf: null } : filters;
}

const lastKnown = new WeakMap<Catalogue, number>();

/** When data of any series last became known, ms. */
function lastKnownOf(catalogue: Catalogue): number {
  const found = lastKnown.get(catalogue);
  if (found !== undefined) return found;
  const moments = catalogue.series.map(({ latestObservedAt }) =>
    latestObservedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(latestObservedAt),
  );
  const last = moments.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  lastKnown.set(catalogue, last);
  return last;
}

// A lower bound on the period only removes series. It does not change the newest period of the others.
export function isInForce(filters: VintageFilters): boolean {
  return (
    filters.vintage === 'latest' &&
    [filters.asOf, filters.observedFrom, filters.observedTo, filters.periodTo, filters.releaseNumber, filters.backfill].every(
      (bound) => bound === null,
    )
  );
}

export const observationsBackfillsQuery = defineQuery('observations/backfills.sql', {
  params: z.strictObject({ ...filterParams, vintage: z.string(), numericOnly: z.boolean() }),
  row: z.strictObject({ rowsLeftOut: z.int() }),
  isHeavy: true,
});

/** How many rows of periods without a first print the filters remove. */
export async function countBackfills(snapshot: Snapshot, series: readonly Series[], filters: VintageFilters): Promise<number> {
  if (filters.backfill !== false || series.length === 0) return 0;
  const [found] = await run(snapshot, observationsBackfillsQuery, {
    ...bindSeries(snapshot, series, { ...filters, backfill: true }),
    vintage: filters.vintage,
    numericOnly: filters.numericOnly,
  });
  return found?.rowsLeftOut ?? 0;
}

export type ChangeRow = z.infer<typeof observationsChangesQuery.row>;

/** Changes after (sequence, id), strictly by sequence. */
export async function listChanges(
  snapshot: Snapshot,
  series: readonly Series[],
  filters: VintageFilters & { readonly since: string | null },
  after: { readonly sequence: number; readonly idHash: string } | null,
  limit: number,
): Promise<{ readonly rows: readonly ChangeRow[]; readonly hasMore: boolean }> {
  if (series.length === 0) return { rows: [], hasMore: false };
  const rows = await run(snapshot, observationsChangesQuery, {
    ...bindSeries(snapshot, series, filters),
    vintage: filters.vintage,
    numericOnly: filters.numericOnly,
    since: filters.since,
    afterSequence: after?.sequence ?? null,
    afterId: after?.idHash ?? null,
    limit: limit + 1,
  });
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

export function bindSeries(snapshot: Snapshot, series: readonly Series[], filters: VintageFilters) {
  return {
    seriesFrom: series[0]?.seriesNo ?? 0,
    seriesTo: series.at(-1)?.seriesNo ?? 0,
    seriesNos: series.length === 1 || series.length === snapshot.catalogue.series.length ? null : series.map((one) => one.seriesNo),
    asOf: filters.asOf,
    observedFrom: filters.observedFrom,
    observedTo: filters.observedTo,
    periodFrom: filters.periodFrom,
    periodTo: filters.periodTo,
    releaseNumber: filters.releaseNumber,
    backfill: filters.backfill,
  };
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
