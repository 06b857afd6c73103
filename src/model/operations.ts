// The state of the sources, and the rows refused from them.
import { z } from 'zod';
import { JsonObject } from './provenance.ts';
import { Rights } from './observation.ts';
import { FreshnessStatus, SourceTier } from './trust.ts';
import { Instant } from './period.ts';

const text = (description: string) => z.string().nullable().describe(description);
const instant = (description: string) => Instant.nullable().describe(description);
const count = (description: string) => z.int().describe(description);

export const SourceStatus = z.enum(['healthy', 'degraded', 'failing', 'paused', 'unknown']).meta({ id: 'SourceStatus' });

export const SourceHealth = z
  .strictObject({
    sourceId: z.string().describe('Identifier of the source.'),
    name: z.string().describe('Name of the data set.'),
    provider: z.string().describe('Provider of the data set.'),
    sourceTier: SourceTier.describe('Provenance tier of the provider.'),
    connectorId: z.string().describe('Reader of the source.'),
    connectorVersion: z.int().nullable().describe('Version of the reader that last ran; null if it never did.'),
    status: SourceStatus.describe(
      'The first that applies. unknown: never tried. paused: the source has no expected interval, or every series ceased. failing: three failures in a row, or never a success. degraded: the last run failed, one access path is behind another, a whole interval was missed, or more of its series are stale than fresh. healthy: none of these.',
    ),
    lastAttemptAt: instant('End of the last run.'),
    lastSuccessAt: instant('End of the last run that succeeded, with or without new data.'),
    lastNewDataAt: instant('End of the last run that brought new data.'),
    lastErrorAt: instant('End of the last run that failed; for way_behind, the time of the first report that one access path lacks.'),
    lastErrorCode: text(
      'payload_refused if a payload could not be read; way_behind while one access path (an API) is behind another (a file); else run_failed.',
    ),
    lastErrorMessage: text('Message of that failure, without paths and secrets.'),
    consecutiveFailures: count('Failed runs since the last success.'),
    successRate7d: z.number().nullable().describe('Share of the runs of the last seven days before the snapshot that succeeded.'),
    latencyMsP50: z.number().nullable().describe('Median duration of a run, milliseconds.'),
    expectedIntervalSeconds: z
      .int()
      .nullable()
      .describe(
        'Usual time between new files of the source; asof should ask it at least this often. Null: asof no longer asks it, and its status is paused.',
      ),
    nextRunAt: instant('lastAttemptAt plus the expected interval.'),
    seriesTotal: count('Series from this source.'),
    seriesFresh: count('Of these: latest print within the cadence budget.'),
    seriesStale: count('Of these: older than the cadence allows.'),
    seriesCeased: count('Of these: retired by their publisher.'),
    seriesUnknown: count('Of these: without a verdict.'),
    quarantinedOpen: count('Refused rows that are still open.'),
    freshnessStatus: FreshnessStatus.describe('stale if more of its series are stale than fresh; unknown if no series has a verdict.'),
    rights: Rights.nullable().describe('Rights under the licence of the data set. Single series may differ.'),
    checkedAt: Instant.describe('Time of this verdict.'),
  })
  .meta({ id: 'SourceHealth' });
export type SourceHealth = z.infer<typeof SourceHealth>;

export const QuarantineRule = z
  .enum([
    'schema_drift',
    'unit_mismatch',
    'scale_jump',
    'out_of_range',
    'sign_flip',
    'future_period',
    'time_travel',
    'duplicate_conflict',
    'period_regression',
    'identity_unresolved',
    'reconciliation_failed',
  ])
  .meta({ id: 'QuarantineRule' });
export const QuarantineSeverity = z.enum(['warn', 'block']).meta({ id: 'QuarantineSeverity' });
export const QuarantineStatus = z.enum(['open', 'released', 'rejected', 'superseded']).meta({ id: 'QuarantineStatus' });

export const QuarantineRecord = z
  .strictObject({
    quarantineId: z.string().describe('Identifier of the finding.'),
    sourceId: z.string().describe('Source of the payload.'),
    connectorId: z.string().describe('Reader of the source.'),
    ingestionRunId: z.string().describe('Run that found it.'),
    entityId: text('Entity, if resolved.'),
    indicatorId: text('Storage indicator, if resolved.'),
    period: text(
      'Period of the row; for an answer of the publisher that lacks pages, the day that it gives for its update; null for a whole series or file.',
    ),
    rule: QuarantineRule.describe('Rule that was broken.'),
    ruleVersion: z.string().describe('Version of the rule.'),
    severity: QuarantineSeverity.describe('block: kept out (for an unlisted split: the multiples across it); warn: written and noted.'),
    reason: z.string().describe('The problem.'),
    fieldPath: text('Field or column of the payload that broke the rule, e.g. `Code`; or a part of the payload, e.g. `pages of 10000`.'),
    observedValue: text('Value in the payload; for positions of a contract that is not certain, long and short: `18589/7706`.'),
    expected: JsonObject.nullable().describe('What the rule compared with, such as {"inForce": 112.9}: the earlier value.'),
    rawPayloadId: text('The archived payload.'),
    status: QuarantineStatus.describe('open; released: written after all; rejected; superseded: the payload was read again.'),
    detectedAt: Instant.describe('Time at which it was found.'),
    resolvedAt: instant('Time at which it was closed.'),
    resolution: text('Why it was closed: the note of the person who decided, or a sentence of the rule.'),
    observationId: text('For a warning: the observation that was written.'),
  })
  .meta({ id: 'QuarantineRecord' });
export type QuarantineRecord = z.infer<typeof QuarantineRecord>;
