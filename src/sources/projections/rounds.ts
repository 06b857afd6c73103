// What rounds of projections and vintages of archives have in common: periods from the numbers of years and quarters, and when an edition without a day was known.
import { periodOf } from '../../model/period.ts';

export const yearOf = (year: string) => periodOf('annual', `${year}-12-31`);

/** The end of the last day by which it was known; in hand before, in a month that had begun, is in hand. */
export function knownByEndOf(day: string, retrievedAt: string): string {
  const end = `${day}T23:59:59.999Z`;
  return retrievedAt < end && retrievedAt.slice(0, 7) >= day.slice(0, 7) ? retrievedAt : end;
}
