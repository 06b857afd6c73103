// Reads by statements of sql/queries/observations, which DuckDB answers, or another engine if there is one.
import { z } from 'zod';
import { defineQuery, run } from '../../db/query.ts';
import type { Series } from '../../model/catalogue.ts';
import { definePaged, runPagedHeld } from '../paging.ts';
import type { Snapshot } from '../snapshot.ts';
import { defineRead, filterParams, orAssumed } from './filters.ts';
import { SORT_KEYS, TIE } from './order.ts';
import { windowOf } from './period-windows.ts';
import { type LatestRead, LatestVintageRow, type Read, type ReadPage, type VintageFilters, VintageRow } from './rows.ts';

const numericOnly = z.boolean();

export const observationsListQuery = defineRead('observations/list.sql', { numericOnly }, { row: VintageRow, isBulk: true, isHeavy: true });

export const observationsLatestQuery = defineRead(
  'observations/latest.sql',
  { historyFrom: z.string().nullable() },
  { row: LatestVintageRow, isBulk: true, isHeavy: true },
);

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

export const observationsChangesQuery = defineRead(
  'observations/changes.sql',
  {
    numericOnly,
    since: z.string().nullable(),
    afterSequence: z.int().nullable(),
    afterId: z.union([z.bigint(), z.string()]).nullable(),
    limit: z.int(),
  },
  {
    row: VintageRow.extend({
      changeSequence: z.int(),
      changedAt: z.string(),
      priorVintage: z.string().nullable(),
      priorValue: z.number().nullable(),
      hasPrior: z.boolean(),
    }),
    isBulk: true,
    isHeavy: true,
  },
);

/** The same questions over the vintages with the assumed ones. Only DuckDB answers them. */
export const observationsOrAssumedQuery = orAssumed(observationsListQuery);
export const latestOrAssumedQuery = orAssumed(observationsLatestQuery);

export const observationsList = definePaged(observationsListQuery, SORT_KEYS, TIE, { isWide: true });
export const observationsOrAssumed = definePaged(observationsOrAssumedQuery, SORT_KEYS, TIE);
export const latestOrAssumed = definePaged(latestOrAssumedQuery, SORT_KEYS, TIE);
export const observationsLatest = definePaged(observationsLatestQuery, SORT_KEYS, TIE);
export const observationsNewest = definePaged(observationsNewestQuery, SORT_KEYS, TIE);

export async function vintagesOfEngine({ snapshot, series, filters, page }: Read): Promise<ReadPage<VintageRow>> {
  const bound = { ...bindSeries(snapshot, series, filters), numericOnly: filters.numericOnly };
  if (filters.assumed === true) return runPagedHeld(snapshot, observationsOrAssumed, bound, page);
  return runPagedHeld(snapshot, observationsList, { ...bound, ...(await windowOf(snapshot, bound, page)) }, page);
}

/** @param isInForce true if the filters leave only rows in force, which published.latest holds */
export function latestOfEngine(
  { snapshot, series, filters, page, historyFrom = null }: LatestRead,
  isInForce: boolean,
): Promise<ReadPage<LatestVintageRow>> {
  const bound = bindSeries(snapshot, series, filters);
  if (filters.assumed === true) return runPagedHeld(snapshot, latestOrAssumed, { ...bound, historyFrom }, page);
  if (!isInForce) return runPagedHeld(snapshot, observationsLatest, { ...bound, historyFrom }, page);
  const { seriesFrom, seriesTo, seriesNos, periodFrom } = bound;
  return runPagedHeld(snapshot, observationsNewest, { seriesFrom, seriesTo, seriesNos, periodFrom, historyFrom }, page);
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
    chosenVintage: filters.vintage,
  };
}

export const observationsBackfillsQuery = defineRead(
  'observations/backfills.sql',
  { numericOnly },
  { row: z.strictObject({ rowsLeftOut: z.int() }), isHeavy: true },
);

/** How many rows of periods without a first print the filters remove. */
export async function countBackfills(snapshot: Snapshot, series: readonly Series[], filters: VintageFilters): Promise<number> {
  if (series.length === 0) return 0;
  const [found] = await run(snapshot, observationsBackfillsQuery, {
    ...bindSeries(snapshot, series, { ...filters, backfill: true }),
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
    numericOnly: filters.numericOnly,
    since: filters.since,
    afterSequence: after?.sequence ?? null,
    afterId: after?.idHash ?? null,
    limit: limit + 1,
  });
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
