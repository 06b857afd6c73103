// One attempt of one request: redirections within the publisher's hosts, limits of time and size, and the rest of a body that was cut off.
import { lookup } from 'node:dns';
import { BlockList, isIPv6, type LookupFunction } from 'node:net';
import { Agent, type Dispatcher, EnvHttpProxyAgent, request as send } from 'undici';
import type { Partial, Partials } from './partial.ts';
import type { Publisher } from '../sources/publisher.ts';
import { TransferError } from './transfer-error.ts';
import { CODINGS, unpack } from './unpack.ts';

export interface Sending {
  /** Without secrets. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Compressed by itself, so it can be requested from the middle on. */
  readonly isResumable: boolean;
  readonly secret: string | null;
}

export interface Received {
  readonly status: number;
  /** Null for 304 and 204. */
  readonly body: Uint8Array | null;
  readonly mediaType: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** The host and path of a redirection by the publisher; null without one. */
  readonly movedTo: string | null;
}

export interface Wire {
  readonly dispatcher: Dispatcher;
  /** Maps a publisher's address to the one to request: the same one, except in tests. */
  readonly resolve: (url: string) => string;
  readonly partials: Partials;
  readonly now: () => number;
}

/** For all publishers: one dispatcher makes the connections. */
export const CONNECT_MS = 10_000;

const REDIRECTIONS = new Set([301, 302, 303, 307, 308]);
/** A retry can help if the publisher is busy or briefly broken. */
const RETRIABLE = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Eurostat answers 413 until the data are prepared; only its other 413, EXTRACTION_TOO_BIG, is final. */
const PREPARES_FIRST = 'ASYNCHRONOUS_RESPONSE';

export async function transfer(wire: Wire, publisher: Publisher, sending: Sending): Promise<Received> {
  const kept = sending.isResumable ? await wire.partials.read(sending.url) : null;
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), publisher.limits.whole);
  try {
    let url = new URL(sending.url);
    const cookies: Cookies = new Map();
    for (let redirects = 0; ; redirects += 1) {
      const answer = await start(wire, publisher, sending, url, kept, cookies, timer.signal);
      const location = headerOf(answer, 'location');
      if (!REDIRECTIONS.has(answer.statusCode) || location === null) {
        const movedTo = redirects === 0 ? null : placeOf(url);
        return await finish(wire, publisher, sending, answer, kept, movedTo);
      }
      keepCookies(cookies, url, answer);
      await discard(answer);
      url = redirected(publisher, url, location, answer.statusCode, redirects);
    }
  } catch (error) {
    throw timer.signal.aborted
      ? new TransferError(`the answer was not complete within ${seconds(publisher.limits.whole)}`, {
          isRetriable: true,
          isOfPublisher: true,
        })
      : explained(error, publisher);
  } finally {
    clearTimeout(timeout);
  }
}

type Started = Dispatcher.ResponseData;

async function start(
  wire: Wire,
  { limits, secret }: Publisher,
  sending: Sending,
  url: URL,
  kept: Partial | null,
  cookies: Cookies,
  signal: AbortSignal,
): Promise<Started> {
  const asked = new URL(url);
  const headers: Record<string, string> = { ...sending.headers, 'accept-encoding': sending.isResumable ? 'identity' : CODINGS };
  // Only the requested host gets the key, never the target of a redirection.
  if (sending.secret !== null && secret !== null && url.host === new URL(sending.url).host) {
    if ('query' in secret.place) asked.searchParams.set(secret.place.query, sending.secret);
    else headers[secret.place.header] = sending.secret;
  }
  if (kept !== null) {
    headers['range'] = `bytes=${kept.body.length}-`;
    headers['if-range'] = kept.validator;
  }
  const ofHost = cookies.get(url.host);
  if (ofHost !== undefined) headers['cookie'] = [...ofHost].map(([name, value]) => `${name}=${value}`).join('; ');
  return send(wire.resolve(asked.href), {
    headers,
    dispatcher: wire.dispatcher,
    headersTimeout: limits.firstByte,
    bodyTimeout: limits.silence,
    signal,
  });
}

/** By host, then by name; for the redirections of one request. */
type Cookies = Map<string, Map<string, string>>;

/** Some hosts set a cookie and redirect to the same address until they get it back. */
function keepCookies(cookies: Cookies, { host }: URL, { headers }: Started): void {
  const set = headers['set-cookie'] ?? [];
  const ofHost = cookies.get(host) ?? new Map<string, string>();
  for (const one of Array.isArray(set) ? set : [set]) {
    const [, name, value] = /^\s*([^\s=;,]+)=([^;\s]*)/.exec(one) ?? [];
    if (name !== undefined && value !== undefined) ofHost.set(name, value);
  }
  if (ofHost.size > 0) cookies.set(host, ofHost);
}

function redirected(publisher: Publisher, from: URL, location: string, status: number, redirects: number): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from.href) : null;
  const problem = (why: string) =>
    new TransferError(`the address has moved: ${placeOf(from)} redirects to ${to === null ? 'no address' : placeOf(to)}, ${why}`, {
      status,
      movedTo: to === null ? null : placeOf(to),
    });
  if (to === null || to.protocol !== 'https:') throw problem('which is not an https address');
  if (!publisher.hosts.includes(to.host)) throw problem(`which is not a host of the publisher (${publisher.hosts.join(', ')})`);
  if (redirects >= publisher.limits.redirects) throw problem(`after ${redirects} redirections`);
  const parameter = publisher.secret !== null && 'query' in publisher.secret.place ? publisher.secret.place.query : null;
  if (parameter !== null) to.searchParams.delete(parameter);
  return to;
}

const placeOf = (url: URL): string => `${url.host}${url.pathname}`;

async function finish(
  wire: Wire,
  publisher: Publisher,
  { url, isResumable }: Sending,
  answer: Started,
  kept: Partial | null,
  movedTo: string | null,
): Promise<Received> {
  const status = answer.statusCode;
  const told = {
    status,
    mediaType: headerOf(answer, 'content-type') ?? '',
    etag: headerOf(answer, 'etag'),
    lastModified: headerOf(answer, 'last-modified'),
    movedTo,
  };
  if (status === 304 || status === 204) {
    await discard(answer);
    return { ...told, body: null };
  }
  if (status === 416 || status === 206) await refuseOtherPart(wire, url, answer, kept);
  if (status !== 200 && status !== 206) throw await refusalOf(answer, movedTo, wire.now());
  const before = status === 206 && kept !== null ? kept.body : new Uint8Array();
  const validator = isResumable ? strongValidator(told.etag, told.lastModified) : null;
  const body = await readWhole(wire, url, answer, before, validator, publisher.limits.bytes);
  if (isResumable) await wire.partials.remove(url);
  const coding = headerOf(answer, 'content-encoding') ?? '';
  return { ...told, status: 200, body: await unpack(body, coding, publisher.limits.inflatedBytes) };
}

/** Throws if the requested rest no longer exists, or is another part of the file. */
async function refuseOtherPart(wire: Wire, url: string, answer: Started, kept: Partial | null): Promise<void> {
  const status = answer.statusCode;
  const isRest = status === 206 && kept !== null && isRestOf(headerOf(answer, 'content-range'), kept.body.length);
  if (isRest || (status === 416 && kept === null)) return;
  await discard(answer);
  await wire.partials.remove(url);
  throw new TransferError('answered with another part of the file than was asked for', { isRetriable: true, status });
}

async function refusalOf(answer: Started, movedTo: string | null, now: number): Promise<TransferError> {
  const status = answer.statusCode;
  const { words, bytes } = await wordsOf(answer);
  return new TransferError(`answered ${status}${words}`, {
    status,
    movedTo,
    mediaType: headerOf(answer, 'content-type'),
    bytes,
    isRetriable: RETRIABLE.has(status) || words.includes(PREPARES_FIRST),
    retryAfter: retryAfterOf(headerOf(answer, 'retry-after'), now),
    isOfPublisher: RETRIABLE.has(status) || status === 401 || status === 403,
  });
}

/** @param validator under which a body that breaks off is stored; null to store none */
async function readWhole(
  wire: Wire,
  url: string,
  answer: Started,
  before: Uint8Array,
  validator: string | null,
  mostBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [before];
  try {
    await readBody(answer, before.length, mostBytes, chunks);
  } catch (error) {
    const body = Buffer.concat(chunks);
    if (validator !== null && body.length > 0 && !(error instanceof TransferError)) await wire.partials.write(url, { body, validator });
    throw error;
  }
  return Buffer.concat(chunks);
}

async function readBody(answer: Started, already: number, mostBytes: number, chunks: Uint8Array[]): Promise<void> {
  const refuse = (bytes: string) => new TransferError(`the answer has ${bytes} bytes, more than the ${mostBytes} allowed`);
  const stated = Number(headerOf(answer, 'content-length') ?? Number.NaN);
  if (already + stated > mostBytes) {
    await discard(answer);
    throw refuse(String(already + stated));
  }
  let bytes = already;
  for await (const chunk of answer.body) {
    chunks.push(chunk as Uint8Array);
    bytes += (chunk as Uint8Array).length;
    if (bytes > mostBytes) throw refuse(`${bytes} or more`);
  }
}

/** The error in the publisher's words, if it sent any. */
async function wordsOf(answer: Started): Promise<{ readonly words: string; readonly bytes: number | null }> {
  const chunks: Uint8Array[] = [];
  try {
    await readBody(answer, 0, 20_000, chunks);
  } catch {
    return { words: '', bytes: null };
  }
  const body = Buffer.concat(chunks);
  const text = new TextDecoder()
    .decode(body)
    .replace(/<(script|style|head)\b.*?<\/\1>/gis, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return { words: text === '' ? '' : `: ${text.slice(0, 160)}`, bytes: body.length };
}

/** Closes a connection that nobody reads any more. */
async function discard(answer: Started): Promise<void> {
  answer.body.destroy();
  await new Promise<void>((resolve) => answer.body.once('close', () => resolve()).once('error', () => undefined));
}

function headerOf(answer: Started, name: string): string | null {
  const value = answer.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** `bytes 1200-5000/5001`: the rest from the end of the stored part. */
function isRestOf(contentRange: string | null, from: number): boolean {
  return /^bytes (\d+)-/.exec(contentRange ?? '')?.[1] === String(from);
}

function strongValidator(etag: string | null, lastModified: string | null): string | null {
  return etag !== null && !etag.startsWith('W/') ? etag : lastModified;
}

/** Seconds, or a date; milliseconds from now. */
function retryAfterOf(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const until = Date.parse(header);
  return Number.isNaN(until) ? null : Math.max(0, until - now);
}

const CODES: Readonly<Record<string, (publisher: Publisher) => string>> = {
  UND_ERR_CONNECT_TIMEOUT: () => `no connection within ${seconds(CONNECT_MS)}`,
  UND_ERR_HEADERS_TIMEOUT: ({ limits }) => `no answer within ${seconds(limits.firstByte)}`,
  UND_ERR_BODY_TIMEOUT: ({ limits }) => `the answer was silent for ${seconds(limits.silence)}`,
  ENOTFOUND: () => 'its name is unknown; check the network connection',
  EAI_AGAIN: () => 'its name cannot be looked up; check the network connection',
  ECONNREFUSED: () => 'the connection was refused',
};

const seconds = (milliseconds: number): string => `${milliseconds / 1000} s`;

/** A failure below HTTP, which a retry may solve. */
function explained(error: unknown, publisher: Publisher): TransferError {
  if (error instanceof TransferError) return error;
  const code = codeOf(error) ?? '';
  const text = CODES[code]?.(publisher) ?? `the connection broke${code === '' ? '' : ` (${code})`}`;
  return new TransferError(text, { isRetriable: code !== 'EFORBIDDEN', isOfPublisher: true, cause: error });
}

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // A host with several addresses fails with one reason for each.
  return error instanceof AggregateError ? codeOf(error.errors[0]) : codeOf(error.cause);
}

// --- Connections

const PRIVATE = new BlockList();
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  PRIVATE.addSubnet(address, prefix, 'ipv4');
for (const [address, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  PRIVATE.addSubnet(address, prefix, 'ipv6');

/** Refuses a publisher's name that resolves into the operator's own network. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const inside = addresses?.find(({ address }) => PRIVATE.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'));
    if (error !== null) callback(error, '');
    else if (inside !== undefined)
      callback(Object.assign(new Error(`${hostname} leads to the private address ${inside.address}`), { code: 'EFORBIDDEN' }), '');
    else if (options.all === true) callback(null, addresses);
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
  });
};

/** @param proxies of the environment; without any, connects to each host directly */
export function openDispatcher(
  connect: number,
  proxies: { readonly https: string | null; readonly exceptions: string | null },
): Dispatcher {
  if (proxies.https !== null) {
    const noProxy = proxies.exceptions === null ? {} : { noProxy: proxies.exceptions };
    return new EnvHttpProxyAgent({ httpsProxy: proxies.https, ...noProxy, connect: { timeout: connect } });
  }
  return new Agent({ connect: { timeout: connect, lookup: publicLookup } });
}
