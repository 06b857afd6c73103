import { itemRoute } from '../http/route.ts';
import { Coverage } from '../model/availability.ts';
import { coverageOf } from '../queries/availability.ts';
import type { Snapshot } from '../queries/snapshot.ts';

const query = {};

const at = (path: string) =>
  itemRoute<Snapshot, typeof query, Coverage>({
    path,
    scope: 'data:read',
    tag: 'indicators',
    summary: 'Breadth of what may be redistributed: totals, categories of indicators, countries.',
    example: path,
    query,
    data: Coverage,
    find: (_query, { snapshot }) => Promise.resolve(coverageOf(snapshot)),
  });

export const publicCoverage = at('/public/coverage');
export const coverage = at('/coverage');
