import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Reader, run, type StatementCache } from '../../src/db/query.ts';

async function reader(): Promise<Reader> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const statements: StatementCache = new Map();
  return { withConnection: (use) => use(connection, statements) };
}

const query = {
  file: 'none',
  sql: 'select count(*)::integer as found_rows from range(5) as numbers (n) where $wanted::integer[] is null or n in (select unnest($wanted::integer[]))',
  params: z.strictObject({ wanted: z.array(z.int()).nullable() }),
  row: z.strictObject({ foundRows: z.int() }),
};

describe('a list that is bound', () => {
  it('selects what it names, nothing when it is empty, and everything when it is null', async () => {
    const on = await reader();
    const found = async (wanted: readonly number[] | null) => (await run(on, query, { wanted }))[0]?.foundRows;
    expect([await found([1, 3]), await found([]), await found(null), await found([4])]).toEqual([2, 0, 5, 1]);
  });
});
