// When to ask a publisher again.
import { addDays } from '../../model/period.ts';
import { type Held, type HeldPayload, NEVER_DUE, type Request } from './feed.ts';
import { instantAt } from '../local-time.ts';

export interface Publication {
  /** In that zone's local time, `15:30`. */
  readonly time: string;
  readonly zone: string;
  /** 0 is Sunday. */
  readonly weekdays: readonly number[];
}

/** For `asof probe`: the last years of a file. If that is missing, the plan's request is sent. */
export const smallOf = (request: Request, parameter: string): Request => ({
  ...request,
  url: `${request.url}&${parameter}`,
  dueBy: NEVER_DUE,
});

export const yearBefore = (now: string): number => Number(now.slice(0, 4)) - 1;

export const WORKING_DAYS: readonly number[] = [1, 2, 3, 4, 5];

const HOUR = 3_600_000;
/** Publications may be late: until one is there it is requested in every run. */
const HOURS_OF_LOOKING = 4;

/**
 * @param publication the rule of publications, or the last one in a calendar
 *
 * Due if the last check was that many hours ago, or if a publication came after the newest content: right after it, and for some hours
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

/** A file that was never received is requested again after this many hours, not in each run. */
const HOURS_AFTER_NOTHING = 6;
/** For missing files of the past. */
const DAYS_BETWEEN_RETRIES = 7;

export interface DueRule {
  readonly everyHours: number;
  readonly publication?: Publication | string | null;
  /** Not every day has news: one check after the hour is enough. */
  readonly isOnce?: boolean;
}

/** True if the file of a key is due: as above, but one that was never received is due some hours after its last request. */
export function isKeyDue(now: string, held: Held, key: string, { everyHours, publication, isOnce = false }: DueRule): boolean {
  const newest = held.newest(key);
  if (newest === null) return isMissingDue(now, held, key, HOURS_AFTER_NOTHING);
  return isDueAfter(now, isOnce ? { ...newest, retrievedAt: newest.checkedAt } : newest, everyHours, publication);
}

/** True if a missing file is to be requested again. */
export function isMissingDue(now: string, held: Held, key: string, hours = 24 * DAYS_BETWEEN_RETRIES): boolean {
  return held.newest(key) === null && isOlderThan(now, held.askedAt(key), hours);
}

export function isOlderThan(now: string, instant: string | null, hours: number): boolean {
  return instant === null || Date.parse(now) - Date.parse(instant) >= hours * HOUR;
}

/** The last publication by the rule up to `now`, in milliseconds. */
function lastPublication(now: string, { time, zone, weekdays }: Publication): number | null {
  for (let back = -1; back <= 7; back += 1) {
    const day = addDays(now.slice(0, 10), -back);
    if (!weekdays.includes(new Date(`${day}T00:00:00Z`).getUTCDay())) continue;
    const instant = Date.parse(instantAt(day, time, zone));
    if (instant <= Date.parse(now)) return instant;
  }
  return null;
}
