// The archived files of a source, for its plan and for conditional requests.
import type { RawArchive, StoredPayload } from '../src/archive/raw-archive.ts';
import { refuseDisk } from '../src/disk/disk-error.ts';
import type { KnownAnswer, Outcome } from '../src/fetch/fetcher.ts';
import { type LastAnswer, lastAnswers, releaseKey } from '../src/lake/fetches.ts';
import type { Lake } from '../src/lake/lake.ts';
import type { Feed, Held } from '../src/sources/feeds/feed.ts';
import type { Source } from '../src/sources/source.ts';

/** The newest content of each key, from the archive and confirmed by the ledger. */
export interface Known {
  readonly payload: StoredPayload;
  readonly answer: LastAnswer | null;
}

export async function readKnown(source: Source, feed: Feed, archive: RawArchive, lake: Lake): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  for (const id of [source.id, ...(feed.alsoFor ?? [])]) {
    const answers = await lastAnswers(lake, id);
    for (const payload of await archive.list(id)) known.set(payload.key, { payload, answer: answers.get(payload.key) ?? null });
  }
  return known;
}

export function heldBy(known: ReadonlyMap<string, Known>, asked: ReadonlyMap<string, string>, releases: ReadonlyMap<string, string>): Held {
  return {
    lastRelease: (calendar, release) => releases.get(releaseKey(calendar, release)) ?? null,
    askedAt: (key) => asked.get(key) ?? null,
    keys: (prefix) => [...known.keys()].filter((key) => key.startsWith(prefix)).toSorted(),
    newest: (key) => {
      const one = known.get(key);
      if (one === undefined) return null;
      const { retrievedAt } = one.payload;
      const checkedAt = one.answer?.checkedAt ?? retrievedAt;
      return { retrievedAt, checkedAt: checkedAt > retrievedAt ? checkedAt : retrievedAt };
    },
  };
}

/** Content that the publisher may be asked to confirm: the newest in the archive, if the ledger has its validators. */
export function validatorsOf(known: Known | null): KnownAnswer | null {
  if (known === null) return null;
  const { payload, answer } = known;
  const isOfContent = answer !== null && answer.sha256 === payload.sha256;
  return { bytes: payload.bytes, etag: isOfContent ? answer.etag : null, lastModified: isOfContent ? answer.lastModified : null };
}

export async function readBack(archive: RawArchive, payload: StoredPayload): Promise<Uint8Array | null> {
  try {
    return await archive.read(payload);
  } catch (error) {
    refuseDisk(error);
    return null;
  }
}

/** A confirmation may omit details of the answer that it confirms. */
export function validatorsAfter({ received }: Outcome, confirmed: LastAnswer | null): Pick<LastAnswer, 'etag' | 'lastModified'> {
  return {
    etag: received?.etag ?? confirmed?.etag ?? null,
    lastModified: received?.lastModified ?? confirmed?.lastModified ?? null,
  };
}
