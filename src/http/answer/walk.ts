// Reads a list route page by page in one snapshot, for answers longer than a page of JSON.
import type { CursorKey, Page, PageRequest } from '../route.ts';

/** Rows that become objects at once. With fewer, the garbage collector frees them before it promotes them to the old generation. */
const MADE_ROWS = 2000;
/** Share of a page that is left when the next query starts. The engine runs it while these rows are written. */
const ASKED_AHEAD = 0.5;

export interface Walk {
  readonly first: Page<unknown>;
  /** True if the first page has all rows up to the limit, so that `end` is known before the body. */
  readonly isShort: boolean;
  readonly pages: AsyncIterable<readonly unknown[]>;
  /** After the pages are read: the key of the last row if more rows follow, else null. */
  readonly end: () => CursorKey | null;
}

type Ask = (request: PageRequest) => Promise<Page<unknown>>;

/**
 * Reads at most `limit` rows. It reads the first page at once, so that a failing query is an ordinary error.
 * @param most rows of a query
 */
export async function walkPages(ask: Ask, request: PageRequest, most: number): Promise<Walk> {
  const askFor = (limit: number, after: CursorKey | null) => ask({ ...request, limit: Math.min(most, limit), after });
  const first = await askFor(request.limit, request.after);
  let last = first;
  async function* pages(): AsyncGenerator<readonly unknown[]> {
    let rows = 0;
    let next: Promise<Page<unknown>> | null = Promise.resolve(first);
    try {
      while (next !== null) {
        last = await next;
        next = null;
        rows += last.rows.length;
        const { nextKey } = last;
        const goOn = () => (nextKey === null || rows >= request.limit ? null : observed(askFor(request.limit - rows, nextKey)));
        let left = last.rows.length;
        for await (const part of partsOf(last)) {
          left -= part.length;
          if (left <= last.rows.length * ASKED_AHEAD) next ??= goOn();
          yield part;
        }
        next ??= goOn();
      }
    } finally {
      // The caller releases the snapshot next, so wait for the running query first.
      await next?.catch(() => undefined);
    }
  }
  const isShort = first.nextKey === null || first.rows.length >= request.limit;
  return { first, isShort, pages: pages(), end: () => last.nextKey };
}

/** Reports a failure when the promise is awaited, and ignores it if the reader has gone. */
function observed<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  return promise;
}

async function* partsOf({ rows }: Page<unknown>): AsyncGenerator<readonly unknown[]> {
  if ('parts' in rows) yield* rows.parts(MADE_ROWS);
  else yield rows;
}
