// Reads vintages from packs, which hold all vintages of a series in columns. list.sql and latest.sql return the same rows, order and keys.
import { dayOf, microsOf } from '../../db/instant.ts';
import { heldRows } from '../../db/query.ts';
import { nextTurn } from '../../db/turns.ts';
import { numberAt, type Pack, type PackTexts, type Place } from '../../model/pack.ts';
import { calendarPlace } from '../../model/period.ts';
import { orderOf, pageOf, rowOf, ROWS_A_TURN, type SeriesAt } from './columns.ts';
import type { LatestRead, LatestVintageRow, Read, ReadPage, VintageFilters, VintageRow } from './rows.ts';

/** The packs of the series of a read, in the same order. */
export interface OpenPacks {
  readonly packs: readonly Pack[];
  readonly texts: PackTexts;
  readonly seriesAt: SeriesAt;
}

/** The vintages that the filters leave. A large page by period is made in parts, and other requests run between them. */
export async function vintagesOfPacks(read: Pick<Read, 'filters' | 'page'>, open: OpenPacks): Promise<ReadPage<VintageRow>> {
  const { page } = read;
  // In another order, each part would scan all rows again.
  if (page.sort !== 'period_end' || page.limit <= ROWS_A_TURN) return partOf(read, open);
  const rows: VintageRow[] = [];
  let { after } = page;
  for (;;) {
    const part = await partOf({ ...read, page: { ...page, after, limit: Math.min(ROWS_A_TURN, page.limit - rows.length) } }, open);
    for (const row of await part.rows.all()) rows.push(row);
    after = part.nextKey;
    if (after === null || rows.length >= page.limit) return { rows: heldRows(rows), nextKey: after };
    await nextTurn();
  }
}

async function partOf(
  { filters, page }: Pick<Read, 'filters' | 'page'>,
  { packs, texts, seriesAt }: OpenPacks,
): Promise<ReadPage<VintageRow>> {
  const order = orderOf<Pack>(page, seriesAt, ({ pack }) => pack.seriesNo);
  const isLeft = filterOf(filters);
  const wanted = page.limit + 1;
  const isFound: IsLeft = page.after === null ? isLeft : (pack, row) => isLeft(pack, row) && order.isBeyond({ pack, row });
  const found =
    page.sort === 'period_end'
      ? firstMerged(packs, page.order, order.end, wanted, isFound, order.compare)
      : firstSelected(packs, page.order, wanted, isFound, order.compare);
  return pageOf(found, page.limit, order, (place) => packRow(place, texts));
}

/** The newest period with a value of each series, with the period before it. */
export async function latestOfPacks(
  { filters, page, historyFrom = null }: Pick<LatestRead, 'filters' | 'page' | 'historyFrom'>,
  { packs, texts, seriesAt }: OpenPacks,
): Promise<ReadPage<LatestVintageRow>> {
  const order = orderOf<Pack>(page, seriesAt, ({ pack }) => pack.seriesNo);
  const isLeft = filterOf({ ...filters, numericOnly: true });
  const firstDay = historyFrom === null ? Number.NEGATIVE_INFINITY : dayOf(historyFrom);
  const found = packs
    .flatMap((pack) => firstInOrder(pack, 'desc', 1, isLeft))
    .filter(order.isBeyond)
    .sort(order.compare)
    .slice(0, page.limit + 1);
  return pageOf(found, page.limit, order, (place) =>
    Object.assign(packRow(place, texts), beforeOf(place, seriesAt(place.pack.seriesNo), firstDay)),
  );
}

function packRow(place: Place<Pack>, texts: PackTexts): VintageRow {
  return rowOf(place, place.pack.seriesNo, texts, numberAt(place.pack.knownTo, place.row));
}

/**
 * The value of the previous calendar period, as known just before this vintage. If this vintage came with a change of it, also the new
 * value.
 */
function beforeOf(
  { pack, row }: Place<Pack>,
  { frequency }: ReturnType<SeriesAt>,
  firstDay: number,
): Pick<LatestVintageRow, 'previous' | 'revisedPrevious'> {
  const observedAt = numberAt(pack.observedAt, row);
  const placeOf = (at: number) => calendarPlace(frequency, numberAt(pack.periodEnd, at));
  const [place, newestEnd] = [placeOf(row), numberAt(pack.periodEnd, row)];
  const isHeld = (at: number) =>
    pack.hasValue[at] === 1 && numberAt(pack.observedAt, at) <= observedAt && numberAt(pack.knownTo, at) >= observedAt;
  const values: { before: number | null; after: number | null } = { before: null, after: null };
  let period: number | null = null;
  for (let earlier = row - 1; earlier >= 0; earlier -= 1) {
    const end = numberAt(pack.periodEnd, earlier);
    if (end < firstDay || (period !== null && end < period) || isOverGap(placeOf(earlier), place)) break;
    // The newest week may end on several days. Such a day is not the previous week.
    if (end === newestEnd || isSame(placeOf(earlier), place) || !isHeld(earlier)) continue;
    period = end;
    const value = numberAt(pack.value, earlier);
    if (numberAt(pack.observedAt, earlier) < observedAt) values.before = greater(values.before, value);
    if (numberAt(pack.knownTo, earlier) > observedAt) values.after = greater(values.after, value);
  }
  return previousFrom(values);
}

const isOverGap = (earlier: number | null, place: number | null) => earlier !== null && place !== null && earlier < place - 1;
const isSame = (earlier: number | null, place: number | null) => place !== null && earlier === place;

function previousFrom({ before, after }: { readonly before: number | null; readonly after: number | null }) {
  return { previous: before ?? after, revisedPrevious: before !== null && before !== after ? after : null };
}

function greater(one: number | null, other: number): number {
  return one === null ? other : Math.max(one, other);
}

function filterOf(filters: VintageFilters): IsLeft {
  const observedFrom = filters.observedFrom === null ? null : microsOf(filters.observedFrom);
  const bounds = [filters.asOf, filters.observedTo].filter((bound) => bound !== null).map(microsOf);
  // null means no bound, as in the SQL: the rows in force are those that nothing has replaced.
  const knownBy = bounds.length === 0 ? null : Math.min(...bounds);
  const isOfVintage = vintageFilter(filters.vintage, observedFrom, knownBy);
  const isWithin = boundsFilter(filters, observedFrom, knownBy);
  const { numericOnly, releaseNumber, backfill } = filters;
  const flag = backfill === null ? null : Number(backfill);
  return (pack, row) =>
    isWithin(pack, row) &&
    isOfVintage(pack, row) &&
    (!numericOnly || pack.hasValue[row] === 1) &&
    (flag === null || pack.isBackfill[row] === flag) &&
    (releaseNumber === null || pack.releaseNo[row] === releaseNumber);
}

function boundsFilter({ periodFrom, periodTo }: VintageFilters, observedFrom: number | null, knownBy: number | null): IsLeft {
  const firstDay = periodFrom === null ? Number.NEGATIVE_INFINITY : dayOf(periodFrom);
  const lastDay = periodTo === null ? Number.POSITIVE_INFINITY : dayOf(periodTo);
  const firstMoment = observedFrom ?? Number.NEGATIVE_INFINITY;
  const lastMoment = knownBy ?? Number.POSITIVE_INFINITY;
  return (pack, row) => {
    const observedAt = numberAt(pack.observedAt, row);
    const periodEnd = numberAt(pack.periodEnd, row);
    return observedAt <= lastMoment && observedAt >= firstMoment && periodEnd >= firstDay && periodEnd <= lastDay;
  };
}

function vintageFilter(vintage: VintageFilters['vintage'], observedFrom: number | null, knownBy: number | null): IsLeft {
  if (vintage === 'all') return () => true;
  if (vintage === 'first') {
    return (pack, row) => {
      const prior = numberAt(pack.priorObservedAt, row);
      return prior === Number.NEGATIVE_INFINITY || (observedFrom !== null && prior < observedFrom);
    };
  }
  return (pack, row) => {
    const knownTo = numberAt(pack.knownTo, row);
    return knownTo === Number.POSITIVE_INFINITY || (knownBy !== null && knownTo > knownBy);
  };
}

// --- The first rows in an order, found without sorting all of them

type IsLeft = (pack: Pack, row: number) => boolean;
type Compare = (one: Place<Pack>, other: Place<Pack>) => number;

/**
 * For one pack in the order by period, which is the order of its rows. Of rows with the same period and moment, the smaller id comes first
 * in both directions.
 */
function firstInOrder(pack: Pack, order: 'asc' | 'desc', wanted: number, isFound: IsLeft): Place<Pack>[] {
  const found: Place<Pack>[] = [];
  const next = walkOf(pack, order, null, isFound);
  for (let place = next(); place !== null && found.length < wanted; place = next()) found.push(place);
  return found;
}

/** Period and moment at the end of the previous page: days, microseconds. */
interface PeriodEnd {
  readonly periodEnd: number;
  readonly observedAt: number;
}

/** For several packs in the order by period: a merge that always takes the pack with the first next row. */
function firstMerged(
  packs: readonly Pack[],
  order: 'asc' | 'desc',
  from: PeriodEnd | null,
  wanted: number,
  isFound: IsLeft,
  compare: Compare,
): Place<Pack>[] {
  const heads: { place: Place<Pack>; readonly next: () => Place<Pack> | null }[] = [];
  for (const pack of packs) {
    const next = walkOf(pack, order, from, isFound);
    const place = next();
    if (place !== null) heads.push({ place, next });
  }
  const isBefore = (one: (typeof heads)[number], other: (typeof heads)[number]) => compare(one.place, other.place) < 0;
  heap(heads, isBefore);
  const found: Place<Pack>[] = [];
  while (found.length < wanted) {
    const [head] = heads;
    if (head === undefined) break;
    found.push(head.place);
    const place = head.next();
    if (place !== null) head.place = place;
    else {
      const last = heads.pop();
      if (last !== undefined && last !== head) heads[0] = last;
    }
    sink(heads, 0, isBefore);
  }
  return found;
}

/** For any order: it keeps only the `wanted` first rows seen so far. */
function firstSelected(packs: readonly Pack[], order: 'asc' | 'desc', wanted: number, isFound: IsLeft, compare: Compare): Place<Pack>[] {
  const kept: Place<Pack>[] = [];
  const isAfter = (one: Place<Pack>, other: Place<Pack>) => compare(one, other) > 0;
  for (const pack of packs) {
    // Later periods come late in most orders too. If we scan in the requested order, few rows replace a kept one.
    for (let seen = 0; seen < pack.rows; seen += 1) {
      const row = order === 'asc' ? seen : pack.rows - 1 - seen;
      if (!isFound(pack, row)) continue;
      const place = { pack, row };
      const [last] = kept;
      if (kept.length < wanted) {
        kept.push(place);
        if (kept.length === wanted) heap(kept, isAfter);
      } else if (last !== undefined && compare(place, last) < 0) {
        kept[0] = place;
        sink(kept, 0, isAfter);
      }
    }
  }
  return kept.sort(compare);
}

/** Walks the rows from the end of the previous page. The caller skips rows at exactly that place. */
function walkOf(pack: Pack, order: 'asc' | 'desc', from: PeriodEnd | null, isFound: IsLeft): () => Place<Pack> | null {
  if (order === 'asc') {
    let row = from === null ? 0 : firstNotBefore(pack, from);
    return () => {
      for (; row < pack.rows; row += 1) if (isFound(pack, row)) return { pack, row: row++ };
      return null;
    };
  }
  let start = from === null ? pack.rows : firstAfter(pack, from);
  let [row, end] = [start, start];
  return () => {
    for (;;) {
      for (; row < end; row += 1) if (isFound(pack, row)) return { pack, row: row++ };
      if (start === 0) return null;
      end = start;
      start -= 1;
      while (start > 0 && pack.periodEnd[start - 1] === pack.periodEnd[end - 1] && pack.observedAt[start - 1] === pack.observedAt[end - 1])
        start -= 1;
      row = start;
    }
  };
}

function firstNotBefore(pack: Pack, { periodEnd, observedAt }: PeriodEnd): number {
  return firstPlace(pack, (day, moment) => day > periodEnd || (day === periodEnd && moment >= observedAt));
}

function firstAfter(pack: Pack, { periodEnd, observedAt }: PeriodEnd): number {
  return firstPlace(pack, (day, moment) => day > periodEnd || (day === periodEnd && moment > observedAt));
}

/** Binary search: the first row for which `holds` is true. It must then be true for all later rows. */
function firstPlace(pack: Pack, holds: (periodEnd: number, observedAt: number) => boolean): number {
  let [low, high] = [0, pack.rows];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(numberAt(pack.periodEnd, middle), numberAt(pack.observedAt, middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}

type IsBefore<Item> = (one: Item, other: Item) => boolean;

/** Makes a list a heap: no item comes before its parent, so the first item is the overall first. */
function heap<Item>(items: Item[], isBefore: IsBefore<Item>): void {
  for (let at = (items.length >>> 1) - 1; at >= 0; at -= 1) sink(items, at, isBefore);
}

/** Moves an item down until it no longer comes after its children. */
function sink<Item>(items: Item[], from: number, isBefore: IsBefore<Item>): void {
  const item = items[from];
  if (item === undefined) return;
  let at = from;
  for (;;) {
    const [left, right] = [items[2 * at + 1], items[2 * at + 2]];
    if (left === undefined) break;
    const isRight = right !== undefined && isBefore(right, left);
    const child = isRight ? right : left;
    if (!isBefore(child, item)) break;
    items[at] = child;
    at = 2 * at + (isRight ? 2 : 1);
  }
  items[at] = item;
}
