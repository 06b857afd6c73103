// A small file that commands change and a running service follows: a lock for changes, and a way to notice them.
import { rmSync, type Stats, statSync } from 'node:fs';
import { open, readFile, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { onInterruption, uninterrupted } from './interruption.ts';
import { KnownError } from '../known-error.ts';

/**
 * Locks a file, because two commands at once must not lose each other's change: after a lost revocation a key would still be valid. Throws a
 * KnownError if another process has the lock the whole time.
 * @param content named in that error
 */
export async function lockFile(path: string, content: string): Promise<() => Promise<void>> {
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
  throw new KnownError(`Another command is changing the ${content}. If no other command is running, remove ${path}.`);
}

/** Returns a function to call after the removal; until then the file is removed when the process exits. */
async function createLock(path: string): Promise<() => void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(String(process.pid));
  } catch (error) {
    await rm(path, { force: true }); // Without its content no process could identify the owner of the lock.
    throw error;
  } finally {
    await file.close();
  }
  return onInterruption(() => rmSync(path, { force: true }));
}

async function isAbandoned(path: string): Promise<boolean> {
  const holder = Number(await readFile(path, 'utf8').catch(() => ''));
  if (!Number.isInteger(holder) || holder <= 0) return false; // Being written, or just removed.
  try {
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

/** Another text after every change of the file, its name and its rights; for an unreadable file, the error. */
export function fileState(path: string): string {
  return stateOf(path, ({ ino, size, mtimeMs, ctimeMs }) => `${ino}:${size}:${mtimeMs}:${ctimeMs}`);
}

/** The same for its content only: a new link to it changes nothing. */
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
