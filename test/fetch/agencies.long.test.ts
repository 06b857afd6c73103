// Nights of the Treasury and the BLS: from nothing, without news, with one changed payload, and what they have been seen to send in place of an answer.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bls } from '../../src/sources/bls/source.ts';
import { usTreasury } from '../../src/sources/us-treasury/source.ts';
import { blsCalendar } from '../../src/sources/bls/calendar.ts';
import { BLS_RELEASES } from '../../src/sources/bls/feed.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { page200 } from '../replay/faults.ts';
import { fetchNight } from '../replay/nights.ts';
import { openReplay, type Replay } from '../replay/server.ts';

let replay: Replay;
let pipeline: Pipeline;
beforeAll(async () => {
  replay = await openReplay();
});
beforeEach(() => replay.forget());
afterAll(() => replay.close());

describe('the Treasury', () => {
  const PLACE = 'home.treasury.gov/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv';
  const HEADER = 'Date,"3 Mo","1 Yr","10 Yr"\n';
  const YIELDS = `select period, value, vintage from observations where source_id = 'us_treasury' and series_code = 'BC_10YEAR' and period >= '2025-12-25' order by change_sequence`;
  const serve = (year: number, ...days: readonly (readonly [string, number])[]) =>
    replay.serve(`${PLACE}/${year}/all`, () => ({
      headers: { 'content-type': 'text/csv' },
      body: `${HEADER}${days.map(([day, rate]) => `${day}/${year},4,4,${rate}\n`).join('')}`,
    }));
  const asked = () => replay.asked.map(({ url }) => Number(url.pathname.split('/').at(-2)));

  beforeAll(async () => {
    pipeline = await openPipeline();
    for (let year = 1990; year < 2025; year += 1) serve(year, ['01/03', 4.5]);
  });
  afterAll(() => pipeline.remove());

  /** Every eighth day of 2025, and its last ones. */
  const WHOLE_2025: readonly (readonly [string, number])[] = [
    ...Array.from({ length: 45 }, (_, at) => {
      const [, month, day] = new Date(Date.UTC(2025, 0, 2 + at * 8)).toISOString().slice(0, 10).split('-');
      return [`${month}/${day}`, 4.1] as const;
    }),
    ['12/30', 4.15] as const,
    ['12/31', 4.16] as const,
  ].toReversed();

  it('is asked for every year from 1990 on; an empty file at the start of a year is not out yet', async () => {
    serve(2025, ...WHOLE_2025);
    serve(2026);
    const { told } = await fetchNight(pipeline, replay, [usTreasury], '2026-01-01T12:00:00.000Z');
    expect(told).toEqual(['us_treasury: done, 36/0/1/0']);
    expect(asked()).toEqual(Array.from({ length: 37 }, (_, at) => 2026 - at));
    expect(await pipeline.lake(YIELDS)).toEqual([
      { period: '2025-12-30', value: 4.15, vintage: '2025-12-30' },
      { period: '2025-12-31', value: 4.16, vintage: '2025-12-31' },
    ]);
  });

  it('is asked with validators for last year too until the first week is over, and unchanged files write nothing', async () => {
    const { told, sources } = await fetchNight(pipeline, replay, [usTreasury], '2026-01-02T12:00:00.000Z');
    expect([told, sources[0]?.payloads]).toEqual([['us_treasury: done, 0/1/1/0'], []]);
    expect([asked(), replay.asked.map(({ headers }) => 'if-none-match' in headers)]).toEqual([
      [2026, 2025],
      [false, true],
    ]);
  });

  it('has corrections known from the download that shows them, and the earlier rate until then', async () => {
    serve(2025, ...WHOLE_2025.map(([day, rate]) => [day, day === '12/30' ? 4.25 : rate] as const));
    serve(2026, ['01/02', 4.2]);
    const { told } = await fetchNight(pipeline, replay, [usTreasury], '2026-01-03T12:00:00.000Z');
    expect(told).toEqual(['us_treasury: done, 2/0/0/0']);
    expect((await pipeline.lake(YIELDS)).slice(2)).toEqual([
      { period: '2026-01-02', value: 4.2, vintage: '2026-01-02' },
      { period: '2025-12-30', value: 4.25, vintage: '2026-01-03' },
    ]);
  });

  it('sent no answer if it is a page or another layout, and the known data stay', async () => {
    const before = await pipeline.lake(YIELDS);
    replay.serve(`${PLACE}/2026/all`, () => page200('Access denied'));
    expect((await fetchNight(pipeline, replay, [usTreasury], '2026-01-12T12:00:00.000Z')).told).toEqual(['us_treasury: failed, 0/1/0/1']);
    replay.serve(`${PLACE}/2026/all`, () => ({
      headers: { 'content-type': 'text/csv' },
      body: 'Day,"10 Yr"\n01/02/2026,4.2\n01/05/2026,4.2\n',
    }));
    const { sources } = await fetchNight(pipeline, replay, [usTreasury], '2026-01-13T23:30:00.000Z');
    expect(sources[0]).toMatchObject({ status: 'failed', error: expect.stringContaining('expected the columns Date') });
    expect(await pipeline.lake(YIELDS)).toEqual(before);
  });
});

describe('the BLS as a publisher', () => {
  const API = 'api.bls.gov/publicAPI/v1/timeseries/data';
  const SERIES = Object.values(BLS_RELEASES).flat();
  let responseTime = 100;
  const serve = (series: string, ...rows: readonly (readonly [string, string])[]) =>
    replay.serve(`${API}/${series}`, () => ({
      isUnvalidated: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        status: 'REQUEST_SUCCEEDED',
        responseTime: (responseTime += 7),
        message: [],
        Results: {
          series: [
            {
              seriesID: series,
              data: rows.map(([month, value]) => ({ year: month.slice(0, 4), period: `M${month.slice(5)}`, value, footnotes: [{}] })),
            },
          ],
        },
      }),
    }));
  const asked = () => replay.asked.map(({ url }) => url.pathname.split('/').at(-1));
  const CPI = `select period, value, vintage from observations where source_id = 'bls' and series_code = 'CUSR0000SA0' order by vintage, period`;
  const calendarOf = (stamp: string) =>
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nBEGIN:VEVENT\r\nUID:cpi-1@bls.gov\r\nDTSTAMP:${stamp}\r\nDTSTART:20260113T133000Z\r\nDTEND:20260113T133000Z\r\nSUMMARY:Consumer Price Index\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;

  beforeAll(async () => {
    pipeline = await openPipeline();
    for (const series of SERIES) serve(series, ['2025-11', '100'], ['2025-10', '-'], ['2025-09', '99.5']);
  });
  afterAll(() => pipeline.remove());

  it('is asked for every series once', async () => {
    await pipeline.ingest({ 'calendars/bls-release-schedule.ics': calendarOf('20260101T000000Z') }, '2026-01-12T11:00:00.000Z', [
      blsCalendar,
    ]);
    const { told } = await fetchNight(pipeline, replay, [bls], '2026-01-12T20:00:00.000Z');
    expect([told, asked()]).toEqual([['bls: done, 8/0/0/0'], SERIES]);
    expect(await pipeline.lake(CPI)).toEqual([
      { period: '2025-09', value: 99.5, vintage: '2026-01-12' },
      { period: '2025-11', value: 100, vintage: '2026-01-12' },
    ]);
  });

  it('is asked after the release in its calendar for its first series until that arrives; equal answers count as one', async () => {
    expect((await fetchNight(pipeline, replay, [bls], '2026-01-13T13:29:00.000Z')).told).toEqual(['bls: not due, 0/0/0/0']);
    const { told, sources } = await fetchNight(pipeline, replay, [bls], '2026-01-13T13:30:30.000Z');
    expect([told, asked(), sources[0]?.payloads]).toEqual([['bls: done, 0/1/0/0'], ['CUSR0000SA0'], []]);
    expect(await pipeline.lake(`select count(*) as n from ingestions where source_id = 'bls'`)).toEqual([{ n: 8 }]);
  });

  it('is then asked for the rest of the release, known from then on', async () => {
    for (const series of BLS_RELEASES['Consumer Price Index'] ?? [])
      serve(series, ['2025-12', '100.4'], ['2025-11', '100.1'], ['2025-10', '-'], ['2025-09', '99.5']);
    const { told } = await fetchNight(pipeline, replay, [bls], '2026-01-13T13:45:00.000Z');
    expect([told, asked()]).toEqual([['bls: done, 4/0/0/0'], BLS_RELEASES['Consumer Price Index']]);
    expect((await pipeline.lake(CPI)).slice(2)).toEqual([
      { period: '2025-11', value: 100.1, vintage: '2026-01-13' },
      { period: '2025-12', value: 100.4, vintage: '2026-01-13' },
    ]);
    expect((await fetchNight(pipeline, replay, [bls], '2026-01-13T14:00:00.000Z')).told).toEqual(['bls: not due, 0/0/0/0']);
  });

  it('sent no answer if status 200 comes with an error message, and nothing of that is archived', async () => {
    const refusal = JSON.stringify({
      status: 'REQUEST_NOT_PROCESSED',
      responseTime: 0,
      message: ['the daily threshold has been reached'],
      Results: {},
    });
    for (const series of SERIES)
      replay.serve(`${API}/${series}`, () => ({ headers: { 'content-type': 'application/json' }, body: refusal }));
    const { fetch } = await fetchNight(pipeline, replay, [bls], '2026-01-15T14:00:00.000Z');
    expect(fetch.sources[0]).toMatchObject({
      status: 'failed',
      added: 0,
      reason: expect.stringContaining('the daily threshold has been reached'),
    });
    expect((await pipeline.lake(CPI)).length).toBe(4);
  });
});
