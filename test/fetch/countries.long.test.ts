// Sources of many countries over nights: all there is, a night without news, one changed payload; and of how many countries a screen has a value.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriesOfIndicator } from '../../src/queries/series-asked.ts';
import { bis } from '../../src/sources/bis/source.ts';
import { eurostat } from '../../src/sources/eurostat/source.ts';
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

  it('is first archived and read in full: prices known from then, rates from the end of their month', async () => {
    serve(rates);
    expect((await fetchNight(pipeline, replay, [bis], '2031-05-02T08:00:00.000Z')).told).toEqual(['bis: done, 2/0/0/0']);
    const rows = await rowsOf('bis');
    // 43 areas of three months and 47 of two, without the group of countries; the value that is marked missing is none.
    expect(rows.length).toBe(43 * 3 + 47 * 2);
    const isRate = (row: (typeof rows)[number]) => String(row['indicator_id']).endsWith('_central_bank_policy_rate');
    const known = (of: typeof rows) => new Set(of.map((row) => new Date(String(row['observed_at'])).toISOString()));
    expect(known(rows.filter((row) => !isRate(row)))).toEqual(new Set(['2031-05-02T08:00:00.000Z']));
    const [stockholm, tokyo] = ['se', 'jp'].map((area) => rows.filter((row) => row['indicator_id'] === `${area}_central_bank_policy_rate`));
    // Midnight of summer time in Sweden, of Japan all year.
    expect(known((stockholm ?? []).filter((row) => row['period'] === '2031-04'))).toEqual(new Set(['2031-04-30T21:59:59.999Z']));
    expect(known((tokyo ?? []).filter((row) => row['period'] === '2031-03'))).toEqual(new Set(['2031-03-31T14:59:59.999Z']));
    expect(rows).toContainEqual(expect.objectContaining({ indicator_id: 'ea_hicp', period: '2031-03' }));
  });

  it('is asked the next night for changes, and writes nothing', async () => {
    serve(rates);
    const before = await rowsOf('bis');
    expect((await fetchNight(pipeline, replay, [bis], '2031-05-03T08:30:00.000Z')).told).toEqual(['bis: done, 0/2/0/0']);
    expect(replay.asked.map(({ headers }) => headers['if-none-match'] !== undefined)).toEqual([true, true]);
    expect(await rowsOf('bis')).toEqual(before);
  });

  it('adds exactly the differences of a changed payload', async () => {
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

describe('Eurostat', () => {
  const files = {
    une_rt_m: ['unemployment', 'M.SA.TOTAL.PC_ACT.T.'],
    namq_10_gdp: ['gdp', 'Q.CLV20_MEUR.SCA.B1GQ.'],
    sts_inpr_m: ['industrial-production', 'M.PRD.B-D.SCA.I21.'],
    ei_bssi_m_r2: ['industrial-confidence', 'M.BS-ICI-BAL.SA.'],
    ei_bsco_m: ['consumer-confidence', 'M.BS-CSMCI.SA.BAL.'],
    prc_hicp_minr: ['hicp', 'M.RCH_A+I25.TOTAL.'],
    prc_hicp_fpd: ['first-prints', 'M.RCH_A.TOTAL.FLS+FIN.'],
  };
  const serve = (change: (text: string) => string = (text) => text) => {
    replay.forget();
    for (const [name, [file, key]] of Object.entries(files)) {
      const text = fixture(`eurostat/${file}.raw.csv`);
      const body = name === 'une_rt_m' ? change(text) : text;
      replay.serve(`ec.europa.eu/eurostat/api/dissemination/sdmx/2.1/data/${name}/${key}`, () => ({
        body,
        headers: { 'content-type': 'text/csv' },
      }));
    }
  };

  it('is first read in full, each value known from the update', async () => {
    serve();
    expect((await fetchNight(pipeline, replay, [eurostat], '2031-05-04T12:00:00.000Z')).told).toEqual(['eurostat: done, 7/0/0/0']);
    const rows = await rowsOf('eurostat');
    const months = (indicator: string) => rows.filter((row) => String(row['indicator_id']).endsWith(`_${indicator}`)).length;
    // Countries by months or quarters, each with the euro area and the Union but where the fixture has none; what is marked missing at first is none.
    expect(
      [
        'unemployment_rate',
        'gdp_real_eur',
        'industrial_production',
        'business_confidence',
        'consumer_confidence',
        'hicp_inflation_yoy',
        'hicp',
        'hicp_inflation_yoy_flash',
        'hicp_inflation_yoy_first',
      ].map(months),
    ).toEqual([33 * 2, 33 * 3, 36 * 3, 34 * 2, 33 * 2, 30 * 2 + 1, 30 * 2 + 1, 4 * 2, 5]);
    expect(new Set(rows.map((row) => row['observed_at'])).size).toBe(1);
  });

  it('is asked the next night for changes, and writes nothing', async () => {
    serve();
    const before = await rowsOf('eurostat');
    expect((await fetchNight(pipeline, replay, [eurostat], '2031-05-05T12:30:00.000Z')).told).toEqual(['eurostat: done, 0/7/0/0']);
    expect(replay.asked.map(({ headers }) => headers['if-none-match'] !== undefined)).toEqual(Array(7).fill(true));
    expect(await rowsOf('eurostat')).toEqual(before);
  });

  it('adds exactly the differences of a later update, known from that update', async () => {
    serve((text) =>
      text.replaceAll('30/04/31 11:00:00', '06/05/31 11:00:00').replace(/(,SE,2031-03,)[\d.]+/, (_, before) => `${before}19.5`),
    );
    const before = await rowsOf('eurostat');
    expect((await fetchNight(pipeline, replay, [eurostat], '2031-05-07T09:30:00.000Z')).told).toEqual(['eurostat: done, 1/6/0/0']);
    const added = (await rowsOf('eurostat')).slice(before.length);
    expect(added.map((row) => [row['indicator_id'], row['period'], row['value'], String(row['observed_at']).slice(0, 13)])).toEqual([
      ['se_unemployment_rate', '2031-03', 19.5, '2031-05-06T09'],
    ]);
  });

  it('has nothing archived if it answers that the data come later', async () => {
    serve(() => fixture('eurostat/later.raw.csv'));
    const before = await rowsOf('eurostat');
    expect((await fetchNight(pipeline, replay, [eurostat], '2031-05-08T09:30:00.000Z')).told).toEqual(['eurostat: failed, 0/6/0/1']);
    expect(await rowsOf('eurostat')).toEqual(before);
  });
});

describe('a screen of countries', () => {
  it('has values for at least the expected number of countries', async () => {
    await pipeline.publish();
    const reader = await pipeline.open();
    const countries = (indicator: string) =>
      new Set(
        seriesOfIndicator(reader.catalogue, indicator).flatMap(({ entityId }) =>
          entityId === 'ea' || entityId === 'eu' ? [] : [entityId],
        ),
      ).size;
    // 43 areas have policy rates and 47 prices: the United States' are computed from the nation's own series; the euro area and the Union are no countries.
    expect(countries('policy_rate')).toBe(41);
    expect(countries('cpi_inflation_yoy')).toBe(45);
    expect(countries('unemployment_rate')).toBe(31);
    // With Kosovo.
    expect(countries('gdp_growth')).toBe(32);
    // 27 members, and of their neighbours Albania, Bosnia, Montenegro, North Macedonia, Norway, Serbia, Switzerland and Turkey, as each data set has them.
    expect(countries('industrial_production')).toBe(34);
    expect(countries('industrial_production_yoy')).toBe(34);
    expect(countries('business_confidence')).toBe(32);
    expect(countries('consumer_confidence')).toBe(31);
  });
});
