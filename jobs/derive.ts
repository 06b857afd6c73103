// Step 3: lake → derived sets → a candidate snapshot.
import { join } from 'node:path';
import type { Effects } from '../src/effects.ts';
import { type BuiltTable, buildSnapshot, type DerivedTable } from '../src/snapshot/build.ts';
import type { Manifest } from '../src/model/manifest.ts';
import { snapshotPaths } from '../src/snapshot/manifest.ts';
import type { Step } from '../src/snapshot/relations.ts';
import type { Workspace } from './workspace.ts';

export interface DeriveReport {
  readonly snapshotId: string;
  readonly knowledgeCutoff: string;
  readonly counts: Manifest['counts'];
  /** What was computed on the way, in its order. */
  readonly derived: readonly DerivedTable[];
  readonly tables: readonly BuiltTable[];
}

export async function derive(
  workspace: Workspace,
  { now }: Pick<Effects, 'now'>,
  onProgress: (step: string, done: number, total: number) => void = () => undefined,
  steps?: readonly Step[],
): Promise<DeriveReport> {
  const { manifest, derived, tables } = await buildSnapshot({
    lakeRoot: join(workspace.dataDir, 'lake'),
    referenceDir: workspace.referenceDir,
    ...(steps === undefined ? {} : { steps }),
    paths: snapshotPaths(workspace.dataDir),
    limits: workspace.limits('derive'),
    version: workspace.version,
    cacheDir: join(workspace.dataDir, 'derived-cache'),
    now,
    onProgress,
  });
  return { snapshotId: manifest.snapshotId, knowledgeCutoff: manifest.knowledgeCutoff, counts: manifest.counts, derived, tables };
}
