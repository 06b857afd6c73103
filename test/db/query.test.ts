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

describe('a row', () => {
  const states = {
    file: 'states.sql',
    sql: "select unnest(['open', $second::varchar]) as state",
    params: z.strictObject({ second: z.string() }),
    row: z.strictObject({ state: z.enum(['open', 'closed']) }),
  };

  it('is what the binding says, or the answer is refused by the name of the statement, the row and the column', async () => {
    const on = await reader();
    expect(await run(on, states, { second: 'closed' })).toEqual([{ state: 'open' }, { state: 'closed' }]);
    await expect(run(on, states, { second: 'ajar' })).rejects.toThrow(
      'sql/queries/states.sql: row 2 is not what its binding says: state: ',
    );
  });

  it('of a bulk answer is checked where it is the first, and each where the reader says so', async () => {
    const on = await reader();
    const bulk = { ...states, isBulk: true };
    expect(await run(on, bulk, { second: 'ajar' })).toHaveLength(2);
    await expect(run({ ...on, checks: 'every' }, bulk, { second: 'ajar' })).rejects.toThrow('row 2');
    await expect(run(on, { ...bulk, row: z.strictObject({ name: z.string() }) }, { second: 'ajar' })).rejects.toThrow('row 1');
    expect(await run({ ...on, checks: 'none' }, { ...states, row: z.strictObject({ name: z.string() }) }, { second: 'ajar' })).toHaveLength(
      2,
    );
  });
});
