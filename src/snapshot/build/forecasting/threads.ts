// Threads that make forecasts side by side. The thread that waits for them shows how far they are, and a signal ends it at once.
import type { Worker } from 'node:worker_threads';
import { SeriesError } from '../../../derived/forecast-task.ts';
import { inOwnMemory, askThread, startThread } from '../../../threads.ts';
import type { PartCounts, PartTask, Said } from './thread.ts';

export interface MadePart extends PartCounts {
  /** One for each series. */
  readonly texts: readonly string[];
  /** Bytes of the shelf. Null if its file is up to date. */
  readonly bytes: Uint8Array | null;
}

export interface ForecastThreads {
  readonly count: number;
  /**
   * Takes the memory of the files and numbers. Throws a SeriesError.
   * @param onSeries called after each series, with how many there are
   */
  readonly make: (task: PartTask, onSeries: (made: number) => void) => Promise<MadePart>;
  /** Ends the threads. `make` may start new ones. */
  readonly close: () => Promise<void>;
}

const ENTRY = new URL('thread.ts', import.meta.url);

/** Starts a thread if a part finds none idle, up to `count`. */
export function openForecastThreads(count: number): ForecastThreads {
  const threads = new Set<Worker>();
  const idle: Worker[] = [];
  const waiting: ((thread: Worker) => void)[] = [];
  const started = (): Worker => {
    const thread = startThread(ENTRY, 'forecasts');
    // A thread that has ended takes no part.
    thread
      .on('error', () => undefined)
      .on('exit', () => {
        threads.delete(thread);
        if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
      });
    threads.add(thread);
    return thread;
  };
  const taken = async (): Promise<Worker> => {
    const thread = idle.pop();
    if (thread !== undefined) return thread;
    return threads.size < count ? started() : new Promise<Worker>((resolve) => waiting.push(resolve));
  };
  const give = (thread: Worker): void => {
    const next = waiting.shift();
    if (next === undefined) idle.push(thread);
    else next(thread);
  };
  return {
    count,
    async make(task, onSeries) {
      const thread = await taken();
      try {
        const made = await madeBy(thread, task, onSeries);
        give(thread);
        return made;
      } catch (error) {
        // The thread may be dead, for lack of memory.
        threads.delete(thread);
        await thread.terminate();
        if (waiting.length > 0) waiting.shift()?.(started());
        throw error;
      }
    },
    async close() {
      await Promise.all([...threads].map((thread) => thread.terminate()));
    },
  };
}

function madeBy(thread: Worker, { code, files, task }: PartTask, onSeries: (made: number) => void): Promise<MadePart> {
  const [earlier, made] = [files.earlier.map(inOwnMemory), files.made.map(inOwnMemory)];
  const own = files.own === null ? null : inOwnMemory(files.own);
  const given: PartTask = { code, files: { own, earlier, made }, task };
  const memory = [...(own === null ? [] : [own]), ...earlier, ...made, task.numbers].map(({ buffer }) => buffer);
  const texts: string[] = [];
  return askThread<Said, MadePart>(thread, {
    message: given,
    taken: memory,
    hear(said, resolve, reject) {
      if (said.kind === 'series') onSeries(texts.push(said.text));
      else if (said.kind === 'done') resolve({ texts, bytes: said.bytes, reused: said.reused, computed: said.computed });
      else reject(said.index === null ? new Error(said.message) : new SeriesError(said.index, said.message));
    },
    lost: (reason) => new SeriesError(texts.length, reason),
  });
}
