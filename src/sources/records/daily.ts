// Daily values from tables with several series.
import { isDay, periodOf } from '../../model/period.ts';
import type { ObservationRecord } from '../../model/record.ts';
import { parseNumber } from '../readers/csv.ts';
import { excerpt } from '../readers/text.ts';
import { UpstreamError } from '../upstream-error.ts';

export interface DayValue {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly value: number | null;
}

/**
 * Records of one series. A day without a value is missing only between days with one; before the first, after the last and at weekends
 * no value is expected.
 */
export function dailyRecords(seriesCode: string, values: readonly DayValue[], observedAt: string): ObservationRecord[] {
  const days = values.flatMap(({ day, value }) => (value === null ? [] : [day])).toSorted();
  const [first = '', last = ''] = [days[0], days.at(-1)];
  return values
    .filter(({ day, value }) => value !== null || (day > first && day < last && !isWeekend(day)))
    .map(({ day, value }) => ({ seriesCode, ...periodOf('daily', day), value, observedAt }));
}

function isWeekend(day: string): boolean {
  return [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
}

export function expectDay(sourceId: string, seriesCode: string, day: string, text: string): string {
  if (!isDay(day)) throw new UpstreamError(sourceId, `expected a day of ${seriesCode}, found ${excerpt(text)}`);
  return day;
}

/** A number as text; empty if the publisher has none. */
export function numberIn(sourceId: string, seriesCode: string, day: string, text: string): number | null {
  const value = text === '' ? null : parseNumber(text);
  if (value === null && text !== '')
    throw new UpstreamError(sourceId, `expected a number of ${seriesCode} for ${day}, found ${excerpt(text)}`);
  return value;
}
