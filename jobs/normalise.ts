// Step 2: archived payloads that are new to this version of their source → the lake. A failure stays within its source: rows
// of a failed payload are dropped, the reason is recorded, and all other payloads and sources continue.
import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Collection, RawArchive, StoredPayload } from '../src/archive/raw-archive.ts';
import { patternOf } from '../src/db/connect.ts';
import { sqlText } from '../src/db/query.ts';
import { naming, refuseDisk } from '../src/disk/disk-error.ts';
import type { Effects } from '../src/effects.ts';
import { dropStage, type Finding, openStage, type PayloadCounts, type Settled, type Stage } from '../src/lake/append.ts';
import type { Lake, StagedFile } from '../src/lake/lake.ts';
import type { LakeTable } from '../src/lake/layout.ts';
import { loadReference } from '../src/lake/reference.ts';
import { type Row, rowsOf } from '../src/lake/rows.ts';
import { refuseDamage } from '../src/lake/verified.ts';
import type { Payload, Source } from '../src/sources/source.ts';
import { refuseFutureLake } from './clock.ts';
import { type PayloadReader, readHere } from './reading/payload-reader.ts';
import { stageBatch } from './reading/stage-batch.ts';
import {
  bodyOf,
  courseOf,
  inKnowledgeOrder,
  lastCollectedAt,
  type OnReading,
  type OnSource,
  type Reading,
  readBefore,
} from './reading-order.ts';

// The number of observations, or equivalent records, in the staging tables before they are compared with the lake: bounds memory for any backlog.
const FLUSH_SIZE = 500_000;

export interface PayloadReport {
  readonly key: string;
  readonly payloadId: string;
  readonly status: 'ok' | 'failed';
  readonly error: string | null;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  readonly rowsQuarantined: number;
  readonly findings: readonly Finding[];
}

export interface SourceReport {
  readonly sourceId: string;
  readonly status: 'ok' | 'failed';
  readonly error: string | null;
  /** Archived payloads, and those read in this run. */
  readonly payloadsSeen: number;
  readonly payloads: readonly PayloadReport[];
  /** To read them. */
  readonly milliseconds: number;
}

export interface NormaliseOptions {
  readonly referenceDir: string;
  readonly codeRevision: string;
  /** Default: this thread, in which nothing can interrupt a loop of a reader. */
  readonly reader?: PayloadReader;
  readonly onProgress?: OnSource;
}

export async function normalise(
  sources: readonly Source[],
  archive: RawArchive,
  lake: Lake,
  effects: Pick<Effects, 'now' | 'log'>,
  options: NormaliseOptions,
): Promise<SourceReport[]> {
  await refuseFutureLake(lake, effects.now());
  // Rows compared with a damaged row would be appended or omitted for good.
  await refuseDamage(lake.paths.root, { now: effects.now() });
  await loadReference(lake.connection, options.referenceDir);
  const reports: SourceReport[] = [];
  const course = await courseOf(sources, archive, lake, effects.now, options.onProgress);
  for (const source of sources) {
    const begun = effects.now();
    const startedAt = new Date(begun).toISOString();
    course(source.id, 0, 1, 0);
    const report = await normaliseSource(source, archive, lake, effects, options, course).catch((error: unknown) =>
      abandon(source, archive, lake, effects, startedAt, error),
    );
    reports.push({ ...report, milliseconds: effects.now() - begun });
  }
  return reports;
}

/** An error outside of any payload: only the attempt of the run stays, and the next source follows. */
async function abandon(
  source: Source,
  archive: RawArchive,
  lake: Lake,
  effects: Pick<Effects, 'now' | 'log'>,
  startedAt: string,
  thrown: unknown,
): Promise<Omit<SourceReport, 'milliseconds'>> {
  refuseDisk(thrown);
  const error = thrown instanceof Error ? thrown.message : String(thrown);
  await dropStage(lake.connection);
  const collection = await archive.lastCollection(source.id).catch((failed: unknown) => {
    refuseDisk(failed);
    return null; // A damaged note may be the error itself.
  });
  const collectedAt = collection?.retrievedAt ?? startedAt;
  const attempt = attemptRow(source, [], { startedAt, collectedAt, error, payloadsSeen: 0 }, instant(effects));
  await lake.commit(source.id, startedAt, [rowsOf('attempts', [attempt])]);
  effects.log.error({ source: source.id, error }, 'source failed');
  return { sourceId: source.id, status: 'failed', error, payloadsSeen: 0, payloads: [] };
}

/** Expects the schema `reference` on the lake's connection, and intact files. Throws errors outside of any payload. */
export async function normaliseSource(
  source: Source,
  archive: RawArchive,
  lake: Lake,
  effects: Pick<Effects, 'now' | 'log'>,
  options: NormaliseOptions,
  onReading: OnReading = () => undefined,
): Promise<Omit<SourceReport, 'milliseconds'>> {
  const startedAt = instant(effects);
  const payloads = await archive.list(source.id);
  const unread = await unreadCollection(source, archive, lake);
  const done = payloads.length === 0 ? new Map<string, string | null>() : await readBefore(lake, source);
  const { readings, failures } = await inKnowledgeOrder(source, archive, payloads, done, options.reader);
  const reports: PayloadReport[] = [];
  const readNow = readings.length + failures.length;
  const collectedAt = [unread?.retrievedAt ?? '', ...payloads.map(({ retrievedAt }) => retrievedAt)].toSorted().at(-1) ?? '';
  const attemptOf = (error: string | null): Attempt => ({ startedAt, collectedAt, error, payloadsSeen: payloads.length });
  let error = unread?.problem ?? null;
  if (readNow > 0) {
    const stage = await openStage(lake, source.id);
    const run: Run = { source, archive, lake, effects, options, stage, payloads, done, pending: [], reports };
    for (const failure of failures) run.pending.push({ ...failure, startedAt, isRepeated: false });
    await stageAll(run, readings, onReading);
    error = failureOf(run, readNow) ?? error;
    await flush(run, attemptOf(error));
    await dropStage(lake.connection);
  } else if (unread !== null) {
    const now = instant(effects);
    await lake.commit(source.id, now, [rowsOf('attempts', [attemptRow(source, reports, attemptOf(error), now)])]);
  }
  // Else there is no attempt: it would look like a successful night of a source that was not asked.
  if (error !== null) effects.log.error({ source: source.id, error }, 'source failed');
  return { sourceId: source.id, status: error === null ? 'ok' : 'failed', error, payloadsSeen: payloads.length, payloads: reports };
}

async function stageAll(run: Run, readings: readonly Reading[], onReading: OnReading): Promise<void> {
  let bytes = 0;
  for (const [index, reading] of readings.entries()) {
    await stageReading(run, reading);
    if (run.stage.stagedSize() >= FLUSH_SIZE) await flush(run, null);
    bytes += reading.payload.bytes;
    onReading(run.source.id, index + 1, readings.length, bytes);
  }
}

/** Describes the failed payloads of the run, null if there are none or better ones followed. */
function failureOf(run: Run, readNow: number): string | null {
  const replaced = replacedPayloads(run.payloads);
  const failed = [...run.reports, ...run.pending.map((pending) => ({ ...pending, payloadId: pending.payload.payloadId }))].filter(
    (report) => report.error !== null && !replaced.has(report.payloadId),
  );
  return failed.length === 0 ? null : `${failed.length} of ${readNow} payloads failed: ${failed[0]?.error}`;
}

/** The newest collection of the source; null if the lake already has an attempt for it. */
async function unreadCollection(source: Source, archive: RawArchive, lake: Lake): Promise<Collection | null> {
  const collection = await archive.lastCollection(source.id);
  return collection !== null && collection.retrievedAt > ((await lastCollectedAt(lake, source)) ?? '') ? collection : null;
}

/** Payloads followed by another one under the same key: a bad download no longer matters once a good one has followed. */
function replacedPayloads(payloads: readonly StoredPayload[]): ReadonlySet<string> {
  const newest = new Map(payloads.map((payload) => [payload.key, payload.payloadId]));
  return new Set(payloads.filter((payload) => newest.get(payload.key) !== payload.payloadId).map((payload) => payload.payloadId));
}

interface Attempt {
  readonly startedAt: string;
  /** The collection that it reads. */
  readonly collectedAt: string;
  readonly error: string | null;
  readonly payloadsSeen: number;
}

interface Pending {
  readonly payload: StoredPayload;
  readonly knownAt: string | null;
  readonly startedAt: string;
  readonly error: string | null;
  readonly isRepeated: boolean;
}

interface Run {
  readonly source: Source;
  readonly archive: RawArchive;
  readonly lake: Lake;
  readonly effects: Pick<Effects, 'now' | 'log'>;
  readonly options: NormaliseOptions;
  readonly stage: Stage;
  readonly payloads: readonly StoredPayload[];
  /** Payloads in the lake, with the newest knowledge time of each. */
  readonly done: Map<string, string | null>;
  /** Payloads staged since the last flush, or failed. */
  pending: Pending[];
  readonly reports: PayloadReport[];
}

async function stageReading(run: Run, reading: Reading): Promise<void> {
  const { source, stage, options } = run;
  const reader = options.reader ?? readHere;
  const startedAt = instant(run.effects);
  stage.open({
    payloadId: reading.payload.payloadId,
    runId: runId(reading.payload, source.version),
    key: reading.payload.key,
    retrievedAt: reading.payload.retrievedAt,
  });
  let error: string | null = null;
  try {
    const body = await bodyOf(run.archive, reading.payload);
    if (source.bulk) await stageBulk(run, reader, body);
    else for await (const batch of reader.batches(source, body)) stageBatch(stage, batch);
    await stage.keep();
  } catch (thrown) {
    refuseDisk(thrown);
    error = thrown instanceof Error ? thrown.message : String(thrown);
    await stage.drop();
  }
  run.pending.push({ payload: reading.payload, knownAt: reading.knownAt, startedAt, error, isRepeated: reading.isRepeated });
}

async function stageBulk(run: Run, reader: PayloadReader, payload: Payload): Promise<void> {
  const { bulk } = run.source;
  if (!bulk) return;
  await reader.check(run.source, payload);
  const file = join(run.lake.paths.staging, 'payload');
  await naming(file, () => writeFile(file, payload.body));
  try {
    await run.stage.bulk(sqlText(bulk.sql), { ...bulk.parameters(payload), file: patternOf(file) });
  } finally {
    await rm(file, { force: true });
  }
}

/** Commits the staged rows with their ingestion runs; the last flush of a source also records the attempt. */
async function flush(run: Run, attempt: Attempt | null): Promise<void> {
  const { lake, source, stage } = run;
  const now = instant(run.effects);
  const settle = () => stage.settle({ ingestedAt: now, connectorVersion: source.version });
  let settled = await settle();
  if (await repeatLater(run, settled.earliestObservedAt)) settled = await settle();
  const fresh = run.pending.filter((pending) => !pending.isRepeated);
  for (const pending of fresh) run.reports.push(reportOf(pending, settled));
  const files: StagedFile[] = [
    ...settled.files,
    rowsOf(
      'ingestions',
      fresh.map((pending) => ingestionRow(run, pending, settled, now)),
    ),
    rowsOf(
      'quarantine',
      await newFailures(
        lake,
        fresh.filter((pending) => pending.error !== null).map((pending) => failureRow(run, pending, now)),
      ),
    ),
  ];
  if (attempt !== null) files.push(rowsOf('attempts', [attemptRow(source, run.reports, attempt, now)]));
  await lake.commit(source.id, now, mergeByTable(files), { lastChangeSequence: settled.lastChangeSequence });
  for (const pending of fresh) if (pending.error === null) run.done.set(pending.payload.payloadId, knownAtOf(pending, settled));
  run.pending = [];
  if (attempt === null) await stage.clear();
}

/**
 * Individually dated rows may come before rows read earlier: a later statement that was redundant then
 * may be new now. Reads those payloads once more; returns if there were any.
 */
async function repeatLater(run: Run, earliest: string | null): Promise<boolean> {
  const staged = new Set(run.pending.map((pending) => pending.payload.payloadId));
  const later = run.payloads.filter(({ payloadId }) => {
    const knownAt = run.done.get(payloadId) ?? null;
    return earliest !== null && knownAt !== null && knownAt > earliest && !staged.has(payloadId);
  });
  if (later.length > 0) await run.stage.keep();
  for (const payload of later) await stageReading(run, { payload, knownAt: null, isRepeated: true });
  const failed = run.pending.find((pending) => pending.isRepeated && pending.error !== null);
  // The changes of an older statement could not be made up for later, so the older one waits.
  if (failed !== undefined) throw new Error(`${failed.payload.key} could not be read again: ${failed.error}`);
  return later.length > 0;
}

function knownAtOf(pending: Pending, settled: Settled): string | null {
  return pending.knownAt ?? settled.counts.get(pending.payload.payloadId)?.newestObservedAt ?? null;
}

const NOTHING: PayloadCounts = { rowsRead: 0, rowsWritten: 0, rowsQuarantined: 0, findings: [], newestObservedAt: null };

function reportOf(pending: Pending, settled: Settled): PayloadReport {
  const counts = settled.counts.get(pending.payload.payloadId) ?? NOTHING;
  return {
    key: pending.payload.key,
    payloadId: pending.payload.payloadId,
    status: pending.error === null ? 'ok' : 'failed',
    error: pending.error,
    rowsRead: counts.rowsRead,
    rowsWritten: counts.rowsWritten,
    rowsQuarantined: counts.rowsQuarantined,
    findings: counts.findings,
  };
}

function ingestionRow(run: Run, pending: Pending, settled: Settled, finishedAt: string): Row {
  const { payload } = pending;
  const report = reportOf(pending, settled);
  return {
    run_id: runId(payload, run.source.version, pending.error === null ? null : pending.startedAt),
    payload_id: payload.payloadId,
    key: payload.key,
    sha256: payload.sha256,
    bytes: payload.bytes,
    media_type: payload.mediaType,
    address: payload.address,
    http_status: payload.httpStatus,
    etag: payload.etag,
    last_modified: payload.lastModified,
    retrieved_at: payload.retrievedAt,
    known_at: knownAtOf(pending, settled),
    connector_version: run.source.version,
    code_revision: run.options.codeRevision,
    started_at: pending.startedAt,
    finished_at: finishedAt,
    status: report.status,
    error: report.error,
    rows_read: report.rowsRead,
    rows_written: report.rowsWritten,
    rows_quarantined: report.rowsQuarantined,
  };
}

function attemptRow(source: Source, reports: readonly PayloadReport[], attempt: Attempt, finishedAt: string): Row {
  const sum = (pick: (report: PayloadReport) => number) => reports.reduce((total, report) => total + pick(report), 0);
  return {
    attempt_id: `att_${digest(`${source.id}|${attempt.startedAt}`)}`,
    collected_at: attempt.collectedAt,
    started_at: attempt.startedAt,
    finished_at: finishedAt,
    status: attempt.error === null ? 'ok' : 'failed',
    error: attempt.error,
    payloads_seen: attempt.payloadsSeen,
    payloads_new: reports.length,
    payloads_failed: sum((report) => Number(report.status === 'failed')),
    rows_written: sum((report) => report.rowsWritten),
    rows_quarantined: sum((report) => report.rowsQuarantined),
  };
}

function failureRow(run: Run, pending: Pending, now: string): Row {
  return {
    quarantine_id: `qrn_${digest(`${pending.payload.payloadId}|schema_drift|${run.source.version}|${pending.error}`)}`,
    rule: 'schema_drift',
    rule_version: '1',
    severity: 'block',
    reason: pending.error,
    observed_value: pending.payload.key,
    payload_id: pending.payload.payloadId,
    run_id: runId(pending.payload, run.source.version, pending.startedAt),
    connector_version: run.source.version,
    detected_at: now,
  };
}

async function newFailures(lake: Lake, rows: readonly Row[]): Promise<Row[]> {
  if (rows.length === 0) return [];
  const known = await lake.connection.runAndReadAll('select quarantine_id from staged.lake_quarantine');
  const ids = new Set(known.getRows().map(([id]) => String(id)));
  return rows.filter((row) => !ids.has(String(row['quarantine_id'])));
}

function mergeByTable(files: readonly StagedFile[]): StagedFile[] {
  const selects = new Map<LakeTable, string[]>();
  for (const { table, select } of files) selects.set(table, [...(selects.get(table) ?? []), `(${select})`]);
  return [...selects].map(([table, parts]) => ({ table, select: parts.join(' union all by name ') }));
}

function runId(payload: StoredPayload, version: number, failedAt: string | null = null): string {
  return `run_${digest(`${payload.payloadId}|${version}${failedAt === null ? '' : `|${failedAt}`}`)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 26);
}

function instant(effects: Pick<Effects, 'now'>): string {
  return new Date(effects.now()).toISOString();
}
