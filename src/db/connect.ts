// Opens DuckDB connections. This file knows nothing of the domain.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

export interface EngineLimits {
  readonly threads: number;
  /** For example `800MB`. The process itself peaks at about twice that. */
  readonly memory: string;
  /** DuckDB spills to a folder below this one. Several engines of a process may share it; several processes must not. */
  readonly tempDirectory: string;
  readonly tempSize: string;
}

/** Limits of an engine that answers from a few rows. It does not spill, and so makes no folder. */
export const SMALL: EngineLimits = { threads: 1, memory: '200MB', tempDirectory: '', tempSize: '1GB' };

/**
 * Without this, the engine may answer from an older file. If a job removes a file and writes another of the same name and size within a second,
 * the engine does not notice.
 */
const NO_FILE_CACHE = { enable_external_file_cache: 'false' };

/**
 * A writing engine for the jobs. It is in memory unless you name a file. It uses UTC, has limits, and keeps the order of rows, so that
 * output is the same every time.
 */
export async function openWriter(
  limits: EngineLimits,
  file = ':memory:',
): Promise<{
  readonly connection: DuckDBConnection;
  /** Opens another connection to the same engine. */
  readonly connect: () => Promise<DuckDBConnection>;
  readonly close: () => void;
}> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await configure(connection, limits, NO_FILE_CACHE);
  return {
    connection,
    connect: () => instance.connect(),
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/**
 * A reading engine that may use only the given directories. It allows no other path, network, extension or later setting.
 * The order of the settings matters. The create call refuses `allowed_directories`.
 */
export async function openReader(limits: EngineLimits, directories: readonly string[]): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await configure(connection, limits, { parquet_metadata_cache: 'true' });
  // DuckDB compares a path with both: first as we wrote it, then as the pattern matched it.
  const allowed = [...directories, ...directories.map(patternOf)].map(quote).join(', ');
  for (const statement of [
    `set allowed_directories = [${allowed}]`,
    'set autoinstall_known_extensions = false',
    'set autoload_known_extensions = false',
    'set allow_community_extensions = false',
    'set enable_external_access = false',
    'set lock_configuration = true',
  ]) {
    await connection.run(statement);
  }
  connection.closeSync();
  return instance;
}

async function configure(connection: DuckDBConnection, limits: EngineLimits, more: Readonly<Record<string, string>>): Promise<void> {
  const settings = {
    TimeZone: quote('UTC'),
    threads: String(limits.threads),
    memory_limit: quote(limits.memory),
    temp_directory: quote(limits.tempDirectory === '' ? '' : await spillFolder(limits.tempDirectory)),
    max_temp_directory_size: quote(limits.tempSize),
    ...more,
  };
  for (const [name, value] of Object.entries(settings)) await connection.run(`set ${name} = ${value}`);
}

/** @param memory a limit such as `600MB` or `2GB` */
export function partOfMemory(memory: string, share: number): string {
  const [, size = '', unit] = /^(\d+)(MB|GB)$/.exec(memory) ?? [];
  return `${Math.ceil(Number(size) * (unit === 'GB' ? 1000 : 1) * share)}MB`;
}

/** The engine keeps freed memory for itself until its limit is set, even to the same. It takes 10 ms. */
export async function returnMemory(connection: DuckDBConnection, { memory }: Pick<EngineLimits, 'memory'>): Promise<void> {
  await connection.run(`set memory_limit = ${quote(memory)}`);
}

let engines = 0;

/**
 * DuckDB numbers its temporary files by engine, and when an engine closes, it removes all such files of the folder. So each engine needs its
 * own. DuckDB makes this folder with the first file, and removes it at the end.
 */
async function spillFolder(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true });
  return join(parent, `engine-${threadId}-${(engines += 1)}`);
}

/**
 * A pattern that matches one path only. DuckDB takes `*`, `?` and `[` in a file's path as a pattern.
 * DuckDB takes a backslash as a folder separator, also within brackets, so we write it as the middle of a range.
 */
export function patternOf(path: string): string {
  return path.replaceAll(/[*?[]/g, '[$&]').replaceAll('\\', '[[-^]');
}

/** A text as an SQL literal, for the few places (settings, file lists, COPY) that cannot be bound. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
