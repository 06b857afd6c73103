// Results of earlier nights, by the hash of all their inputs, method and version. A result is a pure
// function of its key, so a derived set is the same with the cache, without it, or with part of it.

import type { KnownPart } from './forecast-inputs.ts';
import type { ForecastTask } from './forecast-task.ts';
import type { Shelf } from './shelf.ts';

export interface ResultCache {
  /**
   * @param name of the computed set, or of a part that is computed at once
   * @param earlier former names of shelves with its results
   */
  readonly open: (name: string, earlier?: readonly string[]) => Promise<Shelf>;
  /** Has all workers compute the results of all shards before their shelves are opened; absent without workers. */
  readonly share?: (shards: AsyncIterable<Shard>) => Promise<void>;
  /** Absent if the forecasts are made in the calling thread. */
  readonly elsewhere?: ForecastsElsewhere;
}

/** Other threads that make forecasts. */
export interface ForecastsElsewhere {
  /** The number of parts made in parallel. */
  readonly most: number;
  /**
   * Resolves with a text for each series, in their order; throws a SeriesError.
   * @param onSeries called after each, with the number of finished ones
   */
  readonly make: (
    shelves: Pick<KnownPart, 'shelf' | 'earlierShelves'>,
    task: ForecastTask,
    onSeries: (made: number) => void,
  ) => Promise<readonly string[]>;
}

/** A part of a set that is computed separately: its results depend only on its input and the code. */
export interface Shard {
  readonly name: string;
  /** The shelf with its results. */
  readonly shelf: string;
  readonly input: Uint8Array;
}

/** Caches nothing. */
export const NO_CACHE: ResultCache = {
  open: () =>
    Promise.resolve({
      get: () => undefined,
      put: () => undefined,
      whole: (_key, _isStill, make) => make(),
      close: () => Promise.resolve(),
    }),
};
