// The feeds of the current snapshot, after it is published.
import { type FeedsReport, writeFeeds } from '../src/snapshot/build/feeds/write.ts';
import { readCurrent, snapshotPaths } from '../src/snapshot/manifest.ts';
import { KnownError } from '../src/known-error.ts';
import type { Workspace } from './workspace.ts';

/** Throws a KnownError if nothing is published. A feed that cannot be written is in the report. */
export async function writeCurrentFeeds({ dataDir, limits, publicUrl }: Workspace): Promise<FeedsReport> {
  const paths = snapshotPaths(dataDir);
  const manifest = await readCurrent(paths);
  if (manifest === null) throw new KnownError(`Nothing is published in ${dataDir}. Run npm run nightly.`);
  return writeFeeds(paths, manifest, { limits: limits('feeds'), publicUrl });
}
