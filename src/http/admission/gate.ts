// Limits how many requests of a key, and of all keys, may use the engine at once. Further requests get a 429 at once, with a time to retry.
import type { ServerResponse } from 'node:http';
import { type Errand, type Lanes, type PerClass, type QueryClass, QueryTimeoutError } from '../../db/lanes.ts';
import { ApiError } from '../errors.ts';
import type { Client, Scope } from '../route.ts';

/** Running and waiting requests. */
export interface Capacity {
  readonly perKey: number;
  readonly inAll: number;
}

export interface GateOptions {
  readonly lanes: Lanes;
  readonly capacity: PerClass<Capacity>;
  /** Time limits for the queries of one request. */
  readonly seconds: PerClass<number>;
  /** Time limit of a bulk answer, including the time in which the client reads it. */
  readonly lifetimeSeconds: number;
  /** Calls back after some milliseconds. The returned function cancels that. */
  readonly after?: (milliseconds: number, call: () => void) => () => void;
}

function afterOf(milliseconds: number, call: () => void): () => void {
  const timer = setTimeout(call, milliseconds);
  return () => clearTimeout(timer);
}

export const CAPACITY: PerClass<Capacity> = {
  lookup: { perKey: 64, inAll: 256 },
  screen: { perKey: 8, inAll: 32 },
  bulk: { perKey: 4, inAll: 16 },
};

/** Seconds after which a refused client may retry. */
const RETRY_SECONDS: PerClass<number> = { lookup: 1, screen: 2, bulk: 10 };

const NAMES: PerClass<string> = { lookup: 'look-ups', screen: 'screens', bulk: 'bulk answers' };
const REMEDIES: PerClass<string> = {
  lookup: 'Ask for fewer series, a shorter period or a smaller limit.',
  screen: 'Ask with fewer fields, a smaller universe or without as_of.',
  bulk: 'Ask for fewer rows, and continue with x-next-cursor.',
};

/** The client closed its connection before the answer was sent. */
export class ClientLeftError extends Error {
  override readonly name = 'ClientLeftError';
  constructor() {
    super('The client disconnected');
  }
}

/** The reason that ends the queries of a closed connection. One shared object, because every connection closes in the end. */
const CLOSED = new ClientLeftError();

export interface Gate {
  /**
   * Admits a request until it is answered or its client disconnects, which cancels its queries. Throws a rate_limited, with Retry-After, if
   * there
   * are too many.
   */
  readonly admit: (queryClass: QueryClass, client: Client, requiredScope: Scope, response: ServerResponse) => Errand;
}

/** The client is too slow. The rest of the answer is not sent, because it would hold its place forever. */
class LifetimeError extends ClientLeftError {
  override readonly message = 'The answer took longer than the limit for bulk answers';
}

export function openGate({ lanes, capacity, seconds, lifetimeSeconds, after = afterOf }: GateOptions): Gate {
  const counts = { lookup: new Map<string, number>(), screen: new Map<string, number>(), bulk: new Map<string, number>() };
  const totals = { lookup: 0, screen: 0, bulk: 0 };
  return {
    admit(queryClass, { keyId }, requiredScope, response) {
      if (response.destroyed) throw new ClientLeftError();
      const ofKey = counts[queryClass].get(keyId) ?? 0;
      const { perKey, inAll } = capacity[queryClass];
      if (ofKey >= perKey || totals[queryClass] >= inAll) {
        response.setHeader('retry-after', String(RETRY_SECONDS[queryClass]));
        const limit = ofKey >= perKey ? perKey : inAll;
        throw tooMany(queryClass, limit, ofKey >= perKey ? 'This key' : 'The service', requiredScope);
      }
      counts[queryClass].set(keyId, ofKey + 1);
      totals[queryClass] += 1;
      const errand = lanes.open(queryClass, keyId, seconds[queryClass] * 1000);
      const keep = queryClass === 'bulk' ? after(lifetimeSeconds * 1000, () => breakOff(errand, response, lifetimeSeconds)) : null;
      response.once('close', () => {
        keep?.();
        const left = (counts[queryClass].get(keyId) ?? 1) - 1;
        if (left === 0) counts[queryClass].delete(keyId);
        else counts[queryClass].set(keyId, left);
        totals[queryClass] -= 1;
        errand.end(CLOSED);
      });
      return errand;
    },
  };
}

/**
 * Before the first byte, the answer becomes a timeout error. After it, the connection is closed, so that no client takes a part for the
 * whole.
 */
function breakOff(errand: Errand, response: ServerResponse, lifetimeSeconds: number): void {
  errand.end(new QueryTimeoutError('bulk', lifetimeSeconds, true));
  if (response.headersSent) response.destroy(new LifetimeError());
}

function tooMany(queryClass: QueryClass, limit: number, whose: string, requiredScope: Scope): ApiError {
  return new ApiError(
    'rate_limited',
    `${whose} already has ${limit} ${NAMES[queryClass]} in progress. Retry after the time in Retry-After.`,
    { required_scope: requiredScope, limit, window_seconds: RETRY_SECONDS[queryClass], reason: 'too_many_at_once' },
  );
}

/** The error of a request that ran out of time: either its own queries were too slow, or it waited for those of others. */
export function timeoutError({ queryClass, seconds, hasRun }: QueryTimeoutError, requiredScope: Scope, response: ServerResponse): ApiError {
  if (hasRun) {
    return new ApiError(
      'internal_error',
      `The query was stopped after ${seconds} s, the limit for ${NAMES[queryClass]}. ${REMEDIES[queryClass]}`,
      {
        reason: 'query_timeout',
        limit_seconds: seconds,
      },
    );
  }
  if (!response.headersSent) response.setHeader('retry-after', String(RETRY_SECONDS[queryClass]));
  return new ApiError(
    'rate_limited',
    `The query waited ${seconds} s for a free lane and did not start. Retry after the time in Retry-After.`,
    {
      required_scope: requiredScope,
      limit: CAPACITY[queryClass].inAll,
      window_seconds: RETRY_SECONDS[queryClass],
      reason: 'too_many_at_once',
    },
  );
}
