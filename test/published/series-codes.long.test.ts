// A series that files call by several codes: of each value the chain names the code under which its own file has it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { type RunningService, startService } from '../service.ts';

let pipeline: Pipeline;
let service: RunningService;
beforeAll(async () => {
  pipeline = await openPipeline();
  const realTime = ['2019-11-01', '2019-12-01', '2020-01-01'].map(
    (day, i) => `${day} 00:00:00,2262-04-11 00:00:00,2020-02-14 00:00:00,${109 + i}`,
  );
  await pipeline.run(
    { 'alfred-realtime/IP.csv': `date,realtime_end,realtime_start,IP\n${realTime.join('\n')}\n` },
    '2020-03-01T08:00:00.000Z',
  );
  const graph = ['2019-11-01,109', '2019-12-01,110', '2020-01-01,111', '2020-02-01,112'];
  await pipeline.run({ 'fredgraph-csv/INDPRO.csv': `DATE,INDPRO\n${graph.join('\n')}\n` }, '2020-03-20T08:00:00.000Z');
  service = await startService(pipeline.dataDir, { now: Date.parse('2020-03-21T08:00:00.000Z') });
});
afterAll(async () => {
  await service.stop();
  await pipeline.remove();
});

describe('a value of a series with several codes', () => {
  it.each([
    ['2020-01', 'alfred-realtime/IP.csv', 'IP'],
    ['2020-02', 'fredgraph-csv/INDPRO.csv', 'INDPRO'],
  ])('of %s comes from the file %s under the name %s', async (period, file, seriesCode) => {
    const { data } = (await (await service.get(`/observations?indicator_id=us_industrial_production&period=${period}`)).json()) as {
      data: { observationId: string; sourceId: string }[];
    };
    expect(data.map(({ sourceId }) => sourceId)).toEqual(['fred']);
    const chain = (await (await service.get(`/provenance/observations/${data[0]?.observationId}`)).json()) as {
      data: { transformations: { name: string; params: unknown }[] };
    };
    expect(chain.data.transformations[0]).toMatchObject({ name: 'normalise', params: { file, seriesCode } });
  });
});
