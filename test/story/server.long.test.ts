// The real process: what it refuses to start with, what it follows while it runs, and how it ends.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { keyFile, readKeys, revokeKey } from '../../src/keys/key-store.ts';
import { SAMPLE_MARK } from '../../src/snapshot/manifest.ts';
import { openPipeline, type Pipeline, realTimeFile } from '../pipeline.ts';
import { type ErrorBody, issueKeys, type Keys, type ListBody, sampleLake } from '../service.ts';
import { isLong } from '../suite.ts';

const ROOT = join(import.meta.dirname, '../..');
const COMMAND = ['--import', 'tsx', 'src/main.ts'];
const environment = (more: Record<string, string>) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  PORT: '0',
  ...more,
});

let dataDir: string;
let pipeline: Pipeline;
let keys: Keys;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'asof-server-'));
  await cp(await sampleLake(), dataDir, { recursive: true });
  pipeline = await openPipeline({ dataDir });
  keys = await issueKeys(dataDir, Date.now());
});
afterAll(() => pipeline.remove());

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  readonly output: () => string;
  /** The exit code. */
  readonly ended: Promise<number | null>;
}

async function start(
  more: Record<string, string> = {},
  [program, words]: readonly [string, readonly string[]] = [process.execPath, COMMAND],
): Promise<Running> {
  const child = spawn(program, words, { cwd: ROOT, env: environment({ DATA_DIR: dataDir, ...more }) });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const portIn = () => /"port":(\d+).*"listening"/.exec(output)?.[1];
  while (portIn() === undefined && child.exitCode === null) await pause(50);
  if (portIn() === undefined) throw new Error(`the server did not start: ${output}`);
  return { child, url: `http://127.0.0.1:${portIn()}`, output: () => output, ended };
}

const PREPARE = ['--import', 'tsx', 'jobs/commands/prepare.ts'];
const refusal = (more: Record<string, string>, command = COMMAND) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, command, {
    cwd: ROOT,
    env: environment({ DATA_DIR: dataDir, ...more }),
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, lines: stderr.trim().split('\n'), stdout };
};

describe('a start is refused in one line', () => {
  const wrong = [
    ['CURSOR_SECRET', 'short'],
    ['PORT', '65536'],
    ['LOG_LEVEL', 'loud'],
    ['REDIS_URL', 'localhost:6379'],
  ] as const;
  it.each(isLong ? wrong : wrong.slice(0, 1))('that names %s if it is %s', (name, value) => {
    const { status, lines, stdout } = refusal({ [name]: value });
    expect([status, lines.length, stdout]).toEqual([1, 1, '']);
    expect(lines[0]).toMatch(new RegExp(`^Configuration: ${name} .+\\.$`));
    expect(lines[0]).not.toContain(name === 'CURSOR_SECRET' ? value : '\n');
  });

  it('that names the key file if others can read it', async () => {
    await chmod(keyFile(dataDir), 0o644);
    const { status, lines } = refusal({});
    await chmod(keyFile(dataDir), 0o600);
    expect([status, lines.length]).toEqual([1, 1]);
    expect(lines[0]).toContain(`chmod 600 ${keyFile(dataDir)}`);
  });
});

describe('a running server', () => {
  let running: Running;
  beforeAll(async () => {
    running = await start();
  });
  afterAll(() => void running.child.kill('SIGKILL'));

  const get = (path: string, key: string | null = keys.full) =>
    fetch(running.url + path, { headers: key === null ? {} : { 'x-api-key': key } });
  const logged = () => running.output();

  it.runIf(isLong)(
    'follows a newly published snapshot without a restart, while every request is answered',
    async () => {
      const newest = '/observations?indicator_id=us_nonfarm_payrolls&source_id=fred&vintage=all&sort=observed_at&order=desc&limit=1';
      const snapshotIn = async () => ((await (await get('/ready', null)).json()) as { data: { snapshotId: string } }).data.snapshotId;
      const before = await snapshotIn();
      const statuses = new Map<number, number>();
      const over = new AbortController();
      const hammer = async () => {
        for (let turn = 0; !over.signal.aborted; turn += 1) {
          const path = turn % 5 === 0 ? '/observations?limit=2000&format=ndjson&source_id=fred_md' : newest;
          const response = await get(path, turn % 2 === 0 ? keys.full : keys.data);
          await response.text(); // throws when the connection breaks midway
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
          await pause(10); // the limits are those of a real installation
        }
      };
      const clients = Promise.all([hammer(), hammer(), hammer()]);
      const months = ['2026-06', '2026-07', '2026-08', '2026-09', '2026-10'];
      const rows = months.map((month) => [`${month}-01`, '2026-11-18', '9999-12-31', 150_000] as const);
      let published = '';
      let data: ListBody['data'] = [];
      try {
        await pipeline.run(realTimeFile('PAYEMS', 'PAYEMS', rows), '2026-11-21T09:00:00.000Z');
        published = (await pipeline.current()).snapshotId;
        // A second or two where the machine is idle; what counts is that no restart is needed.
        await expect.poll(snapshotIn, { timeout: 60_000, interval: 250 }).toBe(published);
        ({ data } = (await (await get(newest)).json()) as ListBody);
      } finally {
        over.abort();
        await clients;
      }
      expect(before).not.toBe(published);
      expect(data[0]).toMatchObject({ vintage: '2026-11-18', actual: 150_000 });
      expect([...statuses.keys()].filter((status) => status !== 200 && status !== 429)).toEqual([]);
      expect(statuses.get(200)).toBeGreaterThan(20);
      expect(logged()).not.toContain('request failed');
    },
    180_000,
  );

  it('refuses a key in the address, and logs neither it nor any header', async () => {
    const response = await get(`/observations?api_key=${keys.ops}`, null);
    const { error } = (await response.json()) as ErrorBody;
    expect([response.status, error.code, error.details]).toEqual([400, 'bad_request', { reason: 'key_in_address' }]);
    for (const path of [`/entities/${keys.ops}`, `/entities?q=${keys.ops}`, `/%61sof_${keys.ops.slice(5)}`])
      expect((await get(path)).status).toBe(400);
    expect(error.message).not.toContain(keys.ops);
    await expect.poll(logged).toContain('"status":400');
    for (const key of Object.values(keys)) expect(logged()).not.toContain(key.slice(5, 30));
  });

  it('logs each request with the id of its key', async () => {
    await get('/entities/us');
    const [keyId] = readKeys(keyFile(dataDir)).map((key) => key.keyId);
    await expect
      .poll(() =>
        logged()
          .split('\n')
          .find((line) => line.includes('"/entities/:idOrSlug"') && line.includes('"status":200')),
      )
      .toContain(`"keyId":"${keyId}"`);
  });

  it('accepts a new key and refuses a revoked one within seconds', async () => {
    expect((await get('/entities/us', keys.data)).status).toBe(200);
    const revoked = readKeys(keyFile(dataDir)).find((key) => key.label === 'data');
    await revokeKey(keyFile(dataDir), revoked?.keyId ?? '', Date.now());
    const { data: fresh } = await issueKeys(dataDir, Date.now());
    await expect.poll(async () => (await get('/entities/us', keys.data)).status, { timeout: 4000, interval: 250 }).toBe(401);
    expect((await get('/entities/us', fresh)).status).toBe(200);
  });

  it('keeps its keys if their file is damaged', async () => {
    const text = await readFile(keyFile(dataDir), 'utf8');
    await writeFile(keyFile(dataDir), text.slice(0, 40), { mode: 0o600 });
    await pause(1200);
    expect((await get('/entities/us')).status).toBe(200);
    await writeFile(keyFile(dataDir), text, { mode: 0o600 });
    await expect.poll(logged).toContain('keys cannot be read');
  });

  it('keeps running if others start: one on its port is refused, another shares its folder', async () => {
    const { port } = new URL(running.url);
    const parquet = (url: string) =>
      new Promise<readonly [number | undefined, string]>((resolve, reject) => {
        const options = { headers: { 'x-api-key': keys.full }, agent: false };
        httpRequest(`${url}/observations?limit=20000&format=parquet`, options, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => resolve([response.statusCode, Buffer.concat(chunks).subarray(-4).toString('latin1')]));
        })
          .on('error', reject)
          .end();
      });
    const { status, lines, stdout } = refusal({ PORT: port });
    expect([status, lines.length, stdout]).toEqual([1, 1, '']);
    expect(lines[0]).toMatch(
      /^Configuration: asof cannot listen on 127\.0\.0\.1:\d+, set by HOST and PORT \(EADDRINUSE\)\. .*set another PORT\.$/,
    );
    expect(await parquet(running.url)).toEqual([200, 'PAR1']);
    const beside = await start();
    expect(await Promise.all([parquet(running.url), parquet(beside.url)])).toEqual([
      [200, 'PAR1'],
      [200, 'PAR1'],
    ]);
    expect(readdirSync(join(dataDir, 'tmp', 'servers'))).toHaveLength(2);
    beside.child.kill('SIGTERM');
    expect(await beside.ended).toBe(0);
    expect(readdirSync(join(dataDir, 'tmp', 'servers'))).toHaveLength(1);
    expect(await parquet(running.url)).toEqual([200, 'PAR1']);
  });

  it('ends if you send SIGTERM to npm start', async () => {
    const { child, url, ended } = await start({}, ['npm', ['start']]);
    child.kill('SIGTERM');
    await ended;
    await vi.waitFor(() => expect(fetch(`${url}/ready`)).rejects.toThrow('fetch failed'), { timeout: 60_000 });
  });

  it('says that it serves the sample, although the folder of the sample is its own', async () => {
    expect(await (await get('/ready', null)).json()).toMatchObject({ data: { serves: 'sample', warnings: [] } });
    await rm(join(dataDir, SAMPLE_MARK));
    expect(await (await get('/ready', null)).json()).toMatchObject({ data: { serves: 'real' } });
  });

  it('finishes an open request on SIGTERM, accepts no new one, and exits with 0', async () => {
    const whole = new Promise<{ rows: number; isComplete: boolean }>((resolve, reject) => {
      const request = httpRequest(
        `${running.url}/observations?limit=50000&format=ndjson`,
        { headers: { 'x-api-key': keys.full } },
        (response) => {
          let rows = 0;
          response.once('data', () => running.child.kill('SIGTERM'));
          response.on('data', (chunk: Buffer) => (rows += chunk.filter((byte) => byte === 10).length));
          response.on('close', () => resolve({ rows, isComplete: response.complete }));
        },
      );
      request.on('error', reject);
      request.end();
    });
    const { rows, isComplete } = await whole;
    expect([isComplete, rows > 5000]).toEqual([true, true]);
    expect(await running.ended).toBe(0);
    await expect(get('/health', null)).rejects.toThrow('fetch failed');
    await expect.poll(logged).toContain('"signal":"SIGTERM"');
  });
});

describe('before the first start', () => {
  it('a port in use is reported in one line, and nothing is built', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'asof-taken-'));
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const { status, lines, stdout } = refusal({ DATA_DIR: join(folder, 'data'), PORT: String(port) }, PREPARE);
    taken.close();
    expect([status, lines.length, stdout]).toEqual([1, 1, '']);
    expect(lines[0]).toContain(`cannot listen on 127.0.0.1:${port}, set by HOST and PORT (EADDRINUSE)`);
    expect(readdirSync(folder)).toEqual([]);
    await rm(folder, { recursive: true, force: true });
  });

  it('a folder without write permission is reported in one line', () => {
    for (const [command, more, message] of [
      [
        PREPARE,
        { DATA_DIR: '/dev/null/data' },
        /^\/dev\/null\/data\S* cannot be read or written \(ENOTDIR\)\. .*set DATA_DIR to a folder\.$/,
      ],
      [
        COMMAND,
        { DATA_DIR: '/dev/null/data' },
        /^Configuration: DATA_DIR \/dev\/null\/data cannot be written \(.*\)\. Set SCRATCH_DIR to a writable folder\.$/,
      ],
      [
        COMMAND,
        { SCRATCH_DIR: '/dev/null/x' },
        /^Configuration: SCRATCH_DIR \/dev\/null\/x cannot be written \(.*\)\. Set SCRATCH_DIR to a writable folder\.$/,
      ],
    ] as const) {
      const { status, lines } = refusal(more, command);
      expect([status, lines]).toEqual([1, [expect.stringMatching(message)]]);
    }
  });
});

describe.runIf(isLong)('a server without data', () => {
  it('starts, is healthy, and reports that it is not ready', async () => {
    const [whole, empty] = [dataDir, await mkdtemp(join(tmpdir(), 'asof-empty-'))];
    dataDir = empty;
    const running = await start();
    dataDir = whole;
    const [health, ready] = [await fetch(`${running.url}/health`), await fetch(`${running.url}/ready`)];
    running.child.kill('SIGTERM');
    expect([health.status, ready.status, ((await ready.json()) as ErrorBody).error.details]).toEqual([200, 500, { reason: 'not_ready' }]);
    expect(await running.ended).toBe(0);
    await rm(empty, { recursive: true, force: true });
  });
});
