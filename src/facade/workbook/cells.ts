// Rows of an answer as cells of a sheet. A text is always a text cell: a spreadsheet never runs it as a formula.
import type { CellObject, SheetData } from 'write-excel-file/node';

export type AnswerRow = Readonly<Record<string, unknown>>;

/** Fields with a day; other texts may look like one, such as the label of a vintage. */
const DAYS = new Set(['date', 'periodEnd', 'releaseDate']);
const INSTANTS = new Set(['asOf', 'observedAt', 'retrievedAt', 'supersededAt', 'knownTo', 'knowledgeCutoff']);

const DAY_FORMAT = 'yyyy-mm-dd';
const INSTANT_FORMAT = 'yyyy-mm-dd hh:mm:ss';

/** Spreadsheets count days from 1900, and take that year for a leap year: an earlier day stays a text. */
const FIRST_DAY = '1900-03-01';

/** The most characters of a cell in Excel. */
const MOST_CHARACTERS = 32_767;

/** The fields of a row in one level: `rights` becomes `rights.license` and others. A list becomes one text. */
export function flatRow(row: AnswerRow): AnswerRow {
  const flat: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (Array.isArray(value)) flat[name] = value.join(', ');
    else if (typeof value !== 'object' || value === null) flat[name] = value;
    else for (const [inner, one] of Object.entries(value)) flat[`${name}.${inner}`] = one;
  }
  return flat;
}

/** Null is an empty cell. */
export function cellOf(name: string, value: unknown): CellObject | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return { value, type: Number };
  if (typeof value === 'boolean') return { value, type: Boolean };
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const isDated = text >= FIRST_DAY && (DAYS.has(name) || INSTANTS.has(name));
  if (isDated) return { value: new Date(text), type: Date, format: DAYS.has(name) ? DAY_FORMAT : INSTANT_FORMAT };
  const isWhole = text.length <= MOST_CHARACTERS;
  return { value: isWhole ? text : `${text.slice(0, MOST_CHARACTERS - 1)}…`, type: String };
}

export interface Sheet {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: SheetData;
}

/** The sheet as the library takes it: a bold header that stays in view, and widths that show a date. */
export function sheetData({ name, columns, rows }: Sheet) {
  const header = columns.map((column): CellObject => ({ value: column, type: String, fontWeight: 'bold' }));
  const widthOf = (column: string) => (INSTANTS.has(column) ? 20 : Math.max(12, column.length + 2));
  return { sheet: name, data: [header, ...rows], stickyRowsCount: 1, columns: columns.map((column) => ({ width: widthOf(column) })) };
}
