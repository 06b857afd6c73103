// Opens DuckDB connections. Nothing of the domain is known here.
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

export interface EngineLimits {
  readonly threads: number;
  /** e.g. `800MB`; the process itself peaks at about twice that. */
  readonly memory: string;
  /** Where DuckDB may spill. */
  readonly tempDirectory: string;
  readonly tempSize: string;
}

/** A writing engine for the jobs: in memory unless a file is named, UTC, bounded, order preserved, so that output is the same every time. */
export async function openWriter(
  limits: EngineLimits,
  file = ':memory:',
): Promise<{
  readonly connection: DuckDBConnection;
  /** Another one to the same engine. */
  readonly connect: () => Promise<DuckDBConnection>;
  readonly close: () => void;
}> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await configure(connection, limits, {});
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
 * A reading engine locked down to the given directories: no other path, no network, no extension, no further configuration.
 * The order of the settings matters; the create call refuses `allowed_directories`.
 */
export async function openReader(limits: EngineLimits, directories: readonly string[]): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await configure(connection, limits, { parquet_metadata_cache: 'true' });
  // A path is held against them as it was written, then as it was found.
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
    temp_directory: quote(limits.tempDirectory),
    max_temp_directory_size: quote(limits.tempSize),
    ...more,
  };
  for (const [name, value] of Object.entries(settings)) await connection.run(`set ${name} = ${value}`);
}

/**
 * A path as a pattern that matches it alone: DuckDB takes `*`, `?` and `[` in the path of a file that it reads for a pattern. A backslash would part folders
 * there, also within brackets, so it is the middle of a range.
 */
export function patternOf(path: string): string {
  return path.replaceAll(/[*?[]/g, '[$&]').replaceAll('\\', '[[-^]');
}

/** A text as an SQL literal, for the few places (settings, file lists, COPY) that cannot be bound. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
