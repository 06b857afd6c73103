// The first real data of the README, asked by its own line: of an empty folder, without any key or contact, every source of it answers and is published.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasFailed, nightly, type NightlyReport } from '../../jobs/nightly.ts';
import { sources as all } from '../../src/sources/index.ts';
import { openPipeline, type Pipeline, SILENT } from '../pipeline.ts';
import { status } from '../replay/faults.ts';
import { fetchNight } from '../replay/nights.ts';
import { fetcherOf } from '../replay/fetcher.ts';
import { openReplay, type Replay } from '../replay/server.ts';
import { zipOf } from '../replay/zip.ts';

const NOW = '2031-05-05T23:00:00.000Z';
const fixture = (path: string) => readFileSync(join(import.meta.dirname, '../fixtures', path), 'utf8');

let replay: Replay;
let pipeline: Pipeline;
beforeAll(async () => {
  [replay, pipeline] = await Promise.all([openReplay(), openPipeline()]);
});
afterAll(async () => {
  await Promise.all([replay.close(), pipeline.remove()]);
});

const bodies = new Map<string, string>();
const serve = (place: string, body: string, type = 'text/csv') => {
  bodies.set(place, body);
  replay.serve(place, () => ({ body, headers: { 'content-type': type } }));
};

function serveCountries(): void {
  const files = {
    'une_rt_m/M.SA.TOTAL.PC_ACT.T.': 'unemployment',
    'namq_10_gdp/Q.CLV20_MEUR.SCA.B1GQ.': 'gdp',
    'sts_inpr_m/M.PRD.B-D.SCA.I21.': 'industrial-production',
    'ei_bssi_m_r2/M.BS-ICI-BAL.SA.': 'industrial-confidence',
    'ei_bsco_m/M.BS-CSMCI.SA.BAL.': 'consumer-confidence',
    'prc_hicp_minr/M.RCH_A+I25.TOTAL.': 'hicp',
    'prc_hicp_fpd/M.RCH_A.TOTAL.FLS+FIN.': 'first-prints',
  };
  for (const [place, file] of Object.entries(files))
    serve(`ec.europa.eu/eurostat/api/dissemination/sdmx/2.1/data/${place}`, fixture(`eurostat/${file}.raw.csv`));
  serve('stats.bis.org/api/v1/data/WS_CBPOL/M./all', fixture('bis/policy-rates.raw.csv'));
  serve('stats.bis.org/api/v1/data/WS_LONG_CPI/M..628/all', fixture('bis/consumer-prices.raw.csv'));
  const api = 'api.worldbank.org/v2/country';
  serve(api, fixture('world_bank/countries.raw.json'), 'application/json');
  for (const code of ['NY.GDP.MKTP.CD', 'FP.CPI.TOTL.ZG', 'SP.POP.TOTL']) {
    const head = { page: 1, pages: 1, per_page: '10000', total: 1, lastupdated: '2031-04-02' };
    const row = {
      indicator: { id: code, value: '' },
      country: { id: 'FR', value: '' },
      countryiso3code: 'FRA',
      date: '2030',
      value: 2,
      unit: '',
    };
    serve(`${api}/all/indicator/${code}`, JSON.stringify([head, [row]]), 'application/json');
  }
}

function serveYears(): void {
  // There is no file of the last 90 days: it would be a 404.
  const rates = zipOf({ name: 'eurofxref-hist.csv', body: 'Date,USD,\n2031-05-02,1.2,\n' });
  replay.serve('www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip', rates);
  const treasury = 'home.treasury.gov/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv';
  for (let year = 1990; year <= 2031; year += 1) serve(`${treasury}/${year}/all`, `Date,"3 Mo","1 Yr","10 Yr"\n01/02/${year},1,1,1\n`);
  for (let year = 2017; year <= 2031; year += 1)
    replay.serve(`www.cftc.gov/files/dea/history/deacot${year}.zip`, zipOf({ name: 'annual.txt', body: annualFile(year) }));
  replay.serve('publicreporting.cftc.gov/resource/6dca-aqww.json', ({ url }) => {
    const year = /'(\d{4})/.exec(url.searchParams.get('$where') ?? '')?.[1] ?? '';
    const report = { ...apiReport(), report_date_as_yyyy_mm_dd: `${year}-03-04T00:00:00.000` };
    return { body: JSON.stringify([report]), headers: { 'content-type': 'application/json' } };
  });
}

const COUNTS: Readonly<Record<string, number>> = {
  'Open Interest (All)': 1000,
  'Noncommercial Positions-Long (All)': 300,
  'Noncommercial Positions-Short (All)': 250,
  'Noncommercial Positions-Spreading (All)': 100,
  'Commercial Positions-Long (All)': 500,
  'Commercial Positions-Short (All)': 550,
  'Nonreportable Positions-Long (All)': 100,
  'Nonreportable Positions-Short (All)': 100,
};
const NAME = 'BARLEY - EXAMPLE BOARD OF TRADE';

/** One report of March, in the columns that are read. */
function annualFile(year: number): string {
  const titles = ['Market and Exchange Names', 'As of Date in Form YYMMDD', 'As of Date in Form YYYY-MM-DD', 'CFTC Contract Market Code'];
  const header = [...titles, ...Object.keys(COUNTS)].map((title) => `"${title}"`).join(',');
  return `${header}\n"${NAME}",${String(year).slice(2)}0304,${year}-03-04,099902,${Object.values(COUNTS).join(',')}\n`;
}

const apiReport = () => ({
  market_and_exchange_names: NAME,
  cftc_contract_market_code: '099902',
  open_interest_all: '1000',
  noncomm_positions_long_all: '300',
  noncomm_positions_short_all: '250',
  noncomm_postions_spread_all: '100',
  comm_positions_long_all: '500',
  comm_positions_short_all: '550',
  nonrept_positions_long_all: '100',
  nonrept_positions_short_all: '100',
  futonly_or_combined: 'FutOnly',
});

const NAMES = (
  /^npm run nightly -- --source (\S+)$/m.exec(readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8'))?.[1] ?? ''
).split(',');

async function nightAt(time: string): Promise<NightlyReport> {
  const chosen = NAMES.flatMap((name) => all.filter(({ id }) => id === name));
  expect(chosen.map(({ id }) => id)).toEqual(NAMES);
  const now = () => Date.parse(time);
  const fetcher = await fetcherOf(replay, { now, contact: null, secrets: {} });
  const report = await nightly(chosen, pipeline.workspace, { now, log: SILENT }, null, undefined, fetcher);
  await fetcher.close();
  expect(report.fetch?.sources.map((one) => [one.sourceId, one.status, one.reason])).toEqual(NAMES.map((name) => [name, 'done', null]));
  return report;
}

it('comes from the one command in the README', async () => {
  expect(NAMES.length).toBeGreaterThan(3);
  serveCountries();
  serveYears();
  const report = await nightAt(NOW);
  expect(report.sources.map((one) => [one.sourceId, one.status, one.error])).toEqual(NAMES.map((name) => [name, 'ok', null]));
  expect(report.publish.isNew).toBe(true);
  const counts = await pipeline.lake('select source_id, count(*)::integer as n from observations group by all order by all');
  expect(counts.map(({ source_id }) => source_id)).toEqual(NAMES.toSorted());
});

it('is requested only with validators days later, and unchanged files write nothing', async () => {
  const written =
    'select source_id, count(*)::integer as n, max(change_sequence)::integer as last from observations group by all order by all';
  const before = await pipeline.lake(written);
  replay.forget();
  const report = await nightAt('2031-05-09T23:00:00.000Z');
  expect(replay.asked.length).toBeGreaterThan(NAMES.length);
  expect(replay.asked.filter(({ headers }) => headers['if-none-match'] === undefined).map(({ url }) => url.href)).toEqual([]);
  expect(report.fetch?.sources.map(({ sourceId, added, failed }) => [sourceId, added, failed])).toEqual(NAMES.map((name) => [name, 0, 0]));
  expect(report.sources.flatMap(({ payloads }) => payloads)).toEqual([]);
  expect(await pipeline.lake(written)).toEqual(before);
});

it('has exactly the new rows if one year of one source changes', async () => {
  const [{ last = 0 } = {}] = await pipeline.lake('select max(change_sequence)::integer as last from observations');
  replay.serve(
    'www.cftc.gov/files/dea/history/deacot2031.zip',
    zipOf({ name: 'annual.txt', body: annualFile(2031).replace(',1000,300,250,', ',1010,310,260,') }),
  );
  const report = await nightAt('2031-05-13T23:00:00.000Z');
  expect(report.fetch?.sources.filter(({ added }) => added > 0).map(({ sourceId, added }) => [sourceId, added])).toEqual([
    ['cftc_legacy', 1],
  ]);
  const rows = await pipeline.lake(
    `select source_id, period, value, vintage from observations where change_sequence > ${String(last)} order by all`,
  );
  expect(rows).toEqual([
    { source_id: 'cftc_legacy', period: '2031-W10', value: 260, vintage: '2031-05-13' },
    { source_id: 'cftc_legacy', period: '2031-W10', value: 310, vintage: '2031-05-13' },
    { source_id: 'cftc_legacy', period: '2031-W10', value: 1010, vintage: '2031-05-13' },
  ]);
});

describe('publishers with every recorded fault at once', () => {
  const MORE = ['imf', 'us_census', 'fred_md'];
  let calm: Replay;
  let harsh: Pipeline;
  beforeAll(async () => {
    [calm, harsh] = [replay, await openPipeline()];
    replay = await openReplay();
    serveCountries();
    serveYears();
    serveFaults();
  });
  afterAll(async () => {
    await Promise.all([replay.close(), harsh.remove()]);
    replay = calm;
  });

  const chosen = () => [...NAMES, ...MORE].flatMap((name) => all.filter(({ id }) => id === name));
  const night = async (time: string): Promise<NightlyReport> => {
    const now = () => Date.parse(time);
    const fetcher = await fetcherOf(replay, { now, contact: null, secrets: {} });
    const report = await nightly(chosen(), harsh.workspace, { now, log: SILENT }, null, undefined, fetcher);
    await fetcher.close();
    return report;
  };
  const placesAsked = () => replay.asked.map(({ url }) => `${url.host}${url.pathname}`);

  it('let the command of the README succeed with rows of six sources out of six, and other feeds too', async () => {
    const report = await night(NOW);
    expect(report.fetch?.sources.map((one) => [one.sourceId, one.status, one.reason])).toEqual(
      [...NAMES, ...MORE].map((name) => [name, 'done', null]),
    );
    expect(report.sources.map((one) => [one.sourceId, one.status, one.error])).toEqual(
      [...NAMES, ...MORE].map((name) => [name, 'ok', null]),
    );
    // What the exit code of the command goes by.
    expect(hasFailed(report)).toBe(false);
    const read = report.sources.map(({ sourceId, payloads }) => [sourceId, payloads.some(({ rowsRead }) => rowsRead > 0)]);
    expect(read).toEqual([...NAMES, ...MORE].map((name) => [name, true]));
    expect(placesAsked().filter((place) => place.includes('90d'))).toEqual([]);
    // Nobody was refused before the newest file was asked for.
    const years = placesAsked().flatMap((place) => /daily-treasury-rates\.csv\/(\d{4})/.exec(place)?.[1] ?? []);
    expect([years[0], years.length]).toEqual(['2031', 42]);
  });

  it('are asked for refused files again after a week, and not on the next nights', async () => {
    const refused = (place: string) => /daily-treasury-rates\.csv\/(?:199\d|2000)\/|deacot201[78]|6dca/.test(place);
    const asked: number[] = [];
    for (const day of ['06', '07', '12']) {
      replay.forget();
      const { fetch } = await fetchNight(harsh, replay, chosen(), `2031-05-${day}T23:30:00.000Z`);
      expect(fetch.sources.filter(({ status: end }) => end === 'failed')).toEqual([]);
      asked.push(placesAsked().filter((place) => refused(place) && !place.includes('6dca')).length);
    }
    expect(asked).toEqual([0, 0, 13]);
  });
});

/** Each as a client or a recorded answer shows it. */
function serveFaults(): void {
  const again = (place: string, change: (body: string) => string, type: string) => {
    const body = change(bodies.get(place) ?? '');
    expect(body.length).toBeGreaterThan(0);
    serve(place, body, type);
  };
  // Eurostat: the day of the update without its hour, under the label of a page or of nothing.
  const api = 'ec.europa.eu/eurostat/api/dissemination/sdmx/2.1/data';
  const sets = [...bodies.keys()].filter((place) => place.startsWith(api));
  for (const [index, place] of sets.entries())
    again(
      place,
      (body) => body.replaceAll(/(\d\d\/\d\d\/\d\d) \d\d:\d\d:\d\d/g, '$1'),
      index % 2 === 0 ? 'text/html' : 'application/octet-stream',
    );
  // BIS: numbers as text; the host sends on to the same address until its cookie comes back.
  for (const place of ['stats.bis.org/api/v1/data/WS_CBPOL/M./all', 'stats.bis.org/api/v1/data/WS_LONG_CPI/M..628/all']) {
    const body = (bodies.get(place) ?? '').replaceAll(/,(-?\d[\d.]*),(A|[A-Z]),/g, ',"$1",$2,');
    replay.serve(place, ({ url, headers }) =>
      headers['cookie'] === undefined
        ? { status: 302, headers: { location: url.href, 'set-cookie': 'visid=1; Path=/; HttpOnly' } }
        : { body, headers: { 'content-type': 'text/html; charset=UTF-8' } },
    );
  }
  // World Bank: numbers as text.
  for (const code of ['NY.GDP.MKTP.CD', 'FP.CPI.TOTL.ZG', 'SP.POP.TOTL'])
    again(`api.worldbank.org/v2/country/all/indicator/${code}`, (body) => body.replace('"value":2,', '"value":"2",'), 'application/json');
  // ECB: a README in the zip, and a clock for a validator; the file of 90 days is not there.
  const rates = { name: 'eurofxref-hist.csv', body: 'Date,USD,\n2031-05-02,1.2,\n' };
  replay.serve('www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip', ({ before }) => ({
    body: zipOf({ name: 'README.txt', body: `Made for you, ${before}` }, rates),
    isUnvalidated: true,
    headers: { 'content-type': 'application/octet-stream', 'last-modified': new Date(Date.parse(NOW) + before * 1000).toUTCString() },
  }));
  // Old years are refused, as if it were the caller's fault.
  const treasury = 'home.treasury.gov/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv';
  for (let year = 1990; year <= 2000; year += 1) replay.serve(`${treasury}/${year}/all`, () => status(403));
  for (const year of [2017, 2018]) replay.serve(`www.cftc.gov/files/dea/history/deacot${year}.zip`, () => status(403));
  replay.serve(
    'www.cftc.gov/files/dea/history/deacot2031.zip',
    zipOf({ name: 'readme.txt', body: 'x' }, { name: 'annual.txt', body: annualFile(2031) }),
  );
  // IMF: brackets in the header.
  const flows = {
    'CPI,5.0.0/.CPI._T.YOY_PCH_PA_PT.M': 'prices-second-version-of-csv',
    'CPI,5.0.0/.CPI._T.IX.M': 'price-index',
    'LS,9.0.0/.U.PT.M': 'unemployment',
    'QNEA,7.0.0/.B1GQ.Q.SA.XDC.Q': 'gdp',
    'MFS_IR,9.0.0/.MFS166_RT_PT_A_PT.M': 'policy-rate',
  };
  for (const [place, file] of Object.entries(flows)) {
    const [header = '', ...rows] = fixture(`imf/${file}.raw.csv`).split('\n');
    const bracketed = header.replaceAll(/([A-Z_0-9]+)/g, '$1[]').replace('STRUCTURE[]', 'STRUCTURE[;]');
    serve(`api.imf.org/external/sdmx/2.1/data/IMF.STA,${place}`, [bracketed, ...rows].join('\n'));
  }
  // Census: a README beside the data. FRED-MD: 403 for the months around the one that is there, and for one name of the zip.
  replay.serve('www.census.gov/econ_getzippedfile/', () => ({
    body: zipOf({ name: 'README.txt', body: 'x' }, { name: 'RESCONST-mf.csv', body: fixture('us_census/sections.raw.csv') }),
    headers: { 'content-type': 'application/zip' },
  }));
  replay.serveAll(({ url }) => status(/2031-(?:rev-)?0[1235]|2030-12|to-2025-12/.test(url.pathname) ? 403 : 404));
  const folder = 'www.stlouisfed.org/-/media/project/frbstl/stlouisfed/research/fred-md';
  serve(`${folder}/monthly/2031-04-md.csv`, 'sasdate,PAYEMS\nTransform:,5\n2/1/2031,101\n3/1/2031,102\n', 'application/octet-stream');
  serve(
    'www.stlouisfed.org/research/economists/mccracken/fred-databases',
    '<html><a href="/-/media/project/frbstl/stlouisfed/research/fred-md/monthly/2031-04-md.csv?sc_lang=en">x</a></html>',
    'text/html',
  );
}
