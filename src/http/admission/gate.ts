// How many requests of a key, and of all keys, may be asking the engine at once; who comes beyond that is told at once when to come again.
import type { ServerResponse } from 'node:http';
import { type Errand, type Lanes, type PerClass, type QueryClass, QueryTimeoutError } from '../../db/lanes.ts';
import { ApiError } from '../errors.ts';
import type { Client, Scope } from '../route.ts';

/** Running and waiting. */
export interface Capacity {
  readonly perKey: number;
  readonly inAll: number;
}

export interface GateOptions {
  readonly lanes: Lanes;
  readonly capacity: PerClass<Capacity>;
  /** What the queries of one request may take. */
  readonly seconds: PerClass<number>;
  /** How long a bulk answer may take in all, with the time in which its client reads it. */
  readonly lifetimeSeconds: number;
  /** Calls back after so many milliseconds, unless the function that it returns is called before. */
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

/** When a refused client may come again. */
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

/** What ends the queries of a request whose connection is closed; made once, since every connection is in the end. */
const CLOSED = new ClientLeftError();

export interface Gate {
  /**
   * Takes a request in until it is answered or its client leaves, which ends its queries. Throws a rate_limited, with Retry-After set, where
   * there are too many.
   */
  readonly admit: (queryClass: QueryClass, client: Client, requiredScope: Scope, response: ServerResponse) => Errand;
}

/** Its client is slow enough to hold a place for ever. What was not sent by then is not sent. */
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

/** Before its first byte an answer is refused as any that takes too long; later its connection is closed, so that no client takes a part for the whole. */
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

/** What a client is told when the time of its queries is over: that it asked for too much, or came when others asked for too much. */
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
