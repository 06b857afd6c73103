// Counts requests as they end: by templates of routes, never by paths or keys.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type Lanes, QUERY_CLASSES } from '../db/lanes.ts';
import type { Observe } from '../http/admission/exchange.ts';
import type { Gate } from '../http/admission/gate.ts';
import type { Limiter } from '../http/admission/rate-limit.ts';
import type { ResponseCache } from '../http/answer/response-cache.ts';
import { ApiError } from '../http/errors.ts';

export interface Traffic {
  readonly observe: Observe;
  readonly limiter: (limiter: Limiter) => Limiter;
  readonly gate: (gate: Gate) => Gate;
  readonly cache: (cache: ResponseCache) => ResponseCache;
}

/** Requests for unknown routes. */
const NO_ROUTE = 'none';
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];

export function trafficMetrics(registry: Registry, lanes: Lanes): Traffic {
  const registers = [registry];
  const requests = new Counter({
    name: 'asof_requests_total',
    help: 'Requests answered or aborted, by route and status.',
    labelNames: ['route', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'asof_request_duration_seconds',
    help: 'From the first line of a request to the end of its answer, by route.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  });
  const refusals = new Counter({
    name: 'asof_refusals_total',
    help: 'Requests answered with 429: rate by policy, too many at once by class of query.',
    labelNames: ['reason', 'bound'],
    registers,
  });
  const kept = new Counter({
    name: 'asof_cache_lookups_total',
    help: 'Look-ups in the response cache, hit or miss.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['hit', 'miss']) kept.inc({ outcome }, 0);
  const queries = new Gauge({
    name: 'asof_lane_queries',
    help: 'Queries running and waiting for a lane, by class.',
    labelNames: ['class', 'state'],
    registers,
    collect() {
      const load = lanes.load();
      for (const queryClass of QUERY_CLASSES) {
        this.set({ class: queryClass, state: 'running' }, load[queryClass].running);
        this.set({ class: queryClass, state: 'waiting' }, load[queryClass].waiting);
      }
    },
  });
  queries.reset();
  return {
    observe: () => {
      const end = seconds.startTimer();
      return ({ route, status }) => {
        requests.inc({ route: route ?? NO_ROUTE, status: String(status) });
        end({ route: route ?? NO_ROUTE });
      };
    },
    limiter: (limiter) => ({
      ...limiter,
      async take(policy, subject) {
        const counted = await limiter.take(policy, subject);
        if (counted.isExceeded) refusals.inc({ reason: 'rate', bound: policy });
        return counted;
      },
    }),
    gate: (gate) => ({
      admit(queryClass, client, scope, response) {
        try {
          return gate.admit(queryClass, client, scope, response);
        } catch (error) {
          if (error instanceof ApiError && error.code === 'rate_limited') refusals.inc({ reason: 'too_many_at_once', bound: queryClass });
          throw error;
        }
      },
    }),
    cache: (cache) => ({
      ...cache,
      get(key, now) {
        const answer = cache.get(key, now);
        kept.inc({ outcome: answer === null ? 'miss' : 'hit' });
        return answer;
      },
    }),
  };
}
