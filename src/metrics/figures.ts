// Metrics of the served snapshot, its sources and its series, queried at each scrape in a lane like any look-up.
import { Gauge, type Registry } from 'prom-client';
import type { Lanes } from '../db/lanes.ts';
import type { SnapshotStore } from '../http/route.ts';
import { SourceStatus } from '../model/operations.ts';
import { LivenessVerdict } from '../model/series.ts';
import { countQuarantine, engineMemory, listSourceHealth } from '../queries/operations.ts';
import { livenessReport } from '../queries/series.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { type LastRun, OUTCOMES } from '../snapshot/last-run.ts';

export interface FigureOptions<R extends Snapshot> {
  readonly store: SnapshotStore<R>;
  readonly lanes: Lanes;
  readonly lastRun: () => Promise<LastRun | null>;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

const MOST_SOURCES = 500;
const QUERY_MS = 20_000;

/** Returns a function that updates all of them; if the query fails, they are absent. */
export function figureMetrics<R extends Snapshot>(registry: Registry, options: FigureOptions<R>): () => Promise<void> {
  const gauge = <Label extends string = never>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge<Label>({ name, help, labelNames, registers: [registry] });
  const ready = gauge('asof_ready', '1 while a whole snapshot is served.');
  const warnings = gauge('asof_warnings', 'Warnings of /ready.');
  const collected = gauge('asof_figures_up', '1 if the snapshot answered the queries for the following metrics.');
  const figures = {
    info: gauge('asof_snapshot_info', 'The snapshot that is served; always 1.', 'snapshot_id', 'serves'),
    age: gauge('asof_snapshot_age_seconds', 'Age of the newest knowledge in the served snapshot.'),
    memory: gauge('asof_engine_memory_bytes', 'Memory used by the engine of the snapshot.'),
    spilled: gauge('asof_engine_spilled_bytes', 'Bytes that the engine spilled to disk.'),
    success: gauge('asof_source_last_success_timestamp_seconds', 'lastSuccessAt of /source-health.', 'source_id'),
    newData: gauge('asof_source_last_new_data_timestamp_seconds', 'lastNewDataAt of /source-health.', 'source_id'),
    attempt: gauge('asof_source_last_attempt_timestamp_seconds', 'lastAttemptAt of /source-health.', 'source_id'),
    failures: gauge('asof_source_consecutive_failures', 'consecutiveFailures of /source-health.', 'source_id'),
    status: gauge('asof_source_status', 'status of /source-health: 1 for the current one.', 'source_id', 'status'),
    stale: gauge('asof_source_stale_series', 'seriesStale of /source-health.', 'source_id'),
    series: gauge('asof_series', 'Series by the verdict of /ops/liveness.', 'verdict'),
    quarantine: gauge('asof_quarantine_findings', 'Findings of /quarantine.', 'rule', 'severity', 'status'),
  };
  const run = {
    outcome: gauge('asof_last_run_outcome', 'Outcome of the last nightly run: 1 for the current one.', 'outcome'),
    finished: gauge('asof_last_run_finished_timestamp_seconds', 'When the last nightly run ended.'),
  };

  const ask = async (snapshot: Snapshot, at: number): Promise<() => void> => {
    const sources = await listSourceHealth(snapshot, { sourceId: null, status: null, sourceTier: null, freshness: null }, at, {
      sort: 'source_id',
      order: 'asc',
      after: null,
      limit: MOST_SOURCES,
    });
    const liveness = await livenessReport(snapshot, { sourceId: null, verdict: null }, at, { limit: 0, after: null, cursorAt: () => null });
    const findings = await countQuarantine(snapshot);
    const { memoryBytes, spilledBytes } = await engineMemory(snapshot);
    return () => {
      figures.age.set((at - Date.parse(snapshot.knowledgeCutoff)) / 1000);
      figures.memory.set(memoryBytes);
      figures.spilled.set(spilledBytes);
      for (const { sourceId: source_id, ...health } of sources.rows) {
        setInstant(figures.success, { source_id }, health.lastSuccessAt);
        setInstant(figures.newData, { source_id }, health.lastNewDataAt);
        setInstant(figures.attempt, { source_id }, health.lastAttemptAt);
        figures.failures.set({ source_id }, health.consecutiveFailures);
        figures.stale.set({ source_id }, health.seriesStale);
        for (const status of SourceStatus.options) figures.status.set({ source_id, status }, Number(status === health.status));
      }
      for (const verdict of LivenessVerdict.options) figures.series.set({ verdict }, liveness.summary[verdict]);
      for (const { rule, severity, status, findings: count } of findings) figures.quarantine.set({ rule, severity, status }, count);
    };
  };

  return async () => {
    const readiness = options.store.readiness();
    ready.set(Number(readiness.isReady));
    warnings.set(readiness.warnings.length);
    const last = await options.lastRun().catch(() => null);
    const pinned = await options.store.acquire();
    let set: (() => void) | null = null;
    if (pinned !== null) {
      const errand = options.lanes.open('lookup', 'metrics', QUERY_MS);
      try {
        set = await ask(options.store.under(pinned.snapshot, errand), options.now());
      } catch (error) {
        options.onError(error);
      } finally {
        pinned.release();
      }
    }
    // All at once, so that no scrape sees only half of them.
    for (const one of [...Object.values(figures), ...Object.values(run)]) one.reset();
    collected.set(Number(set !== null));
    if (pinned !== null) figures.info.set({ snapshot_id: pinned.snapshot.snapshotId, serves: readiness.serves ?? 'none' }, 1);
    set?.();
    if (last === null) return;
    for (const outcome of OUTCOMES) run.outcome.set({ outcome }, Number(outcome === last.outcome));
    run.finished.set(Date.parse(last.finishedAt) / 1000);
  };
}

function setInstant<Label extends string>(gauge: Gauge<Label>, labels: Record<Label, string>, instant: string | null): void {
  if (instant !== null) gauge.set(labels, Date.parse(instant) / 1000);
}
