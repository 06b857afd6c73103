// The service as users start it: a process of its own over a data folder, with the system's figures about it.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const ROOT = join(import.meta.dirname, '..');
const MOST_SECONDS = 600;

export interface Started {
  readonly port: number;
  /** From the start of the process to the first /ready answer with success. */
  readonly readyMs: number;
  readonly memoryMb: () => number;
  readonly peakMemoryMb: () => number;
  /** Processor time of the process. */
  readonly cpuMs: () => number;
  readonly stop: () => Promise<void>;
}

/** @param environment variables in addition to its folder */
export async function startService(dataDir: string, environment: Readonly<Record<string, string>> = {}): Promise<Started> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    cwd: ROOT,
    env: {
      ...process.env,
      ...environment,
      DATA_DIR: dataDir,
      PORT: String(port),
      RATE_LIMIT_SCALE: '1000000',
      // A slow machine gives slow figures, never a missing one.
      LOOKUP_SECONDS: '60',
      SCREEN_SECONDS: '120',
      UV_THREADPOOL_SIZE: '16',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`the service over ${dataDir} ended with ${child.exitCode}`);
    if (performance.now() - began > MOST_SECONDS * 1000) {
      child.kill('SIGKILL');
      throw new Error(`the service over ${dataDir} is not ready after ${MOST_SECONDS} s`);
    }
    await pause(5);
  }
  const readyMs = performance.now() - began;
  const told = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
  const { pid = 0 } = child;
  return {
    port,
    readyMs,
    memoryMb: () => told('VmRSS'),
    peakMemoryMb: () => told('VmHWM'),
    cpuMs: () => cpuMsOf(pid),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Processor time that a process of this machine used so far. */
export function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/\(.*\)/, '()')
    .split(' ');
  return 10 * (Number(fields[13]) + Number(fields[14]));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`);
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}
