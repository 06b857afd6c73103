// The first stage: splits and strictly decodes the address. It refuses addresses that Express would accept.
import type { IncomingMessage } from 'node:http';
import { holdsKey } from '../../keys/key.ts';
import { ApiError } from '../errors.ts';

export interface Pair {
  readonly name: string;
  readonly value: string;
}

export interface Address {
  /** As sent, without the `/v1` prefix. */
  readonly path: string;
  readonly pairs: readonly Pair[];
}

const MOST_PAIRS = 100;
const ABSOLUTE = /^https?:\/\/[^/?#]*/i;
const VISIBLE_ASCII = /^[\x21-\x7e]*$/;
const KEY_NAMES: ReadonlySet<string> = new Set(['api_key', 'apikey', 'api-key', 'key', 'token', 'access_token', 'x-api-key', 'x_api_key']);

/** Throws a bad_request for an address with more than one reading. */
export function readAddress(url: string): Address {
  const address = url.startsWith('/') ? url : withoutOrigin(url);
  if (!VISIBLE_ASCII.test(address)) throw new ApiError('bad_request', 'The address has characters that must be percent-encoded.');
  if (address.includes('#')) throw new ApiError('bad_request', 'The address has a fragment. Remove # and everything after it.');
  const query = address.indexOf('?');
  const path = query === -1 ? address : address.slice(0, query);
  const pairs = query === -1 ? [] : readPairs(address.slice(query + 1));
  refuseKeys(path.includes('%') ? decode(path, 'The path') : path, pairs);
  return { path: readPath(path), pairs };
}

/** The target of a request is a path, an HTTP address, or the asterisk that means the server itself. */
function withoutOrigin(url: string): string {
  if (url === '*') return url;
  if (!ABSOLUTE.test(url)) throw new ApiError('bad_request', 'The request target must be a path, or an http or https address.');
  const rest = url.replace(ABSOLUTE, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Throws a bad_request unless an HTTP/1.1 request has exactly one Host header. */
export function checkHost(request: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>): void {
  const hosts = request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts === 1 || (hosts === 0 && request.httpVersion === '1.0')) return;
  throw new ApiError('bad_request', `The header Host ${hosts === 0 ? 'is missing' : 'was sent more than once'}. Send it once.`);
}

function readPath(path: string): string {
  decode(path, 'The path');
  if (path === '/v1') return '/';
  return path.startsWith('/v1/') ? path.slice(3) : path;
}

function readPairs(query: string): readonly Pair[] {
  if (query === '') return [];
  const raw = query.split('&');
  if (raw.length > MOST_PAIRS) {
    throw new ApiError('bad_request', `The query has more than ${MOST_PAIRS} parameters. Send fewer.`, { count: raw.length });
  }
  const pairs: Pair[] = [];
  for (const text of raw) {
    if (text === '') continue;
    const equals = text.indexOf('=');
    const name = decodeQuery(equals === -1 ? text : text.slice(0, equals), 'The name of a parameter');
    const value = equals === -1 ? '' : decodeQuery(text.slice(equals + 1), `The parameter ${shown(name)}`, name);
    pairs.push({ name, value });
  }
  return pairs;
}

function decodeQuery(text: string, what: string, parameter?: string): string {
  return decode(text.includes('+') ? text.replaceAll('+', ' ') : text, what, parameter);
}

/** @param parameter the name of the parameter whose value this is */
function decode(text: string, what: string, parameter?: string): string {
  if (!text.includes('%')) return text;
  const details = parameter === undefined ? null : { parameter: shown(parameter).slice(1, -1) };
  let decoded: string;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    throw new ApiError('bad_request', `${what} is not valid percent-encoded UTF-8.`, details);
  }
  if (hasControls(decoded)) throw new ApiError('bad_request', `${what} has control characters. Remove them.`, details);
  return decoded;
}

function hasControls(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
  }
  return false;
}

/** A key in an address ends up in logs and histories. So it is refused, and never echoed or logged. */
function refuseKeys(path: string, pairs: readonly Pair[]): void {
  if (!holdsKey(path) && !pairs.some(({ name, value }) => KEY_NAMES.has(name.toLowerCase()) || holdsKey(value) || holdsKey(name))) return;
  throw new ApiError(
    'bad_request',
    'Keys are refused in the address. Send yours in the header x-api-key or as Authorization: Bearer. Replace this one, because proxies may have logged it.',
    { reason: 'key_in_address' },
  );
}

/** A name from a request, safe for a message: short, and never something like a key. */
export function shown(text: string): string {
  if (holdsKey(text)) return '`…`';
  return text.length > 64 ? `\`${text.slice(0, 64)}…\`` : `\`${text}\``;
}
