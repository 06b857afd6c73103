// Packs of series whose lengths differ: the writer keeps the space of one series for the next.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { openPacks, writePacks } from '../../src/snapshot/packs.ts';

/** Rows by series number. 2,048 rows come at a time, and 4,096 fit at first. */
const LENGTHS: Readonly<Record<number, number>> = { 1: 3, 2: 10_000, 3: 1, 4: 4096, 5: 4097, 6: 30_000, 7: 2 };

it('have every row of each series, however long the one before was', async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const lengths = Object.entries(LENGTHS).map(([seriesNo, rows]) => `(${seriesNo}, ${rows})`);
  await connection.run(`
    create table vintages as
    select series_no, '2020' as period, date '1900-01-01' + row_no::integer as period_end, (series_no * 1e6 + row_no)::double as value, 'a' as vintage,
      timestamptz '2020-01-01 00:00:00+00' as observed_at, null::timestamptz as known_to, null::timestamptz as prior_observed_at,
      1 as release_no, false as is_revised, false as is_backfill, null::varchar as obs_status, null::timestamptz as released_at,
      timestamptz '2026-01-01 00:00:00+00' as retrieved_at, 'r' as source_run_id, row_no::ubigint as id_hash, null::varchar[] as derived_from
    from (values ${lengths.join(', ')}) as series (series_no, length), range(length) as rows (row_no)
    order by series_no, row_no`);
  const file = join(await mkdtemp(join(tmpdir(), 'asof-packs-')), 'all.packs');
  await writePacks(connection, 'vintages', file);
  connection.closeSync();
  instance.closeSync();

  const packs = await openPacks(file, 100_000_000);
  const read = await packs?.read(Object.keys(LENGTHS).map(Number));
  await packs?.close();
  expect(read?.map(({ seriesNo, rows }) => [seriesNo, rows])).toEqual(Object.entries(LENGTHS).map(([one, rows]) => [Number(one), rows]));
  for (const { seriesNo, rows, value, hashLow } of read ?? []) {
    const numbers = Array.from({ length: rows }, (_, row) => row);
    expect([...value]).toEqual(numbers.map((row) => seriesNo * 1e6 + row));
    expect([...hashLow]).toEqual(numbers);
  }
});
