// Statistical agencies and calendars: missing markers, frequencies, withdrawals, days and hours of publication, by hand.
import { describe, expect, it } from 'vitest';
import { LATER, refusalAs, refusalOf, tell } from './read.ts';

const day = (from: string, days: number) => new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10);

// --- FRED

const graph = (days: readonly string[]) => `DATE,X\n${days.map((date, index) => `${date},${index}\n`).join('')}`;
const readGraph = async (days: readonly string[]) => (await tell('fred', 'fredgraph-csv/X.csv', graph(days))).observations;
/** Days at these gaps, from a Monday. */
const spaced = (...gaps: readonly number[]) => gaps.reduce((days, gap) => [...days, day(days.at(-1) ?? '', gap)], ['2024-01-01']);

describe('the frequency of a series of FRED', () => {
  it.each([
    ['daily', spaced(1, 1, 1, 1, 3), ['2024-01-08', '2024-01-08', '2024-01-08']],
    ['daily, over a long weekend', spaced(1, 1, 1, 5), ['2024-01-09', '2024-01-09', '2024-01-09']],
    ['weekly', spaced(7, 7, 7), ['2024-W04', '2024-01-16', '2024-01-22']],
    ['weekly, moved by a holiday', spaced(7, 9, 5, 7), ['2024-W05', '2024-01-23', '2024-01-29']],
    ['weekly into a 53rd week', ['2020-12-19', '2020-12-26', '2021-01-02'], ['2020-W53', '2020-12-27', '2021-01-02']],
    ['monthly', ['2023-12-01', '2024-01-01', '2024-02-01'], ['2024-02', '2024-02-01', '2024-02-29']],
    ['monthly, of a common year', ['2022-12-01', '2023-01-01', '2023-02-01'], ['2023-02', '2023-02-01', '2023-02-28']],
    ['quarterly', ['2023-10-01', '2024-01-01', '2024-04-01'], ['2024-Q2', '2024-04-01', '2024-06-30']],
    ['quarterly, by the last month', ['2023-06-01', '2023-09-01', '2023-12-01'], ['2023-Q4', '2023-10-01', '2023-12-31']],
    ['annual', ['2022-01-01', '2023-01-01', '2024-01-01'], ['2024', '2024-01-01', '2024-12-31']],
  ])('follows from its dates: %s', async (name, days, last) => {
    const rows = await readGraph(days);
    const row = rows.at(-1);
    expect(rows.map(({ value }) => value)).toEqual(days.map((_, index) => index));
    expect([row?.frequency, [row?.period, row?.periodStart, row?.periodEnd]]).toEqual([name.split(/[ ,]/)[0], last]);
  });

  it.each([
    ['two dates', spaced(7), 'too few'],
    ['every other day', spaced(2, 2, 2), 'the usual gap is 2 days'],
    ['every six days', spaced(6, 6, 6), 'the usual gap is 6 days'],
    ['every 32 days', spaced(32, 32, 32), 'the usual gap is 32 days'],
    ['months with a stray day', ['2024-01-01', '2024-02-01', '2024-03-01', '2024-03-15'], 'gaps are not monthly'],
    ['a quarter by its middle month', ['2023-05-01', '2023-08-01', '2023-11-01'], 'lies in the middle of a quarter'],
    ['two weeks of five missing', spaced(7, 14, 7, 14, 7), 'gaps are not weekly'],
    ['one week of three missing', spaced(7, 14, 7), 'gaps are not weekly'],
  ])('is unknown for %s', async (_, days, message) => {
    expect(await refusalOf('fred', 'fredgraph-csv/X.csv', graph(days))).toContain(message);
  });

  it('may have at most a quarter of its gaps wider', async () => {
    expect((await readGraph(spaced(7, 14, 7, 7))).map(({ frequency }) => frequency)).toEqual(Array.from({ length: 5 }, () => 'weekly'));
    expect((await readGraph(spaced(1, 1, 1, 6)))[0]?.frequency).toBe('daily');
    expect(await refusalOf('fred', 'fredgraph-csv/X.csv', graph(spaced(1, 1, 6)))).toContain('gaps are not daily');
  });

  it('is the lower of two that are equally common', async () => {
    expect(await refusalOf('fred', 'fredgraph-csv/X.csv', graph(spaced(7, 7, 30, 30)))).toContain('2 of 4 gaps are not weekly');
  });
});

describe('a download of FRED', () => {
  it('is known from its retrieval, with . and blank as missing', async () => {
    const { observations } = await tell(
      'fred',
      'fred-date-value-csv/UNRATE.csv',
      'date,value\n2024-01-01,3.5\n2024-02-01,\n2024-03-01,.\n2024-04-01,-1e-3\n',
      '2024-05-05T05:05:05.000Z',
    );
    expect(observations.map(({ seriesCode, period, value, observedAt }) => [seriesCode, period, value, observedAt])).toEqual([
      ['UNRATE', '2024-01', 3.5, '2024-05-05T05:05:05.000Z'],
      ['UNRATE', '2024-02', null, '2024-05-05T05:05:05.000Z'],
      ['UNRATE', '2024-03', null, '2024-05-05T05:05:05.000Z'],
      ['UNRATE', '2024-04', -0.001, '2024-05-05T05:05:05.000Z'],
    ]);
  });

  it('of a graph is named by its header, any other one by its file', async () => {
    expect((await readGraph(['2024-01-01', '2024-02-01', '2024-03-01']))[0]?.seriesCode).toBe('X');
    const named = await tell(
      'fred',
      'fredgraph-csv/DEXCHUS_A_REMARK.csv',
      'observation_date,DEXCHUS\n2024-01-01,1\n2024-02-01,1\n2024-03-01,1\n',
    );
    expect(named.observations[0]?.seriesCode).toBe('DEXCHUS');
  });
});

describe('a real-time period', () => {
  const MONTHS = ['2020-02-01,2020-12-31,2020-03-06,9', '2020-03-01,2020-12-31,2020-04-03,9'];
  const read = async (rows: readonly string[], retrievedAt = LATER) => {
    const csv = `date,realtime_end,realtime_start,X\n${[...rows, ...MONTHS].map((row) => `${row}\n`).join('')}`;
    const { observations } = await tell('fred', 'alfred-realtime/X.csv', csv, retrievedAt);
    return observations.filter(({ period }) => period === '2020-01').map(({ value, observedAt }) => [value, observedAt]);
  };

  it.each([
    ['holds to the end', ['2020-01-01,2020-12-31,2020-02-07,1'], [[1, '02-07']]],
    [
      'is followed by the next',
      ['2020-01-01,2020-03-05,2020-02-07,1', '2020-01-01,2020-12-31,2020-03-06,2'],
      [
        [1, '02-07'],
        [2, '03-06'],
      ],
    ],
    [
      'is withdrawn on the day after it ends',
      ['2020-01-01,2020-03-09,2020-02-07,1'],
      [
        [1, '02-07'],
        [null, '03-10'],
      ],
    ],
    [
      'is withdrawn and comes back',
      ['2020-01-01,2020-03-09,2020-02-07,1', '2020-01-01,2020-12-31,2020-05-01,2'],
      [
        [1, '02-07'],
        [2, '05-01'],
        [null, '03-10'],
      ],
    ],
    [
      'ends on a day on which nothing at all holds',
      ['2020-01-01,2020-02-20,2020-02-07,1', '2020-01-01,2020-12-31,2020-05-01,2'],
      [
        [1, '02-07'],
        [2, '05-01'],
      ],
    ],
    [
      'ends on the last day of the window',
      ['2020-01-01,2020-12-30,2020-02-07,1'],
      [
        [1, '02-07'],
        [null, '12-31'],
      ],
    ],
    ['was missing already', ['2020-01-01,2020-03-09,2020-02-07,.'], [[null, '02-07']]],
    [
      'lasts a day',
      ['2020-01-01,2020-02-07,2020-02-07,1', '2020-01-01,2020-12-31,2020-02-08,2'],
      [
        [1, '02-07'],
        [2, '02-08'],
      ],
    ],
  ] as const)('that %s', async (_, rows, expected) => {
    expect(await read(rows)).toEqual(expected.map(([value, date]) => [value, `2020-${date}T23:59:59.999Z`]));
  });

  it.each([
    ['begins on the day on which another ends', ['2020-01-01,2020-03-06,2020-02-07,1', '2020-01-01,2020-12-31,2020-03-06,2']],
    ['ends before it begins', ['2020-01-01,2020-02-06,2020-02-07,1']],
  ])('that %s is refused', async (_, rows) => {
    const csv = `date,realtime_end,realtime_start,X\n${[...rows, ...MONTHS].map((row) => `${row}\n`).join('')}`;
    expect(await refusalOf('fred', 'alfred-realtime/X.csv', csv)).toContain('overlap');
  });

  it('that begins on the day of the retrieval is known from the retrieval', async () => {
    expect(await read(['2020-01-01,2020-12-31,2020-05-01,1'], '2020-05-01T13:00:00.000Z')).toEqual([[1, '2020-05-01T13:00:00.000Z']]);
  });

  const answer = (rows: readonly (readonly string[])[], more: Readonly<Record<string, unknown>> = {}) => ({
    realtime_start: '1776-07-04',
    realtime_end: '9999-12-31',
    units: 'lin',
    output_type: 1,
    count: rows.length,
    offset: 0,
    limit: 100_000,
    observations: rows.map(([date = '', from = '', to = '', value = '']) => ({ date, realtime_start: from, realtime_end: to, value })),
    ...more,
  });
  const THREE = [
    ['2020-01-01', '2020-02-07', '2020-03-09', '1'],
    ['2020-02-01', '2020-03-06', '9999-12-31', '2'],
    ['2020-03-01', '2020-04-03', '2020-05-09', '3'],
  ] as const;
  const told = async (more: Readonly<Record<string, unknown>>) => {
    const { observations } = await tell('fred', 'fred-api/series_observations.GDP.x.recorded-2025-01-20.json', answer(THREE, more));
    return observations.map(({ period, value, observedAt }) => `${period} ${value} ${observedAt.slice(0, 10)}`);
  };

  it.each([
    ['on a page of its own', {}, ['2020-01 null 2020-03-10', '2020-03 null 2020-05-10']],
    // What began on the page before, or goes on upon the next, may have been followed there.
    ['on the first of two pages', { count: 6, limit: 3 }, ['2020-01 null 2020-03-10']],
    ['on the last of two pages', { count: 6, limit: 3, offset: 3 }, ['2020-03 null 2020-05-10']],
    ['on a page between', { count: 9, limit: 3, offset: 3 }, []],
    ['among initial releases', { output_type: 4 }, []],
  ])('of the API is withdrawn if nothing can follow it: %s', async (_, more, withdrawn) => {
    expect(await told(more)).toEqual(['2020-01 1 2020-02-07', '2020-02 2 2020-03-06', '2020-03 3 2020-04-03', ...withdrawn]);
  });

  it.each([
    ['that begins with FRED', {}, []],
    ['that begins with the first of them', { realtime_start: '2020-02-07', realtime_end: '2020-06-01' }, ['2020-01']],
    ['of one day, as a download', { realtime_start: '2020-02-07', realtime_end: '2020-02-07' }, []],
    ['of initial releases', { realtime_start: '2020-03-06', realtime_end: '2020-06-01', output_type: 4 }, ['2020-02']],
  ])('of the API at the edge of a window %s may have begun earlier', async (_, more, assumed) => {
    const { observations } = await tell('fred', 'fred-api/series_observations.GDP.x.recorded-2025-01-20.json', answer(THREE, more));
    expect(observations.filter(({ isPseudo }) => isPseudo === true).map(({ period }) => period)).toEqual(assumed);
  });

  it.each([
    ['fewer rows than the page says', { count: 4 }, 'expected 4 observations, found 3'],
    ['more', { count: 2 }, 'expected 2 observations, found 3'],
    ['a page that is not full', { count: 9, limit: 4 }, 'expected 4 observations, found 3'],
    ['an error of the client', { error_code: 400, error_message: 'Bad.' }, 'the answer is an error, 400'],
    ['a transformation', { units: 'pch' }, 'not the series itself'],
  ])('of the API with %s is refused', async (_, more, message) => {
    expect(await refusalOf('fred', 'fred-api/series_observations.GDP.x.recorded-2025-01-20.json', answer(THREE, more))).toContain(message);
  });
});

describe('a date of release at FRED', () => {
  const dates = (days: readonly string[]) => ({
    count: days.length,
    offset: 0,
    limit: 100,
    release_dates: days.map((date) => ({ release_id: 10, date })),
  });
  const read = async (key: string, days: readonly string[], retrievedAt?: string) =>
    (await tell('fred_releases', `fred-api/${key}`, dates(days), retrievedAt))
      .of('schedules')
      .map((row) => [row.scheduledAt.slice(0, 10), row.status, row.observedAt]);

  it('up to the day of the recording is past, and known at its end; a later one was planned on that day', async () => {
    expect(await read('release_dates.10-CPI.recorded-2024-11-03.json', ['2024-11-02', '2024-11-03', '2024-11-04'])).toEqual([
      ['2024-11-02', 'released', '2024-11-02T23:59:59.999Z'],
      ['2024-11-03', 'released', '2024-11-03T23:59:59.999Z'],
      ['2024-11-04', 'scheduled', '2024-11-03T23:59:59.999Z'],
    ]);
  });

  it('of an answer without its time of recording counts from the retrieval', async () => {
    expect(await read('release_dates.10.json', ['2024-11-02', '2024-11-03', '2024-11-04'], '2024-11-03T09:00:00.000Z')).toEqual([
      ['2024-11-02', 'released', '2024-11-02T23:59:59.999Z'],
      ['2024-11-03', 'released', '2024-11-03T09:00:00.000Z'],
      ['2024-11-04', 'scheduled', '2024-11-03T09:00:00.000Z'],
    ]);
  });

  it('of a series has no page of its own', async () => {
    const vintages = { count: 1, offset: 0, limit: 100, vintage_dates: ['2024-10-30'] };
    const [row] = (await tell('fred_releases', 'fred-api/series_vintagedates.GDP.recorded-2024-11-03.json', vintages)).of('schedules');
    expect(row).toEqual({
      scheduleId: 'series/GDP|2024-10-30',
      releaseCode: 'series/GDP',
      title: null,
      scheduledAt: '2024-10-30T00:00:00.000Z',
      timePrecision: 'date_only',
      timezone: 'America/New_York',
      status: 'released',
      period: null,
      url: null,
      observedAt: '2024-10-30T23:59:59.999Z',
    });
    const [release] = (await tell('fred_releases', 'fred-api/release_dates.10.json', dates(['2024-10-30']))).of('schedules');
    expect([release?.scheduleId, release?.url]).toEqual(['10|2024-10-30', 'https://fred.stlouisfed.org/release?rid=10']);
  });
});

// --- Europe, OECD, World Bank

describe('a reference rate of the ECB', () => {
  const read = async (csv: string, retrievedAt?: string) =>
    (await tell('ecb_fx', 'ecb-eurofxref/eurofxref-hist.csv', csv, retrievedAt)).observations.map(
      ({ entityId, period, value, observedAt }) => [entityId, period, value, observedAt],
    );

  it.each([
    ['2026-03-27', '2026-03-27T15:00:00.000Z'],
    ['2026-03-30', '2026-03-30T14:00:00.000Z'],
    ['2026-10-23', '2026-10-23T14:00:00.000Z'],
    ['2026-10-26', '2026-10-26T15:00:00.000Z'],
  ])('for %s is known at four in Frankfurt, %s', async (date, instant) => {
    expect(await read(`Date,USD,\n${date},1.1,\n`)).toEqual([['cur_usd', date, 1.1, instant]]);
  });

  it.each([
    ['2026-03-30T13:59:00.000Z', '2026-03-30T13:59:00.000Z'],
    ['2026-03-30T14:00:00.001Z', '2026-03-30T14:00:00.000Z'],
    ['2026-03-29T23:00:00.000Z', '2026-03-30T14:00:00.000Z'],
  ])('retrieved at %s is known at %s', async (retrievedAt, instant) => {
    expect(await read('Date,USD,\n2026-03-30,1.1,\n', retrievedAt)).toEqual([['cur_usd', '2026-03-30', 1.1, instant]]);
  });

  it('begins with its first quotation; N/A after it is missing; days are sorted', async () => {
    const csv = 'Date, USD, CYP, \n2026-03-31, 3, N/A, \n2026-03-30, 2, 0.5, \n27 March 2026, 1, N/A, \n';
    expect((await read(csv)).map(([entity, period, value]) => [entity, period, value])).toEqual([
      ['cur_usd', '2026-03-27', 1],
      ['cur_usd', '2026-03-30', 2],
      ['cur_usd', '2026-03-31', 3],
      ['cur_cyp', '2026-03-30', 0.5],
      ['cur_cyp', '2026-03-31', null],
    ]);
  });

  it.each([['0'], ['-1']])('with %s is refused', async (rate) => {
    expect(await refusalOf('ecb_fx', 'ecb-eurofxref/eurofxref.csv', `Date,USD,\n2026-03-30,${rate},\n`)).toContain('above 0');
  });
});

describe('a release of the business and consumer surveys', () => {
  const rowsOf = (months: Readonly<Record<string, number>>) =>
    Object.entries(months)
      .flatMap(([end, count]) => ['AT', 'BE', 'DE', 'FR'].slice(0, count).map((country) => `${end},${country},CONS,1\n`))
      .join('');
  const csv = (months: Readonly<Record<string, number>>) => `date,country,series,value\n${rowsOf(months)}`;
  const key = (released: string) => `dg-ecfin-bcs/data_esi_values.${released}.csv`;

  it.each([
    ['half of the month before', '2024-02-28', { '2024-01-31': 4, '2024-02-29': 2 }, null],
    ['less than half', '2024-02-28', { '2024-01-31': 4, '2024-02-29': 1 }, 'may be truncated'],
    ['more than twice', '2024-02-28', { '2024-01-31': 1, '2024-02-29': 4 }, null],
    ['a month left out', '2024-03-28', { '2024-01-31': 4, '2024-03-31': 4 }, 'months are missing'],
    ['the month of its release last', '2024-02-28', { '2024-02-29': 4 }, null],
    ['the month before last', '2025-01-08', { '2024-12-31': 4 }, null],
    ['an earlier month last', '2025-02-08', { '2024-12-31': 4 }, 'truncated, or named wrongly'],
    ['a later month last', '2024-11-29', { '2024-12-31': 4 }, 'truncated, or named wrongly'],
    ['a day that is not the last of its month', '2024-02-28', { '2024-02-28': 4 }, 'last day of a month'],
  ])('with %s is read or refused', async (_, released, months, message) => {
    expect(await refusalAs(message, 'dg_ecfin', key(released), csv(months))).toBe(message);
  });

  it('has a cell for every month, country and survey; omitted ones are missing', async () => {
    const text = 'date,country,series,value\n2024-01-31,AT,CONS,-1.5\n2024-01-31,BE,INDU,0\n2024-02-29,AT,CONS,NA\n';
    const { observations } = await tell('dg_ecfin', key('2024-02-28'), text);
    const cells = observations
      .map(({ seriesCode, period, periodEnd, value, observedAt }) => [seriesCode, period, periodEnd, value, observedAt].join(' '))
      .sort();
    expect(cells).toEqual(
      [
        'AT.CONS 2024-01 2024-01-31 -1.5',
        'AT.CONS 2024-02 2024-02-29 ',
        'AT.INDU 2024-01 2024-01-31 ',
        'AT.INDU 2024-02 2024-02-29 ',
        'BE.CONS 2024-01 2024-01-31 ',
        'BE.CONS 2024-02 2024-02-29 ',
        'BE.INDU 2024-01 2024-01-31 0',
        'BE.INDU 2024-02 2024-02-29 ',
      ].map((cell) => `${cell} 2024-02-28T23:59:59.999Z`),
    );
  });
});

describe('an answer in SDMX-CSV', () => {
  const HEADER = 'STRUCTURE,STRUCTURE_ID,ACTION,REF_AREA: Area,FREQ,MEASURE,TIME_PERIOD,OBS_VALUE,UNIT_MULT';
  const row = (
    action = 'I',
    structure = 'OECD.SDD.STES:DSD_STES@DF_CLI(4.1)',
    multiplier = '0',
    frequency = 'M: Monthly',
    month = '2024-02',
    value = '99.5',
  ) => `DATAFLOW,${structure},${action},"USA: United States: all",${frequency},LI: Leading,${month},${value},${multiplier}`;
  const key = 'oecd/CLI.G20.sdmx-csv-2.0.csv';

  it.each([
    ['to insert', row('I'), null],
    ['to append', row('A'), null],
    ['to merge', row('M'), null],
    ['to replace', row('R'), null],
    ['to delete', row('D'), 'rows that state values'],
    ['of another version of the structure', row('I', 'OECD.SDD.STES:DSD_STES@DF_CLI(5.0)'), null],
    ['of a structure without version', row('I', 'OECD.SDD.STES:DSD_STES@DF_CLI'), null],
    ['of another structure', row('I', 'OECD.SDD.STES:DSD_STES@DF_CLI2(4.1)'), 'expected OECD.SDD.STES'],
    ['in thousands', row('I', undefined, '3: Thousands'), 'the multiplier'],
    ['in units, with their label', row('I', undefined, '0: Units'), null],
    ['without a multiplier', row('I', undefined, ''), null],
    ['by quarter', row('I', undefined, '0', 'Q', '2024-Q1'), 'expected months'],
    ['of a thirteenth month', row('I', undefined, '0', 'M', '2024-13'), 'expected months'],
  ])('%s is read or refused', async (_, line, message) => {
    expect(await refusalAs(message, 'oecd', key, `${HEADER}\n${line}\n`)).toBe(message);
  });

  it('has the codes of its dimensions as its key, and is known from the retrieval', async () => {
    const { observations } = await tell('oecd', key, `${HEADER}\n${row()}\n`, '2024-05-05T05:00:00.000Z');
    expect(observations).toEqual([
      {
        seriesCode: 'USA.M.LI',
        period: '2024-02',
        periodStart: '2024-02-01',
        periodEnd: '2024-02-29',
        value: 99.5,
        observedAt: '2024-05-05T05:00:00.000Z',
      },
    ]);
  });
});

describe('an answer of the World Bank', () => {
  const entry = (more: Readonly<Record<string, unknown>> = {}) => ({
    indicator: { id: 'SP.POP.TOTL' },
    country: { id: 'FR', value: 'France' },
    countryiso3code: 'FRA',
    date: '2023',
    value: 68,
    unit: '',
    ...more,
  });
  const answer = (rows: readonly unknown[], meta: Readonly<Record<string, unknown>> = {}) => [
    { page: 1, pages: 1, per_page: 1000, total: rows.length, lastupdated: '2024-03-28', ...meta },
    rows,
  ];
  const key = 'world-bank/api-json/SP.POP.TOTL.json';

  it.each([
    ['SP.POP.TOTL', 'population', 'persons'],
    ['NY.GDP.MKTP.CD', 'gdp_nominal_usd', 'usd'],
    ['FP.CPI.TOTL.ZG', 'cpi_inflation_annual', 'percent'],
  ])('on %s is read', async (id, canonicalId, unit) => {
    const { observations } = await tell('world_bank', key, answer([entry({ indicator: { id } })]));
    expect(observations).toEqual([
      {
        seriesCode: `${id}.FRA`,
        canonicalId,
        entityId: 'iso3:fra',
        frequency: 'annual',
        unit,
        period: '2023',
        periodStart: '2023-01-01',
        periodEnd: '2023-12-31',
        value: 68,
        observedAt: '2024-03-28T23:59:59.999Z',
      },
    ]);
  });

  it.each([
    ['a full page of two', { page: 1, pages: 2, per_page: 1, total: 2 }, 1, null],
    ['the last of two', { page: 2, pages: 2, per_page: '2', total: 3 }, 1, null],
    ['a last page with a row too many', { page: 2, pages: 2, per_page: 2, total: 3 }, 2, 'expected 1 rows on page 2'],
    ['a page with a row less', { page: 1, pages: 1, per_page: 100, total: 3 }, 2, 'expected 3 rows on page 1'],
  ])('is complete or refused: %s', async (_, meta, count, message) => {
    const rows = Array.from({ length: count }, (__, index) => entry({ date: String(2000 + index) }));
    expect(await refusalAs(message, 'world_bank', key, answer(rows, meta))).toBe(message);
  });

  it('reports if it is one page of several', async () => {
    const pages = async (name: string, meta: object) => {
      const { of } = await tell('world_bank', `world-bank/api-json/${name}`, answer([entry()], { per_page: 1, ...meta }));
      return of('refused').map(({ rule, seriesCode, period, fieldPath, observedValue }) => [
        rule,
        seriesCode,
        period,
        fieldPath,
        observedValue,
      ]);
    };
    const said = (page: number) => ['reconciliation_failed', 'FRA.SP.POP.TOTL', '2024-03-28', 'pages of 1', `page ${page} of 3`];
    expect(await pages('FRA.SP.POP.TOTL.json', { page: 1, pages: 3, total: 3 })).toEqual([said(1)]);
    expect(await pages('FRA.SP.POP.TOTL.page3.json', { page: '3', pages: 3, total: 3 })).toEqual([said(3)]);
    expect(await pages('FRA.SP.POP.TOTL.json', { page: 1, pages: 1, total: 1 })).toEqual([]);
  });

  it('for an income group follows the Bank’s list; for any other two letters it is unknown', async () => {
    const group = (id: string) => entry({ countryiso3code: '', country: { id, value: `group ${id}` } });
    const { observations, of } = await tell('world_bank', key, answer(['XD', 'XM', 'XN', 'XT', 'XY', 'XO', 'FR'].map(group)));
    expect(observations.map(({ seriesCode, entityId }) => [seriesCode, entityId])).toEqual(
      ['HIC', 'LIC', 'LMC', 'UMC', 'INX'].map((code) => [`SP.POP.TOTL.${code}`, `iso3:${code.toLowerCase()}`]),
    );
    expect(of('refused').map(({ rule, seriesCode }) => [rule, seriesCode])).toEqual([
      ['identity_unresolved', 'SP.POP.TOTL.XO'],
      ['identity_unresolved', 'SP.POP.TOTL.FR'],
    ]);
  });

  it('retrieved on the day of its update is known from the retrieval', async () => {
    const { observations } = await tell('world_bank', key, answer([entry()]), '2024-03-28T11:00:00.000Z');
    expect(observations[0]?.observedAt).toBe('2024-03-28T11:00:00.000Z');
  });

  it('has aggregates as regions, but not the euro area or the Union', async () => {
    const place = (id: string, region: string) => ({ id, iso2Code: id.slice(0, 2), name: `${id} `, region: { value: region } });
    const places = [place('EMU', 'Aggregates'), place('EUU', 'Aggregates'), place('WLD', 'Aggregates'), place('FRA', 'Europe')];
    const { of } = await tell('world_bank', 'world-bank/api-json/countries.json', answer(places), '2024-03-28T11:00:00.000Z');
    expect(of('entities').map(({ entityId, name, identifiers, seenOn }) => [entityId, name, identifiers, seenOn])).toEqual([
      ['region_wld', 'WLD', { wbCode: 'WLD', wbIso2Code: 'WL' }, '2024-03-28'],
    ]);
  });
});

describe('the file of residential construction', () => {
  const file = (
    rows: string,
    updated = 'Wednesday, 17-Jun-20 07:45:12 EDT',
  ) => `CATEGORIES\ncat_idx,cat_code,cat_desc,cat_indent\n1,STARTS,"Units, started",0\n\nDATA TYPES\ndt_idx,dt_code,dt_desc,dt_unit\n1,TOTAL,"Total",K\n
ERROR TYPES\net_idx,err_code,err_desc,err_unit\n1,E_TOTAL,"Error",PCT\n\nGEO LEVELS\ngeo_idx,geo_code,geo_desc\n1,US,"United States"\n\nTIME PERIODS\nper_idx,per_name\n1,Feb-1960\n2,Dec-2019\n3,Feb-2020\n
NOTES\n"DATA\n"\n\nDATA UPDATED ON\n${updated}\n\nDATA\nper_idx,cat_idx,dt_idx,et_idx,geo_idx,is_adj,val\n${rows}`;
  const key = 'us-census/RESCONST-mf.csv';
  const read = async (rows: string, updated?: string) => tell('us_census', key, file(rows, updated));
  const ALL = '3,1,1,0,1,1,5\n3,1,0,1,1,0,7\n';

  it('has estimates and their errors, adjusted or not, by month', async () => {
    const { observations } = await read(`1,1,1,0,1,1,1500\n2,1,1,0,1,1,-1510.5\n${ALL}`);
    expect(
      observations.map(({ seriesCode, period, periodEnd, value, observedAt }) => [seriesCode, period, periodEnd, value, observedAt]),
    ).toEqual([
      ['STARTS.TOTAL.US.A', '1960-02', '1960-02-29', 1500, '2020-06-17T23:59:59.999Z'],
      ['STARTS.TOTAL.US.A', '2019-12', '2019-12-31', -1510.5, '2020-06-17T23:59:59.999Z'],
      ['STARTS.TOTAL.US.A', '2020-02', '2020-02-29', 5, '2020-06-17T23:59:59.999Z'],
      ['STARTS.E_TOTAL.US.N', '2020-02', '2020-02-29', 7, '2020-06-17T23:59:59.999Z'],
    ]);
  });

  it.each(['', '.', '-', 'NA', '(NA)', '(S)', '(D)', '(X)', '(Z)'])('has "%s" as missing', async (cell) => {
    const { observations } = await read(`1,1,1,0,1,1,${cell}\n${ALL}`);
    expect([observations.length, observations[0]?.value]).toEqual([3, null]);
  });

  it.each(['n/a', '(A)', '1,5', 'x'])('is refused if a number is "%s"', async (cell) => {
    expect(await refusalOf('us_census', key, file(`1,1,1,0,1,1,${cell}\n${ALL}`))).toContain('expected');
  });

  it('may repeat a value, but not contradict it', async () => {
    const { observations, of } = await read(`1,1,1,0,1,1,5\n1,1,1,0,1,1,5\n1,1,1,0,1,1,6\n1,1,1,0,1,1,(NA)\n${ALL}`);
    expect(new Set(observations.filter(({ period }) => period === '1960-02').map(({ value }) => value))).toEqual(new Set([5]));
    expect(of('refused').map(({ rule, observedValue }) => [rule, observedValue])).toEqual([
      ['duplicate_conflict', '6'],
      ['duplicate_conflict', '(NA)'],
    ]);
  });

  it.each([
    ['of both kinds', '1,1,1,1,1,1,5'],
    ['of neither kind', '1,1,0,0,1,1,5'],
    ['of no known month', '9,1,1,0,1,1,5'],
    ['of no known adjustment', '1,1,1,0,1,2,5'],
  ])('with a row %s is refused', async (_, line) => {
    const { observations, of } = await read(`${line}\n${ALL}`);
    expect([observations.length, of('refused').map(({ rule }) => rule)]).toEqual([2, ['identity_unresolved']]);
  });

  it.each([
    ['Thursday, 19-Jan-23 06:30:01 EST', '2023-01-19T23:59:59.999Z'],
    ['Friday, 1-Dec-23 06:30:01 EST', '2023-12-01T23:59:59.999Z'],
  ])('updated on %s is known from %s', async (updated, observedAt) => {
    expect((await read(ALL, updated)).observations[0]?.observedAt).toBe(observedAt);
  });
});

// --- Calendars

describe('an entry of the schedule of the BLS', () => {
  const ics = (lines: readonly string[]) =>
    ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', 'BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
  const read = async (lines: readonly string[], retrievedAt = '2026-01-01T00:00:00.000Z') => {
    const [row] = (await tell('bls_calendar', 'calendars/bls-release-schedule.ics', ics(lines), retrievedAt)).of('schedules');
    return row;
  };
  const STAMP = 'DTSTAMP:20250101T000000Z';

  it.each([
    ['Consumer Price Index for December 2022', 'Consumer Price Index', '2022-12'],
    ['Consumer Price Index for may 2022', 'Consumer Price Index', '2022-05'],
    ['Employment Cost Index for Fourth Quarter 2022', 'Employment Cost Index', '2022-Q4'],
    ['Business Employment Dynamics for First Quarter 2022', 'Business Employment Dynamics', '2022-Q1'],
    ['Productivity and Costs for the Second Quarter of 2022', 'Productivity and Costs', '2022-Q2'],
    ['Union Membership (Annual) for 2022', 'Union Membership (Annual)', '2022'],
    ['Consumer Price Index', 'Consumer Price Index', null],
    ['Work Experience for Some Time 2022', 'Work Experience for Some Time 2022', null],
    ['Data for Research for January 2022', 'Data for Research', '2022-01'],
  ])('with the title "%s" is of %s and %s', async (summary, releaseCode, period) => {
    expect(await read([STAMP, 'DTSTART;TZID=US-Eastern:20230112T083000', `SUMMARY:${summary}`])).toMatchObject({
      releaseCode,
      period,
      title: summary,
    });
  });

  it.each([
    ['DTSTART;TZID=US-Eastern:20230112T083000', '2023-01-12T13:30:00.000Z', 'exact'],
    ['DTSTART;TZID=US/Eastern:20230712T083000', '2023-07-12T12:30:00.000Z', 'exact'],
    ['DTSTART;TZID=America/New_York:20230712T100000', '2023-07-12T14:00:00.000Z', 'exact'],
    ['DTSTART:20230112T133000Z', '2023-01-12T13:30:00.000Z', 'exact'],
    ['DTSTART;VALUE=DATE:20230112', '2023-01-12T00:00:00.000Z', 'date_only'],
  ])('that begins "%s" is due at %s', async (start, scheduledAt, timePrecision) => {
    expect(await read([STAMP, start, 'SUMMARY:x'])).toMatchObject({
      scheduledAt,
      timePrecision,
      timezone: 'America/New_York',
      status: 'scheduled',
    });
  });

  it.each([
    ['STATUS:TENTATIVE', 'tentative', 'scheduled'],
    ['STATUS:CONFIRMED', 'exact', 'scheduled'],
    ['STATUS:CANCELLED', 'exact', 'cancelled'],
  ])('with %s is %s and %s', async (line, timePrecision, status) => {
    expect(await read([STAMP, 'DTSTART;TZID=US-Eastern:20230112T083000', 'SUMMARY:x', line])).toMatchObject({ timePrecision, status });
  });

  it.each([
    ['LAST-MODIFIED:20241201T120000Z', '2025-06-01T00:00:00.000Z', '2024-12-01T12:00:00.000Z'],
    ['CLASS:PUBLIC', '2025-06-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z'],
    ['LAST-MODIFIED:20250601T000000Z', '2025-06-01T00:00:00.000Z', '2025-06-01T00:00:00.000Z'],
    ['LAST-MODIFIED:20250602T000000Z', '2025-06-01T00:00:00.000Z', '2025-06-01T00:00:00.000Z'],
  ])('with %s, retrieved at %s, is known from %s', async (line, retrievedAt, observedAt) => {
    expect((await read([STAMP, 'DTSTART;TZID=US-Eastern:20260112T083000', 'SUMMARY:x', line], retrievedAt))?.observedAt).toBe(observedAt);
  });
});

describe('the list of meetings', () => {
  const NOTE = 'Meeting dates use the last day of each meeting (the announcement day).';

  it.each([
    ['fed', 'America/New_York'],
    ['ecb', 'Europe/Berlin'],
    ['boe', 'Europe/London'],
    ['boj', 'Asia/Tokyo'],
    ['rba', 'Australia/Sydney'],
    ['boc', 'America/Toronto'],
    ['snb', 'Europe/Zurich'],
    ['riksbank', 'Europe/Stockholm'],
  ])('of %s is on the clock of %s, tentative, and known from its retrieval', async (bank, timezone) => {
    const body = { _note: NOTE, [bank]: { meetings_per_year: 2, 2024: ['2024-02-29'], 2025: ['2025-01-29'] } };
    const { of } = await tell('cb_meetings', 'central-bank-text/meeting_calendar_2024_2026.json', body, '2024-01-05T00:00:00.000Z');
    expect(of('schedules')).toEqual(
      ['2024-02-29', '2025-01-29'].map((meeting) => ({
        scheduleId: `${bank}|${meeting}`,
        releaseCode: bank,
        title: null,
        scheduledAt: `${meeting}T00:00:00.000Z`,
        timePrecision: 'tentative',
        timezone,
        status: 'scheduled',
        period: null,
        url: null,
        observedAt: '2024-01-05T00:00:00.000Z',
      })),
    );
  });
});
