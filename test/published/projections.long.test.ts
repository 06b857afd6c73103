// Projections of institutions through HTTP: a round is a vintage, a period may lie ahead, and nothing projected passes for an actual value.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureService, startFixtureService } from '../routes/fixture-service.ts';

const ROUNDS = {
  'european-commission/forecasts/20240515_NGDP_RPCH.csv': '"Category","2024","2025"\n"Austria",1.5,2\n',
  'european-commission/forecasts/20241115_NGDP_RPCH.csv': '"Category","2024","2025"\n"Austria",1.5,2.5\n',
  // The dot plot of September 2024 lowered the rate at the end of 2024 and left that of 2026.
  'alfred-realtime/FEDTARMD.csv': [
    'date,realtime_start,realtime_end,FEDTARMD',
    '2024-01-01,2024-06-12,2024-09-17,5.1',
    '2024-01-01,2024-09-18,9999-12-31,4.4',
    '2025-01-01,2024-06-12,2024-09-17,4.1',
    '2025-01-01,2024-09-18,9999-12-31,3.4',
    '2026-01-01,2024-06-12,9999-12-31,3.1',
    '',
  ].join('\n'),
  'imf/weo/2024-10.NGDP_RPCH.xls': [
    'Country\tSubject Descriptor\tUnits\tScale\t2023\t2024\tEstimates Start After',
    'Austria\tGross domestic product, constant prices\tPercent change\t\t1.25\t-0.75\t2023',
    '',
    'International Monetary Fund, World Economic Outlook Database, October 2024',
  ].join('\n'),
};

describe('a projection', () => {
  let service: FixtureService;
  beforeAll(async () => {
    service = await startFixtureService([{ files: ROUNDS, at: '2024-12-01T00:00:00.000Z' }], '2024-12-02T00:00:00.000Z');
  });
  afterAll(() => service.stop());

  const itemOf = async (path: string) => {
    const { data }: { readonly data: unknown } = await service.list(path);
    return data as Record<string, unknown>;
  };
  const told = async (query: string) => {
    const { data } = await service.list(`/observations?indicator_id=at_projection_gdp_growth&source_id=ec_forecasts&${query}`);
    return (data as readonly Record<string, unknown>[]).map((row) => [row['period'], row['actual'], row['observedAt']]);
  };

  it('has a vintage for each round, even with the same value', async () => {
    expect(await told('vintage=all')).toEqual([
      ['2024', 1.5, '2024-05-15T23:59:59.999Z'],
      ['2024', 1.5, '2024-11-15T23:59:59.999Z'],
      ['2025', 2, '2024-05-15T23:59:59.999Z'],
      ['2025', 2.5, '2024-11-15T23:59:59.999Z'],
    ]);
  });

  it('is that of the newest round known at the cutoff', async () => {
    expect(await told('as_of=2024-05-14')).toEqual([]);
    expect(await told('as_of=2024-11-14&period=2025')).toEqual([['2025', 2, '2024-05-15T23:59:59.999Z']]);
    expect(await told('as_of=2024-11-15&period=2025')).toEqual([['2025', 2.5, '2024-11-15T23:59:59.999Z']]);
  });

  it('has no first print, is never eligible or preferred, and is fresh while its newest round is', async () => {
    expect(await told('vintage=first')).toEqual([]);
    expect(await told('release_number=1')).toEqual([]);
    const { data } = await service.list('/observations?indicator_id=at_projection_gdp_growth');
    const rows = data as readonly Record<string, unknown>[];
    expect(rows).toHaveLength(3);
    for (const row of rows) {
      expect(row['scoringEligible']).toBe(false);
      expect(row['preferredForFactor']).toBe(false);
      expect(row['freshnessStatus']).toBe('fresh');
      expect(row['consensus']).toBeNull();
    }
    const reasons = await itemOf(`/provenance/observations/${String(rows[0]?.['observationId'])}`);
    expect((reasons['scoring'] as { readonly reasons: readonly string[] }).reasons).toContain('projection');
  });

  it('is in another series than the actual values of the same edition', async () => {
    const { data } = await service.list('/observations?source_id=imf_weo&vintage=all&sort=indicator_id');
    expect((data as readonly Record<string, unknown>[]).map((row) => [row['indicatorId'], row['period'], row['actual']])).toEqual([
      ['at_gdp_growth_annual', '2023', 1.25],
      ['at_projection_gdp_growth', '2024', -0.75],
    ]);
  });

  it('of the Committee belongs to its round, for future years', async () => {
    const rate = async (asOf: string) => {
      const { data } = await service.list(`/observations?indicator_id=us_projection_policy_rate&as_of=${asOf}`);
      return (data as readonly Record<string, unknown>[]).map((row) => [row['period'], row['actual'], row['scoringEligible']]);
    };
    expect(await rate('2024-06-12')).toEqual([
      ['2024', 5.1, false],
      ['2025', 4.1, false],
      ['2026', 3.1, false],
    ]);
    expect(await rate('2024-09-18')).toEqual([
      ['2024', 4.4, false],
      ['2025', 3.4, false],
      ['2026', 3.1, false],
    ]);
    expect(await rate('2024-06-11')).toEqual([]);
  });

  it('does not extend the coverage of a country', async () => {
    const country = await itemOf('/countries/at');
    expect(country['latestPeriodEnd']).toBe('2023-12-31');
  });
});
