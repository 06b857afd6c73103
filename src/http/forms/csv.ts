// RFC 4180 in UTF-8, header line first. Null is an empty cell; an empty text is quoted.
import { type Cell, type Column, cellsOf } from './columns.ts';

export function csvHeader(columns: readonly Column[]): string {
  return `${columns.map((column) => quoted(column.name)).join(',')}\r\n`;
}

export function csvPage(rows: readonly unknown[], columns: readonly Column[]): string {
  const cells = columns.map((column) => cellsOf(rows, column).map(isText(column) ? textCell : plainCell));
  return rows.map((_, i) => `${cells.map((column) => column[i]).join(',')}\r\n`).join('');
}

const isText = ({ kind }: Column) => kind === 'text' || kind === 'code';

function textCell(cell: Cell): string {
  return plainCell(typeof cell === 'string' && isFormula(cell) ? `'${cell}` : cell);
}

function plainCell(cell: Cell): string {
  if (cell === null) return '';
  return quoted(typeof cell === 'object' ? JSON.stringify(cell) : String(cell));
}

// Spreadsheets execute a cell that begins with one of these, full-width forms too. Numbers and JSON cannot contain a formula.
function isFormula(text: string): boolean {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text);
}

function quoted(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
