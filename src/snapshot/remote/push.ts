// Sends the current snapshot to an object store, which other servers follow. Files go first, then the manifest, then `current.json` if
// nobody changed it meanwhile. So of two writers one wins, and no reader sees half a snapshot.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import PQueue from 'p-queue';
import { z } from 'zod';
import { sha256OfFile, writeDurably } from '../../disk/durable.ts';
import { ifThere } from '../../disk/if-there.ts';
import type { ObjectStore } from '../../objects/store.ts';
import { type Manifest, Resource } from '../../model/manifest.ts';
import { keptManifests, type Pointer, readCurrent, sha256Of, SnapshotDamageError, type SnapshotPaths } from '../manifest.ts';
import { COPIES_KEPT, type CopySeal, readCopySeal, verifyCopies } from '../server-copy.ts';
import {
  COPIES,
  CURRENT,
  FILES,
  filesOf,
  type Followed,
  manifestName,
  MANIFESTS,
  readRemote,
  type RemoteSnapshot,
  sentCopies,
  type SentFile,
  wholeQueue,
} from './bucket.ts';
import { KnownError } from '../../known-error.ts';

export interface PushOptions {
  /** How many snapshots stay in the store, the new one included. */
  readonly keep: number;
  readonly now: number;
  /** Replaces a snapshot that another writer has published. */
  readonly isReplacing?: boolean;
  /** Reads existing objects back and resends damaged ones. Without it, only sizes are compared. */
  readonly isVerifying?: boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface PushReport {
  readonly snapshotId: string;
  /** False if the snapshot is already current in the store. */
  readonly isNew: boolean;
  readonly sentFiles: number;
  readonly sentBytes: number;
  readonly removedObjects: number;
  readonly keptSnapshots: readonly string[];
}

const AT_ONCE = 4;
/** An unreferenced object younger than this may belong to another writer that has not written its pointer yet. */
const GRACE_MS = 24 * 3600 * 1000;

/**
 * Throws a KnownError if nothing is published here, or if another writer's snapshot is current there. Throws a SnapshotDamageError
 * if a file of the
 * snapshot is damaged, and a KnownError if the store fails. In each case the store's current snapshot stays.
 */
export async function push(paths: SnapshotPaths, store: ObjectStore, options: PushOptions): Promise<PushReport> {
  const manifest = await readCurrent(paths);
  if (manifest === null) throw new KnownError('There is no snapshot to send. Run: npm run nightly.');
  const remote = await readRemote(store);
  refuseForeign(store, remote, await ownSnapshots(paths, store, manifest), options);
  const text = await readFile(paths.manifest(manifest.snapshotId), 'utf8');
  const there = new Map([...(await store.list(FILES)), ...(await store.list(COPIES))].map((one) => [one.name, one.bytes]));
  const pointer = { ...pointerOf(manifest.snapshotId, text), copies: await copiesToSend(paths, manifest.snapshotId, there) };
  const sent = await sendFiles(paths, store, filesOf(paths, pointer, manifest.resources), there, options);
  const before = remote === null ? [] : [remote.pointer, ...remote.pointer.kept];
  const isNew = before[0] === undefined || JSON.stringify(entryOf(before[0])) !== JSON.stringify(pointer);
  const kept = before
    .filter((one) => one.snapshotId !== manifest.snapshotId)
    .slice(0, options.keep - 1)
    .map(entryOf)
    .map((one, at) => (at + 1 < COPIES_KEPT ? one : { ...one, copies: null }));
  await sendManifest(paths, store, pointer);
  // The list must not name snapshots that are no longer kept, because their objects are deleted.
  const isSame = remote !== null && JSON.stringify(before.map(entryOf)) === JSON.stringify([pointer, ...kept]);
  if (!isSame) await commit(store, `${JSON.stringify({ ...pointer, kept }, null, 1)}\n`, remote);
  await writeDurably(sentFile(paths), `${JSON.stringify({ address: store.address, snapshotId: manifest.snapshotId })}\n`);
  const removed = await removeOld(paths, store, [pointer, ...kept], options.now - GRACE_MS);
  return {
    snapshotId: manifest.snapshotId,
    isNew,
    ...sent,
    removedObjects: removed,
    keptSnapshots: [pointer, ...kept].map(({ snapshotId }) => snapshotId),
  };
}

const entryOf = ({ snapshotId, manifest, sha256, copies }: RemoteSnapshot): RemoteSnapshot => ({ snapshotId, manifest, sha256, copies });

/** The seal of the copies for servers. Null if they are not in the store and not intact here. */
async function copiesToSend(paths: SnapshotPaths, snapshotId: string, there: ReadonlyMap<string, number>): Promise<CopySeal | null> {
  const seal = await readCopySeal(paths, snapshotId);
  if (seal === null || sentCopies(paths, snapshotId, seal).every(({ name, bytes }) => there.get(name) === bytes)) return seal;
  const { isDatabaseWhole, arePacksWhole } = await verifyCopies(paths, snapshotId);
  return isDatabaseWhole && arePacksWhole ? seal : null;
}

function pointerOf(snapshotId: string, text: string): Pointer {
  const sha256 = sha256Of(text);
  return { snapshotId, manifest: manifestName({ snapshotId, sha256 }), sha256 };
}

/** The last snapshot that this folder sent. It may be older than every kept snapshot. */
const sentFile = (paths: SnapshotPaths): string => join(paths.root, 'sent.json');
const Sent = z.object({ address: z.string(), snapshotId: z.string() });

/** The snapshot, its predecessors here, and the last sent one. */
async function ownSnapshots(paths: SnapshotPaths, { address }: ObjectStore, manifest: Manifest): Promise<ReadonlySet<string>> {
  const known = new Map((await keptManifests(paths)).map((one) => [one.snapshotId, one]));
  const own = new Set<string>();
  let id: string | null = manifest.snapshotId;
  while (id !== null && !own.has(id)) {
    own.add(id);
    id = known.get(id)?.previousSnapshotId ?? null;
  }
  const { data } = Sent.safeParse(jsonOf((await ifThere(readFile(sentFile(paths), 'utf8'))) ?? ''));
  return data?.address === address ? own.add(data.snapshotId) : own;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function refuseForeign(
  { address }: ObjectStore,
  remote: Followed | null,
  own: ReadonlySet<string>,
  { isReplacing = false }: PushOptions,
): void {
  if (remote === null || isReplacing || own.has(remote.pointer.snapshotId)) return;
  throw new KnownError(
    `${address} has ${remote.pointer.snapshotId}, which another machine published. ` +
      'Give each machine its own prefix, or replace it with: npm run push -- --replace',
  );
}

/** An object with the right name and size is not read again, here or there, unless you ask for it. */
async function sendFiles(
  paths: SnapshotPaths,
  store: ObjectStore,
  files: readonly SentFile[],
  there: ReadonlyMap<string, number>,
  { isVerifying = false, onProgress = () => undefined }: PushOptions,
): Promise<Pick<PushReport, 'sentFiles' | 'sentBytes'>> {
  const missing: SentFile[] = [];
  for (const file of files)
    if (there.get(file.name) !== file.bytes || (isVerifying && !(await isWholeThere(paths, store, file)))) missing.push(file);
  await store.remove(missing.flatMap(({ name }) => (there.has(name) ? [name] : [])));
  let [done, sentBytes] = [0, 0];
  const queue = new PQueue({ concurrency: AT_ONCE });
  const sending = missing.map(({ name, path, bytes, sha256 }) =>
    queue.add(async () => {
      if ((await ifThere(sha256OfFile(path))) !== sha256)
        throw new SnapshotDamageError(
          `snapshots/${relative(paths.root, path)} is missing or no longer has its hash. Run: npm run nightly.`,
        );
      await store.upload(name, path, sha256);
      done += 1;
      sentBytes += bytes;
      onProgress(done, missing.length);
    }),
  );
  await wholeQueue(queue, sending);
  return { sentFiles: missing.length, sentBytes };
}

async function sendManifest(paths: SnapshotPaths, store: ObjectStore, { manifest, snapshotId, sha256 }: Pointer): Promise<void> {
  const there = await store.read(manifest);
  if (there !== null && sha256Of(there.text) !== sha256) await store.remove([manifest]);
  await store.upload(manifest, paths.manifest(snapshotId), sha256);
}

async function isWholeThere(paths: SnapshotPaths, store: ObjectStore, { name, sha256 }: SentFile): Promise<boolean> {
  const back = join(paths.staging, `back-${basename(name)}`);
  await mkdir(paths.staging, { recursive: true });
  try {
    return (await store.download(name, back)) === sha256;
  } finally {
    await rm(back, { force: true });
  }
}

/** A lost answer may have been a success, so read the pointer. */
async function commit(store: ObjectStore, text: string, remote: Followed | null): Promise<void> {
  if (await store.commit(CURRENT, text, remote?.version ?? null)) return;
  if ((await store.read(CURRENT))?.text === text) return;
  throw new KnownError(
    `Another machine published to ${store.address} at the same time, and its snapshot is current. Run npm run push again to see which.`,
  );
}

async function removeOld(paths: SnapshotPaths, store: ObjectStore, kept: readonly RemoteSnapshot[], before: number): Promise<number> {
  const named = new Set<string>();
  for (const one of kept) {
    const { data } = Listed.safeParse(jsonOf((await store.read(one.manifest))?.text ?? ''));
    for (const { name } of [{ name: one.manifest }, ...filesOf(paths, one, data?.resources ?? [])]) named.add(name);
  }
  const listed = [...(await store.list(FILES)), ...(await store.list(COPIES)), ...(await store.list(MANIFESTS))];
  const over = listed.filter(({ name, writtenAt }) => !named.has(name) && writtenAt < before).map(({ name }) => name);
  await store.remove(over);
  await store.sweep(before);
  return over.length;
}

const Listed = z.object({ resources: z.array(Resource) });

/** Sends a small file beside the snapshots: the grants, or the keys if you send them. Every server that follows the store gets it. */
export async function pushFile(store: ObjectStore, path: string): Promise<boolean> {
  const name = basename(path);
  const text = await ifThere(readFile(path, 'utf8'));
  const there = await store.read(name);
  if (text === null) {
    if (there !== null) await store.remove([name]);
    return there !== null;
  }
  if (there?.text === text) return false;
  if (await store.commit(name, text, there?.version ?? null)) return true;
  if ((await store.read(name))?.text === text) return true;
  throw new KnownError(`Another machine has changed ${store.address}/${name} at the same time. Run the command again.`);
}
