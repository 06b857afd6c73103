// FRED-MD, the monthly database of McCracken and Ng: one CSV per vintage. Columns come and go, the first data row has transformation codes,
// and blank rows follow at the end. The file names only its month, so it counts as known from the end of that month, or from an
// earlier retrieval.
import { addMonths, endOfDay, lastDayOfMonth } from '../../model/period.ts';
import { fredMdFeed } from './fred-md-feed.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'fred_md';
const FILE = /(?:^|\/)fred-md\/(?:current_|fred-md_)?(\d{4})-(rev-)?(\d{2})(?:-md)?\.csv$/i;
/** Vintages of ten years in one zip, each as the file of its month. */
const ARCHIVE = /^((?:.*\/)?fred-md\/)historical-vintages[^/]*\.zip$/i;
const MEMBER = /(?:^|\/)(?:fred-md_)?(\d{4}-\d{2})(?:-md)?\.csv$/i;
// Years have four digits, but two in a vintage that was saved by a spreadsheet (2023-11).
const MONTH = /^(\d{1,2})\/1\/(\d{4}|\d{2})$/;
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

function vintageMonth(key: string): string {
  const match = FILE.exec(key);
  if (!match) throw new UpstreamError(ID, `${key} does not name its vintage; the file is to be called YYYY-MM.csv`);
  return `${match[1]}-${match[3]}`;
}

// The vintage of a month is published early in it: a retrieval during the month is its knowledge time. The same is true for a revised file, which states no day.
function knownAt({ key, retrievedAt }: Payload): string {
  if (FILE.exec(key)?.[2] !== undefined) return retrievedAt;
  const vintage = vintageMonth(key);
  return retrievedAt.startsWith(vintage) ? retrievedAt : endOfDay(lastDayOfMonth(vintage));
}

function yearOfTwoDigits(digits: number, vintage: string): number {
  const latest = Number(vintage.slice(0, 4));
  return latest - ((((latest - digits) % 100) + 100) % 100);
}

/** `M/1/YYYY` or `M/1/YY` as `YYYY-MM`; a two-digit year is the last such year up to the vintage. */
function monthOf(date: string, vintage: string): string | null {
  const match = MONTH.exec(date);
  const month = Number(match?.[1]);
  if (!match || month < 1 || month > 12) return null;
  const digits = Number(match[2]);
  const year = match[2]?.length === 4 ? digits : yearOfTwoDigits(digits, vintage);
  return `${year}-${String(month).padStart(2, '0')}`;
}

/** The layout that the bulk statement requires: header, transformation codes, then months in order, every row as wide as the header. */
function check(payload: Payload): void {
  const vintage = vintageMonth(payload.key);
  const text = new TextDecoder('utf-8', { fatal: true }).decode(payload.body);
  const lines = text.split(/\r?\n/);
  const width = checkHeader(payload.key, lines[0] ?? '', lines[1] ?? '');
  let previous = '';
  for (const [index, line] of lines.slice(2).entries()) {
    if (!/^[,\s]*$/.test(line)) previous = checkMonth(`${payload.key}: line ${index + 3}`, line.split(','), width, vintage, previous);
  }
  if (previous === '') refuse(`${payload.key}: no month has a row`);
  // Each vintage ends with the month before its own; one that ends earlier lost its last lines.
  const reach = addMonths(`${vintage}-01`, -1).slice(0, 7);
  if (previous !== reach)
    refuse(`${payload.key}: the last month is ${previous}, not ${reach}: the file is cut off or is not of this vintage`);
}

/** Returns the number of columns. */
function checkHeader(key: string, first: string, second: string): number {
  const header = first.split(',').map((name) => name.replaceAll('"', '').trim());
  if (header[0]?.toLowerCase() !== 'sasdate')
    refuse(`${key}: the header begins with ${JSON.stringify(header[0]?.slice(0, 40))}, not with sasdate`);
  const names = new Set(header);
  if (names.size !== header.length || names.has('')) refuse(`${key}: a column has no name or its name twice`);
  if (!/^"?transform:?"?,/i.test(second)) refuse(`${key}: the second line is not the Transform: row`);
  return header.length;
}

/** Returns the month of the row. */
function checkMonth(where: string, cells: readonly string[], width: number, vintage: string, previous: string): string {
  if (cells.length !== width) refuse(`${where} has ${cells.length} fields, the header ${width}: the file may be cut off`);
  const month = monthOf(cells[0]?.trim() ?? '', vintage);
  if (month === null)
    return refuse(`${where} begins with ${JSON.stringify(cells[0]?.slice(0, 40))}, not with the first of a month M/D/YYYY`);
  const wrong = cells
    .slice(1)
    .map((cell) => cell.trim())
    .find((cell) => cell !== '' && cell !== '.' && !NUMBER.test(cell));
  if (wrong !== undefined) refuse(`${where} has ${JSON.stringify(wrong.slice(0, 40))} where a number belongs`);
  if (previous !== '' && month !== addMonths(`${previous}-01`, 1).slice(0, 7)) refuse(`${where}: ${month} does not follow ${previous}`);
  return month;
}

function refuse(problem: string): never {
  throw new UpstreamError(ID, problem);
}

export const fredMd: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path),
  container: (path) => {
    const folder = ARCHIVE.exec(path)?.[1];
    if (folder === undefined) return undefined;
    return (member) => {
      const month = MEMBER.exec(member)?.[1];
      return month === undefined ? null : `${folder}${month}.csv`;
    };
  },
  address: (path) => `https://www.stlouisfed.org/-/media/project/frbstl/stlouisfed/research/fred-md/monthly/${vintageMonth(path)}.csv`,
  mediaType: 'text/csv',
  knownAt,
  feed: fredMdFeed,
  normalise: () => [],
  bulk: {
    sql: 'sources/fred_md.sql',
    check,
    parameters: (payload) => ({
      observed_at: knownAt(payload),
      // The year of 00, of 01, and so on, so that the statement has no rule of its own.
      years_of_two_digits: Array.from({ length: 100 }, (_, digits) => yearOfTwoDigits(digits, vintageMonth(payload.key))).join(' '),
    }),
  },
};
