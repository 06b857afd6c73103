// A generated lake, published as a snapshot by the service's own relations, or as a lake for the service's jobs: only the series and
// their vintages are invented. The same size gives the same bytes.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type EngineLimits, openWriter, quote } from '../src/db/connect.ts';
import { createRelation, nameOf } from '../src/db/layers.ts';
import { sqlText } from '../src/db/query.ts';
import { writeDurably } from '../src/disk/durable.ts';
import { NO_CACHE } from '../src/derived/result-cache.ts';
import { openLake } from '../src/lake/lake.ts';
import { columnsOf, LAKE_TABLE_NAMES, type LakeTable } from '../src/lake/layout.ts';
import { loadReference } from '../src/lake/reference.ts';
import type { Resource } from '../src/model/manifest.ts';
import { createFiles, describeSnapshot } from '../src/snapshot/build/build.ts';
import { openTableFiles, type TableFiles } from '../src/snapshot/build/files.ts';
import { type SnapshotPaths, snapshotPaths } from '../src/snapshot/manifest.ts';
import { publish } from '../src/snapshot/build/publish.ts';
import { writeServed } from '../src/snapshot/build/write-copy.ts';
import { isPublished, RELATIONS, type Step, VINTAGE_ORDER } from '../src/snapshot/build/relations.ts';

/** Part of the cache's name: increase it after a change of bench/sql or of the published relations. */
const GENERATOR_VERSION = 7;
const SEED = 20_260_101;
const OUT = resolve(import.meta.dirname, 'out');
const FIRST_PUBLISHED = RELATIONS.findIndex(isPublished);
const REFERENCE = resolve(import.meta.dirname, '../data/reference');

const FACTORS = 40;
const VINTAGES_PER_ENTITY = 100_000;
const DATASETS = [1, 2, 3, 4] as const;
const SERIES_PER_FILE = 1000;

export interface Lake {
  readonly paths: SnapshotPaths;
  readonly dataDir: string;
  readonly vintages: number;
}

/** A later snapshot adds this to every value, so that an answer shows its snapshot. */
export const LIFT = 1_000_000_000;

/** The published lake of about this many vintages, from the cache or built now. */
export const generatedLake = (vintages: number, onProgress: OnProgress): Promise<Lake> =>
  kept('lake', vintages, (paths, entities) => generate(paths, entities, 0, onProgress));

/** The same a night later, with LIFT added to every value. */
export const laterLake = (vintages: number, onProgress: OnProgress): Promise<Lake> =>
  kept('later', vintages, (paths, entities) => generate(paths, entities, LIFT, onProgress));

/** The same vintages only in `lake/`, as the jobs leave them, with nothing built from them. */
export const unbuiltLake = (vintages: number, onProgress: OnProgress): Promise<Lake> =>
  kept('unbuilt', vintages, (paths, entities) => generateUnbuilt(paths, entities, onProgress));

/** The published lakes generated earlier, smallest first. */
export async function keptLakes(): Promise<readonly Lake[]> {
  const pattern = new RegExp(`^lake-v${GENERATOR_VERSION}-(\\d+)$`);
  return (await readdir(OUT))
    .flatMap((name) => pattern.exec(name)?.[1] ?? [])
    .map((vintages) => lakeOf('lake', Number(vintages)))
    .toSorted((a, b) => a.vintages - b.vintages);
}

/** A new folder next to the lakes, on the same disk; the caller removes it. */
export function ownFolder(): Promise<string> {
  return mkdtemp(join(OUT, 'run-'));
}

/** A folder there that keeps its name. */
export function namedFolder(name: string, vintages: number): string {
  return join(OUT, `${name}-v${GENERATOR_VERSION}-${vintages}`);
}

type OnProgress = (step: string) => void;
type Kind = 'lake' | 'later' | 'unbuilt';

function lakeOf(kind: Kind, vintages: number): Lake {
  const dataDir = namedFolder(kind, vintages);
  return { paths: snapshotPaths(dataDir), dataDir, vintages };
}

/** The number of vintages in a lake of about this size: of whole entities, on average. */
export function vintagesOf(size: number): number {
  return Math.max(1, Math.round(size / VINTAGES_PER_ENTITY)) * VINTAGES_PER_ENTITY;
}

async function kept(kind: Kind, size: number, make: (paths: SnapshotPaths, entities: number) => Promise<void>): Promise<Lake> {
  const lake = lakeOf(kind, vintagesOf(size));
  const entities = lake.vintages / VINTAGES_PER_ENTITY;
  if (!existsSync(lake.dataDir)) {
    await mkdir(OUT, { recursive: true });
    const partial = `${lake.dataDir}.partial`;
    await rm(partial, { recursive: true, force: true });
    await make(snapshotPaths(partial), entities);
    await rename(partial, lake.dataDir);
  }
  return lake;
}

export function limitsOf(dataDir: string, memory: string, threads = 2): EngineLimits {
  return { threads, memory, tempDirectory: join(dataDir, 'tmp'), tempSize: '50GB' };
}

async function generate(paths: SnapshotPaths, entities: number, lift: number, onProgress: OnProgress): Promise<void> {
  await mkdir(paths.staging, { recursive: true });
  const limits = limitsOf(paths.root, '2GB');
  const engine = await openWriter(limits);
  const { connection } = engine;
  try {
    await createSeries(connection, entities, lift);
    const files = openTableFiles(connection, paths);
    const vintages = await writeVintages(connection, files, entities, onProgress);
    const others = await writeOthers(connection, files, { paths, limits }, vintages, onProgress);
    const manifest = await describeSnapshot(connection, [...vintages, ...others], `bench-${GENERATOR_VERSION}`);
    await writeServed(connection, paths, manifest.snapshotId);
    onProgress('copy for the server');
    await writeDurably(paths.candidate, JSON.stringify(manifest));
    await publish(paths, 1);
  } finally {
    engine.close();
    await rm(paths.staging, { recursive: true, force: true });
  }
}

/** One commit per dataset, like a night that reads all of it: its vintages, and their run. */
async function generateUnbuilt(paths: SnapshotPaths, entities: number, onProgress: OnProgress): Promise<void> {
  const lake = await openLake(paths.lake, limitsOf(paths.root, '2GB'));
  const { connection } = lake;
  try {
    await createSeries(connection, entities, 0);
    await connection.run(`create or replace view derived.all_vintages as ${await ownSql('all_vintages')}`);
    const observations = await ownSql('lake_observations');
    for (const dataset of DATASETS) {
      await connection.run(
        `set variable dataset_no = ${dataset}; set variable series_from = 0; set variable series_to = ${seriesPerDataset(entities)}`,
      );
      const found = await connection.runAndReadAll(`select source_id from reference.sources where source_no = ${dataset}`);
      const sourceId = String(found.getRows()[0]?.[0]);
      const files = (['attempts', 'ingestions', 'entities'] as const).map((table: LakeTable) => ({
        table,
        select: `select * exclude (source_id) from lake.${table} where source_id = ${quote(sourceId)}`,
      }));
      const counted = await connection.runAndReadAll('select max(change_sequence) from derived.all_vintages');
      const lastChangeSequence = Number(counted.getRows()[0]?.[0]);
      await lake.commit(sourceId, GENERATED_AT, [{ table: 'observations', select: observations }, ...files], { lastChangeSequence });
      onProgress(`lake of dataset ${dataset}`);
    }
  } finally {
    await lake.close();
  }
}

const GENERATED_AT = '2026-12-31T01:00:00.000Z';
const seriesPerDataset = (entities: number): number => (entities * FACTORS) / DATASETS.length;

async function createSeries(connection: DuckDBConnection, entities: number, lift: number): Promise<void> {
  await connection.run(`set variable entities = ${entities}; set variable seed = ${SEED}; set variable lift = ${lift}`);
  await connection.run(await ownSql('macros'));
  await loadReference(connection, REFERENCE);
  await createLake(connection);
  await createBetween(connection);
  // The generated history begins in 1985, before some of the countries existed: no answer omits one.
  await connection.run('update series.entities set valid_from = null, valid_to = null');
  await connection.run(`create or replace table derived.all_series as ${await ownSql('all_series')}`);
}

async function createLake(connection: DuckDBConnection): Promise<void> {
  await connection.run('create schema lake');
  for (const table of LAKE_TABLE_NAMES) {
    const columns = Object.entries({ source_id: 'varchar', ...columnsOf(table) }).map(([name, type]) => `"${name}" ${type}`);
    await connection.run(`create table lake.${table} (${columns.join(', ')})`);
  }
  await connection.run(await ownSql('lake'));
}

// All relations between lake and published, built from a lake with only its runs; the invented ones then replace them.
async function createBetween(connection: DuckDBConnection): Promise<void> {
  for (const step of RELATIONS.slice(0, FIRST_PUBLISHED).filter((one) => !one.path.startsWith('lake/'))) await create(connection, step);
}

async function create(connection: DuckDBConnection, step: Step): Promise<void> {
  if (step.as === 'computed') await step.compute(connection, NO_CACHE);
  else if (step.as !== 'files') await createRelation(connection, step);
}

// File by file, so that memory does not grow with the lake.
async function writeVintages(
  connection: DuckDBConnection,
  files: TableFiles,
  entities: number,
  onProgress: OnProgress,
): Promise<Resource[]> {
  await connection.run(`create or replace view derived.all_vintages as ${await ownSql('all_vintages')}`);
  const series = seriesPerDataset(entities);
  const resources: Resource[] = [];
  for (const dataset of DATASETS) {
    await connection.run(`set variable dataset_no = ${dataset}`);
    for (let from = 0; from < series; from += SERIES_PER_FILE) {
      await connection.run(`set variable series_from = ${from}; set variable series_to = ${Math.min(from + SERIES_PER_FILE, series)}`);
      // For these series: the periods with a first print.
      await createRelation(connection, { path: 'derived/series_statistics', as: 'table' });
      const partition = { dataset: `generated_${dataset}`, dataset_no: dataset, from };
      const file = {
        name: 'vintages',
        select: `select * from (${sqlText('published/vintages.sql')}) order by ${VINTAGE_ORDER}`,
        partition,
        rights: { redistributable: true },
        licence: 'Invented',
      };
      resources.push((await files.part(file)).resource);
      onProgress(`vintages of dataset ${dataset}, series ${from} to ${Math.min(from + SERIES_PER_FILE, series)} of ${series}`);
    }
  }
  return resources;
}

async function writeOthers(
  connection: DuckDBConnection,
  files: TableFiles,
  { paths, limits }: { readonly paths: SnapshotPaths; readonly limits: EngineLimits },
  vintages: readonly Resource[],
  onProgress: OnProgress,
): Promise<Resource[]> {
  const written = vintages.map((resource) => quote(join(paths.root, resource.path))).join(', ');
  await connection.run('create schema if not exists published');
  for (const name of ['published.vintages', 'derived.all_vintages'])
    await connection.run(`create or replace view ${name} as from read_parquet([${written}])`);
  await createRelation(connection, { path: 'derived/series_statistics', as: 'table' });
  const resources: Resource[] = [];
  for (const step of RELATIONS.slice(FIRST_PUBLISHED).filter((one) => one.path !== 'published/vintages')) {
    const name = nameOf(step.path);
    if (step.as === 'files')
      resources.push(...(await createFiles(connection, step, files, { paths, limits })).map(({ resource }) => resource));
    else {
      await create(connection, step);
      if (!isPublished(step)) continue;
      resources.push((await files.whole(name)).resource);
    }
    onProgress(name);
  }
  return resources;
}

function ownSql(name: string): Promise<string> {
  return readFile(new URL(`sql/${name}.sql`, import.meta.url), 'utf8');
}
