// A ClickHouse cluster of one: chdb behind its HTTP protocol, in a process of its own. `startCluster` starts one, `loadInto` fills it, `engineUrlFor` does
// both for a service.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { piecesOf } from '../../src/disk/durable.ts';
import { type ClusterConnection, openCluster } from '../../src/engine/connection.ts';
import { type LoadOptions, type LoadReport, loadSnapshot } from '../../src/engine/load.ts';
import { readCurrent, type SnapshotPaths, snapshotPaths } from '../../src/snapshot/manifest.ts';

const PACKAGE = join(import.meta.dirname, '../../bench/peers/node_modules', 'chdb', 'package.json');

/** Why there can be none here; null where there can. */
export const NO_CLUSTER = existsSync(PACKAGE) ? null : 'chdb is not installed: (cd bench/peers && npm install)';

export interface Cluster {
  /** What ENGINE_URL is to be. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** A signal for its process, such as SIGSTOP. */
  readonly signal: (name: NodeJS.Signals) => void;
  readonly stop: () => Promise<void>;
}

export interface ClusterOptions {
  readonly user?: string;
  readonly password?: string;
  readonly port?: number;
}

export async function startCluster({ user = 'default', password = '', port = 0 }: ClusterOptions = {}): Promise<Cluster> {
  const child = spawn(process.execPath, ['--import', 'tsx', new URL('chdb-server.ts', import.meta.url).pathname], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, CHDB_USER: user, CHDB_PASSWORD: password, CHDB_PORT: String(port) },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const first = new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve));
  const line = await Promise.race([
    first,
    ended.then(() => {
      throw new Error('chdb ended before it listened');
    }),
  ]);
  const found = Number(line);
  // It ends when this process does, and does not keep it.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { readonly unref: () => void }).unref();
  return {
    url: `http://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${found}/default`,
    port: found,
    pid: child.pid ?? 0,
    signal: (name) => void child.kill(name),
    async stop() {
      child.kill('SIGCONT');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The current snapshot of a folder into a cluster, as `asof load` does it. */
export async function loadInto(cluster: ClusterConnection, paths: SnapshotPaths, options: Partial<LoadOptions> = {}): Promise<LoadReport> {
  const manifest = await readCurrent(paths);
  if (manifest === null) throw new Error(`nothing is published in ${paths.root}`);
  return loadSnapshot(cluster, manifest, {
    pathOf: ({ path }) => join(paths.root, path),
    read: piecesOf,
    keep: 5,
    now: Date.now,
    random: Math.random,
    limits: { threads: 1, memory: '300MB', tempDirectory: tmpdir(), tempSize: '1GB' },
    ...options,
  });
}

let shared: Promise<{ readonly url: string; readonly connection: ClusterConnection }> | null = null;

/**
 * ENGINE_URL for a service over `dataDir`: its current snapshot (that of the sample, where the folder has none) is loaded into the one cluster of this
 * process, which ends with it. A folder without a snapshot is given the cluster as it is.
 */
export async function engineUrlFor(dataDir: string): Promise<string> {
  shared ??= startCluster().then(({ url }) => ({ url, connection: openCluster(url) }));
  const { url, connection } = await shared;
  for (const paths of [snapshotPaths(dataDir), snapshotPaths(join(dataDir, 'sample'))]) {
    if ((await readCurrent(paths).catch(() => null)) === null) continue;
    await loadInto(connection, paths, { keep: 1000 });
    break;
  }
  return url;
}
