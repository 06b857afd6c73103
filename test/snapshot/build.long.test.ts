// A real night over two sources and a second one: what it does to the disk and in which order, and that its manifest says what its files hold.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../../src/model/manifest.ts';
import { contentHash, snapshotIdOf } from '../../src/snapshot/manifest.ts';
import { traced } from '../disk/disk-calls.ts';
import type { Call, Ending } from '../disk/disk-endings.ts';
import { disorders } from '../disk/disk-order.ts';
import { filesBelow } from '../lake/literal-lake.ts';
import { fredMdFile, openPipeline, type Pipeline, realTimeFile } from '../pipeline.ts';
import { isLong } from '../suite.ts';

const FIRST = {
  ...fredMdFile('2020-05', { PAYEMS: { '2020-03': 100, '2020-04': 131 } }),
  ...realTimeFile('EMP', 'EMP', [
    ['2020-01-01', '2020-02-07', '2020-12-31', 10],
    ['2020-02-01', '2020-03-06', '2020-12-31', 11],
    ['2020-03-01', '2020-04-03', '2020-12-31', 12],
  ]),
};
const SECOND = fredMdFile('2020-06', { PAYEMS: { '2020-03': 100, '2020-04': 129, '2020-05': 132 } });

let pipeline: Pipeline;
let first: Manifest;
let second: Manifest;
let calls: readonly Call[];
beforeAll(async () => {
  pipeline = await openPipeline();
  const traces = [
    await traced(pipeline.dataDir, () => pipeline.run(FIRST, '2021-01-01T00:00:00.000Z')),
    await traced(pipeline.dataDir, async () => {
      first = await pipeline.current();
      await pipeline.run(SECOND, '2021-01-02T00:00:00.000Z');
    }),
  ];
  for (const { error } of traces) if (error !== null) throw error as Error;
  second = await pipeline.current();
  calls = traces.flatMap((trace) => trace.calls);
});
afterAll(() => pipeline.remove());

const below = (path: string) => path.replace(`${pipeline.dataDir}/`, '');
const indexesOf = (test: (call: Call) => boolean) => calls.flatMap((call, index) => (test(call) ? [index] : []));
const namedAt = (pattern: RegExp) => indexesOf(({ call, to }) => call === 'rename' && pattern.test(below(to)));

describe('the disk writes of two nights', () => {
  it('keeps an order of writes in which a power cut at any time leaves whole files', () => {
    // Results of earlier builds prove themselves by their hash, and may be lost.
    expect(disorders(calls.filter(({ path, to }) => !path.includes('derived-cache') && !to.includes('derived-cache')))).toEqual([]);
    for (const kind of [
      /^raw\/objects/,
      /^raw\/payloads/,
      /^lake\/commits/,
      /^lake\/observations/,
      /^snapshots\/files/,
      /^snapshots\/served/,
    ])
      expect(namedAt(kind).length).toBeGreaterThan(0);
  });

  it('writes each file and its copy before the candidate, then the manifest, then the pointer', () => {
    const [files, copies, candidates, manifests, pointers] = [
      /^snapshots\/files\//,
      /^snapshots\/served\/.*(?<!\.stamps)$/,
      /^snapshots\/candidate\.json$/,
      /^snapshots\/manifests\/.*\.json$/,
      /^current\.json$/,
    ].map(namedAt);
    expect([copies, candidates, manifests, pointers].map((all) => all?.length)).toEqual([6, 2, 2, 2]);
    for (const night of [0, 1]) {
      const [candidate, manifest, pointer] = [candidates, manifests, pointers].map((all) => all?.[night] ?? -1);
      const before = night === 0 ? -1 : (pointers?.[0] ?? -1);
      for (const index of [...(files ?? []), ...(copies ?? [])].filter((at) => at > before && at < (pointer ?? -1)))
        expect(index).toBeLessThan(candidate ?? -1);
      expect(candidate).toBeLessThan(manifest ?? -1);
      expect(manifest).toBeLessThan(pointer ?? -1);
    }
    expect(Math.max(...(files ?? []))).toBeLessThan(candidates?.[1] ?? -1);
  });

  it('writes each file once: unchanged content keeps the file of the night before', () => {
    const names = namedAt(/^snapshots\/files\//).map((index) => below(calls[index]?.to ?? ''));
    expect(new Set(names).size).toBe(names.length);
    const listed = new Set([...first.resources, ...second.resources].map(({ path }) => `snapshots/${path}`));
    expect(new Set(names)).toEqual(listed);
  });

  it('deletes no file that the current snapshot lists', () => {
    const listed = new Set([...first.resources, ...second.resources].map(({ path }) => join(pipeline.paths.root, path)));
    const removed = calls.flatMap(({ call, path }) => (call === 'remove' ? [path] : []));
    expect(removed.filter((path) => listed.has(path))).toEqual([]);
  });

  it('leaves no half file, staged file or candidate', () => {
    const files = filesBelow(pipeline.dataDir);
    expect(files.filter((path) => /partial$|\.staging|candidate|\.wal$/.test(path))).toEqual([]);
    expect(existsSync(pipeline.paths.staging)).toBe(false);
  });
});

describe('a manifest', () => {
  /** One row of a statement over a file, by another connection than the one that wrote it. */
  const asked = async (manifest: Manifest, statement: (file: string) => string, name: string) => {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const connection = await instance.connect();
    await connection.run("set TimeZone = 'UTC'");
    try {
      const files = manifest.resources.filter((one) => one.table === name).map(({ path }) => `'${join(pipeline.paths.root, path)}'`);
      return (await connection.runAndReadAll(statement(`read_parquet([${files.join(', ')}])`))).getRows();
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  };

  it('has the hash and size of every file, and an id that depends on all of them', () => {
    for (const manifest of [first, second]) {
      for (const { path, hash, bytes, table: name, format } of manifest.resources) {
        const body = readFileSync(join(pipeline.paths.root, path));
        const sha256 = createHash('sha256').update(body).digest('hex');
        expect([hash, bytes, path, format]).toEqual([
          `sha256:${sha256}`,
          body.length,
          `files/${name}-${sha256.slice(0, 32)}.parquet`,
          'parquet',
        ]);
      }
      expect(manifest.contentHash).toBe(contentHash(manifest.resources));
      expect(new Set(manifest.resources.map(({ name }) => name)).size).toBe(manifest.resources.length);
      expect([manifest.snapshotId, manifest.id]).toEqual([snapshotIdOf(manifest.contentHash), manifest.snapshotId]);
    }
  });

  it('has rows, columns and bounds of periods and knowledge for every file', async () => {
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const connection = await instance.connect();
    await connection.run("set TimeZone = 'UTC'");
    // 2021-01-01 00:00:00.5+00 as the contract writes it.
    const iso = (value: unknown) =>
      typeof value === 'string' ? new Date(value.replace(' ', 'T').replace(/\+00$/, 'Z')).toISOString() : null;
    for (const { path, name, rowCount, schema, ...bounds } of second.resources) {
      const file = `read_parquet('${join(pipeline.paths.root, path)}')`;
      const columns = (await connection.runAndReadAll(`describe from ${file}`)).getRows();
      expect([name, schema.fields.map((field) => [field.name, field.physicalType])]).toEqual([
        name,
        columns.map(([column, type]) => [column, String(type).toLowerCase()]),
      ]);
      const has = (column: string) => columns.some(([one]) => one === column);
      const [period, known] = [has('period_end') ? 'period_end::date' : 'null', has('observed_at') ? 'observed_at' : 'null'];
      const [row = []] = (
        await connection.runAndReadAll(
          `select count(*), min(${period})::varchar, max(${period})::varchar, min(${known})::varchar, max(${known})::varchar from ${file}`,
        )
      ).getRows();
      const { minPeriodEnd, maxPeriodEnd, minObservedAt, maxObservedAt } = bounds;
      expect([name, rowCount, minPeriodEnd, maxPeriodEnd, minObservedAt, maxObservedAt]).toEqual([
        name,
        Number(row[0]),
        row[1],
        row[2],
        iso(row[3]),
        iso(row[4]),
      ]);
    }
    connection.closeSync();
    instance.closeSync();
  });

  it('counts the rows of the published tables, and names the last change', async () => {
    const number = async (statement: (file: string) => string, name: string) => Number((await asked(second, statement, name))[0]?.[0]);
    const count = (name: string, where = 'true') => number((file) => `select count(*) from ${file} where ${where}`, name);
    expect(second.counts).toEqual({
      entities: await count('entities'),
      countries: await count('countries'),
      indicators: await count('series'),
      observations: await count('vintages', 'known_to is null'),
      vintages: await count('vintages'),
      companies: await count('entities', "entity_type = 'company'"),
      events: await count('events', 'known_to is null'),
    });
    // By hand: six observed periods, one of them revised.
    expect(await count('vintages', 'inputs is null')).toBe(7);
    expect(await count('vintages', 'inputs is null and known_to is null')).toBe(6);
    expect([first.lastChangeSequence, second.lastChangeSequence]).toEqual([5, 7]);
    expect(second.counts.observations).toBeLessThan(second.counts.vintages);
  });

  it('names its predecessor, its knowledge cutoff, and the sources with their licences', async () => {
    expect([first.previousSnapshotId, second.previousSnapshotId]).toEqual([null, first.snapshotId]);
    expect([first.knowledgeCutoff, second.knowledgeCutoff]).toEqual(['2021-01-01T00:00:00.000Z', '2021-01-02T00:00:00.000Z']);
    expect(second.created).toBe(second.knowledgeCutoff);
    expect([second.profile, second.name, second.schemaVersion]).toEqual(['data-package', 'asof', '9']);
    const text = readFileSync(join(pipeline.workspace.referenceDir, 'sources.csv'));
    const sources: Record<string, string>[] = parse(text, { columns: true });
    expect(second.sources.map(({ sourceId, title, path }) => [sourceId, title, path])).toEqual(
      sources.map((one) => [one['source_id'], one['name'], one['homepage_url']]),
    );
    expect(second.licenses.map(({ name, title, path }) => [name, title, path])).toEqual(
      sources.map((one) => [one['source_id'], one['license'], one['license_url'] ?? '']),
    );
  });

  it('gives the rights of each source for its own file of vintages', async () => {
    const vintages = second.resources.filter(({ table }) => table === 'vintages');
    const datasets = vintages.map(({ partition }) => partition['dataset']);
    expect(new Set(datasets).size).toBe(datasets.length);
    expect(datasets).toEqual(expect.arrayContaining(['fred', 'fred_md']));
    expect(vintages.map(({ rights }) => rights['redistributable'])).toEqual(vintages.map(() => true));
    for (const { path, partition, rowCount } of vintages) {
      const one = { ...second, resources: second.resources.filter((resource) => resource.path === path) };
      const rows = await asked(one, (file) => `select series_no >> 20, count(*) from ${file} group by 1`, 'vintages');
      expect(rows.map(([no, count]) => [Number(no), Number(count)])).toEqual([[partition['dataset_no'], rowCount]]);
      const order = await asked(one, (file) => `select series_no, period_end::varchar, observed_at::varchar from ${file}`, 'vintages');
      const keys = order.map(([no, period, known]) => `${String(no).padStart(12, '0')} ${String(period)} ${String(known)}`);
      expect(keys).toEqual(keys.toSorted());
    }
  });
});

describe.runIf(isLong)('a derive that is killed', () => {
  const ended = async (ending: Ending) => {
    const before = readFileSync(pipeline.paths.pointer, 'utf8');
    const { error } = await traced(pipeline.dataDir, () => pipeline.publish(), ending);
    expect(String(error)).toMatch(/Killed|DiskFull/);
    expect(readFileSync(pipeline.paths.pointer, 'utf8')).toBe(before);
  };

  it('while it writes its candidate leaves the current snapshot, and the next run ends like an undisturbed one', async () => {
    await pipeline.ingest(fredMdFile('2020-07', { PAYEMS: { '2020-06': 135 } }), '2021-01-03T00:00:00.000Z');
    await ended({ fullAt: ({ call, path }) => call === 'write' && path.endsWith('candidate.json.partial') });
    writeFileSync(join(pipeline.paths.files, 'vintages-of-a-killed-run.parquet'), 'PAR1');
    const { publish } = await pipeline.publish();
    expect(publish.previousSnapshotId).toBe(second.snapshotId);
    expect(filesBelow(pipeline.paths.root).filter((path) => /partial|killed|staging/.test(path))).toEqual([]);
    expect((await pipeline.current()).resources.length).toBe(second.resources.length);
  });

  it('and meets a damaged shared file writes it again', async () => {
    const { resources } = await pipeline.current();
    const { path = '' } = resources.find(({ partition }) => partition['dataset'] === 'fred') ?? {};
    const bytes = readFileSync(join(pipeline.paths.root, path));
    writeFileSync(join(pipeline.paths.root, path), bytes.subarray(0, -2));
    expect((await pipeline.publish()).publish.isNew).toBe(false);
    expect(readFileSync(join(pipeline.paths.root, path)).equals(bytes)).toBe(true);
  });
});
