// Shared by surveys of forecasters. A value is an observation of its round, never of its target period, which is not over; the series states how far
// ahead that period is.
import { addMonths, type Period, periodOf } from '../../model/period.ts';
import { knownOn } from '../source.ts';

/** The quarter of a round: `2020`, `2`. */
export const roundOf = (year: number, quarter: number): Period =>
  periodOf('quarterly', `${year}-${String(3 * quarter).padStart(2, '0')}-01`);

/** No file states the day of a round. It is known from the end of its quarter on, or from an earlier retrieval of a file that has it. */
export function knownAtEndOf({ periodEnd }: Period, retrievedAt: string): string {
  return periodEnd > retrievedAt.slice(0, 10) ? retrievedAt : knownOn(periodEnd, retrievedAt);
}

export const roundAfter = (round: Period): string => periodOf('quarterly', addMonths(round.periodStart, 3)).period;
