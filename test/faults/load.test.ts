// Mixed load on the real process: look-ups of many clients beside exports, clients that read slowly or leave, more requests than there is room
// for, and a new snapshot every few seconds. Every request is answered whole or told when to come again; look-ups stay quick; nothing is left over.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { snapshotPaths } from '../../src/snapshot/manifest.ts';
import { issueKeys, type Keys, sampleDataDir } from '../service.ts';

const ROOT = join(import.meta.dirname, '../..');
const SECONDS = Number(process.env['LOAD_SECONDS'] ?? '20');
const SEED = Number(process.env['LOAD_SEED'] ?? String(Date.now() % 1_000_000));
const CONNECTIONS = 64;
const MS_BETWEEN_SNAPSHOTS = 3000;
/** Of a look-up on an idle machine; what is quicker than that says more of the machine than of the service. */
const LEAST_IDLE_MS = 15;

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
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
let dataDir: string;
let keys: Keys;
let child: ChildProcess;
let url: string;
let output = '';
beforeAll(async () => {
  tell(`LOAD_SEED=${SEED} LOAD_SECONDS=${SECONDS}`);
  const sample = await sampleDataDir();
  dataDir = `${sample}-real`;
  renameSync(join(sample, 'sample'), dataDir);
  rmSync(sample, { recursive: true });
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
  readonly isAlone?: boolean;
  /** Waits so long after each part that it reads. */
  readonly pauseMs?: number;
  /** Leaves so long after it asked. */
  readonly leaveAfterMs?: number;
}

function ask(path: string, { key = 'full', isAlone = false, pauseMs = 0, leaveAfterMs }: Asking = {}): Promise<Answer> {
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
    const request = httpRequest(url + path, { headers: { 'x-api-key': keys[key] }, agent: isAlone ? false : agent }, (found) => {
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

const p99 = (answers: readonly Answer[]) => answers.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(answers.length * 0.99)] ?? 0;
const openFiles = () => readdirSync(`/proc/${child.pid}/fd`).length;
const memoryMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
const scratchFiles = () => readdirSync(join(dataDir, 'tmp', 'servers'), { recursive: true }).filter((name) => String(name).includes('.'));

/** The files of the current snapshot under another id, as a night leaves them that brought nothing but a new moment. */
function publishAgain(number: number): string {
  const paths = snapshotPaths(dataDir);
  const pointer = JSON.parse(readFileSync(paths.pointer, 'utf8')) as { readonly snapshotId: string };
  const snapshotId = `snap_${number.toString(16).padStart(20, '0')}`;
  const text = JSON.stringify({ ...(JSON.parse(readFileSync(paths.manifest(pointer.snapshotId), 'utf8')) as object), snapshotId });
  writeFileSync(paths.manifest(snapshotId), text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  writeFileSync(`${paths.pointer}.new`, JSON.stringify({ snapshotId, manifest: `manifests/${snapshotId}.json`, sha256 }));
  renameSync(`${paths.pointer}.new`, paths.pointer);
  return snapshotId;
}

describe.skipIf(process.env['LOAD_SECONDS'] === undefined)('a service under mixed load', { timeout: 600_000 }, () => {
  let idleMs: number;
  const wholeExports = new Map<string, string>();
  let before: { readonly files: number; readonly memory: number };

  it('is measured idle first', async () => {
    for (const path of EXPORTS) wholeExports.set(path, (await ask(path)).sha256);
    await lookUpsFor(2000, CONNECTIONS);
    idleMs = Math.max(LEAST_IDLE_MS, p99(await lookUpsFor(6000, CONNECTIONS)));
    before = { files: openFiles(), memory: memoryMb() };
    expect(idleMs).toBeGreaterThan(0);
  });

  it('loses no request, answers look-ups in five times the idle time, and health at once', async () => {
    const end = performance.now() + SECONDS * 1000;
    const lost: string[] = [];
    const published: string[] = [];
    const health: Answer[] = [];
    const others = [
      ...['full', 'admin'].map(async (key) => {
        while (performance.now() < end) {
          const path = EXPORTS[Math.floor(random() * EXPORTS.length)] ?? '';
          const isSlow = random() < 0.3;
          const answer = await ask(path, { key: key as keyof Keys, isAlone: true, pauseMs: isSlow ? 5 : 0 });
          if (answer.status === 200 && (!answer.isWhole || answer.sha256 !== wholeExports.get(path))) lost.push(`${path} is not whole`);
          else if (answer.status !== 200 && !(answer.status === 429 && answer.retryAfter !== undefined))
            lost.push(`${path}: ${answer.status}`);
        }
      }),
      (async () => {
        while (performance.now() < end)
          await ask(EXPORTS[Math.floor(random() * EXPORTS.length)] ?? '', { key: 'data', isAlone: true, leaveAfterMs: random() * 600 });
      })(),
      (async () => {
        for (let number = 1; performance.now() < end; number += 1) {
          published.push(publishAgain(number));
          await pause(MS_BETWEEN_SNAPSHOTS);
        }
      })(),
      (async () => {
        while (performance.now() < end) {
          health.push(await ask('/health', { isAlone: true }));
          await pause(50);
        }
      })(),
    ];
    const answers = await lookUpsFor(SECONDS * 1000, CONNECTIONS);
    await Promise.all(others);
    lost.push(...answers.filter(({ status, isWhole }) => status !== 200 || !isWhole).map(({ status }) => `look-up: ${status}`));
    tell(
      `idle p99 ${idleMs.toFixed(0)} ms; ${answers.length} look-ups p99 ${p99(answers).toFixed(0)} ms; ${health.length} of health p99 ${p99(health).toFixed(0)} ms; ${published.length} snapshots`,
    );
    expect(lost).toEqual([]);
    expect(published.length).toBeGreaterThan(2);
    expect(health.every(({ status }) => status === 200)).toBe(true);
    expect(p99(answers)).toBeLessThanOrEqual(5 * idleMs);
    expect(p99(health)).toBeLessThanOrEqual(5 * idleMs);
  });

  it('tells those for whom there is no room when to come again, and answers all others', async () => {
    const many = await Promise.all(
      Array.from({ length: 4 * 64 }, (_, at) =>
        at % 16 === 0 ? ask(EXPORTS[0] ?? '', { isAlone: true }) : ask(lookUp(), { isAlone: true }),
      ),
    );
    const refused = many.filter(({ status }) => status === 429);
    expect(many.filter(({ status, isWhole }) => !isWhole || (status !== 200 && status !== 429))).toEqual([]);
    expect(refused.every(({ retryAfter }) => Number(retryAfter) >= 1)).toBe(true);
    expect(refused.length).toBeGreaterThan(0);
    expect(many.length - refused.length).toBeGreaterThanOrEqual(64);
  });

  it('is as before two seconds later: as quick as twice the idle time, without files of those who left, with no more memory', async () => {
    await pause(2000);
    const answers = await lookUpsFor(6000, CONNECTIONS);
    tell(
      `memory ${before.memory.toFixed(0)} → ${memoryMb().toFixed(0)} MB, files ${before.files} → ${openFiles()}, p99 ${p99(answers).toFixed(0)} ms`,
    );
    expect(p99(answers)).toBeLessThanOrEqual(2 * idleMs);
    expect(scratchFiles()).toEqual([]);
    // Two older snapshots stay open beside the current one for cursors that walk them: their copies, and what their engines hold.
    expect(openFiles()).toBeLessThan(before.files + 60);
    expect(memoryMb()).toBeLessThan(before.memory + 600);
    expect(output).not.toContain('request failed');
  });
});
