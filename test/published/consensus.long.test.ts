// Surprises of Brazil and the euro area through HTTP. The test computes each of them from the text of the files that the pipeline read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zipOf } from '../replay/zip.ts';
import { type FixtureService, startFixtureService } from '../routes/fixture-service.ts';

type Asked = readonly [day: string, month: string, median: number, base?: number];

/** Those of 5 January came out on Monday the 8th, before the print of the 11th; the one of the 10th came out after it. */
const SURVEYS: Readonly<Record<string, readonly Asked[]>> = {
  '2023': [
    ['2023-12-08', '11/2023', 0.29],
    ['2023-12-08', '12/2023', 0.5],
    ['2023-12-08', '01/2024', 0.4],
    ['2023-12-28', '12/2023', 0.47],
  ],
  '2024': [
    ['2024-01-05', '12/2023', 0.49],
    ['2024-01-05', '12/2023', 0.9, 1],
    ['2024-01-05', '01/2024', 0.36],
    ['2024-01-10', '12/2023', 0.53],
  ],
};
const focus = (year: string): string =>
  JSON.stringify({
    '@odata.context': 'https://example.com/odata$metadata#ExpectativaMercadoMensais',
    value: (SURVEYS[year] ?? []).map(([day, month, median, base = 0]) => ({
      Indicador: 'IPCA',
      Data: day,
      DataReferencia: month,
      Media: median + 0.01,
      Mediana: median,
      baseCalculo: base,
    })),
  });
const ipca = (...values: readonly string[]): string =>
  JSON.stringify(values.map((valor, index) => ({ data: `01/${String(10 + index)}/2023`, valor })));

/** A month of 2022 is 0, one of 2023 is 12 and more. */
const LEVELS = Array.from({ length: 24 }, (_, month) => Number((120 + month / 4 + (month % 5) / 8).toFixed(3)));
const RATES = Array.from({ length: 24 }, (_, month) => Number((6.8 - (month % 7) / 10).toFixed(1)));
const monthAt = (place: number): string => `${2022 + Math.floor(place / 12)}-${String((place % 12) + 1).padStart(2, '0')}`;
const prices = (update: string, months: number): string =>
  [
    'DATAFLOW,LAST UPDATE,freq,unit,coicop18,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG',
    ...LEVELS.slice(0, months).map((level, place) => `ESTAT:PRC_HICP_MINR(1.0),${update},M,I25,TOTAL,EA,${monthAt(place)},${level},`),
    '',
  ].join('\n');
const labour = (update: string, months: number): string =>
  [
    'DATAFLOW,LAST UPDATE,freq,s_adj,age,unit,sex,geo,TIME_PERIOD,OBS_VALUE,OBS_FLAG',
    ...RATES.slice(0, months).map(
      (rate, place) => `ESTAT:UNE_RT_M(1.0),${update},M,SA,TOTAL,PC_ACT,T,EA21,${monthAt(place)},${rate.toFixed(1)},`,
    ),
    '',
  ].join('\n');

const HEADER = 'TARGET_PERIOD,FCT_SOURCE,POINT,T0_0,F0_0T0_4';
const ROUND = [
  'INFLATION EXPECTATIONS; YEAR-ON-YEAR CHANGE IN HICP,,,,',
  HEADER,
  '2023,1,2.5,,',
  '2023,2,2.875,,',
  '2023,3,2.25,,',
  '2024Sep,1,7,,',
  '2024,1,2,,',
  'CORE INFLATION EXPECTATIONS; YEAR-ON-YEAR CHANGE IN CORE,,,,',
  'GROWTH EXPECTATIONS; YEAR-ON-YEAR CHANGE IN REAL GDP,,,,',
  'EXPECTED UNEMPLOYMENT RATE; PERCENTAGE OF LABOUR FORCE,,,,',
  HEADER,
  '2023,1,6.5,,',
  '2023,2,6.75,,',
  '2024Aug,1,7,,',
  'ASSUMPTIONS,,,,',
  '',
].join('\n');

const ARRIVALS = [
  {
    at: '2023-12-20T13:00:00.000Z',
    files: {
      'bcb/433.json': ipca('0.24', '0.28'),
      'bcb-focus/Mensais.2023.json': focus('2023'),
      'eurostat/prc_hicp_minr.csv': prices('19/12/23 11:00:00', 23),
      'eurostat/une_rt_m.csv': labour('30/11/23 11:00:00', 22),
    },
  },
  {
    at: '2024-01-11T13:00:00.000Z',
    files: { 'bcb/433.json': ipca('0.24', '0.28', '0.56'), 'bcb-focus/Mensais.2024.json': focus('2024') },
  },
  {
    at: '2024-02-02T13:00:00.000Z',
    files: {
      'eurostat/prc_hicp_minr.csv': prices('17/01/24 11:00:00', 24),
      'eurostat/une_rt_m.csv': labour('01/02/24 11:00:00', 24),
      'ecb/spf/SPF_individual_forecasts.zip': zipOf({ name: '2023Q4.csv', body: ROUND }),
    },
  },
];

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const spread = (actual: number, consensus: number) => ({
  consensus,
  surprise: actual - consensus,
  surprisePercent: (100 * (actual - consensus)) / consensus,
});

describe('the surprise of a print outside of the United States', () => {
  let service: FixtureService;
  beforeAll(async () => {
    service = await startFixtureService(ARRIVALS, '2024-02-03T00:00:00.000Z');
  });
  afterAll(() => service.stop());

  const rowsOf = async (query: string) => (await service.list(`/observations?sort=period_end&order=asc&${query}`)).data;
  const surprises = async (indicator: string) =>
    (await rowsOf(`indicator_id=${indicator}`)).map((row) => ({
      period: row['period'],
      consensus: row['consensus'],
      surprise: row['surprise'],
      surprisePercent: row['surprisePercent'],
    }));
  const NONE = { consensus: null, surprise: null, surprisePercent: null };

  it('of Brazilian prices of a month is measured against the last Focus report before it', async () => {
    expect(await surprises('br_consumer_price_change_mom_nsa')).toEqual([
      // A backfill: no first print is known.
      { period: '2023-10', ...NONE },
      { period: '2023-11', ...spread(0.28, 0.29) },
      { period: '2023-12', ...spread(0.56, 0.49) },
    ]);
  });

  it('names the survey of Brazil by its day, known from the report on the Monday after', async () => {
    const [print] = await rowsOf('indicator_id=br_consumer_price_change_mom_nsa&period=2023-12');
    const [survey] = await rowsOf('indicator_id=br_expected_inflation_previous_month&start_date=2024-01-05&end_date=2024-01-05');
    expect(survey).toMatchObject({ actual: 0.49, unit: 'percent', comparisonBasis: 'mom', observedAt: '2024-01-08T11:30:00.000Z' });
    const answer = await service.list(`/provenance/observations/${String(print?.['observationId'])}`);
    expect((answer.data as unknown as { readonly consensus: unknown }).consensus).toEqual({
      sourceId: 'bcb_focus',
      observationId: survey?.['observationId'],
      publishedAt: '2024-01-08T11:30:00.000Z',
    });
  });

  it('of euro-area prices and unemployment of a year is measured against the medians of its last round', async () => {
    const inflation = 100 * (meanOf(LEVELS.slice(12)) / meanOf(LEVELS.slice(0, 12)) - 1);
    const [prints, rates] = await Promise.all([surprises('ea_hicp_inflation_of_year'), surprises('ea_unemployment_rate_of_year')]);
    expect(prints.map(({ period, consensus }) => [period, consensus])).toEqual([['2023', 2.5]]);
    expect(prints[0]?.surprise).toBeCloseTo(inflation - 2.5, 9);
    expect(prints[0]?.surprisePercent).toBeCloseTo((100 * (inflation - 2.5)) / 2.5, 7);
    // The mean of two answers in the middle, 6.5 and 6.75.
    expect(rates.map(({ period, consensus }) => [period, consensus])).toEqual([
      ['2022', null],
      ['2023', 6.625],
    ]);
    expect(rates[1]?.surprise).toBeCloseTo(meanOf(RATES.slice(12)) - 6.625, 9);
  });

  it('is none for a month of the euro area, which the survey asks for a year before', async () => {
    const rows = await rowsOf('indicator_id=ea_unemployment_rate');
    expect(rows.length).toBe(24);
    expect(new Set(rows.map(({ consensus }) => consensus))).toEqual(new Set([null]));
  });
});
