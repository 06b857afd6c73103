// What a service is composed of in the tests: one place asks which deployment is wanted (DEPLOYMENT), and the suites that ask the interface are the
// same for each.
import type { Logger } from 'pino';
import { inject } from 'vitest';
import type { Metrics } from '../../src/metrics/metrics.ts';
import { engineUrlFor } from '../engine/cluster.ts';
import { folder } from './folder.ts';
import { freshDatabase, replicas } from './replicas.ts';

export interface Opening {
  readonly now: () => number;
  readonly log: Logger;
  /** Settings shared by all of its servers. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface Opened {
  /** Where requests go. */
  readonly port: number;
  /** Of the server, or of the first of several. */
  readonly metrics: Metrics | null;
  /** What has changed in the folder since, snapshot, grants and keys, is what the servers know. */
  readonly follow: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface Deployment {
  /** Serves what is published in a folder. */
  readonly open: (dataDir: string, opening: Opening) => Promise<Opened>;
}

/** The one that DEPLOYMENT names, on the servers that test/deployments/servers.ts has started for this run. */
export async function chosenDeployment(): Promise<Deployment> {
  const servers = inject('deploymentServers');
  if (servers === null) return folder;
  Object.assign(process.env, servers.environment);
  return replicas({
    snapshotUrl: `${servers.snapshotUrl}/${crypto.randomUUID()}`,
    redisUrl: await freshDatabase(servers.redisPort),
    load: servers.hasCluster ? engineUrlFor : null,
  });
}
