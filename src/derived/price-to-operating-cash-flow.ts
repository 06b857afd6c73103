import type { DerivedIndicator } from './derived.ts';

export const priceToOperatingCashFlow: DerivedIndicator = {
  slug: 'price_to_operating_cash_flow',
  datasetNo: 1068,
  family: 'valuation',
  derivedFrom: ['price_close'],
  method: 'trailing_multiples_v1',
};
