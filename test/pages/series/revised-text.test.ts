// How much the first prints of a series were revised, in words.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

interface Record {
  readonly revisedShare: number | null;
  readonly meanAbsRevision: number | null;
  readonly unit: string;
}
const address = pathToFileURL(join(import.meta.dirname, '../../../src/pages/static/series/revised-text.js')).href;
const { revisedText } = (await import(address)) as { readonly revisedText: (record: Record) => string | null };

describe('the revisions of first prints in words', () => {
  const told = (revisedShare: number | null, meanAbsRevision: number | null, unit = 'thousands') =>
    revisedText({ revisedShare, meanAbsRevision, unit });

  it('have the mean over the revised ones, not over all', () => {
    // 21 of 22 were revised; over all 22 the mean is 593.5.
    expect(told(21 / 22, 593.5)).toBe('95.5 %; these by 621.8 thousands on average');
    expect(told(0.5, 0.1, 'percent')).toBe('50 %; these by 0.2 percentage points on average');
  });

  it('are none so far, or no record, and never by 0', () => {
    expect([told(0, 0, 'percent'), told(null, null)]).toEqual(['none so far', null]);
  });
});
