// What this run knows of one publisher: the requests sent, the failures in a row, and whether it is asked again.
import PQueue from 'p-queue';
import type { Budget, Publisher } from '../sources/publisher.ts';
import type { TransferError } from './transfer-error.ts';

/** A request that was sent. */
export interface Sent {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Without secrets. */
  readonly url: string;
}

export interface PublisherState {
  readonly publisher: Publisher;
  /** Keeps its pace. */
  readonly queue: PQueue;
  readonly sent: Sent[];
  failuresInARow: number;
  refusalsInARow: number;
  hasAnswered: boolean;
  /** The reason if this run asks it no further; null otherwise. */
  left: string | null;
}

const MOST_FAILURES = 3;
/** Some servers send 403 for a missing file. This many in a row refuse the caller. */
const MOST_REFUSALS = 12;
const LONGEST_WAIT = 600_000;
const LONGEST_JITTER = 60_000;
/** A publisher that never answered gets this long. */
const PATIENCE = 45_000;
const WINDOWS: Readonly<Record<Budget['per'], number>> = { hour: 3_600_000, day: 86_400_000 };

export function newState(publisher: Publisher): PublisherState {
  const { concurrency, interval } = publisher;
  const queue = new PQueue({ concurrency, intervalCap: 1, interval });
  return { publisher, queue, sent: [], failuresInARow: 0, refusalsInARow: 0, hasAnswered: false, left: null };
}

export function forgetFailures(state: PublisherState): void {
  state.failuresInARow = 0;
  state.refusalsInARow = 0;
}

/**
 * Counts a request that ended without an answer. After too many in a row the publisher is left.
 *
 * @param problem the error's message, without secrets
 */
export function countFailure(state: PublisherState, error: TransferError, problem: string): void {
  if (error.status !== null) state.hasAnswered = true;
  if (isRefusalOfFile(error, state.publisher)) {
    state.refusalsInARow += 1;
    if (state.refusalsInARow >= MOST_REFUSALS) state.left = `${MOST_REFUSALS} requests in a row were refused: ${problem}`;
    return;
  }
  if (!error.isOfPublisher) {
    state.refusalsInARow = 0;
    return;
  }
  state.failuresInARow += 1;
  if (!state.hasAnswered) state.left = `it did not answer: ${problem}`;
  else if (state.failuresInARow >= MOST_FAILURES) state.left = `${MOST_FAILURES} requests in a row failed: ${problem}`;
}

interface Attempts {
  /** The error's message, without secrets. */
  readonly problem: string;
  readonly attempts: number;
  readonly mostAttempts: number;
  /** Milliseconds since the first attempt began. */
  readonly elapsed: number;
  readonly random: () => number;
}

/** Milliseconds until the next attempt. If null, nobody tries again, and the failure counts. */
export function pauseAfter(state: PublisherState, error: TransferError, { problem, ...so }: Attempts): number | null {
  const isInVain = error.status === null && !state.hasAnswered && so.elapsed >= PATIENCE;
  const pause = error.isRetriable && !isInVain ? waitBefore(error, so.attempts, state.publisher, so.random) : null;
  if (pause !== null && pause > LONGEST_WAIT) {
    state.left = `it asked to wait ${Math.round(pause / 60_000)} minutes: ${problem}`;
    return null;
  }
  if (pause !== null && so.attempts < so.mostAttempts) return pause;
  countFailure(state, error, problem);
  return null;
}

/** The publisher's Retry-After, else a random part of a doubling time, so that callers do not return all at once. */
function waitBefore(error: TransferError, attempts: number, { waitAfter429 }: Publisher, random: () => number): number {
  if (error.retryAfter !== null) return error.retryAfter;
  const jitter = random() * Math.min(LONGEST_JITTER, 1000 * 2 ** (attempts - 1));
  return error.status === 429 ? Math.max(waitAfter429, jitter) : jitter;
}

/** For a file that never existed and is not due yet, any answer other than a file means that it is missing. */
export function isNotOutYet(error: TransferError, dueBy: string | undefined, isKnown: boolean, now: number, publisher: Publisher): boolean {
  if (dueBy === undefined || isKnown || new Date(now).toISOString().slice(0, 10) > dueBy) return false;
  return !error.isRetriable && (!error.isOfPublisher || isRefusalOfFile(error, publisher));
}

/** A publisher that requires a contact uses 403 to refuse the caller. */
const isRefusalOfFile = ({ status }: TransferError, { agent }: Publisher): boolean => status === 403 && agent === 'plain';

/** The time until which no budget allows another request for the address; null if all allow one. */
export function spentBudget({ publisher, sent }: PublisherState, url: string, now: number): string | null {
  for (const { per, requests, below = '' } of publisher.budgets) {
    if (!url.startsWith(below)) continue;
    const within = sent
      .flatMap((one) => (one.url.startsWith(below) && one.at > now - WINDOWS[per] ? [one.at] : []))
      .toSorted((a, b) => a - b);
    if (within.length < requests) continue;
    const until = new Date((within[within.length - requests] ?? now) + WINDOWS[per]).toISOString();
    return `its budget of ${requests} requests per ${per} is spent until ${until.slice(0, 16)}Z`;
  }
  return null;
}
