// OECD: business and consumer confidence (amplitude-adjusted indices), composite leading indicators, consumer prices over a year before, unemployment and
// growth of gross domestic product, as SDMX-CSV; and downloads of the former data portal. No file in a folder states when its values were published, and each
// release estimates the adjustment again over the whole history: such a file's value for an old month was not known then, so all of it is known only from its
// retrieval. A live answer is known from the last change that its data flow stated before and after the download.
import { isDay, periodOf } from '../../model/period.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { isLiveConstraint, type LiveAnswer, liveAnswerOf, OECD_FLOWS, oecdAddress, oecdFeed, structureOf } from './feed.ts';
import { isQuarterlyOnly, oecdEntity, oecdPeriod } from './codes.ts';
import { readCsv } from '../readers/csv.ts';
import { readSdmxCsv, type SdmxObservation } from '../readers/sdmx-csv.ts';
import { readConstraint } from '../readers/sdmx-structure.ts';
import { excerpt } from '../readers/text.ts';
import type { Batch, ObservationRecord, RefusedRecord } from '../../model/record.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'oecd';
const PORTAL = /(?:^|\/)oecd\/(BCI|CCI)\.DP_LIVE\.csv$/;
const LEADING_INDICATORS = /(?:^|\/)oecd\/CLI\.[A-Z0-9_]+\.sdmx-csv-2\.0\.csv$/;
const CLI_STRUCTURE = 'OECD.SDD.STES:DSD_STES@DF_CLI';

export const oecd: Source = {
  id: ID,
  version: 2,
  owns: (path) => PORTAL.test(path) || LEADING_INDICATORS.test(path) || liveAnswerOf(path) !== null || isLiveConstraint(path),
  address,
  mediaType: 'text/csv',
  knownAt: ({ key, retrievedAt }) => knownAt(key, retrievedAt),
  normalise,
  feed: oecdFeed,
};

function address(path: string): string | null {
  if (LEADING_INDICATORS.test(path)) return `https://sdmx.oecd.org/public/rest/data/${CLI_STRUCTURE.replace(':', ',')}`;
  if (!PORTAL.test(path)) return oecdAddress(path);
  return `https://data.oecd.org/leadind/${path.includes('BCI.') ? 'business-confidence-index-bci' : 'consumer-confidence-index-cci'}.htm`;
}

function knownAt(key: string, retrievedAt: string): string {
  const validFrom = liveAnswerOf(key)?.validFrom ?? retrievedAt;
  return validFrom < retrievedAt ? validFrom : retrievedAt;
}

function normalise(payload: Payload): Iterable<Batch> {
  const answer = liveAnswerOf(payload.key);
  if (answer !== null) return liveBatches(answer, payload);
  return isLiveConstraint(payload.key) ? checkConstraint(payload) : observationBatches(withoutRepeats(ID, rowsOf(payload)));
}

/** It has no values; its plan reads the last change of the data flow. */
function checkConstraint({ body }: Payload): Iterable<Batch> {
  if (readConstraint(ID, body).validFrom === null) throw new UpstreamError(ID, 'the constraint does not say since when it holds');
  return [];
}

// --- Live answers

interface Measure {
  readonly canonicalId: string;
  readonly unit: string;
}

interface Known {
  /** Index of the dimension of measures, and of the area, in the key of a series. */
  readonly place: number;
  readonly area: number;
  readonly measures: Readonly<Record<string, Measure>>;
  /** Prefix for the code of a series whose key another flow has too. */
  readonly prefix?: string;
}

const FLOWS: Readonly<Record<string, Known>> = {
  DF_CLI: {
    place: 2,
    area: 0,
    measures: {
      LI: { canonicalId: 'composite_leading_indicator', unit: 'index' },
      BCICP: { canonicalId: 'business_confidence', unit: 'index' },
      CCICP: { canonicalId: 'consumer_confidence', unit: 'index' },
    },
  },
  DF_PRICES_ALL: { place: 3, area: 0, measures: { CPI: { canonicalId: 'cpi_inflation_yoy_published', unit: 'percent' } } },
  // A separate series: one classification never continues another.
  DF_PRICES_C2018_ALL: {
    prefix: 'C2018.',
    place: 3,
    area: 0,
    measures: { CPI: { canonicalId: 'cpi_inflation_yoy_coicop2018', unit: 'percent' } },
  },
  DF_IALFS_UNE_M: { place: 1, area: 0, measures: { UNE_LF_M: { canonicalId: 'unemployment_rate', unit: 'percent' } } },
  DF_QNA_EXPENDITURE_GROWTH_OECD: {
    place: 11,
    area: 2,
    measures: {
      G1: { canonicalId: 'gdp_growth_qoq_published', unit: 'percent' },
      GY: { canonicalId: 'gdp_growth_yoy_published', unit: 'percent' },
    },
  },
};

function* liveBatches({ flow, since }: LiveAnswer, { key, body, retrievedAt }: Payload): Generator<Batch> {
  const [asked, known] = [OECD_FLOWS[flow], FLOWS[flow]];
  if (asked === undefined || known === undefined) throw new UpstreamError(ID, `expected a data flow that is read, found ${flow}`);
  const stated = readSdmxCsv(body, { sourceId: ID, structure: structureOf(asked), isOfChanges: since !== null });
  if (stated.length === 0) throw new UpstreamError(ID, 'the answer has no rows');
  const areaOf = ({ seriesKey }: SdmxObservation): string => seriesKey.split('.')[known.area] ?? '';
  const isOfQuarters = asked.key.startsWith('Q.');
  const read = stated.filter((one) => isOfQuarters || one.frequency !== 'Q' || isQuarterlyOnly(areaOf(one)));
  const observedAt = knownAt(key, retrievedAt);
  yield* observationBatches(
    withoutRepeats(
      ID,
      read.flatMap((one) => toRecord(known, one, oecdEntity(areaOf(one)), observedAt)),
    ),
  );
  const refused = read.flatMap((one) => (oecdEntity(areaOf(one)) === null ? [refusal(one, areaOf(one))] : []));
  if (refused.length > 0) yield { kind: 'refused', rows: refused };
}

function toRecord(known: Known, one: SdmxObservation, entityId: string | null, observedAt: string): ObservationRecord[] {
  const { seriesKey, frequency, period, value, status } = one;
  const measure = known.measures[seriesKey.split('.')[known.place] ?? ''];
  if (measure === undefined) throw new UpstreamError(ID, `expected a measure that was asked for, found ${excerpt(seriesKey)}`);
  if (entityId === null) return [];
  const seriesCode = `${known.prefix ?? ''}${seriesKey}`;
  return [{ seriesCode, ...measure, entityId, ...oecdPeriod(ID, frequency, period), value, observedAt, ...status }];
}

function refusal({ seriesKey, period, value }: SdmxObservation, area: string): RefusedRecord {
  return {
    rule: 'identity_unresolved',
    seriesCode: seriesKey,
    entityId: null,
    period,
    fieldPath: 'REF_AREA',
    observedValue: value === null ? null : String(value),
    reason: `the area ${excerpt(area)} is neither a country nor a group that is known`,
  };
}

// --- Files of a folder

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
