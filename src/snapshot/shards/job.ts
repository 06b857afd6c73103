// The shards that are being made, in a store that workers on several machines reach. `shards/job.json` lists those of one build; the input of each lies
// there by its hash, and its result is put under that same hash, once: whoever puts it, its bytes are the same.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ObjectStore } from '../../objects/store.ts';

const JOB = 'shards/job.json';
export const INPUTS = 'shards/inputs/';
export const RESULTS = 'shards/results/';
const LEASES = 'shards/leases/';

export const inputObject = (input: string): string => `${INPUTS}${input}`;
export const resultObject = (input: string): string => `${RESULTS}${input}`;
export const leaseObject = (input: string): string => `${LEASES}${input}`;

/** A shard of a build; `input` is the hash of its input and of the code. */
export const JobShard = z.strictObject({ name: z.string(), input: z.string().regex(/^[0-9a-f]{64}$/) });
export type JobShard = Readonly<z.infer<typeof JobShard>>;

export const Job = z.strictObject({ code: z.string(), shards: z.array(JobShard).readonly() });
export type Job = Readonly<z.infer<typeof Job>>;

/** What lies in the store is not what this machine can take part in; the message says what to do. */
export class ShardJobError extends Error {
  override readonly name = 'ShardJobError';
}

export function inputHash(code: string, input: Uint8Array): string {
  return createHash('sha256').update(code).update('\n').update(input).digest('hex');
}

/** Null where there is none. Throws a ShardJobError where it is not as this version writes it. */
export async function readJob(store: ObjectStore): Promise<Job | null> {
  const found = await store.read(JOB);
  if (found === null) return null;
  try {
    return Job.parse(JSON.parse(found.text));
  } catch (error) {
    throw new ShardJobError(`${store.address}/${JOB} is not as this version writes it. Run the same release on every machine.`, {
      cause: error,
    });
  }
}

/** Takes the place of another build's: what is at work on that one goes on, its workers come to this one. */
export async function writeJob(store: ObjectStore, job: Job): Promise<void> {
  const text = `${JSON.stringify(job)}\n`;
  for (;;) {
    const there = await store.read(JOB);
    if (there?.text === text || (await store.commit(JOB, text, there?.version ?? null))) return;
  }
}

/** Hashes of the shards whose results are there. */
export async function resultsThere(store: ObjectStore): Promise<ReadonlySet<string>> {
  return new Set((await store.list(RESULTS)).map(({ name }) => name.slice(RESULTS.length)));
}
