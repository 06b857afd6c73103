// Every derived indicator, one line each.
import { cbStatementSentiment } from './cb-statement-sentiment.ts';
import { corePceInflationMom } from './core-pce-inflation-mom.ts';
import { corePceInflationYoy } from './core-pce-inflation-yoy.ts';
import { cotPositioningPercentile } from './cot-positioning-percentile.ts';
import { cotTffPercentile } from './cot-tff-percentile.ts';
import { cpiInflationMom } from './cpi-inflation-mom.ts';
import { cpiInflationYoy } from './cpi-inflation-yoy.ts';
import { priceToEarnings } from './price-to-earnings.ts';
import { priceToBook } from './price-to-book.ts';
import { priceToSales } from './price-to-sales.ts';
import { priceToFreeCashFlow } from './price-to-free-cash-flow.ts';
import { priceToOperatingCashFlow } from './price-to-operating-cash-flow.ts';
import { evToEbitda } from './ev-to-ebitda.ts';
import { evToEbit } from './ev-to-ebit.ts';
import { evToSales } from './ev-to-sales.ts';
import { evToFreeCashFlow } from './ev-to-free-cash-flow.ts';
import { earningsYield } from './earnings-yield.ts';
import { freeCashFlowYield } from './free-cash-flow-yield.ts';
import { dividendYield } from './dividend-yield.ts';
import { peg } from './peg.ts';
import type { DerivedIndicator } from './derived.ts';
import { durableGoodsOrdersMom } from './durable-goods-orders-mom.ts';
import { gdpGrowth } from './gdp-growth.ts';
import { gdpGrowthQoq } from './gdp-growth-qoq.ts';
import { gdpGrowthYoy } from './gdp-growth-yoy.ts';
import { industrialProductionMom } from './industrial-production-mom.ts';
import { industrialProductionYoy } from './industrial-production-yoy.ts';
import { m2GrowthYoy } from './m2-growth-yoy.ts';
import { payrollsMomChange } from './payrolls-mom-change.ts';
import { pceInflationMom } from './pce-inflation-mom.ts';
import { pceInflationYoy } from './pce-inflation-yoy.ts';
import { policyRate } from './policy-rate.ts';
import { ppiInflationYoy } from './ppi-inflation-yoy.ts';
import { retailSalesMom } from './retail-sales-mom.ts';
import { retailSalesYoy } from './retail-sales-yoy.ts';

export const derivedIndicators: readonly DerivedIndicator[] = [
  cpiInflationYoy,
  corePceInflationYoy,
  gdpGrowth,
  gdpGrowthYoy,
  cpiInflationMom,
  pceInflationYoy,
  pceInflationMom,
  corePceInflationMom,
  ppiInflationYoy,
  gdpGrowthQoq,
  industrialProductionYoy,
  industrialProductionMom,
  retailSalesYoy,
  retailSalesMom,
  payrollsMomChange,
  m2GrowthYoy,
  durableGoodsOrdersMom,
  policyRate,
  cotPositioningPercentile,
  cotTffPercentile,
  cbStatementSentiment,
  priceToEarnings,
  priceToBook,
  priceToSales,
  priceToFreeCashFlow,
  priceToOperatingCashFlow,
  evToEbitda,
  evToEbit,
  evToSales,
  evToFreeCashFlow,
  earningsYield,
  freeCashFlowYield,
  dividendYield,
  peg,
];
