import { describe, expect, it } from 'vitest';
import { combThetaDamped, combThetaDampedErrors, naiveErrors } from '../../src/stats/comb-theta-damped.ts';
import { dampedHolt } from '../../src/stats/damped-holt.ts';
import { goldenSection, nelderMead } from '../../src/stats/minimise.ts';
import { simpleExponentialSmoothing } from '../../src/stats/simple-exponential-smoothing.ts';
import { nonDecreasing, splitConformalWidth } from '../../src/stats/split-conformal.ts';
import { theta } from '../../src/stats/theta.ts';

const RATE = { isLevel: false, seasonalPeriod: null };
const LEVEL = { isLevel: true, seasonalPeriod: null };
const wobble = (index: number) => Math.sin(index * index * 12.9898);
const levels = Float64Array.from({ length: 96 }, (_, index) => 100 * Math.exp(0.004 * index + 0.01 * wobble(index)));

const valley = (point: ArrayLike<number>) => {
  const [x = 0, y = 0] = Array.from(point);
  return (x - 0.3) ** 2 + 10 * (y - 2) ** 2 + (x - 0.3) * (y - 2);
};

describe('the combination', () => {
  it('is the mean of its three members, for a rate on its own scale', () => {
    const rate = levels.map((value) => value - 110);
    const members = [theta(rate, 3), dampedHolt(rate, 3), simpleExponentialSmoothing(rate, 3)];
    const got = combThetaDamped(rate, 3, RATE);
    for (const h of [0, 1, 2]) expect(got[h]).toBeCloseTo(members.reduce((sum, member) => sum + (member[h] ?? 0), 0) / 3, 12);
  });

  it('is the exponential of the combination of logarithms, for a positive level', () => {
    const got = combThetaDamped(levels, 2, LEVEL);
    combThetaDamped(levels.map(Math.log), 2, RATE).forEach((value, h) => expect(got[h]).toBeCloseTo(Math.exp(value), 9));
  });

  it('scales with a positive level, and stays on the raw scale if a level touches zero', () => {
    const [one = 0] = combThetaDamped(levels, 1, LEVEL);
    expect(
      combThetaDamped(
        levels.map((value) => value * 1000),
        1,
        LEVEL,
      )[0],
    ).toBeCloseTo(one * 1000, 4);
    const touching = levels.map((value, index) => (index === 10 ? 0 : value));
    expect(combThetaDamped(touching, 1, LEVEL)).toEqual(combThetaDamped(touching, 1, RATE));
  });

  it('restores the season to the right period', () => {
    const seasonal = levels.map((value, index) => value * (index % 12 === 11 ? 1.3 : 1));
    const got = combThetaDamped(seasonal, 12, { isLevel: true, seasonalPeriod: 12 });
    const [highest] = got.map((value, h) => ({ value, h })).toSorted((a, b) => b.value - a.value);
    expect(highest?.h).toBe(11);
    expect((got[11] ?? 0) / (got[10] ?? 1)).toBeCloseTo(1.3, 1);
  });

  it('of a constant is the constant, without errors', () => {
    const constant = new Float64Array(40).fill(2.5);
    expect(combThetaDamped(constant, 2, RATE)).toEqual([2.5, 2.5]);
    expect([...combThetaDampedErrors(constant, 24, RATE)].every((error) => error === 0)).toBe(true);
    for (const value of combThetaDamped(constant, 1, LEVEL)) expect(value).toBeCloseTo(2.5, 12);
  });

  it('forms each error without the point that it is for', () => {
    const errors = combThetaDampedErrors(levels, 24, LEVEL);
    const changed = levels.map((value, index) => (index === 95 ? value * 2 : value));
    const changedErrors = combThetaDampedErrors(changed, 24, LEVEL);
    expect(changedErrors.subarray(0, 23)).toEqual(errors.subarray(0, 23));
    expect((changedErrors[23] ?? 0) - (errors[23] ?? 0)).toBeCloseTo(Math.log(2), 12);
  });

  it('measures the random walk on the same scale', () => {
    expect(naiveErrors(levels, 2, LEVEL)[1]).toBeCloseTo(Math.log((levels[95] ?? 0) / (levels[94] ?? 1)), 12);
    expect(naiveErrors(levels, 2, RATE)[1]).toBeCloseTo((levels[95] ?? 0) - (levels[94] ?? 0), 12);
  });

  it('gives the same bytes every time', () => {
    expect(combThetaDamped(levels, 6, LEVEL)).toEqual(combThetaDamped(levels.slice(), 6, LEVEL));
  });
});

describe('the split-conformal width', () => {
  it('is the ⌈(m + 1) · level⌉-th smallest error, whatever its sign', () => {
    const errors = Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? -1 : 1) * (24 - index));
    expect(splitConformalWidth(errors, 0.8)).toBe(20);
    expect(splitConformalWidth([3, -1, 2, -4], 0.8)).toBe(4);
  });

  it('is null when there are too few errors for the level', () => {
    expect(splitConformalWidth([1, 2, 3], 0.8)).toBeNull();
    expect(splitConformalWidth([], 0.8)).toBeNull();
  });

  it('does not decrease in the horizon', () => {
    expect(nonDecreasing([1, 3, 2, 4])).toEqual([1, 3, 3, 4]);
  });
});

describe('the minimisers', () => {
  it('find the lower of two valleys, and an edge', () => {
    expect(goldenSection((x) => Math.cos(4 * Math.PI * x) + x, 0, 1)).toBeCloseTo(0.2437, 3);
    expect(goldenSection((x) => -x, 0, 1)).toBe(1);
  });

  it('find the bottom of a valley within a box', () => {
    const [x, y] = nelderMead(valley, { lower: [0, 0], upper: [1, 3] }, [0.9, 0.5], [-0.1, 0.2], 100);
    expect([x, y]).toEqual([expect.closeTo(0.3, 4), expect.closeTo(2, 4)]);
    const [, edge] = nelderMead(valley, { lower: [0, 0], upper: [1, 1] }, [0.9, 0.5], [-0.1, 0.2], 100);
    expect(edge).toBe(1);
  });
});
