// Objects under names, somewhere that several machines reach: a bucket, or a folder that they share. What is written there by name stays as it
// is; what changes is replaced on the condition that nobody else has changed it.

export interface StoredObject {
  readonly name: string;
  readonly bytes: number;
  /** Milliseconds since 1970, by the clock of the store. */
  readonly writtenAt: number;
}

export interface ObjectText {
  readonly text: string;
  /** Another one after every change of the object. */
  readonly version: string;
}

/** Every call throws an ObjectStoreError where the store does not answer or refuses. */
export interface ObjectStore {
  /** For messages: without a secret. */
  readonly address: string;
  /** Those whose names begin with a folder, e.g. `files/`. */
  readonly list: (folder: string) => Promise<readonly StoredObject[]>;
  /**
   * Null where there is none.
   * @param known the version that the caller has: `unchanged` where it still is that
   */
  readonly read: {
    (name: string): Promise<ObjectText | null>;
    (name: string, known: string | null): Promise<ObjectText | 'unchanged' | null>;
  };
  /** Writes the object into a new file. Resolves with the SHA-256 of what came, in hexadecimal digits; null where there is none. */
  readonly download: (name: string, path: string) => Promise<string | null>;
  /** Writes a file unless there is an object of that name: then false. It is seen whole or not at all. */
  readonly upload: (name: string, path: string, sha256: string) => Promise<boolean>;
  /** Replaces a text on condition. False where it is no longer of that version, which is null for one that is not there. */
  readonly commit: (name: string, text: string, version: string | null) => Promise<boolean>;
  readonly remove: (names: readonly string[]) => Promise<void>;
  /** Takes away what uploads that were cut off have left behind, where they began before that moment. */
  readonly sweep: (before: number) => Promise<void>;
  readonly close: () => void;
}

/** The store does not answer, or refuses; the message names it and the remedy. */
export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreError';
}

/** @param url `s3://bucket/prefix` or `file:///folder` */
export async function openObjects(url: string): Promise<ObjectStore> {
  const { protocol } = new URL(url);
  if (protocol === 'file:') return (await import('./folder.ts')).openFolder(url);
  // Only where there is a bucket: reading the client takes longer than the rest of a start.
  return (await import('./s3.ts')).openBucket(url);
}
