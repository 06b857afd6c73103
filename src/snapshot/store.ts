// The snapshots that the server can read: the current one, followed as it changes, and older ones for the cursors that still walk them.
// A request pins the one it reads. An older one stays open for the next page of its walk, and is closed when none has come for a while.
import { stat } from 'node:fs/promises';
import type { Manifest } from '../model/manifest.ts';
import { readCurrent, readManifest, type SnapshotPaths } from './manifest.ts';
import { openSnapshot, type ReaderOptions, type SnapshotReader } from './reader.ts';

export interface FollowedStore {
  /** The named snapshot, or the current one; null when none is loaded or the named one is no longer kept. */
  readonly acquire: (
    snapshotId?: string,
  ) => Promise<{ readonly snapshot: SnapshotReader; readonly paths: SnapshotPaths; readonly release: () => void } | null>;
  readonly readiness: () => { readonly isReady: boolean; readonly reason: string | null };
  /** Looks for a newer snapshot and opens it; the old one serves until the new one stands. */
  readonly follow: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Held {
  readonly paths: SnapshotPaths;
  readonly reader: SnapshotReader;
  pins: number;
  /** The round of `follow` in which it was last let go. */
  usedIn: number;
  isClosed: boolean;
}

/** Rounds of `follow`, which are seconds in a running service. */
const ROUNDS_OPEN = 60;
const MOST_OLDER_OPEN = 2;

/**
 * @param candidates folders of snapshots in the order of preference: the first that has a current snapshot is served
 * @param onError told when a new snapshot cannot be opened; the old one goes on
 */
export function openStore(candidates: readonly SnapshotPaths[], options: ReaderOptions, onError: (error: unknown) => void): FollowedStore {
  const held = new Map<string, Promise<Held>>();
  let current: { readonly held: Held; readonly paths: SnapshotPaths } | null = null;
  let seen = '';
  let round = 0;
  let reason: string | null = 'no snapshot has been published';

  const openOne = (paths: SnapshotPaths, manifest: Manifest): Promise<Held> => {
    const known = held.get(manifest.snapshotId);
    if (known !== undefined) return known;
    const opening = openSnapshot(paths, manifest, options).then(
      (reader): Held => ({ paths, reader, pins: 0, usedIn: round, isClosed: false }),
    );
    held.set(manifest.snapshotId, opening);
    opening.catch(() => held.delete(manifest.snapshotId));
    return opening;
  };
  /** Opens a snapshot and uses it at once, before it can be closed again. */
  const open = async <Result>(paths: SnapshotPaths, manifest: Manifest, use: (one: Held) => Result): Promise<Result> => {
    for (;;) {
      const one = await openOne(paths, manifest);
      if (!one.isClosed) return use(one);
    }
  };
  const closeOlder = async (): Promise<void> => {
    const all = await Promise.all([...held.values()].map((opening) => opening.catch(() => null)));
    const older = all
      .filter((one) => one !== null)
      .filter((one) => one !== current?.held && one.pins === 0 && !one.isClosed)
      .sort((a, b) => b.usedIn - a.usedIn);
    for (const [index, one] of older.entries()) {
      if (index < MOST_OLDER_OPEN && round - one.usedIn <= ROUNDS_OPEN) continue;
      one.isClosed = true;
      held.delete(one.reader.snapshotId);
      one.reader.close();
    }
  };
  const pin = (one: Held) => {
    one.pins += 1;
    let isReleased = false;
    return {
      snapshot: one.reader,
      paths: one.paths,
      release: () => {
        if (isReleased) return;
        isReleased = true;
        one.pins -= 1;
        one.usedIn = round;
      },
    };
  };

  const follow = async (): Promise<void> => {
    round += 1;
    await closeOlder();
    const state = await pointerState(candidates);
    if (state === seen) return;
    try {
      for (const paths of candidates) {
        const manifest = await readCurrent(paths);
        if (manifest === null) continue;
        await open(paths, manifest, (next) => {
          if (current !== null) current.held.usedIn = round;
          current = { held: next, paths };
        });
        reason = null;
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
      const manifest = /^snap_[0-9a-f]{20}$/.test(snapshotId) ? await readManifest(current.paths.manifest(snapshotId)) : null;
      if (manifest === null) return null;
      try {
        return await open(current.paths, manifest, pin);
      } catch (error) {
        onError(error);
        return null;
      }
    },
    async close() {
      for (const opening of held.values()) {
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
