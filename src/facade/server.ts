// The facade as a program: the addresses of FRED, SDMX and OpenBB on its own port, and below /at/<day> the same as of that day. It logs
// nothing.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { openServiceClient } from '../client/service.ts';
import { placeOf, type Received, receivedOf, type Sent, send } from './exchange.ts';
import { FacadeError, failureOf } from './failure.ts';
import { answerFred, fredError } from './fred/answer.ts';
import { answerOpenbb } from './openbb/answer.ts';
import { allowWorkspace, isPreflight } from './openbb/workspace.ts';
import { answerSdmx, sdmxPlaceOf } from './sdmx/answer.ts';
import { openStandings } from './standing.ts';

export interface FacadeOptions {
  /** The service's address. */
  readonly url: string;
  /** For clients that send no `api_key`: FRED's CSV of a graph needs none. */
  readonly key: string | null;
  readonly now: () => number;
}

/** Longer than clients keep a connection. If the server closed it first, it could reset a request just being sent. */
const KEPT_MS = 65_000;

function openFacade({ url, key: ownKey, now }: FacadeOptions) {
  const standingOf = openStandings(url, now);
  const answerTo = async ({ method, address, isJson, accept, headerKey }: Received): Promise<Sent> => {
    if (address === null) throw new FacadeError(400, 'Bad Request. The address is not valid percent-encoded UTF-8.');
    if (method !== 'GET' && method !== 'HEAD') throw new FacadeError(404, 'Not Found. Use GET.');
    const { day, path } = placeOf(address.pathname, now());
    const query = address.searchParams;
    const key = query.get('api_key') ?? headerKey ?? ownKey;
    const sdmx = sdmxPlaceOf(path);
    if (sdmx !== null) {
      const request = { query, accept, day, now: new Date(now()).toISOString() };
      return answerSdmx(sdmx, request, (cutoff) => standingOf(cutoff, key));
    }
    if (/^\/openbb(?:\/|$)/.test(path)) return answerOpenbb(path.slice('/openbb'.length), query, day, () => openServiceClient(url, key));
    return answerFred(path, query, isJson, () => standingOf(day, key));
  };
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = receivedOf(request);
    await send(response, await answerTo(received).catch((error: unknown) => fredError(failureOf(error), received.isJson)));
  };
}

export interface Listening {
  readonly port: number;
  readonly close: () => Promise<void>;
}

export async function serveFacade(options: FacadeOptions, at: { readonly host: string; readonly port: number }): Promise<Listening> {
  const answer = openFacade(options);
  const isLoopback = LOOPBACK.has(at.host);
  const server = createServer({ headersTimeout: 10_000, keepAliveTimeout: KEPT_MS }, (request, response) => {
    // A foreign page whose name resolves to loopback must not read with the operator's key.
    if (isLoopback && !LOOPBACK.has(hostOf(request.headers.host)))
      void send(
        response,
        fredError(
          { status: 403, message: 'Forbidden. The header Host names another host. Use the address at which the facade listens.' },
          false,
        ),
      );
    else if (isPreflight(request)) {
      allowWorkspace(request, response);
      response.writeHead(204).end();
    } else {
      allowWorkspace(request, response);
      void answer(request, response);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : at.port,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]', '::1']);
const hostOf = (host = '') => host.replace(/:\d+$/, '').toLowerCase();
