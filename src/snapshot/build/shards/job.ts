// The shards of one build, in a store that workers on several machines reach. `shards/job.json` lists them. Each input is stored under its
// hash, and its result under the same hash, once. Every worker computes the same bytes.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ObjectStore } from '../../../objects/store.ts';
import { KnownError } from '../../../known-error.ts';

const JOB = 'shards/job.json';
export const INPUTS = 'shards/inputs/';
export const RESULTS = 'shards/results/';
const LEASES = 'shards/leases/';

export const inputObject = (input: string): string => `${INPUTS}${input}`;
export const resultObject = (input: string): string => `${RESULTS}${input}`;
export const leaseObject = (input: string): string => `${LEASES}${input}`;

/** A shard of a build. `input` is the hash of its input and of the code. */
export const JobShard = z.strictObject({ name: z.string(), input: z.string().regex(/^[0-9a-f]{64}$/) });
export type JobShard = Readonly<z.infer<typeof JobShard>>;

export const Job = z.strictObject({ code: z.string(), shards: z.array(JobShard).readonly() });
export type Job = Readonly<z.infer<typeof Job>>;

export function inputHash(code: string, input: Uint8Array): string {
  return createHash('sha256').update(code).update('\n').update(input).digest('hex');
}

/** Null if there is no job. Throws a KnownError if this version cannot read it. */
export async function readJob(store: ObjectStore): Promise<Job | null> {
  const found = await store.read(JOB);
  if (found === null) return null;
  try {
    return Job.parse(JSON.parse(found.text));
  } catch (error) {
    throw new KnownError(`${store.address}/${JOB} was written by another version. Run the same release on every machine.`, {
      cause: error,
    });
  }
}

/** Replaces the job of another build. That build continues alone, and its workers move to this job. */
export async function writeJob(store: ObjectStore, job: Job): Promise<void> {
  const text = `${JSON.stringify(job)}\n`;
  for (;;) {
    const there = await store.read(JOB);
    if (there?.text === text || (await store.commit(JOB, text, there?.version ?? null))) return;
  }
}

/** Hashes of the shards that have a result. */
export async function resultsThere(store: ObjectStore): Promise<ReadonlySet<string>> {
  return new Set((await store.list(RESULTS)).map(({ name }) => name.slice(RESULTS.length)));
}
