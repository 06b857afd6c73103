// Of how many countries the files of the mirror have a value, and rates of them by hand.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ObservationRecord } from '../../src/model/record.ts';
import { bis } from '../../src/sources/bis.ts';

const ROOT = process.env['REAL_DATA_DIR'] ?? '../shared/real-data';

describe.skipIf(!existsSync(join(ROOT, 'bis')))('the sheet of policy rates', () => {
  it('has 45 countries and the euro area; members of the euro end with 1998 or their accession', async () => {
    const key = 'bis/Monthly_interest_rates.CBPOL.xlsx';
    const rows: ObservationRecord[] = [];
    for await (const batch of bis.normalise({
      key,
      body: new Uint8Array(readFileSync(join(ROOT, key))),
      retrievedAt: '2026-11-20T10:00:00.000Z',
    })) {
      if (batch.kind === 'observations') rows.push(...batch.rows);
    }
    const at = (entityId: string, period: string) => rows.find((row) => row.entityId === entityId && row.period === period)?.value;
    expect([rows.length, new Set(rows.map(({ entityId }) => entityId)).size]).toEqual([18_231, 46]);
    expect(rows.filter(({ period }) => period === '2023-12').length).toBe(38);
    // Riksbank 4.00, Banco Central do Brasil 11.75, the middle of 5.25 to 5.50, Bank of England 5.25.
    expect([at('se', '2023-12'), at('br', '2023-12'), at('us', '2023-12'), at('gb', '2023-12')]).toEqual([4, 11.75, 5.375, 5.25]);
    expect(at('de', '1999-01')).toBeUndefined();
  });
});
