// Reads of vintages whose rows are together in a list.
import type { Page } from '../src/http/route.ts';
import type { Series } from '../src/model/catalogue.ts';
import type { ObservationSort } from '../src/queries/reads/order.ts';
import type { FoundPage, PageOf } from '../src/queries/paging.ts';
import { readLatest, readVintages } from '../src/queries/reads/read.ts';
import type { LatestVintageRow, ReadPage, VintageFilters, VintageRow } from '../src/queries/reads/rows.ts';
import type { Snapshot } from '../src/queries/snapshot.ts';

export async function together<Row>(read: Promise<ReadPage<Row>>): Promise<FoundPage<Row>> {
  const { rows, nextKey } = await read;
  return { rows: await rows.all(), nextKey };
}

export function listVintages(
  snapshot: Snapshot,
  series: readonly Series[],
  filters: VintageFilters,
  page: PageOf<ObservationSort>,
): Promise<FoundPage<VintageRow>> {
  return together(readVintages({ snapshot, series, filters, page }));
}

export function listLatest(
  snapshot: Snapshot,
  series: readonly Series[],
  filters: VintageFilters,
  page: PageOf<ObservationSort>,
  historyFrom: string | null = null,
): Promise<FoundPage<LatestVintageRow>> {
  return together(readLatest({ snapshot, series, filters, page, historyFrom }));
}

/** The rows of a page of a list route as objects. */
export async function objectsOf<Row>(rows: Page<Row>['rows']): Promise<readonly Row[]> {
  if (!('parts' in rows)) return rows;
  const all: Row[] = [];
  for await (const part of rows.parts(2)) all.push(...part);
  return all;
}
