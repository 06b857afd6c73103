// Checks the files of the lake against its records. A file that was read in full within the day and is untouched since is not
// read again; `lake/verified.json` lists those. You may delete that file at any time.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { openWriter, SMALL, quote } from '../db/connect.ts';
import { readSealed, sha256OfFile, writeSealed } from '../disk/durable.ts';
import { ifThere, namesIn } from '../disk/if-there.ts';
import { fileState } from '../disk/own-file.ts';
import { type Holding, type KnownHolding, LakeDamageError, LakeFile, type Ledger, readLedger } from './ledger.ts';
import { LAKE_TABLE_NAMES, type LakePaths, type LakeTable, lakePaths } from './layout.ts';

/** A run at the same hour of the next day reads every file again. */
const TRUSTED_MS = 20 * 60 * 60 * 1000;

const Verified = LakeFile.extend({ state: z.string(), verifiedAt: z.int() });
const VerifiedFiles = z.strictObject({ number: z.int(), lastChangeSequence: z.int(), files: z.array(Verified) });
type Verified = z.infer<typeof Verified>;
type VerifiedFiles = z.infer<typeof VerifiedFiles>;

export interface Damage {
  readonly path: string;
  readonly problem: 'missing' | 'changed' | 'unrecorded';
  /** The file's entry in the records; null if they do not name it. */
  readonly file: LakeFile | null;
}

export interface Verification {
  readonly damages: readonly Damage[];
  readonly files: number;
  /** Bytes read for the check. */
  readonly bytesRead: number;
}

export interface VerifyOptions {
  readonly now: number;
  /** Reads every file, even if it was read recently. */
  readonly isWhole?: boolean;
  /** False: writes nothing. */
  readonly isNoted?: boolean;
}

/** Compares the files of a lake with its records. Throws a LakeDamageError if the records themselves are damaged. */
export async function verifyLake(root: string, options: VerifyOptions): Promise<Verification> {
  const paths = lakePaths(root);
  const stored = await readVerified(paths);
  const { number, lastChangeSequence, ...ledger } = await readLedger(paths, stored === null ? null : holdingOf(stored));
  const files = ledger.files ?? (await adopt(paths));
  const { verified, damages, bytesRead } = await holdAgainst(root, files, stored?.files ?? [], options);
  for (const path of await filesOf(paths)) if (!files.has(path)) damages.push({ path, problem: 'unrecorded', file: null });
  // A new list without the damaged files would look like that of an intact lake.
  const isNews = bytesRead > 0 || stored?.number !== number;
  if (options.isNoted !== false && damages.length === 0 && number > 0 && isNews)
    await writeVerified(paths, { number, lastChangeSequence, files: verified });
  return { damages, files: files.size, bytesRead };
}

async function holdAgainst(root: string, files: Holding, known: readonly Verified[], { now, isWhole = false }: VerifyOptions) {
  const stamps = new Map(isWhole ? [] : known.map((one) => [one.path, one]));
  const damages: Damage[] = [];
  const verified: Verified[] = [];
  let bytesRead = 0;
  for (const file of [...files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const path = join(root, file.path);
    const stamp = stamps.get(file.path);
    const state = fileState(path);
    if (stamp !== undefined && isTrusted(stamp, file, state, now)) {
      verified.push(stamp);
      continue;
    }
    const problem = await problemOf(path, file);
    bytesRead += file.bytes;
    if (problem === null) verified.push({ ...file, state, verifiedAt: now });
    else damages.push({ path: file.path, problem, file });
  }
  return { damages, verified, bytesRead };
}

function isTrusted(stamp: Verified, file: LakeFile, state: string, now: number): boolean {
  return stamp.state === state && stamp.sha256 === file.sha256 && now >= stamp.verifiedAt && now - stamp.verifiedAt < TRUSTED_MS;
}

async function problemOf(path: string, { bytes, sha256 }: LakeFile): Promise<'missing' | 'changed' | null> {
  const found = await ifThere(stat(path));
  if (found === null) return 'missing';
  return found.size === bytes && (await sha256OfFile(path)) === sha256 ? null : 'changed';
}

/** Throws a LakeDamageError that names each changed file of the lake. */
export async function refuseDamage(root: string, options: VerifyOptions): Promise<void> {
  const { damages } = await verifyLake(root, options);
  if (damages.length > 0) throw new LakeDamageError(damages.map(textOf).join('\n'));
}

function textOf(damage: Damage): string {
  const { problem, remedy } = damageText(damage);
  return `lake/${damage.path} ${problem}. ${remedy}`;
}

/** The damage of a file, and the remedy. */
export function damageText({ problem }: Pick<Damage, 'problem'>): { readonly problem: string; readonly remedy: string } {
  if (problem === 'unrecorded')
    return { problem: 'is in no commit of the lake', remedy: 'Move the file out of the lake. None of its rows were published.' };
  const what = problem === 'missing' ? 'is missing' : 'no longer has its hash';
  return { problem: what, remedy: 'Run npm run nightly, which rebuilds the file from the raw archive.' };
}

export const strangerText = (path: string): string => textOf({ path, problem: 'unrecorded', file: null });

/** The entries of the records, or of the list of verified files if the records do not reach back that far. */
export async function openLedger(paths: LakePaths): Promise<Ledger> {
  const stored = await readVerified(paths);
  return readLedger(paths, stored === null ? null : holdingOf(stored));
}

function holdingOf({ number, lastChangeSequence, files }: VerifiedFiles): KnownHolding {
  const held = files.map(({ path, sha256, bytes, rows }) => [path, { path, sha256, bytes, rows }] as const);
  return { number, lastChangeSequence, files: new Map(held) };
}

/** The files of a lake without hashes, accepted as they are because nothing records their original content. */
export async function adopt(paths: LakePaths): Promise<Holding> {
  const found = await filesOf(paths);
  if (found.length === 0) return new Map();
  const engine = await openWriter(SMALL);
  try {
    const list = found.map((path) => quote(join(paths.root, path))).join(', ');
    const counted = await engine.connection.runAndReadAll(`select file_name, num_rows from parquet_file_metadata([${list}])`);
    const rows = new Map(counted.getRows().map(([name, number]) => [String(name), Number(number)]));
    const files = new Map<string, LakeFile>();
    for (const path of found) {
      const full = join(paths.root, path);
      files.set(path, { path, sha256: await sha256OfFile(full), bytes: (await stat(full)).size, rows: rows.get(full) ?? 0 });
    }
    return files;
  } finally {
    engine.close();
  }
}

/** Every file that a reader of the lake's tables would find, except the empty ones that keep the schema. */
async function filesOf(paths: LakePaths): Promise<string[]> {
  const found: string[] = [];
  for (const table of LAKE_TABLE_NAMES) {
    for (const partition of await namesIn(join(paths.root, table))) {
      const names = await namesIn(join(paths.root, table, partition));
      found.push(...names.filter((name) => name.endsWith('.parquet')).map((name) => `${table}/${partition}/${name}`));
    }
  }
  const empty = new Set(LAKE_TABLE_NAMES.map((table: LakeTable) => paths.emptyFile(table)));
  return found.filter((path) => !empty.has(path)).toSorted();
}

/** Null if it is missing or has changed since it was written. */
async function readVerified(paths: LakePaths): Promise<VerifiedFiles | null> {
  const body = await readSealed(paths.verified);
  if (body === null) return null;
  return VerifiedFiles.safeParse(JSON.parse(body)).data ?? null;
}

async function writeVerified(paths: LakePaths, verified: VerifiedFiles): Promise<void> {
  await writeSealed(paths.verified, JSON.stringify(verified));
}
