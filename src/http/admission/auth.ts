// Authenticates a request by the key in its headers, and checks its scope.
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors.ts';
import type { Client, Scope } from '../route.ts';

/** Finds the client of a key. Null for an unknown or revoked key. */
export interface Keys {
  readonly find: (key: string) => Client | null;
}

const MISSING = 'This route needs an API key. Send it in the header x-api-key or as Authorization: Bearer.';

export function authenticate(keys: Keys, request: IncomingMessage): Client {
  const key = keyOf(request);
  const client = keys.find(key);
  if (client === null) throw new ApiError('unauthorized', 'The API key is unknown or revoked. Check it, or ask the operator for another.');
  return client;
}

// Node joins repeated x-api-key headers and keeps the first of repeated Authorization headers, so look at the raw headers.
function keyOf(request: IncomingMessage): string {
  if (isRepeated(request.rawHeaders))
    throw new ApiError('unauthorized', 'The header with the API key was sent more than once. Send it once.');
  const bearer = bearerOf(request.headers.authorization);
  const header = request.headers['x-api-key'];
  const key = typeof header === 'string' ? header.trim() : bearer;
  if (key === undefined || key === '') throw new ApiError('unauthorized', MISSING);
  if (bearer !== undefined && key !== bearer) {
    throw new ApiError('unauthorized', 'The headers x-api-key and Authorization have different keys. Send only one of them.');
  }
  return key;
}

function bearerOf(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const token = /^bearer +([^ ]+) *$/i.exec(authorization)?.[1];
  if (token === undefined) throw new ApiError('unauthorized', 'The header Authorization must read: Bearer <API key>.');
  return token;
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
  throw new ApiError('forbidden', `The API key lacks the scope ${scope}. Use a key that has it, or ask the operator for one.`, {
    required_scope: scope,
  });
}

/** Requests count towards the scope that the route requires. Those of an admin key count towards admin. */
export function policyOf(client: Client, scope: Scope): Scope {
  return client.scopes.includes('admin') ? 'admin' : scope;
}
