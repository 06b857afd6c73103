import { fileURLToPath } from 'node:url';
import { type CommonOptions, command, duration, main, openBench, wholeNumber } from '../command.ts';
import { deriveAttempt, type OnStep } from '../derive.ts';
import { mendLake } from '../mend.ts';
import { withProgress } from '../reporting/progress.ts';
import { deriveTable } from '../reporting/report.ts';
import { withShards, workOnShards } from '../rebuild/workers.ts';
import { KnownError } from '../../src/known-error.ts';

interface Options extends CommonOptions {
  readonly workers?: string;
  readonly work?: boolean;
  readonly wait?: string;
  readonly patience: string;
}

const MOST_WORKERS = 64;

const program = command(
  'derive',
  'Build a candidate snapshot from the lake, with derived sets and checks.',
  'npm run derive\n  npm run derive -- --workers 2\n  npm run derive -- --work --wait 30m',
)
  .option('--workers <n>', 'compute forecasts with N local processes, plus remote workers that follow SNAPSHOT_URL')
  .option('--work', 'be a remote worker: build nothing; no lake is needed')
  .option('--wait <time>', 'with --work: how long to wait for a build, e.g. 30m')
  .option('--patience <time>', 'time after which another worker takes over the shard of a silent one', '60s')
  .action(async (options: Options) => (options.work === true ? takePart(options) : build(options)));

async function takePart(options: Options): Promise<void> {
  const bench = openBench(options);
  if (options.workers !== undefined) throw new KnownError('--workers starts a build, --work joins one. Use only one of them.');
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
  if (options.wait !== undefined) throw new KnownError('--wait needs --work.');
  const count = options.workers === undefined ? null : wholeNumber('--workers', options.workers, 1, MOST_WORKERS);
  const patience = duration('--patience', options.patience);
  const lake = await bench.workspace.openLake();
  try {
    await mendLake(lake, bench.workspace, bench.sources, bench.effects);
    const report = await withProgress(['derive'], bench.isShown, (onProgress) => {
      const shown: OnStep = (step, done, total, left) => onProgress('derive', step, done, total, undefined, left);
      if (count === null) return deriveAttempt(lake, bench.workspace, bench.effects, shown);
      const workers = { count, command: fileURLToPath(import.meta.url), options: ['--json', '--patience', options.patience] };
      const onShard = (done: number, total: number) => onProgress('derive', 'shards of forecasts', done, total);
      return withShards(bench.config, bench.effects, workers, { patience, onProgress: onShard }, (shared) =>
        deriveAttempt(lake, bench.workspace, bench.effects, shown, shared),
      );
    });
    bench.print(`${deriveTable(report)}\n\nCandidate ${report.snapshotId}. To make it current: npm run publish`, report);
  } finally {
    await lake.close();
  }
}

await main(program, { kept: 'Finished results are kept; the current snapshot is unchanged.' });
