// The copy of the vintages that servers read: answers are the same with it and without.
import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packsFile, servedFile } from '../../src/snapshot/server-copy.ts';
import { ask, fredMdFile, openPipeline, type Pipeline } from '../pipeline.ts';

const MAY = fredMdFile('2020-05', { PAYEMS: { '2020-03': 100, '2020-04': 131 } });
const JUNE = fredMdFile('2020-06', { PAYEMS: { '2020-03': 100, '2020-04': 129, '2020-05': null } });
const JULY = fredMdFile('2020-07', { PAYEMS: { '2020-03': 101, '2020-04': 129, '2020-05': 133 } });

describe('the served copy', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await openPipeline();
    await pipeline.run(MAY, '2021-01-01T00:00:00.000Z');
  });
  afterAll(() => pipeline.remove());

  const answers = async () => ask(await pipeline.open(), {}, { vintage: 'all' });
  const copies = async () => {
    const { snapshotId } = await pipeline.current();
    return [servedFile(pipeline.paths, snapshotId), packsFile(pipeline.paths, snapshotId)];
  };

  it('is written with a snapshot, and changes no answer', async () => {
    await pipeline.run(JUNE, '2021-01-02T00:00:00.000Z');
    const withCopies = await answers();
    for (const file of await copies()) {
      expect(existsSync(file)).toBe(true);
      await rm(file);
      expect(await answers()).toEqual(withCopies);
    }
    expect(withCopies.length).toBeGreaterThan(2);
  });

  it('is rewritten by the next run if it is missing', async () => {
    for (const file of await copies()) {
      await rm(file, { force: true });
      await pipeline.publish();
      expect(existsSync(file)).toBe(true);
    }
  });

  it('prevents no snapshot if it cannot be written, and the failure is reported', async () => {
    await rm(pipeline.paths.served, { recursive: true });
    await writeFile(pipeline.paths.served, 'no folder');
    const { warnings } = (await pipeline.publish()).derive;
    expect(warnings).toEqual([expect.stringMatching(/^The copy for servers could not be written, so they read Parquet/)]);
    expect((await answers()).length).toBeGreaterThan(2);
    await rm(pipeline.paths.served);
    expect((await pipeline.publish()).derive.warnings).toEqual([]);
    for (const file of await copies()) expect(existsSync(file)).toBe(true);
  });

  it('is kept of the newest two snapshots', async () => {
    await pipeline.run(JULY, '2021-01-03T00:00:00.000Z');
    await pipeline.run(fredMdFile('2020-08', { PAYEMS: { '2020-06': 135 } }), '2021-01-04T00:00:00.000Z');
    const { snapshotId, previousSnapshotId } = await pipeline.current();
    expect((await readdir(pipeline.paths.served)).sort()).toEqual(
      [snapshotId, previousSnapshotId].flatMap((id) => [`${id}.duckdb`, `${id}.packs`, `${id}.json`, `${id}.stamps`]).sort(),
    );
  });
});
