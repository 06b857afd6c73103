// The files of the lake with their SHA-256, from its commit records. A Parquet file does not protect its values, so the service reads none that
// has changed. A record has its own hash and that of the previous record; some have the whole list, so that older ones can be deleted.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { namesIn } from '../disk/if-there.ts';
import type { LakePaths } from './layout.ts';
import { KnownError } from '../known-error.ts';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const LakeFile = z.strictObject({ path: z.string(), sha256: Sha256, bytes: z.int(), rows: z.int() });
export type LakeFile = z.infer<typeof LakeFile>;

export const CommitRecord = z.strictObject({
  number: z.int(),
  sourceId: z.string(),
  createdAt: z.iso.datetime(),
  lastChangeSequence: z.int(),
  /** Hash and size are missing in records of earlier versions. */
  files: z.array(
    z.strictObject({ path: z.string(), staged: z.string(), rows: z.int(), sha256: Sha256.optional(), bytes: z.int().optional() }),
  ),
  removes: z.array(z.string()),
  /** Hash of the previous record; null if that has none. */
  previous: Sha256.nullable().optional(),
  /** Every file in the lake before this commit. */
  standing: z.array(LakeFile).optional(),
});
export type CommitRecord = z.infer<typeof CommitRecord>;

/** The lake is damaged and cannot be rebuilt from the existing files; the message names the remedy. */
export class LakeDamageError extends KnownError {}

export interface SealedRecord {
  readonly record: CommitRecord;
  /** Null in records of earlier versions. */
  readonly sha256: string | null;
}

const SEAL = /^(?<body>.*),"sha256":"(?<sha256>[0-9a-f]{64})"\}$/s;

/** A record as text, with its own hash last. */
export function sealed(record: CommitRecord): { readonly text: string; readonly sha256: string } {
  const body = JSON.stringify(record);
  const sha256 = sha256Of(body);
  return { text: `${body.slice(0, -1)},"sha256":"${sha256}"}`, sha256 };
}

/** Throws a LakeDamageError if the text has changed since it was written. */
function unseal(text: string, name: string): SealedRecord {
  const found = SEAL.exec(text.trimEnd())?.groups;
  const body = found === undefined ? text : `${found['body']}}`;
  const sha256 = found?.['sha256'] ?? null;
  const parsed = CommitRecord.safeParse(jsonOf(body));
  const isAsWritten = sha256 === null ? parsed.data?.previous === undefined : sha256 === sha256Of(body);
  if (!parsed.success || !isAsWritten) throw recordError(name, 'is damaged');
  return { record: parsed.data, sha256 };
}

function recordError(name: string, what: string): LakeDamageError {
  return new LakeDamageError(
    `lake/commits/${name} ${what}, so the content of the lake is uncertain. Restore lake/ from a backup. Without one, move lake/ out of ` +
      'DATA_DIR and run npm run nightly, which reads the raw archive again. Quarantine decisions and the history of attempts are lost.',
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

export type Holding = ReadonlyMap<string, LakeFile>;

export interface Ledger {
  /** Of the newest commit; 0 in a lake without any. */
  readonly number: number;
  readonly lastChangeSequence: number;
  /** The newest record; null if there is none, or if it is unreadable and not needed. */
  readonly newest: SealedRecord | null;
  /** By path; null if no record has it: a lake from a version without hashes. */
  readonly files: Holding | null;
  /** Number of the first record behind the list; older ones are no longer needed. */
  readonly since: number;
  /** The reason if the records alone do not give the content of the lake; null if they do. */
  readonly gap: LakeDamageError | null;
}

/** The content of the lake after a commit, from a file other than its records. */
export interface KnownHolding {
  readonly number: number;
  readonly lastChangeSequence: number;
  readonly files: Holding;
}

/**
 * Throws a LakeDamageError if a needed record is missing or has changed since it was written.
 * @param known replaces missing or damaged records if it is as new as they are
 */
export async function readLedger(paths: LakePaths, known: KnownHolding | null): Promise<Ledger> {
  const names = await recordNames(paths);
  const newest = numberOf(names.at(-1) ?? '');
  try {
    if (known !== null && known.number > newest) throw recordError(nameOf(known.number), 'is missing');
    const ledger = await readRecords(paths, names, 0);
    if (ledger.files !== null || known?.number !== newest) return ledger;
    return { ...ledger, files: known.files };
  } catch (error) {
    if (!(error instanceof LakeDamageError) || known === null) throw error;
    const later = await readRecords(paths, names, known.number, known.files);
    return {
      ...later,
      ...(known.number >= newest ? { number: known.number, lastChangeSequence: known.lastChangeSequence } : {}),
      gap: error,
    };
  }
}

/** Applies the records after one to a whole list: that of the record itself, or the given one. */
async function readRecords(paths: LakePaths, names: readonly string[], after: number, given: Holding | null = null): Promise<Ledger> {
  const needed = await neededRecords(
    paths,
    names.filter((name) => numberOf(name) > after),
  );
  const newest = needed.at(-1) ?? null;
  const first = needed[0];
  const since = first?.record.number ?? after;
  const told = { number: after, lastChangeSequence: 0, newest, since, gap: null };
  if (newest === null || first === undefined) return { ...told, files: given ?? new Map() };
  const { number, lastChangeSequence } = newest.record;
  const files = (): Holding => {
    if (first.record.standing !== undefined) return new Map(first.record.standing.map((file) => [file.path, file]));
    if (given !== null && since === after + 1) return given;
    throw recordError(nameOf(since - 1), 'is missing');
  };
  const isOld = given === null && newest.sha256 === null;
  const held = isOld ? null : needed.reduce<Holding>((before, { record }) => afterCommit(before, record), files());
  return { ...told, number, lastChangeSequence, files: held };
}

/** From the newest back to the first with the whole list, or without hashes; each must follow the previous one. */
async function neededRecords(paths: LakePaths, names: readonly string[]): Promise<readonly SealedRecord[]> {
  const needed: SealedRecord[] = [];
  for (const name of names.toReversed()) {
    const one = unseal(await readFile(join(paths.commits, name), 'utf8'), name);
    if (nameOf(one.record.number) !== name) throw recordError(name, 'is another record than its name says');
    const next = needed[0]?.record;
    if (next !== undefined && next.number !== one.record.number + 1) throw recordError(nameOf(next.number - 1), 'is missing');
    if (typeof next?.previous === 'string' && next.previous !== one.sha256)
      throw recordError(name, 'is not the record that the next one follows');
    needed.unshift(one);
    if (one.record.standing !== undefined || one.sha256 === null) break;
  }
  return needed;
}

const numberOf = (name: string): number => Number(name.slice(0, 8));

/** The files after a commit; each has its hash. */
export function afterCommit(before: Holding, record: CommitRecord): Holding {
  const files = new Map(before);
  for (const { path, rows, sha256, bytes } of record.files) {
    if (sha256 === undefined || bytes === undefined) throw recordError(nameOf(record.number), 'names a file without its hash');
    files.set(path, { path, sha256, bytes, rows });
  }
  for (const path of record.removes) files.delete(path);
  return files;
}

const nameOf = (number: number): string => `${String(number).padStart(8, '0')}.json`;

export async function recordNames(paths: LakePaths): Promise<readonly string[]> {
  return (await namesIn(paths.commits)).filter((name) => /^\d{8}\.json$/.test(name)).toSorted();
}
