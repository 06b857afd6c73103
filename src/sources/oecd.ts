// OECD: business and consumer confidence (amplitude-adjusted indices) as downloads of the former data portal, composite leading indicators in
// SDMX-CSV. No file says when its values were published, and each release estimates the adjustment anew over the whole history: what a
// file says of an old month was not known then, so that all of it is known from its retrieval only.
import { isDay, periodOf } from '../model/period.ts';
import { observationBatches, withoutRepeats } from './batches.ts';
import { readCsv } from './readers/csv.ts';
import { readSdmxCsv } from './readers/sdmx-csv.ts';
import { excerpt } from './readers/text.ts';
import type { ObservationRecord } from '../model/record.ts';
import { type Payload, type Source, UpstreamError } from './source.ts';

const ID = 'oecd';
const PORTAL = /(?:^|\/)oecd\/(BCI|CCI)\.DP_LIVE\.csv$/;
const LEADING_INDICATORS = /(?:^|\/)oecd\/CLI\.[A-Z0-9_]+\.sdmx-csv-2\.0\.csv$/;
const CLI_STRUCTURE = 'OECD.SDD.STES:DSD_STES@DF_CLI';

export const oecd: Source = {
  id: ID,
  version: 1,
  owns: (path) => PORTAL.test(path) || LEADING_INDICATORS.test(path),
  address: (path) =>
    LEADING_INDICATORS.test(path)
      ? `https://sdmx.oecd.org/public/rest/data/${CLI_STRUCTURE.replace(':', ',')}`
      : `https://data.oecd.org/leadind/${path.includes('BCI.') ? 'business-confidence-index-bci' : 'consumer-confidence-index-cci'}.htm`,
  mediaType: 'text/csv',
  knownAt: ({ retrievedAt }) => retrievedAt,
  normalise: (payload) => observationBatches(withoutRepeats(ID, rowsOf(payload))),
};

function rowsOf(payload: Payload): ObservationRecord[] {
  const readings = LEADING_INDICATORS.test(payload.key) ? leadingIndicators(payload) : portalReadings(payload);
  if (readings.length === 0) throw new UpstreamError(ID, 'the file has no rows');
  return readings.map(({ seriesKey, frequency, period, value }) => {
    if (frequency !== 'M' || !/^\d{4}-\d{2}$/.test(period) || !isDay(`${period}-01`))
      throw new UpstreamError(ID, `expected months of ${seriesKey}, found ${excerpt(period)} at frequency ${excerpt(frequency)}`);
    return { seriesCode: seriesKey, ...periodOf('monthly', `${period}-01`), value, observedAt: payload.retrievedAt };
  });
}

interface Reading {
  readonly seriesKey: string;
  readonly frequency: string;
  readonly period: string;
  readonly value: number | null;
}

function leadingIndicators({ body }: Payload): Reading[] {
  return readSdmxCsv(body, { sourceId: ID, structure: CLI_STRUCTURE });
}

const DIMENSIONS = ['LOCATION', 'INDICATOR', 'SUBJECT', 'MEASURE', 'FREQUENCY'] as const;

function portalReadings({ key, body }: Payload): Reading[] {
  const table = readCsv(body, { sourceId: ID, required: [...DIMENSIONS, 'TIME', 'Value', 'Flag Codes'] });
  const dimensions = DIMENSIONS.map((name) => table.text(name));
  const [indicator, frequency, period, value] = [
    table.text('INDICATOR'),
    table.text('FREQUENCY'),
    table.text('TIME'),
    table.number('Value'),
  ];
  const named = PORTAL.exec(key)?.[1];
  return table.rows.map((row) => {
    if (indicator(row) !== named) throw new UpstreamError(ID, `expected ${named} on line ${row.line}, found ${excerpt(indicator(row))}`);
    return { seriesKey: dimensions.map((code) => code(row)).join('.'), frequency: frequency(row), period: period(row), value: value(row) };
  });
}
