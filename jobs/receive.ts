// What came in → the raw archive: one way for files of a folder and answers of publishers.
import type { RawArchive, ReceivedPayload, StoredPayload } from '../src/archive/raw-archive.ts';
import { mediaTypeOf, type Source } from '../src/sources/source.ts';

export interface Arrival {
  readonly key: string;
  readonly body: Uint8Array;
  readonly retrievedAt: string;
  /** Where it was asked for, without secrets; null for a file of a folder. */
  readonly url: string | null;
  readonly httpStatus: number | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export function receive(
  source: Source,
  archive: RawArchive,
  { key, body, retrievedAt, url, httpStatus, etag, lastModified }: Arrival,
): Promise<{ readonly payload: StoredPayload; readonly isNew: boolean }> {
  const received: ReceivedPayload = {
    sourceId: source.id,
    key,
    body,
    mediaType: mediaTypeOf(source, key),
    address: url ?? addressOf(source, key),
    retrievedAt,
    httpStatus,
    etag,
    lastModified,
  };
  return archive.store(received);
}

function addressOf(source: Source, path: string): string | null {
  try {
    return source.address(path);
  } catch {
    return null; // a name that says nothing: normalising the payload will say what is wrong with it
  }
}
