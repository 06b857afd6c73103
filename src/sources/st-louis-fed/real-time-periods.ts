// The real-time periods of one series, as numbers: a file may have a million of them.
import { addDays } from '../../model/period.ts';
import { UpstreamError } from '../upstream-error.ts';

/** One value for one observation date (the day by which FRED labels a period), in force from that day on. */
export interface Reading {
  readonly date: string;
  readonly value: number | null;
  /** null: the file states no time, so it is known only from its retrieval. */
  readonly heldFrom: string | null;
  /** It may have been in force earlier, before the start of the file. */
  readonly isHeldBefore?: boolean;
}

interface RealTimePeriod {
  readonly date: string;
  readonly heldFrom: string;
  /** The last day. */
  readonly heldTo: string;
  readonly value: number | null;
}

export interface RealTimePeriods {
  readonly add: (period: RealTimePeriod) => void;
  /** In the order of their first period. */
  readonly dates: () => readonly string[];
  /** The newest day of an end: that of the window, at which every period still in force ends. '' without a period. */
  readonly newest: () => string;
  /**
   * A reading for each period, in their order, then one without a value for each withdrawal: it has no period of its own, one ends and no
   * other begins on the next day. Throws an UpstreamError if two periods of a date overlap.
   * @param end the newest day of the window
   * @param isComplete if the last period of a date is here
   */
  readonly readings: (end: string, isComplete: (date: string) => boolean) => Generator<Reading>;
}

const FIRST_ROOM = 1024;

export function realTimePeriods(sourceId: string): RealTimePeriods {
  const days = numbered();
  const dates = numbered();
  /** Of each date the numbers of its periods. */
  const ofDate: number[][] = [];
  let length = 0;
  /** Three numbers of a period: of its date, of its first and of its last day. */
  let places = new Uint32Array(3 * FIRST_ROOM);
  let values = new Float64Array(FIRST_ROOM);

  const fromOf = (index: number) => days.text(places[3 * index + 1]);
  const toOf = (index: number) => days.text(places[3 * index + 2]);
  const valueOf = (index: number) => {
    const value = values[index] ?? Number.NaN;
    return Number.isNaN(value) ? null : value;
  };
  const grow = () => {
    const [morePlaces, moreValues] = [new Uint32Array(2 * places.length), new Float64Array(2 * values.length)];
    morePlaces.set(places);
    moreValues.set(values);
    [places, values] = [morePlaces, moreValues];
  };

  function* withdrawals(end: string, isComplete: (date: string) => boolean): Generator<Reading> {
    const isCovered = coverOf(length, fromOf, toOf);
    for (const [place, indexes] of ofDate.entries()) {
      const date = dates.text(place);
      const ordered = indexes.toSorted((a, b) => (fromOf(a) < fromOf(b) ? -1 : 1));
      for (const [nth, index] of ordered.entries()) {
        const [from, to] = [fromOf(index), toOf(index)];
        const following = ordered[nth + 1];
        const next = following === undefined ? undefined : fromOf(following);
        if (from > to || (next !== undefined && next <= to))
          throw new UpstreamError(sourceId, `the real-time periods of ${date} overlap: ${from} to ${to}, then ${next}`);
        if (to >= end || valueOf(index) === null || (next === undefined && !isComplete(date))) continue;
        const dayAfter = addDays(to, 1);
        // Vintages requested one by one leave days between them without a value: that is no withdrawal.
        if (next !== dayAfter && isCovered(dayAfter)) yield { date, value: null, heldFrom: dayAfter };
      }
    }
  }

  return {
    add({ date, heldFrom, heldTo, value }) {
      if (length === values.length) grow();
      const place = dates.of(date);
      (ofDate[place] ??= []).push(length);
      places[3 * length] = place;
      places[3 * length + 1] = days.of(heldFrom);
      places[3 * length + 2] = days.of(heldTo);
      values[length] = value ?? Number.NaN;
      length += 1;
    },
    dates: () => dates.texts,
    newest() {
      let newest = '';
      for (let index = 0; index < length; index += 1) if (toOf(index) > newest) newest = toOf(index);
      return newest;
    },
    *readings(end, isComplete) {
      // First, because an overlap refuses them all.
      const withdrawn = [...withdrawals(end, isComplete)];
      for (let index = 0; index < length; index += 1)
        yield { date: dates.text(places[3 * index]), value: valueOf(index), heldFrom: fromOf(index) };
      yield* withdrawn;
    },
  };
}

interface Numbered {
  readonly texts: readonly string[];
  readonly of: (text: string) => number;
  readonly text: (number: number | undefined) => string;
}

/** Different texts, numbered as they come. */
function numbered(): Numbered {
  const numbers = new Map<string, number>();
  const texts: string[] = [];
  return {
    texts,
    of(text) {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      // A cell is a slice of its whole file, and would keep it.
      const own = Buffer.from(text).toString();
      numbers.set(own, texts.length);
      return texts.push(own) - 1;
    },
    text: (number) => texts[number ?? -1] ?? '',
  };
}

/** Whether a day lies in one of the periods. */
function coverOf(length: number, fromOf: (index: number) => string, toOf: (index: number) => string): (day: string) => boolean {
  const lastOf = new Map<string, string>();
  for (let index = 0; index < length; index += 1) {
    const [from, to] = [fromOf(index), toOf(index)];
    if (to > (lastOf.get(from) ?? '')) lastOf.set(from, to);
  }
  const starts = [...lastOf.keys()].sort();
  /** The last day covered by the periods that begin by each start. */
  const reach: string[] = [];
  for (const [place, start] of starts.entries()) {
    const [before = '', own = ''] = [reach[place - 1], lastOf.get(start)];
    reach.push(own > before ? own : before);
  }
  return (day) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? '') <= day) low = middle + 1;
      else high = middle;
    }
    return low > 0 && (reach[low - 1] ?? '') >= day;
  };
}
