// Federal Reserve Bank of Philadelphia, Real-Time Data Set for Macroeconomists: one workbook per variable, with a row per quarter or month and a column per
// vintage (ROUTPUT20Q3, IPT24M2). The table states no day of a vintage, so it is known from the end of its quarter or month.
import { addDays, type Period, periodOf, quarterOf } from '../../model/period.ts';
import type { Batch } from '../../model/record.ts';
import { observationBatches } from '../records/batches.ts';
import { type SheetCell, sheetRows } from '../readers/sheet.ts';
import { excerpt } from '../readers/text.ts';
import type { Payload, Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';
import { knownAtEndOf, revisionsOf, type Vintage, type VintageRow } from '../records/revisions.ts';

const ID = 'philadelphia_rtdsm';
const FILE = /(?:^|\/)philadelphia-fed\/rtdsm\/(?:[^/]+\/)?([A-Za-z]+)(Q|M)v(Q|M)d\.xlsx$/;
const FOLDER = 'https://www.philadelphiafed.org/-/media/FRBP/Assets/Surveys-And-Data/real-time-data/data-files/xlsx';

/** The variables, each with its first vintage of the indicator's quantity and base: before 1992 output was the gross national product. */
const FIRST_VINTAGES: Readonly<Record<string, string>> = {
  ROUTPUT: '1992-03-31',
  P: '1992-03-31',
  RCON: '1965-12-31',
  RUC: '1965-12-31',
  CPI: '1994-09-30',
  PCPIX: '1998-11-30',
  IPT: '1962-11-30',
  HSTARTS: '1968-02-29',
  PPPI: '1998-11-30',
  LFPART: '1998-11-30',
  PCONX: '1996-03-31',
};

export const philadelphiaRtdsm: Source = {
  id: ID,
  version: 1,
  owns: (path) => bookOf(path) !== null,
  address: (path) => (bookOf(path) === null ? null : `${FOLDER}/${path.split('/').at(-1) ?? ''}`),
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  normalise: batchesOf,
};

interface Book {
  readonly variable: string;
  readonly vintages: 'Q' | 'M';
  readonly periods: 'Q' | 'M';
}

function bookOf(path: string): Book | null {
  const [, name = '', vintages, periods] = FILE.exec(path) ?? [];
  const variable = name.toUpperCase();
  if (!(variable in FIRST_VINTAGES)) return null;
  return { variable, vintages: vintages === 'M' ? 'M' : 'Q', periods: periods === 'M' ? 'M' : 'Q' };
}

async function* batchesOf({ key, body, retrievedAt }: Payload): AsyncGenerator<Batch> {
  const book = bookOf(key);
  if (book === null) throw new UpstreamError(ID, `expected a workbook of one variable, found ${excerpt(key)}`);
  const [header = [], ...lines] = await sheetRows(ID, body);
  const rows = rowsOf(book, lines);
  const vintages = vintagesOf(book, header, retrievedAt);
  yield* observationBatches(revisionsOf(book.variable, rows, vintages, (cell, period) => numberOf(cell, period)));
}

function vintagesOf({ variable, vintages }: Book, [first, ...names]: readonly SheetCell[], retrievedAt: string): readonly Vintage[] {
  if (first !== 'DATE' || names.length === 0)
    throw new UpstreamError(ID, `expected the column DATE and a column for each vintage, found ${excerpt([first, ...names].join(', '))}`);
  const pattern = vintages === 'Q' ? /^([A-Z]+)(\d{2})Q([1-4])$/ : /^([A-Z]+)(\d{2})M(1[0-2]|[1-9])$/;
  const stated = names.map((name) => {
    const [, of, year = '', number = ''] = pattern.exec(String(name)) ?? [];
    if (of !== variable) throw new UpstreamError(ID, `expected a vintage of ${variable}, found ${excerpt(String(name))}`);
    return partOf(vintages, yearOf(year), number);
  });
  const misplaced = stated.find(({ periodEnd }, place) => place > 0 && periodEnd <= (stated[place - 1]?.periodEnd ?? ''));
  if (misplaced !== undefined) throw new UpstreamError(ID, `the vintage of ${misplaced.period} stands after a newer one`);
  return stated.flatMap((vintage, place) =>
    vintage.periodEnd < (FIRST_VINTAGES[variable] ?? '') ? [] : [{ place: place + 1, observedAt: knownAtEndOf(vintage, retrievedAt) }],
  );
}

/** The data set begins in 1962. */
const yearOf = (year: string) => `${Number(year) < 62 ? '20' : '19'}${year}`;

const partOf = (often: 'Q' | 'M', year: string, number: string): Period =>
  often === 'Q' ? quarterOf(year, number) : periodOf('monthly', `${year}-${number.padStart(2, '0')}-01`);

function rowsOf({ variable, periods }: Book, lines: readonly (readonly SheetCell[])[]): readonly VintageRow[] {
  const rows = lines
    .filter((cells) => cells.some((cell) => cell !== null && cell !== ''))
    .map((cells) => ({ period: periodIn(periods, cells[0] ?? null), cells }));
  if (rows.length === 0) throw new UpstreamError(ID, `the table of ${variable} has no periods`);
  for (const [place, { period }] of rows.entries()) {
    const before = rows[place - 1]?.period;
    if (before !== undefined && addDays(before.periodEnd, 1) !== period.periodStart)
      throw new UpstreamError(ID, `${period.period} follows ${before.period}: periods of ${variable} are missing or out of order`);
  }
  return rows;
}

/** `1947:Q1` or `1947:01`. */
function periodIn(periods: Book['periods'], cell: SheetCell): Period {
  const [, year = '', number = ''] = (periods === 'Q' ? /^(\d{4}):Q([1-4])$/ : /^(\d{4}):(0[1-9]|1[0-2])$/).exec(String(cell)) ?? [];
  if (year === '') throw new UpstreamError(ID, `expected a ${periods === 'Q' ? 'quarter' : 'month'}, found ${excerpt(String(cell))}`);
  return partOf(periods, year, number);
}

/** Values that a vintage lacks are `#N/A`. */
function numberOf(cell: SheetCell, { period }: Period): number | null {
  if (cell === null || cell === '' || cell === '#N/A') return null;
  if (typeof cell !== 'number' || !Number.isFinite(cell))
    throw new UpstreamError(ID, `expected a number in ${period}, found ${excerpt(String(cell))}`);
  return cell;
}
