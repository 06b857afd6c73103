// The environment of the jobs: the data folder, the reference data, the engine's limits.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RawArchive, openArchive } from '../src/archive/raw-archive.ts';
import type { Config } from '../src/config.ts';
import { type EngineLimits, partOfMemory } from '../src/db/connect.ts';
import { type Lake, openLake } from '../src/lake/lake.ts';
import { type PayloadReader, readHere } from './reading/payload-reader.ts';

export interface Workspace {
  readonly dataDir: string;
  readonly referenceDir: string;
  readonly version: string;
  readonly snapshotsKept: number;
  /** The origin of the links in feeds; null: they are relative. */
  readonly publicUrl: string | null;
  readonly archive: RawArchive;
  readonly reader: PayloadReader;
  /** Threads that make forecasts; with 0, the build makes them itself. */
  readonly forecastThreads: number;
  /** @param step names the folder for the engine's temporary files */
  readonly limits: (step: string) => EngineLimits;
  /** Opens the lake for writing; throws a LakeLockedError while another process does. */
  readonly openLake: () => Promise<Lake>;
}

/**
 * Shares of ENGINE_MEMORY by step of a night; other steps have all of it. Readers of large files, and threads, need the rest. Measured: a
 * night over the real payloads takes as long as with all of it, and a file of two million rows fits.
 */
const SHARES: Readonly<Record<string, number>> = { normalise: 1 / 3, mend: 1 / 3, derive: 1 / 2, feeds: 1 / 2 };

export type Settings = Pick<Config, 'dataDir' | 'referenceDir' | 'engineThreads' | 'engineMemory' | 'snapshotsKept'> &
  Partial<Pick<Workspace, 'forecastThreads' | 'publicUrl'>>;

export function openWorkspace(settings: Settings, reader = readHere): Workspace {
  const limits = (step: string): EngineLimits => {
    const tempDirectory = join(settings.dataDir, 'tmp', step);
    mkdirSync(tempDirectory, { recursive: true });
    const memory = partOfMemory(settings.engineMemory, SHARES[step] ?? 1);
    return { threads: settings.engineThreads, memory, tempDirectory, tempSize: '50GB' };
  };
  return {
    dataDir: settings.dataDir,
    referenceDir: settings.referenceDir,
    version: packageVersion(),
    snapshotsKept: settings.snapshotsKept,
    publicUrl: settings.publicUrl ?? null,
    archive: openArchive(join(settings.dataDir, 'raw')),
    reader,
    forecastThreads: settings.forecastThreads ?? 0,
    limits,
    openLake: () => openLake(join(settings.dataDir, 'lake'), limits('normalise')),
  };
}

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };
  return version;
}
