// Lake → derived → published, by the jobs themselves: from nothing, with a worker on each core (docs/run/sizing.md), then as nights, after one new
// vintage of one source and after none. If the first is interrupted, which takes hours at the size of millions, the next run continues with the existing
// shards, and its time is the sum of both.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { pino } from 'pino';
import { derive } from '../../jobs/derive.ts';
import { withShards } from '../../jobs/rebuild/workers.ts';
import { openWorkspace, type Workspace } from '../../jobs/workspace.ts';
import { quote } from '../../src/db/connect.ts';
import { parquetFiles, parquetMatching } from '../../src/db/files.ts';
import type { Manifest, Resource } from '../../src/model/manifest.ts';
import { codeOfStatistics } from '../../src/snapshot/build/result-files.ts';
import { readCurrent, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { publish } from '../../src/snapshot/build/publish.ts';
import { namedFolder, unbuiltLake } from '../generate.ts';
import type { Group, Measure } from '../figures.ts';
import { SIZES } from '../sizes.ts';

/** The smallest lake is a tenth of the size: a whole rebuild mostly makes every forecast of each of its series. */
export const rebuiltVintages = (size: number): number => (size > SIZES.small ? size : size / 10);

/** Tables written in parts, so that a night keeps the unchanged ones. */
const IN_PARTS: readonly string[] = ['vintages', 'states', 'values_3y'];

export async function rebuild(size: number): Promise<Group> {
  const lake = await unbuiltLake(rebuiltVintages(size), () => undefined);
  const folder = namedFolder('rebuild', lake.vintages);
  const clock = await openClock(folder);
  try {
    if (clock.isNew) {
      const isLock = (path: string) => path.endsWith('writer.lock');
      await cp(lake.paths.lake, snapshotPaths(folder).lake, { recursive: true, filter: (path) => !isLock(path) });
      await clock.begin();
    }
    const workspace = openWorkspace({
      dataDir: folder,
      referenceDir: resolve(import.meta.dirname, '../../data/reference'),
      engineThreads: 2,
      engineMemory: '600MB',
      snapshotsKept: 5,
    });
    const last = await night(workspace, (onRelation) => deriveByWorkers(workspace, onRelation));
    const whole = { ...last, seconds: last.seconds + clock.secondsBefore };
    await clock.end();
    await appendVintage(workspace);
    const again = (onRelation: OnRelation) => derive(workspace, effects, onRelation);
    const [changed, unchanged] = [await night(workspace, again), await night(workspace, again)];
    return {
      name: 'rebuild',
      of: `lake → derived → published of ${lake.vintages} vintages`,
      figures: [],
      measures: [
        ...measuresOf('whole', whole),
        ...measuresOf('one new vintage', changed),
        { name: 'one new vintage: share of the whole', value: (100 * changed.seconds) / whole.seconds, unit: '%' },
        ...(await rewrittenBy(folder, whole.manifest, changed.manifest)),
        ...measuresOf('nothing new', unchanged),
      ],
    };
  } finally {
    // A killed process does not reach this line.
    await clock.end();
    await rm(folder, { recursive: true, force: true });
  }
}

const CLOCK_MS = 5000;

/** The time that interrupted runs spent on the whole rebuild, saved as it goes. Results of other statistics code are not reused. */
async function openClock(folder: string) {
  const file = join(folder, 'spent.json');
  const code = codeOfStatistics();
  const known = await readFile(file, 'utf8').then(
    (text) => JSON.parse(text) as { readonly code: string; readonly seconds: number },
    () => null,
  );
  const isNew = known?.code !== code;
  if (isNew) await rm(folder, { recursive: true, force: true });
  const secondsBefore = isNew ? 0 : known.seconds;
  if (!isNew) process.stderr.write(`goes on with a rebuild that was interrupted after ${secondsBefore.toFixed(0)} s\n`);
  let began = performance.now();
  const write = () => writeFile(file, JSON.stringify({ code, seconds: secondsBefore + (performance.now() - began) / 1000 }));
  let ticks = isNew ? null : setInterval(() => void write(), CLOCK_MS);
  return {
    isNew,
    secondsBefore,
    begin: async () => {
      await mkdir(folder, { recursive: true });
      began = performance.now();
      await write();
      ticks = setInterval(() => void write(), CLOCK_MS);
    },
    end: async () => {
      if (ticks !== null) clearInterval(ticks);
      ticks = null;
      await rm(file, { force: true });
    },
  };
}

interface Night {
  readonly seconds: number;
  readonly relations: number;
  readonly filesWritten: number;
  readonly files: number;
  readonly manifest: Manifest;
}

type OnRelation = () => void;
const effects = { now: () => Date.now(), log: pino({ level: 'silent' }) };

async function night(workspace: Workspace, build: (onRelation: OnRelation) => ReturnType<typeof derive>): Promise<Night> {
  const began = performance.now();
  const paths = snapshotPaths(workspace.dataDir);
  let relations = 0;
  const { tables } = await build(() => {
    relations += 1;
  });
  await publish(paths, workspace.snapshotsKept);
  const seconds = (performance.now() - began) / 1000;
  const manifest = await readCurrent(paths);
  if (manifest === null) throw new Error(`nothing was published in ${workspace.dataDir}`);
  const filesWritten = tables.reduce((sum, { newFiles }) => sum + newFiles, 0);
  return { seconds, relations, filesWritten, files: manifest.resources.length, manifest };
}

/** The workers are processes of their own, which find the folder like any command. */
async function deriveByWorkers(workspace: Workspace, onRelation: OnRelation): ReturnType<typeof derive> {
  const { dataDir } = workspace;
  const place = { dataDir, scratchDir: join(dataDir, 'tmp'), snapshotUrl: null };
  const command = fileURLToPath(new URL('../../jobs/commands/derive.ts', import.meta.url));
  const workers = { count: availableParallelism(), command, options: ['--json'] };
  const before = process.env['DATA_DIR'];
  process.env['DATA_DIR'] = dataDir;
  try {
    return await withShards(place, effects, workers, { patience: 60_000 }, (shared) =>
      derive(workspace, effects, onRelation, undefined, shared),
    );
  } finally {
    if (before === undefined) delete process.env['DATA_DIR'];
    else process.env['DATA_DIR'] = before;
  }
}

const measuresOf = (name: string, { seconds, relations, filesWritten, files }: Night): Measure[] => [
  { name: `${name}: time`, value: seconds, unit: 's' },
  { name: `${name}: relations derived`, value: relations, unit: 'relations' },
  { name: `${name}: files written`, value: filesWritten, unit: `of ${files}` },
];

/** The next print of the newest period of one series, and its run, a day after all the others. */
async function appendVintage(workspace: Workspace): Promise<void> {
  const lake = await workspace.openLake();
  try {
    const [source, at] = ['fred_md', '2027-01-01T01:00:00.000Z'];
    const from = (table: 'observations' | 'ingestions' | 'attempts') => parquetMatching(lake.paths.pattern(table, source));
    const lastChangeSequence = lake.lastChangeSequence() + 1;
    const instant = (column: string) => `${quote(at)}::timestamptz as ${column}`;
    await lake.commit(
      source,
      at,
      [
        {
          table: 'observations',
          select: `select * exclude (filename) replace (
              value + 1 as value, '2027-01-01' as vintage, ${instant('observed_at')}, ${instant('released_at')}, ${instant('retrieved_at')}, ${instant('ingested_at')},
              'pay_generated_new' as payload_id, 'run_generated_new' as run_id, ${lastChangeSequence} as change_sequence
            )
            from (from ${from('observations')} where value is not null order by indicator_id, period_end desc, observed_at desc limit 1)`,
        },
        {
          table: 'ingestions',
          select: `select * exclude (filename) replace (
              'run_generated_new' as run_id, 'pay_generated_new' as payload_id, ${instant('retrieved_at')}, ${instant('started_at')}, ${instant('finished_at')}
            )
            from ${from('ingestions')} limit 1`,
        },
        {
          table: 'attempts',
          select: `select * exclude (filename) replace ('att_generated_new' as attempt_id, ${instant('started_at')}, ${instant('finished_at')})
            from ${from('attempts')} limit 1`,
        },
      ],
      { lastChangeSequence },
    );
  } finally {
    await lake.close();
  }
}

/** Files of the later snapshot that the earlier one lacks, for tables in parts: those with other rows, and those with the same rows. */
async function rewrittenBy(folder: string, earlier: Manifest, later: Manifest): Promise<Measure[]> {
  const partOf = ({ name, partition }: Resource) => `${name}|${JSON.stringify(partition)}`;
  const before = new Map(earlier.resources.map((resource) => [partOf(resource), resource]));
  const kept = new Set(earlier.resources.map(({ path }) => path));
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '2GB' });
  const connection = await instance.connect();
  const root = snapshotPaths(folder).root;
  let [rows, needed, needless] = [0, 0, 0];
  for (const resource of later.resources.filter(({ table, path }) => IN_PARTS.includes(table) && !kept.has(path))) {
    const file = (one: Resource | undefined) => (one === undefined ? null : parquetFiles([join(root, one.path)]));
    const different = await rowsBeyond(connection, file(resource), file(before.get(partOf(resource))));
    rows += different;
    if (different > 0) needed += 1;
    else needless += 1;
  }
  connection.closeSync();
  instance.closeSync();
  return [
    { name: 'one new vintage: rows that changed', value: rows, unit: 'rows' },
    { name: 'one new vintage: files rewritten with other rows', value: needed, unit: 'files' },
    { name: 'one new vintage: files rewritten with the rows they had', value: needless, unit: 'files' },
  ];
}

/** The number of rows that are in only one of both. */
async function rowsBeyond(connection: DuckDBConnection, one: string | null, other: string | null): Promise<number> {
  if (one === null || other === null) return 1;
  const counted = await connection.runAndReadAll(`
    select (select count(*) from (from ${one} except all from ${other})) + (select count(*) from (from ${other} except all from ${one}))`);
  return Number(counted.getRows()[0]?.[0]);
}
