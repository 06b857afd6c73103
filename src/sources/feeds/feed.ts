// What a live source asks of its publisher, and when. Pure: a plan yields requests and is handed the answers; who sends them is not its matter.
import type { UpstreamError } from '../source.ts';

/** Entries of the table src/fetch/publishers.ts. */
export type PublisherId =
  | 'bank_of_israel'
  | 'bcb'
  | 'bis'
  | 'bls'
  | 'bls_api'
  | 'boc'
  | 'boe'
  | 'boj'
  | 'bundesbank'
  | 'census'
  | 'cftc'
  | 'ecb'
  | 'ecb_data'
  | 'ecfin'
  | 'eurostat'
  | 'fed'
  | 'fred'
  | 'ilo'
  | 'imf'
  | 'insee'
  | 'norges_bank'
  | 'oecd'
  | 'oenb'
  | 'rba'
  | 'riksbank'
  | 'riksbank_api'
  | 'sec'
  | 'snb'
  | 'st_louis_fed'
  | 'us_treasury'
  | 'world_bank';

/** Variables of the environment that hold a key. */
export type SecretName = 'CFTC_APP_TOKEN' | 'FRED_API_KEY' | 'RIKSBANK_KEY';

/** What is to be asked. */
export interface Request {
  /** The path that the answer would have in a mirror folder: a source owns it, and archive, reading and tests know nothing else. */
  readonly key: string;
  /** The publisher's true address, without secrets. */
  readonly url: string;
  readonly accept?: string;
  /** Requests in a row with the same group are one answer in parts: nothing of it is archived before all of it is there, and goes together. */
  readonly group?: string;
  /** An answer to a question, not a file that grows: it may be much smaller than the last one. */
  readonly mayShrink?: boolean;
  /** Of a zip that may have more than a hundred. */
  readonly mostMembers?: number;
  /** A page of links: the plan reads it, and it is not archived. */
  readonly isIndex?: boolean;
  /** Day until which "not there" (404, 403, a page, a redirection away) says "not out yet"; NEVER_DUE: it may be missing for good. */
  readonly dueBy?: string;
}

export const NEVER_DUE = '9999-12-31';

export type Answer =
  /** same: what the archive holds under the key already. */
  | { readonly kind: 'new' | 'same'; readonly body: Uint8Array; readonly retrievedAt: string }
  /** Not out yet. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly error: UpstreamError };

export interface Feed {
  readonly publisher: PublisherId;
  /** Whether it is worth asking now. */
  readonly isDue: (now: string, held: Held) => boolean;
  /** Newest first, so that what is not there hides nothing. What a run does not come to, the next one goes on with. */
  readonly plan: (now: string, held: Held) => Plan;
  /** A small question for `asof probe`, if the first one of the plan is large. If there is no such file, the plan's is asked. */
  readonly probe?: (now: string) => Plan;
  /** Its answers are lists of documents that are not read: they have no rows. */
  readonly isOfListsAlone?: boolean;
  /** Sources beside this one that own keys of the plan. */
  readonly alsoFor?: readonly string[];
  /** What an answer says without the clock that it carries: where that stays the same, nothing has changed. */
  readonly essence?: (body: Uint8Array) => string | Promise<string>;
}

export type Plan = Generator<Request | GiveUp, void, Answer>;

/** The parts of the group that was asked last do not go together: nothing of it is archived. Any answer to this is to be passed over. */
export interface GiveUp {
  readonly giveUp: string;
  /** It is a file without rows yet, as some publishers begin a year with: no failure. */
  readonly isNotOutYet?: boolean;
  /** The answer is sound and has no rows: a failure, but where the key never had any and the answer before this one had none either. */
  readonly isEmpty?: boolean;
}

/** What is archived already. Cursors are derived from it; none is stored. */
export interface Held {
  /** Keys below a path, in their order. */
  readonly keys: (prefix: string) => readonly string[];
  readonly newest: (key: string) => HeldPayload | null;
  /** When it was asked for last and received, confirmed or refused; null if it never was. A failure that may pass does not count. */
  readonly askedAt: (key: string) => string | null;
  /** When the calendar of a source had a release last, by the name that the calendar gives it; null where it names none until now. */
  readonly lastRelease: (calendar: string, release: string) => string | null;
}

export interface HeldPayload {
  /** When its newest content came in. */
  readonly retrievedAt: string;
  /** When the publisher last confirmed it. */
  readonly checkedAt: string;
}
