// Nights of central banks that answer in CSV or JSON of their own: from nothing, without news, with one changed payload, and what is seen in place of an answer.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bcb } from '../../src/sources/bcb/source.ts';
import { bcbFocus } from '../../src/sources/bcb/focus.ts';
import { boc } from '../../src/sources/boc/source.ts';
import { boe } from '../../src/sources/boe/source.ts';
import { boj } from '../../src/sources/boj/source.ts';
import { riksbank } from '../../src/sources/riksbank/source.ts';
import { snb } from '../../src/sources/snb/source.ts';
import { openPipeline, type Pipeline } from '../pipeline.ts';
import { page200, status } from '../replay/faults.ts';
import { fetchNight } from '../replay/nights.ts';
import { openReplay, type Replay } from '../replay/server.ts';

const fixture = (path: string) => readFileSync(join(import.meta.dirname, '../fixtures', path), 'utf8');

let replay: Replay;
let pipeline: Pipeline;
beforeAll(async () => {
  replay = await openReplay();
});
beforeEach(async () => {
  replay.forget();
  pipeline = await openPipeline();
});
afterEach(() => pipeline.remove());
afterAll(() => replay.close());

const [FIRST, SECOND, THIRD] = ['2031-05-02T08:00:00.000Z', '2031-05-03T08:00:00.000Z', '2031-05-04T08:00:00.000Z'] as const;
const serve = (place: string, body: string, type = 'application/json') =>
  replay.serve(place, () => ({ body, headers: { 'content-type': type } }));
const night = async (at: string, source: Parameters<typeof fetchNight>[2][number]) =>
  (await fetchNight(pipeline, replay, [source], at)).told;
const rowsOf = async (source: string) => {
  const rows = await pipeline.lake(
    `select indicator_id, period, value, observed_at::varchar as observed_at from observations where source_id = '${source}' order by change_sequence`,
  );
  return rows.map((row) => `${row['indicator_id']} ${row['period']} ${row['value']} ${String(row['observed_at']).slice(0, 10)}`);
};

describe('the Bank of England', () => {
  const PLACE = 'www.bankofengland.co.uk/boeapps/database/_iadb-fromshowcolumns.asp';
  const RATES = fixture('boe/rates.raw.csv');

  it('has rates known by its publication rule; a changed rate counts from the download that shows it', async () => {
    serve(PLACE, RATES, 'text/csv');
    expect(await night(FIRST, boe)).toEqual(['boe: done, 1/0/0/0']);
    const before = await rowsOf('boe');
    expect(before.toSorted()).toEqual([
      'gb_central_bank_policy_rate_daily 2031-04-24 7.25 2031-04-24',
      'gb_central_bank_policy_rate_daily 2031-04-25 7.25 2031-04-25',
      'gb_central_bank_policy_rate_daily 2031-04-28 7.5 2031-04-28',
      'gb_central_bank_policy_rate_daily 2031-04-29 7.5 2031-04-29',
      'gb_central_bank_policy_rate_daily 2031-04-30 7.5 2031-04-30',
      'gb_central_bank_policy_rate_daily 2031-05-01 7.5 2031-05-01',
      'gb_sterling_overnight_index_average 2031-04-25 7.1934 2031-04-28',
      'gb_sterling_overnight_index_average 2031-04-29 7.4411 2031-04-30',
      'gb_sterling_overnight_index_average 2031-04-30 7.4402 2031-05-01',
    ]);
    expect(await night(SECOND, boe)).toEqual(['boe: done, 0/1/0/0']);
    serve(PLACE, RATES.replace('7.4411', '7.45'), 'text/csv');
    expect(await night(THIRD, boe)).toEqual(['boe: done, 1/0/0/0']);
    expect((await rowsOf('boe')).slice(before.length)).toEqual(['gb_sterling_overnight_index_average 2031-04-29 7.45 2031-05-04']);
  });

  it('has nothing archived if it sends a page with status 200, as it does for unknown codes', async () => {
    replay.serve(PLACE, () => page200('Your request could not be met'));
    expect(await night(FIRST, boe)).toEqual(['boe: failed, 0/0/0/1']);
    expect(await rowsOf('boe')).toEqual([]);
  });
});

describe('the Riksbank', () => {
  const API = 'api.riksbank.se/swea/v1/Observations';
  const all = () => {
    serve(`${API}/SECBREPOEFF/1994-06-01`, fixture('riksbank/policy-rate.raw.json'));
    serve(`${API}/SEKEURPMI/1999-01-04`, fixture('riksbank/euro.raw.json'));
    serve(`${API}/SEKUSDPMI/1993-01-04`, '[{"date":"2031-05-02","value":10.125}]');
  };

  it('is asked without a key, or with the key only in its header', async () => {
    all();
    expect(await night(FIRST, riksbank)).toEqual(['riksbank: done, 3/0/0/0']);
    expect(replay.asked.map(({ headers }) => headers['ocp-apim-subscription-key'])).toEqual([undefined, undefined, undefined]);
    replay.forget();
    all();
    await fetchNight(pipeline, replay, [riksbank], SECOND, { secrets: { RIKSBANK_KEY: 'a-key-of-this-test' } });
    expect(replay.asked.map(({ headers, url }) => [headers['ocp-apim-subscription-key'], url.search])).toEqual(
      Array.from({ length: 3 }, () => ['a-key-of-this-test', '']),
    );
    expect((await rowsOf('riksbank')).toSorted()).toEqual([
      'cur_sek_central_bank_exchange_rate_eur 2031-04-29 11.5012 2031-04-29',
      'cur_sek_central_bank_exchange_rate_eur 2031-05-02 11.4875 2031-05-02',
      'cur_sek_central_bank_exchange_rate_usd 2031-05-02 10.125 2031-05-02',
      'se_central_bank_policy_rate_daily 2031-04-29 3.75 2031-04-29',
      'se_central_bank_policy_rate_daily 2031-04-30 -0.5 2031-04-30',
      'se_central_bank_policy_rate_daily 2031-05-02 4 2031-05-02',
    ]);
  });

  it('has no values after status 204, which is no failure', async () => {
    all();
    replay.serve(`${API}/SEKUSDPMI/1993-01-04`, () => status(204));
    expect(await night(FIRST, riksbank)).toEqual(['riksbank: done, 2/0/1/0']);
    expect((await rowsOf('riksbank')).some((row) => row.includes('_usd'))).toBe(false);
  });
});

describe('the Bank of Japan', () => {
  const PLACE = 'www.stat-search.boj.or.jp/api/v1/getDataCode';
  const [DOLLAR, CALL_RATE] = ['boj/dollar.raw.json', 'boj/call-rate.raw.json'].map(fixture) as [string, string];
  const all = (dollar: string, callRate = CALL_RATE) =>
    replay.serve(PLACE, ({ url }) => ({
      body: url.searchParams.get('db') === 'FM01' ? callRate : dollar,
      headers: { 'content-type': 'application/json' },
      isUnvalidated: true,
    }));

  it('writes nothing if only its timestamp changed, and exactly the changed value otherwise', async () => {
    all(DOLLAR);
    expect(await night(FIRST, boj)).toEqual(['boj: done, 2/0/0/0']);
    const before = await rowsOf('boj');
    // Days that never had a value are none.
    expect(before.length).toBe(7);
    const later = (text: string) => text.replace('2031-05-02T17:00:00.123', '2031-05-03T17:00:00.456');
    all(later(DOLLAR), later(CALL_RATE));
    expect(await night(SECOND, boj)).toEqual(['boj: done, 0/2/0/0']);
    all(later(DOLLAR).replace('151.25', '151.3').replace(',152,', ',null,'), later(CALL_RATE));
    expect(await night(THIRD, boj)).toEqual(['boj: done, 1/1/0/0']);
    expect((await rowsOf('boj')).slice(before.length)).toEqual([
      'cur_jpy_central_bank_exchange_rate_usd 2031-04-24 151.3 2031-05-04',
      // Taken back.
      'cur_jpy_central_bank_exchange_rate_usd 2031-04-28 null 2031-05-04',
    ]);
  });

  it('has nothing archived of a database that it refuses with status 200, and the others are read', async () => {
    all(fixture('boj/refused.raw.json'));
    expect(await night(FIRST, boj)).toEqual(['boj: failed, 1/0/0/1']);
    expect((await rowsOf('boj')).every((row) => row.startsWith('jp_overnight_call_rate'))).toBe(true);
  });

  it('is read from all its positions', async () => {
    const [head, tail] = [CALL_RATE.replace('"NEXTPOSITION":null', '"NEXTPOSITION":3'), CALL_RATE.replaceAll('203104', '203103')];
    replay.serve(PLACE, ({ url }) => {
      const body = url.searchParams.get('db') === 'FM08' ? DOLLAR : url.searchParams.get('startPosition') === '3' ? tail : head;
      return { body, headers: { 'content-type': 'application/json' } };
    });
    expect(await night(FIRST, boj)).toEqual(['boj: done, 3/0/0/0']);
    const rows = await rowsOf('boj');
    expect(rows).toContain('jp_overnight_call_rate 2031-04-28 1.227 2031-04-30');
    expect(rows).toContain('jp_overnight_call_rate 2031-03-28 1.227 2031-03-31');
  });
});

describe('the Banco Central do Brasil', () => {
  const API = 'api.bcb.gov.br/dados/serie/bcdata.sgs';
  const window = (url: URL) => Number(url.searchParams.get('dataInicial')?.slice(-4));
  const one = (year: number, value: string) => `[{"data":"03/01/${year}","valor":"${value}"}]`;
  const all = (selic = fixture('bcb/selic.raw.json')) => {
    replay.serve(`${API}.432/dados`, ({ url }) => ({ body: window(url) === 2029 ? selic : one(window(url), '20') }));
    replay.serve(`${API}.1/dados`, ({ url }) => ({
      body: window(url) === 2024 ? fixture('bcb/dollar.raw.json') : one(window(url), '5.5'),
    }));
    serve(`${API}.433/dados`, fixture('bcb/prices.raw.json'));
  };

  it('has a target for future days, which counts only once they arrive', async () => {
    all();
    expect(await night(FIRST, bcb)).toEqual(['bcb: done, 10/0/0/0']);
    const targets = async () => (await rowsOf('bcb')).filter((row) => /policy_rate_daily 2031/.test(row));
    expect(await targets()).toEqual([
      'br_central_bank_policy_rate_daily 2031-04-29 14.75 2031-04-30',
      'br_central_bank_policy_rate_daily 2031-04-30 14.75 2031-05-01',
      'br_central_bank_policy_rate_daily 2031-05-01 15 2031-05-02',
      'br_central_bank_policy_rate_daily 2031-05-02 15 2031-05-02',
    ]);
    expect(await rowsOf('bcb')).toContain('br_consumer_price_change_mom_nsa 2031-03 -0.02 2031-05-02');
    expect(await rowsOf('bcb')).toContain('cur_brl_central_bank_exchange_rate_usd 2031-04-30 5.441 2031-05-01');
    all(fixture('bcb/selic.raw.json').replace('"18/06/2031"', '"03/05/2031"'));
    // Windows that are over stay as they are.
    expect(await night(SECOND, bcb)).toEqual(['bcb: done, 1/2/0/0']);
    expect((await targets()).slice(4)).toEqual(['br_central_bank_policy_rate_daily 2031-05-03 15 2031-05-03']);
  });

  it('has nothing archived of a window that it refuses, and the others are read', async () => {
    all();
    replay.serve(`${API}.432/dados`, () => status(406, {}, '{"error":"janela de consulta"}'));
    expect(await night(FIRST, bcb)).toEqual(['bcb: failed, 6/0/0/4']);
  });
});

describe('the survey of the Banco Central do Brasil', () => {
  const API = 'olinda.bcb.gov.br/olinda/servico/Expectativas/versao/v1/odata';
  const yearOf = (url: URL) => /Data ge '(\d{4})/.exec(url.searchParams.get('$filter') ?? '')?.[1] ?? '';
  const all = (change: (text: string) => string = (text) => text) => {
    for (const [set, file] of [
      ['ExpectativasMercadoAnuais', 'annual'],
      ['ExpectativasMercadoInflacao12Meses', 'ahead'],
      ['ExpectativaMercadoMensais', 'monthly'],
    ]) {
      const text = fixture(`bcb_focus/${file}.raw.json`);
      replay.serve(`${API}/${set}`, ({ url }) => ({
        body:
          yearOf(url) === '2031'
            ? change(text)
            : text
                .replaceAll('2031-', `${yearOf(url)}-`)
                .replace(
                  /"DataReferencia":"(\d\d\/)?(20\d\d)"/g,
                  (_, month = '', year) => `"DataReferencia":"${month}${Number(year) - 2031 + Number(yearOf(url))}"`,
                ),
      }));
    }
  };

  it('belongs to the day of the survey, known from the next Monday, whatever its year or month', async () => {
    all();
    expect(await night(FIRST, bcbFocus)).toEqual(['bcb_focus: done, 90/0/0/0']);
    const rows = (await rowsOf('bcb_focus')).filter((row) => / 2031-\d\d-\d\d /.test(row));
    expect(rows.toSorted()).toEqual([
      'br_expected_inflation_12_months 2031-04-30 4.875 2031-05-02',
      'br_expected_inflation_12_months_smoothed 2031-04-30 4.625 2031-05-02',
      'br_expected_inflation_current_month 2031-01-02 0.375 2031-01-06',
      'br_expected_inflation_current_month 2031-01-03 -0.25 2031-01-06',
      'br_expected_inflation_current_year 2031-01-02 5.25 2031-01-06',
      'br_expected_inflation_current_year 2031-01-03 5.3 2031-01-06',
      'br_expected_inflation_next_year 2031-01-02 4.75 2031-01-06',
      'br_expected_inflation_previous_month 2031-01-02 0.5 2031-01-06',
      'br_expected_policy_rate_current_year 2031-01-02 12.25 2031-01-06',
      'br_expected_policy_rate_next_year 2031-01-02 10.5 2031-01-06',
    ]);
    all((text) => text.replace('"Mediana":5.3,', '"Mediana":5.35,'));
    expect(await night(SECOND, bcbFocus)).toEqual(['bcb_focus: done, 1/2/0/0']);
    expect((await rowsOf('bcb_focus')).slice(30 * 10)).toEqual(['br_expected_inflation_current_year 2031-01-03 5.35 2031-05-03']);
  });
});

describe('the Bank of Canada and the Swiss National Bank', () => {
  const VALET = 'www.bankofcanada.ca/valet/observations';
  const CUBE = 'data.snb.ch/api/cube/snbgwdzid/data/json/en';
  const all = () => {
    serve(`${VALET}/V39079/json`, fixture('boc/policy-rate.raw.json'));
    serve(`${VALET}/FXUSDCAD/json`, fixture('boc/dollar.raw.json'));
    serve(`${VALET}/FXEURCAD/json`, fixture('boc/dollar.raw.json').replaceAll('FXUSDCAD', 'FXEURCAD'));
    serve(CUBE, fixture('snb/rates.raw.json'));
  };

  it('have rates known by their publication rules; a changed rate counts from the download that shows it', async () => {
    all();
    expect([await night(FIRST, boc), await night(FIRST, snb)]).toEqual([['boc: done, 3/0/0/0'], ['snb: done, 1/0/0/0']]);
    const before = [await rowsOf('boc'), await rowsOf('snb')];
    expect(before.map((rows) => rows.length)).toEqual([7, 5]);
    expect(before[0]).toContain('ca_central_bank_policy_rate_daily 2031-04-28 -0.25 2031-04-29');
    expect(before[1]).toContain('ch_swiss_average_rate_overnight 2031-04-29 -0.04 2031-04-29');
    expect([await night(SECOND, boc), await night(SECOND, snb)]).toEqual([['boc: done, 0/3/0/0'], ['snb: done, 0/1/0/0']]);
    serve(`${VALET}/V39079/json`, fixture('boc/policy-rate.raw.json').replace('"2.75"', '"2.50"'));
    serve(CUBE, fixture('snb/rates.raw.json').replace('0.212', '0.213'));
    expect([await night(THIRD, boc), await night(THIRD, snb)]).toEqual([['boc: done, 1/2/0/0'], ['snb: done, 1/0/0/0']]);
    expect((await rowsOf('boc')).slice(7)).toEqual(['ca_central_bank_policy_rate_daily 2031-04-25 2.5 2031-05-04']);
    expect((await rowsOf('snb')).slice(5)).toEqual(['ch_swiss_average_rate_overnight 2031-04-25 0.213 2031-05-04']);
  });

  it('may report an unknown series: nothing is read from that, and the known data stay', async () => {
    all();
    await night(FIRST, snb);
    const before = await rowsOf('snb');
    replay.serve(CUBE, () => status(404, {}, fixture('snb/refused.raw.json')));
    expect(await night(SECOND, snb)).toEqual(['snb: failed, 0/0/0/1']);
    expect(await rowsOf('snb')).toEqual(before);
  });
});
