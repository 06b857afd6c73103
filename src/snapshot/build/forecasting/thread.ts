// A thread that makes forecasts, a part at a time. It reads and writes no file: bytes come in, and bytes go out.
import { parentPort, workerData } from 'node:worker_threads';
import { type ForecastTask, forecastTexts, SeriesError } from '../../../derived/forecast-task.ts';
import { inOwnMemory } from '../../../threads.ts';
import { filedShelf, type ShelfFiles } from '../shelf.ts';

export interface PartTask {
  /** Identifies the code that computes. */
  readonly code: string;
  readonly files: ShelfFiles;
  readonly task: ForecastTask;
}

export interface PartCounts {
  readonly reused: number;
  readonly computed: number;
}

export type Said =
  | { readonly kind: 'series'; readonly text: string }
  | ({ readonly kind: 'done' /** bytes of the shelf; null if its file is up to date */; readonly bytes: Uint8Array | null } & PartCounts)
  | { readonly kind: 'failed'; readonly index: number | null; readonly message: string };

const port = parentPort;
if (port === null || workerData !== 'forecasts') throw new Error('This module is the entry of a thread.');

function perform({ code, files, task }: PartTask): void {
  const say = (said: Said, taken: readonly ArrayBuffer[] = []) => port?.postMessage(said, taken);
  try {
    let [reused, computed] = [0, 0];
    const { shelf, bytes } = filedShelf(code, files, (isFound, results) => {
      if (isFound) reused += results;
      else computed += results;
    });
    for (const text of forecastTexts(shelf, task)) say({ kind: 'series', text });
    const file = bytes();
    const own = file === null ? null : inOwnMemory(file);
    say({ kind: 'done', bytes: own, reused, computed }, own === null ? [] : [own.buffer]);
  } catch (error) {
    const index = error instanceof SeriesError ? error.index : null;
    say({ kind: 'failed', index, message: error instanceof Error ? error.message : String(error) });
  }
}

port.on('message', perform);
