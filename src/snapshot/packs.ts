// A second copy of a snapshot's vintages, series by series in typed columns. One file read gives the whole history of a series, so a read
// as of any time needs no engine. It is a cache like the DuckDB copy: if it is missing or damaged, that copy or the Parquet answers. The
// file has the packs, then the texts as JSON and the places of the packs, then a trailer of TRAILER bytes with their positions.
import { constants } from 'node:buffer';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { DuckDBConnection, DuckDBDataChunk, DuckDBVector } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import { naming } from '../disk/disk-error.ts';
import { renameDurably } from '../disk/durable.ts';
import type { Pack, Packs, PackTexts } from '../model/pack.ts';

const MAGIC = 0x61_73_6f_66;
const FORMAT = 3;
/** Magic, format, checksum of the tail, number of series (4 bytes each); start of the tail, length of its texts (8 bytes each). */
const TRAILER = 32;
/** Offset (8 bytes), then series number, rows and checksum (4 bytes each). */
const PLACE_BYTES = 20;

/** Columns of a pack in file order. Columns of eight bytes come first, so that each starts at an aligned offset. */
const DOUBLES = ['value', 'observedAt', 'knownTo', 'priorObservedAt', 'releasedAt', 'retrievedAt'] as const;
const WORDS = ['hashHigh', 'hashLow', 'period', 'vintage', 'run', 'derivedFrom'] as const;
const INTEGERS = ['periodEnd', 'releaseNo'] as const;
const FLAGS = ['hasValue', 'isRevised', 'isBackfill', 'obsStatus'] as const;
const ROW_BYTES = 8 * DOUBLES.length + 4 * (WORDS.length + INTEGERS.length) + FLAGS.length;

/** The columns that the engine returns, in this order. They are numbers only: one text per row would cost more than all the rest. */
const COLUMNS = ['seriesNo', ...DOUBLES, ...WORDS, ...INTEGERS, ...FLAGS] as const;
type Column = (typeof COLUMNS)[number];

export const EXPRESSIONS: Readonly<Record<Column, string>> = {
  seriesNo: 'series_no::integer',
  value: "coalesce(value, 'nan')",
  observedAt: 'epoch_us(observed_at)::double',
  knownTo: "coalesce(epoch_us(known_to)::double, 'infinity')",
  priorObservedAt: "coalesce(epoch_us(prior_observed_at)::double, '-infinity')",
  releasedAt: "coalesce(epoch_us(released_at)::double, 'nan')",
  retrievedAt: 'epoch_us(retrieved_at)::double',
  hashHigh: '(id_hash >> 32)::uinteger',
  hashLow: '(id_hash & 4294967295)::uinteger',
  period: 'enum_code(period::packed_periods)::uinteger',
  vintage: 'enum_code(vintage::packed_vintages)::uinteger',
  run: 'coalesce(enum_code(source_run_id::packed_runs)::uinteger + 1, 0)::uinteger',
  derivedFrom: 'coalesce(enum_code(to_json(derived_from)::varchar::packed_derivations)::uinteger + 1, 0)::uinteger',
  periodEnd: "(period_end - date '1970-01-01')::integer",
  releaseNo: 'release_no',
  hasValue: '(value is not null)::utinyint',
  isRevised: 'is_revised::utinyint',
  isBackfill: 'is_backfill::utinyint',
  obsStatus: 'coalesce(ascii(obs_status), 0)::utinyint',
};

const TYPES = {
  packed_periods: 'period',
  packed_vintages: 'vintage',
  packed_runs: 'source_run_id',
  packed_derivations: 'to_json(derived_from)::varchar',
} as const;

/**
 * Writes the packs of a table of vintages, which must be sorted by (series_no, period_end, observed_at).
 * @param table a table with the columns of published.vintages
 */
export async function writePacks(connection: DuckDBConnection, table: string, file: string): Promise<void> {
  const partial = `${file}.partial`;
  await rm(partial, { force: true });
  for (const [type, column] of Object.entries(TYPES)) {
    await connection.run(
      `create or replace type ${type} as enum (select distinct ${column} from ${table} where ${column} is not null order by all)`,
    );
  }
  const out = await open(partial, 'wx');
  try {
    const writer = openWriter(out, partial);
    const chunks = await connection.stream(`select ${COLUMNS.map((column) => EXPRESSIONS[column]).join(', ')} from ${table}`);
    let rows = 0;
    for (let chunk = await chunks.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await chunks.fetchChunk()) {
      rows += chunk.rowCount;
      await writer.add(chunk);
    }
    // A stream that fails midway looks like a normal end, so we compare the counts.
    const expected = Number((await connection.runAndReadAll(`select count(*) from ${table}`)).getRows()[0]?.[0]);
    if (rows !== expected) throw new Error(`the engine gave ${rows} of ${expected} vintages of ${table}: what it met has ended its stream`);
    await writer.end({
      periods: await valuesOf(connection, 'packed_periods'),
      vintages: await valuesOf(connection, 'packed_vintages'),
      runs: await valuesOf(connection, 'packed_runs'),
      derivedFrom: (await valuesOf(connection, 'packed_derivations')).map((text) => JSON.parse(text) as string[]),
    });
    await naming(partial, () => out.sync());
  } finally {
    await out.close();
    for (const type of Object.keys(TYPES)) await connection.run(`drop type if exists ${type}`);
  }
  await renameDurably(partial, file);
}

async function valuesOf(connection: DuckDBConnection, type: string): Promise<string[]> {
  return (await connection.runAndReadAll(`select unnest(enum_range(null::${type}))::varchar`)).getRows().map(([text]) => String(text));
}

interface Writer {
  readonly add: (chunk: DuckDBDataChunk) => Promise<void>;
  readonly end: (texts: PackTexts) => Promise<void>;
}

function openWriter(out: FileHandle, file: string): Writer {
  const places: { seriesNo: number; rows: number; crc: number; offset: number }[] = [];
  const written = new Set<number>();
  let offset = 0;
  let seriesNo: number | null = null;
  let [room, rows] = [roomFor(FEWEST_ROWS), 0];
  const flush = async () => {
    if (seriesNo === null) return;
    if (written.has(seriesNo)) throw new Error(`the vintages of series ${seriesNo} do not lie together`);
    written.add(seriesNo);
    const bytes = packed(room.columns, rows, seriesNo);
    places.push({ seriesNo, rows, crc: crc32(bytes), offset });
    await naming(file, () => out.write(bytes));
    offset += bytes.byteLength;
    rows = 0;
  };
  const gather = (chunk: DuckDBDataChunk, from: number, to: number) => {
    if (rows + to - from > room.rows) room = grown(room, rows, rows + to - from);
    for (const [index, column] of PACKED.entries()) gatherColumn(chunk.getColumnVector(index + 1), from, to, room.columns[column], rows);
    rows += to - from;
  };
  return {
    async add(chunk) {
      const numbers = chunk.getColumnVector(0);
      const { rowCount } = chunk;
      for (let from = 0; from < rowCount; ) {
        const own = Number(numbers.getItem(from));
        let to = from + 1;
        while (to < rowCount && numbers.getItem(to) === own) to += 1;
        if (own !== seriesNo) {
          await flush();
          seriesNo = own;
        }
        gather(chunk, from, to);
        from = to;
      }
    },
    async end(texts) {
      await flush();
      const text = Buffer.from(JSON.stringify(texts));
      const placeBytes = Buffer.alloc(places.length * PLACE_BYTES);
      for (const [index, place] of places.entries()) {
        const at = index * PLACE_BYTES;
        placeBytes.writeDoubleLE(place.offset, at);
        placeBytes.writeInt32LE(place.seriesNo, at + 8);
        placeBytes.writeUInt32LE(place.rows, at + 12);
        placeBytes.writeUInt32LE(place.crc, at + 16);
      }
      const tail = Buffer.concat([text, placeBytes]);
      const trailer = Buffer.alloc(TRAILER);
      trailer.writeUInt32LE(MAGIC, 0);
      trailer.writeUInt32LE(FORMAT, 4);
      trailer.writeUInt32LE(crc32(tail), 8);
      trailer.writeUInt32LE(places.length, 12);
      trailer.writeDoubleLE(offset, 16);
      trailer.writeDoubleLE(text.byteLength, 24);
      await naming(file, () => out.write(Buffer.concat([tail, trailer])));
    },
  };
}

const PACKED = [...DOUBLES, ...WORDS, ...INTEGERS, ...FLAGS] as const;
type Columns = ReturnType<typeof layOut>['columns'];

/** Space for the rows of a series while they come in. */
interface Room {
  readonly rows: number;
  readonly columns: Columns;
}

const FEWEST_ROWS = 4096;

const roomFor = (rows: number): Room => ({ rows, columns: layOut(0, rows, new ArrayBuffer(rows * ROW_BYTES)).columns });

/** A larger room, at least twice the size, with the first rows of the room. */
function grown(room: Room, rows: number, least: number): Room {
  const larger = roomFor(Math.max(least, 2 * room.rows));
  for (const column of PACKED) larger.columns[column].set(room.columns[column].subarray(0, rows));
  return larger;
}

function gatherColumn(vector: DuckDBVector, from: number, to: number, column: Columns[keyof Columns], start: number): void {
  for (let row = from; row < to; row += 1) column[start + row - from] = vector.getItem(row) as number;
}

function packed(columns: Columns, rows: number, seriesNo: number): Uint8Array {
  const order = inOrder(columns, rows, seriesNo);
  const pack = layOut(seriesNo, rows, new ArrayBuffer(rows * ROW_BYTES));
  for (const column of PACKED) {
    const [from, to] = [columns[column], pack.columns[column]];
    if (order === null) to.set(from.subarray(0, rows));
    else for (const [row, other] of order.entries()) to[row] = from[other] ?? 0;
  }
  return new Uint8Array(pack.bytes);
}

/** The order of rows by (periodEnd, observedAt, id). Null if they are in that order already. */
function inOrder({ periodEnd, observedAt, hashHigh, hashLow }: Columns, rows: number, seriesNo: number): number[] | null {
  const difference = (one: number, other: number, column: Columns[keyof Columns]) => (column[one] ?? 0) - (column[other] ?? 0);
  let isTied = false;
  for (let row = 1; row < rows; row += 1) {
    const step = difference(row, row - 1, periodEnd) || difference(row, row - 1, observedAt);
    if (step < 0) throw new Error(`the vintages of series ${seriesNo} do not lie by period and time`);
    isTied ||= step === 0;
  }
  if (!isTied) return null;
  return Array.from({ length: rows }, (_, row) => row).sort(
    (a, b) => difference(a, b, periodEnd) || difference(a, b, observedAt) || difference(a, b, hashHigh) || difference(a, b, hashLow),
  );
}

/** The columns of a pack as views of its bytes. */
function layOut(seriesNo: number, rows: number, bytes: ArrayBuffer) {
  let at = 0;
  const next = (width: number) => {
    const from = at;
    at += width * rows;
    return from;
  };
  const columns = {
    ...(Object.fromEntries(DOUBLES.map((name) => [name, new Float64Array(bytes, next(8), rows)])) as Pick<Pack, (typeof DOUBLES)[number]>),
    ...(Object.fromEntries(WORDS.map((name) => [name, new Uint32Array(bytes, next(4), rows)])) as Pick<Pack, (typeof WORDS)[number]>),
    ...(Object.fromEntries(INTEGERS.map((name) => [name, new Int32Array(bytes, next(4), rows)])) as Pick<Pack, (typeof INTEGERS)[number]>),
    ...(Object.fromEntries(FLAGS.map((name) => [name, new Uint8Array(bytes, next(1), rows)])) as Pick<Pack, (typeof FLAGS)[number]>),
  };
  return { bytes, columns, pack: { seriesNo, rows, ...columns } satisfies Pack };
}

export interface OpenPacks extends Packs {
  readonly close: () => Promise<void>;
}

interface Place {
  readonly offset: number;
  readonly rows: number;
  readonly crc: number;
}

/**
 * Null if the file is missing or damaged.
 * @param bytes the most bytes of decoded packs to cache
 */
export async function openPacks(file: string, bytes: number): Promise<OpenPacks | null> {
  const handle = await open(file, 'r').catch(() => null);
  if (handle === null) return null;
  const tail = await readTail(handle).catch(() => null);
  if (tail === null) {
    await handle.close();
    return null;
  }
  const { texts, places } = tail;
  const kept = new LRUCache<number, Pack>({ maxSize: bytes, sizeCalculation: (pack) => 1 + pack.rows * ROW_BYTES });
  const reading = new Map<number, Promise<Pack | null>>();
  const readOne = async (seriesNo: number, place: Place): Promise<Pack | null> => {
    const length = place.rows * ROW_BYTES;
    const content = new Uint8Array(new ArrayBuffer(length));
    const { bytesRead } = await handle.read(content, 0, length, place.offset);
    if (bytesRead !== length || crc32(content) !== place.crc) return null;
    const { pack } = layOut(seriesNo, place.rows, content.buffer);
    kept.set(seriesNo, pack);
    return pack;
  };
  const shared = (seriesNo: number, place: Place) => {
    let one = reading.get(seriesNo);
    if (one === undefined) {
      one = readOne(seriesNo, place)
        .catch(() => null)
        .finally(() => reading.delete(seriesNo));
      reading.set(seriesNo, one);
    }
    return one;
  };
  return {
    texts,
    mostRows: Math.floor(bytes / ROW_BYTES),
    async read(seriesNos) {
      const found: Pack[] = [];
      for (const seriesNo of seriesNos) {
        const place = places.get(seriesNo);
        if (place === undefined) continue;
        const pack = kept.get(seriesNo) ?? (await shared(seriesNo, place));
        if (pack === null) return null;
        found.push(pack);
      }
      return found;
    },
    close: () => handle.close(),
  };
}

async function readTail(handle: FileHandle): Promise<{ texts: PackTexts; places: ReadonlyMap<number, Place> } | null> {
  const { size } = await handle.stat();
  if (size < TRAILER) return null;
  const trailer = await bytesAt(handle, size - TRAILER, TRAILER);
  if (trailer.readUInt32LE(0) !== MAGIC || trailer.readUInt32LE(4) !== FORMAT) return null;
  const from = trailer.readDoubleLE(16);
  const length = size - TRAILER - from;
  if (!(length >= 0 && length <= constants.MAX_LENGTH)) return null;
  const tail = await bytesAt(handle, from, length);
  if (crc32(tail) !== trailer.readUInt32LE(8)) return null;
  const textBytes = trailer.readDoubleLE(24);
  const places = new Map<number, Place>();
  for (let at = textBytes; at < tail.byteLength; at += PLACE_BYTES) {
    places.set(tail.readInt32LE(at + 8), {
      offset: tail.readDoubleLE(at),
      rows: tail.readUInt32LE(at + 12),
      crc: tail.readUInt32LE(at + 16),
    });
  }
  return { texts: JSON.parse(tail.toString('utf8', 0, textBytes)) as PackTexts, places };
}

async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  if (bytesRead !== length) throw new Error('the file is cut off');
  return buffer;
}
