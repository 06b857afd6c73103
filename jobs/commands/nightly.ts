import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CronJob, validateCronExpression } from 'cron';
import { type Bench, type CommonOptions, command, duration, inFolder, main, openBench, withSources } from '../command.ts';
import { NobodyAnsweredError } from '../fetch.ts';
import { hasFailed, nightly, STEPS } from '../nightly.ts';
import { loadCurrent, loadedText } from '../sending/load.ts';
import { withProgress } from '../reporting/progress.ts';
import { type SentReport, sendSnapshot, sentText } from '../sending/push.ts';
import { fetchTable, nightlyText } from '../reporting/report.ts';
import { type LastRun, noteLastRun } from '../../src/snapshot/last-run.ts';
import { holdsData, SAMPLE_MARK, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { LakeLockedError } from '../../src/lake/lake.ts';
import { keepReport } from '../reporting/report-files.ts';
import { summaryText } from '../reporting/summary.ts';
import { KnownError } from '../../src/known-error.ts';

interface Options extends CommonOptions {
  readonly mirror?: string;
  readonly live?: boolean;
  readonly offline?: boolean;
  readonly schedule?: string;
  readonly verbose?: boolean;
  readonly budget?: string;
  readonly ifChanged?: boolean;
}

const program = withSources(
  command(
    'nightly',
    'Fetch from the publishers that are due, then normalise, derive and publish, under one lock.',
    'npm run nightly -- --source ecb_fx,world_bank\n  npm run nightly -- --mirror ../payloads --source fred_md,fred',
  ),
)
  .option('--mirror <folder>', 'read payloads from this folder; contact no publisher')
  .option('--live', 'with --mirror: also contact the publishers')
  .option('--offline', 'contact no publisher; read the archive')
  .option('--schedule <cron>', 'keep running, and run at these times (UTC), e.g. "30 3 * * *"')
  .option('--verbose', 'print every file and table instead of a summary of forty lines')
  .option('--budget <time>', 'time limit for fetching, e.g. 10m or 90s; the next run continues')
  .option('--if-changed', 'publish only if something is new since the current snapshot, or if it is a day old')
  .action(async (options: Options) => {
    const bench = openBench(options);
    if (options.live === true && options.offline === true)
      throw new KnownError('--live contacts publishers, --offline does not. Use only one of them.');
    timeOf(options.budget);
    if (options.schedule === undefined) return runOnce(bench, options);
    const { valid, error: mistake } = validateCronExpression(options.schedule);
    if (!valid) {
      throw new KnownError(
        `--schedule ${JSON.stringify(options.schedule)} is not a cron expression (${mistake?.message ?? ''}). Write minute, hour, day, month and weekday, e.g. "30 3 * * *".`,
      );
    }
    CronJob.from({
      cronTime: options.schedule,
      timeZone: 'UTC',
      start: true,
      waitForCompletion: true,
      onTick: () => runOnce(bench, options).catch((error: unknown) => bench.effects.log.error({ err: error }, 'nightly run failed')),
    });
  });

async function runOnce(bench: Bench, options: Options): Promise<void> {
  const mirror = options.mirror === undefined ? null : resolve(options.mirror);
  const isLive = options.offline !== true && (mirror === null || options.live === true);
  const fetcher = isLive ? bench.openFetcher() : null;
  const startedAt = bench.effects.now();
  const note = (outcome: LastRun['outcome']) =>
    noteLastRun(bench.config.dataDir, {
      startedAt: new Date(startedAt).toISOString(),
      finishedAt: new Date(bench.effects.now()).toISOString(),
      outcome,
    });
  try {
    const report = await withProgress(STEPS, bench.isShown, (onProgress) =>
      nightly(bench.sources, bench.workspace, bench.effects, mirror, onProgress, fetcher, {
        budget: timeOf(options.budget),
        isOnlyIfChanged: options.ifChanged === true,
      }),
    );
    await note(hasFailed(report) ? 'partial' : 'ok');
    await tell(bench, options, report);
    if (hasFailed(report)) process.exitCode = 1;
  } catch (error) {
    // The run with the lock reports its own end, and a full disk accepts no report.
    if (!(error instanceof LakeLockedError)) await note('failed').catch(() => undefined);
    if (error instanceof NobodyAnsweredError) bench.print(fetchTable(error.report), { fetch: error.report });
    throw error;
  } finally {
    await fetcher?.close();
  }
}

type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };
const outcomeOf = <Result>(work: Promise<Result>): Promise<Outcome<Result>> =>
  work.then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );

/** Stores the report, pushes the snapshot, and prints both; then throws the error of either. */
async function tell(bench: Bench, { verbose = false }: Options, report: Awaited<ReturnType<typeof nightly>>): Promise<void> {
  const kept = await outcomeOf(keepReport(bench.config.dataDir, report));
  const sending = await outcomeOf(sendOn(bench));
  const sent = 'result' in sending ? sending.result : null;
  const loaded = await loadOn(bench);
  const isGood = !hasFailed(report) && [kept, sending].every((outcome) => 'result' in outcome) && loaded?.isLoaded !== false;
  const lines = [
    summaryText(report, 'result' in kept ? kept.result : null),
    ...linesAfter(sent, loaded, isGood ? `next: ${inFolder(await servedFrom(bench.config.dataDir), 'npm start')}` : null),
  ];
  const json = { ...report, ...(sent === null ? {} : { push: sent }), ...(loaded === null ? {} : { load: loaded.json }) };
  bench.print([...(verbose ? [nightlyText(report)] : []), lines.join('\n')].join('\n\n'), json);
  for (const outcome of [kept, sending]) if ('error' in outcome) throw outcome.error;
}

/** The DATA_DIR of a server that serves this folder. A server of the folder around `sample` serves it only while it has no data of its own. */
async function servedFrom(dataDir: string): Promise<string> {
  if (!existsSync(join(dataDir, SAMPLE_MARK)) || basename(dataDir) !== 'sample') return dataDir;
  const around = dirname(dataDir);
  const paths = snapshotPaths(around);
  return existsSync(paths.pointer) || (await holdsData(paths)) ? dataDir : around;
}

/** @param next the command that continues if nothing needs attention */
function linesAfter(sent: SentReport | null, loaded: Loaded | null, next: string | null): readonly string[] {
  return [sent === null ? null : sentText(sent), loaded?.text ?? null, next].filter((line) => line !== null);
}

/** To the store of the servers; null without one. If it fails, the local snapshot stays current, and the next run pushes it. */
async function sendOn({ config, effects }: Bench): Promise<SentReport | null> {
  return config.snapshotUrl === null ? null : sendSnapshot(config, { keep: config.snapshotsKept, now: effects.now() });
}

interface Loaded {
  readonly isLoaded: boolean;
  readonly text: string;
  readonly json: unknown;
}

/** Into the cluster for heavy queries; null without one. If it fails, the published snapshot stays, and the report states that the cluster is behind. */
async function loadOn({ config, workspace, effects }: Bench): Promise<Loaded | null> {
  if (config.engineUrl === null) return null;
  try {
    const report = await loadCurrent(config, workspace, { now: effects.now });
    return { isLoaded: true, text: loadedText(report), json: report };
  } catch (error) {
    process.exitCode = 1;
    const text = error instanceof Error ? error.message : String(error);
    return { isLoaded: false, text, json: { error: text } };
  }
}

/** Milliseconds. */
const timeOf = (budget: string | undefined): number | null => (budget === undefined ? null : duration('--budget', budget));

await main(program, { kept: 'Archived and read payloads are kept; the current snapshot is intact.' });
