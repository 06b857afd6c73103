// Copies an object store into a folder of snapshots for a server. It fetches missing files by hash, and names a snapshot current after all
// of its files are there and intact. Several servers may share the folder: each writes under its own temporary names and renames, and
// deletes only files that have been unused for a while.
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere, namesIn } from '../../disk/if-there.ts';
import type { Manifest } from '../../model/manifest.ts';
import type { ObjectStore } from '../../objects/store.ts';
import { unlistedFiles, type SnapshotPaths } from '../manifest.ts';
import { removeServed } from '../server-copy.ts';
import { CURRENT, readChanged, type RemotePointer } from './bucket.ts';
import { openFetching, putText } from './fetching.ts';
import { KnownError } from '../../known-error.ts';

export interface Replica {
  /**
   * Fetches the current snapshot, then the kept ones. Throws a KnownError if that fails. The folder then
   * keeps its state.
   */
  readonly follow: () => Promise<void>;
  /** The next look compares the folder's files with their hashes, and fetches damaged ones again. */
  readonly distrust: () => void;
}

export interface ReplicaOptions {
  readonly paths: SnapshotPaths;
  /** Snapshots of this machine, if any. Their files need not be fetched. */
  readonly own: SnapshotPaths | null;
  /** Small files beside the snapshots and their local paths. If a file is gone from the store, it is deleted here too. */
  readonly beside: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const GRACE_MS = 3600 * 1000;

export function openReplica(store: ObjectStore, { paths, own, beside, now }: ReplicaOptions): Replica {
  /** The version of the pointer that is complete here. */
  let known: string | null = null;
  let isTrusted = false;
  let doubts = 0;
  /** Versions of the small files beside the snapshots. */
  const versions = new Map<string, string>();
  const fetching = openFetching(store, { paths, own });
  return {
    distrust() {
      doubts += 1;
      known = null;
      isTrusted = false;
    },
    async follow() {
      const doubtsBefore = doubts;
      const found = await readChanged(store, known);
      // If there is no pointer at all, keep the keys and grants: the store may be unreachable or the wrong one.
      if (found === null) throw new KnownError(`${store.address} has no ${CURRENT}: nothing was published there. Run: npm run push.`);
      for (const folder of [paths.staging, paths.files, paths.served, paths.manifests]) await mkdir(folder, { recursive: true });
      await followBeside(store, paths, beside, versions);
      if (found === 'unchanged') return;
      const { pointer, version } = found;
      // A file may come into doubt at any moment.
      const trusts = () => isTrusted;
      const manifest = await fetching.fetch(pointer, trusts);
      await putText(
        paths,
        paths.pointer,
        `${JSON.stringify({ snapshotId: pointer.snapshotId, manifest: `manifests/${pointer.snapshotId}.json`, sha256: pointer.sha256 })}\n`,
      );
      const older: Manifest[] = [];
      for (const one of pointer.kept) older.push(await fetching.fetch(one, trusts));
      await removeUnlisted(paths, pointer, [manifest, ...older], now() - GRACE_MS);
      fetching.forgetChanged();
      // If a file came into doubt meanwhile, the next look checks it.
      if (doubts === doubtsBefore) [known, isTrusted] = [version, true];
    },
  };
}

/** Fetches the small files whose version has changed. */
async function followBeside(
  store: ObjectStore,
  paths: SnapshotPaths,
  beside: ReplicaOptions['beside'],
  versions: Map<string, string>,
): Promise<void> {
  for (const [name, path] of Object.entries(beside)) {
    const found = await store.read(name, versions.get(name) ?? null);
    if (found === 'unchanged') continue;
    if (found === null) {
      versions.delete(name);
      await rm(path, { force: true });
      continue;
    }
    await putText(paths, path, found.text, 0o600);
    versions.set(name, found.version);
  }
}

/** Removes what no kept snapshot names. Another server that shares the folder may be about to use a file that this one does not know yet. */
async function removeUnlisted(
  paths: SnapshotPaths,
  { snapshotId, kept }: RemotePointer,
  manifests: readonly Manifest[],
  unusedSince: number,
): Promise<void> {
  const ids = [snapshotId, ...kept.map((one) => one.snapshotId)];
  const removeOver = async (folder: string, names: readonly string[]): Promise<void> => {
    for (const name of names) {
      const found = await ifThere(stat(join(folder, name)));
      if (found !== null && found.ctimeMs < unusedSince) await rm(join(folder, name), { force: true });
    }
  };
  const isOver = (name: string) => !ids.includes(name.replace(/\.(json|sha256)$/, ''));
  await removeOver(paths.manifests, (await namesIn(paths.manifests)).filter(isOver));
  await removeOver(paths.files, await unlistedFiles(paths, manifests));
  await removeOver(paths.staging, await namesIn(paths.staging));
  await removeServed(paths, ids);
}
