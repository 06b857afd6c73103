// The Arrow IPC stream: a schema message, one record batch a page, an end marker. Without dictionaries these parts simply follow one
// another, so each page is serialised by itself; the writer's own queue has no back-pressure.
import {
  Bool,
  type Data,
  type DataType,
  Field,
  Float64,
  List,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Utf8,
} from 'apache-arrow';
import { type Cell, type Column, type ColumnKind, cellsOf } from './columns.ts';

const END_MARKER_BYTES = 8;
const LIST_OF_TEXTS = new List(new Field('item', new Utf8(), true));

export interface ArrowParts {
  readonly head: Uint8Array;
  readonly page: (rows: readonly unknown[]) => Uint8Array;
  readonly end: Uint8Array;
}

export function arrowParts(columns: readonly Column[]): ArrowParts {
  const schema = new Schema(columns.map((column) => new Field(column.name, typeOf(column.kind), true)));
  const empty = bytesOf(schema, []);
  const headBytes = empty.byteLength - END_MARKER_BYTES;
  return {
    head: empty.subarray(0, headBytes),
    page: (rows) => {
      const whole = bytesOf(schema, [batchOf(schema, columns, rows)]);
      return whole.subarray(headBytes, whole.byteLength - END_MARKER_BYTES);
    },
    end: empty.subarray(headBytes),
  };
}

function typeOf(kind: ColumnKind): DataType {
  switch (kind) {
    case 'number':
      return new Float64();
    case 'boolean':
      return new Bool();
    case 'texts':
      return LIST_OF_TEXTS;
    case 'text':
    case 'json':
      return new Utf8();
  }
}

function bytesOf(schema: Schema, batches: readonly RecordBatch[]): Uint8Array {
  const writer = new RecordBatchStreamWriter();
  writer.reset(undefined, schema);
  for (const batch of batches) writer.write(batch);
  writer.finish();
  return writer.toUint8Array(true);
}

function batchOf(schema: Schema, columns: readonly Column[], rows: readonly unknown[]): RecordBatch {
  const children = columns.map((column) => dataOf(column.kind, cellsOf(rows, column)));
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: rows.length, nullCount: 0, children }));
}

// The buffers of the plain types are laid out here: the library's builders take four times as long.
function dataOf(kind: ColumnKind, cells: readonly Cell[]): Data {
  const shape = shapeOf(cells);
  switch (kind) {
    case 'number':
      return makeData({ type: new Float64(), ...shape, data: Float64Array.from(cells, Number) });
    case 'boolean':
      return makeData({ type: new Bool(), ...shape, data: bitmap(cells, (cell) => cell === true) });
    case 'texts': {
      const lists = cells.map((cell) => (typeof cell === 'object' && cell !== null ? cell : []));
      const child = textData(lists.flat());
      return makeData({ type: LIST_OF_TEXTS, ...shape, valueOffsets: offsets(lists.map((list) => list.length)), child });
    }
    case 'text':
    case 'json':
      return textData(cells);
  }
}

function shapeOf(cells: readonly Cell[]) {
  const nullCount = cells.filter((cell) => cell === null).length;
  return { length: cells.length, nullCount, nullBitmap: bitmap(cells, (cell) => cell !== null) };
}

function textData(cells: readonly Cell[]): Data<Utf8> {
  const texts = cells.map((cell) => (typeof cell === 'string' ? cell : ''));
  const joined = texts.join('');
  const data = Buffer.from(joined);
  // As many bytes as characters: all of them are ASCII, and every text is as long as it looks.
  const valueOffsets = offsets(texts.map(data.length === joined.length ? (text) => text.length : (text) => Buffer.byteLength(text)));
  return makeData({ type: new Utf8(), ...shapeOf(cells), valueOffsets, data: data.length === valueOffsets.at(-1) ? data : apart(texts) });
}

/** Text by text: halves of a surrogate pair that meet where two texts do are no character. */
function apart(texts: readonly string[]): Buffer {
  return Buffer.concat(texts.map((text) => Buffer.from(text)));
}

function offsets(lengths: readonly number[]): Int32Array {
  const ends = new Int32Array(lengths.length + 1);
  lengths.forEach((length, i) => {
    ends[i + 1] = (ends[i] ?? 0) + length;
  });
  return ends;
}

/** A bit for each cell, the first in the lowest place. */
function bitmap(cells: readonly Cell[], isSet: (cell: Cell) => boolean): Uint8Array {
  const bits = new Uint8Array(Math.ceil(cells.length / 8));
  cells.forEach((cell, i) => {
    if (isSet(cell)) bits[i >> 3] = (bits[i >> 3] ?? 0) | (1 << (i & 7));
  });
  return bits;
}
