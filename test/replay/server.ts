// Publishers on loopback: each answers at its own address, as a table of the test says, with validators, conditions and ranges as they have them.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  /** As the publisher would see it, `https://host/path?query`. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Milliseconds of the machine since some moment. */
  readonly at: number;
  /** How many requests for this address came before. */
  readonly before: number;
}

export interface Served {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The connection breaks after so many bytes of the body. */
  readonly cutAfter?: number;
  /** Pieces of a body without an end. */
  readonly endless?: Uint8Array;
  /** A byte each so many milliseconds. */
  readonly dripEvery?: number;
  readonly isSilent?: boolean;
  /** No ETag and no Last-Modified. */
  readonly isUnvalidated?: boolean;
}

export type Answering = (asked: Asked) => Served;

export interface Replay {
  /** @param place host and path, `www.ecb.europa.eu/stats/eurofxref/eurofxref.zip` */
  readonly serve: (place: string, answering: Answering | string | Uint8Array) => void;
  /** For places that are not in the table. */
  readonly serveAll: (answering: Answering) => void;
  readonly asked: readonly Asked[];
  readonly forget: () => void;
  readonly resolve: (url: string) => string;
  readonly close: () => Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  html: 'text/html; charset=utf-8',
  ics: 'text/calendar',
  json: 'application/json',
  txt: 'text/plain',
  zip: 'application/zip',
};

export async function openReplay(): Promise<Replay> {
  const table = new Map<string, Answering>();
  const asked: Asked[] = [];
  let elsewhere: Answering = () => ({ status: 404, headers: { 'content-type': 'text/html' }, body: '<html>Not found</html>' });
  const server = createServer((request, response) => {
    const [, host = '', ...path] = (request.url ?? '').split('/');
    const url = new URL(`https://${host}/${path.join('/')}`);
    const place = `${url.host}${url.pathname}`;
    const one: Asked = {
      url,
      headers: headersOf(request),
      at: performance.now(),
      before: asked.filter((other) => `${other.url.host}${other.url.pathname}` === place).length,
    };
    asked.push(one);
    const answering = table.get(place) ?? elsewhere;
    send(one, answering(one), response);
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    serve: (place, answering) => {
      table.set(place, typeof answering === 'function' ? answering : () => ({ body: answering }));
    },
    serveAll: (answering) => {
      elsewhere = answering;
    },
    asked,
    forget: () => {
      asked.length = 0;
    },
    resolve: (url) => {
      const { host, pathname, search } = new URL(url);
      return `http://127.0.0.1:${port}/${host}${pathname}${search}`;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function headersOf(request: IncomingMessage): Asked['headers'] {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

function send(asked: Asked, served: Served, response: ServerResponse): void {
  if (served.isSilent === true) return;
  const body = Buffer.from(served.body ?? '');
  const status = served.status ?? 200;
  const headers = headersFor(asked, served, status, body);
  const { etag } = headers;
  if (etag !== undefined && asked.headers['if-none-match'] === etag) {
    response.writeHead(304, { etag }).end();
    return;
  }
  if (served.endless !== undefined) {
    response.writeHead(status, headers);
    pour(response, served.endless);
    return;
  }
  const from = etag !== undefined && (asked.headers['if-range'] ?? etag) === etag ? startOf(asked.headers['range']) : 0;
  const part = body.subarray(from);
  if (from > 0) headers['content-range'] = `bytes ${from}-${body.length - 1}/${body.length}`;
  response.writeHead(from > 0 ? 206 : status, { ...headers, 'content-length': String(part.length) });
  sendBody(served, part, response);
}

function headersFor(asked: Asked, served: Served, status: number, body: Buffer): Record<string, string> {
  const isValidated = status === 200 && served.isUnvalidated !== true;
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
  return {
    'content-type': TYPES[asked.url.pathname.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
    ...(isValidated ? { etag, 'last-modified': 'Fri, 02 Jan 2026 10:00:00 GMT', 'accept-ranges': 'bytes' } : {}),
    ...served.headers,
  };
}

const startOf = (range: string | undefined): number => Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);

function sendBody({ dripEvery, cutAfter }: Served, body: Buffer, response: ServerResponse): void {
  if (dripEvery !== undefined) drip(response, body, dripEvery);
  else if (cutAfter !== undefined && cutAfter < body.length)
    response.write(body.subarray(0, cutAfter), () => setTimeout(() => response.destroy(), 20));
  else response.end(body);
}

function pour(response: ServerResponse, piece: Uint8Array): void {
  if (response.destroyed) return;
  response.write(piece, (error) => {
    if (error == null) setImmediate(() => pour(response, piece));
  });
}

function drip(response: ServerResponse, body: Uint8Array, every: number): void {
  let at = 0;
  const timer = setInterval(() => {
    if (response.destroyed || at >= body.length) clearInterval(timer);
    else response.write(body.subarray(at, (at += 1)));
  }, every);
}
