// A run killed at any moment leaves the old snapshot or the new one, whole, and the next run ends where an undisturbed one does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCurrent, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { verifyFiles } from '../../src/snapshot/verify-files.ts';
import { type Files, fredMdFile, openPipeline, type Pipeline, realTimeFile } from '../pipeline.ts';

// Each trial kills three runs one after the other - two by time, one as a folder changes - then lets one end.
const TRIALS = Number(process.env['KILL_TRIALS'] ?? '3');
// Where in its part of the run's length each timed kill falls, from 0 to below 0.5.
const SHIFT = (Number(process.env['KILL_SEED'] ?? process.env['FAULTS_SEED'] ?? '0') % 100) / 200;
// The manifest is written; the pointer has moved; a commit is recorded; rows go into the lake; files of the snapshot come in; the candidate
// is there; a payload is archived.
const MOMENTS = [
  'snapshots/manifests',
  'current.json',
  'lake/commits',
  'snapshots/files',
  'lake/observations',
  'snapshots',
  'raw/payloads/fred_md',
];
const FIRST_NIGHT = '2026-11-20T03:30:00.000Z';
const SECOND_NIGHT = '2026-11-21T03:30:00.000Z';

const months = (count: number, revision: number) =>
  Object.fromEntries(
    [...Array(count).keys()].map((index) => [
      `${2018 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`,
      240 + index + (index % 5 === 0 ? revision : 0),
    ]),
  );
const vintage = (name: string, count: number, revision: number) =>
  fredMdFile(name, Object.fromEntries(['CPIAUCSL', 'PAYEMS', 'INDPRO'].map((code) => [code, months(count, revision)])));

const FIRST: Files = { ...vintage('2020-05', 28, 0), ...vintage('2020-07', 30, 1), ...fixturesOf('world_bank') };
// The vintage between the two arrives late; other sources come in beside it.
const SECOND: Files = {
  ...FIRST,
  ...vintage('2020-06', 29, 2),
  ...vintage('2020-08', 31, 0),
  ...realTimeFile(
    'CPI',
    'CPI',
    Object.keys(months(20, 0)).map((month, index) => [`${month}-01`, '2020-02-01', '2020-12-31', 250 + index] as const),
  ),
  ...fixturesOf('sec'),
  ...fixturesOf('ecb_fx'),
};

describe('a killed run', { timeout: 3_600_000 }, () => {
  let root: string;
  let afterFirst: Pipeline;
  let undisturbed: Pipeline;
  let expected: Record<string, unknown>;
  let milliseconds: number;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'asof-kill-'));
    await writeFile(join(root, 'files.json'), JSON.stringify(SECOND));
    afterFirst = await openPipeline({ dataDir: join(root, 'first') });
    await afterFirst.run(FIRST, FIRST_NIGHT);
    await cp(join(root, 'first'), join(root, 'undisturbed'), { recursive: true });
    undisturbed = await openPipeline({ dataDir: join(root, 'undisturbed') });
    const child = await ready('undisturbed');
    const begun = performance.now();
    child.begin();
    await child.ended;
    milliseconds = performance.now() - begun;
    expected = await stateOf(undisturbed);
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  const ready = async (folder: string) => {
    const script = join(import.meta.dirname, 'run-pipeline.ts');
    const parameters = [join(root, folder), join(root, 'files.json'), SECOND_NIGHT];
    const child = spawn(process.execPath, ['--import', 'tsx', script, ...parameters], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, TMPDIR: root },
    });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    return { begin: () => child.stdin.write('go\n'), kill: () => child.kill('SIGKILL'), isOver: () => child.exitCode !== null, ended };
  };

  /** Kills a run after a time, or at the moment at which a path is no longer what it was. */
  const killed = async (folder: string, when: number | string) => {
    const child = await ready(folder);
    const change = typeof when === 'number' ? delay(when) : changeOf(join(root, folder, when), child.isOver);
    child.begin();
    await change;
    child.kill();
    await child.ended;
  };

  const currentOf = async (folder: string) => {
    const paths = snapshotPaths(join(root, folder));
    const manifest = await readCurrent(paths);
    if (manifest === null) throw new Error('there is no snapshot');
    await verifyFiles(paths, manifest.resources, 'the current snapshot');
    return manifest.contentHash;
  };

  it(`leaves a whole snapshot, and the next run converges (${TRIALS * 3} kills over the run's length)`, async () => {
    const [before, after] = [await currentOf('first'), await currentOf('undisturbed')];
    expect(after).not.toBe(before);
    const outcomes: string[] = [];
    // Two trials beside each other, so that a run takes about as long as the one that was timed; the timed kills lie evenly over it.
    const left = [...Array(TRIALS).keys()];
    const lane = async () => {
      for (let trial = left.shift(); trial !== undefined; trial = left.shift()) await runTrial(trial);
    };
    const runTrial = async (trial: number) => {
      const folder = `trial-${trial}`;
      await cp(join(root, 'first'), join(root, folder), { recursive: true });
      for (const when of [
        milliseconds * ((trial + SHIFT) / TRIALS),
        MOMENTS[trial % MOMENTS.length] ?? 0,
        milliseconds * ((trial + 0.5 + SHIFT) / TRIALS),
      ]) {
        await killed(folder, when);
        const current = await currentOf(folder);
        expect([before, after]).toContain(current);
        outcomes.push(current === before ? 'old' : 'new');
      }
      const pipeline = await openPipeline({ dataDir: join(root, folder) });
      await pipeline.run(SECOND, SECOND_NIGHT);
      expect(await currentOf(folder)).toBe(after);
      expect(await stateOf(pipeline)).toEqual(expected);
    };
    await Promise.all([lane(), lane()]);
    expect(outcomes).toHaveLength(TRIALS * 3);
    expect(new Set(outcomes)).toEqual(new Set(['old', 'new']));
  });

  it('converges as well from an empty folder', async () => {
    const clean = await openPipeline({ dataDir: join(root, 'from-nothing') });
    await clean.run(SECOND, SECOND_NIGHT);
    const whole = await stateOf(clean);
    const hash = await currentOf('from-nothing');
    const trials = [0.05, 0.4, 0.75].map(async (share) => {
      const folder = `from-nothing-${share}`;
      await killed(folder, milliseconds * share);
      const pipeline = await openPipeline({ dataDir: join(root, folder) });
      await pipeline.run(SECOND, SECOND_NIGHT);
      expect(await currentOf(folder)).toBe(hash);
      return stateOf(pipeline);
    });
    for (const state of await Promise.all(trials)) expect(state).toEqual(whole);
  });
});

/** Every vintage, every quarantined row, every archived payload, and all files that should not be there. */
async function stateOf(pipeline: Pipeline): Promise<Record<string, unknown>> {
  const observations = await pipeline.lake('select * from observations order by change_sequence');
  return {
    rows: observations.length,
    observations,
    quarantine: await pipeline.lake('select * from quarantine order by quarantine_id'),
    ingestions: await pipeline.lake('select * from ingestions order by run_id'),
    archive: filesBelow(join(pipeline.dataDir, 'raw')),
    debris: filesBelow(pipeline.dataDir).filter((path) => /\.partial|staging\/|^tmp\//.test(path)),
    published: filesBelow(join(pipeline.dataDir, 'snapshots')),
  };
}

async function changeOf(path: string, isOver: () => boolean): Promise<void> {
  const fingerprint = () => `${statSync(path).ino} ${statSync(path).mtimeMs}`;
  const before = fingerprint();
  while (!isOver() && fingerprint() === before) await delay(1);
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function fixturesOf(source: string): Files {
  const folder = join(import.meta.dirname, '../fixtures', source);
  const names = readdirSync(folder).filter((name) => name.endsWith('.rows.json'));
  return Object.fromEntries(
    names.map((name) => {
      const { key } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { readonly key: string };
      const raw = readdirSync(folder).find((file) => file.startsWith(name.replace('.rows.json', '.raw.'))) ?? '';
      return [key, readFileSync(join(folder, raw), 'utf8')];
    }),
  );
}
