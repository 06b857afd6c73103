// Statements at the edges of their rules (docs/reference/company-methods.md#company-facts): which periods are which, what follows from them and when it is doubted, which
// concept states a line. One company for each way.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessionOf, cikOf, type Fact, type Filer, type Filing, openFilers } from '../by-hand/filers.ts';
import { type Found, plusDays, type Relations } from '../by-hand/relations.ts';

const N = 'NetIncomeLoss';
const CASH = 'NetCashProvidedByUsedInOperatingActivities';
const YEAR = ['2023-01-01', '2023-12-31'] as const;
const fact = (concept: string, [start, end]: readonly [string, string], value: number, unit?: string): Fact =>
  unit === undefined ? [concept, start, end, value] : [concept, start, end, value, unit];
const filed = (day: string, ...facts: Fact[]): Filing => ({ filed: day, facts });
const from = (start: string, days: number): [string, string] => [start, plusDays(start, days)];

const FILERS: Filer[] = [];
/** The number of the filer. */
function filer(...filings: Filing[]): number {
  FILERS.push({ filings });
  return FILERS.length;
}

// Years end in December by the newest annual figures: they are stated beside what is looked at.
const december = fact(N, ['2021-01-01', '2021-12-31'], 7);

const durations = ([69, 70, 120, 121, 139, 140, 229, 230, 329, 330, 420, 421] as const).map(
  (days) => [days, filer(filed('2024-06-01', december, fact(CASH, from('2023-01-01', days), 10)))] as const,
);

/** Cash flow of nine months, and of a year that ends so many days after them. */
const lastQuarter = ([70, 71, 121, 122] as const).map(
  (days) =>
    [
      days,
      filer(
        filed('2024-06-01', fact(CASH, ['2023-01-01', '2023-09-30'], 70), fact(CASH, ['2023-01-01', plusDays('2023-09-30', days)], 100)),
      ),
    ] as const,
);
const lastOfThree = ([70, 71, 121, 122] as const).map(
  (days) =>
    [
      days,
      filer(
        filed(
          '2024-06-01',
          ...[
            ['2023-01-01', '2023-03-31'],
            ['2023-04-01', '2023-06-30'],
            ['2023-07-01', '2023-09-30'],
          ].map(([start = '', end = ''], index) => fact(CASH, [start, end], 10 * (index + 1))),
          fact(CASH, ['2023-01-01', plusDays('2023-09-30', days)], 100),
        ),
      ),
    ] as const,
);

// What is subtracted from what.
const Q = (quarter: 1 | 2 | 3 | 4, year = 2023): [string, string] => [
  `${year}-${['01-01', '04-01', '07-01', '10-01'][quarter - 1]}`,
  `${year}-${['03-31', '06-30', '09-30', '12-31'][quarter - 1]}`,
];
const half: [string, string] = ['2023-01-01', '2023-06-30'];
const nine: [string, string] = ['2023-01-01', '2023-09-30'];
const both = filer(
  filed('2024-02-01', fact(CASH, Q(1), 10), fact(CASH, Q(2), 20), fact(CASH, Q(3), 30), fact(CASH, nine, 61), fact(CASH, YEAR, 100)),
);
const skipping = filer(
  filed('2024-02-01', fact(CASH, Q(1), 10), fact(CASH, Q(3), 30), fact(CASH, YEAR, 100)),
  filed('2024-03-01', fact(CASH, from('2023-04-02', 89), 20)),
);
const ofHalf = filer(filed('2024-02-01', fact(CASH, half, 30), fact(CASH, YEAR, 100)));
const steps = filer(
  filed('2023-05-01', fact(CASH, Q(1), 10)),
  filed('2023-08-01', fact(CASH, half, 30)),
  filed('2023-11-01', fact(CASH, nine, 60)),
  filed('2024-02-01', fact(CASH, YEAR, 100)),
);
const ofShares = filer(
  filed(
    '2024-02-01',
    fact(N, nine, 60),
    fact(N, YEAR, 100),
    fact('EarningsPerShareDiluted', nine, 3),
    fact('EarningsPerShareDiluted', YEAR, 5),
    fact('WeightedAverageNumberOfDilutedSharesOutstanding', nine, 20),
    fact('WeightedAverageNumberOfDilutedSharesOutstanding', YEAR, 21),
  ),
);
const EPS = 'EarningsPerShareDiluted';
const splitBetween = filer(
  filed('2023-08-01', fact(N, half, 30), fact(EPS, half, 1), fact('EarningsPerShareBasic', half, 1)),
  filed('2024-02-01', fact(N, YEAR, 100), fact(EPS, YEAR, 6), fact('EarningsPerShareBasic', YEAR, 6)),
  filed(
    '2024-08-01',
    fact(N, ['2024-01-01', '2024-06-30'], 60),
    fact(EPS, ['2024-01-01', '2024-06-30'], 1.75),
    fact('EarningsPerShareBasic', ['2024-01-01', '2024-06-30'], 1.75),
  ),
);
const untagged = filer(
  filed('2023-08-01', fact('Revenues', half, 40), fact('CostOfRevenue', half, 30)),
  filed('2024-02-01', fact(N, YEAR, 9), fact('Revenues', YEAR, 100), fact('CostOfRevenue', YEAR, 70)),
  filed(
    '2024-08-01',
    fact(N, ['2024-01-01', '2024-06-30'], 5),
    fact('Revenues', ['2024-01-01', '2024-06-30'], 50),
    fact('CostOfRevenue', ['2024-01-01', '2024-06-30'], 36),
  ),
  // Tagged later on: what a filing states counts.
  filed('2025-02-01', fact('GrossProfit', YEAR, 29), fact('Revenues', YEAR, 100), fact('CostOfRevenue', YEAR, 70)),
);
const withoutCost = filer(filed('2024-02-01', fact(N, YEAR, 9), fact('Revenues', YEAR, 100)));
const otherConcept = filer(
  filed('2024-02-01', fact('NetCashProvidedByUsedInOperatingActivitiesContinuingOperations', nine, 60), fact(CASH, YEAR, 100)),
);
const otherRevenue = filer(
  filed(
    '2024-02-01',
    december,
    fact('SalesRevenueNet', nine, 60),
    fact('Revenues', YEAR, 100),
    fact('CostOfGoodsSold', nine, 6),
    fact('CostOfRevenue', YEAR, 10),
    fact(N, nine, 60),
    fact(N, YEAR, 100),
  ),
);
const otherUnit = filer(filed('2023-11-01', fact(CASH, nine, 60, 'EUR')), filed('2024-02-01', fact(CASH, YEAR, 100)));
const statedLater = filer(
  filed('2024-02-01', fact(CASH, nine, 60), fact(CASH, YEAR, 100)),
  filed('2024-03-01', fact(CASH, Q(4), 41)),
  filed('2024-04-01', fact(CASH, YEAR, 101)),
);
const statedBefore = filer(filed('2024-01-15', fact(CASH, Q(4), 41)), filed('2024-02-01', fact(CASH, nine, 60), fact(CASH, YEAR, 100)));

// A filer's first year, of which some figures are comparatives of the second alone.
const Q1_2024: [string, string] = ['2024-01-01', '2024-03-31'];
const HALF_2024: [string, string] = ['2024-01-01', '2024-06-30'];
const firstYear = filer(
  filed('2023-08-01', fact(CASH, half, 30)),
  filed('2023-11-01', fact(CASH, nine, 60)),
  filed('2024-02-01', fact(CASH, YEAR, 100)),
  // Thousands as units, mended two weeks later.
  filed('2024-05-01', fact(CASH, Q(1), 0.01), fact(CASH, Q1_2024, 0.015)),
  filed('2024-05-15', fact(CASH, Q(1), 10), fact(CASH, Q1_2024, 15)),
  filed('2024-08-01', fact(CASH, half, 30), fact(CASH, HALF_2024, 40)),
);
const firstYearRecast = filer(
  filed('2023-11-01', fact(CASH, nine, 60)),
  filed('2024-05-01', fact(CASH, Q(1), 10), fact(CASH, Q1_2024, 15)),
  filed('2024-08-01', fact(CASH, half, 33), fact(CASH, HALF_2024, 40)),
  filed('2024-11-01', fact(CASH, nine, 66), fact(CASH, ['2024-01-01', '2024-09-30'], 70)),
);
const ofLaterHalf = filer(filed('2023-05-01', fact(CASH, Q(1), 10)), filed('2024-08-01', fact(CASH, half, 30), fact(CASH, HALF_2024, 40)));
// The year recast after the nine months were said again as they were.
const repeatedBefore = filer(
  filed('2023-11-01', fact(CASH, nine, 60)),
  filed('2024-02-01', fact(CASH, YEAR, 100)),
  filed('2024-11-01', fact(CASH, nine, 60), fact(CASH, ['2024-01-01', '2024-09-30'], 70)),
  filed('2025-02-01', fact(CASH, YEAR, 90), fact(CASH, ['2024-01-01', '2024-12-31'], 120)),
);
const threeOfTwoYears = filer(
  filed('2023-08-01', fact(CASH, Q(2), 20)),
  filed('2023-11-01', fact(CASH, Q(3), 30)),
  filed('2024-02-01', fact(CASH, YEAR, 100)),
  filed('2024-05-01', fact(CASH, Q(1), 10), fact(CASH, Q1_2024, 15)),
  filed('2024-08-01', fact(CASH, Q(2), 20), fact(CASH, ['2024-04-01', '2024-06-30'], 25)),
  filed('2024-11-01', fact(CASH, Q(3), 30), fact(CASH, ['2024-07-01', '2024-09-30'], 35)),
  filed('2025-02-01', fact(CASH, YEAR, 100), fact(CASH, ['2024-01-01', '2024-12-31'], 120)),
);

// Twelve months beside their quarters.
const summing = (q4: number, year = 1000): number =>
  filer(filed('2024-02-01', ...([1, 2, 3] as const).map((quarter) => fact(N, Q(quarter), 250)), fact(N, Q(4), q4), fact(N, YEAR, year)));
const sums = [
  ['exactly half a percent more than its quarters', summing(245), 'yes'],
  ['more than half a percent more', summing(244.9), 'no'],
  ['half a percent of the greater less', summing(250, 995), 'yes'],
  ['more than half a percent less', summing(250, 994.9), 'no'],
] as const;
const ofThree = filer(filed('2024-02-01', ...([1, 2, 4] as const).map((quarter) => fact(N, Q(quarter), 250)), fact(N, YEAR, 2000)));
const shiftedQuarter = filer(
  filed(
    '2024-02-01',
    ...([1, 2, 4] as const).map((quarter) => fact(N, Q(quarter), 250)),
    fact(N, ['2023-07-02', '2023-09-30'], 900),
    fact(N, YEAR, 1000),
  ),
);
const longQuarter = ([109, 110] as const).map((days) => {
  const second = plusDays('2023-01-01', days + 1);
  return [
    days,
    filer(
      filed(
        '2024-02-01',
        fact(N, ['2023-01-01', plusDays(second, -1)], 900),
        fact(N, [second, '2023-07-10'], 1),
        fact(N, ['2023-07-11', '2023-09-30'], 1),
        fact(N, Q(4), 1),
        fact(N, YEAR, 1000),
      ),
    ),
  ] as const;
});

// Twelve months to March 2024 whose newest quarter the report of a year later recasts: what it was, what it became.
const Q1_2025: [string, string] = ['2025-01-01', '2025-03-31'];
const recastBeside = (concept: string, year: number, quarters: readonly number[], was: number, became: number): number =>
  filer(
    filed(
      '2024-02-01',
      ...quarters.map((value, index) => fact(concept, Q((index + 1) as 1 | 2 | 3 | 4), value)),
      fact(concept, YEAR, year),
      fact(CASH, YEAR, 7),
    ),
    filed('2024-05-01', fact(concept, Q1_2024, was), fact(CASH, Q1_2024, 1)),
    filed('2025-05-01', fact(concept, Q1_2024, became), fact(concept, Q1_2025, 2 * became), fact(CASH, Q1_2025, 2)),
  );
const recastWithQuarters = recastBeside(N, 1000, [250, 250, 250, 250], 300, 400);
const recastBesideQuarters = recastBeside(N, 1000, [250, 250, 200, 250], 300, 400);
const recastEarnings = recastBeside(EPS, 2, [0.5], 0.6, 0.7);
// The year as the report on the next one states it, in the shares after a split of ten for one.
const splitYear = filer(
  filed('2023-05-01', fact(EPS, Q(1), 0.4), fact(N, Q(1), 4)),
  filed('2024-02-01', fact(EPS, YEAR, 1.74), fact(N, YEAR, 17)),
  filed('2024-05-01', fact(EPS, Q(1), 0.04), fact(EPS, Q1_2024, 0.06), fact(N, Q1_2024, 6)),
  filed('2025-02-01', fact(EPS, YEAR, 0.17), fact(EPS, ['2024-01-01', '2024-12-31'], 0.3), fact(N, ['2024-01-01', '2024-12-31'], 30)),
);
// A filer of thousands, or of single dollars, that changes to millions, to thousands.
const inLargerUnits = (
  [
    [10_500_000, 10_000_000, 11_000_000],
    [10_500_001, 10_000_000, 11_500_001],
    [10_500, 10_000, 11_000],
    [10_501, 10_000, 11_501],
  ] as const
).map(
  ([was, became, rolled]) =>
    [
      was,
      rolled,
      filer(
        filed('2024-02-01', fact(N, Q(1), became / 5), fact(N, YEAR, was)),
        filed('2024-05-01', fact(N, Q1_2024, became / 5 + became / 10)),
        filed('2025-02-01', fact(N, YEAR, became), fact(N, ['2024-01-01', '2024-12-31'], 2 * became)),
      ),
    ] as const,
);

// A roll: the same quarter a year ago may be ten days longer or shorter.
const rolling = (days: number) =>
  filer(filed('2024-02-01', fact(N, YEAR, 1000), fact(N, Q(1), 200)), filed('2024-06-01', fact(N, from('2024-01-01', 89 + days), 300)));
const rolls = ([-11, -10, 10, 11] as const).map((days) => [days, rolling(days)] as const);
const ofAnotherStart = filer(
  filed('2024-02-01', fact(N, YEAR, 1000), fact(N, Q(1), 200)),
  filed('2024-06-01', fact(N, ['2024-01-02', '2024-03-31'], 300)),
);
const ofAnotherSpan = filer(
  filed('2024-02-01', fact(N, YEAR, 1000), fact(N, half, 200)),
  filed('2024-06-01', fact(N, from('2024-01-01', 139 - 19), 300)),
);

// Revenue, its cost and gross profit.
const totals = (
  [
    [10, false],
    [10.1, true],
    [-10, false],
    [-10.1, true],
  ] as const
).map(
  ([gap, isFound]) =>
    [
      gap,
      isFound,
      filer(
        filed(
          '2024-02-01',
          fact('Revenues', YEAR, 1000),
          fact('CostOfRevenue', YEAR, 600),
          fact('GrossProfit', YEAR, 400 + gap),
          fact(N, YEAR, 5),
        ),
      ),
    ] as const,
);
const apart = filer(
  filed('2024-02-01', fact('Revenues', YEAR, 1000), fact('CostOfRevenue', YEAR, 600)),
  filed('2024-03-01', fact('GrossProfit', YEAR, 100)),
);

// The concepts of each line, in order.
const LINES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  income: {
    revenue: [
      'RevenueFromContractWithCustomerExcludingAssessedTax',
      'Revenues',
      'RevenueFromContractWithCustomerIncludingAssessedTax',
      'SalesRevenueNet',
      'SalesRevenueGoodsNet',
    ],
    costOfRevenue: ['CostOfRevenue', 'CostOfGoodsAndServicesSold', 'CostOfGoodsSold'],
    grossProfit: ['GrossProfit'],
    researchAndDevelopment: ['ResearchAndDevelopmentExpense'],
    sellingGeneralAndAdministrative: ['SellingGeneralAndAdministrativeExpense'],
    operatingExpenses: ['OperatingExpenses'],
    operatingIncome: ['OperatingIncomeLoss'],
    interestExpense: ['InterestExpense', 'InterestExpenseNonoperating', 'InterestExpenseDebt'],
    incomeBeforeTax: [
      'IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest',
      'IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments',
    ],
    incomeTax: ['IncomeTaxExpenseBenefit'],
    profitLoss: ['ProfitLoss'],
    netIncome: [N],
    netIncomeToCommon: ['NetIncomeLossAvailableToCommonStockholdersBasic'],
    epsBasic: ['EarningsPerShareBasic', 'EarningsPerShareBasicAndDiluted'],
    epsDiluted: ['EarningsPerShareDiluted', 'EarningsPerShareBasicAndDiluted'],
    weightedSharesBasic: ['WeightedAverageNumberOfSharesOutstandingBasic'],
    weightedSharesDiluted: ['WeightedAverageNumberOfDilutedSharesOutstanding'],
  },
  balance_sheet: {
    cash: ['CashAndCashEquivalentsAtCarryingValue'],
    shortTermInvestments: ['ShortTermInvestments', 'MarketableSecuritiesCurrent', 'AvailableForSaleSecuritiesDebtSecuritiesCurrent'],
    receivables: ['AccountsReceivableNetCurrent', 'ReceivablesNetCurrent'],
    inventory: ['InventoryNet'],
    currentAssets: ['AssetsCurrent'],
    propertyPlantAndEquipment: ['PropertyPlantAndEquipmentNet'],
    goodwill: ['Goodwill'],
    totalAssets: ['Assets'],
    accountsPayable: ['AccountsPayableCurrent'],
    currentDebt: ['DebtCurrent'],
    currentPartOfLongTermDebt: ['LongTermDebtCurrent'],
    shortTermBorrowings: ['ShortTermBorrowings', 'CommercialPaper'],
    currentLiabilities: ['LiabilitiesCurrent'],
    longTermDebt: ['LongTermDebtNoncurrent'],
    totalLiabilities: ['Liabilities'],
    retainedEarnings: ['RetainedEarningsAccumulatedDeficit'],
    stockholdersEquity: ['StockholdersEquity'],
    totalEquity: ['StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest'],
    liabilitiesAndEquity: ['LiabilitiesAndStockholdersEquity'],
    sharesOutstanding: ['CommonStockSharesOutstanding'],
  },
  cash_flow: {
    operatingCashFlow: [CASH, `${CASH}ContinuingOperations`],
    depreciationAndAmortization: [
      'DepreciationDepletionAndAmortization',
      'DepreciationAmortizationAndAccretionNet',
      'DepreciationAndAmortization',
    ],
    stockBasedCompensation: ['ShareBasedCompensation'],
    capitalExpenditure: ['PaymentsToAcquirePropertyPlantAndEquipment', 'PaymentsToAcquireProductiveAssets'],
    acquisitions: ['PaymentsToAcquireBusinessesNetOfCashAcquired'],
    investingCashFlow: ['NetCashProvidedByUsedInInvestingActivities', 'NetCashProvidedByUsedInInvestingActivitiesContinuingOperations'],
    dividendsPaid: ['PaymentsOfDividendsCommonStock', 'PaymentsOfDividends'],
    shareRepurchases: ['PaymentsForRepurchaseOfCommonStock'],
    debtIssued: ['ProceedsFromIssuanceOfLongTermDebt'],
    debtRepaid: ['RepaymentsOfLongTermDebt'],
    financingCashFlow: ['NetCashProvidedByUsedInFinancingActivities', 'NetCashProvidedByUsedInFinancingActivitiesContinuingOperations'],
    changeInCash: [
      'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect',
      'CashAndCashEquivalentsPeriodIncreaseDecrease',
    ],
  },
};
/** The others after the first `skipped` of each line; what is looked for is stated last, so that the order of facts is not it. */
const stating = (skipped: number): number =>
  filer(
    filed(
      '2024-02-01',
      ...Object.entries(LINES)
        .flatMap(([statement, lines]) =>
          Object.values(lines).flatMap((concepts) =>
            concepts
              .slice(skipped)
              .map((concept, rank): Fact => [concept, statement === 'balance_sheet' ? null : YEAR[0], YEAR[1], 1000 - rank]),
          ),
        )
        .filter(([concept], index, all) => all.findIndex(([other]) => other === concept) === index)
        .toReversed(),
      ...(skipped === 0 ? [] : [fact(N, YEAR, 1), fact(CASH, ['2022-01-01', '2022-12-31'], 1)]),
    ),
  );
const byRank = [0, 1, 2, 3, 4].map(stating);
const largest = filer(
  filed(
    '2024-02-01',
    fact('RevenueFromContractWithCustomerExcludingAssessedTax', YEAR, 900),
    fact('SalesRevenueNet', YEAR, 1000),
    fact(N, YEAR, 1),
  ),
);

// Places in the fiscal year: fifteen days of tolerance about its end.
const placed = (['2023-12-16', '2024-01-01', '2024-01-07', '2024-01-08', '2024-01-16'] as const).map(
  (end) => [end, filer(filed('2025-06-01', fact(N, ['2024-01-01', '2024-12-31'], 1), fact(CASH, [plusDays(end, -364), end], 10)))] as const,
);
const instants = (['2023-11-16', '2023-11-15', '2023-08-17', '2023-08-16', '2023-01-16'] as const).map(
  (end) => [end, filer(filed('2025-06-01', fact(N, ['2024-01-01', '2024-12-31'], 1), ['Assets', null, end, 5]))] as const,
);
const yearEnd = filer(
  filed(
    '2024-06-01',
    fact(N, [plusDays('2023-09-30', -329), '2023-09-30'], 5),
    fact(N, [plusDays('2024-02-28', -421), '2024-02-28'], 5),
    fact(N, [plusDays('2022-09-28', -420), '2022-09-28'], 5),
  ),
);
const notWhole = filer(
  filed(
    '2024-02-01',
    december,
    fact('Revenues', YEAR, 1000),
    ['StockholdersEquity', null, '2023-12-31', 5],
    fact('PaymentsOfDividends', YEAR, 1),
  ),
);
const wholeBy = ['NetIncomeLoss', 'ProfitLoss', 'Assets', CASH].map(
  (concept) =>
    [
      concept,
      filer(
        filed('2024-02-01', fact('GrossProfit', ['2021-01-01', '2021-12-31'], 7), [
          concept,
          concept === 'Assets' ? null : YEAR[0],
          YEAR[1],
          1000,
        ]),
      ),
    ] as const,
);
const euros = filer(
  filed(
    '2024-02-01',
    fact(N, YEAR, 90, 'EUR'),
    fact('Revenues', YEAR, 900, 'EUR'),
    fact('Revenues', YEAR, 1000),
    fact('EarningsPerShareDiluted', YEAR, 2, 'EUR/shares'),
    fact('EarningsPerShareBasic', YEAR, 3, 'USD/shares'),
  ),
);
const restated = filer(
  filed('2024-02-01', december, fact(N, YEAR, 90), fact('Revenues', YEAR, 900)),
  filed('2024-03-01', fact(N, YEAR, 90), fact('Revenues', YEAR, 900)),
  filed('2024-04-01', fact(N, YEAR, 91)),
);
/** The year is restated under another concept, then stated in part. */
const renamed = filer(
  filed('2024-02-01', december, fact(N, YEAR, 90), fact('SalesRevenueNet', YEAR, 900)),
  filed('2025-02-01', fact(N, YEAR, 90), fact('Revenues', YEAR, 910), fact(N, ['2024-01-01', '2024-12-31'], 95)),
  filed('2026-02-01', fact('SalesRevenueGoodsNet', YEAR, 300)),
);
/** Two revenues of one filing: the statement's, and one of its text in rounded numbers. */
const rounded = (
  [
    [18_591e6, 18_600e6, 18_591e6],
    [18_591e6, 18_700e6, 18_700e6],
    [18_591_400e3, 18_591e6, 18_591_400e3],
    [9e6, 10e6, 10e6],
    [10.02e6, 10e6, 10.02e6],
    [995, 1000, 1000],
  ] as const
).map(
  ([one, other, expected]) =>
    [
      one,
      other,
      expected,
      filer(
        filed('2024-02-01', december, fact(N, YEAR, 90), fact('SalesRevenueNet', YEAR, one), fact('SalesRevenueGoodsNet', YEAR, other)),
      ),
    ] as const,
);
const forms = (['10-K', '10-Q', '10-KT', '10-QT', '20-F', '40-F', '6-K', '10-K/A', '8-K', '10-K405', 'X10-K'] as const).map(
  (form) => [form, filer({ ...filed('2024-02-01', december, fact(N, YEAR, 90)), form })] as const,
);

let relations: Relations;
beforeAll(async () => {
  relations = await openFilers(FILERS, [
    [splitBetween, '2024-05-15', 2],
    [splitYear, '2024-03-01', 10],
  ]);
  await relations.build(
    'filings/filers',
    'filings/statement_cells',
    'filings/statement_findings',
    'valuations/trailing_findings',
    'filings/statement_filings',
    'filings/known_year_ends',
    'filings/fiscal_labels',
    'published/companies/financial_statements',
  );
});
afterAll(() => relations.close());

const cells = (number: number, where: string): Promise<readonly Found[]> =>
  relations.ask(
    `select period_type, period_start, period_end, derivation, line.value as value from filings.statement_cells where cik = '${cikOf(number)}' and key in ('operatingCashFlow', 'netIncome') and ${where} order by observed_at, period_end`,
  );
const statements = (number: number, where = 'true'): Promise<readonly Found[]> =>
  relations.ask(
    `select * from published.financial_statements where cik = '${cikOf(number)}' and ${where} order by observed_at, period_end, period_type`,
  );
const derived = (number: number): Promise<readonly Found[]> => cells(number, "derivation != 'none' and period_type = 'quarterly'");

describe('the kind of a period', () => {
  const kinds: Readonly<Record<number, readonly [string, string] | null>> = {
    69: null,
    70: ['quarterly', 'Q1'],
    120: ['quarterly', 'Q1'],
    121: null,
    139: null,
    140: ['ytd', 'H1'],
    229: null,
    230: ['ytd', '9M'],
    329: null,
    330: ['annual', 'FY'],
    420: ['annual', 'FY'],
    421: null,
  };
  it.each(durations)('of %i days', async (days, number) => {
    const found = (await statements(number, "statement_type = 'cash_flow' and period_type != 'ttm'")).map((row) => [
      row['period_type'],
      row['fiscal_period'],
    ]);
    // 229 days end in August and 329 in November: no half and no nine months of a year that ends in December.
    expect(found).toEqual(kinds[days] === null ? [] : [kinds[days]]);
  });

  it.each([
    ['a half', 229, 'ytd'],
    ['nine months', 329, 'ytd'],
  ])('of at most %s comes from the cells', async (_, days, kind) => {
    const number = durations.find(([one]) => one === days)?.[1] ?? 0;
    expect((await cells(number, "statement_type = 'cash_flow'")).map((row) => row['period_type'])).toEqual([kind]);
  });
});

describe('a quarter from differences', () => {
  it.each(lastQuarter)('from nine months, %i days before the end', async (days, number) => {
    expect((await derived(number)).map((row) => [row['derivation'], row['value']])).toEqual(
      days === 71 || days === 121 ? [['fy_minus_9m', 30]] : [],
    );
  });

  it.each(lastOfThree)('from three quarters, the last %i days before the end', async (days, number) => {
    expect((await derived(number)).map((row) => [row['derivation'], row['value']])).toEqual(
      days === 71 || days === 121 ? [['fy_minus_3q', 40]] : [],
    );
  });

  it.each([
    ['from nine months rather than three quarters', both, [['2023-10-01', 'fy_minus_9m', 39]]],
    ['not from quarters with a day between them', skipping, []],
    ['not from half a year', ofHalf, []],
    [
      'from each step of the year to date',
      steps,
      [
        ['2023-04-01', 'ytd_difference', 20],
        ['2023-07-01', 'ytd_difference', 30],
        ['2023-10-01', 'fy_minus_9m', 40],
      ],
    ],
    ['not from figures of another concept', otherConcept, []],
    ['not from figures in another currency', otherUnit, []],
    ['until it is stated', statedLater, [['2023-10-01', 'fy_minus_9m', 40]]],
    ['not where it is stated already', statedBefore, []],
    ['for amounts of money', ofShares, [['2023-10-01', 'fy_minus_9m', 40]]],
  ] as const)('%s', async (_, number, expected) => {
    expect((await derived(number)).map((row) => [row['period_start'], row['derivation'], row['value']])).toEqual(expected);
  });

  // [first day, value, known, number of the filing that made it known]
  it.each([
    [
      'a half said again beside the first quarter that only comparatives state',
      firstYear,
      [
        ['2023-07-01', 30, '2023-11-01', 2],
        ['2023-10-01', 40, '2024-02-01', 3],
        ['2023-04-01', 20, '2024-08-01', 6],
      ],
    ],
    [
      'nine months only once they are recast as their half was',
      firstYearRecast,
      [
        ['2023-04-01', 23, '2024-08-01', 3],
        ['2023-07-01', 33, '2024-11-01', 4],
      ],
    ],
    ['a half that only comparatives state, less a quarter that they left as it was', ofLaterHalf, [['2023-04-01', 20, '2024-08-01', 2]]],
    ['never from a part said again before the year was recast', repeatedBefore, [['2023-10-01', 40, '2024-02-01', 2]]],
    [
      'a year said again beside three quarters, one of which only comparatives state',
      threeOfTwoYears,
      [['2023-10-01', 40, '2025-02-01', 7]],
    ],
  ] as const)('of the first year is %s', async (_, number, expected) => {
    const rows = await relations.ask(
      `select period_start, line.value as value, observed_at::date as day, accession_number from filings.statement_cells where cik = '${cikOf(number)}' and key = 'operatingCashFlow' and derivation != 'none' and period_type = 'quarterly' and year(period_end) = 2023 order by observed_at, period_start`,
    );
    expect(rows.map(({ period_start: start, value, day, accession_number: accession }) => [start, value, day, accession])).toEqual(
      expected.map(([start, value, day, filing]) => [start, value, day, accessionOf(number, filing - 1)]),
    );
  });

  it('has no shares and no per-share amounts, unlike the stated year', async () => {
    const rows = await relations.ask(
      `select key, period_type, derivation, value from filings.statement_derivations where cik = '${cikOf(ofShares)}' order by key, period_type`,
    );
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['epsDiluted', 'ttm', 'none', 5],
      ['netIncome', 'quarterly', 'fy_minus_9m', 40],
      ['netIncome', 'ttm', 'none', 100],
      ['weightedSharesDiluted', 'ttm', 'none', 21],
    ]);
  });

  it('of gross profit is revenue less its cost, until a filing tags it', async () => {
    const ofGrossProfit = async (number: number) =>
      (
        await relations.ask(
          `select period_type, period_end, observed_at::date as day, line from filings.statement_cells where cik = '${cikOf(number)}' and key = 'grossProfit' order by all`,
        )
      ).map(({ period_type: type, period_end: end, day, line }) => [type, end, day, (line as Found)['value'], (line as Found)['quality']]);
    expect(await ofGrossProfit(untagged)).toEqual([
      ['annual', '2023-12-31', '2024-02-01', 30, 'derived'],
      ['annual', '2023-12-31', '2025-02-01', 29, 'reported'],
      ['ttm', '2023-12-31', '2024-02-01', 30, 'derived'],
      ['ttm', '2023-12-31', '2025-02-01', 29, 'reported'],
      // 100 + 50 - 40 less 70 + 36 - 30.
      ['ttm', '2024-06-30', '2024-08-01', 34, 'derived'],
      ['ytd', '2023-06-30', '2023-08-01', 10, 'derived'],
      ['ytd', '2024-06-30', '2024-08-01', 14, 'derived'],
    ]);
    expect(await ofGrossProfit(withoutCost)).toEqual([]);
  });

  it('of diluted earnings per share is summed in the shares of the newest of three filings; basic ones and shares are not', async () => {
    const rows = await relations.ask(
      `select key, period_end, value, list_sort(fact_refs) as fact_refs from filings.statement_derivations where cik = '${cikOf(splitBetween)}' and derivation = 'ttm_roll' order by key`,
    );
    // Two for one in May 2024: 6 and 1 of before it are 3 and 0.5.
    expect(rows).toEqual([
      {
        key: 'epsDiluted',
        period_end: '2024-06-30',
        value: 3 + 1.75 - 0.5,
        fact_refs: [1, 2, 3].map(
          (nth) =>
            `${accessionOf(splitBetween, nth - 1)}/${EPS}/USD/shares/${[half, YEAR, ['2024-01-01', '2024-06-30']][nth - 1]?.join('/')}`,
        ),
      },
      expect.objectContaining({ key: 'netIncome', value: 100 + 60 - 30 }),
    ]);
    const [line] = await relations.ask(
      `select list_filter(merged_lines, lambda line: line.key = 'epsDiluted')[1] as line from published.financial_statements where cik = '${cikOf(splitBetween)}' and period_type = 'ttm' and period_end = '2024-06-30'`,
    );
    expect(line?.['line']).toMatchObject({ value: 4.25, unit: 'USD/shares', quality: 'derived' });
  });

  it('of revenue and its cost may be stated under two of their concepts', async () => {
    const rows = await relations.ask(
      `select key, value from filings.statement_derivations where cik = '${cikOf(otherRevenue)}' and period_type = 'quarterly' order by key`,
    );
    expect(rows).toEqual([
      { key: 'costOfRevenue', value: 4 },
      { key: 'netIncome', value: 40 },
      { key: 'revenue', value: 40 },
    ]);
  });
});

describe('twelve months', () => {
  const reconciled = (number: number, end: string) =>
    relations.ask(
      `select value, sum_of_quarters, is_reconciled, derivation from filings.trailing_reconciliations where cik = '${cikOf(number)}' and key = 'netIncome' and period_end = '${end}' order by observed_at desc limit 1`,
    );

  it.each(sums)('of a year that is %s', async (_, number, isReconciled) => {
    expect((await reconciled(number, '2023-12-31'))[0]?.['is_reconciled']).toBe(isReconciled === 'yes');
    const findings = await relations.ask(
      `select severity, field_path, series_code, period, expected from filings.statement_findings where entity_id = 'company_${cikOf(number)}'`,
    );
    expect(findings.map(({ severity, field_path: field, series_code: code, period }) => [severity, field, code, period])).toEqual(
      isReconciled === 'yes' ? [] : [['warn', 'income.netIncome', 'us-gaap:NetIncomeLoss', '2023-12-31']],
    );
    // What a filing states stays.
    expect((await statements(number, "period_type = 'ttm'")).map((row) => row['derivation'])).toEqual(['none']);
  });

  it('have no sum if a quarter is unknown, a day short or too long', async () => {
    for (const number of [ofThree, shiftedQuarter, longQuarter[1]?.[1] ?? 0])
      expect((await reconciled(number, '2023-12-31'))[0]).toMatchObject({ sum_of_quarters: null, is_reconciled: true });
    expect((await reconciled(longQuarter[0]?.[1] ?? 0, '2023-12-31'))[0]).toMatchObject({ sum_of_quarters: 903, is_reconciled: false });
  });

  describe('with a part recast by comparatives', () => {
    const newest = async (number: number, key: string) =>
      (
        await relations.ask(
          `select line.value as value from filings.statement_cells where cik = '${cikOf(number)}' and key = '${key}' and period_type = 'ttm' and period_end = '2024-03-31' order by observed_at desc limit 1`,
        )
      )[0]?.['value'];
    const found = async (number: number) =>
      (
        await relations.ask(
          `select severity, field_path, observed_value, expected from filings.statement_findings where entity_id = 'company_${cikOf(number)}' and period = '2024-03-31' order by observed_value`,
        )
      ).map((row) => [row['severity'], row['field_path'], row['observed_value'], JSON.parse(String(row['expected']))]);

    it('stay as they were, with the size of the difference; quarters only if they differ themselves', async () => {
      const recastBy = { year: 0, yearToDate: 100, yearAgo: 0 };
      // 1000 + 400 - 250, which the quarters share: 250 + 250 + 250 + 400.
      expect(await newest(recastWithQuarters, 'netIncome')).toBe(1050);
      expect(await found(recastWithQuarters)).toEqual([['block', 'income.netIncome', '1150.0', { recastBy, tolerance: 0.005 }]]);
      expect(await found(recastBesideQuarters)).toEqual([
        // 250 + 200 + 250 + 300: the first roll is off already.
        ['block', 'income.netIncome', '1050.0', { sumOfQuarters: 1000, tolerance: 0.005 }],
        ['block', 'income.netIncome', '1150.0', { recastBy, sumOfQuarters: 1100, tolerance: 0.005 }],
      ]);
    });

    it('are left out of diluted earnings per share too', async () => {
      // 2 + 0.6 - 0.5; not 2 + 0.7 - 0.5.
      expect(await newest(recastEarnings, 'epsDiluted')).toBeCloseTo(2.1, 9);
      expect((await found(recastEarnings)).map(([severity, field]) => [severity, field])).toEqual([['block', 'income.epsDiluted']]);
    });

    it('are accepted if the difference is the rounding of cents after a split', async () => {
      // 0.17 + 0.06 - 0.04, without the noise of binary fractions.
      expect(await newest(splitYear, 'epsDiluted')).toBe(0.19);
      expect(await found(splitYear)).toEqual([]);
    });

    it.each(inLargerUnits)(
      'are accepted if the difference is rounding to a larger unit: a year of %d gives %d',
      async (_, rolled, number) => {
        expect(await newest(number, 'netIncome')).toBe(rolled);
      },
    );
  });

  it.each(rolls)('roll on to a quarter that is %i days longer than a year ago', async (days, number) => {
    const found = await cells(number, "period_type = 'ttm' and derivation = 'ttm_roll'");
    expect(found.map((row) => [row['period_start'], row['value']])).toEqual(Math.abs(days) <= 10 ? [['2023-04-01', 1100]] : []);
  });

  it('of a year are those of the year, also if a filing restates it under another concept', async () => {
    const revenues = async (kind: string) =>
      (await statements(renamed, `period_type = '${kind}' and period_end = '2023-12-31'`)).map((row) =>
        ((row['merged_lines'] ?? []) as readonly { key: string; value: number }[]).flatMap(({ key, value }) =>
          key === 'revenue' ? [value] : [],
        ),
      );
    expect(await revenues('annual')).toEqual([[900], [910]]);
    expect((await revenues('ttm')).at(-1)).toEqual([910]);
  });

  it('roll on from the day after the year, by figures of one length', async () => {
    for (const number of [ofAnotherStart, ofAnotherSpan]) expect(await cells(number, "derivation = 'ttm_roll'")).toEqual([]);
  });
});

describe('revenue', () => {
  it.each(totals)('next to cost and gross profit that differ by %d of 1000', async (_, isFound, number) => {
    const findings = await relations.ask(
      `select severity, field_path, observed_value, rule, expected from filings.statement_findings where entity_id = 'company_${cikOf(number)}'`,
    );
    expect(findings.map((row) => [row['severity'], row['field_path'], row['observed_value'], row['rule']])).toEqual(
      isFound ? [['warn', 'income.revenue', '1000.0', 'reconciliation_failed']] : [],
    );
  });

  it('is compared only within one filing', async () => {
    expect(await relations.ask(`select * from filings.statement_findings where entity_id = 'company_${cikOf(apart)}'`)).toEqual([]);
  });

  it('is the largest one of a period', async () => {
    const rows = await relations.ask(
      `select line.value as value, line.concept as concept from filings.statement_cells where cik = '${cikOf(largest)}' and key = 'revenue' and period_type = 'annual'`,
    );
    expect(rows).toEqual([{ value: 1000, concept: 'SalesRevenueNet' }]);
  });
});

describe('two revenues of a period', () => {
  it.each(rounded)('of %d and %d are %d', async (_one, _other, expected, number) => {
    const rows = await relations.ask(
      `select line.value as value from filings.statement_cells where cik = '${cikOf(number)}' and key = 'revenue' and period_end = '2023-12-31' and period_type = 'annual'`,
    );
    expect(rows).toEqual([{ value: expected }]);
  });
});

describe('the lines of a statement', () => {
  it.each([0, 1, 2, 3, 4])('use the concepts in their order, without the first %i', async (skipped) => {
    const rows = await relations.ask(
      `select statement_type, line.key as key, line.concept as concept from (select statement_type, unnest(merged_lines) as line from published.financial_statements where cik = '${cikOf(byRank[skipped] ?? 0)}' and period_end = '2023-12-31' and period_type in ('annual', 'instant')) where line.quality = 'reported'`,
    );
    for (const [statement, lines] of Object.entries(LINES)) {
      const expected = Object.entries(lines).flatMap(([key, concepts]) => {
        const concept = concepts[skipped] ?? (skipped > 0 && key === 'netIncome' ? N : undefined);
        return concept === undefined ? [] : [[key, concept]];
      });
      const found = rows.filter((row) => row['statement_type'] === statement).map((row) => [row['key'], row['concept']]);
      // Without its whole-making line there is no statement.
      const isWhole = skipped < (statement === 'balance_sheet' ? 1 : statement === 'cash_flow' ? 2 : 5);
      // Basic and diluted earnings in one is stated for both: the first of neither.
      expect([statement, found]).toEqual([statement, isWhole ? expected : []]);
    }
  });
});

describe('a statement', () => {
  it.each(placed)('of a year that ends on %s is placed by that end', async (end, number) => {
    const [row] = await statements(number, "statement_type = 'cash_flow' and period_type = 'annual'");
    // An end from 1 to 7 January is of the year before.
    expect([row?.['fiscal_year'], row?.['fiscal_period']]).toEqual([end < '2024-01-08' ? 2023 : 2024, 'FY']);
  });

  it.each(instants)('of %s is of the quarter with the nearest end', async (end, number) => {
    // Half a quarter is 45.65 days: 45 days before the end of the year belong to it.
    const expected = { '2023-11-16': 'FY', '2023-11-15': 'Q3', '2023-08-17': 'Q3', '2023-08-16': 'Q2', '2023-01-16': 'Q1' };
    expect((await statements(number, "statement_type = 'balance_sheet'")).map((row) => row['fiscal_period'])).toEqual([expected[end]]);
  });

  it('takes the end of the year from the newest period of 330 to 420 days in an annual report', async () => {
    expect(await relations.ask(`select year_end, known_from from filings.fiscal_year_ends where cik = '${cikOf(yearEnd)}'`)).toEqual([
      { year_end: '2022-09-28', known_from: '2024-06-01 21:00:00+00' },
    ]);
  });

  it('has a result, assets or a cash flow, else it is no statement', async () => {
    expect((await statements(notWhole)).filter((row) => row['period_end'] === '2023-12-31')).toEqual([]);
    for (const [concept, number] of wholeBy)
      expect([concept, (await statements(number, "period_end = '2023-12-31' and period_type in ('annual', 'instant')")).length]).toEqual([
        concept,
        1,
      ]);
  });

  it('is in the currency of most of its facts', async () => {
    const [row] = await relations.ask(
      `select currency, [line.key || ' ' || line.value for line in lines] as lines from published.financial_statements where cik = '${cikOf(euros)}' and period_type = 'annual'`,
    );
    expect(row).toEqual({ currency: 'EUR', lines: ['revenue 900.0', 'netIncome 90.0', 'epsDiluted 2.0'] });
  });

  it.each(forms)('comes from form %s, or not', async (form, number) => {
    expect((await statements(number)).length > 0).toBe(!['8-K', '10-K405', 'X10-K'].includes(form));
  });

  it('is restated by the filing that changes a figure, and numbered by its filings', async () => {
    const rows = await statements(restated, "period_type = 'annual' and period_end = '2023-12-31'");
    expect(
      rows.map((row) => [
        row['release_no'],
        row['is_restated'],
        row['is_derived'],
        row['observed_at'],
        row['known_to'],
        row['accession_number'],
      ]),
    ).toEqual([
      [1, false, false, '2024-02-01 21:00:00+00', '2024-03-01 21:00:00+00', accessionOf(restated, 0)],
      [2, false, false, '2024-03-01 21:00:00+00', '2024-04-01 21:00:00+00', accessionOf(restated, 1)],
      [3, true, false, '2024-04-01 21:00:00+00', null, accessionOf(restated, 2)],
    ]);
    // What the last filing does not repeat stands as it was.
    const lines = (row: Found | undefined, name: 'lines' | 'merged_lines') =>
      ((row?.[name] ?? []) as readonly { key: string; value: number }[]).map(({ key, value }) => [key, value]);
    expect(lines(rows[2], 'lines')).toEqual([['netIncome', 91]]);
    expect(lines(rows[2], 'merged_lines')).toEqual([
      ['revenue', 900],
      ['netIncome', 91],
    ]);
    expect(rows[0]?.['source_url']).toBe(
      `https://www.sec.gov/Archives/edgar/data/${restated}/${accessionOf(restated, 0).replaceAll('-', '')}/${accessionOf(restated, 0)}-index.htm`,
    );
    expect(new Set(rows.map((row) => row['statement_id'])).size).toBe(3);
  });
});
