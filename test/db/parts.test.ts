// A table that is made part by part is the table that one statement makes.
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { createInParts, createRelation } from '../../src/db/layers.ts';
import { sqlText } from '../../src/db/query.ts';
import { RELATIONS } from '../../src/snapshot/build/relations.ts';

const inParts = RELATIONS.flatMap((step) =>
  step.as === 'table' && step.parts !== undefined ? [{ path: step.path, parts: step.parts }] : [],
);
const by = (key: string) => inParts.filter(({ parts }) => parts.key === key);

it('a table is built in parts by filer or by series if each row belongs to one', () => {
  expect(by('series_no').map(({ path }) => path)).toEqual(['published/series_revisions']);
  expect(by('cik').map(({ path }) => path)).toEqual([
    'filings/statement_facts',
    'filings/reporting_currencies',
    'filings/statement_values',
    'filings/scoped_values',
    'filings/recast_years',
    'filings/rescoping_filings',
    'filings/statement_derivations',
    'filings/quarter_values',
    'filings/trailing_reconciliations',
    'filings/statement_cells',
    'filings/statement_filings',
    'filings/fiscal_labels',
    'filings/earnings_news',
    'valuations/trailing_facts',
    'valuations/trailing_rolls',
    'valuations/trailing_values',
    'valuations/share_counts',
    'valuations/balance_sheets',
    'valuations/company_fundamentals',
    'valuations/valuations',
    'reconciliations/filed_comparisons',
    'published/companies/financial_statements',
  ]);
});

it.each([1, 2, 3, 1000])('a table has the same rows in parts of %i facts, in the order of the keys', async (rows) => {
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

it.each([1, 4, 7, 1000])('a table has a row for each series in parts of %i vintages, even for series without one', async (rows) => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await createRelation(connection, { path: 'macros/is_series_in_part', as: 'macro' });
  // Numbers of which texts have another order; every third series has no vintage.
  await connection.run(`
    create schema published;
    create table published.series as select (7 * n)::integer as series_no, 60 as default_budget_days from range(1, 31) as numbers (n);
    create table published.vintages as
      select
        series_no,
        date '2020-01-31' + (31 * month)::integer as period_end,
        'P' || month as period,
        false as is_backfill,
        if(release = 1, series_no, series_no + month % 3)::double as value,
        if(release = 1, 'first', 'second') as vintage,
        (date '2020-01-31' + (31 * month + 9 * release)::integer)::timestamptz as observed_at,
        null::timestamptz as released_at,
        release as release_no,
        if(release = 1, observed_at + interval 9 day, null) as known_to
      from published.series, range(4) as months (month), range(1, 3) as releases (release)
      where series_no % 3 > 0;
    create schema parted`);
  const [revisions] = by('series_no');
  if (revisions === undefined) throw new Error('no table is made by series');
  const statement = sqlText(`${revisions.path}.sql`);
  await connection.run(`create table parted.whole as ${statement}`);
  expect(await createInParts(connection, 'parted.made', statement, { ...revisions.parts, rows })).toBe(30);
  const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRows().map(([value]) => String(value));
  const made = await read('select to_json(made)::varchar from parted.made');
  expect(made).toEqual(await read('select to_json(whole)::varchar from parted.whole'));
  expect(made.slice(0, 3)).toEqual([
    // Of four months two were revised, by one and by two.
    '{"series_no":7,"mean_abs_revision":0.75,"revised_share":0.5,"median_release_lag_days":9.0}',
    '{"series_no":14,"mean_abs_revision":0.75,"revised_share":0.5,"median_release_lag_days":9.0}',
    '{"series_no":21,"mean_abs_revision":null,"revised_share":null,"median_release_lag_days":null}',
  ]);
  connection.closeSync();
  instance.closeSync();
});
