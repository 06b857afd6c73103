// A lake file that is no longer as it was written: what it says is never published, and it is made again from the raw archive.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mendLake } from '../../jobs/mend.ts';
import { nightly } from '../../jobs/nightly.ts';
import { nightlyText } from '../../jobs/reporting/report.ts';
import { LakeDamageError } from '../../src/lake/ledger.ts';
import { verifyLake } from '../../src/lake/verified.ts';
import { sources } from '../../src/sources/index.ts';
import { ask, fredMdFile, openPipeline, type Pipeline, realTimeFile, SILENT, writeFiles } from '../pipeline.ts';

const FIRST = '2021-01-01T00:00:00.000Z';
const SECOND = '2021-01-02T00:00:00.000Z';
const THIRD = '2021-01-03T00:00:00.000Z';
const MAY = fredMdFile('2020-05', { PAYEMS: { '2020-03': 100, '2020-04': 131 }, CPIAUCSL: { '2020-03': 250, '2020-04': 251 } });
const JUNE = fredMdFile('2020-06', { PAYEMS: { '2020-04': 129, '2020-05': 132 } });
const CODES = realTimeFile('PAYEMS', 'PAYEMS', [
  ['2020-01-01', '2020-02-07', '2020-12-31', 10],
  ['2020-02-01', '2020-03-06', '2020-12-31', 11],
  ['2020-03-01', '2020-04-03', '2020-12-31', 12],
]);
const only = sources.filter(({ id }) => id === 'fred' || id === 'fred_md');

let whole: string;
let hash: string;
let untouched: Pipeline;
let pipeline: Pipeline;
let answered: unknown;
let held: unknown;
beforeAll(async () => {
  whole = mkdtempSync(join(tmpdir(), 'asof-whole-'));
  untouched = await openPipeline({ dataDir: join(whole, 'data') });
  const mirror = join(whole, 'mirror');
  for (const [at, files] of [
    [FIRST, { ...MAY, ...CODES }],
    [SECOND, JUNE],
  ] as const) {
    await writeFiles(mirror, files);
    await nightly(only, untouched.workspace, { now: () => Date.parse(at), log: SILENT }, mirror);
  }
  hash = (await untouched.current()).contentHash;
  held = await rowsOfAll(untouched);
  answered = await ask(await untouched.open(), {}, { vintage: 'all' });
});
afterAll(async () => {
  await untouched.remove();
  rmSync(whole, { recursive: true, force: true });
});
let dataDir: string;
beforeEach(async () => {
  await pipeline?.remove();
  dataDir = mkdtempSync(join(tmpdir(), 'asof-damage-'));
  cpSync(join(whole, 'data'), dataDir, { recursive: true });
  pipeline = await openPipeline({ dataDir });
});
afterAll(() => pipeline.remove());

const lakeFile = (table: string, source: string, index = 0) => {
  const folder = join('lake', table, `source_id=${source}`);
  const name = readdirSync(join(dataDir, folder)).sort()[index] ?? '';
  return join(folder, name);
};
/** What the next run does before it reads the lake. */
const mend = async (at = THIRD) => {
  const lake = await pipeline.workspace.openLake();
  try {
    return await mendLake(lake, pipeline.workspace, only, { now: () => Date.parse(at), log: SILENT });
  } finally {
    await lake.close();
  }
};
const rowsOfAll = async (of: Pipeline) => {
  const tables = ['observations', 'ingestions', 'quarantine', 'attempts'].map(
    async (table) => [table, await of.lake(`select * from ${table} order by all`)] as const,
  );
  return Object.fromEntries(await Promise.all(tables));
};
const night = (at = THIRD) => nightly(only, pipeline.workspace, { now: () => Date.parse(at), log: SILENT }, null);

/** Flips a bit of the values' pages of which the engine does not notice that it changes a number. */
async function flipValue(path: string): Promise<void> {
  const bytes = readFileSync(path);
  const folder = mkdtempSync(join(tmpdir(), 'asof-flip-'));
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const valuesOf = async (file: string) =>
    (await connection.runAndReadAll(`select value from read_parquet('${file}') order by period_end, observed_at`)).getRows().map(String);
  const before = await valuesOf(path);
  const pages = await connection.runAndReadAll(
    `select coalesce(dictionary_page_offset, data_page_offset), total_compressed_size from parquet_metadata('${path}') where path_in_schema = 'value'`,
  );
  const [from = 0, size = 0] = pages.getRows()[0]?.map(Number) ?? [];
  try {
    for (let at = from + size - 1; at >= from; at -= 1) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      const file = join(folder, `${at}.parquet`);
      writeFileSync(file, flipped);
      const after = await valuesOf(file).catch(() => before);
      if (after.length !== before.length || after.join() === before.join()) continue;
      writeFileSync(path, flipped);
      return;
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
    rmSync(folder, { recursive: true });
  }
  throw new Error('no bit of the file changes a number');
}

describe('a flipped bit that changes a number in the lake', () => {
  it('is not published: the derivation names the file and the remedy', async () => {
    const path = lakeFile('observations', 'fred_md');
    await flipValue(join(dataDir, path));
    await expect(pipeline.publish()).rejects.toThrow(
      `${path} no longer has its hash. Run npm run nightly, which rebuilds the file from the raw archive.`,
    );
    expect((await pipeline.current()).contentHash).toBe(hash);
  });

  it('is repaired by the next night: the same snapshot, byte for byte', async () => {
    const path = lakeFile('observations', 'fred_md');
    await flipValue(join(dataDir, path));
    const report = await night();
    expect(report.mended).toEqual([{ path, problem: 'changed', rows: 4 }]);
    expect(nightlyText(report)).toContain(`${path} (changed) was rebuilt from the raw archive: 4 rows.`);
    expect((await pipeline.current()).contentHash).toBe(hash);
    expect(await ask(await pipeline.open(), {}, { vintage: 'all' })).toEqual(answered);
    expect((await night()).mended).toEqual([]);
  });

  it('is noticed by every step that reads the lake, and none compares a payload with it', async () => {
    await flipValue(join(dataDir, lakeFile('observations', 'fred_md')));
    await expect(pipeline.ingest(fredMdFile('2020-07', { PAYEMS: { '2020-05': 130 } }), THIRD)).rejects.toThrow(LakeDamageError);
  });
});

describe('a file of the lake', () => {
  const tables = ['observations', 'ingestions'] as const;
  it.each(tables.flatMap((table) => [0, 1].map((index) => [table, index] as const)))(
    'of %s, number %i, that was cut off, emptied or lost is rebuilt, and the snapshot is the same',
    async (table, index) => {
      for (const damage of ['cut off', 'lost'] as const) {
        const path = lakeFile(table, 'fred_md', index);
        if (damage === 'lost') rmSync(join(dataDir, path));
        else writeFileSync(join(dataDir, path), readFileSync(join(dataDir, path)).subarray(0, 100));
        expect((await mend()).map((one) => [one.path, one.problem])).toEqual([[path, damage === 'lost' ? 'missing' : 'changed']]);
        expect(await rowsOfAll(pipeline)).toEqual(held);
      }
    },
  );

  it('that was replaced by another is noticed', async () => {
    const [one, other] = [lakeFile('observations', 'fred_md', 0), lakeFile('observations', 'fred_md', 1)].map((path) =>
      join(dataDir, path),
    );
    const bytes = readFileSync(one ?? '');
    writeFileSync(one ?? '', readFileSync(other ?? ''));
    writeFileSync(other ?? '', bytes);
    expect(await mend()).toHaveLength(2);
    expect(await rowsOfAll(pipeline)).toEqual(held);
  });

  it('that no commit names is neither read nor deleted', async () => {
    const stranger = 'lake/observations/source_id=fred_md/part-99999999.parquet';
    writeFileSync(join(dataDir, stranger), readFileSync(join(dataDir, lakeFile('observations', 'fred_md'))));
    await expect(mend()).rejects.toThrow(`${stranger} is in no commit of the lake. Move the file out of the lake`);
    await expect(pipeline.publish()).rejects.toThrow(LakeDamageError);
    expect(existsSync(join(dataDir, stranger))).toBe(true);
    rmSync(join(dataDir, stranger));
    expect(await mend()).toEqual([]);
  });

  it('that the archive cannot restore stops the night with its name, and nothing is published', async () => {
    const path = lakeFile('attempts', 'fred_md');
    writeFileSync(join(dataDir, path), 'x');
    await expect(mend()).rejects.toThrow(`${path} (changed) cannot be rebuilt: the raw archive lacks its rows.`);
    expect((await pipeline.current()).contentHash).toBe(hash);
  });

  it('whose payload is damaged too stops the night, and is repaired once the payload is back', async () => {
    const path = lakeFile('observations', 'fred_md');
    await flipValue(join(dataDir, path));
    const [payload] = await pipeline.workspace.archive.list('fred_md');
    const object = join(dataDir, 'raw/objects', payload?.sha256.slice(0, 2) ?? '', `${payload?.sha256}.gz`);
    const bytes = readFileSync(object);
    writeFileSync(object, bytes.subarray(0, bytes.length - 12));
    await expect(mend()).rejects.toThrow(/fred-md\/2020-05\.csv of the raw archive cannot be read as it was/);
    writeFileSync(object, bytes);
    expect(await mend()).toHaveLength(1);
    expect(await rowsOfAll(pipeline)).toEqual(held);
  });

  it('with a lost payload description stops the night, because fewer rows would come back', async () => {
    const [payload] = await pipeline.workspace.archive.list('fred_md');
    rmSync(join(dataDir, 'raw/payloads/fred_md', `${payload?.payloadId}.json`));
    const path = lakeFile('observations', 'fred_md');
    writeFileSync(join(dataDir, path), 'x');
    await expect(mend()).rejects.toThrow(/the raw archive has \d of its 4 rows/);
  });
});

describe('the check that a file is whole', () => {
  const verify = (at: string, isWhole = false) => verifyLake(join(dataDir, 'lake'), { now: Date.parse(at), isWhole });

  it('hashes a file once a day, and otherwise checks that nobody touched it', async () => {
    const first = await verify(THIRD);
    expect([first.damages, first.bytesRead > 0]).toEqual([[], true]);
    expect((await verify('2021-01-03T19:00:00.000Z')).bytesRead).toBe(0);
    expect((await verify('2021-01-03T21:00:00.000Z')).bytesRead).toBe(first.bytesRead);
    expect((await verify('2021-01-03T21:00:00.000Z', true)).bytesRead).toBe(first.bytesRead);
    expect((await verify('2020-12-31T00:00:00.000Z')).bytesRead).toBe(first.bytesRead);
  });

  it('does not trust size and time', async () => {
    await verify(THIRD);
    const path = join(dataDir, lakeFile('observations', 'fred_md'));
    const { atime, mtime } = statSync(path);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0, 100, 104));
    utimesSync(path, atime, mtime);
    expect((await verify('2021-01-03T01:00:00.000Z')).damages.map(({ problem }) => problem)).toEqual(['changed']);
  });

  it('hashes all files again if its record is damaged', async () => {
    const { bytesRead } = await verify(THIRD);
    const note = join(dataDir, 'lake/verified.json');
    writeFileSync(note, readFileSync(note, 'utf8').replace(/"verifiedAt":\d/, '"verifiedAt":9'));
    expect((await verify(THIRD)).bytesRead).toBe(bytesRead);
  });
});

describe('the records of the lake', () => {
  const records = () => readdirSync(join(dataDir, 'lake/commits')).sort();
  const recordAt = (index: number) => join(dataDir, 'lake/commits', records().at(index) ?? '');
  const forget = () => rmSync(join(dataDir, 'lake/verified.json'), { force: true });

  const OTHER = /lake\/commits\/\d+\.json is another record than its name says.*Restore lake\/ from a backup/;
  const BROKEN = /lake\/commits\/\d+\.json .*Restore lake\/ from a backup/;
  const damages: readonly (readonly [string, () => void, RegExp])[] = [
    ['the newest is cut off', () => writeFileSync(recordAt(-1), readFileSync(recordAt(-1)).subarray(0, 80)), BROKEN],
    ['a number of the newest is another', () => writeFileSync(recordAt(-1), changedRecord('"rows":', '"rows":1')), BROKEN],
    ['the newest has lost its seal', () => writeFileSync(recordAt(-1), changedRecord(/,"sha256":"[0-9a-f]{64}"\}$/, '}')), BROKEN],
    ['one between is gone', () => rmSync(recordAt(1)), BROKEN],
    ['one stands in the place of another', () => writeFileSync(recordAt(0), readFileSync(recordAt(1))), OTHER],
    ['the first stands in the place of the newest', () => writeFileSync(recordAt(-1), readFileSync(recordAt(0))), OTHER],
    ['the newest is gone', () => rmSync(recordAt(-1)), /is in no commit of the lake/],
  ];
  const changedRecord = (from: string | RegExp, to: string) => readFileSync(recordAt(-1), 'utf8').replace(from, to);

  it.each(damages)('are restored from the record of verified files if %s', async (_, damage) => {
    damage();
    expect(await mend()).toEqual([]);
    forget();
    expect(await mend()).toEqual([]);
    expect(await rowsOfAll(pipeline)).toEqual(held);
  });

  it.each(damages)('stop the night without that record if %s', async (_, damage, message) => {
    damage();
    forget();
    await expect(mend()).rejects.toThrow(message);
  });

  it('of a version without hashes: the files are accepted, and recorded by the next commit', async () => {
    forget();
    for (const [index, name] of records().entries()) {
      const record = JSON.parse(readFileSync(recordAt(index), 'utf8')) as Record<string, unknown> & { files: Record<string, unknown>[] };
      const { sha256: _sha256, previous: _previous, standing: _standing, ...old } = record;
      const files = record.files.map(({ path, staged, rows }) => ({ path, staged, rows }));
      writeFileSync(join(dataDir, 'lake/commits', name), JSON.stringify({ ...old, files }));
    }
    await pipeline.ingest(fredMdFile('2020-07', { PAYEMS: { '2020-05': 130 } }), THIRD);
    forget();
    const path = lakeFile('observations', 'fred_md');
    writeFileSync(join(dataDir, path), readFileSync(join(dataDir, path)).fill(0, 100, 104));
    await expect(pipeline.publish()).rejects.toThrow(`${path} no longer has its hash.`);
    expect((await mend('2021-01-04T00:00:00.000Z')).map((one) => one.rows)).toEqual([4]);
  });

  it('stay few, however many commits there were', async () => {
    const lake = await pipeline.workspace.openLake();
    try {
      for (let day = 0; day < 120; day += 1) await lake.commit('asof', THIRD, [], { isList: true });
    } finally {
      await lake.close();
    }
    await (await pipeline.workspace.openLake()).close();
    expect(records().length).toBeLessThanOrEqual(100);
    forget();
    expect(await mend()).toEqual([]);
    expect(await rowsOfAll(pipeline)).toEqual(held);
  });
});

describe('the schema of an empty table', () => {
  it('is rewritten if its file is damaged', async () => {
    const path = join(dataDir, 'lake/observations/source_id=none/schema.parquet');
    const bytes = readFileSync(path);
    for (const damaged of [bytes.subarray(0, 50), Buffer.from(bytes.toString('latin1').replaceAll('value', 'valve'), 'latin1')]) {
      writeFileSync(path, damaged);
      await mend();
      expect(readFileSync(path)).toEqual(bytes);
      expect(await rowsOfAll(pipeline)).toEqual(held);
    }
  });
});
