// A night: publishers' files arrive, each run reads the new ones, derives in shards on several workers, publishes, pushes, and servers fetch and open the snapshot.
import { openCores } from './cores.ts';
import { openTimeline } from './events.ts';
import { type Lognormal, openRandom } from './random.ts';

export interface NightPlan {
  readonly seed: number;
  readonly hours: number;
  readonly files: number;
  /** Files are due at any time within this many seconds, and late by this much on average. */
  readonly dueWithin: number;
  readonly lateBy: number;
  readonly ingestSecondsPerFile: number;
  /** Seconds between two checks for new files. */
  readonly tick: number;
  readonly workers: number;
  readonly coresPerWorker: number;
  /** Core-seconds of a run's derivation: the serial part of one worker, and the shared part in this many shards. */
  readonly derive: { readonly alone: number; readonly shared: number; readonly shards: number; readonly spread: Lognormal };
  readonly publishSeconds: number;
  /** Of a run. */
  readonly sentBytes: number;
  readonly bytesPerSecond: number;
  readonly openSeconds: number;
  /** When a worker is killed; null for never. */
  readonly killWorkerAt: number | null;
}

export interface NightFigures {
  readonly runs: number;
  readonly filesRead: number;
  readonly files: number;
  /** Seconds from the beginning to the last server that answers from all files. */
  readonly endedAt: number | null;
  readonly isInTime: boolean;
  readonly shardsDone: number;
  readonly shardsRepeated: number;
  /** When the last file arrived; 0 without files. */
  readonly lastFileAt: number;
  /** Seconds in each stage, over all runs, including the one in progress at the end. */
  readonly stages: Readonly<Record<Stage, number>>;
  readonly longest: Stage;
}

const STAGES = ['ingest', 'derive', 'publish', 'push', 'follow and open'] as const;
export type Stage = (typeof STAGES)[number];

export function simulateNight(plan: NightPlan): NightFigures {
  const [timeline, random] = [openTimeline(), openRandom(plan.seed)];
  const stages: Record<Stage, number> = { ingest: 0, derive: 0, publish: 0, push: 0, 'follow and open': 0 };
  let [arrived, read, seen, runs, shardsDone, shardsRepeated] = [0, 0, 0, 0, 0, 0];
  let endedAt: number | null = null;
  let lastFileAt = 0;
  let underWay: { readonly name: Stage; readonly began: number } | null = null;
  const workers = openWorkers();
  const stage = (name: Stage, work: (done: () => void) => void, then: () => void) => {
    const began = timeline.now();
    underWay = { name, began };
    work(() => {
      underWay = null;
      stages[name] += timeline.now() - began;
      then();
    });
  };
  const after = (seconds: number) => (done: () => void) => void timeline.in(seconds, done);
  const { derive } = plan;
  const sharded = (done: () => void) =>
    workers.share(
      Array.from({ length: derive.shards }, () => (derive.shared / derive.shards) * random.lognormal(derive.spread)),
      done,
    );
  const run = (then: () => void) => {
    runs += 1;
    const taken = arrived;
    const send = plan.sentBytes / plan.bytesPerSecond;
    stage('ingest', after((taken - read) * plan.ingestSecondsPerFile), () => {
      read = taken;
      stage(
        'derive',
        (done) => workers.alone(derive.alone, () => sharded(done)),
        () =>
          stage('publish', after(plan.publishSeconds), () =>
            // Each server's line is as fast as that of the sending machine.
            stage('push', after(send), () =>
              stage('follow and open', after(send + plan.openSeconds), () => {
                seen = taken;
                if (seen === plan.files) endedAt = timeline.now();
                then();
              }),
            ),
          ),
      );
    });
  };
  let isRunning = false;
  const look = () => {
    if (!isRunning && arrived > read) {
      isRunning = true;
      run(() => {
        isRunning = false;
      });
    }
    timeline.in(plan.tick, look);
  };
  for (let file = 0; file < plan.files; file += 1)
    timeline.in(random.uniform() * plan.dueWithin + random.exponential(plan.lateBy), () => {
      arrived += 1;
      lastFileAt = timeline.now();
    });
  timeline.in(plan.tick, look);
  if (plan.killWorkerAt !== null) timeline.in(plan.killWorkerAt, () => workers.killOne());
  timeline.run(plan.hours * 3600);
  addUnderWay(underWay);
  const longest = STAGES.reduce((most, one) => (stages[one] > stages[most] ? one : most));
  return {
    runs,
    filesRead: seen,
    files: plan.files,
    endedAt,
    isInTime: endedAt !== null,
    lastFileAt,
    shardsDone,
    shardsRepeated,
    stages,
    longest,
  };

  function addUnderWay(one: { readonly name: Stage; readonly began: number } | null): void {
    if (one !== null) stages[one.name] += timeline.now() - one.began;
  }

  /** A shard is one task on all cores of a worker; the next free worker takes the next one. */
  function openWorkers() {
    interface Worker {
      readonly cores: ReturnType<typeof openCores>;
      /** Takes the shard from the worker; null while it is idle. */
      drop: (() => void) | null;
      isUp: boolean;
    }
    const all: Worker[] = Array.from({ length: plan.workers }, () => ({ cores: openCores(timeline, 1), drop: null, isUp: true }));
    const waiting: { readonly coreSeconds: number; readonly done: () => void }[] = [];
    const deal = () => {
      for (const worker of all) {
        if (!worker.isUp || worker.drop !== null) continue;
        const next = waiting.shift();
        if (next === undefined) return;
        const cancel = worker.cores.start(next.coreSeconds / plan.coresPerWorker, () => {
          worker.drop = null;
          next.done();
          deal();
        });
        worker.drop = () => {
          cancel();
          waiting.unshift(next);
        };
      }
    };
    return {
      alone(coreSeconds: number, done: () => void) {
        waiting.push({ coreSeconds, done });
        deal();
      },
      share(shards: readonly number[], done: () => void) {
        let left = shards.length;
        if (left === 0) return done();
        for (const coreSeconds of shards)
          waiting.push({
            coreSeconds,
            done: () => {
              shardsDone += 1;
              left -= 1;
              if (left === 0) done();
            },
          });
        deal();
      },
      /** It does not return that night. */
      killOne() {
        const worker = all.find(({ isUp }) => isUp);
        if (worker === undefined || all.filter(({ isUp }) => isUp).length === 1) return;
        worker.isUp = false;
        if (worker.drop !== null) shardsRepeated += 1;
        worker.drop?.();
        worker.drop = null;
        deal();
      },
    };
  }
}
