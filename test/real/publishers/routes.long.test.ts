// A lake of all files that publishers sent or that others recorded, through HTTP: the values that were read by eye, since when each was known, and the countries.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sources } from '../../../src/sources/index.ts';
import { REAL_DATA } from '../../pipeline.ts';
import { type FixtureService, startFixtureService } from '../../routes/fixture-service.ts';

const PAYLOADS = join(REAL_DATA, '../payloads');
const RECORDED = join(REAL_DATA, '../recorded');
const RETRIEVED = '2026-11-20T10:00:00.000Z';

function filesOf(root: string): Record<string, Buffer> {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const owned = paths.filter((path) => sources.some((source) => source.owns(path)));
  return Object.fromEntries(owned.map((path) => [path, readFileSync(join(root, path))]));
}

describe.skipIf(!existsSync(PAYLOADS) || !existsSync(RECORDED))('a lake of files from publishers', () => {
  let service: FixtureService;
  beforeAll(async () => {
    const arrivals = [RECORDED, PAYLOADS].map((root) => ({ files: filesOf(root), at: RETRIEVED }));
    service = await startFixtureService(arrivals, '2026-11-21T00:00:00.000Z');
  }, 1_800_000);
  afterAll(() => service.stop());

  const valuesOf = async (query: string) => {
    const { data } = await service.list(`/observations?${query}&limit=500`);
    return (data as readonly Record<string, unknown>[]).map((row) => [row['actual'], row['observedAt']]);
  };

  // 23:00 and 11:00 in Luxembourg in summer; the update of a database; a policy rate at the end of its month.
  const [LABOUR, PRICES, DATABASE] = ['2025-06-06T21:00:00.000Z', '2025-06-03T09:00:00.000Z', '2026-04-08T23:59:59.999Z'];
  it.each([
    ['gb_central_bank_policy_rate', 'bis', '2008-10', 4.5, '2008-10-31T23:59:59.999Z'],
    ['gb_central_bank_policy_rate', 'bis', '2022-02', 0.5, '2022-02-28T23:59:59.999Z'],
    ['gb_central_bank_policy_rate', 'bis', '2022-03', 0.75, '2022-03-31T22:59:59.999Z'],
    ['tr_central_bank_policy_rate', 'bis', '2021-06', 19, '2021-06-30T20:59:59.999Z'],
    ['tr_central_bank_policy_rate', 'bis', '2021-12', 14, '2021-12-31T20:59:59.999Z'],
    ['ea_central_bank_policy_rate', 'bis', '2008-10', 3.75, '2008-10-31T22:59:59.999Z'],
    ['de_unemployment_rate', 'eurostat', '2025-04', 3.6, LABOUR],
    ['jp_unemployment_rate', 'eurostat', '2025-04', 2.5, LABOUR],
    ['tr_unemployment_rate', 'eurostat', '2025-03', 7.9, LABOUR],
    // An earlier download, in a folder named 2025-01, has it already.
    ['at_unemployment_rate', 'eurostat', '2019-01', 4.9, '2025-01-31T23:59:59.999Z'],
    ['de_hicp_inflation_yoy', 'eurostat', '2025-05', 2.1, PRICES],
    ['tr_hicp_inflation_yoy', 'eurostat', '2025-04', 37.9, PRICES],
    ['de_cpi_inflation_annual', 'world_bank', '2024', 2.2564981433876, DATABASE],
    ['tr_cpi_inflation_annual', 'world_bank', '2022', 72.3088359891207, DATABASE],
    ['de_projection_gdp_growth', 'imf_weo', '2009', -5.297, '2009-10-31T23:59:59.999Z'],
    ['jp_gdp_growth_annual', 'imf_weo', '2008', -0.705, '2009-10-31T23:59:59.999Z'],
    ['br_cpi_inflation_annual', 'imf_weo', '2008', 5.672, '2009-10-31T23:59:59.999Z'],
    ['us_gdp_real', 'philadelphia_rtdsm', '2020-Q2', 17205.8, '2020-09-30T23:59:59.999Z'],
    ['us_gdp_real', 'philadelphia_rtdsm', '2020-Q2', 17378.7, '2022-12-31T23:59:59.999Z'],
    ['us_gdp_real', 'philadelphia_rtdsm', '2020-Q2', 19034.8, '2023-12-31T23:59:59.999Z'],
    ['us_survey_gdp_growth_this_quarter', 'philadelphia_spf', '2020-Q2', -32.2208, '2020-06-30T23:59:59.999Z'],
    ['us_survey_gdp_growth_next_quarter', 'philadelphia_spf', '2020-Q2', 10.6335, '2020-06-30T23:59:59.999Z'],
    ['us_survey_unemployment_rate_this_quarter', 'philadelphia_spf', '2020-Q2', 16.119, '2020-06-30T23:59:59.999Z'],
    ['us_projection_gdp_growth_quarterly', 'ny_fed_nowcast', '2020-Q2', 1.3, '2020-03-06T23:59:59.999Z'],
    ['us_projection_gdp_growth_quarterly', 'ny_fed_nowcast', '2020-Q2', -31.22, '2020-05-08T23:59:59.999Z'],
    ['de_projection_gdp_growth', 'ec_forecasts', '2024', -0.1, '2024-11-15T23:59:59.999Z'],
  ])('has for %s of %s in %s the value %f, known at %s', async (indicator, source, period, value, observedAt) => {
    expect(await valuesOf(`indicator_id=${indicator}&source_id=${source}&period=${period}&vintage=all`)).toContainEqual([
      value,
      observedAt,
    ]);
  });

  it('has inflation of 60 countries, unemployment of 35 and growth of 25', async () => {
    const byFactor = new Map<string, Set<string>>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, meta } = await service.list(`/countries/available-indicators?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
      for (const row of data as readonly { countryId: string; indicators: readonly { factorKey: string }[] }[])
        for (const { factorKey } of row.indicators) byFactor.set(factorKey, (byFactor.get(factorKey) ?? new Set()).add(row.countryId));
      cursor = meta.pagination.next_cursor;
    }
    const countries = (...factors: readonly string[]) =>
      new Set(
        factors.flatMap((factor) => [...(byFactor.get(factor) ?? [])]).filter((id) => /^[A-Za-z]{2}$/.test(id) && !/^(ea|eu)$/i.test(id)),
      ).size;
    const found = {
      inflation: countries('cpi_inflation_yoy', 'cpi_inflation_yoy_published', 'hicp_inflation_yoy'),
      unemployment: countries('unemployment_rate'),
      growth: countries('gdp_growth', 'gdp_growth_qoq', 'gdp_growth_qoq_published', 'gdp_growth_yoy', 'gdp_growth_yoy_published'),
    };
    expect(found.inflation).toBeGreaterThanOrEqual(60);
    expect(found.unemployment).toBeGreaterThanOrEqual(35);
    expect(found.growth).toBeGreaterThanOrEqual(25);
  });

  it('refuses no row if an older download is read after a newer one', async () => {
    const { data } = await service.list('/quarantine?rule=period_regression&limit=500');
    expect(data.map((row) => [row['sourceId'], row['indicatorId'], row['period']])).toEqual([]);
  });
});
