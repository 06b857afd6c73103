// Manifests and the pointer on disk.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Manifest, type Resource } from '../model/manifest.ts';

export const SCHEMA_VERSION = '4';

/** The pointer: which manifest is current, and the hash that proves it whole. */
export const Pointer = z.strictObject({ snapshotId: z.string(), manifest: z.string(), sha256: z.string() });
export type Pointer = z.infer<typeof Pointer>;

/** sha256 over names, partitions and file hashes: equal for equal content, whenever and from whatever run it was built. */
export function contentHash(resources: readonly Resource[]): string {
  const lines = resources.map((resource) => `${resource.name}|${JSON.stringify(resource.partition)}|${resource.hash}|${resource.rowCount}`);
  return `sha256:${createHash('sha256').update(lines.sort().join('\n')).digest('hex')}`;
}

export function snapshotIdOf(hash: string): string {
  return `snap_${hash.replace('sha256:', '').slice(0, 20)}`;
}

export interface SnapshotPaths {
  readonly root: string;
  readonly files: string;
  readonly staging: string;
  /** Copies that servers read; see served.ts. */
  readonly served: string;
  readonly manifests: string;
  readonly manifest: (snapshotId: string) => string;
  readonly candidate: string;
  readonly pointer: string;
}

/** @param dataDir the folder that holds all state */
export function snapshotPaths(dataDir: string): SnapshotPaths {
  const root = join(dataDir, 'snapshots');
  return {
    root,
    files: join(root, 'files'),
    staging: join(root, '.staging'),
    served: join(root, 'served'),
    manifests: join(root, 'manifests'),
    manifest: (snapshotId) => join(root, 'manifests', `${snapshotId}.json`),
    candidate: join(root, 'candidate.json'),
    pointer: join(dataDir, 'current.json'),
  };
}

/** Null when there is none. Throws when it is there and not whole. */
export async function readManifest(path: string): Promise<Manifest | null> {
  const text = await readIfThere(path);
  return text === null ? null : Manifest.parse(JSON.parse(text));
}

/** The current manifest, checked against the pointer's hash; null before the first snapshot. */
export async function readCurrent(paths: SnapshotPaths): Promise<Manifest | null> {
  const text = await readIfThere(paths.pointer);
  if (text === null) return null;
  const pointer = Pointer.parse(JSON.parse(text));
  const manifest = await readFile(join(paths.root, pointer.manifest), 'utf8');
  const sha256 = createHash('sha256').update(manifest).digest('hex');
  if (sha256 !== pointer.sha256) throw new Error(`The manifest of ${pointer.snapshotId} no longer has the hash that current.json names.`);
  return Manifest.parse(JSON.parse(manifest));
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
