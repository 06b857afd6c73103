// The limit on open files of this process.
import { readFile } from 'node:fs/promises';
import { KnownError } from '../known-error.ts';

/** A run has about sixty open. Beyond the limit the engine would treat a folder that it cannot open as empty. */
const LEAST_OPEN_FILES = 256;

/** A server has about sixty open. It opens new snapshots next to the old one, and its bulk answers write files; beyond the limit the engine ends the process. */
const LEAST_RESERVED = 160;
const MOST_RESERVED = 512;
const LEAST_CONNECTIONS = 16;

/** Null if the system does not report it. */
async function mostOpenFiles(): Promise<number | null> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const most = /^Max open files\s+(?<soft>\d+)/m.exec(limits)?.groups?.['soft'];
  return most === undefined ? null : Number(most);
}

/** The number of connections that leave a server enough files; null if the system does not report the limit. */
export async function mostConnections(): Promise<number | null> {
  const most = await mostOpenFiles();
  return most === null ? null : connectionsWithin(most);
}

export function connectionsWithin(openFiles: number): number {
  const reserved = Math.min(MOST_RESERVED, Math.max(LEAST_RESERVED, Math.ceil(openFiles / 4)));
  return Math.max(LEAST_CONNECTIONS, openFiles - reserved);
}

/** Throws a KnownError if the limit is too low. Systems that do not report one are trusted. */
export async function refuseFewOpenFiles(): Promise<void> {
  const most = await mostOpenFiles();
  if (most === null || most >= LEAST_OPEN_FILES) return;
  throw new KnownError(
    `This process may open ${most} files but needs ${LEAST_OPEN_FILES}, so nothing was written. Raise its limit (ulimit -n 1024) and run the command again.`,
  );
}
