// Reads vintages from packs, which hold all vintages of a series in columns. list.sql and latest.sql return the same rows, order and keys.
import { dayOf, microsOf } from '../../db/instant.ts';
import { heldRows } from '../../db/query.ts';
import { nextTurn } from '../../db/turns.ts';
import type { Pack, PackTexts } from '../../model/pack.ts';
import { calendarPlace } from '../../model/period.ts';
import { orderOf, pageOf, rowOf, ROWS_A_TURN, type SeriesAt } from './columns.ts';
import { firstInOrder, firstMerged, firstSelected, type IsLeft, numberAt, type Place } from './places.ts';
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
  return pageOf(found, page.limit, order, (place) => ({
    ...packRow(place, texts),
    ...beforeOf(place, seriesAt(place.pack.seriesNo), firstDay),
  }));
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
