// The lake under one writer: lock, commits, recovery. A commit lists the files that it adds and removes. Its record is written and synced
// before any file is moved. So the next opening finishes whatever a kill interrupts, and deletes files that no record names.
import { existsSync, rmSync } from 'node:fs';
import { link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { type EngineLimits, openWriter, quote, returnMemory } from '../db/connect.ts';
import { parquetFiles } from '../db/files.ts';
import { renameDurably, sha256OfFile, syncPath, writeDurably } from '../disk/durable.ts';
import { onInterruption, uninterrupted } from '../disk/interruption.ts';
import { refuseFewOpenFiles } from '../disk/open-files.ts';
import { afterCommit, type CommitRecord, type Holding, type Ledger, recordNames, sealed } from './ledger.ts';
import { adopt, openLedger } from './verified.ts';
import { columnsOf, LAKE_TABLE_NAMES, type LakePaths, type LakeTable, lakePaths } from './layout.ts';
import { KnownError } from '../known-error.ts';

export interface StagedFile {
  readonly table: LakeTable;
  /** A select with the rows of the file. */
  readonly select: string;
}

export interface Lake {
  readonly paths: LakePaths;
  /** A writing engine; callers own its temporary tables. */
  readonly connection: DuckDBConnection;
  readonly lastChangeSequence: () => number;
  /** The missing or damaged record; null once a later one has the whole list, which the next commit writes. */
  readonly recordGap: () => Error | null;
  /** Writes the selects as files and adds all of them to the lake, or none. A select without rows makes no file. Returns the rows per table. */
  readonly commit: (
    sourceId: string,
    createdAt: string,
    files: readonly StagedFile[],
    options?: CommitOptions,
  ) => Promise<Map<LakeTable, number>>;
  /** Gives the memory of finished statements back to the system: hundreds of megabytes, which the next ones need. */
  readonly rest: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface CommitOptions {
  readonly lastChangeSequence?: number;
  /** Files to remove, relative to the lake's root: damaged ones, and those that a compaction replaces. */
  readonly removes?: readonly string[];
  /** Records the commit even without changes, because its record has the whole list. */
  readonly isList?: boolean;
}

/** Another process has locked the lake; the message names it. */
export class LakeLockedError extends KnownError {}

/** The maximum number of records to read to know the content of the lake. */
const LIST_EVERY = 50;

const openRoots = new Set<string>();

/** Opens the lake for writing and finishes interrupted commits. Throws LakeLockedError while another writer has it. */
export async function openLake(root: string, limits: EngineLimits): Promise<Lake> {
  const paths = lakePaths(root);
  await refuseFewOpenFiles();
  await mkdir(root, { recursive: true });
  const unlock = await lock(paths);
  try {
    const ledger = await recover(paths);
    let holding: Holding = ledger.files ?? (await adopt(paths));
    let previous = ledger.newest?.sha256 ?? null;
    /** Commits since the last one with the whole list. */
    let sinceList = ledger.gap !== null || previous === null ? LIST_EVERY : ledger.number - ledger.since + 1;
    // Recorded but not yet in place: after a full disk, a later record must not make recovery skip this one.
    let unfinished: CommitRecord | null = null;
    const engine = await openWriter(limits);
    const forget = onInterruption(() => {
      engine.connection.interrupt();
      // The next opening moves recorded files to their place.
      if (unfinished === null) rmSync(paths.staging, { recursive: true, force: true });
      rmSync(limits.tempDirectory, { recursive: true, force: true });
    });
    await createEmptyTables(paths, engine.connection);
    let { number, lastChangeSequence: sequence } = ledger;
    const finish = async () => {
      if (unfinished !== null) await apply(paths, unfinished);
      unfinished = null;
    };
    return {
      paths,
      connection: engine.connection,
      lastChangeSequence: () => sequence,
      recordGap: () => (sinceList >= LIST_EVERY ? ledger.gap : null),
      async commit(sourceId, createdAt, files, options = {}) {
        await finish();
        const record = await stage(paths, engine.connection, files, {
          number: number + 1,
          sourceId,
          createdAt,
          lastChangeSequence: options.lastChangeSequence ?? sequence,
          files: [],
          removes: [...(options.removes ?? [])],
          previous,
          ...(sinceList >= LIST_EVERY ? { standing: [...holding.values()] } : {}),
        });
        if (record.files.length > 0 || record.removes.length > 0 || options.isList === true) {
          // The record relies on the staged files, so their names must be as durable as its own.
          await syncPath(paths.staging);
          const { text, sha256 } = sealed(record);
          await uninterrupted(async () => {
            await writeDurably(paths.commit(record.number), text);
            unfinished = record;
            previous = sha256;
            holding = afterCommit(holding, record);
            sinceList = record.standing === undefined ? sinceList + 1 : 1;
            number = record.number;
            sequence = record.lastChangeSequence;
            await finish();
          });
        }
        return new Map(record.files.map((file) => [tableOf(file.path), file.rows]));
      },
      rest: () => returnMemory(engine.connection, limits),
      async close() {
        forget();
        engine.close();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/**
 * DuckDB refuses a file if it was killed while creating it. So the file is created under another name and linked, which never replaces one that
 * another process has created meanwhile.
 */
async function createLockFile(path: string): Promise<void> {
  if (existsSync(path)) return;
  const made = `${path}.${process.pid}.partial`;
  await uninterrupted(async () => {
    await rm(made, { force: true });
    (await DuckDBInstance.create(made)).closeSync();
    await link(made, path).catch((error: unknown) => {
      if (!existsSync(path)) throw error;
    });
    await rm(made, { force: true });
  });
}

// The operating system releases a DuckDB file's lock when its process ends, however it ends.
async function lock(paths: LakePaths): Promise<() => Promise<void>> {
  const refuse = (holder: string) => {
    throw new LakeLockedError(
      `The lake in ${paths.root} is being written by ${holder}. Wait until that run has ended, or stop it, and start again.`,
    );
  };
  if (openRoots.has(paths.root)) refuse('this process');
  await createLockFile(paths.lock);
  let instance: DuckDBInstance;
  try {
    instance = await DuckDBInstance.create(paths.lock);
  } catch (error) {
    const holder = /PID (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    if (holder === undefined) throw error;
    return refuse(`process ${holder}`);
  }
  openRoots.add(paths.root);
  return async () => {
    openRoots.delete(paths.root);
    instance.closeSync();
  };
}

async function recover(paths: LakePaths): Promise<Ledger> {
  await mkdir(paths.commits, { recursive: true });
  const ledger = await openLedger(paths);
  if (ledger.newest !== null) await apply(paths, ledger.newest.record);
  // Records with the content of the lake are still needed; a few more stay to help investigations.
  for (const name of (await recordNames(paths)).slice(0, -50))
    if (Number(name.slice(0, 8)) < ledger.since) await rm(join(paths.commits, name), { force: true });
  await rm(paths.staging, { recursive: true, force: true });
  await mkdir(paths.staging, { recursive: true });
  for (const path of await partialFiles(paths)) await rm(path, { force: true });
  await syncPath(paths.root);
  return ledger;
}

async function partialFiles(paths: LakePaths): Promise<string[]> {
  const names = await Promise.all(
    [paths.root, paths.commits].map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))),
  );
  return names.flat().filter((name) => name.endsWith('.partial'));
}

/** Moves the files of a recorded commit to their places; repeating it changes nothing. */
async function apply(paths: LakePaths, record: CommitRecord): Promise<void> {
  for (const file of record.files) {
    const staged = join(paths.staging, file.staged);
    if (existsSync(staged)) await renameDurably(staged, join(paths.root, file.path));
  }
  for (const path of record.removes) await rm(join(paths.root, path), { force: true });
  // Once a later record is the newest, nothing would remove them.
  for (const folder of new Set(record.removes.map(dirname))) await syncPath(join(paths.root, folder));
}

async function stage(
  paths: LakePaths,
  connection: DuckDBConnection,
  files: readonly StagedFile[],
  record: CommitRecord,
): Promise<CommitRecord> {
  for (const file of files) {
    const path = paths.partFile(file.table, record.sourceId, record.number);
    const staged = `${file.table}-${basename(path)}`;
    const full = join(paths.staging, staged);
    const rows = await copyToParquet(connection, file.select, full);
    if (rows > 0) record.files.push({ path, staged, rows, sha256: await sha256OfFile(full), bytes: (await stat(full)).size });
  }
  return record;
}

/** Writes a select as one synced Parquet file and returns its rows. A select without rows writes no file. */
async function copyToParquet(connection: DuckDBConnection, select: string, path: string): Promise<number> {
  const result = await connection.runAndReadAll(
    `copy (${select}) to ${quote(path)} (format parquet, compression zstd, row_group_size 122880)`,
  );
  const rows = Number(result.getRows()[0]?.[0] ?? 0);
  if (rows === 0) await rm(path, { force: true });
  else await syncPath(path);
  return rows;
}

async function createEmptyTables(paths: LakePaths, connection: DuckDBConnection): Promise<void> {
  for (const table of LAKE_TABLE_NAMES) {
    const path = join(paths.root, paths.emptyFile(table));
    if (existsSync(path) && (await isEmptyOf(connection, table, path))) continue;
    const staged = join(paths.staging, `${table}-schema.parquet`);
    await connection.run(`copy (${emptySelect(table)}) to ${quote(staged)} (format parquet)`);
    await syncPath(staged);
    await renameDurably(staged, path);
  }
}

/** False in a lake from before the column was added, and if the file is damaged. */
async function isEmptyOf(connection: DuckDBConnection, table: LakeTable, path: string): Promise<boolean> {
  const source = parquetFiles([path]);
  try {
    const described = await connection.runAndReadAll(`describe from ${source}`);
    const rows = Number((await connection.runAndReadAll(`select count(*) from ${source}`)).getRows()[0]?.[0]);
    const found = described.getRows().map(([name, type]) => `${String(name)} ${String(type).toLowerCase()}`);
    const types = (await connection.runAndReadAll(`describe ${emptySelect(table)}`)).getRows();
    const expected = types.map(([name, type]) => `${String(name)} ${String(type).toLowerCase()}`);
    return rows === 0 && found.join() === expected.join();
  } catch {
    return false;
  }
}

function emptySelect(table: LakeTable): string {
  const columns = Object.entries(columnsOf(table)).map(([name, type]) => `null::${type} as ${name}`);
  return `select ${columns.join(', ')} limit 0`;
}

function tableOf(path: string): LakeTable {
  const table = LAKE_TABLE_NAMES.find((name) => path.startsWith(`${name}/`));
  if (table === undefined) throw new Error(`${path} is not a path of the lake`);
  return table;
}
