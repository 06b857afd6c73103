// The interface of a source: it claims files, names their origin, and turns one payload into records. It is pure:
// no network, no disk, no clock. Collecting, archiving and appending are the same for all sources.
import { endOfDay, isDay, lastDayOfMonth } from '../model/period.ts';
import type { Batch } from '../model/record.ts';
import type { Feed } from './feeds/feed.ts';

/** One publisher's file, exactly as received. */
export interface Payload {
  /** Path of the file below the mirror folder, with `/`; identifies the dataset, series or vintage. */
  readonly key: string;
  readonly body: Uint8Array;
  /** When the bytes arrived: RFC 3339 UTC with milliseconds. */
  readonly retrievedAt: string;
}

export interface Source {
  readonly id: string;
  /** Version of this reader; a payload is normalised again if it increases. */
  readonly version: number;
  /** True if this source claims a file of a mirror folder, by its path (`fred-md/2020-05.csv`). */
  readonly owns: (path: string) => boolean;
  /**
   * For a zip with files that the publisher also offers one by one: the key of each member, null to skip it. Undefined
   * for any other file. The members are archived, each as if it had come alone.
   */
  readonly container?: (path: string) => ((member: string) => string | null) | undefined;
  /** The publisher's public address of that file, without keys; null if there is none. */
  readonly address: (path: string) => string | null;
  /** For a payload whose name does not show it. */
  readonly mediaType: string;
  /**
   * If the whole payload was known at one time (a monthly vintage file, a file with a last-updated date): that time. Payloads
   * are applied in this order. Null if rows have their own knowledge time (real-time periods, report dates).
   */
  readonly knownAt?: (payload: Payload) => string | null | Promise<string | null>;
  /**
   * Records of one payload, in one or many batches. Throws an UpstreamError that describes the fault of a truncated,
   * garbled or changed payload, before or after some batches: all rows of a failed payload are dropped.
   */
  readonly normalise: (payload: Payload) => Iterable<Batch> | AsyncIterable<Batch>;
  /** The requests to the publisher; without them the source is collected only from folders. */
  readonly feed?: Feed;
  /**
   * In place of `normalise`, for bulk CSV: a statement of sql/sources/ that reads `$file` and returns the columns of an observation
   * record. `check` refuses a payload with another layout.
   */
  readonly bulk?: {
    readonly sql: string;
    readonly check: (payload: Payload) => void;
    readonly parameters: (payload: Payload) => Readonly<Record<string, string>>;
  };
}

/**
 * Knowledge time of data with a day but no hour: the end of that UTC day, but not after the retrieval, when
 * it was certainly known. A day after the retrieval stays as it is, and quarantine refuses it.
 */
export function knownOn(day: string, retrievedAt: string): string {
  const end = `${day}T23:59:59.999Z`;
  return day <= retrievedAt.slice(0, 10) && end > retrievedAt ? retrievedAt : end;
}

const DATED_FOLDER = /(?:^|\/)(\d{4}-(?:0[1-9]|1[0-2]))(-\d{2})?\/(?:[^/]+\/)?[^/]+$/;

/**
 * Knowledge time of a file that states none: the end of the day or month in the name of its folder, but not after the retrieval; without such a
 * folder, the retrieval. The folder of the publisher may be inside the dated one.
 */
export function knownByFolder(key: string, retrievedAt: string): string {
  const [, month, date = ''] = DATED_FOLDER.exec(key) ?? [];
  if (month === undefined) return retrievedAt;
  const day = date === '' ? lastDayOfMonth(month) : `${month}${date}`;
  if (!isDay(day)) return retrievedAt;
  const end = endOfDay(day);
  return end < retrievedAt ? end : retrievedAt;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  ics: 'text/calendar',
  json: 'application/json',
  txt: 'text/plain',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  zip: 'application/zip',
};

/** The media type of a payload by its file name; if that does not show it, the source's usual one. */
export function mediaTypeOf({ mediaType }: Pick<Source, 'mediaType'>, key: string): string {
  const extension = /\.([a-z]+)$/i.exec(key)?.[1]?.toLowerCase() ?? '';
  // Publishers also use .txt for comma-separated tables.
  if (extension === 'txt' && mediaType === 'text/csv') return mediaType;
  return MEDIA_TYPES[extension] ?? mediaType;
}
