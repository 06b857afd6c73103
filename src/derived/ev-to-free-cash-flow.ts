import type { DerivedIndicator } from './derived.ts';

export const evToFreeCashFlow: DerivedIndicator = {
  slug: 'ev_to_free_cash_flow',
  datasetNo: 1072,
  family: 'valuation',
  derivedFrom: ['price_close'],
  method: 'trailing_multiples_v1',
};
