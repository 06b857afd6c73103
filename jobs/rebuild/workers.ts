// Workers that make the shards of a build together: through SNAPSHOT_URL if it is set, else through a folder of DATA_DIR.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../src/config.ts';
import { onInterruption } from '../../src/disk/interruption.ts';
import { openScratch } from '../../src/disk/scratch.ts';
import { type Effects, elapsed } from '../../src/effects.ts';
import { openObjects } from '../../src/objects/open.ts';
import type { ObjectStore } from '../../src/objects/store.ts';
import { codeOfStatistics } from '../../src/snapshot/build/result-files.ts';
import { readJob, resultsThere } from '../../src/snapshot/build/shards/job.ts';
import { type LocalWorkers, shareShards, type SharedShards } from '../../src/snapshot/build/shards/share.ts';
import { work, type WorkOptions } from '../../src/snapshot/build/shards/work.ts';
import { KnownError } from '../../src/known-error.ts';

export interface ShardOptions {
  /** Milliseconds without a sign of life after which a worker's shard is taken over. */
  readonly patience: number;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface WorkerReport {
  readonly worker: string;
  readonly address: string;
  readonly made: readonly string[];
}

type Place = Pick<Config, 'dataDir' | 'scratchDir' | 'snapshotUrl'>;

const WAITS = 'waits for shards';
const LOOK_FOR_JOB_MS = 1000;

/** @param workers their number on this machine, including the build */
export async function withShards<Result>(
  place: Place,
  effects: Effects,
  workers: { readonly count: number; readonly command: string; readonly options: readonly string[] },
  options: ShardOptions,
  build: (shared: SharedShards) => Promise<Result>,
): Promise<Result> {
  return withStore(place, effects, options, (store, working) =>
    build(shareShards(store, { ...working, now: effects.now(), startWorkers: () => startWorkers(workers) })),
  );
}

/**
 * Makes shards of the current job until all results are there.
 * @param wait milliseconds to wait for a job, at first and after each
 * Throws a KnownError if no job begins in that time, or if this machine would give other results than the builder.
 */
export async function workOnShards(place: Place, effects: Effects, wait: number, options: ShardOptions): Promise<WorkerReport> {
  return withStore(place, effects, options, async (store, working) => {
    const made: string[] = [];
    let hasJob = false;
    effects.log.debug({ worker: working.id }, WAITS);
    for (let idleSince = elapsed(); ; ) {
      const job = await readJob(store);
      hasJob ||= job !== null;
      const there = job === null ? null : await resultsThere(store);
      const isOpen = job !== null && job.shards.some(({ input }) => there?.has(input) !== true);
      if (isOpen) {
        refuseOtherCode(store, job.code);
        made.push(...(await work(store, job, working)).map(({ name }) => name));
        effects.log.debug({ worker: working.id }, WAITS);
        idleSince = elapsed();
      }
      if (elapsed() - idleSince >= wait) break;
      await pause(LOOK_FOR_JOB_MS);
    }
    if (!hasJob)
      throw new KnownError(
        `${store.address} has no build. Start one with npm run derive -- --workers 1 on the machine that has the lake, or add --wait 30m here.`,
      );
    return { worker: working.id, address: store.address, made };
  });
}

function refuseOtherCode({ address }: ObjectStore, code: string): void {
  if (code === codeOfStatistics()) return;
  throw new KnownError(
    `The build in ${address} is of another release, another Node.js or another kind of processor than this machine (Node.js ${process.versions.node}, ${process.arch}), so digits may differ. Install the same release and Node.js on both.`,
  );
}

async function withStore<Result>(
  { dataDir, scratchDir, snapshotUrl }: Place,
  { now, log }: Effects,
  options: ShardOptions,
  use: (store: ObjectStore, working: WorkOptions) => Promise<Result>,
): Promise<Result> {
  const store = await openObjects(snapshotUrl ?? pathToFileURL(join(dataDir, 'shared')).href);
  const scratch = await openScratch(join(scratchDir, 'shards'), now);
  const id = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const wait = (milliseconds: number) => pause(milliseconds);
  const told: WorkOptions['log'] = (what, { name, input }) => log.debug({ worker: id, shard: name, input }, `shard ${what}`);
  try {
    return await use(store, { ...options, id, elapsed, wait, log: told, scratch: scratch.path });
  } finally {
    store.close();
    await scratch.remove();
  }
}

/** Processes of this machine besides the builder; the signal that ends it ends them, too. */
function startWorkers({ count, command, options }: { count: number; command: string; options: readonly string[] }): LocalWorkers {
  const ended = Array.from({ length: count - 1 }, async () => {
    const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), command, '--work', ...options], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const forget = onInterruption(() => child.kill('SIGTERM'));
    const how = await new Promise<string | null>((done) => {
      child.on('error', (error) => done(error.message));
      child.on('close', (code, signal) => done(code === 0 ? null : (signal ?? `exit code ${code}`)));
    });
    forget();
    return how === null ? [] : [`A worker on this machine ended early (${how}); another one did its work.`];
  });
  return { ended: Promise.all(ended).then((said) => said.flat()) };
}
