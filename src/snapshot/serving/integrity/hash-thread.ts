// A thread that hashes files. It reads and hashes without a pause, while the other thread answers.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** An error loses its code between threads. */
export type Hashed = { readonly hashes: readonly string[] } | { readonly message: string; readonly code: string | undefined };

const READ_BYTES = 4 << 20;

const port = parentPort;
if (port === null || workerData !== 'hashes') throw new Error('This module is the entry of a thread.');

function sha256Of(path: string): string {
  const file = openSync(path, 'r');
  try {
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) hash.update(buffer.subarray(0, read));
    return hash.digest('hex');
  } finally {
    closeSync(file);
  }
}

function hashed(paths: readonly string[]): Hashed {
  try {
    return { hashes: paths.map(sha256Of) };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { message, code };
  }
}

port.on('message', (paths: readonly string[]) => port.postMessage(hashed(paths)));
