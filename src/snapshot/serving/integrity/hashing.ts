// Hashes the files of a snapshot that is being opened. A busy server has no time for it between its answers: each read of a file waits for
// a whole round of the event loop, and 2.6 GB take 110 s. So a thread hashes large files.
import { stat } from 'node:fs/promises';
import type { Worker } from 'node:worker_threads';
import { askThread, startThread } from '../../../threads.ts';
import { type HashAll, hashOneByOne } from '../../verify-files.ts';
import type { Hashed } from './hash-thread.ts';

/** A thread takes as long to start as 300 MB take to hash, so small files are not worth one. */
const LARGE_BYTES = 32 << 20;

export interface Hashing {
  readonly all: HashAll;
  /** Ends the thread. */
  readonly close: () => void;
}

const ENTRY = new URL('hash-thread.ts', import.meta.url);

/** @param largeBytes the thread starts for the first files of so many bytes together, and then hashes all */
export function openHashing(largeBytes = LARGE_BYTES): Hashing {
  let thread: Worker | null = null;
  return {
    async all(paths) {
      if (paths.length === 0) return [];
      if (thread === null && (await bytesOf(paths)) < largeBytes) return hashOneByOne(paths);
      thread ??= startThread(ENTRY, 'hashes');
      return hashedBy(thread, paths);
    },
    close: () => void thread?.terminate(),
  };
}

async function bytesOf(paths: readonly string[]): Promise<number> {
  const found = await Promise.all(paths.map((path) => stat(path)));
  return found.reduce((sum, { size }) => sum + size, 0);
}

const hashedBy = (thread: Worker, paths: readonly string[]): Promise<readonly string[]> =>
  askThread<Hashed, readonly string[]>(thread, {
    message: paths,
    hear(hashed, resolve, reject) {
      if ('hashes' in hashed) resolve(hashed.hashes);
      else reject(Object.assign(new Error(hashed.message), { code: hashed.code }));
    },
    lost: (reason) => new Error(`Files could not be hashed: ${reason}.`),
  });
