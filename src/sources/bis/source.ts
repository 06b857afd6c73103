// Bank for International Settlements: policy rates of central banks (WS_CBPOL) and consumer price indices (WS_LONG_CPI, 2010 = 100), by month.
// No file states a time of publication: a value is known from its retrieval, or from the end of the day or month that the folder of a download names.
import { readSheet } from 'read-excel-file/node';
import { isDay, lastDayOfMonth, periodOf } from '../../model/period.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { BIS_DATA_SETS, bisFeed } from './feed.ts';
import { type CsvRow, readCsv } from '../readers/csv.ts';
import { obsStatusOf, statusField } from '../readers/obs-status.ts';
import { readSdmxMl, seriesKeyOf } from '../readers/sdmx-ml.ts';
import { excerpt } from '../readers/text.ts';
import { membersOf } from '../readers/zip.ts';
import type { Batch, ObservationRecord, RefusedRecord } from '../../model/record.ts';
import { knownByFolder, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'bis';
const SHEET = /(?:^|\/)bis\/Monthly_interest_rates\.CBPOL\.xlsx$/;
const MESSAGE = /(?:^|\/)central-banks\/bis-data\.xml$/;
/** Bulk downloads of the portal: one row per series, one column per period; cells have codes, or a code and its label. */
const COLUMNS = /(?:^|\/)bis\/[^/]+\/(WS_CBPOL_M|WS_LONG_CPI)_csv_col\.csv$/;
const ANSWER = /(?:^|\/)bis\/(WS_[A-Z_]+)\.M\.csv$/;

interface DataSet {
  readonly canonicalId: string;
  readonly unit: string;
  /** UNIT_MEASURE: 368 percent a year, 628 index of 2010. */
  readonly measure: string;
  /** Dimensions in the order of the structure. */
  readonly dimensions: readonly string[];
}

const POLICY_RATES: DataSet = {
  canonicalId: 'central_bank_policy_rate',
  unit: 'percent',
  measure: '368',
  dimensions: ['FREQ', 'REF_AREA'],
};
const CONSUMER_PRICES: DataSet = {
  canonicalId: 'cpi_nsa',
  unit: 'index',
  measure: '628',
  dimensions: ['FREQ', 'REF_AREA', 'UNIT_MEASURE'],
};
const DATA_SETS: Readonly<Record<string, DataSet>> = { WS_CBPOL: POLICY_RATES, WS_LONG_CPI: CONSUMER_PRICES };

export const bis: Source = {
  id: ID,
  version: 3,
  owns: (path) => [SHEET, MESSAGE, COLUMNS].some((file) => file.test(path)) || dataSetOf(path) !== null,
  address: (path) => {
    if (MESSAGE.test(path)) return BIS_DATA_SETS['WS_CBPOL'] ?? null;
    const name = ANSWER.exec(path)?.[1];
    return name === undefined ? 'https://data.bis.org/topics/CBPOL' : (BIS_DATA_SETS[name] ?? null);
  },
  mediaType: 'text/csv',
  knownAt: ({ key, retrievedAt }) => knownByFolder(key, retrievedAt),
  normalise: (payload) => {
    if (SHEET.test(payload.key)) return sheetBatches(payload);
    if (COLUMNS.test(payload.key)) return batchesOf(columnReadings(payload), payload);
    return batchesOf(MESSAGE.test(payload.key) ? messageReadings(payload) : answerReadings(payload), payload);
  },
  feed: bisFeed,
};

function dataSetOf(path: string): DataSet | null {
  const name = ANSWER.exec(path)?.[1] ?? COLUMNS.exec(path)?.[1]?.replace(/_M$/, '');
  return DATA_SETS[name ?? ''] ?? null;
}

interface Reading {
  readonly dataSet: DataSet;
  readonly seriesCode: string;
  readonly area: string;
  /** `YYYY-MM` */
  readonly month: string;
  readonly value: number | null;
  readonly obsStatus?: string;
}

function* batchesOf(readings: readonly Reading[], { key, retrievedAt }: Payload): Generator<Batch> {
  if (readings.length === 0) throw new UpstreamError(ID, 'the file has no rows');
  yield* observationBatches(
    withoutRepeats(
      ID,
      readings.flatMap((reading) => toRecord(reading, knownByFolder(key, retrievedAt))),
    ),
  );
  const refused = readings.filter(({ area }) => entityOf(area) === null).map(refusal);
  if (refused.length > 0) yield { kind: 'refused', rows: refused };
}

function toRecord({ dataSet, seriesCode, area, month, value, obsStatus }: Reading, observedAt: string): ObservationRecord[] {
  const entityId = entityOf(area);
  if (entityId === null) return [];
  const { canonicalId, unit } = dataSet;
  return [
    {
      seriesCode,
      // For the euro area only the harmonised index exists.
      canonicalId: entityId === 'ea' && dataSet === CONSUMER_PRICES ? 'hicp' : canonicalId,
      entityId,
      frequency: 'monthly',
      unit,
      ...periodOf('monthly', `${month}-01`),
      value,
      observedAt,
      ...statusField(obsStatus),
    },
  ];
}

/** ISO 3166 alpha-2 except for groups of countries, of which only the euro area has a central bank. */
function entityOf(area: string): string | null {
  if (area === 'XM') return 'ea';
  return /^[A-WYZ][A-Z]$/.test(area) ? area.toLowerCase() : null;
}

function refusal({ seriesCode, area, month, value }: Reading): RefusedRecord {
  return {
    rule: 'identity_unresolved',
    seriesCode,
    entityId: null,
    period: month,
    fieldPath: 'REF_AREA',
    observedValue: value === null ? null : String(value),
    reason: `the area ${excerpt(area)} is neither a country nor the euro area`,
  };
}

function answerReadings({ key, body }: Payload): Reading[] {
  const dataSet = dataSetOf(key);
  if (dataSet === null) throw new UpstreamError(ID, `expected a data set that is read, found ${key}`);
  const table = readCsv(body, {
    sourceId: ID,
    required: [...new Set([...dataSet.dimensions, 'UNIT_MEASURE', 'UNIT_MULT', 'TIME_PERIOD', 'OBS_VALUE'])],
    missing: ['NaN'],
  });
  const dimensions = dataSet.dimensions.map((name) => table.text(name));
  const [frequency, area, measure] = [table.text('FREQ'), table.text('REF_AREA'), table.text('UNIT_MEASURE')];
  const [multiplier, period, value] = [table.text('UNIT_MULT'), table.text('TIME_PERIOD'), table.number('OBS_VALUE')];
  const status = table.columns.includes('OBS_STATUS') ? table.text('OBS_STATUS') : () => '';
  return table.rows.map((row: CsvRow) => {
    const place = `on line ${row.line}`;
    expectCell('FREQ', frequency(row), 'M', place);
    expectCell('UNIT_MEASURE', measure(row), dataSet.measure, place);
    expectCell('UNIT_MULT', multiplier(row), '0', place);
    checkMonth(period(row), place);
    return {
      dataSet,
      seriesCode: dimensions.map((code) => code(row)).join('.'),
      area: area(row),
      month: period(row),
      value: value(row),
      ...statusField(obsStatusOf(status(row))),
    };
  });
}

function expectCell(column: string, found: string, expected: string, place: string): void {
  if (found !== expected) throw new UpstreamError(ID, `expected ${expected} in ${column} ${place}, found ${excerpt(found)}`);
}

function checkMonth(month: string, place: string): void {
  if (!/^\d{4}-\d{2}$/.test(month) || !isDay(`${month}-01`))
    throw new UpstreamError(ID, `expected a month ${place}, found ${excerpt(month)}`);
}

function columnReadings({ key, body }: Payload): Reading[] {
  const dataSet = dataSetOf(key);
  if (dataSet === null) throw new UpstreamError(ID, `expected a data set that is read, found ${key}`);
  const table = readCsv(body, { sourceId: ID, required: [], missing: ['NaN'] });
  const named = (code: string, label: string): ((row: CsvRow) => string) => {
    const cell = table.text(table.has(code) ? code : label);
    return (row) => codeOf(cell(row));
  };
  const [frequency, area] = [named('FREQ', 'Frequency'), named('REF_AREA', 'Reference area')];
  const measure = dataSet === CONSUMER_PRICES ? named('UNIT_MEASURE', 'Unit of measure') : () => dataSet.measure;
  const months = table.columns
    .filter((column) => /^\d{4}-\d{2}$/.test(column))
    .map((month) => {
      checkMonth(month, 'in the header');
      return { month, value: table.number(month) };
    });
  if (months.length === 0) throw new UpstreamError(ID, 'expected columns of months, found none');
  // The same file has yearly values, and changes over a year before.
  const read = table.rows.filter((row) => frequency(row) === 'M' && measure(row) === dataSet.measure);
  return read.flatMap((row) => {
    const code = dataSet === CONSUMER_PRICES ? `M.${area(row)}.${dataSet.measure}` : `M.${area(row)}`;
    return months.flatMap(({ month, value }) => {
      const found = value(row);
      return found === null ? [] : [{ dataSet, seriesCode: code, area: area(row), month, value: found }];
    });
  });
}

function messageReadings({ body }: Payload): Reading[] {
  return [...readSdmxMl(ID, body)].map((reading) => {
    const { components, structure, period, value } = reading;
    const seriesCode = seriesKeyOf(ID, reading, POLICY_RATES.dimensions);
    const place = `of ${seriesCode}`;
    expectCell('the structure', structure, 'WS_CBPOL', place);
    for (const [component, code] of Object.entries({ FREQ: 'M', UNIT_MEASURE: POLICY_RATES.measure, UNIT_MULT: '0' }))
      expectCell(component, components.get(component) ?? '', code, place);
    checkMonth(period, place);
    return {
      dataSet: POLICY_RATES,
      seriesCode,
      area: components.get('REF_AREA') ?? '',
      month: period,
      value,
      ...statusField(obsStatusOf(components.get('OBS_STATUS'))),
    };
  });
}

async function* sheetBatches(payload: Payload): AsyncGenerator<Batch> {
  yield* batchesOf(sheetReadings(await sheetOf(payload.body)), payload);
}

type Cell = string | number | boolean | Date | null;

async function sheetOf(body: Uint8Array): Promise<readonly (readonly Cell[])[]> {
  // A workbook is a zip: one that is too large or damaged is refused before it is unpacked.
  await membersOf(ID, body, 64 * 1024 * 1024);
  try {
    return (await readSheet(Buffer.from(body))) as Cell[][];
  } catch (cause) {
    throw new UpstreamError(ID, `the sheet cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** One row per series; after its properties a column for the last day of each month. */
function sheetReadings([header = [], ...rows]: readonly (readonly Cell[])[]): Reading[] {
  const place = (name: string): number => {
    const index = header.findIndex((cell) => typeof cell === 'string' && cell.split(':', 1)[0] === name);
    if (index === -1) throw new UpstreamError(ID, `expected the column ${name}, found ${excerpt(header.slice(0, 12).join(', '), 200)}`);
    return index;
  };
  const [frequency, area, unit, multiplier] = ['FREQ', 'REF_AREA', 'Unit', 'Unit multiplier'].map(place) as [
    number,
    number,
    number,
    number,
  ];
  const months = header.flatMap((cell, index) => (isMonthEnd(cell) ? [{ month: cell.slice(0, 7), index }] : []));
  if (months.length === 0) throw new UpstreamError(ID, 'expected columns of months, found none');
  return rows.flatMap((row, at) => {
    const code = codeOf(row[area]);
    expectCell('FREQ', codeOf(row[frequency]), 'M', `on line ${at + 2}`);
    expectCell('Unit', codeOf(row[unit]), 'Per cent per year', `on line ${at + 2}`);
    expectCell('Unit multiplier', codeOf(row[multiplier]), 'Units', `on line ${at + 2}`);
    return months.flatMap(({ month, index }) => {
      const cell = row[index] ?? null;
      if (cell === null) return [];
      if (typeof cell !== 'number')
        throw new UpstreamError(ID, `expected a number for ${code} in ${month}, found ${excerpt(String(cell))}`);
      return [{ dataSet: POLICY_RATES, seriesCode: `M.${code}`, area: code, month, value: cell }];
    });
  });
}

function isMonthEnd(cell: Cell): cell is string {
  return typeof cell === 'string' && isDay(cell) && cell === lastDayOfMonth(cell.slice(0, 7));
}

function codeOf(cell: Cell | undefined): string {
  return String(cell ?? '').split(':', 1)[0] ?? '';
}
