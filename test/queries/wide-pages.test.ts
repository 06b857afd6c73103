// A page of observations in any order: the engine sorts the columns of the order alone, and reads the rows of the page by them.
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SORT_KEYS } from '../../src/queries/reads/order.ts';
import { observationsList } from '../../src/queries/reads/engine.ts';

let instance: DuckDBInstance;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
});
afterAll(() => instance.closeSync());

async function rowsOf(sql: string): Promise<unknown[][]> {
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowsJson();
  } finally {
    connection.closeSync();
  }
}

describe.each(observationsList.sorts)('a page sorted by %s', (sort) => {
  it.each(['asc', 'desc'] as const)('finds its keys before it reads its rows: %s', (order) => {
    const { sql } = observationsList.statement(sort, order);
    expect(sql).toMatch(/with page as materialized \(select sort_key, id_hash, observed_at from/);
    expect(sql).toMatch(/inner join page on listed\.id_hash = page\.id_hash and listed\.observed_at = page\.observed_at/);
    // The calendar of time zones took most of the time of a page.
    expect(sql).not.toMatch(/time zone/);
  });
});

it.each([
  ['1969-12-31 23:59:59.999+00', '1969-12-31'],
  ['1970-01-01 00:00:00+00', '1970-01-01'],
  ['1939-09-01 00:00:00+00', '1939-09-01'],
  ['2026-11-26 23:59:59.999+00', '2026-11-26'],
  ['2026-11-27 00:00:00+00', '2026-11-27'],
])('the release date of %s is %s', async (instant, day) => {
  const { expression } = SORT_KEYS.release_date;
  const rows = await rowsOf(
    `select (${expression})::varchar, typeof(${expression}) from (select null::timestamptz as released_at, '${instant}'::timestamptz as observed_at)`,
  );
  expect(rows).toEqual([[day, 'DATE']]);
});
