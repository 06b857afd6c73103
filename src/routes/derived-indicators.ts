import { listRoute, parameter } from '../http/route.ts';
import { Availability, DerivedIndicatorEntry } from '../model/derived.ts';
import { DERIVED_INDICATOR_SORTS, derivedIndicatorsList, listDerivedIndicators } from '../queries/derived.ts';
import { sortOf } from '../queries/paging.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { text } from './observation-parameters.ts';

const query = {
  family: parameter(text('Family of methods.', 'macro_transform')),
  availability: parameter(Availability.optional().meta({ description: 'Whether values are shown.', examples: ['public'] })),
};

export const derivedIndicators = listRoute<Snapshot, typeof query, DerivedIndicatorEntry>({
  path: '/derived-indicators',
  scope: 'data:read',
  tag: 'derived',
  summary: 'What this service computes, from which inputs, and whether the values may be shown.',
  example: '/derived-indicators?limit=5',
  query,
  row: DerivedIndicatorEntry,
  sortable: DERIVED_INDICATOR_SORTS,
  list: ({ family, availability }, page, { snapshot }) =>
    listDerivedIndicators(
      snapshot,
      { family: family ?? null, isRedistributable: availability === undefined ? null : availability === 'public' },
      { ...page, sort: sortOf(derivedIndicatorsList, page.sort) },
    ),
});
