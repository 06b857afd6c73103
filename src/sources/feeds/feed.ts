// The requests of a live source, and their times. Pure: a plan yields requests and gets the answers; other code sends them.
import type { PublisherId } from '../publishers.ts';
import type { UpstreamError } from '../upstream-error.ts';

/** A request. */
export interface Request {
  /** The path of the answer in a mirror folder: a source claims it, and archive, reading and tests use only this. */
  readonly key: string;
  /** The publisher's real address, without secrets. */
  readonly url: string;
  readonly accept?: string;
  /** Consecutive requests with the same group are parts of one answer: all of it is archived together, or nothing. */
  readonly group?: string;
  /** An answer to a query, not a growing file: it may be much smaller than the last one. */
  readonly mayShrink?: boolean;
  /** For a zip that may have more than a hundred members. */
  readonly mostMembers?: number;
  /** A page of links: the plan reads it, and it is not archived. */
  readonly isIndex?: boolean;
  /** Day until which "not there" (404, 403, a page, a redirection away) means "not out yet"; NEVER_DUE: it may be missing for good. */
  readonly dueBy?: string;
}

export const NEVER_DUE = '9999-12-31';

export type Answer =
  /** same: equal to the archived content of the key. */
  | { readonly kind: 'new' | 'same'; readonly body: Uint8Array; readonly retrievedAt: string }
  /** Not out yet. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly error: UpstreamError };

export interface Feed {
  readonly publisher: PublisherId;
  /** True if a request is worthwhile now. */
  readonly isDue: (now: string, held: Held) => boolean;
  /** Newest first, so that a missing file hides none. The next run continues an unfinished plan. */
  readonly plan: (now: string, held: Held) => Plan;
  /** A small request for `asof probe` if the plan's first one is large. If that file is missing, the plan's is requested. */
  readonly probe?: (now: string) => Plan;
  /** Its answers are lists of unread documents: they have no rows. */
  readonly isOfListsAlone?: boolean;
  /** Other sources that own keys of the plan. */
  readonly alsoFor?: readonly string[];
  /** An answer without its timestamp: if that is unchanged, there is no news. */
  readonly essence?: (body: Uint8Array) => string | Promise<string>;
}

export type Plan = Generator<Request | GiveUp, void, Answer>;

/** The parts of the last group do not match: nothing of it is archived. Ignore any answer to this. */
export interface GiveUp {
  readonly giveUp: string;
  /** A file without rows yet, as some publishers have at the start of a year: no failure. */
  readonly isNotOutYet?: boolean;
  /** The answer is valid and has no rows: a failure, unless the key never had any and the previous answer had none either. */
  readonly isEmpty?: boolean;
}

/** The archived files. Cursors are derived from them; none is stored. */
export interface Held {
  /** Keys below a path, in their order. */
  readonly keys: (prefix: string) => readonly string[];
  readonly newest: (key: string) => HeldPayload | null;
  /** When it was last requested and received, confirmed or refused; null for never. Temporary failures do not count. */
  readonly askedAt: (key: string) => string | null;
  /** The last release of a name in a source's calendar; null if there is none up to now. */
  readonly lastRelease: (calendar: string, release: string) => string | null;
}

export interface HeldPayload {
  /** When its newest content arrived. */
  readonly retrievedAt: string;
  /** When the publisher last confirmed it. */
  readonly checkedAt: string;
}
