// Reads the newest prints, which are in columns: the newest period in force of each series, as in published.latest. newest.sql returns the
// same rows, order and keys. The made rows are cached, because most questions ask for the same ones.
import { LRUCache } from 'lru-cache';
import { dayOf } from '../../db/instant.ts';
import { inTurns } from '../../db/turns.ts';
import { type NewestPrints, numberAt, type Place } from '../../model/pack.ts';
import { orderOf, pageOf, rowOf, type SeriesAt } from './columns.ts';
import type { LatestRead, LatestVintageRow, ReadPage } from './rows.ts';
import { type NewestRow, type StateColumns, stateRow } from './states.ts';

/** A few milliseconds of work, if none of their rows is cached yet. */
const SERIES_A_TURN = 1000;

export async function latestOfNewest(
  { series, filters, page, historyFrom = null }: Omit<LatestRead, 'snapshot'>,
  newest: NewestPrints,
  seriesAt: SeriesAt,
): Promise<ReadPage<LatestVintageRow>> {
  const seriesNoOf = ({ pack, row }: Place<NewestPrints>) => numberAt(pack.seriesNo, row);
  const order = orderOf(page, seriesAt, seriesNoOf);
  const firstDay = firstDayOf(filters.periodFrom);
  const firstDayBefore = firstDayOf(historyFrom);
  const found: Place<NewestPrints>[] = [];
  for await (const part of inTurns(series, SERIES_A_TURN)) {
    for (const { seriesNo } of part) {
      const row = newest.rowOf.get(seriesNo);
      if (row === undefined || numberAt(newest.periodEnd, row) < firstDay) continue;
      const place = { pack: newest, row };
      if (order.isBeyond(place)) found.push(place);
    }
  }
  found.sort(order.compare);
  const kept = keptRowsOf(newest);
  const rowAt = (place: Place<NewestPrints>): LatestVintageRow => {
    const row = kept.get(place.row) ?? keepRow(kept, place, seriesNoOf(place));
    // NaN means no previous period; the comparison is false then, so nothing is hidden.
    const isHidden = numberAt(newest.previousPeriodEnd, place.row) < firstDayBefore;
    return isHidden ? { ...row, previous: null, revisedPrevious: null } : row;
  };
  return pageOf(found, page.limit, order, rowAt);
}

/** The newest values of series, in their order. Series without one are left out. */
export async function newestStates(
  newest: NewestPrints,
  series: readonly { readonly seriesNo: number }[],
  periodFrom: string | null,
): Promise<readonly NewestRow[]> {
  const { texts, period, vintage } = newest;
  const columns: StateColumns = {
    ...newest,
    period: { texts: texts.periods, places: period },
    vintage: { texts: texts.vintages, places: vintage },
  };
  const firstDay = firstDayOf(periodFrom);
  const states: NewestRow[] = [];
  for await (const part of inTurns(series, SERIES_A_TURN)) {
    for (const { seriesNo } of part) {
      const row = newest.rowOf.get(seriesNo);
      if (row === undefined || newest.hasValue[row] === 0 || numberAt(newest.periodEnd, row) < firstDay) continue;
      states.push(stateRow(columns, row, seriesNo));
    }
  }
  return states;
}

const firstDayOf = (day: string | null) => (day === null ? Number.NEGATIVE_INFINITY : dayOf(day));

function keepRow(kept: LRUCache<number, LatestVintageRow>, place: Place<NewestPrints>, seriesNo: number): LatestVintageRow {
  const row = newestRow(place, seriesNo);
  allKept.add(row);
  kept.set(place.row, row);
  return row;
}

function newestRow(place: Place<NewestPrints>, seriesNo: number): LatestVintageRow {
  const { pack, row } = place;
  const before = (column: Float64Array) => orNull(numberAt(column, row));
  return Object.assign(rowOf(place, seriesNo, pack.texts, Number.POSITIVE_INFINITY), {
    previous: before(pack.previous),
    revisedPrevious: before(pack.revisedPrevious),
  });
}

/** A row and its JSON take about four kilobytes. */
const MOST_KEPT = 10_000;
const allKept = new WeakSet<object>();
const keptRows = new WeakMap<NewestPrints, LRUCache<number, LatestVintageRow>>();

/** True for cached rows, which every caller shares. */
export function isKept(row: object): boolean {
  return allKept.has(row);
}

function keptRowsOf(newest: NewestPrints): LRUCache<number, LatestVintageRow> {
  const kept = keptRows.get(newest) ?? new LRUCache({ max: MOST_KEPT });
  keptRows.set(newest, kept);
  return kept;
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
