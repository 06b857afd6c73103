// The Arrow IPC stream: a schema message, then dictionaries and one record batch per page, then an end marker. Each page replaces the
// dictionaries, so the parts can simply be concatenated. We do not use the library's writer, because its queue has no back-pressure.
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
import { inTurns } from '../../db/turns.ts';
import { type Cell, cellReader, type Column, dayOf, microsOf } from './columns.ts';

const END_MARKER_BYTES = 8;
/** Columns of a batch that are filled before other requests have their turn. */
const COLUMNS_MADE = 6;
const LIST_OF_TEXTS = new List(new Field('item', new Utf8(), true));

export interface ArrowParts {
  readonly head: Uint8Array;
  /** Other requests run between the columns. */
  readonly page: (rows: readonly unknown[]) => Promise<Uint8Array>;
  readonly end: Uint8Array;
}

export function arrowParts(columns: readonly Column[]): ArrowParts {
  const schema = new Schema(fieldsOf(columns));
  const empty = bytesOf(schema, []);
  const headBytes = empty.byteLength - END_MARKER_BYTES;
  return {
    head: empty.subarray(0, headBytes),
    page: async (rows) => {
      const whole = bytesOf(schema, [await batchOf(schema, columns, rows)]);
      return whole.subarray(headBytes, whole.byteLength - END_MARKER_BYTES);
    },
    end: empty.subarray(headBytes),
  };
}

/** Numbers dictionaries within the schema. The library's own numbers grow with each answer, but equal answers must have equal bytes. */
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

async function batchOf(schema: Schema, columns: readonly Column[], rows: readonly unknown[]): Promise<RecordBatch> {
  const children: Data[] = [];
  for await (const some of inTurns(columns, COLUMNS_MADE)) {
    children.push(...childrenOf(schema.fields.slice(children.length), some, rows));
  }
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: rows.length, nullCount: 0, children }));
}

function childrenOf(fields: readonly Field[], columns: readonly Column[], rows: readonly unknown[]): Data[] {
  return fields.flatMap(({ type }, i) => {
    const column = columns[i];
    return column === undefined ? [] : [dataOf(type, column, rows)];
  });
}

// We fill the buffers ourselves, in one pass per column, because the library's builders take four times as long.
function dataOf(type: DataType, column: Column, rows: readonly unknown[]): Data {
  switch (column.kind) {
    case 'number': {
      const data = new Float64Array(rows.length);
      return makeData({ type: new Float64(), data, ...filled(rows, column, (i, cell) => (data[i] = Number(cell))) });
    }
    case 'integer': {
      const data = new BigInt64Array(rows.length);
      return makeData({ type: new Int64(), data, ...filled(rows, column, (i, cell) => (data[i] = BigInt(Number(cell)))) });
    }
    case 'boolean': {
      const data = bitmapOf(rows.length);
      return makeData({ type: new Bool(), data, ...filled(rows, column, (i, cell) => cell === true && setBit(data, i)) });
    }
    case 'day': {
      const data = new Int32Array(rows.length);
      const days = remembered(dayOf);
      return makeData({ type: new DateDay(), data, ...filled(rows, column, (i, cell) => (data[i] = days(cell))) });
    }
    case 'instant': {
      const data = new BigInt64Array(rows.length);
      const micros = remembered(microsOf);
      return makeData({ type: new TimestampMicrosecond('UTC'), data, ...filled(rows, column, (i, cell) => (data[i] = micros(cell))) });
    }
    case 'texts': {
      const lists = Array.from<unknown, readonly string[]>(rows, () => []);
      const shape = filled(rows, column, (i, cell) => (lists[i] = cell as readonly string[]));
      const valueOffsets = offsets(lists.map((list) => list.length));
      return makeData({ type: LIST_OF_TEXTS, ...shape, valueOffsets, child: textData(lists.flat()) });
    }
    case 'code': {
      const data = new Int32Array(rows.length);
      const texts: Cell[] = [];
      // Each text once, in the order of its first appearance.
      const places = remembered((cell) => texts.push(cell) - 1);
      const shape = filled(rows, column, (i, cell) => (data[i] = places(cell)));
      return makeData({ type: type as Dictionary<Utf8, Int32>, ...shape, data, dictionary: makeVector(textData(texts)) });
    }
    case 'record': {
      const records: (Cell | null)[] = Array<null>(rows.length).fill(null);
      const shape = filled(rows, column, (i, cell) => (records[i] = cell));
      return makeData({ type: new Struct(type.children), ...shape, children: childrenOf(type.children, column.fields, records) });
    }
    case 'text':
    case 'json': {
      const texts = Array<Cell>(rows.length).fill(null);
      const shape = filled(rows, column, (i, cell) => (texts[i] = cell));
      return textData(texts, shape);
    }
  }
}

/** Puts each cell at its place, and records which cells are not null. */
function filled(rows: readonly unknown[], column: Column, put: (index: number, cell: Cell) => unknown): Shape {
  const cellOf = cellReader(column);
  const nullBitmap = bitmapOf(rows.length);
  let nullCount = 0;
  for (let i = 0; i < rows.length; i += 1) {
    const cell = cellOf(rows[i]);
    if (cell === null) nullCount += 1;
    else {
      setBit(nullBitmap, i);
      put(i, cell);
    }
  }
  return { length: rows.length, nullCount, nullBitmap };
}

interface Shape {
  readonly length: number;
  readonly nullCount: number;
  readonly nullBitmap: Uint8Array;
}

/** Caches the result of `make` for equal cells. */
function remembered<Made>(make: (cell: Cell) => Made): (cell: Cell) => Made {
  const known = new Map<Cell, Made>();
  return (cell) => {
    let made = known.get(cell);
    if (made === undefined) {
      made = make(cell);
      known.set(cell, made);
    }
    return made;
  };
}

function textData(cells: readonly Cell[], shape: Shape = wholeOf(cells.length)): Data<Utf8> {
  const texts = cells.map((cell) => (typeof cell === 'string' ? cell : ''));
  const joined = texts.join('');
  const data = Buffer.from(joined);
  // If there are as many bytes as characters, all texts are ASCII, and their lengths are byte lengths.
  const valueOffsets = offsets(texts.map(data.length === joined.length ? (text) => text.length : (text) => Buffer.byteLength(text)));
  return makeData({ type: new Utf8(), ...shape, valueOffsets, data: data.length === valueOffsets.at(-1) ? data : apart(texts) });
}

/** Encodes each text by itself. In a joined text, halves of surrogate pairs from two texts could form a character. */
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

/** One bit per cell, the first in the lowest place. */
function bitmapOf(length: number): Uint8Array {
  return new Uint8Array(Math.ceil(length / 8));
}

function setBit(bits: Uint8Array, index: number): void {
  bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
}

function wholeOf(length: number): Shape {
  const nullBitmap = bitmapOf(length);
  for (let i = 0; i < length; i += 1) setBit(nullBitmap, i);
  return { length, nullCount: 0, nullBitmap };
}
