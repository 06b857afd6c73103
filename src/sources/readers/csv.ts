// CSV → rows with cells by column name. Strict: every row has exactly the header's cells, quotes are closed, no column is named
// twice, and the last line has a line end, because a truncated number would look like a smaller one.
import { pipeline } from 'node:stream/promises';
import { parse as parseStream } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { UpstreamError } from '../upstream-error.ts';
import { decodeText, excerpt, refuseMarkup } from './text.ts';

export interface CsvOptions {
  readonly sourceId: string;
  /** Required columns. Further columns may follow, in any order. */
  readonly required: readonly string[];
  /** Column names of a file without a header. */
  readonly header?: readonly string[];
  readonly encoding?: string;
  readonly delimiter?: string;
  /** Blanks around cells and names belong to the layout, not to the value. */
  readonly trim?: boolean;
  readonly decimal?: '.' | ',';
  /** Mark between thousands, if any. */
  readonly thousands?: string;
  /** Cells without a value; the empty cell is always one. */
  readonly missing?: readonly string[];
  /** For publishers without a line end on the last line. */
  readonly mayLackFinalLineEnd?: boolean;
}

export interface CsvRow {
  /** Number of the row's last line in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Reads one column of a row. Created once per column; a missing column is refused then. */
export type CsvColumn<T> = (row: CsvRow) => T;

export interface CsvTable {
  /** Names in the order of the file; the nameless column after a trailing comma is ''. */
  readonly columns: readonly string[];
  readonly rows: readonly CsvRow[];
  readonly has: (column: string) => boolean;
  readonly text: (column: string) => CsvColumn<string>;
  /** null for a missing marker; any other text that is not a number refuses the payload. */
  readonly number: (column: string) => CsvColumn<number | null>;
}

const MISSING: readonly string[] = ['.', '-', 'N/A'];

export function readCsv(body: Uint8Array, options: CsvOptions): CsvTable {
  return parseCsv(decodeText(options.sourceId, body, options.encoding), options);
}

export function parseCsv(text: string, options: CsvOptions): CsvTable {
  refuseMarkup(options.sourceId, text, 'CSV');
  return parsePiece(text, options, options.header ?? null, true);
}

const LINE_END = 0x0a;

/**
 * The table of `readCsv` in pieces, each with all the columns; at least one. UTF-8 with a header; no cell may have a line end.
 * @param size bytes in memory as rows at once
 */
export function* csvPieces(body: Uint8Array, options: Omit<CsvOptions, 'header' | 'encoding'>, size = 1_000_000): Generator<CsvTable> {
  let columns: readonly string[] | null = null;
  let lines = 0;
  for (let from = 0; columns === null || from < body.length; ) {
    const end = body.indexOf(LINE_END, from + size);
    const to = end === -1 ? body.length : end + 1;
    const text = decodeText(options.sourceId, body.subarray(from, to));
    if (columns === null) refuseMarkup(options.sourceId, text, 'CSV');
    const { rows, ...table }: CsvTable = parsePiece(text, options, columns, to === body.length);
    const before = lines;
    yield { ...table, rows: before === 0 ? rows : rows.map(({ line, cells }) => ({ line: before + line, cells })) };
    columns = table.columns;
    lines += text.split('\n').length - 1;
    from = to;
  }
}

/** @param header null: the first row */
function parsePiece(text: string, options: CsvOptions, header: readonly string[] | null, isLast: boolean): CsvTable {
  const { sourceId } = options;
  if (isLast && options.mayLackFinalLineEnd !== true && !text.endsWith('\n')) {
    throw new UpstreamError(sourceId, `the last line is not ended, the file is truncated: ${excerpt(text.slice(-40))}`);
  }
  const records = parseRecords(text, options, header);
  const columns = header ?? records.shift()?.cells ?? [];
  checkHeader(columns, options);
  if (isLast) while (records.at(-1)?.cells.every((cell) => cell.trim() === '') === true) records.pop();
  checkNameless(records, columns, sourceId);
  return tableOf(columns, records, options);
}

/** Rows in memory at once, for a large file. */
const ROWS_AT_ONCE = 5000;

export type StreamOptions = Pick<CsvOptions, 'sourceId' | 'required' | 'delimiter' | 'missing'>;

/**
 * A table in pieces, each with all the columns; at least one, which may have no rows. As strict as `readCsv`, but quotation marks are
 * ordinary characters. In UTF-8.
 */
export async function* streamCsv(chunks: AsyncIterable<Uint8Array>, options: StreamOptions): AsyncGenerator<CsvTable> {
  const { sourceId, delimiter = ',' } = options;
  const parser = parseStream({ delimiter, quote: false, record_delimiter: ['\r\n', '\n'], skip_empty_lines: true, info: true });
  const sent = pipeline(decoded(sourceId, chunks), parser);
  // The rows report it first if they end here.
  sent.catch(() => undefined);
  let columns: readonly string[] | null = null;
  let rows: CsvRow[] = [];
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (columns === null) {
        checkHeader(record, { sourceId, required: options.required });
        columns = record;
      } else if (rows.push({ line: info.lines, cells: record }) === ROWS_AT_ONCE) {
        yield tableOf(columns, rows, options);
        rows = [];
      }
    }
    await sent;
  } catch (cause) {
    if (cause instanceof UpstreamError) throw cause;
    throw new UpstreamError(sourceId, `the CSV is malformed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  if (columns === null) throw new UpstreamError(sourceId, `expected the columns ${options.required.join(', ')}, found an empty file`);
  yield tableOf(columns, rows, options);
}

/** Its text. Throws an UpstreamError if it is not UTF-8 or its last line has no line end. */
async function* decoded(sourceId: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const textOf = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch (cause) {
      throw new UpstreamError(sourceId, 'the text is not UTF-8', { cause });
    }
  };
  let end = '';
  for await (const chunk of chunks) {
    const text = textOf(chunk);
    end = (end + text).slice(-40);
    yield text;
  }
  yield textOf();
  if (end !== '' && !end.endsWith('\n'))
    throw new UpstreamError(sourceId, `the last line is not ended, the file is truncated: ${excerpt(end)}`);
}

function parseRecords(text: string, options: CsvOptions, header: readonly string[] | null): CsvRow[] {
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
  const misfit = header === null ? undefined : rows.find(({ cells }) => cells.length !== header.length);
  if (misfit !== undefined) {
    throw new UpstreamError(options.sourceId, `expected ${header?.length} columns, found ${misfit.cells.length} on line ${misfit.line}`);
  }
  return rows;
}

function checkHeader(columns: readonly string[], { sourceId, required }: Pick<CsvOptions, 'sourceId' | 'required'>): void {
  const absent = required.filter((column) => !columns.includes(column));
  if (absent.length > 0) {
    throw new UpstreamError(sourceId, `expected the columns ${absent.join(', ')}, found ${excerpt(columns.join(', '), 200)}`);
  }
  const places = placesOf(columns);
  const repeated = columns.find((column, index) => column !== '' && places.get(column) !== index);
  if (repeated !== undefined) throw new UpstreamError(sourceId, `the column ${repeated} stands twice in the header`);
}

/** The first place of each column. */
function placesOf(columns: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [index, column] of columns.entries()) if (!places.has(column)) places.set(column, index);
  return places;
}

/** A value without a column name means that header and rows are shifted against each other. */
function checkNameless(rows: readonly CsvRow[], columns: readonly string[], sourceId: string): void {
  const nameless = columns.flatMap((column, index) => (column === '' ? [index] : []));
  for (const index of nameless) {
    const row = rows.find(({ cells }) => cells[index]?.trim() !== '');
    if (row !== undefined)
      throw new UpstreamError(sourceId, `line ${row.line} has a value, ${excerpt(row.cells[index] ?? '')}, in a column without a name`);
  }
}

function tableOf(columns: readonly string[], rows: readonly CsvRow[], options: CsvOptions | StreamOptions): CsvTable {
  const { sourceId, decimal = '.', thousands }: CsvOptions = options;
  const missing = new Set(['', ...(options.missing ?? MISSING)]);
  const places = placesOf(columns);
  const text = (column: string): CsvColumn<string> => {
    const index = places.get(column);
    if (index === undefined) throw new UpstreamError(sourceId, `expected the column ${column}, found ${excerpt(columns.join(', '), 200)}`);
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
  return { columns, rows, has: (column) => places.has(column), text, number };
}

const PLAIN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A finite decimal number, or null. Stricter than `Number`: no hexadecimal, no Infinity, no blank that becomes 0. */
export function parseNumber(text: string, decimal: '.' | ',' = '.'): number | null {
  const plain = decimal === '.' ? text : text.includes('.') ? '' : text.replace(',', '.');
  const value = PLAIN.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(value) ? value : null;
}
