// What a source is: it says which files are its own, where they come from, and turns one payload into records. It is pure:
// no network, no disk, no clock. Collecting, archiving and appending are done once for all sources.
import { endOfDay, isDay, lastDayOfMonth } from '../model/period.ts';
import type { Batch } from '../model/record.ts';
import type { Feed } from './feeds/feed.ts';

/** One publisher's file, exactly as received. */
export interface Payload {
  /** Path of the file below the mirror folder, with `/`; says which dataset, series or vintage it is. */
  readonly key: string;
  readonly body: Uint8Array;
  /** When the bytes came in: RFC 3339 UTC with milliseconds. */
  readonly retrievedAt: string;
}

export interface Source {
  readonly id: string;
  /** Version of this reader; a payload is normalised again when it grows. */
  readonly version: number;
  /** Whether a file of a mirror folder is this source's, by its path (`fred-md/2020-05.csv`). */
  readonly owns: (path: string) => boolean;
  /**
   * Of a zip file that holds files which the publisher gives one by one too: the key of each of its members, null for one that is passed over. Undefined
   * for any other file. The members are archived, each as if it had come by itself.
   */
  readonly container?: (path: string) => ((member: string) => string | null) | undefined;
  /** The publisher's public address of that file, without keys; null where there is none. */
  readonly address: (path: string) => string | null;
  /** Of a payload whose name does not say. */
  readonly mediaType: string;
  /**
   * Where the whole payload was known at one time (a monthly vintage file, a file with a last-updated date): that time. Payloads
   * are applied in this order. Rows that carry their own knowledge time (real-time periods, report dates): null.
   */
  readonly knownAt?: (payload: Payload) => string | null | Promise<string | null>;
  /**
   * Records of one payload, in one or many batches. Throws an UpstreamError that says what is wrong with a truncated,
   * garbled or re-laid-out payload, before or after some batches: nothing of a failed payload is kept.
   */
  readonly normalise: (payload: Payload) => Iterable<Batch> | AsyncIterable<Batch>;
  /** What to ask of the publisher; without it the source is collected from folders alone. */
  readonly feed?: Feed;
  /**
   * In place of `normalise`, for bulk CSV: a statement of sql/sources/ that reads `$file` and yields the columns of an observation
   * record. `check` refuses a payload whose layout is not the known one.
   */
  readonly bulk?: {
    readonly sql: string;
    readonly check: (payload: Payload) => void;
    readonly parameters: (payload: Payload) => Readonly<Record<string, string>>;
  };
}

/** A payload or an upstream that cannot be used; `retriable` says whether trying again can help. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly sourceId: string;
  readonly retriable: boolean;

  constructor(sourceId: string, problem: string, options: { readonly retriable?: boolean; readonly cause?: unknown } = {}) {
    super(`${sourceId}: ${problem}`, options.cause === undefined ? {} : { cause: options.cause });
    this.sourceId = sourceId;
    this.retriable = options.retriable ?? false;
  }
}

/**
 * Knowledge time of something dated by day alone: held back to the end of that UTC day, but not past the retrieval, at which it
 * was certainly known. A day after the retrieval stays as it is, for quarantine to refuse.
 */
export function knownOn(day: string, retrievedAt: string): string {
  const end = `${day}T23:59:59.999Z`;
  return day <= retrievedAt.slice(0, 10) && end > retrievedAt ? retrievedAt : end;
}

const DATED_FOLDER = /(?:^|\/)(\d{4}-(?:0[1-9]|1[0-2]))(-\d{2})?\/(?:[^/]+\/)?[^/]+$/;

/**
 * Knowledge time of a file that states none: the end of the day or month that its folder is named by, but not past the retrieval; the retrieval without such a
 * folder. The folder of the publisher may stand below the dated one.
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

/** The media type of a payload by the name of its file; where that does not say, the one that the source usually publishes. */
export function mediaTypeOf({ mediaType }: Pick<Source, 'mediaType'>, key: string): string {
  const extension = /\.([a-z]+)$/i.exec(key)?.[1]?.toLowerCase() ?? '';
  // Publishers name tables in comma-separated text .txt too.
  if (extension === 'txt' && mediaType === 'text/csv') return mediaType;
  return MEDIA_TYPES[extension] ?? mediaType;
}
