// A folder for the temporary files of one process. Processes on several machines may share its parent: each removes only
// folders of processes that have ended.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, readlink, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { codeOf } from './own-file.ts';

export interface Scratch {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** A process on another machine counts as ended if nobody touched its folder for this long. */
const MOST_SILENCE_MS = 24 * 60 * 60 * 1000;
const TOUCH_MS = 10 * 60 * 1000;
const NAME = /^(?<machine>[0-9a-f]{12})-(?<pid>\d+)-(?<start>\d+)-/;

/** @param now milliseconds since 1970 */
export async function openScratch(root: string, now: () => number): Promise<Scratch> {
  const machine = await machineId();
  const path = join(root, `${machine}-${process.pid}-${(await startOf(process.pid)) ?? 0}-${randomUUID()}`);
  await mkdir(path, { recursive: true });
  for (const abandoned of await abandonedScratch(root, now)) await rm(abandoned, { recursive: true, force: true });
  const touching = setInterval(() => void utimes(path, now() / 1000, now() / 1000).catch(() => undefined), TOUCH_MS);
  touching.unref();
  return {
    path,
    remove: async () => {
      clearInterval(touching);
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Folders of processes that have ended. */
export async function abandonedScratch(root: string, now: () => number): Promise<readonly string[]> {
  const machine = await machineId();
  const found: string[] = [];
  for (const name of await readdir(root).catch(() => [])) {
    if (await isAbandoned(join(root, name), name, machine, now())) found.push(join(root, name));
  }
  return found;
}

async function isAbandoned(path: string, name: string, machine: string, now: number): Promise<boolean> {
  const owner = NAME.exec(name)?.groups;
  if (owner === undefined) return false;
  if (owner['machine'] !== machine) {
    const found = await stat(path).catch(() => null);
    return found !== null && now - found.mtimeMs > MOST_SILENCE_MS;
  }
  const start = await startOf(Number(owner['pid']));
  return start === null || start !== owner['start'];
}

/** The start of a process, as a text that no later process with that number has; null if there is no such process. */
async function startOf(pid: number): Promise<string | null> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return null;
  }
  // The program name, in brackets, may contain anything; the start is the 20th field after it.
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return /^\d+$/.exec(status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? '')?.[0] ?? '0';
}

/** Process numbers mean something only within one machine or container. */
async function machineId(): Promise<string> {
  const space = await readlink('/proc/self/ns/pid').catch(() => '');
  return createHash('sha256').update(`${hostname()} ${space}`).digest('hex').slice(0, 12);
}
