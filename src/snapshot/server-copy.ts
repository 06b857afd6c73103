// A second copy of a snapshot for servers: a DuckDB file whose blocks have checksums. Parquet stays the truth; a snapshot without this copy
// is served from Parquet. Reading one series of ten million vintages takes 2 ms here and 15 ms there; a screen over all takes a tenth of
// the time (bench/layout.ts). The engine loads pages on demand, so memory does not grow with the lake.
import { existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { ifThere, namesIn } from '../disk/if-there.ts';
import { readSealed, writeSealed } from '../disk/durable.ts';
import { codeOf } from '../disk/own-file.ts';
import type { SnapshotPaths } from './manifest.ts';
import { type IsStamped, stampsFile, UNSTAMPED } from './stamps.ts';
import { type HashAll, hashOneByOne } from './verify-files.ts';

/** Copies of older snapshots are deleted first. Only open cursors read them, and they fall back to the Parquet files. */
export const COPIES_KEPT = 2;

export function servedFile(paths: SnapshotPaths, snapshotId: string): string {
  return join(paths.served, `${snapshotId}.duckdb`);
}

/** The vintages by series, for reads of one series; see packs.ts. */
export function packsFile(paths: SnapshotPaths, snapshotId: string): string {
  return join(paths.served, `${snapshotId}.packs`);
}

/** Size and SHA-256 of both copies. A copy that differs is not read. */
export function sealFile(paths: SnapshotPaths, snapshotId: string): string {
  return join(paths.served, `${snapshotId}.json`);
}

const Sealed = z.strictObject({ bytes: z.int(), sha256: z.string() });
/** The seal of both copies of a snapshot. */
export const CopySeal = z.strictObject({ database: Sealed, packs: Sealed });
export type CopySeal = Readonly<z.infer<typeof CopySeal>>;

export interface Copies {
  readonly isDatabaseWhole: boolean;
  readonly arePacksWhole: boolean;
  /** The damage found. Null if both copies are intact, or if the snapshot has none. */
  readonly problem: string | null;
}

/** Reads both copies of a snapshot in full, except stamped ones. Never rejects: a snapshot is complete without copies. */
export async function verifyCopies(
  paths: SnapshotPaths,
  snapshotId: string,
  isStamped: IsStamped = UNSTAMPED,
  hashAll: HashAll = hashOneByOne,
): Promise<Copies> {
  const isIntact = async (path: string, sha256: string) => isStamped(path, sha256) || (await hashAll([path]))[0] === sha256;
  return readCopies(paths, snapshotId, isIntact).catch((error: unknown) => ({
    isDatabaseWhole: false,
    arePacksWhole: false,
    problem: `The copy of snapshot ${snapshotId} for servers cannot be read (${codeOf(error) ?? String(error)}), so its Parquet files answer, more slowly. Run: npm run doctor.`,
  }));
}

type IsIntact = (path: string, sha256: string) => Promise<boolean>;

async function readCopies(paths: SnapshotPaths, snapshotId: string, isIntact: IsIntact): Promise<Copies> {
  const [file, packs] = [servedFile(paths, snapshotId), packsFile(paths, snapshotId)];
  const seal = await readCopySeal(paths, snapshotId);
  const isDatabaseWhole = seal !== null && (await isAsSealed(file, seal.database, isIntact));
  const arePacksWhole = seal !== null && (await isAsSealed(packs, seal.packs, isIntact));
  const isThere = seal !== null || existsSync(file) || existsSync(packs);
  const damaged = [isDatabaseWhole ? [] : [file], arePacksWhole ? [] : [packs]].flat().map((path) => `served/${basename(path)}`);
  const problem =
    damaged.length === 0 || !isThere
      ? null
      : `The copy of snapshot ${snapshotId} for servers is damaged (${damaged.join(', ')}), so its Parquet files answer, more slowly. Run: npm run nightly.`;
  return { isDatabaseWhole, arePacksWhole, problem };
}

/** Null if there are no copies, or if the seal is damaged. */
export async function readCopySeal(paths: SnapshotPaths, snapshotId: string): Promise<CopySeal | null> {
  const body = await readSealed(sealFile(paths, snapshotId));
  return body === null ? null : (CopySeal.safeParse(JSON.parse(body)).data ?? null);
}

/** Both copies by their seal. Empty if there is no seal. */
export async function sealedCopies(paths: SnapshotPaths, snapshotId: string) {
  const seal = await readCopySeal(paths, snapshotId);
  return seal === null ? [] : copiesOf(paths, snapshotId, seal);
}

/** Both copies by their seal. */
export function copiesOf(paths: SnapshotPaths, snapshotId: string, seal: CopySeal) {
  const copy = (path: string, sealed: z.infer<typeof Sealed>) => ({ path, name: `served/${basename(path)}`, ...sealed });
  return [copy(servedFile(paths, snapshotId), seal.database), copy(packsFile(paths, snapshotId), seal.packs)];
}

async function isAsSealed(path: string, { bytes, sha256 }: z.infer<typeof Sealed>, isIntact: IsIntact): Promise<boolean> {
  const found = await ifThere(stat(path));
  return found?.size === bytes && (await isIntact(path, sha256));
}

/** Writes the seal: both copies are there and have this content. */
export async function sealCopies(paths: SnapshotPaths, snapshotId: string, seal: CopySeal): Promise<void> {
  await writeSealed(sealFile(paths, snapshotId), JSON.stringify(seal));
}

/** @param kept snapshots that stay readable, the current one first */
export async function removeServed(paths: SnapshotPaths, kept: readonly string[]): Promise<void> {
  const found = await namesIn(paths.served);
  const names = new Set(
    kept.slice(0, COPIES_KEPT).flatMap((id) => [`${id}.duckdb`, `${id}.packs`, `${id}.json`, basename(stampsFile(paths, id))]),
  );
  for (const name of found) if (!names.has(name)) await removeCopy(join(paths.served, name));
}

export async function removeCopy(file: string): Promise<void> {
  await rm(file, { force: true });
  await rm(`${file}.wal`, { force: true });
}
