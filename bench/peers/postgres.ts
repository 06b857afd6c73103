// PostgreSQL of this machine in a temporary folder, as a user of its own where this process is root, with the vintages of a generated lake and the index that serves a
// screen best. Its client is a package of this folder's own (npm install here); without the one or the other the peer is absent.
import { execFile, type SpawnOptions, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { quote } from '../../src/db/connect.ts';
import type { Lake } from '../generate.ts';
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
  /** Prepared once by its name; rows as arrays. */
  readonly ask: (name: string, text: string, values: readonly unknown[]) => Promise<readonly (readonly unknown[])[]>;
  readonly stop: () => Promise<void>;
}

/** Why it is absent, where it is. */
export async function openPostgres(lake: Lake): Promise<Postgres | string> {
  const Client = clientOf();
  if (Client === null) return 'PostgreSQL is absent: its client is not installed. Run npm install in bench/peers.';
  const bin = binariesOf();
  if (bin === null) return 'PostgreSQL is absent: no server is installed below /usr/lib/postgresql. Install the package postgresql.';
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
  const own = await ownUser();
  if (own.uid !== undefined && own.gid !== undefined) chownSync(folder, own.uid, own.gid);
  const data = join(folder, 'data');
  await run(join(bin, 'initdb'), ['-D', data, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C'], { ...own, cwd: folder });
  const settings = Object.entries({ ...TUNED, unix_socket_directories: `'${folder}'` }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value.replaceAll("'", '')}`,
  ]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...settings], { ...own, cwd: folder, stdio: 'ignore' } satisfies SpawnOptions);
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const stop = async () => {
    server.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const client = await connected(() => new Client({ host: folder, user: USER, database: 'postgres' }));
    await load(client, lake, folder);
    return {
      ask: async (name, text, values) => (await client.query({ name, text, values, rowMode: 'array' })).rows,
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

function clientOf(): (new (options: Readonly<Record<string, string>>) => Client) | null {
  try {
    const required = createRequire(import.meta.url)('pg') as { readonly Client: new (options: Readonly<Record<string, string>>) => Client };
    return required.Client;
  } catch {
    return null;
  }
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
  create index by_indicator on series (canonical_id) include (series_no, entity_id)`;

async function load(client: Client, lake: Lake, folder: string): Promise<void> {
  const manifest = await manifestOf(lake);
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  await connection.run("set TimeZone = 'UTC'");
  const tables = {
    vintages: [
      'series_no integer, period_end date, observed_at timestamptz, known_to timestamptz, value double precision',
      'series_no, period_end, observed_at, known_to, value',
    ],
    series: ['series_no integer, entity_id text, canonical_id text', 'series_no, entity_id, canonical_id'],
  } as const;
  for (const [name, [columns, names]] of Object.entries(tables)) {
    const file = join(folder, `${name}.csv`);
    await connection.run(
      `copy (select ${names} from read_parquet([${filesOf(lake, manifest, name)}])) to ${quote(file)} (format csv, header false)`,
    );
    await client.query({ text: `create unlogged table ${name} (${columns})` });
    await client.query({ text: `copy ${name} from ${quote(file)} (format csv)` });
    rmSync(file);
  }
  connection.closeSync();
  instance.closeSync();
  for (const statement of LOADED.split(';')) await client.query({ text: statement });
  for (const name of Object.keys(tables)) await client.query({ text: `vacuum (analyze) ${name}` });
}
