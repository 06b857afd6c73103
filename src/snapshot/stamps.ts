// Remembers the disk state of each file when it was verified in full. So a starting server need not read 25 GB of a large snapshot before
// it answers. Later reads are checked block by block in the copy for servers, and by series in the packs. The scrubber reads all files
// within the hour.
import { join, relative } from 'node:path';
import { z } from 'zod';
import { readSealed, writeSealed } from '../disk/durable.ts';
import { fileState } from '../disk/own-file.ts';
import type { SnapshotPaths } from './manifest.ts';

const Stamps = z.record(z.string(), z.strictObject({ sha256: z.string(), state: z.string() }));

/** True if a file was read in full, had this hash, and is unchanged since. */
export type IsStamped = (path: string, sha256: string) => boolean;

export interface StampedFile {
  readonly path: string;
  readonly sha256: string;
  /** The state before it was read, or after it was written: see `fileState`. */
  readonly state: string;
}

/** Trusts no file. */
export const UNSTAMPED: IsStamped = () => false;

export function stampsFile(paths: SnapshotPaths, snapshotId: string): string {
  return join(paths.served, `${snapshotId}.stamps`);
}

/** If the stamps are missing or damaged, no file is trusted. */
export async function readStamps(paths: SnapshotPaths, snapshotId: string): Promise<IsStamped> {
  const stamps = await stampsOf(paths, snapshotId);
  return (path, sha256) => {
    const known = stamps[relative(paths.root, path)];
    return known !== undefined && known.sha256 === sha256 && known.state === fileState(path);
  };
}

/** Adds to the stamps of a snapshot. Stamps may be lost at any time, so a failure is no error. */
export async function stamp(paths: SnapshotPaths, snapshotId: string, files: readonly StampedFile[]): Promise<void> {
  const own = files.map(({ path, sha256, state }) => [relative(paths.root, path), { sha256, state }] as const);
  const all = { ...(await stampsOf(paths, snapshotId)), ...Object.fromEntries(own) };
  await writeSealed(stampsFile(paths, snapshotId), JSON.stringify(all)).catch(() => undefined);
}

async function stampsOf(paths: SnapshotPaths, snapshotId: string): Promise<z.infer<typeof Stamps>> {
  const body = await readSealed(stampsFile(paths, snapshotId)).catch(() => null);
  return body === null ? {} : (Stamps.safeParse(JSON.parse(body)).data ?? {});
}
