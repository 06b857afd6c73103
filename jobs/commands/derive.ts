import { fileURLToPath } from 'node:url';
import { type CommonOptions, command, duration, main, openBench, UsageError, wholeNumber } from '../command.ts';
import { deriveAttempt } from '../derive.ts';
import { mendLake } from '../mend.ts';
import { withProgress } from '../progress.ts';
import { deriveTable } from '../report.ts';
import { withShards, workOnShards } from '../rebuild/workers.ts';

interface Options extends CommonOptions {
  readonly workers?: string;
  readonly work?: boolean;
  readonly wait?: string;
  readonly patience: string;
}

const MOST_WORKERS = 64;

const program = command(
  'derive',
  'Build a candidate snapshot from the lake: derived sets included, checks passed.',
  'npm run derive\n  npm run derive -- --workers 2\n  npm run derive -- --work --wait 30m',
)
  .option(
    '--workers <n>',
    'have forecasts made by so many processes here, and by workers elsewhere that follow SNAPSHOT_URL, for a build that has nothing to take over',
  )
  .option('--work', 'be such a worker: build nothing, and need no lake')
  .option('--wait <time>', 'with --work: wait so long for something to do, e.g. 30m')
  .option('--patience <time>', 'after so long without a sign of life from a worker its shard is made by another', '60s')
  .action(async (options: Options) => (options.work === true ? takePart(options) : build(options)));

async function takePart(options: Options): Promise<void> {
  const bench = openBench(options);
  if (options.workers !== undefined) throw new UsageError('--workers begins a build and --work takes part in one: name one.');
  const wait = options.wait === undefined ? 0 : duration('--wait', options.wait);
  const patience = duration('--patience', options.patience);
  const report = await withProgress(['shards'], bench.isShown, (onProgress) =>
    workOnShards(bench.config, bench.effects, wait, {
      patience,
      onProgress: (done, total) => onProgress('shards', 'made', done, total),
    }),
  );
  bench.print(`${report.worker} made ${report.made.length} shards in ${report.address}.`, report);
}

async function build(options: Options): Promise<void> {
  const bench = openBench(options);
  if (options.wait !== undefined) throw new UsageError('--wait goes with --work.');
  const count = options.workers === undefined ? null : wholeNumber('--workers', options.workers, 1, MOST_WORKERS);
  const patience = duration('--patience', options.patience);
  const lake = await bench.workspace.openLake();
  try {
    await mendLake(lake, bench.workspace, bench.sources, bench.effects);
    const report = await withProgress(['derive'], bench.isShown, (onProgress) => {
      const shown = (step: string, done: number, total: number) => onProgress('derive', step, done, total);
      if (count === null) return deriveAttempt(lake, bench.workspace, bench.effects, shown);
      const workers = { count, command: fileURLToPath(import.meta.url), options: ['--json', '--patience', options.patience] };
      const onShard = (done: number, total: number) => shown('shards of forecasts', done, total);
      return withShards(bench.config, bench.effects, workers, { patience, onProgress: onShard }, (shared) =>
        deriveAttempt(lake, bench.workspace, bench.effects, shown, shared),
      );
    });
    bench.print(`${deriveTable(report)}\n\nCandidate ${report.snapshotId}; make it current with: npm run publish`, report);
  } finally {
    await lake.close();
  }
}

await main(program, { kept: 'What was computed is kept, and the snapshot that is current is as it was.' });
