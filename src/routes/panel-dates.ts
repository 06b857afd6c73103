// The moments of a panel's dates: the end of each UTC day, or an hour in a time zone.
import { Temporal } from 'temporal-polyfill';
import { endOfDay } from '../model/period.ts';

/** An hour and a zone, as in `16:00 America/New_York`. */
export const ZONED_TIME = /^((?:[01]\d|2[0-3]):[0-5]\d) ([A-Za-z][A-Za-z0-9_+\-/]*)$/;

export function isZone(zone: string): boolean {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId !== '';
  } catch {
    return false;
  }
}

/** The moment of knowledge of a date, ms. None is later than now. */
export function momentOf(date: string, at: string | undefined, now: number): number {
  const [, time = '', zone = ''] = at === undefined ? [] : (ZONED_TIME.exec(at) ?? []);
  return Math.min(at === undefined ? Date.parse(endOfDay(date)) : instantIn(date, time, zone), now);
}

/** An hour that the zone skips is the next valid moment; of an hour that comes twice, the first. */
function instantIn(date: string, time: string, zone: string): number {
  const asked = Temporal.PlainDateTime.from(`${date}T${time}`);
  const found = asked.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (found.toPlainDateTime().equals(asked)) return found.epochMilliseconds;
  // Skipped: `earlier` is the hour before the gap, so the gap ends at the next change of the offset.
  return found.getTimeZoneTransition('next')?.epochMilliseconds ?? found.epochMilliseconds;
}
