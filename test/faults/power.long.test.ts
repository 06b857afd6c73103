// A power cut after any change that a night makes to the disk: whatever of it had not come to the disk yet, a whole snapshot is served, and the next
// night ends where an undisturbed one does. FAULTS_SEED and POWER_TRIAL tell one again.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPipeline } from '../pipeline.ts';
import { traced } from '../disk/disk-calls.ts';
import { drawing, drawnPoints, repeatable } from './draws.ts';
import { lastNight, type Nights, openNights } from './nights.ts';
import { LOSSES, type Recording, recording } from './power.ts';

const SEED = Number(process.env['FAULTS_SEED'] ?? '1');
const TRIALS = Number(process.env['POWER_TRIALS'] ?? '6');
const ONLY = process.env['POWER_TRIAL'];

let nights: Nights;
let recorded: Recording;
beforeAll(async () => {
  nights = await openNights();
  const pipeline = await nights.restore('recorded');
  recorded = recording(pipeline.dataDir);
  const { error } = await traced(pipeline.dataDir, () => lastNight(pipeline, nights.mirror), { onDone: recorded.onDone });
  if (error !== null) throw error as Error;
});
afterAll(() => nights.remove());

async function cutAfter(changes: number, trial: number): Promise<string> {
  const draw = drawing(SEED * 1_000_003 + trial);
  const loss = LOSSES[trial % LOSSES.length] ?? { names: 'all', bytes: 'dropped' };
  const dataDir = join(nights.base, 'cut');
  recorded.leave(dataDir, join(nights.base, 'before'), changes, loss, draw);
  const pipeline = await openPipeline({ dataDir });
  const which = await nights.holds(pipeline);
  await nights.converges(pipeline);
  rmSync(dataDir, { recursive: true });
  return which;
}

describe('a power cut', { timeout: 6 * 3600 * 1000 }, () => {
  it(`at any moment of a night leaves a complete snapshot, and the next night catches up (${TRIALS} cuts, seed ${SEED})`, async () => {
    const outcomes: string[] = [];
    const points = drawnPoints(recorded.length(), TRIALS, SEED);
    expect(recorded.length()).toBeGreaterThan(150);
    for (const [trial, changes] of points.entries()) {
      if (ONLY !== undefined && trial !== Number(ONLY)) continue;
      const again = `FAULTS_SEED=${SEED} POWER_TRIALS=${TRIALS} POWER_TRIAL=${trial} (after ${changes} changes)`;
      outcomes.push(await repeatable(again, () => cutAfter(changes, trial)));
    }
    const count = (which: string) => outcomes.filter((one) => one === which).length;
    process.stdout.write(`power, seed ${SEED}: ${outcomes.length} cuts, ${count('before')} before, ${count('after')} after\n`);
    expect(outcomes.length).toBeGreaterThan(0);
  });

  it('after the last sync leaves the new snapshot, whatever was not synced', async () => {
    const outcomes: string[] = [];
    for (const trial of [0, 4, 8]) outcomes.push(await cutAfter(recorded.length(), trial));
    expect(outcomes).toEqual(['after', 'after', 'after']);
  });
});
