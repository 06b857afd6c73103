// International Monetary Fund: consumer prices, unemployment, real gross domestic product and policy rates of all countries, as SDMX-CSV; and messages in
// SDMX-ML from folders, of prices of commodities and of the World Economic Outlook. The Outlook's values after the last year of actual data are the
// Fund's projections, not observations.
import { isDay, type Period, periodOf, quarterOf } from '../../model/period.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { IMF_REQUESTS, type ImfFlow, imfFeed, imfFlowOf, imfStructure } from './feed.ts';
import { readSdmxCsv } from '../readers/sdmx-csv.ts';
import { readSdmxMl, type SdmxReading, seriesKeyOf } from '../readers/sdmx-ml.ts';
import { excerpt } from '../readers/text.ts';
import { attributeOf, readXml } from '../readers/xml.ts';
import type { Batch, ObservationRecord, RefusedRecord } from '../../model/record.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'imf';
const MESSAGE = /(?:^|\/)sdmx\/imf\/(PCPS|WEO)\.structure-specific\.xml$/;

export const imf: Source = {
  id: ID,
  version: 3,
  owns: (path) => imfFlowOf(path) !== null || MESSAGE.test(path),
  address,
  mediaType: 'text/csv',
  knownAt: ({ key, body, retrievedAt }) =>
    MESSAGE.exec(key)?.[1] === 'WEO' ? updatedAt([...readSdmxMl(ID, body)], retrievedAt) : retrievedAt,
  normalise: (payload) => {
    const message = MESSAGE.exec(payload.key)?.[1];
    if (message !== undefined) return message === 'WEO' ? outlookBatches(payload) : commodityBatches(payload);
    return flowBatches(payload);
  },
  feed: imfFeed,
};

function address(path: string): string {
  const flow = imfFlowOf(path);
  if (flow === null) return `https://data.imf.org/en/datasets/IMF.RES:${MESSAGE.exec(path)?.[1]}`;
  const asked = IMF_REQUESTS.find(({ key }) => path === key || path.endsWith(`/${key}`));
  return asked?.url ?? `https://data.imf.org/en/datasets/IMF.STA:${flow}`;
}

function* batchesOf(rows: readonly ObservationRecord[], refused: readonly RefusedRecord[]): Generator<Batch> {
  if (rows.length + refused.length === 0) throw new UpstreamError(ID, 'the answer has no rows');
  yield* observationBatches(withoutRepeats(ID, rows));
  if (refused.length > 0) yield { kind: 'refused', rows: refused };
}

function dayOf(period: string, pattern: RegExp, end: string): string {
  const day = `${period.replace('-M', '-')}${end}`;
  if (!pattern.test(period) || !isDay(day))
    throw new UpstreamError(ID, `expected a period of the series' frequency, found ${excerpt(period)}`);
  return day;
}

/** ISO 3166 alpha-3 except for Kosovo; groups have digits in their codes. */
function entityOf(country: string): string | null {
  if (country === 'KOS' || country === 'UVK') return 'iso3:xkx';
  return /^[A-Z]{3}$/.test(country) ? `iso3:${country.toLowerCase()}` : null;
}

function unresolved(seriesCode: string, period: string, value: number | null): RefusedRecord {
  return {
    rule: 'identity_unresolved',
    seriesCode,
    entityId: null,
    period,
    fieldPath: 'COUNTRY',
    observedValue: value === null ? null : String(value),
    reason: `${excerpt(seriesCode)} is of no country`,
  };
}

// --- Data flows of statistics

interface Measure {
  readonly canonicalId: string;
  readonly unit: string;
  readonly frequency: 'monthly' | 'quarterly';
  /** Units of the Fund per unit of ours. */
  readonly scale?: number;
}

/** By the key of a series without its country. */
const MEASURES: Readonly<Record<ImfFlow, Readonly<Record<string, Measure>>>> = {
  CPI: {
    'CPI._T.YOY_PCH_PA_PT.M': { canonicalId: 'cpi_inflation_yoy_published', unit: 'percent', frequency: 'monthly' },
    'CPI._T.IX.M': { canonicalId: 'cpi_nsa', unit: 'index', frequency: 'monthly' },
  },
  LS: { 'U.PT.M': { canonicalId: 'unemployment_rate_as_reported', unit: 'percent', frequency: 'monthly' } },
  MFS_IR: { 'MFS166_RT_PT_A_PT.M': { canonicalId: 'monetary_policy_related_rate', unit: 'percent', frequency: 'monthly' } },
  QNEA: {
    'B1GQ.Q.SA.XDC.Q': {
      canonicalId: 'gdp_real_national_currency',
      unit: 'national_currency_billions_chained',
      frequency: 'quarterly',
      scale: 1e9,
    },
  },
};

function flowBatches({ key, body, retrievedAt }: Payload): Iterable<Batch> {
  const flow = imfFlowOf(key);
  if (flow === null) throw new UpstreamError(ID, `expected an answer of a data flow that is read, found ${key}`);
  const rows: ObservationRecord[] = [];
  const refused: RefusedRecord[] = [];
  const options = { sourceId: ID, structure: imfStructure(flow), frequency: 'FREQUENCY' };
  for (const { seriesKey, period, value, status } of readSdmxCsv(body, options)) {
    const [country = '', ...codes] = seriesKey.split('.');
    const measure = MEASURES[flow][codes.join('.')];
    if (measure === undefined) {
      const known = Object.keys(MEASURES[flow]).join(' or ');
      throw new UpstreamError(ID, `expected a series of ${known}, found ${excerpt(seriesKey)}`);
    }
    const entityId = entityOf(country);
    const placed = placeOf(measure, period);
    if (entityId === null) refused.push(unresolved(seriesKey, placed.period, value));
    else {
      const { canonicalId, unit, frequency, scale = 1 } = measure;
      const scaled = value === null ? null : value / scale;
      rows.push({
        seriesCode: seriesKey,
        canonicalId,
        entityId,
        frequency,
        unit,
        ...placed,
        value: scaled,
        observedAt: retrievedAt,
        ...status,
      });
    }
  }
  return batchesOf(rows, refused);
}

/** `2031-M02` of months, `2031-Q1` of quarters. */
function placeOf({ frequency }: Measure, period: string): Period {
  if (frequency === 'monthly') return periodOf('monthly', dayOf(period, /^\d{4}-M?\d{2}$/, '-01'));
  const [, year = '', quarter] = /^(\d{4})-Q([1-4])$/.exec(period) ?? [];
  if (quarter === undefined) throw new UpstreamError(ID, `expected a period of the series' frequency, found ${excerpt(period)}`);
  return quarterOf(year, quarter);
}

// --- Prices of commodities

/** Commodities with an entity of their own, by the Fund's code. */
const COMMODITIES: Readonly<Record<string, string>> = { PZINC: 'commodity_zinc' };

function commodityBatches({ body, retrievedAt }: Payload): Iterable<Batch> {
  const rows: ObservationRecord[] = [];
  const refused: RefusedRecord[] = [];
  for (const reading of readSdmxMl(ID, body)) {
    const seriesCode = seriesKeyOf(ID, reading, ['FREQ', 'REF_AREA', 'COMMODITY', 'UNIT_MEASURE']);
    const [often, area, commodity = '', unit] = seriesCode.split('.');
    expectCode(reading, 'UNIT_MULT', '0');
    if (often !== 'M' || area !== 'W00' || unit !== 'USD')
      throw new UpstreamError(ID, `expected months of world prices in dollars, found ${excerpt(seriesCode)}`);
    const day = dayOf(reading.period, /^\d{4}-\d{2}$/, '-01');
    const entityId = COMMODITIES[commodity];
    if (entityId === undefined) refused.push(unresolved(seriesCode, reading.period, reading.value));
    else {
      const identity = { seriesCode, canonicalId: 'commodity_price', entityId, frequency: 'monthly', unit: 'usd' } as const;
      rows.push({ ...identity, ...periodOf('monthly', day), value: reading.value, observedAt: retrievedAt });
    }
  }
  return batchesOf(rows, refused);
}

function expectCode({ components }: SdmxReading, id: string, expected: string): void {
  const found = components.get(id);
  if (found !== expected) throw new UpstreamError(ID, `expected ${expected} in ${id}, found ${excerpt(found ?? 'none')}`);
}

// --- World Economic Outlook

function outlookBatches({ body, retrievedAt }: Payload): Iterable<Batch> {
  const readings = [...readSdmxMl(ID, body)];
  const observedAt = updatedAt(readings, retrievedAt);
  const actual = lastActualYears(body);
  const rows: ObservationRecord[] = [];
  const refused: RefusedRecord[] = [];
  for (const reading of readings) {
    const seriesCode = seriesKeyOf(ID, reading, ['COUNTRY', 'INDICATOR', 'FREQUENCY']);
    const [country = '', indicator = '', often] = seriesCode.split('.');
    if (indicator !== 'NGDP_R' || often !== 'A')
      throw new UpstreamError(ID, `expected real gross domestic product by year, found ${excerpt(seriesCode)}`);
    const day = dayOf(reading.period, /^\d{4}$/, '-12-31');
    const entityId = entityOf(country);
    const last = actual.get(`${country}.${indicator}`) ?? null;
    if (entityId === null) refused.push(unresolved(seriesCode, reading.period, reading.value));
    else if (last === null || reading.period > last) refused.push(projection(seriesCode, reading, last));
    else {
      // SCALE only affects the display: the value is in units.
      const identity = { seriesCode, canonicalId: 'gdp_real_annual', entityId, frequency: 'annual', unit: 'national_currency' } as const;
      rows.push({ ...identity, ...periodOf('annual', day), value: reading.value, observedAt });
    }
  }
  return batchesOf(rows, refused);
}

/** The later of publication and update in the data set; an earlier retrieval counts instead. */
function updatedAt(readings: readonly SdmxReading[], retrievedAt: string): string {
  const stated = ['PUBLICATION_DATE', 'UPDATE_DATE'].map((id) => readings[0]?.components.get(id) ?? '');
  if (stated.some((instant) => !/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(instant) || Number.isNaN(Date.parse(instant))))
    throw new UpstreamError(ID, `expected the instants of publication and update, found ${excerpt(stated.join(', '))}`);
  const newest = stated.map((instant) => new Date(instant).toISOString()).reduce((a, b) => (a > b ? a : b));
  return newest < retrievedAt ? newest : retrievedAt;
}

function projection(seriesCode: string, { period, value }: SdmxReading, last: string | null): RefusedRecord {
  return {
    rule: 'future_period',
    seriesCode,
    entityId: null,
    period,
    fieldPath: 'LATEST_ACTUAL_ANNUAL_DATA',
    observedValue: value === null ? null : String(value),
    reason: `the last year of actual data is ${last ?? 'not stated'}: the value is a projection`,
  };
}

/** `SVK.NGDP_R` → the last year without projection. Groups of attributes are next to the series. */
function lastActualYears(body: Uint8Array): ReadonlyMap<string, string> {
  const years = new Map<string, string>();
  readXml(
    ID,
    body,
    { expected: 'an SDMX data message', isRoot: () => true },
    {
      open(element) {
        if (element.local !== 'Group') return;
        const last = attributeOf(element, 'LATEST_ACTUAL_ANNUAL_DATA') ?? '';
        if (/^\d{4}$/.test(last)) years.set(`${attributeOf(element, 'COUNTRY')}.${attributeOf(element, 'INDICATOR')}`, last);
      },
    },
  );
  return years;
}
