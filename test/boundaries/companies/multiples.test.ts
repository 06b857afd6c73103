// The multiples at the edges of their rules (docs/reference/company-methods.md#company-facts): one company for each way in which its figures may be stated, each
// expected by hand.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fact, type Filer, type Filing, openFilers } from '../by-hand/filers.ts';
import type { Found, Relations } from '../by-hand/relations.ts';

type Amounts = Readonly<Record<string, number | null>>;

/** A hundred shares close at 30; each amount is another, so that none can stand for another. */
const FLOWS: Amounts = {
  Revenues: 1000,
  NetIncomeLoss: 110,
  EarningsPerShareDiluted: 2,
  OperatingIncomeLoss: 160,
  DepreciationDepletionAndAmortization: 40,
  NetCashProvidedByUsedInOperatingActivities: 150,
  PaymentsToAcquirePropertyPlantAndEquipment: 50,
  PaymentsOfDividendsCommonStock: 30,
};
const BALANCES: Amounts = {
  StockholdersEquity: 800,
  LongTermDebtNoncurrent: 300,
  DebtCurrent: 100,
  CashAndCashEquivalentsAtCarryingValue: 150,
};
const YEAR_AGO: Amounts = { EarningsPerShareDiluted: 1.6 };
const DAY = '2024-03-01';
const MC = 3000;
/** 3000 + 300 + 100 − 150. */
const EV = 3250;

interface Case {
  readonly flows?: Amounts;
  readonly balances?: Amounts;
  readonly yearAgo?: Amounts;
  readonly filing?: Partial<Filing>;
  readonly facts?: readonly Fact[];
  readonly cover?: number | null;
  readonly close?: number;
  readonly day?: string;
  readonly sic?: string;
  /** Multiple → value, or why there is none. */
  readonly expected: Readonly<Record<string, number | string>>;
}

const amounts = (base: Amounts, changes: Amounts | undefined, start: string | null, end: string): Fact[] =>
  Object.entries({ ...base, ...changes }).flatMap(([concept, value]): Fact[] => (value === null ? [] : [[concept, start, end, value]]));

function filerOf({ flows, balances, yearAgo, filing, facts = [], cover = 100, close = 30, day = DAY, sic = '3571' }: Case): Filer {
  const all: Fact[] = [
    ...amounts(YEAR_AGO, yearAgo, '2022-01-01', '2022-12-31'),
    ...amounts(FLOWS, flows, '2023-01-01', '2023-12-31'),
    ...amounts(BALANCES, balances, null, '2023-12-31'),
    ...(cover === null ? [] : [['EntityCommonStockSharesOutstanding', null, '2024-01-25', cover] satisfies Fact]),
    // The balance sheet says the same of the shares unless the case says otherwise.
    ...(cover === null || facts.some(([concept]) => concept === 'CommonStockSharesOutstanding')
      ? []
      : [['CommonStockSharesOutstanding', null, '2023-12-31', cover] satisfies Fact]),
    ...facts,
  ];
  return { filings: [{ filed: '2024-02-01', ...filing, facts: all }], closes: { [day]: close }, sic };
}

const EV_MULTIPLES = ['ev_to_ebitda', 'ev_to_ebit', 'ev_to_sales', 'ev_to_free_cash_flow'];
const everyEv = (said: string) => Object.fromEntries(EV_MULTIPLES.map((slug) => [slug, said]));
/** What enterprise value over the sales of 1000 says of it. */
const ev = (value: number) => ({ ev_to_sales: value / 1000 });
const NOT = 'not_meaningful';
const LACK = 'insufficient_data';
const BASE = {
  price_to_earnings: 30 / 2,
  price_to_book: MC / 800,
  price_to_sales: MC / 1000,
  price_to_free_cash_flow: MC / 100,
  price_to_operating_cash_flow: MC / 150,
  ev_to_ebitda: EV / 200,
  ev_to_ebit: EV / 160,
  ev_to_sales: EV / 1000,
  ev_to_free_cash_flow: EV / 100,
  earnings_yield: 2 / 30,
  free_cash_flow_yield: 100 / MC,
  dividend_yield: 30 / MC,
  peg: 15 / 25,
};
const none = (said: string) => Object.fromEntries(Object.keys(BASE).map((slug) => [slug, said]));
const without = (...slugs: string[]) => Object.fromEntries(Object.entries(BASE).filter(([slug]) => !slugs.includes(slug)));
const SPARED = ['price_to_sales', 'price_to_free_cash_flow', 'price_to_operating_cash_flow', ...EV_MULTIPLES, 'free_cash_flow_yield'];

const REVENUES = [
  'RevenueFromContractWithCustomerExcludingAssessedTax',
  'Revenues',
  'RevenueFromContractWithCustomerIncludingAssessedTax',
  'SalesRevenueNet',
  'SalesRevenueGoodsNet',
];
const PRETAX = 'IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest';
const PRETAX_OTHER = 'IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments';
const NO_EPS = { flows: { EarningsPerShareDiluted: null }, yearAgo: { EarningsPerShareDiluted: null } };
const earnings = (flows: Amounts, total: number): Case => ({
  flows: { ...NO_EPS.flows, NetIncomeLoss: null, ...flows },
  yearAgo: NO_EPS.yearAgo,
  expected: { price_to_earnings: MC / total, earnings_yield: total / MC, peg: LACK },
});
const debt = (balances: Amounts, total: number): Case => ({
  balances: { LongTermDebtNoncurrent: null, DebtCurrent: null, ...balances },
  expected: ev(2850 + total),
});

const CASES: Readonly<Record<string, Case>> = {
  'as it is': { expected: BASE },

  // Enterprise value: each part with its sign, once.
  'preferred stock is debt to the common holder': {
    balances: { PreferredStockValue: 70 },
    expected: { ...ev(EV + 70), price_to_book: MC / 730 },
  },
  'the share of others in enterprise value': { balances: { MinorityInterest: 60 }, expected: { ...ev(EV + 60), price_to_book: MC / 800 } },
  'investments count as cash': { balances: { ShortTermInvestments: 20 }, expected: ev(EV - 20) },
  'marketable securities where no investments are stated': { balances: { MarketableSecuritiesCurrent: 21 }, expected: ev(EV - 21) },
  'debt securities where neither is': { balances: { AvailableForSaleSecuritiesDebtSecuritiesCurrent: 22 }, expected: ev(EV - 22) },
  'short-term investments before their synonyms': {
    balances: { ShortTermInvestments: 20, MarketableSecuritiesCurrent: 21, AvailableForSaleSecuritiesDebtSecuritiesCurrent: 22 },
    expected: ev(EV - 20),
  },
  'marketable securities before debt securities': {
    balances: { MarketableSecuritiesCurrent: 21, AvailableForSaleSecuritiesDebtSecuritiesCurrent: 22 },
    expected: ev(EV - 21),
  },
  'finance leases, current and not': {
    balances: { FinanceLeaseLiabilityNoncurrent: 11, FinanceLeaseLiabilityCurrent: 7 },
    expected: ev(EV + 18),
  },
  'one finance lease': { balances: { FinanceLeaseLiabilityCurrent: 7 }, expected: ev(EV + 7) },
  'operating leases are no debt': { balances: { OperatingLeaseLiabilityNoncurrent: 500 }, expected: ev(EV) },
  'debt due in its parts': debt({ LongTermDebtNoncurrent: 300, LongTermDebtCurrent: 40, ShortTermBorrowings: 25 }, 365),
  'debt due in its parts, of which paper is one': debt({ LongTermDebtNoncurrent: 300, LongTermDebtCurrent: 40, CommercialPaper: 9 }, 349),
  'borrowings before paper': debt({ LongTermDebtNoncurrent: 300, ShortTermBorrowings: 25, CommercialPaper: 9 }, 325),
  'all debt due before its parts': debt(
    { LongTermDebtNoncurrent: 300, DebtCurrent: 100, LongTermDebtCurrent: 40, ShortTermBorrowings: 25 },
    400,
  ),
  'long-term debt alone': debt({ LongTermDebtNoncurrent: 300 }, 300),
  'long-term debt with its current part': debt(
    {
      LongTermDebt: 500,
      LongTermDebtCurrent: 40,
      DebtCurrent: 60,
      ShortTermBorrowings: 25,
      CommercialPaper: 9,
      FinanceLeaseLiabilityNoncurrent: 11,
    },
    536,
  ),
  'noncurrent debt before long-term debt': debt({ LongTermDebtNoncurrent: 300, LongTermDebt: 500, DebtCurrent: 100 }, 400),
  'debt and leases in one': debt(
    { LongTermDebtAndCapitalLeaseObligations: 320, DebtCurrent: 60, FinanceLeaseLiabilityNoncurrent: 11 },
    380,
  ),
  'long-term debt before debt and leases in one': debt({ LongTermDebt: 500, LongTermDebtAndCapitalLeaseObligations: 320 }, 500),
  'no debt stated': { ...debt({ DebtCurrent: 60 }, 0), expected: { ...everyEv(LACK), price_to_book: MC / 800, price_to_sales: 3 } },
  'no cash stated': { balances: { CashAndCashEquivalentsAtCarryingValue: null }, expected: { ...everyEv(LACK), price_to_book: MC / 800 } },
  'an enterprise value of nothing': {
    balances: { CashAndCashEquivalentsAtCarryingValue: 3400 },
    expected: { ...everyEv(NOT), price_to_sales: 3 },
  },
  'an enterprise value below nothing': { balances: { CashAndCashEquivalentsAtCarryingValue: 3401 }, expected: everyEv(NOT) },
  'an enterprise value of one': {
    balances: { CashAndCashEquivalentsAtCarryingValue: 3399 },
    expected: { ev_to_ebitda: 1 / 200, ev_to_ebit: 1 / 160, ev_to_sales: 0.001, ev_to_free_cash_flow: 0.01 },
  },

  // Equity.
  'equity stated with the share of others alone': {
    balances: {
      StockholdersEquity: null,
      StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest: 900,
      MinorityInterest: 60,
      PreferredStockValue: 40,
    },
    expected: { price_to_book: MC / 800 },
  },
  'equity of the holders before that with others': {
    balances: { StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest: 900, MinorityInterest: 60 },
    expected: { price_to_book: MC / 800 },
  },
  'equity without any others': {
    balances: { StockholdersEquity: null, StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest: 900 },
    expected: { price_to_book: MC / 900 },
  },
  'preferred stock of the annual report a hundred days ago': {
    facts: [['PreferredStockValue', null, '2023-09-22', 70]],
    expected: { price_to_book: MC / 730 },
  },
  'preferred stock of a hundred and one days ago': {
    facts: [['PreferredStockValue', null, '2023-09-21', 70]],
    expected: { price_to_book: MC / 800 },
  },
  'the share of others of the day before the balance': { facts: [['MinorityInterest', null, '2023-12-30', 60]], expected: ev(EV) },
  'cash of the day after the balance': {
    balances: { CashAndCashEquivalentsAtCarryingValue: null },
    facts: [['CashAndCashEquivalentsAtCarryingValue', null, '2024-01-01', 150]],
    expected: everyEv(LACK),
  },

  // Earnings without earnings a share.
  'earnings available to common holders': earnings(
    {
      NetIncomeLossAvailableToCommonStockholdersBasic: 90,
      NetIncomeLoss: 110,
      PreferredStockDividendsIncomeStatementImpact: 10,
      ProfitLoss: 125,
    },
    90,
  ),
  'net income less preferred dividends': earnings(
    { NetIncomeLoss: 110, PreferredStockDividendsIncomeStatementImpact: 10, ProfitLoss: 125 },
    100,
  ),
  'net income less preferred dividends and other adjustments': earnings(
    { NetIncomeLoss: 110, PreferredStockDividendsAndOtherAdjustments: 12 },
    98,
  ),
  'the first of the preferred dividends': earnings(
    { NetIncomeLoss: 110, PreferredStockDividendsIncomeStatementImpact: 10, PreferredStockDividendsAndOtherAdjustments: 12 },
    100,
  ),
  'net income, none preferred': earnings({ NetIncomeLoss: 110, NetIncomeLossAttributableToNoncontrollingInterest: 5 }, 110),
  'profit less the share of others': earnings({ ProfitLoss: 125, NetIncomeLossAttributableToNoncontrollingInterest: 5 }, 120),
  'profit without others': earnings({ ProfitLoss: 125 }, 125),
  'no earnings at all': { ...earnings({}, 1), expected: { price_to_earnings: LACK, earnings_yield: LACK, peg: LACK } },
  'earnings a share of basic and diluted in one': {
    flows: { EarningsPerShareDiluted: null, EarningsPerShareBasicAndDiluted: 3 },
    expected: { price_to_earnings: 10, earnings_yield: 0.1 },
  },
  'diluted earnings before basic and diluted in one': {
    flows: { EarningsPerShareBasicAndDiluted: 3 },
    expected: { price_to_earnings: 15 },
  },
  'basic earnings a share are none': {
    flows: { EarningsPerShareDiluted: null, EarningsPerShareBasic: 3 },
    yearAgo: { EarningsPerShareDiluted: null },
    expected: { price_to_earnings: MC / 110 },
  },

  // Operating profit, cash flow, dividends.
  'pre-tax income with interest': {
    flows: { OperatingIncomeLoss: null, [PRETAX]: 120, InterestExpense: 20 },
    expected: { ev_to_ebit: EV / 140, ev_to_ebitda: EV / 180 },
  },
  'another pre-tax income, another interest': {
    flows: { OperatingIncomeLoss: null, [PRETAX_OTHER]: 122, InterestExpenseNonoperating: 18 },
    expected: { ev_to_ebit: EV / 140 },
  },
  'the first pre-tax income, the first interest': {
    flows: {
      OperatingIncomeLoss: null,
      [PRETAX]: 120,
      [PRETAX_OTHER]: 122,
      InterestExpense: 20,
      InterestExpenseNonoperating: 18,
      InterestExpenseDebt: 17,
    },
    expected: { ev_to_ebit: EV / 140 },
  },
  'the second interest before the third': {
    flows: { OperatingIncomeLoss: null, [PRETAX]: 120, InterestExpenseNonoperating: 18, InterestExpenseDebt: 17 },
    expected: { ev_to_ebit: EV / 138 },
  },
  'interest on debt': { flows: { OperatingIncomeLoss: null, [PRETAX]: 120, InterestExpenseDebt: 17 }, expected: { ev_to_ebit: EV / 137 } },
  'pre-tax income without interest': {
    flows: { OperatingIncomeLoss: null, [PRETAX]: 120 },
    expected: { ev_to_ebit: LACK, ev_to_ebitda: LACK, ev_to_sales: 3.25 },
  },
  'operating income before pre-tax income': { flows: { [PRETAX]: 120, InterestExpense: 20 }, expected: { ev_to_ebit: EV / 160 } },
  'depreciation in the second of its names': {
    flows: { DepreciationDepletionAndAmortization: null, DepreciationAmortizationAndAccretionNet: 41, DepreciationAndAmortization: 42 },
    expected: { ev_to_ebitda: EV / 201 },
  },
  'depreciation in the third of its names': {
    flows: { DepreciationDepletionAndAmortization: null, DepreciationAndAmortization: 42 },
    expected: { ev_to_ebitda: EV / 202 },
  },
  'depreciation in the first of its names': {
    flows: {
      DepreciationAmortizationAndAccretionNet: 41,
      DepreciationAndAmortization: 42,
      Depreciation: 30,
      AmortizationOfIntangibleAssets: 6,
    },
    expected: { ev_to_ebitda: EV / 200 },
  },
  'depreciation and amortisation by themselves': {
    flows: { DepreciationDepletionAndAmortization: null, Depreciation: 30, AmortizationOfIntangibleAssets: 6 },
    expected: { ev_to_ebitda: EV / 196 },
  },
  'depreciation without amortisation': {
    flows: { DepreciationDepletionAndAmortization: null, Depreciation: 30 },
    expected: { ev_to_ebitda: LACK, ev_to_ebit: EV / 160 },
  },
  'no depreciation': { flows: { DepreciationDepletionAndAmortization: null }, expected: { ev_to_ebitda: LACK } },
  'cash flow of continuing operations': {
    flows: { NetCashProvidedByUsedInOperatingActivities: null, NetCashProvidedByUsedInOperatingActivitiesContinuingOperations: 140 },
    expected: { price_to_operating_cash_flow: MC / 140, price_to_free_cash_flow: MC / 90 },
  },
  'cash flow of all operations before that': {
    flows: { NetCashProvidedByUsedInOperatingActivitiesContinuingOperations: 140 },
    expected: { price_to_operating_cash_flow: MC / 150 },
  },
  'productive assets': {
    flows: { PaymentsToAcquirePropertyPlantAndEquipment: null, PaymentsToAcquireProductiveAssets: 55 },
    expected: { price_to_free_cash_flow: MC / 95 },
  },
  'property before productive assets': {
    flows: { PaymentsToAcquireProductiveAssets: 55 },
    expected: { price_to_free_cash_flow: MC / 100 },
  },
  'no capital expenditure stated': {
    flows: { PaymentsToAcquirePropertyPlantAndEquipment: null },
    expected: {
      price_to_free_cash_flow: LACK,
      ev_to_free_cash_flow: LACK,
      free_cash_flow_yield: LACK,
      price_to_operating_cash_flow: MC / 150,
    },
  },
  'dividends less the preferred': {
    flows: { PaymentsOfDividendsCommonStock: null, PaymentsOfDividends: 36, PaymentsOfDividendsPreferredStockAndPreferenceStock: 9 },
    expected: { dividend_yield: 27 / MC },
  },
  'dividends, none preferred': {
    flows: { PaymentsOfDividendsCommonStock: null, PaymentsOfDividends: 36 },
    expected: { dividend_yield: 36 / MC },
  },
  'common dividends before all': {
    flows: { PaymentsOfDividends: 36, PaymentsOfDividendsPreferredStockAndPreferenceStock: 9 },
    expected: { dividend_yield: 30 / MC },
  },
  'no dividends stated': { flows: { PaymentsOfDividendsCommonStock: null }, expected: { dividend_yield: LACK } },
  'no dividends paid': { flows: { PaymentsOfDividendsCommonStock: 0 }, expected: { dividend_yield: 0 } },
  ...Object.fromEntries(
    REVENUES.map((concept) => [`revenue as ${concept}`, { flows: { Revenues: null, [concept]: 500 }, expected: { price_to_sales: 6 } }]),
  ),
  'the largest of the revenues, which is the total': {
    flows: { RevenueFromContractWithCustomerExcludingAssessedTax: 700, SalesRevenueGoodsNet: 1200 },
    expected: { price_to_sales: 2.5 },
  },

  // Denominators.
  ...Object.fromEntries(
    (
      [
        [
          'EarningsPerShareDiluted',
          'flows',
          0.5,
          { price_to_earnings: 60, earnings_yield: 0.5 / 30 },
          { price_to_earnings: NOT, earnings_yield: 0, peg: NOT },
          { price_to_earnings: NOT, earnings_yield: -0.5 / 30, peg: NOT },
        ],
        ['StockholdersEquity', 'balances', 1, { price_to_book: MC }, { price_to_book: NOT }, { price_to_book: NOT }],
        [
          'Revenues',
          'flows',
          1,
          { price_to_sales: MC, ev_to_sales: EV },
          { price_to_sales: NOT, ev_to_sales: NOT },
          { price_to_sales: NOT, ev_to_sales: NOT },
        ],
        [
          'OperatingIncomeLoss',
          'flows',
          1,
          { ev_to_ebit: EV, ev_to_ebitda: EV / 41 },
          { ev_to_ebit: NOT, ev_to_ebitda: EV / 40 },
          { ev_to_ebit: NOT, ev_to_ebitda: EV / 39 },
        ],
      ] as const
    ).flatMap(([concept, where, value, positive, zero, negative]) => [
      [`${concept} above nothing`, { [where]: { [concept]: value }, expected: positive }],
      [`${concept} of nothing`, { [where]: { [concept]: 0 }, expected: zero }],
      [`${concept} below nothing`, { [where]: { [concept]: -value }, expected: negative }],
    ]),
  ),
  'operating income that depreciation outweighs by one': {
    flows: { OperatingIncomeLoss: -39 },
    expected: { ev_to_ebitda: EV, ev_to_ebit: NOT },
  },
  'operating income that depreciation just makes up for': { flows: { OperatingIncomeLoss: -40 }, expected: { ev_to_ebitda: NOT } },
  'cash flow of one': {
    flows: { NetCashProvidedByUsedInOperatingActivities: 1, PaymentsToAcquirePropertyPlantAndEquipment: 0 },
    expected: { price_to_operating_cash_flow: MC, price_to_free_cash_flow: MC, ev_to_free_cash_flow: EV, free_cash_flow_yield: 1 / MC },
  },
  'cash flow of nothing': {
    flows: { NetCashProvidedByUsedInOperatingActivities: 0, PaymentsToAcquirePropertyPlantAndEquipment: 0 },
    expected: { price_to_operating_cash_flow: NOT, price_to_free_cash_flow: NOT, ev_to_free_cash_flow: NOT, free_cash_flow_yield: 0 },
  },
  'cash flow below nothing': {
    flows: { NetCashProvidedByUsedInOperatingActivities: -1, PaymentsToAcquirePropertyPlantAndEquipment: 0 },
    expected: { price_to_operating_cash_flow: NOT, price_to_free_cash_flow: NOT, ev_to_free_cash_flow: NOT, free_cash_flow_yield: -1 / MC },
  },
  'all cash flow spent': {
    flows: { PaymentsToAcquirePropertyPlantAndEquipment: 150 },
    expected: { price_to_free_cash_flow: NOT, price_to_operating_cash_flow: 20, free_cash_flow_yield: 0 },
  },
  'net income of nothing, without earnings a share': {
    ...earnings({ NetIncomeLoss: 0 }, 1),
    expected: { price_to_earnings: NOT, earnings_yield: 0, peg: LACK },
  },
  'net income below nothing, without earnings a share': {
    ...earnings({ NetIncomeLoss: -10 }, 1),
    expected: { price_to_earnings: NOT, earnings_yield: -10 / MC },
  },

  // Price over earnings over growth.
  'growth of one percent and a little': {
    flows: { EarningsPerShareDiluted: 101.01 },
    yearAgo: { EarningsPerShareDiluted: 100 },
    expected: { peg: 30 / 101.01 / 1.01 },
  },
  'growth of less than one percent': {
    flows: { EarningsPerShareDiluted: 100.99 },
    yearAgo: { EarningsPerShareDiluted: 100 },
    expected: { peg: NOT },
  },
  'earnings that fell': { flows: { EarningsPerShareDiluted: 1.5 }, expected: { peg: NOT } },
  'nothing earned a year ago': { yearAgo: { EarningsPerShareDiluted: 0 }, expected: { peg: NOT } },
  'a loss a year ago': { yearAgo: { EarningsPerShareDiluted: -1 }, expected: { peg: NOT } },
  'losses then and now': { flows: { EarningsPerShareDiluted: -1 }, yearAgo: { EarningsPerShareDiluted: -2 }, expected: { peg: NOT } },
  'no earnings a share of a year ago': { yearAgo: { EarningsPerShareDiluted: null }, expected: { peg: LACK, price_to_earnings: 15 } },

  // Banks and insurers.
  'an industry before the banks': { sic: '5999', expected: BASE },
  'the first of the banks': {
    sic: '6000',
    expected: { ...without(...SPARED), ...Object.fromEntries(SPARED.map((slug) => [slug, 'not_applicable'])) },
  },
  'the last of the insurers': { sic: '6499', expected: { price_to_sales: 'not_applicable', price_to_book: MC / 800 } },
  'an industry after the insurers': { sic: '6500', expected: BASE },

  // Age, and what is a filing.
  'a day of 185 days after the quarter': { day: '2024-07-03', expected: BASE },
  'a day of 186 days after the quarter': { day: '2024-07-04', expected: none('stale_fundamentals') },
  ...Object.fromEntries(
    ['10-K', '10-Q', '10-KT', '20-F', '40-F', '6-K', '10-K/A', '10-Q/A'].map((form) => [
      `a filing on form ${form}`,
      { filing: { form }, expected: BASE },
    ]),
  ),
  ...Object.fromEntries(
    ['8-K', '10-K405', 'S-1', '10-K/B', 'NT 10-K', '20-FR12B'].map((form) => [
      `a filing on form ${form}`,
      { filing: { form }, expected: {} },
    ]),
  ),
  'a price of the day of acceptance, before it': { day: '2024-02-01', expected: BASE },
  'figures in another currency': {
    facts: [
      ['Revenues', '2023-01-01', '2023-12-31', 9000, 'EUR'],
      ['EarningsPerShareDiluted', '2023-01-01', '2023-12-31', 9, 'EUR/shares'],
      ['StockholdersEquity', null, '2023-12-31', 9000, 'EUR'],
    ],
    expected: BASE,
  },

  // Shares.
  'the cover before the balance sheet': {
    facts: [['CommonStockSharesOutstanding', null, '2023-12-31', 90]],
    expected: { price_to_sales: 3 },
  },
  'a cover of 120 days before the newest count': {
    cover: null,
    facts: [
      ['EntityCommonStockSharesOutstanding', null, '2023-09-02', 100],
      ['CommonStockSharesOutstanding', null, '2023-12-31', 90],
    ],
    expected: { price_to_sales: 3 },
  },
  'a cover of 121 days before the newest count': {
    cover: null,
    facts: [
      ['EntityCommonStockSharesOutstanding', null, '2023-09-01', 100],
      ['CommonStockSharesOutstanding', null, '2023-12-31', 70],
    ],
    // The count of the cover page would agree with 70, and would be the first.
    expected: { price_to_sales: 2.1 },
  },
  'a cover of no shares': {
    cover: 0,
    facts: [['CommonStockSharesOutstanding', null, '2023-12-31', 60]],
    expected: { price_to_sales: 1.8 },
  },
  'no shares at all': {
    cover: null,
    flows: { EarningsPerShareDiluted: 0.04 },
    expected: { price_to_sales: LACK, ev_to_sales: LACK, dividend_yield: LACK, price_to_book: LACK, free_cash_flow_yield: LACK },
  },
  'a price of nothing': { close: 0, expected: {} },
};

const closeTo = (want: number): unknown => expect.closeTo(want, 9);

let relations: Relations;
let byCase: ReadonlyMap<string, ReadonlyMap<string, Found>>;
beforeAll(async () => {
  const titles = Object.keys(CASES);
  relations = await openFilers(Object.values(CASES).map(filerOf));
  const rows = await relations.ask(
    'select substr(entity_id, 9)::integer as number, slug, value, reason, metadata from valuations.valuation_multiples where period_end = observed_at::date',
  );
  byCase = new Map(
    titles.map((title, index) => [
      title,
      new Map(rows.filter((row) => row['number'] === index + 1).map((row) => [String(row['slug']), row])),
    ]),
  );
});
afterAll(() => relations.close());

describe('the multiples', () => {
  it.each(Object.entries(CASES))('of %s', (title, { expected }) => {
    const found = byCase.get(title) ?? new Map<string, Found>();
    expect([...found.keys()].toSorted()).toEqual(Object.keys(expected).length === 0 ? [] : Object.keys(BASE).toSorted());
    for (const [slug, want] of Object.entries(expected)) {
      const row = found.get(slug);
      expect([slug, row?.['value'], row?.['reason']]).toEqual(typeof want === 'string' ? [slug, null, want] : [slug, closeTo(want), null]);
    }
  });

  it('name their inputs', () => {
    const ref = (concept: string, period: string) =>
      `sec:0000000001-24-000001/${concept === 'EntityCommonStockSharesOutstanding' ? 'dei' : 'us-gaap'}:${concept}/${period}`;
    const metadataOf = (slug: string): unknown => JSON.parse(String(byCase.get('as it is')?.get(slug)?.['metadata']));
    const shared = {
      price: 30,
      shares: 100,
      shareWitnesses: [
        { witness: 'cover', shares: 100, as_of: '2024-01-25', refused: false },
        { witness: 'balanceSheet', shares: 100, as_of: '2023-12-31', refused: false },
        expect.objectContaining({ witness: 'earnings', refused: true }),
      ],
      quotedTicker: null,
      sharesPerQuotedUnit: null,
      sharesAsOf: '2024-01-25',
      publicFloat: null,
      publicFloatDate: null,
      marketCap: MC,
      statementCurrency: 'USD',
      exchangeRate: null,
      exchangeRateDate: null,
      windowEnd: '2023-12-31',
      balanceDate: '2023-12-31',
      reason: null,
      contradictions: null,
      unlistedSplit: null,
    };
    const [year, yearAgo] = ['2023-01-01/2023-12-31', '2022-01-01/2022-12-31'];
    expect(metadataOf('peg')).toEqual({
      ...shared,
      enterpriseValue: null,
      numerator: 15,
      denominator: 25,
      growthBasis: 'ttm_eps_yoy',
      facts: [ref('EarningsPerShareDiluted', yearAgo), ref('EarningsPerShareDiluted', year)],
    });
    expect(metadataOf('price_to_earnings')).toMatchObject({
      facts: [ref('EarningsPerShareDiluted', year)],
      growthBasis: null,
      numerator: 30,
      denominator: 2,
    });
    expect(metadataOf('dividend_yield')).toMatchObject({
      facts: [ref('EntityCommonStockSharesOutstanding', '2024-01-25'), ref('PaymentsOfDividendsCommonStock', year)],
      numerator: 30,
    });
    expect(metadataOf('ev_to_ebitda')).toEqual({
      ...shared,
      enterpriseValue: EV,
      numerator: EV,
      denominator: 200,
      growthBasis: null,
      facts: [
        ref('EntityCommonStockSharesOutstanding', '2024-01-25'),
        ref('CashAndCashEquivalentsAtCarryingValue', '2023-12-31'),
        ref('DebtCurrent', '2023-12-31'),
        ref('DepreciationDepletionAndAmortization', year),
        ref('LongTermDebtNoncurrent', '2023-12-31'),
        ref('OperatingIncomeLoss', year),
      ],
    });
  });
});
