// Long times without a vintage, which a reader must not take for times without a revision.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';

type Gap = readonly [string, string];
const address = pathToFileURL(join(import.meta.dirname, '../../../src/pages/static/series/gaps.js')).href;
const { gapsOf, gapText } = (await import(address)) as {
  readonly gapsOf: (days: readonly string[]) => readonly Gap[];
  readonly gapText: (gaps: readonly Gap[]) => string;
};

describe('gaps between vintages', () => {
  it('are much longer than the usual distance', () => {
    const months = ['2020-04-30', '2020-05-31', '2020-06-30', '2025-09-30', '2025-10-31', '2025-11-30'];
    expect(gapsOf(months)).toEqual([['2020-06-30', '2025-09-30']]);
    expect(gapsOf(['2020-01-31', '2021-01-31', '2022-01-31', '2023-02-28'])).toEqual([]);
    // A skipped month is no gap.
    expect(gapsOf(['2020-01-31', '2020-02-29', '2020-04-30', '2020-05-31'])).toEqual([]);
    expect([gapsOf([]), gapsOf(['2020-01-31']), gapsOf(['2020-01-31', '2025-01-31'])]).toEqual([[], [], []]);
  });

  it('are named, the longest first', () => {
    expect(gapText([])).toBe('');
    expect(gapText([['2020-06-30', '2025-09-30']])).toBe(', none between 2020-06-30 and 2025-09-30');
    const years = [2000, 2010, 2013].map((year): Gap => [`${year}-01-01`, `${year + 2}-01-01`]);
    expect(gapText([...years, ['2015-06-30', '2025-09-30']])).toBe(
      ', none between 2015-06-30 and 2025-09-30, nor between 2000-01-01 and 2002-01-01, and 2 more gaps',
    );
  });
});
