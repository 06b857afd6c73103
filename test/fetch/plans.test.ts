// What each source asks of its publisher, by its plan alone: no network, no clock.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PUBLISHERS } from '../../src/fetch/publishers.ts';
import type { Answer, Feed, Held, Request } from '../../src/sources/feeds/feed.ts';
import { isDueAfter, WORKING_DAYS } from '../../src/sources/feeds/due.ts';
import { FRED_RELEASES, FRED_SERIES, vintagesOf, windowsOf } from '../../src/sources/feeds/fred.ts';
import { sources } from '../../src/sources/index.ts';
import { UpstreamError } from '../../src/sources/source.ts';
import { sourceOf } from '../readers/second-reader.ts';
import { answered, drive, holding, NOTHING_HELD } from '../replay/plans.ts';

const feedOf = (id: string): Feed => {
  const { feed } = sourceOf(id);
  if (feed === undefined) throw new Error(`${id} has no feed`);
  return feed;
};
const keysOf = (requests: readonly Request[]) => requests.map(({ key }) => key);

/** Enough of each kind of answer for a plan to go on to its end. */
const anything = ({ key }: Request): Answer => {
  if (key.includes('vintagedates')) return answered({ count: 2, offset: 0, limit: 10_000, vintage_dates: ['2020-01-30', '2020-02-28'] });
  if (key.includes('series_observations')) return answered({ count: 1, offset: 0, limit: 100_000, observations: [{}] });
  if (key.includes('world-bank')) return answered([{ page: 1, pages: 1, total: 1, lastupdated: '2026-01-01' }, [{}]]);
  if (key.startsWith('bls/')) return answered({ status: 'REQUEST_SUCCEEDED', Results: { series: [{ data: [{}] }] } });
  if (key.startsWith('us-treasury/')) return answered('Date,"10 Yr"\n01/02/2026,4.2\n');
  if (key === 'sec/company_tickers.json') return answered({ 0: { cik_str: 320193, ticker: 'X', title: 'X' } });
  if (key.startsWith('sec/submissions/')) return answered({ filings: { files: [{ name: 'CIK0000320193-submissions-001.json' }] } });
  if (key.startsWith('sec/daily-index/2026')) return answered({ directory: { item: [{ name: 'master.20261117.idx' }] } });
  if (key.endsWith('.idx')) return answered('CIK|Company Name|Form Type|Date Filed|File Name\n320193|X|10-K|20261117|edgar/data/x.txt\n');
  return answered(key.includes('socrata') ? [{ cftc_contract_market_code: '001602' }] : 'text');
};

describe('every request of every source', () => {
  const NOW = '2026-11-18T12:00:00.000Z';

  it.each(sources.flatMap(({ id, feed }) => (feed === undefined ? [] : [{ id, feed }])))(
    '$id: goes to a host of its publisher, over https, without a key in it, for a file that a source reads',
    ({ id, feed }) => {
      const publisher = PUBLISHERS[feed.publisher];
      const { requests, givenUp } = drive(feed.plan(NOW, NOTHING_HELD), anything);
      expect(givenUp).toEqual([]);
      expect(requests.length).toBeGreaterThan(0);
      for (const { key, url } of requests) {
        const { protocol, host, searchParams } = new URL(url);
        expect([protocol, publisher.hosts.includes(host)]).toEqual(['https:', true]);
        expect([...searchParams.keys()].filter((name) => /key|token|secret/i.test(name))).toEqual([]);
        const owners = sources.filter((source) => source.owns(key)).map((source) => source.id);
        expect(owners.length).toBe(1);
        expect([id, ...(feed.alsoFor ?? [])]).toContain(owners[0]);
      }
      expect(new Set(keysOf(requests)).size).toBe(requests.length);
      expect(feed.isDue(NOW, NOTHING_HELD)).toBe(true);
    },
  );
});

describe('when it is worth asking', () => {
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
  it('is asked for every area of both data sets, each day', () => {
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

describe('the US Treasury', () => {
  it('is asked again at once while a year is missing, however late the newest was looked at', () => {
    const { plan, isDue } = feedOf('us_treasury');
    const keyOf = (year: number) => `us-treasury/daily-treasury-rates.${year}.csv`;
    const years = Array.from({ length: 37 }, (_, index) => 1990 + index);
    // A Wednesday, in the afternoon of New York.
    const [looked, now] = ['2026-11-18T19:00:00.000Z', '2026-11-18T20:00:00.000Z'];
    const whole = holding(looked, ...years.map(keyOf));
    const without2005 = holding(looked, ...years.filter((year) => year !== 2005).map(keyOf));
    expect([isDue(now, whole), isDue(now, without2005)]).toEqual([false, true]);
    const asked = keysOf(drive(plan(now, without2005), anything).requests);
    expect(asked).toEqual([keyOf(2005), keyOf(2026)]);
  });
});

describe('Eurostat', () => {
  it('is asked for one measure of each data set, after 11:00 in Luxembourg and once a day', () => {
    const { plan, isDue } = feedOf('eurostat');
    const { requests } = drive(plan('2026-11-18T12:00:00.000Z', NOTHING_HELD), anything);
    const api = 'https://ec.europa.eu/eurostat/api/dissemination/sdmx/2.1/data';
    expect(requests).toEqual([
      { key: 'eurostat/une_rt_m.csv', url: `${api}/une_rt_m/M.SA.TOTAL.PC_ACT.T.?format=SDMX-CSV` },
      { key: 'eurostat/namq_10_gdp.csv', url: `${api}/namq_10_gdp/Q.CLV20_MEUR.SCA.B1GQ.?format=SDMX-CSV` },
      { key: 'eurostat/prc_hicp_minr.csv', url: `${api}/prc_hicp_minr/M.RCH_A.TOTAL.?format=SDMX-CSV` },
    ]);
    const looked = (at: string) => holding(at, ...keysOf(requests));
    // 2026-11-18 is a Wednesday; 11:00 in Luxembourg is 10:00 UTC in winter.
    expect(isDue('2026-11-18T09:59:00.000Z', looked('2026-11-18T09:00:00.000Z'))).toBe(false);
    expect(isDue('2026-11-18T10:00:00.000Z', looked('2026-11-18T09:00:00.000Z'))).toBe(true);
    expect(isDue('2026-11-18T10:15:00.000Z', looked('2026-11-18T10:00:00.000Z'))).toBe(false);
  });
});

describe('the ECB', () => {
  const { plan } = feedOf('ecb_fx');
  const [history, quarter] = ['hist', 'hist-90d'].map((name) => `ecb-eurofxref/eurofxref-${name}.zip`) as [string, string];
  const asked = (now: string, ...held: Parameters<typeof holding>) => keysOf(drive(plan(now, holding(...held)), anything).requests);

  it('is asked for the whole history first, and again once the last 90 days no longer reach back to what is held', () => {
    expect(keysOf(drive(plan('2026-01-06T16:00:00.000Z', NOTHING_HELD), anything).requests)).toEqual([history, quarter]);
    expect(asked('2026-01-06T16:00:00.000Z', '2026-01-05T16:00:00.000Z', history, quarter)).toEqual([quarter]);
    expect(asked('2026-03-06T15:59:00.000Z', '2026-01-05T16:00:00.000Z', history, quarter)).toEqual([quarter]);
    expect(asked('2026-03-06T16:00:00.000Z', '2026-01-05T16:00:00.000Z', history, quarter)).toEqual([history, quarter]);
  });
});

describe('the CFTC', () => {
  it('is asked for closed years once, from the oldest on, and for the running one by file and by API', () => {
    const { plan } = feedOf('cftc_legacy');
    const { requests } = drive(plan('2026-11-18T12:00:00.000Z', NOTHING_HELD), anything);
    expect(keysOf(requests)).toEqual([
      ...Array.from({ length: 31 }, (_, index) => `cftc/socrata/6dca-aqww_from_${1986 + index}-01-01.json`),
      ...Array.from({ length: 10 }, (_, index) => `cftc/legacy_futonly/deacot${2017 + index}.zip`),
      'cftc/socrata/6dca-aqww_from_2026-07-01.json',
    ]);
    const query = new URL(requests[0]?.url ?? '').searchParams;
    expect(query.get('$where')).toBe("report_date_as_yyyy_mm_dd between '1986-01-01' and '1986-12-31'");
    expect(query.get('$order')).toBe('report_date_as_yyyy_mm_dd,cftc_contract_market_code');
    expect(query.get('$select')?.split(',')).toContain('noncomm_postions_spread_all');
    expect(requests[0]?.url).not.toContain('+');
    const again = drive(plan('2026-11-19T12:00:00.000Z', holding('2026-11-18T12:00:00.000Z', ...keysOf(requests))), anything);
    expect(keysOf(again.requests)).toEqual(['cftc/legacy_futonly/deacot2026.zip', 'cftc/socrata/6dca-aqww_from_2026-07-01.json']);
  });

  it('has no file of the new year in January: the year before is asked for again, and nothing is missing yet', () => {
    const { plan, isDue } = feedOf('cftc_tff');
    const years = Array.from({ length: 9 }, (_, index) => `cftc/tff_futonly/fut_fin_txt_${2017 + index}.zip`);
    const held = holding('2026-01-01T12:00:00.000Z', 'cftc/tff_futonly/fin_fut_txt_2006_2016.zip', ...years);
    const { requests } = drive(plan('2026-01-02T12:00:00.000Z', held), anything);
    expect(requests.map(({ key, dueBy }) => [key, dueBy])).toEqual([
      ['cftc/tff_futonly/fut_fin_txt_2025.zip', '2025-01-31'],
      ['cftc/tff_futonly/fut_fin_txt_2026.zip', '2026-01-31'],
    ]);
    expect([isDue('2026-01-02T11:00:00.000Z', held), isDue('2026-01-02T12:00:00.000Z', held)]).toEqual([false, true]);
    expect(keysOf(drive(plan('2026-04-02T12:00:00.000Z', held), anything).requests)).toEqual(['cftc/tff_futonly/fut_fin_txt_2026.zip']);
  });

  it('answers in pages that go on until one is not full, and neither repeat nor are empty from the start', () => {
    const { plan } = feedOf('cftc_legacy');
    const full = (first: number) => Array.from({ length: 50_000 }, (_, index) => ({ code: first + index }));
    const first1986 = (pages: readonly (readonly object[])[]) =>
      drive(plan('2026-11-18T12:00:00.000Z', NOTHING_HELD), (request) => {
        const offset = Number(new URL(request.url).searchParams.get('$offset'));
        return request.key.includes('1986') ? answered(pages[offset / 50_000] ?? []) : anything(request);
      });
    const two = first1986([full(0), full(50_000).slice(0, 3)]);
    expect([keysOf(two.requests).slice(0, 3), two.givenUp]).toEqual([
      [
        'cftc/socrata/6dca-aqww_from_1986-01-01.json',
        'cftc/socrata/6dca-aqww_from_1986-01-01.page2.json',
        'cftc/socrata/6dca-aqww_from_1987-01-01.json',
      ],
      [],
    ]);
    expect(first1986([full(0), full(0)]).givenUp).toEqual(["the API's answer from 1986-01-01, page 2, repeats the page before it"]);
    expect(first1986([[]]).givenUp).toEqual(["the API's answer from 1986-01-01, page 1, has no reports"]);
  });
});

describe('documents of central banks', () => {
  const page = (...links: readonly string[]) => answered(`<html>${links.map((link) => `<a href="${link}">x</a>`).join('')}</html>`);

  it('of the Federal Reserve are those to which its list of meetings leads, each asked for once', () => {
    const { plan } = feedOf('fed_statements');
    const link = (day: string) => `/newsevents/pressreleases/monetary${day}a.htm`;
    const list = page(
      link('20260318'),
      link('20260128'),
      '/newsevents/pressreleases/monetary20260128a1.htm',
      link('20260128'),
      link('20251210'),
    );
    const asked = (...held: readonly string[]) =>
      drive(plan('2026-03-18T19:00:00.000Z', holding('2026-01-01T00:00:00.000Z', ...held)), (request) =>
        request.key.endsWith('fomccalendars.html') ? list : anything(request),
      ).requests;
    const folder = 'central-bank-text/fed/statements';
    expect(keysOf(asked()).slice(1)).toEqual(['20251210', '20260128', '20260318'].map((day) => `${folder}/html/${day}.html`));
    expect(
      asked(`${folder}/20251210.json`, `${folder}/html/20260128.html`)
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
      years.flatMap((year) => ['decisions', 'statements'].map((folder) => `central-bank-text/ecb/${folder}/html/index-${year}.html`));
    const years = Array.from({ length: 11 }, (_, index) => 2015 + index);
    const { requests } = drive(plan('2026-02-05T14:00:00.000Z', holding('2026-02-01T00:00:00.000Z', ...lists(years))), (request) =>
      request.key.endsWith('decisions/html/index-2026.html') ? list : answered('<html></html>'),
    );
    expect(requests.map(({ key, url }) => [key.replace('central-bank-text/ecb/', ''), url])).toEqual([
      ['decisions/html/index-2026.html', 'https://www.ecb.europa.eu/press/govcdec/mopo/2026/html/index_include.en.html'],
      ['decisions/html/20260205.html', 'https://www.ecb.europa.eu/press/pr/date/2026/html/ecb.mp260205~1a2b3c4d5e.en.html'],
      [
        'statements/html/index-2026.html',
        'https://www.ecb.europa.eu/press/press_conference/monetary-policy-statement/2026/html/index_include.en.html',
      ],
    ]);
  });
});

describe('FRED-MD', () => {
  const { plan, isDue } = feedOf('fred_md');
  const months = Array.from({ length: 142 }, (_, index) => `${2015 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`);
  const held = holding('2026-10-06T12:00:00.000Z', ...months.slice(0, -2).map((month) => `fred-md/${month}.csv`), 'fred-md/2026-09-md.csv');

  it('is asked for the months that are not there, under both names that they have had', () => {
    expect([isDue('2026-10-06T13:00:00.000Z', held), isDue('2026-09-30T13:00:00.000Z', held)]).toEqual([true, false]);
    const answers = (kind: 'absent' | 'new') =>
      drive(plan('2026-10-06T13:00:00.000Z', held), (request) => (kind === 'absent' ? { kind } : anything(request))).requests;
    expect(answers('absent').map(({ key, dueBy }) => [key, dueBy])).toEqual([
      ['fred-md/2026-10-md.csv', '9999-12-31'],
      ['fred-md/2026-10.csv', '2026-11-10'],
    ]);
    expect(keysOf(answers('new'))).toEqual(['fred-md/2026-10-md.csv']);
  });

  it('begins with the first vintage that stands by itself', () => {
    const { requests } = drive(plan('2015-03-02T00:00:00.000Z', NOTHING_HELD), anything);
    expect(keysOf(requests)).toEqual(['fred-md/2015-01.csv', 'fred-md/2015-02.csv', 'fred-md/2015-03.csv']);
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

  it('is asked for a closed window once, and for the open one when there is a vintage more', () => {
    expect(asked('new', NOTHING_HELD)).toEqual([closed, last]);
    expect(asked('new', times({ [closed]: ['1', '1'] }))).toEqual([last]);
    expect(asked('new', times({ [closed]: ['1', '1'], [last]: ['1', '1'] }))).toEqual([last]);
    expect(asked('same', times({ [vintages]: ['1', '3'], [closed]: ['1', '1'], [last]: ['1', '2'] }))).toEqual([]);
    // A run was ended between the two.
    expect(asked('same', times({ [vintages]: ['2', '3'], [closed]: ['1', '1'], [last]: ['1', '1'] }))).toEqual([last]);
  });

  it('is asked for no later window of a series where an earlier one is not there: its values would seem to begin with the later', () => {
    const failed: Answer = { kind: 'failed', error: new UpstreamError('fred', 'answered 500', { retriable: true }) };
    const { requests } = drive(vintagesOf('GDP', NOTHING_HELD, 2), (request) =>
      request.key === vintages ? answered({ count: 3, offset: 0, limit: 10_000, vintage_dates: dates }) : failed,
    );
    expect(keysOf(requests)).toEqual([vintages, closed]);
  });

  it('is asked for every series that has a row, under the name that FRED gives it', () => {
    const table = readFileSync(join(import.meta.dirname, '../../data/reference/series.csv'), 'utf8');
    const codes = [...table.matchAll(/^fred,([^,]+),/gm)].map(([, code = '']) => code);
    // What a folder of ALFRED files calls AWHI, PERMIT, CPIAUCSL, PAYEMS, HOUST, INDPRO, PPIACO, GDPC1 and UNRATE.
    const aliases = ['AWH', 'BP', 'CPI', 'EMP', 'HS', 'IP', 'PPI', 'RGDP', 'UR'];
    expect([...FRED_SERIES, ...aliases].toSorted()).toEqual(codes.toSorted());
  });

  it('is asked within the hour after a release for what it brings, until that is there, and for all four times a day', () => {
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

  it('has its releases under the names that the calendar gives them, and their series among its own', () => {
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
