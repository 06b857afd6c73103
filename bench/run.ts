// npm run bench: measures over a generated lake. Each group runs in a process of its own, to separate its memory.
import { fork } from 'node:child_process';
import { relative } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { GROUP_NAMES, type GroupName, type GroupOptions, isGroupName, type MeasuredGroup, type Report } from './figures.ts';
import { slower } from './compare.ts';
import { vintagesOf } from './generate.ts';
import { GROUPS } from './groups/index.ts';
import { table } from './report.ts';
import { keepResult, readResults, runConditions, withGrowth } from './results.ts';
import { SIZES } from './sizes.ts';

interface Options extends GroupOptions {
  readonly size: number;
  readonly only: readonly GroupName[];
  readonly json?: boolean;
  readonly write: boolean;
  readonly compare?: boolean;
}

const program = new Command('npm run bench --')
  .description('Measure the service over a generated lake, beside peers that give the same answers in the same run.')
  .option('--size <rows>', `${Object.keys(SIZES).join(', ')}, or about so many vintages`, toSize, SIZES.medium)
  .option('--only <names>', `only these groups, separated by commas (${GROUP_NAMES.join(', ')})`, toGroups, GROUP_NAMES)
  .option('--seconds <number>', 'how long the mixed load lasts', toSeconds, 60)
  .option('--no-write', 'keep nothing in bench/results')
  .option('--compare', 'also name what became over 20 % slower than in the newest kept result of this size')
  .option('--json', 'print the report as JSON')
  .addHelpText(
    'after',
    `
Examples:
  npm run bench -- --size small --only cold,as-of
  npm run bench -- --size small --only mixed --seconds 5 --no-write

Generated lakes are kept in bench/out; remove that folder at any time. Each run leaves its figures in bench/results and
draws bench/results/growth.svg anew. Peers are packages of bench/peers (npm install there), PostgreSQL one of the system;
what is not installed is reported as absent.`,
  )
  .configureHelp({ helpWidth: 100 })
  .action(run);

function toSize(text: string): number {
  const rows = z.enum(['small', 'medium', 'large']).safeParse(text);
  if (rows.success) return SIZES[rows.data];
  if (!/^\d+$/.test(text) || Number(text) < 100_000) throw new InvalidArgumentError('small, medium, large, or at least 100000 rows.');
  return Number(text);
}

function toGroups(text: string): readonly GroupName[] {
  return text.split(',').map((name) => {
    if (!isGroupName(name)) throw new InvalidArgumentError(`the groups are ${GROUP_NAMES.join(', ')}.`);
    return name;
  });
}

function toSeconds(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) < 2) throw new InvalidArgumentError('a whole number of seconds, at least 2.');
  return Number(text);
}

async function run({ size, only, seconds, json, write, compare }: Options): Promise<void> {
  const conditions = await runConditions(new Date());
  const groups: MeasuredGroup[] = [];
  const failed: string[] = [];
  for (const name of only) {
    await GROUPS[name].prepare(size, (step) => process.stderr.write(`generate: ${step}\n`));
    process.stderr.write(`measure: ${name}\n`);
    // The hours of measurements by the other groups are saved.
    await inOwnProcess(name, size, { seconds }).then(
      (found) => groups.push(...found),
      (error: unknown) => failed.push(error instanceof Error ? error.message : String(error)),
    );
  }
  const earlier = await readResults();
  const report = withGrowth({ ...conditions, vintages: vintagesOf(size), groups } satisfies Report, earlier);
  process.stdout.write(json === true ? `${JSON.stringify(report, null, 2)}\n` : `${table(report)}\n`);
  if (compare === true) {
    const lines = slower(report, earlier);
    process.stderr.write(
      lines.length === 0
        ? 'Nothing became over 20 % slower.\n'
        : `Over 20 % slower than before:\n${lines.map((line) => `  ${line}\n`).join('')}`,
    );
  }
  const written = write ? await keepResult(report) : [];
  if (written.length > 0) process.stderr.write(`written: ${written.map((file) => relative(process.cwd(), file)).join(', ')}\n`);
  if (failed.length === 0) return;
  process.stderr.write(`${failed.map((message) => `Failed: ${message}.`).join('\n')}\n`);
  process.exitCode = 1;
}

function inOwnProcess(name: GroupName, size: number, options: GroupOptions): Promise<readonly MeasuredGroup[]> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('group.ts', import.meta.url), [name, String(size), JSON.stringify(options)], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    let groups: readonly MeasuredGroup[] | null = null;
    child.on('message', (message) => {
      groups = message as readonly MeasuredGroup[];
    });
    child.on('error', reject);
    child.on('exit', (code) => (groups === null ? reject(new Error(`the group ${name} ended with ${code}`)) : resolve(groups)));
  });
}

await program.parseAsync();
