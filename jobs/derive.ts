// Step 3: lake → derived sets → a candidate snapshot.
import { join } from 'node:path';
import { derivedIndicators } from '../src/derived/index.ts';
import { type BuiltTable, buildSnapshot } from '../src/snapshot/build.ts';
import type { Manifest } from '../src/model/manifest.ts';
import { snapshotPaths } from '../src/snapshot/manifest.ts';
import type { Workspace } from './workspace.ts';

export interface DeriveReport {
  readonly snapshotId: string;
  readonly knowledgeCutoff: string;
  readonly counts: Manifest['counts'];
  readonly tables: readonly BuiltTable[];
}

export async function derive(
  workspace: Workspace,
  onProgress: (step: string, done: number, total: number) => void = () => undefined,
): Promise<DeriveReport> {
  const { manifest, tables } = await buildSnapshot({
    lakeRoot: join(workspace.dataDir, 'lake'),
    referenceDir: workspace.referenceDir,
    derived: derivedIndicators,
    paths: snapshotPaths(workspace.dataDir),
    limits: workspace.limits('derive'),
    version: workspace.version,
    onProgress,
  });
  return { snapshotId: manifest.snapshotId, knowledgeCutoff: manifest.knowledgeCutoff, counts: manifest.counts, tables };
}
