// RFC 4180, UTF-8, header line first. A null is an empty cell, an empty text a quoted one.
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

// Spreadsheets run a cell that begins so, in full width too. Numbers and JSON are left alone: neither can hold a formula.
function isFormula(text: string): boolean {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text);
}

function quoted(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
