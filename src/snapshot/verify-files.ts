// Checks that the files of a snapshot still have the content that its manifest lists.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256OfFile } from '../disk/durable.ts';
import { ifThere } from '../disk/if-there.ts';
import type { Resource } from '../model/manifest.ts';
import { SnapshotDamageError, type SnapshotPaths } from './manifest.ts';
import { type IsStamped, UNSTAMPED } from './stamps.ts';

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
): Promise<void> {
  for (const resource of resources) {
    const path = join(paths.root, resource.path);
    const found = await ifThere(stat(path));
    if (found === null) throw new SnapshotDamageError(`${owner}: ${resource.path} is missing. Run: npm run nightly.`);
    if (found.size === resource.bytes && isStamped(path, resource.hash.replace('sha256:', ''))) continue;
    if (found.size !== resource.bytes || `sha256:${await sha256OfFile(path)}` !== resource.hash) {
      throw new SnapshotDamageError(`${owner}: ${resource.path} no longer has its hash. Run: npm run nightly.`);
    }
  }
}
