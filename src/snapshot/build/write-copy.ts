// Writes the copy of a snapshot for servers: see server-copy.ts.
import { mkdir, stat } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quote } from '../../db/connect.ts';
import { renameDurably, sha256OfFile, syncPath } from '../../disk/durable.ts';
import { diskErrorOf } from '../../disk/disk-error.ts';
import { fileState } from '../../disk/own-file.ts';
import type { SnapshotPaths } from '../manifest.ts';
import { writePacks } from '../packs.ts';
import { copiesOf, packsFile, removeCopy, sealCopies, servedFile, verifyCopies } from '../server-copy.ts';
import { stamp } from '../stamps.ts';
import { SERVED } from './relations.ts';

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
