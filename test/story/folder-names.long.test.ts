// DATA_DIR may lie below any folder: its name adds no column to a file and is no pattern.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parquetFiles } from '../../src/db/files.ts';
import { fredMdFile, writeFiles } from '../pipeline.ts';
import { type ListBody, startService } from '../service.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const NAMES = ["a=b/c*d [e]/ü'%", 'period=2020-01', 'value=3'];
const NIGHTS = [
  fredMdFile('2020-01', { PAYEMS: { '2019-11': 151_000, '2019-12': 151_200 } }),
  fredMdFile('2020-02', { PAYEMS: { '2019-11': 151_000, '2019-12': 151_250, '2020-01': 151_300 } }),
];
/** Period, value and vintage by hand, as the two files say. */
const VINTAGES = [
  ['2019-11', 151_000, '2020-01-31'],
  ['2019-12', 151_200, '2020-01-31'],
  ['2019-12', 151_250, '2020-02-29'],
  ['2020-01', 151_300, '2020-02-29'],
];
const ASKED = '/observations?indicator_id=us_nonfarm_payrolls&source_id=fred_md&vintage=all&sort=period_end&order=asc';

let root: string;
let mirror: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'asof-names-'));
  mirror = join(root, 'mirror');
});
afterAll(() => rm(root, { recursive: true, force: true }));

function run(dataDir: string, command: string, ...options: readonly string[]) {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir, LOG_LEVEL: 'silent' };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', `jobs/commands/${command}.ts`, ...options], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

async function served(dataDir: string): Promise<readonly unknown[]> {
  const service = await startService(dataDir);
  try {
    const { data } = (await (await service.get(ASKED)).json()) as ListBody;
    return data.map(({ period, actual, vintage }) => [period, actual, vintage]);
  } finally {
    await service.stop();
  }
}

describe.each(NAMES)('in a folder named %s', (name) => {
  it('two nights, a server with and without its copy, the catalogue and the files have the published values', {
    timeout: 600_000,
  }, async () => {
    const dataDir = join(root, name, 'data');
    await rm(mirror, { recursive: true, force: true });
    for (const files of NIGHTS) {
      await writeFiles(mirror, files);
      expect(run(dataDir, 'nightly', '--mirror', mirror)).toMatchObject({ status: 0 });
    }
    expect(await served(dataDir)).toEqual(VINTAGES);
    await rm(join(dataDir, 'snapshots', 'served'), { recursive: true });
    expect(await served(dataDir)).toEqual(VINTAGES);

    const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    const asked = async (from: string) =>
      (
        await connection.runAndReadAll(
          `select period, value, vintage from ${from} where series_no = (select series_no from series where indicator_id = 'us_nonfarm_payrolls' and source_id = 'fred_md')
           order by period_end, observed_at`,
        )
      ).getRows();
    await connection.run(await readFile(join(dataDir, 'catalog.sql'), 'utf8'));
    expect(await asked('vintages')).toEqual(VINTAGES);
    const { stdout } = run(dataDir, 'files', 'vintages');
    expect(await asked(parquetFiles(stdout.trimEnd().split('\n')))).toEqual(VINTAGES);
    connection.closeSync();
    expect(run(dataDir, 'doctor')).toMatchObject({ status: 0 });
  });
});
