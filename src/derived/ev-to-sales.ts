import type { DerivedIndicator } from './derived.ts';

export const evToSales: DerivedIndicator = {
  slug: 'ev_to_sales',
  datasetNo: 1071,
  family: 'valuation',
  derivedFrom: ['price_close'],
  method: 'trailing_multiples_v1',
};
