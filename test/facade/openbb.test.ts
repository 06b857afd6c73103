// A backend of OpenBB Workspace over the sample: what widgets.json promises is there, with the service's own values, and nothing later than the clock stands.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Listening, serveFacade } from '../../src/facade/server.ts';
import { type ListBody, type RunningService, SAMPLE_TIME, startSampleService } from '../service.ts';

let service: RunningService;
let facade: Listening;
beforeAll(async () => {
  service = await startSampleService();
  facade = await serveFacade({ url: service.url, key: null, now: () => Date.parse(SAMPLE_TIME) }, { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await facade.close();
  await service.stop();
});

type Row = Readonly<Record<string, unknown>>;

async function get(path: string, query: Readonly<Record<string, string>> = {}, key: string | null = service.keys.full) {
  const address = new URL(`http://127.0.0.1:${facade.port}${path}`);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  const answer = await fetch(address, { headers: key === null ? {} : { 'x-api-key': key } });
  return { status: answer.status, body: await answer.json() };
}
async function rowsOf(path: string, query: Readonly<Record<string, string>> = {}): Promise<readonly Row[]> {
  const { status, body } = await get(path, query);
  expect([status, (body as { error?: string }).error ?? '']).toEqual([200, '']);
  return body as Row[];
}
const asked = async (path: string) => ((await (await service.get(path)).json()) as ListBody).data;

/** As OpenBB's reference of widgets.json has them. */
const Widgets = z.record(
  z.string().regex(/^[a-z_]+$/),
  z.strictObject({
    name: z.string().min(1),
    description: z.string().min(1),
    category: z.string(),
    type: z.literal('table'),
    endpoint: z.string().regex(/^[a-z]+$/),
    gridData: z.strictObject({ w: z.int().min(10).max(40), h: z.int().min(4).max(100) }),
    params: z.array(
      z.strictObject({
        paramName: z.string(),
        label: z.string(),
        description: z.string(),
        type: z.enum(['text', 'date', 'number']),
        value: z.union([z.string(), z.number(), z.null()]),
        optional: z.boolean(),
        options: z.array(z.strictObject({ label: z.string(), value: z.string() })).optional(),
      }),
    ),
    data: z.strictObject({
      table: z.strictObject({
        showAll: z.boolean(),
        columnsDefs: z.array(z.strictObject({ field: z.string(), headerName: z.string() })).min(3),
      }),
    }),
  }),
);

/** What a choice of a widget has rows for, where that is not what is set at first: gold is in no report of financial futures. */
const ROWS_FOR: Readonly<Record<string, Readonly<Record<string, string>>>> = { tff: { contract: '13874A' } };

describe('widgets.json', () => {
  it('has the form that Workspace reads, and needs no key; there are no dashboards', async () => {
    const widgets = Widgets.parse((await get('/openbb/widgets.json', {}, null)).body);
    expect(Object.keys(widgets).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'calendar',
      'company',
      'positions',
      'screener',
      'series',
      'vintages',
    ]);
    for (const [id, { endpoint, params }] of Object.entries(widgets)) {
      expect(endpoint).toBe(id);
      expect(params.map(({ paramName }) => paramName)).toContain('as_of');
    }
    expect(await get('/openbb/apps.json', {}, null)).toEqual({ status: 200, body: [] });
  });

  it.each(['series', 'vintages', 'screener', 'calendar', 'company', 'positions'])(
    '%s has flat rows for its default parameters, with the columns that it names',
    async (id) => {
      const { params, data } = Widgets.parse((await get('/openbb/widgets.json')).body)[id] ?? {
        params: [],
        data: { table: { columnsDefs: [] } },
      };
      const query = Object.fromEntries(params.flatMap(({ paramName, value }) => (value === null ? [] : [[paramName, String(value)]])));
      // The sample has no company of a real name.
      const rows = await rowsOf(`/openbb/${id}`, id === 'company' ? { ...query, company: 'ZZSMA' } : query);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.length).toBeLessThanOrEqual(Number(query['limit']));
      expect(rows.flatMap((row) => Object.values(row)).filter((value) => value !== null && typeof value === 'object')).toEqual([]);
      const absent = data.table.columnsDefs.map(({ field }) => field).filter((field) => !(field in (rows[0] ?? {})));
      expect([id, absent]).toEqual([id, []]);
      // Each choice can be asked for.
      for (const { paramName, options = [] } of params)
        for (const { value } of options)
          await rowsOf(`/openbb/${id}`, {
            ...query,
            ...(id === 'company' ? { company: 'ZZSMA' } : {}),
            ...ROWS_FOR[value],
            [paramName]: value,
          });
    },
  );
});

describe('rows', () => {
  it('of a series are those of the service, as of a day if one is set', async () => {
    for (const as_of of ['', '2020-06-15']) {
      const rows = await rowsOf('/openbb/series', {
        indicator_id: 'us_nonfarm_payrolls',
        source_id: 'fred_md',
        limit: '40',
        ...(as_of === '' ? {} : { as_of }),
      });
      const expected = await asked(
        `/observations?indicator_id=us_nonfarm_payrolls&source_id=fred_md&sort=period_end&order=desc&limit=40${as_of === '' ? '' : `&as_of=${as_of}`}`,
      );
      const told = (row: Row) => [row['periodEnd'], row['actual'], row['observedAt'], row['vintage'], row['observationId']];
      expect(rows.map(told)).toEqual(expected.map(told));
      expect(rows[0]?.['periodEnd']).toBe(as_of === '' ? rows[0]?.['periodEnd'] : '2020-04-30');
    }
  });

  it('of vintages are every print, with the time at which the next one replaced it', async () => {
    const rows = await rowsOf('/openbb/vintages', { indicator_id: 'us_nonfarm_payrolls', source_id: 'fred_md', period: '2020-04' });
    const expected = await asked(
      '/observations?indicator_id=us_nonfarm_payrolls&source_id=fred_md&period=2020-04&vintage=all&limit=500&sort=observed_at&order=desc',
    );
    expect(expected.length).toBeGreaterThan(1);
    expect(rows.map((row) => [row['actual'], row['observedAt']])).toEqual(expected.map((row) => [row['actual'], row['observedAt']]));
    expect(rows.map((row) => row['supersededAt'])).toEqual([null, ...expected.slice(0, -1).map((row) => row['observedAt'])]);
  });

  it('of a screen have a column for each field', async () => {
    const filter = 'unemployment_rate:is:notnull';
    const rows = await rowsOf('/openbb/screener', { filter, rank_by: 'unemployment_rate:desc', as_of: '2020-06-30' });
    const expected = await asked(`/public/screener?filter=${filter}&rank_by=unemployment_rate:desc&as_of=2020-06-30&limit=500`);
    expect(rows.map((row) => [row['rank'], row['name'], row['unemployment_rate']])).toEqual(
      expected.map((row) => [row['rank'], row['name'], (row['values'] as Record<string, { value: number }>)['unemployment_rate']?.value]),
    );
    expect(rows.length).toBeGreaterThan(0);
  });

  it('of a company are the lines of its statements, of a contract its percentiles, of the calendar its entries', async () => {
    const lines = await rowsOf('/openbb/company', { company: 'ZZSMA', statement: 'income', limit: '5000' });
    const statements = await asked(
      '/companies/ZZSMA/financials?statement=income&period=annual&basis=most_recent&sort=period_end&order=desc&limit=500',
    );
    expect(lines.map((row) => [row['periodEnd'], row['key'], row['value']])).toEqual(
      statements.flatMap((row) => (row['lines'] as Row[]).map((line) => [row['periodEnd'], line['key'], line['value']])),
    );
    const [newest] = await rowsOf('/openbb/positions', { contract: '13874A', report: 'tff', limit: '1' });
    const [percentile] = await asked(
      '/derived-observations?indicator_id=cftc_13874a_cot_tff_percentile&sort=period_end&order=desc&limit=1',
    );
    const { net, weeklyChange } = (percentile?.['metadata'] ?? {}) as Row;
    expect([newest?.['percentile'], newest?.['net'], newest?.['weeklyChange']]).toEqual([percentile?.['valueNumeric'], net, weeklyChange]);
    const week = 'start_date=2026-08-31&end_date=2026-09-06';
    const entries = await rowsOf('/openbb/calendar', Object.fromEntries(new URLSearchParams(week)));
    const expected = await asked(`/economic-calendar?${week}&limit=500&sort=scheduled_at&order=desc`);
    expect(entries.map((row) => [row['eventId'], row['actual'], row['revisedPrevious']])).toEqual(
      expected.map((row) => [row['eventId'], row['actual'], row['revisedPrevious']]),
    );
    expect(entries.length).toBeGreaterThan(0);
  });

  it('of the calendar have the time of the clock in a time zone, and the days of that zone', async () => {
    const entries = await rowsOf('/openbb/calendar', { limit: '5000' });
    const fine = (row: Row) => row['timePrecision'] === 'exact';
    for (const [timezone, offset] of [
      ['Asia/Tokyo', 9],
      ['America/Phoenix', -7],
      ['UTC', 0],
    ] as const) {
      const rows = await rowsOf('/openbb/calendar', { limit: '5000', timezone });
      expect(rows.map(({ scheduledLocal: _, ...row }) => row)).toEqual(entries.map(({ scheduledLocal: _, ...row }) => row));
      for (const row of rows) {
        const time = new Date(Date.parse(String(row['scheduledAt'])) + (fine(row) ? offset * 3_600_000 : 0)).toISOString();
        // A day without an hour is the same day everywhere.
        expect(row['scheduledLocal']).toBe(fine(row) ? time.slice(0, 16).replace('T', ' ') : time.slice(0, 10));
      }
      const isOtherDay = (row: Row) => !String(row['scheduledAt']).startsWith(String(row['scheduledLocal']).slice(0, 10));
      expect([timezone, rows.some(isOtherDay)]).toEqual([timezone, timezone === 'Asia/Tokyo']);
      const day = String(rows.find((row) => isOtherDay(row) || (fine(row) && timezone !== 'Asia/Tokyo'))?.['scheduledLocal']).slice(0, 10);
      const ofDay = await rowsOf('/openbb/calendar', { limit: '5000', timezone, start_date: day, end_date: day });
      expect(ofDay).toEqual(rows.filter((row) => String(row['scheduledLocal']).startsWith(day)));
      expect(await rowsOf('/openbb/calendar', { limit: '1', timezone, start_date: day, end_date: day })).toEqual(ofDay.slice(0, 1));
    }
    // With summer time: 8:30 in New York is 12:30 or 13:30 UTC.
    const hours = await rowsOf('/openbb/calendar', { limit: '5000', timezone: 'America/New_York', country: 'US' });
    const half = hours
      .filter((row) => String(row['scheduledLocal']).endsWith(' 08:30'))
      .map((row) => String(row['scheduledAt']).slice(11, 16));
    expect(new Set(half)).toEqual(new Set(['12:30', '13:30']));
  });

  it('over several pages are complete, up to the limit', async () => {
    const all = await rowsOf('/openbb/positions', { contract: '13874A', report: 'tff', limit: '5000' });
    const calendar = await rowsOf('/openbb/calendar', { limit: '5000' });
    expect([all.length > 100, calendar.length > 100]).toEqual([true, true]);
    expect(await rowsOf('/openbb/calendar', { limit: '7' })).toEqual(calendar.slice(0, 7));
  });

  it('under a clock at a day are never later, whatever is requested', async () => {
    const query = { indicator_id: 'us_nonfarm_payrolls', source_id: 'fred_md', limit: '5' };
    const then = await rowsOf('/openbb/series', { ...query, as_of: '2020-06-15' });
    expect(await rowsOf('/at/2020-06-15/openbb/series', query)).toEqual(then);
    expect(await rowsOf('/at/2020-06-15/openbb/series', { ...query, as_of: '2021-06-15' })).toEqual(then);
    expect(await rowsOf('/at/2020-06-15/openbb/series', { ...query, as_of: '2020-04-15' })).toEqual(
      await rowsOf('/openbb/series', { ...query, as_of: '2020-04-15' }),
    );
  });

  it.each([
    ['a widget that is not there', '/openbb/nothing', {}, 404, 'The widgets are series, vintages'],
    ['a parameter that is not known', '/openbb/series', { indicator_id: 'us_cpi', colour: 'red' }, 400, 'Unknown variable colour'],
    ['a day that is none', '/openbb/series', { indicator_id: 'us_cpi', as_of: '2020-02-30' }, 400, 'Value of as_of is not a day'],
    ['more rows than are given', '/openbb/series', { indicator_id: 'us_cpi', limit: '5001' }, 400, 'Value of limit is more than 5000'],
    ['nothing to be shown', '/openbb/company', {}, 400, 'The variable company is not set'],
    ['a company that is not there', '/openbb/company', { company: 'PAYEMS' }, 404, 'Not Found.'],
    ['an indicator that is not there', '/openbb/series', { indicator_id: 'us_nope' }, 404, 'No value of us_nope is known.'],
    [
      'one that was not there yet',
      '/openbb/vintages',
      { indicator_id: 'us_nonfarm_payrolls', as_of: '2000-01-31' },
      404,
      'No value of us_nonfarm_payrolls is known as of 2000-01-31.',
    ],
    [
      'a source that has none of it',
      '/openbb/series',
      { indicator_id: 'us_nonfarm_payrolls', source_id: 'ecb' },
      404,
      'No value of us_nonfarm_payrolls from ecb is known.',
    ],
    [
      'a contract that is not there',
      '/openbb/positions',
      { contract: '999999' },
      404,
      'No percentile of contract 999999 (legacy) is known.',
    ],
    ['what the service refuses', '/openbb/screener', { filter: 'cpi:above:1' }, 400, 'operator `above`'],
    ...['Mars/Olympus', '+02:00', 'x'.repeat(300), '__proto__'].map(
      (timezone) =>
        [
          `the time zone ${timezone.slice(0, 20)}`,
          '/openbb/calendar',
          { timezone },
          400,
          'Value of timezone is not an IANA time zone, such as America/New_York.',
        ] as const,
    ),
    ['a choice that there is not', '/openbb/company', { company: 'ZZSMA', statement: 'all' }, 400, 'Value of statement is one of income'],
  ] as const)('of %s are refused', async (_, path, query, status, message) => {
    const answer = await get(path, query);
    expect([answer.status, (answer.body as { error: string }).error]).toEqual([status, expect.stringContaining(message)]);
  });
});

describe('foreign pages', () => {
  interface Told {
    readonly status: number;
    readonly headers: Readonly<Record<string, unknown>>;
  }
  const send = (method: string, path: string, headers: Record<string, string>) =>
    new Promise<Told>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: facade.port, method, path, headers }, (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, headers: response.headers });
      });
      sent.on('error', reject);
      sent.end();
    });
  const ORIGIN = 'access-control-allow-origin';

  it('may read it only if they are those of Workspace', async () => {
    for (const origin of ['https://pro.openbb.co', 'http://localhost:1420'])
      expect((await send('GET', '/openbb/widgets.json', { origin })).headers[ORIGIN]).toBe(origin);
    for (const origin of ['https://evil.example', 'https://pro.openbb.co.evil.example', 'null'])
      expect((await send('GET', '/openbb/widgets.json', { origin })).headers[ORIGIN]).toBeUndefined();
    expect((await send('GET', '/fred/series?series_id=PAYEMS', { origin: 'https://pro.openbb.co' })).headers[ORIGIN]).toBeUndefined();
    expect((await send('GET', '/at/2020-06-15/openbb/widgets.json', { origin: 'https://pro.openbb.co' })).headers[ORIGIN]).toBe(
      'https://pro.openbb.co',
    );
  });

  it('may preflight one header and loopback, for reads only', async () => {
    const before = {
      origin: 'https://pro.openbb.co',
      'access-control-request-method': 'GET',
      'access-control-request-private-network': 'true',
    };
    const { status, headers } = await send('OPTIONS', '/openbb/series', before);
    expect([status, headers[ORIGIN], headers['access-control-allow-methods'], headers['access-control-allow-private-network']]).toEqual([
      204,
      'https://pro.openbb.co',
      'GET',
      'true',
    ]);
    expect(String(headers['access-control-allow-headers'])).toContain('x-api-key');
    expect((await send('OPTIONS', '/openbb/series', { ...before, origin: 'https://evil.example' })).headers[ORIGIN]).toBeUndefined();
    expect((await send('OPTIONS', '/fred/series', before)).status).toBe(404);
    expect((await send('GET', '/openbb/widgets.json', { host: 'evil.example', origin: 'https://pro.openbb.co' })).status).toBe(403);
  });

  it('get nothing without a key, except the list of widgets', async () => {
    const { status, body } = await get('/openbb/series', { indicator_id: 'us_cpi' }, null);
    expect([status, (body as { error: string }).error]).toEqual([400, expect.stringContaining('api_key is not registered')]);
  });
});
