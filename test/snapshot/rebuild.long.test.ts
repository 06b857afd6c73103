// A snapshot is a function of the lake; publishing keeps what is whole, and only as much as was asked for.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWriter, quote } from '../../src/db/connect.ts';
import { ask, type Files, fredMdFile, openPipeline, type Pipeline, realTimeFile } from '../pipeline.ts';
import { KnownError } from '../../src/known-error.ts';

const MAY = fredMdFile('2020-05', { PAYEMS: { '2020-03': 100, '2020-04': 131 }, CPIAUCSL: { '2020-03': 250, '2020-04': 251 } });
const JUNE = fredMdFile('2020-06', { PAYEMS: { '2020-04': 129, '2020-05': 132 } });
const JULY = fredMdFile('2020-07', { PAYEMS: { '2020-05': 130, '2020-06': 133 } });
const ALFRED: Files = realTimeFile('EMP', 'EMP', [
  ['2020-01-01', '2020-02-07', '2020-12-31', 10],
  ['2020-02-01', '2020-03-06', '2020-12-31', 11],
  ['2020-03-01', '2020-04-03', '2020-12-31', 12],
]);

describe('building and publishing', () => {
  let pipeline: Pipeline;
  beforeEach(async () => {
    pipeline = await openPipeline({ snapshotsKept: 2 });
    await pipeline.run({ ...MAY, ...ALFRED }, '2021-01-01T00:00:00.000Z');
  });
  afterEach(() => pipeline.remove());

  const contents = async () => {
    const names = (await readdir(pipeline.paths.files)).sort();
    return new Map(
      await Promise.all(names.map(async (name) => [name, await readFile(join(pipeline.paths.files, name), 'base64')] as const)),
    );
  };
  const vintagesOf = async (dataset: string) =>
    (await pipeline.current()).resources.find((resource) => resource.partition['dataset'] === dataset)?.path;

  it('gives the same bytes and the same snapshot from the same lake', async () => {
    const [manifest, files] = [await pipeline.current(), await contents()];
    const again = await pipeline.publish();
    expect(again.publish).toMatchObject({ isNew: false, snapshotId: manifest.snapshotId, removedFiles: 0 });
    expect(again.derive.tables.map((table) => table.newFiles)).toEqual(again.derive.tables.map(() => 0));
    expect(await contents()).toEqual(files);
    expect(await pipeline.current()).toEqual(manifest);
  });

  it('gives the same bytes in another folder from the same payloads at the same times', async () => {
    const other = await openPipeline();
    try {
      await other.run({ ...ALFRED, ...MAY }, '2021-01-01T00:00:00.000Z');
      expect((await other.current()).contentHash).toBe((await pipeline.current()).contentHash);
      expect((await other.current()).resources).toEqual((await pipeline.current()).resources);
    } finally {
      await other.remove();
    }
  });

  it('keeps the file of a dataset without news', async () => {
    const before = { fred: await vintagesOf('fred'), fredMd: await vintagesOf('fred_md') };
    await pipeline.run(JUNE, '2021-01-02T00:00:00.000Z');
    expect(await vintagesOf('fred')).toBe(before.fred);
    expect(await vintagesOf('fred_md')).not.toBe(before.fredMd);
  });

  it('keeps the requested number of snapshots, and no file that none of them lists', async () => {
    const first = await pipeline.current();
    await pipeline.run(JUNE, '2021-01-02T00:00:00.000Z');
    const second = await pipeline.current();
    const { publish } = await pipeline.run(JULY, '2021-01-03T00:00:00.000Z');
    const third = await pipeline.current();
    expect(third.previousSnapshotId).toBe(second.snapshotId);
    expect(publish.keptSnapshots).toEqual([third.snapshotId, second.snapshotId]);
    expect((await readdir(pipeline.paths.manifests)).sort()).toEqual(
      [second, third].flatMap(({ snapshotId }) => [`${snapshotId}.json`, `${snapshotId}.sha256`]).sort(),
    );
    const listed = new Set([...second.resources, ...third.resources].map((resource) => resource.path.replace('files/', '')));
    expect(new Set(await readdir(pipeline.paths.files))).toEqual(listed);
    expect(first.resources.some((resource) => !listed.has(resource.path.replace('files/', '')))).toBe(true);
  });

  it('names in the manifest the hash, the size and the rows of each file', async () => {
    const { resources } = await pipeline.current();
    const engine = await openWriter(pipeline.workspace.limits('test'));
    try {
      for (const resource of resources) {
        const path = join(pipeline.paths.root, resource.path);
        const count = await engine.connection.runAndReadAll(`select count(*)::int from read_parquet(${quote(path)})`);
        expect(count.getRows()).toEqual([[resource.rowCount]]);
        expect((await readFile(path)).length).toBe(resource.bytes);
      }
    } finally {
      engine.close();
    }
  });

  // Each rule of each check: test/snapshot/checks.test.ts.
  it('refuses a lake that breaks a check; the current snapshot keeps answering', async () => {
    const current = await pipeline.current();
    const files = join(pipeline.dataDir, 'lake/observations/source_id=fred/*.parquet');
    const lake = await pipeline.workspace.openLake();
    try {
      const select = `
        select * replace ('run_of_nobody' as run_id, '2020-09-01' as vintage, timestamptz '2020-09-01' as observed_at, 1.5 as value, 1000 as change_sequence)
        from read_parquet(${quote(files)}, hive_partitioning = false) limit 1`;
      await lake.commit('fred', '2021-01-02T00:00:00.000Z', [{ table: 'observations', select }]);
    } finally {
      await lake.close();
    }
    const refusal = await pipeline.publish().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(KnownError);
    expect(String(refusal)).toContain('The check every_vintage_has_its_run failed');
    expect(await pipeline.current()).toEqual(current);
    expect(await ask(await pipeline.open(), { sourceId: 'fred', indicatorIds: ['us_nonfarm_payrolls'] })).toHaveLength(3);
  });

  it('refuses to open a snapshot without a copy if any of its files is damaged', async () => {
    const { snapshotId } = await pipeline.current();
    await rm(pipeline.paths.served, { recursive: true });
    const path = (await vintagesOf('fred_md')) ?? '';
    const bytes = await readFile(join(pipeline.paths.root, path));
    const flipped = Buffer.from(bytes).fill((bytes[40] ?? 0) ^ 1, 40, 41);
    for (const damaged of [flipped, bytes.subarray(0, -1)]) {
      await writeFile(join(pipeline.paths.root, path), damaged);
      await expect(pipeline.open()).rejects.toThrow(`Snapshot ${snapshotId}: ${path} no longer has its hash.`);
    }
    await writeFile(join(pipeline.paths.root, path), bytes);
    expect((await pipeline.open()).snapshotId).toBe(snapshotId);
  });

  it('refuses a manifest that the pointer does not name', async () => {
    const { snapshotId } = await pipeline.current();
    const path = pipeline.paths.manifest(snapshotId);
    await writeFile(path, (await readFile(path, 'utf8')).replace('"rowCount": 3', '"rowCount": 4'));
    await expect(pipeline.current()).rejects.toThrow(/no longer has the hash that current.json names/);
  });
});
