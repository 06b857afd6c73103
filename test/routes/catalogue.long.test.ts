import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Coverage, CountryAvailability } from '../../src/model/availability.ts';
import { Country } from '../../src/model/entity.ts';
import { Indicator, IndicatorEntity, IndicatorSeries } from '../../src/model/series.ts';
import { fredMdFile } from '../pipeline.ts';
import type { ErrorBody } from '../service.ts';
import { type FixtureService, startFixtureService } from './fixture-service.ts';

// Two first prints seen when they were new: March, revised by 2 in the end, and April, not. What is older came from the archive; VIXCLSx may
// not be redistributed.
const ARCHIVED = { '2023-10': 90, '2023-11': 91, '2023-12': 92 };
const APRIL = fredMdFile('2024-04', { PAYEMS: { ...ARCHIVED, '2024-01': 93, '2024-02': 94, '2024-03': 100 }, VIXCLSx: { '2024-03': 13 } });
const MAY = fredMdFile('2024-05', { PAYEMS: { ...ARCHIVED, '2024-01': 93, '2024-02': 94, '2024-03': 103, '2024-04': 110 } });
const JUNE = fredMdFile('2024-06', {
  PAYEMS: { ...ARCHIVED, '2023-10': 88, '2024-01': 93, '2024-02': 94, '2024-03': 102, '2024-04': 110, '2024-05': null },
});

let service: FixtureService;
beforeAll(async () => {
  const at = '2024-07-01T08:00:00.000Z';
  service = await startFixtureService([{ files: { ...APRIL, ...MAY, ...JUNE }, at }], '2024-07-02T08:00:00.000Z');
});
afterAll(() => service.stop());

const item = async (path: string) => ((await (await service.get(path)).json()) as { data: unknown }).data;
const refused = async (path: string) => {
  const response = await service.get(path);
  return { status: response.status, ...((await response.json()) as ErrorBody).error };
};

describe('/countries', () => {
  it.each(['us', 'USA', 'uNiTeD-sTaTeS', 'united%20states'])('finds the United States as %s', async (name) => {
    expect(Country.parse(await item(`/countries/${name}`))).toMatchObject({ countryId: 'US', iso3: 'USA', isCurrencyArea: false });
  });

  it.each(['ea', 'EMU', 'euro-area', 'Euro%20area'])('finds the euro area, a currency area without a number, as %s', async (name) => {
    expect(Country.parse(await item(`/countries/${name}`))).toMatchObject({
      countryId: 'EA',
      entityId: 'ea',
      isoNumeric: null,
      isCurrencyArea: true,
      centralBankEntityId: 'cb_ecb',
    });
  });

  it('lists the euro area among the countries', async () => {
    const { data } = await service.list('/countries?limit=500');
    const all = z.array(Country).parse(data);
    expect(all.filter((country) => country.isCurrencyArea).map((country) => country.iso2)).toEqual(['EA']);
    expect(all.length).toBeGreaterThan(200);
  });

  it('answers not_found for anything that is not a country', async () => {
    expect(await refused('/countries/atlantis')).toMatchObject({
      status: 404,
      code: 'not_found',
      message: 'There is no country atlantis.',
    });
  });
});

describe('/countries/available-indicators', () => {
  it('is not taken for a country, and lists the series of each country with data', async () => {
    const { data } = await service.list('/countries/available-indicators');
    const [us, ...rest] = z.array(CountryAvailability).parse(data);
    expect(rest).toEqual([]);
    expect(us).toMatchObject({ countryId: 'US', name: 'United States' });
    expect(us?.indicators.find((one) => one.canonicalIndicatorId === 'nonfarm_payrolls')).toMatchObject({
      indicatorId: 'us_nonfarm_payrolls',
      sourceId: 'fred_md',
      firstPeriodEnd: '2023-10-31',
      latestPeriodEnd: '2024-04-30',
      freshnessStatus: 'fresh',
      collectionStatus: null,
    });
    expect(us?.indicatorCount).toBe(us?.indicators.length);
  });

  it('is empty for a country without data and for an unknown country', async () => {
    expect((await service.list('/countries/available-indicators?country=FR')).data).toEqual([]);
    expect((await service.list('/countries/available-indicators?country=atlantis')).data).toEqual([]);
  });
});

describe('/indicators', () => {
  it('lists the storage series, by the filters of observations, category and text', async () => {
    const [series, ...rest] = z.array(Indicator).parse((await service.list('/indicators?q=PAYROLL&category=labour&country=USA')).data);
    expect(rest.map((one) => one.indicatorId)).toEqual(['us_payrolls_mom_change']);
    expect(series).toMatchObject({ indicatorId: 'us_nonfarm_payrolls', observationCount: 7, sourceTier: 'official_national' });
    expect((await service.list('/indicators?indicator=nothing_of_the_kind')).data).toEqual([]);
  });

  it('sums revisions over first prints that were seen when they were new', async () => {
    const [series] = z.array(IndicatorSeries).parse((await service.list('/indicators/series?indicator_id=us_nonfarm_payrolls')).data);
    expect(series).toMatchObject({ meanAbsRevision: 1, revisedShare: 0.5, medianReleaseLagDays: 30.5 });
  });

  it('lists the entities of an indicator, which must be named and known', async () => {
    const [entity, ...rest] = z
      .array(IndicatorEntity)
      .parse((await service.list('/indicators/entities?indicator_id=nonfarm_payrolls')).data);
    expect(rest).toEqual([]);
    expect(entity).toMatchObject({ entityId: 'us', entityType: 'country', indicatorIds: ['us_nonfarm_payrolls'], sourceIds: ['fred_md'] });
    expect((await service.list('/indicators/entities?indicator_id=housing_starts')).data).toEqual([]);
    expect(await refused('/indicators/entities')).toMatchObject({ status: 400, details: { parameter: 'indicator_id' } });
    expect(await refused('/indicators/entities?indicator_id=nope')).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('/public/coverage', () => {
  it('counts redistributable data, under both addresses', async () => {
    const coverage = Coverage.parse(await item('/public/coverage'));
    expect(coverage).toEqual(await item('/coverage'));
    expect(coverage.totals).toMatchObject({ countries: 1, indicators: 2, series: 2, observations: 13, sources: 1 });
    expect(coverage.categories).toEqual([{ category: 'labour', indicatorCount: 2, observationCount: 13 }]);
    expect(coverage.countries).toEqual([
      { iso2: 'US', name: 'United States', indicatorCount: 2, observationCount: 13, latestPeriodEnd: '2024-04-30' },
    ]);
  });
});
