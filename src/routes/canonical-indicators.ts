import { listRoute } from '../http/route.ts';
import { CanonicalIndicator } from '../model/indicator.ts';
import { CANONICAL_SORT_NAMES, canonicalIndicatorsList, listCanonicalIndicators } from '../queries/catalogues.ts';
import { sortOf } from '../queries/paging.ts';
import type { Snapshot } from '../queries/snapshot.ts';

const query = {};

export const canonicalIndicators = listRoute<Snapshot, typeof query, CanonicalIndicator>({
  path: '/canonical-indicators',
  scope: 'data:read',
  tag: 'indicators',
  summary: 'What is measured: indicators with one meaning across countries.',
  example: '/canonical-indicators?limit=5',
  query,
  row: CanonicalIndicator,
  sortable: CANONICAL_SORT_NAMES,
  list: (_query, page, { snapshot }) => listCanonicalIndicators(snapshot, { ...page, sort: sortOf(canonicalIndicatorsList, page.sort) }),
});
