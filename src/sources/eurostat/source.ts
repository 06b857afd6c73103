// Eurostat: labour, output, confidence and harmonised consumer prices by country, as the SDMX-CSV of its API. Each row states the last update of its data set
// in Luxembourg time: all values of an answer were known then. The list of updates has no finer time.
import { isDay, periodOf } from '../../model/period.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { type Download, downloadOf, downloadReadings, monthOfDownload } from './downloads.ts';
import { EUROSTAT_DATA_SETS, eurostatFeed } from './feed.ts';
import { instantAt } from '../local-time.ts';
import { type CsvTable, readCsv } from '../readers/csv.ts';
import { eurostatStatusOf, statusField } from '../readers/obs-status.ts';
import { excerpt } from '../readers/text.ts';
import type { ObservationRecord } from '../../model/record.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'eurostat';
const ANSWER = /(?:^|\/)eurostat\/([a-z0-9_]+)\.csv$/;

interface Measure {
  readonly canonicalId: string;
  readonly unit: string;
}

interface DataSet {
  readonly frequency: 'monthly' | 'quarterly';
  /** The required codes of every row, besides its country, in the order of the structure; several codes in the dimension of measures. */
  readonly codes: Readonly<Record<string, string | readonly string[]>>;
  readonly measuredBy: string;
  /** By the code of that dimension. */
  readonly measures: Readonly<Record<string, Measure>>;
  readonly groups: Readonly<Record<string, string>>;
}

/**
 * A group of countries has a code for each membership that it ever had. For each data set one code is read per group, so that no series is
 * put together from two: without one that follows the members over time, that of today's members, for its whole history. Another
 * membership is another code, which is not read until it is listed here.
 */
const MEMBERS_OF_TODAY = { EA21: 'ea', EU27_2020: 'eu' } as const;
/** Chained by Eurostat over the memberships at each time: the official rate. */
const MEMBERS_OF_EACH_TIME = { EA: 'ea', EU: 'eu' } as const;

const DATA_SETS: Readonly<Record<string, DataSet>> = {
  une_rt_m: {
    frequency: 'monthly',
    codes: { freq: 'M', s_adj: 'SA', age: 'TOTAL', unit: 'PC_ACT', sex: 'T' },
    measuredBy: 'unit',
    measures: { PC_ACT: { canonicalId: 'unemployment_rate', unit: 'percent' } },
    groups: MEMBERS_OF_TODAY,
  },
  namq_10_gdp: {
    frequency: 'quarterly',
    codes: { freq: 'Q', unit: 'CLV20_MEUR', s_adj: 'SCA', na_item: 'B1GQ' },
    measuredBy: 'unit',
    measures: { CLV20_MEUR: { canonicalId: 'gdp_real_eur', unit: 'eur_millions_chained' } },
    groups: MEMBERS_OF_TODAY,
  },
  sts_inpr_m: {
    frequency: 'monthly',
    codes: { freq: 'M', indic_bt: 'PRD', nace_r2: 'B-D', s_adj: 'SCA', unit: 'I21' },
    measuredBy: 'unit',
    measures: { I21: { canonicalId: 'industrial_production', unit: 'index' } },
    groups: MEMBERS_OF_TODAY,
  },
  ei_bssi_m_r2: {
    frequency: 'monthly',
    codes: { freq: 'M', indic: 'BS-ICI-BAL', s_adj: 'SA' },
    measuredBy: 'indic',
    measures: { 'BS-ICI-BAL': { canonicalId: 'business_confidence', unit: 'balance' } },
    groups: MEMBERS_OF_TODAY,
  },
  ei_bsco_m: {
    frequency: 'monthly',
    codes: { freq: 'M', indic: 'BS-CSMCI', s_adj: 'SA', unit: 'BAL' },
    measuredBy: 'indic',
    measures: { 'BS-CSMCI': { canonicalId: 'consumer_confidence', unit: 'balance' } },
    groups: MEMBERS_OF_TODAY,
  },
  prc_hicp_minr: {
    frequency: 'monthly',
    codes: { freq: 'M', unit: ['RCH_A', 'I25'], coicop18: 'TOTAL' },
    measuredBy: 'unit',
    measures: { RCH_A: { canonicalId: 'hicp_inflation_yoy', unit: 'percent' }, I25: { canonicalId: 'hicp', unit: 'index' } },
    groups: MEMBERS_OF_EACH_TIME,
  },
  prc_hicp_fpd: {
    frequency: 'monthly',
    codes: { freq: 'M', unit: 'RCH_A', coicop18: 'TOTAL', release: ['FLS', 'FIN'] },
    measuredBy: 'release',
    measures: {
      FLS: { canonicalId: 'hicp_inflation_yoy_flash', unit: 'percent' },
      FIN: { canonicalId: 'hicp_inflation_yoy_first', unit: 'percent' },
    },
    groups: MEMBERS_OF_EACH_TIME,
  },
};

export const eurostat: Source = {
  id: ID,
  version: 5,
  owns: (path) => dataSetOf(path) !== null || downloadOf(path) !== null,
  address: (path) => {
    const download = downloadOf(path);
    if (download !== null) return `https://ec.europa.eu/eurostat/databrowser/product/page/${download.dataSet.toUpperCase()}`;
    return EUROSTAT_DATA_SETS[ANSWER.exec(path)?.[1] ?? ''] ?? null;
  },
  mediaType: 'text/csv',
  knownAt: (payload) => {
    const download = downloadOf(payload.key);
    return download === null ? updatedAt(tableOf(payload).table, payload) : downloadKnownAt(download, payload);
  },
  normalise: (payload) => {
    const download = downloadOf(payload.key);
    return observationBatches(withoutRepeats(ID, download === null ? rowsOf(payload) : downloadRows(download, payload)));
  },
  feed: eurostatFeed,
};

function dataSetOf(path: string): DataSet | null {
  return DATA_SETS[ANSWER.exec(path)?.[1] ?? ''] ?? null;
}

function tableOf({ key, body }: Payload): { readonly table: CsvTable; readonly dataSet: DataSet } {
  const dataSet = dataSetOf(key);
  if (dataSet === null) throw new UpstreamError(ID, `expected a data set that is read, found ${key}`);
  const required = ['LAST UPDATE', ...Object.keys(dataSet.codes), 'geo', 'TIME_PERIOD', 'OBS_VALUE'];
  const table = readCsv(body, { sourceId: ID, required, missing: [':'] });
  if (table.rows.length === 0) throw new UpstreamError(ID, 'the answer has no rows');
  return { table, dataSet };
}

/** The single update that all rows state: `22/05/26 11:00:00`, or only a day, which counts from its end. An earlier retrieval counts instead. */
function updatedAt(table: CsvTable, { retrievedAt }: Payload): string {
  const stamps = new Set(table.rows.map(table.text('LAST UPDATE')));
  const [stamp = ''] = stamps;
  const [, day, month, year, time] = /^(\d{2})\/(\d{2})\/(\d{2})(?: (\d{2}:\d{2}:\d{2}))?$/.exec(stamp) ?? [];
  const date = `20${year}-${month}-${day}`;
  if (stamps.size > 1 || !isDay(date))
    throw new UpstreamError(ID, `expected one day, with or without an hour, in LAST UPDATE, found ${excerpt([...stamps].join(', '))}`);
  const updated = time === undefined ? instantAt(date, '23:59:59.999', 'Europe/Luxembourg') : instantAt(date, time, 'Europe/Luxembourg');
  return updated < retrievedAt ? updated : retrievedAt;
}

function rowsOf(payload: Payload): ObservationRecord[] {
  const { table, dataSet } = tableOf(payload);
  const observedAt = updatedAt(table, payload);
  const codes = Object.entries(dataSet.codes).map(([name, allowed]) => ({ name, allowed: [allowed].flat(), cell: table.text(name) }));
  const [geo, period, value] = [table.text('geo'), table.text('TIME_PERIOD'), table.number('OBS_VALUE')];
  const measuredBy = table.text(dataSet.measuredBy);
  const flags = table.columns.includes('OBS_FLAG') ? table.text('OBS_FLAG') : () => '';
  return table.rows.flatMap((row) => {
    for (const { name, allowed, cell } of codes) {
      if (!allowed.includes(cell(row)))
        throw new UpstreamError(ID, `expected ${allowed.join(' or ')} in ${name} on line ${row.line}, found ${excerpt(cell(row))}`);
    }
    const entityId = dataSet.groups[geo(row)] ?? countryOf(geo(row));
    const measure = dataSet.measures[measuredBy(row)];
    if (entityId === null || measure === undefined) return [];
    return [
      {
        seriesCode: [...codes.map(({ cell }) => cell(row)), geo(row)].join('.'),
        ...measure,
        entityId,
        frequency: dataSet.frequency,
        ...periodOf(dataSet.frequency, dayIn(period(row), dataSet.frequency, row.line)),
        value: value(row),
        observedAt,
        ...statusField(eurostatStatusOf(flags(row))),
      },
    ];
  });
}

function downloadKnownAt(download: Download, payload: Payload): string {
  if (download.isWide) return monthOfDownload(download, payload.retrievedAt);
  const table = readCsv(payload.body, { sourceId: ID, required: ['LAST UPDATE'], missing: [':'] });
  if (table.rows.length === 0) throw new UpstreamError(ID, 'the download has no rows');
  return updatedAt(table, payload);
}

function downloadRows(download: Download, payload: Payload): ObservationRecord[] {
  const observedAt = downloadKnownAt(download, payload);
  return downloadReadings(download, payload).flatMap(
    ({ seriesCode, canonicalId, unit, area, isChained, frequency, period, line, value, obsStatus }) => {
      const groups: Readonly<Record<string, string>> = isChained ? MEMBERS_OF_EACH_TIME : MEMBERS_OF_TODAY;
      const entityId = groups[area] ?? countryOf(area);
      if (entityId === null) return [];
      const placed = periodOf(frequency, dayIn(period, frequency, line));
      return [{ seriesCode, canonicalId, unit, entityId, frequency, ...placed, value, observedAt, ...statusField(obsStatus) }];
    },
  );
}

/** ISO 3166 alpha-2 except for Greece, the United Kingdom and Kosovo. Null for a group of countries under a code that is not read. */
function countryOf(geo: string): string | null {
  const odd: Readonly<Record<string, string | null>> = { EA: null, EL: 'gr', EU: null, UK: 'gb', XK: 'region_xkx' };
  if (!/^[A-Z]{2}$/.test(geo)) return null;
  const known = odd[geo];
  return known === undefined ? geo.toLowerCase() : known;
}

function dayIn(period: string, frequency: DataSet['frequency'] | 'annual', line: number): string {
  if (frequency === 'annual' && /^\d{4}$/.test(period)) return `${period}-01-01`;
  const quarter = /^(\d{4})-Q([1-4])$/.exec(period);
  const month = frequency === 'quarterly' ? quarter && `${quarter[1]}-${String(Number(quarter[2]) * 3).padStart(2, '0')}` : period;
  if (month === null || !/^\d{4}-\d{2}$/.test(month) || !isDay(`${month}-01`))
    throw new UpstreamError(ID, `expected a ${frequency} period on line ${line}, found ${excerpt(period)}`);
  return `${month}-01`;
}
