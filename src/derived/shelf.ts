// The results of one computed set, or of a part of it, by their keys.

export interface Shelf {
  /** @param key everything that the result depends on, except the code */
  readonly get: (key: string | Uint8Array) => string | undefined;
  readonly put: (key: string | Uint8Array, result: string) => void;
  /**
   * A result made of others. `make` and the parts that it uses run only if the whole is missing or no longer valid; the parts stay with it.
   * @param isStill true if a found whole is still valid
   */
  readonly whole: (key: string | Uint8Array, isStill: (result: string) => boolean, make: () => string) => string;
  /** Saves the results used or added since the opening; forgets the rest. */
  readonly close: () => Promise<void>;
}
