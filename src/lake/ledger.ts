// What the lake holds, file by file with its SHA-256, as its commit records say: a Parquet file does not protect its values, so none is read that is
// not the one that was written. A record carries its own hash and that of the record before it; some carry the whole list, so that older ones may go.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { namesIn } from '../disk/if-there.ts';
import type { LakePaths } from './layout.ts';

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const LakeFile = z.strictObject({ path: z.string(), sha256: Sha256, bytes: z.int(), rows: z.int() });
export type LakeFile = z.infer<typeof LakeFile>;

export const CommitRecord = z.strictObject({
  number: z.int(),
  sourceId: z.string(),
  createdAt: z.iso.datetime(),
  lastChangeSequence: z.int(),
  /** Hash and size are missing in records of versions that did not keep them. */
  files: z.array(
    z.strictObject({ path: z.string(), staged: z.string(), rows: z.int(), sha256: Sha256.optional(), bytes: z.int().optional() }),
  ),
  removes: z.array(z.string()),
  /** Hash of the record before; null where that has none. */
  previous: Sha256.nullable().optional(),
  /** Every file that the lake held before this commit. */
  standing: z.array(LakeFile).optional(),
});
export type CommitRecord = z.infer<typeof CommitRecord>;

/** What stands in the lake cannot be trusted and cannot be made again from what there is; the message says what to do. */
export class LakeDamageError extends Error {
  override readonly name = 'LakeDamageError';
}

export interface SealedRecord {
  readonly record: CommitRecord;
  /** Null of records of versions that did not keep it. */
  readonly sha256: string | null;
}

const SEAL = /^(?<body>.*),"sha256":"(?<sha256>[0-9a-f]{64})"\}$/s;

/** A record as text, its own hash last. */
export function sealed(record: CommitRecord): { readonly text: string; readonly sha256: string } {
  const body = JSON.stringify(record);
  const sha256 = sha256Of(body);
  return { text: `${body.slice(0, -1)},"sha256":"${sha256}"}`, sha256 };
}

/** Throws a LakeDamageError where the text is not the one that was written. */
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
  /** The newest record; null where there is none, or it cannot be read and is not needed. */
  readonly newest: SealedRecord | null;
  /** By path; null where no record says so: a lake of a version that kept no hashes. */
  readonly files: Holding | null;
  /** Number of the record from which on the list was put together; older ones are needed no more. */
  readonly since: number;
  /** Why the records alone do not tell what the lake holds; null where they do. */
  readonly gap: LakeDamageError | null;
}

/** What the lake held after a commit, as another file than its records says. */
export interface KnownHolding {
  readonly number: number;
  readonly lastChangeSequence: number;
  readonly files: Holding;
}

/**
 * @param known stands for records that are gone or damaged, where it is as new as they are
 * Throws a LakeDamageError where a record that is needed is not there, or not as it was written.
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

/** What the records after one say, from the list on which they build: that of one of them, or the one given. */
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

/** Back from the newest to the first that carries the whole list, or that kept no hashes; each must follow the one before it. */
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

/** What is held after a commit; every file of it has its hash. */
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
