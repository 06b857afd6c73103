// Row counts and values compared by hand with the files of the mirror.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { quotes } from '../../../src/sources/market-data/quotes.ts';
import type { Batch, ObservationRecord } from '../../../src/model/record.ts';
import { openPipeline } from '../../pipeline.ts';

const ROOT = process.env['REAL_DATA_DIR'] ?? '../shared/real-data';
const RETRIEVED_AT = '2026-11-20T10:00:00.000Z';

async function read(key: string) {
  expect(quotes.owns(key)).toBe(true);
  const body = new Uint8Array(readFileSync(join(ROOT, key)));
  const batches: Batch[] = [];
  for await (const batch of quotes.normalise({ key, body, retrievedAt: RETRIEVED_AT })) batches.push(batch);
  return {
    observations: batches.flatMap((batch) => (batch.kind === 'observations' ? batch.rows : [])),
    refused: batches.flatMap((batch) => (batch.kind === 'refused' ? batch.rows : [])),
  };
}

const valueOf = (rows: readonly ObservationRecord[], seriesCode: string, period: string) =>
  rows.find((row) => row.seriesCode === seriesCode && row.period === period)?.value;

describe.skipIf(!existsSync(ROOT))('the files of quotes', () => {
  it('have five measures a day of every US listing', async () => {
    const files = readdirSync(join(ROOT, 'prices/daily_json'));
    expect(files.length).toBe(22);
    for (const file of files) {
      const { observations, refused } = await read(`prices/daily_json/${file}`);
      expect.soft(observations.length, file).toBe((file === 'SNOW.json' ? 1455 : 1600) * 5);
      expect.soft(refused, file).toEqual([]);
      expect
        .soft(
          observations.filter(({ value }) => value === null),
          file,
        )
        .toEqual([]);
    }
  });

  it('have the close of Apple, adjusted for the split of August 2020, at four in the afternoon in New York', async () => {
    const { observations } = await read('prices/daily_json/AAPL.json');
    const found = observations.find((row) => row.seriesCode === 'AAPL.close' && row.period === '2020-04-09');
    expect(found).toMatchObject({ value: 66.9975, entityId: 'ticker:aapl', unit: 'usd', observedAt: '2020-04-09T20:00:00.000Z' });
    expect(valueOf(observations, 'AAPL.volume', '2020-04-09')).toBe(161834800);
  });

  it.each([
    ['market/brent-daily.csv', 9958, 0, 0],
    ['market/wti-daily.csv', 10226, 0, 0],
    ['market/gold-monthly.csv', 2322, 0, 0],
    ['market/fx-monthly.csv', 17237, 0, 0],
    // 22 of 34 columns hold rates; the others had given way to the euro, Sri Lanka's is empty.
    ['market/fx-daily-h10-1971-2017.csv', 22 * 12240, 51474, 0],
    // Where open or close lie outside low and high, of four prices the close is kept.
    ['market/vix-daily.csv', 9235 * 4 - 47 * 3, 0, 47],
    ['prices/GSPC_daily_2015_2026.csv', 2926 * 5, 1, 0],
    ['prices/futures_json/CL-F.json', 6527 * 5 - 7 * 3, 13, 7],
    ['prices/futures_json/GC-F.json', 6518 * 5 - 441 * 3, 419, 441],
  ])('have every row of %s', async (key, count, missing, refusedDays) => {
    const { observations, refused } = await read(key);
    expect(observations.length).toBe(count);
    expect(observations.filter(({ value }) => value === null).length).toBe(missing);
    expect(refused.length).toBe(refusedDays);
  });

  it('have currency per dollar in both files of exchange rates', async () => {
    const daily = await read('market/fx-daily-h10-1971-2017.csv');
    const monthly = await read('market/fx-monthly.csv');
    // 1.19 dollars for a euro, 1.35 for a pound.
    expect(valueOf(daily.observations, 'cur_eur.exchange_rate_h10', '2017-11-30')).toBe(0.8405);
    expect(valueOf(daily.observations, 'cur_gbp.exchange_rate_h10', '2017-11-30')).toBe(0.7404);
    expect(valueOf(daily.observations, 'cur_jpy.exchange_rate_h10', '2017-12-01')).toBe(111.88);
    expect(valueOf(monthly.observations, 'cur_aud.exchange_rate_monthly', '1971-01')).toBe(0.8944);
    expect(new Set([...daily.observations, ...monthly.observations].map(({ unit }) => unit))).toEqual(
      new Set(['national_currency_per_usd']),
    );
  });

  it('have the negative price of oil of 2020-04-20', async () => {
    const { observations } = await read('market/wti-daily.csv');
    const found = observations.find((row) => row.period === '2020-04-20');
    expect(found).toMatchObject({ value: -36.98, entityId: 'commodity_wti', isPseudo: true, observedAt: '2020-04-27T23:59:59.999Z' });
  });
});

describe.skipIf(!existsSync(ROOT))('the closes of Apple', () => {
  it('are as traded, and in the shares of the moment if adjusted', async () => {
    const pipeline = await openPipeline();
    try {
      const paths = ['prices/daily_json/AAPL.json', 'sec/submissions/CIK0000320193.json'];
      await pipeline.run(Object.fromEntries(paths.map((path) => [path, readFileSync(join(ROOT, path))])), RETRIEVED_AT);
      const reader = await pipeline.open();
      const valueAt = (canonicalId: string, day: string, asOf: string) =>
        reader.withConnection(async (connection) => {
          const result = await connection.runAndReadAll(
            `select value from published.vintages inner join published.series using (series_no)
            where canonical_id = $1 and period = $2 and observed_at <= $3::timestamptz and (known_to is null or known_to > $3::timestamptz)`,
            [canonicalId, day, asOf],
          );
          return result.getRows()[0]?.[0];
        });
      // Apple closed at 267.99 dollars on 2020-04-09; four for one on 2020-08-31.
      expect(await valueAt('price_close', '2020-04-09', '2020-04-30T23:59:59Z')).toBeCloseTo(267.99, 6);
      expect(await valueAt('price_close', '2020-04-09', '2026-01-01T00:00:00Z')).toBeCloseTo(267.99, 6);
      expect(await valueAt('volume', '2020-04-09', '2020-04-30T23:59:59Z')).toBe(161_834_800 / 4);
      expect(await valueAt('price_close_split_adjusted', '2020-04-09', '2020-08-30T23:59:59Z')).toBeCloseTo(267.99, 6);
      expect(await valueAt('price_close_split_adjusted', '2020-04-09', '2020-08-31T00:00:00Z')).toBeCloseTo(66.9975, 6);
    } finally {
      await pipeline.remove();
    }
  });
});
