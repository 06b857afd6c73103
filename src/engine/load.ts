// Published files of a snapshot → tables of a cluster: loaded, compared with the files, then made visible all at once.
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type EngineLimits, openWriter } from '../db/connect.ts';
import { parquetFiles } from '../db/files.ts';
import { sqlText } from '../db/query.ts';
import { toValue, type Value } from '../db/rows.ts';
import type { Manifest } from '../model/manifest.ts';
import type { ClusterConnection } from './connection.ts';
import { allRows, dropTable, heldLoads, type Load, loadOf, noteLoad, TABLES, type TableName, tablesOf, tablesThere } from './loads.ts';
import { statementOf } from './wire.ts';
import { KnownError } from '../known-error.ts';

export interface LoadOptions {
  /** The files of the snapshot with their paths. */
  readonly pathOf: (resource: Manifest['resources'][number]) => string;
  /** The bytes of a file by its path, read on demand. */
  readonly read: (path: string) => AsyncIterable<Uint8Array>;
  /** How many snapshots the cluster keeps, the newest ones. */
  readonly keep: number;
  readonly now: () => number;
  /** From 0 to 1, so that two loaders never fill the same tables. */
  readonly random: () => number;
  /** For the sums over the files. */
  readonly limits: EngineLimits;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface LoadReport {
  readonly snapshotId: string;
  /** False if the cluster already had it. */
  readonly isNew: boolean;
  readonly rows: number;
  readonly bytes: number;
  readonly keptSnapshots: readonly string[];
}

/** The time limits for one file and for every other request of a load. */
const FILE = { seconds: 3600 };
const SHORT = { seconds: 60 };
/** Tables of an interrupted load: no load runs this long. */
const ABANDONED_SECONDS = 24 * 3600;

/** Throws a KnownError or the cluster's error; earlier loads stay. */
export async function loadSnapshot(cluster: ClusterConnection, manifest: Manifest, options: LoadOptions): Promise<LoadReport> {
  const { snapshotId } = manifest;
  const report = { snapshotId, isNew: false, rows: 0, bytes: 0 };
  if (loadOf(await heldLoads(cluster, SHORT), snapshotId) !== null)
    return { ...report, keptSnapshots: await clearUp(cluster, snapshotId, options) };
  const load: Load = { snapshotId, loadId: loadIdOf(options) };
  try {
    const filled = await fill(cluster, manifest, load, options);
    await compare(cluster, manifest, load, options);
    await noteLoad(cluster, load, { at: options.now(), isDropped: false }, SHORT);
    return { ...report, ...filled, isNew: true, keptSnapshots: await clearUp(cluster, snapshotId, options) };
  } catch (error) {
    // No load lists these tables; if the cluster is gone, the next load removes them.
    for (const table of Object.values(tablesOf(load))) await dropTable(cluster, table, SHORT).catch(() => undefined);
    throw error;
  }
}

function loadIdOf({ now, random }: LoadOptions): string {
  return `${now().toString(36)}${Math.floor(random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0')}`;
}

const resourcesOf = (manifest: Manifest, table: TableName) => manifest.resources.filter((one) => one.table === table);

/** Detects a missing or truncated file first, because during the transfer it would look like a failure of the cluster. */
async function refuseMissing(resources: Manifest['resources'], pathOf: LoadOptions['pathOf']): Promise<void> {
  for (const resource of resources) {
    const path = pathOf(resource);
    const found = await stat(path).catch((error: unknown) => error as NodeJS.ErrnoException);
    if ('size' in found && found.size === resource.bytes) continue;
    const what = 'size' in found ? `has ${found.size} bytes of ${resource.bytes}` : `cannot be read (${found.code ?? found.message})`;
    throw new KnownError(`${path} ${what}, so nothing is loaded. Run npm run doctor, which names the remedy.`);
  }
}

async function fill(
  cluster: ClusterConnection,
  manifest: Manifest,
  load: Load,
  { pathOf, read, onProgress }: LoadOptions,
): Promise<{ readonly rows: number; readonly bytes: number }> {
  const total = TABLES.reduce((sum, table) => sum + resourcesOf(manifest, table).length, 0);
  const done = { files: 0, rows: 0, bytes: 0 };
  await refuseMissing(
    TABLES.flatMap((table) => resourcesOf(manifest, table)),
    pathOf,
  );
  for (const name of TABLES) {
    const table = tablesOf(load)[name];
    await cluster.command(statementOf(sqlText(`clickhouse/tables/${name}.sql`), {}, { table }), SHORT);
    for (const resource of resourcesOf(manifest, name)) {
      const insert = statementOf(sqlText(`clickhouse/filling/${name}.sql`), {}, { table });
      await cluster.send(insert, Readable.from(read(pathOf(resource))), FILE);
      done.files += 1;
      done.rows += resource.rowCount;
      done.bytes += resource.bytes;
      onProgress?.(done.files, total);
    }
  }
  return { rows: done.rows, bytes: done.bytes };
}

/** Compares every count and sum of the tables with the files, and the count with the manifest. */
async function compare(cluster: ClusterConnection, manifest: Manifest, load: Load, { pathOf, limits }: LoadOptions): Promise<void> {
  const engine = await openWriter(limits);
  try {
    for (const name of TABLES) {
      const resources = resourcesOf(manifest, name);
      if (resources.length === 0) continue;
      const files = resources.map(pathOf);
      await engine.connection.run(`create or replace view filled as select * from ${parquetFiles(files)}`);
      const result = await engine.connection.runAndReadAll(sqlText(`sums/${name}.sql`));
      const names = result.columnNames();
      const [stated] = result.getRows().map((row) => row.map(toValue));
      const [found] = await allRows(
        cluster,
        statementOf(sqlText(`clickhouse/sums/${name}.sql`), {}, { table: tablesOf(load)[name] }),
        FILE,
      );
      const [rowCount] = found ?? [];
      const stood = resources.reduce((sum, one) => sum + one.rowCount, 0);
      const differing = [
        ...names.filter((_, index) => !isSame(stated?.[index], found?.[index])),
        ...(Number(rowCount) === stood ? [] : ['manifest']),
      ];
      if (differing.length > 0) {
        throw new KnownError(
          `The cluster has other ${name} of ${manifest.snapshotId} than the files (${differing.join(', ')}), so the load stays invisible. Run npm run load again.`,
        );
      }
    }
  } finally {
    engine.close();
  }
}

const isSame = (one: Value | undefined, other: Value | undefined) => one !== undefined && one === other;

/** Drops loads beyond the kept number, a second load of the same snapshot, and tables of interrupted loads. Returns the remaining snapshots, newest first. */
async function clearUp(cluster: ClusterConnection, current: string, { keep, now }: LoadOptions): Promise<readonly string[]> {
  const loads = (await heldLoads(cluster, SHORT)).toReversed();
  const firsts = loads.filter((one) => loadOf(loads.toReversed(), one.snapshotId) === one);
  // The current snapshot stays, however long ago it was loaded.
  const kept = [...firsts.filter((one) => one.snapshotId === current), ...firsts.filter((one) => one.snapshotId !== current)].slice(
    0,
    keep,
  );
  for (const load of loads.filter((one) => !kept.includes(one))) await noteLoad(cluster, load, { at: now(), isDropped: true }, SHORT);
  const named = new Set(kept.flatMap((load) => Object.values(tablesOf(load))));
  const given = new Set(loads.filter((one) => !kept.includes(one)).flatMap((load) => Object.values(tablesOf(load))));
  for (const { name, age } of await tablesThere(cluster, now(), SHORT)) {
    if (!named.has(name) && (given.has(name) || age > ABANDONED_SECONDS)) await dropTable(cluster, name, SHORT);
  }
  return kept.map((one) => one.snapshotId);
}
