// Editions of the World Economic Outlook and rounds of the European Commission as their publishers sent them, through HTTP.
// Expected values were read by eye from the files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REAL_DATA } from '../../pipeline.ts';
import { type FixtureService, startFixtureService } from '../../routes/fixture-service.ts';

const PAYLOADS = join(REAL_DATA, '../payloads');
const FOLDERS = ['imf/weo', 'european-commission/forecasts'];

describe.skipIf(!existsSync(join(PAYLOADS, 'imf/weo')))('rounds as they were sent', () => {
  let service: FixtureService;
  beforeAll(async () => {
    const names = FOLDERS.flatMap((folder) => readdirSync(join(PAYLOADS, folder)).map((name) => `${folder}/${name}`));
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

  it('have no actual value of a year that the edition estimates', async () => {
    expect(await firstOf('indicator_id=de_gdp_growth_annual&source_id=imf_weo&period=2009&as_of=2009-12-31')).toEqual([
      undefined,
      undefined,
    ]);
  });
});
