// Who asks: the key out of the headers, and whether it may.
import type { IncomingMessage } from 'node:http';
import { ApiError } from './errors.ts';
import type { Client, Scope } from './route.ts';

/** The client of a key, null for an unknown or revoked one. */
export interface Keys {
  readonly find: (key: string) => Client | null;
}

const MISSING = 'This route needs an API key, in the header x-api-key or as Authorization: Bearer.';

export function authenticate(keys: Keys, request: IncomingMessage): Client {
  const key = keyOf(request);
  const client = keys.find(key);
  if (client === null) throw new ApiError('unauthorized', 'The API key is not valid.');
  return client;
}

// Node joins repeated x-api-key headers and keeps the first of repeated Authorization headers: both hide that there were two.
function keyOf(request: IncomingMessage): string {
  const keyHeader = request.headers['x-api-key'];
  const authorization = request.headers.authorization;
  if (keyHeader === undefined && authorization === undefined) throw new ApiError('unauthorized', MISSING);
  if (isRepeated(request.rawHeaders)) throw new ApiError('unauthorized', 'A header with the API key was sent more than once.');
  const bearer = authorization === undefined ? undefined : /^bearer +([^ ]+) *$/i.exec(authorization)?.[1];
  if (authorization !== undefined && bearer === undefined) {
    throw new ApiError('unauthorized', 'The header Authorization must read: Bearer <API key>.');
  }
  const key = typeof keyHeader === 'string' ? keyHeader.trim() : undefined;
  if (key !== undefined && bearer !== undefined && key !== bearer) {
    throw new ApiError('unauthorized', 'The headers x-api-key and Authorization carry different keys.');
  }
  const found = key ?? bearer;
  if (found === undefined || found === '') throw new ApiError('unauthorized', MISSING);
  return found;
}

function isRepeated(rawHeaders: readonly string[]): boolean {
  let keys = 0;
  let authorizations = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 9 && name.toLowerCase() === 'x-api-key') keys += 1;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1;
  }
  return keys > 1 || authorizations > 1;
}

export function hasScope(client: Client, scope: Scope): boolean {
  return client.scopes.includes(scope) || client.scopes.includes('admin');
}

export function authorise(client: Client, scope: Scope): void {
  if (hasScope(client, scope)) return;
  throw new ApiError('forbidden', `The API key does not carry the scope ${scope}.`, { required_scope: scope });
}
