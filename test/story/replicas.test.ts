// Three servers on folders of their own that follow one store, behind a balancer: they answer alike, a walk goes on at another, one is killed, all are
// rolled, snapshots are published in between; no request is lost, and none is of two snapshots.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { issueKey, keyFile, revokeKey } from '../../src/keys/key-store.ts';
import { openObjects } from '../../src/objects/open.ts';
import { snapshotPaths } from '../../src/snapshot/manifest.ts';
import { push, pushFile } from '../../src/snapshot/remote/push.ts';
import { openBalancer } from '../deployments/balancer.ts';
import { publishEvening, twoEvenings } from '../evenings.ts';
import { freePort } from '../free-port.ts';
import { bucketStore, folderStore, hasBucket, NO_BUCKET, type TestedStore, withEnvironment } from '../objects/stores.ts';
import { issueKeys, type Keys, sampleDataDir } from '../service.ts';
import { isLong } from '../suite.ts';

const ROOT = join(import.meta.dirname, '../..');
const SECONDS = Number(process.env['REPLICAS_SECONDS'] ?? '20');
const CLIENTS = 64;
const REPLICAS = 3;
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const PATHS = ['us_nonfarm_payrolls', 'us_cpi', 'price_close'].map((id) => `/observations?indicator_id=${id}&limit=50`);

interface Replica {
  readonly url: string;
  readonly child: ChildProcess;
  readonly dataDir: string;
}

interface Got {
  readonly status: number | null;
  readonly text: string;
  readonly headers: http.IncomingHttpHeaders;
}

/** Without what is another in each answer: its number, and the moment at which a walk begins. */
const sameOf = (text: string) => text.replaceAll(/("request_?[iI]d":|"next_cursor":)"[^"]*"/g, '$1""');

/** Status null where the connection broke before the answer was whole. */
function got(url: string, key: string, agent?: http.Agent): Promise<Got> {
  return new Promise((resolve) => {
    const broken = () => resolve({ status: null, text: '', headers: {} });
    const request = http.request(url, { headers: { 'x-api-key': key }, ...(agent === undefined ? {} : { agent }) }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', broken);
      response.on('close', () =>
        response.complete
          ? resolve({ status: response.statusCode ?? null, text: Buffer.concat(parts).toString('utf8'), headers: response.headers })
          : broken(),
      );
    });
    request.on('error', broken);
    request.end();
  });
}

describe.each([
  ['a folder', folderStore, isLong],
  ['a bucket', bucketStore, isLong && hasBucket],
] as const)('three servers that follow %s', (_, start, isRun) => {
  let tested: TestedStore | null = null;
  let restore: () => void = () => undefined;
  let redis: ChildProcess | null = null;
  let environment: Readonly<Record<string, string>>;
  let maker: string;
  let keys: Keys;
  let evenings: readonly string[];
  let address: string;
  const replicas: Replica[] = [];
  const folders: string[] = [];
  let published = 0;

  const startReplica = async (dataDir = mkdtempSync(join(tmpdir(), 'asof-replica-'))): Promise<Replica> => {
    folders.push(dataDir);
    const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...environment, DATA_DIR: dataDir, PORT: '0' },
    });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8').replaceAll(/.*"msg":"request"}\n/g, '')));
    child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    const portIn = () => /"port":(\d+).*"listening"/.exec(output)?.[1];
    while (portIn() === undefined && child.exitCode === null) await pause(50);
    if (portIn() === undefined) throw new Error(`a server did not start: ${output}`);
    return { url: `http://127.0.0.1:${portIn()}`, child, dataDir };
  };
  const isReady = async ({ url }: Replica) => (await got(`${url}/ready`, keys.full)).status === 200;
  const whenReady = async (one: Replica): Promise<Replica> => {
    for (let attempt = 0; attempt < 600; attempt += 1) {
      if (await isReady(one)) return one;
      await pause(100);
    }
    throw new Error(`a server is not ready: ${(await got(`${one.url}/ready`, keys.full)).text}`);
  };
  const ended = async ({ child }: Replica, signal: NodeJS.Signals) => {
    const exit = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await exit;
  };
  const publishNext = async (): Promise<string> => {
    published += 1;
    const id = publishEvening(maker, evenings, published);
    const store = await openObjects(address);
    await push(snapshotPaths(maker), store, { keep: 5, now: Date.now() });
    store.close();
    return id;
  };
  const inStore = async (work: (store: Awaited<ReturnType<typeof openObjects>>) => Promise<unknown>) => {
    const store = await openObjects(address);
    await work(store);
    store.close();
  };
  const servedBy = async ({ url }: Replica) =>
    (JSON.parse((await got(`${url}/snapshot`, keys.full)).text) as { readonly data: { readonly snapshotId: string } }).data.snapshotId;

  const whenAllServe = async (id: string) => {
    for (const one of replicas) {
      const until = performance.now() + 60_000;
      while ((await servedBy(one)) !== id) {
        if (performance.now() > until) throw new Error(`a server does not take ${id}`);
        await pause(100);
      }
    }
  };

  beforeAll(async () => {
    if (!isRun) return;
    tested = await start();
    restore = withEnvironment(tested.environment);
    address = tested.fresh();
    const sample = await sampleDataDir();
    maker = `${sample}-maker`;
    renameSync(join(sample, 'sample'), maker);
    rmSync(sample, { recursive: true });
    evenings = await twoEvenings(maker);
    keys = await issueKeys(maker, Date.now());
    const port = await freePort();
    if (hasRedis)
      redis = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', tmpdir()], { stdio: 'ignore' });
    environment = {
      ...tested.environment,
      SNAPSHOT_URL: address,
      CURSOR_SECRET: 'the same at every one of the three servers',
      RATE_LIMIT_SCALE: '100000',
      LOOKUP_SECONDS: '60',
      UV_THREADPOOL_SIZE: '16',
      ...(hasRedis ? { REDIS_URL: `redis://127.0.0.1:${port}` } : {}),
    };
    await inStore((store) => pushFile(store, keyFile(maker)));
    await publishNext();
    replicas.push(...(await Promise.all(Array.from({ length: REPLICAS }, () => startReplica()))));
    for (const one of replicas) await whenReady(one);
  });
  afterAll(async () => {
    for (const { child } of replicas) child.kill('SIGKILL');
    redis?.kill('SIGKILL');
    restore();
    await tested?.stop();
    for (const folder of [...folders, ...(maker === undefined ? [] : [maker])]) rmSync(folder, { recursive: true, force: true });
  });
  beforeEach((context) => {
    if (!isRun) context.skip(isLong ? NO_BUCKET : 'takes long: npm run test:long');
  });

  it('give the same answers, and count the requests of a key together', async () => {
    for (const path of PATHS) {
      const answers = await Promise.all(replicas.map(({ url }) => got(url + path, keys.full)));
      expect(new Set(answers.map(({ status, text, headers }) => JSON.stringify([status, headers.etag, sameOf(text)]))).size).toBe(1);
      expect(answers[0]?.text.length).toBeGreaterThan(5000);
    }
    const left: number[] = [];
    for (const { url } of [...replicas, ...replicas])
      left.push(Number((await got(`${url}/countries`, keys.data)).headers['x-ratelimit-remaining']));
    expect(left.map((one) => (left[0] ?? 0) - one)).toEqual(hasRedis ? [0, 1, 2, 3, 4, 5] : [0, 0, 0, 1, 1, 1]);
  });

  it('continue a walk that another one began', async () => {
    const walk = async (through: readonly Replica[]) => {
      const rows: unknown[] = [];
      let cursor: string | null = null;
      for (let page = 0; page === 0 || cursor !== null; page += 1) {
        const one = through[page % through.length];
        const more = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const { status, text } = await got(`${one?.url}/observations?indicator_id=us_nonfarm_payrolls&limit=30${more}`, keys.full);
        expect(status).toBe(200);
        const body = JSON.parse(text) as {
          readonly data: readonly unknown[];
          readonly meta: { readonly pagination: { readonly next_cursor: string | null } };
        };
        rows.push(...body.data.map((row) => (row as { readonly observationId: string }).observationId));
        cursor = body.meta.pagination.next_cursor;
        // Snapshots come and go under the walk.
        if (page === 1 && through.length > 1) {
          const id = await publishNext();
          await whenAllServe(id);
        }
      }
      return rows;
    };
    const alone = await walk(replicas.slice(0, 1));
    expect(alone.length).toBeGreaterThan(100);
    expect(await walk(replicas)).toEqual(alone);
  });

  it('lose no request while one is killed, all are restarted in turn, and snapshots are published', async () => {
    const known = new Map<string, Set<string>>(PATHS.map((path) => [path, new Set<string>()]));
    for (let evening = 0; evening < evenings.length; evening += 1) {
      const id = await publishNext();
      await whenAllServe(id);
      for (const path of PATHS) known.get(path)?.add(sameOf((await got((replicas[0]?.url ?? '') + path, keys.full)).text));
    }
    for (const texts of known.values()) expect(texts.size).toBe(2);
    const behind: Replica[] = [...replicas];
    const front = await openBalancer(() => behind.map((one) => Number(new URL(one.url).port)));
    const url = `http://127.0.0.1:${front.port}`;
    const agent = new http.Agent({ keepAlive: true, maxSockets: CLIENTS, timeout: 60_000 });
    const lost: string[] = [];
    const seen = new Set<string>();
    const over = new AbortController();
    let answers = 0;
    const clients = Array.from({ length: CLIENTS }, async (__, client) => {
      for (let n = client; !over.signal.aborted; n += 1) {
        const path = PATHS[n % PATHS.length] ?? '';
        const { status, text } = await got(url + path, keys.full, agent);
        if (status !== 200) lost.push(`${path}: ${status}`);
        else if (known.get(path)?.has(sameOf(text)) !== true) lost.push(`${path} is of no snapshot, or of more than one`);
        answers += 1;
        seen.add(sameOf(text));
        await pause(50);
      }
    });
    const end = performance.now() + SECONDS * 1000;
    const publishing = (async () => {
      while (performance.now() < end) {
        await publishNext();
        await pause(3000);
      }
    })();
    const killed = behind[0];
    if (killed !== undefined) await ended(killed, 'SIGKILL');
    behind[0] = await whenReady(await startReplica(killed?.dataDir));
    for (const [index, old] of behind.entries()) {
      const next = await whenReady(await startReplica());
      behind[index] = next;
      await ended(old, 'SIGTERM');
    }
    await publishing;
    over.abort();
    await Promise.all(clients);
    replicas.splice(0, REPLICAS, ...behind);
    agent.destroy();
    await front.stop();
    process.stderr.write(`${answers} answers, ${published} snapshots\n`);
    expect(lost).toEqual([]);
    expect(answers).toBeGreaterThan(CLIENTS * 10);
    expect(seen.size).toBe(PATHS.length * 2);
  });

  it('follow keys as they are issued and revoked', async () => {
    const { key, issued } = await issueKey(keyFile(maker), { label: 'late', tier: 'full', scopes: ['data:read'] }, Date.now());
    const statuses = async () => new Set(await Promise.all(replicas.map(async ({ url }) => (await got(`${url}/countries`, key)).status)));
    await inStore((store) => pushFile(store, keyFile(maker)));
    await expect.poll(statuses, { timeout: 15_000, interval: 200 }).toEqual(new Set([200]));
    await revokeKey(keyFile(maker), issued.keyId, Date.now());
    await inStore((store) => pushFile(store, keyFile(maker)));
    await expect.poll(statuses, { timeout: 15_000, interval: 200 }).toEqual(new Set([401]));
  });

  it('continue without the store, and report it; one that starts then names what it waits for', async () => {
    await tested?.stop();
    const warned = async ({ url }: Replica) => (await got(`${url}/ready`, keys.full)).text;
    for (const one of replicas)
      await expect.poll(() => warned(one), { timeout: 60_000, interval: 500 }).toMatch(/The snapshot fetched before is served/);
    for (const one of replicas) expect((await got(one.url + (PATHS[0] ?? ''), keys.full)).status).toBe(200);
    const again = await whenReady(await startReplica(replicas[0]?.dataDir));
    expect((await got(again.url + (PATHS[0] ?? ''), keys.full)).status).toBe(200);
    await ended(again, 'SIGTERM');
    const empty = await startReplica();
    await expect.poll(() => warned(empty), { timeout: 60_000, interval: 500 }).toMatch(/nothing was published there|cannot be used/);
    expect(await isReady(empty)).toBe(false);
    await ended(empty, 'SIGTERM');
    tested = null;
  });
});
