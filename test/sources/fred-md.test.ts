// FRED-MD is read in bulk by SQL: what the statement yields of odd but sound files, and which files are refused before it runs.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { sqlText } from '../../src/db/query.ts';
import { fredMd } from '../../src/sources/st-louis-fed/fred-md.ts';

const KEY = 'fred-md/2023-11.csv';
const payloadOf = (text: string, key = KEY) => ({ key, body: new TextEncoder().encode(text), retrievedAt: '2024-06-01T08:00:00.000Z' });
const SOUND = 'sasdate,PAYEMS,UNRATE\nTransform:,5,2\n8/1/2023,100,3.5\n9/1/2023,101,\n10/1/2023,.,3.9\n';

async function read(text: string): Promise<string[]> {
  const payload = payloadOf(text);
  const { bulk } = fredMd;
  if (!bulk) throw new Error('fred_md has no bulk statement');
  bulk.check(payload);
  const folder = await mkdtemp(join(tmpdir(), 'asof-fred-md-'));
  try {
    await writeFile(join(folder, 'payload'), payload.body);
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const statement = await connection.prepare(`select series_code, period, value from (${sqlText(bulk.sql)}) order by all`);
    statement.bind({ ...bulk.parameters(payload), file: join(folder, 'payload') });
    return (await statement.runAndReadAll()).getRows().map((row) => row.join(' '));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const ROWS = ['PAYEMS 2023-08 100', 'PAYEMS 2023-09 101', 'PAYEMS 2023-10 ', 'UNRATE 2023-08 3.5', 'UNRATE 2023-09 ', 'UNRATE 2023-10 3.9'];

describe('a vintage file', () => {
  it.each([
    ['as published', SOUND],
    ['with trailing blank rows', `${SOUND},,\n,,\n`],
    ['with CRLF', SOUND.replaceAll('\n', '\r\n')],
    ['without an end of its last line', SOUND.trimEnd()],
    ['with years of two digits', SOUND.replaceAll('/2023', '/23')],
    ['with its columns in another order', 'sasdate,UNRATE,PAYEMS\nTransform:,2,5\n8/1/2023,3.5,100\n9/1/2023,,101\n10/1/2023,3.9,.\n'],
  ])('%s gives the same values, with blank and . as missing', async (_, text) => {
    expect(await read(text)).toEqual(ROWS);
  });

  it('of the last century stays there if years have two digits', async () => {
    const months = Array.from(
      { length: 12 * 64 + 10 },
      (_, index) => `${(index % 12) + 1}/1/${String((59 + Math.floor(index / 12)) % 100).padStart(2, '0')},${index}`,
    );
    const rows = await read(`sasdate,PAYEMS\nTransform:,5\n${months.join('\n')}\n`);
    expect([rows[0], rows.at(-1)]).toEqual(['PAYEMS 1959-01 0', 'PAYEMS 2023-10 777']);
  });
});

describe('a faulty file', () => {
  it.each([
    ['an error page', '<!DOCTYPE html><html></html>', 'not with sasdate'],
    ['nothing', '', 'not with sasdate'],
    ['no transformation codes', SOUND.replace('Transform:,5,2\n', ''), 'not the Transform: row'],
    ['a row cut off', SOUND.replace('10/1/2023,.,3.9\n', '10/1/2023,.'), 'may be cut off'],
    ['its last month missing', SOUND.replace('10/1/2023,.,3.9\n', ''), 'is cut off or is not of this vintage'],
    ['a month left out', SOUND.replace('9/1/2023,101,\n', ''), 'does not follow'],
    ['a word for a number', SOUND.replace('101', 'n.a.x'), 'where a number belongs'],
    ['a column twice', SOUND.replace('UNRATE', 'PAYEMS'), 'its name twice'],
  ])('is refused with its fault named: %s', (_, text, fault) => {
    expect(() => fredMd.bulk?.check(payloadOf(text))).toThrow(fault);
  });
});
