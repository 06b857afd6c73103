// The statements of the sample's companies, made a filer at a time, are those made of all at once: nothing that is published differs.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { openWorkspace } from '../../jobs/workspace.ts';
import { derive } from '../../jobs/derive.ts';
import { RELATIONS } from '../../src/snapshot/build/relations.ts';
import { sampleLake } from '../service.ts';

it('publishes the same if a part has only one filer', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'asof-parts-'));
  try {
    await cp(join(await sampleLake(), 'lake'), join(dataDir, 'lake'), { recursive: true });
    const workspace = openWorkspace({
      dataDir,
      referenceDir: resolve(import.meta.dirname, '../../data/reference'),
      engineThreads: 2,
      engineMemory: '600MB',
      snapshotsKept: 2,
    });
    const effects = { now: () => Date.parse('2026-11-21T08:00:00Z') };
    const tables = async (rows: number) => {
      await rm(join(dataDir, 'derived-cache'), { recursive: true, force: true });
      const steps = RELATIONS.map((step) =>
        'parts' in step && step.parts !== undefined ? { ...step, parts: { ...step.parts, rows } } : step,
      );
      const { snapshotId, counts, derived } = await derive(workspace, effects, undefined, steps);
      return { snapshotId, counts, rows: derived.map(({ name, rows: own }) => [name, own]) };
    };
    const whole = await tables(1_000_000);
    expect(Object.fromEntries(whole.rows)['filings/statement_cells']).toBeGreaterThan(100);
    expect(await tables(1)).toEqual(whole);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
