// A request to the facade and its answer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FacadeError } from './failure.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';
export const CSV_TYPE = 'text/csv; charset=utf-8';
export const XML_TYPE = 'text/xml; charset=utf-8';

export interface Sent {
  readonly status: number;
  readonly type: string;
  /** An answer in parts has no known length. */
  readonly body: string | AsyncIterable<string>;
}

/** If an answer in parts fails midway, the connection breaks: the client sees that it is not whole. */
export async function send(response: ServerResponse, { status, type, body }: Sent): Promise<void> {
  response.writeHead(status, {
    'content-type': type,
    ...(typeof body === 'string' ? { 'content-length': Buffer.byteLength(body) } : {}),
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  if (typeof body === 'string' || response.req.method === 'HEAD') response.end(typeof body === 'string' ? body : '');
  else await pipeline(Readable.from(body), response).catch(() => response.destroy());
}

export interface Received {
  readonly method: string | undefined;
  /** Null if it is malformed. */
  readonly address: URL | null;
  readonly isJson: boolean;
  readonly accept: string;
  readonly headerKey: string | null;
}

export function receivedOf(request: IncomingMessage): Received {
  const address = addressOf(request.url ?? '/');
  return {
    method: request.method,
    address,
    isJson: address?.searchParams.get('file_type') === 'json',
    accept: request.headers.accept ?? '',
    headerKey: headerKeyOf(request),
  };
}

/** Reads the API key from the header x-api-key, or else from `Authorization: Bearer`. */
function headerKeyOf({ headers }: IncomingMessage): string | null {
  const own = headers['x-api-key'];
  if (typeof own === 'string' && own !== '') return own;
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

function addressOf(target: string): URL | null {
  // Not as a relative address: //fred/series would have `fred` as its host.
  const address = `http://facade${target}`;
  return target.startsWith('/') && URL.canParse(address) ? new URL(address) : null;
}

/** `/at/2020-05-31/fred/series` is `/fred/series` as of that day. A future day is refused. */
export function placeOf(pathname: string, now: number): { readonly day: string | undefined; readonly path: string } {
  const path = pathname.replace(/\/+$/, '');
  const at = /^\/at\/([^/]*)(\/.*)?$/.exec(path);
  if (at === null) return { day: undefined, path };
  const [, day = '', rest = ''] = at;
  const time = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day)
    throw new FacadeError(400, 'Bad Request. Write a day after /at, such as /at/2020-05-31/fred/….');
  if (time > now) throw new FacadeError(400, `Bad Request. ${day} is in the future. Use a day up to today.`);
  return { day, path: rest };
}
