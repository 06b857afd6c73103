import type { DerivedIndicator } from './derived.ts';

export const priceToFreeCashFlow: DerivedIndicator = {
  slug: 'price_to_free_cash_flow',
  datasetNo: 1067,
  family: 'valuation',
  derivedFrom: ['price_close'],
  method: 'trailing_multiples_v1',
};
