// Sources of many countries over nights: all there is, a night without news, one changed payload; and of how many countries a screen has a value.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriesOfIndicator } from '../../src/queries/observations.ts';
import { bis } from '../../src/sources/bis.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { fetchNight } from '../replay/nights.ts';
import { openReplay, type Replay } from '../replay/server.ts';

const fixture = (path: string) => readFileSync(join(import.meta.dirname, '../fixtures', path), 'utf8');

let replay: Replay;
let pipeline: Pipeline;
beforeAll(async () => {
  [replay, pipeline] = await Promise.all([openReplay(), openPipeline()]);
});
afterAll(async () => {
  await Promise.all([replay.close(), pipeline.remove()]);
});

const rowsOf = (source: string) =>
  pipeline.lake(`select indicator_id, period, value, observed_at from observations where source_id = '${source}' order by change_sequence`);

describe('the Bank for International Settlements', () => {
  const [rates, prices] = ['bis/policy-rates.raw.csv', 'bis/consumer-prices.raw.csv'].map(fixture) as [string, string];
  const serve = (served: string) => {
    replay.forget();
    replay.serve('stats.bis.org/api/v1/data/WS_CBPOL/M./all', () => ({ body: served, headers: { 'content-type': 'text/csv' } }));
    replay.serve('stats.bis.org/api/v1/data/WS_LONG_CPI/M..628/all', () => ({ body: prices, headers: { 'content-type': 'text/csv' } }));
  };

  it('is archived and read whole at first, each value known from then', async () => {
    serve(rates);
    expect((await fetchNight(pipeline, replay, [bis], '2031-05-02T08:00:00.000Z')).told).toEqual(['bis: done, 2/0/0/0']);
    const rows = await rowsOf('bis');
    // 43 areas of three months and 47 of two, without the group of countries; the value that is marked missing is none.
    expect(rows.length).toBe(43 * 3 + 47 * 2);
    expect(new Set(rows.map((row) => JSON.stringify(row['observed_at']))).size).toBe(1);
    expect(rows).toContainEqual(expect.objectContaining({ indicator_id: 'ea_hicp', period: '2031-03' }));
  });

  it('is asked on the next night whether anything changed, and writes nothing', async () => {
    serve(rates);
    const before = await rowsOf('bis');
    expect((await fetchNight(pipeline, replay, [bis], '2031-05-03T08:30:00.000Z')).told).toEqual(['bis: done, 0/2/0/0']);
    expect(replay.asked.map(({ headers }) => headers['if-none-match'] !== undefined)).toEqual([true, true]);
    expect(await rowsOf('bis')).toEqual(before);
  });

  it('adds exactly what a changed payload says otherwise', async () => {
    serve(rates.replace(/(M,SE,.*,2031-04,)[\d.]+/, (_, before) => `${before}8.75`));
    const before = await rowsOf('bis');
    expect((await fetchNight(pipeline, replay, [bis], '2031-05-04T09:00:00.000Z')).told).toEqual(['bis: done, 1/1/0/0']);
    const rows = await rowsOf('bis');
    expect(rows.slice(0, before.length)).toEqual(before);
    expect(rows.slice(before.length)).toEqual([
      expect.objectContaining({ indicator_id: 'se_central_bank_policy_rate', period: '2031-04', value: 8.75 }),
    ]);
  });
});

describe('a screen of countries', () => {
  it('has a value of at least so many of them', async () => {
    await pipeline.publish();
    const reader = await pipeline.open();
    const countries = (indicator: string) =>
      new Set(seriesOfIndicator(reader.catalogue, indicator).flatMap(({ entityId }) => (entityId === 'ea' ? [] : [entityId]))).size;
    // 43 areas have policy rates and 47 prices: the United States' are computed from the nation's own series, and the euro area is no country.
    expect(countries('policy_rate')).toBe(41);
    expect(countries('cpi_inflation_yoy')).toBe(45);
  });
});
