// Re-reads the files of open snapshots slowly, because a disk may damage them under a running server. The store reopens or replaces a
// snapshot with a damaged file.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { isOfProcess } from '../../../disk/disk-error.ts';
import { ifThere } from '../../../disk/if-there.ts';
import { fileState } from '../../../disk/own-file.ts';
import { readCurrent, type SnapshotPaths } from '../../manifest.ts';
import type { SnapshotReader } from '../reader.ts';
import { sealedCopies } from '../../server-copy.ts';
import type { FollowedStore } from '../store.ts';

export interface ScrubOptions {
  /** The time for one pass over all files. It sets the read rate. */
  readonly seconds: number;
  readonly pause: (milliseconds: number) => Promise<unknown>;
  /** Called for each damaged file. */
  readonly onDamage: (snapshotId: string, file: string) => void;
}

export interface Scrubber {
  /** Reads every file of the open snapshots once. Resolves with the number of bytes. */
  readonly round: () => Promise<number>;
}

const CHUNK = 1 << 20;
/** A small snapshot is read at this rate at least. */
const LEAST_BYTES_PER_SECOND = 1 << 20;

interface Expected {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /** True for a file of the copy for servers. */
  readonly isCopy: boolean;
}

export function openScrubber(store: Pick<FollowedStore, 'opened' | 'distrust'>, { seconds, pause, onDamage }: ScrubOptions): Scrubber {
  /**
   * Reported damage by snapshot and path, with the file's state at that time. A snapshot that serves without the file is not reported
   * again.
   */
  const told = new Map<string, string>();
  return {
    async round() {
      let bytes = 0;
      /** Snapshots share files. Each file is read once per round. */
      const hashes = new Map<string, string | null>();
      for (const { paths, snapshot } of store.opened()) {
        const files = await filesOf(paths, snapshot);
        const total = files.reduce((sum, file) => sum + file.bytes, 0);
        const perSecond = Math.max(total / seconds, LEAST_BYTES_PER_SECOND);
        const damaged: (Expected & { readonly isGone: boolean })[] = [];
        for (const file of files) {
          const state = fileState(file.path);
          const key = `${snapshot.snapshotId} ${file.path}`;
          if (told.get(key) === state) continue;
          told.delete(key);
          let found = hashes.get(file.path);
          if (found === undefined) {
            bytes += file.bytes;
            found = await hashSlowly(file, (read) => pause((read / perSecond) * 1000));
            hashes.set(file.path, found);
          }
          if (found === file.sha256) continue;
          // The next publication deletes files of superseded snapshots. That is no damage.
          if (found === GONE && (await isSuperseded(paths, snapshot.snapshotId))) break;
          told.set(key, state);
          onDamage(snapshot.snapshotId, file.name);
          damaged.push({ ...file, isGone: found === GONE });
        }
        // A deleted copy is still open here, and its content is right.
        const isRead = damaged.some(({ isCopy, isGone }) => (isCopy ? !isGone : !snapshot.readsCopy));
        if (damaged.length > 0) await store.distrust(snapshot.snapshotId, isRead);
      }
      return bytes;
    },
  };
}

async function filesOf(paths: SnapshotPaths, { snapshotId, manifest }: SnapshotReader): Promise<readonly Expected[]> {
  const resources = manifest.resources.map(({ path, bytes, hash }) => ({
    path: join(paths.root, path),
    name: path,
    bytes,
    sha256: hash.replace('sha256:', ''),
    isCopy: false,
  }));
  return [...(await sealedCopies(paths, snapshotId)).map((copy) => ({ ...copy, isCopy: true })), ...resources];
}

async function isSuperseded(paths: SnapshotPaths, snapshotId: string): Promise<boolean> {
  const current = await readCurrent(paths).catch(() => null);
  return current !== null && current.snapshotId !== snapshotId;
}

/** The hash of a missing file. No real hash has this value. */
const GONE = 'gone';

/** GONE if it is missing, null if it cannot be read to its full length. */
async function hashSlowly({ path, bytes }: Expected, afterChunk: (read: number) => Promise<unknown>): Promise<string | null> {
  const handle = await ifThere(open(path, 'r')).catch((error: unknown) => {
    if (isOfProcess(error)) throw error;
    return undefined;
  });
  if (handle === null) return GONE;
  if (handle === undefined) return null;
  try {
    if ((await handle.stat()).size !== bytes) return null;
    const hash = createHash('sha256');
    const chunk = Buffer.alloc(CHUNK);
    for (let at = 0; at < bytes; ) {
      const { bytesRead } = await handle.read(chunk, 0, CHUNK, at);
      if (bytesRead === 0) return null;
      hash.update(chunk.subarray(0, bytesRead));
      at += bytesRead;
      await afterChunk(bytesRead);
    }
    return hash.digest('hex');
  } catch {
    return null;
  } finally {
    await handle.close();
  }
}
