// The processor of a machine, shared equally by its running tasks: none gets more than one core.
import TinyQueue from 'tinyqueue';
import type { Timeline } from './events.ts';

export interface Cores {
  /** A task of this many core-seconds; calls `done` at its end. Returns a function that removes it from the processor. */
  readonly start: (coreSeconds: number, done: () => void) => () => void;
  /** Core-seconds spent so far. */
  readonly spent: () => number;
}

interface Work {
  /** The total work of each running task at the time when this one ends. */
  readonly until: number;
  readonly number: number;
  readonly done: () => void;
}

export function openCores(timeline: Timeline, cores: number): Cores {
  const works = new TinyQueue<Work>([], (a, b) => a.until - b.until || a.number - b.number);
  const removed = new Set<number>();
  let [had, running, since, spent, started] = [0, 0, 0, 0, 0];
  let cancelNext: (() => void) | null = null;
  const share = () => (running === 0 ? 0 : Math.min(1, cores / running));
  const advance = () => {
    const elapsed = timeline.now() - since;
    had += elapsed * share();
    spent += elapsed * share() * running;
    since = timeline.now();
  };
  const dropRemoved = () => {
    for (let next = works.peek(); next !== undefined && removed.delete(next.number); next = works.peek()) works.pop();
  };
  const plan = () => {
    cancelNext?.();
    cancelNext = null;
    dropRemoved();
    const next = works.peek();
    if (next !== undefined) cancelNext = timeline.in(Math.max(0, (next.until - had) / share()), finish);
  };
  const finish = () => {
    cancelNext = null;
    advance();
    const next = works.pop();
    if (next === undefined) return;
    running -= 1;
    plan();
    next.done();
  };
  return {
    start(coreSeconds, done) {
      advance();
      started += 1;
      const number = started;
      let isRunning = true;
      works.push({
        until: had + coreSeconds,
        number,
        done: () => {
          isRunning = false;
          done();
        },
      });
      running += 1;
      plan();
      return () => {
        if (!isRunning) return;
        isRunning = false;
        advance();
        removed.add(number);
        running -= 1;
        plan();
      };
    },
    spent: () => {
      advance();
      return spent;
    },
  };
}
