// Arrow, Parquet and a table of the engine's own hold the same rows: their columns have the same types, and the same values.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type Field, type Struct, tableFromIPC } from 'apache-arrow';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { openLanes } from '../../src/db/lanes.ts';
import { elapsed } from '../../src/effects.ts';
import { arrowParts } from '../../src/http/forms/arrow.ts';
import { columnsOf } from '../../src/http/forms/columns.ts';
import { openParquetWriter, parquetFolder, type ParquetWriter } from '../../src/http/forms/parquet.ts';
import type { AnyListRoute } from '../../src/http/route.ts';
import type { Snapshot } from '../../src/queries/snapshot.ts';
import { routes } from '../../src/routes/index.ts';

const Row = z.strictObject({
  id: z.string(),
  country: z.string().nullable(),
  kind: z.enum(['a', 'b']),
  day: z.iso.date().nullable(),
  seenAt: z.iso.datetime().nullable(),
  value: z.number().nullable(),
  count: z.int().nullable(),
  isOpen: z.boolean().nullable(),
  inputs: z.array(z.string()).nullable(),
  rights: z.strictObject({ redistributable: z.boolean(), license: z.string(), note: z.string().nullable() }).nullable(),
  figures: z.record(z.string(), z.number()),
});
type Row = z.infer<typeof Row>;

const full: Row = {
  id: 'r0',
  country: 'US',
  kind: 'a',
  day: '2020-02-29',
  seenAt: '2020-03-06T13:30:00.123Z',
  value: -1.25,
  count: 3,
  isOpen: true,
  inputs: ['x', 'y'],
  rights: { redistributable: true, license: 'Public domain', note: null },
  figures: { a: 1 },
};
const none: Row = {
  id: 'r1',
  country: null,
  kind: 'b',
  day: null,
  seenAt: null,
  value: null,
  count: null,
  isOpen: null,
  inputs: null,
  rights: null,
  figures: {},
};
const before1970: Row = { ...full, id: 'r2', country: 'FR', day: '1947-01-31', seenAt: '1969-12-31T23:59:59.999Z', count: -7 };
const PAGES = [[full, none], [before1970], [none, full]];
const ROWS = PAGES.flat();

/** What the columns are in a table that is declared by hand. */
const TABLE = `create table rows_by_hand (id varchar, country varchar, kind varchar, day date, "seenAt" timestamptz, value double, count bigint,
  "isOpen" boolean, inputs varchar[], rights struct(redistributable boolean, license varchar, note varchar), figures varchar)`;

let folder: string;
let instance: DuckDBInstance;
let parquet: ParquetWriter;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'typed-'));
  parquet = await openParquetWriter(join(folder, 'engine'));
  instance = await DuckDBInstance.create(':memory:');
});
afterAll(async () => {
  instance.closeSync();
  parquet.close();
  await rm(folder, { recursive: true });
});

const columns = columnsOf(Row, ['id']);

async function parquetFile(pages: readonly (readonly unknown[])[], of = columns): Promise<string> {
  async function* all() {
    yield* pages;
  }
  const errand = openLanes({ lookup: 1, screen: 1, bulk: 1 }, elapsed).open('bulk', 'key_test', 60_000);
  return parquet.write(await parquetFolder(folder), of, all(), errand);
}

async function arrowBytes(pages: readonly (readonly unknown[])[], of = columns): Promise<Buffer> {
  const { head, page, end } = arrowParts(of);
  return Buffer.concat([head, ...(await Promise.all(pages.map((rows) => page(rows)))), end]);
}

async function typesIn(sql: string): Promise<Readonly<Record<string, string>>> {
  const connection = await instance.connect();
  try {
    await connection.run("set timezone = 'UTC'");
    const rows = (await connection.runAndReadAll(`describe ${sql}`)).getRows();
    return Object.fromEntries(rows.map(([name, type]) => [String(name), String(type)]));
  } finally {
    connection.closeSync();
  }
}

/** The engine's name for a type of Arrow, by Arrow's own table of types. */
function engineType({ type }: Field): string {
  const name = String(type);
  const known: Readonly<Record<string, string>> = {
    Utf8: 'VARCHAR',
    'Dictionary<Int32, Utf8>': 'VARCHAR',
    'List<Utf8>': 'VARCHAR[]',
    Bool: 'BOOLEAN',
    Float64: 'DOUBLE',
    Int64: 'BIGINT',
    'Date32<DAY>': 'DATE',
    'Timestamp<MICROSECOND, UTC>': 'TIMESTAMP WITH TIME ZONE',
  };
  if (known[name] !== undefined) return known[name];
  const fields = (type as Struct).children.map((field) => `${field.name} ${engineType(field)}`);
  return `STRUCT(${fields.join(', ')})`;
}

const typesOfArrow = (bytes: Buffer) =>
  Object.fromEntries(tableFromIPC(bytes).schema.fields.map((field) => [field.name, engineType(field)]));
const unquoted = (types: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(types).map(([name, type]) => [name, type.replaceAll('"', '')]));

it('have the column types of a table written by hand', async () => {
  const connection = await instance.connect();
  await connection.run(TABLE);
  connection.closeSync();
  const expected = unquoted(await typesIn('rows_by_hand'));
  const file = await parquetFile(PAGES);
  expect(unquoted(await typesIn(`select * from '${file}'`))).toEqual(expected);
  expect(typesOfArrow(await arrowBytes(PAGES))).toEqual(expected);
  expect(expected['seenAt']).toBe('TIMESTAMP WITH TIME ZONE');
});

it('have these types for a Parquet reader that knows nothing of the engine', async () => {
  const bytes = await readFile(await parquetFile(PAGES));
  const { schema } = parquetMetadata(new Uint8Array(bytes).buffer);
  const logical = Object.fromEntries(schema.map((one) => [one.name, one.logical_type ?? one.converted_type ?? one.type]));
  expect(logical).toMatchObject({
    day: 'DATE',
    seenAt: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    value: 'DOUBLE',
    isOpen: 'BOOLEAN',
  });
  expect(schema.find((one) => one.name === 'rights')?.num_children).toBe(3);
});

const INSTANTS = new Set(['seenAt']);
const DAYS = new Set(['day']);

/** A row as a reader gives it, in the words of the rows. */
function plain(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const values = Object.entries(row).map(([name, value]) => {
    if (value === null || value === undefined) return [name, null];
    if (INSTANTS.has(name)) return [name, new Date(value as number).toISOString()];
    if (DAYS.has(name)) return [name, new Date(value as number).toISOString().slice(0, 10)];
    if (typeof value === 'bigint') return [name, Number(value)];
    if (name === 'rights') return [name, JSON.parse(JSON.stringify(value))];
    return [name, value];
  });
  return Object.fromEntries(values);
}

it('keep the values of the rows: nulls inside and outside a record, days and instants before 1970', async () => {
  const expected = ROWS.map((row) => ({ ...row, figures: JSON.stringify(row.figures) }));
  const fromArrow = tableFromIPC(await arrowBytes(PAGES))
    .toArray()
    .map((row: { toJSON: () => Row }) => plain(row.toJSON()))
    .map((row) => ({ ...row, inputs: row['inputs'] === null ? null : [...(row['inputs'] as Iterable<string>)] }));
  expect(fromArrow).toEqual(expected);
  const file = new Uint8Array(await readFile(await parquetFile(PAGES))).buffer;
  expect((await parquetReadObjects({ file, compressors })).map(plain)).toEqual(expected);
});

it('put shared texts once into a dictionary per page, and other texts into none', async () => {
  const rows = Array.from({ length: 500 }, (_, at): Row => ({ ...full, id: `row ${at}`, country: at % 2 === 0 ? 'US' : 'FR' }));
  const table = tableFromIPC(await arrowBytes([rows, [full]]));
  const countries = table.getChild('country');
  expect(countries?.data.map((data) => [...(data.dictionary ?? [])])).toEqual([['US', 'FR'], ['US']]);
  expect([countries?.get(0), countries?.get(499), countries?.get(500)]).toEqual(['US', 'FR', 'US']);
  expect(String(table.schema.fields.find((field) => field.name === 'id')?.type)).toBe('Utf8');
});

it('have the same bytes whenever the rows are the same', async () => {
  const [one, other] = [await readFile(await parquetFile(PAGES)), await readFile(await parquetFile(PAGES))];
  expect(one.equals(other)).toBe(true);
});

it('are all written if many are asked for at once', async () => {
  const pages = [Array.from({ length: 6000 }, (_, at): Row => ({ ...full, id: `row ${at}`.padEnd(500) }))];
  const files = await Promise.all(Array.from({ length: 8 }, () => parquetFile(pages)));
  const rows = files.map(async (file) => parquetMetadata(new Uint8Array(await readFile(file)).buffer).num_rows);
  expect(await Promise.all(rows)).toEqual(files.map(() => 6000n));
});

it('have for each bulk route the described types, even without a row', async () => {
  const bulk = routes.filter((route): route is AnyListRoute<Snapshot> => route.kind === 'list' && route.isBulk);
  expect(bulk).toHaveLength(11);
  for (const route of bulk) {
    const of = columnsOf(route.bulkRow ?? route.row, route.ownTexts);
    const types = unquoted(await typesIn(`select * from '${await parquetFile([], of)}'`));
    expect([route.path, typesOfArrow(await arrowBytes([], of))]).toEqual([route.path, types]);
    const kinds = Object.fromEntries(of.map(({ name, kind }) => [name, kind]));
    expect(kinds['rights'] ?? 'record').toBe('record');
  }
});

it('have typed days and instants for observations, and the end of each vintage', () => {
  const ofObservations = routes.filter(
    (route): route is AnyListRoute<Snapshot> => route.kind === 'list' && /\/observations/.test(route.path),
  );
  expect(ofObservations).toHaveLength(6);
  for (const route of ofObservations) {
    const kinds = Object.fromEntries(columnsOf(route.bulkRow ?? route.row, route.ownTexts).map(({ name, kind }) => [name, kind]));
    expect([route.path, kinds]).toMatchObject([
      route.path,
      { periodEnd: 'day', releaseDate: 'day', observedAt: 'instant', supersededAt: 'instant', country: 'code', observationId: 'text' },
    ]);
  }
});

it('are written to Parquet part by part in order, and other requests run after every few hundred rows', async () => {
  const count = 200_000;
  const Numbered = z.strictObject({ n: z.int(), text: z.string() });
  const awkward = ['"', '\\', '\\ud800', '\u{1f600}', '\ud800', '\\\udc00', 'a\nb', ''];
  const rows = Array.from({ length: count }, (_, n) => ({ n, text: awkward[n % awkward.length] ?? '' }));
  let turns = 0;
  let isDone = false;
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  turn();
  const file = await parquetFile([rows], columnsOf(Numbered));
  isDone = true;
  expect(turns).toBeGreaterThan(count / 500);
  const connection = await instance.connect();
  const found = await connection.runAndReadAll(
    `select count(*), count(*) filter (where n = place), list(text order by place) filter (where place < 8)
    from (select n, text, row_number() over () - 1 as place from read_parquet('${file}'))`,
  );
  connection.closeSync();
  const [total, inPlace, texts] = found.getRowsJson()[0] ?? [];
  expect([Number(total), Number(inPlace)]).toEqual([count, count]);
  // Half of a surrogate pair is no character.
  expect(texts).toEqual(['"', '\\', '\\ud800', '\u{1f600}', '\ufffd', '\\\ufffd', 'a\nb', '']);
});
