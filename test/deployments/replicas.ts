// Three servers on folders of their own, which follow a store, behind a balancer: what is in the folder is sent as an operator would send it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { sendKeys, sendSnapshot } from '../../jobs/sending/push.ts';
import { readConfig } from '../../src/config.ts';
import { serve } from '../../src/http/server.ts';
import { ownSecret } from '../../src/keys/secret.ts';
import { openService } from '../../src/service.ts';
import { readCurrent, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { type Balancer, openBalancer } from './balancer.ts';
import type { Deployment, Opening } from './deployment.ts';

const REPLICAS = 3;
const SNAPSHOTS_KEPT = 5;

export interface ReplicasOptions {
  /** A place of its own. */
  readonly snapshotUrl: string;
  /** Null where each counts for itself. */
  readonly redisUrl: string | null;
  /** Loads what is published in a folder into a cluster, whose ENGINE_URL it resolves with; null where servers answer all by themselves. */
  readonly load?: ((dataDir: string) => Promise<string>) | null;
  /** The one of the tests, unless it is another. */
  readonly balance?: (ports: () => readonly number[]) => Promise<Balancer>;
}

export function replicas({ snapshotUrl, redisUrl, load = null, balance = openBalancer }: ReplicasOptions): Deployment {
  return {
    async open(dataDir, { now, log, environment }) {
      const send = async () => {
        const engineUrl = await load?.(dataDir);
        const publishing = (await readCurrent(snapshotPaths(dataDir))) === null ? join(dataDir, 'sample') : dataDir;
        await sendSnapshot({ dataDir: publishing, snapshotUrl }, { keep: SNAPSHOTS_KEPT, now: Date.now() });
        await sendKeys({ dataDir, snapshotUrl });
        return engineUrl;
      };
      const engineUrl = await send();
      const shared = {
        ...environment,
        SNAPSHOT_URL: snapshotUrl,
        ENGINE_URL: engineUrl,
        CURSOR_SECRET: await ownSecret(dataDir),
        TRUST_PROXY: 'true',
        ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
      };
      const all = await Promise.all(Array.from({ length: REPLICAS }, () => openReplica({ now, log, environment: shared })));
      const balancer = await balance(() => all.map(({ port }) => port));
      return {
        port: balancer.port,
        metrics: all[0]?.metrics ?? null,
        async follow() {
          await send();
          for (const one of all) await one.follow();
        },
        async stop() {
          await balancer.stop();
          for (const one of all) await one.stop();
        },
      };
    },
  };
}

async function openReplica({ now, log, environment }: Opening) {
  const dataDir = await mkdtemp(join(tmpdir(), 'asof-replica-'));
  const { app, store, follower, metrics, close } = await openService(readConfig({ ...environment, DATA_DIR: dataDir }), { now, log });
  const follow = async () => {
    await follower?.follow();
    const problem = follower?.problem() ?? null;
    if (problem !== null) throw new Error(`a replica does not follow: ${problem}`);
    await store.follow();
    const { isReady, reason, warnings } = store.readiness();
    if (!isReady || warnings.length > 0) throw new Error(`a replica is not as it should be: ${[reason, ...warnings].join(' ')}`);
  };
  await follow();
  const served = await serve(app, { host: '127.0.0.1', port: 0 }, now);
  return {
    port: served.port,
    metrics,
    follow,
    async stop() {
      await served.stop(0);
      await close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A database of Redis that no other service of this run counts in. */
export async function freshDatabase(port: number): Promise<string> {
  const client = new Redis(port, '127.0.0.1');
  try {
    return `redis://127.0.0.1:${port}/${await client.incr('databases')}`;
  } finally {
    client.disconnect();
  }
}
