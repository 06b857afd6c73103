// A publisher's flag goes with its value into the lake, the published vintages and the provenance; a flag alone makes no vintage.
import { afterAll, expect, it } from 'vitest';
import { type Files, openPipeline, type Pipeline } from '../pipeline.ts';
import { type ListBody, type RunningService, startService } from '../service.ts';

let pipeline: Pipeline;
let service: RunningService;
afterAll(async () => {
  await service.stop();
  await pipeline.remove();
});

const HEAD = 'DATAFLOW,LAST UPDATE,freq,unit,coicop18,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG,CONF_STATUS';
const file = (updated: string, rows: readonly (readonly [month: string, value: number, flag: string])[]): Files => ({
  'eurostat/prc_hicp_minr.csv': [
    HEAD,
    ...rows.map(([month, value, flag]) => `ESTAT:PRC_HICP_MINR(1.0),${updated},M,I25,TOTAL,AT,${month},${value},${flag},`),
    '',
  ].join('\n'),
});

it('a flag is kept with the value that was stated with it', async () => {
  pipeline = await openPipeline();
  await pipeline.ingest(file('02/09/26 11:00:00', [['2026-07', 102.5, 'p']]), '2026-09-02T12:00:00.000Z');
  // The value of July is no longer provisional, but the same.
  const second = file('02/10/26 11:00:00', [
    ['2026-07', 102.5, ''],
    ['2026-08', 102.7, 'e'],
  ]);
  await pipeline.run(second, '2026-10-02T12:00:00.000Z');
  expect(await pipeline.lake('select period, value, obs_status from observations order by period')).toEqual([
    { period: '2026-07', value: 102.5, obs_status: 'P' },
    { period: '2026-08', value: 102.7, obs_status: 'E' },
  ]);
  service = await startService(pipeline.dataDir, { now: Date.parse('2026-10-03T00:00:00Z') });
  const list = (await (await service.get('/observations?indicator_id=at_hicp&vintage=all')).json()) as ListBody;
  const told: unknown[] = [];
  for (const row of list.data) {
    const answer = await service.get(`/provenance/observations/${String(row['observationId'])}`);
    const { data } = (await answer.json()) as { data: { period: string; obsStatus: string | null } };
    told.push([data.period, data.obsStatus]);
  }
  expect(told.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual([
    ['2026-07', 'P'],
    ['2026-08', 'E'],
  ]);
});
