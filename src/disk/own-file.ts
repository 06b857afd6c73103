// A small file that commands change and a running service follows: a lock for the change, and what tells that it was changed.
import { rmSync, type Stats, statSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { onInterruption, uninterrupted } from './interruption.ts';

/** Another process has held the lock all the time. */
export class FileLockedError extends Error {
  override readonly name = 'FileLockedError';
}

// Two commands at once must not lose each other's change: a lost revocation would leave open what was closed.
export async function lockFile(path: string): Promise<() => Promise<void>> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    try {
      const forget = await uninterrupted(() => createLock(path));
      return async () => {
        await rm(path, { force: true });
        forget();
      };
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    if (await isAbandoned(path)) await rm(path, { force: true });
    else await pause(50);
  }
  throw new FileLockedError(`If no other command is running, remove ${path}.`);
}

/** Returns what is to be called once it is removed: until then it goes with the process. */
async function createLock(path: string): Promise<() => void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(String(process.pid));
  } catch (error) {
    await rm(path, { force: true }); // nobody could tell whose it is
    throw error;
  } finally {
    await file.close();
  }
  return onInterruption(() => rmSync(path, { force: true }));
}

async function isAbandoned(path: string): Promise<boolean> {
  const holder = Number(await readFile(path, 'utf8').catch(() => ''));
  if (!Number.isInteger(holder) || holder <= 0) return false; // being written, or just removed
  try {
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

/** Another text after every change of the file, of its names and rights as well; of one that cannot be looked at, why. */
export function fileState(path: string): string {
  return stateOf(path, ({ ino, size, mtimeMs, ctimeMs }) => `${ino}:${size}:${mtimeMs}:${ctimeMs}`);
}

/** The same of what is in it alone: a link to it changes nothing. */
export function contentState(path: string): string {
  return stateOf(path, ({ ino, size, mtimeMs }) => `${ino}:${size}:${mtimeMs}`);
}

function stateOf(path: string, textOf: (found: Stats) => string): string {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? 'absent' : textOf(found);
  } catch (error) {
    return `unknown: ${codeOf(error)}`;
  }
}

export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}
