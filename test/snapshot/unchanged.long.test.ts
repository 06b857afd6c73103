// A build of what the last one was made of derives nothing; where anything of it is otherwise, or of what it made is not there as it was written, all is derived.
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { derive } from '../../jobs/derive.ts';
import { sha256OfFile } from '../../src/disk/durable.ts';
import { fileState } from '../../src/disk/own-file.ts';
import { publish } from '../../src/snapshot/build/publish.ts';
import { packsFile, servedFile } from '../../src/snapshot/server-copy.ts';
import { stamp } from '../../src/snapshot/stamps.ts';
import { traced } from '../disk/disk-calls.ts';
import { fredMdFile, openPipeline, type Pipeline, STOPPED } from '../pipeline.ts';

const MAY = fredMdFile('2020-05', { PAYEMS: { '2020-03': 100, '2020-04': 131 } });
const JUNE = fredMdFile('2020-06', { PAYEMS: { '2020-04': 129, '2020-05': 132 } });

describe('a build whose inputs have not changed', () => {
  let pipeline: Pipeline;
  let reference: string;
  beforeAll(async () => {
    reference = await mkdtemp(join(tmpdir(), 'asof-reference-'));
    await cp(resolve(import.meta.dirname, '../../data/reference'), reference, { recursive: true });
    pipeline = await openPipeline({ referenceDir: reference });
    await pipeline.run(MAY, '2021-01-01T00:00:00.000Z');
  });
  afterAll(async () => {
    await pipeline.remove();
    await rm(reference, { recursive: true, force: true });
  });

  async function build(workspace = pipeline.workspace) {
    let relations = 0;
    const report = await derive(workspace, STOPPED, () => {
      relations += 1;
    });
    return { relations, report, published: await publish(pipeline.paths, 5) };
  }
  // Whatever the test before has left.
  beforeEach(() => build());

  it('derives nothing, and its candidate is the current snapshot', async () => {
    const manifest = await pipeline.current();
    const { relations, report, published } = await build();
    expect(relations).toBe(0);
    expect(report).toMatchObject({ snapshotId: manifest.snapshotId, derived: [], warnings: [], counts: manifest.counts });
    expect(report.tables.map(({ name }) => name)).toContain('vintages');
    expect(report.tables.filter(({ newFiles }) => newFiles > 0)).toEqual([]);
    expect(published).toMatchObject({ isNew: false, snapshotId: manifest.snapshotId, removedFiles: 0 });
    expect(await pipeline.current()).toEqual(manifest);
  });

  it('reads each published file once, and detects silent damage on the disk', async () => {
    const file = await vintages();
    const readBy = async (work: () => Promise<unknown>) => {
      const { calls } = await traced(pipeline.paths.root, work);
      return calls.some(({ call, path }) => call === 'read' && path === file);
    };
    expect(await readBy(() => derive(pipeline.workspace, STOPPED))).toBe(true);
    expect(await readBy(() => publish(pipeline.paths, 5))).toBe(false);
    await turned(file);
    const { snapshotId, resources } = await pipeline.current();
    const sha256 = resources.find(({ path }) => file.endsWith(path))?.hash.replace('sha256:', '') ?? '';
    await stamp(pipeline.paths, snapshotId, [{ path: file, sha256, state: fileState(file) }]);
    const { relations, published } = await build();
    expect([relations > 100, published.isNew, await sha256OfFile(file)]).toEqual([true, false, sha256]);
    expect(await readBy(() => derive(pipeline.workspace, STOPPED))).toBe(true);
    await turned(file);
    await expect(publish(pipeline.paths, 5)).rejects.toThrow('no longer has its hash');
  });

  it('takes the last candidate if it was never published', async () => {
    await pipeline.ingest(JUNE, '2021-01-02T00:00:00.000Z');
    const { snapshotId } = await derive(pipeline.workspace, STOPPED);
    await rm(pipeline.paths.candidate);
    const { relations, published } = await build();
    expect([relations, published.snapshotId, published.isNew]).toEqual([0, snapshotId, true]);
  });

  const turned = async (path: string) => {
    const bytes = await readFile(path);
    bytes[Math.floor(bytes.length / 2)] = (bytes[Math.floor(bytes.length / 2)] ?? 0) ^ 1;
    await writeFile(path, bytes);
  };
  const vintages = async () => {
    const { resources } = await pipeline.current();
    return join(pipeline.paths.root, resources.find(({ table }) => table === 'vintages')?.path ?? '');
  };
  const current = async () => (await pipeline.current()).snapshotId;

  it.each<[string, () => Promise<unknown>]>([
    ['a vintage came', () => pipeline.ingest(fredMdFile('2020-07', { PAYEMS: { '2020-06': 133 } }), '2021-01-03T00:00:00.000Z')],
    ['a run brought nothing, but asked', () => pipeline.ingest(MAY, '2021-01-04T00:00:00.000Z')],
    ['the reference says something else', () => appendFile(join(reference, 'README.md'), 'more\n')],
    ['a bit of a published file has turned', async () => turned(await vintages())],
    ['a published file is gone', async () => rm(await vintages())],
    ['a bit of the copy for servers has turned', async () => turned(servedFile(pipeline.paths, await current()))],
    ['the packs are gone', async () => rm(packsFile(pipeline.paths, await current()))],
    ['a bit of what was kept of the last build has turned', () => turned(join(pipeline.dataDir, 'derived-cache/last-build.json'))],
  ])('derives everything if %s', async (_, change) => {
    await change();
    const { relations, report } = await build();
    expect(relations).toBeGreaterThan(100);
    expect(report.derived.length).toBeGreaterThan(50);
    expect((await build()).relations).toBe(0);
  });

  it('derives everything for another version of the service', async () => {
    expect((await build({ ...pipeline.workspace, version: 'another' })).relations).toBeGreaterThan(100);
  });
});
