import { afterAll, beforeAll, expect, it } from 'vitest';
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

it('a lake at rest gives the memory of finished statements back, and reads on within the same limit', async () => {
  const { connection } = lake;
  const ask = async (sql: string) => (await connection.runAndReadAll(sql)).getRows()[0]?.map(String);
  const megabytes = () => process.memoryUsage.rss() / 1_000_000;
  const limit = await ask(`select current_setting('memory_limit')`);
  await connection.run('create or replace table numbers as select range as one, hash(range) as other from range(8000000)');
  await connection.run('create or replace table numbers as select * from numbers order by other');
  await connection.run('drop table numbers');
  const before = megabytes();

  await lake.rest();

  expect(before - megabytes()).toBeGreaterThan(50);
  expect(await ask(`select current_setting('memory_limit')`)).toEqual(limit);
  expect(await ask('select count(*), sum(range) from range(1000000)')).toEqual(['1000000', '499999500000']);
});
