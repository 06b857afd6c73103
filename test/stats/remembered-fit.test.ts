import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitExponentialSmoothing } from '../../src/stats/exponential-smoothing.ts';
import { rememberedFit } from '../../src/stats/remembered-fit.ts';

describe('a remembered fit', () => {
  it('is the fit itself, for any start of any history', () => {
    const remembered = rememberedFit(fitExponentialSmoothing);
    const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fc.array(value, { minLength: 8, maxLength: 30 }), fc.nat(20), (values, dropped) => {
        const start = Float64Array.from(values).subarray(0, Math.max(5, values.length - dropped));
        expect(remembered(start)).toEqual(fitExponentialSmoothing(start));
        expect(remembered(start.slice())).toEqual(fitExponentialSmoothing(start));
      }),
    );
  });

  it('fits the same points once, and again if one of them differs or is missing', () => {
    let fits = 0;
    const remembered = rememberedFit(({ length }) => {
      fits += 1;
      return length;
    });
    const whole = Float64Array.of(1, 2, 3, 4);
    expect([remembered(whole), remembered(whole.slice()), remembered(whole.subarray(0, 3)), remembered(Float64Array.of(1, 2, 3))]).toEqual([
      4, 4, 3, 3,
    ]);
    expect(fits).toBe(2);
    remembered(Float64Array.of(1, 2, 3.5, 4));
    expect(fits).toBe(3);
  });

  it('forgets the oldest of more than 8,192 results', () => {
    let fits = 0;
    const remembered = rememberedFit(() => {
      fits += 1;
      return fits;
    });
    for (let value = 0; value <= 8192; value += 1) remembered(Float64Array.of(value));
    remembered(Float64Array.of(8192));
    expect(fits).toBe(8193);
    remembered(Float64Array.of(0));
    expect(fits).toBe(8194);
  });
});
