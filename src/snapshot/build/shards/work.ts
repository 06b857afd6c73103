// One worker on the shards of a build. All workers walk the same list from different places. A worker skips shards that have a result or a
// lease, and computes and stores the others. There is no leader; the last worker finishes the rest.
import { createHash, randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeForecastShard } from '../../../derived/forecast-shards.ts';
import { writeDurably } from '../../../disk/durable.ts';
import type { ObjectStore } from '../../../objects/store.ts';
import { emptyShelf } from '../result-files.ts';
import { inputHash, inputObject, type Job, type JobShard, leaseObject, resultObject, resultsThere } from './job.ts';
import { type LeaseOptions, openLeases } from './lease.ts';

export interface WorkOptions extends LeaseOptions {
  /** Folder for temporary files. */
  readonly scratch: string;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly log: (what: 'begun' | 'made' | 'unreadable', shard: JobShard) => void;
  /** Path of an input if this machine has it. */
  readonly ownInput?: (input: string) => string | null;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Wait between looks at shards of other workers. */
const LOOK_MS = 500;

/** Resolves with the shards that it computed, after all shards with a readable input have a result. */
export async function work(store: ObjectStore, { code, shards }: Job, options: WorkOptions): Promise<readonly JobShard[]> {
  const { id, elapsed, log, wait, onProgress = () => undefined } = options;
  const leases = openLeases(store, options);
  const order = rotated(shards, id);
  const made: JobShard[] = [];
  const unreadable = new Set<string>();
  for (;;) {
    let there = await resultsThere(store);
    let lookedAt = elapsed();
    let isAtWork = false;
    for (const shard of order) {
      if (elapsed() - lookedAt > LOOK_MS) [there, lookedAt] = [await resultsThere(store), elapsed()];
      if (there.has(shard.input) || unreadable.has(shard.input) || !(await leases.take(shard.input))) continue;
      const input = await readInput(store, code, shard, options);
      if (input === null) {
        log('unreadable', shard);
        unreadable.add(shard.input);
        await store.remove([leaseObject(shard.input)]);
        continue;
      }
      isAtWork = true;
      log('begun', shard);
      if (await isPut(store, shard, await resultOf(code, input, () => leases.renew(shard.input)), options)) made.push(shard);
      log('made', shard);
      onProgress(countOf(shards, there, made), shards.length);
    }
    onProgress(countOf(shards, there, made), shards.length);
    if (shards.every(({ input }) => there.has(input) || unreadable.has(input))) return made;
    if (!isAtWork) await wait(LOOK_MS);
  }
}

function countOf(shards: readonly JobShard[], there: ReadonlySet<string>, made: readonly JobShard[]): number {
  const done = new Set(made.map(({ input }) => input));
  return shards.filter(({ input }) => there.has(input) || done.has(input)).length;
}

/** The start depends on the worker's name, so that workers seldom meet. */
function rotated(shards: readonly JobShard[], id: string): readonly JobShard[] {
  const at = createHash('sha256').update(id).digest().readUInt32BE(0) % Math.max(shards.length, 1);
  return [...shards.slice(at), ...shards.slice(0, at)];
}

/** Null if it is damaged, or gone because the build has ended. */
async function readInput(store: ObjectStore, code: string, { input }: JobShard, options: WorkOptions): Promise<Uint8Array | null> {
  const own = options.ownInput?.(input) ?? null;
  const path = own ?? join(options.scratch, randomUUID());
  try {
    if (own === null && (await store.download(inputObject(input), path)) === null) return null;
    const bytes = await readFile(path);
    return inputHash(code, bytes) === input ? bytes : null;
  } finally {
    if (own === null) await rm(path, { force: true });
  }
}

async function resultOf(code: string, input: Uint8Array, between: () => Promise<void>): Promise<Uint8Array> {
  const { shelf, bytes } = emptyShelf(code);
  await makeForecastShard(input, shelf, between);
  return bytes();
}

/** False if another worker stored a result first. */
async function isPut(store: ObjectStore, { input }: JobShard, result: Uint8Array, { scratch }: WorkOptions): Promise<boolean> {
  const path = join(scratch, randomUUID());
  try {
    await writeDurably(path, result);
    return await store.upload(resultObject(input), path, createHash('sha256').update(result).digest('hex'));
  } finally {
    await rm(path, { force: true });
  }
}
