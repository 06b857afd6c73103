// Requests of plans → answers: asks each publisher at its own pace and within its budgets, and stops asking one that does not answer.
import PQueue from 'p-queue';
import { redact } from '../model/redaction.ts';
import type { Request } from '../sources/feeds/feed.ts';
import type { SecretName } from '../sources/publisher.ts';
import type { PublisherId } from '../sources/publishers.ts';
import { checkBody, checkSize } from './checks.ts';
import { delivered } from './late.ts';
import { PUBLISHERS } from '../sources/publishers.ts';
import { type Budget } from '../sources/publisher.ts';
import { type Publisher } from '../sources/publisher.ts';
import { type Received, transfer, type Wire } from './transfer.ts';
import { TransferError } from './transfer-error.ts';

export interface FetchSettings {
  readonly publishers?: Readonly<Record<PublisherId, Publisher>>;
  readonly wire: Wire;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly version: string;
  /** Name and e-mail address of the operator. */
  readonly contact: string | null;
  readonly secrets: Readonly<Partial<Record<SecretName, string>>>;
  /** The maximum number of attempts per request; five by default. */
  readonly mostAttempts?: number;
}

export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** How a request ended. */
export interface Outcome {
  readonly kind: 'received' | 'unchanged' | 'absent' | 'failed';
  readonly startedAt: number;
  readonly finishedAt: number;
  /** The number of attempts. */
  readonly attempts: number;
  readonly received: Received | null;
  readonly status: number | null;
  readonly movedTo: string | null;
  /** The reason if nothing was received, without secrets; null otherwise. */
  readonly problem: string | null;
  readonly isRetriable: boolean;
  /** The status of any answer, also of a refusal. */
  readonly mediaType: string | null;
  readonly bytes: number | null;
}

export interface KnownAnswer extends Validators {
  readonly bytes: number;
}

/** A request that was sent. */
export interface Sent {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Without secrets. */
  readonly url: string;
}

export interface Fetcher {
  /** The reason if this installation never asks a publisher; null otherwise. */
  readonly pausedFor: (publisher: PublisherId) => string | null;
  /** The reason if this run asks it no further; null otherwise. */
  readonly leftFor: (publisher: PublisherId) => string | null;
  /** Requests of earlier runs, which count towards the budgets. */
  readonly remember: (publisher: PublisherId, sent: readonly Sent[]) => void;
  /** @param known the newest answer in the archive for the key */
  readonly fetch: (publisher: PublisherId, request: Request, known: KnownAnswer | null) => Promise<Outcome>;
  /** True if any publisher answered. */
  readonly hasAnswers: () => boolean;
  readonly close: () => Promise<void>;
}

const MOST_ATTEMPTS = 5;
const MOST_FAILURES = 3;
/** Some servers send 403 for a missing file. This many in a row refuse the caller. */
const MOST_REFUSALS = 12;
const LONGEST_WAIT = 600_000;
const LONGEST_JITTER = 60_000;
/** A publisher that never answered gets this long. */
const PATIENCE = 45_000;
const WINDOWS: Readonly<Record<Budget['per'], number>> = { hour: 3_600_000, day: 86_400_000 };

/** Statuses without a body. */
const KINDS: Readonly<Record<number, Outcome['kind']>> = { 204: 'absent', 304: 'unchanged' };

interface State {
  readonly publisher: Publisher;
  readonly queue: PQueue;
  readonly sent: Sent[];
  failuresInARow: number;
  refusalsInARow: number;
  hasAnswered: boolean;
  left: string | null;
}

export function openFetcher(settings: FetchSettings): Fetcher {
  const { wire, contact, secrets } = settings;
  const states = new Map<PublisherId, State>();
  const stateOf = (id: PublisherId): State => {
    const known = states.get(id);
    if (known !== undefined) return known;
    const publisher = (settings.publishers ?? PUBLISHERS)[id];
    const { concurrency, interval } = publisher;
    const queue = new PQueue({ concurrency, intervalCap: 1, interval });
    const state = { publisher, queue, sent: [], failuresInARow: 0, refusalsInARow: 0, hasAnswered: false, left: null };
    states.set(id, state);
    return state;
  };
  const secretOf = ({ secret }: Publisher): string | null => (secret === null ? null : (secrets[secret.name] ?? null));
  const clean = (text: string): string => {
    const without = Object.values(secrets).reduce((left, secret) => (secret === '' ? left : left.replaceAll(secret, '[redacted]')), text);
    return redact(without);
  };

  const attempt = async (state: State, request: Request, known: KnownAnswer | null): Promise<Received> => {
    const { publisher } = state;
    const sendTo = (url: string, validators: Validators | null): Promise<Received> =>
      state.queue.add(async () => {
        state.sent.push({ at: wire.now(), url });
        const headers = { ...headersOf(publisher, request, settings), ...conditions(validators) };
        return transfer(wire, publisher, { url, headers, isResumable: request.key.endsWith('.zip'), secret: secretOf(publisher) });
      });
    const answer = await sendTo(request.url, known);
    state.hasAnswered = true;
    const received = await delivered(answer, request.url, publisher, (url) => sendTo(url, null), settings.wait);
    if (received.body !== null) {
      await check(request, received, received.body, publisher, known).catch((error: unknown) => {
        if (!(error instanceof TransferError)) throw error;
        const { status, movedTo, mediaType, body } = received;
        throw new TransferError(error.message, { status, movedTo, mediaType, bytes: body?.length ?? 0, cause: error });
      });
    }
    return received;
  };

  const check = async (
    request: Request,
    { mediaType }: Received,
    body: Uint8Array,
    publisher: Publisher,
    known: KnownAnswer | null,
  ): Promise<void> => {
    await checkBody(request, body, mediaType, publisher.limits.inflatedBytes);
    if (request.mayShrink !== true) checkSize(body.length, known?.bytes ?? null);
    const secret = secretOf(publisher);
    if (secret !== null && Buffer.from(body).includes(secret)) throw new TransferError('the answer contains the key of this installation');
  };

  const ended = (state: State, error: TransferError): void => {
    if (error.status !== null) state.hasAnswered = true;
    if (isRefusalOfFile(error, state.publisher)) {
      state.refusalsInARow += 1;
      if (state.refusalsInARow >= MOST_REFUSALS) state.left = `${MOST_REFUSALS} requests in a row were refused: ${clean(error.message)}`;
      return;
    }
    if (!error.isOfPublisher) {
      state.refusalsInARow = 0;
      return;
    }
    state.failuresInARow += 1;
    if (!state.hasAnswered) state.left = `it did not answer: ${clean(error.message)}`;
    else if (state.failuresInARow >= MOST_FAILURES) state.left = `${MOST_FAILURES} requests in a row failed: ${clean(error.message)}`;
  };

  /** Milliseconds until the next attempt; null if there is none. */
  const pauseAfter = (state: State, error: TransferError, attempts: number, startedAt: number): number | null => {
    const isInVain = error.status === null && !state.hasAnswered && wire.now() - startedAt >= PATIENCE;
    if (isInVain) {
      ended(state, error);
      return null;
    }
    const pause = error.isRetriable ? waitBefore(error, attempts, state.publisher, settings.random) : null;
    if (pause !== null && pause > LONGEST_WAIT) {
      state.left = `it asked to wait ${Math.round(pause / 60_000)} minutes: ${clean(error.message)}`;
      return null;
    }
    if (pause !== null && attempts < (settings.mostAttempts ?? MOST_ATTEMPTS)) return pause;
    ended(state, error);
    return null;
  };

  return {
    pausedFor: (id) => pauseOf(stateOf(id).publisher, contact, secretOf),
    leftFor: (id) => stateOf(id).left,
    remember: (id, sent) => stateOf(id).sent.push(...sent),
    hasAnswers: () => [...states.values()].some(({ hasAnswered }) => hasAnswered),
    close: () => wire.dispatcher.close(),

    async fetch(id, request, known) {
      const state = stateOf(id);
      const startedAt = wire.now();
      const outcome = (kind: Outcome['kind'], attempts: number, more: Partial<Outcome> = {}): Outcome => ({
        kind,
        startedAt,
        finishedAt: wire.now(),
        attempts,
        received: null,
        status: null,
        movedTo: null,
        problem: null,
        isRetriable: false,
        mediaType: more.received?.mediaType ?? null,
        bytes: more.received?.body?.length ?? null,
        ...more,
      });
      for (let attempts = 1; ; attempts += 1) {
        state.left ??= spentBudget(state, request.url, wire.now());
        if (state.left !== null) return outcome('failed', attempts - 1, { problem: `not asked: ${state.left}`, isRetriable: true });
        try {
          const received = await attempt(state, request, known);
          state.failuresInARow = 0;
          state.refusalsInARow = 0;
          const { status, movedTo } = received;
          return outcome(KINDS[status] ?? 'received', attempts, { received, status, movedTo });
        } catch (thrown) {
          if (!(thrown instanceof TransferError)) throw thrown;
          const { status, movedTo, isRetriable, mediaType, bytes } = thrown;
          const seen = { status, movedTo, mediaType, bytes, problem: clean(thrown.message) };
          if (isNotOutYet(thrown, request, known, wire.now(), state.publisher)) {
            ended(state, thrown);
            return outcome('absent', attempts, seen);
          }
          const pause = pauseAfter(state, thrown, attempts, startedAt);
          if (pause !== null) {
            await settings.wait(pause);
            continue;
          }
          return outcome('failed', attempts, { ...seen, isRetriable });
        }
      }
    },
  };
}

/** The publisher's Retry-After, else a random part of a doubling time, so that callers do not return all at once. */
function waitBefore(error: TransferError, attempts: number, { waitAfter429 }: Publisher, random: () => number): number {
  if (error.retryAfter !== null) return error.retryAfter;
  const jitter = random() * Math.min(LONGEST_JITTER, 1000 * 2 ** (attempts - 1));
  return error.status === 429 ? Math.max(waitAfter429, jitter) : jitter;
}

/** For a file that never existed and is not due yet, any answer other than a file means that it is missing. */
function isNotOutYet(error: TransferError, { dueBy }: Request, known: KnownAnswer | null, now: number, publisher: Publisher): boolean {
  if (dueBy === undefined || known !== null || new Date(now).toISOString().slice(0, 10) > dueBy) return false;
  return !error.isRetriable && (!error.isOfPublisher || isRefusalOfFile(error, publisher));
}

/** A publisher that requires a contact uses 403 to refuse the caller. */
const isRefusalOfFile = ({ status }: TransferError, { agent }: Publisher): boolean => status === 403 && agent === 'plain';

function pauseOf(publisher: Publisher, contact: string | null, secretOf: (publisher: Publisher) => string | null): string | null {
  if (publisher.secret?.isRequired === true && secretOf(publisher) === null) return `it needs a key: set ${publisher.secret.name}`;
  if (publisher.agent !== 'plain' && contact === null) return 'it requires a contact: set ASOF_CONTACT to a name and an e-mail address';
  return null;
}

/** The time until which no budget allows another request for the address; null if all allow one. */
function spentBudget({ publisher, sent }: State, url: string, now: number): string | null {
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

/** The name of the caller if the operator has set no contact. */
const NO_CONTACT = 'asof, a self-hosted data service';

function headersOf(publisher: Publisher, request: Request, { version, contact }: FetchSettings): Record<string, string> {
  const address = /[^\s<>()]+@[^\s<>()]+/.exec(contact ?? '')?.[0] ?? '';
  const agent = publisher.agent === 'email' ? address : `asof/${version} (${contact ?? NO_CONTACT})`;
  return { 'user-agent': agent, accept: request.accept ?? '*/*' };
}

function conditions(known: Validators | null): Record<string, string> {
  return {
    ...(known?.etag == null ? {} : { 'if-none-match': known.etag }),
    ...(known?.lastModified == null ? {} : { 'if-modified-since': known.lastModified }),
  };
}
