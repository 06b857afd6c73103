// Days and instants as text, beside what Date says of them.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayText, instantText } from '../../src/db/instant.ts';

const MOST = 8.64e15;
const EDGES = [
  0,
  -1,
  1,
  999,
  1000,
  59_999,
  60_000,
  86_399_999,
  86_400_000,
  -86_400_000,
  -86_400_001,
  -62_167_219_200_000,
  -62_167_219_200_001,
  253_402_300_799_999,
  253_402_300_800_000,
  MOST,
  -MOST,
];

describe('an instant as text', () => {
  it.each(EDGES)('equals the text of Date: %s', (ms) => {
    expect(instantText(ms)).toBe(new Date(ms).toISOString());
  });

  it('equals the text of Date for any time', () => {
    const year = fc.integer({ min: -62_200_000_000_000, max: 253_500_000_000_000 });
    fc.assert(
      fc.property(
        fc.oneof(
          year,
          fc.integer({ min: -MOST, max: MOST }),
          fc.integer({ min: 0, max: 2_000_000_000 }).map((s) => s * 1000),
        ),
        (ms) => {
          expect(instantText(ms)).toBe(new Date(ms).toISOString());
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('gives the date of a day, leap days and ends of years included', () => {
    expect([-1, 0, 58, 59, 11_016, 20_786].map(dayText)).toEqual([
      '1969-12-31',
      '1970-01-01',
      '1970-02-28',
      '1970-03-01',
      '2000-02-29',
      '2026-11-29',
    ]);
  });

  it('of an invalid number throws', () => {
    expect(() => instantText(Number.NaN)).toThrow(RangeError);
  });
});
