// The nightly command as it is called: what it prints, and what it keeps.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NightlyReport } from '../../jobs/nightly.ts';
import { readCurrent, SAMPLE_MARK, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { fredMdFile, writeFiles } from '../pipeline.ts';

const ROOT = resolve(import.meta.dirname, '../..');

let root: string;
let mirror: string;
let dataDir: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'asof-night-'));
  [mirror, dataDir] = [join(root, 'mirror'), join(root, 'data')];
  await writeFiles(mirror, {
    ...fredMdFile('2020-01', { PAYEMS: { '2019-10': 151_000, '2019-11': 151_100, '2019-12': 151_200 } }),
    'fred-md/2020-02.csv': 'no table',
    'letters/to-nobody.txt': 'x',
  });
});
afterAll(() => rm(root, { recursive: true, force: true }));

const nightly = (...options: readonly string[]) => run(['jobs/commands/nightly.ts', ...options]);

function run(command: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<readonly [code: number | null, out: string]> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], TMPDIR: root, DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...more };
  const child = spawn(process.execPath, ['--import', 'tsx', ...command], { cwd: ROOT, env });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')));
  return new Promise((done) => child.on('close', (code) => done([code, out])));
}

const reports = async () => (await readdir(join(dataDir, 'reports'))).toSorted();

it('prints failures and unclaimed files in few lines, and keeps all of them in a file', async () => {
  const [code, out] = await nightly('--mirror', mirror);
  const lines = out.trimEnd().split('\n');
  expect([code, lines.length <= 40]).toEqual([1, true]);
  expect(lines.filter((line) => line.startsWith('fred_md '))).toEqual([expect.stringMatching(/^fred_md +3 +3 +0 +0 +[\d.]+ +FAILED$/)]);
  expect(out).toMatch(/^FAILED fred_md: fred-md\/2020-02\.csv: /m);
  expect(out).toContain('\nof no source: letters/ to-nobody.txt\n');
  const [name = ''] = await reports();
  const file = join(dataDir, 'reports', name);
  // A run that failed does not end with the command to go on with.
  expect(lines.at(-1)).toBe(`Full report: ${file}, or --verbose.`);
  const kept = JSON.parse(await readFile(file, 'utf8')) as {
    readonly collect: { readonly files: readonly { readonly key: string }[]; readonly unclaimed: readonly string[] };
  };
  expect([kept.collect.files.map(({ key }) => key), kept.collect.unclaimed]).toEqual([
    ['fred-md/2020-01.csv', 'fred-md/2020-02.csv'],
    ['letters/to-nobody.txt'],
  ]);
});

it('prints every table if asked to, and as JSON the kept report', async () => {
  const [, verbose] = await nightly('--offline', '--verbose');
  expect(verbose).toMatch(/^published table +rows +files +new files +ms$/m);
  expect(verbose).toMatch(/^Full report: /m);
  const [, json] = await nightly('--offline', '--json');
  const names = await reports();
  expect(names).toHaveLength(3);
  expect(JSON.parse(json)).toEqual(JSON.parse(await readFile(join(dataDir, 'reports', names.at(-1) ?? ''), 'utf8')));
});

it('ends with the command that serves the snapshot, as the caller would type it, and not on a machine', async () => {
  const sound = join(root, 'sound');
  await writeFiles(sound, fredMdFile('2020-03', { PAYEMS: { '2020-01': 151_300, '2020-02': 151_400 } }));
  const own = { DATA_DIR: join(root, 'sound-data') };
  const [code, out] = await run(['jobs/commands/nightly.ts', '--mirror', sound], own);
  expect([code, out.endsWith(`or --verbose.\nnext: DATA_DIR=${own.DATA_DIR} npm start\n`)]).toEqual([0, true]);
  // Nothing is new, and that is a success.
  const [again, installed] = await run(['jobs/commands/asof.ts', 'nightly', '--offline', '--if-changed'], own);
  expect([again, installed.endsWith(`or --verbose.\nnext: DATA_DIR=${own.DATA_DIR} asof serve\n`)]).toEqual([0, true]);
  const [, json] = await run(['jobs/commands/nightly.ts', '--offline', '--json'], own);
  expect(json).not.toContain('next:');
});

it('names the folder around the sample if it worked on the sample', async () => {
  const own = join(root, 'around/sample');
  await mkdir(own, { recursive: true });
  await writeFile(join(own, SAMPLE_MARK), '');
  await writeFiles(join(root, 'few'), fredMdFile('2020-03', { PAYEMS: { '2020-01': 151_300, '2020-02': 151_400 } }));
  const [code, out] = await run(['jobs/commands/nightly.ts', '--mirror', join(root, 'few')], { DATA_DIR: own });
  expect([code, out.split('\n').at(-2)]).toEqual([0, `next: DATA_DIR=${join(root, 'around')} npm start`]);
  // A server over a folder with data of its own would not serve the sample in it.
  await mkdir(join(root, 'around/snapshots/manifests'), { recursive: true });
  await writeFile(join(root, 'around/snapshots/manifests/snap_1.json'), '{}');
  const [, beside] = await run(['jobs/commands/nightly.ts', '--offline'], { DATA_DIR: own });
  expect(beside.split('\n').at(-2)).toBe(`next: DATA_DIR=${own} npm start`);
  // A server over the folder around a copy of another name would not serve the copy.
  const copy = join(root, 'around/trial');
  await rename(own, copy);
  const [, renamed] = await run(['jobs/commands/nightly.ts', '--offline'], { DATA_DIR: copy });
  expect(renamed.split('\n').at(-2)).toBe(`next: DATA_DIR=${copy} npm start`);
});

it('with --source reads only the files of that source, and publishes the others unchanged', async () => {
  const [both, own] = [join(root, 'both'), join(root, 'both-data')];
  const night = (...options: readonly string[]) => run(['jobs/commands/nightly.ts', '--json', ...options], { DATA_DIR: own });
  const vintages = async () => {
    const { resources } = (await readCurrent(snapshotPaths(own))) ?? { resources: [] };
    return resources.filter(({ table, partition }) => table === 'vintages' && partition['dataset'] === 'fred_md').map(({ path }) => path);
  };
  await writeFiles(both, fredMdFile('2020-03', { PAYEMS: { '2020-01': 151_300, '2020-02': 151_400 } }));
  expect((await night('--mirror', both))[0]).toBe(0);
  const before = await vintages();
  expect(before).toHaveLength(1);
  // Whoever reads one of these fails.
  const raw = join(own, 'raw');
  const archived = (await readdir(raw, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  expect(archived.length).toBeGreaterThan(2);
  for (const { parentPath, name } of archived) await writeFile(join(parentPath, name), 'damaged');
  await writeFiles(both, {
    ...fredMdFile('2020-04', { PAYEMS: { '2020-02': 1, '2020-03': 2 } }),
    'ecb-eurofxref/eurofxref.csv': 'Date, USD, \n7 May 2021, 1.2059, \n',
  });
  const [code, json] = await night('--mirror', both, '--source', 'ecb_fx');
  const report = JSON.parse(json) as NightlyReport;
  expect([code, report.collect?.files.map(({ key }) => key), report.sources.map(({ sourceId, error }) => [sourceId, error])]).toEqual([
    0,
    ['ecb-eurofxref/eurofxref.csv'],
    [['ecb_fx', null]],
  ]);
  expect(await vintages()).toEqual(before);
  // All sources would have read them.
  expect((await night('--offline'))[0]).toBe(1);
});

it('names the series that wait in each run, until you decide, also those that a release makes wait', async () => {
  const [folder, own] = [join(root, 'jumps'), join(root, 'jumps-data')];
  const file = (month: number, factor: number) => {
    const periods = Array.from({ length: month - 1 }, (_, at) => [`2020-0${at + 1}`, (150_000 + at) * factor]);
    return fredMdFile(`2020-${String(month).padStart(2, '0')}`, { PAYEMS: Object.fromEntries(periods) });
  };
  await writeFiles(folder, { ...file(8, 1), ...file(9, 1000), ...file(10, 1) });
  const asof = (...command: readonly string[]) => run(['jobs/commands/asof.ts', ...command], { DATA_DIR: own });
  const wait = (out: string) => out.split('\n').filter((line) => line.startsWith('WAIT '));
  const listed = async () =>
    JSON.parse((await asof('quarantine', '--json', 'list'))[1]) as { readonly quarantineId: string; readonly key: string }[];
  const line = ['WAIT for your decision, findings by source: fred_md (1). To see them: asof quarantine list'];

  expect(wait((await asof('nightly', '--mirror', folder))[1])).toEqual(line);
  expect(wait((await asof('nightly', '--offline'))[1])).toEqual(line);
  expect(wait((await asof('nightly', '--offline', '--if-changed'))[1])).toEqual(line);
  // A run of another source reads nothing of this one.
  expect(wait((await asof('nightly', '--offline', '--source', 'ecb_fx'))[1])).toEqual(line);

  const [first] = await listed();
  expect(first?.key).toBe('fred-md/2020-09.csv');
  await asof('quarantine', 'release', first?.quarantineId ?? '', '--note', 'right');
  expect(wait((await asof('nightly', '--offline'))[1])).toEqual(line);
  const [next, ...others] = await listed();
  expect([next?.key, others]).toEqual(['fred-md/2020-10.csv', []]);
  await asof('quarantine', 'reject', next?.quarantineId ?? '', '--note', 'wrong');
  expect(wait((await asof('nightly', '--offline'))[1])).toEqual([]);
});
