// Nights beside what can be said of them by hand, and plans beside sums by hand.
import { assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NightPlan, simulateNight } from '../../bench/scale/nights.ts';
import { lognormalOf } from '../../bench/scale/random.ts';

const night = (more: Partial<NightPlan>): NightPlan => ({
  seed: 1,
  hours: 8,
  files: 10,
  dueWithin: 0,
  lateBy: 0,
  ingestSecondsPerFile: 6,
  tick: 900,
  workers: 1,
  coresPerWorker: 2,
  derive: { alone: 40, shared: 1000, shards: 10, spread: lognormalOf(1, 1) },
  publishSeconds: 30,
  sentBytes: 2000,
  bytesPerSecond: 100,
  openSeconds: 50,
  killWorkerAt: null,
  ...more,
});

describe('a night', () => {
  it('with all files at the first look takes the sum of its stages', () => {
    const { endedAt, runs, stages, longest } = simulateNight(night({}));
    // 10 × 6; (40 + 1000) / 2; 30; 2000 / 100; 2000 / 100 + 50.
    expect(stages).toEqual({ ingest: 60, derive: 520, publish: 30, push: 20, 'follow and open': 70 });
    expect([endedAt, runs, longest]).toEqual([900 + 700, 1, 'derive']);
  });

  it('takes as long for its shards as the busiest worker', () => {
    // 10 shards of 50 s: with 4 workers three of them one after the other.
    expect(simulateNight(night({ workers: 4 })).stages.derive).toBeCloseTo(20 + 150, 6);
    expect(simulateNight(night({ workers: 10 })).stages.derive).toBeCloseTo(20 + 50, 6);
  });

  it('with a killed worker repeats only its current shard', () => {
    // Eight shards of 62.5 s on two workers from 980 s on: at 1000 s one is lost, and the other worker does all eight.
    const shards = { derive: { ...night({}).derive, shards: 8 } };
    const killed = simulateNight(night({ workers: 2, ...shards, killWorkerAt: 1000 }));
    expect([killed.shardsRepeated, killed.shardsDone]).toEqual([1, 8]);
    expect(killed.stages.derive).toBeCloseTo(20 + 8 * 62.5, 6);
    expect(simulateNight(night({ workers: 2, ...shards })).stages.derive).toBeCloseTo(20 + 4 * 62.5, 6);
  });

  it('reads files that came during a run in the next one, each file once', () => {
    const { runs, filesRead, stages } = simulateNight(
      night({ files: 200, dueWithin: 3600, derive: { ...night({}).derive, shared: 4000 } }),
    );
    expect(runs).toBeGreaterThan(1);
    expect([filesRead, stages.ingest]).toEqual([200, 200 * 6]);
  });

  it('that does not end in time is reported', () => {
    expect(simulateNight(night({ hours: 0.4 }))).toMatchObject({ isInTime: false, endedAt: null, filesRead: 0 });
    // From 900 s to 1,440: 60 of them ingest, the rest derives.
    expect(simulateNight(night({ hours: 0.4 })).stages).toMatchObject({ ingest: 60, derive: 480, publish: 0 });
    expect(simulateNight(night({ hours: 0.5 }))).toMatchObject({ isInTime: true, filesRead: 10 });
  });

  it('is the same for the same seed, and ends no later with more workers', () => {
    assert(
      property(integer(), integer({ min: 1, max: 8 }), (seed, workers) => {
        const plan = night({
          seed,
          workers,
          dueWithin: 3600,
          lateBy: 600,
          derive: { alone: 0, shared: 9000, shards: 64, spread: lognormalOf(1, 2) },
        });
        expect(simulateNight(plan)).toEqual(simulateNight(plan));
        expect(
          simulateNight({ ...plan, workers: 4 * workers }).stages.derive / simulateNight({ ...plan, workers: 4 * workers }).runs,
        ).toBeLessThanOrEqual(simulateNight(plan).stages.derive / simulateNight(plan).runs);
      }),
      { numRuns: 5 },
    );
  });
});
