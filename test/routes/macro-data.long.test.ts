import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MacroRow } from '../../src/model/forecast.ts';
import { type ListBody, type RunningService, startSampleService } from '../service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startSampleService();
});
afterAll(() => service.stop());

const rows = async (query: string) => {
  const response = await service.get(`/platform/macro-data?${query}`);
  expect(response.status).toBe(200);
  return z.array(MacroRow).parse(((await response.json()) as ListBody).data);
};

describe('/platform/macro-data', () => {
  it('has the rows of /observations, with a forecast or with empty forecast fields', async () => {
    const macro = await rows('indicator_id=us_nonfarm_payrolls&start_date=2025-01-01');
    const plain = (await (await service.get('/observations?indicator_id=us_nonfarm_payrolls&start_date=2025-01-01')).json()) as ListBody;
    expect(macro.length).toBeGreaterThan(3);
    expect(macro.map((row) => row.observationId)).toEqual(plain.data.map((row) => row['observationId']));
    for (const row of macro) {
      const { forecast, forecastMethod, forecastLevel, forecastPeriod, forecastOrigin, forecastModelVersion, forecastTarget } = row;
      const beside = [forecastMethod, forecastLevel, forecastPeriod, forecastOrigin, forecastModelVersion, forecastTarget];
      expect(beside.map((one) => one === null)).toEqual(beside.map(() => forecast === null));
      expect(row.consensus).toBeNull();
    }
  });

  it('forecasts the revised value of the period after the newest one, with an 80 % interval', async () => {
    const [row] = await rows('indicator_id=us_nonfarm_payrolls&sort=period_end&order=desc&limit=1');
    expect(row).toMatchObject({ forecastLevel: 0.8, forecastTarget: 'revised' });
    expect(String(row?.forecastPeriod) > String(row?.period)).toBe(true);
    expect(String(row?.forecastOrigin) <= String(row?.observedAt)).toBe(true);
    const interval = [row?.forecastLower, row?.forecast, row?.forecastUpper].map(Number);
    expect(interval.toSorted((a, b) => a - b)).toEqual(interval);
    expect(interval.every((value) => value > 0)).toBe(true);
  });

  it('leaves out companies, contracts and market prices', async () => {
    expect((await rows('limit=500&sort=indicator_id')).filter((row) => row.instrumentId !== null)).toEqual([]);
    expect(await rows('entity=index_vix,commodity_gold')).toEqual([]);
  });

  it('applies the cutoff', async () => {
    const known = await rows('indicator_id=us_nonfarm_payrolls&as_of=2025-03-31');
    expect(known.filter((row) => (row.observedAt ?? '') > '2025-03-31T23:59:59.999Z')).toEqual([]);
  });
});
