// Step 3: lake → derived sets → a candidate snapshot.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { quote } from '../src/db/connect.ts';
import { refuseDisk } from '../src/disk/disk-error.ts';
import type { Effects } from '../src/effects.ts';
import type { Lake } from '../src/lake/lake.ts';
import { LAKE_TABLES } from '../src/lake/layout.ts';
import { refuseDamage } from '../src/lake/verified.ts';
import { type BuildOptions, buildSnapshot } from '../src/snapshot/build/build.ts';
import type { BuiltTable, DerivedTable } from '../src/snapshot/build/last-build.ts';
import type { Manifest } from '../src/model/manifest.ts';
import { snapshotPaths } from '../src/snapshot/manifest.ts';
import type { Reconciliation } from '../src/snapshot/build/reconciliations.ts';
import type { Step } from '../src/snapshot/build/relations.ts';
import type { ShardsReport, SharedShards } from '../src/snapshot/build/shards/share.ts';
import type { Workspace } from './workspace.ts';

export type OnStep = NonNullable<BuildOptions['onProgress']>;

export interface DeriveReport {
  readonly snapshotId: string;
  readonly knowledgeCutoff: string;
  readonly counts: Manifest['counts'];
  /** The computed relations, in order. */
  readonly derived: readonly DerivedTable[];
  readonly tables: readonly BuiltTable[];
  /** Each pair of sources with the same data: if they agree, and every value in which they differ. */
  readonly reconciliations: readonly Reconciliation[];
  readonly warnings: readonly string[];
  /** The parts made by several workers; null if this process computed everything. */
  readonly shards: ShardsReport | null;
}

/** Derives, and records a failed derivation as an attempt in the lake; a successful one is recorded by its snapshot. */
export async function deriveAttempt(
  lake: Lake,
  workspace: Workspace,
  effects: Pick<Effects, 'now'>,
  onProgress?: OnStep,
  shared: SharedShards | null = null,
): Promise<DeriveReport> {
  const startedAt = new Date(effects.now()).toISOString();
  try {
    await lake.rest();
    return await derive(workspace, effects, onProgress, undefined, shared);
  } catch (error) {
    refuseDisk(error);
    const finishedAt = new Date(effects.now()).toISOString();
    const message = error instanceof Error ? error.message : String(error);
    await lake.commit('asof', finishedAt, [{ table: 'attempts', select: failedAttempt(lake, startedAt, finishedAt, message) }]);
    throw error;
  }
}

/** The knowledge cutoff does not move with it: it comes from the newest collection. */
function failedAttempt(lake: Lake, startedAt: string, finishedAt: string, message: string): string {
  const given: Readonly<Record<string, string>> = {
    attempt_id: quote(`att_${createHash('sha256').update(`asof|${startedAt}`).digest('hex').slice(0, 26)}`),
    collected_at: `(select coalesce(max(coalesce(collected_at, finished_at)), ${quote(startedAt)}::timestamptz) from ${lake.paths.rows('attempts')})`,
    started_at: quote(startedAt),
    finished_at: quote(finishedAt),
    status: quote('failed'),
    error: quote(message),
  };
  const columns = Object.entries(LAKE_TABLES.attempts).map(
    ([name, type]) => `${given[name] ?? (type === 'bigint' ? '0' : 'null')}::${type} as ${name}`,
  );
  return `select ${columns.join(', ')}`;
}

export async function derive(
  workspace: Workspace,
  { now }: Pick<Effects, 'now'>,
  onProgress: OnStep = () => undefined,
  steps?: readonly Step[],
  shared: SharedShards | null = null,
): Promise<DeriveReport> {
  const lakeRoot = join(workspace.dataDir, 'lake');
  await refuseDamage(lakeRoot, { now: now() });
  const { manifest, derived, tables, reconciliations, warnings } = await buildSnapshot({
    lakeRoot,
    referenceDir: workspace.referenceDir,
    ...(steps === undefined ? {} : { steps }),
    paths: snapshotPaths(workspace.dataDir),
    limits: workspace.limits('derive'),
    version: workspace.version,
    cacheDir: join(workspace.dataDir, 'derived-cache'),
    sharing: shared?.sharing ?? null,
    forecastThreads: workspace.forecastThreads,
    now,
    onProgress,
  });
  return {
    snapshotId: manifest.snapshotId,
    knowledgeCutoff: manifest.knowledgeCutoff,
    counts: manifest.counts,
    derived,
    tables,
    reconciliations,
    warnings: [...(shared?.warnings ?? []), ...warnings],
    shards: shared?.report() ?? null,
  };
}
