// FRED's lists: one page with the facts of the whole list, and each series of the catalogue once.
import type { SeriesEntry } from '../catalogue.ts';
import type { Body, Field } from './forms.ts';
import type { Span } from './span.ts';

interface Asked {
  readonly order_by: string;
  readonly sort_order: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}

export const SERIES = { list: { json: 'seriess', xml: 'seriess' }, item: 'series' } as const;

/** @param items all items, in the requested order */
export function pageOf(
  names: Pick<Body, 'list' | 'item' | 'textOf'>,
  span: Span,
  { order_by, sort_order, offset, limit }: Asked,
  items: Body['items'],
  more: Readonly<Record<string, Field>> = {},
): Body {
  return {
    ...names,
    fields: { realtime_start: span.start, realtime_end: span.end, ...more, order_by, sort_order, count: items.length, offset, limit },
    items: items.slice(offset, offset + limit),
  };
}

/** Each series once, under the id that a search returns. */
export function everySeries(catalogue: ReadonlyMap<string, SeriesEntry>): readonly SeriesEntry[] {
  return [...new Map([...catalogue].filter(([key]) => !key.includes('@')).map(([, entry]) => [entry.id, entry])).values()];
}

/** By code units, not by language. */
export function compare(a: Field | undefined, b: Field | undefined): number {
  const [one, other] = [String(a), String(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}

export function inOrder<Item>(ascending: readonly Item[], order: Asked['sort_order']): readonly Item[] {
  return order === 'desc' ? ascending.toReversed() : ascending;
}
