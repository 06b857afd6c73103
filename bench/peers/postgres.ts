// PostgreSQL of this machine, as a user of its own if this process is root, with the vintages of a generated lake and the best indexes for these queries. Its
// folder is among the temporary ones and stays for the next group. Its client is a package of this folder (npm install here); without both the peer is absent.
import { execFile, type SpawnOptions, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { quote } from '../../src/db/connect.ts';
import type { Lake } from '../generate.ts';
import { SIZES } from '../sizes.ts';
import { filesOf, manifestOf } from '../subject.ts';

const run = promisify(execFile);
const USER = 'postgres';
const TUNED = {
  shared_buffers: '1GB',
  effective_cache_size: '4GB',
  maintenance_work_mem: '512MB',
  work_mem: '64MB',
  random_page_cost: '1.1',
  max_wal_size: '8GB',
  fsync: 'off',
  jit: 'off',
  listen_addresses: "''",
};

interface Client {
  readonly connect: () => Promise<void>;
  readonly query: (question: {
    readonly name?: string;
    readonly text: string;
    readonly values?: readonly unknown[];
    readonly rowMode?: 'array';
  }) => Promise<{ readonly rows: readonly (readonly unknown[])[] }>;
  readonly end: () => Promise<void>;
}

export interface Postgres {
  /** Folder of its socket, for clients in other processes. */
  readonly socket: string;
  /** Processor time of its processes since their start, ended ones included. */
  readonly cpuMs: () => number;
  /** Prepared once by name; rows as arrays. */
  readonly ask: (name: string, text: string, values: readonly unknown[]) => Promise<readonly (readonly unknown[])[]>;
  /** A statement without parameters, prepared anew. */
  readonly run: (text: string) => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

/** The reason if it is absent. */
export async function openPostgres(lake: Lake): Promise<Postgres | string> {
  const required = packageOf();
  if (required === null) return 'PostgreSQL is absent: its client is not installed. Run npm install in bench/peers.';
  const bin = binariesOf();
  if (bin === null) return 'PostgreSQL is absent: no server is installed below /usr/lib/postgresql. Install the package postgresql.';
  const own = await ownUser();
  const folder = folderOf(lake);
  const data = join(folder, 'data');
  const isLoaded = existsSync(join(folder, 'loaded'));
  if (!isLoaded) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    if (own.uid !== undefined && own.gid !== undefined) chownSync(folder, own.uid, own.gid);
    await run(join(bin, 'initdb'), ['-D', data, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C'], { ...own, cwd: folder });
  }
  const settings = Object.entries({ ...TUNED, unix_socket_directories: `'${folder}'` }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value.replaceAll("'", '')}`,
  ]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...settings], { ...own, cwd: folder, stdio: 'ignore' } satisfies SpawnOptions);
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const stop = async () => {
    server.kill('SIGINT');
    await ended;
  };
  try {
    const client = await connected(() => new required.Client({ host: folder, user: USER, database: 'postgres' }));
    if (!isLoaded) {
      await load(client, lake, folder);
      await client.query({ text: 'checkpoint' });
      writeFileSync(join(folder, 'loaded'), '');
    }
    return {
      socket: folder,
      cpuMs: () => cpuOf(Number(server.pid)),
      ask: async (name, text, values) => (await client.query({ name, text, values, rowMode: 'array' })).rows,
      run: (text) => client.query({ text }),
      stop: async () => {
        await client.end();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Filled once per lake and tables, because the groups of a run share it; delete it to free the space. Its path is short, because it contains a socket. */
function folderOf({ dataDir }: Lake): string {
  const named = createHash('sha256')
    .update(JSON.stringify([dataDir, TABLES, LOADED, WALKED]))
    .digest('hex')
    .slice(0, 12);
  return join(tmpdir(), `bench-postgres-${named}`);
}

interface Package {
  readonly Client: new (options: Readonly<Record<string, string>>) => Client;
  readonly Pool: new (
    options: Readonly<Record<string, string | number>>,
  ) => Pick<Client, 'query'> & { readonly on: (event: 'error', listener: () => void) => unknown };
}

/** Null if it is absent. */
export async function postgresVersion(): Promise<string | null> {
  const bin = binariesOf();
  if (bin === null || packageOf() === null) return null;
  const { stdout } = await run(join(bin, 'postgres'), ['--version']);
  return /\d[\d.]*/.exec(stdout)?.[0] ?? null;
}

function packageOf(): Package | null {
  try {
    return createRequire(import.meta.url)('pg') as Package;
  } catch {
    return null;
  }
}

/** Connections from another process to a server that `openPostgres` started. */
export function connect(socket: string, connections: number): Pick<Client, 'query'> {
  const required = packageOf();
  if (required === null) throw new Error('the client of PostgreSQL is not installed: run npm install in bench/peers');
  const pool = new required.Pool({ host: socket, user: USER, database: 'postgres', max: connections });
  // The server may stop before its clients: idle connections then report an error that nobody needs.
  pool.on('error', () => undefined);
  return pool;
}

/** Processor time from /proc in jiffies of 10 ms: the process, its ended children and its running children together. */
function cpuOf(pid: number): number {
  const ofOne = (one: string) => {
    const [, , ...fields] = readFileSync(`/proc/${one}/stat`, 'utf8')
      .replace(/\(.*\)/, '()')
      .split(' ');
    return { parent: Number(fields[1]), jiffies: fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) };
  };
  let jiffies = 0;
  for (const one of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const found = ofOne(one);
      if (Number(one) === pid || found.parent === pid) jiffies += found.jiffies;
    } catch {
      // It has ended since.
    }
  }
  return jiffies * 10;
}

function binariesOf(): string | null {
  const root = '/usr/lib/postgresql';
  const newest = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a))[0] : undefined;
  return newest === undefined ? null : join(root, newest, 'bin');
}

/** PostgreSQL refuses to run as root. */
async function ownUser(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const idOf = async (option: string) => Number((await run('id', [option, USER])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
}

async function connected(make: () => Client): Promise<Client> {
  for (let left = 100; ; left -= 1) {
    const client = make();
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

const LOADED = `
  create index by_period on vintages (series_no, period_end desc, observed_at desc) include (value, known_to);
  create index newest on vintages (series_no, period_end desc) include (value) where known_to is null and value is not null;
  create index by_indicator on series (canonical_id) include (series_no, entity_id);
  create index by_id on series (indicator_id);
  create index by_country on series (country)`;

/** Only for walks, which nobody runs over the largest lake, where it would double the space. */
const WALKED = 'create index walked on vintages (country, period_end desc, observed_at desc, id_hash desc)';

const TABLES = {
  vintages: {
    series_no: 'integer',
    period: 'text',
    period_end: 'date',
    value: 'double precision',
    vintage: 'text',
    observed_at: 'timestamptz',
    known_to: 'timestamptz',
    released_at: 'timestamptz',
    retrieved_at: 'timestamptz',
    is_revised: 'boolean',
    release_no: 'integer',
    id_hash: 'numeric(20)',
    run_id: 'text',
    change_sequence: 'bigint',
    country: 'text',
  },
  series: {
    series_no: 'integer',
    indicator_id: 'text',
    indicator_name: 'text',
    canonical_id: 'text',
    entity_id: 'text',
    country: 'text',
    source_id: 'text',
    provider: 'text',
    source_tier: 'text',
    category: 'text',
    unit: 'text',
    frequency: 'text',
    importance: 'text',
    factor_key: 'text',
    comparison_basis: 'text',
    attribution: 'text',
    source_url: 'text',
    license: 'text',
  },
} as const;

async function load(client: Client, lake: Lake, folder: string): Promise<void> {
  const manifest = await manifestOf(lake);
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  await connection.run("set TimeZone = 'UTC'");
  const countries = `inner join (select series_no, country from read_parquet([${filesOf(lake, manifest, 'series')}])) using (series_no)`;
  for (const [name, typed] of Object.entries(TABLES)) {
    const names = Object.keys(typed).join(', ');
    const columns = Object.entries(typed)
      .map(([column, type]) => `${column} ${type}`)
      .join(', ');
    const file = join(folder, `${name}.csv`);
    await client.query({ text: `create unlogged table ${name} (${columns})` });
    for (const part of filesOf(lake, manifest, name).split(', ')) {
      await connection.run(
        `copy (select ${names} from read_parquet(${part}) ${name === 'vintages' ? countries : ''}) to ${quote(file)} (format csv, header false)`,
      );
      await client.query({ text: `copy ${name} from ${quote(file)} (format csv)` });
      rmSync(file);
    }
  }
  connection.closeSync();
  instance.closeSync();
  const indexes = [...LOADED.split(';'), ...(lake.vintages < SIZES.large ? [WALKED] : [])];
  for (const statement of indexes) await client.query({ text: statement });
  for (const name of Object.keys(TABLES)) await client.query({ text: `vacuum (analyze) ${name}` });
}
