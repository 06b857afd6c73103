// Two snapshots of the sample, as two evenings brought them: no row of one is a row of the other. Published by turns they show what is mixed.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSample } from '../jobs/sample/build.ts';
import { type SnapshotPaths, snapshotPaths } from '../src/snapshot/manifest.ts';
import { SILENT } from './pipeline.ts';
import { SAMPLE_TIME } from './service.ts';

const ROOT = join(import.meta.dirname, '..');
/** Older ones are taken away, as a night does. */
const SNAPSHOTS_KEPT = 5;
const COPIES_KEPT = 2;

/** Builds the sample of the evening after beside, and brings its snapshot into the folder of the first. Resolves with the ids of both. */
export async function twoEvenings(dataDir: string): Promise<readonly [string, string]> {
  const options = { referenceDir: join(ROOT, 'data/reference'), engineThreads: 2, engineMemory: '600MB', snapshotsKept: 5 };
  const folder = `${dataDir}-other`;
  const effects = { now: () => Date.parse(SAMPLE_TIME) + 12 * 3_600_000, log: SILENT };
  const { dataDir: other } = await buildSample(folder, options, effects);
  const idIn = (root: string) =>
    (JSON.parse(readFileSync(snapshotPaths(root).pointer, 'utf8')) as { readonly snapshotId: string }).snapshotId;
  for (const part of ['files', 'served', 'manifests'] as const)
    cpSync(join(other, 'snapshots', part), join(dataDir, 'snapshots', part), { recursive: true, force: false });
  const evenings = [idIn(dataDir), idIn(other)] as const;
  if (evenings[0] === evenings[1]) throw new Error('the two evenings brought the same');
  rmSync(folder, { recursive: true });
  return evenings;
}

const linked = (paths: SnapshotPaths, from: string, to: string) => {
  for (const ending of ['duckdb', 'packs', 'json']) {
    const file = join(paths.served, `${from}.${ending}`);
    if (existsSync(file)) linkSync(file, join(paths.served, `${to}.${ending}`));
  }
};

const idOf = (number: number) => `snap_${number.toString(16).padStart(20, '0')}`;

/** One evening's snapshot, then the other's, under a new id, with its copy for servers, as a night leaves it; those that are too old go. */
export function publishEvening(dataDir: string, evenings: readonly string[], number: number): string {
  const paths = snapshotPaths(dataDir);
  const [evening = '', snapshotId] = [evenings[number % evenings.length], idOf(number)];
  const text = JSON.stringify({ ...(JSON.parse(readFileSync(paths.manifest(evening), 'utf8')) as object), snapshotId });
  linked(paths, evening, snapshotId);
  writeFileSync(paths.manifest(snapshotId), text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  writeFileSync(`${paths.pointer}.new`, JSON.stringify({ snapshotId, manifest: `manifests/${snapshotId}.json`, sha256 }));
  renameSync(`${paths.pointer}.new`, paths.pointer);
  rmSync(paths.manifest(idOf(number - SNAPSHOTS_KEPT)), { force: true });
  for (const ending of ['duckdb', 'packs', 'json']) rmSync(join(paths.served, `${idOf(number - COPIES_KEPT)}.${ending}`), { force: true });
  return snapshotId;
}
