// Discrete events in the order of their times; simultaneous ones in the order in which they were scheduled.
import TinyQueue from 'tinyqueue';

interface Event {
  readonly at: number;
  readonly number: number;
  readonly happen: () => void;
}

export interface Timeline {
  /** Seconds since the beginning. */
  readonly now: () => number;
  /** Returns a function that cancels it. */
  readonly in: (seconds: number, happen: () => void) => () => void;
  /** Runs everything up to a moment; without one, until no event is left. */
  readonly run: (until?: number) => void;
}

export function openTimeline(): Timeline {
  const queue = new TinyQueue<Event>([], (a, b) => a.at - b.at || a.number - b.number);
  const cancelled = new Set<number>();
  let [now, set] = [0, 0];
  return {
    now: () => now,
    in(seconds, happen) {
      if (!(seconds >= 0)) throw new RangeError(`an event cannot be ${seconds} s from now`);
      set += 1;
      const number = set;
      queue.push({ at: now + seconds, number, happen });
      return () => void cancelled.add(number);
    },
    run(until = Number.POSITIVE_INFINITY) {
      for (let next = queue.peek(); next !== undefined && next.at <= until; next = queue.peek()) {
        queue.pop();
        if (cancelled.delete(next.number)) continue;
        now = next.at;
        next.happen();
      }
      if (Number.isFinite(until)) now = until;
    },
  };
}
