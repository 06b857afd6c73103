// Downloads of Eurostat's data browser, each in a folder named by its day: codes or labels, and more series than a plan requests. The series listed below are
// read and all others skipped. Tables with periods as columns state no update: they are known from the end of the month that their folder names.
import { lastDayOfMonth, type Frequency } from '../../model/period.ts';
import { eurostatArea, eurostatCode } from './labels.ts';
import { parseNumber, readCsv } from '../readers/csv.ts';
import { eurostatStatusOf } from '../readers/obs-status.ts';
import { excerpt } from '../readers/text.ts';
import { knownOn, type Payload } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'eurostat';
const DOWNLOAD = /(?:^|\/)eurostat\/(\d{4}-\d{2}(?:-\d{2})?)\/([a-z0-9_]+)(\.wide)?\.csv$/;

export interface Download {
  readonly dataSet: string;
  /** `2025-06-03` or `2025-01`. */
  readonly named: string;
  readonly isWide: boolean;
}

/** The download behind a path; null for any other file and for data sets that are not read. */
export function downloadOf(path: string): Download | null {
  const [, named = '', dataSet = '', wide] = DOWNLOAD.exec(path) ?? [];
  return DOWNLOADS[dataSet] === undefined ? null : { dataSet, named, isWide: wide !== undefined };
}

interface Measure {
  /** A code for each dimension except the area, in the order of the structure. */
  readonly codes: readonly string[];
  readonly canonicalId: string;
  readonly unit: string;
}

interface DataSet {
  readonly frequency: Frequency & ('monthly' | 'quarterly' | 'annual');
  readonly dimensions: readonly string[];
  readonly measures: readonly Measure[];
  /** The same as for the data set of a plan: the codes of groups to read. */
  readonly chained: boolean;
}

const unemployment = (adjusted: string, age: string, canonicalId: string): Measure => ({
  codes: ['M', adjusted, age, 'PC_ACT', 'T'],
  canonicalId,
  unit: 'percent',
});

const DOWNLOADS: Readonly<Record<string, DataSet>> = {
  une_rt_m: {
    frequency: 'monthly',
    dimensions: ['freq', 's_adj', 'age', 'unit', 'sex'],
    measures: [
      unemployment('SA', 'TOTAL', 'unemployment_rate'),
      unemployment('NSA', 'TOTAL', 'unemployment_rate_nsa'),
      unemployment('SA', 'Y_LT25', 'unemployment_rate_youth'),
      unemployment('SA', 'Y25-74', 'unemployment_rate_25_74'),
    ],
    chained: false,
  },
  namq_10_gdp: {
    frequency: 'quarterly',
    dimensions: ['freq', 'unit', 's_adj', 'na_item'],
    measures: [
      { codes: ['Q', 'CLV20_MEUR', 'SCA', 'B1GQ'], canonicalId: 'gdp_real_eur', unit: 'eur_millions_chained' },
      // The contribution of gross domestic product to its own growth is that growth.
      { codes: ['Q', 'CON_PPCH_PRE', 'SCA', 'B1GQ'], canonicalId: 'gdp_growth_qoq_published', unit: 'percent' },
      { codes: ['Q', 'CON_PPCH_SM', 'SCA', 'B1GQ'], canonicalId: 'gdp_growth_yoy_published', unit: 'percent' },
    ],
    chained: false,
  },
  prc_hicp_manr: {
    frequency: 'monthly',
    dimensions: ['freq', 'unit', 'coicop'],
    measures: [{ codes: ['M', 'RCH_A', 'CP00'], canonicalId: 'hicp_inflation_yoy', unit: 'percent' }],
    chained: true,
  },
  prc_hicp_midx: {
    frequency: 'monthly',
    dimensions: ['freq', 'unit', 'coicop'],
    measures: [{ codes: ['M', 'I15', 'CP00'], canonicalId: 'hicp_2015', unit: 'index' }],
    chained: true,
  },
  prc_hicp_minr: {
    frequency: 'monthly',
    dimensions: ['freq', 'unit', 'coicop18'],
    measures: [
      { codes: ['M', 'RCH_A', 'TOTAL'], canonicalId: 'hicp_inflation_yoy', unit: 'percent' },
      { codes: ['M', 'I25', 'TOTAL'], canonicalId: 'hicp', unit: 'index' },
    ],
    chained: true,
  },
  prc_hpi_q: {
    frequency: 'quarterly',
    dimensions: ['freq', 'purchase', 'unit'],
    measures: [{ codes: ['Q', 'TOTAL', 'I15_Q'], canonicalId: 'house_price_index', unit: 'index' }],
    chained: false,
  },
  tec00115: {
    frequency: 'annual',
    dimensions: ['freq', 'unit', 'na_item'],
    measures: [{ codes: ['A', 'CLV_PCH_PRE', 'B1GQ'], canonicalId: 'gdp_growth_annual', unit: 'percent' }],
    chained: false,
  },
};

export interface Reading extends Omit<Measure, 'codes'> {
  readonly seriesCode: string;
  readonly area: string;
  readonly isChained: boolean;
  readonly frequency: DataSet['frequency'];
  readonly period: string;
  readonly line: number;
  readonly value: number | null;
  readonly obsStatus: string | undefined;
}

export function downloadReadings({ dataSet, isWide }: Download, { body }: Payload): Reading[] {
  const known = DOWNLOADS[dataSet];
  if (known === undefined) throw new UpstreamError(ID, `expected a data set that is read, found ${dataSet}`);
  const readings = isWide ? wideReadings(known, body) : longReadings(known, body);
  if (readings.length === 0) throw new UpstreamError(ID, `the download has no rows of ${known.measures.map(keyOf).join(' or ')}`);
  return readings;
}

const keyOf = ({ codes }: Measure): string => codes.join('.');

function longReadings(known: DataSet, body: Uint8Array): Reading[] {
  const table = readCsv(body, { sourceId: ID, required: [...known.dimensions, 'geo', 'TIME_PERIOD', 'OBS_VALUE'], missing: [':'] });
  const measureOf = measuresOf(known);
  const dimensions = known.dimensions.map((name) => ({ name, cell: table.text(name) }));
  const [geo, period, value] = [table.text('geo'), table.text('TIME_PERIOD'), table.number('OBS_VALUE')];
  const flags = table.columns.includes('OBS_FLAG') ? table.text('OBS_FLAG') : () => '';
  return table.rows.flatMap((row) => {
    const measure = measureOf(dimensions.map(({ name, cell }) => eurostatCode(name, cell(row))));
    if (measure === undefined) return [];
    const area = eurostatArea(ID, geo(row));
    return [
      readingOf(known, measure, { area, period: period(row), line: row.line, value: value(row), obsStatus: eurostatStatusOf(flags(row)) }),
    ];
  });
}

function measuresOf({ measures }: DataSet): (codes: readonly string[]) => Measure | undefined {
  const byKey = new Map(measures.map((measure) => [keyOf(measure), measure]));
  return (codes) => byKey.get(codes.join('.'));
}

function readingOf(
  { frequency, chained }: DataSet,
  { codes, canonicalId, unit }: Measure,
  stated: Pick<Reading, 'area' | 'period' | 'line' | 'value' | 'obsStatus'>,
): Reading {
  return { ...stated, seriesCode: [...codes, stated.area].join('.'), canonicalId, unit, frequency, isChained: chained };
}

/** One column per period; flags may follow a value: `13.45 b`, `: c`. */
function wideReadings(known: DataSet, body: Uint8Array): Reading[] {
  const table = readCsv(body, { sourceId: ID, required: [...known.dimensions, 'geo'], mayLackFinalLineEnd: true });
  const measureOf = measuresOf(known);
  const dimensions = known.dimensions.map((name) => table.text(name));
  const geo = table.text('geo');
  const periods = table.columns
    .filter((column) => /^\d{4}(?:-Q[1-4]|-\d{2})?$/.test(column.trim()))
    .map((column) => ({ period: column.trim(), cell: table.text(column) }));
  return table.rows.flatMap((row) => {
    const measure = measureOf(dimensions.map((cell) => cell(row)));
    if (measure === undefined) return [];
    const area = eurostatArea(ID, geo(row));
    return periods.map(({ period, cell }) => readingOf(known, measure, { area, period, line: row.line, ...cellOf(cell(row), row.line) }));
  });
}

function cellOf(cell: string, line: number): Pick<Reading, 'value' | 'obsStatus'> {
  const [value = '', flags = ''] = cell.trim().split(/\s+/, 2);
  const obsStatus = eurostatStatusOf(flags);
  if (value === ':' || value === '') return { value: null, obsStatus };
  const number = parseNumber(value);
  if (number === null) throw new UpstreamError(ID, `expected a number on line ${line}, found ${excerpt(cell)}`);
  return { value: number, obsStatus };
}

/** The end of the month that the folder of a table names, or an earlier retrieval. */
export function monthOfDownload({ named }: Download, retrievedAt: string): string {
  const end = knownOn(lastDayOfMonth(named.slice(0, 7)), retrievedAt);
  return end < retrievedAt ? end : retrievedAt;
}
