// Rounds of projections and archives of vintages as their publishers sent them, through HTTP.
// Expected values were read by eye from the files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REAL_DATA } from '../../pipeline.ts';
import { type FixtureService, startFixtureService } from '../../routes/fixture-service.ts';

const PAYLOADS = join(REAL_DATA, '../payloads');
const FOLDERS = ['imf/weo', 'european-commission/forecasts', 'ny-fed/nowcast', 'philadelphia-fed/greenbook', 'seco'];
const VARIABLES = [
  'ROUTPUTQvQd',
  'PQvQd',
  'RCONQvQd',
  'rucQvMd',
  'cpiQvMd',
  'pcpixMvMd',
  'hstartsMvMd',
  'pppiMvMd',
  'lfpartMvMd',
  'PCONXQvQd',
];

describe.skipIf(!existsSync(join(PAYLOADS, 'imf/weo')))('rounds of projections as published', () => {
  let service: FixtureService;
  beforeAll(async () => {
    const names = [
      ...FOLDERS.flatMap((folder) => readdirSync(join(PAYLOADS, folder)).map((name) => `${folder}/${name}`)),
      ...VARIABLES.map((name) => `philadelphia-fed/rtdsm/${name}.xlsx`),
    ];
    const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(PAYLOADS, name))]));
    service = await startFixtureService([{ files, at: '2026-11-01T00:00:00.000Z' }], '2026-11-02T00:00:00.000Z');
  }, 300_000);
  afterAll(() => service.stop());

  const firstOf = async (query: string) => {
    const { data } = await service.list(`/observations?${query}`);
    const [row] = data as readonly Record<string, unknown>[];
    return [row?.['actual'], row?.['observedAt']];
  };

  it.each([
    ['indicator_id=de_projection_gdp_growth&source_id=imf_weo&period=2009', '2009-10-31', -5.297, '2009-10-31T23:59:59.999Z'],
    ['indicator_id=jp_gdp_growth_annual&source_id=imf_weo&period=2008', '2009-10-31', -0.705, '2009-10-31T23:59:59.999Z'],
    ['indicator_id=br_cpi_inflation_annual&source_id=imf_weo&period=2008', '2009-10-31', 5.672, '2009-10-31T23:59:59.999Z'],
    ['indicator_id=de_projection_gdp_growth&source_id=ec_forecasts&period=2024', '2024-11-15', -0.1, '2024-11-15T23:59:59.999Z'],
  ])('%s is known at %s', async (query, asOf, value, observedAt) => {
    expect(await firstOf(`${query}&as_of=${asOf}`)).toEqual([value, observedAt]);
  });

  // Edition and quarter without a day: known from their end. The day of a vintage of Switzerland is that of its publication.
  it.each([
    ['us_gdp_real&source_id=philadelphia_rtdsm', '2020-Q2', '2020-09-30', 17205.8],
    ['us_gdp_real&source_id=philadelphia_rtdsm', '2020-Q2', '2022-12-31', 17378.7],
    ['us_gdp_real&source_id=philadelphia_rtdsm', '2020-Q2', '2024-03-31', 19034.8],
    ['us_unemployment_rate&source_id=philadelphia_rtdsm', '2020-04', '2020-09-30', 14.7],
    ['us_unemployment_rate&source_id=philadelphia_rtdsm', '2020-04', '2021-03-31', 14.8],
    ['ch_gdp_real_millions', '2008-Q4', '2009-03-03', 121796.938],
    ['ch_gdp_real_millions', '2008-Q4', '2009-06-02', 121431.899],
    ['ch_gdp_real_millions', '2020-Q2', '2020-09-28', 166995.289],
    ['ch_real_private_consumption_millions', '2020-Q2', '2020-09-28', 82223.349],
    ['ch_real_private_consumption_millions', '2020-Q2', '2020-12-01', 82189.102],
    ['ch_real_exports_without_valuables_millions', '2008-Q4', '2009-03-03', 63313.424],
    ['ch_gdp_real_event_adjusted_millions', '2021-Q1', '2021-06-01', 179853.1],
    ['ch_gdp_price_index', '2008-Q4', '2009-06-02', 109.447],
    ['ch_cpi_nsa_quarterly', '2020-Q2', '2020-09-30', 101.337],
    ['ch_employment_full_time_equivalent', '2020-Q1', '2020-06-11', 3982282.357],
    ['ch_registered_unemployment_rate', '2020-Q2', '2020-09-30', 3.324],
    ['ch_registered_unemployment_rate', '2020-Q2', '2020-12-09', 3.084],
    // A vintage without a day: known from the end of its quarter.
    ['ch_registered_unemployed_nsa', '2009-Q1', '2009-06-30', 131848.333],
    ['us_projection_gdp_growth_quarterly&source_id=ny_fed_nowcast', '2020-Q2', '2020-03-06', 1.3],
    ['us_projection_gdp_growth_quarterly&source_id=ny_fed_nowcast', '2020-Q2', '2020-05-08', -31.22],
    // The round of 7 December 2016, open to the public since six years later.
    ['us_projection_gdp_growth_quarterly&source_id=fed_staff', '2016-Q4', '2022-12-07', 1.6],
  ])('have %s in %s as of the end of %s as %f', async (indicator, period, day, value) => {
    const [actual, observedAt] = await firstOf(`indicator_id=${indicator}&period=${period}&as_of=${day}`);
    expect([Number(Number(actual).toFixed(3)), String(observedAt) <= `${day}T23:59:59.999Z`]).toEqual([value, true]);
  });

  it('have for a quarter the value of its first vintage first', async () => {
    const asked = 'indicator_id=us_gdp_real&source_id=philadelphia_rtdsm&period=2020-Q2&release_number=1';
    expect(await firstOf(asked)).toEqual([17205.8, '2020-09-30T23:59:59.999Z']);
    expect(await firstOf('indicator_id=ch_gdp_real_millions&period=2009-Q1&release_number=1')).toEqual([
      expect.any(Number),
      '2009-06-02T23:59:59.999Z',
    ]);
    expect(await firstOf('indicator_id=us_projection_gdp_growth_quarterly&source_id=fed_staff&period=2016-Q4&as_of=2016-12-31')).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('are never eligible for future years, and quarantine has none of them', async () => {
    const { data } = await service.list('/observations?indicator_id=projection_gdp_growth_quarterly&limit=500&vintage=all');
    expect(data.length).toBeGreaterThan(400);
    expect(data.filter((row) => row['scoringEligible'] === true || row['consensus'] !== null)).toEqual([]);
    for (const source of ['ny_fed_nowcast', 'fed_staff', 'philadelphia_rtdsm', 'seco']) {
      const held = await service.list(`/quarantine?source_id=${source}&limit=5`);
      expect([source, held.data.map((row) => [row['rule'], row['indicatorId'], row['period'], row['reason']])]).toEqual([source, []]);
    }
  });

  it('have no actual value for a year that the edition estimates', async () => {
    expect(await firstOf('indicator_id=de_gdp_growth_annual&source_id=imf_weo&period=2009&as_of=2009-12-31')).toEqual([
      undefined,
      undefined,
    ]);
  });
});
