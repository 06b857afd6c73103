// Named objects in a place that several machines reach: a bucket or a shared folder. Named objects never change;
// a changing text is replaced only if nobody else has changed it.

export interface StoredObject {
  readonly name: string;
  readonly bytes: number;
  /** Milliseconds since 1970, by the clock of the store. */
  readonly writtenAt: number;
}

export interface ObjectText {
  readonly text: string;
  /** Different after every change of the object. */
  readonly version: string;
}

/** Every call throws a KnownError if the store does not answer or refuses. */
export interface ObjectStore {
  /** For messages, without secrets. */
  readonly address: string;
  /** Objects whose names begin with a folder, e.g. `files/`. */
  readonly list: (folder: string) => Promise<readonly StoredObject[]>;
  /**
   * Null if it is missing.
   * @param known the caller's version: `unchanged` if it is still current
   */
  readonly read: {
    (name: string): Promise<ObjectText | null>;
    (name: string, known: string | null): Promise<ObjectText | 'unchanged' | null>;
  };
  /** Downloads the object into a new file and returns its SHA-256 in hexadecimal digits; null if it is missing. */
  readonly download: (name: string, path: string) => Promise<string | null>;
  /** Uploads a file; false if an object of that name exists. Readers see all of it or nothing. */
  readonly upload: (name: string, path: string, sha256: string) => Promise<boolean>;
  /** Replaces a text of the given version, null for a missing one; false if its version differs. */
  readonly commit: (name: string, text: string, version: string | null) => Promise<boolean>;
  readonly remove: (names: readonly string[]) => Promise<void>;
  /** Removes the remains of uploads that were interrupted and began before that moment. */
  readonly sweep: (before: number) => Promise<void>;
  readonly close: () => void;
}
