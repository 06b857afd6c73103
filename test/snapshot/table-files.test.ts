// The Parquet files of tables: the manifest describes each one, although many files in a row are staged under one name within milliseconds.
// A file whose rows hold records has smaller groups of rows, because the writer keeps a whole group in memory.
import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWriter, quote } from '../../src/db/connect.ts';
import { openTableFiles, type TableFiles } from '../../src/snapshot/build/files.ts';
import { rowGroupSize } from '../../src/snapshot/build/row-groups.ts';
import { type SnapshotPaths, snapshotPaths } from '../../src/snapshot/manifest.ts';

let paths: SnapshotPaths;
let files: TableFiles;
let engine: Awaited<ReturnType<typeof openWriter>>;

beforeAll(async () => {
  paths = snapshotPaths(await mkdtemp(join(tmpdir(), 'asof-table-files-')));
  await mkdir(paths.staging, { recursive: true });
  await mkdir(paths.files, { recursive: true });
  engine = await openWriter({ threads: 2, memory: '200MB', tempDirectory: join(paths.root, 'tmp'), tempSize: '100MB' });
  files = openTableFiles(engine.connection, paths);
});

afterAll(() => engine.close());

const part = (epoch: number, select: string) =>
  files.part({ name: 'states', select, partition: { epoch }, rights: {}, licence: 'of the test' });

/** Files of few rows often have the same size. */
const ofYear = (year: number) => `
  select ${year}::smallint as epoch, date '${year}-03-01' + n::integer as period_end,
    timestamptz '${year}-06-01 10:00:00.123456+00' + n * interval 1 hour as observed_at
  from range(2) as numbers (n)`;

it('states the bounds of each part, even if the part before had the same size and no file is new', async () => {
  const years = Array.from({ length: 30 }, (_, index) => 1990 + index);
  for (const year of [...years, ...years]) {
    const { resource } = await part(year, ofYear(year));
    const { rowCount, minPeriodEnd, maxPeriodEnd, minObservedAt, maxObservedAt } = resource;
    expect({ rowCount, minPeriodEnd, maxPeriodEnd, minObservedAt, maxObservedAt }).toEqual({
      rowCount: 2,
      minPeriodEnd: `${year}-03-01`,
      maxPeriodEnd: `${year}-03-02`,
      minObservedAt: `${year}-06-01T10:00:00.123Z`,
      maxObservedAt: `${year}-06-01T11:00:00.123Z`,
    });
  }
});

it('states no bounds of a part without rows or without such values', async () => {
  const none = { minPeriodEnd: null, maxPeriodEnd: null, minObservedAt: null, maxObservedAt: null };
  expect((await part(2030, `from (${ofYear(2030)}) limit 0`)).resource).toMatchObject({ rowCount: 0, ...none });
  const empty = 'select 2031::smallint as epoch, null::date as period_end, null::timestamptz as observed_at from range(3)';
  expect((await part(2031, empty)).resource).toMatchObject({ rowCount: 3, ...none });
});

it('states the size of the file and the types of its columns', async () => {
  const { resource } = await part(2040, ofYear(2040));
  const path = quote(join(paths.root, resource.path));
  const described = await engine.connection.runAndReadAll(`describe from ${path}`);
  expect(resource.schema.fields.map(({ name, physicalType }) => [name, physicalType])).toEqual(
    described.getRows().map(([name, type]) => [name, String(type).toLowerCase()]),
  );
  const size = await engine.connection.runAndReadAll(`select octet_length(content) from read_blob(${path})`);
  expect(resource.bytes).toBe(Number(size.getRows()[0]?.[0]));
});

it('has smaller groups of rows if a column holds records, the same for a table and a select', async () => {
  const { connection } = engine;
  await connection.run("create table plain as select 1 as id, ['a', 'b'] as names, {a: 1} as one");
  await connection.run("create table statements as select 'fs_1' as id, [{line: 'revenue', value: 1.5, note: null}] as lines");
  expect(await rowGroupSize(connection, 'plain')).toBe(65_536);
  expect(await rowGroupSize(connection, 'statements')).toBe(8192);
  expect(await rowGroupSize(connection, '(select id, lines from statements order by id)')).toBe(8192);
  expect(await rowGroupSize(connection, '(select id from statements)')).toBe(65_536);
});
