// The result of a build, and a copy of it in the cache folder. If no input has changed since, the next build returns that copy.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { version as engineVersion } from '@duckdb/node-api';
import { z } from 'zod';
import { readSealed, writeDurably, writeSealed } from '../../disk/durable.ts';
import { lakePaths } from '../../lake/layout.ts';
import { openLedger } from '../../lake/verified.ts';
import { Manifest } from '../../model/manifest.ts';
import { verifyFiles } from '../verify-files.ts';
import type { SnapshotPaths } from '../manifest.ts';
import { Reconciliation } from './reconciliations.ts';
import { verifyCopies } from '../server-copy.ts';
import { readStamps } from '../stamps.ts';

const BuiltTable = z.strictObject({
  name: z.string(),
  rows: z.int(),
  files: z.int(),
  newFiles: z.int(),
  /** Time to compute and to write. */
  milliseconds: z.number(),
});
export type BuiltTable = Readonly<z.infer<typeof BuiltTable>>;

/** A table between the lake and the published tables. */
export interface DerivedTable {
  readonly name: string;
  readonly rows: number;
  readonly milliseconds: number;
  /** Results reused from an earlier build, and results computed now. Null if the set is computed as a whole. */
  readonly results: { readonly reused: number; readonly computed: number } | null;
}

export interface BuiltSnapshot {
  readonly manifest: Manifest;
  /** In the order of the build. Empty if nothing had changed. */
  readonly derived: readonly DerivedTable[];
  readonly tables: readonly BuiltTable[];
  readonly reconciliations: readonly Reconciliation[];
  /** Problems that do not prevent the snapshot. */
  readonly warnings: readonly string[];
}

/** The inputs of a build. */
export interface Basis {
  readonly lakeRoot: string;
  readonly referenceDir: string;
  readonly version: string;
}

const Kept = z.strictObject({
  basis: z.string(),
  manifest: Manifest,
  tables: z.array(BuiltTable),
  reconciliations: z.array(Reconciliation),
  /** Milliseconds of its steps, and the code that made the computed ones. */
  times: z.strictObject({ code: z.string(), milliseconds: z.record(z.string(), z.number()) }).optional(),
});
type StepTimes = NonNullable<z.infer<typeof Kept>['times']>;

const keptFile = (cacheDir: string): string => join(cacheDir, 'last-build.json');

/**
 * SHA-256 of all inputs: the lake's files, the reference tables, all code and SQL (comments too), and the versions that run it.
 * Null if the lake has no list of its files.
 */
export async function basisHash({ lakeRoot, referenceDir, version }: Basis): Promise<string | null> {
  const { files } = await openLedger(lakePaths(lakeRoot));
  if (files === null) return null;
  const hash = createHash('sha256').update(
    `${version} ${process.arch} ${process.versions.node} ${process.versions.v8} ${engineVersion()}\n`,
  );
  for (const path of [...files.keys()].toSorted()) hash.update(`${path} ${files.get(path)?.sha256}\n`);
  const code = join(import.meta.dirname, '../..');
  for (const folder of [referenceDir, code, join(code, '../sql')]) {
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    for (const path of paths.toSorted())
      hash
        .update(`${path.slice(folder.length)}\n`)
        .update(await readFile(path))
        .update('\n');
  }
  return hash.digest('hex');
}

/** The result of the last build, if its inputs were the same and all of its files are whole. It becomes the candidate again. */
export async function builtBefore(cacheDir: string, paths: SnapshotPaths, basis: string): Promise<BuiltSnapshot | null> {
  const kept = await readKept(cacheDir);
  if (kept?.basis !== basis) return null;
  const { manifest, tables, reconciliations } = kept;
  const { snapshotId, resources } = manifest;
  const isWhole = await verifyFiles(paths, resources, `Snapshot ${snapshotId}`).then(
    () => true,
    () => false,
  );
  if (!isWhole) return null;
  const { isDatabaseWhole, arePacksWhole } = await verifyCopies(paths, snapshotId, await readStamps(paths, snapshotId));
  if (!isDatabaseWhole || !arePacksWhole) return null;
  await writeCandidate(paths, manifest);
  return {
    manifest,
    derived: [],
    tables: tables.map((table) => ({ ...table, newFiles: 0, milliseconds: 0 })),
    reconciliations,
    warnings: [],
  };
}

/** Failure is no error: without this file, the next build derives everything. */
export async function keepBuilt(
  cacheDir: string,
  basis: string,
  { manifest, tables, reconciliations }: BuiltSnapshot,
  times: StepTimes,
): Promise<void> {
  await writeSealed(keptFile(cacheDir), JSON.stringify({ basis, manifest, tables, reconciliations, times })).catch(() => undefined);
}

/** Null if the last build is not known. */
export async function timesBefore(cacheDir: string): Promise<StepTimes | null> {
  return (await readKept(cacheDir))?.times ?? null;
}

async function readKept(cacheDir: string): Promise<z.infer<typeof Kept> | null> {
  const body = await readSealed(keptFile(cacheDir)).catch(() => null);
  return body === null ? null : (Kept.safeParse(JSON.parse(body)).data ?? null);
}

export async function writeCandidate(paths: SnapshotPaths, manifest: Manifest): Promise<void> {
  await writeDurably(paths.candidate, `${JSON.stringify(manifest, null, 1)}\n`);
}
