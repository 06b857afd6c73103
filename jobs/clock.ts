// A clock that is ahead for one night makes that night's values the newest until the calendar has caught up with them.
import type { RawArchive } from '../src/archive/raw-archive.ts';
import type { Lake } from '../src/lake/lake.ts';
import type { Source } from '../src/sources/source.ts';
import { KnownError } from '../src/known-error.ts';

export async function refuseFutureArchive(sources: readonly Source[], archive: RawArchive, now: number): Promise<void> {
  const collections = await Promise.all(sources.map((source) => archive.lastCollection(source.id)));
  refuse('The raw archive was last written at', newest(collections.map((one) => one?.retrievedAt ?? null)), now);
}

export async function refuseFutureLake(lake: Lake, now: number): Promise<void> {
  const result = await lake.connection.runAndReadAll(`
    select strftime(max(instant) at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ')
    from (
      select greatest(collected_at, finished_at) as instant from ${lake.paths.rows('attempts')}
      union all
      select greatest(retrieved_at, finished_at) from ${lake.paths.rows('ingestions')}
    )`);
  const at = result.getRows()[0]?.[0] ?? null;
  refuse('The lake was last written at', at === null ? null : String(at), now);
}

function newest(instants: readonly (string | null)[]): string | null {
  return (
    instants
      .filter((instant) => instant !== null)
      .toSorted()
      .at(-1) ?? null
  );
}

function refuse(what: string, at: string | null, now: number): void {
  if (at === null || Date.parse(at) <= now) return;
  const clock = new Date(now).toISOString();
  throw new KnownError(
    `${what} ${at}, but the clock shows ${clock}, so nothing is written. If the clock is behind, set it right. If it was ahead when that was written, ` +
      `restore lake/ and raw/ in DATA_DIR from an earlier backup. Or remove lake/, raw/collections/ and every description in raw/payloads/ whose retrievedAt is after ${clock}. ` +
      'Then run npm run nightly, which reads the archive again.',
  );
}
