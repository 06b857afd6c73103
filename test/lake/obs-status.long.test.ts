// A publisher's flag goes with its value into the lake, bulk rows, the provenance and the SDMX façade; a flag alone makes no vintage.
import { tableFromIPC } from 'apache-arrow';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { afterAll, expect, it } from 'vitest';
import { serveFacade } from '../../src/facade/server.ts';
import { issueKey, keyFile } from '../../src/keys/key-store.ts';
import { type Files, openPipeline, type Pipeline } from '../pipeline.ts';
import { type ListBody, type RunningService, startService } from '../service.ts';

const NOW = Date.parse('2026-10-03T00:00:00Z');
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

it('a flag is kept with its value', async () => {
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
  service = await startService(pipeline.dataDir, { now: NOW });
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

const READ = {
  csv: (bytes: Buffer) => parse<Record<string, unknown>>(bytes, { columns: true }),
  ndjson: (bytes: Buffer) =>
    bytes
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  arrow: (bytes: Buffer) =>
    tableFromIPC(bytes)
      .toArray()
      .map((row: { toJSON: () => Record<string, unknown> }) => row.toJSON()),
  parquet: (bytes: Buffer) => parquetReadObjects({ file: new Uint8Array(bytes).buffer, compressors }),
};

it.each(['observations', 'observations/latest', 'observations/changes', 'public/observations', 'entities/at/observations'])(
  'bulk rows of /%s have the flag in every form, and rows of a page do not',
  async (route) => {
    const path = `/${route}?indicator_id=at_hicp`;
    const wanted = route.endsWith('latest')
      ? [['2026-08', 'E']]
      : [
          ['2026-07', 'P'],
          ['2026-08', 'E'],
        ];
    for (const format of ['csv', 'ndjson', 'arrow', 'parquet'] as const) {
      const answer = await service.get(`${path}&format=${format}&columns=period,obs_status`);
      const rows = await READ[format](Buffer.from(await answer.arrayBuffer()));
      const told = rows.map((row) => [row['period'], row['obsStatus']]).toSorted((a, b) => String(a).localeCompare(String(b)));
      expect([format, told]).toEqual([format, wanted]);
    }
    const { data } = (await (await service.get(path)).json()) as ListBody;
    expect(data.length > 0 && data.every((row) => !('obsStatus' in row))).toBe(true);
  },
);

it('the SDMX façade has the flag as OBS_STATUS', async () => {
  const { key } = await issueKey(keyFile(service.dataDir), { label: 'sdmx', tier: 'full', scopes: ['data:read'] }, NOW);
  const facade = await serveFacade({ url: service.url, key, now: () => NOW }, { host: '127.0.0.1', port: 0 });
  try {
    const answer = await fetch(`http://127.0.0.1:${facade.port}/sdmx/2.1/data/SERIES/M.at.hicp.eurostat?format=csv`);
    const rows = parse<Record<string, string>>(await answer.text(), { columns: true });
    expect(rows.map((row) => [row['TIME_PERIOD'], row['OBS_STATUS']])).toEqual([
      ['2026-07', 'P'],
      ['2026-08', 'E'],
    ]);
  } finally {
    await facade.close();
  }
});
