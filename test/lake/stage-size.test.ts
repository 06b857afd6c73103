// What is staged is compared in parts that fit the engine's memory: records of companies, text in many columns, sooner than observations.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dropStage, openStage } from '../../src/lake/append.ts';
import type { Lake } from '../../src/lake/lake.ts';
import { loadReference } from '../../src/lake/reference.ts';
import { submissions } from '../filings/edgar.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';

let pipeline: Pipeline;
let lake: Lake;
beforeAll(async () => {
  pipeline = await openPipeline();
  await pipeline.ingest(
    {
      'sec/company_tickers.json': JSON.stringify({ 0: { cik_str: 1, ticker: 'EXMP', title: 'Filer 1' } }),
      ...submissions(1, { sic: '3674', sicDescription: 'x', tickers: ['EXMP'] }, {}),
    },
    '2026-01-05T00:00:00.000Z',
  );
  lake = await pipeline.workspace.openLake();
  await loadReference(lake.connection, pipeline.workspace.referenceDir);
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
  await dropStage(lake.connection);
});

// DuckDB holds the old values of updated rows in memory and never moves them to disk: half a million quotes did not fit.
it('a quote counts for the company that its ticker names, and its staged row does not change', async () => {
  const stage = await openStage(lake, 'quotes');
  stage.open({ payloadId: 'pay_1', runId: 'run_1', key: 'prices/daily_json/EXMP.json', retrievedAt: '2026-01-06T00:00:00.000Z' });
  const close = { seriesCode: 'EXMP.close', canonicalId: 'price_close', entityId: 'ticker:exmp', frequency: 'daily', unit: 'usd' } as const;
  const day = { period: '2026-01-05', periodStart: '2026-01-05', periodEnd: '2026-01-05' };
  stage.observations([{ ...close, ...day, value: 10, observedAt: '2026-01-05T21:00:00.000Z' }]);
  await stage.settle({ ingestedAt: '2026-01-06T00:00:00.000Z', connectorVersion: 1 });
  const found = await lake.connection.runAndReadAll(
    'select (select entity_ref from staged.observations), (select indicator_id from staged.appended)',
  );
  expect(found.getRows()).toEqual([['ticker:exmp', 'company_0000000001_price_close']]);
});
