// Received files → the raw archive: the same way for files of a folder and answers of publishers.
import type { RawArchive, ReceivedPayload, StoredPayload } from '../src/archive/raw-archive.ts';
import { membersOf } from '../src/sources/readers/zip.ts';
import { mediaTypeOf, type Source } from '../src/sources/source.ts';

export interface Arrival {
  readonly key: string;
  readonly body: Uint8Array;
  readonly retrievedAt: string;
  /** The requested address, without secrets; null for a file of a folder. */
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

/** Vintages of FRED-MD of ten years and more. */
const MOST_MEMBERS = 1000;

/**
 * The members of a zip that a source reads one by one, each as if it had come alone. Returns the number of new ones.
 * @param isHeld true if a key is archived already and nothing else came under it since
 */
export async function receiveMembers(source: Source, archive: RawArchive, zip: Arrival, isHeld: (key: string) => boolean): Promise<number> {
  const keyOf = source.container?.(zip.key);
  let added = 0;
  for (const member of await membersOf(source.id, zip.body, undefined, MOST_MEMBERS)) {
    const key = keyOf?.(member.name) ?? null;
    if (key === null || isHeld(key)) continue;
    const { isNew } = await receive(source, archive, { ...zip, key, body: await member.read() });
    added += Number(isNew);
  }
  return added;
}

function addressOf(source: Source, path: string): string | null {
  try {
    return source.address(path);
  } catch {
    return null; // An unknown name: normalising the payload will report the fault.
  }
}
