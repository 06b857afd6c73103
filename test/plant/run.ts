// npm run plant: plants each fault in a copy of the project and asks the tests. A fault that no test notices is printed and fails the run.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { isLeftToLong } from '../suite.ts';
import { failingOf, makeCopy, ROOT } from './copy.ts';
import { drawFaults, type Fault, fits, plant, readFaults } from './faults.ts';

type Suite = 'named' | 'default' | 'long';
/** Which tests noticed it: those asked first, the rest of `npm test`, the rest of `npm run test:long`, or none. */
type Noticed = Suite | 'none';

const SUITES: readonly Suite[] = ['named', 'default', 'long'];

const { sample, seed, area, only, upTo, copies, json } = new Command('plant')
  .description('Plants each fault of test/plant/faults in a copy of the project, one at a time, and asks the tests whether they notice.')
  .option('--sample <n>', 'only so many of them, drawn by the seed', Number)
  .option('--seed <text>', 'what the sample is drawn by; the commit by default')
  .option('--area <names...>', 'only those of these areas (files of test/plant/faults)')
  .option('--only <ids...>', 'only these')
  .addOption(
    new Option('--up-to <suite>', 'how many tests are asked: the file that the fault names, then all of npm test, then the long ones')
      .choices(SUITES)
      .default('default'),
  )
  .option('--copies <n>', 'how many copies are tried at once', Number, 2)
  .option('--json <file>', 'also writes the outcome of each fault there')
  .addHelpText('after', '\nExample:\n  npm run plant -- --sample 20\n  npm run plant -- --area queries --up-to named')
  .parse()
  .opts<{
    sample?: number;
    seed?: string;
    area?: string[];
    only?: string[];
    upTo: Suite;
    copies: number;
    json?: string;
  }>();

const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
const rank = (id: string) =>
  createHash('sha256')
    .update(`${seed ?? commit} ${id}`)
    .digest('hex');
const asked = readFaults().filter(
  (fault) => (area === undefined || area.includes(fault.area)) && (only === undefined || only.includes(fault.id)),
);
const wanted = asked.filter((fault) => fits(ROOT, fault));
const stale = asked.filter((fault) => !wanted.includes(fault));
if (stale.length > 0) console.log(`left out, because the code has changed: ${stale.map(({ id }) => id).join(', ')}`);
const chosen = sample === undefined ? wanted : drawFaults(wanted, sample, rank);
if (chosen.length === 0) fail('No fault is chosen: see test/plant/faults for areas and ids.');

console.log(`${chosen.length} of ${wanted.length} faults`);
const sound = makeCopy();
const failing = await failingOf(sound, [...new Set(chosen.map(({ test }) => test))], { isLong: true, workers: copies, isAll: true });
// Once more by itself, where it may have been the machine that others kept busy.
const unsound: string[] = [];
for (const test of failing) unsound.push(...(await failingOf(sound, [test], { isLong: true })));
if (failing.length > 0) console.log(`failed at first without any fault, beside the others: ${failing.join(', ')}`);
rmSync(sound, { recursive: true, force: true });
if (unsound.length > 0) fail(`These fail without any fault, so they can notice none: ${unsound.join(', ')}`);

const outcomes: { readonly fault: Fault; readonly noticed: Noticed; readonly by: readonly string[]; readonly seconds: number }[] = [];
const queue = [...chosen];
await Promise.all(Array.from({ length: Math.max(1, copies) }, tryAll));
report();

async function tryAll(): Promise<void> {
  const copy = makeCopy();
  for (let fault = queue.shift(); fault !== undefined; fault = queue.shift()) {
    const start = performance.now();
    const path = join(copy, fault.file);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, plant(text, fault));
    const { noticed, by } = await ask(copy, fault);
    writeFileSync(path, text);
    const seconds = Math.round((performance.now() - start) / 1000);
    outcomes.push({ fault, noticed, by, seconds });
    console.log(
      `${String(outcomes.length).padStart(4)}/${chosen.length} ${noticed === 'none' ? 'NOT NOTICED' : `noticed (${noticed})`} ${fault.area}/${fault.id} ${seconds} s`,
    );
  }
  rmSync(copy, { recursive: true, force: true });
}

async function ask(copy: string, fault: Fault): Promise<{ noticed: Noticed; by: readonly string[] }> {
  const named = await failingOf(copy, [fault.test], { isLong: isLeftToLong(fault.test) });
  if (named.length > 0) return { noticed: isLeftToLong(fault.test) ? 'long' : 'named', by: named };
  // A file of npm test may keep some of its cases for the long suite.
  const namedAtLength = isLeftToLong(fault.test) ? [] : await failingOf(copy, [fault.test], { isLong: true });
  if (namedAtLength.length > 0) return { noticed: 'long', by: namedAtLength };
  for (const suite of SUITES.slice(1, SUITES.indexOf(upTo) + 1)) {
    const by = await failingOf(copy, [], { isLong: suite === 'long' });
    if (by.length > 0) return { noticed: suite, by };
  }
  return { noticed: 'none', by: [] };
}

function report(): void {
  const areas = [...new Set(outcomes.map(({ fault }) => fault.area))].toSorted();
  console.log('\narea                 planted  npm test  long  none');
  for (const name of [...areas, 'all']) {
    const those = outcomes.filter(({ fault }) => name === 'all' || fault.area === name);
    const count = (...noticed: Noticed[]) => String(those.filter((one) => noticed.includes(one.noticed)).length);
    console.log(
      `${name.padEnd(20)} ${String(those.length).padStart(7)} ${count('named', 'default').padStart(9)} ${count('long').padStart(5)} ${count('none').padStart(5)}`,
    );
  }
  if (json !== undefined) {
    writeFileSync(
      json,
      `${JSON.stringify(
        outcomes.map(({ fault, ...rest }) => ({ id: fault.id, area: fault.area, ...rest })),
        null,
        1,
      )}\n`,
    );
  }
  const missed = outcomes.filter(({ noticed }) => noticed === 'none');
  for (const { fault } of missed)
    console.log(`\nNOT NOTICED ${fault.area}/${fault.id} in ${fault.file}\n  ${fault.why}\n- ${fault.before}\n+ ${fault.after}`);
  console.log(`\n${outcomes.length - missed.length} passed, ${missed.length} failed`);
  process.exitCode = missed.length > 0 ? 1 : 0;
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
