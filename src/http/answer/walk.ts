// A list route read page after page inside one snapshot, for answers that are longer than a page of JSON.
import type { CursorKey, Page, PageRequest } from '../route.ts';

/** Rows that one question finds, and that are made at once. */
const PAGE_ROWS = 5000;
/** Rows that one question finds where they are not made at once: to find many takes the engine as long as to find a few, and some 100 bytes each here, more there. */
const FOUND_ROWS = 50_000;
/** Of those so many are made at once: fewer are gone before the collector takes them for what stays. */
const MADE_ROWS = 2000;

export interface Walk {
  readonly first: Page<unknown>;
  /** Whether the first page is all there is up to the limit, so that `end` is known before the body. */
  readonly isShort: boolean;
  readonly pages: AsyncIterable<readonly unknown[]>;
  /** Once the pages are read: the key of the last row when rows follow it, else null. */
  readonly end: () => CursorKey | null;
}

type Ask = (request: PageRequest) => Promise<Page<unknown>>;

/**
 * Reads at most `limit` rows; the first page is read at once, so that a question that fails is an ordinary error.
 * @param isInParts whether the route makes the rows of a page part by part
 */
export async function walkPages(ask: Ask, request: PageRequest, isInParts: boolean): Promise<Walk> {
  const most = isInParts ? FOUND_ROWS : PAGE_ROWS;
  const askFor = (limit: number, after: CursorKey | null) => ask({ ...request, as: 'parts', limit: Math.min(most, limit), after });
  const first = await askFor(request.limit, request.after);
  let last = first;
  async function* pages(): AsyncGenerator<readonly unknown[]> {
    let rows = first.rows.length;
    yield* partsOf(first);
    while (last.nextKey !== null && rows < request.limit) {
      last = await askFor(request.limit - rows, last.nextKey);
      rows += last.rows.length;
      yield* partsOf(last);
    }
  }
  const isShort = first.nextKey === null || first.rows.length >= request.limit;
  return { first, isShort, pages: pages(), end: () => last.nextKey };
}

async function* partsOf({ rows }: Page<unknown>): AsyncGenerator<readonly unknown[]> {
  if ('bytes' in rows) throw new TypeError('A page that was not asked for as JSON came as JSON');
  if ('parts' in rows) yield* rows.parts(MADE_ROWS);
  else yield rows;
}
