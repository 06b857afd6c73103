// Row counts and values compared by hand with the files of the mirror.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ecbFx } from '../../src/sources/ecb/fx.ts';
import type { ObservationRecord } from '../../src/model/record.ts';

const ROOT = process.env['REAL_DATA_DIR'] ?? '../shared/real-data';

async function read(file: string): Promise<ObservationRecord[]> {
  const key = `ecb-eurofxref/${file}`;
  const rows: ObservationRecord[] = [];
  const body = new Uint8Array(readFileSync(join(ROOT, key)));
  for await (const batch of ecbFx.normalise({ key, body, retrievedAt: '2026-11-20T10:00:00.000Z' })) {
    if (batch.kind === 'observations') rows.push(...batch.rows);
  }
  return rows;
}

const byCode = (rows: readonly ObservationRecord[]) => rows.toSorted((a, b) => a.seriesCode.localeCompare(b.seriesCode));

describe.skipIf(!existsSync(join(ROOT, 'ecb-eurofxref')))('the reference rates of the ECB', () => {
  it('are read for every day and currency, each from its first rate on', async () => {
    const rows = await read('eurofxref-hist.csv');
    expect(new Set(rows.map(({ seriesCode }) => seriesCode)).size).toBe(41);
    const dollar = rows.filter(({ entityId }) => entityId === 'cur_usd');
    expect([dollar.length, dollar[0]?.period, dollar[0]?.value, dollar[0]?.observedAt]).toEqual([
      6983,
      '1999-01-04',
      1.1789,
      '1999-01-04T15:00:00.000Z',
    ]);
    const pound = rows.filter(({ entityId, value }) => entityId === 'cur_cyp' && value !== null);
    expect([pound[0]?.period, pound.at(-1)?.period, pound[0]?.value]).toEqual(['1999-01-04', '2007-12-31', 0.58231]);
    expect(rows.find(({ entityId, period }) => entityId === 'cur_aud' && period === '1999-01-04')?.value).toBe(1.91);
  });

  it('of one day equal those of the history', async () => {
    const day = await read('eurofxref.csv');
    expect(day.length).toBe(29);
    const history = (await read('eurofxref-hist.csv')).filter(({ period, value }) => period === '2026-04-13' && value !== null);
    expect(byCode(day)).toEqual(byCode(history));
  });
});
