// A file is read by its own name, whatever the folders above it are called.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReader, openWriter, patternOf, quote } from '../../src/db/connect.ts';
import { parquetFiles, parquetMatching } from '../../src/db/files.ts';
import { lakePaths } from '../../src/lake/layout.ts';

const NAMES = [
  "a=b/c*d [e]/ü'%",
  'period=2020-01',
  'value=3',
  'source_id=oecd',
  '?',
  '**',
  '[!a]{b,c}',
  '[',
  ']',
  'back\\slash',
  "', '",
  '$HOME ~ %41',
  'a\nb',
];
const LIMITS = { threads: 1, memory: '200MB', tempSize: '1GB' };

let root: string;
let engine: Awaited<ReturnType<typeof openWriter>>;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'asof-files-'));
  engine = await openWriter({ ...LIMITS, tempDirectory: join(root, 'spill') });
  for (const name of NAMES) {
    mkdirSync(join(root, name, 'observations/source_id=fred'), { recursive: true });
    for (const file of [fileIn(name), join(root, name, 'observations/source_id=fred/part.parquet')])
      await engine.connection.run(`copy (select '2019-12' as period, ${NAMES.indexOf(name)} as value) to ${quote(file)} (format parquet)`);
    await engine.connection.run(
      `copy (select '2019-12' as period, ${NAMES.indexOf(name)} as value) to ${quote(`${fileIn(name)}.csv`)} (format csv)`,
    );
  }
});
afterAll(() => {
  engine.close();
  rmSync(root, { recursive: true, force: true });
});

const fileIn = (name: string) => join(root, name, 'file.parquet');
const rows = async (from: string) => (await engine.connection.runAndReadAll(`select * from ${from}`)).getRows();

describe.each(NAMES.map((name, index) => [name, index] as const))('below %j', (name, index) => {
  it('Parquet files, a lake table and CSV return only their own columns and rows', async () => {
    expect(await rows(parquetFiles([fileIn(name)]))).toEqual([['2019-12', index]]);
    expect(await rows(parquetFiles([fileIn(name), fileIn(name)], { isByName: true }))).toHaveLength(2);
    expect(await rows(lakePaths(join(root, name)).rows('observations'))).toEqual([['2019-12', index, 'fred']]);
    expect((await rows(parquetMatching(`${patternOf(join(root, name))}/*.parquet`))).map((row) => row.slice(0, 2))).toEqual([
      ['2019-12', index],
    ]);
    expect(await rows(`read_csv(${quote(patternOf(`${fileIn(name)}.csv`))}, all_varchar = true, hive_partitioning = false)`)).toEqual([
      ['2019-12', String(index)],
    ]);
  });

  it('a server can read its own folder and no other', async () => {
    const instance = await openReader({ ...LIMITS, tempDirectory: join(root, 'spill') }, [join(root, name)]);
    const connection = await instance.connect();
    expect((await connection.runAndReadAll(`from ${parquetFiles([fileIn(name)])}`)).getRows()).toEqual([['2019-12', index]]);
    const other = fileIn(NAMES.at(index - 1) ?? '');
    await expect(connection.run(`from ${parquetFiles([other])}`)).rejects.toThrow(/Permission Error/);
    connection.closeSync();
    instance.closeSync();
  });
});
