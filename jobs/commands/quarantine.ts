import { Command } from 'commander';
import type { Lake } from '../../src/lake/lake.ts';
import { refuseDamage } from '../../src/lake/verified.ts';
import { called, inOwnWords } from '../../src/called.ts';
import { main, openBench } from '../command.ts';
import { decide, type Held, listHeld, listUnread, nothingHeld } from '../quarantine.ts';
import { toTable } from '../reporting/report.ts';

const program = new Command(called('quarantine'))
  .description(
    'List, release or reject series that wait for a decision, because a file changes most known values by one factor or to zero. List and reject files that could not be read.',
  )
  .option('--json', 'print the report as JSON')
  .addHelpText(
    'after',
    inOwnWords(
      '\nExample:\n  npm run quarantine -- list\n  npm run quarantine -- release qrn_0123 --note "the publisher corrected its unit"\n\nState is kept in DATA_DIR (default ./data).',
    ),
  )
  .configureHelp({ helpWidth: 100 });

type Options = { readonly note: string; readonly wholePayload?: boolean };

/** @param after what follows from a decision; empty for the list, which has the reasons instead */
async function withLake(work: (bench: ReturnType<typeof openBench>, lake: Lake) => Promise<readonly Held[]>, after: string) {
  const bench = openBench({ json: program.opts<{ json?: boolean }>().json === true });
  const lake = await open(bench);
  try {
    const held = await work(bench, lake);
    const rows = held.map((one) => [
      one.quarantineId,
      one.sourceId,
      one.indicatorId ?? '',
      one.key ?? '',
      one.retrievedAt ?? '',
      ...(after === '' ? [one.reason] : []),
    ]);
    const table = toTable(['finding', 'source', 'indicator', 'file', 'retrieved', ...(after === '' ? ['why'] : [])], rows);
    bench.print(held.length === 0 ? nothingHeld(bench.workspace.dataDir) : `${table}${after}`, held);
  } finally {
    await lake.close();
  }
}

async function open(bench: ReturnType<typeof openBench>): Promise<Lake> {
  const lake = await bench.workspace.openLake();
  try {
    await refuseDamage(lake.paths.root, { now: bench.effects.now() });
    return lake;
  } catch (error) {
    await lake.close();
    throw error;
  }
}

program
  .command('list')
  .description('list series that wait for a decision, and files that could not be read')
  .action(() => withLake(async (_, lake) => [...(await listHeld(lake)), ...(await listUnread(lake))], ''));

for (const [name, status, after] of [
  ['release', 'released', '\n\nThe next normalise or nightly run writes their rows.'],
  [
    'reject',
    'rejected',
    '\n\nThe rows of these series in these files stay out. Answers keep the earlier values. A file that could not be read is not tried again.',
  ],
] as const) {
  program
    .command(name)
    .description(
      name === 'release'
        ? 'accept the values: the next run writes them'
        : 'refuse the values of this file, or give up a file that could not be read; a new version of the reader tries again',
    )
    .argument('<ids...>', 'id from the list: qrn_…')
    .requiredOption('--note <text>', 'required: why you decide so; /quarantine shows it as `resolution`')
    .option('--whole-payload', 'all series of the same files')
    .action((ids: readonly string[], options: Options) =>
      withLake(
        ({ effects }, lake) =>
          decide(lake, ids, {
            status,
            note: options.note,
            isWholePayload: options.wholePayload === true,
            at: new Date(effects.now()).toISOString(),
          }),
        after,
      ),
    );
}

await main(program, { kept: 'Each decision was recorded as a whole, or not at all.', goOn: 'npm run quarantine -- list' });
