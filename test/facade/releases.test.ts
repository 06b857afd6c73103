// Releases and updates at FRED's addresses over the sample: FRED's own numbers, what the service's calendar has, and nothing later than the clock stands.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SaxesParser } from 'saxes';
import { type Listening, serveFacade } from '../../src/facade/server.ts';
import { type ListBody, type RunningService, SAMPLE_TIME, startSampleService } from '../service.ts';

let service: RunningService;
let facade: Listening;
beforeAll(async () => {
  service = await startSampleService();
  facade = await serveFacade(
    { url: service.url, key: service.keys.full, now: () => Date.parse(SAMPLE_TIME) },
    { host: '127.0.0.1', port: 0 },
  );
});
afterAll(async () => {
  await facade.close();
  await service.stop();
});

type Fields = Record<string, unknown>;

async function get(path: string, query: Readonly<Record<string, string>> = {}) {
  const address = new URL(`http://127.0.0.1:${facade.port}${path}`);
  for (const [name, value] of Object.entries({ file_type: 'json', ...query })) address.searchParams.set(name, value);
  const answer = await fetch(address);
  return { status: answer.status, body: (await answer.json()) as Fields };
}
const list = async (path: string, name: string, query: Readonly<Record<string, string>> = {}): Promise<readonly Fields[]> => {
  const { status, body } = await get(path, query);
  expect([status, body['error_message'] ?? '']).toEqual([200, '']);
  return body[name] as Fields[];
};
async function calendar(asOf?: string): Promise<readonly Fields[]> {
  const found: Fields[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({
      country: 'US',
      limit: '500',
      ...(asOf === undefined ? {} : { as_of: asOf }),
      ...(cursor === '' ? {} : { cursor }),
    });
    const { data, meta } = (await (await service.get(`/economic-calendar?${query.toString()}`)).json()) as ListBody & {
      meta: { pagination: { next_cursor: string | null } };
    };
    found.push(...data);
    cursor = meta.pagination.next_cursor;
  }
  return found;
}
const EMPLOYMENT = { release_id: '50' };
const NAME = 'Employment Situation';
/** The day in New York of an instant of the sample's releases, which are all in the morning there. */
const dayOf = (row: Fields) => String(row['scheduledAt']).slice(0, 10);

describe('releases', () => {
  it('are those of the calendar with a FRED number', async () => {
    const found = await list('/fred/releases', 'releases');
    const titles = new Set((await calendar()).map((row) => row['title']));
    expect(found.map(({ id, name }) => [id, name])).toEqual(
      [
        [10, 'Consumer Price Index'],
        [11, 'Employment Cost Index'],
        [50, NAME],
        [53, 'Gross Domestic Product'],
      ].filter(([, name]) => titles.has(name)),
    );
    expect(found.length).toBeGreaterThan(1);
    const [byName] = await list('/fred/releases', 'releases', { order_by: 'name', sort_order: 'desc', limit: '1' });
    expect(byName?.['name']).toBe(
      found
        .map(({ name }) => String(name))
        .toSorted()
        .at(-1),
    );
    expect(await list('/fred/releases', 'releases', { offset: '1', limit: '1' })).toEqual(found.slice(1, 2));
  });

  it('have the series whose prints the calendar expects', async () => {
    const expected = new Set((await calendar()).filter(({ title }) => title === NAME).map(({ indicatorId }) => indicatorId));
    const found = await list('/fred/release/series', 'seriess', EMPLOYMENT);
    expect(expected.size).toBeGreaterThan(1);
    expect(found.length).toBe(expected.size);
    expect(found.map(({ id }) => id)).toEqual(found.map(({ id }) => String(id)).toSorted((one, other) => (one < other ? -1 : 1)));
    expect(found.map(({ id }) => id)).toContain('PAYEMS');
    const [one] = await list('/fred/series', 'seriess', { series_id: 'PAYEMS' });
    const { last_updated: _updated, ...same } = one ?? {};
    expect(found.find(({ id }) => id === 'PAYEMS')).toEqual(same);
  });

  it('have the days of the calendar as dates; due days come on request', async () => {
    const entries = (await calendar()).filter(({ title }) => title === NAME);
    const days = (...statuses: readonly string[]) =>
      [...new Set(entries.filter(({ status }) => statuses.includes(String(status))).map(dayOf))].toSorted();
    const found = await list('/fred/release/dates', 'release_dates', EMPLOYMENT);
    expect(found).toEqual(days('released').map((date) => ({ release_id: 50, date })));
    const all = await list('/fred/release/dates', 'release_dates', {
      ...EMPLOYMENT,
      include_release_dates_with_no_data: 'true',
      sort_order: 'desc',
    });
    expect(all.map(({ date }) => date)).toEqual(days('released', 'scheduled', 'postponed').toReversed());
    expect(all.length).toBeGreaterThan(found.length);
    const [first, second] = found as readonly [Fields, Fields];
    expect(
      await list('/fred/release/dates', 'release_dates', {
        ...EMPLOYMENT,
        realtime_start: String(second['date']),
        realtime_end: String(second['date']),
      }),
    ).toEqual([second]);
    expect(first['date']).not.toBe(second['date']);
  });

  it('are dates as text in XML', async () => {
    const answer = await fetch(`http://127.0.0.1:${facade.port}/fred/release/dates?release_id=50&limit=2`);
    const xml = await answer.text();
    const dates: string[] = [];
    const numbers: unknown[] = [];
    const parser = new SaxesParser();
    let isDate = false;
    parser.on('opentag', ({ name, attributes }) => {
      isDate = name === 'release_date';
      if (isDate) numbers.push(attributes);
    });
    parser.on('text', (text) => isDate && text.trim() !== '' && dates.push(text));
    parser.write(xml).close();
    expect(dates).toEqual((await list('/fred/release/dates', 'release_dates', { ...EMPLOYMENT, limit: '2' })).map(({ date }) => date));
    expect(numbers).toEqual([{ release_id: '50' }, { release_id: '50' }]);
  });

  it('under a clock at a day are those that the calendar knew then', async () => {
    const day = SAMPLE_TIME.slice(0, 10);
    const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
    const entries = await calendar(before);
    const titles = new Set(entries.map(({ title }) => title));
    const all = await list('/fred/releases', 'releases');
    const then = await list(`/at/${before}/fred/releases`, 'releases');
    expect(then.map(({ id }) => id)).toEqual(all.filter(({ name }) => titles.has(name)).map(({ id }) => id));
    expect([then.length > 0, then.length < all.length]).toEqual([true, true]);
    for (const { id, name } of then) {
      const known = entries.filter(({ title, status }) => title === name && status !== 'cancelled').map(dayOf);
      const query = { release_id: String(id), include_release_dates_with_no_data: 'true' };
      const dates = await list(`/at/${before}/fred/release/dates`, 'release_dates', query);
      expect(dates.map(({ date }) => date)).toEqual([...new Set(known)].toSorted((one, other) => one.localeCompare(other)));
    }
    expect(await list('/at/1999-12-31/fred/releases', 'releases')).toEqual([]);
    const refused = await get('/at/1999-12-31/fred/release/dates', EMPLOYMENT);
    expect([refused.status, refused.body['error_message']]).toEqual([400, 'Bad Request. Unknown release 50. Known releases: none.']);
  });

  it('and their series are those known on the last day of the requested real time', async () => {
    const day = new Date(Date.parse(SAMPLE_TIME.slice(0, 10)) - 86_400_000).toISOString().slice(0, 10);
    const span = { realtime_start: day, realtime_end: day };
    const then = await list(`/at/${day}/fred/releases`, 'releases');
    expect(await list('/fred/releases', 'releases', span)).toEqual(then);
    expect(then.length).toBeLessThan((await list('/fred/releases', 'releases')).length);
    const release_id = String(then[0]?.['id']);
    expect(await list('/fred/release/series', 'seriess', { release_id, ...span })).toEqual(
      await list(`/at/${day}/fred/release/series`, 'seriess', { release_id }),
    );
    const window = { start_time: '202005312359', end_time: '202005312359' };
    const updated = await list('/fred/series/updates', 'seriess', { ...window, realtime_start: '2020-06-15', realtime_end: '2020-06-15' });
    expect(updated.length).toBeGreaterThan(0);
    expect(updated).toEqual(await list('/at/2020-06-15/fred/series/updates', 'seriess', window));
  });

  it('have series that can be filtered by their fields', async () => {
    const all = await list('/fred/release/series', 'seriess', EMPLOYMENT);
    const filter = { filter_variable: 'units', filter_value: String(all[0]?.['units']) };
    const some = await list('/fred/release/series', 'seriess', { ...EMPLOYMENT, ...filter });
    expect(some).toEqual(all.filter(({ units }) => units === filter.filter_value));
    expect([some.length > 0, some.length < all.length]).toEqual([true, true]);
    const half = await get('/fred/release/series', { ...EMPLOYMENT, filter_value: 'Monthly' });
    expect([half.status, half.body['error_message']]).toEqual([400, 'Bad Request. Set filter_variable and filter_value together.']);
  });

  it.each([
    [
      'that has no number here',
      '/fred/release/series',
      { release_id: '7' },
      '400 Bad Request. Unknown release 7. Known releases: 10 (Consumer Price Index)',
    ],
    ['without a number', '/fred/release/dates', {}, '400 Bad Request. The variable release_id is not set.'],
    ['of a source', '/fred/sources', {}, '400 Bad Request. /fred/sources is not served'],
    [
      'by what is not kept',
      '/fred/releases',
      { order_by: 'press_release' },
      '400 Bad Request. Value of order_by must be release_id or name.',
    ],
  ])('%s are refused by name', async (_, path, query, message) => {
    const { status, body } = await get(path, query);
    expect(`${status} ${String(body['error_message'])}`).toContain(message);
  });
});

describe('updates', () => {
  const newest = async (query: string) =>
    (
      (await (
        await service.get(
          `/observations?indicator_id=us_nonfarm_payrolls&source_id=fred_md&vintage=all&sort=observed_at&order=desc&limit=1${query}`,
        )
      ).json()) as ListBody
    ).data[0];

  it('are the series printed in the last two weeks, newest first', async () => {
    const found = await list('/fred/series/updates', 'seriess');
    expect(found.length).toBeGreaterThan(5);
    const times = found.map((row) => String(row['last_updated']));
    expect(times).toEqual(times.toSorted().toReversed());
    const since = new Date(Date.parse(SAMPLE_TIME) - 14 * 86_400_000).toISOString().slice(0, 10);
    expect(times.every((time) => time >= since)).toBe(true);
    for (const { id, last_updated: updated } of found.slice(0, 5)) {
      const [one] = await list('/fred/series', 'seriess', { series_id: String(id) });
      expect([id, one?.['last_updated']]).toEqual([id, updated]);
    }
  });

  it('between two times are those of that time, and as of a day those before it', async () => {
    const row = await newest('&as_of=2020-06-15');
    expect(String(row?.['observedAt'])).toBe('2020-05-31T23:59:59.999Z');
    const window = { start_time: '202005312359', end_time: '202005312359' };
    for (const at of ['', '/at/2020-06-15']) {
      const found = await list(`${at}/fred/series/updates`, 'seriess', window);
      expect(found.find(({ id }) => id === 'PAYEMS')?.['last_updated']).toBe('2020-05-31 23:59:59+00');
    }
    const later = await list('/at/2020-06-15/fred/series/updates', 'seriess');
    expect(later.every((one) => String(one['last_updated']) <= '2020-06-15 23:59:59+00')).toBe(true);
    expect(await list('/fred/series/updates', 'seriess', { start_time: '202005300000', end_time: '202005300001' })).toEqual([]);
    // What came after the clock is not there, though it is asked for by its time.
    const over = { start_time: '202005312359', end_time: '202006302359' };
    const updatedOf = async (at: string) =>
      (await list(`${at}/fred/series/updates`, 'seriess', over)).find(({ id }) => id === 'PAYEMS')?.['last_updated'];
    expect([await updatedOf(''), await updatedOf('/at/2020-06-15')]).toEqual(['2020-06-30 23:59:59+00', '2020-05-31 23:59:59+00']);
  });

  it.each([
    [{ start_time: '202005310000' }, 'Set start_time and end_time together'],
    [{ start_time: '202013010000', end_time: '202012010000' }, 'Value of start_time is no time as YYYYMMDDHhmm'],
    [{ filter_value: 'macro' }, 'Value of filter_value must be all, because this service does not tell macro from regional series'],
  ])('%j are refused', async (query, message) => {
    const { status, body } = await get('/fred/series/updates', query);
    expect([status, String(body['error_message'])]).toEqual([400, expect.stringContaining(message)]);
  });
});
