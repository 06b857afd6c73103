// Requests of plans → answers: asks each publisher at its own pace and within its budgets, and stops asking one that does not answer.
import { redact } from '../model/redaction.ts';
import type { Request } from '../sources/feeds/feed.ts';
import type { Publisher, SecretName } from '../sources/publisher.ts';
import { type PublisherId, PUBLISHERS } from '../sources/publishers.ts';
import { checkBody, checkSize } from './checks.ts';
import { delivered } from './late.ts';
import {
  countFailure,
  forgetFailures,
  isNotOutYet,
  newState,
  pauseAfter,
  type PublisherState,
  type Sent,
  spentBudget,
} from './publisher-state.ts';
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

/** Statuses without a body. */
const KINDS: Readonly<Record<number, Outcome['kind']>> = { 204: 'absent', 304: 'unchanged' };

export function openFetcher(settings: FetchSettings): Fetcher {
  const { wire, contact, secrets } = settings;
  const states = new Map<PublisherId, PublisherState>();
  const stateOf = (id: PublisherId): PublisherState => {
    const known = states.get(id);
    if (known !== undefined) return known;
    const state = newState((settings.publishers ?? PUBLISHERS)[id]);
    states.set(id, state);
    return state;
  };
  return {
    pausedFor: (id) => reasonToPause(stateOf(id).publisher, contact, secrets),
    leftFor: (id) => stateOf(id).left,
    remember: (id, sent) => stateOf(id).sent.push(...sent),
    fetch: (id, request, known) => fetchAnswer(settings, stateOf(id), request, known),
    hasAnswers: () => [...states.values()].some(({ hasAnswered }) => hasAnswered),
    close: () => wire.dispatcher.close(),
  };
}

/** Attempts until there is an answer, or until another attempt cannot help. */
async function fetchAnswer(settings: FetchSettings, state: PublisherState, request: Request, known: KnownAnswer | null): Promise<Outcome> {
  const { now } = settings.wire;
  const startedAt = now();
  const outcome = (kind: Outcome['kind'], attempts: number, more: Partial<Outcome> = {}): Outcome => ({
    kind,
    startedAt,
    finishedAt: now(),
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
    state.left ??= spentBudget(state, request.url, now());
    if (state.left !== null) return outcome('failed', attempts - 1, { problem: `not asked: ${state.left}`, isRetriable: true });
    try {
      const received = await attempt(settings, state, request, known);
      forgetFailures(state);
      const { status, movedTo } = received;
      return outcome(KINDS[status] ?? 'received', attempts, { received, status, movedTo });
    } catch (thrown) {
      if (!(thrown instanceof TransferError)) throw thrown;
      const { status, movedTo, isRetriable, mediaType, bytes } = thrown;
      const problem = withoutSecrets(thrown.message, settings.secrets);
      const seen = { status, movedTo, mediaType, bytes, problem };
      if (isNotOutYet(thrown, request.dueBy, known !== null, now(), state.publisher)) {
        countFailure(state, thrown, problem);
        return outcome('absent', attempts, seen);
      }
      const { random, mostAttempts = MOST_ATTEMPTS } = settings;
      const pause = pauseAfter(state, thrown, { problem, attempts, mostAttempts, elapsed: now() - startedAt, random });
      if (pause === null) return outcome('failed', attempts, { ...seen, isRetriable });
      await settings.wait(pause);
    }
  }
}

/** The answer to one request, once it is there and checked. Throws a TransferError. */
async function attempt(settings: FetchSettings, state: PublisherState, request: Request, known: KnownAnswer | null): Promise<Received> {
  const { publisher } = state;
  const { wire } = settings;
  const secret = secretOf(publisher, settings.secrets);
  const sendTo = (url: string, validators: Validators | null): Promise<Received> =>
    state.queue.add(async () => {
      state.sent.push({ at: wire.now(), url });
      const headers = { ...headersOf(publisher, request, settings), ...conditions(validators) };
      return transfer(wire, publisher, { url, headers, isResumable: request.key.endsWith('.zip'), secret });
    });
  const answer = await sendTo(request.url, known);
  state.hasAnswered = true;
  const received = await delivered(answer, request.url, publisher, (url) => sendTo(url, null), settings.wait);
  const { status, movedTo, mediaType, body } = received;
  if (body === null) return received;
  try {
    await checkBody(request, body, mediaType, publisher.limits.inflatedBytes);
    if (request.mayShrink !== true) checkSize(body.length, known?.bytes ?? null);
    if (secret !== null && Buffer.from(body).includes(secret)) throw new TransferError('the answer contains the key of this installation');
  } catch (error) {
    if (!(error instanceof TransferError)) throw error;
    throw new TransferError(error.message, { status, movedTo, mediaType, bytes: body.length, cause: error });
  }
  return received;
}

type Secrets = FetchSettings['secrets'];

function secretOf({ secret }: Publisher, secrets: Secrets): string | null {
  return secret === null ? null : (secrets[secret.name] ?? null);
}

function withoutSecrets(text: string, secrets: Secrets): string {
  const without = Object.values(secrets).reduce((left, secret) => (secret === '' ? left : left.replaceAll(secret, '[redacted]')), text);
  return redact(without);
}

function reasonToPause(publisher: Publisher, contact: string | null, secrets: Secrets): string | null {
  if (publisher.secret?.isRequired === true && secretOf(publisher, secrets) === null) return `it needs a key: set ${publisher.secret.name}`;
  if (publisher.agent !== 'plain' && contact === null) return 'it requires a contact: set ASOF_CONTACT to a name and an e-mail address';
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
