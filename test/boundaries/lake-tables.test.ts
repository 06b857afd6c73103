// The tables that people look for first, as the files have them: positions of traders and the multiples of companies, side by side and typed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Company } from '../../src/model/company.ts';
import { type Fact, openFilers } from './by-hand/filers.ts';
import { openRelations, type Relations } from './by-hand/relations.ts';

describe('the table cot', () => {
  let relations: Relations;
  const said = (net: number, more: Readonly<Record<string, unknown>>) =>
    JSON.stringify({
      net,
      weeklyChange: null,
      percentile1y: null,
      percentile3y: null,
      zScore3y: null,
      windowCount: 3,
      reason: null,
      ...more,
    });

  beforeAll(async () => {
    relations = await openRelations();
    await relations.build('reference/derived_indicators');
    await relations.give('published.series', { series_no: 'bigint', source_id: 'varchar', entity_id: 'varchar', canonical_id: 'varchar' }, [
      { series_no: 1, source_id: 'cftc_legacy', entity_id: 'cftc_067651', canonical_id: 'cot_positioning_percentile' },
      { series_no: 2, source_id: 'cftc_tff', entity_id: 'cftc_13874a', canonical_id: 'cot_tff_percentile' },
      { series_no: 3, source_id: 'cftc_legacy', entity_id: 'cftc_067651', canonical_id: 'cot_open_interest' },
      { series_no: 4, source_id: 'quotes', entity_id: 'company_1', canonical_id: 'price_to_earnings' },
    ]);
    await relations.give(
      'published.entities',
      { entity_id: 'varchar', cftc_contract_code: 'varchar', name: 'varchar', names: 'struct(name varchar, known_from timestamptz)[]' },
      [{ entity_id: 'cftc_067651', cftc_contract_code: '067651', name: 'Crude oil' }],
    );
    await relations.run(`
      update published.entities set names = [
        { name: 'Light crude', known_from: null::timestamptz }, { name: 'Crude oil', known_from: timestamptz '2024-06-20 00:00:00+00' }
      ]`);
    const columns = {
      series_no: 'bigint',
      period: 'varchar',
      period_end: 'date',
      value: 'double',
      value_text: 'varchar',
      metadata: 'varchar',
      observed_at: 'timestamptz',
      known_to: 'timestamptz',
    };
    await relations.give('published.vintages', columns, [
      {
        series_no: 1,
        period: '2024-W23',
        period_end: '2024-06-04',
        value: 90.38,
        value_text: 'crowded_long',
        metadata: said(-120, { weeklyChange: 7, percentile1y: 51.5, percentile3y: 90.38, zScore3y: -1.5, windowCount: 130 }),
        observed_at: '2024-06-07 19:30:00+00',
        known_to: '2024-06-20 00:00:00+00',
      },
      {
        series_no: 1,
        period: '2024-W23',
        period_end: '2024-06-04',
        metadata: said(-121, { reason: 'insufficient_history' }),
        observed_at: '2024-06-20 00:00:00+00',
      },
      {
        series_no: 2,
        period: '2024-W23',
        period_end: '2024-06-04',
        value: 5,
        metadata: said(8, {}),
        observed_at: '2024-06-07 19:30:00+00',
      },
      { series_no: 3, period: '2024-W23', period_end: '2024-06-04', value: 400, observed_at: '2024-06-07 19:30:00+00' },
      { series_no: 4, period: '2024-06-04', period_end: '2024-06-04', value: 15, metadata: '{}', observed_at: '2024-06-07 19:30:00+00' },
    ]);
    await relations.build('published/cot');
  });
  afterAll(() => relations.close());

  it('has each version of each report once, with the values of its metadata', async () => {
    expect(await relations.ask('select * from published.cot')).toEqual([
      {
        series_no: 1,
        entity_id: 'cftc_067651',
        contract_code: '067651',
        contract_name: 'Light crude',
        report: 'legacy',
        source_id: 'cftc_legacy',
        period: '2024-W23',
        report_date: '2024-06-04',
        net: -120,
        weekly_change: 7,
        percentile_1y: 51.5,
        percentile_3y: 90.38,
        z_score_3y: -1.5,
        window_count: 130,
        crowding: 'crowded_long',
        reason: null,
        known_from: '2024-06-07 19:30:00+00',
        known_to: '2024-06-20 00:00:00+00',
      },
      expect.objectContaining({
        contract_name: 'Crude oil',
        net: -121,
        percentile_3y: null,
        crowding: null,
        reason: 'insufficient_history',
        known_to: null,
      }),
      expect.objectContaining({ report: 'tff', entity_id: 'cftc_13874a', contract_code: null, net: 8, percentile_3y: 5 }),
    ]);
  });

  it('has numbers as numbers', async () => {
    expect(
      await relations.ask('select typeof(net) as a, typeof(weekly_change) as b, typeof(z_score_3y) as c from published.cot limit 1'),
    ).toEqual([{ a: 'BIGINT', b: 'BIGINT', c: 'DOUBLE' }]);
  });
});

describe('the table multiples', () => {
  let relations: Relations;
  const YEAR = { start: '2023-01-01', end: '2023-12-31' };
  const facts = (amounts: Readonly<Record<string, number>>): Fact[] =>
    Object.entries(amounts).map(([concept, value]) => [concept, concept === 'StockholdersEquity' ? null : YEAR.start, YEAR.end, value]);

  // A hundred shares at 30, then at 33; between the two closes a filing is accepted that states 250 of sales more.
  beforeAll(async () => {
    const shares: Fact = ['EntityCommonStockSharesOutstanding', null, '2024-01-25', 100];
    relations = await openFilers(
      [
        {
          filings: [
            { filed: '2024-02-01', facts: [...facts({ Revenues: 1000, EarningsPerShareDiluted: -2, StockholdersEquity: 800 }), shares] },
            { filed: '2024-03-02', form: '10-K/A', facts: [...facts({ Revenues: 1250 })] },
          ],
          closes: { '2024-03-01': 30, '2024-03-04': 33 },
          sic: '3571',
        },
        { filings: [{ filed: '2024-02-01', facts: [...facts({ Revenues: 1000 }), shares] }], closes: { '2024-03-01': 30 }, sic: '6022' },
      ],
      [],
      { isRedistributable: false },
    );
    await relations.build('published/companies/multiples');
  });
  afterAll(() => relations.close());

  it('has one row per company, day and valuation, in force until the next of the same day', async () => {
    const rows = await relations.ask(
      'select cik, price_date, price, market_cap, price_to_sales, known_from, known_to, is_redistributable, price_source from published.multiples',
    );
    const [one, two] = ['0000000001', '0000000002'];
    const shared = { price_source: 'quotes', is_redistributable: false };
    const first = { cik: one, price_date: '2024-03-01', price: 30, market_cap: 3000, ...shared };
    expect(rows).toEqual([
      { ...first, price_to_sales: 3, known_from: '2024-03-01 20:00:00+00', known_to: '2024-03-02 21:00:00+00' },
      { ...first, price_to_sales: 2.4, known_from: '2024-03-02 21:00:00+00', known_to: null },
      {
        ...first,
        price_date: '2024-03-04',
        price: 33,
        market_cap: 3300,
        price_to_sales: 2.64,
        known_from: '2024-03-04 20:00:00+00',
        known_to: null,
      },
      { ...first, cik: two, price_to_sales: null, known_from: '2024-03-01 20:00:00+00', known_to: null },
    ]);
  });

  it('gives for each null multiple the reason, and for no other', async () => {
    const names = (
      await relations.ask("select unnest(json_keys(to_json(reason))) as name from published.multiples where cik = '0000000001'")
    ).map(({ name }) => String(name));
    expect(new Set(names)).toEqual(
      new Set(Object.keys(Company.shape.multiples.shape).map((name) => name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`))),
    );
    for (const name of new Set(names)) {
      const wrong = await relations.ask(
        `select cik, ${name}, reason from published.multiples where (${name} is null) != (reason.${name} is not null)`,
      );
      expect([name, wrong]).toEqual([name, []]);
    }
    const said = await relations.ask(
      'select cik, reason.price_to_earnings as pe, reason.ev_to_ebitda as ev, reason.price_to_sales as ps from published.multiples where known_to is null and price = 30 order by cik',
    );
    expect(said).toEqual([
      { cik: '0000000001', pe: 'not_meaningful', ev: 'insufficient_data', ps: null },
      { cik: '0000000002', pe: 'insufficient_data', ev: 'not_applicable', ps: 'not_applicable' },
    ]);
  });
});
