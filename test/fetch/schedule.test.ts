// Runs beside a serving process: one at a time, fewer while they crash, and none once it stops.
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openTicks, type Run, type RunEnd } from '../../src/schedule.ts';
import { SILENT } from '../pipeline.ts';

/** Runs that end when the test says so. */
function runs() {
  const ends: ((end: RunEnd) => void)[] = [];
  let stopped = 0;
  const start = (): Run => ({ ended: new Promise((done) => ends.push(done)), stop: () => (stopped += 1) });
  return { start, ends, end: (code: number | null) => ends.at(-1)?.({ code, said: null }), stopped: () => stopped };
}

const effects = { now: () => 0, log: SILENT };

describe('SCHEDULE', () => {
  it('is a cron expression with the minutes that a run may ask; empty means no schedule', () => {
    expect(readConfig({}).schedule).toBeNull();
    expect(readConfig({ SCHEDULE: '*/15 * * * *' }).schedule).toEqual({ cron: '*/15 * * * *', minutes: 10 });
    expect(readConfig({ SCHEDULE: '30 3 * * *', SCHEDULE_MINUTES: '90' }).schedule).toEqual({ cron: '30 3 * * *', minutes: 90 });
    expect(() => readConfig({ SCHEDULE: 'nightly' })).toThrow(
      /^Configuration: SCHEDULE is not a cron expression .* e\.g\. "\*\/15 \* \* \* \*"\.$/,
    );
  });
});

describe('ticks', () => {
  it('never begin a run while one is running', async () => {
    const { start, ends, end } = runs();
    const ticks = openTicks(start, effects);
    const first = ticks.tick();
    void ticks.tick();
    expect(ends.length).toBe(1);
    end(0);
    await first;
    void ticks.tick();
    expect(ends.length).toBe(2);
  });

  it('are skipped after a run that crashed, at most 15 in a row, and none after a run that ended by itself', async () => {
    const { start, ends, end } = runs();
    const ticks = openTicks(start, effects);
    const runOnce = async (code: number | null) => {
      const before = ends.length;
      let passedOver = -1;
      for (let tick: Promise<void> | null = null; ends.length === before; passedOver += 1) {
        tick = ticks.tick();
        if (ends.length > before) {
          end(code);
          await tick;
        }
      }
      return passedOver;
    };
    const passed: number[] = [];
    // 1: a source has failed, which the run itself reported.
    for (const code of [1, 0, null, 134, null, null, null, 0, 0]) passed.push(await runOnce(code));
    expect(passed).toEqual([0, 0, 0, 1, 3, 7, 15, 15, 0]);
  });

  it('stop the current run when the server stops, and begin no other', async () => {
    const { start, ends, end, stopped } = runs();
    const ticks = openTicks(start, effects);
    const tick = ticks.tick();
    const stop = ticks.stop();
    end(null);
    await Promise.all([tick, stop]);
    await ticks.tick();
    expect([ends.length, stopped()]).toEqual([1, 1]);
  });
});
