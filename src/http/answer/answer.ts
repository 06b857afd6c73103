// Answers a keyed route: parameters, snapshot, tag, page or item, envelope.
import type express from 'express';
import { answerList } from './answer-list.ts';
import {
  type Asked,
  begin,
  cacheHeaders,
  dayOf,
  isHeld,
  type KeyedRoute,
  limitedHistory,
  questionOf,
  sendNotModified,
  type Serving,
  tagFor,
  viewOf,
} from './asked.ts';
import { type Coding, codingFor, etag, gzipTail, matchedEtag } from './conditional.ts';
import { itemHead, tailOf } from './envelope.ts';
import { EngineUnavailableError } from '../../db/engine-error.ts';
import { QueryTimeoutError } from '../../db/lanes.ts';
import { timeoutError } from '../admission/gate.ts';
import { ApiError } from '../errors.ts';
import { formatOf } from '../forms/negotiation.ts';
import { JSON_TYPE, type Reply } from '../admission/exchange.ts';
import { type CompiledParameters, compileParameters, type ReadParameters, readParameters } from '../params.ts';
import { type RenderedAnswer, renderedAnswer } from './response-cache.ts';
import { type AnyItemRoute, type Client, type Format, type PinnedSnapshot, type Scope, standardParameters } from '../route.ts';

export type Answer = (request: express.Request, response: Reply, client: Client) => Promise<void>;

export function answering<R extends PinnedSnapshot>(route: KeyedRoute<R>, serving: Serving<R>): Answer {
  const compiled = compileParameters({ ...standardParameters(route), ...route.query });
  return async (request, response, client) => {
    const now = serving.now();
    const coding = codingFor(request.headers['accept-encoding']);
    const current = await serving.store.acquire();
    if (current === null) throw notReady(serving.store.readiness().reason);
    try {
      const accept = route.kind === 'list' && route.isBulk ? (request.headers.accept ?? '') : '';
      const cacheKey = [
        current.snapshot.snapshotId,
        current.snapshot.opening ?? 0,
        current.snapshot.rightsState ?? '',
        dayOf(now),
        viewOf(client),
        accept,
        request.url,
      ].join(' ');
      const kept = serving.cache.get(cacheKey, now);
      if (kept !== null) return await sendRendered(serving, request, response, kept, coding);
      const read = readRequest(route, compiled, request, response);
      const format = formOf(route, read.parameters, request);
      const errand = serving.gate.admit(format === 'json' ? (route.queryClass ?? 'lookup') : 'bulk', client, route.scope, response);
      const asked = { serving, request, response, client, now, coding, format, errand, ...read };
      const rendered =
        route.kind === 'list' ? await answerList(route, asked, current.snapshot) : await answerItem(route, asked, current.snapshot);
      if (rendered === null) return;
      serving.cache.set(cacheKey, rendered);
      await sendRendered(serving, request, response, rendered, coding);
    } catch (error) {
      throw refusalOf(error, route.scope, response);
    } finally {
      current.release();
    }
  };
}

/** The error for a question that took too long or could not be answered. */
function refusalOf(error: unknown, scope: Scope, response: Reply): unknown {
  if (error instanceof EngineUnavailableError) return new ApiError('internal_error', error.message, { reason: 'engine_unavailable' });
  return error instanceof QueryTimeoutError ? timeoutError(error, scope, response) : error;
}

function formOf<R extends PinnedSnapshot>(route: KeyedRoute<R>, { values }: ReadParameters, request: express.Request): Format {
  return route.kind === 'list' && route.isBulk ? formatOf(values['format'], request.headers.accept) : 'json';
}

/** @param why the cause and the operator's remedy */
export function notReady(why: string | null): ApiError {
  return new ApiError('internal_error', `No snapshot is loaded${why === null ? ' yet.' : `. ${why}`}`, { reason: 'not_ready' });
}

function readRequest<R extends PinnedSnapshot>(
  route: KeyedRoute<R>,
  compiled: CompiledParameters,
  request: express.Request,
  response: Reply,
) {
  const parameters = readParameters(compiled, response.locals.exchange.pairs);
  const path: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.params)) {
    const text = typeof value === 'string' ? value : '';
    const schema = route.pathParameters[name];
    const parsed = schema === undefined ? { success: true as const, data: text } : schema.safeParse(text);
    if (!parsed.success) throw new ApiError('not_found', `Not found: \`${name}\` ${parsed.error.issues[0]?.message ?? 'is not valid'}.`);
    path[name] = parsed.data;
  }
  return { parameters, path };
}

async function answerItem<R extends PinnedSnapshot>(route: AnyItemRoute<R>, asked: Asked<R>, current: R): Promise<RenderedAnswer | null> {
  const { serving, parameters, client, now } = asked;
  const question = questionOf(route, asked.path, parameters.texts, { sort: '', order: '', tier: client.tier });
  const { after, snapshot, context, walk, release } = await begin(asked, question, current);
  try {
    const tag = tagFor(asked, route, snapshot, 'json');
    if (isHeld(asked, tag)) return null;
    let said: Readonly<Record<string, unknown>> = {};
    const data = await route.find(parameters.values, context, asked.path, {
      limit: Number(parameters.values['limit']),
      after,
      cursorAt: (key) => (key === null ? null : serving.cursors.encode(question, { key, walk }, now)),
      say: (meta) => {
        said = meta;
      },
    });
    return renderedAnswer(Buffer.from(itemHead(data, { ...limitedHistory(route, client), ...said })), tag, null, now);
  } finally {
    release();
  }
}

/** Compressing a smaller answer costs more than it saves. */
const LEAST_GZIP_BYTES = 4096;

async function sendRendered<R extends PinnedSnapshot>(
  serving: Serving<R>,
  request: express.Request,
  response: Reply,
  rendered: RenderedAnswer,
  accepted: Coding,
): Promise<void> {
  const { exchange } = response.locals;
  const coding = rendered.head.length < LEAST_GZIP_BYTES ? 'identity' : accepted;
  const held = matchedEtag(request.headers['if-none-match'], rendered.tag, accepted, coding);
  if (held !== null) return sendNotModified(serving, response, held);
  exchange.rows = rendered.rows;
  const tail = Buffer.from(tailOf(exchange.requestId));
  const compressed = coding === 'gzip' ? await rendered.gzip() : null;
  const [first, second] = compressed === null ? [rendered.head, tail] : [compressed.bytes, gzipTail(compressed, tail)];
  response.writeHead(200, {
    'content-type': JSON_TYPE,
    'content-length': first.length + second.length,
    ...(coding === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
    ...cacheHeaders(serving.vary),
    etag: etag(rendered.tag, coding),
  });
  response.cork();
  response.write(first);
  response.end(second);
  response.uncork();
}
