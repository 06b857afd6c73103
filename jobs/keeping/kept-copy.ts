// Copies and hashes a file in one pass, and reads the list of a backup: its files with their hashes, next to its own hash.
import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { piecesOf, sha256OfFile, writeDurably, writeHashed } from '../../src/disk/durable.ts';
import { ifThere } from '../../src/disk/if-there.ts';
import { KnownError } from '../../src/known-error.ts';

const BACKUP_LIST = 'backup.json';
const LIST_SEAL = 'backup.sha256';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** Below the folder, without a path out of it. */
const BackedPath = z.string().regex(/^(?!\.)[^\\/]+(?:\/(?!\.\.?(?:\/|$))[^\\/]+)*$/);

const BackedFile = z.strictObject({ path: BackedPath, bytes: z.int(), sha256: Sha256, isPrivate: z.boolean() });
export type BackedFile = z.infer<typeof BackedFile>;

const BackupList = z.strictObject({
  form: z.literal(1),
  createdAt: z.iso.datetime(),
  version: z.string(),
  /** Null if nothing was published. */
  snapshotId: z.string().nullable(),
  /** The last included commit of the lake; 0 for an empty lake. */
  lakeCommit: z.int(),
  files: z.array(BackedFile),
});
export type BackupList = z.infer<typeof BackupList>;

/** An interrupted copy removes its files at once, because a signal does not wait. */
export function emptyFolder(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** Copies a file durably and returns its size and hash. Only the owner can read the copy of a private file. */
export async function copyHashed(
  from: string,
  to: string,
  isPrivate: boolean,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  await mkdir(dirname(to), { recursive: true });
  return writeHashed(piecesOf(from), to, isPrivate ? 0o600 : 0o644);
}

/** Written last: a folder without it is not a backup. */
export async function writeList(folder: string, list: BackupList): Promise<void> {
  const text = `${JSON.stringify(list, null, 1)}\n`;
  await writeDurably(join(folder, LIST_SEAL), `${createHash('sha256').update(text).digest('hex')}  ${BACKUP_LIST}\n`, 0o600);
  await writeDurably(join(folder, BACKUP_LIST), text, 0o600);
}

/** Throws a KnownError if it is missing or has changed since it was written. */
export async function readList(folder: string): Promise<BackupList> {
  const text = await ifThere(readFile(join(folder, BACKUP_LIST), 'utf8'));
  if (text === null)
    throw new KnownError(
      `${folder} has no finished backup: ${BACKUP_LIST}, which is written last, is missing. Choose the folder of a finished backup.`,
    );
  const seal = await ifThere(readFile(join(folder, LIST_SEAL), 'utf8'));
  if (seal === null) throw new KnownError(`${join(folder, LIST_SEAL)} is missing. Nothing was restored; use another backup.`);
  const isAsWritten = seal.split(/\s/)[0] === createHash('sha256').update(text).digest('hex');
  const parsed = isAsWritten ? BackupList.safeParse(JSON.parse(text)) : null;
  if (parsed?.success !== true) throw new KnownError(`${join(folder, BACKUP_LIST)} is damaged. Nothing was restored; use another backup.`);
  return parsed.data;
}

/** The difference between a file of a backup and its entry in the list; null if there is none. */
export async function problemOf(folder: string, { path, bytes, sha256 }: BackedFile): Promise<string | null> {
  const found = await ifThere(stat(join(folder, path)));
  if (found === null) return 'is missing';
  if (!found.isFile()) return 'is not a file';
  if (found.size !== bytes) return `has ${found.size} bytes instead of ${bytes}`;
  return (await sha256OfFile(join(folder, path))) === sha256 ? null : 'no longer has its hash';
}
