// Statistisches Bundesamt (Destatis), the tables of its monthly press releases: one dated file per release, with the whole series in each.
import { addMonths, isDay, periodOf } from '../../model/period.ts';
import type { ObservationRecord } from '../../model/record.ts';
import { observationBatches, withoutRepeats } from '../records/batches.ts';
import { type CsvColumn, readCsv } from '../readers/csv.ts';
import { excerpt } from '../readers/text.ts';
import { knownOn, type Payload, type Source } from '../source.ts';
import { UpstreamError } from '../upstream-error.ts';

const ID = 'destatis';
const FILE =
  /(?:^|\/)destatis-vintages\/(?:lkw_maut\/(lkw_maut)_index|umsatz_gastgewerbe\/(umsatz)[-_]gastgewerbe)[-_](\d{4}-\d{2}-\d{2})\.csv$/;

type Table = 'lkw_maut' | 'umsatz';

/** Column names change, their content does not: the unspecified value of the first years is the real one. */
const COLUMNS: Readonly<Record<Table, Readonly<Record<string, string>>>> = {
  lkw_maut: {
    'Kalender- und saisonbereinigt nach X13 JDemetra+': 'LKW_MAUT.X13',
    'Lkw-Maut-Fahrleistungsindex': 'LKW_MAUT.X13',
    'Produktionsindex Verarbeitendes Gewerbe': 'PRODUKTION_VERARBEITENDES_GEWERBE.X13',
  },
  umsatz: {
    Originalwert: 'UMSATZ_GASTGEWERBE.REAL.ORIGINAL',
    'Kalender- und saisonbereinigt (X13 JDemetra+)': 'UMSATZ_GASTGEWERBE.REAL.X13',
    'reale Originalwerte': 'UMSATZ_GASTGEWERBE.REAL.ORIGINAL',
    'real Kalender- und saisonbereinigt (X13 JDemetra+)': 'UMSATZ_GASTGEWERBE.REAL.X13',
    'nominale Originalwerte': 'UMSATZ_GASTGEWERBE.NOMINAL.ORIGINAL',
    'nominal Kalender- und saisonbereinigt (X13 JDemetra+)': 'UMSATZ_GASTGEWERBE.NOMINAL.X13',
  },
};

export const destatis: Source = {
  id: ID,
  version: 1,
  owns: (path) => FILE.test(path),
  // The tables are part of the releases' charts, without URLs of their own.
  address: () => 'https://www.destatis.de/DE/Presse/Pressemitteilungen/_inhalt.html',
  mediaType: 'text/csv',
  knownAt: ({ key, retrievedAt }) => knownOn(releaseOf(key).day, retrievedAt),
  normalise: (payload) => observationBatches(withoutRepeats(ID, rowsOf(payload))),
};

function releaseOf(key: string): { readonly table: Table; readonly day: string } {
  const [, tolls, , day] = FILE.exec(key) ?? [];
  if (day === undefined || !isDay(day)) throw new UpstreamError(ID, `expected the day of the release in the file name, found ${key}`);
  return { table: tolls === undefined ? 'umsatz' : 'lkw_maut', day };
}

function* rowsOf({ key, body, retrievedAt }: Payload): Generator<ObservationRecord> {
  const { table: named, day } = releaseOf(key);
  const table = readCsv(body, {
    sourceId: ID,
    required: ['Monat'],
    delimiter: ';',
    decimal: ',',
    missing: ['Null', '.', '-'],
    mayLackFinalLineEnd: true,
  });
  if (table.rows.length === 0) throw new UpstreamError(ID, 'the file has no rows');
  const columns = table.columns.flatMap((column): [string, CsvColumn<number | null>][] => {
    if (column === 'Monat') return [];
    // Some files separate words by no-break spaces.
    const code = COLUMNS[named][column.replace(/\s+/g, ' ')];
    if (code === undefined)
      throw new UpstreamError(ID, `expected ${Object.keys(COLUMNS[named]).join(', ')}, found the column ${excerpt(column)}`);
    return [[code, table.number(column)]];
  });
  if (columns.length === 0) throw new UpstreamError(ID, 'the file has no column of values');
  const month = table.text('Monat');
  const months = table.rows.map((row) => monthOf(month(row), row.line));
  checkMonths(months, day);
  const observedAt = knownOn(day, retrievedAt);
  for (const [code, value] of columns) {
    for (const [index, row] of table.rows.entries())
      yield { seriesCode: code, ...periodOf('monthly', `${months[index]}-01`), value: value(row), observedAt };
  }
}

/** `2019-01`, or midnight of its first day in Berlin, in UTC: `2019-01-01 01:00:00`. */
function monthOf(text: string, line: number): string {
  const month = /^(\d{4}-\d{2})(?:-01 0[12]:00:00)?$/.exec(text)?.[1];
  if (month === undefined || !isDay(`${month}-01`)) throw new UpstreamError(ID, `expected a month on line ${line}, found ${excerpt(text)}`);
  return month;
}

/** The last line has no line end, so its last number may be cut; but a table that lost lines ends too early, or has a gap. */
function checkMonths(months: readonly string[], released: string): void {
  for (const [index, month] of months.entries()) {
    const before = months[index - 1];
    if (before !== undefined && addMonths(`${before}-01`, 1).slice(0, 7) !== month)
      throw new UpstreamError(ID, `${month} follows ${before}: months are missing`);
  }
  const last = months.at(-1) ?? '';
  if (last >= released.slice(0, 7) || addMonths(`${last}-01`, 3).slice(0, 7) < released.slice(0, 7))
    throw new UpstreamError(ID, `the release of ${released} ends with ${last}: it may be truncated, or named wrongly`);
}
