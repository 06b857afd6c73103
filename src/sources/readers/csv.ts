// CSV → rows whose cells are found by column name. Strict: every row has exactly the header's cells, quotes close, no column is named
// twice, and the last line is ended, since a cut in the middle of a number would otherwise pass for a smaller number.
import { parse } from 'csv-parse/sync';
import { UpstreamError } from '../source.ts';
import { decodeText, excerpt, refuseMarkup } from './text.ts';

export interface CsvOptions {
  readonly sourceId: string;
  /** Columns without which the file cannot be read. Further columns may follow, in any order. */
  readonly required: readonly string[];
  /** Column names of a file that carries no header of its own. */
  readonly header?: readonly string[];
  readonly encoding?: string;
  readonly delimiter?: string;
  /** Blanks around cells and names belong to the layout, not to the value. */
  readonly trim?: boolean;
  readonly decimal?: '.' | ',';
  /** Mark between thousands, if any. */
  readonly thousands?: string;
  /** Cells that mean "no value"; the empty cell always does. */
  readonly missing?: readonly string[];
  /** For publishers who do not end the last line. */
  readonly mayLackFinalLineEnd?: boolean;
}

export interface CsvRow {
  /** Number of the row's last line in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Reads one column of a row. Made once per column; the column's absence is refused then. */
export type CsvColumn<T> = (row: CsvRow) => T;

export interface CsvTable {
  /** Names as the file orders them; the nameless column after a trailing comma is ''. */
  readonly columns: readonly string[];
  readonly rows: readonly CsvRow[];
  readonly has: (column: string) => boolean;
  readonly text: (column: string) => CsvColumn<string>;
  /** null for a missing marker; anything else that is not a number refuses the payload. */
  readonly number: (column: string) => CsvColumn<number | null>;
}

const MISSING: readonly string[] = ['.', '-', 'N/A'];

export function readCsv(body: Uint8Array, options: CsvOptions): CsvTable {
  return parseCsv(decodeText(options.sourceId, body, options.encoding), options);
}

export function parseCsv(text: string, options: CsvOptions): CsvTable {
  const { sourceId } = options;
  refuseMarkup(sourceId, text, 'CSV');
  if (options.mayLackFinalLineEnd !== true && !text.endsWith('\n')) {
    throw new UpstreamError(sourceId, `the last line is not ended, the file is truncated: ${excerpt(text.slice(-40))}`);
  }
  const records = parseRecords(text, options);
  const columns = options.header ?? records.shift()?.cells ?? [];
  checkHeader(columns, options);
  while (records.at(-1)?.cells.every((cell) => cell.trim() === '') === true) records.pop();
  checkNameless(records, columns, sourceId);
  return tableOf(columns, records, options);
}

function parseRecords(text: string, options: CsvOptions): CsvRow[] {
  const rows: CsvRow[] = [];
  try {
    parse(text, {
      delimiter: options.delimiter ?? ',',
      record_delimiter: ['\r\n', '\n'],
      trim: options.trim ?? false,
      skip_empty_lines: true,
      on_record: (cells: string[], { lines }) => {
        rows.push({ line: lines, cells });
        return null;
      },
    });
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new UpstreamError(options.sourceId, `the CSV is malformed: ${problem}`, { cause });
  }
  const misfit = rows.find((row) => options.header !== undefined && row.cells.length !== options.header.length);
  if (misfit !== undefined) {
    throw new UpstreamError(
      options.sourceId,
      `expected ${options.header?.length} columns, found ${misfit.cells.length} on line ${misfit.line}`,
    );
  }
  return rows;
}

function checkHeader(columns: readonly string[], { sourceId, required }: CsvOptions): void {
  const absent = required.filter((column) => !columns.includes(column));
  if (absent.length > 0) {
    throw new UpstreamError(sourceId, `expected the columns ${absent.join(', ')}, found ${excerpt(columns.join(', '), 200)}`);
  }
  const repeated = columns.find((column, index) => column !== '' && columns.indexOf(column) !== index);
  if (repeated !== undefined) throw new UpstreamError(sourceId, `the column ${repeated} stands twice in the header`);
}

/** A value under no name means that header and rows are shifted against each other. */
function checkNameless(rows: readonly CsvRow[], columns: readonly string[], sourceId: string): void {
  const nameless = columns.flatMap((column, index) => (column === '' ? [index] : []));
  for (const index of nameless) {
    const row = rows.find(({ cells }) => cells[index]?.trim() !== '');
    if (row !== undefined)
      throw new UpstreamError(sourceId, `line ${row.line} has a value, ${excerpt(row.cells[index] ?? '')}, in a column without a name`);
  }
}

function tableOf(columns: readonly string[], rows: readonly CsvRow[], options: CsvOptions): CsvTable {
  const { sourceId, decimal = '.', thousands } = options;
  const missing = new Set(['', ...(options.missing ?? MISSING)]);
  const text = (column: string): CsvColumn<string> => {
    const index = columns.indexOf(column);
    if (index === -1) throw new UpstreamError(sourceId, `expected the column ${column}, found ${excerpt(columns.join(', '), 200)}`);
    return ({ cells }) => cells[index] ?? '';
  };
  const number = (column: string): CsvColumn<number | null> => {
    const cellOf = text(column);
    return (row) => {
      const cell = cellOf(row).trim();
      if (missing.has(cell)) return null;
      const value = parseNumber(thousands === undefined ? cell : cell.replaceAll(thousands, ''), decimal);
      if (value === null) throw new UpstreamError(sourceId, `expected a number in ${column} on line ${row.line}, found ${excerpt(cell)}`);
      return value;
    };
  };
  return { columns, rows, has: (column) => columns.includes(column), text, number };
}

const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A finite decimal number, or null. Stricter than `Number`: no hexadecimal, no Infinity, no blank that turns to 0. */
export function parseNumber(text: string, decimal: '.' | ',' = '.'): number | null {
  const plain = decimal === '.' ? text : text.includes('.') ? '' : text.replace(',', '.');
  const value = PLAIN.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(value) ? value : null;
}
