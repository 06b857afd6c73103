// The Arrow IPC stream: a schema message, the dictionaries and one record batch a page, an end marker. A page brings its own dictionaries, which
// take the place of those before, so these parts simply follow one another; the writer's own queue has no back-pressure.
import {
  Bool,
  type Data,
  type DataType,
  DateDay,
  Dictionary,
  Field,
  Float64,
  Int32,
  Int64,
  List,
  makeData,
  makeVector,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampMicrosecond,
  Utf8,
} from 'apache-arrow';
import { type Cell, type Column, cellsOf, dayOf, microsOf } from './columns.ts';

const END_MARKER_BYTES = 8;
const LIST_OF_TEXTS = new List(new Field('item', new Utf8(), true));

export interface ArrowParts {
  readonly head: Uint8Array;
  readonly page: (rows: readonly unknown[]) => Uint8Array;
  readonly end: Uint8Array;
}

export function arrowParts(columns: readonly Column[]): ArrowParts {
  const schema = new Schema(fieldsOf(columns));
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

/** Dictionaries are numbered within the schema: numbers of the library's own grow with each answer, and equal answers are to have equal bytes. */
function fieldsOf(columns: readonly Column[], dictionaries = { count: 0 }): Field[] {
  return columns.map((column) => new Field(column.name, typeOf(column, dictionaries), true));
}

function typeOf({ kind, fields }: Column, dictionaries: { count: number }): DataType {
  switch (kind) {
    case 'number':
      return new Float64();
    case 'integer':
      return new Int64();
    case 'boolean':
      return new Bool();
    case 'day':
      return new DateDay();
    case 'instant':
      return new TimestampMicrosecond('UTC');
    case 'texts':
      return LIST_OF_TEXTS;
    case 'code':
      return new Dictionary(new Utf8(), new Int32(), dictionaries.count++);
    case 'record':
      return new Struct(fieldsOf(fields, dictionaries));
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
  const children = childrenOf(schema.fields, columns, rows);
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: rows.length, nullCount: 0, children }));
}

function childrenOf(fields: readonly Field[], columns: readonly Column[], rows: readonly unknown[]): Data[] {
  return fields.flatMap(({ type }, i) => {
    const column = columns[i];
    return column === undefined ? [] : [dataOf(type, column, cellsOf(rows, column))];
  });
}

// The buffers of the plain types are laid out here: the library's builders take four times as long.
function dataOf(type: DataType, column: Column, cells: readonly Cell[]): Data {
  const shape = shapeOf(cells);
  switch (column.kind) {
    case 'number':
      return makeData({ type: new Float64(), ...shape, data: Float64Array.from(cells, Number) });
    case 'integer':
      return makeData({ type: new Int64(), ...shape, data: BigInt64Array.from(cells, (cell) => BigInt(Number(cell))) });
    case 'boolean':
      return makeData({ type: new Bool(), ...shape, data: bitmap(cells, (cell) => cell === true) });
    case 'day':
      return makeData({ type: new DateDay(), ...shape, data: Int32Array.from(cells, dayOf) });
    case 'instant':
      return makeData({ type: new TimestampMicrosecond('UTC'), ...shape, data: BigInt64Array.from(cells, microsOf) });
    case 'texts': {
      const lists = cells.map((cell) => (Array.isArray(cell) ? cell : []));
      const child = textData(lists.flat());
      return makeData({ type: LIST_OF_TEXTS, ...shape, valueOffsets: offsets(lists.map((list) => list.length)), child });
    }
    case 'code':
      return codeData(type, shape, cells);
    case 'record': {
      const struct = new Struct(type.children);
      return makeData({ type: struct, ...shape, children: childrenOf(type.children, column.fields, cells) });
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

/** Each text once, in the order in which they come, and its place in each row. */
function codeData(type: DataType, shape: ReturnType<typeof shapeOf>, cells: readonly Cell[]): Data {
  const places = new Map<Cell, number>();
  const data = Int32Array.from(cells, (cell) => {
    if (cell === null) return 0;
    const place = places.get(cell) ?? places.size;
    places.set(cell, place);
    return place;
  });
  const dictionary = makeVector(textData([...places.keys()]));
  return makeData({ type: type as Dictionary<Utf8, Int32>, ...shape, data, dictionary });
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
