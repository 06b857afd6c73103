// FRED's interface, version 1, answered from the service. It has no limit on vintages and gives real-time periods unclipped. Its clock may
// stand at an earlier day.
import type { z } from 'zod';
import type { ServiceClient } from '../client/service.ts';
import type { SeriesEntry } from './catalogue.ts';
import type { Body, Field } from './forms.ts';
import { compare, everySeries, inOrder, pageOf, SERIES, type Span } from './lists.ts';
import {
  FacadeError,
  type ObservationsQuestion,
  type SearchQuestion,
  type SeriesQuestion,
  type VintageDatesQuestion,
} from './questions.ts';
import { FIRST_DAY, LAST_DAY, type Print, readPrints, startOf, within } from './real-time.ts';
import { aggregated, COARSER, inUnits, MONTHS, type Value } from './transforms.ts';

export interface Standing {
  readonly service: ServiceClient;
  readonly catalogue: ReadonlyMap<string, SeriesEntry>;
  /** The day of the clock. Answers show what was known at its end. */
  readonly today: string;
  /** The cutoff of every question. Undefined if the clock is the service's. */
  readonly asOf: string | undefined;
  /** The same for a clock at an earlier day. */
  readonly on: (day: string) => Promise<Standing>;
  /** Rows of the United States calendar at that time, cached for a minute. */
  readonly calendar: () => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

type Asked<Question extends z.ZodType> = z.infer<Question>;

function seriesOf({ catalogue }: Standing, id: string): SeriesEntry {
  const found = catalogue.get(id.toLowerCase());
  if (found === undefined) throw new FacadeError(400, `Bad Request. The series ${id} does not exist.`);
  return found;
}

export async function series(now: Standing, question: Asked<typeof SeriesQuestion>): Promise<Body> {
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
export async function search(now: Standing, question: Asked<typeof SearchQuestion>): Promise<Body> {
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

export async function vintageDates(standing: Standing, question: Asked<typeof VintageDatesQuestion>): Promise<Body> {
  const start = question.realtime_start ?? FIRST_DAY;
  const end = question.realtime_end ?? LAST_DAY;
  const prints = await readPrints(standing.service, seriesOf(standing, question.series_id), standing.asOf);
  const days = [...new Set(prints.map(({ from }) => from))].filter((day) => day >= start && day <= end).toSorted();
  const names = { list: { json: 'vintage_dates', xml: 'vintage_dates' }, item: 'vintage_date' };
  return pageOf(names, { start, end }, { ...question, order_by: 'vintage_date' }, inOrder(days, question.sort_order));
}

export async function observations(standing: Standing, question: Asked<typeof ObservationsQuestion>): Promise<Body> {
  const entry = seriesOf(standing, question.series_id);
  const days = question.vintage_dates?.toSorted();
  const span = days === undefined ? spanOf(standing, question) : { start: days[0] ?? standing.today, end: days.at(-1) ?? standing.today };
  if (days !== undefined) checkCome('vintage_dates', span.end, standing);
  const all = await readPrints(standing.service, entry, standing.asOf);
  const told = question.output_type === 4 ? firstsOf(all) : all;
  const seen = within(told, span.start, span.end).filter(
    ({ from, to }) => days === undefined || days.some((day) => from <= day && to >= day),
  );
  const rows = rowsOf(seen, entry, question, span).filter(
    ({ date }) => date >= question.observation_start && date <= question.observation_end,
  );
  if (question.sort_order === 'desc') rows.reverse();
  return {
    list: { json: 'observations', xml: 'observations' },
    item: 'observation',
    fields: {
      realtime_start: span.start,
      realtime_end: span.end,
      observation_start: question.observation_start,
      observation_end: question.observation_end,
      units: question.units,
      output_type: question.output_type,
      file_type: question.file_type,
      order_by: 'observation_date',
      sort_order: question.sort_order,
      count: rows.length,
      offset: question.offset,
      limit: question.limit,
    },
    items: rows.slice(question.offset, question.offset + question.limit),
  };
}

type Row = Readonly<Record<string, Field>> & { readonly date: string };

/**
 * By output type: 1 each print with its real-time period, 2 one column per vintage, 3 the same with only new or revised values, 4 first
 * prints.
 */
function rowsOf(prints: readonly Print[], entry: SeriesEntry, question: Asked<typeof ObservationsQuestion>, span: Span): readonly Row[] {
  const isLevel = question.units === 'lin' && question.frequency === undefined;
  if (!isLevel) return transformed(prints, entry, question, span);
  if (question.output_type === 1 || question.output_type === 4)
    return prints.map((print) => ({ realtime_start: print.from, realtime_end: print.to, date: print.date, value: text(print.value) }));
  const days = question.vintage_dates?.toSorted() ?? vintagesOf(prints, span);
  const dates = [...new Set(prints.map(({ date }) => date))];
  if (days.length * dates.length > MOST_CELLS)
    throw new FacadeError(
      400,
      `Bad Request. output_type ${question.output_type} of ${days.length} vintages exceeds ${MOST_CELLS} cells. Narrow realtime_start and realtime_end, or use output_type 1.`,
    );
  const byDate = new Map<string, Print[]>(dates.map((date) => [date, []]));
  for (const print of prints) byDate.get(print.date)?.push(print);
  return dates.flatMap((date) => {
    const cells = days.flatMap((day): [string, Field][] => {
      const print = byDate.get(date)?.find(({ from, to }) => from <= day && to >= day);
      if (print === undefined || (question.output_type === 3 && print.from !== day)) return [];
      return [[`${entry.id}_${day.replaceAll('-', '')}`, text(print.value)]];
    });
    return cells.length === 0 ? [] : [{ date, ...Object.fromEntries(cells) }];
  });
}

const MOST_CELLS = 5_000_000;

/** The first print of each period, whether or not it was in force in the requested real time. */
function firstsOf(prints: readonly Print[]): readonly Print[] {
  const firsts = new Map<string, Print>();
  for (const print of prints) if (!firsts.has(print.date)) firsts.set(print.date, print);
  return [...firsts.values()];
}

/**
 * The vintages in the span, and the one in force on its first day. Earlier vintages are missing, because the prints of the span do not show
 * what they revised.
 */
function vintagesOf(prints: readonly Print[], { start }: Span): readonly string[] {
  const days = [...new Set(prints.map(({ from }) => from))].toSorted();
  const first = days.filter((day) => day <= start).at(-1) ?? '';
  return days.filter((day) => day >= first);
}

/** Computed from the data known on one day. For several days FRED returns one value per pair of prints. This facade refuses that. */
function transformed(prints: readonly Print[], entry: SeriesEntry, question: Asked<typeof ObservationsQuestion>, span: Span): Row[] {
  if (span.start !== span.end || question.output_type !== 1)
    throw new FacadeError(
      400,
      'Bad Request. units and frequency need the data of one day. Set realtime_start and realtime_end to the same day, and output_type to 1.',
    );
  let values: readonly Value[] = prints;
  let frequency = entry.frequency;
  if (question.frequency !== undefined) {
    const finest = MONTHS[frequency] ?? 0;
    const months = COARSER[question.frequency];
    if (months < finest) throw new FacadeError(400, `Bad Request. ${entry.id} is ${frequency}. Ask for that frequency or a coarser one.`);
    if (months > finest || finest === 0) values = aggregated(values, frequency, question.frequency, question.aggregation_method);
    if (question.frequency === 'sa' && question.units !== 'lin')
      throw new FacadeError(400, 'Bad Request. Half-yearly series have no units. Use units=lin.');
    frequency = ({ m: 'monthly', q: 'quarterly', sa: 'annual', a: 'annual' } as const)[question.frequency];
  }
  if ((question.units === 'ch1' || question.units === 'pc1') && (frequency === 'daily' || frequency === 'weekly'))
    throw new FacadeError(
      400,
      'Bad Request. Changes from a year ago do not exist for daily and weekly series. Ask for a coarser frequency.',
    );
  return inUnits(values, question.units, frequency).map(({ date, value }) => ({
    realtime_start: span.start,
    realtime_end: span.end,
    date,
    value: text(value),
  }));
}

/** Facts about series and releases are those known at the end of the requested real time. */
export async function atEndOf({ end }: Span, standing: Standing): Promise<Standing> {
  return end < standing.today ? standing.on(end) : standing;
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

function checkCome(name: string, day: string, { today }: Standing): void {
  if (day > today) throw new FacadeError(400, `Bad Request. ${name} ${day} is after ${today}, the newest day here.`);
}

/** A missing bound is today, as at FRED. */
export function spanOf(
  standing: Standing,
  {
    realtime_start: start = standing.today,
    realtime_end: end = standing.today,
  }: { readonly realtime_start?: string | undefined; readonly realtime_end?: string | undefined },
): Span {
  checkCome('realtime_start', start, standing);
  if (start > end) throw new FacadeError(400, `Bad Request. realtime_start ${start} is after realtime_end ${end}.`);
  return { start, end };
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

const text = (value: number | null): string => (value === null ? '.' : String(value));

export async function graph(
  standing: Standing,
  question: { readonly id: string; readonly cosd: string; readonly coed: string; readonly vintage_date?: string | undefined },
): Promise<string> {
  const entry = seriesOf(standing, question.id);
  const day = question.vintage_date ?? standing.today;
  checkCome('vintage_date', day, standing);
  const prints = within(await readPrints(standing.service, entry, standing.asOf), day, day);
  const lines = prints
    .filter(({ date }) => date >= question.cosd && date <= question.coed)
    .map(({ date, value }) => `${date},${text(value)}`);
  return `observation_date,${entry.id}\n${lines.join('\n')}\n`;
}
