// What the unit costs say of bytes beside a lake of a size that none of them was measured at.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { costAt, costNamed, fit, readCosts } from '../../bench/scale/costs.ts';
import { generatedLake, unbuiltLake } from '../../bench/generate.ts';
import { manifestOf } from '../../bench/subject.ts';

const VINTAGES = 200_000;
/** Beside the largest miss of the fit itself: what a lake of other luck has. */
const ROOM = 0.05;

const costs = await readCosts();

function bytesIn(folder: string, ending = ''): number {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter(
    (entry) => entry.isFile() && entry.name.endsWith(ending),
  );
  return entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

/** By how much the line is beside what was found, beyond its own largest miss. */
function missBeyondFit(name: string, found: number): number {
  const cost = costNamed(costs, name);
  return Math.abs(costAt(cost, VINTAGES) / found - 1) - fit(cost.points).miss;
}

describe('bytes by the unit costs', () => {
  it('are computed for a size that was not measured', () => {
    expect(costNamed(costs, 'bytes: lake').points.map(({ at }) => at)).not.toContain(VINTAGES);
  });

  it('equal those of the lake', async () => {
    const { paths } = await unbuiltLake(VINTAGES, () => undefined);
    expect(missBeyondFit('bytes: lake', bytesIn(paths.lake))).toBeLessThan(ROOM);
  });

  it('equal, per published row, those of the Parquet files and of the packs', async () => {
    const lake = await generatedLake(VINTAGES, () => undefined);
    const { resources } = await manifestOf(lake);
    const parquet = resources.filter(({ table }) => table === 'vintages').reduce((sum, { bytes }) => sum + bytes, 0);
    const packs = bytesIn(lake.paths.served, '.packs');
    // This one has no derived indicators, those that were measured have some: rows are as many as packs have room for.
    expect(packs / 82).toBeGreaterThan(VINTAGES * 0.95);
    const said = costAt(costNamed(costs, 'bytes: published.vintages'), VINTAGES) / costAt(costNamed(costs, 'bytes: packs'), VINTAGES);
    expect(Math.abs(said / (parquet / packs) - 1)).toBeLessThan(ROOM);
  });
});
