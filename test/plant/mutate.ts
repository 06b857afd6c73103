// npm run mutate: changes one place of the code at a time, in a copy of the project, and asks the tests. It reports what no test notices.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { isLeftToLong } from '../suite.ts';
import { compileError, failingOf, filesOf, makeCopy, NO_OUTCOME, ROOT } from './copy.ts';
import { drawMutants, KINDS, type Mutant, mutantsOf, withMutant } from './mutants.ts';

const DEFAULT_FILES = ['src/*.ts', 'jobs/*.ts', 'sql/*.sql'];
/** A mutant may wait for ever. */
const LONGEST_MINUTES = 20;

const options = new Command('mutate')
  .description('Draws mutants of the code, tries each in a copy of the project, and reports which of them npm test notices.')
  .option('--sample <n>', 'number of mutants', count, 20)
  .option('--seed <text>', 'equal seeds draw equal mutants', '1')
  .option('--files <patterns...>', 'Git patterns of files', DEFAULT_FILES)
  .option('--list', 'prints the mutants, and asks no test')
  .option('--workers <n>', 'test workers', count, 2)
  .option('--json <file>', 'also writes the outcomes there')
  .addHelpText(
    'after',
    "\nExample:\n  npm run mutate -- --sample 20 --seed 4\n  npm run mutate -- --sample 5 --files 'src/lake/*' 'sql/staging/*'",
  )
  .parse()
  .opts<{ sample: number; seed: string; files: string[]; list?: boolean; workers: number; json?: string }>();

interface Outcome {
  readonly mutant: Mutant;
  /** The test files that failed. */
  readonly noticedBy: readonly string[];
  readonly seconds: number;
}

const placeOf = ({ kind, file, line }: Mutant) => `${kind} ${file}:${line}`;
const changeOf = ({ before, after }: Mutant) => `  - ${before}\n  + ${after}`;

const files = filesOf(options.files).filter((file) => /^(?:src|jobs|sql)\/.*\.(?:ts|sql)$/.test(file));
const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(ROOT, file), 'utf8')));
if (all.length === 0) fail(`No mutant in ${options.files.join(', ')}. Name TypeScript or SQL files of src, jobs or sql.`);
const drawn = drawMutants(all, all.length, options.seed);
console.log(`${Math.min(options.sample, all.length)} of ${all.length} mutants in ${files.length} files, seed ${options.seed}`);
if (options.list === true) for (const mutant of drawn.slice(0, options.sample)) console.log(`${placeOf(mutant)}\n${changeOf(mutant)}`);
else await tryAll();

async function tryAll(): Promise<void> {
  const copy = makeCopy();
  try {
    const error = await compileError(copy);
    if (error !== null) throw new Error(`The code does not compile without a mutant: ${error}`);
    const sound = new Set<string>();
    const outcomes: Outcome[] = [];
    const uncompiled: Mutant[] = [];
    for (const mutant of drawn) {
      if (outcomes.length === options.sample) break;
      const outcome = await withMutant(copy, mutant, () => outcomeOf(copy, mutant));
      if (outcome === null) uncompiled.push(mutant);
      else {
        await checkWithout(copy, outcome, sound);
        outcomes.push(outcome);
        const by = outcome.noticedBy.length > 0 ? `noticed by ${outcome.noticedBy[0]}` : `NOT NOTICED\n${changeOf(mutant)}`;
        console.log(`${outcomes.length}/${options.sample} ${placeOf(mutant)} (${outcome.seconds} s): ${by}`);
      }
    }
    report(outcomes, uncompiled);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Fails if the tests that noticed a mutant fail without it too: they would notice any. */
async function checkWithout(copy: string, { mutant, noticedBy }: Outcome, sound: Set<string>): Promise<void> {
  if (noticedBy.every((test) => sound.has(test))) return;
  // A run that ended without an outcome names no test.
  const asked = noticedBy.filter((test) => test !== NO_OUTCOME);
  const failing = await failingOf(copy, asked.length > 0 ? asked : nearestTests(mutant.file), { retry: 1, isAll: true });
  if (failing.length > 0) throw new Error(`These tests fail without a mutant too: ${failing.join(', ')}. Mend them first.`);
  for (const test of noticedBy) sound.add(test);
}

/** Null if the mutant does not compile. */
async function outcomeOf(copy: string, mutant: Mutant): Promise<Outcome | null> {
  const start = performance.now();
  if (mutant.file.endsWith('.ts') && (await compileError(copy)) !== null) return null;
  const asking = { workers: options.workers, retry: 1, minutes: LONGEST_MINUTES };
  const near = nearestTests(mutant.file);
  const noticed = near.length > 0 ? await failingOf(copy, near, asking) : [];
  return { mutant, noticedBy: noticed.length > 0 ? noticed : await failingOf(copy, [], asking), seconds: secondsSince(start) };
}

/** Test files of `npm test` that name the file or are in its folder: they run first, because they are the likeliest to notice. */
function nearestTests(file: string): readonly string[] {
  const tests = filesOf(['test/*.test.ts']).filter((test) => !isLeftToLong(test));
  const folder = file
    .split('/')
    .slice(0, -1)
    .findLast((part) => existsSync(join(ROOT, 'test', part)));
  const folders = [folder, ...(file.endsWith('.sql') ? ['boundaries'] : [])];
  return tests.filter(
    (test) =>
      folders.some((one) => one !== undefined && test.startsWith(`test/${one}/`)) || readFileSync(join(ROOT, test), 'utf8').includes(file),
  );
}

function report(outcomes: readonly Outcome[], uncompiled: readonly Mutant[]): void {
  console.log(`\n${'kind'.padEnd(12)}tried  noticed`);
  for (const kind of [...KINDS, 'all']) {
    const those = outcomes.filter(({ mutant }) => kind === 'all' || mutant.kind === kind);
    const noticed = those.filter(({ noticedBy }) => noticedBy.length > 0);
    if (those.length > 0) console.log(`${kind.padEnd(12)}${String(those.length).padStart(5)}${String(noticed.length).padStart(9)}`);
  }
  if (uncompiled.length > 0) console.log(`\n${uncompiled.length} more did not compile`);
  for (const { mutant } of outcomes.filter(({ noticedBy }) => noticedBy.length === 0))
    console.log(`\nNOT NOTICED ${placeOf(mutant)}\n${changeOf(mutant)}`);
  if (options.json !== undefined) {
    const rows = outcomes.map(({ mutant: { id, kind, file, line, before, after }, ...rest }) => ({
      id,
      kind,
      file,
      line,
      before,
      after,
      ...rest,
    }));
    writeFileSync(options.json, `${JSON.stringify(rows, null, 1)}\n`);
  }
}

function secondsSince(start: number): number {
  return Math.round((performance.now() - start) / 1000);
}

function count(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('a whole number of at least 1.');
  return Number(text);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
