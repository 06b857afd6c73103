// The facts that the invented companies report, all computed from the revenue of a quarter so that the statements agree with each other.
import type { Company } from './companies.ts';
import { monthsSince2020 } from './days.ts';
import { noise, rounded, valueAt } from './invent.ts';

export interface Fact {
  readonly taxonomy: 'us-gaap' | 'dei';
  readonly concept: string;
  readonly label: string;
  readonly unit: string;
  readonly kind: 'income' | 'cash flow' | 'instant';
  /** Of a quarter, given by its first month. */
  readonly of: (company: Company, month: string) => number;
  /** Per share: quarters cannot be summed, so they are divided again. */
  readonly perShare?: boolean;
}

/** @param quarters first months of the quarters covered; an instant is that of the last */
export function valueOf(company: Company, fact: Fact, quarters: readonly string[]): number {
  const sum = quarters.reduce((total, month) => total + fact.of(company, month), 0);
  return fact.perShare === true
    ? rounded(sum, 2)
    : fact.unit === 'shares' && fact.kind === 'income'
      ? Math.round(sum / quarters.length)
      : sum;
}

export const MILLION = 1_000_000;
const millions = (value: number): number => Math.round(value / MILLION) * MILLION;

const revenue = ({ cik, revenue: base, growth }: Company, month: string): number =>
  millions(valueAt(`revenue ${cik}`, monthsSince2020(`${month}-01`), { base: base / 4, growth, swing: 0.04, jitter: 0.03 }));
const costs = (company: Company, month: string): number => {
  const margin = company.grossMargin + 0.01 * noise('gross margin', company.cik, month);
  return millions(revenue(company, month) * (1 - margin));
};
const gross = (company: Company, month: string): number => revenue(company, month) - costs(company, month);
const operating = (company: Company, month: string): number => {
  const margin = company.operatingMargin + 0.01 * noise('operating margin', company.cik, month);
  return millions(revenue(company, month) * margin);
};
const interest = (company: Company): number => millions(company.revenue * 0.0025);
const pretax = (company: Company, month: string): number => operating(company, month) - interest(company);
const tax = (company: Company, month: string): number => millions(pretax(company, month) * 0.21);
const net = (company: Company, month: string): number => pretax(company, month) - tax(company, month);
const depreciation = (company: Company, month: string): number => millions(revenue(company, month) * 0.05);
const capex = (company: Company, month: string): number => millions(revenue(company, month) * 0.06);
const dividends = (company: Company, month: string): number => millions(net(company, month) * 0.4);
const operatingCash = (company: Company, month: string): number => net(company, month) + depreciation(company, month);

const assets = (company: Company, month: string): number => millions(revenue(company, month) * 6.4);
const currentAssets = (company: Company, month: string): number => millions(revenue(company, month) * 2.3);
const cash = (company: Company, month: string): number => millions(revenue(company, month) * 0.8);
const currentDebt = (company: Company): number => millions(company.revenue * 0.03);
const longDebt = (company: Company): number => millions(company.revenue * 0.3);
const currentLiabilities = (company: Company, month: string): number => millions(revenue(company, month) * 1.4);
const liabilities = (company: Company, month: string): number => millions(revenue(company, month) * 3.5);

const usd = { taxonomy: 'us-gaap', unit: 'USD' } as const;

// biome-ignore format: one line each
export const FACTS: readonly Fact[] = [
  { taxonomy: 'dei', concept: 'EntityCommonStockSharesOutstanding', label: 'Entity Common Stock, Shares Outstanding', unit: 'shares', kind: 'instant', of: ({ shares }) => shares },
  { ...usd, concept: 'Revenues', label: 'Revenues', kind: 'income', of: revenue },
  { ...usd, concept: 'CostOfRevenue', label: 'Cost of Revenue', kind: 'income', of: costs },
  { ...usd, concept: 'GrossProfit', label: 'Gross Profit', kind: 'income', of: gross },
  { ...usd, concept: 'OperatingIncomeLoss', label: 'Operating Income (Loss)', kind: 'income', of: operating },
  { ...usd, concept: 'InterestExpense', label: 'Interest Expense', kind: 'income', of: interest },
  { ...usd, concept: 'IncomeTaxExpenseBenefit', label: 'Income Tax Expense (Benefit)', kind: 'income', of: tax },
  { ...usd, concept: 'NetIncomeLoss', label: 'Net Income (Loss) Attributable to Parent', kind: 'income', of: net },
  { taxonomy: 'us-gaap', concept: 'EarningsPerShareBasic', label: 'Earnings Per Share, Basic', unit: 'USD/shares', kind: 'income', of: (company, month) => net(company, month) / company.shares, perShare: true },
  { taxonomy: 'us-gaap', concept: 'EarningsPerShareDiluted', label: 'Earnings Per Share, Diluted', unit: 'USD/shares', kind: 'income', of: (company, month) => net(company, month) / (company.shares * 1.01), perShare: true },
  { taxonomy: 'us-gaap', concept: 'WeightedAverageNumberOfDilutedSharesOutstanding', label: 'Weighted Average Number of Shares Outstanding, Diluted', unit: 'shares', kind: 'income', of: ({ shares }) => shares * 1.01 },
  { ...usd, concept: 'NetCashProvidedByUsedInOperatingActivities', label: 'Net Cash Provided by (Used in) Operating Activities', kind: 'cash flow', of: operatingCash },
  { ...usd, concept: 'PaymentsToAcquirePropertyPlantAndEquipment', label: 'Payments to Acquire Property, Plant, and Equipment', kind: 'cash flow', of: capex },
  { ...usd, concept: 'DepreciationDepletionAndAmortization', label: 'Depreciation, Depletion and Amortization', kind: 'cash flow', of: depreciation },
  { ...usd, concept: 'PaymentsOfDividends', label: 'Payments of Dividends', kind: 'cash flow', of: dividends },
  { ...usd, concept: 'Assets', label: 'Assets', kind: 'instant', of: assets },
  { ...usd, concept: 'AssetsCurrent', label: 'Assets, Current', kind: 'instant', of: currentAssets },
  { ...usd, concept: 'CashAndCashEquivalentsAtCarryingValue', label: 'Cash and Cash Equivalents, at Carrying Value', kind: 'instant', of: cash },
  { ...usd, concept: 'Liabilities', label: 'Liabilities', kind: 'instant', of: liabilities },
  { ...usd, concept: 'LiabilitiesCurrent', label: 'Liabilities, Current', kind: 'instant', of: currentLiabilities },
  { ...usd, concept: 'DebtCurrent', label: 'Debt, Current', kind: 'instant', of: currentDebt },
  { ...usd, concept: 'LongTermDebtNoncurrent', label: 'Long-Term Debt, Excluding Current Maturities', kind: 'instant', of: longDebt },
  { ...usd, concept: 'StockholdersEquity', label: "Stockholders' Equity Attributable to Parent", kind: 'instant', of: (company, month) => assets(company, month) - liabilities(company, month) },
];
