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
    sourceTier: SourceTier.describe('Kind of institution that the provider is.'),
    connectorId: z.string().describe('Reader of the source.'),
    connectorVersion: z.int().nullable().describe('Version of the reader that last ran; null if it never did.'),
    status: SourceStatus.describe(
      'The first that applies. unknown: never tried. paused: expectedIntervalSeconds is null, or every series ceased. failing: three failures in a row, or never a success. degraded: the last run failed, lastErrorCode is way_behind, a whole interval was missed, or more of its series are stale than fresh. healthy: none of these.',
    ),
    lastAttemptAt: instant('End of the last run.'),
    lastSuccessAt: instant('End of the last run that succeeded, with or without new data.'),
    lastNewDataAt: instant('End of the last run that brought new data.'),
    lastErrorAt: instant('End of the last failed run. If lastErrorCode is way_behind: the arrival of the first report that the API lacks.'),
    lastErrorCode: text(
      'way_behind: the API of the source lacks reports that its yearly file has (only cftc_legacy). payload_refused: a file could not be read. run_failed: any other failure.',
    ),
    lastErrorMessage: text('Message of the failure in lastErrorCode, without paths and secrets.'),
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
    seriesFresh: count('Of seriesTotal: the newest period is within budgetDays of /ops/liveness.'),
    seriesStale: count('Of seriesTotal: the newest period is older than budgetDays of /ops/liveness.'),
    seriesCeased: count('Of seriesTotal: the publisher stopped them.'),
    seriesUnknown: count('Of seriesTotal: without a budget, such as series of events.'),
    quarantinedOpen: count('Findings with status open.'),
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
    sourceId: z.string().describe('Source of the file.'),
    connectorId: z.string().describe('Reader of the source.'),
    ingestionRunId: z.string().describe('Run that found it.'),
    entityId: text(
      'Entity of the row. If the contract behind a name is not certain in that week (`GOLD`): the contract that the name means in other weeks. Null if asof could not tell, or for a whole file.',
    ),
    indicatorId: text(
      'Storage identifier of the indicator; null if asof could not tell, for a row that the reader refused, for company facts, or for a whole file.',
    ),
    period: text(
      "Period of the row. If pages of a publisher's answer are missing: the update day that the answer states. Null for a whole series or file.",
    ),
    rule: QuarantineRule.describe('Rule that was broken.'),
    ruleVersion: z.string().describe('Version of the rule.'),
    severity: QuarantineSeverity.describe(
      'block: a row, a series or a file was kept out (for an unlisted share split: the multiples across the split). warn: the row was written.',
    ),
    reason: z.string().describe('The problem.'),
    fieldPath: text('Field or column of the file that broke the rule, e.g. `Code`; or a part of the file, e.g. `pages of 10000`.'),
    observedValue: text(
      'Usually the value in the file. If a series waits (a `scale_jump` that blocks): the factor between its new values and the known ones, `999.999526`; null if it waits only because the other series of its file jumped. A list of tickers that waits: the companies that it lacks, `600 of 9000`. A share split: its ratio. Positions of an uncertain contract: long and short, `18589/7706`.',
    ),
    expected: JsonObject.nullable().describe(
      'The numbers that the rule compared with the file; null if there are none. Their names depend on the rule. A changed value: `inForce`, the value before. A series that waits: `knownPeriods`, the number of its periods that asof already had, and `changedPeriods`, how many of them changed by the factor. Two sources that differ: `value` of the other source. Twelve months: `sumOfQuarters`, or `recastBy`, the amounts by which a later filing restated the inputs. Revenue: `costOfRevenue` and `grossProfit`. A count of shares: `shares`, the count that the others agree on. A report of the CFTC: `lowestBefore` and `highestBefore` of the 13 reports before. A share split lies between the days `after` and `by`. `tolerance` is the difference that the rule allows.',
    ),
    rawPayloadId: text('payloadId of the archived file.'),
    status: QuarantineStatus.describe(
      'open: something is kept out. released: nothing is kept out: the finding is a warn, or you released it (the next run writes the rows), or the missing page that it reported has arrived. rejected: you rejected it. superseded: a new version of the reader has read the file again. A finding about an unreadable file is also superseded once asof has read it, or a later file of the same name.',
    ),
    detectedAt: Instant.describe('Time at which it was found.'),
    resolvedAt: instant('Time at which it was closed.'),
    resolution: text('Why it was closed: the note of the person who decided, or a sentence of the rule.'),
    observationId: text('For a warning: the observation that was written.'),
  })
  .meta({ id: 'QuarantineRecord' });
export type QuarantineRecord = z.infer<typeof QuarantineRecord>;
