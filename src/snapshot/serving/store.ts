// The snapshots that a server can read: the current one, followed as it changes, and older ones for open cursors. A request pins the
// snapshot that it reads. An older one stays open for the next page, and closes after a while without requests.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '../../model/manifest.ts';
import { fileState } from '../../disk/own-file.ts';
import {
  holdsData,
  keptManifests,
  readCurrent,
  readManifest,
  SchemaVersionError,
  SnapshotDamageError,
  type SnapshotPaths,
} from '../manifest.ts';
import { openSnapshot, type ReaderOptions, type SnapshotReader } from './reader.ts';
import { sealFile } from '../server-copy.ts';

export interface Readiness {
  readonly isReady: boolean;
  readonly reason: string | null;
  /** The served folder. */
  readonly paths: SnapshotPaths | null;
  /** Problems for the operator although the server answers. */
  readonly warnings: readonly string[];
}

export interface FollowedStore {
  /** The named snapshot, or the current one. Null if none is loaded or the named one is no longer kept. */
  readonly acquire: (
    snapshotId?: string,
  ) => Promise<{ readonly snapshot: SnapshotReader; readonly paths: SnapshotPaths; readonly release: () => void } | null>;
  readonly readiness: () => Readiness;
  /** Looks for a newer snapshot and opens it. The old one serves until the new one is ready. Never rejects. */
  readonly follow: () => Promise<void>;
  /** All open snapshots, the current one first, for the scrubber. */
  readonly opened: () => readonly { readonly paths: SnapshotPaths; readonly snapshot: SnapshotReader }[];
  /**
   * A file of a snapshot is damaged. The store verifies and reopens the snapshot, or opens the newest intact one instead.
   * @param isRead true if answers read this file: then the snapshot answers nothing meanwhile
   */
  readonly distrust: (snapshotId: string, isRead: boolean) => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Held {
  readonly paths: SnapshotPaths;
  readonly reader: SnapshotReader;
  pins: number;
  /** The round of `follow` in which it was last released. */
  usedIn: number;
  isClosed: boolean;
}

const OPENING = 'The snapshot is being opened and its files verified. Try again in a moment.';
const NOTHING_PUBLISHED = 'No snapshot has been published. Load data with: npm run nightly';

/** Rounds of `follow`. In a running service, a round is a second. */
const ROUNDS_OPEN = 60;
const MOST_OLDER_OPEN = 2;
/**
 * After this many rounds, the store retries a damaged snapshot whose files are unchanged, or one that failed to open for another reason.
 */
const ROUNDS_DAMAGED = 3600;
const MOST_ROUNDS_REFUSED = 60;

/**
 * An open snapshot is served until another is ready. If the pointer is missing or names a snapshot that cannot be opened, only the warnings
 * change. If none is open, the newest intact one takes its place.
 * @param candidates folders of snapshots in order of preference: the first that holds data is served
 * @param onError called if a snapshot cannot be opened, once for the same pointer
 */
export function openStore(candidates: readonly SnapshotPaths[], options: ReaderOptions, onError: (error: unknown) => void): FollowedStore {
  const held = new Map<string, Promise<Held>>();
  let current: { readonly held: Held; readonly paths: SnapshotPaths } | null = null;
  /** State of the pointers at the last look, and at the last look that left nothing to try. */
  let looked = '';
  let seen = '';
  let round = 0;
  let reason: string | null = OPENING;
  let warnings: readonly string[] = [];
  const told = new Set<string>();
  const tell = (error: unknown) => {
    const text = String(error);
    if (told.has(text)) return;
    told.add(text);
    onError(error);
  };
  /** Replaced, but still in use by some request. */
  const retired = new Set<Held>();
  /** Open and not replaced. */
  const standing = new Set<Held>();
  const shut = (one: Held) => {
    one.isClosed = true;
    standing.delete(one);
    one.reader.close();
  };
  /** State of the current snapshot's files when it was opened. */
  let openedState = '';

  /** Snapshots with a damaged file. Each time one is opened, all of its files are read in full. */
  const doubted = new Set<string>();
  /** Snapshots that could not be opened, by id. Reading all files again gives the same error until a file changes. */
  const refusals = new Map<string, Refusal>();
  const openKnown = async (paths: SnapshotPaths, manifest: Manifest): Promise<SnapshotReader> => {
    const { snapshotId } = manifest;
    const onDamage = (error: unknown) => {
      onError(error);
      void distrust(snapshotId, true).catch(onError);
    };
    try {
      return await openSnapshot(paths, manifest, { ...options, onDamage, isReadWhole: doubted.has(snapshotId) });
    } catch (error) {
      if (doubted.has(snapshotId)) throw error;
      // The damaged file may have been replaced since its stamp, so read all files in full.
      doubted.add(snapshotId);
      return openSnapshot(paths, manifest, { ...options, onDamage, isReadWhole: true });
    }
  };
  const openOne = (paths: SnapshotPaths, manifest: Manifest): Promise<Held> => {
    const known = held.get(manifest.snapshotId);
    if (known !== undefined) return known;
    const state = `${JSON.stringify(manifest.resources)} ${stateOf(paths, manifest)}`;
    const refusal = refusals.get(manifest.snapshotId);
    const isSame = refusal?.state === state;
    if (refusal !== undefined && isSame && round < refusal.retriedIn) return Promise.reject(refusal.error);
    const opening = openKnown(paths, manifest).then((reader): Held => ({ paths, reader, pins: 0, usedIn: round, isClosed: false }));
    held.set(manifest.snapshotId, opening);
    opening.then(
      (one) => {
        standing.add(one);
        refusals.delete(manifest.snapshotId);
      },
      (error: unknown) => {
        held.delete(manifest.snapshotId);
        const tries = 1 + (isSame ? refusal.tries : 0);
        const rounds = error instanceof SnapshotDamageError ? ROUNDS_DAMAGED : Math.min(2 ** (tries - 1), MOST_ROUNDS_REFUSED);
        refusals.set(manifest.snapshotId, { state, error, tries, retriedIn: round + rounds });
      },
    );
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
    for (const one of [...retired].filter((old) => old.pins === 0 && old !== current?.held)) {
      retired.delete(one);
      shut(one);
    }
    const all = await Promise.all([...held.values()].map((opening) => opening.catch(() => null)));
    const older = all
      .filter((one) => one !== null)
      .filter((one) => one !== current?.held && one.pins === 0 && !one.isClosed)
      .sort((a, b) => b.usedIn - a.usedIn);
    for (const [index, one] of older.entries()) {
      if (index < MOST_OLDER_OPEN && round - one.usedIn <= ROUNDS_OPEN) continue;
      held.delete(one.reader.snapshotId);
      shut(one);
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

  const take = (paths: SnapshotPaths, manifest: Manifest): Promise<void> =>
    open(paths, manifest, (next) => {
      if (current !== null) current.held.usedIn = round;
      current = { held: next, paths };
      openedState = stateOf(paths, manifest);
      reason = null;
    });
  /** Drops a snapshot, so that the next request opens it again. An intact one keeps answering until then. */
  const retire = async (snapshotId: string, isWhole: boolean): Promise<void> => {
    doubted.add(snapshotId);
    const one = await held.get(snapshotId)?.catch(() => null);
    held.delete(snapshotId);
    if (one === undefined || one === null) return;
    standing.delete(one);
    retired.add(one);
    if (current?.held === one && !isWhole) current = null;
  };
  /** True if the current snapshot was opened with a damaged file, and one of its files has changed since. */
  const isMended = (): boolean =>
    current !== null && current.held.reader.problems.length > 0 && stateOf(current.paths, current.held.reader.manifest) !== openedState;
  const takeNewestKept = async (paths: SnapshotPaths): Promise<'taken' | 'none' | 'unread'> => {
    const kept = await keptManifests(paths, tell).catch((error: unknown) => {
      tell(error);
      return null;
    });
    for (const manifest of kept ?? []) {
      try {
        await take(paths, manifest);
        return 'taken';
      } catch (error) {
        tell(error);
      }
    }
    return kept === null ? 'unread' : 'none';
  };
  /** Opens the snapshot that the pointer names. Returns its problem if that fails, or null if the folder holds no data. */
  const takeCurrent = async (paths: SnapshotPaths): Promise<'taken' | Problem | null> => {
    try {
      const manifest = await readCurrent(paths);
      if (manifest !== null) {
        await take(paths, manifest);
        return 'taken';
      }
      if (current?.paths !== paths && !(await holdsData(paths))) return null;
    } catch (error) {
      tell(error);
      return { message: messageOf(error), isRetried: !(error instanceof SchemaVersionError) };
    }
    return { message: 'current.json is missing, so no snapshot is current. Run: npm run nightly.', isRetried: false };
  };

  /** Never rejects: an unreadable folder may be readable a second later. */
  const follow = async (): Promise<void> => {
    try {
      await look();
    } catch (error) {
      tell(error);
      const served = currentId();
      if (served === null) reason = messageOf(error);
      else warnings = [`${messageOf(error)} Snapshot ${served} is served.`];
    }
  };
  const look = async (): Promise<void> => {
    round += 1;
    await closeOlder();
    const id = currentId();
    if (current !== null && id !== null && isMended()) {
      openedState = stateOf(current.paths, current.held.reader.manifest);
      await retire(id, true);
      seen = '';
    }
    const state = await pointerState(candidates);
    if (state === seen) return;
    if (state !== looked) told.clear();
    looked = state;
    for (const paths of candidates) {
      const outcome = await takeCurrent(paths);
      if (outcome === null) continue;
      if (outcome === 'taken') {
        warnings = [];
        seen = state;
        return;
      }
      const kept = current === null ? await takeNewestKept(paths) : 'taken';
      if (kept !== 'taken') reason = outcome.message;
      const served = currentId();
      warnings = served === null ? [] : [`${outcome.message} Snapshot ${served} is served.`];
      if (!outcome.isRetried && kept !== 'unread') seen = state;
      return;
    }
    reason = NOTHING_PUBLISHED;
    seen = state;
  };
  const distrust: FollowedStore['distrust'] = async (snapshotId, isRead) => {
    await retire(snapshotId, !isRead);
    seen = '';
    await follow();
  };
  const refused = (error: unknown): null => {
    onError(error);
    return null;
  };
  const currentId = (): string | null => current?.held.reader.snapshotId ?? null;

  return {
    follow,
    readiness: () => ({
      isReady: current !== null,
      reason: current === null ? reason : null,
      paths: current?.paths ?? null,
      warnings: [...warnings, ...(current?.held.reader.problems ?? [])],
    }),
    opened: () =>
      [...standing]
        .toSorted((a, b) => Number(b === current?.held) - Number(a === current?.held))
        .map(({ paths, reader }) => ({ paths, snapshot: reader })),
    distrust,
    async acquire(snapshotId) {
      if (current === null) return null;
      if (snapshotId === undefined || snapshotId === current.held.reader.snapshotId) return pin(current.held);
      const path = /^snap_[0-9a-f]{20}$/.test(snapshotId) ? current.paths.manifest(snapshotId) : null;
      const manifest = path === null ? null : await readManifest(path).catch(refused);
      if (manifest === null) return null;
      try {
        return await open(current.paths, manifest, pin);
      } catch (error) {
        tell(error);
        return null;
      }
    },
    async close() {
      for (const one of retired) shut(one);
      retired.clear();
      for (const opening of held.values()) {
        const one = await opening.catch(() => null);
        if (one !== null) shut(one);
      }
      held.clear();
      current = null;
      warnings = [];
      reason = 'The service is stopping.';
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

interface Problem {
  readonly message: string;
  /** True if the same pointer may work a second later. */
  readonly isRetried: boolean;
}

/** Without folders of the machine, because everybody can read this message. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? `The current snapshot cannot be read (${String(error.code)}).` : error.message;
}

function stateOf(paths: SnapshotPaths, manifest: Manifest): string {
  const files = [sealFile(paths, manifest.snapshotId), ...manifest.resources.map(({ path }) => join(paths.root, path))];
  return files.map(fileState).join('|');
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
