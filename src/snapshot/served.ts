// A second copy of a snapshot for servers: a DuckDB file whose blocks have checksums. Parquet stays the truth; a snapshot without this copy
// is served from Parquet. Reading one series of ten million vintages takes 2 ms here and 15 ms there; a screen over all takes a tenth of
// the time (bench/layout.ts). The engine loads pages on demand, so memory does not grow with the lake.
import { existsSync } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import { quote } from '../db/connect.ts';
import { diskErrorOf } from '../disk/disk-error.ts';
import { ifThere, namesIn } from '../disk/if-there.ts';
import { readSealed, renameDurably, sha256OfFile, syncPath, writeSealed } from '../disk/durable.ts';
import { codeOf, fileState } from '../disk/own-file.ts';
import type { SnapshotPaths } from './manifest.ts';
import { writePacks } from './packs.ts';
import { SERVED } from './relations.ts';
import { type IsStamped, stamp, stampsFile, UNSTAMPED } from './stamps.ts';

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
export async function verifyCopies(paths: SnapshotPaths, snapshotId: string, isStamped: IsStamped = UNSTAMPED): Promise<Copies> {
  return readCopies(paths, snapshotId, isStamped).catch((error: unknown) => ({
    isDatabaseWhole: false,
    arePacksWhole: false,
    problem: `The copy of snapshot ${snapshotId} for servers cannot be read (${codeOf(error) ?? String(error)}), so its Parquet files answer, more slowly. Run: npm run doctor.`,
  }));
}

async function readCopies(paths: SnapshotPaths, snapshotId: string, isStamped: IsStamped): Promise<Copies> {
  const [file, packs] = [servedFile(paths, snapshotId), packsFile(paths, snapshotId)];
  const seal = await readCopySeal(paths, snapshotId);
  const isDatabaseWhole = seal !== null && (await isAsSealed(file, seal.database, isStamped));
  const arePacksWhole = seal !== null && (await isAsSealed(packs, seal.packs, isStamped));
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

async function isAsSealed(path: string, { bytes, sha256 }: z.infer<typeof Sealed>, isStamped: IsStamped): Promise<boolean> {
  const found = await ifThere(stat(path));
  return found?.size === bytes && (isStamped(path, sha256) || (await sha256OfFile(path)) === sha256);
}

/**
 * Copies the relations of SERVED from the engine. Does nothing if the copies are there and intact.
 * Resolves with the problems it met: a snapshot is complete without copies.
 */
export async function writeServed(connection: DuckDBConnection, paths: SnapshotPaths, snapshotId: string): Promise<readonly string[]> {
  const file = servedFile(paths, snapshotId);
  const packs = packsFile(paths, snapshotId);
  const { isDatabaseWhole, arePacksWhole } = await verifyCopies(paths, snapshotId);
  if (isDatabaseWhole && arePacksWhole) return [];
  try {
    await copyTo(connection, paths, file, packs);
    const states = [file, packs].map(fileState);
    const sealOf = async (path: string) => ({ bytes: (await stat(path)).size, sha256: await sha256OfFile(path) });
    const seal = { database: await sealOf(file), packs: await sealOf(packs) };
    await sealCopies(paths, snapshotId, seal);
    const stamped = copiesOf(paths, snapshotId, seal).map(({ path, sha256 }, at) => ({ path, sha256, state: states[at] ?? '' }));
    await stamp(paths, snapshotId, stamped);
    return [];
  } catch (error) {
    for (const partial of [`${file}.partial`, `${packs}.partial`]) await removeCopy(partial).catch(() => undefined);
    const reason = diskErrorOf(error)?.message ?? `${error instanceof Error ? error.message : String(error)} The next run tries again.`;
    return [`The copy for servers could not be written, so they read Parquet, more slowly: ${reason}`];
  }
}

/** Writes the seal: both copies are there and have this content. */
export async function sealCopies(paths: SnapshotPaths, snapshotId: string, seal: CopySeal): Promise<void> {
  await writeSealed(sealFile(paths, snapshotId), JSON.stringify(seal));
}

async function copyTo(connection: DuckDBConnection, paths: SnapshotPaths, file: string, packs: string): Promise<void> {
  const partial = `${file}.partial`;
  await mkdir(paths.served, { recursive: true });
  await removeCopy(partial);
  // A screen reads few rows in several places, so small groups let it skip more.
  await connection.run(`attach ${quote(partial)} as served (row_group_size 16384)`);
  for (const name of SERVED) await connection.run(`create table served.${name} as from published.${name}`);
  await writePacks(connection, 'served.vintages', packs);
  await connection.run('detach served');
  await syncPath(partial);
  await renameDurably(partial, file);
}

/** @param kept snapshots that stay readable, the current one first */
export async function removeServed(paths: SnapshotPaths, kept: readonly string[]): Promise<void> {
  const found = await namesIn(paths.served);
  const names = new Set(
    kept.slice(0, COPIES_KEPT).flatMap((id) => [`${id}.duckdb`, `${id}.packs`, `${id}.json`, basename(stampsFile(paths, id))]),
  );
  for (const name of found) if (!names.has(name)) await removeCopy(join(paths.served, name));
}

async function removeCopy(file: string): Promise<void> {
  await rm(file, { force: true });
  await rm(`${file}.wal`, { force: true });
}
