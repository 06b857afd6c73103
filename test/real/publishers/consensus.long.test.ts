// Surveys of forecasters over the publishers' own files: what a round says and since when, and the surprise of each print beside
// another program's, which reads the files itself.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openPipeline, type Pipeline, REAL_DATA } from '../../pipeline.ts';
import { type ListBody, type RunningService, startService } from '../../service.ts';

const PAYLOADS = process.env['PAYLOADS_DIR'] ?? join(REAL_DATA, '../payloads');
const PYTHON = process.env['PEERS_PYTHON'] ?? 'python3';
const SPF = 'philadelphia-fed/spf';
const BOOKS = ['2022Q1/medianLevel.xlsx', '2022Q1/medianGrowth.xlsx', '2023Q4/medianGrowth.xlsx', '2023Q4/meanGrowth.xlsx'];
const SURVEYS = [...BOOKS, '2019Q2/Median_CPI_Level.xlsx'].map((name) => `${SPF}/${name}`);
const REAL = 'alfred-realtime/RGDP.csv';
const VINTAGES = 'philadelphia-fed/rtdsm';
const VARIABLES = ['ROUTPUTQvQd', 'rucQvMd', 'cpiQvMd', 'pcpixMvMd', 'PCONXQvQd'].map((name) => `${VINTAGES}/${name}.xlsx`);
const SWITZERLAND = 'seco/realtime_database.xlsx';
const EURO = 'ecb/spf/SPF_individual_forecasts.zip';
const NOMINAL = 'fred-api/series_observations.GDP.all-realtime.recorded-2025-01-20.json';

const Found = z.record(
  z.string(),
  z.array(
    z.object({
      period: z.string(),
      actual: z.number(),
      consensus: z.number(),
      surprise: z.number(),
      surprisePercent: z.number().nullable(),
    }),
  ),
);
type Rounded = z.infer<typeof Found>[string][number];

function recomputed(): z.infer<typeof Found> {
  const files = [
    join(REAL_DATA, REAL),
    join(REAL_DATA, NOMINAL),
    ...[VINTAGES, SWITZERLAND, EURO].map((name) => join(PAYLOADS, name)),
    ...BOOKS.slice(0, 3).map((name) => join(PAYLOADS, SPF, name)),
  ];
  const run = spawnSync(PYTHON, [join(import.meta.dirname, '../../peers/consensus.py'), ...files], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  return Found.parse(JSON.parse(run.stdout));
}

/** Both programs raise to a power: the last digits may differ. */
const rounded = ({ period, actual, consensus, surprise, surprisePercent }: Rounded) => [
  period,
  ...[actual, consensus, surprise, surprisePercent ?? 0].map((value) => Number(value.toPrecision(9))),
];

describe.skipIf(!existsSync(join(PAYLOADS, SPF)) || !existsSync(REAL_DATA))('surveys of forecasters', () => {
  let pipeline: Pipeline;
  let service: RunningService;
  beforeAll(async () => {
    pipeline = await openPipeline();
    const read = (root: string, key: string) => [key, new Uint8Array(readFileSync(join(root, key)))] as const;
    const surveys = [...SURVEYS, EURO, ...VARIABLES, SWITZERLAND].map((key) => read(PAYLOADS, key));
    await pipeline.run(Object.fromEntries([...surveys, read(REAL_DATA, REAL), read(REAL_DATA, NOMINAL)]), '2026-11-20T10:00:00.000Z');
    service = await startService(pipeline.dataDir, { now: Date.parse('2026-11-21T00:00:00Z') });
  }, 600_000);
  afterAll(async () => {
    await service.stop();
    await pipeline.remove();
  });

  const rows = async (query: string): Promise<ListBody['data']> => {
    const answer = await service.get(`/observations?limit=500&${query}`);
    expect(answer.status).toBe(200);
    return ((await answer.json()) as ListBody).data;
  };

  // Read by eye from the publishers' files.
  it.each([
    ['us_survey_gdp_growth_this_quarter', '2020-Q2', '2020-06-30', -32.2208],
    ['us_survey_gdp_growth_next_quarter', '2020-Q2', '2020-06-30', 10.6335],
    ['us_survey_gdp_growth_this_quarter', '2022-Q1', '2022-03-31', 1.7633],
    ['us_survey_unemployment_rate_this_quarter', '2020-Q2', '2020-06-30', 16.119],
    ['ea_survey_mean_hicp_inflation_annual_next_year', '2008-Q4', '2008-12-31', 2.154],
    ['ea_survey_mean_hicp_inflation_annual_this_year', '1999-Q1', '1999-03-31', 0.999],
  ])('%s of the round of %s is known from the end of %s: %f', async (indicator, round, day, value) => {
    const asked = `indicator_id=${indicator}&period=${round}`;
    const [row, ...others] = await rows(asked);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ period: round, observedAt: `${day}T23:59:59.999Z`, consensus: null });
    expect(Number(Number(row?.['actual']).toFixed(value === 2.154 || value === 0.999 ? 3 : 4))).toBe(value);
    expect(await rows(`${asked}&as_of=${day}T23:59:59.998Z`)).toEqual([]);
    expect((await rows(`${asked}&as_of=${day}`)).length).toBe(1);
  });

  it('gives every first print of the United States and the euro area the surprise that another program computes', async () => {
    const theirs = recomputed();
    const counts = Object.fromEntries(Object.entries(theirs).map(([name, found]) => [name, found.length]));
    expect(counts).toEqual({
      'us_gdp_growth fred': 95,
      'us_gdp_nominal fred': 122,
      'us_gdp_growth philadelphia_rtdsm': 127,
      'us_unemployment_rate_quarterly philadelphia_rtdsm': 213,
      'us_cpi_inflation_quarterly philadelphia_rtdsm': 112,
      'us_core_cpi_inflation_quarterly philadelphia_rtdsm': 61,
      'us_core_pce_inflation_quarterly philadelphia_rtdsm': 61,
      'ea_gdp_growth_of_year seco': 22,
    });
    for (const [name, found] of Object.entries(theirs)) {
      const [indicator = '', source = ''] = name.split(' ');
      const ours = await rows(`indicator_id=${indicator}&source_id=${source}&release_number=1&sort=period_end&order=asc`);
      const expected = ours.filter(({ consensus }) => consensus !== null).map((row) => rounded(row as unknown as Rounded));
      expect([name, expected]).toEqual([name, found.map(rounded)]);
    }
  });

  it('has none if no survey asked for the quantity, or no first print is known', async () => {
    const real = await rows('indicator_id=us_gdp_real&source_id=fred&period=2009');
    expect(real.map(({ consensus, surprise }) => [consensus, surprise])).toEqual(real.map(() => [null, null]));
    const early = await rows('indicator_id=us_gdp_nominal&period=1985');
    expect(early.length).toBe(4);
    expect(early.map(({ consensus }) => consensus)).toEqual([null, null, null, null]);
  });

  it('gives every vintage of a period its consensus, and the surprise of its own value', async () => {
    const vintages = await rows('indicator_id=us_gdp_growth&source_id=fred&period=2009-Q1&vintage=all');
    expect(vintages.length).toBeGreaterThan(2);
    // Round of 2009-Q1, by eye from medianGrowth.xlsx.
    expect(new Set(vintages.map(({ consensus }) => consensus))).toEqual(new Set([-5.1892]));
    for (const row of vintages) expect(row['surprise']).toBe(Number(row['actual']) + 5.1892);
  });

  it('names survey, observation and round in the provenance', async () => {
    const [print] = await rows('indicator_id=us_gdp_growth&source_id=fred&period=2009-Q1&release_number=1');
    const [round] = await rows('indicator_id=us_survey_gdp_growth_this_quarter&period=2009-Q1');
    const answer = await service.get(`/provenance/observations/${String(print?.['observationId'])}`);
    expect(((await answer.json()) as { data: { consensus: unknown } }).data.consensus).toEqual({
      sourceId: 'philadelphia_spf',
      observationId: round?.['observationId'],
      publishedAt: '2009-03-31T23:59:59.999Z',
    });
  });
});
