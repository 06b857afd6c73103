// Reads from the disk that treat "not found" as an answer. Any other error does not prove that a file is missing, so it is thrown.
import { readdir } from 'node:fs/promises';
import { codeOf } from './own-file.ts';

/** Null if it is missing. */
export async function ifThere<Result>(reading: Promise<Result>): Promise<Result | null> {
  return reading.catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
}

/** The names in a folder; none if there is no such folder. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return [];
    throw error;
  });
}
