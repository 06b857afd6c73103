// The ledger of requests: a row for each, with its end.
import type { Outcome } from '../../src/fetch/fetcher.ts';
import type { Lake } from '../../src/lake/lake.ts';
import { type Row, rowsOf } from '../../src/lake/rows.ts';
import type { Request } from '../../src/sources/feeds/feed.ts';
import type { PublisherId } from '../../src/sources/publishers.ts';

/** A row, and the source that owns its key. */
export interface Entry {
  readonly owner: string;
  readonly row: Row;
}

export type EntryKind = 'new' | 'same' | 'absent' | 'failed';

export interface EntryContent {
  readonly sha256: string;
  readonly bytes: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

export function entryOf(
  owner: string,
  publisher: PublisherId,
  { key, url }: Request,
  outcome: Outcome,
  kind: EntryKind,
  content: EntryContent | null,
  error: string | null,
): Entry {
  const row: Row = {
    finished_at: new Date(outcome.finishedAt).toISOString(),
    publisher,
    key,
    url,
    kind,
    status: outcome.status,
    sha256: content?.sha256 ?? null,
    bytes: content?.bytes ?? null,
    milliseconds: outcome.finishedAt - outcome.startedAt,
    attempts: outcome.attempts,
    etag: content?.etag ?? null,
    last_modified: content?.lastModified ?? null,
    moved_to: outcome.movedTo,
    error,
  };
  return { owner, row };
}

export async function commitEntries(lake: Lake, entries: readonly Entry[], at: string): Promise<void> {
  for (const owner of new Set(entries.map((entry) => entry.owner))) {
    const rows = entries.filter((entry) => entry.owner === owner).map(({ row }) => row);
    await lake.commit(owner, at, [rowsOf('fetches', rows)]);
  }
}
