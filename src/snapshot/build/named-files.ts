// The current snapshot by name, for readers of its files. DATA_DIR/catalog.sql has views and macros with comments for DuckDB.
// snapshots/datapackage.json is the manifest, at the path that tools for Frictionless Data Packages expect. Each is replaced by a rename
// after the pointer. If a run ends in between, the next run writes them.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { quote } from '../../db/connect.ts';
import { parquetFiles } from '../../db/files.ts';
import { writeDurably } from '../../disk/durable.ts';
import type { Manifest, Resource } from '../../model/manifest.ts';
import type { SnapshotPaths } from '../manifest.ts';
import { macroStatements } from './catalog-macros.ts';

type Field = Resource['schema']['fields'][number];

export interface TableFiles {
  readonly table: string;
  readonly description: string;
  readonly rowCount: number;
  readonly bytes: number;
  /** Absolute paths. */
  readonly files: readonly string[];
  readonly fields: readonly Field[];
}

/** The tables of a snapshot, in the order of its manifest. */
export function tablesOf(paths: Pick<SnapshotPaths, 'root'>, manifest: Manifest): readonly TableFiles[] {
  return [...new Set(manifest.resources.map(({ table }) => table))].map((table) => {
    const parts = manifest.resources.filter((resource) => resource.table === table);
    return {
      table,
      description: parts[0]?.description ?? '',
      rowCount: parts.reduce((sum, part) => sum + part.rowCount, 0),
      bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
      files: parts.map(({ path }) => resolve(paths.root, path)),
      fields: parts[0]?.schema.fields ?? [],
    };
  });
}

/** Statements that create a view of each table and the named questions, with comments on all. */
export function catalogText(paths: Pick<SnapshotPaths, 'root'>, manifest: Manifest): string {
  const tables = tablesOf(paths, manifest).flatMap(({ table, description, files, fields }) => [
    `create or replace view ${table} as from ${parquetFiles(files)};`,
    `comment on view ${table} is ${quote(description)};`,
    ...fields.map((field) => `comment on column ${table}."${field.name}" is ${quote(commentOf(field))};`),
    '',
  ]);
  return [
    `-- The tables of snapshot ${manifest.snapshotId}, known up to ${manifest.knowledgeCutoff}, schema ${manifest.schemaVersion}.`,
    '-- Rewritten whenever a snapshot is published: do not edit. Open it with: duckdb -init catalog.sql',
    "set TimeZone = 'UTC';",
    '',
    ...tables,
    ...macroStatements(tablesOf(paths, manifest).map(({ table }) => table)),
  ].join('\n');
}

function commentOf({ description, unit }: Field): string {
  return unit === null ? description : `${description} Unit: ${unit}.`;
}

interface CatalogFile {
  readonly path: string;
  readonly text: string;
}

function catalogFiles(paths: SnapshotPaths, manifest: Manifest): readonly CatalogFile[] {
  return [
    { path: paths.dataPackage, text: `${JSON.stringify(manifest, null, 1)}\n` },
    { path: paths.catalog, text: catalogText(paths, manifest) },
  ];
}

/** Writes the files that differ from this snapshot. */
export async function writeCatalog(paths: SnapshotPaths, manifest: Manifest): Promise<void> {
  for (const { path, text } of await outdatedCatalog(paths, manifest)) await writeDurably(path, text);
}

/** The files that are missing or differ from this snapshot. */
export async function outdatedCatalog(paths: SnapshotPaths, manifest: Manifest): Promise<readonly CatalogFile[]> {
  const found: CatalogFile[] = [];
  for (const file of catalogFiles(paths, manifest)) {
    if ((await readFile(file.path, 'utf8').catch(() => null)) !== file.text) found.push(file);
  }
  return found;
}
