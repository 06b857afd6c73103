// Copies an object store into a folder of snapshots for a server. It fetches missing files by hash, and names a snapshot current after all
// of its files are there and intact. Several servers may share the folder: each writes under its own temporary names and renames, and
// deletes only files that have been unused for a while.
import { randomUUID } from 'node:crypto';
import { link, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { renameDurably, sha256OfFile, syncPath, writeDurably } from '../../disk/durable.ts';
import { ifThere, namesIn } from '../../disk/if-there.ts';
import { contentState, fileState } from '../../disk/own-file.ts';
import type { Manifest } from '../../model/manifest.ts';
import type { ObjectStore } from '../../objects/store.ts';
import { unlistedFiles } from '../manifest.ts';
import { parseManifest, sealOf, sha256Of, type SnapshotPaths } from '../manifest.ts';
import { readCopySeal, removeServed, sealCopies } from '../server-copy.ts';
import { stamp } from '../stamps.ts';
import {
  CURRENT,
  filesOf,
  readChanged,
  type RemotePointer,
  type RemoteSnapshot,
  RemoteSnapshotError,
  type SentFile,
  wholeQueue,
} from './bucket.ts';

export interface Replica {
  /**
   * Fetches the current snapshot, then the kept ones. Throws an ObjectStoreError or RemoteSnapshotError if that fails. The folder then
   * keeps
   * its state.
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

const AT_ONCE = 4;
const ATTEMPTS = 3;
const GRACE_MS = 3600 * 1000;
const MAKE_ANEW = 'Run npm run push -- --verify on the machine that builds snapshots.';

export function openReplica(store: ObjectStore, { paths, own, beside, now }: ReplicaOptions): Replica {
  /** The version of the pointer that is complete here. */
  let known: string | null = null;
  let isTrusted = false;
  let doubts = 0;
  const versions = new Map<string, string>();
  /** Disk state of files that were read in full or fetched in full. */
  const seen = new Map<string, string>();

  const isThere = async ({ path, bytes, sha256 }: SentFile): Promise<boolean> => {
    const found = await ifThere(stat(path));
    if (found?.size !== bytes) return false;
    if (isTrusted) return true;
    const content = contentState(path);
    const isWhole = (await sha256OfFile(path)) === sha256;
    if (isWhole) seen.set(path, content);
    return isWhole;
  };
  const fetchFile = async ({ name, path, sha256 }: SentFile, ownPath: string | null): Promise<void> => {
    const staged = join(paths.staging, randomUUID());
    try {
      for (let attempt = 1; !(await isBrought(staged, ownPath, name, sha256)); attempt += 1) {
        if (attempt === ATTEMPTS)
          throw new RemoteSnapshotError(`${store.address}/${name} is missing or does not have its hash. ${MAKE_ANEW}`);
      }
      await rename(staged, path);
      seen.set(path, contentState(path));
    } finally {
      await rm(staged, { force: true });
    }
  };
  const isBrought = async (staged: string, ownPath: string | null, name: string, sha256: string): Promise<boolean> => {
    if (ownPath !== null && (await ifThere(sha256OfFile(ownPath))) === sha256 && (await isLinked(ownPath, staged))) return true;
    await rm(staged, { force: true });
    return (await store.download(name, staged)) === sha256;
  };
  const fetchSnapshot = async (one: RemoteSnapshot): Promise<Manifest> => {
    const text = (await store.read(one.manifest))?.text ?? '';
    if (sha256Of(text) !== one.sha256)
      throw new RemoteSnapshotError(`${store.address}/${one.manifest} is missing or damaged. ${MAKE_ANEW}`);
    const manifest = parseManifest(text, one.manifest);
    const ownFiles = own === null ? [] : filesOf(own, one, manifest.resources);
    const queue = new PQueue({ concurrency: AT_ONCE });
    const files = filesOf(paths, one, manifest.resources);
    const fetching = files.map((file, at) =>
      queue.add(async () => {
        if (!(await isThere(file))) await fetchFile(file, ownFiles[at]?.path ?? null);
      }),
    );
    await wholeQueue(queue, fetching);
    await syncPath(paths.files);
    if (one.copies !== null && JSON.stringify(await readCopySeal(paths, one.snapshotId)) !== JSON.stringify(one.copies))
      await sealCopies(paths, one.snapshotId, one.copies);
    await stamp(
      paths,
      one.snapshotId,
      files
        .filter(({ path }) => seen.get(path) === contentState(path))
        .map(({ path, sha256 }) => ({ path, sha256, state: fileState(path) })),
    );
    await put(sealOf(paths.manifest(one.snapshotId)), `${one.sha256}\n`);
    await put(paths.manifest(one.snapshotId), text);
    return manifest;
  };
  const put = async (path: string, text: string, mode = 0o644): Promise<void> => {
    const staged = join(paths.staging, randomUUID());
    await writeDurably(staged, text, mode);
    await renameDurably(staged, path);
  };
  const followBeside = async (): Promise<void> => {
    for (const [name, path] of Object.entries(beside)) {
      const found = await store.read(name, versions.get(name) ?? null);
      if (found === 'unchanged') continue;
      if (found === null) {
        versions.delete(name);
        await rm(path, { force: true });
        continue;
      }
      await put(path, found.text, 0o600);
      versions.set(name, found.version);
    }
  };
  /** Another server that shares the folder may be about to use a file that this one does not know yet. */
  const removeOver = async (folder: string, names: readonly string[]): Promise<void> => {
    for (const name of names) {
      const found = await ifThere(stat(join(folder, name)));
      if (found !== null && found.ctimeMs < now() - GRACE_MS) await rm(join(folder, name), { force: true });
    }
  };
  const clear = async ({ snapshotId, kept }: RemotePointer, manifests: readonly Manifest[]): Promise<void> => {
    const ids = [snapshotId, ...kept.map((one) => one.snapshotId)];
    const isOver = (name: string) => !ids.includes(name.replace(/\.(json|sha256)$/, ''));
    await removeOver(paths.manifests, (await namesIn(paths.manifests)).filter(isOver));
    await removeOver(paths.files, await unlistedFiles(paths, manifests));
    await removeOver(paths.staging, await namesIn(paths.staging));
    await removeServed(paths, ids);
    for (const path of seen.keys()) if (contentState(path) !== seen.get(path)) seen.delete(path);
  };

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
      if (found === null)
        throw new RemoteSnapshotError(`${store.address} has no ${CURRENT}: nothing was published there. Run: npm run push.`);
      for (const folder of [paths.staging, paths.files, paths.served, paths.manifests]) await mkdir(folder, { recursive: true });
      await followBeside();
      if (found === 'unchanged') return;
      const { pointer, version } = found;
      const manifest = await fetchSnapshot(pointer);
      await put(
        paths.pointer,
        `${JSON.stringify({ snapshotId: pointer.snapshotId, manifest: `manifests/${pointer.snapshotId}.json`, sha256: pointer.sha256 })}\n`,
      );
      const older: Manifest[] = [];
      for (const one of pointer.kept) older.push(await fetchSnapshot(one));
      await clear(pointer, [manifest, ...older]);
      // If a file came into doubt meanwhile, the next look checks it.
      if (doubts === doubtsBefore) [known, isTrusted] = [version, true];
    },
  };
}

/** True if both paths are now one file. False if they are on different disks. */
async function isLinked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch {
    return false;
  }
}
