// International Monetary Fund, editions of the World Economic Outlook: tables of countries and years, separated by tabs or commas, in several encodings, with the
// extension .xls or .csv. An edition names its month: it is known from the end of that. Values after `Estimates Start After` are estimates or projections, never
// actual values. If a row does not state where its estimates start, years from that of the edition on are projections, and earlier ones are of neither kind.
import { lastDayOfMonth } from '../../model/period.ts';
import type { Batch, ObservationRecord, RefusedRecord } from '../../model/record.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { parseCsv, parseNumber } from '../readers/csv.ts';
import { outlookEntity } from '../readers/outlook-countries.ts';
import { decodeText, excerpt, refuseMarkup } from '../readers/text.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';
import { knownByEndOf, yearOf } from '../records/projection-rounds.ts';

const ID = 'imf_weo';
const FILE = /(?:^|\/)imf\/weo\/(\d{4}-\d{2})\.[^/]+\.(?:xls|csv)$/;

interface Subject {
  readonly code: string;
  readonly actual: string;
  readonly projection: string;
  readonly unit: string;
  /** The digits to append to a number to get units. */
  readonly power: string;
}

/** By descriptor and unit. */
const SUBJECTS: Readonly<Record<string, Subject>> = {
  'Gross domestic product, constant prices|Percent change': {
    code: 'NGDP_RPCH',
    actual: 'gdp_growth_annual',
    projection: 'projection_gdp_growth',
    unit: 'percent',
    power: '',
  },
  'Inflation, average consumer prices|Percent change': {
    code: 'PCPIPCH',
    actual: 'cpi_inflation_annual',
    projection: 'projection_inflation',
    unit: 'percent',
    power: '',
  },
  'Unemployment rate|Percent of total labor force': {
    code: 'LUR',
    actual: 'unemployment_rate_annual',
    projection: 'projection_unemployment_rate',
    unit: 'percent',
    power: '',
  },
  'General government gross debt|Percent of GDP': {
    code: 'GGXWDG_NGDP',
    actual: 'government_debt',
    projection: 'projection_government_debt',
    unit: 'percent',
    power: '',
  },
  'Gross domestic product, current prices|U.S. dollars': {
    code: 'NGDPD',
    actual: 'gdp_nominal_usd',
    projection: 'projection_gdp_nominal_usd',
    unit: 'usd',
    power: 'e9',
  },
};

export const imfWeo: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path),
  address: () => 'https://www.imf.org/en/Publications/WEO/weo-database/',
  mediaType: 'text/tab-separated-values',
  knownAt: ({ key, retrievedAt }) => knownByEndOf(lastDayOfMonth(monthOf(key)), retrievedAt),
  normalise: editionBatches,
};

function monthOf(key: string): string {
  const month = FILE.exec(key)?.[1] ?? '';
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    throw new UpstreamError(ID, `expected the month of the edition in the file name, found ${key}`);
  return month;
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const FOOTER = /\n[",\s]*International Monetary Fund, World Economic Outlook Database, ([A-Z][a-z]+) (\d{4})[",\s]*$/;

function* editionBatches({ key, body, retrievedAt }: Payload): Generator<Batch> {
  const month = monthOf(key);
  const observedAt = knownByEndOf(lastDayOfMonth(month), retrievedAt);
  const table = tableOf(month, textOf(body));
  const rows: ObservationRecord[] = [];
  const refused = new Map<string, RefusedRecord>();
  for (const row of table.rows) {
    const subject =
      SUBJECTS[`${table.cell(row, 'Subject Descriptor')}|${table.cell(row, 'Units').replace(/^Annual percent change$/, 'Percent change')}`];
    if (subject === undefined) continue;
    checkScale(subject, table, row);
    const country = table.cell(row, 'Country') || table.cell(row, 'Country Group Name');
    const entityId = outlookEntity(country, table.cell(row, 'ISO'));
    if (entityId === null)
      refused.set(country, refusedOf('identity_unresolved', country, `${excerpt(country)} is neither a country nor a group that is known`));
    else rows.push(...recordsOf(table, row, { subject, entityId, month, observedAt, refused }));
  }
  if (rows.length + refused.size === 0) {
    const reason = `the edition has none of the subjects ${Object.values(SUBJECTS)
      .map(({ code }) => code)
      .join(', ')}`;
    refused.set('', refusedOf('identity_unresolved', null, reason));
  }
  yield* observationBatches(withoutRepeats(ID, rows));
  if (refused.size > 0) yield { kind: 'refused', rows: [...refused.values()] };
}

interface Row {
  readonly subject: Subject;
  readonly entityId: string;
  readonly month: string;
  readonly observedAt: string;
  readonly refused: Map<string, RefusedRecord>;
}

function* recordsOf(
  table: Table,
  row: readonly string[],
  { subject, entityId, month, observedAt, refused }: Row,
): Generator<ObservationRecord> {
  const lastActual = lastActualYear(table, row);
  const code = `${entityId.replace('iso3:', '').toUpperCase()}.${subject.code}.A`;
  for (const year of table.years) {
    const text = table.cell(row, year);
    if (MISSING.has(text)) continue;
    const value = numberOf(text, table.decimal, subject.power);
    const isActual = lastActual !== null && year <= lastActual;
    if (lastActual === null && year < month.slice(0, 4)) {
      const reason = `${subject.code} does not say where its estimates start: values before ${month.slice(0, 4)} may be actual or not`;
      refused.set(subject.code, refusedOf('future_period', subject.code, reason));
      continue;
    }
    yield {
      seriesCode: isActual ? code : `${code}.PROJECTION`,
      canonicalId: isActual ? subject.actual : subject.projection,
      entityId,
      frequency: 'annual',
      unit: subject.unit,
      ...yearOf(year),
      value,
      observedAt,
    };
  }
}

const MISSING: ReadonlySet<string> = new Set(['', 'n/a', '--', 'no data']);

function lastActualYear(table: Table, row: readonly string[]): string | null {
  const stated = table.cell(row, 'Estimates Start After');
  if (stated === '') return null;
  if (!/^(?:\d{4}|0)$/.test(stated)) throw new UpstreamError(ID, `expected the last year of actual data, found ${excerpt(stated)}`);
  return stated.padStart(4, '0');
}

/** A percentage has the scale `Units` or none; dollars come in billions, and some editions omit that scale. */
function checkScale({ power, code }: Subject, table: Table, row: readonly string[]): void {
  const scale = table.cell(row, 'Scale');
  const expected = power === '' ? ['', 'Units'] : ['', 'Billions'];
  if (!expected.includes(scale)) throw new UpstreamError(ID, `expected ${code} in ${expected.at(-1)}, found ${excerpt(scale)}`);
}

function refusedOf(rule: RefusedRecord['rule'], seriesCode: string | null, reason: string): RefusedRecord {
  return { rule, seriesCode, entityId: null, period: null, fieldPath: null, observedValue: null, reason };
}

// --- The file

function textOf(body: Uint8Array): string {
  if (body[1] === 0 || (body[0] === 0xff && body[1] === 0xfe)) return decodeText(ID, body, 'utf-16le');
  try {
    return decodeText(ID, body);
  } catch {
    return decodeText(ID, body, 'windows-1252');
  }
}

interface Table {
  readonly years: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Without surrounding blanks; empty if there is no such column. */
  readonly cell: (row: readonly string[], column: string) => string;
  readonly decimal: '.' | ',';
}

function tableOf(month: string, text: string): Table {
  refuseMarkup(ID, text, 'a table of the World Economic Outlook');
  const lines = text.replace(/\r\n?/g, '\n');
  const footer = FOOTER.exec(lines);
  if (footer === null) throw new UpstreamError(ID, 'the line that names the edition is missing: the file is truncated, or no edition');
  const stated = `${footer[2]}-${String(MONTHS.indexOf(footer[1] ?? '') + 1).padStart(2, '0')}`;
  if (stated !== month)
    throw new UpstreamError(ID, `the file is named ${month} and says that it is the edition of ${footer[1]} ${footer[2]}`);
  const [header = [], ...rows] = cellsOf(lines.slice(0, footer.index + 1));
  const places = new Map(header.map((name, index) => [name.trim(), index]));
  const absent = ['Subject Descriptor', 'Units'].filter((name) => !places.has(name));
  if (absent.length > 0) throw new UpstreamError(ID, `expected the columns ${absent.join(', ')}, found ${excerpt(header.join(', '), 200)}`);
  const years = [...places.keys()].filter((name) => /^(?:19|20)\d{2}$/.test(name));
  const cell = (row: readonly string[], column: string) => (row[places.get(column) ?? -1] ?? '').trim();
  return { years, rows, cell, decimal: decimalOf(rows.flatMap((row) => years.map((year) => cell(row, year)))) };
}

/** Quotation marks in a tab-separated cell are part of its text. */
function cellsOf(text: string): readonly (readonly string[])[] {
  if (!text.split('\n', 1)[0]?.includes('\t')) {
    const { columns, rows } = parseCsv(text, { sourceId: ID, required: [] });
    return [columns, ...rows.map(({ cells }) => cells)];
  }
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('\t').map((cell) => cell.replace(/^"(.*)"$/, '$1').replaceAll('""', '"')));
}

/** A comma is a decimal mark in files from such locales, else it separates thousands. */
function decimalOf(cells: readonly string[]): '.' | ',' {
  if (cells.some((cell) => cell.includes('.'))) return '.';
  const withComma = cells.filter((cell) => cell.includes(','));
  if (withComma.length === 0) return '.';
  if (withComma.every((cell) => /^-?\d{1,3}(?:,\d{3})+$/.test(cell)))
    throw new UpstreamError(ID, `the commas of ${excerpt(withComma[0] ?? '')} may part thousands or decimals`);
  return ',';
}

function numberOf(text: string, decimal: '.' | ',', power: string): number {
  const plain = decimal === '.' ? text.replaceAll(',', '') : text.replace(',', '.');
  const value = parseNumber(`${plain}${power}`);
  if (value === null) throw new UpstreamError(ID, `expected a number, found ${excerpt(text)}`);
  return value;
}
