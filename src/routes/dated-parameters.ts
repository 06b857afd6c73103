// Bounds on the day of a dated record, together with the free tier's.
import { ApiError } from '../http/errors.ts';

/** The days between which a record may lie. A bad_request when they are reversed. */
export function daysBetween(
  query: { readonly start_date?: string | undefined; readonly end_date?: string | undefined },
  historyFrom: string | null,
): { readonly dateFrom: string | null; readonly dateTo: string | null } {
  const { start_date: from = null, end_date: to = null } = query;
  if (from !== null && to !== null && from > to) {
    throw new ApiError('bad_request', 'start_date lies after end_date.', { parameters: ['start_date', 'end_date'] });
  }
  return { dateFrom: from === null || (historyFrom !== null && historyFrom > from) ? historyFrom : from, dateTo: to };
}
