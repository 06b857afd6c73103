// Lists, page by page, from the one snapshot of their cursor.
import { AsofError } from './errors.ts';

export interface Hint {
  readonly parameter: string;
  readonly message: string;
  readonly nearest?: string;
}

export interface AnyPage {
  readonly data: readonly unknown[];
  readonly meta: {
    readonly pagination: { readonly has_more: boolean; readonly next_cursor: string | null };
    readonly as_of?: string | null;
    readonly history_limited?: boolean;
    readonly hints?: readonly Hint[];
  };
  readonly requestId: string;
}

export type RowOf<P extends AnyPage> = P['data'][number];

/** A list that was read to its end. */
export interface Whole<P extends AnyPage> {
  readonly rows: readonly RowOf<P>[];
  /** The applied knowledge cutoff; null without one: the newest data. */
  readonly asOf: string | null;
  /** True if the key sees only part of the history. */
  readonly historyLimited: boolean;
  /** The reasons for missing rows. */
  readonly hints: readonly Hint[];
  readonly requestIds: readonly string[];
}

export interface Rows<P extends AnyPage> extends AsyncIterable<RowOf<P>> {
  /** All of them. */
  readonly all: () => Promise<Whole<P>>;
}

/**
 * Every page from the cursor `start`, or from the beginning, fetched on demand. Throws an AsofError: a refusal of the service, a CursorExpiredError if
 * the snapshot was deleted during the walk, and `unreadable` if pages do not fit together.
 */
export async function* pagesOf<P extends AnyPage>(
  ask: (cursor: string | undefined) => Promise<P>,
  start?: string,
): AsyncGenerator<P, void, undefined> {
  let cursor = start;
  let first: P | undefined;
  for (;;) {
    const page = await ask(cursor);
    first ??= page;
    if (page.meta.as_of !== first.meta.as_of) throw unfit('a page is as of another moment than the first');
    yield page;
    const { has_more: hasMore, next_cursor: next } = page.meta.pagination;
    if (!hasMore) return;
    if (next === null || next === cursor) throw unfit('more rows are said to follow, without a cursor to them');
    cursor = next;
  }
}

/** Every row of the pages, which each walk fetches again. */
export function rowsOf<P extends AnyPage>(pages: () => AsyncIterable<P>): Rows<P> {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page.data;
    },
    all: async () => {
      const read: P[] = [];
      for await (const page of pages()) read.push(page);
      return {
        rows: read.flatMap(({ data }) => data),
        asOf: read[0]?.meta.as_of ?? null,
        historyLimited: read.some(({ meta }) => meta.history_limited === true),
        hints: read[0]?.meta.hints ?? [],
        requestIds: read.map(({ requestId }) => requestId),
      };
    },
  };
}

/**
 * An answer with its as-of: the applied cutoff, for a single record the requested one, null without one. Throws an AsofError if a list was
 * requested as of a day and reports no cutoff, because its rows may be current.
 */
export function withAsOf<A extends object>(
  answer: A,
  { as_of: dashed, asOf = dashed }: { readonly as_of?: unknown; readonly asOf?: unknown },
): A & { readonly asOf: string | null } {
  const { meta } = answer as Partial<AnyPage>;
  const asked = typeof asOf === 'string' ? asOf : null;
  const applied = meta?.as_of ?? null;
  if (meta?.pagination !== undefined && asked !== null && applied === null) throw unfit('it does not say the as-of that was asked for');
  return { ...answer, asOf: applied ?? asked };
}

function unfit(what: string): AsofError {
  return new AsofError(`The list cannot be read whole: ${what}.`, { code: 'unreadable', status: 200 });
}
