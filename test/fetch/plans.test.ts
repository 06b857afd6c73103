// What each source asks of its publisher, by its plan alone: no network, no clock.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PUBLISHERS } from '../../src/sources/publishers.ts';
import type { Answer, Feed, Held, Request } from '../../src/sources/feeds/feed.ts';
import { isDueAfter, WORKING_DAYS } from '../../src/sources/feeds/due.ts';
import { FRED_RELEASES, FRED_SERIES, vintagesOf, windowsOf } from '../../src/sources/st-louis-fed/fred-feed.ts';
import { sources } from '../../src/sources/index.ts';
import { UpstreamError } from '../../src/sources/upstream-error.ts';
import { sourceOf } from '../readers/second-reader.ts';
import { answered, drive, holding, NOTHING_HELD } from '../replay/plans.ts';
import { zipOf } from '../replay/zip.ts';

const feedOf = (id: string): Feed => {
  const { feed } = sourceOf(id);
  if (feed === undefined) throw new Error(`${id} has no feed`);
  return feed;
};
const keysOf = (requests: readonly Request[]) => requests.map(({ key }) => key);

const constraint = (attributes: string, ...editions: readonly string[]): string =>
  `<m:Structure xmlns:m="m"><m:ContentConstraint${attributes}><m:KeyValue id="EDITION">${editions
    .map((edition) => `<m:Value>${edition}</m:Value>`)
    .join('')}</m:KeyValue></m:ContentConstraint></m:Structure>`;

/** Enough of each kind of answer for a plan to go on to its end; the first whose text is in the key counts. */
const ENOUGH: readonly (readonly [text: string | RegExp, body: unknown])[] = [
  ['vintagedates', { count: 2, offset: 0, limit: 10_000, vintage_dates: ['2020-01-30', '2020-02-28'] }],
  ['series_observations', { count: 1, offset: 0, limit: 100_000, observations: [{}] }],
  ['world-bank', [{ page: 1, pages: 1, total: 1, lastupdated: '2026-01-01' }, [{}]]],
  [/^oecd\/constraints\//, constraint(' validFrom="2026-07-08T09:33:35.737Z"')],
  [/^oecd\/live\//, 'STRUCTURE\nDATAFLOW\n'],
  [/^oecd\/editions\/available\.xml$/, constraint('', '199902', '200712', '202610', '202812')],
  [/^bls\//, { status: 'REQUEST_SUCCEEDED', Results: { series: [{ data: [{}] }] } }],
  [/^boj\//, { STATUS: 200, MESSAGE: '', NEXTPOSITION: null, RESULTSET: [] }],
  [/^us-treasury\//, 'Date,"10 Yr"\n01/02/2026,4.2\n'],
  [/^sec\/company_tickers\.json$/, { 0: { cik_str: 320193, ticker: 'X', title: 'X' } }],
  [/^sec\/submissions\//, { filings: { files: [{ name: 'CIK0000320193-submissions-001.json' }] } }],
  [/^sec\/daily-index\/2026/, { directory: { item: [{ name: 'master.20261117.idx' }] } }],
  [/\.idx$/, 'CIK|Company Name|Form Type|Date Filed|File Name\n320193|X|10-K|20261117|edgar/data/x.txt\n'],
  ['socrata', [{ cftc_contract_market_code: '001602' }]],
];
const anything = ({ key }: Request): Answer =>
  answered(ENOUGH.find(([text]) => (typeof text === 'string' ? key.includes(text) : text.test(key)))?.[1] ?? 'text');

describe('every request of every source', () => {
  const NOW = '2026-11-18T12:00:00.000Z';

  it.each(sources.flatMap(({ id, feed }) => (feed === undefined ? [] : [{ id, feed }])))(
    '$id: goes to a host of its publisher, over https, without a key in it, for a file that a source reads',
    ({ id, feed }) => {
      const publisher = PUBLISHERS[feed.publisher];
      const { requests, givenUp } = drive(feed.plan(NOW, NOTHING_HELD), anything);
      expect(givenUp).toEqual([]);
      expect(requests.length).toBeGreaterThan(0);
      for (const { key, url, isIndex } of requests) {
        const { protocol, host, searchParams } = new URL(url);
        expect([protocol, publisher.hosts.includes(host)]).toEqual(['https:', true]);
        expect([...searchParams.keys()].filter((name) => /key|token|secret/i.test(name))).toEqual([]);
        // A page of links is read by the plan alone.
        if (isIndex === true) continue;
        const owners = sources.filter((source) => source.owns(key) || source.container?.(key) !== undefined).map((source) => source.id);
        expect(owners.length).toBe(1);
        expect([id, ...(feed.alsoFor ?? [])]).toContain(owners[0]);
      }
      expect(new Set(keysOf(requests)).size).toBe(requests.length);
      expect(feed.isDue(NOW, NOTHING_HELD)).toBe(true);
    },
  );
});

describe('the next time to ask', () => {
  const at16 = { time: '16:00', zone: 'Europe/Berlin', weekdays: WORKING_DAYS };
  const held = (retrievedAt: string, checkedAt = retrievedAt) => ({ retrievedAt, checkedAt });

  // 2026-01-06 is a Tuesday; 16:00 in Frankfurt is 15:00 UTC in winter, 14:00 in summer.
  it.each([
    ['what was never had', '2026-01-06T10:00:00Z', null, true],
    ['a day after the last check', '2026-01-06T10:00:00Z', held('2026-01-05T15:30:00Z', '2026-01-05T10:00:00Z'), true],
    ['before the publication', '2026-01-06T14:59:00Z', held('2026-01-05T15:30:00Z', '2026-01-06T10:00:00Z'), false],
    ['right after the publication', '2026-01-06T15:00:00Z', held('2026-01-05T15:30:00Z', '2026-01-06T14:59:00Z'), true],
    ['while the publication is not there', '2026-01-06T17:00:00Z', held('2026-01-05T15:30:00Z', '2026-01-06T16:45:00Z'), true],
    ['once it is there', '2026-01-06T17:00:00Z', held('2026-01-06T15:10:00Z'), false],
    ['hours after it did not come', '2026-01-06T21:00:00Z', held('2026-01-05T15:30:00Z', '2026-01-06T18:45:00Z'), false],
    ['on a Saturday', '2026-01-10T15:30:00Z', held('2026-01-09T15:30:00Z', '2026-01-10T03:30:00Z'), false],
    ['in summer', '2026-07-07T14:00:00Z', held('2026-07-06T14:30:00Z', '2026-07-07T13:59:00Z'), true],
  ])('%s', (_what, now, payload, isDue) => {
    expect(isDueAfter(new Date(now).toISOString(), payload, 24, at16)).toBe(isDue);
  });
});

describe('the BIS', () => {
  it('is asked for every area of both data sets each day', () => {
    const { plan, isDue } = feedOf('bis');
    const { requests } = drive(plan('2026-11-18T12:00:00.000Z', NOTHING_HELD), anything);
    expect(requests).toEqual([
      { key: 'bis/WS_CBPOL.M.csv', url: 'https://stats.bis.org/api/v1/data/WS_CBPOL/M./all?format=csv' },
      { key: 'bis/WS_LONG_CPI.M.csv', url: 'https://stats.bis.org/api/v1/data/WS_LONG_CPI/M..628/all?format=csv' },
    ]);
    const held = holding('2026-11-18T12:00:00.000Z', 'bis/WS_CBPOL.M.csv', 'bis/WS_LONG_CPI.M.csv');
    expect(isDue('2026-11-19T11:00:00.000Z', held)).toBe(false);
    expect(isDue('2026-11-19T12:00:00.000Z', held)).toBe(true);
    expect(isDue('2026-11-19T11:00:00.000Z', holding('2026-11-18T12:00:00.000Z', 'bis/WS_CBPOL.M.csv'))).toBe(true);
  });
});

describe('the OECD', () => {
  const NOW = '2026-11-18T12:00:00.000Z';
  const { plan, isDue } = feedOf('oecd');
  const [cli, prices] = ['oecd/constraints/DF_CLI.xml', 'oecd/constraints/DF_PRICES_ALL.xml'] as const;
  const whole = (flow: string, at = '2026-07-08T09-33-35.737Z') => `oecd/live/${flow}.${at}.csv`;
  const OTHERS = ['DF_PRICES_C2018_ALL', 'DF_IALFS_UNE_M', 'DF_QNA_EXPENDITURE_GROWTH_OECD'];
  const constraints = OTHERS.map((flow) => `oecd/constraints/${flow}.xml`);
  const others = OTHERS.map((flow) => whole(flow));
  const asked = (held: Held, answer = anything) => drive(plan(NOW, held), answer);

  it('is asked for the time of change of each data flow, then for all data, and for the time again', () => {
    const { requests } = asked(NOTHING_HELD);
    expect(keysOf(requests)).toEqual([
      cli,
      whole('DF_CLI'),
      'oecd/constraints/DF_CLI.after.xml',
      prices,
      whole('DF_PRICES_ALL'),
      'oecd/constraints/DF_PRICES_ALL.after.xml',
      ...OTHERS.flatMap((flow) => [`oecd/constraints/${flow}.xml`, whole(flow), `oecd/constraints/${flow}.after.xml`]),
    ]);
    const rest = 'https://sdmx.oecd.org/public/rest/data';
    expect(requests.filter(({ key }) => others.includes(key)).map(({ url }) => url)).toEqual([
      `${rest}/OECD.SDD.TPS,DSD_PRICES_COICOP2018@DF_PRICES_C2018_ALL,1.0/.M+Q.N.CPI.PA._T.N.GY?dimensionAtObservation=AllDimensions`,
      `${rest}/OECD.SDD.TPS,DSD_LFS@DF_IALFS_UNE_M,1.0/.UNE_LF_M.PT_LF_SUB._Z.Y._T.Y_GE15._Z.M?dimensionAtObservation=AllDimensions`,
      `${rest}/OECD.SDD.NAD,DSD_NAMAIN1@DF_QNA_EXPENDITURE_GROWTH_OECD,1.1/Q.Y..S1..B1GQ......G1+GY.?dimensionAtObservation=AllDimensions`,
    ]);
    expect(requests[1]?.accept).toBe('application/vnd.sdmx.data+csv; charset=utf-8; version=2; labels=id');
    expect(requests[1]?.group).toBe(requests[2]?.group);
  });

  it('is asked for no data without a change, and for the changed data after one', () => {
    const held = holding(NOW, cli, prices, whole('DF_CLI'), ...others, whole('DF_PRICES_ALL', '2026-06-28T09-00-00.000Z'));
    expect(keysOf(asked(held).requests)).toEqual([
      cli,
      prices,
      'oecd/live/DF_PRICES_ALL.2026-07-08T09-33-35.737Z.since-2026-06-28T09-00-00.000Z.csv',
      'oecd/constraints/DF_PRICES_ALL.after.xml',
      ...constraints,
    ]);
    // Two weeks later all there is is asked for again.
    const old = holding(NOW, whole('DF_CLI'), whole('DF_PRICES_ALL', '2026-06-23T09-00-00.000Z'));
    expect(keysOf(asked(old).requests)).toContain(whole('DF_PRICES_ALL'));
  });

  it('is not trusted if the data flow changed in between, and has no rows if its data did not change', () => {
    const moved = asked(NOTHING_HELD, (request) =>
      request.key.endsWith('.after.xml') ? answered(constraint(' validFrom="2026-07-08T10:00:00.000Z"')) : anything(request),
    );
    expect(moved.givenUp).toEqual(
      ['DF_CLI', 'DF_PRICES_ALL', ...OTHERS].map((flow) => `${flow}: the data flow changed while it was asked for`),
    );
    const held = holding(NOW, whole('DF_CLI', '2026-06-28T09-00-00.000Z'), whole('DF_PRICES_ALL'), ...others);
    const empty = asked(held, (request) => (request.key.includes('.since-') ? answered('STRUCTURE,STRUCTURE_ID\n') : anything(request)));
    expect(empty.givenUp).toEqual(['DF_CLI: the answer has no rows']);
    expect(asked(held).requests.find(({ key }) => key.includes('.since-'))?.dueBy).toBe('9999-12-31');
  });

  it('is checked every six hours', () => {
    const held = holding(NOW, cli, prices, ...constraints);
    expect([isDue('2026-11-18T17:59:00.000Z', held), isDue('2026-11-18T18:00:00.000Z', held)]).toEqual([false, true]);
  });
});

describe('the editions of the OECD', () => {
  const { plan, isDue } = feedOf('oecd_editions');
  const list = 'oecd/editions/available.xml';
  const keyOf = (edition: string) => `oecd/editions/${edition}.csv`;
  const asked = (now: string, held: Held) => keysOf(drive(plan(now, held), anything).requests).slice(1);

  it('are requested once each, those that may change first, future ones never; the newest daily while it may change', () => {
    const now = '2026-11-18T12:00:00.000Z';
    expect(asked(now, NOTHING_HELD)).toEqual(['202610', '199902', '200712'].map(keyOf));
    expect(asked(now, holding('2026-11-17T13:00:00.000Z', keyOf('199902'), keyOf('202610')))).toEqual([keyOf('200712')]);
    expect(asked(now, holding('2026-11-17T12:00:00.000Z', keyOf('199902'), keyOf('200712'), keyOf('202610')))).toEqual([keyOf('202610')]);
    // Out by the end of November, and not asked for any more.
    expect(asked('2026-12-01T12:00:00.000Z', holding('2026-11-17T12:00:00.000Z', ...['199902', '200712', '202610'].map(keyOf)))).toEqual(
      [],
    );
    expect(asked('2026-09-30T12:00:00.000Z', NOTHING_HELD)).toEqual(['199902', '200712'].map(keyOf));
  });

  it('continue every hour while one is missing, else once a day', () => {
    const months = Array.from(
      { length: 332 },
      (_, index) => `${1999 + Math.floor((index + 1) / 12)}${String(((index + 1) % 12) + 1).padStart(2, '0')}`,
    );
    const whole = holding('2026-11-18T12:00:00.000Z', list, ...months.map(keyOf));
    const behind = holding('2026-11-18T12:00:00.000Z', list, ...months.slice(0, 60).map(keyOf));
    expect([isDue('2026-11-18T12:59:00.000Z', behind), isDue('2026-11-18T13:00:00.000Z', behind)]).toEqual([false, true]);
    expect([isDue('2026-11-19T11:59:00.000Z', whole), isDue('2026-11-19T12:00:00.000Z', whole)]).toEqual([false, true]);
    // One that was asked for and is not there is no reason to hurry, and is asked for again after a week.
    const missing = { ...whole, keys: () => [list, ...months.slice(1).map(keyOf)], askedAt: () => '2026-11-18T12:00:00.000Z' };
    expect([isDue('2026-11-18T13:00:00.000Z', missing), isDue('2026-11-19T12:00:00.000Z', missing)]).toEqual([false, true]);
    const gone = { ...holding('2026-11-18T12:00:00.000Z', keyOf('200712'), keyOf('202610')), askedAt: () => '2026-11-18T12:00:00.000Z' };
    expect([asked('2026-11-18T13:00:00.000Z', gone), asked('2026-11-25T12:00:00.000Z', gone)]).toEqual([
      [],
      [keyOf('202610'), keyOf('199902')],
    ]);
  });
});

describe('DG ECFIN', () => {
  const { plan, isDue } = feedOf('dg_ecfin');
  const keyOf = (yymm: string) => `dg-ecfin-bcs/nace2_ecfin_${yymm}/main_indicators_sa_nace2.zip`;
  const NOW = '2026-11-30T12:00:00.000Z';
  const asked = (now: string, held: Held, until = '2608') =>
    drive(plan(now, held), ({ key }) => (key >= keyOf(until) ? answered('PK') : { kind: 'absent' })).requests;

  it('is asked for the newest two archives, then older ones until three in a row are missing', () => {
    expect(asked(NOW, NOTHING_HELD).map(({ key, dueBy }) => [key, dueBy])).toEqual([
      [keyOf('2610'), '2026-11-10'],
      [keyOf('2611'), '2026-12-10'],
      ...['2609', '2608', '2607', '2606', '2605'].map((month) => [keyOf(month), '9999-12-31']),
    ]);
    expect(asked(NOW, NOTHING_HELD)[1]?.url).toBe(
      'https://ec.europa.eu/economy_finance/db_indicators/surveys/documents/series/nace2_ecfin_2611/main_indicators_sa_nace2.zip',
    );
  });

  it('is not asked again for missing archives for thirty days', () => {
    const months = ['2608', '2609', '2610', '2611'].map(keyOf);
    const held = (at: string): Held => ({ ...holding(at, ...months), askedAt: () => at });
    expect(keysOf(asked('2026-12-01T12:00:00.000Z', held(NOW)))).toEqual([keyOf('2611'), keyOf('2612')]);
    expect(keysOf(asked('2026-12-30T12:00:00.000Z', held(NOW)))).toContain(keyOf('2607'));
  });

  it('begins with the first archive of its classification', () => {
    expect(asked('2010-08-02T12:00:00.000Z', NOTHING_HELD, '1005').map(({ key }) => key)).toEqual(
      ['1007', '1008', '1006', '1005'].map(keyOf),
    );
  });

  it('is checked once a day after 11:00 in Brussels', () => {
    // 2026-11-30 is a Monday; 11:00 in Brussels is 10:00 UTC in winter.
    const held = holding('2026-11-30T09:00:00.000Z', keyOf('2611'));
    expect([isDue('2026-11-30T09:59:00.000Z', held), isDue('2026-11-30T10:00:00.000Z', held)]).toEqual([false, true]);
    const looked = holding('2026-11-30T10:00:00.000Z', keyOf('2611'));
    expect([
      isDue('2026-11-30T10:15:00.000Z', looked),
      isDue('2026-12-01T09:00:00.000Z', holding('2026-11-30T10:00:00.000Z', keyOf('2611'))),
    ]).toEqual([false, true]);
  });
});

describe('the International Monetary Fund', () => {
  it('is asked for prices, unemployment, output and policy rates of every country each day', () => {
    const { plan, isDue } = feedOf('imf');
    const { requests } = drive(plan('2026-11-18T12:00:00.000Z', NOTHING_HELD), anything);
    const asked = (key: string, path: string) => ({
      key: `imf/${key}.csv`,
      url: `https://api.imf.org/external/sdmx/2.1/data/IMF.STA,${path}?detail=dataonly`,
      accept: 'application/vnd.sdmx.data+csv;version=2.0.0',
    });
    expect(requests).toEqual([
      asked('CPI.YOY_PCH_PA_PT.M', 'CPI,5.0.0/.CPI._T.YOY_PCH_PA_PT.M'),
      asked('CPI.IX.M', 'CPI,5.0.0/.CPI._T.IX.M'),
      asked('LS.U.PT.M', 'LS,9.0.0/.U.PT.M'),
      asked('QNEA.B1GQ.Q.SA.XDC.Q', 'QNEA,7.0.0/.B1GQ.Q.SA.XDC.Q'),
      asked('MFS_IR.MFS166_RT_PT_A_PT.M', 'MFS_IR,9.0.0/.MFS166_RT_PT_A_PT.M'),
    ]);
    const held = holding('2026-11-18T12:00:00.000Z', ...keysOf(requests));
    expect([isDue('2026-11-19T11:00:00.000Z', held), isDue('2026-11-19T12:00:00.000Z', held)]).toEqual([false, true]);
  });
});

describe('the quarterly data sets of the SEC', () => {
  const { plan, isDue } = feedOf('sec_fsds');
  const key = (quarter: string) => `sec/fsds/${quarter}.zip`;
  const YEAR = ['2026q3', '2026q2', '2026q1', '2025q4'].map(key);

  it('are requested for the finished quarters of a year, newest first, then by the page, and at the old address', () => {
    const places = ({ url }: Request) => url.replace('https://www.sec.gov/', '');
    const absent = drive(plan('2026-10-01T12:00:00.000Z', NOTHING_HELD), () => ({ kind: 'absent' })).requests;
    expect(absent.slice(0, 4).map(places)).toEqual([
      'files/dera/data/financial-statement-data-sets/2026q3.zip',
      'data-research/sec-markets-data/financial-statement-data-sets',
      'files/dera/financial-statement-data-sets/2026q3.zip',
      'files/dera/data/financial-statement-data-sets/2026q2.zip',
    ]);
    expect(absent.filter(({ dueBy }) => dueBy !== '9999-12-31').map((request) => [request.key, request.dueBy])).toEqual(
      YEAR.map((name, index) => [name, ['2026-11-15', '2026-08-15', '2026-05-16', '2026-02-15'][index]]),
    );
    const links =
      '<html><a href="/files/fsds/2026q3.zip">x</a><a href="https://elsewhere.example/2026q2.zip">x</a><a href="https://www.sec.gov/other/2026q1.zip?x">x</a></html>';
    const linked = drive(plan('2026-10-01T12:00:00.000Z', NOTHING_HELD), (request) =>
      request.isIndex === true ? answered(links) : { kind: 'absent' },
    ).requests;
    expect(linked.map(places).filter((place) => !place.includes('financial-statement'))).toEqual([
      'files/fsds/2026q3.zip',
      'other/2026q1.zip',
    ]);
    const { requests } = drive(plan('2026-12-31T23:00:00.000Z', NOTHING_HELD), anything);
    expect(requests.map(({ url }) => url.includes('/data/'))).toEqual([true, true, true, true]);
    expect(keysOf(requests)).toEqual(YEAR);
    expect(keysOf(drive(plan('2027-01-01T00:00:00.000Z', NOTHING_HELD), anything).requests)[0]).toBe(key('2026q4'));
  });

  it('are checked once a day while one is missing, and once a week otherwise', () => {
    const asked = '2026-11-18T12:00:00.000Z';
    const whole = holding(asked, ...YEAR);
    expect(['2026-11-25T11:00:00.000Z', '2026-11-25T12:00:00.000Z'].map((now) => isDue(now, whole))).toEqual([false, true]);
    const missing = { ...holding(asked, ...YEAR.slice(0, 3)), askedAt: () => asked };
    expect(['2026-11-18T23:59:00.000Z', '2026-11-19T00:00:00.000Z'].map((now) => isDue(now, missing))).toEqual([false, true]);
    expect(isDue(asked, NOTHING_HELD)).toBe(true);
  });
});

describe('the US Treasury', () => {
  it('is asked again at once while a year is missing, however recently the newest was checked', () => {
    const { plan, isDue } = feedOf('us_treasury');
    const keyOf = (year: number) => `us-treasury/daily-treasury-rates.${year}.csv`;
    const years = Array.from({ length: 37 }, (_, index) => 1990 + index);
    // A Wednesday, in the afternoon of New York.
    const [looked, now] = ['2026-11-18T19:00:00.000Z', '2026-11-18T20:00:00.000Z'];
    const whole = holding(looked, ...years.map(keyOf));
    const without2005 = holding(looked, ...years.filter((year) => year !== 2005).map(keyOf));
    expect([isDue(now, whole), isDue(now, without2005)]).toEqual([false, true]);
    const asked = keysOf(drive(plan(now, without2005), anything).requests);
    expect(asked).toEqual([keyOf(2005)]);
    // A year that was asked for and is not there waits for a week.
    const gone = { ...without2005, askedAt: () => looked };
    expect(isDue(now, gone)).toBe(false);
    expect([now, '2026-11-25T19:00:00.000Z'].map((at) => keysOf(drive(plan(at, gone), anything).requests))).toEqual([
      [],
      [keyOf(2026), keyOf(2005)],
    ]);
  });

  it('is not asked at each tick for a missing file of this year', () => {
    const { isDue } = feedOf('us_treasury');
    const gone = { ...NOTHING_HELD, askedAt: () => '2026-11-18T12:00:00.000Z' };
    expect(['2026-11-18T12:15:00.000Z', '2026-11-18T17:59:00.000Z', '2026-11-18T18:00:00.000Z'].map((at) => isDue(at, gone))).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('central banks with their own CSV or JSON', () => {
  const NOW = '2026-11-18T12:00:00.000Z';
  const urlsOf = (id: string, held = NOTHING_HELD) =>
    drive(feedOf(id).plan(NOW, held), anything).requests.map(({ key, url }) => `${key} ${url}`);

  it.each([
    [
      'boe',
      [
        'boe/rates.csv https://www.bankofengland.co.uk/boeapps/database/_iadb-fromshowcolumns.asp?csv.x=yes&Datefrom=01/Jan/1975&Dateto=now&SeriesCodes=IUDBEDR,IUDSOIA&CSVF=TN&UsingCodes=Y&VPD=Y&VFD=N',
      ],
    ],
    [
      'riksbank',
      [
        'riksbank/SECBREPOEFF.json https://api.riksbank.se/swea/v1/Observations/SECBREPOEFF/1994-06-01',
        'riksbank/SEKEURPMI.json https://api.riksbank.se/swea/v1/Observations/SEKEURPMI/1999-01-04',
        'riksbank/SEKUSDPMI.json https://api.riksbank.se/swea/v1/Observations/SEKUSDPMI/1993-01-04',
      ],
    ],
    [
      'boc',
      [
        'boc/V39079.json https://www.bankofcanada.ca/valet/observations/V39079/json?start_date=2009-01-01',
        'boc/FXEURCAD.json https://www.bankofcanada.ca/valet/observations/FXEURCAD/json?start_date=2009-01-01',
        'boc/FXUSDCAD.json https://www.bankofcanada.ca/valet/observations/FXUSDCAD/json?start_date=2009-01-01',
      ],
    ],
    ['snb', ['snb/snbgwdzid.json https://data.snb.ch/api/cube/snbgwdzid/data/json/en?dimSel=D0(LZ,SARON)&fromDate=2000-01-01']],
  ])('%s is asked for all data, and again the next day', (id, urls) => {
    expect(urlsOf(id)).toEqual(urls);
    const held = holding('2026-11-18T22:00:00.000Z', ...urls.map((url) => url.split(' ')[0] ?? ''));
    expect(feedOf(id).isDue('2026-11-19T08:00:00.000Z', held)).toBe(false);
    expect(feedOf(id).isDue('2026-11-19T22:00:00.000Z', held)).toBe(true);
  });

  it('the Riksbank without a key is asked at most five times a minute', () => {
    const { interval, concurrency, budgets, secret } = PUBLISHERS.riksbank_api;
    expect([60_000 / interval <= 5, concurrency, budgets]).toEqual([true, 1, [{ per: 'day', requests: 1000 }]]);
    expect(secret).toEqual({ name: 'RIKSBANK_KEY', place: { header: 'ocp-apim-subscription-key' }, isRequired: false });
  });

  it('the Bank of Japan is asked to continue from each position that it names', () => {
    const { plan, isDue } = feedOf('boj');
    const answer = ({ key }: Request) =>
      answered({
        STATUS: 200,
        MESSAGE: '',
        NEXTPOSITION: ({ 'boj/FM01.json': 3, 'boj/FM01.3.json': 7 } as Record<string, number>)[key] ?? null,
      });
    const { requests, givenUp } = drive(plan(NOW, NOTHING_HELD), answer);
    const API = 'https://www.stat-search.boj.or.jp/api/v1/getDataCode';
    expect(requests).toEqual([
      { key: 'boj/FM01.json', url: `${API}?db=FM01&code=STRDCLUCON&format=json&lang=en`, group: 'boj/FM01' },
      { key: 'boj/FM01.3.json', url: `${API}?db=FM01&code=STRDCLUCON&format=json&lang=en&startPosition=3`, group: 'boj/FM01' },
      { key: 'boj/FM01.7.json', url: `${API}?db=FM01&code=STRDCLUCON&format=json&lang=en&startPosition=7`, group: 'boj/FM01' },
      { key: 'boj/FM08.json', url: `${API}?db=FM08&code=FXERD01&format=json&lang=en`, group: 'boj/FM08' },
    ]);
    expect(givenUp).toEqual([]);
    // 08:50 in Tokyo is 23:50 UTC of the day before.
    const held = holding('2026-11-18T12:00:00.000Z', 'boj/FM01.json', 'boj/FM08.json');
    expect(['2026-11-18T23:49:00.000Z', '2026-11-18T23:50:00.000Z'].map((now) => isDue(now, held))).toEqual([false, true]);
  });

  it('the Bank of Japan is abandoned if its STATUS is an error, or if it returns to an earlier position', () => {
    const refused = drive(feedOf('boj').plan(NOW, NOTHING_HELD), () => answered({ STATUS: 400, MESSAGE: 'Invalid series code.' }));
    expect(refused.givenUp).toEqual(['FM01: the answer is 400: Invalid series code.', 'FM08: the answer is 400: Invalid series code.']);
    const again = drive(feedOf('boj').plan(NOW, NOTHING_HELD), () => answered({ STATUS: 200, MESSAGE: '', NEXTPOSITION: 3 }));
    expect(again.givenUp).toEqual(['FM01: the answer goes on at 3 after 3', 'FM08: the answer goes on at 3 after 3']);
  });

  it('the Bank of Japan has no news if only its timestamp changed', () => {
    const essence = feedOf('boj').essence ?? String;
    const said = (clock: string, value: number) =>
      essence(new TextEncoder().encode(`{"STATUS":200,\n"DATE":"${clock}",\n"RESULTSET":[{"VALUES":[${value}]}]}`));
    expect(said('2026-03-29T19:54:29.989+09:00', 1)).toBe(said('2026-03-30T08:50:00.001+09:00', 1));
    expect(said('2026-03-29T19:54:29.989+09:00', 1)).not.toBe(said('2026-03-29T19:54:29.989+09:00', 2));
  });

  it('the Banco Central do Brasil is asked for at most ten years of days, and for a finished window once after its end', () => {
    const API = 'https://api.bcb.gov.br/dados/serie/bcdata.sgs';
    const windows = (code: number, ...first: number[]) =>
      first.map(
        (year) => `bcb/${code}.${year}.json ${API}.${code}/dados?formato=json&dataInicial=01/01/${year}&dataFinal=31/12/${year + 9}`,
      );
    const all = [
      ...windows(1, 1984, 1994, 2004, 2014, 2024),
      ...windows(432, 1999, 2009, 2019),
      `bcb/433.json ${API}.433/dados?formato=json`,
    ];
    expect(urlsOf('bcb')).toEqual(all.toReversed());
    const keys = all.map((url) => url.split(' ')[0] ?? '');
    // Each was looked at after the last of them was over.
    expect(urlsOf('bcb', holding('2026-11-17T12:00:00.000Z', ...keys))).toEqual([all[8], all[7], all[4]]);
    const early = holding('2024-01-20T12:00:00.000Z', ...keys);
    expect(urlsOf('bcb', early)).toEqual([all[8], all[7], all[4], all[3]]);
  });

  it('the survey of the Banco Central do Brasil is requested by year', () => {
    const { plan, isDue } = feedOf('bcb_focus');
    const { requests } = drive(plan(NOW, NOTHING_HELD), anything);
    expect(requests.length).toBe(3 * 25);
    expect(requests[25]).toEqual({
      key: 'bcb-focus/Anuais.2026.json',
      url: "https://olinda.bcb.gov.br/olinda/servico/Expectativas/versao/v1/odata/ExpectativasMercadoAnuais?$filter=Data%20ge%20'2026-01-01'%20and%20Data%20le%20'2026-12-31'%20and%20baseCalculo%20eq%200%20and%20(Indicador%20eq%20'IPCA'%20or%20Indicador%20eq%20'Selic')&$orderby=Data&$format=json",
      group: 'bcb-focus/Anuais.2026.json',
      dueBy: '2026-01-15',
    });
    const held = holding('2026-11-18T12:00:00.000Z', ...keysOf(requests));
    expect([isDue('2026-11-18T20:00:00.000Z', held), isDue('2026-11-19T12:00:00.000Z', held)]).toEqual([false, true]);
    expect(keysOf(drive(plan('2026-11-19T12:00:00.000Z', held), anything).requests)).toEqual([
      'bcb-focus/Inflacao12Meses.2026.json',
      'bcb-focus/Anuais.2026.json',
      'bcb-focus/Mensais.2026.json',
    ]);
  });

  it('an empty year is refused, and counts as not out yet only in its first days', () => {
    const empty = () => answered('{"@odata.context":"x","value":[]}');
    const steps = (now: string) => {
      const held = holding(
        '2026-12-31T12:00:00.000Z',
        ...Array.from({ length: 24 }, (_, index) => `bcb-focus/Anuais.${2002 + index}.json`),
      );
      const plan = feedOf('bcb_focus').plan(now, held);
      let step = plan.next();
      while (step.done !== true && !('giveUp' in step.value && step.value.giveUp.includes(`Anuais.${now.slice(0, 4)}`))) {
        step = plan.next('giveUp' in step.value ? { kind: 'absent' } : empty());
      }
      return step.value;
    };
    const given = { giveUp: 'bcb-focus/Anuais.2027.json: the answer has no rows', isEmpty: true };
    expect(steps('2027-01-04T12:00:00.000Z')).toEqual({ ...given, isNotOutYet: true });
    expect(steps('2027-01-16T12:00:00.000Z')).toEqual({ ...given, isNotOutYet: false });
  });
});

describe('Eurostat', () => {
  it('is asked for the mapped parts of each data set, once a day after 11:00 in Luxembourg', () => {
    const { plan, isDue } = feedOf('eurostat');
    const { requests } = drive(plan('2026-11-18T12:00:00.000Z', NOTHING_HELD), anything);
    const api = 'https://ec.europa.eu/eurostat/api/dissemination/sdmx/2.1/data';
    expect(requests).toEqual([
      { key: 'eurostat/une_rt_m.csv', url: `${api}/une_rt_m/M.SA.TOTAL.PC_ACT.T.?format=SDMX-CSV` },
      { key: 'eurostat/namq_10_gdp.csv', url: `${api}/namq_10_gdp/Q.CLV20_MEUR.SCA.B1GQ.?format=SDMX-CSV` },
      { key: 'eurostat/sts_inpr_m.csv', url: `${api}/sts_inpr_m/M.PRD.B-D.SCA.I21.?format=SDMX-CSV` },
      { key: 'eurostat/ei_bssi_m_r2.csv', url: `${api}/ei_bssi_m_r2/M.BS-ICI-BAL.SA.?format=SDMX-CSV` },
      { key: 'eurostat/ei_bsco_m.csv', url: `${api}/ei_bsco_m/M.BS-CSMCI.SA.BAL.?format=SDMX-CSV` },
      { key: 'eurostat/prc_hicp_minr.csv', url: `${api}/prc_hicp_minr/M.RCH_A+I25.TOTAL.?format=SDMX-CSV` },
      { key: 'eurostat/prc_hicp_fpd.csv', url: `${api}/prc_hicp_fpd/M.RCH_A.TOTAL.FLS+FIN.?format=SDMX-CSV` },
    ]);
    const looked = (at: string) => holding(at, ...keysOf(requests));
    // 2026-11-18 is a Wednesday; 11:00 in Luxembourg is 10:00 UTC in winter.
    expect(isDue('2026-11-18T09:59:00.000Z', looked('2026-11-18T09:00:00.000Z'))).toBe(false);
    expect(isDue('2026-11-18T10:00:00.000Z', looked('2026-11-18T09:00:00.000Z'))).toBe(true);
    expect(isDue('2026-11-18T10:15:00.000Z', looked('2026-11-18T10:00:00.000Z'))).toBe(false);
  });
});

describe('central banks and agencies with SDMX or XML', () => {
  const asked = (id: string) => drive(feedOf(id).plan('2026-11-18T12:00:00.000Z', NOTHING_HELD), anything).requests;

  it('are asked for single series in full', () => {
    const bundesbank = 'https://api.statistiken.bundesbank.de/rest/data/BBSIS/D.I.ZAR.ZI.EUR.S1311.B.A604';
    expect(asked('bundesbank')).toEqual(
      ['R02XX', 'R05XX', 'R10XX', 'R30XX'].map((maturity) => ({
        key: `bundesbank/BBSIS.${maturity}.xml`,
        url: `${bundesbank}.${maturity}.R.A.A._Z._Z.A`,
        accept: 'application/vnd.sdmx.genericdata+xml;version=2.1',
      })),
    );
    expect(asked('norges_bank')).toEqual([
      { key: 'norges-bank/IR.csv', url: 'https://data.norges-bank.no/api/data/IR/B.KPRA.SD.R?format=csv&locale=en' },
      { key: 'norges-bank/EXR.csv', url: 'https://data.norges-bank.no/api/data/EXR/B.EUR+USD.NOK.SP?format=csv&locale=en' },
    ]);
    const israel = 'https://edge.boi.gov.il/FusionEdgeServer/sdmx/v2/data/dataflow/BOI.STATISTICS';
    expect(asked('bank_of_israel')).toEqual([
      { key: 'bank-of-israel/BR.csv', url: `${israel}/BR/1.0/MNT_RIB_BOI_D.D.RIB_BOI?format=csv` },
      { key: 'bank-of-israel/EXR.EUR.csv', url: `${israel}/EXR/1.0/RER_EUR_ILS.D.EUR.ILS.ILS.OF00?format=csv` },
      { key: 'bank-of-israel/EXR.GBP.csv', url: `${israel}/EXR/1.0/RER_GBP_ILS.D.GBP.ILS.ILS.OF00?format=csv` },
      { key: 'bank-of-israel/EXR.USD.csv', url: `${israel}/EXR/1.0/RER_USD_ILS.D.USD.ILS.ILS.OF00?format=csv` },
    ]);
    const ecb = 'https://data-api.ecb.europa.eu/service/data';
    expect(asked('ecb_data')).toEqual([
      { key: 'ecb-data/FM.csv', url: `${ecb}/FM/D.U2.EUR.4F.KR.DFR+MLFR+MRR_FR.LEV?format=csvdata` },
      { key: 'ecb-data/EST.csv', url: `${ecb}/EST/B.EU000A2X2A25.WT?format=csvdata` },
      { key: 'ecb-data/EXR.csv', url: `${ecb}/EXR/M..EUR.SP00.A?format=csvdata` },
    ]);
    expect([...asked('insee'), ...asked('oenb'), ...asked('ilo')]).toEqual([
      { key: 'insee/SERIES_BDM.IPI.xml', url: 'https://www.bdm.insee.fr/series/sdmx/data/SERIES_BDM/010768261+010768307' },
      { key: 'oenb/VDBFKBSC217000.xml', url: 'https://www.oenb.at/isadataservice/data?lang=EN&hierid=11&pos=VDBFKBSC217000' },
      {
        key: 'ilo/UNE_DEAP_SEX_AGE_RT_M.csv',
        url: 'https://rplumber.ilo.org/data/indicator/?id=UNE_DEAP_SEX_AGE_RT_M&sex=SEX_T&classif1=AGE_YTHADULT_YGE15&type=code&format=.csv',
      },
    ]);
  });

  it('are due once a day, the ILO every third day, two of them also at their hour of publication', () => {
    const looked = (id: string, at: string) => holding(at, ...keysOf(asked(id)));
    const [at, dayLater] = ['2026-11-18T05:00:00.000Z', '2026-11-19T05:00:00.000Z'];
    for (const id of ['bundesbank', 'bank_of_israel', 'ecb_data', 'oenb'])
      expect([feedOf(id).isDue('2026-11-19T04:59:00.000Z', looked(id, at)), feedOf(id).isDue(dayLater, looked(id, at))]).toEqual([
        false,
        true,
      ]);
    expect(['2026-11-21T04:59:00.000Z', '2026-11-21T05:00:00.000Z'].map((now) => feedOf('ilo').isDue(now, looked('ilo', at)))).toEqual([
      false,
      true,
    ]);
    // 2026-11-18 is a Wednesday; Oslo and Paris are an hour ahead in winter.
    const times = {
      norges_bank: ['2026-11-18T14:59:00.000Z', '2026-11-18T15:00:00.000Z'],
      insee: ['2026-11-18T07:44:00.000Z', '2026-11-18T07:45:00.000Z'],
    };
    for (const [id, [before = '', after = '']] of Object.entries(times)) {
      expect([before, after].map((now) => feedOf(id).isDue(now, looked(id, at)))).toEqual([false, true]);
      // One look after the hour, whether it brought anything or not.
      const unchanged: Held = { ...NOTHING_HELD, newest: () => ({ retrievedAt: at, checkedAt: '2026-11-18T15:15:00.000Z' }) };
      expect(feedOf(id).isDue('2026-11-18T15:30:00.000Z', unchanged)).toBe(false);
    }
  });
});

describe('the ECB', () => {
  it('is asked for the whole history of its rates, once on each working day after 16:00 in Frankfurt', () => {
    const { plan, isDue } = feedOf('ecb_fx');
    const history = 'ecb-eurofxref/eurofxref-hist.zip';
    expect(keysOf(drive(plan('2026-01-06T16:00:00.000Z', NOTHING_HELD), anything).requests)).toEqual([history]);
    // A Tuesday; 16:00 in Frankfurt is 15:00 UTC in winter.
    const held = holding('2026-01-06T14:00:00.000Z', history);
    expect([isDue('2026-01-06T14:59:00.000Z', held), isDue('2026-01-06T15:00:00.000Z', held)]).toEqual([false, true]);
    expect(isDue('2026-01-06T15:15:00.000Z', holding('2026-01-06T15:00:00.000Z', history))).toBe(false);
  });
});

describe('the Census Bureau', () => {
  const { plan, essence = String } = feedOf('us_census');

  it('is asked at the address of 2025 and 2026, and at the old one only if that is empty', () => {
    const urls = (answer: Answer) => drive(plan('2026-11-18T14:00:00.000Z', NOTHING_HELD), () => answer).requests.map(({ url }) => url);
    expect(urls(answered('PK'))).toEqual(['https://www.census.gov/econ_getzippedfile/?programCode=RESCONST']);
    expect(urls({ kind: 'absent' })).toEqual([
      'https://www.census.gov/econ_getzippedfile/?programCode=RESCONST',
      'https://www.census.gov/econ/currentdata/datasets/RESCONST-mf.zip',
    ]);
  });

  it('has no news if the data in the zip are the same, whatever other files it has', async () => {
    const packed = (readme: string, data = 'a,b\n') => zipOf({ name: 'README.txt', body: readme }, { name: 'RESCONST-mf.csv', body: data });
    expect(await essence(packed('today'))).toBe(await essence(packed('tomorrow')));
    expect(await essence(packed('today'))).not.toBe(await essence(packed('today', 'a,c\n')));
  });
});

describe('the CFTC', () => {
  it('is asked once for closed years, newest first, and for the running one by file and by API', () => {
    const { plan } = feedOf('cftc_legacy');
    const { requests } = drive(plan('2026-11-18T12:00:00.000Z', NOTHING_HELD), anything);
    expect(keysOf(requests)).toEqual([
      ...Array.from({ length: 10 }, (_, index) => `cftc/legacy_futonly/deacot${2026 - index}.zip`),
      'cftc/socrata/6dca-aqww_from_2026-07-01.json',
      ...Array.from({ length: 31 }, (_, index) => `cftc/socrata/6dca-aqww_from_${2016 - index}-01-01.json`),
    ]);
    const query = new URL(requests.at(-1)?.url ?? '').searchParams;
    expect(query.get('$where')).toBe("report_date_as_yyyy_mm_dd between '1986-01-01' and '1986-12-31'");
    expect(query.get('$order')).toBe('report_date_as_yyyy_mm_dd,cftc_contract_market_code');
    expect(query.get('$select')?.split(',')).toContain('noncomm_postions_spread_all');
    expect(requests.at(-1)?.url).not.toContain('+');
    const again = drive(plan('2026-11-19T12:00:00.000Z', holding('2026-11-18T12:00:00.000Z', ...keysOf(requests))), anything);
    expect(keysOf(again.requests)).toEqual(['cftc/legacy_futonly/deacot2026.zip', 'cftc/socrata/6dca-aqww_from_2026-07-01.json']);
  });

  it.each([
    ['cftc_disaggregated', 'disagg_futonly', 'fut_disagg_txt_', 'fut_disagg_txt_hist_2006_2016'],
    ['cftc_disaggregated_combined', 'disagg_combined', 'com_disagg_txt_', 'com_disagg_txt_hist_2006_2016'],
    ['cftc_legacy_combined', 'legacy_combined', 'deahistfo', 'deahistfo_1995_2016'],
    ['cftc_tff_combined', 'tff_combined', 'com_fin_txt_', 'fin_com_txt_2006_2016'],
  ])('is asked for the files of %s: once for closed years, and again for the running one', (id, folder, year, before) => {
    const { plan, isDue } = feedOf(id);
    const { requests } = drive(plan('2026-11-18T12:00:00.000Z', NOTHING_HELD), anything);
    const names = [...Array.from({ length: 10 }, (_, index) => `${year}${2026 - index}`), before];
    expect(requests.map(({ key, url }) => [key, url])).toEqual(
      names.map((name) => [`cftc/${folder}/${name}.zip`, `https://www.cftc.gov/files/dea/history/${name}.zip`]),
    );
    const source = sources.find((one) => one.id === id);
    expect(keysOf(requests).filter((key) => source?.owns(key) !== true)).toEqual([]);
    // The next report comes out on Friday at 15:30 in New York.
    const held = holding('2026-11-20T12:00:00.000Z', ...keysOf(requests));
    expect(keysOf(drive(plan('2026-11-20T21:00:00.000Z', held), anything).requests)).toEqual([`cftc/${folder}/${year}2026.zip`]);
    expect([isDue('2026-11-20T20:29:00.000Z', held), isDue('2026-11-20T20:31:00.000Z', held)]).toEqual([false, true]);
  });

  it('has no file of the new year in January: the past year is requested again, and nothing counts as missing yet', () => {
    const { plan, isDue } = feedOf('cftc_tff');
    const years = Array.from({ length: 9 }, (_, index) => `cftc/tff_futonly/fut_fin_txt_${2017 + index}.zip`);
    const held = holding('2026-01-01T12:00:00.000Z', 'cftc/tff_futonly/fin_fut_txt_2006_2016.zip', ...years);
    const { requests } = drive(plan('2026-01-02T12:00:00.000Z', held), anything);
    expect(requests.map(({ key, dueBy }) => [key, dueBy])).toEqual([
      ['cftc/tff_futonly/fut_fin_txt_2026.zip', '2026-01-31'],
      ['cftc/tff_futonly/fut_fin_txt_2025.zip', '2025-01-31'],
    ]);
    expect([isDue('2026-01-02T11:00:00.000Z', held), isDue('2026-01-02T12:00:00.000Z', held)]).toEqual([false, true]);
    expect(keysOf(drive(plan('2026-04-02T12:00:00.000Z', held), anything).requests)).toEqual(['cftc/tff_futonly/fut_fin_txt_2026.zip']);
  });

  it('has pages until one is not full; they neither repeat nor begin empty', () => {
    const { plan } = feedOf('cftc_legacy');
    const full = (first: number) => Array.from({ length: 50_000 }, (_, index) => ({ code: first + index }));
    const first1986 = (pages: readonly (readonly object[])[]) =>
      drive(plan('2026-11-18T12:00:00.000Z', NOTHING_HELD), (request) => {
        const offset = Number(new URL(request.url).searchParams.get('$offset'));
        return request.key.includes('1986') ? answered(pages[offset / 50_000] ?? []) : anything(request);
      });
    const two = first1986([full(0), full(50_000).slice(0, 3)]);
    expect([keysOf(two.requests).slice(-3), two.givenUp]).toEqual([
      [
        'cftc/socrata/6dca-aqww_from_1987-01-01.json',
        'cftc/socrata/6dca-aqww_from_1986-01-01.json',
        'cftc/socrata/6dca-aqww_from_1986-01-01.page2.json',
      ],
      [],
    ]);
    expect(first1986([full(0), full(0)]).givenUp).toEqual(["the API's answer from 1986-01-01, page 2, repeats the page before it"]);
    expect(first1986([[]]).givenUp).toEqual(["the API's answer from 1986-01-01, page 1, has no reports"]);
  });
});

describe('documents of central banks', () => {
  const page = (...links: readonly string[]) => answered(`<html>${links.map((link) => `<a href="${link}">x</a>`).join('')}</html>`);

  it('of the Federal Reserve are the linked ones in its list of meetings, each requested once', () => {
    const { plan } = feedOf('fed_statements');
    const link = (day: string) => `/newsevents/pressreleases/monetary${day}a.htm`;
    const list = page(
      link('20260318'),
      link('20260128'),
      '/newsevents/pressreleases/monetary20260128a1.htm',
      link('20260128'),
      link('20251210'),
      '/monetarypolicy/fomcminutes20251210.htm',
      '/monetarypolicy/files/fomcminutes20251210.pdf',
    );
    const asked = (...held: readonly string[]) =>
      drive(plan('2026-03-18T19:00:00.000Z', holding('2026-01-01T00:00:00.000Z', ...held)), (request) =>
        request.key.endsWith('fomccalendars.html') ? list : anything(request),
      ).requests;
    const folder = 'central-bank-text/fed/statements';
    expect(keysOf(asked()).slice(1)).toEqual([
      ...['20260318', '20260128', '20251210'].map((day) => `${folder}/html/${day}.html`),
      'central-bank-text/fed/minutes/html/20251210.html',
    ]);
    expect(
      asked(`${folder}/20251210.json`, `${folder}/html/20260128.html`, 'central-bank-text/fed/minutes/20251210.json')
        .slice(1)
        .map(({ url }) => url),
    ).toEqual(['https://www.federalreserve.gov/newsevents/pressreleases/monetary20260318a.htm']);
  });

  it('of the ECB are those in the lists of each year; the list of a closed year is read once', () => {
    const { plan } = feedOf('ecb_documents');
    const list = page(
      '/press/pr/date/2026/html/ecb.mp260205~1a2b3c4d5e.en.html',
      '/press/pr/date/2026/html/ecb.mp260205~1a2b3c4d5e.de.html',
      '/press/pr/date/2026/html/ecb.pr260206~1a2b3c4d5e.en.html',
    );
    const lists = (years: readonly number[]) =>
      years.flatMap((year) =>
        ['decisions', 'statements', 'accounts'].map((folder) => `central-bank-text/ecb/${folder}/html/index-${year}.html`),
      );
    const years = Array.from({ length: 11 }, (_, index) => 2015 + index);
    const accounts = page(
      '/press/accounts/2026/html/ecb.mg260115~1a2b3c4d5e.en.html',
      '/press/accounts/2026/html/ecb.mg260115~1a2b3c4d5e.fr.html',
    );
    const { requests } = drive(plan('2026-02-05T14:00:00.000Z', holding('2026-02-01T00:00:00.000Z', ...lists(years))), ({ key }) => {
      if (key.endsWith('decisions/html/index-2026.html')) return list;
      return key.endsWith('accounts/html/index-2026.html') ? accounts : answered('<html></html>');
    });
    expect(requests.map(({ key, url }) => [key.replace('central-bank-text/ecb/', ''), url])).toEqual([
      ['decisions/html/index-2026.html', 'https://www.ecb.europa.eu/press/govcdec/mopo/2026/html/index_include.en.html'],
      ['decisions/html/20260205.html', 'https://www.ecb.europa.eu/press/pr/date/2026/html/ecb.mp260205~1a2b3c4d5e.en.html'],
      [
        'statements/html/index-2026.html',
        'https://www.ecb.europa.eu/press/press_conference/monetary-policy-statement/2026/html/index_include.en.html',
      ],
      ['accounts/html/index-2026.html', 'https://www.ecb.europa.eu/press/accounts/2026/html/index_include.en.html'],
      ['accounts/html/20260115.html', 'https://www.ecb.europa.eu/press/accounts/2026/html/ecb.mg260115~1a2b3c4d5e.en.html'],
    ]);
  });

  it('of the ECB are checked at the hour of decisions and at that of accounts', () => {
    const { isDue } = feedOf('ecb_documents');
    const held = holding(
      '2026-02-04T22:00:00.000Z',
      ...['decisions', 'accounts'].map((folder) => `central-bank-text/ecb/${folder}/html/index-2026.html`),
    );
    // 13:30 in Frankfurt is 12:30 UTC in winter.
    expect(['12:29', '12:30'].map((time) => isDue(`2026-02-05T${time}:00.000Z`, held))).toEqual([false, true]);
    // In the first weeks of a year there is no list.
    const asked = (at: string) => ({ ...holding(at), askedAt: () => at });
    expect(['05:59', '06:00'].map((time) => isDue(`2026-01-01T${time}:00.000Z`, asked('2026-01-01T00:00:00.000Z')))).toEqual([false, true]);
  });

  it('of the Bank of England are the pages of its list; the page of a future meeting is not requested', () => {
    const { plan, isDue } = feedOf('boe_documents');
    const folder = '/monetary-policy-summary-and-minutes';
    const list = page(
      `${folder}/2026/june-2026`,
      `${folder}/2026/march-2026`,
      `${folder}/2025/december-2025`,
      `${folder}/2025/mpc-2025`,
      `${folder}/2026/may-2025`,
    );
    const months = (...held: readonly string[]) => {
      const { requests, givenUp } = drive(plan('2026-04-30T12:00:00.000Z', holding('2026-01-01T00:00:00.000Z', ...held)), ({ key }) => {
        if (key.endsWith('index.html')) return list;
        return answered(key.endsWith('20260601.html') ? 'Monetary Policy\n Committee meeting will be published on 18 June' : 'x');
      });
      return [requests.map(({ key, url }) => [key.replace('central-bank-text/boe/minutes/html/', ''), url]), givenUp];
    };
    const site = `https://www.bankofengland.co.uk${folder}`;
    expect(months()).toEqual([
      [
        ['index.html', `${site}${folder}`],
        ['20260601.html', `${site}/2026/june-2026`],
        ['20260301.html', `${site}/2026/march-2026`],
        ['20251201.html', `${site}/2025/december-2025`],
      ],
      ['central-bank-text/boe/minutes/html/20260601.html is to come'],
    ]);
    expect(months('central-bank-text/boe/minutes/20251201.json', 'central-bank-text/boe/minutes/html/20260301.html')[0]).toHaveLength(2);
    // Noon in London is 11:00 UTC in summer.
    const held = holding('2026-06-18T10:00:00.000Z', 'central-bank-text/boe/minutes/html/index.html');
    expect(['10:59', '11:00'].map((time) => isDue(`2026-06-18T${time}:00.000Z`, held))).toEqual([false, true]);
  });

  it('of the Reserve Bank of Australia are decisions and minutes in the lists of each year', () => {
    const { plan, isDue } = feedOf('rba_documents');
    const place = (folder: string, name: string) => `central-bank-text/rba/${folder}/html/${name}.html`;
    const closed = [
      ...Array.from({ length: 11 }, (_, index) => place('decisions', `index-${2015 + index}`)),
      ...Array.from({ length: 20 }, (_, index) => place('minutes', `index-${2006 + index}`)),
    ];
    const lists: Readonly<Record<string, Answer>> = {
      [place('decisions', 'index-2026')]: page('/media-releases/2026/mr-26-08.html', '/media-releases/2026/mr-26-03.html'),
      [place('minutes', 'index-2026')]: page(
        '/monetary-policy/rba-board-minutes/2026/2026-02-03.html',
        '/monetary-policy/rba-board-minutes/2026/',
      ),
    };
    const { requests } = drive(
      plan('2026-03-20T00:00:00.000Z', holding('2026-02-01T00:00:00.000Z', ...closed)),
      ({ key }) => lists[key] ?? answered('x'),
    );
    expect(requests.map(({ key, url }) => [key.replace('central-bank-text/rba/', ''), url.replace('https://www.rba.gov.au', '')])).toEqual([
      ['decisions/html/index-2026.html', '/monetary-policy/int-rate-decisions/2026/'],
      ['decisions/html/mr-26-08.html', '/media-releases/2026/mr-26-08.html'],
      ['decisions/html/mr-26-03.html', '/media-releases/2026/mr-26-03.html'],
      ['minutes/html/index-2026.html', '/monetary-policy/rba-board-minutes/2026/'],
      ['minutes/html/2026-02-03.html', '/monetary-policy/rba-board-minutes/2026/2026-02-03.html'],
    ]);
    // 14:30 and 11:30 in Sydney are 03:30 and 00:30 UTC in its summer; 2026-02-03 is a Tuesday.
    const held = (at: string) => holding(at, place('decisions', 'index-2026'), place('minutes', 'index-2026'));
    const due = (time: string, at: string) => isDue(`2026-02-03T${time}:00.000Z`, held(`2026-02-03T${at}:00.000Z`));
    expect([due('00:29', '00:10'), due('00:30', '00:10'), due('03:29', '00:40'), due('03:30', '00:40')]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it('of the Bank of Canada are the announcements in its list of press releases; of the Riksbank, only its lists', () => {
    const list = page(
      'https://www.bankofcanada.ca/2026/04/fad-press-release-2026-04-29/',
      'https://www.bankofcanada.ca/2026/04/opening-statement-2026-04-29/',
      '/2026/03/fad-press-release-2026-03-18/',
    );
    const canada = feedOf('boc_documents');
    const { requests } = drive(canada.plan('2026-04-30T12:00:00.000Z', NOTHING_HELD), ({ key }) =>
      key.endsWith('index.html') ? list : answered('x'),
    );
    expect(
      requests.map(({ key, url }) => [
        key.replace('central-bank-text/boc/statements/html/', ''),
        url.replace('https://www.bankofcanada.ca', ''),
      ]),
    ).toEqual([
      ['index.html', '/press/press-releases/'],
      ['20260429.html', '/2026/04/fad-press-release-2026-04-29/'],
      ['20260318.html', '/2026/03/fad-press-release-2026-03-18/'],
    ]);
    // 09:45 in Ottawa and 09:30 in Stockholm, in summer.
    const held = holding('2026-04-29T07:00:00.000Z', 'central-bank-text/boc/statements/html/index.html');
    expect(['13:44', '13:45'].map((time) => canada.isDue(`2026-04-29T${time}:00.000Z`, held))).toEqual([false, true]);
    const sweden = feedOf('riksbank_documents');
    const asked = keysOf(drive(sweden.plan('2026-04-30T12:00:00.000Z', NOTHING_HELD), anything).requests);
    expect(asked).toEqual(['decisions', 'minutes'].map((folder) => `central-bank-text/riksbank/${folder}/html/index.html`));
    const lists = holding('2026-04-29T07:00:00.000Z', ...asked);
    expect(['07:29', '07:30'].map((time) => sweden.isDue(`2026-04-29T${time}:00.000Z`, lists))).toEqual([false, true]);
  });
});

describe('FRED-MD', () => {
  const { plan, isDue } = feedOf('fred_md');
  const months = Array.from({ length: 142 }, (_, index) => `${2015 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`);
  const held = holding('2026-10-06T12:00:00.000Z', ...months.slice(0, -2).map((month) => `fred-md/${month}.csv`), 'fred-md/2026-09-md.csv');

  it('is asked for the missing months under both of their names', () => {
    expect([isDue('2026-10-06T13:00:00.000Z', held), isDue('2026-09-30T13:00:00.000Z', held)]).toEqual([true, false]);
    const answers = (kind: 'absent' | 'new') =>
      drive(plan('2026-10-06T13:00:00.000Z', held), (request) => (kind === 'absent' ? { kind } : anything(request))).requests;
    expect(answers('absent').map(({ key, dueBy }) => [key, dueBy])).toEqual([
      ['fred-md/index.html', '9999-12-31'],
      ['fred-md/2026-10-md.csv', '9999-12-31'],
      ['fred-md/2026-10.csv', '2026-11-10'],
      ['fred-md/2026-rev-09-md.csv', '9999-12-31'],
      ['fred-md/2026-rev-08-md.csv', '9999-12-31'],
    ]);
    expect(keysOf(answers('new'))[1]).toBe('fred-md/2026-10-md.csv');
    expect(keysOf(answers('new'))).not.toContain('fred-md/2026-10.csv');
  });

  const NOW = '2025-04-02T12:00:00.000Z';
  const md = (name: string) => `fred-md/${name}.csv`;
  const older = Array.from({ length: 120 }, (_, index) =>
    md(`${2015 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`),
  );

  it('is asked for single files newest first under both names, and for the zip of earlier years', () => {
    const { requests } = drive(plan(NOW, NOTHING_HELD), ({ key }) => (key === md('2025-03-md') ? answered('x') : { kind: 'absent' }));
    expect(requests.map(({ key, url }) => (key.endsWith('.zip') ? url.split('/').at(-1) : key))).toEqual([
      'fred-md/index.html',
      ...['2025-04-md', '2025-04', '2025-03-md', '2025-02-md', '2025-02', '2025-01-md', '2025-01'].map(md),
      'historical-vintages-of-fred-md-2015-01-to-2025-12.zip',
      'historical-vintages-of-fred-md-2015-01-to-2024-12.zip',
    ]);
  });

  it('is asked once a week for a missing month, and for a revised file of a stored month', () => {
    const asked = (at: string): Held => ({ ...holding(at, ...older, md('2025-04-md')), askedAt: () => at });
    expect([isDue('2025-04-03T12:00:00.000Z', asked(NOW)), isDue('2025-04-09T12:00:00.000Z', asked(NOW))]).toEqual([false, true]);
    const { requests } = drive(plan('2025-04-09T12:00:00.000Z', asked(NOW)), () => ({ kind: 'absent' }));
    expect(keysOf(requests).slice(1)).toEqual(
      ['2025-03-md', '2025-03', '2025-02-md', '2025-02', '2025-01-md', '2025-01', '2025-rev-04-md'].map(md),
    );
  });

  it('is asked at the links of its database page, but not at links to other publishers', () => {
    const page = answered(`<html>
      <a href="/-/media/elsewhere/fred-md/monthly/2025-04-md.csv?sc_lang=en">April</a>
      <a href="https://evil.example/fred-md/monthly/2025-03-md.csv">March</a>
      <a href="https://files.stlouisfed.org/fred-md/historical-vintages-of-fred-md-2015-01-to-2025-03.zip">all</a></html>`);
    const { requests } = drive(plan(NOW, NOTHING_HELD), (request) => (request.isIndex === true ? page : { kind: 'absent' }));
    const urls = requests.map(({ url }) => url);
    expect(urls[1]).toBe('https://www.stlouisfed.org/-/media/elsewhere/fred-md/monthly/2025-04-md.csv');
    expect(urls.filter((url) => url.includes('evil.example'))).toEqual([]);
    expect(urls.find((url) => url.endsWith('.zip'))).toBe(
      'https://files.stlouisfed.org/fred-md/historical-vintages-of-fred-md-2015-01-to-2025-03.zip',
    );
  });
});

describe('FRED', () => {
  const dates = ['2020-01-30', '2020-02-28', '2020-03-30'];
  const keyOf = (window: string) => `fred-api/series_observations.GDP.window-${window}.json`;
  const [closed, last, vintages] = [
    keyOf('1776-07-04-to-2020-02-28'),
    keyOf('2020-02-28-to-9999-12-31'),
    'fred-api/series_vintagedates.GDP.json',
  ];
  const asked = (kind: 'new' | 'same', held: Held) =>
    keysOf(
      drive(vintagesOf('GDP', held, 2), (request) =>
        request.key === vintages ? answered({ count: 3, offset: 0, limit: 10_000, vintage_dates: dates }, kind) : anything(request),
      ).requests.slice(1),
    );
  const times = (of: Readonly<Record<string, readonly [retrievedAt: string, checkedAt: string]>>): Held => ({
    ...NOTHING_HELD,
    newest: (key) => {
      const [retrievedAt, checkedAt] = of[key] ?? [];
      return retrievedAt === undefined || checkedAt === undefined ? null : { retrievedAt, checkedAt };
    },
  });

  it('is asked for a closed window once, and for the open one when there is a new vintage', () => {
    expect(asked('new', NOTHING_HELD)).toEqual([closed, last]);
    expect(asked('new', times({ [closed]: ['1', '1'] }))).toEqual([last]);
    expect(asked('new', times({ [closed]: ['1', '1'], [last]: ['1', '1'] }))).toEqual([last]);
    expect(asked('same', times({ [vintages]: ['1', '3'], [closed]: ['1', '1'], [last]: ['1', '2'] }))).toEqual([]);
    // A run was ended between the two.
    expect(asked('same', times({ [vintages]: ['2', '3'], [closed]: ['1', '1'], [last]: ['1', '1'] }))).toEqual([last]);
  });

  it('is asked for no later window while an earlier one is missing, or its values would seem to begin there', () => {
    const failed: Answer = { kind: 'failed', error: new UpstreamError('fred', 'answered 500', { retriable: true }) };
    const { requests } = drive(vintagesOf('GDP', NOTHING_HELD, 2), (request) =>
      request.key === vintages ? answered({ count: 3, offset: 0, limit: 10_000, vintage_dates: dates }) : failed,
    );
    expect(keysOf(requests)).toEqual([vintages, closed]);
  });

  it('is asked for every listed series under the name that FRED uses', () => {
    const table = readFileSync(join(import.meta.dirname, '../../data/reference/series.csv'), 'utf8');
    const codes = [...table.matchAll(/^fred,([^,]+),/gm)].map(([, code = '']) => code);
    // What a folder of ALFRED files calls AWHI, PERMIT, CPIAUCSL, PAYEMS, HOUST, INDPRO, PPIACO, GDPC1 and UNRATE.
    const aliases = ['AWH', 'BP', 'CPI', 'EMP', 'HS', 'IP', 'PPI', 'RGDP', 'UR'];
    expect([...FRED_SERIES, ...aliases].toSorted()).toEqual(codes.toSorted());
  });

  it('is asked within the hour after a release until its values arrive, and for all series four times a day', () => {
    const feed = feedOf('fred');
    const [before, release] = ['2026-11-10T13:00:00.000Z', '2026-11-10T13:30:00.000Z'];
    const at = (checkedAt: string, cpi: string = before): Held => ({
      ...NOTHING_HELD,
      newest: (key) => ({ retrievedAt: key.includes('CPIAUCSL') ? cpi : before, checkedAt: key.includes('CPIAUCSL') ? checkedAt : before }),
      lastRelease: (calendar, name) => (calendar === 'bls_calendar' && name === 'Consumer Price Index' ? release : null),
    });
    const same = () => answered({ count: 1, offset: 0, limit: 10_000, vintage_dates: ['2026-10-10'] }, 'same');
    const told = (now: string, held: Held) => [feed.isDue(now, held), keysOf(drive(feed.plan(now, held), same).requests)];
    const cpi = ['fred-api/series_vintagedates.CPIAUCSL.json'];
    expect(told('2026-11-10T13:29:59.999Z', { ...at(before), lastRelease: () => null })).toEqual([false, []]);
    expect(told('2026-11-10T13:30:00.000Z', at(before))).toEqual([true, cpi]);
    expect(told('2026-11-10T13:45:00.000Z', at('2026-11-10T13:30:00.000Z'))).toEqual([true, cpi]);
    expect(told('2026-11-10T14:00:00.000Z', at('2026-11-10T13:45:00.000Z', '2026-11-10T13:45:00.000Z'))).toEqual([false, []]);
    expect(told('2026-11-10T17:31:00.000Z', at('2026-11-10T17:15:00.000Z'))).toEqual([false, []]);
    expect(drive(feed.plan('2026-11-10T19:00:00.000Z', at(before)), same).requests).toHaveLength(FRED_SERIES.length);
  });

  it('has releases under the names of the calendar, and their series among its own', () => {
    const table = readFileSync(join(import.meta.dirname, '../../data/reference/releases.csv'), 'utf8');
    for (const [release, series] of Object.entries(FRED_RELEASES)) {
      expect(table).toMatch(new RegExp(`bls_calendar=${release}[;\\n]`));
      expect(FRED_SERIES).toEqual(expect.arrayContaining([...series]));
    }
  });

  it('is asked in windows that overlap by one vintage; the last one is open', () => {
    const days = ['2020-01-01', '2020-02-01', '2020-03-01', '2020-04-01', '2020-05-01'];
    const told = (size: number, count = 5) => windowsOf(days.slice(0, count), size).map(({ from, to }) => `${from} ${to}`);
    expect(told(5)).toEqual(['1776-07-04 9999-12-31']);
    expect(told(3)).toEqual(['1776-07-04 2020-03-01', '2020-03-01 9999-12-31']);
    expect(told(2)).toEqual(['1776-07-04 2020-02-01', '2020-02-01 2020-03-01', '2020-03-01 2020-04-01', '2020-04-01 9999-12-31']);
    expect(told(3, 1)).toEqual(['1776-07-04 9999-12-31']);
  });
});
