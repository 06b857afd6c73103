// Companies at the edges of their rules: how they are described and classed, what their scores are made of and how they rank (docs/reference/company-methods.md#company-scores).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCORED_FOR_DAYS } from '../../../src/model/company.ts';
import { companiesListQuery } from '../../../src/queries/companies.ts';
import { run } from '../../../src/db/query.ts';
import { cikOf, type Fact, type Filer, first, openFilers } from '../by-hand/filers.ts';
import { type GivenRow, openRelations, type Relations } from '../by-hand/relations.ts';

const YEAR = ['2023-01-01', '2023-12-31'] as const;
const BEFORE = ['2022-01-01', '2022-12-31'] as const;
type Amounts = Readonly<Record<string, number | null>>;
const FLOWS: Amounts = {
  Revenues: 1100,
  GrossProfit: 440,
  NetIncomeLoss: 90,
  EarningsPerShareDiluted: 3,
  OperatingIncomeLoss: 150,
  InterestExpense: 12,
  DepreciationDepletionAndAmortization: 50,
  NetCashProvidedByUsedInOperatingActivities: 130,
  PaymentsToAcquirePropertyPlantAndEquipment: 20,
};
const BALANCES: Amounts = {
  Assets: 2000,
  AssetsCurrent: 600,
  LiabilitiesCurrent: 240,
  StockholdersEquity: 450,
  LongTermDebtNoncurrent: 300,
  DebtCurrent: 20,
  CashAndCashEquivalentsAtCarryingValue: 40,
};
const YEAR_AGO: Amounts = { Revenues: 1000, EarningsPerShareDiluted: 2 };

const closeTo = (want: number): unknown => expect.closeTo(want, 9);

interface Given {
  readonly flows?: Amounts;
  readonly balances?: Amounts;
  readonly yearAgo?: Amounts;
}
const facts = (amounts: Amounts, start: string | null, end: string): Fact[] =>
  Object.entries(amounts).flatMap(([concept, value]): Fact[] => (value === null ? [] : [[concept, start, end, value]]));
const scored = ({ flows, balances, yearAgo }: Given): Filer => ({
  filings: [
    {
      filed: '2024-02-01',
      facts: [
        ...facts({ ...FLOWS, ...flows }, ...YEAR),
        ...facts({ ...YEAR_AGO, ...yearAgo }, ...BEFORE),
        ...facts({ ...BALANCES, ...balances }, null, YEAR[1]),
        ['EntityCommonStockSharesOutstanding', null, '2024-01-25', 100],
        ['CommonStockSharesOutstanding', null, '2023-12-31', 100],
      ],
    },
  ],
  closes: { '2024-03-01': 30 },
});

const BASE = {
  return_on_equity: 90 / 450,
  gross_profitability: 440 / 2000,
  accruals_inverted: 40 / 2000,
  revenue_growth: 0.1,
  eps_growth: 0.5,
  net_debt_to_ebitda_inverted: -280 / 200,
  interest_cover: 12.5,
  current_ratio: 2.5,
};
/** A denominator of nothing gives nothing; one of one gives its numerator. */
const INPUTS: readonly (readonly [string, Given, Partial<Record<keyof typeof BASE, number | null>>])[] = [
  ['as it is', {}, BASE],
  ['equity of nothing', { balances: { StockholdersEquity: 0 } }, { return_on_equity: null }],
  ['equity below nothing', { balances: { StockholdersEquity: -1 } }, { return_on_equity: null }],
  ['equity of one', { balances: { StockholdersEquity: 1 } }, { return_on_equity: 90 }],
  ['a loss', { flows: { NetIncomeLoss: -90 } }, { return_on_equity: -0.2, accruals_inverted: 220 / 2000 }],
  ['assets of nothing', { balances: { Assets: 0 } }, { gross_profitability: null, accruals_inverted: null }],
  ['assets of one', { balances: { Assets: 1 } }, { gross_profitability: 440, accruals_inverted: 40 }],
  ['no gross profit stated', { flows: { GrossProfit: null } }, { gross_profitability: null, accruals_inverted: 0.02 }],
  ['revenue of nothing a year ago', { yearAgo: { Revenues: 0 } }, { revenue_growth: null }],
  ['revenue that fell', { yearAgo: { Revenues: 2200 } }, { revenue_growth: -0.5 }],
  ['earnings a share of nothing a year ago', { yearAgo: { EarningsPerShareDiluted: 0 } }, { eps_growth: null }],
  ['a loss a share a year ago', { yearAgo: { EarningsPerShareDiluted: -1 } }, { eps_growth: null }],
  ['a loss a share now', { flows: { EarningsPerShareDiluted: -3 } }, { eps_growth: -2.5 }],
  [
    'no cash flow before interest',
    { flows: { OperatingIncomeLoss: -50 } },
    { net_debt_to_ebitda_inverted: null, interest_cover: -50 / 12 },
  ],
  ['a cash flow of one before interest', { flows: { OperatingIncomeLoss: -49 } }, { net_debt_to_ebitda_inverted: -280 }],
  ['more cash than debt', { balances: { CashAndCashEquivalentsAtCarryingValue: 420 } }, { net_debt_to_ebitda_inverted: 0.5 }],
  ['no interest', { flows: { InterestExpense: 0 } }, { interest_cover: null }],
  ['nothing due', { balances: { LiabilitiesCurrent: 0 } }, { current_ratio: null }],
  ['one due', { balances: { LiabilitiesCurrent: 1 } }, { current_ratio: 600 }],
];

const at = (day: string) => `${day} 00:00:00+00`;
const described = (cik: number, day: string, more: GivenRow): GivenRow => ({
  cik: cikOf(cik),
  name: `Name ${day}`,
  tickers: [],
  exchanges: [],
  observed_at: at(day),
  retrieved_at: at(day),
  record_hash: day,
  source_id: 'sec',
  ...more,
});
const FIRST_OTHER = INPUTS.length + 1;
const plain = (more: Fact[] = []): Filer => ({
  filings: [
    { filed: '2024-02-01', facts: [['Revenues', '2023-01-01', '2023-12-31', 5], ['StockholdersEquity', null, '2023-12-31', 9], ...more] },
  ],
});
const OTHERS: readonly Filer[] = [
  plain(),
  {
    ...plain([
      ['Assets', null, '2023-12-31', 9],
      ['EntityCommonStockSharesOutstanding', null, '2024-01-25', 100],
    ]),
    // As floats, a hundred times that is 434.99999999999994.
    closes: { '2024-03-01': 4.35 },
  },
  plain([
    ['Assets', null, '2023-12-31', 9],
    ['AssetsCurrent', null, '2023-12-31', 3],
  ]),
  {
    filings: [
      {
        filed: '2024-02-01',
        acceptedAt: null,
        facts: [['NetIncomeLoss', '2023-01-01', '2023-12-31', 5]],
        restated: { retrievedAt: '2026-06-01 00:00:00+00', facts: [['NetIncomeLoss', '2023-01-01', '2023-12-31', 6]] },
      },
    ],
  },
  {
    filings: [
      { filed: '2022-02-01', facts: [['Revenues', '2021-01-01', '2021-12-31', 5, 'EUR']] },
      { filed: '2023-02-01', facts: [['Revenues', '2022-01-01', '2022-12-31', 5, 'EUR']] },
      { filed: '2024-02-01', facts: [['Revenues', '2023-01-01', '2023-12-31', 5]] },
    ],
  },
];

describe('a company', () => {
  let relations: Relations;
  beforeAll(async () => {
    const [one, two] = [FIRST_OTHER, FIRST_OTHER + 1];
    relations = await openFilers([...INPUTS.map(([, given]) => scored(given)), ...OTHERS], [], {
      companies: [
        described(one, '2020-01-01', {
          sic: '3571',
          sic_description: 'Computers',
          tickers: ['AAA', 'AAB'],
          exchanges: ['Nasdaq'],
          lei: 'L1',
          fiscal_year_end: '0630',
          country_code: 'US',
        }),
        described(one, '2021-01-01', { sic: '3571', sic_description: 'Computers' }),
        described(one, '2022-01-01', { sic: '3571', sic_description: 'Other computers' }),
        described(one, '2023-01-01', { sic: '6022', sic_description: 'Banks', exchanges: ['NYSE'] }),
        described(one, '2024-01-01', {}),
        described(two, '2020-01-01', { sic: '5999', sic_description: 'Shops' }),
        described(two, '2021-01-01', { sic: '6000', sic_description: 'Shops' }),
        described(two, '2022-01-01', { sic: '6499', sic_description: 'Shops' }),
        described(two, '2023-01-01', { sic: '6500', sic_description: 'Shops' }),
      ],
    });
    await relations.give('reference.sources', { source_id: 'varchar', is_redistributable: 'boolean' }, [
      { source_id: 'quotes', is_redistributable: false },
    ]);
    await relations.build(
      'filings/listed_filings',
      'filings/stated_filings',
      'filings/filers',
      'valuations/company_valuations',
      'valuations/score_inputs',
      'filings/statement_cells',
      'filings/statement_filings',
      'filings/known_year_ends',
      'filings/fiscal_labels',
      'published/companies/financial_statements',
      'published/companies/companies',
    );
  });
  afterAll(() => relations.close());

  it.each(INPUTS)('is scored by its figures: %s', async (title, _, expected) => {
    const found = await first(
      relations,
      'select * from valuations.score_inputs where cik = $cik',
      INPUTS.findIndex(([one]) => one === title) + 1,
    );
    expect(Object.fromEntries(Object.keys(expected).map((name) => [name, found?.[name]]))).toEqual(
      Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, typeof value === 'number' ? closeTo(value) : null])),
    );
  });

  it('has the newest description, field by field', async () => {
    const found = await first(relations, 'select * from published.companies where cik = $cik', FIRST_OTHER);
    expect(found).toMatchObject({
      name: 'Name 2024-01-01',
      // An empty list of tickers is news.
      ticker: null,
      tickers: [],
      exchange: null,
      lei: 'L1',
      country: 'US',
      fiscal_year_end: '12-31',
      fiscal_year_ends: [
        { fiscal_year_end: '06-30', known_from: at('2020-01-01') },
        { fiscal_year_end: '12-31', known_from: '2024-02-01 21:00:00+00' },
      ],
      reporting_currency: 'USD',
      status: 'unknown',
      known_from: at('2020-01-01'),
    });
    expect(
      await first(relations, 'select status, fiscal_year_end, known_from, name from published.companies where cik = $cik', FIRST_OTHER + 2),
    ).toEqual({ status: 'unknown', fiscal_year_end: '12-31', known_from: '2024-02-01 21:00:00+00', name: `CIK ${cikOf(FIRST_OTHER + 2)}` });
  });

  it('has its newest report from the filing on, whatever a later filing restates', async () => {
    const reports = await relations.ask(
      `select unnest(reports, recursive := true) from published.companies where cik = '${cikOf(FIRST_OTHER + 3)}'`,
    );
    const filed = '2024-02-01 23:59:59.999+00';
    expect(reports).toEqual([
      { period_end: '2023-12-31', filed_at: filed, observed_at: filed },
      { period_end: '2023-12-31', filed_at: filed, observed_at: '2026-06-01 00:00:00+00' },
    ]);
  });

  it('reports in the currency of its newest filing at any time', async () => {
    expect(
      await relations.ask(`select unnest(currencies, recursive := true) from published.companies where cik = '${cikOf(FIRST_OTHER + 4)}'`),
    ).toEqual([
      { currency: 'EUR', known_from: '2022-02-01 21:00:00+00' },
      { currency: 'USD', known_from: '2024-02-01 21:00:00+00' },
    ]);
  });

  it('gets a new class if its industry changes, and is a bank from 6000 to 6499', async () => {
    const classes = (number: number) =>
      relations.ask(
        `select sic, industry, sector, is_financial, known_from, known_to from filings.company_classes where cik = '${cikOf(number)}' order by known_from`,
      );
    expect(
      (await classes(FIRST_OTHER)).map((row) => [row['industry'], row['sector'], row['is_financial'], row['known_from'], row['known_to']]),
    ).toEqual([
      ['Computers', 'Manufacturing', false, at('2020-01-01'), at('2022-01-01')],
      ['Other computers', 'Manufacturing', false, at('2022-01-01'), at('2023-01-01')],
      ['Banks', 'Finance', true, at('2023-01-01'), null],
    ]);
    expect((await classes(FIRST_OTHER + 1)).map((row) => [row['sic'], row['is_financial'], row['sector']])).toEqual([
      ['5999', false, null],
      ['6000', true, 'Finance'],
      ['6499', true, 'Finance'],
      ['6500', false, 'Finance'],
    ]);
  });

  it('is undivided if it does not split its assets into current and other', async () => {
    expect(
      (
        await relations.ask(
          `select is_undivided from valuations.company_fundamentals where cik in ('${cikOf(FIRST_OTHER)}', '${cikOf(FIRST_OTHER + 1)}', '${cikOf(FIRST_OTHER + 2)}') order by cik`,
        )
      ).map((row) => row['is_undivided']),
    ).toEqual([false, true, false]);
  });

  it('has its valuation, with the right to redistribute the price', async () => {
    const [shown] = await relations.ask(
      `select market_cap, price, price_as_of, is_redistributable, book_yield, multiples.price_to_book as pb, multiples.price_to_sales as ps from valuations.company_valuations where cik = '${cikOf(1)}'`,
    );
    expect(shown).toEqual({
      market_cap: 3000,
      price: 30,
      price_as_of: '2024-03-01',
      is_redistributable: true,
      book_yield: 450 / 3000,
      pb: 3000 / 450,
      ps: 3000 / 1100,
    });
    const inCents = await relations.ask(`select market_cap from valuations.company_valuations where cik = '${cikOf(FIRST_OTHER + 1)}'`);
    expect(inCents).toEqual([{ market_cap: 435 }]);
    await relations.run('update series.series set is_redistributable = false');
    await relations.build('valuations/company_valuations', 'published/companies/companies');
    expect(
      await relations.ask('select distinct are_prices_open, unnest(valuations).is_redistributable as is_open from published.companies'),
    ).toEqual([{ are_prices_open: false, is_open: false }]);
  });
});

describe('the scores', () => {
  let relations: Relations;
  const MOMENT = '2024-06-30T12:00:00.000Z';
  const INPUT_NAMES = Object.keys(BASE) as (keyof typeof BASE)[];
  /** Window end, sector, and the inputs that it has. */
  interface Ranked {
    readonly sector?: string | null;
    readonly inputs: Partial<Record<keyof typeof BASE, number>>;
    readonly windowEnd?: string;
    readonly knownAt?: string;
    readonly yields?: readonly [earnings: number | null, cash: number | null, book: number | null];
    readonly isUndivided?: boolean;
    readonly isFinancial?: boolean;
    /** Whether the licence of the price allows to pass it on. */
    readonly isOpen?: boolean;
  }
  const growth = (value: number, sector: string | null, more: Partial<Ranked> = {}): Ranked => ({
    sector,
    inputs: { revenue_growth: value },
    ...more,
  });
  // Five makers of whom two are alike, four sellers; what is too old; what is known later.
  const GIVEN: Readonly<Record<string, Ranked>> = {
    maker1: growth(1, 'Makers'),
    maker2: growth(2, 'Makers'),
    maker3: growth(2, 'Makers'),
    maker4: growth(4, 'Makers'),
    maker5: growth(5, 'Makers', { windowEnd: '2023-05-27' }),
    maker6: growth(6, 'Makers', { windowEnd: '2023-05-26' }),
    maker7: growth(0, 'Makers', { knownAt: '2024-07-01 00:00:00+00' }),
    seller1: growth(3, 'Sellers'),
    seller2: growth(7, 'Sellers'),
    seller3: growth(8, 'Sellers'),
    seller4: growth(9, 'Sellers'),
    nobody: growth(-1, null),
  };
  const WHOLE: Readonly<Record<string, Ranked>> = {
    five: { sector: null, inputs: { return_on_equity: 1, gross_profitability: 1, accruals_inverted: 1, revenue_growth: 1, eps_growth: 1 } },
    six: {
      sector: null,
      inputs: { return_on_equity: 2, gross_profitability: 0, accruals_inverted: 0, revenue_growth: 2, eps_growth: 2, current_ratio: 1 },
    },
    all: { sector: null, inputs: Object.fromEntries(INPUT_NAMES.map((name) => [name, 3])), yields: [0.1, 0.2, 0.3] },
    undivided: { sector: null, inputs: Object.fromEntries(INPUT_NAMES.map((name) => [name, 4])), isUndivided: true },
    bank: { sector: null, inputs: Object.fromEntries(INPUT_NAMES.map((name) => [name, 4])), isFinancial: true },
    maker: { sector: null, inputs: Object.fromEntries(INPUT_NAMES.map((name) => [name, 4])), isUndivided: true, isFinancial: false },
  };
  const ROW = (
    name: string,
    {
      sector = null,
      inputs,
      windowEnd = '2024-03-31',
      knownAt = '2024-05-01 00:00:00+00',
      yields = [null, null, null],
      isUndivided = false,
      isFinancial,
      isOpen = true,
    }: Ranked,
  ) => `
    select '${name}' as company_id, '${name}' as entity_id, '${name}' as cik, '${name}' as name, null::varchar as lei, null::varchar as ticker, null::varchar as exchange, ['T'] as tickers, 'SIC' as classification_scheme,
      []::struct(name varchar, known_from timestamptz)[] as names, []::struct(ticker varchar, place integer, known_from timestamptz, known_to timestamptz)[] as listings,
      []::struct(country varchar, lei varchar, exchange varchar, known_from timestamptz)[] as descriptions, []::struct(status varchar, had_ticker boolean, known_from timestamptz)[] as states,
      'US' as country, [{currency: 'EUR', known_from: timestamptz '2020-01-01'}, {currency: 'USD', known_from: timestamptz '${MOMENT}'}, {currency: 'GBP', known_from: timestamptz '2024-07-01'}] as currencies, [{fiscal_year_end: '12-31', known_from: timestamptz '2020-01-01'}] as fiscal_year_ends, 'active' as status, false as are_prices_open, timestamptz '2020-01-01' as known_from,
      ${sector === null && isFinancial === undefined ? '[]' : `[{sector: ${sector === null ? 'null' : `'${sector}'`}, industry: 'i', sic: '1', is_financial: ${isFinancial ?? false}, known_from: timestamptz '2020-01-01'}]`}::struct(sector varchar, industry varchar, sic varchar, is_financial boolean, known_from timestamptz)[] as classes,
      [{known_at: timestamptz '${knownAt}', window_end: date '${windowEnd}', is_undivided: ${isUndivided}, ${INPUT_NAMES.map((input) => `${input}: ${inputs[input] ?? 'null'}::double`).join(', ')}}] as score_inputs,
      [{known_at: timestamptz '2024-05-02', price_source: 'quotes', is_redistributable: ${isOpen}, price: 1.0, price_as_of: date '2024-05-02', market_cap: 2.0, book_yield: ${yields[2] ?? 'null'}::double, multiples: {earnings_yield: ${yields[0] ?? 'null'}::double, free_cash_flow_yield: ${yields[1] ?? 'null'}::double}}] as valuations,
      [{period_end: date '2024-03-31', filed_at: timestamptz '2024-05-01', observed_at: timestamptz '2024-05-01'}] as reports,
      [{shares: 5.0, shares_as_of: date '2024-03-31', observed_at: timestamptz '2024-05-01'}] as share_counts,
      {earnings_yield: null::double, free_cash_flow_yield: null::double} as no_multiples`;
  async function ranked(
    given: Readonly<Record<string, Ranked>>,
    more: { readonly historyFrom?: string; readonly priceSources?: string[] } = {},
  ) {
    await relations.run(
      `create or replace table published.companies as ${Object.entries(given)
        .map(([name, one]) => ROW(name, one))
        .join(' union all ')}`,
    );
    await relations.give('published.ticker_holders', {
      ticker: 'varchar',
      company_id: 'varchar',
      held_from: 'timestamptz',
      held_to: 'timestamptz',
    });
    await relations.build('macros/companies/ticker_holder', 'macros/companies/scored_companies');
    const found = await run({ checks: 'none', withConnection: (use) => use(relations.connection, new Map()) }, companiesListQuery, {
      sector: null,
      industry: null,
      country: null,
      ticker: null,
      status: null,
      q: null,
      qTicker: null,
      foundIds: null,
      foundPlaces: null,
      asOf: MOMENT,
      at: MOMENT,
      budgetDays: SCORED_FOR_DAYS,
      historyFrom: more.historyFrom ?? null,
      priceSources: more.priceSources ?? [],
      rightsNote: 'withheld',
    });
    return new Map(found.map((row) => [row.cik, row]));
  }
  beforeAll(async () => {
    relations = await openRelations();
    await relations.run('create schema published');
  });
  afterAll(() => relations.close());

  it('rank among five of a sector, else among all; ties get the middle, and statements older than 400 days no rank', async () => {
    const found = await ranked(GIVEN);
    const growths = Object.fromEntries([...found].map(([name, { scores }]) => [name, scores.growth]));
    // All: nobody −1, 1, 2, 2, 3, 4, 5, 7, 8, 9: ten.
    expect(growths).toEqual({
      maker1: 10,
      maker2: 40,
      maker3: 40,
      maker4: 70,
      maker5: 90,
      maker6: null,
      maker7: null,
      seller1: 45,
      seller2: 75,
      seller3: 85,
      seller4: 95,
      nobody: 5,
    });
  });

  it('use licensed prices only if the grant allows redistribution, else they report it', async () => {
    const one: Ranked = { inputs: { revenue_growth: 1 }, yields: [0.05, 0.04, 0.5], isOpen: false };
    const shown = async (priceSources: string[], given = one) => {
      const row = (await ranked({ one: given }, { priceSources })).get('one');
      return [row?.price, row?.marketCap, row?.multiples.earningsYield, row?.scores.value, row?.rightsNote];
    };
    expect(await shown([])).toEqual([null, null, null, null, 'withheld']);
    expect(await shown(['another'])).toEqual([null, null, null, null, 'withheld']);
    expect(await shown(['quotes'])).toEqual([1, 2, 0.05, 50, null]);
    expect(await shown([], { ...one, isOpen: true })).toEqual([1, 2, 0.05, 50, null]);
  });

  it('use prices, reports and share counts from the first visible day on', async () => {
    const given = { one: { inputs: { revenue_growth: 1 }, yields: [0.05, 0.04, 0.5] } } as const;
    const seen = async (historyFrom: string) => {
      const row = (await ranked(given, { historyFrom })).get('one');
      return [row?.price, row?.latestPeriodEnd, row?.sharesAsOf, row?.scores.growth, row?.scores.value];
    };
    expect(await seen('2024-03-31')).toEqual([1, '2024-03-31', '2024-03-31', 50, 50]);
    expect(await seen('2024-04-01')).toEqual([1, null, null, null, null]);
    // Of which nothing lies inside, of that nothing is known.
    expect(await seen('2024-05-03')).toEqual(Array<undefined>(5).fill(undefined));
  });

  it('have a composite from half of the inputs on: the mean of the pillars with a value', async () => {
    const found = await ranked(WHOLE);
    expect(
      ['five', 'six', 'all', 'undivided', 'bank', 'maker'].map((name) => [name, found.get(name)?.scoreCoverage, found.get(name)?.isScored]),
    ).toEqual([
      ['five', 0.4545, false],
      ['six', 0.5455, true],
      ['all', 1, true],
      ['undivided', 0.6364, true],
      ['bank', 0.6364, true],
      ['maker', 0.7273, true],
    ]);
    // Of six: return on equity 25, the others 8.33 each; growth twice 25; liquidity of five 10.
    const six = found.get('six');
    expect(six?.scores).toEqual({ value: null, quality: 13.89, growth: 25, financialHealth: 10, composite: 16.3 });
    expect(found.get('all')?.scores).toMatchObject({
      value: 50,
      composite: expect.closeTo((50 + 41.67 + 41.67 + (25 + 12.5 + 30) / 3) / 4, 1) as unknown,
    });
    expect(found.get('all')?.reportingCurrency).toBe('USD');
    expect(found.get('all')?.scoreAsOf).toBe('2024-05-02T00:00:00.000Z');
  });
});
