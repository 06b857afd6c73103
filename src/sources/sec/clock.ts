// The clock of EDGAR, which is New York's, and the dissemination of filings.
import { instantAt } from '../local-time.ts';

const NEW_YORK = 'America/New_York';
const CLOCK = new Intl.DateTimeFormat('sv-SE', { timeZone: NEW_YORK, dateStyle: 'short', timeStyle: 'medium' });

/** `2026-02-25 16:42:19` for an instant. */
export const newYorkClock = (instant: string): string => CLOCK.format(new Date(instant));

/** The instant of a time in New York: its first ten characters are the day, those from the twelfth the time. */
export const asNewYork = (time: string): string => instantAt(time.slice(0, 10), time.slice(11, 19), NEW_YORK);

// Form types that EDGAR disseminates until 22:00, with their amendments: Regulation S-T, rule 13(a)(4).
const SAME_EVENING = /^(?:3|4|5|144|SC(?:HEDULE)? 13[DG])(?:\/A)?$/;

/**
 * A filing sent after 17:30 New York time is accepted at once, dated the next business day and disseminated from 06:00 of that day.
 * A file that has it earlier proves that it was public.
 */
export function disseminatedAt(acceptedAt: string, filed: string, form: string, retrievedAt: string): string {
  if (filed <= newYorkClock(acceptedAt).slice(0, 10) || SAME_EVENING.test(form)) return acceptedAt;
  const morning = instantAt(filed, '06:00', NEW_YORK);
  return acceptedAt <= retrievedAt && retrievedAt < morning ? retrievedAt : morning;
}

const MINUTE = 60_000;

/** The range of an acceptance time with minutes only, rounded or cut; a time with seconds is exact. */
export function acceptedWithin(time: string): { readonly first: string; readonly last: string } {
  const first = asNewYork(time);
  const isExact = time.slice(17, 19) !== '00';
  return { first, last: isExact ? first : new Date(Date.parse(first) + MINUTE - 1).toISOString() };
}
