// Workbooks of Australia's statistics: one column per series, below some rows of properties, one of which is the series' own code.
import { isDay, periodOf } from '../../model/period.ts';
import type { ObservationRecord } from '../../model/record.ts';
import { dayOfCell, type SheetCell, type SheetRows } from '../readers/sheet.ts';
import { excerpt } from '../readers/text.ts';
import { UpstreamError } from '../upstream-error.ts';

export interface SheetSeries {
  readonly canonicalId: string;
  readonly unit: string;
  readonly frequency: 'daily' | 'monthly' | 'quarterly';
  /** The properties that the sheet must state for the series. */
  readonly stated: Readonly<Record<string, string>>;
  /** Units of the sheet per unit of ours. */
  readonly scale?: number;
}

/** @param observedAt when the value of a day became known, by the properties of its series */
export function sheetRecords(
  sourceId: string,
  rows: SheetRows,
  listed: Readonly<Record<string, SheetSeries>>,
  observedAt: (day: string, property: (name: string) => string) => string,
): ObservationRecord[] {
  const codes = rows.findIndex(([name]) => name === 'Series ID');
  if (codes === -1) throw new UpstreamError(sourceId, 'expected a row of the codes of series, Series ID, found none');
  const records = (rows[codes] ?? []).flatMap((code, column) => {
    const series = listed[String(code)];
    if (series === undefined) return [];
    const property = (name: string): string => textOf(rows.slice(0, codes).find(([first]) => first === name)?.[column]);
    checkStated(sourceId, String(code), series, property);
    return rows.slice(codes + 1).flatMap((row) => {
      const value = row[column] ?? null;
      if (value === null || value === '') return [];
      const day = dayOfCell(row[0]);
      if (day === null || !isDay(day) || typeof value !== 'number')
        throw new UpstreamError(
          sourceId,
          `expected a day and a number of ${String(code)}, found ${excerpt(`${textOf(row[0])} ${textOf(value)}`)}`,
        );
      return [recordOf(String(code), series, day, value, observedAt(day, property))];
    });
  });
  if (records.length === 0) throw new UpstreamError(sourceId, `expected the series ${Object.keys(listed).join(' or ')}, found none`);
  return records;
}

function recordOf(seriesCode: string, series: SheetSeries, day: string, value: number, observedAt: string): ObservationRecord {
  const { canonicalId, unit, frequency, scale = 1 } = series;
  return { seriesCode, canonicalId, entityId: 'au', frequency, unit, ...periodOf(frequency, day), value: value / scale, observedAt };
}

const textOf = (cell: SheetCell | undefined): string => (cell instanceof Date ? cell.toISOString() : String(cell ?? ''));

function checkStated(sourceId: string, code: string, { stated }: SheetSeries, property: (name: string) => string): void {
  for (const [name, expected] of Object.entries(stated)) {
    const found = property(name);
    if (found !== expected) throw new UpstreamError(sourceId, `expected ${expected} in ${name} of ${code}, found ${excerpt(found)}`);
  }
}
