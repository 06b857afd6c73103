// A build that shares its shards with other workers. It puts the inputs into the store and lists them in a job. Workers here and elsewhere
// put the results, and the build reads them in its own order. The build is a worker too, so it finishes even if no other worker comes or
// all are killed.
import { randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Shard } from '../../../derived/result-cache.ts';
import { sha256OfFile, writeDurably } from '../../../disk/durable.ts';
import type { ObjectStore } from '../../../objects/store.ts';
import { codeOfStatistics, isWhole, type Sharing } from '../result-files.ts';
import { inputHash, inputObject, INPUTS, type JobShard, leaseObject, resultObject, RESULTS, resultsThere, writeJob } from './job.ts';
import { work, type WorkOptions } from './work.ts';
import { KnownError } from '../../../known-error.ts';

/** Other worker processes on this machine. */
export interface LocalWorkers {
  /** Their problems, one sentence each, after all have ended. */
  readonly ended: Promise<readonly string[]>;
}

export interface ShareOptions extends WorkOptions {
  readonly startWorkers: () => LocalWorkers;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface ShardsReport {
  readonly address: string;
  readonly total: number;
  /** Results that an earlier build had left. */
  readonly reused: number;
  /** Computed by the build itself. Other workers computed the rest. */
  readonly madeHere: number;
  readonly sentBytes: number;
  readonly resultBytes: number;
}

export interface SharedShards {
  readonly sharing: Sharing;
  /** Null until the shards are computed. */
  readonly report: () => ShardsReport | null;
  readonly warnings: readonly string[];
}

const ATTEMPTS = 3;
/** An unreferenced object younger than this may belong to another build that has not written its job yet. */
const GRACE_MS = 24 * 3600 * 1000;

interface Spooled extends JobShard {
  readonly shelf: string;
  readonly path: string;
}

/** Throws a KnownError if the store fails, or if results stay damaged after several attempts. */
export function shareShards(store: ObjectStore, options: ShareOptions): SharedShards {
  const code = codeOfStatistics();
  const warnings: string[] = [];
  let report: ShardsReport | null = null;
  return {
    warnings,
    report: () => report,
    async sharing(shards) {
      const spooled = await spool(shards, code, options.scratch);
      const unique = [...new Map(spooled.map((one) => [one.input, one])).values()];
      const there = await resultsThere(store);
      const missing = unique.filter(({ input }) => !there.has(input));
      const sentBytes = await send(store, missing);
      const job = unique.map(({ name, input }) => ({ name, input }));
      await writeJob(store, { code, shards: job });
      const paths = new Map(unique.map(({ input, path }) => [input, path]));
      const own = { ...options, ownInput: (input: string) => paths.get(input) ?? null };
      const others = missing.length === 0 ? null : options.startWorkers();
      const made = [...(await work(store, { code, shards: job }, own))];
      const files = new Map<string, string>();
      const results = { bytes: 0 };
      for (let lost = job, attempt = 1; lost.length > 0; attempt += 1) {
        lost = await collect(store, lost, options.scratch, files, results);
        if (lost.length === 0) break;
        const names = lost.map(({ name }) => name).join('; ');
        if (attempt === ATTEMPTS)
          throw new KnownError(`${store.address} returned other results than were stored (${names}). Check the store.`);
        warnings.push(`Results in ${store.address} were damaged and were recomputed: ${names}.`);
        await store.remove(lost.flatMap(({ input }) => [resultObject(input), leaseObject(input)]));
        made.push(...(await work(store, { code, shards: lost }, own)));
      }
      warnings.push(...((await others?.ended) ?? []));
      await retain(store, job, options.now - GRACE_MS);
      const madeHere = new Set(made.map(({ input }) => input)).size;
      report = {
        address: store.address,
        total: unique.length,
        reused: unique.length - missing.length,
        madeHere,
        sentBytes,
        resultBytes: results.bytes,
      };
      const byShelf = new Map<string, string[]>();
      for (const { shelf, input } of spooled) byShelf.set(shelf, [...(byShelf.get(shelf) ?? []), files.get(input) ?? '']);
      return byShelf;
    },
  };
}

/** Writes the inputs to files, because together they may not fit in memory. */
async function spool(shards: AsyncIterable<Shard>, code: string, scratch: string): Promise<readonly Spooled[]> {
  const spooled: Spooled[] = [];
  for await (const { name, shelf, input } of shards) {
    const hash = inputHash(code, input);
    const path = join(scratch, hash);
    await writeDurably(path, input);
    spooled.push({ name, shelf, input: hash, path });
  }
  return spooled;
}

async function send(store: ObjectStore, shards: readonly Spooled[]): Promise<number> {
  const there = new Set((await store.list(INPUTS)).map(({ name }) => name));
  let bytes = 0;
  for (const { input, path } of shards) {
    if (there.has(inputObject(input))) continue;
    await store.upload(inputObject(input), path, await sha256OfFile(path));
    bytes += (await stat(path)).size;
  }
  return bytes;
}

/** Downloads the results. Resolves with the shards whose result is missing or damaged. */
async function collect(
  store: ObjectStore,
  shards: readonly JobShard[],
  scratch: string,
  files: Map<string, string>,
  sum: { bytes: number },
): Promise<JobShard[]> {
  const lost: JobShard[] = [];
  for (const shard of shards) {
    const path = join(scratch, randomUUID());
    if ((await store.download(resultObject(shard.input), path)) !== null && (await isWhole(path))) {
      files.set(shard.input, path);
      sum.bytes += (await stat(path)).size;
      continue;
    }
    await rm(path, { force: true });
    lost.push(shard);
  }
  return lost;
}

/** Keeps the results that the newest build uses. Inputs and leases were only for its workers. */
async function retain(store: ObjectStore, shards: readonly JobShard[], before: number): Promise<void> {
  const own = new Set(shards.map(({ input }) => input));
  const old = async (folder: string) =>
    (await store.list(folder)).flatMap(({ name, writtenAt }) => {
      const input = name.slice(folder.length);
      return !own.has(input) && writtenAt < before ? [name, leaseObject(input)] : [];
    });
  const over = [...(await old(INPUTS)), ...(await old(RESULTS))];
  await store.remove([...over, ...shards.flatMap(({ input }) => [inputObject(input), leaseObject(input)])]);
  await store.sweep(before);
}
