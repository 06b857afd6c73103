// Row counts and values compared by hand with the files of the mirror.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EntityRecord, ObservationRecord, RefusedRecord } from '../../src/model/record.ts';
import { bis } from '../../src/sources/bis/source.ts';
import { worldBank } from '../../src/sources/world-bank/source.ts';

const ROOT = process.env['REAL_DATA_DIR'] ?? '../shared/real-data';

async function read(file: string) {
  const key = `world-bank/${file}`;
  const observations: ObservationRecord[] = [];
  const entities: EntityRecord[] = [];
  const refused: RefusedRecord[] = [];
  const body = new Uint8Array(readFileSync(join(ROOT, key)));
  for await (const batch of worldBank.normalise({ key, body, retrievedAt: '2026-11-20T10:00:00.000Z' })) {
    if (batch.kind === 'observations') observations.push(...batch.rows);
    if (batch.kind === 'entities') entities.push(...batch.rows);
    if (batch.kind === 'refused') refused.push(...batch.rows);
  }
  const at = (code: string, period: string) => observations.find((row) => row.seriesCode === code && row.period === period)?.value;
  return { observations, entities, refused, at };
}

describe.skipIf(!existsSync(join(ROOT, 'world-bank')))('the files of the World Bank', () => {
  it('have GDP of all economies and income groups of the first of two pages', async () => {
    const { observations, refused, at } = await read('api-json/NY.GDP.MKTP.CD.json');
    expect(observations.length).toBe(10_000);
    expect(refused.map(({ observedValue }) => observedValue)).toEqual(['page 1 of 2']);
    expect(new Set(observations.map(({ seriesCode }) => seriesCode)).has('NY.GDP.MKTP.CD.HIC')).toBe(true);
    expect(new Set(observations.map(({ observedAt }) => observedAt))).toEqual(new Set(['2024-03-28T23:59:59.999Z']));
    expect(at('NY.GDP.MKTP.CD.AFE', '2022')).toBe(1185137703650.99);
    expect(at('NY.GDP.MKTP.CD.AFE', '2023')).toBe(null);
  });

  it('have inflation and population', async () => {
    const inflation = await read('api-json/FP.CPI.TOTL.ZG.json');
    expect([inflation.observations.length, inflation.refused.length]).toEqual([10_000, 1]);
    expect(inflation.observations.filter(({ value }) => value === null).length).toBe(3419);
    const population = await read('api-json/GBR.SP.POP.TOTL.json');
    expect(population.observations.length).toBe(64);
    expect(population.at('SP.POP.TOTL.GBR', '2022')).toBe(66971395);
    expect((await read('api-json/FRA.NY.GDP.MKTP.CD.json')).at('NY.GDP.MKTP.CD.FRA', '2022')).toBe(2779092236505.85);
  });

  it('have 77 aggregates as regions: the 79 of the list without the euro area and the European Union', async () => {
    const { entities } = await read('api-json/countries.json');
    expect(entities.length).toBe(77);
    expect(entities.find(({ entityId }) => entityId === 'region_wld')?.name).toBe('World');
  });

  it('have GDP from two copies of the table, years apart', async () => {
    const before = await read('gdp-csv-vintages/gdp.2013-06-28.csv');
    const after = await read('gdp-csv-vintages/gdp.2024-10-21.csv');
    expect([before.observations.length, after.observations.length]).toEqual([9812, 13_979]);
    expect(before.observations[0]?.observedAt).toBe('2013-06-28T23:59:59.999Z');
    expect(before.at('NY.GDP.MKTP.CD.ZWE', '2011')).toBe(9656199513.79394);
    expect(after.at('NY.GDP.MKTP.CD.ZWE', '2023')).toBe(26538273498.84614);
    expect(before.at('NY.GDP.MKTP.CD.ZWE', '2011')).not.toBe(after.at('NY.GDP.MKTP.CD.ZWE', '2011'));
  });
});

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
