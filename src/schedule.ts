// Runs of the nightly step by a serving process: one child process at a time, less often after failures.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CronJob } from 'cron';
import type { Effects } from './effects.ts';

/** The outcome of a run. */
export interface RunEnd {
  /** Exit code; null after a signal. */
  readonly code: number | null;
  /** The last line of its errors. */
  readonly said: string | null;
}

export interface Run {
  readonly ended: Promise<RunEnd>;
  readonly stop: () => void;
}

export interface Ticks {
  /** Runs once, unless a run is in progress, or this tick is skipped after failures. */
  readonly tick: () => Promise<void>;
  /** Stops the current run: its archived payloads stay, and the next run continues. */
  readonly stop: () => Promise<void>;
}

const MOST_PASSED_OVER = 15;

export function openTicks(start: () => Run, { log, now }: Effects): Ticks {
  let underWay: Run | null = null;
  let failures = 0;
  let toPassOver = 0;
  let isStopped = false;
  /** A run that cannot start counts as failed. */
  const runOnce = async (): Promise<RunEnd> => {
    try {
      underWay = start();
      return await underWay.ended;
    } catch (error) {
      return { code: null, said: error instanceof Error ? error.message : String(error) };
    }
  };
  return {
    async tick() {
      if (isStopped) return;
      if (underWay !== null) {
        log.info('a run is in progress; this scheduled run is skipped');
        return;
      }
      if (toPassOver > 0) {
        toPassOver -= 1;
        return;
      }
      const startedAt = now();
      const { code, said } = await runOnce();
      underWay = null;
      failures = code === 0 || code === 1 ? 0 : failures + 1;
      toPassOver = Math.min(MOST_PASSED_OVER, 2 ** failures - 1);
      const end = { code, said, seconds: Math.round((now() - startedAt) / 1000) };
      if (code === 0) log.info(end, 'run ended');
      else if (!isStopped) log.error({ ...end, ticksPassedOver: toPassOver }, 'run failed');
    },
    async stop() {
      isStopped = true;
      underWay?.stop();
      await underWay?.ended;
    },
  };
}

/** The first tick comes at once, to make up for a night without a run. */
export function schedule(cron: string, ticks: Ticks): () => Promise<void> {
  const job = CronJob.from({ cronTime: cron, timeZone: 'UTC', start: true, runOnInit: true, onTick: () => void ticks.tick() });
  return async () => {
    await job.stop();
    await ticks.stop();
  };
}

/** @param minutes the time for requests to publishers */
export function nightlyChild(minutes: number, env: NodeJS.ProcessEnv): () => Run {
  return () => {
    const command = fileURLToPath(new URL('../jobs/commands/nightly.ts', import.meta.url));
    const options = ['--import', import.meta.resolve('tsx'), command, '--if-changed', '--budget', `${minutes}m`];
    const child = spawn(process.execPath, options, { stdio: ['ignore', 'ignore', 'pipe'], env });
    let said = '';
    child.stderr.on('data', (piece: Buffer) => {
      said = `${said}${piece.toString()}`.slice(-2000);
    });
    const ended = new Promise<RunEnd>((done) => {
      child.on('error', (error) => done({ code: null, said: error.message }));
      child.on('close', (code) => done({ code, said: said.trim().split('\n').at(-1) || null }));
    });
    return { ended, stop: () => child.kill('SIGTERM') };
  };
}
