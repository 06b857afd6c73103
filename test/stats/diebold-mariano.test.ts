// Expected probabilities are those of scipy.stats.t (SciPy 1.16) for the statistic of Harvey, Leybourne & Newbold at a horizon of one.
import { describe, expect, it } from 'vitest';
import { isSignificantlyCloser, studentTenth } from '../../src/stats/diebold-mariano.ts';

const ones = (count: number) => Array.from({ length: count }, () => 1);

describe("the upper tenth of Student's t", () => {
  it.each([
    [7, 1.4149239276505086],
    [8, 1.3968153097438654],
    [15, 1.3406056078504558],
    [23, 1.3194602398161621],
    [39, 1.303638588621274],
    [59, 1.2960657251220526],
  ])('with %i degrees of freedom is that of SciPy', (degrees, expected) => {
    expect(Math.abs(studentTenth(degrees) - expected)).toBeLessThan(1e-4);
  });
});

describe('the Diebold–Mariano test', () => {
  it.each([
    // Half of the pairs and so many more are worse by one, the others better by one: the statistic's probability.
    [16, 2, 0.1666, false],
    [16, 3, 0.069, true],
    [24, 3, 0.114, false],
    [24, 4, 0.0517, true],
  ])('of %i pairs, %i beyond the half worse (p = %f), gives %s', (count, beyond, _, isCloser) => {
    const others = Array.from({ length: count }, (__, index) => (index < count / 2 + beyond ? 2 : 0));
    expect(isSignificantlyCloser(ones(count), others)).toBe(isCloser);
    expect(isSignificantlyCloser(others, ones(count))).toBe(false);
  });

  it('compares sizes, whatever the signs', () => {
    const others = Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? -3 : 3 + index / 10));
    const errors = Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? 1 : -1));
    expect(isSignificantlyCloser(errors, others)).toBe(true);
  });

  it('finds no evidence in fewer than eight pairs, in equal errors, or in pairs without a number', () => {
    expect(isSignificantlyCloser(ones(7), [9, 8, 9, 8, 9, 8, 9])).toBe(false);
    expect(isSignificantlyCloser(ones(8), [9, 8, 9, 8, 9, 8, 9, 8])).toBe(true);
    expect(isSignificantlyCloser(ones(30), ones(30))).toBe(false);
    expect(isSignificantlyCloser(ones(9), [9, 8, 9, 8, 9, 8, 9, Number.NaN, Number.NaN])).toBe(false);
  });

  it('needs no variance if one is closer each time by the same amount', () => {
    expect(
      isSignificantlyCloser(
        ones(12),
        ones(12).map(() => 2),
      ),
    ).toBe(true);
    expect(
      isSignificantlyCloser(
        ones(12).map(() => 2),
        ones(12),
      ),
    ).toBe(false);
  });
});
