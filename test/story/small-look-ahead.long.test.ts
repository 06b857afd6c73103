// No look-ahead, small: growth of two price indices of which each month is revised by itself and now and then withdrawn, and forecasts of
// them, as of moments of their history against lakes that hold only what was known by then. The long suite draws from every derived set.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareWithLakeOfThen, forecastsAsOf } from './look-ahead/lake-of-then.ts';
import { priceIndex } from './look-ahead/lake.ts';
import { routesMissed } from './look-ahead/then-routes.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { type ListBody, type RunningService, startSampleService } from '../service.ts';

const DERIVED = ['cpi_inflation_yoy', 'core_pce_inflation_yoy'] as const;
const CUTOFFS = ['2023-05-20T12:00:00.000Z', '2025-03-01T00:00:00.000Z'] as const;

describe('rows derived from revised and withdrawn levels', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await openPipeline();
    await pipeline.run({ ...priceIndex('CPIAUCSL', 4), ...priceIndex('PCEPILFE', 3) }, '2026-06-18T08:00:00.000Z');
  });
  afterAll(() => pipeline.remove());

  it('equal as of a moment those in the lake of that moment', async () => {
    const { differences, rowsCompared } = await compareWithLakeOfThen(pipeline, DERIVED, CUTOFFS);
    expect(differences).toEqual([]);
    expect(rowsCompared).toBeGreaterThan(60);
  });

  it('include the forecasts made then', async () => {
    const { differences, rowsCompared } = await compareWithLakeOfThen(pipeline, ['cpi'], CUTOFFS.slice(1), forecastsAsOf);
    expect(differences).toEqual([]);
    expect(rowsCompared).toBeGreaterThan(10);
  });
});

describe('the comparison of routes with lakes of earlier times', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startSampleService();
  });
  afterAll(() => service.stop());

  it('asks every route of the served description, or skips it for a reason', async () => {
    expect(await routesMissed(service)).toEqual([]);
  });

  it('finds a name that ended later by its identifier, without a sign of its end', async () => {
    const named = async (path: string) =>
      ((await (await service.get(path)).json()) as ListBody).data.find((one) => one['alias'] === 'Turkey');
    const [now, then] = [await named('/entities/tr/aliases?limit=500'), await named('/entities/tr/aliases?limit=500&as_of=2019-03-15')];
    expect(now).toMatchObject({ scheme: 'former', validTo: '2022-05-31', isPrimary: false });
    expect(then).toMatchObject({ aliasId: now?.['aliasId'], scheme: null, validTo: null, isPrimary: true });
  });
});
