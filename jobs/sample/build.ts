// The sample in a folder of its own, <dataDir>/sample, with its own raw archive, lake and snapshots: it never mixes with real data.
import { existsSync, rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onInterruption } from '../../src/disk/interruption.ts';
import type { Effects } from '../../src/effects.ts';
import { grantFile, grantRights } from '../../src/rights/grant-file.ts';
import { SAMPLE_MARK, schemaFault, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { publish, type PublishReport } from '../../src/snapshot/build/publish.ts';
import { sources } from '../../src/sources/index.ts';
import { writeCurrentFeeds } from '../feeds.ts';
import { collect, type CollectReport } from '../collect.ts';
import { derive } from '../derive.ts';
import { normalise, type SourceReport } from '../normalise.ts';
import { type OnProgress, placeOf } from '../reporting/progress.ts';
import { type Settings, openWorkspace, type Workspace } from '../workspace.ts';
import { samplePayloads } from './index.ts';

type Options = Omit<Settings, 'dataDir'>;

export interface SampleReport {
  /** `<dataDir>/sample`: the folder for readers. */
  readonly dataDir: string;
  /** False if the sample existed before. */
  readonly isNew: boolean;
  /** True if another release had published it: then a snapshot of this release was made from its lake. */
  readonly isRenewed: boolean;
  readonly collect: CollectReport | null;
  readonly sources: readonly SourceReport[];
  readonly publish: PublishReport | null;
}

/** Invented prices may be redistributed, and so may every multiple and score. */
const INVENTED = {
  sourceId: 'quotes',
  note: 'Invented numbers of the sample: no vendor has rights in them.',
  until: null,
  redistribute: true,
};

// Invented data have no address.
const inventedSources = sources.map((source) => ({ ...source, address: () => null }));

const sampleIn = (dataDir: string) => join(dataDir, 'sample');

/** True if the sample is complete and this release reads it. */
export async function hasSample(dataDir: string): Promise<boolean> {
  const paths = snapshotPaths(sampleIn(dataDir));
  return existsSync(paths.pointer) && (await schemaFault(paths)) === null;
}

/**
 * Builds the sample unless it exists; if another release published it, builds only the snapshot again. After a kill the next call finishes: the files
 * written so far are the same and are kept. Throws a LakeLockedError while another process builds it.
 */
export async function buildSample(
  dataDir: string,
  options: Options,
  effects: Effects,
  onProgress: OnProgress = () => undefined,
): Promise<SampleReport> {
  const sampleDir = sampleIn(dataDir);
  const paths = snapshotPaths(sampleDir);
  const there: SampleReport = { dataDir: sampleDir, isNew: false, isRenewed: false, collect: null, sources: [], publish: null };
  const stands = () => hasSample(dataDir);
  if (await stands()) return there;
  const workspace = openWorkspace({ ...options, dataDir: sampleDir });
  const lake = await workspace.openLake();
  try {
    // Another process may have finished it before this one got the lock.
    if (await stands()) return there;
    await writeFile(join(sampleDir, SAMPLE_MARK), 'All numbers in this folder are invented.\n');
    const deriveAndPublish = async (isLossAccepted: boolean) => {
      await derive(workspace, effects, (step, done, total, left) => onProgress('derive', step, done, total, undefined, left));
      const published = await publish(paths, options.snapshotsKept, { isLossAccepted });
      await writeCurrentFeeds(workspace);
      onProgress('publish', published.snapshotId, 1, 1);
      return published;
    };
    // The earlier sample stays as it is: its vintages and cursors continue.
    if (existsSync(paths.pointer)) return { ...there, isRenewed: true, publish: await deriveAndPublish(true) };
    const collected = await collectInvented(workspace, effects, (done, total, path) => onProgress('collect', path, done, total));
    const reports = await normalise(inventedSources, workspace.archive, lake, effects, {
      referenceDir: options.referenceDir,
      codeRevision: workspace.version,
      onProgress: (sourceId, done, total, left) => onProgress('normalise', sourceId, done, total, placeOf(inventedSources, sourceId), left),
    });
    await grantRights(grantFile(sampleDir), INVENTED, 'asof', effects.now());
    return { ...there, isNew: true, collect: collected, sources: reports, publish: await deriveAndPublish(false) };
  } finally {
    await lake.close();
  }
}

/** The archive takes files from a mirror folder; this one exists only for that. */
async function collectInvented(
  workspace: Workspace,
  effects: Pick<Effects, 'now'>,
  onProgress: (done: number, total: number, path: string) => void,
): Promise<CollectReport> {
  const mirror = join(workspace.dataDir, 'mirror');
  const forget = onInterruption(() => rmSync(mirror, { recursive: true, force: true }));
  await rm(mirror, { recursive: true, force: true });
  for (const { path, body } of samplePayloads(effects.now())) {
    const file = join(mirror, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, body);
  }
  const collected = await collect(inventedSources, workspace.archive, mirror, effects, onProgress);
  await rm(mirror, { recursive: true, force: true });
  forget();
  return collected;
}
