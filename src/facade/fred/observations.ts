// FRED's observations of a series: prints with their real-time periods, the days on which they came, and the CSV of a graph. It has no limit
// on vintages and gives real-time periods unclipped.
import type { z } from 'zod';
import type { SeriesEntry } from '../catalogue.ts';
import { FacadeError } from '../failure.ts';
import type { Standing } from '../standing.ts';
import type { Body, Field } from './forms.ts';
import { inOrder, pageOf } from './lists.ts';
import type { GraphQuestion, ObservationsQuestion, VintageDatesQuestion } from './questions.ts';
import { FIRST_DAY, LAST_DAY, type Print, readPrints, within } from './real-time.ts';
import { seriesOf } from './series.ts';
import { checkCome, type Span, spanOf } from './span.ts';
import { aggregated, coarserOf, frequencyOf, inUnits } from './transforms.ts';

type Asked<Question extends z.ZodType> = z.infer<Question>;

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
  if (question.frequency === 'sa' && question.units !== 'lin')
    throw new FacadeError(400, 'Bad Request. Half-yearly series have no units. Use units=lin.');
  const { frequency: asked } = question;
  const coarser = asked === undefined ? null : coarserOf(prints, entry.frequency, asked);
  if (coarser === undefined)
    throw new FacadeError(
      400,
      `Bad Request. Value of frequency is ${asked}, but ${entry.id} is ${entry.frequency}. Remove frequency or use a coarser one.`,
    );
  const values = coarser === null ? prints : aggregated(prints, entry.frequency, coarser, question.aggregation_method);
  const frequency = coarser === null ? entry.frequency : frequencyOf(coarser);
  return inUnits(values, question.units, frequency).map(({ date, value }) => ({
    realtime_start: span.start,
    realtime_end: span.end,
    date,
    value: text(value),
  }));
}

export async function graph(standing: Standing, question: Asked<typeof GraphQuestion>): Promise<string> {
  const entry = seriesOf(standing, question.id);
  const day = question.vintage_date ?? standing.today;
  checkCome('vintage_date', day, standing);
  const prints = within(await readPrints(standing.service, entry, standing.asOf), day, day);
  const lines = prints
    .filter(({ date }) => date >= question.cosd && date <= question.coed)
    .map(({ date, value }) => `${date},${text(value)}`);
  return `observation_date,${entry.id}\n${lines.join('\n')}\n`;
}

const text = (value: number | null): string => (value === null ? '.' : String(value));
