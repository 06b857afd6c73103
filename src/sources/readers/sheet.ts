// The cells of the sheets of an XLSX workbook, row by row.
import readWorkbook, { readSheet } from 'read-excel-file/node';
import { UpstreamError } from '../upstream-error.ts';
import { membersOf } from './zip.ts';

export type SheetCell = string | number | boolean | Date | null;
export type SheetRows = readonly (readonly SheetCell[])[];

/** A workbook is a zip: one that is too large or damaged is refused before it is unpacked. */
const MOST_BYTES = 64 * 1024 * 1024;

/** @param name of the sheet; the first one by default */
export const sheetRows = (sourceId: string, body: Uint8Array, name?: string): Promise<SheetRows> =>
  read(sourceId, body, async (book) => (await (name === undefined ? readSheet(book) : readSheet(book, name))) as SheetCell[][]);

/** Every sheet of the workbook, by its name. */
export const sheetsOf = (sourceId: string, body: Uint8Array): Promise<ReadonlyMap<string, SheetRows>> =>
  read(sourceId, body, async (book) => new Map((await readWorkbook(book)).map(({ sheet, data }) => [sheet, data as SheetCell[][]])));

async function read<Read>(sourceId: string, body: Uint8Array, how: (book: Buffer) => Promise<Read>): Promise<Read> {
  await membersOf(sourceId, body, MOST_BYTES);
  try {
    return await how(Buffer.from(body));
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new UpstreamError(sourceId, `the sheet cannot be read: ${problem}`, { cause });
  }
}

/** Days since 1899-12-30, the origin of workbooks. */
const DAY_OF_1970 = 25_569;

/** The day of a cell with a date format or with its number; null for any other cell. */
export function dayOfCell(cell: SheetCell | undefined): string | null {
  if (cell instanceof Date && !Number.isNaN(cell.getTime())) return cell.toISOString().slice(0, 10);
  if (typeof cell !== 'number' || !Number.isInteger(cell) || cell < 1) return null;
  return new Date((cell - DAY_OF_1970) * 86_400_000).toISOString().slice(0, 10);
}
