// Shared by archives of real-time data: a table with a row per period and a column per vintage. A vintage that repeats the previous value
// is no news. A cell without a value is no withdrawal, because such tables cut and extend their vintages.
import { endOfDay, type Period } from '../../model/period.ts';
import type { ObservationRecord } from '../../model/record.ts';
import type { SheetCell } from '../readers/sheet.ts';

export interface Vintage {
  /** Its column. */
  readonly place: number;
  readonly observedAt: string;
}

export interface VintageRow {
  readonly period: Period;
  readonly cells: readonly SheetCell[];
}

/** No table states the day of such a vintage: it is known from the end of its quarter or month, or from an earlier retrieval of a file that has it. */
export function knownAtEndOf({ periodStart, periodEnd }: Period, retrievedAt: string): string {
  const end = endOfDay(periodEnd);
  return retrievedAt < end && retrievedAt.slice(0, 10) >= periodStart ? retrievedAt : end;
}

/**
 * One record for each vintage that changed the value of a period.
 * @param numberOf the value of a cell, null without one
 */
export function* revisionsOf(
  seriesCode: string,
  rows: readonly VintageRow[],
  vintages: readonly Vintage[],
  numberOf: (cell: SheetCell, period: Period) => number | null,
): Generator<ObservationRecord> {
  for (const { period, cells } of rows) {
    let before: number | null = null;
    for (const { place, observedAt } of vintages) {
      const value = numberOf(cells[place] ?? null, period);
      if (value === null || value === before) continue;
      before = value;
      yield { seriesCode, ...period, value, observedAt };
    }
  }
}
