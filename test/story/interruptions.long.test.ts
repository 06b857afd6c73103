// A command that is told to stop, by ^C or by a supervisor, at moments of it: one line, 130 or 143, nothing lying about, and the next run ends where one ends
// that nobody disturbed.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examine } from '../../jobs/doctor.ts';
import { readCurrent, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { fredMdFile, writeFiles } from '../pipeline.ts';
import { issueKeys, type ListBody, SAMPLE_TIME, sampleDataDir, sampleLake } from '../service.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const NIGHT = Date.parse(SAMPLE_TIME);
// The content of a snapshot says when its payloads were retrieved. The command says that it answers signals.
const CLOCK = `data:text/javascript,Date.now=()=>${NIGHT};process.on('newListener',(name)=>{if(name==='SIGTERM')console.log('ready')})`;

const months = (count: number, revision: number) =>
  Object.fromEntries(
    [...Array(count).keys()].map((index) => [
      `${2012 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`,
      240 + index + (index % 5 === 0 ? revision : 0),
    ]),
  );
const vintage = (name: string, count: number, revision: number) =>
  fredMdFile(name, Object.fromEntries(['CPIAUCSL', 'PAYEMS', 'INDPRO', 'UNRATE'].map((code) => [code, months(count, revision)])));
const FILES = {
  ...vintage('2020-05', 100, 0),
  ...vintage('2020-06', 101, 1),
  ...vintage('2020-07', 102, 2),
  ...vintage('2020-08', 103, 0),
};

interface Run {
  readonly child: ChildProcess;
  /** Exit code, else signal. */
  readonly ended: Promise<number | string | null>;
  readonly ready: Promise<unknown>;
  readonly said: () => string;
}

let root: string;
let mirror: string;

function command(name: string, dataDir: string, options: readonly string[] = []): Run {
  const [file = '', ...first] = name === 'start' ? ['tools/start'] : [process.execPath, '--import', 'tsx', `jobs/commands/${name}.ts`];
  const { PATH, HOME } = process.env;
  const child = spawn(file, [...first, ...options], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, TMPDIR: root, NODE_OPTIONS: `--import ${CLOCK}`, DATA_DIR: dataDir, LOG_LEVEL: 'silent', PORT: '0' },
  });
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  const ready = new Promise<void>((done) => {
    child.stdout.once('data', () => done());
    child.once('close', () => done());
  });
  child.stdout.resume();
  const ended = once(child, 'close').then(() => child.exitCode ?? child.signalCode);
  return { child, ended, ready, said: () => text };
}

async function finished(name: string, dataDir: string, options: readonly string[] = []): Promise<void> {
  const { ended, said } = command(name, dataDir, options);
  const code = await ended;
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${said()}`);
}

/** Tells it to stop as soon as it has made a file, or at once. */
async function stopped(run: Run, signal: NodeJS.Signals, file: string | null): Promise<void> {
  await run.ready;
  const isThere = () => file === null || existsSync(file);
  while (!isThere() && run.child.exitCode === null) await delay(1);
  run.child.kill(signal);
}

async function contentOf(dataDir: string): Promise<string | undefined> {
  return (await readCurrent(snapshotPaths(dataDir)))?.contentHash;
}

async function leftoversIn(dataDir: string): Promise<readonly string[]> {
  const { findings } = await examine(dataDir, NIGHT);
  return [...findings.filter(({ area }) => area === 'leftovers').map(({ file }) => file), ...debrisIn(dataDir)];
}

/** What the engine spilled, the folder of the sample's files, locks. */
function debrisIn(dataDir: string): readonly string[] {
  const found = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
  return found.filter((path) => /(?:^|\/)(?:mirror\/|.*duckdb_temp|keys\.json\.lock|rights\.json\.lock)/.test(path));
}

const CODES = { SIGINT: 130, SIGTERM: 143 } as const;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'asof-interrupted-'));
  mirror = join(root, 'mirror');
  await writeFiles(mirror, FILES);
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('nightly, collect, normalise, derive, publish', () => {
  const STEPS = ['collect', 'normalise', 'derive', 'publish'];
  const optionsOf = (name: string) => (name === 'nightly' || name === 'collect' ? ['--json', '--mirror', mirror] : ['--json']);
  const before = (name: string) => join(root, `before-${name}`);
  let whole: string | undefined;

  beforeAll(async () => {
    const chain = join(root, 'chain');
    await mkdir(chain);
    for (const name of STEPS) {
      await cp(chain, before(name), { recursive: true });
      await finished(name, chain, optionsOf(name));
    }
    whole = await contentOf(chain);
  });

  // Each as a file of it comes in: at once, the archive, the lake, the engine's work, the files of the snapshot, the candidate.
  it.each([
    ['nightly', 'SIGINT', null],
    ['nightly', 'SIGTERM', 'raw/payloads'],
    ['nightly', 'SIGINT', 'lake/observations/source_id=fred_md'],
    ['nightly', 'SIGTERM', 'snapshots/.staging'],
    ['nightly', 'SIGINT', 'snapshots/served'],
    ['nightly', 'SIGTERM', 'snapshots/candidate.json'],
    ['collect', 'SIGINT', 'raw/payloads'],
    ['normalise', 'SIGTERM', 'lake/observations/source_id=fred_md'],
    ['derive', 'SIGINT', 'snapshots/.staging'],
    ['derive', 'SIGTERM', 'snapshots/served'],
    ['publish', 'SIGINT', null],
  ] as const)('%s that is stopped (%s) when %s arrives', async (name, signal, file) => {
    const dataDir = await mkdtemp(join(root, `${name}-`));
    if (name !== 'nightly') await cp(before(name), dataDir, { recursive: true });
    const run = command(name, dataDir, optionsOf(name));
    await stopped(run, signal, file === null ? null : join(dataDir, file));
    expect(await run.ended).toBe(CODES[signal]);
    expect(run.said()).toMatch(new RegExp(`^Interrupted\\. [^\\n]* To continue: DATA_DIR=${dataDir} npm run ${name}[^\\n]*\\n$`));
    expect(await leftoversIn(dataDir)).toEqual([]);
    for (const next of name === 'nightly' ? [name] : STEPS.slice(STEPS.indexOf(name))) {
      // A publication that had begun was brought to its end.
      if (next === 'publish' && (await contentOf(dataDir)) !== undefined) continue;
      await finished(next, dataDir, optionsOf(next));
    }
    expect([await contentOf(dataDir), await leftoversIn(dataDir)]).toEqual([whole, []]);
  });
});

describe('npm start', () => {
  it.each([
    ['SIGTERM', 'mirror'],
    ['SIGINT', 'lake/observations'],
  ] as const)('that is stopped (%s) when %s of the sample arrives', async (signal, file) => {
    const dataDir = await mkdtemp(join(root, 'start-'));
    const run = command('start', dataDir);
    // Only the shell gets the signal, as from a supervisor.
    await stopped(run, signal, join(dataDir, 'sample', file));
    expect(await run.ended).toBe(CODES[signal]);
    expect(run.said().split('\n').slice(-2)).toEqual([
      `Interrupted. Finished parts of the sample are kept. To continue: DATA_DIR=${dataDir} npm start`,
      '',
    ]);
    expect(await leftoversIn(join(dataDir, 'sample'))).toEqual([]);
    await finished('prepare', dataDir);
    expect(await contentOf(join(dataDir, 'sample'))).toBe(await contentOf(await sampleLake()));
    expect(await leftoversIn(join(dataDir, 'sample'))).toEqual([]);
  });
});

describe('npm start on a terminal', () => {
  const hasTerminal = spawnSync('script', ['--version']).status === 0;
  const why = hasTerminal ? '' : ' (skipped: there is no script)';

  /** Types ^C once it has shown something, after what `then` does. */
  async function typed(dataDir: string, until: RegExp, then: (shown: string) => Promise<void> = () => Promise.resolve()) {
    const child = spawn('script', ['-qec', 'stty cols 120 rows 40; exec tools/start', '/dev/null'], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: root, TERM: 'xterm', DATA_DIR: dataDir, PORT: '0' },
    });
    let shown = '';
    child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString('utf8')));
    while (!until.test(shown) && child.exitCode === null) await delay(20);
    await then(shown);
    child.stdin.write('\u0003');
    await once(child, 'close');
    return { code: child.exitCode, shown };
  }

  it.skipIf(!hasTerminal)(`ends with its address, a way to get a key, and a question that has an answer${why}`, async () => {
    const dataDir = await sampleDataDir();
    const { full } = await issueKeys(dataDir, NIGHT);
    const { code, shown } = await typed(dataDir, /Press Ctrl-C to stop\.[^]*curl [^\n]*\n\s*\n/, async (text) => {
      const url = /curl -H "x-api-key: \$KEY" '([^']+)'/.exec(text)?.[1] ?? '';
      const response = await fetch(url, { headers: { 'x-api-key': full } });
      const { data } = (await response.json()) as ListBody;
      expect([response.status, data.map(({ actual }) => actual)]).toEqual([200, [133589]]);
    });
    expect(shown).toMatch(/asof listens at http:\/\/127\.0\.0\.1:\d+\. It serves a generated sample with invented numbers\./);
    expect(shown).toContain('npm run keys -- create --label me --scopes data:read');
    expect(code).toBe(0);
    await rm(dataDir, { recursive: true });
  });

  it.skipIf(!hasTerminal)(`ends with a new key and its link, which no line about requests scrolls away${why}`, async () => {
    const dataDir = await sampleDataDir();
    const { code, shown } = await typed(dataDir, /explore#key=[^\n]*\n\s*\n/, async (text) => {
      const [, key = '', url = ''] = /curl -H 'x-api-key: (asof_\w+)' '([^']+)'/.exec(text) ?? [];
      const response = await fetch(url, { headers: { 'x-api-key': key } });
      expect([response.status, ((await response.json()) as ListBody).data.length]).toEqual([200, 1]);
      expect(text.trim().split('\n').at(-1)?.trim()).toMatch(
        new RegExp(`/explore#key=${key}&to=/series\\?indicator_id=us_nonfarm_payrolls`),
      );
    });
    expect(shown).not.toContain('"msg":"request"');
    expect(code).toBe(0);
    expect(existsSync(join(dataDir, 'new-key'))).toBe(false);
    await rm(dataDir, { recursive: true });
  });

  it.skipIf(!hasTerminal)(`ends the progress bar with its line if you type ^C${why}`, async () => {
    const dataDir = await mkdtemp(join(root, 'terminal-'));
    const { code, shown } = await typed(dataDir, /source \d+ of \d+/);
    expect(code).toBe(130);
    // The bar hid the cursor.
    const last = shown.slice(shown.lastIndexOf('\u001b[?25h') + '\u001b[?25h'.length).replaceAll('\r', '');
    expect(last).toBe(`\nInterrupted. Finished parts of the sample are kept. To continue: DATA_DIR=${dataDir} npm start\n`);
    expect(await leftoversIn(join(dataDir, 'sample'))).toEqual([]);
  });
});

describe('a command that changes a small file', () => {
  it.each([
    ['keys', 'keys.json', ['create', '--label', 'me']],
    ['rights', 'rights.json', ['grant', 'quotes', '--note', "the vendor's letter"]],
  ] as const)('%s waits for another command, is stopped, and has changed nothing', async (name, file, options) => {
    const dataDir = await mkdtemp(join(root, `${name}-`));
    const lock = join(dataDir, `${file}.lock`);
    await writeFile(lock, String(process.pid));
    const run = command(name, dataDir, options);
    await run.ready;
    await delay(500);
    run.child.kill('SIGINT');
    expect(await run.ended).toBe(130);
    expect(run.said()).toMatch(new RegExp(`^Interrupted\\. [^\\n]* To continue: DATA_DIR=${dataDir} npm run ${name} -- list\\n$`));
    // The lock is still the other command's.
    expect([await readFile(lock, 'utf8'), existsSync(join(dataDir, file))]).toEqual([String(process.pid), false]);
    await rm(lock);
    await finished(name, dataDir, options);
    expect([existsSync(join(dataDir, file)), existsSync(lock)]).toEqual([true, false]);
  });

  it.each(['quarantine', 'doctor'])('%s that is stopped', async (name) => {
    const dataDir = await mkdtemp(join(root, `${name}-`));
    const run = command(name, dataDir, name === 'quarantine' ? ['list'] : []);
    await stopped(run, 'SIGTERM', null);
    expect([await run.ended, run.said().split('\n').length]).toEqual([143, 2]);
    expect(await leftoversIn(dataDir)).toEqual([]);
  });
});

describe('export', () => {
  it('qlib that is stopped while it writes leaves no folder, and the next run writes it', async () => {
    const dataDir = await sampleDataDir();
    const [parent, options] = [join(root, 'exports'), ['qlib', join(root, 'exports/qlib')]];
    const run = command('export', dataDir, options);
    await stopped(run, 'SIGINT', join(parent, `.qlib.${run.child.pid}.partial`));
    expect(await run.ended).toBe(130);
    expect(run.said()).toContain(`Interrupted. Nothing was replaced. To continue: DATA_DIR=${dataDir} npm run export -- qlib `);
    expect(readdirSync(parent)).toEqual([]);
    await finished('export', dataDir, options);
    expect(readdirSync(parent)).toEqual(['qlib']);
    await rm(dataDir, { recursive: true });
  });
});
