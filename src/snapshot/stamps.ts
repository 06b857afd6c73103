// What the disk says of the files of a snapshot since each was read whole and found as it was written: a server that starts need not read 25 GB of a large one before it
// answers. What is read from then on is guarded block by block in the copy for servers, and by series in the packs; the scrubber reads all of it within the hour.
import { join, relative } from 'node:path';
import { z } from 'zod';
import { readSealed, writeSealed } from '../disk/durable.ts';
import { fileState } from '../disk/own-file.ts';
import type { SnapshotPaths } from './manifest.ts';

const Stamps = z.record(z.string(), z.strictObject({ sha256: z.string(), state: z.string() }));

/** Whether a file was read whole, found to have this hash, and not been touched since. */
export type IsStamped = (path: string, sha256: string) => boolean;

export interface StampedFile {
  readonly path: string;
  readonly sha256: string;
  /** As it was before it was read, or once it was written: see `fileState`. */
  readonly state: string;
}

/** Nothing is taken as read. */
export const UNSTAMPED: IsStamped = () => false;

export function stampsFile(paths: SnapshotPaths, snapshotId: string): string {
  return join(paths.served, `${snapshotId}.stamps`);
}

/** Where there are no stamps, or they are not as they were written, nothing is taken as read. */
export async function readStamps(paths: SnapshotPaths, snapshotId: string): Promise<IsStamped> {
  const stamps = await stampsOf(paths, snapshotId);
  return (path, sha256) => {
    const known = stamps[relative(paths.root, path)];
    return known !== undefined && known.sha256 === sha256 && known.state === fileState(path);
  };
}

/** Adds to the stamps of a snapshot. They may be lost at any time, so what hinders that is no error. */
export async function stamp(paths: SnapshotPaths, snapshotId: string, files: readonly StampedFile[]): Promise<void> {
  const own = files.map(({ path, sha256, state }) => [relative(paths.root, path), { sha256, state }] as const);
  const all = { ...(await stampsOf(paths, snapshotId)), ...Object.fromEntries(own) };
  await writeSealed(stampsFile(paths, snapshotId), JSON.stringify(all)).catch(() => undefined);
}

async function stampsOf(paths: SnapshotPaths, snapshotId: string): Promise<z.infer<typeof Stamps>> {
  const body = await readSealed(stampsFile(paths, snapshotId)).catch(() => null);
  return body === null ? {} : (Stamps.safeParse(JSON.parse(body)).data ?? {});
}
