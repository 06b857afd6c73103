// Row counts and values compared by hand with the files of the mirror.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fred } from '../../src/sources/st-louis-fed/fred.ts';
import type { ObservationRecord } from '../../src/model/record.ts';

const ROOT = process.env['REAL_DATA_DIR'] ?? '../shared/real-data';
const RETRIEVED_AT = '2026-11-20T10:00:00.000Z';

async function read(key: string): Promise<ObservationRecord[]> {
  const rows: ObservationRecord[] = [];
  const body = new Uint8Array(readFileSync(join(ROOT, key)));
  for await (const batch of fred.normalise({ key, body, retrievedAt: RETRIEVED_AT })) {
    if (batch.kind === 'observations') rows.push(...batch.rows);
  }
  return rows;
}

const frequenciesOf = (rows: readonly ObservationRecord[]) => [...new Set(rows.map(({ frequency }) => frequency))];
const vintagesOf = (rows: readonly ObservationRecord[], period: string) =>
  rows.filter((row) => row.period === period).map(({ observedAt, value }) => [observedAt.slice(0, 10), value]);

describe.skipIf(!existsSync(ROOT))('the files of FRED and ALFRED', () => {
  it.each([
    ['AWH', 2590, 0, 'monthly'],
    ['BP', 1319, 0, 'monthly'],
    ['CPI', 1553, 0, 'monthly'],
    ['EMP', 4335, 0, 'monthly'],
    ['HS', 1660, 0, 'monthly'],
    ['IP', 8762, 0, 'monthly'],
    ['PPI', 666, 1, 'monthly'],
    ['RGDP', 1648, 57, 'quarterly'],
    ['UR', 764, 0, 'monthly'],
  ])('have every real-time period of %s', async (code, count, missing, frequency) => {
    const rows = await read(`alfred-realtime/${code}.csv`);
    expect(rows.length).toBe(count);
    expect(rows.filter(({ value }) => value === null).length).toBe(missing);
    expect(frequenciesOf(rows)).toEqual([frequency]);
    expect(new Set(rows.map(({ seriesCode }) => seriesCode))).toEqual(new Set([code]));
  });

  it('have the first vintages of a month and a quarter', async () => {
    expect(vintagesOf(await read('alfred-realtime/EMP.csv'), '1980-01').slice(0, 2)).toEqual([
      ['1995-01-01', 90729],
      ['2003-06-06', 90800],
    ]);
    expect(vintagesOf(await read('alfred-realtime/RGDP.csv'), '2018-Q1').at(-1)).toEqual(['2018-06-28', 17371.854]);
  });

  it('have GDP in all real-time periods, withdrawals included', async () => {
    const rows = await read('fred-api/series_observations.GDP.all-realtime.recorded-2025-01-20.json');
    expect(rows.length).toBe(3201);
    expect(rows.filter(({ value }) => value === null).length).toBe(245);
    expect(frequenciesOf(rows)).toEqual(['quarterly']);
    expect(vintagesOf(rows, '1946-Q1')).toEqual([
      ['1992-12-22', 199.7],
      ['1996-01-19', null],
      ['1997-05-07', 210.4],
      ['1999-10-28', null],
    ]);
    expect(vintagesOf(rows, '2024-Q3')).toEqual([
      ['2024-10-30', 29349.924],
      ['2024-11-27', 29354.321],
      ['2024-12-19', 29374.914],
    ]);
  });

  it('have the initial releases and the vintage of a default query', async () => {
    const initial = await read('fred-api/series_observations.GDP.initial-release.recorded-2025-01-20.json');
    expect([initial.length, initial[0]?.period, initial[0]?.value, initial[0]?.observedAt]).toEqual([
      132,
      '1991-Q4',
      5736.6,
      '1992-01-29T23:59:59.999Z',
    ]);
    const latest = await read('fred-api/series_observations.GDP.latest.recorded-2024-11-03.json');
    expect(latest.length).toBe(315);
    expect(new Set(latest.map(({ observedAt }) => observedAt))).toEqual(new Set(['2024-10-30T23:59:59.999Z']));
  });

  it('about series have no observations', async () => {
    const others = readdirSync(join(ROOT, 'fred-api')).filter(
      (file) => fred.owns(`fred-api/${file}`) && !file.startsWith('series_observations.'),
    );
    expect(others.length).toBe(10);
    for (const file of others) expect(await read(`fred-api/${file}`)).toEqual([]);
  });

  // MORTGAGE30US is weekly and DFF daily at FRED; these two files are monthly averages that were asked for under the same id.
  it.each([
    ['monthly', 'CPIAUCSL DFF GS10 HOUST HSN1F MORTGAGE30US PAYEMS PERMIT PERMIT1 POP RSXFSN UNRATENSA'],
    ['quarterly', 'EXPGSC1 GCEC1 GDP GDPC1 GPDIC1 IMPGSC1 PCECC96'],
    ['weekly', 'ICSA'],
    ['daily', 'DEXCHUS_YUAN_DOLLAR_EXCHANGE_RATE DTWEXBGS T10Y2Y'],
  ])('of a graph that are %s are read as such', async (frequency, names) => {
    for (const name of names.split(' ')) expect(frequenciesOf(await read(`fredgraph-csv/${name}.csv`))).toEqual([frequency]);
  });

  it.each([
    ['monthly', 'CPIAUCSL DGORDER FEDFUNDS HOUST INDPRO JTSJOL M2SL PAYEMS PCEPILFE RSXFS UNRATE'],
    ['quarterly', 'GDP GDPC1'],
    ['daily', 'DGS10'],
  ])('of dates and values that are %s are read as such', async (frequency, names) => {
    for (const name of names.split(' ')) expect(frequenciesOf(await read(`fred-date-value-csv/${name}.csv`))).toEqual([frequency]);
  });

  it('of a graph are known from their retrieval', async () => {
    const rows = await read('fredgraph-csv/DEXCHUS_YUAN_DOLLAR_EXCHANGE_RATE.csv');
    expect([rows.length, rows.filter(({ value }) => value === null).length]).toEqual([11176, 483]);
    expect(rows.at(-1)).toEqual({
      seriesCode: 'DEXCHUS',
      frequency: 'daily',
      period: '2023-11-03',
      periodStart: '2023-11-03',
      periodEnd: '2023-11-03',
      value: 7.3005,
      observedAt: RETRIEVED_AT,
    });
  });

  it('keep the month that the shutdown of 2025 left out as missing', async () => {
    expect((await read('fred-date-value-csv/UNRATE.csv')).slice(-2).map(({ period, value }) => [period, value])).toEqual([
      ['2025-10', null],
      ['2025-11', 4.6],
    ]);
  });
});
