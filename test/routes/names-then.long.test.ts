// Names under a cutoff: what countries, contracts and other entities were called then, what they belonged to, and which of them were known at all.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fredMdFile } from '../pipeline.ts';
import { financialFutures } from '../positions/reports.ts';
import type { ListBody } from '../service.ts';
import { type FixtureService, startFixtureService } from './fixture-service.ts';

const NOW = '2026-06-01T08:00:00.000Z';
const report = (day: string) => ({ day, openInterest: 1000, short: 300 });

let service: FixtureService;
beforeAll(async () => {
  const files = {
    // Out on the Friday after: 2024-06-07 and 2024-06-14, 19:30 UTC.
    'cftc/tff_futonly/FinFutYY_2023.txt': financialFutures('AN INDEX - AN EXCHANGE', [report('2023-12-26')]),
    'cftc/tff_futonly/FinFutYY_2024.txt': financialFutures('THE INDEX - ANOTHER EXCHANGE', [report('2024-06-04'), report('2024-06-11')]),
    ...fredMdFile('2024-05', { HOUSTMW: { '2024-03': 200, '2024-04': 210 }, PAYEMS: { '2024-03': 100, '2024-04': 110 } }),
  };
  service = await startFixtureService([{ files, at: '2026-05-01T08:00:00.000Z' }], NOW);
});
afterAll(() => service.stop());

const item = async (path: string) => {
  const response = await service.get(path);
  const body = (await response.json()) as { data?: Record<string, unknown>; error?: { message: string } };
  return { status: response.status, ...body };
};
const ids = ({ data }: ListBody) => data.map((row) => row['entityId']);
const entitiesOf = async (type: string, asOf = '') =>
  ids(await service.list(`/entities?limit=500&entity_type=${type}${asOf === '' ? '' : `&as_of=${asOf}`}`));

describe('a country under as_of', () => {
  // By the dates of the treaties and of the Council's decisions.
  it.each([
    ['HR', '2019-06-30', 'HRK', 'cb_hnb', ['eu']],
    ['HR', '2022-12-31', 'HRK', 'cb_hnb', ['eu']],
    ['HR', '2023-01-01', 'EUR', 'cb_ecb', ['ea', 'eu']],
    ['HR', '2013-06-30', 'HRK', 'cb_hnb', []],
    ['GB', '2015-06-30', 'GBP', 'cb_boe', ['eu', 'g20', 'g7', 'oecd']],
    ['GB', '2020-01-31', 'GBP', 'cb_boe', ['eu', 'g20', 'g7', 'oecd']],
    ['GB', '2020-02-01', 'GBP', 'cb_boe', ['g20', 'g7', 'oecd']],
    ['BG', '2025-12-31', 'BGN', 'cb_bnb', ['eu']],
    ['BG', '2026-01-01', 'EUR', 'cb_ecb', ['ea', 'eu']],
    ['DE', '1998-12-31', 'DEM', 'cb_bundesbank', ['eu', 'g7', 'oecd']],
    ['DE', '1999-12-15', 'EUR', 'cb_ecb', ['ea', 'eu', 'g20', 'g7', 'oecd']],
    ['GR', '2000-12-31', 'GRD', 'cb_bog', ['eu', 'oecd']],
    ['LT', '2014-12-31', 'LTL', 'cb_lietuvosbankas', ['eu']],
    ['LT', '2018-07-05', 'EUR', 'cb_ecb', ['ea', 'eu', 'oecd']],
    ['TR', '2004-12-31', 'TRL', 'cb_tcmb', ['g20', 'oecd']],
    ['TR', '2005-01-01', 'TRY', 'cb_tcmb', ['g20', 'oecd']],
  ])('%s on %s has its currency, central bank and memberships of that day', async (iso2, day, currency, bank, memberOf) => {
    const { data } = await item(`/countries/${iso2}?as_of=${day}`);
    expect([data?.['currency'], data?.['centralBankEntityId'], data?.['memberOf']]).toEqual([currency, bank, memberOf]);
    const { data: listed } = await service.list(`/countries?limit=500&as_of=${day}`);
    expect(listed.find((row) => row['iso2'] === iso2)).toEqual(data);
    const { data: entity } = await item(`/entities/${iso2.toLowerCase()}?as_of=${day}`);
    const { data: resolved } = await item(`/entities/resolve?alias=${iso2}&alias_type=iso2&as_of=${day}`);
    expect(entity?.['currency']).toBe(currency);
    expect(resolved).toMatchObject({ entity: { currency } });
  });

  it('without as_of has its current ones', async () => {
    const { data } = await item('/countries/HR');
    expect([data?.['currency'], data?.['centralBankEntityId'], data?.['memberOf']]).toEqual(['EUR', 'cb_ecb', ['ea', 'eu']]);
  });

  it('has the name of that day, without an official name if none is known', async () => {
    const called = async (asOf: string) => {
      const { data } = await item(`/countries/MK?as_of=${asOf}`);
      return [data?.['name'], data?.['officialName']];
    };
    expect([await called('2019-02-11'), await called('2019-02-12')]).toEqual([
      ['Macedonia', null],
      ['North Macedonia', 'North Macedonia'],
    ]);
  });

  it('is listed from its first day on, and answers not_found before', async () => {
    expect(await entitiesOf('country', '2011-07-08')).not.toContain('ss');
    expect(await entitiesOf('country', '2011-07-09')).toContain('ss');
    const refused = await item('/countries/SS?as_of=2011-07-08');
    expect([refused.status, refused.error?.message]).toEqual([
      404,
      'Nothing was known of SS at 2011-07-08T23:59:59.999Z. Ask for a later as_of.',
    ]);
  });
});

describe('currencies and central banks under as_of', () => {
  it('are listed from their first day on; those that ended later are active', async () => {
    expect(
      [await entitiesOf('currency', '1998-12-31'), await entitiesOf('currency', '1999-01-01')].map((all) => all.includes('cur_eur')),
    ).toEqual([false, true]);
    expect(
      [await entitiesOf('central_bank', '1998-05-31'), await entitiesOf('central_bank', '1998-06-01')].map((all) => all.includes('cb_ecb')),
    ).toEqual([false, true]);
    expect(await entitiesOf('currency_area', '1998-12-31')).toEqual([]);
    const kuna = (await item('/entities/cur_hrk?as_of=2022-12-31')).data;
    expect([kuna?.['status'], kuna?.['successorEntityId'], kuna?.['validTo']]).toEqual(['active', null, null]);
    const ended = (await item('/entities/cur_hrk?as_of=2023-01-01')).data;
    expect([ended?.['status'], ended?.['successorEntityId'], ended?.['validTo']]).toEqual(['inactive', 'cur_eur', '2022-12-31']);
    expect(
      (await service.list('/entities?limit=500&entity_type=currency&status=inactive&as_of=2022-12-31')).data.map((row) => row['entityId']),
    ).not.toContain('cur_hrk');
    expect((await item('/entities/cb_hnb?as_of=2022-12-31')).data?.['currency']).toBe('HRK');
  });
});

describe('a futures contract under as_of', () => {
  const before = '2024-06-07T19:29:59.999Z';
  const after = '2024-06-07T19:30:00.000Z';

  it('has its newest published name of that time', async () => {
    const named = async (asOf: string) => (await item(`/entities/cftc_13874x?as_of=${asOf}`)).data?.['name'];
    expect([await named(before), await named(after)]).toEqual(['AN INDEX - AN EXCHANGE', 'THE INDEX - ANOTHER EXCHANGE']);
    const entities = async (asOf: string) =>
      (await service.list(`/indicators/entities?indicator_id=cot_tff_open_interest&as_of=${asOf}`)).data.map((row) => row['name']);
    expect([await entities(before), await entities(after)]).toEqual([['AN INDEX - AN EXCHANGE'], ['THE INDEX - ANOTHER EXCHANGE']]);
    const screened = async (asOf: string) =>
      (await service.list(`/public/screener?universe=entities&columns=name&eligible_only=false&as_of=${asOf}`)).data.map(
        (row) => row['name'],
      );
    expect(await screened(before)).toContain('AN INDEX - AN EXCHANGE');
    expect(await screened(before)).not.toContain('THE INDEX - ANOTHER EXCHANGE');
    const aliases = async (asOf: string) =>
      (await service.list(`/entities/cftc_13874x/aliases?as_of=${asOf}`)).data
        .filter((row) => row['aliasType'] === 'name')
        .map((row) => [row['alias'], row['validTo'], row['isPrimary']]);
    expect(await aliases(before)).toEqual([['AN INDEX - AN EXCHANGE', null, true]]);
    expect(await aliases(after)).toEqual([
      ['AN INDEX - AN EXCHANGE', '2024-06-03', false],
      ['THE INDEX - ANOTHER EXCHANGE', null, true],
    ]);
  });

  it('is found by a later name, and shows the name of that time', async () => {
    const { data } = await item(`/entities/resolve?alias=THE+INDEX+-+ANOTHER+EXCHANGE&as_of=${before}`);
    expect(data).toMatchObject({ entity: { name: 'AN INDEX - AN EXCHANGE' } });
  });
});

describe('a contract, instrument or region without known data', () => {
  it('is not listed, and answers not_found', async () => {
    // The report of 2023-12-26 came out on 2023-12-29, 20:30 UTC; the file of FRED-MD of May 2024 is known from the end of that month.
    expect(await entitiesOf('futures_contract', '2023-12-29T20:29:59.999Z')).toEqual([]);
    expect(await entitiesOf('futures_contract', '2023-12-29T20:30:00.000Z')).toEqual(['cftc_13874x']);
    expect([await entitiesOf('region', '2024-05-30'), await entitiesOf('region', '2024-05-31')]).toEqual([[], ['us_midwest']]);
    for (const type of ['index', 'commodity', 'instrument', 'company']) expect(await entitiesOf(type, '2025-01-01')).toEqual([]);
    for (const path of ['/entities/cftc_13874x', '/entities/cftc_13874x/aliases'])
      expect((await item(`${path}?as_of=2018-03-18`)).status).toBe(404);
    expect((await item('/entities/resolve?alias=13874X&as_of=2018-03-18')).status).toBe(404);
    expect((await item('/entities/nobody?as_of=2018-03-18')).error?.message).toMatch(/^There is no entity nobody/);
    const rows = await service.list('/entities/cftc_13874x/observations?as_of=2018-03-18');
    expect([rows.data, rows.meta['hints']]).toEqual([[], [expect.objectContaining({ parameter: 'as_of' })]]);
    // A screen over entities knows no region before its first value either.
    const screened = async (day: string) =>
      ids(await service.list(`/public/screener?universe=entities&entity_type=region&columns=name&eligible_only=false&as_of=${day}`));
    expect([await screened('2024-05-30'), await screened('2024-05-31')]).toEqual([[], ['us_midwest']]);
  });
});
