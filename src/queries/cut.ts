// Cuts pages from columns in memory. The result equals the statements of sql/queries/observations: the same rows, order, keys and types.
// test/queries/cut.long.test.ts compares both.
import { LRUCache } from 'lru-cache';
import { dayOf, dayText, instantOf, microsOf } from '../db/instant.ts';
import type { Series } from '../model/catalogue.ts';
import type { NewestPrints, Pack, PackTexts, Prints } from '../model/pack.ts';
import { calendarPlace } from '../model/period.ts';
import type { LatestVintageRow, VintageFilters, VintageRow } from './observations.ts';
import type { ObservationSort } from './observations/order.ts';
import type { FoundPage, PageOf } from './paging.ts';
import { firstInOrder, firstMerged, firstSelected, type IsLeft, numberAt, type Place } from './places.ts';

const DAY_MS = 86_400_000;

/** Facts of the catalogue by series number: the identifier for the sort, and the frequency for the previous period. */
export type SeriesAt = (seriesNo: number) => Pick<Series, 'indicatorId' | 'frequency'>;

/** Same as list.sql. */
export function cutVintages(
  packs: readonly Pack[],
  texts: PackTexts,
  filters: VintageFilters,
  page: PageOf<ObservationSort>,
  seriesAt: SeriesAt,
): FoundPage<VintageRow> {
  const order = orderOf<Pack>(page, seriesAt, ({ pack }) => pack.seriesNo);
  const isLeft = filterOf(filters);
  const wanted = page.limit + 1;
  const isFound: IsLeft = page.after === null ? isLeft : (pack, row) => isLeft(pack, row) && order.isBeyond({ pack, row });
  const found =
    page.sort === 'period_end'
      ? firstMerged(packs, page.order, order.end, wanted, isFound, order.compare)
      : firstSelected(packs, page.order, wanted, isFound, order.compare);
  return pageOf(found, page, order, (place) => packRow(place, texts));
}

/**
 * Same as latest.sql: the newest period with a value of each series, with the period before it.
 * @param historyFrom first day of a previous period that may be shown
 */
export function cutLatest(
  packs: readonly Pack[],
  texts: PackTexts,
  filters: VintageFilters,
  page: PageOf<ObservationSort>,
  historyFrom: string | null,
  seriesAt: SeriesAt,
): FoundPage<LatestVintageRow> {
  const order = orderOf<Pack>(page, seriesAt, ({ pack }) => pack.seriesNo);
  const isLeft = filterOf({ ...filters, numericOnly: true });
  const firstDay = historyFrom === null ? Number.NEGATIVE_INFINITY : dayOf(historyFrom);
  const found = packs
    .flatMap((pack) => firstInOrder(pack, 'desc', 1, isLeft))
    .filter(order.isBeyond)
    .sort(order.compare)
    .slice(0, page.limit + 1);
  return pageOf(found, page, order, (place) => ({
    ...packRow(place, texts),
    ...beforeOf(place, seriesAt(place.pack.seriesNo), firstDay),
  }));
}

/** Same as newest.sql: the newest prints of the given series, as published. */
export function cutNewest(
  newest: NewestPrints,
  seriesNos: readonly number[],
  periodFrom: string | null,
  page: PageOf<ObservationSort>,
  historyFrom: string | null,
  seriesAt: SeriesAt,
): FoundPage<LatestVintageRow> {
  const seriesNoOf = ({ pack, row }: Place<NewestPrints>) => numberAt(pack.seriesNo, row);
  const order = orderOf(page, seriesAt, seriesNoOf);
  const firstDay = periodFrom === null ? Number.NEGATIVE_INFINITY : dayOf(periodFrom);
  const firstDayBefore = historyFrom === null ? Number.NEGATIVE_INFINITY : dayOf(historyFrom);
  const found: Place<NewestPrints>[] = [];
  for (const seriesNo of seriesNos) {
    const row = newest.rowOf.get(seriesNo);
    if (row === undefined || numberAt(newest.periodEnd, row) < firstDay) continue;
    const place = { pack: newest, row };
    if (order.isBeyond(place)) found.push(place);
  }
  found.sort(order.compare);
  const kept = keptRowsOf(newest);
  const rowAt = (place: Place<NewestPrints>): LatestVintageRow => {
    const row = kept.get(place.row) ?? keepRow(kept, place, seriesNoOf(place));
    // NaN means no previous period; the comparison is false then, so nothing is hidden.
    const isHidden = numberAt(newest.previousPeriodEnd, place.row) < firstDayBefore;
    return isHidden ? { ...row, previous: null, revisedPrevious: null } : row;
  };
  return pageOf(found, page, order, rowAt);
}

/** All rows, in the order of the series. */
export function newestRows(
  newest: NewestPrints,
  series: readonly { readonly seriesNo: number }[],
  periodFrom: string | null,
): readonly LatestVintageRow[] {
  const kept = keptRowsOf(newest);
  const firstDay = periodFrom === null ? Number.NEGATIVE_INFINITY : dayOf(periodFrom);
  const rows: LatestVintageRow[] = [];
  for (const { seriesNo } of series) {
    const row = newest.rowOf.get(seriesNo);
    if (row === undefined || numberAt(newest.periodEnd, row) < firstDay) continue;
    rows.push(kept.get(row) ?? keepRow(kept, { pack: newest, row }, seriesNo));
  }
  return rows;
}

function keepRow(kept: LRUCache<number, LatestVintageRow>, place: Place<NewestPrints>, seriesNo: number): LatestVintageRow {
  const row = newestRow(place, seriesNo);
  allKept.add(row);
  kept.set(place.row, row);
  return row;
}

function newestRow(place: Place<NewestPrints>, seriesNo: number): LatestVintageRow {
  const { pack, row } = place;
  const before = (column: Float64Array) => orNull(numberAt(column, row));
  return {
    ...rowOf(place, seriesNo, pack.texts, Number.POSITIVE_INFINITY),
    previous: before(pack.previous),
    revisedPrevious: before(pack.revisedPrevious),
  };
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

function pageOf<Columns extends Prints, Row>(
  found: readonly Place<Columns>[],
  { limit }: { readonly limit: number },
  order: Order<Columns>,
  rowAt: (place: Place<Columns>) => Row,
): FoundPage<Row> {
  const kept = found.slice(0, limit);
  const last = kept.at(-1);
  return { rows: kept.map(rowAt), nextKey: found.length > limit && last !== undefined ? order.keysOf(last) : null };
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

type Key = string | number | null;

interface Order<Columns extends Prints> {
  readonly compare: (one: Place<Columns>, other: Place<Columns>) => number;
  /** True after the last row of the previous page. */
  readonly isBeyond: (place: Place<Columns>) => boolean;
  /** The place of that row in the order by period. Null in another order, and on the first page. */
  readonly end: { readonly periodEnd: number; readonly observedAt: number } | null;
  readonly keysOf: (place: Place<Columns>) => (string | null)[];
}

function orderOf<Columns extends Prints>(
  { sort, order, after }: PageOf<ObservationSort>,
  seriesAt: SeriesAt,
  seriesNoOf: (place: Place<Columns>) => number,
): Order<Columns> {
  const sign = order === 'asc' ? 1 : -1;
  const keyOf: (place: Place<Columns>) => Key = sort === 'indicator_id' ? (place) => seriesAt(seriesNoOf(place)).indicatorId : KEYS[sort];
  const compareKeys = (one: Key, other: Key) => {
    if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
    return sign * (one < other ? -1 : one > other ? 1 : 0);
  };
  const compareTo = (place: Place<Columns>, key: Key, observedAt: number, high: number, low: number) =>
    compareKeys(keyOf(place), key) ||
    sign * (numberAt(place.pack.observedAt, place.row) - observedAt) ||
    numberAt(place.pack.hashHigh, place.row) - high ||
    numberAt(place.pack.hashLow, place.row) - low;
  const end = after === null ? null : endOf(sort, after);
  return {
    compare: (one, other) =>
      compareTo(
        one,
        keyOf(other),
        numberAt(other.pack.observedAt, other.row),
        numberAt(other.pack.hashHigh, other.row),
        numberAt(other.pack.hashLow, other.row),
      ),
    isBeyond: (place) => end === null || compareTo(place, end.key, end.observedAt, end.high, end.low) > 0,
    end: sort === 'period_end' && typeof end?.key === 'number' ? { periodEnd: end.key, observedAt: end.observedAt } : null,
    keysOf: (place) => {
      const key = keyOf(place);
      return [key === null ? null : textOf(sort, key), engineText(numberAt(place.pack.observedAt, place.row)), String(hashOf(place))];
    },
  };
}

const KEYS: Readonly<Record<Exclude<ObservationSort, 'indicator_id'>, (place: Place) => number | null>> = {
  period_end: ({ pack, row }) => numberAt(pack.periodEnd, row),
  observed_at: ({ pack, row }) => numberAt(pack.observedAt, row),
  release_date: releaseDay,
  actual: ({ pack, row }) => (pack.hasValue[row] === 0 ? null : numberAt(pack.value, row)),
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

function packRow(place: Place<Pack>, texts: PackTexts): VintageRow {
  return rowOf(place, place.pack.seriesNo, texts, numberAt(place.pack.knownTo, place.row));
}

/** @param knownTo microseconds; Infinity for rows in force, such as newest prints */
function rowOf(place: Place, seriesNo: number, texts: PackTexts, knownTo: number): VintageRow {
  const { pack, row } = place;
  const releasedAt = numberAt(pack.releasedAt, row);
  const run = numberAt(pack.run, row);
  const derivedFrom = numberAt(pack.derivedFrom, row);
  const status = pack.obsStatus[row] ?? 0;
  const id = hashOf(place);
  return {
    seriesNo,
    period: texts.periods[numberAt(pack.period, row)] ?? '',
    periodEnd: dayText(numberAt(pack.periodEnd, row)),
    value: pack.hasValue[row] === 0 ? null : numberAt(pack.value, row),
    vintage: texts.vintages[numberAt(pack.vintage, row)] ?? '',
    observedAt: instantOf(numberAt(pack.observedAt, row)),
    knownTo: knownTo === Number.POSITIVE_INFINITY ? null : instantOf(knownTo),
    releasedAt: Number.isNaN(releasedAt) ? null : instantOf(releasedAt),
    retrievedAt: instantOf(numberAt(pack.retrievedAt, row)),
    isRevised: pack.isRevised[row] === 1,
    isBackfill: pack.isBackfill[row] === 1,
    obsStatus: status === 0 ? null : String.fromCharCode(status),
    releaseNo: numberAt(pack.releaseNo, row),
    idHash: Number.isSafeInteger(Number(id)) ? Number(id) : id,
    sourceRunId: run === 0 ? null : (texts.runs[run - 1] ?? null),
    derivedFrom: derivedFrom === 0 ? null : [...(texts.derivedFrom[derivedFrom - 1] ?? [])],
  };
}

function hashOf({ pack, row }: Place): bigint {
  return (BigInt(numberAt(pack.hashHigh, row)) << 32n) | BigInt(numberAt(pack.hashLow, row));
}

/** An instant in the engine's format, which cursors contain. */
function engineText(micros: number): string {
  const seconds = Math.floor(micros / 1_000_000);
  const fraction = String(micros - seconds * 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '');
  const text = new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
  return `${text}${fraction === '' ? '' : `.${fraction}`}+00`;
}
