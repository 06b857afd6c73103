// The vintages of a snapshot once more, as a DuckDB file: what a server reads. Parquet stays the truth, and a snapshot without this copy is
// served from it. One series out of ten million vintages takes 2 ms here and 15 ms there, a screen over all of them a tenth (bench/layout.ts);
// pages come in as they are needed, so memory does not grow with the lake.
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quote } from '../db/connect.ts';
import { renameDurably, syncPath } from '../disk/durable.ts';
import type { SnapshotPaths } from './manifest.ts';

/** Copies of older snapshots go first: only cursors that still walk them read those, and they find the Parquet files. */
const COPIES_KEPT = 2;

export function servedFile(paths: SnapshotPaths, snapshotId: string): string {
  return join(paths.served, `${snapshotId}.duckdb`);
}

/**
 * Copies published.vintages as they are read in the engine, file by file in their order; nothing to do when the copy is there. Resolves with
 * what hindered it: a snapshot is whole without it.
 */
export async function writeServed(connection: DuckDBConnection, paths: SnapshotPaths, snapshotId: string): Promise<readonly string[]> {
  const file = servedFile(paths, snapshotId);
  if (existsSync(file)) return [];
  try {
    await copyTo(connection, paths, file);
    return [];
  } catch (error) {
    await removeCopy(`${file}.partial`).catch(() => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    return [
      `The copy for servers could not be written, so they read Parquet, which is slower: ${reason} Make room on the disk; the next run tries again.`,
    ];
  }
}

async function copyTo(connection: DuckDBConnection, paths: SnapshotPaths, file: string): Promise<void> {
  const partial = `${file}.partial`;
  await mkdir(paths.served, { recursive: true });
  await removeCopy(partial);
  await connection.run(`attach ${quote(partial)} as served`);
  await connection.run('create table served.vintages as from published.vintages');
  await connection.run('detach served');
  await syncPath(partial);
  await renameDurably(partial, file);
}

/** @param kept snapshots that stay readable, the current one first */
export async function removeServed(paths: SnapshotPaths, kept: readonly string[]): Promise<void> {
  const found = await readdir(paths.served).catch(() => []);
  const names = new Set(kept.slice(0, COPIES_KEPT).map((id) => `${id}.duckdb`));
  for (const name of found) if (!names.has(name)) await removeCopy(join(paths.served, name));
}

async function removeCopy(file: string): Promise<void> {
  await rm(file, { force: true });
  await rm(`${file}.wal`, { force: true });
}
