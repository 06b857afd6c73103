// What docs/reference/tables.md says of the tables, held against the sample by the catalogue that a reader has: keys, nulls, and the side-by-side tables beside the vintages.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describedTables } from '../../src/snapshot/build/descriptions.ts';
import { MULTIPLES } from '../valuations/valued.ts';
import { sampleLake } from '../service.ts';

let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  connection = await instance.connect();
  await connection.run(readFileSync(join(await sampleLake(), 'catalog.sql'), 'utf8'));
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});
const numbers = async (sql: string) => (await connection.runAndReadAll(sql)).getRows()[0]?.map(Number) ?? [];

/** Series of the sample have one code each: rows of series_codes are in test/published/series-codes.long.test.ts. */
const WITHOUT_ROWS: readonly string[] = ['series_codes'];

describe.each(describedTables('published').map((table) => [table.name, table] as const))('the table %s', (name, { key, columns }) => {
  it('has rows, except tables that the sample leaves empty, and each key once', async () => {
    const [rows = 0, distinct = 0] = await numbers(
      `select (select count(*) from ${name}), (select count(*) from (select distinct ${key.join(', ')} from ${name}))`,
    );
    expect([key.length > 0, rows > 0, distinct]).toEqual([true, !WITHOUT_ROWS.includes(name), rows]);
  });

  it('is null only in columns whose null has a meaning', async () => {
    const never = columns.filter(({ nullMeans }) => nullMeans === null);
    const counts = await numbers(`select ${never.map((column) => `count(*) - count("${column.name}")`).join(', ')} from ${name}`);
    expect(never.flatMap((column, at) => (counts[at] === 0 ? [] : [column.name]))).toEqual([]);
  });
});

describe('the multiples as columns', () => {
  it.each(MULTIPLES)('have the %s of the vintages in force', async (slug) => {
    const [rows = 0, other] = await numbers(`
      with held as (
          select series.entity_id, vintages.*
          from vintages
          inner join series using (series_no)
          where series.canonical_id = '${slug}'
      )
      select count(*), count(*) filter (where held.series_no is null or held.value is distinct from multiples.${slug})
      from multiples
      left join held
          on held.entity_id = multiples.entity_id
          and held.period_end = multiples.price_date
          and held.observed_at <= multiples.known_from
          and coalesce(held.known_to > multiples.known_from, true)`);
    expect([rows > 500, other]).toEqual([true, 0]);
  });
});

describe('npm run files', () => {
  const run = async (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'jobs/commands/files.ts', ...args], {
      cwd: resolve(import.meta.dirname, '../..'),
      env: { ...process.env, DATA_DIR: dirname(await sampleLake()) },
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    return { status, stdout, stderr };
  };

  it('prints the files of a table of the sample if there are no data, one per line', async () => {
    const { status, stdout } = await run('vintages');
    const files = stdout.trimEnd().split('\n');
    const [here, there] = await numbers(`
      select (select count(*) from read_parquet([${files.map((file) => `'${file.replaceAll("'", "''")}'`).join(', ')}])), (select count(*) from vintages)`);
    expect([status, files.length > 10, here]).toEqual([0, true, there]);
  });

  it('prints the catalogue with paths of the folder, and the tables with their meaning', async () => {
    expect((await run('--catalog')).stdout).toBe(readFileSync(join(await sampleLake(), 'catalog.sql'), 'utf8'));
    const { stdout } = await run();
    expect(describedTables('published').filter(({ name, meaning }) => !stdout.includes(name) || !stdout.includes(meaning))).toEqual([]);
  });

  it('names the nearest table for an unknown one', async () => {
    const { status, stderr } = await run('vintage');
    expect([status, stderr]).toEqual([1, 'There is no table vintage. Did you mean vintages?\n']);
  });
});
