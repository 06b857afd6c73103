// Checks that the files of a snapshot still have the content that its manifest lists.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256OfFile } from '../disk/durable.ts';
import { ifThere } from '../disk/if-there.ts';
import type { Resource } from '../model/manifest.ts';
import { SnapshotDamageError, type SnapshotPaths } from './manifest.ts';
import { type IsStamped, UNSTAMPED } from './stamps.ts';

/** Hexadecimal SHA-256 of each file, in order. */
export type HashAll = (paths: readonly string[]) => Promise<readonly string[]>;

/** One after the other, as streams. */
export const hashOneByOne: HashAll = async (paths) => {
  const hashes: string[] = [];
  for (const path of paths) hashes.push(await sha256OfFile(path));
  return hashes;
};

/**
 * Checks the size and SHA-256 of every file, because Parquet has no checksum of its values. Throws with the remedy.
 * @param owner the owner of the files, for the message
 * @param isStamped files for which the size is enough
 */
export async function verifyFiles(
  paths: SnapshotPaths,
  resources: readonly Resource[],
  owner: string,
  isStamped: IsStamped = UNSTAMPED,
  hashAll: HashAll = hashOneByOne,
): Promise<void> {
  const refuse = ({ path }: Resource): never => {
    throw new SnapshotDamageError(`${owner}: ${path} no longer has its hash. Run: npm run nightly.`);
  };
  const fullOf = ({ path }: Resource) => join(paths.root, path);
  const found = await Promise.all(resources.map((resource) => ifThere(stat(fullOf(resource)))));
  for (const [index, resource] of resources.entries()) {
    const bytes = found[index]?.size;
    if (bytes === undefined) throw new SnapshotDamageError(`${owner}: ${resource.path} is missing. Run: npm run nightly.`);
    if (bytes !== resource.bytes) refuse(resource);
  }
  const unread = resources.filter((resource) => !isStamped(fullOf(resource), resource.hash.replace('sha256:', '')));
  const hashes = await hashAll(unread.map(fullOf));
  for (const [index, resource] of unread.entries()) if (`sha256:${hashes[index]}` !== resource.hash) refuse(resource);
}
