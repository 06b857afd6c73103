import type { DerivedIndicator } from './derived.ts';

export const priceToSales: DerivedIndicator = {
  slug: 'price_to_sales',
  datasetNo: 1066,
  family: 'valuation',
  derivedFrom: ['price_close'],
  method: 'trailing_multiples_v1',
};
