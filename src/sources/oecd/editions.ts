// OECD, revisions of short-term economic statistics: each monthly edition has the whole history as of then. An edition has no day: it was known at the end
// of the month after its label, or from an earlier retrieval. Before 2008 some countries' series are not seasonally adjusted, without a
// mark: of those editions only consumer prices, which are never adjusted, are read.
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import {
  AVAILABLE_EDITIONS,
  editionKnownBy,
  editionOf,
  editionsAddress,
  FIRST_ADJUSTED_EDITION,
  OECD_EDITIONS,
  oecdEditionsFeed,
  structureOf,
} from './feed.ts';
import { isQuarterlyOnly, oecdEntity, oecdPeriod } from './codes.ts';
import { readSdmxCsv, type SdmxObservation } from '../readers/sdmx-csv.ts';
import { readConstraint } from '../readers/sdmx-structure.ts';
import { excerpt } from '../readers/text.ts';
import type { Batch, ObservationRecord, RefusedRecord } from '../../model/record.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'oecd_editions';
const isList = (path: string): boolean => path === AVAILABLE_EDITIONS || path.endsWith(`/${AVAILABLE_EDITIONS}`);

export const oecdEditions: Source = {
  id: ID,
  version: 1,
  owns: (path) => editionOf(path) !== null || isList(path),
  address: editionsAddress,
  mediaType: 'text/csv',
  knownAt: ({ key, retrievedAt }) => (isList(key) ? null : knownAt(key, retrievedAt)),
  normalise: (payload) => (isList(payload.key) ? checkList(payload) : editionBatches(payload)),
  feed: oecdEditionsFeed,
};

function knownAt(key: string, retrievedAt: string): string {
  const end = editionKnownBy(editionIn(key));
  return end < retrievedAt ? end : retrievedAt;
}

function editionIn(key: string): string {
  const edition = editionOf(key);
  if (edition === null) throw new UpstreamError(ID, `expected the month of an edition in the name, found ${key}`);
  return edition;
}

/** It has no values; its plan reads the list of editions. */
function checkList({ body }: Payload): Iterable<Batch> {
  if (!readConstraint(ID, body).codes.has('EDITION')) throw new UpstreamError(ID, 'the list names no editions');
  return [];
}

interface Measure {
  readonly canonicalId: string;
  readonly unit: string;
  readonly code: string;
  readonly activities: readonly string[];
  readonly frequency: 'M' | 'Q';
  /** The publisher's unit is ten to this power times ours. */
  readonly power: number;
  readonly isAdjusted: boolean;
}

const TOTAL: readonly string[] = ['_T', '_Z'];
const MEASURES: Readonly<Record<string, Measure>> = {
  B1GQ_Q: {
    canonicalId: 'gdp_real_national_currency',
    unit: 'national_currency_billions_chained',
    code: 'XDC',
    activities: TOTAL,
    frequency: 'Q',
    power: 9,
    isAdjusted: true,
  },
  PRVM: {
    canonicalId: 'industrial_production',
    unit: 'index',
    code: 'IX',
    activities: ['BTE'],
    frequency: 'M',
    power: 0,
    isAdjusted: true,
  },
  TOVM: { canonicalId: 'retail_trade_volume', unit: 'index', code: 'IX', activities: ['G47'], frequency: 'M', power: 0, isAdjusted: true },
  UNEMP: {
    canonicalId: 'unemployment_rate',
    unit: 'percent',
    code: 'PT_LF',
    activities: TOTAL,
    frequency: 'M',
    power: 0,
    isAdjusted: true,
  },
  CP: { canonicalId: 'cpi_nsa', unit: 'index', code: 'IX', activities: TOTAL, frequency: 'M', power: 0, isAdjusted: false },
};

function* editionBatches({ key, body, retrievedAt }: Payload): Generator<Batch> {
  const edition = editionIn(key);
  const observedAt = knownAt(key, retrievedAt);
  const stated = readSdmxCsv(body, { sourceId: ID, structure: structureOf(OECD_EDITIONS), hasMultipliers: true });
  if (stated.length === 0) throw new UpstreamError(ID, 'the edition has no rows');
  const refused = new Map<string, RefusedRecord>();
  const rows = stated.filter(isRead).flatMap((one): ObservationRecord[] => {
    const refusal = refusalOf(one, edition);
    // Once per series: all its rows are refused for one reason.
    if (refusal !== null) refused.set(one.seriesKey, refused.get(one.seriesKey) ?? refusal);
    return refusal === null ? [toRecord(one, observedAt)] : [];
  });
  yield* observationBatches(withoutRepeats(ID, rows));
  if (refused.size > 0) yield { kind: 'refused', rows: [...refused.values()] };
}

/** REF_AREA, FREQ, MEASURE, UNIT_MEASURE, ACTIVITY, EDITION. */
function partsOf({ seriesKey }: SdmxObservation) {
  const [area = '', , code = '', unit = '', activity = '', edition = ''] = seriesKey.split('.');
  const measure = MEASURES[code];
  if (measure === undefined) throw new UpstreamError(ID, `expected a measure that was asked for, found ${excerpt(seriesKey)}`);
  return { area, measure, unit, activity, edition };
}

/** A quarter of a monthly series is the mean of its months, except if months are missing. */
function isRead(one: SdmxObservation): boolean {
  const { area, measure } = partsOf(one);
  return one.frequency === measure.frequency || (one.frequency === 'Q' && isQuarterlyOnly(area));
}

function toRecord(one: SdmxObservation, observedAt: string): ObservationRecord {
  const { area, measure } = partsOf(one);
  const entityId = oecdEntity(area) ?? '';
  return {
    // The edition is the knowledge time, not another series.
    seriesCode: one.seriesKey.replace(/\.\d{6}$/, ''),
    // For the euro area and the Union only the harmonised index exists.
    canonicalId: measure.canonicalId === 'cpi_nsa' && ['ea', 'eu'].includes(entityId) ? 'hicp' : measure.canonicalId,
    entityId,
    unit: measure.unit,
    ...oecdPeriod(ID, one.frequency, one.period),
    value: one.value === null ? null : inUnits(one.value, one.multiplier - measure.power),
    observedAt,
  };
}

/** By division if it is negative: 10^-9 has no exact binary form. */
function inUnits(value: number, power: number): number {
  return power < 0 ? value / 10 ** -power : value * 10 ** power;
}

function refusalOf(one: SdmxObservation, asked: string): RefusedRecord | null {
  const { area, measure, unit, activity, edition } = partsOf(one);
  if (edition !== asked) throw new UpstreamError(ID, `expected the edition ${asked}, found ${excerpt(one.seriesKey)}`);
  const refused = (rule: RefusedRecord['rule'], fieldPath: string, reason: string): RefusedRecord => ({
    rule,
    seriesCode: one.seriesKey,
    entityId: null,
    period: null,
    fieldPath,
    observedValue: null,
    reason,
  });
  if (oecdEntity(area) === null)
    return refused('identity_unresolved', 'REF_AREA', `the area ${excerpt(area)} is neither a country nor a group that is known`);
  if (unit !== measure.code) return refused('unit_mismatch', 'UNIT_MEASURE', `expected the unit ${measure.code}, found ${excerpt(unit)}`);
  if (!measure.activities.includes(activity))
    return refused(
      'identity_unresolved',
      'ACTIVITY',
      `expected the activity ${measure.activities.join(' or ')}, found ${excerpt(activity)}`,
    );
  if (measure.isAdjusted && edition < FIRST_ADJUSTED_EDITION)
    return refused('unit_mismatch', 'EDITION', 'editions before 2008 do not say which series are adjusted for the season');
  return null;
}
