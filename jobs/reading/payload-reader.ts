// Runs the readers of sources: in this thread, or in another one, which a signal or a time budget can stop in any loop.
import type { Worker } from 'node:worker_threads';
import { elapsed } from '../../src/effects.ts';
import type { Batch } from '../../src/model/record.ts';
import type { Payload, Source } from '../../src/sources/source.ts';
import { inOwnMemory, startThread } from '../../src/threads.ts';
import type { Answer as Said, Task } from './thread.ts';

/** `ended`: the thread has exited. */
type Answer = Said | { readonly kind: 'ended'; readonly message: string };

export interface PayloadReader {
  readonly knownAt: (source: Source, payload: Payload) => Promise<string | null>;
  /** Throws if the payload of a bulk source has another layout. */
  readonly check: (source: Source, payload: Payload) => Promise<void>;
  /** Transfers the payload's bytes, so the caller must not use them again. */
  readonly batches: (source: Source, payload: Payload) => AsyncIterable<Batch>;
}

export const readHere: PayloadReader = {
  knownAt: async (source, payload) => (await source.knownAt?.(payload)) ?? null,
  check: async (source, payload) => source.bulk?.check(payload),
  async *batches(source, payload) {
    yield* source.normalise(payload);
  },
};

// The slowest reader reads 5 MB a second; a busy small board may take fifty times as long.
const LEAST_MS = 60_000;
const MS_PER_MB = 10_000;
const MB = 1024 * 1024;

/** Milliseconds that reading a payload may take. */
export const readingBudget = (bytes: number): number => LEAST_MS + (bytes / MB) * MS_PER_MB;

const ENTRY = new URL('thread.ts', import.meta.url);

export interface ThreadOptions {
  /** Module that exports the sources. */
  readonly registry?: string;
  readonly budget?: (bytes: number) => number;
}

/**
 * Reads payloads in a thread, one at a time. A payload that exceeds its budget fails, and the next one gets a new thread. An idle thread does not keep
 * the process alive.
 */
export function openReadingThread({
  registry = import.meta.resolve('../../src/sources/index.ts'),
  budget = readingBudget,
}: ThreadOptions = {}): PayloadReader {
  let thread: Worker | null = null;
  const started = (): Worker => {
    thread ??= startThread(ENTRY, { registry });
    return thread;
  };
  const stop = async (): Promise<void> => {
    const stopped = thread;
    thread = null;
    await stopped?.terminate();
  };

  async function* read(kind: Task['kind'], source: Source, payload: Payload): AsyncGenerator<Answer> {
    const worker = started();
    const answers = answersOf(worker);
    const most = budget(payload.body.byteLength);
    let left = most;
    let isOver = false;
    worker.ref();
    send(worker, kind, source, payload);
    try {
      while (!isOver) {
        const begun = elapsed();
        const answer = await answers.next(left);
        left -= elapsed() - begun;
        if (answer === 'late') throw new Error(lateText(source, payload, most));
        isOver = answer.kind === 'done' || answer.kind === 'failed';
        if (answer.kind === 'ended') throw new Error(`${source.id}: ${payload.key} cannot be read: ${answer.message}`);
        if (answer.kind === 'failed') throw new Error(answer.message);
        yield answer;
        if (!isOver) worker.postMessage('next', []);
      }
    } finally {
      answers.close();
      worker.unref();
      if (!isOver) await stop();
    }
  }

  return {
    async knownAt(source, payload) {
      if (source.knownAt === undefined) return null;
      for await (const answer of read('knownAt', source, payload)) if (answer.kind === 'done') return answer.knownAt;
      return null;
    },
    async check(source, payload) {
      for await (const answer of read('check', source, payload)) void answer;
    },
    async *batches(source, payload) {
      for await (const answer of read('batches', source, payload)) if (answer.kind === 'batch') yield answer.batch;
    },
  };
}

const lateText = ({ id }: Source, { key }: Payload, most: number): string =>
  `${id}: reading ${key} took longer than ${Math.ceil(most / 1000)} seconds, the limit for its size. Check the file; it may be damaged`;

function send(worker: Worker, kind: Task['kind'], source: Source, { key, body, retrievedAt }: Payload): void {
  // A bulk payload goes to the engine after its check, so it stays here too.
  // `slice` of a Buffer would share the memory, which the transfer moves.
  const bytes = kind === 'check' ? new Uint8Array(body) : inOwnMemory(body);
  const task: Task = { kind, sourceId: source.id, payload: { key, body: bytes, retrievedAt } };
  worker.postMessage(task, [bytes.buffer]);
}

interface Answers {
  readonly next: (patience: number) => Promise<Answer | 'late'>;
  readonly close: () => void;
}

function answersOf(worker: Worker): Answers {
  const queue: Answer[] = [];
  let wake = (): void => undefined;
  const take = (answer: Answer): void => {
    queue.push(answer);
    wake();
  };
  // For example, a thread that ran out of memory.
  const fail = (error: Error): void => take({ kind: 'ended', message: error.message });
  worker.on('message', take).on('error', fail);
  return {
    async next(patience) {
      if (queue.length === 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.max(0, patience));
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      return queue.shift() ?? 'late';
    },
    close: () => void worker.off('message', take).off('error', fail),
  };
}
