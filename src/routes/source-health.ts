import { listRoute, parameter } from '../http/route.ts';
import { SourceHealth, SourceStatus } from '../model/operations.ts';
import { FreshnessStatus, SourceTier } from '../model/trust.ts';
import { HEALTH_SORT_NAMES, listSourceHealth, sourcesHealth } from '../queries/operations.ts';
import { sortOf } from '../queries/paging.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { text } from './observation-parameters.ts';

const query = {
  source_id: parameter(text('One source.', 'fred_md'), 'sourceId'),
  status: parameter(SourceStatus.optional().meta({ description: 'Verdict on the source.', examples: ['degraded'] })),
  source_tier: parameter(
    SourceTier.optional().meta({ description: 'Provenance tier of the provider.', examples: ['central_bank'] }),
    'sourceTier',
  ),
  freshness: parameter(FreshnessStatus.optional().meta({ description: 'Freshness of its series together.', examples: ['stale'] })),
};

export const sourceHealth = listRoute<Snapshot, typeof query, SourceHealth>({
  path: '/source-health',
  scope: 'ops:read',
  tag: 'operations',
  summary: 'How each source is doing; its last success and its last new data are told apart.',
  description:
    'A run that succeeds with frozen data is the classic failure: lastSuccessAt moves, lastNewDataAt does not, and the series go stale.',
  example: '/source-health?limit=5',
  query,
  row: SourceHealth,
  sortable: HEALTH_SORT_NAMES,
  list: ({ source_id, status, source_tier, freshness }, page, { snapshot, now }) =>
    listSourceHealth(
      snapshot,
      { sourceId: source_id ?? null, status: status ?? null, sourceTier: source_tier ?? null, freshness: freshness ?? null },
      now,
      { ...page, sort: sortOf(sourcesHealth, page.sort) },
    ),
});
