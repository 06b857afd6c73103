// A cluster that is down, slow, cut off or answers nonsense: one typed error within the time of the request, without a credential in it; what needs no cluster is answered.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openLanes, QueryTimeoutError } from '../../src/db/lanes.ts';
import { type Query, type Reader, run } from '../../src/db/query.ts';
import { ClusterError, openCluster } from '../../src/engine/connection.ts';
import { engineOver, openHeavyEngine } from '../../src/engine/heavy.ts';
import { tablesOf } from '../../src/engine/loads.ts';
import { freePort } from '../free-port.ts';
import { type ErrorBody, type RunningService, sampleDataDir, startService } from '../service.ts';

const SECRET = 'p4ssw0rd';
const query: Query<{ no: z.ZodInt }, { readonly seriesNo: number; readonly value: number }> = {
  file: 'screener/states.sql',
  sql: 'select 1',
  textIn: () => 'select series_no, value from {states:Identifier} where series_no > {no:UInt32}',
  params: z.object({ no: z.int() }),
  row: z.strictObject({ seriesNo: z.int(), value: z.number() }),
};

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A server that sends the given answers, and the requests that reached it. */
async function stub(answer: RequestListener): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      asked.push(`${new URL(request.url ?? '', 'http://x').searchParams.toString()} ${body}`);
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://asof:${SECRET}@127.0.0.1:${(server.address() as AddressInfo).port}/default`, asked };
}

function readerOf(url: string): Reader {
  const cluster = openCluster(url);
  closers.push(() => cluster.close());
  return { engine: engineOver(cluster, tablesOf({ loadId: 'x' })), withConnection: () => Promise.reject(new Error('asked here')) };
}

const COLUMNS = '["series_no","value"]\n["UInt32","Float64"]\n';
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('an answer', () => {
  it('is read if it is complete, with the settings that the statement needs', async () => {
    const { url, asked } = await stub((_, response) => response.end(`${COLUMNS}[7,0.5]\n`));
    expect(await run(readerOf(url), query, { no: 3 })).toEqual([{ seriesNo: 7, value: 0.5 }]);
    expect(asked[0]).toMatch(/join_use_nulls=1/);
    expect(asked[0]).toMatch(/readonly=2/);
    expect(asked[0]).toMatch(/max_execution_time=60/);
    expect(asked[0]).toMatch(/param_states=asof_states_x/);
  });

  it.each([
    [
      'is refused',
      (_, response) =>
        response
          .writeHead(500, { 'x-clickhouse-exception-code': '241' })
          .end('Code: 241. DB::Exception: Memory limit exceeded. (MEMORY_LIMIT_EXCEEDED)'),
    ],
    [
      'is cut off',
      (_, response) => {
        response.writeHead(200, { 'transfer-encoding': 'chunked' });
        response.write(`${COLUMNS}[7,0.5]\n`, () => response.destroy());
      },
    ],
    [
      'has fewer rows than are told',
      (_, response) => response.setHeader('x-clickhouse-summary', '{"result_rows":"2"}').end(`${COLUMNS}[7,0.5]\n`),
    ],
    ['has no columns', (_, response) => response.end('')],
    ['is no JSON', (_, response) => response.end('<html>Bad gateway</html>\n')],
    ['has a row of another width', (_, response) => response.end(`${COLUMNS}[7]\n`)],
    ['has a column of an unknown type', (_, response) => response.end('["series_no"]\n["UUID"]\n["x"]\n')],
    ['has a text for a number', (_, response) => response.end(`${COLUMNS}["seven",1]\n`)],
    ['breaks off before it begins', (request) => request.socket.destroy()],
  ] satisfies readonly (readonly [string, RequestListener])[])('that %s is a typed error without credentials', async (_, answer) => {
    const { url } = await stub(answer);
    const error = await errorOf(run(readerOf(url), query, { no: 3 }));
    expect(error).toBeInstanceOf(ClusterError);
    expect((error as ClusterError).detail).toMatch(/^127\.0\.0\.1:\d+ /);
    expect(JSON.stringify([error, String(error), (error as ClusterError).detail, (error as Error).stack])).not.toContain(SECRET);
    expect((error as Error).message).not.toContain('127.0.0.1');
  });

  it('that does not come ends at the time limit of the request, and the statement is cancelled in the cluster', async () => {
    const { url, asked } = await stub(() => undefined);
    const reader = readerOf(url);
    const errand = openLanes({ lookup: 1, screen: 1, bulk: 1 }, () => performance.now()).open('screen', 'key', 300);
    const begun = performance.now();
    const error = await errorOf(
      run(
        {
          ...reader,
          engine: { read: (question, values, use) => reader.engine?.read(question, values, use, errand) ?? Promise.reject(new Error()) },
        },
        query,
        { no: 3 },
      ),
    );
    expect(error).toBeInstanceOf(QueryTimeoutError);
    expect(performance.now() - begun).toBeLessThan(5000);
    for (let tries = 0; tries < 100 && asked.length < 2; tries += 1) await pause(20);
    const [, id] = /query_id=([0-9a-f-]+)/.exec(asked[0] ?? '') ?? [];
    expect(asked[1]).toMatch(/kill query/);
    expect(asked[1]).toContain(`param_id=${String(id)}`);
  });

  it('that nobody waits for is cancelled, and takes no lane from others', async () => {
    const { url } = await stub(() => undefined);
    const reader = readerOf(url);
    const lanes = openLanes({ lookup: 1, screen: 1, bulk: 1 }, () => performance.now());
    const errand = lanes.open('screen', 'key', 60_000);
    const asked = errorOf(
      run(
        {
          ...reader,
          engine: { read: (question, values, use) => reader.engine?.read(question, values, use, errand) ?? Promise.reject(new Error()) },
        },
        query,
        { no: 3 },
      ),
    );
    expect(await lanes.open('screen', 'other', 1000).run(() => Promise.resolve('answered'))).toBe('answered');
    errand.end(new Error('left'));
    expect(await asked).toEqual(new Error('left'));
  });
});

describe('the snapshots of a cluster', () => {
  it('are unknown while it does not answer; that is reported once, and checked again', async () => {
    let isUp = false;
    const { url } = await stub((_, response) => {
      if (isUp) response.end('["load_id","snapshot_id"]\n["String","String"]\n["a1","snap_1"]\n');
      else response.writeHead(503).end('no');
    });
    let now = 0;
    const told: unknown[] = [];
    const heavy = openHeavyEngine(
      openCluster(url),
      () => now,
      (error) => told.push(error),
    );
    closers.push(() => heavy.close());
    await heavy.follow();
    expect(await errorOf(run({ ...readerOf(url), engine: heavy.engineOf('snap_1') }, query, { no: 3 }))).toBeInstanceOf(ClusterError);
    expect(heavy.warning('snap_1')).toMatch(/does not answer/);
    isUp = true;
    now = 6000;
    await heavy.follow();
    for (let tries = 0; tries < 200 && heavy.warning('snap_1') !== null; tries += 1) await pause(20);
    expect([heavy.warning('snap_1'), heavy.engineOf('snap_1') === null]).toEqual([null, false]);
    expect([heavy.warning('snap_2'), heavy.engineOf('snap_2')]).toEqual([
      expect.stringMatching(/does not have snap_2.*npm run load/),
      null,
    ]);
    expect(told.map((error) => error === null)).toEqual([false, true]);
  });
});

describe('a cluster that refuses', () => {
  it.each([
    [81, 404, 'Database asof does not exist. ', 'UNKNOWN_DATABASE', 'Create the database and its user'],
    [
      516,
      403,
      'asof: Authentication failed: password is incorrect, or there is no user with such name. ',
      'AUTHENTICATION_FAILED',
      'Correct the user and password',
    ],
    [497, 403, 'asof: Not enough privileges. To execute this query, grant select. ', 'ACCESS_DENIED', 'Grant its user'],
    [241, 500, 'Memory limit exceeded. ', 'MEMORY_LIMIT_EXCEEDED', null],
  ])('with error %i is reported as refusing, with a remedy if one is known', async (code, status, message, type, remedy) => {
    const { url } = await stub((_, response) =>
      response
        .writeHead(status, { 'x-clickhouse-exception-code': String(code) })
        .end(`Code: ${code}. DB::Exception: ${message}. (${type}) (version 26.3)`),
    );
    let told: unknown = null;
    const heavy = openHeavyEngine(
      openCluster(url),
      () => 0,
      (error) => (told = error),
    );
    closers.push(() => heavy.close());
    await heavy.follow();
    expect(heavy.warning('snap_1')).toMatch(new RegExp(`^The cluster of ENGINE_URL refuses queries \\(${type}\\)\\. .*\\.$`));
    const { detail } = told as ClusterError;
    expect(detail).toMatch(new RegExp(`^127\\.0\\.0\\.1:\\d+ refused: ${message.trim().replace(/\.$/, '')} \\(${type}\\)`));
    expect(remedy === null ? detail.endsWith(`(${type})`) : detail.includes(`. ${remedy}`)).toBe(true);
    expect(detail).toMatch(/[^.\s]$/); // what tells it ends the sentence
    expect(detail).not.toContain(SECRET);
  });
});

it('a cluster that was reported silent is reported again when it answers with a refusal', async () => {
  let isUp = false;
  const { url } = await stub((_, response) =>
    isUp
      ? response
          .writeHead(403, { 'x-clickhouse-exception-code': '497' })
          .end('Code: 497. DB::Exception: Not enough privileges. (ACCESS_DENIED)')
      : response.writeHead(503).end('no'),
  );
  let now = 0;
  const told: unknown[] = [];
  const heavy = openHeavyEngine(
    openCluster(url),
    () => now,
    (error) => told.push((error as ClusterError | null)?.type),
  );
  closers.push(() => heavy.close());
  await heavy.follow();
  isUp = true;
  for (let looks = 0; looks < 2; looks += 1) {
    now += 6000;
    await heavy.follow();
    for (let tries = 0; tries < 200 && !(heavy.warning('snap_1') ?? '').includes('ACCESS_DENIED'); tries += 1) await pause(20);
  }
  expect(told).toEqual([null, 'ACCESS_DENIED']);
});

describe('a service whose cluster is down', () => {
  let service: RunningService;
  beforeAll(async () => {
    const port = await freePort();
    service = await startService(await sampleDataDir(), {
      isOwnFolder: true,
      engineUrl: `http://asof:${SECRET}@127.0.0.1:${port}/default`,
    });
  });
  afterAll(() => service.stop());

  it('refuses screens with an error envelope, and answers requests that need no cluster', async () => {
    const screen = await service.get(
      '/public/screener?filter=consumer_confidence:gt:-40&rank_by=consumer_confidence:desc&as_of=2024-05-01',
    );
    const { error } = (await screen.json()) as ErrorBody;
    expect([screen.status, error.code, error.details?.['reason']]).toEqual([500, 'internal_error', 'engine_unavailable']);
    for (const path of ['/observations?indicator_id=us_payrolls&limit=5', '/indicators?limit=5', '/entities?limit=5', '/health'])
      expect([path, (await service.get(path)).status]).toEqual([path, 200]);
    const ready = await service.get('/ready');
    expect([ready.status, JSON.stringify(await ready.json())]).toEqual([200, expect.stringContaining('ENGINE_URL does not answer')]);
    expect(JSON.stringify([error, service.lines])).not.toContain(SECRET);
    expect(service.lines.some((line) => String(line['msg']).includes('does not answer'))).toBe(true);
  });
});
