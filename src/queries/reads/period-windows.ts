// For a large page in the order by period, the engine first finds where the page ends. It then need not sort all vintages of thousands of
// series to find the first ones.
import { z } from 'zod';
import { type Bound, run } from '../../db/query.ts';
import { defineRead, type filterParams } from './filters.ts';
import type { PageOf } from '../paging.ts';
import type { Snapshot } from '../snapshot.ts';

/** Smaller pages are as fast without this extra query. */
const LARGE_PAGE_ROWS = 20_000;

export const observationsPeriodsQuery = defineRead(
  'observations/periods.sql',
  { numericOnly: z.boolean(), begun: z.string().nullable(), direction: z.int(), most: z.int() },
  { row: z.strictObject({ periodEnd: z.string(), vintagesBefore: z.int() }) },
);

type Filters = { readonly [Name in keyof typeof filterParams | 'numericOnly']: Bound };
type Window = Pick<Filters, 'periodFrom' | 'periodTo'>;

/**
 * The range of periods that holds the rows of a page and one more row. Only a large page by period narrows the range of the filters.
 * @param large the fewest rows of a large page
 */
export async function windowOf(snapshot: Snapshot, filters: Filters, page: PageOf<string>, large = LARGE_PAGE_ROWS): Promise<Window> {
  const { periodFrom, periodTo } = filters;
  if (isFoundElsewhere(snapshot) || page.sort !== 'period_end' || page.limit < large) return { periodFrom, periodTo };
  const [key = null] = page.after ?? [];
  const begun = key === null ? null : String(key);
  const isAscending = page.order === 'asc';
  const left: Window = isAscending ? { periodFrom: begun ?? periodFrom, periodTo } : { periodFrom, periodTo: begun ?? periodTo };
  const direction = isAscending ? 1 : -1;
  const [found] = await run(snapshot, observationsPeriodsQuery, { ...filters, ...left, begun, direction, most: page.limit });
  if (found === undefined) return left;
  return isAscending ? { ...left, periodTo: found.periodEnd } : { ...left, periodFrom: found.periodEnd };
}

/**
 * For a first page by period: the period of its last row, and how many of its rows are in the periods before. 'none' if there are
 * fewer rows. Null if this method does not apply.
 */
export async function lastPeriodOf(
  snapshot: Snapshot,
  filters: Filters,
  { sort, order, after, limit }: PageOf<string>,
): Promise<{ readonly periodEnd: string; readonly vintagesBefore: number } | 'none' | null> {
  if (isFoundElsewhere(snapshot) || sort !== 'period_end' || after !== null) return null;
  const asked = { ...filters, begun: null, direction: order === 'asc' ? 1 : -1, most: limit - 1 };
  return (await run(snapshot, observationsPeriodsQuery, asked))[0] ?? 'none';
}

/** Another engine finds a page in its own way. */
const isFoundElsewhere = ({ engine = null }: Snapshot): boolean => engine !== null;
