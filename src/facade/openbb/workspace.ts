// The pages of OpenBB Workspace, which call the facade from a browser.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Origins of Workspace. No other page may read the answers. */
const OPENBB_ORIGINS: ReadonlySet<string> = new Set(['https://pro.openbb.co', 'https://pro.openbb.dev', 'http://localhost:1420']);

const OPENBB = /^(?:\/at\/[^/]*)?\/openbb(?:[/?]|$)/;
export const isPreflight = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && OPENBB.test(url ?? '') && headers['access-control-request-method'] !== undefined;

/** The pages of Workspace may read their own paths. No other page may read anything. */
export function allowWorkspace({ url, headers: { origin } }: IncomingMessage, response: ServerResponse): void {
  if (!OPENBB.test(url ?? '')) return;
  response.setHeader('vary', 'Origin');
  if (origin === undefined || !OPENBB_ORIGINS.has(origin)) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-methods', 'GET');
  response.setHeader('access-control-allow-headers', 'x-api-key, authorization, content-type');
  // Chromium asks for this before a remote page may call loopback.
  response.setHeader('access-control-allow-private-network', 'true');
}
