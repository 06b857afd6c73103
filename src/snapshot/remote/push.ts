// The current snapshot → a store of objects, from which servers elsewhere follow it. Files first, then the manifest, then `current.json` on the
// condition that it is still the one that was looked at: of two writers one wins, and what is half sent is seen by nobody.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import PQueue from 'p-queue';
import { z } from 'zod';
import { sha256OfFile, writeDurably } from '../../disk/durable.ts';
import { ifThere } from '../../disk/if-there.ts';
import type { ObjectStore } from '../../objects/store.ts';
import { type Manifest, Resource } from '../../model/manifest.ts';
import { keptManifests, type Pointer, readCurrent, sha256Of, SnapshotDamageError, type SnapshotPaths } from '../manifest.ts';
import { COPIES_KEPT, type CopySeal, readCopySeal, verifyCopies } from '../served.ts';
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
  RemoteSnapshotError,
  sentCopies,
  type SentFile,
  wholeQueue,
} from './bucket.ts';

export interface PushOptions {
  /** How many snapshots stay there, the new one included. */
  readonly keep: number;
  readonly now: number;
  /** Takes the place of what another writer has published. */
  readonly isReplacing?: boolean;
  /** Reads back what is there already, and sends anew what is damaged: else its size is looked at. */
  readonly isVerifying?: boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface PushReport {
  readonly snapshotId: string;
  /** False when it is the one that is current there already. */
  readonly isNew: boolean;
  readonly sentFiles: number;
  readonly sentBytes: number;
  readonly removedObjects: number;
  readonly keptSnapshots: readonly string[];
}

const AT_ONCE = 4;
/** What nothing names is younger where another writer is about to name it. */
const GRACE_MS = 24 * 3600 * 1000;

/**
 * Throws a RemoteSnapshotError where nothing is published here, or where another writer's snapshot is current there; a SnapshotDamageError where a
 * file of the snapshot is not whole; an ObjectStoreError where the store fails: the one that was current there still is.
 */
export async function push(paths: SnapshotPaths, store: ObjectStore, options: PushOptions): Promise<PushReport> {
  const manifest = await readCurrent(paths);
  if (manifest === null) throw new RemoteSnapshotError('There is no snapshot to send. Run: npm run nightly.');
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
  // What is no longer kept must not be named either: its objects go.
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

/** The seal of the copies for servers; null where they are neither there nor whole here. */
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

/** What was sent there last from here: it may be older than anything that is kept. */
const sentFile = (paths: SnapshotPaths): string => join(paths.root, 'sent.json');
const Sent = z.object({ address: z.string(), snapshotId: z.string() });

/** The snapshot, those that came before it here, and the one that was sent last. */
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
  throw new RemoteSnapshotError(
    `${address} has ${remote.pointer.snapshotId}, which was not made here: another machine publishes there. ` +
      'Give each a prefix of its own, or take its place with: npm run push -- --replace',
  );
}

/** What is there by name and size is not read again, neither here nor there, unless that is asked for. */
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

/** An answer that was lost on the way may have been a yes. */
async function commit(store: ObjectStore, text: string, remote: Followed | null): Promise<void> {
  if (await store.commit(CURRENT, text, remote?.version ?? null)) return;
  if ((await store.read(CURRENT))?.text === text) return;
  throw new RemoteSnapshotError(
    `Another machine has published to ${store.address} at the same time, and its snapshot is current there. Run npm run push again to see whose.`,
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

/** The grants beside the snapshot, and the keys where they are sent: what a server of several follows alike. */
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
  throw new RemoteSnapshotError(`Another machine has changed ${store.address}/${name} at the same time. Run the command again.`);
}
