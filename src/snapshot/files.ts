// The files of a snapshot: written beside, named by their content, described for the manifest.
import { existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { quote } from '../db/connect.ts';
import { relationName } from '../db/layers.ts';
import { toText, toValue } from '../db/rows.ts';
import { renameDurably, sha256OfFile, syncPath } from '../disk/durable.ts';
import { ifThere } from '../disk/if-there.ts';
import type { Resource } from '../model/manifest.ts';
import { SnapshotDamageError, type SnapshotPaths } from './manifest.ts';

export interface WrittenFile {
  readonly resource: Resource;
  readonly isNew: boolean;
}

export async function writeTable(connection: DuckDBConnection, paths: SnapshotPaths, name: string): Promise<WrittenFile> {
  return writeFile(connection, paths, { name, select: `from ${relationName(`published/${name}`)}`, partition: {}, rights: {} });
}

export async function writeFile(
  connection: DuckDBConnection,
  paths: SnapshotPaths,
  file: {
    readonly name: string;
    readonly select: string;
    readonly partition: Record<string, string | number>;
    readonly rights: Record<string, unknown>;
  },
): Promise<WrittenFile> {
  const staged = join(paths.staging, `${file.name}.parquet`);
  const copied = await connection.runAndReadAll(
    `copy (${file.select}) to ${quote(staged)} (format parquet, compression zstd, row_group_size 65536)`,
  );
  const rowCount = Number(copied.getRows()[0]?.[0]);
  const sha256 = await sha256OfFile(staged);
  const name = `${file.name}-${sha256.slice(0, 32)}.parquet`;
  const path = join(paths.files, name);
  const { bounds, fields } = await measure(connection, staged);
  const bytes = (await stat(staged)).size;
  // A file that is there and damaged is written anew: its name says what it must hold.
  const isNew = !existsSync(path) || (await sha256OfFile(path)) !== sha256;
  if (isNew) {
    await syncPath(staged);
    await renameDurably(staged, path);
  } else await rm(staged);
  const resource: Resource = {
    name: file.name,
    path: `files/${name}`,
    format: 'parquet',
    mediatype: 'application/vnd.apache.parquet',
    bytes,
    hash: `sha256:${sha256}`,
    schema: { fields },
    partition: file.partition,
    rowCount,
    ...bounds,
    rights: file.rights,
  };
  return { resource, isNew };
}

/**
 * Every file is there, with its size and SHA-256: Parquet itself does not protect values. Throws otherwise, with the remedy.
 * @param owner what the files belong to, for the message
 */
export async function verifyFiles(paths: SnapshotPaths, resources: readonly Resource[], owner: string): Promise<void> {
  for (const resource of resources) {
    const path = join(paths.root, resource.path);
    const found = await ifThere(stat(path));
    if (found === null) throw new SnapshotDamageError(`${owner}: ${resource.path} is missing. Run: npm run nightly.`);
    if (found.size !== resource.bytes || `sha256:${await sha256OfFile(path)}` !== resource.hash) {
      throw new SnapshotDamageError(`${owner}: ${resource.path} no longer has its hash. Run: npm run nightly.`);
    }
  }
}

type Bounds = Pick<Resource, 'minPeriodEnd' | 'maxPeriodEnd' | 'minObservedAt' | 'maxObservedAt'>;

async function measure(connection: DuckDBConnection, path: string): Promise<{ bounds: Bounds; fields: Resource['schema']['fields'] }> {
  const described = await connection.runAndReadAll(`describe select * from read_parquet(${quote(path)})`);
  const fields = described.getRows().map(([name, type]) => ({ name: String(name), type: String(type).toLowerCase(), unit: null }));
  return { bounds: await boundsOf(connection, path, new Set(fields.map(({ name }) => name))), fields };
}

async function boundsOf(connection: DuckDBConnection, path: string, columns: ReadonlySet<string>): Promise<Bounds> {
  const extremes = (name: string, expression: string) =>
    columns.has(name) ? [`min(${expression})`, `max(${expression})`] : ['null', 'null'];
  const asked = [...extremes('period_end', 'period_end::date'), ...extremes('observed_at', 'observed_at')];
  const hasBounds = columns.has('period_end') || columns.has('observed_at');
  const result = hasBounds ? await connection.runAndReadAll(`select ${asked.join(', ')} from read_parquet(${quote(path)})`) : null;
  const [minPeriodEnd, maxPeriodEnd, minObservedAt, maxObservedAt] = (result?.getRows()[0] ?? [])
    .map(toValue)
    .map((value) => (value === null ? null : toText(value)));
  return {
    minPeriodEnd: minPeriodEnd ?? null,
    maxPeriodEnd: maxPeriodEnd ?? null,
    minObservedAt: minObservedAt ?? null,
    maxObservedAt: maxObservedAt ?? null,
  };
}
