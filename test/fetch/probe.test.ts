// `asof probe` on the replay server: what it says of sound answers, and of each fault that a publisher can show.
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasFailed, probe, type Probed, probeText } from '../../jobs/asking/probe.ts';
import { readHere } from '../../jobs/reading/payload-reader.ts';
import { sources as all } from '../../src/sources/index.ts';
import type { Sent } from '../../src/fetch/publisher-state.ts';
import { cut, gzipBomb, page200, redirect, status } from '../replay/faults.ts';
import { fetcherOf, type ReplayOptions } from '../replay/fetcher.ts';
import { openReplay, type Replay, type Served } from '../replay/server.ts';
import { zipOf } from '../replay/zip.ts';

const NOW = '2031-05-05T23:00:00.000Z';
const fixture = (path: string) => readFile(join(import.meta.dirname, '../fixtures', path), 'utf8');

let replay: Replay;
beforeAll(async () => {
  replay = await openReplay();
});
beforeEach(() => replay.forget());
afterAll(() => replay.close());

async function probed(ids: readonly string[], options: ReplayOptions = {}, sent?: ReadonlyMap<string, readonly Sent[]>): Promise<Probed[]> {
  const now = () => Date.parse(NOW);
  const fetcher = await fetcherOf(replay, { now, mostAttempts: 1, ...options });
  try {
    const chosen = ids.flatMap((id) => all.filter((source) => source.id === id));
    return await probe(chosen, fetcher, readHere, { now }, sent);
  } finally {
    await fetcher.close();
  }
}

const csv = (body: string | Uint8Array, type = 'text/csv'): Served => ({ body, headers: { 'content-type': type } });
const answers = (place: string, served: Served) => replay.serve(place, () => served);
const html = (body: string) => csv(body, 'text/html; charset=utf-8');

const RATES = 'stats.bis.org/api/v1/data/WS_CBPOL/M./all';
const MONTHS = [2, 3, 4].map((month) => `${month}/1/2031,${100 + month}`);

describe('a correct answer', () => {
  beforeAll(async () => {
    answers(RATES, csv(await fixture('bis/policy-rates.raw.csv')));
    answers(
      'ec.europa.eu/eurostat/api/dissemination/sdmx/2.1/data/une_rt_m/M.SA.TOTAL.PC_ACT.T.',
      csv(await fixture('eurostat/unemployment.raw.csv')),
    );
    answers('www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip', {
      body: zipOf({ name: 'eurofxref-hist.csv', body: 'Date,USD,\n2031-05-02,1.25,\n' }),
    });
    const rows = ['2030', '2029'].map((date) => ({
      indicator: { id: 'NY.GDP.MKTP.CD', value: '' },
      country: { id: 'DE', value: '' },
      countryiso3code: 'DEU',
      date,
      value: 7,
      unit: '',
    }));
    const head = { page: 1, pages: 1, per_page: 100, total: 2, lastupdated: '2031-04-02' };
    answers('api.worldbank.org/v2/country/DEU/indicator/NY.GDP.MKTP.CD', csv(JSON.stringify([head, rows]), 'application/json'));
    const month = ['sasdate,PAYEMS', 'Transform:,5', ...MONTHS].join('\n');
    answers(
      'www.stlouisfed.org/-/media/project/frbstl/stlouisfed/research/fred-md/monthly/2031-05-md.csv',
      csv(`${month}\n`, 'application/octet-stream'),
    );
    answers(
      'www.federalreserve.gov/monetarypolicy/fomccalendars.htm',
      html('<html><a href="/monetarypolicy/fomcminutes20300320.htm">x</a></html>'),
    );
    answers('www.federalreserve.gov/monetarypolicy/fomcminutes20300320.htm', html(await fixture('fed_statements/minutes-page.raw.html')));
    for (const place of ['monetary-policy-decision-documents', 'minutes-of-the-executive-boards-monetary-policy-meetings'])
      answers(
        `www.riksbank.se/en-gb/monetary-policy/monetary-policy-report/${place}/`,
        html('<html><a href="/a.pdf">19/03/2031</a></html>'),
      );
  });

  it('is reported with address, status, type, bytes and first row; one small request is enough', async () => {
    const [bis] = await probed(['bis']);
    expect(bis).toMatchObject({
      verdict: 'ok',
      address: 'https://stats.bis.org/api/v1/data/WS_CBPOL/M./all?format=csv&startPeriod=2030',
      status: 200,
      mediaType: 'text/csv',
      bytes: Buffer.byteLength(await fixture('bis/policy-rates.raw.csv')),
    });
    expect(bis?.row).toMatch(/AR 2031-02 = 1$/);
    expect([replay.asked.length, bis?.differs]).toEqual([1, []]);
  });

  it.each([
    ['eurostat', 1, /^\S+ \d{4}-\d{2} = [\d.]+$/],
    ['ecb_fx', 1, /2031-05-02 = 1.25$/],
    ['world_bank', 1, /^NY\.GDP\.MKTP\.CD\.DEU 20(?:30|29) = 7$/],
    // The page of links is not there, and the file is read by SQL.
    ['fred_md', 2, /^PAYEMS 2031-02 = 102$/],
    // A list, then a document of it.
    ['fed_statements', 2, /^minutes 2030-03-20 Minutes/],
  ])('of %s is read after %i requests', async (id, requests, row) => {
    const [one] = await probed([id]);
    expect(one).toMatchObject({ verdict: 'ok', row: expect.stringMatching(row) });
    expect(replay.asked.length).toBe(requests);
  });

  it('from lists of unread documents has no row', async () => {
    expect(await probed(['riksbank_documents'])).toMatchObject([
      { verdict: 'ok', row: null, differs: [expect.stringContaining('1 of 1 rows are refused: the document stands there as PDF alone')] },
    ]);
  });

  it('adds a line to the table for each source, and leaves no file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'asof-probe-test-'));
    const ids = ['bis', 'fred_md', 'fred', 'sec', 'abs'];
    const found = await probed(ids, { folder });
    expect(hasFailed(found)).toBe(false);
    const [header, , ...lines] = probeText(found).split('\n');
    expect(header?.split(/\s{2,}/)).toEqual(['source', 'answer', 'address', 'status', 'type', 'bytes', 'first row', 'differs']);
    expect(lines.slice(0, ids.length).map((line) => line.split(/\s{2,}/).slice(0, 2))).toEqual([
      ['bis', 'ok'],
      ['fred_md', 'ok'],
      ['fred', 'not asked'],
      ['sec', 'not asked'],
      ['abs', 'not asked'],
    ]);
    expect(lines.join('\n')).toMatch(/it needs a key: set FRED_API_KEY[\s\S]*set ASOF_CONTACT[\s\S]*its files come from folders/);
    expect(lines.at(-1)).toBe('5 sources: 2 answer as expected, 0 do not, 3 were not asked. Nothing was archived.');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is reported with its label if that is unexpected', async () => {
    expect((await probed(['fred_md']))[0]?.differs.at(-1)).toBe('its type is not text/csv');
  });
});

describe('an unexpected answer', () => {
  const SOUND =
    'FREQ,REF_AREA,UNIT_MEASURE,UNIT_MULT,TIME_FORMAT,COMPILATION,DECIMALS,SOURCE_REF,SUPP_INFO_BREAKS,TITLE,TIME_PERIOD,OBS_VALUE,OBS_STATUS,OBS_CONF,OBS_PRE_BREAK\n';
  const rate = (value: string) => `${SOUND}M,AR,368,0,,,4,,,,2031-02,${value},A,F,\n`;
  const faults: readonly (readonly [string, Served, string])[] = [
    ['404', status(404, {}, 'No such data set'), 'answered 404: No such data set'],
    ['403', status(403), 'answered 403'],
    ['401', status(401), 'answered 401'],
    ['429', status(429, { 'retry-after': '3600' }), 'answered 429'],
    ['500', status(500), 'answered 500'],
    ['503', status(503), 'answered 503'],
    ['a page', page200('Maintenance'), 'expected comma-separated text, found text/html: "Maintenance"'],
    ['a page under the type of a table', csv('<html><h1>Sorry</h1></html>'), 'expected comma-separated text, found text/csv: "Sorry"'],
    ['an empty answer', csv(''), 'expected comma-separated text, found an empty answer'],
    ['204', { status: 204 }, 'answered 204'],
    ['a cut connection', cut(csv(rate('1')), 100), 'the connection broke'],
    ['a row that is cut', csv(rate('1').slice(0, -20)), 'line'],
    ['a header alone', csv(SOUND), 'no rows'],
    ['a word for a number', csv(rate('about 3')), 'expected a number'],
    ['brackets in the header', csv(rate('1').replace('OBS_VALUE', 'OBS_VALUE[]')), 'OBS_VALUE'],
    ['another layout', csv('date;value\n2031-02;1\n'), 'expected the column'],
    ['a redirection to another host', redirect('https://elsewhere.example/a.csv'), 'which is not a host of the publisher'],
    ['a redirection without end', redirect('https://stats.bis.org/api/v1/data/WS_CBPOL/M./all'), 'after 3 redirections'],
    ['silence', { isSilent: true }, 'no answer within'],
    ['a body that drips', { body: rate('1'), dripEvery: 200 }, 'the answer was not complete within'],
    ['a bomb', gzipBomb(4), 'the unpacked answer exceeds'],
    ['an endless body', { endless: Buffer.alloc(64 * 1024, 'a') }, 'bytes, more than the'],
  ];

  it.each(faults)('as %s fails with the reason', async (_name, served, why) => {
    answers(RATES, served);
    answers('stats.bis.org/api/v1/data/WS_LONG_CPI/M..628/all', served);
    const limits = { firstByte: 400, whole: 1500, bytes: 1_000_000, inflatedBytes: 1_000_000 };
    const [bis, other] = await probed(['bis', 'ecb_fx'], { limits });
    expect(bis).toMatchObject({ verdict: 'FAILED', row: null, address: expect.stringContaining('https://stats.bis.org/') });
    expect(bis?.differs.join('; ')).toContain(why);
    // What fails costs no other source.
    expect(other?.verdict).toBe('ok');
    expect(hasFailed(bis === undefined ? [] : [bis])).toBe(true);
    expect(served.status === undefined ? [200, null] : [served.status]).toContain(bis?.status);
  });

  it('as a zip with another member, or a damaged one, fails', async () => {
    const census = 'www.census.gov/econ_getzippedfile/';
    answers(census, {
      body: zipOf({ name: 'README.txt', body: 'x' }, { name: 'notes.txt', body: 'y' }),
      headers: { 'content-type': 'application/zip' },
    });
    answers('www.census.gov/econ/currentdata/datasets/RESCONST-mf.zip', status(404));
    const [wrong] = await probed(['us_census']);
    expect([wrong?.verdict, wrong?.differs]).toEqual(['FAILED', ['expected one file in the zip, found 2: "README.txt, notes.txt"']]);
    answers(census, { body: zipOf({ name: 'RESCONST-mf.csv', body: 'x' }).slice(0, 60), headers: { 'content-type': 'application/zip' } });
    expect((await probed(['us_census']))[0]?.verdict).toBe('FAILED');
  });

  it('as numbers in text or headers in brackets is accepted if the reader accepts them', async () => {
    const flow = 'api.imf.org/external/sdmx/2.1/data/IMF.STA,CPI,5.0.0/.CPI._T.YOY_PCH_PA_PT.M';
    const header =
      'STRUCTURE[;],STRUCTURE_ID[],ACTION[],COUNTRY[],INDEX_TYPE[],COICOP_1999[],TYPE_OF_TRANSFORMATION[],FREQUENCY[],TIME_PERIOD[],OBS_VALUE[]';
    answers(flow, csv(`${header}\nDATAFLOW,IMF.STA:CPI(5.0.0),I,DEU,CPI,_T,YOY_PCH_PA_PT,M,2031-M02,"2.5"\n`));
    expect(await probed(['imf'])).toMatchObject([{ verdict: 'ok', row: expect.stringMatching(/DEU\S* 2031-02 = 2.5$/) }]);
  });

  it('at the first address is accepted if the second answers; both are reported', async () => {
    answers('www.census.gov/econ_getzippedfile/', status(403));
    answers('www.census.gov/econ/currentdata/datasets/RESCONST-mf.zip', {
      body: zipOf({ name: 'README.txt', body: 'x' }, { name: 'RESCONST-mf.csv', body: await fixture('us_census/sections.raw.csv') }),
    });
    const [census] = await probed(['us_census']);
    expect(census).toMatchObject({ verdict: 'ok', address: 'https://www.census.gov/econ/currentdata/datasets/RESCONST-mf.zip' });
    expect(census?.differs[0]).toMatch(/answered 403$/);
  });

  it('after a redirection within the publisher is read, and the new address reported', async () => {
    answers('www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip', redirect('https://www.ecb.europa.eu/moved/hist.zip', 302));
    answers('www.ecb.europa.eu/moved/hist.zip', { body: zipOf({ name: 'eurofxref-hist.csv', body: 'Date,USD,\n2031-05-02,1.25,\n' }) });
    expect(await probed(['ecb_fx'])).toMatchObject([
      { verdict: 'ok', differs: [expect.stringContaining('the publisher redirects to www.ecb.europa.eu/moved/hist.zip')] },
    ]);
  });
});

it('asks the plan if the small file is missing, and sends nothing to a publisher with a used-up budget', async () => {
  answers('api.worldbank.org/v2/country', csv(await fixture('world_bank/countries.raw.json'), 'application/json'));
  answers('api.worldbank.org/v2/country/DEU/indicator/NY.GDP.MKTP.CD', status(404));
  const [bank] = await probed(['world_bank']);
  expect([bank?.verdict, bank?.address]).toEqual(['ok', 'https://api.worldbank.org/v2/country?format=json&per_page=400']);
  replay.forget();
  const spent = Array.from({ length: 25 }, () => ({
    at: Date.parse(NOW) - 1000,
    url: 'https://api.bls.gov/publicAPI/v1/timeseries/data/x',
  }));
  const [bls] = await probed(['bls'], {}, new Map([['bls_api', spent]]));
  expect([bls?.verdict, bls?.differs[0]]).toEqual(['FAILED', expect.stringContaining('its budget of 25 requests per day is spent')]);
  expect(replay.asked).toEqual([]);
});
