// The listening socket. Requests that Node refuses before the app get the same error envelope. A stop finishes open requests.
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorBody } from './answer/envelope.ts';
import { ApiError, STATUS } from './errors.ts';
import { LIMITS, rateHeaders, WINDOW_SECONDS } from './admission/rate-limit.ts';

export interface Served {
  readonly port: number;
  /** Accepts no new connections, finishes open requests, and closes the rest after the deadline. */
  readonly stop: (deadlineMs: number) => Promise<void>;
}

/** @param mostConnections the most open connections; a further one is closed. null: as many as the system allows */
export async function serve(
  app: RequestListener,
  at: { readonly host: string; readonly port: number },
  now: () => number,
  mostConnections: number | null = null,
): Promise<Served> {
  // The app checks Host, because its answers have all headers. Node must check for slow headers often, to refuse them in time.
  const server = createServer(
    {
      requireHostHeader: false,
      headersTimeout: HEADERS_MS,
      connectionsCheckingInterval: HEADERS_MS / 10,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    app,
  );
  const silent = closeSilent(server, now);
  if (mostConnections !== null) {
    server.maxConnections = mostConnections;
    // Node closed a connection over the limit. Close idle ones, to make room for the next.
    server.on('drop', () => {
      server.closeIdleConnections();
      silent.close(now() - HASTY_MS);
    });
  }
  server.on('checkExpectation', app);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    refuse(socket, new ApiError('bad_request', REFUSALS[error.code ?? ''] ?? 'The request is not valid HTTP.'), now());
  });
  server.on('connect', (_request, socket) => {
    refuse(socket, new ApiError('not_found', 'This service is read-only. Use GET or HEAD.'), now(), 'Allow: GET, HEAD\r\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { port: portOf(server), stop: (deadlineMs) => stop(server, deadlineMs) };
}

/** Longer than proxies and clients keep an idle connection. If the server closed it first, it could cut off a request just being sent. */
const KEEP_ALIVE_MS = 75_000;

/** Time limit for the headers of a request. */
const HEADERS_MS = 10_000;

/** A client sends its request as soon as it is connected. */
const HASTY_MS = 1000;

/** Node.js waits forever for a connection that sends nothing. */
function closeSilent(server: Server, now: () => number): { readonly close: (before: number) => void } {
  const since = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    since.set(socket, now());
    const timer = setTimeout(() => {
      since.delete(socket);
      if (socket.bytesRead === 0) socket.destroy();
    }, HEADERS_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      since.delete(socket);
    });
  });
  return {
    close(before) {
      for (const [socket, at] of since) if (at < before && socket.bytesRead === 0) socket.destroy();
    },
  };
}

const REFUSALS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The address and headers are too long. Shorten them.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
  HPE_INVALID_METHOD: 'Unknown HTTP method. Use GET or HEAD.',
};

function refuse(socket: Duplex, error: ApiError, now: number, more = ''): void {
  const requestId = `req_${randomUUID()}`;
  const body = errorBody(error, requestId);
  const limit = LIMITS.discovery;
  const rate = rateHeaders({ policy: 'discovery', limit, remaining: limit, msToReset: WINDOW_SECONDS * 1000, isExceeded: false }, now);
  const headers = Object.entries({
    ...rate,
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const reason = error.code === 'not_found' ? 'Not Found' : 'Bad Request';
  socket.end(`HTTP/1.1 ${STATUS[error.code]} ${reason}\r\n${headers.join('')}${more}\r\n${body}`);
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server does not listen on a port');
  return address.port;
}

async function stop(server: Server, deadlineMs: number): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
  // Repeat: a connection whose request ends after close() began would wait for the client's next request.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(deadline);
  clearInterval(idle);
}
