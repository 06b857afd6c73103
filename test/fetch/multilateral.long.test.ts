// Sources of organisations over nights: all there is, a night without news, one changed payload, and the faults that each has been seen to have.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dgEcfin } from '../../src/sources/dg-ecfin/source.ts';
import { imf } from '../../src/sources/imf/source.ts';
import { oecd } from '../../src/sources/oecd/source.ts';
import { oecdEditions } from '../../src/sources/oecd/editions.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { redirect } from '../replay/faults.ts';
import { fetchNight } from '../replay/nights.ts';
import { type Asked, openReplay, type Replay } from '../replay/server.ts';

const fixture = (path: string) => readFileSync(join(import.meta.dirname, '../fixtures', path));
const text = (path: string) => fixture(path).toString('utf8');

let replay: Replay;
let pipeline: Pipeline;
beforeAll(async () => {
  replay = await openReplay();
});
beforeEach(() => replay.forget());
afterAll(() => replay.close());

/** A lake for each publisher: its clock goes forward alone. */
const withLake = () => {
  beforeAll(async () => {
    pipeline = await openPipeline();
  });
  afterAll(() => pipeline.remove());
};

const rowsOf = (source: string) =>
  pipeline.lake(`select indicator_id, period, value, observed_at from observations where source_id = '${source}' order by change_sequence`);
const told = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
  rows.map((row) => [row['indicator_id'], row['period'], row['value'], String(row['observed_at']).slice(0, 19).replace(' ', 'T')]);
const paths = () => replay.asked.map(({ url }) => `${url.pathname}${url.search}`);

describe('the OECD', () => {
  withLake();
  const REST = 'sdmx.oecd.org/public/rest';
  const CLI = 'OECD.SDD.STES,DSD_STES@DF_CLI,4.1/.M.LI+BCICP+CCICP...AA...H';
  const PRICES = 'OECD.SDD.TPS,DSD_PRICES@DF_PRICES_ALL,1.0/.M+Q.N.CPI.PA._T.N.GY';
  const OTHERS = [
    {
      agency: 'OECD.SDD.TPS',
      id: 'DSD_PRICES_COICOP2018@DF_PRICES_C2018_ALL',
      version: '1.0',
      key: '.M+Q.N.CPI.PA._T.N.GY',
      file: 'live-prices-2018',
    },
    {
      agency: 'OECD.SDD.TPS',
      id: 'DSD_LFS@DF_IALFS_UNE_M',
      version: '1.0',
      key: '.UNE_LF_M.PT_LF_SUB._Z.Y._T.Y_GE15._Z.M',
      file: 'live-unemployment',
    },
    {
      agency: 'OECD.SDD.NAD',
      id: 'DSD_NAMAIN1@DF_QNA_EXPENDITURE_GROWTH_OECD',
      version: '1.1',
      key: 'Q.Y..S1..B1GQ......G1+GY.',
      file: 'live-growth',
    },
  ];
  let prepared = 0;
  /** Each answer to a question of structures carries another hour. */
  const constraint = (validFrom: string) => () => {
    prepared += 1;
    const body = text('oecd/constraint.raw.xml')
      .replace('2031-05-02T08:00:00.1234567Z', `2031-05-02T08:00:${String(prepared).padStart(2, '0')}Z`)
      .replace('2031-04-30T09:33:35.737Z', validFrom);
    return { body, headers: { 'content-type': 'application/vnd.sdmx.structure+xml' }, isUnvalidated: true };
  };
  const csv = (body: string) => () => ({ body, headers: { 'content-type': 'application/vnd.sdmx.data+csv; charset=utf-8' } });
  const serve = (cliFrom: string, cli: string) => {
    replay.serve(`${REST}/contentconstraint/OECD.SDD.STES/CR_A_DSD_STES@DF_CLI/4.1`, constraint(cliFrom));
    replay.serve(`${REST}/contentconstraint/OECD.SDD.TPS/CR_A_DSD_PRICES@DF_PRICES_ALL/1.0`, constraint('2031-04-29T10:00:00.000Z'));
    replay.serve(`${REST}/data/${CLI}`, csv(cli));
    replay.serve(`${REST}/data/${PRICES}`, csv(text('oecd/live-prices.raw.csv')));
    for (const { agency, id, version, key, file } of OTHERS) {
      replay.serve(`${REST}/contentconstraint/${agency}/CR_A_${id}/${version}`, constraint('2031-04-28T10:00:00.000Z'));
      replay.serve(`${REST}/data/${agency},${id},${version}/${key}`, csv(text(`oecd/${file}.raw.csv`)));
    }
  };
  const FIRST = '2031-04-30T09:33:35.737Z';

  it('is first read in full, each value known from the change of the data flow', async () => {
    serve(FIRST, text('oecd/live-leading.raw.csv'));
    expect((await fetchNight(pipeline, replay, [oecd], '2031-05-01T08:00:00.000Z')).told).toEqual(['oecd: done, 15/0/0/0']);
    expect(
      told(await rowsOf('oecd'))
        .map((row) => row.join(' '))
        .toSorted(),
    ).toEqual([
      'au_cpi_inflation_yoy_published 2031-Q1 3.25 2031-04-29T10:00:00',
      'de_business_confidence 2031-03 99.5 2031-04-30T09:33:35',
      'ea_consumer_confidence 2031-03 98.75 2031-04-30T09:33:35',
      'ea_unemployment_rate 2031-03 6.25 2031-04-28T10:00:00',
      'fr_cpi_inflation_yoy_coicop2018 2031-03 1.75 2031-04-28T10:00:00',
      'g20_gdp_growth_qoq_published 2031-Q1 0.5 2031-04-28T10:00:00',
      'gb_gdp_growth_qoq_published 2031-Q1 -0.25 2031-04-28T10:00:00',
      'gb_gdp_growth_yoy_published 2031-Q1 0.875 2031-04-28T10:00:00',
      'kr_unemployment_rate 2031-03 2.75 2031-04-28T10:00:00',
      'nz_cpi_inflation_yoy_coicop2018 2031-Q1 2.25 2031-04-28T10:00:00',
      'us_composite_leading_indicator 2031-03 101.25 2031-04-30T09:33:35',
      'us_cpi_inflation_yoy_published 2031-03 2.669213 2031-04-29T10:00:00',
    ]);
  });

  it('is asked the next night only for the time of change, and writes nothing', async () => {
    serve(FIRST, text('oecd/live-leading.raw.csv'));
    const before = await rowsOf('oecd');
    expect((await fetchNight(pipeline, replay, [oecd], '2031-05-01T20:00:00.000Z')).told).toEqual(['oecd: done, 0/5/0/0']);
    expect(paths().filter((path) => path.includes('/data/'))).toEqual([]);
    expect(await rowsOf('oecd')).toEqual(before);
  });

  it('adds exactly the changes, and withdraws deleted values', async () => {
    serve(
      '2031-05-01T22:10:00.000Z',
      text('oecd/live-changes.raw.csv').replace('D,USA,M,LI,IX,_Z,AA,IX,_Z,H,2031-02', 'D,DEU,M,BCICP,IX,_Z,AA,IX,_Z,H,2031-03'),
    );
    const before = await rowsOf('oecd');
    expect((await fetchNight(pipeline, replay, [oecd], '2031-05-02T08:00:00.000Z')).told).toEqual(['oecd: done, 3/4/0/0']);
    expect(paths().filter((path) => path.includes('/data/'))).toEqual([
      `/public/rest/data/${CLI}?updatedAfter=${FIRST}&dimensionAtObservation=AllDimensions`,
    ]);
    const rows = await rowsOf('oecd');
    expect(rows.slice(0, before.length)).toEqual(before);
    expect(told(rows.slice(before.length))).toEqual([
      ['de_business_confidence', '2031-03', null, '2031-05-01T22:10:00'],
      ['us_composite_leading_indicator', '2031-03', 101.5, '2031-05-01T22:10:00'],
    ]);
  });

  it('has no records if nothing of the requested data has changed', async () => {
    serve('2031-05-03T09:00:00.000Z', '');
    replay.serve(`${REST}/data/${CLI}`, () => ({ status: 404, headers: { 'content-type': 'text/plain' }, body: 'NoRecordsFound' }));
    const before = await rowsOf('oecd');
    expect((await fetchNight(pipeline, replay, [oecd], '2031-05-03T20:00:00.000Z')).told).toEqual(['oecd: done, 1/4/1/0']);
    expect(await rowsOf('oecd')).toEqual(before);
  });

  it('is skipped if it changed between question and answer', async () => {
    const since = ['2031-05-04T09:00:00.000Z', '2031-05-04T09:01:00.000Z'];
    serve('2031-05-04T09:00:00.000Z', text('oecd/live-changes.raw.csv').replaceAll('101.5', '107'));
    replay.serve(`${REST}/contentconstraint/OECD.SDD.STES/CR_A_DSD_STES@DF_CLI/4.1`, ({ before }: Asked) =>
      constraint(since[Math.min(before, 1)] ?? '')(),
    );
    const before = await rowsOf('oecd');
    const { fetch } = await fetchNight(pipeline, replay, [oecd], '2031-05-04T20:00:00.000Z');
    expect(fetch.sources[0]?.reason).toBe('DF_CLI: the data flow changed while it was asked for');
    expect(await rowsOf('oecd')).toEqual(before);
  });
});

describe('the OECD after it moved host, version and keys, with 60 downloads of data an hour', () => {
  withLake();
  const REST = 'sdmx.oecd.org/public/rest';
  const FLOW = 'OECD.SDD.STES,DSD_STES_REVISIONS@DF_STES_REVISIONS,4.0';
  const editions = Array.from(
    { length: 72 },
    (_, index) => `${1999 + Math.floor((index + 1) / 12)}${String(((index + 1) % 12) + 1).padStart(2, '0')}`,
  );
  const AT = '2031-05-02T08:00:00.000Z';
  let now = AT;
  let downloads: number[] = [];

  beforeEach(() => {
    const list = text('oecd_editions/list.raw.xml').replace(
      '<common:Value>203101</common:Value><common:Value>203102</common:Value>',
      editions.map((edition) => `<common:Value>${edition}</common:Value>`).join(''),
    );
    replay.serve(`${REST}/availableconstraint/${FLOW}/all/all/EDITION`, () => ({
      body: list,
      headers: { 'content-type': 'application/xml' },
    }));
    for (const edition of editions) {
      replay.serve(`${REST}/data/${FLOW}/.M+Q.CP...${edition}`, () => {
        const at = Date.parse(now);
        downloads = downloads.filter((one) => one > at - 3_600_000);
        if (downloads.length >= 60) return { status: 429, body: 'Too many requests', headers: { 'content-type': 'text/plain' } };
        downloads.push(at);
        const [header = '', row = ''] = text('oecd_editions/early.raw.csv').split('\n');
        const period = `${Number(edition.slice(0, 4)) - 1}-12`;
        return {
          body: `${header}\n${row
            .replace('200712', edition)
            .replace('2007-10', period)
            .replace('104.5', `90.${edition.slice(4)}`)}\n`,
          headers: { 'content-type': 'application/vnd.sdmx.data+csv' },
        };
      });
    }
  });
  const night = async (at: string, budgets?: []) => {
    replay.forget();
    now = at;
    const options = budgets === undefined ? {} : { publishers: { oecd: { budgets } } };
    const { told: lines, fetch } = await fetchNight(pipeline, replay, [oecdEditions], at, options);
    return [lines[0], fetch.sources[0]?.reason ?? null, paths().filter((path) => path.includes('/data/')).length];
  };

  it('ends a run after fifty, shared by runs of the same hour, and the next one continues', async () => {
    const spent = 'its budget of 50 requests per hour is spent until 2031-05-02T09:00Z';
    expect(await night(AT)).toEqual(['oecd_editions: unfinished, 51/0/0/0', spent, 50]);
    expect(await night('2031-05-02T08:15:00.000Z')).toEqual(['oecd_editions: not due, 0/0/0/0', null, 0]);
    // Were it to ask all the same, the sixty-first within the hour would be refused and the run end with it.
    const blocked = await night('2031-05-02T09:00:00.000Z', []);
    expect(blocked).toEqual(['oecd_editions: done, 22/1/0/0', null, 22]);
    expect(downloads.length).toBe(22);
  });

  it('has each edition known at the end of the next month, and each value once', async () => {
    const rows = told(await rowsOf('oecd_editions'));
    expect(rows.length).toBe(72);
    expect(rows[0]).toEqual(['de_cpi_nsa', '1998-12', 90.02, '1999-03-31T23:59:59']);
    expect(rows.at(-1)).toEqual(['de_cpi_nsa', '2004-12', 90.01, '2005-02-28T23:59:59']);
  });
});

describe('the sixty-first download within the hour', () => {
  withLake();
  it('is refused, ends the run, and is requested again by the next', async () => {
    const REST = 'sdmx.oecd.org/public/rest';
    const FLOW = 'OECD.SDD.STES,DSD_STES_REVISIONS@DF_STES_REVISIONS,4.0';
    const editions = ['199902', '199903', '199904'];
    let isBlocked = true;
    replay.serve(`${REST}/availableconstraint/${FLOW}/all/all/EDITION`, () => ({
      body: text('oecd_editions/list.raw.xml').replace(
        '<common:Value>203101</common:Value>',
        editions.map((one) => `<common:Value>${one}</common:Value>`).join(''),
      ),
      headers: { 'content-type': 'application/xml' },
    }));
    for (const edition of ['199902', '199903', '199904']) {
      const [header = '', row = ''] = text('oecd_editions/early.raw.csv').split('\n');
      const body = `${header}\n${row.replace('200712', edition).replace('2007-10', '1998-12')}\n`;
      replay.serve(`${REST}/data/${FLOW}/.M+Q.CP...${edition}`, () =>
        isBlocked && edition > '199902'
          ? { status: 429, headers: { 'content-type': 'text/plain' }, body: 'Too many requests' }
          : { body, headers: { 'content-type': 'text/csv' } },
      );
    }
    const waited: number[] = [];
    const wait = async (milliseconds: number) => void waited.push(milliseconds);
    const first = await fetchNight(pipeline, replay, [oecdEditions], '2005-05-02T08:00:00.000Z', { wait });
    expect([first.told, waited]).toEqual([['oecd_editions: failed, 2/0/0/1'], []]);
    expect(paths().filter((path) => path.includes('/data/')).length).toBe(2);
    isBlocked = false;
    replay.forget();
    expect((await fetchNight(pipeline, replay, [oecdEditions], '2005-05-02T09:00:00.000Z')).told).toEqual(['oecd_editions: done, 2/1/0/0']);
    expect(paths().flatMap((path) => /CP\.\.\.(\d+)/.exec(path)?.[1] ?? [])).toEqual(['199903', '199904']);
  });
});

describe('the International Monetary Fund', () => {
  withLake();
  const prices = text('imf/prices.raw.csv');
  const answer = (key: string, body: string) =>
    replay.serve(`api.imf.org/external/sdmx/2.1/data/IMF.STA,${key}`, () => ({
      body,
      headers: { 'content-type': 'application/vnd.sdmx.data+csv' },
    }));
  const serve = (body: string) => {
    answer('CPI,5.0.0/.CPI._T.YOY_PCH_PA_PT.M', body);
    answer('CPI,5.0.0/.CPI._T.IX.M', text('imf/price-index.raw.csv'));
    answer('LS,9.0.0/.U.PT.M', text('imf/unemployment.raw.csv'));
    answer('QNEA,7.0.0/.B1GQ.Q.SA.XDC.Q', text('imf/gdp.raw.csv'));
    answer('MFS_IR,9.0.0/.MFS166_RT_PT_A_PT.M', text('imf/policy-rate.raw.csv'));
  };

  it('is read in full, asked for changes, and adds the differences of a changed answer', async () => {
    serve(prices);
    expect((await fetchNight(pipeline, replay, [imf], '2031-05-02T08:00:00.000Z')).told).toEqual(['imf: done, 5/0/0/0']);
    const first = await rowsOf('imf');
    expect(
      told(first)
        .map((row) => row.join(' '))
        .toSorted(),
    ).toEqual([
      'gh_cpi_nsa 2031-02 212.5 2031-05-02T08:00:00',
      'jp_cpi_inflation_yoy_published 2031-02 1.25 2031-05-02T08:00:00',
      // A policy rate is known at the end of its month in Nairobi.
      'ke_monetary_policy_related_rate 2031-02 12.75 2031-02-28T20:59:59',
      'mx_unemployment_rate_as_reported 2031-02 2.5 2031-05-02T08:00:00',
      'region_xkx_cpi_inflation_yoy_published 2031-03 2.5 2031-05-02T08:00:00',
      'th_gdp_real_national_currency 2031-Q1 2750.5 2031-05-02T08:00:00',
      'th_gdp_real_national_currency 2031-Q2 2762.75 2031-05-02T08:00:00',
    ]);
    expect((await fetchNight(pipeline, replay, [imf], '2031-05-03T08:00:00.000Z')).told).toEqual(['imf: done, 0/5/0/0']);
    expect(replay.asked.at(-1)?.headers['if-none-match']).toBeDefined();
    expect(await rowsOf('imf')).toEqual(first);
    serve(prices.replace('2031-M02,1.25', '2031-M02,1.5'));
    expect((await fetchNight(pipeline, replay, [imf], '2031-05-04T08:00:00.000Z')).told).toEqual(['imf: done, 1/4/0/0']);
    expect(told((await rowsOf('imf')).slice(first.length))).toEqual([
      ['jp_cpi_inflation_yoy_published', '2031-02', 1.5, '2031-05-04T08:00:00'],
    ]);
  });
});

describe('DG ECFIN', () => {
  withLake();
  const place = (yymm: string) =>
    `ec.europa.eu/economy_finance/db_indicators/surveys/documents/series/nace2_ecfin_${yymm}/main_indicators_sa_nace2.zip`;
  const serve = (archive: string) => {
    replay.serve(place('3103'), () => ({ body: fixture(`dg_ecfin/${archive}.raw.zip`) }));
    replay.serve('ec.europa.eu/info/surveys_en', () => ({
      body: '<!DOCTYPE html><html>Surveys</html>',
      headers: { 'content-type': 'text/html' },
    }));
    for (const month of ['3104', '3102', '3101', '3012'])
      replay.serve(place(month), () => redirect('https://ec.europa.eu/info/surveys_en', 301));
  };

  it('has missing archives: a page in place of them is no failure, and is requested again a while later', async () => {
    serve('archive');
    expect((await fetchNight(pipeline, replay, [dgEcfin], '2031-04-02T09:30:00.000Z')).told).toEqual(['dg_ecfin: done, 1/0/4/0']);
    const rows = told(await rowsOf('dg_ecfin')).filter(([, , value]) => value !== null);
    expect(rows).toContainEqual(['gr_business_confidence', '2031-02', -4.1, '2031-04-02T09:30:00']);
    expect(rows).toContainEqual(['ea_consumer_confidence', '2031-03', -12.25, '2031-04-02T09:30:00']);
    expect(rows.length).toBe(6);
  });

  it('is asked the next night for the archives that may change, and writes nothing', async () => {
    serve('archive');
    const before = await rowsOf('dg_ecfin');
    expect((await fetchNight(pipeline, replay, [dgEcfin], '2031-04-03T10:00:00.000Z')).told).toEqual(['dg_ecfin: done, 0/1/1/0']);
    expect(await rowsOf('dg_ecfin')).toEqual(before);
  });

  it('adds exactly the differences of a corrected archive, known from its download', async () => {
    serve('archive-corrected');
    const before = await rowsOf('dg_ecfin');
    expect((await fetchNight(pipeline, replay, [dgEcfin], '2031-04-04T10:30:00.000Z')).told).toEqual(['dg_ecfin: done, 1/0/1/0']);
    expect(told((await rowsOf('dg_ecfin')).slice(before.length))).toEqual([
      ['ea_consumer_confidence', '2031-03', -12.5, '2031-04-04T10:30:00'],
    ]);
  });

  it('is not followed to another host', async () => {
    serve('archive-corrected');
    replay.serve(place('3103'), () => redirect('https://example.org/main_indicators_sa_nace2.zip', 301));
    expect((await fetchNight(pipeline, replay, [dgEcfin], '2031-04-05T10:30:00.000Z')).told).toEqual(['dg_ecfin: failed, 0/0/1/1']);
    expect(replay.asked.filter(({ url }) => url.host === 'example.org')).toEqual([]);
  });
});

describe('the archive of a month and the table of a folder', () => {
  it('have the same values for the same release', async () => {
    const read = async (key: string, path: string) => {
      const rows: string[] = [];
      for await (const batch of dgEcfin.normalise({ key, body: new Uint8Array(fixture(path)), retrievedAt: '2031-04-02T08:00:00.000Z' })) {
        if (batch.kind === 'observations')
          rows.push(...batch.rows.map(({ seriesCode, period, value }) => `${seriesCode} ${period} ${value}`));
      }
      return rows.toSorted();
    };
    expect(await read('dg-ecfin-bcs/nace2_ecfin_3103/main_indicators_sa_nace2.zip', 'dg_ecfin/archive.raw.zip')).toEqual(
      await read('dg-ecfin-bcs/data_esi_values.2031-03-28.csv', 'dg_ecfin/release.raw.csv'),
    );
  });
});
