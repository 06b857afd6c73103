// The summary of a night in at most forty lines, for a person in the morning. The last line names the file with the full report.
import { dirname } from 'node:path';
import type { CollectReport } from '../collect.ts';
import type { FetchedSource } from '../fetch.ts';
import type { Leftovers } from '../leftovers.ts';
import { hasFailed, type NightlyReport, type QuietReport } from '../nightly.ts';
import type { PayloadReport, SourceReport } from '../normalise.ts';
import { reconciliationLines } from '../reconciled.ts';
import { toTable } from './report.ts';

/** Lines of the parts: with two above the sources, four on skipped sources, six on pairs, three at the end and one on the push they add up to forty. */
const MOST_SOURCES = 10;
const MOST_FAILURES = 5;
const MOST_UNCLAIMED = 3;
const MOST_NOTES = 2;
const LINE = 200;

type Report = NightlyReport | QuietReport;

/** @param file the full report; null if it could not be written */
export function summaryText(report: Report, file: string | null): string {
  return [
    ...sourceLines(report),
    ...idleLines(report),
    ...bounded(failuresOf(report), MOST_FAILURES, 'more kinds of failure'),
    ...waitingLines(report),
    ...findingLines(report),
    ...bounded(report.mended.map(mendedLine), MOST_NOTES, 'more files were rebuilt'),
    ...bounded(movedOf(report), MOST_NOTES, 'more addresses have moved'),
    ...(report.leftovers === null ? [] : leftoverLines(report.leftovers)),
    ...reconciliationLines(report.derive?.reconciliations ?? [], LINE),
    ...bounded([...feedsProblem(report), ...(report.derive?.warnings ?? [])], MOST_NOTES, 'more warnings'),
    ...endLines(report, file),
  ]
    .map(oneLine)
    .join('\n');
}

interface SourceOfNight {
  readonly sourceId: string;
  readonly read: number;
  readonly written: number;
  readonly quarantined: number;
  readonly requests: number;
  readonly milliseconds: number;
  readonly isFailed: boolean;
  /** False if anything of it was requested, archived or read. */
  readonly isIdle: boolean;
  readonly hasFiles: boolean;
  /** The reason if it was not asked; null if it was, or was not due. */
  readonly state: string;
}

function sourcesOf(report: Report): readonly SourceOfNight[] {
  const fetched = new Map(report.fetch?.sources.map((source) => [source.sourceId, source]));
  return report.sources.map((source) => sourceOf(source, fetched.get(source.sourceId), report.collect));
}

function sourceOf(
  { sourceId, payloads, payloadsSeen, status, milliseconds }: SourceReport,
  asked: FetchedSource | undefined,
  collected: CollectReport | null,
): SourceOfNight {
  const sum = (pick: (payload: PayloadReport) => number) => payloads.reduce((total, payload) => total + pick(payload), 0);
  const files = collected?.files.filter((file) => file.sourceId === sourceId) ?? [];
  const isFailed = status === 'failed' || asked?.status === 'failed' || files.some(({ problem }) => problem !== null);
  const { requests, milliseconds: askedFor } = asked ?? { requests: 0, milliseconds: 0 };
  return {
    sourceId,
    read: sum(({ rowsRead }) => rowsRead),
    written: sum(({ rowsWritten }) => rowsWritten),
    quarantined: sum(({ rowsQuarantined }) => rowsQuarantined),
    requests,
    milliseconds: milliseconds + askedFor,
    isFailed,
    isIdle: !isFailed && requests + payloads.length === 0 && !files.some(({ isNew }) => isNew),
    hasFiles: payloadsSeen > 0,
    state: isFailed ? 'FAILED' : (asked?.status ?? 'done'),
  };
}

/** A line for each active source, failed ones first if there are too many. */
function sourceLines(report: Report): readonly string[] {
  const active = sourcesOf(report).filter(({ isIdle }) => !isIdle);
  if (active.length === 0) return ['No publisher was contacted, and no payload was new.'];
  const isCut = active.length > MOST_SOURCES;
  const ordered = isCut ? active.toSorted((a, b) => Number(b.isFailed) - Number(a.isFailed) || b.written - a.written) : active;
  const rest = isCut ? ordered.slice(MOST_SOURCES - 1) : [];
  const rows = ordered.slice(0, isCut ? MOST_SOURCES - 1 : MOST_SOURCES).map((source) => rowOf(source.sourceId, [source], source.state));
  const failed = rest.filter(({ isFailed }) => isFailed).length;
  const others = isCut ? [rowOf(`${rest.length} others`, rest, failed === 0 ? 'done' : `${failed} FAILED`)] : [];
  return toTable(['source', 'read', 'written', 'quarantined', 'requests', 'seconds', 'state'], [...rows, ...others]).split('\n');
}

function rowOf(name: string, of: readonly SourceOfNight[], state: string): readonly (string | number)[] {
  const sum = (pick: (source: SourceOfNight) => number) => of.reduce((total, source) => total + pick(source), 0);
  const seconds = sum(({ milliseconds }) => milliseconds) / 1000;
  return [
    name,
    sum(({ read }) => read),
    sum(({ written }) => written),
    sum(({ quarantined }) => quarantined),
    sum(({ requests }) => requests),
    Math.round(seconds * 10) / 10,
    state,
  ];
}

/** Sources that were not asked and had no new payload, by reason. The last three reasons share a line, the shortest list first. */
function idleLines(report: Report): readonly string[] {
  const reasons = new Map(report.fetch?.sources.map(({ sourceId, reason }) => [sourceId, reason]));
  const idle = sourcesOf(report).filter(({ isIdle }) => isIdle);
  const named = (label: string, of: readonly SourceOfNight[]): readonly string[] =>
    of.length === 0 ? [] : [`${label}: ${of.map(({ sourceId }) => sourceId).join(', ')}`];
  const inState = (wanted: string) => idle.filter(({ state }) => state === wanted);
  const done = inState('done');
  const paused = inState('paused').map(({ sourceId }) => `${sourceId} (${reasons.get(sourceId) ?? ''})`);
  const rest = [
    ...named(
      'nothing new',
      done.filter(({ hasFiles }) => hasFiles),
    ),
    ...named('no feed', inState('no feed')),
    ...named(
      'no file yet',
      done.filter(({ hasFiles }) => !hasFiles),
    ),
  ];
  return [
    ...named('not due', inState('not due')),
    ...(paused.length === 0 ? [] : [`paused: ${paused.join(', ')}`]),
    ...named('unfinished', inState('unfinished')),
    ...(rest.length === 0 ? [] : [rest.join('; ')]),
  ];
}

/** One line for all that failed of a source in one way. */
function failuresOf(report: Report): readonly string[] {
  const found: { readonly sourceId: string; readonly what: string; readonly message: string }[] = [
    ...(report.fetch?.sources ?? [])
      .filter(({ status }) => status === 'failed')
      .map(({ sourceId, reason, failed, requests }) => ({
        sourceId,
        what: `${failed} of ${requests} requests`,
        message: reason ?? 'no reason given',
      })),
    ...(report.collect?.files ?? []).flatMap(({ sourceId, key, problem }) =>
      problem === null ? [] : [{ sourceId, what: key, message: `was not archived: it ${problem}` }],
    ),
    // A source without an error read a good file of the same name after each bad one.
    ...report.sources.flatMap(({ sourceId, error: ofSource, payloads }) =>
      payloads.flatMap(({ key, error }) => (ofSource === null || error === null ? [] : [{ sourceId, what: key, message: error }])),
    ),
    // Errors outside of any payload.
    ...report.sources.flatMap(({ sourceId, error, payloads }) =>
      error === null || payloads.some((payload) => payload.error !== null) ? [] : [{ sourceId, what: 'the source', message: error }],
    ),
  ];
  const groups = new Map<string, typeof found>();
  for (const one of found) {
    // The file name and numbers would separate two failures of one kind.
    const kind = `${one.sourceId}|${one.message.replaceAll(one.what, '').replaceAll(/\d+/g, '0')}`;
    groups.set(kind, [...(groups.get(kind) ?? []), one]);
  }
  return [...groups.values()]
    .toSorted((a, b) => b.length - a.length)
    .map((group) => {
      const [{ sourceId, what, message } = { sourceId: '', what: '', message: '' }] = group;
      return `FAILED ${sourceId}: ${what}${group.length === 1 ? '' : ` and ${group.length - 1} more like it`}: ${message}`;
    });
}

/** Findings of all runs on which the operator must decide: series that are held back, a list of tickers, or files that asof could not read. */
function waitingLines({ waiting }: Report): readonly string[] {
  const named = waiting.map(({ sourceId, findings }) => `${sourceId} (${findings})`);
  return named.length === 0
    ? []
    : [`WAIT for your decision, findings by source: ${named.join(', ')}. To see them: npm run quarantine -- list`];
}

/** What reading found, by rule; the most frequent first. */
function findingLines({ sources }: Report): readonly string[] {
  const groups = new Map<string, { rows: number; readonly sources: Set<string> }>();
  for (const { sourceId, payloads } of sources) {
    for (const { rule, severity, rows } of payloads.flatMap(({ findings }) => findings)) {
      const name = severity === 'warn' ? `${rule} as a warning` : rule;
      const group = groups.get(name) ?? { rows: 0, sources: new Set() };
      group.rows += rows;
      group.sources.add(sourceId);
      groups.set(name, group);
    }
  }
  const named = [...groups]
    .toSorted(([, a], [, b]) => b.rows - a.rows)
    .map(([name, { rows, sources: of }]) => `${rows} ${name} (${[...of].join(', ')})`);
  return named.length === 0 ? [] : [`findings (see /explore#/health): ${named.join(', ')}`];
}

function movedOf({ fetch }: Report): readonly string[] {
  return (fetch?.sources ?? []).flatMap(({ sourceId, moved }) => moved.map((key) => `${sourceId}: the publisher redirects ${key}`));
}

function mendedLine({ path, problem, rows }: NightlyReport['mended'][number]): string {
  return `${path} (${problem}) was rebuilt from the raw archive: ${rows} rows.`;
}

/** The number of skipped files per reason; unexplained ones by folder, with the first names. */
function leftoverLines({ explained, unexplained }: Leftovers): readonly string[] {
  const known = explained.reduce((sum, { paths }) => sum + paths.length, 0);
  const folders = new Map<string, string[]>();
  for (const path of unexplained) folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), path]);
  const lines = [...folders]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([folder, paths]) => {
      const names = paths.slice(0, 3).map((path) => path.slice(folder === '.' ? 0 : folder.length + 1));
      const more = paths.length > names.length ? ` and ${paths.length - names.length} more` : '';
      return `of no source: ${folder === '.' ? '' : `${folder}/ `}${names.join(', ')}${more}`;
    });
  const passedOver =
    known === 0
      ? []
      : [`not read: ${known} files, for ${explained.length === 1 ? 'one reason' : `${explained.length} reasons`} (--verbose names them)`];
  return [...passedOver, ...bounded(lines, MOST_UNCLAIMED - passedOver.length, 'more folders with files of no source')];
}

const feedsProblem = ({ feeds }: Report): readonly string[] => (feeds === null || feeds.problem === null ? [] : [feeds.problem]);

function endLines(report: Report, file: string | null): readonly string[] {
  const { derive, publish, startedAt, finishedAt, peakMemoryBytes } = report;
  const seconds = (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
  return [
    derive === null || publish === null
      ? 'Nothing is new; the current snapshot stays.'
      : `Snapshot ${publish.snapshotId} ${publish.isNew ? 'is current' : 'was already current; nothing changed'}. It has everything known up to ${derive.knowledgeCutoff}.`,
    `${hasFailed(report) ? 'Something failed: see above. ' : ''}${seconds.toFixed(1)} s, peak memory ${Math.round(peakMemoryBytes / 1e6)} MB.`,
    file === null ? 'This report could not be saved.' : `Full report: ${file}, or --verbose.`,
  ];
}

/** The first lines, and one line that counts the others. */
function bounded(lines: readonly string[], most: number, others: string): readonly string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), `and ${lines.length - most + 1} ${others}`];
}

function oneLine(text: string): string {
  const flat = text.replaceAll(/\s*\n\s*/g, ' ');
  return flat.length <= LINE ? flat : `${flat.slice(0, LINE - 1)}…`;
}
