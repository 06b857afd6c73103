// The parts of clients/typescript without installed packages, against a stub that sends the given answers.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { AsofError, CursorExpiredError } from '../../clients/typescript/src/errors.ts';
import { addressOf, answeringFetch, headersOf, objectOf, type Options, sentOf } from '../../clients/typescript/src/transport.ts';
import { type AnyPage, pagesOf, rowsOf, withAsOf } from '../../clients/typescript/src/walk.ts';

type Reply = (response: ServerResponse, request: IncomingMessage) => void;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Answers the n-th request by the n-th reply, and all later ones by the last. */
async function stub(...replies: readonly Reply[]): Promise<{ readonly url: string; readonly seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    replies[Math.min(seen.length, replies.length) - 1]?.(response, request);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const error = (status: number, code: string, details: object = {}, headers = {}) =>
  json(status, { error: { code, message: `It is ${code}.`, requestId: 'req_1', details }, requestId: 'req_1' }, headers);
const limited = (seconds: string) => error(429, 'rate_limited', { limit: 1000 }, { 'retry-after': seconds });
const dropped: Reply = (response) => response.destroy();

/** An answer, or the failure, with the seconds that were waited for it. */
async function asked(url: string, options: Options = {}, signal?: AbortSignal) {
  const pauses: number[] = [];
  const pause = async (seconds: number) => void pauses.push(seconds);
  const request = new Request(`${url}/observations`, { headers: headersOf(options), ...(signal === undefined ? {} : { signal }) });
  const outcome: unknown = await answeringFetch({ pause, ...options })(request).then(objectOf, (failure: unknown) => failure);
  return { outcome, pauses };
}

describe('a request', () => {
  it('has the key in a header and nowhere else', async () => {
    const { url, seen } = await stub(json(200, {}));
    await asked(url, { key: 'asof_secret' });
    expect(seen[0]?.headers['x-api-key']).toBe('asof_secret');
    expect(seen[0]?.url).toBe('/observations');
  });

  it('does not follow a redirection, which would forward the key', async () => {
    const other = await stub(json(200, {}));
    const { url } = await stub((response) => response.writeHead(302, { location: `${other.url}/observations` }).end());
    const { outcome } = await asked(url, { key: 'asof_secret' });
    expect(outcome).toMatchObject({ code: 'unreachable' });
    expect(other.seen).toHaveLength(0);
  });

  it('refuses a key that is no valid header, without printing it', () => {
    expect(() => headersOf({ key: 'asof_secret\n' })).toThrow(/^The key has invalid characters/);
    expect(() => headersOf({ key: 'asof_secret\n' })).not.toThrow(/asof_secret/);
  });

  it('uses key and address of the environment by default', () => {
    const before = { ...process.env };
    Object.assign(process.env, { ASOF_URL: 'http://127.0.0.1:9/base/', ASOF_KEY: 'asof_environment' });
    try {
      expect(addressOf({})).toBe('http://127.0.0.1:9/base');
      expect(headersOf({})).toMatchObject({ 'x-api-key': 'asof_environment' });
      expect(headersOf({ key: 'asof_argument' })).toMatchObject({ 'x-api-key': 'asof_argument' });
    } finally {
      process.env = before;
    }
  });

  it.each(['no address', 'ftp://127.0.0.1', 'http://name:word@127.0.0.1', 'http://127.0.0.1/?key=asof_secret', ''])(
    'is not sent to %j',
    (url) => {
      expect(() => addressOf({ url })).toThrow(RangeError);
    },
  );

  it('refuses a parameter that would be dropped silently', () => {
    expect(() => sentOf({ as_of: null })).toThrow('The parameter as_of');
    expect(() => sentOf({ limit: Number.NaN })).toThrow('The parameter limit');
    expect(sentOf({ as_of: '2020-05-31', numeric_only: false, limit: 0, q: undefined })).toMatchObject({ limit: 0 });
  });
});

describe('an answer', () => {
  it('with an error status is an error with code, message, details and request id', async () => {
    const { url } = await stub(error(400, 'bad_request', { parameter: 'foo' }));
    const { outcome } = await asked(url);
    expect(outcome).toBeInstanceOf(AsofError);
    expect(outcome).toMatchObject({
      code: 'bad_request',
      message: 'It is bad_request.',
      status: 400,
      details: { parameter: 'foo' },
      requestId: 'req_1',
    });
  });

  it.each(['expired', 'snapshot_gone'])('to a cursor that is %s asks you to restart the walk', async (reason) => {
    const { url } = await stub(error(400, 'bad_request', { parameter: 'cursor', reason }));
    const { outcome } = await asked(url);
    expect(outcome).toBeInstanceOf(CursorExpiredError);
    expect(outcome).toMatchObject({ code: 'cursor_expired', status: 400, details: { reason } });
  });

  it('to an invalid cursor is a bad request', async () => {
    const { url } = await stub(error(400, 'bad_request', { parameter: 'cursor', reason: 'malformed' }));
    expect((await asked(url)).outcome).toMatchObject({ code: 'bad_request' });
  });

  it('of another kind is not data', async () => {
    const page = await stub((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
    const proxy = await stub((response) => response.writeHead(502).end('<html>'));
    const { url } = await stub((response) =>
      response.writeHead(200, { 'content-length': '50' }).write('{"data":', () => response.destroy()),
    );
    const broken = await answeringFetch({ url })(new Request(url))
      .then(objectOf)
      .catch((failure: unknown) => failure);
    await expect(answeringFetch({})(new Request(page.url)).then(objectOf)).rejects.toMatchObject({ code: 'unreadable' });
    expect((await asked(proxy.url)).outcome).toMatchObject({ code: 'unreadable', status: 502 });
    expect(broken).toMatchObject({ code: 'unreachable' });
  });
});

describe('a rate limit', () => {
  it('waits as long as the service asks', async () => {
    const { url, seen } = await stub(limited('7'), limited('0'), json(200, { data: [] }));
    expect(await asked(url)).toEqual({ outcome: { data: [] }, pauses: [7, 1] });
    expect(seen).toHaveLength(3);
  });

  it("beyond the longest wait is an error at once, with the service's message", async () => {
    const { url, seen } = await stub(limited('61'));
    const { outcome, pauses } = await asked(url);
    expect(outcome).toMatchObject({ code: 'rate_limited', status: 429, retryAfterSeconds: 61 });
    expect(pauses).toEqual([]);
    expect(seen).toHaveLength(1);
  });

  it('that repeats stops when the total wait is used up', async () => {
    const { url } = await stub(limited('25'));
    const { outcome, pauses } = await asked(url);
    expect(outcome).toMatchObject({ code: 'rate_limited' });
    expect(pauses).toEqual([25, 25]);
  });

  it('without a time is an error at once', async () => {
    const { url } = await stub(error(429, 'rate_limited'));
    expect((await asked(url)).outcome).toMatchObject({ code: 'rate_limited', retryAfterSeconds: null });
  });
});

describe('a request without an answer', () => {
  it('is sent twice more', async () => {
    const { url, seen } = await stub(dropped, dropped, json(200, { data: [] }));
    expect((await asked(url)).outcome).toEqual({ data: [] });
    expect(seen).toHaveLength(3);
  });

  it('then fails with an error that names only the host', async () => {
    const { url, seen } = await stub(dropped);
    const { outcome } = await asked(url, { key: 'asof_secret' });
    expect(outcome).toMatchObject({ code: 'unreachable', status: 0, message: expect.stringContaining(url) });
    expect(seen).toHaveLength(3);
  });

  it("that the caller aborts fails with the caller's reason", async () => {
    const { url, seen } = await stub(dropped);
    expect((await asked(url, {}, AbortSignal.abort(new Error('enough')))).outcome).toMatchObject({ message: 'enough' });
    expect(seen).toHaveLength(0);
  });

  it('fails with an error when its time is over', async () => {
    const { url } = await stub(() => {});
    expect((await asked(url, { timeoutSeconds: 0.05, retries: 0 })).outcome).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('in time'),
    });
  });
});

const pageOf = (data: readonly number[], next: string | null, asOf: string | null = null, more = next !== null): AnyPage => ({
  data,
  meta: { pagination: { has_more: more, next_cursor: next }, as_of: asOf, hints: [{ parameter: 'entity', message: 'None.' }] },
  requestId: `req_${data.join('_')}`,
});

/** A list by its cursors. */
const listOf = (pages: Readonly<Record<string, AnyPage>>) => {
  const cursors: (string | undefined)[] = [];
  const ask = async (cursor: string | undefined) => {
    cursors.push(cursor);
    const page = pages[cursor ?? ''];
    if (page === undefined) throw new Error(`no page ${cursor}`);
    return page;
  };
  return { cursors, ask };
};

describe('a walk', () => {
  it('continues while there are more pages, past a page without rows', async () => {
    const { ask, cursors } = listOf({ '': pageOf([1, 2], 'a'), a: pageOf([], 'b'), b: pageOf([3], null) });
    const rows = rowsOf(() => pagesOf(ask));
    const read: unknown[] = [];
    for await (const row of rows) read.push(row);
    expect(read).toEqual([1, 2, 3]);
    expect(cursors).toEqual([undefined, 'a', 'b']);
    expect(await rows.all()).toMatchObject({ rows: [1, 2, 3], requestIds: ['req_1_2', 'req_', 'req_3'] });
  });

  it('ends if there is no next page, whatever the cursor', async () => {
    const { ask, cursors } = listOf({ '': pageOf([1], 'resume', null, false) });
    expect((await rowsOf(() => pagesOf(ask)).all()).rows).toEqual([1]);
    expect(cursors).toHaveLength(1);
  });

  it('fetches a page only when you read it', async () => {
    const { ask, cursors } = listOf({ '': pageOf([1, 2], 'a') });
    for await (const row of rowsOf(() => pagesOf(ask))) if (row === 2) break;
    expect(cursors).toHaveLength(1);
  });

  it('has the applied as-of, and null if there was none', async () => {
    const known = listOf({ '': pageOf([1], 'a', '2020-05-31T23:59:59.999Z'), a: pageOf([2], null, '2020-05-31T23:59:59.999Z') });
    expect(await rowsOf(() => pagesOf(known.ask)).all()).toMatchObject({ asOf: '2020-05-31T23:59:59.999Z', hints: [{ message: 'None.' }] });
    const newest = listOf({ '': pageOf([1], null) });
    expect((await rowsOf(() => pagesOf(newest.ask)).all()).asOf).toBeNull();
  });

  it.each([
    ['another moment', { '': pageOf([1], 'a', '2020-05-31T23:59:59.999Z'), a: pageOf([2], null, '2020-06-30T23:59:59.999Z') }],
    ['no cursor', { '': pageOf([1], null, null, true) }],
    ['the same cursor', { '': pageOf([1], 'a'), a: pageOf([2], 'a') }],
  ])('over pages with %s fails instead of ending early', async (_, pages) => {
    await expect(rowsOf(() => pagesOf(listOf(pages).ask)).all()).rejects.toMatchObject({ code: 'unreadable' });
  });

  it('begins at the given cursor', async () => {
    const { ask, cursors } = listOf({ '': pageOf([1], 'a'), a: pageOf([2], null) });
    expect((await rowsOf(() => pagesOf(ask, 'a')).all()).rows).toEqual([2]);
    expect(cursors).toEqual(['a']);
  });
});

describe('the as-of of an answer', () => {
  const DAY = '2020-05-31T23:59:59.999Z';

  it('is the cutoff that a list reports as applied', () => {
    expect(withAsOf(pageOf([1], null, DAY), { as_of: '2020-05-31' }).asOf).toBe(DAY);
    expect(withAsOf(pageOf([1], null, null), {}).asOf).toBeNull();
  });

  it('is an error if a list does not report it, because its rows may be current', () => {
    expect(() => withAsOf(pageOf([1], null, null), { as_of: '2020-05-31' })).toThrow('does not say the as-of');
    expect(() => withAsOf(pageOf([1], null, null), { asOf: '2020-05-31' })).toThrow('does not say the as-of');
  });

  it('is the requested one if a single record does not report it', () => {
    expect(withAsOf({ data: {}, meta: {} }, { as_of: '2020-05-31' }).asOf).toBe('2020-05-31');
    expect(withAsOf({ data: {}, meta: {} }, {}).asOf).toBeNull();
  });
});
