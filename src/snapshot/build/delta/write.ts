// The published tables as Delta tables in DATA_DIR/snapshots/delta/<table>: hard links of the snapshots' files, and a log with one version
// for each snapshot that changed the table. All of it follows from the kept manifests. You may delete it at any time, and the next
// publication rebuilds damaged tables. After a kill, the log ends with the version before or the new one.
import { copyFile, link, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { openWriter, SMALL } from '../../../db/connect.ts';
import { makeFolder, sha256OfFile, syncPath, writeDurably } from '../../../disk/durable.ts';
import { ifThere, namesIn } from '../../../disk/if-there.ts';
import { codeOf } from '../../../disk/own-file.ts';
import type { Manifest, Resource } from '../../../model/manifest.ts';
import { SCHEMA_VERSION, type SnapshotPaths } from '../../manifest.ts';
import { applied, EMPTY_LOG, type FileStatistics, type LogState, nextVersion, versionFile } from './log.ts';
import { type MeasuredFile, NO_STATISTICS, statisticsOf } from './statistics.ts';

const LOG = '_delta_log';

/**
 * Updates every table to the newest of the given snapshots.
 * @param kept the snapshots whose files are kept, oldest first; those of another schema are ignored
 * @param linked creates a hard link
 */
export async function writeDelta(paths: SnapshotPaths, kept: readonly Manifest[], linked = link): Promise<void> {
  const chain = kept.filter(({ schemaVersion }) => schemaVersion === SCHEMA_VERSION);
  const newest = chain.at(-1);
  if (newest === undefined) return;
  const tables: TableLog[] = [];
  for (const table of new Set(newest.resources.map((resource) => resource.table)))
    tables.push(await placeTable(paths, table, chain, linked));
  const statistics = await measure(paths, tables);
  for (const table of tables) await writeVersions(table, statistics);
  for (const folder of await namesIn(paths.delta))
    if (!tables.some(({ table }) => table === folder)) await rm(join(paths.delta, folder), { recursive: true, force: true });
}

/** A table whose files are in its folder, the state of its log, and the snapshots that may add a version. */
interface TableLog {
  readonly table: string;
  readonly folder: string;
  readonly state: LogState;
  readonly snapshots: readonly { readonly manifest: Manifest; readonly resources: readonly Resource[] }[];
  /** Names of all files that a kept snapshot lists. */
  readonly listed: ReadonlySet<string>;
}

async function placeTable(paths: SnapshotPaths, table: string, chain: readonly Manifest[], linked: typeof link): Promise<TableLog> {
  const folder = join(paths.delta, table);
  const found = await readLog(folder);
  if (found === null) await rm(join(folder, LOG), { recursive: true, force: true });
  const state = found ?? EMPTY_LOG;
  await makeFolder(join(folder, LOG));
  const resourcesOf = (manifest: Manifest) => manifest.resources.filter((resource) => resource.table === table);
  const placed = new Map<string, Placed>();
  for (const path of new Set(chain.flatMap(resourcesOf).map((resource) => resource.path)))
    placed.set(basename(path), await place(join(paths.root, path), join(folder, basename(path)), linked));
  if ([...placed.values()].includes('now')) await syncPath(folder);
  const snapshots = missing(chain, state)
    .map((manifest) => ({ manifest, resources: resourcesOf(manifest) }))
    // An older snapshot may have lost a file. The newest has been verified.
    .filter(({ resources }) => resources.length > 0 && resources.every(({ path }) => placed.get(basename(path)) !== 'gone'));
  return { table, folder, state, snapshots, listed: new Set(placed.keys()) };
}

/** Statistics of the files that are not yet in a log, by name. */
async function measure(paths: SnapshotPaths, tables: readonly TableLog[]): Promise<ReadonlyMap<string, FileStatistics>> {
  const files = new Map<string, MeasuredFile>();
  for (const { state, snapshots } of tables)
    for (const { path, schema } of snapshots.flatMap(({ resources }) => resources))
      if (!state.files.has(basename(path))) files.set(basename(path), { path: join(paths.root, path), fields: schema.fields });
  if (files.size === 0) return new Map();
  const engine = await openWriter(SMALL);
  try {
    const statistics = await statisticsOf(engine.connection, [...files.values()]);
    return new Map([...files.keys()].map((name, index) => [name, statistics[index] ?? NO_STATISTICS]));
  } finally {
    engine.close();
  }
}

async function writeVersions(
  { table, folder, state: before, snapshots, listed }: TableLog,
  statistics: ReadonlyMap<string, FileStatistics>,
) {
  let state = before;
  // An earlier run may have ended after it wrote a version and before it set the file's time.
  if (state.nextVersion > 0) await setTime(folder, state.nextVersion - 1, state.timestamp);
  for (const { manifest, resources } of snapshots) {
    const files = resources.map(({ path, bytes, rowCount }) => ({
      name: basename(path),
      bytes,
      rowCount,
      statistics: statistics.get(basename(path)) ?? NO_STATISTICS,
    }));
    const [first] = resources;
    const version = nextVersion(
      state,
      { table, description: first?.description ?? '', fields: first?.schema.fields ?? [], files },
      manifest,
    );
    if (version === null) continue;
    await writeDurably(join(folder, LOG, versionFile(state.nextVersion)), version.text);
    await setTime(folder, state.nextVersion, version.timestamp);
    state = applied(state, version.text);
  }
  // Other links belong to snapshots that are no longer kept. They would keep the disk space in use.
  for (const name of await namesIn(folder)) if (name !== LOG && !listed.has(name)) await rm(join(folder, name), { force: true });
}

/**
 * Some readers find a version by the time of its file.
 * @param ms milliseconds since 1970
 */
async function setTime(folder: string, version: number, ms: number): Promise<void> {
  await utimes(join(folder, LOG, versionFile(version)), ms / 1000, ms / 1000);
}

/** The snapshots that are not in the log yet. If the log knows none of the chain, only the newest. */
function missing(chain: readonly Manifest[], state: LogState): readonly Manifest[] {
  if (state.nextVersion === 0) return chain;
  const last = chain.findLastIndex(({ snapshotId }) => state.snapshotIds.includes(snapshotId));
  return last < 0 ? chain.slice(-1) : chain.slice(last);
}

/** Null if the log is damaged. */
async function readLog(folder: string): Promise<LogState | null> {
  const names = (await namesIn(join(folder, LOG))).filter((name) => /^\d{20}\.json$/.test(name)).toSorted();
  let state = EMPTY_LOG;
  for (const name of names) {
    if (name !== versionFile(state.nextVersion)) return null;
    try {
      state = applied(state, await readFile(join(folder, LOG, name), 'utf8'));
    } catch (error) {
      if (codeOf(error) !== null) throw error;
      return null;
    }
  }
  return state;
}

/** Errors of a file system without hard links, or of a file that already has the most links. */
const UNLINKABLE = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** `before`: the file was there. `now`: it was linked or copied now. `gone`: the snapshot's file is missing. */
type Placed = 'before' | 'now' | 'gone';

/** Links the snapshot's file, or copies it if the file system cannot link. A damaged file that was rewritten keeps its name. */
async function place(from: string, to: string, linked: typeof link): Promise<Placed> {
  if (await isPlaced(from, to)) return 'before';
  const partial = `${to}.partial`;
  await rm(partial, { force: true });
  try {
    await linked(from, partial);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'gone';
    if (!UNLINKABLE.includes(codeOf(error) ?? '')) throw error;
    await copyFile(from, partial);
    await syncPath(partial);
  }
  await rename(partial, to);
  return 'now';
}

async function isPlaced(from: string, to: string): Promise<boolean> {
  const [own, other] = [await ifThere(stat(from)), await ifThere(stat(to))];
  if (own === null || other === null) return false;
  if (own.ino === other.ino && own.dev === other.dev) return true;
  const [, hash = ' '] = /-([0-9a-f]{32})\.parquet$/.exec(to) ?? [];
  return own.size === other.size && (await sha256OfFile(to)).startsWith(hash);
}

/** The folders of tables that differ from this snapshot. */
export async function outdatedDelta(paths: SnapshotPaths, manifest: Manifest): Promise<readonly string[]> {
  const outdated: string[] = [];
  for (const table of new Set(manifest.resources.map((resource) => resource.table))) {
    const folder = join(paths.delta, table);
    const files = manifest.resources.filter((resource) => resource.table === table).map(({ path }) => path);
    const state = await readLog(folder);
    const names = files.map((path) => basename(path));
    const isListed = state !== null && state.files.size === names.length && names.every((name) => state.files.has(name));
    const areLinked = await Promise.all(files.map((path) => isPlaced(join(paths.root, path), join(folder, basename(path)))));
    if (!isListed || areLinked.includes(false)) outdated.push(folder);
  }
  return outdated;
}
