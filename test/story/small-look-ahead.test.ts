// No look-ahead, small: growth of two price indices of which each month is revised by itself and now and then withdrawn, and forecasts of
// them, as of moments of their history against lakes that hold only what was known by then. The long suite draws from every derived set.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareWithLakeOfThen, forecastsAsOf } from './lake-of-then.ts';
import { priceIndex } from './look-ahead-lake.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';

const DERIVED = ['cpi_inflation_yoy', 'core_pce_inflation_yoy'] as const;
const CUTOFFS = ['2023-05-20T12:00:00.000Z', '2025-03-01T00:00:00.000Z'] as const;

describe('what is derived from revised and withdrawn levels', () => {
  let pipeline: Pipeline;
  beforeAll(async () => {
    pipeline = await openPipeline();
    await pipeline.run({ ...priceIndex('CPIAUCSL', 4), ...priceIndex('PCEPILFE', 3) }, '2026-06-18T08:00:00.000Z');
  });
  afterAll(() => pipeline.remove());

  it('is, as of a moment, what the lake of that moment says', async () => {
    const { differences, rowsCompared } = await compareWithLakeOfThen(pipeline, DERIVED, CUTOFFS);
    expect(differences).toEqual([]);
    expect(rowsCompared).toBeGreaterThan(60);
  });

  it('forecasts what was forecast then', async () => {
    const { differences, rowsCompared } = await compareWithLakeOfThen(pipeline, ['cpi'], CUTOFFS.slice(1), forecastsAsOf);
    expect(differences).toEqual([]);
    expect(rowsCompared).toBeGreaterThan(10);
  });
});
