// The snapshots that a server can read: the current one, followed as it changes, and older ones for open cursors. A request pins the
// snapshot that it reads. An older one stays open for the next page, and closes after a while without requests.
import { stat } from 'node:fs/promises';
import type { Manifest } from '../../model/manifest.ts';
import { holdsData, keptManifests, readCurrent, readManifest, SchemaVersionError, type SnapshotPaths } from '../manifest.ts';
import { filesState, type OpenSnapshot, type OpenSnapshots, openSnapshots, type Pinned } from './open-snapshots.ts';
import type { ReaderOptions, SnapshotReader } from './reader.ts';

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
  readonly acquire: (snapshotId?: string) => Promise<Pinned | null>;
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

/** What a store follows, and what it serves. */
interface Following {
  /** Folders of snapshots in order of preference: the first that holds data is served. */
  readonly candidates: readonly SnapshotPaths[];
  readonly snapshots: OpenSnapshots;
  readonly errors: Errors;
  readonly onError: (error: unknown) => void;
  current: OpenSnapshot | null;
  /** State of the current snapshot's files when it was opened. */
  openedState: string;
  /** State of the pointers at the last look, and at the last look that left nothing to try. */
  looked: string;
  seen: string;
  reason: string | null;
  warnings: readonly string[];
}

const OPENING = 'The snapshot is being opened and its files verified. Try again in a moment.';
const NOTHING_PUBLISHED = 'No snapshot has been published. Load data with: npm run nightly';

/**
 * An open snapshot is served until another is ready. If the pointer is missing or names a snapshot that cannot be opened, only the warnings
 * change. If none is open, the newest intact one takes its place.
 * @param candidates folders of snapshots in order of preference: the first that holds data is served
 * @param onError called if a snapshot cannot be opened, once for the same pointer
 */
export function openStore(candidates: readonly SnapshotPaths[], options: ReaderOptions, onError: (error: unknown) => void): FollowedStore {
  const snapshots = openSnapshots(options, (snapshotId, error) => {
    onError(error);
    void distrust(store, snapshotId, true).catch(onError);
  });
  const store: Following = {
    candidates,
    snapshots,
    errors: openErrors(onError),
    onError,
    current: null,
    openedState: '',
    looked: '',
    seen: '',
    reason: OPENING,
    warnings: [],
  };
  return {
    follow: () => follow(store),
    readiness: () => ({
      isReady: store.current !== null,
      reason: store.current === null ? store.reason : null,
      paths: store.current?.paths ?? null,
      warnings: [...store.warnings, ...(store.current?.reader.problems ?? [])],
    }),
    opened: () =>
      snapshots
        .standing()
        .toSorted((a, b) => Number(b === store.current) - Number(a === store.current))
        .map(({ paths, reader }) => ({ paths, snapshot: reader })),
    distrust: (snapshotId, isRead) => distrust(store, snapshotId, isRead),
    acquire: (snapshotId) => acquire(store, snapshotId),
    async close() {
      await snapshots.close();
      store.current = null;
      store.warnings = [];
      store.reason = 'The service is stopping.';
    },
  };
}

/** Errors that are reported once each. */
interface Errors {
  readonly report: (error: unknown) => void;
  readonly forget: () => void;
}

function openErrors(onError: (error: unknown) => void): Errors {
  const reported = new Set<string>();
  return {
    report(error) {
      const text = String(error);
      if (reported.has(text)) return;
      reported.add(text);
      onError(error);
    },
    forget: () => reported.clear(),
  };
}

/** Never rejects: an unreadable folder may be readable a second later. */
async function follow(store: Following): Promise<void> {
  try {
    await look(store);
  } catch (error) {
    store.errors.report(error);
    const served = store.current?.reader.snapshotId;
    if (served === undefined) store.reason = messageOf(error);
    else store.warnings = [`${messageOf(error)} Snapshot ${served} is served.`];
  }
}

async function look(store: Following): Promise<void> {
  await store.snapshots.beginRound(() => store.current);
  await reopenMended(store);
  const state = await pointerState(store.candidates);
  if (state === store.seen) return;
  if (state !== store.looked) store.errors.forget();
  store.looked = state;
  for (const paths of store.candidates) {
    const outcome = await takeCurrent(store, paths);
    if (outcome === null) continue;
    if (outcome === 'taken') {
      store.warnings = [];
      store.seen = state;
      return;
    }
    const kept = store.current === null ? await takeNewestKept(store, paths) : 'taken';
    if (kept !== 'taken') store.reason = outcome.message;
    const served = store.current?.reader.snapshotId;
    store.warnings = served === undefined ? [] : [`${outcome.message} Snapshot ${served} is served.`];
    if (!outcome.isRetried && kept !== 'unread') store.seen = state;
    return;
  }
  store.reason = NOTHING_PUBLISHED;
  store.seen = state;
}

/** If the current snapshot was opened with a damaged file, and one of its files has changed since, it is opened again. */
async function reopenMended(store: Following): Promise<void> {
  const { current } = store;
  if (current === null || current.reader.problems.length === 0) return;
  const state = filesState(current.paths, current.reader.manifest);
  if (state === store.openedState) return;
  store.openedState = state;
  await store.snapshots.retire(current.reader.snapshotId);
  store.seen = '';
}

interface Problem {
  readonly message: string;
  /** True if the same pointer may work a second later. */
  readonly isRetried: boolean;
}

/** Opens the snapshot that the pointer names. Returns its problem if that fails, or null if the folder holds no data. */
async function takeCurrent(store: Following, paths: SnapshotPaths): Promise<'taken' | Problem | null> {
  try {
    const manifest = await readCurrent(paths);
    if (manifest !== null) {
      await take(store, paths, manifest);
      return 'taken';
    }
    if (store.current?.paths !== paths && !(await holdsData(paths))) return null;
  } catch (error) {
    store.errors.report(error);
    return { message: messageOf(error), isRetried: !(error instanceof SchemaVersionError) };
  }
  return { message: 'current.json is missing, so no snapshot is current. Run: npm run nightly.', isRetried: false };
}

async function takeNewestKept(store: Following, paths: SnapshotPaths): Promise<'taken' | 'none' | 'unread'> {
  const { report } = store.errors;
  const kept = await keptManifests(paths, report).catch((error: unknown) => {
    report(error);
    return null;
  });
  for (const manifest of kept ?? []) {
    try {
      await take(store, paths, manifest);
      return 'taken';
    } catch (error) {
      report(error);
    }
  }
  return kept === null ? 'unread' : 'none';
}

function take(store: Following, paths: SnapshotPaths, manifest: Manifest): Promise<void> {
  return store.snapshots.open(paths, manifest, (next) => {
    if (store.current !== null) store.snapshots.touch(store.current);
    store.current = next;
    store.openedState = filesState(paths, manifest);
    store.reason = null;
  });
}

/** An intact snapshot keeps answering until it is opened again. */
async function distrust(store: Following, snapshotId: string, isRead: boolean): Promise<void> {
  const retired = await store.snapshots.retire(snapshotId);
  if (isRead && retired !== null && store.current === retired) store.current = null;
  store.seen = '';
  await follow(store);
}

async function acquire(store: Following, snapshotId: string | undefined): Promise<Pinned | null> {
  const { current, snapshots } = store;
  if (current === null) return null;
  if (snapshotId === undefined || snapshotId === current.reader.snapshotId) return snapshots.pin(current);
  if (!/^snap_[0-9a-f]{20}$/.test(snapshotId)) return null;
  const manifest = await readManifest(current.paths.manifest(snapshotId)).catch((error: unknown) => {
    store.onError(error);
    return null;
  });
  // The store may have closed meanwhile.
  if (manifest === null || store.current === null) return null;
  try {
    return await snapshots.open(current.paths, manifest, snapshots.pin);
  } catch (error) {
    store.errors.report(error);
    return null;
  }
}

/** Without folders of the machine, because everybody can read this message. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? `The current snapshot cannot be read (${String(error.code)}).` : error.message;
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
