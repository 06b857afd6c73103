// Rows of Workspace's tables: single values only, read page by page.
import { LARGEST_PAGE, type Parameters, type ServiceClient } from '../../client/service.ts';

type Cell = string | number | boolean | null;
export type FlatRow = Readonly<Record<string, Cell>>;
type Row = Readonly<Record<string, unknown>>;

export const cell = (value: unknown): Cell =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value) ? (value as Cell) : null;

/** The single values of a row, without lists and records. */
export function flat(row: Row): FlatRow {
  return Object.fromEntries(
    Object.entries(row).filter((entry): entry is [string, Cell] => entry[1] === null || typeof entry[1] !== 'object'),
  );
}

/** The rows of a list, a page at a time. If you stop reading, it asks for no further page. */
export async function* rowsOf(service: ServiceClient, path: string, question: Parameters, wanted: number): AsyncGenerator<Row> {
  const limit = Math.min(wanted, LARGEST_PAGE);
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { data, meta }: Awaited<ReturnType<ServiceClient['page']>> = await service.page(path, { ...question, limit, cursor });
    yield* data;
    cursor = (meta['pagination'] as { readonly next_cursor: string | null }).next_cursor;
  }
}

export async function firstOf<Item>(items: AsyncIterable<Item>, count: number): Promise<readonly Item[]> {
  const found: Item[] = [];
  for await (const item of items) {
    found.push(item);
    if (found.length === count) break;
  }
  return found;
}
