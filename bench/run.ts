// npm run bench: measures over a generated lake. Each group runs in a process of its own, so that its memory is its own.
import { fork } from 'node:child_process';
import { Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { generatedLake, SIZES } from './generate.ts';
import { GROUPS, type GroupName, isGroupName } from './groups/index.ts';
import { type MeasuredGroup, type Report, table } from './report.ts';

interface Options {
  readonly size: number;
  readonly only: readonly GroupName[];
  readonly json?: boolean;
  readonly group?: GroupName;
}

const program = new Command('npm run bench --')
  .description('Measure reads over a generated lake, beside peers that give the same answers in the same run.')
  .option('--size <rows>', `${Object.keys(SIZES).join(', ')}, or about so many vintages`, toSize, SIZES.medium)
  .option(
    '--only <names>',
    `only these groups, separated by commas (${Object.keys(GROUPS).join(', ')})`,
    toGroups,
    Object.keys(GROUPS).filter(isGroupName),
  )
  .option('--json', 'print the report as JSON')
  .addHelpText(
    'after',
    '\nExample:\n  npm run bench -- --size small --only cold,as-of\n\nGenerated lakes are kept in bench/out; remove that folder at any time.',
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
    if (!isGroupName(name)) throw new InvalidArgumentError(`the groups are ${Object.keys(GROUPS).join(', ')}.`);
    return name;
  });
}

async function run(options: Options): Promise<void> {
  const lake = await generatedLake(options.size, (step) => process.stderr.write(`generate: ${step}\n`));
  const groups: MeasuredGroup[] = [];
  for (const name of options.only) {
    process.stderr.write(`measure: ${name}\n`);
    groups.push(await inOwnProcess(name, options.size));
  }
  const report: Report = { vintages: lake.vintages, node: process.versions.node, groups };
  process.stdout.write(options.json === true ? `${JSON.stringify(report, null, 2)}\n` : `${table(report)}\n`);
}

function inOwnProcess(name: GroupName, size: number): Promise<MeasuredGroup> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('group.ts', import.meta.url), [name, String(size)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    let group: MeasuredGroup | null = null;
    child.on('message', (message) => {
      group = message as MeasuredGroup;
    });
    child.on('error', reject);
    child.on('exit', (code) => (group === null ? reject(new Error(`the group ${name} ended with ${code}`)) : resolve(group)));
  });
}

await program.parseAsync();
