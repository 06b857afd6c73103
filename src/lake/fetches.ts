// The ledger of requests: the last answers, and the used share of each publisher's budgets.
import { quote } from '../db/connect.ts';
import type { Lake } from './lake.ts';

export interface LastAnswer {
  /** Describes the newest content that was received or confirmed. */
  readonly sha256: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly checkedAt: string;
}

/**
 * When each key of a source was last requested and received, confirmed or refused (404, 403, a page). Temporary failures (no connection, 429, 5xx,
 * an incomplete answer in parts) do not count.
 */
export async function lastAsked(lake: Lake, sourceId: string): Promise<ReadonlyMap<string, string>> {
  const result = await lake.connection.runAndReadAll(`
    select key, strftime(max(finished_at) at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ')
    from ${lake.paths.rows('fetches')}
    where source_id = ${quote(sourceId)}
      and (
        kind <> 'failed'
        or (status between 200 and 499 and status not in (408, 425, 429) and not starts_with(coalesce(error, ''), ${quote(NOT_ARCHIVED)}))
      )
    group by key`);
  return new Map(result.getRows().map(([key, at]) => [String(key), String(at)]));
}

/** The ledger's note on a valid answer that was not stored. */
export const NOT_ARCHIVED = 'not archived, since';

/** The ledger's note on a valid answer without rows. */
export const WITHOUT_ROWS = `${NOT_ARCHIVED} it has no rows`;

/** Keys of a source whose last answer had no rows. An answer that was not out yet does not count. */
export async function lastWithoutRows(lake: Lake, sourceId: string): Promise<ReadonlySet<string>> {
  const result = await lake.connection.runAndReadAll(`
    select key
    from ${lake.paths.rows('fetches')}
    where source_id = ${quote(sourceId)} and (kind <> 'absent' or error is not null)
    group by key
    having starts_with(arg_max_null(error, finished_at), ${quote(WITHOUT_ROWS)})`);
  return new Set(result.getRows().map(([key]) => String(key)));
}

/** By key, for the keys of one source. */
export async function lastAnswers(lake: Lake, sourceId: string): Promise<ReadonlyMap<string, LastAnswer>> {
  const result = await lake.connection.runAndReadAll(`
    select
      key,
      arg_max(sha256, finished_at),
      arg_max_null(etag, finished_at),
      arg_max_null(last_modified, finished_at),
      strftime(max(finished_at) at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ')
    from ${lake.paths.rows('fetches')}
    where source_id = ${quote(sourceId)} and kind in ('new', 'same') and sha256 is not null
    group by key`);
  return new Map(
    result
      .getRows()
      .map(([key, sha256, etag, lastModified, checkedAt]) => [
        String(key),
        { sha256: String(sha256), etag: textOrNull(etag), lastModified: textOrNull(lastModified), checkedAt: String(checkedAt) },
      ]),
  );
}

/** A request of the ledger; `at` in milliseconds since 1970. */
interface SentRequest {
  readonly at: number;
  readonly url: string;
}

/** Each request of the day before `now`, one entry per attempt, by publisher. */
export async function recentRequests(
  lake: Pick<Lake, 'connection' | 'paths'>,
  now: string,
): Promise<ReadonlyMap<string, readonly SentRequest[]>> {
  const result = await lake.connection.runAndReadAll(`
    select publisher, epoch_ms(finished_at), url, attempts
    from ${lake.paths.rows('fetches')}
    where finished_at > ${quote(now)}::timestamptz - interval 1 day and attempts > 0`);
  const sent = new Map<string, SentRequest[]>();
  for (const [publisher, at, url, attempts] of result.getRows()) {
    const requests = sent.get(String(publisher)) ?? [];
    requests.push(...Array.from({ length: Number(attempts) }, () => ({ at: Number(at), url: String(url) })));
    sent.set(String(publisher), requests);
  }
  return sent;
}

/** The last due time of each release in the calendars, by `releaseKey`: none after `now`, and no cancelled one. */
export async function lastReleases(lake: Lake, now: string): Promise<ReadonlyMap<string, string>> {
  const result = await lake.connection.runAndReadAll(`
    select source_id, release_code, strftime(max(scheduled_at) at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ')
    from (
      select
        source_id,
        schedule_id,
        arg_max(release_code, observed_at) as release_code,
        arg_max(scheduled_at, observed_at) as scheduled_at,
        arg_max(status, observed_at) as status,
        arg_max(time_precision, observed_at) as time_precision
      from ${lake.paths.rows('schedules')}
      group by source_id, schedule_id
    )
    where status in ('scheduled', 'released') and time_precision = 'exact' and scheduled_at <= ${quote(now)}::timestamptz
    group by source_id, release_code`);
  return new Map(result.getRows().map(([source, release, at]) => [releaseKey(String(source), String(release)), String(at)]));
}

export const releaseKey = (calendar: string, release: string): string => `${calendar} ${release}`;

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
