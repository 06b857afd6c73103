// The state of the sources, and the quarantined data.
import { z } from 'zod';
import { defineQuery, run } from '../db/query.ts';
import { rightsUnder } from '../model/grant.ts';
import { observationId } from '../model/observation.ts';
import { QuarantineRecord, QuarantineRule, QuarantineSeverity, QuarantineStatus, SourceHealth } from '../model/operations.ts';
import { redact } from '../model/redaction.ts';
import { definePaged, type FoundPage, type PageOf, runPaged, type SortKey } from './paging.ts';
import type { Snapshot } from './snapshot.ts';

const nullableText = z.string().nullable();

const HealthRow = z.strictObject({
  ...SourceHealth.omit({ connectorId: true, rights: true, checkedAt: true }).shape,
  isRedistributable: z.boolean(),
  license: z.string(),
  rightsNote: nullableText,
});

export const sourcesHealthQuery = defineQuery('operations/sources_health.sql', {
  params: z.strictObject({
    at: z.string(),
    sourceId: nullableText,
    status: nullableText,
    sourceTier: nullableText,
    freshness: nullableText,
  }),
  row: HealthRow,
});

const HEALTH_SORTS = {
  source_id: { expression: 'source_id', type: 'varchar' },
  name: { expression: 'name', type: 'varchar' },
  status: { expression: 'status', type: 'varchar' },
  last_attempt_at: { expression: 'last_attempt_at', type: 'timestamptz' },
  last_new_data_at: { expression: 'last_new_data_at', type: 'timestamptz' },
} as const satisfies Record<string, SortKey>;
export const sourcesHealth = definePaged(sourcesHealthQuery, HEALTH_SORTS, { column: 'source_id', type: 'varchar' });

export interface HealthFilters {
  readonly sourceId: string | null;
  readonly status: string | null;
  readonly sourceTier: string | null;
  readonly freshness: string | null;
}

/** @param now evaluation time for sources and series, ms */
export async function listSourceHealth(
  snapshot: Snapshot,
  filters: HealthFilters,
  now: number,
  page: PageOf<keyof typeof HEALTH_SORTS>,
): Promise<FoundPage<SourceHealth>> {
  const at = new Date(now).toISOString();
  const found = await runPaged(snapshot, sourcesHealth, { ...filters, at }, page);
  const rows = found.rows.map(({ sourceId, name, provider, sourceTier, isRedistributable, license, rightsNote, ...rest }): SourceHealth => {
    return {
      sourceId,
      name,
      provider,
      sourceTier,
      connectorId: sourceId,
      ...rest,
      lastErrorMessage: rest.lastErrorMessage === null ? null : redact(rest.lastErrorMessage),
      rights: rightsUnder({ redistributable: isRedistributable, license, note: rightsNote }, sourceId, snapshot.grants),
      checkedAt: at,
    };
  });
  return { ...found, rows };
}

const QuarantineRow = z.strictObject({
  ...QuarantineRecord.omit({ ingestionRunId: true, rawPayloadId: true, expected: true, observationId: true }).shape,
  runId: z.string(),
  payloadId: nullableText,
  expected: nullableText,
  seriesNo: z.int().nullable(),
  vintage: nullableText,
});
type QuarantineRow = z.infer<typeof QuarantineRow>;

export const quarantineListQuery = defineQuery('operations/quarantine_list.sql', {
  params: z.strictObject({
    sourceId: nullableText,
    indicatorId: nullableText,
    entityId: nullableText,
    rule: nullableText,
    severity: nullableText,
    status: nullableText,
    detectedFrom: nullableText,
    detectedTo: nullableText,
    historyFrom: nullableText,
  }),
  row: QuarantineRow,
});

const QUARANTINE_SORTS = {
  detected_at: { expression: 'detected_at', type: 'timestamptz' },
  source_id: { expression: 'source_id', type: 'varchar' },
  rule: { expression: 'rule', type: 'varchar' },
  period: { expression: 'period', type: 'varchar' },
} as const satisfies Record<string, SortKey>;
export const quarantineList = definePaged(quarantineListQuery, QUARANTINE_SORTS, { column: 'quarantine_id', type: 'varchar' });

export type QuarantineFilters = { readonly [Name in keyof typeof quarantineListQuery.params.shape]: string | null };

export async function listQuarantine(
  snapshot: Snapshot,
  filters: QuarantineFilters,
  page: PageOf<keyof typeof QUARANTINE_SORTS>,
): Promise<FoundPage<QuarantineRecord>> {
  const found = await runPaged(snapshot, quarantineList, filters, page);
  return { ...found, rows: found.rows.map((row) => toRecord(snapshot, row)) };
}

function toRecord({ catalogue }: Snapshot, row: QuarantineRow): QuarantineRecord {
  const series = row.seriesNo === null ? undefined : catalogue.byNumber.get(row.seriesNo);
  const { quarantineId, sourceId, connectorId, entityId, indicatorId, period, rule, ruleVersion, severity, fieldPath, observedValue } = row;
  return {
    quarantineId,
    sourceId,
    connectorId,
    ingestionRunId: row.runId,
    entityId,
    indicatorId,
    period,
    rule,
    ruleVersion,
    severity,
    reason: redact(row.reason),
    fieldPath,
    observedValue,
    expected: row.expected === null ? null : toExpected(row.expected),
    rawPayloadId: row.payloadId,
    status: row.status,
    detectedAt: row.detectedAt,
    resolvedAt: row.resolvedAt,
    resolution: row.resolution,
    observationId:
      series === undefined || period === null || row.vintage === null ? null : observationId({ ...series, period, vintage: row.vintage }),
  };
}

function toExpected(text: string): Record<string, unknown> {
  const parsed: unknown = JSON.parse(text);
  const object = z.record(z.string(), z.unknown()).safeParse(parsed);
  return object.success ? object.data : { value: parsed };
}

export const quarantineCountsQuery = defineQuery('operations/quarantine_counts.sql', {
  params: z.strictObject({}),
  row: z.strictObject({ rule: QuarantineRule, severity: QuarantineSeverity, status: QuarantineStatus, findings: z.int() }),
});

/** Counts of findings by rule, severity and status. */
export async function countQuarantine(snapshot: Snapshot): Promise<readonly z.infer<typeof quarantineCountsQuery.row>[]> {
  return run(snapshot, quarantineCountsQuery, {});
}

export const engineMemoryQuery = defineQuery('operations/engine_memory.sql', {
  params: z.strictObject({}),
  row: z.strictObject({ memoryBytes: z.int(), spilledBytes: z.int() }),
});

/** Memory of the engine that reads the snapshot. */
export async function engineMemory(snapshot: Snapshot): Promise<z.infer<typeof engineMemoryQuery.row>> {
  const [row] = await run(snapshot, engineMemoryQuery, {});
  return row ?? { memoryBytes: 0, spilledBytes: 0 };
}
