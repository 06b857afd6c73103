// What the server prints when it listens: the address first, a new key and the link to a chart last, and the key only once.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { firstSeries, greeting, newKey, takeNewKey } from '../../src/greeting.ts';
import { newKeyFile } from '../../src/keys/key-store.ts';

const ADDRESS = 'http://127.0.0.1:8080';

const series = (
  indicatorId: string,
  vintageCount: number,
  observationCount: number,
  more: { isWithheld?: boolean; isDerived?: boolean } = {},
) => ({
  indicatorId,
  sourceId: 'fred_md',
  isWithheld: false,
  isDerived: false,
  vintageCount,
  observationCount,
  ...more,
});
const PAYROLLS = series('us_nonfarm_payrolls', 20, 10);
const OTHERS = [
  series('us_cpi', 30, 29),
  series('us_gdp', 40, 12),
  series('us_pe', 90, 1, { isWithheld: true }),
  series('us_growth', 99, 1, { isDerived: true }),
];

describe('the greeting', () => {
  it('ends with the new key, a question and the link', () => {
    const said = greeting({
      address: ADDRESS,
      serves: 'sample',
      reason: null,
      hasPages: true,
      series: firstSeries([...OTHERS, PAYROLLS]),
      key: 'asof_k',
    });
    const lines = said.trim().split('\n');
    expect(lines[0]).toBe(`asof listens at ${ADDRESS}. It serves a generated sample with invented numbers.`);
    expect(lines.at(-1)).toBe(
      `  ${ADDRESS}/explore#key=asof_k&to=/series?indicator_id=us_nonfarm_payrolls&source_id=fred_md&transform=change&range=3`,
    );
    expect(said.match(/asof_k/g)).toHaveLength(3);
  });

  it('links to the most revised series of data without US payrolls, which the key may read', () => {
    const first = firstSeries(OTHERS);
    expect(first?.indicatorId).toBe('us_gdp');
    const said = newKey({ address: ADDRESS, hasPages: true, series: first, key: 'asof_k' });
    expect(said).toContain(`&to=/series?indicator_id=us_gdp&source_id=fred_md&range=3\n`);
    expect(said).toContain(`/observations?indicator_id=us_gdp&source_id=fred_md&limit=5'`);
  });

  it('links to payrolls of FRED-MD, also if another source has more vintages of longer ago', () => {
    const fred = { ...series('us_nonfarm_payrolls', 4000, 900), sourceId: 'fred' };
    expect(firstSeries([...OTHERS, fred, PAYROLLS])?.sourceId).toBe('fred_md');
    expect(firstSeries([...OTHERS, fred])?.sourceId).toBe('fred');
  });

  it('without data leads to the search, and without a new key says how to make one', () => {
    expect(firstSeries([])).toBeNull();
    expect(newKey({ address: ADDRESS, hasPages: true, series: null, key: 'asof_k' })).toContain(
      `${ADDRESS}/explore#key=asof_k&to=/search\n`,
    );
    const said = greeting({ address: ADDRESS, serves: null, reason: 'No snapshot.', hasPages: false, series: null, key: null });
    expect(said).toContain('No snapshot.');
    expect(said).toContain('npm run keys -- create');
    expect(said).not.toContain('/explore');
  });

  it('takes a new key once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'asof-greeting-'));
    try {
      expect(takeNewKey(folder)).toBeNull();
      writeFileSync(newKeyFile(folder), 'asof_k\n', { mode: 0o600 });
      expect(statSync(newKeyFile(folder)).mode & 0o077).toBe(0);
      expect([takeNewKey(folder), takeNewKey(folder)]).toEqual(['asof_k', null]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
