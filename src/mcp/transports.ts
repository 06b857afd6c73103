// The two ways in: standard input and output of a process, and Streamable HTTP.
import type { Server } from 'node:http';
import { createMcpExpressApp } from '@modelcontextprotocol/express';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { openServiceClient } from '../client/service.ts';
import { type McpOptions, openMcpServer } from './server.ts';

export interface Mcp extends Omit<McpOptions, 'service'> {
  readonly url: string;
  /** The key of the process; over HTTP only for callers without their own. */
  readonly key: string | null;
}

const serverFor = (mcp: Mcp, key: string | null) => openMcpServer({ ...mcp, service: openServiceClient(mcp.url, key) });

export function serveOverStdio(mcp: Mcp, onError: (error: Error) => void): { readonly close: () => Promise<void> } {
  return serveStdio(() => serverFor(mcp, mcp.key), { onerror: onError });
}

export interface Listening {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** POST /mcp. Forwards a caller's key, in `x-api-key` or as bearer token, unchanged: the service checks it. */
export async function serveOverHttp(
  mcp: Mcp,
  { host, port }: { readonly host: string; readonly port: number },
  onError: (error: Error) => void,
): Promise<Listening> {
  const handler = createMcpHandler(({ requestInfo }) => serverFor(mcp, keyIn(requestInfo?.headers) ?? mcp.key), {
    onerror: onError,
    maxRequestBodySize: MOST_BODY,
  });
  const app = createMcpExpressApp({ host });
  app.disable('x-powered-by');
  const answer = toNodeHandler(handler);
  app.all('/mcp', (request, response) => void answer(request, response, request.body as unknown));
  const server = await new Promise<Server>((resolve, reject) => {
    const listening = app.listen(port, host, (error?: Error) => (error === undefined ? resolve(listening) : reject(error)));
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: async () => {
      await handler.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const MOST_BODY = 64 * 1024;

function keyIn(headers: Headers | undefined): string | null {
  return headers?.get('x-api-key') ?? /^Bearer +(\S+)$/i.exec(headers?.get('authorization') ?? '')?.[1] ?? null;
}
