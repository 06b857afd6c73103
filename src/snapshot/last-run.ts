// How the last nightly run ended, in a small file beside the pointer: a run that published nothing leaves no other trace that a server sees.
import { join } from 'node:path';
import { z } from 'zod';
import { readSealed, writeSealed } from '../disk/durable.ts';

export const OUTCOMES = ['ok', 'partial', 'failed'] as const;

const LastRun = z.strictObject({
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  /** partial: published, though a file, a request or a source failed. failed: the run ended before it published. */
  outcome: z.enum(OUTCOMES),
});
export type LastRun = z.infer<typeof LastRun>;

const pathOf = (dataDir: string): string => join(dataDir, 'last-run.json');

export async function noteLastRun(dataDir: string, run: LastRun): Promise<void> {
  await writeSealed(pathOf(dataDir), JSON.stringify(run));
}

/** Null where none is noted, or the note is not as it was written. */
export async function readLastRun(dataDir: string): Promise<LastRun | null> {
  const body = await readSealed(pathOf(dataDir));
  return body === null ? null : (LastRun.safeParse(JSON.parse(body)).data ?? null);
}
