// The one place that asks which deployment is wanted (DEPLOYMENT).
import { inject } from 'vitest';
import { engineUrlFor } from '../engine/cluster.ts';
import type { Deployment } from './deployment.ts';
import { folder } from './folder.ts';
import { freshDatabase, replicas } from './replicas.ts';

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
