// Manifests and the pointer on disk.
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { naming } from '../disk/disk-error.ts';
import { ifThere, namesIn } from '../disk/if-there.ts';
import { Manifest, type Resource } from '../model/manifest.ts';
import { KnownError } from '../known-error.ts';

/** The file that marks a data folder as the generated sample, whatever the folder is called and whoever opens it. */
export const SAMPLE_MARK = 'THIS_IS_THE_SAMPLE';

export const SCHEMA_VERSION = '9';

/** Another release wrote the snapshot. */
export class SchemaVersionError extends KnownError {
  constructor({ snapshotId, schemaVersion }: Pick<Manifest, 'snapshotId' | 'schemaVersion'>) {
    super(
      `Another release built snapshot ${snapshotId}: it has schema ${schemaVersion}, and this version reads ${SCHEMA_VERSION}. ` +
        'Run npm run derive and npm run publish, which rebuild it from the lake. For the sample, run npm start.',
    );
  }
}

/** The pointer names the current manifest and its hash. */
export const Pointer = z.strictObject({ snapshotId: z.string(), manifest: z.string(), sha256: z.string() });
export type Pointer = z.infer<typeof Pointer>;

/** SHA-256 of names, partitions and file hashes. Equal content has an equal hash, whichever run built it. */
export function contentHash(resources: readonly Resource[]): string {
  const lines = resources.map(
    (resource) => `${resource.table}|${JSON.stringify(resource.partition)}|${resource.hash}|${resource.rowCount}`,
  );
  return `sha256:${createHash('sha256').update(lines.sort().join('\n')).digest('hex')}`;
}

export function snapshotIdOf(hash: string): string {
  return `snap_${hash.replace('sha256:', '').slice(0, 20)}`;
}

export interface SnapshotPaths {
  readonly root: string;
  readonly files: string;
  readonly staging: string;
  /** Copies for servers; see server-copy.ts. */
  readonly served: string;
  readonly manifests: string;
  readonly manifest: (snapshotId: string) => string;
  readonly candidate: string;
  readonly pointer: string;
  /** Views of the current snapshot, for readers of the files; see build/named-files.ts. */
  readonly catalog: string;
  readonly dataPackage: string;
  /** The tables as Delta tables, one folder each; see delta/write.ts. */
  readonly delta: string;
  /** Atom feeds of the current snapshot; see build/feeds/write.ts. */
  readonly feeds: string;
  /** The lake from which snapshots are built. */
  readonly lake: string;
}

/** The feeds that the night writes. */
export const FEEDS = ['releases', 'revisions'] as const;

/** The files of the feeds, in their order. */
export const feedFiles = ({ feeds }: Pick<SnapshotPaths, 'feeds'>): readonly string[] => FEEDS.map((name) => join(feeds, `${name}.xml`));

/** @param dataDir the folder that holds all state */
export function snapshotPaths(dataDir: string): SnapshotPaths {
  const root = join(dataDir, 'snapshots');
  return {
    root,
    files: join(root, 'files'),
    staging: join(root, '.staging'),
    served: join(root, 'served'),
    manifests: join(root, 'manifests'),
    manifest: (snapshotId) => join(root, 'manifests', `${snapshotId}.json`),
    candidate: join(root, 'candidate.json'),
    pointer: join(dataDir, 'current.json'),
    catalog: join(dataDir, 'catalog.sql'),
    dataPackage: join(root, 'datapackage.json'),
    delta: join(root, 'delta'),
    feeds: join(dataDir, 'feeds'),
    lake: join(dataDir, 'lake'),
  };
}

/** Null if there is none. Throws if it is damaged, or if another release wrote it in an unknown form. */
export async function readManifest(path: string): Promise<Manifest | null> {
  const [text, seal] = [await readIfThere(path), await readIfThere(sealOf(path))];
  if (text === null) return null;
  const name = `manifests/${basename(path)}`;
  if (seal !== null && seal.trim() !== sha256Of(text)) throw new SnapshotDamageError(`snapshots/${name} is damaged. Run: npm run nightly.`);
  return parseManifest(text, name);
}

/** Each manifest has a file with its SHA-256, because the pointer has only the hash of the current one. */
export const sealOf = (manifest: string): string => manifest.replace(/\.json$/, '.sha256');

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Throws if there is none, or if it is damaged. */
export async function readCandidate(paths: SnapshotPaths): Promise<Manifest> {
  const text = await readIfThere(paths.candidate);
  if (text === null) throw new KnownError('There is no candidate to publish. Run: npm run derive.');
  return parseManifest(text, 'candidate.json', 'derive');
}

const Written = z.object({ snapshotId: z.string(), schemaVersion: z.string() });

/** Throws if it is damaged, or if another release wrote it. */
export function parseManifest(text: string, name: string, command: 'nightly' | 'derive' = 'nightly'): Manifest {
  const json = withTables(jsonOf(text));
  const { success, data, error } = Manifest.safeParse(json);
  if (success) return data;
  const written = Written.safeParse(json);
  if (written.success && written.data.schemaVersion !== SCHEMA_VERSION) throw new SchemaVersionError(written.data);
  throw new SnapshotDamageError(`snapshots/${name} is damaged. Run: npm run ${command}.`, { cause: error });
}

const Untabled = z.looseObject({
  resources: z.array(
    z.looseObject({
      name: z.string(),
      table: z.undefined().optional(),
      schema: z.looseObject({ fields: z.array(z.looseObject({ type: z.string() })) }),
    }),
  ),
});

/** Up to schema 5, a resource had its table's name, and there were no descriptions. */
function withTables(json: unknown): unknown {
  const { success, data } = Untabled.safeParse(json);
  if (!success) return json;
  const resources = data.resources.map((resource) => {
    const fields = resource.schema.fields.map((field) => ({ ...field, type: 'any', physicalType: field.type, description: '' }));
    return { ...resource, table: resource.name, description: '', type: 'file', schema: { fields, primaryKey: [] } };
  });
  return { ...data, resources };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A file of a snapshot is damaged. The message has the remedy. */
export class SnapshotDamageError extends KnownError {}

/** The current manifest, checked against the pointer's hash. Null before the first snapshot. */
export async function readCurrent(paths: SnapshotPaths): Promise<Manifest | null> {
  const text = await readIfThere(paths.pointer);
  if (text === null) return null;
  const pointer = parsePointer(text);
  const manifest = await readIfThere(join(paths.root, pointer.manifest));
  if (manifest === null)
    throw new SnapshotDamageError(`The manifest of ${pointer.snapshotId}, which current.json names, is missing. Run: npm run nightly.`);
  if (sha256Of(manifest) !== pointer.sha256)
    throw new SnapshotDamageError(
      `The manifest of ${pointer.snapshotId} no longer has the hash that current.json names. Run: npm run nightly.`,
    );
  return parseManifest(manifest, `manifests/${pointer.snapshotId}.json`);
}

/** A SchemaVersionError if another release wrote the current snapshot. Null otherwise, or if the manifest is unreadable. */
export async function schemaFault(paths: SnapshotPaths): Promise<SchemaVersionError | null> {
  try {
    const manifest = await readCurrent(paths);
    return manifest === null || manifest.schemaVersion === SCHEMA_VERSION ? null : new SchemaVersionError(manifest);
  } catch (error) {
    return error instanceof SchemaVersionError ? error : null;
  }
}

function parsePointer(text: string): Pointer {
  try {
    return Pointer.parse(JSON.parse(text));
  } catch (error) {
    throw new SnapshotDamageError('current.json is damaged. Run: npm run nightly.', { cause: error });
  }
}

/** Null for a damaged manifest or one of another release: such a snapshot cannot be served. Rethrows other errors. */
export function nullIfUnserved(error: unknown): null {
  if (error instanceof SnapshotDamageError || error instanceof SchemaVersionError) return null;
  throw error;
}

/**
 * The kept snapshots with a readable manifest, newest first.
 * @param onUnread receives the error of a manifest that cannot be read, which is then left out; without it the error is thrown
 */
export async function keptManifests(paths: SnapshotPaths, onUnread?: (error: unknown) => void): Promise<readonly Manifest[]> {
  const found: { readonly manifest: Manifest; readonly writtenAt: number }[] = [];
  for (const name of await namesIn(paths.manifests)) {
    const path = join(paths.manifests, name);
    const reading = name.endsWith('.json') ? readManifest(path).catch(nullIfUnserved) : null;
    const manifest =
      (await reading?.catch((error: unknown) => {
        if (onUnread === undefined) throw error;
        onUnread(error);
        return null;
      })) ?? null;
    if (manifest !== null) found.push({ manifest, writtenAt: (await stat(path)).mtimeMs });
  }
  return found
    .sort((a, b) =>
      a.manifest.created === b.manifest.created ? b.writtenAt - a.writtenAt : a.manifest.created < b.manifest.created ? 1 : -1,
    )
    .map(({ manifest }) => manifest);
}

/** Tables of the lake that record runs. A run that brought nothing writes them too. */
const LEDGERS: readonly string[] = ['attempts', 'fetches', 'ingestions', 'quarantine', 'resolutions'];
/** The files of this partition have no rows. */
const EMPTY_PARTITION = 'source_id=none';

/** True if there is a snapshot, or a lake to build one from. Then the folder counts as used, whatever its pointer says. */
export async function holdsData(paths: SnapshotPaths): Promise<boolean> {
  if ((await namesIn(paths.manifests)).length > 0) return true;
  for (const table of await namesIn(paths.lake)) {
    if (LEDGERS.includes(table)) continue;
    for (const partition of await namesIn(join(paths.lake, table))) {
      if (partition === EMPTY_PARTITION) continue;
      if (partition.endsWith('.parquet') || (await namesIn(join(paths.lake, table, partition))).some((name) => name.endsWith('.parquet')))
        return true;
    }
  }
  return false;
}

function readIfThere(path: string): Promise<string | null> {
  return ifThere(naming(path, () => readFile(path, 'utf8')));
}

/** Names of files that no manifest in `kept` lists. */
export async function unlistedFiles(paths: SnapshotPaths, kept: readonly Manifest[]): Promise<string[]> {
  const listed = new Set(kept.flatMap((manifest) => manifest.resources.map((resource) => resource.path.replace('files/', ''))));
  return (await readdir(paths.files)).filter((name) => !listed.has(name));
}
