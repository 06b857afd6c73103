// One sample for all test files of a run: the folder is named here and built by the first file that needs it. It is kept for the next run as
// long as nothing that it is built from has changed.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { listFiles } from '../src/disk/durable.ts';

declare module 'vitest' {
  interface ProvidedContext {
    sampleFolder: string;
  }
}

const ROOT = resolve(import.meta.dirname, '..');
const KEPT = join(ROOT, 'node_modules/.cache/asof-sample');
const BUILT_FROM = ['src', 'sql', 'jobs', 'data/reference'];
/** What serves the sample takes no part in building it. */
const SERVING =
  /^(src\/(http|routes|queries|engine|keys|metrics|client|mcp|facade|pages)\/|src\/(main|service)\.ts$|sql\/(queries|clickhouse|sums)\/|jobs\/commands\/)/;
const MOST_KEPT = 12;
/** Another run may still read what it began with. */
const IN_USE_MS = 3600 * 1000;

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = join(KEPT, await hashOfSample());
  await mkdir(folder, { recursive: true });
  await utimes(folder, new Date(), new Date());
  project.provide('sampleFolder', folder);
  return () => sweep();
}

async function hashOfSample(): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  for (const part of BUILT_FROM) {
    for (const path of await listFiles(join(ROOT, part))) {
      const name = `${part}/${path}`;
      if (!SERVING.test(name)) hash.update(name).update(await readFile(join(ROOT, name)));
    }
  }
  for (const name of ['package-lock.json', 'test/service.ts']) hash.update(await readFile(join(ROOT, name)));
  return hash.digest('hex').slice(0, 20);
}

async function sweep(): Promise<void> {
  const folders = await Promise.all(
    (await readdir(KEPT)).map(async (name) => ({ name, at: (await stat(join(KEPT, name)).catch(() => null))?.mtimeMs ?? 0 })),
  );
  const old = folders
    .toSorted((a, b) => b.at - a.at)
    .slice(MOST_KEPT)
    .filter(({ at }) => at < Date.now() - IN_USE_MS);
  for (const { name } of old) await rm(join(KEPT, name), { recursive: true, force: true });
}
