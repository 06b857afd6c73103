// Published tables as Delta tables: each version has the rows of its snapshot, wherever a publication ended; missing and damaged ones are rebuilt.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { quote } from '../../src/db/connect.ts';
import type { Manifest } from '../../src/model/manifest.ts';
import { deltaSchema, deltaType } from '../../src/snapshot/build/delta/schema.ts';
import { outdatedDelta, writeDelta } from '../../src/snapshot/build/delta/write.ts';
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
  base = mkdtempSync(join(tmpdir(), 'asof-delta-'));
  instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  connection = await instance.connect();
  await connection.run("set TimeZone = 'UTC'");
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
  rmSync(base, { recursive: true, force: true });
});
beforeEach(() => {
  dataDir = mkdtempSync(join(base, 'data '));
  paths = snapshotPaths(dataDir);
});

const FIELDS = [
  { name: 'series_no', type: 'integer', physicalType: 'bigint', unit: null, description: 'The series.' },
  { name: 'value', type: 'number', physicalType: 'double', unit: 'percent', description: "What it's worth." },
  {
    name: 'known_at',
    type: 'datetime',
    physicalType: 'timestamp with time zone',
    unit: null,
    description: 'Time at which it became known.',
  },
  { name: 'names', type: 'array', physicalType: 'varchar[]', unit: null, description: 'Its names.' },
] as const;

/** A candidate of vintages in two files and of series in one; night n adds a row to the second file of vintages. */
async function candidate(night: number, knownOn = night + 10): Promise<Manifest> {
  for (const folder of [paths.files, paths.served]) mkdirSync(folder, { recursive: true });
  const file = async (table: string, values: string, part: string) => {
    const staged = join(dataDir, 'staged');
    await connection.run(
      `copy (select range as series_no, if(range = 0, null, range / 2) as value,
        timestamptz '2026-01-01 08:30:00.0005+00' + to_days(range::integer) as known_at, ['a', 'b'] as names from ${values}) to ${quote(staged)} (format parquet)`,
    );
    const bytes = readFileSync(staged);
    const path = `files/${table}-${sha256(bytes).slice(0, 32)}.parquet`;
    copyFileSync(staged, join(paths.root, path));
    rmSync(staged);
    const rowCount = Number((await asked(`select count(*) from read_parquet(${quote(join(paths.root, path))})`))[0]?.[0]);
    return resourceOf(table, '', {
      name: `${table}.${part}`,
      path,
      bytes: bytes.length,
      hash: `sha256:${sha256(bytes)}`,
      partition: { part },
      schema: { fields: [...FIELDS], primaryKey: [] },
      rowCount,
    });
  };
  const knowledgeCutoff = `2026-11-${String(knownOn)}T00:00:00.000Z`;
  const manifest = {
    ...manifestOf([
      await file('vintages', 'range(0, 3)', 'old'),
      await file('vintages', `range(100, ${101 + night})`, 'new'),
      await file('series', 'range(7, 8)', 'all'),
    ]),
    knowledgeCutoff,
    created: knowledgeCutoff,
  };
  writeFileSync(paths.candidate, JSON.stringify(manifest));
  return manifest;
}
const asked = async (sql: string) => (await connection.runAndReadAll(sql)).getRows();
const publishNight = async (night: number, keep = 5) => {
  await candidate(night);
  return publish(paths, keep);
};

/** Else Spark refuses a version that is older than a week, whatever is kept. */
const RETENTION = { 'delta.deletedFileRetentionDuration': 'interval 36500 days', 'delta.logRetentionDuration': 'interval 36500 days' };

const logOf = (table: string) => join(paths.delta, table, '_delta_log');
interface Written {
  readonly add?: { readonly path: string; readonly stats: string; readonly size: number };
  readonly remove?: { readonly path: string };
  readonly protocol?: unknown;
  readonly metaData?: {
    readonly name: string;
    readonly schemaString: string;
    readonly partitionColumns: readonly string[];
    readonly configuration: Readonly<Record<string, string>>;
  };
  readonly commitInfo?: { readonly snapshotId: string; readonly timestamp: number };
}
const actionsOf = (table: string, version: number): readonly Written[] =>
  readFileSync(join(logOf(table), `${String(version).padStart(20, '0')}.json`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Written);
const versionsOf = (table: string) => readdirSync(logOf(table)).filter((name) => name.endsWith('.json')).length;

/** What a reader of the protocol sees of a version: the files added and not removed up to it. */
async function read(table: string, version = versionsOf(table) - 1): Promise<readonly unknown[]> {
  const files = new Set<string>();
  for (let at = 0; at <= version; at += 1) {
    for (const { add, remove } of actionsOf(table, at)) {
      if (remove !== undefined) files.delete(remove.path);
      if (add !== undefined) files.add(add.path);
    }
  }
  const list = [...files].map((name) => quote(join(paths.delta, table, name))).join(', ');
  return (await asked(`select series_no::integer from read_parquet([${list}]) order by 1`)).flat();
}

describe('the Delta table of a published table', () => {
  it('has a version for each snapshot that changed it, with the rows of that snapshot', async () => {
    const nights = [];
    for (let night = 0; night < 3; night += 1) nights.push(await publishNight(night));
    expect([versionsOf('vintages'), versionsOf('series')]).toEqual([3, 1]);
    for (let night = 0; night < 3; night += 1) {
      expect(await read('vintages', night)).toEqual([0, 1, 2, ...Array.from({ length: night + 1 }, (_, at) => 100 + at)]);
      expect(actionsOf('vintages', night)[0]?.commitInfo?.snapshotId).toBe(nights[night]?.snapshotId);
    }
    expect(await read('series')).toEqual([7]);
    await publishNight(2);
    expect(versionsOf('vintages')).toBe(3);
  });

  it('has the knowledge cutoff of the snapshot as its time, in the log and as the time of the file', async () => {
    for (let night = 0; night < 2; night += 1) await publishNight(night);
    for (let night = 0; night < 2; night += 1) {
      const at = Date.parse(`2026-11-${night + 10}T00:00:00Z`);
      expect(actionsOf('vintages', night)[0]?.commitInfo?.timestamp).toBe(at);
      expect(statSync(join(logOf('vintages'), `0000000000000000000${night}.json`)).mtimeMs).toBe(at);
    }
  });

  it('has versions in order even if two snapshots have the same knowledge cutoff', async () => {
    for (let night = 0; night < 2; night += 1) {
      await candidate(night, 10);
      await publish(paths, 5);
    }
    const [first = 0, second = 0] = [0, 1].map((version) => actionsOf('vintages', version)[0]?.commitInfo?.timestamp);
    expect(second - first).toBe(1);
  });

  it('describes its columns and the bounds of its files, with instants rounded outward to milliseconds', async () => {
    await publishNight(0);
    const [info, protocol, meta, ...adds] = actionsOf('vintages', 0);
    expect([info?.commitInfo !== undefined, protocol?.protocol]).toEqual([true, { minReaderVersion: 1, minWriterVersion: 2 }]);
    expect(meta?.metaData).toMatchObject({
      name: 'vintages',
      partitionColumns: [],
      configuration: { ...RETENTION, 'delta.dataSkippingStatsColumns': 'series_no,known_at' },
    });
    expect(JSON.parse(meta?.metaData?.schemaString ?? '')).toEqual({
      type: 'struct',
      fields: [
        { name: 'series_no', type: 'long', nullable: true, metadata: { comment: 'The series.' } },
        { name: 'value', type: 'double', nullable: true, metadata: { comment: "What it's worth. Unit: percent." } },
        { name: 'known_at', type: 'timestamp', nullable: true, metadata: { comment: 'Time at which it became known.' } },
        {
          name: 'names',
          type: { type: 'array', elementType: 'string', containsNull: true },
          nullable: true,
          metadata: { comment: 'Its names.' },
        },
      ],
    });
    expect(adds.map(({ add }) => JSON.parse(add?.stats ?? '') as unknown)).toEqual([
      {
        numRecords: 3,
        minValues: { series_no: 0, known_at: '2026-01-01T08:30:00.000Z' },
        maxValues: { series_no: 2, known_at: '2026-01-03T08:30:00.001Z' },
        nullCount: { series_no: 0, known_at: 0 },
      },
      {
        numRecords: 1,
        minValues: { series_no: 100, known_at: '2026-04-11T08:30:00.000Z' },
        maxValues: { series_no: 100, known_at: '2026-04-11T08:30:00.001Z' },
        nullCount: { series_no: 0, known_at: 0 },
      },
    ]);
    for (const { add } of adds) expect(add?.size).toBe(statSync(join(paths.delta, 'vintages', add?.path ?? '')).size);
  });

  it('gives bounds of a column only if every file has them, because a reader takes a column without bounds for an empty one', async () => {
    await publishNight(0);
    const { resources } = (await readCurrent(paths)) ?? { resources: [] };
    const [old, other] = resources.filter(({ table }) => table === 'vintages');
    if (old === undefined || other === undefined) throw new Error('vintages are in two files');
    const file = join(paths.root, other.path);
    await connection.run(`create or replace table other as from read_parquet(${quote(file)})`);
    await connection.run(
      `copy (select * replace (null::timestamptz as known_at) from other) to ${quote(`${file}.staged`)} (format parquet)`,
    );
    const bytes = readFileSync(`${file}.staged`);
    const path = `files/vintages-${sha256(bytes).slice(0, 32)}.parquet`;
    copyFileSync(`${file}.staged`, join(paths.root, path));
    rmSync(`${file}.staged`);
    const changed = { ...other, path, bytes: bytes.length, hash: `sha256:${sha256(bytes)}` };
    writeFileSync(paths.candidate, JSON.stringify(manifestOf([old, changed, ...resources.filter(({ table }) => table === 'series')])));
    await publish(paths, 5);
    const [meta] = actionsOf('vintages', 1).flatMap(({ metaData }) => (metaData === undefined ? [] : [metaData]));
    expect(meta?.configuration).toEqual({ ...RETENTION, 'delta.dataSkippingStatsColumns': 'series_no' });
    expect(actionsOf('vintages', 1).flatMap(({ add }) => (add === undefined ? [] : [JSON.parse(add.stats) as unknown]))).toEqual([
      { numRecords: 1, minValues: { series_no: 100 }, maxValues: { series_no: 100 }, nullCount: { series_no: 0 } },
    ]);
  });

  it('gives bounds of the other tables if a file of one table is not Parquet', async () => {
    const manifest = await candidate(0);
    const path = `files/odd-${sha256('odd').slice(0, 32)}.parquet`;
    writeFileSync(join(paths.root, path), 'odd');
    const odd = resourceOf('odd', 'odd', { path });
    writeFileSync(paths.candidate, JSON.stringify(manifestOf([...manifest.resources, odd])));
    await publish(paths, 5);
    const bounds = (table: string) =>
      actionsOf(table, 0).flatMap(({ add }) => (add === undefined ? [] : [Object.keys(JSON.parse(add.stats) as object)]));
    expect(bounds('series')).toEqual([['numRecords', 'minValues', 'maxValues', 'nullCount']]);
    expect(bounds('odd')).toEqual([['numRecords']]);
  });

  it('uses no disk space of its own: its files are links, deleted with the snapshots', async () => {
    for (let night = 0; night < 4; night += 1) await publishNight(night, 2);
    const files = readdirSync(join(paths.delta, 'vintages')).filter((name) => name.endsWith('.parquet'));
    expect(files.toSorted()).toEqual(
      readdirSync(paths.files)
        .filter((name) => name.startsWith('vintages'))
        .toSorted(),
    );
    for (const name of files) expect(statSync(join(paths.delta, 'vintages', name)).ino).toBe(statSync(join(paths.files, name)).ino);
    expect([await read('vintages', 2), await read('vintages', 3)]).toEqual([
      [0, 1, 2, 100, 101, 102],
      [0, 1, 2, 100, 101, 102, 103],
    ]);
  });

  it('has copies if the file system cannot link files', async () => {
    await publishNight(0);
    const current = await readCurrent(paths);
    rmSync(paths.delta, { recursive: true });
    const refused = () => Promise.reject(Object.assign(new Error('no links here'), { code: 'ENOTSUP' }));
    for (let time = 0; time < 2; time += 1) await writeDelta(paths, current === null ? [] : [current], refused);
    expect(await read('vintages')).toEqual([0, 1, 2, 100]);
    expect(readdirSync(join(paths.delta, 'vintages')).filter((name) => name.endsWith('.partial'))).toEqual([]);
  });
});

describe('a Delta table that is missing or damaged', () => {
  const damages: readonly (readonly [string, () => void])[] = [
    ['is gone', () => rmSync(paths.delta, { recursive: true })],
    ['lost its log', () => rmSync(logOf('vintages'), { recursive: true })],
    ['lost its first version', () => rmSync(join(logOf('vintages'), `${'0'.repeat(20)}.json`))],
    ['has half a version', () => writeFileSync(join(logOf('vintages'), `${'0'.repeat(19)}1.json`), '{"commitInfo":{"time')],
    [
      'lost a file',
      () => {
        for (const name of readdirSync(join(paths.delta, 'vintages')))
          if (name.endsWith('.parquet')) rmSync(join(paths.delta, 'vintages', name));
      },
    ],
    [
      'has other files under their names',
      () => {
        for (const name of readdirSync(join(paths.delta, 'vintages')).filter((one) => one.endsWith('.parquet'))) {
          const path = join(paths.delta, 'vintages', name);
          const bytes = readFileSync(path);
          rmSync(path);
          writeFileSync(path, bytes.reverse());
        }
      },
    ],
  ];

  it.each(damages)('%s: it is detected, and the next publication rebuilds it from the kept snapshots', async (_, damage) => {
    for (let night = 0; night < 2; night += 1) await publishNight(night);
    const current = await readCurrent(paths);
    if (current === null) throw new Error('nothing is published');
    expect(await outdatedDelta(paths, current)).toEqual([]);
    damage();
    expect(await outdatedDelta(paths, current)).toContain(join(paths.delta, 'vintages'));
    await publishNight(1);
    expect(await outdatedDelta(paths, current)).toEqual([]);
    expect([await read('vintages', 0), await read('vintages', 1), await read('series')]).toEqual([
      [0, 1, 2, 100],
      [0, 1, 2, 100, 101],
      [7],
    ]);
  });

  it('with a long log keeps no old version after its rebuild', async () => {
    for (let night = 0; night < 4; night += 1) await publishNight(night, 2);
    expect(versionsOf('vintages')).toBe(4);
    writeFileSync(join(logOf('vintages'), `${'0'.repeat(20)}.json`), '{');
    await publishNight(3, 2);
    expect(versionsOf('vintages')).toBe(2);
    expect([await read('vintages', 0), await read('vintages', 1)]).toEqual([
      [0, 1, 2, 100, 101, 102],
      [0, 1, 2, 100, 101, 102, 103],
    ]);
  });

  it('is written even if a file of an older snapshot is lost', async () => {
    for (let night = 0; night < 2; night += 1) await publishNight(night);
    const gone = actionsOf('vintages', 1).flatMap(({ remove }) => (remove === undefined ? [] : [remove.path]));
    expect(gone).toHaveLength(1);
    for (const name of gone) rmSync(join(paths.files, name));
    rmSync(paths.delta, { recursive: true });
    await publishNight(2);
    expect([versionsOf('vintages'), versionsOf('series')]).toEqual([2, 1]);
    expect(await read('vintages')).toEqual([0, 1, 2, 100, 101, 102]);
  });

  it('is complete wherever a publication ends: one snapshot or the other, and the new one after the next run', async () => {
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
      () => publish(paths, 3),
      async () => {
        found.add((await read('vintages')).join(' '));
        if (existsSync(paths.candidate)) await publish(paths, 3);
        expect(await read('vintages')).toEqual([0, 1, 2, 100, 101, 102]);
        expect(await outdatedDelta(paths, (await readCurrent(paths)) ?? (await candidate(2)))).toEqual([]);
        expect(readdirSync(logOf('vintages')).filter((name) => !name.endsWith('.json'))).toEqual([]);
        expect(statSync(join(logOf('vintages'), `${'0'.repeat(19)}2.json`)).mtimeMs).toBe(Date.parse('2026-11-12T00:00:00Z'));
      },
    );
    expect([...found].toSorted()).toEqual(['0 1 2 100 101', '0 1 2 100 101 102']);
  });
});

describe('the types of Delta', () => {
  it('match those of the columns, lists and records included', () => {
    expect(deltaType('struct("key" varchar, value double, "a, b" struct(c date)[])[]')).toEqual({
      type: 'array',
      containsNull: true,
      elementType: {
        type: 'struct',
        fields: [
          { name: 'key', type: 'string', nullable: true, metadata: {} },
          { name: 'value', type: 'double', nullable: true, metadata: {} },
          {
            name: 'a, b',
            nullable: true,
            metadata: {},
            type: {
              type: 'array',
              containsNull: true,
              elementType: { type: 'struct', fields: [{ name: 'c', type: 'date', nullable: true, metadata: {} }] },
            },
          },
        ],
      },
    });
    expect([deltaType('decimal(18,3)'), deltaType('smallint')]).toEqual(['decimal(18,3)', 'short']);
  });

  it('leave unsigned columns to readers of Parquet', () => {
    const field = { name: 'id_hash', type: 'integer', physicalType: 'ubigint', unit: null, description: '' } as const;
    expect(deltaSchema([field])).toBe('{"type":"struct","fields":[]}');
  });

  it('refuse a column that Delta has no type for, and name the type', () => {
    const field = { name: 'at', type: 'datetime', physicalType: 'timestamp', unit: null, description: '' } as const;
    expect(() => deltaSchema([field])).toThrow(/timestamp/);
  });
});
