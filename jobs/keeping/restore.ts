// A backup → an empty folder. Every file is checked before the first is written, and again as it is copied. The pointer comes last, so that
// no server opens an incomplete folder.
import { mkdir } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { syncPath } from '../../src/disk/durable.ts';
import { namesIn } from '../../src/disk/if-there.ts';
import { onInterruption } from '../../src/disk/interruption.ts';
import { writeCatalog } from '../../src/snapshot/build/named-files.ts';
import { writeDelta } from '../../src/snapshot/build/delta/write.ts';
import { readCurrent, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { type BackedFile, type BackupList, copyHashed, emptyFolder, problemOf, readList } from './kept-copy.ts';
import { KnownError } from '../../src/known-error.ts';

/** Throws a KnownError that names each damaged or missing file, or if DATA_DIR is not empty; then it writes nothing. */
export async function restore(source: string, dataDir: string): Promise<BackupList> {
  const [folder, target] = [resolve(source), resolve(dataDir)];
  if (folder === target || folder.startsWith(target + sep) || target.startsWith(folder + sep))
    throw new KnownError(`${folder} is inside DATA_DIR, or DATA_DIR inside it. Set DATA_DIR to an empty folder outside.`);
  const list = await readList(folder);
  if ((await namesIn(target)).length > 0)
    throw new KnownError(
      `DATA_DIR ${target} is not empty, so nothing was restored. Set DATA_DIR to an empty folder, or move the old one away.`,
    );
  await refuseProblems(folder, list);
  await mkdir(target, { recursive: true });
  const forget = onInterruption(() => emptyFolder(target));
  try {
    await writeAll(folder, target, list);
    return list;
  } catch (error) {
    emptyFolder(target);
    throw error;
  } finally {
    forget();
  }
}

async function refuseProblems(folder: string, { files }: BackupList): Promise<void> {
  const problems: string[] = [];
  for (const file of files) {
    const problem = await problemOf(folder, file);
    if (problem !== null) problems.push(`${join(folder, file.path)} ${problem}.`);
  }
  if (problems.length > 0) throw new KnownError(`${problems.join('\n')}\nNothing was restored; use another backup.`);
}

async function writeAll(folder: string, target: string, list: BackupList): Promise<void> {
  for (const file of inOrder(list.files)) {
    const copied = await copyHashed(join(folder, file.path), join(target, file.path), file.isPrivate);
    if (copied.sha256 !== file.sha256)
      throw new KnownError(`${join(folder, file.path)} changed during the restore. Nothing was restored. Run the command again.`);
  }
  const folders = list.files.flatMap(({ path }) => path.split('/').map((_, index, parts) => parts.slice(0, index).join('/')));
  for (const path of new Set(folders)) await syncPath(join(target, path));
  const paths = snapshotPaths(target);
  const manifest = await readCurrent(paths);
  if ((manifest?.snapshotId ?? null) !== list.snapshotId)
    throw new KnownError(`${folder} has another snapshot than its list. Nothing was restored; use another backup.`);
  if (manifest === null) return;
  await writeCatalog(paths, manifest);
  await writeDelta(paths, [manifest]);
}

function inOrder(files: readonly BackedFile[]): readonly BackedFile[] {
  const place = ({ path }: BackedFile) => (path === 'current.json' ? 2 : path.startsWith('snapshots/manifests/') ? 1 : 0);
  return files.toSorted((a, b) => place(a) - place(b));
}
