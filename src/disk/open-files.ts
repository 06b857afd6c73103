// How many files this process may have open.
import { readFile } from 'node:fs/promises';

/** A run has about sixty open; an engine that may open no more takes a folder that it cannot look into for an empty one. */
const LEAST_OPEN_FILES = 256;

export class OpenFilesError extends Error {
  override readonly name = 'OpenFilesError';
}

/** Throws an OpenFilesError where they are too few. Systems that do not tell are trusted. */
export async function refuseFewOpenFiles(): Promise<void> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const most = /^Max open files\s+(?<soft>\d+)/m.exec(limits)?.groups?.['soft'];
  if (most === undefined || Number(most) >= LEAST_OPEN_FILES) return;
  throw new OpenFilesError(
    `This process may have ${most} files open, and needs ${LEAST_OPEN_FILES} so as not to overlook any, so nothing is written. Raise its limit (ulimit -n 1024) and run the command again.`,
  );
}
