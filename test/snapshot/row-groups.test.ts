// Rows that stand together in a Parquet file: few of those that hold records, for all of a group are in memory at once.
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { rowGroupSize } from '../../src/snapshot/build/row-groups.ts';

it('are smaller if a column holds records, and the same for a table and a select', async () => {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run("create table plain as select 1 as id, ['a', 'b'] as names, {a: 1} as one");
  await connection.run("create table statements as select 'fs_1' as id, [{line: 'revenue', value: 1.5, note: null}] as lines");
  expect(await rowGroupSize(connection, 'plain')).toBe(65_536);
  expect(await rowGroupSize(connection, 'statements')).toBe(8192);
  expect(await rowGroupSize(connection, '(select id, lines from statements order by id)')).toBe(8192);
  expect(await rowGroupSize(connection, '(select id from statements)')).toBe(65_536);
  connection.closeSync();
  instance.closeSync();
});
