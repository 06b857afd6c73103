// The snapshots that the server can read: the current one, followed as it changes, and older ones for the cursors that still walk them.
// A request pins the one it reads; a snapshot is closed when nobody needs it.
import { stat } from 'node:fs/promises';
import type { Manifest } from '../model/manifest.ts';
import { readCurrent, readManifest, type SnapshotPaths } from './manifest.ts';
import { openSnapshot, type ReaderOptions, type SnapshotReader } from './reader.ts';

export interface FollowedStore {
  /** The named snapshot, or the current one; null when none is loaded or the named one is no longer kept. */
  readonly acquire: (snapshotId?: string) => Promise<{ readonly snapshot: SnapshotReader; readonly release: () => void } | null>;
  readonly readiness: () => { readonly isReady: boolean; readonly reason: string | null };
  /** Looks for a newer snapshot and opens it; the old one serves until the new one stands. */
  readonly follow: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Held {
  readonly reader: SnapshotReader;
  pins: number;
  isRetired: boolean;
}

/**
 * @param candidates folders of snapshots in the order of preference: the first that has a current snapshot is served
 * @param onError told when a new snapshot cannot be opened; the old one goes on
 */
export function openStore(candidates: readonly SnapshotPaths[], options: ReaderOptions, onError: (error: unknown) => void): FollowedStore {
  const held = new Map<string, Promise<Held>>();
  let current: { readonly held: Held; readonly paths: SnapshotPaths } | null = null;
  let seen = '';
  let reason: string | null = 'no snapshot has been published';

  const open = (paths: SnapshotPaths, manifest: Manifest): Promise<Held> => {
    const known = held.get(manifest.snapshotId);
    if (known !== undefined) return known;
    const opening = openSnapshot(paths, manifest, options).then((reader): Held => ({ reader, pins: 0, isRetired: false }));
    held.set(manifest.snapshotId, opening);
    opening.catch(() => held.delete(manifest.snapshotId));
    return opening;
  };
  const retire = (one: Held) => {
    one.isRetired = true;
    closeIfDone(one);
  };
  const closeIfDone = (one: Held) => {
    if (!one.isRetired || one.pins > 0) return;
    held.delete(one.reader.snapshotId);
    one.reader.close();
  };
  const pin = (one: Held) => {
    one.pins += 1;
    let isReleased = false;
    return {
      snapshot: one.reader,
      release: () => {
        if (isReleased) return;
        isReleased = true;
        one.pins -= 1;
        closeIfDone(one);
      },
    };
  };

  const follow = async (): Promise<void> => {
    const state = await pointerState(candidates);
    if (state === seen) return;
    try {
      for (const paths of candidates) {
        const manifest = await readCurrent(paths);
        if (manifest === null) continue;
        const next = await open(paths, manifest);
        next.isRetired = false;
        const previous = current;
        current = { held: next, paths };
        reason = null;
        if (previous !== null && previous.held !== next) retire(previous.held);
        break;
      }
      seen = state;
    } catch (error) {
      if (current === null) reason = error instanceof Error ? error.message : String(error);
      onError(error);
    }
  };

  return {
    follow,
    readiness: () => ({ isReady: current !== null, reason: current === null ? reason : null }),
    async acquire(snapshotId) {
      if (current === null) return null;
      if (snapshotId === undefined || snapshotId === current.held.reader.snapshotId) return pin(current.held);
      const known = held.get(snapshotId);
      if (known !== undefined) return pin(await known);
      const manifest = /^snap_[0-9a-f]{20}$/.test(snapshotId) ? await readManifest(current.paths.manifest(snapshotId)) : null;
      if (manifest === null) return null;
      try {
        const older = await open(current.paths, manifest);
        const pinned = pin(older);
        older.isRetired = true; // closed after this request; the next page opens it again
        return pinned;
      } catch (error) {
        onError(error);
        return null;
      }
    },
    async close() {
      for (const opening of [...held.values()]) {
        const one = await opening.catch(() => null);
        one?.reader.close();
      }
      held.clear();
      current = null;
      reason = 'the service is stopping';
    },
  };
}

async function pointerState(candidates: readonly SnapshotPaths[]): Promise<string> {
  const states = await Promise.all(
    candidates.map((paths) =>
      stat(paths.pointer).then(
        (found) => `${found.mtimeMs}:${found.ino}:${found.size}`,
        () => '-',
      ),
    ),
  );
  return states.join('|');
}
