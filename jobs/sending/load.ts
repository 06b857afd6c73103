// The current snapshot → the cluster that ENGINE_URL names.
import { join } from 'node:path';
import type { Config } from '../../src/config.ts';
import { random } from '../../src/effects.ts';
import { piecesOf } from '../../src/disk/durable.ts';
import { ClusterError, openCluster } from '../../src/engine/connection.ts';
import { type LoadReport, loadSnapshot } from '../../src/engine/load.ts';
import { readCurrent, snapshotPaths } from '../../src/snapshot/manifest.ts';
import type { Workspace } from '../workspace.ts';
import { KnownError } from '../../src/known-error.ts';

interface LoadInto {
  readonly now: () => number;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Throws a KnownError without a cluster or a published snapshot, and if the load failed. */
export async function loadCurrent(
  config: Pick<Config, 'dataDir' | 'engineUrl' | 'snapshotUrl' | 'snapshotsKept'>,
  workspace: Workspace,
  { now, onProgress }: LoadInto,
): Promise<LoadReport> {
  if (config.engineUrl === null) throw new KnownError('Set ENGINE_URL to the cluster: https://user:password@host:8443/database.');
  // A following machine has the published snapshots in its replica.
  const paths = await currentPaths(config);
  const manifest = await readCurrent(paths);
  if (manifest === null) throw new KnownError(`Nothing is published in ${config.dataDir}, so nothing was loaded. Run: npm run nightly.`);
  const cluster = openCluster(config.engineUrl);
  try {
    return await loadSnapshot(cluster, manifest, {
      pathOf: ({ path }) => join(paths.root, path),
      read: piecesOf,
      keep: config.snapshotsKept,
      now,
      random,
      limits: workspace.limits('load'),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
  } catch (error) {
    if (error instanceof ClusterError)
      throw new KnownError(
        `${manifest.snapshotId} was not loaded: ${error.detail}. Earlier snapshots stay loaded. Run npm run load again.`,
      );
    throw error;
  } finally {
    await cluster.close();
  }
}

async function currentPaths({ dataDir, snapshotUrl }: Pick<Config, 'dataDir' | 'snapshotUrl'>) {
  const own = snapshotPaths(dataDir);
  if (snapshotUrl === null || (await readCurrent(own)) !== null) return own;
  return snapshotPaths(join(dataDir, 'replica'));
}

/** One line. */
export function loadedText({ snapshotId, isNew, rows, bytes }: LoadReport): string {
  return isNew
    ? `${snapshotId} was loaded into the cluster: ${rows} rows (${(bytes / 1e6).toFixed(1)} MB).`
    : `${snapshotId} was already loaded; nothing changed.`;
}
