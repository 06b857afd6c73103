// Writes the JSON of many rows as bytes. One text of all rows, converted at the end, costs several times as much.
import { nextTurn } from '../db/turns.ts';

/** Reused for each part of an answer. That is safe because a part is written synchronously. */
let written: Buffer = Buffer.allocUnsafeSlow(256 * 1024);
/** Larger than the largest page. A larger buffer is not kept. */
const MOST_KEPT = 4 * 1024 * 1024;
/** UTF-8 bytes per UTF-16 code unit, at most. */
const MOST_BYTES = 3;

/** Rows that are written before other requests have their turn: a few milliseconds, even if the code has just started. */
export const ROWS_WRITTEN = 100;

type PutRow = (index: number, put: (piece: string | Buffer) => void) => void;

/** A JSON array of `length` rows. `putRow` puts a row as one or more pieces of JSON. Other requests run between the parts. */
export async function arrayBytes(length: number, putRow: PutRow): Promise<Buffer> {
  if (length <= ROWS_WRITTEN) return partBytes(0, length, '[', ']', putRow);
  const parts: Buffer[] = [];
  for (let from = 0; from < length; from += ROWS_WRITTEN) {
    await nextTurn();
    const to = Math.min(from + ROWS_WRITTEN, length);
    parts.push(partBytes(from, to, from === 0 ? '[' : ',', to === length ? ']' : '', putRow));
  }
  return Buffer.concat(parts);
}

function partBytes(from: number, to: number, before: string, after: string, putRow: PutRow): Buffer {
  let end = 0;
  const put = (piece: string | Buffer) => {
    const most = typeof piece === 'string' ? MOST_BYTES * piece.length : piece.length;
    if (end + most > written.length) written = grown(end, most);
    end += typeof piece === 'string' ? written.write(piece, end) : piece.copy(written, end);
  };
  put(before);
  for (let index = from; index < to; index += 1) {
    if (index > from) put(',');
    putRow(index, put);
  }
  put(after);
  const bytes = Buffer.from(written.subarray(0, end));
  if (written.length > MOST_KEPT) written = Buffer.allocUnsafeSlow(MOST_KEPT);
  return bytes;
}

function grown(end: number, most: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(2 * (end + most));
  written.copy(larger, 0, 0, end);
  return larger;
}

export type Value = string | number | boolean | null | readonly string[];

/**
 * Writes values as JSON and caches texts, because a page has few different ones.
 * @param arePlain names whose texts need no escapes
 */
export function writer(arePlain: Readonly<Record<string, boolean>>): (name: string, value: Value) => string {
  const texts = new Map<string, string>();
  const quoted = (value: string) => {
    let text = texts.get(value);
    if (text === undefined) {
      text = JSON.stringify(value);
      texts.set(value, text);
    }
    return text;
  };
  return (name, value) => {
    if (typeof value === 'string') return arePlain[name] === true ? `"${value}"` : quoted(value);
    if (value === null) return 'null';
    if (typeof value === 'boolean') return value ? 'true' : 'false';
    return typeof value === 'number' && Number.isFinite(value) ? `${value}` : JSON.stringify(value);
  };
}
