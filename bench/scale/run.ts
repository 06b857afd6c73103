// npm run scale: the needs of a number of vintages, from measured unit costs.
import { Command, InvalidArgumentError } from 'commander';
import { readCosts, SERVICES, type UnitCosts, writeCosts } from './costs.ts';
import { amount, bytesText, DOCUMENT, SEED, simulationText, timeText, writeDocument } from './document.ts';
import { MEASURED, type Measured, measure } from './measure.ts';
import { planFor } from './plan.ts';
import { BUSIEST, profileFor } from './profiles.ts';
import { simulate } from './simulate.ts';
import { readReport, servicesOf } from './take.ts';

const program = new Command('npm run scale --')
  .description(
    'What so many vintages take in bytes, hours, memory, machines and units of money, and how traffic and nights go over them, from measured unit costs.',
  )
  .addHelpText(
    'after',
    `
Examples:
  npm run scale -- plan --vintages 1e9
  npm run scale -- simulate --vintages 1e9 --seed ${SEED}

The unit costs stand in bench/scale/unit-costs.json, each with what it was measured by. What is assumed of traffic and machines
stands in bench/scale/profiles.ts. docs/develop/scale.md has what follows for 10^8, 10^9 and 10^10.`,
  )
  .configureHelp({ helpWidth: 100 });

program
  .command('plan')
  .description('bytes, hours, memory, machines and units of money a month')
  .requiredOption('--vintages <number>', 'how many, such as 1e9', toVintages)
  .option('--requests <number>', 'a day', toVintages)
  .option('--json', 'as JSON')
  .action(async ({ vintages, requests, json }: { vintages: number; requests?: number; json?: boolean }) => {
    const profile = profileFor(vintages);
    const plan = planFor(await readCosts(), { ...profile, requestsPerDay: requests ?? profile.requestsPerDay });
    if (json === true) return print(JSON.stringify(plan, null, 2));
    const { bytes, rebuild, night, month } = plan;
    print(
      [
        `${amount(vintages)} vintages in ${amount(plan.series)} series`,
        ...Object.entries(bytes).map(([name, value]) => `  ${name.padEnd(12)} ${bytesText(value)}`),
        `whole rebuild ${timeText(rebuild.oneMachine)}, in shards ${timeText(rebuild.shared)}`,
        `normal night ${timeText(night.oneMachine)}, in shards ${timeText(night.shared)}; a server opens it in ${timeText(night.open)}`,
        `${plan.servers} servers of ${bytesText(plan.serverMemory)} for ${amount(plan.peakPerSecond)} requests a second`,
        `a month: ${amount(month.coreHours)} core-hours, ${amount(month.gigabyteMonths)} GB-months, ${amount(month.gigabytesSent)} GB transferred`,
      ].join('\n'),
    );
  });

program
  .command('simulate')
  .description('the busiest minutes of a day and a night, by discrete events; the same for the same seed')
  .requiredOption('--vintages <number>', 'how many, such as 1e9', toVintages)
  .option('--seed <number>', 'another seed draws others', toSeed, SEED)
  .option('--seconds <number>', 'of traffic', toVintages, BUSIEST.seconds)
  .option('--json', 'as JSON')
  .action(async ({ json, ...options }: { vintages: number; seed: number; seconds: number; json?: boolean }) => {
    const found = simulate(await readCosts(), options);
    print(json === true ? JSON.stringify(found, null, 2) : simulationText(found));
  });

program
  .command('measure')
  .description('measures unit costs over generated lakes and keeps them')
  .option('--sizes <numbers>', 'vintages, separated by commas, the smallest first', toSizes, [100_000, 300_000, 1_000_000])
  .option('--only <names>', `only ${MEASURED.join(', ')}`, toMeasured, [...MEASURED])
  .action(async (options: { sizes: readonly number[]; only: readonly Measured[] }) => {
    const before = await readCosts();
    await measure(
      options,
      (costs) => keep({ ...before, costs: { ...before.costs, ...costs } }),
      (step) => process.stderr.write(`${step}\n`),
    );
  });

program
  .command('take')
  .description('keeps what an answer costs, out of a report of npm run bench')
  .argument('<report>', 'such as bench/results/20261124T191400Z-10000000.json')
  .action(async (file: string) => {
    const { costs } = await readCosts();
    await keep({ costs, services: servicesOf(await readReport(file), file) });
  });

program
  .command('document')
  .description('rewrites the tables of docs/develop/scale.md')
  .action(async () => {
    await writeDocument(await readCosts());
    process.stderr.write(`written: ${DOCUMENT}\n`);
  });

async function keep(costs: UnitCosts): Promise<void> {
  await writeCosts(costs);
  process.stderr.write(
    `kept: ${Object.keys(costs.costs).length} costs, ${SERVICES.filter((name) => name in costs.services).length} answers. Next: npm run scale -- document\n`,
  );
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

function toVintages(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('a whole number above 0, such as 1e9.');
  return number;
}

function toSeed(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('a whole number of at most nine digits.');
  return Number(text);
}

function toSizes(text: string): readonly number[] {
  return text.split(',').map((one) => {
    if (!/^\d+$/.test(one) || Number(one) < 100_000) throw new InvalidArgumentError('numbers of at least 100000, separated by commas.');
    return Number(one);
  });
}

function toMeasured(text: string): readonly Measured[] {
  return text.split(',').map((one) => {
    const known = MEASURED.find((name) => name === one);
    if (known === undefined) throw new InvalidArgumentError(`some of ${MEASURED.join(', ')}.`);
    return known;
  });
}

await program.parseAsync();
