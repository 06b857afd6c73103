// The state of the service itself: files, snapshot, sources, quarantine, liveness.
import { createHash } from 'node:crypto';
import { ApiError } from '../http/errors.ts';
import { type Context, itemRoute, listRoute, NO_PARAMETERS, type PageRequest, parameter } from '../http/route.ts';
import { Manifest } from '../model/manifest.ts';
import { QuarantineRecord, QuarantineRule, QuarantineSeverity, QuarantineStatus, SourceHealth, SourceStatus } from '../model/operations.ts';
import { Liveness, LivenessVerdict } from '../model/series.ts';
import { SnapshotReport } from '../model/snapshot.ts';
import { FreshnessStatus, SourceTier } from '../model/trust.ts';
import { entityIdsOf } from '../queries/entities.ts';
import { listQuarantine, listSourceHealth, quarantineList, sourcesHealth } from '../queries/operations.ts';
import { hintsOf, olderRecordsHint } from '../queries/hints/hints.ts';
import { sortOf } from '../queries/paging.ts';
import { livenessReport } from '../queries/series.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { emptyHints } from './hints.ts';
import { observationsChanges } from './observations.ts';
import { moment, text } from './parameters.ts';

export const manifestRoute = itemRoute<Snapshot, typeof NO_PARAMETERS, Manifest>({
  path: '/manifest',
  operation: 'getManifest',
  scope: 'ops:read',
  tag: 'operations',
  summary: 'Every file of the snapshot with hash, rows and schema, in Frictionless Data Package terms.',
  example: '/manifest',
  query: NO_PARAMETERS,
  data: Manifest,
  find: async (_query, context) => context.snapshot.manifest,
});

/** Sorts after every observation of the same sequence. */
const LAST_ID = String(2n ** 64n - 1n);

export const snapshotRoute = itemRoute<Snapshot, typeof NO_PARAMETERS, SnapshotReport>({
  path: '/snapshot',
  operation: 'getSnapshot',
  scope: 'ops:read',
  tag: 'operations',
  summary: 'The current snapshot: its knowledge cutoff, row counts and hashes.',
  example: '/snapshot',
  query: NO_PARAMETERS,
  data: SnapshotReport,
  find: async (_query, context) => {
    const { manifest } = context.snapshot;
    return {
      snapshotId: manifest.snapshotId,
      generatedAt: manifest.created,
      knowledgeCutoff: manifest.knowledgeCutoff,
      schemaVersion: manifest.schemaVersion,
      previousSnapshotId: manifest.previousSnapshotId,
      contentHash: manifest.contentHash,
      counts: manifest.counts,
      tables: tablesOf(manifest),
      changesCursor: context.resumeCursor(observationsChanges.path, [manifest.lastChangeSequence, LAST_ID]),
      manifestUrl: '/manifest',
    };
  },
});

function tablesOf(manifest: Manifest): SnapshotReport['tables'] {
  const names = [...new Set(manifest.resources.map((resource) => resource.table))];
  return names.map((name) => {
    const parts = manifest.resources.filter((resource) => resource.table === name);
    return {
      name,
      rowCount: parts.reduce((sum, part) => sum + part.rowCount, 0),
      bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
      partitions: parts.length,
      maxObservedAt:
        parts
          .map((part) => part.maxObservedAt)
          .filter((instant) => instant !== null)
          .sort()
          .at(-1) ?? null,
      hash: `sha256:${createHash('sha256')
        .update(parts.map((part) => part.hash).join('\n'))
        .digest('hex')}`,
    };
  });
}

const sourceHealthQuery = {
  source_id: parameter(text('One source.', 'fred_md'), 'sourceId'),
  status: parameter(SourceStatus.optional().meta({ description: 'Verdict on the source.', examples: ['degraded'] })),
  source_tier: parameter(
    SourceTier.optional().meta({ description: 'Kind of institution that the provider is.', examples: ['central_bank'] }),
    'sourceTier',
  ),
  freshness: parameter(FreshnessStatus.optional().meta({ description: 'Freshness of its series together.', examples: ['stale'] })),
};

export const sourceHealth = listRoute<Snapshot, typeof sourceHealthQuery, SourceHealth>({
  path: '/source-health',
  operation: 'listSourceHealth',
  scope: 'ops:read',
  tag: 'operations',
  summary: 'The state of each source: its last success and its last new data.',
  description: 'Watch for runs that succeed with frozen data: lastSuccessAt moves, lastNewDataAt does not, and the series go stale.',
  example: '/source-health?limit=5',
  query: sourceHealthQuery,
  row: SourceHealth,
  sortable: sourcesHealth.sorts,
  list: async ({ source_id, status, source_tier, freshness }, page, { snapshot, now }) => {
    const found = await listSourceHealth(
      snapshot,
      { sourceId: source_id ?? null, status: status ?? null, sourceTier: source_tier ?? null, freshness: freshness ?? null },
      now,
      { ...page, sort: sortOf(sourcesHealth, page.sort) },
    );
    return {
      ...found,
      meta: await hintsOn(found.rows, page, { source_id }, { snapshot, now }),
    };
  },
});

const quarantineQuery = {
  source_id: parameter(text('Source of the payload.', 'fred_md'), 'sourceId'),
  indicator_id: parameter(text('Storage identifier of the indicator.', 'us_initial_jobless_claims'), 'indicatorId'),
  entity_id: parameter(text('Entity of the row.', 'us'), 'entityId'),
  rule: parameter(QuarantineRule.optional().meta({ description: 'Rule that was broken.', examples: ['scale_jump'] })),
  severity: parameter(
    QuarantineSeverity.optional().meta({
      description:
        'block: a row, a series or a file was kept out (for an unlisted share split: the multiples across the split). warn: the row was written.',
      examples: ['block'],
    }),
  ),
  status: parameter(QuarantineStatus.optional().meta({ description: 'State of the finding.', examples: ['open'] })),
  detected_from: parameter(moment('begin', 'Found at or after this moment.'), 'detectedFrom'),
  detected_to: parameter(moment('end', 'Found at or before this moment.'), 'detectedTo'),
};

export const quarantine = listRoute<Snapshot, typeof quarantineQuery, QuarantineRecord>({
  path: '/quarantine',
  operation: 'listQuarantine',
  scope: 'ops:read',
  tag: 'operations',
  summary: 'Rows and payloads that were refused, or written with a warning, each with rule and reason.',
  example: '/quarantine?severity=block&limit=5',
  query: quarantineQuery,
  row: QuarantineRecord,
  sortable: quarantineList.sorts,
  isHistory: true,
  list: async (
    { source_id, indicator_id, entity_id, rule, severity, status, detected_from, detected_to },
    page,
    { snapshot, now, historyFrom },
  ) => {
    if (detected_from !== undefined && detected_to !== undefined && detected_from > detected_to)
      throw new ApiError('bad_request', 'detected_from is after detected_to. Swap them.', { parameters: ['detected_from', 'detected_to'] });
    const filters = {
      sourceId: source_id ?? null,
      indicatorId: indicator_id?.toLowerCase() ?? null,
      entityId:
        entity_id === undefined
          ? null
          : (await entityIdsOf(snapshot, [entity_id], new Date(now).toISOString()))[0] || entity_id.toLowerCase(),
      rule: rule ?? null,
      severity: severity ?? null,
      status: status ?? null,
      detectedFrom: detected_from ?? null,
      detectedTo: detected_to ?? null,
      historyFrom,
    };
    const found = await listQuarantine(snapshot, filters, { ...page, sort: sortOf(quarantineList, page.sort) });
    return {
      ...found,
      meta: await hintsOn(found.rows, page, { source_id, indicator_id, entity_id: filters.entityId }, { snapshot, now, historyFrom }),
    };
  },
});

/** The names that keys of operations can see. */
const NAMED = {
  source_id: ['source', 'anySource'],
  indicator_id: ['indicator', 'storageIndicator'],
  entity_id: ['entity with series', 'seriesEntity'],
} as const;

async function hintsOn(
  rows: { readonly length: number },
  page: Pick<PageRequest, 'after'>,
  named: { readonly [Name in keyof typeof NAMED]?: string | null | undefined },
  { snapshot, now, historyFrom = null }: Pick<Context<Snapshot>, 'snapshot' | 'now'> & { readonly historyFrom?: string | null },
) {
  const own = Object.entries(NAMED).map(([name, [what, kind]]) => {
    return { parameter: name, what, kind, sent: named[name as keyof typeof NAMED] ?? undefined };
  });
  const hints = await emptyHints(rows, page, { snapshot, named: {}, own, series: [], asOf: null, at: now });
  return hintsOf(...(hints.length > 0 ? hints : [olderRecordsHint(historyFrom, rows)]));
}

const opsLivenessQuery = {
  verdict: parameter(LivenessVerdict.optional().meta({ description: 'Only series of this verdict.', examples: ['late'] })),
  source_id: parameter(text('Only series of this source.', 'fred_md'), 'sourceId'),
};

export const opsLiveness = itemRoute<Snapshot, typeof opsLivenessQuery, Liveness>({
  path: '/ops/liveness',
  operation: 'getLiveness',
  scope: 'ops:read',
  tag: 'operations',
  summary: 'Liveness of each series. A feed that succeeds without new periods is frozen.',
  example: '/ops/liveness?source_id=fred&verdict=late',
  description: 'Worst verdicts first: frozen, late, unknown, live, ceased. The summary counts all series, whichever page is asked for.',
  query: opsLivenessQuery,
  data: Liveness,
  isPaged: true,
  find: async ({ verdict, source_id }, { snapshot, now }, _path, page) => {
    const report = await livenessReport(snapshot, { verdict: verdict ?? null, sourceId: source_id ?? null }, now, page);
    page.say?.(await hintsOn(report.series, page, { source_id }, { snapshot, now }));
    return report;
  },
});
