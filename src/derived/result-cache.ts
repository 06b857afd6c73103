// What was computed on an earlier night, by the hash of everything that it was computed from: method, version and inputs. A result is a pure
// function of its key, so a derived set is the same with the cache, without it, or with a part of it.

import type { KnownPart } from './forecast-inputs.ts';
import type { ForecastTask } from './forecast-task.ts';

export interface ResultCache {
  /**
   * @param name of the computed set, or of a part of it that is computed at one go
   * @param earlier names under which its results may stand from before
   */
  readonly open: (name: string, earlier?: readonly string[]) => Promise<Shelf>;
  /** Has the results of all shards made, by whoever takes part, before the shelves are opened that they belong on; absent where nobody does. */
  readonly share?: (shards: AsyncIterable<Shard>) => Promise<void>;
  /** Absent where the forecasts are made in the thread that asks for them. */
  readonly elsewhere?: ForecastsElsewhere;
}

/** Other threads that make forecasts. */
export interface ForecastsElsewhere {
  /** Parts that are made side by side. */
  readonly most: number;
  /**
   * Resolves with a text for each series, in their order; throws a SeriesError.
   * @param onSeries called after each, with how many there are
   */
  readonly make: (
    shelves: Pick<KnownPart, 'shelf' | 'earlierShelves'>,
    task: ForecastTask,
    onSeries: (made: number) => void,
  ) => Promise<readonly string[]>;
}

/** What of a set is computed by itself: its results are a function of its input and the code. */
export interface Shard {
  readonly name: string;
  /** Of the shelf on which its results are looked for. */
  readonly shelf: string;
  readonly input: Uint8Array;
}

export interface Shelf {
  /** @param key whatever the result depends on, beside the code */
  readonly get: (key: string | Uint8Array) => string | undefined;
  readonly put: (key: string | Uint8Array, result: string) => void;
  /**
   * A result that is made of others: what `make` asks for and puts is looked at only where the whole is not found or holds no longer, and stays with it.
   * @param isStill whether a whole that was found holds still
   */
  readonly whole: (key: string | Uint8Array, isStill: (result: string) => boolean, make: () => string) => string;
  /** Keeps what was asked for or put since the opening; the rest is forgotten. */
  readonly close: () => Promise<void>;
}

/** Remembers nothing. */
export const NO_CACHE: ResultCache = {
  open: () =>
    Promise.resolve({
      get: () => undefined,
      put: () => undefined,
      whole: (_key, _isStill, make) => make(),
      close: () => Promise.resolve(),
    }),
};
