// FRED-MD through DuckDB: every column of the rows that the statement yields, by hand.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { sqlText } from '../../src/db/query.ts';
import { hasPython, readTwice, sourceOf } from './second-reader.ts';

const fredMd = sourceOf('fred_md');
const LATER = '2026-06-01T08:00:00.000Z';
const payloadOf = (text: string, key: string, retrievedAt = LATER) => ({ key, body: new TextEncoder().encode(text), retrievedAt });

async function read(text: string, key: string, retrievedAt = LATER): Promise<string[]> {
  const payload = payloadOf(text, key, retrievedAt);
  if (fredMd.bulk === undefined) throw new Error('fred_md is no longer read in bulk');
  fredMd.bulk.check(payload);
  const folder = await mkdtemp(join(tmpdir(), 'asof-bulk-'));
  try {
    await writeFile(join(folder, 'payload'), payload.body);
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run("set timezone = 'UTC'");
    const statement = await connection.prepare(`
      select series_code, frequency, period, period_start, period_end, value, strftime(observed_at, '%Y-%m-%dT%H:%M:%S.%gZ'), is_pseudo
      from (${sqlText(fredMd.bulk.sql)}) order by series_code, period`);
    statement.bind({ ...fredMd.bulk.parameters(payload), file: join(folder, 'payload') });
    const rows = (await statement.runAndReadAll()).getRows().map((row) => row.join(' '));
    connection.closeSync();
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const refusalOf = (text: string, key = 'fred-md/2024-03.csv'): string | null => {
  try {
    fredMd.bulk?.check(payloadOf(text, key));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const SOUND = 'sasdate,"S&P 500",UNRATE\nTransform:,5,2\n12/1/2023,100,-3.5e-2\n1/1/2024, . ,.5\n2/1/2024,,+4.\n';

describe('a vintage of FRED-MD', () => {
  it('has every month of every series with its last day, known from the end of the vintage month', async () => {
    expect(await read(SOUND, 'fred-md/2024-03.csv')).toEqual([
      'S&P 500 monthly 2023-12 2023-12-01 2023-12-31 100 2024-03-31T23:59:59.999Z false',
      'S&P 500 monthly 2024-01 2024-01-01 2024-01-31  2024-03-31T23:59:59.999Z false',
      'S&P 500 monthly 2024-02 2024-02-01 2024-02-29  2024-03-31T23:59:59.999Z false',
      'UNRATE monthly 2023-12 2023-12-01 2023-12-31 -0.035 2024-03-31T23:59:59.999Z false',
      'UNRATE monthly 2024-01 2024-01-01 2024-01-31 0.5 2024-03-31T23:59:59.999Z false',
      'UNRATE monthly 2024-02 2024-02-01 2024-02-29 4 2024-03-31T23:59:59.999Z false',
    ]);
  });

  it('may have years of two digits, each the last such year up to the vintage, for the check and the statement alike', async () => {
    const months = Array.from({ length: 99 * 12 + 2 }, (_, at) => [1925 + Math.floor(at / 12), (at % 12) + 1] as const);
    const lines = months.map(([year, month]) => `${month}/1/${String(year).slice(2)},1`);
    const rows = await read(`sasdate,UNRATE\nTransform:,2\n${lines.join('\n')}\n`, 'fred-md/2024-03.csv');
    expect(rows.map((row) => row.split(' ')[2])).toEqual(months.map(([year, month]) => `${year}-${String(month).padStart(2, '0')}`));
  });

  it.skipIf(!hasPython)('is known from the end of its month, or from an earlier retrieval, in both readers', async () => {
    const arrivals = [
      ['2024-03-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
      ['2024-03-31T23:59:00.000Z', '2024-03-31T23:59:00.000Z'],
      ['2024-04-01T00:00:00.000Z', '2024-03-31T23:59:59.999Z'],
      // What came before its month is impossible, and left to be refused.
      ['2024-02-29T23:59:59.000Z', '2024-03-31T23:59:59.999Z'],
    ] as const;
    const folder = await mkdtemp(join(tmpdir(), 'asof-bulk-'));
    try {
      const [key, path] = ['fred-md/2024-03.csv', join(folder, '2024-03.csv')];
      await writeFile(path, SOUND);
      const asked = arrivals.map(([retrievedAt], index) => ({
        source: 'fred_md',
        key,
        retrievedAt,
        path,
        out: join(folder, `${index}.csv`),
      }));
      readTwice(asked);
      for (const [index, [retrievedAt, expected]] of arrivals.entries()) {
        const theirs = (await readFile(asked[index]?.out ?? '', 'utf8')).trim().split('\r\n').slice(1);
        const ours = await read(SOUND, key, retrievedAt);
        expect(ours.map((line) => line.split(' ').at(-2))).toEqual(Array(6).fill(expected));
        expect(theirs.map((line) => line.split(',').at(-1))).toEqual(Array(6).fill(expected));
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it.each([
    ['2024-03', '23', '24', '2023-12', '2024-02'],
    // The year of the vintage is of this century, the year after it of the last.
    ['2025-01', '24', '24', '2024-11', '2024-12'],
  ])('of %s has the years 20%s and 20%s in two digits', async (vintage, before, after, first, last) => {
    const months = vintage === '2024-03' ? [`12/1/${before}`, `1/1/${after}`, `2/1/${after}`] : [`11/1/${before}`, `12/1/${after}`];
    const rows = await read(`sasdate,X\nTransform:,5\n${months.map((month) => `${month},1\n`).join('')}`, `fred-md/${vintage}.csv`);
    expect([rows[0]?.split(' ')[2], rows.at(-1)?.split(' ')[2]]).toEqual([first, last]);
  });

  it.each([
    ['as it is', SOUND, null],
    ['with capitals in its header', SOUND.replace('sasdate', 'SASDATE'), null],
    ['a thirteenth month', SOUND.replace('1/1/2024', '13/1/2024'), 'not with the first of a month'],
    ['month nought', SOUND.replace('1/1/2024', '0/1/2024'), 'not with the first of a month'],
    ['the second of a month', SOUND.replace('1/1/2024', '1/2/2024'), 'not with the first of a month'],
    ['a year of three digits', SOUND.replace('1/1/2024', '1/1/024'), 'not with the first of a month'],
    ['a month twice', SOUND.replace('1/1/2024', '12/1/2023'), 'does not follow'],
    ['a column without a name', SOUND.replace('UNRATE', ''), 'no name'],
    ['a cell too many', SOUND.replace('12/1/2023,100,', '12/1/2023,100,1,'), 'has 4 fields, the header 3'],
    ['no month', 'sasdate,X\nTransform:,5\n', 'no month has a row'],
    ['the vintage month itself', `${SOUND}3/1/2024,1,1\n`, 'the last month is 2024-03, not 2024-02'],
    ['a word', SOUND.replace('100', 'NaN'), 'where a number belongs'],
    ['a number of another base', SOUND.replace('100', '0x10'), 'where a number belongs'],
  ])('with %s is read or refused', (_, text, message) => {
    expect(refusalOf(text)?.includes(message ?? '') ?? null).toBe(message === null ? null : true);
  });
});
