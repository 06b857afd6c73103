// Candidate → current. It verifies the candidate's files against its manifest, then makes it current with one synced rename of the pointer.
// After a kill, the old or the new snapshot is current, complete. The last few stay readable for open cursors. Files that none of them
// lists are deleted.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../../disk/durable.ts';
import { uninterrupted } from '../../disk/interruption.ts';
import { contentState, fileState } from '../../disk/own-file.ts';
import { unlistedFiles } from '../manifest.ts';
import { writeCatalog } from './named-files.ts';
import { writeDelta } from './delta/write.ts';
import { verifyFiles } from '../verify-files.ts';
import type { Manifest } from '../../model/manifest.ts';
import { refuseLoss } from './losses.ts';
import { removeServed } from '../server-copy.ts';
import { readStamps, stamp, UNSTAMPED } from '../stamps.ts';
import {
  keptManifests,
  nullIfUnserved,
  type Pointer,
  readCandidate,
  readCurrent,
  readManifest,
  sealOf,
  sha256Of,
  type SnapshotPaths,
} from '../manifest.ts';

export interface PublishReport {
  readonly snapshotId: string;
  readonly previousSnapshotId: string | null;
  /** False if the candidate is already the current snapshot. */
  readonly isNew: boolean;
  readonly removedFiles: number;
  readonly keptSnapshots: readonly string[];
}

export interface PublishOptions {
  /** Publish even if the candidate lost data of the current snapshot. */
  readonly isLossAccepted?: boolean;
}

/**
 * If the pointer is missing or damaged, the newest kept snapshot counts as the current one.
 * @param keep how many snapshots stay readable, the new one included
 * Throws a KnownError if the candidate lost data of the current snapshot.
 */
export async function publish(paths: SnapshotPaths, keep: number, options: PublishOptions = {}): Promise<PublishReport> {
  const candidate = await readCandidate(paths);
  const named = await readCurrent(paths).catch(nullIfUnserved);
  const current = named ?? (await keptManifests(paths))[0] ?? null;
  const verified = candidate.resources.map(({ path, hash }) => {
    const full = join(paths.root, path);
    return { path: full, sha256: hash.replace('sha256:', ''), content: contentState(full) };
  });
  const isNew = !isSame(named, candidate);
  // The build has already read the current files in full: see builtBefore.
  const isStamped = isNew ? UNSTAMPED : await readStamps(paths, candidate.snapshotId);
  await verifyFiles(paths, candidate.resources, `Snapshot ${candidate.snapshotId}`, isStamped);
  if (current !== null && options.isLossAccepted !== true) await refuseLoss(paths, current, candidate);
  const isKept = current?.snapshotId === candidate.snapshotId;
  const previousSnapshotId = (isKept ? current?.previousSnapshotId : current?.snapshotId) ?? null;
  // An interruption in here would leave a published snapshot as a candidate.
  const { chain, removed } = await uninterrupted(async () => {
    if (isNew) await makeCurrent(paths, { ...candidate, previousSnapshotId });
    await writeCatalog(paths, { ...candidate, previousSnapshotId });
    const old = await removeOld(paths, candidate.snapshotId, keep);
    await writeDelta(paths, old.chain.toReversed());
    // A Delta table links to the files. That changes their link count and nothing else, so compare content, and stamp the new state.
    const untouched = verified.filter(({ path, content }) => contentState(path) === content);
    await stamp(
      paths,
      candidate.snapshotId,
      untouched.map(({ path, sha256 }) => ({ path, sha256, state: fileState(path) })),
    );
    await rm(paths.candidate, { force: true });
    return old;
  });
  return {
    snapshotId: candidate.snapshotId,
    previousSnapshotId,
    isNew,
    removedFiles: removed,
    keptSnapshots: chain.map((manifest) => manifest.snapshotId),
  };
}

/** The schema counts too: the same files in another schema have the same id. */
function isSame(current: Manifest | null, candidate: Manifest): boolean {
  return current?.snapshotId === candidate.snapshotId && current.schemaVersion === candidate.schemaVersion;
}

async function makeCurrent(paths: SnapshotPaths, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  const sha256 = sha256Of(text);
  await writeDurably(sealOf(paths.manifest(manifest.snapshotId)), `${sha256}\n`);
  await writeDurably(paths.manifest(manifest.snapshotId), text);
  const pointer: Pointer = {
    snapshotId: manifest.snapshotId,
    manifest: `manifests/${manifest.snapshotId}.json`,
    sha256,
  };
  await writeDurably(paths.pointer, `${JSON.stringify(pointer)}\n`);
}

/** Resolves with the kept snapshots, newest first. */
async function removeOld(
  paths: SnapshotPaths,
  currentId: string,
  keep: number,
): Promise<{ readonly chain: readonly Manifest[]; readonly removed: number }> {
  const chain: Manifest[] = [];
  let id: string | null = currentId;
  while (id !== null && chain.length < keep && !chain.some((manifest) => manifest.snapshotId === id)) {
    // A damaged snapshot cannot be served, so it is not kept.
    const manifest: Manifest | null = await readManifest(paths.manifest(id)).catch(nullIfUnserved);
    if (manifest === null) break;
    chain.push(manifest);
    id = manifest.previousSnapshotId;
  }
  const kept = chain.map((manifest) => manifest.snapshotId);
  for (const name of await readdir(paths.manifests)) {
    if (!kept.includes(name.replace(/\.(json|sha256)$/, ''))) await rm(join(paths.manifests, name), { force: true });
  }
  await removeServed(paths, kept);
  const unlisted = await unlistedFiles(paths, chain);
  for (const name of unlisted) await rm(join(paths.files, name), { force: true });
  return { chain, removed: unlisted.length };
}
