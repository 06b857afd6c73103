// How many files this process may have open.
import { readFile } from 'node:fs/promises';

/** A run has about sixty open; an engine that may open no more takes a folder that it cannot look into for an empty one. */
const LEAST_OPEN_FILES = 256;

export class OpenFilesError extends Error {
  override readonly name = 'OpenFilesError';
}

/** A server has about sixty open. It opens a new snapshot beside the old one, and its bulk answers write files: the engine ends the process if it gets none. */
const LEAST_RESERVED = 160;
const MOST_RESERVED = 512;
const LEAST_CONNECTIONS = 16;

/** Null where the system does not tell. */
async function mostOpenFiles(): Promise<number | null> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const most = /^Max open files\s+(?<soft>\d+)/m.exec(limits)?.groups?.['soft'];
  return most === undefined ? null : Number(most);
}

/** How many connections leave a server the files that it needs; null where the system does not tell. */
export async function mostConnections(): Promise<number | null> {
  const most = await mostOpenFiles();
  return most === null ? null : connectionsWithin(most);
}

export function connectionsWithin(openFiles: number): number {
  const reserved = Math.min(MOST_RESERVED, Math.max(LEAST_RESERVED, Math.ceil(openFiles / 4)));
  return Math.max(LEAST_CONNECTIONS, openFiles - reserved);
}

/** Throws an OpenFilesError where they are too few. Systems that do not tell are trusted. */
export async function refuseFewOpenFiles(): Promise<void> {
  const most = await mostOpenFiles();
  if (most === null || most >= LEAST_OPEN_FILES) return;
  throw new OpenFilesError(
    `This process may open ${most} files but needs ${LEAST_OPEN_FILES}, so nothing was written. Raise its limit (ulimit -n 1024) and run the command again.`,
  );
}
