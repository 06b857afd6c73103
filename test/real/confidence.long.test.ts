// Row counts and values compared by hand with the files of the mirror.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dgEcfin } from '../../src/sources/dg-ecfin/source.ts';
import { oecd } from '../../src/sources/oecd/source.ts';
import type { ObservationRecord } from '../../src/model/record.ts';
import type { Source } from '../../src/sources/source.ts';
import { cell, outside, series } from '../reference/read-tables.ts';

const ROOT = process.env['REAL_DATA_DIR'] ?? '../shared/real-data';
const RETRIEVED = '2026-11-20T10:00:00.000Z';

async function read(source: Source, key: string): Promise<ObservationRecord[]> {
  const rows: ObservationRecord[] = [];
  for await (const batch of source.normalise({ key, body: new Uint8Array(readFileSync(join(ROOT, key))), retrievedAt: RETRIEVED })) {
    expect(batch.kind).toBe('observations');
    if (batch.kind === 'observations') rows.push(...batch.rows);
  }
  const listed = new Set(series.filter((row) => cell(row, 'source_id') === source.id).map((row) => cell(row, 'series_code')));
  expect(outside([...new Set(rows.map(({ seriesCode }) => seriesCode))], listed)).toEqual([]);
  return rows;
}

const given = (rows: readonly ObservationRecord[]) => rows.filter(({ value }) => value !== null);
const valueOf = (rows: readonly ObservationRecord[], code: string, period: string) =>
  rows.find((row) => row.seriesCode === code && row.period === period)?.value;

describe.skipIf(!existsSync(join(ROOT, 'dg-ecfin-bcs')))('the surveys of DG ECFIN', () => {
  it('are read in both releases, with omitted cells empty', async () => {
    const before = await read(dgEcfin, 'dg-ecfin-bcs/data_esi_values.2024-10-30.csv');
    const after = await read(dgEcfin, 'dg-ecfin-bcs/data_esi_values.2025-08-28.csv');
    expect([given(before).length, before.length]).toEqual([63_330, 250 * 35 * 8]);
    expect([given(after).length, after.length]).toEqual([65_689, 260 * 35 * 8]);
    expect(new Set(before.map(({ observedAt }) => observedAt))).toEqual(new Set(['2024-10-30T23:59:59.999Z']));
    expect(new Set(after.map(({ observedAt }) => observedAt))).toEqual(new Set(['2025-08-28T23:59:59.999Z']));
    expect([valueOf(before, 'AT.BUIL', '2004-01'), valueOf(after, 'AT.BUIL', '2004-01')]).toEqual([-19.3, -18.8]);
    expect([valueOf(before, 'LU.EEI', '2024-10'), valueOf(after, 'LU.EEI', '2024-10')]).toEqual([103.7, null]);
    expect(valueOf(after, 'IT.ESI', '2020-04')).toBeNull();
    expect(valueOf(after, 'UK.CONS', '2020-12')).not.toBeNull();
    expect(valueOf(after, 'UK.CONS', '2021-01')).toBeNull();
  });
});

describe.skipIf(!existsSync(join(ROOT, 'oecd')))('the indices of the OECD', () => {
  it('are read for every location and month', async () => {
    const business = await read(oecd, 'oecd/BCI.DP_LIVE.csv');
    const consumers = await read(oecd, 'oecd/CCI.DP_LIVE.csv');
    expect([business.length, consumers.length]).toEqual([21_017, 18_098]);
    expect(valueOf(business, 'ZAF.BCI.AMPLITUD.LTRENDIDX.M', '1974-06')).toBe(102.3748);
    expect(valueOf(consumers, 'NLD.CCI.AMPLITUD.LTRENDIDX.M', '1973-02')).toBe(101.4671);
    const leading = (await read(oecd, 'oecd/CLI.G20.sdmx-csv-2.0.csv')).toSorted((a, b) => a.period.localeCompare(b.period));
    expect([leading.length, leading[0]?.period, leading[0]?.value, leading.at(-1)?.period, leading.at(-1)?.value]).toEqual([
      38,
      '2023-01',
      99.20787,
      '2026-02',
      100.6007,
    ]);
    expect(new Set([...business, ...consumers, ...leading].map(({ observedAt }) => observedAt))).toEqual(new Set([RETRIEVED]));
  });
});
