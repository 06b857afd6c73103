// Makes rows, their order and the keys of the next page from typed columns in memory. test/queries/reads.test.ts compares them with the
// answers of sql/queries/observations.
import { dayOf, dayText, instantOf, microsOf } from '../../db/instant.ts';
import { heldRows } from '../../db/query.ts';
import { mapInTurns } from '../../db/turns.ts';
import type { Series } from '../../model/catalogue.ts';
import { numberAt, type PackTexts, type Place, type Prints } from '../../model/pack.ts';
import type { PageOf } from '../paging.ts';
import type { ObservationSort } from './order.ts';
import type { ReadPage, VintageRow } from './rows.ts';

const DAY_MS = 86_400_000;

/** Facts of the catalogue by series number: the identifier for the sort, and the frequency for the previous period. */
export type SeriesAt = (seriesNo: number) => Pick<Series, 'indicatorId' | 'frequency'>;

/** A few milliseconds of work: the largest JSON page is one turn. */
export const ROWS_A_TURN = 500;

/** The found places up to the limit as rows. One place more says that a row follows. */
export async function pageOf<Columns extends Prints, Row>(
  found: readonly Place<Columns>[],
  limit: number,
  order: PlaceOrder<Columns>,
  rowAt: (place: Place<Columns>) => Row,
): Promise<ReadPage<Row>> {
  const kept = found.slice(0, limit);
  const last = kept.at(-1);
  const rows = await mapInTurns(kept, (part) => part.map(rowAt), ROWS_A_TURN);
  return { rows: heldRows(rows), nextKey: found.length > limit && last !== undefined ? order.keysOf(last) : null };
}

type Key = string | number | null;

export interface PlaceOrder<Columns extends Prints> {
  readonly compare: (one: Place<Columns>, other: Place<Columns>) => number;
  /** True after the last row of the previous page. */
  readonly isBeyond: (place: Place<Columns>) => boolean;
  /** The place of that row in the order by period. Null in another order, and on the first page. */
  readonly end: { readonly periodEnd: number; readonly observedAt: number } | null;
  readonly keysOf: (place: Place<Columns>) => (string | null)[];
}

export function orderOf<Columns extends Prints>(
  { sort, order, after }: PageOf<ObservationSort>,
  seriesAt: SeriesAt,
  seriesNoOf: (place: Place<Columns>) => number,
): PlaceOrder<Columns> {
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

/** @param knownTo microseconds; Infinity for rows in force, such as newest prints */
export function rowOf(place: Place, seriesNo: number, texts: PackTexts, knownTo: number): VintageRow {
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
