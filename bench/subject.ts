// Shared by all measurements: the generated snapshot, opened like in the server, and plain DuckDB on the same files.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { quote } from '../src/db/connect.ts';
import type { Manifest } from '../src/model/manifest.ts';
import { readCurrent } from '../src/snapshot/manifest.ts';
import { openSnapshot, type SnapshotReader } from '../src/snapshot/serving/reader.ts';
import { type Lake, limitsOf } from './generate.ts';

export const SERVER_MEMORY = '600MB';

export async function manifestOf(lake: Lake): Promise<Manifest> {
  const manifest = await readCurrent(lake.paths);
  if (manifest === null) throw new Error(`there is no snapshot in ${lake.dataDir}`);
  return manifest;
}

export async function openServed(lake: Lake, connections = 4): Promise<SnapshotReader> {
  const limits = limitsOf(lake.dataDir, SERVER_MEMORY);
  await mkdir(limits.tempDirectory, { recursive: true });
  return openSnapshot(lake.paths, await manifestOf(lake), { limits, connections });
}

export interface Plain {
  readonly connection: DuckDBConnection;
  readonly close: () => void;
}

/** DuckDB with the published tables as views on their files, and nothing else of the service. */
export async function openPlain(lake: Lake): Promise<Plain> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: SERVER_MEMORY });
  const connection = await instance.connect();
  await connection.run("set TimeZone = 'UTC'; set parquet_metadata_cache = true");
  for (const view of await viewsOf(lake)) await connection.run(view);
  return {
    connection,
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** The published tables as views on their files, for peers that read only the files. */
export async function viewsOf(lake: Lake): Promise<readonly string[]> {
  const manifest = await manifestOf(lake);
  return ['vintages', 'series'].map((name) => `create view ${name} as from read_parquet([${filesOf(lake, manifest, name)}])`);
}

export function filesOf(lake: Lake, manifest: Manifest, name: string): string {
  return manifest.resources
    .filter((resource) => resource.table === name)
    .map((resource) => quote(join(lake.paths.root, resource.path)))
    .join(', ');
}
