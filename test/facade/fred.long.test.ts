// FRED's addresses over the sample: the service's values, with real-time periods that are whole, and nothing later than the clock stands.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { request } from 'node:http';
import { SaxesParser } from 'saxes';
import { everyPage, openServiceClient } from '../../src/client/service.ts';
import { type Listening, serveFacade } from '../../src/facade/server.ts';
import { issueKey, keyFile } from '../../src/keys/key-store.ts';
import { isLong } from '../suite.ts';
import { type RunningService, SAMPLE_TIME, startSampleService } from '../service.ts';

let service: RunningService;
let facade: Listening;
let key: string;
beforeAll(async () => {
  service = await startSampleService();
  key = (await issueKey(keyFile(service.dataDir), { label: 'bare', tier: 'full', scopes: ['data:read'] }, Date.parse(SAMPLE_TIME), true))
    .key;
  facade = await serveFacade({ url: service.url, key: null, now: () => Date.parse(SAMPLE_TIME) }, { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await facade.close();
  await service.stop();
});

type Fields = Record<string, unknown>;
interface Said {
  readonly status: number;
  readonly body: Fields;
}

async function get(path: string, query: Record<string, string> = {}, asKey: string | null = key): Promise<Said> {
  const address = new URL(`http://127.0.0.1:${facade.port}${path}`);
  for (const [name, value] of Object.entries({ file_type: 'json', ...(asKey === null ? {} : { api_key: asKey }), ...query }))
    address.searchParams.set(name, value);
  const answer = await fetch(address);
  return { status: answer.status, body: (await answer.json()) as Fields };
}

interface Observation {
  readonly realtime_start: string;
  readonly realtime_end: string;
  readonly date: string;
  readonly value: string;
}
const observations = async (query: Record<string, string>, at = ''): Promise<readonly Observation[]> => {
  const { status, body } = await get(`${at}/fred/series/observations`, query);
  expect([status, body['error_message'] ?? '']).toEqual([200, '']);
  return body['observations'] as Observation[];
};
const refusal = async (path: string, query: Record<string, string> = {}, asKey: string | null = key) => {
  const { status, body } = await get(path, query, asKey);
  expect(body['error_code']).toBe(status);
  return `${status} ${String(body['error_message'])}`;
};

/** The series of this frequency with the most values. */
async function anyOf(frequency: string): Promise<string> {
  const { data } = await everyPage(openServiceClient(service.url, key), '/indicators', { frequency });
  const rows = data as unknown as readonly { readonly indicatorId: string; readonly sourceId: string; readonly observationCount: number }[];
  const [most] = rows.toSorted((a, b) => b.observationCount - a.observationCount);
  return `${most?.indicatorId}@${most?.sourceId}`;
}

const APRIL = { series_id: 'PAYEMS', observation_start: '2020-04-01', observation_end: '2020-04-30' };

describe('observations', () => {
  it('without a real time are those known today', async () => {
    expect(await observations(APRIL)).toEqual([
      { realtime_start: '2025-09-30', realtime_end: '9999-12-31', date: '2020-04-01', value: '132660' },
    ]);
  });

  it('of all real time are the prints with the unclipped days on which each was the newest', async () => {
    const all = [
      { realtime_start: '2020-05-31', realtime_end: '2020-06-29', date: '2020-04-01', value: '133983' },
      { realtime_start: '2020-06-30', realtime_end: '2025-09-29', date: '2020-04-01', value: '133589' },
      { realtime_start: '2025-09-30', realtime_end: '9999-12-31', date: '2020-04-01', value: '132660' },
    ];
    expect(await observations({ ...APRIL, realtime_start: '1776-07-04', realtime_end: '9999-12-31' })).toEqual(all);
    // FRED would say that the second one began on the first day asked for.
    expect(await observations({ ...APRIL, realtime_start: '2021-01-01', realtime_end: '2021-12-31' })).toEqual([all[1]]);
    expect(await observations({ ...APRIL, realtime_start: '2020-06-29', realtime_end: '2020-06-29' })).toEqual([all[0]]);
    expect(await observations({ ...APRIL, realtime_start: '2020-05-30', realtime_end: '2020-05-30' })).toEqual([]);
  });

  it('are first prints, one column per vintage, or the changes of each vintage, by output type', async () => {
    const all = { ...APRIL, realtime_start: '1776-07-04', realtime_end: '9999-12-31' };
    expect((await observations({ ...all, output_type: '4' })).map(({ value }) => value)).toEqual(['133983']);
    const march = { ...all, observation_start: '2020-03-01', realtime_end: '2020-07-15' };
    const columns = (await observations({ ...march, output_type: '2' })) as unknown as Fields[];
    expect(columns[1]).toEqual({ date: '2020-04-01', PAYEMS_20200531: '133983', PAYEMS_20200630: '133589' });
    const changes = (await observations({ ...march, output_type: '3' })) as unknown as Fields[];
    const asked = '/observations?indicator_id=us_nonfarm_payrolls&source_id=fred_md&period=2020-03&vintage=all';
    const { data } = (await (await service.get(asked)).json()) as { data: { actual: number; observedAt: string }[] };
    const prints = data.map(({ actual, observedAt }) => [`PAYEMS_${observedAt.slice(0, 10).replaceAll('-', '')}`, String(actual)]);
    expect(changes[0]).toEqual({ date: '2020-03-01', ...Object.fromEntries(prints.filter(([name = '']) => name < 'PAYEMS_20200715')) });
    // An old month is a column of each vintage, and new in one of them.
    const old = { ...march, observation_start: '2019-06-01', observation_end: '2019-06-30' };
    const [whole, news] = await Promise.all(['2', '3'].map((output_type) => observations({ ...old, output_type })));
    expect(Object.keys(whole?.[0] ?? {}).length).toBeGreaterThan(Object.keys(news?.[0] ?? {}).length);
  });

  it('have a complete column for each vintage in the window only', async () => {
    const window = { series_id: 'PAYEMS', realtime_start: '2020-06-15', realtime_end: '2020-07-15', observation_end: '2020-05-31' };
    const columns = (await observations({ ...window, output_type: '2' })) as unknown as Fields[];
    // In force on the first day is the vintage of May; one of before it would lack what it revised.
    expect(new Set(columns.flatMap((row) => Object.keys(row)))).toEqual(new Set(['date', 'PAYEMS_20200531', 'PAYEMS_20200630']));
    for (const day of ['2020-05-31', '2020-06-30']) {
      const then = await observations({ ...window, realtime_start: day, realtime_end: day });
      const column = `PAYEMS_${day.replaceAll('-', '')}`;
      const told = columns.flatMap((row) => (column in row ? [[row['date'], row[column]]] : []));
      expect(told).toEqual(then.map(({ date, value }) => [date, value]));
    }
  });

  it('are never later prints as first prints if the window begins later', async () => {
    const first = { ...APRIL, output_type: '4' };
    expect(await observations(first)).toEqual([]);
    expect(await observations({ ...first, realtime_start: '2021-01-01', realtime_end: '2021-12-31' })).toEqual([]);
    expect((await observations({ ...first, realtime_start: '2020-06-29', realtime_end: '2021-12-31' })).map(({ value }) => value)).toEqual([
      '133983',
    ]);
    expect(await observations({ ...first, vintage_dates: '2020-07-15' })).toEqual([]);
  });

  it('of vintage dates are those known on one of these days', async () => {
    const values = await observations({ ...APRIL, vintage_dates: '2020-06-15,2020-07-15' });
    expect(values.map(({ value }) => value)).toEqual(['133983', '133589']);
  });

  it('are paged and sorted in both directions', async () => {
    const query = {
      series_id: 'PAYEMS',
      observation_start: '2019-01-01',
      observation_end: '2019-12-31',
      sort_order: 'desc',
      limit: '2',
      offset: '1',
    };
    const { body } = await get('/fred/series/observations', query);
    expect([body['count'], body['limit'], body['offset'], (body['observations'] as Observation[]).map(({ date }) => date)]).toEqual([
      12,
      2,
      1,
      ['2019-11-01', '2019-10-01'],
    ]);
  });

  it('in units and frequencies use the data known on that day', async () => {
    const span = {
      series_id: 'PAYEMS',
      realtime_start: '2020-06-30',
      realtime_end: '2020-06-30',
      observation_start: '2020-01-01',
      observation_end: '2020-05-31',
    };
    const levels = (await observations({ ...span, observation_start: '2019-01-01' })).map(
      ({ date, value }) => [date, Number(value)] as const,
    );
    const of = new Map(levels);
    const at = (date: string) => of.get(date) ?? Number.NaN;
    const one = async (units: string) => Number((await observations({ ...span, observation_start: '2020-05-01', units })).at(-1)?.value);
    const [x, before, year] = [at('2020-05-01'), at('2020-04-01'), at('2019-05-01')];
    expect(await one('chg')).toBe(x - before);
    expect(await one('ch1')).toBe(x - year);
    expect(await one('pch')).toBeCloseTo(((x - before) / before) * 100, 9);
    expect(await one('pc1')).toBeCloseTo(((x - year) / year) * 100, 9);
    expect(await one('pca')).toBeCloseTo(((x / before) ** 12 - 1) * 100, 9);
    expect(await one('cch')).toBeCloseTo((Math.log(x) - Math.log(before)) * 100, 9);
    expect(await one('cca')).toBeCloseTo((Math.log(x) - Math.log(before)) * 1200, 9);
    expect(await one('log')).toBeCloseTo(Math.log(x), 12);
    const quarters = await observations({ ...span, frequency: 'q' });
    expect(quarters.map(({ date, value }) => [date, value === '.' ? '.' : Number(value)])).toEqual([
      ['2020-01-01', (at('2020-01-01') + at('2020-02-01') + at('2020-03-01')) / 3],
      // June is not there yet.
      ['2020-04-01', '.'],
    ]);
    expect((await observations({ ...span, frequency: 'q', aggregation_method: 'eop' }))[0]?.value).toBe(String(at('2020-03-01')));
  });

  it('of days become weeks, and are compared with the day 364 days before', async () => {
    const series_id = await anyOf('daily');
    const levels = (await observations({ series_id })).map(({ date, value }) => [date, Number(value)] as const);
    expect(levels.length).toBeGreaterThan(400);
    const at = new Map(levels);
    const day = (date: string, days: number) => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
    const changes = await observations({ series_id, units: 'pc1' });
    const expected = levels.map(([date, value]) => (value / (at.get(day(date, -364)) ?? Number.NaN) - 1) * 100);
    expect(changes.map(({ value }) => Number(value))).toEqual(expected);
    expect(expected.filter(Number.isFinite).length).toBeGreaterThan(100);
    const weeks = await observations({ series_id, frequency: 'wef', aggregation_method: 'eop' });
    expect(new Set(weeks.map(({ date }) => new Date(date).getUTCDay()))).toEqual(new Set([5]));
    for (const { date, value } of weeks.slice(1, -1)) expect(Number(value)).toBe(levels.filter(([one]) => one <= date).at(-1)?.[1]);
    expect(await observations({ series_id, frequency: 'd' })).toEqual(
      (await observations({ series_id })).map((one) => ({ ...one, realtime_start: expect.any(String), realtime_end: expect.any(String) })),
    );
  });

  it('keep a frequency that the series has, and refuse a finer one', async () => {
    const weekly = await anyOf('weekly');
    const values = async (query: Record<string, string>) => (await observations({ series_id: weekly, ...query })).map(({ value }) => value);
    const own = await values({});
    const end = new Date((await observations({ series_id: weekly })).at(-1)?.date ?? '').getUTCDay();
    const letters = ['wesu', 'wem', 'wetu', 'wew', 'weth', 'wef', 'wesa'];
    expect(await values({ frequency: 'w' })).toEqual(own);
    expect(await values({ frequency: letters[end] ?? '' })).toEqual(own);
    for (const [id, frequency] of [
      [weekly, letters[(end + 1) % 7] ?? ''],
      [weekly, 'd'],
      ['PAYEMS', 'w'],
      ['PAYEMS', 'wef'],
      ['PAYEMS', 'd'],
    ] as const)
      expect(await refusal('/fred/series/observations', { series_id: id, frequency })).toContain(
        `Value of frequency is ${frequency}, but ${id} is ${id === weekly ? 'weekly' : 'monthly'}. Remove frequency or use a coarser one.`,
      );
    expect(await refusal('/fred/series/observations', { series_id: 'PAYEMS', frequency: 'bw' })).toContain(
      'Value of frequency is one of d, w,',
    );
  });

  it('that FRED would combine from several days are refused', async () => {
    expect(await refusal('/fred/series/observations', { ...APRIL, units: 'pch', realtime_start: '2020-01-01' })).toContain(
      'need the data of one day',
    );
  });
});

describe('a clock that stands at a day', () => {
  it('shows nothing later, in any answer', async () => {
    const at = '/at/2020-06-15';
    expect(await observations(APRIL, at)).toEqual([
      { realtime_start: '2020-05-31', realtime_end: '9999-12-31', date: '2020-04-01', value: '133983' },
    ]);
    expect((await observations({ ...APRIL, realtime_start: '1776-07-04', realtime_end: '9999-12-31' }, at)).length).toBe(1);
    expect((await get(`${at}/fred/series/vintagedates`, { series_id: 'PAYEMS' })).body['vintage_dates']).toEqual([
      '2020-02-29',
      '2020-03-31',
      '2020-04-30',
      '2020-05-31',
    ]);
    const { seriess } = (await get(`${at}/fred/series`, { series_id: 'PAYEMS' })).body as { seriess: Fields[] };
    expect(seriess[0]).toMatchObject({
      realtime_start: '2020-06-15',
      observation_end: '2020-04-01',
      last_updated: '2020-05-31 23:59:59+00',
    });
    const put = (await get(`${at}/fred/series`, { series_id: 'PAYEMS', realtime_end: '2020-07-15' })).body as { seriess: Fields[] };
    expect(put.seriess[0]).toMatchObject({ observation_end: '2020-04-01', last_updated: '2020-05-31 23:59:59+00' });
    expect(await refusal('/at/2020-01-15/fred/series', { series_id: 'PAYEMS' })).toContain('The series PAYEMS does not exist.');
  });

  it('has no vintage of a future day, in any answer', async () => {
    for (const [path, query] of [
      ['/fred/series/observations', { ...APRIL, vintage_dates: '2020-06-01,2021-01-01' }],
      ['/fred/series/observations', { ...APRIL, realtime_start: '2020-06-16', realtime_end: '9999-12-31' }],
      ['/fred/series', { series_id: 'PAYEMS', realtime_start: '2021-01-01', realtime_end: '2021-01-01' }],
    ] as const)
      expect(await refusal(`/at/2020-06-15${path}`, query)).toContain('is after 2020-06-15, the newest day here');
  });

  it('must be a past day', async () => {
    expect(await refusal('/at/2999-01-01/fred/series', { series_id: 'PAYEMS' })).toBe(
      '400 Bad Request. 2999-01-01 is in the future. Use a day up to today.',
    );
    for (const day of ['2020-02-30', 'yesterday', ''])
      expect(await refusal(`/at/${day}/fred/series`, { series_id: 'PAYEMS' })).toContain('Write a day after /at');
  });

  it('gives the same as as_of of that day, for random days and series', async () => {
    const listed = await everyPage(openServiceClient(service.url, key), '/indicators', { as_of: '2026-11-20' });
    const data = listed.data as unknown as readonly Readonly<Record<'indicatorId' | 'sourceId' | 'frequency', string>>[];
    expect(data.length).toBeGreaterThan(500);
    const known = data.filter(({ frequency }) => ['daily', 'weekly', 'monthly', 'quarterly', 'annual'].includes(frequency));
    const day = fc
      .integer({ min: Date.parse('2020-05-01') / 86_400_000, max: Date.parse('2026-11-20') / 86_400_000 })
      .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
    let withRows = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...known), day, async ({ indicatorId, sourceId }, on) => {
        const query = new URLSearchParams({
          indicator_id: indicatorId,
          source_id: sourceId,
          as_of: on,
          format: 'ndjson',
          columns: 'period_end,actual',
          sort: 'period_end',
          limit: '1000000',
        });
        const lines = (await (await service.get(`/observations?${query.toString()}`)).text()).split('\n').filter(Boolean);
        const then = lines.map((line) => JSON.parse(line) as { periodEnd: string; actual: number | null });
        const { body, status } = await get(`/at/${on}/fred/series/observations`, { series_id: `${indicatorId}@${sourceId}` });
        const seen = status === 200 ? (body['observations'] as Observation[]) : [];
        // A series of which no value is known yet is none to a client of FRED.
        const expected = then.every(({ actual }) => actual === null) && status === 400 ? [] : then;
        expect(seen.map(({ value }) => value)).toEqual(expected.map(({ actual }) => (actual === null ? '.' : String(actual))));
        if (seen.length > 0) withRows += 1;
      }),
      { numRuns: isLong ? 1000 : 60 },
    );
    expect(withRows).toBeGreaterThan(isLong ? 200 : 5);
  });
});

describe('the record of a series', () => {
  it('has the facts of the service, under the id of FRED', async () => {
    const { body } = await get('/fred/series', { series_id: 'payems' });
    expect(body['seriess']).toEqual([
      expect.objectContaining({
        id: 'PAYEMS',
        title: 'All Employees, Total Nonfarm',
        frequency_short: 'M',
        units: 'thousands',
        seasonal_adjustment_short: 'SA',
        observation_start: '2017-08-01',
      }),
    ]);
  });

  it('has the facts known on the last day of the requested real time', async () => {
    const day = { realtime_start: '2020-06-15', realtime_end: '2020-06-15' };
    const { seriess } = (await get('/fred/series', { series_id: 'PAYEMS', ...day })).body as { seriess: Fields[] };
    expect(seriess[0]).toMatchObject({ ...day, observation_end: '2020-04-01', last_updated: '2020-05-31 23:59:59+00' });
    expect(seriess).toEqual(((await get('/at/2020-06-15/fred/series', { series_id: 'PAYEMS' })).body as { seriess: Fields[] }).seriess);
    const query = { search_text: 'employees nonfarm' };
    const found = (await get('/fred/series/search', { ...query, ...day })).body['seriess'];
    expect(found).toEqual((await get('/at/2020-06-15/fred/series/search', query)).body['seriess']);
    expect((found as Fields[])[0]).toMatchObject({ id: 'PAYEMS', observation_end: '2020-04-01' });
    const before = { realtime_start: '2020-01-15', realtime_end: '2020-01-15' };
    expect(await refusal('/fred/series', { series_id: 'PAYEMS', ...before })).toContain('The series PAYEMS does not exist.');
    expect((await get('/fred/series/search', { ...query, ...before })).body['count']).toBe(0);
    // The clock that stands is not put forward by it.
    const held = (await get('/at/2020-06-15/fred/series', { series_id: 'PAYEMS', realtime_end: '9999-12-31' })).body['seriess'];
    expect((held as Fields[])[0]).toMatchObject({ observation_end: '2020-04-01' });
  });

  it('comes best first by rank, which FRED sorts in descending order', async () => {
    const search = async (query: Record<string, string>) => {
      const { body } = await get('/fred/series/search', { search_text: 'us_unemployment_rate unemployment', ...query });
      return [body['sort_order'], (body['seriess'] as Fields[]).map(({ id }) => id)] as const;
    };
    const [order, ids] = await search({});
    expect([order, ids.length > 0]).toEqual(['desc', true]);
    expect(await search({ order_by: 'search_rank', sort_order: 'desc' })).toEqual(['desc', ids]);
    expect(await search({ sort_order: 'asc' })).toEqual(['asc', ids.toReversed()]);
    const { body } = await get('/fred/series/search', { search_text: 'confidence', limit: '3' });
    const { body: turned } = await get('/fred/series/search', {
      search_text: 'confidence',
      order_by: 'search_rank',
      sort_order: 'desc',
      limit: '3',
    });
    expect(turned['seriess']).toEqual(body['seriess']);
    // An id that is among the words is better than any title.
    const best = (await get('/fred/series/search', { search_text: 'UNRATE' })).body['seriess'] as Fields[];
    expect([best.length > 0, best[0]?.['id']]).toEqual([true, 'UNRATE']);
    expect((await get('/fred/series/search', { search_text: 'confidence', order_by: 'title' })).body['sort_order']).toBe('asc');
  });

  it('is found by words in name and notes, filtered and paged', async () => {
    const { body } = await get('/fred/series/search', { search_text: 'employees nonfarm' });
    expect((body['seriess'] as Fields[])[0]).toMatchObject({ id: 'PAYEMS' });
    const monthly = (
      await get('/fred/series/search', {
        search_text: 'confidence',
        filter_variable: 'frequency',
        filter_value: 'Monthly',
        limit: '3',
        order_by: 'series_id',
      })
    ).body;
    const ids = (monthly['seriess'] as Fields[]).map(({ id }) => String(id));
    expect([ids.length, ids, Number(monthly['count']) > 3]).toEqual([3, ids.toSorted(), true]);
    expect((await get('/fred/series/search', { search_text: 'payem*', search_type: 'series_id' })).body['count']).toBe(1);
  });

  it('has its vintages, in either order', async () => {
    const { body } = await get('/fred/series/vintagedates', {
      series_id: 'PAYEMS',
      realtime_start: '2020-05-01',
      realtime_end: '2020-07-15',
      sort_order: 'desc',
    });
    expect(body['vintage_dates']).toEqual(['2020-06-30', '2020-05-31']);
  });
});

describe('the forms', () => {
  it('are XML without file_type, with the same fields as JSON', async () => {
    const text = await (
      await fetch(
        `http://127.0.0.1:${facade.port}/fred/series/observations?series_id=PAYEMS&observation_start=2020-04-01&observation_end=2020-04-30&api_key=${key}`,
      )
    ).text();
    const seen: [string, Record<string, string>][] = [];
    const parser = new SaxesParser();
    parser.on('opentag', ({ name, attributes }) => void seen.push([name, attributes as Record<string, string>]));
    parser.write(text).close();
    expect(seen.map(([name]) => name)).toEqual(['observations', 'observation']);
    expect(seen[0]?.[1]).toMatchObject({ count: '1', units: 'lin', order_by: 'observation_date' });
    expect(seen[1]?.[1]).toEqual({ realtime_start: '2025-09-30', realtime_end: '9999-12-31', date: '2020-04-01', value: '132660' });
  });

  it('are CSV for a graph, as of a day if one is given', async () => {
    const graph = async (query: string) =>
      (await fetch(`http://127.0.0.1:${facade.port}/graph/fredgraph.csv?id=PAYEMS&cosd=2020-04-01&coed=2020-04-30${query}`)).text();
    expect(await graph('')).toContain('api_key is not registered');
    const open = await serveFacade({ url: service.url, key, now: () => Date.parse(SAMPLE_TIME) }, { host: '127.0.0.1', port: 0 });
    const own = async (query: string) =>
      (await fetch(`http://127.0.0.1:${open.port}/graph/fredgraph.csv?id=PAYEMS&cosd=2020-04-01&coed=2020-04-30${query}`)).text();
    expect([await own(''), await own('&vintage_date=2020-06-15')]).toEqual([
      'observation_date,PAYEMS\n2020-04-01,132660\n',
      'observation_date,PAYEMS\n2020-04-01,133983\n',
    ]);
    const after = await fetch(`http://127.0.0.1:${open.port}/at/2020-06-15/graph/fredgraph.csv?id=PAYEMS&vintage_date=2020-06-16`);
    expect([after.status, await after.text()]).toEqual([400, expect.stringContaining('vintage_date 2020-06-16 is after 2020-06-15')]);
    await open.close();
  });
});

describe('a question that cannot be answered', () => {
  it.each([
    ['an unknown variable', '/fred/series', { series_id: 'PAYEMS', colour: 'red' }, '400 Bad Request. Unknown variable colour.'],
    ['a series that is not there', '/fred/series', { series_id: 'NOPE' }, '400 Bad Request. The series NOPE does not exist.'],
    ['no series', '/fred/series', {}, '400 Bad Request. The variable series_id is not set.'],
    [
      'a day that is none',
      '/fred/series/observations',
      { series_id: 'PAYEMS', observation_start: '2020-02-30' },
      '400 Bad Request. Value of observation_start is not a day as YYYY-MM-DD.',
    ],
    [
      'a span that ends before it begins',
      '/fred/series/observations',
      { series_id: 'PAYEMS', realtime_start: '2021-01-01', realtime_end: '2020-01-01' },
      'is after realtime_end 2020-01-01.',
    ],
    [
      'more than there is at once',
      '/fred/series/observations',
      { series_id: 'PAYEMS', limit: '100001' },
      'Value of limit is more than 100000.',
    ],
    [
      'half of a filter',
      '/fred/series/search',
      { search_text: 'confidence', filter_value: 'Monthly' },
      'Set filter_variable and filter_value together.',
    ],
    [
      'the other half of it',
      '/fred/series/search',
      { search_text: 'confidence', filter_variable: 'frequency' },
      'Set filter_variable and filter_value together.',
    ],
    ['what is not kept', '/fred/sources', {}, '400 Bad Request. /fred/sources is not served'],
    ['another address', '/nothing', {}, '404 Not Found. The addresses are /fred/category'],
    ['an address with a host of its own', '//elsewhere/fred/releases', {}, '404 Not Found. The addresses are /fred/category'],
  ])('gives the reason: %s', async (_, path, query, message) => {
    expect(await refusal(path, query as Record<string, string>)).toContain(message);
  });

  it('without a key gets the error of FRED, and never shows a key', async () => {
    const search = { search_text: 'employees' };
    expect((await get('/fred/series/search', search)).status).toBe(200);
    expect(await refusal('/fred/series/search', search, 'b'.repeat(32))).toContain('api_key is not registered');
    expect(await refusal('/fred/series', { series_id: 'PAYEMS' }, null)).toContain('api_key is not registered');
    for (const odd of ['\0', 'ключ', 'a\nb'])
      expect(await refusal('/fred/series', { series_id: 'PAYEMS' }, odd)).toContain('api_key is not registered');
    const wrong = 'a'.repeat(32);
    expect(await refusal('/fred/series', { series_id: 'PAYEMS' }, wrong)).not.toContain(wrong);
  });

  it('with the Host of another machine is refused', async () => {
    const status = await new Promise<number>((done, fail) => {
      const sent = request(
        {
          hostname: '127.0.0.1',
          port: facade.port,
          path: `/fred/series?series_id=PAYEMS&api_key=${key}`,
          headers: { host: 'evil.example' },
        },
        (answer) => {
          answer.resume();
          done(answer.statusCode ?? 0);
        },
      );
      sent.once('error', fail);
      sent.end();
    });
    expect(status).toBe(403);
  });

  it('always gets a 4xx, never a 5xx', async () => {
    const names = fc.constantFrom(
      'series_id',
      'realtime_start',
      'realtime_end',
      'limit',
      'offset',
      'units',
      'frequency',
      'output_type',
      'vintage_dates',
      'search_text',
      'file_type',
      'sort_order',
      'release_id',
      'order_by',
      'filter_variable',
      'filter_value',
      'include_release_dates_with_no_data',
      'start_time',
      'end_time',
      'category_id',
      'tag_names',
      'exclude_tag_names',
      'tag_group_id',
      'series_search_text',
      'timezone',
      'indicator_id',
      'as_of',
      'filter',
      'company',
      'contract',
      'report',
      'x',
    );
    const values = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        'PAYEMS',
        '2020-01-01',
        '9999-12-31',
        '4',
        'pch',
        'q',
        'json',
        'xml',
        '50',
        '202005310000',
        'us_cpi',
        'ZZSMA',
        'tff',
        'cpi:gt:1',
        'usa;monthly',
        'wef',
        'Asia/Tokyo',
        '-1',
        '1e9',
        '%00',
        '../..',
      ),
    );
    const paths = fc.constantFrom(
      '/fred/series',
      '/fred/series/observations',
      '/fred/series/vintagedates',
      '/fred/series/search',
      '/fred/series/updates',
      '/fred/releases',
      '/fred/release/series',
      '/fred/release/dates',
      '/fred/category',
      '/fred/category/children',
      '/fred/category/series',
      '/fred/category/related_tags',
      '/fred/tags',
      '/fred/tags/series',
      '/fred/related_tags',
      '/fred/series/tags',
      '/fred/series/search/tags',
      '/openbb/widgets.json',
      '/openbb/series',
      '/openbb/vintages',
      '/openbb/screener',
      '/openbb/calendar',
      '/openbb/company',
      '/openbb/positions',
      '/at/2021-01-01/openbb/series',
      '/openbb/constructor',
      '/graph/fredgraph.csv',
      '/at/2021-01-01/fred/series/observations',
      '/at//fred',
      '/fred/%2e%2e',
      '//',
    );
    await fc.assert(
      fc.asyncProperty(paths, fc.array(fc.tuple(names, values), { maxLength: 5 }), async (path, pairs) => {
        const query = new URLSearchParams([...pairs.map(([name, value]) => [name, value] as [string, string]), ['api_key', key]]);
        const answer = await fetch(`http://127.0.0.1:${facade.port}${path}?${query.toString()}`, { redirect: 'manual' });
        const text = await answer.text();
        expect([answer.status < 500, text.length > 0]).toEqual([true, true]);
        if (answer.headers.get('content-type')?.startsWith('text/xml') === true) new SaxesParser().write(text).close();
      }),
      { numRuns: isLong ? 2000 : 200 },
    );
  });
});
