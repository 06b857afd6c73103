// A table that is made part by part is the table that one statement makes.
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { createInParts, createRelation } from '../../src/db/layers.ts';
import { RELATIONS } from '../../src/snapshot/relations.ts';

const byFiler = RELATIONS.flatMap((step) => (step.as === 'table' && step.parts !== undefined ? [step] : []));

it('is one by filers where its rows are of one filer each', () => {
  expect(byFiler.map(({ path }) => path)).toEqual([
    'filings/statement_facts',
    'filings/statement_values',
    'filings/scoped_values',
    'filings/statement_derivations',
    'filings/quarter_values',
    'filings/recast_years',
    'filings/trailing_reconciliations',
    'filings/statement_cells',
    'filings/statement_filings',
    'valuations/trailing_facts',
    'valuations/trailing_rolls',
    'valuations/trailing_values',
    'valuations/share_counts',
    'valuations/balance_sheets',
    'valuations/company_fundamentals',
    'reconciliations/filed_comparisons',
    'published/financial_statements',
  ]);
});

it.each([1, 2, 3, 1000])('has the same rows in parts of %i facts, in the order of the keys', async (rows) => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await createRelation(connection, { path: 'macros/is_in_part', as: 'macro' });
  await connection.run('create schema filings; create schema parted');
  await connection.run(`create table filings.company_facts as
    select format('{:010d}', 1 + i // 3 * 3) as cik, i as fact from range(20) as facts (i)`);
  const statement = `select cik, fact, count(*) over (partition by cik) as own from filings.company_facts where is_in_part(cik) order by cik, fact`;
  await connection.run(`create table parted.whole as ${statement}`);
  const made = await createInParts(connection, 'parted.made', statement, { of: 'filings.company_facts', key: 'cik', rows });
  expect(made).toBe(20);
  const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRows().map(([value]) => String(value));
  expect(await read('select to_json(made)::varchar from parted.made')).toEqual(
    await read('select to_json(whole)::varchar from parted.whole'),
  );
  // What is asked afterwards is asked of all.
  expect(await read('select count(*) from filings.company_facts where is_in_part(cik)')).toEqual(['20']);
  connection.closeSync();
  instance.closeSync();
});
