// What users of other services complain of, on the replay server, each named after its case; the cases that are not here stand beside what they are about:
// agents and contacts, pages, redirections, pace, budgets and silence in fetcher.test.ts and pace.test.ts, FRED's windows in alfred-windows.test.ts, pages of
// answers in nights.test.ts, the new year's file in plans.test.ts and agencies.test.ts, EDGAR's clocks in the fixtures of sec.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { livenessReport } from '../../src/queries/series.ts';
import { ecbFx } from '../../src/sources/ecb/fx.ts';
import { usTreasury } from '../../src/sources/us-treasury/source.ts';
import { usCensus } from '../../src/sources/us-census/source.ts';
import { cftcLegacy } from '../../src/sources/cftc/legacy.ts';
import { LOOK_EVERY_MS, MOST_LOOKS } from '../../src/fetch/late.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { fetcherOf } from '../replay/fetcher.ts';
import { fetchNight } from '../replay/nights.ts';
import { type Asked, openReplay, type Replay, type Served } from '../replay/server.ts';
import { zipOf } from '../replay/zip.ts';

const EUROFXREF = 'www.ecb.europa.eu/stats/eurofxref';

let replay: Replay;
let pipeline: Pipeline;
beforeAll(async () => {
  replay = await openReplay();
});
beforeEach(async () => {
  replay.forget();
  pipeline = await openPipeline();
});
afterAll(() => replay.close());

const serve = (csv: string) => {
  replay.serve(`${EUROFXREF}/eurofxref-hist.zip`, zipOf({ name: 'eurofxref-hist.csv', body: csv }));
};
const RATES = `select period, value from observations where source_id = 'ecb_fx' and series_code like '%USD%' order by period`;

describe('a changed layout ("header names changed, every row null, 200 OK for ever") is refused, or has the same values', () => {
  const SAME = [
    { period: '2026-01-02', value: 1.1 },
    { period: '2026-01-05', value: 1.2 },
  ];
  it.each([
    ['reordered', 'USD,Date,JPY,\n1.2,2026-01-05,150,\n1.1,2026-01-02,151,\n', SAME],
    ['with a column more', 'Date,USD,JPY,CHF,\n2026-01-05,1.2,150,1,\n2026-01-02,1.1,151,1,\n', SAME],
    ['with a column less', 'Date,USD,\n2026-01-05,1.2,\n2026-01-02,1.1,\n', SAME],
    ['renamed', 'Date,US dollar,JPY,\n2026-01-05,1.2,150,\n2026-01-02,1.1,151,\n', []],
    ['without its date', 'Day,USD,JPY,\n2026-01-05,1.2,150,\n2026-01-02,1.1,151,\n', []],
    ['shifted against its rows', 'Date,JPY,USD\n2026-01-05,1.2,150,\n2026-01-02,1.1,151,\n', []],
  ])('%s', async (_what, csv, rows) => {
    serve(csv);
    const { sources } = await fetchNight(pipeline, replay, [ecbFx], '2026-01-05T18:00:00.000Z');
    expect([await pipeline.lake(RATES), sources[0]?.status]).toEqual([rows, rows.length === 0 ? 'failed' : 'ok']);
    await pipeline.remove();
  });
});

describe('an answer without rows ("sync ok, 0 rows") is a failure', () => {
  it('if it has only a header', async () => {
    serve('Date,USD,\n');
    const { sources } = await fetchNight(pipeline, replay, [ecbFx], '2026-01-05T18:00:00.000Z');
    expect(sources[0]).toMatchObject({ status: 'failed', error: expect.stringContaining('the file has no rows') });
    await pipeline.remove();
  });

  it('if the year began long ago', async () => {
    for (let year = 1990; year <= 2026; year += 1)
      replay.serve(`home.treasury.gov/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv/${year}/all`, () => ({
        headers: { 'content-type': 'text/csv' },
        body: `Date,"3 Mo","1 Yr","10 Yr"\n${year === 2026 ? '' : `01/05/${year},1,1,1\n`}`,
      }));
    const { fetch } = await fetchNight(pipeline, replay, [usTreasury], '2026-02-02T12:00:00.000Z');
    expect(fetch.sources[0]).toMatchObject({ status: 'failed', reason: 'the file of 2026 has no rows', added: 36 });
    await pipeline.remove();
  });

  it('unless the earlier answer had none either, and there never were any', async () => {
    const name = 'home.treasury.gov/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv';
    const serveYears = (...rows: readonly string[]) => {
      for (let year = 1990; year <= 2026; year += 1)
        replay.serve(`${name}/${year}/all`, () => ({
          headers: { 'content-type': 'text/csv' },
          body: `Date,"3 Mo","1 Yr","10 Yr"\n${year === 2026 ? rows.join('') : `01/05/${year},1,1,1\n`}`,
        }));
    };
    const told = async (day: string) => {
      const { fetch } = await fetchNight(pipeline, replay, [usTreasury], `2026-${day}T23:30:00.000Z`);
      const [{ status, reason, absent } = { status: null, reason: null, absent: null }] = fetch.sources;
      return [status, reason, absent];
    };
    const failed = ['failed', 'the file of 2026 has no rows', 0];
    serveYears();
    expect(await told('01-05')).toEqual(['done', null, 1]);
    expect(await told('02-02')).toEqual(failed);
    expect(await told('02-03')).toEqual(['done', null, 1]);
    expect(await told('02-04')).toEqual(['done', null, 1]);
    serveYears('01/02/2026,1,1,1\n');
    expect(await told('02-05')).toEqual(['done', null, 0]);
    // Rows that were there are gone: that is said every night.
    serveYears();
    expect(await told('02-09')).toEqual(failed);
    expect(await told('02-10')).toEqual(failed);
    await pipeline.remove();
  });
});

describe('a source without vintages is never backdated ("revised values used in backtests")', () => {
  it('but keeps the first history until a second download has another', async () => {
    serve('Date,USD,\n2026-01-05,1.2,\n2026-01-02,1.1,\n');
    await fetchNight(pipeline, replay, [ecbFx], '2026-01-05T18:00:00.000Z');
    serve('Date,USD,\n2026-01-05,1.25,\n2026-01-02,1.15,\n');
    await fetchNight(pipeline, replay, [ecbFx], '2026-01-07T18:00:00.000Z');
    const known = await pipeline.lake(
      `select period, value, observed_at >= '2026-01-07T18:00:00Z' as is_later from observations where source_id = 'ecb_fx' order by change_sequence`,
    );
    expect(known).toEqual([
      { period: '2026-01-02', value: 1.1, is_later: false },
      { period: '2026-01-05', value: 1.2, is_later: false },
      { period: '2026-01-02', value: 1.15, is_later: true },
      { period: '2026-01-05', value: 1.25, is_later: true },
    ]);
    await pipeline.remove();
  });
});

describe('an answer too large at once is refused for good, or prepared and fetched later', () => {
  afterEach(() => pipeline.remove());

  const API = 'ec.europa.eu/eurostat/api/dissemination';
  const [PLACE, KEY] = [`${API}/sdmx/2.1/data/une_rt_m/M.`, '01234567-89ab-cdef-0123-456789abcdef'];
  const REQUEST = { key: 'eurostat/une_rt_m.csv', url: `https://${PLACE}?format=SDMX-CSV` };
  const CSV = 'DATAFLOW,LAST UPDATE,freq\nESTAT:UNE_RT_M(1.0),30/04/31 11:00:00,M\n';
  const xml = (body: string): Served => ({
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
    headers: { 'content-type': 'application/xml' },
  });
  const json = (body: object, status = 200): Served => ({
    status,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
    isUnvalidated: true,
  });
  const csv: Served = { body: CSV, headers: { 'content-type': 'text/csv' } };
  const footer = (place: string) =>
    xml(`<message:GenericData xmlns:message="m" xmlns:footer="f" xmlns:common="c"><message:Header><message:ID>5f29</message:ID></message:Header>
  <footer:Footer><footer:Message code="413" severity="Infomation">
    <common:Text xml:lang="en">Due to the large query the response will be written to a file which will be located under URL: ${place}</common:Text>
    <common:Text xml:lang="en">${place}</common:Text>
  </footer:Message></footer:Footer></message:GenericData>`);
  const state = (said: string) =>
    xml(`<env:Envelope xmlns:env="e"><env:Body><queued><id>${KEY}</id><status>${said}</status></queued></env:Body></env:Envelope>`);
  /** The answers in their order, the last one from then on. */
  const inTurn =
    (...answers: readonly Served[]) =>
    ({ before }: Asked): Served =>
      answers[Math.min(before, answers.length - 1)] ?? {};
  const ask = async () => {
    const waits: number[] = [];
    const fetcher = await fetcherOf(replay, { wait: async (milliseconds) => void waits.push(milliseconds) });
    const outcome = await fetcher.fetch('eurostat', REQUEST, null);
    await fetcher.close();
    const text = outcome.received?.body == null ? null : new TextDecoder().decode(outcome.received.body);
    return { outcome, text, waits, asked: replay.asked.map(({ url }) => `${url.host}${url.pathname}`) };
  };

  it('is final if the extraction is too big', async () => {
    const fault =
      '<S:Fault xmlns:S="s"><faultcode>413</faultcode><faultstring>EXTRACTION_TOO_BIG: The requested extraction is too big</faultstring></S:Fault>';
    replay.serve(PLACE, () => ({ ...xml(fault), status: 413 }));
    const { outcome, asked, waits } = await ask();
    expect(outcome).toMatchObject({ kind: 'failed', status: 413, attempts: 1, isRetriable: false });
    expect(outcome.problem).toContain('EXTRACTION_TOO_BIG');
    expect([asked, waits]).toEqual([[PLACE], []]);
  });

  it('is fetched from the place in the message, over https and within the hosts', async () => {
    const place = 'ec.europa.eu/eurostat/SDMX/diss-web/file/wHsvjs7hQCy7Dqf4';
    replay.serve(PLACE, () => footer(`http://${place}`));
    replay.serve(place, inTurn({ status: 404 }, { status: 404 }, csv));
    const { outcome, text, asked, waits } = await ask();
    expect([outcome.kind, text]).toEqual(['received', CSV]);
    expect([asked, waits]).toEqual([
      [PLACE, place, place, place],
      [LOOK_EVERY_MS, LOOK_EVERY_MS, LOOK_EVERY_MS],
    ]);
    // What says when another address has changed is not kept for this one.
    expect([outcome.received?.etag, outcome.received?.lastModified]).toEqual([null, null]);
  });

  it('is not fetched from a foreign place', async () => {
    replay.serve(PLACE, () => footer('http://elsewhere.example/file/wHsvjs7hQCy7Dqf4'));
    const { outcome, asked } = await ask();
    expect([outcome.kind, asked]).toEqual(['failed', [PLACE]]);
    expect(outcome.problem).toContain('expected comma-separated text');
  });

  it.each([
    ['an envelope', state('SUBMITTED')],
    [
      'a warning',
      json({ warning: { status: 413, label: 'ASYNCHRONOUS_RESPONSE. Your request will be treated asynchronously.', key: KEY } }),
    ],
  ])('is fetched by the key of %s once it is reported ready', async (_what, promise) => {
    replay.serve(PLACE, () => promise);
    replay.serve(`${API}/1.0/async/status/${KEY}`, inTurn(state('SUBMITTED'), state('PROCESSING'), state('AVAILABLE')));
    replay.serve(`${API}/1.0/async/data/${KEY}`, () => csv);
    const { outcome, text, asked } = await ask();
    expect([outcome.kind, text]).toEqual(['received', CSV]);
    const status = `${API}/1.0/async/status/${KEY}`;
    expect(asked).toEqual([PLACE, status, status, status, `${API}/1.0/async/data/${KEY}`]);
  });

  it('is requested again if no key is given for it', async () => {
    const label = 'ASYNCHRONOUS_RESPONSE. Your request will be treated asynchronously. Please try again later.';
    replay.serve(PLACE, inTurn(json({ warning: { status: 413, label } }), json({ warning: { status: 413, label } }), csv));
    expect((await ask()).text).toBe(CSV);
    replay.forget();
    replay.serve(PLACE, inTurn(json({ error: [{ status: 413, id: 413, label }] }, 413), csv));
    expect(await ask()).toMatchObject({ text: CSV, outcome: { attempts: 2 } });
  });

  it('is abandoned after a limited number of looks, and if the delivery has failed', async () => {
    replay.serve(PLACE, () => state('SUBMITTED'));
    replay.serve(`${API}/1.0/async/status/${KEY}`, () => state('PROCESSING'));
    const { outcome, asked } = await ask();
    expect([outcome.kind, asked.length]).toEqual(['failed', 1 + MOST_LOOKS]);
    expect(outcome.problem).toContain('after 10 minutes it has not come');
    replay.serve(`${API}/1.0/async/status/${KEY}`, () => state('EXPIRED'));
    expect((await ask()).outcome.problem).toContain('EXPIRED');
  });
});

describe('unchanged bytes with status 200 every time ("very few datasets are up to date")', () => {
  const FIRST = Date.parse('2026-02-20T14:00:00.000Z');
  const DAY = 86_400_000;
  const on = (day: number) => new Date(FIRST + day * DAY).toISOString();
  /** Permits and starts of December; permits of January too where they are said. */
  const file = (january: number | null, stamp = '18-Feb-26', value = 'val') =>
    zipOf({
      name: 'RESCONST-mf.csv',
      body: [
        'CATEGORIES\ncat_idx,cat_code,cat_desc,cat_indent\n1,APERMITS,Permits,0\n2,ASTARTS,Starts,0',
        'DATA TYPES\ndt_idx,dt_code,dt_desc,dt_unit\n1,TOTAL,Total Units,K',
        'ERROR TYPES\net_idx,err_code,err_desc,err_unit\n1,E_TOTAL,Error,PCT',
        'GEO LEVELS\ngeo_idx,geo_code,geo_desc\n1,US,United States',
        `TIME PERIODS\nper_idx,per_name\n1,Dec-2025${january === null ? '' : '\n2,Jan-2026'}`,
        'NOTES\n""',
        `DATA UPDATED ON\nWednesday, ${stamp} 08:30:00 EST`,
        `DATA\nper_idx,cat_idx,dt_idx,et_idx,geo_idx,is_adj,${value}\n1,1,1,0,1,1,1400\n1,2,1,0,1,1,1300\n1,2,0,1,1,1,5\n${january === null ? '' : `2,1,1,0,1,1,${january}\n`}`,
      ].join('\n\n\n'),
    });
  const publish = (body: Uint8Array) =>
    replay.serve('www.census.gov/econ_getzippedfile/', () => ({ isUnvalidated: true, body: Buffer.from(body) }));
  const nights = async (from: number, to: number) => {
    const statuses: (string | undefined)[] = [];
    for (let day = from; day <= to; day += 4) statuses.push((await fetchNight(pipeline, replay, [usCensus], on(day))).sources[0]?.status);
    return new Set(statuses);
  };
  const judged = async (day: number) => {
    await pipeline.publish();
    const page = { limit: 100, after: null, cursorAt: () => null };
    const { series } = await livenessReport(await pipeline.open(), { sourceId: 'us_census', verdict: null }, Date.parse(on(day)), page);
    return Object.fromEntries(
      series
        .filter(({ indicatorId }) => !indicatorId.endsWith('_rse'))
        .map(({ indicatorId, verdict, upstreamAdvanced, lastCheckedAt }) => [
          indicatorId,
          [verdict, upstreamAdvanced, lastCheckedAt?.slice(0, 10)],
        ]),
    );
  };

  it('make a series live, then late, then frozen, each by itself, over 120 days', async () => {
    publish(file(null));
    await nights(0, 32);
    const both = (...verdict: readonly unknown[]) => ({ us_building_permits: verdict, us_housing_starts: verdict });
    expect(await judged(32)).toEqual(both('live', false, '2026-03-24'));
    await nights(36, 60);
    expect(await judged(60)).toEqual(both('late', false, '2026-04-21'));
    // Only with a new timestamp.
    publish(file(null, '22-Apr-26'));
    expect(await nights(64, 80)).toEqual(new Set(['ok']));
    expect(await judged(80)).toEqual(both('frozen', false, '2026-05-11'));
    publish(file(1410, '13-May-26'));
    await nights(84, 108);
    expect(await judged(108)).toEqual({
      us_building_permits: ['late', false, '2026-06-08'],
      us_housing_starts: ['frozen', true, '2026-06-08'],
    });
    // In another layout it says nothing of either.
    publish(file(1410, '10-Jun-26', 'value'));
    expect(await nights(112, 120)).toEqual(new Set(['failed']));
    expect(await judged(120)).toEqual({
      us_building_permits: ['late', false, '2026-06-08'],
      us_housing_starts: ['frozen', true, '2026-06-08'],
    });
    await pipeline.remove();
  });
});

describe('commitments of traders from two feeds', () => {
  const NAME = 'BARLEY - EXAMPLE BOARD OF TRADE';
  const report = (day: string, interest: number, name = NAME) => ({
    market_and_exchange_names: name,
    report_date_as_yyyy_mm_dd: `${day}T00:00:00.000`,
    cftc_contract_market_code: '099902',
    open_interest_all: String(interest),
    noncomm_positions_long_all: '300',
    noncomm_positions_short_all: '250',
    noncomm_postions_spread_all: '100',
    comm_positions_long_all: String(interest - 500),
    comm_positions_short_all: String(interest - 450),
    nonrept_positions_long_all: '100',
    nonrept_positions_short_all: '100',
    futonly_or_combined: 'FutOnly',
  });
  const api = (...reports: readonly ReturnType<typeof report>[]) => ({
    'cftc/socrata/6dca-aqww_from_2026-01-01.json': JSON.stringify(reports),
  });
  const file = (...reports: readonly ReturnType<typeof report>[]) => {
    const lines = reports.map((one) =>
      [
        `"${one.market_and_exchange_names}"`,
        `${one.report_date_as_yyyy_mm_dd.slice(2, 10).replaceAll('-', '')},${one.report_date_as_yyyy_mm_dd.slice(0, 10)},${one.cftc_contract_market_code}`,
        `${one.open_interest_all},300,250,100,${one.comm_positions_long_all},${one.comm_positions_short_all},100,100`,
      ].join(','),
    );
    const measures =
      '"Open Interest (All)","Noncommercial Positions-Long (All)","Noncommercial Positions-Short (All)","Noncommercial Positions-Spreading (All)","Commercial Positions-Long (All)","Commercial Positions-Short (All)","Nonreportable Positions-Long (All)","Nonreportable Positions-Short (All)"';
    const header = `"Market and Exchange Names","As of Date in Form YYMMDD","As of Date in Form YYYY-MM-DD","CFTC Contract Market Code",${measures}`;
    return { 'cftc/legacy_futonly/deacot2026.zip': zipOf({ name: 'annual.txt', body: [header, ...lines, ''].join('\n') }) };
  };
  const WEEKS = ['2026-03-03', '2026-03-10', '2026-03-17', '2026-03-24', '2026-03-31'];
  const INTEREST = `select entity_id, period_end::varchar as period, value from observations where source_id = 'cftc_legacy' and indicator_id like '%open_interest' order by period_end, change_sequence`;

  it('have the newest weeks of a yearly file ahead of the API, and keep them if the API stays the same', async () => {
    const [first = '', ...later] = WEEKS;
    await pipeline.ingest(api(report(first, 1000)), '2026-03-07T12:00:00.000Z', [cftcLegacy]);
    await pipeline.ingest(file(report(first, 1000), ...later.map((day, at) => report(day, 1001 + at))), '2026-04-04T12:00:00.000Z', [
      cftcLegacy,
    ]);
    await pipeline.ingest(api(report(first, 1000)), '2026-04-05T12:00:00.000Z', [cftcLegacy]);
    expect(await pipeline.lake(INTEREST)).toEqual(WEEKS.map((period, at) => ({ entity_id: 'cftc_099902', period, value: 1000 + at })));
    await pipeline.remove();
  });

  it('report the API as behind a week after the file has weeks that it lacks, until it has new ones', async () => {
    const [JSON_TYPE, ANSWER] = [{ 'content-type': 'application/json' }, 'publicreporting.cftc.gov/resource/6dca-aqww.json'];
    const week = (day: number) => report(`2026-04-${day}`, 1000 + day);
    const serveReports = (ofApi: readonly ReturnType<typeof report>[], ofFile: readonly ReturnType<typeof report>[]) => {
      replay.serve(ANSWER, ({ url }) => {
        const from = Number(/'(\d{4})/.exec(url.searchParams.get('$where') ?? '')?.[1]);
        return { headers: JSON_TYPE, body: JSON.stringify(from === 2026 ? ofApi : [report(`${from}-03-03`, 900)]) };
      });
      for (let year = 2017; year <= 2026; year += 1) {
        const body = Object.values(file(...(year === 2026 ? ofFile : [report(`${year}-03-06`, 900)])))[0];
        if (body !== undefined) replay.serve(`www.cftc.gov/files/dea/history/deacot${year}.zip`, body);
      }
    };
    const health = async () => {
      await pipeline.publish();
      return (await pipeline.open()).withConnection(async (connection) => {
        const found = await connection.runAndReadAll(
          "select last_error_code, last_error_message from published.sources where source_id = 'cftc_legacy'",
        );
        return found.getRows()[0];
      });
    };
    const night = (day: string) => fetchNight(pipeline, replay, [cftcLegacy], `2026-${day}T23:00:00.000Z`);
    serveReports([week(14)], [week(14)]);
    await night('04-17');
    serveReports([week(14)], [week(14), week(21)]);
    await night('04-24');
    expect(await health()).toEqual([null, null]);
    serveReports([week(14)], [week(14), week(21), week(28)]);
    await night('05-01');
    expect(await health()).toEqual([
      'way_behind',
      'The API is behind the yearly file by 2 reports, 2026-04-21 to 2026-04-28: it has brought nothing new since 2026-04-17 and was asked last on 2026-05-01. The yearly file counts.',
    ]);
    serveReports([week(14), week(21), week(28)], [week(14), week(21), week(28)]);
    await night('05-02');
    expect(await health()).toEqual([null, null]);
    await pipeline.remove();
  });

  it('identify a contract by its code, even if its name changes within a year', async () => {
    await pipeline.ingest(
      file(report('2026-03-03', 1000), report('2026-03-10', 1010, 'BARLEY, MALTING - ANOTHER EXCHANGE')),
      '2026-03-14T12:00:00.000Z',
      [cftcLegacy],
    );
    expect(await pipeline.lake(INTEREST)).toEqual([
      { entity_id: 'cftc_099902', period: '2026-03-03', value: 1000 },
      { entity_id: 'cftc_099902', period: '2026-03-10', value: 1010 },
    ]);
    await pipeline.remove();
  });
});
