// The economic calendar: what was due, what it brought, and when each was known.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openWriter, quote } from '../../src/db/connect.ts';
import { sqlText } from '../../src/db/query.ts';
import { toValue } from '../../src/db/rows.ts';
import { CalendarEntry, Event } from '../../src/model/event.ts';
import type { SnapshotReader } from '../../src/snapshot/serving/reader.ts';
import { compareWithLakeOfThen } from '../story/look-ahead/lake-of-then.ts';
import { type Files, openPipeline, type Pipeline, realTimeFile } from '../pipeline.ts';
import { type ListBody, type RunningService, startService } from '../service.ts';

const FOREVER = '9999-12-31';
const month = (index: number) => `${2017 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
const level = (index: number) => 100 + index;
const DAY_BEFORE: Readonly<Record<string, string>> = { '2020-02-13': '2020-02-12', '2020-03-18': '2020-03-17' };

/** Consumer prices of 2017-01 to 2019-12, known on 2020-01-14, then a month a release; each release also raises the month before by a tenth. */
function prices(releases: readonly string[]): Files {
  const history = Array.from({ length: 36 }, (_, index) => index);
  const first = '2020-01-14';
  const rows: [string, string, string, number][] = history.map((index) => {
    const end = index === 35 ? DAY_BEFORE[releases[0] ?? ''] : undefined;
    return [`${month(index)}-01`, first, end ?? FOREVER, level(index)];
  });
  for (const [at, day] of releases.entries()) {
    const next = releases[at + 1];
    rows.push([`${month(35 + at)}-01`, day, FOREVER, level(35 + at) + 0.1]);
    rows.push([`${month(36 + at)}-01`, day, (next && DAY_BEFORE[next]) || FOREVER, level(36 + at)]);
  }
  return realTimeFile('CPI', 'CPI', rows);
}

function schedule(...events: readonly (readonly [uid: string, start: string, title: string, more?: string])[]): Files {
  const lines = events.map(([uid, start, title, more]) =>
    [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `DTSTART;TZID=America/New_York:${start}`,
      `SUMMARY:${title}`,
      ...(more ? [more] : []),
      'END:VEVENT',
    ].join('\n'),
  );
  return { 'calendars/bls-release-schedule.ics': ['BEGIN:VCALENDAR', 'PRODID:x', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\n') };
}

function releaseDates(id: number, recordedOn: string, days: readonly string[]): Files {
  const release_dates = days.map((date) => ({ release_id: id, date }));
  return {
    [`fred-api/release_dates.${id}.recorded-${recordedOn}.json`]: JSON.stringify({
      count: days.length,
      offset: 0,
      limit: 10,
      release_dates,
    }),
  };
}

function nominalGdp(day: string): string {
  const observations = ['2019-04-01', '2019-07-01', '2019-10-01'].map((date) => ({
    realtime_start: day,
    realtime_end: FOREVER,
    date,
    value: '21000',
  }));
  const page = { count: observations.length, offset: 0, limit: 100 };
  const span = { realtime_start: '1776-07-04', realtime_end: FOREVER, observation_start: '1600-01-01', observation_end: FOREVER };
  return JSON.stringify({ ...page, ...span, units: 'lin', output_type: 1, file_type: 'json', observations });
}

const ARRIVALS: readonly (readonly [at: string, files: Files])[] = [
  ['2020-01-20T08:00:00.000Z', prices([])],
  [
    '2020-02-01T08:00:00.000Z',
    schedule(
      ['cpi-1', '20200213T083000', 'Consumer Price Index'],
      ['cpi-2', '20200311T083000', 'Consumer Price Index'],
      ['union', '20200214T100000', 'Union Membership (Annual)'],
      ['jobs', '20200306T083000', 'Employment Situation for February 2020'],
      ['strikes', '20200212T100000', 'Major Work Stoppages (Annual)'],
    ),
  ],
  [
    '2020-02-13T13:29:00.000Z',
    schedule(
      ['cpi-1', '20200213T083000', 'Consumer Price Index'],
      ['cpi-2', '20200311T083000', 'Consumer Price Index'],
      ['cpi-3', '20200410T083000', 'Consumer Price Index'],
      ['union', '20200214T100000', 'Union Membership (Annual)'],
      ['jobs', '20200306T083000', 'Employment Situation for February 2020'],
      ['strikes', '20200212T100000', 'Major Work Stoppages (Annual)'],
    ),
  ],
  [
    '2020-03-05T08:00:00.000Z',
    schedule(
      ['cpi-3', '20200410T083000', 'Consumer Price Index'],
      ['cpi-1', '20200213T083000', 'Consumer Price Index'],
      ['cpi-2', '20200318T083000', 'Consumer Price Index'],
      ['union', '20200214T100000', 'Union Membership (Annual)'],
      ['jobs', '20200306T083000', 'Employment Situation for February 2020'],
      ['strikes', '20200412T100000', 'Major Work Stoppages (Annual)', 'STATUS:CANCELLED'],
    ),
  ],
  [
    '2020-03-20T08:00:00.000Z',
    {
      ...prices(['2020-02-13', '2020-03-18']),
      ...releaseDates(10, '2020-03-19', ['2019-12-11', '2020-02-13', '2020-03-18', '2020-04-10']),
      ...releaseDates(13, '2020-03-19', ['2020-03-17']),
      ...releaseDates(53, '2020-03-19', ['2020-01-30']),
      'fred-api/series_observations.GDP.all-realtime.json': nominalGdp('2020-01-30'),
      ...realTimeFile('UR', 'UR', [
        ['2019-12-01', '2020-02-07', FOREVER, 3.6],
        ['2020-01-01', '2020-02-07', FOREVER, 3.7],
        ['2020-02-01', '2020-03-10', FOREVER, 3.5],
      ]),
      ...realTimeFile(
        'IP',
        'IP',
        ['2019-07-01', '2019-08-01', '2019-09-01'].map((day) => [day, '2020-03-18', FOREVER, 109]),
      ),
      ...realTimeFile('EMP', 'EMP', [
        ['2019-11-01', '2020-02-07', FOREVER, 150],
        ['2019-12-01', '2020-02-07', '2020-03-09', 151],
        ['2019-12-01', '2020-03-10', FOREVER, 151.2],
        ['2020-01-01', '2020-03-10', FOREVER, 152],
        ['2020-02-01', '2020-03-10', FOREVER, 153],
      ]),
      'fredgraph-csv/FEDFUNDS.csv': 'DATE,FEDFUNDS\n2019-12-01,1.55\n2020-01-01,1.55\n2020-02-01,1.58\n',
      'central-bank-text/meeting_calendar_2020.json': JSON.stringify({
        _note: 'the announcement day',
        fed: { meetings_per_year: 2, 2020: ['2020-03-18', '2020-04-29'] },
      }),
    },
  ],
];

let pipeline: Pipeline;
let service: RunningService;
beforeAll(async () => {
  pipeline = await openPipeline({});
  for (const [at, files] of ARRIVALS) await pipeline.ingest(files, at);
  await pipeline.publish();
  service = await startService(pipeline.dataDir, { now: Date.parse('2020-06-01T00:00:00Z') });
});
afterAll(async () => {
  await service.stop();
  await pipeline.remove();
});

async function list<Row>(schema: z.ZodType<Row>, path: string): Promise<Row[]> {
  const response = await service.get(path);
  const body = (await response.json()) as ListBody;
  if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
  return z.array(schema).parse(body.data);
}
const entries = (query: string) => list(CalendarEntry, `/economic-calendar?${query}`);
async function entry(query: string): Promise<CalendarEntry> {
  const found = await entries(query);
  expect(found).toHaveLength(1);
  return found[0] as CalendarEntry;
}
const CPI = 'indicator_id=us_cpi';
const FEBRUARY = `${CPI}&start_date=2020-02-13&end_date=2020-02-13`;

describe('a release', () => {
  it('is missing from the calendar until its schedule is known', async () => {
    const upcoming = `${CPI}&start_date=2020-02-01`;
    expect(await entries(`${upcoming}&as_of=2020-02-01T07:59:59.999Z`)).toEqual([]);
    expect(await entries(`${upcoming}&as_of=2020-02-01T08:00:00Z`)).toHaveLength(2);
  });

  it('is scheduled until it is known to be out: without a number, with the prior period and a forecast from that time', async () => {
    for (const asOf of ['2020-02-05', '2020-02-13T13:29:59Z', '2020-02-13T23:59:59.998Z']) {
      const due = await entry(`${FEBRUARY}&as_of=${asOf}`);
      expect(due).toMatchObject({
        title: 'Consumer Price Index',
        status: 'scheduled',
        scheduledAt: '2020-02-13T13:30:00.000Z',
        timePrecision: 'exact',
        timezone: 'America/New_York',
        period: '2020-01',
        periodEnd: '2020-01-31',
        actual: null,
        previous: 135,
        revisedPrevious: null,
        consensus: null,
        releasedAt: null,
        observationId: null,
        scheduleVersion: 1,
        factorKey: 'cpi',
        country: 'US',
        currency: 'USD',
        importance: 'high',
        category: 'prices',
        unit: 'index',
        frequency: 'monthly',
        sourceId: 'bls_calendar',
      });
      expect(due.forecastMethod).toMatch(/_v1$/);
      expect(due.forecastLower).toBeLessThanOrEqual(due.forecast ?? Number.NaN);
    }
  });

  it('then has the first known value, the prior period before and after, and the forecast made before', async () => {
    const before = await entry(`${FEBRUARY}&as_of=2020-02-12`);
    for (const asOf of ['as_of=2020-02-13', 'as_of=2020-03-18', 'limit=5']) {
      const out = await entry(`${FEBRUARY}&${asOf}`);
      expect(out).toMatchObject({
        eventId: before.eventId,
        status: 'released',
        period: '2020-01',
        actual: 136,
        previous: 135,
        revisedPrevious: 135.1,
        consensus: null,
        forecast: before.forecast,
        releasedAt: '2020-02-13T13:30:00.000Z',
        scheduleVersion: 2,
      });
      const row = (await (await service.get(`/provenance/observations/${out.observationId}`)).json()) as { data: unknown };
      expect(row.data).toMatchObject({ indicatorId: 'us_cpi', period: '2020-01', actual: 136 });
    }
  });

  it('is expected to carry the period after the newest one only if no other release comes first', async () => {
    const march = (asOf: string) => entry(`${CPI}&start_date=2020-03-01&end_date=2020-03-31&as_of=${asOf}`);
    expect(await march('2020-02-12')).toMatchObject({ period: null, previous: null, forecast: null });
    expect(await march('2020-02-13')).toMatchObject({ period: '2020-02', previous: 136 });
  });

  it('keeps its identifier if it is moved, with a new version of its schedule', async () => {
    const planned = await entry(`${CPI}&start_date=2020-03-11&end_date=2020-03-11&as_of=2020-03-05T07:59:59Z`);
    expect(planned).toMatchObject({ status: 'scheduled', scheduleVersion: 1 });
    expect(await entries(`${CPI}&start_date=2020-03-11&end_date=2020-03-11&as_of=2020-03-05T08:00:00Z`)).toEqual([]);
    const moved = await entry(`${CPI}&start_date=2020-03-18&end_date=2020-03-18&as_of=2020-03-05T08:00:00Z`);
    expect(moved).toMatchObject({
      eventId: planned.eventId,
      status: 'postponed',
      scheduledAt: '2020-03-18T12:30:00.000Z',
      scheduleVersion: 2,
      observedAt: '2020-03-05T08:00:00.000Z',
    });
    expect(await entry(`${CPI}&start_date=2020-03-18&end_date=2020-03-18`)).toMatchObject({
      eventId: planned.eventId,
      status: 'released',
      actual: 137,
      previous: 136,
      revisedPrevious: 136.1,
      scheduleVersion: 3,
    });
  });

  it('is one entry if two sources list it, with the known hour', async () => {
    const days = (await entries(`${CPI}&sort=scheduled_at&order=asc`)).map((one) => [one.scheduledAt, one.sourceId, one.status]);
    expect(days).toEqual([
      ['2019-12-11T00:00:00.000Z', 'fred_releases', 'released'],
      ['2020-02-13T13:30:00.000Z', 'bls_calendar', 'released'],
      ['2020-03-18T12:30:00.000Z', 'bls_calendar', 'released'],
      ['2020-04-10T12:30:00.000Z', 'bls_calendar', 'scheduled'],
    ]);
  });

  it('without an hour counts as out from the end of its day', async () => {
    const day = `${CPI}&start_date=2019-12-11&end_date=2019-12-11`;
    expect(await entries(`${day}&as_of=2019-12-11T23:59:59.998Z`)).toEqual([]);
    expect(await entry(`${day}&as_of=2019-12-11`)).toMatchObject({
      status: 'released',
      timePrecision: 'date_only',
      releasedAt: '2019-12-11T23:59:59.999Z',
      period: null,
      actual: null,
    });
  });

  it('that names its period waits for that period', async () => {
    const jobs = (asOf: string) => entry(`indicator_id=us_unemployment_rate&as_of=${asOf}`);
    expect(await jobs('2020-02-06')).toMatchObject({ period: '2020-02', status: 'scheduled', previous: null });
    expect(await jobs('2020-03-09')).toMatchObject({ period: '2020-02', status: 'scheduled', previous: 3.7, actual: null });
    expect(await jobs('2020-03-10')).toMatchObject({ period: '2020-02', status: 'released', previous: 3.7, actual: 3.5 });
  });

  it('with two periods has the earlier one as the prior period, which no release revised', async () => {
    expect(await entry('indicator_id=us_nonfarm_payrolls')).toMatchObject({
      period: '2020-02',
      actual: 153,
      previous: 152,
      revisedPrevious: null,
    });
  });

  it('does not get a later number of a period long past', async () => {
    expect(await entry('indicator_id=us_industrial_production')).toMatchObject({ status: 'released', actual: null, period: null });
  });

  it('of a decision has no number from the stored rate, which is a later average', async () => {
    expect((await list(z.unknown(), '/observations?indicator_id=us_policy_rate')).length).toBeGreaterThan(0);
    for (const decision of await entries('indicator_id=policy_rate'))
      expect(decision).toMatchObject({
        status: decision.scheduledAt < '2020-04-01' ? 'unconfirmed' : 'scheduled',
        actual: null,
        previous: null,
      });
  });

  it('without a stored number is out if a later file still lists it, until another moves or cancels it', async () => {
    const [union, strikes] = ['Union Membership', 'Major Work Stoppages'];
    const states = async (asOf: string) =>
      Object.fromEntries(
        (await entries(`category=labour&importance=low&as_of=${asOf}`)).map((one) => [one.title, [one.status, one.canonicalIndicatorId]]),
      );
    expect(await states('2020-02-20')).toMatchObject({ [union]: ['scheduled', null], [strikes]: ['released', null] });
    expect(await states('2020-03-20')).toMatchObject({ [union]: ['released', null], [strikes]: ['cancelled', null] });
  });

  it('matches the filters and is found by identifier', async () => {
    for (const found of await entries('status=released&importance=high&country=usa&category=prices')) {
      expect(found).toMatchObject({ status: 'released', importance: 'high', country: 'US', category: 'prices' });
      const one = (await (await service.get(`/economic-calendar/${found.eventId}`)).json()) as { data: unknown };
      expect(one.data).toEqual(found);
    }
    expect(await entries('country=de')).toEqual([]);
  });
});

describe('events', () => {
  it('have one data release for all its indicators, with entry and observations once they are known', async () => {
    const release = async (asOf: string) =>
      (await list(Event, `/events?event_type=data_release&start_date=2020-02-13&end_date=2020-02-13&as_of=${asOf}`)).map(
        ({ status, summary, indicatorIds, observationIds, publishedAt }) => ({
          status,
          summary,
          indicatorIds,
          observationIds,
          publishedAt,
        }),
      );
    const indicatorIds = ['us_cpi', 'us_cpi_inflation_yoy'];
    expect(await release('2020-02-05')).toEqual([
      { status: 'scheduled', summary: 'Period 2020-01', indicatorIds, observationIds: [], publishedAt: null },
    ]);
    const [out] = await release('2020-02-13');
    const released = await entries('start_date=2020-02-13&end_date=2020-02-13');
    expect(out).toMatchObject({ status: 'occurred', indicatorIds, publishedAt: '2020-02-13T13:30:00.000Z' });
    expect(new Set(out?.observationIds)).toEqual(new Set(released.map((one) => one.observationId)));
  });

  it('name the period of a release even if its main indicator has no number', async () => {
    const [gdp] = await list(Event, '/events?event_type=data_release&q=gross');
    expect(gdp).toMatchObject({ summary: 'Period 2019-Q4', indicatorIds: ['us_gdp_growth', 'us_gdp_nominal'] });
    expect(gdp?.observationIds).toHaveLength(1);
  });

  it('are named by the observations in them, from when that is known, and by the chain behind those', async () => {
    const january = `/observations?indicator_id=us_cpi&period=2020-01&vintage=first`;
    const [observation] = await list(z.object({ observationId: z.string(), releaseEventId: z.string().nullable() }), january);
    const [release] = await list(Event, '/events?event_type=data_release&start_date=2020-02-13&end_date=2020-02-13');
    expect(observation?.releaseEventId).toBe(release?.eventId);
    expect(release?.observationIds).toContain(observation?.observationId);
    const { data } = (await (await service.get(`/provenance/observations/${observation?.observationId}`)).json()) as { data: unknown };
    expect(data).toMatchObject({ release: { releaseEventId: release?.eventId, title: 'Consumer Price Index' } });
    const jobs = (asOf: string) =>
      list(z.object({ releaseEventId: z.string().nullable() }), `/observations?indicator_id=us_unemployment_rate&as_of=${asOf}`);
    expect((await jobs('2020-03-09')).map((row) => row.releaseEventId)).toEqual([null, null]);
    expect((await jobs('2020-03-10')).filter((row) => row.releaseEventId !== null)).toHaveLength(1);
  });

  it('include future meetings of central banks, tentative in the calendar', async () => {
    const meetings = await list(Event, '/events?event_type=policy_decision&as_of=2020-03-20');
    expect(meetings.map(({ occurredAt, status, timePrecision }) => [occurredAt, status, timePrecision])).toEqual([
      // Nothing tells that it took place.
      ['2020-03-18T00:00:00.000Z', 'unconfirmed', 'day'],
      ['2020-04-29T00:00:00.000Z', 'scheduled', 'day'],
    ]);
    for (const { calendarEventId } of meetings) {
      const { data } = (await (await service.get(`/economic-calendar/${calendarEventId}`)).json()) as { data: unknown };
      expect(data).toMatchObject({ timePrecision: 'tentative', canonicalIndicatorId: 'policy_rate', actual: null });
    }
  });
});

const CUTOFFS = ['2020-02-04', '2020-02-13T13:30', '2020-02-14', '2020-03-06', '2020-03-19'].map((cutoff) =>
  new Date(cutoff.length === 10 ? `${cutoff}T12:00:00Z` : `${cutoff}:00Z`).toISOString(),
);

/** Of those that are compared at each of them: before the first release is out there is little to compare. */
const FEWEST_ROWS = 4;

async function rowsOf(reader: SnapshotReader, cutoff: string): Promise<string[]> {
  const rows = await Promise.all(
    ['calendar', 'events'].map((name) =>
      reader.withConnection(async (connection) => {
        const result = await connection.runAndReadAll(`
          select * exclude (known_to) from published.${name}
          where observed_at <= timestamptz ${quote(cutoff)} and (known_to is null or known_to > timestamptz ${quote(cutoff)}) order by all`);
        return result.getRows().map((row) => JSON.stringify(row.map(toValue)));
      }),
    ),
  );
  return rows.flat();
}

it.each(CUTOFFS)('as of %s equals the calendar of that time', async (cutoff) => {
  const { differences, rowsCompared } = await compareWithLakeOfThen(pipeline, [], [cutoff], (reader) => rowsOf(reader, cutoff));
  expect(differences).toEqual([]);
  expect(rowsCompared).toBeGreaterThanOrEqual(FEWEST_ROWS);
});

describe('the check of the calendar', () => {
  it.each([
    ["update published.calendar set actual = 1 where status = 'scheduled'", 1],
    ["update published.calendar set observed_at = scheduled_at - interval 1 day where status = 'released' and time_precision = 'exact'", 1],
    ['update published.calendar set known_to = observed_at', 1],
    ['select 1', 0],
  ])('finds the change `%s`', async (statement, found) => {
    const engine = await openWriter(pipeline.workspace.limits('test'));
    try {
      const manifest = await pipeline.current();
      const file = manifest.resources.find((resource) => resource.name === 'calendar')?.path ?? '';
      await engine.connection.run('create schema published');
      await engine.connection.run(`create table published.calendar as from read_parquet(${quote(`${pipeline.paths.root}/${file}`)})`);
      await engine.connection.run(statement);
      const result = await engine.connection.runAndReadAll(sqlText('checks/calendar_is_sound.sql'));
      expect(Math.min(1, result.getRows().length)).toBe(found);
    } finally {
      engine.close();
    }
  });
});
