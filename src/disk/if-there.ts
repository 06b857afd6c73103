// What is read of the disk, or that it is not there: whatever else keeps it from being read does not say that it is not there, and is thrown.
import { readdir } from 'node:fs/promises';
import { codeOf } from './own-file.ts';

/** Null where it is not there. */
export async function ifThere<Result>(reading: Promise<Result>): Promise<Result | null> {
  return reading.catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
}

/** The names in a folder; none where there is no such folder. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return [];
    throw error;
  });
}
