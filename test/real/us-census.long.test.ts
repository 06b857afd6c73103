// Row counts and values compared by hand with the file of the mirror.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ObservationRecord } from '../../src/model/record.ts';
import { usCensus } from '../../src/sources/us-census/source.ts';

const ROOT = process.env['REAL_DATA_DIR'] ?? '../shared/real-data';
const KEY = 'us-census/RESCONST-mf.csv';

describe.skipIf(!existsSync(join(ROOT, KEY)))('the file of New Residential Construction', () => {
  it('has every one of its rows, decoded', async () => {
    const payload = { key: KEY, body: new Uint8Array(readFileSync(join(ROOT, KEY))), retrievedAt: '2026-11-20T10:00:00.000Z' };
    const rows: ObservationRecord[] = [];
    for await (const batch of usCensus.normalise(payload)) {
      expect(batch.kind).toBe('observations');
      if (batch.kind === 'observations') rows.push(...batch.rows);
    }
    expect(rows.length).toBe(82_793);
    expect(rows.filter(({ seriesCode }) => seriesCode.includes('.E_')).length).toBe(18_216);
    expect(new Set(rows.map(({ seriesCode }) => seriesCode)).size).toBe(176);
    expect(new Set(rows.map(({ observedAt }) => observedAt))).toEqual(new Set(['2023-01-19T23:59:59.999Z']));
    expect(usCensus.knownAt?.(payload)).toBe('2023-01-19T23:59:59.999Z');

    const at = (code: string, period: string) => rows.find((row) => row.seriesCode === code && row.period === period)?.value;
    expect(at('ASTARTS.SINGLE.US.A', '1959-01')).toBe(1336);
    expect(at('ACOMPLETIONS.E_MULTI.US.A', '2000-01')).toBe(10);
    expect(at('UNDERCONST.TOTAL.WE.A', '2022-12')).toBe(475);
    // The press release of 2023-01-19: starts 1,382 and permits 1,330 thousand at annual rates in December 2022.
    expect(at('ASTARTS.TOTAL.US.A', '2022-12')).toBe(1382);
    expect(at('APERMITS.TOTAL.US.A', '2022-12')).toBe(1330);
  });
});
