// International Monetary Fund: consumer prices on a year before, as SDMX-CSV; and messages in SDMX-ML from folders, of prices of commodities and of the World
// Economic Outlook, of which what lies after the last year of actual data is the Fund's projection and no observation.
import { isDay, periodOf } from '../../model/period.ts';
import { observationBatches, withoutRepeats } from '../batches.ts';
import { IMF_PRICES, IMF_REQUEST, imfFeed } from '../feeds/imf.ts';
import { readSdmxCsv } from '../readers/sdmx-csv.ts';
import { readSdmxMl, type SdmxReading, seriesKeyOf } from '../readers/sdmx-ml.ts';
import { excerpt } from '../readers/text.ts';
import { attributeOf, readXml } from '../readers/xml.ts';
import type { Batch, ObservationRecord, RefusedRecord } from '../../model/record.ts';
import { type Payload, type Source, UpstreamError } from '../source.ts';

const ID = 'imf';
const MESSAGE = /(?:^|\/)sdmx\/imf\/(PCPS|WEO)\.structure-specific\.xml$/;
const isPrices = (path: string): boolean => path === IMF_REQUEST.key || path.endsWith(`/${IMF_REQUEST.key}`);

export const imf: Source = {
  id: ID,
  version: 1,
  owns: (path) => isPrices(path) || MESSAGE.test(path),
  address: (path) => (isPrices(path) ? IMF_REQUEST.url : `https://data.imf.org/en/datasets/IMF.RES:${MESSAGE.exec(path)?.[1]}`),
  mediaType: 'text/csv',
  knownAt: ({ key, body, retrievedAt }) =>
    MESSAGE.exec(key)?.[1] === 'WEO' ? updatedAt([...readSdmxMl(ID, body)], retrievedAt) : retrievedAt,
  normalise: (payload) => {
    const message = MESSAGE.exec(payload.key)?.[1];
    return message === 'WEO' ? outlookBatches(payload) : message === 'PCPS' ? commodityBatches(payload) : priceBatches(payload);
  },
  feed: imfFeed,
};

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

/** ISO 3166 alpha-3 but for Kosovo; groups have digits in their codes. */
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

// --- Consumer prices

const ASKED = '.CPI._T.YOY_PCH_PA_PT.M';

function priceBatches({ body, retrievedAt }: Payload): Iterable<Batch> {
  const rows: ObservationRecord[] = [];
  const refused: RefusedRecord[] = [];
  for (const { seriesKey, period, value } of readSdmxCsv(body, { sourceId: ID, structure: IMF_PRICES, frequency: 'FREQUENCY' })) {
    const country = seriesKey.split('.', 1)[0] ?? '';
    if (seriesKey !== `${country}${ASKED}`) throw new UpstreamError(ID, `expected a series of ${ASKED}, found ${excerpt(seriesKey)}`);
    const entityId = entityOf(country);
    const day = dayOf(period, /^\d{4}-M?\d{2}$/, '-01');
    if (entityId === null) refused.push(unresolved(seriesKey, day.slice(0, 7), value));
    else {
      const identity = {
        seriesCode: seriesKey,
        canonicalId: 'cpi_inflation_yoy_published',
        entityId,
        frequency: 'monthly',
        unit: 'percent',
      } as const;
      rows.push({ ...identity, ...periodOf('monthly', day), value, observedAt: retrievedAt });
    }
  }
  return batchesOf(rows, refused);
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
      // SCALE is how it is shown: the value is in units.
      const identity = { seriesCode, canonicalId: 'gdp_real_annual', entityId, frequency: 'annual', unit: 'national_currency' } as const;
      rows.push({ ...identity, ...periodOf('annual', day), value: reading.value, observedAt });
    }
  }
  return batchesOf(rows, refused);
}

/** The later of publication and update that the data set states; in hand before, by another clock, is in hand. */
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

/** `SVK.NGDP_R` → the last year that is no projection. Groups of attributes stand beside the series. */
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
