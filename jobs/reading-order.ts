// The payloads that a run reads, in order: those that are new to this version of their source, as they became known.
import type { RawArchive, StoredPayload } from '../src/archive/raw-archive.ts';
import { quote } from '../src/db/connect.ts';
import { refuseDisk } from '../src/disk/disk-error.ts';
import type { Lake } from '../src/lake/lake.ts';
import type { Payload, Source } from '../src/sources/source.ts';
import { IS_UNREAD, isReplaced } from './quarantine.ts';
import { leftOf } from './reporting/progress.ts';
import { type PayloadReader, readHere } from './reading/payload-reader.ts';

export interface Reading {
  readonly payload: StoredPayload;
  readonly knownAt: string | null;
  /** Read before, and read again because an older vintage arrived after it. */
  readonly isRepeated: boolean;
}

/**
 * Payloads that this version of the source has read, with the time at which all of each was known; one with a later release
 * is to be read again. One that it could not read is not, and has no time, if you rejected it or a later one of the same name could be read.
 */
export async function readBefore(lake: Lake, source: Source): Promise<Map<string, string | null>> {
  const result = await lake.connection.runAndReadAll(`
    with released as (
      select payload_id, max(resolved_at) as released_at from ${lake.paths.rows('resolutions')} where status = 'released' group by all
    )
    select payload_id, strftime(any_value(known_at) at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%g') || 'Z'
    from ${lake.paths.rows('ingestions')} left join released using (payload_id)
    where source_id = ${quote(source.id)} and status = 'ok' and connector_version = ${source.version}
    group by payload_id
    having coalesce(max(finished_at) > any_value(released_at), true)
    union
    select found.payload_id, null
    from ${lake.paths.rows('quarantine')} as found
    left join ${lake.paths.rows('resolutions')} as resolutions on resolutions.quarantine_id = found.quarantine_id
    left join ${lake.paths.rows('ingestions')} as unread on unread.payload_id = found.payload_id
    where found.source_id = ${quote(source.id)} and found.connector_version = ${source.version} and ${IS_UNREAD}
        and (resolutions.status = 'rejected' or ${isReplaced(lake, 'unread')})`);
  return new Map(result.getRows().map(([id, knownAt]) => [String(id), knownAt === null || knownAt === undefined ? null : String(knownAt)]));
}

/** The newest collection of the source with an attempt in the lake. */
export async function lastCollectedAt(lake: Lake, source: Source): Promise<string | null> {
  const result = await lake.connection.runAndReadAll(`
    select strftime(max(coalesce(collected_at, finished_at)) at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%g') || 'Z'
    from ${lake.paths.rows('attempts')}
    where source_id = ${quote(source.id)}`);
  const at = result.getRows()[0]?.[0] ?? null;
  return at === null ? null : String(at);
}

/**
 * The payloads to read, in the order in which they became known. If a vintage arrives after a later one was read, it changes the meaning of
 * the later ones, so all of those are read again.
 */
export async function inKnowledgeOrder(
  source: Source,
  archive: RawArchive,
  payloads: readonly StoredPayload[],
  done: ReadonlyMap<string, string | null>,
  reader: PayloadReader = readHere,
): Promise<{ readings: Reading[]; failures: { payload: StoredPayload; knownAt: null; error: string }[] }> {
  const failures: { payload: StoredPayload; knownAt: null; error: string }[] = [];
  const knownAtOf = async (payload: StoredPayload) =>
    source.knownAt === undefined ? null : reader.knownAt(source, await bodyOf(archive, payload));
  const read = async (payload: StoredPayload, isRepeated: boolean): Promise<Reading | null> => {
    try {
      return { payload, knownAt: await knownAtOf(payload), isRepeated };
    } catch (error) {
      refuseDisk(error);
      if (isRepeated) throw error;
      failures.push({ payload, knownAt: null, error: error instanceof Error ? error.message : String(error) });
      return null;
    }
  };
  const readings: Reading[] = [];
  for (const payload of payloads) {
    if (done.has(payload.payloadId)) continue;
    const reading = await read(payload, false);
    if (reading !== null) readings.push(reading);
  }
  const earliest = readings
    .map((reading) => reading.knownAt)
    .filter((knownAt) => knownAt !== null)
    .sort()[0];
  if (earliest !== undefined) {
    for (const payload of payloads) {
      const knownAt = done.get(payload.payloadId);
      if (knownAt === undefined || knownAt === null || knownAt <= earliest) continue;
      const reading = await read(payload, true);
      if (reading !== null) readings.push(reading);
    }
  }
  const order = (reading: Reading) =>
    `${reading.knownAt ?? reading.payload.retrievedAt}|${reading.payload.retrievedAt}|${reading.payload.key}`;
  return { readings: readings.sort((a, b) => (order(a) < order(b) ? -1 : 1)), failures };
}

// Read on demand and released: only one body is in memory at a time.
export async function bodyOf(archive: RawArchive, payload: StoredPayload): Promise<Payload> {
  return { key: payload.key, body: await archive.read(payload), retrievedAt: payload.retrievedAt };
}

/** @param left milliseconds until all sources are read, by the remaining bytes; null if too few are read for an estimate */
export type OnSource = (sourceId: string, done: number, total: number, left: number | null) => void;

/** @param bytes read of the source */
export type OnReading = (sourceId: string, done: number, total: number, bytes: number) => void;

/** Counts the bytes to read of all sources, because one source may take longer than all others. */
export async function courseOf(
  sources: readonly Source[],
  archive: RawArchive,
  lake: Lake,
  now: () => number,
  onProgress: OnSource | undefined,
): Promise<OnReading> {
  if (onProgress === undefined) return () => undefined;
  const backlog: number[] = [];
  for (const source of sources) backlog.push(await bytesToRead(source, archive, lake));
  return byBytes(
    sources.map(({ id }) => id),
    backlog,
    now,
    onProgress,
  );
}

/** @param backlog bytes to read of each source */
export function byBytes(sourceIds: readonly string[], backlog: readonly number[], now: () => number, onProgress: OnSource): OnReading {
  const begun = now();
  const all = Math.max(totalOf(backlog), 1);
  return (sourceId, done, total, bytes) => {
    const at = sourceIds.indexOf(sourceId);
    const read = totalOf(backlog.slice(0, at)) + Math.min(bytes, backlog[at] ?? 0);
    onProgress(sourceId, done, total, leftOf(now() - begun, read / all));
  };
}

async function bytesToRead(source: Source, archive: RawArchive, lake: Lake): Promise<number> {
  // Reading a source reports the damage of its archive.
  const payloads = await archive.list(source.id).catch(() => []);
  const done = payloads.length === 0 ? new Map<string, null>() : await readBefore(lake, source);
  return totalOf(payloads.filter(({ payloadId }) => !done.has(payloadId)).map(({ bytes }) => bytes));
}

const totalOf = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
