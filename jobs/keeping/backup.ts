// All persistent files → a folder, while a server and a run may be active. It takes no lock: files never change under their names, so only the lists of
// files must be read at one moment. The snapshot comes first, then the lake, then the raw archive: each is at least as new as the files made from it.
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { listFiles, syncPath } from '../../src/disk/durable.ts';
import { ifThere, namesIn } from '../../src/disk/if-there.ts';
import { onInterruption } from '../../src/disk/interruption.ts';
import { keyFile } from '../../src/keys/key-store.ts';
import { type CommitRecord, type Holding, type Ledger, recordNames } from '../../src/lake/ledger.ts';
import { LAKE_TABLE_NAMES, type LakePaths, lakePaths } from '../../src/lake/layout.ts';
import { openLedger } from '../../src/lake/verified.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import { grantFile } from '../../src/rights/grant-file.ts';
import { readCurrent, SAMPLE_MARK, sealOf, type SnapshotPaths, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { sealedCopies, sealFile } from '../../src/snapshot/server-copy.ts';
import { type BackedFile, type BackupList, copyHashed, emptyFolder, writeList } from './kept-copy.ts';
import { KnownError } from '../../src/known-error.ts';

export interface BackupOptions {
  readonly now: () => number;
  readonly version: string;
  /** Called and awaited after each copied file. */
  readonly onProgress?: (path: string) => Promise<void> | undefined;
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/** How often it looks again for removed or unfinished files, a moment later each time. */
const MOST_TRIES = 50;
const MS_BETWEEN_TRIES = 100;

interface Copying {
  readonly dataDir: string;
  readonly folder: string;
  readonly files: Map<string, BackedFile>;
  readonly wait: (milliseconds: number) => Promise<unknown>;
  readonly onProgress: (path: string) => Promise<void> | undefined;
}

/** Throws a KnownError if the folder is not empty, or if a source file is damaged; then it leaves nothing in the folder. */
export async function backup(dataDir: string, target: string, options: BackupOptions): Promise<BackupList> {
  const folder = resolve(target);
  await refuseFolder(resolve(dataDir), folder);
  const createdAt = new Date(options.now()).toISOString();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const copying: Copying = {
    dataDir: resolve(dataDir),
    folder,
    files: new Map(),
    wait: options.wait ?? ((milliseconds) => pause(milliseconds)),
    onProgress: options.onProgress ?? (() => undefined),
  };
  const forget = onInterruption(() => emptyFolder(folder));
  try {
    const snapshot = await copySnapshot(copying);
    const lakeCommit = await copyLake(copying);
    await copyArchive(copying);
    for (const path of [keyFile(dataDir), grantFile(dataDir), join(dataDir, 'cursor-secret')])
      await copyIfThere(copying, relative(dataDir, path), true);
    // Without its mark, a server would show the invented numbers of the sample as real.
    await copyIfThere(copying, SAMPLE_MARK);
    if (copying.files.size === 0 || (snapshot === null && lakeCommit === 0))
      throw new KnownError(
        `${dataDir} has no snapshot and no lake to back up. Set DATA_DIR to the right folder. The sample needs no backup.`,
      );
    const files = [...copying.files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
    for (const path of new Set(files.flatMap((file) => foldersOf(file.path)))) await syncPath(join(folder, path));
    const version = options.version;
    const list: BackupList = { form: 1, createdAt, version, snapshotId: snapshot?.snapshotId ?? null, lakeCommit, files };
    await writeList(folder, list);
    return list;
  } catch (error) {
    emptyFolder(folder);
    throw error;
  } finally {
    forget();
  }
}

async function refuseFolder(dataDir: string, folder: string): Promise<void> {
  if (folder === dataDir || folder.startsWith(dataDir + sep) || dataDir.startsWith(folder + sep))
    throw new KnownError(`${folder} is inside DATA_DIR, or DATA_DIR inside it. Choose a folder outside, best on another disk.`);
  if ((await namesIn(folder)).length > 0) throw new KnownError(`${folder} is not empty. Choose an empty or new folder.`);
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
}

/** Throws ENOENT if the file is missing. */
async function copy(
  { dataDir, folder, files, onProgress }: Copying,
  path: string,
  isPrivate = false,
  from = join(dataDir, path),
): Promise<BackedFile> {
  const copied = { path, ...(await copyHashed(from, join(folder, path), isPrivate)), isPrivate };
  files.set(path, copied);
  await onProgress(path);
  return copied;
}

async function copyIfThere(copying: Copying, path: string, isPrivate = false): Promise<BackedFile | null> {
  return ifThere(copy(copying, path, isPrivate));
}

async function drop({ folder, files }: Copying, path: string): Promise<void> {
  files.delete(path);
  await rm(join(folder, path), { force: true });
}

function refuseDamage({ dataDir }: Copying, path: string): never {
  throw new KnownError(`${join(dataDir, path)} is damaged, so no backup was made. Run npm run doctor, which names the remedy.`);
}

/** The current snapshot with the copies for servers. If a publication removes its files meanwhile, the newer one is copied. */
async function copySnapshot(copying: Copying): Promise<Manifest | null> {
  const paths = snapshotPaths(copying.dataDir);
  for (let tries = 1; ; tries += 1) {
    const manifest = await readCurrent(paths);
    if (manifest === null) return null;
    const done = await ifThere(copyFilesOf(copying, paths, manifest));
    if (done !== null) {
      await dropOthers(copying, done);
      return manifest;
    }
    if ((await readCurrent(paths))?.snapshotId === manifest.snapshotId) await nameMissing(copying, paths, manifest);
    if (tries >= MOST_TRIES)
      throw new KnownError('New snapshots were published during each attempt to copy. Back up again when publishing has ended.');
  }
}

async function copyFilesOf(copying: Copying, paths: SnapshotPaths, manifest: Manifest): Promise<ReadonlySet<string>> {
  const own = (path: string) => relative(copying.dataDir, path);
  const wanted = new Set<string>();
  for (const { path, bytes, hash } of manifest.resources) {
    const name = own(join(paths.root, path));
    wanted.add(name);
    if (copying.files.has(name)) continue;
    const copied = await copy(copying, name);
    if (copied.bytes !== bytes || `sha256:${copied.sha256}` !== hash) refuseDamage(copying, name);
  }
  for (const name of await copyCopies(copying, paths, manifest.snapshotId)) wanted.add(name);
  const path = paths.manifest(manifest.snapshotId);
  const pointer = await readFile(paths.pointer, 'utf8');
  for (const name of [sealOf(path), path, paths.pointer].map(own)) {
    await drop(copying, name);
    await copy(copying, name);
    wanted.add(name);
  }
  // Another one was published meanwhile.
  if (!pointer.includes(manifest.snapshotId) || (await readFile(join(copying.folder, own(paths.pointer)), 'utf8')) !== pointer)
    throw Object.assign(new Error(`${paths.pointer} has changed`), { code: 'ENOENT' });
  return wanted;
}

/** The faster form for servers; a snapshot is complete without it. */
async function copyCopies(copying: Copying, paths: SnapshotPaths, snapshotId: string): Promise<readonly string[]> {
  const sealed = await sealedCopies(paths, snapshotId);
  if (sealed.length === 0) return [];
  const names: string[] = [];
  for (const { path, bytes, sha256 } of sealed) {
    const name = relative(copying.dataDir, path);
    await drop(copying, name);
    const copied = await copyIfThere(copying, name);
    names.push(name);
    if (copied?.bytes === bytes && copied.sha256 === sha256) continue;
    for (const one of names) await drop(copying, one);
    return [];
  }
  const seal = relative(copying.dataDir, sealFile(paths, snapshotId));
  await drop(copying, seal);
  return (await copyIfThere(copying, seal)) === null ? [] : [...names, seal];
}

async function dropOthers(copying: Copying, wanted: ReadonlySet<string>): Promise<void> {
  for (const path of copying.files.keys()) if (!wanted.has(path)) await drop(copying, path);
}

async function nameMissing({ dataDir }: Copying, paths: SnapshotPaths, manifest: Manifest): Promise<void> {
  for (const { path } of manifest.resources)
    if ((await ifThere(stat(join(paths.root, path)))) === null)
      throw new KnownError(`${relative(dataDir, join(paths.root, path))} of the current snapshot is missing. Run: npm run nightly.`);
}

/** The records up to one commit, and exactly the files in them. Returns the number of that commit. */
async function copyLake(copying: Copying): Promise<number> {
  const paths = lakePaths(join(copying.dataDir, 'lake'));
  for (let tries = 1; ; tries += 1) {
    const names = await recordNames(paths);
    const ledger = await ledgerOf(paths);
    const missing = ledger === null ? 'commits' : await copyCommit(copying, paths, names, ledger);
    if (ledger !== null && missing === null) {
      for (const table of LAKE_TABLE_NAMES) await copyIfThere(copying, `lake/${paths.emptyFile(table)}`);
      return ledger.number;
    }
    if (tries >= MOST_TRIES)
      throw new KnownError(`lake/${missing ?? ''} is missing, so no backup was made. Run npm run doctor, which names the remedy.`);
    await copying.wait(MS_BETWEEN_TRIES);
  }
}

type WholeLedger = Ledger & { readonly files: Holding };

/** Null if a record was removed while it was read. Throws a KnownError if the records do not give the content of the lake. */
async function ledgerOf(paths: LakePaths): Promise<WholeLedger | null> {
  const ledger = await ifThere(openLedger(paths));
  if (ledger === null) return null;
  const { files, gap } = ledger;
  if (files !== null && gap === null) return { ...ledger, files };
  throw new KnownError(
    'The records of the lake do not list all of its files, so a copy could not be checked. Run npm run nightly, then back up again.',
  );
}

/** Resolves with the missing file; with null if the whole commit was copied and the backup has nothing else. */
async function copyCommit(copying: Copying, paths: LakePaths, names: readonly string[], ledger: WholeLedger): Promise<string | null> {
  const missing = await copyHolding(copying, paths.staging, ledger.files, ledger.newest?.record ?? null);
  if (missing !== null) return missing;
  if (!(await copyRecords(copying, names, ledger.since, ledger.number))) return 'commits';
  for (const path of copying.files.keys())
    if (/^lake\/[^/]+\/source_id=/.test(path) && !ledger.files.has(path.slice('lake/'.length))) await drop(copying, path);
  return null;
}

/** Resolves with the first missing file, null if all were copied. Some files of the newest commit may not be in their place yet. */
async function copyHolding(copying: Copying, staging: string, holding: Holding, newest: CommitRecord | null): Promise<string | null> {
  for (const { path, bytes, sha256 } of holding.values()) {
    const name = `lake/${path}`;
    if (copying.files.has(name)) continue;
    const staged = newest?.files.find((file) => file.path === path)?.staged;
    const copied =
      (await copyIfThere(copying, name)) ??
      (staged === undefined ? null : await ifThere(copy(copying, name, false, join(staging, staged)))) ??
      (await copyIfThere(copying, name));
    if (copied === null) return path;
    if (copied.bytes !== bytes || copied.sha256 !== sha256) refuseDamage(copying, name);
  }
  return null;
}

/** The records of the copied commits, without later ones. False if one of them was removed meanwhile. */
async function copyRecords(copying: Copying, names: readonly string[], since: number, last: number): Promise<boolean> {
  for (const name of names) {
    const number = Number(name.slice(0, 8));
    if (number > last || copying.files.has(`lake/commits/${name}`)) continue;
    const copied = await copyIfThere(copying, `lake/commits/${name}`);
    if (copied === null && number >= since) return false;
  }
  return true;
}

/** Descriptions first, because their bytes were there before them. Partial downloads do not belong to the archive. */
async function copyArchive(copying: Copying): Promise<void> {
  const raw = join(copying.dataDir, 'raw');
  for (const part of ['payloads', 'collections', 'objects']) {
    const folder = join(raw, part);
    if ((await namesIn(folder)).length === 0) continue;
    for (const path of await listFiles(folder)) await copyIfThere(copying, `raw/${part}/${path}`);
  }
}
