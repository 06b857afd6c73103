// Snapshots in an object store: files by content, manifests by snapshot and content, and `current.json`. That pointer names the current
// snapshot and those kept for open cursors. It is replaced atomically and conditionally. Every object that it names is there and complete;
// all other objects are ignored.
import { extname, join } from 'node:path';
import type PQueue from 'p-queue';
import { z } from 'zod';
import type { ObjectStore, ObjectText } from '../../objects/store.ts';
import type { Resource } from '../../model/manifest.ts';
import { Pointer, type SnapshotPaths } from '../manifest.ts';
import { copiesOf, CopySeal } from '../server-copy.ts';
import { KnownError } from '../../known-error.ts';

export const CURRENT = 'current.json';
export const FILES = 'files/';
export const MANIFESTS = 'manifests/';
export const COPIES = 'served/';

/** A snapshot in the store, with its copies for servers if it has any. */
export const RemoteSnapshot = Pointer.extend({ copies: CopySeal.nullable() });
export type RemoteSnapshot = Readonly<z.infer<typeof RemoteSnapshot>>;

/** The current snapshot and the kept ones before it, newest first. */
export const RemotePointer = RemoteSnapshot.extend({ kept: z.array(RemoteSnapshot).readonly() });
export type RemotePointer = Readonly<z.infer<typeof RemotePointer>>;

export interface Followed {
  readonly pointer: RemotePointer;
  readonly version: string;
}

export function manifestName({ snapshotId, sha256 }: Pick<Pointer, 'snapshotId' | 'sha256'>): string {
  return `${MANIFESTS}${snapshotId}-${sha256.slice(0, 16)}.json`;
}

/** A file of a snapshot: its object name and its local path. */
export interface SentFile {
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** Hexadecimal digits. */
  readonly sha256: string;
}

/** The Parquet files, and the copies for servers. */
export function filesOf(paths: SnapshotPaths, { snapshotId, copies }: RemoteSnapshot, resources: readonly Resource[]): readonly SentFile[] {
  const tables = resources.map(({ path, bytes, hash }) => ({
    name: path,
    path: join(paths.root, path),
    bytes,
    sha256: hash.replace('sha256:', ''),
  }));
  return copies === null ? tables : [...tables, ...sentCopies(paths, snapshotId, copies)];
}

/** The copies for servers, with names by content. */
export function sentCopies(paths: SnapshotPaths, snapshotId: string, seal: CopySeal): readonly SentFile[] {
  return copiesOf(paths, snapshotId, seal).map(({ path, bytes, sha256 }) => ({
    name: `${COPIES}${sha256.slice(0, 32)}${extname(path)}`,
    path,
    bytes,
    sha256,
  }));
}

/** Null if nothing has been published there. */
export async function readRemote(store: ObjectStore): Promise<Followed | null> {
  const found = await store.read(CURRENT);
  return found === null ? null : followed(store, found);
}

/** `unchanged` if the store still has the known version. */
export async function readChanged(store: ObjectStore, known: string | null): Promise<Followed | 'unchanged' | null> {
  const found = await store.read(CURRENT, known);
  return found === null || found === 'unchanged' ? found : followed(store, found);
}

function followed({ address }: ObjectStore, { text, version }: ObjectText): Followed {
  try {
    return { pointer: RemotePointer.parse(JSON.parse(text)), version };
  } catch (error) {
    throw new KnownError(
      `${address}/${CURRENT} is damaged, or another version wrote it. Remove it, then run npm run push on the machine that builds snapshots.`,
      { cause: error },
    );
  }
}

/** Waits for all tasks of the queue. Throws the first error, after no task is running any longer. */
export async function wholeQueue(queue: PQueue, tasks: readonly Promise<unknown>[]): Promise<void> {
  try {
    await Promise.all(tasks);
  } catch (error) {
    queue.clear();
    await queue.onIdle();
    throw error;
  }
}
