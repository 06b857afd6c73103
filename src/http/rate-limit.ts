// How many requests a client may make in a window, in memory or in Redis for replicas that share one count. A limiter that is down lets
// requests pass on a count of this process, and says that it does.
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

const WINDOW_SECONDS = 60;

export const LIMITS = { 'data:read': 1000, 'ops:read': 500, admin: 250, discovery: 600, unauthenticated: 100 } as const;
export type Policy = keyof typeof LIMITS;
const POLICIES = ['data:read', 'ops:read', 'admin', 'discovery', 'unauthenticated'] as const satisfies readonly Policy[];

/** One request counted. */
export interface Count {
  readonly policy: Policy;
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly msToReset: number;
  readonly isExceeded: boolean;
}

export interface Limiter {
  readonly count: (policy: Policy, subject: string) => Promise<Count>;
  /** False while Redis does not answer and this process counts for itself. */
  readonly isShared: () => boolean;
  readonly kind: 'memory' | 'redis';
}

export interface LimiterOptions {
  readonly redis?: Redis;
  readonly limits?: Partial<Record<Policy, number>>;
  /** Told when Redis stops answering, and when it answers again (null). */
  readonly onTrouble?: (error: unknown) => void;
}

interface Counter {
  readonly limit: number;
  readonly memory: RateLimiterMemory;
  readonly redis: RateLimiterRedis | null;
}

export function createLimiter(options: LimiterOptions = {}): Limiter {
  const { redis, onTrouble = () => undefined } = options;
  let isDown = false;
  const counters = Object.fromEntries(
    POLICIES.map((policy): [Policy, Counter] => {
      const limit = options.limits?.[policy] ?? LIMITS[policy];
      const rules = { points: limit, duration: WINDOW_SECONDS, keyPrefix: `asof:${policy}` };
      return [
        policy,
        {
          limit,
          memory: new RateLimiterMemory(rules),
          redis: redis === undefined ? null : new RateLimiterRedis({ ...rules, storeClient: redis, rejectIfRedisNotReady: true }),
        },
      ];
    }),
  ) as Record<Policy, Counter>;

  const consume = async (counter: Counter, subject: string): Promise<RateLimiterRes> => {
    if (counter.redis === null) return taken(counter.memory.consume(subject));
    try {
      const result = await taken(counter.redis.consume(subject));
      if (isDown) {
        isDown = false;
        onTrouble(null);
      }
      return result;
    } catch (error) {
      if (!isDown) {
        isDown = true;
        onTrouble(error);
      }
      return taken(counter.memory.consume(subject));
    }
  };

  return {
    kind: redis === undefined ? 'memory' : 'redis',
    isShared: () => !isDown,
    async count(policy, subject) {
      const counter = counters[policy];
      const result = await consume(counter, subject);
      return {
        policy,
        limit: counter.limit,
        windowSeconds: WINDOW_SECONDS,
        remaining: Math.max(0, result.remainingPoints),
        msToReset: Math.max(0, result.msBeforeNext),
        isExceeded: result.consumedPoints > counter.limit,
      };
    },
  };
}

// A refusal is rejected with the same kind of result, not with an error.
async function taken(result: Promise<RateLimiterRes>): Promise<RateLimiterRes> {
  try {
    return await result;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  }
}
