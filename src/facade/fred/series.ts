// Describes series as FRED does: one series by its id, or the series that a search finds.
import type { z } from 'zod';
import type { SeriesEntry } from '../catalogue.ts';
import { FacadeError } from '../failure.ts';
import type { Standing } from '../standing.ts';
import type { Body, Field } from './forms.ts';
import { compare, everySeries, pageOf, SERIES } from './lists.ts';
import type { SearchQuestion, SeriesQuestion } from './questions.ts';
import { startOf } from './real-time.ts';
import { atEndOf, type Span, spanOf } from './span.ts';

export function seriesOf({ catalogue }: Standing, id: string): SeriesEntry {
  const found = catalogue.get(id.toLowerCase());
  if (found === undefined) throw new FacadeError(400, `Bad Request. The series ${id} does not exist.`);
  return found;
}

export async function series(now: Standing, question: z.infer<typeof SeriesQuestion>): Promise<Body> {
  const span = spanOf(now, question);
  const standing = await atEndOf(span, now);
  const entry = seriesOf(standing, question.series_id);
  const { data } = await standing.service.page('/observations', {
    indicator_id: entry.indicatorId,
    source_id: entry.sourceId,
    vintage: 'all',
    as_of: standing.asOf,
    sort: 'observed_at',
    order: 'desc',
    limit: 1,
  });
  const [{ observedAt: updated } = { observedAt: '' }] = data as unknown as readonly { readonly observedAt: string }[];
  return {
    list: { json: 'seriess', xml: 'seriess' },
    item: 'series',
    fields: { realtime_start: span.start, realtime_end: span.end },
    items: [{ ...record(entry, span), last_updated: `${updated.slice(0, 10)} ${updated.slice(11, 19)}+00` }],
  };
}

/** Finds series whose id, title or notes contain every word. By rank, series whose id is one of the words come first; then by title. */
export async function search(now: Standing, question: z.infer<typeof SearchQuestion>): Promise<Body> {
  const span = spanOf(now, question);
  const standing = await atEndOf(span, now);
  const isWanted = filterOf(question);
  const words = question.search_text.toLowerCase().split(/\s+/).filter(Boolean);
  const pattern = new RegExp(
    `^${words
      .join(' ')
      .replaceAll(/[.\\+?^${}()|[\]]/g, '\\$&')
      .replaceAll('*', '.*')}$`,
  );
  const found = everySeries(standing.catalogue)
    .filter((entry) =>
      question.search_type === 'series_id'
        ? pattern.test(entry.id.toLowerCase())
        : words.every((word) => `${entry.id} ${entry.indicatorId} ${entry.title} ${entry.notes}`.toLowerCase().includes(word)),
    )
    .map((entry) => record(entry, span))
    .filter(isWanted);
  const key = question.order_by === 'search_rank' ? null : question.order_by === 'series_id' ? 'id' : question.order_by;
  const rank = (row: Readonly<Record<string, Field>>) =>
    key === null ? `${words.includes(String(row['id']).toLowerCase()) ? 0 : 1}${row['title']}` : String(row[key]);
  const sorted = found.toSorted((a, b) => compare(rank(a), rank(b)) || compare(a['id'], b['id']));
  // FRED sorts by rank in descending order.
  const sort_order = question.sort_order ?? (key === null ? 'desc' : 'asc');
  const isTurned = (sort_order === 'desc') !== (key === null);
  return pageOf(SERIES, span, { ...question, sort_order }, isTurned ? sorted.toReversed() : sorted);
}

/** A filter of series records by one of their fields. */
export function filterOf({
  filter_variable: variable,
  filter_value: value,
}: {
  readonly filter_variable?: string | undefined;
  readonly filter_value?: string | undefined;
}): (row: Readonly<Record<string, Field>>) => boolean {
  if ((variable === undefined) !== (value === undefined))
    throw new FacadeError(400, 'Bad Request. Set filter_variable and filter_value together.');
  return (row) => variable === undefined || row[variable] === value;
}

const NAMES = {
  daily: ['Daily', 'D'],
  weekly: ['Weekly', 'W'],
  monthly: ['Monthly', 'M'],
  quarterly: ['Quarterly', 'Q'],
  annual: ['Annual', 'A'],
} as const;
const ADJUSTMENTS: Readonly<Record<string, readonly [string, string]>> = {
  sa: ['Seasonally Adjusted', 'SA'],
  saar: ['Seasonally Adjusted Annual Rate', 'SAAR'],
};

/** FRED's record of a series. popularity is missing, because the service has no such data. */
export function record(entry: SeriesEntry, span: Span): Readonly<Record<string, Field>> {
  const [frequency, short] = NAMES[entry.frequency];
  const [adjustment, adjustmentShort] = ADJUSTMENTS[entry.seasonalAdjustment] ?? ['Not Seasonally Adjusted', 'NSA'];
  return {
    id: entry.id,
    realtime_start: span.start,
    realtime_end: span.end,
    title: entry.title,
    observation_start: startOf(entry.firstPeriodEnd, entry.frequency),
    observation_end: startOf(entry.latestPeriodEnd, entry.frequency),
    frequency,
    frequency_short: short,
    units: entry.unit,
    units_short: entry.unit,
    seasonal_adjustment: adjustment,
    seasonal_adjustment_short: adjustmentShort,
    notes: entry.notes,
  };
}
