// Step 1: a folder of payloads → the raw archive. Every file is accounted for: archived, seen before, or unclaimed.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RawArchive } from '../src/archive/raw-archive.ts';
import { listFiles } from '../src/disk/durable.ts';
import type { Effects } from '../src/effects.ts';
import { membersIn } from '../src/sources/readers/zip.ts';
import type { Source } from '../src/sources/source.ts';
import { UpstreamError } from '../src/sources/upstream-error.ts';
import { refuseFutureArchive } from './clock.ts';
import { receive } from './receive.ts';
import { KnownError } from '../src/known-error.ts';

// A body is in memory while it is hashed and read.
const MAX_BYTES = 512 * 1024 * 1024;

/** The limit for a member of a container; the largest known ones have 20 MB. */
const MAX_MEMBER_BYTES = 128 * 1024 * 1024;
/** The limit for files that nobody requested. */
const UNASKED = { url: null, httpStatus: null, etag: null, lastModified: null } as const;

export interface CollectedFile {
  readonly sourceId: string;
  readonly key: string;
  readonly bytes: number;
  readonly isNew: boolean;
  /** The reason why the file could not be archived; null if it was. */
  readonly problem: string | null;
}

export interface CollectReport {
  readonly retrievedAt: string;
  readonly files: readonly CollectedFile[];
  /** Files of the folder that no source claims. */
  readonly unclaimed: readonly string[];
}

/** @param mirror folder of payloads, in the layout that `Source.owns` knows */
export async function collect(
  sources: readonly Source[],
  archive: RawArchive,
  mirror: string,
  effects: Pick<Effects, 'now'>,
  onProgress: (done: number, total: number, path: string) => void = () => undefined,
): Promise<CollectReport> {
  await refuseFutureArchive(sources, archive, effects.now());
  // One instant for the whole folder: its files arrived together, and none is known to be newer.
  const retrievedAt = new Date(effects.now()).toISOString();
  const paths = await filesOf(mirror);
  if (!paths.some((path) => sources.some((source) => source.owns(path) || source.container?.(path) !== undefined))) {
    throw new KnownError(
      `No file of ${mirror} belongs to a source (found: ${paths.length}). Name the folders and files as docs/reference/sources.md lists them.`,
    );
  }
  const files: CollectedFile[] = [];
  const unclaimed: string[] = [];
  for (const [index, path] of paths.entries()) {
    const source = sources.find((candidate) => candidate.owns(path));
    const holder = sources.find((candidate) => candidate.container?.(path) !== undefined);
    if (source !== undefined) files.push(await archiveFile(source, archive, mirror, path, retrievedAt));
    else if (holder !== undefined) for await (const file of archiveMembers(holder, archive, mirror, path, retrievedAt)) files.push(file);
    else unclaimed.push(path);
    onProgress(index + 1, paths.length, path);
  }
  await recordCollections(archive, retrievedAt, files);
  return { retrievedAt, files, unclaimed };
}

/** A source without files in the folder was not collected. */
async function recordCollections(archive: RawArchive, retrievedAt: string, files: readonly CollectedFile[]): Promise<void> {
  for (const sourceId of new Set(files.map((file) => file.sourceId))) {
    const failed = files.find((file) => file.sourceId === sourceId && file.problem !== null);
    const problem = failed === undefined ? null : `${failed.key} was not archived: it ${failed.problem}.`;
    await archive.recordCollection(sourceId, { retrievedAt, problem });
  }
}

async function filesOf(mirror: string): Promise<string[]> {
  try {
    return await listFiles(mirror);
  } catch (error) {
    throw new KnownError(`The folder ${mirror} cannot be read. Check its path and its permissions.`, { cause: error });
  }
}

/** Archives the intact members of a container even if a later one is damaged, because each is an answer of its own. */
async function* archiveMembers(
  source: Source,
  archive: RawArchive,
  mirror: string,
  path: string,
  retrievedAt: string,
): AsyncGenerator<CollectedFile> {
  const keyOf = source.container?.(path);
  let taken = 0;
  try {
    for await (const member of membersIn(source.id, join(mirror, path), MAX_MEMBER_BYTES)) {
      const key = keyOf?.(member.name) ?? null;
      if (key === null) continue;
      const { isNew } = await receive(source, archive, { key, body: await member.read(), retrievedAt, ...UNASKED });
      taken += 1;
      yield { sourceId: source.id, key, bytes: member.bytes, isNew, problem: null };
    }
    if (taken === 0) throw new UpstreamError(source.id, 'it has no file that this version reads');
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    yield { sourceId: source.id, key: path, bytes: 0, isNew: false, problem: `could not be read to its end: ${error.message}` };
  }
}

async function archiveFile(source: Source, archive: RawArchive, mirror: string, path: string, retrievedAt: string): Promise<CollectedFile> {
  const bytes = (await stat(join(mirror, path))).size;
  const file = { sourceId: source.id, key: path, bytes };
  if (bytes > MAX_BYTES) return { ...file, isNew: false, problem: `has ${bytes} bytes; the limit of a payload is ${MAX_BYTES}` };
  const body = await readFile(join(mirror, path));
  const { isNew } = await receive(source, archive, { key: path, body, retrievedAt, ...UNASKED });
  return { ...file, isNew, problem: null };
}
