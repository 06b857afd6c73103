// Reports as tables for people.
import type { CollectReport } from '../collect.ts';
import type { DeriveReport } from '../derive.ts';
import type { FetchReport } from '../fetch.ts';
import type { Leftovers } from '../leftovers.ts';
import type { NightlyReport, QuietReport } from '../nightly.ts';
import type { Reconciliation } from '../../src/snapshot/build/reconciliations.ts';
import type { ShardsReport } from '../../src/snapshot/build/shards/share.ts';
import type { PayloadReport, SourceReport } from '../normalise.ts';

/** Columns as wide as their widest cell; numbers to the right. */
export function toTable(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en-US') : cell)));
  const widths = header.map((name, column) => Math.max(name.length, ...cells.map((row) => row[column]?.length ?? 0)));
  const isNumeric = header.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (isNumeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n');
}

export function collectTable(report: CollectReport, leftovers: Leftovers): string {
  const bySource = new Map<string, { files: number; added: number; problems: number; bytes: number }>();
  for (const file of report.files) {
    const sum = bySource.get(file.sourceId) ?? { files: 0, added: 0, problems: 0, bytes: 0 };
    sum.files += 1;
    sum.added += Number(file.isNew);
    sum.problems += Number(file.problem !== null);
    sum.bytes += file.bytes;
    bySource.set(file.sourceId, sum);
  }
  const rows = [...bySource].map(([source, sum]) => [source, sum.files, sum.added, sum.problems, sum.bytes]);
  const problems = report.files.filter((file) => file.problem !== null).map((file) => `${file.key}: ${file.problem}`);
  return [toTable(['source', 'files', 'new', 'not archived', 'bytes'], rows), ...leftoverLines(leftovers), ...problems].join('\n');
}

/** The reasons for skipped files; unexplained ones by name. */
function leftoverLines({ explained, unexplained }: Leftovers): string[] {
  return [
    ...explained.flatMap(({ reason, paths }) => paths.map((path) => `${path}: not read: ${reason}.`)),
    ...unexplained.map((path) => `${path}: belongs to no source. Name it as docs/reference/sources.md lists, or leave it out.`),
  ];
}

/** A line for every source, and the details to look at below. */
export function fetchTable(report: FetchReport): string {
  const rows = report.sources.map((source) => [
    source.sourceId,
    source.status,
    source.requests,
    source.added,
    source.unchanged,
    source.absent,
    source.failed,
    source.bytes,
    (source.milliseconds / 1000).toFixed(1),
    source.reason ?? '',
  ]);
  const moved = report.sources.flatMap(({ sourceId, moved: keys }) => keys.map((key) => `${sourceId}: ${key}`));
  return [
    toTable(['source', 'asked', 'requests', 'new', 'unchanged', 'not out yet', 'failed', 'bytes', 'seconds', 'why'], rows),
    ...(moved.length === 0 ? [] : ['The publisher redirects these addresses. Update them before they stop working:', ...moved]),
  ].join('\n');
}

export function filesTable(sources: readonly SourceReport[]): string {
  const rows = sources.flatMap((source) =>
    source.payloads.map((payload) => [
      source.sourceId,
      payload.key,
      payload.rowsRead,
      payload.rowsWritten,
      payload.rowsQuarantined,
      unchanged(payload),
      why(payload),
    ]),
  );
  return rows.length === 0
    ? 'No payload was new.'
    : toTable(['source', 'file', 'rows read', 'written', 'quarantined', 'known already', 'why'], rows);
}

/** Rows without news: values already in force, and missing ones without an earlier value. */
function unchanged(payload: PayloadReport): number {
  return payload.rowsRead - payload.rowsWritten - payload.rowsQuarantined;
}

function why(payload: PayloadReport): string {
  if (payload.error !== null) return `FAILED: ${payload.error}`;
  return payload.findings
    .map((finding) => `${finding.rows} ${finding.rule}${finding.severity === 'warn' ? ' (warning, written)' : ''}`)
    .join(', ');
}

export function sourcesTable(sources: readonly SourceReport[]): string {
  const sum = (source: SourceReport, pick: (payload: PayloadReport) => number) =>
    source.payloads.reduce((total, payload) => total + pick(payload), 0);
  const rows = sources.map((source) => [
    source.sourceId,
    source.status,
    source.payloadsSeen,
    source.payloads.length,
    sum(source, (payload) => Number(payload.status === 'failed')),
    sum(source, (payload) => payload.rowsRead),
    sum(source, (payload) => payload.rowsWritten),
    sum(source, (payload) => payload.rowsQuarantined),
  ]);
  return toTable(['source', 'status', 'payloads', 'read now', 'failed', 'rows read', 'written', 'quarantined'], rows);
}

/** A result is computed at once and cached for the next night: a forecast of a series at a release, the score of a document. */
export function deriveTable(report: DeriveReport): string {
  const count = (of: number | undefined) => (of === undefined ? '' : of.toLocaleString('en-US')).padStart('computed'.length);
  const derived = report.derived.map(({ name, rows, results, milliseconds }) => [
    name,
    rows,
    count(results?.computed),
    count(results?.reused),
    milliseconds,
  ]);
  return [
    report.derived.length === 0
      ? 'Nothing changed since the last build, so nothing was derived.'
      : toTable(['derived set', 'rows', 'computed', '  reused', 'ms'], derived),
    toTable(
      ['published table', 'rows', 'files', 'new files', 'ms'],
      report.tables.map((table) => [table.name, table.rows, table.files, table.newFiles, table.milliseconds]),
    ),
    reconciliationTable(report.reconciliations),
    ...(report.shards === null ? [] : [shardsText(report.shards)]),
    ...report.warnings,
  ].join('\n\n');
}

function shardsText({ address, total, reused, madeHere, sentBytes, resultBytes }: ShardsReport): string {
  const size = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  const elsewhere = total - reused - madeHere;
  return `${total} shards in ${address}: ${reused} were there, ${madeHere} made by this process, ${elsewhere} by other workers; ${size(sentBytes)} of inputs sent, ${size(resultBytes)} of results read.`;
}

/** For pairs without a comparison, the reason. */
function reconciliationTable(reconciliations: readonly Reconciliation[]): string {
  return toTable(
    ['pair of sources', 'compared', 'agreeing', 'of other days', 'disagreeing', 'why not'],
    reconciliations.map(({ pair, compared, agreeing, dated, disagreeing, whyNot }) => [
      pair,
      compared,
      agreeing,
      dated,
      disagreeing,
      whyNot ?? '',
    ]),
  );
}

function publicationText({ derive, publish }: NightlyReport | QuietReport): string[] {
  if (derive === null || publish === null) return ['Nothing is new; the current snapshot stays.'];
  const published = publish.isNew ? `${publish.snapshotId} is current.` : `${publish.snapshotId} was already current; nothing changed.`;
  return [deriveTable(derive), `Snapshot ${published} It has everything known up to ${derive.knowledgeCutoff}.`];
}

export function nightlyText(report: NightlyReport | QuietReport): string {
  const seconds = (Date.parse(report.finishedAt) - Date.parse(report.startedAt)) / 1000;
  return [
    ...report.mended.map(({ path, problem, rows }) => `${path} (${problem}) was rebuilt from the raw archive: ${rows} rows.`),
    filesTable(report.sources),
    ...(report.fetch === null ? [] : [fetchTable(report.fetch)]),
    ...(report.collect === null || report.leftovers === null ? [] : [collectTable(report.collect, report.leftovers)]),
    sourcesTable(report.sources),
    ...publicationText(report),
    `${seconds.toFixed(1)} s, peak memory ${Math.round(report.peakMemoryBytes / 1e6)} MB.`,
  ].join('\n\n');
}
