// All four steps, in order, under one lock: collect, normalise, derive, publish.
import { existsSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeCurrentFeeds } from './feeds.ts';
import { diskErrorOf } from '../src/disk/disk-error.ts';
import { namesIn } from '../src/disk/if-there.ts';
import type { Effects } from '../src/effects.ts';
import { quote } from '../src/db/connect.ts';
import type { Fetcher } from '../src/fetch/fetcher.ts';
import { compact } from '../src/lake/compact.ts';
import type { Lake } from '../src/lake/lake.ts';
import { requireUniqueRows } from '../src/lake/reference.ts';
import { publish, type PublishReport } from '../src/snapshot/build/publish.ts';
import type { FeedsReport } from '../src/snapshot/build/feeds/write.ts';
import { readCurrent, snapshotPaths } from '../src/snapshot/manifest.ts';
import type { Source } from '../src/sources/source.ts';
import { refuseFutureLake } from './clock.ts';
import { collect, type CollectReport } from './collect.ts';
import { type FetchReport, fetchSources, NobodyAnsweredError, type OnRequest } from './fetch.ts';
import { deriveAttempt, type DeriveReport } from './derive.ts';
import { type Leftovers, leftoversOf } from './leftovers.ts';
import { mendLake, type MendedFile } from './mend.ts';
import { normalise, type SourceReport } from './normalise.ts';
import { waitingBySource, type WaitingSource } from './quarantine.ts';
import { type OnProgress, placeOf } from './reporting/progress.ts';
import type { Workspace } from './workspace.ts';
import { KnownError } from '../src/known-error.ts';

export interface NightlyReport {
  readonly startedAt: string;
  readonly finishedAt: string;
  /** Damaged files of the lake that were rebuilt from the raw archive. */
  readonly mended: readonly MendedFile[];
  readonly collect: CollectReport | null;
  /** The reasons why files of the folder were skipped; null if none was. */
  readonly leftovers: Leftovers | null;
  /** The requests to publishers; null if none were planned. */
  readonly fetch: FetchReport | null;
  readonly sources: readonly SourceReport[];
  /** The open findings at the end of the run on which the operator must decide, also those of earlier runs. */
  readonly waiting: readonly WaitingSource[];
  /** Small files of the lake that were replaced by larger ones. */
  readonly compactedFiles: number;
  readonly derive: DeriveReport;
  readonly publish: PublishReport;
  /** The files in DATA_DIR/feeds. */
  readonly feeds: FeedsReport;
  readonly peakMemoryBytes: number;
}

/** For a run without news: the current snapshot is complete. */
export type QuietReport = Omit<NightlyReport, 'derive' | 'publish' | 'feeds'> & {
  readonly derive: null;
  readonly publish: null;
  readonly feeds: null;
};

export interface NightlyOptions {
  /** Milliseconds for requests to publishers; null: until all plans are done. */
  readonly budget?: number | null;
  /** True to make a snapshot only if there is news. */
  readonly isOnlyIfChanged?: boolean;
}

export const STEPS = ['collect', 'normalise', 'derive', 'publish'] as const;

type NightlyArguments = [
  sources: readonly Source[],
  workspace: Workspace,
  effects: Effects,
  mirror: string | null,
  onProgress?: OnProgress,
  fetcher?: Fetcher | null,
];

/**
 * @param mirror folder of payloads; null to collect from none
 * @param fetcher asks the publishers; null to ask none
 * Throws a NobodyAnsweredError if no publisher was reachable and there is no folder either.
 */
export async function nightly(...run: NightlyArguments): Promise<NightlyReport>;
export async function nightly(...run: [...Required<NightlyArguments>, options: NightlyOptions]): Promise<NightlyReport | QuietReport>;
export async function nightly(
  sources: readonly Source[],
  workspace: Workspace,
  effects: Effects,
  mirror: string | null,
  onProgress: OnProgress = () => undefined,
  fetcher: Fetcher | null = null,
  { budget = null, isOnlyIfChanged = false }: NightlyOptions = {},
): Promise<NightlyReport | QuietReport> {
  const startedAt = new Date(effects.now()).toISOString();
  requireUniqueRows(workspace.referenceDir);
  const isFirst = !existsSync(join(workspace.dataDir, 'lake'));
  const lake = await workspace.openLake().catch((error: unknown) => {
    throw diskErrorOf(error) ?? error;
  });
  try {
    const mended = await mendLake(lake, workspace, sources, effects);
    await refuseFutureLake(lake, effects.now());
    const { collected, fetched } = await gather(sources, workspace, lake, effects, mirror, onProgress, fetcher, budget);
    const reports = await normalise(sources, workspace.archive, lake, effects, {
      referenceDir: workspace.referenceDir,
      codeRevision: workspace.version,
      reader: workspace.reader,
      onProgress: (sourceId, done, total, left) => onProgress('normalise', sourceId, done, total, placeOf(sources, sourceId), left),
    });
    if (await isEmpty(lake)) throw nothingToRead(reports, workspace);
    const common = {
      startedAt,
      mended,
      collect: collected,
      leftovers: collected === null ? null : await leftoversOf(collected.unclaimed, workspace.referenceDir),
      fetch: fetched,
      sources: reports,
      waiting: await waitingBySource(lake),
    };
    if (isOnlyIfChanged && mended.length === 0 && !(await isNewsIn(lake, reports, workspace, effects.now())))
      return { ...common, ...ended(effects), compactedFiles: 0, derive: null, publish: null, feeds: null };
    return { ...common, ...(await publishAll(lake, workspace, effects, onProgress)), ...ended(effects) };
  } catch (error) {
    throw diskErrorOf(error) ?? error;
  } finally {
    if (isFirst) await removeIfEmpty(lake, workspace);
    await lake.close();
  }
}

function nothingToRead(reports: readonly SourceReport[], { dataDir }: Workspace): KnownError {
  const failure = reports.find(({ error }) => error !== null)?.error;
  return new KnownError(
    failure === undefined
      ? `There is nothing to read: ${dataDir} has no archived payload, and none was collected. Give a folder of payloads with --mirror, or set DATA_DIR to the folder of the archive.`
      : `No payload could be read, so nothing is published. ${failure}`,
  );
}

/** A first run without data leaves no lake, so the next start still has the sample. */
async function removeIfEmpty({ paths }: Lake, { dataDir }: Workspace): Promise<void> {
  if ((await namesIn(paths.commits)).length > 0) return;
  // Files that cannot be removed have no data.
  await rm(paths.root, { recursive: true, force: true }).catch(() => undefined);
  for (const folder of ['tmp/normalise', 'tmp']) await rmdir(join(dataDir, folder)).catch(() => undefined);
}

/** Files of the folder, and answers of publishers. */
async function gather(
  sources: readonly Source[],
  { archive }: Workspace,
  lake: Lake,
  effects: Effects,
  mirror: string | null,
  onProgress: OnProgress,
  fetcher: Fetcher | null,
  budget: number | null,
): Promise<{ readonly collected: CollectReport | null; readonly fetched: FetchReport | null }> {
  const collected =
    mirror === null
      ? null
      : await collect(sources, archive, mirror, effects, (done, total, path) => onProgress('collect', path, done, total));
  const onRequest: OnRequest = (sourceId, key, source) => onProgress('collect', `${sourceId} ${key}`, 0, 1, source, null);
  const fetched = fetcher === null ? null : await fetchSources(sources, archive, lake, fetcher, effects, onRequest, budget);
  if (fetched !== null && collected === null && fetched.hasAsked && !fetched.hasAnswers) throw new NobodyAnsweredError(fetched);
  return { collected, fetched };
}

async function publishAll(
  lake: Lake,
  workspace: Workspace,
  effects: Effects,
  onProgress: OnProgress,
): Promise<Pick<NightlyReport, 'compactedFiles' | 'derive' | 'publish' | 'feeds'>> {
  const compactedFiles = await compact(lake, new Date(effects.now()).toISOString());
  const derived = await deriveAttempt(lake, workspace, effects, (step, done, total, left) =>
    onProgress('derive', step, done, total, undefined, left),
  );
  onProgress('publish', derived.snapshotId, 0, 1);
  const published = await publish(snapshotPaths(workspace.dataDir), workspace.snapshotsKept);
  const feeds = await writeCurrentFeeds(workspace);
  onProgress('publish', published.snapshotId, 1, 1);
  return { compactedFiles, derive: derived, publish: published, feeds };
}

const ended = ({ now }: Pick<Effects, 'now'>) => ({
  finishedAt: new Date(now()).toISOString(),
  peakMemoryBytes: process.resourceUsage().maxRSS * 1024,
});

const DAY = 86_400_000;

/**
 * True if the current snapshot lacks payloads of this run or of an interrupted one, or if it is so old that
 * its state of the sources (the time of the last request) is outdated.
 */
async function isNewsIn(lake: Lake, reports: readonly SourceReport[], { dataDir }: Workspace, now: number): Promise<boolean> {
  const current = await readCurrent(snapshotPaths(dataDir)).catch(() => null);
  if (current === null || now - Date.parse(current.knowledgeCutoff) >= DAY) return true;
  // A failed payload is read again each time, without news.
  if (reports.some(({ payloads }) => payloads.some(({ status }) => status !== 'failed'))) return true;
  const result = await lake.connection.runAndReadAll(
    `select coalesce(max(retrieved_at) > ${quote(current.knowledgeCutoff)}::timestamptz, false)
    from ${lake.paths.rows('ingestions')}`,
  );
  return result.getRows()[0]?.[0] === true;
}

/** No payload was ever read into it without a failure. */
async function isEmpty(lake: Lake): Promise<boolean> {
  const result = await lake.connection.runAndReadAll(`select count(*) from ${lake.paths.rows('ingestions')} where status = 'ok'`);
  return Number(result.getRows()[0]?.[0] ?? 0) === 0;
}

/** True if the run needs attention: a file that could not be archived or a feed that could not be written, or a request or a source that failed. */
export function hasFailed(
  report: Pick<NightlyReport, 'collect' | 'fetch' | 'sources'> & Partial<Pick<NightlyReport | QuietReport, 'feeds'>>,
): boolean {
  return (
    (report.feeds?.problem ?? null) !== null ||
    report.sources.some((source) => source.status === 'failed') ||
    (report.fetch?.sources.some((source) => source.status === 'failed') ?? false) ||
    (report.collect?.files.some((file) => file.problem !== null) ?? false)
  );
}
