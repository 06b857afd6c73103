// Whether the calls to the disk come in an order that a power cut at any moment survives.
import { dirname } from 'node:path';
import type { Call } from './disk-endings.ts';

/** What is wrong with the order of the calls, whatever they are for; nothing when a power cut at any moment leaves only whole files. */
export function disorders(calls: readonly Call[]): string[] {
  const found: string[] = [];
  const unsynced = new Set<string>();
  const unsyncedFolders = new Map<string, string>();
  for (const { call, path, to } of calls) {
    if (call === 'write') unsynced.add(path);
    if (call === 'sync') {
      unsynced.delete(path);
      unsyncedFolders.delete(path);
    }
    if (call === 'remove') unsynced.delete(path);
    if (call === 'folder') unsyncedFolders.set(dirname(path), `the folder ${path} was made`);
    if (call === 'rename') {
      if (unsynced.has(path)) found.push(`${path} was given its final name ${to} before its bytes were synced`);
      for (const [folder, why] of unsyncedFolders)
        if (folder !== dirname(to) && !to.startsWith(`${folder}/`))
          found.push(`${why}, and ${folder} was not synced before ${to} came to be`);
      unsyncedFolders.set(dirname(to), `${to} was given its name`);
    }
  }
  for (const [folder, why] of unsyncedFolders) found.push(`${why}, and ${folder} was never synced`);
  return found;
}
