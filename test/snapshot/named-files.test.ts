// The current snapshot by name: after every publication the catalogue names its files and no other, wherever DATA_DIR lies.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { patternOf, quote } from '../../src/db/connect.ts';
import { parquetMatching } from '../../src/db/files.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import { catalogText, outdatedCatalog, tablesOf } from '../../src/snapshot/build/named-files.ts';
import { readCurrent, type SnapshotPaths, snapshotPaths } from '../../src/snapshot/manifest.ts';
import { publish } from '../../src/snapshot/build/publish.ts';
import { endedAnywhere } from '../disk/disk-calls.ts';
import { manifestOf, resourceOf, sha256 } from './written.ts';

let base: string;
let dataDir: string;
let paths: SnapshotPaths;
let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'asof-catalog-'));
  instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  connection = await instance.connect();
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
  rmSync(base, { recursive: true, force: true });
});
beforeEach(() => {
  dataDir = join(mkdtempSync(join(base, `a folder of the analyst's "own" `)), 'value=3', 'c*d [e]');
  paths = snapshotPaths(dataDir);
});

const asked = async (sql: string) =>
  (await connection.runAndReadAll(sql)).getRows().map((row) => row.map((cell) => (typeof cell === 'bigint' ? Number(cell) : cell)));

/** A candidate of vintages in two data sets and of series; night n revises the second data set. */
async function candidate(night: number): Promise<Manifest> {
  for (const folder of [paths.files, paths.served]) mkdirSync(folder, { recursive: true });
  const file = async (table: string, select: string, dataset?: string) => {
    const staged = join(dataDir, 'staged');
    await connection.run(`copy (${select}) to ${quote(staged)} (format parquet)`);
    const bytes = readFileSync(staged);
    const path = `files/${table}-${sha256(bytes).slice(0, 32)}.parquet`;
    copyFileSync(staged, join(paths.root, path));
    rmSync(staged);
    return resourceOf(table, '', {
      name: dataset === undefined ? table : `${table}.${dataset}`,
      path,
      bytes: bytes.length,
      hash: `sha256:${sha256(bytes)}`,
      partition: dataset === undefined ? {} : { dataset },
      schema: {
        fields: [{ name: 'value', type: 'integer', physicalType: 'integer', unit: 'percent', description: `What it's worth.` }],
        primaryKey: [],
      },
    });
  };
  const manifest = manifestOf([
    await file('vintages', 'select 1 as value', 'fred'),
    await file('vintages', `select 100 + value::integer as value from range(${night + 1}) as nights (value)`, 'oecd'),
    await file('series', 'select 7 as value'),
  ]);
  writeFileSync(paths.candidate, JSON.stringify(manifest));
  return manifest;
}
const publishNight = async (night: number) => {
  await candidate(night);
  return publish(paths, 5);
};
const read = async () => {
  await connection.run(readFileSync(paths.catalog, 'utf8'));
  return (await asked('select value from vintages order by value')).flat();
};

describe('the catalogue', () => {
  it('has each vintage once after five publications whose files are all kept', async () => {
    for (let night = 0; night < 5; night += 1) await publishNight(night);
    expect(await asked(`select count(*) from ${parquetMatching(`${patternOf(paths.files)}/vintages-*.parquet`)}`)).toEqual([
      [1 + 1 + 2 + 3 + 4 + 5],
    ]);
    expect(await read()).toEqual([1, 100, 101, 102, 103, 104]);
  });

  it('describes each table and column', async () => {
    await publishNight(0);
    await read();
    expect(await asked('select view_name, comment from duckdb_views() where not internal order by 1')).toEqual([
      ['series', 'What series is.'],
      ['vintages', 'What vintages is.'],
    ]);
    expect(await asked("select column_name, comment from duckdb_columns() where table_name = 'vintages' and not internal")).toEqual([
      ['value', "What it's worth. Unit: percent."],
    ]);
  });

  it('is rewritten if it is missing, cut off or of another snapshot, and left alone otherwise', async () => {
    await publishNight(0);
    const { mtimeMs } = statSync(paths.catalog);
    await publishNight(0);
    expect(statSync(paths.catalog).mtimeMs).toBe(mtimeMs);
    const whole = [readFileSync(paths.catalog, 'utf8'), readFileSync(paths.dataPackage, 'utf8')];
    for (const path of [paths.catalog, paths.dataPackage]) {
      for (const damage of [() => rmSync(path), () => writeFileSync(path, 'create or replace view vint')]) {
        damage();
        const current = await readCurrent(paths);
        expect(current === null ? [] : (await outdatedCatalog(paths, current)).map((file) => file.path)).toEqual([path]);
        await publishNight(0);
        expect([readFileSync(paths.catalog, 'utf8'), readFileSync(paths.dataPackage, 'utf8')]).toEqual(whole);
      }
    }
  });

  it('names existing files wherever a publication ends, and the current files after the next one', async () => {
    const prepare = async () => {
      rmSync(paths.root, { recursive: true, force: true });
      await publishNight(0);
      await publishNight(1);
      await candidate(2);
    };
    const found = new Set<string>();
    await endedAnywhere(
      dataDir,
      prepare,
      () => publish(paths, 2),
      async () => {
        found.add((await read()).join(' '));
        if (existsSync(paths.candidate)) await publish(paths, 2);
        expect(await read()).toEqual([1, 100, 101, 102]);
      },
    );
    expect([...found].toSorted()).toEqual(['1 100 101', '1 100 101 102']);
  });
});

describe('the data package next to the files', () => {
  it('is the manifest of the current snapshot, with paths relative to its folder', async () => {
    await publishNight(0);
    const { snapshotId } = await publishNight(1);
    const text = readFileSync(paths.dataPackage, 'utf8');
    expect(text).toBe(readFileSync(paths.manifest(snapshotId), 'utf8'));
    const { resources } = JSON.parse(text) as Manifest;
    expect(resources.filter(({ path }) => !existsSync(join(paths.dataPackage, '..', path)))).toEqual([]);
    expect(new Set(resources.map(({ name }) => name)).size).toBe(resources.length);
  });
});

describe('the files of a table', () => {
  it('are those of the current snapshot, by their full paths', async () => {
    await publishNight(0);
    await publishNight(1);
    const current = await readCurrent(paths);
    if (current === null) throw new Error('nothing is published');
    const vintages = tablesOf(paths, current).find(({ table }) => table === 'vintages');
    expect(vintages?.files.filter((file) => !file.startsWith(dataDir) || !existsSync(file))).toEqual([]);
    expect([vintages?.files.length, tablesOf(paths, current).map(({ table }) => table)]).toEqual([2, ['vintages', 'series']]);
    expect(catalogText(paths, current)).toBe(readFileSync(paths.catalog, 'utf8'));
  });
});
