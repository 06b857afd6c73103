// What is staged is compared in parts that fit the engine's memory: records of companies, text in many columns, sooner than observations.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStage } from '../../src/lake/append.ts';
import type { Lake } from '../../src/lake/lake.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';

let pipeline: Pipeline;
let lake: Lake;
beforeAll(async () => {
  pipeline = await openPipeline();
  lake = await pipeline.workspace.openLake();
});
afterAll(async () => {
  await lake.close();
  await pipeline.remove();
});

it('a record counts as many observations, and nothing once all is settled', async () => {
  const stage = await openStage(lake, 'sec');
  stage.open({ payloadId: 'pay_1', runId: 'run_1', key: 'sec/companyfacts/CIK0000000001.json', retrievedAt: '2026-01-05T00:00:00.000Z' });
  const observation = {
    seriesCode: 'A',
    frequency: 'monthly',
    period: '2026-01',
    periodStart: '2026-01-01',
    periodEnd: '2026-01-31',
  } as const;
  stage.observations([{ ...observation, value: 1, observedAt: '2026-02-01T00:00:00.000Z' }]);
  expect(stage.stagedSize()).toBe(1);
  stage.records('facts', [{ cik: '0000000001' }, { cik: '0000000002' }]);
  // 1.5 million are compared at a time: a hundred thousand facts, about 100 MB of text.
  expect(stage.stagedSize()).toBe(1 + 2 * 15);
  await stage.clear();
  expect(stage.stagedSize()).toBe(0);
});
