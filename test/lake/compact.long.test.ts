import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compact } from '../../src/lake/compact.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';

const rates = (days: readonly [string, number][]) => `Date,USD,\n${days.map(([day, rate]) => `${day},${rate},`).join('\n')}\n`;
const night = (count: number) =>
  rates(
    Array.from({ length: count }, (_, index): [string, number] => [
      `2024-01-${String(index + 1).padStart(2, '0')}`,
      1 + index / 100,
    ]).toReversed(),
  );

describe('compaction', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await openPipeline();
    for (let count = 1; count <= 5; count += 1) {
      await pipeline.ingest({ 'ecb-eurofxref/eurofxref-hist.csv': night(count) }, `2024-02-0${count}T08:00:00.000Z`);
    }
  });
  afterAll(() => pipeline.remove());

  const filesOf = (table: string) => readdirSync(join(pipeline.dataDir, 'lake', table, 'source_id=ecb_fx'));

  it('replaces the small files of a partition by one with the same rows, and the snapshot stays the same', async () => {
    const before = await pipeline.lake('from observations order by all');
    const { derive: built } = await pipeline.publish();
    expect(filesOf('observations').length).toBe(5);
    const lake = await pipeline.workspace.openLake();
    try {
      expect(await compact(lake, '2024-02-06T08:00:00.000Z', { moreThan: 2, smallBytes: 1e9 })).toBeGreaterThan(5);
    } finally {
      await lake.close();
    }
    expect(filesOf('observations').length).toBe(1);
    expect(await pipeline.lake('from observations order by all')).toEqual(before);
    expect((await pipeline.publish()).derive.snapshotId).toBe(built.snapshotId);
  });

  it('leaves few or large files alone', async () => {
    const lake = await pipeline.workspace.openLake();
    try {
      expect(await compact(lake, '2024-02-06T08:00:00.000Z', { moreThan: 0, smallBytes: 1 })).toBe(0);
    } finally {
      await lake.close();
    }
  });
});
