// Rows as compact text: the header once, values common to all rows once above them, an end of a day as the day.
import { csvField } from '../client/csv.ts';

export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

export interface Table {
  /** `name=value` of the columns in which all rows agree. */
  readonly shared: readonly string[];
  readonly header: string;
  readonly lines: readonly string[];
}

/** Columns in the order in which they appear, without empty ones. */
export function toTable(rows: readonly Row[]): Table {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((column) =>
    rows.some((row) => (row[column] ?? null) !== null),
  );
  const isShared = (column: string) => rows.length > 1 && rows.every((row) => row[column] === rows[0]?.[column]);
  const varying = columns.filter((column) => !isShared(column));
  return {
    shared: columns.filter(isShared).map((column) => `${column}=${textOf(rows[0]?.[column] ?? null)}`),
    header: varying.join(','),
    lines: rows.map((row) => varying.map((column) => fieldOf(row[column] ?? null)).join(',')),
  };
}

export function textOf(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'string' ? shortInstant(cell) : String(cell);
}

/** The last millisecond of a UTC day becomes the day, which is the same cutoff. */
function shortInstant(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d)T23:59:59\.999Z$/, '$1').replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.000Z$/, '$1Z');
}

const fieldOf = (cell: Cell) => csvField(typeof cell === 'string' ? shortInstant(cell) : cell);
