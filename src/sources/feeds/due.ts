// When it is worth asking a publisher again.
import { addDays } from '../../model/period.ts';
import type { HeldPayload } from './feed.ts';
import { instantAt } from '../local-time.ts';

export interface Publication {
  /** On the clocks of that zone, `15:30`. */
  readonly time: string;
  readonly zone: string;
  /** 0 is Sunday. */
  readonly weekdays: readonly number[];
}

export const WORKING_DAYS: readonly number[] = [1, 2, 3, 4, 5];

const HOUR = 3_600_000;
/** Publications come late: until something new is there they are looked for at every tick. */
const HOURS_OF_LOOKING = 4;

/**
 * @param publication the rule of publications, or when a calendar had the last one
 *
 * Due when the last check lies that many hours back, or a publication fell after the newest content came in: right after it, and for some hours on
 * until it is there.
 */
export function isDueAfter(now: string, held: HeldPayload | null, everyHours: number, publication?: Publication | string | null): boolean {
  if (held === null) return true;
  const [at, checked, newest] = [now, held.checkedAt, held.retrievedAt].map((instant) => Date.parse(instant)) as [number, number, number];
  if (at - checked >= everyHours * HOUR) return true;
  const published =
    typeof publication === 'string' ? Date.parse(publication) : publication == null ? null : lastPublication(now, publication);
  if (published === null || newest >= published) return false;
  return checked < published || at - published <= HOURS_OF_LOOKING * HOUR;
}

/** The last publication by the rule that is not after `now`, in milliseconds. */
function lastPublication(now: string, { time, zone, weekdays }: Publication): number | null {
  for (let back = -1; back <= 7; back += 1) {
    const day = addDays(now.slice(0, 10), -back);
    if (!weekdays.includes(new Date(`${day}T00:00:00Z`).getUTCDay())) continue;
    const instant = Date.parse(instantAt(day, time, zone));
    if (instant <= Date.parse(now)) return instant;
  }
  return null;
}
