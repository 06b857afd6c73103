// Finds the first rows of packs in a given order without sorting all of them.
import type { Pack, Prints } from '../../model/pack.ts';

export interface Place<Columns extends Prints = Prints> {
  readonly pack: Columns;
  readonly row: number;
}

export type IsLeft = (pack: Pack, row: number) => boolean;
export type Compare = (one: Place<Pack>, other: Place<Pack>) => number;

/**
 * For one pack in the order by period, which is the order of its rows. Of rows with the same period and moment, the smaller id comes first
 * in both directions.
 */
export function firstInOrder(pack: Pack, order: 'asc' | 'desc', wanted: number, isFound: IsLeft): Place<Pack>[] {
  const found: Place<Pack>[] = [];
  const next = walkOf(pack, order, null, isFound);
  for (let place = next(); place !== null && found.length < wanted; place = next()) found.push(place);
  return found;
}

/** Period and moment at the end of the previous page: days, microseconds. */
export interface PeriodEnd {
  readonly periodEnd: number;
  readonly observedAt: number;
}

/** For several packs in the order by period: a merge that always takes the pack with the first next row. */
export function firstMerged(
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
export function firstSelected(
  packs: readonly Pack[],
  order: 'asc' | 'desc',
  wanted: number,
  isFound: IsLeft,
  compare: Compare,
): Place<Pack>[] {
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

export function numberAt(column: Float64Array | Uint32Array | Int32Array, row: number): number {
  const value = column[row];
  if (value === undefined) throw new RangeError(`the pack has no row ${row}`);
  return value;
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
