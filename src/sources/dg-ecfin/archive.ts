// The archive of the Business and Consumer Surveys: a zip with one workbook. The first column of its sheet MONTHLY has the last days of months, and each
// further one a survey of a country under its code, `AT.CONS`.
import { readSheet } from 'read-excel-file/node';
import { lastDayOfMonth, toDay } from '../../model/period.ts';
import { UpstreamError } from '../upstream-error.ts';
import { decodeText, excerpt } from '../readers/text.ts';
import { membersOf, onlyMember } from '../readers/zip.ts';

export interface EcfinArchive {
  readonly cells: readonly {
    /** `YYYY-MM` */
    readonly month: string;
    readonly code: string;
    readonly value: number | null;
  }[];
  /** The workbook's own time of its last saving, RFC 3339 UTC; null if it has none. */
  readonly savedAt: string | null;
}

const MOST_BYTES = 64 * 1024 * 1024;
const SHEET = 'MONTHLY';

/** Throws an UpstreamError if it is damaged, or has another layout. */
export async function readEcfinArchive(sourceId: string, archive: Uint8Array): Promise<EcfinArchive> {
  const book = await onlyMember(sourceId, archive, MOST_BYTES);
  // A workbook is a zip too: one that is too large or damaged is refused before it is unpacked.
  const parts = await membersOf(sourceId, book, MOST_BYTES);
  const properties = await parts.find(({ name }) => name === 'docProps/core.xml')?.read();
  return {
    cells: cellsOf(sourceId, await sheetOf(sourceId, book)),
    savedAt: properties === undefined ? null : savedAt(decodeText(sourceId, properties)),
  };
}

function savedAt(properties: string): string | null {
  const stated = /<dcterms:modified\b[^<>]*>\s*(\d{4}-\d{2}-\d{2}T[\d:.]+Z)\s*<\/dcterms:modified>/.exec(properties)?.[1] ?? '';
  return Number.isNaN(Date.parse(stated)) ? null : new Date(stated).toISOString();
}

type Cell = string | number | boolean | Date | null;

async function sheetOf(sourceId: string, book: Uint8Array): Promise<readonly (readonly Cell[])[]> {
  try {
    return (await readSheet(Buffer.from(book), SHEET)) as Cell[][];
  } catch (cause) {
    throw new UpstreamError(sourceId, `the sheet ${SHEET} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

function cellsOf(sourceId: string, [header = [], ...rows]: readonly (readonly Cell[])[]): EcfinArchive['cells'] {
  const codes = header.map((cell, index) => {
    if (index === 0 || cell === null) return null;
    if (typeof cell !== 'string' || !/^[A-Z]{2}\.[A-Z][A-Z0-9]+$/.test(cell.trim()))
      throw new UpstreamError(sourceId, `expected a code of country and survey in column ${index + 1}, found ${excerpt(String(cell))}`);
    return cell.trim();
  });
  if (codes.every((code) => code === null)) throw new UpstreamError(sourceId, `the sheet ${SHEET} names no series`);
  return rows
    .filter((row) => row.some((cell) => cell !== null))
    .flatMap((row, at) => {
      const month = monthOf(sourceId, row[0] ?? null, at + 2);
      return row.slice(1).flatMap((cell, index) => {
        const code = codes[index + 1] ?? null;
        const value = cell === 'NA' ? null : numberOf(cell);
        if (value !== null && (typeof value !== 'number' || code === null))
          throw new UpstreamError(sourceId, `expected a number of ${code ?? 'a series'} in ${month}, found ${excerpt(String(value))}`);
        return code === null ? [] : [{ month, code, value }];
      });
    });
}

/** Some cells have a number as text: "-5.8". */
function numberOf(cell: Cell): Cell {
  return typeof cell === 'string' && /^[-+]?\d+(?:\.\d+)?$/.test(cell.trim()) ? Number(cell) : cell;
}

/** Spreadsheets count days from the end of 1899. */
const DAYS_BEFORE_1970 = 25_569;

function monthOf(sourceId: string, cell: Cell, line: number): string {
  const day =
    cell instanceof Date
      ? cell.toISOString().slice(0, 10)
      : typeof cell === 'number' && Number.isInteger(cell)
        ? toDay(cell - DAYS_BEFORE_1970)
        : cell;
  if (typeof day !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(day) || day !== lastDayOfMonth(day.slice(0, 7)))
    throw new UpstreamError(sourceId, `expected the last day of a month in row ${line}, found ${excerpt(String(cell))}`);
  return day.slice(0, 7);
}
