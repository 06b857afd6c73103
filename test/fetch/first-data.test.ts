// The first real data of the README, asked by its own line: of an empty folder, without any key or contact, every source of it answers and is published.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { nightly, type NightlyReport } from '../../jobs/nightly.ts';
import { sources as all } from '../../src/sources/index.ts';
import { openPipeline, type Pipeline, SILENT } from '../pipeline.ts';
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

const serve = (place: string, body: string, type = 'text/csv') => replay.serve(place, () => ({ body, headers: { 'content-type': type } }));

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
  expect(report.fetch?.sources.map(({ sourceId, status, reason }) => [sourceId, status, reason])).toEqual(
    NAMES.map((name) => [name, 'done', null]),
  );
  return report;
}

it('comes by the one command that the README gives', async () => {
  expect(NAMES.length).toBeGreaterThan(3);
  serveCountries();
  serveYears();
  const report = await nightAt(NOW);
  expect(report.sources.map(({ sourceId, status, error }) => [sourceId, status, error])).toEqual(NAMES.map((name) => [name, 'ok', null]));
  expect(report.publish.isNew).toBe(true);
  const counts = await pipeline.lake('select source_id, count(*)::integer as n from observations group by all order by all');
  expect(counts.map(({ source_id }) => source_id)).toEqual(NAMES.toSorted());
});

it('is asked for by conditions alone days later, and nothing is written where nothing has changed', async () => {
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

it('has exactly what is new once one year of one source says something else', async () => {
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
