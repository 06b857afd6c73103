// Snapshots that are open in this process, each once. A replaced one closes after its last request; an older one closes after a while without
// requests. A snapshot that could not be opened is tried again later, or as soon as one of its files changes.
import { join } from 'node:path';
import { fileState } from '../../disk/own-file.ts';
import type { Manifest } from '../../model/manifest.ts';
import { SnapshotDamageError, type SnapshotPaths } from '../manifest.ts';
import { sealFile } from '../server-copy.ts';
import { openSnapshot, type ReaderOptions, type SnapshotReader } from './reader.ts';

export interface OpenSnapshot {
  readonly paths: SnapshotPaths;
  readonly reader: SnapshotReader;
  pins: number;
  /** The round in which it was last released. */
  usedIn: number;
  isClosed: boolean;
}

export interface Pinned {
  readonly snapshot: SnapshotReader;
  readonly paths: SnapshotPaths;
  readonly release: () => void;
}

export interface OpenSnapshots {
  /** Opens a snapshot and uses it at once, before it can be closed again. */
  readonly open: <Result>(paths: SnapshotPaths, manifest: Manifest, use: (one: OpenSnapshot) => Result) => Promise<Result>;
  readonly pin: (one: OpenSnapshot) => Pinned;
  /** Counts as a use in this round. */
  readonly touch: (one: OpenSnapshot) => void;
  /** Drops a snapshot with a file in doubt, so that the next request opens it again and reads its files in full. Null if it is not open. */
  readonly retire: (snapshotId: string) => Promise<OpenSnapshot | null>;
  /** Closes the unused ones, but never the current one. In a running service, a round is a second. */
  readonly beginRound: (current: () => OpenSnapshot | null) => Promise<void>;
  /** Open and not replaced. */
  readonly standing: () => readonly OpenSnapshot[];
  readonly close: () => Promise<void>;
}

const ROUNDS_OPEN = 60;
const MOST_OLDER_OPEN = 2;
/** A damaged snapshot whose files are unchanged, and one that failed to open for another reason, are tried again after so many rounds. */
const ROUNDS_DAMAGED = 3600;
const MOST_ROUNDS_REFUSED = 60;

/** @param onDamage called if a read of an open snapshot finds damage */
export function openSnapshots(options: ReaderOptions, onDamage: (snapshotId: string, error: unknown) => void): OpenSnapshots {
  let round = 0;
  const held = new Map<string, Promise<OpenSnapshot>>();
  const standing = new Set<OpenSnapshot>();
  /** Replaced, but still in use by some request. */
  const retired = new Set<OpenSnapshot>();
  const refusals = openRefusals();
  const readers = readerOpener(options, onDamage);
  const shut = (one: OpenSnapshot) => {
    one.isClosed = true;
    standing.delete(one);
    one.reader.close();
  };
  const openOne = (paths: SnapshotPaths, manifest: Manifest): Promise<OpenSnapshot> => {
    const { snapshotId } = manifest;
    const known = held.get(snapshotId);
    if (known !== undefined) return known;
    const state = `${JSON.stringify(manifest.resources)} ${filesState(paths, manifest)}`;
    const refusal = refusals.of(snapshotId, state, round);
    if (refusal !== null) return Promise.reject(refusal.error);
    const opening = readers.open(paths, manifest).then((reader) => ({ paths, reader, pins: 0, usedIn: round, isClosed: false }));
    held.set(snapshotId, opening);
    opening.then(
      (one) => {
        standing.add(one);
        refusals.forget(snapshotId);
      },
      (error: unknown) => {
        held.delete(snapshotId);
        refusals.add(snapshotId, state, error, round);
      },
    );
    return opening;
  };
  return {
    async open(paths, manifest, use) {
      for (;;) {
        const one = await openOne(paths, manifest);
        if (!one.isClosed) return use(one);
      }
    },
    pin: (one) => pinned(one, () => round),
    touch(one) {
      one.usedIn = round;
    },
    async retire(snapshotId) {
      readers.doubt(snapshotId);
      const one = (await held.get(snapshotId)?.catch(() => null)) ?? null;
      held.delete(snapshotId);
      if (one === null) return null;
      standing.delete(one);
      retired.add(one);
      return one;
    },
    async beginRound(current) {
      round += 1;
      for (const one of [...retired].filter((old) => old.pins === 0 && old !== current())) {
        retired.delete(one);
        shut(one);
      }
      const all = await Promise.all([...held.values()].map((opening) => opening.catch(() => null)));
      for (const one of unusedOf(all, current(), round)) {
        held.delete(one.reader.snapshotId);
        shut(one);
      }
    },
    standing: () => [...standing],
    async close() {
      for (const one of retired) shut(one);
      retired.clear();
      for (const opening of held.values()) {
        const one = await opening.catch(() => null);
        if (one !== null) shut(one);
      }
      held.clear();
    },
  };
}

function pinned(one: OpenSnapshot, roundNow: () => number): Pinned {
  one.pins += 1;
  let isReleased = false;
  const release = () => {
    if (isReleased) return;
    isReleased = true;
    one.pins -= 1;
    one.usedIn = roundNow();
  };
  return { snapshot: one.reader, paths: one.paths, release };
}

/** Older snapshots without a request, except the two that were used last and not long ago. */
function unusedOf(all: readonly (OpenSnapshot | null)[], current: OpenSnapshot | null, round: number): readonly OpenSnapshot[] {
  return all
    .filter((one) => one !== null)
    .filter((one) => one !== current && one.pins === 0 && !one.isClosed)
    .sort((a, b) => b.usedIn - a.usedIn)
    .filter((one, index) => index >= MOST_OLDER_OPEN || round - one.usedIn > ROUNDS_OPEN);
}

/** Opens the reader of a snapshot. If one of its files is in doubt, all of them are read in full at each opening. */
function readerOpener(options: ReaderOptions, onDamage: (snapshotId: string, error: unknown) => void) {
  const doubted = new Set<string>();
  const openAs = (paths: SnapshotPaths, manifest: Manifest, isReadWhole: boolean): Promise<SnapshotReader> =>
    openSnapshot(paths, manifest, { ...options, onDamage: (error) => onDamage(manifest.snapshotId, error), isReadWhole });
  return {
    doubt: (snapshotId: string) => doubted.add(snapshotId),
    async open(paths: SnapshotPaths, manifest: Manifest): Promise<SnapshotReader> {
      const { snapshotId } = manifest;
      const isDoubted = doubted.has(snapshotId);
      try {
        return await openAs(paths, manifest, isDoubted);
      } catch (error) {
        if (doubted.has(snapshotId)) throw error;
        // The damaged file may have been replaced since its stamp, so read all files in full.
        doubted.add(snapshotId);
        return openAs(paths, manifest, true);
      }
    },
  };
}

interface Refusal {
  /** Its resources in the manifest, and the state of its files. */
  readonly state: string;
  readonly error: unknown;
  readonly tries: number;
  /** The first round in which to retry. */
  readonly retriedIn: number;
}

/** Snapshots that could not be opened, by id. Reading all files again gives the same error until a file changes. */
function openRefusals() {
  const refusals = new Map<string, Refusal>();
  return {
    /** Null if it is time to try. */
    of(snapshotId: string, state: string, round: number): Refusal | null {
      const refusal = refusals.get(snapshotId);
      return refusal?.state === state && round < refusal.retriedIn ? refusal : null;
    },
    add(snapshotId: string, state: string, error: unknown, round: number): void {
      const before = refusals.get(snapshotId);
      const tries = 1 + (before?.state === state ? before.tries : 0);
      const rounds = error instanceof SnapshotDamageError ? ROUNDS_DAMAGED : Math.min(2 ** (tries - 1), MOST_ROUNDS_REFUSED);
      refusals.set(snapshotId, { state, error, tries, retriedIn: round + rounds });
    },
    forget: (snapshotId: string) => refusals.delete(snapshotId),
  };
}

/** Changes if one of the snapshot's files changes. */
export function filesState(paths: SnapshotPaths, manifest: Manifest): string {
  const files = [sealFile(paths, manifest.snapshotId), ...manifest.resources.map(({ path }) => join(paths.root, path))];
  return files.map(fileState).join('|');
}
