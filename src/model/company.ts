// Companies and their statements.
import { z } from 'zod';
import { FreshnessStatus, RevisionStatus } from './trust.ts';
import { Day, Instant } from './period.ts';

const text = (description: string) => z.string().nullable().describe(description);
const day = (description: string) => Day.nullable().describe(description);
const instant = (description: string) => Instant.nullable().describe(description);
const number = (description: string) => z.number().nullable().describe(description);
const score = (description: string) => z.number().min(0).max(100).nullable().describe(description);

export const CompanyStatus = z.enum(['active', 'delisted', 'acquired', 'unknown']).meta({ id: 'CompanyStatus' });

export const Company = z
  .strictObject({
    companyId: z.string().describe('Identifier of the company.'),
    entityId: z.string().describe('Identifier of its entity.'),
    cik: z.string().describe('SEC Central Index Key, ten digits.'),
    lei: text('Legal Entity Identifier.'),
    ticker: text('First ticker of the company.'),
    exchange: text('ISO 10383 code of the market of ticker; null if uncertain.'),
    tickers: z.array(z.string()).describe('All tickers.'),
    name: z.string().describe('Name.'),
    sector: text('Sector: the division of the Standard Industrial Classification; null if no code was known.'),
    industry: text('Industry: the description that EDGAR gives its SIC code.'),
    sic: text('Standard Industrial Classification code, from EDGAR.'),
    classificationScheme: z.string().describe('Scheme of sector and industry.'),
    country: text('ISO 3166-1 alpha-2 code of its business address.'),
    reportingCurrency: text('ISO 4217 code of most facts of its newest annual report; null if no statements are known.'),
    fiscalYearEnd: text('Month and day on which its fiscal year ends, MM-DD, as known at the cutoff; null before a filing states it.'),
    status: CompanyStatus.describe('active if it has a ticker now.'),
    sharesOutstanding: number('Shares of common stock, from the cover of its newest report.'),
    sharesAsOf: day('Day of sharesOutstanding.'),
    price: number('Price of a share.'),
    priceAsOf: day('Day of price.'),
    marketCap: number('price times the number of shares.'),
    latestPeriodEnd: day('End of the newest period reported.'),
    latestFiledAt: instant('Time at which the newest report was filed.'),
    multiples: z
      .strictObject({
        priceToEarnings: number('Price to trailing earnings.'),
        priceToBook: number('Market capitalisation to common equity.'),
        priceToSales: number('Market capitalisation to trailing revenue.'),
        priceToFreeCashFlow: number('Market capitalisation to trailing free cash flow.'),
        priceToOperatingCashFlow: number('Market capitalisation to trailing cash flow from operations.'),
        evToEbitda: number('Enterprise value to trailing EBITDA.'),
        evToEbit: number('Enterprise value to trailing EBIT.'),
        evToSales: number('Enterprise value to trailing revenue.'),
        evToFreeCashFlow: number('Enterprise value to trailing free cash flow.'),
        earningsYield: number('Trailing earnings to price.'),
        freeCashFlowYield: number('Trailing free cash flow to market capitalisation.'),
        dividendYield: number('Trailing dividends to market capitalisation.'),
        peg: number('Price to earnings over growth of earnings.'),
      })
      .meta({ id: 'CompanyMultiples' })
      .describe('Trailing valuation multiples; null if not computed.'),
    scores: z
      .strictObject({
        composite: score('Mean of the available scores; null if scoreCoverage is below 0.5.'),
        value: score('Earnings, free cash flow and book yields; null if prices may not be redistributed.'),
        quality: score('Return on equity, gross profitability, accruals.'),
        growth: score('Growth of revenue and earnings per share.'),
        financialHealth: score('Debt, interest cover, current ratio.'),
      })
      .meta({ id: 'CompanyScores' })
      .describe('Midrank percentiles within the sector if five of its companies have the input, else among all companies.'),
    scoreAsOf: instant('Knowledge time of the newest figure behind the scores. Figures of the compared companies count too.'),
    scoreCoverage: z.number().min(0).max(1).describe('Share of the score inputs that were available.'),
    freshnessStatus: FreshnessStatus.describe('stale if the newest period ended more than 185 days ago; unknown without a report.'),
    scoringEligible: z.boolean().describe('True if there is a composite score and the company is fresh.'),
    rightsNote: text('Reasons for null fields that depend on prices.'),
    nullReasons: z
      .record(z.string(), z.string())
      .meta({ id: 'NullReasons' })
      .describe(
        'Reason for each null price, marketCap and multiple, by field: no_grant (the operator has no right to the prices), no_redistribution (the right is for own use), no_price (no price is known), insufficient_data, stale_fundamentals (the newest quarter ended more than 185 days before), not_meaningful (a denominator is not positive), not_applicable (banks and insurers), unit_of_quote_unknown (the quoted unit seems not to be one counted share), and others of the methods. Empty if none is null.',
      ),
  })
  .meta({ id: 'Company' });
export type Company = z.infer<typeof Company>;

/** A company is stale if its newest quarter ended longer ago (docs/reference/company-methods.md#company-facts). */
export const REPORT_BUDGET_DAYS = 185;

/** A company is not ranked if its newest quarter ended longer ago (docs/reference/company-methods.md#company-scores). */
export const SCORED_FOR_DAYS = 400;

export const StatementType = z.enum(['income', 'balance_sheet', 'cash_flow']).meta({ id: 'StatementType' });

export const FinancialStatement = z
  .strictObject({
    statementId: z.string().describe('Identifier of the statement as one filing reported it.'),
    companyId: z.string().describe('Identifier of the company.'),
    cik: z.string().describe('SEC Central Index Key, ten digits.'),
    statementType: StatementType.describe('Kind of statement.'),
    periodType: z.enum(['annual', 'quarterly', 'ytd', 'ttm', 'instant']).meta({ id: 'StatementPeriodType' }).describe('Kind of period.'),
    fiscalYear: z
      .int()
      .describe(
        'Calendar year in which the fiscal year ends, by the annual reports known at the cutoff. An end from 1 to 7 January counts to the year before.',
      ),
    fiscalPeriod: z
      .enum(['FY', 'Q1', 'Q2', 'Q3', 'Q4', 'H1', '9M', 'TTM'])
      .meta({ id: 'FiscalPeriod' })
      .describe('Position in the fiscal year.'),
    periodStart: day('First day; null for a balance sheet.'),
    periodEnd: Day.describe('Last day.'),
    form: z.string().describe('Form of the filing.'),
    accessionNumber: z.string().describe('Accession number of the newest filing behind the figures.'),
    filedAt: Day.describe('Day of the filing.'),
    acceptedAt: instant('Time at which EDGAR accepted it.'),
    observedAt: Instant.describe('Knowledge time.'),
    revisionStatus: RevisionStatus.describe('revised if restated.'),
    restated: z
      .boolean()
      .describe(
        'True if a figure differs from the first one filed for the period. The effect of a listed split (stock_splits.csv) does not count.',
      ),
    splitFactor: z
      .number()
      .describe(
        'Factor for splits between the filing and as_of: share counts are multiplied by it, amounts per share divided. 1 without such a split, and for basis=as_reported.',
      ),
    derived: z.boolean().describe('True if it was computed from other statements.'),
    derivation: z
      .enum(['none', 'fy_minus_9m', 'fy_minus_3q', 'ytd_difference', 'ttm_roll'])
      .meta({ id: 'StatementDerivation' })
      .describe('How it was computed; none: the filing has it.'),
    currency: z.string().describe('ISO 4217 code.'),
    items: z
      .record(z.string(), z.number().nullable())
      .meta({ id: 'StatementItems' })
      .describe('Figures by key. Every key of this kind of statement is present.'),
    lines: z
      .array(
        z
          .strictObject({
            key: z.string().describe('Key of the figure.'),
            label: z.string().describe('Label.'),
            value: z.number().describe('Value.'),
            unit: z.string().describe('Unit, as filed.'),
            concept: z.string().describe('Concept of us-gaap or ifrs-full.'),
            decimals: z.int().nullable().describe('Accuracy, if the filing states it.'),
            quality: z.enum(['reported', 'derived']).meta({ id: 'LineQuality' }).describe('Filed or computed.'),
            factRefs: z.array(z.string()).describe('Accession number, concept, unit and period of the facts behind it.'),
          })
          .meta({ id: 'StatementLine' }),
      )
      .describe('The figures with their origin.'),
    sourceUrl: z.string().describe('Index of the filing.'),
  })
  .meta({ id: 'FinancialStatement' });
export type FinancialStatement = z.infer<typeof FinancialStatement>;

/** Keys of the figures of each statement, in order; data/reference/xbrl_concepts.csv has the same. */
export const STATEMENT_KEYS = {
  income: [
    'revenue',
    'costOfRevenue',
    'grossProfit',
    'researchAndDevelopment',
    'sellingGeneralAndAdministrative',
    'operatingExpenses',
    'operatingIncome',
    'interestExpense',
    'incomeBeforeTax',
    'incomeTax',
    'profitLoss',
    'netIncome',
    'netIncomeToCommon',
    'epsBasic',
    'epsDiluted',
    'weightedSharesBasic',
    'weightedSharesDiluted',
  ],
  balance_sheet: [
    'cash',
    'shortTermInvestments',
    'receivables',
    'inventory',
    'currentAssets',
    'propertyPlantAndEquipment',
    'goodwill',
    'totalAssets',
    'accountsPayable',
    'currentDebt',
    'currentPartOfLongTermDebt',
    'shortTermBorrowings',
    'currentLiabilities',
    'longTermDebt',
    'totalLiabilities',
    'retainedEarnings',
    'stockholdersEquity',
    'totalEquity',
    'liabilitiesAndEquity',
    'sharesOutstanding',
  ],
  cash_flow: [
    'operatingCashFlow',
    'depreciationAndAmortization',
    'stockBasedCompensation',
    'capitalExpenditure',
    'acquisitions',
    'investingCashFlow',
    'dividendsPaid',
    'shareRepurchases',
    'debtIssued',
    'debtRepaid',
    'financingCashFlow',
    'changeInCash',
  ],
} as const satisfies Record<z.infer<typeof StatementType>, readonly string[]>;
