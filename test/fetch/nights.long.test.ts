// Sources over whole nights: backfill, a night without news, one changed payload, and what goes wrong, each named and costing no other source.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ecbFx } from '../../src/sources/ecb/fx.ts';
import { fredMd } from '../../src/sources/st-louis-fed/fred-md.ts';
import { usCensus } from '../../src/sources/us-census/source.ts';
import { worldBank } from '../../src/sources/world-bank/source.ts';
import { blsCalendar } from '../../src/sources/bls/calendar.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { page200, status } from '../replay/faults.ts';
import { fetchNight } from '../replay/nights.ts';
import { openReplay, type Replay } from '../replay/server.ts';
import { zipOf } from '../replay/zip.ts';

let replay: Replay;
let pipeline: Pipeline;
beforeAll(async () => {
  replay = await openReplay();
});
beforeEach(() => replay.forget());
afterAll(() => replay.close());

const EUROFXREF = 'www.ecb.europa.eu/stats/eurofxref';
const rates = (...days: readonly (readonly [string, number])[]) =>
  zipOf({ name: 'eurofxref-hist.csv', body: ['Date,USD,', ...days.map(([day, rate]) => `${day},${rate},`), ''].join('\n') });

const RATES = `select period, value, vintage from observations where source_id = 'ecb_fx' order by change_sequence`;
const LEDGER = `select key, kind, status, attempts from fetches where source_id = 'ecb_fx' order by finished_at, key desc`;

describe('nights of one source', () => {
  beforeAll(async () => {
    pipeline = await openPipeline();
  });
  afterAll(() => pipeline.remove());

  it('begin with all available data', async () => {
    replay.serve(`${EUROFXREF}/eurofxref-hist.zip`, rates(['2026-01-05', 1.2], ['2026-01-02', 1.1]));
    const { told, sources } = await fetchNight(pipeline, replay, [ecbFx], '2026-01-05T18:00:00.000Z');
    expect(told).toEqual(['ecb_fx: done, 1/0/0/0']);
    expect(sources[0]?.payloads.map(({ rowsWritten }) => rowsWritten)).toEqual([2]);
    expect(await pipeline.lake(RATES)).toEqual([
      { period: '2026-01-02', value: 1.1, vintage: '2026-01-02' },
      { period: '2026-01-05', value: 1.2, vintage: '2026-01-05' },
    ]);
    expect(await pipeline.lake(LEDGER)).toEqual([{ key: 'ecb-eurofxref/eurofxref-hist.zip', kind: 'new', status: 200, attempts: 1 }]);
  });

  it('send no request before new data are possible', async () => {
    expect((await fetchNight(pipeline, replay, [ecbFx], '2026-01-06T03:30:00.000Z')).told).toEqual(['ecb_fx: not due, 0/0/0/0']);
    expect(replay.asked).toEqual([]);
  });

  it('only ask for changes, and write nothing without any', async () => {
    const before = await pipeline.lake(RATES);
    const { told, sources } = await fetchNight(pipeline, replay, [ecbFx], '2026-01-06T15:10:00.000Z');
    expect([told, sources[0]?.payloads]).toEqual([['ecb_fx: done, 0/1/0/0'], []]);
    expect(replay.asked.map(({ headers }) => headers['if-none-match'] !== undefined)).toEqual([true]);
    expect(await pipeline.lake(RATES)).toEqual(before);
    expect((await pipeline.lake(`select status from attempts where source_id = 'ecb_fx'`)).length).toBe(2);
  });

  it('look again until an overdue publication is there, and add exactly its changes', async () => {
    replay.serve(`${EUROFXREF}/eurofxref-hist.zip`, rates(['2026-01-06', 1.3], ['2026-01-05', 1.25], ['2026-01-02', 1.1]));
    const { told } = await fetchNight(pipeline, replay, [ecbFx], '2026-01-06T15:25:00.000Z');
    expect(told).toEqual(['ecb_fx: done, 1/0/0/0']);
    // A rate of a day before is corrected: it is known from now on, and what was said before stays.
    expect((await pipeline.lake(RATES)).slice(2)).toEqual([
      { period: '2026-01-06', value: 1.3, vintage: '2026-01-06' },
      { period: '2026-01-05', value: 1.25, vintage: '2026-01-06' },
    ]);
    expect((await fetchNight(pipeline, replay, [ecbFx], '2026-01-06T15:40:00.000Z')).told).toEqual(['ecb_fx: not due, 0/0/0/0']);
  });

  it('keep their data if a page replaces the file, and report it', async () => {
    replay.serve(`${EUROFXREF}/eurofxref-hist.zip`, () => page200('Service unavailable'));
    const { fetch, sources } = await fetchNight(pipeline, replay, [ecbFx], '2026-01-07T15:10:00.000Z');
    const reason = 'ecb-eurofxref/eurofxref-hist.zip: expected a zip file, found text/html: "Service unavailable"';
    expect(fetch.sources[0]).toMatchObject({ status: 'failed', reason, added: 0 });
    expect(sources[0]).toMatchObject({ status: 'failed', error: `1 of 1 requests failed: ${reason}` });
    expect((await pipeline.lake(RATES)).length).toBe(4);
    expect(await pipeline.lake(`select error from fetches where kind = 'failed'`)).toEqual([{ error: reason }]);
  });

  it('load everything again if the archive has lost a confirmed file', async () => {
    replay.serve(`${EUROFXREF}/eurofxref-hist.zip`, rates(['2026-01-06', 1.3], ['2026-01-05', 1.25], ['2026-01-02', 1.1]));
    const { archive } = pipeline.workspace;
    const lossy = { ...archive, read: () => Promise.reject(new Error('gone')) };
    const before = await pipeline.lake(RATES);
    const without = { ...pipeline, workspace: { ...pipeline.workspace, archive: lossy } };
    const { told } = await fetchNight(without, replay, [ecbFx], '2026-01-07T15:20:00.000Z');
    expect([told, replay.asked.map(({ headers }) => 'if-none-match' in headers)]).toEqual([['ecb_fx: done, 0/1/0/0'], [true, false]]);
    expect(await pipeline.lake(RATES)).toEqual(before);
  });
});

describe('a publisher whose file was replaced in a folder', () => {
  beforeAll(async () => {
    pipeline = await openPipeline();
  });
  afterAll(() => pipeline.remove());

  it('is not asked to confirm content that it never sent: its answer is a new content', async () => {
    const [theirs, folder] = [rates(['2026-01-02', 1.1]), rates(['2026-01-02', 1.9])];
    replay.serve(`${EUROFXREF}/eurofxref-hist.zip`, theirs);
    await fetchNight(pipeline, replay, [ecbFx], '2026-01-05T18:00:00.000Z');
    await pipeline.ingest({ 'ecb-eurofxref/eurofxref-hist.zip': folder }, '2026-01-06T10:00:00.000Z', [ecbFx]);
    replay.forget();
    expect((await fetchNight(pipeline, replay, [ecbFx], '2026-01-07T15:10:00.000Z')).told).toEqual(['ecb_fx: done, 1/0/0/0']);
    expect(replay.asked.map(({ headers }) => 'if-none-match' in headers)).toEqual([false]);
    expect((await pipeline.lake(RATES)).map(({ value }) => value)).toEqual([1.1, 1.9, 1.1]);
  });
});

describe('a source with a fault', () => {
  beforeAll(async () => {
    pipeline = await openPipeline();
  });
  afterAll(() => pipeline.remove());

  it('affects no other source, whatever the fault', async () => {
    replay.serve(`${EUROFXREF}/eurofxref-hist.zip`, rates(['2026-01-05', 1.2]));
    replay.serve('www.census.gov/econ_getzippedfile/', () => status(503));
    const { fetch, told } = await fetchNight(pipeline, replay, [usCensus, ecbFx, blsCalendar], '2026-01-05T18:00:00.000Z');
    expect(told).toEqual(['us_census: failed, 0/0/0/2', 'ecb_fx: done, 1/0/0/0', 'bls_calendar: paused, 0/0/0/0']);
    expect(fetch.sources.map(({ reason }) => reason)).toEqual([
      'us-census/RESCONST-mf.zip: answered 503',
      null,
      'it requires a contact: set ASOF_CONTACT to a name and an e-mail address',
    ]);
    // A source that was not asked was not attempted.
    expect(await pipeline.lake('select source_id, status from attempts order by source_id')).toEqual([
      { source_id: 'ecb_fx', status: 'ok' },
      { source_id: 'us_census', status: 'failed' },
    ]);
  });

  it('has not failed if no publisher answers: this machine is offline', async () => {
    const gone = await openReplay();
    await gone.close();
    const attempts = await pipeline.lake('select count(*) as n from attempts');
    const { fetch, told } = await fetchNight(pipeline, gone, [usCensus, ecbFx, fredMd], '2026-01-08T18:00:00.000Z');
    expect(told).toEqual(['us_census: failed, 0/0/0/1', 'ecb_fx: failed, 0/0/0/1', 'fred_md: failed, 0/0/0/1']);
    expect(fetch).toMatchObject({ hasAsked: true, hasAnswers: false });
    expect(await pipeline.lake('select count(*) as n from attempts')).toEqual(attempts);
  });
});

describe('a zip with files that a publisher also offers one by one', () => {
  const FOLDER = 'www.stlouisfed.org/-/media/project/frbstl/stlouisfed/research/fred-md';
  const vintage = (...rows: readonly string[]) => ['sasdate,PAYEMS', 'Transform:,5', ...rows, ''].join('\n');
  const KEYS = `select key, kind, url from fetches where source_id = 'fred_md' and key like '%.zip' order by finished_at`;
  beforeAll(async () => {
    pipeline = await openPipeline();
  });
  afterAll(() => pipeline.remove());

  it('is archived by its members, each known from the end of its month; the ledger names the address that answered', async () => {
    replay.serve(`${FOLDER}/monthly/2025-01-md.csv`, vintage('11/1/2024,99', '12/1/2024,104'));
    replay.serve(
      `${FOLDER}/historical-vintages-of-fred-md-2015-01-to-2024-12.zip`,
      zipOf(
        { name: 'vintages/2024-11.csv', body: vintage('9/1/2024,100', '10/1/2024,101') },
        { name: 'vintages/2024-12.csv', body: vintage('10/1/2024,102', '11/1/2024,103') },
        { name: 'readme.txt', body: 'by hand' },
        // Ten years of months are more than a hundred members.
        ...Array.from({ length: 120 }, (_, index) => ({ name: `other/${index}.pdf`, body: 'x' })),
      ),
    );
    const { told } = await fetchNight(pipeline, replay, [fredMd], '2025-01-30T08:00:00.000Z');
    expect(told).toEqual(['fred_md: done, 3/0/2/0']);
    expect((await pipeline.workspace.archive.list('fred_md')).map(({ key }) => key).toSorted()).toEqual(
      ['2024-11', '2024-12', '2025-01-md'].map((name) => `fred-md/${name}.csv`),
    );
    expect(
      await pipeline.lake(
        `select period, value, vintage from observations where indicator_id = 'us_nonfarm_payrolls' and period = '2024-10'`,
      ),
    ).toEqual([
      { period: '2024-10', value: 101, vintage: '2024-11-30' },
      { period: '2024-10', value: 102, vintage: '2024-12-31' },
    ]);
    expect((await pipeline.lake(KEYS)).map(({ kind, url }) => [kind, String(url).split('/').at(-1)])).toEqual([
      ['absent', 'historical-vintages-of-fred-md-2015-01-to-2025-12.zip'],
      ['new', 'historical-vintages-of-fred-md-2015-01-to-2024-12.zip'],
    ]);
  });

  it('is requested again after a week, and adds nothing twice', async () => {
    await fetchNight(pipeline, replay, [fredMd], '2025-02-05T08:00:00.000Z');
    expect((await pipeline.lake(KEYS)).length).toBe(2);
    const { told } = await fetchNight(pipeline, replay, [fredMd], '2025-02-07T08:00:00.000Z');
    expect((await pipeline.lake(KEYS)).map(({ kind }) => kind)).toEqual(['absent', 'new', 'absent', 'same']);
    expect(told[0]).toMatch(/^fred_md: done, 0\//);
  });
});

describe('an answer in pages', () => {
  const API = 'api.worldbank.org/v2/country';
  const page = (of: number, total: number, lastupdated: string, rows: readonly object[]) =>
    JSON.stringify([{ page: of, pages: total, per_page: '2', total: 3, lastupdated }, rows]);
  const row = (iso3: string, value: number) => ({
    indicator: { id: 'SP.POP.TOTL', value: '' },
    country: { id: iso3.slice(0, 2), value: iso3 },
    countryiso3code: iso3,
    date: '2024',
    value,
    unit: '',
  });
  const populations = (second: () => string | { status: number }) => {
    replay.serve(`${API}/all/indicator/SP.POP.TOTL`, ({ url }) => {
      if (url.searchParams.get('page') !== '2')
        return { body: page(1, 2, '2026-01-02', [row('FRA', 68), row('DEU', 83)]), headers: { 'content-type': 'application/json' } };
      const answer = second();
      return typeof answer === 'string' ? { body: answer, headers: { 'content-type': 'application/json' } } : status(answer.status);
    });
  };
  const POPULATIONS = `select entity_id, value from observations where source_id = 'world_bank' order by entity_id`;

  beforeAll(async () => {
    pipeline = await openPipeline();
  });
  afterAll(() => pipeline.remove());

  it.each([
    ['the second page is not there', () => ({ status: 502 }), 'answered 502'],
    [
      'the second page is of another update',
      () => page(2, 2, '2026-01-05', [row('ITA', 59)]),
      'it is of the update of 2026-01-05, page 1 of that of 2026-01-02',
    ],
    ['the second page repeats the first', () => page(1, 2, '2026-01-02', [row('FRA', 68), row('DEU', 83)]), 'the answer is page 1'],
    ['the second page is an error', () => '[{"message":[{"id":"120","value":"Invalid value"}]}]', 'the answer is an error'],
    ['the second page has no rows', () => page(2, 0, '2026-01-02', []), 'the answer has no rows'],
  ])('is discarded if %s', async (_what, second, problem) => {
    populations(second);
    const { fetch } = await fetchNight(pipeline, replay, [worldBank], '2026-01-06T10:00:00.000Z');
    expect(fetch.sources[0]?.status).toBe('failed');
    const failures = await pipeline.lake(`select distinct key, error from fetches where key like '%SP.POP%' and error like '%${problem}%'`);
    expect(failures.length).toBeGreaterThan(0);
    expect(await pipeline.workspace.archive.list('world_bank')).toEqual([]);
  });

  it('is archived and read once all of it is there', async () => {
    populations(() => page(2, 2, '2026-01-02', [row('ITA', 59)]));
    await fetchNight(pipeline, replay, [worldBank], '2026-01-06T11:00:00.000Z');
    expect((await pipeline.workspace.archive.list('world_bank')).map(({ key }) => key)).toEqual([
      'world-bank/api-json/SP.POP.TOTL.json',
      'world-bank/api-json/SP.POP.TOTL.page2.json',
    ]);
    expect((await pipeline.lake(POPULATIONS)).map(({ value }) => value)).toEqual([83, 68, 59]);
  });
});
