// One sample for all test files of a run: the folder is named here, built by the first file that needs it, and removed at the end.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    sampleFolder: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'asof-shared-sample-'));
  project.provide('sampleFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}
