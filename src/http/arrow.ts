// The Arrow IPC stream: a schema message, one record batch a page, an end marker. Without dictionaries these parts simply follow one
// another, so each page is serialised by itself; the writer's own queue has no back-pressure.
import {
  Bool,
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
  vectorFromArray,
} from 'apache-arrow';
import { type Column, type ColumnKind, cellsOf } from './columns.ts';

const END_MARKER_BYTES = 8;

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
      return new List(new Field('item', new Utf8(), true));
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
  const children = columns.map((column) => {
    const [data] = vectorFromArray([...cellsOf(rows, column)], typeOf(column.kind)).data;
    if (data === undefined) throw new RangeError(`No values in column ${column.name}`);
    return data;
  });
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length: rows.length, nullCount: 0, children }));
}
