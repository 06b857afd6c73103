// One client never takes the service from the others: lanes, caps, time limits, and clients that leave.
import { mkdtempSync, readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openLanes } from '../../src/db/lanes.ts';
import { elapsed } from '../../src/effects.ts';
import { type Gate, openGate } from '../../src/http/admission/gate.ts';
import { collectingDuringExports } from '../../src/http/admission/heap.ts';
import { itemRoute, listRoute } from '../../src/http/route.ts';
import { errorOf, startToy, type Toy, ToyRow, toyRows, type ToySnapshot } from './toy.ts';

/** Takes minutes unless it is interrupted. */
const ENDLESS = 'select count(*) from range(100000000000) as numbers (n) where hash(n) % 7 = 3';

let instance: DuckDBInstance;
let connections: DuckDBConnection[];
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  connections = await Promise.all(Array.from({ length: 3 }, () => instance.connect()));
});
afterAll(() => {
  for (const connection of connections) connection.closeSync();
  instance.closeSync();
});

/** Served by the test that runs, whose requests end with it. */
let toy: Toy;
afterEach(async () => {
  await toy.stop(0);
  await runs(0);
});

/** How many endless queries run. */
let running = 0;
async function endless({ errand }: ToySnapshot): Promise<never> {
  if (errand === undefined) throw new Error('no errand');
  return errand.run(async (interruptBy) => {
    const connection = connections.pop();
    if (connection === undefined) throw new Error('more queries run than there are lanes');
    interruptBy(() => connection.interrupt());
    running += 1;
    try {
      await connection.runAndReadAll(ENDLESS);
      throw new Error('an endless query ended');
    } finally {
      running -= 1;
      connections.push(connection);
    }
  });
}

const oneOf = (path: string, queryClass: 'lookup' | 'screen', find: (snapshot: ToySnapshot) => Promise<{ isDone: boolean }>) =>
  itemRoute<ToySnapshot, Record<string, never>, { isDone: boolean }>({
    path,
    operation: `get${path}`,
    scope: 'data:read',
    summary: 'One thing.',
    tag: 'Toys',
    example: path,
    queryClass,
    query: {},
    data: z.object({ isDone: z.boolean() }),
    find: (_query, { snapshot }) => find(snapshot),
  });
const rows = listRoute<ToySnapshot, Record<string, never>, ToyRow>({
  path: '/rows',
  operation: 'listRows',
  scope: 'data:read',
  summary: 'Two pages, of which the second is endless.',
  tag: 'Toys',
  example: '/rows',
  query: {},
  row: ToyRow,
  sortable: ['id'],
  isBulk: true,
  list: (_query, page, { snapshot }) =>
    page.after === null ? Promise.resolve({ rows: toyRows(page.limit), nextKey: ['next'] }) : endless(snapshot),
});
const quick = oneOf('/quick', 'lookup', async ({ errand }) => ({ isDone: await errand!.run(async () => true) }));
const routes = [quick, oneOf('/slow', 'lookup', endless), oneOf('/screen', 'screen', endless), rows];

const LANES = { lookup: 1, screen: 1, bulk: 1 };
const WIDE = { perKey: 10, inAll: 10 };
const gateOf = (more: Partial<Parameters<typeof openGate>[0]>): Gate =>
  openGate({
    lanes: openLanes(LANES, elapsed),
    capacity: { lookup: WIDE, screen: WIDE, bulk: WIDE },
    seconds: { lookup: 60, screen: 60, bulk: 60 },
    lifetimeSeconds: 900,
    ...more,
  });

/** A client that can leave; resolves with the status when there is an answer, with null when the connection breaks. */
function open(path: string, key = toy.keys.full) {
  const request = httpRequest(toy.url + path, { headers: { 'x-api-key': key } });
  const status = new Promise<number | null>((resolve) => {
    request.on('response', (response) => {
      response.resume();
      response.on('error', () => undefined);
      resolve(response.statusCode ?? null);
    });
    request.on('error', () => resolve(null));
  });
  request.end();
  return { status, leave: () => request.destroy() };
}
function until() {
  let leave: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    leave = resolve;
  });
  return { promise, leave };
}
const runs = (count: number) => expect.poll(() => running, { timeout: 5000, interval: 10 }).toBe(count);

describe('a look-up', () => {
  it('is answered at once while exports and screens fill their lanes', async () => {
    toy = await startToy({ routes, gate: gateOf({}) });
    for (const path of ['/rows?format=ndjson&limit=9000', '/rows?format=parquet&limit=9000', '/screen', '/screen']) open(path);
    await runs(2);
    const began = performance.now();
    expect((await toy.get('/quick')).status).toBe(200);
    expect((await toy.get('/health', {})).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(10_000); // of the minute that the others take
  });

  it('that exceeds its time limit is interrupted, with a reason', async () => {
    toy = await startToy({ routes, gate: gateOf({ seconds: { lookup: 0.3, screen: 60, bulk: 60 } }) });
    const response = await toy.get('/slow');
    expect([response.status, response.headers.get('x-ratelimit-policy')]).toEqual([500, expect.stringContaining('data:read')]);
    const { error } = await errorOf(response);
    expect(error).toMatchObject({ code: 'internal_error', details: { reason: 'query_timeout', limit_seconds: 0.3 } });
    expect(error.message).toMatch(/stopped after 0.3 s, the limit for look-ups\. Ask for/);
    await runs(0);
    expect(toy.store.pins()).toBe(0);
    expect(toy.lines.filter((line) => line['message'] === 'request failed')).toEqual([]);
    expect((await toy.get('/quick')).status).toBe(200);
  });

  it('that gets no lane in time is asked to retry', async () => {
    const lanes = openLanes(LANES, elapsed);
    // The request in the lane has more time than those that wait for it.
    const held = lanes.open('lookup', 'another', 60_000);
    const { promise, leave } = until();
    const holding = held.run(() => promise);
    toy = await startToy({ routes, gate: gateOf({ lanes, seconds: { lookup: 0.2, screen: 60, bulk: 60 } }) });
    const response = await toy.get('/quick');
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await errorOf(response)).error).toMatchObject({ code: 'rate_limited', details: { reason: 'too_many_at_once' } });
    leave();
    await holding;
    expect((await toy.get('/quick')).status).toBe(200);
  });
});

describe('requests of one class at once', () => {
  it('are limited per key and in all, and refused early beyond that', async () => {
    const capacity = { lookup: { perKey: 2, inAll: 3 }, screen: WIDE, bulk: WIDE };
    toy = await startToy({ routes, gate: gateOf({ capacity }) });
    const mine = [open('/slow'), open('/slow')];
    await expect.poll(() => toy.store.pins()).toBe(2);
    const refused = await toy.get('/quick');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await errorOf(refused)).error).toMatchObject({
      code: 'rate_limited',
      details: { required_scope: 'data:read', limit: 2, reason: 'too_many_at_once' },
    });
    const other = open('/slow', toy.keys.free);
    await expect.poll(() => toy.store.pins()).toBe(3);
    const full = await toy.get('/quick', { 'x-api-key': toy.keys.free });
    expect([full.status, (await errorOf(full)).error.details?.['limit']]).toEqual([429, 3]);
    for (const request of [...mine, other]) request.leave();
    await expect.poll(async () => (await toy.get('/quick')).status).toBe(200);
  });
});

describe('a bulk answer that outlives its time', () => {
  it.each(['ndjson', 'parquet'])('is ended, and frees its place: %s', async (format) => {
    const due: { readonly milliseconds: number; readonly call: () => void; isOff: boolean }[] = [];
    const after = (milliseconds: number, call: () => void) => {
      const one = { milliseconds, call, isOff: false };
      due.push(one);
      return () => {
        one.isOff = true;
      };
    };
    const capacity = { lookup: WIDE, screen: WIDE, bulk: { perKey: 1, inAll: 1 } };
    toy = await startToy({ routes, gate: gateOf({ capacity, lifetimeSeconds: 90, after }) });
    const path = `/rows?format=${format}&limit=9000`;
    const first = open(path);
    await runs(1);
    expect(due.map(({ milliseconds }) => milliseconds)).toEqual([90_000]);
    expect((await toy.get(path)).status).toBe(429);
    due[0]?.call();
    // The stream has begun: it breaks. A Parquet file has not: it is refused in words.
    expect(await first.status).toBe(format === 'ndjson' ? 200 : 500);
    await runs(0);
    await expect.poll(() => due[0]?.isOff).toBe(true);
    expect(toy.store.pins()).toBe(0);
    const next = open(path);
    await runs(1);
    next.leave();
    await runs(0);
    expect(due).toHaveLength(2);
  });

  it('does not have the time limit of a look-up', async () => {
    const due: number[] = [];
    toy = await startToy({ routes, gate: gateOf({ after: (milliseconds) => () => void due.push(milliseconds) }) });
    expect((await toy.get('/quick')).status).toBe(200);
    expect(due).toEqual([]);
  });
});

describe('the heap', () => {
  it('may grow less from the first export to the end of the last one', async () => {
    const growths: number[] = [];
    const capacity = { lookup: WIDE, screen: WIDE, bulk: { perKey: 2, inAll: 2 } };
    toy = await startToy({ routes, gate: collectingDuringExports(gateOf({ capacity }), (percent) => void growths.push(percent)) });
    expect((await toy.get('/quick')).status).toBe(200);
    expect(growths).toEqual([100]);
    const path = '/rows?format=ndjson&limit=9000';
    const [first, second] = [open(path), open(path)];
    expect([await first.status, await second.status]).toEqual([200, 200]);
    expect((await toy.get(path)).status).toBe(429);
    first.leave();
    // The other one still runs, now that there is room for a third.
    await expect.poll(async () => (await toy.get('/rows?format=ndjson&limit=1')).status).toBe(200);
    expect(growths).toEqual([100, 25]);
    second.leave();
    await expect.poll(() => growths).toEqual([100, 25, 100]);
  });
});

describe('a client that leaves', () => {
  it.each(['/slow', '/screen', '/rows?format=ndjson&limit=9000', '/rows?format=parquet&limit=9000'])(
    'ends the query of %s, and frees its lane, its pin and its scratch file within a second',
    async (path) => {
      const scratchDir = mkdtempSync(join(tmpdir(), 'asof-gate-'));
      toy = await startToy({ routes, scratchDir, gate: gateOf({}) });
      const request = open(path);
      await runs(1);
      request.leave();
      const began = performance.now();
      await runs(0);
      await expect.poll(() => toy.store.pins(), { interval: 10 }).toBe(0);
      await expect.poll(() => readdirSync(scratchDir), { interval: 10 }).toEqual([]);
      expect(performance.now() - began).toBeLessThan(1000);
      await expect.poll(() => toy.lines.some((line) => line['isAborted'] === true)).toBe(true);
      expect(toy.lines.filter((line) => line['message'] === 'request failed')).toEqual([]);
      const next = open(path);
      await runs(1);
      next.leave();
      await runs(0);
    },
  );
});
