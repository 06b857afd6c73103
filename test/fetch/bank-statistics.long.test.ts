// Nights of central banks and agencies that answer in SDMX or XML: from nothing, without news, with one changed payload, and what is seen in place of an answer.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bankOfIsrael } from '../../src/sources/bank-of-israel/source.ts';
import { bundesbank } from '../../src/sources/bundesbank/source.ts';
import { ecbData } from '../../src/sources/ecb/data.ts';
import { ilo } from '../../src/sources/ilo/source.ts';
import { insee } from '../../src/sources/insee/source.ts';
import { norgesBank } from '../../src/sources/norges-bank/source.ts';
import { oenb } from '../../src/sources/oenb/source.ts';
import { BUNDESBANK_MATURITIES } from '../../src/sources/bundesbank/feed.ts';
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
const FOURTH = '2031-05-05T08:00:00.000Z';
const serve = (place: string, body: string, type = 'text/csv') => replay.serve(place, () => ({ body, headers: { 'content-type': type } }));
const rowsOf = (source: string) =>
  pipeline.lake(
    `select indicator_id, period, value, observed_at::varchar as observed_at from observations where source_id = '${source}' order by change_sequence`,
  );
const told = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
  rows.map((row) => `${row['indicator_id']} ${row['period']} ${row['value']} ${String(row['observed_at']).slice(0, 10)}`).toSorted();
const night = async (at: string, ...sources: Parameters<typeof fetchNight>[2]) => (await fetchNight(pipeline, replay, sources, at)).told;

describe('the ECB, its data', () => {
  const API = 'data-api.ecb.europa.eu/service/data';
  const FM = `${API}/FM/D.U2.EUR.4F.KR.DFR+MLFR+MRR_FR.LEV`;
  const RATES = fixture('ecb_data/key-rates.raw.csv');
  const all = (rates = RATES) => {
    serve(FM, rates);
    serve(`${API}/EST/B.EU000A2X2A25.WT`, fixture('ecb_data/short-term-rate.raw.csv'));
    serve(`${API}/EXR/M..EUR.SP00.A`, fixture('ecb_data/monthly-rates.raw.csv'));
  };

  it('have values known by their publication rules; a changed value counts from the download that shows it', async () => {
    all();
    expect(await night(FIRST, ecbData)).toEqual(['ecb_data: done, 3/0/0/0']);
    expect(told(await rowsOf('ecb_data'))).toEqual([
      'cur_jpy_ecb_reference_rate_monthly 2031-03 155.25 2031-03-31',
      'cur_jpy_ecb_reference_rate_monthly 2031-04 156 2031-04-30',
      'cur_usd_ecb_reference_rate_monthly 2031-03 1.1 2031-03-31',
      'cur_usd_ecb_reference_rate_monthly 2031-04 1.105 2031-04-30',
      'ea_ecb_deposit_facility_rate 2031-04-26 2 2031-04-26',
      'ea_ecb_deposit_facility_rate 2031-04-27 2.25 2031-04-27',
      'ea_ecb_main_refinancing_rate 2031-04-27 2.4 2031-04-27',
      'ea_ecb_marginal_lending_rate 2031-04-27 2.65 2031-04-27',
      'ea_euro_short_term_rate 2031-04-29 1.931 2031-04-30',
      'ea_euro_short_term_rate 2031-04-30 -0.551 2031-05-02',
    ]);
    expect(await night(SECOND, ecbData)).toEqual(['ecb_data: done, 0/3/0/0']);
    all(RATES.replace('2031-04-26,2,', '2031-04-26,2.1,'));
    expect(await night(THIRD, ecbData)).toEqual(['ecb_data: done, 1/2/0/0']);
    expect(told((await rowsOf('ecb_data')).slice(10))).toEqual(['ea_ecb_deposit_facility_rate 2031-04-26 2.1 2031-05-04']);
  });

  it('are asked for again the next day if a known key got 404, and the known data stay', async () => {
    all();
    await night(FIRST, ecbData);
    const before = await rowsOf('ecb_data');
    replay.serve(FM, () => status(404));
    expect(await night(SECOND, ecbData)).toEqual(['ecb_data: failed, 0/2/0/1']);
    expect(await rowsOf('ecb_data')).toEqual(before);
    all();
    expect(await night(THIRD, ecbData)).toEqual(['ecb_data: done, 0/3/0/0']);
    expect(await rowsOf('ecb_data')).toEqual(before);
    expect(await pipeline.lake(`select distinct status from attempts where source_id = 'ecb_data' order by 1`)).toEqual([
      { status: 'failed' },
      { status: 'ok' },
    ]);
  });

  it('are not a page with status 200', async () => {
    all();
    await night(FIRST, ecbData);
    const before = await rowsOf('ecb_data');
    replay.serve(FM, () => page200('Service unavailable'));
    expect(await night(SECOND, ecbData)).toEqual(['ecb_data: failed, 0/2/0/1']);
    expect(await rowsOf('ecb_data')).toEqual(before);
  });
});

describe('the Bundesbank', () => {
  const PLACE = 'api.statistiken.bundesbank.de/rest/data/BBSIS/D.I.ZAR.ZI.EUR.S1311.B.A604';
  const TEN_YEARS = fixture('bundesbank/ten-years.raw.xml');
  const all = (prepared: string, change = (text: string) => text) => {
    for (const maturity of BUNDESBANK_MATURITIES) {
      const body = TEN_YEARS.replaceAll('R10XX', maturity).replaceAll('2031-05-02T09:59:07', prepared);
      serve(`${PLACE}.${maturity}.R.A.A._Z._Z.A`, maturity === 'R10XX' ? change(body) : body, 'application/xml');
    }
  };

  it('sent the same answer if only the time of the answer has changed', async () => {
    all('2031-05-02T09:59:07');
    expect(await night(FIRST, bundesbank)).toEqual(['bundesbank: done, 4/0/0/0']);
    expect(replay.asked.map(({ headers }) => headers['accept'])).toEqual(
      Array.from({ length: 4 }, () => 'application/vnd.sdmx.genericdata+xml;version=2.1'),
    );
    const before = await rowsOf('bundesbank');
    // Three days of trading; the fourth is none.
    expect(told(before).filter((line) => line.includes('_10y'))).toEqual([
      'de_government_yield_curve_10y 2031-04-28 2.47 2031-04-29',
      'de_government_yield_curve_10y 2031-04-29 -0.03 2031-04-30',
      'de_government_yield_curve_10y 2031-04-30 2.51 2031-05-02',
    ]);
    expect(before.length).toBe(12);
    all('2031-05-03T09:59:07');
    expect(await night(SECOND, bundesbank)).toEqual(['bundesbank: done, 0/4/0/0']);
    all('2031-05-04T09:59:07', (text) => text.replace('"-0.03"', '"0.01"'));
    expect(await night(THIRD, bundesbank)).toEqual(['bundesbank: done, 1/3/0/0']);
    expect(told((await rowsOf('bundesbank')).slice(12))).toEqual(['de_government_yield_curve_10y 2031-04-29 0.01 2031-05-04']);
  });
});

describe('Norges Bank', () => {
  const [IR, EXR] = ['IR/B.KPRA.SD.R', 'EXR/B.EUR+USD.NOK.SP'].map((key) => `data.norges-bank.no/api/data/${key}`) as [string, string];
  const RATE = fixture('norges_bank/policy-rate.raw.csv');

  it('has a policy rate only for business days, daily and for the end of each month', async () => {
    serve(IR, RATE);
    serve(EXR, fixture('norges_bank/krone.raw.csv'));
    expect(await night(FIRST, norgesBank)).toEqual(['norges_bank: done, 2/0/0/0']);
    expect(told(await rowsOf('norges_bank'))).toEqual([
      'cur_nok_central_bank_exchange_rate_eur 2031-04-29 11.5 2031-04-29',
      'cur_nok_central_bank_exchange_rate_eur 2031-04-30 11.6125 2031-04-30',
      'cur_nok_central_bank_exchange_rate_usd 2031-04-29 10.0001 2031-04-29',
      'no_central_bank_policy_rate_daily 2031-04-25 4.25 2031-04-25',
      'no_central_bank_policy_rate_daily 2031-04-28 4.25 2031-04-28',
      'no_central_bank_policy_rate_daily 2031-04-29 4 2031-04-29',
    ]);
    expect(await night(SECOND, norgesBank)).toEqual(['norges_bank: done, 0/2/0/0']);
    serve(IR, RATE.replace('2031-04-29;4;', '2031-04-29;3.75;'));
    replay.serve(EXR, () => status(404));
    expect(await night(THIRD, norgesBank)).toEqual(['norges_bank: failed, 1/0/0/1']);
    expect(told((await rowsOf('norges_bank')).slice(6))).toEqual(['no_central_bank_policy_rate_daily 2031-04-29 3.75 2031-05-04']);
  });
});

describe('the Bank of Israel', () => {
  const API = 'edge.boi.gov.il/FusionEdgeServer/sdmx/v2/data/dataflow/BOI.STATISTICS';
  const RATE = fixture('bank_of_israel/policy-rate.raw.csv');
  const all = (rate = RATE) => {
    serve(`${API}/BR/1.0/MNT_RIB_BOI_D.D.RIB_BOI`, rate);
    for (const currency of ['EUR', 'GBP', 'USD'])
      serve(
        `${API}/EXR/1.0/RER_${currency}_ILS.D.${currency}.ILS.ILS.OF00`,
        fixture('bank_of_israel/dollar.raw.csv').replaceAll('USD', currency),
      );
  };

  it('adds exactly the differences of a changed payload', async () => {
    all();
    expect(await night(FIRST, bankOfIsrael)).toEqual(['bank_of_israel: done, 4/0/0/0']);
    const before = await rowsOf('bank_of_israel');
    expect(told(before).filter((line) => !/_(gbp|usd) /.test(line))).toEqual([
      'cur_ils_central_bank_exchange_rate_eur 2031-04-28 3.1 2031-04-28',
      'cur_ils_central_bank_exchange_rate_eur 2031-04-29 3.0875 2031-04-29',
      'il_central_bank_policy_rate_daily 2031-04-26 3.75 2031-04-26',
      'il_central_bank_policy_rate_daily 2031-04-27 3.75 2031-04-27',
      'il_central_bank_policy_rate_daily 2031-04-28 3.5 2031-04-28',
    ]);
    expect(before.length).toBe(9);
    expect(await night(SECOND, bankOfIsrael)).toEqual(['bank_of_israel: done, 0/4/0/0']);
    all(`${RATE}MNT_RIB_BOI_D,D,RIB_BOI,BOI,V,F,Y,PT,0,2031-04-30,3.25,YP\n`);
    expect(await night(THIRD, bankOfIsrael)).toEqual(['bank_of_israel: done, 1/3/0/0']);
    expect(told((await rowsOf('bank_of_israel')).slice(9))).toEqual(['il_central_bank_policy_rate_daily 2031-04-30 3.25 2031-04-30']);
  });
});

describe('the Oesterreichische Nationalbank', () => {
  it('adds exactly the differences of a changed payload', async () => {
    const place = 'www.oenb.at/isadataservice/data';
    const text = fixture('oenb/loans.raw.xml');
    serve(place, text, 'text/xml');
    expect(await night(FIRST, oenb)).toEqual(['oenb: done, 1/0/0/0']);
    expect(told(await rowsOf('oenb'))).toEqual([
      'at_central_bank_loans 2030-12 6000.5 2031-05-02',
      'at_central_bank_loans 2031-01 5999 2031-05-02',
    ]);
    expect(await night(SECOND, oenb)).toEqual(['oenb: done, 0/1/0/0']);
    serve(place, text.replace('value="5999.00000"', 'value="5998.00000"'), 'text/xml');
    expect(await night(THIRD, oenb)).toEqual(['oenb: done, 1/0/0/0']);
    expect(told((await rowsOf('oenb')).slice(2))).toEqual(['at_central_bank_loans 2031-01 5998 2031-05-04']);
  });
});

describe('Insee', () => {
  const PLACE = 'www.bdm.insee.fr/series/sdmx/data/SERIES_BDM/010768261+010768307';
  const TEXT = fixture('insee/industry.raw.xml');

  it('has values known from the end of the day of their update', async () => {
    serve(PLACE, TEXT, 'application/xml');
    expect(await night(FIRST, insee)).toEqual(['insee: done, 1/0/0/0']);
    expect(told(await rowsOf('insee'))).toEqual([
      'fr_industrial_production_swda 2031-01 98.5 2031-04-10',
      'fr_industrial_production_swda 2031-02 99.31 2031-04-10',
      'fr_manufacturing_production 2031-01 98.5 2031-04-10',
      'fr_manufacturing_production 2031-02 99.31 2031-04-10',
    ]);
    serve(PLACE, TEXT.replace('2031-05-02T09:00:00', '2031-05-03T09:00:00'), 'application/xml');
    expect(await night(SECOND, insee)).toEqual(['insee: done, 0/1/0/0']);
    serve(PLACE, TEXT.replaceAll('LAST_UPDATE="2031-04-10"', 'LAST_UPDATE="2031-05-03"').replace('"99.31"', '"99.4"'), 'application/xml');
    expect(await night(THIRD, insee)).toEqual(['insee: done, 1/0/0/0']);
    expect(told((await rowsOf('insee')).slice(4))).toEqual(['fr_industrial_production_swda 2031-02 99.4 2031-05-03']);
  });

  it('sent no answer if status 200 comes with an error message', async () => {
    serve(PLACE, TEXT, 'application/xml');
    await night(FIRST, insee);
    const before = await rowsOf('insee');
    serve(PLACE, fixture('insee/none-found.raw.xml'), 'application/xml');
    expect(await night(SECOND, insee)).toEqual(['insee: failed, 0/0/0/1']);
    expect(await rowsOf('insee')).toEqual(before);
  });
});

describe('the ILO', () => {
  const PLACE = 'rplumber.ilo.org/data/indicator/';
  const TEXT = fixture('ilo/several-surveys.raw.csv');

  it('has for each country its longest running survey; if another replaces it, the earlier one stops', async () => {
    serve(
      PLACE,
      TEXT.split('\n')
        .filter((line) => !line.includes('BB:2'))
        .join('\n'),
    );
    expect(await night(FIRST, ilo)).toEqual(['ilo: done, 1/0/0/0']);
    expect(told(await rowsOf('ilo')).filter((line) => line.startsWith('pe_'))).toEqual([
      'pe_unemployment_rate_nsa 2030-11 7 2031-05-02',
      'pe_unemployment_rate_nsa 2030-12 6.5 2031-05-02',
    ]);
    const before = await rowsOf('ilo');
    expect(await night(SECOND, ilo)).toEqual(['ilo: not due, 0/0/0/0']);
    expect(await night(FOURTH, ilo)).toEqual(['ilo: done, 0/1/0/0']);
    serve(PLACE, TEXT);
    expect(await night('2031-05-08T08:00:00.000Z', ilo)).toEqual(['ilo: done, 1/0/0/0']);
    expect(told((await rowsOf('ilo')).slice(before.length))).toEqual([
      'pe_unemployment_rate_nsa 2030-11 null 2031-05-08',
      'pe_unemployment_rate_nsa 2030-12 6.1 2031-05-08',
      'pe_unemployment_rate_nsa 2031-01 6 2031-05-08',
    ]);
  });
});
