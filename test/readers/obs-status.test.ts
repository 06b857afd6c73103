// The flags of publishers as codes of SDMX's CL_OBS_STATUS.
import { describe, expect, it } from 'vitest';
import { eurostatStatusOf, obsStatusOf } from '../../src/sources/readers/obs-status.ts';
import { sourceOf } from './second-reader.ts';

describe('a flag', () => {
  it('of SDMX is its code, with or without a label, if the list has it', () => {
    expect(['A', 'E', 'P: Provisional value', ' B ', '', 'Z', 'AB', undefined].map(obsStatusOf)).toEqual([
      'A',
      'E',
      'P',
      'B',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('of Eurostat is the code of the first one in the list', () => {
    expect(['p', 'e', 'b', 'bp', 's', 'c', 'd', 'u', 'z', 'r', 'rp', ''].map(eurostatStatusOf)).toEqual([
      'P',
      'E',
      'B',
      'B',
      'E',
      'Q',
      'D',
      'U',
      'M',
      undefined,
      'P',
      undefined,
    ]);
  });
});

async function statusesOf(source: string, key: string, lines: readonly string[]): Promise<(string | undefined)[]> {
  const body = new TextEncoder().encode([...lines, ''].join('\n'));
  const found: (string | undefined)[] = [];
  for await (const batch of sourceOf(source).normalise({ key, retrievedAt: '2026-11-20T10:00:00.000Z', body }))
    if (batch.kind === 'observations') found.push(...batch.rows.map(({ obsStatus }) => obsStatus));
  return found;
}

describe('a source with flags keeps those', () => {
  it('of Eurostat', async () => {
    const head = 'DATAFLOW,LAST UPDATE,freq,unit,coicop18,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG,CONF_STATUS';
    const row = (month: string, flag: string) => `ESTAT:PRC_HICP_MINR(1.0),02/10/26 11:00:00,M,I25,TOTAL,AT,${month},102.59,${flag},`;
    expect(
      await statusesOf('eurostat', 'eurostat/prc_hicp_minr.csv', [head, row('2026-06', ''), row('2026-07', 'e'), row('2026-08', 'p')]),
    ).toEqual([undefined, 'E', 'P']);
  });

  it('of the BIS', async () => {
    const head = 'FREQ,REF_AREA,UNIT_MEASURE,UNIT_MULT,TIME_PERIOD,OBS_VALUE,OBS_STATUS';
    const rows = ['M,GB,368,0,2026-06,3.75,A', 'M,GB,368,0,2026-07,3.75,B'];
    expect(await statusesOf('bis', 'bis/WS_CBPOL.M.csv', [head, ...rows])).toEqual(['A', 'B']);
  });

  it('of the ECB', async () => {
    const head =
      'KEY,FREQ,BENCHMARK_ITEM,DATA_TYPE_EST,TIME_PERIOD,OBS_VALUE,OBS_STATUS,CONF_STATUS,TITLE,TITLE_COMPL,UNIT_INDEX_BASE,UNIT_MEASURE,UNIT_MULT';
    const row = (day: string, status: string) =>
      `EST.B.EU000A2X2A25.WT,B,EU000A2X2A25,WT,${day},2.188,${status},F,Euro short-term rate,"Euro short-term rate, Volume-weighted trimmed mean rate",,PC,0`;
    expect(await statusesOf('ecb_data', 'ecb-data/EST.csv', [head, row('2026-09-01', 'A'), row('2026-09-02', 'P')])).toEqual(['A', 'P']);
  });
});
