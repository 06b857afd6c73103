// Runs of the nightly step beside a serving process: a child of its own each time, one at a time, fewer while they fail.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CronJob } from 'cron';
import type { Effects } from './effects.ts';

/** How a run ended. */
export interface RunEnd {
  /** Exit code; null where a signal ended it. */
  readonly code: number | null;
  /** The last line that it wrote of what is wrong. */
  readonly said: string | null;
}

export interface Run {
  readonly ended: Promise<RunEnd>;
  readonly stop: () => void;
}

export interface Ticks {
  /** Runs once, unless a run is under way, or runs failed and this tick is passed over. */
  readonly tick: () => Promise<void>;
  /** Ends the run under way: what it has archived stays, the next one goes on. */
  readonly stop: () => Promise<void>;
}

const MOST_PASSED_OVER = 15;

export function openTicks(start: () => Run, { log, now }: Effects): Ticks {
  let underWay: Run | null = null;
  let failures = 0;
  let toPassOver = 0;
  let isStopped = false;
  /** A run that cannot be started has failed. */
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

/** The first tick is at once: a night on which nothing ran is caught up. */
export function schedule(cron: string, ticks: Ticks): () => Promise<void> {
  const job = CronJob.from({ cronTime: cron, timeZone: 'UTC', start: true, runOnInit: true, onTick: () => void ticks.tick() });
  return async () => {
    await job.stop();
    await ticks.stop();
  };
}

/** @param minutes for how long publishers may be asked */
export function nightlyChild(minutes: number): () => Run {
  return () => {
    const command = fileURLToPath(new URL('../jobs/commands/nightly.ts', import.meta.url));
    const options = ['--import', import.meta.resolve('tsx'), command, '--if-changed', '--budget', `${minutes}m`];
    const child = spawn(process.execPath, options, { stdio: ['ignore', 'ignore', 'pipe'] });
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
