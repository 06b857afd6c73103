// A list route read page after page inside one snapshot, for answers that are longer than a page of JSON.
import type { CursorKey, Page, PageRequest } from '../route.ts';

/** Rows that one question finds, and that are made at once. */
const PAGE_ROWS = 5000;
/** Rows that one question finds where they are not made at once: to find many takes the engine as long as to find a few, and some 100 bytes each here, more there. */
const FOUND_ROWS = 50_000;
/** Of those so many are made at once: fewer are gone before the collector takes them for what stays. */
const MADE_ROWS = 2000;
/** What is left of a page when the next one is asked for: the engine finds it while these rows are made. */
const ASKED_AHEAD = 0.5;

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
      // Whoever goes takes the snapshot along: a question that is under way ends first.
      await next?.catch(() => undefined);
    }
  }
  const isShort = first.nextKey === null || first.rows.length >= request.limit;
  return { first, isShort, pages: pages(), end: () => last.nextKey };
}

/** A failure counts once it is waited for, and is nobody's where the reader has gone. */
function observed<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined);
  return promise;
}

async function* partsOf({ rows }: Page<unknown>): AsyncGenerator<readonly unknown[]> {
  if ('bytes' in rows) throw new TypeError('A page that was not asked for as JSON came as JSON');
  if ('parts' in rows) yield* rows.parts(MADE_ROWS);
  else yield rows;
}
