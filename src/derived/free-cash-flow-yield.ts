import type { DerivedIndicator } from './derived.ts';

export const freeCashFlowYield: DerivedIndicator = {
  slug: 'free_cash_flow_yield',
  datasetNo: 1074,
  family: 'valuation',
  derivedFrom: ['price_close'],
  method: 'trailing_multiples_v1',
};
