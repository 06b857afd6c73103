// What the deployment that DEPLOYMENT asks for needs beside its own servers, started once for a run: a bucket, and Redis.
import { spawn, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { Redis } from 'ioredis';
import type { TestProject } from 'vitest/node';
import { NO_CLUSTER } from '../engine/cluster.ts';
import { freePort } from '../free-port.ts';
import { bucketStore, hasBucket, NO_BUCKET } from '../objects/stores.ts';

export interface DeploymentServers {
  readonly snapshotUrl: string;
  readonly redisPort: number;
  /** Whether heavy questions go to a cluster of ClickHouse. Each process that runs tests starts its own. */
  readonly hasCluster: boolean;
  /** What the client of the bucket reads. */
  readonly environment: Readonly<Record<string, string>>;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Null for one server on a folder. */
    deploymentServers: DeploymentServers | null;
  }
}

const DEPLOYMENTS = ['folder', 'bucket', 'cluster'] as const;
/** A database for each service that a run starts. */
const DATABASES = 10_000;

/** Throws where a deployment is asked for whose servers are not installed. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const asked = process.env['DEPLOYMENT'] ?? 'folder';
  if (!DEPLOYMENTS.some((one) => one === asked)) throw new RangeError(`DEPLOYMENT is one of ${DEPLOYMENTS.join(', ')}; it was ${asked}`);
  if (asked === 'folder') {
    project.provide('deploymentServers', null);
    return () => Promise.resolve();
  }
  if (!hasBucket) throw new Error(`DEPLOYMENT=${asked} needs a server of S3: ${NO_BUCKET}`);
  if (spawnSync('redis-server', ['--version']).status !== 0)
    throw new Error(`DEPLOYMENT=${asked} needs redis-server, which is not installed: apt-get install redis-server`);
  const hasCluster = asked === 'cluster';
  if (hasCluster && NO_CLUSTER !== null) throw new Error(`DEPLOYMENT=${asked} needs ClickHouse: ${NO_CLUSTER}`);
  const bucket = await bucketStore();
  const redis = await redisServer();
  project.provide('deploymentServers', { snapshotUrl: bucket.fresh(), redisPort: redis.port, hasCluster, environment: bucket.environment });
  return async () => {
    await redis.stop();
    await bucket.stop();
  };
}

export async function redisServer(): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> {
  const port = await freePort();
  const options = ['--bind', '127.0.0.1', '--save', '', '--dir', tmpdir(), '--databases', String(DATABASES)];
  const child = spawn('redis-server', ['--port', String(port), ...options], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  await client.ping();
  client.disconnect();
  return {
    port,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
