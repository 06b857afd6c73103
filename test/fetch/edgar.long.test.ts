// Nights of EDGAR: filers of the universe, then each day's new filings; and its answer to callers without a contact.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sec } from '../../src/sources/sec/source.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { declared, page200 } from '../replay/faults.ts';
import { fetchNight } from '../replay/nights.ts';
import { openReplay, type Replay, type Served } from '../replay/server.ts';

const CONTACT = { contact: 'Somebody somebody@example.org' };
const DATA = 'data.sec.gov';
const INDEX = 'www.sec.gov/Archives/edgar/daily-index';
const [WORKS, MINES] = ['0000099990', '0000099991'];

let replay: Replay;
let pipeline: Pipeline;
beforeAll(async () => {
  replay = await openReplay();
  pipeline = await openPipeline();
});
beforeEach(() => replay.forget());
afterAll(async () => {
  await replay.close();
  await pipeline.remove();
});

const json = (value: object): Served => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) });
const serve = (place: string, served: Served) =>
  replay.serve(
    place,
    declared(() => served),
  );
const columns = (filings: readonly (readonly [accession: string, form: string, filed: string])[]) => ({
  accessionNumber: filings.map(([accession]) => accession),
  filingDate: filings.map(([, , filed]) => filed),
  reportDate: filings.map(() => ''),
  acceptanceDateTime: filings.map(([, , filed]) => `${filed}T15:00:00.000Z`),
  form: filings.map(([, form]) => form),
  items: filings.map(() => ''),
  primaryDocument: filings.map(() => 'a.htm'),
});
const submissions = (cik: string, older: readonly string[], ...filings: Parameters<typeof columns>[0]) =>
  serve(
    `${DATA}/submissions/CIK${cik}.json`,
    json({
      cik,
      name: `FILER ${cik}`,
      tickers: [],
      exchanges: [],
      formerNames: [],
      filings: { recent: columns(filings), files: older.map((name) => ({ name })) },
    }),
  );
const facts = (cik: string, ...values: readonly (readonly [accession: string, filed: string, value: number])[]) =>
  serve(
    `${DATA}/api/xbrl/companyfacts/CIK${cik}.json`,
    json({
      cik: Number(cik),
      entityName: `FILER ${cik}`,
      facts: {
        'us-gaap': {
          Assets: {
            label: 'Assets',
            units: { USD: values.map(([accn, filed, val]) => ({ end: '2025-12-31', val, accn, fy: 2025, fp: 'FY', form: '10-K', filed })) },
          },
        },
      },
    }),
  );
const quarter = (...days: readonly string[]) =>
  serve(
    `${INDEX}/2026/QTR1/index.json`,
    json({ directory: { item: days.map((day) => ({ name: `master.${day}.idx` })), name: 'daily-index/2026/QTR1/' } }),
  );
const day = (name: string, ...filings: readonly (readonly [cik: string, form: string])[]) =>
  serve(`${INDEX}/2026/QTR1/master.${name}.idx`, {
    headers: { 'content-type': 'text/plain' },
    body: `Description: Master Index\n\nCIK|Company Name|Form Type|Date Filed|File Name\n-----\n${filings.map(([cik, form]) => `${Number(cik)}|X|${form}|${name}|edgar/x.txt\n`).join('')}`,
  });
const asked = () => replay.asked.map(({ url }) => url.pathname.split('/').slice(-2).join('/'));
const FILINGS = `select accession_number as a from filings order by a`;

it('is not asked without a contact', async () => {
  const { fetch } = await fetchNight(pipeline, replay, [sec], '2026-01-06T03:30:00.000Z');
  expect(fetch.sources[0]).toMatchObject({ status: 'paused', reason: expect.stringContaining('set ASOF_CONTACT') });
  expect(replay.asked).toEqual([]);
});

it('is asked for each listed filer with its older filings, then for the last days; each request names the contact', async () => {
  serve(
    'www.sec.gov/files/company_tickers.json',
    json({ 0: { cik_str: 99990, ticker: 'EXW', title: 'WORKS' }, 1: { cik_str: 99991, ticker: 'EXM', title: 'MINES' } }),
  );
  submissions(WORKS, [`CIK${WORKS}-submissions-001.json`], [`${WORKS}-25-000002`, '10-Q', '2025-11-03']);
  serve(`${DATA}/submissions/CIK${WORKS}-submissions-001.json`, json(columns([[`${WORKS}-09-000001`, '10-K', '2009-03-02']])));
  submissions(MINES, [], [`${MINES}-25-000001`, '10-Q', '2025-11-04']);
  facts(WORKS, [`${WORKS}-25-000002`, '2025-11-03', 10]);
  quarter('20251231', '20260105');
  day('20260105', [WORKS, '4']);
  const { told } = await fetchNight(pipeline, replay, [sec], '2026-01-06T03:30:00.000Z', CONTACT);
  // MINES has no facts.
  expect(told).toEqual(['sec: done, 7/0/1/0']);
  expect(asked()).toEqual([
    'files/company_tickers.json',
    `submissions/CIK${WORKS}.json`,
    `submissions/CIK${WORKS}-submissions-001.json`,
    `companyfacts/CIK${WORKS}.json`,
    `submissions/CIK${MINES}.json`,
    `companyfacts/CIK${MINES}.json`,
    'QTR1/index.json',
    'QTR1/master.20260105.idx',
  ]);
  expect(replay.asked.every(({ headers }) => headers['user-agent']?.includes('somebody@example.org'))).toBe(true);
  expect((await pipeline.lake(FILINGS)).map(({ a }) => a)).toEqual([`${WORKS}-09-000001`, `${WORKS}-25-000002`, `${MINES}-25-000001`]);
});

it('confirms unchanged files by their validators, and nothing is written', async () => {
  const before = await pipeline.lake(`select count(*) as n from ingestions`);
  const { told } = await fetchNight(pipeline, replay, [sec], '2026-01-06T10:30:00.000Z', CONTACT);
  expect([told, asked()]).toEqual([['sec: done, 0/3/0/0'], ['files/company_tickers.json', 'QTR1/index.json', 'QTR1/master.20260105.idx']]);
  expect(replay.asked.every(({ headers }) => 'if-none-match' in headers)).toBe(true);
  expect(await pipeline.lake(`select count(*) as n from ingestions`)).toEqual(before);
});

it('is asked only for filers with filings since, day by day', async () => {
  quarter('20251231', '20260105', '20260106', '20260107');
  day('20260106', [WORKS, '10-K'], ['1234567', '10-K'], [MINES, '4']);
  day('20260107', [MINES, '8-K/A']);
  submissions(
    WORKS,
    [`CIK${WORKS}-submissions-001.json`],
    [`${WORKS}-26-000001`, '10-K', '2026-01-06'],
    [`${WORKS}-25-000002`, '10-Q', '2025-11-03'],
  );
  facts(WORKS, [`${WORKS}-25-000002`, '2025-11-03', 10], [`${WORKS}-26-000001`, '2026-01-06', 12]);
  const { told } = await fetchNight(pipeline, replay, [sec], '2026-01-08T04:00:00.000Z', CONTACT);
  expect(asked().slice(2)).toEqual([
    'QTR1/master.20260105.idx',
    'QTR1/master.20260106.idx',
    `submissions/CIK${WORKS}.json`,
    `companyfacts/CIK${WORKS}.json`,
    'QTR1/master.20260107.idx',
    `submissions/CIK${MINES}.json`,
    `companyfacts/CIK${MINES}.json`,
  ]);
  expect(told).toEqual(['sec: done, 5/3/1/0']);
  expect((await pipeline.lake(FILINGS)).map(({ a }) => a)).toContain(`${WORKS}-26-000001`);
});

describe('a page of EDGAR in place of a file', () => {
  it('is neither an index nor a filer: nothing of it is archived, and the message describes it', async () => {
    const held = (await pipeline.workspace.archive.list('sec')).length;
    replay.serve(`${INDEX}/2026/QTR1/index.json`, () => page200('Undeclared Automated Tool'));
    const { fetch } = await fetchNight(pipeline, replay, [sec], '2026-01-09T04:00:00.000Z', CONTACT);
    expect(fetch.sources[0]).toMatchObject({ status: 'failed', added: 0, reason: expect.stringContaining('Undeclared Automated Tool') });
    expect((await pipeline.workspace.archive.list('sec')).length).toBe(held);
  });
});
