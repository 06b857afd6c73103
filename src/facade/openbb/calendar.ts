// The calendar in a time zone: each time as a clock there shows it, and the days of that zone.
import { z } from 'zod';
import type { ServiceClient } from '../../client/service.ts';
import { cell, firstOf, flat, type FlatRow, rowsOf } from './rows.ts';

/** Offsets such as +02:00 have no summer time, so they are refused. */
export const TimeZone = z.string().refine((name) => /^[A-Za-z]/.test(name) && isTimeZone(name), {
  error: 'is not an IANA time zone, such as America/New_York',
});

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The newest entries first. `start_date` and `end_date` are days of the time zone. */
export async function calendar(
  service: ServiceClient,
  { timezone = 'UTC', start_date: start, end_date: end, limit, ...given }: Readonly<Record<string, string | undefined>>,
): Promise<readonly FlatRow[]> {
  const count = Number(limit);
  const local = localTimeIn(timezone);
  // The service has days of UTC: one on each side has all the hours of any zone.
  const days = timezone === 'UTC' ? [start, end] : [start && dayBeside(start, -1), end && dayBeside(end, 1)];
  const question = { ...given, start_date: days[0], end_date: days[1], sort: 'scheduled_at', order: 'desc' };
  async function* inZone(): AsyncGenerator<FlatRow> {
    for await (const row of rowsOf(service, '/economic-calendar', question, count)) {
      const scheduledLocal = row['timePrecision'] === 'exact' ? local(String(row['scheduledAt'])) : String(row['scheduledAt']).slice(0, 10);
      const day = scheduledLocal.slice(0, 10);
      if ((start === undefined || day >= start) && (end === undefined || day <= end))
        yield { ...flat(row), scheduledLocal: cell(scheduledLocal) };
    }
  }
  return firstOf(inZone(), count);
}

const dayBeside = (day: string, days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** `2026-12-04 08:30`. */
function localTimeIn(timeZone: string): (instant: string) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return (instant) => format.format(new Date(instant));
}
