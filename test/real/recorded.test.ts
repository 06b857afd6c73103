// Answers of publishers that others recorded: what the readers once refused. Row counts and values by eye from the files.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ObservationRecord } from '../../src/model/record.ts';
import { sourceOf } from '../readers/second-reader.ts';
import { REAL_DATA } from '../pipeline.ts';

const ROOT = join(REAL_DATA, '../recorded');

async function rowsOf(sourceId: string, key: string, path: string, retrievedAt: string): Promise<readonly ObservationRecord[]> {
  const rows: ObservationRecord[] = [];
  const payload = { key, body: new Uint8Array(readFileSync(join(ROOT, path))), retrievedAt };
  for await (const batch of sourceOf(sourceId).normalise(payload)) if (batch.kind === 'observations') rows.push(...batch.rows);
  return rows;
}

describe.skipIf(!existsSync(ROOT))('recorded answers', () => {
  it('of DG ECFIN have numbers as text, which are numbers', async () => {
    const key = 'dg-ecfin-bcs/nace2_ecfin_2405/main_indicators_sa_nace2.zip';
    const rows = await rowsOf('dg_ecfin', key, 'dg_ecfin/main_indicators_sa_nace2.zip', '2024-05-30T12:00:00.000Z');
    expect(rows.length).toBe(115_885);
    expect(rows.filter(({ period, value }) => period === '1985-01' && value === -5.8).length).toBeGreaterThan(0);
  });

  it('of the IMF have brackets in the names of columns', async () => {
    const rows = await rowsOf('imf', 'imf/CPI.CPI._T.YOY_PCH_PA_PT.M.csv', 'imf/CPI.brackets.csv', '2026-11-18T12:00:00.000Z');
    expect(rows.find(({ entityId, period }) => entityId === 'iso3:tur' && period === '2026-08')?.value).toBe(32.1);
  });

  it('of the Census Bureau pack a README beside the data', async () => {
    const rows = await rowsOf(
      'us_census',
      'us-census/RESCONST-mf.zip',
      'us_census/RESCONST-mf.with-readme.zip',
      '2023-11-20T10:00:00.000Z',
    );
    expect(rows.length).toBeGreaterThan(80_000);
    expect(rows.find(({ seriesCode, period }) => seriesCode === 'ASTARTS.SINGLE.US.A' && period === '1959-01')?.value).toBe(1336);
  });

  it('of Eurostat state a day of update without an hour, which counts from its end', async () => {
    const rows = await rowsOf('eurostat', 'eurostat/une_rt_m.csv', 'eurostat/une_rt_m.date-only.csv', '2026-11-18T12:00:00.000Z');
    expect(rows.find(({ entityId, period }) => entityId === 'at' && period === '2024-01')).toMatchObject({
      value: 4.9,
      observedAt: '2026-09-22T21:59:59.999Z',
    });
  });
});
