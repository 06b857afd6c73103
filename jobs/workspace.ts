// Where the jobs work: the folder that holds all state, the reference data, the engine's bounds.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RawArchive, openArchive } from '../src/archive/raw-archive.ts';
import type { Config } from '../src/config.ts';
import type { EngineLimits } from '../src/db/connect.ts';
import { type Lake, openLake } from '../src/lake/lake.ts';
import { type PayloadReader, readHere } from './reading/payload-reader.ts';

export interface Workspace {
  readonly dataDir: string;
  readonly referenceDir: string;
  readonly version: string;
  readonly snapshotsKept: number;
  readonly archive: RawArchive;
  readonly reader: PayloadReader;
  /** Threads that make forecasts; 0: they are made where the build runs. */
  readonly forecastThreads: number;
  /** @param step names the folder into which the engine may spill */
  readonly limits: (step: string) => EngineLimits;
  /** Opens the lake for writing; throws a LakeLockedError while another process does. */
  readonly openLake: () => Promise<Lake>;
}

export type Settings = Pick<Config, 'dataDir' | 'referenceDir' | 'engineThreads' | 'engineMemory' | 'snapshotsKept'> &
  Partial<Pick<Workspace, 'forecastThreads'>>;

export function openWorkspace(settings: Settings, reader = readHere): Workspace {
  const limits = (step: string): EngineLimits => {
    const tempDirectory = join(settings.dataDir, 'tmp', step);
    mkdirSync(tempDirectory, { recursive: true });
    return { threads: settings.engineThreads, memory: settings.engineMemory, tempDirectory, tempSize: '50GB' };
  };
  return {
    dataDir: settings.dataDir,
    referenceDir: settings.referenceDir,
    version: packageVersion(),
    snapshotsKept: settings.snapshotsKept,
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
