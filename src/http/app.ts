// The stages of a request, in order: address, route, key, scope, rate limit, parameters, resource.
import { randomUUID } from 'node:crypto';
import express from 'express';
import { answering, notReady } from './answer/answer.ts';
import type { KeyedRoute, Serving } from './answer/asked.ts';
import { checkHost, readAddress } from './admission/address.ts';
import { authenticate, authorise, type Keys, policyOf } from './admission/auth.ts';
import { createCursorCodec } from './answer/cursor.ts';
import { errorBody, itemHead, tailOf } from './answer/envelope.ts';
import { ApiError, STATUS } from './errors.ts';
import { ClientLeftError, type Gate } from './admission/gate.ts';
import {
  type Counting,
  count,
  JSON_TYPE,
  type Log,
  logWhenDone,
  type Observe,
  observeWhenDone,
  openExchange,
  type Reply,
  send,
} from './admission/exchange.ts';
import { checkEmbedded, embeddedClient, type EmbeddedRoutes } from './embedded.ts';
import { keptFiles } from './forms/kept-files.ts';
import type { ParquetWriter } from './forms/parquet.ts';
import { openRoutes } from './open-routes.ts';
import { missingPage, type PageFile, pageAt, type PageFiles, sendMissing, sendPage } from './page-files.ts';
import { type Limiter, limitExceeded, retryAfter } from './admission/rate-limit.ts';
import { type ResponseCache, responseCache } from './answer/response-cache.ts';
import type { AnyRoute, Client, OpenRoute, PinnedSnapshot, Scope, SnapshotStore } from './route.ts';

export interface AppOptions<R extends PinnedSnapshot> {
  /** The keyed routes, in the order of matching. The open routes are added. */
  readonly routes: readonly KeyedRoute<R>[];
  readonly store: SnapshotStore<R>;
  readonly keys: Keys;
  readonly limiter: Limiter;
  readonly gate: Gate;
  readonly cursorSecret: string;
  readonly now: () => number;
  readonly log: Log;
  /** Cache of answers. By default the app creates its own. */
  readonly cache?: ResponseCache;
  readonly observe?: Observe;
  /** Written once from all routes, on the first request for them. */
  readonly documents: {
    readonly openapi: (routes: readonly AnyRoute<R>[]) => unknown;
    readonly llms: (routes: readonly AnyRoute<R>[]) => string;
    readonly llmsFull: (routes: readonly AnyRoute<R>[]) => string;
    /** The slow part of all of them, in turns with other requests. */
    readonly prepare: (routes: readonly AnyRoute<R>[]) => Promise<void>;
  };
  /** Folder for files that are written before they are sent. */
  readonly scratchDir: string;
  readonly parquet: ParquetWriter;
  /** Origins whose pages may read answers. Default: none. */
  readonly corsOrigins?: readonly string[];
  readonly trustProxy?: boolean;
  /** Pages for people. Null if there are none. */
  readonly pages?: PageFiles | null;
  /** Feeds that anyone may read. Null if they need no address. */
  readonly feeds?: Feeds | null;
  /** The data of embedded charts, which need no key. Null if no chart may be embedded. */
  readonly embedded?: EmbeddedRoutes<R> | null;
}

export function createApp<R extends PinnedSnapshot>(options: AppOptions<R>): express.Express {
  const { corsOrigins = [], log, now, pages = null, feeds = null } = options;
  const varyOrigin = corsOrigins.length > 0 ? ', Origin' : '';
  const serving: Serving<R> = {
    store: options.store,
    cursors: createCursorCodec(options.cursorSecret),
    resumable: options.routes.flatMap((route) => (route.kind === 'list' && route.isResumable ? [route] : [])),
    cache: options.cache ?? responseCache(),
    gate: options.gate,
    now,
    scratchDir: options.scratchDir,
    parquet: options.parquet,
    files: keptFiles((error) => log.warn({ error: String(error) }, 'a temporary file cannot be removed')),
    vary: `Authorization, x-api-key, Accept, Accept-Encoding${varyOrigin}`,
  };
  const serverId = randomUUID();
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('trust proxy', options.trustProxy === true ? 1 : false); // trust one proxy: use the address that it saw, not the client's own header

  app.use((request: express.Request, response: Reply, next) => {
    openExchange(request, response, now(), serverId);
    logWhenDone(request, response, log, now);
    if (options.observe !== undefined) observeWhenDone(response, options.observe);
    shareWith(corsOrigins, request, response);
    checkHost(request);
    const address = readAddress(request.url);
    response.locals.exchange.pairs = address.pairs;
    request.url = withoutPrefix(address.path, request.url);
    next();
  });
  for (const route of openRoutes) {
    const body = openBody(route, [...openRoutes, ...options.routes], options);
    app
      .route(route.path)
      .get(forwarding((_request, response) => answerOpen(route, body, response, options)))
      .all(refuseMethod(options));
  }
  for (const route of options.routes) {
    const answer = answering(route, serving);
    app
      .route(route.path)
      .get(
        forwarding(async (request, response) => {
          response.locals.exchange.route = route.path;
          const client = await admit(request, response, route.scope, options);
          await answer(request, response, client);
        }),
      )
      .all(refuseMethod(options));
  }
  serveEmbedded(app, serving, options);
  app.use(
    forwarding(async (request, response) => {
      if (isPreflight(request, response)) return allowPreflight(response, options);
      await countOpen(response, options);
      const page = pageAt(pages, pathAsSent(request), request.headers.accept) ?? (await feedAt(feeds, pathAsSent(request)));
      if (page !== null) return answerPage(page, request, response);
      const missing = missingPage(pages, request);
      if (missing !== null) return sendMissing(missing, response);
      if (pages !== null) response.setHeader('vary', 'Accept');
      throw new ApiError(
        'not_found',
        offAt(pathAsSent(request), options) ?? (pages === null ? NO_ROUTE : `${NO_ROUTE} The guides are at /docs.`),
      );
    }),
  );
  app.use((error: unknown, request: express.Request, response: Reply, _next: express.NextFunction) =>
    answerError(error, request, response, options),
  );
  return app;
}

/** The data of charts on other people's pages. */
function serveEmbedded<R extends PinnedSnapshot>(app: express.Express, serving: Serving<R>, options: AppOptions<R>): void {
  for (const [path, route] of options.embedded ?? []) {
    const answer = answering(route, serving);
    const handle = forwarding(async (request, response) => {
      const { exchange } = response.locals;
      exchange.route = path;
      await countOpen(response, options);
      checkEmbedded(exchange.pairs);
      await answer(request, response, embeddedClient(exchange.caller));
    });
    app.route(path).get(handle).all(refuseMethod(options));
  }
}

const NO_ROUTE = 'Not found. /llms.txt and /openapi.json list every route.';

export interface Feeds {
  /** `unknown`: there is no such feed; null: there is no file of it yet. */
  readonly find: (name: string) => Promise<PageFile | null | 'unknown'>;
}

const FEEDS = '/feeds/';

/** The feed of an address; null if it is no address of a feed. Throws a not_found if the feed has no file yet. */
async function feedAt(feeds: Feeds | null, path: string): Promise<PageFile | null> {
  if (feeds === null || !path.startsWith(FEEDS)) return null;
  const found = await feeds.find(path.slice(FEEDS.length));
  if (found === 'unknown')
    throw new ApiError('not_found', 'There is no such feed. The feeds are /feeds/releases.xml and /feeds/revisions.xml.');
  if (found === null) throw new ApiError('not_found', 'This feed is not written yet. The next night writes it.');
  return found;
}

/** For an address that the operator has not opened: who can, and how. Null for any other address. */
function offAt(path: string, { feeds = null, embedded = null }: Pick<AppOptions<never>, 'feeds' | 'embedded'>): string | null {
  if (feeds === null && path.startsWith(FEEDS)) return 'This server has no open feeds. The operator opens them with FEEDS=on.';
  if (embedded === null && (path === '/embed' || path.startsWith('/embed/')))
    return 'This server has no embedded charts. The operator allows them with EMBED_ORIGINS.';
  return null;
}

/** Pages are not part of the interface, so a path with its prefix finds none. */
function pathAsSent({ originalUrl }: express.Request): string {
  return originalUrl.split('?', 1)[0] ?? '';
}

function answerPage(page: PageFile, request: express.Request, response: Reply): void {
  const { exchange } = response.locals;
  exchange.route = pathAsSent(request);
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    throw new ApiError('not_found', READ_ONLY);
  }
  refuseParameters(
    exchange.pairs.filter(({ name }) => page.parameters?.includes(name) !== true),
    'page',
  );
  sendPage(page, request, response);
}

function refuseParameters([unknown]: Reply['locals']['exchange']['pairs'], what: string): void {
  if (unknown === undefined) return;
  const name = unknown.name.slice(0, 64);
  throw new ApiError('bad_request', `This ${what} takes no parameters. Remove \`${name}\`.`, { parameter: name });
}

function forwarding(handle: (request: express.Request, response: Reply) => Promise<void>) {
  return (request: express.Request, response: Reply, next: express.NextFunction): void => {
    handle(request, response).catch(next);
  };
}

function withoutPrefix(path: string, url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? path : path + url.slice(query);
}

/** Checks key, scope and rate limit. */
async function admit(
  request: express.Request,
  response: Reply,
  scope: Scope,
  options: Counting & { readonly keys: Keys },
): Promise<Client> {
  const { exchange } = response.locals;
  let client: Client;
  try {
    client = authenticate(options.keys, request);
  } catch (error) {
    const failures = await count('take', 'unauthenticated', exchange.caller, response, options);
    if (failures.isExceeded) {
      response.setHeader('retry-after', retryAfter(failures));
      throw limitExceeded(failures, scope);
    }
    response.setHeader('www-authenticate', 'Bearer realm="asof"');
    throw error;
  }
  exchange.keyId = client.keyId;
  response.setHeader('x-key-scopes', client.scopes.join(' '));
  const policy = policyOf(client, scope);
  try {
    authorise(client, scope);
  } catch (error) {
    await count('peek', policy, client.keyId, response, options);
    throw error;
  }
  const counted = await count('take', policy, client.keyId, response, options);
  if (counted.isExceeded) {
    response.setHeader('retry-after', retryAfter(counted));
    throw limitExceeded(counted, scope);
  }
  return client;
}

/** Counts requests without a key by client address. */
async function countOpen(response: Reply, counting: Counting): Promise<void> {
  const counted = await count('take', 'discovery', response.locals.exchange.caller, response, counting);
  if (!counted.isExceeded) return;
  response.setHeader('retry-after', retryAfter(counted));
  throw limitExceeded(counted, 'none');
}

type OpenBody = () => Promise<string>;

async function answerOpen(route: OpenRoute, body: OpenBody, response: Reply, counting: Counting): Promise<void> {
  const { exchange } = response.locals;
  exchange.route = route.path;
  await countOpen(response, counting);
  refuseParameters(exchange.pairs, 'route');
  const text = await body();
  response.setHeader('cache-control', route.data === null ? 'public, max-age=60' : 'no-store');
  if (route.contentType === 'text/plain') send(response, 200, 'text/plain; charset=utf-8', text);
  else send(response, 200, JSON_TYPE, route.data === null ? text : text + tailOf(exchange.requestId));
}

function openBody<R extends PinnedSnapshot>(route: OpenRoute, routes: readonly AnyRoute<R>[], options: AppOptions<R>): OpenBody {
  const { documents } = options;
  const once = (write: () => string): OpenBody => {
    let written: Promise<string> | null = null;
    return () => {
      written ??= documents.prepare(routes).then(write);
      return written;
    };
  };
  switch (route.path) {
    case '/health':
      return () => Promise.resolve(itemHead({ status: 'ok' }, {}));
    case '/ready':
      return () => readiness(options);
    case '/openapi.json':
      return once(() => JSON.stringify(documents.openapi(routes)));
    case '/llms.txt':
      return once(() => documents.llms(routes));
    case '/llms-full.txt':
      return once(() => documents.llmsFull(routes));
    default:
      throw new TypeError(`No answer is known for the open route ${route.path}`);
  }
}

async function readiness<R extends PinnedSnapshot>({ store, limiter }: Pick<AppOptions<R>, 'store' | 'limiter'>): Promise<string> {
  const { isReady, reason, serves, warnings } = store.readiness();
  const pinned = isReady ? await store.acquire() : null;
  if (pinned === null) throw notReady(reason);
  const { snapshotId, knowledgeCutoff } = pinned.snapshot;
  pinned.release();
  return itemHead({ status: 'ready', serves, snapshotId, knowledgeCutoff, warnings, rateLimiter: limiter.state() }, {});
}

const READ_ONLY = 'This service is read-only. Use GET or HEAD.';

const refuseMethod =
  (counting: Counting) =>
  async (request: express.Request, response: Reply, next: express.NextFunction): Promise<void> => {
    if (isPreflight(request, response)) return next();
    await countOpen(response, counting);
    response.setHeader('allow', 'GET, HEAD');
    throw new ApiError('not_found', READ_ONLY);
  };

function isPreflight(request: express.Request, response: Reply): boolean {
  return request.method === 'OPTIONS' && response.hasHeader('access-control-allow-origin');
}

function shareWith(origins: readonly string[], request: express.Request, response: Reply): void {
  const { origin } = request.headers;
  if (origin === undefined || !origins.includes(origin)) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', EXPOSED);
  response.setHeader('cross-origin-resource-policy', 'cross-origin');
  response.setHeader('vary', 'Origin');
}

const EXPOSED =
  'x-request-id, x-ratelimit-policy, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, retry-after, x-key-scopes, x-as-of, x-next-cursor, etag';

async function allowPreflight(response: Reply, counting: Counting): Promise<void> {
  await count('peek', 'discovery', response.locals.exchange.caller, response, counting);
  response.setHeader('access-control-allow-methods', 'GET, HEAD');
  response.setHeader('access-control-allow-headers', 'x-api-key, authorization, x-request-id, if-none-match');
  response.setHeader('access-control-max-age', '600');
  response.writeHead(204).end();
}

async function answerError(error: unknown, request: express.Request, response: Reply, options: Counting): Promise<void> {
  const { exchange } = response.locals;
  if (hasLeft(error)) return; // the request's own log line reports the disconnect
  const told = toApiError(error);
  const reason = told.details?.['reason'];
  if (reason === 'query_timeout' || reason === 'engine_unavailable')
    options.log.warn({ requestId: exchange.requestId, route: exchange.route }, told.message);
  else if (told.code === 'internal_error' && reason !== 'not_ready') {
    options.log.error({ err: error, requestId: exchange.requestId, route: exchange.route }, 'request failed');
  }
  if (response.headersSent) {
    request.socket.destroy();
    return;
  }
  if (!exchange.isCounted) await count('peek', 'discovery', exchange.caller, response, options);
  response.removeHeader('trailer');
  response.setHeader('cache-control', 'no-store');
  send(response, STATUS[told.code], JSON_TYPE, errorBody(told, exchange.requestId));
}

const LEFT: ReadonlySet<string> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** True if an answer failed because its client disconnected. */
function hasLeft(error: unknown): boolean {
  return error instanceof ClientLeftError || (error instanceof Error && 'code' in error && LEFT.has(String(error.code)));
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const status = error instanceof Error && 'status' in error ? error.status : null;
  if (typeof status === 'number' && status >= 400 && status < 500) return new ApiError('bad_request', 'The request is malformed.');
  return new ApiError('internal_error', 'The service failed. Give the request id to the operator, who can find it in the log.');
}
