// Mixed load on the real process: look-ups of many clients beside exports, clients that read slowly or leave, more requests than there is room
// for, and a new snapshot every few seconds, in which every row is another. Every request is answered whole out of one snapshot or told when to come
// again; look-ups stay quick; nothing is left over. LOAD_SEED repeats the draws of a run.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishEvening, twoEvenings } from '../evenings.ts';
import { issueKeys, type Keys, sampleDataDir } from '../service.ts';

const ROOT = join(import.meta.dirname, '../..');
const SECONDS = Number(process.env['LOAD_SECONDS'] ?? '20');
const SEED = Number(process.env['LOAD_SEED'] ?? process.env['FAULTS_SEED'] ?? String(Date.now() % 1_000_000));
/** LOAD_TIMES=told: times are told and not held against those of an idle machine, where other work goes on beside. */
const TIMES = process.env['LOAD_TIMES'] === 'told' ? Number.POSITIVE_INFINITY : 5;
/** Of resident memory, from one quarter to another; in a minute the collector has hardly begun. */
const SLACK_MB = TIMES === 5 ? 64 : 512;
/** A slow machine still walks older snapshots, of which each is some files. */
const SLACK_FILES = TIMES === 5 ? 8 : 60;
const CONNECTIONS = 64;
const MS_BETWEEN_SNAPSHOTS = 3000;
/** A key may ask so many look-ups at once. */
const CAPACITY = 64;
const BURST_SECONDS = Math.min(10, Math.max(3, SECONDS / 6));
/** Of a look-up on an idle machine; what is quicker than that says more of the machine than of the service. */
const LEAST_IDLE_MS = 15;
/** Of /health beside anything. */
const HEALTH_MS = TIMES === 5 ? 50 : Number.POSITIVE_INFINITY;

/** Numbers from 0 to below 1, the same ones for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const random = randomOf(SEED);
const tell = (line: string) => void process.stderr.write(`${line}\n`);
// Heeds how long the service keeps a connection that nobody uses: without a time of its own Node's agent does not, and now and then sends a request on one that is
// just being closed.
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, timeout: 60_000 });
const wide = new Agent({ keepAlive: true, maxSockets: 4 * CAPACITY });
let dataDir: string;
let keys: Keys;
let child: ChildProcess;
let probe: ChildProcess | null = null;
let url: string;
let output = '';
/** Two snapshots of the sample, as two evenings brought it: no row of one is a row of the other. */
let evenings: readonly string[];

beforeAll(async () => {
  tell(`LOAD_SEED=${SEED} LOAD_SECONDS=${SECONDS}`);
  const sample = await sampleDataDir();
  dataDir = `${sample}-real`;
  renameSync(join(sample, 'sample'), dataDir);
  rmSync(sample, { recursive: true });
  evenings = await twoEvenings(dataDir);
  keys = await issueKeys(dataDir, Date.now());
  child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      DATA_DIR: dataDir,
      PORT: '0',
      RATE_LIMIT_SCALE: '100000',
      UV_THREADPOOL_SIZE: '16',
      LOOKUP_SECONDS: '60',
    },
  });
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8').replaceAll(/.*"msg":"request"}\n/g, '')));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const portIn = () => /"port":(\d+).*"listening"/.exec(output)?.[1];
  while (portIn() === undefined && child.exitCode === null) await pause(50);
  if (portIn() === undefined) throw new Error(`the server did not start: ${output}`);
  url = `http://127.0.0.1:${portIn()}`;
});
afterAll(() => {
  agent.destroy();
  wide.destroy();
  probe?.kill();
  child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

interface Answer {
  readonly status: number | null;
  readonly ms: number;
  readonly isWhole: boolean;
  readonly sha256: string;
  readonly retryAfter: string | undefined;
}

interface Asking {
  readonly key?: keyof Keys;
  readonly through?: Agent | false;
  /** Waits so long after each part that it reads. */
  readonly pauseMs?: number;
  /** Leaves so long after it asked. */
  readonly leaveAfterMs?: number;
}

function ask(path: string, { key = 'full', through = agent, pauseMs = 0, leaveAfterMs }: Asking = {}): Promise<Answer> {
  return new Promise((resolve) => {
    const began = performance.now();
    const hash = createHash('sha256');
    let response: IncomingMessage | null = null;
    const done = () =>
      resolve({
        status: response?.statusCode ?? null,
        ms: performance.now() - began,
        isWhole: response?.complete ?? false,
        sha256: hash.digest('hex'),
        retryAfter: response?.headers['retry-after'],
      });
    const request = httpRequest(url + path, { headers: { 'x-api-key': keys[key] }, agent: through }, (found) => {
      response = found;
      found.on('data', (chunk: Buffer) => {
        hash.update(chunk);
        if (pauseMs === 0) return;
        found.pause();
        setTimeout(() => found.resume(), pauseMs);
      });
      found.on('error', () => undefined);
      found.on('close', done);
    });
    request.on('error', () => {
      if (response === null) done();
    });
    request.end();
    if (leaveAfterMs !== undefined) setTimeout(() => request.destroy(), leaveAfterMs);
  });
}

/** A look-up that no answer was kept of. */
function lookUp(): string {
  const day = 1 + Math.floor(random() * 28);
  const year = 1990 + Math.floor(random() * 30);
  return `/observations?indicator_id=us_nonfarm_payrolls&limit=1&order=desc&start_date=${year}-01-${String(day).padStart(2, '0')}&end_date=20${20 + Math.floor(random() * 80)}-12-31`;
}
const EXPORTS = ['ndjson', 'csv', 'arrow', 'parquet'].map((format) => `/observations?limit=20000&format=${format}`);

/** One that the engine answers: what is cut out of packed columns is done before the next request is read, and never waits. */
function lookUpOfEngine(): string {
  const year = 1990 + Math.floor(random() * 36);
  return `/economic-calendar?start_date=${year}-01-01&end_date=2${String(Math.floor(random() * 900) + 100)}-12-31&limit=1`;
}

/** So many clients that ask, read and think, for so long. */
async function lookUpsFor(milliseconds: number, clients: number): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const end = performance.now() + milliseconds;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < end) {
        await pause(500 + random() * 3000);
        answers.push(await ask(lookUp(), { key: random() < 0.5 ? 'full' : 'data' }));
      }
    }),
  );
  return answers;
}

type Timed = Pick<Answer, 'status' | 'ms'>;

/** Begins to ask /health from a process of its own; what it gives ends that and tells the answers. */
function healthAsked(): () => Promise<readonly Timed[]> {
  const asking = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'health-probe.ts'), url], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  probe = asking;
  const ended = once(asking, 'close');
  let lines = '';
  asking.stdout.on('data', (chunk: Buffer) => (lines += chunk.toString('utf8')));
  return async () => {
    asking.kill();
    await ended;
    return [...lines.matchAll(/^(\d+) ([\d.]+)\n/gm)].map(([, status, ms]) => ({ status: Number(status), ms: Number(ms) }));
  };
}

const p99 = (answers: readonly Timed[]) => answers.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(answers.length * 0.99)] ?? 0;
const openFiles = () => readdirSync(`/proc/${child.pid}/fd`).length;
const memoryMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
const scratchFiles = () => readdirSync(join(dataDir, 'tmp', 'servers'), { recursive: true }).filter((name) => String(name).includes('.'));

interface Use {
  readonly files: number;
  readonly memory: number;
}
const use = (): Use => ({ files: openFiles(), memory: memoryMb() });

/** The median of a part of what was measured second by second. */
function median(of: readonly Use[], from: number, to: number, field: keyof Use): number {
  const part = of.slice(Math.floor(of.length * from), Math.ceil(of.length * to)).map((one) => one[field]);
  return part.toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;
}

/** Answers a second, of so many clients that never think; one that is told to come again asks again a moment later. */
async function goodput(
  clients: number,
): Promise<{ readonly perSecond: number; readonly refused: number; readonly lost: readonly string[] }> {
  const lost: string[] = [];
  let [answered, refused] = [0, 0];
  const end = performance.now() + BURST_SECONDS * 1000;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < end) {
        const { status, isWhole, retryAfter } = await ask(lookUpOfEngine(), { through: wide });
        if (status === 200 && isWhole) answered += 1;
        else if (status === 429 && Number(retryAfter) >= 1) refused += 1;
        else lost.push(`look-up: ${status}`);
        // Sooner than it is told to.
        if (status === 429) await pause(250 + random() * 500);
      }
    }),
  );
  return { perSecond: answered / BURST_SECONDS, refused, lost };
}

describe.skipIf(process.env['LOAD_SECONDS'] === undefined)('a service under mixed load', { timeout: 600_000 + SECONDS * 2000 }, () => {
  let idleMs: number;
  /** Of each export its bytes, by evening. */
  const wholeExports = new Map<string, ReadonlySet<string>>();
  let before: Use;

  it('is measured idle first', async () => {
    for (const path of EXPORTS) wholeExports.set(path, new Set([(await ask(path)).sha256]));
    publishEvening(dataDir, evenings, 1);
    for (const path of EXPORTS) {
      const [first = ''] = wholeExports.get(path) ?? [];
      let second = first;
      while (second === first) second = (await ask(path)).sha256; // until the server has taken it
      wholeExports.set(path, new Set([first, second]));
    }
    await lookUpsFor(2000, CONNECTIONS);
    idleMs = Math.max(LEAST_IDLE_MS, p99(await lookUpsFor(6000, CONNECTIONS)));
    before = use();
    expect(idleMs).toBeGreaterThan(0);
  });

  it('loses no request, answers look-ups within five times the idle time, and health at once', async () => {
    const end = performance.now() + SECONDS * 1000;
    const lost: string[] = [];
    const published: string[] = [];
    const health = healthAsked();
    const used: Use[] = [];
    const others = [
      ...['full', 'admin'].map(async (key) => {
        while (performance.now() < end) {
          const path = EXPORTS[Math.floor(random() * EXPORTS.length)] ?? '';
          const isSlow = random() < 0.3;
          const answer = await ask(path, { key: key as keyof Keys, through: false, pauseMs: isSlow ? 5 : 0 });
          if (answer.status === 200 && (!answer.isWhole || wholeExports.get(path)?.has(answer.sha256) !== true))
            lost.push(`${path} is not whole, or of more than one snapshot`);
          else if (answer.status !== 200 && !(answer.status === 429 && answer.retryAfter !== undefined))
            lost.push(`${path}: ${answer.status}`);
        }
      }),
      (async () => {
        while (performance.now() < end)
          await ask(EXPORTS[Math.floor(random() * EXPORTS.length)] ?? '', { key: 'data', through: false, leaveAfterMs: random() * 600 });
      })(),
      (async () => {
        for (let number = 2; performance.now() < end; number += 1) {
          published.push(publishEvening(dataDir, evenings, number));
          await pause(MS_BETWEEN_SNAPSHOTS);
        }
      })(),
      (async () => {
        while (performance.now() < end) {
          used.push(use());
          await pause(500);
        }
      })(),
    ];
    const answers = await lookUpsFor(SECONDS * 1000, CONNECTIONS);
    const healthy = await health();
    await Promise.all(others);
    lost.push(...answers.filter(({ status, isWhole }) => status !== 200 || !isWhole).map(({ status }) => `look-up: ${status}`));
    tell(
      `idle p99 ${idleMs.toFixed(0)} ms; ${answers.length} look-ups p99 ${p99(answers).toFixed(0)} ms; ${healthy.length} of health p99 ${p99(healthy).toFixed(0)} ms; ${published.length} snapshots`,
    );
    const [early, late] = (['files', 'memory'] as const).reduce<readonly [number[], number[]]>(
      ([first, last], field) => [
        [...first, median(used, 0.25, 0.5, field)],
        [...last, median(used, 0.75, 1, field)],
      ],
      [[], []],
    );
    tell(`files ${early[0]} → ${late[0]}, memory ${early[1]?.toFixed(0)} → ${late[1]?.toFixed(0)} MB, from the second quarter to the last`);
    expect(lost).toEqual([]);
    expect(late[0]).toBeLessThanOrEqual((early[0] ?? 0) * 1.1 + SLACK_FILES);
    expect(late[1]).toBeLessThanOrEqual((early[1] ?? 0) * 1.1 + SLACK_MB);
    expect(published.length).toBeGreaterThan(2);
    expect(healthy.length).toBeGreaterThan(10 * SECONDS); // of twenty a second
    expect(healthy.filter(({ status }) => status !== 200)).toEqual([]);
    expect(p99(answers)).toBeLessThanOrEqual(TIMES * idleMs);
    expect(p99(healthy)).toBeLessThan(HEALTH_MS);
  });

  it('at four times its capacity answers four fifths of its best rate, and gives others a time to retry', async () => {
    const atCapacity = await goodput(CAPACITY);
    const beyond = await goodput(4 * CAPACITY);
    tell(
      `${atCapacity.perSecond.toFixed(0)} look-ups a second of ${CAPACITY} clients; ${beyond.perSecond.toFixed(0)} of ${4 * CAPACITY}, ${beyond.refused} refused`,
    );
    wide.destroy();
    expect([atCapacity.lost, beyond.lost]).toEqual([[], []]);
    expect(beyond.refused).toBeGreaterThan(0);
    expect(beyond.perSecond).toBeGreaterThanOrEqual((4 / TIMES) * atCapacity.perSecond);
  });

  it('recovers within two seconds: at most twice the idle time, without files of disconnected clients or more memory', async () => {
    await pause(2000);
    const answers = await lookUpsFor(6000, CONNECTIONS);
    tell(
      `memory ${before.memory.toFixed(0)} → ${memoryMb().toFixed(0)} MB, files ${before.files} → ${openFiles()}, p99 ${p99(answers).toFixed(0)} ms`,
    );
    expect(p99(answers)).toBeLessThanOrEqual(0.4 * TIMES * idleMs);
    expect(scratchFiles()).toEqual([]);
    // Two older snapshots stay open beside the current one for cursors that walk them: their copies, and what their engines hold.
    expect(openFiles()).toBeLessThan(before.files + 60);
    expect(memoryMb()).toBeLessThan(before.memory + 600);
    expect(output).not.toContain('request failed');
  });
});
