// Lake → derived → the files of a snapshot. Files are content-addressed and written once; unchanged content keeps its file. The result is a
// candidate: it becomes current only after publish.ts has checked it.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type EngineLimits, openWriter, partOfMemory, patternOf, quote, returnMemory } from '../../db/connect.ts';
import { parquetFiles } from '../../db/files.ts';
import { createRelation, nameOf, relationName } from '../../db/layers.ts';
import { sqlText } from '../../db/query.ts';
import { toText, toValue } from '../../db/rows.ts';
import { onInterruption } from '../../disk/interruption.ts';
import { loadReference } from '../../lake/reference.ts';
import type { Manifest, Resource } from '../../model/manifest.ts';
import {
  basisHash,
  builtBefore,
  timesBefore,
  type BuiltSnapshot,
  type BuiltTable,
  type DerivedTable,
  keepBuilt,
  writeCandidate,
} from './last-build.ts';
import { openTableFiles, type TableFiles, type WrittenFile } from './files.ts';
import { contentHash, SCHEMA_VERSION, type SnapshotPaths, snapshotIdOf } from '../manifest.ts';
import { openPace } from './pace.ts';
import { readReconciliations } from './reconciliations.ts';
import { openForecastThreads } from './forecasting/threads.ts';
import { createRemembered, type TakenOver } from './remembered.ts';
import { codeOfStatistics, openResultFiles, type ResultFiles, type Sharing } from './result-files.ts';
import { writeParts } from './written-parts.ts';
import { writeServed } from './write-copy.ts';
import { CHECKS, isPublished, RELATIONS, type Step, type Written } from './relations.ts';
import { KnownError } from '../../known-error.ts';

export interface BuildOptions {
  readonly lakeRoot: string;
  readonly referenceDir: string;
  /** The steps to build, in this order. Default: RELATIONS. */
  readonly steps?: readonly Step[];
  readonly paths: SnapshotPaths;
  readonly limits: EngineLimits;
  readonly version: string;
  /** Folder of the results of earlier builds, for reuse. You may delete it at any time. */
  readonly cacheDir: string;
  /** Lets several workers compute the shards of computed sets. If null or absent, this process computes them. */
  readonly sharing?: Sharing | null;
  /** Threads that make forecasts side by side; without any, this thread makes them. */
  readonly forecastThreads?: number;
  readonly now: () => number;
  /** @param left milliseconds until the snapshot is built; null if nobody can know */
  readonly onProgress?: (step: string, done: number, total: number, left: number | null) => void;
}

/** After an interrupt the engine may still create its next file, so the clean-up looks several times. */
const MOST_LOOKS = 20;
const MS_BETWEEN_LOOKS = 50;

/**
 * Builds a candidate, or returns the last one if no input has changed. The same lake gives the same bytes. Throws a KnownError if a
 * check finds rows.
 */
export async function buildSnapshot(options: BuildOptions): Promise<BuiltSnapshot> {
  const { paths, now } = options;
  await mkdir(paths.files, { recursive: true });
  await rm(paths.staging, { recursive: true, force: true });
  await mkdir(paths.staging, { recursive: true });
  const engine = await openWriter(options.limits);
  const threads = (options.forecastThreads ?? 0) === 0 ? null : openForecastThreads(options.forecastThreads ?? 0);
  const forget = onInterruption(() => {
    engine.connection.interrupt();
    const halfMade = () => [paths.served, options.cacheDir].filter((folder) => existsSync(folder)).flatMap(partialsIn);
    for (let look = 0; look < MOST_LOOKS && (look === 0 || halfMade().length > 0); look += 1) {
      for (const path of [paths.staging, options.limits.tempDirectory, ...halfMade()]) rmSync(path, { recursive: true, force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, MS_BETWEEN_LOOKS);
    }
  });
  try {
    // Tests build parts only. Such a build is never a candidate.
    const basis = options.steps === undefined ? await basisHash(options) : null;
    const before = basis === null ? null : await builtBefore(options.cacheDir, paths, basis);
    if (before !== null) return before;
    const code = codeOfStatistics();
    const results = openResultFiles(options.cacheDir, code, options.sharing, threads);
    const course = await courseOf(options, code);
    const tableFiles = openTableFiles(engine.connection, paths);
    const { derived, published, written } = await createAll(engine.connection, options, results, course, tableFiles);
    await results.sweep();
    course.begin(CHECKING);
    await check(engine.connection);
    const stepPaths = (options.steps ?? RELATIONS).map(({ path }) => path);
    const reconciliations = await readReconciliations(engine.connection, stepPaths);
    const resources: Resource[] = [];
    const tables: BuiltTable[] = [];
    for (const { path } of RELATIONS.filter(isPublished)) {
      const start = now();
      const name = nameOf(path);
      course.begin(fileStep(path));
      const files = written.get(path) ?? [await tableFiles.whole(name)];
      resources.push(...files.map((file) => file.resource));
      tables.push({
        name,
        rows: files.reduce((sum, file) => sum + file.resource.rowCount, 0),
        files: files.length,
        newFiles: files.filter((file) => file.isNew).length,
        milliseconds: now() - start + (published.get(path) ?? 0),
      });
    }
    course.begin(COPYING);
    const manifest = await describeSnapshot(engine.connection, resources, options.version);
    const warnings = await writeServed(engine.connection, paths, manifest.snapshotId);
    await writeCandidate(paths, manifest);
    const built = { manifest, derived, tables, reconciliations, warnings };
    course.begin(LAST);
    if (basis !== null) await keepBuilt(options.cacheDir, basis, built, { code, milliseconds: course.times() });
    return built;
  } finally {
    forget();
    await threads?.close();
    engine.close();
    await rm(paths.staging, { recursive: true, force: true });
  }
}

/** Includes `.partial.wal` and the like: the engine keeps a log beside a file that it writes. */
function partialsIn(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => /\.partial(?:\.|$)/.test(name));
  return names.map((name) => join(folder, name));
}

interface Built {
  readonly derived: readonly DerivedTable[];
  /** Milliseconds by path. */
  readonly published: ReadonlyMap<string, number>;
  /** Files of the relations that later steps read from disk, by path. */
  readonly written: ReadonlyMap<string, readonly WrittenFile[]>;
}

const CHECKING = 'checks';
const COPYING = 'copies for servers';
const LAST = 'end';
const fileStep = (path: string): string => `files of ${path}`;

/** The progress of a build, for observers. */
interface Course {
  readonly begin: (step: string) => void;
  /** @param share how much of the current step is done */
  readonly within: (share: number) => void;
  readonly times: () => Readonly<Record<string, number>>;
}

/** Every step that takes time, including the checks and the files. Only a build with the same code predicts the computed steps. */
async function courseOf({ steps = RELATIONS, cacheDir, now, onProgress }: BuildOptions, code: string): Promise<Course> {
  const unforeseen = new Set(steps.filter(({ as }) => as === 'computed').map(({ path }) => path));
  const last = await timesBefore(cacheDir);
  const before = Object.entries(last?.milliseconds ?? {}).filter(([step]) => last?.code === code || !unforeseen.has(step));
  const names = [...steps.map(({ path }) => path), CHECKING, ...RELATIONS.filter(isPublished).map(({ path }) => fileStep(path)), COPYING];
  const pace = openPace(names, { before: new Map(before), unforeseen, now });
  let current = '';
  const show = (share: number) => {
    const at = names.indexOf(current);
    if (at >= 0) onProgress?.(current, at + share, names.length, pace.left(share));
  };
  return {
    begin(step) {
      pace.begin(step);
      current = step;
      show(0);
    },
    within: show,
    times: pace.times,
  };
}

async function createAll(
  connection: DuckDBConnection,
  options: BuildOptions,
  results: ResultFiles,
  course: Course,
  tableFiles: TableFiles,
): Promise<Built> {
  const derived: DerivedTable[] = [];
  const published = new Map<string, number>();
  const written = new Map<string, readonly WrittenFile[]>();
  const remembered = await results.open('tables');
  await connection.run(`set variable lake_root = ${quote(patternOf(options.lakeRoot))}`);
  await loadReference(connection, options.referenceDir);
  const steps = options.steps ?? RELATIONS;
  for (const step of steps) {
    course.begin(step.path);
    const start = options.now();
    if (step.as !== 'view' && step.as !== 'macro') await returnMemory(connection, { memory: memoryOf(step, options) });
    const created = await create(step).catch((error: unknown) => {
      throw failureOf(step, error, options.limits);
    });
    const milliseconds = options.now() - start;
    const counted = results.countLookups();
    const takenOver = typeof created === 'number' ? null : created;
    const known = takenOver === null ? created : takenOver.reused + takenOver.computed;
    if (isPublished(step)) published.set(step.path, milliseconds);
    else if (step.as === 'table' || step.as === 'computed')
      derived.push({
        name: step.path,
        rows: typeof known === 'number' ? known : await countRows(connection, step.path),
        milliseconds,
        results: takenOver ?? counted,
      });
  }
  await remembered.close();
  return { derived, published, written };

  async function create(step: Step): Promise<TakenOver | number | null> {
    if (step.as === 'computed') {
      await step.compute(connection, results, (done, total) => course.within(done / Math.max(total, 1)));
      await results.rest();
      return null;
    }
    if (step.as === 'files') {
      written.set(step.path, await createFiles(connection, step, tableFiles, options));
      return null;
    }
    return step.isRemembered === true ? createRemembered(connection, step, results, remembered) : createRelation(connection, step);
  }
}

function failureOf({ path }: Step, error: unknown, { memory }: EngineLimits): Error {
  const reason = error instanceof Error ? error.message : String(error);
  if (reason.startsWith('Out of Memory Error'))
    return new KnownError(
      `The engine needs more memory than ${memory} to build ${path}. Set ENGINE_MEMORY to more; a build uses half of it.`,
      {
        cause: error,
      },
    );
  return new Error(`${path} could not be built: ${reason}`, { cause: error });
}

/** While threads compute, they have half of the engine's memory. */
function memoryOf(step: Step, { limits, forecastThreads = 0 }: BuildOptions): string {
  return step.as === 'computed' && forecastThreads > 0 ? partOfMemory(limits.memory, 1 / 2) : limits.memory;
}

async function countRows(connection: DuckDBConnection, path: string): Promise<number> {
  return Number((await connection.runAndReadAll(`select count(*) from ${relationName(path)}`)).getRows()[0]?.[0]);
}

async function check(connection: DuckDBConnection): Promise<void> {
  for (const name of CHECKS) {
    const result = await connection.runAndReadAll(`select * from (${sqlText(`checks/${name}.sql`)}) limit 3`);
    const rows = result.getRowObjects();
    if (rows.length === 0) continue;
    const shown = rows.map((row) =>
      JSON.stringify(Object.fromEntries(Object.entries(row).map(([key, value]) => [key, toText(toValue(value))]))),
    );
    throw new KnownError(
      `The check ${name} failed, so this snapshot is not published and the current one stays. First rows: ${shown.join(' ')}`,
    );
  }
}

/** Writes each file by itself, sorted, because the whole relation does not fit in memory. Later steps read the files. */
export async function createFiles(
  connection: DuckDBConnection,
  relation: Written,
  files: TableFiles,
  { paths, limits }: Pick<BuildOptions, 'paths' | 'limits'>,
): Promise<readonly WrittenFile[]> {
  if (relation.by === 'dataset') await createRelation(connection, { path: relation.path, as: 'view' });
  const written = await writeParts(connection, relation, files, limits);
  const own = written.map(({ resource }) => join(paths.root, resource.path));
  if (relation.by === 'epoch') await connection.run(`drop table if exists ${relationName(relation.path)}`);
  await connection.run(`create or replace view ${relationName(relation.path)} as from ${parquetFiles(own)}`);
  return written;
}

/** The manifest of the relations in the engine and their files. */
export async function describeSnapshot(connection: DuckDBConnection, resources: readonly Resource[], version: string): Promise<Manifest> {
  const counted = await connection.runAndReadAll(`
    select
        knowledge_cutoff(),
        (select max(change_sequence) from published.vintages),
        (select count(*) from published.entities),
        (select count(*) from published.countries),
        (select count(*) from published.series),
        (select count(*) from published.vintages where known_to is null),
        (select count(*) from published.vintages),
        (select count(*) from published.entities where entity_type = 'company'),
        (select count(*) from published.events where known_to is null)`);
  const [cutoff, ...counts] = (counted.getRows()[0] ?? []).map(toValue);
  const [lastChangeSequence = 0, entities = 0, countries = 0, indicators = 0, observations = 0, vintages = 0, companies = 0, events = 0] =
    counts.map(Number);
  if (typeof cutoff !== 'string')
    throw new KnownError('The lake is empty. Run npm run collect and npm run normalise first, or npm run nightly.');
  const sources = await connection.runAndReadAll(
    'select source_id, name, homepage_url, license, license_url from reference.sources order by source_no',
  );
  const rows = sources.getRows().map((row) => row.map((cell) => (cell === null ? '' : String(cell))));
  const hash = contentHash(resources);
  const snapshotId = snapshotIdOf(hash);
  return {
    profile: 'data-package',
    name: 'asof',
    id: snapshotId,
    version,
    created: cutoff,
    snapshotId,
    previousSnapshotId: null,
    knowledgeCutoff: cutoff,
    schemaVersion: SCHEMA_VERSION,
    contentHash: hash,
    lastChangeSequence,
    counts: { entities, countries, indicators, observations, vintages, companies, events },
    licenses: rows.map(([name = '', , , title = '', path = '']) => ({ name, title, path })),
    sources: rows.map(([sourceId = '', title = '', path = '']) => ({ sourceId, title, path })),
    resources: [...resources],
  };
}
