// Counts requests per client in windows of 60 seconds, in memory, or in Redis if replicas share one count. If Redis is down, this process
// counts for itself and reports it.
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '../errors.ts';

export const WINDOW_SECONDS = 60;

/** Scopes count keys. `discovery` (open routes) and `unauthenticated` (failed authentication) count client addresses. */
export const LIMITS = { 'data:read': 1000, 'ops:read': 500, admin: 250, discovery: 600, unauthenticated: 100 } as const;
export type Policy = keyof typeof LIMITS;
export type Limits = Readonly<Record<Policy, number>>;

export function scaledLimits(scale: number): Limits {
  return {
    'data:read': LIMITS['data:read'] * scale,
    'ops:read': LIMITS['ops:read'] * scale,
    admin: LIMITS.admin * scale,
    discovery: LIMITS.discovery * scale,
    unauthenticated: LIMITS.unauthenticated * scale,
  };
}

export interface Count {
  readonly policy: Policy;
  readonly limit: number;
  readonly remaining: number;
  readonly msToReset: number;
  readonly isExceeded: boolean;
}

export interface LimiterState {
  readonly store: 'memory' | 'redis';
  /** False while Redis does not answer and this process counts for itself. */
  readonly isUp: boolean;
}

export interface Limiter {
  /** Counts one request. */
  readonly take: (policy: Policy, subject: string) => Promise<Count>;
  /** Reads the count. */
  readonly peek: (policy: Policy, subject: string) => Promise<Count>;
  readonly state: () => LimiterState;
  readonly close: () => void;
}

type Backend = Pick<RateLimiterMemory, 'consume' | 'get'>;
type Backends = Readonly<Record<Policy, Backend>>;

export function memoryLimiter(limits: Limits = LIMITS): Limiter {
  const backends = perPolicy((policy) => new RateLimiterMemory({ keyPrefix: policy, points: limits[policy], duration: WINDOW_SECONDS }));
  return { ...countersOf(backends, limits), state: () => ({ store: 'memory', isUp: true }), close: () => undefined };
}

export interface RedisLimiterOptions {
  readonly url: string;
  readonly now: () => number;
  /** Called when Redis stops answering, and with null when it answers again. */
  readonly onTrouble: (error: unknown) => void;
  readonly limits?: Limits;
  /** How long a request waits for Redis, ms. */
  readonly timeoutMs?: number;
}

const MS_BETWEEN_TRIES = 1000;
const TIMEOUT_MS = 200;

/** While Redis does not answer, one request per second waits for it. The others pass at once. */
export function redisLimiter({ url, now, onTrouble, limits = LIMITS, timeoutMs = TIMEOUT_MS }: RedisLimiterOptions): Limiter {
  const client = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: timeoutMs, connectTimeout: 2000 });
  client.on('error', () => undefined); // the command that fails reports it
  const connected = firstConnection(client, timeoutMs);
  const shared = countersOf(
    perPolicy((policy) => {
      const rules = { keyPrefix: `asof:${policy}`, points: limits[policy], duration: WINDOW_SECONDS };
      return new RateLimiterRedis({ ...rules, storeClient: client, rejectIfRedisNotReady: true });
    }),
    limits,
  );
  const own = memoryLimiter(limits);
  let isUp = true;
  let triedAt = 0;
  const insured =
    (kind: 'take' | 'peek') =>
    async (policy: Policy, subject: string): Promise<Count> => {
      if (!isUp && Math.abs(now() - triedAt) < MS_BETWEEN_TRIES) return own[kind](policy, subject);
      if (!isUp) triedAt = now();
      await connected;
      try {
        const count = await shared[kind](policy, subject);
        if (!isUp) onTrouble(null);
        isUp = true;
        return count;
      } catch (error) {
        if (isUp) onTrouble(error);
        isUp = false;
        triedAt = now();
        return own[kind](policy, subject);
      }
    };
  return { take: insured('take'), peek: insured('peek'), state: () => ({ store: 'redis', isUp }), close: () => client.disconnect() };
}

/**
 * Resolves when the first connection succeeds, fails or is late. Until then Redis is not known to be down, and a local count would not be
 * shared.
 */
function firstConnection(client: Redis, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    client.once('ready', () => resolve());
    client.once('close', () => resolve());
    setTimeout(resolve, timeoutMs).unref();
  });
}

function perPolicy(make: (policy: Policy) => Backend): Backends {
  return {
    'data:read': make('data:read'),
    'ops:read': make('ops:read'),
    admin: make('admin'),
    discovery: make('discovery'),
    unauthenticated: make('unauthenticated'),
  };
}

function countersOf(backends: Backends, limits: Limits): Pick<Limiter, 'take' | 'peek'> {
  return {
    take: async (policy, subject) => countOf(policy, limits[policy], await taken(backends[policy].consume(subject))),
    peek: async (policy, subject) => countOf(policy, limits[policy], await backends[policy].get(subject)),
  };
}

// The library rejects a refused request with a result, not with an error.
async function taken(result: Promise<RateLimiterRes>): Promise<RateLimiterRes> {
  try {
    return await result;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  }
}

function countOf(policy: Policy, limit: number, result: RateLimiterRes | null): Count {
  const window = WINDOW_SECONDS * 1000;
  // If the clock was set back, the window seems to end far ahead. A timer ends it after its length at most.
  const msToReset = result === null || result.msBeforeNext < 0 ? window : Math.min(window, result.msBeforeNext);
  const consumed = result?.consumedPoints ?? 0;
  return { policy, limit, remaining: Math.max(0, limit - consumed), msToReset, isExceeded: consumed > limit };
}

/** The four headers. The reset is rounded to a whole second, because it varies by milliseconds within a window. */
export function rateHeaders(count: Count, now: number): Readonly<Record<string, string>> {
  return {
    'x-ratelimit-policy': `${count.policy};limit=${count.limit};window=${WINDOW_SECONDS}`,
    'x-ratelimit-limit': String(count.limit),
    'x-ratelimit-remaining': String(count.remaining),
    'x-ratelimit-reset': new Date(Math.round((now + count.msToReset) / 1000) * 1000).toISOString(),
  };
}

export function limitExceeded(count: Count, requiredScope: string): ApiError {
  return new ApiError(
    'rate_limited',
    `More than ${count.limit} requests in ${WINDOW_SECONDS} seconds. Retry after the time in Retry-After.`,
    {
      required_scope: requiredScope,
      limit: count.limit,
      window_seconds: WINDOW_SECONDS,
    },
  );
}

export const retryAfter = (count: Count): string => String(Math.max(1, Math.ceil(count.msToReset / 1000)));
