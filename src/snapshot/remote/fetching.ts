// Fetches the missing files of a snapshot by hash. A file gets its name after it has its hash, and the manifest comes last.
import { randomUUID } from 'node:crypto';
import { link, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import PQueue from 'p-queue';
import { renameDurably, sha256OfFile, syncPath, writeDurably } from '../../disk/durable.ts';
import { ifThere } from '../../disk/if-there.ts';
import { contentState, fileState } from '../../disk/own-file.ts';
import type { Manifest } from '../../model/manifest.ts';
import type { ObjectStore } from '../../objects/store.ts';
import { parseManifest, sealOf, sha256Of, type SnapshotPaths } from '../manifest.ts';
import { readCopySeal, sealCopies } from '../server-copy.ts';
import { stamp } from '../stamps.ts';
import { filesOf, type RemoteSnapshot, type SentFile, wholeQueue } from './bucket.ts';
import { KnownError } from '../../known-error.ts';

export interface Fetching {
  /** @param isTrusted false if files in the folder must be compared with their hashes, not only with their sizes */
  readonly fetch: (one: RemoteSnapshot, isTrusted: () => boolean) => Promise<Manifest>;
  /** Forgets the state of files that have changed since they were read in full. */
  readonly forgetChanged: () => void;
}

interface Places {
  readonly paths: SnapshotPaths;
  /** Snapshots of this machine, if any. Their files need not be fetched. */
  readonly own: SnapshotPaths | null;
}

const AT_ONCE = 4;
const ATTEMPTS = 3;
const MAKE_ANEW = 'Run npm run push -- --verify on the machine that builds snapshots.';

export function openFetching(store: ObjectStore, { paths, own }: Places): Fetching {
  /** Disk state of files that were read in full or fetched in full. */
  const seen = new Map<string, string>();
  const isThere = async ({ path, bytes, sha256 }: SentFile, isTrusted: () => boolean): Promise<boolean> => {
    const found = await ifThere(stat(path));
    if (found?.size !== bytes) return false;
    if (isTrusted()) return true;
    const content = contentState(path);
    const isWhole = (await sha256OfFile(path)) === sha256;
    if (isWhole) seen.set(path, content);
    return isWhole;
  };
  const fetchFile = async ({ name, path, sha256 }: SentFile, ownPath: string | null): Promise<void> => {
    const staged = join(paths.staging, randomUUID());
    try {
      for (let attempt = 1; !(await isBrought(store, staged, ownPath, name, sha256)); attempt += 1) {
        if (attempt === ATTEMPTS) throw new KnownError(`${store.address}/${name} is missing or does not have its hash. ${MAKE_ANEW}`);
      }
      await rename(staged, path);
      seen.set(path, contentState(path));
    } finally {
      await rm(staged, { force: true });
    }
  };
  return {
    async fetch(one, isTrusted) {
      const text = await manifestText(store, one);
      const manifest = parseManifest(text, one.manifest);
      const ownFiles = own === null ? [] : filesOf(own, one, manifest.resources);
      const queue = new PQueue({ concurrency: AT_ONCE });
      const files = filesOf(paths, one, manifest.resources);
      const fetching = files.map((file, at) =>
        queue.add(async () => {
          if (!(await isThere(file, isTrusted))) await fetchFile(file, ownFiles[at]?.path ?? null);
        }),
      );
      await wholeQueue(queue, fetching);
      await syncPath(paths.files);
      if (one.copies !== null) await sealIfOther(paths, one.snapshotId, one.copies);
      const whole = files.filter(({ path }) => seen.get(path) === contentState(path));
      await stamp(
        paths,
        one.snapshotId,
        whole.map(({ path, sha256 }) => ({ path, sha256, state: fileState(path) })),
      );
      await putText(paths, sealOf(paths.manifest(one.snapshotId)), `${one.sha256}\n`);
      await putText(paths, paths.manifest(one.snapshotId), text);
      return manifest;
    },
    forgetChanged() {
      for (const [path, state] of seen) if (contentState(path) !== state) seen.delete(path);
    },
  };
}

async function manifestText(store: ObjectStore, { manifest, sha256 }: RemoteSnapshot): Promise<string> {
  const text = (await store.read(manifest))?.text ?? '';
  if (sha256Of(text) !== sha256) throw new KnownError(`${store.address}/${manifest} is missing or damaged. ${MAKE_ANEW}`);
  return text;
}

/** True if the staged file has the hash: linked to the file of this machine's own snapshots, or downloaded. */
async function isBrought(store: ObjectStore, staged: string, ownPath: string | null, name: string, sha256: string): Promise<boolean> {
  if (ownPath !== null && (await ifThere(sha256OfFile(ownPath))) === sha256 && (await isLinked(ownPath, staged))) return true;
  await rm(staged, { force: true });
  return (await store.download(name, staged)) === sha256;
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

async function sealIfOther(paths: SnapshotPaths, snapshotId: string, copies: NonNullable<RemoteSnapshot['copies']>): Promise<void> {
  if (JSON.stringify(await readCopySeal(paths, snapshotId)) !== JSON.stringify(copies)) await sealCopies(paths, snapshotId, copies);
}

/** Writes a text beside its place and renames it. */
export async function putText(paths: SnapshotPaths, path: string, text: string, mode = 0o644): Promise<void> {
  const staged = join(paths.staging, randomUUID());
  await writeDurably(staged, text, mode);
  await renameDurably(staged, path);
}
