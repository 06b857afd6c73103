// The service as in docs/run/replicas.md, on this machine: one server on a folder; three that follow a bucket behind HAProxy and share one Redis; the same
// with a ClickHouse cluster for heavy queries. Each server runs in its own process. The tests supply the bucket, Redis and HAProxy.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sendKeys, sendSnapshot } from '../jobs/sending/push.ts';
import { openCluster } from '../src/engine/connection.ts';
import { freshDatabase } from '../test/deployments/replicas.ts';
import { hasHaproxy, openHaproxy } from '../test/deployments/haproxy.ts';
import { redisServer } from '../test/deployments/servers.ts';
import { loadInto, NO_CLUSTER, startCluster } from '../test/engine/cluster.ts';
import { bucketStore, hasBucket, NO_BUCKET, withEnvironment } from '../test/objects/stores.ts';
import { type Lake, limitsOf, ownFolder } from './generate.ts';
import { cpuMsOf, type Started, startService } from './process.ts';

export interface Deployed {
  readonly name: string;
  /** The address for requests. */
  readonly port: number;
  /** Processor time of its servers, and of their cluster. */
  readonly cpuMs: () => number;
  readonly peakMemoryMb: () => number;
}

export interface Deployments {
  readonly all: readonly Deployed[];
  /** Parts that this machine lacks. */
  readonly absent: readonly string[];
  /** For the cluster, milliseconds of a query that reads nothing: the cost of its protocol. Null without one. */
  readonly emptyQuestion: (() => Promise<number>) | null;
  readonly stop: () => Promise<void>;
}

const NAMES = { folder: 'a folder', bucket: 'a bucket, 3 servers', cluster: 'a bucket, 3 servers, ClickHouse' } as const;
const REPLICAS = 3;
const MS_BETWEEN_LOOKS = 100;

type Stop = () => Promise<void>;

export async function openDeployments(lake: Lake): Promise<Deployments> {
  const stops: Stop[] = [];
  const stop = async () => {
    for (const one of stops.toReversed()) await one();
  };
  try {
    const folder = await startService(lake.dataDir);
    stops.push(() => folder.stop());
    const all: Deployed[] = [deployed(NAMES.folder, folder.port, [folder], null)];
    const missing = missingForReplicas();
    if (missing !== null) {
      process.stderr.write(`${NAMES.bucket} is absent: ${missing}\n`);
      return { all, absent: [NAMES.bucket, NAMES.cluster], emptyQuestion: null, stop };
    }
    const shared = await openShared(lake, stops);
    all.push(await openReplicas(NAMES.bucket, shared, stops));
    if (NO_CLUSTER !== null) {
      process.stderr.write(`${NAMES.cluster} is absent: ${NO_CLUSTER}\n`);
      return { all, absent: [NAMES.cluster], emptyQuestion: null, stop };
    }
    const cluster = await openLoaded(lake, stops);
    all.push(await openReplicas(NAMES.cluster, { ...shared, cluster }, stops));
    return { all, absent: [], emptyQuestion: cluster.emptyQuestion, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function missingForReplicas(): string | null {
  if (!hasBucket) return NO_BUCKET;
  return hasHaproxy ? null : 'haproxy is not installed: apt-get install haproxy redis-server';
}

const deployed = (name: string, port: number, servers: readonly Started[], cluster: Loaded | null): Deployed => ({
  name,
  port,
  cpuMs: () => servers.reduce((sum, server) => sum + server.cpuMs(), cluster?.cpuMs() ?? 0),
  peakMemoryMb: () => Math.round(Math.max(...servers.map((server) => server.peakMemoryMb()))),
});

interface Shared {
  readonly snapshotUrl: string;
  readonly redisPort: number;
  readonly cluster?: Loaded;
}

/** The bucket with the snapshot and the keys of the lake, and Redis. */
async function openShared(lake: Lake, stops: Stop[]): Promise<Shared> {
  const bucket = await bucketStore();
  stops.push(bucket.stop);
  const restore = withEnvironment(bucket.environment);
  stops.push(async () => restore());
  const redis = await redisServer();
  stops.push(redis.stop);
  const place = { dataDir: lake.dataDir, snapshotUrl: bucket.fresh() };
  await sendSnapshot(place, { keep: 1, now: Date.now() });
  await sendKeys(place);
  return { snapshotUrl: place.snapshotUrl, redisPort: redis.port };
}

interface Loaded {
  readonly url: string;
  readonly cpuMs: () => number;
  readonly emptyQuestion: () => Promise<number>;
}

async function openLoaded(lake: Lake, stops: Stop[]): Promise<Loaded> {
  const { url, pid, stop } = await startCluster();
  stops.push(stop);
  const connection = openCluster(url);
  stops.push(() => connection.close());
  const limits = limitsOf(lake.dataDir, '2GB');
  await mkdir(limits.tempDirectory, { recursive: true });
  await loadInto(connection, lake.paths, { limits });
  return {
    url,
    cpuMs: () => cpuMsOf(pid),
    emptyQuestion: async () => {
      const began = performance.now();
      await (await fetch(`${new URL(url).origin}/?query=select+1`, { headers: { 'x-clickhouse-user': 'default' } })).text();
      return performance.now() - began;
    },
  };
}

async function openReplicas(name: string, { snapshotUrl, redisPort, cluster }: Shared, stops: Stop[]): Promise<Deployed> {
  const folder = await ownFolder();
  stops.push(() => rm(folder, { recursive: true, force: true }));
  const environment = {
    SNAPSHOT_URL: snapshotUrl,
    REDIS_URL: await freshDatabase(redisPort),
    CURSOR_SECRET: 'of no worth: of a measurement that ends',
    TRUST_PROXY: 'true',
    ...(cluster === undefined ? {} : { ENGINE_URL: cluster.url }),
  };
  const servers: Started[] = [];
  for (let number = 0; number < REPLICAS; number += 1) {
    const server = await startService(await mkdtemp(join(folder, 'server-')), environment);
    stops.push(() => server.stop());
    servers.push(server);
  }
  const balancer = await openHaproxy(() => servers.map(({ port }) => port));
  stops.push(balancer.stop);
  if (cluster !== undefined) for (const { port } of servers) await looksAtCluster(port);
  return deployed(name, balancer.port, servers, cluster ?? null);
}

/** If the cluster lacks the served snapshot, the server reports it in /ready. */
async function looksAtCluster(port: number): Promise<void> {
  while ((await (await fetch(`http://127.0.0.1:${port}/ready`)).text()).includes('ENGINE_URL')) await pause(MS_BETWEEN_LOOKS);
}
