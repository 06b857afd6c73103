// Describes series as FRED does: one series by its id, or the series that a search finds.
import type { z } from 'zod';
import { everyPage } from '../../client/service.ts';
import type { SeriesEntry } from '../catalogue.ts';
import { FacadeError } from '../failure.ts';
import type { Standing } from '../standing.ts';
import type { Body, Field } from './forms.ts';
import { compare, inOrder, pageOf, SERIES } from './lists.ts';
import type { ReleaseSeriesQuestion, SearchQuestion, SeriesQuestion } from './questions.ts';
import { startOf } from './real-time.ts';
import { atEndOf, type Span, spanOf } from './span.ts';
import { taggedSeries } from './tags.ts';

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

/**
 * Those of the series that answer a text: by words, as the service searches, the best first; with `series_id`, those whose id has the form
 * of the text, by title.
 */
export async function matching(
  { service, catalogue, asOf }: Standing,
  entries: readonly SeriesEntry[],
  text: string,
  type: 'full_text' | 'series_id' = 'full_text',
): Promise<readonly SeriesEntry[]> {
  if (type === 'series_id') return withId(entries, text);
  const { data } = await everyPage(service, '/indicators', { q: text, as_of: asOf });
  const wanted = new Map(entries.map((entry) => [entry.id, entry]));
  const ids = data.map(({ indicatorId }) => catalogue.get(String(indicatorId).toLowerCase())?.id ?? '');
  return [...new Set(ids)].flatMap((id) => wanted.get(id) ?? []);
}

/** An asterisk stands for any characters. */
function withId(entries: readonly SeriesEntry[], text: string): readonly SeriesEntry[] {
  const escapedText = text
    .trim()
    .toLowerCase()
    .replaceAll(/[.\\+?^${}()|[\]]/g, '\\$&');
  const pattern = new RegExp(`^${escapedText.replaceAll('*', '.*')}$`);
  return entries.filter(({ id }) => pattern.test(id.toLowerCase())).toSorted((a, b) => compare(a.title, b.title) || compare(a.id, b.id));
}

/** By rank, the best series come first. */
export async function search(now: Standing, question: z.infer<typeof SearchQuestion>): Promise<Body> {
  const span = spanOf(now, question);
  const standing = await atEndOf(span, now);
  const { search_type: type, search_text: text } = question;
  const entries = await matching(standing, await taggedSeries(standing, question), text, type);
  const found = entries.map((entry) => record(entry, span)).filter(filterOf(question));
  const key = question.order_by === 'search_rank' ? null : question.order_by === 'series_id' ? 'id' : question.order_by;
  const sorted = key === null ? found : found.toSorted((a, b) => compare(a[key], b[key]) || compare(a['id'], b['id']));
  // FRED sorts by rank in descending order.
  const sort_order = question.sort_order ?? (key === null ? 'desc' : 'asc');
  const isTurned = (sort_order === 'desc') !== (key === null);
  return pageOf(SERIES, span, { ...question, sort_order }, isTurned ? sorted.toReversed() : sorted);
}

type Listed = Omit<z.infer<typeof ReleaseSeriesQuestion>, 'release_id'>;

/** A page of series records, filtered and sorted. */
export function seriesPage(entries: readonly SeriesEntry[], span: Span, question: Listed): Body {
  const rows = entries.map((entry) => record(entry, span)).filter(filterOf(question));
  const key = question.order_by === 'series_id' ? 'id' : question.order_by;
  const sorted = rows.toSorted((a, b) => compare(a[key], b[key]) || compare(a['id'], b['id']));
  return pageOf(SERIES, span, question, inOrder(sorted, question.sort_order));
}

/** A filter of series records by one of their fields. */
function filterOf({
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
  swda: ['Seasonally and Working Day Adjusted', 'SWDA'],
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
