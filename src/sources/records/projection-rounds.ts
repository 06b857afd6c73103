// Shared by rounds of projections and vintages of archives: periods from numbers of years and quarters, and the knowledge time of an edition without a day.
import { periodOf } from '../../model/period.ts';

export const yearOf = (year: string) => periodOf('annual', `${year}-12-31`);

/** The end of the last day by which it was known; an earlier retrieval counts if its month had begun. */
export function knownByEndOf(day: string, retrievedAt: string): string {
  const end = `${day}T23:59:59.999Z`;
  return retrievedAt < end && retrievedAt.slice(0, 7) >= day.slice(0, 7) ? retrievedAt : end;
}
