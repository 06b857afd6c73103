// The pages that observations/list.sql and observations/latest.sql give, cut out of packs: the same rows, order, keys and types. A test asks both.
import { dayText, instantText } from '../db/instant.ts';
import type { Pack, PackTexts } from '../model/pack.ts';
import type { LatestVintageRow, ObservationSort, VintageFilters, VintageRow } from './observations.ts';
import type { FoundPage, PageOf } from './paging.ts';

const DAY_MS = 86_400_000;

interface Place {
  readonly pack: Pack;
  readonly row: number;
}

/** @param indicatorIdOf by series number, for the order by it */
export function cutVintages(
  packs: readonly Pack[],
  texts: PackTexts,
  filters: VintageFilters,
  page: PageOf<ObservationSort>,
  indicatorIdOf: (seriesNo: number) => string,
): FoundPage<VintageRow> {
  const order = orderOf(page, indicatorIdOf);
  const isLeft = filterOf(filters);
  const wanted = page.limit + 1;
  const isFound: IsLeft = page.after === null ? isLeft : (pack, row) => isLeft(pack, row) && order.isBeyond({ pack, row });
  const [only] = packs;
  const found =
    packs.length === 1 && only !== undefined && page.sort === 'period_end'
      ? firstInOrder(only, page.order, wanted, isFound)
      : packs
          .flatMap((pack) => placesOf(pack, isFound))
          .sort(order.compare)
          .slice(0, wanted);
  return pageOf(found, page, order, (place) => rowOf(place, texts));
}

/**
 * The newest period with a value of each series, with the period before it.
 * @param historyFrom first day of a period before it that may be seen
 */
export function cutLatest(
  packs: readonly Pack[],
  texts: PackTexts,
  filters: VintageFilters,
  page: PageOf<ObservationSort>,
  historyFrom: string | null,
  indicatorIdOf: (seriesNo: number) => string,
): FoundPage<LatestVintageRow> {
  const order = orderOf(page, indicatorIdOf);
  const isLeft = filterOf({ ...filters, numericOnly: true });
  const firstDay = historyFrom === null ? Number.NEGATIVE_INFINITY : dayOf(historyFrom);
  const found = packs
    .flatMap((pack) => firstInOrder(pack, 'desc', 1, isLeft))
    .filter(order.isBeyond)
    .sort(order.compare)
    .slice(0, page.limit + 1);
  return pageOf(found, page, order, (place) => ({ ...rowOf(place, texts), ...beforeOf(place, firstDay) }));
}

/** The value of the period before, as known just before this vintage and, where that changed with it, at it. */
function beforeOf({ pack, row }: Place, firstDay: number): Pick<LatestVintageRow, 'previous' | 'revisedPrevious'> {
  const observedAt = numberAt(pack.observedAt, row);
  const periodEnd = numberAt(pack.periodEnd, row);
  const values = { before: null as number | null, after: null as number | null };
  let period: number | null = null;
  for (let earlier = row - 1; earlier >= 0; earlier -= 1) {
    const end = numberAt(pack.periodEnd, earlier);
    if (end < firstDay || (period !== null && end < period)) break;
    if (end === periodEnd || pack.hasValue[earlier] === 0 || numberAt(pack.observedAt, earlier) > observedAt) continue;
    period = end;
    const value = numberAt(pack.value, earlier);
    const knownTo = numberAt(pack.knownTo, earlier);
    if (numberAt(pack.observedAt, earlier) < observedAt && knownTo >= observedAt) values.before = greater(values.before, value);
    if (knownTo > observedAt) values.after = greater(values.after, value);
  }
  const { before, after } = values;
  return { previous: before ?? after, revisedPrevious: before !== null && before !== after ? after : null };
}

function greater(one: number | null, other: number): number {
  return one === null ? other : Math.max(one, other);
}

function pageOf<Row>(
  found: readonly Place[],
  { limit }: { readonly limit: number },
  order: Order,
  rowAt: (place: Place) => Row,
): FoundPage<Row> {
  const kept = found.slice(0, limit);
  const last = kept.at(-1);
  return { rows: kept.map(rowAt), nextKey: found.length > limit && last !== undefined ? order.keysOf(last) : null };
}

/** A pack lies in this order already; of rows of one period and moment the smaller id comes first both ways. */
function firstInOrder(pack: Pack, order: 'asc' | 'desc', wanted: number, isFound: IsLeft): Place[] {
  const found: Place[] = [];
  const take = (row: number) => {
    if (isFound(pack, row)) found.push({ pack, row });
  };
  if (order === 'asc') {
    for (let row = 0; row < pack.rows && found.length < wanted; row += 1) take(row);
    return found;
  }
  for (let end = pack.rows; end > 0 && found.length < wanted; ) {
    let start = end - 1;
    while (start > 0 && pack.periodEnd[start - 1] === pack.periodEnd[end - 1] && pack.observedAt[start - 1] === pack.observedAt[end - 1])
      start -= 1;
    for (let row = start; row < end && found.length < wanted; row += 1) take(row);
    end = start;
  }
  return found;
}

function placesOf(pack: Pack, isFound: IsLeft): Place[] {
  const found: Place[] = [];
  for (let row = 0; row < pack.rows; row += 1) if (isFound(pack, row)) found.push({ pack, row });
  return found;
}

type IsLeft = (pack: Pack, row: number) => boolean;

function filterOf(filters: VintageFilters): IsLeft {
  const observedFrom = filters.observedFrom === null ? null : microsOf(filters.observedFrom);
  const bounds = [filters.asOf, filters.observedTo].filter((bound) => bound !== null).map(microsOf);
  // null is no bound, as it is in the SQL: what is in force then is what nothing has replaced.
  const knownBy = bounds.length === 0 ? null : Math.min(...bounds);
  const isOfVintage = vintageFilter(filters.vintage, observedFrom, knownBy);
  const isWithin = boundsFilter(filters, observedFrom, knownBy);
  const { numericOnly, releaseNumber } = filters;
  return (pack, row) =>
    isWithin(pack, row) &&
    isOfVintage(pack, row) &&
    (!numericOnly || pack.hasValue[row] === 1) &&
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

type Key = string | number | null;

interface Order {
  readonly compare: (one: Place, other: Place) => number;
  /** After the row at which the page before ended. */
  readonly isBeyond: (place: Place) => boolean;
  readonly keysOf: (place: Place) => (string | null)[];
}

function orderOf({ sort, order, after }: PageOf<ObservationSort>, indicatorIdOf: (seriesNo: number) => string): Order {
  const sign = order === 'asc' ? 1 : -1;
  const keyOf = KEYS[sort](indicatorIdOf);
  const compareKeys = (one: Key, other: Key) => {
    if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
    return sign * (one < other ? -1 : one > other ? 1 : 0);
  };
  const compareTo = (place: Place, key: Key, observedAt: number, high: number, low: number) =>
    compareKeys(keyOf(place), key) ||
    sign * (numberAt(place.pack.observedAt, place.row) - observedAt) ||
    numberAt(place.pack.hashHigh, place.row) - high ||
    numberAt(place.pack.hashLow, place.row) - low;
  const end = after === null ? null : endOf(sort, after);
  return {
    compare: (one, { pack, row }) =>
      compareTo(one, keyOf({ pack, row }), numberAt(pack.observedAt, row), numberAt(pack.hashHigh, row), numberAt(pack.hashLow, row)),
    isBeyond: (place) => end === null || compareTo(place, end.key, end.observedAt, end.high, end.low) > 0,
    keysOf: (place) => {
      const key = keyOf(place);
      return [key === null ? null : textOf(sort, key), engineText(numberAt(place.pack.observedAt, place.row)), String(hashOf(place))];
    },
  };
}

const KEYS: Readonly<Record<ObservationSort, (indicatorIdOf: (seriesNo: number) => string) => (place: Place) => Key>> = {
  period_end:
    () =>
    ({ pack, row }) =>
      numberAt(pack.periodEnd, row),
  observed_at:
    () =>
    ({ pack, row }) =>
      numberAt(pack.observedAt, row),
  release_date: () => releaseDay,
  indicator_id:
    (indicatorIdOf) =>
    ({ pack }) =>
      indicatorIdOf(pack.seriesNo),
  actual:
    () =>
    ({ pack, row }) =>
      pack.hasValue[row] === 0 ? null : numberAt(pack.value, row),
};

function releaseDay({ pack, row }: Place): number {
  const releasedAt = numberAt(pack.releasedAt, row);
  return Math.floor((Number.isNaN(releasedAt) ? numberAt(pack.observedAt, row) : releasedAt) / (1000 * DAY_MS));
}

function endOf(sort: ObservationSort, [key, observedAt, hash]: NonNullable<PageOf<ObservationSort>['after']>) {
  const id = BigInt(String(hash));
  return {
    key: key === null || key === undefined ? null : keyOfText(sort, String(key)),
    observedAt: microsOf(String(observedAt)),
    high: Number(id >> 32n),
    low: Number(id & 0xff_ff_ff_ffn),
  };
}

function keyOfText(sort: ObservationSort, text: string): Key {
  if (sort === 'indicator_id') return text;
  if (sort === 'actual') return Number(text);
  return sort === 'observed_at' ? microsOf(text) : dayOf(text);
}

function textOf(sort: ObservationSort, key: string | number): string {
  if (typeof key === 'string' || sort === 'actual') return String(key);
  return sort === 'observed_at' ? instantOf(key) : dayText(key);
}

function rowOf(place: Place, texts: PackTexts): VintageRow {
  const { pack, row } = place;
  const releasedAt = numberAt(pack.releasedAt, row);
  const run = numberAt(pack.run, row);
  const derivedFrom = numberAt(pack.derivedFrom, row);
  const id = hashOf(place);
  return {
    seriesNo: pack.seriesNo,
    period: texts.periods[numberAt(pack.period, row)] ?? '',
    periodEnd: dayText(numberAt(pack.periodEnd, row)),
    value: pack.hasValue[row] === 0 ? null : numberAt(pack.value, row),
    vintage: texts.vintages[numberAt(pack.vintage, row)] ?? '',
    observedAt: instantOf(numberAt(pack.observedAt, row)),
    releasedAt: Number.isNaN(releasedAt) ? null : instantOf(releasedAt),
    retrievedAt: instantOf(numberAt(pack.retrievedAt, row)),
    isRevised: pack.isRevised[row] === 1,
    releaseNo: numberAt(pack.releaseNo, row),
    idHash: Number.isSafeInteger(Number(id)) ? Number(id) : id,
    runId: run === 0 ? null : (texts.runs[run - 1] ?? null),
    derivedFrom: derivedFrom === 0 ? null : [...(texts.derivedFrom[derivedFrom - 1] ?? [])],
  };
}

function hashOf({ pack, row }: Place): bigint {
  return (BigInt(numberAt(pack.hashHigh, row)) << 32n) | BigInt(numberAt(pack.hashLow, row));
}

function numberAt(column: Float64Array | Uint32Array | Int32Array, row: number): number {
  const value = column[row];
  if (value === undefined) throw new RangeError(`the pack has no row ${row}`);
  return value;
}

/** Days since 1970 of `YYYY-MM-DD`. */
function dayOf(text: string): number {
  return Math.round(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / DAY_MS);
}

function instantOf(micros: number): string {
  return instantText(Math.trunc(micros / 1000));
}

/** Microseconds since 1970 of an instant in UTC: ISO 8601, or as the engine writes it, whose fraction may have six digits; a day is its begin. */
function microsOf(text: string): number {
  if (text.length === 10) return dayOf(text) * DAY_MS * 1000;
  const [, seconds = '', fraction = ''] = /^(.{19})(?:\.(\d{1,6}))?(?:Z|\+00)$/.exec(text.replace(' ', 'T')) ?? [];
  const micros = Date.parse(`${seconds}Z`) * 1000 + Number(fraction.padEnd(6, '0'));
  if (Number.isNaN(micros)) throw new RangeError(`${text} is no instant in UTC`);
  return micros;
}

/** An instant as the engine writes it, which cursors hold. */
function engineText(micros: number): string {
  const seconds = Math.floor(micros / 1_000_000);
  const fraction = String(micros - seconds * 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '');
  const text = new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
  return `${text}${fraction === '' ? '' : `.${fraction}`}+00`;
}
