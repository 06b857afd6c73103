import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { heldRows, type HeldRows, type Reader, run, runHeld, type StatementCache } from '../../src/db/query.ts';

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
  it('selects the listed rows, no row if it is empty, and every row if it is null', async () => {
    const on = await reader();
    const found = async (wanted: readonly number[] | null) => (await run(on, query, { wanted }))[0]?.foundRows;
    expect([await found([1, 3]), await found([]), await found(null), await found([4])]).toEqual([2, 0, 5, 1]);
  });
});

describe('a list of numbers that is bound', () => {
  const sums = {
    file: 'none',
    sql: 'select list_sum($numbers::bigint[])::varchar as total',
    params: z.strictObject({ numbers: z.array(z.int()) }),
    row: z.strictObject({ total: z.string() }),
  };

  it('may have a small one first and a large one after it', async () => {
    const on = await reader();
    const [row] = await run(on, sums, { numbers: [-1, 1_800_000_000_000_001] });
    expect(row).toEqual({ total: '1800000000000000' });
  });
});

describe('a row', () => {
  const states = {
    file: 'states.sql',
    sql: "select unnest(['open', $second::varchar]) as state",
    params: z.strictObject({ second: z.string() }),
    row: z.strictObject({ state: z.enum(['open', 'closed']) }),
  };

  it('that does not match the binding fails, and the error names statement, row and column', async () => {
    const on = await reader();
    expect(await run(on, states, { second: 'closed' })).toEqual([{ state: 'open' }, { state: 'closed' }]);
    await expect(run(on, states, { second: 'ajar' })).rejects.toThrow('Row 2 of the query states has another form than declared: state: ');
  });

  it('of a bulk answer is checked if it is the first, or if the reader checks every row', async () => {
    const on = await reader();
    const bulk = { ...states, isBulk: true };
    expect(await run(on, bulk, { second: 'ajar' })).toHaveLength(2);
    await expect(run({ ...on, checks: 'every' }, bulk, { second: 'ajar' })).rejects.toThrow('Row 2');
    await expect(run(on, { ...bulk, row: z.strictObject({ name: z.string() }) }, { second: 'ajar' })).rejects.toThrow('Row 1');
    expect(await run({ ...on, checks: 'none' }, { ...states, row: z.strictObject({ name: z.string() }) }, { second: 'ajar' })).toHaveLength(
      2,
    );
  });
});

describe('held rows', () => {
  const numbers = {
    file: 'numbers.sql',
    sql: "select n::integer as own_number, 'n' || n as name, 2 * n as sort_key, 'tie ' || n as tie_key from range($count::integer) as numbers (n)",
    params: z.strictObject({ count: z.int() }),
    row: z.strictObject({ ownNumber: z.int(), name: z.string() }),
    isBulk: true,
  };
  const partsOf = async <Row>({ parts }: HeldRows<Row>, most: number) => {
    const all: (readonly Row[])[] = [];
    for await (const part of parts(most)) all.push(part);
    return all;
  };
  const rowsUpTo = (count: number) => Array.from({ length: count }, (_, number) => ({ ownNumber: number, name: `n${number}` }));

  it.each([
    [9000, 9000, 5000],
    [9000, 8999, 5000],
    [9000, 4096, 700],
    [9000, 4097, 700],
    [9000, 1, 700],
    [10, 9, 3],
    [0, 5, 3],
  ])('are the first page, once and in order: %i found, %i wanted, %i at once', async (count, limit, most) => {
    const length = Math.min(count, limit);
    for (const isLate of [false, true]) {
      const { held, isMore, lastKeys } = await runHeld(await reader(), numbers, { count }, { keyCount: 2, limit, isLate });
      expect([isMore, held.length]).toEqual([count > limit, length]);
      expect(lastKeys).toEqual(length === 0 ? [] : [2 * (length - 1), `tie ${length - 1}`]);
      const parts = await partsOf(held, most);
      expect(parts.flat()).toEqual(rowsUpTo(length));
      expect(parts.slice(0, -1).every((part) => part.length === most)).toBe(true);
      expect(await partsOf(heldRows(rowsUpTo(length)), most)).toEqual(parts);
    }
  });

  it.each([false, true])('keep their values and nulls, whatever their type, copied or read late (%s)', async (isLate) => {
    const Cell = z.unknown();
    const kinds = {
      file: 'kinds.sql',
      sql: `select
          case when n % 3 > 0 then n / 7 end as number, case when n % 5 > 0 then 18446744073709551615::ubigint - n::ubigint * 900719925474099 end as id,
          case when n % 7 > 0 then to_timestamp(n * 86399.123456) end as instant, case when n % 2 > 0 then date '1969-12-25' + n::integer end as day,
          case when n % 4 > 0 then n % 2 = 1 end as flag, case when n % 3 > 1 then [n::varchar, null] end as texts, n - 2048 as whole,
          case when n % 6 > 0 then 'text ' || n % 9 end as text, n as sort_key, n as tie_key
        from range($count::integer) as numbers (n)`,
      params: z.strictObject({ count: z.int() }),
      row: z.strictObject({ number: Cell, id: Cell, instant: Cell, day: Cell, flag: Cell, texts: Cell, whole: Cell, text: Cell }),
      isBulk: true,
    };
    const { held } = await runHeld(await reader(), kinds, { count: 5000 }, { keyCount: 2, limit: 4500, isLate });
    const found = (await partsOf(held, 1000)).flat();
    const wanted = await run(await reader(), { ...kinds, row: kinds.row.extend({ sortKey: Cell, tieKey: Cell }) }, { count: 4500 });
    expect(found).toEqual(wanted.map(({ sortKey: _, tieKey: __, ...row }) => row));
    expect(found[1]).toEqual({
      number: 1 / 7,
      id: 18445843353784077516n,
      instant: '1970-01-01T23:59:59.123Z',
      day: '1969-12-26',
      flag: true,
      texts: null,
      whole: -2047,
      text: 'text 1',
    });
  });

  it('that do not match the binding fail when they are read', async () => {
    const wrong = { ...numbers, row: z.strictObject({ ownNumber: z.int(), name: z.literal('n0') }) };
    const { held } = await runHeld({ ...(await reader()), checks: 'every' }, wrong, { count: 2 }, { keyCount: 2, limit: 2 });
    await expect(partsOf(held, 10)).rejects.toThrow('Row 2 of the query numbers has another form than declared: name: ');
  });
});
