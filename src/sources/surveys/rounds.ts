// What surveys of forecasters have in common. A value is an observation of its round, never of the period that it is about, which is not over; how far
// ahead that period lies, the series says.
import { addMonths, type Period, periodOf } from '../../model/period.ts';
import { knownOn } from '../source.ts';

/** The quarter of a round: `2020`, `2`. */
export const roundOf = (year: number, quarter: number): Period =>
  periodOf('quarterly', `${year}-${String(3 * quarter).padStart(2, '0')}-01`);

/** No file states the day of a round. It is known from the end of its quarter on, or from the retrieval of a file that already holds it. */
export function knownAtEndOf({ periodEnd }: Period, retrievedAt: string): string {
  return periodEnd > retrievedAt.slice(0, 10) ? retrievedAt : knownOn(periodEnd, retrievedAt);
}

export const roundAfter = (round: Period): string => periodOf('quarterly', addMonths(round.periodStart, 3)).period;
