// Readings of an answer → records of the series that a source lists. Other series in the answer were not requested.
import { isDay, periodOf } from '../../model/period.ts';
import type { ObservationRecord } from '../../model/record.ts';
import { withoutRepeats } from './batches.ts';
import { obsStatusOf, statusField } from '../readers/obs-status.ts';
import { excerpt } from '../readers/text.ts';
import { readSdmxMl, seriesKeyOf } from '../readers/sdmx-ml.ts';
import { type CsvOptions, readCsv } from '../readers/csv.ts';
import { UpstreamError } from '../upstream-error.ts';

export interface Reading {
  readonly seriesCode: string;
  /** `2026-08-21` or `2026-08`, unchanged. */
  readonly period: string;
  readonly value: number | null;
  /** Attributes of the value: units, multipliers. */
  readonly stated: (component: string) => string | undefined;
}

export interface ListedSeries {
  readonly frequency: 'daily' | 'monthly';
  /** Components with a required value, so that a value in another unit is never read as one in the usual unit. */
  readonly expected: Readonly<Record<string, string>>;
  /** For series without a row in series.csv. */
  readonly described?: Required<Pick<ObservationRecord, 'canonicalId' | 'entityId' | 'unit'>>;
}

/**
 * @param listed null to skip a series
 * @param observedAt when the reading became known
 */
export function* recordsOf(
  sourceId: string,
  readings: Iterable<Reading>,
  listed: (seriesCode: string) => ListedSeries | null,
  observedAt: (reading: Reading) => string,
): Generator<ObservationRecord> {
  let isEmpty = true;
  const told = function* (): Generator<ObservationRecord> {
    for (const reading of readings) {
      const series = listed(reading.seriesCode);
      if (series === null) continue;
      isEmpty = false;
      yield recordOf(sourceId, reading, series, observedAt(reading));
    }
  };
  yield* withoutRepeats(sourceId, told());
  if (isEmpty) throw new UpstreamError(sourceId, 'the answer has no rows of a series that is read');
}

function recordOf(
  sourceId: string,
  reading: Reading,
  { frequency, expected, described }: ListedSeries,
  observedAt: string,
): ObservationRecord {
  const { seriesCode, period, value, stated } = reading;
  for (const [component, code] of Object.entries(expected)) {
    const found = stated(component);
    if (found !== code)
      throw new UpstreamError(
        sourceId,
        `expected ${code} in ${component} of ${seriesCode}, found ${found === undefined ? 'none' : excerpt(found)}`,
      );
  }
  const status = statusField(obsStatusOf(stated('OBS_STATUS')));
  const day = frequency === 'monthly' ? `${period}-01` : period;
  if (!isDay(day)) throw new UpstreamError(sourceId, `expected a ${frequency} period of ${seriesCode}, found ${excerpt(period)}`);
  return {
    seriesCode,
    ...(described === undefined ? {} : { ...described, frequency }),
    ...periodOf(frequency, day),
    value,
    observedAt,
    ...status,
  };
}

/** @param dimensions of a structure, by its id; their codes, after the prefix, are the code of a series */
export function* xmlReadings(
  sourceId: string,
  body: Uint8Array,
  dimensions: Readonly<Record<string, { readonly prefix: string; readonly ids: readonly string[] }>>,
): Generator<Reading> {
  for (const reading of readSdmxMl(sourceId, body)) {
    const key = dimensions[reading.structure];
    if (key === undefined)
      throw new UpstreamError(sourceId, `expected data of ${Object.keys(dimensions).join(', ')}, found ${excerpt(reading.structure)}`);
    const { components, period, value } = reading;
    const seriesCode = `${key.prefix}${seriesKeyOf(sourceId, reading, key.ids)}`;
    yield { seriesCode, period, value, stated: (component) => components.get(component) };
  }
}

/** SDMX-CSV with a column for each component. */
export function csvReadings(
  body: Uint8Array,
  options: Pick<CsvOptions, 'sourceId' | 'delimiter'>,
  key: { readonly prefix: string; readonly ids: readonly string[] },
): Reading[] {
  const table = readCsv(body, { ...options, required: [...key.ids, 'TIME_PERIOD', 'OBS_VALUE'], missing: ['NaN'] });
  const dimensions = key.ids.map(table.text);
  const [period, value] = [table.text('TIME_PERIOD'), table.number('OBS_VALUE')];
  const cells = new Map(table.columns.map((column) => [column, table.text(column)]));
  return table.rows.map((row) => ({
    seriesCode: `${key.prefix}${dimensions.map((code) => code(row)).join('.')}`,
    period: period(row),
    value: value(row),
    stated: (component) => cells.get(component)?.(row),
  }));
}
