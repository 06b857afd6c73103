// What was computed on an earlier night, by the hash of everything that it was computed from: method, version and inputs. A result is a pure
// function of its key, so a derived set is the same with the cache, without it, or with a part of it.

export interface ResultCache {
  /** @param name of the computed set, or of a part of it that is computed at one go */
  readonly open: (name: string) => Promise<Shelf>;
}

export interface Shelf {
  /** @param key whatever the result depends on, beside the code */
  readonly get: (key: string | Uint8Array) => string | undefined;
  readonly put: (key: string | Uint8Array, result: string) => void;
  /** Keeps what was asked for or put since the opening; the rest is forgotten. */
  readonly close: () => Promise<void>;
}

/** Remembers nothing. */
export const NO_CACHE: ResultCache = {
  open: () => Promise.resolve({ get: () => undefined, put: () => undefined, close: () => Promise.resolve() }),
};
