// Requests of the pages to the interface: GET, the key in a header, all failures as one kind of error.
import { keyNow, noteScopes, refuseKey } from './session.js';

const REMEDIES = {
  bad_request: 'Change the request.',
  unauthorized: 'Sign in with a key.',
  forbidden:
    'Sign in with a key that has the scope. The operator can issue one: npm run keys -- create --scopes data:read,ops:read --label NAME',
  not_found: 'Look it up in Search.',
  rate_limited: 'This page retries when the time is up.',
  internal_error: 'Try again. If it fails again, give the request id to the operator.',
  unreachable: 'Check that the service runs and that this machine can reach it. This page retries every few seconds.',
};

/** A failure to show. `code` is one of the interface's, or `unreachable`. */
export class ApiFault extends Error {
  constructor({ code, status = null, message, details = null, retryAfter = null, requestId = null }) {
    super(message);
    this.name = 'ApiFault';
    Object.assign(this, { code, status, details, retryAfter, requestId, remedy: REMEDIES[code] ?? REMEDIES.internal_error });
  }
}

/** Path and parameters as one address, without null and empty ones. */
export function addressOf(path, params = {}) {
  const kept = Object.entries(params).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const query = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** `isOpen`: without the key, which an embedded chart never sends. */
async function ask(path, params, { signal, isOpen = false } = {}) {
  const key = isOpen ? null : keyNow();
  // An invalid header: fetch would fail as if the server were unreachable.
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) {
    const message = 'The key has invalid characters. Copy it again.';
    refuseKey(key, message);
    throw new ApiFault({ code: 'unauthorized', message });
  }
  let response;
  try {
    response = await fetch(addressOf(path, params), { headers: key === null ? {} : { 'x-api-key': key }, signal, redirect: 'error' });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ApiFault({ code: 'unreachable', message: `The service at ${window.location.origin} does not answer.` });
  }
  if (key !== null) noteScopes(key, response.headers.get('x-key-scopes'));
  if (response.ok) return response;
  const fault = await faultOf(response);
  if (fault.code === 'unauthorized' && key !== null) refuseKey(key, fault.message);
  throw fault;
}

async function faultOf(response) {
  const retryAfter = Number(response.headers.get('retry-after')) || null;
  const { status } = response;
  const body = await response.json().catch(() => null);
  const error = body?.error ?? { code: 'internal_error', message: `The service answered ${status} with an unknown body.` };
  return new ApiFault({
    code: error.code,
    status,
    message: error.message,
    details: error.details ?? null,
    retryAfter,
    requestId: error.requestId,
  });
}

/** An answer that breaks off means that the service is unreachable, not that the answer is shorter. */
async function whole(read) {
  try {
    return await read;
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ApiFault({ code: 'unreachable', message: 'The answer was cut off. Try again.' });
  }
}

/** `{ data, meta }` of an item or of one page of a list. Throws an ApiFault. */
export async function get(path, params = {}, options = {}) {
  const response = await ask(path, params, options);
  return whole(response.json());
}

/** The whole list, page after page, as `{ data, meta }`, with `meta.isCut` if there are more than `most` rows. */
export async function getAll(path, params = {}, { most = 5000, ...options } = {}) {
  const rows = [];
  let cursor = null;
  for (;;) {
    const page = await get(path, { limit: 500, ...params, cursor }, options);
    rows.push(...page.data);
    cursor = page.meta.pagination.next_cursor;
    if (cursor === null || rows.length >= most) return { data: rows, meta: { ...page.meta, isCut: cursor !== null } };
  }
}

/** A bulk answer → { text, isCut, asOf }. `isCut`: the service has more rows than requested. `asOf`: the instant whose knowledge the answer has. */
export async function getText(path, params = {}, options = {}) {
  const response = await ask(path, params, options);
  const { headers } = response;
  return { text: await whole(response.text()), isCut: (headers.get('x-next-cursor') ?? '') !== '', asOf: headers.get('x-as-of') };
}

/** True if the numbers of the service are invented. */
export async function servesSample() {
  const { data } = await get('/ready', {}, { isOpen: true });
  return data.serves === 'sample';
}
