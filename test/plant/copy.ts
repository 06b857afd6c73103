// A copy of the project, in which code can change, and its tests.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** In place of a test file, if the run ended without an outcome: it hung, or could not start. */
export const NO_OUTCOME = 'the run itself';

export interface Asking {
  /** With the long files, and the long cases of others. */
  readonly isLong?: boolean;
  readonly workers?: number;
  /** Goes on after the first failure. */
  readonly isAll?: boolean;
  /** How often a failed test gets another try. */
  readonly retry?: number;
  readonly minutes?: number;
}

const copies: string[] = [];
const running = new Set<ChildProcess>();

for (const [signal, code] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const]) {
  process.once(signal, () => void endWith(code));
}

async function endWith(code: number): Promise<void> {
  // Tests that still run would write into a deleted copy.
  const ends = [...running].map((child) => new Promise((done) => child.once('close', done)));
  for (const child of running) endGroup(child);
  await Promise.all(ends);
  for (const copy of copies) rmSync(copy, { recursive: true, force: true, maxRetries: 10 });
  process.exit(code);
}

/** The project as it is, with uncommitted changes. An interruption deletes the copy and ends the process. */
export function makeCopy(): string {
  const copy = mkdtempSync(join(tmpdir(), 'asof-plant-'));
  copies.push(copy);
  for (const file of filesOf([])) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(ROOT, file), join(copy, file));
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  // Tests of a cluster take ClickHouse from there, and are skipped without.
  const peers = 'bench/peers/node_modules';
  if (existsSync(join(ROOT, peers))) symlinkSync(join(ROOT, peers), join(copy, peers));
  return copy;
}

/** The files of the project that a pattern of Git matches, or all, in the order of their names. */
export function filesOf(patterns: readonly string[]): readonly string[] {
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 } as const;
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...patterns], options);
  return [...new Set(listed.split('\0'))].filter((name) => name !== '' && existsSync(join(ROOT, name))).toSorted();
}

/** The test files with a failure: the first, or all of them. Without names, the whole suite runs. */
export async function failingOf(
  copy: string,
  files: readonly string[],
  { isLong = false, workers = 1, isAll = false, retry = 0, minutes = 45 }: Asking = {},
): Promise<readonly string[]> {
  const outcome = join(copy, 'plant-outcome.json');
  rmSync(outcome, { force: true });
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=json',
    `--outputFile=${outcome}`,
    ...(isAll ? [] : ['--bail=1']),
    `--retry=${retry}`,
    `--maxWorkers=${workers}`,
    ...files,
  ];
  const { isSound } = await run(copy, args, { REAL_DATA_DIR: realData(), ...(isLong ? { SUITE: 'all' } : {}) }, minutes);
  if (isSound) return [];
  if (!existsSync(outcome)) return [NO_OUTCOME];
  const { testResults } = JSON.parse(readFileSync(outcome, 'utf8')) as { testResults: { name: string; status: string }[] };
  const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => name.replace(`${copy}/`, ''));
  return failed.length > 0 ? failed : [NO_OUTCOME];
}

/** The first error of the compiler. Null if the code compiles. The second call in a copy reads only what has changed. */
export async function compileError(copy: string): Promise<string | null> {
  const args = ['node_modules/typescript/lib/tsc.js', '--incremental', '--tsBuildInfoFile', join(copy, 'plant.tsbuildinfo')];
  const { isSound, output } = await run(copy, args, {}, 45);
  return isSound ? null : (output.split('\n')[0] ?? '');
}

/** Runs a program of Node in a group of its own, so that all its processes can be ended. */
function run(
  copy: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  minutes: number,
): Promise<{ isSound: boolean; output: string }> {
  const child = spawn(process.execPath, args, {
    cwd: copy,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  running.add(child);
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  const timer = setTimeout(() => endGroup(child), minutes * 60_000);
  return new Promise((done) => {
    child.once('close', (code) => {
      clearTimeout(timer);
      running.delete(child);
      done({ isSound: code === 0, output: Buffer.concat(parts).toString('utf8') });
    });
  });
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended by itself.
  }
}

function realData(): string {
  return resolve(ROOT, process.env['REAL_DATA_DIR'] ?? '../shared/real-data');
}
