// Prints with the days in which they were the newest known: FRED's real-time periods. Days are in UTC, as for `as_of`.
import { LARGEST_BULK_PAGE, type ServiceClient } from '../../client/service.ts';
import type { Frequency, SeriesEntry } from '../catalogue.ts';
import { FacadeError } from '../failure.ts';
import { MONTHS } from './transforms.ts';

export interface Print {
  /** The first day of the period. For a week, its last day. */
  readonly date: string;
  readonly value: number | null;
  /** First and last day at whose end this print was the newest known. */
  readonly from: string;
  readonly to: string;
}

export const FIRST_DAY = '1776-07-04';
export const LAST_DAY = '9999-12-31';

/** Every print of a series known at `asOf`, by period, then by day. A day has one print, so the last of several on a day counts. */
export async function readPrints(service: ServiceClient, series: SeriesEntry, asOf: string | undefined): Promise<readonly Print[]> {
  const { rows, hasMore } = await service.rows('/observations', {
    indicator_id: series.indicatorId,
    source_id: series.sourceId,
    vintage: 'all',
    as_of: asOf,
    sort: 'period_end',
    limit: LARGEST_BULK_PAGE,
    columns: 'period_end,actual,observed_at',
  });
  const prints: Print[] = [];
  for await (const row of rows) {
    const { periodEnd, actual, observedAt } = row as { periodEnd: string; actual: number | null; observedAt: string };
    const date = startOf(periodEnd, series.frequency);
    const from = observedAt.slice(0, 10);
    const last = prints.at(-1);
    if (last?.date === date) {
      prints.pop();
      if (last.from < from) prints.push({ ...last, to: dayBefore(from) });
    }
    prints.push({ date, value: actual, from, to: LAST_DAY });
  }
  if (hasMore)
    throw new FacadeError(
      400,
      `Bad Request. ${series.id} has more than ${LARGEST_BULK_PAGE} prints, the limit of one answer. Ask for fewer observations or a shorter real-time period.`,
    );
  return prints;
}

/** The prints that were the newest on some day of a span. Their own days are not clipped to it. */
export function within(prints: readonly Print[], start: string, end: string): readonly Print[] {
  return prints.filter(({ from, to }) => from <= end && to >= start);
}

/** FRED names a period by its first day, and a week by its last. */
export function startOf(periodEnd: string, frequency: Frequency): string {
  const months = MONTHS[frequency];
  if (months === null) return periodEnd;
  const first = Number(periodEnd.slice(5, 7)) - months + 1;
  return `${periodEnd.slice(0, 4)}-${String(first).padStart(2, '0')}-01`;
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}
