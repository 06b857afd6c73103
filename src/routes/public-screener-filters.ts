import { listRoute } from '../http/route.ts';
import { ScreenField } from '../model/screener.ts';
import { describeFields } from '../queries/screener-fields.ts';
import type { Snapshot } from '../queries/snapshot.ts';

const query = {};

export const publicScreenerFilters = listRoute<Snapshot, typeof query, ScreenField>({
  path: '/public/screener/filters',
  scope: 'data:read',
  tag: 'screener',
  summary: 'The fields of the screener that have values, and how these are spread now.',
  description:
    'Spread and coverage are between countries or companies where the field is theirs, whether or not a value is fresh and eligible.',
  example: '/public/screener/filters?limit=5',
  query,
  row: ScreenField,
  sortable: ['field', 'coverage_count'],
  isHistory: true,
  list: async (_query, page, { snapshot, now, historyFrom }) => {
    const fields = await describeFields(snapshot, now, historyFrom);
    const sorted = page.sort === 'field' ? fields : fields.toSorted((a, b) => a.coverageCount - b.coverageCount);
    const ordered = page.order === 'desc' ? sorted.toReversed() : sorted;
    const begin = Number(page.after?.[0] ?? 0);
    const end = begin + page.limit;
    return { rows: ordered.slice(begin, end), nextKey: end < ordered.length ? [end] : null };
  },
});
