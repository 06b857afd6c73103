// The current snapshot of a data folder, for commands that read its files.
import { join } from 'node:path';
import type { Manifest } from '../../src/model/manifest.ts';
import { readCurrent, type SnapshotPaths, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { KnownError } from '../../src/known-error.ts';

/** The same choice as a server's: real data if there are any, else the sample. */
export async function currentOf(dataDir: string): Promise<{ readonly paths: SnapshotPaths; readonly manifest: Manifest }> {
  for (const folder of [dataDir, join(dataDir, 'sample')]) {
    const paths = snapshotPaths(folder);
    const manifest = await readCurrent(paths);
    if (manifest !== null) return { paths, manifest };
  }
  throw new KnownError(`Nothing is published in ${dataDir}. Load data with npm run nightly, or create the sample with npm start.`);
}
