// The state of one request, and the headers of every answer.
import { randomUUID } from 'node:crypto';
import type express from 'express';
import type { Logger } from 'pino';
import { holdsKey } from '../../keys/key.ts';
import type { Pair } from './address.ts';
import type { Count, Limiter, Policy } from './rate-limit.ts';
import { LIMITS, rateHeaders, WINDOW_SECONDS } from './rate-limit.ts';

/** Called when a request is done. The route is the path of a description, or null if none matched. */
export type Observe = () => (done: { readonly route: string | null; readonly status: number }) => void;

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;

export interface Exchange {
  readonly requestId: string;
  readonly startedAt: number;
  /** The client's address, for counts without a key. */
  readonly caller: string;
  pairs: readonly Pair[];
  /** Path of the route's description, never the sent path. */
  route: string | null;
  keyId: string | null;
  /** True if the four rate headers are set. */
  isCounted: boolean;
  rows: number | null;
}

export type Reply = express.Response<unknown, { exchange: Exchange }>;

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

const SECURITY_HEADERS = Object.entries({
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
});

/**
 * Replaces an id that is malformed or may contain a key, because ids are echoed and logged.
 * @param serverId separates this server from others that count in the same Redis
 */
export function openExchange(request: express.Request, response: Reply, now: number, serverId: string): Exchange {
  const sent = request.headers['x-request-id'];
  const requestId = typeof sent === 'string' && REQUEST_ID.test(sent) && !holdsKey(sent) ? sent : `req_${randomUUID()}`;
  const exchange: Exchange = {
    requestId,
    startedAt: now,
    caller: callerOf(request, serverId),
    pairs: [],
    route: null,
    keyId: null,
    isCounted: false,
    rows: null,
  };
  response.locals.exchange = exchange;
  response.setHeader('x-request-id', requestId);
  for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
  return exchange;
}

/**
 * A request of the proxy itself, such as a health check, has no X-Forwarded-For. It counts per server and apart from forwarded requests.
 * Otherwise
 * clients at the proxy's address, or many servers, could use up its limit, and the proxy would consider every server down.
 */
function callerOf({ app, headers, ip = 'unknown' }: express.Request, serverId: string): string {
  const isBehindProxy = app.get('trust proxy') !== false;
  return isBehindProxy && headers['x-forwarded-for'] === undefined ? `${ip} itself, at ${serverId}` : ip;
}

/** Logs one line per request when it is done. The fields are fixed, so no header or parameter can bring a key into the log. */
export function logWhenDone(request: express.Request, response: Reply, log: Log, now: () => number): void {
  const { exchange } = response.locals;
  response.once('close', () => {
    log.info(
      {
        requestId: exchange.requestId,
        keyId: exchange.keyId,
        method: request.method,
        route: exchange.route,
        status: response.statusCode,
        ms: now() - exchange.startedAt,
        rows: exchange.rows,
        ...(response.writableFinished ? {} : { isAborted: true }),
      },
      'request',
    );
  });
}

export interface Counting {
  readonly limiter: Limiter;
  readonly log: Log;
  readonly now: () => number;
}

/** Calls an observer when a request is done. */
export function observeWhenDone(response: Reply, observe: Observe): void {
  const { exchange } = response.locals;
  const tell = observe();
  response.once('close', () => tell({ route: exchange.route, status: response.statusCode }));
}

/** Counts a request, or reads the count, and sets the four headers. If the limiter fails, the request passes. */
export async function count(kind: 'take' | 'peek', policy: Policy, subject: string, response: Reply, counting: Counting): Promise<Count> {
  const counted = await counting.limiter[kind](policy, subject).catch((error: unknown): Count => {
    counting.log.error({ err: error }, 'the limiter failed; the request passes');
    return { policy, limit: LIMITS[policy], remaining: LIMITS[policy], msToReset: WINDOW_SECONDS * 1000, isExceeded: false };
  });
  for (const [name, value] of Object.entries(rateHeaders(counted, counting.now()))) response.setHeader(name, value);
  response.locals.exchange.isCounted = true;
  return counted;
}

/** Sends a whole body. Node omits it for HEAD. */
export function send(response: Reply, status: number, contentType: string, body: string | Buffer): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  response.statusCode = status;
  response.setHeader('content-type', contentType);
  response.setHeader('content-length', bytes.length);
  response.end(bytes);
}

export const JSON_TYPE = 'application/json; charset=utf-8';
