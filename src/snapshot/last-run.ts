// Records how the last nightly run ended. Without this file, a server could not see a run that published nothing.
import { join } from 'node:path';
import { z } from 'zod';
import { readSealed, writeSealed } from '../disk/durable.ts';

export const OUTCOMES = ['ok', 'partial', 'failed'] as const;

const LastRun = z.strictObject({
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  /** partial: it published, but a file, a request or a source failed. failed: it ended before it published. */
  outcome: z.enum(OUTCOMES),
});
export type LastRun = z.infer<typeof LastRun>;

const pathOf = (dataDir: string): string => join(dataDir, 'last-run.json');

export async function noteLastRun(dataDir: string, run: LastRun): Promise<void> {
  await writeSealed(pathOf(dataDir), JSON.stringify(run));
}

/** Null if there is no record, or if it is damaged. */
export async function readLastRun(dataDir: string): Promise<LastRun | null> {
  const body = await readSealed(pathOf(dataDir));
  return body === null ? null : (LastRun.safeParse(JSON.parse(body)).data ?? null);
}
