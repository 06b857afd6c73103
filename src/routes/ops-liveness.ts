import { itemRoute, parameter } from '../http/route.ts';
import { Liveness, LivenessVerdict } from '../model/series.ts';
import { livenessReport } from '../queries/series.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { text } from './observation-parameters.ts';

const query = {
  verdict: parameter(LivenessVerdict.optional().meta({ description: 'Only series of this verdict.', examples: ['frozen'] })),
  source_id: parameter(text('Only series of this source.', 'fred_md'), 'sourceId'),
};

export const opsLiveness = itemRoute<Snapshot, typeof query, Liveness>({
  path: '/ops/liveness',
  scope: 'ops:read',
  tag: 'operations',
  summary: 'Whether each series still moves: feeds that succeed without bringing a new period are frozen.',
  example: '/ops/liveness?source_id=fred&verdict=late',
  query,
  data: Liveness,
  find: ({ verdict, source_id }, { snapshot, now }) =>
    livenessReport(snapshot, { verdict: verdict ?? null, sourceId: source_id ?? null }, now),
});
