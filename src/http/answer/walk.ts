// A list route read page after page inside one snapshot, for answers that are longer than a page of JSON.
import type { CursorKey, Page, PageRequest } from '../route.ts';

const PAGE_ROWS = 5000;

export interface Walk {
  readonly first: Page<unknown>;
  /** Whether the first page is all there is up to the limit, so that `end` is known before the body. */
  readonly isShort: boolean;
  readonly pages: AsyncIterable<readonly unknown[]>;
  /** Once the pages are read: the key of the last row when rows follow it, else null. */
  readonly end: () => CursorKey | null;
}

type Ask = (request: PageRequest) => Promise<Page<unknown>>;

/** Reads at most `limit` rows; the first page is read at once, so that a question that fails is an ordinary error. */
export async function walkPages(ask: Ask, request: PageRequest): Promise<Walk> {
  const first = await ask({ ...request, limit: Math.min(PAGE_ROWS, request.limit) });
  let last = first;
  async function* pages(): AsyncGenerator<readonly unknown[]> {
    let rows = first.rows.length;
    yield rowsOf(first);
    while (last.nextKey !== null && rows < request.limit) {
      last = await ask({ ...request, limit: Math.min(PAGE_ROWS, request.limit - rows), after: last.nextKey });
      rows += last.rows.length;
      yield rowsOf(last);
    }
  }
  const isShort = first.nextKey === null || first.rows.length >= request.limit;
  return { first, isShort, pages: pages(), end: () => last.nextKey };
}

function rowsOf({ rows }: Page<unknown>): readonly unknown[] {
  if ('json' in rows) throw new TypeError('A page that was not asked for as JSON came as JSON');
  return rows;
}
