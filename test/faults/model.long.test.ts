// A lake beside a model of it: a list of statements that is only ever appended to. Appends in any order of their times, kills, damage, a clock that
// jumps, compactions and publications are drawn at random; as of random moments both say the same. FAULTS_SEED and MODEL_SEQUENCE (7, or 0-82) tell some again.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mendLake } from '../../jobs/mend.ts';
import { compact } from '../../src/lake/compact.ts';
import type { SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import { traced } from '../disk/disk-calls.ts';
import { type Stated, stated, statedFile } from '../lake/stated.ts';
import { ask, type Files, openPipeline, type Pipeline, SILENT } from '../pipeline.ts';
import { type Draw, drawing, namedRange, repeatable, tellProgress } from './draws.ts';
import { DAY, rowsOfAll } from './nights.ts';
import { KnownError } from '../../src/known-error.ts';

const SEED = Number(process.env['FAULTS_SEED'] ?? '1');
const STEPS = Number(process.env['MODEL_STEPS'] ?? '60');
const [FIRST, LAST] = namedRange(process.env['MODEL_SEQUENCE']);
/** Of one lake; what is longer is several of them, each with draws of its own. A mending reads all that came before anew, so that a lake costs by the square of its steps. */
const MOST_STEPS = 60;
const CODES = ['PAYEMS', 'INDPRO', 'UNRATE', 'CPIAUCSL'] as const;
const MONTHS = ['2019-07', '2019-08', '2019-09', '2019-10', '2019-11', '2019-12'] as const;
const START = Date.parse('2021-01-01T00:00:00.000Z');
const HOUR = 3_600_000;

interface Statement {
  readonly code: string;
  readonly period: string;
  readonly observedAt: string;
  /** Null: withdrawn. */
  readonly value: number | null;
}
type Known = Readonly<Record<string, readonly [value: number, since: string]>>;

/** What was known at a moment: of each period the newest statement by then, and since when it said the same. */
function asOf(statements: readonly Statement[], moment: string): Known {
  const known = new Map<string, readonly [number | null, string]>();
  for (const { code, period, value, observedAt } of statements.toSorted((a, b) => (a.observedAt < b.observedAt ? -1 : 1))) {
    const key = `${code} ${period}`;
    if (observedAt <= moment && known.get(key)?.[0] !== value) known.set(key, [value, observedAt]);
  }
  return Object.fromEntries(
    [...known]
      .filter((entry): entry is [string, readonly [number, string]] => entry[1][0] !== null)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const iso = (at: number) => new Date(at).toISOString();

interface World {
  readonly pipeline: Pipeline;
  readonly draw: Draw;
  readonly statements: Statement[];
  /** When each statement was made: no two at once. */
  readonly moments: Set<number>;
  now: number;
  /** When the lake was last written to. */
  ingestedAt: number;
  payloads: number;
  /** What is published, and the statements of then. */
  published: { readonly reader: SnapshotReader; readonly statements: readonly Statement[] } | null;
}

const someMoment = ({ draw, now }: World) => iso(START - 40 * HOUR + draw(Math.floor((now - START) / 1000) + 40 * 3600) * 1000);

/** A payload of statements of the last two days, in no order with those of others. */
function drawPayload(world: World): { readonly files: Files; readonly said: readonly Statement[] } {
  const { draw, moments } = world;
  const cells = new Set([...Array(1 + draw(5)).keys()].map(() => `${CODES[draw(CODES.length)]} ${MONTHS[draw(MONTHS.length)]}`));
  const said = [...cells].map((cell): Statement => {
    const [code = '', period = ''] = cell.split(' ');
    let at = world.now - draw(40 * 3600) * 1000;
    while (moments.has(at)) at -= 1000;
    moments.add(at);
    return { code, period, observedAt: iso(at), value: draw(12) === 0 ? null : 100 + draw(3) };
  });
  world.payloads += 1;
  const rows = said.map(({ code, period, observedAt, value }): Stated => [period, observedAt, value, code]);
  return { files: statedFile(`p${world.payloads}`, rows), said };
}

async function ingest(world: World, files: Files): Promise<void> {
  await world.pipeline.ingest(files, iso(world.now), [stated]);
  world.ingestedAt = world.now;
}

async function append(world: World): Promise<string> {
  const { files, said } = drawPayload(world);
  await ingest(world, files);
  world.statements.push(...said);
  return `${said.length} statements`;
}

async function killedAppend(world: World): Promise<string> {
  const { files, said } = drawPayload(world);
  const after = world.draw(40);
  const { error } = await traced(world.pipeline.dataDir, () => ingest(world, files), { killedAfter: after });
  if (error !== null) await ingest(world, files);
  world.statements.push(...said);
  return `${said.length} statements, killed after ${after} changes: ${error === null ? 'too late' : 'and again'}`;
}

async function publish(world: World): Promise<string> {
  if (world.statements.length === 0) return 'nothing yet';
  const { pipeline, draw } = world;
  const after = draw(3) === 0 ? draw(250) : null;
  if (after !== null) await traced(pipeline.dataDir, () => pipeline.publish(), { killedAfter: after });
  await pipeline.publish();
  world.published?.reader.close();
  world.published = { reader: await pipeline.open(), statements: [...world.statements] };
  for (let number = 0; number < 5; number += 1) await askPublished(world);
  return after === null ? 'whole' : `killed after ${after} changes, and again`;
}

async function askPublished(world: World): Promise<string> {
  if (world.published === null) return 'nothing yet';
  const { reader, statements } = world.published;
  const moment = someMoment(world);
  const found: Record<string, readonly [number, string]> = {};
  const ids = await world.pipeline.lake('select distinct series_code, indicator_id from observations order by all');
  for (const { series_code: code, indicator_id: id } of ids) {
    for (const { period, value, observedAt } of await ask(reader, { indicatorIds: [String(id)] }, { asOf: moment }))
      if (value !== null) found[`${String(code)} ${period}`] = [value, observedAt];
  }
  expect([moment, Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)))]).toEqual([
    moment,
    asOf(statements, moment),
  ]);
  return `as of ${moment}`;
}

async function askLake(world: World): Promise<string> {
  const rows = await world.pipeline.lake('select series_code, period, observed_at, value from observations');
  const inLake = rows.map(
    (row): Statement => ({
      code: String(row['series_code']),
      period: String(row['period']),
      observedAt: String(row['observed_at']),
      value: row['value'] === null ? null : Number(row['value']),
    }),
  );
  const moment = someMoment(world);
  expect([moment, asOf(inLake, moment)]).toEqual([moment, asOf(world.statements, moment)]);
  return `as of ${moment}`;
}

/** A run that is made again after damage says the code that made it. */
const rowsIn = (pipeline: Pipeline) => rowsOfAll(pipeline, ['code_revision']);

async function damage(world: World): Promise<string> {
  const { pipeline, draw, now } = world;
  const lake = join(pipeline.dataDir, 'lake');
  const files = readdirSync(lake, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(observations|ingestions)\/source_id=fred\/.*\.parquet$|^verified\.json$/.test(path))
    .toSorted();
  const path = files[draw(files.length)];
  if (path === undefined) return 'nothing yet';
  const before = await rowsIn(pipeline);
  const bytes = readFileSync(join(lake, path));
  const kind = draw(3);
  if (kind === 0) rmSync(join(lake, path));
  else if (kind === 1) writeFileSync(join(lake, path), bytes.subarray(0, draw(bytes.length)));
  else {
    const at = draw(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << draw(8));
    writeFileSync(join(lake, path), bytes);
  }
  const opened = await pipeline.workspace.openLake();
  try {
    await mendLake(opened, pipeline.workspace, [stated], { now: () => now, log: SILENT });
  } finally {
    await opened.close();
  }
  expect(await rowsIn(pipeline)).toEqual(before);
  return `${path} ${['gone', 'cut off', 'with another bit'][kind]}`;
}

async function compactAll(world: World): Promise<string> {
  const { pipeline, now } = world;
  const before = await rowsIn(pipeline);
  const opened = await pipeline.workspace.openLake();
  try {
    await compact(opened, iso(now), { moreThan: 1, smallBytes: 1e9 });
  } finally {
    await opened.close();
  }
  expect(await rowsIn(pipeline)).toEqual(before);
  return 'to one file each';
}

async function clockAhead(world: World): Promise<string> {
  world.now += world.draw(40) * DAY;
  return iso(world.now);
}

async function clockBack(world: World): Promise<string> {
  if (world.payloads === 0) return 'nothing yet';
  const back = 1 + world.draw(60 * 86_400) * 1000;
  const { files } = drawPayload(world);
  const before = await rowsIn(world.pipeline);
  const behind = { ...world, now: world.ingestedAt - back };
  const outcome = await ingest(behind, files).catch((error: unknown) => error);
  if (outcome instanceof KnownError && /but the clock shows/.test(outcome.message)) expect(await rowsIn(world.pipeline)).toEqual(before);
  else throw new Error(`a clock that is ${back} ms behind was taken: ${String(outcome)}`);
  return `${back} ms, refused`;
}

/** How often of a hundred. */
const ACTS: readonly (readonly [string, number, (world: World) => Promise<string>])[] = [
  ['append', 44, append],
  ['killed append', 12, killedAppend],
  ['ask the lake', 12, askLake],
  ['ask what is published', 12, askPublished],
  ['damage', 6, damage],
  ['compact', 4, compactAll],
  ['publish', 4, publish],
  ['clock ahead', 3, clockAhead],
  ['clock back', 3, clockBack],
];

async function sequence(number: number, steps: number): Promise<ReadonlyMap<string, number>> {
  const draw = drawing(SEED * 1_000_003 + number);
  const dataDir = mkdtempSync(join(tmpdir(), 'asof-model-'));
  const pipeline = await openPipeline({ dataDir });
  // A lake is begun by the first that opens it: until then there is nothing to ask.
  await (await pipeline.workspace.openLake()).close();
  const world: World = { pipeline, draw, statements: [], moments: new Set(), now: START, ingestedAt: START, payloads: 0, published: null };
  const log: string[] = [];
  const counts = new Map<string, number>();
  try {
    for (let step = 0; step < steps; step += 1) {
      world.now += (1 + draw(120)) * 60_000;
      // The last three: what was done is looked at as a whole.
      let left = draw(100);
      const drawn = ACTS.find(([, share]) => (left -= share) < 0);
      const [name, , act] = (step >= steps - 3
        ? ACTS.find(([one]) => one === (['ask the lake', 'publish', 'ask what is published'] as const)[step - steps + 3])
        : drawn) ??
        ACTS[0] ?? ['', 0, append];
      log.push(`${step} ${iso(world.now)} ${name}`);
      const told = await act(world);
      log.push(`${log.pop() ?? ''}: ${told}`);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return counts;
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\nThe steps:\n${log.join('\n')}`, { cause: error });
  } finally {
    await pipeline.remove();
  }
}

describe('a lake and its model', { timeout: 12 * 3600 * 1000 }, () => {
  it(`agree as of any moment through ${STEPS} steps (seed ${SEED})`, async () => {
    const sequences = Math.ceil(STEPS / MOST_STEPS);
    const all = new Map<string, number>();
    for (let number = FIRST; number < sequences && number <= LAST; number += 1) {
      const steps = Math.min(MOST_STEPS, STEPS - number * MOST_STEPS);
      const counts = await repeatable(`FAULTS_SEED=${SEED} MODEL_STEPS=${STEPS} MODEL_SEQUENCE=${number}`, () => sequence(number, steps));
      for (const [name, count] of counts) all.set(name, (all.get(name) ?? 0) + count);
      tellProgress('model, sequence', number + 1, sequences, 10);
    }
    process.stdout.write(`model, seed ${SEED}: ${[...all].map(([name, count]) => `${count} ${name}`).join(', ')}\n`);
    expect(all.get('append') ?? 0).toBeGreaterThan(0);
    expect(all.get('publish') ?? 0).toBeGreaterThan(0);
  });
});
